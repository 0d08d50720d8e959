//! xAI's own API as its SDK prints it: protobuf messages as JSON. Sources are a list; marks in the text have
//! offsets where inline citations were asked for.

use std::collections::HashMap;

use crate::format::building::{self, Bounded};
use crate::format::interface::{self, Format, FrameGroup, begin, read};
use crate::format::shelf::Shelf;
use crate::format::steps;
use crate::format::stops::stopped;
use crate::json::Peek;
use crate::json::values::{KindWord, Whole, kind};
use crate::json::wire::{Cx, wire};
use crate::model::{
    AnchorKind, Chunk, Citation, Cited, JsonText, Layer, Origin, Place, Response, SegmentKeys, Source,
    SourceKind, Support, Target, Trace, Unit,
};

pub const FORMAT: Format = Format {
    id: "xai",
    vendor: "xAI",
    short: "xAI",
    name: "xAI response (gRPC messages as JSON)",
    reads: "responses with outputs by role, a list of citations, and inline citations where asked for",
    offsets: "characters; marks that hold their address prove them",
    recognise,
    group: |_: &Peek| FrameGroup::Alone,
    fold: begin::<Told>,
    samples: &[sample!(
        "xai.json",
        "xAI response",
        "inline citations, the second three characters early; a failed search, a collection"
    )],
    ..Format::PLAIN
};

wire! {
    struct Frame {
        id: Option<String> = "id";
        model: Option<String> = "model";
        created: Option<String> = "created";
        outputs: Vec<Output> = "outputs";
        citations: Vec<String> = "citations";
    }

    struct Output {
        message: Option<Message> = "message";
        finish: Option<String> = "finishReason";
    }

    struct Message {
        role: Option<KindWord> = "role";
        content: Option<String> = "content";
        reasoning: Option<String> = "reasoningContent";
        calls: Vec<Call> = "toolCalls";
        citations: Vec<Cite> = "citations";
    }

    struct Call long 896 {
        id: Option<String> = "id";
        kind: Option<KindWord> = "type";
        status: Option<String> = "status";
        function: Option<Function> = "function";
        error: Option<String> = "errorMessage";
    }

    struct Function {
        name: Option<String> = "name";
        arguments: Option<JsonText> = "arguments";
    }

    struct Cite takes 1024 whole [] {
        id: Option<String> = "id";
        start: Option<Whole> = "startIndex";
        end: Option<Whole> = "endIndex";
        web: Option<Page> = "webCitation";
        x: Option<Page> = "xCitation";
        collection: Option<Found> = "collectionsCitation";
    }

    struct Page {
        url: Option<String> = "url";
        title: Option<String> = "title";
    }

    struct Found {
        file: Option<String> = "fileId";
        chunk: Option<String> = "chunkId";
        content: Option<String> = "chunkContent";
        score: Option<f64> = "score";
    }
}

fn recognise(peek: &Peek) -> bool {
    let message = peek.first("outputs").and_then(|output| output.below("message"));
    message.and_then(|message| message.word("role")).is_some_and(|role| role.starts_with("ROLE_"))
}

/// Where the offsets of a citation stand.
static OFFSETS: SegmentKeys = SegmentKeys { holder: "", start: "startIndex", end: "endIndex", text: false };

#[derive(Default, Clone)]
struct Told(Response);

impl interface::FoldState for Told {
    fn push(&mut self, frame: u32, text: &str, cx: &Cx) -> Result<(), serde_json::Error> {
        let wire: Frame = read(text, cx)?;
        let root = building::root(frame);
        let response = &mut self.0;
        response.origin = root.clone();
        response.id = wire.id;
        response.model = wire.model;
        response.unit = Unit::Characters;
        response.about.created = wire.created;
        let mut builder = Builder::default();
        let list = root.key("citations");
        for (index, uri) in wire.citations.into_iter().enumerate() {
            builder.shelf.put(response, listed(uri, list.item(index), index));
        }
        let list = root.key("outputs");
        for (index, output) in wire.outputs.into_iter().enumerate() {
            builder.output(response, output, &list.item(index));
        }
        Ok(())
    }

    fn finish(self) -> Vec<Response> {
        vec![self.0]
    }
}

/// An entry of the list beside the answer.
fn listed(uri: String, origin: Origin, index: usize) -> Source {
    let file = uri.strip_prefix("collections://").and_then(|rest| rest.split_once("/files/"));
    Source {
        origin,
        kind: if file.is_some() { SourceKind::File } else { SourceKind::Web },
        id: file.map(|(_, file)| file.to_owned()),
        uri: Some(uri),
        number: Some((index + 1).to_string()),
        ..Source::default()
    }
}

