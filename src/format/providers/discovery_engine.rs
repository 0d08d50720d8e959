//! Discovery Engine (Vertex AI Search) answers: `Answer`, the answerQuery envelope, streamAnswer messages,
//! whose text, citations and references accumulate until the last message replaces them. Offsets are UTF-8
//! bytes of `answerText`, int64 as strings.

use std::collections::HashMap;

use crate::format::building::{self, Bounded};
use crate::format::google::RatingSent;
use crate::format::google::{self, REDIRECTS};
use crate::format::interface::{self, Boundary, Format, FrameGroup, begin, read};
use crate::format::map::lists_besides;
use crate::json::Peek;
use crate::json::values::{Whole, Word};
use crate::json::wire::{Cx, wire};
use crate::model::{
    AnswerState, Chunk, Citation, Facts, Grade, JsonText, Layer, Link, List, Origin, Part, Place, Query,
    QueryKind, RemarkKind, Response, ScoreNotes, SearchResult, SegmentKeys, Source, SourceKind, Support,
    Target, Trace,
};

pub const FORMAT: Format = Format {
    id: "discovery-answer",
    vendor: "Google",
    short: "Discovery Engine",
    name: "Discovery Engine (Vertex AI Search) answer",
    reads: "Answer, the answerQuery envelope, streamAnswer arrays and lines",
    offsets: "UTF-8 bytes; no quotes: where the ends fall tells the unit",
    facts: Facts {
        cited_layer: Some(Layer::Citation),
        redirects: REDIRECTS,
        reasons: REASONS,
        ..Facts::NONE
    },
    scores: |_| ScoreNotes { graded: Some(Layer::GroundingSupport), ..ScoreNotes::NONE },
    recognise,
    group,
    fold: begin::<Stream>,
    samples: &[
        sample!(
            "discovery-answer.json",
            "Discovery Engine, `answerQuery`",
            "citations beside scored grounding supports, a greeting that needs no check, search steps \
             with what they found"
        ),
        sample!(
            "discovery-stream.json",
            "Discovery Engine, `streamAnswer`",
            "steps, references, text and citations in turn; the last message repeats the whole answer"
        ),
        sample!(
            "discovery-skipped.json",
            "Discovery Engine, `answerQuery`",
            "no answer: the query was classified as small talk"
        ),
        sample!(
            "all-fields-answer.json",
            "Discovery Engine answer resource",
            "every documented field of an answer, with all three kinds of reference"
        ),
    ],
    ..Format::PLAIN
};

/// What the reasons for an answer that was skipped mean.
const REASONS: &[(&str, &str)] = &[
    ("ADVERSARIAL_QUERY_IGNORED", "the query was judged adversarial and ignored"),
    ("NON_ANSWER_SEEKING_QUERY_IGNORED", "the query seeks no answer (small talk) and was ignored"),
    ("NON_ANSWER_SEEKING_QUERY_IGNORED_V2", "the query has no clear intent and was ignored"),
    ("OUT_OF_DOMAIN_QUERY_IGNORED", "the query is out of domain: no search result was relevant enough"),
    ("POTENTIAL_POLICY_VIOLATION", "a policy may be violated (violent or toxic content)"),
    ("NO_RELEVANT_CONTENT", "the search results hold nothing relevant"),
    ("JAIL_BREAKING_QUERY_IGNORED", "the query was judged a jailbreak attempt and ignored"),
    ("CUSTOMER_POLICY_VIOLATION", "a policy of the customer is violated"),
    ("LOW_GROUNDED_ANSWER", "no well-grounded answer could be made"),
    (
        "USER_DEFINED_CLASSIFICATION_QUERY_IGNORED",
        "the query fell into a class that the user defined, and was ignored",
    ),
    ("UNHELPFUL_ANSWER", "the answer was judged unhelpful"),
];

