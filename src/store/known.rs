//! Values that a format reads, where something else stands around them.

use std::ops::Range;

use memchr::memchr;

use crate::format::{FrameKind, recognise};
use crate::json::scan::{skip_space, skip_value};

/// Whether a line is a whole value that a format reads.
pub(super) fn is_known(line: &[u8]) -> bool {
    let whole = skip_value(line, 0).is_some_and(|after| skip_space(line, after) == line.len());
    let text = std::str::from_utf8(line).ok().filter(|_| whole);
    text.is_some_and(|text| matches!(recognise(text), FrameKind::Known(..)))
}

/// Values over several lines among events that are looked for without finding one.
pub(super) const TRIES: usize = 16;

/// The value that begins at a line among events, where a format reads it: it may go on over some lines.
pub(super) fn logged_value(bytes: &[u8], at: usize, tries: &mut usize) -> Option<Range<usize>> {
    let rest = bytes.get(at..).filter(|rest| rest.starts_with(b"{"))?;
    let line = memchr(b'\n', rest).map_or(bytes.len(), |end| at + end);
    let value = |end: &usize| bytes.get(at..*end).is_some_and(is_known);
    if let Some(end) = bytes.get(..line).and_then(|seen| skip_value(seen, at)) {
        return Some(end).filter(value).map(|end| at..end);
    }
    *tries = tries.checked_sub(1)?;
    let end = skip_value(bytes, at).filter(value)?;
    *tries += 1;
    Some(at..end)
}
