//! GitHub Copilot's session events: spans of a message in UTF-16 units, and what they refer to.

use std::collections::HashMap;

use crate::format::building::{self, Bounded};
use crate::format::interface::{self, Boundary, Format, FrameGroup, begin, read};
use crate::format::shelf::Shelf;
use crate::format::steps;
use crate::json::Peek;
use crate::json::values::{KindWord, Whole, Word, kind};
use crate::json::wire::{Cx, wire};
use crate::model::{
    AnchorKind, AnswerState, Chunk, Citation, Cited, Failure, JsonText, Label, Layer, List, Location,
    LocationKind, Origin, Place, RemarkKind, Response, SegmentKeys, Source, SourceKind, Support, Target,
    Trace, Unit,
};

pub const FORMAT: Format = Format {
    id: "copilot",
    vendor: "GitHub",
    short: "Copilot",
    name: "GitHub Copilot SDK session events",
    reads: "assistant.message events with citations, and the steps of a session",
    offsets: "UTF-16 units; nothing proves them",
    recognise,
    group,
    fold: begin::<Session>,
    samples: &[sample!(
        "copilot.json",
        "GitHub Copilot event",
        "spans in UTF-16 units behind an emoji, a number that the cited text has otherwise, a source that is not there"
    )],
    ..Format::PLAIN
};

wire! {
    struct Event {
        kind: Option<KindWord> = "type";
        id: Option<Word> = "id";
        time: Option<String> = "timestamp";
        data: Option<Data> = "data";
    }

    struct Data {
        content: Option<String> = "content" | "prompt";
        id: Option<String> = "messageId";
        citations: Option<Citations> = "citations";
        delta: Option<String> = "deltaContent";
        thought: Option<Word> = "reasoningId", kept;
        call: Option<String> = "toolCallId";
        tool: Option<String> = "toolName";
        arguments: Option<JsonText> = "arguments";
        requests: Vec<Request> = "toolRequests";
        success: Option<bool> = "success", kept;
        result: Option<JsonText> = "result";
        error: Option<JsonText> = "error";
        shutdown: Option<String> = "shutdownType", kept;
        reason: Option<String> = "errorReason";
        failed: Option<String> = "errorType", extra;
        message: Option<String> = "message", extra;
    }

    struct Request {
        call: Option<String> = "toolCallId";
        tool: Option<String> = "name";
        arguments: Option<JsonText> = "arguments";
    }

    struct Citations whole [] {
        sources: Vec<Listed> = "sources";
        spans: Vec<Span> = "spans";
    }

    struct Listed takes 1152 whole [] {
        id: Option<Word> = "id";
        title: Option<String> = "title";
        url: Option<String> = "url";
        path: Option<String> = "path";
    }

    struct Span whole [] {
        start: Option<Whole> = "startIndex";
        end: Option<Whole> = "endIndex";
        references: Vec<Reference> = "references";
    }

    struct Reference whole [] {
        source: Option<Word> = "sourceId";
        text: Option<String> = "citedText";
        location: Option<Sent> = "location";
    }

    struct Sent {
        kind: Option<KindWord> = "type";
        start: Option<i64> = "start" | "startIndex" | "startPage" | "startBlock";
        end: Option<i64> = "end" | "endIndex" | "endPage" | "endBlock";
    }
}

fn recognise(peek: &Peek) -> bool {
    let kind = peek.word("type").unwrap_or_default();
    let known = [
        "assistant.",
        "user.message",
        "tool.",
        "session.",
        "abort",
        "subagent.",
        "system.",
        "hook.",
        "skill.",
        "permission.",
        "pending_messages.",
        "external_tool.",
        "user_input.",
        "elicitation.",
        "sampling.",
        "exit_plan_mode.",
        "auto_mode_switch.",
        "capabilities.changed",
        "command.",
        "commands.changed",
        "mcp.oauth_",
        "model.call_failure",
    ];
    peek.kind("data") == Some('{') && known.iter().any(|begin| kind.starts_with(begin))
}

fn group(peek: &Peek) -> FrameGroup {
    let calls = || {
        peek.below("data").is_some_and(|data| data.first("toolRequests").is_some() && !data.has("citations"))
    };
    let boundary = match peek.word("type").unwrap_or_default().as_str() {
        // A message that calls tools is a step on the way to the last one, whatever it says.
        "assistant.message" if calls() => Boundary::Continues,
        "assistant.message" => Boundary::EndsRun,
        "session.start" => Boundary::Continues,
        "assistant.turn_end" | "assistant.usage" | "abort" => Boundary::WithPrevious,
        kind if kind.starts_with("session.") => Boundary::WithPrevious,
        _ => Boundary::Continues,
    };
    FrameGroup::Stream { id: None, boundary }
}

