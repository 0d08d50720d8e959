//! Streams of Bigdata.com's Research Agent and Workflows, both dialects. ANSWER contents join byte for byte;
//! offsets are code points over the whole, and each end points behind a blank reserved before the closing
//! punctuation.

use std::collections::{HashMap, HashSet};

use super::bigdata_join::join_traces;
use crate::format::building::{self, Bounded};
use crate::format::interface::{self, Boundary, Format, FrameGroup, begin, read};
use crate::json::Peek;
use crate::json::values::{Whole, Word};
use crate::json::wire::{Cx, wire};
use crate::model::{
    Chunk, Citation, Facts, Failure, JsonText, Layer, Link, LinkForm, Origin, Place, Proof, Query, QueryKind,
    RemarkKind, Response, SearchResult, SegmentKeys, Source, SourceKind, Support, Target, Trace, TraceRole,
    Unit,
};

pub const FORMAT: Format = Format {
    id: "bigdata",
    vendor: "Bigdata.com",
    short: "Bigdata",
    name: "Bigdata.com Research Agent and Workflow streams",
    reads: "SSE, lines, arrays, one object; both dialects",
    offsets: "characters; blanks reserved before punctuation prove them",
    recognise: |peek| message(peek).is_some(),
    group,
    fold: begin::<Run>,
    note_cut,
    facts: Facts { links: LinkForm::Named, ..Facts::NONE },
    samples: &[
        sample!(
            "bigdata-research.sse",
            "Bigdata Research Agent",
            "a whole run: plan, searches, a tool that fails once, a retry, references to documents, to a \
             web page and to a tool, a chart"
        ),
        sample!(
            "bigdata-workflow.sse",
            "Bigdata Workflow",
            "the same messages in the other envelope, a structured output, emoji and Polish names before \
             the offsets"
        ),
        sample!(
            "all-fields-bigdata.sse",
            "Bigdata streams",
            "every documented message and field: a Research Agent run, the older dialect and a Workflow \
             that ends with an error"
        ),
    ],
    ..Format::PLAIN
};

/// Where the offsets of a support stand.
static OFFSETS: SegmentKeys = SegmentKeys { holder: "", start: "start", end: "end", text: false };

wire! {
    struct Envelope {
        chat: Option<Word> = "chatId";
        request: Option<Word> = "requestId", extra;
        execution: Option<Word> = "executionId";
        message: Option<Message> = "message" | "delta";
    }

    struct Message {
        kind: Option<String> = "type", kept;
        role: Option<String> = "role";
        id: Option<Word> = "messageId", extra;
        content: Option<JsonText> = "content";
        plan: Option<Plan> = "plan", extra;
        tool: Option<String> = "toolName";
        arguments: Option<JsonText> = "toolArguments";
        audits: Vec<Audit> = "auditTraces";
        references: Vec<Reference> = "references";
        text: Option<String> = "message";
        error: Option<JsonText> = "error";
        code: Option<Word> = "code" | "errorCode";
        chart_id: Option<Word> = "chartId", extra;
        title: Option<String> = "title", extra;
    }

    struct Plan {
        title: Option<String> = "title";
        steps: Vec<PlanStep> = "steps";
    }

    struct PlanStep {
        description: Option<String> = "description";
        status: Option<Word> = "status";
    }

    pub struct Audit takes 5120 whole [] {
        kind: Option<String> = "auditType";
        id: Option<Word> = "toolId";
        title: Option<String> = "title";
        query: Option<JsonText> = "query";
        content: Option<JsonText> = "content";
        results: Vec<ResultGroup> = "results";
    }

    pub struct ResultGroup takes 4608 {
        kind: Option<String> = "type";
        values: Vec<Document> = "values";
    }

    pub struct Reference takes 6144 whole [] {
        start: Option<Whole> = "start";
        end: Option<Whole> = "end";
        tool: Option<String> = "toolName";
        audit: Option<Word> = "auditId" | "actionAuditsId";
        source: Option<Document> = "source";
    }

    pub struct Document takes 2816 whole [] {
        kind: Option<String> = "type", kept;
        id: Option<Word> = "id";
        headline: Option<String> = "hd";
        publisher: Option<String> = "srcName";
        time: Option<String> = "ts", kept;
        uri: Option<String> = "url";
        chunks: Vec<DocumentChunk> = "chunks";
        text: Option<String> = "text";
        relevance: Option<f64> = "relevance";
        action: Option<ExternalAction> = "action";
    }

    pub struct DocumentChunk takes 2560 whole [] {
        id: Option<Word> = "id", extra;
        number: Option<Word> = "cnum";
        text: Option<String> = "text";
        relevance: Option<f64> = "relevance";
    }

    pub struct ExternalAction {
        name: Option<String> = "name";
        uri: Option<String> = "url";
        headline: Option<String> = "hd", kept;
        time: Option<String> = "ts";
    }
}

