//! Selecting claims of the answer, and sentences without one: one after the other, by finding, by filter, by
//! number.

use super::super::answer::{selected_range, shown_range};
use super::super::keymap::{Command, label};
use super::super::layout::Layout;
use super::super::panes::places;
use super::super::standing::{Standing, of_span, sentences};
use super::super::state::{Cursor, Filter, Pane, State};
use super::cursor::{changed, report};
use crate::check::Severity;
use crate::text::{counted, form};

/// What the selection can stand on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stop {
    Span(usize),
    Sentence(usize),
}

/// Selects a span; it is in view from then on.
pub fn select(state: &mut State, span: usize) {
    stand(state, Stop::Span(span));
}

/// Selects a sentence that cites nothing.
pub(super) fn select_sentence(state: &mut State, sentence: usize) {
    stand(state, Stop::Sentence(sentence));
}

fn stand(state: &mut State, stop: Stop) {
    match stop {
        Stop::Span(span) => (state.span, state.sentence) = (span, None),
        Stop::Sentence(sentence) => state.sentence = Some(sentence),
    }
    if let Some(cursor) = state.cursors.first_mut() {
        cursor.moved = false;
    }
    follow(state);
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
    let last = layout.page.len().saturating_sub(usize::from(layout.answer.height));
    scroll_to(state, layout, layout.top.saturating_add_signed(by).min(last));
}

/// Scrolls the answer so that it begins with a row.
pub(super) fn scroll_to(state: &mut State, layout: &Layout, row: usize) {
    show_row(state, layout, row);
    select_in_view(state, layout);
}

/// Shows the answer from a row on.
pub(super) fn show_row(state: &mut State, layout: &Layout, row: usize) {
    if let Some(cursor) = state.cursors.first_mut() {
        cursor.top = layout.page.row(row).map_or(0, |bytes| bytes.start);
        cursor.moved = true;
    }
}

/// After the answer was scrolled: a selection that left the view passes to the first stop that is in it, so
/// that what is copied is seen.
fn select_in_view(state: &mut State, layout: &Layout) {
    let top = layout.page.row_of(state.cursor(Pane::Answer).top);
    let shown = top..top + usize::from(layout.answer.height.max(1));
    let seen = |range: &std::ops::Range<usize>| {
        let last = range.end.saturating_sub(1).max(range.start);
        layout.page.row_of(range.start) < shown.end && layout.page.row_of(last) >= shown.start
    };
    if selected_range(state).is_some_and(|range| seen(&range)) {
        return;
    }
    let Some(from) = layout.page.row(top).map(|row| row.start) else { return };
    let before = from.checked_sub(1);
    let Some(stop) = next_from(state, before.map_or((0, 0), |before| (before, usize::MAX))) else { return };
    if range_of(state, stop).is_some_and(|range| seen(&range)) {
        stand(state, stop);
        if let Some(cursor) = state.cursors.first_mut() {
            cursor.moved = true;
        }
    }
}

fn range_of(state: &State, stop: Stop) -> Option<std::ops::Range<usize>> {
    match stop {
        Stop::Span(span) => shown_range(state, span),
        Stop::Sentence(sentence) => sentences(state).get(sentence).cloned(),
    }
}

/// How many sentences without a source are walked.
fn walked_sentences(state: &State) -> usize {
    if matches!(state.filter, Filter::All | Filter::Uncited) { sentences(state).len() } else { 0 }
}

/// The place of a stop in the order of the walk: where it begins, spans before sentences, then its number.
fn key(state: &State, stop: Stop) -> (usize, usize) {
    let start = range_of(state, stop).map_or(usize::MAX, |range| range.start);
    match stop {
        Stop::Span(span) => (start, span),
        Stop::Sentence(_) => (start, usize::MAX),
    }
}

/// The first stop behind a place of the walk.
fn next_from(state: &State, place: (usize, usize)) -> Option<Stop> {
    let count = state.review()?.spans.len();
    let first = partition(count, |span| key(state, Stop::Span(span)) <= place);
    let span = (first..count).find(|&span| state.walks(span)).map(Stop::Span);
    let next = partition(walked_sentences(state), |index| key(state, Stop::Sentence(index)) <= place);
    let sentence = (next < walked_sentences(state)).then_some(Stop::Sentence(next));
    [span, sentence].into_iter().flatten().min_by_key(|&stop| key(state, stop))
}

