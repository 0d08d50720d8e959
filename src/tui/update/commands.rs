//! What each command of the table does.

use super::super::keymap::Command;
use super::super::layout::Layout;
use super::super::pane::Columns;
use super::super::panes::matrix_columns;
use super::super::state::{Overlay, Pane, Prompt, State, Want};
use super::super::theme::Builtin;
use super::acting::{ask_text, edit, repair};
use super::cursor::{ask, back, changed, focus, focus_by, here, jump, note_place, page, push, report, step};
use super::deciding::{ask_note, decide};
use super::inspect::{better, browse, open, raw, readings};
use super::responses::{
    list_row, mark, next_fault, open_list, other_response, pause, pieces, set_list_filter, show, sort_list,
};
use super::search::{self, next_match};
use super::spans::{next_finding, page_answer, select, select_sentence, select_walked, walk};
use crate::session::Decision;

/// What is copied or shown from the list of responses is that of the row at its cursor.
fn leave_list(state: &mut State, command: Command) {
    if let (Some(row), Command::Copy | Command::Raw) = (list_row(state), command) {
        state.overlays.clear();
        show(state, row);
    }
}

/// Does what a command asks for.
pub fn run(state: &mut State, layout: &Layout, command: Command) {
    leave_list(state, command);
    let taken = moves(state, layout, command)
        || walks(state, command)
        || looks(state, layout, command)
        || acts(state, command)
        || of_program(state, command);
    debug_assert!(taken, "{command:?} does nothing");
}

/// Moving in what has the keys.
fn moves(state: &mut State, layout: &Layout, command: Command) -> bool {
    let in_answer = state.overlays.is_empty() && state.focus == Pane::Answer;
    match command {
        Command::Down | Command::Up if in_answer => walk(state, command == Command::Down),
        Command::Down | Command::Up => step(state, layout, command == Command::Down),
        Command::PageDown | Command::PageUp if in_answer => {
            page_answer(state, layout, command == Command::PageDown);
        }
        Command::PageDown | Command::PageUp => page(state, layout, command == Command::PageDown),
        Command::FirstClaim | Command::LastClaim if in_answer => {
            note_place(state);
            select_walked(state, command == Command::FirstClaim);
        }
        Command::FirstClaim | Command::LastClaim => jump(state, layout, command == Command::LastClaim),
        Command::NextClaim | Command::PreviousClaim if state.overlay() == Some(&Overlay::Matrix) => {
            other_sources(state, layout, command == Command::NextClaim);
        }
        Command::NextPane => focus_by(state, 1),
        Command::PreviousPane => focus_by(state, Pane::ALL.len() - 1),
        Command::Pane(pane) => focus(state, pane),
        Command::Zoom => {
            state.zoomed = !state.zoomed;
            changed(state);
        }
        Command::Widen | Command::Narrow => divide(state, layout, command == Command::Widen),
        _ => return false,
    }
    true
}

/// Shows the sources behind those of the matrix, or before them.
fn other_sources(state: &mut State, layout: &Layout, next: bool) {
    let Some(width) = layout.overlay.as_ref().map(|place| usize::from(place.body.width)) else { return };
    let sources = state.review().map_or(0, |review| review.response.sources.len());
    let shown = matrix_columns(state, width);
    if shown.len() == sources {
        return report(state, "all sources have a column", false);
    }
    let by = shown.len().div_ceil(2);
    let first = if next { shown.start + by } else { shown.start.saturating_sub(by) };
    state.matrix_from = Some(first.min(sources - shown.len()));
    changed(state);
}

/// Going to a claim, or to another response.
fn walks(state: &mut State, command: Command) -> bool {
    match command {
        Command::NextClaim | Command::PreviousClaim => {
            let over_raw = matches!(state.overlay(), Some(Overlay::Raw(_)));
            if over_raw {
                state.overlays.pop();
            }
            walk(state, command == Command::NextClaim);
            if over_raw {
                raw(state);
            }
        }
        Command::NextFinding => {
            note_place(state);
            next_finding(state);
        }
        Command::Responses => open_list(state),
        Command::NextFault | Command::PreviousFault => next_fault(state, command == Command::NextFault),
        Command::WorstFirst => sort_list(state),
        Command::Pieces => pieces(state),
        Command::Mark => mark(state),
        Command::Pause => pause(state),
        Command::NextResponse | Command::PreviousResponse => {
            note_place(state);
            other_response(state, command == Command::NextResponse);
        }
        Command::WayBack | Command::WayOn => travel(state, command == Command::WayBack),
        _ => return false,
    }
    true
}

