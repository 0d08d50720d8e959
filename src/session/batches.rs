//! An input in pieces: JSON Lines some megabytes at a time, so that a file of any length can be checked in
//! bounded memory; anything else whole, since its records may be strung together anyhow.

use std::io::{self, Read};

use super::open::{Session, Supplied};
use crate::store::{self, Input, InputError};

/// Bytes that are read at once: little enough to stay near the processor while its records are worked on.
const CHUNK: usize = 256 << 10;
/// Bytes that are asked for at least.
const LEAST: usize = 16 << 10;
/// Bytes in which the end of a first line is waited for.
const BLOCK: usize = 4 << 20;

/// The sessions that an input is read as, in order. Records and lines are numbered through.
pub struct Batches<R> {
    name: String,
    reader: R,
    /// Bytes that are asked for at most, and next: twice what there was last.
    chunk: usize,
    ask: usize,
    pending: Vec<u8>,
    /// Lines before those pending.
    lines: usize,
    /// Records before those pending.
    records: usize,
    /// Bytes that were pending when nothing complete was found last; looked at again after a quarter more.
    incomplete: usize,
    piecemeal: bool,
    done: bool,
    /// Why nothing could be read behind what is pending.
    fault: Option<InputError>,
    supplied: Supplied,
}

impl<R: Read> Batches<R> {
    /// Of whatever a reader gives.
    pub fn new(name: &str, reader: R, supplied: Supplied) -> Self {
        let name = name.to_owned();
        Self {
            name,
            reader,
            chunk: CHUNK,
            ask: CHUNK,
            pending: Vec::new(),
            lines: 0,
            records: 0,
            incomplete: 0,
            piecemeal: false,
            done: false,
            fault: None,
            supplied,
        }
    }

    /// Reads what there is, at once from a pipe that goes on; true at the end of the input.
    fn fill(&mut self) -> Result<bool, InputError> {
        let before = self.pending.len();
        self.pending.resize(before + self.ask, 0);
        let got = loop {
            let room = self.pending.get_mut(before..).unwrap_or_default();
            match self.reader.read(room) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                got => break got,
            }
        };
        self.pending.truncate(before + got.as_ref().copied().unwrap_or(0));
        let got = got.map_err(|error| self.failed(&error))?;
        self.ask = (got * 2).max(LEAST).min(self.chunk);
        Ok(got == 0)
    }

    /// Blank lines before the first one that is not are counted and not kept.
    fn skip_blank(&mut self) {
        if self.pending.len() >= CHUNK && self.pending.trim_ascii().is_empty() {
            self.lines += memchr::memchr_iter(b'\n', &self.pending).count();
            self.pending.clear();
        }
    }

    /// Reads the rest, unless its first record has more bytes than one may have.
    fn read_whole(&mut self) -> Result<(), InputError> {
        let longest = self.supplied.limits.longest();
        for most in [longest.saturating_sub(self.pending.len() as u64), u64::MAX] {
            let got = self.reader.by_ref().take(most).read_to_end(&mut self.pending);
            got.map_err(|error| self.failed(&error))?;
            if self.pending.len() as u64 == longest && store::is_begun_only(&self.pending) {
                return Err(InputError::too_long(&self.name, longest));
            }
        }
        Ok(())
    }

    fn failed(&self, error: &io::Error) -> InputError {
        InputError::Io { name: self.name.clone(), what: format!("cannot be read: {error}") }
    }

    fn read(&mut self) -> Result<Session, InputError> {
        loop {
            let end = match self.fill() {
                Ok(end) => end,
                // The lines that came before are worth having.
                Err(error) if self.piecemeal => {
                    self.fault = Some(error);
                    let whole = memchr::memrchr(b'\n', &self.pending).map_or(0, |at| at + 1);
                    self.pending.truncate(whole);
                    true
                }
                Err(error) => return Err(error),
            };
            if !self.piecemeal {
                self.skip_blank();
                // What the first line is shows when something stands behind it; what stands before lines may
                // be long, and so may the first of them.
                let waits = !end && self.pending.len() < BLOCK;
                if waits && (is_open(&self.pending) || self.pending.len() * 4 < self.incomplete * 5) {
                    continue;
                }
                let is_lines = store::is_lines(&self.pending);
                if waits && !is_lines {
                    self.incomplete = self.pending.len();
                    continue;
                }
                self.incomplete = 0;
                if end || !is_lines {
                    self.done = true;
                    // Of what is no text the rest is not read.
                    if store::is_binary(&self.pending) {
                        return Input::from_bytes(&self.name, std::mem::take(&mut self.pending))
                            .map(|input| self.session(input));
                    }
                    self.read_whole()?;
                    if self.lines > 0 && !self.pending.trim_ascii().is_empty() {
                        // Its lines are counted with those before.
                        self.pending.splice(..0, std::iter::repeat_n(b'\n', self.lines));
                    }
                    let input = Input::from_bytes(&self.name, std::mem::take(&mut self.pending))?;
                    return Ok(self.session(input));
                }
                self.piecemeal = true;
            }
            self.done = end;
            // A long record is not parsed again for every piece of it.
            if !end && self.pending.len() * 4 < self.incomplete * 5 {
                continue;
            }
            match self.cut(end) {
                Some(session) => return Ok(session),
                None => self.incomplete = self.pending.len(),
            }
        }
    }

    /// The records that are whole for certain: all but the last, which lines to come may belong to. `None`
    /// where the last one is all there is.
    fn cut(&mut self, end: bool) -> Option<Session> {
        let whole = if end {
            self.pending.len()
        } else {
            memchr::memrchr(b'\n', &self.pending).map_or(0, |at| at + 1)
        };
        let mut block = std::mem::take(&mut self.pending);
        let behind = block.split_off(whole);
        let before = (self.lines, self.records);
        let input = if end {
            Input::from_lines(&self.name, block, self.lines, self.records)
        } else {
            match Input::from_lines_but_last(&self.name, block, (&behind, CHUNK), before) {
                Ok((input, left)) => {
                    self.pending = left.bytes;
                    self.lines += left.lines;
                    input
                }
                Err(bytes) => {
                    self.pending = bytes;
                    return None;
                }
            }
        };
        self.records += input.len();
        self.incomplete = 0;
        Some(self.session(input))
    }

    fn session(&self, input: Input) -> Session {
        Session::new([Ok(input)], self.supplied.clone())
    }
}