const TYPES: &[&str] = &[
    "PLANNING",
    "THINKING",
    "ACTION",
    "AUDIT",
    "GROUNDING",
    "ANSWER",
    "STRUCTURED_OUTPUT",
    "LLM_RETRY",
    "TOOL_ERROR",
    "ERROR",
    "COMPLETE",
    "CHART",
];

/// The message of a frame, if it is one of ours, and the id of its run.
fn message<'a>(peek: &Peek<'a>) -> Option<(Peek<'a>, Option<String>)> {
    let (inner, id) = if let (Some(message), Some(chat)) = (peek.below("message"), peek.word("chatId")) {
        (message, Some(chat))
    } else {
        let delta = peek.below("delta").filter(|_| peek.has_any(&["executionId", "requestId"]))?;
        (delta, peek.word("executionId").or_else(|| peek.word("requestId")))
    };
    let named = match inner.kind("type") {
        Some('"') => inner.word("type")?.chars().all(|c| c.is_ascii_uppercase() || c == '_'),
        // A type that is no text still stands in the run: what the message holds is kept with it.
        Some(_) => true,
        None => inner.has_any(&["auditTraces", "references", "plan"]),
    };
    named.then_some((inner, id))
}

fn group(peek: &Peek) -> FrameGroup {
    let (message, id) = message(peek).map_or((None, None), |(message, id)| (Some(message), id));
    let kind = message.and_then(|message| message.word("type")).unwrap_or_default();
    let boundary = match kind.as_str() {
        "COMPLETE" => Boundary::ClosesPrevious,
        "ERROR" => Boundary::EndsRun,
        _ => Boundary::Continues,
    };
    FrameGroup::Stream { id, boundary }
}

/// What ends a run.
const END: &str = "COMPLETE or ERROR";

/// One message may have been logged by itself; as an event it begins a run.
fn note_cut(responses: &mut [Response], frames: &[&str]) {
    let kind = |frame| message(&Peek::of(frame, &[])).and_then(|(message, _)| message.word("type"));
    if let ([frame], [run]) = (frames, responses)
        && !matches!(kind(frame).as_deref(), Some("COMPLETE" | "ERROR"))
    {
        building::cut_off(run, 1, END);
    }
}

/// A run so far.
#[derive(Default, Clone)]
struct Run {
    response: Response,
    library: Library,
    /// The plan as it was last sent.
    plan: Option<(Plan, Origin)>,
    /// The traces of actions that searched, and what for.
    actions: Vec<(usize, String)>,
    /// The thoughts that were just read, by the ids of their messages: several may take turns.
    thoughts: HashMap<String, usize>,
    ended: bool,
    frames: u32,
}

