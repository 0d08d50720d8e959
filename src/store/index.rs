//! Where the records of an input are: nine bytes a record, and 24 for every 32 KB of the input, to count
//! lines.

use std::collections::HashMap;
use std::ops::Range;

use crate::format::{FORMATS, Format};

/// Stands for a length that is among the long ones.
const LONG: u32 = u32::MAX;

/// The records of one input, in order. Nothing of their text is kept.
#[derive(Debug)]
pub(super) enum Index {
    /// A record alone at the beginning, as each of very many files has it.
    Lone { bytes: Range<u64>, format: u8 },
    /// Others.
    Many(Box<Records>),
}

/// The records of an input as they are found.
#[derive(Debug, Default)]
pub(super) struct Records {
    entries: Vec<Entry>,
    /// What few inputs have.
    rare: Option<Box<Rare>>,
    /// Places at which records begin, ascending and about [`NEAR`] bytes apart, so that neither lines nor
    /// columns are counted from the beginning of the input, which is none of them.
    lines: Vec<LineStart>,
    /// Where the last frame ends.
    end: u64,
    /// The first record that frames to come may belong to, if that is not the last.
    unsettled: Option<usize>,
}

/// A record in nine bytes: its first one counted from the base before it, its length or [`LONG`], and its
/// format, the place in the registry plus one, 0 for none.
#[derive(Debug, Clone, Copy)]
struct Entry {
    start: [u8; 4],
    length: [u8; 4],
    format: u8,
}

/// What is kept of records that do not fit or do not lie in one piece.
#[derive(Debug, Default)]
struct Rare {
    /// Records from which on first bytes are counted from another byte of the input, ascending; that byte.
    bases: Vec<(usize, u64)>,
    /// Lengths of records of 4 GB and more.
    long: HashMap<usize, u64>,
    /// Bytes of each frame of the records whose frames other records part, as in an event stream of several
    /// runs.
    scattered: HashMap<usize, Vec<Range<u64>>>,
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
    fn many(&self) -> Option<&Records> {
        if let Self::Many(records) = self { Some(records) } else { None }
    }

    /// How many records there are.
    pub fn len(&self) -> usize {
        self.many().map_or(1, Records::len)
    }

    /// First byte and the byte after the last of a record that is not scattered.
    pub fn bytes(&self, record: usize) -> Range<u64> {
        match self {
            Self::Lone { bytes, .. } if record == 0 => bytes.clone(),
            Self::Lone { .. } => 0..0,
            Self::Many(records) => records.bytes(record),
        }
    }

    /// Where the last frame ends.
    pub fn end(&self) -> u64 {
        match self {
            Self::Lone { bytes, .. } => bytes.end,
            Self::Many(records) => records.end,
        }
    }

    /// Bytes of each frame of a scattered record.
    pub fn scattered(&self, record: usize) -> Option<&[Range<u64>]> {
        self.many()?.scattered(record)
    }

    /// Bytes of a record's frames taken together.
    pub fn size(&self, record: usize) -> u64 {
        let length = |bytes: Range<u64>| bytes.end - bytes.start;
        self.scattered(record)
            .map_or_else(|| length(self.bytes(record)), |frames| frames.iter().cloned().map(length).sum())
    }

    /// The format of a record; none where no format reads it.
    pub fn format(&self, record: usize) -> Option<&'static Format> {
        let number = match self {
            Self::Lone { format, .. } if record == 0 => *format,
            Self::Lone { .. } => return None,
            Self::Many(records) => records.entries.get(record)?.format,
        };
        FORMATS.get(usize::from(number).checked_sub(1)?)
    }

    /// A place at or before a byte, and not far from where a record or a part of one begins.
    pub fn line_before(&self, byte: u64) -> LineStart {
        let lines = self.many().map_or(&[][..], |records| &records.lines);
        let after = lines.partition_point(|kept| kept.byte <= byte);
        after.checked_sub(1).and_then(|last| lines.get(last)).copied().unwrap_or_default()
    }

    /// The first record that lines to come may belong to, or that lies among such.
    pub fn unsettled(&self) -> usize {
        self.many().and_then(|records| records.unsettled).unwrap_or(self.len().saturating_sub(1))
    }

    /// Takes the last records away but for the first `length`, one at least.
    pub fn truncate(&mut self, length: usize) {
        if let Self::Many(records) = self {
            records.truncate(length);
        }
    }
}

