//! A choice of a chat completion as its pieces build it, and the lists beside the choices.

use std::collections::BTreeMap;

use serde_json::Value;

use super::wire::{
    Annotation, Call, Context, Document, Executed, Fields, Found, Message, Piece, ReasoningStep,
};
use crate::format::building::Pieces;
use crate::format::cites::Block;
use crate::format::growth::Growth;
use crate::format::{building, opening, steps};
use crate::json::values::Whole;
use crate::model::{Failure, JsonText, Origin, Part, Response, SearchResult, Source, Trace};

/// What a completion lists beside its choices, each with its place.
#[derive(Default, Clone)]
pub(super) struct Beside {
    pub citations: Vec<(String, Origin)>,
    pub results: Vec<(Found, Origin)>,
    /// What searches of the service found.
    pub searched: Vec<(Found, Origin)>,
    /// Where a list stands that has other pages than the one in whose place it came.
    pub relisted: Option<Origin>,
}

impl Beside {
    /// Takes the lists of a frame: a stream repeats them in each, or as far as they are known.
    pub fn take(&mut self, addresses: Vec<String>, results: Vec<Found>, searched: Vec<Found>, root: &Origin) {
        let relisted = &mut self.relisted;
        let page = |found: &Found| found.url.clone();
        take_list(&mut self.citations, addresses, &root.key("citations"), |uri| Some(uri.clone()), relisted);
        take_list(&mut self.results, results, &root.key("searchResults"), page, relisted);
        take_list(&mut self.searched, searched, &root.key("webSearch"), page, relisted);
    }

    /// Bytes that it takes in each response of a completion.
    pub fn size(&self) -> usize {
        let found = self.results.iter().chain(&self.searched);
        let texts = found.flat_map(|(found, _)| [&found.title, &found.url, &found.date, &found.snippet]);
        let bytes: usize = texts.flatten().map(String::len).sum();
        let addresses: usize = self.citations.iter().map(|(uri, _)| uri.len()).sum();
        let sources = self.citations.len() + self.results.len() + self.searched.len();
        bytes + addresses + sources * size_of::<Source>()
    }
}

/// A choice as far as it came.
#[derive(Default, Clone)]
pub(super) struct Told {
    pub origin: Origin,
    /// Where the text stands, of a message alone.
    pub content: Option<Origin>,
    /// The frame of its last message, where it came whole.
    pub message_in: Option<u32>,
    /// Text of the deltas, and that of the messages, which repeat it.
    pub text: String,
    /// Of the deltas.
    pub growth: Growth,
    pub whole: Option<String>,
    /// Chunks of the content, where it is a list.
    pub pieces: Vec<(Piece, Origin)>,
    pub reasoning: String,
    pub steps: Vec<(ReasoningStep, Origin)>,
    /// What the service ran itself.
    pub tools: Vec<(Executed, Origin)>,
    pub refusal: Option<String>,
    pub annotations: Vec<(Annotation, Origin)>,
    pub calls: BTreeMap<i64, (Call, Origin, String)>,
    pub context: Option<(Context, Origin)>,
    /// As [`Beside::relisted`].
    pub relisted: Option<Origin>,
    /// What a gateway keeps of another service.
    pub fields: Option<(Fields, Origin)>,
    /// Citations that no service sends.
    pub unread: Option<Origin>,
    pub finish: Option<String>,
    pub deltas: Pieces,
    /// Marks in its text for which room was asked.
    pub marks: usize,
    pub failure: Option<(Failure, Origin)>,
}

/// The elements of a list, each with its place.
pub(super) fn placed<T>(list: Vec<T>, place: &Origin) -> Vec<(T, Origin)> {
    list.into_iter().enumerate().map(|(number, element)| (element, place.item(number))).collect()
}

/// A list in the place of one that came before, if it has elements. Where neither begins with the other, the
/// place of the later is kept.
fn take_list<T>(
    known: &mut Vec<(T, Origin)>,
    next: Vec<T>,
    place: &Origin,
    name: impl Fn(&T) -> Option<String>,
    relisted: &mut Option<Origin>,
) {
    if next.is_empty() {
        return;
    }
    if known.iter().zip(&next).any(|((known, _), next)| name(known) != name(next)) {
        relisted.get_or_insert_with(|| place.clone());
    }
    *known = placed(next, place);
}

