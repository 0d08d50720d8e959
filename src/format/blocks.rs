//! Answers that are a list of blocks written as a text.

use super::building;
use crate::json::scan::skip_value;
use crate::model::{JsonText, RemarkKind, Response};

/// Bytes of an answer up to which it is looked at for blocks.
const BLOCKS: usize = 256 << 10;

/// How a list of blocks begins as Python writes it, and what one of its dictionaries says.
const PYTHON: [&str; 3] = ["[TextBlock(", "[ThinkingBlock(", "[ResponseOutput"];
const PYTHON_KINDS: [&str; 2] = ["'type': 'text'", "'type': 'output_text'"];

/// Remarks on an answer that is a list of blocks, written as JSON or as Python does: what they cite is in no
/// field.
pub fn note(responses: &mut [Response]) {
    let words = "the answer is a list of blocks written as a text, and what they cite is not read";
    for response in responses {
        let text = response.text().trim_start();
        // Our own form carries it along.
        if holds_blocks(text) && response.remarks.iter().all(|remark| &*remark.text != words) {
            let origin = response.origin.clone();
            building::remark(response, RemarkKind::Mistyped, &origin, words);
        }
    }
}

fn holds_blocks(text: &str) -> bool {
    if !text.starts_with(['[', '{']) || text.len() > BLOCKS {
        return false;
    }
    let is_dictionary = text.starts_with("[{'") || text.starts_with("{'");
    if PYTHON.iter().any(|begin| text.starts_with(begin))
        || is_dictionary && PYTHON_KINDS.iter().any(|kind| text.contains(kind))
    {
        return true;
    }
    let is_text = |block: &JsonText| {
        let kind = block.get("type").and_then(|kind| kind.to_text());
        kind.is_some_and(|kind| ["text", "output_text"].contains(&kind.as_str()))
            && block.get("text").is_some()
    };
    // The pieces of a stream may be written one by one.
    let first = skip_value(text.as_bytes(), 0).and_then(|end| text.get(..end)).unwrap_or(text);
    JsonText::parsed(first)
        .is_some_and(|value| is_text(&value) || value.elements().any(|block| is_text(&block)))
}
