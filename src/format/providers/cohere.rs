//! Cohere's chat, second and first version: spans of the answer with their words, in characters of a block of
//! the content, and the documents that back them.

use std::collections::HashMap;

use serde_json::Value;

use crate::format::building::{self, Bounded, Retold};
use crate::format::growth::Growth;
use crate::format::interface::{self, Format, FrameGroup, begin, read};
use crate::format::secrets::{mask_fields, mask_value};
use crate::format::shelf::Shelf;
use crate::format::slots::Slots;
use crate::format::steps;
use crate::format::stops::stopped;
use crate::json::Peek;
use crate::json::plain;
use crate::json::values::{KindWord, Whole, Word, kind};
use crate::json::wire::{Cx, TextOr, wire};
use crate::model::{
    AnchorKind, Chunk, Citation, Cited, Failure, JsonText, Layer, List, Origin, Part, Place, RemarkKind,
    Response, Segment, SegmentKeys, Source, SourceKind, Support, Target, Trace, Unit,
};

pub const FORMAT: Format = Format {
    id: "cohere",
    vendor: "Cohere",
    short: "Cohere",
    name: "Cohere chat (v2 and v1)",
    reads: "responses and streams with citations of documents and tool results",
    offsets: "characters of a block; quotes prove them",
    recognise,
    group,
    announced: true,
    fold: begin::<Stream>,
    samples: &[sample!(
        "cohere.json",
        "Cohere chat v2",
        "spans with their words in the second block; a wrong year, one range a character late"
    )],
    ..Format::PLAIN
};

wire! {
    /// A body, or an event of a stream of either version.
    struct Frame {
        kind: Option<KindWord> = "type";
        event: Option<KindWord> = "eventType";
        index: Option<i64> = "index";
        id: Option<String> = "id" | "generationId";
        delta: Option<Delta> = "delta";
        message: Option<Message> = "message";
        finish: Option<String> = "finishReason";
        text: Option<String> = "text";
        citations: Vec<Cite> = "citations";
        documents: Vec<Value> = "documents";
        queries: Vec<SearchQuery> = "searchQueries";
        response: Option<Box<First>> = "response";
        finished: Option<bool> = "isFinished";
    }

    /// A body of the first version.
    struct First {
        id: Option<String> = "generationId";
        text: Option<String> = "text";
        citations: Vec<Cite> = "citations";
        documents: Vec<Value> = "documents";
        queries: Vec<SearchQuery> = "searchQueries";
        finish: Option<String> = "finishReason";
    }

    struct SearchQuery {
        text: Option<String> = "text";
    }

    struct Delta whole ["usage"] {
        message: Option<Message> = "message";
        finish: Option<String> = "finishReason";
        error: Option<String> = "error";
        problem: Option<String> = "errorType";
    }

    struct Message whole [] {
        role: Option<KindWord> = "role";
        content: TextOr<Block> = "content";
        plan: Option<String> = "toolPlan";
        calls: TextOr<Call> = "toolCalls";
        citations: TextOr<Cite> = "citations";
    }

    struct Block lists 1152 whole [] says ["text"] {
        kind: Option<KindWord> = "type";
        text: Option<String> = "text";
        thinking: Option<String> = "thinking";
    }

    struct Call takes 1408 {
        kind: Option<KindWord> = "type";
        id: Option<String> = "id";
        function: Option<Function> = "function";
    }

    struct Function {
        name: Option<String> = "name";
        arguments: Option<JsonText> = "arguments";
    }

    pub struct Cite takes 2688 whole [] {
        start: Option<Whole> = "start";
        end: Option<Whole> = "end";
        text: Option<String> = "text";
        kind: Option<KindWord> = "type";
        content: Option<i64> = "contentIndex";
        sources: Vec<CitedSource> = "sources";
        documents: Vec<String> = "documentIds";
    }

    pub struct CitedSource takes 1408 whole [] {
        kind: Option<KindWord> = "type";
        id: Option<String> = "id";
        document: Option<Value> = "document";
        output: Option<Value> = "toolOutput";
    }
}

/// The events of a stream of the second version.
const EVENTS: &[&str] = &[
    "message-start",
    "message-end",
    "content-start",
    "content-delta",
    "content-end",
    "citation-start",
    "citation-end",
    "tool-plan-delta",
    "tool-call-start",
    "tool-call-delta",
    "tool-call-end",
];

