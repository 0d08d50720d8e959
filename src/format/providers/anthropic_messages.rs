//! Anthropic's Messages API: each text block is one segment, and its citations back all of it. No offsets
//! into the answer: those of a citation count in its source.

use std::collections::HashMap;

use crate::format::building::{self, Bounded, Retold};
use crate::format::cites::{self, Cite};
use crate::format::growth::Growth;
use crate::format::interface::{self, Format, FrameGroup, begin, pass_over, read};
use crate::format::shelf::Shelf;
use crate::format::slots::Slots;
use crate::format::steps;
use crate::format::stops::stopped;
use crate::json::Peek;
use crate::json::values::{KindWord, kind};
use crate::json::wire::{Cx, TextOr, wire};
use crate::model::{
    AnchorKind, Chunk, Citation, JsonText, Layer, Link, List, Origin, OwnPlace, Part, Place, Published,
    RemarkKind, Response, SearchResult, Source, SourceKind, Support, Target, Trace, Unit,
};

pub const FORMAT: Format = Format {
    id: "anthropic-messages",
    vendor: "Anthropic",
    short: "Anthropic Messages",
    name: "Anthropic Messages API",
    reads: "messages, also as conversations keep them, and streams with citations of documents, search results and web searches",
    offsets: "none into the answer: cited blocks; those of a citation count in its source",
    recognise,
    group,
    announced: true,
    fold: begin::<Stream>,
    samples: &[sample!(
        "anthropic-messages.json",
        "Anthropic Messages API",
        "cited blocks with quotes of documents, pages, search results and the web; the date is not that of its quote"
    )],
    ..Format::PLAIN
};

wire! {
    struct Event {
        kind: Option<KindWord> = "type";
        message: Option<Box<Message>> = "message";
        index: Option<i64> = "index";
        block: Option<Box<Block>> = "contentBlock";
        delta: Option<Delta> = "delta";
    }

    struct Delta whole ["container", "signature", "stopSequence"] {
        kind: Option<KindWord> = "type";
        text: Option<String> = "text";
        thinking: Option<String> = "thinking";
        json: Option<String> = "partialJson";
        citation: Option<Cite> = "citation";
        stop: Option<String> = "stopReason";
    }

    struct Message {
        kind: Option<KindWord> = "type";
        role: Option<KindWord> = "role";
        id: Option<String> = "id";
        model: Option<String> = "model";
        content: TextOr<Block> = "content";
        stop: Option<String> = "stopReason";
    }

    struct Block takes 3584 whole [] says ["text"] {
        kind: Option<KindWord> = "type";
        text: Option<String> = "text";
        thinking: Option<String> = "thinking";
        citations: Vec<Cite> = "citations";
        id: Option<String> = "id";
        name: Option<String> = "name";
        input: Option<JsonText> = "input";
        tool_use: Option<String> = "toolUseId";
        failed: Option<bool> = "isError";
        content: TextOr<Inner> = "content";
    }

    /// One of several results, or a document in one.
    struct Inner takes 1536 whole [] {
        kind: Option<KindWord> = "type";
        url: Option<String> = "url";
        title: Option<String> = "title";
        age: Option<String> = "pageAge";
        retrieved: Option<String> = "retrievedAt";
        error: Option<String> = "errorCode";
        text: Option<String> = "text";
        source: Option<JsonText> = "source";
        stdout: Option<String> = "stdout";
        stderr: Option<String> = "stderr";
        content: TextOr<Inner> = "content";
    }
}

const EVENTS: &[&str] = &[
    "message_start",
    "message_delta",
    "message_stop",
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
    "ping",
];

fn recognise(peek: &Peek) -> bool {
    let kind = peek.word("type").unwrap_or_default();
    let role = peek.word("role");
    // As conversations keep it there is no type: the blocks go back as they came.
    let kept = || {
        !peek.has("type") && peek.text_of("content").is_some_and(|blocks| blocks.contains("\"cited_text\""))
    };
    role.as_deref() == Some("assistant")
        && peek.has("content")
        && (kind == "message" && !peek.has("status") || kept())
        || EVENTS.contains(&kind.as_str())
}

fn group(peek: &Peek) -> FrameGroup {
    match peek.word("type").unwrap_or_default().as_str() {
        "message" | "" => FrameGroup::Alone,
        event => FrameGroup::event(event, &["message_start"], &["message_stop"]),
    }
}

