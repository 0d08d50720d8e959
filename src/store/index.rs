//! Where the records of an input are: sixteen bytes a record, and 24 for every 32 KB of the input, to count
//! lines.

use std::collections::HashMap;
use std::ops::Range;

use crate::format::{FORMATS, Format};

/// Bits of a place in an input: up to 256 TB.
const PLACE_BITS: u32 = 48;
const PLACE_MASK: u64 = (1 << PLACE_BITS) - 1;

/// Where a record begins and how long it is, with its format: two words of 48 bits of place and 16 bits of
/// facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Slot {
    /// First byte; above it the format's place in the registry plus one, 0 for none.
    start: u64,
    /// Length in bytes; above it 1 where the frames do not lie side by side.
    length: u64,
}

/// The records of one input, in order. Nothing of their text is kept.
#[derive(Debug, Default)]
pub(super) struct Index {
    slots: Vec<Slot>,
    /// Bytes of each frame of the records whose frames other records part, as in an event stream of several
    /// runs.
    scattered: HashMap<usize, Vec<Range<u64>>>,
    /// Places at which records begin, ascending and about [`NEAR`] bytes apart, so that neither lines nor
    /// columns are counted from the beginning of the input.
    lines: Vec<LineStart>,
    /// Where the last frame ends.
    end: u64,
    /// The record that goes on behind lines of no format, if they are not the last that are read.
    parted: Option<usize>,
}

/// A place: how many lines are before it, its byte, and the characters before it in its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct LineStart {
    pub before: u64,
    pub byte: u64,
    pub column: u64,
}

/// Bytes behind a place that is kept from which on another one is: what is read at most to say where a record
/// begins.
const NEAR: u64 = 1 << 15;

impl Index {
    /// How many records there are.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Adds a record. `line` is the place at which it begins, asked for where it is kept.
    pub fn push(&mut self, bytes: Range<u64>, format: Option<usize>, line: impl FnOnce() -> LineStart) {
        self.end = self.end.max(bytes.end);
        self.mark(bytes.start, line);
        let format = format.map_or(0, |format| format as u64 + 1);
        self.slots.push(Slot {
            start: bytes.start & PLACE_MASK | format << PLACE_BITS,
            length: (bytes.end - bytes.start) & PLACE_MASK,
        });
    }

    /// Keeps a place where the last one that is kept is far.
    fn mark(&mut self, byte: u64, line: impl FnOnce() -> LineStart) {
        if self.lines.last().is_none_or(|kept| byte >= kept.byte + NEAR) {
            let line = line();
            if self.lines.last() != Some(&line) {
                self.lines.push(line);
            }
        }
    }

    /// Adds a frame to a record: it grows, or is scattered where something else lies between.
    pub fn extend(
        &mut self,
        record: usize,
        frame: Range<u64>,
        side_by_side: bool,
        line: impl FnOnce() -> LineStart,
    ) {
        self.end = self.end.max(frame.end);
        let bytes = self.bytes(record);
        let Some(slot) = self.slots.get_mut(record) else { return };
        if side_by_side && !self.scattered.contains_key(&record) {
            slot.length = (frame.end - bytes.start) & PLACE_MASK;
            return;
        }
        self.mark(frame.start, line);
        self.scattered.entry(record).or_insert_with(|| vec![bytes]).push(frame);
    }

    /// What a record is of, where that shows at a later frame.
    pub fn set_format(&mut self, record: usize, format: usize) {
        if let Some(slot) = self.slots.get_mut(record) {
            slot.start = slot.start & PLACE_MASK | (format as u64 + 1) << PLACE_BITS;
        }
    }

    /// Takes the last records away but for the first `length`.
    pub fn truncate(&mut self, length: usize) {
        self.slots.truncate(length);
        self.scattered.retain(|record, _| *record < length);
        let frames = self.scattered.values().filter_map(|frames| frames.last());
        self.end = frames.map(|frame| frame.end).fold(self.bytes(length.saturating_sub(1)).end, u64::max);
    }

    /// First byte and the byte after the last of a record that is not scattered.
    pub fn bytes(&self, record: usize) -> Range<u64> {
        let Some(slot) = self.slots.get(record) else { return 0..0 };
        let start = slot.start & PLACE_MASK;
        start..start + (slot.length & PLACE_MASK)
    }

    /// Notes the record that goes on behind lines of no format.
    pub fn set_parted(&mut self, parted: Option<usize>) {
        self.parted = parted;
    }

    /// The record that lines to come may belong to: the last one, or one that lines of no format part.
    pub fn unsettled(&self) -> usize {
        self.parted.unwrap_or(self.slots.len().saturating_sub(1))
    }

    /// Where the last frame ends.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// Bytes of each frame of a scattered record.
    pub fn scattered(&self, record: usize) -> Option<&[Range<u64>]> {
        self.scattered.get(&record).map(Vec::as_slice)
    }

    /// Bytes of a record's frames taken together.
    pub fn size(&self, record: usize) -> u64 {
        let length = |bytes: Range<u64>| bytes.end - bytes.start;
        self.scattered(record)
            .map_or_else(|| length(self.bytes(record)), |frames| frames.iter().cloned().map(length).sum())
    }

    /// The format of a record; none where no format reads it.
    pub fn format(&self, record: usize) -> Option<&'static Format> {
        let slot = self.slots.get(record)?;
        FORMATS.get(((slot.start >> PLACE_BITS) as usize).checked_sub(1)?)
    }

    /// A place at or before a byte, and not far from where a record or a part of one begins.
    pub fn line_before(&self, byte: u64) -> LineStart {
        let after = self.lines.partition_point(|kept| kept.byte <= byte);
        after.checked_sub(1).and_then(|last| self.lines.get(last)).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_takes_sixteen_bytes() {
        assert_eq!(size_of::<Slot>(), 16);
        let mut index = Index::default();
        index.push(7..19, Some(3), || LineStart { before: 2, byte: 5, column: 0 });
        index.push(20..30, None, || unreachable!("its line is not kept"));
        index.push(1 << 40..(1 << 40) + 5, None, || LineStart { before: 9, byte: 1 << 40, column: 3 });
        assert_eq!(
            (index.bytes(0), index.format(0).map(|format| format.id)),
            (7..19, FORMATS.get(3).map(|format| format.id))
        );
        assert_eq!(
            (index.bytes(2), index.format(2).is_none(), index.len()),
            (1 << 40..(1 << 40) + 5, true, 3)
        );
        assert_eq!(index.line_before(20), LineStart { before: 2, byte: 5, column: 0 });
        assert_eq!(index.line_before(1 << 40), LineStart { before: 9, byte: 1 << 40, column: 3 });
    }

    #[test]
    fn frames_side_by_side_are_one_stretch_and_others_a_list() {
        let mut index = Index::default();
        index.push(0..10, Some(0), LineStart::default);
        index.extend(0, 11..20, true, || unreachable!("its line is not kept"));
        assert_eq!((index.bytes(0), index.scattered(0), index.size(0)), (0..20, None, 20));
        index.extend(0, 50..60, false, LineStart::default);
        assert_eq!((index.scattered(0), index.size(0)), (Some(&[0..20, 50..60][..]), 30));
    }
}
