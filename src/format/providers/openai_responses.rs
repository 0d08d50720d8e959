//! OpenAI's Responses API, as Azure OpenAI, xAI and DeepSeek send it, too. Annotations name marks in the text
//! (`url_citation`, offsets are characters of their part), points (`file_citation`) or links to files that
//! the model made.

use std::collections::{BTreeMap, HashMap};

use serde_json::Value;

use super::openai_responses_wire::{ActionSource, Annotation, Content, Event, Found, Output, Sent};
use crate::format::building;
use crate::format::copied;
use crate::format::interface::{self, Format, FrameGroup, begin, pass_over, read};
use crate::format::markers::{self, Charge, Name, Notation};
use crate::format::shelf::{Shelf, is_title};
use crate::format::slots::Slots;
use crate::format::steps;
use crate::json::Peek;
use crate::json::values::{KindWord, kind};
use crate::json::wire::Cx;
use crate::model::{
    AnchorKind, AnswerState, Chunk, Citation, Cited, Ending, Failure, Label, Layer, Origin, Place,
    RemarkKind, Response, SearchResult, SegmentKeys, Source, SourceKind, Support, Target, Trace, Unit,
};

pub const FORMAT: Format = Format {
    id: "openai-responses",
    vendor: "OpenAI",
    short: "OpenAI Responses",
    name: "OpenAI Responses API (also Azure OpenAI, xAI, DeepSeek)",
    reads: "response objects and streams; url_citation, file_citation, container files",
    offsets: "characters of a part; marks that hold their address and points before punctuation prove them",
    recognise,
    group,
    fold: begin::<Stream>,
    samples: &[sample!(
        "openai-responses.json",
        "OpenAI Responses API",
        "marks with offsets in characters of their part, one two characters early; a point, a generated file, pages that were found and not cited"
    )],
    ..Format::PLAIN
};

fn recognise(peek: &Peek) -> bool {
    let kind = peek.word("type").unwrap_or_default();
    peek.word("object").as_deref() == Some("response")
        || kind.starts_with("response.")
        || kind == "error" && peek.has("sequenceNumber")
}

fn group(peek: &Peek) -> FrameGroup {
    let kind = peek.word("type").unwrap_or_default();
    if !kind.starts_with("response.") && kind != "error" {
        return FrameGroup::Alone;
    }
    let last = ["response.completed", "response.incomplete", "response.failed"];
    FrameGroup::event(&kind, &["response.created"], &last)
}

/// A piece of a message with what marks it.
#[derive(Default, Clone)]
struct Piece {
    wire: Content,
    origin: Origin,
    /// With its place.
    annotations: Vec<(Annotation, Origin)>,
}

/// An item of the output.
#[derive(Default, Clone)]
struct Item {
    wire: Output,
    origin: Origin,
    pieces: BTreeMap<i64, Piece>,
}

impl Item {
    fn of(mut wire: Output, origin: Origin) -> Self {
        let content = std::mem::take(&mut wire.content);
        let list = origin.key("content");
        let text = content.text.map(|text| Content { text: Some(text), ..Content::default() });
        let pieces = text.into_iter().chain(content.list).enumerate();
        let pieces = pieces.map(|(index, wire)| (index as i64, Piece::of(wire, list.item(index)))).collect();
        Self { wire, origin, pieces }
    }

    /// A search of Perplexity's agents as the item that tells it at the end.
    fn searched(queries: Vec<String>, results: Vec<Found>, origin: Origin) -> Self {
        let kind = Some(KindWord(SEARCH_RESULTS.to_owned()));
        Self { wire: Output { kind, queries, results, ..Output::default() }, origin, ..Self::default() }
    }
}

impl Piece {
    fn of(mut wire: Content, origin: Origin) -> Self {
        let list = origin.key("annotations");
        let annotations = std::mem::take(&mut wire.annotations).into_iter().enumerate();
        let annotations = annotations.map(|(index, wire)| (wire, list.item(index))).collect();
        Self { wire, origin, annotations }
    }
}

