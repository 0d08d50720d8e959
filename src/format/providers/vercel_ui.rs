//! Messages and streams of Vercel's AI SDK: text and a list of sources. Spans are what OpenAI's annotations
//! say, where the SDK hands them on; else links of the text to a listed address are marks.

use std::collections::{BTreeMap, HashMap};

use super::openai_responses_items::Builder;
use super::openai_responses_wire::Annotation;
use super::vercel_beside::{Beside, ranges};
use crate::format::building::{self, Retold};
use crate::format::growth::Growth;
use crate::format::interface::{self, Boundary, Format, FrameGroup, begin, read};
use crate::format::markers::{self, Charge, Name, Notation};
use crate::format::opening;
use crate::format::shelf::Shelf;
use crate::format::steps;
use crate::format::stops::stopped;
use crate::json::Peek;
use crate::json::values::{KindWord, kind};
use crate::json::wire::{Cx, wire};
use crate::model::{
    AnswerState, Chunk, Failure, JsonText, Label, Origin, RemarkKind, Response, Source, SourceKind, Trace,
    Unit,
};

pub const FORMAT: Format = Format {
    id: "vercel-ui",
    vendor: "Vercel",
    short: "Vercel AI SDK",
    name: "Vercel AI SDK (UI messages and streams)",
    reads: "messages with parts, chats of them, UI message streams, results of generateText; source-url and source-document",
    offsets: "links and numbers in the text; characters of a part in annotations of OpenAI's",
    recognise,
    group,
    announced: true,
    fold: begin::<Stream>,
    samples: &[sample!(
        "vercel-ui.json",
        "Vercel AI SDK message",
        "sources without spans: a link of the text is the mark; a tool that failed"
    )],
    ..Format::PLAIN
};

wire! {
    /// A chat as it is stored, or sent for the next answer.
    struct Chat {
        messages: Vec<Message> = "messages";
    }

    /// What `generateText` gives, as JSON.
    struct Made {
        steps: Vec<Step> = "steps";
    }

    /// A step of it, and all of it where there is one.
    struct Step {
        content: Vec<Part> = "content";
        // As version 4 has it.
        text: Option<String> = "text";
        sources: Vec<Part> = "sources";
        finish: Option<String> = "finishReason";
        response: Option<Answered> = "response";
    }

    struct Answered {
        id: Option<String> = "id";
        model: Option<String> = "modelId";
    }

    /// A message.
    struct Message {
        id: Option<String> = "id";
        role: Option<KindWord> = "role";
        parts: Vec<Part> = "parts";
    }

    /// A part of a message, or an event of a stream.
    struct Part lists 2176 whole [] {
        kind: Option<KindWord> = "type";
        id: Option<String> = "id" | "messageId";
        text: Option<String> = "text";
        delta: Option<String> = "delta" | "textDelta";
        state: Option<String> = "state";
        source: Option<String> = "sourceId";
        url: Option<String> = "url";
        title: Option<String> = "title";
        filename: Option<String> = "filename";
        call: Option<String> = "toolCallId";
        tool: Option<String> = "toolName";
        input: Option<JsonText> = "input";
        output: Option<JsonText> = "output";
        error: Option<String> = "errorText";
        piece: Option<String> = "inputTextDelta";
        failed: Option<JsonText> = "error";
        finish: Option<String> = "finishReason";
        beside: Option<Box<Beside>> = "providerMetadata";
    }
}

/// Bytes of a part.
const PART: usize = 2048;

/// The state of a text or a thought of which more should have come.
const OPEN: &str = "streaming";

const EVENTS: &[&str] = &[
    "start",
    "start-step",
    "text-start",
    "text-delta",
    "text-end",
    "reasoning-start",
    "reasoning-delta",
    "reasoning-end",
    "source-url",
    "source-document",
    "tool-input-start",
    "tool-input-delta",
    "tool-input-available",
    "tool-input-error",
    "tool-output-available",
    "tool-output-error",
    "finish-step",
    "finish",
    "abort",
    "file",
];

fn recognise(peek: &Peek) -> bool {
    let kind = peek.word("type").unwrap_or_default();
    let message = |peek: &Peek| peek.first("parts").is_some_and(|part| part.has("type")) && peek.has("role");
    message(peek)
        || is_step(peek)
        || peek.first("steps").is_some_and(|first| is_step(&first) || is_told(peek, &first))
        || peek.first("messages").is_some_and(|first| message(&first))
        || EVENTS.contains(&kind.as_str())
            && !peek.has_any(&["message", "object"])
            && peek.kind("data") != Some('{')
        || kind == "error" && peek.has("errorText")
}

