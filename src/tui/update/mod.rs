//! What happens: events to changes of the state. Pure but for the state itself; what concerns the outside becomes a
//! [`Want`].

mod inspect;
mod mouse;
mod search;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Rect;

use super::copy::CopyTarget;
use super::doc::Doc;
use super::keymap::{self, Command};
use super::layout::{Layout, shown_range};
use super::panes::{self, filters};
use super::state::{Cursor, Filter, Notice, Overlay, Pane, State, Want};

pub(super) use inspect::selected_origin;
use inspect::{better, browse, copy, open, other_response, raw, readings};
use mouse::on_mouse;
pub use search::matches;
use search::{next_match, search};

/// Takes an event. Returns whether anything may look different.
pub fn update(state: &mut State, layout: &Layout, event: &Event) -> bool {
    match event {
        Event::Key(key) if key.is_press() => {
            state.notice = None;
            on_key(state, layout, *key);
            true
        }
        Event::Mouse(mouse) => on_mouse(state, layout, *mouse),
        Event::Resize(..) => true,
        Event::Paste(text) => {
            if let Some((Overlay::Search(typed) | Overlay::GoTo(typed), _)) = state.overlays.last_mut() {
                typed.push_str(crate::text::one_line(text).trim());
                changed(state);
            }
            true
        }
        _ => false,
    }
}

/// The record was decoded: shows it from its beginning.
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
    state.cursors = [Cursor::default(); 6];
    state.matched = None;
    changed(state);
}

fn changed(state: &mut State) {
    state.revision += 1;
}

fn on_key(state: &mut State, layout: &Layout, key: KeyEvent) {
    if typing(state, layout, key) {
        return;
    }
    if menu_key(state, key) {
        return;
    }
    let Some(command) = keymap::command(key) else { return };
    run(state, layout, command);
}

/// Prompts take characters before the key table does.
fn typing(state: &mut State, layout: &Layout, key: KeyEvent) -> bool {
    let Some((overlay, _)) = state.overlays.last_mut() else { return false };
    let (typed, number) = match overlay {
        Overlay::Search(typed) => (typed, false),
        Overlay::GoTo(typed) => (typed, true),
        _ => return false,
    };
    match key.code {
        KeyCode::Char(c) if !key.modifiers.contains(KeyModifiers::CONTROL) => {
            if !number || c.is_ascii_digit() {
                typed.push(c);
            }
        }
        KeyCode::Backspace => {
            typed.pop();
        }
        KeyCode::Enter => {
            let typed = std::mem::take(typed);
            state.overlays.pop();
            if number { go_to(state, layout, &typed) } else { search(state, layout, typed) }
        }
        KeyCode::Esc => {
            state.overlays.pop();
        }
        _ => return false,
    }
    changed(state);
    true
}

