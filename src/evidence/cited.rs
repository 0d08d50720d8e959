//! The chunks that a claim cites. A document may have thousands of passages and every claim may cite all of
//! them, so that they are runs of neighbours: nothing here goes through them one by one.

use std::ops::Range;

use super::index::{ChunkId, Index, Number};
use super::numbers;

/// Cited chunks that are compared in full.
pub(crate) const MOST_CITED: usize = 64;

/// Cited chunks, each once, as runs of neighbours.
#[derive(Clone, Debug, Default)]
pub struct Cited {
    /// Ascending and apart, each with its place in the order of citation.
    runs: Vec<(Range<u32>, usize)>,
}

/// In the order given; what comes twice counts where it came first.
impl<C: AsRef<[ChunkId]> + ?Sized> From<&C> for Cited {
    fn from(ids: &C) -> Self {
        let mut cited = Self::default();
        for id in ids.as_ref() {
            cited.add(id.0..id.0.saturating_add(1));
        }
        cited
    }
}

impl Cited {
    /// All chunks of some sources, in the order of the sources.
    pub fn of_sources(index: &Index, sources: impl IntoIterator<Item = u32>) -> Self {
        let mut cited = Self::default();
        for source in sources {
            cited.add_source(index, source);
        }
        cited
    }

    /// Adds the chunks of a source.
    pub fn add_source(&mut self, index: &Index, source: u32) {
        let own = index.chunks_of(source);
        let ends = own.first().zip(own.last()).map(|((_, first), (_, last))| first.0..last.0 + 1);
        match ends {
            Some(run) if run.len() == own.len() => self.add(run),
            _ => own.iter().for_each(|(_, id)| self.add(id.0..id.0 + 1)),
        }
    }

    /// Adds a run that is wholly new or wholly known.
    fn add(&mut self, run: Range<u32>) {
        let order = self.runs.len();
        let at = self.runs.partition_point(|(known, _)| known.end <= run.start);
        match self.runs.get_mut(at) {
            Some((known, _)) if known.start < run.end => {}
            _ => match at.checked_sub(1).and_then(|before| self.runs.get_mut(before)) {
                // Only what was added last may grow: others would lose their place in the order.
                Some((last, place)) if last.end == run.start && *place + 1 == order => last.end = run.end,
                _ => self.runs.insert(at, (run, order)),
            },
        }
    }

    /// Whether a chunk is one of them.
    pub(crate) fn contains(&self, id: u32) -> bool {
        let at = self.runs.partition_point(|(run, _)| run.end <= id);
        self.runs.get(at).is_some_and(|(run, _)| run.start <= id)
    }

    /// Those that carry text.
    pub(crate) fn with_text(self, index: &Index) -> Self {
        if self.runs.iter().all(|(run, _)| index.with_text(run) == run.len()) {
            return self;
        }
        Self::from(&self.ids().filter(|id| index.has_text(*id)).collect::<Vec<_>>())
    }

    /// Whether they are so many that only those that hold most of a claim are compared in full.
    pub fn is_many(&self) -> bool {
        self.len() > MOST_CITED
    }

    pub(crate) fn len(&self) -> usize {
        self.runs.iter().map(|(run, _)| run.len()).sum()
    }

    /// Whether one of them carries text.
    pub(crate) fn has_text(&self, index: &Index) -> bool {
        self.runs.iter().any(|(run, _)| index.with_text(run) > 0)
    }

    /// Whether all chunks with text are among them.
    pub(crate) fn has_all_text(&self, index: &Index) -> bool {
        let own = self.runs.iter().map(|(run, _)| index.with_text(run)).sum::<usize>();
        own == index.with_text(&(0..u32::MAX))
    }

    /// The first chunk with text that is not one of them.
    pub(crate) fn first_other(&self, index: &Index) -> Option<ChunkId> {
        let starts = std::iter::once(0).chain(self.runs.iter().map(|(run, _)| run.end));
        let ends = self.runs.iter().map(|(run, _)| run.start).chain([u32::MAX]);
        starts.zip(ends).find_map(|(start, end)| index.first_with_text(&(start..end)))
    }

    /// All of them in order.
    pub(crate) fn ids(&self) -> impl Iterator<Item = ChunkId> {
        self.in_order().into_iter().flatten().map(ChunkId)
    }

    fn in_order(&self) -> Vec<Range<u32>> {
        let mut runs: Vec<_> = self.runs.iter().collect();
        runs.sort_unstable_by_key(|(_, order)| *order);
        runs.into_iter().map(|(run, _)| run.clone()).collect()
    }

    /// Sorts chunks of these by the order of citation.
    pub(crate) fn sort(&self, ids: &mut [ChunkId]) {
        ids.sort_unstable_by_key(|id| {
            let at = self.runs.partition_point(|(run, _)| run.end <= id.0);
            (self.runs.get(at).map_or(usize::MAX, |(_, order)| *order), *id)
        });
    }

    /// Those that hold a token.
    pub(crate) fn holders<'a>(&'a self, index: &'a Index, token: u32) -> impl Iterator<Item = &'a [u32]> {
        let all = index.holders(token);
        self.runs.iter().map(move |(run, _)| {
            let from = all.partition_point(|id| *id < run.start);
            let to = all.partition_point(|id| *id < run.end);
            all.get(from..to).unwrap_or_default()
        })
    }

    /// Whether one of them, or its title, holds a token.
    pub(crate) fn hold(&self, index: &Index, token: u32) -> bool {
        self.holders(index, token).any(|held| !held.is_empty())
    }

    /// The same of a number, in whatever form.
    pub(crate) fn hold_number(&self, index: &Index, number: &Number) -> bool {
        if !self.is_many() {
            return self.ids().any(|id| index.holds_number(id, number));
        }
        let numerals = index.numerals();
        let any_value = |within: std::ops::RangeInclusive<f64>, passes: &dyn Fn(f64) -> bool| {
            let from = numerals.values.partition_point(|(value, _)| value < within.start());
            let near = numerals.values.iter().skip(from).take_while(|(value, _)| value <= within.end());
            near.into_iter().any(|(value, id)| passes(*value) && self.contains(*id))
        };
        number.token.is_some_and(|token| {
            let from = numerals.tokens.partition_point(|(other, _)| *other < token);
            let same = numerals.tokens.iter().skip(from).take_while(|(other, _)| *other == token);
            same.into_iter().any(|(_, id)| self.contains(*id))
        }) || number.value.is_some_and(|value| numbers::is_near(&number.text, value, any_value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(cited: &Cited) -> Vec<u32> {
        cited.ids().map(|id| id.0).collect()
    }

    #[test]
    fn they_keep_their_order_and_come_once() {
        let cited = Cited::from(&[3, 4, 5, 1, 0, 4, 9, 1].map(ChunkId));
        assert_eq!(ids(&cited), [3, 4, 5, 1, 0, 9]);
        let inside: Vec<u32> = (0..11).filter(|id| cited.contains(*id)).collect();
        assert_eq!(inside, [0, 1, 3, 4, 5, 9]);
        let mut some = [9, 0, 1, 5].map(ChunkId);
        cited.sort(&mut some);
        assert_eq!(some.map(|id| id.0), [5, 1, 0, 9]);
    }
}
