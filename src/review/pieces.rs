//! The pieces that a streamed answer came in: what may be off because one came twice, late or never.

use std::collections::HashMap;
use std::ops::Range;

use crate::anchor::Units;
use crate::model::{Response, Unit};

/// Units that a lost piece has at least where all that are there are longer: what is off by less is counted
/// otherwise.
pub(super) const PIECE: i64 = 4;

/// Units of what two pieces share where one begins with the end of the other: of less some always do.
const SHARED: i64 = 2;

/// Different shifts of one stream that are compared with its pieces; what has more is left.
const SHIFTS: usize = 64;

/// Pieces whose lengths are compared with each other.
const PIECES: usize = 32;

/// Bytes of a piece that says by chance what another one says, at most, unless that stands before it.
const CHANCE: usize = 15;

/// The pieces of a stream in the unit of its answer, as far as their texts make it.
pub(super) struct Pieces<'a> {
    answer: &'a str,
    unit: Unit,
    units: &'a Units<'a>,
    /// Where each begins, ascending.
    begins: Vec<i64>,
    /// How long each is.
    lengths: Vec<i64>,
    /// How long the shortest is.
    shortest: i64,
    /// Where the first one begins that says what one behind it says.
    again: Option<i64>,
    /// They make all of the answer: no event tells it as a whole.
    are_all: bool,
    /// Where the supports end that stand as they were sent, ascending.
    rights: Vec<i64>,
    /// By how much an answer would be longer: where it first may be, as far as it was asked for.
    known: HashMap<i64, Option<i64>>,
}

impl<'a> Pieces<'a> {
    /// By the bytes at which those begin that are not empty, and the last one ends; `rights`: where the
    /// supports end that stand as they were sent.
    pub fn of(
        response: &'a Response,
        units: &'a Units<'a>,
        (pieces, end): (Vec<usize>, usize),
        rights: Vec<usize>,
    ) -> Self {
        let (answer, unit) = (response.text(), response.unit);
        let count = |byte: usize| units.count(unit, byte) as i64;
        let ends = pieces.iter().copied().skip(1).chain([end]);
        let text = |(&at, to): (&usize, usize)| (at, answer.get(at..to).unwrap_or_default());
        let texts: Vec<(usize, &str)> = pieces.iter().zip(ends).map(text).collect();
        let begins: Vec<i64> = pieces.iter().map(|&at| count(at)).collect();
        let ends = begins.iter().copied().skip(1).chain([count(end)]);
        let lengths: Vec<i64> = begins.iter().zip(ends).map(|(begin, end)| end - begin).collect();
        let mut rights: Vec<i64> = rights.into_iter().map(count).collect();
        rights.sort_unstable();
        Self {
            answer,
            unit,
            units,
            shortest: lengths.iter().copied().min().unwrap_or(i64::MAX),
            again: said_again(&texts).map(count),
            begins,
            lengths,
            are_all: end == answer.len(),
            rights,
            known: HashMap::new(),
        }
    }

    pub fn are_several(&self) -> bool {
        self.begins.len() > 1
    }

    /// Whether one begins at a place.
    pub fn begin_at(&self, place: i64) -> bool {
        self.begins.binary_search(&place).is_ok()
    }

    /// Whether a quote begins or ends where its offsets say, and is cut where two pieces meet: there a piece
    /// may be missing that had the rest of it. `ends`: they name an end, too.
    pub fn may_part(&self, quote: &str, sent: &Range<usize>, ends: bool) -> bool {
        let count = |byte: usize| self.units.count(self.unit, byte) as i64;
        let (from, to) = (count(sent.start), count(sent.end));
        let byte = |place: i64| self.units.byte(self.unit, usize::try_from(place).ok()?).ok();
        let within =
            self.begins.partition_point(|&at| at <= from)..self.begins.partition_point(|&at| at < to);
        let joints = self.begins.get(within).unwrap_or_default();
        let is_cut = |text: Option<&str>, is_own: fn(&str, &str) -> bool| {
            text.is_some_and(|text| !text.is_empty() && is_own(quote, text))
        };
        let first = joints.first().and_then(|&at| self.answer.get(sent.start..byte(at)?));
        let last = joints.last().and_then(|&at| self.answer.get(byte(at)?..sent.end));
        is_cut(first, |quote, text| quote.starts_with(text))
            || ends && is_cut(last, |quote, text| quote.ends_with(text))
    }

