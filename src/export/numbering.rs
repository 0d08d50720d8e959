//! Numbers for sources: the provider's index + 1, or compact by first use with duplicates merged.

use std::collections::{HashMap, HashSet};

use crate::anchor::Verdict;
use crate::model::{Beside, Layer, Response, Source, SourceKey, SourceKind, Support, Target, Unit};
use crate::review::{Review, SourceRef, SupportRef};

/// How sources are numbered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Scheme {
    /// The provider's index + 1, nothing merged.
    Provider,
    /// By first use in the answer, duplicates merged.
    Compact,
}

/// Numbers of the sources of a response.
#[derive(Debug, Clone)]
pub struct Numbering {
    /// For each source its number, if it has one.
    pub of: Vec<Option<usize>>,
    /// Number and source (the first of merged ones) of what is cited, by number.
    pub entries: Vec<(usize, usize)>,
}

impl Numbering {
    /// Of the supports that exports use. Tool-level sources have no number unless `tools`.
    pub fn new(review: &Review, scheme: Scheme, tools: bool) -> Self {
        let response = &review.response;
        let count = response.sources.len();
        let results = results(response);
        let is_left_out = |index: usize| !tools && results.get(index) == Some(&true);
        if scheme == Scheme::Provider {
            let of: Vec<Option<usize>> =
                (0..count).map(|index| (!is_left_out(index)).then_some(index + 1)).collect();
            let cited = |index: &usize| {
                of.get(*index).is_some_and(Option::is_some) && review.source(*index).is_some_and(is_claimed)
            };
            let entries = (0..count).filter(cited).map(|index| (index + 1, index)).collect();
            return Self { of, entries };
        }
        let mut numbering = Self { of: vec![None; count], entries: Vec::new() };
        let mut known = Known::default();
        for index in by_use(review) {
            let Some(source) = response.sources.get(index) else { continue };
            if is_left_out(index) {
                continue;
            }
            let next = numbering.entries.len() + 1;
            let number = known.number(source, next);
            if number == next {
                numbering.entries.push((number, index));
            }
            // A redirect without a title goes with the first of its address.
            if let Some(uri) = source.uri.as_deref().filter(|_| source.redirect) {
                known.address(uri, number);
            }
            if let Some(slot) = numbering.of.get_mut(index) {
                *slot = Some(number);
            }
        }
        numbering
    }

    /// For each number, in the order of the entries, the sources that go by it.
    pub fn merged(&self) -> Vec<Vec<usize>> {
        let place: HashMap<usize, usize> =
            self.entries.iter().enumerate().map(|(place, (number, _))| (*number, place)).collect();
        let mut merged = vec![Vec::new(); self.entries.len()];
        for (source, number) in self.of.iter().enumerate() {
            let list = number.and_then(|number| merged.get_mut(*place.get(&number)?));
            if let Some(list) = list {
                list.push(source);
            }
        }
        merged
    }

    /// The number of a source.
    pub fn number(&self, source: usize) -> Option<usize> {
        self.of.get(source).copied().flatten()
    }
}

/// Numbers of sources by what they are known by.
#[derive(Default)]
struct Known<'r> {
    by_key: HashMap<(SourceKey<'r>, Beside<'r>), usize>,
    /// The first of each id: what others of it lack, or it lacks, makes no two of them.
    firsts: HashMap<&'r str, (Beside<'r>, usize)>,
}

impl<'r> Known<'r> {
    /// The number of a source; a new one gets `next`.
    fn number(&mut self, source: &'r Source, next: usize) -> usize {
        let Some(key) = source.key() else { return next };
        let SourceKey::Id(id) = key else {
            return *self.by_key.entry((key, Beside::default())).or_insert(next);
        };
        let beside = source.beside_id();
        let (first, number) = *self.firsts.entry(id).or_insert((beside, next));
        let number = if first.agrees(beside) { number } else { next };
        *self.by_key.entry((key, beside)).or_insert(number)
    }

    /// Gives an address a number, if it has none.
    fn address(&mut self, uri: &'r str, number: usize) {
        self.by_key.entry((SourceKey::Address(uri, ""), Beside::default())).or_insert(number);
    }
}

