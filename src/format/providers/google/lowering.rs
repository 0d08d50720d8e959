//! From Google's wire structs to the model: content parts, grounding metadata, safety, recitations.

use std::collections::{HashMap, HashSet};

use base64::Engine as _;
use base64::prelude::{BASE64_STANDARD, BASE64_STANDARD_NO_PAD, BASE64_URL_SAFE};
use serde_json::Value;

use super::wire;
use crate::format::building;
use crate::model::{
    About, Chunk, Citation, Ending, Label, Layer, List, Origin, Page, Part, Place, PlaceReview, Query,
    QueryKind, Recitation, RemarkKind, Response, SafetyRating, ScoreNotes, SearchResult, SearchSuggestions,
    Segment, SegmentKeys, Source, SourceKind, Support, Target, Trace, TraceRole,
};

/// Appends the parts of a piece of content. Neighbours of one kind are one part when they come in different
/// frames, as SDKs join streams; what is no text becomes a trace.
pub fn content(response: &mut Response, content: wire::Content, origin: &Origin) {
    if content.role.is_some() {
        response.role = content.role;
    }
    let parts = origin.key("parts");
    for (index, part) in content.parts.into_iter().enumerate() {
        self::part(response, part, &parts.item(index), index == 0 && origin.frame > response.origin.frame);
    }
}

fn part(response: &mut Response, part: wire::Part, origin: &Origin, continues: bool) {
    if let Some(text) = part.text {
        if part.thought == Some(true) {
            thought(response, text, origin, continues);
        } else {
            building::answer_text(response, &text, continues);
        }
        return;
    }
    response.parts.push(Part::Other);
    let trace = if let Some(call) = part.function_call.or(part.tool_call) {
        let queries = queries_of(call.args.as_ref());
        let number = response.traces.len();
        let first = response.queries.len();
        let kind = QueryKind::ToolCall;
        let list = queries.into_iter().map(|text| Query {
            origin: origin.clone(),
            text,
            kind,
            trace: Some(number),
            web: false,
        });
        response.queries.extend(list);
        Trace {
            id: call.id,
            tool: call.name,
            arguments: call.args,
            queries: (first..response.queries.len()).collect(),
            ..Trace::default()
        }
    } else if let Some(answer) = part.function_response.or(part.tool_response) {
        answered(response, answer, origin);
        return;
    } else if let Some(code) = part.code {
        let language = code.language.map_or_else(|| "code".to_owned(), |word| word.0);
        let text = SearchResult { text: code.code, title: Some(language), ..SearchResult::default() };
        Trace {
            title: Some("executable code".to_owned()),
            tool: Some("code_execution".to_owned()),
            results: vec![text],
            ..Trace::default()
        }
    } else if let Some(result) = part.code_result {
        let output = SearchResult { text: result.output, ..SearchResult::default() };
        let state = result.outcome.map(|word| word.0);
        let failed = matches!(state.as_deref(), Some("OUTCOME_FAILED" | "OUTCOME_DEADLINE_EXCEEDED"));
        Trace {
            title: Some("result of the code".to_owned()),
            tool: Some("code_execution".to_owned()),
            state,
            failed,
            results: vec![output],
            ..Trace::default()
        }
    } else if let Some(data) = part.inline {
        let kind = data.mime.unwrap_or_else(|| "unknown type".to_owned());
        Trace { title: Some(format!("inline data ({kind})")), ..Trace::default() }
    } else {
        return;
    };
    response.traces.push(Trace { origin: origin.clone(), ..trace });
}

fn thought(response: &mut Response, text: String, origin: &Origin, continues: bool) {
    if continues
        && let Some(Part::Thought(number)) = response.parts.last()
        && let Some(trace) = response.traces.get_mut(*number)
    {
        trace.thought.get_or_insert_default().push_str(&text);
        return;
    }
    response.parts.push(Part::Thought(response.traces.len()));
    response.traces.push(Trace {
        origin: origin.clone(),
        title: Some("thought".to_owned()),
        thought: Some(text),
        ..Trace::default()
    });
}

