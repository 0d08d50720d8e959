//! Each rule fires where it should; near misses stand with their causes. The examples of the explanations are
//! tests too.

mod explained;

use std::collections::HashSet;

use super::testing::{CHUNK, gemini, ids, reported, whole};
use super::{Finding, RULES, causes, settled};
use crate::model::Origin;

#[test]
fn ids_are_unique() {
    let ids: HashSet<&str> = RULES.iter().map(|rule| rule.id).collect();
    assert_eq!(ids.len(), RULES.len());
}

#[test]
fn a_finding_that_another_ones_cause_explains_is_not_reported() {
    use causes::quote::{QUOTE_ELIDED, QUOTE_GONE};
    use causes::text_other_event::TEXT_OTHER_EVENT;
    let found = |rules: &[&'static super::Rule]| {
        let findings = rules.iter().map(|rule| Finding::new(rule, &Origin::default(), "")).collect();
        settled(findings).iter().map(|finding| finding.rule.id).collect::<Vec<_>>()
    };
    assert_eq!(found(&[&QUOTE_ELIDED, &QUOTE_GONE]), ["quote-gone", "quote-elided"]);
    assert_eq!(found(&[&QUOTE_GONE, &QUOTE_ELIDED, &TEXT_OTHER_EVENT]), ["text-other-event", "quote-elided"]);
}

#[test]
fn a_response_that_holds_together_has_no_finding() {
    let good = format!(
        r#"{{{CHUNK}, "groundingSupports": [{{"segment": {{"endIndex": 4, "text": "Fine"}}, "groundingChunkIndices": [0], "confidenceScores": [0.9]}}]}}"#
    );
    assert_eq!(reported(&gemini("Fine.", &good)), [""; 0]);
}

#[test]
fn each_cause_is_reported_once() {
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
            "source-index 1 support cites indices 3, -1 (counted from 0): the response has 1 source",
        ),
    ];
    for (metadata, expected) in cases {
        assert_eq!(reported(&gemini("Fine day..", &metadata)), [expected], "{metadata}");
    }
}

