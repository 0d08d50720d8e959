//! Selecting spans of the answer: one after the other, by finding, by filter, by number.

use super::super::answer::shown_range;
use super::super::layout::Layout;
use super::super::state::{Cursor, Filter, Pane, State};
use super::cursor::{changed, report};
use crate::review::Span;

/// Selects a span and brings it into view.
pub fn select(state: &mut State, layout: &Layout, span: usize) {
    state.span = span;
    follow(state);
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

/// The side panes stand at what belongs to the selection again.
fn follow(state: &mut State) {
    for cursor in state.cursors.iter_mut().skip(1) {
        *cursor = Cursor::default();
    }
}

/// Scrolls the answer by a page.
pub(super) fn page_answer(state: &mut State, layout: &Layout, down: bool) {
    let by = isize::from(layout.answer.height as i16).max(2) - 1;
    scroll_answer(state, layout, if down { by } else { -by });
}

pub(super) fn scroll_answer(state: &mut State, layout: &Layout, by: isize) {
    let last = layout.rows.len().saturating_sub(usize::from(layout.answer.height));
    if let Some(cursor) = state.cursors.first_mut() {
        cursor.top = cursor.top.saturating_add_signed(by).min(last);
    }
    select_in_view(state, layout);
}

/// After the answer was scrolled: a selection that left the view passes to the first span that is in it, so that
/// what is copied is seen.
fn select_in_view(state: &mut State, layout: &Layout) {
    let top = state.cursor(Pane::Answer).top;
    let shown = top..top + usize::from(layout.answer.height.max(1));
    let row = |state: &State, span: usize| {
        shown_range(state, span).map(|range| {
            let last = range.end.saturating_sub(1).max(range.start);
            (layout.rows.row_of(range.start), layout.rows.row_of(last))
        })
    };
    let seen = |state: &State, span: usize| {
        row(state, span).is_some_and(|(first, last)| first < shown.end && last >= shown.start)
    };
    if seen(state, state.span) {
        return;
    }
    let Some(from) = layout.rows.row(top).map(|row| row.start) else { return };
    let spans = state.review().map_or(&[][..], |review| &review.spans);
    let before = |span: &Span| span.range.as_ref().is_some_and(|range| range.start < from);
    let (first, count) = (spans.partition_point(before), spans.len());
    if let Some(span) = (first..count).take(64).find(|&span| state.walks(span) && seen(state, span)) {
        state.span = span;
        follow(state);
        changed(state);
    }
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
    // Supports are counted, as findings and exports count them.
    let count = state.review().map_or(0, |review| review.response.supports.len());
    let span = match typed.parse::<usize>() {
        Ok(number) if number > 0 => state.review().and_then(|review| review.span_of(number - 1)),
        _ => None,
    };
    match (span, count) {
        (Some(span), _) => select(state, layout, span),
        (None, 0) => report(state, "this response has no supports", true),
        (None, _) => report(state, &format!("there are supports 1 to {count}"), true),
    }
}
