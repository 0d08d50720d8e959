//! The formats that are read, a line each.

use super::interface::Format;
use super::neutral;
use super::providers::{bigdata, bigdata_chat, fragment, google};

/// The formats, in the order in which they are tried.
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
