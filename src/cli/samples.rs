//! The samples of the repository, built in: what opens without a file.

use crate::session::{Session, Supplied};
use crate::store::Input;

macro_rules! samples {
    ($($name:literal),* $(,)?) => {
        /// Name and content of each sample.
        pub const SAMPLES: &[(&str, &str)] = &[$(($name, include_str!(concat!("../../samples/", $name)))),*];
    };
}

samples![
    "gemini-search.json",
    "gemini-stream.sse",
    "gemini-retrieval-scores.json",
    "gemini-broken-offsets.json",
    "gemini-characters.json",
    "gemini-nested.json",
    "gemini-long.json",
    "gemini-maps.json",
    "gemini-japanese.json",
    "gemini-thai.json",
    "gemini-other-language.json",
    "gemini-hindi-emoji.json",
    "gemini-dangling.json",
    "gemini-batch.jsonl",
    "agent-session.json",
    "agent-events.sse",
    "discovery-answer.json",
    "discovery-stream.json",
    "discovery-skipped.json",
    "check-grounding.json",
    "bigdata-research.sse",
    "bigdata-workflow.sse",
    "bigdata-chat.json",
    "neutral.jsonl",
    "all-fields-gemini.json",
    "all-fields-events.json",
    "all-fields-answer.json",
    "all-fields-bigdata.sse",
];

/// All samples as one session.
pub fn session(supplied: Supplied) -> Session {
    let input = |(name, text): &(&str, &str)| Input::from_bytes(&format!("samples/{name}"), text.as_bytes().to_vec());
    Session::new(SAMPLES.iter().map(input), supplied)
}
