//! Citescope reads grounded answers, the words of a model together with the claim "these words rest on
//! those sources", and shows, checks and exports their citations.
//!
//! The data goes one way:
//!
//! ```text
//! bytes ─input─▶ frames, records ─format─▶ Response ─anchor─▶ Reviewed ─check─▶ findings ─▶ tui · export
//! ```
//!
//! | module | holds |
//! |---|---|
//! | [`input`] | bytes to frames (one JSON value each) and records (what is decoded as a whole) |
//! | [`format`] | one module a provider format: frames to [`model::Response`]; the only place that knows JSON keys |
//! | [`model`] | the neutral model: answer, supports, citations, sources, queries, traces |
//! | [`anchor`] | offsets as sent to byte ranges of the answer, each with a verdict |
//! | [`evidence`], [`comparison`] | how much of a claim's wording the cited chunks hold, and whether another chunk fits better |
//! | [`reviewed`] | a response with its supports placed: spans, coverage, comparisons |
//! | [`check`] | findings: what does not hold together |
//! | [`pipeline`] | puts the stages together; what `tui` and `cli` call |
//! | [`export`] | Markdown, footnotes, source list, JSON |
//! | [`text`] | wrapping, widths, stand-ins for what must not reach a terminal |
//! | [`tui`], [`cli`] | the screen and the command line |

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing))]

pub mod anchor;
pub mod check;
pub mod cli;
pub mod comparison;
pub mod evidence;
pub mod export;
pub mod format;
pub mod input;
pub mod model;
pub mod pipeline;
pub mod repair;
pub mod reviewed;
pub mod text;
pub mod tui;