wire! {
    struct Envelope {
        answer: Option<Answer> = "answer";
    }

    struct Answer {
        name: Option<String> = "name";
        state: Option<Word> = "state", extra;
        text: Option<String> = "answerText";
        citations: Vec<AnswerCitation> = "citations";
        supports: Vec<AnswerCitation> = "groundingSupports";
        references: Vec<Reference> = "references";
        related: Vec<String> = "relatedQuestions";
        steps: Vec<Step> = "steps";
        understanding: Option<QueryUnderstandingInfo> = "queryUnderstandingInfo";
        skipped: Vec<Word> = "answerSkippedReasons";
        created: Option<String> = "createTime";
        completed: Option<String> = "completeTime";
        safety: Vec<RatingSent> = "safetyRatings";
        score: Option<f64> = "groundingScore";
    }

    /// A citation, or a grounding support with its score.
    struct AnswerCitation takes 1536 whole [] {
        start: Option<Whole> = "startIndex";
        end: Option<Whole> = "endIndex";
        sources: Vec<CitationSource> = "sources";
        score: Option<f64> = "groundingScore";
        required: Option<bool> = "groundingCheckRequired";
    }

    struct CitationSource whole [] {
        id: Option<Word> = "referenceId";
    }

    struct Reference takes 2560 whole [] {
        unstructured: Option<Box<DocumentInfo>> = "unstructuredDocumentInfo";
        chunk: Option<Box<ChunkInfo>> = "chunkInfo";
        structured: Option<Box<DocumentInfo>> = "structuredDocumentInfo";
    }

    struct DocumentInfo whole [] {
        document: Option<String> = "document";
        uri: Option<String> = "uri";
        title: Option<String> = "title";
        page: Option<Word> = "pageIdentifier";
        chunks: Vec<ChunkContent> = "chunkContents";
        data: Option<JsonText> = "structData";
    }

    struct ChunkContent {
        text: Option<String> = "content";
        page: Option<Word> = "pageIdentifier";
        score: Option<f64> = "relevanceScore";
    }

    struct ChunkInfo takes 1472 whole [] {
        name: Option<String> = "chunk";
        text: Option<String> = "content";
        score: Option<f64> = "relevanceScore";
        document: Option<DocumentInfo> = "documentMetadata";
    }

    struct Step takes 1152 whole [] {
        state: Option<Word> = "state";
        description: Option<String> = "description";
        thought: Option<String> = "thought";
        actions: Vec<Action> = "actions";
    }

    struct Action takes 2304 {
        search: Option<SearchAction> = "searchAction";
        observation: Option<Observation> = "observation";
    }

    struct SearchAction {
        query: Option<String> = "query";
    }

    struct Observation {
        results: Vec<ObservedResult> = "searchResults";
    }

    struct ObservedResult takes 2560 whole [] {
        document: Option<String> = "document";
        uri: Option<String> = "uri";
        title: Option<String> = "title";
        snippets: Vec<SnippetInfo> = "snippetInfo";
        chunks: Vec<ChunkInfo> = "chunkInfo";
        data: Option<JsonText> = "structData";
    }

    struct SnippetInfo takes 1664 {
        text: Option<String> = "snippet";
        status: Option<Word> = "snippetStatus";
    }

    struct QueryUnderstandingInfo {
        classes: Vec<QueryClassificationInfo> = "queryClassificationInfo";
    }

    struct QueryClassificationInfo {
        kind: Option<Word> = "type";
        positive: Option<bool> = "positive";
    }
}

const STATES: &[&str] = &["STATE_UNSPECIFIED", "IN_PROGRESS", "FAILED", "SUCCEEDED", "STREAMING"];
const SKIPPED: &[&str] = &[
    "ANSWER_SKIPPED_REASON_UNSPECIFIED",
    "ADVERSARIAL_QUERY_IGNORED",
    "NON_ANSWER_SEEKING_QUERY_IGNORED",
    "OUT_OF_DOMAIN_QUERY_IGNORED",
    "POTENTIAL_POLICY_VIOLATION",
    "NO_RELEVANT_CONTENT",
    "JAIL_BREAKING_QUERY_IGNORED",
    "CUSTOMER_POLICY_VIOLATION",
    "NON_ANSWER_SEEKING_QUERY_IGNORED_V2",
    "LOW_GROUNDED_ANSWER",
    "USER_DEFINED_CLASSIFICATION_QUERY_IGNORED",
    "UNHELPFUL_ANSWER",
];
const CLASSES: &[&str] = &[
    "TYPE_UNSPECIFIED",
    "ADVERSARIAL_QUERY",
    "NON_ANSWER_SEEKING_QUERY",
    "JAIL_BREAKING_QUERY",
    "NON_ANSWER_SEEKING_QUERY_V2",
    "USER_DEFINED_CLASSIFICATION_QUERY",
];

fn is_answer(peek: &Peek) -> bool {
    let telling = [
        "steps",
        "references",
        "answerSkippedReasons",
        "relatedQuestions",
        "queryUnderstandingInfo",
        "groundingSupports",
        "citations",
    ];
    let named = peek.word("name").is_some_and(|name| name.contains("/answers/"));
    let known = peek.word("state").is_some_and(|state| STATES.contains(&Word(state).named(STATES).as_str()));
    peek.has("answerText") && !is_ones_own(peek)
        || peek.has("answerSkippedReasons")
        || known && (named || peek.has_any(&telling))
        || named && peek.has_any(&telling)
}

