//! A file a format, and the table of all.

use super::interface::Format;

mod agent_engine;
mod agent_engine_pieces;
mod agent_engine_turns;
mod agent_engine_wire;
mod anthropic_messages;
mod azure_oyd;
mod bedrock_converse;
mod bedrock_rag;
mod bigdata;
mod bigdata_chat;
mod bigdata_join;
mod chat_completions;
mod check_grounding;
mod cohere;
mod converse_cites;
mod copilot;
mod discovery_engine;
mod fragment;
mod gemini;
mod gemini_interactions;
mod gemini_shape;
mod generic;
mod generic_names;
mod generic_source;
mod generic_table;
mod generic_values;
mod langchain;
mod langchain_chunks;
mod langchain_found;
mod langchain_handed;
mod langchain_quotes;
mod langchain_wire;
pub(super) mod logged;
mod logged_stream;
mod mistral;
mod neutral;
mod openai_responses;
mod openai_responses_items;
mod openai_responses_wire;
mod perplexity;
mod text_markers;
mod vercel_beside;
mod vercel_ui;
mod xai;

pub use generic::{FORMAT as GENERIC, by as generic_by, propose};
pub use text_markers::{is_torn_json, wrapped};

/// The formats, those most asked for first. No frame has two owners but for the fallback at the end, which a
/// test on every sample and recording holds.
pub static FORMATS: &[Format] = &[
    gemini::FORMAT,
    agent_engine::FORMAT,
    discovery_engine::FORMAT,
    check_grounding::FORMAT,
    bigdata::FORMAT,
    bigdata_chat::FORMAT,
    gemini_interactions::FORMAT,
    openai_responses::FORMAT,
    chat_completions::FORMAT,
    anthropic_messages::FORMAT,
    perplexity::FORMAT,
    azure_oyd::FORMAT,
    cohere::FORMAT,
    bedrock_rag::FORMAT,
    bedrock_converse::FORMAT,
    mistral::FORMAT,
    xai::FORMAT,
    langchain::FORMAT,
    vercel_ui::FORMAT,
    copilot::FORMAT,
    text_markers::FORMAT,
    // Its response may be of any of them.
    Format {
        recognise: |peek| logged::recognise(peek, FORMATS),
        fold: || Box::new(logged::Pair::among(FORMATS)),
        ..logged::FORMAT
    },
    generic::FORMAT,
    neutral::FORMAT,
    fragment::FORMAT,
];
