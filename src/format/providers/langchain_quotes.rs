//! Words in an annotation of LangChain: those of the answer, or of its source.

use crate::anchor::Units;
use crate::model::{Segment, Unit};

/// Whether words are the answer's own: what stands at the offsets, in whatever unit, or near them at the same
/// length, where offsets have drifted.
pub fn are_own(text: &str, units: &Units, segment: &Segment, words: &str) -> bool {
    let start = usize::try_from(segment.start.unwrap_or_default()).ok();
    let end = segment.end.and_then(|end| usize::try_from(end).ok());
    let Some((start, end)) = start.zip(end) else { return false };
    let own = Units::of(words);
    [Unit::Characters, Unit::Utf16, Unit::Bytes].into_iter().any(|unit| {
        if end.checked_sub(start) != Some(own.count(unit, words.len())) {
            return false;
        }
        let near = units.byte(unit, start).unwrap_or(text.len());
        let from = text.floor_char_boundary(near.saturating_sub(DRIFT));
        let to = text.ceil_char_boundary(text.len().min(near + words.len() + DRIFT));
        text.get(from..to).is_some_and(|near| near.contains(words))
    })
}

/// Bytes around its offsets in which words may stand that are the answer's own.
const DRIFT: usize = 256;
