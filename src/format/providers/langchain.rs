//! LangChain's content blocks: what every provider sends, in one form. Offsets are whatever the provider
//! gave; where none are left, the block is what its annotations back.

use std::collections::HashMap;

use serde_json::Value;

use crate::format::building;
use crate::format::interface::{self, Format, FrameGroup, begin, read};
use crate::format::shelf::Shelf;
use crate::format::steps;
use crate::json::Peek;
use crate::json::values::{KindWord, Whole, kind};
use crate::json::wire::{Cx, TextOr, wire};
use crate::model::{
    AnchorKind, Chunk, Citation, Cited, Label, Layer, List, Location, LocationKind, Origin, Part, Place,
    Response, SearchResult, SegmentKeys, Source, SourceKind, Support, Target, Trace, Unit,
};

pub const FORMAT: Format = Format {
    id: "langchain",
    vendor: "LangChain",
    short: "LangChain",
    name: "LangChain message (content blocks)",
    reads: "messages with content_blocks or content, also as serialized constructors",
    offsets: "as the provider sent them; quotes or marks prove them, else blocks",
    recognise,
    group: |_: &Peek| FrameGroup::Alone,
    fold: begin::<Told>,
    samples: &[sample!(
        "langchain.json",
        "LangChain content blocks",
        "blocks as Anthropic's, a mark as OpenAI's, bytes as Google's in one message"
    )],
    ..Format::PLAIN
};

wire! {
    struct Frame {
        kwargs: Option<Message> = "kwargs";
        blocks: Vec<Block> = "contentBlocks";
        content: TextOr<Block> = "content";
        id: Option<Value> = "id";
        kind: Option<KindWord> = "type";
    }

    struct Message {
        blocks: Vec<Block> = "contentBlocks";
        content: TextOr<Block> = "content";
        id: Option<String> = "id";
        kind: Option<KindWord> = "type";
    }

    struct Block {
        kind: Option<KindWord> = "type";
        text: Option<String> = "text";
        reasoning: Option<String> = "reasoning";
        annotations: Vec<Annotation> = "annotations" | "citations";
        id: Option<String> = "id";
        name: Option<String> = "name";
        args: Option<Value> = "args";
        call: Option<String> = "toolCallId";
        output: Option<Value> = "output", kept;
        status: Option<String> = "status";
    }

    struct Annotation {
        kind: Option<KindWord> = "type";
        url: Option<String> = "url";
        title: Option<String> = "title";
        start: Option<Whole> = "startIndex";
        end: Option<Whole> = "endIndex";
        text: Option<String> = "citedText";
        extras: Option<Extras> = "extras";
    }

    struct Extras {
        document: Option<i64> = "documentIndex";
        result: Option<i64> = "searchResultIndex";
        file: Option<String> = "fileId";
        first_char: Option<i64> = "startCharIndex";
        last_char: Option<i64> = "endCharIndex";
        first_page: Option<i64> = "startPageNumber";
        last_page: Option<i64> = "endPageNumber";
        first_block: Option<i64> = "startBlockIndex";
        last_block: Option<i64> = "endBlockIndex";
    }
}

fn recognise(peek: &Peek) -> bool {
    let kwargs = peek.below("kwargs").is_some_and(|kwargs| kwargs.has_any(&["content", "contentBlocks"]));
    peek.kind("contentBlocks") == Some('[')
        || peek.has("lc") && kwargs
        || peek.has("content") && peek.has_any(&["responseMetadata", "additionalKwargs"])
}

/// Where the offsets of an annotation stand.
static OFFSETS: SegmentKeys = SegmentKeys { holder: "", start: "startIndex", end: "endIndex", text: false };

/// Where the annotations of a block stand.
static ANNOTATIONS: List = List { key: "annotations", leaf: "" };

#[derive(Default, Clone)]
struct Told(Response);

impl interface::FoldState for Told {
    fn push(&mut self, frame: u32, text: &str, cx: &Cx) -> Result<(), serde_json::Error> {
        let wire: Frame = read(text, cx)?;
        let root = building::root(frame);
        let response = &mut self.0;
        response.origin = root.clone();
        response.unit = Unit::Characters;
        let (id, blocks, content, origin) = match wire.kwargs {
            Some(message) => (message.id, message.blocks, message.content, root.key("kwargs")),
            None => {
                (wire.id.as_ref().and_then(Value::as_str).map(str::to_owned), wire.blocks, wire.content, root)
            }
        };
        response.id = id;
        let (list, base) = if blocks.is_empty() {
            let text = content.text.map(|text| Block { text: Some(text), ..Block::default() });
            (text.into_iter().chain(content.list).collect(), origin.key("content"))
        } else {
            (blocks, origin.key("contentBlocks"))
        };
        let mut builder = Builder::default();
        for (index, block) in list.into_iter().enumerate() {
            builder.block(response, block, base.item(index));
        }
        Ok(())
    }

    fn finish(self) -> Vec<Response> {
        vec![self.0]
    }
}

