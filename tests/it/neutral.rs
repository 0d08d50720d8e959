//! citescope opens its own form again without loss: an export of an opened export is the same export.

use std::fs;

use citescope::cli::SAMPLES;
use serde_json::Value;

use crate::common::library::{export, open, read, recordings, sample};

/// Responses without what speaks of the file at hand: its name and record, and the places and edits of
/// findings in it.
fn responses(document: &str) -> Vec<Value> {
    let mut list = serde_json::from_str::<Value>(document).unwrap()["responses"].take();
    for response in list.as_array_mut().unwrap() {
        for key in ["file", "record", "first_read"] {
            assert!(response.as_object_mut().unwrap().shift_remove(key).is_some(), "{key}");
        }
        for finding in response["findings"].as_array_mut().unwrap() {
            for key in ["path", "line", "column", "fix"] {
                assert!(finding.as_object_mut().unwrap().shift_remove(key).is_some(), "{key}");
            }
        }
    }
    list.as_array().unwrap().clone()
}

fn same(name: &str, before: &[Value], after: &[Value]) {
    assert_eq!(before.len(), after.len(), "{name}");
    for (before, after) in before.iter().zip(after) {
        for (key, value) in before.as_object().unwrap() {
            assert_eq!(value, &after[key], "{name}: {key}");
        }
        // Also in the order of keys.
        let text = |value: &Value| serde_json::to_string(value).unwrap();
        assert!(text(before) == text(after), "{name}");
    }
}

fn comes_back(name: &str, bytes: Vec<u8>) {
    for show_secrets in [false, true] {
        let (document, lines) = export(open(name, bytes.clone()), show_secrets);
        let (again, lines_again) = export(open("again.json", document.clone().into_bytes()), show_secrets);
        same(name, &responses(&document), &responses(&again));
        let (from_lines, _) = export(open("again.jsonl", lines.clone().into_bytes()), show_secrets);
        same(name, &responses(&document), &responses(&from_lines));
        assert_eq!(lines.lines().count(), lines_again.lines().count());
        // From then on nothing changes at all.
        let (third, _) = export(open("again.json", again.into_bytes()), show_secrets);
        let (fourth, _) = export(open("again.json", third.clone().into_bytes()), show_secrets);
        assert!(third == fourth, "{name}");
    }
}

#[test]
fn every_sample_comes_back() {
    for (name, text) in SAMPLES.iter() {
        comes_back(name, text.as_bytes().to_vec());
    }
}

#[test]
fn every_recording_comes_back() {
    let Some(recordings) = recordings() else { return };
    let mut seen = 0;
    for file in recordings {
        let bytes = fs::read(&file).unwrap();
        if open("f", bytes.clone()).is_read() {
            comes_back(&file.to_string_lossy(), bytes);
            seen += 1;
        }
    }
    assert!(seen > 50, "{seen}");
}

#[test]
fn the_sample_is_an_export_of_today() {
    let parts = ["bigdata-workflow.sse", "discovery-skipped.json"]
        .map(|name| export(open(&format!("samples/{name}"), sample(name)), false).1);
    if std::env::var_os("CITESCOPE_UPDATE").is_some() {
        fs::write("samples/neutral.jsonl", parts.concat()).unwrap();
    } else {
        assert_eq!(fs::read_to_string("samples/neutral.jsonl").unwrap(), parts.concat());
    }
}

#[test]
fn what_is_missing_is_absent_and_the_format_and_its_units_stay_those_of_the_first_reading() {
    let least = read(
        r#"{"schema": "citescope/1", "responses": [{}, {"format": "bigdata", "answer": "Żyto .", "documented": {"unit": "characters", "proof": "slots"}, "supports": [{"sent": {"start": 0, "end": 5}, "origin": "reference", "citations": [{"source": 0}]}], "sources": [{"kind": "web", "uri": "https://a.example"}]}]}"#,
    );
    assert_eq!(
        (&least[0]["format"], &least[0]["answer"], &least[0]["role"]),
        (&"citescope".into(), &Value::Null, &"model".into())
    );
    assert_eq!(least[0]["first_read"], Value::Null);
    let support = &least[1]["supports"][0];
    assert_eq!(
        (&least[1]["format"], &support["start"], &support["end"]),
        (&"bigdata".into(), &0.into(), &6.into())
    );
    assert_eq!(least[1]["fit"]["proof"], "slots");
    assert_eq!(support["citations"][0]["kind"], "source");
}

