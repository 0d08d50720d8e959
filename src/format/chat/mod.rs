//! Chat completions, whole and in pieces, in all their dialects: what OpenAI and gateways annotate,
//! Perplexity's numbered list, Azure OpenAI's own data, Mistral's reference chunks. Which one it is shows at
//! the end, since a stream may tell late.

mod dialects;
mod gateway;
mod told;
mod wire;

use std::collections::{BTreeMap, HashSet};

use super::building;
use super::google::{self, GroundingMetadata};
use super::interface::{self, Boundary, FrameGroup, read};
use super::lists;
use super::markers::Charge;
use super::opening;
use super::steps;
use super::stops::stopped;
use crate::json::Peek;
use crate::json::values::kind;
use crate::json::wire::Cx;
use crate::model::{AnswerState, Failure, JsonText, Origin, RemarkKind, Response, Trace, Unit};

pub use dialects::{Dialect, handed};
use told::{Beside, Told, placed};
pub use wire::{Annotation, Found};
use wire::{Choice, Frame, Message, Problem};

/// Formats that are chat completions: frames of one stream may look like different ones.
pub const FAMILY: &str = "chat";

/// What every chat completion has.
pub fn is_chat(peek: &Peek) -> bool {
    peek.kind("choices") == Some('[') && !peek.has("candidates")
        || peek.word("object").is_some_and(|object| object.contains("chat.completion"))
        || is_message(peek)
}

/// The message of a choice alone, as conversations keep it.
fn is_message(peek: &Peek) -> bool {
    let cites = |first: Peek| first.word("type").is_some_and(|kind| kind == "url_citation");
    let lists = |text: String| lists::is_listed(&text);
    peek.word("role").is_some_and(|role| role == "assistant")
        && peek.kind("content") == Some('"')
        && (peek.first("annotations").is_some_and(cites) || peek.word("content").is_some_and(lists))
}

/// The dialect of one frame.
pub fn dialect(peek: &Peek) -> Option<Dialect> {
    if !is_chat(peek) {
        return None;
    }
    let choice = peek.first("choices");
    let message =
        choice.as_ref().and_then(|choice| choice.below("message").or_else(|| choice.below("delta")));
    let has = |key: &str| message.as_ref().is_some_and(|message| message.has(key));
    let pieces = message.as_ref().and_then(|message| message.first("content"));
    let own = peek.word("object").is_some_and(|object| object.starts_with("extensions."));
    Some(match () {
        () if peek.has_any(&["citations", "searchResults"]) => Dialect::Listed,
        () if own || has("context") => Dialect::OwnData,
        () if pieces.is_some_and(|piece| piece.has("referenceIds")) => Dialect::References,
        () => Dialect::Annotated,
    })
}

/// Whether a choice, the first one of several, has words, or says who speaks before the first of them.
fn speaks(choice: &Peek) -> bool {
    let is_first = choice.word("index").is_none_or(|index| index == "0");
    let Some(delta) = choice.below("delta").filter(|_| is_first) else { return false };
    let has_words = delta.word("content").is_some_and(|words| !words.is_empty());
    has_words || delta.has("role") && !choice.has("finishReason")
}

/// How a frame belongs with its neighbours.
pub fn group(peek: &Peek) -> FrameGroup {
    let choice = peek.first("choices");
    let id = peek.word("id").filter(|id| !id.is_empty());
    let of_stream =
        |object: String| matches!(object.rsplit('.').next(), Some("chunk" | "done" | "reasoning"));
    let piece = peek.word("object").is_some_and(of_stream);
    let has = |key: &str| choice.as_ref().is_some_and(|choice| choice.has(key));
    // Azure's filters speak of the prompt before the first piece, and of pieces behind them.
    let filtered = has("contentFilterOffsets") && !has("message");
    let bare = filtered || choice.is_none() && peek.has("promptFilterResults");
    if id.is_none() && bare {
        let boundary = if filtered { Boundary::WithPrevious } else { Boundary::Continues };
        return FrameGroup::Stream { id, boundary };
    }
    // Perplexity sends all so far beside each piece, and in what came whole a delta without words.
    let untold = id.is_some() && !peek.has("object");
    if !piece && (!has("delta") || has("message") && !untold) {
        return FrameGroup::Alone;
    }
    let speaks = id.is_none() && choice.as_ref().is_some_and(speaks);
    let boundary = match (has("finishReason"), speaks) {
        (true, true) => Boundary::SpeaksLast,
        (true, false) => Boundary::EndsUnlessId,
        (false, true) => Boundary::Speaks,
        (false, false) => Boundary::Continues,
    };
    FrameGroup::Stream { id, boundary }
}