/// Bytes of a block.
const BLOCK: usize = 2560;
/// Bytes of a citation that comes by itself: a source, a passage, and what its frame says beside them.
const CITED: usize = 3072;

/// A block, its place, and where each of its citations stands.
#[derive(Default, Clone)]
struct Placed {
    wire: Block,
    origin: Origin,
    cites: Vec<(Cite, Origin)>,
    /// Arguments as they come in pieces.
    json: String,
    growth: Growth,
}

impl Placed {
    fn of(mut wire: Block, origin: Origin) -> Self {
        let list = origin.key("citations");
        let cites = std::mem::take(&mut wire.citations).into_iter().enumerate();
        let cites = cites.map(|(index, cite)| (cite, list.item(index))).collect();
        Self { wire, origin, cites, ..Self::default() }
    }

    /// Its beginning comes behind what it holds already; where that came before, it says nothing new.
    fn begin_late(&mut self, begun: Self) {
        if self.wire.kind.is_some() {
            return;
        }
        let text = [begun.wire.text.as_ref(), self.wire.text.as_ref()].into_iter().flatten();
        let text = text.map(String::as_str).collect::<String>();
        let thinking = [begun.wire.thinking.as_ref(), self.wire.thinking.as_ref()].into_iter().flatten();
        let thinking = thinking.map(String::as_str).collect::<String>();
        let input = self.wire.input.take().or(begun.wire.input.clone());
        self.wire = Block { text: Some(text), thinking: Some(thinking), input, ..begun.wire };
        self.origin = begun.origin;
        self.cites.splice(0..0, begun.cites);
    }
}

#[derive(Default, Clone)]
struct Stream {
    message: Message,
    origin: Origin,
    blocks: Slots<Placed>,
    /// Citations that came by themselves.
    cites: usize,
    frames: u32,
    streamed: bool,
    ended: bool,
    retold: Retold,
}

impl interface::FoldState for Stream {
    fn push(&mut self, frame: u32, text: &str, cx: &Cx) -> Result<(), serde_json::Error> {
        let root = building::root(frame);
        let kind = Peek::of(text, &["type"]).word("type").unwrap_or_default();
        if EVENTS.contains(&kind.as_str()) {
            let event: Event = read(text, cx)?;
            if kind == "content_block_delta" && event.delta.is_none() {
                cx.flaw(|| "an event that brings a piece, without one: not used".to_owned());
            }
            self.event(&kind, event, &root);
        } else if !self.streamed || kind == "message" {
            self.take(read(text, cx)?, root);
        } else {
            pass_over(text, cx)?;
        }
        self.frames = frame + 1;
        Ok(())
    }

    fn holds(&self) -> usize {
        self.blocks.len() * BLOCK + self.cites * CITED
    }

    fn finish(self) -> Vec<Response> {
        let mut response = Response {
            origin: self.origin,
            id: self.message.id,
            model: self.message.model,
            unit: Unit::Characters,
            ..Response::default()
        };
        (response.state, response.ending) = stopped(self.message.stop.as_deref());
        response.finish = self.message.stop;
        if self.streamed && !self.ended {
            building::cut_off(&mut response, self.frames, "message_stop");
        }
        let origin = response.origin.clone();
        self.retold.tell(&mut response, &origin);
        let mut builder = Builder { streamed: self.streamed, ..Builder::default() };
        for block in self.blocks.into_values() {
            builder.block(&mut response, block);
        }
        vec![response]
    }
}

impl Stream {
    fn take(&mut self, mut message: Message, origin: Origin) {
        let content = std::mem::take(&mut message.content);
        let text = content.text.map(|text| Block { text: Some(text), ..Block::default() });
        let list = origin.key("content");
        for (index, block) in text.into_iter().chain(content.list).enumerate() {
            self.blocks.put(index as i64, Placed::of(block, list.item(index)));
        }
        self.message = message;
        self.origin = origin;
    }

