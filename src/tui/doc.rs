//! The content of a pane: styled lines wrapped to a width, with the entries that a cursor can stand on.

use super::keymap::{Command, label};
use crate::look::Role;
use crate::text::{Rows, cell, one_line, sanitize, width};
use unicode_segmentation::UnicodeSegmentation;

/// What a line stands for: where a click or Enter leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hit {
    /// A source, by index.
    Source(usize),
    /// A query, by index.
    Query(usize),
    /// A trace, by index.
    Trace(usize),
    /// A finding, by index.
    Finding(usize),
    /// A support, by index.
    Support(usize),
    /// An address of the source that is shown: the number among its reviews and flagging addresses.
    Link(usize),
    /// A row of a list: its number.
    Row(usize),
}

/// One line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Line {
    /// Pieces, each with its role; safe to draw.
    pub pieces: Vec<(String, Role)>,
    /// What it belongs to.
    pub hit: Option<Hit>,
}

/// The content of a pane.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Doc {
    /// Lines, no wider than the width they were made for.
    pub lines: Vec<Line>,
    /// Lines above them that stay where they are when the rest is scrolled: the heads of columns.
    pub head: Vec<Line>,
    /// Entries that the cursor can stand on: first line and what is there.
    pub entries: Vec<(usize, Hit)>,
    width: usize,
    current: Option<Hit>,
    /// The entry at which a cursor stands that nobody moved.
    begin: usize,
    /// Only this stretch of a longer list was made.
    window: Option<Window>,
}

/// A stretch of a list whose rows take a line each: what is not in view is never made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Window {
    /// The row that the first line is of.
    first: usize,
    /// Rows of the list.
    rows: usize,
    /// Lines behind them.
    more: usize,
}

/// Rows before what is to be shown, from which on they are left out.
const CUT: usize = 4;

impl Doc {
    /// An empty one for a width in cells.
    pub fn new(width: usize) -> Self {
        Self { width: width.max(8), ..Self::default() }
    }

    /// Of the rows from one on, of so many and lines behind them.
    pub fn window(width: usize, first: usize, rows: usize, more: usize) -> Self {
        Self { window: Some(Window { first, rows, more }), ..Self::new(width) }
    }

    /// Lines in all, made or not.
    pub fn height(&self) -> usize {
        self.window.map_or(self.lines.len(), |window| window.rows + window.more)
    }

    /// Lines from one on, as far as they were made.
    pub fn lines_from(&self, top: usize) -> impl Iterator<Item = &Line> {
        let first = self.window.map_or(0, |window| window.first);
        self.lines.iter().skip(top.saturating_sub(first))
    }

    /// How many entries there are.
    pub fn entries(&self) -> usize {
        self.window.map_or(self.entries.len(), |window| window.rows)
    }

    /// A cursor that nobody moved stands at the entry that was started last.
    pub fn begin_here(&mut self) {
        self.begin = self.entries.len().saturating_sub(1);
    }

    /// The entry at which a cursor stands that nobody moved.
    pub fn begin(&self) -> usize {
        self.begin
    }

    /// What an entry stands for.
    pub fn entry_at(&self, entry: usize) -> Option<Hit> {
        match self.window {
            Some(window) => (entry < window.rows).then_some(Hit::Row(entry)),
            None => self.entries.get(entry).map(|(_, hit)| *hit),
        }
    }

    /// The entry that stands for something.
    pub fn entry_of(&self, hit: Hit) -> Option<usize> {
        match (self.window, hit) {
            (Some(_), Hit::Row(row)) => Some(row),
            _ => self.entries.iter().position(|(_, other)| *other == hit),
        }
    }

    /// The first entry that begins in some lines.
    pub fn entry_in(&self, lines: &std::ops::Range<usize>) -> Option<usize> {
        match self.window {
            Some(window) => Some(lines.start).filter(|&row| row < window.rows),
            None => self.entries.iter().position(|(line, _)| lines.contains(line)),
        }
    }

