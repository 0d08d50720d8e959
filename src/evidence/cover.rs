//! Cover: the share of a claim's weight that a chunk holds, by its best window and as a whole.

use super::claim::{Claim, Term};
use super::index::{ChunkId, EVERY, Index};
use super::scratch::Scratch;

/// The share of the whole chunk in the cover; the best window has the rest.
pub const WHOLE_SHARE: f64 = 0.3;
/// The most sentences a window may have.
pub const WINDOW_SENTENCES: usize = 3;
/// What every further sentence of a window must bring, as a share of the claim.
pub const SENTENCE_COST: f64 = 0.01;
/// The least share that a further window must hold to be worth showing.
pub const WINDOW_WORTH: f64 = 0.25;

/// Windows without a word of the claim that are weighed: more than any number of shown windows can lie on.
const BARE: usize = 64;

/// Sentences of a chunk up to which all windows are weighed.
const SHORT: usize = 48;

/// Claim tokens are worked through in blocks, one bit a token.
const BLOCK: usize = 64;

/// A run of sentences of a chunk.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// The chunk.
    pub chunk: ChunkId,
    /// The number of its first sentence.
    pub first: usize,
    /// How many sentences, 1 to 3.
    pub sentences: usize,
    /// Bytes of the chunk's text.
    pub start: usize,
    /// Bytes of the chunk's text, exclusive.
    pub end: usize,
    /// The share of the claim's weight that stands in the window or the title.
    pub share: f64,
}

impl Window {
    /// Whether a token stands in the window or in the title of its chunk.
    pub(crate) fn holds(&self, index: &Index, token: Option<u32>) -> bool {
        let sentences = self.first..self.first + self.sentences;
        token
            .and_then(|token| index.places(self.chunk, token))
            .is_some_and(|at| at.iter().any(|at| *at == EVERY || sentences.contains(&(*at as usize))))
    }
}

/// How well one chunk fits a claim.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Covered {
    /// 0.7 × the share of the best window + 0.3 × the share of the whole chunk.
    pub cover: f64,
    /// The share of the claim's weight that stands anywhere in the chunk or its title.
    pub whole: f64,
    /// The best window.
    pub window: Window,
}

/// Compares claims with the chunks of one index. It keeps its working memory, so that after the first pairs
/// scoring allocates nothing.
#[derive(Debug)]
pub struct Scorer<'i> {
    pub(crate) index: &'i Index,
    /// For every sentence the tokens of the block that it holds.
    masks: Vec<u64>,
    /// For every sentence the weight of the windows that begin there, by length; of those that are weighed.
    sums: Vec<[f64; WINDOW_SENTENCES]>,
    /// Sentences at which windows that are weighed begin, ascending.
    starts: Vec<u32>,
    /// Sentences of the chunk at hand.
    count: usize,
    in_window: Vec<bool>,
    in_chunk: Vec<bool>,
    pub(crate) search: Scratch,
}

pub(crate) fn combine(window: f64, whole: f64) -> f64 {
    (1.0 - WHOLE_SHARE) * window + WHOLE_SHARE * whole
}

impl<'i> Scorer<'i> {
    /// A scorer over the chunks of `index`.
    #[must_use]
    pub fn new(index: &'i Index) -> Self {
        Self {
            index,
            masks: Vec::new(),
            sums: Vec::new(),
            starts: Vec::new(),
            count: 0,
            in_window: Vec::new(),
            in_chunk: Vec::new(),
            search: Scratch::default(),
        }
    }

    /// How well a chunk fits; `None` for a claim without tokens or an unknown chunk.
    pub fn cover(&mut self, claim: &Claim, chunk: ChunkId) -> Option<Covered> {
        let count = self.index.sentences(chunk).len();
        if claim.total <= 0.0 || count == 0 {
            return None;
        }
        let whole = self.weigh(claim, chunk, count) / claim.total;
        let (first, sentences) = self.best(claim.total, |_, _| true)?;
        let window = self.window(claim.total, chunk, first, sentences)?;
        Some(Covered { cover: combine(window.share, whole), whole, window })
    }

    /// How well several chunks fit together: on the union of their best windows and of their texts.
    pub fn joint(&mut self, claim: &Claim, chunks: &[ChunkId]) -> Option<f64> {
        let fits: Vec<Covered> = chunks.iter().filter_map(|chunk| self.cover(claim, *chunk)).collect();
        match chunks {
            [_] => fits.first().map(|fit| fit.cover),
            _ => self.joint_of(claim, &fits),
        }
    }

    /// The same of chunks each of which was compared.
    pub(crate) fn joint_of(&mut self, claim: &Claim, fits: &[Covered]) -> Option<f64> {
        if claim.total <= 0.0 {
            return None;
        }
        self.in_window.clear();
        self.in_window.resize(claim.terms.len(), false);
        self.in_chunk.clear();
        self.in_chunk.resize(claim.terms.len(), false);
        for fit in fits {
            self.mark(claim, &fit.window);
        }
        let window = weight_of(&claim.terms, &self.in_window) / claim.total;
        let whole = weight_of(&claim.terms, &self.in_chunk) / claim.total;
        Some(combine(window, whole))
    }

