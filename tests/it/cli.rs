//! The command line as a user has it: output, errors and exit codes of the real binary.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use serde_json::Value;

use crate::common::program::{command, run};

fn gemini(answer: &str, metadata: &str) -> String {
    let answer = Value::from(answer);
    format!(
        r#"{{"candidates": [{{"content": {{"parts": [{{"text": {answer}}}]}}, "finishReason": "STOP", "groundingMetadata": {metadata}}}]}}"#
    )
}

const EURO: &str = "Spain won Euro 2024, defeating England 2-1 in the final. This victory marks Spain's \
    record fourth European Championship title.";
const CHUNKS: &str = r#""groundingChunks": [{"web": {"uri": "https://a.example/x", "title": "aljazeera.com"}}, {"web": {"uri": "https://b.example/y", "title": "uefa.com"}}]"#;

fn euro() -> String {
    let supports = r#""groundingSupports": [{"segment": {"endIndex": 56}, "groundingChunkIndices": [0]}, {"segment": {"startIndex": 57, "endIndex": 126}, "groundingChunkIndices": [0, 1]}]"#;
    gemini(EURO, &format!("{{{CHUNKS}, {supports}}}"))
}

#[test]
fn inline_is_what_the_vendors_sample_functions_print() {
    let expected = "Spain won Euro 2024, defeating England 2-1 in the final.[1](https://a.example/x) This \
        victory marks Spain's record fourth European Championship title.[1](https://a.example/x), \
        [2](https://b.example/y)\n";
    assert_eq!(run(&["export", "--to", "inline"], &euro()), (0, expected.to_owned(), String::new()));
}

#[test]
fn spans_with_one_end_come_in_reverse_of_the_order_sent_and_dangling_ones_are_left_out() {
    let supports = r#""groundingSupports": [{"segment": {"endIndex": 3}, "groundingChunkIndices": [0]}, {"segment": {"startIndex": 1, "endIndex": 3}, "groundingChunkIndices": [1, 7]}]"#;
    let (code, out, errors) =
        run(&["export", "--to", "inline"], &gemini("Yes!", &format!("{{{CHUNKS}, {supports}}}")));
    assert_eq!((code, out.as_str()), (0, "Yes[2](https://b.example/y)[1](https://a.example/x)!\n"));
    assert_eq!(errors, "citescope: 1 citation points at no source and was left out\n");
}

#[test]
fn footnotes_and_sources_are_numbered_by_first_use() {
    let expected = "Spain won Euro 2024, defeating England 2-1 in the final.[^1] This victory marks Spain's \
        record fourth European Championship title.[^1][^2]\n\n[^1]: \
        [aljazeera.com](https://a.example/x)\n[^2]: [uefa.com](https://b.example/y)\n";
    assert_eq!(run(&["export", "--to", "footnotes"], &euro()).1, expected);
    assert_eq!(
        run(&["export", "--to", "sources"], &euro()).1,
        "1. [aljazeera.com](https://a.example/x)\n2. [uefa.com](https://b.example/y)\n"
    );
}

/// As 001 prints its own example, with one shortened redirect for both sources.
#[test]
fn redirects_that_are_equal_are_two_sources_where_their_titles_name_two_sites() {
    let redirect = "https://vertexaisearch.cloud.google.com.....";
    let equal = euro().replace("https://a.example/x", redirect).replace("https://b.example/y", redirect);
    let (_, out, _) = run(&["export", "--to", "footnotes"], &equal);
    let listed = format!("\n\n[^1]: [aljazeera.com]({redirect})\n[^2]: [uefa.com]({redirect})\n");
    assert!(out.ends_with(&listed), "{out}");
}

#[test]
fn the_brand_label_of_a_bigdata_run_fills_its_reserved_blank() {
    let (code, out, _) = run(&["export", "--to", "inline", "samples/bigdata-workflow.sse"], "");
    assert_eq!(code, 0);
    assert!(!out.contains(" ."), "{out}");
    let (_, sources, _) = run(&["export", "--to", "sources", "samples/bigdata-research.sse"], "");
    assert!(
        sources.starts_with("1. [Coastal Market Wire - Jul 23, 2026](https://wire.example.com/halden-q2): Halden Batteries lifts second-quarter margin\n"),
        "{sources}"
    );
    let (_, notes, _) = run(&["export", "--to", "footnotes", "samples/bigdata-research.sse"], "");
    assert!(
        notes.contains("[^1]: [Coastal Market Wire - 2026-07-23](https://wire.example.com/halden-q2): Halden Batteries lifts second-quarter margin\n"),
        "{notes}"
    );
}