#[test]
fn no_metadata_empty_metadata_and_unattributed_searches_differ() {
    assert_eq!(
        reported(r#"{"candidates": [{"content": {"parts": [{"text": "Hi"}]}}]}"#),
        ["ungrounded no grounding metadata: the model answered without search"]
    );
    assert_eq!(reported(&gemini("Hi", "{}")), [""; 0]);
    assert_eq!(
        reported(&gemini("Hi", r#"{"webSearchQueries": ["a", "b"]}"#)),
        ["searched-unattributed 2 searches ran, but neither chunks nor supports came back"]
    );
}

#[test]
fn each_rule_fires_where_it_should() {
    let chunks = |rest: &str| {
        gemini(
            "Fine day…",
            &format!(
                r#"{{"groundingChunks": [{rest}], "groundingSupports": [{{"segment": {{"endIndex": 4, "text": "Fine"}}, "groundingChunkIndices": [0]}}]}}"#
            ),
        )
    };
    let support = |support: &str| gemini("Fine day…", &format!(r#"{{{CHUNK}, "groundingSupports": [{support}]}}"#));
    let event = |rest: &str| {
        format!(
            r#"{{"author": "a", "invocationId": "i", "timestamp": 1, "content": {{"parts": [{{"text": "Hi"}}]}}, "groundingMetadata": {{}}{rest}}}"#
        )
    };
    let bigdata = |message: &str| {
        format!(
            "data: {{\"chat_id\": \"c\", \"message\": {message}}}\ndata: {{\"chat_id\": \"c\", \"message\": {{\"type\": \"COMPLETE\"}}}}\n"
        )
    };
    let cases = [
        ("source-address", chunks(r#"{"web": {"uri": "ftp://x", "title": "t"}}"#)),
        ("source-empty", chunks("{}")),
        ("source-kind", chunks(r#"{"video": {"uri": "https://x.example"}}"#)),
        ("source-kind", chunks(r#"{"web": {"uri": "https://x.example"}, "maps": {"title": "t"}}"#)),
        (
            "source-redirect",
            chunks(r#"{"web": {"uri": "https://vertexaisearch.cloud.google.com/grounding-api-redirect/x", "title": "t"}}"#),
        ),
        ("score-count", support(r#"{"segment": {"endIndex": 4}, "groundingChunkIndices": [0], "confidenceScores": [0.5, 0.6]}"#)),
        ("score-range", support(r#"{"segment": {"endIndex": 4}, "groundingChunkIndices": [0], "confidenceScores": [1.5]}"#)),
        ("segment-empty", support(r#"{"segment": {"startIndex": 4, "endIndex": 4}, "groundingChunkIndices": [0]}"#)),
        ("offset-split", support(r#"{"segment": {"startIndex": 0, "endIndex": 9}, "groundingChunkIndices": [0]}"#)),
        ("query-idle", gemini("Hi", &format!(r#"{{{CHUNK}, "webSearchQueries": ["q"]}}"#))),
        ("entry-point-broken", gemini("Hi", r#"{"searchEntryPoint": {"sdkBlob": "%%"}}"#)),
        (
            "flag-orphan",
            gemini(
                "Hi",
                r#"{"sourceFlaggingUris": [{"sourceId": "p", "flagContentUri": "https://f.example"}], "webSearchQueries": ["q"]}"#,
            ),
        ),
        ("answer-failed", event(r#", "errorCode": "500", "errorMessage": "no""#)),
        ("answer-unfinished", event(r#", "turnComplete": false"#)),
        ("field-missing", event("").replace(r#""timestamp": 1, "#, "")),
        ("answer-blocked", r#"{"candidates": [], "promptFeedback": {"blockReason": "SAFETY"}}"#.to_owned()),
        (
            "check-contradiction",
            r#"{"answerText": "Hi", "groundingSupports": [{"endIndex": "2", "groundingScore": 0.5, "groundingCheckRequired": false}]}"#
                .to_owned(),
        ),
        ("answer-skipped", r#"{"answerText": "", "answerSkippedReasons": ["NO_RELEVANT_CONTENT"]}"#.to_owned()),
        ("time-order", r#"{"answerText": "Hi", "createTime": "2026-01-02T00:00:00Z", "completeTime": "2026-01-01T00:00:00Z"}"#.to_owned()),
        ("step-failed", r#"{"answerText": "Hi", "steps": [{"state": "FAILED"}]}"#.to_owned()),
        ("stream-error", bigdata(r#"{"type": "ERROR", "error": "gone"}"#)),
        ("stream-retry", bigdata(r#"{"type": "LLM_RETRY", "message": "again"}"#)),
        (
            "trace-missing",
            bigdata(r#"{"type": "GROUNDING", "references": [{"start": 0, "end": 1, "audit_id": "x", "source": {"id": "A"}}]}"#),
        ),
        ("fragment", r#"{"groundingSupports": [{"segment": {"endIndex": 4, "text": "Fine"}}]}"#.to_owned()),
    ];
    for (rule, text) in cases {
        assert!(ids(&text).contains(&rule), "{rule} is silent on {text}: {:?}", ids(&text));
    }
}

/// A rule that is not linear in the length of the text would not come back from these.
#[test]
fn hostile_texts_come_back() {
    let pieces = [
        "` `` ",
        "``` a ```` b ",
        "[",
        "[cite: 1, 2",
        "【1",
        "http://",
        "http://a.b/(((((",
        "http://a.b/)))))",
        "Ã©",
        "\u{1b}",
        " .",
        "a.B",
        "橋。",
        "\n#",
    ];
    for piece in pieces {
        let ids = ids(&whole(&piece.repeat(100_000 / piece.len())));
        assert!(ids.len() < 5, "one finding a cause, however often it occurs: {ids:?}");
    }
}