/// Whether it is what a model said in one step of an agent; others that stop for a reason have a role.
fn is_step(peek: &Peek) -> bool {
    let part = peek.first("content").and_then(|part| part.word("type"));
    part.is_some_and(|kind| STEP.contains(&kind.as_str()))
        && peek.has("finishReason")
        && !peek.has_any(&["role", "type", "object", "message"])
}

/// Whether the result of several steps, and the first of them, have texts and lists of sources.
fn is_told(made: &Peek, step: &Peek) -> bool {
    let sourced = || step.first("sources").is_some_and(|source| source.has("sourceType"));
    made.has("text") && step.has("text") && (step.has("stepType") || sourced())
}

/// Parts of a step.
const STEP: &[&str] = &["text", "reasoning", "source", "tool-call", "tool-result", "tool-error", "file"];

fn group(peek: &Peek) -> FrameGroup {
    if peek.has_any(&["content", "steps"]) && !peek.has("type") {
        return FrameGroup::Alone;
    }
    // In a list of messages a question goes with the answer behind it.
    match peek.word("role").as_deref().filter(|_| peek.has("parts")) {
        Some("user" | "system" | "data") => {
            return FrameGroup::Stream { id: None, boundary: Boundary::Continues };
        }
        Some("assistant") => return FrameGroup::Stream { id: None, boundary: Boundary::EndsRun },
        _ if peek.has_any(&["parts", "messages"]) => return FrameGroup::Alone,
        _ => {}
    }
    FrameGroup::event(&peek.word("type").unwrap_or_default(), &["start"], &["finish", "abort", "error"])
}

#[derive(Default, Clone)]
struct Stream {
    origin: Origin,
    frames: u32,
    streamed: bool,
    ended: bool,
    aborted: bool,
    id: Option<String>,
    model: Option<String>,
    role: Option<String>,
    /// What the user said before it.
    questions: Vec<String>,
    parts: Vec<(Part, Origin)>,
    /// What was said beside a part, with the last event that said it.
    told: HashMap<usize, (Box<Beside>, Origin)>,
    /// Texts and thoughts that are open, by their id.
    open: HashMap<String, (usize, Growth)>,
    retold: Retold,
    /// Calls by their id.
    calls: BTreeMap<String, usize>,
    failure: Option<(Failure, Origin)>,
    finish: Option<String>,
    /// Answers of a chat before the last one.
    answered: Vec<Response>,
    marks: Charge,
}

impl interface::FoldState for Stream {
    fn push(&mut self, frame: u32, text: &str, cx: &Cx) -> Result<(), serde_json::Error> {
        let root = building::root(frame);
        if self.frames == 0 {
            self.origin = root.clone();
        }
        let peek = Peek::of(text, &["parts", "messages", "content", "steps", "type"]);
        if peek.has("steps") {
            let list = root.key("steps");
            let made: Made = read(text, cx)?;
            for (index, step) in made.steps.into_iter().enumerate() {
                self.charge(&step.content, step.text.as_deref(), cx);
                self.step(step, &list.item(index));
            }
        } else if peek.has("content") && !peek.has("type") {
            let step: Step = read(text, cx)?;
            self.charge(&step.content, step.text.as_deref(), cx);
            self.step(step, &root);
        } else if peek.has("parts") {
            let message: Message = read(text, cx)?;
            self.charge(&message.parts, None, cx);
            self.message(message, &root);
        } else if peek.has("messages") {
            let list = root.key("messages");
            let chat: Chat = read(text, cx)?;
            for (index, message) in chat.messages.into_iter().enumerate() {
                let answered = self.role.as_deref() == Some("assistant");
                if !building::takes_event(cx, answered) {
                    break;
                }
                if answered {
                    self.answered = std::mem::take(self).finish();
                }
                self.charge(&message.parts, None, cx);
                self.message(message, &list.item(index));
            }
        } else {
            let mut event: Part = read(text, cx)?;
            // A piece is a `text` in what `fullStream` of `streamText` gives.
            let is_piece = kind(&event.kind).ends_with("-delta");
            event.delta = event.delta.or_else(|| event.text.take_if(|_| is_piece));
            self.marks.take(event.delta.as_deref().unwrap_or_default(), cx);
            self.event(event, root);
        }
        self.frames = frame + 1;
        Ok(())
    }

