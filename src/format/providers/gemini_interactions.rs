//! Gemini's Interactions API: annotations name the claim itself, in UTF-8 bytes of their text item, under the
//! keys with which OpenAI names marks.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::format::building::{self, Bounded, Retold};
use crate::format::google::REDIRECTS;
use crate::format::growth::Growth;
use crate::format::interface::{self, Format, FrameGroup, begin, read};
use crate::format::shelf::Shelf;
use crate::format::slots::Slots;
use crate::format::steps;
use crate::format::stops::stopped;
use crate::json::Peek;
use crate::json::values::{KindWord, Whole, Word, kind};
use crate::json::wire::{Cx, TextOr, wire};
use crate::model::{
    AnchorKind, Citation, Facts, Failure, JsonText, Layer, MapsPlace, Origin, Page, Place, PlaceReview,
    Response, SearchResult, SegmentKeys, Source, SourceKind, Support, Target, Trace, Unit,
};
use crate::text::address_or_name;

pub const FORMAT: Format = Format {
    id: "gemini-interactions",
    vendor: "Google",
    short: "Gemini Interactions",
    name: "Gemini Interactions API",
    reads: "interactions and their streams; url, file and place citations",
    offsets: "UTF-8 bytes of a text item; no quotes: where the ends fall tells the unit",
    facts: Facts { redirects: REDIRECTS, ..Facts::NONE },
    recognise,
    group,
    announced: true,
    fold: begin::<Stream>,
    samples: &[sample!(
        "gemini-interactions.json",
        "Gemini Interactions API",
        "byte offsets of claims under OpenAI's keys, a file and a place; the last range is three bytes early"
    )],
    ..Format::PLAIN
};

wire! {
    struct Event {
        kind: Option<KindWord> = "eventType";
        interaction: Option<Box<Interaction>> = "interaction";
        index: Option<i64> = "index";
        step: Option<Box<Step>> = "step" | "content";
        delta: Option<Step> = "delta";
        number: Option<Word> = "eventId";
        error: Option<Problem> = "error";
    }

    struct Problem {
        code: Option<Word> = "code";
        message: Option<String> = "message";
    }

    struct Interaction {
        object: Option<KindWord> = "object";
        id: Option<String> = "id";
        model: Option<String> = "model";
        status: Option<String> = "status";
        created: Option<String> = "created";
        updated: Option<String> = "updated", extra;
        steps: Vec<Step> = "steps";
        outputs: Vec<Step> = "outputs";
    }

    /// A step, an item of the content, or a piece of one.
    struct Step lists 3072 whole [] {
        kind: Option<KindWord> = "type";
        content: TextOr<Step> = "content";
        summary: TextOr<Step> = "summary";
        text: Option<String> = "text";
        annotations: Vec<Annotation> = "annotations";
        id: Option<String> = "id";
        call: Option<String> = "callId";
        name: Option<String> = "name";
        arguments: Option<JsonText> = "arguments";
        result: TextOr<Found> = "result";
        failed: Option<bool> = "isError", kept;
    }

    struct Annotation takes 1792 whole [] {
        kind: Option<KindWord> = "type";
        start: Option<Whole> = "startIndex";
        end: Option<Whole> = "endIndex";
        url: Option<String> = "url";
        title: Option<String> = "title";
        document: Option<String> = "documentUri";
        source: Option<String> = "source";
        file: Option<String> = "fileName";
        place: Option<String> = "placeId";
        name: Option<String> = "name";
        reviews: Vec<Review> = "reviewSnippets";
    }

    struct Review {
        id: Option<String> = "reviewId";
        title: Option<String> = "title";
        url: Option<String> = "url";
        text: Option<String> = "text";
    }

    struct Found long 1024 whole [] {
        title: Option<String> = "title";
        url: Option<String> = "url";
        text: Option<String> = "text";
        status: Option<String> = "status", kept;
    }
}

