use super::*;

fn cut(text: &str) -> (Container, Vec<String>) {
    let framed = Framed::of(text.to_owned());
    (
        framed.container,
        framed.frames.iter().map(|frame| framed.text[frame.range.clone()].to_owned()).collect(),
    )
}

#[test]
fn containers_are_told_apart() {
    let cases: [(&str, Container, &[&str]); 11] = [
        ("\u{feff} {\"a\": 1}\n", Container::Document, &["{\"a\": 1}"]),
        ("{\n \"a\": 1\n}\n", Container::Document, &["{\n \"a\": 1\n}"]),
        ("[{\"a\":1}, {\"b\":2}]", Container::Array, &["{\"a\":1}", "{\"b\":2}"]),
        ("{\"a\":1}\r\n\r\n{\"b\":2}\r\n", Container::Lines, &["{\"a\":1}\r", "{\"b\":2}\r"]),
        (
            "data: {\"a\":1}\n\ndata: {\"b\":2}\n\ndata: [DONE]\n",
            Container::Events,
            &["{\"a\":1}", "{\"b\":2}"],
        ),
        ("data: {\"a\":1}\ndata: {\"b\":2}\n", Container::Events, &["{\"a\":1}", "{\"b\":2}"]),
        ("\u{feff}data: {\"a\":1}\r\rdata: {\"b\":2}\r", Container::Events, &["{\"a\":1}", "{\"b\":2}"]),
        ("data: {\"a\":1} {\"b\":2}\n", Container::Events, &["{\"a\":1}", "{\"b\":2}"]),
        ("data: {\"a\":\ndata: {\"b\":2}\n", Container::Events, &["{\"a\":", "{\"b\":2}"]),
        (": hello\r\nevent: x\r\ndata: {\"a\":1}\r\n", Container::Events, &["{\"a\":1}"]),
        ("data: {\"a\":\ndata: 1}\n\ndata: {}\n", Container::Events, &["{\"a\":\n      1}", "{}"]),
    ];
    for (text, container, expected) in cases {
        assert_eq!(cut(text), (container, expected.iter().map(|&s| s.to_owned()).collect()), "{text:?}");
    }
}

#[test]
fn values_one_after_another_are_cut_on_demand() {
    let mut framed = Framed::of("{\n\"a\":1}\n{\n\"b\":2}".to_owned());
    assert_eq!((framed.frames.len(), framed.is_several()), (1, true));
    framed.split_values();
    let ranges: Vec<_> = framed.frames.iter().map(|frame| frame.range.clone()).collect();
    assert_eq!(ranges, [0..8, 9..17]);
    assert!(!Framed::of("{\n\"a\":1}\n ".to_owned()).is_several());
}

#[test]
fn a_cut_stream_keeps_what_came() {
    let framed = Framed::of("data: {\"a\":1}\n\ndata: {\"b\":".to_owned());
    assert_eq!(framed.frames.iter().map(|frame| frame.whole).collect::<Vec<_>>(), [true, false]);
}

#[test]
fn prefixes_inside_a_value_are_blanked_again() {
    assert_eq!(
        without_prefixes("{\"a\":\ndata: 1,\n  data:\n: no\n\"b\": \"data:\"}".to_owned()),
        "{\"a\":\n      1,\n       \n: no\n\"b\": \"data:\"}"
    );
}

#[test]
fn a_bad_first_line_is_one_line() {
    let record = r#"{"candidates": [{"content": {"parts": [{"text": "One."}]}, "finishReason": "STOP"}]}"#;
    for first in [
        "}",
        "{",
        r#"xt": "One."}]}}]}"#,
        r#"{"candidates": [{"content": {"parts": [{"text": "On"#,
        r#"{"candi"#,
        "null",
        "5",
        "NaN",
        "\"s\"",
        "2026-11-23 INFO started",
        "# log",
        "data: [DONE]",
        ": ping",
        "id: 5",
        &format!("data: {record}"),
        &format!("[{record}"),
        &"[".repeat(1000),
    ] {
        let (container, frames) = cut(&format!("{first}\n{record}\n{record}\n"));
        assert_eq!((container, frames.len()), (Container::Lines, 3), "{first}");
        assert_eq!((frames[0].as_str(), frames[2].as_str()), (first, record), "{first}");
    }
    // Values over several lines, elements a line, and events are what they are.
    let pretty = format!("{{\n\"response\":\n{record}\n}}\n");
    assert_eq!(cut(&pretty).0, Container::Document);
    assert_eq!(cut(&format!("[\n{record},\n{record}\n]")).0, Container::Array);
    assert_eq!(cut(&format!("[\n{record}\n,\n{record}\n,\n{record}\n")).0, Container::Array);
    // One is enough behind a line of a log.
    for first in ["error: x", "running", "2026 started"] {
        assert_eq!(cut(&format!("{first}\n{record}\n")).0, Container::Lines, "{first}");
    }
    // Behind many such lines there must be many of JSON.
    let banner = "starting up\n".repeat(40);
    assert_eq!(cut(&format!("{banner}{}", format!("{record}\n").repeat(20))).0, Container::Lines);
    assert!(!super::is_lines(format!("{banner}{record}\n{record}\nthe end\n").as_bytes()));
    // A text that quotes one.
    let text = format!("It answers [1]:\n\n```json\n{record}\n```\n\n[1]: https://a.example\n");
    assert!(!super::is_lines(text.as_bytes()));
    assert_eq!(cut(&format!("[\n{record},\n{record}")).0, Container::Array);
    assert_eq!(cut(&format!(": ping\n\ndata: {record}\n\n")).0, Container::Events);
}

#[test]
fn very_many_scraps_of_a_list_are_one() {
    let whole = r#"{"candidates":[{"content":{"parts":[{"text":"Hi."}]}}]}"#;
    let (container, frames) = cut(&format!("[{}{whole},0,[]]", "0,".repeat(SCRAPS + 500)));
    assert_eq!((container, frames.len()), (Container::Array, SCRAPS + 3));
    assert_eq!(frames[SCRAPS - 1], format!("{}0", "0,".repeat(500)));
    assert_eq!(frames[SCRAPS..], [whole, "0", "[]"]);
    // So are they where they are looked for once more.
    let all = "0,".repeat(SCRAPS + 500);
    assert_eq!(frames_of(Framing::Values, &all, 0..all.len()).len(), SCRAPS);
}

/// Each was looked through to the end of the text: 200,000 took minutes.
#[test]
fn lists_that_are_begun_line_by_line_are_cut_where_the_next_begins() {
    for line in ["[", "[1,", "[{\"a\": 1},"] {
        let (_, frames) = cut(&format!("{line}\n").repeat(30_000));
        assert_eq!(frames.len(), 30_000, "{line}");
    }
    let whole = r#"{"candidates":[{"content":{"parts":[{"text":"Hi."}]}}]}"#;
    let (_, frames) = cut(&format!("{}{whole}", "[\n".repeat(30_000)));
    assert_eq!((frames.len(), frames.last().map(String::as_str)), (30_001, Some(whole)));
}
