//! Whether a whole response cites the source before or after the right one: an index that counts from another
//! base.

use std::borrow::Borrow;
use std::collections::HashMap;

use super::cited::Cited;
use super::claim::Claim;
use super::cover::Scorer;

/// What the indices as sent get in advance, so that only a clear lead counts as a shift.
pub const SHIFT_PRIOR: f64 = 0.03;
/// Fewer citations, or fewer sources with text, say nothing.
pub const SHIFT_LEAST: usize = 3;

/// How well the citations of a response fit when every index is moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shift {
    /// What to add to every index for the best fit: −1, 0 or +1.
    pub by: i8,
    /// The mean cover of the cited sources with −1, 0 and +1 added; `None` where too few of them carry text.
    pub means: [Option<f64>; 3],
}

/// Covers of the cited sources with −1, 0 and +1 added, summed up, and how many there were.
#[derive(Default)]
struct Sums([(f64, usize); 3]);

impl Sums {
    /// The mean of each; none where too few carry text.
    fn means(&self) -> [Option<f64>; 3] {
        self.0.map(|(sum, count)| (count >= SHIFT_LEAST).then(|| sum / count as f64))
    }
}

impl Scorer<'_> {
    /// Tests a whole response: its claims, each with the indices that it names, as sent. A claim is let go of
    /// before the next one is asked for. Sources are numbered from 0 to below `sources`; an index outside
    /// fits nothing, a source without text is passed over. None where there are too few citations or too few
    /// sources with text.
    pub fn index_shift<C: Borrow<Claim>>(
        &mut self,
        claims: impl IntoIterator<Item = (C, Vec<i64>)>,
        sources: u32,
    ) -> Option<Shift> {
        if self.index.sources_with_text() < SHIFT_LEAST {
            return None;
        }
        let (mut citations, mut sums) = (0, Sums::default());
        for (claim, cited) in claims {
            citations += cited.len();
            self.add_covers(claim.borrow(), &cited, sources, &mut sums);
        }
        if citations < SHIFT_LEAST {
            return None;
        }
        let mut shift = Shift { by: 0, means: sums.means() };
        let [before, own, after] = shift.means;
        let mut best = own? + SHIFT_PRIOR;
        for (mean, by) in [(before, -1), (after, 1)] {
            if let Some(mean) = mean.filter(|mean| *mean > best) {
                best = mean;
                shift.by = by;
            }
        }
        Some(shift)
    }

    /// Adds what the sources of a claim hold of it; it may cite passage after passage of one.
    fn add_covers(&mut self, claim: &Claim, cited: &[i64], sources: u32, sums: &mut Sums) {
        let mut known: HashMap<u32, Option<f64>> = HashMap::new();
        for index in cited {
            for ((sum, count), by) in sums.0.iter_mut().zip([-1, 0, 1]) {
                let target = index.checked_add(by).and_then(|sum| u32::try_from(sum).ok());
                let cover = match target.filter(|target| *target < sources) {
                    None => Some(0.0),
                    Some(target) => *known.entry(target).or_insert_with(|| self.source_cover(claim, target)),
                };
                *sum += cover.unwrap_or(0.0);
                *count += usize::from(cover.is_some());
            }
        }
    }

    /// The best cover among the chunks of a source, of very many among the closest; `None` where it has no
    /// text or the claim no tokens.
    fn source_cover(&mut self, claim: &Claim, source: u32) -> Option<f64> {
        let index = self.index;
        let readable = Cited::of_sources(index, [source]).with_text(index);
        let closest = self.closest(claim, &readable);
        let covers = closest.into_iter().filter_map(|id| self.cover(claim, id)).map(|fit| fit.cover);
        covers.reduce(f64::max)
    }
}
