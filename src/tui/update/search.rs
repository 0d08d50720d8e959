//! Searching the answer.

use std::ops::Range;

use super::super::layout::{Layout, shown_text};
use super::super::state::State;
use super::{changed, reveal, tell};

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
    let text = shown_text(state).into_owned();
    let found = matches(&text, &state.needle, 0..text.len());
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
        return tell(state, &format!("“{}” is not in the answer", state.needle.clone()), true);
    };
    state.matched = Some(range.start);
    let row = layout.rows.row_of(range.start);
    reveal(state, layout, row, row);
    let number = found.iter().position(|other| *other == range).unwrap_or_default() + 1;
    tell(state, &format!("match {number} of {} for “{}”", found.len(), state.needle.clone()), false);
    changed(state);
}
