//! Bytes to frames: reads files and standard input, tells containers apart, cuts them into JSON values.
//! Knows JSON's punctuation, never its keys.

mod framing;
mod lines;
mod source;

use std::ops::Range;
use std::sync::OnceLock;

use crate::model::Notice;

pub use framing::{Container, is_lines};
pub use lines::{Line, LineError, Lines, lines_of};
pub use source::{InputError, files_below, from_bytes, from_lines, read_bytes, read_file, read_stdin};

/// One input: its text and the frames in it.
#[derive(Debug, Clone)]
pub struct Input {
    /// File name, or `stdin`.
    pub name: String,
    /// The text, UTF-8. Line prefixes inside a JSON value (`data:` of a multi-line event) are blanked in place.
    pub text: String,
    /// How the values are strung together.
    pub container: Container,
    /// The values in order of arrival.
    pub frames: Vec<Frame>,
    /// What was mended or passed over while reading.
    pub notices: Vec<Notice>,
    /// Lines before the text, where it is a piece of a longer input.
    pub first_line: usize,
    /// Where lines begin, found when the first place is asked for.
    lines: OnceLock<Vec<usize>>,
}

/// One JSON value of the input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// Its bytes.
    pub range: Range<usize>,
    /// False where the input ended inside it.
    pub whole: bool,
}

impl Input {
    /// Text of a frame; empty for a number past the end.
    pub fn frame(&self, index: usize) -> &str {
        self.frames.get(index).and_then(|frame| self.text.get(frame.range.clone())).unwrap_or_default()
    }

    /// Whether places in the text are places in these bytes, which it was read from: true of UTF-8.
    pub fn is_verbatim(&self, bytes: &[u8]) -> bool {
        self.text.len() == bytes.len() && std::str::from_utf8(bytes).is_ok()
    }

    /// Line and column, both from 1, of a byte; the column counts characters.
    pub fn line_column(&self, byte: usize) -> (usize, usize) {
        let starts = self.lines.get_or_init(|| memchr::memchr_iter(b'\n', self.text.as_bytes()).map(|at| at + 1).collect());
        let byte = self.text.floor_char_boundary(byte);
        let line = starts.partition_point(|&start| start <= byte);
        let start = line.checked_sub(1).and_then(|before| starts.get(before)).copied().unwrap_or(0);
        (self.first_line + line + 1, self.text.get(start..byte).map_or(0, |before| before.chars().count()) + 1)
    }

    /// Cuts a document again that turned out to hold several values one after another.
    pub fn split_again(&mut self) {
        framing::split_values(self);
    }
}

/// Line and column, both from 1, of a byte of a text; the column counts characters.
pub fn line_column(text: &str, byte: usize) -> (usize, usize) {
    let before = text.get(..text.floor_char_boundary(byte)).unwrap_or(text);
    let line_start = memchr::memrchr(b'\n', before.as_bytes()).map_or(0, |at| at + 1);
    let column = before.get(line_start..).map_or(0, |line| line.chars().count());
    (memchr::memchr_iter(b'\n', before.as_bytes()).count() + 1, column + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        assert_eq!(line_column("a\nÄb", 2), (2, 1));
        assert_eq!(line_column("a\nÄb", 4), (2, 2));
        assert_eq!(line_column("", 9), (1, 1));
    }
}
