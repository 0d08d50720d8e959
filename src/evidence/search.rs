//! The best chunk that is not cited, among thousands, without scoring every one of them in full.

use super::cited::{Cited, MOST_CITED, SETTLED_CITED};
use super::claim::Claim;
use super::cover::{Scorer, combine};
use super::effort::HOLDERS_MOST;
use super::index::ChunkId;
use super::scratch::Scratch;

/// A chunk and how well it fits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Other {
    /// The chunk.
    pub chunk: ChunkId,
    /// Its cover.
    pub cover: f64,
}

/// Cited chunks in which words that very many have are looked for: those that hold most of the others.
const LOOKED_INTO: usize = 256;

/// Chunks that are compared in full to find the best: those that hold most of the claim's words.
const TRIED_MOST: usize = 1024;

/// The same where the claim's share of the effort is spent.
const TRIED_LEAST: usize = 64;

impl Other {
    fn is_better_than(self, best: Option<Self>) -> bool {
        best.is_none_or(|best| {
            self.cover > best.cover || (self.cover >= best.cover && self.chunk < best.chunk)
        })
    }
}

impl Scorer<'_> {
    /// The chunk with text, not among `cited`, that fits best; of equal ones the first. Exact up to a
    /// thousand chunks that could, fewer where the scorer is one of very many claims: no window holds more
    /// than the whole chunk, so a chunk whose whole text holds too little is passed over unscored.
    pub fn best_other(&mut self, claim: &Claim, cited: impl Into<Cited>) -> Option<Other> {
        self.other_than(claim, &cited.into())
    }

    pub(crate) fn other_than(&mut self, claim: &Claim, cited: &Cited) -> Option<Other> {
        if claim.total <= 0.0 || cited.first_other(self.index).is_none() {
            return None;
        }
        let mut search = std::mem::take(&mut self.search);
        search.weights.resize(self.index.len(), 0.0);
        let found = self.search_in(&mut search, claim, cited);
        self.search = search;
        found
    }

    /// Of more than [`MOST_CITED`] chunks those that hold most of the claim, and for each of its words one
    /// that has it, if any: together they hold what all of them do. Where one of thousands holds the claim as
    /// a whole, none fits better and nothing is left that another could add: fewer are compared.
    pub(crate) fn closest(&mut self, claim: &Claim, cited: &Cited) -> Vec<ChunkId> {
        if !cited.is_many() {
            return cited.ids().collect();
        }
        let mut search = std::mem::take(&mut self.search);
        search.weights.resize(self.index.len(), 0.0);
        let mut chosen = self.weigh_cited(&mut search, claim, cited);
        chosen.sort_unstable();
        chosen.dedup();
        let is_settled = cited.len() > HOLDERS_MOST && self.is_held_by(claim, &chosen);
        let most = if is_settled { SETTLED_CITED } else { MOST_CITED };
        let Scratch { weights, touched, bounds } = &mut search;
        bounds.clear();
        bounds.extend(
            touched.iter().filter_map(|id| Some((std::mem::take(weights.get_mut(*id as usize)?), *id))),
        );
        if bounds.len() > most {
            bounds.select_nth_unstable_by(most, |one, other| {
                other.0.total_cmp(&one.0).then(one.1.cmp(&other.1))
            });
        }
        chosen.extend(bounds.iter().take(most).map(|(_, id)| *id));
        self.search = search;
        chosen.sort_unstable();
        chosen.dedup();
        let mut near: Vec<ChunkId> = chosen.into_iter().map(ChunkId).collect();
        cited.sort(&mut near);
        // Of what shares no word with the claim one stands for all.
        near.extend(cited.ids().next().filter(|_| near.is_empty()));
        near
    }

    /// Whether a claim stands as a whole in a window of the one chunk that was chosen.
    fn is_held_by(&mut self, claim: &Claim, chosen: &[u32]) -> bool {
        let [only] = chosen else { return false };
        self.cover(claim, ChunkId(*only)).is_some_and(|fit| fit.cover >= 1.0)
    }

    /// Notes how much of the claim each cited chunk holds, and gives for each of its words one that has it:
    /// one for all of them, where that is found.
    ///
    /// What tells passages apart are words that few have: one that very many have is looked for in those
    /// that have most of the others, and in the first ones where there are none. Where one has all words,
    /// nothing more need be told apart.
    fn weigh_cited(&self, search: &mut Scratch, claim: &Claim, cited: &Cited) -> Vec<u32> {
        let Scratch { weights, touched, .. } = search;
        touched.clear();
        let most = self.effort.holders(claim.terms.len());
        let (mut chosen, mut frequent) = (Vec::new(), Vec::new());
        for term in &claim.terms {
            let Some(token) = term.token else { continue };
            let own: Vec<&[u32]> = cited.holders(self.index, token).filter(|own| !own.is_empty()).collect();
            chosen.extend(own.iter().find_map(|own| own.first()));
            if own.iter().map(|own| own.len()).sum::<usize>() > most {
                frequent.push((token, term.weight, own));
                continue;
            }
            add(weights, touched, own.into_iter().flatten(), term.weight);
        }
        if touched.is_empty() {
            for (_, weight, own) in frequent {
                add(weights, touched, own.into_iter().flatten().take(most), weight);
            }
            return chosen;
        }
        let holds = |id: &u32, token: u32| self.index.holds(ChunkId(*id), token);
        let has_all = |id: &u32| claim.terms.iter().all(|term| term.token.is_some_and(|own| holds(id, own)));
        let whole = heaviest(weights, touched, 1).into_iter().find(has_all);
        let rare = whole.map_or_else(|| heaviest(weights, touched, LOOKED_INTO), |id| vec![id]);
        for (token, weight, _) in frequent {
            add(weights, touched, rare.iter().filter(|id| holds(id, token)), weight);
        }
        whole.map_or(chosen, |id| vec![id])
    }

    fn search_in(&mut self, search: &mut Scratch, claim: &Claim, cited: &Cited) -> Option<Other> {
        self.bound(search, claim, cited);
        let bounds = &mut search.bounds;
        let highest = bounds.iter().copied().reduce(|a, b| if b.0 > a.0 { b } else { a });
        let Some((_, first)) = highest else {
            // Where no other chunk shares a token with the claim, all of them fit equally little.
            return cited.first_other(self.index).map(|chunk| Other { chunk, cover: 0.0 });
        };
        let mut best = self.fit_other(claim, first);
        bounds.retain(|(bound, id)| *id != first && best.is_none_or(|b| *bound >= b.cover));
        bounds.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let before = self.windows.passed;
        for (tried, (bound, id)) in bounds.iter().take(TRIED_MOST).enumerate() {
            let is_spent = tried >= TRIED_LEAST && self.windows.passed - before > self.effort.share;
            if is_spent || best.is_some_and(|best| *bound < best.cover) {
                break;
            }
            let other = self.fit_other(claim, *id);
            best = other.filter(|other| other.is_better_than(best)).or(best);
        }
        best
    }

    /// The most that the cover of each chunk can be, for the chunks that share a token with the claim.
    fn bound(&self, search: &mut Scratch, claim: &Claim, cited: &Cited) {
        let Scratch { weights, touched, bounds } = search;
        touched.clear();
        bounds.clear();
        let most = self.effort.holders(claim.terms.len());
        let mut frequent = Vec::new();
        for term in &claim.terms {
            let Some(token) = term.token else { continue };
            let holders = self.index.holders(token);
            if holders.len() > most {
                frequent.push((token, holders, term.weight));
            } else {
                add(weights, touched, holders.iter(), term.weight);
            }
        }
        // Chunks with a word that few have are told what they hold of the others, too.
        let mut rare = if frequent.is_empty() { Vec::new() } else { touched.clone() };
        rare.sort_unstable();
        for (token, holders, weight) in frequent {
            add(weights, touched, rare.iter().filter(|id| self.index.holds(ChunkId(**id), token)), weight);
            let others = holders.iter().take(most).filter(|id| rare.binary_search(id).is_err());
            add(weights, touched, others, weight);
        }
        for id in touched.iter() {
            let Some(weight) = weights.get_mut(*id as usize) else {
                continue;
            };
            let whole = std::mem::take(weight) / claim.total;
            if self.index.has_text(ChunkId(*id)) && !cited.contains(*id) {
                bounds.push((combine(whole, whole), *id));
            }
        }
    }

    fn fit_other(&mut self, claim: &Claim, id: u32) -> Option<Other> {
        let chunk = ChunkId(id);
        self.cover(claim, chunk).map(|fit| Other { chunk, cover: fit.cover })
    }
}

/// The chunks that have most, at most so many of them; of equal ones the first.
fn heaviest(weights: &[f64], chunks: &[u32], most: usize) -> Vec<u32> {
    let mut chunks = chunks.to_vec();
    if chunks.len() > most {
        let weight = |id: u32| weights.get(id as usize).copied().unwrap_or_default();
        chunks.select_nth_unstable_by(most, |&one, &other| {
            weight(other).total_cmp(&weight(one)).then(one.cmp(&other))
        });
        chunks.truncate(most);
    }
    chunks
}

/// Adds a weight to those of some chunks, and notes which ones have one.
fn add<'a>(weights: &mut [f64], touched: &mut Vec<u32>, chunks: impl Iterator<Item = &'a u32>, weight: f64) {
    for id in chunks {
        let Some(own) = weights.get_mut(*id as usize) else { continue };
        if *own <= 0.0 {
            touched.push(*id);
        }
        *own += weight;
    }
}
