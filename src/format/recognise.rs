//! Which format a frame is of, from its bytes alone.

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
    kind(&peek, claim(&peek), false, |format| (format.group)(&peek))
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
        None if peek.has("error") => FrameKind::ServiceError,
        None => FrameKind::Unrecognised,
    }
}
