//! What services say in place of a response: their errors, in the shapes that they have.

use serde_json::json;

use super::secrets::mask_message;
use crate::json::{Peek, scan};

/// Keys beside the words of an error, small and without signs.
const BESIDE: [&str; 33] = [
    "cause",
    "code",
    "created",
    "data",
    "detail",
    "details",
    "error",
    "errorcode",
    "errordescription",
    "errors",
    "errormsg",
    "erroruri",
    "extensions",
    "hint",
    "id",
    "instance",
    "message",
    "msg",
    "object",
    "ok",
    "param",
    "path",
    "provider",
    "rawstatuscode",
    "reason",
    "requestid",
    "status",
    "statuscode",
    "success",
    "timestamp",
    "title",
    "traceid",
    "userid",
];

/// Those that say that a message beside them is one of an error.
const TELLING: [&str; 5] = ["code", "errorcode", "id", "requestid", "statuscode"];

/// What AWS and others call it.
const MESSAGES: [&str; 4] = ["message", "Message", "errorMessage", "detail"];

/// What the words of an error are called beside a state that says that it is one.
const WORDS: [&str; 6] = ["message", "Message", "msg", "error_msg", "errorMsg", "title"];

/// What states of an error are called.
const STATES: [&str; 6] = ["status", "statusCode", "status_code", "code", "success", "ok"];

fn spelled(key: &str) -> String {
    key.chars().filter(|c| !matches!(c, '_' | '-')).map(|c| c.to_ascii_lowercase()).collect()
}

/// The first of what a list holds; lists of lists are looked into a little way.
pub(super) fn first_of_list(mut frame: &str) -> &str {
    for _ in 0..8 {
        let first = scan::Members::of(frame, 0).filter(|members| !members.of_object());
        let Some((_, at)) = first.and_then(|mut members| members.next()) else { break };
        frame = frame.get(at..).unwrap_or_default();
    }
    frame
}

/// Whether nothing else is in a frame than what stands in errors.
fn is_bare(peek: &Peek) -> bool {
    let known = |key: &str| {
        let key = spelled(key);
        key.ends_with("type") || key == "errormessage" || BESIDE.contains(&key.as_str())
    };
    peek.keys().all(known)
}

/// Whether a frame is an error of a service without an `error` around it: a message, and what kind of error
/// it is.
pub(super) fn is_bare_error(frame: &str) -> bool {
    let peek = Peek::of(frame, &[]);
    let fault = || peek.below("fault").is_some_and(|fault| fault.has("faultstring"));
    if !is_bare(&peek) {
        return peek.keys().count() == 1 && fault();
    }
    let telling = |key: &str| key == "_Type" || TELLING.contains(&spelled(key).as_str());
    let is_error = peek.word("object").is_some_and(|word| word == "error");
    let told = peek.keys().any(telling) || peek.word("type").is_some_and(|word| word.contains("error"));
    let alone = peek.keys().count() == 1;
    let message = MESSAGES.iter().any(|key| peek.kind(key) == Some('"'));
    let lambda = peek.has("errorMessage") && peek.has("errorType");
    // FastAPI's, that of RFC 9457, of GraphQL, of AWS.
    let listed = peek.first("errors").is_some_and(|first| first.has("message"));
    is_error
        || message && (told || alone)
        || lambda
        || peek.has("detail")
        || listed
        || peek.has("_Type")
        || says_failed(&peek)
}

/// Whether there are words beside a state that says that something failed.
fn says_failed(peek: &Peek) -> bool {
    let failed = |key: &str| {
        let word = peek.word(key).unwrap_or_default().to_lowercase();
        matches!(word.as_str(), "error" | "failed" | "failure" | "false")
            || word.parse().is_ok_and(|code: u16| (400..600).contains(&code))
    };
    let coded = || peek.keys().any(|key| spelled(key) == "errorcode");
    WORDS.iter().any(|key| peek.kind(key) == Some('"')) && (STATES.into_iter().any(failed) || coded())
}

/// The same among other frames, where a message alone may be of anything.
pub(super) fn is_told_error(frame: &str) -> bool {
    let peek = Peek::of(frame, &[]);
    let alone = peek.keys().count() == 1 && peek.keys().all(|key| spelled(key) == "message");
    // An envelope may say that all is well.
    let fine = |key: &str| {
        let word = peek.word(key).unwrap_or_default().to_lowercase();
        matches!(word.as_str(), "0" | "200" | "ok" | "success" | "true")
    };
    let well = STATES.into_iter().any(fine);
    !alone && !well && is_bare_error(frame)
}

/// Whether a frame is an error and nothing else: what has an `error` beside other things may be anything.
pub(super) fn is_error_alone(frame: &str) -> bool {
    let peek = Peek::of(frame, &[]);
    let told = peek.below("error").is_some_and(|error| error.has_any(&["message", "code", "status", "type"]));
    let alone = peek.kind("error") == Some('"') && is_bare(&peek);
    told || alone || is_bare_error(frame)
}

/// What is told of a service's error body that stands in place of a response.
pub fn service_error(frame: &str) -> String {
    format!("the service answered with an error, not with a response: {}", service_words(frame))
}

/// An error as most services send it, of one that has its code, and its words or a payload that holds them,
/// apart from each other.
pub fn error_body(code: &str, payload: &str, words: Option<&str>) -> String {
    let body = Peek::of(payload, &[]);
    let told = body.word("message").or_else(|| body.word("Message"));
    let message = told.as_deref().or(words).unwrap_or(payload);
    json!({"error": {"code": code, "message": message}}).to_string()
}

/// Message and codes of a service's error body.
pub fn service_words(frame: &str) -> String {
    let peek = Peek::of(first_of_list(frame), &[]);
    let inner = peek.below("error");
    let field = |key: &str| inner.as_ref().and_then(|error| error.word(key));
    let own = |key: &str| peek.word(key);
    let first = |peek: &Peek, key: &str| {
        let first = peek.first(key)?;
        first.word("message").or_else(|| first.word("msg"))
    };
    let message = field("message")
        .or_else(|| field("errorMessage"))
        .or_else(|| Some([own("error")?, own("errorDescription").unwrap_or_default()].join(": ")))
        .map(|message| message.trim_end_matches([':', ' ']).to_owned())
        .or_else(|| MESSAGES.iter().find_map(|key| own(key)))
        .or_else(|| first(&peek, "errors").or_else(|| first(&peek, "detail")))
        .or_else(|| first(&peek.below("message")?, "detail"))
        .or_else(|| peek.below("fault").and_then(|fault| fault.word("faultstring")))
        .or_else(|| WORDS.iter().find_map(|key| own(key)).or_else(|| own("_Type")))
        .unwrap_or_else(|| "no message".to_owned());
    let code: Vec<String> =
        ["code", "errorCode", "status", "type"].iter().filter_map(|key| field(key)).collect();
    let code = if code.is_empty() { String::new() } else { format!(" ({})", code.join(", ")) };
    // Nobody can ask for the rest of it: it is no response.
    let message = mask_message(&message);
    format!("{message}{}", mask_message(&code))
}