impl interface::FoldState for Run {
    fn push(&mut self, frame: u32, text: &str, cx: &Cx) -> Result<(), serde_json::Error> {
        let envelope: Envelope = read(text, cx)?;
        let key = if envelope.chat.is_some() { "message" } else { "delta" };
        let root = building::root(frame);
        let response = &mut self.response;
        if self.frames == 0 {
            response.origin = root.clone();
            (response.unit, response.proof) = (Unit::Characters, Proof::Slots);
        }
        self.frames = frame + 1;
        response.id = envelope.chat.or(envelope.execution).map(|word| word.0).or(response.id.take());
        self.message(envelope.message.unwrap_or_default(), &root.key(key), cx);
        Ok(())
    }

    fn holds(&self) -> usize {
        building::holds(&self.response)
    }

    fn finish(mut self) -> Vec<Response> {
        self.settle_plan();
        self.settle_queries();
        if !self.ended && self.frames > 1 {
            building::cut_off(&mut self.response, self.frames, END);
        }
        join_traces(&mut self.response);
        vec![self.response]
    }
}

impl Run {
    fn message(&mut self, wire: Message, origin: &Origin, cx: &Cx) {
        let kind = wire.kind.clone().unwrap_or_default();
        // A survey asks what is read and listed, not what is made of it.
        if cx.surveys() && kind != "STRUCTURED_OUTPUT" {
            return;
        }
        if kind != "THINKING" {
            self.thoughts.clear();
        }
        let response = &mut self.response;
        response.role = wire.role.or(response.role.take());
        let content = wire.content.as_ref().filter(|_| ["ANSWER", "THINKING"].contains(&kind.as_str()));
        let text = building::text_of(response, content, &origin.key("content"));
        match kind.as_str() {
            "ANSWER" => building::answer_text(response, &text, true),
            "GROUNDING" => self.references(wire.references, &origin.key("references")),
            "AUDIT" => self.audits(wire.audits, &origin.key("auditTraces"), cx),
            "PLANNING" => self.plan = wire.plan.map(|plan| (plan, origin.key("plan"))).or(self.plan.take()),
            "THINKING" => self.thought(text, wire.id.map(|word| word.0), origin),
            "ACTION" => self.action(wire.tool, wire.arguments, origin),
            "STRUCTURED_OUTPUT" => {
                if let Some(value) = wire.content {
                    response.about.structured = serde_json::to_string_pretty(&value).ok();
                    cx.list(origin.key("content").path, value);
                }
            }
            "LLM_RETRY" => retried(response, wire.text, origin),
            "TOOL_ERROR" => tool_failed(response, wire.tool.unwrap_or_default(), wire.error.as_ref(), origin),
            "ERROR" => {
                let words = wire.text.map(JsonText::from).or(wire.content).filter(|_| wire.error.is_none());
                self.failed(wire.error.or(words), wire.code, origin);
            }
            "COMPLETE" => self.ended = true,
            "CHART" => {
                let id = wire.chart_id.map(|word| word.0).unwrap_or_default();
                response.about.charts.push((id, wire.title.unwrap_or_default()));
            }
            _ => {
                let known = TYPES.join(", ");
                let words = match kind.as_str() {
                    "" => format!("a message without a type ({known})"),
                    kind => format!("message type {kind:?} is not documented ({known})"),
                };
                building::remark(response, RemarkKind::UnknownKind, origin, &words);
            }
        }
    }

    fn failed(&mut self, error: Option<JsonText>, code: Option<Word>, origin: &Origin) {
        let message = error.as_ref().map(|error| error.get("message").as_ref().unwrap_or(error).plain());
        let inner = error.as_ref().and_then(|error| error.get("code")).map(|code| code.plain());
        let code = inner.or(code.map(|code| code.0));
        self.ended = true;
        building::failed(&mut self.response, Failure { code, message }, origin);
    }

