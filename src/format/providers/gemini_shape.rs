//! The shapes that frames of the Gemini API come in, and how they belong with their neighbours.

use crate::format::google;
use crate::format::interface::{Boundary, FrameGroup};
use crate::json::Peek;
use crate::json::values::Word;

/// The shapes a frame comes in.
pub(super) enum Shape {
    Whole,
    Batch,
    Candidate,
    Beside,
    Live,
}

pub(super) fn shape(peek: &Peek) -> Option<Shape> {
    let event = is_event(peek);
    if is_whole(peek) {
        return (!event).then_some(Shape::Whole);
    }
    if peek.below("response").is_some_and(|response| is_whole(&response) && !is_event(&response)) {
        return Some(Shape::Batch);
    }
    let grounded = peek.has("groundingMetadata") || peek.has("vertexAiGroundingMetadata");
    let request = peek.below("request").is_some_and(|request| request.has("contents"));
    if request && peek.has_any(&["status", "response", "processedTime"]) {
        // What a service answered otherwise is that of any logged pair.
        let is_other = peek.below("response").is_some_and(|response| !is_silent(&response));
        return (!is_other).then_some(Shape::Batch);
    }
    if peek.has("serverContent") {
        return Some(Shape::Live);
    }
    let marks = ["groundingMetadata", "groundingAttributions", "citationMetadata", "urlContextMetadata"];
    if peek.kind("content") == Some('{') && (peek.has_any(&marks) || peek.has("finishReason")) && !event {
        let google = peek.below("content").is_some_and(|content| content.has("parts"));
        return google.then_some(Shape::Candidate);
    }
    let text = ["text", "answer", "output", "content"].iter().any(|key| peek.kind(key) == Some('"'));
    (grounded && text && !event).then_some(Shape::Beside)
}

/// Whether this is an event of an agent.
fn is_event(peek: &Peek) -> bool {
    peek.has_any(&["author", "invocationId"])
}

/// Whether this has what a response has at its top.
fn is_whole(peek: &Peek) -> bool {
    const LAST: [&str; 4] = ["usageMetadata", "modelVersion", "responseId", "createTime"];
    let candidates = || {
        peek.has("candidates")
            && peek.first_until("candidates", CANDIDATE).is_none_or(|first| is_candidate(&first))
    };
    let usage = || peek.has("usageMetadata") && peek.keys().all(|key| LAST.contains(&key));
    candidates() || peek.has("promptFeedback") || usage()
}

/// Whether a line of a batch has no response: one that failed has an empty one.
pub(super) fn is_silent(response: &Peek) -> bool {
    response.keys().next().is_none()
}

/// Keys of a candidate.
const CANDIDATE: &[&str] = &[
    "content",
    "finishReason",
    "groundingMetadata",
    "safetyRatings",
    "index",
    "citationMetadata",
    "groundingAttributions",
    "tokenCount",
    "avgLogprobs",
];

/// Other services have candidates too, of places for instance.
fn is_candidate(peek: &Peek) -> bool {
    peek.keys().next().is_none() || peek.has_any(CANDIDATE)
}

pub(super) fn recognise(peek: &Peek) -> bool {
    shape(peek).is_some()
}

/// Whether a candidate has text and supports.
fn is_supported(candidate: &Peek) -> bool {
    let supports =
        candidate.below("groundingMetadata").and_then(|metadata| metadata.first("groundingSupports"));
    let part = candidate.below("content").and_then(|content| content.first("parts"));
    supports.is_some() && part.is_some_and(|part| part.has("text"))
}

/// Whether a candidate, the first one of several, has words or anything else in their place.
fn speaks(candidate: &Peek) -> bool {
    let is_first = candidate.word("index").is_none_or(|index| index == "0");
    let part = candidate.below("content").and_then(|content| content.first("parts"));
    is_first && part.is_some_and(|part| part.text_of("text") != Some("\"\""))
}

fn ends(candidate: &Peek) -> bool {
    google::has_ended(candidate.word("finishReason").as_deref())
}

pub(super) fn group(peek: &Peek) -> FrameGroup {
    match shape(peek) {
        Some(Shape::Whole) => piece(peek),
        Some(Shape::Live) => {
            let complete = peek
                .below("serverContent")
                .is_some_and(|content| content.word("turnComplete").as_deref() == Some("true"));
            FrameGroup::Stream {
                id: None,
                boundary: if complete { Boundary::EndsRun } else { Boundary::Continues },
            }
        }
        // Chunks of a stream may come wrapped; a batch line stands alone.
        Some(Shape::Batch) if !peek.has_any(&["request", "status", "key", "processedTime"]) => {
            peek.below("response").map_or(FrameGroup::Alone, |inner| piece(&inner))
        }
        _ => FrameGroup::Alone,
    }
}

/// Of a response that may be a piece of a stream.
fn piece(peek: &Peek) -> FrameGroup {
    let first = peek.first_until("candidates", &["finishReason"]);
    let id = peek.word("responseId").filter(|id| !id.is_empty());
    let speaks = || id.is_none() && peek.first("candidates").is_some_and(|first| speaks(&first));
    let supported = || peek.first("candidates").is_some_and(|first| is_supported(&first));
    let number = || peek.first("candidates")?.word("index");
    let is_further = || id.is_none() && number().is_some_and(|number| number != "0");
    let boundary = match &first {
        // The end of a further candidate is none of the first one.
        Some(candidate) if ends(candidate) && is_further() => Boundary::WithPrevious,
        Some(candidate) if ends(candidate) && speaks() && supported() => Boundary::Whole,
        Some(candidate) if ends(candidate) && speaks() => Boundary::SpeaksLast,
        Some(candidate) if ends(candidate) => Boundary::EndsUnlessId,
        None if !peek.has("promptFeedback") => Boundary::WithPrevious,
        // Nothing answers a prompt that was blocked.
        None if is_blocked(peek) => Boundary::Refuses,
        Some(candidate) if id.is_none() && is_supported(candidate) => Boundary::Supported,
        Some(_) if speaks() => Boundary::Speaks,
        Some(first) if id.is_none() && google::stands_alone(first) => Boundary::Grounds,
        _ => Boundary::Continues,
    };
    FrameGroup::Stream { id, boundary }
}

fn is_blocked(peek: &Peek) -> bool {
    let reason = peek.below("promptFeedback").and_then(|feedback| feedback.word("blockReason"));
    google::blocked(reason.map(Word)).is_some()
}
