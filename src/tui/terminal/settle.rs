//! Rows of clusters on whose width terminals disagree: sent once more in pieces that begin where they belong,
//! so that what stands behind such a cluster does not shift.

use std::io::{self, Write};

use crossterm::cursor::MoveTo;
use crossterm::queue;
use crossterm::terminal::{Clear, ClearType};
use ratatui::backend::{Backend, CrosstermBackend};
use ratatui::buffer::{Buffer, Cell};

use crate::text::width;

/// Whether terminals may disagree on the width of a cell.
pub(super) fn is_doubtful(cell: &Cell) -> bool {
    cell.symbol().chars().nth(1).is_some()
}

/// Sends the rows with such cells again.
pub(super) fn settle<W: Write>(backend: &mut CrosstermBackend<W>, buffer: &Buffer) -> io::Result<()> {
    let area = buffer.area;
    for y in area.top()..area.bottom() {
        let row = || (area.left()..area.right()).filter_map(|x| Some((x, y, buffer.cell((x, y))?)));
        if !row().any(|(_, _, cell)| is_doubtful(cell)) {
            continue;
        }
        // What had shifted would show in the gap behind a cluster that is narrower than thought.
        queue!(backend, MoveTo(area.left(), y), Clear(ClearType::UntilNewLine))?;
        let mut piece = Vec::new();
        let mut covered = area.left();
        for (x, y, cell) in row() {
            if x < covered {
                continue;
            }
            covered = x + (width(cell.symbol()) as u16).max(1);
            piece.push((x, y, cell));
            if is_doubtful(cell) {
                backend.draw(std::mem::take(&mut piece).into_iter())?;
            }
        }
        backend.draw(piece.into_iter())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    use super::*;

    #[test]
    fn what_stands_behind_a_doubtful_cluster_is_sent_to_its_own_column() {
        let mut buffer = Buffer::empty(Rect::new(0, 0, 8, 2));
        buffer.set_string(0, 0, "plain", Style::new());
        buffer.set_string(0, 1, "aक्षbc", Style::new());
        let column = (0..8).find(|x| buffer[(*x, 1)].symbol() == "b").unwrap();
        let mut out = Vec::new();
        settle(&mut CrosstermBackend::new(&mut out), &buffer).unwrap();
        let sent = String::from_utf8(out).unwrap();
        assert!(!sent.contains("plain"), "{sent:?}");
        assert!(sent.starts_with("\u{1b}[2;1H\u{1b}[K"), "{sent:?}");
        let behind = format!("\u{1b}[2;{}H", column + 1);
        assert!(sent.split(&behind).nth(1).is_some_and(|rest| rest.starts_with("bc")), "{sent:?}");
    }
}