/// Bytes of a call or a step.
const CALL: usize = 1536;

impl Piece {
    fn is_thought(&self) -> bool {
        self.text.is_none() && !self.thinking.is_empty()
    }
}

impl Told {
    /// Bytes that what it lists takes beside its text.
    pub fn holds(&self) -> usize {
        (self.calls.len() + self.steps.len() + self.tools.len()) * CALL
    }

    pub fn add(&mut self, message: Message, origin: &Origin) {
        let content = origin.key("content");
        self.say(&message.content.text.unwrap_or_default(), &content);
        if !message.content.list.is_empty() && self.pieces.is_empty() && !self.text.is_empty() {
            let text = Some(std::mem::take(&mut self.text));
            self.pieces.push((Piece { text, ..Piece::default() }, content.clone()));
        }
        for (number, piece) in message.content.list.into_iter().enumerate() {
            let origin = content.item(number);
            if piece.citations.iter().any(Value::is_object) {
                self.unread.get_or_insert_with(|| origin.clone());
            }
            self.put(piece, origin);
        }
        self.reasoning.push_str(&message.reasoning.unwrap_or_default());
        let list = origin.key("reasoningSteps");
        let steps = message.steps.into_iter().enumerate();
        self.steps.extend(steps.map(|(number, step)| (step, list.item(number))));
        if let Some(refusal) = message.refusal.filter(|refusal| !refusal.is_empty()) {
            self.refusal.get_or_insert_default().push_str(&refusal);
        }
        if message.citations.iter().any(Value::is_object) {
            self.unread.get_or_insert_with(|| origin.key("citations"));
        }
        let list = origin.key("annotations");
        let annotations = message.annotations.into_iter().enumerate();
        self.annotations.extend(annotations.map(|(number, annotation)| (annotation, list.item(number))));
        let list = origin.key("executedTools");
        let tools = message.tools.into_iter().enumerate();
        self.tools.extend(tools.map(|(number, tool)| (tool, list.item(number))));
        let list = origin.key("toolCalls");
        for (number, mut call) in message.calls.into_iter().enumerate() {
            let slot = self.calls.entry(call.index.unwrap_or(number as i64));
            let (known, _, arguments) =
                slot.or_insert_with(|| (Call::default(), list.item(number), String::new()));
            known.id = call.id.take().or(known.id.take());
            let function = call.function.unwrap_or_default();
            let into = known.function.get_or_insert_default();
            into.name = function.name.or(into.name.take());
            match function.arguments.as_ref().and_then(JsonText::as_text) {
                Some(piece) => arguments.push_str(&piece),
                None => into.arguments = function.arguments.or(into.arguments.take()),
            }
        }
        if let Some(Fields { mut citations, citation }) = message.fields.map(|fields| *fields) {
            citations.extend(citation.map(|cite| Block(vec![cite])));
            if !citations.is_empty() {
                let new = || (Fields::default(), origin.key("providerSpecificFields"));
                self.fields.get_or_insert_with(new).0.citations.extend(citations);
            }
        }
        if let Some(context) = message.context {
            self.ground(*context, origin.key("context"));
        }
    }

    /// What was found in one's own data: in the place of what came before, if it says anything.
    fn ground(&mut self, context: Context, origin: Origin) {
        if let Some((known, _)) = &self.context {
            if context.citations.is_empty() && context.messages.is_empty() {
                return;
            }
            let is_other = |(known, next): (&Document, &Document)| {
                (&known.url, &known.filepath, &known.title) != (&next.url, &next.filepath, &next.title)
            };
            if known.citations.iter().zip(&context.citations).any(is_other) {
                self.relisted.get_or_insert_with(|| origin.key("citations"));
            }
        }
        self.context = Some((context, origin));
    }

