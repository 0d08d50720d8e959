//! AWS Bedrock's RetrieveAndGenerate, and what agents attribute: spans of the output with their words. The
//! end of a span is its last character.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value;

use crate::format::building::{self, Bounded};
use crate::format::growth::Growth;
use crate::format::interface::{self, Boundary, Format, FrameGroup, begin, read};
use crate::format::secrets::mask_fields;
use crate::format::shelf::Shelf;
use crate::format::steps;
use crate::json::Peek;
use crate::json::plain;
use crate::json::values::{KindWord, Whole, kind};
use crate::json::wire::{Cx, wire};
use crate::model::{
    AnchorKind, AnswerState, Chunk, Citation, Cited, JsonText, Layer, List, Origin, Place, RemarkKind,
    Response, Segment, SegmentKeys, Source, SourceKind, Support, Target, Trace, Unit,
};
use crate::text::address_or_name;

pub const FORMAT: Format = Format {
    id: "bedrock-rag",
    vendor: "AWS",
    short: "Bedrock RAG",
    name: "AWS Bedrock RetrieveAndGenerate and agents",
    reads: "responses, stream events and agent chunks with their attribution",
    offsets: "characters, the end is the last one; quotes prove them",
    recognise,
    refuses: |peek| {
        let invoked = peek.below("chunk").is_some_and(|chunk| is_invoked(&chunk));
        invoked.then_some("a stream of Bedrock's InvokeModel with its events in Base64")
    },
    group,
    fold: begin::<Stream>,
    samples: &[sample!(
        "bedrock-rag.json",
        "AWS Bedrock RetrieveAndGenerate",
        "inclusive ends, a row of a table as a source, a sentence with no reference"
    )],
    ..Format::PLAIN
};

wire! {
    struct Frame {
        output: Option<Output> = "output";
        citations: Vec<Cite> = "citations";
        citation: Option<Cite> = "citation";
        session: Option<String> = "sessionId";
        guardrail: Option<Action> = "guardrail";
        action: Option<String> = "guardrailAction";
        chunk: Option<Piece> = "chunk";
        trace: Option<Value> = "trace", kept;
    }

    struct Action {
        action: Option<String> = "action";
    }

    struct Output {
        text: Option<String> = "text";
    }

    /// What an agent says, in base64.
    struct Piece {
        bytes: Option<String> = "bytes";
        attribution: Option<Attribution> = "attribution";
    }

    struct Attribution whole [] {
        citations: Vec<Cite> = "citations";
    }

    struct Cite whole [] {
        part: Option<Generated> = "generatedResponsePart";
        references: Vec<Reference> = "retrievedReferences";
    }

    struct Generated whole [] {
        text: Option<TextPart> = "textResponsePart";
    }

    struct TextPart whole [] {
        span: Option<Span> = "span";
        text: Option<String> = "text";
    }

    struct Span {
        start: Option<Whole> = "start";
        end: Option<Whole> = "end";
    }

    struct Reference takes 2560 whole [] {
        content: Option<Content> = "content";
        location: Option<Location> = "location";
        metadata: Option<JsonText> = "metadata", kept;
    }

    struct Content {
        text: Option<String> = "text";
        kind: Option<KindWord> = "type";
        row: Vec<Cell> = "row";
    }

    struct Cell {
        name: Option<String> = "columnName";
        value: Option<Value> = "columnValue";
    }

    struct Location {
        kind: Option<KindWord> = "type";
        s3: Option<Address> = "s3Location";
        web: Option<Address> = "webLocation";
        confluence: Option<Address> = "confluenceLocation";
        salesforce: Option<Address> = "salesforceLocation";
        share_point: Option<Address> = "sharePointLocation";
        kendra: Option<Address> = "kendraDocumentLocation";
        sql: Option<Address> = "sqlLocation";
        custom: Option<Address> = "customDocumentLocation";
        one_drive: Option<Address> = "oneDriveLocation";
        google_drive: Option<Address> = "googleDriveLocation";
    }

    struct Address whole [] {
        uri: Option<String> = "uri" | "url" | "query";
        id: Option<String> = "id";
    }
}

/// A row of a table as text, a line a column.
fn joined(row: &[Cell]) -> String {
    let value = |cell: &Cell| cell.value.as_ref().map_or_else(String::new, |value| plain(value).into_owned());
    let lines: Vec<String> = row
        .iter()
        .map(|cell| format!("{}: {}", cell.name.as_deref().unwrap_or_default(), value(cell)))
        .collect();
    lines.join("\n")
}

impl Content {
    /// The row without what it holds of credentials, where it holds any.
    fn masked(&self) -> Option<Box<str>> {
        let mut row = self.row.clone();
        let hidden = row.iter_mut().fold(false, |found, cell| {
            let name = cell.name.clone().unwrap_or_default();
            let mut field = Value::from_iter([(name, cell.value.take().unwrap_or_default())]).into();
            let masked = mask_fields(&mut field);
            cell.value =
                field.value().as_object_mut().and_then(|field| field.values_mut().next().map(Value::take));
            found | masked
        });
        (self.text.is_none() && hidden).then(|| joined(&row).into())
    }
}

