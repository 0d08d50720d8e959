//! An input: where its bytes are, and where the records in it.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use super::backing::{Backing, Spooled};
use super::encoding;
use super::error::{InputError, not_json};
use super::framing::{self, Container, Framed, Framing};
use super::index::Index;
use super::records::{Grouping, Taken};
use super::text::{LineColumn, RecordText, Text};
use crate::format::{self, Format, Kind};
use crate::model::Notice;

/// One input: its name, its container, and where its records are. Their text is read when it is wanted.
#[derive(Debug)]
pub struct Input {
    /// File name, or `stdin`.
    pub name: String,
    /// How the values are strung together.
    pub container: Container,
    /// What was mended or passed over while reading.
    pub notices: Vec<Notice>,
    /// Number of the first record, where the input is a piece of a longer one.
    pub(super) first_record: usize,
    pub(super) framing: Framing,
    backing: Backing,
    index: Index,
    /// The text as it was read for the index, for whoever asks for a record first.
    fresh: Mutex<Option<Arc<Text>>>,
}

/// Bytes that are looked at, or indexed, at once; a longer input of JSON Lines is never held whole.
const BLOCK: usize = 4 << 20;

impl Input {
    /// Of bytes in memory: finds the encoding, the container and the records.
    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Result<Self, InputError> {
        let (text, notices) = encoding::decode(name, bytes)?;
        Ok(Self::new(name, frame(name, text)?, notices, 0, None))
    }

    /// Of a piece of JSON Lines with so many lines and records before it.
    pub fn from_lines(name: &str, bytes: Vec<u8>, lines: usize, records: usize) -> Result<Self, InputError> {
        let (text, notices) = encoding::decode(name, bytes)?;
        let input = Self::new(name, Framed::lines(text), notices, lines, None);
        Ok(Self { first_record: records, ..input })
    }

    /// Of a file.
    pub fn open(path: &Path) -> Result<Self, InputError> {
        let name = path.display().to_string();
        let failed = |error: io::Error| InputError::refused(path, &error);
        match Backing::file(path).map_err(failed)? {
            Some((backing, length)) => Self::read(&name, backing, length),
            // What is no regular file is read once.
            None => Self::read_through(&name, File::open(path).map_err(failed)?),
        }
    }

    /// Of standard input, read to its end.
    pub fn stdin() -> Result<Self, InputError> {
        Self::read_through("stdin", io::stdin().lock())
    }

    /// Of a pipe: a short one is held, a longer one kept in a spool.
    fn read_through(name: &str, reader: impl Read) -> Result<Self, InputError> {
        match Backing::spool(reader, BLOCK).map_err(|error| InputError::unreadable(name, &error))? {
            Spooled::Short(bytes) => Self::from_bytes(name, bytes),
            Spooled::Long(backing, length) => Self::read(name, backing, length),
        }
    }

    fn read(name: &str, backing: Backing, length: u64) -> Result<Self, InputError> {
        let failed = |error: io::Error| InputError::unreadable(name, &error);
        if length > BLOCK as u64
            && framing::is_lines(&backing.read(0..BLOCK as u64).map_err(failed)?)
            && let Some(index) = index_lines(&backing, length).map_err(failed)?
        {
            let (name, notices, fresh) = (name.to_owned(), Vec::new(), Mutex::new(None));
            let (container, framing) = (Container::Lines, Framing::Lines);
            return Ok(Self { name, container, notices, first_record: 0, framing, backing, index, fresh });
        }
        let (text, notices) = encoding::decode(name, backing.read(0..length).map_err(failed)?)?;
        let framed = frame(name, text)?;
        // Only a text that stands in the file byte for byte can be read from there again.
        let file = Some(backing).filter(|_| notices.is_empty() && !framed.rewritten);
        Ok(Self::new(name, framed, notices, 0, file))
    }

