//! The text of the answer pane: which it is, where its spans lie, what a search finds.

use std::ops::Range;

use super::page::{MARKDOWN_MOST, Page, numbers};
use super::standing::sentences;
use super::state::State;
use crate::json::is_json;

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

/// Byte range of what is selected: a span, or a sentence without a source.
pub fn selected_range(state: &State) -> Option<Range<usize>> {
    match state.sentence {
        Some(sentence) => sentences(state).get(sentence).cloned(),
        None => shown_range(state, state.span),
    }
}

/// Whether something was decided of the selection.
pub fn is_marked(state: &State) -> bool {
    selected_range(state).is_some_and(|range| state.mark_of(&range).is_some())
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

/// Bytes of an answer that are drawn as Markdown whatever their signs.
const SHORT: usize = 16 << 10;

/// Whether the answer is drawn as it was sent: the user wants to see that, or it is too long, or has too many
/// signs, for more.
pub fn is_as_sent(state: &State) -> bool {
    let length = shown_text(state).len();
    let is_dense = || length > SHORT && state.review().is_some_and(|review| review.is_dense());
    state.as_sent || length > MARKDOWN_MOST || is_dense()
}

/// The answer laid out at a width.
pub fn page(state: &State, width: usize) -> Page {
    let text = shown_text(state);
    let Some(review) = state.review().filter(|_| !is_as_sent(state)) else {
        return Page::source(text, width);
    };
    let numbers = numbers(review, text, state.compare, |span| shown_range(state, span));
    let is_json = text.trim_start().starts_with(['{', '[']) && is_json(text);
    let is_markdown = review.response.answer.is_some() && !is_json;
    Page::laid(text, is_markdown, numbers, width)
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
