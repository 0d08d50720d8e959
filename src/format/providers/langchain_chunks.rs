//! Messages of LangChain as they came: whole, or in chunks whose blocks go on with one another by their
//! index, as the library itself adds chunks up.

use std::collections::HashMap;

use serde_json::Value;

use super::langchain_handed::Handed;
use super::langchain_wire::{Annotation, Block, Call, CallPiece, Message};
use crate::format::building::Pieces;
use crate::format::opening;
use crate::json::values::{Whole, kind};
use crate::json::wire::TextOr;
use crate::model::{List, Origin, Place};

/// Type and class of chunks.
pub const CHUNK: &str = "AIMessageChunk";

/// Where the annotations of a block stand.
static ANNOTATIONS: List = List { key: "annotations", leaf: "" };

/// The same of annotations that LangChain hands on as they came.
static HELD: List = List { key: "annotations", leaf: "value" };

/// The same where Converse sent it.
static CITATIONS: List = List { key: "citations", leaf: "" };

/// An annotation and where it stands.
#[derive(Clone)]
pub struct Noted {
    pub wire: Annotation,
    pub place: Place,
    /// The block that it came with.
    pub block: Origin,
}

/// A block, its annotations, and where it stands.
#[derive(Clone)]
pub struct SentBlock {
    pub block: Block,
    pub annotations: Vec<Noted>,
    pub origin: Origin,
    /// It has no words, and what it cites stands behind those before it.
    pub is_point: bool,
    /// Some of them have offsets, which may count over all that was said.
    counts: bool,
}

impl SentBlock {
    fn of(mut block: Block, origin: Origin) -> Self {
        block.unfold();
        let (mut list, mut origin, mut is_point) = (&ANNOTATIONS, origin, false);
        if let Some(cited) = block.cited.take() {
            (list, origin) = (&CITATIONS, origin.key("citationsContent"));
            block.text = cited.text();
            is_point = block.text.is_none();
            block.annotations.extend(cited.citations.into_iter().map(Annotation::from));
        }
        let numbered = std::mem::take(&mut block.annotations).into_iter().enumerate();
        let noted = numbered.filter_map(|(number, mut wire)| {
            let held = if wire.names() { None } else { wire.held.take() };
            let list = if held.is_some() { &HELD } else { list };
            // Of another kind than citations it names nothing.
            let wire = held.map_or(Some(wire), |held| Some(*held).filter(Annotation::names))?;
            Some(Noted {
                wire,
                place: Place { list: Some(list), index: number as u32 },
                block: origin.clone(),
            })
        });
        let annotations: Vec<Noted> = noted.collect();
        // As Nova's come in Python.
        let has_words = block.text.as_ref().is_some_and(|text| !text.is_empty());
        is_point |= !has_words
            && !annotations.is_empty()
            && annotations.iter().all(|noted| noted.wire.is_of_converse());
        let counts = annotations.iter().any(|noted| noted.wire.end.is_some());
        Self { block, annotations, origin, is_point, counts }
    }

    /// What it shares with the blocks of later chunks that go on with it.
    fn key(&self) -> Key {
        let kind = match kind(&self.block.kind) {
            "" => "text",
            kind => kind,
        };
        (self.block.index.as_ref().map(|index| index.0.clone()), kind.to_owned())
    }

    /// Whether a block of a later chunk goes on with it. Without an index the library keeps them apart: what
    /// is cited by itself is what the citations back.
    fn goes_on_with(&self, next: &Self) -> bool {
        let has_words = next.block.text.as_ref().is_some_and(|text| !text.is_empty());
        let is_cited = |sent: &Self| !sent.annotations.is_empty() && !sent.counts;
        self.block.index.is_some() || !has_words || !is_cited(next) && !is_cited(self)
    }

    fn push(&mut self, next: Self) {
        let add = |to: &mut Option<String>, more: Option<String>| match (to.as_mut(), more) {
            (Some(text), Some(more)) => text.push_str(&more),
            (None, more) => *to = more,
            (Some(_), None) => {}
        };
        add(&mut self.block.text, next.block.text);
        add(&mut self.block.reasoning, next.block.reasoning);
        add(&mut self.block.refusal, next.block.refusal);
        self.annotations.extend(next.annotations);
        self.is_point &= next.is_point && self.block.text.as_ref().is_none_or(String::is_empty);
        self.counts |= next.counts;
        match (&mut self.block.args, next.block.args) {
            (Some(Value::String(text)), Some(Value::String(more))) => text.push_str(&more),
            (args, more) => *args = args.take().or(more),
        }
        self.block.id = self.block.id.take().or(next.block.id);
        self.block.name = self.block.name.take().or(next.block.name);
        self.block.output = next.block.output.or(self.block.output.take());
        self.block.content = next.block.content.or(self.block.content.take());
        self.block.action = next.block.action.or(self.block.action.take());
        self.block.results = next.block.results.or(self.block.results.take());
        self.block.queries.extend(next.block.queries);
        self.block.status = next.block.status.or(self.block.status.take());
    }
}

