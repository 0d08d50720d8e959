//! Showing another response.

use super::super::state::{Cursor, Filter, Pane, State};
use super::cursor::{changed, report};

/// Shows the response of a row from its beginning.
pub fn show(state: &mut State, row: usize) {
    let Some(record) = state.rows.get(row).map(|row| row.record) else { return };
    let same = state.rows.get(state.row).is_some_and(|row| row.record == record);
    let item = state.rows.get(row).map_or(0, |row| row.item);
    if !same || state.record.is_err() {
        let result = state.session.decode(record);
        state.row = row;
        state.learn(record, &result);
        state.record = result;
    }
    // Decoding may have added rows: the row is found again by what it stands for.
    state.row = state.rows.iter().position(|row| row.record == record && row.item == item).unwrap_or(row);
    state.span = 0;
    state.compare_small();
    state.filter = Filter::All;
    state.cursors = [Cursor::default(); Pane::COUNT];
    state.matched = None;
    changed(state);
}

pub(super) fn other_response(state: &mut State, next: bool) {
    let target = if next { state.row + 1 } else { state.row.wrapping_sub(1) };
    if target < state.rows.len() {
        show(state, target);
        let count = state.rows.len();
        report(state, &format!("response {} of {count}", state.row + 1), false);
    } else {
        report(state, if next { "the last response" } else { "the first response" }, false);
    }
}
