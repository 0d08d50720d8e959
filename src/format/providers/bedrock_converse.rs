//! AWS Bedrock's Converse API: Claude cites blocks of the content, Nova the end of the text so far. Offsets
//! of a citation count in its source.

use std::collections::HashMap;

use super::converse_cites::{self, CitationsContent, Cite, Text};
use crate::format::building::{self, Bounded, Retold};
use crate::format::growth::Growth;
use crate::format::interface::{self, Boundary, Format, FrameGroup, begin, read};
use crate::format::shelf::Shelf;
use crate::format::slots::Slots;
use crate::format::steps;
use crate::format::stops::stopped;
use crate::json::Peek;
use crate::json::values::{KindWord, Word, kind};
use crate::json::wire::{Cx, TextOr, wire};
use crate::model::{
    AnchorKind, Citation, Failure, JsonText, Layer, List, Origin, OwnPlace, Part, Place, Response, Seldom,
    Support, Trace, Unit,
};

pub const FORMAT: Format = Format {
    id: "bedrock-converse",
    vendor: "AWS",
    short: "Bedrock Converse",
    name: "AWS Bedrock Converse (Claude, Nova)",
    reads: "responses, messages alone, event streams as JSON lines or in AWS's binary framing",
    offsets: "none into the answer: cited blocks, points behind a text; those of a citation count in its source",
    recognise,
    group,
    announced: true,
    fold: begin::<Stream>,
    samples: &[sample!(
        "bedrock-converse.json",
        "AWS Bedrock Converse",
        "cited blocks as Claude sends them and points as Nova does; the year is not that of its quote"
    )],
    ..Format::PLAIN
};

wire! {
    /// A body, or an event of a stream.
    struct Frame {
        output: Option<Output> = "output";
        // Of a message alone.
        speaker: Option<KindWord> = "role";
        content: Vec<Block> = "content";
        stop: Option<String> = "stopReason";
        role: Option<Event> = "messageStart";
        start: Option<Event> = "contentBlockStart";
        delta: Option<Event> = "contentBlockDelta";
        end: Option<Event> = "contentBlockStop";
        ended: Option<Event> = "messageStop";
        metadata: Option<Event> = "metadata";
        internal: Option<Problem> = "internalServerException";
        model: Option<Problem> = "modelStreamErrorException";
        throttled: Option<Problem> = "throttlingException";
        invalid: Option<Problem> = "validationException";
        unavailable: Option<Problem> = "serviceUnavailableException";
    }

    struct Problem {
        message: Option<String> = "message";
    }

    struct Event whole ["usage", "metrics", "trace"] {
        index: Option<i64> = "contentBlockIndex";
        role: Option<KindWord> = "role";
        stop: Option<String> = "stopReason";
        start: Option<Block> = "start";
        delta: Option<Block> = "delta";
        // Filler that hides the length of what is sent.
        filler: Option<Word> = "p";
    }

    struct Output {
        message: Option<Message> = "message";
    }

    struct Message whole [] {
        role: Option<KindWord> = "role";
        content: Vec<Block> = "content";
    }

    /// A block of the content, or a piece of one.
    struct Block lists 5120 whole ["audio", "cachePoint", "document", "guardContent", "image", "searchResult", "video"] {
        text: Option<String> = "text";
        cited: Option<CitationsContent> = "citationsContent";
        citation: Option<Cite> = "citation";
        reasoning: Option<Reasoning> = "reasoningContent";
        call: Option<ToolUse> = "toolUse";
        // In pieces of a stream a list of what it says.
        result: TextOr<ToolResult> = "toolResult";
    }

    struct Reasoning {
        whole: Option<Text> = "reasoningText";
        text: Option<String> = "text";
    }

    struct ToolUse {
        id: Option<String> = "toolUseId";
        name: Option<String> = "name";
        input: Option<JsonText> = "input";
        kind: Option<KindWord> = "type";
    }

    struct ToolResult {
        id: Option<String> = "toolUseId";
        status: Option<String> = "status";
        kind: Option<KindWord> = "type";
        content: TextOr<Told> = "content";
        text: Option<String> = "text";
        json: Option<JsonText> = "json";
    }

    struct Told {
        text: Option<String> = "text";
        json: Option<JsonText> = "json";
    }
}