/// The response as last sent whole, and what came of it in pieces.
#[derive(Default, Clone)]
struct Stream {
    whole: Sent,
    origin: Origin,
    frames: u32,
    streamed: bool,
    ended: bool,
    items: Slots<Item>,
    /// Where items stand, by their id: events may come without numbers.
    places: HashMap<String, i64>,
    /// Searches of Perplexity's agents, whose items come at the end only.
    found: Vec<Item>,
    /// The items as the last message repeats them.
    last: Option<Vec<Item>>,
    /// An event that closes a piece or an item has another text than what came before it.
    edited: bool,
    failure: Option<(Failure, Origin)>,
    marks: Charge,
}

impl interface::FoldState for Stream {
    fn push(&mut self, frame: u32, text: &str, cx: &Cx) -> Result<(), serde_json::Error> {
        let root = building::root(frame);
        let kind = Peek::of(text, &["type"]).word("type").unwrap_or_default();
        if kind.starts_with("response.") || kind == "error" {
            let repeats =
                matches!(kind.as_str(), "response.created" | "response.in_progress" | "response.queued");
            let event: Event = if repeats { cx.muted(|| read(text, cx)) } else { read(text, cx) }?;
            self.streamed = true;
            self.marks.take(event.delta.as_deref().unwrap_or_default(), cx);
            for text in event.wholes() {
                self.marks.take_whole(text, cx);
            }
            self.event(&kind, event, &root);
        } else if !self.streamed || Peek::of(text, &["object"]).has("object") {
            self.origin = root.clone();
            let whole: Sent = read(text, cx)?;
            for text in whole.output.iter().flat_map(Output::texts) {
                self.marks.take(text, cx);
            }
            self.take(whole, &root);
        } else {
            pass_over(text, cx)?;
        }
        self.frames = frame + 1;
        Ok(())
    }

    fn finish(mut self) -> Vec<Response> {
        let mut response =
            Response { origin: self.origin.clone(), unit: Unit::Characters, ..Response::default() };
        let pieces: String = self.items.values().flat_map(texts).collect();
        let cited = |items: &mut dyn Iterator<Item = &Item>| -> usize {
            items.flat_map(|item| item.pieces.values()).map(|piece| piece.annotations.len()).sum()
        };
        let before = cited(&mut self.items.values());
        let dropped = self.last.as_ref().is_some_and(|last| cited(&mut last.iter()) < before);
        let mut items: Vec<Item> =
            self.last.take().unwrap_or_else(|| std::mem::take(&mut self.items).into_values().collect());
        if items.iter().all(|item| kind(&item.wire.kind) != SEARCH_RESULTS) {
            items.splice(..0, std::mem::take(&mut self.found));
        }
        self.tell(&mut response);
        let calls = [
            "function_call",
            "custom_tool_call",
            "computer_call",
            "local_shell_call",
            "mcp_approval_request",
        ];
        let waits = items.iter().any(|item| calls.contains(&kind(&item.wire.kind)));
        let mut builder = Builder::default();
        for item in items {
            builder.item(&mut response, item);
        }
        if waits && response.text().trim().is_empty() && response.state == AnswerState::Complete {
            (response.state, response.about.ending) = (AnswerState::Partial, Ending::Waiting);
        }
        let differs = self.ended && !pieces.is_empty() && pieces != response.text();
        if self.streamed && (self.edited || differs) {
            building::edited(&mut response, &self.origin);
        } else if dropped {
            let text = "the last message has fewer citations than the pieces before it: it replaces them";
            building::remark(&mut response, RemarkKind::Edited, &self.origin, text);
        }
        builder.finish(&mut response);
        vec![response]
    }
}

/// What Perplexity's agents found, with its numbers.
const SEARCH_RESULTS: &str = "search_results";