/// Whether what has such a text is a JSON of one's own: other lists stand beside it, or its citations name no
/// sources as these do.
fn is_ones_own(peek: &Peek) -> bool {
    let cites = |cite: &Peek| cite.has_any(&["startIndex", "endIndex", "sources"]);
    peek.first("citations").is_some_and(|cite| !cites(&cite))
        || lists_besides(peek.kinds(), &["citations", "references"])
}

/// Whether a frame is one of it.
pub fn recognise(peek: &Peek) -> bool {
    is_answer(peek)
        || peek.below("answer").is_some_and(|answer| is_answer(&answer))
        || peek.has("answerQueryToken")
}

fn group(peek: &Peek) -> FrameGroup {
    let answer = peek.below("answer");
    let state = answer
        .as_ref()
        .unwrap_or(peek)
        .word("state")
        .map(|state| Word(state).named(STATES))
        .unwrap_or_default();
    let boundary = match state.as_str() {
        "STREAMING" | "IN_PROGRESS" => Boundary::Continues,
        // A token for the next question may come behind the answer.
        "" if answer.is_none() && !is_answer(peek) => Boundary::WithPrevious,
        _ => Boundary::EndsRun,
    };
    FrameGroup::Stream { id: None, boundary }
}

/// The answer so far.
#[derive(Default, Clone)]
struct Stream {
    response: Response,
    frames: u32,
    state: String,
}

impl interface::FoldState for Stream {
    fn push(&mut self, frame: u32, text: &str, cx: &Cx) -> Result<(), serde_json::Error> {
        let root = building::root(frame);
        if Peek::of(text, &["answerText"]).has("answerText")
            || Peek::of(text, &["answer"]).kind("answer") != Some('{')
        {
            self.answer(read(text, cx)?, &root, cx);
        } else {
            let envelope: Envelope = read(text, cx)?;
            self.answer(envelope.answer.unwrap_or_default(), &root.key("answer"), cx);
        }
        self.frames = frame + 1;
        Ok(())
    }

    fn finish(self) -> Vec<Response> {
        let Self { mut response, state, .. } = self;
        response.state = match state.as_str() {
            "FAILED" => AnswerState::Error,
            "STREAMING" | "IN_PROGRESS" => AnswerState::Partial,
            _ if !response.about.skipped.is_empty() => AnswerState::Skipped,
            _ => AnswerState::Complete,
        };
        if !state.is_empty() {
            response.finish = Some(state);
        }
        // Of the two layers the citations come first; in a stream they arrive mixed.
        response.supports.sort_by_key(|support| support.layer != Layer::Citation);
        building::settle(&mut response);
        join_results(&mut response);
        vec![response]
    }
}

impl Stream {
    fn answer(&mut self, wire: Answer, origin: &Origin, cx: &Cx) {
        let state = wire.state.map(|word| word.named(STATES)).unwrap_or_default();
        let last = !matches!(state.as_str(), "STREAMING" | "IN_PROGRESS");
        let response = &mut self.response;
        if self.frames == 0 {
            response.origin = origin.clone();
        }
        let snapshot = self.frames > 0 && last && wire.text.as_deref().is_some_and(|text| !text.is_empty());
        if snapshot {
            let cites = !wire.citations.is_empty() || !wire.supports.is_empty();
            replace_pieces(response, wire.text.as_ref(), cites, origin);
        }
        if let Some(text) = wire.text.filter(|text| !text.is_empty() || self.frames == 0) {
            building::answer_text(response, &text, true);
            response.parts = vec![Part::Text(0..response.text().len())];
        }
        if !wire.references.is_empty() {
            references(response, wire.references, &origin.key("references"), last);
        }
        if !wire.steps.is_empty() {
            response.traces.clear();
            response.queries.clear();
            steps(response, wire.steps, &origin.key("steps"), cx);
        }
        let layers = [
            (Layer::Citation, "citations", wire.citations),
            (Layer::GroundingSupport, "groundingSupports", wire.supports),
        ];
        for (layer, key, list) in layers {
            let base = origin.key(key);
            response.supports.extend(
                list.into_iter().enumerate().map(|(index, wire)| support(wire, layer, base.item(index))),
            );
        }
        if !state.is_empty() {
            self.state = state;
        }
        response.id = wire.name.or(response.id.take());
        let about = &mut response.about;
        about.created = wire.created.or(about.created.take());
        about.completed = wire.completed.or(about.completed.take());
        about.grounding_score = wire.score.or(about.grounding_score);
        replace(&mut about.related, wire.related);
        replace(&mut about.safety, google::safety(wire.safety));
        replace(&mut about.skipped, wire.skipped.iter().map(|word| word.named(SKIPPED)).collect());
        let class = |class: QueryClassificationInfo| {
            (class.kind.map(|word| word.named(CLASSES)).unwrap_or_default(), class.positive)
        };
        replace(
            &mut about.query_classes,
            wire.understanding.unwrap_or_default().classes.into_iter().map(class).collect(),
        );
    }
}