const EVENTS: &[&str] =
    &["contentBlockDelta", "contentBlockStart", "contentBlockStop", "messageStart", "messageStop"];

const PROBLEMS: &[&str] = &[
    "internalServerException",
    "modelStreamErrorException",
    "throttlingException",
    "validationException",
    "serviceUnavailableException",
];

fn recognise(peek: &Peek) -> bool {
    // What programs wrap has a message among other things.
    let beside = peek.has_any(&["stopReason", "usage", "metrics"]);
    let output = peek.below("output").filter(|output| beside || output.keys().count() == 1);
    let message = output.and_then(|output| output.below("message"));
    message.is_some_and(|message| message.has("content"))
        || is_message(peek)
        || EVENTS.iter().chain(PROBLEMS).any(|event| peek.kind(event) == Some('{'))
        || peek.below("metadata").is_some_and(|metadata| {
            metadata.has("usage") && (metadata.has("metrics") || peek.keys().count() == 1)
        })
}

/// A message alone, as conversations keep it.
fn is_message(peek: &Peek) -> bool {
    peek.word("role").is_some_and(|role| role == "assistant")
        && !peek.has("type")
        && peek.text_of("content").is_some_and(|blocks| blocks.contains("\"citationsContent\""))
}

fn group(peek: &Peek) -> FrameGroup {
    match () {
        () if peek.has("output") || is_message(peek) => FrameGroup::Alone,
        // Figures on the stream come behind its end.
        () if peek.has("metadata") || peek.has_any(PROBLEMS) => {
            FrameGroup::Stream { id: None, boundary: Boundary::WithPrevious }
        }
        () => {
            let event = EVENTS.iter().find(|event| peek.has(event)).copied().unwrap_or_default();
            FrameGroup::event(event, &["messageStart"], &["messageStop"])
        }
    }
}

/// Bytes of a block.
const BLOCK: usize = 3072;

/// A block as far as it came.
#[derive(Default, Clone)]
struct Built {
    wire: Block,
    origin: Origin,
    /// Text in pieces beside citations.
    text: Option<String>,
    growth: Growth,
    cites: Vec<(Cite, Origin)>,
    input: String,
    /// The citations stand in a list.
    listed: bool,
    /// It may go on: a stream has not said that it ended.
    open: bool,
}

#[derive(Default, Clone)]
struct Stream {
    origin: Origin,
    frames: u32,
    streamed: bool,
    ended: bool,
    blocks: Slots<Built>,
    retold: Retold,
    stop: Option<String>,
    failure: Option<(Failure, Origin)>,
}

impl interface::FoldState for Stream {
    fn push(&mut self, frame: u32, text: &str, cx: &Cx) -> Result<(), serde_json::Error> {
        let wire: Frame = read(text, cx)?;
        let root = building::root(frame);
        if self.frames == 0 {
            self.origin = root.clone();
        }
        self.frames = frame + 1;
        self.stop = wire.stop.or(self.stop.take());
        let message = wire.output.and_then(|output| output.message);
        let (blocks, list) = match message {
            Some(message) => (message.content, root.key("output").key("message").key("content")),
            None => (wire.content, root.key("content")),
        };
        if !blocks.is_empty() {
            for (index, block) in blocks.into_iter().enumerate() {
                self.blocks.put(index as i64, Built::of(block, list.item(index)));
            }
            return Ok(());
        }
        self.streamed = true;
        if let Some(event) = wire.start {
            let block = event.start.unwrap_or_default();
            let origin = root.key("contentBlockStart").key("start");
            self.blocks.begin(event.index, Built { open: true, ..Built::of(block, origin) });
        }
        if let Some(event) = wire.delta {
            let origin = root.key("contentBlockDelta").key("delta");
            let new = || Built { origin: origin.clone(), open: true, ..Built::default() };
            let delta = event.delta.unwrap_or_default();
            let says = delta.text.as_ref().is_some_and(|text| !text.is_empty());
            self.retold.behind |= says && self.blocks.has_ended(event.index);
            self.blocks.at(event.index, new).add(delta, &origin);
        }
        if let Some(event) = wire.end {
            if let Some(block) = self.blocks.begun(event.index) {
                block.open = false;
            }
            self.blocks.close(event.index);
        }
        if let Some(event) = wire.ended {
            self.ended = true;
            self.stop = event.stop.or(self.stop.take());
        }
        let problems = [
            ("internalServerException", wire.internal),
            ("modelStreamErrorException", wire.model),
            ("throttlingException", wire.throttled),
            ("validationException", wire.invalid),
            ("serviceUnavailableException", wire.unavailable),
        ];
        for (name, problem) in problems {
            if let Some(problem) = problem {
                let failure = Failure { code: Some(name.to_owned()), message: problem.message };
                self.failure = Some((failure, root.key(name)));
            }
        }
        Ok(())
    }

