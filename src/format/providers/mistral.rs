//! Mistral: chunks of the content name what backs the chunk before them. Chat completions refer to what the
//! request holds, Conversations to pages that their tools found.

use std::collections::HashMap;

use serde_json::Value;

use crate::format::building::{self, Bounded, Retold};
use crate::format::chat::{Chat, Dialect, FAMILY, dialect, group as chat_group, is_chat};
use crate::format::growth::Growth;
use crate::format::interface::{self, Boundary, Format, FrameGroup, begin, read};
use crate::format::shelf::Shelf;
use crate::format::steps;
use crate::json::Peek;
use crate::json::values::{KindWord, Word, kind};
use crate::json::wire::{Cx, TextOr, wire};
use crate::model::{
    AnchorKind, Chunk, Citation, Failure, JsonText, Label, Layer, Origin, OwnPlace, Part, Place, Response,
    Source, SourceKind, Support, Target, Trace, Unit,
};

pub const FORMAT: Format = Format {
    id: Dialect::References.format(),
    vendor: "Mistral",
    short: "Mistral",
    name: "Mistral chat references and Conversations",
    reads: "completions with reference chunks, conversation responses and streams with tool references",
    offsets: "none: the order of the chunks",
    family: FAMILY,
    recognise: |peek| dialect(peek) == Some(Dialect::References) || is_conversation(peek),
    group,
    announced: true,
    fold: begin::<Mistral>,
    samples: &[sample!(
        "mistral.json",
        "Mistral Conversations",
        "reference chunks behind the text that they back"
    )],
    ..Format::PLAIN
};

wire! {
    /// A body of Conversations, or an event of its stream.
    struct Frame {
        object: Option<KindWord> = "object";
        kind: Option<KindWord> = "type";
        conversation: Option<String> = "conversationId";
        outputs: Vec<Entry> = "outputs";
        id: Option<String> = "id";
        name: Option<String> = "name";
        model: Option<String> = "model";
        arguments: Option<Value> = "arguments";
        content: TextOr<Piece> = "content";
        output_index: Option<i64> = "outputIndex";
        content_index: Option<i64> = "contentIndex";
        message: Option<String> = "message";
        code: Option<Word> = "code";
        created: Option<String> = "createdAt", extra;
    }

    struct Entry takes 2048 whole [] {
        kind: Option<KindWord> = "type";
        id: Option<String> = "id";
        model: Option<String> = "model";
        role: Option<KindWord> = "role";
        name: Option<String> = "name";
        arguments: Option<Value> = "arguments";
        content: TextOr<Piece> = "content";
        began: Option<String> = "createdAt";
        ended: Option<String> = "completedAt";
    }

    struct Piece long 1152 whole [] says ["text"] {
        kind: Option<KindWord> = "type";
        text: Option<String> = "text";
        tool: Option<KindWord> = "tool";
        title: Option<String> = "title";
        url: Option<String> = "url";
        description: Option<String> = "description";
        thinking: TextOr<Piece> = "thinking";
    }
}

fn is_conversation(peek: &Peek) -> bool {
    let kind = peek.word("type").unwrap_or_default();
    peek.word("object").as_deref() == Some("conversation.response")
        || is_event(&kind)
        || peek.word("object").as_deref() == Some("entry") && ENTRIES.contains(&kind.as_str())
        || peek
            .first("outputs")
            .and_then(|entry| entry.word("type"))
            .is_some_and(|kind| ENTRIES.contains(&kind.as_str()))
}

/// The output that is words of the answer.
const MESSAGE: &str = "message.output";

/// What the outputs of a conversation are.
const ENTRIES: [&str; 4] = [MESSAGE, "tool.execution", "agent.handoff", "function.call"];

fn is_event(kind: &str) -> bool {
    ["conversation.response.", "message.output", "tool.execution.", "agent.handoff", "function.call."]
        .iter()
        .any(|begin| kind.starts_with(begin))
}

fn group(peek: &Peek) -> FrameGroup {
    if is_chat(peek) {
        return chat_group(peek);
    }
    let kind = peek.word("type").unwrap_or_default();
    // One of the outputs by itself, as logs keep them.
    if ENTRIES.contains(&kind.as_str()) {
        let boundary = if kind == MESSAGE { Boundary::EndsUnlessId } else { Boundary::Continues };
        return FrameGroup::Stream { id: None, boundary };
    }
    if !is_event(&kind) {
        return FrameGroup::Alone;
    }
    let last = ["conversation.response.done", "conversation.response.error"];
    match FrameGroup::event(&kind, &["conversation.response.started"], &last) {
        // Chunks of chat completions are of the same family, and have ids.
        FrameGroup::Stream { boundary, .. } => FrameGroup::Stream { id: Some(TALK.to_owned()), boundary },
        alone => alone,
    }
}

/// Stands for the id of a stream of Conversations, whose events have none of all of it.
const TALK: &str = "conversation";

