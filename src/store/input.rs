//! An input: where its bytes are, and where the records in it.

use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use super::arrays;
use super::backing::{Backing, Standing};
use super::encoding;
use super::error::{InputError, not_json};
use super::framing::{self, Container, Frame, Framed, Framing};
use super::index::{Index, LineStart};
use super::known::is_begun_only;
use super::places::Places;
use super::record::RecordText;
use super::records::{Grouping, Taken};
use super::text::Text;
use super::windows::Windows;
use crate::format::{self, Boundary, Format, FrameGroup, FrameKind, is_service_error};
use crate::json::is_json;
use crate::json::scan::skip_value;
use crate::model::Notice;

/// One input: its name, its container, and where its records are. Their text is read when it is wanted.
#[derive(Debug)]
pub struct Input {
    places: Arc<Places>,
    /// The text as it was read for the index, for whoever asks for a record first.
    fresh: Mutex<Option<Arc<Text>>>,
    /// The byte of the input at which the index begins.
    begun: u64,
}

/// Where a stretch of JSON Lines stands in its input.
pub(super) struct Stretch {
    pub backing: Backing,
    /// Its first byte.
    pub at: u64,
    /// Lines and records before it.
    pub lines: usize,
    pub records: usize,
}

/// What of a piece of JSON Lines is before the record that is left to the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Before {
    /// Bytes.
    pub bytes: usize,
    /// Lines.
    pub lines: usize,
}

/// What of some lines is left to the piece that comes next.
pub struct Left {
    /// Its bytes, with room for more.
    pub bytes: Vec<u8>,
    /// Lines before it.
    pub lines: usize,
}

/// Bytes that are looked at at once; a longer input of JSON Lines is never held whole.
pub(super) const BLOCK: usize = 4 << 20;

/// Records that are looked at for JSON.
const FIRST: usize = 64;

impl Input {
    /// Of bytes in memory: finds the encoding, the container and the records.
    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Result<Self, InputError> {
        let (text, notices) = encoding::decode(name, bytes)?;
        Ok(Self::new(name, frame(name, text)?, notices, 0, None, 0))
    }

    /// Of a piece of JSON Lines with so many lines and records before it.
    pub fn from_lines(name: &str, bytes: Vec<u8>, lines: usize, records: usize) -> Self {
        let (text, notices, _) = encoding::decode_lines(bytes, lines);
        Self::new(name, Framed::lines(text), notices, lines, None, records)
    }

    /// Of the same, all but the last record: lines to come may belong to it. That one and what was read
    /// `behind` the lines is handed back, with room for so many bytes `ahead`; as an error where there is no
    /// other record.
    pub fn from_lines_but_last(
        name: &str,
        bytes: Vec<u8>,
        (behind, ahead): (&[u8], usize),
        (lines, records): (usize, usize),
    ) -> Result<(Self, Left), Vec<u8>> {
        let (text, notices, raw) = encoding::decode_lines(bytes, lines);
        let mut input = Self::new(name, Framed::lines(text), notices, lines, None, records);
        let before = input.leave_last(raw.as_deref()).unwrap_or_default();
        let text = match &input.places.backing {
            Backing::Memory(text) => text.string.as_bytes(),
            Backing::File { .. } | Backing::Spool { .. } => &[],
        };
        let last = raw.as_deref().unwrap_or(text).get(before.bytes..).unwrap_or_default();
        let mut bytes = Vec::with_capacity(last.len() + behind.len() + ahead);
        bytes.extend_from_slice(last);
        bytes.extend_from_slice(behind);
        if before.bytes == 0 { Err(bytes) } else { Ok((input, Left { bytes, lines: before.lines })) }
    }

    /// Of one line of a longer input, by its number from 1: whatever stands in it is told apart from its
    /// neighbours.
    pub fn from_line(name: &str, text: String, number: usize) -> Result<Self, InputError> {
        let before = number.saturating_sub(1);
        let framed = frame(name, text).map_err(|error| error.behind(before))?;
        Ok(Self::new(name, framed, Vec::new(), before, None, before))
    }

    /// Of what stands in a backing, read whole; an error where its first record has more bytes than the
    /// longest.
    pub(super) fn read(name: &str, backing: Backing, length: u64, longest: u64) -> Result<Self, InputError> {
        let failed = |error: io::Error| InputError::unreadable(name, &error);
        if length > longest && is_begun_only(&backing.read(0..longest).map_err(failed)?) {
            return Err(InputError::too_long(name, 1, longest));
        }
        let (text, notices) = encoding::decode(name, backing.read(0..length).map_err(failed)?)?;
        let framed = frame(name, text)?;
        // Only a text that stands in the file byte for byte can be read from there again.
        let file = Some(backing).filter(|_| notices.is_empty() && !framed.rewritten);
        Ok(Self::new(name, framed, notices, 0, file, 0))
    }

