//! The text of a record, with the place of each of its frames.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use super::arrays;
use super::framing::{self, Container, Frame, Framing};
use super::places::Places;
use super::text::{LineColumn, Text};
use crate::model::Notice;

/// The text of a record, read from its input: its frames, each with its place there.
#[derive(Debug, Clone)]
pub struct RecordText {
    places: Arc<Places>,
    /// Number of the record within its input.
    record: usize,
    texts: Vec<Arc<Text>>,
    /// For each frame the text it is in, and its bytes there.
    frames: Vec<(usize, Frame)>,
    /// Where the texts begin, once that is asked for.
    begin: OnceLock<Vec<LineColumn>>,
}

/// Bytes of a line beside the data of its event: the name of the field, and blanks.
const BESIDE: usize = 256;

impl RecordText {
    /// Of frames that lie side by side in a stretch of a text.
    pub(super) fn of(places: Arc<Places>, record: usize, text: Arc<Text>, stretch: Range<usize>) -> Self {
        let known = places.index.format(record).is_some();
        let elements = |frame: &Frame| arrays::elements(&text.string, frame).filter(|_| known);
        let frames = framing::frames_of(places.framing, &text.string, stretch)
            .into_iter()
            .flat_map(|frame| elements(&frame).unwrap_or_else(|| vec![frame]))
            .map(|frame| (0, frame))
            .collect();
        Self { places, record, texts: vec![text], frames, begin: OnceLock::new() }
    }

    /// Of frames that other records part, each with its text.
    pub(super) fn scattered(
        places: Arc<Places>,
        record: usize,
        parts: Vec<(Arc<Text>, Range<usize>)>,
    ) -> Self {
        let (texts, stretches): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
        // Of lines and elements a part may be several, which lie side by side.
        let framing = places.framing;
        let frames_in = |(number, range): (usize, Range<usize>)| {
            let text = texts.get(number).map_or("", |text: &Arc<Text>| &text.string);
            framing::frames_of(framing, text, range).into_iter().map(move |frame| (number, frame))
        };
        let frames = stretches.into_iter().enumerate().flat_map(frames_in).collect();
        Self { places, record, texts, frames, begin: OnceLock::new() }
    }

    /// Name of the input.
    pub fn name(&self) -> &str {
        self.places.name()
    }

    /// How the values of the input are strung together.
    pub fn container(&self) -> Container {
        self.places.container
    }

    /// Whether something that no format reads stands among its frames, or a line among its lines.
    pub fn is_parted(&self) -> bool {
        let index = &self.places.index;
        let Some(frames) = index.scattered(self.record) else { return false };
        let end = frames.last().map_or(0, |frame| frame.end);
        let behind = self.record + 1..index.len();
        let mut among = behind.take_while(|record| index.bytes(*record).start < end);
        self.places.framing == Framing::Lines || among.any(|record| index.format(record).is_none())
    }

    /// What was mended or passed over while the input was read; of JSON Lines, in the lines of this record.
    pub fn notices(&self) -> Vec<Notice> {
        let all = &self.places.notices();
        if self.places.framing != Framing::Lines || all.is_empty() {
            return all.to_vec();
        }
        let lines: Vec<usize> = (0..self.len()).map(|frame| self.line_column(frame, 0).0).collect();
        let own = |notice: &&Notice| !matches!(notice, Notice::NotUtf8 { line, .. } if !lines.contains(line));
        all.iter().filter(own).cloned().collect()
    }

    /// Number of the record within its input, from 0.
    pub fn number(&self) -> usize {
        self.places.first_record + self.record
    }

    /// How many frames there are.
    pub fn len(&self) -> usize {
        self.frames.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// Text of a frame; empty for a number past the end.
    pub fn frame(&self, number: usize) -> &str {
        let frame = || {
            let (text, frame) = self.frames.get(number)?;
            self.texts.get(*text)?.string.get(frame.range.clone())
        };
        frame().unwrap_or_default()
    }

    /// The texts of the frames, in order.
    pub fn frames(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|number| self.frame(number))
    }

    /// The name of the event that a frame is the data of, where it has one: `event: error`.
    pub fn event(&self, number: usize) -> Option<&str> {
        let (text, frame) = self.frames.get(number)?;
        let string = &self.texts.get(*text)?.string;
        let (before, behind) = (string.get(..frame.range.start)?, string.get(frame.range.end..)?);
        // What is far from either end of its line is one of several pieces of it, and no event of its own.
        let near = before.get(before.ceil_char_boundary(before.len().saturating_sub(BESIDE))..)?;
        let line = match near.rfind(ENDS) {
            Some(end) => before.len() - near.len() + end + 1,
            None if near.len() == before.len() => 0,
            None => return None,
        };
        let near = behind.get(..behind.floor_char_boundary(BESIDE))?;
        let behind = near.find(ENDS).and_then(|end| behind.get(end..)).unwrap_or_default();
        name_above(before.get(..line)?).or_else(|| name_below(behind))
    }

    /// Line and column of a byte of a frame.
    pub fn line_column(&self, frame: usize, byte: usize) -> LineColumn {
        let Some((number, frame)) = self.frames.get(frame) else { return (1, 1) };
        let Some(text) = self.texts.get(*number) else { return (1, 1) };
        text.line_column(frame.range.start + byte, || self.begins(*number))
    }

    /// Where a text begins: all of them are found in one walk, each from the one before it.
    fn begins(&self, number: usize) -> LineColumn {
        let all = self.begin.get_or_init(|| {
            let mut last = None;
            let begin = |text: &Arc<Text>| {
                let place = self.places.place_of(text.first_byte, last);
                last = Some((text.first_byte, place));
                place
            };
            self.texts.iter().map(begin).collect()
        });
        all.get(number).copied().unwrap_or((1, 1))
    }

    /// The byte of the input's text that a byte of a frame is.
    pub fn place(&self, frame: usize, byte: usize) -> usize {
        let Some((text, frame)) = self.frames.get(frame) else { return 0 };
        let first = self.texts.get(*text).map_or(0, |text| text.first_byte);
        first as usize + frame.range.start + byte
    }
}

/// What ends a line of an event stream.
const ENDS: [char; 2] = ['\n', '\r'];

/// Fields of an event beside its data that are looked at.
const FIELDS: usize = 8;

fn without_end(text: &str) -> Option<&str> {
    text.strip_suffix("\r\n").or_else(|| text.strip_suffix(ENDS))
}

/// The name of an event in its fields above its data, up to a blank line or other data.
fn name_above(mut text: &str) -> Option<&str> {
    for _ in 0..FIELDS {
        text = without_end(text)?;
        let (above, line) = text.split_at(text.rfind(ENDS).map_or(0, |end| end + 1));
        if let Some(name) = line.strip_prefix("event:") {
            return Some(name.trim());
        }
        if line.is_empty() || line.starts_with("data") {
            return None;
        }
        text = above;
    }
    None
}

/// The same below it; the text begins with the end of its line.
fn name_below(mut text: &str) -> Option<&str> {
    for _ in 0..FIELDS {
        text = text.strip_prefix("\r\n").or_else(|| text.strip_prefix(ENDS))?;
        let (line, below) = text.split_at(text.find(ENDS).unwrap_or(text.len()));
        if let Some(name) = line.strip_prefix("event:") {
            return Some(name.trim());
        }
        if line.is_empty() || line.starts_with("data") {
            return None;
        }
        text = below;
    }
    None
}
