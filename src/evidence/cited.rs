//! The chunks that a claim cites. A document may have thousands of passages and every claim may cite all of
//! them, so that they are runs of neighbours: nothing here goes through them one by one.

use std::collections::HashSet;
use std::ops::{Range, RangeInclusive};

use super::index::{ChunkId, Index, Number};
use super::numbers;

/// Cited chunks that are compared in full.
pub(crate) const MOST_CITED: usize = 64;

/// The same of thousands where one of them holds the whole claim: the others only show where else it stands.
pub(crate) const SETTLED_CITED: usize = 16;

/// Cited chunks, each once, as runs of neighbours.
#[derive(Clone, Debug, Default)]
pub struct Cited {
    /// Ascending and apart, each with its place in the order of citation.
    runs: Vec<(Range<u32>, usize)>,
}

/// In the order given; what comes twice counts where it came first.
impl<C: AsRef<[ChunkId]> + ?Sized> From<&C> for Cited {
    fn from(ids: &C) -> Self {
        let mut seen = HashSet::new();
        let ids = ids.as_ref().iter().filter(|id| seen.insert(**id));
        Self::of(ids.map(|id| id.0..id.0.saturating_add(1)))
    }
}

impl Cited {
    /// Runs that are apart, in the order of citation.
    fn of(ordered: impl IntoIterator<Item = Range<u32>>) -> Self {
        let mut runs: Vec<(Range<u32>, usize)> = Vec::new();
        for run in ordered {
            let order = runs.len();
            match runs.last_mut() {
                Some((last, _)) if last.end == run.start => last.end = run.end,
                _ => runs.push((run, order)),
            }
        }
        runs.sort_unstable_by_key(|(run, _)| run.start);
        Self { runs }
    }

    /// All chunks of some sources, each named once, in their order.
    pub fn of_sources(index: &Index, sources: impl IntoIterator<Item = u32>) -> Self {
        Self::of(sources.into_iter().flat_map(|source| {
            let own = index.chunks_of(source);
            let ends = own.first().zip(own.last()).map(|((_, first), (_, last))| first.0..last.0 + 1);
            let whole = ends.filter(|run| run.len() == own.len());
            let each = if whole.is_some() { &[][..] } else { own };
            whole.into_iter().chain(each.iter().map(|(_, id)| id.0..id.0 + 1))
        }))
    }

    /// Whether a chunk is one of them.
    pub(crate) fn contains(&self, id: u32) -> bool {
        let at = self.runs.partition_point(|(run, _)| run.end <= id);
        self.runs.get(at).is_some_and(|(run, _)| run.start <= id)
    }

    /// Those that carry text.
    pub(crate) fn with_text(&self, index: &Index) -> Self {
        let texts = |(run, order): &(Range<u32>, usize)| {
            let order = *order;
            index.with_text(run.clone()).map(move |run| (run, order))
        };
        Self { runs: self.runs.iter().flat_map(texts).collect() }
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
        self.runs.iter().any(|(run, _)| index.with_text(run.clone()).next().is_some())
    }

    /// The first chunk with text that is not one of them.
    pub(crate) fn first_other(&self, index: &Index) -> Option<ChunkId> {
        let starts = std::iter::once(0).chain(self.runs.iter().map(|(run, _)| run.end));
        let ends = self.runs.iter().map(|(run, _)| run.start).chain([u32::MAX]);
        starts
            .zip(ends)
            .find_map(|(start, end)| index.with_text(start..end).next())
            .map(|run| ChunkId(run.start))
    }

    /// All of them in order.
    pub(crate) fn ids(&self) -> impl Iterator<Item = ChunkId> {
        self.in_order().into_iter().flatten().map(ChunkId)
    }

    fn in_order(&self) -> Vec<Range<u32>> {
        let mut runs: Vec<_> = self.runs.iter().collect();
        runs.sort_by_key(|(_, order)| *order);
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
        let any_value = |range: RangeInclusive<f64>, passes: &dyn Fn(f64) -> bool| {
            let near = numbers::within(&numerals.values, |(value, _)| *value, &range);
            near.iter().any(|(value, id)| passes(*value) && self.contains(*id))
        };
        number.token.is_some_and(|token| {
            self.runs.iter().any(|(run, _)| {
                let from = numerals.tokens.partition_point(|entry| *entry < (token, run.start));
                numerals.tokens.get(from).is_some_and(|(other, id)| *other == token && *id < run.end)
            })
        }) || number.value.is_some_and(|value| numbers::is_near(&number.text, value, any_value))
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::sample::select;

    use super::*;
    use crate::evidence::{ChunkText, Claim};

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

    proptest::proptest! {
        /// The same as lists that are gone through one by one.
        #[test]
        fn runs_say_what_lists_say(
            chunks in vec((0..4u32, select(["", "!!!", "tower 12", "3 lights"].as_slice())), 0..90),
            wanted in vec(0..90u32, 0..120),
            sources in vec(0..4u32, 0..3),
        ) {
            let text = |(number, (source, text)): (u32, &(u32, &'static str))| {
                ChunkText { source: *source, chunk: number, title: "", text }
            };
            let index = Index::new((0..).zip(&chunks).map(text));
            let once = |list: Vec<u32>| {
                let mut seen = HashSet::new();
                list.into_iter().filter(|id| seen.insert(*id)).collect::<Vec<_>>()
            };
            let listed: Vec<u32> =
                once(wanted).into_iter().filter(|id| (*id as usize) < chunks.len()).collect();
            let wanted: Vec<ChunkId> = listed.iter().copied().map(ChunkId).collect();
            let sources = once(sources);
            let own = |source: &u32| index.of_source(*source).map(|id| id.0).collect::<Vec<_>>();
            let of_sources: Vec<u32> = sources.iter().flat_map(own).collect();
            let both = [(Cited::from(&wanted), listed), (Cited::of_sources(&index, sources), of_sources)];
            for (cited, list) in both {
                let has_text = |id: u32| index.has_text(ChunkId(id));
                let texted: Vec<u32> = list.iter().copied().filter(|id| has_text(*id)).collect();
                proptest::prop_assert_eq!(ids(&cited), list.clone());
                proptest::prop_assert_eq!(ids(&cited.with_text(&index)), texted.clone());
                proptest::prop_assert_eq!(cited.has_text(&index), !texted.is_empty());
                let other = (0..chunks.len() as u32).find(|id| has_text(*id) && !list.contains(id));
                proptest::prop_assert_eq!(cited.first_other(&index).map(|id| id.0), other);
                for claim in ["tower", "12", "12000", "3", "4"] {
                    let claim = Claim::new(&index, claim);
                    for number in &claim.numbers {
                        let held = list.iter().any(|id| index.holds_number(ChunkId(*id), number));
                        proptest::prop_assert_eq!(cited.hold_number(&index, number), held);
                    }
                    for token in claim.terms.iter().filter_map(|term| term.token) {
                        let held = list.iter().any(|id| index.holds(ChunkId(*id), token));
                        proptest::prop_assert_eq!(cited.hold(&index, token), held);
                    }
                }
            }
        }
    }
}