    /// Width in cells.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Starts an entry: lines that belong to `hit`.
    pub fn entry(&mut self, hit: Hit) {
        self.entries.push((self.lines.len(), hit));
        self.current = Some(hit);
    }

    /// Ends the entry.
    pub fn end(&mut self) {
        self.current = None;
    }

    /// A line of pieces, cut to the width.
    pub fn line(&mut self, pieces: &[(&str, Role)]) {
        let mut left = self.width;
        let mut line = Line { pieces: Vec::new(), hit: self.current };
        for (text, role) in pieces {
            // Blanks at the ends keep pieces apart; those inside are folded.
            let inner = text.trim_matches(' ');
            let lead = text.len() - text.trim_start_matches(' ').len();
            let tail = if inner.is_empty() { 0 } else { text.len() - lead - inner.len() };
            let text = format!("{}{}{}", " ".repeat(lead), one_line(inner), " ".repeat(tail));
            let cut = crate::text::truncate(&text, left);
            left = left.saturating_sub(width(&cut));
            if !cut.is_empty() {
                line.pieces.push((cut.into_owned(), *role));
            }
        }
        self.lines.push(line);
    }

    /// Pieces at the left, and one at the right end of the line.
    pub fn line_right(&mut self, pieces: &[(&str, Role)], right: (&str, Role)) {
        // Its blanks are columns.
        let right = (sanitize(right.0).replace(['\n', '\t'], " "), right.1);
        let room = self.width.saturating_sub(width(&right.0) + 1);
        let full = std::mem::replace(&mut self.width, room);
        self.line(pieces);
        self.width = full;
        if let Some(line) = self.lines.last_mut() {
            let used: usize = line.pieces.iter().map(|(text, _)| width(text)).sum();
            line.pieces.push((" ".repeat(full.saturating_sub(used + width(&right.0))), Role::Plain));
            line.pieces.push(right);
        }
    }

    /// An empty line.
    pub fn blank(&mut self) {
        self.lines.push(Line { pieces: Vec::new(), hit: self.current });
    }

    /// Text wrapped to the width, indented; `most` rows at the most. Returns how many rows were left out.
    pub fn text(&mut self, indent: usize, text: &str, role: Role, most: usize) -> usize {
        let rows = Rows::wrap(text, self.width.saturating_sub(indent).max(1));
        for range in rows.iter().take(most) {
            let drawn = draw_row(text.get(range).unwrap_or_default()).trim_end().to_owned();
            self.lines.push(Line {
                pieces: vec![(" ".repeat(indent), Role::Plain), (drawn, role)],
                hit: self.current,
            });
        }
        rows.len().saturating_sub(most)
    }

    /// Text with marked ranges, each later one over the ones before; where only part fits, the part with
    /// `show` in it.
    pub fn marked(
        &mut self,
        indent: usize,
        text: &str,
        marks: &[(std::ops::Range<usize>, Role)],
        show: usize,
        most: usize,
    ) {
        let rows = Rows::wrap(text, self.width.saturating_sub(indent).max(1));
        let row = rows.row_of(show);
        // What is to be shown stands at the beginning, where a low pane shows it, too.
        let first = if row < CUT || most == usize::MAX { 0 } else { row - 1 };
        if first > 0 {
            self.line(&[(&" ".repeat(indent), Role::Plain), (&format!("… {first} rows before"), Role::Dim)]);
        }
        for range in rows.iter().skip(first).take(most) {
            let mut pieces = vec![(" ".repeat(indent), Role::Plain)];
            let mut cuts: Vec<usize> = marks
                .iter()
                .flat_map(|(mark, _)| [mark.start, mark.end])
                .filter(|cut| range.contains(cut))
                .collect();
            cuts.extend([range.start, range.end]);
            cuts.sort_unstable();
            cuts.dedup();
            for pair in cuts.windows(2) {
                let [from, to] = *pair else { continue };
                let role = marks
                    .iter()
                    .rev()
                    .find(|(mark, _)| mark.start <= from && to <= mark.end)
                    .map_or(Role::Plain, |(_, role)| *role);
                pieces.push((draw_row(text.get(from..to).unwrap_or_default()), role));
            }
            if let Some((last, _)) = pieces.last_mut() {
                last.truncate(last.trim_end().len());
            }
            self.lines.push(Line { pieces, hit: self.current });
        }
        let left = rows.len().saturating_sub(first + most);
        if left > 0 {
            self.line(&[(&" ".repeat(indent), Role::Plain), (&more_rows(left), Role::Dim)]);
        }
    }

