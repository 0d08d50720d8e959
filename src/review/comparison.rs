//! The supports of a response compared with the chunks of its sources: which text counts, and what came of
//! it.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::{Mutex, OnceLock, PoisonError};

use memchr::memmem;

use super::placed::Placed;
use crate::evidence::{
    Backing, ChunkId, ChunkText, Cited, Claim, ClaimMarks, Covered, Explanation, Index, SHIFT_PRIOR, Scorer,
    Scratch,
};
use crate::model::{Citation, PassageKind, Response, Source, SourceKind, Support};

/// The passages of a response, indexed, and the results so far.
pub struct Comparison {
    index: Index,
    /// What each chunk of the index was sent as.
    kinds: Vec<PassageKind>,
    /// Supports of which what stands around the words that they name counts, too.
    wide: Mutex<HashSet<usize>>,
    /// Of sources of which citations name passages those that none names.
    unnamed: OnceLock<HashMap<u32, Vec<ChunkId>>>,
    backings: Vec<OnceLock<Option<Backing>>>,
    judged: Vec<OnceLock<Option<Box<Compared>>>>,
    /// Where no source has a passage, what comes of every support: the words of the claim decide nothing.
    textless: Option<Box<Backing>>,
    /// Of the last search for one support.
    memory: Mutex<Scratch>,
}

/// What was compared for a support, and what came of it.
#[derive(Debug, Clone)]
pub struct Compared {
    /// The result.
    pub backing: Backing,
    /// Words, numbers and names of the claim that no cited chunk has: bytes of the answer.
    pub absent: Vec<Range<usize>>,
    /// Numbers among them.
    pub numbers: Vec<Range<usize>>,
    /// Per cited chunk its best windows, best first, and those of a chunk that fits better. Where very many
    /// are cited those of the best ones.
    pub windows: Vec<Shown>,
}

/// A window of a chunk, for people.
#[derive(Debug, Clone, PartialEq)]
pub struct Shown {
    /// Source.
    pub source: usize,
    /// Number of the passage within the source.
    pub chunk: usize,
    /// What it was sent as.
    pub kind: PassageKind,
    /// Bytes of the passage.
    pub range: Range<usize>,
    /// Cover of the passage, 0 to 1.
    pub cover: f64,
    /// Words of the claim in the window, as bytes of the passage.
    pub words: Vec<Range<usize>>,
    /// Further windows of the passage that are worth a look, best first, each with the words in it.
    pub further: Vec<(Range<usize>, Vec<Range<usize>>)>,
}

/// Windows of a passage that are shown.
const WINDOWS: usize = 3;

/// Passages whose windows are shown where a claim cites very many.
const SHOWN_OF_MANY: usize = 16;

/// Bytes of a claim up to which it is compared: what is longer is no claim but a text, and thousands of them
/// may lie in one another.
const CLAIM_MOST: usize = 4 * 1024;

/// Passages of a source that no citation names, at most, where those count that a citation names: a document
/// that is there as a whole is one. Of more all passages count.
const UNNAMED_MOST: usize = 32;

/// Cover from which on a source is worth naming for words that cite none.
const NEAR: f64 = 0.3;

/// Bytes of a title that is compared: what is longer is a text, and its words are none of a name.
const TITLE_MOST: usize = 4 * 1024;

/// The title of a source as far as its words count in every sentence of it. That of a Google web page is a
/// bare domain and counts for nothing.
pub fn evidence_title(source: &Source) -> &str {
    let says = source.kind != SourceKind::Web || source.published.publisher.is_some();
    let title = source.title.as_deref().filter(|_| says).unwrap_or_default();
    title.get(..title.floor_char_boundary(TITLE_MOST)).unwrap_or_default()
}

/// A support and what it is compared with.
struct Asked<'r> {
    /// Its words.
    claim: &'r str,
    /// Where they begin in the answer.
    at: usize,
    cited: Cited,
}

