//! Keys: what is typed into prompts, the letters of menus, and the commands of the one table.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::super::copy_target::CopyTarget;
use super::super::keymap::{self, Command};
use super::super::layout::Layout;
use super::super::pane::Columns;
use super::super::panes::{choices, filters};
use super::super::state::{Cursor, Overlay, Pane, Prompt, State, Typing, Want};
use super::acting::{ask_text, attach, edit, pipe, repair, write};
use super::cursor::{ask, back, changed, focus, focus_by, here, jump, note_place, page, push, report, step};
use super::deciding::{ask_note, decide, take_note};
use super::inspect::{better, browse, copy, open, raw, readings};
use super::responses::{
    list_row, mark, next_fault, open_list, other_response, pause, set_list_filter, show, sort_list,
};
use super::search::{self, next_match};
use super::spans::{
    go_to, next_finding, page_answer, select, select_sentence, select_walked, set_filter, walk,
};
use crate::session::Decision;

/// Takes a key.
pub(super) fn on_key(state: &mut State, layout: &Layout, key: KeyEvent) {
    if typing(state, layout, key) || filtering(state, key) {
        return;
    }
    if menu_key(state, key) {
        return;
    }
    if let Some(binding) = keymap::binding(key).filter(|binding| (binding.applies)(state)) {
        run(state, layout, binding.command);
    }
}

/// What is asked takes characters before the key table does.
fn typing(state: &mut State, layout: &Layout, key: KeyEvent) -> bool {
    let Some(typing) = &mut state.typing else { return false };
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Char('u') if control => typing.text.clear(),
        KeyCode::Char('c') if control => return false,
        KeyCode::Char(c) if !control => typing.text.push(c),
        KeyCode::Backspace => {
            typing.text.pop();
        }
        KeyCode::Down | KeyCode::Up | KeyCode::Tab => {
            if matches!(typing.prompt, Prompt::Search) {
                next_match(state, layout, key.code != KeyCode::Up);
            } else {
                let entry = &mut typing.cursor.entry;
                *entry = if key.code == KeyCode::Up { entry.saturating_sub(1) } else { *entry + 1 };
            }
            changed(state);
            return true;
        }
        KeyCode::Enter => {
            if let Some(typing) = state.typing.take() {
                entered(state, layout, typing);
            }
            changed(state);
            return true;
        }
        KeyCode::Esc => {
            if state.typing.take().is_some_and(|typing| matches!(typing.prompt, Prompt::Search)) {
                search::cancel(state);
            }
            changed(state);
            return true;
        }
        _ => return true,
    }
    typing.cursor = Cursor::default();
    if matches!(typing.prompt, Prompt::Search) {
        search::typed(state, layout);
    }
    changed(state);
    true
}

/// Does what was asked for.
fn entered(state: &mut State, layout: &Layout, typing: Typing) {
    match typing.prompt {
        Prompt::Search => search::accept(state, layout),
        Prompt::Palette if !typing.text.is_empty() && typing.text.chars().all(|c| c.is_ascii_digit()) => {
            note_place(state);
            go_to(state, &typing.text);
        }
        Prompt::Palette => {
            let choices = choices(state, &typing.text);
            match choices.get(typing.cursor.entry.min(choices.len().saturating_sub(1))) {
                Some(binding) => run(state, layout, binding.command),
                None => report(state, "no command has these words", true),
            }
        }
        Prompt::Pipe => pipe(state, typing.text),
        Prompt::Attach(source) => attach(state, source, typing.text),
        Prompt::Note => take_note(state, &typing.text),
        Prompt::Write(target) => write(state, target, typing.text),
    }
}

/// The filter of the list takes characters while it is typed; other keys move in the list.
fn filtering(state: &mut State, key: KeyEvent) -> bool {
    if !state.table.typing || state.overlay() != Some(&Overlay::Responses) {
        return false;
    }
    let mut typed = state.table.filter.clone();
    match key.code {
        KeyCode::Char('u') if key.modifiers.contains(KeyModifiers::CONTROL) => typed.clear(),
        KeyCode::Char(c) if !key.modifiers.contains(KeyModifiers::CONTROL) => typed.push(c),
        KeyCode::Backspace => {
            typed.pop();
        }
        KeyCode::Enter => {
            state.table.typing = false;
            changed(state);
            return true;
        }
        KeyCode::Esc => {
            state.table.typing = false;
            typed.clear();
        }
        _ => return false,
    }
    set_list_filter(state, typed);
    true
}

