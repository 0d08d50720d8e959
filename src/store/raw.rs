//! An input as it came, byte for byte: what is written again with changes.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::ops::Range;
use std::path::Path;

use super::backing::Backing;
use super::error::InputError;
use super::input::{BLOCK, Input};
use super::pieces::Pieces;
use super::spool::{Spool, Spooled};

/// The bytes of a file or a pipe, which can be read again.
pub struct Raw {
    name: String,
    bytes: Bytes,
}

enum Bytes {
    Held(Vec<u8>),
    Stored(Backing, u64),
}

/// Bytes that are read at once.
const STEP: u64 = 1 << 20;

impl Raw {
    /// Of a file, or of standard input where none is named.
    pub fn of(path: Option<&Path>) -> Result<Self, InputError> {
        let spooled = |spooled: Spooled| match spooled {
            Spooled::Short(bytes) => Bytes::Held(bytes),
            Spooled::Long(backing, length) => Bytes::Stored(backing, length),
        };
        let spool = Spool::new(u64::MAX);
        let Some(path) = path else {
            let read = spool.keep(io::stdin(), BLOCK);
            let bytes = read.map(spooled).map_err(|error| InputError::unreadable("stdin", &error))?;
            return Ok(Self { name: "stdin".to_owned(), bytes });
        };
        let bytes = match Backing::file(path) {
            Ok(Some((backing, length))) => Ok(Bytes::Stored(backing, length)),
            Ok(None) => File::open(path).and_then(|file| spool.keep(file, BLOCK)).map(spooled),
            Err(error) => Err(error),
        };
        let bytes = bytes.map_err(|error| InputError::refused(path, &error))?;
        Ok(Self { name: path.display().to_string(), bytes })
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many there are.
    pub fn length(&self) -> u64 {
        match &self.bytes {
            Bytes::Held(bytes) => bytes.len() as u64,
            Bytes::Stored(_, length) => *length,
        }
    }

    /// Where the records are, a piece at a time, of which one may have so many bytes. What is packed is not
    /// unpacked.
    pub fn pieces(&self, longest: u64) -> Result<Pieces, InputError> {
        match &self.bytes {
            Bytes::Held(bytes) => Ok(Pieces::whole(Input::from_bytes(&self.name, bytes.clone()))),
            Bytes::Stored(backing, length) => Pieces::stored(&self.name, backing.clone(), *length, longest),
        }
    }

    /// The bytes of a stretch, from front to back. Its errors carry an [`InputError`]: whoever copies them
    /// somewhere can tell what failed.
    pub fn read(&self, stretch: Range<u64>) -> Box<dyn Read + '_> {
        match &self.bytes {
            Bytes::Held(bytes) => {
                let stretch = stretch.start as usize..stretch.end as usize;
                Box::new(bytes.get(stretch).unwrap_or_default())
            }
            Bytes::Stored(backing, _) => {
                Box::new(Blocks { name: &self.name, backing, rest: stretch, block: Cursor::default() })
            }
        }
    }
}

/// A stretch of a backing, a block at a time.
struct Blocks<'b> {
    name: &'b str,
    backing: &'b Backing,
    rest: Range<u64>,
    block: Cursor<Vec<u8>>,
}

impl Read for Blocks<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let given = self.block.read(into)?;
        if given > 0 || self.rest.is_empty() {
            return Ok(given);
        }
        let end = self.rest.end.min(self.rest.start + STEP);
        let read = self.backing.read(self.rest.start..end);
        let told = |error: io::Error| io::Error::new(error.kind(), InputError::unreadable(self.name, &error));
        self.block = Cursor::new(read.map_err(told)?);
        self.rest.start = end;
        self.block.read(into)
    }
}