/// Where the offsets of a span stand.
static OFFSETS: SegmentKeys = SegmentKeys { holder: "", start: "startIndex", end: "endIndex", text: false };

/// Where its references stand.
static REFERENCES: List = List { key: "references", leaf: "" };

#[derive(Default, Clone)]
struct Session {
    response: Response,
    /// What came in pieces: a preview of the message. Its id, and where it began.
    preview: String,
    previews: Option<(String, Origin)>,
    /// What the last message said beside the tools that it called: the answer, where none follows.
    said: Option<(String, Origin)>,
    /// Steps of thoughts that come in pieces, by their ids.
    thoughts: HashMap<Option<String>, usize>,
    whole: bool,
    frames: u32,
    /// Steps by the id of their call.
    calls: HashMap<String, usize>,
    failure: Option<(Failure, Origin)>,
}

impl interface::FoldState for Session {
    fn push(&mut self, frame: u32, text: &str, cx: &Cx) -> Result<(), serde_json::Error> {
        let event: Event = read(text, cx)?;
        let root = building::root(frame);
        if self.frames == 0 {
            self.response.origin = root.clone();
            self.response.unit = Unit::Utf16;
        }
        self.frames = frame + 1;
        let data = event.data.unwrap_or_default();
        let origin = root.key("data");
        if data.id.is_some() && (data.delta.is_some() || kind(&event.kind) == "assistant.message") {
            self.leave(data.id.as_deref());
        }
        let response = &mut self.response;
        match kind(&event.kind) {
            "assistant.message" => {
                let list = origin.key("toolRequests");
                self.whole = data.requests.is_empty() || data.citations.is_some();
                says(response, self.said.take());
                for (index, Request { call, tool: name, arguments }) in data.requests.into_iter().enumerate()
                {
                    let request = Data { call, tool: name, arguments, ..Data::default() };
                    tool(response, &mut self.calls, request, &list.item(index));
                }
                response.origin = root;
                response.id = data.id.or_else(|| event.id.map(|word| word.0));
                response.about.completed = event.time;
                match data.content {
                    Some(text) if self.whole => building::answer_text(response, &text, false),
                    said => {
                        self.preview.clear();
                        self.said = said.map(|text| (text, origin.clone()));
                    }
                }
                if let Some(citations) = data.citations {
                    cited(response, citations, &origin.key("citations"));
                }
            }
            "user.message" => response.about.question = data.content.map(Into::into),
            "assistant.reasoning" => self.think(data, origin, true),
            "assistant.reasoning_delta" => self.think(data, origin, false),
            "session.error" => {
                self.failure = Some((Failure { code: data.failed, message: data.message }, origin));
            }
            "session.shutdown" if data.shutdown.as_deref() == Some("error") => {
                self.failure = Some((Failure { code: None, message: data.reason }, origin));
            }
            "abort" => response.about.interrupted = Some(true),
            kind if kind.starts_with("tool.") || kind == "subagent.failed" => {
                tool(response, &mut self.calls, data, &origin);
            }
            _ => {
                self.preview.push_str(&data.delta.unwrap_or_default());
                self.previews = self.previews.take().or(data.id.map(|id| (id, origin)));
            }
        }
        Ok(())
    }

    fn holds(&self) -> usize {
        building::holds(&self.response)
    }

    fn finish(self) -> Vec<Response> {
        let mut response = self.response;
        if !self.whole {
            if !self.preview.is_empty() {
                says(&mut response, self.said);
                building::answer_text(&mut response, &self.preview, false);
            } else if let Some((text, _)) = self.said.filter(|(text, _)| !text.is_empty()) {
                building::answer_text(&mut response, &text, false);
            }
            let asked = response.about.question.is_some();
            let begun = asked || response.answer.is_some() || !response.traces.is_empty();
            // A piece may have been logged by itself.
            if self.frames > 1 && begun {
                building::cut_off(&mut response, self.frames, "an assistant.message with words");
            } else {
                response.partial = true;
                response.state = AnswerState::Partial;
            }
        }
        if let Some((failure, origin)) = self.failure {
            building::failed(&mut response, failure, &origin);
        }
        vec![response]
    }
}

impl Session {
    /// Another message than that of a preview has begun: what came of that is a step, and told.
    fn leave(&mut self, next: Option<&str>) {
        let Some((_, origin)) = self.previews.take_if(|(id, _)| next != Some(id)) else { return };
        let text = std::mem::take(&mut self.preview);
        if !text.trim().is_empty() {
            let words =
                "the message of these pieces never came, another one follows: they are shown as a step";
            building::remark(&mut self.response, RemarkKind::Truncated, &origin, words);
            says(&mut self.response, Some((text, origin)));
        }
    }