    fn event(&mut self, kind: &str, event: Event, root: &Origin) {
        self.streamed = true;
        match kind {
            "message_start" => {
                self.take(event.message.map(|message| *message).unwrap_or_default(), root.key("message"));
            }
            "message_stop" => self.ended = true,
            "message_delta" => {
                let stop = event.delta.and_then(|delta| delta.stop);
                self.message.stop = stop.or(self.message.stop.take());
            }
            "content_block_start" => {
                let block = event.block.map(|block| *block).unwrap_or_default();
                self.blocks.open(
                    event.index,
                    Placed::of(block, root.key("contentBlock")),
                    Placed::begin_late,
                );
            }
            "content_block_delta" => {
                let delta = event.delta.unwrap_or_default();
                let behind = self.blocks.has_ended(event.index);
                let block = self.blocks.at(event.index, Placed::default);
                if let Some(text) = delta.text.filter(|text| !text.is_empty()) {
                    self.retold.late |= self.ended;
                    self.retold.behind |= behind && !self.ended;
                    block.growth.push(block.wire.text.get_or_insert_default(), &text);
                }
                if let Some(text) = delta.thinking {
                    block.wire.thinking.get_or_insert_default().push_str(&text);
                }
                block.json.push_str(&delta.json.unwrap_or_default());
                self.cites += usize::from(delta.citation.is_some());
                block.cites.extend(delta.citation.map(|cite| (cite, root.key("delta").key("citation"))));
            }
            "content_block_stop" => {
                let block = self.blocks.at(event.index, Placed::default);
                if !block.json.is_empty() {
                    let json = std::mem::take(&mut block.json);
                    block.wire.input = Some(JsonText::of_pieces(json));
                }
                // Its beginning may come behind its end.
                if block.wire.kind.is_some() {
                    self.blocks.close(event.index);
                }
            }
            _ => {}
        }
    }
}

/// A response from its blocks.
#[derive(Default)]
struct Builder {
    streamed: bool,
    shelf: Shelf,
    /// Steps by the id of their call.
    calls: HashMap<String, usize>,
    /// Pages that were fetched, by title; nothing where several have it.
    fetched: HashMap<String, Option<usize>>,
    /// The step that found a source.
    finders: HashMap<usize, usize>,
}

impl Builder {
    fn block(&mut self, response: &mut Response, mut block: Placed) {
        let kind = kind(&block.wire.kind).to_owned();
        // Text that was sent into a block of another kind is text.
        let text = block.wire.text.take_if(|text| !matches!(kind.as_str(), "text" | "") && !text.is_empty());
        self.block_of(response, &kind, block);
        if let Some(text) = text {
            building::answer_text(response, &text, false);
        }
    }

    fn block_of(&mut self, response: &mut Response, kind: &str, block: Placed) {
        match kind {
            "text" | "" => self.text(response, block),
            "thinking" | "redacted_thinking" => {
                steps::think(response, block.wire.thinking.as_deref().unwrap_or_default(), &block.origin);
            }
            other if other.ends_with("_tool_result") || other == "tool_result" => {
                self.result(response, block);
            }
            _ => self.call(response, block),
        }
    }

    fn text(&mut self, response: &mut Response, block: Placed) {
        let mut text = block.wire.text.unwrap_or_default();
        if block.growth.settle(&mut text) {
            building::resent(response, &block.origin);
        }
        building::answer_text(response, &text, false);
        if block.cites.is_empty() {
            return;
        }
        let place = match response.parts.last() {
            Some(Part::Text(range)) if !range.is_empty() => Some(range.clone()),
            _ => None,
        };
        let cites = block.cites.into_iter().enumerate();
        let citations =
            cites.map(|(number, (cite, origin))| self.citation(response, number, cite, origin)).collect();
        response.supports.add(Support {
            origin: block.origin,
            layer: Layer::Block,
            kind: AnchorKind::Block,
            own: OwnPlace::placed(place),
            citations,
            ..Support::default()
        });
    }

    fn citation(&mut self, response: &mut Response, number: usize, cite: Cite, origin: Origin) -> Citation {
        static CITATIONS: List = List { key: "citations", leaf: "" };
        let place = Place { list: (!self.streamed).then_some(&CITATIONS), index: number as u32 };
        let fetched = cite.named().filter(|_| cite.document.is_some());
        let page = fetched.and_then(|title| *self.fetched.get(title)?);
        let (source, cited) = cites::cited(response, &mut self.shelf, cite, page, origin);
        let trace = self.finders.get(&source).copied();
        let link = trace.map(|trace| Box::new(Link { trace: Some(trace), ..Link::default() }));
        Citation { link, cited: Some(Box::new(cited)), ..Citation::of(Target::Source(source), place) }
    }