    /// The steps of the search as traces.
    pub fn reasoned(&mut self, response: &mut Response) {
        for (step, origin) in std::mem::take(&mut self.steps) {
            let search = step.search.unwrap_or_default();
            let found = search.results.into_iter().chain(step.fetch.unwrap_or_default().contents);
            let python = step.python.unwrap_or_default();
            let returned = python.result.map(|value| steps::text_result(value.plain()));
            let trace = Trace {
                origin: origin.clone(),
                tool: step.kind.map(|kind| kind.0),
                thought: step.thought.filter(|words| !words.trim().is_empty()),
                arguments: python.code.map(JsonText::from),
                results: found.map(SearchResult::from).chain(returned).collect(),
                ..Trace::default()
            };
            let number = steps::trace(response, trace);
            let list = origin.key("webSearch").key("searchKeywords");
            for (index, text) in search.queries.iter().enumerate() {
                steps::query(response, number, text, &list.item(index));
            }
        }
    }

    /// What the service ran as traces.
    pub fn ran(&mut self, response: &mut Response) {
        for (tool, origin) in std::mem::take(&mut self.tools) {
            let found = tool.found.unwrap_or_default().results;
            let printed = tool.output.filter(|_| found.is_empty()).map(steps::text_result);
            let trace = Trace {
                origin: origin.clone(),
                tool: tool.kind.map(|kind| kind.0),
                arguments: tool.arguments.clone(),
                results: found.into_iter().map(SearchResult::from).chain(printed).collect(),
                ..Trace::default()
            };
            let number = steps::trace(response, trace);
            if let Some(arguments) = tool.arguments {
                steps::queries_of(response, number, &arguments, &origin.key("arguments"));
            }
        }
    }

    /// A chunk of the content. What a later frame says of a thought goes on with it.
    fn put(&mut self, piece: Piece, origin: Origin) {
        match self.pieces.last_mut() {
            Some((last, begun)) if last.is_thought() && piece.is_thought() && begun.frame < origin.frame => {
                last.thinking.push(piece.thinking, |thought| thought.text);
            }
            _ => self.pieces.push((piece, origin)),
        }
    }

    /// Text that comes as such: behind chunks it is one of them.
    fn say(&mut self, words: &str, origin: &Origin) {
        match self.pieces.last_mut() {
            _ if words.is_empty() => {}
            None => self.growth.push(&mut self.text, words),
            Some((Piece { text: Some(text), .. }, _)) => text.push_str(words),
            Some(_) => {
                self.pieces
                    .push((Piece { text: Some(words.to_owned()), ..Piece::default() }, origin.clone()));
            }
        }
    }

    /// Where its annotations stand.
    pub fn ranges(&self) -> Vec<(usize, usize)> {
        let annotations = self.annotations.iter().map(|(annotation, _)| annotation);
        let range = |annotation: &Annotation| match &annotation.cited {
            Some(cited) => Whole::range(cited.start.as_ref(), cited.end.as_ref()),
            None => Whole::range(annotation.start.as_ref(), annotation.end.as_ref()),
        };
        annotations.filter_map(range).collect()
    }

    /// The thought that opens the texts of a list.
    fn open(&mut self, response: &mut Response) {
        let ranges = self.ranges();
        let texts = self.pieces.iter_mut().filter_map(|(piece, _)| piece.text.as_mut());
        if let Some(thought) = opening::take_thought(&mut texts.collect::<Vec<_>>(), &ranges) {
            steps::think(response, &thought, &self.origin);
            self.pieces.retain(|(piece, _)| piece.text.as_deref() != Some(""));
        }
    }

    /// The text of the content, where it is a list, with what its chunks say between.
    pub fn texts(&mut self, response: &mut Response) -> Vec<(Piece, Origin, Option<usize>)> {
        let mut others = Vec::new();
        if response.text().is_empty() {
            self.open(response);
        }
        for (mut piece, origin) in std::mem::take(&mut self.pieces) {
            if let Some(text) = piece.text.take() {
                building::answer_text(response, &text, false);
            } else if piece.is_thought() {
                steps::think(response, &piece.thinking.joined(|thought| thought.text), &origin);
            } else {
                let end = response.parts.iter().rev().find_map(|part| match part {
                    Part::Text(range) => Some(range.end),
                    _ => None,
                });
                others.push((piece, origin, end));
            }
        }
        others
    }
}

impl From<Found> for SearchResult {
    fn from(found: Found) -> Self {
        Self { title: found.title, uri: found.url, text: found.snippet, ..Self::default() }
    }
}