    fn holds(&self) -> usize {
        self.parts.len() * PART
    }

    fn finish(mut self) -> Vec<Response> {
        for text in std::mem::take(&mut self.open).into_values() {
            self.close(text);
        }
        let mut responses = std::mem::take(&mut self.answered);
        let mut response = Response {
            origin: self.origin.clone(),
            item: responses.len(),
            id: self.id.clone(),
            model: self.model.clone(),
            unit: Unit::Characters,
            ..Response::default()
        };
        response.role = self.role.clone().filter(|role| role != "assistant");
        let asked = Some(self.questions.join("\n")).filter(|asked| !asked.is_empty());
        response.about.question = asked.map(Into::into);
        let mut builder = Builder::default();
        let mut annotations = self.take_annotations();
        let mut text: Option<Origin> = None;
        let mut listed = Vec::new();
        let mut thoughts = take_thoughts(&mut self.parts, &annotations);
        for (index, (part, origin)) in self.parts.iter().enumerate() {
            if let Some(thought) = thoughts.remove(&index) {
                steps::think(&mut response, &thought, origin);
            }
            listed.extend(lower(&mut response, &mut builder.shelf, part, origin));
            if kind(&part.kind) == "text" {
                text.get_or_insert_with(|| origin.clone());
                builder.annotations(&mut response, annotations.remove(&index).unwrap_or_default());
            }
        }
        if let Some(origin) = text.filter(|_| response.supports.is_empty()) {
            // Numbers are those of the sources in the order of their parts.
            let notation = if listed.is_empty() { Notation::LINKS } else { Notation::NUMBERS };
            let numbered = |number: usize| listed.get(number.checked_sub(1)?).copied();
            markers::add(&mut response, &origin, notation, &[], |name, _| match name {
                Name::Address(address, number) => {
                    builder.shelf.by_address(address).or_else(|| numbered(number? as usize))
                }
                Name::Number(number) => numbered(number as usize),
            });
        }
        builder.finish(&mut response);
        self.end(&mut response);
        responses.push(response);
        responses
    }
}

/// Texts that are open at once, at most, where one of them has pieces without an id.
const FEW: usize = 8;

impl Stream {
    /// Takes room for the marks in some texts.
    fn charge(&mut self, parts: &[Part], text: Option<&str>, cx: &Cx) {
        for text in parts.iter().filter_map(|part| part.text.as_deref()).chain(text) {
            self.marks.take(text, cx);
        }
    }

    /// What a step said, behind those before it.
    fn step(&mut self, mut step: Step, root: &Origin) {
        let list = root.key("content");
        if step.content.is_empty() {
            let named = |name: &str| Some(KindWord(name.to_owned()));
            let list = root.key("sources");
            let sources = std::mem::take(&mut step.sources).into_iter().enumerate();
            self.parts.extend(
                sources.map(|(index, part)| (Part { kind: named("source"), ..part }, list.item(index))),
            );
            let text = step.text.take().map(|text| Part {
                kind: named("text"),
                text: Some(text),
                ..Part::default()
            });
            self.parts.extend(text.map(|part| (part, root.key("text"))));
        }
        for (index, mut part) in step.content.into_iter().enumerate() {
            part.error = part.error.or_else(|| part.failed.take().map(|failed| failed.plain()));
            if part.call.is_some() {
                self.call(part, list.item(index));
            } else {
                self.parts.push((part, list.item(index)));
            }
        }
        self.finish = step.finish.or(self.finish.take());
        let answered = step.response.unwrap_or_default();
        self.id = answered.id.or(self.id.take());
        self.model = answered.model.or(self.model.take());
    }

    fn message(&mut self, message: Message, root: &Origin) {
        self.take_question(root);
        if self.parts.is_empty() {
            self.origin = root.clone();
        }
        self.id = message.id;
        self.role = message.role.map(|role| role.0);
        let list = root.key("parts");
        let parts = message.parts.into_iter().enumerate();
        self.parts = parts.map(|(index, part)| (part, list.item(index))).collect();
    }