/// What the searches of a message found.
fn searched(beside: &mut Beside, message: &Message, origin: &Origin) {
    let list = origin.key("executedTools");
    for (number, tool) in message.tools.iter().enumerate() {
        let found = tool.found.iter().flat_map(|found| found.results.clone()).enumerate();
        let list = list.item(number).key("searchResults").key("results");
        beside.searched.extend(found.map(|(n, found)| (found, list.item(n))));
    }
}

/// Choices of which the calls are counted: all but the first are counted themselves.
const CHOICES: usize = 8;

/// A completion as far as it came.
#[derive(Default, Clone)]
pub struct Chat {
    origin: Origin,
    frames: u32,
    streamed: bool,
    id: Option<String>,
    model: Option<String>,
    created: Option<String>,
    choices: BTreeMap<i64, Told>,
    beside: Beside,
    related: Vec<String>,
    failure: Option<(Failure, Origin)>,
    /// Of a Gemini behind a gateway, a choice each; and what came beside the only choice of a frame, by that.
    grounding: Vec<(GroundingMetadata, Origin)>,
    own_grounding: BTreeMap<i64, (GroundingMetadata, Origin)>,
    /// By the choice, metadata that made claims which what came in its place does not make.
    lost: BTreeMap<i64, Origin>,
    marks: Charge,
    /// Bytes for which room was taken since each choice has what stands beside all.
    shared: usize,
}

impl interface::FoldState for Chat {
    fn push(&mut self, frame: u32, text: &str, cx: &Cx) -> Result<(), serde_json::Error> {
        if self.frames == 0 && is_message(&Peek::of(text, &["choices", "object"])) {
            self.message(read(text, cx)?, &building::root(frame), cx);
            return Ok(());
        }
        let wire: Frame = read(text, cx)?;
        self.streamed |= kind(&wire.object).ends_with("chunk");
        let said = |text: &String| !text.is_empty();
        let root = building::root(frame);
        if self.frames == 0 {
            self.origin = root.clone();
        }
        self.frames = frame + 1;
        self.id = wire.id.filter(said).or(self.id.take());
        self.model = wire.model.filter(said).or(self.model.take());
        let created = wire.created.filter(|word| word.0 != "0");
        self.created = created.map(|word| steps::time(&word.0)).or(self.created.take());
        self.beside.take(wire.citations, wire.results, wire.searched, &root);
        if !wire.related.is_empty() {
            self.related = wire.related;
        }
        self.ground(placed(wire.grounding, &root.key("vertexAiGroundingMetadata")), &wire.choices);
        if let Some(error) = wire.error {
            let failure = building::failure(error.code, error.message);
            self.failure = failure.map(|failure| (failure, root.clone())).or(self.failure.take());
        }
        let list = root.key("choices");
        for (number, choice) in wire.choices.into_iter().enumerate() {
            let known = self.choices.contains_key(&choice.index.unwrap_or(number as i64));
            if !building::takes_event(cx, !known) {
                break;
            }
            let marks = &mut self.choices.entry(choice.index.unwrap_or(number as i64)).or_default().marks;
            // A message repeats the deltas so far.
            let has_room = match (&choice.message, &choice.delta) {
                (Some(whole), _) => self.marks.take_whole(marks, [whole.text()], cx),
                (None, Some(delta)) => self.marks.take_more(marks, delta.text(), cx),
                (None, None) => true,
            };
            if !has_room {
                break;
            }
            self.choice(choice, number, &list.item(number));
        }
        self.take_shared(cx);
        Ok(())
    }

    fn holds(&self) -> usize {
        self.choices.values().take(CHOICES).map(Told::holds).sum()
    }

