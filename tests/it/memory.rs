//! Memory of the process as the system counts it, for records of very many small things. Only Linux tells.

#![cfg(target_os = "linux")]

use std::fmt::Write as _;
use std::io::{BufRead, BufReader};
use std::process::Stdio;

use crate::common::program::{command, output, texts};
use crate::common::terminal::Terminal;

/// Most that `check` has held when the result of the input is there, bytes. A second input keeps it waiting.
fn held(input: &str) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("input");
    std::fs::write(&file, input).unwrap();
    let mut run = command();
    run.args(["check", "--format", "jsonl"]).arg(&file).arg("-");
    // Huge pages are handed out as the system has some to spare, so that the same run takes 7 MB more or
    // less.
    run.env("_RJEM_MALLOC_CONF", "thp:never");
    let mut child = run.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let held = held_by(child.id());
    drop(child.stdin.take());
    child.wait().unwrap();
    assert!(line.contains("\"findings\"") || line.contains("far more memory than its text"), "{line}");
    held
}

/// Most that a process has held so far, bytes.
fn held_by(process: u32) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    most.trim().trim_end_matches(" kB").parse::<usize>().unwrap() << 10
}

/// Checks that an input takes at most so many times its size, beside 20 MB and what the program takes anyway.
#[track_caller]
fn expect_held(input: &str, times: usize) {
    let anyway = held(r#"{"candidates": [{"content": {"parts": [{"text": "Hi."}]}}]}"#);
    let held = held(input).saturating_sub(anyway);
    let most = times * input.len() + 20_000_000;
    assert!(held <= most, "{held} bytes of {}, at most {most}", input.len());
}

/// Offsets that hold no marks, in one sentence without end: each claim is all that is looked at before it.
#[test]
fn claims_of_one_long_sentence() {
    let mut stream = String::new();
    for n in 0..10_000 {
        let (start, end) = (7 * n, 7 * n + 6);
        let _ = write!(
            stream,
            r#"data: {{"id":"c","object":"chat.completion.chunk","choices":[{{"index":0,"delta":{{"content":"w{n:05} ","annotations":[{{"type":"url_citation","url_citation":{{"url":"https://e{n}.example/","title":"t","start_index":{start},"end_index":{end}}}}}]}}}}]}}"#
        );
        stream.push_str("\n\n");
    }
    expect_held(&stream, 6);
}

/// Passages, all of them cited at one place.
#[test]
fn sources_that_one_support_cites() {
    let sentence = "The light at Ellary Point was lit in 1932.";
    let chunks: Vec<String> = (0..40_000)
        .map(|n| {
            format!(
                r#"{{"retrievedContext":{{"uri":"https://a.example/{n}","title":"t","text":"{sentence}"}}}}"#
            )
        })
        .collect();
    let indices: Vec<String> = (0..40_000).map(|n| n.to_string()).collect();
    let response = format!(
        r#"{{"candidates":[{{"content":{{"parts":[{{"text":"{sentence}"}}]}},"groundingMetadata":{{"groundingChunks":[{}],"groundingSupports":[{{"segment":{{"endIndex":42,"text":"{sentence}"}},"groundingChunkIndices":[{}]}}]}}}}]}}"#,
        chunks.join(","),
        indices.join(",")
    );
    expect_held(&response, 12);
}

/// The answer as Gemini sends it, with supports that have these offsets and quotes.
fn quoting(text: &str, supports: &[(usize, usize, String)]) -> String {
    let support = |(start, end, quote): &(usize, usize, String)| {
        format!(
            r#"{{"segment":{{"startIndex":{start},"endIndex":{end},"text":"{quote}"}},"groundingChunkIndices":[0]}}"#
        )
    };
    let supports: Vec<String> = supports.iter().map(support).collect();
    format!(
        r#"{{"candidates":[{{"content":{{"parts":[{{"text":"{text}"}}]}},"groundingMetadata":{{"groundingChunks":[{{"web":{{"uri":"https://a.example/","title":"t"}}}}],"groundingSupports":[{}]}}}}]}}"#,
        supports.join(",")
    )
}

/// Quotes that occur everywhere, and none where its offsets say: each kept all its places, 418 MB.
#[test]
fn quotes_that_occur_everywhere() {
    let supports: Vec<_> = (0..200).map(|n| (n, n + 1400, "a".repeat(40 + n))).collect();
    expect_held(&quoting(&"a".repeat(250_000), &supports), 4);
    let supports: Vec<_> = (0..200).map(|n| (3 * n, 3 * n + 900, ["no"; 204][..4 + n].join(" "))).collect();
    expect_held(&quoting(&"no ".repeat(80_000), &supports), 4);
}

/// Code in running text beside marks, which ask what is code: parsing 4 MB of them took 370 MB.
#[test]
fn marks_beside_code() {
    expect_held(&quoting(&"`d` [1] ".repeat(250_000), &[(0, 3, "`d`".to_owned())]), 12);
}

/// Claims with a number that their passage has not.
fn claims_without_their_number() -> String {
    let sentence = |n: usize| format!("Thing {n} is {} metres long. ", n % 977);
    let text: String = (0..4_000).map(sentence).collect();
    let supports: Vec<_> = (0..60_000).map(|n| (n, n + 50, String::new())).collect();
    let response = quoting(&text, &supports).replace(r#","text":"""#, "");
    let passage = r#""retrievedContext":{"text":"Thing 7 is 7 metres long.","uri""#;
    let compared = response.replace(r#""web":{"uri""#, passage);
    assert!(compared.len() > response.len());
    compared
}

/// A finding was kept and written of each, 270 MB of 12 MB.
#[test]
fn claims_with_a_finding_each() {
    expect_held(&claims_without_their_number(), 12);
}

/// What is shown was read a second time by the check behind it.
#[test]
fn the_screen_takes_hardly_more_than_a_check() {
    let input = claims_without_their_number();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("input");
    std::fs::write(&file, &input).unwrap();
    let mut screen = Terminal::open(&[file.to_str().unwrap()]);
    screen.until("60000 numbers missing");
    screen.still();
    let (shown, checked) = (held_by(screen.process()), held(&input));
    assert!(shown <= checked + 25_000_000, "{shown} bytes on the screen, {checked} in a check");
    screen.press("q");
    assert_eq!(screen.ended(), 0);
}

/// Lines of a letter: two places were kept for each of them, 607 MB of 27 MB.
#[test]
fn lines_of_a_letter() {
    expect_held(&quoting(&"a\\n".repeat(2_000_000), &[(0, 1, "a".to_owned())]), 3);
}

/// Marks in the answer of one's own JSON, which is refused: they were all looked for before they counted.
#[test]
fn marks_of_ones_own_json() {
    let marks = "word [1]. ".repeat(200_000);
    expect_held(&format!(r#"{{"text":"{marks}","sources":[{{"id":"a","url":"https://a.example/"}}]}}"#), 24);
}

/// Marks in a message of Vercel's, which is refused: 9 MB took 354 MB until that showed.
#[test]
fn marks_of_a_message_of_vercel() {
    let marks = "[1] ".repeat(1_000_000);
    let source = r#"{"type":"source-url","sourceId":"s","url":"https://a.example/"}"#;
    expect_held(
        &format!(r#"{{"id":"m","role":"assistant","parts":[{source},{{"type":"text","text":"{marks}"}}]}}"#),
        24,
    );
}

/// A long answer with one annotation: the place of each of its characters was kept, ten bytes of a byte.
#[test]
fn a_long_answer_with_one_annotation() {
    let text = "Claim number 7 says that thing 49 is 7 metres long. ".repeat(100_000);
    let annotation =
        r#"{"type":"url_citation","start_index":0,"end_index":51,"url":"https://a.example/","title":"t"}"#;
    expect_held(
        &format!(
            r#"{{"object":"response","status":"completed","output":[{{"type":"message","role":"assistant","content":[{{"type":"output_text","text":"{text}","annotations":[{annotation}]}}]}}]}}"#
        ),
        5,
    );
}

/// An address of many signs that thousands of claims cite is written with each: 1.9 GB of half a megabyte.
#[test]
fn an_address_of_signs_that_thousands_cite() {
    let supports: Vec<_> = (0..5_000).map(|n| (n * 10, n * 10 + 9, "Ab cd ef.".to_owned())).collect();
    let cited = |address: &str| {
        quoting(&"Ab cd ef. ".repeat(5_000), &supports).replace("https://a.example/", address)
    };
    let export = |address: &str| texts(output(["export", "--to", "inline"], cited(address)));
    let (code, _, errors) = export(&format!("https://a.example/{}", "a*/".repeat(400)));
    assert!(code == 2 && errors.contains("2015000 signs of Markdown"), "{errors}");
    let (code, _, errors) = export(&format!("https://a.example/{}", "a*/".repeat(2_600)));
    assert!(code == 2 && errors.contains("its citations repeat 39 MB of addresses and titles"), "{errors}");
    let ordinary = "https://a.example/_layouts/15/x.aspx?id=a_b&amp;c=%5Bd%5D";
    let (code, out, errors) = export(ordinary);
    assert!(code == 0 && out.matches("[1](").count() == 5_000, "{errors}");
}

/// Marks that name thousands, in a message of LangChain's and in several choices: 1 MB took 624 MB until it
/// was refused, 3 MB 1,065.
#[test]
fn marks_that_name_several_sources() {
    let beside = r#""additional_kwargs":{"citations":["https://a.example/"]},"response_metadata":{"model_provider":"perplexity"}"#;
    let message =
        |text: &str| format!(r#"{{"type":"ai","content":[{{"type":"text","text":"{text}"}}],{beside}}}"#);
    let choices = |text: &str| {
        let choice = |n: usize| {
            format!(
                r#"{{"index":{n},"message":{{"role":"assistant","content":"{text}"}},"finish_reason":"stop"}}"#
            )
        };
        let choices = (0..30).map(choice).collect::<Vec<_>>().join(",");
        format!(r#"{{"object":"chat.completion","citations":["https://a.example/"],"choices":[{choices}]}}"#)
    };
    for marks in ["[1-30] ", "[1,2,3,4,5,6,7,8,9]", "[1][2][3][4][5][6][7][8][9]", "Rain fell [1]. "] {
        expect_held(&message(&marks.repeat(1_000_000 / marks.len())), 4);
        expect_held(&choices(&marks.repeat(100_000 / marks.len())), 4);
    }
}

/// Links without numbers count, too: 8 MB of them took 136 MB until they were refused.
#[test]
fn links_of_a_text() {
    let message = format!(
        r#"{{"object":"response","status":"completed","output":[{{"type":"message","role":"assistant","content":[{{"type":"output_text","text":"{}","annotations":[]}}]}}]}}"#,
        "[a](https://a.example/) ".repeat(125_000)
    );
    expect_held(&message, 4);
}

/// Citations of one address and links to it: the places of all links were kept for each citation, 1.1 GB and
/// 4 s of 1 MB.
#[test]
fn citations_of_an_address_with_many_links_to_it() {
    let response = |links: usize, spans: &[(usize, usize)]| {
        let annotation = |(start, end): &(usize, usize)| {
            format!(
                r#"{{"type":"url_citation","url_citation":{{"start_index":{start},"end_index":{end},"title":"t","url":"https://a.example/"}}}}"#
            )
        };
        let annotations: Vec<String> = spans.iter().map(annotation).collect();
        format!(
            r#"{{"object":"chat.completion","choices":[{{"index":0,"message":{{"role":"assistant","content":"{}","annotations":[{}]}},"finish_reason":"stop"}}]}}"#,
            "https://a.example/ ".repeat(links),
            annotations.join(",")
        )
    };
    expect_held(&response(8_000, &vec![(0, 4); 8_000]), 8);
    let apart: Vec<_> = (0..1_000).map(|n| (n * 3_000, n * 3_000 + 4)).collect();
    expect_held(&response(158_000, &apart), 8);
}

/// Records of many marks, one behind the other: some twenty were kept decoded, 290 MB of 4.
#[test]
fn records_that_are_printed_one_after_the_other() {
    let record = |n: usize| {
        format!(
            r#"{{"id":"p{n}","object":"chat.completion","citations":["https://a.example/"],"choices":[{{"index":0,"message":{{"role":"assistant","content":"{}"}},"finish_reason":"stop"}}]}}"#,
            "Ab [1]. ".repeat(25_000)
        )
    };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("answers.jsonl");
    let lines: Vec<String> = (0..21).map(record).collect();
    std::fs::write(&file, lines.join("\n")).unwrap();
    let mut screen = Terminal::open(&[file.to_str().unwrap()]);
    screen.until("21 of 21 doubtful");
    screen.still();
    let held = held_by(screen.process());
    assert!(held <= 130_000_000, "{held}");
    screen.press("q");
    assert_eq!(screen.ended(), 0);
}

/// Each was told with its value, in a finding of its own.
#[test]
fn numbers_where_texts_are_documented() {
    let numbers: Vec<String> = (0..60_000).map(|n| n.to_string()).collect();
    let response = format!(
        r#"{{"candidates":[{{"content":{{"parts":[{{"text":"Rain fell."}}]}},"groundingMetadata":{{"webSearchQueries":[{}]}}}}]}}"#,
        numbers.join(",")
    );
    expect_held(&response, 30);
}

/// Each tells what does not fit: what they tell was copied anew for each.
#[test]
fn frames_of_which_none_fits() {
    let chat = r#""chat_id":"1785240311-4d0b7a52-90fe-4c1b-8a63-5e2f7719c0d4""#;
    let thought = r#"{"type":"THINKING","role":"assistant","content":"Rio is old."}"#;
    let mut stream = format!("data: {{{chat},\"message\":{thought}}}\n\n");
    for n in 0..30_000 {
        let _ = write!(stream, "data: {{{chat},\"message\":\"word {n}\"}}\n\n");
    }
    expect_held(&stream, 8);
}
