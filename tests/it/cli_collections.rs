//! Collections on the command line: a line for each line, counts instead of findings, samples, packed files.

use std::fs;
use std::io::Write;

use serde_json::{Value, json};

use crate::common::library::line;
use crate::common::program::{output, run, text, texts};

fn objects(out: &str) -> Vec<Value> {
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// What stands in for line numbers, records and files, which depend on where a line was read.
fn placeless(mut object: Value) -> Value {
    let fields = object.as_object_mut().unwrap();
    fields.remove("line");
    fields.remove("error").map(|error| fields.insert("message".to_owned(), error["message"].clone()));
    for response in fields.get_mut("responses").and_then(Value::as_array_mut).into_iter().flatten() {
        for key in ["record", "file", "findings"] {
            response.as_object_mut().unwrap().remove(key);
        }
    }
    object
}

#[test]
fn each_line_gives_one_object_in_its_place_whatever_it_holds() {
    let good = line("a", "a.example", true);
    let input = format!("{good}\n\n{{bad\n\"text\"\n{{\"x\": 1}}\n{good}\r\n");
    let (code, out, errors) = run(&["check", "--each-line"], &input);
    let all = objects(&out);
    let lines: Vec<_> = all.iter().map(|object| object["line"].as_u64().unwrap()).collect();
    assert_eq!((code, lines), (2, vec![1, 2, 3, 4, 5, 6]));
    assert!(all.iter().all(|object| object["schema"] == "citescope-check/1"));
    assert_eq!((&all[0]["responses"][0]["id"], &all[5]["responses"][0]["record"]), (&json!("a"), &json!(5)));
    assert_eq!(all[1]["responses"], json!([]));
    assert_eq!(
        all[2]["error"],
        json!({"line": 3, "column": 2, "path": null, "message": "not JSON: key must be a string near `bad`"})
    );
    assert!(all[3]["responses"].is_null() && all[4]["error"]["line"] == 5);
    assert_eq!(errors.lines().count(), 3, "{errors}");
    assert_eq!(run(&["check", "--each-line"], &format!("{good}\n")).0, 0);
    assert_eq!(run(&["check", "--each-line"], &line("a", "a.example", false)).0, 1);
}

#[test]
fn neighbours_with_one_id_are_records_of_their_own_line_by_line() {
    let input = format!("{}\n{}\n", line("same", "a.example", true), line("same", "b.example", true));
    assert_eq!(objects(&run(&["export", "--to", "jsonl"], &input).1).len(), 1);
    let lines = objects(&run(&["export", "--to", "jsonl", "--each-line"], &input).1);
    let sites: Vec<_> = lines.iter().map(|line| &line["responses"][0]["sources"][0]["title"]).collect();
    assert_eq!(sites, ["a.example", "b.example"]);
    assert_eq!(lines[0]["schema"], "citescope/1");
}

#[test]
fn lines_handed_to_several_programs_say_the_same() {
    let lines: Vec<String> = (0..40)
        .map(|n| if n % 7 == 3 { "{bad".to_owned() } else { line("same", "a.example", n % 2 == 0) })
        .collect();
    let check = |lines: &[String]| {
        let (_, out, _) = run(&["check", "--each-line"], &lines.join("\n"));
        objects(&out).into_iter().map(placeless).collect::<Vec<_>>()
    };
    let parts: Vec<_> = lines.chunks(9).flat_map(check).collect();
    assert_eq!(parts, check(&lines));
}

#[test]
fn each_line_goes_with_json_lines_only() {
    let (code, _, errors) = run(&["export", "--to", "inline", "--each-line"], "{}");
    assert_eq!((code, errors.as_str()), (2, "citescope: --each-line goes with --to jsonl\n"));
}

#[test]
fn a_summary_counts_rules_formats_sites_and_coverage() {
    let input = [
        line("a", "a.example", true),
        line("b", "a.example", false),
        line("c", "b.example", true),
        "{bad".to_owned(),
    ];
    let (code, out, _) = run(&["check", "--summary"], &input.join("\n"));
    assert_eq!(code, 2);
    insta::assert_snapshot!(out);
    let (_, out, _) = run(&["check", "--summary", "--format", "json"], &input.join("\n"));
    let summary: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (&summary["schema"], &summary["responses"], &summary["unread"]),
        (&json!("citescope-summary/1"), &json!(3), &json!(1))
    );
    assert_eq!(summary["rules"]["offset-shift"], json!({"severity": "error", "findings": 1, "responses": 1}));
    assert_eq!(
        summary["sites"],
        json!({"a.example": {"responses": 2, "doubtful": 1}, "b.example": {"responses": 1, "doubtful": 0}})
    );
    assert_eq!(summary["coverage"], json!({"min": 1.0, "p25": 1.0, "median": 1.0, "p75": 1.0, "max": 1.0}));
    assert_eq!(run(&["check", "--summary", "--format", "sarif"], "{}").0, 2);
}