    fn new(name: &str, mut framed: Framed, mut notices: Vec<Notice>, lines: usize, file: Option<Backing>) -> Self {
        let index = index(&mut framed);
        notices.append(&mut framed.notices);
        let Framed { text, container, framing, .. } = framed;
        let text = Arc::new(Text::beginning(text, lines));
        let (backing, fresh) = match file {
            Some(file) => (file, Some(text)),
            None => (Backing::Memory(text), None),
        };
        Self { name: name.to_owned(), container, notices, first_record: 0, framing, backing, index, fresh: Mutex::new(fresh) }
    }

    /// How many records there are.
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The format that reads a record; none where none does.
    pub fn format(&self, record: usize) -> Option<&'static Format> {
        self.index.format(record)
    }

    /// Whether a format reads a record of it.
    pub fn is_read(&self) -> bool {
        (0..self.len()).any(|record| self.format(record).is_some())
    }

    /// Number of a record as counted in the whole input, of which this may be a piece.
    pub fn number(&self, record: usize) -> usize {
        self.first_record + record
    }

    /// Leaves the last record to the piece that comes next: lines to come may belong to it.
    pub fn forget_last(&mut self) {
        self.index.pop();
    }

    /// Bytes of a record.
    pub fn size(&self, record: usize) -> u64 {
        self.index.size(record)
    }

    /// Bytes of all records.
    pub fn total(&self) -> u64 {
        (0..self.len()).map(|record| self.size(record)).sum()
    }

    /// Whether places in the text are places in these bytes, which it was read from: true of UTF-8.
    pub fn is_verbatim(&self, bytes: &[u8]) -> bool {
        matches!(&self.backing, Backing::Memory(text) if text.string.len() == bytes.len()) && std::str::from_utf8(bytes).is_ok()
    }

    /// First line of a record, from 1.
    pub fn line(&self, record: usize) -> usize {
        self.place_of(record, self.index.bytes(record).start).0
    }

    /// Lets go of the text that was read for the index.
    pub fn forget_text(&self) {
        self.fresh.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// The text of a record. An error where the file is no longer what it was.
    pub fn record(self: &Arc<Self>, record: usize) -> Result<RecordText, InputError> {
        if let Some(frames) = self.index.scattered(record) {
            let parts = frames.iter().map(|frame| self.stretch(frame)).collect::<Result<Vec<_>, _>>()?;
            return Ok(RecordText::scattered(Arc::clone(self), record, parts));
        }
        let (text, stretch) = self.stretch(&self.index.bytes(record))?;
        Ok(RecordText::of(Arc::clone(self), record, text, stretch))
    }

    /// A text that holds a stretch of the input, and the stretch in it.
    fn stretch(&self, bytes: &Range<u64>) -> Result<(Arc<Text>, Range<usize>), InputError> {
        let local = bytes.start as usize..bytes.end as usize;
        if let Backing::Memory(text) = &self.backing {
            return Ok((Arc::clone(text), local));
        }
        let fresh = self.fresh.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(text) = fresh {
            return Ok((text, local));
        }
        let read = self.backing.read(bytes.clone()).map_err(|error| InputError::unreadable(&self.name, &error))?;
        let text = String::from_utf8(read).map_err(|_| InputError::changed(&self.name))?;
        let text = if self.container == Container::Events { framing::without_prefixes(text) } else { text };
        let length = text.len();
        Ok((Arc::new(Text::at(text, bytes.start)), 0..length))
    }

    /// Line and column of a byte in or before which a record begins.
    pub(super) fn place_of(&self, record: usize, byte: u64) -> LineColumn {
        if let Backing::Memory(text) = &self.backing {
            return text.line_column(byte as usize, || (1, 1));
        }
        let (from, line) = self.index.line_before(record);
        // A file that has changed meanwhile has no places; whoever reads it next is told.
        self.backing.count_lines(from.min(byte)..byte, line).unwrap_or((1, 1))
    }
}

