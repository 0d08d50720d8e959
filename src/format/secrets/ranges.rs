//! Stretches of a text that are masked.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::names::{MASK, MASK_IN_ADDRESS};

/// Built where a text may match: that takes as long as a small file does.
pub(super) type Pattern = LazyLock<Option<Regex>>;

/// A text with some ranges masked, which ascend; of two that overlap the first, and what is masked stays.
pub(super) fn mask_ranges(text: &str, ranges: impl IntoIterator<Item = Range<usize>>) -> Cow<'_, str> {
    let (mut out, mut written) = (String::new(), 0);
    for range in ranges {
        let is_masked = matches!(text.get(range.clone()), Some(MASK_IN_ADDRESS | MASK));
        if is_masked || range.start < written {
            continue;
        }
        out.push_str(text.get(written..range.start).unwrap_or_default());
        out.push_str(MASK_IN_ADDRESS);
        written = range.end;
    }
    if written == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(text.get(written..).unwrap_or_default());
    Cow::Owned(out)
}

/// The bytes of a text from where another begins to differ to where both are alike again.
pub fn differing(own: &str, other: &str) -> Range<usize> {
    let is_alike = |(own, other): &(u8, u8)| own == other;
    let before = own.bytes().zip(other.bytes()).take_while(is_alike).count();
    let behind = own.bytes().rev().zip(other.bytes().rev()).take_while(is_alike).count();
    let begin = own.floor_char_boundary(before);
    begin..own.ceil_char_boundary(own.len().saturating_sub(behind)).max(begin)
}

/// A mask of so many bytes: offsets behind it stay what they are.
pub(super) fn mask_as_long(bytes: usize) -> String {
    let mut mask = format!("{MASK_IN_ADDRESS:*<bytes$}");
    mask.truncate(bytes);
    mask
}

/// Masks what is masked already once more.
pub(super) fn again(masked: Cow<'_, str>, mask: impl Fn(&str) -> Cow<'_, str>) -> Cow<'_, str> {
    match masked {
        Cow::Borrowed(text) => mask(text),
        Cow::Owned(masked) => Cow::Owned(mask(&masked).into_owned()),
    }
}
