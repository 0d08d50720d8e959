//! Values that a format reads, where something else stands around them.

use std::ops::Range;

use memchr::{memchr, memchr_iter, memmem};
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::format::{FrameKind, recognise};
use crate::json::scan::{Members, skip_space, skip_value};

/// Whether a line is a whole value that a format reads, or an array that begins with one.
pub(super) fn is_known(line: &[u8]) -> bool {
    let whole = skip_value(line, 0).is_some_and(|after| skip_space(line, after) == line.len());
    let text = std::str::from_utf8(line).ok().filter(|_| whole);
    let first = |text| {
        let at = Members::of(text, 0).filter(|members| !members.of_object())?.next()?.1;
        text.get(at..skip_value(line, at)?)
    };
    text.is_some_and(|text| matches!(recognise(first(text).unwrap_or(text)), FrameKind::Known(..)))
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

/// What may be looked through in vain, over all places of a text, for values that begin there and do not end:
/// of very many all would be looked through to the end of the text.
pub(super) struct Patience(usize);

impl Patience {
    /// Times that a text may be looked through, and bytes of a short one.
    const TIMES: usize = 8;
    const LEAST: usize = 1 << 16;

    pub fn with(bytes: &[u8]) -> Self {
        Self((Self::TIMES * bytes.len()).max(Self::LEAST))
    }

    /// Whether a whole value of JSON begins at a byte, as long as there is patience.
    pub fn is_value(&mut self, bytes: &[u8], start: usize) -> bool {
        let rest = bytes.get(start..).filter(|_| self.0 > 0).unwrap_or_default();
        let read = IgnoredAny::deserialize(&mut serde_json::Deserializer::from_slice(rest));
        let Err(error) = read else { return true };
        let lines = memchr_iter(b'\n', rest).take(error.line().saturating_sub(1)).last().unwrap_or_default();
        self.0 = self.0.saturating_sub(lines + error.column());
        false
    }
}

/// Where a value over several lines ends, and what is its own: one that is cut off ends where a line begins
/// as its own does.
pub(super) fn value_over_lines(
    bytes: &[u8],
    start: usize,
    patience: &mut Patience,
) -> (Option<usize>, usize) {
    let next = next_alike(bytes, start).filter(|next| {
        let seen = bytes.get(..*next).unwrap_or_default();
        skip_value(seen, start).is_none() && !patience.is_value(bytes, start)
    });
    match next {
        Some(next) => (None, bytes.get(..next).map_or(next, |before| before.trim_ascii_end().len())),
        None => (skip_value(bytes, start), bytes.len()),
    }
}

/// The next line that begins like the one at which a value begins.
pub(super) fn next_alike(bytes: &[u8], start: usize) -> Option<usize> {
    let (before, rest) = bytes.split_at_checked(start)?;
    let first = rest.first().filter(|first| matches!(first, b'{' | b'[') && before.last() != Some(&b' '))?;
    Some(start + memmem::find(rest, &[b'\n', *first])? + 1)
}

/// Where a value ends that is cut off, and whose end is known so far: or with an element of an array behind a
/// comma, which begins like the first and which a format reads.
pub(super) fn cut_end(bytes: &[u8], (first, cut): (usize, usize), until: usize, tries: &mut usize) -> usize {
    let own = bytes.get(..until).unwrap_or_default();
    next_element(own, first, cut, tries).unwrap_or(until)
}

fn next_element(bytes: &[u8], first: usize, cut: usize, tries: &mut usize) -> Option<usize> {
    // No further: a text without a colon would be gone through at each of its lines.
    let opening = bytes.get(first..)?;
    let opening = opening.get(..OPENING.min(opening.len()))?;
    let opening = opening.get(..=memchr(b':', opening)?)?;
    let begun = |at: usize| bytes.get(cut..at)?.trim_ascii_end().strip_suffix(b",");
    let places = memmem::find_iter(bytes.get(cut + 1..)?, opening).map(|at| cut + 1 + at);
    for (at, own) in places.filter_map(|at| Some((at, begun(at)?))) {
        *tries = tries.checked_sub(1)?;
        let value = skip_value(bytes, at).and_then(|end| bytes.get(at..end));
        if value.is_some_and(is_known) {
            return Some(cut + own.trim_ascii_end().len());
        }
    }
    None
}

/// Bytes of the opening of an element up to its first value, at most.
const OPENING: usize = 64;

/// Whether there is nothing but the beginning of one value, or of the first in an array.
pub fn is_begun_only(bytes: &[u8]) -> bool {
    let begun = |at: usize| {
        let at = skip_space(bytes, at);
        matches!(bytes.get(at), None | Some(b'{' | b'"')) && skip_value(bytes, at).is_none()
    };
    let start = skip_space(bytes, bytes.strip_prefix(b"\xEF\xBB\xBF").map_or(0, |_| 3));
    begun(start) || bytes.get(start) == Some(&b'[') && begun(start + 1)
}
