//! Drawing. Reads the state and the layout and changes neither.

mod answer;
mod bars;
mod side;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::layout::{Layout, SMALLEST};
use super::panes;
use super::state::{Pane, State};
use crate::look::Role;
use crate::text::{truncate, width};

/// Draws the whole screen.
pub fn draw(state: &State, layout: &Layout, buffer: &mut Buffer) {
    if !layout.enough {
        let words = format!("needs {}×{} or more", SMALLEST.width, SMALLEST.height);
        put(buffer, Rect::new(0, 0, layout.size.width, 1), 0, &words, Style::new());
        return;
    }
    bars::header(state, layout, buffer);
    if layout.answer.height > 0 {
        let mut subtitle = panes::subtitle(state, Pane::Answer);
        if layout.question.height == 0 && state.review().is_some_and(|review| !review.response.is_question())
        {
            subtitle.push_str(" · question not sent");
        }
        title(state, layout.answer_title, Pane::Answer, &subtitle, buffer);
        answer::question(state, layout, buffer);
        answer::answer(state, layout, buffer);
    }
    for place in &layout.panes {
        side::side(state, layout, place, buffer);
    }
    separators(state, layout, buffer);
    bars::footer(state, layout, buffer);
    if let (Some(overlay), Some(place)) = (state.overlay(), &layout.overlay) {
        side::overlay(state, overlay.is_listed(), place, buffer);
    }
    if let Some(place) = &layout.preview {
        side::overlay(state, false, place, buffer);
    }
    if let Some(place) = &layout.palette {
        side::overlay(state, true, place, buffer);
    }
}

/// Writes text at a column of a one-line area, cut to it. Returns the column after it.
fn put(buffer: &mut Buffer, area: Rect, column: u16, text: &str, style: Style) -> u16 {
    if column >= area.width || area.height == 0 {
        return column;
    }
    let cut = truncate(text, usize::from(area.width - column));
    buffer.set_stringn(area.x + column, area.y, &cut, usize::from(area.width - column), style);
    column + width(&cut) as u16
}

fn put_right(buffer: &mut Buffer, area: Rect, after: u16, text: &str, style: Style) {
    let wide = width(text) as u16;
    if after + wide < area.width {
        put(buffer, area, area.width - wide, text, style);
    }
}

/// A style that takes nothing of what lies under it.
fn alone(style: Style) -> Style {
    Style::reset().patch(style)
}

/// The lines of a scroll bar that stand for what is in view.
fn thumb(top: usize, height: usize, total: usize) -> std::ops::Range<usize> {
    let (first, last) = (top * height / total, ((top + height) * height / total).min(height));
    first..last.max(first + 1)
}

/// A rule with the name of a pane in it.
fn title(state: &State, area: Rect, pane: Pane, subtitle: &str, buffer: &mut Buffer) {
    let theme = state.theme;
    rule(state, area, buffer);
    let focused = state.focus == pane && state.overlays.is_empty();
    let name = format!(" {} {} ", pane.key(), pane.title());
    let role = if focused { Role::Focus } else { Role::Strong };
    let x = put(buffer, area, 1, &name, alone(theme.style(role)));
    if !subtitle.is_empty() {
        let area = Rect { width: area.width.saturating_sub(1), ..area };
        put(buffer, area, x, &format!(" {subtitle} "), theme.style(Role::Dim));
    }
}

fn rule(state: &State, area: Rect, buffer: &mut Buffer) {
    put(buffer, area, 0, &"─".repeat(usize::from(area.width)), state.theme.style(Role::Dim));
}

/// The rules between columns.
fn separators(state: &State, layout: &Layout, buffer: &mut Buffer) {
    let style = state.theme.style(Role::Dim);
    for &x in &layout.rules {
        for y in layout.header.bottom()..layout.footer.y {
            let sign = if y == layout.header.bottom() { "┬" } else { "│" };
            buffer.set_string(x, y, sign, style);
        }
    }
}