#[test]
fn a_sample_is_the_same_for_the_same_seed_and_reports_places_of_the_whole() {
    let lines: Vec<String> = (0..200).map(|n| line(&format!("r{n}"), "a.example", false)).collect();
    let input = lines.join("\n");
    let sample =
        |seed: &str| run(&["check", "--format", "jsonl", "--sample", "10", "--seed", seed], &input).1;
    let (one, again, other) = (sample("1"), sample("1"), sample("2"));
    assert_eq!((one == again, one == other, one.lines().count()), (true, false, 10));
    let whole = run(&["check", "--format", "jsonl"], &input).1;
    let all: Vec<&str> = whole.lines().collect();
    let mut places = one.lines().map(|line| all.iter().position(|other| *other == line).unwrap());
    assert!(places.by_ref().is_sorted());
    let (_, few, _) = run(&["check", "--format", "jsonl", "--sample", "500"], &input);
    assert_eq!(few, whole);
}

#[test]
fn packed_files_are_read_as_what_is_in_them() {
    let folder = tempfile::tempdir().unwrap();
    let plain = format!("{}\n{}\n", line("a", "a.example", true), line("b", "b.example", false)).repeat(300);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(plain.as_bytes()).unwrap();
    let gzip = gzip.finish().unwrap();
    fs::write(folder.path().join("a.jsonl.gz"), &gzip).unwrap();
    fs::write(folder.path().join("b.jsonl.zst"), zstd::encode_all(plain.as_bytes(), 1).unwrap()).unwrap();
    let check = |name: &str| {
        let path = folder.path().join(name);
        let (code, out, _) =
            texts(output(["check".as_ref(), "--format".as_ref(), "jsonl".as_ref(), path.as_os_str()], ""));
        (code, out.replace(path.to_str().unwrap(), "stdin"))
    };
    let (code, expected, _) = run(&["check", "--format", "jsonl"], &plain);
    assert_eq!(check("a.jsonl.gz"), (code, expected.clone()));
    assert_eq!(check("b.jsonl.zst"), (code, expected.clone()));
    let piped = output(["check", "--format", "jsonl"], &gzip);
    assert_eq!(text(&piped.stdout), expected);
    // Both are found in their directory.
    let directory = folder.path().to_str().unwrap();
    assert_eq!(objects(&run(&["check", "--format", "jsonl", directory], "").1).len(), 1200);
    assert!(run(&["export", "--to", "jsonl", directory], "").1.lines().count() == 1200);
}