/// The last message is the whole answer: it takes the place of what came in pieces.
fn replace_pieces(response: &mut Response, whole: Option<&String>, cites: bool, origin: &Origin) {
    if response.answer.as_ref() != whole {
        building::edited(response, origin);
    } else if !cites && !response.supports.is_empty() {
        building::uncited(response, origin);
    }
    response.answer = None;
    response.parts.clear();
    response.supports.clear();
}

fn replace<T>(list: &mut Vec<T>, new: Vec<T>) {
    if !new.is_empty() {
        *list = new;
    }
}

/// Where the offsets of a support stand.
static OFFSETS: SegmentKeys = SegmentKeys { holder: "", start: "startIndex", end: "endIndex", text: true };

/// Where a citation's reference stands.
static SOURCES: List = List { key: "sources", leaf: "referenceId" };

fn support(wire: AnswerCitation, layer: Layer, origin: Origin) -> Support {
    let citation = |(number, source): (usize, CitationSource)| {
        Citation::of(
            Target::Dangling(source.id.map_or_else(|| "null".into(), |word| word.0.into())),
            Place { list: Some(&SOURCES), index: number as u32 },
        )
    };
    Support {
        layer,
        segment: Some(building::offsets(&OFFSETS, wire.start, wire.end)),
        grade: Grade::new(wire.score, wire.required),
        citations: wire.sources.into_iter().enumerate().map(citation).collect(),
        origin,
        ..Support::default()
    }
}

/// References accumulate over a stream; the last message replaces them.
fn references(response: &mut Response, references: Vec<Reference>, base: &Origin, replaces: bool) {
    if replaces {
        response.sources.clear();
    }
    for (index, reference) in references.into_iter().enumerate() {
        let origin = base.item(index);
        let kinds =
            [reference.unstructured.is_some(), reference.chunk.is_some(), reference.structured.is_some()];
        if kinds.into_iter().filter(|&set| set).count() > 1 {
            building::remark(
                response,
                RemarkKind::TwoKinds,
                &origin,
                "this reference has several kinds set; the chunk is shown",
            );
        }
        response.sources.add(source(reference, origin));
    }
}

fn source(reference: Reference, origin: Origin) -> Source {
    let (info, chunks) = match (reference.chunk, reference.unstructured, reference.structured) {
        (Some(chunk), _, _) => {
            let mut info = Box::new(chunk.document.unwrap_or_default());
            let page = info.page.take().map(|word| word.0);
            let score = chunk.score;
            (
                info,
                vec![Chunk {
                    text: chunk.text.unwrap_or_default(),
                    page,
                    score,
                    name: chunk.name,
                    ..Chunk::default()
                }],
            )
        }
        (None, Some(mut info), _) => {
            let page = info.page.take().map(|word| word.0);
            let chunk = |content: ChunkContent| Chunk {
                text: content.text.unwrap_or_default(),
                page: content
                    .page
                    .map(|word| word.0)
                    .filter(|page| !page.is_empty())
                    .or_else(|| page.clone()),
                score: content.score,
                ..Chunk::default()
            };
            let chunks = std::mem::take(&mut info.chunks).into_iter().map(chunk).collect();
            (info, chunks)
        }
        (None, None, Some(info)) => (info, Vec::new()),
        (None, None, None) => return Source { origin, ..Source::default() },
    };
    Source {
        origin,
        kind: SourceKind::Document,
        id: info.document.clone(),
        title: info.title,
        uri: info.uri,
        document: info.document,
        struct_data: info.data,
        chunks: chunks.into_iter().filter(|chunk| *chunk != Chunk::default()).collect(),
        ..Source::default()
    }
}

