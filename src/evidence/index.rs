//! The chunks of a response, cut into tokens once: sentence sets, numbers, and a list of chunks for every
//! token.

use super::intern::Interner;
use super::numbers;
use super::profile::Profile;
use std::ops::Range;
use std::sync::OnceLock;

/// A chunk as the caller has it.
#[derive(Clone, Copy, Debug, Default)]
pub struct ChunkText<'a> {
    /// The number of its source.
    pub source: u32,
    /// Its number within the source.
    pub chunk: u32,
    /// The title of the source; its words belong to every sentence. May be empty.
    pub title: &'a str,
    /// The passage itself. Blank: there is nothing to compare with.
    pub text: &'a str,
}

/// A chunk of an [`Index`], by its place in the order given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChunkId(pub u32);

/// The sentence number that stands for every sentence of a chunk: where title tokens are.
pub(crate) const EVERY: u32 = u32::MAX;

/// A token of a chunk and the list of its sentences, which ends where that of the next entry begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) token: u32,
    pub(crate) places: u32,
}

#[derive(Clone, Debug)]
pub(crate) struct Chunk {
    pub(crate) source: u32,
    pub(crate) number: u32,
    pub(crate) has_text: bool,
    pub(crate) spans: Range<usize>,
    pub(crate) entries: Range<usize>,
    pub(crate) numbers: Range<usize>,
    pub(crate) values: Range<usize>,
    pub(crate) profile: Profile,
}

/// All chunks of a response, ready to be compared with claims. It keeps no text.
#[derive(Clone, Debug, Default)]
pub struct Index {
    pub(crate) words: Interner,
    pub(crate) chunks: Vec<Chunk>,
    /// Sentences, in bytes of their chunk; there may be one for each two bytes.
    pub(crate) spans: Vec<(u32, u32)>,
    pub(crate) entries: Vec<Entry>,
    pub(crate) places: Vec<u32>,
    pub(crate) numbers: Vec<u32>,
    pub(crate) values: Vec<f64>,
    /// For every token the chunks that hold it, ascending; `heads` says where each list begins.
    pub(crate) holders: Vec<u32>,
    pub(crate) heads: Vec<u32>,
    /// Every chunk by its source.
    pub(crate) by_source: Vec<(u32, ChunkId)>,
    /// The chunks with text, as runs of neighbours.
    pub(crate) texts: Vec<Range<u32>>,
    pub(crate) profile: Profile,
    /// Made when it is first asked for: only where very many chunks are cited.
    numerals: OnceLock<Numerals>,
}

/// The numbers of all chunks, each with its chunk, ascending.
#[derive(Clone, Debug, Default)]
pub(crate) struct Numerals {
    pub(crate) tokens: Vec<(u32, u32)>,
    pub(crate) values: Vec<(f64, u32)>,
}