#[test]
fn a_packed_file_that_is_cut_off_gives_what_came_and_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cut.jsonl.gz");
    let plain: String = (0..3000)
        .map(|n| line(&format!("r{n}"), &format!("s{}.example", n * 7919 % 3001), true) + "\n")
        .collect();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
    gzip.write_all(plain.as_bytes()).unwrap();
    let gzip = gzip.finish().unwrap();
    fs::write(&path, &gzip[..gzip.len() * 2 / 3]).unwrap();
    let (code, out, errors) = run(&["check", "--format", "jsonl", path.to_str().unwrap()], "");
    let all = objects(&out);
    assert_eq!(code, 2);
    assert!(
        all.len() > 1500 && all[..all.len() - 1].iter().all(|object| object["error"].is_null()),
        "{}",
        all.len()
    );
    assert!(all.last().unwrap()["error"]["message"].as_str().unwrap().starts_with("cannot be read"));
    assert_eq!(errors.lines().count(), 1, "{errors}");
    // What is read in another way gives what came, too, the line that broke off as far as it goes.
    let (code, exported, errors) = run(&["export", "--to", "jsonl", path.to_str().unwrap()], "");
    assert_eq!(code, 2, "{errors}");
    assert_eq!(exported.lines().count(), all.len());
    let last: Value = serde_json::from_str(exported.lines().next_back().unwrap()).unwrap();
    assert_eq!(last["state"], "truncated");
}

/// Record, id and rules of each line of a check; of what could not be read the message.
fn told(input: &str) -> Vec<String> {
    let (_, out, _) = run(&["check", "--no-content", "--format", "jsonl"], input);
    let one = |object: Value| {
        let rules = object["findings"].as_array().into_iter().flatten();
        let rules: Vec<&str> = rules.map(|finding| finding["rule"].as_str().unwrap()).collect();
        let error = object["error"]["message"].as_str().unwrap_or_default();
        format!("{} {} {}{error}", object["record"], object["id"], rules.join(","))
    };
    objects(&out).into_iter().map(one).collect()
}