/// Looking closer.
fn looks(state: &mut State, layout: &Layout, command: Command) -> bool {
    match command {
        Command::Open => open(state, layout),
        Command::Raw => raw(state),
        Command::Better => better(state),
        Command::Readings => readings(state),
        Command::Matrix => {
            state.matrix_from = None;
            push(state, Overlay::Matrix);
        }
        Command::Sources => push(state, Overlay::Sources),
        Command::Summary => push(state, Overlay::Summary),
        Command::Filter => push(state, Overlay::Filter),
        Command::Compare => {
            state.compare = !state.compare;
            let words =
                if state.compare { "wording of claim and chunks compared" } else { "comparison hidden" };
            report(state, words, false);
            changed(state);
        }
        Command::Source => {
            state.as_sent = !state.as_sent;
            let words = if state.as_sent { "the answer as it was sent" } else { "the answer as Markdown" };
            report(state, words, false);
        }
        Command::Search if state.overlay() == Some(&Overlay::Responses) => {
            state.table.typing = true;
            changed(state);
        }
        Command::Search => search::begin(state),
        Command::NextMatch | Command::PreviousMatch => {
            next_match(state, layout, command == Command::NextMatch);
        }
        Command::Browse => browse(state, layout),
        _ => return false,
    }
    true
}

/// Acting on what is seen.
fn acts(state: &mut State, command: Command) -> bool {
    match command {
        Command::Copy => push(state, Overlay::Copy),
        Command::Right => decide(state, Decision::Right),
        Command::Wrong => decide(state, Decision::Wrong),
        Command::Unsure => decide(state, Decision::Unsure),
        Command::Note => ask_note(state),
        Command::Repair => repair(state),
        Command::RepairInPlace => {
            state.overlays.pop();
            state.wants.push(Want::Repair(true));
            changed(state);
        }
        Command::Attach => ask_text(state),
        Command::Edit => edit(state),
        Command::Pipe => ask(state, Prompt::Pipe),
        Command::Write => push(state, Overlay::Write),
        Command::Reload => state.wants.push(Want::Reload),
        _ => return false,
    }
    true
}

/// What concerns the program itself.
fn of_program(state: &mut State, command: Command) -> bool {
    match command {
        // What lies over the screen is closed first; the list is where one comes from.
        Command::Quit if !matches!(state.overlay(), None | Some(Overlay::Responses)) => back(state),
        Command::Quit => state.wants.push(Want::Quit),
        Command::Suspend => state.wants.push(Want::Suspend),
        // The way out of a filter comes before that out of the list.
        Command::Back if state.overlay() == Some(&Overlay::Responses) && !state.table.filter.is_empty() => {
            set_list_filter(state, String::new());
            report(state, "all responses again", false);
        }
        Command::Back => back(state),
        Command::Help => push(state, Overlay::Help),
        Command::Palette => ask(state, Prompt::Palette),
        Command::Theme => next_theme(state),
        Command::Mouse => {
            state.mouse = !state.mouse;
            state.wants.push(Want::Mouse(state.mouse));
            let words = if state.mouse {
                "mouse on: click claims and sources"
            } else {
                "mouse off: the terminal selects text"
            };
            report(state, words, false);
        }
        _ => return false,
    }
    true
}

/// Another of the built-in themes, the one behind that which is shown.
fn next_theme(state: &mut State) {
    let all = Builtin::ALL;
    let shown = all.iter().position(|(builtin, _)| builtin.theme() == state.theme);
    let Some((builtin, name)) = all.get(shown.map_or(0, |at| (at + 1) % all.len())) else { return };
    state.theme = builtin.theme();
    report(state, &format!("theme {name}: theme = \"{name}\" in the configuration keeps it"), false);
}

/// Moves the divider beside the answer, or below it where it stands above the panes.
fn divide(state: &mut State, layout: &Layout, more: bool) {
    let sign = if more { 1 } else { -1 };
    let most = (layout.size.width / 2) as i16;
    if layout.columns == Columns::One {
        state.divided.1 = (state.divided.1 + sign).clamp(-most, most);
    } else {
        state.divided.0 = (state.divided.0 + 4 * sign).clamp(-most, most);
    }
}

/// Back to where one was, or on to where one came back from.
fn travel(state: &mut State, back: bool) {
    let now = here(state);
    let (from, to) = if back {
        (&mut state.trail.0, &mut state.trail.1)
    } else {
        (&mut state.trail.1, &mut state.trail.0)
    };
    let Some(place) = from.pop() else {
        return report(state, if back { "nowhere to go back to" } else { "nowhere to go on to" }, false);
    };
    to.push(now);
    state.overlays.clear();
    if place.row != state.row {
        show(state, place.row);
    }
    match place.sentence {
        Some(sentence) => select_sentence(state, sentence),
        None => select(state, place.span),
    }
}
