//! JSON Lines read one by one, whatever the length of the whole.

use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use super::error::InputError;
use super::unpack::reader_of;
use crate::format::secrets::mask_quoted;

/// Bytes of a line, at most: what is longer is passed over and said.
const LONGEST: usize = 64 << 20;
/// Bytes of a line after which no end is waited for.
const ENDLESS: usize = 2 << 30;

/// A line.
#[derive(Debug)]
pub struct Line {
    /// Its number, from 1.
    pub number: usize,
    /// Its text without the line end, or why there is none.
    pub text: Result<String, LineError>,
}

/// Why a line cannot be used, with the place in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineError {
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub what: String,
}

/// The lines of a file or a pipe that are not blank. After an error of the system there are no more.
pub struct Lines<R> {
    from: R,
    number: usize,
    blank: bool,
    ended: bool,
}

/// Opens a file for reading by lines, unpacked where it is packed; none is standard input.
pub fn lines_of(path: Option<&Path>) -> Result<Lines<BufReader<Box<dyn Read + Send>>>, InputError> {
    let from = reader_of(path)?;
    Ok(Lines::new(BufReader::with_capacity(1 << 16, from)))
}

impl<R: BufRead> Lines<R> {
    /// Reads lines from here.
    pub fn new(from: R) -> Self {
        Self { from, number: 0, blank: false, ended: false }
    }

    /// Blank ones, too.
    #[must_use]
    pub fn all(self) -> Self {
        Self { blank: true, ..self }
    }

    /// The next line, blank or not; none at the end.
    fn read(&mut self) -> Option<Result<String, LineError>> {
        let mut bytes = Vec::new();
        let mut length = 0;
        loop {
            let (used, whole) = match self.from.fill_buf() {
                Ok([]) if length == 0 => return None,
                Ok([]) => break,
                Ok(buffer) => {
                    let end = memchr::memchr(b'\n', buffer);
                    let piece = buffer.get(..end.unwrap_or(buffer.len())).unwrap_or_default();
                    if length + piece.len() <= LONGEST {
                        bytes.extend_from_slice(piece);
                    }
                    (piece.len(), end.is_some())
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    self.ended = true;
                    return Some(Err(LineError {
                        column: length + 1,
                        what: format!("cannot be read any further: {error}"),
                    }));
                }
            };
            self.from.consume(used + usize::from(whole));
            length += used;
            if length > ENDLESS {
                self.ended = true;
                let what = format!("a line of more than {} GB: nothing more is read", ENDLESS >> 30);
                return Some(Err(LineError { column: 1, what }));
            }
            if whole {
                break;
            }
        }
        if length > LONGEST {
            let what = format!("a line of more than {} MB; split it", LONGEST >> 20);
            return Some(Err(LineError { column: 1, what }));
        }
        Some(String::from_utf8(bytes).map_err(|error| {
            let before = error.as_bytes().get(..error.utf8_error().valid_up_to()).unwrap_or_default();
            let column = String::from_utf8_lossy(before).chars().count() + 1;
            LineError { column, what: "not UTF-8; write the file as UTF-8".to_owned() }
        }))
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = Line;

    fn next(&mut self) -> Option<Line> {
        while !self.ended {
            let mut text = self.read()?;
            self.number += 1;
            if let Ok(line) = &mut text {
                if self.number == 1 && line.starts_with('\u{feff}') {
                    line.remove(0);
                }
                if !self.blank && line.trim().is_empty() {
                    continue;
                }
            }
            return Some(Line { number: self.number, text });
        }
        None
    }
}

impl LineError {
    /// What a parser says of a line.
    pub fn of_json(line: &str, error: &serde_json::Error) -> Self {
        // It quotes what it did not expect.
        let told = error.to_string();
        let told = mask_quoted(&told);
        let what = told.rsplit_once(" at line ").map_or(&*told, |(what, _)| what);
        let what = if error.is_data() { what.to_owned() } else { format!("not JSON: {what}") };
        // The parser counts bytes.
        let byte = line.floor_char_boundary(error.column().saturating_sub(1));
        Self { column: line.get(..byte).map_or(0, |before| before.chars().count()) + 1, what }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Vec<(usize, Result<String, LineError>)> {
        // A buffer of three bytes, so that lines lie across its ends.
        let lines = Lines::new(BufReader::with_capacity(3, bytes));
        lines.map(|line| (line.number, line.text)).collect()
    }

    #[test]
    fn lines_keep_their_numbers_and_blank_ones_are_passed_over() {
        let text = |text: &str| Ok(text.to_owned());
        assert_eq!(
            read("\u{feff}{\"a\": 1}\r\n\n  \nlast".as_bytes()),
            [(1, text("{\"a\": 1}\r")), (4, text("last"))]
        );
        assert_eq!(read(b""), []);
    }

    #[test]
    fn what_is_not_utf_8_is_said_and_the_next_line_read() {
        let bad = Err(LineError { column: 3, what: "not UTF-8; write the file as UTF-8".to_owned() });
        assert_eq!(read(b"\xc3\xa4b\xff\nc\n"), [(1, bad), (2, Ok("c".to_owned()))]);
    }

    #[test]
    fn a_line_without_end_is_passed_over_in_bounded_memory() {
        let long = io::repeat(b'x').take(LONGEST as u64 + 1).chain(&b"\nnext"[..]);
        let lines: Vec<Line> = Lines::new(BufReader::new(long)).collect();
        assert_eq!(lines[0].text.as_ref().unwrap_err().what, "a line of more than 64 MB; split it");
        assert_eq!((lines[1].number, lines[1].text.as_deref()), (2, Ok("next")));
    }

    #[test]
    fn an_error_of_the_system_ends_the_lines() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("gone"))
            }
        }
        let lines: Vec<Line> = Lines::new(BufReader::new((&b"one\ntw"[..]).chain(Broken))).collect();
        assert_eq!(lines.len(), 2);
        assert_eq!(
            lines[1].text,
            Err(LineError { column: 3, what: "cannot be read any further: gone".to_owned() })
        );
    }
}