    /// The best window of a chunk, then further ones that do not touch it, while they hold enough of the
    /// claim to be worth showing; at most `limit`.
    pub fn windows(&mut self, claim: &Claim, chunk: ChunkId, limit: usize) -> Vec<Window> {
        let mut found: Vec<Window> = Vec::new();
        let Some(fit) = self.cover(claim, chunk) else {
            return found;
        };
        found.push(fit.window);
        while found.len() < limit {
            let free = |first: usize, count: usize| {
                found.iter().all(|w| first + count <= w.first || w.first + w.sentences <= first)
            };
            let next = self
                .best(claim.total, free)
                .and_then(|(first, count)| self.window(claim.total, chunk, first, count));
            match next {
                Some(window) if window.share >= WINDOW_WORTH => found.push(window),
                _ => break,
            }
        }
        found.truncate(limit);
        found
    }

    /// Fills `sums` with the weight of every window; returns the weight of the whole chunk.
    fn weigh(&mut self, claim: &Claim, chunk: ChunkId, count: usize) -> f64 {
        self.begin(claim, chunk, count);
        let mut whole = 0.0;
        for block in claim.terms.chunks(BLOCK) {
            let mut everywhere = 0u64;
            let mut any = false;
            for (bit, term) in block.iter().enumerate() {
                let Some(places) = term.token.and_then(|token| self.index.places(chunk, token)) else {
                    continue;
                };
                any = true;
                whole += term.weight;
                for place in places {
                    if *place == EVERY {
                        everywhere |= 1 << bit;
                    } else if let Some(mask) = self.masks.get_mut(*place as usize) {
                        *mask |= 1 << bit;
                    }
                }
            }
            if any {
                self.add_block(block, everywhere);
            }
        }
        whole
    }

    /// Chooses the windows that are weighed: those that hold a sentence with a word of the claim, and of all
    /// others, which hold the words of the title and are alike, the first ones. So a claim costs what is
    /// found of it, not what it is looked for in.
    fn begin(&mut self, claim: &Claim, chunk: ChunkId, count: usize) {
        let index = self.index;
        let lists = || claim.terms.iter().filter_map(|term| index.places(chunk, term.token?));
        self.starts.clear();
        let few = || lists().map(<[u32]>::len).sum::<usize>() * 2 * WINDOW_SENTENCES < count;
        if count > SHORT && few() {
            let found = lists().flatten().copied().filter(|place| *place != EVERY);
            self.starts
                .extend(found.flat_map(|place| place.saturating_sub(WINDOW_SENTENCES as u32 - 1)..=place));
            self.starts.sort_unstable();
            self.starts.dedup();
            let bare = |start: &u32| self.starts.binary_search(start).is_err();
            let bare: Vec<u32> = (0..count as u32).filter(bare).take(BARE).collect();
            self.starts.extend(bare);
            self.starts.sort_unstable();
        } else {
            self.starts.extend(0..count as u32);
        }
        self.count = count;
        if self.sums.len() < count {
            self.sums.resize(count, [0.0; WINDOW_SENTENCES]);
            self.masks.resize(count, 0);
        }
        for start in &self.starts {
            if let Some(sums) = self.sums.get_mut(*start as usize) {
                *sums = [0.0; WINDOW_SENTENCES];
            }
        }
    }

    /// Adds the weights of one block to every window, in the order of the tokens, and clears the masks.
    fn add_block(&mut self, block: &[Term], everywhere: u64) {
        for start in &self.starts {
            let first = *start as usize;
            let Some(sums) = self.sums.get_mut(first) else { continue };
            let mut mask = everywhere;
            let sentences = self.masks.get(first..self.count).unwrap_or_default();
            for (sum, sentence) in sums.iter_mut().zip(sentences) {
                mask |= sentence;
                let mut bits = mask;
                while bits != 0 {
                    if let Some(term) = block.get(bits.trailing_zeros() as usize) {
                        *sum += term.weight;
                    }
                    bits &= bits - 1;
                }
            }
        }
        // Each sentence with a bit is one at which a window begins.
        for start in &self.starts {
            if let Some(mask) = self.masks.get_mut(*start as usize) {
                *mask = 0;
            }
        }
    }

    /// The first window with the highest value among those that are `free`: a longer one must earn its
    /// length.
    fn best(&self, total: f64, free: impl Fn(usize, usize) -> bool) -> Option<(usize, usize)> {
        let costs = [0.0, SENTENCE_COST, SENTENCE_COST * 2.0];
        let mut found = None;
        let mut highest = -1.0;
        for start in &self.starts {
            let first = *start as usize;
            let Some(sums) = self.sums.get(first) else { continue };
            let lengths = (1..=self.count - first).zip(sums.iter().zip(costs));
            for (count, (sum, cost)) in lengths {
                let value = sum / total - cost;
                if value > highest && free(first, count) {
                    highest = value;
                    found = Some((first, count));
                }
            }
        }
        found
    }

    fn window(&self, total: f64, chunk: ChunkId, first: usize, sentences: usize) -> Option<Window> {
        let spans = self.index.sentences(chunk);
        let start = spans.get(first)?.0;
        let end = spans.get(first + sentences - 1)?.1;
        let share = self.sums.get(first)?.get(sentences - 1)? / total;
        Some(Window { chunk, first, sentences, start, end, share })
    }

    /// Notes the tokens that a window and its chunk hold.
    fn mark(&mut self, claim: &Claim, window: &Window) {
        let flags = self.in_window.iter_mut().zip(&mut self.in_chunk);
        for (term, (in_window, in_chunk)) in claim.terms.iter().zip(flags) {
            *in_window = *in_window || window.holds(self.index, term.token);
            *in_chunk = *in_chunk || term.token.is_some_and(|token| self.index.holds(window.chunk, token));
        }
    }
}

fn weight_of(terms: &[Term], held: &[bool]) -> f64 {
    terms.iter().zip(held).filter(|(_, held)| **held).fold(0.0, |sum, (term, _)| sum + term.weight)
}
