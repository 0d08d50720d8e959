//! Machine output as scripts have it: the JSON document and its lines, opened again, checked against its schema.

use assert_cmd::Command;
use serde_json::Value;

/// Runs the program on standard input; code, output, errors.
fn run(args: &[&str], input: &str) -> (i32, String, String) {
    let output = Command::cargo_bin("citescope").unwrap().args(args).write_stdin(input).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn export(input: &str) -> Value {
    serde_json::from_str(&run(&["export", "--to", "json"], input).1).unwrap()
}

#[test]
fn credentials_in_fields_that_nothing_names_are_masked_too() {
    let input = r#"{"candidates": [{"content": {"parts": [{"text": "x"}]}, "auth_config": {"apiKey": "S3CRET", "n": null}}], "new": {"authConfig": "S3CRET"}}"#;
    let (code, out, _) = run(&["export", "--to", "json"], input);
    assert_eq!((code, out.contains("S3CRET")), (0, false), "{out}");
    let extra = &export(input)["responses"][0]["extra"];
    assert_eq!(extra["$.candidates[0].auth_config"]["apiKey"], "•••• (masked, --show-secrets shows it)");
    assert_eq!(extra["$.candidates[0].auth_config"]["n"], Value::Null);
    assert!(run(&["export", "--to", "jsonl", "--show-secrets"], input).1.contains("S3CRET"));
}

#[test]
fn numbers_are_written_as_sent_and_strings_whatever_they_hold() {
    let controls: String = (0..=0x9f).filter_map(char::from_u32).chain("\u{200b}\u{202e}\u{2028}\u{feff}".chars()).collect();
    let text = Value::from(controls.as_str());
    let input = format!(
        r#"{{"candidates": [{{"content": {{"parts": [{{"text": {text}}}]}}, "new": [9007199254740993, -9223372036854775808, 18446744073709551615, 0.1, 1e300, 1.0]}}], "half": "\ud83d!"}}"#
    );
    let (code, out, _) = run(&["export", "--to", "jsonl"], &input);
    assert_eq!(code, 0);
    assert!(out.contains("[9007199254740993,-9223372036854775808,18446744073709551615,0.1,1e+300,1.0]"), "{out}");
    let steers = |c: char| c != '\n' && (c.is_control() || matches!(c, '\u{200b}' | '\u{202e}' | '\u{feff}'));
    assert!(!out.contains(steers), "{out:?}");
    let response: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(response["answer"], controls.as_str());
    assert_eq!(response["extra"]["$.half"], "\u{fffd}!");
    // Opened again and written again it is the same line but for where it was read.
    let (_, again, _) = run(&["export", "--to", "jsonl"], &out);
    let at = |line: &str| line.find(r#""item":"#).unwrap();
    let findings = |line: &str| line.find(r#""findings":"#).unwrap();
    assert_eq!(out[at(&out)..findings(&out)], again[at(&again)..findings(&again)]);
}

#[test]
fn an_export_can_be_piped_into_the_program_again() {
    let (_, document, _) = run(&["export", "--to", "json", "samples/gemini-batch.jsonl"], "");
    let text = |args: &[&str], input: &str| run(args, input).1;
    let before = text(&["export", "--to", "footnotes", "--response", "4.2", "samples/gemini-batch.jsonl"], "");
    // Five responses of four records are now those of one document.
    assert_eq!(text(&["export", "--to", "footnotes", "--response", "1.5"], &document), before);
    let (_, lines, _) = run(&["export", "--to", "jsonl", "samples/gemini-batch.jsonl"], "");
    assert_eq!(text(&["export", "--to", "footnotes", "--response", "5"], &lines), before);
    let again: Value = serde_json::from_str(&text(&["export", "--to", "json", "-"], &document)).unwrap();
    let first = &again["responses"][4];
    assert_eq!((&first["file"], &first["record"], &first["item"]), (&"stdin".into(), &0.into(), &1.into()));
    assert_eq!(first["first_read"], serde_json::json!({"file": "samples/gemini-batch.jsonl", "record": 3}));
    assert_eq!(first["format"], "gemini");
}

#[test]
fn no_response_is_an_empty_list() {
    let (code, out, _) = run(&["export", "--to", "json", "--response", "9", "samples/gemini-search.json"], "");
    assert_eq!((code, out.as_str()), (0, "{\n  \"schema\": \"citescope/1\",\n  \"responses\": []\n}\n"));
}
