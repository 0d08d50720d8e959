//! Where the bytes of an input are, and where the records in it.

use std::ops::Range;
use std::path::Path;

use super::backing::Backing;
use super::error::InputError;
use super::framing::{Container, Framing};
use super::index::Index;
use super::text::LineColumn;
use crate::model::Notice;

/// What is kept of an input; of very many files it is most of what is.
#[derive(Debug)]
pub(super) struct Places {
    /// How the values are strung together.
    pub container: Container,
    /// How frames are found again in the stretch of a record.
    pub framing: Framing,
    /// Number of the first record, where the input is a piece of a longer one.
    pub first_record: usize,
    pub backing: Backing,
    pub index: Index,
    told: Option<Box<Told>>,
}

/// What few files have.
#[derive(Debug)]
struct Told {
    /// The name; nothing where the path of the file says the same.
    name: Option<Box<str>>,
    /// What was mended or passed over while reading.
    notices: Vec<Notice>,
}

impl Places {
    /// Of an input by its name, with what was mended or passed over while reading.
    pub fn new(
        (name, notices): (&str, Vec<Notice>),
        (container, framing): (Container, Framing),
        first_record: usize,
        backing: Backing,
        index: Index,
    ) -> Self {
        let name = Some(name).filter(|name| backing.path() != Some(Path::new(name))).map(Box::from);
        let is_told = name.is_some() || !notices.is_empty();
        let told = is_told.then(|| Box::new(Told { name, notices }));
        Self { container, framing, first_record, backing, index, told }
    }

    /// File name, or `stdin`.
    pub fn name(&self) -> &str {
        let own = self.told.as_ref().and_then(|told| told.name.as_deref());
        let of_file = || self.backing.path().and_then(Path::to_str);
        own.or_else(of_file).unwrap_or_default()
    }

    /// What was mended or passed over while reading.
    pub fn notices(&self) -> &[Notice] {
        self.told.as_ref().map_or(&[], |told| &told.notices)
    }

    /// Line and column of a byte of the input; of a place before it they may be known.
    pub fn place_of(&self, byte: u64, known: Option<(u64, LineColumn)>) -> LineColumn {
        if let Backing::Memory(text) = &self.backing {
            return text.line_column(byte as usize, || (1, 1));
        }
        let line = self.index.line_before(byte);
        let kept = (line.byte.min(byte), (line.before, line.column as usize + 1));
        let known = known.map(|(before, (line, column))| (before, (line as u64 - 1, column)));
        let (from, place) = known.filter(|(before, _)| (kept.0..=byte).contains(before)).unwrap_or(kept);
        // A file that has changed meanwhile has no places; whoever reads it next is told.
        self.backing.count_lines(from..byte, place).unwrap_or((1, 1))
    }

    /// Reads a stretch that may be cut short inside of a character, not before `least`.
    pub fn read_text(&self, bytes: Range<u64>, least: u64) -> Result<String, InputError> {
        let least = (least - bytes.start) as usize;
        let read = self.backing.read(bytes).map_err(|error| InputError::unreadable(self.name(), &error))?;
        let text = String::from_utf8(read).or_else(|error| {
            let whole = error.utf8_error().valid_up_to();
            let mut read = error.into_bytes();
            read.truncate(whole);
            if whole < least {
                Err(InputError::changed(self.name()))
            } else {
                Ok(String::from_utf8(read).unwrap_or_default())
            }
        })?;
        if text.len() < least { Err(InputError::changed(self.name())) } else { Ok(text) }
    }
}
