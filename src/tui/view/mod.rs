//! Drawing. Reads the state and the layout and changes neither.

mod answer;
mod bars;
mod ink;
mod side;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use ink::{put, title};

use super::layout::{Layout, SMALLEST};
use super::panes;
use super::state::{Pane, State};
use crate::look::Role;

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
            subtitle.push_str(" · no question in this file");
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
