//! Grounding metadata: supports, queries, and what holds for the answer as a whole.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use memchr::memmem;

use super::chunks::{GroundingChunk, KnownChunk, RetrievedContext, SourceFlaggingUri, Web, source};
use super::suggestions::{SearchEntryPoint, suggestions};
use crate::format::building::{self, Bounded};
use crate::json::Peek;
use crate::json::values::Whole;
use crate::json::wire::{Cx, Object, Reader, Unreadable, Wire, wire};
use crate::model::{
    Citation, Grounding, Layer, List, Origin, Place, Query, QueryKind, RemarkKind, Response, Segment,
    SegmentKeys, Source, Support, Target,
};

wire! {
    pub struct GroundingMetadata whole [] {
        web_search_queries: Vec<Maybe<String>> = "webSearchQueries";
        retrieval_queries: Vec<Maybe<String>> = "retrievalQueries";
        image_search_queries: Vec<Maybe<String>> = "imageSearchQueries";
        chunks: Vec<GroundingChunk> = "groundingChunks";
        supports: Vec<GroundingSupport> = "groundingSupports" | "groundingSupport";
        attributions: Vec<GroundingAttribution> = "groundingAttributions";
        entry_point: Option<SearchEntryPoint> = "searchEntryPoint";
        retrieval: Option<RetrievalMetadata> = "retrievalMetadata";
        flags: Vec<SourceFlaggingUri> = "sourceFlaggingUris";
        maps_token: Option<String> = "googleMapsWidgetContextToken", extra;
    }

    pub struct RetrievalMetadata {
        score: Option<f64> = "googleSearchDynamicRetrievalScore";
    }

    pub struct GroundingSupport whole [] {
        segment: Option<SegmentSent> = "segment";
        indices: Vec<Maybe<i64>> = "groundingChunkIndices" | "groundingChunckIndices" | "supportChunkIndices";
        scores: Vec<Maybe<f64>> = "confidenceScores" | "confidenceScore";
        // The words beside their segment, as Vertex AI's own example has them.
        text: Option<String> = "segmentText";
    }

    /// Before chunks and supports were told apart.
    pub struct GroundingAttribution {
        segment: Option<SegmentSent> = "segment";
        score: Option<f64> = "confidenceScore";
        web: Option<Web> = "web";
        retrieved: Option<Box<RetrievedContext>> = "retrievedContext";
    }

    pub struct SegmentFields whole [] {
        part: Option<i64> = "partIndex";
        start: Option<Whole> = "startIndex";
        end: Option<Whole> = "endIndex";
        text: Option<String> = "text";
    }
}

/// An element that keeps its place where it is `null` or does not fit.
#[derive(Debug, Default, Clone)]
pub struct Maybe<T>(pub Option<T>);

impl<T: Wire> Wire for Maybe<T> {
    fn read(reader: &mut Reader<'_>, cx: &Cx) -> Result<Option<Self>, Unreadable> {
        T::read(reader, cx).map(|value| Some(Self(value)))
    }
}

/// A segment; plain text in an old JavaScript typing.
#[derive(Debug, Default, Clone)]
pub struct SegmentSent(pub SegmentFields);

impl Object for SegmentSent {
    fn set(
        &mut self,
        key: &str,
        reader: &mut Reader<'_>,
        cx: &Cx,
        seen: &mut u64,
    ) -> Result<bool, Unreadable> {
        self.0.set(key, reader, cx, seen)
    }

    fn from_text(text: &str) -> Option<Self> {
        Some(Self(SegmentFields { text: Some(text.to_owned()), ..SegmentFields::default() }))
    }
}