    /// A label and a value: the value wraps under itself.
    pub fn field(&mut self, indent: usize, label: &str, value: &str, role: Role) {
        self.field_most(indent, label, value, role, usize::MAX);
    }

    /// Like [`Self::field`], with at most so many rows.
    pub fn field_most(&mut self, indent: usize, label: &str, value: &str, role: Role, most: usize) {
        let label = sanitize(label).replace(['\n', '\t'], " ");
        let lead = format!("{}{label} ", " ".repeat(indent));
        let hang = if width(&lead) * 2 > self.width { indent + 2 } else { width(&lead) };
        let own_line = hang < width(&lead);
        if own_line {
            self.line(&[(&lead, Role::Dim)]);
        }
        let first = self.lines.len();
        let left_out = self.text(hang, value, role, most);
        if !own_line
            && let Some(line) = self.lines.get_mut(first)
            && let Some(piece) = line.pieces.first_mut()
        {
            *piece = (lead, Role::Dim);
        }
        if left_out > 0 {
            self.line(&[(&" ".repeat(hang), Role::Plain), (&more_rows(left_out), Role::Dim)]);
        }
    }

    /// Puts documents side by side, each but the last in a column of its width in cells.
    pub fn beside(&mut self, columns: &[Self], widths: &[usize]) {
        let height = columns.iter().map(|column| column.lines.len()).max().unwrap_or(0);
        for row in 0..height {
            let mut line = Line { pieces: Vec::new(), hit: self.current };
            for (number, column) in columns.iter().enumerate() {
                let pieces = column.lines.get(row).map_or(&[][..], |line| &line.pieces);
                let used: usize = pieces.iter().map(|(text, _)| crate::text::width(text)).sum();
                line.pieces.extend_from_slice(pieces);
                if let Some(width) = widths.get(number).filter(|_| number + 1 < columns.len()) {
                    line.pieces.push((" ".repeat(width.saturating_sub(used)), Role::Plain));
                }
            }
            self.lines.push(line);
        }
    }

    /// The first line of an entry.
    pub fn line_of(&self, entry: usize) -> Option<usize> {
        match self.window {
            Some(window) => Some(entry).filter(|&entry| entry < window.rows),
            None => self.entries.get(entry).map(|(line, _)| *line),
        }
    }
}

fn more_rows(count: usize) -> String {
    format!("… {count} more rows ({})", label(Command::Open))
}

/// A row as it is drawn: tabs expanded, stand-ins in place, the newline gone.
pub fn draw_row(row: &str) -> String {
    let mut out = String::with_capacity(row.len());
    let mut column = 0;
    for cluster in row.trim_end_matches(['\n', '\r']).graphemes(true) {
        let drawn = cell(cluster, column);
        column += drawn.width;
        out.push_str(&drawn.text);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_is_as_harmless_as_its_value() {
        let mut doc = Doc::new(60);
        doc.field(0, "flag A\u{2028}B\u{1b}[31m", "C\u{202e}D", Role::Plain);
        let text: String =
            doc.lines.iter().flat_map(|line| &line.pieces).map(|(text, _)| text.as_str()).collect();
        assert_eq!(text, "flag A<U+2028>B␛[31m C<U+202E>D");
    }
}
