//! The text of the answer pane: which it is, where its spans lie, what is drawn of a row of it, what a search
//! finds.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use super::state::State;
use crate::text::{Cell, cell};

/// The text that the answer pane shows: the answer, or, where there is none, the quotes of its supports a
/// line each.
pub fn shown_text(state: &State) -> &str {
    state
        .review()
        .map_or("", |review| review.response.answer.as_deref().unwrap_or_else(|| &review.claims().0))
}

/// Byte range of a span in the shown text.
pub fn shown_range(state: &State, span: usize) -> Option<Range<usize>> {
    let review = state.review()?;
    if review.response.answer.is_some() {
        return review.spans.get(span)?.range.clone();
    }
    review.claims().1.get(span).cloned()
}

/// Spans that overlap a stretch of the shown text.
pub fn shown_overlapping(state: &State, stretch: &Range<usize>) -> Vec<usize> {
    let Some(review) = state.review() else { return Vec::new() };
    if review.response.answer.is_some() {
        return review.overlapping(stretch);
    }
    let claims = &review.claims().1;
    let from = claims.partition_point(|range| range.end <= stretch.start);
    let to = claims.partition_point(|range| range.start < stretch.end);
    (from..to.max(from)).collect()
}

/// What is drawn of a row: each cluster with its first byte and column.
pub fn clusters(text: &str, row: Range<usize>) -> impl Iterator<Item = (usize, usize, Cell<'_>)> {
    let mut column = 0;
    let start = row.start;
    text.get(row).unwrap_or_default().grapheme_indices(true).map(move |(at, cluster)| {
        let drawn = cell(cluster, column);
        let here = column;
        column += drawn.width;
        (start + at, here, drawn)
    })
}

/// The byte of the text that is drawn at a column of a row.
pub fn byte_at(text: &str, row: Range<usize>, column: usize) -> Option<usize> {
    clusters(text, row)
        .find(|(_, at, drawn)| (*at..at + drawn.width).contains(&column))
        .map(|(byte, ..)| byte)
}

/// Ranges of the text that match: without regard to case unless the needle has capitals.
pub fn matches(text: &str, needle: &str, within: Range<usize>) -> Vec<Range<usize>> {
    let part = text.get(within.clone()).unwrap_or_default();
    if needle.is_empty() {
        return Vec::new();
    }
    if needle.chars().any(char::is_uppercase) || !part.is_ascii() && !needle.is_ascii() {
        return memchr::memmem::find_iter(part.as_bytes(), needle.as_bytes())
            .map(|at| within.start + at..within.start + at + needle.len())
            .collect();
    }
    // ASCII letters fold to one byte each, so places agree.
    let folded = part.to_ascii_lowercase();
    memchr::memmem::find_iter(folded.as_bytes(), needle.to_ascii_lowercase().as_bytes())
        .map(|at| within.start + at..within.start + at + needle.len())
        .collect()
}