    fn holds(&self) -> usize {
        self.blocks.len() * BLOCK
    }

    fn finish(self) -> Vec<Response> {
        let mut response =
            Response { origin: self.origin.clone(), unit: Unit::Characters, ..Response::default() };
        let mut builder = Builder::default();
        for block in self.blocks.into_values() {
            let open = block.open && !self.ended;
            builder.block(&mut response, Built { open, ..block });
        }
        self.retold.tell(&mut response, &self.origin);
        (response.state, response.ending) = stopped(self.stop.as_deref());
        response.finish = self.stop;
        if let Some((failure, origin)) = self.failure {
            building::failed(&mut response, failure, &origin);
        } else if self.streamed && !self.ended {
            building::cut_off(&mut response, self.frames, "messageStop");
        }
        vec![response]
    }
}

impl Built {
    fn of(mut wire: Block, origin: Origin) -> Self {
        let mut out = Self { origin, ..Self::default() };
        if let Some(cited) = wire.cited.take() {
            out.text = cited.text();
            out.origin = out.origin.key("citationsContent");
            out.listed = true;
            let list = out.origin.key("citations");
            let cites = cited.citations.into_iter().enumerate();
            out.cites = cites.map(|(index, cite)| (cite, list.item(index))).collect();
        }
        out.text = wire.text.take().or(out.text);
        out.wire = wire;
        out
    }

    fn add(&mut self, delta: Block, origin: &Origin) {
        if let Some(text) = delta.text {
            self.growth.push(self.text.get_or_insert_default(), &text);
        }
        self.cites.extend(delta.citation.map(|cite| (cite, origin.key("citation"))));
        if let Some(reasoning) = delta.reasoning {
            let into = self.wire.reasoning.get_or_insert_default();
            into.text.get_or_insert_default().push_str(&reasoning.text.unwrap_or_default());
        }
        if let Some(call) = delta.call {
            self.wire.call.get_or_insert_default();
            self.input.push_str(&call.input.as_ref().and_then(JsonText::as_text).unwrap_or_default());
        }
        self.wire.result.list.extend(delta.result.list);
        self.wire.result.text = delta.result.text.or(self.wire.result.text.take());
    }
}

/// What Nova puts behind a point.
const RESERVED: char = '\u{200B}';

/// Where citations of a block stand.
static CITATIONS: List = List { key: "citations", leaf: "" };

/// Citations with their places, and whether they stand in a list.
type Cites = (Vec<(Cite, Origin)>, bool);

/// A response from its blocks.
#[derive(Default)]
struct Builder {
    shelf: Shelf,
    calls: HashMap<String, usize>,
    /// The block before this one was citations without text.
    points: bool,
}

