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

/// Lines of a pane up to which its texts are laid out whole, and bytes that a row of a text has behind that:
/// a line takes some 200 bytes, so that very short ones took many times what their text does.
const WHOLE: usize = 20_000;
const ROW: usize = 64;

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

    /// Rows of a text that may be laid out.
    fn room(&self, text: &str) -> usize {
        WHOLE.saturating_sub(self.lines.len()).max(text.len() / ROW).max(CUT)
    }

    /// Text wrapped to the width, indented; `most` rows at the most. Returns how many rows were left out; of
    /// those for which there is no room it tells itself.
    pub fn text(&mut self, indent: usize, text: &str, role: Role, most: usize) -> usize {
        let rows = Rows::wrap(text, self.width.saturating_sub(indent).max(1));
        let room = self.room(text);
        for range in rows.iter().take(most.min(room)) {
            let drawn = draw_row(text.get(range).unwrap_or_default()).trim_end().to_owned();
            self.lines.push(Line {
                pieces: vec![(" ".repeat(indent), Role::Plain), (drawn, role)],
                hit: self.current,
            });
        }
        let left = rows.len().saturating_sub(most.min(room));
        if room >= most || left == 0 {
            return left;
        }
        self.left_out(indent, left, most);
        0
    }

    /// That so many rows were left out behind the last one, and what shows them.
    fn left_out(&mut self, indent: usize, rows: usize, most: usize) {
        let shown_by = label(if most == usize::MAX { Command::Raw } else { Command::Open });
        let words = format!("… {rows} more rows ({shown_by})");
        self.line(&[(&" ".repeat(indent), Role::Plain), (&words, Role::Dim)]);
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
        let shown = most.min(self.room(text));
        // What is to be shown stands at the beginning, where a low pane shows it, too.
        let in_sight = if most == usize::MAX { shown } else { CUT };
        let first = if row < in_sight { 0 } else { row - 1 };
        if first > 0 {
            self.line(&[(&" ".repeat(indent), Role::Plain), (&format!("… {first} rows before"), Role::Dim)]);
        }
        for range in rows.iter().skip(first).take(shown) {
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
        let left = rows.len().saturating_sub(first + shown);
        if left > 0 {
            self.left_out(indent, left, most);
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
            self.left_out(hang, left_out, most);
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

    fn words(doc: &Doc) -> Vec<String> {
        let words = |line: &Line| line.pieces.iter().map(|(text, _)| text.as_str()).collect::<String>();
        doc.lines.iter().map(words).collect()
    }

    /// A line takes many times what a short one has of text: 3.6 MB of numbers, a line each, took 161 MB.
    #[test]
    fn of_very_many_short_lines_the_first_ones_are_laid_out_or_those_that_are_to_be_shown() {
        let text = "a\n".repeat(30_000);
        let mut doc = Doc::new(60);
        assert_eq!(doc.text(2, &text, Role::Plain, usize::MAX), 0);
        let lines = words(&doc);
        assert_eq!(lines.len(), 20_001);
        assert_eq!(lines.last().map(String::as_str), Some("  … 10000 more rows (r)"));
        // Behind them a text has room by its length.
        doc.marked(0, &"b\n".repeat(3_200), &[], 0, usize::MAX);
        let lines = words(&doc);
        assert_eq!(lines.len(), 20_001 + 100 + 1);
        assert_eq!(lines.last().map(String::as_str), Some("… 3100 more rows (r)"));

        let mut doc = Doc::new(60);
        doc.marked(0, &text, &[(50_000..50_001, Role::Window)], 50_000, usize::MAX);
        let lines = words(&doc);
        assert_eq!(lines.first().map(String::as_str), Some("… 24999 rows before"));
        assert_eq!(lines.len(), 1 + 5_001);

        let mut doc = Doc::new(60);
        assert_eq!(doc.text(0, &text, Role::Plain, 4), 29_996);
        let long = format!("{}\n", "a b ".repeat(16)).repeat(30_000);
        let mut doc = Doc::new(70);
        doc.text(0, &long, Role::Plain, usize::MAX);
        assert_eq!(words(&doc).len(), 30_000);
    }

    #[test]
    fn a_label_is_as_harmless_as_its_value() {
        let mut doc = Doc::new(60);
        doc.field(0, "flag A\u{2028}B\u{1b}[31m", "C\u{202e}D", Role::Plain);
        let text: String =
            doc.lines.iter().flat_map(|line| &line.pieces).map(|(text, _)| text.as_str()).collect();
        assert_eq!(text, "flag A<U+2028>B␛[31m C<U+202E>D");
    }
}
