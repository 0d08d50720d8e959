//! `citescope check`: what people read, what machines read, and the exit status.

use std::fs;
use std::process::Output;

use crate::common::library::corpus;
use crate::common::program::{command, json, output, text};
use crate::common::schema::Validator;
use citescope::cli::SAMPLES;

fn check(args: &[&str], input: &str) -> Output {
    output([&["check"], args].concat(), input)
}

/// A response of one line with one chunk, the answer "Äpfel sind gut. Öl auch." and these supports.
fn response(supports: &str) -> String {
    format!(
        r#"{{"candidates":[{{"content":{{"parts":[{{"text":"Äpfel sind gut. Öl auch."}}]}},"finishReason":"STOP","groundingMetadata":{{"groundingChunks":[{{"web":{{"uri":"https://a.example","title":"a"}}}}],"groundingSupports":[{supports}]}}}}]}}"#
    )
}

const GOOD: &str = r#"{"segment":{"endIndex":16,"text":"Äpfel sind gut."},"groundingChunkIndices":[0]},{"segment":{"startIndex":17,"endIndex":26,"text":"Öl auch."},"groundingChunkIndices":[0]}"#;
const CHARACTERS: &str = r#"{"segment":{"endIndex":15,"text":"Äpfel sind gut."},"groundingChunkIndices":[0]},{"segment":{"startIndex":16,"endIndex":24,"text":"Öl auch."},"groundingChunkIndices":[0]}"#;
const DANGLING: &str = r#"{"segment":{"endIndex":26},"groundingChunkIndices":[0, 7]}"#;

#[test]
fn a_finding_reads_like_that_of_a_compiler() {
    let out = check(&["--color", "never"], &response(CHARACTERS));
    assert_eq!(
        text(&out.stdout),
        "error[offset-unit]: offsets count characters, not bytes (2 of 2 fit as characters, 2 as UTF-16 \
         units, 0 as UTF-8 bytes)
  --> stdin:1:207  $.candidates[0].groundingMetadata.groundingSupports[0]
   | Äpfel sind gut. Öl auch.
   | ^^^^^^^^^^^^^^^ support 1: its quote
   | ~~~~~~~~~~~~~~ support 1: what stands at (not sent)..15, in bytes
   |                 ^^^^^^^^ support 2: its quote
   |                ~~~~~~~ support 2: what stands at 16..24, in bytes
   |
   = help: convert them, or tell the producer: the spans are shown where they fit
   = fix: support 1 endIndex 15 -> 16, support 2 startIndex 16 -> 17 and 1 more; `citescope fix` writes them

1 error in 1 of 1 response
"
    );
    assert_eq!(out.status.code(), Some(1));
    let out = check(&[], &response(GOOD));
    assert_eq!((text(&out.stdout), out.status.code()), ("no findings in 1 response\n", Some(0)));
}

