//! Laying text out in rows: blocks with what stands before their lines, wrapped one by one.

use std::collections::HashMap;
use std::ops::Range;

use super::bit::{Bit, Of, TextStyle};
use super::numbers::Numbers;
use crate::text::{Rows, one_line, truncate, width};

/// Bytes before a block in which an empty line is looked for.
const NEAR: usize = 512;

/// A piece of what is drawn, up to the next one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    /// Where it begins in the drawn text.
    at: u32,
    /// What it stands for.
    of: Of,
    style: TextStyle,
}

/// A row of what is drawn.
#[derive(Debug, Clone, Copy)]
struct Row {
    start: u32,
    end: u32,
    /// What stands before it: a number of the leads.
    lead: u32,
    /// The byte of the answer with which it begins.
    from: u32,
}

/// Text laid out in rows.
#[derive(Debug)]
pub(super) struct Laid {
    text: String,
    pieces: Vec<Piece>,
    rows: Vec<Row>,
    leads: Vec<String>,
    /// Bytes of the answer.
    length: usize,
}

/// What was cut off the end of a flow.
pub(super) struct Fragment {
    text: String,
    pieces: Vec<Piece>,
}

impl Fragment {
    /// Cells, of the widest line.
    pub(super) fn width(&self) -> usize {
        self.text.lines().map(width).max().unwrap_or_default()
    }

    pub(super) fn is_one_line(&self) -> bool {
        !self.text.contains('\n')
    }

    pub(super) fn is_empty(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// Puts another behind it.
    pub(super) fn append(&mut self, other: Self) {
        let shift = self.text.len() as u32;
        self.pieces.extend(other.pieces.into_iter().map(|piece| Piece { at: piece.at + shift, ..piece }));
        self.text.push_str(&other.text);
    }

    /// Its words without the numbers, cut to so many cells.
    pub(super) fn name(&self, cells: usize) -> String {
        let mut name = String::new();
        for (index, piece) in self.pieces.iter().enumerate().take(cells) {
            if matches!(piece.of, Of::Number(_)) {
                continue;
            }
            let end = self.pieces.get(index + 1).map_or(self.text.len(), |next| next.at as usize);
            name.extend(self.text.get(piece.at as usize..end).unwrap_or_default().chars().take(cells * 4));
        }
        truncate(one_line(name.trim()).as_ref(), cells).into_owned()
    }
}

/// What is being laid out.
pub(super) struct Flow<'t> {
    source: &'t str,
    wide: usize,
    text: String,
    pieces: Vec<Piece>,
    rows: Vec<Row>,
    leads: Vec<String>,
    lead_numbers: HashMap<String, u32>,
    numbers: &'t Numbers,
    next_number: usize,
    /// Where the open block begins in the drawn text.
    block: usize,
    /// What stands before the first line of a block and before the others, from the outside in.
    stack: Vec<(String, String)>,
    /// How wide that is, with each entry.
    widths: Vec<usize>,
    /// How many further in were left out, since they would leave no room.
    left_out: usize,
    /// How text is set.
    pub(super) style: TextStyle,
}

impl<'t> Flow<'t> {
    pub(super) fn new(source: &'t str, wide: usize, numbers: &'t Numbers) -> Self {
        Self {
            source,
            wide,
            text: String::with_capacity(source.len() + source.len() / 16),
            pieces: Vec::new(),
            rows: Vec::new(),
            leads: vec![String::new()],
            lead_numbers: HashMap::from([(String::new(), 0)]),
            numbers,
            next_number: 0,
            block: 0,
            stack: Vec::new(),
            widths: Vec::new(),
            left_out: 0,
            style: TextStyle::default(),
        }
    }

    /// Cells that a line of the open block has.
    pub(super) fn room(&self) -> usize {
        self.wide.saturating_sub(self.lead_width()).max(1)
    }

    /// Where the drawn text ends.
    pub(super) fn end(&self) -> usize {
        self.text.len()
    }

    /// What stands before the lines that follow: before the first, and before the others, of one width.
    /// What leaves less than half of the width for text is left out.
    pub(super) fn push(&mut self, first: &str, rest: &str) {
        let lead = self.lead_width();
        let own = width(first).max(width(rest));
        if (lead + own) * 2 <= self.wide {
            self.stack.push((first.to_owned(), rest.to_owned()));
            self.widths.push(lead + own);
        } else {
            self.left_out += 1;
        }
    }

    pub(super) fn pop(&mut self) {
        // What is innermost ends first.
        if self.left_out > 0 {
            self.left_out -= 1;
        } else {
            self.stack.pop();
            self.widths.pop();
        }
    }

