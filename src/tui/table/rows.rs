//! The rows of the list, in order: some four bytes each, since what most of them say is said by many and kept
//! once.

use std::collections::HashMap;
use std::ops::Range;

use crate::session::RowKind;

/// A row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// Record.
    pub record: u32,
    /// Response within the record.
    pub item: u16,
    /// What is said of it.
    pub(super) facts: Facts,
}

/// What a row says of its response, in eight bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Facts {
    /// Rules that found something: a number of [`super::parts::Sets`].
    pub rules: u16,
    pub claims: u16,
    pub kind: Option<RowKind>,
    pub format: u8,
    pub cited: u8,
    pub marked: bool,
}

/// Stands for nothing in a byte.
pub(super) const NONE: u8 = u8::MAX;

impl Facts {
    /// Of what was not checked yet.
    pub const UNKNOWN: Self =
        Self { rules: 0, claims: 0, kind: None, format: NONE, cited: NONE, marked: false };
}

impl Row {
    /// What it is; nothing until it was checked.
    pub fn kind(&self) -> Option<RowKind> {
        self.facts.kind
    }

    /// How many claims.
    pub fn claims(&self) -> u16 {
        self.facts.claims
    }

    /// Marked by the user.
    pub fn is_marked(&self) -> bool {
        self.facts.marked
    }

    /// Index of its format in [`crate::format::FORMATS`].
    pub fn format(&self) -> Option<u8> {
        Some(self.facts.format).filter(|format| *format != NONE)
    }

    /// Hundredths of the answer that rest on a source.
    pub fn cited(&self) -> Option<u8> {
        Some(self.facts.cited).filter(|cited| *cited != NONE)
    }
}

/// Records whose rows lie together: what is put in place of some moves no others but these.
const BLOCK: usize = 256;

/// The rows of so many records.
#[derive(Debug, Default)]
pub(super) struct Rows {
    blocks: Vec<Block>,
    records: usize,
    kept: Vec<Facts>,
    numbers: HashMap<Facts, u32>,
}

/// The rows of [`BLOCK`] records.
#[derive(Debug, Default)]
struct Block {
    /// Rows before it.
    before: usize,
    /// What each says: a number of what is kept.
    facts: Vec<u32>,
    /// Record within the block and response within the record of each; nothing where each record has one.
    places: Option<Box<[(u8, u16)]>>,
}

impl Rows {
    /// There are so many records now.
    pub fn grow(&mut self, records: usize) {
        let unknown = self.number(Facts::UNKNOWN);
        while self.records < records {
            let (at, within) = (self.records / BLOCK, self.records % BLOCK);
            if at == self.blocks.len() {
                self.blocks.push(Block { before: self.len(), ..Block::default() });
            }
            let more = (BLOCK - within).min(records - self.records);
            if let Some(block) = self.blocks.get_mut(at) {
                block.grow(within, more, unknown);
            }
            self.records += more;
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.blocks.last().map_or(0, |block| block.before + block.facts.len())
    }

    /// A row by its number.
    pub fn get(&self, row: usize) -> Option<Row> {
        let at = self.block_of(row)?;
        let block = self.blocks.get(at)?;
        self.row(at, block, row.checked_sub(block.before)?)
    }

    /// All in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Row> + '_ {
        let rows =
            move |(at, block)| (0..Block::len(block)).filter_map(move |place| self.row(at, block, place));
        self.blocks.iter().enumerate().flat_map(rows)
    }

    /// Number of the first row of a record, or of the one behind where it has none.
    pub fn first_of(&self, record: u32) -> usize {
        let at = record as usize / BLOCK;
        let Some(block) = self.blocks.get(at) else { return self.len() };
        block.before + block.first_of(record as usize % BLOCK)
    }

    /// Number of the row of a response.
    pub fn find(&self, record: u32, item: u16) -> Option<usize> {
        let row = self.first_of(record) + usize::from(item);
        self.get(row).filter(|found| (found.record, found.item) == (record, item)).map(|_| row)
    }

