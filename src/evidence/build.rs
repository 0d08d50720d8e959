//! Building an index: chunks are cut into tokens, sentence by sentence, and sorted into one table.

use super::clean::expand_years;
use super::fold::Folder;
use super::index::{Chunk, ChunkId, ChunkText, EVERY, Entry, Index};
use super::intern::Interner;
use super::profile::{Profile, Traits};
use super::tokens::{self, Piece, TokenKind};
use super::{numbers, words};
use crate::text::split_sentences;
use std::ops::Range;

/// Bytes of a text for one token: most have more.
const TOKEN: usize = 6;
/// Tokens of a chunk for which memory is kept for the next one.
const USUAL: usize = 1 << 16;

/// Bytes of a passage up to which its numbers are counted again where a sentence of it was cut.
const WHOLE: usize = 1 << 20;

/// Builds indexes one after the other and keeps its memory from one to the next.
#[derive(Debug, Default)]
pub struct Indexer {
    index: Index,
    folder: Folder,
    /// Tokens of the chunk at hand with their sentences: token in the upper half.
    pairs: Vec<u64>,
    numbers: Vec<u32>,
    traits: Vec<Traits>,
}

impl Index {
    /// Indexes chunks in the order given, which is the order of their [`ChunkId`]s.
    #[must_use]
    pub fn new<'a>(chunks: impl IntoIterator<Item = ChunkText<'a>>) -> Self {
        let mut indexer = Indexer::default();
        indexer.index(chunks);
        indexer.index
    }
}