    fn lead_width(&self) -> usize {
        self.widths.last().copied().unwrap_or_default()
    }

    fn piece(&mut self, text: &str, of: Of, style: TextStyle) {
        if !text.is_empty() {
            self.pieces.push(Piece { at: self.text.len() as u32, of, style });
            self.text.push_str(text);
        }
    }

    /// Bytes of the answer as they are, without what is hidden, with the numbers that stand there.
    pub(super) fn source(&mut self, range: Range<usize>) {
        self.number_to(range.start);
        let mut from = range.start;
        while from < range.end {
            let hidden = self.numbers.hidden_from(from).filter(|hidden| hidden.start < range.end);
            let to = hidden.as_ref().map_or(range.end, |hidden| hidden.start.max(from));
            self.shown(from..to);
            from = hidden.map_or(range.end, |hidden| hidden.end.max(to));
            // A number whose mark is hidden stands in its place.
            self.number_to(from.min(range.end));
        }
    }

    /// Bytes that are shown, cut where numbers stand.
    fn shown(&mut self, range: Range<usize>) {
        let mut from = range.start;
        while let Some(at) = self.numbers.at(self.next_number).filter(|&at| at <= range.end) {
            let to = at.max(from);
            self.piece(self.source.get(from..to).unwrap_or_default(), Of::Text(from), self.style);
            from = to;
            self.number_to(at);
        }
        self.piece(self.source.get(from..range.end).unwrap_or_default(), Of::Text(from), self.style);
    }

    /// The numbers up to a byte of the answer.
    pub(super) fn number_to(&mut self, byte: usize) {
        while self.numbers.at(self.next_number).is_some_and(|at| at <= byte) {
            let index = self.next_number;
            self.next_number += 1;
            let text = self.numbers.list.get(index).map_or("", |number| number.text.as_str());
            self.piece(text, Of::Number(index), TextStyle::default());
        }
    }

    /// Whether a byte of the answer is not drawn.
    pub(super) fn is_hidden(&self, byte: usize) -> bool {
        self.numbers.hidden_from(byte).is_some_and(|hidden| hidden.start <= byte)
    }

    /// Something of the answer that is written otherwise.
    pub(super) fn stand(&mut self, drawn: &str, range: &Range<usize>) {
        self.number_to(range.start);
        if !self.is_hidden(range.start) {
            self.piece(drawn, Of::Stand(range.start), self.style);
        }
    }

    /// Text of ours.
    pub(super) fn fill(&mut self, drawn: &str, style: TextStyle) {
        self.piece(drawn, Of::Fill, style);
    }

    /// Ends the open block, which reaches to a byte of the answer, and lays it out.
    pub(super) fn end_block(&mut self, byte: usize) {
        let empty = self.text.len() == self.block;
        let pending = self.numbers.at(self.next_number).is_some_and(|at| at <= byte);
        if empty
            && pending
            && let Some(last) = self.rows.iter().rposition(|row| row.end > row.start)
        {
            // Numbers of what is not drawn stand behind what was drawn before it.
            self.rows.truncate(last + 1);
            self.number_to(byte);
            if let Some(row) = self.rows.get_mut(last) {
                row.end = self.text.len() as u32;
            }
            self.block = self.text.len();
            return;
        }
        if !empty || pending {
            self.number_to(byte);
        }
        if self.text.len() == self.block {
            return;
        }
        let block = self.block;
        let rows = Rows::wrap(self.text.get(block..).unwrap_or_default(), self.room());
        for (index, row) in rows.iter().enumerate() {
            let lead = self.lead(index == 0);
            self.rows.push(Row {
                start: (block + row.start) as u32,
                end: (block + row.end) as u32,
                lead,
                from: u32::MAX,
            });
        }
        self.block = self.text.len();
    }

    /// The number of what stands before a line; what stands before a first one is used once.
    fn lead(&mut self, first: bool) -> u32 {
        let mut lead = String::new();
        for (own, rest) in &mut self.stack {
            lead.push_str(if first { own } else { rest });
            if first {
                own.clone_from(rest);
            }
        }
        self.number_of(lead)
    }