    /// Puts another row in place of one of the same response.
    pub fn set(&mut self, row: usize, facts: Facts) {
        let number = self.number(facts);
        let block = self.block_of(row).and_then(|at| self.blocks.get_mut(at));
        let kept = block.and_then(|block| {
            let place = row.checked_sub(block.before)?;
            block.facts.get_mut(place)
        });
        if let Some(kept) = kept {
            *kept = number;
        }
    }

    /// Puts rows, in order, in place of all that some records have.
    pub fn replace(&mut self, records: Range<u32>, rows: &[Row]) {
        let blocks = records.start as usize / BLOCK..(records.end as usize).div_ceil(BLOCK);
        let mut rest = rows;
        let mut moved = false;
        for at in blocks.start..blocks.end.min(self.blocks.len()) {
            let here = rest.partition_point(|row| row.record as usize / BLOCK <= at);
            let (rows, others) = rest.split_at(here);
            rest = others;
            moved |= self.replace_in(at, &records, rows);
        }
        if moved {
            self.count_from(blocks.start);
        }
    }

    /// The same within a block; true where it has another number of rows now.
    fn replace_in(&mut self, at: usize, records: &Range<u32>, rows: &[Row]) -> bool {
        let first = at * BLOCK;
        let within = |record: u32| (record as usize).saturating_sub(first).min(BLOCK);
        let numbers: Vec<u32> = rows.iter().map(|row| self.number(row.facts)).collect();
        let places = rows.iter().map(|row| (within(row.record) as u8, row.item)).collect::<Vec<_>>();
        let Some(block) = self.blocks.get_mut(at) else { return false };
        let old = block.first_of(within(records.start))..block.first_of(within(records.end));
        let length = block.facts.len();
        let single = |places: &[(u8, u16)], from: usize| {
            let expected = (from..).map(|record| (record as u8, 0));
            places.iter().copied().eq(expected.take(places.len()))
        };
        if block.places.is_some() || old.len() != places.len() || !single(&places, old.start) {
            let mut all: Vec<(u8, u16)> = (0..length).map(|place| block.place(place)).collect();
            all.splice(old.clone(), places);
            let records = (self.records - first).min(BLOCK);
            block.places = Some(all).filter(|all| all.len() != records || !single(all, 0)).map(Vec::into);
        }
        block.facts.splice(old, numbers);
        block.facts.len() != length
    }

    fn count_from(&mut self, at: usize) {
        let mut before = self.blocks.get(at).map_or(0, |block| block.before);
        for block in self.blocks.iter_mut().skip(at) {
            block.before = before;
            before += block.facts.len();
        }
    }

    fn row(&self, at: usize, block: &Block, place: usize) -> Option<Row> {
        let facts = *self.kept.get(*block.facts.get(place)? as usize)?;
        let (record, item) = block.place(place);
        Some(Row { record: (at * BLOCK) as u32 + u32::from(record), item, facts })
    }

    /// The block of a row: the one where it would be if each record had one row, or another.
    fn block_of(&self, row: usize) -> Option<usize> {
        let at = row / BLOCK;
        if self.blocks.get(at).is_some_and(|block| block.holds(row)) {
            return Some(at);
        }
        let at = self.blocks.partition_point(|block| block.before <= row).checked_sub(1)?;
        Some(at).filter(|&at| self.blocks.get(at).is_some_and(|block| block.holds(row)))
    }

    fn number(&mut self, facts: Facts) -> u32 {
        *self.numbers.entry(facts).or_insert_with(|| {
            self.kept.push(facts);
            (self.kept.len() - 1) as u32
        })
    }
}

impl Block {
    fn len(&self) -> usize {
        self.facts.len()
    }

    fn holds(&self, row: usize) -> bool {
        (self.before..self.before + self.len()).contains(&row)
    }

    /// Record within the block and response within the record of a row.
    fn place(&self, place: usize) -> (u8, u16) {
        match &self.places {
            Some(places) => places.get(place).copied().unwrap_or_default(),
            None => (place as u8, 0),
        }
    }

