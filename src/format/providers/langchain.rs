//! LangChain's content blocks: what every provider sends, in one form. Offsets are whatever the provider
//! gave; where none are left, the block is what its annotations back.

use std::collections::HashMap;

use serde_json::Value;

use super::converse_cites;
use super::langchain_chunks::{CHUNK, Chunks, Noted, Said, SentBlock};
use super::langchain_found;
use super::langchain_quotes;
use super::langchain_wire::{Annotation, Block, Call, Frame, Message};
use crate::anchor::Units;
use crate::format::building::{self, Bounded};
use crate::format::copied;
use crate::format::google;
use crate::format::interface::{self, Boundary, Format, FrameGroup, begin, pass_over, read};
use crate::format::markers::Charge;
use crate::format::shelf::Shelf;
use crate::format::steps;
use crate::format::stops::stopped;
use crate::json::Peek;
use crate::json::values::kind;
use crate::json::wire::Cx;
use crate::model::{
    AnchorKind, AnswerState, Chunk, Citation, Cited, Ending, JsonText, Label, Layer, Location, LocationKind,
    Origin, OwnPlace, Part, Place, Response, SegmentKeys, Source, SourceKind, Support, Target, Trace, Unit,
};

pub const FORMAT: Format = Format {
    id: "langchain",
    vendor: "LangChain",
    short: "LangChain",
    name: "LangChain message (content blocks)",
    reads: "messages with content_blocks or content, and what Google, Perplexity, xAI and Cohere send beside it, in chunks, as serialized constructors, in conversations and states",
    offsets: "as the provider sent them; quotes or marks prove them, else blocks",
    recognise,
    group,
    fold: begin::<Told>,
    note_cut,
    samples: &[sample!(
        "langchain.json",
        "LangChain content blocks",
        "blocks as Anthropic's, a mark as OpenAI's, bytes as Google's in one message"
    )],
    ..Format::PLAIN
};

fn recognise(peek: &Peek) -> bool {
    let speaks = |first: &Peek| {
        let kind = first.word("type").unwrap_or_default();
        first.has("content") && matches!(kind.as_str(), "human" | "ai" | "system")
    };
    let listed = peek.kind("messages") == Some('[');
    let state = listed && peek.first("messages").is_some_and(|first| is_message(&first) || speaks(&first));
    is_message(peek) || state
}

/// Whether an object is a message: as it is, as a constructor, or as a dictionary.
fn is_message(peek: &Peek) -> bool {
    let holds = |key: &str| peek.below(key).is_some_and(|inner| inner.has_any(&["content", "contentBlocks"]));
    peek.kind("contentBlocks") == Some('[')
        || peek.has("lc") && holds("kwargs")
        || peek.has("type")
            && peek.below("data").is_some_and(|data| data.has("content") && data.has_any(MARKS))
        || peek.has("content")
            && (peek.has_any(MARKS) || peek.word("type").is_some_and(|word| word == "ai" || word == CHUNK))
}

/// Keys of which a message has one.
const HOLDS: &[&str] = &["content", "contentBlocks", "kwargs", "data", "messages", "toolCalls"];

/// Fields that every message has.
const MARKS: &[&str] = &["responseMetadata", "additionalKwargs"];

/// What a message is, by its type or, of a constructor, by its class.
fn named<'a>(kind: &'a str, class: Option<&'a Value>) -> &'a str {
    let class = class.and_then(Value::as_array).and_then(|path| path.last()).and_then(Value::as_str);
    if kind == "constructor" { class.unwrap_or_default() } else { kind }
}