/// Bytes of an entry, and of a piece of a message.
const ENTRY: usize = 2048;
const PIECE: usize = 512;

/// Either of the two.
#[derive(Default, Clone)]
struct Mistral {
    chat: Option<Chat>,
    talk: Talk,
}

impl interface::FoldState for Mistral {
    fn push(&mut self, frame: u32, text: &str, cx: &Cx) -> Result<(), serde_json::Error> {
        if self.chat.is_some() || is_chat(&Peek::of(text, &[])) {
            return interface::FoldState::push(self.chat.get_or_insert_default(), frame, text, cx);
        }
        let wire: Frame = read(text, cx)?;
        self.talk.frame(wire, &building::root(frame));
        Ok(())
    }

    fn holds(&self) -> usize {
        self.chat.as_ref().map_or(0, interface::FoldState::holds)
            + self.talk.entries.len() * ENTRY
            + self.talk.count * PIECE
            + self.talk.messages.len() * ENTRY
    }

    fn finish(self) -> Vec<Response> {
        match self.chat {
            Some(chat) => interface::FoldState::finish(chat),
            None => vec![self.talk.response()],
        }
    }
}

impl Piece {
    fn is_thought(&self) -> bool {
        self.text.is_none() && !self.thinking.is_empty()
    }
}

/// A message of a stream.
#[derive(Default, Clone)]
struct Said {
    /// Texts behind each other are one.
    pieces: Vec<(Piece, Origin)>,
    /// Of the last text.
    growth: Growth,
}

/// A response of Conversations as far as it came.
#[derive(Default, Clone)]
struct Talk {
    origin: Origin,
    frames: u32,
    streamed: bool,
    ended: bool,
    id: Option<String>,
    model: Option<String>,
    entries: Vec<(Entry, Origin)>,
    /// The messages of a stream by their ids, the one that goes on, and how many pieces there are.
    messages: Vec<Said>,
    by_id: HashMap<String, usize>,
    last: usize,
    count: usize,
    retold: Retold,
    failure: Option<(Failure, Origin)>,
}

impl Said {
    /// Whether a piece is more of the last text or thought.
    fn grows(&self, piece: &Piece) -> bool {
        let is_more = |last: &Piece| {
            piece.text.is_some() && last.text.is_some() || piece.is_thought() && last.is_thought()
        };
        self.pieces.last().is_some_and(|(last, _)| is_more(last))
    }

    /// Takes a piece; true where the text before it came twice.
    fn take(&mut self, mut piece: Piece, origin: &Origin) -> bool {
        if let (Some(more), Some((Piece { text: Some(text), .. }, _))) = (&piece.text, self.pieces.last_mut())
        {
            self.growth.push(text, more);
            return false;
        }
        if let Some((last, _)) =
            self.pieces.last_mut().filter(|(last, _)| last.is_thought() && piece.is_thought())
        {
            last.thinking.push(piece.thinking, |thought| thought.text);
            return false;
        }
        let resent = self.settle();
        if let Some(text) = &mut piece.text {
            self.growth.note(text, 0);
        }
        self.pieces.push((piece, origin.clone()));
        resent
    }

    /// The last text gets no more pieces; whether it came twice.
    fn settle(&mut self) -> bool {
        let growth = std::mem::take(&mut self.growth);
        let text = self.pieces.last_mut().and_then(|(piece, _)| piece.text.as_mut());
        text.is_some_and(|text| growth.settle(text))
    }
}

impl Talk {
    fn frame(&mut self, wire: Frame, root: &Origin) {
        if self.frames == 0 {
            self.origin = root.clone();
        }
        self.frames = root.frame + 1;
        self.id = wire.conversation.or(self.id.take());
        self.model = wire.model.or(self.model.take());
        let list = root.key("outputs");
        for (index, entry) in wire.outputs.into_iter().enumerate() {
            self.model = self.model.take().or_else(|| entry.model.clone());
            self.entries.push((entry, list.item(index)));
        }
        let event = kind(&wire.kind);
        if ENTRIES.contains(&event) {
            let Frame { kind, id, name, arguments, content, created: began, .. } = wire;
            let entry = Entry { kind, id, name, arguments, content, began, ..Entry::default() };
            return self.entries.push((entry, root.clone()));
        }
        self.streamed |= !event.is_empty();
        match event {
            "message.output.delta" => {
                let text = wire.content.text.map(|text| Piece { text: Some(text), ..Piece::default() });
                self.retold.late |= self.ended && text.is_some();
                let content = root.key("content");
                self.turn_to(wire.id);
                let pieces = text.into_iter().chain(wire.content.list);
                pieces.for_each(|piece| self.piece(piece, &content));
            }
            "tool.execution.started" => {
                let kind = Some(KindWord("tool.execution".to_owned()));
                let entry = Entry {
                    kind,
                    id: wire.id,
                    name: wire.name,
                    arguments: wire.arguments,
                    began: wire.created,
                    ..Entry::default()
                };
                self.entries.push((entry, root.clone()));
            }
            "tool.execution.delta" => {
                let mut entries = self.entries.iter_mut().rev().map(|(entry, _)| entry);
                let entry = entries.find(|entry| wire.id.is_none() || entry.id == wire.id);
                let piece = wire.arguments.as_ref().and_then(Value::as_str).unwrap_or_default();
                match entry.map(|entry| &mut entry.arguments) {
                    Some(Some(Value::String(arguments))) => arguments.push_str(piece),
                    Some(arguments @ None) => *arguments = wire.arguments,
                    _ => {}
                }
            }
            "conversation.response.done" => self.ended = true,
            "conversation.response.error" => {
                let failure = Failure { code: wire.code.map(|word| word.0), message: wire.message };
                self.failure = Some((failure, root.clone()));
            }
            _ => {}
        }
    }