    fn finish(mut self) -> Vec<Response> {
        let choices = std::mem::take(&mut self.choices);
        if choices.is_empty() {
            let mut response = self.response(&self.origin);
            self.end(&mut response, None);
            return vec![response];
        }
        // Of fewer than the choices nothing says whose they are.
        let is_each = choices.len() <= self.grounding.len();
        let beyond = self.grounding.get(choices.len()).map(|(_, origin)| origin.clone());
        let last = choices.len() - 1;
        let of = |(item, (index, told)): (usize, (i64, Told))| {
            let mut response = Response { item, ..self.told(told) };
            let own = !response.supports.is_empty() || !response.sources.is_empty();
            let sent = self.own_grounding.get(&index);
            let sent = sent.or_else(|| self.grounding.get(item).filter(|_| is_each));
            if let Some((sent, origin)) = sent.filter(|_| !own) {
                gateway::grounded(&mut response, sent.clone(), origin);
                if let Some(lost) = self.lost.get(&index).or(beyond.as_ref().filter(|_| item == last)) {
                    let words = "grounding metadata beside that which is read says more: it is not read";
                    building::remark(&mut response, RemarkKind::Unread, lost, words);
                }
            }
            response
        };
        choices.into_iter().enumerate().map(of).collect()
    }
}

impl Chat {
    /// Takes the metadata that stands beside the choices of a frame.
    fn ground(&mut self, mut grounding: Vec<(GroundingMetadata, Origin)>, choices: &[Choice]) {
        match choices {
            [only] if grounding.len() == 1 => {
                let number = only.index.unwrap_or_default();
                if let Some(own) = grounding.pop() {
                    if let Some(origin) = self.lose(number, &own.0) {
                        self.lost.entry(number).or_insert(origin);
                    }
                    self.own_grounding.insert(number, own);
                }
            }
            _ if grounding.is_empty() => {}
            _ => self.grounding = grounding,
        }
    }

    /// Where metadata of a choice stands in whose place other comes, if that makes not all of its claims.
    fn lose(&self, choice: i64, next: &GroundingMetadata) -> Option<Origin> {
        let (known, origin) = self.own_grounding.get(&choice)?;
        let next: HashSet<u64> = google::claims(next).collect();
        google::claims(known).any(|claim| !next.contains(&claim)).then(|| origin.clone())
    }

    fn message(&mut self, message: Message, root: &Origin, cx: &Cx) {
        (self.origin, self.frames) = (root.clone(), root.frame + 1);
        self.marks.take(message.text(), cx);
        let told = self.choices.entry(0).or_default();
        (told.origin, told.content) = (root.clone(), Some(root.key("content")));
        told.add(message, root);
    }

    fn choice(&mut self, wire: Choice, number: usize, origin: &Origin) {
        let index = wire.index.unwrap_or(number as i64);
        // Two messages of one frame are two, also under one number.
        let came_in = self.choices.get(&index).and_then(|told| told.message_in);
        let is_other = wire.message.is_some() && came_in == Some(origin.frame);
        let free = self.choices.keys().next_back().map_or(0, |last| last.saturating_add(1));
        let told = self.choices.entry(if is_other { free } else { index }).or_default();
        if told.origin == Origin::default() {
            told.origin = origin.clone();
        }
        if let Some(delta) = &wire.delta {
            let ends = wire.finish.as_ref().is_some_and(|finish| !finish.is_empty());
            told.deltas.take(!delta.text().is_empty(), ends);
        }
        told.finish = wire.finish.or(told.finish.take());
        if let Some(Problem { code, message }) = wire.error {
            let failure = building::failure(code, message);
            told.failure = failure.map(|failure| (failure, origin.key("error")));
        }
        self.streamed |= wire.delta.is_some() && wire.message.is_none();
        let text = wire.message.as_ref().and_then(|message| message.content.text.clone());
        told.whole = text.filter(|text| !text.is_empty()).or(told.whole.take());
        let mut repeats = false;
        if let Some(mut message) = wire.message {
            told.message_in = Some(origin.frame);
            message.content.text = None;
            searched(&mut self.beside, &message, &origin.key("message"));
            // A message repeats the steps so far, a delta is the next.
            repeats = !message.steps.is_empty();
            if repeats {
                told.steps.clear();
            }
            told.add(*message, &origin.key("message"));
        }
        if let Some(mut delta) = wire.delta {
            searched(&mut self.beside, &delta, &origin.key("delta"));
            if repeats {
                delta.steps.clear();
            }
            told.add(*delta, &origin.key("delta"));
        }
    }

