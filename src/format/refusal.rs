//! Names for JSON that is no grounded response read here, so that a refusal can say what the file is.

use super::error::{DecodeError, service_error};
use super::interface::ANSWERED;
use super::providers::FORMATS;
use super::recognise::{Kind, recognise_document};
use super::recovery::{is_trailing, not_json};
use super::registry::what_is_read;
use crate::json::{Peek, scan};

/// What a frame looks like, in words; nothing where there is no telling.
pub fn looks_like(frame: &str) -> Option<&'static str> {
    // Lists of lists are looked into a little way.
    let mut frame = frame;
    for _ in 0..8 {
        if !frame.starts_with('[') {
            break;
        }
        let (_, at) = scan::Members::of(frame, 0)?.next()?;
        frame = frame.get(at..).unwrap_or_default();
    }
    let peek = Peek::of(frame, &[]);
    let word = |key: &str| peek.word(key).unwrap_or_default();
    let (object, kind) = (word("object"), word("type"));
    let choice = peek.first("choices");
    let message =
        choice.as_ref().and_then(|choice| choice.below("message").or_else(|| choice.below("delta")));
    FORMATS
        .iter()
        .find_map(|format| (format.refuses)(&peek))
        .or_else(|| request(&peek))
        .or_else(|| by_object(&object, &peek))
        .or_else(|| stream_event(&peek, &kind))
        .or_else(|| {
            let sourced = peek.has("searchResults") || peek.has("citations");
            match (choice.is_some() || object.starts_with("chat.completion"), message) {
                (true, _) if sourced => Some("a Perplexity chat completion"),
                (true, Some(message)) if message.has("context") => {
                    Some("an Azure OpenAI On Your Data response")
                }
                (true, Some(message)) if message.kind("content") == Some('[') => {
                    Some("a Mistral chat completion")
                }
                (true, _) => Some("an OpenAI-style chat completion"),
                (false, _) => None,
            }
        })
        .or_else(|| by_keys(&peek))
}

fn request(peek: &Peek) -> Option<&'static str> {
    let body = peek.has("messages") || peek.has("input") || peek.has("contents") || peek.has("prompt");
    if !body || peek.has_any(ANSWERED) {
        return None;
    }
    Some(match () {
        () if peek.has("modelId") || peek.has("inferenceConfig") => "an AWS Bedrock Converse request",
        () if peek.has("messages") => "a chat request (OpenAI, Anthropic or alike), not a response",
        () => "a request to a model, not a response",
    })
}

fn by_object(object: &str, peek: &Peek) -> Option<&'static str> {
    match object {
        "response" if peek.word("model").is_some_and(|model| model.starts_with("grok")) => {
            Some("an xAI response")
        }
        "response" => Some("an OpenAI Responses response"),
        "conversation.response" => Some("a Mistral Conversations response"),
        "list" => Some("a list as OpenAI's API returns it"),
        _ => None,
    }
}

fn stream_event(peek: &Peek, kind: &str) -> Option<&'static str> {
    let event = peek.word("eventType").unwrap_or_default();
    let anthropic = [
        "message_start",
        "message_delta",
        "message_stop",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "ping",
    ];
    let cohere = [
        "message-start",
        "message-end",
        "content-start",
        "content-delta",
        "content-end",
        "citation-start",
        "citation-end",
        "tool-plan-delta",
    ];
    match kind {
        _ if ["text-generation", "citation-generation", "search-results", "stream-start", "stream-end"]
            .contains(&event.as_str()) =>
        {
            Some("a Cohere v1 stream")
        }
        _ if kind.starts_with("response.") => Some("an OpenAI Responses stream"),
        _ if kind.starts_with("conversation.response") => Some("a Mistral Conversations stream"),
        _ if anthropic.contains(&kind) => Some("an Anthropic Messages stream"),
        _ if cohere.contains(&kind) => Some("a Cohere stream"),
        "message" => Some("an Anthropic Messages response"),
        "error" if peek.has("error") => Some("an Anthropic error"),
        "assistant.message" => Some("a GitHub Copilot session event"),
        "text-delta" | "source-url" | "source-document" | "start" | "finish" | "text-start"
        | "stream-start" => Some("a Vercel AI SDK stream"),
        _ => None,
    }
}

fn by_keys(peek: &Peek) -> Option<&'static str> {
    let bedrock = [
        "contentBlockDelta",
        "contentBlockStart",
        "contentBlockStop",
        "messageStart",
        "messageStop",
        "contentBlockIndex",
    ];
    let output = peek.below("output");
    let outputs = peek.first("outputs");
    match () {
        () if peek.has_any(&bedrock) => Some("an AWS Bedrock Converse stream"),
        () if output.as_ref().is_some_and(|output| output.has("message")) => {
            Some("an AWS Bedrock Converse response")
        }
        () if output.as_ref().is_some_and(|output| output.has("text")) => {
            Some("an AWS Bedrock RetrieveAndGenerate response")
        }
        () if peek.has("generationId") => Some("a Cohere v1 response"),
        () if peek.below("message").is_some_and(|message| message.kind("content") == Some('[')) => {
            Some("a Cohere chat response")
        }
        () if outputs.as_ref().is_some_and(|first| first.below("message").is_some()) => {
            Some("an xAI response")
        }
        () if peek.kind("outputs") == Some('[') => Some("a Mistral Conversations response"),
        () if peek.has("contentBlocks") || peek.has("lc") => Some("a LangChain message"),
        () if peek.has("content") && peek.has_any(&["responseMetadata", "additionalKwargs"]) => {
            Some("a LangChain message")
        }
        () if peek.kind("content") == Some('[') && peek.has("role") => Some("one message of a chat"),
        () if peek.has("sources") && peek.has("spans") => Some("citations as GitHub Copilot keeps them"),
        () if peek.has("parts") => {
            Some("a message of the Vercel AI SDK, or the content of a Gemini response without its metadata")
        }
        () => None,
    }
}

/// What a frame is that no format reads.
pub fn refuse(frame: &str) -> DecodeError {
    // JSON that breaks off or is none says so first; what follows a whole value is another matter.
    if let Err(error) = serde_json::from_str::<serde::de::IgnoredAny>(frame)
        && !is_trailing(frame, &error)
    {
        return not_json(0, frame, &error);
    }
    if let Kind::ServiceError = recognise_document(frame)
        && looks_like(frame).is_none()
    {
        return DecodeError::Service(service_error(frame));
    }
    let looks = looks_like(frame).map_or_else(
        || {
            let keys: Vec<String> =
                Peek::of(frame, &[]).keys().take(6).map(|key| format!("{key:?}")).collect();
            if keys.is_empty() {
                "this is JSON, but no grounded response".to_owned()
            } else {
                format!("this is JSON with the keys {}, but no grounded response known here", keys.join(", "))
            }
        },
        |name| format!("this looks like {name}, which citescope does not read"),
    );
    DecodeError::Unrecognised(format!("{looks}; it reads {} (see `citescope formats`)", what_is_read()))
}
