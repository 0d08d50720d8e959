//! Where the bytes of an input are, and where the records in it.

use super::backing::Backing;
use super::framing::{Container, Framing};
use super::index::Index;
use super::text::LineColumn;
use crate::model::Notice;

/// What is kept of an input.
#[derive(Debug)]
pub(super) struct Places {
    /// File name, or `stdin`.
    pub name: String,
    /// How the values are strung together.
    pub container: Container,
    /// How frames are found again in the stretch of a record.
    pub framing: Framing,
    /// What was mended or passed over while reading.
    pub notices: Vec<Notice>,
    /// Number of the first record, where the input is a piece of a longer one.
    pub first_record: usize,
    pub backing: Backing,
    pub index: Index,
}

impl Places {
    /// Line and column of a byte in or before which a record begins.
    pub fn place_of(&self, record: usize, byte: u64) -> LineColumn {
        if let Backing::Memory(text) = &self.backing {
            return text.line_column(byte as usize, || (1, 1));
        }
        let line = self.index.line_before(record);
        // A file that has changed meanwhile has no places; whoever reads it next is told.
        let before = (line.before, line.column as usize + 1);
        self.backing.count_lines(line.byte.min(byte)..byte, before).unwrap_or((1, 1))
    }
    /// Line and column of a byte behind another one, of which they are known.
    pub fn place_behind(&self, before: u64, (line, column): LineColumn, byte: u64) -> LineColumn {
        if let Backing::Memory(text) = &self.backing {
            return text.line_column(byte as usize, || (1, 1));
        }
        self.backing.count_lines(before..byte, (line as u64 - 1, column)).unwrap_or((1, 1))
    }
}
