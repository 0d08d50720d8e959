//! `citescope fix`: which bytes change, which never do, and what it says.

use std::fs;
use std::process::Output;

use crate::common::program;
use crate::common::program::{output, run, text, texts};

fn fix(args: &[&str], input: &str) -> Output {
    output([&["fix"], args].concat(), input)
}

/// A response with one chunk, the answer "Äpfel sind gut. Öl auch." (27 bytes, 24 characters) and these
/// supports.
fn response(supports: &str) -> String {
    format!(
        r#"{{"candidates":[{{"content":{{"parts":[{{"text":"Äpfel sind gut. Öl auch."}}]}},"groundingMetadata":{{"groundingChunks":[{{"web":{{"uri":"https://a.example","title":"a"}}}}],"groundingSupports":[{supports}]}}}}]}}"#
    )
}

/// It may have been right: nothing but its neighbours says otherwise.
#[test]
fn offsets_without_a_quote_that_cut_no_word_are_left() {
    let answer = "Rio opens at nine. It closes at ten.";
    let input = |end: usize| {
        let quoted = r#"{"segment": {"endIndex": 8, "text": "Rio opens"}, "groundingChunkIndices": [0]}"#;
        let other = format!(
            r#"{{"segment": {{"startIndex": 19, "endIndex": {end}}}, "groundingChunkIndices": [0]}}"#
        );
        format!(
            r#"{{"candidates": [{{"content": {{"parts": [{{"text": "{answer}"}}]}}, "finishReason": "STOP", "groundingMetadata": {{"groundingChunks": [{{"web": {{"uri": "https://a.example/"}}}}], "groundingSupports": [{quoted}, {other}]}}}}]}}"#
        )
    };
    // Before the full stop, and inside of a word.
    let (code, out, errors) = run(&["fix"], &input(35));
    assert_eq!((code, out), (1, input(35).replace("\"endIndex\": 8", "\"endIndex\": 9")), "{errors}");
    assert!(
        errors.contains("support 2 is left as it is: it has no quote that proves where it belongs"),
        "{errors}"
    );
    let (code, out, errors) = run(&["fix"], &input(34));
    let mended = input(34).replace("\"endIndex\": 8", "\"endIndex\": 9").replace("34}", "35}");
    assert_eq!((code, out), (0, mended), "{errors}");
}