/// Joins the response of a call to its trace by id, else by name, else as a trace of its own.
fn answered(response: &mut Response, answer: wire::CallResponse, origin: &Origin) {
    let result = SearchResult { text: answer.response.as_ref().map(pretty), ..SearchResult::default() };
    let error = answer
        .response
        .as_ref()
        .and_then(|value| value.get("error"))
        .map(|error| crate::json::plain(error).into_owned());
    let open =
        |trace: &&mut Trace| trace.results.is_empty() && trace.thought.is_none() && trace.tool.is_some();
    let same =
        response.traces.iter_mut().rev().filter(open).find(|trace| {
            if answer.id.is_some() { trace.id == answer.id } else { trace.tool == answer.name }
        });
    match same {
        Some(trace) => {
            trace.results.push(result);
            trace.error = trace.error.take().or(error);
        }
        None => response.traces.push(Trace {
            origin: origin.clone(),
            id: answer.id,
            tool: answer.name,
            title: Some("response of a call".to_owned()),
            results: vec![result],
            error,
            role: TraceRole::CallResponse,
            ..Trace::default()
        }),
    }
}

/// Searches named in a call's arguments.
fn queries_of(arguments: Option<&Value>) -> Vec<String> {
    let Some(arguments) = arguments else { return Vec::new() };
    let list = ["queries", "query", "q"].iter().find_map(|key| arguments.get(key));
    match list {
        Some(Value::String(query)) => vec![query.clone()],
        Some(Value::Array(queries)) => queries.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

fn pretty(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => serde_json::to_string_pretty(other).unwrap_or_default(),
    }
}

/// Adds a metadata object. A second one is appended, unless its chunks begin with those already there: then
/// it is the same sent again, and only what is new counts.
pub fn metadata(response: &mut Response, meta: wire::GroundingMetadata, origin: &Origin) {
    let chunks = origin.key("groundingChunks");
    let mut sources: Vec<Source> = Vec::with_capacity(meta.chunks.len());
    for (index, chunk) in meta.chunks.into_iter().enumerate() {
        let place = chunks.item(index);
        if chunk.kinds() > 1 {
            building::remark(
                response,
                RemarkKind::TwoKinds,
                &place,
                "this chunk has two kinds set; the first documented one is shown",
            );
        }
        sources.push(source(chunk, place));
    }
    let known = response.sources.len();
    let resent = known > 0
        && sources.len() >= known
        && sources.iter().zip(&response.sources).all(|(new, old)| same_source(new, old));
    if resent {
        building::remark(
            response,
            RemarkKind::Resent,
            origin,
            "grounding metadata sent again: what was there already counts once",
        );
        sources.drain(..known);
    } else if known > 0 && !sources.is_empty() {
        building::remark(
            response,
            RemarkKind::Joined,
            origin,
            "a further metadata object: its chunks were appended to the ones before",
        );
    }
    response.sources.append(&mut sources);

    let supports = origin.key("groundingSupports");
    let again = response.supports.iter().any(|support| support.origin.frame != origin.frame);
    let mut there: HashSet<String> =
        if again { response.supports.iter().map(signature).collect() } else { HashSet::new() };
    response.supports.reserve(meta.supports.len());
    for (index, support) in meta.supports.into_iter().enumerate() {
        let support = self::support(support, supports.item(index), response.sources.len());
        // What an earlier frame sent counts once.
        if !again || there.insert(signature(&support)) {
            response.supports.push(support);
        }
    }
    attributions(response, meta.attributions, origin);
    for (kind, list) in [
        (QueryKind::Web, meta.web_search_queries),
        (QueryKind::Retrieval, meta.retrieval_queries),
        (QueryKind::Image, meta.image_search_queries),
    ] {
        queries(response, kind, list, origin);
    }
    if let Some(entry) = meta.entry_point.filter(|entry| entry.html.is_some() || entry.blob.is_some()) {
        response.about.suggestions = Some(suggestions(entry));
    }
    response.about.retrieval_score =
        meta.retrieval.and_then(|retrieval| retrieval.score).or(response.about.retrieval_score);
    response.about.maps_token = meta.maps_token.or(response.about.maps_token.take());
    flags(response, meta.flags);
}

/// Segment and sources of a support, to know one that is sent again.
fn signature(support: &Support) -> String {
    format!(
        "{:?} {:?}",
        support.segment,
        support.citations.iter().map(|citation| &citation.target).collect::<Vec<_>>()
    )
}

fn queries(response: &mut Response, kind: QueryKind, list: Vec<String>, origin: &Origin) {
    // These kinds are called as Google's keys are.
    let base = origin.key(kind.word());
    let earlier = |query: &&Query| query.kind == kind && query.origin.frame != base.frame;
    let known: HashSet<String> =
        response.queries.iter().filter(earlier).map(|query| query.text.clone()).collect();
    let new = list.into_iter().enumerate().filter(|(_, text)| !known.contains(text));
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
    a.kind == b.kind && a.uri == b.uri && a.title == b.title && a.chunks == b.chunks
}

/// Where a support's chunk indices stand.
static INDICES: List = List { key: "groundingChunkIndices", leaf: "" };

/// A support; indices below `sources` resolve.
pub fn support(wire: wire::GroundingSupport, origin: Origin, sources: usize) -> Support {
    let scores_sent = (!wire.scores.is_empty()).then_some(wire.scores.len());
    let mut scores = wire.scores.into_iter();
    let citation = |(number, Maybe(index)): (usize, Maybe<i64>)| {
        let target = match index.map(usize::try_from) {
            Some(Ok(index)) if index < sources => Target::Source(index),
            _ => Target::Dangling(index.map_or_else(|| "null".into(), |index| index.to_string().into())),
        };
        let score = scores.next().and_then(|score| score.0);
        Citation { score, ..Citation::of(target, Place { list: Some(&INDICES), index: number as u32 }) }
    };
    let citations = wire.indices.into_iter().enumerate().map(citation);
    Support {
        layer: Layer::GroundingSupport,
        citations: citations.collect(),
        segment: wire.segment.map(segment),
        scores_sent,
        origin,
        ..Support::default()
    }
}

use wire::Maybe;

/// Where the offsets of a segment stand.
static OFFSETS: SegmentKeys =
    SegmentKeys { holder: "segment", start: "startIndex", end: "endIndex", text: false };

fn segment(wire::Segment(wire): wire::Segment) -> Segment {
    Segment { part: wire.part, start: wire.start, end: wire.end, quote: wire.text, keys: Some(&OFFSETS) }
}

/// Legacy attributions: a chunk and a support in one.
pub fn attributions(response: &mut Response, list: Vec<wire::GroundingAttribution>, origin: &Origin) {
    let base = origin.key("groundingAttributions");
    for (index, wire) in list.into_iter().enumerate() {
        let place = base.item(index);
        let known = wire::KnownChunk { web: wire.web, retrieved: wire.retrieved, ..Default::default() };
        let number = response.sources.len();
        response.sources.push(source(wire::GroundingChunk { known, other: None }, place.clone()));
        let citation =
            Citation { score: wire.score, ..Citation::of(Target::Source(number), Place::default()) };
        let segment = wire.segment.map(self::segment);
        let citations = vec![citation];
        response.supports.push(Support {
            layer: Layer::Attribution,
            segment,
            citations,
            origin: place,
            ..Support::default()
        });
    }
}

impl wire::GroundingChunk {
    fn kinds(&self) -> usize {
        let KnownChunk { web, retrieved, maps, image } = &self.known;
        [web.is_some(), retrieved.is_some(), maps.is_some(), image.is_some(), self.other.is_some()]
            .into_iter()
            .filter(|&set| set)
            .count()
    }
}

use wire::KnownChunk;

/// A source from a chunk: of the first documented kind that is set; what further kinds hold is added to it.
pub fn source(chunk: wire::GroundingChunk, origin: Origin) -> Source {
    let blank = || Source { origin: origin.clone(), ..Source::default() };
    let KnownChunk { web, retrieved, maps, image } = chunk.known;
    let web = web.map(|web| Source {
        kind: SourceKind::Web,
        uri: web.uri,
        title: web.title,
        domain: web.domain,
        ..blank()
    });
    let retrieved = retrieved.map(|context| retrieved_context(context, blank()));
    let maps = maps.map(|maps| place(maps, blank()));
    let image = image.map(|image| Source {
        kind: SourceKind::Image,
        uri: image.uri,
        title: image.title,
        domain: image.domain,
        ..blank()
    });
    let other = chunk.other.map(|(key, value)| unknown(key, &value, blank()));
    let mut kinds = [web, retrieved, maps, image, other].into_iter().flatten();
    let first = kinds.next().unwrap_or_else(blank);
    kinds.fold(first, |mut source, more| {
        source.title = source.title.or(more.title);
        source.uri = source.uri.or(more.uri);
        source.id = source.id.or(more.id);
        source.document = source.document.or(more.document);
        source.place_id = source.place_id.or(more.place_id);
        source.chunks.extend(more.chunks);
        source.reviews.extend(more.reviews);
        source
    })
}

/// A chunk of a kind that is not documented, by the fields that most have.
fn unknown(key: String, value: &Value, mut out: Source) -> Source {
    let text = |name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
    out.title = text("title");
    out.uri = text("uri").or_else(|| text("url"));
    out.id = text("id").or_else(|| text("name"));
    out.chunks
        .extend(text("text").or_else(|| text("content")).map(|text| Chunk { text, ..Chunk::default() }));
    Source { kind: SourceKind::Unknown(key), ..out }
}

fn retrieved_context(wire: wire::RetrievedContext, mut out: Source) -> Source {
    let page = wire.page.map(|word| word.0);
    if let Some(rag) = wire.rag {
        let pages = rag.pages.and_then(|span| match (span.first, span.last) {
            (Some(first), Some(last)) if first != last => Some(format!("{first}–{last}")),
            (first, last) => first.or(last).map(|page| page.to_string()),
        });
        let name = rag.id.map(|word| word.0);
        let same = rag.text.is_none() || rag.text == wire.text;
        if same {
            out.chunks.extend(wire.text.map(|text| Chunk { text, page: pages, name, ..Chunk::default() }));
        } else {
            out.chunks.extend(wire.text.map(|text| Chunk { text, page, ..Chunk::default() }));
            out.chunks.extend(rag.text.map(|text| Chunk {
                text,
                page: pages,
                name,
                label: Some(Label::RagChunk),
                ..Chunk::default()
            }));
        }
    } else {
        out.chunks.extend(wire.text.map(|text| Chunk { text, page, ..Chunk::default() }));
    }
    Source {
        kind: SourceKind::Document,
        uri: wire.uri,
        title: wire.title,
        id: wire.document.clone(),
        document: wire.document,
        ..out
    }
}

fn place(wire: wire::Maps, mut out: Source) -> Source {
    out.chunks.extend(wire.text.map(|text| Chunk {
        text,
        label: Some(Label::PlaceAnswer),
        ..Chunk::default()
    }));
    let answers = wire.sources.unwrap_or_default();
    out.flag_uri = answers.flag;
    let review = |review: wire::ReviewSnippet| PlaceReview {
        id: review.id,
        title: review.title,
        uri: review.uri,
        text: review.text,
        flag_uri: review.flag,
    };
    out.reviews = answers.reviews.into_iter().map(review).collect();
    Source { kind: SourceKind::Place, uri: wire.uri, title: wire.title, place_id: wire.place_id, ..out }
}

/// Flagging addresses join to the place by its id, with or without `places/`, or to the review by its id.
fn flags(response: &mut Response, list: Vec<wire::SourceFlaggingUri>) {
    let bare = |id: &str| id.strip_prefix("places/").unwrap_or(id).to_owned();
    let mut places: HashMap<String, Vec<(usize, Option<usize>)>> = HashMap::new();
    for (number, source) in response.sources.iter().enumerate() {
        let place = source.place_id.iter().map(|id| (bare(id), None));
        let reviews = source
            .reviews
            .iter()
            .enumerate()
            .filter_map(|(review, entry)| Some((entry.id.clone()?, Some(review))));
        for (id, review) in place.chain(reviews) {
            places.entry(id).or_default().push((number, review));
        }
    }
    for flag in list {
        let (id, uri) = (flag.id.unwrap_or_default(), flag.uri.unwrap_or_default());
        let Some(hits) = places.get(&bare(&id)).or_else(|| places.get(&id)) else {
            response.about.flags_unmatched.push((id, uri));
            continue;
        };
        for &(source, review) in hits {
            let Some(source) = response.sources.get_mut(source) else { continue };
            let slot = match review {
                None => Some(&mut source.flag_uri),
                Some(review) => source.reviews.get_mut(review).map(|review| &mut review.flag_uri),
            };
            if let Some(slot) = slot {
                *slot = Some(uri.clone());
            }
        }
    }
}

/// The search entry point, its blob unpacked.
pub fn suggestions(entry: wire::SearchEntryPoint) -> SearchSuggestions {
    let links = entry.blob.as_deref().filter(|blob| !blob.is_empty()).map(blob_links);
    SearchSuggestions { html: entry.html, blob: entry.blob, links }
}

/// Queries and addresses of an `sdkBlob`: Base64 of JSON, whose layout is not documented; any object with a
/// query and an address counts.
fn blob_links(blob: &str) -> Result<Vec<(String, String)>, String> {
    let blob = blob.trim();
    let bytes = BASE64_STANDARD
        .decode(blob)
        .or_else(|_| BASE64_URL_SAFE.decode(blob))
        .or_else(|_| BASE64_STANDARD_NO_PAD.decode(blob));
    let bytes = bytes.map_err(|error| format!("not Base64 ({error})"))?;
    let value: Value = serde_json::from_slice(&bytes)
        .map_err(|error| format!("Base64 of something that is not JSON ({error})"))?;
    let mut links = Vec::new();
    collect_links(&value, &mut links);
    Ok(links)
}

fn collect_links(value: &Value, links: &mut Vec<(String, String)>) {
    match value {
        Value::Array(list) => list.iter().for_each(|element| collect_links(element, links)),
        Value::Object(object) => {
            let find = |words: &[&str]| {
                let hit = object.iter().find(|(key, value)| {
                    value.is_string() && words.iter().any(|word| key.to_lowercase().contains(word))
                });
                hit.and_then(|(_, value)| value.as_str()).map(str::to_owned)
            };
            match (find(&["query", "text", "term"]), find(&["uri", "url", "link"])) {
                (Some(query), Some(uri)) => links.push((query, uri)),
                _ => object.values().for_each(|inner| collect_links(inner, links)),
            }
        }
        _ => {}
    }
}

/// Words for the numbers of `HarmCategory`; 0–5 on Vertex AI and in Discovery Engine, 7–11 in the Gemini API.
const HARM: &[&str] = &[
    "HARM_CATEGORY_UNSPECIFIED",
    "HARM_CATEGORY_HATE_SPEECH",
    "HARM_CATEGORY_DANGEROUS_CONTENT",
    "HARM_CATEGORY_HARASSMENT",
    "HARM_CATEGORY_SEXUALLY_EXPLICIT",
    "HARM_CATEGORY_CIVIC_INTEGRITY",
    "6",
    "HARM_CATEGORY_HARASSMENT",
    "HARM_CATEGORY_HATE_SPEECH",
    "HARM_CATEGORY_SEXUALLY_EXPLICIT",
    "HARM_CATEGORY_DANGEROUS_CONTENT",
    "HARM_CATEGORY_CIVIC_INTEGRITY",
];
const PROBABILITY: &[&str] = &["HARM_PROBABILITY_UNSPECIFIED", "NEGLIGIBLE", "LOW", "MEDIUM", "HIGH"];
const SEVERITY: &[&str] = &[
    "HARM_SEVERITY_UNSPECIFIED",
    "HARM_SEVERITY_NEGLIGIBLE",
    "HARM_SEVERITY_LOW",
    "HARM_SEVERITY_MEDIUM",
    "HARM_SEVERITY_HIGH",
];

/// Safety ratings with the words of their enums.
pub fn safety(list: Vec<wire::SafetyRating>) -> Vec<SafetyRating> {
    let rating = |wire: wire::SafetyRating| SafetyRating {
        category: wire.category.map(|word| word.named(HARM)),
        probability: wire.probability.map(|word| word.named(PROBABILITY)),
        probability_score: wire.probability_score,
        severity: wire.severity.map(|word| word.named(SEVERITY)),
        severity_score: wire.severity_score,
        blocked: wire.blocked,
    };
    list.into_iter().map(rating).collect()
}

/// Recitations and the pages that URL context fetched.
pub fn recitations(
    about: &mut About,
    recitations: Option<wire::CitationMetadata>,
    urls: Option<wire::UrlContextMetadata>,
) {
    let recitation = |wire: wire::Recitation| Recitation {
        start: wire.start,
        end: wire.end,
        uri: wire.uri,
        title: wire.title,
        license: wire.license,
        date: wire.date.and_then(publication_date),
    };
    about.recitations.extend(recitations.into_iter().flat_map(|meta| meta.citations).map(recitation));
    let fetched = |url: wire::UrlMetadata| {
        let status = url.status.map(|word| word.0).unwrap_or_default();
        let word = status.strip_prefix("URL_RETRIEVAL_STATUS_").unwrap_or(&status);
        Page {
            uri: url.uri.unwrap_or_default(),
            failed: matches!(word, "ERROR" | "PAYWALL" | "UNSAFE"),
            status: word.to_owned(),
        }
    };
    about.fetched.extend(urls.into_iter().flat_map(|meta| meta.urls).map(fetched));
}

/// As much of a date as was sent: year, year and month, or all three.
fn publication_date(date: wire::PublicationDate) -> Option<String> {
    let year = format!("{:04}", date.year?);
    Some(match (date.month, date.day) {
        (Some(month), Some(day)) => format!("{year}-{month:02}-{day:02}"),
        (Some(month), None) => format!("{year}-{month:02}"),
        _ => year,
    })
}

/// What is documented of the scores that a model sends.
pub fn score_notes(model: Option<&str>) -> ScoreNotes {
    let version = |model: &str| model.split("gemini-").nth(1)?.split('-').next()?.parse::<f64>().ok();
    let late = model.and_then(version).is_some_and(|version| version >= 2.5);
    ScoreNotes {
        absent: Some("Gemini 2.5 and later send none"),
        ignored: late.then_some("documented as to be ignored from Gemini 2.5 on"),
        graded: None,
    }
}

/// Pieces of the addresses behind which Google hides a page: opaque, and valid for a limited time.
pub const REDIRECTS: &[&str] = &["/grounding-api-redirect/", "//vertexaisearch.cloud."];

/// What a reason to stop means.
pub fn ending(finish: Option<&str>) -> Ending {
    match finish {
        Some("MAX_TOKENS") => Ending::Cut,
        Some("SAFETY" | "PROHIBITED_CONTENT" | "BLOCKLIST" | "SPII" | "RECITATION") => Ending::Blocked,
        _ => Ending::Own,
    }
}
