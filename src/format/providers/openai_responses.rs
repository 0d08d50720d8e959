//! OpenAI's Responses API, as Azure OpenAI, xAI and DeepSeek send it, too. Annotations name marks in the text
//! (`url_citation`, offsets are characters of their part), points (`file_citation`) or links to files that
//! the model made.

use std::collections::HashMap;

use super::openai_responses_items::{Builder, Item, Piece, SEARCH_RESULTS, texts};
use super::openai_responses_wire::{Content, Event, Output, Sent};
use crate::format::building::{self, Retold};
use crate::format::interface::{self, Boundary, Format, FrameGroup, begin, pass_over, read};
use crate::format::markers::Charge;
use crate::format::slots::Slots;
use crate::format::steps;
use crate::format::stops::stopped;
use crate::json::Peek;
use crate::json::values::kind;
use crate::json::wire::Cx;
use crate::model::{AnswerState, Ending, Failure, Origin, RemarkKind, Response, Unit};

pub const FORMAT: Format = Format {
    id: "openai-responses",
    vendor: "OpenAI",
    short: "OpenAI Responses",
    name: "OpenAI Responses API (also Azure OpenAI, xAI, DeepSeek)",
    reads: "response objects, streams, items and messages alone; url_citation, file_citation, container files",
    offsets: "characters of a part; marks that hold their address and points before punctuation prove them",
    recognise,
    group,
    announced: true,
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
        || is_item(peek, &kind)
}

/// An item of the output alone, as conversations keep it.
fn is_item(peek: &Peek, kind: &str) -> bool {
    let said = || peek.first("content").and_then(|content| content.word("type"));
    let answers = |kind: String| kind == "output_text" || kind == "refusal";
    match kind {
        "message" => peek.word("role").is_some_and(|role| role == "assistant") && said().is_some_and(answers),
        "reasoning" => peek.has("id") && peek.kind("summary") == Some('['),
        kind if kind.ends_with("_output") => {
            CALLS.contains(&kind.trim_end_matches("_output")) && peek.has("callId")
        }
        kind => CALLS.contains(&kind) && peek.has("id") && peek.has_any(&["status", "callId"]),
    }
}

/// Calls of a model, each an item; what the caller returned to some is another, `function_call_output`.
const CALLS: &[&str] = &[
    "apply_patch_call",
    "code_interpreter_call",
    "computer_call",
    "custom_tool_call",
    "file_search_call",
    "function_call",
    "image_generation_call",
    "local_shell_call",
    "mcp_call",
    "shell_call",
    "web_search_call",
];

fn group(peek: &Peek) -> FrameGroup {
    let kind = peek.word("type").unwrap_or_default();
    if is_item(peek, &kind) {
        // Items in a row are one output; its last message ends it.
        let ends = kind == "message" && peek.word("phase").is_none_or(|phase| phase != "commentary");
        let boundary = if ends { Boundary::EndsUnlessId } else { Boundary::Continues };
        return FrameGroup::Stream { id: None, boundary };
    }
    if !kind.starts_with("response.") && kind != "error" {
        return FrameGroup::Alone;
    }
    let last = ["response.completed", "response.incomplete", "response.failed"];
    FrameGroup::event(&kind, &["response.created"], &last)
}