    fn thought(&mut self, text: String, id: Option<String>, origin: &Origin) {
        let traces = &mut self.response.traces;
        let begun = id.as_ref().and_then(|id| traces.get_mut(*self.thoughts.get(id)?)?.thought.as_mut());
        if let Some(thought) = begun {
            thought.push_str(&text);
            return;
        }
        let role = if id.is_some() { TraceRole::Step } else { TraceRole::Piece };
        self.thoughts.extend(id.map(|id| (id, traces.len())));
        let title = Some("thought".to_owned());
        traces.push(Trace { origin: origin.clone(), title, thought: Some(text), role, ..Trace::default() });
    }

    fn action(&mut self, tool: Option<String>, arguments: Option<JsonText>, origin: &Origin) {
        let query =
            arguments.as_ref().and_then(|arguments| arguments.get("query").or_else(|| arguments.get("text")));
        let query = query.and_then(|query| query.to_text());
        self.actions.extend(query.map(|query| (self.response.traces.len(), query)));
        self.response.traces.add(Trace { origin: origin.clone(), tool, arguments, ..Trace::default() });
    }

    fn audits(&mut self, audits: Vec<Audit>, base: &Origin, cx: &Cx) {
        for (index, audit) in audits.into_iter().enumerate() {
            let origin = base.item(index);
            self.library.audit(&mut self.response, audit, &origin, cx);
        }
    }

    fn references(&mut self, references: Vec<Reference>, base: &Origin) {
        for (index, reference) in references.into_iter().enumerate() {
            self.library.reference(&mut self.response, reference, base.item(index));
        }
    }

    /// The whole plan is resent on each change: the last one stands.
    fn settle_plan(&mut self) {
        let Some((plan, origin)) = self.plan.take() else { return };
        let step = |step: PlanStep| SearchResult {
            title: step.description,
            status: step.status.map(|word| word.0),
            ..SearchResult::default()
        };
        let results = plan.steps.into_iter().map(step).collect();
        let title = plan.title.map_or_else(|| "plan".to_owned(), |title| format!("plan: {title}"));
        self.response.traces.add(Trace { origin, title: Some(title), results, ..Trace::default() });
    }

    /// Queries of actions count where no audit tells of the same search.
    fn settle_queries(&mut self) {
        let response = &mut self.response;
        let actions = std::mem::take(&mut self.actions);
        let mut known: HashSet<&str> = response.queries.iter().map(|query| query.text.as_str()).collect();
        let is_new: Vec<bool> = actions.iter().map(|(_, text)| known.insert(text)).collect();
        let new = actions.into_iter().zip(is_new).filter_map(|(action, is_new)| is_new.then_some(action));
        for (trace, text) in new {
            let Some(owner) = response.traces.get_mut(trace) else { continue };
            owner.queries = vec![response.queries.len()];
            response.queries.push(Query {
                origin: owner.origin.clone(),
                text,
                kind: QueryKind::Action,
                trace: Some(trace),
                web: false,
            });
        }
    }
}

fn retried(response: &mut Response, text: Option<String>, origin: &Origin) {
    let text = text.filter(|text| !text.trim().is_empty());
    let text = text.unwrap_or_else(|| "the model was asked again".to_owned());
    building::remark(response, RemarkKind::Retry, origin, &text);
    response.traces.add(Trace {
        origin: origin.clone(),
        title: Some("retry of the model".to_owned()),
        description: Some(text),
        ..Trace::default()
    });
}

fn tool_failed(response: &mut Response, tool: String, error: Option<&JsonText>, origin: &Origin) {
    let text = error.map_or_else(|| "no message".to_owned(), JsonText::plain);
    building::remark(response, RemarkKind::ToolError, origin, &format!("{tool}: {text}"));
    response.traces.add(Trace {
        origin: origin.clone(),
        tool: Some(tool),
        error: Some(text),
        ..Trace::default()
    });
}

/// The documents of a run by id, else address, else headline, in order of first appearance.
#[derive(Default, Clone)]
pub struct Library {
    pub(super) by_key: HashMap<String, usize>,
    /// Passages by source and name, or text where they have none.
    passages: HashMap<(usize, Option<String>, String), usize>,
    /// The last step of each id so far.
    last_audit: HashMap<String, usize>,
}

