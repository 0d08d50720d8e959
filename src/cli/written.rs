//! What is written of a line or a record until its turn comes: in memory, and from a megabyte on in an
//! unnamed file. One of a few megabytes may become one of fifty.

use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};

use super::failure::Failure;

/// Bytes that stay in memory.
const SHORT: usize = 1 << 20;

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

    fn flush(&mut self) -> io::Result<()> {
        self.rest.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Written {
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