    /// A thought, or a piece of one, which the whole repeats.
    fn think(&mut self, data: Data, origin: Origin, whole: bool) {
        let text = if whole { data.content } else { data.delta }.unwrap_or_default();
        let known = self.thoughts.get(&data.thought.as_ref().map(|id| id.0.clone())).copied();
        let trace = known.and_then(|number| self.response.traces.get_mut(number));
        match trace {
            Some(trace) if whole => {
                (trace.thought, trace.origin) = (Some(text).filter(|text| !text.trim().is_empty()), origin);
            }
            Some(trace) => trace.thought.get_or_insert_default().push_str(&text),
            None if whole => steps::think(&mut self.response, &text, &origin),
            None => {
                let number = steps::trace(
                    &mut self.response,
                    Trace { origin, thought: Some(text), ..Trace::default() },
                );
                self.thoughts.insert(data.thought.map(|id| id.0), number);
                return;
            }
        }
        if whole {
            self.thoughts.remove(&data.thought.map(|id| id.0));
        }
    }
}

/// What a message said beside the tools that it called, as a step on the way to the one behind it.
fn says(response: &mut Response, said: Option<(String, Origin)>) {
    if let Some((text, origin)) = said.filter(|(text, _)| !text.trim().is_empty()) {
        steps::trace(response, Trace { origin, description: Some(text), ..Trace::default() });
    }
}

fn tool(response: &mut Response, calls: &mut HashMap<String, usize>, data: Data, origin: &Origin) {
    let known = data.call.as_ref().and_then(|id| calls.get(id)).copied();
    let number = known.unwrap_or_else(|| {
        let trace = Trace { origin: origin.clone(), id: data.call.clone(), ..Trace::default() };
        let number = steps::trace(response, trace);
        calls.extend(data.call.clone().map(|id| (id, number)));
        number
    });
    let Some(trace) = response.traces.get_mut(number) else { return };
    trace.tool = data.tool.or(trace.tool.take());
    trace.arguments = data.arguments.or(trace.arguments.take());
    let error = data.error.as_ref().map(|error| error.get("message").as_ref().unwrap_or(error).plain());
    trace.failed |= data.success == Some(false) || error.is_some();
    trace.error = error.or(trace.error.take());
    trace.results.extend(data.result.map(|value| steps::text_result(value.plain())));
}

fn cited(response: &mut Response, citations: Citations, origin: &Origin) {
    let list = origin.key("sources");
    let mut shelf = Shelf::default();
    for (index, wire) in citations.sources.into_iter().enumerate() {
        response.sources.add(Source {
            origin: list.item(index),
            kind: if wire.url.is_some() { SourceKind::Web } else { SourceKind::Document },
            number: wire.id.as_ref().map(|id| id.0.clone()),
            id: wire.id.map(|id| id.0),
            title: wire.title,
            uri: wire.url,
            document: wire.path,
            ..Source::default()
        });
    }
    let ids = response.sources.iter().enumerate().rev();
    let by_id: HashMap<String, usize> =
        ids.filter_map(|(index, source)| Some((source.id.clone()?, index))).collect();
    let list = origin.key("spans");
    for (index, span) in citations.spans.into_iter().enumerate() {
        let references = span.references.into_iter().enumerate();
        let citations =
            references.map(|(number, wire)| reference(response, &mut shelf, &by_id, wire, number)).collect();
        response.supports.add(Support {
            origin: list.item(index),
            layer: Layer::Span,
            kind: AnchorKind::Span,
            segment: Some(building::offsets(&OFFSETS, span.start, span.end)),
            citations,
            ..Support::default()
        });
    }
}

fn reference(
    response: &mut Response,
    shelf: &mut Shelf,
    by_id: &HashMap<String, usize>,
    wire: Reference,
    number: usize,
) -> Citation {
    let place = Place { list: Some(&REFERENCES), index: number as u32 };
    let id = wire.source.map_or_else(|| "null".to_owned(), |word| word.0);
    let Some(&source) = by_id.get(&id) else {
        return Citation::of(Target::Dangling(id.into()), place);
    };
    let chunk = wire.text.map(|text| Chunk { text, label: Some(Label::CitedText), ..Chunk::default() });
    let chunks = chunk.map(|chunk| shelf.passage(response, source, chunk)).into_iter().collect();
    let location = wire.location.map(|sent| Location {
        kind: match kind(&sent.kind) {
            "page" => LocationKind::Page,
            "block" => LocationKind::Block,
            _ => LocationKind::Char,
        },
        start: sent.start,
        end: sent.end,
        document: None,
    });
    let cited = Cited { chunks, location, ..Cited::default() };
    let cited = (cited != Cited::default()).then(|| Box::new(cited));
    Citation { cited, ..Citation::of(Target::Source(source), place) }
}