#[derive(Default)]
struct Builder {
    shelf: Shelf,
    calls: HashMap<String, usize>,
}

impl Builder {
    fn block(&mut self, response: &mut Response, block: Block, origin: Origin) {
        match kind(&block.kind) {
            "text" | "" => self.text(response, block, origin),
            "reasoning" => steps::think(response, block.reasoning.as_deref().unwrap_or_default(), &origin),
            "server_tool_result" => self.result(response, block, &origin),
            _ => {
                let own = kind(&block.kind) == "server_tool_call";
                let trace = Trace {
                    origin: origin.clone(),
                    id: block.id.clone(),
                    tool: block.name,
                    arguments: block.args.clone(),
                    ..Trace::default()
                };
                let number = steps::trace(response, trace);
                self.calls.extend(block.id.map(|id| (id, number)));
                if let Some(args) = block.args.filter(|_| own) {
                    steps::queries_of(response, number, &args, &origin.key("args"));
                }
            }
        }
    }

    fn result(&mut self, response: &mut Response, block: Block, origin: &Origin) {
        let known = block.call.as_ref().and_then(|id| self.calls.get(id)).copied();
        let number = known.unwrap_or_else(|| {
            let id = block.call.clone();
            steps::trace(response, Trace { origin: origin.clone(), id, ..Trace::default() })
        });
        let listed = block.output.as_ref().and_then(|output| output.get("sources")).and_then(Value::as_array);
        let list = origin.key("output").key("sources");
        let mut results = Vec::new();
        for (index, sent) in listed.into_iter().flatten().enumerate() {
            let field = |key: &str| sent.get(key).and_then(Value::as_str).map(str::to_owned);
            let source = Source {
                origin: list.item(index),
                kind: SourceKind::Web,
                title: field("title"),
                uri: field("url"),
                retrieved: true,
                ..Source::default()
            };
            let source = Some(self.shelf.put(response, source));
            results.push(SearchResult {
                title: field("title"),
                uri: field("url"),
                source,
                ..SearchResult::default()
            });
        }
        if let Some(trace) = response.traces.get_mut(number) {
            trace.failed |= block.status.as_deref() == Some("error");
            trace.state = block.status.or(trace.state.take());
            trace.results.extend(results);
        }
    }

    fn text(&mut self, response: &mut Response, block: Block, origin: Origin) {
        building::answer_text(response, &block.text.unwrap_or_default(), false);
        let part = response.parts.len() - 1;
        let place = match response.parts.last() {
            Some(Part::Text(range)) if !range.is_empty() => Some(range.clone()),
            _ => None,
        };
        let mut whole = Vec::new();
        let mut by_place: HashMap<(Option<i64>, Option<i64>), usize> = HashMap::new();
        for (number, mut wire) in block.annotations.into_iter().enumerate() {
            let at = Place { list: Some(&ANNOTATIONS), index: number as u32 };
            let mut segment = building::offsets(&OFFSETS, wire.start.take(), wire.end.take());
            let ranged = segment.end.is_some() || segment.unreadable.is_some();
            // Google's words stand in the field for those of the source.
            let quote = wire.text.take_if(|_| ranged);
            let here = at.below(&origin);
            let citation = self.citation(response, wire, &here, at);
            if !ranged {
                whole.push(citation);
                continue;
            }
            let known = *by_place.entry((segment.start, segment.end)).or_insert(response.supports.len());
            if let Some(support) = response.supports.get_mut(known) {
                support.citations.push(Citation { place: Place::default(), ..citation });
                continue;
            }
            segment.part = Some(part as i64);
            segment.quote = quote;
            response.supports.push(Support {
                origin: here,
                layer: Layer::Citation,
                kind: if segment.quote.is_some() { AnchorKind::Span } else { AnchorKind::Marker },
                segment: Some(segment),
                citations: vec![Citation { place: Place::default(), ..citation }],
                ..Support::default()
            });
        }
        if !whole.is_empty() {
            response.supports.push(Support {
                origin,
                layer: Layer::Citation,
                kind: AnchorKind::Block,
                placed: place,
                citations: whole,
                ..Support::default()
            });
        }
    }

    fn citation(
        &mut self,
        response: &mut Response,
        wire: Annotation,
        origin: &Origin,
        place: Place,
    ) -> Citation {
        let extras = wire.extras.unwrap_or_default();
        let numbered = |number: Option<i64>, what: &str| number.map(|number| format!("{what} {number}"));
        let request = wire.url.is_none() && extras.file.is_none();
        let id = extras.file.clone().filter(|_| wire.url.is_none());
        let id = id.or_else(|| numbered(extras.document, "document").filter(|_| request));
        let source = Source {
            origin: origin.clone(),
            kind: match () {
                () if wire.url.is_some() => SourceKind::Web,
                () if request => SourceKind::Request,
                () => SourceKind::File,
            },
            id: id.or_else(|| numbered(extras.result, "result").filter(|_| request)),
            title: wire.title.clone(),
            uri: wire.url,
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
