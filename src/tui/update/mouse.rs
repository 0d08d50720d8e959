//! Clicks and the wheel.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

use super::super::answer::{shown_overlapping, shown_range, shown_text};
use super::super::doc::Hit;
use super::super::footer::hints;
use super::super::layout::{GUTTER, Layout, PanePlace};
use super::super::page::Of;
use super::super::standing::sentences;
use super::super::state::{Cursor, Pane, State};
use super::commands::run;
use super::cursor::{back, changed, focus, scroll, set_pane_cursor};
use super::inspect::act;
use super::keys::on_key;
use super::spans::{scroll_answer, scroll_to, select, select_sentence};

pub(super) fn on_mouse(state: &mut State, layout: &Layout, mouse: MouseEvent) -> bool {
    let at = Position::new(mouse.column, mouse.row);
    match mouse.kind {
        MouseEventKind::ScrollDown | MouseEventKind::ScrollUp => {
            let by = if mouse.kind == MouseEventKind::ScrollDown { 3 } else { -3 };
            wheel(state, layout, at, by);
            true
        }
        MouseEventKind::Down(MouseButton::Left) => {
            state.notice = None;
            click(state, layout, at);
            true
        }
        _ => false,
    }
}

fn wheel(state: &mut State, layout: &Layout, at: Position, by: isize) {
    if !state.overlays.is_empty() {
        return scroll(state, layout, by);
    }
    if layout.answer.contains(at) {
        return scroll_answer(state, layout, by);
    }
    let Some(place) = layout.panes.iter().find(|place| place.body.contains(at)) else { return };
    let last = place.doc.height().saturating_sub(usize::from(place.body.height));
    let top = place.cursor.top.saturating_add_signed(by).min(last);
    set_pane_cursor(state, place.pane, Cursor { top, ..place.cursor });
}

fn click(state: &mut State, layout: &Layout, at: Position) {
    if layout.footer.contains(at) {
        let offers = hints(state, layout.census.is_faulty(), layout.footer.width);
        let found = offers.iter().find(|offer| (offer.from..offer.to).contains(&at.x));
        if let Some(command) = found.and_then(|offer| offer.command) {
            run(state, layout, command);
        }
        return;
    }
    let lead = layout.lead.as_ref().filter(|(area, ..)| area.contains(at) && state.overlays.is_empty());
    if let Some((_, _, command)) = lead {
        return run(state, layout, *command);
    }
    if let Some(typing) = &mut state.typing {
        let hit = layout.palette.as_ref().filter(|place| place.body.contains(at));
        let row = hit.and_then(|place| Layout::hit(&place.doc, place.body, place.cursor.top, at.y));
        let key = if let Some(Hit::Row(entry)) = row {
            typing.cursor.entry = entry;
            KeyCode::Enter
        } else {
            KeyCode::Esc
        };
        return on_key(state, layout, KeyEvent::new(key, KeyModifiers::NONE));
    }
    if !state.overlays.is_empty() {
        return click_overlay(state, layout, at);
    }
    if let Some(tab) = layout.tabs.iter().find(|tab| tab.area.contains(at)) {
        return focus(state, tab.pane);
    }
    if let Some((below, doc)) = &layout.placeless
        && below.contains(at)
    {
        focus(state, Pane::Answer);
        if let Some(hit) = Layout::hit(doc, *below, 0, at.y) {
            act(state, hit);
        }
        return;
    }
    if layout.answer.contains(at) || layout.answer_title.contains(at) {
        focus(state, Pane::Answer);
        return click_answer(state, layout, at);
    }
    if let Some(place) = layout.panes.iter().find(|place| place.body.contains(at) || place.title.contains(at))
    {
        click_pane(state, place, at);
    }
}

