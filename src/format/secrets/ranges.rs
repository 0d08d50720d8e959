//! Stretches of a text that are masked.

use std::borrow::Cow;
use std::ops::Range;

use super::names::{MASK, MASK_IN_ADDRESS};

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