    /// Takes room for what each choice has of what stands beside all.
    fn take_shared(&mut self, cx: &Cx) {
        let copies = self.choices.len().saturating_sub(1);
        if copies == 0 {
            return;
        }
        let texts = [&self.id, &self.model, &self.created].into_iter().flatten().chain(&self.related);
        let one = texts.map(String::len).sum::<usize>() + self.beside.size();
        let all = one.saturating_mul(copies);
        cx.take(all.saturating_sub(self.shared));
        self.shared = self.shared.max(all);
    }

    fn response(&self, origin: &Origin) -> Response {
        let mut response = Response {
            origin: origin.clone(),
            id: self.id.clone(),
            model: self.model.clone(),
            unit: Unit::Characters,
            ..Response::default()
        };
        response.about.created.clone_from(&self.created);
        response.about.related.clone_from(&self.related);
        response
    }

    /// The response of a choice.
    fn told(&self, mut told: Told) -> Response {
        let mut response = self.response(&told.origin);
        told.reasoned(&mut response);
        told.ran(&mut response);
        steps::think(&mut response, &told.reasoning, &told.origin);
        for (call, origin, arguments) in std::mem::take(&mut told.calls).into_values() {
            let function = call.function.unwrap_or_default();
            let pieces = Some(arguments).filter(|pieces| !pieces.is_empty());
            let arguments = function.arguments.or_else(|| pieces.map(JsonText::from));
            let trace = Trace { origin, id: call.id, tool: function.name, arguments, ..Trace::default() };
            steps::trace(&mut response, trace);
        }
        let whole = told.whole.take();
        if self.streamed && told.growth.settle(&mut told.text) {
            building::resent(&mut response, &told.origin);
        }
        if told.deltas.is_late() {
            building::late(&mut response, &told.origin);
        }
        let mut text = whole.unwrap_or_else(|| std::mem::take(&mut told.text));
        let thought = opening::take_thought(&mut [&mut text], &told.ranges());
        steps::think(&mut response, &thought.unwrap_or_default(), &told.origin);
        let content = told.content.take().unwrap_or_else(|| told.origin.key("message").key("content"));
        let is_text = told.pieces.is_empty() || !text.is_empty();
        let refused = told.refusal.is_some() && text.is_empty();
        if is_text && !refused && (!text.is_empty() || told.calls.is_empty() && response.traces.is_empty()) {
            building::answer_text(&mut response, &text, false);
        }
        let dialect = Dialect::of(&self.beside, &told);
        let (finish, failure) = (told.finish.clone(), told.failure.take());
        if let Some(refusal) = told.refusal.take() {
            response.state = AnswerState::Skipped;
            response.about.blocked = Some(refusal);
        }
        let unread = told.unread.take();
        let relisted = self.beside.relisted.clone().or(told.relisted.take());
        dialect.lower(&self.beside, told, &content, &mut response);
        if let Some(origin) = unread.filter(|_| response.supports.is_empty()) {
            let words = "no service that is known here sends citations in this place: they are not read";
            building::remark(&mut response, RemarkKind::Unread, &origin, words);
        }
        if let Some(origin) = relisted.filter(|_| dialect.is_numbered()) {
            let words =
                "a list of sources came in the place of one with others: marks before it may mean those";
            building::remark(&mut response, RemarkKind::Reordered, &origin, words);
        }
        self.end(&mut response, finish);
        if let Some((failure, origin)) = failure {
            building::failed(&mut response, failure, &origin);
        }
        response
    }

    /// How it came to its end.
    fn end(&self, response: &mut Response, finish: Option<String>) {
        let (state, ending) = stopped(finish.as_deref());
        if response.state == AnswerState::Complete {
            response.state = state;
        }
        response.ending = ending;
        if let Some((failure, origin)) = &self.failure {
            building::failed(response, failure.clone(), origin);
        } else if self.streamed && finish.is_none() {
            building::cut_off(response, self.frames, "a finish_reason");
        }
        response.finish = finish;
    }
}
