//! Cover: the share of a claim's weight that a chunk holds, by its best window and as a whole.

use super::claim::{Claim, Term};
use super::effort::Effort;
use super::index::{ChunkId, EVERY, Index};
use super::scratch::Scratch;
use super::windows::Windows;

/// The share of the whole chunk in the cover; the best window has the rest.
pub const WHOLE_SHARE: f64 = 0.3;
/// The least share that a further window must hold to be worth showing.
pub const WINDOW_WORTH: f64 = 0.25;

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
    pub(crate) effort: Effort,
    pub(crate) windows: Windows,
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
        Self::for_claims(index, 1)
    }

    /// The same for each of so many claims: where they are very many, each is looked for in less.
    #[must_use]
    pub fn for_claims(index: &'i Index, claims: usize) -> Self {
        Self {
            index,
            effort: Effort::of_claims(claims),
            windows: Windows::default(),
            in_window: Vec::new(),
            in_chunk: Vec::new(),
            search: Scratch::default(),
        }
    }

    /// Goes on with the memory of another scorer over the same chunks.
    #[must_use]
    pub(crate) fn with(mut self, memory: Scratch) -> Self {
        self.search = memory;
        self
    }

    /// The memory of its searches, for the next one: it has a place for each chunk.
    pub(crate) fn into_memory(self) -> Scratch {
        self.search
    }

    /// How well a chunk fits; `None` for a claim without tokens or an unknown chunk.
    pub fn cover(&mut self, claim: &Claim, chunk: ChunkId) -> Option<Covered> {
        let count = self.index.sentences(chunk).len();
        if claim.total <= 0.0 || count == 0 {
            return None;
        }
        let whole = self.windows.weigh(self.index, claim, chunk, count, self.effort.places) / claim.total;
        let window = self.window(claim.total, chunk, |_, _| true)?;
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
            match self.window(claim.total, chunk, free) {
                Some(window) if window.share >= WINDOW_WORTH => found.push(window),
                _ => break,
            }
        }
        found.truncate(limit);
        found
    }

    fn window(&self, total: f64, chunk: ChunkId, free: impl Fn(usize, usize) -> bool) -> Option<Window> {
        let (first, sentences, weight) = self.windows.best(total, free)?;
        let start = self.index.sentences_from(chunk, first).next()?.0;
        let end = self.index.sentences_from(chunk, first + sentences - 1).next()?.1;
        Some(Window { chunk, first, sentences, start, end, share: weight / total })
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