#[test]
fn the_example_of_the_reference_page_opens_as_its_two_sentences() {
    let supports = r#""groundingSupports": [{"segment": {"startIndex": 0, "endIndex": 85, "text": "Spain won Euro 2024, defeatin..."}, "groundingChunkIndices": [0]}, {"segment": {"startIndex": 86, "endIndex": 210, "text": "This victory marks Spain's..."}, "groundingChunkIndices": [0, 1]}]"#;
    let (code, out, _) =
        run(&["export", "--to", "json"], &gemini(EURO, &format!("{{{CHUNKS}, {supports}}}")));
    let document: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &document["schema"]), (0, &Value::from("citescope/1")));
    let response = &document["responses"][0];
    let places: Vec<_> = response["supports"]
        .as_array()
        .unwrap()
        .iter()
        .map(|s| {
            (
                s["start"].as_u64().unwrap(),
                s["end"].as_u64().unwrap(),
                s["anchor"]["verdict"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(places, [(0, 56, "reanchored"), (57, 126, "reanchored")]);
    assert!(response["findings"].as_array().unwrap().iter().any(|finding| finding["rule"] == "quote-elided"));
    assert_eq!(response["fit"]["fitting"], 0);
}

#[test]
fn what_is_no_response_is_refused_with_place_reason_and_remedy() {
    let reads = "; it reads answers with citations as Google, Bigdata.com, OpenAI, Anthropic, Perplexity, \
        Microsoft, Cohere, AWS, Mistral, xAI, LangChain, Vercel and GitHub send them (see `citescope formats`)";
    let cases: [(&str, String); 9] = [
        ("", "stdin: the input is empty; give a file that holds a grounded response, or pipe one in".to_owned()),
        ("hello", "stdin:1:1: not JSON: a response begins with '{', '[' or 'data:', here stands 'hello'".to_owned()),
        ("{\"candidates\": [{]}", "stdin:1:18: not JSON: key must be a string near `]}`".to_owned()),
        ("{'candidates': []}", "stdin:1:2: not JSON: key must be a string near `'candidates'`".to_owned()),
        (
            "{\"candidates\": [{\"avgLogprobs\": 1e999, \"finishReason\": 1e999}]}",
            "stdin:1:56: not JSON: number out of range near `1e999}]}`; a JSON number here must fit a 64-bit \
             float".to_owned(),
        ),
        (
            "{\"object\": \"list\", \"data\": []}",
            format!("stdin:1:1: this looks like a list as OpenAI's API returns it, which citescope does not \
                read{reads}"),
        ),
        ("{\"a\": 1, \"b\": 2}", format!("stdin:1:1: this is JSON with the keys \"a\", \"b\", but no \
            grounded response known here{reads}")),
        (
            "{\"error\": {\"code\": 429, \"message\": \"Quota exceeded\", \"status\": \
             \"RESOURCE_EXHAUSTED\"}}",
            "stdin:1:1: the service answered with an error, not with a response: Quota exceeded (429, \
             RESOURCE_EXHAUSTED)".to_owned(),
        ),
        (&"[".repeat(10_000), "stdin:1:10000: not JSON: EOF while parsing a list near `[`".to_owned()),
    ];
    for (input, expected) in cases {
        let (code, out, errors) = run(&["-"], input);
        assert_eq!((code, out.as_str()), (2, ""), "{input:.60}");
        assert!(errors.contains(&expected), "{input:.60}\n  got {errors}  not {expected}");
    }
}

#[test]
fn files_that_cannot_be_read_say_why() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("none.json");
    let (code, _, errors) = run(&[missing.to_str().unwrap()], "");
    assert_eq!(
        (code, errors),
        (2, format!("citescope: {}: no such file; check the path\n", missing.display()))
    );
    let (code, _, errors) = run(&[folder.path().to_str().unwrap()], "");
    assert_eq!(
        (code, errors),
        (
            2,
            format!(
                "citescope: {}: no *.json, *.jsonl, *.ndjson or *.sse file below this directory, packed (.gz, .zst) or not\n",
                folder.path().display()
            )
        )
    );
    fs::write(folder.path().join("x.json"), [0u8, 1, 2, 3, 0xFF]).unwrap();
    let (code, _, errors) = run(&[folder.path().join("x.json").to_str().unwrap()], "");
    assert!(code == 2 && errors.contains("this is binary data, not JSON text"), "{errors}");
}

#[test]
fn a_nul_costs_the_record_that_it_is_in_and_wide_text_is_named() {
    let record = |n: usize| {
        format!(
            r#"{{"responseId": "r{n}", "candidates": [{{"content": {{"parts": [{{"text": "Hello {n}."}}]}}}}]}}"#
        )
    };
    let lines = |bad: &str| format!("{}\n{bad}\n{}\n", record(1), record(2));
    let events = |bad: &str| format!("data: {}\n\ndata: {bad}\n\ndata: {}\n\n", record(1), record(2));
    for command in [&["check", "--format", "jsonl"][..], &["export", "--to", "jsonl"], &["map", "--check"]] {
        let (_, _, errors) = run(command, &lines("{\"candidates\": \0}"));
        assert!(!errors.contains("binary"), "{command:?}: {errors}");
    }
    for input in [lines("\0"), lines("{\"responseId\": \"r9\", \"candidates\": [\0]}")] {
        let (code, out, errors) = run(&["export", "--to", "jsonl"], &input);
        assert!(out.contains("Hello 1.") && out.contains("Hello 2."), "{out}{errors}");
        assert!(code == 2 && errors.starts_with("citescope: stdin:2:"), "{errors}");
    }
    let (_, out, errors) = run(&["export", "--to", "jsonl"], &events("{\"candidates\": [\0]}"));
    assert!(out.contains("Hello 1.") && out.contains("Hello 2."), "{out}{errors}");
    let (code, _, errors) = run(&["export", "--to", "jsonl"], "{\"candidates\": [\0]}");
    assert!(code == 2 && errors.starts_with("citescope: stdin:1:17: not JSON"), "{errors}");
    // At the very beginning it is no half of UTF-16.
    let (code, out, errors) = run(&["export", "--to", "jsonl"], &format!("\0{}\n{}\n", record(1), record(2)));
    assert!(code == 2 && out.contains("Hello 2."), "{out}{errors}");
    assert!(errors.starts_with("citescope: stdin:1:1: not JSON"), "{errors}");
    let wide: String = record(1).chars().flat_map(|c| [c, '\0', '\0', '\0']).collect();
    let (code, _, errors) = run(&["check"], &wide);
    let words =
        "citescope: stdin: this is UTF-32 text (convert it: iconv -f UTF-32LE -t UTF-8), not JSON text\n";
    assert_eq!((code, errors.as_str()), (2, words));
}

#[test]
fn a_response_that_breaks_off_is_shown_as_far_as_it_goes() {
    let whole = euro();
    for cut in (120..whole.len()).step_by(7) {
        let (code, out, errors) = run(&["-"], &whole[..cut]);
        assert_eq!(code, 0, "{cut}: {errors}");
        assert!(
            out.contains("error stream-truncated: the input ends in the middle of a value"),
            "{cut}: {out}"
        );
    }
}

#[test]
fn repeated_keys_wrong_types_and_lone_surrogates_are_read_and_told() {
    let odd = r#"{"candidates": [{"content": {"parts": [{"text": "A \ud83d b"}]}, "finishReason": "STOP", "finishReason": "STOP", "groundingMetadata": {"groundingChunks": [{"web": "u"}], "groundingSupports": [{"segment": {"endIndex": "1"}, "groundingChunkIndices": [0.5]}]}}]}"#;
    let (code, out, _) = run(&["-"], odd);
    assert_eq!(code, 0);
    for expected in [
        "note value-type: this key comes more than once: the last value counts at \
         $.candidates[0].finishReason",
        "note value-type: text where an object is documented: not used at \
         $.candidates[0].groundingMetadata.groundingChunks[0].web",
        "note value-type: a number where a whole number is documented: not used at \
         $.candidates[0].groundingMetadata.groundingSupports[0].groundingChunkIndices[0]",
        "warning input-mended: half a surrogate pair",
    ] {
        assert!(out.contains(expected), "{expected}\n{out}");
    }
}

#[test]
fn a_bad_line_does_not_hide_the_others() {
    let lines = format!("{}\nnonsense\n{}\n", euro(), euro());
    let (code, out, errors) = run(&["export", "--to", "jsonl"], &lines);
    assert_eq!((code, out.lines().count()), (2, 2));
    assert!(errors.contains("stdin:2:1: not JSON"), "{errors}");
}

#[test]
fn a_text_target_needs_one_response() {
    let two = format!("{}\n{}\n", euro(), euro());
    let (code, out, errors) = run(&["export", "--to", "inline"], &two);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(errors.contains("--response 2.1  Spain won"), "{errors}");
    assert_eq!(run(&["export", "--to", "inline", "--response", "2"], &two).0, 0);
    assert_eq!(run(&["export", "--to", "inline", "--response", "9"], &two).0, 2);
}

#[test]
fn answer_text_can_be_supplied_where_the_response_has_none() {
    let claim = r#"{"supportScore": 0.9, "citedChunks": [{"chunkText": "Braunau lies on the Inn.", "source": "0"}], "claims": [{"startPos": 0, "endPos": 8, "claimText": "Ä on Inn", "citationIndices": [0]}]}"#;
    let (_, out, _) = run(&["export", "--to", "json"], claim);
    let document: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(document["responses"][0]["answer"], Value::Null);
    assert_eq!(document["responses"][0]["supports"][0]["anchor"]["verdict"], "no-text");
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.txt"), "Ä on Inn.").unwrap();
    let (_, out, _) =
        run(&["export", "--to", "json", "--answer", folder.path().join("a.txt").to_str().unwrap()], claim);
    let document: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(document["responses"][0]["supports"][0]["anchor"]["verdict"], "unit");
}

#[test]
fn credentials_are_masked_unless_asked_for() {
    let (_, masked, _) = run(&["export", "--to", "json", "samples/all-fields-events.json"], "");
    let (_, shown, _) =
        run(&["export", "--to", "json", "--show-secrets", "samples/all-fields-events.json"], "");
    assert!(!masked.contains("not-a-real") && masked.contains("(masked, --show-secrets shows it)"));
    assert!(shown.contains("not-a-real"));
}

#[test]
fn nothing_hostile_reaches_text_output() {
    let (_, out, _) = run(
        &["export", "--to", "inline"],
        &gemini("red \u{1b}[31m \u{202e}evil\u{202c} a\u{200b}b \u{7}", "{}"),
    );
    assert_eq!(out, "red ␛[31m <U+202E>evil<U+202C> a<U+200B>b ␇\n");
    let javascript = r#"{"groundingChunks": [{"web": {"uri": "javascript:alert(1)", "title": "a](x) **b**"}}], "groundingSupports": [{"segment": {"endIndex": 2}, "groundingChunkIndices": [0]}]}"#;
    assert_eq!(run(&["export", "--to", "inline"], &gemini("Hi", javascript)).1, "Hi[1]\n");
    assert_eq!(
        run(&["export", "--to", "sources"], &gemini("Hi", javascript)).1,
        "1. a\\](x) \\*\\*b\\*\\* (`javascript:alert(1)`)\n"
    );
}

#[test]
fn a_closed_pipe_is_no_error() {
    let mut child = command()
        .args(["export", "--to", "jsonl", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let line = euro() + "\n";
    let mut stdin = child.stdin.take().unwrap();
    for _ in 0..200 {
        stdin.write_all(line.as_bytes()).unwrap();
    }
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}

#[test]
fn help_formats_rules_man_and_completions_are_there() {
    assert!(run(&["--help"], "").1.contains("Explore, check and copy the citations"));
    assert!(run(&["formats"], "").1.contains("discovery-answer"));
    assert!(
        run(&["rules"], "")
            .1
            .contains("quote-gone             error    the quote occurs nowhere in the answer")
    );
    assert_eq!(run(&["rules", "nothing"], "").0, 2);
    let man = run(&["man"], "").1;
    assert!(man.contains(".TH citescope 1") && man.contains("copy: citation, footnote"));
    assert!(run(&["completions", "bash"], "").1.contains("_citescope"));
}

#[test]
fn every_sample_can_be_exported_to_every_target() {
    for (name, _) in citescope::cli::SAMPLES.iter() {
        let path = &*format!("samples/{name}");
        for target in ["json", "jsonl"] {
            let (code, out, errors) = run(&["export", "--to", target, path], "");
            assert!(code == 0 && !out.is_empty(), "{path}: {errors}");
        }
        let (code, out, errors) = run(&[path], "");
        assert!(code == 0 && out.starts_with("== "), "{path}: {errors}");
    }
}

#[test]
fn a_nul_in_a_long_pipe_costs_its_line() {
    let record = r#"{"candidates": [{"content": {"parts": [{"text": "It opens at nine."}]}, "finishReason": "STOP"}]}"#;
    let lines = 60_000;
    let text = format!("{record}\nbad \0 line\n{}", format!("{record}\n").repeat(lines));
    let (_, out, _) = run(&["export", "--to", "jsonl"], &text);
    assert_eq!(out.lines().count(), lines + 1);
}

#[test]
fn a_message_that_a_service_made_too_long_is_cut_and_says_by_how_much() {
    let input = format!(r#"{{"error": {{"code": 500, "message": "{}"}}}}"#, "é ".repeat(20_000));
    let (code, _, errors) = run(&["check"], &input);
    assert_eq!((code, errors.lines().count()), (2, 1));
    assert!(errors.len() < 4200 && errors.ends_with(" more bytes)\n"), "{}", errors.len());
}
