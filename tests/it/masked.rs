//! Credentials where names are expected: ids, models, states, dates, queries that are the name of a source.

use serde_json::{Value, json};

use crate::common::program::{output, texts};

/// What the program says of an input in several ways.
fn said(input: &Value) -> String {
    let ways = [
        &["check"][..],
        &["check", "--format", "jsonl"],
        &["export", "--to", "json"],
        &["export", "--to", "html"],
        &["export", "--to", "markdown"],
    ];
    ways.iter().map(|arguments| texts(output(arguments.iter().copied(), input.to_string())).1).collect()
}

#[test]
fn a_credential_in_a_name_is_masked() {
    let sql = |query: &str| {
        json!({"output": {"text": "Rio opens at nine."}, "citations": [{
            "generatedResponsePart": {"textResponsePart": {"text": "Rio opens at nine.", "span": {"start": 0, "end": 17}}},
            "retrievedReferences": [{"content": {"text": "Rio opens at nine."}, "location": {"type": "SQL", "sqlLocation": {"query": query}}}]}]})
    };
    let gemini = |key: &str, value: &str| {
        let mut response = json!({"candidates": [{"content": {"parts": [{"text": "Rio opens at nine."}]}, "finishReason": "STOP"}]});
        response[key] = json!(value);
        response
    };
    let azure = |reason: &str| {
        json!({"object": "chat.completion", "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant",
            "content": "Rio opens at nine [doc1].", "context": {"citations": [{"content": "Rio opens at nine.", "title": "Rio"}],
            "all_retrieved_documents": [{"content": "Lima.", "title": "Lima", "search_queries": ["rio"], "filter_reason": reason}]}}}]})
    };
    for input in [
        sql("SELECT 1; -- password=Zq8Wv3Nt6Ym1Lr5Kc9"),
        sql("ALTER USER u IDENTIFIED BY 'Zq8Wv3Nt6Ym1Lr5Kc9'"),
        gemini("modelVersion", "m access_token=Zq8Wv3Nt6Ym1Lr5Kc9"),
        gemini("responseId", "{\"apiKey\": \"Zq8Wv3Nt6Ym1Lr5Kc9\"}"),
        gemini("createTime", "Bearer Zq8Wv3Nt6Ym1Lr5Kc9"),
        azure("see {\"accessToken\": \"Zq8Wv3Nt6Ym1Lr5Kc9\"} "),
    ] {
        let said = said(&input);
        assert!(!said.contains("Zq8Wv3Nt6"), "{input}\n{said}");
    }
    let own = "SELECT name FROM tokens WHERE kind = 'resp_68c1f2a09b7d4e21'";
    assert!(said(&sql(own)).contains("resp_68c1f2a09b7d4e21"), "a query without a credential is left alone");
}