    /// Row within the block at which a record begins.
    fn first_of(&self, record: usize) -> usize {
        match &self.places {
            Some(places) => places.partition_point(|&(before, _)| usize::from(before) < record),
            None => record.min(self.len()),
        }
    }

    /// Adds records of which nothing is known behind so many others.
    fn grow(&mut self, records: usize, more: usize, unknown: u32) {
        if let Some(places) = self.places.take() {
            let new = (records..records + more).map(|record| (record as u8, 0));
            self.places = Some(places.into_iter().chain(new).collect());
        }
        self.facts.extend(std::iter::repeat_n(unknown, more));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn row(record: u32, item: u16, claims: u16) -> Row {
        Row { record, item, facts: Facts { claims, ..Facts::UNKNOWN } }
    }

    /// Record, response and claims of each.
    fn all(rows: &Rows) -> Vec<(u32, u16, u16)> {
        rows.iter().map(|row| (row.record, row.item, row.claims())).collect()
    }

    #[test]
    fn facts_take_eight_bytes_and_a_row_points_to_them() {
        assert_eq!(size_of::<Facts>(), 8);
        let mut rows = Rows::default();
        rows.grow(1000);
        rows.replace(0..1000, &(0..1000).map(|record| row(record, 0, 7)).collect::<Vec<_>>());
        assert_eq!((rows.len(), rows.kept.len()), (1000, 2));
        assert!(rows.blocks.iter().all(|block| block.places.is_none()));
    }

    #[test]
    fn records_at_the_edge_of_a_block_have_several_rows_or_none() {
        let mut rows = Rows::default();
        rows.grow(300);
        rows.replace(255..257, &[row(255, 0, 1), row(255, 1, 2), row(256, 0, 3), row(256, 1, 4)]);
        rows.replace(257..258, &[]);
        assert_eq!((rows.len(), rows.find(255, 1), rows.find(256, 0)), (301, Some(256), Some(257)));
        assert_eq!((rows.find(257, 0), rows.find(258, 0), rows.first_of(257)), (None, Some(259), 259));
        let at = |number| rows.get(number).map(|row| (row.record, row.item, row.claims()));
        assert_eq!((at(256), at(258), at(259)), (Some((255, 1, 2)), Some((256, 1, 4)), Some((258, 0, 0))));
        assert_eq!((at(300), at(301)), (Some((299, 0, 0)), None));
        rows.grow(301);
        assert_eq!((rows.len(), rows.find(300, 0)), (302, Some(301)));
    }

    proptest! {
        /// A list that keeps each row whole says the same.
        #[test]
        fn rows_are_those_of_a_plain_list(
            steps in prop::collection::vec((0..700u32, 0..40u32, prop::collection::vec(0..4u16, 40)), 1..12)
        ) {
            let (mut rows, mut plain, mut records) = (Rows::default(), Vec::new(), 0u32);
            for (from, count, items) in steps {
                if from + count > records {
                    plain.extend((records..from + count).map(|record| (record, 0, 0)));
                    records = from + count;
                    rows.grow(records as usize);
                }
                let new = (from..from + count).zip(&items);
                let new: Vec<Row> =
                    new.flat_map(|(record, &items)| (0..items).map(move |item| row(record, item, items))).collect();
                plain.retain(|&(record, ..)| !(from..from + count).contains(&record));
                plain.extend(new.iter().map(|row| (row.record, row.item, row.claims())));
                plain.sort_unstable();
                rows.replace(from..from + count, &new);
                prop_assert_eq!(all(&rows), plain.clone());
            }
            prop_assert_eq!(rows.len(), plain.len());
            for (number, &(record, item, claims)) in plain.iter().enumerate() {
                prop_assert_eq!(rows.find(record, item), Some(number));
                prop_assert_eq!(rows.get(number), Some(row(record, item, claims)));
            }
            for record in 0..records {
                prop_assert_eq!(rows.first_of(record), plain.partition_point(|&(before, ..)| before < record));
            }
        }
    }
}