impl Comparison {
    /// Indexes the passages of a response.
    pub fn new(response: &Response) -> Self {
        let sources = response.sources.iter().enumerate();
        let passages: Vec<_> = sources
            .flat_map(|(number, source)| source.passages().map(move |passage| (number, source, passage)))
            .collect();
        let index = Index::new(passages.iter().map(|(number, source, passage)| {
            let (source_number, chunk) = (*number as u32, passage.number as u32);
            ChunkText { source: source_number, chunk, title: evidence_title(source), text: &passage.text }
        }));
        let kinds: Vec<_> = passages.iter().map(|(_, _, passage)| passage.kind).collect();
        let textless = kinds.is_empty().then(|| Box::new(Backing::of_nothing()));
        let compared = if textless.is_some() { 0 } else { response.supports.len() };
        let backings = (0..compared).map(|_| OnceLock::new()).collect();
        let judged = response.supports.iter().map(|_| OnceLock::new()).collect();
        let (wide, memory) = Default::default();
        Self { index, kinds, wide, unnamed: OnceLock::new(), backings, judged, textless, memory }
    }

    /// Compares a support; `None` where it has no words or needs no grounding.
    pub(super) fn backing(&self, placed: &Placed, support: usize) -> Option<&Backing> {
        if self.backings.get(support).is_none_or(|known| known.get().is_some()) {
            return self.known(placed, support);
        }
        let memory = || self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        let mut scorer = self.scorer().with(std::mem::take(&mut *memory()));
        let backing = self.backing_by(&mut scorer, placed, support);
        *memory() = scorer.into_memory();
        backing
    }

    /// What came of a support that was compared already.
    pub(super) fn known(&self, placed: &Placed, support: usize) -> Option<&Backing> {
        if let Some(nothing) = &self.textless {
            return self.ask(placed, support).is_ok().then_some(nothing);
        }
        self.backings.get(support)?.get()?.as_ref()
    }

    /// The same with a scorer that keeps its memory from one support to the next.
    fn backing_by(&self, scorer: &mut Scorer, placed: &Placed, support: usize) -> Option<&Backing> {
        if self.textless.is_some() {
            return self.known(placed, support);
        }
        let compare = || {
            let Asked { claim, cited, .. } = self.ask(placed, support).ok()?;
            let claim = Claim::new(&self.index, claim);
            let backing = scorer.compare(&claim, cited);
            if !self.is_around_named(placed, support, &backing, |chunk| scorer.cover(&claim, chunk)) {
                return Some(backing);
            }
            self.wide.lock().unwrap_or_else(PoisonError::into_inner).insert(support);
            Some(scorer.compare(&claim, self.ask(placed, support).ok()?.cited))
        };
        self.backings.get(support)?.get_or_init(compare).as_ref()
    }

    /// Whether what holds more of a claim than the words it names is what stands around them in a document.
    fn is_around_named(
        &self,
        placed: &Placed,
        number: usize,
        backing: &Backing,
        mut cover: impl FnMut(ChunkId) -> Option<Covered>,
    ) -> bool {
        let Some(other) = backing.better() else { return false };
        let support = placed.response.supports.get(number);
        let Some(((source, _), support)) = self.place(other.chunk).zip(support) else { return false };
        let Some(window) = cover(other.chunk).map(|fit| fit.window) else { return false };
        let text = self.text(&placed.response, other.chunk);
        let own = support.citations.iter().filter(|citation| citation.target.source() == Some(source));
        let chunks = placed.response.sources.get(source).map_or(&[][..], |source| &source.chunks);
        let mut named = own.flat_map(Citation::chunks).filter_map(|&chunk| chunks.get(chunk));
        named.any(|named| {
            // Words that reach into the window.
            let from = (window.start + 1).saturating_sub(named.text.len());
            let to = (window.end + named.text.len()).saturating_sub(1).min(text.len());
            let near = text.as_bytes().get(from..to).unwrap_or_default();
            !named.text.is_empty() && memmem::find(near, named.text.as_bytes()).is_some()
        })
    }

    /// Compares supports until `enough` says so; true when all are compared.
    pub(super) fn compare_all(&self, placed: &Placed, enough: &mut impl FnMut() -> bool) -> bool {
        let mut scorer = self.scorer();
        (0..placed.response.supports.len()).all(|support| {
            let _ = self.backing_by(&mut scorer, placed, support);
            !enough()
        })
    }

