//! Showing another response; the list of all.

use std::sync::Arc;

use super::super::state::{Cursor, Filter, Overlay, Pane, State, Want};
use super::super::strength::strengths;
use super::super::table::{Phase, Row};
use super::cursor::{changed, push, report, set_cursor};
use crate::review::Review;
use crate::session::RowKind;

/// Shows the response of a row from its beginning.
pub fn show(state: &mut State, row: usize) {
    let Some(Row { record, item, .. }) = state.table.get(row) else { return };
    let same = state.table.get(state.row).is_some_and(|row| row.record == record);
    if !same || state.record.is_err() {
        let result = state.session.decode(record as usize);
        state.row = row;
        state.learn(record as usize, &result);
        state.record = result;
    }
    // Decoding may have added rows: the row is found again by what it stands for.
    state.row = state.table.find(record, item).unwrap_or(row);
    state.span = 0;
    state.sentence = None;
    state.compare_small();
    state.read_marks();
    state.filter = Filter::All;
    state.cursors = [Cursor::default(); Pane::COUNT];
    (state.found, state.at) = (Vec::new(), None);
    changed(state);
}

/// The response behind or before this one, among those that the list shows.
pub(super) fn other_response(state: &mut State, next: bool) {
    let count = state.table.shown();
    // A question is shown above its answer: it is passed over, unless one asks for questions. Where the
    // filter has left out what is shown, the list begins anew.
    let here = state.table.place_of(state.row);
    let row_at = |place: usize| Some((place, state.table.at(place)?));
    let questions = state.table.asks_questions();
    let answers = |(_, row): &(usize, usize)| {
        state.table.get(*row).is_some_and(|row| questions || row.kind() != Some(RowKind::Question))
    };
    let target = if next {
        (here.map_or(0, |here| here + 1)..count).filter_map(row_at).find(answers)
    } else {
        (0..here.unwrap_or_default()).rev().filter_map(row_at).find(answers)
    };
    let Some((place, row)) = target else {
        let among = if state.table.is_narrowed() { " that the filter lets pass" } else { "" };
        let which = if next { "last" } else { "first" };
        return report(state, &format!("the {which} response{among}"), false);
    };
    show(state, row);
    let among = if state.table.is_narrowed() { ", filtered" } else { "" };
    report(state, &format!("response {} of {count}{among}", place + 1), false);
}

/// Opens the list at the response that is shown.
pub fn open_list(state: &mut State) {
    push(state, Overlay::Responses);
    let entry = state.table.place_of(state.row).unwrap_or_default();
    set_cursor(state, Cursor { entry, top: entry.saturating_sub(5), moved: true });
}

/// The next response with a fault, or the one before: shown, or in the list only gone to.
pub(super) fn next_fault(state: &mut State, forward: bool) {
    let in_list = state.overlay() == Some(&Overlay::Responses);
    let from = if in_list { list_row(state) } else { Some(state.row) };
    let found = from.and_then(|row| state.table.next_fault(row, forward));
    let Some(row) = found else {
        let more = if state.table.is_live() { " so far" } else { "" };
        let way = if forward { "behind" } else { "before" };
        return report(state, &format!("no response with a fault {way} this one{more}"), false);
    };
    if in_list {
        let entry = state.table.place_of(row).unwrap_or_default();
        set_cursor(state, Cursor { entry, top: entry.saturating_sub(5), moved: true });
        return changed(state);
    }
    state.overlays.clear();
    show(state, row);
    let (number, count) = (state.table.place_of(state.row).unwrap_or_default() + 1, state.table.shown());
    report(state, &format!("response {number} of {count}"), false);
}

/// The row at the cursor of the list.
pub(super) fn list_row(state: &State) -> Option<usize> {
    let (Overlay::Responses, cursor) = state.overlays.last()? else { return None };
    state.table.at(cursor.entry)
}

/// Takes what was typed into the filter of the list.
pub(super) fn set_list_filter(state: &mut State, typed: String) {
    if let Some(search) = state.table.set_filter(typed) {
        state.wants.push(Want::Find(search));
    }
    state.read_all_marks();
    state.refresh();
    // What passes is shown from its beginning.
    if state.overlay() == Some(&Overlay::Responses) {
        set_cursor(state, Cursor { moved: true, ..Cursor::default() });
    }
    changed(state);
}

/// The worst first, or as they came.
pub(super) fn sort_list(state: &mut State) {
    if state.overlay() == Some(&Overlay::Sources) {
        return sort_sources(state);
    }
    state.table.worst_first = !state.table.worst_first;
    state.table.touch();
    state.refresh();
    if state.overlay() == Some(&Overlay::Responses) {
        set_cursor(state, Cursor { moved: true, ..Cursor::default() });
    }
    let words = if state.table.worst_first { "the worst first" } else { "as they came" };
    report(state, words, false);
}

/// Puts the sources that back their claims least first, or as they were sent.
fn sort_sources(state: &mut State) {
    let known =
        |review: &Arc<Review>| strengths(review, state.compare).iter().any(|best| !best.words().is_empty());
    if !state.weakest_first && !state.review().is_some_and(known) {
        return report(state, "no source has a score, and no text to compare with", false);
    }
    state.weakest_first = !state.weakest_first;
    set_cursor(state, Cursor { moved: true, ..Cursor::default() });
    let words = if state.weakest_first { "the weakest first" } else { "as they were sent" };
    report(state, words, false);
    changed(state);
}

/// Shows the pieces of streams in the list, or folds them.
pub(super) fn pieces(state: &mut State) {
    state.table.unfolded = !state.table.unfolded;
    state.table.touch();
    state.refresh();
    let words =
        if state.table.unfolded { "pieces of streams are listed" } else { "pieces of streams are folded" };
    report(state, words, false);
}

/// Marks the row at the cursor of the list, else the response that is shown.
pub(super) fn mark(state: &mut State) {
    let row = list_row(state).unwrap_or(state.row);
    state.table.mark(row);
    state.refresh();
}

/// Stops the check in the background, or lets it go on.
pub(super) fn pause(state: &mut State) {
    if state.table.phase == Phase::Done {
        return report(state, "all responses are checked", false);
    }
    state.paused = !state.paused;
    state.wants.push(Want::Pause(state.paused));
    let words = if state.paused { "the check is stopped" } else { "the check goes on" };
    report(state, words, false);
    changed(state);
}