/// The last stop before a place of the walk.
fn last_before(state: &State, place: (usize, usize)) -> Option<Stop> {
    let count = state.review()?.spans.len();
    let end = partition(count, |span| key(state, Stop::Span(span)) < place);
    let span = (0..end).rev().find(|&span| state.walks(span)).map(Stop::Span);
    let end = partition(walked_sentences(state), |index| key(state, Stop::Sentence(index)) < place);
    let sentence = end.checked_sub(1).map(Stop::Sentence);
    [span, sentence].into_iter().flatten().max_by_key(|&stop| key(state, stop))
}

/// The first of so many for which something does not hold.
fn partition(count: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low.midpoint(high);
        if holds(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

fn selected(state: &State) -> Stop {
    state.sentence.map_or(Stop::Span(state.span), Stop::Sentence)
}

pub(super) fn walk(state: &mut State, forward: bool) {
    let claims = state.review().map_or(0, |review| review.spans.len());
    // Of an answer without claims nothing is selected at first.
    if claims == 0 && state.sentence.is_none() && walked_sentences(state) > 0 {
        return select_walked(state, forward);
    }
    let place = key(state, selected(state));
    let found = if forward { next_from(state, place) } else { last_before(state, place) };
    if let Some(stop) = found {
        return stand(state, stop);
    }
    let count = state.review().map_or(0, |review| review.spans.len() + walked_sentences(state));
    let words = match (count, forward) {
        (0, _) => "this response has no claims",
        (_, true) if claims == 0 => "the last sentence",
        (_, false) if claims == 0 => "the first sentence",
        (_, true) => "the last claim",
        (_, false) => "the first claim",
    };
    report(state, words, false);
}

pub(super) fn select_walked(state: &mut State, first: bool) {
    let found = if first {
        let count = state.review().map_or(0, |review| review.spans.len());
        let begins = |stop: &Stop| key(state, *stop);
        let span = (0..count).find(|&span| state.walks(span)).map(Stop::Span);
        let sentence = (walked_sentences(state) > 0).then_some(Stop::Sentence(0));
        [span, sentence].into_iter().flatten().min_by_key(begins)
    } else {
        last_before(state, (usize::MAX, usize::MAX))
    };
    if let Some(stop) = found {
        stand(state, stop);
    }
}

pub(super) fn set_filter(state: &mut State, filter: Filter) {
    state.overlays.pop();
    let before = std::mem::replace(&mut state.filter, filter);
    let count = state.review().map_or(0, |review| review.spans.len());
    let none = !(0..count).any(|span| state.walks(span)) && walked_sentences(state) == 0;
    if none {
        state.filter = before;
        let findings = state.findings().len();
        let words = match filter {
            Filter::Findings if findings > 0 => format!(
                "no claim has a finding: {} {} of the whole response ({})",
                counted(findings, "finding"),
                form(findings, "speaks", "speak"),
                label(Command::Pane(Pane::Findings))
            ),
            _ => format!("nothing of this kind: {}", filter.words()),
        };
        return report(state, &words, true);
    }
    let kept = match selected(state) {
        Stop::Span(span) => state.walks(span),
        Stop::Sentence(_) => walked_sentences(state) > 0,
    };
    if !kept {
        select_walked(state, true);
    }
    changed(state);
}

pub(super) fn next_finding(state: &mut State) {
    let count = state.review().map_or(0, |review| review.spans.len());
    let has = |span: usize| {
        let Some(review) = state.review() else { return false };
        let found = |&support: &usize| state.worst_of(support).is_some_and(|worst| worst < Severity::Note);
        review.supports_of(span).iter().any(found) || of_span(review, span, state.compare) <= Standing::Doubt
    };
    let found = (1..=count).map(|step| (state.span + step) % count.max(1)).find(|&span| has(span));
    if let Some(span) = found {
        let again = span == state.span && state.sentence.is_none();
        select(state, span);
        if again {
            report(state, "the only claim with a fault", false);
        }
        return;
    }
    let words =
        format!("no claim has a fault; {} lists what was noted", label(Command::Pane(Pane::Findings)));
    report(state, &words, false);
}

pub(super) fn go_to(state: &mut State, typed: &str, entry: usize) {
    let count = state.review().map_or(0, |review| review.response.supports.len());
    let places = places(state, typed);
    match (places.get(entry.min(places.len().saturating_sub(1))), count) {
        (Some(&(.., span)), _) => select(state, span),
        (None, 0) => report(state, "this response has no supports", true),
        (None, _) => report(state, &format!("there are supports 1 to {count}"), true),
    }
}
