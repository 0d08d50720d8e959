//! Why a record could not be decoded: the place, what stands there, and what to do.

use serde_json::json;

use super::secrets::mask_message;
use crate::json::Peek;

/// Why a record could not be decoded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// Not JSON: the place, and what stands there.
    #[error("not JSON: {what}")]
    NotJson {
        /// Number of the frame.
        frame: usize,
        /// Byte of the frame.
        at: usize,
        /// The parser's words.
        what: String,
    },
    /// More values follow the first: where they begin.
    #[error("more follows after the value")]
    Trailing {
        /// Number of the frame.
        frame: usize,
        /// Byte of the frame.
        at: usize,
    },
    /// It asks for more memory than a record may have.
    #[error(
        "this record takes far more memory than its text: it has too many small values (candidates, events, marks, keys); \
         `--no-limits` reads it all the same"
    )]
    TooLarge {
        /// Number of the frame at which it was too much.
        frame: usize,
    },
    /// JSON, but nothing that is read here.
    #[error("{0}")]
    Unrecognised(String),
    /// The service sent an error instead of a response.
    #[error("{0}")]
    Service(String),
}

impl DecodeError {
    /// The frame and the byte in it that the error is about.
    pub fn place(&self) -> (usize, usize) {
        match self {
            Self::NotJson { frame, at, .. } | Self::Trailing { frame, at } => (*frame, *at),
            Self::TooLarge { frame } => (*frame, 0),
            Self::Unrecognised(_) | Self::Service(_) => (0, 0),
        }
    }
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
    let peek = Peek::of(frame, &[]);
    let inner = peek.below("error");
    let field = |key: &str| inner.as_ref().and_then(|error| error.word(key));
    let message = field("message")
        .or_else(|| field("errorMessage"))
        .or_else(|| peek.word("error"))
        .or_else(|| peek.word("message"))
        .unwrap_or_else(|| "no message".to_owned());
    let code: Vec<String> =
        ["code", "errorCode", "status", "type"].iter().filter_map(|key| field(key)).collect();
    let code = if code.is_empty() { String::new() } else { format!(" ({})", code.join(", ")) };
    // Nobody can ask for the rest of it: it is no response.
    let message = mask_message(&message);
    format!("{message}{}", mask_message(&code))
}