fn recognise(peek: &Peek) -> bool {
    let event = peek.word("eventType").unwrap_or_default();
    peek.word("object").as_deref() == Some("interaction")
        || ["interaction.", "step.", "content."].iter().any(|begin| event.starts_with(begin))
        || event == "error" && peek.has("error")
}

fn group(peek: &Peek) -> FrameGroup {
    let Some(event) = peek.word("eventType") else { return FrameGroup::Alone };
    let last = ["interaction.completed", "interaction.complete", "interaction.failed"];
    FrameGroup::event(&event, &["interaction.start", "interaction.created"], &last)
}

/// Bytes of a step.
const STEP: usize = 2560;

/// A step with the items of its content, each with its annotations, and their places.
#[derive(Default, Clone)]
struct Built {
    wire: Step,
    origin: Origin,
    items: Vec<Item>,
    /// The arguments of a call as they came in pieces.
    arguments: String,
    /// Its beginning has come.
    begun: bool,
}

#[derive(Default, Clone)]
struct Item {
    wire: Step,
    annotations: Vec<(Annotation, Origin)>,
    growth: Growth,
}

impl Item {
    fn of(mut wire: Step, origin: &Origin) -> Self {
        let list = origin.key("annotations");
        let annotations = std::mem::take(&mut wire.annotations).into_iter().enumerate();
        let annotations = annotations.map(|(index, wire)| (wire, list.item(index))).collect();
        Self { wire, annotations, growth: Growth::default() }
    }
}

impl Built {
    fn of(mut wire: Step, origin: Origin) -> Self {
        let content = std::mem::take(&mut wire.content);
        let text = content.text.map(|text| Step { text: Some(text), ..Step::default() });
        let list = origin.key("content");
        let mut items: Vec<Item> = text
            .into_iter()
            .chain(content.list)
            .enumerate()
            .map(|(index, item)| Item::of(item, &list.item(index)))
            .collect();
        // Items of the content stand for themselves in the older form.
        if wire.text.is_some() {
            let own = Step {
                text: wire.text.take(),
                annotations: std::mem::take(&mut wire.annotations),
                ..Step::default()
            };
            items.push(Item::of(own, &origin));
        }
        Self { wire, origin, items, begun: true, ..Self::default() }
    }

    /// Its beginning comes behind what it holds already; where that came before, it says nothing new.
    fn begin_late(&mut self, mut begun: Self) {
        if self.begun {
            return;
        }
        let (items, wire) = (std::mem::take(&mut self.items), std::mem::take(&mut self.wire));
        begun.items.extend(items);
        begun.wire.call = begun.wire.call.or(wire.call);
        begun.wire.id = begun.wire.id.or(wire.id);
        begun.wire.name = begun.wire.name.or(wire.name);
        begun.wire.arguments = wire.arguments.or(begun.wire.arguments);
        begun.wire.result.list.extend(wire.result.list);
        begun.arguments = std::mem::take(&mut self.arguments);
        *self = begun;
    }

    fn add(&mut self, delta: Step, origin: &Origin) {
        let list = origin.key("annotations");
        let annotations = delta.annotations.into_iter().enumerate();
        let annotations: Vec<_> = annotations.map(|(index, wire)| (wire, list.item(index))).collect();
        if delta.text.is_some() || !annotations.is_empty() {
            if self.items.is_empty() {
                self.items.push(Item::default());
            }
            if let Some(item) = self.items.last_mut() {
                if let Some(text) = delta.text {
                    item.growth.push(item.wire.text.get_or_insert_default(), &text);
                }
                item.annotations.extend(annotations);
            }
        }
        let content = delta.content.list.into_iter();
        self.items.extend(content.map(|item| Item::of(item, &origin.key("content"))));
        let wire = &mut self.wire;
        wire.id = delta.id.or(wire.id.take());
        wire.call = delta.call.or(wire.call.take());
        wire.name = delta.name.or(wire.name.take());
        match delta.arguments.as_ref().and_then(JsonText::as_text) {
            Some(piece) => self.arguments.push_str(&piece),
            None => wire.arguments = delta.arguments.or(wire.arguments.take()),
        }
        wire.result.list.extend(delta.result.list);
        if wire.kind.is_none() {
            // Where its beginning was lost, its pieces say what it is.
            wire.kind = delta.kind.and_then(|kind| match kind.0.as_str() {
                word if word.ends_with("_call") || word.ends_with("_result") => Some(kind),
                word if word.starts_with("thought") => Some(KindWord("thought".into())),
                _ => None,
            });
        }
    }
}