#[test]
fn severities_and_names_decide_the_exit_status() {
    let cases: [(&[&str], &str, i32); 9] = [
        (&[], DANGLING, 1),
        (&["--fail-on", "never"], DANGLING, 0),
        (&["--ignore", "source-index"], DANGLING, 0),
        (&["--fail-on", "offset-unit,offset-range"], DANGLING, 0),
        (&["--fail-on", "source-index"], DANGLING, 1),
        (&["--fail-on", "note"], GOOD, 0),
        (&["--fail-on", "note"], r#"{"segment":null,"groundingChunkIndices":[0]}"#, 1),
        (&["--fail-on", "warning"], r#"{"segment":null,"groundingChunkIndices":[0]}"#, 0),
        (&["--fail-on", "no-such-rule"], GOOD, 2),
    ];
    for (args, supports, code) in cases {
        let out = check(args, &response(supports));
        assert_eq!(out.status.code(), Some(code), "{args:?} {}", text(&out.stderr));
    }
}

#[test]
fn rules_on_content_fail_a_run_only_by_name() {
    let wrong_year = format!(
        r#"{{"candidates":[{{"content":{{"parts":[{{"text":"{claim}"}}]}},"groundingMetadata":{{"groundingChunks":[{{"retrievedContext":{{"uri":"https://a.example","title":"a","text":"The lighthouse of Skerry was built in 1846 by Ada Holm."}}}}],"groundingSupports":[{{"segment":{{"endIndex":55,"text":"{claim}"}},"groundingChunkIndices":[0]}}]}}}}]}}"#,
        claim = "The lighthouse of Skerry was built in 1937 by Ada Holm."
    );
    let told = |args: &[&str]| {
        let out = check(args, &wrong_year);
        (text(&out.stdout).contains("[number-missing]"), out.status.code())
    };
    assert_eq!(told(&["--fail-on", "note"]), (true, Some(0)));
    assert_eq!(told(&["--fail-on", "number-missing"]), (true, Some(1)));
    assert_eq!(told(&["--no-content"]), (false, Some(0)));
    assert_eq!(told(&["--no-content", "--fail-on", "number-missing"]), (true, Some(1)));
    // What is left out cannot fail anything.
    assert_eq!(
        told(&["--ignore", "number-missing", "--fail-on", "warning,number-missing"]),
        (false, Some(2))
    );
}

#[test]
fn the_document_groups_responses_by_file_and_keeps_their_order() {
    let folder = tempfile::tempdir().unwrap();
    let name = |file: &str| folder.path().join(file).to_str().unwrap().to_owned();
    fs::write(name("a.json"), response(GOOD)).unwrap();
    fs::write(name("b.jsonl"), format!("{}\nnot json\n{}\n", response(DANGLING), response(GOOD))).unwrap();
    fs::write(name("c.json"), r#"{"name": "somebody else's"}"#).unwrap();
    fs::write(name("d.txt"), "not looked at").unwrap();
    let out = check(&["--format", "json", folder.path().to_str().unwrap(), &name("none.json")], "");
    let document = json(&out.stdout);
    assert_eq!(document["schema"], "citescope-check/1");
    let files: Vec<&str> =
        document["files"].as_array().unwrap().iter().map(|file| file["file"].as_str().unwrap()).collect();
    assert_eq!(files, [name("a.json"), name("b.jsonl"), name("none.json")]);
    let lines = &document["files"][1]["responses"];
    assert_eq!(
        (&lines[0]["record"], &lines[1]["record"], &lines[2]["record"]),
        (&0.into(), &1.into(), &2.into())
    );
    assert_eq!(lines[0]["findings"][0]["rule"], "source-index");
    assert_eq!((&lines[1]["error"]["line"], &lines[1]["error"]["column"]), (&2.into(), &1.into()));
    assert_eq!(document["files"][2]["error"]["message"], "no such file; check the path");
    assert_eq!(
        document["summary"],
        serde_json::json!({"responses": 3, "errors": 1, "warnings": 0, "notes": 0})
    );
    // What could not be read beats what was found.
    assert_eq!(out.status.code(), Some(2));
    let out = check(&[folder.path().to_str().unwrap()], "");
    assert!(
        text(&out.stdout).ends_with(
            "\n1 error in 1 of 3 responses; 1 input could not be read; 1 file without a response skipped\n"
        ),
        "{}",
        text(&out.stdout)
    );
}

#[test]
fn lines_are_written_in_the_order_of_a_long_input() {
    let mut input = String::new();
    for number in 0..3000 {
        let sent = response(if number % 7 == 0 { DANGLING } else { GOOD });
        input.push_str(&sent.replacen('{', &format!(r#"{{"responseId": "r{number}", "#), 1));
        input.push('\n');
    }
    let out = check(&["--format", "jsonl"], &input);
    for (number, line) in text(&out.stdout).lines().enumerate() {
        let line = json(line.as_bytes());
        assert_eq!(
            (line["record"].as_u64(), line["id"].as_str()),
            (Some(number as u64), Some(format!("r{number}").as_str()))
        );
        assert_eq!(line["findings"].as_array().unwrap().len(), usize::from(number % 7 == 0));
        assert_eq!(line["findings"][0]["line"].as_u64(), (number % 7 == 0).then_some(number as u64 + 1));
    }
    assert_eq!(text(&out.stdout).lines().count(), 3000);
}

#[test]
fn findings_carry_their_edits_in_the_spelling_of_the_input() {
    let out = check(
        &["--format", "jsonl"],
        &response(CHARACTERS).replace("startIndex", "start_index").replace("endIndex", "end_index"),
    );
    let finding = &json(&out.stdout)["findings"][0];
    let path = |k: usize, key: &str| {
        format!("$.candidates[0].groundingMetadata.groundingSupports[{k}].segment.{key}")
    };
    assert_eq!(
        finding["fix"],
        serde_json::json!([
            {"path": path(0, "end_index"), "old": "15", "new": "16"},
            {"path": path(1, "start_index"), "old": "16", "new": "17"},
            {"path": path(1, "end_index"), "old": "24", "new": "26"},
        ])
    );
}

#[test]
fn annotations_are_escaped() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("100%,a:b.json");
    fs::write(&file, response(DANGLING)).unwrap();
    let out = check(&["--format", "github", file.to_str().unwrap()], "");
    let expected = format!(
        "::error file={}/100%25%2Ca%3Ab.json,line=1,col=262,title=citescope%3A source-index::1 support cites \
         index 7 (counted from 0): the response has 1 source (",
        folder.path().display()
    );
    assert!(text(&out.stdout).starts_with(&expected), "{}", text(&out.stdout));
}

#[test]
fn bytes_that_are_no_text_cost_their_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.jsonl");
    let mut bytes = format!("{}\n", response(GOOD)).repeat(3_500).into_bytes();
    bytes.extend([0; 9000]);
    bytes.extend(format!("\n{}\n", response(GOOD)).into_bytes());
    fs::write(&file, bytes).unwrap();
    let out = check(&["--format", "json", file.to_str().unwrap()], "");
    let document = json(&out.stdout);
    let file = &document["files"][0];
    let responses = file["responses"].as_array().unwrap();
    let bad: Vec<_> =
        responses.iter().filter(|response| response["findings"] != serde_json::json!([])).collect();
    assert_eq!((responses.len(), bad.len(), &file["error"]), (3_502, 1, &serde_json::Value::Null));
    assert_eq!((&bad[0]["record"], &bad[0]["error"]["line"]), (&3_500.into(), &3_501.into()));
    assert_eq!(out.status.code(), Some(2));
}

#[test]
fn a_pipe_that_goes_on_is_reported_as_it_comes() {
    use std::io::{BufRead, BufReader, Write};
    let mut child = command()
        .args(["check", "--format", "jsonl"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    for number in 0..3 {
        let sent = response(GOOD).replacen('{', &format!(r#"{{"responseId": "r{number}", "#), 1);
        writeln!(pipe, "{sent}").unwrap();
    }
    assert_eq!(json(lines.next().unwrap().unwrap().as_bytes())["id"], "r0");
    assert_eq!(json(lines.next().unwrap().unwrap().as_bytes())["id"], "r1");
    drop(pipe);
    assert_eq!(json(lines.next().unwrap().unwrap().as_bytes())["id"], "r2");
    assert!(child.wait().unwrap().success());
}

#[test]
fn the_least_and_the_greatest_number_are_offsets_like_others() {
    for number in [i64::MIN, i64::MAX] {
        let sent = format!(
            r#"{{"segment":{{"startIndex":{number},"endIndex":{number},"text":"Öl auch."}},"groundingChunkIndices":[0]}}"#
        );
        let out = check(&[], &response(&sent));
        assert!(
            text(&out.stdout).starts_with("warning[quote-mismatch]"),
            "{}{}",
            text(&out.stdout),
            text(&out.stderr)
        );
    }
}

fn sarif_schema() -> Validator {
    // The published pattern has a bracket too many and is no regular expression.
    let published = include_str!("../schemas/sarif-2.1.0.json");
    let schema =
        published.replace("^[a-zA-Z]{2}|^[a-zA-Z]{2}-[a-zA-Z]{2}]?$", "^[a-zA-Z]{2}(-[a-zA-Z]{2})?$");
    Validator::new(json(schema.as_bytes()))
}

#[test]
fn sarif_is_valid_for_every_sample_and_for_what_cannot_be_read() {
    let schema = sarif_schema();
    let mut inputs: Vec<String> = SAMPLES.iter().map(|(_, text)| (*text).to_owned()).collect();
    inputs.push(response(CHARACTERS));
    inputs.push("not json".to_owned());
    inputs.push(format!("{}\nnot json\n", response(DANGLING)));
    for input in inputs {
        let out = check(&["--format", "sarif"], &input);
        let log = json(&out.stdout);
        schema.assert_valid("SARIF", &log);
    }
    let broken = serde_json::json!({"version": "2.1.0", "runs": [{"results": []}]});
    assert!(!schema.is_valid(&broken));
}

/// What was found in what could be read are results, also where something else of the input could not be.
#[test]
fn sarif_has_the_results_of_a_response_of_which_a_frame_was_passed_over() {
    let whole = std::fs::read_to_string("samples/gemini-characters.json").unwrap();
    let input = format!("{whole}\n{}", whole.replacen("\"endIndex\"", "endIndex", 1));
    let out = check(&["--format", "sarif"], &input);
    let log = json(&out.stdout);
    sarif_schema().assert_valid("SARIF", &log);
    let run = &log["runs"][0];
    let rules: Vec<&str> =
        run["results"].as_array().unwrap().iter().map(|result| result["ruleId"].as_str().unwrap()).collect();
    assert!(rules.contains(&"offset-unit") && rules.contains(&"input-mended"), "{rules:?}");
    assert_eq!(run["invocations"][0]["executionSuccessful"], false);
}

/// SARIF 2.1.0 has links and arguments in messages of plain text.
#[test]
fn words_of_strangers_make_no_link_in_a_message_of_sarif() {
    let failed = serde_json::json!({"type": "mcp_call", "id": "m", "name": "fetch", "server_label": "web", "arguments": "{}",
        "error": "see [the report](https://x.example/?id={0}) {a} {12}"});
    let said = serde_json::json!({"type": "message", "content": [{"type": "output_text", "text": "It runs.", "annotations": []}]});
    let input =
        serde_json::json!({"object": "response", "id": "r", "status": "completed", "output": [failed, said]});
    let log = json(&check(&["--format", "sarif"], &input.to_string()).stdout);
    sarif_schema().assert_valid("SARIF", &log);
    let results = log["runs"][0]["results"].as_array().unwrap();
    let step = results.iter().find(|result| result["ruleId"] == "step-failed").unwrap();
    let message = step["message"]["text"].as_str().unwrap();
    let expected = r"fetch: see \[the report\](https://x.example/?id={{0}}) {a} {{12}} (";
    assert!(message.starts_with(expected), "{message}");
}

#[test]
fn sarif_names_rule_place_and_replacement() {
    let out = check(&["--format", "sarif"], &response(CHARACTERS));
    let log = json(&out.stdout);
    let run = &log["runs"][0];
    let result = &run["results"][0];
    assert_eq!(
        run["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().unwrap() as usize]["id"],
        "offset-unit"
    );
    assert_eq!(
        result["locations"][0]["physicalLocation"]["region"],
        serde_json::json!({"startLine": 1, "startColumn": 207})
    );
    let replacements = &result["fixes"][0]["artifactChanges"][0]["replacements"];
    assert_eq!(
        replacements[0],
        serde_json::json!({"deletedRegion": {"startLine": 1, "startColumn": 230, "endColumn": 232}, "insertedContent": {"text": "16"}})
    );
    assert_eq!(run["invocations"][0]["executionSuccessful"], true);
}

/// What is repaired is found no more, and nothing else appears.
#[test]
fn a_repaired_recording_has_no_finding_on_offsets_left() {
    let Some(corpus) = corpus() else { return };
    let schema = sarif_schema();
    let files = citescope::store::files_below(&corpus.join("recordings")).unwrap();
    assert!(files.len() > 20);
    for file in files {
        let rules = |bytes: &[u8]| -> Vec<String> {
            let out = output(["check", "--format", "sarif"], bytes);
            let log = json(&out.stdout);
            assert!(schema.is_valid(&log), "{}", file.display());
            let results = log["runs"][0]["results"].as_array().unwrap();
            results.iter().map(|result| result["ruleId"].as_str().unwrap().to_owned()).collect()
        };
        let sent = fs::read(&file).unwrap();
        let fixed = output(["fix"], &sent);
        if fixed.stdout == sent || fixed.status.code() == Some(2) {
            continue;
        }
        let (mut before, after) = (rules(&sent), rules(&fixed.stdout));
        assert!(after.iter().all(|rule| !rule.starts_with("offset-")), "{}: {after:?}", file.display());
        before.retain(|rule| !rule.starts_with("offset-") && rule != "quote-mismatch");
        assert_eq!(after, before, "{}", file.display());
    }
}

#[test]
fn a_response_that_was_logged_twice_has_its_errors_twice() {
    let dangling = fs::read_to_string("samples/gemini-dangling.json").unwrap();
    let line = json(dangling.as_bytes()).to_string() + "\n";
    let findings = |input: &str| {
        let out = output(["check", "--format", "json"], input);
        let responses = json(&out.stdout)["files"][0]["responses"].as_array().unwrap().clone();
        let found: Vec<_> =
            responses.iter().flat_map(|response| response["findings"].as_array().unwrap()).collect();
        let errors = found.iter().filter(|finding| finding["severity"] == "error").count();
        (out.status.code(), errors, found.len())
    };
    let (code, errors, all) = findings(&line);
    assert!(code == Some(1) && errors > 0);
    assert_eq!(findings(&line.repeat(2)), (Some(1), 2 * errors, 2 * all));
    assert_eq!(findings(&line.repeat(3)), (Some(1), 3 * errors, 3 * all));
}

#[test]
fn a_sample_of_nothing_is_refused() {
    let out = output(["check", "--sample", "0"], "{}");
    assert_eq!(out.status.code(), Some(2));
    assert!(text(&out.stderr).contains("--sample"), "{}", text(&out.stderr));
}