#[derive(Default)]
struct Builder {
    shelf: Shelf,
    calls: HashMap<String, usize>,
    by_place: HashMap<(usize, Option<i64>, Option<i64>), usize>,
}

impl Builder {
    fn output(&mut self, response: &mut Response, output: Output, origin: &Origin) {
        let message = output.message.unwrap_or_default();
        let origin = origin.key("message");
        steps::think(response, message.reasoning.as_deref().unwrap_or_default(), &origin);
        let list = origin.key("toolCalls");
        let mut latest = None;
        for (index, call) in message.calls.into_iter().enumerate() {
            latest = Some(self.call(response, call, list.item(index)));
        }
        let tool = kind(&message.role) == "ROLE_TOOL";
        let mut part = 0;
        match message.content {
            Some(text) if tool => {
                let number = latest.unwrap_or_else(|| {
                    steps::trace(response, Trace { origin: origin.clone(), ..Trace::default() })
                });
                let trace = response.traces.get_mut(number);
                if let Some(trace) = trace {
                    trace.results.add(steps::text_result(text.as_str()));
                }
            }
            Some(text) if kind(&message.role) == "ROLE_ASSISTANT" => {
                building::answer_text(response, &text, false);
                part = response.parts.len() - 1;
            }
            _ => {}
        }
        let list = origin.key("citations");
        for (index, cite) in message.citations.into_iter().enumerate() {
            self.cite(response, cite, list.item(index), part, tool);
        }
        if let Some(finish) = output.finish {
            (response.state, response.ending) = stopped(Some(&finish));
            response.finish = Some(finish);
        }
    }

    /// The same call is sent under both roles.
    fn call(&mut self, response: &mut Response, call: Call, origin: Origin) -> usize {
        if let Some(&known) = call.id.as_ref().and_then(|id| self.calls.get(id)) {
            return known;
        }
        let function = call.function.unwrap_or_default();
        let searches = function.name.as_deref().is_some_and(|name| name.contains("search"));
        let place = origin.key("function").key("arguments");
        let trace = Trace {
            origin,
            id: call.id.clone(),
            tool: function.name,
            failed: call.status.as_deref().is_some_and(|status| status.ends_with("FAILED")),
            state: call.status,
            arguments: function.arguments.clone(),
            error: call.error,
            ..Trace::default()
        };
        let number = steps::trace(response, trace);
        self.calls.extend(call.id.map(|id| (id, number)));
        if let Some(arguments) = function.arguments.filter(|_| searches) {
            steps::queries_of(response, number, &arguments, &place);
        }
        number
    }

    fn cite(&mut self, response: &mut Response, cite: Cite, origin: Origin, part: usize, tool: bool) {
        let page = cite.web.or(cite.x).unwrap_or_default();
        let found = cite.collection.unwrap_or_default();
        let source = Source {
            origin: origin.clone(),
            kind: if found.file.is_some() { SourceKind::File } else { SourceKind::Web },
            id: found.file,
            title: page.title,
            uri: page.url,
            number: cite.id,
            score: found.score,
            retrieved: tool,
            ..Source::default()
        };
        let source = self.shelf.put(response, source);
        let chunk = found.content.map(|text| Chunk {
            text,
            score: found.score,
            name: found.chunk,
            ..Chunk::default()
        });
        let chunks: Vec<usize> =
            chunk.map(|chunk| self.shelf.passage(response, source, chunk)).into_iter().collect();
        let mut segment = building::offsets(&OFFSETS, cite.start, cite.end);
        if segment.end.is_none() && segment.unreadable.is_none() || tool {
            return;
        }
        segment.part = Some(part as i64);
        let cited = (!chunks.is_empty()).then(|| Box::new(Cited { chunks, ..Cited::default() }));
        let citation = Citation { cited, ..Citation::of(Target::Source(source), Place::default()) };
        let known =
            *self.by_place.entry((part, segment.start, segment.end)).or_insert(response.supports.len());
        match response.supports.get_mut(known) {
            Some(support) => support.citations.add(citation),
            None => response.supports.add(Support {
                origin,
                layer: Layer::UrlCitation,
                kind: AnchorKind::Marker,
                segment: Some(segment),
                citations: vec![citation],
                ..Support::default()
            }),
        }
    }
}