    /// The message of an id goes on; without one that which came last.
    fn turn_to(&mut self, id: Option<String>) {
        if let Some(id) = id {
            let known = self.by_id.entry(id).or_insert(self.messages.len());
            self.last = *known;
        }
        if self.last == self.messages.len() {
            self.messages.push(Said::default());
        }
    }

    fn piece(&mut self, piece: Piece, origin: &Origin) {
        if let Some(message) = self.messages.get_mut(self.last) {
            self.count += usize::from(!message.grows(&piece));
            self.retold.resent |= message.take(piece, origin);
        }
    }

    fn response(mut self) -> Response {
        for message in &mut self.messages {
            self.retold.resent |= message.settle();
        }
        let mut response = Response {
            origin: self.origin,
            id: self.id,
            model: self.model,
            unit: Unit::Characters,
            ..Response::default()
        };
        let mut library = Shelf::default();
        for (entry, origin) in self.entries {
            if kind(&entry.kind) == MESSAGE {
                let text = entry.content.text.map(|text| Piece { text: Some(text), ..Piece::default() });
                let list = origin.key("content");
                let mut before = Last::Nothing;
                for (index, piece) in text.into_iter().chain(entry.content.list).enumerate() {
                    before = add(&mut response, &mut library, piece, list.item(index), before);
                }
            } else {
                call(&mut response, entry, origin);
            }
        }
        for message in self.messages {
            let mut before = Last::Nothing;
            for (piece, origin) in message.pieces {
                before = add(&mut response, &mut library, piece, origin, before);
            }
        }
        let origin = response.origin.clone();
        self.retold.tell(&mut response, &origin);
        if let Some((failure, origin)) = self.failure {
            building::failed(&mut response, failure, &origin);
        } else if self.streamed && !self.ended {
            building::cut_off(&mut response, self.frames, "conversation.response.done");
        }
        response
    }
}

fn call(response: &mut Response, entry: Entry, origin: Origin) {
    let searches = entry.name.as_deref().is_some_and(|name| name.contains("search"));
    let place = origin.key("arguments");
    let arguments = entry.arguments.map(JsonText::from);
    let trace = Trace {
        origin,
        id: entry.id,
        tool: entry.name,
        arguments: arguments.clone(),
        began: entry.began,
        ended: entry.ended,
        ..Trace::default()
    };
    let number = steps::trace(response, trace);
    if let Some(arguments) = arguments.filter(|_| searches) {
        steps::queries_of(response, number, &arguments, &place);
    }
}

/// The chunk of a message before another one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    /// None: a message is a text of its own.
    Nothing,
    Text,
    /// The next one is one support with it.
    Reference,
}

/// Adds a chunk of the content; gives what it is for the next one.
fn add(response: &mut Response, library: &mut Shelf, piece: Piece, origin: Origin, last: Last) -> Last {
    if let Some(text) = piece.text {
        // Pieces of a stream are one text.
        let continues = matches!(response.parts.last(), Some(Part::Text(_))) && last == Last::Text;
        building::answer_text(response, &text, continues);
        return Last::Text;
    }
    if piece.is_thought() {
        steps::think(response, &piece.thinking.joined(|thought| thought.text), &origin);
        return last;
    }
    if piece.url.is_none() && piece.title.is_none() {
        return last;
    }
    let source = Source {
        origin: origin.clone(),
        kind: SourceKind::Web,
        title: piece.title,
        uri: piece.url,
        ..Source::default()
    };
    let source = library.put(response, source);
    if let Some(text) = piece.description.filter(|text| !text.is_empty()) {
        library.passage(response, source, Chunk { text, label: Some(Label::Snippet), ..Chunk::default() });
    }
    let citation = Citation::of(Target::Source(source), Place::default());
    if let Some(support) = response.supports.last_mut().filter(|_| last == Last::Reference) {
        support.citations.add(citation);
    } else {
        let end = response.text().len();
        response.supports.add(Support {
            origin,
            layer: Layer::Chunk,
            kind: AnchorKind::Point,
            own: OwnPlace::mark(end..end),
            citations: vec![citation],
            ..Support::default()
        });
    }
    Last::Reference
}