    /// Whether what stands at a place is off as it is where pieces before it came twice, in another order, or
    /// in the place of others.
    pub fn may_be_more_before(&mut self, place: i64, shift: i64) -> bool {
        self.again.is_some_and(|again| again <= place)
            || self.are_moved(place, shift)
            || shift > 0 && self.first_end(shift).is_some_and(|end| end <= place)
    }

    /// Where the first pieces end that are so long together, or what is so long and stands twice where two
    /// meet.
    fn first_end(&mut self, length: i64) -> Option<i64> {
        if let Some(known) = self.known.get(&length) {
            return *known;
        }
        if self.known.len() >= SHIFTS {
            return Some(0);
        }
        let ends = |begin: i64| self.begin_at(begin.saturating_add(length)) || self.is_shared(begin, length);
        let first = self.begins.iter().find(|&&begin| ends(begin)).map(|begin| begin + length);
        self.known.insert(length, first);
        first
    }

    /// Whether what stands so long before a piece stands at its beginning, too.
    fn is_shared(&self, begin: i64, length: i64) -> bool {
        let byte = |place: i64| self.units.byte(self.unit, usize::try_from(place).ok()?).ok();
        let shared = || {
            let (from, at, to) = (byte(begin - length)?, byte(begin)?, byte(begin + length)?);
            Some(self.answer.get(from..at)? == self.answer.get(at..to)?)
        };
        length >= SHARED && shared() == Some(true)
    }

    /// Whether what stands at a place is off as it is where two pieces around it stand in each other's place,
    /// or one that stands behind it belongs before it. Of very many pieces some always are.
    fn are_moved(&self, place: i64, shift: i64) -> bool {
        let before = self.begins.partition_point(|&begin| begin <= place).saturating_sub(1);
        let (before, behind) = self.lengths.split_at_checked(before).unwrap_or_default();
        let behind = behind.get(1..).unwrap_or_default();
        self.lengths.len() <= PIECES
            && behind.iter().any(|later| {
                *later == -shift || before.iter().any(|earlier| earlier - later == shift && shift != 0)
            })
    }

    /// Whether a piece begins between a place and what stands as it was sent before that: one of some length
    /// may be missing there, if another is no longer or it is long enough to be one, or nothing stands as it
    /// was sent.
    pub fn may_lack_one_before(&self, place: i64, length: i64) -> bool {
        let nearest = |of: &[i64]| of.get(of.partition_point(|&at| at <= place).checked_sub(1)?).copied();
        let (begin, right) = (nearest(&self.begins), nearest(&self.rights));
        // What one piece tells whole lacks none that is shorter.
        let least = if self.begins.len() > 1 { self.shortest.min(PIECE) } else { self.shortest };
        least <= length && begin.is_some_and(|begin| right.is_none_or(|right| right <= begin))
            || self.are_all && self.rights.is_empty() && length >= PIECE
    }
}

/// Where the first piece begins, of texts each with its beginning, that another one says again: of two that
/// say the same either may be in the place of another.
fn said_again(texts: &[(usize, &str)]) -> Option<usize> {
    let mut said: HashMap<&str, usize> = HashMap::new();
    let mut before = ("", 0);
    let twice = texts.iter().filter_map(|&(at, text)| {
        let (last, there) = std::mem::replace(&mut before, (text, at));
        let first = *said.entry(text).or_insert(at);
        let next = (last == text && !text.trim().is_empty()).then_some(there);
        next.or_else(|| (first < at && text.len() > CHANCE).then_some(first))
    });
    twice.min()
}