/// Adds a metadata object. A second one is appended, unless its chunks begin with those already there: then
/// it is the same sent again, and only what is new counts.
pub fn metadata(response: &mut Response, sent: &mut Sent, meta: GroundingMetadata, origin: &Origin) {
    sources(response, sent, meta.chunks, &meta.supports, origin);
    let list = origin.key("groundingSupports");
    let again = response.supports.first().is_some_and(|support| support.origin.frame != origin.frame);
    let there = &mut sent.supports;
    if again {
        there.extend(response.supports.iter().skip(sent.unsigned).map(signature));
    }
    match response.supports.capacity() {
        // Most have few, and a list of one takes room for four.
        0 => response.supports.reserve_exact(meta.supports.len()),
        _ => response.supports.reserve(meta.supports.len()),
    }
    for (index, support) in meta.supports.into_iter().enumerate() {
        let support = self::support(support, list.item(index), response.sources.len());
        // What an earlier frame sent counts once.
        if !again || there.insert(signature(&support)) {
            response.supports.add(support);
        }
    }
    sent.unsigned = if again { response.supports.len() } else { sent.unsigned };
    attributions(response, meta.attributions, origin);
    for (kind, list) in [
        (QueryKind::Web, meta.web_search_queries),
        (QueryKind::Retrieval, meta.retrieval_queries),
        (QueryKind::Image, meta.image_search_queries),
    ] {
        queries(response, sent, kind, list, origin);
    }
    if let Some(entry) = meta.entry_point.filter(|entry| entry.html.is_some() || entry.blob.is_some()) {
        response.about.suggestions = Some(suggestions(entry));
    }
    response.about.retrieval_score =
        meta.retrieval.and_then(|retrieval| retrieval.score).or(response.about.retrieval_score);
    response.about.maps_token = meta.maps_token.or(response.about.maps_token.take());
    let flag = |flag: SourceFlaggingUri| (flag.id.unwrap_or_default(), flag.uri.unwrap_or_default());
    response.about.flags_unmatched.extend(meta.flags.into_iter().map(flag));
}

/// How the list of supports is spelled.
pub const SUPPORTS: [&str; 2] = ["groundingSupports", "grounding_supports"];

/// How both end, with the quote behind the key.
const SUPPORTS_END: &[u8] = b"upports\"";

/// Where the keys of lists of supports end in JSON text.
pub fn ends_of_supports(text: &str) -> impl Iterator<Item = usize> {
    let bytes = text.as_bytes();
    let ends = memmem::find_iter(bytes, SUPPORTS_END).map(|at| at + SUPPORTS_END.len() - 1);
    let is_key = |before: &[u8]| SUPPORTS.iter().any(|key| before.ends_with(key.as_bytes()));
    ends.filter(move |end| bytes.get(..*end).is_some_and(is_key))
}

/// How much metadata says: supports, then sources, then queries.
pub fn says(metadata: &GroundingMetadata) -> [usize; 3] {
    let queries = [&metadata.web_search_queries, &metadata.retrieval_queries, &metadata.image_search_queries];
    let supports = metadata.supports.len() + metadata.attributions.len();
    [supports, metadata.chunks.len(), queries.iter().map(|list| list.len()).sum()]
}

/// Whether a list of supports stands in JSON text.
pub fn has_supports(text: &str) -> bool {
    ends_of_supports(text).next().is_some()
}

/// Whether a candidate of a stream has metadata alone.
pub fn stands_alone(candidate: &Peek) -> bool {
    let holds = |key: &str| has_supports(candidate.text_of(key).unwrap_or_default());
    !candidate.has_any(&["content", "finishReason"])
        && (candidate.has("groundingMetadata") || candidate.keys().any(holds))
}

/// What each support of metadata says, and of which sources, as a hash. Each chunk is gone through once.
pub fn claims(metadata: &GroundingMetadata) -> impl Iterator<Item = u64> {
    let chunks: Vec<u64> = metadata.chunks.iter().map(|chunk| hash_of(&format!("{chunk:?}"))).collect();
    metadata.supports.iter().map(move |support| {
        let segment = support.segment.as_ref().map(|segment| &segment.0);
        let place = segment.map(|segment| format!("{:?}", (&segment.start, &segment.end)));
        let indices = support.indices.iter().filter_map(|index| usize::try_from(index.0?).ok());
        let cited: Vec<Option<&u64>> = indices.map(|index| chunks.get(index)).collect();
        hash_of(&(place, segment.map(|segment| &segment.text), cited))
    })
}

fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// What there is of grounding, of a response for which metadata came or did not.
pub fn grounding(response: &Response, came: bool) -> Grounding {
    let about = &response.about;
    let searched = response.queries.iter().any(|query| query.kind.is_of_metadata());
    match () {
        () if !response.supports.is_empty() => Grounding::Given,
        () if !came => Grounding::Absent,
        () if !response.sources.is_empty() => Grounding::Given,
        () if searched || about.suggestions.is_some() => Grounding::Unattributed,
        // What there is says nothing of a search: flags, a token, the score that decides on one.
        () if about.retrieval_score.is_some()
            || about.maps_token.is_some()
            || !about.flags_unmatched.is_empty() =>
        {
            Grounding::Given
        }
        () => Grounding::Empty,
    }
}