    /// The sources that hold most of some words, best first, each with its cover; those that hold little are
    /// left out.
    pub(super) fn nearest(&self, words: &str, most: usize) -> Vec<(usize, f64)> {
        let mut scorer = self.scorer();
        let claim =
            Claim::new(&self.index, words.get(..words.floor_char_boundary(CLAIM_MOST)).unwrap_or_default());
        let (mut found, mut passed) = (Vec::new(), Vec::new());
        while found.len() < most {
            let other = scorer
                .best_other(&claim, Cited::of_sources(&self.index, passed.iter().copied()))
                .filter(|other| other.cover >= NEAR);
            let Some((other, (source, _))) = other.and_then(|other| Some((other, self.place(other.chunk)?)))
            else {
                break;
            };
            found.push((source, other.cover));
            passed.push(source as u32);
        }
        found
    }

    /// For each of the first sources how much of the words of a support it holds, 0 to 1; nothing where it
    /// has no text.
    pub(super) fn covers(&self, placed: &Placed, support: usize, sources: Range<usize>) -> Vec<Option<f64>> {
        let Ok(Asked { claim, .. }) = self.ask(placed, support) else { return Vec::new() };
        let mut scorer = self.scorer();
        let claim = Claim::new(&self.index, claim);
        let mut best = |source: usize| {
            let fits = self.index.of_source(source as u32).filter_map(|chunk| scorer.cover(&claim, chunk));
            fits.map(|fit| fit.cover).max_by(f64::total_cmp)
        };
        (sources.start..sources.end.min(placed.response.sources.len())).map(&mut best).collect()
    }