/// The texts of an answer in an item.
fn texts(item: &Item) -> impl Iterator<Item = &str> {
    let is_answer = kind(&item.wire.phase) != "commentary";
    item.pieces.values().filter(move |_| is_answer).filter_map(|piece| piece.wire.text.as_deref())
}

impl Stream {
    fn take(&mut self, mut whole: Sent, origin: &Origin) {
        let list = origin.key("output");
        let output = std::mem::take(&mut whole.output);
        let items = output.into_iter().enumerate().map(|(index, wire)| Item::of(wire, list.item(index)));
        let items: Vec<Item> = items.collect();
        if !items.is_empty() || !self.streamed {
            self.last = Some(items);
        }
        whole.id = whole.id.or(self.whole.id.take());
        whole.model = whole.model.or(self.whole.model.take());
        whole.created = whole.created.or(self.whole.created.take());
        self.whole = whole;
    }

    /// An item that came whole, in the place of what had come of it.
    fn item(&mut self, place: Option<i64>, id: Option<String>, item: Item) {
        let text = |item: &Item| texts(item).collect::<String>();
        let now = text(&item);
        let before = std::mem::replace(self.items.at(place, Item::default), item);
        self.places.extend(id.map(|id| (id, self.items.place())));
        self.notice(Some(text(&before)), Some(now));
    }

    /// Notes whether a text that is sent again has changed.
    fn notice(&mut self, before: Option<String>, after: Option<String>) {
        let text = |text: Option<String>| text.filter(|text| !text.is_empty());
        self.edited |= text(before).zip(text(after)).is_some_and(|(before, after)| before != after);
    }

    /// A piece by the number of its item, if it was sent, and its own.
    fn piece(&mut self, (output, content): (Option<i64>, i64), root: &Origin) -> &mut Piece {
        let item = self.items.at(output, || Item { origin: root.clone(), ..Item::default() });
        item.pieces.entry(content).or_insert_with(|| Piece { origin: root.clone(), ..Piece::default() })
    }

    fn event(&mut self, kind: &str, event: Event, root: &Origin) {
        if self.frames == 0 {
            self.origin = root.clone();
        }
        let id = event.item.as_ref().and_then(|item| item.id.as_ref()).or(event.item_id.as_ref());
        let id = id.map(|id| id.0.clone());
        let named = || self.places.get(id.as_ref()?).copied();
        let at = (event.output.or_else(named), event.content.unwrap_or_default());
        match kind {
            "response.output_item.added" if at.0.is_none() => {
                let item = event.item.map(|wire| Item::of(*wire, root.key("item")));
                self.items.begin(None, item.unwrap_or_default());
                self.places.extend(id.map(|id| (id, self.items.place())));
            }
            "response.output_item.added" | "response.output_item.done" => {
                if let Some(wire) = event.item {
                    self.item(at.0, id, Item::of(*wire, root.key("item")));
                }
            }
            "response.content_part.added" | "response.content_part.done" => {
                if let Some(wire) = event.part {
                    let before = self.piece(at, root).wire.text.take();
                    self.notice(before, wire.text.clone());
                    *self.piece(at, root) = Piece::of(wire, root.key("part"));
                }
            }
            "response.output_text.delta" => {
                let text = self.piece(at, root).wire.text.get_or_insert_default();
                text.push_str(&event.delta.unwrap_or_default());
            }
            "response.refusal.delta" => {
                let refusal = self.piece(at, root).wire.refusal.get_or_insert_default();
                refusal.push_str(&event.delta.unwrap_or_default());
            }
            "response.output_text.done" => {
                let before = self.piece(at, root).wire.text.take();
                let text = event.text.or_else(|| before.clone());
                self.notice(before, text.clone());
                self.piece(at, root).wire.text = text;
            }
            "response.output_text.annotation.added" => {
                let annotation = event.annotation.map(|wire| (wire, root.key("annotation")));
                self.piece(at, root).annotations.extend(annotation);
            }
            "response.reasoning.search_queries" | "response.reasoning.search_results" => {
                self.found.push(Item::searched(event.queries, event.results, root.clone()));
            }
            "error" => {
                let failure = Failure { code: event.code.map(|word| word.0), message: event.message };
                self.failure = Some((failure, root.clone()));
            }
            _ => {
                if let Some(whole) = event.response {
                    self.ended |=
                        !matches!(kind, "response.created" | "response.in_progress" | "response.queued");
                    self.take(*whole, &root.key("response"));
                }
            }
        }
    }