    /// Of a stretch of JSON Lines, of which only the places are kept.
    pub(super) fn stretch_of(name: &str, text: &str, from: Stretch) -> Self {
        let start = if from.at == 0 { framing::start_of(text) } else { 0 };
        let frames = framing::frames_of(Framing::Lines, text, start..text.len());
        let line = LineStart { before: from.lines as u64, byte: from.at, column: 0 };
        let index =
            index_frames(text, &frames, Container::Lines, LineCount { begun: from.at, line, counted: 0 });
        let kind = (Container::Lines, Framing::Lines);
        let places = Places::new((name, Vec::new()), kind, from.records, from.backing, index);
        Self { places: Arc::new(places), fresh: Mutex::default(), begun: from.at }
    }

    fn new(
        name: &str,
        mut framed: Framed,
        mut notices: Vec<Notice>,
        lines: usize,
        file: Option<Backing>,
        first_record: usize,
    ) -> Self {
        let index = index(&mut framed);
        notices.append(&mut framed.notices);
        let Framed { text, container, framing, .. } = framed;
        let text = Arc::new(Text::beginning(text, lines));
        let (backing, fresh) = match file {
            Some(file) => (file, Some(text)),
            None => (Backing::Memory(text), None),
        };
        let places = Places::new((name, notices), (container, framing), first_record, backing, index);
        Self { places: Arc::new(places), fresh: Mutex::new(fresh), begun: 0 }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        self.places.name()
    }

    /// Whether it is read from a file where it is wanted.
    pub fn is_file(&self) -> bool {
        matches!(self.places.backing, Backing::File { .. })
    }

    /// Whether that file is still what was opened.
    pub fn standing(&self) -> Standing {
        self.places.backing.standing()
    }

    /// How many records there are.
    pub fn len(&self) -> usize {
        self.places.index.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The format that reads a record; none where none does.
    pub fn format(&self, record: usize) -> Option<&'static Format> {
        self.places.index.format(record)
    }

    /// Whether a format reads a record of it.
    pub fn is_read(&self) -> bool {
        (0..self.len()).any(|record| self.format(record).is_some())
    }

    /// Whether it is worth a word where it was found in a directory: a format reads it, it is broken, or it
    /// is what a service said in place of an answer.
    pub fn is_told(&self) -> bool {
        self.is_read() || self.is_broken() || self.any_of_first(is_service_error)
    }

    /// Whether none of its first records is JSON, with comments or not: it is no other thing, but broken.
    fn is_broken(&self) -> bool {
        let commented = |text: &str| text.lines().any(|line| line.contains("//") || line.contains("/*"));
        let other =
            |text: &str| is_json(text) || text.starts_with('{') && !breaks_off(text) && commented(text);
        !self.is_empty() && !self.any_of_first(other)
    }

    /// Whether something is true of a frame of its first records.
    fn any_of_first(&self, is: impl Fn(&str) -> bool) -> bool {
        let windows = Windows::default();
        let any =
            |record: usize| self.record_by(record, &windows).is_ok_and(|record| record.frames().any(&is));
        (0..self.len().min(FIRST)).any(any)
    }

    /// Number of a record as counted in the whole input, of which this may be a piece.
    pub fn number(&self, record: usize) -> usize {
        self.places.first_record + record
    }

    /// Leaves the last record that may grow to the piece that comes next, with what follows it. `block` is
    /// what this piece was read from, where that is not its text; what of it is before that record. None
    /// where
    /// that is all there is: then nothing is left.
    pub fn leave_last(&mut self, block: Option<&[u8]>) -> Option<Before> {
        let begun = self.begun;
        let places = Arc::get_mut(&mut self.places)?;
        let unsettled = places.index.unsettled();
        if unsettled == 0 {
            return None;
        }
        let start = (places.index.bytes(unsettled).start - begun) as usize;
        places.index.truncate(unsettled);
        let memory =
            if let Backing::Memory(text) = &places.backing { Some(text.string.as_bytes()) } else { None };
        let before = memory.or(block).and_then(|text| text.get(..start)).unwrap_or_default();
        let lines = memchr::memchr_iter(b'\n', before).count();
        let mut end = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
        if let (Some(block), Some(_), Some(last)) = (block, memory, lines.checked_sub(1)) {
            // What was not UTF-8 is of another length in the text.
            end = memchr::memchr_iter(b'\n', block).nth(last).map_or(block.len(), |at| at + 1);
        }
        Some(Before { bytes: end, lines })
    }

