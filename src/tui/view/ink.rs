//! What all drawing is made of: text at a column, rules, titles, the thumb of a scroll bar.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::super::state::{Pane, State};
use crate::look::Role;
use crate::text::{truncate, width};

/// Writes text at a column of a one-line area, cut to it. Returns the column after it.
pub(super) fn put(buffer: &mut Buffer, area: Rect, column: u16, text: &str, style: Style) -> u16 {
    if column >= area.width || area.height == 0 {
        return column;
    }
    let cut = truncate(text, usize::from(area.width - column));
    buffer.set_stringn(area.x + column, area.y, &cut, usize::from(area.width - column), style);
    column + width(&cut) as u16
}

pub(super) fn put_right(buffer: &mut Buffer, area: Rect, after: u16, text: &str, style: Style) {
    let wide = width(text) as u16;
    if after + wide < area.width {
        put(buffer, area, area.width - wide, text, style);
    }
}

/// A style that takes nothing of what lies under it.
pub(super) fn alone(style: Style) -> Style {
    Style::reset().patch(style)
}

/// The lines of a scroll bar that stand for what is in view.
pub(super) fn thumb(top: usize, height: usize, total: usize) -> Range<usize> {
    let (first, last) = (top * height / total, ((top + height) * height / total).min(height));
    first..last.max(first + 1)
}

/// A rule with the name of a pane in it.
pub(super) fn title(state: &State, area: Rect, pane: Pane, subtitle: &str, buffer: &mut Buffer) {
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

pub(super) fn rule(state: &State, area: Rect, buffer: &mut Buffer) {
    put(buffer, area, 0, &"─".repeat(usize::from(area.width)), state.theme.style(Role::Dim));
}
