//! What the tests of the screen share.
#![allow(dead_code)] // each test file uses its part

use citescope::tui::doc::Doc;
use citescope::tui::layout::{Cache, Layout, layout as lay_out};
use citescope::tui::state::State;
use ratatui::layout::Size;

/// The geometry at a size.
pub fn layout(state: &State, width: u16, height: u16) -> Layout {
    lay_out(state, Size { width, height }, &mut Cache::default())
}

/// The text of a document, a line each.
pub fn text_of(doc: &Doc) -> String {
    let line = |line: &citescope::tui::doc::Line| line.pieces.iter().map(|(text, _)| text.as_str()).collect::<String>() + "\n";
    doc.lines.iter().map(line).collect()
}
