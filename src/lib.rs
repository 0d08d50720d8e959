//! Citescope reads grounded answers, the words of a model together with the claim "these words rest on
//! those sources", and shows, checks and exports their citations.
//!
//! ```
//! let answer = r#"{"candidates": [{"content": {"parts": [{"text": "The pier opened in 1932."}]}, "finishReason": "STOP",
//!     "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://pier.example", "title": "pier.example"}}],
//!         "groundingSupports": [{"segment": {"startIndex": 1, "endIndex": 25, "text": "The pier opened in 1932."},
//!             "groundingChunkIndices": [0]}]}}]}"#;
//! for review in citescope::open(answer)?.reviews() {
//!     let review = review?;
//!     // The offsets are off by one; the span is shown where its quote stands.
//!     assert_eq!(review.findings()[0].rule.id, "offset-shift");
//!     let support = review.support(0).unwrap();
//!     assert_eq!(support.words(), Some("The pier opened in 1932."));
//!     assert_eq!(support.range(), Some(0..24));
//!     let cited: Vec<_> = support.sources().map(|source| source.name().to_owned()).collect();
//!     assert_eq!(cited, ["pier.example"]);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The data goes one way:
//!
//! ```text
//! bytes ─store─▶ records of frames ─format─▶ Response ─review─▶ Review ─check─▶ findings ─session─▶ tui · export · cli
//! ```
//!
//! | module | holds |
//! |---|---|
//! | [`session`] | what is open, and the one place that puts the stages together; what `tui` and `cli` call |
//! | [`check`] | findings: what does not hold together |
//! | [`review`] | one response and all that follows from it: spans placed, claims compared, repairs |
//! | [`store`] | inputs, frames (one JSON value each) and records (what is decoded as a whole) |
//! | [`format`](mod@format) | what a format is, a row each, a file a provider: frames to [`model::Response`]; the only place that knows JSON keys |
//! | `form` | the neutral form: each field declared once for its reader, its writer and its schema |
//! | [`memory`] | what a record takes, where a program measures it |
//! | [`json`] | the syntax of JSON and no provider: scan, peek, locate, the tolerant layer |
//! | [`anchor`], [`evidence`], [`markup`], [`text`], [`model`] | the ground |
//! | [`look`] | what things look like: severities, outcomes and roles to signs, colours, SGR, CSS classes |
//! | [`export`] | Markdown, footnotes, source list, JSON |
//! | [`tui`], [`cli`] | the screen and the command line |

// Without the program, what the library keeps for it alone is unused.
#![cfg_attr(not(feature = "app"), allow(dead_code, unused_imports))]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

pub mod anchor;
pub mod check;
#[cfg(feature = "app")]
pub mod cli;
pub mod evidence;
pub mod export;
mod form;
pub mod format;
pub mod json;
pub mod look;
pub mod markup;
pub mod memory;
pub mod model;
pub mod review;
pub mod session;
pub mod store;
pub mod text;
#[cfg(feature = "app")]
pub mod tui;

use std::path::Path;

pub use model::{Finding, Response, Rule, Severity};
pub use review::{Review, SourceRef, SupportRef};
pub use session::{RecordError, Session};
pub use store::InputError;

/// Opens an input: a response, a stream, JSON Lines, or whatever else holds grounded answers. Its records are
/// read when [`Session::reviews`] comes to them.
///
/// # Errors
///
/// Where the bytes are no text, or hold no JSON value: the error says where, what and what to do.
///
/// ```
/// let error = citescope::open("<html>").err().unwrap();
/// assert!(error.to_string().starts_with("input:1:1: not JSON: this looks like HTML or XML"));
/// ```
pub fn open(bytes: impl Into<Vec<u8>>) -> Result<Session, InputError> {
    let input = store::Input::from_bytes("input", bytes.into())?;
    Ok(Session::new([Ok(input)], session::Supplied::default()))
}

/// Opens a file. Only the places of its records are kept in memory.
///
/// # Errors
///
/// Like [`open`](open()), and where the system does not let it be read.
///
/// ```
/// let session = citescope::open_file("samples/gemini-search.json".as_ref())?;
/// let review = session.reviews().next().unwrap()?;
/// assert_eq!(review.supports().count(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn open_file(path: &Path) -> Result<Session, InputError> {
    let spool = store::Spool::new(format::Limits::Usual.longest());
    let inputs: Vec<_> = store::Pieces::of(Some(path), &spool).collect::<Result<_, _>>()?;
    Ok(Session::new(inputs.into_iter().map(Ok), session::Supplied::default()))
}