    /// An empty row before a block that begins at a byte, where the answer has one.
    pub(super) fn gap(&mut self, byte: usize) {
        let before = self.source.get(..byte).unwrap_or_default();
        let blanks = before
            .bytes()
            .rev()
            .take(NEAR)
            .take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'>'));
        if self.rows.is_empty() || blanks.filter(|byte| *byte == b'\n').take(2).count() < 2 {
            return;
        }
        let at = self.text.len() as u32;
        // One row parts a quote and the paragraph that it begins with from what was before.
        if self.rows.last().is_some_and(|row| row.start == at) {
            return;
        }
        let lead: String = self.stack.iter().map(|(_, rest)| rest.as_str()).collect();
        let lead = if lead.trim().is_empty() { 0 } else { self.number_of(lead) };
        self.rows.push(Row { start: at, end: at, lead, from: u32::MAX });
    }

    fn number_of(&mut self, lead: String) -> u32 {
        let next = self.leads.len() as u32;
        let number = *self.lead_numbers.entry(lead.clone()).or_insert(next);
        if number == next {
            self.leads.push(lead);
        }
        number
    }

    /// Takes off what was drawn from a place on.
    pub(super) fn cut(&mut self, from: usize) -> Fragment {
        let first = self.pieces.partition_point(|piece| (piece.at as usize) < from);
        let shift = from as u32;
        let pieces = self.pieces.split_off(first);
        let pieces = pieces.into_iter().map(|piece| Piece { at: piece.at - shift, ..piece }).collect();
        Fragment { text: self.text.split_off(from), pieces }
    }

    /// Puts a fragment behind what was drawn.
    pub(super) fn join(&mut self, fragment: Fragment) {
        let shift = self.text.len() as u32;
        self.pieces.extend(fragment.pieces.into_iter().map(|piece| Piece { at: piece.at + shift, ..piece }));
        self.text.push_str(&fragment.text);
    }

    pub(super) fn finish(mut self) -> Laid {
        self.end_block(self.source.len());
        self.number_to(usize::MAX);
        self.end_block(self.source.len());
        if self.rows.is_empty() {
            self.rows.push(Row { start: 0, end: 0, lead: 0, from: 0 });
        }
        let mut laid = Laid {
            text: self.text,
            pieces: self.pieces,
            rows: self.rows,
            leads: self.leads,
            length: self.source.len(),
        };
        laid.find_bytes();
        laid
    }
}

impl Laid {
    /// How many rows.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Notes with which byte of the answer each row begins; one without text of the answer begins where the
    /// text before it ends.
    fn find_bytes(&mut self) {
        let mut end = 0;
        for index in 0..self.rows.len() {
            let (mut first, mut last) = (None, end);
            for bit in self.bits(index) {
                let (from, to) = match bit.of {
                    Of::Text(byte) => (byte, byte + bit.text.len()),
                    Of::Stand(byte) => (byte, byte + 1),
                    Of::Number(_) | Of::Fill => continue,
                };
                first = first.or(Some(from));
                last = last.max(to);
            }
            if let Some(row) = self.rows.get_mut(index) {
                row.from = first.unwrap_or(end) as u32;
            }
            end = last;
        }
        let mut most = 0;
        for row in &mut self.rows {
            most = row.from.max(most);
            row.from = most;
        }
        if let Some(first) = self.rows.first_mut() {
            first.from = 0;
        }
    }

    pub(super) fn bytes_of(&self, index: usize) -> Option<Range<usize>> {
        let from = self.rows.get(index)?.from as usize;
        let to = self.rows.get(index + 1).map_or(self.length, |row| row.from as usize);
        Some(from..to.max(from))
    }

    pub(super) fn row_of(&self, byte: usize) -> usize {
        self.rows.partition_point(|row| row.from as usize <= byte).saturating_sub(1)
    }

    /// Cells that stand before the text of a row.
    pub(super) fn lead(&self, index: usize) -> usize {
        let lead = self.rows.get(index).and_then(|row| self.leads.get(row.lead as usize));
        lead.map_or(0, |lead| width(lead))
    }

    pub(super) fn bits(&self, index: usize) -> Vec<Bit<'_>> {
        let Some(row) = self.rows.get(index) else { return Vec::new() };
        let lead = self.leads.get(row.lead as usize).map_or("", String::as_str);
        let mut bits = Vec::new();
        if !lead.is_empty() {
            bits.push(Bit { text: lead, of: Of::Fill, style: TextStyle::QUIET });
        }
        let first = self.pieces.partition_point(|piece| piece.at <= row.start).saturating_sub(1);
        for (number, piece) in self.pieces.iter().enumerate().skip(first) {
            if piece.at >= row.end {
                break;
            }
            let end = self.pieces.get(number + 1).map_or(self.text.len() as u32, |next| next.at);
            let (from, to) = (piece.at.max(row.start), end.min(row.end));
            if from >= to {
                continue;
            }
            let of = match piece.of {
                Of::Text(byte) => Of::Text(byte + (from - piece.at) as usize),
                other => other,
            };
            let text = self.text.get(from as usize..to as usize).unwrap_or_default();
            bits.push(Bit { text, of, style: piece.style });
        }
        bits
    }
}
