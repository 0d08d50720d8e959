//! Citescope reads grounded answers, the words of a model together with the claim "these words rest on
//! those sources", and shows, checks and exports their citations.
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
//! | [`json`] | the syntax of JSON and no provider: scan, peek, locate, the tolerant layer |
//! | [`anchor`], [`evidence`], [`markup`], [`text`], [`model`] | the ground |
//! | [`export`] | Markdown, footnotes, source list, JSON |
//! | [`tui`], [`cli`] | the screen and the command line |

// Without the program, what the library keeps for it alone is unused.
#![cfg_attr(not(feature = "app"), allow(dead_code, unused_imports))]
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

pub mod anchor;
pub mod check;
#[cfg(feature = "app")]
pub mod cli;
pub mod evidence;
pub mod export;
mod form;
pub mod format;
pub mod json;
pub mod markup;
pub mod model;
pub mod review;
pub mod session;
pub mod store;
pub mod text;
#[cfg(feature = "app")]
pub mod tui;