/// Those of the first.
const FIRST: &[&str] = &[
    "stream-start",
    "search-queries-generation",
    "search-results",
    "text-generation",
    "citation-generation",
    "tool-calls-generation",
    "stream-end",
];

fn recognise(peek: &Peek) -> bool {
    let (kind, event) = (peek.word("type").unwrap_or_default(), peek.word("eventType").unwrap_or_default());
    let message = || {
        peek.below("message")
            .is_some_and(|message| message.kind("content") == Some('[') || message.has("toolPlan"))
    };
    EVENTS.contains(&kind.as_str())
        || FIRST.contains(&event.as_str())
        || !peek.has("choices") && peek.has("generationId") && peek.has("text")
        || !peek.has("choices") && !peek.has("type") && peek.has("finishReason") && message()
}

fn group(peek: &Peek) -> FrameGroup {
    let kind = peek.word("type").or_else(|| peek.word("eventType")).unwrap_or_default();
    if !EVENTS.contains(&kind.as_str()) && !FIRST.contains(&kind.as_str()) {
        return FrameGroup::Alone;
    }
    FrameGroup::event(&kind, &["message-start", "stream-start"], &["message-end", "stream-end"])
}

/// A citation and its place.
pub type Placed = (Cite, Origin);

/// Bytes of a block, a call or a citation.
const THING: usize = 1408;

/// A block as far as it came.
#[derive(Default, Clone)]
struct Built {
    wire: Block,
    origin: Origin,
    growth: Growth,
}

impl Built {
    fn text(text: String, origin: Origin) -> Self {
        Self { wire: Block { text: Some(text), ..Block::default() }, origin, growth: Growth::default() }
    }

    fn at(origin: Origin) -> Self {
        Self { origin, ..Self::default() }
    }
}

#[derive(Default, Clone)]
struct Stream {
    origin: Origin,
    frames: u32,
    streamed: bool,
    ended: bool,
    id: Option<String>,
    blocks: Slots<Built>,
    plan: String,
    calls: Slots<(Call, Origin, String)>,
    cites: Vec<Placed>,
    /// Where they are a text.
    cites_as_text: Option<Origin>,
    /// Documents of the first version: a numbered list.
    documents: Vec<(Value, Origin)>,
    queries: Vec<(String, Origin)>,
    finish: Option<String>,
    failure: Option<Failure>,
    retold: Retold,
}

impl interface::FoldState for Stream {
    fn push(&mut self, frame: u32, text: &str, cx: &Cx) -> Result<(), serde_json::Error> {
        let wire: Frame = read(text, cx)?;
        let root = building::root(frame);
        if self.frames == 0 {
            self.origin = root.clone();
        }
        self.frames = frame + 1;
        let (id, finish) = (wire.id.clone(), wire.finish.clone());
        self.id = id.or(self.id.take());
        self.finish = finish.or(self.finish.take());
        let event = match kind(&wire.event) {
            "" => kind(&wire.kind).to_owned(),
            first => first.to_owned(),
        };
        self.streamed |= !event.is_empty();
        match event.as_str() {
            "" => self.body(wire, &root),
            event if FIRST.contains(&event) => self.first_event(event, wire, &root),
            event => self.event(event, wire, &root),
        }
        Ok(())
    }

    fn holds(&self) -> usize {
        (self.blocks.len() + self.calls.len() + self.cites.len()) * THING
    }

    fn finish(mut self) -> Vec<Response> {
        let mut response = Response {
            origin: self.origin.clone(),
            id: self.id.clone(),
            unit: Unit::Characters,
            ..Response::default()
        };
        self.content(&mut response);
        cite(&mut response, &self.cites, &self.documents);
        if let Some(origin) = &self.cites_as_text {
            let words = "text where a list is documented: no claims are read from it";
            building::remark(&mut response, RemarkKind::Mistyped, origin, words);
        }
        self.end(&mut response);
        vec![response]
    }
}

impl Stream {
    fn body(&mut self, wire: Frame, root: &Origin) {
        if let Some(message) = wire.message {
            self.message(message, &root.key("message"));
        }
        let first = First {
            id: wire.id,
            text: wire.text,
            citations: wire.citations,
            documents: wire.documents,
            queries: wire.queries,
            finish: wire.finish,
        };
        self.first(first, root);
    }