    /// What the user said is the question of what comes behind it; what the product said to the model is not.
    fn take_question(&mut self, root: &Origin) {
        if let Some(role) = self.role.take_if(|role| role != "assistant") {
            let said = std::mem::take(&mut self.parts).into_iter().filter_map(|(part, _)| part.text);
            self.questions.extend(said.filter(|_| role == "user"));
            self.origin = root.clone();
        }
    }

    fn event(&mut self, mut event: Part, origin: Origin) {
        self.take_question(&origin);
        self.streamed = true;
        let name = kind(&event.kind).to_owned();
        match name.as_str() {
            "start" => self.id = event.id.or(self.id.take()),
            "finish" => {
                self.ended = true;
                self.finish = event.finish;
            }
            "abort" => self.aborted = true,
            "error" => {
                let message = event.error.or_else(|| event.failed.map(|failed| failed.plain()));
                self.failure = Some((Failure { code: None, message }, origin));
            }
            "text-start" | "text-delta" | "reasoning-start" | "reasoning-delta" => {
                let what = name.split('-').next().unwrap_or_default();
                self.retold.late |= self.ended && event.delta.as_ref().is_some_and(|text| !text.is_empty());
                let key = self.named(what, event.id.take());
                let (index, growth) = self.open.entry(key).or_insert_with(|| {
                    let part = Part { kind: Some(KindWord(what.to_owned())), ..Part::default() };
                    self.parts.push((part, origin.clone()));
                    (self.parts.len() - 1, Growth::default())
                });
                let beside = event.beside.filter(|beside| beside.is_annotated());
                self.told.extend(beside.map(|beside| (*index, (beside, origin))));
                if let Some((part, _)) = self.parts.get_mut(*index) {
                    growth.push(part.text.get_or_insert_default(), &event.delta.unwrap_or_default());
                }
            }
            "text-end" | "reasoning-end" => {
                let key = self.named(name.trim_end_matches("-end"), event.id);
                if let Some(text) = self.open.remove(&key) {
                    let beside = event.beside.filter(|beside| beside.is_annotated());
                    self.told.extend(beside.map(|beside| (text.0, (beside, origin))));
                    self.close(text);
                }
            }
            _ if event.call.is_some() => self.call(event, origin),
            _ => self.parts.push((event, origin)),
        }
    }

    /// The key of a text: without an id it is the only one that is open.
    fn named(&self, what: &str, id: Option<String>) -> String {
        let own = |key: &&String| key.strip_prefix(what).is_some_and(|id| id.starts_with(' '));
        let few = || self.open.keys().take(if self.open.len() > FEW { 0 } else { FEW });
        let only = || few().filter(own).count() == 1;
        match id {
            Some(id) => format!("{what} {id}"),
            None if only() => few().find(own).cloned().unwrap_or_default(),
            None => format!("{what} "),
        }
    }

    /// A text that gets no more pieces.
    fn close(&mut self, (index, growth): (usize, Growth)) {
        let text = self.parts.get_mut(index).and_then(|(part, _)| part.text.as_mut());
        self.retold.resent |= text.is_some_and(|text| growth.settle(text));
    }

    /// What a stream says of one call, put together.
    fn call(&mut self, event: Part, origin: Origin) {
        let id = event.call.clone().unwrap_or_default();
        let index = *self.calls.entry(id).or_insert_with(|| {
            self.parts.push((Part { call: event.call.clone(), ..Part::default() }, origin));
            self.parts.len() - 1
        });
        let Some((part, _)) = self.parts.get_mut(index) else { return };
        part.kind = part.kind.take().or(Some(KindWord("tool".to_owned())));
        part.tool = event.tool.or(part.tool.take());
        part.input = event.input.or(part.input.take());
        part.output = event.output.or(part.output.take());
        part.error = event.error.or(part.error.take());
        if let Some(piece) = event.piece {
            part.piece.get_or_insert_default().push_str(&piece);
        }
    }

    /// The annotations of each text, by the number of its part.
    fn take_annotations(&mut self) -> HashMap<usize, Vec<(Annotation, Origin)>> {
        let of = |(index, (part, origin)): (usize, &mut (Part, Origin))| {
            let own = || Some((part.beside.take()?, origin.clone()));
            let (beside, origin) = self.told.remove(&index).or_else(own)?;
            Some((index, beside.annotations(&origin)))
        };
        let texts = self.parts.iter_mut().enumerate().filter(|(_, (part, _))| kind(&part.kind) == "text");
        texts.filter_map(of).collect()
    }