    /// A scorer over the texts for the claims of the response.
    fn scorer(&self) -> Scorer<'_> {
        Scorer::for_claims(&self.index, self.judged.len())
    }

    /// The same with the places of what was found and what not.
    pub(super) fn compared(&self, placed: &Placed, support: usize) -> Option<&Compared> {
        self.judged.get(support)?.get_or_init(|| self.mark(placed, support).map(Box::new)).as_deref()
    }

    /// The same for whoever asks for each support once: it is not kept.
    pub(super) fn compared_once(&self, placed: &Placed, support: usize) -> Option<Cow<'_, Compared>> {
        match self.judged.get(support)?.get() {
            Some(known) => known.as_deref().map(Cow::Borrowed),
            None => self.mark(placed, support).map(Cow::Owned),
        }
    }

    /// Lays the comparison of a support open, with its words; the error says why there is nothing to compare.
    pub fn explain<'r>(
        &self,
        placed: &'r Placed,
        support: usize,
    ) -> Result<(&'r str, Explanation), &'static str> {
        self.backing(placed, support);
        let Asked { claim, cited, .. } = self.ask(placed, support)?;
        Ok((claim, self.scorer().explain(&Claim::new(&self.index, claim), cited, WINDOWS)))
    }

    fn ask<'r>(&self, placed: &'r Placed, number: usize) -> Result<Asked<'r>, &'static str> {
        let support = placed.response.supports.get(number).ok_or("there is no such support")?;
        if support.grade.check_required == Some(false) {
            return Err("the response says that it needs no grounding");
        }
        if placed.response.partial || placed.response.is_question() {
            return Err("this is a question or a piece of an answer that comes whole later");
        }
        let (claim, at) = claim(placed, number).ok_or("it has no place in the answer, so no words")?;
        if claim.len() > CLAIM_MOST {
            return Err("it is too long to be a claim: more than 4 KB");
        }
        Ok(Asked { claim, at, cited: self.cited(placed, number, support) })
    }

    /// The passages that a support cites: where a citation says where in the document its words stand, those
    /// (with the document, where what is around them holds more); else all of its sources but those that only
    /// others name.
    fn cited(&self, placed: &Placed, number: usize, support: &Support) -> Cited {
        let sources = support.cited().into_iter().map(|source| source as u32);
        let (mut own, mut vague): (HashMap<u32, Vec<ChunkId>>, HashSet<u32>) = Default::default();
        for citation in &support.citations {
            let Some(source) = citation.target.source().map(|source| source as u32) else { continue };
            let named = citation.chunks().iter().filter_map(|&chunk| self.passage(source, chunk));
            own.entry(source).or_default().extend(named);
            // Words alone may be cut short; a place in the document says which they are.
            if citation.cited.as_ref().is_none_or(|cited| cited.location.is_none()) {
                vague.insert(source);
            }
        }
        if own.values().all(Vec::is_empty) {
            return Cited::of_sources(&self.index, sources);
        }
        if self.wide.lock().unwrap_or_else(PoisonError::into_inner).contains(&number) {
            vague.extend(own.keys());
        }
        let unnamed = self.unnamed.get_or_init(|| self.unnamed(&placed.response));
        let each = sources.flat_map(|source| {
            let mut named = own.remove(&source).unwrap_or_default();
            match unnamed.get(&source) {
                _ if !named.is_empty() && !vague.contains(&source) => {}
                Some(others) if !named.is_empty() => named.extend(others),
                _ => named = self.index.of_source(source).collect(),
            }
            named
        });
        Cited::from(&each.collect::<Vec<_>>())
    }

    /// The passages that no citation names, of the sources of which one names some and that have few others.
    fn unnamed(&self, response: &Response) -> HashMap<u32, Vec<ChunkId>> {
        let mut named: HashMap<u32, HashSet<ChunkId>> = HashMap::new();
        for citation in response.supports.iter().flat_map(|support| &support.citations) {
            let Some(source) = citation.target.source().map(|source| source as u32) else { continue };
            let passages = citation.chunks().iter().filter_map(|&chunk| self.passage(source, chunk));
            named.entry(source).or_default().extend(passages);
        }
        let others = |(source, named): (u32, HashSet<ChunkId>)| {
            let others = self.index.of_source(source).filter(|id| !named.contains(id));
            let others: Vec<ChunkId> = others.take(UNNAMED_MOST + 1).collect();
            (others.len() <= UNNAMED_MOST).then_some((source, others))
        };
        named.into_iter().filter_map(others).collect()
    }

    /// A chunk of a source that is compared.
    fn passage(&self, source: u32, chunk: usize) -> Option<ChunkId> {
        let own = self.index.chunks_of(source);
        let kind = |id: ChunkId| self.kinds.get(id.0 as usize).copied();
        let at = own.partition_point(
            |(_, id)| matches!(kind(*id), Some(PassageKind::Chunk(number)) if number < chunk),
        );
        own.get(at).map(|(_, id)| *id).filter(|id| kind(*id) == Some(PassageKind::Chunk(chunk)))
    }

    fn mark(&self, placed: &Placed, support: usize) -> Option<Compared> {
        let backing = self.backing(placed, support)?.clone();
        let mut out = Compared { absent: Vec::new(), numbers: Vec::new(), windows: Vec::new(), backing };
        if out.backing.fits.is_empty() {
            return Some(out);
        }
        let Asked { claim, at, cited } = self.ask(placed, support).ok()?;
        let prepared = Claim::new(&self.index, claim);
        let most = if cited.is_many() { SHOWN_OF_MANY } else { usize::MAX };
        let marks = ClaimMarks::new(&self.index, claim, cited);
        let moved = |ranges: Vec<Range<usize>>| {
            ranges.into_iter().map(|range| range.start + at..range.end + at).collect()
        };
        (out.absent, out.numbers) = (moved(marks.absent), moved(marks.numbers));
        let best = out.backing.fits.iter().map(|fit| fit.window.chunk).take(most);
        let mut scorer = self.scorer();
        let sources = &placed.response.sources;
        let mut show = |chunk| self.shown(sources, &prepared, &mut scorer, chunk);
        out.windows = best.filter_map(&mut show).collect();
        out.windows.extend(out.backing.better().and_then(|other| show(other.chunk)));
        Some(out)
    }

    fn shown(&self, sources: &[Source], claim: &Claim, scorer: &mut Scorer, chunk: ChunkId) -> Option<Shown> {
        let fit = scorer.cover(claim, chunk)?;
        let (source, number) = self.place(chunk)?;
        let kind = *self.kinds.get(chunk.0 as usize)?;
        let text = &sources.get(source)?.words(kind)?;
        let mut windows = scorer.windows(claim, chunk, WINDOWS).into_iter().map(|window| {
            let words = claim.present_in_window(&self.index, text, &window);
            (window.start..window.end, words)
        });
        let (range, words) = windows.next()?;
        let further = windows.collect();
        Some(Shown { source, chunk: number, kind, range, cover: fit.cover, words, further })
    }

    /// Source and passage of a chunk.
    pub fn place(&self, chunk: ChunkId) -> Option<(usize, usize)> {
        self.index.place(chunk).map(|(source, number)| (source as usize, number as usize))
    }

    /// The source that holds more of a claim than what it cites, in words: one of those that it cites, where
    /// that is another passage of it.
    pub fn better(&self, backing: &Backing) -> Option<(usize, String)> {
        let (source, _) = self.place(backing.better()?.chunk)?;
        let mut cited = backing.fits.iter().filter_map(|fit| self.place(fit.window.chunk));
        let another = if cited.any(|(own, _)| own == source) { "another passage of " } else { "" };
        Some((source, format!("{another}source [{}]", source + 1)))
    }

    /// Text of a chunk of the response that was indexed.
    pub fn text<'r>(&self, response: &'r Response, chunk: ChunkId) -> Cow<'r, str> {
        let words = || response.sources.get(self.place(chunk)?.0)?.words(*self.kinds.get(chunk.0 as usize)?);
        words().unwrap_or_default()
    }

    /// How many passages are compared.
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// Whether there is nothing to compare with.
    pub fn is_empty(&self) -> bool {
        self.index.is_empty()
    }

    /// What to add to every index for the best fit of the whole response: −1, 0 or +1.
    pub(super) fn shifted_by(&self, placed: &Placed) -> i8 {
        if self.is_unshifted(placed) { 0 } else { self.index_shift(placed).map_or(0, |shift| shift.by) }
    }

    /// Where no claim could gain enough even from the best of all chunks, no other index is tried. Holds only
    /// where every source has text, so that each claim counts whatever is added.
    fn is_unshifted(&self, placed: &Placed) -> bool {
        let response = &placed.response;
        if self.index.sources_with_text() < response.sources.len() {
            return false;
        }
        let (mut own, mut most, mut count) = (0.0, 0.0, 0.0);
        for (number, support) in response.supports.iter().enumerate() {
            let Some(verdict) = self.backing(placed, number).filter(|verdict| !verdict.fits.is_empty())
            else {
                return false;
            };
            let other = verdict.best_other.map_or(0.0, |other| other.cover);
            let best = verdict.fits.iter().map(|fit| fit.cover).fold(other, f64::max);
            let mut covers: HashMap<i64, f64> = HashMap::new();
            for fit in &verdict.fits {
                if let Some((source, _)) = self.place(fit.window.chunk) {
                    let cover = covers.entry(source as i64).or_default();
                    *cover = cover.max(fit.cover);
                }
            }
            for citation in &support.citations {
                let Some(index) = citation.index() else { continue };
                own += covers.get(&index).copied().unwrap_or_default();
                most += best;
                count += 1.0;
            }
        }
        count > 0.0 && most / count <= own / count + SHIFT_PRIOR
    }

    /// Whether the citations of the whole response fit better with every index moved by one: by how much, and
    /// the mean covers for −1, 0 and +1.
    fn index_shift(&self, placed: &Placed) -> Option<crate::evidence::Shift> {
        let response = &placed.response;
        let short = |support: usize| claim(placed, support).filter(|(text, _)| text.len() <= CLAIM_MOST);
        // One at a time: thousands of claims of one long sentence would take more than all else.
        let claims = response.supports.iter().enumerate().filter_map(|(number, support)| {
            let cited: Vec<i64> = support.citations.iter().filter_map(Citation::index).collect();
            let (text, _) = short(number).filter(|_| !cited.is_empty())?;
            Some((Claim::new(&self.index, text), cited))
        });
        self.scorer().index_shift(claims, response.sources.len() as u32)
    }
}

/// The words of a support and where they begin in the answer; the quote where there is no answer.
fn claim(placed: &Placed, support: usize) -> Option<(&str, usize)> {
    let anchor = placed.anchors.get(support)?;
    if let Some(range) = anchor.range.clone() {
        let text = placed.response.text();
        // A mark alone has no words; those of a link that is a part of its sentence are the claim's.
        let alone =
            placed.response.supports.get(support)?.is_inferred() && anchor.mark.as_ref() == Some(&range);
        let alone = alone && !crate::anchor::is_named_link(text, &range);
        let words = if alone { range.start..range.start } else { range.clone() };
        return text.get(words).map(|text| (text, range.start));
    }
    let quote = placed.response.supports.get(support)?.segment.as_ref()?.quote.as_deref()?;
    placed.response.answer.is_none().then_some((quote, 0))
}