    /// A record of a piece of JSON Lines as a piece of its own.
    pub fn alone(&self, record: usize) -> Option<Self> {
        let Backing::Memory(text) = &self.places.backing else { return None };
        if self.len() < 2
            || self.places.framing != Framing::Lines
            || self.places.index.scattered(record).is_some()
        {
            return None;
        }
        let bytes = self.places.index.bytes(record);
        let start = bytes.start as usize;
        let line = memchr::memrchr(b'\n', text.string.as_bytes().get(..start)?).map_or(0, |end| end + 1);
        let lines = text.string.get(line..bytes.end as usize)?.to_owned();
        let (before, number) = (self.line(record) - 1, self.number(record));
        let notices = self.places.notices().to_vec();
        Some(Self::new(self.places.name(), Framed::lines(lines), notices, before, None, number))
    }

    /// Bytes of a record.
    pub fn size(&self, record: usize) -> u64 {
        self.places.index.size(record)
    }

    /// Bytes of all records.
    pub fn total(&self) -> u64 {
        (0..self.len()).map(|record| self.size(record)).sum()
    }

    /// Why places in the text are none in the bytes that it was read from; of UTF-8 they are.
    pub fn rewritten_by(&self) -> Option<&Notice> {
        let changed = |notice: &&Notice| matches!(notice, Notice::Utf16 | Notice::NotUtf8 { .. });
        self.places.notices().iter().find(changed)
    }

    /// Its stretch of an input of so many bytes: of JSON Lines from the first record to the end of the last.
    pub fn stretch_in(&self, length: u64) -> Range<u64> {
        let lines = self.places.framing == Framing::Lines && !self.is_empty();
        if lines { self.places.index.bytes(0).start..self.places.index.end() } else { 0..length }
    }

    /// The same stretch with other bytes.
    pub fn rewritten(&self, bytes: Vec<u8>) -> Result<Self, InputError> {
        if self.places.framing == Framing::Lines {
            return Ok(Self::from_lines(self.places.name(), bytes, 0, 0));
        }
        Self::from_bytes(self.places.name(), bytes)
    }

    /// From the first byte of a record to its last, with what may part it.
    pub fn span(&self, record: usize) -> Range<u64> {
        let index = &self.places.index;
        let Some(frames) = index.scattered(record) else { return index.bytes(record) };
        frames.first().map_or(0, |frame| frame.start)..frames.last().map_or(0, |frame| frame.end)
    }

    /// Line of a byte of the input, from 1.
    pub fn line_of(&self, byte: u64) -> usize {
        self.places.place_of(byte, None).0
    }

    /// First line of a record, from 1.
    pub fn line(&self, record: usize) -> usize {
        self.line_of(self.places.index.bytes(record).start)
    }

