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