impl Library {
    /// The source of a document; its passages are united by number.
    pub fn document(
        &mut self,
        response: &mut Response,
        document: Document,
        group: Option<&str>,
        origin: &Origin,
    ) -> usize {
        let action = document.action.unwrap_or_default();
        let id = document.id.map(|word| word.0).filter(|id| !id.is_empty());
        let full = |text: Option<String>| text.filter(|text| !text.is_empty());
        let uri = full(document.uri).or(full(action.uri));
        let title = full(document.headline).or(full(action.headline));
        let key = match (&id, &uri, &title) {
            (Some(id), _, _) => format!("id {id}"),
            (None, Some(uri), _) => format!("uri {uri}"),
            (None, None, Some(title)) => format!("hd {title}"),
            (None, None, None) => format!("at {} {}", origin.frame, origin.path),
        };
        let external = document.kind.as_deref().or(group) == Some("EXTERNAL");
        let index = *self.by_key.entry(key).or_insert_with(|| {
            let kind = if external { SourceKind::Web } else { SourceKind::Document };
            response.sources.add(Source { origin: origin.clone(), kind, ..Source::default() });
            response.sources.len() - 1
        });
        let Some(source) = response.sources.get_mut(index) else { return index };
        // Each kind of document has its name and its date in a place of its own (002).
        let (publisher, time) = if external {
            (full(action.name).or(full(document.publisher)), full(action.time).or(full(document.time)))
        } else {
            (full(document.publisher).or(full(action.name)), full(document.time).or(full(action.time)))
        };
        fill(&mut source.id, id);
        fill(&mut source.title, title);
        fill(&mut source.uri, uri);
        fill(&mut source.published.publisher, publisher);
        fill(&mut source.published.date, time.as_deref().and_then(day));
        fill(&mut source.published.date_sent, time);
        for chunk in document.chunks {
            let chunk = Chunk {
                text: chunk.text.unwrap_or_default(),
                score: chunk.relevance,
                name: chunk.number.map(|word| word.0),
                ..Chunk::default()
            };
            unite(&mut self.passages, index, &mut source.chunks, chunk);
        }
        if let Some(text) = document.text {
            let chunk = Chunk { text, score: document.relevance, ..Chunk::default() };
            unite(&mut self.passages, index, &mut source.chunks, chunk);
        }
        index
    }

    /// An audited step: a trace, its query, its documents.
    pub fn audit(&mut self, response: &mut Response, audit: Audit, origin: &Origin, cx: &Cx) {
        let number = response.traces.len();
        let mut trace = Trace {
            origin: origin.clone(),
            id: audit.id.map(|word| word.0),
            title: audit.title,
            description: audit.kind,
            ..Trace::default()
        };
        if let Some(id) = &trace.id {
            self.last_audit.insert(id.clone(), number);
        }
        let query = audit.query.as_ref();
        let query = query.and_then(|query| query.get("text").as_ref().unwrap_or(query).to_text());
        if let Some(text) = query {
            trace.queries.push(response.queries.len());
            response.queries.push(Query {
                origin: origin.key("query"),
                text,
                kind: QueryKind::Audit,
                trace: Some(number),
                web: false,
            });
        }
        trace.arguments = audit.query.filter(JsonText::is_object);
        if let Some(content) = audit.content {
            let text = Some(content.plain());
            trace.results.add(SearchResult { text, ..SearchResult::default() });
        }
        if !audit.results.is_empty() && audit.results.iter().all(|group| group.values.is_empty()) {
            trace.role = TraceRole::FoundNothing;
        }
        trace.results.reserve_exact(audit.results.iter().map(|group| group.values.len()).sum());
        let groups = origin.key("results");
        for (g, group) in audit.results.into_iter().enumerate() {
            let values = groups.item(g).key("values");
            for (v, document) in group.values.into_iter().enumerate() {
                let source = self.document(response, document, group.kind.as_deref(), &values.item(v));
                if !building::takes_copies(cx, 1, &shared_by(response, source, group.kind.as_ref())) {
                    return;
                }
                trace.results.add(result_of(response, source, group.kind.clone()));
            }
        }
        response.traces.add(trace);
    }

