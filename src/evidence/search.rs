//! The best chunk that is not cited, among thousands, without scoring every one of them in full.

use super::claim::Claim;
use super::cover::{Scorer, combine};
use super::index::ChunkId;
use super::scratch::Scratch;
use std::collections::HashSet;

/// A chunk and how well it fits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Other {
    /// The chunk.
    pub chunk: ChunkId,
    /// Its cover.
    pub cover: f64,
}

/// Cited chunks that are compared in full. A document that is cited passage by passage may have thousands,
/// and every claim cites all of them.
pub const MOST_CITED: usize = 64;

/// Chunks with a word that are looked at for a claim: of a word that more have the first ones. What tells
/// chunks apart are words that few have.
const HOLDERS_MOST: usize = 4096;

/// Chunks that are compared in full to find the best: those that hold most of the claim's words.
const TRIED_MOST: usize = 1024;

impl Other {
    fn is_better_than(self, best: Option<Self>) -> bool {
        best.is_none_or(|best| {
            self.cover > best.cover || (self.cover >= best.cover && self.chunk < best.chunk)
        })
    }
}

impl Scorer<'_> {
    /// The chunk with text, not among `cited`, that fits best; of equal ones the first. Exact up to a
    /// thousand chunks that could: no window holds more than the whole chunk, so a chunk whose whole text
    /// holds too little is passed over unscored.
    pub fn best_other(&mut self, claim: &Claim, cited: &[ChunkId]) -> Option<Other> {
        if claim.total <= 0.0 {
            return None;
        }
        let mut search = std::mem::take(&mut self.search);
        search.weights.resize(self.index.len(), 0.0);
        search.cited.resize(self.index.len(), false);
        search.flag(cited, true);
        let found = self.search_in(&mut search, claim);
        search.flag(cited, false);
        self.search = search;
        found
    }

    /// Of more than [`MOST_CITED`] chunks those that hold most of the claim, and for each of its words one
    /// that has it, if any: together they hold what all of them do.
    pub(crate) fn closest(&mut self, claim: &Claim, cited: Vec<ChunkId>) -> Vec<ChunkId> {
        if cited.len() <= MOST_CITED {
            return cited;
        }
        let mut search = std::mem::take(&mut self.search);
        search.weights.resize(self.index.len(), 0.0);
        search.cited.resize(self.index.len(), false);
        search.flag(&cited, true);
        let Scratch { weights, touched, bounds, cited: flags } = &mut search;
        touched.clear();
        let mut chosen = HashSet::new();
        for term in &claim.terms {
            let holders = term.token.map_or(&[][..], |token| self.index.holders(token));
            let own = holders.iter().filter(|id| flags.get(**id as usize) == Some(&true));
            for (number, id) in own.enumerate() {
                let Some(weight) = weights.get_mut(*id as usize) else { continue };
                if *weight <= 0.0 {
                    touched.push(*id);
                }
                *weight += term.weight;
                if number == 0 {
                    chosen.insert(*id);
                }
            }
        }
        bounds.clear();
        bounds.extend(
            touched.iter().filter_map(|id| Some((std::mem::take(weights.get_mut(*id as usize)?), *id))),
        );
        if bounds.len() > MOST_CITED {
            bounds.select_nth_unstable_by(MOST_CITED, |one, other| {
                other.0.total_cmp(&one.0).then(one.1.cmp(&other.1))
            });
        }
        chosen.extend(bounds.iter().take(MOST_CITED).map(|(_, id)| *id));
        search.flag(&cited, false);
        self.search = search;
        let mut near: Vec<ChunkId> = cited.iter().copied().filter(|id| chosen.contains(&id.0)).collect();
        // Of what shares no word with the claim one stands for all.
        near.extend(cited.first().filter(|_| near.is_empty()));
        near
    }

    fn search_in(&mut self, search: &mut Scratch, claim: &Claim) -> Option<Other> {
        self.bound(search, claim);
        let bounds = &mut search.bounds;
        let highest = bounds.iter().copied().reduce(|a, b| if b.0 > a.0 { b } else { a });
        let Some((_, first)) = highest else {
            return self.first_other(&search.cited);
        };
        let mut best = self.fit_other(claim, first);
        bounds.retain(|(bound, id)| *id != first && best.is_none_or(|b| *bound >= b.cover));
        bounds.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        for (bound, id) in bounds.iter().take(TRIED_MOST) {
            if best.is_some_and(|best| *bound < best.cover) {
                break;
            }
            let other = self.fit_other(claim, *id);
            best = other.filter(|other| other.is_better_than(best)).or(best);
        }
        best
    }

    /// The most that the cover of each chunk can be, for the chunks that share a token with the claim.
    fn bound(&self, search: &mut Scratch, claim: &Claim) {
        let Scratch { weights, touched, bounds, cited } = search;
        touched.clear();
        bounds.clear();
        for term in &claim.terms {
            for id in term.token.map_or(&[][..], |token| self.index.holders(token)).iter().take(HOLDERS_MOST)
            {
                if let Some(weight) = weights.get_mut(*id as usize) {
                    if *weight <= 0.0 {
                        touched.push(*id);
                    }
                    *weight += term.weight;
                }
            }
        }
        for id in touched.iter() {
            let Some(weight) = weights.get_mut(*id as usize) else {
                continue;
            };
            let whole = std::mem::take(weight) / claim.total;
            if self.index.has_text(ChunkId(*id)) && cited.get(*id as usize) == Some(&false) {
                bounds.push((combine(whole, whole), *id));
            }
        }
    }

    fn fit_other(&mut self, claim: &Claim, id: u32) -> Option<Other> {
        let chunk = ChunkId(id);
        self.cover(claim, chunk).map(|fit| Other { chunk, cover: fit.cover })
    }

    /// Where no other chunk shares a token with the claim, all of them fit equally little.
    fn first_other(&self, cited: &[bool]) -> Option<Other> {
        let mut free = self.index.ids().zip(cited).filter(|(_, cited)| !**cited);
        let (chunk, _) = free.find(|(id, _)| self.index.has_text(*id))?;
        Some(Other { chunk, cover: 0.0 })
    }
}
