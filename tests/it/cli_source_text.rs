//! `--source-text`: text that the user has of web pages, compared like text that was sent.

use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common::program;

const SEARCH: &str = "samples/gemini-search.json";
const FERRIES: &str = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/AUZIYQ6gkm151oRNtT7EjkMpov-AiyHhZ4tyNpmHlI5dx4l2j0sdssxQDrH4fSNo0R";
const TIMES: &str = "Timetable. The harbour ferry runs every 20–25 minutes until 22:15.";

/// Runs the program with texts for sources; code, output, errors.
fn run(args: &[&str], texts: &Path) -> (i32, String, String) {
    let texts = ["--source-text".as_ref(), texts.as_os_str()];
    program::texts(program::output(args.iter().map(AsRef::as_ref).chain(texts), ""))
}

/// A file of lines.
fn file(lines: &[Value]) -> (TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("texts.jsonl");
    std::fs::write(&path, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    (folder, path)
}

fn exported(texts: &Path) -> (Value, String) {
    let (code, out, errors) = run(&["export", "--to", "json", SEARCH], texts);
    assert_eq!(code, 0, "{errors}");
    (serde_json::from_str::<Value>(&out).unwrap()["responses"][0].take(), errors)
}

#[test]
fn a_page_without_text_is_unchecked_until_its_text_is_given() {
    let (_folder, none) = file(&[]);
    let (response, _) = exported(&none);
    let evidence = &response["supports"][1]["evidence"];
    assert_eq!((&evidence["outcome"], &evidence["why"]), (&json!("unchecked"), &json!("no chunk text")));

    let (_folder, texts) = file(&[json!({"uri": FERRIES, "text": TIMES, "title": "passed over"})]);
    let (response, errors) = exported(&texts);
    let evidence = &response["supports"][1]["evidence"];
    assert_eq!(
        (&evidence["outcome"], &evidence["cover"], &errors),
        (&json!("found"), &json!(1.0), &String::new())
    );
    assert_eq!(evidence["windows"], json!([{"source": 1, "chunk": 0, "start": 11, "end": 68, "cover": 1.0}]));
    let chunk = json!({"text": TIMES, "page": null, "score": null, "name": null, "label": "text given with \
        --source-text"});
    assert_eq!(response["sources"][1]["chunks"], json!([chunk]));
    assert_eq!(response["sources"][0]["chunks"], json!([]));
}

#[test]
fn a_source_is_also_named_by_record_and_index() {
    let (_folder, texts) =
        file(&[json!({"record": 0, "index": 3, "text": "The fish market is closed on Mondays."})]);
    let (response, _) = exported(&texts);
    assert_eq!(response["supports"][3]["evidence"]["windows"][0]["source"], 3);
}

#[test]
fn the_plain_view_says_which_sources_have_text_that_was_given() {
    let (_folder, texts) = file(&[json!({"uri": FERRIES, "text": TIMES})]);
    let (code, out, _) = run(&[SEARCH], &texts);
    assert_eq!(code, 0);
    assert!(out.contains("\ntext given with --source-text: [2]\n"), "{out}");
}

#[test]
fn texts_that_match_nothing_are_counted() {
    let (_folder, texts) = file(&[
        json!({"uri": "https://nobody.example/", "text": "x"}),
        json!({"record": 5, "index": 0, "text": "x"}),
        json!({"uri": FERRIES, "text": TIMES}),
    ]);
    let told = format!(
        "citescope: {}: 2 of 3 texts match no source of the responses that were opened\n",
        texts.display()
    );
    assert_eq!(exported(&texts).1, told);
    assert_eq!(run(&[SEARCH], &texts).2, told);
}

#[test]
fn a_line_that_cannot_be_used_says_where_and_what_to_do() {
    let lines = r#"; a line is {"uri": "https://…", "text": "…"} or {"record": 0, "index": 0, "text": "…"}"#;
    for (line, place, what) in [
        ("{\"uri\": \"ä\"}", "3:12", "missing field `text`"),
        ("[1]", "3:1", "this is no object"),
        ("{\"text\": \"x\"}", "3:1", "which source? `uri`, or `record` and `index`, are missing"),
        ("{\"record\": 1, \"text\": \"x\"}", "3:1", "`record` needs `index`, both from 0"),
        (
            "{\"record\": -1, \"index\": 0, \"text\": \"x\"}",
            "3:13",
            "invalid value: integer `-1`, expected usize",
        ),
        ("{\"uri\": ", "3:8", "not JSON: EOF while parsing a value"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("texts.jsonl");
        std::fs::write(&path, format!("{{\"uri\": \"a\", \"text\": \"b\"}}\n\n{line}\n")).unwrap();
        let (code, out, errors) = run(&["export", "--to", "json", SEARCH], &path);
        assert_eq!((code, out.as_str()), (2, ""));
        assert_eq!(errors, format!("citescope: {}:{place}: {what}{lines}\n", path.display()));
    }
    let (code, _, errors) = run(&[SEARCH], Path::new("none.jsonl"));
    assert_eq!((code, errors.as_str()), (2, "citescope: none.jsonl: no such file; check the path\n"));
}

#[test]
fn check_compares_with_the_texts_that_were_given() {
    let (_folder, texts) = file(&[
        json!({"uri": FERRIES, "text": "The harbour ferry runs every 20–25 minutes until 21:15."}),
        json!({"uri": "x", "text": "x"}),
    ]);
    let (code, out, errors) =
        run(&["check", "--format", "jsonl", "--fail-on", "number-missing", SEARCH], &texts);
    let response: Value = serde_json::from_str(&out).unwrap();
    let findings: Vec<&str> = response["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| finding["rule"].as_str().unwrap())
        .collect();
    assert!(findings.contains(&"number-missing"), "{findings:?}");
    assert_eq!(code, 1);
    assert!(errors.ends_with("1 of 2 texts match no source of the responses that were opened\n"), "{errors}");
}

#[test]
fn texts_of_one_address_that_very_many_sources_have_are_refused() {
    let source = json!({"web": {"uri": "https://a.example/", "title": "a"}});
    let response = json!({"candidates": [{"content": {"parts": [{"text": "Words."}]},
        "groundingMetadata": {"groundingChunks": vec![source; 1000]}}]});
    let line = json!({"uri": "https://a.example/", "text": "The harbour ferry runs."});
    let (folder, texts) = file(&vec![line; 1000]);
    let input = folder.path().join("f.json");
    std::fs::write(&input, response.to_string()).unwrap();
    let (code, _, errors) = run(&["check", input.to_str().unwrap()], &texts);
    assert_eq!(code, 2, "{errors}");
    let said = "f.json:1:1: the texts that are given for its sources take more than 50 MB";
    assert!(errors.contains(said) && errors.contains("`--no-limits`"), "{errors}");
}
