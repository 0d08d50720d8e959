//! `citescope score` as a pipeline has it: lines in, lines out, in order, whatever is wrong with some of
//! them.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use serde_json::{Value, json};

use crate::common::program::{command, output, run, texts};

/// Runs `citescope score` on standard input; code, output, errors.
fn score(input: impl Into<Vec<u8>>) -> (i32, String, String) {
    texts(output(["score"], input.into()))
}

/// Starts `citescope score` with pipes at all ends.
fn start() -> std::process::Child {
    let mut process = command();
    process.arg("score").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    process.spawn().unwrap()
}

const PIER: &str = "The pier at Marlow opened in 1932 after three years of work.";

#[test]
fn a_line_says_how_much_of_the_wording_each_text_holds() {
    let line = json!({"id": "a", "claim": "The pier at Marlow opened in 1932.", "evidence": ["It rained.", {"title": "Piers", "text": format!("Läuft. {PIER}")}]});
    let expected = concat!(
        r#"{"id":"a","cover":1.0,"windows":[{"text":1,"start":8,"end":68,"cover":1.0},{"text":0,"start":0,"end":10,"cover":0.0}],"#,
        r#""missing_numbers":[],"missing_names":[],"outcome":"found","margin":null,"better":null}"#,
        "\n"
    );
    assert_eq!(score(line.to_string()), (0, expected.to_owned(), String::new()));
}

#[test]
fn numbers_and_names_that_no_text_has_are_named() {
    let line = json!({"id": 7, "claim": "The pier at Marlow and Quill opened in 1937.", "evidence": [PIER]});
    let (code, out, _) = score(line.to_string());
    let out: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &out["id"], &out["outcome"]), (0, &json!(7), &json!("number-missing")));
    assert_eq!((&out["missing_numbers"], &out["missing_names"]), (&json!(["1937"]), &json!(["Quill"])));
}

#[test]
fn among_others_the_one_that_fits_better_is_named() {
    let line = json!({"id": [1], "claim": "The pier at Marlow opened in 1932.", "evidence": ["A harbour wall."], "others": ["It rained.", PIER]});
    let (_, out, _) = score(line.to_string());
    assert_eq!(
        out,
        concat!(
            r#"{"id":[1],"cover":0.0,"windows":[{"text":0,"start":0,"end":15,"cover":0.0}],"missing_numbers":["1932"],"#,
            r#""missing_names":["Marlow"],"outcome":"other-chunk","margin":1.0,"better":{"text":1,"cover":1.0}}"#,
            "\n"
        )
    );
    let own = json!({"id": 2, "claim": "The pier at Marlow opened in 1932.", "evidence": [PIER], "others": ["It rained."]});
    let out: Value = serde_json::from_str(&score(own.to_string()).1).unwrap();
    assert_eq!(
        (&out["outcome"], &out["margin"], &out["better"]),
        (&json!("found"), &json!(-1.0), &Value::Null)
    );
}

#[test]
fn what_is_unchecked_says_why() {
    let why = |line: Value| {
        let out: Value = serde_json::from_str(&score(line.to_string()).1).unwrap();
        assert_eq!(out["outcome"], "unchecked");
        out["why"].as_str().unwrap().to_owned()
    };
    assert_eq!(
        why(json!({"claim": "The pier at Marlow opened.", "evidence": [" ", {"title": "Pier", "text": ""}]})),
        "no chunk text"
    );
    assert_eq!(why(json!({"claim": "Yes.", "evidence": ["Yes."]})), "claim too short");
    assert_eq!(
        why(
            json!({"claim": "Die Seebrücke von Marlow wurde nach drei Jahren Bauzeit eröffnet.", "evidence": [PIER]})
        ),
        "different language: only numbers and names compared"
    );
}

#[test]
fn bad_lines_are_told_in_their_place_and_do_not_stop_the_rest() {
    let good = json!({"id": 1, "claim": "Yes.", "evidence": []}).to_string();
    let long = json!({"claim": "x".repeat(16 * 1024 + 1), "evidence": []}).to_string();
    let input = format!("\u{feff}{good}\r\nno\n\n{{\"claim\": \"Ä\", \"evidence\": 5}}\n{long}\n{good}");
    let (code, out, errors) = score(input);
    let answer = r#"{"id":1,"cover":null,"windows":[],"missing_numbers":[],"missing_names":[],"outcome":"unchecked","margin":null,"better":null,"why":"no chunk text"}"#;
    let expected = [
        answer,
        r#"{"line":2,"error":"not JSON: expected ident (column 2)"}"#,
        r#"{"line":4,"error":"invalid type: integer `5`, expected a sequence (column 28)"}"#,
        r#"{"line":5,"error":"a claim of 16385 bytes; at most 16384 are compared, split it into sentences (column 1)"}"#,
        answer,
    ];
    assert_eq!((code, out.lines().collect::<Vec<_>>()), (2, expected.to_vec()));
    let told: Vec<&str> = errors.lines().collect();
    assert_eq!(told[0], "citescope: stdin:2:2: not JSON: expected ident");
    assert_eq!(told[1], "citescope: stdin:4:28: invalid type: integer `5`, expected a sequence");
    assert!(told[2].starts_with("citescope: stdin:5:1: a claim of 16385 bytes"));
    assert!(
        told[3].starts_with(
            "citescope: 3 of 5 lines could not be scored, the others were; a line is {\"id\": …"
        ),
        "{}",
        told[3]
    );
    assert_eq!(told.len(), 4);
}

#[test]
fn a_line_that_is_no_utf_8_is_told_and_no_bad_byte_comes_out() {
    let (code, out, errors) = score(&b"{\"claim\": \"caf\xe9\"}\n"[..]);
    assert_eq!(
        (code, out.as_str()),
        (2, "{\"line\":1,\"error\":\"not UTF-8; write the file as UTF-8 (column 15)\"}\n")
    );
    assert!(errors.starts_with("citescope: stdin:1:15: not UTF-8"), "{errors}");
}