#[derive(Default, Clone)]
struct Stream {
    whole: Interaction,
    origin: Origin,
    frames: u32,
    streamed: bool,
    ended: bool,
    steps: Slots<Built>,
    retold: Retold,
    failure: Option<(Failure, Origin)>,
    /// Events that came, by what their frames say: with an id each.
    seen: HashSet<u64>,
}

impl interface::FoldState for Stream {
    fn push(&mut self, frame: u32, text: &str, cx: &Cx) -> Result<(), serde_json::Error> {
        let root = building::root(frame);
        if self.frames == 0 {
            self.origin = root.clone();
        }
        if Peek::of(text, &["eventType"]).has("eventType") {
            let event: Event = read(text, cx)?;
            // Who takes a stream up again gets the last events once more, under their ids.
            if event.number.as_ref().is_none_or(|id| id.0.is_empty() || self.is_new(text)) {
                self.event(event, &root);
            }
        } else {
            self.take(read(text, cx)?, &root);
        }
        self.frames = frame + 1;
        Ok(())
    }

    fn holds(&self) -> usize {
        self.steps.len() * STEP
    }

    fn finish(mut self) -> Vec<Response> {
        self.settle();
        let whole = self.whole;
        let mut response = Response {
            origin: self.origin.clone(),
            id: whole.id,
            model: whole.model,
            unit: Unit::Bytes,
            ..Response::default()
        };
        response.about.created = whole.created;
        let mut builder = Builder::default();
        for step in self.steps.into_values() {
            builder.step(&mut response, step);
        }
        (response.state, response.ending) = stopped(whole.status.as_deref());
        response.finish = whole.status;
        self.retold.tell(&mut response, &self.origin);
        if let Some((failure, origin)) = self.failure {
            building::failed(&mut response, failure, &origin);
        } else if self.streamed && !self.ended {
            building::cut_off(&mut response, self.frames, "interaction.completed");
        }
        vec![response]
    }
}

impl Stream {
    fn is_new(&mut self, frame: &str) -> bool {
        let mut hash = DefaultHasher::new();
        frame.hash(&mut hash);
        self.seen.insert(hash.finish())
    }

    /// Where each piece of a text repeats those before it, the last one is the text.
    fn settle(&mut self) {
        for item in self.steps.values_mut().flat_map(|step| &mut step.items) {
            let growth = std::mem::take(&mut item.growth);
            self.retold.resent |= item.wire.text.as_mut().is_some_and(|text| growth.settle(text));
        }
    }

    fn take(&mut self, mut whole: Interaction, origin: &Origin) {
        // As the first version called them.
        let key = if whole.steps.is_empty() { "outputs" } else { "steps" };
        if whole.steps.is_empty() {
            whole.steps = std::mem::take(&mut whole.outputs);
        }
        if !whole.steps.is_empty() {
            self.settle();
        }
        let before = self.answer();
        let resent = !whole.steps.is_empty();
        let list = origin.key(key);
        let sent = std::mem::take(&mut whole.steps);
        // A closing list that leaves steps out repeats the answer all the same.
        let fewer = resent && sent.len() < self.steps.values().count();
        if fewer {
            self.steps.retain(|step| kind(&step.wire.kind) != "model_output");
        }
        for (index, step) in sent.into_iter().enumerate() {
            let step = Built::of(step, list.item(index));
            if fewer { self.steps.begin(None, step) } else { self.steps.put(index as i64, step) }
        }
        self.retold.edited |= resent && !before.is_empty() && before != self.answer();
        whole.id = whole.id.or(self.whole.id.take());
        whole.model = whole.model.or(self.whole.model.take());
        whole.created = whole.created.or(self.whole.created.take());
        self.whole = whole;
    }

