use crate::input::from_bytes;
use crate::pipeline::Collection;

/// Rules that fire on a response, worst first, with their messages.
fn told(text: &str) -> Vec<String> {
    let collection = Collection::open(vec![from_bytes("f", text.as_bytes().to_vec())]);
    let analysed = collection.analyse(0).unwrap();
    analysed.findings(0).iter().map(|finding| format!("{} {}", finding.rule.id, finding.message)).collect()
}

fn gemini(answer: &str, metadata: &str) -> String {
    format!(
        r#"{{"candidates": [{{"content": {{"parts": [{{"text": {answer:?}}}]}}, "finishReason": "STOP", "groundingMetadata": {metadata}}}]}}"#
    )
}

const CHUNK: &str = r#""groundingChunks": [{"web": {"uri": "https://example.com/a", "title": "example.com"}}]"#;

#[test]
fn a_response_that_holds_together_has_no_finding() {
    let good = format!(
        r#"{{{CHUNK}, "groundingSupports": [{{"segment": {{"endIndex": 4, "text": "Fine"}}, "groundingChunkIndices": [0], "confidenceScores": [0.9]}}]}}"#
    );
    assert_eq!(told(&gemini("Fine.", &good)), [""; 0]);
}

#[test]
fn each_cause_is_told_once() {
    let support = |segment: &str, indices: &str| {
        format!(r#"{{{CHUNK}, "groundingSupports": [{{"segment": {segment}, "groundingChunkIndices": {indices}}}]}}"#)
    };
    let cases = [
        (
            support(r#"{"startIndex": 1, "endIndex": 5, "text": "Fine"}"#, "[0]"),
            "offset-shift all offsets are off by +1 bytes (1 of 1 fit so, 0 as documented)",
        ),
        (
            support(r#"{"endIndex": 4, "text": "Nope"}"#, "[0]"),
            "quote-gone support 1 has a quote that is nowhere in the answer (sent 0..4, answer 0..10)",
        ),
        (
            support(r#"{"startIndex": 2, "endIndex": 90}"#, "[0]"),
            "offset-range support 1 lies outside the answer (sent 2..90, shown 2..10, answer 0..10)",
        ),
        (support("null", "[0]"), "segment-missing support 1 names no segment"),
        (
            support(r#"{"endIndex": 4, "text": "Fine"}"#, "[0, 3, -1]"),
            "source-index 1 support cites indices 3, -1: the response has 1 source",
        ),
    ];
    for (metadata, expected) in cases {
        assert_eq!(told(&gemini("Fine day..", &metadata)), [expected], "{metadata}");
    }
}

#[test]
fn no_metadata_empty_metadata_and_unattributed_searches_differ() {
    assert_eq!(
        told(r#"{"candidates": [{"content": {"parts": [{"text": "Hi"}]}}]}"#),
        ["ungrounded no grounding metadata: the model answered without search"]
    );
    assert_eq!(told(&gemini("Hi", "{}")), [""; 0]);
    assert_eq!(
        told(&gemini("Hi", r#"{"webSearchQueries": ["a", "b"]}"#)),
        ["searched-unattributed 2 searches ran, but neither chunks nor supports came back"]
    );
}