    /// Lets go of the text that was read for the index.
    pub fn forget_text(&self) {
        self.fresh.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// The text of a record. An error where the file is no longer what it was.
    pub fn record(&self, record: usize) -> Result<RecordText, InputError> {
        self.record_by(record, &Windows::default())
    }

    /// The same for whoever goes through many.
    pub fn record_by(&self, record: usize, windows: &Windows) -> Result<RecordText, InputError> {
        if let Some(frames) = self.places.index.scattered(record) {
            let parts =
                frames.iter().map(|frame| self.part(frame, windows)).collect::<Result<Vec<_>, _>>()?;
            return Ok(RecordText::scattered(Arc::clone(&self.places), record, parts));
        }
        let (text, stretch) = self.stretch(&self.places.index.bytes(record), windows)?;
        Ok(RecordText::of(Arc::clone(&self.places), record, text, stretch))
    }

    /// A part of a record that others part: of what was read for it only its own is kept.
    fn part(&self, bytes: &Range<u64>, windows: &Windows) -> Result<(Arc<Text>, Range<usize>), InputError> {
        let (text, range) = self.stretch(bytes, windows)?;
        if matches!(self.places.backing, Backing::Memory(_)) || range == (0..text.string.len()) {
            return Ok((text, range));
        }
        let own = text.string.get(range).unwrap_or_default().to_owned();
        let length = own.len();
        Ok((Arc::new(Text::at(own, bytes.start)), 0..length))
    }

    /// A text that holds a stretch of the input, and the stretch in it.
    fn stretch(
        &self,
        bytes: &Range<u64>,
        windows: &Windows,
    ) -> Result<(Arc<Text>, Range<usize>), InputError> {
        let local = bytes.start as usize..bytes.end as usize;
        if let Backing::Memory(text) = &self.places.backing {
            return Ok((Arc::clone(text), local));
        }
        let fresh = self.fresh.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(text) = fresh {
            return Ok((text, local));
        }
        if self.places.container == Container::Events {
            let text = framing::without_prefixes(self.places.read_text(bytes.clone(), bytes.end)?);
            let length = text.len();
            return Ok((Arc::new(Text::at(text, bytes.start)), 0..length));
        }
        let text = windows.holding(&self.places, bytes)?;
        let from = (bytes.start - text.first_byte) as usize;
        Ok((text, from..from + (bytes.end - bytes.start) as usize))
    }
}

/// Cuts a text into frames; an error where it holds none.
fn frame(name: &str, text: String) -> Result<Framed, InputError> {
    let start = framing::start_of(&text);
    let marked = |text: &str| {
        // An array may begin with a number, too, and a line of a log with one in brackets.
        let list = is_json(text) || framing::is_lines(text.as_bytes());
        let wrapped = format::wrapped(text.trim_start_matches('\u{feff}')).filter(|_| !list)?;
        Some(Framed { rewritten: true, ..Framed::of(wrapped) })
    };
    match text.as_bytes().get(start..) {
        None | Some([]) => return Err(InputError::Empty { name: name.to_owned() }),
        Some([b'[', b'0'..=b'9', ..]) => {
            if let Some(framed) = marked(&text) {
                return Ok(framed);
            }
        }
        Some([b'{' | b'[', ..]) => {}
        Some(_) if framing::is_events(&text) || framing::is_lines(text.as_bytes()) => {}
        Some(_) if framing::values_behind(text.as_bytes(), start).is_some() => {}
        Some(_) => return marked(&text).ok_or_else(|| not_json(name, &text, start)),
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
        let kind = |framed: &Framed| {
            framed
                .frames
                .first()
                .and_then(|frame| framed.text.get(frame.range.clone()))
                .map(format::recognise_document)
        };
        let first = kind(framed).unwrap_or(FrameKind::Unrecognised);
        if !framed.is_several() || !matches!(first, FrameKind::Known(..)) && !framed.is_known_behind() {
            let mut grouping = Grouping::new(Container::Document);
            if let Some(frame) = framed.frames.first() {
                grouping.take(
                    Taken { bytes: bytes_of(&frame.range), side_by_side: false, anew: false, kind: first },
                    |_| false,
                    LineStart::default,
                );
            }
            return grouping.finish();
        }
        framed.split_values();
    }
    if framed.container == Container::Array {
        let all = std::mem::take(&mut framed.frames).into_iter();
        framed.frames = all.flat_map(|frame| arrays::apart(&framed.text, frame)).collect();
    }
    index_frames(&framed.text, &framed.frames, framed.container, LineCount::default())
}

/// Groups the frames of a text to records.
fn index_frames(text: &str, frames: &[Frame], container: Container, mut line: LineCount) -> Index {
    let streams = container == Container::Events;
    let mut grouping = Grouping::new(container);
    let begun = line.begun;
    let mut last = 0;
    let next = |number: usize| frames.get(number + 1).and_then(|next| text.get(next.range.clone()));
    for (number, Frame { range, whole }) in frames.iter().enumerate() {
        let frame = text.get(range.clone()).unwrap_or_default();
        let between = text.as_bytes().get(last..range.start).unwrap_or_default();
        let anew = streams && memchr::memmem::find(between, b"[DONE]").is_some();
        let side_by_side = between.iter().all(|byte| byte.is_ascii_whitespace() || *byte == b',');
        let bytes = begun + range.start as u64..begun + range.end as u64;
        // Whether the stream before a line goes on behind it, by its id.
        let goes_on =
            |number: usize| next(number).is_some_and(|next| grouping.awaits(&format::recognise(next)));
        let lines = container == Container::Lines;
        let kind = match arrays::recognise(frame) {
            // What is no JSON would cost the record that it joined.
            FrameKind::Unrecognised | FrameKind::Asked
                if streams
                    && is_json(frame)
                    && !(grouping.is_of_several() && format::has_supports(frame)) =>
            {
                FrameKind::Stray
            }
            // Where the stream breaks off, there may be too little of an event to know it by.
            FrameKind::Unrecognised if streams && !whole && number + 1 == frames.len() => FrameKind::Stray,
            FrameKind::Unrecognised if number > 0 && number + 1 == frames.len() && breaks_off(frame) => {
                FrameKind::Broken
            }
            FrameKind::Unrecognised if format::is_event(frame) => FrameKind::Event,
            // Lines are logged by many: what is cut off in one is not gone on with in the next. With the last
            // one a stream may break off.
            FrameKind::Known(format, FrameGroup::Stream { id: None, boundary })
                if lines
                    && (boundary.goes_on() || boundary == Boundary::WithPrevious)
                    && number + 1 < frames.len()
                    && breaks_off(frame)
                    && !goes_on(number) =>
            {
                FrameKind::Known(format, FrameGroup::Stream { id: None, boundary: Boundary::Broken })
            }
            kind => kind,
        };
        let taken = Taken { bytes, side_by_side, anew, kind };
        let again = |first: &Range<u64>| {
            let first = (first.start - begun) as usize..(first.end - begun) as usize;
            text.get(first) == Some(frame)
        };
        grouping.take(taken, again, || line.upto(text, range.start));
        last = range.end;
    }
    grouping.finish()
}

/// Whether a frame is an object without its end.
fn breaks_off(frame: &str) -> bool {
    frame.starts_with('{') && skip_value(frame.as_bytes(), 0).is_none()
}

fn bytes_of(range: &Range<usize>) -> Range<u64> {
    range.start as u64..range.end as u64
}

/// The lines of places of a text that are asked for in ascending order.
#[derive(Default)]
struct LineCount {
    /// Byte of the input at which the text begins.
    begun: u64,
    line: LineStart,
    counted: usize,
}

impl LineCount {
    fn upto(&mut self, text: &str, byte: usize) -> LineStart {
        let more = text.as_bytes().get(self.counted..byte).unwrap_or_default();
        let last = memchr::memrchr(b'\n', more);
        self.line.before += memchr::memchr_iter(b'\n', more).count() as u64;
        let rest = more.get(last.map_or(0, |last| last + 1)..).unwrap_or_default();
        let characters = rest.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() as u64;
        self.line.column = if last.is_some() { characters } else { self.line.column + characters };
        self.counted = self.counted.max(byte);
        self.line.byte = self.begun + self.counted as u64;
        self.line
    }
}

#[cfg(test)]
mod tests {
    use super::super::pieces::Pieces;
    use super::super::spool::Spool;
    use super::*;