impl Index {
    /// How many chunks there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.chunks.len()
    }

    /// Whether there are no chunks at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// Every chunk in order.
    pub fn ids(&self) -> impl Iterator<Item = ChunkId> + use<> {
        (0..u32::try_from(self.chunks.len()).unwrap_or(u32::MAX)).map(ChunkId)
    }

    /// The source number and chunk number that the chunk was given with.
    #[must_use]
    pub fn place(&self, id: ChunkId) -> Option<(u32, u32)> {
        self.chunk(id).map(|chunk| (chunk.source, chunk.number))
    }

    /// The chunks of a source in order.
    pub fn of_source(&self, source: u32) -> impl Iterator<Item = ChunkId> {
        self.chunks_of(source).iter().map(|(_, id)| *id)
    }

    pub(crate) fn chunks_of(&self, source: u32) -> &[(u32, ChunkId)] {
        let from = self.by_source.partition_point(|(other, _)| *other < source);
        let to = self.by_source.partition_point(|(other, _)| *other <= source);
        self.by_source.get(from..to).unwrap_or_default()
    }

    /// The chunks of a run that carry text, as runs.
    pub(crate) fn with_text(&self, run: Range<u32>) -> impl Iterator<Item = Range<u32>> {
        let Range { start, end } = run;
        let from = self.texts.partition_point(|texts| texts.end <= start);
        let within = self.texts.iter().skip(from).take_while(move |texts| texts.start < end);
        within.map(move |texts| texts.start.max(start)..texts.end.min(end)).filter(|run| !run.is_empty())
    }

    pub(crate) fn numerals(&self) -> &Numerals {
        self.numerals.get_or_init(|| {
            let mut all = Numerals::default();
            for (id, chunk) in (0..).zip(&self.chunks) {
                let tokens = self.numbers.get(chunk.numbers.clone()).unwrap_or_default();
                all.tokens.extend(tokens.iter().map(|token| (*token, id)));
                let values = self.values.get(chunk.values.clone()).unwrap_or_default();
                all.values.extend(values.iter().map(|value| (*value, id)));
            }
            all.tokens.sort_unstable();
            all.values.sort_unstable_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
            all
        })
    }

    /// How many sources have a chunk with text.
    pub(crate) fn sources_with_text(&self) -> usize {
        let mut with_text = self.by_source.iter().filter(|(_, id)| self.has_text(*id));
        let mut last = None;
        let mut is_new = |source: u32| last.replace(source) != Some(source);
        with_text.by_ref().filter(|(source, _)| is_new(*source)).count()
    }

    /// Whether the chunk carries text: one without takes no part in any comparison.
    #[must_use]
    pub fn has_text(&self, id: ChunkId) -> bool {
        self.chunk(id).is_some_and(|chunk| chunk.has_text)
    }

    /// The sentences of a chunk as bytes of its text. A blank chunk counts as one empty sentence.
    #[must_use]
    pub fn sentences(&self, id: ChunkId) -> impl ExactSizeIterator<Item = (usize, usize)> {
        self.sentences_from(id, 0)
    }

    /// The same from one on; none of those before it is looked at.
    pub(crate) fn sentences_from(
        &self,
        id: ChunkId,
        first: usize,
    ) -> impl ExactSizeIterator<Item = (usize, usize)> {
        let spans = self.chunk(id).and_then(|chunk| self.spans.get(chunk.spans.clone())?.get(first..));
        spans.unwrap_or(&[]).iter().map(|&(start, end)| (start as usize, end as usize))
    }

    /// Forgets every chunk but keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.words.clear();
        self.chunks.clear();
        self.spans.clear();
        self.entries.clear();
        self.places.clear();
        self.numbers.clear();
        self.values.clear();
        self.holders.clear();
        self.heads.clear();
        self.by_source.clear();
        self.texts.clear();
        self.numerals = OnceLock::new();
        self.profile = Profile::default();
    }

    fn chunk(&self, id: ChunkId) -> Option<&Chunk> {
        self.chunks.get(id.0 as usize)
    }

    pub(crate) fn profile(&self, id: ChunkId) -> Option<&Profile> {
        self.chunk(id).map(|chunk| &chunk.profile)
    }

    pub(crate) fn entries(&self, id: ChunkId) -> &[Entry] {
        self.chunk(id).and_then(|c| self.entries.get(c.entries.clone())).unwrap_or(&[])
    }

    /// The sentences of a chunk that hold a token, ascending; `None` where the chunk lacks it.
    pub(crate) fn places(&self, id: ChunkId, token: u32) -> Option<&[u32]> {
        let range = self.chunk(id)?.entries.clone();
        let own = self.entries.get(range.clone())?;
        let at = range.start + own.binary_search_by_key(&token, |entry| entry.token).ok()?;
        let start = self.entries.get(at)?.places as usize;
        let end = self.entries.get(at + 1).map_or(self.places.len(), |next| next.places as usize);
        self.places.get(start..end)
    }

    pub(crate) fn holds(&self, id: ChunkId, token: u32) -> bool {
        self.entries(id).binary_search_by_key(&token, |entry| entry.token).is_ok()
    }

    /// The chunks that hold a token, ascending.
    pub(crate) fn holders(&self, token: u32) -> &[u32] {
        let at = token as usize;
        let (Some(start), Some(end)) = (self.heads.get(at), self.heads.get(at + 1)) else {
            return &[];
        };
        self.holders.get(*start as usize..*end as usize).unwrap_or(&[])
    }

    /// Whether the chunk holds this number in digits, in words, rounded, or in thousands and up.
    pub(crate) fn holds_number(&self, id: ChunkId, number: &Number) -> bool {
        let Some(chunk) = self.chunk(id) else {
            return false;
        };
        let own = self.numbers.get(chunk.numbers.clone()).unwrap_or(&[]);
        let values = self.values.get(chunk.values.clone()).unwrap_or(&[]);
        number.token.is_some_and(|token| own.binary_search(&token).is_ok())
            || number
                .value
                .is_some_and(|value| numbers::is_near(&number.text, value, numbers::any_of(values)))
    }
}

/// A number of a claim.
#[derive(Clone, Debug)]
pub(crate) struct Number {
    pub(crate) text: String,
    pub(crate) token: Option<u32>,
    pub(crate) value: Option<f64>,
}