    fn message(&mut self, message: Message, origin: &Origin) {
        let list = origin.key("content");
        let text = message.content.text.map(|text| Block { text: Some(text), ..Block::default() });
        for (index, wire) in text.into_iter().chain(message.content.list).enumerate() {
            self.blocks.put(index as i64, Built { wire, ..Built::at(list.item(index)) });
        }
        self.plan.push_str(&message.plan.unwrap_or_default());
        let list = origin.key("toolCalls");
        for (index, call) in message.calls.list.into_iter().enumerate() {
            self.calls.put(index as i64, (call, list.item(index), String::new()));
        }
        let list = origin.key("citations");
        let text = message.citations.text.filter(|text| !text.trim().is_empty());
        self.cites_as_text = text.map(|_| list.clone()).or(self.cites_as_text.take());
        let cites = message.citations.list.into_iter().enumerate();
        self.cites.extend(cites.map(|(index, cite)| (cite, list.item(index))));
    }

    /// A body of the first version.
    fn first(&mut self, wire: First, origin: &Origin) {
        self.id = wire.id.or(self.id.take());
        self.finish = wire.finish.or(self.finish.take());
        if let Some(text) = wire.text {
            let before: String =
                self.blocks.values().filter_map(|block| block.wire.text.as_deref()).collect();
            self.retold.resent |= self.blocks.values().any(|block| block.growth.resent().is_some());
            self.retold.edited |= !self.retold.resent && !before.is_empty() && before != text;
            self.blocks = Slots::default();
            self.blocks.begin(None, Built::text(text, origin.key("text")));
        }
        if !wire.citations.is_empty() {
            let list = origin.key("citations");
            self.cites =
                wire.citations.into_iter().enumerate().map(|(n, cite)| (cite, list.item(n))).collect();
        }
        if !wire.documents.is_empty() {
            let list = origin.key("documents");
            self.documents =
                wire.documents.into_iter().enumerate().map(|(n, one)| (one, list.item(n))).collect();
        }
        if !wire.queries.is_empty() {
            let list = origin.key("searchQueries");
            let texts = wire.queries.into_iter().enumerate();
            self.queries = texts.filter_map(|(n, query)| Some((query.text?, list.item(n)))).collect();
        }
    }

    fn first_event(&mut self, event: &str, wire: Frame, root: &Origin) {
        match event {
            "text-generation" => {
                self.retold.late |= self.ended;
                let slot = self.blocks.at(Some(0), || Built::at(root.key("text")));
                slot.growth.push(slot.wire.text.get_or_insert_default(), &wire.text.unwrap_or_default());
            }
            "citation-generation" => {
                let list = root.key("citations");
                let cites = wire.citations.into_iter().enumerate();
                self.cites.extend(cites.map(|(index, cite)| (cite, list.item(index))));
            }
            "stream-end" => {
                self.ended = true;
                let response = wire.response.map(|first| *first).unwrap_or_default();
                self.first(response, &root.key("response"));
            }
            _ => {
                let lists = First { documents: wire.documents, queries: wire.queries, ..First::default() };
                self.first(lists, root);
            }
        }
    }

    fn event(&mut self, event: &str, wire: Frame, root: &Origin) {
        let delta = wire.delta.unwrap_or_default();
        if event == "message-end" {
            self.ended = true;
            self.finish = delta.finish.or(self.finish.take());
            if delta.error.is_some() || delta.problem.is_some() {
                self.failure = building::failure(delta.problem.map(Word), delta.error);
            }
            return;
        }
        let message = delta.message.unwrap_or_default();
        let origin = root.key("delta").key("message");
        match event {
            "content-start" | "content-delta" => {
                let new = || Built::at(origin.key("content"));
                if event == "content-start" && wire.index.is_none() {
                    self.blocks.begin(None, new());
                }
                let slot = self.blocks.at(wire.index, new);
                for piece in message.content.list {
                    slot.wire.kind = piece.kind.or(slot.wire.kind.take());
                    if let Some(text) = piece.text {
                        self.retold.late |= self.ended && !text.is_empty();
                        slot.growth.push(slot.wire.text.get_or_insert_default(), &text);
                    }
                    if let Some(thought) = piece.thinking {
                        slot.wire.thinking.get_or_insert_default().push_str(&thought);
                    }
                }
            }
            "tool-call-start" | "tool-call-delta" => {
                let new = || (Call::default(), origin.key("toolCalls"), String::new());
                if event == "tool-call-start" && wire.index.is_none() {
                    self.calls.begin(None, new());
                }
                let slot = self.calls.at(wire.index, new);
                for call in message.calls.list {
                    slot.0.id = call.id.or(slot.0.id.take());
                    let function = call.function.unwrap_or_default();
                    let into = slot.0.function.get_or_insert_default();
                    into.name = function.name.or(into.name.take());
                    slot.2.push_str(
                        &function.arguments.as_ref().and_then(JsonText::as_text).unwrap_or_default(),
                    );
                }
            }
            "citation-start" => {
                let place = origin.key("citations");
                let text = message.citations.text.filter(|text| !text.trim().is_empty());
                self.cites_as_text = text.map(|_| place.clone()).or(self.cites_as_text.take());
                self.cites.extend(message.citations.list.into_iter().map(|cite| (cite, place.clone())));
            }
            _ => self.plan.push_str(&message.plan.unwrap_or_default()),
        }
    }