/// Letters of the menus.
fn menu_key(state: &mut State, key: KeyEvent) -> bool {
    let KeyCode::Char(letter) = key.code else { return false };
    match state.overlays.last().map(|(overlay, _)| overlay) {
        Some(Overlay::Copy) => match CopyTarget::all().into_iter().find(|target| target.key() == letter) {
            Some(target) => copy(state, target),
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

fn run(state: &mut State, layout: &Layout, command: Command) {
    let overlaid = !state.overlays.is_empty();
    match command {
        Command::Quit => state.wants.push(Want::Quit),
        Command::Suspend => state.wants.push(Want::Suspend),
        Command::Back => back(state),
        Command::Open => open(state, layout),
        Command::Down | Command::Up => step(state, layout, command == Command::Down),
        Command::PageDown | Command::PageUp => page(state, layout, command == Command::PageDown),
        Command::FirstSpan | Command::LastSpan if overlaid || state.focus != Pane::Answer => {
            jump(state, layout, command == Command::LastSpan);
        }
        Command::Help => push(state, Overlay::Help),
        Command::Copy => push(state, Overlay::Copy),
        Command::Browse => browse(state, layout),
        Command::Raw => raw(state),
        Command::Compare => {
            state.compare = !state.compare;
            let words = if state.compare { "wording of claim and chunks compared" } else { "comparison hidden" };
            tell(state, words, false);
            changed(state);
        }
        Command::Better => better(state),
        Command::Readings => readings(state),
        Command::Mouse => {
            state.mouse = !state.mouse;
            state.wants.push(Want::Mouse(state.mouse));
            let words = if state.mouse { "mouse on: click spans and sources" } else { "mouse off: the terminal selects text" };
            tell(state, words, false);
        }
        _ if overlaid => {}
        Command::NextSpan => walk(state, layout, 1),
        Command::PreviousSpan => walk(state, layout, -1),
        Command::FirstSpan => select_walked(state, layout, true),
        Command::LastSpan => select_walked(state, layout, false),
        Command::NextPane => focus_by(state, 1),
        Command::PreviousPane => focus_by(state, Pane::ALL.len() - 1),
        Command::Pane(index) => focus(state, Pane::ALL.get(index).copied().unwrap_or(Pane::Answer)),
        Command::Responses => {
            push(state, Overlay::Responses);
            let stop = state.row;
            set_cursor(state, Cursor { stop, top: stop.saturating_sub(5) });
        }
        Command::Sources => push(state, Overlay::Sources),
        Command::NextResponse | Command::PreviousResponse => other_response(state, command == Command::NextResponse),
        Command::NextFinding => next_finding(state, layout),
        Command::Filter => push(state, Overlay::Filter),
        Command::Search => push(state, Overlay::Search(String::new())),
        Command::NextMatch | Command::PreviousMatch => next_match(state, layout, command == Command::NextMatch),
        Command::GoTo => push(state, Overlay::GoTo(String::new())),
    }
}

fn tell(state: &mut State, text: &str, failed: bool) {
    state.notice = Some(Notice { text: text.to_owned(), failed });
}

fn push(state: &mut State, overlay: Overlay) {
    if state.overlays.last().is_some_and(|(top, _)| *top == overlay) {
        return;
    }
    state.overlays.push((overlay, Cursor::default()));
    changed(state);
}

fn back(state: &mut State) {
    if state.overlays.pop().is_none() {
        if state.filter == Filter::All && state.focus != Pane::Answer {
            focus(state, Pane::Answer);
        } else if state.filter != Filter::All {
            state.filter = Filter::All;
        } else {
            state.needle.clear();
            state.matched = None;
        }
    }
    changed(state);
}

// ---- spans ----

/// Selects a span and brings it into view.
pub fn select(state: &mut State, layout: &Layout, span: usize) {
    state.span = span;
    for pane in [Pane::Sources, Pane::Findings] {
        set_pane_cursor(state, pane, Cursor::default());
    }
    aim(state, layout, Pane::Queries);
    aim(state, layout, Pane::Trace);
    if let Some(range) = shown_range(state, span) {
        reveal(state, layout, layout.rows.row_of(range.start), layout.rows.row_of(range.end.saturating_sub(1).max(range.start)));
    }
    changed(state);
}

/// Puts the cursor of a pane on the first entry that belongs to the selected span.
fn aim(state: &mut State, layout: &Layout, pane: Pane) {
    let mine = state.review().map(|review| panes::of_selection(state, review)).unwrap_or_default();
    let queries = state.review().map_or(&[][..], |review| &review.response.queries);
    let stop = match pane {
        Pane::Queries => queries.iter().position(|query| query.trace.is_some_and(|trace| mine.contains(&trace))),
        _ => mine.first().copied(),
    };
    let stop = stop.unwrap_or_default();
    let top = layout.pane(pane).and_then(|place| {
        let line = place.doc.line_of(stop)?;
        let end = place.doc.line_of(stop + 1).unwrap_or(place.doc.lines.len());
        Some(if end <= usize::from(place.body.height) { 0 } else { line })
    });
    set_pane_cursor(state, pane, Cursor { stop, top: top.unwrap_or_default() });
}

/// Scrolls the answer so that rows are in view, the first one in any case.
fn reveal(state: &mut State, layout: &Layout, first: usize, last: usize) {
    let height = usize::from(layout.answer.height.max(1));
    let Some(cursor) = state.cursors.first_mut() else { return };
    if first < cursor.top || first >= cursor.top + height {
        cursor.top = first.saturating_sub(height / 4);
    } else if last >= cursor.top + height {
        cursor.top = (last + 1).saturating_sub(height).min(first);
    }
}

fn walk(state: &mut State, layout: &Layout, by: isize) {
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
            return tell(state, words, false);
        };
        at = next;
        if state.walks(at) {
            return select(state, layout, at);
        }
    }
}

fn select_walked(state: &mut State, layout: &Layout, first: bool) {
    let count = state.review().map_or(0, |review| review.spans.len());
    let found = if first { (0..count).find(|&span| state.walks(span)) } else { (0..count).rev().find(|&span| state.walks(span)) };
    if let Some(span) = found {
        select(state, layout, span);
    }
}

fn set_filter(state: &mut State, filter: Filter) {
    state.overlays.pop();
    state.filter = filter;
    let count = state.review().map_or(0, |review| review.spans.len());
    let walked: Vec<usize> = (0..count).filter(|&span| state.walks(span)).collect();
    if walked.is_empty() {
        state.filter = Filter::All;
        tell(state, &format!("no span to show: {}", filter.words()), true);
    } else if !walked.contains(&state.span) {
        state.span = walked.first().copied().unwrap_or_default();
    }
    changed(state);
}

fn next_finding(state: &mut State, layout: &Layout) {
    let count = state.review().map_or(0, |review| review.spans.len());
    let has = |span: usize| {
        let supports = state.review().map_or(&[][..], |review| review.supports_of(span));
        supports.iter().any(|&support| state.worst_of(support).is_some())
    };
    let found = (1..=count).map(|step| (state.span + step) % count.max(1)).find(|&span| has(span));
    match found {
        Some(span) => select(state, layout, span),
        None => tell(state, "no span has a finding", false),
    }
}

fn go_to(state: &mut State, layout: &Layout, typed: &str) {
    let count = state.review().map_or(0, |review| review.spans.len());
    match typed.parse::<usize>() {
        Ok(number) if (1..=count).contains(&number) => select(state, layout, number - 1),
        _ => tell(state, &format!("there are spans 1 to {count}"), true),
    }
}

// ---- panes and cursors ----

fn focus_by(state: &mut State, by: usize) {
    let next = (state.focus.index() + by) % Pane::ALL.len();
    focus(state, Pane::ALL.get(next).copied().unwrap_or(Pane::Answer));
}

fn focus(state: &mut State, pane: Pane) {
    state.focus = pane;
    if pane != Pane::Answer {
        state.tab = pane;
    }
    changed(state);
}

fn set_pane_cursor(state: &mut State, pane: Pane, cursor: Cursor) {
    if let Some(slot) = state.cursors.get_mut(pane.index()) {
        *slot = cursor;
    }
}

fn set_cursor(state: &mut State, cursor: Cursor) {
    if let Some((_, slot)) = state.overlays.last_mut() {
        *slot = cursor;
    } else {
        set_pane_cursor(state, state.focus, cursor);
    }
}

/// Cursor, document and area of what has the keys.
fn active<'a>(state: &State, layout: &'a Layout) -> Option<(Cursor, &'a Doc, Rect)> {
    if let Some((_, cursor)) = state.overlays.last() {
        let place = layout.overlay.as_ref()?;
        return Some((*cursor, &place.doc, place.body));
    }
    let place = layout.pane(state.focus)?;
    Some((*state.cursors.get(state.focus.index())?, &place.doc, place.body))
}