impl Records {
    /// How many records there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Adds a record. `line` is the place at which it begins, asked for where it is kept.
    pub fn push(&mut self, bytes: Range<u64>, format: Option<usize>, line: impl FnOnce() -> LineStart) {
        self.end = self.end.max(bytes.end);
        self.mark(bytes.start, line);
        let record = self.len();
        let start = self.start_from_base(record, bytes.start);
        let (start, format) = (start.to_le_bytes(), number_of(format));
        self.entries.push(Entry { start, length: [0; 4], format });
        self.set_length(record, bytes.end - bytes.start);
    }

    /// First byte of the record that comes next, counted from the last base, or from one of its own.
    fn start_from_base(&mut self, record: usize, start: u64) -> u32 {
        let from_base = start.checked_sub(self.base_of(record)).and_then(|start| u32::try_from(start).ok());
        from_base.unwrap_or_else(|| {
            self.rare.get_or_insert_default().bases.push((record, start));
            0
        })
    }

    /// What the first byte of a record is counted from.
    fn base_of(&self, record: usize) -> u64 {
        let bases = self.rare.as_deref().map_or(&[][..], |rare| &rare.bases);
        let base = bases.partition_point(|&(first, _)| first <= record).checked_sub(1);
        base.and_then(|base| bases.get(base)).map_or(0, |&(_, base)| base)
    }

    fn set_length(&mut self, record: usize, length: u64) {
        let short = u32::try_from(length).ok().filter(|length| *length != LONG);
        if short.is_none() {
            self.rare.get_or_insert_default().long.insert(record, length);
        }
        if let Some(kept) = self.entries.get_mut(record) {
            kept.length = short.unwrap_or(LONG).to_le_bytes();
        }
    }

