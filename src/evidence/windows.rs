//! The windows of one chunk: which of them are weighed, and how much of a claim each holds.

use super::claim::{Claim, Term};
use super::index::{ChunkId, EVERY, Index};

/// The most sentences a window may have.
pub const WINDOW_SENTENCES: usize = 3;
/// What every further sentence of a window must bring, as a share of the claim.
pub const SENTENCE_COST: f64 = 0.01;

/// Windows without a word of the claim that are weighed: more than any number of shown windows can lie on.
const BARE: usize = 64;

/// Sentences of a chunk up to which all windows are weighed.
const SHORT: usize = 48;

/// Sentences before and behind one that share a window with it.
const REACH: u32 = WINDOW_SENTENCES as u32 - 1;

/// Places that are gone through for each sentence that is then weighed with what is around it: that takes so
/// many times as long.
const PLACES_A_SENTENCE: usize = 24;

/// Claim tokens are worked through in blocks, one bit a token.
const BLOCK: usize = 64;

/// The weights of a chunk's windows. The memory is kept from one chunk to the next.
#[derive(Debug, Default)]
pub(crate) struct Windows {
    /// Sentences at which windows that are weighed begin, ascending. Each sentence with a word that counts is
    /// one.
    starts: Vec<u32>,
    /// For each of them the tokens of the block that it holds.
    masks: Vec<u64>,
    /// For each of them the weight of the windows that begin there, by length.
    sums: Vec<[f64; WINDOW_SENTENCES]>,
    /// Sentences of the chunk at hand.
    count: usize,
    /// Sentences that a word may have to be looked for in all of them; one that has more is looked for where
    /// windows begin.
    most: usize,
    /// Places of words gone through so far, in all chunks.
    pub(crate) passed: usize,
    marks: Marks,
}

/// A bit for each sentence of a chunk: numbers are put in order without comparing them.
#[derive(Debug, Default)]
struct Marks(Vec<u64>);

impl Marks {
    /// Puts numbers below `count` in order behind others, each once.
    fn put(&mut self, numbers: impl Iterator<Item = u32>, count: usize, out: &mut Vec<u32>) {
        self.0.clear();
        self.0.resize(count.div_ceil(BLOCK), 0);
        for number in numbers {
            if let Some(bits) = self.0.get_mut(number as usize / BLOCK) {
                *bits |= 1 << (number as usize % BLOCK);
            }
        }
        for (at, bits) in self.0.iter().enumerate() {
            let mut bits = *bits;
            while bits != 0 {
                out.push((at * BLOCK) as u32 + bits.trailing_zeros());
                bits &= bits - 1;
            }
        }
    }
}

impl Windows {
    /// Weighs the windows of a chunk of so many sentences, going through so many places at most; returns the
    /// weight of the whole chunk.
    pub(crate) fn weigh(
        &mut self,
        index: &Index,
        claim: &Claim,
        chunk: ChunkId,
        count: usize,
        places: usize,
    ) -> f64 {
        self.begin(index, claim, chunk, count, places);
        let mut whole = 0.0;
        for block in claim.terms.chunks(BLOCK) {
            let mut everywhere = 0u64;
            let mut any = false;
            for (bit, term) in block.iter().enumerate() {
                let Some(places) = term.token.and_then(|token| index.places(chunk, token)) else {
                    continue;
                };
                any = true;
                whole += term.weight;
                let (own, all) = split_every(places);
                everywhere |= u64::from(all) << bit;
                self.set(own, bit);
            }
            if any {
                self.add_block(block, everywhere);
            }
        }
        self.passed += self.starts.len() + claim.terms.len();
        whole
    }