#[test]
fn a_line_that_is_cut_off_or_an_error_costs_itself_only() {
    let (first, last) = (line("a", "a.example", true), line("b", "a.example", true));
    let around = |middle: &str| told(&format!("{first}\n{middle}\n{last}\n"));
    let whole = line("cut", "a.example", true);
    for cut in (1..whole.len()).step_by(7) {
        let told = around(&whole[..cut]);
        assert_eq!((told.len(), told[0].as_str(), told[2].as_str()), (3, "0 \"a\" ", "2 \"b\" "), "{cut}");
    }
    assert_eq!(
        around(r#"{"candidates": [{"content": {"parts": [{"text": "Half an ans"#)[1],
        "1 null stream-truncated,ungrounded"
    );
    assert_eq!(
        around(r#"{"error": {"code": 503, "message": "overloaded"}}"#)[1],
        "1 null the service answered with an error, not with a response: overloaded (503)"
    );
    // What is not cut off, but no strict JSON, ends its stream as before.
    let said = |text: &str, more: &str| {
        format!(r#"{{"candidates": [{{"content": {{"parts": [{{"text": "{text}"}}]}}{more}}}]}}"#)
    };
    let ends = r#", "finishReason": "STOP", "avgLogprobs": NaN"#;
    let two = [said("A one.", ""), said("A two.", ends), said("B one.", ""), said("B two.", ends)].join("\n");
    assert_eq!(told(&two).len(), 2);
    // A first piece without an id is one of its stream.
    let late = r#"{"choices": [], "id": "", "object": "chat.completion.chunk", "prompt_filter_results": []}"#;
    let piece = |text: &str, end: &str| {
        format!(
            r#"{{"id": "c1", "object": "chat.completion.chunk", "choices": [{{"index": 0, "delta": {{"content": "{text}"}}, "finish_reason": {end}}}]}}"#
        )
    };
    let stream = [late.to_owned(), piece("Hello ", "null"), piece("world.", r#""stop""#)];
    assert_eq!(told(&stream.join("\n")).len(), 1);
    assert_eq!(told(&format!("[{}]", stream.join(","))).len(), 1);
    // Behind a stream that has not ended it is that stream's.
    let begun = first.replace(r#""finishReason":"STOP","#, "");
    let told = told(&format!("{begun}\n{{\"error\": {{\"code\": 503}}}}\n{last}\n"));
    assert_eq!((told.len(), told[1].as_str()), (2, "1 \"b\" "));
    // What goes on by its id behind such a line is one stream.
    let part = |text: &str, more: &str| {
        format!(
            r#"{{"candidates": [{{"content": {{"parts": [{{"text": "{text}"}}]}}{more}}}], "responseId": "s"}}"#
        )
    };
    let cut = r#"{"candidates": [{"co"#;
    let one = self::told(&[&part("One. ", ""), cut, &part("Two.", r#", "finishReason": "STOP""#)].join("\n"));
    assert_eq!((one.len(), &one[0][..5]), (1, "0 \"s\""), "{one:?}");
    // Lines that fit alone are not repaired together.
    let bare = |line: &str, id: &str| {
        line.replace(r#""finishReason":"STOP","#, "").replace(&format!(r#","responseId":"{id}""#), "")
    };
    let mixed = |line: String| line.replace(r#""parts":[{"#, r#""parts":[{"executableCode":{}},{"#);
    let lines = format!("{}\n{}\n", mixed(bare(&first, "a")), mixed(bare(&last, "b")));
    assert_ne!(lines, format!("{}\n{}\n", bare(&first, "a"), bare(&last, "b")));
    let (code, repaired, errors) = run(&["fix"], &lines);
    assert!(repaired.is_empty() || repaired == lines, "{repaired}");
    assert!(code > 0 && errors.contains("its offsets fit the text of its own line"), "{code}: {errors}");
    // What closes a stream without text of its own is repaired as ever.
    let segment =
        r#"{"segment": {"startIndex": 3, "endIndex": 11, "text": "One two."}, "groundingChunkIndices": [0]}"#;
    let closing = format!(
        r#"{{"candidates": [{{"finishReason": "STOP", "groundingMetadata": {{"groundingChunks": [{{"web": {{"uri": "https://a.example/"}}}}], "groundingSupports": [{segment}]}}}}], "responseId": "s"}}"#
    );
    let stream = [part("One ", ""), part("two.", ""), closing].join("\n");
    let (code, repaired, errors) = run(&["fix"], &stream);
    assert_eq!((code, repaired.contains(r#""startIndex": 0, "endIndex": 8"#)), (0, true), "{errors}");
    // Nothing of a neighbour is repaired by what was cut off.
    let input =
        format!("{first}\n{{\"candidates\": [{{\"content\": {{\"parts\": [{{\"text\": \"Half\n{last}\n");
    let (_, repaired, _) = run(&["fix"], &input);
    assert!(repaired.lines().last() == Some(last.as_str()) || repaired.is_empty(), "{repaired}");
}

/// How many of the lines with an id `check` and `export` read; `fix` must keep all bytes.
#[track_caller]
fn read_of(input: &str) -> [usize; 2] {
    let (_, kept, errors) = run(&["fix"], input);
    assert!(kept == input || kept.is_empty() && !errors.contains("could be repaired"), "{errors}");
    let ids = |arguments: &[&str]| {
        let out = objects(&run(arguments, input).1);
        out.iter().filter(|object| object["id"].as_str().is_some_and(|id| id.starts_with("log"))).count()
    };
    [&["check", "--format", "jsonl"][..], &["export", "--to", "jsonl"]].map(ids)
}

#[test]
fn what_a_log_begins_with_costs_its_own_lines_only() {
    let log = |count: usize, more: &str| -> String {
        let text = format!("One.{}", " more".repeat(more.len()));
        let line = |number: usize| {
            format!(
                r#"{{"candidates": [{{"content": {{"parts": [{{"text": "{text}"}}]}}, "finishReason": "STOP"}}], "responseId": "log{number}"}}"#
            )
        };
        (0..count).map(|number| line(number) + "\n").collect()
    };
    let one = |id: &str| log(1, "").trim().replace("log0", id);
    // Several values on the first line, or a comma behind it, and later a line that is cut.
    for first in [one("a") + &one("b"), one("a") + ",", one("a") + " x", one("a") + "[]"] {
        for cut in [&one("c")[..50], "{", "[", "{\"a\": \"b"] {
            assert_eq!(
                read_of(&format!("{first}\n{}{cut}\n{}", log(9, ""), log(20, ""))),
                [29; 2],
                "{first} {cut}"
            );
        }
    }
    // The rest of a line that was cut behind a key is like a comment of an event stream.
    assert_eq!(read_of(&format!(":12}},\"responseId\":\"a\"}}\n{}", log(1, ""))), [1; 2]);
    assert_eq!(run(&["check"], &format!(":12}},\"responseId\":\"a\"}}\n{}", log(1, ""))).0, 2);
    assert_eq!(run(&["check"], &format!(": keep-alive\n{}", log(1, ""))).0, 0);
    // What is like a mark of an answer.
    for first in [
        "[1] GET https://a.example/v1 200",
        "[1]: https://a.example/",
        "[1]  + 12345 done   curl http://a.example",
    ] {
        assert_eq!(read_of(&format!("{first}\n{}", log(20, ""))), [20; 2], "{first}");
    }
    // Long lines behind what is no text, and behind what begins like something packed.
    let words = "x".repeat(20_000);
    for first in ["\0", "abc\0def", "xx\n\0"] {
        assert_eq!(read_of(&format!("{first}\n{}", log(6, &words))), [6; 2], "{first:?}");
    }
    // Many lines.
    for many in [600, 3000] {
        let banner = "2026-11-25 INFO starting worker\n".repeat(many);
        assert_eq!(read_of(&format!("{banner}{}", log(2, ""))), [2; 2]);
        assert_eq!(read_of(&format!("{banner}{}", log(300, ""))), [300; 2]);
    }
}

/// A piece of a stream of Gemini.
fn piece(text: &str, more: &str) -> String {
    format!(
        r#"{{"candidates": [{{"content": {{"parts": [{{"text": "{text}"}}]}}{more}}}], "responseId": "s"}}"#
    )
}

/// Supports of words of an answer.
fn supporting(start: usize, text: &str) -> String {
    let segment =
        format!(r#"{{"startIndex": {start}, "endIndex": {}, "text": "{text}"}}"#, start + text.len());
    format!(
        r#", "groundingMetadata": {{"groundingChunks": [{{"web": {{"uri": "https://a.example/"}}}}], "groundingSupports": [{{"segment": {segment}, "groundingChunkIndices": [0]}}]}}"#
    )
}

#[test]
fn a_line_of_no_format_does_not_part_a_stream_with_an_id() {
    let last = piece(" One two.", &format!(r#"{}, "finishReason": "STOP""#, supporting(9, "One two.")));
    let begun = [piece("One ", ""), piece("two.", "")].join("\n");
    for between in ["INFO retrying", "{\"level\": \"info\"}", "[1]", "half of a {\nline\n\nand another"] {
        let noise = between.split('\n').filter(|line| !line.is_empty()).count();
        let input = format!("{begun}\n{between}\n{}\n{between}\n{last}\n", piece("", ""));
        let told = told(&input);
        assert_eq!((told.len(), told[0].as_str()), (1 + 2 * noise, "0 \"s\" "), "{told:?}");
        let (_, repaired, errors) = run(&["fix"], &input);
        assert_eq!(repaired, input, "{between}: {errors}");
    }
    // More in all than may stand in a row.
    let noisy = (0..40).map(|n| piece(&format!("w{n} "), "") + "\nno\nno\n").collect::<String>();
    assert_eq!(told(&noisy).len(), 81);
    // Only so many, and not behind what has ended or is of another id.
    for (many, records) in [(32, 33), (33, 35)] {
        let input = format!("{}\n{}{last}\n", piece("One two.", ""), "no JSON\n".repeat(many));
        assert_eq!(told(&input).len(), records);
    }
    let ended = piece("One two.", r#", "finishReason": "STOP""#);
    assert_eq!(told(&format!("{ended}\nno JSON\n{last}\n")).len(), 3);
    let other = piece("One two.", "").replace("\"s\"", "\"t\"");
    assert_eq!(told(&format!("{other}\nno JSON\n{last}\n")).len(), 3);
}

#[test]
fn a_stream_that_a_line_parts_is_one_wherever_it_is_cut_into_pieces() {
    let last = piece(" One two.", &format!(r#"{}, "finishReason": "STOP""#, supporting(9, "One two.")));
    let stream = |number: usize| {
        let pieces =
            [piece("One ", "").as_str(), &piece("two.", ""), "no JSON", "{\"half\": \"a", &last].join("\n");
        pieces.replace("\"s\"", &format!("\"s{number}\""))
    };
    let streams = 40_000;
    let input = (0..streams).map(|number| stream(number) + "\n").collect::<String>();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.jsonl");
    fs::write(&file, &input).unwrap();
    let (_, out, _) = run(&["check", "--summary", file.to_str().unwrap(), "--format", "json"], "");
    let summary: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(summary["responses"], streams, "{summary}");
    let (_, repaired, _) = run(&["fix", file.to_str().unwrap()], "");
    assert!(repaired == input);
}

#[test]
fn lines_that_are_whole_are_responses_of_their_own() {
    // Trimmed to what matters.
    let trimmed = |text: &str| piece(text, &supporting(0, text)).replace(r#", "responseId": "s""#, "");
    let both = format!("{}\n{}\n", trimmed("One two."), trimmed("One two."));
    assert_eq!(told(&both).len(), 2);
    let (code, repaired, _) = run(&["fix"], &both);
    assert_eq!((code, repaired), (0, both));
    // A stream whose last piece has the supports is one.
    let begun = piece("One two.", "").replace(r#", "responseId": "s""#, "");
    assert_eq!(told(&format!("{begun}\n{}\n", trimmed("One two."))).len(), 1);
}

#[test]
fn what_is_broken_in_a_directory_fails_a_check_and_what_is_something_else_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let directory = folder.path().to_str().unwrap();
    write("good.json", &line("a", "a.example", true));
    write("package.json", "{\"name\": \"x\", \"version\": 1}");
    write("list.jsonl", "{\"name\": \"x\"}\n{\"name\": \"y\"}\n");
    let (code, out, errors) = run(&["check", directory], "");
    assert_eq!((code, errors.as_str()), (0, ""));
    assert!(out.contains("2 files without a response skipped"), "{out}");
    for (name, text) in [
        ("merge.json", format!("<<<<<<< HEAD\n{}\n", line("a", "a.example", true))),
        ("bad.json", "{bad".to_owned()),
        ("lines.jsonl", "{bad\n{worse\n".to_owned()),
        ("empty.json", String::new()),
        ("bytes.json", "\u{1}\u{2}\u{3}\u{0}\u{7}".to_owned()),
    ] {
        write(name, &text);
        let (code, out, errors) = run(&["check", "--format", "jsonl", directory], "");
        assert_eq!(code, 2, "{name}: {errors}");
        let told = objects(&out);
        assert!(told.iter().any(|object| object["file"].as_str().unwrap().ends_with(name)), "{name}: {out}");
        assert!(!out.contains("package.json") && errors.contains(name), "{name}: {errors}");
        assert_eq!(run(&["export", "--to", "jsonl", directory], "").0, 2, "{name}");
        fs::remove_file(folder.path().join(name)).unwrap();
    }
}

#[test]
fn a_directory_of_what_a_service_refused_fails_a_check_and_so_does_one_without_any_response() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let directory = folder.path().to_str().unwrap();
    let told = |format: &str| {
        let (code, _, errors) = run(&["check", "--format", format, directory], "");
        (code, errors.replace(&format!("{directory}/"), ""))
    };
    // What any other program may have written.
    write("rpc.json", r#"{"id": 1, "result": {"ok": true}, "error": null}"#);
    write("log.jsonl", "{\"level\": \"warn\", \"error\": \"slow\", \"at\": 1}\n");
    let nothing =
        "citescope: 2 files, and no grounded response in any: name one alone to see what it is\n".to_owned();
    for format in ["text", "json", "jsonl", "sarif", "github"] {
        assert_eq!(told(format), (2, nothing.clone()));
    }
    write("good.json", &line("a", "a.example", true));
    assert_eq!(told("text"), (0, String::new()));
    assert_eq!(told("sarif"), (0, "citescope: 2 files without a response skipped\n".to_owned()));
    for (name, text) in [
        ("quota.json", r#"{"error": {"code": 429, "message": "Too many", "status": "RESOURCE_EXHAUSTED"}}"#),
        ("array.json", r#"[{"error": {"code": 429, "message": "Too many"}}]"#),
        ("bare.json", r#"{"message": "Too many", "code": "429"}"#),
        ("words.json", r#"{"error": "Too many", "status": 429}"#),
        ("spring.json", r#"{"timestamp": "2026", "status": 500, "error": "Too many", "path": "/v1"}"#),
        ("oauth.json", r#"{"error": "invalid_token", "error_description": "Too many"}"#),
        ("fastapi.json", r#"{"detail": "Too many"}"#),
        ("fields.json", r#"{"detail": [{"loc": ["body"], "msg": "Too many", "type": "missing"}]}"#),
        ("cohere.json", r#"{"id": "u-1", "message": "Too many"}"#),
        ("mistral.json", r#"{"message": "Too many", "request_id": "abc"}"#),
        ("object.json", r#"{"object": "error", "message": {"detail": [{"msg": "Too many"}]}, "type": "x"}"#),
        ("azure.json", r#"{"statusCode": 401, "message": "Too many"}"#),
        ("aws.json", r#"{"Message": "Too many"}"#),
        ("lambda.json", r#"{"errorMessage": "Too many", "errorType": "Throttled"}"#),
        ("apigee.json", r#"{"fault": {"faultstring": "Too many", "detail": {"errorcode": "x"}}}"#),
        ("problem.json", r#"{"type": "about:blank", "title": "Slow", "status": 429, "detail": "Too many"}"#),
        ("graph.json", r#"{"errors": [{"message": "Too many"}], "data": null}"#),
        ("coral.json", r#"{"__type": "com.amazon.coral.service#Too many"}"#),
        (
            "lines.jsonl",
            "{\"error\": {\"message\": \"Too many\"}}\n{\"error\": {\"message\": \"Too many\"}}\n",
        ),
        (
            "stream.sse",
            "event: error\ndata: {\"type\": \"error\", \"error\": {\"message\": \"Too many\"}}\n\n",
        ),
    ] {
        write(name, text);
        let (code, errors) = told("json");
        let first = errors.lines().next().unwrap_or_default();
        assert!(first.starts_with(&format!("citescope: {name}:")) && first.contains("Too many"), "{errors}");
        assert_eq!(code, 2, "{name}: {errors}");
        fs::remove_file(folder.path().join(name)).unwrap();
    }
}

#[test]
fn a_directory_is_read_whatever_the_case_of_its_endings_and_a_link_that_leads_nowhere_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let directory = folder.path().to_str().unwrap();
    fs::write(folder.path().join("ONE.JSON"), line("a", "a.example", true)).unwrap();
    fs::write(folder.path().join("two.Jsonl"), line("b", "a.example", true)).unwrap();
    fs::write(folder.path().join("three.txt"), line("c", "a.example", true)).unwrap();
    let (code, out, errors) = run(&["check", directory], "");
    assert_eq!((code, errors.as_str()), (0, ""));
    assert!(out.ends_with("no findings in 2 responses\n"), "{out}");
    std::os::unix::fs::symlink("gone.json", folder.path().join("link.json")).unwrap();
    let (code, _, errors) = run(&["check", directory], "");
    assert_eq!(code, 2);
    assert_eq!(errors, format!("citescope: {directory}/link.json: no such file; check the path\n"));
}
