//! Frames that were put together to one response: where it is not certain that they are one, or that all of
//! it is there, offsets are left as they are.

use std::collections::{HashMap, HashSet};

use super::repair::{Edit, Refusal, Repairs};
use super::sent::Sent;
use crate::anchor::{self, Fit, Units};
use crate::format::{self, Boundary, Decoded, FrameGroup, FrameKind, Limits};
use crate::json::scan::skip_value;
use crate::model::{AnswerState, Notice, Response};
use crate::store::Container;

/// Leaves the supports as they are whose offsets may fit the text that was sent.
pub(super) fn leave_joined(mut found: Repairs, sent: &Sent, response: &Response, fit: &Fit) -> Repairs {
    if found.edits.is_empty() {
        return found;
    }
    if response.partial {
        // They may count over what was said before.
        found.leave_where(Refusal::OfAPiece, |_| true);
    }
    if response.state == AnswerState::Truncated {
        // What is not there any more was quoted, too.
        found.leave_where(Refusal::Interrupted, |edits| edits.iter().any(is_back));
    }
    let first = found.edits.get(..2).and_then(shift).filter(|shift| *shift < 0);
    let mut of_supports = found.edits.chunk_by(|one, next| one.support == next.support);
    let alike = first.is_some() && of_supports.all(|edits| shift(edits) == first);
    if fit.documented == 0 && alike && lacks_beginning(sent) {
        found.leave_where(Refusal::NoBeginning, |_| true);
    }
    leave_pieces(found, sent, response)
}

/// Whether a stream does not begin with the event that begins such streams.
fn lacks_beginning(sent: &Sent) -> bool {
    let Some(first) = sent.text.frames().next().filter(|_| sent.text.len() > 1) else { return false };
    let goes_on =
        |group: &FrameGroup| matches!(group, FrameGroup::Stream { boundary: Boundary::Continues, .. });
    sent.format.announced && matches!(format::recognise(first), FrameKind::Known(_, group) if goes_on(&group))
}

fn is_back(edit: &Edit) -> bool {
    edit.new < edit.old.unwrap_or_default()
}

fn leave_pieces(mut found: Repairs, sent: &Sent, response: &Response) -> Repairs {
    let streamed = sent.text.len() > 1 || sent.text.container() == Container::Events;
    if !streamed || found.edits.is_empty() {
        return found;
    }
    // What a piece held that is not there was quoted, too.
    let lacks = found.refused.iter().any(|(_, why)| *why == Refusal::Gone);
    let interrupted = is_interrupted(sent);
    let begins = if interrupted { HashSet::new() } else { begins(sent, response) };
    let disordered = is_disordered(&found.edits);
    let mut fits: HashMap<u32, bool> = HashMap::new();
    let mut fits_its_line = |support: usize| {
        let frame = response.supports.get(support).map_or(0, |support| support.origin.frame);
        sent.joined_lines().is_some() && *fits.entry(frame).or_insert_with(|| fits_alone(sent, frame))
    };
    let mut left: Vec<(usize, Refusal)> = Vec::new();
    for edits in found.edits.chunk_by(|one, next| one.support == next.support) {
        let Some(support) = edits.first().map(|edit| edit.support) else { continue };
        let why = match () {
            () if interrupted || lacks && shift(edits).is_some() => Refusal::Interrupted,
            () if disordered => Refusal::Disordered,
            () if fits_its_line(support) => Refusal::OfItsLine,
            () if shift(edits).is_some_and(|shift| begins.contains(&shift)) => Refusal::OfALaterPiece,
            () => continue,
        };
        left.push((support, why));
    }
    found.leave(left);
    found
}

/// Whether quotes are found in another order than that of their offsets: what was quoted first is missing,
/// and was said again.
fn is_disordered(edits: &[Edit]) -> bool {
    let of_supports = edits.chunk_by(|one, next| one.support == next.support);
    let ends = |edits: &[Edit]| edits.last().map(|edit| (edit.old.unwrap_or_default(), edit.new));
    let mut ends: Vec<(i64, i64)> = of_supports.filter_map(ends).collect();
    ends.sort_unstable();
    !ends.is_sorted_by_key(|(_, new)| *new)
}

/// By how much the offsets of a support would move, where both move alike.
fn shift(edits: &[Edit]) -> Option<i64> {
    let [start, end] = edits else { return None };
    let by = |edit: &Edit| edit.new.saturating_sub(edit.old.unwrap_or_default());
    (by(start) == by(end)).then(|| by(start))
}

fn alone(sent: &Sent, frame: &str) -> Option<Decoded> {
    format::decode((sent.format, None), &[frame], Limits::Usual, |_, _| (0, 0)).ok()
}

/// Where the texts of the frames behind the first one begin in the answer, in its unit: a response that
/// begins there counts from there. As far as the texts of the frames make the answer.
fn begins(sent: &Sent, response: &Response) -> HashSet<i64> {
    let answer = response.text();
    let units = Units::of(answer);
    let (mut at, mut out) = (0, HashSet::new());
    for frame in sent.text.frames() {
        if at > 0 {
            out.insert(units.count(response.unit, at) as i64);
        }
        let Some(own) = alone(sent, frame) else { continue };
        let own = own.responses.iter().find(|own| own.item == response.item).map_or("", Response::text);
        if !answer.get(at..).is_some_and(|rest| rest.starts_with(own)) {
            break;
        }
        at += own.len();
    }
    out
}

/// Whether something in the middle of the record could not be read: text may be missing there.
fn is_interrupted(sent: &Sent) -> bool {
    let lost = |notice: &Notice| matches!(notice, Notice::FramePassedOver { .. } | Notice::StrayLines { .. });
    let is_piece = |frame: &str| {
        frame.trim_start().starts_with(['{', '['])
            && skip_value(frame.as_bytes(), frame.len() - frame.trim_start().len()).is_some()
            && format::recognise(frame) != FrameKind::ServiceError
    };
    let before_the_last = sent.text.len().saturating_sub(1);
    sent.notices.iter().any(lost)
        || sent.text.is_parted()
        || !sent.text.frames().take(before_the_last).all(is_piece)
}

/// Whether all quotes of a frame stand where its offsets say, in the text of that frame: the last one of a
/// stream often has none.
fn fits_alone(sent: &Sent, frame: u32) -> bool {
    let fits = |response: &Response| {
        let anchors = anchor::anchor(response).anchors;
        response.answer.is_some()
            && !response.supports.is_empty()
            && !anchors.iter().any(|anchor| anchor.verdict.is_misfit())
    };
    let alone = alone(sent, sent.text.frame(frame as usize));
    alone.is_some_and(|alone| !alone.responses.is_empty() && alone.responses.iter().all(fits))
}