impl Builder {
    fn block(&mut self, response: &mut Response, block: Built) {
        let Built { wire, origin, mut text, growth, cites, input, listed, open } = block;
        if text.as_mut().is_some_and(|text| growth.settle(text)) {
            building::resent(response, &origin);
        }
        if let Some(reasoning) = &wire.reasoning {
            let whole = reasoning.whole.as_ref().and_then(|whole| whole.text.as_deref());
            steps::think(response, reasoning.text.as_deref().or(whole).unwrap_or_default(), &origin);
        }
        if let Some(call) = wire.call {
            self.call(response, call, input, &origin);
        }
        if !wire.result.list.is_empty() || wire.result.text.is_some() {
            self.result(response, wire.result, &origin);
        }
        let points = text.is_none() && !cites.is_empty();
        // The text that it would have backed never came.
        let textless = points && open;
        if let Some(text) = text {
            let start = response.text().len();
            building::answer_text(response, &text, false);
            // Nova reserves a blank without width for the mark: it is one.
            if let Some(support) = response.supports.last_mut().filter(|_| self.points)
                && text.starts_with(RESERVED)
            {
                support.own.mark = Some(start..start + RESERVED.len_utf8());
            }
        }
        if !cites.is_empty() {
            let before = response.supports.len();
            self.cited(response, (cites, listed), origin, points && !open);
            if let Some(support) = response.supports.get_mut(before).filter(|_| textless) {
                support.own = Seldom::default();
            }
        }
        self.points = points && !open;
    }

    fn cited(&mut self, response: &mut Response, block: Cites, origin: Origin, point: bool) {
        let (cites, listed) = block;
        let cites = cites.into_iter().enumerate();
        let citations: Vec<Citation> = cites
            .map(|(number, (cite, origin))| {
                let place = Place { list: listed.then_some(&CITATIONS), index: number as u32 };
                converse_cites::citation(response, &mut self.shelf, cite, origin, place)
            })
            .collect();
        let place = match response.parts.last() {
            Some(Part::Text(range)) => range.clone(),
            _ => 0..0,
        };
        if let Some(support) = response.supports.last_mut().filter(|_| point && self.points) {
            support.citations.extend(citations);
            return;
        }
        let (kind, own) = if point {
            (AnchorKind::Point, OwnPlace::mark(place.end..place.end))
        } else {
            (AnchorKind::Block, OwnPlace::placed(Some(place).filter(|place| !place.is_empty())))
        };
        response.supports.add(Support {
            origin,
            layer: Layer::Block,
            kind,
            own,
            citations,
            ..Support::default()
        });
    }

    fn call(&mut self, response: &mut Response, call: ToolUse, input: String, origin: &Origin) {
        let own = kind(&call.kind) == "server_tool_use";
        let input = Some(input).filter(|input| !input.is_empty()).map(JsonText::from);
        let input = input.or(call.input);
        let trace = Trace {
            origin: origin.clone(),
            id: call.id.clone(),
            tool: call.name,
            arguments: input.clone(),
            ..Trace::default()
        };
        let number = steps::trace(response, trace);
        self.calls.extend(call.id.map(|id| (id, number)));
        if let Some(input) = input.filter(|_| own) {
            steps::queries_of(response, number, &input, &origin.key("toolUse").key("input"));
        }
    }

    fn result(&mut self, response: &mut Response, sent: TextOr<ToolResult>, origin: &Origin) {
        let mut result = ToolResult::default();
        let mut said: Option<String> = None;
        for piece in sent.list {
            result.id = result.id.or(piece.id);
            result.status = result.status.or(piece.status);
            result.content.list.extend(piece.content.list);
            result.content.text = result.content.text.or(piece.content.text);
            if let Some(text) = piece.text {
                said.get_or_insert_with(String::new).push_str(&text);
            }
            result.content.list.extend(piece.json.map(|json| Told { text: None, json: Some(json) }));
        }
        // In pieces of a stream one text comes bit by bit.
        result.content.list.extend(said.map(|text| Told { text: Some(text), json: None }));
        result.content.text = result.content.text.or(sent.text);
        let known = result.id.as_ref().and_then(|id| self.calls.get(id)).copied();
        let number = known.unwrap_or_else(|| {
            let id = result.id.clone();
            steps::trace(response, Trace { origin: origin.clone(), id, ..Trace::default() })
        });
        let Some(trace) = response.traces.get_mut(number) else { return };
        trace.failed = result.status.as_deref() == Some("error");
        trace.state = result.status.or(trace.state.take());
        for told in result.content.list {
            let text = told.text.or_else(|| Some(told.json?.to_string()));
            trace.results.extend(text.map(steps::text_result));
        }
        trace.results.extend(result.content.text.map(steps::text_result));
    }
}