    /// A reference is a support with one citation; `source: null` cites the tool as a whole.
    pub fn reference(&mut self, response: &mut Response, reference: Reference, origin: Origin) {
        let audit = reference.audit.map(|word| word.0);
        let target = if let Some(document) = reference.source {
            Target::Source(self.document(response, document, None, &origin.key("source")))
        } else {
            // Each audited call is a source of its own, also where calls share an id.
            let of = |id: &Option<String>| self.last_audit.get(id.as_deref()?).copied();
            let call = of(&audit).or_else(|| of(&reference.tool));
            let key = format!("tool {:?} {audit:?} {call:?}", reference.tool);
            Target::Tool(*self.by_key.entry(key).or_insert_with(|| {
                let id = audit.clone().or_else(|| reference.tool.clone());
                let title = reference.tool.clone();
                response.sources.add(Source {
                    origin: origin.clone(),
                    kind: SourceKind::Tool,
                    id,
                    title,
                    ..Source::default()
                });
                response.sources.len() - 1
            }))
        };
        let link = Some(Box::new(Link { tool: reference.tool, audit, ..Link::default() }));
        let citation = Citation { link, ..Citation::of(target, Place::default()) };
        let segment = building::offsets(&OFFSETS, reference.start, reference.end);
        response.supports.add(Support {
            origin,
            layer: Layer::Reference,
            segment: Some(segment),
            citations: vec![citation],
            ..Support::default()
        });
    }
}

fn fill(slot: &mut Option<String>, value: Option<String>) {
    if slot.is_none() {
        *slot = value.filter(|text| !text.is_empty());
    }
}

/// A passage that a source has already, by its name or else its text, counts once.
fn unite(
    known: &mut HashMap<(usize, Option<String>, String), usize>,
    source: usize,
    chunks: &mut Vec<Chunk>,
    chunk: Chunk,
) {
    let text = if chunk.name.is_some() { String::new() } else { chunk.text.clone() };
    let place = *known.entry((source, chunk.name.clone(), text)).or_insert(chunks.len());
    match chunks.get_mut(place) {
        Some(known) if known.text.is_empty() => *known = chunk,
        Some(known) if known.text == chunk.text || chunk.text.is_empty() => {
            known.score = known.score.or(chunk.score);
        }
        _ => chunks.push(chunk),
    }
}

/// The texts of a source that each result which names it has, too.
fn shared_by<'a>(
    response: &'a Response,
    source: usize,
    group: Option<&'a String>,
) -> [Option<&'a String>; 4] {
    let source = response.sources.get(source);
    let of = |field: fn(&Source) -> &Option<String>| source.and_then(|source| field(source).as_ref());
    [of(|source| &source.title), of(|source| &source.uri), of(|source| &source.id), group]
}

fn result_of(response: &Response, index: usize, group: Option<String>) -> SearchResult {
    let source = response.sources.get(index);
    SearchResult {
        title: source.and_then(|source| source.title.clone()),
        uri: source.and_then(|source| source.uri.clone()),
        document: source.and_then(|source| source.id.clone()),
        score: source.and_then(|source| source.chunks.first()?.score),
        status: group,
        source: Some(index),
        ..SearchResult::default()
    }
}

/// The day of an ISO time.
pub fn day(time: &str) -> Option<String> {
    let date = time.get(..10)?;
    date.parse::<jiff::civil::Date>().is_ok().then(|| date.to_owned())
}