/// What earlier metadata objects of a response sent, to know it when it comes again.
#[derive(Default, Clone)]
pub struct Sent {
    /// Supports, as far as they were needed: see `signature`.
    supports: HashSet<String>,
    /// The first support that is not among them.
    unsigned: usize,
    /// Searches of earlier frames.
    queries: HashSet<(QueryKind, String)>,
    /// The first search that is not among them.
    unlisted: usize,
    /// Sources that were sent again and counted once.
    held: Vec<Source>,
    /// They were too many to be kept.
    dropped: bool,
    /// The largest index of a source that a support names, and the first support that was not asked.
    most: Option<usize>,
    unasked: usize,
}

/// Sources sent again that are kept, in case a later index needs them.
const HELD: usize = 64;

/// The sources of the chunks of a metadata object, behind those that are there.
fn sources(
    response: &mut Response,
    sent: &mut Sent,
    chunks: Vec<GroundingChunk>,
    supports: &[GroundingSupport],
    origin: &Origin,
) {
    let mut sources = read(response, chunks, &origin.key("groundingChunks"));
    let most = most_index(response, sent, supports);
    // Counted once, these were too few: they are meant, too.
    let known = response.sources.len();
    let with_held = known + sources.len()..known + sources.len() + sent.held.len();
    if most.is_some_and(|most| with_held.contains(&most)) {
        response.sources.append(&mut sent.held);
        response.remarks.retain(|remark| remark.kind != RemarkKind::Resent);
    }
    let known = response.sources.len();
    // Where indices dangle when chunks that equal the known ones count once, and lead somewhere when they are
    // appended, they are.
    let asks_for_more = most.is_some_and(|most| (sources.len()..known + sources.len()).contains(&most))
        && !repeats(response, supports);
    let resent = known > 0
        && sources.len() >= known
        && sources.iter().zip(&response.sources).all(|(new, old)| same_source(new, old))
        && !asks_for_more;
    if resent {
        building::remark(
            response,
            RemarkKind::Resent,
            origin,
            "grounding metadata sent again: what was there already counts once",
        );
        // Some of them would be worse than none: indices would lead to others.
        // What comes with supports again is a message that was sent again.
        if sent.held.len() + known <= HELD && !sent.dropped && supports.is_empty() {
            sent.held.extend(sources.drain(..known));
        } else {
            sources.drain(..known);
            (sent.held, sent.dropped) = (Vec::new(), true);
        }
    } else if known > 0 && !sources.is_empty() {
        building::remark(
            response,
            RemarkKind::Joined,
            origin,
            "a further metadata object: its chunks were appended to the ones before",
        );
    }
    if known == 0 {
        response.sources = sources;
    } else {
        response.sources.append(&mut sources);
    }
}

fn read(response: &mut Response, chunks: Vec<GroundingChunk>, list: &Origin) -> Vec<Source> {
    let mut sources = Vec::with_capacity(chunks.len());
    for (index, chunk) in chunks.into_iter().enumerate() {
        let place = list.item(index);
        if chunk.kinds() > 1 {
            building::remark(
                response,
                RemarkKind::TwoKinds,
                &place,
                "this chunk has several kinds set; the first documented one is shown",
            );
        }
        sources.push(source(chunk, place));
    }
    sources
}

/// Whether supports begin with all that were sent before: what comes with them is the same sent again, also
/// where a further one points at nothing.
fn repeats(response: &Response, supports: &[GroundingSupport]) -> bool {
    let same = |(known, new): (&Support, &GroundingSupport)| {
        let indices = || new.indices.iter().map(|Maybe(index)| *index);
        known.segment == new.segment.clone().map(segment)
            && known.citations.iter().map(Citation::index).eq(indices())
    };
    let known = &response.supports;
    !known.is_empty() && known.len() <= supports.len() && known.iter().zip(supports).all(same)
}

/// The largest index that any support names so far.
fn most_index(response: &Response, sent: &mut Sent, supports: &[GroundingSupport]) -> Option<usize> {
    let new = supports.iter().flat_map(|support| &support.indices).filter_map(|Maybe(index)| *index);
    let before = response.supports.iter().skip(sent.unasked).flat_map(|support| &support.citations);
    let most = |indices: &mut dyn Iterator<Item = i64>| {
        indices.filter_map(|index| usize::try_from(index).ok()).max()
    };
    sent.most = sent.most.max(most(&mut before.filter_map(Citation::index)));
    sent.unasked = response.supports.len();
    sent.most.max(most(&mut { new }))
}

