//! Whether a whole response cites the source before or after the right one: an index that counts from another
//! base.

use std::collections::HashMap;

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

/// What is known of a claim, by where it is kept, and a source: a claim may cite passage after passage of
/// one.
type Known = HashMap<(usize, u32), Option<f64>>;

impl Scorer<'_> {
    /// Tests a whole response: each citation is a claim and the index that it names, as sent. Sources are
    /// numbered from 0 to below `sources`; an index outside fits nothing, a source without text is passed
    /// over. None where there are too few citations or too few sources with text.
    pub fn index_shift(&mut self, citations: &[(&Claim, i64)], sources: u32) -> Option<Shift> {
        let readable = self.index.sources_with_text();
        if citations.len() < SHIFT_LEAST || readable < SHIFT_LEAST {
            return None;
        }
        let mut shift = Shift { by: 0, means: [None; 3] };
        let mut known = HashMap::new();
        for (mean, by) in shift.means.iter_mut().zip([-1, 0, 1]) {
            *mean = self.mean_cover(citations, sources, by, &mut known);
        }
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

    fn mean_cover(
        &mut self,
        citations: &[(&Claim, i64)],
        sources: u32,
        by: i64,
        known: &mut Known,
    ) -> Option<f64> {
        let (mut sum, mut count) = (0.0, 0u32);
        for (claim, source) in citations {
            let target = source.checked_add(by).and_then(|sum| u32::try_from(sum).ok());
            let cover = match target.filter(|target| *target < sources) {
                None => Some(0.0),
                Some(target) => {
                    let pair = (std::ptr::from_ref(*claim).addr(), target);
                    *known.entry(pair).or_insert_with(|| self.source_cover(claim, target))
                }
            };
            sum += cover.unwrap_or(0.0);
            count += u32::from(cover.is_some());
        }
        (count as usize >= SHIFT_LEAST).then(|| sum / f64::from(count))
    }

    /// The best cover among the chunks of a source; `None` where it has no text or the claim no tokens.
    fn source_cover(&mut self, claim: &Claim, source: u32) -> Option<f64> {
        let index = self.index;
        let readable = index.of_source(source).filter(|id| index.has_text(*id));
        let covers = readable.filter_map(|id| self.cover(claim, id)).map(|fit| fit.cover);
        covers.reduce(f64::max)
    }
}
