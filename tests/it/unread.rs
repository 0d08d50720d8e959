//! What no rule reads is let go of where nothing but findings is asked for: they are the same without it.

use citescope::cli::SAMPLES;
use citescope::session::{Session, Supplied};

use crate::common::library::recordings;

/// What is found in a text, response by response.
fn found(name: &str, bytes: Vec<u8>, findings_only: bool) -> Vec<String> {
    let session = Session::from_bytes(name, bytes).with(Supplied { findings_only, ..Supplied::default() });
    let reviews = (0..session.len()).filter_map(|record| session.decode(record).ok());
    let reviews: Vec<_> = reviews.flat_map(|reviews| reviews.iter().cloned().collect::<Vec<_>>()).collect();
    let mut results =
        reviews.iter().flat_map(|review| &review.response.traces).flat_map(|trace| &trace.results);
    assert!(!findings_only || results.all(|result| result.title.is_none() && result.struct_data.is_none()));
    reviews.iter().map(|review| format!("{:?}", review.findings())).collect()
}

#[test]
fn findings_are_the_same_without_what_no_rule_reads() {
    let mut texts: Vec<(String, Vec<u8>)> =
        SAMPLES.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect();
    for path in recordings().into_iter().flatten() {
        texts.push((path.display().to_string(), std::fs::read(&path).unwrap()));
    }
    let mut findings = 0;
    for (name, bytes) in texts {
        let whole = found(&name, bytes.clone(), false);
        assert_eq!(found(&name, bytes, true), whole, "{name}");
        findings += whole.iter().filter(|found| found.as_str() != "[]").count();
    }
    assert!(findings > 10);
}

/// The address stands in what a tool printed, and in no source.
#[test]
fn an_address_that_a_tool_gave_back_is_known() {
    let message = |printed: &str| {
        serde_json::json!({"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5",
            "content": [
                {"type": "server_tool_use", "id": "u1", "name": "bash_code_execution", "input": {"command": "curl x"}},
                {"type": "bash_code_execution_tool_result", "tool_use_id": "u1", "content": {"type": "bash_code_execution_result",
                    "stdout": printed, "stderr": "", "return_code": 0, "content": []}},
                {"type": "server_tool_use", "id": "u2", "name": "web_search", "input": {"query": "rio"}},
                {"type": "web_search_tool_result", "tool_use_id": "u2", "content": [{"type": "web_search_result",
                    "url": "https://rio.example/hours", "title": "Rio", "encrypted_content": "abc"}]},
                {"type": "text", "text": "Rio opens at nine. See https://cafe.example/prices for more.", "citations": [
                    {"type": "web_search_result_location", "url": "https://rio.example/hours", "title": "Rio",
                     "encrypted_index": "abc", "cited_text": "Rio opens at nine."}]}],
            "stop_reason": "end_turn", "usage": {"input_tokens": 1, "output_tokens": 1}})
        .to_string()
        .into_bytes()
    };
    let foreign = |printed: &str, findings_only: bool| {
        found("a.json", message(printed), findings_only).iter().any(|found| found.contains("address-foreign"))
    };
    for findings_only in [false, true] {
        assert!(!foreign("see https://cafe.example/prices for more", findings_only));
        assert!(foreign("see nothing", findings_only));
    }
}