/// Segment and sources of a support, to know one that is sent again.
fn signature(support: &Support) -> String {
    let cited = support.citations.iter().map(|citation| (&citation.target, citation.score));
    format!("{:?} {:?}", support.segment, cited.collect::<Vec<_>>())
}

fn queries(
    response: &mut Response,
    known: &mut Sent,
    kind: QueryKind,
    list: Vec<Maybe<String>>,
    origin: &Origin,
) {
    // These kinds are called as Google's keys are.
    let base = origin.key(kind.word());
    let unlisted = response.queries.iter().skip(known.unlisted);
    let earlier = unlisted.take_while(|query| query.origin.frame != base.frame);
    let earlier: Vec<_> = earlier.map(|query| (query.kind, query.text.clone())).collect();
    known.unlisted += earlier.len();
    known.queries.extend(earlier);
    let sent = list.into_iter().enumerate().filter_map(|(index, Maybe(text))| Some((index, text?)));
    let new =
        sent.filter(|(_, text)| known.queries.is_empty() || !known.queries.contains(&(kind, text.clone())));
    let web = kind == QueryKind::Web;
    response.queries.extend(new.map(|(index, text)| Query {
        origin: base.item(index),
        text,
        kind,
        trace: None,
        web,
    }));
}

fn same_source(a: &Source, b: &Source) -> bool {
    // All but where they stand.
    let apart = |source: &Source| Source { origin: Origin::default(), ..source.clone() };
    a.kind == b.kind && a.uri == b.uri && a.title == b.title && apart(a) == apart(b)
}

/// Where a support's chunk indices stand.
static INDICES: List = List { key: "groundingChunkIndices", leaf: "" };

/// A support; indices below `sources` resolve.
pub fn support(wire: GroundingSupport, origin: Origin, sources: usize) -> Support {
    let scores_sent = (!wire.scores.is_empty()).then_some(wire.scores.len() as u32);
    let mut scores = wire.scores.into_iter();
    let citation = |(number, Maybe(index)): (usize, Maybe<i64>)| {
        let target = match index.map(usize::try_from) {
            Some(Ok(index)) if index < sources => Target::Source(index),
            _ => Target::Dangling(index.map_or_else(|| "null".into(), |index| index.to_string().into())),
        };
        let score = scores.next().and_then(|score| score.0);
        Citation { score, ..Citation::of(target, Place { list: Some(&INDICES), index: number as u32 }) }
    };
    let citations: Vec<Citation> = wire.indices.into_iter().enumerate().map(citation).collect();
    let mut segment = wire.segment.map(segment);
    if let Some(segment) = segment.as_mut().filter(|segment| segment.quote.is_none()) {
        segment.quote = wire.text;
    }
    Support { layer: Layer::GroundingSupport, citations, segment, scores_sent, origin, ..Support::default() }
}

/// Where the offsets of a segment stand.
static OFFSETS: SegmentKeys =
    SegmentKeys { holder: "segment", start: "startIndex", end: "endIndex", text: false };

fn segment(SegmentSent(wire): SegmentSent) -> Segment {
    Segment { part: wire.part, quote: wire.text, ..building::offsets(&OFFSETS, wire.start, wire.end) }
}

/// Legacy attributions: a chunk and a support in one.
pub fn attributions(response: &mut Response, list: Vec<GroundingAttribution>, origin: &Origin) {
    if list.is_empty() {
        return;
    }
    let base = origin.key("groundingAttributions");
    for (index, wire) in list.into_iter().enumerate() {
        let place = base.item(index);
        let known = KnownChunk { web: wire.web, retrieved: wire.retrieved, ..Default::default() };
        let number = response.sources.len();
        response.sources.add(source(GroundingChunk { known, ..Default::default() }, place.clone()));
        let citation =
            Citation { score: wire.score, ..Citation::of(Target::Source(number), Place::default()) };
        let segment = wire.segment.map(self::segment);
        let citations = vec![citation];
        response.supports.add(Support {
            layer: Layer::Attribution,
            segment,
            citations,
            origin: place,
            ..Support::default()
        });
    }
}