fn step(state: &mut State, layout: &Layout, down: bool) {
    if state.overlays.is_empty() && state.focus == Pane::Answer {
        return walk(state, layout, if down { 1 } else { -1 });
    }
    let Some((mut cursor, doc, area)) = active(state, layout) else { return };
    let height = usize::from(area.height);
    let next = if down { cursor.stop + 1 } else { cursor.stop.saturating_sub(1) };
    let here = doc.line_of(cursor.stop);
    let there = doc.line_of(next).filter(|_| next != cursor.stop);
    // A long entry is read to its end before the cursor leaves it.
    let visible = |line: usize| line >= cursor.top && line < cursor.top + height;
    match there {
        Some(line) if visible(line) || here.is_none_or(|here| line.abs_diff(here) <= height) => {
            cursor.stop = next;
            cursor.top = keep(cursor.top, line, doc, next, height);
        }
        _ if down => cursor.top = (cursor.top + 1).min(doc.lines.len().saturating_sub(height)),
        _ => cursor.top = cursor.top.saturating_sub(1),
    }
    set_cursor(state, cursor);
    changed(state);
}

/// First line so that an entry is in view, as much of it as fits.
fn keep(top: usize, line: usize, doc: &Doc, stop: usize, height: usize) -> usize {
    let end = doc.line_of(stop + 1).unwrap_or(doc.lines.len()).min(line + height);
    let lead = if stop == 0 { 0 } else { line };
    if line < top { lead } else { top.max(end.saturating_sub(height)) }
}

fn page(state: &mut State, layout: &Layout, down: bool) {
    if state.overlays.is_empty() && state.focus == Pane::Answer {
        let by = isize::from(layout.answer.height as i16).max(2) - 1;
        return scroll_answer(state, layout, if down { by } else { -by });
    }
    let Some((_, _, area)) = active(state, layout) else { return };
    let by = isize::from(area.height as i16).max(2) - 1;
    scroll(state, layout, if down { by } else { -by });
}

fn scroll_answer(state: &mut State, layout: &Layout, by: isize) {
    let last = layout.rows.len().saturating_sub(usize::from(layout.answer.height));
    if let Some(cursor) = state.cursors.first_mut() {
        cursor.top = cursor.top.saturating_add_signed(by).min(last);
    }
}

fn scroll(state: &mut State, layout: &Layout, by: isize) {
    let Some((mut cursor, doc, area)) = active(state, layout) else { return };
    let last = doc.lines.len().saturating_sub(usize::from(area.height));
    cursor.top = cursor.top.saturating_add_signed(by).min(last);
    // The cursor stays in view where an entry begins in view.
    let shown = cursor.top..cursor.top + usize::from(area.height);
    if doc.line_of(cursor.stop).is_none_or(|line| !shown.contains(&line))
        && let Some(stop) = doc.stops.iter().position(|(line, _)| shown.contains(line))
    {
        cursor.stop = stop;
        changed(state);
    }
    set_cursor(state, cursor);
}

fn jump(state: &mut State, layout: &Layout, end: bool) {
    let Some((mut cursor, doc, area)) = active(state, layout) else { return };
    cursor.stop = if end { doc.stops.len().saturating_sub(1) } else { 0 };
    cursor.top = if end { doc.lines.len().saturating_sub(usize::from(area.height)) } else { 0 };
    set_cursor(state, cursor);
    changed(state);
}