    /// Chooses the windows that are weighed: those that hold a sentence with a word of the claim, and of all
    /// others, which hold the words of the title and are alike, the first ones. So a claim costs what is
    /// found of it, not what it is looked for in.
    fn begin(&mut self, index: &Index, claim: &Claim, chunk: ChunkId, count: usize, places: usize) {
        let lists = || {
            let all = claim.terms.iter().filter_map(|term| index.places(chunk, term.token?));
            all.map(|places| split_every(places).0)
        };
        let all = lists().map(<[u32]>::len).sum::<usize>();
        self.starts.clear();
        self.most = usize::MAX;
        self.passed += all.min(places);
        if count > SHORT && all > places {
            self.begin_at_rare(lists().collect(), count, places);
            self.add_bare(count);
        } else if count > SHORT && all * 2 * WINDOW_SENTENCES < count {
            let places = lists().flatten().flat_map(|place| place.saturating_sub(REACH)..=*place);
            if all * BLOCK < count {
                self.starts.extend(places);
                self.starts.sort_unstable();
                self.starts.dedup();
            } else {
                self.marks.put(places, count, &mut self.starts);
            }
            self.add_bare(count);
        } else {
            self.starts.extend(0..count as u32);
        }
        self.count = count;
        self.sums.clear();
        self.sums.resize(self.starts.len(), [0.0; WINDOW_SENTENCES]);
        self.masks.clear();
        self.masks.resize(self.starts.len(), 0);
    }

    /// Where the words of a claim stand in very many sentences: those around the rarest words, which tell
    /// sentences apart, and of these where most of them meet. Where every word has too many, the first ones
    /// of the rarest.
    fn begin_at_rare(&mut self, mut lists: Vec<&[u32]>, count: usize, places: usize) {
        lists.sort_by_key(|list| list.len());
        let mut sum = 0;
        let fits = |list: &&&[u32]| {
            sum += list.len();
            sum <= places
        };
        let rare = lists.iter().take_while(fits).count();
        let of_all = if rare == 0 { lists.first().and_then(|list| list.get(..places)) } else { None };
        // Lists of the same length are treated alike: by their length is known which ones were gone through.
        let longer = lists.get(rare).map_or(usize::MAX, |list| list.len());
        self.most = longer.saturating_sub(1);
        let mut found: Vec<u32> = lists.iter().take(rare).copied().chain(of_all).flatten().copied().collect();
        found.sort_unstable();
        found.dedup();
        let most = (places / PLACES_A_SENTENCE).max(1);
        if found.len() > most {
            keep_where_most_meet(&mut found, lists.get(..rare.max(2)).unwrap_or(&lists), most);
            self.most = 0;
        }
        let last = count.saturating_sub(1) as u32;
        let around = |place: u32| place.saturating_sub(REACH)..=place.saturating_add(REACH).min(last);
        self.starts.extend(found.into_iter().flat_map(around));
        self.starts.sort_unstable();
        self.starts.dedup();
    }

    /// Adds the first windows without a word.
    fn add_bare(&mut self, count: usize) {
        let mut next = self.starts.iter().copied().peekable();
        let bare = |start: &u32| next.next_if_eq(start).is_none();
        let bare: Vec<u32> = (0..count as u32).filter(bare).take(BARE).collect();
        // Both are in order: the last ones of both first.
        let (mut own, mut more) = (self.starts.len(), bare.len());
        self.starts.resize(own + more, 0);
        while let Some(last) = more.checked_sub(1).and_then(|last| bare.get(last)) {
            let before = own.checked_sub(1).and_then(|last| self.starts.get(last).copied());
            let put = before.filter(|before| before > last);
            (own, more) = if put.is_some() { (own - 1, more) } else { (own, more - 1) };
            if let Some(place) = self.starts.get_mut(own + more) {
                *place = put.unwrap_or(*last);
            }
        }
    }