/// Whether a text may yet turn out to be lines: nothing stands behind its first line so far.
fn is_open(text: &[u8]) -> bool {
    let line = memchr::memchr(b'\n', text);
    line.is_none_or(|end| text.get(end..).unwrap_or_default().trim_ascii().is_empty())
}

impl<R: Read> Iterator for Batches<R> {
    type Item = Result<Session, InputError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return self.fault.take().map(Err);
        }
        let read = self.read();
        self.done |= read.is_err();
        Some(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Places and verdicts of all records of an input, read in pieces of a few bytes.
    fn told(text: &str, chunk: usize) -> Vec<String> {
        let empty = Batches::new("f", &b""[..], Supplied::default());
        let mut batches = Batches { reader: text.as_bytes(), chunk, ask: chunk, ..empty };
        let mut out = Vec::new();
        for session in batches.by_ref() {
            let session = session.unwrap();
            for index in 0..session.len() {
                let number = session.number(index);
                out.push(match session.decode(index) {
                    Ok(reviews) => {
                        let place = reviews[0].place(&reviews[0].findings()[0]).unwrap();
                        format!("{number}: {}:{} {}", place.line, place.column, reviews[0].text())
                    }
                    Err(error) => format!("{number}: {error}"),
                });
            }
        }
        out
    }

    #[test]
    fn lines_in_pieces_are_the_same_records_with_the_same_places() {
        let piece = |id: &str, text: &str| {
            format!(
                r#"{{"responseId": "{id}", "candidates": [{{"content": {{"parts": [{{"text": "{text}"}}]}}}}]}}"#
            )
        };
        let mut text = String::new();
        for (id, word) in [("a", "One"), ("b", "Two "), ("b", "and more"), ("c", "Three")] {
            text.push_str(&format!("{}\n\n", piece(id, word)));
        }
        text.push_str("{broken\n");
        text.push_str(&piece("d", "Four"));
        let whole = told(&text, 1 << 20);
        assert_eq!(whole[..3], ["0: 1:36 One", "1: 5:1 Two and more", "2: 7:36 Three"]);
        assert!(whole[3].starts_with("3: f:9:2: not JSON"), "{}", whole[3]);
        assert_eq!(whole[4], "4: 10:36 Four");
        for chunk in [1, 7, 100, 150, 200, 333] {
            assert_eq!(told(&text, chunk), whole, "{chunk}");
        }
    }
}