    fn end(self, response: &mut Response) {
        response.finish = self.finish;
        let open =
            self.parts.iter().filter_map(|(part, _)| part.state.as_deref()).find(|&state| state == OPEN);
        (response.state, response.ending) = stopped(response.finish.as_deref().or(open));
        self.retold.tell(response, &self.origin);
        if let Some((failure, origin)) = self.failure {
            response.state = AnswerState::Error;
            let words = failure.message.clone().unwrap_or_default();
            building::remark(response, RemarkKind::Error, &origin, &words);
            response.about.error = Some(failure);
        } else if self.streamed && !self.ended {
            response.state = AnswerState::Truncated;
            let origin = building::root(self.frames.saturating_sub(1));
            let text = if self.aborted {
                "the stream was aborted"
            } else {
                "the stream ends without finish: the rest is missing"
            };
            building::remark(response, RemarkKind::Truncated, &origin, text);
        }
    }
}

/// Takes the thoughts out that open texts, by the part where they begin: those of a step, of which some stand
/// behind one another, and those of the next.
fn take_thoughts(
    parts: &mut [(Part, Origin)],
    annotations: &HashMap<usize, Vec<(Annotation, Origin)>>,
) -> HashMap<usize, String> {
    let is_text = |(part, _): &(Part, Origin)| kind(&part.kind) == "text";
    let mut begin = 0;
    let mut thoughts = HashMap::new();
    for run in parts.chunk_by_mut(|one, next| is_text(one) && is_text(next)) {
        let at = begin;
        begin += run.len();
        let ranges = annotations.get(&at).map(|own| ranges(own)).unwrap_or_default();
        let texts = run.iter_mut().filter(|part| is_text(part));
        let mut texts: Vec<&mut String> = texts.filter_map(|(part, _)| part.text.as_mut()).collect();
        let Some(thought) = opening::take_thought(&mut texts, &ranges) else { continue };
        thoughts.insert(at, thought);
        for (part, _) in run.iter_mut().filter(|(part, _)| part.text.as_deref() == Some("")) {
            part.kind = Some(KindWord("reasoning".to_owned()));
        }
    }
    thoughts
}

/// Adds what a part holds; a source gives its index.
fn lower(response: &mut Response, library: &mut Shelf, part: &Part, origin: &Origin) -> Option<usize> {
    let name = kind(&part.kind);
    match name {
        "text" => building::answer_text(response, part.text.as_deref().unwrap_or_default(), false),
        "reasoning" => steps::think(response, part.text.as_deref().unwrap_or_default(), origin),
        "source-url" | "source-document" | "source" => {
            let is_web = name == "source-url" || name == "source" && part.url.is_some();
            let beside = part.beside.as_ref();
            let source = Source {
                origin: origin.clone(),
                id: beside.and_then(|beside| beside.file()).filter(|id| !id.is_empty()).map(str::to_owned),
                kind: if is_web { SourceKind::Web } else { SourceKind::Document },
                title: part.filename.clone().filter(|_| part.title.is_none()).or_else(|| part.title.clone()),
                document: part.filename.clone(),
                uri: part.url.clone(),
                number: part.source.clone().or_else(|| part.id.clone()),
                ..Source::default()
            };
            let source = library.put(response, source);
            if let Some(quote) = beside.and_then(|beside| beside.quote()) {
                let (text, label) = (quote.to_owned(), Some(Label::CitedText));
                library.passage(response, source, Chunk { text, label, ..Chunk::default() });
            }
            return Some(source);
        }
        _ if part.call.is_some() => {
            let tool = part.tool.clone().or_else(|| name.strip_prefix("tool-").map(str::to_owned));
            let piece = part.piece.clone().map(JsonText::from);
            let trace = Trace {
                origin: origin.clone(),
                id: part.call.clone(),
                tool,
                state: part.state.clone(),
                arguments: part.input.clone().or(piece),
                results: part.output.iter().map(|value| steps::text_result(value.plain())).collect(),
                failed: part.error.is_some(),
                error: part.error.clone(),
                ..Trace::default()
            };
            let searches = trace.tool.as_deref().is_some_and(|tool| tool.to_lowercase().contains("search"));
            let number = steps::trace(response, trace);
            if let Some(input) = part.input.as_ref().filter(|_| searches) {
                steps::queries_of(response, number, input, &origin.key("input"));
            }
        }
        _ => {}
    }
    None
}
