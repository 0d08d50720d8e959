//! Which format a frame is of, from its bytes alone.

use serde_json::Value;

use super::interface::{Format, FrameGroup};
use super::providers::{FORMATS, logged};
use super::registry::own;
use crate::json::{Peek, is_json};

/// What a frame is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FrameKind {
    /// Index into [`FORMATS`], and how it belongs with its neighbours.
    Known(usize, FrameGroup),
    /// An error body of a service: joins the record before it, if any.
    ServiceError,
    /// What no format here reads, in a stream of events: joins the record before it, if any.
    Stray,
    /// What no format here reads and [by its `type` is an event](is_event): joins a stream that has begun.
    Event,
    /// The beginning of a frame with which the input breaks off: joins a stream that has not ended.
    Broken,
    /// A message of a stored conversation that no format here reads: the response behind it answers it.
    Asked,
    /// None of these: what no format here reads.
    Unrecognised,
}

/// Bytes of a frame that says no more than that it is a ping.
const PING: usize = 64;

/// Recognises a frame among others.
pub fn recognise(frame: &str) -> FrameKind {
    let peek = Peek::of(frame, &[]);
    // What keeps a connection alive is of whatever stream it stands in.
    if frame.len() < PING && peek.word("type").is_some_and(|word| word == "ping") {
        return FrameKind::Stray;
    }
    match kind(&peek, claim(&peek), false, |format| named((format.group)(&peek))) {
        FrameKind::Unrecognised if is_turn(frame) => FrameKind::Asked,
        kind => kind,
    }
}

/// A group whose id is one: some write an empty word where they have none.
fn named(group: FrameGroup) -> FrameGroup {
    match group {
        FrameGroup::Stream { id, boundary } => {
            FrameGroup::Stream { id: id.filter(|id| !id.is_empty()), boundary }
        }
        FrameGroup::Alone => FrameGroup::Alone,
    }
}

/// Whether a frame is [`FrameKind::Asked`]; of what is none most often after the first key.
pub fn is_asked(frame: &str) -> bool {
    is_turn(frame) && recognise(frame) == FrameKind::Asked
}

/// Keys of the messages of a conversation as APIs take them.
const TURN: &[&str] = &[
    "role",
    "content",
    "type",
    "id",
    "name",
    "status",
    "toolCalls",
    "toolCallId",
    "createdAt",
    "timestamp",
    "metadata",
];

/// Whether a frame is a message of a conversation: who speaks and what, and nothing else. The look ends at
/// the first other key.
fn is_turn(frame: &str) -> bool {
    let mut other = false;
    let peek = Peek::until(frame, |_, key| {
        other = !TURN.contains(&key);
        other
    });
    let speaker = if other { None } else { peek.word("role") };
    let known = |role: &str| matches!(role, "user" | "system" | "developer" | "tool" | "assistant");
    speaker.is_some_and(|role| known(&role))
        && (peek.has("content") || peek.has("toolCalls"))
        && is_json(frame)
}

/// Recognises a document, which has no neighbours. The look ends at the first key that settles the matter.
pub fn recognise_document(frame: &str) -> FrameKind {
    let mut settled = None;
    let peek = Peek::until(frame, |peek, key| {
        settled =
            FORMATS.iter().position(|format| format.decisive.contains(&key) && (format.recognise)(peek));
        settled.is_some()
    });
    kind(&peek, settled.or_else(|| claim(&peek)), true, |_| FrameGroup::Alone)
}

/// Whether what no format here reads is an event of something: it names its type, or is an object under its
/// name.
pub fn is_event(frame: &str) -> bool {
    let peek = Peek::of(frame, &[]);
    let named = ["type", "eventType"].iter().any(|key| peek.word(key).is_some_and(|kind| !kind.is_empty()));
    let mut keys = peek.keys();
    let only = keys.next().filter(|_| keys.next().is_none());
    (named || only.is_some_and(|key| peek.kind(key) == Some('{'))) && is_json(frame)
}

/// Every format that takes a frame for its own, by id.
pub fn claims(frame: &str) -> Vec<&'static str> {
    let peek = Peek::of(frame, &[]);
    FORMATS.iter().filter(|format| (format.recognise)(&peek)).map(|format| format.id).collect()
}

fn claim(peek: &Peek) -> Option<usize> {
    FORMATS.iter().position(|format| (format.recognise)(peek))
}

/// Whether a response stands in an envelope. Among others a plain shape may be a piece of anything.
fn enveloped(peek: &Peek, alone: bool) -> bool {
    let inner = logged::envelope(peek, FORMATS);
    inner.is_some_and(|(inner, _)| alone || !claims(&inner).contains(&own().id))
}

/// Whether a field of an error holds one: serialisers write what was not set as well.
fn is_set(sent: &str) -> bool {
    fn says(value: &Value) -> bool {
        match value {
            Value::Null | Value::Bool(false) => false,
            Value::Bool(true) => true,
            Value::Number(number) => number.as_f64() != Some(0.0),
            Value::String(text) => !text.is_empty(),
            Value::Array(list) => list.iter().any(says),
            Value::Object(members) => members.values().any(says),
        }
    }
    // What breaks off has begun.
    serde_json::from_str::<Value>(sent).map_or(true, |value| says(&value))
}

fn kind(
    peek: &Peek,
    hit: Option<usize>,
    alone: bool,
    group: impl FnOnce(&Format) -> FrameGroup,
) -> FrameKind {
    match hit.and_then(|index| Some((index, FORMATS.get(index)?))) {
        Some((index, format)) => FrameKind::Known(index, group(format)),
        None if enveloped(peek, alone) => FORMATS
            .iter()
            .position(|format| format.id == logged::FORMAT.id)
            .map_or(FrameKind::Unrecognised, |index| FrameKind::Known(index, FrameGroup::Alone)),
        None if peek.text_of("error").is_some_and(is_set) => FrameKind::ServiceError,
        None => FrameKind::Unrecognised,
    }
}
