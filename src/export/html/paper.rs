//! What is written on: a page may be eighty times its response, so that it goes out piece by piece.

use std::fmt;
use std::io::{self, Write};

/// Bytes that are held before they go out.
const HELD: usize = 1 << 18;

/// Text on its way to a writer.
pub(super) struct Paper<'w> {
    held: String,
    out: &'w mut dyn Write,
    failed: Option<io::Error>,
}

impl<'w> Paper<'w> {
    pub fn new(out: &'w mut dyn Write) -> Self {
        Self { held: String::new(), out, failed: None }
    }

    pub fn push_str(&mut self, text: &str) {
        self.held.push_str(text);
        if self.held.len() >= HELD {
            self.pass();
        }
    }

    pub fn push(&mut self, sign: char) {
        self.push_str(sign.encode_utf8(&mut [0; 4]));
    }

    fn pass(&mut self) {
        if self.failed.is_none() {
            self.failed = self.out.write_all(self.held.as_bytes()).err();
        }
        self.held.clear();
    }

    /// Writes what is left; the error is the first one.
    pub fn finish(mut self) -> io::Result<()> {
        self.pass();
        self.failed.map_or(Ok(()), Err)
    }
}

/// An error is kept to the end.
impl fmt::Write for Paper<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push_str(text);
        Ok(())
    }
}