    /// The text of the answer so far.
    fn answer(&self) -> String {
        let steps = self.steps.values().filter(|step| kind(&step.wire.kind) == "model_output");
        steps.flat_map(|step| &step.items).filter_map(|item| item.wire.text.as_deref()).collect()
    }

    fn event(&mut self, event: Event, root: &Origin) {
        self.streamed = true;
        let name = kind(&event.kind).to_owned();
        if let Some(error) = event.error {
            let failure = Failure { code: error.code.map(|word| word.0), message: error.message };
            self.failure = Some((failure, root.key("error")));
        }
        if let Some(interaction) = event.interaction {
            self.ended |= matches!(
                name.as_str(),
                "interaction.completed" | "interaction.complete" | "interaction.failed"
            );
            self.take(*interaction, &root.key("interaction"));
        }
        if let Some(step) = event.step {
            self.steps.open(event.index, Built::of(*step, root.key("step")), Built::begin_late);
        }
        if let Some(delta) = event.delta {
            let origin = root.key("delta");
            let says = delta.text.as_ref().is_some_and(|text| !text.is_empty());
            self.retold.late |= self.ended && says;
            self.retold.behind |= !self.ended && says && self.steps.has_ended(event.index);
            let new = || Built { origin: origin.clone(), ..Built::default() };
            self.steps.at(event.index, new).add(delta, &origin);
        }
        if name == "step.stop" || name == "content.stop" {
            self.steps.close(event.index);
        }
    }
}

/// Where the offsets of an annotation stand.
static OFFSETS: SegmentKeys = SegmentKeys { holder: "", start: "startIndex", end: "endIndex", text: false };

#[derive(Default)]
struct Builder {
    shelf: Shelf,
    calls: HashMap<String, usize>,
    by_place: HashMap<(Layer, usize, Option<i64>, Option<i64>), usize>,
}

impl Builder {
    fn step(&mut self, response: &mut Response, step: Built) {
        let kind = kind(&step.wire.kind).to_owned();
        match kind.as_str() {
            "thought" => {
                let texts =
                    step.wire.summary.list.into_iter().chain(step.items.into_iter().map(|item| item.wire));
                let words: Vec<String> = texts.filter_map(|piece| piece.text).collect();
                steps::think(response, &words.join("\n"), &step.origin);
            }
            "user_input" => {
                let words: Vec<String> = step.items.into_iter().filter_map(|item| item.wire.text).collect();
                let asked = Some(words.join("\n")).filter(|words| !words.is_empty());
                response.about.question = asked.map(Into::into);
            }
            kind if kind.ends_with("_result") => self.result(response, step),
            kind if kind.ends_with("_call") => self.call(response, step),
            _ => step.items.into_iter().for_each(|item| self.text(response, item)),
        }
    }

    fn text(&mut self, response: &mut Response, item: Item) {
        let Some(text) = item.wire.text else { return };
        building::answer_text(response, &text, false);
        let part = response.parts.len() - 1;
        for (wire, origin) in item.annotations {
            self.annotation(response, wire, origin, part);
        }
    }

