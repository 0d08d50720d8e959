//! Side panes and overlays.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::super::answer::matches;
use super::super::doc::{Doc, Hit, Line};
use super::super::layout::{Layout, OverlayPlace, PanePlace, Tab};
use super::super::panes;
use super::super::state::{Pane, State};
use super::ink::{alone, put, rule, thumb, title};
use crate::export::fit::tally;
use crate::look::{Role, Tone};
use crate::text::one_line;

pub(super) fn side(state: &State, layout: &Layout, place: &PanePlace, buffer: &mut Buffer) {
    if place.shared {
        tabs(state, layout, place, buffer);
    } else {
        title(state, place.title, place.pane, &panes::subtitle(state, place.pane), buffer);
    }
    let cursor = place.cursor;
    let focused = state.focus == place.pane && state.overlays.is_empty();
    let at = place.doc.entries.get(cursor.entry).map(|(_, hit)| *hit);
    let at = at.filter(|_| focused || place.pane == Pane::Sources);
    lines(state, &place.doc, place.body, cursor.top, at, buffer);
    let body = Rect { width: place.body.width + 1, ..place.body };
    scroll_bar(state, &place.doc, body, cursor.top, buffer);
}

fn tabs(state: &State, layout: &Layout, place: &PanePlace, buffer: &mut Buffer) {
    let theme = state.theme;
    rule(state, place.title, buffer);
    let mine = layout.tabs.iter().filter(|tab| tab.area.y == place.title.y && tab.area.x >= place.title.x);
    for Tab { pane, area, words } in mine {
        let focused = state.focus == *pane && state.overlays.is_empty();
        let role = match () {
            () if focused => Role::Focus,
            () if place.pane == *pane => Role::Strong,
            () => Role::Dim,
        };
        let x = put(buffer, *area, 0, &format!(" {words} "), alone(theme.style(role)));
        // The sign of the worst finding stands at its count.
        if *pane == Pane::Findings
            && let Some(tone) = tally(state.findings()).1.map(Tone::from)
        {
            put(buffer, *area, x - 1, tone.sign(), alone(theme.style(tone.role())));
        }
    }
}

/// The lines of a document in an area; a bar marks the entry at the cursor.
pub(super) fn lines(state: &State, doc: &Doc, area: Rect, top: usize, at: Option<Hit>, buffer: &mut Buffer) {
    drawn(state, doc.lines_from(top), area, at, buffer);
}

/// Lines, as many as an area has.
fn drawn<'d>(
    state: &State,
    lines: impl Iterator<Item = &'d Line>,
    area: Rect,
    at: Option<Hit>,
    buffer: &mut Buffer,
) {
    for (offset, line) in lines.take(usize::from(area.height)).enumerate() {
        let row = Rect { y: area.y + offset as u16, height: 1, ..area };
        let mut column = 0;
        for (text, role) in &line.pieces {
            let from = column;
            column = put(buffer, row, column, text, state.theme.style(*role));
            found(state, text, Rect { x: row.x + from.min(row.width), width: column - from, ..row }, buffer);
        }
        if at.is_some() && line.hit == at && area.x > 0 {
            buffer.set_string(area.x - 1, row.y, "▌", state.theme.style(Role::Key));
        }
    }
}

/// Marks what the search found in a piece.
fn found(state: &State, text: &str, area: Rect, buffer: &mut Buffer) {
    for range in matches(text, &state.needle, 0..text.len()) {
        let before = crate::text::width(text.get(..range.start).unwrap_or_default()) as u16;
        let wide = crate::text::width(text.get(range).unwrap_or_default()) as u16;
        let place = Rect {
            x: area.x + before.min(area.width),
            width: wide.min(area.width.saturating_sub(before)),
            ..area
        };
        buffer.set_style(place, state.theme.style(Role::Match));
    }
}

fn scroll_bar(state: &State, doc: &Doc, area: Rect, top: usize, buffer: &mut Buffer) {
    let height = usize::from(area.height);
    let total = doc.height();
    if total <= height || height == 0 {
        return;
    }
    let thumb = thumb(top, height, total);
    for line in 0..height {
        let inside = thumb.contains(&line);
        let (sign, role) = if inside { ("┃", Role::Key) } else { ("│", Role::Dim) };
        buffer.set_string(area.right(), area.y + line as u16, sign, state.theme.style(role));
    }
}

pub(super) fn overlay(state: &State, listed: bool, place: &OverlayPlace, buffer: &mut Buffer) {
    let theme = state.theme;
    let (frame, cursor) = (place.frame, place.cursor);
    for y in frame.y..frame.bottom() {
        let row = Rect { y, height: 1, ..frame };
        put(buffer, row, 0, &" ".repeat(usize::from(frame.width)), Style::reset());
        let (left, right) = match y {
            _ if y == frame.y => ("╭", "╮"),
            _ if y + 1 == frame.bottom() => ("╰", "╯"),
            _ => ("│", "│"),
        };
        let edge = y == frame.y || y + 1 == frame.bottom();
        if edge {
            put(buffer, row, 1, &"─".repeat(usize::from(frame.width - 2)), theme.style(Role::Dim));
        }
        put(buffer, row, 0, left, theme.style(Role::Dim));
        put(buffer, row, frame.width - 1, right, theme.style(Role::Dim));
    }
    let top = Rect { height: 1, width: frame.width - 2, ..frame };
    put(buffer, top, 2, &format!(" {} ", one_line(&place.title)), alone(theme.style(Role::Focus)));
    let at = place.doc.entry_at(cursor.entry).filter(|_| listed);
    drawn(state, place.doc.head.iter(), place.head, None, buffer);
    lines(state, &place.doc, place.body, cursor.top, at, buffer);
    scroll_bar(state, &place.doc, Rect { width: place.body.width + 1, ..place.body }, cursor.top, buffer);
}
