//! An input in pieces: JSON Lines some megabytes at a time, so that a file of any length can be checked in bounded
//! memory; anything else whole, since its records may be strung together anyhow.

use std::io::{self, BufRead, BufReader, Read};

use super::Collection;
use crate::store::{self, InputError};

/// Bytes that are read at once.
const CHUNK: usize = 1 << 20;
/// Bytes in which the end of a first line is waited for.
const BLOCK: usize = 4 << 20;

/// The collections that an input is read as, in order. Records and lines are numbered through.
pub struct Batches<R> {
    name: String,
    reader: BufReader<R>,
    pending: Vec<u8>,
    /// Lines before those pending.
    lines: usize,
    /// Records before those pending.
    records: usize,
    /// Bytes pending at which the last record was all there was.
    tried: usize,
    piecemeal: bool,
    done: bool,
}

impl<R: Read> Batches<R> {
    /// Of whatever a reader gives.
    pub fn new(name: &str, reader: R) -> Self {
        let name = name.to_owned();
        let reader = BufReader::with_capacity(CHUNK, reader);
        Self { name, reader, pending: Vec::new(), lines: 0, records: 0, tried: 0, piecemeal: false, done: false }
    }

    /// Reads what there is, at once from a pipe that goes on; true at the end of the input.
    fn fill(&mut self) -> Result<bool, InputError> {
        let got = loop {
            match self.reader.fill_buf() {
                Ok(got) => break got,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(self.failed(&error)),
            }
        };
        let length = got.len();
        self.pending.extend_from_slice(got);
        self.reader.consume(length);
        Ok(length == 0)
    }

    fn failed(&self, error: &io::Error) -> InputError {
        InputError::Io { name: self.name.clone(), what: format!("cannot be read: {error}") }
    }

    fn read(&mut self) -> Result<Collection, InputError> {
        loop {
            let end = self.fill()?;
            if !self.piecemeal {
                // What the first line is shows when something stands behind it.
                if !end && self.pending.len() < BLOCK && is_open(&self.pending) {
                    continue;
                }
                if end || !store::is_lines(&self.pending) {
                    self.done = true;
                    self.reader.read_to_end(&mut self.pending).map_err(|error| self.failed(&error))?;
                    return store::from_bytes(&self.name, std::mem::take(&mut self.pending)).map(|input| Collection::open(vec![Ok(input)]));
                }
                self.piecemeal = true;
            }
            self.done = end;
            // A long record is not parsed again for every piece of it.
            if !end && self.pending.len() * 4 < self.tried * 5 {
                continue;
            }
            match self.cut(end)? {
                Some(collection) => return Ok(collection),
                None => self.tried = self.pending.len(),
            }
        }
    }

    /// The records that are whole for certain: all but the last, which lines to come may belong to. `None` where the
    /// last one is all there is.
    fn cut(&mut self, end: bool) -> Result<Option<Collection>, InputError> {
        let whole = if end { self.pending.len() } else { memchr::memrchr(b'\n', &self.pending).map_or(0, |at| at + 1) };
        let block = self.pending.get(..whole).unwrap_or_default();
        let input = store::from_lines(&self.name, block.to_vec(), self.lines)?;
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
        self.tried = 0;
        Ok(Some(collection))
    }
}

/// Whether a text may yet turn out to be lines: nothing stands behind its first line so far.
fn is_open(text: &[u8]) -> bool {
    let line = memchr::memchr(b'\n', text);
    line.is_none_or(|end| text.get(end..).unwrap_or_default().trim_ascii().is_empty())
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
    fn told(text: &str, chunk: usize) -> Vec<String> {
        let mut batches = Batches { reader: BufReader::with_capacity(chunk, text.as_bytes()), ..Batches::new("f", &b""[..]) };
        let mut out = Vec::new();
        for collection in batches.by_ref() {
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
        let whole = told(&text, 1 << 20);
        assert_eq!(whole[..3], ["0: 1:36 One", "1: 5:1 Two and more", "2: 7:36 Three"]);
        assert!(whole[3].starts_with("3: f:9:2: not JSON"), "{}", whole[3]);
        assert_eq!(whole[4], "4: 10:36 Four");
        for chunk in [1, 7, 100, 150, 200, 333] {
            assert_eq!(told(&text, chunk), whole, "{chunk}");
        }
    }
}