    /// Notes the sentences that hold a token.
    fn set(&mut self, mut places: &[u32], bit: usize) {
        if self.starts.len() == self.count {
            for place in places {
                if let Some(mask) = self.masks.get_mut(*place as usize) {
                    *mask |= 1 << bit;
                }
            }
            return;
        }
        if places.len() > self.most {
            for (start, mask) in self.starts.iter().zip(&mut self.masks) {
                places = from(places, *start);
                *mask |= u64::from(places.first() == Some(start)) << bit;
            }
            return;
        }
        let mut at = 0;
        for place in places {
            let rest = self.starts.get(at..).unwrap_or_default();
            at += rest.len() - from(rest, *place).len();
            if let Some(mask) = self.masks.get_mut(at) {
                *mask |= 1 << bit;
            }
        }
    }

    /// Adds the weights of one block to every window, in the order of the tokens, and clears the masks.
    fn add_block(&mut self, block: &[Term], everywhere: u64) {
        for (at, (start, sums)) in self.starts.iter().zip(&mut self.sums).enumerate() {
            let starts = self.starts.get(at..).unwrap_or_default();
            let masks = self.masks.get(at..).unwrap_or_default();
            let mut near = starts.iter().zip(masks).peekable();
            let mut mask = everywhere;
            for (sum, sentence) in sums.iter_mut().zip(*start..self.count as u32) {
                mask |= near.next_if(|(start, _)| **start == sentence).map_or(0, |(_, mask)| *mask);
                let mut bits = mask;
                while bits != 0 {
                    if let Some(term) = block.get(bits.trailing_zeros() as usize) {
                        *sum += term.weight;
                    }
                    bits &= bits - 1;
                }
            }
        }
        self.masks.fill(0);
    }

    /// The first window with the highest value among those that are `free`: a longer one must earn its
    /// length. Its first sentence, how many it has, and its weight.
    pub(crate) fn best(
        &self,
        total: f64,
        free: impl Fn(usize, usize) -> bool,
    ) -> Option<(usize, usize, f64)> {
        let costs = [0.0, SENTENCE_COST, SENTENCE_COST * 2.0];
        let mut found = None;
        let mut highest = -1.0;
        for (start, sums) in self.starts.iter().zip(&self.sums) {
            let first = *start as usize;
            let lengths = (1..=self.count - first).zip(sums.iter().zip(costs));
            for (count, (sum, cost)) in lengths {
                let value = sum / total - cost;
                if value > highest && free(first, count) {
                    highest = value;
                    found = Some((first, count, *sum));
                }
            }
        }
        found
    }
}

/// The sentences of a list, and whether it ends with what stands for every one.
fn split_every(places: &[u32]) -> (&[u32], bool) {
    match places {
        [own @ .., EVERY] => (own, true),
        own => (own, false),
    }
}

/// Keeps so many of more ascending places: those that most of the lists have one near to; of equal ones the
/// first.
fn keep_where_most_meet(found: &mut Vec<u32>, lists: &[&[u32]], most: usize) {
    let mut met = vec![0_u32; found.len()];
    for list in lists {
        let mut list = *list;
        for (place, met) in found.iter().zip(&mut met) {
            list = from(list, place.saturating_sub(REACH));
            *met += u32::from(list.first().is_some_and(|near| *near <= place.saturating_add(REACH)));
        }
    }
    let mut ranked: Vec<(u32, u32)> = met.into_iter().zip(found.drain(..)).collect();
    ranked.select_nth_unstable_by(most, |(one, at), (other, place)| other.cmp(one).then(at.cmp(place)));
    ranked.truncate(most);
    found.extend(ranked.into_iter().map(|(_, place)| place));
}

/// An ascending list from the first number on that is not below `least`: in steps that grow, so that a near
/// one is found at once.
fn from(list: &[u32], least: u32) -> &[u32] {
    let mut step = 1;
    while list.get(step - 1).is_some_and(|number| *number < least) {
        step *= 2;
    }
    let near = list.get(step / 2..step.min(list.len())).unwrap_or_default();
    let at = step / 2 + near.partition_point(|number| *number < least);
    list.get(at..).unwrap_or_default()
}