    /// Thoughts, calls and text, in their order: blocks count as parts.
    fn content(&mut self, response: &mut Response) {
        for Built { wire: mut block, origin, growth } in std::mem::take(&mut self.blocks).into_values() {
            self.retold.resent |= block.text.as_mut().is_some_and(|text| growth.settle(text));
            if let Some(thought) = &block.thinking {
                response.parts.push(Part::Thought(response.traces.len()));
                let thought = Some(thought.clone());
                steps::trace(response, Trace { origin: origin.clone(), thought, ..Trace::default() });
            }
            match &block.text {
                Some(text) => building::answer_text(response, text, false),
                None if block.thinking.is_none() => response.parts.push(Part::Other),
                None => {}
            }
        }
        if !self.plan.is_empty() {
            let plan = Trace {
                origin: self.origin.clone(),
                description: Some(self.plan.clone()),
                ..Trace::default()
            };
            steps::trace(response, Trace { title: Some("plan".to_owned()), ..plan });
        }
        for (call, origin, pieces) in self.calls.values() {
            let function = call.function.clone().unwrap_or_default();
            let pieces = Some(pieces.clone()).filter(|pieces| !pieces.is_empty());
            let trace = Trace {
                origin: origin.clone(),
                id: call.id.clone(),
                tool: function.name,
                arguments: pieces.map(JsonText::from).or(function.arguments),
                ..Trace::default()
            };
            steps::trace(response, trace);
        }
        if !self.queries.is_empty() {
            let search =
                Trace { origin: self.origin.clone(), title: Some("search".to_owned()), ..Trace::default() };
            let search = steps::trace(response, search);
            for (text, origin) in &self.queries {
                steps::query(response, search, text, origin);
            }
        }
    }

    fn end(self, response: &mut Response) {
        let finish = self.finish;
        (response.state, response.ending) = stopped(finish.as_deref());
        self.retold.tell(response, &self.origin);
        if let Some(failure) = self.failure {
            building::failed(response, failure, &self.origin);
        } else if self.streamed && !self.ended {
            building::cut_off(response, self.frames, "its last event");
        }
        response.finish = finish;
    }
}

impl Cite {
    /// Whether it says what it rests on.
    pub fn names_sources(&self) -> bool {
        !self.sources.is_empty() || !self.documents.is_empty()
    }
}

/// Citations, and the documents that those of the first version name.
pub fn cite(response: &mut Response, cites: &[Placed], documents: &[(Value, Origin)]) {
    let (mut shelf, mut by_id) = (Shelf::default(), HashMap::new());
    for (index, (value, origin)) in documents.iter().enumerate() {
        let source = document(value, origin.clone(), SourceKind::Document);
        source.id.iter().for_each(|id| _ = by_id.entry(id.clone()).or_insert(index));
        response.sources.add(source);
    }
    // The first part with text, in which a citation counts that names none.
    let text = |part: &Part| matches!(part, Part::Text(_));
    let first = response.parts.iter().position(text).unwrap_or_default() as i64;
    for (cite, origin) in cites {
        let support = support(response, (&mut shelf, &by_id), cite, origin.clone(), first);
        response.supports.add(support);
    }
}

