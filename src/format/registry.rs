//! The formats that are read, a line each.

use super::interface::Format;
use super::neutral;
use super::providers::{bigdata, bigdata_chat, fragment, google};

/// The formats. Of two that recognise a frame the first reads it; but for the fallback at the end no two should, as a
/// test on every sample holds.
pub static FORMATS: &[Format] = &[
    neutral::FORMAT,
    bigdata::FORMAT,
    bigdata_chat::FORMAT,
    google::agent_engine::FORMAT,
    google::gemini::FORMAT,
    google::discovery_engine::FORMAT,
    google::check_grounding::FORMAT,
    fragment::FORMAT,
];