/// Letters of the menus.
fn menu_key(state: &mut State, key: KeyEvent) -> bool {
    let KeyCode::Char(letter) = key.code else { return false };
    match state.overlay() {
        Some(Overlay::Copy) => match CopyTarget::all().into_iter().find(|target| target.key() == letter) {
            Some(target) => copy(state, target),
            None => return false,
        },
        Some(Overlay::Write) => match crate::export::menu().iter().position(|(_, row)| row.key == letter) {
            Some(row) => super::acting::choose(state, row),
            None => return false,
        },
        Some(Overlay::Filter) => match filters(state).into_iter().find(|(key, ..)| *key == letter) {
            Some((_, filter, _)) => set_filter(state, filter),
            None => return false,
        },
        _ => return false,
    }
    true
}

/// What is copied or shown from the list of responses is that of the row at its cursor.
fn leave_list(state: &mut State, command: Command) {
    if let (Some(row), Command::Copy | Command::Raw) = (list_row(state), command) {
        state.overlays.clear();
        show(state, row);
    }
}

pub(super) fn run(state: &mut State, layout: &Layout, command: Command) {
    leave_list(state, command);
    let in_answer = state.overlays.is_empty() && state.focus == Pane::Answer;
    match command {
        // What lies over the screen is closed first; the list is where one comes from.
        Command::Quit if !matches!(state.overlay(), None | Some(Overlay::Responses)) => back(state),
        Command::Quit => state.wants.push(Want::Quit),
        Command::Repair => repair(state),
        Command::RepairInPlace => state.wants.push(Want::Repair(true)),
        Command::Right => decide(state, Decision::Right),
        Command::Wrong => decide(state, Decision::Wrong),
        Command::Unsure => decide(state, Decision::Unsure),
        Command::Note => ask_note(state),
        Command::Matrix => push(state, Overlay::Matrix),
        Command::Attach => ask_text(state),
        Command::Edit => edit(state),
        Command::Pipe => ask(state, Prompt::Pipe),
        Command::Write => push(state, Overlay::Write),
        Command::Reload => state.wants.push(Want::Reload),
        Command::Suspend => state.wants.push(Want::Suspend),
        Command::Back => back(state),
        Command::Open => open(state, layout),
        Command::Down | Command::Up if in_answer => {
            walk(state, command == Command::Down);
        }
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
        Command::Help => push(state, Overlay::Help),
        Command::Copy => push(state, Overlay::Copy),
        Command::Browse => browse(state, layout),
        Command::Raw => raw(state),
        Command::Compare => {
            state.compare = !state.compare;
            let words =
                if state.compare { "wording of claim and chunks compared" } else { "comparison hidden" };
            report(state, words, false);
            changed(state);
        }
        Command::Source => {
            state.as_sent = !state.as_sent;
            report(
                state,
                if state.as_sent { "the answer as it was sent" } else { "the answer as Markdown" },
                false,
            );
        }
        Command::Zoom => {
            state.zoomed = !state.zoomed;
            changed(state);
        }
        Command::Widen | Command::Narrow => divide(state, layout, command == Command::Widen),
        Command::Better => better(state),
        Command::Readings => readings(state),
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
        Command::NextClaim => walk(state, true),
        Command::PreviousClaim => walk(state, false),
        Command::NextPane => focus_by(state, 1),
        Command::PreviousPane => focus_by(state, Pane::ALL.len() - 1),
        Command::Pane(pane) => focus(state, pane),
        Command::Responses => open_list(state),
        Command::NextFault | Command::PreviousFault => next_fault(state, command == Command::NextFault),
        Command::Summary => push(state, Overlay::Summary),
        Command::WorstFirst => sort_list(state),
        Command::Mark => mark(state),
        Command::Pause => pause(state),
        Command::Sources => push(state, Overlay::Sources),
        Command::NextResponse | Command::PreviousResponse => {
            note_place(state);
            other_response(state, command == Command::NextResponse);
        }
        Command::NextFinding => {
            note_place(state);
            next_finding(state);
        }
        Command::Filter => push(state, Overlay::Filter),
        Command::Search if state.overlay() == Some(&Overlay::Responses) => {
            state.table.typing = true;
            changed(state);
        }
        Command::Search => search::begin(state),
        Command::Palette => ask(state, Prompt::Palette),
        Command::WayBack | Command::WayOn => travel(state, command == Command::WayBack),
        Command::NextMatch | Command::PreviousMatch => {
            next_match(state, layout, command == Command::NextMatch);
        }
    }
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