    /// What is true of the response as a whole.
    fn tell(&mut self, response: &mut Response) {
        let whole = std::mem::take(&mut self.whole);
        response.id = whole.id;
        response.model = whole.model;
        let about = &mut response.about;
        about.created = whole.created.map(|word| steps::time(&word.0));
        about.completed = whole.completed.map(|word| steps::time(&word.0));
        let reason = whole.incomplete.and_then(|incomplete| incomplete.reason);
        response.state = match kind(&whole.status) {
            "queued" | "in_progress" => AnswerState::Partial,
            "incomplete" | "cancelled" => AnswerState::Truncated,
            "failed" => AnswerState::Error,
            _ => AnswerState::Complete,
        };
        match reason.as_deref() {
            Some("content_filter") => {
                (response.state, about.ending) = (AnswerState::Skipped, Ending::Blocked);
            }
            Some(_) => about.ending = Ending::Cut,
            None => {}
        }
        about.finish = reason.or(whole.status.map(|status| status.0));
        let said =
            whole.error.map(|error| Failure { code: error.code.map(|word| word.0), message: error.message });
        let failure = self.failure.take();
        if let Some((said, origin)) = said.map(|said| (said, self.origin.clone())).or(failure) {
            response.state = AnswerState::Error;
            let words = said.message.clone().or(said.code.clone()).unwrap_or_default();
            response.about.error = Some(said);
            building::remark(response, RemarkKind::Error, &origin, &words);
        } else if self.streamed && !self.ended {
            building::cut_off(response, self.frames, "response.completed");
        }
    }
}

/// Kind, part and range of annotations that are one support.
type At = (Layer, usize, Option<i64>, Option<i64>);

/// A response from its items.
#[derive(Default)]
struct Builder {
    shelf: Shelf,
    by_place: HashMap<At, usize>,
    text: Option<Origin>,
    /// What `[n]` names by the ids that Perplexity's agents give to what they found; nothing where two have
    /// one id.
    by_number: HashMap<u32, Option<usize>>,
    /// Citations of pages, those among them without a place, and the first of these.
    pages: (usize, usize, Option<Origin>),
}

/// Where the offsets of an annotation stand.
static OFFSETS: SegmentKeys = SegmentKeys { holder: "", start: "startIndex", end: "endIndex", text: false };

/// Where that of a point stands.
static POINT: SegmentKeys = SegmentKeys { holder: "", start: "index", end: "index", text: false };

impl Builder {
    fn item(&mut self, response: &mut Response, item: Item) {
        match kind(&item.wire.kind) {
            "message" | "" => self.message(response, item),
            "reasoning" => {
                let summary = item.wire.summary.list.iter().filter_map(|piece| piece.text.as_deref());
                let content = item.pieces.values().filter_map(|piece| piece.wire.text.as_deref());
                let words: Vec<&str> = summary.chain(content).collect();
                steps::think(response, &words.join("\n"), &item.origin);
            }
            _ => self.call(response, item),
        }
    }

    fn message(&mut self, response: &mut Response, item: Item) {
        let commentary = kind(&item.wire.phase) == "commentary";
        for piece in item.pieces.into_values() {
            if let Some(refusal) = piece.wire.refusal {
                response.state = AnswerState::Skipped;
                response.about.blocked = Some(refusal);
            }
            let Some(text) = piece.wire.text else { continue };
            if commentary {
                steps::think(response, &text, &piece.origin);
                continue;
            }
            building::answer_text(response, &text, false);
            self.text.get_or_insert_with(|| piece.origin.clone());
            let part = response.parts.len() - 1;
            for (annotation, origin) in piece.annotations {
                self.annotation(response, annotation, part, origin);
            }
        }
    }