    #[test]
    fn places_in_a_file_that_is_read_again_are_those_of_the_whole() {
        let folder = tempfile::tempdir().unwrap();
        let event = |id: &str, text: &str| {
            format!(
                r#"data: {{"responseId": "{id}", "candidates": [{{"content": {{"parts": [{{"text": "{text}"}}]}}}}]}}"#
            )
        };
        let line =
            |text: &str| format!(r#"{{"candidates": [{{"content": {{"parts": [{{"text": "{text}"}}]}}}}]}}"#);
        let texts = [
            format!("{}\n\n  {}\n\n{}\n", event("a", "ä1"), event("b", "2"), event("a", "3")),
            format!("{}\n\n {}\n{}", line("ä"), line("b"), line("c")),
            format!("[{}, {},\n {}]", line("ä"), line("b"), line("c")),
        ];
        for (number, text) in texts.iter().enumerate() {
            let path = folder.path().join(format!("{number}.json"));
            std::fs::write(&path, text).unwrap();
            let (file, memory) = (
                Pieces::of(Some(&path), &Spool::new(u64::MAX)).next().unwrap().unwrap(),
                Input::from_bytes("f", text.clone().into_bytes()).unwrap(),
            );
            file.forget_text();
            assert_eq!(file.len(), memory.len(), "{text}");
            for record in 0..file.len() {
                let (here, there) = (file.record(record).unwrap(), memory.record(record).unwrap());
                assert_eq!(here.frames().collect::<Vec<_>>(), there.frames().collect::<Vec<_>>());
                for frame in 0..here.len() {
                    assert_eq!(
                        here.line_column(frame, 3),
                        there.line_column(frame, 3),
                        "{text}: record {record}, frame {frame}"
                    );
                    assert_eq!(here.place(frame, 3), there.place(frame, 3));
                }
            }
        }
    }
}