fn support(
    response: &mut Response,
    (shelf, by_id): (&mut Shelf, &HashMap<String, usize>),
    cite: &Cite,
    origin: Origin,
    first: i64,
) -> Support {
    let part = cite.content.unwrap_or(first);
    let is_text = !matches!(kind(&cite.kind), "THINKING_CONTENT" | "PLAN")
        && matches!(
            usize::try_from(part).ok().and_then(|part| response.parts.get(part)),
            Some(Part::Text(_)) | None
        );
    let segment = building::offsets(&OFFSETS, cite.start.clone(), cite.end.clone());
    let segment = Segment { quote: cite.text.clone(), part: cite.content, ..segment };
    let sources = cite.sources.iter().enumerate();
    let mut citations: Vec<Citation> =
        sources.map(|(number, sent)| citation(response, shelf, sent, &origin, number)).collect();
    for (number, id) in cite.documents.iter().enumerate() {
        let known = by_id.get(id).copied();
        let target = known.map_or_else(|| Target::Dangling(id.as_str().into()), Target::Source);
        citations.push(Citation::of(target, Place { list: Some(&IDS), index: number as u32 }));
    }
    // What backs a thought or a plan has no place in the answer.
    let anchor = if is_text { AnchorKind::Span } else { AnchorKind::Block };
    let layer = if is_text { Layer::Citation } else { Layer::Thought };
    Support { origin, layer, kind: anchor, segment: Some(segment), citations, ..Support::default() }
}

/// Where the offsets of a citation stand.
static OFFSETS: SegmentKeys = SegmentKeys { holder: "", start: "start", end: "end", text: false };

/// Where its sources stand.
static SOURCES: List = List { key: "sources", leaf: "" };

/// Where the ids of its documents stand.
static IDS: List = List { key: "documentIds", leaf: "" };

fn citation(
    response: &mut Response,
    library: &mut Shelf,
    sent: &CitedSource,
    origin: &Origin,
    number: usize,
) -> Citation {
    let place = Place { list: Some(&SOURCES), index: number as u32 };
    let kind = if kind(&sent.kind) == "tool" { SourceKind::Tool } else { SourceKind::Document };
    let value = sent.document.as_ref().or(sent.output.as_ref());
    if sent.document.as_ref().is_some_and(is_written) {
        note_written(response, &place.below(origin));
    }
    let empty = Value::Null;
    let mut source = document(value.unwrap_or(&empty), place.below(origin), kind);
    source.id = sent.id.clone().or(source.id);
    source.number.clone_from(&source.id);
    let chunks = std::mem::take(&mut source.chunks);
    let source = library.put(response, source);
    let chunks = chunks.into_iter().map(|chunk| library.passage(response, source, chunk)).collect();
    let cited = Cited { chunks, ..Cited::default() };
    Citation { cited: Some(Box::new(cited)), ..Citation::of(Target::Source(source), place) }
}

/// Whether a document is a list, or JSON as a text.
fn is_written(document: &Value) -> bool {
    document.is_array() || document.as_str().is_some_and(|text| text.trim_start().starts_with('{'))
}

/// Tells of the first in a row.
fn note_written(response: &mut Response, origin: &Origin) {
    let words = "a document that is no object: its title and its address are not read";
    if response.remarks.last().is_none_or(|last| &*last.text != words) {
        building::remark(response, RemarkKind::Mistyped, origin, words);
    }
}

/// All fields of a document but its names, as a text.
fn joined(value: &Value) -> String {
    let fields = value.as_object().into_iter().flatten();
    let fields: Vec<(&String, &Value)> =
        fields.filter(|(key, _)| !matches!(key.as_str(), "id" | "title" | "url")).collect();
    match fields.as_slice() {
        [] => value.as_str().unwrap_or_default().to_owned(),
        [(_, only)] => plain(only).into_owned(),
        several => {
            let lines: Vec<String> =
                several.iter().map(|(key, value)| format!("{key}: {}", plain(value))).collect();
            lines.join("\n")
        }
    }
}

/// A document, or what a tool put out: all fields but its names are its text.
fn document(value: &Value, origin: Origin, kind: SourceKind) -> Source {
    let field = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let mut hidden = JsonText::from(value);
    let masked = if kind == SourceKind::Tool { mask_value(&mut hidden) } else { mask_fields(&mut hidden) };
    let masked = masked.then(|| joined(&hidden.value()).into());
    let text = joined(value);
    let chunk =
        Some(text).filter(|text| !text.is_empty()).map(|text| Chunk { text, masked, ..Chunk::default() });
    Source {
        origin,
        kind,
        id: field("id"),
        number: field("id"),
        title: field("title"),
        uri: field("url"),
        chunks: chunk.into_iter().collect(),
        ..Source::default()
    }
}