/// For each source whether it is the result of a tool that is cited as a whole, and no document.
pub fn results(response: &Response) -> Vec<bool> {
    let mut results: Vec<bool> =
        response.sources.iter().map(|source| source.kind == SourceKind::Tool).collect();
    for citation in response.supports.iter().flat_map(|support| &support.citations) {
        if let Target::Source(source) = citation.target
            && let Some(result) = results.get_mut(source)
        {
            *result = false;
        }
    }
    results
}

/// Cited sources in the order in which a reader meets them.
fn by_use(review: &Review) -> Vec<usize> {
    let mut seen = vec![false; review.response.sources.len()];
    let mut order = Vec::new();
    let layer = layer(&review.response);
    // Layers that are not exported are not numbered either.
    let placed = (0..review.spans.len()).flat_map(|span| review.of_span(span));
    for support in placed.filter(|support| is_of(support, layer)) {
        for source in support.cited() {
            if let Some(seen) = seen.get_mut(source)
                && !std::mem::replace(seen, true)
            {
                order.push(source);
            }
        }
    }
    order
}

/// The layer of supports that exports use, so that nothing is cited twice: that which its format names where
/// it is there, else that of the first support.
pub fn layer(response: &Response) -> Option<Layer> {
    let named = response
        .facts
        .cited_layer
        .filter(|layer| response.supports.iter().any(|support| support.layer == *layer));
    // What backs a thought is no citation of the answer.
    let of_answer = |support: &&Support| support.backs_claim() && support.layer != Layer::Thought;
    let first = || response.supports.iter().find(of_answer);
    named.or_else(|| first().map(|support| support.layer))
}

/// Whether words of the answer rest on a source; a link to a file that the model made is no such thing.
fn is_claimed(source: SourceRef) -> bool {
    source.is_cited()
        && (source.kind != SourceKind::File || source.cited_by().any(|support| support.backs_claim()))
}

/// Whether a support is of the layer that exports use. A link to a file that the model made is none to cite.
pub(super) fn is_of(support: &Support, layer: Option<Layer>) -> bool {
    let joins = |layer| {
        matches!(layer, Some(Layer::UrlCitation | Layer::FileCitation | Layer::PlaceCitation | Layer::Marker))
    };
    support.backs_claim() && (Some(support.layer) == layer || joins(layer) && joins(Some(support.layer)))
}

/// Whether a support that ends at a byte is a segment of nothing at the beginning, which backs no words.
pub fn is_nothing(support: SupportRef, end: usize) -> bool {
    end == 0 && support.range().is_some()
}

/// Sources to which a mark in the answer leads; what is cited by a support without a place, or in another
/// layer only, is not among them.
pub fn marked_sources(review: &Review) -> HashSet<usize> {
    let placed = marked(review).filter(|(support, end)| end.is_some_and(|end| !is_nothing(*support, end)));
    placed.flat_map(|(support, _)| support.cited()).collect()
}

/// Supports that exports use, in the order sent, with their place: the byte of the answer where a mark goes.
pub fn marked(review: &Review) -> impl Iterator<Item = (SupportRef<'_>, Option<usize>)> {
    let layer = layer(&review.response);
    let text = review.response.text();
    let length = text.len();
    let counted = match review.response.unit {
        Unit::Bytes => length,
        Unit::Characters => text.chars().count(),
        Unit::Utf16 => text.encode_utf16().count(),
    };
    review.supports().filter(move |support| is_of(support, layer)).map(move |support| {
        let anchor = support.anchor();
        // An end past the text is cited at its end; a quote that is nowhere, or what begins past it, has no
        // place.
        let segment = support.sent().segment.as_ref();
        let begins = segment.is_some_and(|segment| {
            usize::try_from(segment.start.unwrap_or_default()).is_ok_and(|start| start < counted)
        });
        let past = anchor.verdict == Verdict::Gone && support.quote().is_none() && anchor.outside && begins;
        (support, support.range().map(|range| range.end).or(past.then_some(length)))
    })
}
