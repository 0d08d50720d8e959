//! Names for JSON that is no grounded response read here, so that a refusal can say what the file is.

use super::error::DecodeError;
use super::interface::ANSWERED;
use super::providers::FORMATS;
use super::recognise::{FrameKind, recognise_document};
use super::recovery::{is_trailing, not_json};
use super::registry::what_is_read;
use super::secrets::mask_message;
use super::service::{first_of_list, is_bare_error, is_error_alone, service_error};
use crate::json::{Peek, scan};

/// What a frame looks like, in words; nothing where there is no telling.
pub fn looks_like(frame: &str) -> Option<&'static str> {
    let peek = Peek::of(first_of_list(frame), &[]);
    let word = |key: &str| peek.word(key).unwrap_or_default();
    let (object, kind) = (word("object"), word("type"));
    FORMATS
        .iter()
        .find_map(|format| (format.refuses)(&peek))
        .or_else(|| request(&peek))
        .or_else(|| by_object(&object))
        .or_else(|| by_kind(&kind))
        .or_else(|| by_keys(&peek))
}

fn request(peek: &Peek) -> Option<&'static str> {
    let spoken = || peek.first("messages").is_none_or(|message| message.has("role"));
    let body =
        peek.has("messages") && spoken() || peek.has("input") || peek.has("contents") || peek.has("prompt");
    if !body || peek.has_any(ANSWERED) {
        return None;
    }
    Some(match () {
        () if peek.has("modelId") || peek.has("inferenceConfig") => "an AWS Bedrock Converse request",
        () if peek.has("messages") => "a chat request (OpenAI, Anthropic or alike), not a response",
        () => "a request to a model, not a response",
    })
}

fn by_object(object: &str) -> Option<&'static str> {
    match object {
        "list" => Some("a list as OpenAI's API returns it"),
        object if object.starts_with("thread.") => Some("a message or an event of OpenAI's Assistants"),
        "response.deleted" | "conversation" => Some("a message of OpenAI's API without an answer"),
        _ => None,
    }
}

fn by_kind(kind: &str) -> Option<&'static str> {
    match kind {
        "message" => Some("a message of a chat that is no answer"),
        _ => None,
    }
}

fn by_keys(peek: &Peek) -> Option<&'static str> {
    match () {
        () if matches!(peek.kind("content"), Some('[' | '"')) && peek.has("role") => {
            Some("one message of a chat")
        }
        () if peek.has("sources") && peek.has("spans") && peek.keys().count() == 2 => {
            Some("the citations of a GitHub Copilot message without the message")
        }
        () if peek.has("parts") => {
            Some("a message without a role, or the content of a Gemini response without its metadata")
        }
        () => None,
    }
}

/// Whether a frame is nothing but the error of a service.
pub fn is_service_error(frame: &str) -> bool {
    is_error_alone(first_of_list(frame)) && looks_like(frame).is_none()
}

/// What a frame is that no format reads.
pub fn refuse(frame: &str) -> DecodeError {
    // JSON that breaks off or is none says so first; what follows a whole value is another matter.
    if let Err(error) = serde_json::from_str::<serde::de::IgnoredAny>(frame)
        && !is_trailing(frame, &error)
    {
        return not_json(0, frame, &error);
    }
    let is_error =
        recognise_document(frame) == FrameKind::ServiceError || is_bare_error(first_of_list(frame));
    if is_error && looks_like(frame).is_none() {
        return DecodeError::Service(service_error(frame));
    }
    let looks = looks_like(frame).map_or_else(
        || {
            // As they were sent.
            let members = scan::Members::of(frame, scan::skip_space(frame.as_bytes(), 0));
            let keys = members.into_iter().flatten().map(|(key, _)| key);
            let keys: Vec<String> = keys.take(6).map(|key| format!("{:?}", mask_message(&key))).collect();
            if frame.starts_with('[') {
                "this is a list of several things in one line: write each in a line of its own".to_owned()
            } else if keys.is_empty() {
                "this is JSON, but no grounded response".to_owned()
            } else {
                format!("this is JSON with the keys {}, but no grounded response known here", keys.join(", "))
            }
        },
        |name| format!("this looks like {name}, which citescope does not read"),
    );
    let own =
        if looks_like(frame).is_none() { "; for a JSON of your own see `citescope map --help`" } else { "" };
    DecodeError::Unrecognised(format!("{looks}; it reads {} (see `citescope formats`){own}", what_is_read()))
}