/// Whether a chunk holds an event of Anthropic's or of Nova: `InvokeModelWithResponseStream` sends them so.
fn is_invoked(chunk: &Peek) -> bool {
    // `{"` in Base64.
    let bytes = chunk.text_of("bytes").filter(|bytes| bytes.trim_start_matches('"').starts_with("eyJ"));
    let event = bytes.and_then(|bytes| BASE64_STANDARD.decode(bytes.trim_matches('"')).ok());
    let Some(event) = event.and_then(|event| String::from_utf8(event).ok()) else { return false };
    let event = Peek::of(&event, &[]);
    let known = |kind: String| {
        kind.starts_with("message_")
            || kind.starts_with("content_block_")
            || kind == "ping"
            || kind == "error"
    };
    event.word("type").is_some_and(known) || event.has_any(OF_NOVA)
}

/// Keys of the events that Nova sends.
const OF_NOVA: &[&str] =
    &["messageStart", "contentBlockStart", "contentBlockDelta", "contentBlockStop", "messageStop"];

fn recognise(peek: &Peek) -> bool {
    let cites = |peek: &Peek| peek.first("citations").is_some_and(|cite| cite.has("generatedResponsePart"));
    // What programs wrap has a text among other things, or one that is an object.
    let foreign = |cite: &Peek| !cite.has_any(&["generatedResponsePart", "retrievedReferences"]);
    let own = peek.first("citations").is_some_and(|cite| foreign(&cite));
    let beside = peek.has_any(&["sessionId", "guardrailAction"]) || peek.has("citations") && !own;
    let is_output =
        |output: &Peek| output.kind("text") == Some('"') && !own && (beside || output.keys().count() == 1);
    let output = || peek.below("output").is_some_and(|output| is_output(&output) && !output.has("message"));
    cites(peek)
        || peek.below("citation").is_some_and(|cite| cite.has("generatedResponsePart"))
        || !peek.has("choices") && peek.below("guardrail").is_some_and(|guardrail| guardrail.has("action"))
        || peek
            .below("chunk")
            .is_some_and(|chunk| chunk.has_any(&["bytes", "attribution"]) && !is_invoked(&chunk))
        || !peek.has_any(&["choices", "object", "type"]) && output()
        || peek.below("trace").is_some_and(|trace| trace.has("agentId"))
}

fn group(peek: &Peek) -> FrameGroup {
    let alone = peek.has("citations") || peek.has("sessionId") && peek.has("output");
    if alone { FrameGroup::Alone } else { FrameGroup::Stream { id: None, boundary: Boundary::Continues } }
}

/// Where the offsets of a citation stand.
static OFFSETS: SegmentKeys = SegmentKeys {
    holder: "generatedResponsePart.textResponsePart.span",
    start: "start",
    end: "end",
    text: false,
};

/// Where its references stand.
static REFERENCES: List = List { key: "retrievedReferences", leaf: "" };

#[derive(Default, Clone)]
struct Stream {
    response: Response,
    shelf: Shelf,
    growth: Growth,
    frames: u32,
}

impl interface::FoldState for Stream {
    fn push(&mut self, frame: u32, text: &str, cx: &Cx) -> Result<(), serde_json::Error> {
        let wire: Frame = read(text, cx)?;
        let root = building::root(frame);
        let response = &mut self.response;
        if self.frames == 0 {
            response.origin = root.clone();
            response.unit = Unit::Characters;
            response.inclusive = true;
        }
        self.frames = frame + 1;
        response.id = wire.session.or(response.id.take());
        if let Some(text) = wire.output.and_then(|output| output.text) {
            let start = response.text().len();
            building::answer_text(response, &text, true);
            self.growth.note(response.text(), start);
        }
        let action = wire.action.or_else(|| wire.guardrail?.action);
        if action.as_deref() == Some("INTERVENED") {
            response.state = AnswerState::Skipped;
            response.about.blocked.clone_from(&action);
        }
        response.finish = action.or(response.finish.take());
        let mut cites: Vec<(Cite, Origin)> = Vec::new();
        let list = root.key("citations");
        cites.extend(wire.citations.into_iter().enumerate().map(|(index, cite)| (cite, list.item(index))));
        cites.extend(wire.citation.map(|cite| (cite, root.key("citation"))));
        if let Some(piece) = wire.chunk {
            match piece.bytes.map(|bytes| BASE64_STANDARD.decode(bytes)) {
                Some(Ok(bytes)) => {
                    let start = response.text().len();
                    building::answer_text(response, &String::from_utf8_lossy(&bytes), true);
                    self.growth.note(response.text(), start);
                }
                Some(Err(_)) => {
                    let text = "a chunk whose bytes are no base64, or break off: its text is missing";
                    building::remark(response, RemarkKind::Mistyped, &root.key("chunk"), text);
                }
                None => {}
            }
            let list = root.key("chunk").key("attribution").key("citations");
            let attributed = piece.attribution.unwrap_or_default().citations.into_iter().enumerate();
            cites.extend(attributed.map(|(index, cite)| (cite, list.item(index))));
        }
        for (cite, origin) in cites {
            self.cite(cite, origin);
        }
        if let Some(trace) = wire.trace {
            self.trace(&trace, root.key("trace"));
        }
        Ok(())
    }

