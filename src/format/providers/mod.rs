//! A file a format, and the table of all; what Google's formats share stands in `google`.

use super::interface::Format;

mod agent_engine;
mod bigdata;
mod bigdata_chat;
mod bigdata_join;
mod check_grounding;
mod discovery_engine;
mod fragment;
mod gemini;
mod google;
mod neutral;

/// The formats, those most asked for first. No frame has two owners but for the fallback at the end, which a
/// test on every sample and recording holds.
pub static FORMATS: &[Format] = &[
    gemini::FORMAT,
    agent_engine::FORMAT,
    discovery_engine::FORMAT,
    check_grounding::FORMAT,
    bigdata::FORMAT,
    bigdata_chat::FORMAT,
    neutral::FORMAT,
    fragment::FORMAT,
];
