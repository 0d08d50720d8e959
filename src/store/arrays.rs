//! Arrays among lines, or one behind another: each may be all pieces of one response, as of a stream that was
//! logged or appended whole.

use std::ops::Range;

use super::framing::{Container, Frame};
use super::index::LineStart;
use super::records::{Grouping, Taken};
use crate::format::{self, FrameGroup, FrameKind};
use crate::json::scan::{Members, skip_value};

/// The elements of a frame that is an array of objects, and whole.
pub(super) fn elements(text: &str, frame: &Frame) -> Option<Vec<Frame>> {
    let seen =
        text.get(..frame.range.end).filter(|seen| seen.as_bytes().get(frame.range.start) == Some(&b'['))?;
    let mut members = Members::of(seen, frame.range.start)?;
    let mut out = Vec::new();
    for (_, at) in members.by_ref() {
        let end = skip_value(seen.as_bytes(), at).filter(|_| seen.as_bytes().get(at) == Some(&b'{'))?;
        out.push(Frame { range: at..end, whole: true });
    }
    (members.closed && !out.is_empty()).then_some(out)
}

/// Frames with the elements of an array in its place where these are several responses.
pub(super) fn apart(text: &str, frame: Frame) -> Vec<Frame> {
    let own = text.get(frame.range.clone()).unwrap_or_default();
    let several = elements(text, &frame).filter(|_| recognise(own) == FrameKind::Unrecognised);
    several.unwrap_or_else(|| vec![frame])
}

/// What a frame is: an array is of the format of its elements, where these are one response.
pub(super) fn recognise(frame: &str) -> FrameKind {
    let Some(elements) = elements(frame, &Frame { range: 0..frame.len(), whole: true }) else {
        return format::recognise(frame);
    };
    let mut grouping = Grouping::new(Container::Array);
    let mut found = None;
    for Frame { range, .. } in elements {
        let text = frame.get(range.clone()).unwrap_or_default();
        let kind = format::recognise(text);
        if let FrameKind::Known(format, _) = kind {
            found.get_or_insert(format);
        }
        let bytes = range.start as u64..range.end as u64;
        let taken = Taken { bytes, side_by_side: true, anew: false, kind };
        let again = |first: &Range<u64>| frame.get(first.start as usize..first.end as usize) == Some(text);
        grouping.take(taken, again, LineStart::default);
    }
    let is_one = grouping.finish().len() == 1;
    found
        .filter(|_| is_one)
        .map_or(FrameKind::Unrecognised, |format| FrameKind::Known(format, FrameGroup::Alone))
}