    fn annotation(&mut self, response: &mut Response, wire: Annotation, origin: Origin, part: usize) {
        let (layer, source_kind) = match kind(&wire.kind) {
            "file_citation" => (Layer::FileCitation, SourceKind::File),
            "place_citation" => (Layer::PlaceCitation, SourceKind::Place),
            _ => (Layer::UrlCitation, SourceKind::Web),
        };
        let review = |wire: Review| PlaceReview {
            id: wire.id,
            title: wire.title,
            uri: wire.url,
            text: wire.text,
            ..PlaceReview::default()
        };
        let (uri, document) = address_or_name(wire.document);
        // "Could be a URL, title, or other identifier", says the first version.
        let (address, name) = address_or_name(wire.source);
        let place = MapsPlace {
            id: wire.place.clone(),
            reviews: wire.reviews.into_iter().map(review).collect(),
            ..MapsPlace::default()
        };
        let source = Source {
            origin: origin.clone(),
            kind: source_kind,
            title: wire.title.or(wire.name).or_else(|| wire.file.clone()).or(name),
            uri: wire.url.or(uri).or(address),
            id: wire.place.or_else(|| document.clone()),
            document,
            place: place.into(),
            ..Source::default()
        };
        let source = self.shelf.put(response, source);
        let citation = Citation::of(Target::Source(source), Place::default());
        let mut segment = building::offsets(&OFFSETS, wire.start, wire.end);
        if segment.end.is_none() && segment.unreadable.is_none() {
            return;
        }
        segment.part = Some(part as i64);
        let place = (layer, part, segment.start, segment.end);
        let known = *self.by_place.entry(place).or_insert(response.supports.len());
        match response.supports.get_mut(known) {
            Some(support) => support.citations.add(citation),
            None => response.supports.add(Support {
                origin,
                layer,
                kind: AnchorKind::Span,
                segment: Some(segment),
                citations: vec![citation],
                ..Support::default()
            }),
        }
    }

    fn call(&mut self, response: &mut Response, step: Built) {
        let mut wire = step.wire;
        if !step.arguments.is_empty() {
            let pieces = step.arguments;
            wire.arguments = Some(JsonText::of_pieces(pieces));
        }
        let own = kind(&wire.kind) != "function_call";
        let trace = Trace {
            origin: step.origin.clone(),
            id: wire.id.clone(),
            tool: wire.name.or_else(|| wire.kind.map(|kind| kind.0.trim_end_matches("_call").to_owned())),
            arguments: wire.arguments.clone(),
            ..Trace::default()
        };
        let number = steps::trace(response, trace);
        self.calls.extend(wire.id.map(|id| (id, number)));
        if let Some(arguments) = wire.arguments.filter(|_| own) {
            steps::queries_of(response, number, &arguments, &step.origin.key("arguments"));
        }
    }

    fn result(&mut self, response: &mut Response, step: Built) {
        let known = step.wire.call.as_ref().and_then(|id| self.calls.get(id)).copied();
        let number = known.unwrap_or_else(|| {
            let trace = Trace { origin: step.origin.clone(), id: step.wire.call.clone(), ..Trace::default() };
            steps::trace(response, trace)
        });
        let list = step.origin.key("result");
        let mut found = Vec::new();
        let fetched = kind(&step.wire.kind) == "url_context_result";
        for (index, result) in step.wire.result.list.into_iter().enumerate() {
            if let Some(status) = result.status.filter(|_| fetched) {
                let failed = matches!(status.as_str(), "error" | "paywall" | "unsafe");
                let uri = result.url.clone().unwrap_or_default();
                response.about.fetched.push(Page { uri, failed, status: status.to_uppercase() });
            }
            let source = result.url.clone().map(|uri| {
                let origin = list.item(index);
                let (title, kind) = (result.title.clone(), SourceKind::Web);
                let source =
                    Source { origin, kind, title, uri: Some(uri), retrieved: true, ..Source::default() };
                self.shelf.put(response, source)
            });
            found.push(SearchResult {
                title: result.title,
                uri: result.url,
                text: result.text,
                source,
                ..SearchResult::default()
            });
        }
        let text = step.wire.result.text.map(steps::text_result);
        found.extend(text);
        let named =
            |result: &SearchResult| result.title.is_some() || result.uri.is_some() || result.text.is_some();
        if let Some(trace) = response.traces.get_mut(number) {
            trace.failed |= step.wire.failed == Some(true);
            trace.results.extend(found.into_iter().filter(named));
        }
    }
}