/// Who says a message.
fn speaker(name: &str) -> Speaker {
    match name {
        "human" | "HumanMessage" => Speaker::Human,
        "system" | "SystemMessage" => Speaker::System,
        "tool" | "ToolMessage" => Speaker::Tool,
        _ => Speaker::Model,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Speaker {
    Human,
    System,
    Tool,
    Model,
}

/// A question begins a turn; an answer that calls nothing ends it.
fn group(peek: &Peek) -> FrameGroup {
    let kind = peek.word("type").unwrap_or_default();
    let class = peek.text_of("id").and_then(|id| serde_json::from_str(id).ok());
    let calls = |message: &Peek| message.first("toolCalls").is_some();
    let called = calls(peek)
        || ["kwargs", "data"].iter().any(|key| peek.below(key).is_some_and(|inner| calls(&inner)));
    let name = named(&kind, class.as_ref());
    if name == CHUNK {
        let inner = ["kwargs", "data"].iter().find_map(|key| peek.below(key));
        return group_of_chunk(inner.as_ref().unwrap_or(peek));
    }
    let boundary = match speaker(name) {
        Speaker::Human => Boundary::Begins,
        Speaker::Model if !called => Boundary::EndsUnlessId,
        _ => Boundary::Continues,
    };
    if peek.has("messages") {
        return FrameGroup::Alone;
    }
    FrameGroup::Stream { id: None, boundary }
}

/// Chunks go by their id, which the library gives them where the service does not. What OpenAI calls a
/// response and its message stands in a chunk each that says nothing else.
fn group_of_chunk(message: &Peek) -> FrameGroup {
    let id = message.word("id").filter(|_| message.kind("id") == Some('"'));
    let is_last = message.word("chunkPosition").is_some_and(|word| word == "last");
    let is_empty = || match message.kind("content") {
        Some('"') => message.text_of("content") == Some("\"\""),
        _ => message.first("content").is_none(),
    };
    let is_bare = || {
        let calls = message.first("toolCallChunks").or_else(|| message.first("toolCalls"));
        !is_last && calls.is_none() && is_empty()
    };
    let boundary = match id.as_deref().map(|id| id.split_once('_')) {
        Some(Some(("resp", _))) if is_bare() => Boundary::Begins,
        Some(Some(("msg", _))) if is_bare() => Boundary::WithPrevious,
        Some(_) => return FrameGroup::Stream { id, boundary: Boundary::Continues },
        None if is_last && !is_empty() => Boundary::SpeaksLast,
        None if is_last => Boundary::EndsUnlessId,
        None if !is_empty() => Boundary::Speaks,
        None => Boundary::Continues,
    };
    FrameGroup::Stream { id: None, boundary }
}

/// One chunk may be what the chunks were added up to; as an event it begins a message.
fn note_cut(responses: &mut [Response], frames: &[&str]) {
    let ([frame], [response]) = (frames, responses) else { return };
    let peek = Peek::of(frame, &[]);
    let inner = ["kwargs", "data"].iter().find_map(|key| peek.below(key));
    let message = inner.as_ref().unwrap_or(&peek);
    let is = |key: &str, word: &str| message.word(key).is_some_and(|sent| sent == word);
    let open = response.state == AnswerState::Complete && response.finish.is_none();
    if open && is("type", CHUNK) && !is("chunkPosition", "last") {
        building::cut_off(response, 1, END);
    }
}

/// What ends a message in chunks.
const END: &str = "a reason to stop";

/// Where the offsets of an annotation stand.
static OFFSETS: SegmentKeys = SegmentKeys { holder: "", start: "startIndex", end: "endIndex", text: false };

/// A conversation as far as it came.
#[derive(Default, Clone)]
struct Told {
    question: Option<String>,
    /// The answers.
    done: Vec<(Response, Builder)>,
    /// The last one called, and goes on with what comes of that.
    calls: bool,
    /// A message that comes in chunks.
    chunks: Option<Chunks>,
    marks: Charge,
    origin: Origin,
}

impl interface::FoldState for Told {
    fn push(&mut self, frame: u32, text: &str, cx: &Cx) -> Result<(), serde_json::Error> {
        // What products tell among chunks is no message.
        if frame > 0 && !Peek::of(text, &[]).has_any(HOLDS) {
            return pass_over(text, cx);
        }
        let mut wire: Frame = read(text, cx)?;
        let root = building::root(frame);
        self.origin = root.clone();
        if wire.messages.is_empty() {
            self.message(wire, &root, cx);
            return Ok(());
        }
        let list = root.key("messages");
        for (index, message) in std::mem::take(&mut wire.messages).into_iter().enumerate() {
            let before = self.done.len();
            self.message(message, &list.item(index), cx);
            if !building::takes_event(cx, self.done.len() > before) {
                break;
            }
        }
        Ok(())
    }

    fn holds(&self) -> usize {
        self.chunks.as_ref().map_or(0, Chunks::holds)
    }

    fn finish(mut self) -> Vec<Response> {
        self.end_chunks();
        if self.done.is_empty() || self.question.is_some() {
            self.begin(&self.origin.clone());
            if let Some((response, _)) = self.done.last_mut() {
                response.state = AnswerState::Partial;
            }
        }
        let numbered = self.done.into_iter().enumerate();
        numbered.map(|(item, (response, _))| Response { item, ..response }).collect()
    }
}

/// The message of a frame, as it is or inside of its constructor or dictionary, and where its fields stand.
fn message_of(wire: Frame, origin: &Origin) -> (Message, Origin) {
    let Frame {
        kwargs,
        data,
        blocks,
        content,
        id,
        kind,
        made,
        position,
        beside,
        calls,
        pieces,
        call,
        name,
        status,
        ..
    } = wire;
    let inner = kwargs.map(|message| (*message, origin.key("kwargs")));
    let inner = inner.or_else(|| data.map(|message| (*message, origin.key("data"))));
    inner.unwrap_or_else(|| {
        (
            Message { blocks, content, id, kind, made, position, beside, calls, pieces, call, name, status },
            origin.clone(),
        )
    })
}

/// Sources in a tool's result that take no room of their own, and what each further one takes.
const LISTED: usize = 1024;
const RESULT: usize = 2 << 10;

impl Told {
    fn begin(&mut self, origin: &Origin) {
        let mut response = Response { origin: origin.clone(), unit: Unit::Characters, ..Response::default() };
        response.about.question = self.question.take().map(Into::into);
        self.done.push((response, Builder::default()));
    }

    fn message(&mut self, wire: Frame, origin: &Origin, cx: &Cx) {
        let class = wire.id.clone();
        let name = named(kind(&wire.kind), class.as_ref());
        let (speaker, in_chunks) = (speaker(name), name == CHUNK);
        let (message, base) = message_of(wire, origin);
        let said = Said::of(message, origin, &base);
        for text in said.blocks.iter().filter_map(|sent| sent.block.text.as_deref()) {
            if !self.marks.take(text, cx) {
                return;
            }
        }
        // They are kept as they came, and each becomes a source and a result.
        for sent in said.blocks.iter().chain(&said.outputs) {
            if !cx.take(langchain_found::count(&sent.block).saturating_sub(LISTED) * RESULT) {
                return;
            }
        }
        if let Some(chunks) = self.chunks.as_mut().filter(|chunks| in_chunks && chunks.goes_on_with(&said)) {
            chunks.push(said);
            return;
        }
        self.end_chunks();
        match speaker {
            Speaker::Human => {
                let asked = self.question.take().into_iter().chain(said.text());
                self.question = asked.reduce(|before, more| format!("{before}\n{more}"));
            }
            Speaker::System => {}
            Speaker::Tool => {
                if let Some((response, builder)) = self.done.last_mut() {
                    builder.returned(response, said, &base);
                }
            }
            Speaker::Model if in_chunks => self.chunks = Some(Chunks::begin(said)),
            Speaker::Model => self.answer(said),
        }
    }

    /// No more chunks of a message come.
    fn end_chunks(&mut self) {
        if let Some(chunks) = self.chunks.take() {
            self.answer(chunks.join());
        }
    }

    fn answer(&mut self, mut said: Said) {
        if !self.calls || self.question.is_some() || self.done.is_empty() {
            self.begin(&said.origin);
        }
        let Some((response, builder)) = self.done.last_mut() else { return };
        let message = std::mem::take(&mut said.message);
        response.id = message.id.as_ref().and_then(Value::as_str).map(str::to_owned).or(response.id.take());
        let made = message.made.unwrap_or_default();
        response.model = made.model.or(response.model.take());
        // The reason says more than that there is one.
        let reason = made.incomplete.and_then(|incomplete| incomplete.reason);
        let finish = reason.or(google::finish(made.finish)).or(made.status);
        response.finish = finish.or(response.finish.take());
        let refusal = said.blocks.iter().find_map(|sent| sent.block.refusal.clone());
        let content = said.blocks.first().map_or_else(|| said.origin.clone(), |sent| sent.origin.clone());
        if let Some((thought, origin)) = said.take_thought() {
            steps::think(response, &thought, &origin);
        }
        for block in said.outputs.into_iter().chain(said.blocks) {
            builder.block(response, block);
        }
        copied::claims(response);
        said.handed.lower(response, &content);
        self.calls = !said.calls.is_empty();
        for (call, origin) in said.calls {
            builder.called(response, call, origin);
        }
        (response.state, response.ending) = if self.calls {
            (AnswerState::Partial, Ending::Waiting)
        } else {
            stopped(response.finish.as_deref())
        };
        if said.breaks_off {
            building::cut_off(response, said.frames, END);
        }
        if said.is_late {
            building::late(response, &said.origin);
        }
        let blocked = google::blocked(made.feedback.and_then(|feedback| feedback.blocked));
        response.about.blocked = blocked.or(response.about.blocked.take());
        let refusal = refusal.or(message.beside.and_then(|beside| beside.refusal));
        if let Some(refusal) = refusal.filter(|refusal| !refusal.is_empty()) {
            (response.state, response.about.blocked) = (AnswerState::Skipped, Some(refusal));
        }
    }
}

#[derive(Default, Clone)]
struct Builder {
    shelf: Shelf,
    calls: HashMap<String, usize>,
}

impl Builder {
    fn block(&mut self, response: &mut Response, sent: SentBlock) {
        let SentBlock { block, annotations, origin, is_point, .. } = sent;
        match kind(&block.kind) {
            "text" | "citations_content" | "" if is_point => self.point(response, annotations, origin),
            "text" | "citations_content" | "" => {
                self.text(response, &block.text.unwrap_or_default(), annotations, origin);
            }
            "reasoning" => steps::think(response, block.reasoning.as_deref().unwrap_or_default(), &origin),
            "refusal" => {}
            name if name == "tool_result" || name.ends_with("_tool_result") => {
                self.result(response, block, &origin);
            }
            name => {
                let own = name == "server_tool_call" || name == "server_tool_use";
                let called = name.strip_suffix("_call").filter(|name| !name.ends_with("tool"));
                let tool = block.name.clone().or_else(|| called.map(str::to_owned));
                let trace = Trace {
                    origin: origin.clone(),
                    id: block.id.clone(),
                    tool,
                    arguments: block.args.as_ref().map(JsonText::from),
                    ..Trace::default()
                };
                let number = steps::trace(response, trace);
                self.calls.extend(block.id.clone().map(|id| (id, number)));
                if let Some(args) = block.args.as_ref().map(JsonText::from).filter(|_| own) {
                    steps::queries_of(response, number, &args, &origin.key("args"));
                }
                self.searched(response, block, &origin, number);
            }
        }
    }

    /// A call of OpenAI's that also says what it searched for, and what it found.
    fn searched(&mut self, response: &mut Response, block: Block, origin: &Origin, step: usize) {
        if let Some(action) = &block.action {
            steps::queries_of(response, step, action, &origin.key("action"));
        }
        for (index, text) in block.queries.iter().enumerate() {
            steps::query(response, step, text, &origin.key("queries").item(index));
        }
        langchain_found::lower(response, &mut self.shelf, &block, origin, step);
        if let Some(step) = response.traces.get_mut(step) {
            step.error = block.error.filter(|error| !error.is_null()).map(|error| error.plain());
            step.failed |=
                step.error.is_some() || matches!(block.status.as_deref(), Some("failed" | "incomplete"));
            step.state = block.status.or(step.state.take());
        }
    }

    /// A call that is listed beside the blocks; most repeat one of these.
    fn called(&mut self, response: &mut Response, call: Call, origin: Origin) {
        if call.id.as_ref().is_some_and(|id| self.calls.contains_key(id)) {
            return;
        }
        let arguments = call.args.map(JsonText::from);
        let trace = Trace { origin, id: call.id.clone(), tool: call.name, arguments, ..Trace::default() };
        let number = steps::trace(response, trace);
        self.calls.extend(call.id.map(|id| (id, number)));
    }

    /// What a tool said.
    fn returned(&mut self, response: &mut Response, said: Said, origin: &Origin) {
        let text = said.text().map(steps::text_result);
        let message = said.message;
        let known = message.call.as_ref().and_then(|id| self.calls.get(id)).copied();
        let number = known.unwrap_or_else(|| {
            let trace = Trace {
                origin: origin.clone(),
                id: message.call.clone(),
                tool: message.name.clone(),
                ..Trace::default()
            };
            steps::trace(response, trace)
        });
        let failed = message.status.as_deref() == Some("error");
        if let Some(trace) = response.traces.get_mut(number) {
            trace.failed |= failed;
            trace.results.extend(text);
        }
    }

    fn result(&mut self, response: &mut Response, block: Block, origin: &Origin) {
        let known = block.call.as_ref().and_then(|id| self.calls.get(id)).copied();
        let number = known.unwrap_or_else(|| {
            let id = block.call.clone();
            steps::trace(response, Trace { origin: origin.clone(), id, ..Trace::default() })
        });
        langchain_found::lower(response, &mut self.shelf, &block, origin, number);
        if let Some(trace) = response.traces.get_mut(number) {
            trace.failed |= block.status.as_deref() == Some("error");
            trace.state = block.status.or(trace.state.take());
        }
    }

    /// What is cited behind the words so far.
    fn point(&mut self, response: &mut Response, annotations: Vec<Noted>, origin: Origin) {
        let end = response.text().len();
        let cite = |noted: Noted| {
            let here = noted.place.below(&noted.block);
            self.citation(response, noted.wire, &here, noted.place)
        };
        let citations: Vec<Citation> = annotations.into_iter().map(cite).collect();
        if !citations.is_empty() {
            response.supports.add(Support {
                origin,
                layer: Layer::Citation,
                kind: AnchorKind::Point,
                own: OwnPlace::mark(end..end),
                citations,
                ..Support::default()
            });
        }
    }

    fn text(&mut self, response: &mut Response, text: &str, annotations: Vec<Noted>, origin: Origin) {
        building::answer_text(response, text, false);
        let units = Units::of(text);
        let part = response.parts.len() - 1;
        let place = match response.parts.last() {
            Some(Part::Text(range)) if !range.is_empty() => Some(range.clone()),
            _ => None,
        };
        let mut whole = Vec::new();
        let mut by_place: HashMap<(Option<i64>, Option<i64>), usize> = HashMap::new();
        for Noted { mut wire, place: at, block } in annotations {
            let mut segment = building::offsets(&OFFSETS, wire.start.take(), wire.end.take());
            let ranged = segment.end.is_some() || segment.unreadable.is_some();
            // Google's words of the answer stand in the field for those of the source.
            let google = wire.extras.as_ref().is_some_and(|extras| extras.google.is_some());
            let quote = wire.text.take_if(|quote| {
                ranged && (google || langchain_quotes::are_own(text, &units, &segment, quote))
            });
            // Where there are no words at all the range may be that of a mark, as OpenAI's are.
            let marked = quote.is_none() && wire.text.is_none();
            let here = at.below(&block);
            let citation = self.citation(response, wire, &here, at);
            if !ranged {
                whole.push(citation);
                continue;
            }
            let known = *by_place.entry((segment.start, segment.end)).or_insert(response.supports.len());
            if let Some(support) = response.supports.get_mut(known) {
                support.citations.add(Citation { place: Place::default(), ..citation });
                if let Some(segment) = support.segment.as_mut().filter(|_| !marked) {
                    support.kind = AnchorKind::Span;
                    segment.quote = segment.quote.take().or(quote);
                }
                continue;
            }
            segment.part = Some(part as i64);
            segment.quote = quote;
            response.supports.add(Support {
                origin: here,
                layer: Layer::Citation,
                kind: if marked { AnchorKind::Marker } else { AnchorKind::Span },
                segment: Some(segment),
                citations: vec![Citation { place: Place::default(), ..citation }],
                ..Support::default()
            });
        }
        if !whole.is_empty() {
            response.supports.add(Support {
                origin,
                layer: Layer::Citation,
                kind: AnchorKind::Block,
                own: OwnPlace::placed(place),
                citations: whole,
                ..Support::default()
            });
        }
    }

    fn citation(
        &mut self,
        response: &mut Response,
        mut wire: Annotation,
        origin: &Origin,
        place: Place,
    ) -> Citation {
        if let Some(cite) = wire.of_converse() {
            return converse_cites::citation(response, &mut self.shelf, cite, origin.clone(), place);
        }
        wire.title = wire.title.or_else(|| wire.filename.take());
        let (url, extras) = (wire.address(), wire.extras.clone().unwrap_or_else(|| wire.own()));
        let numbered = |number: Option<i64>, what: &str| number.map(|number| format!("{what} {number}"));
        let request = url.is_none() && extras.file.is_none();
        let id = extras.file.clone().filter(|_| url.is_none());
        let id = id.or_else(|| numbered(extras.document, "document").filter(|_| request));
        let source = Source {
            origin: origin.clone(),
            kind: match () {
                () if url.is_some() => SourceKind::Web,
                () if request => SourceKind::Request,
                () => SourceKind::File,
            },
            id: id.or_else(|| numbered(extras.result, "result").filter(|_| request)),
            title: wire.title.clone(),
            uri: url,
            number: extras.document.or(extras.result).map(|number| number.to_string()),
            ..Source::default()
        };
        let source = self.shelf.put(response, source);
        let chunk = wire.text.map(|text| Chunk { text, label: Some(Label::CitedText), ..Chunk::default() });
        let chunks = chunk.map(|chunk| self.shelf.passage(response, source, chunk)).into_iter().collect();
        let known = response.sources.get(source).and_then(|source| source.title.as_ref());
        let title = wire.title.filter(|title| known != Some(title));
        let kinds = [
            (LocationKind::Char, extras.first_char, extras.last_char),
            (LocationKind::Page, extras.first_page, extras.last_page),
            (LocationKind::Block, extras.first_block, extras.last_block),
        ];
        let range = kinds.into_iter().find(|(_, start, end)| start.is_some() || end.is_some());
        let document = extras.document.or(extras.result);
        let location = range.map(|(kind, start, end)| Location { kind, start, end, document });
        let cited = Cited { title, chunks, location };
        let cited = (cited != Cited::default()).then(|| Box::new(cited));
        Citation { cited, ..Citation::of(Target::Source(source), place) }
    }
}