/// Where one quote proves the documented unit, the others do not speak for what has none.
#[test]
fn offsets_without_a_quote_are_left_where_quotes_disagree() {
    let answer = "🧀 Käse aus Gouda öffnet früh. Züge fahren stündlich. Häfen schließen später. Schließlich regnet es.";
    let support = |start: usize, end: usize, quote: &str| {
        let quote = if quote.is_empty() { String::new() } else { format!(r#", "text": "{quote}""#) };
        format!(
            r#"{{"segment": {{"startIndex": {start}, "endIndex": {end}{quote}}}, "groundingChunkIndices": [0]}}"#
        )
    };
    // Two quotes in UTF-16 units, and the last one in bytes.
    let input = |last: (usize, usize)| {
        let supports = [
            support(0, 30, "🧀 Käse aus Gouda öffnet früh."),
            support(31, 53, "Züge fahren stündlich."),
            support(54, 77, ""),
            support(last.0, last.1, "Schließlich regnet es."),
        ];
        format!(
            r#"{{"candidates": [{{"content": {{"parts": [{{"text": "{answer}"}}]}}, "finishReason": "STOP", "groundingMetadata": {{"groundingChunks": [{{"web": {{"uri": "https://a.example/"}}}}], "groundingSupports": [{}]}}}}]}}"#,
            supports.join(", ")
        )
    };
    let start = answer.find("Schließlich").unwrap();
    let in_bytes = (start, start + "Schließlich regnet es.".len());
    let units = |to: usize| answer[..to].encode_utf16().count();
    let (code, out, errors) = run(&["fix"], &input(in_bytes));
    assert!(out.contains(r#""startIndex": 54, "endIndex": 77}"#), "{out}");
    assert!(
        errors.contains("support 3 is left as it is: it has no quote that proves where it belongs"),
        "{errors}"
    );
    assert_eq!(code, 1);
    let (code, out, errors) = run(&["fix"], &input((units(in_bytes.0), units(in_bytes.1))));
    assert!(code == 0 && !out.contains(r#""startIndex": 54, "endIndex": 77}"#), "{errors}\n{out}");
}

#[test]
fn only_the_wrong_numbers_are_replaced_and_a_missing_start_is_inserted() {
    let cases = [
        // Characters instead of bytes; the first start stays left out, because it is right.
        (
            r#"{"segment":{"endIndex":15,"text":"Äpfel sind gut."},"groundingChunkIndices":[0]},{"segment":{"startIndex":16,"endIndex":24,"text":"Öl auch."}}"#,
            r#"{"segment":{"endIndex":16,"text":"Äpfel sind gut."},"groundingChunkIndices":[0]},{"segment":{"startIndex":17,"endIndex":26,"text":"Öl auch."}}"#,
        ),
        // A start that was left out and may not be, in the spelling and spacing of its neighbours.
        (
            r#"{"segment": {"end_index": 9, "text": "Öl auch."}}"#,
            r#"{"segment": {"start_index": 17, "end_index": 26, "text": "Öl auch."}}"#,
        ),
        (
            "{\"segment\": {\n    \"endIndex\": 9,\n    \"text\": \"Öl auch.\"}}",
            "{\"segment\": {\n    \"startIndex\": 17,\n    \"endIndex\": 26,\n    \"text\": \"Öl auch.\"}}",
        ),
        // Numbers in strings stay strings; null becomes a number; the last of repeated keys counts.
        (
            r#"{"segment":{"startIndex":"16","endIndex":null,"text":"Öl auch."}}"#,
            r#"{"segment":{"startIndex":"17","endIndex":26,"text":"Öl auch."}}"#,
        ),
        (
            r#"{"segment":{"endIndex":3,"startIndex":16,"endIndex":24,"text":"Öl auch."}}"#,
            r#"{"segment":{"endIndex":3,"startIndex":17,"endIndex":26,"text":"Öl auch."}}"#,
        ),
    ];
    for (sent, repaired) in cases {
        let out = fix(&[], &response(sent));
        assert_eq!(text(&out.stdout), response(repaired));
        assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
        let again = fix(&[], text(&out.stdout));
        assert_eq!(
            (text(&again.stdout), text(&again.stderr)),
            (text(&out.stdout), "citescope: stdin: nothing to repair\n")
        );
    }
}

#[test]
fn an_end_that_cannot_be_one_is_repaired_though_what_it_names_begins_with_the_quote() {
    let cases = [
        // It parts a word, and the end of the quote does not.
        (
            r#"{"segment":{"endIndex":14,"text":"Äpfel sind"}}"#,
            r#"{"segment":{"endIndex":11,"text":"Äpfel sind"}}"#,
        ),
        // Behind one that fits.
        (
            r#"{"segment":{"endIndex":16,"text":"Äpfel sind gut."}},{"segment":{"startIndex":17,"endIndex":24,"text":"Öl"}}"#,
            r#"{"segment":{"endIndex":16,"text":"Äpfel sind gut."}},{"segment":{"startIndex":17,"endIndex":20,"text":"Öl"}}"#,
        ),
    ];
    for (sent, repaired) in cases {
        let out = fix(&[], &response(sent));
        assert_eq!(text(&out.stdout), response(repaired), "{}", text(&out.stderr));
    }
}

#[test]
fn a_quote_that_was_cut_is_left_wherever_it_stands_and_so_are_all_without_their_stop() {
    for sent in [
        r#"{"segment":{"endIndex":16,"text":"Äpfel sind gut."}},{"segment":{"startIndex":17,"endIndex":26,"text":"Öl"}}"#,
        r#"{"segment":{"endIndex":16,"text":"Äpfel sind gut."}},{"segment":{"startIndex":17,"endIndex":26,"text":"Öl au"}}"#,
        r#"{"segment":{"endIndex":16,"text":"Äpfel sind gut"}},{"segment":{"startIndex":17,"endIndex":26,"text":"Öl auch"}}"#,
    ] {
        let out = fix(&[], &response(sent));
        assert_eq!(text(&out.stdout), response(sent), "{}", text(&out.stderr));
        assert!(text(&out.stderr).contains("the quote may have been cut short"), "{}", text(&out.stderr));
    }
}

#[test]
fn what_is_not_certain_is_left_and_named() {
    let cases = [
        (
            r#"{"segment":{"startIndex":3,"endIndex":9,"text":"Äpfel sind…"}}"#,
            "its quote was shortened, so that its end is not certain",
        ),
        (
            r#"{"segment":{"endIndex":16,"text":"Äpfel sind"}}"#,
            "what its offsets name begins with its quote and goes on: the quote may have been cut short",
        ),
        // Cut within a word, or only its last stop.
        (
            r#"{"segment":{"endIndex":16,"text":"Äpfel si"}}"#,
            "what its offsets name begins with its quote and goes on: the quote may have been cut short",
        ),
        (
            r#"{"segment":{"endIndex":16,"text":"Äpfel sind gut"}}"#,
            "what its offsets name begins with its quote and goes on: the quote may have been cut short",
        ),
        (r#"{"segment":{"startIndex":3,"endIndex":4,"text":"u"}}"#, "its quote occurs several times"),
        (r#"{"segment":{"endIndex":9,"text":"Birnen"}}"#, "its quote is nowhere in the answer"),
        (
            r#"{"segment":{"endIndex":15,"text":"Äpfel  sind gut."}}"#,
            "its quote occurs only with other white space, or letters composed otherwise",
        ),
        (
            r#"{"segment":{"startIndex":1,"endIndex":90}}"#,
            "its offsets name no place, and it has no quote to look for",
        ),
    ];
    for (sent, why) in cases {
        let out = fix(&[], &response(sent));
        assert_eq!(text(&out.stdout), response(sent));
        assert_eq!(
            text(&out.stderr),
            format!(
                "citescope: support 1 is left as it is: {why}\ncitescope: stdin: nothing could be repaired, \
                 1 left\n"
            )
        );
        assert_eq!(out.status.code(), Some(1));
    }
}

#[test]
fn a_dry_run_lists_the_changes() {
    let out = fix(&["--dry-run"], &response(r#"{"segment":{"endIndex":9,"text":"Öl auch."}}"#));
    let path = "$.candidates[0].groundingMetadata.groundingSupports[0].segment";
    assert_eq!(
        text(&out.stdout),
        format!("support 1: {path}.startIndex: (not sent) -> 17\nsupport 1: {path}.endIndex: 9 -> 26\n")
    );
    assert_eq!(text(&out.stderr), "citescope: stdin: 1 support would be repaired (2 numbers), 0 left\n");
}

#[test]
fn places_are_told_in_the_spelling_of_the_input() {
    let sent = response(r#"{"segment":{"startIndex":0,"endIndex":9,"text":"Öl auch."}}"#);
    let sent = sent
        .replace("groundingMetadata", "grounding_metadata")
        .replace("groundingSupports", "grounding_supports");
    let sent = sent.replace("startIndex", "start_index").replace("endIndex", "end_index");
    let out = fix(&["--dry-run"], &sent);
    let path = "$.candidates[0].grounding_metadata.grounding_supports[0].segment";
    assert_eq!(
        text(&out.stdout),
        format!("support 1: {path}.start_index: 0 -> 17\nsupport 1: {path}.end_index: 9 -> 26\n")
    );
    let (_, found, _) = texts(output(["check", "-"], &sent));
    assert!(found.contains("= fix: support 1 start_index 0 -> 17, support 1 end_index 9 -> 26;"), "{found}");
}

#[test]
fn a_file_is_written_over_only_when_told_and_keeps_its_mode() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.json");
    let link = folder.path().join("link.json");
    let sent = response(r#"{"segment":{"endIndex":9,"text":"Öl auch."}}"#);
    fs::write(&file, &sent).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    fix(&[file.to_str().unwrap()], "");
    assert_eq!(fs::read_to_string(&file).unwrap(), sent);
    let out = fix(&["--in-place", link.to_str().unwrap()], "");
    assert_eq!((text(&out.stdout), out.status.code()), ("", Some(0)));
    assert!(fs::read_to_string(&file).unwrap().contains(r#""startIndex":17,"endIndex":26"#));
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn streams_and_lines_keep_every_other_byte() {
    // Frames of one id are one response.
    let response =
        |id: &str, support: &str| response(support).replacen('{', &format!(r#"{{"responseId":"{id}","#), 1);
    let one = response("a", r#"{"segment":{"endIndex":9,"text":"Öl auch."}}"#);
    let repaired = response("a", r#"{"segment":{"startIndex":17,"endIndex":26,"text":"Öl auch."}}"#);
    let right = response("b", r#"{"segment":{"startIndex":17,"endIndex":26,"text":"Öl auch."}}"#);
    for (before, between, after) in
        [("data: ", "\r\n\r\ndata: ", "\r\n\r\n"), ("\u{feff}", "\n\n", "\n"), ("[\n", ",  ", "\n]\n")]
    {
        let sent = format!("{before}{one}{between}{right}{after}");
        let out = fix(&[], &sent);
        assert_eq!(
            text(&out.stdout),
            format!("{before}{repaired}{between}{right}{after}"),
            "{}",
            text(&out.stderr)
        );
    }
}

/// Longer than what is looked at at once: it is gone through in stretches, from a file and from a pipe alike.
#[test]
fn lines_of_any_length_are_repaired_where_they_are_wrong() {
    let lines = |first: u32, second: (u32, u32)| {
        let wrong = format!(
            r#"{{"segment":{{"endIndex":{first},"text":"Äpfel sind gut."}}}},{{"segment":{{"startIndex":{},"endIndex":{},"text":"Öl auch."}}}}"#,
            second.0, second.1
        );
        let right = r#"{"segment":{"endIndex":16,"text":"Äpfel sind gut."}}"#;
        let pad = format!("\"finishReason\":\"STOP\",\"note\":\"{}\",\"groundingM", "ä".repeat(1000));
        let response = |supports: &str| response(supports).replace("\"groundingM", &pad);
        let mut lines = String::new();
        for number in 0..2500 {
            match number {
                7 | 1200 => lines.push_str("{broken\r\n"),
                _ if number % 400 == 11 => lines.push_str(&(response(&wrong) + "\n\n")),
                _ => lines.push_str(&(response(right) + "\n")),
            }
        }
        lines
    };
    let (sent, repaired) = (lines(15, (16, 24)), lines(16, (17, 26)));
    assert!(sent.len() > 5 << 20, "{}", sent.len());
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.jsonl");
    fs::write(&file, &sent).unwrap();
    let by_name = fix(&[file.to_str().unwrap()], "");
    let piped = fix(&[], &sent);
    for out in [by_name, piped] {
        assert!(text(&out.stdout) == repaired);
        assert_eq!(out.status.code(), Some(2));
        let said = text(&out.stderr).lines().last().unwrap();
        assert!(said.ends_with(": 14 supports repaired (21 numbers), 0 left"), "{said}");
    }
    let dry = fix(&["--dry-run", file.to_str().unwrap()], "");
    let last = text(&dry.stdout).lines().last().unwrap();
    assert_eq!(
        last,
        "response 2412.1, support 2: $.candidates[0].groundingMetadata.groundingSupports[1].segment.endIndex: 24 -> 26"
    );
}

/// More than the first stretch is something else, blank lines stand by the hundred thousand, and files that
/// were put together begin with a mark of the byte order each.
#[test]
fn what_stands_before_and_between_the_lines_costs_neither_time_nor_repairs() {
    let wrong = r#"{"segment":{"startIndex":16,"endIndex":24,"text":"Öl auch."}}"#;
    let response = response(wrong).replace("\"groundingM", "\"finishReason\":\"STOP\",\"groundingM");
    let other = format!("{{\"note\": \"{}\"}}\n", "x".repeat(5000));
    let sent =
        format!("{}\u{feff}{response}\n{}\u{feff}{response}\n", other.repeat(1000), "\n".repeat(300_000));
    let repaired = sent.replace("\"startIndex\":16,\"endIndex\":24", "\"startIndex\":17,\"endIndex\":26");
    let out = fix(&[], &sent);
    assert!(text(&out.stdout) == repaired, "{}", text(&out.stderr));
    assert!(
        text(&out.stderr).ends_with("stdin: 2 supports repaired (4 numbers), 0 left\n"),
        "{}",
        text(&out.stderr)
    );
    assert_eq!(out.status.code(), Some(2));
    let latin = [sent.as_bytes(), b"{\"a\": \"caf\xe9\"}\n"].concat();
    let out = output(["fix", "--dry-run"], &latin);
    assert_eq!((text(&out.stdout), out.status.code()), ("", Some(2)));
    assert!(
        text(&out.stderr).contains("the input is not UTF-8 throughout (line 301003, column 11)"),
        "{}",
        text(&out.stderr)
    );
}

#[test]
fn a_number_inserted_into_an_event_begins_no_line_of_its_own() {
    let support = |start: &str, end: usize| {
        format!("{{\"segment\":\ndata: {{{start}\ndata:  \"endIndex\":{end},\"text\":\"Öl auch.\"}}}}")
    };
    let event = |support: String| format!("data: {}\n\n", response(&support));
    let out = fix(&[], &event(support("", 9)));
    assert_eq!(text(&out.stdout), event(support("\"startIndex\":17,", 26)), "{}", text(&out.stderr));
}

#[test]
fn one_reserved_blank_hit_by_chance_proves_nothing() {
    let sent = fs::read_to_string("samples/bigdata-workflow.sse").unwrap();
    let moved = sent.replace("\"end\": 116", "\"end\": 117").replace("\"end\": 194", "\"end\": 195");
    assert!(moved != sent);
    let out = fix(&[], &moved);
    assert_eq!(text(&out.stdout), moved, "{}", text(&out.stderr));
}

#[test]
fn a_quote_that_overlaps_with_itself_occurs_several_times() {
    let answer = "Note: The crowd sang. Go go go go. Then it left.";
    let input = |start: usize, end: usize| {
        format!(
            r#"{{"candidates":[{{"content":{{"parts":[{{"text":"{answer}"}}]}},"groundingMetadata":{{"groundingSupports":[{{"segment":{{"startIndex":{start},"endIndex":{end},"text":"go go"}}}}]}}}}]}}"#
        )
    };
    let out = fix(&["--dry-run"], &input(22, 27));
    assert_eq!((text(&out.stdout), out.status.code()), ("", Some(1)));
    let left = "citescope: support 1 is left as it is: its quote occurs several times\n";
    assert!(text(&out.stderr).starts_with(left), "{}", text(&out.stderr));
    for start in [25, 28] {
        assert_eq!(fix(&[], &input(start, start + 5)).status.code(), Some(0));
    }
}

#[test]
fn what_cannot_be_read_fails_with_the_place() {
    let out = fix(&[], "{\"a\": 1");
    assert_eq!((out.status.code(), text(&out.stdout)), (Some(2), ""));
    let wide: Vec<u8> =
        [0xFF, 0xFE].into_iter().chain(response("").encode_utf16().flat_map(u16::to_le_bytes)).collect();
    let out = output(["fix"], wide);
    assert!(text(&out.stderr).contains("the input is not UTF-8 throughout"), "{}", text(&out.stderr));
    let out = fix(&["--in-place"], "");
    assert_eq!(
        (out.status.code(), text(&out.stderr)),
        (Some(2), "citescope: --in-place needs the name of a file\n")
    );
}

#[test]
fn of_quotes_that_occur_several_times_none_is_moved_by_chance() {
    let response = |answer: &str, supports: &[(usize, &str)]| {
        let support = |(start, quote): &(usize, &str)| serde_json::json!({"segment": {"startIndex": start, "endIndex": start + quote.len(), "text": quote}, "groundingChunkIndices": [0]});
        let supports: Vec<_> = supports.iter().map(support).collect();
        serde_json::json!({"candidates": [{"content": {"parts": [{"text": answer}]}, "groundingMetadata": {
            "groundingChunks": [{"web": {"uri": "https://a.example"}}], "groundingSupports": supports}}]})
        .to_string()
    };
    let starts = |out: &str| -> Vec<u64> {
        let out: serde_json::Value = serde_json::from_str(out).unwrap();
        let supports =
            out["candidates"][0]["groundingMetadata"]["groundingSupports"].as_array().unwrap().clone();
        supports.iter().map(|support| support["segment"]["startIndex"].as_u64().unwrap()).collect()
    };
    // Counted with line ends of two bytes. The third line is as far from the second as this one's offset.
    let list = "* Wien: 12 €.\n- Oslo: 12 €.\n3. Oslo: 12 €.\n";
    let (code, out, errors) =
        program::run(&["fix"], &response(list, &[(8, "12 €"), (25, "12 €"), (43, "12 €")]));
    assert_eq!((code, starts(&out)), (1, vec![8, 25, 43]), "{errors}");
    assert!(errors.contains("support 2 is left as it is: its quote occurs several times"), "{errors}");
    // What occurs once shows by how much those are off that stand beside it.
    let list = "A is red. B is big. C is red. D is old.";
    let sent = [(0, "A is red"), (12, "B is big"), (27, "red"), (32, "D is old")];
    let (code, out, errors) = program::run(&["fix"], &response(list, &sent));
    assert_eq!((code, starts(&out)), (0, vec![0, 10, 25, 30]), "{errors}");
    // Before what is right it shows nothing.
    let sent = [(0, "A is red"), (12, "B is big"), (27, "red"), (30, "D is old")];
    let (code, out, errors) = program::run(&["fix"], &response(list, &sent));
    assert_eq!((code, starts(&out)), (1, vec![0, 10, 27, 30]), "{errors}");
}

#[cfg(unix)]
mod in_place {
    use std::fs;
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::path::{Path, PathBuf};

    use crate::common::program::{command, run, text};

    /// An answer of so many sentences, each with offsets one too large.
    fn drifted(sentences: usize) -> String {
        let answer = "A day was long. ".repeat(sentences);
        let supports: Vec<String> = (0..sentences)
            .map(|n| format!(r#"{{"segment": {{"startIndex": {}, "endIndex": {}, "text": "A day was long."}}, "groundingChunkIndices": [0]}}"#, 16 * n + 1, 16 * n + 16))
            .collect();
        format!(
            r#"{{"candidates": [{{"content": {{"parts": [{{"text": "{answer}"}}]}}, "groundingMetadata": {{"groundingChunks": [{{"web": {{"uri": "https://a.example"}}}}], "groundingSupports": [{}]}}}}]}}"#,
            supports.join(", ")
        )
    }

    fn file_in(folder: &Path) -> PathBuf {
        let file = folder.join("f.json");
        fs::write(&file, drifted(3)).unwrap();
        file
    }

    fn fix(args: &[&str], file: &Path) -> (i32, String) {
        let mut all = vec!["fix", "--in-place"];
        all.extend(args);
        all.push(file.to_str().unwrap());
        let (code, _, errors) = run(&all, "");
        (code, errors)
    }

    #[test]
    fn only_a_regular_file_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for other in [pipe.as_path(), Path::new("/dev/null"), folder.path()] {
            let (code, errors) = fix(&[], other);
            assert_eq!(code, 2);
            assert!(errors.contains("this is no regular file"), "{errors}");
        }
        assert!(!fs::metadata(&pipe).unwrap().is_file());
        let file = file_in(folder.path());
        let link = folder.path().join("link");
        std::os::unix::fs::symlink("/dev/stdin", &link).unwrap();
        for (name, place) in [("/dev/stdin", "."), (link.to_str().unwrap(), "."), ("stdin", "/dev")] {
            let redirected = fs::File::open(&file).unwrap();
            let mut fix = command();
            let out =
                fix.args(["fix", "--in-place", name]).current_dir(place).stdin(redirected).output().unwrap();
            assert_eq!(out.status.code(), Some(2));
            let told = format!("{name}: this is no regular file");
            assert!(text(&out.stderr).contains(&told), "{}", text(&out.stderr));
        }
        assert_eq!(fs::read_to_string(&file).unwrap(), drifted(3));
    }

    #[test]
    fn what_would_get_lost_is_refused_unless_it_is_forced() {
        let folder = tempfile::tempdir().unwrap();
        let file = file_in(folder.path());
        fs::hard_link(&file, folder.path().join("other.json")).unwrap();
        let (code, errors) = fix(&[], &file);
        assert_eq!(code, 2);
        assert!(errors.contains("the file has 2 names (hard links)"), "{errors}");
        fs::remove_file(folder.path().join("other.json")).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).unwrap();
        let (code, errors) = fix(&[], &file);
        assert_eq!(code, 2);
        assert!(errors.contains("the file is read-only; --force replaces it"), "{errors}");
        assert_eq!(fs::read_to_string(&file).unwrap(), drifted(3));
        assert_eq!(fix(&["--force"], &file).0, 0);
        assert_eq!(fs::metadata(&file).unwrap().mode() & 0o7777, 0o444);
        assert!(fs::read_to_string(&file).unwrap().contains(r#""startIndex": 16"#));
    }

    #[test]
    fn permissions_and_attributes_stay_and_the_right_to_run_as_somebody_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let file = file_in(folder.path());
        fs::set_permissions(&file, fs::Permissions::from_mode(0o6750)).unwrap();
        let flags = rustix::fs::XattrFlags::empty();
        let marked = rustix::fs::setxattr(&file, "user.citescope", b"kept", flags).is_ok();
        assert_eq!(fix(&[], &file).0, 0);
        assert_eq!(fs::metadata(&file).unwrap().mode() & 0o7777, 0o750);
        if marked {
            let mut value = [0; 16];
            let size = rustix::fs::getxattr(&file, "user.citescope", &mut value[..]).unwrap();
            assert_eq!(&value[..size], b"kept");
        } else {
            eprintln!("skipped: no extended attributes here");
        }
    }

    #[test]
    fn killed_at_any_moment_it_leaves_the_file_whole_and_nothing_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("f.json");
        let before = drifted(4000);
        let mut ended = 0;
        for pause in (0..400).step_by(20) {
            fs::write(&file, &before).unwrap();
            let mut child = command()
                .args(["fix", "--in-place", file.to_str().unwrap()])
                .stderr(std::process::Stdio::null())
                .spawn()
                .unwrap();
            std::thread::sleep(std::time::Duration::from_millis(pause));
            let _ = std::process::Command::new("kill")
                .args(["-TERM", &child.id().to_string()])
                .stderr(std::process::Stdio::null())
                .status();
            ended += usize::from(child.wait().unwrap().code() == Some(0));
            let now = fs::read_to_string(&file).unwrap();
            assert!(
                now == before || now.contains(r#""startIndex": 16"#) && now.ends_with("]}}]}"),
                "torn after {pause} ms"
            );
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "after {pause} ms");
        }
        assert!(ended < 20);
    }
}
