//! Tables of Markdown: in columns where they fit, else a row of the table as lines of its own.

use pulldown_cmark::Alignment;

use super::bit::TextStyle;
use super::flow::{Flow, Fragment};

/// Cells of the name of a column before what a row has in it.
const NAME: usize = 24;

/// A table that is being read.
pub(super) struct Table {
    alignments: Vec<Alignment>,
    /// Rows of cells, the head first.
    rows: Vec<Vec<Fragment>>,
    /// Where the open cell begins in what is drawn.
    cell: usize,
}

impl Table {
    pub(super) fn new(alignments: Vec<Alignment>) -> Self {
        Self { alignments, rows: Vec::new(), cell: 0 }
    }

    /// A row begins at a byte of the answer; numbers up to there belong to the row before.
    pub(super) fn row(&mut self, byte: usize, flow: &mut Flow) {
        self.behind(byte, flow);
        self.rows.push(Vec::new());
    }

    /// Puts the numbers up to a byte behind what was read.
    pub(super) fn behind(&mut self, byte: usize, flow: &mut Flow) {
        let from = flow.end();
        flow.number_to(byte);
        if flow.end() == from {
            return;
        }
        let numbers = flow.cut(from);
        match self.rows.last_mut().and_then(|row| row.last_mut()) {
            Some(cell) => cell.append(numbers),
            None => flow.join(numbers),
        }
    }

    pub(super) fn cell(&mut self, at: usize) {
        self.cell = at;
    }

    pub(super) fn end_cell(&mut self, flow: &mut Flow) {
        let cell = flow.cut(self.cell);
        if let Some(row) = self.rows.last_mut() {
            row.push(cell);
        }
    }

    fn widths(&self) -> Vec<usize> {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or_default();
        let wide = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(Fragment::width).max().unwrap_or_default()
        };
        (0..columns).map(wide).collect()
    }

    /// Lays it out; it ends at a byte of the answer.
    pub(super) fn lay(self, end: usize, flow: &mut Flow) {
        let widths = self.widths();
        let whole = widths.iter().sum::<usize>() + 3 * widths.len().saturating_sub(1);
        let flat = self.rows.iter().flatten().all(Fragment::is_one_line);
        if flat && whole <= flow.room() {
            self.columns(&widths, flow);
        } else {
            self.stacked(flow);
        }
        flow.end_block(end);
    }

    fn columns(self, widths: &[usize], flow: &mut Flow) {
        for (number, row) in self.rows.into_iter().enumerate() {
            let cells = row.len();
            for (column, cell) in row.into_iter().enumerate() {
                let own = cell.width();
                let room = widths.get(column).copied().unwrap_or_default().saturating_sub(own);
                let before = match self.alignments.get(column) {
                    Some(Alignment::Right) => room,
                    Some(Alignment::Center) => room / 2,
                    _ => 0,
                };
                flow.fill(&" ".repeat(before), TextStyle::default());
                flow.join(cell);
                if column + 1 < cells {
                    flow.fill(&" ".repeat(room - before), TextStyle::default());
                    flow.fill(" │ ", TextStyle::QUIET);
                }
            }
            flow.fill("\n", TextStyle::default());
            if number == 0 {
                let lines: Vec<String> = widths.iter().map(|wide| "─".repeat(*wide)).collect();
                flow.fill(&lines.join("─┼─"), TextStyle::QUIET);
                flow.fill("\n", TextStyle::default());
            }
        }
        trim_end(flow);
    }

    /// Each row as lines: its first cell, then the others under the words of the head.
    fn stacked(self, flow: &mut Flow) {
        let mut rows = self.rows.into_iter();
        let head = rows.next().unwrap_or_default();
        let names: Vec<String> = head.iter().map(|cell| cell.name(NAME)).collect();
        // The words of the head are of the answer: they stand once, before the rows.
        for (column, cell) in head.into_iter().enumerate() {
            if column > 0 {
                flow.fill(" · ", TextStyle::QUIET);
            }
            flow.join(cell);
        }
        flow.fill("\n", TextStyle::default());
        for row in rows {
            for (column, cell) in row.into_iter().enumerate() {
                if cell.is_empty() {
                    continue;
                }
                let name = names.get(column).map_or("", String::as_str);
                let lead = if column == 0 { "▪ ".to_owned() } else { format!("  {name}: ") };
                flow.fill(&lead, TextStyle::QUIET);
                flow.join(cell);
                flow.fill("\n", TextStyle::default());
            }
        }
        trim_end(flow);
    }
}

/// Takes the last line end off.
fn trim_end(flow: &mut Flow) {
    let last = flow.end().saturating_sub(1);
    flow.cut(last);
}
