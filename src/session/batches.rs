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
    /// What is known of what is pending as long as it is unclear what it begins as.
    opening: Opening,
    /// Lines before those pending.
    lines: usize,
    /// Records before those pending.
    records: usize,
    /// Bytes that were pending when nothing complete was found last; looked at again after a quarter more.
    incomplete: usize,
    piecemeal: bool,
    done: bool,
    /// A line that is passed over, to be told next.
    passed: Option<InputError>,
    /// Why nothing could be read behind what is pending.
    fault: Option<InputError>,
    /// Bytes that a record may have.
    longest: u64,
    supplied: Supplied,
}

/// What an input begins as.
enum Begun {
    /// That does not show yet.
    Unclear,
    /// JSON Lines.
    Lines,
    /// Anything else.
    Whole,
}

/// Bytes of a line behind which no end is waited for.
const ENDLESS: u64 = 16 << 30;

impl<R: Read> Batches<R> {
    /// Of whatever a reader gives.
    pub fn new(name: &str, reader: R, supplied: Supplied) -> Self {
        let name = name.to_owned();
        Self {
            name,
            reader,
            chunk: CHUNK,
            ask: LEAST,
            pending: Vec::new(),
            opening: Opening::default(),
            lines: 0,
            records: 0,
            incomplete: 0,
            piecemeal: false,
            done: false,
            passed: None,
            fault: None,
            longest: supplied.limits.longest(),
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
        if self.opening.is_blank(&self.pending) && self.pending.len() >= CHUNK {
            self.lines += memchr::memchr_iter(b'\n', &self.pending).count();
            self.pending.clear();
            self.opening = Opening::default();
        }
    }

    /// Reads the rest, unless its first record has more bytes than one may have.
    fn read_whole(&mut self) -> Result<(), InputError> {
        let longest = self.longest;
        for most in [longest.saturating_sub(self.pending.len() as u64), u64::MAX] {
            let got = self.reader.by_ref().take(most).read_to_end(&mut self.pending);
            got.map_err(|error| self.failed(&error))?;
            if self.pending.len() as u64 == longest && store::is_begun_only(&self.pending) {
                return Err(InputError::too_long(&self.name, self.lines + 1, longest));
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
                match self.begun(end) {
                    Begun::Unclear => continue,
                    Begun::Lines => self.piecemeal = true,
                    Begun::Whole => return self.whole(),
                }
            }
            self.done = end;
            if let Some(session) = self.next_lines(end) {
                return Ok(session);
            }
        }
    }

    /// What an input is, as far as what is pending tells.
    fn begun(&mut self, end: bool) -> Begun {
        self.skip_blank();
        // What the first line is shows when something stands behind it; what stands before lines may be long,
        // and so may the first of them.
        let waits = !end && self.pending.len() < BLOCK;
        if waits && (self.opening.is_open(&self.pending) || self.pending.len() * 4 < self.incomplete * 5) {
            return Begun::Unclear;
        }
        let is_lines = store::is_lines(&self.pending);
        if waits && !is_lines {
            self.incomplete = self.pending.len();
            return Begun::Unclear;
        }
        self.incomplete = 0;
        if end || !is_lines { Begun::Whole } else { Begun::Lines }
    }

    /// All of an input; of what is no text the rest is not read.
    fn whole(&mut self) -> Result<Session, InputError> {
        self.done = true;
        if !store::is_binary(&self.pending) {
            self.read_whole()?;
            if self.lines > 0 && !self.pending.trim_ascii().is_empty() {
                // Its lines are counted with those before.
                self.pending.splice(..0, std::iter::repeat_n(b'\n', self.lines));
            }
            // Of very many files some wait to be checked.
            self.pending.shrink_to_fit();
        }
        let input = Input::from_bytes(&self.name, std::mem::take(&mut self.pending))?;
        Ok(self.session(input))
    }

    /// The records of the lines that are pending, where one is whole.
    fn next_lines(&mut self, end: bool) -> Option<Session> {
        if self.pending.len() as u64 > self.longest {
            let line = memchr::memrchr(b'\n', &self.pending).map_or(0, |line_end| line_end + 1);
            if (self.pending.len() - line) as u64 > self.longest {
                return Some(self.pass_line(line));
            }
        }
        // A long record is not parsed again for every piece of it, nor where no line has ended meanwhile.
        if !end && self.pending.len() * 4 < self.incomplete * 5 {
            return None;
        }
        let more = self.pending.get(self.incomplete..).unwrap_or_default();
        let session = if end || more.contains(&b'\n') { self.cut(end) } else { None };
        if session.is_none() {
            self.incomplete = self.pending.len();
        }
        session
    }

    /// What stands before the last line, which is too long: that is told next, the rest of it passed over.
    fn pass_line(&mut self, begun: usize) -> Session {
        self.pending.truncate(begun);
        self.pending.shrink_to_fit();
        let block = std::mem::take(&mut self.pending);
        let mut passed = 0;
        while !self.done && self.fault.is_none() && !self.pending.contains(&b'\n') {
            passed += self.pending.len() as u64;
            if passed > ENDLESS {
                let what = format!("a line of more than {} GB: nothing more is read", ENDLESS >> 30);
                self.fault = Some(InputError::Io { name: self.name.clone(), what });
            }
            self.pending.clear();
            match self.fill() {
                Ok(end) => self.done = end,
                Err(error) => self.fault = Some(error),
            }
        }
        self.done |= self.fault.is_some();
        let line_end = memchr::memchr(b'\n', &self.pending);
        self.pending.drain(..line_end.map_or(self.pending.len(), |line_end| line_end + 1));
        let lines = memchr::memchr_iter(b'\n', &block).count();
        let input = Input::from_lines(&self.name, block, self.lines, self.records);
        self.lines += lines + 1;
        self.records += input.len() + 1;
        self.incomplete = 0;
        self.passed = Some(InputError::too_long(&self.name, self.lines, self.longest));
        self.session(input)
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

/// What is known of the beginning of a text that grows: of many small pieces each is gone through once.
#[derive(Default)]
struct Opening {
    /// Blank bytes that it begins with.
    blank: usize,
    /// Whether its first line has ended, and bytes that were looked at for that, or for what stands behind
    /// it.
    ended: bool,
    seen: usize,
}

impl Opening {
    /// Whether a text is blank so far.
    fn is_blank(&mut self, text: &[u8]) -> bool {
        let more = text.get(self.blank..).unwrap_or_default();
        self.blank += more.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        self.blank == text.len()
    }

    /// Whether a text may yet turn out to be lines: nothing stands behind its first line so far.
    fn is_open(&mut self, text: &[u8]) -> bool {
        let more = |from: usize| text.get(from..).unwrap_or_default();
        if !self.ended {
            let end = memchr::memchr(b'\n', more(self.seen));
            self.ended = end.is_some();
            self.seen = end.map_or(text.len(), |end| self.seen + end);
        }
        if self.ended {
            self.seen += more(self.seen).iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        }
        self.seen == text.len()
    }
}

impl<R: Read> Iterator for Batches<R> {
    type Item = Result<Session, InputError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(passed) = self.passed.take() {
            return Some(Err(passed));
        }
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
    fn a_line_that_is_too_long_costs_itself_only() {
        let line = |text: &str| {
            format!(
                r#"{{"candidates": [{{"content": {{"parts": [{{"text": "{text}"}}]}}, "finishReason": "STOP"}}]}}"#
            )
        };
        let long = line(&"x".repeat(3000));
        let texts = [line("One"), line("Two"), long.clone(), line("Four"), long];
        for chunk in [100, 333, 1000] {
            let text = texts.join("\n");
            let mut batches = Batches::new("f", text.as_bytes(), Supplied::default());
            (batches.chunk, batches.ask, batches.longest) = (chunk, chunk, 2000);
            // That these are lines shows in the first bytes of a longer input.
            batches.piecemeal = true;
            let mut told = Vec::new();
            for piece in batches {
                match piece {
                    Ok(session) => told.extend((0..session.len()).map(|index| {
                        let review = &session.decode(index).unwrap()[0];
                        format!("{}: {}", review.record(), review.text())
                    })),
                    Err(error) => told.push(error.to_string()),
                }
            }
            let long = |line: usize| {
                format!(
                    "f:{line}:1: this record has more than 0 MB; one of more is read with `--no-limits` only"
                )
            };
            let all = ["0: One".to_owned(), "1: Two".to_owned(), long(3), "3: Four".to_owned(), long(5)];
            assert_eq!(told, all, "{chunk}");
        }
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