#[test]
fn an_id_that_steers_terminals_comes_out_escaped_and_whole() {
    let (_, out, _) = score("{\"id\": \"\u{202e}\u{9b}\", \"claim\": \"\", \"evidence\": []}");
    assert!(out.starts_with(r#"{"id":"\u202e\u009b","#), "{out}");
}

#[test]
fn the_order_is_kept_over_thousands_of_lines_of_uneven_length() {
    let mut input = String::new();
    for id in 0..6000 {
        let text = PIER.repeat(1 + id % 13 * 5);
        input.push_str(
            &json!({"id": id, "claim": "The pier opened in 1932.", "evidence": [text]}).to_string(),
        );
        input.push('\n');
    }
    let (code, out, _) = score(input);
    let ids = out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["id"].as_i64().unwrap());
    assert_eq!(code, 0);
    assert!(ids.eq(0..6000));
}

#[test]
fn a_live_pipe_is_answered_line_by_line() {
    let mut process = start();
    let mut questions = process.stdin.take().unwrap();
    let mut answers = BufReader::new(process.stdout.take().unwrap());
    for id in 0..3 {
        writeln!(questions, "{}", json!({"id": id, "claim": "", "evidence": []})).unwrap();
        // The next question is asked only when this one is answered.
        let mut answer = String::new();
        answers.read_line(&mut answer).unwrap();
        assert!(answer.starts_with(&format!("{{\"id\":{id},")), "{answer}");
    }
    drop(questions);
    assert_eq!(process.wait().unwrap().code(), Some(0));
}

#[test]
fn a_reader_that_goes_away_ends_the_run_without_an_error() {
    let mut process = start();
    let mut questions = process.stdin.take().unwrap();
    drop(process.stdout.take());
    // Standard input stays open: the run ends all the same.
    writeln!(questions, "{}", json!({"id": 1, "claim": "", "evidence": []})).unwrap();
    let output = process.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
    drop(questions);
}

#[test]
fn a_file_is_named_in_errors_and_a_missing_one_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lines.jsonl");
    std::fs::write(&path, "[]\n").unwrap();
    let run = |path: &std::path::Path| texts(output(["score".as_ref(), path.as_os_str()], ""));
    let (code, out, errors) = run(&path);
    assert_eq!(
        (code, out.as_str()),
        (2, "{\"line\":1,\"error\":\"this is an array, expected an object (column 1)\"}\n")
    );
    assert!(errors.starts_with(&format!("citescope: {}:1:1: ", path.display())), "{errors}");
    let missing = folder.path().join("none.jsonl");
    assert_eq!(
        run(&missing),
        (2, String::new(), format!("citescope: {}: no such file; check the path\n", missing.display()))
    );
    let (code, _, errors) = run(folder.path());
    assert_eq!(
        (code, errors),
        (2, format!("citescope: {}: this is a directory; name a file in it\n", folder.path().display()))
    );
}

#[test]
fn what_is_something_else_is_not_read_for_ever() {
    let (code, out, errors) = run(&["score"], &"nothing of the kind\n".repeat(30_000));
    assert_eq!(code, 2);
    assert!(out.lines().count() < 25_000, "{}", out.lines().count());
    assert!(errors.contains("lines can be scored: is it JSON Lines of claims?"), "{errors}");
    // One line that can be scored, and all are.
    let good = r#"{"id": 1, "claim": "It is old.", "evidence": ["It is old."]}"#;
    let (code, out, _) = run(&["score"], &format!("{good}\n{}", "nothing\n".repeat(30_000)));
    assert_eq!((code, out.lines().count()), (2, 30_001));
}

#[test]
fn texts_without_end_are_refused_and_thousands_are_compared() {
    let line = |count: usize| json!({"claim": PIER, "evidence": vec!["a"; count], "others": vec![PIER; 9]});
    let (code, out, errors) = score(format!("{}\n{}\n", line(100_000), line(10_000)));
    assert_eq!(code, 2);
    assert!(errors.contains("stdin:1:") && errors.contains("too many small texts"), "{errors}");
    assert!(out.lines().nth(1).is_some_and(|second| second.contains("\"better\":{\"text\":0")), "{out}");
    // Each line is a sentence: 8 MB of short ones took 228 MB.
    let list = |count: usize| json!({"claim": "a 1", "evidence": ["1. a\n".repeat(count)]}).to_string();
    let (code, out, errors) = score(format!("{}\n{}\n", list(1_000_000), list(100_000)));
    assert!(
        code == 2 && errors.contains("stdin:1:") && errors.contains("too many small texts or lines"),
        "{errors}"
    );
    assert!(out.lines().nth(1).is_some_and(|second| second.contains("\"windows\":[{")), "{out}");
}

/// Ten megabytes of numbers took 635 MB.
#[test]
fn an_id_that_is_a_long_list_is_refused() {
    let ask = |id: Value| json!({"id": id, "claim": PIER, "evidence": [PIER]}).to_string();
    let (code, out, err) =
        score(format!("{}\n{}", ask(vec![1; 40_000].into()), ask("a".repeat(80_000).into())));
    assert_eq!(code, 2);
    let first = "{\"line\":1,\"error\":\"an id of 80001 bytes; of a list or an object at most 65536 are given back (column 7)\"}\n";
    assert_eq!(out.get(..first.len()), Some(first));
    assert!(out[first.len()..].starts_with("{\"id\":\"aaaa"), "{}", &out[..200]);
    assert!(err.contains("1 of 2 lines could not be scored"), "{err}");
}
