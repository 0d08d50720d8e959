//! Events of agents as they are sent, and what one says in several places.

use crate::format::google::{self, CitationMetadata, Content, GroundingMetadata, UrlContextMetadata};
use crate::json::values::Word;
use crate::json::wire::wire;
use crate::model::JsonText;

wire! {
    pub struct Listing {
        events: Vec<Event> = "sessionEvents" | "events";
        raw: Option<Event> = "rawEvent";
    }

    pub struct Event takes 1280 whole [] {
        name: Option<String> = "name";
        id: Option<String> = "id";
        author: Option<String> = "author";
        content: Option<Content> = "content";
        invocation: Option<String> = "invocationId";
        actions: Option<JsonText> = "actions";
        timestamp: Option<Word> = "timestamp";
        model: Option<String> = "modelVersion";
        finish: Option<Word> = "finishReason", extra;
        metadata: Option<Box<EventMetadata>> = "eventMetadata";
        grounding: Option<Box<GroundingMetadata>> = "groundingMetadata";
        citations: Option<CitationMetadata> = "citationMetadata";
        urls: Option<UrlContextMetadata> = "urlContextMetadata";
        partial: Option<bool> = "partial";
        turn_complete: Option<bool> = "turnComplete";
        interrupted: Option<bool> = "interrupted";
        long_running: Vec<String> = "longRunningToolIds";
        branch: Option<String> = "branch";
        error_code: Option<Word> = "errorCode";
        error_message: Option<String> = "errorMessage";
        raw: Option<Box<Event>> = "rawEvent";
    }

    pub struct EventMetadata {
        grounding: Option<Box<GroundingMetadata>> = "groundingMetadata";
        partial: Option<bool> = "partial";
        turn_complete: Option<bool> = "turnComplete";
        interrupted: Option<bool> = "interrupted";
        long_running: Vec<String> = "longRunningToolIds";
        branch: Option<String> = "branch";
        error_code: Option<Word> = "errorCode";
        error_message: Option<String> = "errorMessage";
        finish: Option<Word> = "finishReason", extra;
    }
}

/// What of an event stands in the one that an agent sent.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sent {
    /// How it ended, at most.
    Rest,
    /// Its words.
    Words,
    /// Its grounding metadata.
    Metadata,
    /// All of it.
    All,
}

/// Gives what was stored of an event what it lacks of the one that an agent sent; or puts that in its place,
/// where it has words or fuller metadata.
pub(super) fn unfold(event: &mut Event) -> Sent {
    let Some(mut raw) = event.raw.take() else { return Sent::Rest };
    merge(&mut raw);
    let has_text = |event: &Event| event.content.as_ref().is_some_and(|content| !content.parts.is_empty());
    let lacks_text = has_text(&raw) && !has_text(event);
    let says_more = lacks_text || has_text(&raw) == has_text(event) && raw.grounding.is_some();
    let is_fuller = is_fuller(raw.grounding.as_deref(), grounding(event));
    if is_fuller {
        event.metadata.iter_mut().for_each(|meta| meta.grounding = None);
    }
    if !says_more || grounding(event).is_some() && !is_fuller {
        let sent = match (lacks_text, is_fuller) {
            (true, _) => Sent::Words,
            (false, true) => Sent::Metadata,
            (false, false) => Sent::Rest,
        };
        match sent {
            Sent::Words => event.content = raw.content.take(),
            Sent::Metadata => event.grounding = raw.grounding.take(),
            Sent::Rest | Sent::All => {}
        }
        fill(event, *raw);
        return sent;
    }
    raw.name = event.name.take().or(raw.name);
    raw.author = event.author.take().or(raw.author);
    raw.invocation = event.invocation.take().or(raw.invocation);
    raw.timestamp = event.timestamp.take().or(raw.timestamp);
    raw.actions = event.actions.take().or(raw.actions);
    raw.metadata = raw.metadata.or(event.metadata.take());
    *event = *raw;
    Sent::All
}

/// The grounding metadata of an event: that of Agent Engine, which keeps under `eventMetadata` what ADK has
/// at the top level, unless the other says more.
fn grounding(event: &Event) -> Option<&GroundingMetadata> {
    let stored = event.metadata.as_ref().and_then(|meta| meta.grounding.as_deref());
    let own = event.grounding.as_deref();
    if is_fuller(own, stored) { own } else { stored }
}

/// Whether metadata has supports, or else sources or queries, of which the other has none.
fn is_fuller(one: Option<&GroundingMetadata>, other: Option<&GroundingMetadata>) -> bool {
    let has = |sent: Option<&GroundingMetadata>| {
        sent.map_or([false; 4], |sent| {
            let [supports, sources, queries] = google::says(sent);
            [supports > 0, sources > 0, queries > 0, true]
        })
    };
    has(one) > has(other)
}

/// Whether the metadata of an event is the one that Agent Engine keeps apart.
pub(super) fn is_apart(event: &Event) -> bool {
    let stored = event.metadata.as_ref().and_then(|meta| meta.grounding.as_deref());
    stored.is_some() && !is_fuller(event.grounding.as_deref(), stored)
}

/// Gives an event what another says of how it ended, where neither it nor its metadata does.
fn fill(event: &mut Event, other: Event) {
    event.model = event.model.take().or(other.model);
    event.citations = event.citations.take().or(other.citations);
    let meta = event.metadata.get_or_insert_default();
    meta.partial = meta.partial.or(other.partial);
    meta.turn_complete = meta.turn_complete.or(other.turn_complete);
    meta.interrupted = meta.interrupted.or(other.interrupted);
    meta.branch = meta.branch.take().or(other.branch);
    meta.error_code = meta.error_code.take().or(other.error_code);
    meta.error_message = meta.error_message.take().or(other.error_message);
    meta.finish = meta.finish.take().or(other.finish);
    if meta.long_running.is_empty() {
        meta.long_running = other.long_running;
    }
}

pub(super) fn merge(event: &mut Event) {
    let Some(meta) = event.metadata.take() else { return };
    if !is_fuller(event.grounding.as_deref(), meta.grounding.as_deref()) {
        event.grounding = meta.grounding;
    }
    event.partial = event.partial.or(meta.partial);
    event.turn_complete = event.turn_complete.or(meta.turn_complete);
    event.interrupted = event.interrupted.or(meta.interrupted);
    event.branch = event.branch.take().or(meta.branch);
    event.error_code = event.error_code.take().or(meta.error_code);
    event.error_message = event.error_message.take().or(meta.error_message);
    event.finish = event.finish.take().or(meta.finish);
    if event.long_running.is_empty() {
        event.long_running = meta.long_running;
    }
}

pub(super) fn missing(event: &Event) -> Option<String> {
    let fields = [
        ("timestamp", event.timestamp.is_none()),
        ("invocationId", event.invocation.is_none()),
        ("author", event.author.is_none()),
    ];
    let names: Vec<&str> = fields.into_iter().filter_map(|(name, missing)| missing.then_some(name)).collect();
    (!names.is_empty()).then(|| {
        format!(
            "the event lacks {}, which {} required",
            names.join(", "),
            if names.len() == 1 { "is" } else { "are" }
        )
    })
}