/// Bytes of an item.
const ITEM: usize = 4608;

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
    /// Citations that parts and items which came whole have fewer than what had come of them.
    fewer: isize,
    retold: Retold,
    failure: Option<(Failure, Origin)>,
    marks: Charge,
    /// Marks for which room was asked, by the item that they are in.
    marked: HashMap<Option<i64>, usize>,
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
            self.charge(&event, repeats, cx);
            self.event(&kind, event, &root);
        } else if !self.streamed && is_item(&Peek::of(text, &["object"]), &kind) {
            let wire: Output = read(text, cx)?;
            for text in wire.texts() {
                self.marks.take(text, cx);
            }
            if self.frames == 0 {
                self.origin = root.clone();
            }
            self.items.begin(None, Item::of(wire, root));
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

    fn holds(&self) -> usize {
        (self.items.len() + self.found.len()) * ITEM
    }

    fn finish(mut self) -> Vec<Response> {
        let mut response =
            Response { origin: self.origin.clone(), unit: Unit::Characters, ..Response::default() };
        self.retold.resent |= self.items.values_mut().fold(false, |resent, item| resent | item.settle());
        let pieces: String = self.items.values().flat_map(texts).collect();
        let before: usize = self.items.values().map(Item::citations).sum();
        let before = before.saturating_add_signed(self.fewer);
        let dropped =
            self.last.as_ref().is_some_and(|last| last.iter().map(Item::citations).sum::<usize>() < before);
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
        // Of a stream the last event says it.
        let messages = items.iter().filter(|item| !self.streamed && kind(&item.wire.kind) == "message");
        let states = messages.map(|item| stopped(Some(kind(&item.wire.status))).0);
        if let Some(state) = states
            .filter(|_| response.state == AnswerState::Complete)
            .find(|&state| state != AnswerState::Complete)
        {
            response.state = state;
        }
        let mut builder = Builder::default();
        for item in items {
            builder.item(&mut response, item);
        }
        if waits && response.text().trim().is_empty() && response.state == AnswerState::Complete {
            (response.state, response.ending) = (AnswerState::Partial, Ending::Waiting);
        }
        let differs = self.ended && !pieces.is_empty() && pieces != response.text();
        self.retold.edited = self.streamed && (self.retold.edited || differs);
        self.retold.tell(&mut response, &self.origin);
        if dropped && !self.retold.edited {
            building::uncited(&mut response, &self.origin);
        }
        builder.finish(&mut response);
        vec![response]
    }
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

    /// An item that begins, or has come.
    fn some_item(&mut self, begins: bool, place: Option<i64>, id: Option<String>, item: Option<Item>) {
        match item {
            item if begins && place.is_none() => {
                self.items.begin(None, item.unwrap_or_default());
                self.places.extend(id.map(|id| (id, self.items.place())));
            }
            Some(item) if begins && item.pieces.is_empty() => self.begin(place, id, item),
            Some(item) => self.item(place, id, item),
            None => {}
        }
    }

    /// An item that begins. What had come of it stays: frames come twice, and late.
    fn begin(&mut self, place: Option<i64>, id: Option<String>, item: Item) {
        let known = self.items.at(place, Item::default);
        if known.wire.kind.is_none() {
            *known = Item { pieces: std::mem::take(&mut known.pieces), ..item };
            self.places.extend(id.map(|id| (id, self.items.place())));
        } else if known.wire.id.as_ref().map(|own| &own.0) != id.as_ref() {
            self.item(place, id, item);
        }
    }

    /// An item that came whole, in the place of what had come of it.
    fn item(&mut self, place: Option<i64>, id: Option<String>, item: Item) {
        let text = |item: &Item| texts(item).collect::<String>();
        let now = text(&item);
        let after = item.citations();
        let mut before = std::mem::replace(self.items.at(place, Item::default), item);
        self.fewer += before.citations() as isize - after as isize;
        self.retold.resent |= before.settle();
        self.places.extend(id.map(|id| (id, self.items.place())));
        self.notice(Some(text(&before)), Some(now));
    }

    /// Notes whether a text that is sent again has changed.
    fn notice(&mut self, before: Option<String>, after: Option<String>) {
        let text = |text: Option<String>| text.filter(|text| !text.is_empty());
        self.retold.edited |= text(before).zip(text(after)).is_some_and(|(before, after)| before != after);
    }

    /// A piece by the number of its item, if it was sent, and its own.
    fn piece(&mut self, (output, content): (Option<i64>, i64), root: &Origin) -> &mut Piece {
        let item = self.items.at(output, || Item { origin: root.clone(), ..Item::default() });
        item.pieces.entry(content).or_insert_with(|| Piece::at(root.clone()))
    }

    /// A piece that came whole, in the place of what had come of it.
    fn part(&mut self, at: (Option<i64>, i64), wire: Content, root: &Origin) {
        let before = self.said(at, root);
        self.notice(before, wire.text.clone());
        let piece = Piece::of(wire, root.key("part"));
        let after = piece.annotations.len();
        let before = std::mem::replace(self.piece(at, root), piece).annotations.len();
        self.fewer += before as isize - after as isize;
    }

    /// Takes the text of a piece as far as it came.
    fn said(&mut self, at: (Option<i64>, i64), root: &Origin) -> Option<String> {
        let piece = self.piece(at, root);
        let (resent, text) = (piece.settle(), piece.wire.text.take());
        self.retold.resent |= resent;
        text
    }

    /// Takes room for the marks in what an event says or repeats.
    fn charge(&mut self, event: &Event, repeats: bool, cx: &Cx) {
        let known = self.marked.entry(event.output).or_default();
        self.marks.take_more(known, event.delta.as_deref().unwrap_or_default(), cx);
        // One of these says what the others say.
        self.marks.take_whole(known, event.wholes(), cx);
        let whole = event.response.iter().filter(|_| !repeats).flat_map(|whole| &whole.output);
        for (index, item) in whole.enumerate() {
            let known = self.marked.entry(Some(index as i64)).or_default();
            self.marks.take_whole(known, item.texts(), cx);
        }
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
            "response.output_item.added" | "response.output_item.done" => {
                let item = event.item.map(|wire| Item::of(*wire, root.key("item")));
                self.some_item(kind.ends_with("added"), at.0, id, item);
            }
            "response.content_part.added" | "response.content_part.done" => {
                // One that begins empty takes nothing of what came before it: frames come twice, and late.
                let begins = |part: &Content| part.is_empty() && kind.ends_with("added");
                if let Some(wire) = event.part.filter(|part| !(begins(part) && self.piece(at, root).holds()))
                {
                    self.part(at, wire, root);
                }
            }
            "response.output_text.delta" => {
                self.piece(at, root).push(&event.delta.unwrap_or_default());
            }
            "response.refusal.delta" => {
                let refusal = self.piece(at, root).wire.refusal.get_or_insert_default();
                refusal.push_str(&event.delta.unwrap_or_default());
            }
            "response.output_text.done" => {
                let before = self.said(at, root);
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
        response.state = stopped(Some(kind(&whole.status))).0;
        match reason.as_deref() {
            Some("content_filter") => {
                (response.state, response.ending) = (AnswerState::Skipped, Ending::Blocked);
            }
            Some(_) => response.ending = Ending::Cut,
            None => {}
        }
        response.finish = reason.or(whole.status.map(|status| status.0));
        let said = whole.error.and_then(|error| building::failure(error.code, error.message));
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
