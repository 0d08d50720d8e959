//! What the tests of the causes share: small responses, and what is reported of them.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{Finding, RULES, Rule, compare_siblings};
use crate::format::{Limits, decode};
use crate::review::{Review, ReviewOptions};
use crate::store::Input;

/// Findings on all responses of an input, also those on content.
pub fn findings(text: &str) -> Vec<Finding> {
    reviews(text).iter().flat_map(|review| review.findings().to_vec()).collect()
}

/// Rules that fire on the first response of an input, worst first, with their messages; content is not
/// compared.
pub fn reported(text: &str) -> Vec<String> {
    structural(text).iter().map(|finding| format!("{} {}", finding.rule.id, finding.message)).collect()
}

/// Ids of the rules that fire on the first response of an input; content is not compared.
pub fn ids(text: &str) -> Vec<&'static str> {
    structural(text).iter().map(|finding| finding.rule.id).collect()
}

fn structural(text: &str) -> Vec<Finding> {
    reviews(text)[0].structural_findings().to_vec()
}

/// Read as whoever uses the library does.
pub fn reviews(text: &str) -> Vec<Arc<Review>> {
    let input = Input::from_bytes("input", text.into()).unwrap();
    let records = (0..input.len()).flat_map(|number| {
        let record = input.record(number).unwrap();
        let format = input.format(number).unwrap_or_else(|| panic!("no format reads {text}"));
        let frames: Vec<&str> = record.frames().collect();
        let decoded =
            decode((format, None), &frames, Limits::Usual, |frame, byte| record.line_column(frame, byte));
        let decoded = decoded.unwrap_or_else(|error| panic!("{error}\n{text}"));
        drop(frames);
        let reviews = ReviewOptions::default().reviews(record, format, decoded);
        compare_siblings(&reviews);
        reviews
    });
    records.collect()
}

#[track_caller]
pub fn fires(rule: &'static Rule, text: &str) {
    assert!(fires_on(rule, text), "{rule:?} is silent on {text}: {:?}", reported(text));
}

#[track_caller]
pub fn silent(rule: &'static Rule, text: &str) {
    assert!(!fires_on(rule, text), "{rule:?} fires on {text}: {:?}", reported(text));
}

fn fires_on(rule: &'static Rule, text: &str) -> bool {
    assert!(RULES.contains(&rule), "{rule:?} has no line in the registry");
    let found = if rule.is_content() { findings(text) } else { structural(text) };
    found.iter().any(|finding| finding.rule == rule)
}

/// A response of the Gemini API with metadata as it is written there.
pub fn gemini(answer: &str, metadata: &str) -> String {
    format!(
        r#"{{"candidates": [{{"content": {{"parts": [{{"text": {answer:?}}}]}}, "finishReason": "STOP", "groundingMetadata": {metadata}}}]}}"#
    )
}

/// One chunk, as a field of the metadata.
pub const CHUNK: &str =
    r#""groundingChunks": [{"web": {"uri": "https://example.com/a", "title": "example.com"}}]"#;

/// A candidate with its chunks and supports.
pub fn candidate(answer: &str, chunks: Value, supports: Value) -> String {
    json!({"content": {"parts": [{"text": answer}]}, "finishReason": "STOP",
        "groundingMetadata": {"groundingChunks": chunks, "groundingSupports": supports}})
    .to_string()
}

/// A candidate with supports that are exact by their quotes.
pub fn cited(answer: &str, quotes: &[(&str, &[i64])], chunks: Value) -> String {
    let support = |(quote, indices): &(&str, &[i64])| {
        let start = answer.find(quote).unwrap();
        let segment = json!({"startIndex": start, "endIndex": start + quote.len(), "text": quote});
        json!({"segment": segment, "groundingChunkIndices": indices})
    };
    candidate(answer, chunks, quotes.iter().map(support).collect())
}

/// Chunks that are web pages.
pub fn pages(uris: &[&str]) -> Value {
    uris.iter().map(|uri| json!({"web": {"uri": uri, "title": "a page"}})).collect()
}

/// The whole answer is one support, its source a page at `rio.example`.
pub fn whole(answer: &str) -> String {
    cited(answer, &[(answer, &[0])], pages(&["https://rio.example/hours"]))
}

/// `Fine day…` with one chunk, which `Fine` cites.
pub fn with_chunk(chunk: Value) -> String {
    cited("Fine day…", &[("Fine", &[0])], json!([chunk]))
}

/// `Fine day…` with one web page and one support.
pub fn with_support(support: Value) -> String {
    candidate("Fine day…", pages(&["https://example.com/a"]), json!([support]))
}

/// An event of an agent with these fields, too.
pub fn event(more: Value) -> String {
    let mut event = json!({"author": "a", "invocationId": "i", "timestamp": 1,
        "content": {"parts": [{"text": "Hi"}]}, "groundingMetadata": {}});
    if let (Some(event), Value::Object(more)) = (event.as_object_mut(), more) {
        event.extend(more);
    }
    event.to_string()
}

/// One support with two citations and these scores, by a model.
pub fn scored(model: &str, scores: &str) -> String {
    let support = format!(
        r#"{{"segment": {{"endIndex": 5}}, "groundingChunkIndices": [0, 0], "confidenceScores": {scores}}}"#
    );
    let response = gemini("Fine.", &format!(r#"{{{CHUNK}, "groundingSupports": [{support}]}}"#));
    response.replacen('{', &format!(r#"{{"modelVersion": {model:?}, "#), 1)
}

/// Messages of a Bigdata stream.
pub struct Stream {
    /// A step `t` that found document `A`.
    pub audit: Value,
    pub answer: Value,
    /// A reference to document `A`, found by step `t`.
    pub reference: Value,
    /// A reference to document `A` that names no step.
    pub unnamed: Value,
    pub end: Value,
}

impl Stream {
    pub fn new() -> Self {
        let found = json!({"type": "CQS", "values": [{"id": "A", "hd": "Report"}]});
        let source = json!({"id": "A", "hd": "Report"});
        Self {
            audit: json!({"type": "AUDIT", "audit_traces": [{"tool_id": "t", "results": [found]}]}),
            answer: json!({"type": "ANSWER", "content": "The margin rose to 31 percent ."}),
            reference: Self::reference("t", 30),
            unnamed: json!({"type": "GROUNDING", "references": [{"start": 0, "end": 30, "source": source}]}),
            end: json!({"type": "COMPLETE"}),
        }
    }

    /// A reference from the beginning of the answer to document `A`.
    pub fn reference(audit: &str, end: usize) -> Value {
        let source = json!({"id": "A", "hd": "Report"});
        json!({"type": "GROUNDING",
            "references": [{"start": 0, "end": end, "audit_id": audit, "source": source}]})
    }

    /// The messages as server-sent events.
    pub fn of(messages: &[&Value]) -> String {
        messages
            .iter()
            .map(|message| format!("data: {}\n\n", json!({"chat_id": "c", "message": message})))
            .collect()
    }
}

/// A stream that lacks nothing.
pub fn complete() -> String {
    let Stream { audit, answer, reference, end, .. } = Stream::new();
    Stream::of(&[&audit, &answer, &reference, &end])
}
