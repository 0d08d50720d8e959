//! Selecting spans of the answer: one after the other, by finding, by filter, by number.

use super::super::answer::shown_range;
use super::super::layout::Layout;
use super::super::panes;
use super::super::state::{Cursor, Filter, Pane, State};
use super::cursor::{changed, report, set_pane_cursor};

/// Selects a span and brings it into view.
pub fn select(state: &mut State, layout: &Layout, span: usize) {
    state.span = span;
    for pane in [Pane::Sources, Pane::Findings] {
        set_pane_cursor(state, pane, Cursor::default());
    }
    aim(state, layout, Pane::Queries);
    aim(state, layout, Pane::Trace);
    if let Some(range) = shown_range(state, span) {
        reveal(
            state,
            layout,
            layout.rows.row_of(range.start),
            layout.rows.row_of(range.end.saturating_sub(1).max(range.start)),
        );
    }
    changed(state);
}

/// Puts the cursor of a pane on the first entry that belongs to the selected span.
fn aim(state: &mut State, layout: &Layout, pane: Pane) {
    let mine = state.review().map(|review| panes::of_selection(state, review)).unwrap_or_default();
    let queries = state.review().map_or(&[][..], |review| &review.response.queries);
    let entry = match pane {
        Pane::Queries => {
            queries.iter().position(|query| query.trace.is_some_and(|trace| mine.contains(&trace)))
        }
        _ => mine.first().copied(),
    };
    let entry = entry.unwrap_or_default();
    let top = layout.pane(pane).and_then(|place| {
        let line = place.doc.line_of(entry)?;
        let end = place.doc.line_of(entry + 1).unwrap_or(place.doc.lines.len());
        Some(if end <= usize::from(place.body.height) { 0 } else { line })
    });
    set_pane_cursor(state, pane, Cursor { entry, top: top.unwrap_or_default() });
}

/// Scrolls the answer so that rows are in view, the first one in any case.
pub(super) fn reveal(state: &mut State, layout: &Layout, first: usize, last: usize) {
    let height = usize::from(layout.answer.height.max(1));
    let Some(cursor) = state.cursors.first_mut() else { return };
    if first < cursor.top || first >= cursor.top + height {
        cursor.top = first.saturating_sub(height / 4);
    } else if last >= cursor.top + height {
        cursor.top = (last + 1).saturating_sub(height).min(first);
    }
}

pub(super) fn walk(state: &mut State, layout: &Layout, by: isize) {
    let count = state.review().map_or(0, |review| review.spans.len());
    let mut at = state.span;
    loop {
        let next = at.checked_add_signed(by).filter(|&next| next < count);
        let Some(next) = next else {
            let words = match (count, by > 0) {
                (0, _) => "this response has no spans",
                (_, true) => "the last span",
                (_, false) => "the first span",
            };
            return report(state, words, false);
        };
        at = next;
        if state.walks(at) {
            return select(state, layout, at);
        }
    }
}

pub(super) fn select_walked(state: &mut State, layout: &Layout, first: bool) {
    let count = state.review().map_or(0, |review| review.spans.len());
    let found = if first {
        (0..count).find(|&span| state.walks(span))
    } else {
        (0..count).rev().find(|&span| state.walks(span))
    };
    if let Some(span) = found {
        select(state, layout, span);
    }
}

pub(super) fn set_filter(state: &mut State, filter: Filter) {
    state.overlays.pop();
    state.filter = filter;
    let count = state.review().map_or(0, |review| review.spans.len());
    let walked: Vec<usize> = (0..count).filter(|&span| state.walks(span)).collect();
    if walked.is_empty() {
        state.filter = Filter::All;
        report(state, &format!("no span to show: {}", filter.words()), true);
    } else if !walked.contains(&state.span) {
        state.span = walked.first().copied().unwrap_or_default();
    }
    changed(state);
}

pub(super) fn next_finding(state: &mut State, layout: &Layout) {
    let count = state.review().map_or(0, |review| review.spans.len());
    let has = |span: usize| {
        let supports = state.review().map_or(&[][..], |review| review.supports_of(span));
        supports.iter().any(|&support| state.worst_of(support).is_some())
    };
    let found = (1..=count).map(|step| (state.span + step) % count.max(1)).find(|&span| has(span));
    match found {
        Some(span) => select(state, layout, span),
        None => report(state, "no span has a finding", false),
    }
}

pub(super) fn go_to(state: &mut State, layout: &Layout, typed: &str) {
    let count = state.review().map_or(0, |review| review.spans.len());
    match typed.parse::<usize>() {
        Ok(number) if (1..=count).contains(&number) => select(state, layout, number - 1),
        _ => report(state, &format!("there are spans 1 to {count}"), true),
    }
}
