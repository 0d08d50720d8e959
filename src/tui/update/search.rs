//! Searching the answer.

use std::ops::Range;

use super::super::layout::{Layout, shown_range, shown_text};
use super::super::state::State;
use super::{changed, reveal, select, tell};

pub(super) fn search(state: &mut State, layout: &Layout, needle: String) {
    state.matched = None;
    state.needle = needle;
    if !state.needle.is_empty() {
        next_match(state, layout, true);
    }
}

/// Ranges of the shown text that match: without regard to case unless the needle has capitals.
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
    let lower = part.to_ascii_lowercase();
    memchr::memmem::find_iter(lower.as_bytes(), needle.to_ascii_lowercase().as_bytes())
        .map(|at| within.start + at..within.start + at + needle.len())
        .collect()
}

pub(super) fn next_match(state: &mut State, layout: &Layout, forward: bool) {
    let text = shown_text(state);
    let found = matches(text, &state.needle, 0..text.len());
    if state.needle.is_empty() {
        return tell(state, "nothing was searched for yet: press /", false);
    }
    let top = state.cursors.first().and_then(|cursor| layout.rows.row(cursor.top)).map_or(0, |row| row.start);
    let next = match (state.matched, forward) {
        (Some(at), true) => found.iter().find(|range| range.start > at).or(found.first()),
        (Some(at), false) => found.iter().rev().find(|range| range.start < at).or(found.last()),
        (None, _) => found.iter().find(|range| range.start >= top).or(found.first()),
    };
    let Some(range) = next.cloned() else {
        let words = match source_with(state) {
            Some(source) => format!("“{}” is not in the answer, but in source [{}] (s lists them)", state.needle, source + 1),
            None => format!("“{}” is in neither the answer nor the sources", state.needle),
        };
        return tell(state, &words, true);
    };
    state.matched = Some(range.start);
    let under = state.review().map(|review| review.overlapping(&range)).unwrap_or_default();
    let shortest = under.into_iter().min_by_key(|&span| shown_range(state, span).map_or(usize::MAX, |range| range.len()));
    if let Some(span) = shortest.filter(|_| state.review().is_some_and(|review| review.response.answer.is_some())) {
        select(state, layout, span);
    }
    let row = layout.rows.row_of(range.start);
    reveal(state, layout, row, row);
    let number = found.iter().position(|other| *other == range).unwrap_or_default() + 1;
    tell(state, &format!("match {number} of {} for “{}”", found.len(), state.needle.clone()), false);
    changed(state);
}

/// The first source whose title or text matches.
fn source_with(state: &State) -> Option<usize> {
    let found = |text: &str| !matches(text, &state.needle, 0..text.len()).is_empty();
    let sources = &state.review()?.response.sources;
    sources.iter().position(|source| found(source.name()) || source.chunks.iter().any(|chunk| found(&chunk.text)))
}