    fn annotation(&mut self, response: &mut Response, wire: Annotation, part: usize, origin: Origin) {
        let layer = match kind(&wire.kind) {
            "file_citation" => Layer::FileCitation,
            "container_file_citation" => Layer::ContainerFile,
            "file_path" => Layer::FilePath,
            _ => Layer::UrlCitation,
        };
        self.pages.0 += usize::from(layer == Layer::UrlCitation);
        let made = matches!(layer, Layer::ContainerFile | Layer::FilePath);
        let source = Source {
            origin: origin.clone(),
            kind: if layer == Layer::UrlCitation { SourceKind::Web } else { SourceKind::File },
            id: wire.file,
            title: wire.title.clone().or(wire.filename),
            uri: wire.url,
            ..Source::default()
        };
        let source = self.shelf.put(response, source);
        let known = response.sources.get(source).and_then(|source| source.title.as_ref());
        let title = wire.title.filter(|title| is_title(title) && known != Some(title));
        let citation = Citation {
            cited: title.map(|title| Box::new(Cited { title: Some(title), ..Cited::default() })),
            ..Citation::of(Target::Source(source), Place::default())
        };
        let (kind, mut segment) = match layer {
            Layer::FileCitation => {
                (AnchorKind::Point, building::offsets(&POINT, wire.index.clone(), wire.index))
            }
            _ => (AnchorKind::Marker, building::offsets(&OFFSETS, wire.start, wire.end)),
        };
        let nowhere = segment.unreadable.is_none()
            && (segment.end.is_none()
                || made && segment.end == Some(0)
                || (segment.start, segment.end) == (Some(0), Some(0)))
            || layer == Layer::FilePath;
        if nowhere && kind != AnchorKind::Point || segment.end.is_none() && segment.unreadable.is_none() {
            if layer == Layer::UrlCitation {
                self.pages.1 += 1;
                self.pages.2.get_or_insert(origin);
            }
            return;
        }
        segment.part = Some(part as i64);
        let place = (layer, part, segment.start, segment.end);
        let known = *self.by_place.entry(place).or_insert(response.supports.len());
        if let Some(support) = response.supports.get_mut(known) {
            support.citations.push(citation);
            return;
        }
        let citations = vec![citation];
        let segment = Some(segment);
        response.supports.push(Support { origin, layer, kind, segment, citations, ..Support::default() });
    }

    fn call(&mut self, response: &mut Response, item: Item) {
        let Item { wire, origin, .. } = item;
        let name = wire.name.unwrap_or_else(|| kind(&wire.kind).to_owned());
        let searches =
            kind(&wire.kind).ends_with("search_call") || name.starts_with("x_") || name.ends_with("_search");
        let action = wire.action.unwrap_or_default();
        let opened = [action.url, action.pattern].into_iter().flatten().collect::<Vec<_>>().join(" · ");
        let trace = Trace {
            origin: origin.clone(),
            id: wire.id.map(|word| word.0),
            tool: Some(name),
            failed: matches!(kind(&wire.status), "failed" | "incomplete"),
            state: wire.status.map(|status| status.0),
            description: Some([kind(&action.kind), &opened].join(" ").trim().to_owned())
                .filter(|d| !d.is_empty()),
            arguments: wire.code.map(Value::from).or_else(|| wire.arguments.clone()),
            ..Trace::default()
        };
        let number = steps::trace(response, trace);
        let texts = action.query.into_iter().chain(action.queries);
        for text in texts {
            steps::query(response, number, &text, &origin.key("action"));
        }
        for (index, text) in wire.queries.iter().enumerate() {
            steps::query(response, number, text, &origin.key("queries").item(index));
        }
        if let Some(arguments) = wire.arguments.filter(|_| searches) {
            steps::queries_of(response, number, &arguments, &origin.key("arguments"));
        }
        let listed = self.listed(response, action.sources, &origin.key("action").key("sources"));
        let mut found = self.found(response, wire.results, &origin.key("results"));
        found.extend(self.found(response, wire.contents, &origin.key("contents")));
        let logs = wire.logs.into_iter().filter_map(|log| log.logs).map(steps::text_result);
        let output = wire.returned.map(|value| steps::text_result(crate::json::plain(&value)));
        if let Some(trace) = response.traces.get_mut(number) {
            trace.results = listed.into_iter().chain(found).chain(logs).chain(output).collect();
        }
    }