impl Indexer {
    /// Indexes chunks in the order given, which is the order of their [`ChunkId`]s.
    pub fn index<'a>(&mut self, chunks: impl IntoIterator<Item = ChunkText<'a>>) -> &Index {
        self.index.clear();
        self.traits.clear();
        let chunks = chunks.into_iter();
        self.index.chunks.reserve_exact(chunks.size_hint().0);
        for chunk in chunks {
            self.add(&chunk);
        }
        self.finish();
        &self.index
    }

    fn add(&mut self, chunk: &ChunkText<'_>) {
        self.pairs.clear();
        self.numbers.clear();
        self.index.words.reserve(chunk.text.len() / 8);
        self.pairs.reserve(chunk.text.len() / TOKEN);
        let mut profile = Profile::default();
        let from = self.index.spans.len();
        let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let torn =
            split_sentences(chunk.text, |start, end| self.index.spans.push((place(start), place(end))));
        if self.index.spans.len() == from {
            self.index.spans.push((0, place(chunk.text.len())));
        }
        let spans = from..self.index.spans.len();
        for (number, at) in (0..EVERY).zip(spans.clone()) {
            let (start, end) = self.index.spans.get(at).copied().unwrap_or_default();
            self.add_text(chunk.text.get(start as usize..end as usize).unwrap_or(""), number, &mut profile);
        }
        let has_text = !self.pairs.is_empty();
        self.add_text(chunk.title, EVERY, &mut Profile::default());
        self.recount_numbers(chunk, torn);
        self.index.profile.add(&profile);
        let entries = self.take_entries();
        let (numbers, values) = self.take_numbers();
        let (source, number) = (chunk.source, chunk.chunk);
        let made = Chunk { source, number, has_text, spans, entries, numbers, values, profile };
        self.index.chunks.push(made);
    }

    fn add_text(&mut self, text: &str, sentence: u32, profile: &mut Profile) {
        let Self { index, folder, pairs, numbers, traits } = self;
        tokens::each(folder.fold(text), &mut |piece| {
            let id = index.words.intern(piece.text);
            pairs.push(u64::from(id) << 32 | u64::from(sentence));
            if traits.len() <= id as usize {
                // Ids that were passed over stand for the digits of number words.
                traits.resize(id as usize, Traits::NUMBER);
                traits.push(Traits::of(piece.text, piece.kind));
            }
            if let Some(known) = traits.get(id as usize) {
                profile.count(*known);
            }
            note_number(&piece, Some(id), &mut index.words, numbers);
        });
    }

    /// Numbers belong to the text as a whole: a year range may lie across a sentence end, and a cut may part
    /// a number.
    fn recount_numbers(&mut self, chunk: &ChunkText<'_>, torn: bool) {
        let joined;
        let text = if chunk.title.is_empty() {
            chunk.text
        } else {
            joined = [chunk.text, " ", chunk.title].concat();
            &joined
        };
        let expanded = expand_years(text);
        // Folded as a whole it may become eleven times as long.
        if !torn && expanded.is_none() || text.len() > WHOLE {
            return;
        }
        let text = expanded.as_ref().map_or(text, |made| &made.text);
        self.numbers.clear();
        let Self { index, folder, numbers, .. } = self;
        tokens::each(folder.fold(text), &mut |piece| {
            note_number(&piece, None, &mut index.words, numbers);
        });
    }

    fn take_entries(&mut self) -> Range<usize> {
        let Self { index, pairs, .. } = self;
        pairs.sort_unstable();
        pairs.dedup();
        let from = index.entries.len();
        let half = |half: u64| u32::try_from(half).unwrap_or(u32::MAX);
        make_room(&mut index.places, pairs.len());
        make_room(&mut index.entries, pairs.chunk_by(|one, next| one >> 32 == next >> 32).count());
        let mut last = None;
        for pair in &*pairs {
            let [token, sentence] = [*pair >> 32, *pair & u64::from(u32::MAX)].map(half);
            if last != Some(token) {
                last = Some(token);
                index.entries.push(Entry { token, places: half(index.places.len() as u64) });
            }
            index.places.push(sentence);
        }
        release(pairs);
        from..index.entries.len()
    }

    fn take_numbers(&mut self) -> (Range<usize>, Range<usize>) {
        let Self { index, numbers, .. } = self;
        numbers.sort_unstable();
        numbers.dedup();
        let (from, first) = (index.numbers.len(), index.values.len());
        make_room(&mut index.numbers, numbers.len());
        make_room(&mut index.values, numbers.len());
        for id in numbers.iter() {
            index.values.extend(numbers::value(index.words.get(*id)));
            index.numbers.push(*id);
        }
        release(numbers);
        if let Some(own) = index.values.get_mut(first..) {
            own.sort_unstable_by(f64::total_cmp);
        }
        (from..index.numbers.len(), first..index.values.len())
    }

    /// Turns the entries of all chunks into a list of chunks for every token.
    fn finish(&mut self) {
        let index = &mut self.index;
        let heads = &mut index.heads;
        heads.resize(index.words.len() + 2, 0);
        for entry in &index.entries {
            if let Some(count) = heads.get_mut(entry.token as usize + 2) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for head in heads.iter_mut() {
            sum += *head;
            *head = sum;
        }
        index.holders.resize(index.entries.len(), 0);
        for (id, chunk) in (0..=u32::MAX).zip(&index.chunks) {
            for entry in index.entries.get(chunk.entries.clone()).unwrap_or(&[]) {
                if let Some(head) = heads.get_mut(entry.token as usize + 1) {
                    if let Some(slot) = index.holders.get_mut(*head as usize) {
                        *slot = id;
                    }
                    *head += 1;
                }
            }
        }
        for (id, _) in (0..u32::MAX).zip(&index.chunks).filter(|(_, chunk)| chunk.has_text) {
            match index.texts.last_mut() {
                Some(run) if run.end == id => run.end += 1,
                _ => index.texts.push(id..id + 1),
            }
        }
        let sources = index.chunks.iter().map(|chunk| chunk.source);
        index.by_source.extend(sources.zip((0..=u32::MAX).map(ChunkId)));
        index.by_source.sort_unstable();
    }
}

/// Makes room for what a chunk adds: of a large one exactly, since a list that grows takes three times its
/// size for a moment.
fn make_room<T>(list: &mut Vec<T>, more: usize) {
    if more > USUAL { list.reserve_exact(more) } else { list.reserve(more) }
}

/// Gives back the memory of a large chunk before more is taken for it.
fn release<T>(list: &mut Vec<T>) {
    if list.capacity() > USUAL {
        *list = Vec::new();
    }
}

/// Notes a number, or the digits of a number word. `id` is the token of the piece, where it is known.
fn note_number(piece: &Piece<'_>, id: Option<u32>, words: &mut Interner, numbers: &mut Vec<u32>) {
    if piece.kind == TokenKind::Number {
        numbers.push(id.unwrap_or_else(|| words.intern(piece.text)));
    } else if let Some(digits) = words::number_word(piece.full) {
        numbers.push(words.intern(digits));
    }
}