/// A message, its blocks and calls with where they stand.
#[derive(Clone)]
pub struct Said {
    pub message: Message,
    pub blocks: Vec<SentBlock>,
    /// What tools of the service said, where it stands beside the content.
    pub outputs: Vec<SentBlock>,
    pub calls: Vec<(Call, Origin)>,
    pub origin: Origin,
    /// It came in several chunks, none of which is the last.
    pub breaks_off: bool,
    /// Text came behind the chunk that ends it.
    pub is_late: bool,
    /// Frames up to its end.
    pub frames: u32,
    /// What stands beside its content.
    pub handed: Handed,
    pieces: Vec<(CallPiece, Origin)>,
}

impl Said {
    /// `base` is where the fields of the message stand.
    pub fn of(mut message: Message, origin: &Origin, base: &Origin) -> Self {
        let calls = std::mem::take(&mut message.calls);
        let pieces = std::mem::take(&mut message.pieces);
        let content = std::mem::take(&mut message.content);
        let blocks = std::mem::take(&mut message.blocks);
        let outputs = message.beside.as_mut().map(|beside| std::mem::take(&mut beside.outputs));
        let at = base.key("additionalKwargs").key("toolOutputs");
        let outputs = outputs.into_iter().flatten().enumerate();
        let outputs = outputs.map(|(number, block)| SentBlock::of(block, at.item(number))).collect();
        let handed = Handed::of(&mut message, base);
        // Blocks are what the library made of the content; what they lack of it is not lost.
        let cites = |block: &Block| !block.annotations.is_empty();
        let is_poorer = !blocks.iter().any(cites) && content.list.iter().any(|sent| cites(&sent.0));
        let (content, blocks, list) = if blocks.is_empty() || is_poorer {
            (content, Vec::new(), "content")
        } else {
            (TextOr::default(), blocks, "contentBlocks")
        };
        let text = content.text.filter(|text| !text.is_empty() || calls.is_empty() && pieces.is_empty());
        let text = text.map(|text| Block { text: Some(text), ..Block::default() });
        let placed = |list: Origin| move |number: usize| list.item(number);
        let at = placed(base.key(list));
        let blocks = blocks.into_iter().chain(text).chain(content.list.into_iter().map(|sent| sent.0));
        let blocks = blocks.enumerate().map(|(number, block)| SentBlock::of(block, at(number)));
        let at = placed(base.key("toolCalls"));
        let calls = calls.into_iter().enumerate().map(|(number, call)| (call, at(number)));
        let at = placed(base.key("toolCallChunks"));
        let pieces = pieces.into_iter().enumerate().map(|(number, piece)| (piece, at(number)));
        Self {
            blocks: blocks.collect(),
            outputs,
            calls: calls.collect(),
            pieces: pieces.collect(),
            origin: origin.clone(),
            breaks_off: false,
            is_late: false,
            frames: origin.frame + 1,
            handed,
            message,
        }
    }

    /// Whether it says why the model stopped, or that it is the last one.
    fn ends(&self) -> bool {
        let made = self.message.made.as_ref();
        let reason = made.is_some_and(|made| made.finish.is_some() || made.status.is_some());
        reason || kind(&self.message.position) == "last"
    }

    fn has_text(&self) -> bool {
        self.blocks.iter().any(|sent| sent.block.text.as_ref().is_some_and(|text| !text.is_empty()))
    }

    fn is_bare(&self) -> bool {
        let says = |sent: &SentBlock| {
            sent.block.text.as_deref() != Some("")
                || !sent.annotations.is_empty()
                || sent.block.index.is_some()
        };
        self.calls.is_empty() && self.pieces.is_empty() && !self.blocks.iter().any(says)
    }

    /// Takes the thought that opens its texts out of them, and where these begin.
    pub fn take_thought(&mut self) -> Option<(String, Origin)> {
        let is_text = |sent: &SentBlock| matches!(kind(&sent.block.kind), "text" | "");
        let origin = self.blocks.iter().find(|sent| is_text(sent))?.origin.clone();
        let noted = self.blocks.iter().filter(|sent| is_text(sent)).flat_map(|sent| &sent.annotations);
        let range = |noted: &Noted| Whole::range(noted.wire.start.as_ref(), noted.wire.end.as_ref());
        let ranges: Vec<_> = noted.filter_map(range).collect();
        let texts = self.blocks.iter_mut().filter(|sent| is_text(sent));
        let mut texts: Vec<&mut String> = texts.filter_map(|sent| sent.block.text.as_mut()).collect();
        let thought = opening::take_thought(&mut texts, &ranges)?;
        self.blocks.retain(|sent| sent.block.text.as_deref() != Some("") || !sent.annotations.is_empty());
        Some((thought, origin))
    }