    /// What a search of the web lists.
    fn listed(
        &mut self,
        response: &mut Response,
        list: Vec<ActionSource>,
        base: &Origin,
    ) -> Vec<SearchResult> {
        let source = |(index, wire): (usize, ActionSource)| {
            let source = Source {
                origin: base.item(index),
                kind: SourceKind::Web,
                title: wire.name.clone(),
                uri: wire.url.clone(),
                retrieved: true,
                ..Source::default()
            };
            let source = Some(self.shelf.put(response, source));
            SearchResult { title: wire.name, uri: wire.url, source, ..SearchResult::default() }
        };
        list.into_iter().enumerate().map(source).collect()
    }

    /// What a search of files, or of an agent, found.
    fn found(&mut self, response: &mut Response, list: Vec<Found>, base: &Origin) -> Vec<SearchResult> {
        let source = |(index, wire): (usize, Found)| {
            let title = wire.filename.or(wire.title);
            let number = wire.id.and_then(|id| id.0.parse::<u32>().ok());
            let source = Source {
                origin: base.item(index),
                number: number.map(|number| number.to_string()),
                kind: if wire.url.is_some() { SourceKind::Web } else { SourceKind::File },
                id: wire.file.clone(),
                title: title.clone(),
                uri: wire.url.clone(),
                date_sent: wire.date,
                score: wire.score,
                retrieved: true,
                ..Source::default()
            };
            let source = self.shelf.put(response, source);
            if let Some(number) = number {
                let known = self.by_number.entry(number).or_insert(Some(source));
                *known = known.filter(|known| *known == source);
            }
            let label = wire.text.is_none().then_some(Label::Snippet);
            let text = wire.text.or(wire.snippet);
            if let Some(text) = text.clone().filter(|text| !text.is_empty()) {
                let chunk = Chunk { text, label, score: wire.score, ..Chunk::default() };
                self.shelf.passage(response, source, chunk);
            }
            SearchResult {
                title,
                uri: wire.url,
                document: wire.file,
                text,
                score: wire.score,
                source: Some(source),
                ..SearchResult::default()
            }
        };
        list.into_iter().enumerate().map(source).collect()
    }

    /// Where no annotation says where, links of the text to a listed address do.
    fn finish(self, response: &mut Response) {
        let marks = response.supports.iter().all(|support| support.layer == Layer::UrlCitation);
        if marks && response.parts.len() == 1 && !response.supports.is_empty() {
            copied::claims_or_marks(response);
        }
        if response.supports.is_empty()
            && let Some(origin) = self.text
        {
            let notation = if self.by_number.is_empty() { Notation::LINKS } else { Notation::NUMBERS };
            markers::add(response, &origin, notation, &[], |name| match name {
                Name::Address(address, number) => {
                    self.shelf.by_address(address).or_else(|| *self.by_number.get(&number?)?)
                }
                Name::Number(number) => *self.by_number.get(&number)?,
            });
        }
        if let (pages, unplaced, Some(origin)) = &self.pages {
            building::unplaced(response, *unplaced, *pages, origin);
        }
    }
}
