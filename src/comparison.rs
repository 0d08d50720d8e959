//! The supports of a response compared with the chunks of its sources: which text counts, and what came of it.

use std::ops::Range;
use std::sync::OnceLock;

use serde_json::Value;

use crate::evidence::{ChunkId, ChunkText, Claim, ClaimMarks, Index, Scorer, Verdict};
use crate::model::{Response, Source, SourceKind};
use crate::pipeline::Reviewed;

/// All text of a response that counts as evidence, indexed, and the results so far.
pub struct Comparison {
    index: Index,
    texts: Vec<Passage>,
    judged: Vec<OnceLock<Option<Judged>>>,
}

/// A text that counts as evidence.
struct Passage {
    source: usize,
    text: String,
}

/// What was compared for a support, and what came of it.
#[derive(Debug, Clone)]
pub struct Judged {
    /// The result.
    pub verdict: Verdict,
    /// Words, numbers and names of the claim that no cited chunk has: bytes of the answer.
    pub absent: Vec<Range<usize>>,
    /// Numbers among them.
    pub numbers: Vec<Range<usize>>,
    /// Per cited chunk its best windows, best first.
    pub windows: Vec<Shown>,
}

/// A window of a chunk, for people.
#[derive(Debug, Clone, PartialEq)]
pub struct Shown {
    /// Source.
    pub source: usize,
    /// Number of the passage within the source.
    pub chunk: usize,
    /// Bytes of the passage.
    pub range: Range<usize>,
    /// Cover of the passage, 0 to 1.
    pub cover: f64,
    /// Words of the claim in the window, as bytes of the passage.
    pub words: Vec<Range<usize>>,
}

/// Bytes of a claim up to which it is compared: what is longer is no claim but a text.
const CLAIM_MOST: usize = 16 * 1024;

/// Texts of a source that count as evidence, in order: passages, reviews, structured data as lines. A page of which
/// only the address is known has none.
pub fn evidence_texts(source: &Source) -> Vec<String> {
    let passages = source.chunks.iter().map(|chunk| chunk.text.clone());
    let reviews = source.reviews.iter().filter_map(|review| review.text.clone());
    let data = source.struct_data.iter().filter_map(Value::as_object).map(|object| {
        let line = |(key, value): (&String, &Value)| format!("{key}: {}", value.as_str().map_or_else(|| value.to_string(), str::to_owned));
        object.iter().map(line).collect::<Vec<_>>().join("\n")
    });
    passages.chain(reviews).chain(data).collect()
}

impl Comparison {
    /// Indexes the chunks of a response.
    pub fn new(response: &Response) -> Self {
        let texts: Vec<Passage> = response
            .sources
            .iter()
            .enumerate()
            .flat_map(|(number, source)| evidence_texts(source).into_iter().map(move |text| Passage { source: number, text }))
            .collect();
        let mut chunk = 0;
        let mut last = None;
        let index = Index::new(texts.iter().map(|passage| {
            chunk = if last == Some(passage.source) { chunk + 1 } else { 0 };
            last = Some(passage.source);
            // The title of a Google web page is a bare domain; its words are no evidence.
            let source = response.sources.get(passage.source);
            let title = source
                .filter(|source| source.kind != SourceKind::Web || source.publisher.is_some())
                .and_then(|source| source.title.as_deref());
            ChunkText { source: passage.source as u32, chunk, title: title.unwrap_or_default(), text: &passage.text }
        }));
        let judged = response.supports.iter().map(|_| OnceLock::new()).collect();
        Self { index, texts, judged }
    }

    /// Compares a support; `None` where it has no words or needs no grounding.
    pub(crate) fn judge(&self, reviewed: &Reviewed, support: usize) -> Option<&Judged> {
        self.judged.get(support)?.get_or_init(|| self.compare(reviewed, support)).as_ref()
    }

    fn compare(&self, reviewed: &Reviewed, number: usize) -> Option<Judged> {
        let support = reviewed.response.supports.get(number)?;
        if support.check_required == Some(false) || reviewed.response.partial || reviewed.response.is_question() {
            return None;
        }
        let (claim, at) = claim(reviewed, number).filter(|(text, _)| text.len() <= CLAIM_MOST)?;
        let cited: Vec<ChunkId> = support.cited().into_iter().flat_map(|source| self.index.of_source(source as u32)).collect();
        let prepared = Claim::new(&self.index, claim);
        let mut scorer = Scorer::new(&self.index);
        let verdict = scorer.judge(&prepared, &cited);
        let mut out = Judged { absent: Vec::new(), numbers: Vec::new(), windows: Vec::new(), verdict };
        if out.verdict.fits.is_empty() {
            return Some(out);
        }
        let marks = ClaimMarks::new(&self.index, claim, &cited);
        let moved = |ranges: Vec<Range<usize>>| ranges.into_iter().map(|range| range.start + at..range.end + at).collect();
        (out.absent, out.numbers) = (moved(marks.absent), moved(marks.numbers));
        let other = out.verdict.better().map(|other| other.chunk);
        let shown = out.verdict.fits.iter().map(|fit| fit.window.chunk).chain(other).collect::<Vec<_>>();
        out.windows = shown.into_iter().filter_map(|chunk| self.shown(&prepared, &mut scorer, chunk)).collect();
        Some(out)
    }

    fn shown(&self, claim: &Claim, scorer: &mut Scorer, chunk: ChunkId) -> Option<Shown> {
        let fit = scorer.cover(claim, chunk)?;
        let (source, number) = self.index.place(chunk)?;
        let text = &self.texts.get(chunk.0 as usize)?.text;
        let words = claim.present_in_window(&self.index, text, &fit.window);
        Some(Shown { source: source as usize, chunk: number as usize, range: fit.window.start..fit.window.end, cover: fit.cover, words })
    }

    /// Source and passage of a chunk.
    pub fn place(&self, chunk: ChunkId) -> Option<(usize, usize)> {
        self.index.place(chunk).map(|(source, number)| (source as usize, number as usize))
    }

    /// How many texts are compared.
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// Whether there is nothing to compare with.
    pub fn is_empty(&self) -> bool {
        self.index.is_empty()
    }

    /// Whether the citations of the whole response fit better with every index moved by one: by how much, and the
    /// mean covers for −1, 0 and +1.
    pub fn index_shift(&self, reviewed: &Reviewed) -> Option<crate::evidence::Shift> {
        let response = &reviewed.response;
        let short = |support: usize| claim(reviewed, support).filter(|(text, _)| text.len() <= CLAIM_MOST);
        let claims: Vec<Option<Claim>> =
            (0..response.supports.len()).map(|support| short(support).map(|(text, _)| Claim::new(&self.index, text))).collect();
        let pairs = response.supports.iter().zip(&claims).filter_map(|(support, claim)| Some((support, claim.as_ref()?)));
        let citations: Vec<(&Claim, i64)> = pairs
            .flat_map(|(support, claim)| support.citations.iter().filter_map(move |citation| Some((claim, citation.index()?))))
            .collect();
        Scorer::new(&self.index).index_shift(&citations, response.sources.len() as u32)
    }
}

/// The words of a support and where they begin in the answer; the quote where there is no answer.
fn claim(reviewed: &Reviewed, support: usize) -> Option<(&str, usize)> {
    if let Some(range) = reviewed.anchors.get(support)?.range.clone() {
        return reviewed.response.text().get(range.clone()).map(|text| (text, range.start));
    }
    let quote = reviewed.response.supports.get(support)?.segment.as_ref()?.quote.as_deref()?;
    reviewed.response.answer.is_none().then_some((quote, 0))
}
