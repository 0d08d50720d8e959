//! Keys: what is typed where something is asked, the letters of menus, and the commands of the one table.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::super::copy_target::CopyTarget;
use super::super::keymap::{self, Command};
use super::super::layout::Layout;
use super::super::panes::{choices, filters};
use super::super::state::{Cursor, Overlay, Prompt, State, Typing};
use super::acting::{attach, choose, pipe, write};
use super::commands::run;
use super::cursor::{changed, note_place, report, to_entry};
use super::deciding::take_note;
use super::inspect::copy;
use super::responses::set_list_filter;
use super::search::{self, next_match};
use super::spans::{go_to, set_filter};

/// Takes a key.
pub(super) fn on_key(state: &mut State, layout: &Layout, key: KeyEvent) {
    if typing(state, layout, key) || filtering(state, key) {
        return;
    }
    if menu_key(state, layout, key) {
        return;
    }
    match keymap::binding(key) {
        Some(binding) if (binding.applies)(state) => run(state, layout, binding.command),
        Some(binding) if state.overlays.is_empty() && !binding.otherwise.is_empty() => {
            report(state, binding.otherwise, false);
        }
        Some(_) if state.overlay() == Some(&Overlay::Responses) => {
            report(state, &format!("open a response first: {}", keymap::label(Command::Open)), false);
        }
        _ => {}
    }
}

/// Bytes that are typed key by key at most: each key looks for all of them.
const TYPED_MOST: usize = 4096;

/// What is asked takes characters before the key table does.
fn typing(state: &mut State, layout: &Layout, key: KeyEvent) -> bool {
    let Some(typing) = &mut state.typing else { return false };
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Char('u') if control => typing.text.clear(),
        KeyCode::Char('c' | 'z') if control => return false,
        // Whoever types more has pasted something else.
        KeyCode::Char(_) if !control && typing.text.len() >= TYPED_MOST => return true,
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
            go_to(state, &typing.text, typing.cursor.entry);
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
        KeyCode::Char(_) if typed.len() >= TYPED_MOST => return true,
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

/// A source by its number, in the list of all of them.
fn to_source(state: &mut State, layout: &Layout, source: usize) {
    if let Some(entry) = state.source_order().iter().position(|own| *own == source) {
        to_entry(state, layout, entry);
    }
}

/// Letters of the menus, numbers of sources.
fn menu_key(state: &mut State, layout: &Layout, key: KeyEvent) -> bool {
    let KeyCode::Char(letter) = key.code else { return false };
    match state.overlay() {
        Some(Overlay::Copy) => match CopyTarget::all().into_iter().find(|target| target.key() == letter) {
            Some(target) => copy(state, target),
            None => return false,
        },
        Some(Overlay::Write) => match crate::export::menu().iter().position(|(_, row)| row.key == letter) {
            Some(row) => choose(state, row),
            None => return false,
        },
        Some(Overlay::Sources) => match letter.to_digit(10).filter(|digit| *digit > 0) {
            Some(number) => to_source(state, layout, number as usize - 1),
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