/// What lies over the screen; a click beside it takes it away.
fn click_overlay(state: &mut State, layout: &Layout, at: Position) {
    let Some(place) = &layout.overlay else { return };
    if !place.frame.contains(at) {
        return back(state);
    }
    let hit = Layout::hit(&place.doc, place.body, place.cursor.top, at.y);
    if let Some(hit) = hit.filter(|_| place.body.contains(at)) {
        act(state, hit);
    }
}

/// The first click selects, the second opens.
fn click_pane(state: &mut State, place: &PanePlace, at: Position) {
    let pane = place.pane;
    let already = state.focus == pane;
    focus(state, pane);
    let cursor = place.cursor;
    let Some(hit) = Layout::hit(&place.doc, place.body, cursor.top, at.y) else { return };
    let entry = place.doc.entry_of(hit).unwrap_or_default();
    if already && cursor.entry == entry {
        act(state, hit);
    } else {
        set_pane_cursor(state, pane, Cursor { entry, ..cursor });
        changed(state);
    }
}

/// The span under the mouse; of overlapping ones the next in turn, the shortest first. A number leads to its
/// source, a sentence that cites nothing is selected.
fn click_answer(state: &mut State, layout: &Layout, at: Position) {
    let row = layout.top + usize::from(at.y.saturating_sub(layout.answer.y));
    if at.x + 1 == layout.answer.right() && at.y >= layout.answer.y {
        // The map of the answer: the share of it that was clicked stands in the middle.
        let share = layout.page.len() * usize::from(at.y - layout.answer.y)
            / usize::from(layout.answer.height.max(1));
        let middle = usize::from(layout.answer.height) / 2;
        let last = layout.page.len().saturating_sub(usize::from(layout.answer.height));
        return scroll_to(state, layout, share.saturating_sub(middle).min(last));
    }
    if at.x < layout.answer.x + GUTTER && at.y >= layout.answer.y {
        return click_rail(state, layout, row);
    }
    let column = usize::from(at.x.saturating_sub(layout.answer.x + GUTTER));
    let byte = match layout.page.at(shown_text(state), row, column) {
        Some(Of::Text(byte) | Of::Stand(byte)) => byte,
        Some(Of::Number(number)) => return click_number(state, layout, number),
        Some(Of::Fill) | None => return,
    };
    let candidates = shown_overlapping(state, &(byte..byte + 1));
    let mut under: Vec<(usize, usize)> = candidates
        .into_iter()
        .filter_map(|span| {
            shown_range(state, span).filter(|range| range.contains(&byte)).map(|range| (range.len(), span))
        })
        .collect();
    under.sort_unstable();
    let current = under.iter().position(|&(_, span)| span == state.span && state.sentence.is_none());
    let next = current.map_or(0, |current| (current + 1) % under.len().max(1));
    if let Some(&(_, span)) = under.get(next) {
        select(state, span);
    } else if let Some(sentence) = sentences(state).iter().position(|range| range.contains(&byte)) {
        select_sentence(state, sentence);
    }
}

/// The first claim, or sentence without one, that begins in a row.
fn click_rail(state: &mut State, layout: &Layout, row: usize) {
    let Some(bytes) = layout.page.row(row) else { return };
    let spans = shown_overlapping(state, &bytes);
    let begins = |span: &usize| shown_range(state, *span).is_some_and(|range| bytes.contains(&range.start));
    if let Some(span) = spans.iter().copied().find(begins).or_else(|| spans.first().copied()) {
        return select(state, span);
    }
    let touches = |range: &std::ops::Range<usize>| range.start < bytes.end && bytes.start < range.end;
    if let Some(sentence) = sentences(state).iter().position(touches) {
        select_sentence(state, sentence);
    }
}

fn click_number(state: &mut State, layout: &Layout, number: usize) {
    let Some(number) = layout.page.numbers().get(number) else { return };
    select(state, number.span);
    let entry = number.source.and_then(|source| state.cited().iter().position(|cited| *cited == source));
    if let Some(entry) = entry {
        set_pane_cursor(state, Pane::Sources, Cursor { entry, ..Cursor::default() });
    }
}