    /// Keeps a place where the last one that is kept is far.
    fn mark(&mut self, byte: u64, line: impl FnOnce() -> LineStart) {
        if self.lines.last().is_none_or(|kept| byte >= kept.byte + NEAR) {
            let line = line();
            if line != self.lines.last().copied().unwrap_or_default() {
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
        if record >= self.len() {
            return;
        }
        let bytes = self.bytes(record);
        if side_by_side && self.scattered(record).is_none() {
            self.set_length(record, frame.end - bytes.start);
            return;
        }
        self.mark(frame.start, line);
        let scattered = &mut self.rare.get_or_insert_default().scattered;
        scattered.entry(record).or_insert_with(|| vec![bytes]).push(frame);
    }

    /// What a record is of, where that shows at a later frame.
    pub fn set_format(&mut self, record: usize, format: usize) {
        if let Some(kept) = self.entries.get_mut(record) {
            kept.format = number_of(Some(format));
        }
    }

    /// Takes the last records away but for the first `length`.
    pub fn truncate(&mut self, length: usize) {
        self.entries.truncate(length);
        if let Some(rare) = &mut self.rare {
            rare.bases.retain(|&(record, _)| record < length);
            rare.long.retain(|record, _| *record < length);
            rare.scattered.retain(|record, _| *record < length);
        }
        let frames =
            self.rare.iter().flat_map(|rare| rare.scattered.values().filter_map(|frames| frames.last()));
        self.end = frames.map(|frame| frame.end).fold(self.bytes(length.saturating_sub(1)).end, u64::max);
    }

    /// First byte and the byte after the last of a record that is not scattered.
    pub fn bytes(&self, record: usize) -> Range<u64> {
        let Some(&Entry { start, length, .. }) = self.entries.get(record) else { return 0..0 };
        let (start, length) = (u32::from_le_bytes(start), u32::from_le_bytes(length));
        let long = || self.rare.as_ref()?.long.get(&record).copied();
        let length = if length == LONG { long() } else { None }.unwrap_or(length.into());
        let start = self.base_of(record) + u64::from(start);
        start..start + length
    }

    /// Notes the first record that waits for more, if the last is not the only one; what ends behind its
    /// beginning goes with it.
    pub fn set_unsettled(&mut self, waits: Option<usize>) {
        let mut first = waits.unwrap_or(self.len().saturating_sub(1));
        let scattered = self.rare.iter().flat_map(|rare| &rare.scattered);
        let ends = scattered.filter_map(|(&record, frames)| Some((record, frames.last()?.end)));
        let mut ends: Vec<_> = ends.collect();
        ends.sort_unstable_by(|one, other| other.cmp(one));
        for (record, end) in ends {
            if record < first && end > self.bytes(first).start {
                first = record;
            }
        }
        self.unsettled = Some(first);
    }

    /// Bytes of each frame of a scattered record.
    fn scattered(&self, record: usize) -> Option<&[Range<u64>]> {
        self.rare.as_ref()?.scattered.get(&record).map(Vec::as_slice)
    }

    /// What is kept of them, once all are found.
    pub fn finish(mut self) -> Index {
        if let [Entry { format, .. }] = self.entries[..]
            && self.rare.is_none()
            && self.lines.is_empty()
        {
            return Index::Lone { bytes: self.bytes(0), format };
        }
        self.entries.shrink_to_fit();
        self.lines.shrink_to_fit();
        Index::Many(Box::new(self))
    }
}

/// A format as it is kept.
fn number_of(format: Option<usize>) -> u8 {
    format.and_then(|format| u8::try_from(format + 1).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_where_they_were_put_however_far_and_long() {
        let mut index = Records::default();
        index.push(7..19, Some(3), || LineStart { before: 2, byte: 5, column: 0 });
        index.push(20..30, None, || unreachable!("its line is not kept"));
        index.push(1 << 40..(1 << 40) + 5, None, || LineStart { before: 9, byte: 1 << 40, column: 3 });
        let index = index.finish();
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
    fn records_beyond_four_gigabytes_and_before_those_that_came_first() {
        const FOUR: u64 = 1 << 32;
        let places =
            [3..9, 10..FOUR + 9, FOUR + 10..FOUR + 12, 3 * FOUR..5 * FOUR - 1, 1..2, 5 * FOUR..6 * FOUR];
        let mut index = Records::default();
        for bytes in &places {
            index.push(bytes.clone(), None, LineStart::default);
        }
        assert_eq!((0..6).map(|record| index.bytes(record)).collect::<Vec<_>>(), places);
        index.extend(5, 6 * FOUR..6 * FOUR + 7, true, LineStart::default);
        assert_eq!(index.bytes(5), 5 * FOUR..6 * FOUR + 7);
        index.truncate(3);
        index.push(FOUR + 20..FOUR + 21, Some(1), LineStart::default);
        assert_eq!(
            (index.bytes(2), index.bytes(3), index.len()),
            (FOUR + 10..FOUR + 12, FOUR + 20..FOUR + 21, 4)
        );
    }

    #[test]
    fn frames_side_by_side_are_one_stretch_and_others_a_list() {
        let of = |frames: &[(Range<u64>, bool)]| {
            let mut index = Records::default();
            index.push(0..10, Some(0), LineStart::default);
            for (frame, side_by_side) in frames {
                index.extend(0, frame.clone(), *side_by_side, LineStart::default);
            }
            index.finish()
        };
        let one = of(&[(11..20, true)]);
        assert_eq!((one.bytes(0), one.scattered(0), one.size(0)), (0..20, None, 20));
        let two = of(&[(11..20, true), (50..60, false)]);
        assert_eq!((two.scattered(0), two.size(0)), (Some(&[0..20, 50..60][..]), 30));
    }

    #[test]
    fn a_record_alone_is_told_as_among_others() {
        let mut lone = Records::default();
        lone.push(2..9, Some(1), LineStart::default);
        let mut two = Records::default();
        two.push(2..9, Some(1), LineStart::default);
        two.push(10..11, None, LineStart::default);
        let (lone, two) = (lone.finish(), two.finish());
        assert!(matches!((&lone, &two), (Index::Lone { .. }, Index::Many(_))));
        for index in [&lone, &two] {
            assert_eq!((index.bytes(0), index.size(0), index.scattered(0)), (2..9, 7, None));
            assert_eq!(index.format(0).map(|format| format.id), FORMATS.get(1).map(|format| format.id));
            assert_eq!(index.line_before(5), LineStart::default());
        }
        assert_eq!((lone.len(), lone.end(), lone.unsettled(), lone.bytes(1)), (1, 9, 0, 0..0));
        assert_eq!((two.len(), two.end(), two.unsettled()), (2, 11, 1));
        assert!(lone.format(1).is_none());
    }
}