    fn call(&mut self, response: &mut Response, block: Placed) {
        let Placed { wire, origin, json, .. } = block;
        let input = wire.input.filter(|input| json.is_empty() || input.as_json() != "{}");
        let input = input.or_else(|| Some(json).filter(|json| !json.is_empty()).map(JsonText::from));
        let own = kind(&wire.kind) == "server_tool_use";
        let trace = Trace {
            origin: origin.clone(),
            id: wire.id.clone(),
            tool: wire.name.clone(),
            arguments: input.clone(),
            ..Trace::default()
        };
        let number = steps::trace(response, trace);
        self.calls.extend(wire.id.map(|id| (id, number)));
        if let Some(input) = input.filter(|_| own && wire.name.as_deref() == Some("web_search")) {
            steps::queries_of(response, number, &input, &origin.key("input"));
        }
    }

    fn result(&mut self, response: &mut Response, block: Placed) {
        let Placed { wire, origin, .. } = block;
        let known = wire.tool_use.as_ref().and_then(|id| self.calls.get(id)).copied();
        let number = known.unwrap_or_else(|| {
            let tool = kind(&wire.kind).trim_end_matches("_tool_result").to_owned();
            let id = wire.tool_use.clone();
            steps::trace(response, Trace { origin: origin.clone(), id, tool: Some(tool), ..Trace::default() })
        });
        let list = origin.key("content");
        // Anybody's own tool may say a text, and so may code; a search has results.
        let is_search = ["web_search_tool_result", "web_fetch_tool_result"].contains(&kind(&wire.kind));
        if is_search && wire.content.text.is_some() {
            let words = "text where results are documented: no sources are read from it";
            building::remark(response, RemarkKind::Mistyped, &list, words);
        }
        let text = wire.content.text.map(|text| Inner { text: Some(text), ..Inner::default() });
        let mut results = Vec::new();
        for (index, inner) in text.into_iter().chain(wire.content.list).enumerate() {
            if let Some(error) = inner.error {
                if let Some(trace) = response.traces.get_mut(number) {
                    trace.failed = true;
                    trace.error = Some(error);
                }
                continue;
            }
            self.inner(response, inner, list.item(index), number, &mut results);
        }
        if let Some(trace) = response.traces.get_mut(number) {
            trace.failed |= wire.failed == Some(true);
            trace.results.extend(results);
        }
    }

    /// A result of a search, a page, or what a tool printed.
    fn inner(
        &mut self,
        response: &mut Response,
        wire: Inner,
        origin: Origin,
        trace: usize,
        results: &mut Vec<SearchResult>,
    ) {
        let page = wire.content.list.first();
        let data = page.and_then(|page| page.source.as_ref()?.get("data")?.to_text());
        let inner = wire.content.list.iter().filter_map(|piece| piece.text.clone()).collect::<Vec<_>>();
        let printed =
            [wire.text, wire.stdout, wire.stderr, wire.content.text].into_iter().flatten().chain(inner);
        let text = printed.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n");
        let title = wire.title.or_else(|| page.and_then(|page| page.title.clone()));
        let uri = wire.url.or_else(|| wire.source.as_ref()?.to_text());
        let mut result = SearchResult {
            title: title.clone(),
            uri: uri.clone(),
            text: data.clone().or(Some(text).filter(|text| !text.is_empty())),
            status: wire.retrieved,
            ..SearchResult::default()
        };
        if let Some(uri) = uri {
            let source = Source {
                origin,
                kind: SourceKind::Web,
                title: title.clone(),
                uri: Some(uri),
                published: Published { date_sent: wire.age, ..Published::default() }.into(),
                retrieved: true,
                ..Source::default()
            };
            let source = self.shelf.put(response, source);
            self.finders.entry(source).or_insert(trace);
            result.source = Some(source);
            if let Some(text) = data.or_else(|| result.text.clone()) {
                self.shelf.passage(response, source, Chunk { text, ..Chunk::default() });
                let title = title.unwrap_or_default();
                self.fetched
                    .entry(title)
                    .and_modify(|one| *one = one.filter(|one| *one == source))
                    .or_insert(Some(source));
            }
        } else if let Some(age) = wire.age {
            result.status = Some(age);
        }
        results.push(result);
    }
}
