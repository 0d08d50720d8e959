//! The answer as it is drawn: rows of bits, each with the bytes of the answer that it stands for. Markdown is
//! drawn as Markdown, with our numbers behind the claims in the place of the provider's marks; what is too
//! long for that, and what the user wants to see as it was sent, is drawn as its source.
//!
//! Promises: bits come in the order of the answer, so that the row of a byte is found by bisection; every bit
//! of text is a piece of the answer, or stands for one, or was put in by us and says so.

mod bit;
mod flow;
mod markdown;
mod numbers;
mod table;

use std::ops::Range;
use std::sync::Arc;

use unicode_segmentation::UnicodeSegmentation;

pub use bit::{Bit, Drawn, Of, TextStyle};
pub use numbers::{Number, Numbers, numbers, numbers_of};

use crate::text::{Rows, cell};

/// Cells of the widest screen that is drawn.
const FAR: usize = 1000;
/// Bytes of an answer up to which it is drawn as Markdown.
pub const MARKDOWN_MOST: usize = 1 << 20;

/// The answer as it is drawn at a width.
#[derive(Debug)]
pub struct Page {
    rows: Arc<Rows>,
    drawn: Option<flow::Laid>,
    numbers: Vec<Number>,
}

impl Page {
    /// As its source.
    pub fn source(text: &str, width: usize) -> Self {
        Self { rows: Arc::new(Rows::wrap(text, width)), drawn: None, numbers: Vec::new() }
    }

    /// With numbers behind the claims; as Markdown, or, where it is none, line by line.
    pub fn laid(text: &str, is_markdown: bool, numbers: Numbers, width: usize) -> Self {
        let mut flow = flow::Flow::new(text, width.max(8), &numbers);
        if is_markdown {
            markdown::lay(text, &mut flow);
        } else {
            flow.source(0..text.len());
            flow.end_block(text.len());
        }
        let laid = flow.finish();
        Self { rows: Arc::new(Rows::wrap("", 1)), drawn: Some(laid), numbers: numbers.list }
    }

    /// How many rows.
    pub fn len(&self) -> usize {
        self.drawn.as_ref().map_or(self.rows.len(), flow::Laid::len)
    }

    /// Never: even an empty text has a row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The numbers, in their order.
    pub fn numbers(&self) -> &[Number] {
        &self.numbers
    }

    /// The bytes of the answer that a row shows.
    pub fn row(&self, index: usize) -> Option<Range<usize>> {
        match &self.drawn {
            Some(drawn) => drawn.bytes_of(index),
            None => self.rows.row(index),
        }
    }

    /// The row that shows a byte of the answer, or what stands for it.
    pub fn row_of(&self, byte: usize) -> usize {
        match &self.drawn {
            Some(drawn) => drawn.row_of(byte),
            None => self.rows.row_of(byte),
        }
    }

    /// What a row is made of.
    pub fn bits<'p>(&'p self, text: &'p str, index: usize) -> Vec<Bit<'p>> {
        if let Some(drawn) = &self.drawn {
            return drawn.bits(index);
        }
        let row = self.rows.row(index).unwrap_or_default();
        let bit = |row: Range<usize>| Bit {
            text: text.get(row.clone()).unwrap_or_default(),
            of: Of::Text(row.start),
            style: TextStyle::default(),
        };
        vec![bit(row)]
    }

    /// The clusters of a row.
    pub fn drawn<'p>(&'p self, text: &'p str, index: usize) -> Vec<Drawn<'p>> {
        let mut out = Vec::new();
        // Tabs count from where the text begins.
        let lead = self.drawn.as_ref().map_or(0, |drawn| drawn.lead(index));
        let mut column: usize = 0;
        for bit in self.bits(text, index) {
            for (at, cluster) in bit.text.grapheme_indices(true) {
                // Only hanging blanks go that far.
                if column > FAR {
                    break;
                }
                let cell = cell(cluster, column.saturating_sub(lead));
                let of = if let Of::Text(from) = bit.of { Of::Text(from + at) } else { bit.of };
                let wide = cell.width;
                out.push(Drawn { column, cell, of, style: bit.style });
                column += wide;
            }
        }
        // Blanks at the end of a row hang over it.
        let solid = |drawn: &Drawn| !drawn.cell.text.trim().is_empty();
        out.truncate(out.iter().rposition(solid).map_or(0, |last| last + 1));
        out
    }

    /// What is drawn at a column of a row.
    pub fn at(&self, text: &str, index: usize, column: usize) -> Option<Of> {
        let under = |drawn: &Drawn| (drawn.column..drawn.column + drawn.cell.width).contains(&column);
        self.drawn(text, index).into_iter().find(under).map(|drawn| drawn.of)
    }
}