/// Cuts a text into frames; an error where it holds none.
fn frame(name: &str, text: String) -> Result<Framed, InputError> {
    let start = framing::start_of(&text);
    match text.as_bytes().get(start) {
        None => return Err(InputError::Empty { name: name.to_owned() }),
        Some(b'{' | b'[') => {}
        Some(_) if framing::is_events(&text) => {}
        Some(_) => return Err(not_json(name, &text, start)),
    }
    let framed = Framed::of(text);
    if framed.frames.is_empty() {
        let what = match framed.container {
            Container::Array => "an empty list; it holds no response",
            _ => "no event of this stream carries data",
        };
        return Err(InputError::no_value(name, &framed.text, start, what));
    }
    Ok(framed)
}

/// Finds the records of a text. A document that is read here and goes on behind its end is several values.
fn index(framed: &mut Framed) -> Index {
    if framed.container == Container::Document {
        let kind =
            |framed: &Framed| framed.frames.first().and_then(|frame| framed.text.get(frame.range.clone())).map(format::recognise_document);
        let first = kind(framed).unwrap_or(Kind::Unrecognised);
        if !matches!(first, Kind::Known(..)) || !framed.is_several() {
            let mut grouping = Grouping::new(false);
            if let Some(frame) = framed.frames.first() {
                grouping.take(Taken { bytes: bytes_of(&frame.range), side_by_side: false, kind: first }, || 0);
            }
            return grouping.finish();
        }
        framed.split_values();
    }
    let mut grouping = Grouping::new(framed.container == Container::Events);
    let mut line = LineCount::default();
    let mut last = 0;
    for frame in &framed.frames {
        let text = framed.text.get(frame.range.clone()).unwrap_or_default();
        let between = framed.text.as_bytes().get(last..frame.range.start).unwrap_or_default();
        let side_by_side = between.iter().all(|byte| byte.is_ascii_whitespace() || *byte == b',');
        let taken = Taken { bytes: bytes_of(&frame.range), side_by_side, kind: format::recognise(text) };
        grouping.take(taken, || line.upto(&framed.text, frame.range.start));
        last = frame.range.end;
    }
    grouping.finish()
}

fn bytes_of(range: &Range<usize>) -> Range<u64> {
    range.start as u64..range.end as u64
}

/// Line ends before places that are asked for in ascending order.
#[derive(Default)]
struct LineCount {
    lines: u64,
    counted: usize,
}

impl LineCount {
    fn upto(&mut self, text: &str, byte: usize) -> u64 {
        let more = text.as_bytes().get(self.counted..byte).unwrap_or_default();
        self.lines += memchr::memchr_iter(b'\n', more).count() as u64;
        self.counted = self.counted.max(byte);
        self.lines
    }
}

/// Finds the records of JSON Lines, a block at a time; nothing where the input is not UTF-8 throughout.
fn index_lines(backing: &Backing, length: u64) -> io::Result<Option<Index>> {
    let mut grouping = Grouping::new(false);
    let mut lines = 0;
    let mut pending: Vec<u8> = Vec::new();
    let mut at = 0;
    let mut begun = 0;
    while at < length {
        let block = backing.read(at..length.min(at + BLOCK as u64))?;
        at += block.len() as u64;
        pending.extend_from_slice(&block);
        let whole = if at == length {
            pending.len()
        } else {
            memchr::memrchr(b'\n', &block).map_or(0, |end| pending.len() - block.len() + end + 1)
        };
        let Ok(text) = std::str::from_utf8(pending.get(..whole).unwrap_or_default()) else { return Ok(None) };
        let mut line = LineCount { lines, counted: 0 };
        let start = if begun == 0 { framing::start_of(text) } else { 0 };
        for frame in framing::frames_of(Framing::Lines, text, start..text.len()) {
            let kind = format::recognise(text.get(frame.range.clone()).unwrap_or_default());
            let bytes = begun + frame.range.start as u64..begun + frame.range.end as u64;
            grouping.take(Taken { bytes, side_by_side: true, kind }, || line.upto(text, frame.range.start));
        }
        lines = line.upto(text, text.len());
        begun += whole as u64;
        pending.drain(..whole);
    }
    Ok(Some(grouping.finish()))
}
