//! An input in pieces: JSON Lines some megabytes at a time, so that a file of any length can be checked in bounded
//! memory; anything else whole, since its records may be strung together anyhow.

use std::io::{self, Read};

use super::Collection;
use crate::input::{self, InputError};

/// Bytes of lines that are read at once.
const BLOCK: usize = 4 << 20;

/// The collections that an input is read as, in order. Records and lines are numbered through.
pub struct Batches<R> {
    name: String,
    reader: R,
    pending: Vec<u8>,
    /// Lines before those pending.
    lines: usize,
    /// Records before those pending.
    records: usize,
    wanted: usize,
    piecemeal: bool,
    done: bool,
}

impl<R: Read> Batches<R> {
    /// Of whatever a reader gives.
    pub fn new(name: &str, reader: R) -> Self {
        let name = name.to_owned();
        Self { name, reader, pending: Vec::new(), lines: 0, records: 0, wanted: BLOCK, piecemeal: false, done: false }
    }

    /// Reads on to the wanted length; true at the end of the input.
    fn fill(&mut self) -> Result<bool, InputError> {
        let missing = self.wanted.saturating_sub(self.pending.len());
        let got = self.reader.by_ref().take(missing as u64).read_to_end(&mut self.pending).map_err(|error| self.failed(&error))?;
        Ok(got < missing)
    }

    fn failed(&self, error: &io::Error) -> InputError {
        InputError::Io { name: self.name.clone(), what: format!("cannot be read: {error}") }
    }

    fn read(&mut self) -> Result<Collection, InputError> {
        loop {
            let end = self.fill()?;
            if !self.piecemeal {
                if end || !input::is_lines(&self.pending) {
                    self.done = true;
                    self.reader.read_to_end(&mut self.pending).map_err(|error| self.failed(&error))?;
                    return input::from_bytes(&self.name, std::mem::take(&mut self.pending)).map(|input| Collection::open(vec![Ok(input)]));
                }
                self.piecemeal = true;
            }
            self.done = end;
            if let Some(collection) = self.cut(end)? {
                return Ok(collection);
            }
            self.wanted += BLOCK;
        }
    }

    /// The records that are whole for certain: all but the last, which lines to come may belong to. `None` where the
    /// last one is all there is.
    fn cut(&mut self, end: bool) -> Result<Option<Collection>, InputError> {
        let whole = if end { self.pending.len() } else { memchr::memrchr(b'\n', &self.pending).map_or(0, |at| at + 1) };
        let block = self.pending.get(..whole).unwrap_or_default();
        let input = input::from_lines(&self.name, block.to_vec(), self.lines)?;
        let mut collection = Collection::open(vec![Ok(input)]);
        let mut used = whole;
        if !end {
            let Some(last) = collection.records.pop() else { return Ok(None) };
            if collection.records.is_empty() {
                return Ok(None);
            }
            let first =
                collection.inputs.first().zip(last.frames.first()).and_then(|(input, &frame)| Some((input, input.frames.get(frame)?)));
            let line = first.map_or(self.lines, |(input, frame)| input.line_column(frame.range.start).0 - 1);
            used = line.checked_sub(self.lines + 1).map_or(0, |nth| memchr::memchr_iter(b'\n', block).nth(nth).map_or(whole, |at| at + 1));
            self.lines = line;
        }
        for record in &mut collection.records {
            record.number += self.records;
        }
        self.records += collection.records.len();
        self.pending.drain(..used);
        self.wanted = self.pending.len() + BLOCK;
        Ok(Some(collection))
    }
}

impl<R: Read> Iterator for Batches<R> {
    type Item = Result<Collection, InputError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
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
    fn told(text: &str, wanted: usize) -> Vec<String> {
        let mut batches = Batches { wanted, ..Batches::new("f", text.as_bytes()) };
        let mut out = Vec::new();
        while let Some(collection) = batches.next() {
            let collection = collection.unwrap();
            for index in 0..collection.records.len() {
                let number = collection.records[index].number;
                out.push(match collection.analyse(index) {
                    Ok(analysed) => {
                        let place = analysed.place(&analysed.findings(0)[0]).unwrap();
                        format!("{number}: {}:{} {}", place.line, place.column, analysed.responses[0].response.text())
                    }
                    Err(error) => format!("{number}: {error}"),
                });
            }
            batches.wanted = wanted.max(batches.pending.len() + 1);
        }
        out
    }

    #[test]
    fn lines_in_pieces_are_the_same_records_with_the_same_places() {
        let piece = |id: &str, text: &str| {
            format!(r#"{{"responseId": "{id}", "candidates": [{{"content": {{"parts": [{{"text": "{text}"}}]}}}}]}}"#)
        };
        let mut text = String::new();
        for (id, word) in [("a", "One"), ("b", "Two "), ("b", "and more"), ("c", "Three")] {
            text.push_str(&format!("{}\n\n", piece(id, word)));
        }
        text.push_str("{broken\n");
        text.push_str(&piece("d", "Four"));
        let whole = told(&text, usize::MAX / 4);
        assert_eq!(whole[..3], ["0: 1:36 One", "1: 5:1 Two and more", "2: 7:36 Three"]);
        assert!(whole[3].starts_with("3: f:9:2: not JSON"), "{}", whole[3]);
        assert_eq!(whole[4], "4: 10:36 Four");
        for wanted in [120, 150, 200, 333] {
            assert_eq!(told(&text, wanted), whole, "{wanted}");
        }
    }
}
