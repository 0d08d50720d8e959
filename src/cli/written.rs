//! What is written of a line or a record until its turn comes: in memory, and from a megabyte on in an
//! unnamed file. One of a few megabytes may become one of fifty.

use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};

use super::failure::Failure;

/// Bytes that stay in memory.
const SHORT: usize = 1 << 20;

/// What room is made for at once: most lines are shorter.
const USUAL: usize = 4 << 10;

/// What was written so far.
#[derive(Default)]
pub(super) struct Written {
    bytes: Vec<u8>,
    /// What follows.
    rest: Option<BufWriter<File>>,
    /// No file can be made, as where all is read-only: it stays in memory.
    fileless: bool,
}

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.rest.is_none() && !self.fileless && self.bytes.len() + bytes.len() > SHORT {
            self.rest = tempfile::tempfile().ok().map(BufWriter::new);
            self.fileless = self.rest.is_none();
        }
        match &mut self.rest {
            Some(file) => file.write(bytes),
            None => self.bytes.write(bytes),
        }
    }

    /// JSON is written in pieces of a few bytes, each of which comes here.
    #[inline]
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.rest.is_none() && self.bytes.len() + bytes.len() <= self.bytes.capacity().min(SHORT) {
            self.bytes.extend_from_slice(bytes);
            return Ok(());
        }
        self.write_beyond(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.rest.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Written {
    /// What needs more room, or a file.
    #[cold]
    fn write_beyond(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        if self.bytes.capacity() == 0 {
            self.bytes.reserve(USUAL);
        }
        while let Some(rest) = bytes.get(self.write(bytes)?..).filter(|rest| !rest.is_empty()) {
            if rest.len() == bytes.len() {
                return Err(io::ErrorKind::WriteZero.into());
            }
            bytes = rest;
        }
        Ok(())
    }

    /// Whether nothing was written.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty() && self.rest.is_none()
    }

    /// Writes all of it.
    ///
    /// # Errors
    ///
    /// Where the file cannot be read, or `out` not be written.
    pub fn copy_to(self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(&self.bytes)?;
        if let Some(rest) = self.rest {
            let mut file = rest.into_inner().map_err(io::IntoInnerError::into_error)?;
            file.rewind()?;
            io::copy(&mut file, out)?;
        }
        Ok(())
    }
}

/// What could not be kept so.
pub(super) fn unkept(error: &io::Error) -> Failure {
    Failure::Because(format!("output that is long is kept in a temporary file, which failed: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_long_comes_out_as_it_was_written() {
        for size in [0, 1, SHORT - 1, SHORT, SHORT + 1, 3 * SHORT] {
            let text: Vec<u8> = (0..size).map(|at| (at / 7) as u8).collect();
            let mut written = Written::default();
            for piece in text.chunks(100_003) {
                written.write_all(piece).unwrap();
            }
            assert!(written.bytes.len() <= SHORT && written.rest.is_some() == (size > SHORT), "{size}");
            let mut out = Vec::new();
            written.copy_to(&mut out).unwrap();
            assert!(out == text, "{size}");
        }
    }
}
