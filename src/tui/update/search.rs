//! Searching the answer.

use super::super::answer::{matches, shown_range, shown_text};
use super::super::keymap::{Command, label};
use super::super::layout::Layout;
use super::super::state::State;
use super::cursor::{changed, report};
use super::spans::{select, show_row};

pub(super) fn search(state: &mut State, layout: &Layout, needle: String) {
    state.matched = None;
    state.needle = needle;
    if !state.needle.is_empty() {
        next_match(state, layout, true);
    }
}

pub(super) fn next_match(state: &mut State, layout: &Layout, forward: bool) {
    let text = shown_text(state);
    let found = matches(text, &state.needle, 0..text.len());
    if state.needle.is_empty() {
        return report(
            state,
            &format!("nothing was searched for yet: press {}", label(Command::Search)),
            false,
        );
    }
    let top = layout.page.row(layout.top).map_or(0, |row| row.start);
    let next = match (state.matched, forward) {
        (Some(at), true) => found.iter().find(|range| range.start > at).or(found.first()),
        (Some(at), false) => found.iter().rev().find(|range| range.start < at).or(found.last()),
        (None, _) => found.iter().find(|range| range.start >= top).or(found.first()),
    };
    let Some(range) = next.cloned() else {
        let words = match source_with(state) {
            Some(source) => {
                let (needle, key) = (&state.needle, label(Command::Sources));
                format!("“{needle}” is not in the answer, but in source [{}] ({key} lists them)", source + 1)
            }
            None => format!("“{}” is in neither the answer nor the sources", state.needle),
        };
        return report(state, &words, true);
    };
    state.matched = Some(range.start);
    let under = state.review().map(|review| review.overlapping(&range)).unwrap_or_default();
    let shortest = under
        .into_iter()
        .min_by_key(|&span| shown_range(state, span).map_or(usize::MAX, |range| range.len()));
    if let Some(span) =
        shortest.filter(|_| state.review().is_some_and(|review| review.response.answer.is_some()))
    {
        select(state, span);
    }
    let row = layout.page.row_of(range.start);
    let height = usize::from(layout.answer.height.max(1));
    let top = if (layout.top..layout.top + height).contains(&row) {
        layout.top
    } else {
        row.saturating_sub(height / 4)
    };
    show_row(state, layout, top);
    let number = found.iter().position(|other| *other == range).unwrap_or_default() + 1;
    report(state, &format!("match {number} of {} for “{}”", found.len(), state.needle.clone()), false);
    changed(state);
}

/// The first source whose title or text matches.
fn source_with(state: &State) -> Option<usize> {
    let found = |text: &str| !matches(text, &state.needle, 0..text.len()).is_empty();
    let sources = &state.review()?.response.sources;
    sources
        .iter()
        .position(|source| found(source.name()) || source.chunks.iter().any(|chunk| found(&chunk.text)))
}