    /// Its text.
    pub fn text(&self) -> Option<String> {
        let texts: Vec<&str> = self.blocks.iter().filter_map(|sent| sent.block.text.as_deref()).collect();
        Some(texts.join("\n")).filter(|text| !text.trim().is_empty())
    }
}

/// Index and kind of a block.
type Key = (Option<String>, String);

/// A message as far as its chunks came.
#[derive(Clone)]
pub struct Chunks {
    said: Said,
    /// The id of those that say something.
    id: Option<Value>,
    /// Its blocks by what they go on with.
    places: HashMap<Key, usize>,
    came: Pieces,
}

/// Bytes of a block.
const BLOCK: usize = 1536;
/// Bytes of a piece of a call.
const PIECE: usize = 1024;

impl Chunks {
    /// Bytes that what came in chunks takes beside its text.
    pub fn holds(&self) -> usize {
        (self.said.blocks.len() + self.said.outputs.len()) * BLOCK
            + (self.said.calls.len() + self.said.pieces.len()) * PIECE
    }

    pub fn begin(first: Said) -> Self {
        let places = first.blocks.iter().enumerate().map(|(place, block)| (block.key(), place)).collect();
        let mut came = Pieces::default();
        came.take(first.has_text(), first.ends());
        Self { id: first.message.id.clone(), said: first, places, came }
    }

    /// Whether a chunk is one of the same message. What a service calls it may stand in a chunk that says
    /// nothing else.
    pub fn goes_on_with(&self, next: &Said) -> bool {
        self.id == next.message.id || self.said.is_bare() || next.is_bare() && !next.ends()
    }

    pub fn push(&mut self, next: Said) {
        self.came.take(next.has_text(), next.ends());
        let said = &mut self.said;
        if said.is_bare() {
            self.id.clone_from(&next.message.id);
        }
        for block in next.blocks {
            let key = block.key();
            let known = self.places.get(&key).and_then(|place| said.blocks.get_mut(*place));
            if let Some(known) = known.filter(|known| known.goes_on_with(&block)) {
                known.push(block);
            } else {
                self.places.insert(key, said.blocks.len());
                said.blocks.push(block);
            }
        }
        said.frames = next.frames;
        said.breaks_off = true;
        said.message.position = next.message.position.or(said.message.position.take());
        said.message.beside = next.message.beside.or(said.message.beside.take());
        said.handed.push(next.handed);
        said.outputs.extend(next.outputs);
        said.calls.extend(next.calls);
        said.pieces.extend(next.pieces);
        let Some(made) = next.message.made else { return };
        let so_far = said.message.made.get_or_insert_default();
        so_far.model = made.model.or(so_far.model.take());
        so_far.finish = made.finish.or(so_far.finish.take());
        so_far.status = made.status.or(so_far.status.take());
        so_far.incomplete = made.incomplete.or(so_far.incomplete.take());
        so_far.feedback = made.feedback.or(so_far.feedback.take());
    }

    /// The message: its calls are what their pieces come to.
    pub fn join(self) -> Said {
        let mut said = self.said;
        said.breaks_off &= !said.ends();
        said.is_late = self.came.is_late();
        let mut joined: Vec<(CallPiece, Origin)> = Vec::new();
        let mut by_index: HashMap<Option<String>, usize> = HashMap::new();
        for (piece, origin) in std::mem::take(&mut said.pieces) {
            // What is cut off before its number goes on with the last one.
            let is_cut = piece.index.is_none() && piece.name.is_none();
            let index = piece.index.as_ref().map(|word| word.0.clone());
            let place = by_index.get(&index).copied().or_else(|| {
                let last = joined.len().checked_sub(1);
                last.filter(|_| is_cut)
            });
            let known = place.filter(|_| piece.id.is_none()).and_then(|place| joined.get_mut(place));
            if let Some((known, _)) = known {
                known.args.get_or_insert_default().push_str(&piece.args.unwrap_or_default());
            } else {
                by_index.insert(index, joined.len());
                joined.push((piece, origin));
            }
        }
        if !joined.is_empty() {
            let call = |(CallPiece { name, args, id, kind, .. }, origin)| {
                let args = args.map(|text| serde_json::from_str(&text).unwrap_or(Value::String(text)));
                (Call { name, args, id, kind }, origin)
            };
            said.calls = joined.into_iter().map(call).collect();
        }
        let is_empty =
            |sent: &SentBlock| sent.block.text.as_deref() == Some("") && sent.annotations.is_empty();
        if !said.calls.is_empty() && said.blocks.iter().all(is_empty) {
            said.blocks.clear();
        }
        said
    }
}