    fn finish(mut self) -> Vec<Response> {
        building::settle_growth(&mut self.response, self.growth);
        vec![self.response]
    }
}

impl Stream {
    fn cite(&mut self, cite: Cite, origin: Origin) {
        let part = cite.part.and_then(|part| part.text).unwrap_or_default();
        let span = part.span.unwrap_or_default();
        let segment = Segment { quote: part.text, ..building::offsets(&OFFSETS, span.start, span.end) };
        let references = cite.references.into_iter().enumerate();
        let citations = references.map(|(number, reference)| {
            let place = Place { list: Some(&REFERENCES), index: number as u32 };
            self.reference(reference, place.below(&origin), place)
        });
        let citations = citations.collect();
        self.response.supports.add(Support {
            origin,
            layer: Layer::Citation,
            kind: AnchorKind::Span,
            segment: Some(segment),
            citations,
            ..Support::default()
        });
    }

    fn reference(&mut self, wire: Reference, origin: Origin, place: Place) -> Citation {
        let field = |key: &str| {
            let value = wire.metadata.as_ref()?.get(key)?;
            // Pages come as 2.0.
            let whole = value.as_json().parse::<f64>().ok().filter(|number| number.fract() == 0.0);
            Some(whole.map_or_else(|| value.plain(), |number| format!("{number:.0}")))
        };
        let location = wire.location.unwrap_or_default();
        let web = location.web.is_some();
        let all = [
            location.s3,
            location.web,
            location.confluence,
            location.salesforce,
            location.share_point,
            location.kendra,
            location.sql,
            location.custom,
            location.one_drive,
            location.google_drive,
        ];
        let address = all.into_iter().flatten().next().unwrap_or_default();
        let content = wire.content.unwrap_or_default();
        let masked = content.masked();
        let text = content.text.unwrap_or_else(|| joined(&content.row));
        let uri = address.uri.or_else(|| field("x-amz-bedrock-kb-source-uri"));
        let nameless = uri.is_none() && address.id.is_none();
        let bucket = uri.as_deref().is_some_and(|uri| uri.starts_with("s3://"));
        let (uri, document) = if bucket { (uri, None) } else { address_or_name(uri) };
        let source = Source {
            origin,
            kind: if web { SourceKind::Web } else { SourceKind::Document },
            id: address.id.or_else(|| document.clone()),
            document,
            title: Some(text.clone()).filter(|_| nameless),
            uri,
            ..Source::default()
        };
        let source = self.shelf.put(&mut self.response, source);
        if nameless && let Some(source) = self.response.sources.get_mut(source) {
            source.title = None;
        }
        let image = kind(&content.kind) == "IMAGE";
        let chunk = Chunk {
            text,
            masked,
            page: field("x-amz-bedrock-kb-document-page-number"),
            name: field("x-amz-bedrock-kb-chunk-id"),
            ..Chunk::default()
        };
        let given = !chunk.text.is_empty() && !image;
        let chunks =
            given.then(|| self.shelf.passage(&mut self.response, source, chunk)).into_iter().collect();
        let cited = Some(Box::new(Cited { chunks, ..Cited::default() }));
        Citation { cited, ..Citation::of(Target::Source(source), place) }
    }

    /// A step of an agent; what it looked up is a query.
    fn trace(&mut self, value: &Value, origin: Origin) {
        let step = value.pointer("/trace/orchestrationTrace").or_else(|| value.get("orchestrationTrace"));
        let lookup = step.and_then(|step| step.pointer("/invocationInput/knowledgeBaseLookupInput"));
        let rationale = step.and_then(|step| step.pointer("/rationale/text")).and_then(Value::as_str);
        if let Some(thought) = rationale {
            steps::think(&mut self.response, thought, &origin);
        }
        let Some(text) = lookup.and_then(|lookup| lookup.get("text")).and_then(Value::as_str) else { return };
        let tool = Some("knowledge base".to_owned());
        let number =
            steps::trace(&mut self.response, Trace { origin: origin.clone(), tool, ..Trace::default() });
        steps::query(&mut self.response, number, text, &origin);
    }
}
