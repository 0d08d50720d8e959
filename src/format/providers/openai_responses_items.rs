//! A response of OpenAI's Responses API from the items of its output.

use std::collections::{BTreeMap, HashMap};

use super::openai_responses_wire::{ActionSource, Annotation, Content, Found, Output};
use crate::format::building::{self, Bounded};
use crate::format::copied;
use crate::format::growth::Growth;
use crate::format::markers::{self, Name, Notation};
use crate::format::shelf::{Shelf, is_title};
use crate::format::steps;
use crate::json::values::{KindWord, kind};
use crate::model::{
    AnchorKind, AnswerState, Chunk, Citation, Cited, JsonText, Label, Layer, Origin, Place, Published,
    Response, SearchResult, SegmentKeys, Source, SourceKind, Support, Target, Trace,
};

/// A piece of a message with what marks it.
#[derive(Default, Clone)]
pub struct Piece {
    pub wire: Content,
    pub origin: Origin,
    /// With its place.
    pub annotations: Vec<(Annotation, Origin)>,
    /// Of what comes bit by bit.
    growth: Growth,
}

/// An item of the output.
#[derive(Default, Clone)]
pub struct Item {
    pub wire: Output,
    pub origin: Origin,
    pub pieces: BTreeMap<i64, Piece>,
}

impl Item {
    pub fn of(mut wire: Output, origin: Origin) -> Self {
        let content = std::mem::take(&mut wire.content);
        let list = origin.key("content");
        let text = content.text.map(|text| Content { text: Some(text), ..Content::default() });
        let pieces = text.into_iter().chain(content.list).enumerate();
        let pieces = pieces.map(|(index, wire)| (index as i64, Piece::of(wire, list.item(index)))).collect();
        Self { wire, origin, pieces }
    }

    /// Leaves the last piece of texts alone whose pieces each repeat those before; whether there are any.
    pub fn settle(&mut self) -> bool {
        self.pieces.values_mut().fold(false, |resent, piece| resent | piece.settle())
    }

    pub fn citations(&self) -> usize {
        self.pieces.values().map(|piece| piece.annotations.len()).sum()
    }

    /// A search of Perplexity's agents as the item that tells it at the end.
    pub fn searched(queries: Vec<String>, results: Vec<Found>, origin: Origin) -> Self {
        let kind = Some(KindWord(SEARCH_RESULTS.to_owned()));
        Self { wire: Output { kind, queries, results, ..Output::default() }, origin, ..Self::default() }
    }
}

impl Piece {
    /// One of which nothing came yet.
    pub fn at(origin: Origin) -> Self {
        Self { origin, ..Self::default() }
    }

    pub fn push(&mut self, text: &str) {
        self.growth.push(self.wire.text.get_or_insert_default(), text);
    }

    /// Whether something was said in it.
    pub fn holds(&self) -> bool {
        !self.wire.is_empty() || !self.annotations.is_empty()
    }

    pub fn settle(&mut self) -> bool {
        let growth = std::mem::take(&mut self.growth);
        self.wire.text.as_mut().is_some_and(|text| growth.settle(text))
    }

    pub fn of(mut wire: Content, origin: Origin) -> Self {
        let list = origin.key("annotations");
        let annotations = std::mem::take(&mut wire.annotations).into_iter().enumerate();
        let annotations = annotations.map(|(index, wire)| (wire, list.item(index))).collect();
        Self { wire, origin, annotations, growth: Growth::default() }
    }
}

/// What Perplexity's agents found, with its numbers.
pub const SEARCH_RESULTS: &str = "search_results";

/// The texts of an answer in an item.
pub fn texts(item: &Item) -> impl Iterator<Item = &str> {
    let is_answer = kind(&item.wire.phase) != "commentary";
    item.pieces.values().filter(move |_| is_answer).filter_map(|piece| piece.wire.text.as_deref())
}

/// Kind, part and range of annotations that are one support.
type At = (Layer, usize, Option<i64>, Option<i64>);

/// A response from its items.
#[derive(Default)]
pub struct Builder {
    /// All sources.
    pub shelf: Shelf,
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

/// The same where they are nested.
static NESTED: SegmentKeys =
    SegmentKeys { holder: "urlCitation", start: "startIndex", end: "endIndex", text: false };

/// Where that of a point stands.
static POINT: SegmentKeys = SegmentKeys { holder: "", start: "index", end: "index", text: false };

impl Builder {
    pub fn item(&mut self, response: &mut Response, item: Item) {
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
            if let Some(refusal) = piece.wire.refusal.filter(|refusal| !refusal.is_empty()) {
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
            self.annotations(response, piece.annotations);
        }
    }

    /// What marks the last text of the answer.
    pub fn annotations(&mut self, response: &mut Response, list: Vec<(Annotation, Origin)>) {
        let part = response.parts.len().saturating_sub(1);
        for (annotation, origin) in list {
            self.annotation(response, annotation, part, origin);
        }
    }

    fn annotation(&mut self, response: &mut Response, mut wire: Annotation, part: usize, origin: Origin) {
        let layer = match kind(&wire.kind) {
            "file_citation" => Layer::FileCitation,
            "container_file_citation" => Layer::ContainerFile,
            "file_path" => Layer::FilePath,
            _ => Layer::UrlCitation,
        };
        self.pages.0 += usize::from(layer == Layer::UrlCitation);
        let made = matches!(layer, Layer::ContainerFile | Layer::FilePath);
        let mut keys = &OFFSETS;
        if let Some(nested) = wire.cited.take() {
            (wire, keys) = (*nested, &NESTED);
        }
        let source = Source {
            origin: origin.clone(),
            kind: if layer == Layer::UrlCitation { SourceKind::Web } else { SourceKind::File },
            id: wire.file,
            title: wire.title.clone().filter(|title| is_title(title)).or(wire.filename),
            number: wire.title.clone().filter(|title| !title.is_empty() && !is_title(title)),
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
            _ => (AnchorKind::Marker, building::offsets(keys, wire.start, wire.end)),
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
            support.citations.add(citation);
            return;
        }
        let citations = vec![citation];
        let segment = Some(segment);
        response.supports.add(Support { origin, layer, kind, segment, citations, ..Support::default() });
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
            error: wire.error.map(|error| error.get("message").unwrap_or(error).plain()),
            state: wire.status.map(|status| status.0),
            description: Some([kind(&action.kind), &opened].join(" ").trim().to_owned())
                .filter(|d| !d.is_empty()),
            arguments: wire.code.map(JsonText::from).or_else(|| wire.arguments.clone()),
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
        let output = wire.returned.map(|value| steps::text_result(value.plain()));
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
                published: Published { date_sent: wire.date, ..Published::default() }.into(),
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
    pub fn finish(self, response: &mut Response) {
        let marks = response.supports.iter().all(|support| support.layer == Layer::UrlCitation);
        if marks && !response.supports.is_empty() {
            copied::claims_or_marks(response);
        }
        if response.supports.is_empty()
            && let Some(origin) = self.text
        {
            let notation = if self.by_number.is_empty() { Notation::LINKS } else { Notation::NUMBERS };
            markers::add(response, &origin, notation, &[], |name, _| match name {
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
