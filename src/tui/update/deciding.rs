//! What a person decides of a claim: right, wrong, unsure, and why.

use super::super::answer::{is_marked, selected_range};
use super::super::keymap::{Command, label};
use super::super::state::{Cursor, Prompt, State, Typing, Want};
use super::cursor::{changed, report};
use crate::session::{Decision, Marks};

/// Marks what is selected; the same again takes the mark away.
pub(super) fn decide(state: &mut State, decision: Decision) {
    let supports = state.selected().to_vec();
    let found = selected_range(state).and_then(|range| Some((range, state.review()?.clone())));
    let Some((range, review)) = found.filter(|(_, review)| review.response.answer.is_some()) else {
        return report(state, "nothing with a place in the answer is selected", true);
    };
    let before = state.mark_of(&range).cloned();
    let file = review.file().to_owned();
    let marks = match state.marks.entry(file.clone()).or_insert_with(|| Marks::of(&file)) {
        Ok(marks) => marks,
        Err(why) => {
            let why = format!("not marked: {why}");
            return report(state, &why, true);
        }
    };
    marks.signed(&state.who);
    let now = marks.set(&review, &range, &supports, decision);
    let noted =
        now == before.as_ref().map(|mark| mark.label) && before.is_some_and(|mark| !mark.note.is_empty());
    let words = match now {
        Some(_) if noted => format!("it has a note: empty that first ({})", label(Command::Note)),
        Some(decision) => {
            let beside = Marks::path_of(&file);
            let beside = beside.file_name().unwrap_or_default().to_string_lossy();
            format!("marked {} · {} adds a note · in {beside}", decision.word(), label(Command::Note))
        }
        None => "no mark any more".to_owned(),
    };
    state.wants.push(Want::SaveMarks(file));
    if state.table.asks_decisions() {
        state.table.touch();
    }
    report(state, &words, false);
    changed(state);
}

/// Asks for a note on what is selected.
pub(super) fn ask_note(state: &mut State) {
    if selected_range(state).is_none() {
        return report(state, "nothing with a place in the answer is selected", true);
    }
    // Why it cannot be kept is told before it is typed.
    let file = state.review().map(|review| review.file().to_owned()).unwrap_or_default();
    if let Err(why) = state.marks.entry(file.clone()).or_insert_with(|| Marks::of(&file)) {
        let why = format!("not marked: {why}");
        return report(state, &why, true);
    }
    let note = selected_range(state).and_then(|range| state.mark_of(&range)).map(|mark| mark.note.clone());
    let text = note.unwrap_or_default();
    state.typing = Some(Typing { prompt: Prompt::Note, text, cursor: Cursor::default() });
    changed(state);
}

/// Puts a note on the mark of what is selected; what has none is marked unsure by it.
pub(super) fn take_note(state: &mut State, note: &str) {
    if !is_marked(state) {
        if note.trim().is_empty() {
            return;
        }
        decide(state, Decision::Unsure);
    }
    let found = selected_range(state).and_then(|range| Some((range, state.review()?.clone())));
    let Some((range, review)) = found else { return };
    let file = review.file().to_owned();
    let marks = state.marks.get_mut(&file).and_then(|marks| marks.as_mut().ok());
    if marks.is_some_and(|marks| marks.note(&review, &range, note)) {
        state.wants.push(Want::SaveMarks(file));
        report(state, "noted", false);
    }
}