#[test]
fn indices_that_lead_nowhere_and_words_of_no_kind_are_told_and_do_no_harm() {
    let hostile = r#"{"schema": "citescope/1", "format": "later", "state": "done", "answer": "aé",
        "parts": [{"kind": "text", "start": 0, "end": 2}, {"kind": "text", "start": 3, "end": 1}, {"kind": "thought", "trace": 9}, {"kind": "x"}],
        "supports": [{"origin": "nowhere", "placed": [0, 2], "sent": {"start": -9223372036854775808, "end": 9223372036854775807, "part": 1}, "citations": [
            {"kind": "tool", "source": 5}, {"kind": "source", "source": -1}, {"kind": "dangling", "sent_index": "+7", "trace_index": 99}, {"kind": "dangling", "sent_index": 7}]}],
        "queries": [{"text": "q", "origin": "y", "trace_index": 4}],
        "traces": [{"query_indices": [0, 3], "results": [{"source": 8}]}],
        "remarks": [{"kind": "z"}], "extra": [1], "new": {"a": 1}}"#;
    let [response] = read(hostile).try_into().unwrap();
    let kinds: Vec<&Value> = response["parts"].as_array().unwrap().iter().map(|part| &part["kind"]).collect();
    assert_eq!(kinds, ["other", "other", "other", "other"]);
    assert_eq!((&response["format"], &response["state"]), (&"citescope".into(), &"complete".into()));
    assert_eq!(response["traces"][0]["query_indices"], serde_json::json!([0]));
    let sent: Vec<&Value> = response["supports"][0]["citations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|citation| &citation["sent_index"])
        .collect();
    assert_eq!(sent, [&Value::from(5), &(-1).into(), &"+7".into(), &7.into()]);
    let told: String = response["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| finding["message"].to_string() + "\n")
        .collect();
    for words in [
        r#"format \"later\""#,
        r#"state \"done\""#,
        r#"origin of a support \"nowhere\""#,
        "placed 0..2 leads nowhere",
        "trace_index 4 leads nowhere",
        "a list where an object",
    ] {
        assert!(told.contains(words), "{words}: {told}");
    }
    assert_eq!(response["extra"]["$.new"], serde_json::json!({"a": 1}));
}

#[test]
fn credentials_stay_masked_whoever_opens_the_form_and_however_it_was_written() {
    let input =
        r#"{"candidates": [{"content": {"parts": [{"text": "x"}]}, "auth_config": {"key": "S3CRET"}}]}"#;
    let masked = export(open("f", input), false).0;
    assert!(!masked.contains("S3CRET"));
    let (again, _) = export(open("f", masked.into_bytes()), true);
    assert!(again.contains("•••• (masked, --show-secrets shows it)"));
    let bare = export(open("f", input), true).0;
    assert!(bare.contains("S3CRET"));
    assert!(!export(open("f", bare.clone().into_bytes()), false).0.contains("S3CRET"));
    assert!(!citescope::format::secrets::mask_json(&bare, false).contains("S3CRET"));
}

#[test]
fn other_output_of_citescope_is_refused_by_name() {
    let collection = open("f", r#"{"schema": "citescope-check/1", "files": [], "summary": {}}"#);
    let error = collection.decode(0).err().unwrap().to_string();
    assert!(error.contains("this looks like output of citescope other than schema citescope/1"), "{error}");
}

#[test]
fn what_was_mended_is_known_again_also_where_a_document_of_0_1_0_has_only_the_sentence() {
    let cut = r#"{"candidates": [{"content": {"parts": [{"text": "Half an ans"#;
    let (document, _) = export(open("f", cut), false);
    let of = |response: &Value| {
        response["remarks"]
            .as_array()
            .unwrap()
            .iter()
            .find(|remark| remark["kind"] == "mended")
            .cloned()
            .unwrap()
    };
    let [before] = responses(&document).try_into().unwrap();
    assert_eq!(of(&before)["notice"], "cut-in-value");
    let rules = |response: &Value| -> Vec<String> {
        response["findings"].as_array().unwrap().iter().map(|finding| finding["rule"].to_string()).collect()
    };
    // What ends in the middle is reported once, as a truncated stream.
    assert!(
        rules(&before).contains(&"\"stream-truncated\"".to_owned())
            && !rules(&before).contains(&"\"input-mended\"".to_owned())
    );
    let mut old: Value = serde_json::from_str(&document).unwrap();
    for remark in old["responses"][0]["remarks"].as_array_mut().unwrap() {
        remark.as_object_mut().unwrap().shift_remove("notice");
    }
    for text in [document, old.to_string()] {
        let [again] = read(&text).try_into().unwrap();
        assert_eq!((rules(&again), of(&again)), (rules(&before), of(&before)));
    }
}