/// A step is a trace; of its search actions the first is told in it, each further one is a trace of its own.
fn steps(response: &mut Response, list: Vec<Step>, base: &Origin, cx: &Cx) {
    for (index, step) in list.into_iter().enumerate() {
        let origin = base.item(index);
        let state = step.state.map(|word| word.named(STATES));
        let mut trace = Trace {
            origin: origin.clone(),
            failed: state.as_deref() == Some("FAILED"),
            state,
            description: step.description,
            thought: step.thought,
            ..Trace::default()
        };
        let actions = origin.key("actions");
        for (number, action) in step.actions.into_iter().enumerate() {
            let place = actions.item(number);
            if number > 0 {
                response
                    .traces
                    .push(std::mem::replace(&mut trace, Trace { origin: place.clone(), ..Trace::default() }));
            }
            trace.tool = Some("search".to_owned());
            if let Some(text) = action.search.and_then(|search| search.query) {
                trace.queries.push(response.queries.len());
                response.queries.push(Query {
                    origin: place,
                    text,
                    kind: QueryKind::SearchAction,
                    trace: Some(response.traces.len()),
                    web: false,
                });
            }
            let found = action.observation.unwrap_or_default().results;
            trace.results.extend(found.into_iter().flat_map(|result| results(result, cx)));
        }
        response.traces.add(trace);
    }
}

/// One result as rows: a row a chunk and a snippet. Chunks mean that whole chunks were cited, snippets
/// documents.
fn results(wire: ObservedResult, cx: &Cx) -> Vec<SearchResult> {
    let base = SearchResult {
        title: wire.title,
        uri: wire.uri,
        document: wire.document,
        struct_data: wire.data,
        ..SearchResult::default()
    };
    let copies = (wire.chunks.len() + wire.snippets.len()).saturating_sub(1);
    let data = base.struct_data.as_ref().filter(|_| copies > 0).map(JsonText::to_string);
    let shared = [base.title.as_ref(), base.uri.as_ref(), base.document.as_ref(), data.as_ref()];
    if !building::takes_copies(cx, copies, &shared) {
        return vec![base];
    }
    let chunks = wire.chunks.into_iter().map(|chunk| SearchResult {
        chunk: chunk.name,
        text: chunk.text,
        score: chunk.score,
        status: Some("chunk-level".to_owned()),
        ..base.clone()
    });
    let snippets = wire.snippets.into_iter().map(|snippet| SearchResult {
        text: snippet.text,
        status: Some(
            snippet
                .status
                .map_or_else(|| "document-level".to_owned(), |word| format!("document-level, {}", word.0)),
        ),
        ..base.clone()
    });
    let rows = chunks.chain(snippets).enumerate();
    let rows: Vec<SearchResult> =
        rows.map(|(number, row)| SearchResult { further: number > 0, ..row }).collect();
    if rows.is_empty() { vec![base] } else { rows }
}

/// Joins results to references by chunk, else document, else address, and citations to the trace that found
/// them.
fn join_results(response: &mut Response) {
    // The first source that has each.
    let (mut chunks, mut documents, mut uris) = (HashMap::new(), HashMap::new(), HashMap::new());
    for (number, source) in response.sources.iter().enumerate() {
        for name in source.chunks.iter().filter_map(|chunk| chunk.name.as_deref()) {
            chunks.entry(name).or_insert(number);
        }
        source.document.as_deref().map(|document| documents.entry(document).or_insert(number));
        source.uri.as_deref().map(|uri| uris.entry(uri).or_insert(number));
    }
    let find = |known: &HashMap<&str, usize>, word: &Option<String>| known.get(word.as_deref()?).copied();
    for result in response.traces.iter_mut().flat_map(|trace| &mut trace.results) {
        let by_chunk = find(&chunks, &result.chunk);
        let source = by_chunk.or_else(|| find(&documents, &result.document));
        result.source = source.or_else(|| find(&uris, &result.uri));
    }
    let mut finder = vec![None; response.sources.len()];
    for (number, trace) in response.traces.iter().enumerate() {
        for source in trace.results.iter().filter_map(|result| result.source) {
            if let Some(slot) = finder.get_mut(source) {
                slot.get_or_insert(number);
            }
        }
    }
    for citation in response.supports.iter_mut().flat_map(|support| &mut support.citations) {
        let trace = citation.target.source().and_then(|source| finder.get(source).copied().flatten());
        citation.link = trace.map(|trace| Box::new(Link { trace: Some(trace), ..Link::default() }));
    }
}
