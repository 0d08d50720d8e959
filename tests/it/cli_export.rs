//! `citescope export` in all of its text forms: what comes out, byte for byte.

use serde_json::{Value, json};

use crate::common::program::run;

/// Runs `citescope export` on standard input; code, output, errors.
fn export(args: &[&str], input: &str) -> (i32, String, String) {
    run(&[&["export"], args].concat(), input)
}

/// A Gemini response: chunks and supports (start, end, indices).
fn gemini(answer: &str, chunks: &Value, supports: &[(usize, usize, &[i64])]) -> String {
    let supports: Vec<Value> = supports
        .iter()
        .map(|(start, end, indices)| {
            json!({"segment": {"startIndex": start, "endIndex": end, "text": answer[*start..*end]}, "groundingChunkIndices": indices})
        })
        .collect();
    json!({"candidates": [{"content": {"parts": [{"text": answer}]}, "finishReason": "STOP",
        "groundingMetadata": {"groundingChunks": chunks, "groundingSupports": supports}}]})
    .to_string()
}

fn pages() -> Value {
    json!([{"web": {"uri": "https://a.example/x", "title": "a.example"}}, {"web": {"uri": "https://b.example/y", "title": "b.example"}}])
}

// ---- inline and the vendor's sample functions ----

/// Google's sample functions insert `[i+1](uri)` joined by `, ` at the ends, from the last end backwards.
#[test]
fn inline_is_byte_for_byte_what_the_vendors_functions_give() {
    type Case<'a> = (&'a str, &'a [(usize, usize, &'a [i64])], &'a str);
    let cases: &[Case] = &[
        (
            "Spain won. England lost.",
            &[(0, 10, &[0]), (11, 24, &[0, 1])],
            "Spain won.[1](https://a.example/x) England lost.[1](https://a.example/x), \
             [2](https://b.example/y)",
        ),
        // An order of its own, repeats, several supports with one end: the last sent comes first.
        (
            "One two.",
            &[(0, 8, &[1, 0, 1]), (4, 8, &[0])],
            "One two.[1](https://a.example/x)[2](https://b.example/y), [1](https://a.example/x), \
             [2](https://b.example/y)",
        ),
        (
            "One two.",
            &[(0, 3, &[0]), (0, 8, &[1])],
            "One[1](https://a.example/x) two.[2](https://b.example/y)",
        ),
        // Before the full stop, inside of a list, behind bold text, at a line end within a paragraph.
        ("* **Bold claim.**\n* next", &[(2, 17, &[0])], "* **Bold claim.**[1](https://a.example/x)\n* next"),
        ("The end\nof it.", &[(0, 8, &[0])], "The end\n[1](https://a.example/x)of it."),
        ("Here. And there.", &[(0, 6, &[0])], "Here. [1](https://a.example/x)And there."),
        // An index that points nowhere gives no mark.
        ("Here. There.", &[(0, 5, &[7]), (6, 12, &[7, 1])], "Here. There.[2](https://b.example/y)"),
    ];
    for (answer, supports, expected) in cases {
        assert_eq!(
            export(&["--to", "inline"], &gemini(answer, &pages(), supports)).1,
            format!("{expected}\n"),
            "{answer}"
        );
    }
}

/// The list in the documents: every way in which `inline` is not what those functions give.
#[test]
fn inline_differs_from_the_vendors_functions_only_where_they_go_wrong() {
    let one: &[i64] = &[0];
    let cases = [
        // Offsets are bytes: the functions count characters and cut "Größe – ja." in the wrong place.
        ("Größe – ja. Und?", (0, 15), "Größe – ja.[1](https://a.example/x) Und?"),
        // Marks that would break words, links, code or emphasis stand behind them.
        ("Breakfast is early.", (0, 5), "Breakfast[1](https://a.example/x) is early."),
        (
            "See [this page](https://c.example) now.",
            (0, 9),
            "See [this page](https://c.example)[1](https://a.example/x) now.",
        ),
        ("Run `ls -l` now.", (0, 8), "Run `ls -l`[1](https://a.example/x) now."),
        ("**Bold**text", (0, 6), "**Bold**[1](https://a.example/x)text"),
        // A mark that would join what is before it is set off.
        ("Spain won!", (0, 10), "Spain won! [1](https://a.example/x)"),
        ("At https://c.example/z now.", (0, 22), "At https://c.example/z [1](https://a.example/x) now."),
        // Between blocks a claim is cited where it ends.
        ("One.\n\nTwo.", (0, 6), "One.[1](https://a.example/x)\n\nTwo."),
        ("- one\n- two", (0, 8), "- one[1](https://a.example/x)\n- two"),
    ];
    for (answer, (start, end), expected) in cases {
        assert_eq!(
            export(&["--to", "inline"], &gemini(answer, &pages(), &[(start, end, one)])).1,
            format!("{expected}\n"),
            "{answer}"
        );
    }
    // A chunk without an address is a number; one that is no web page goes by the address it has; odd
    // addresses are escaped.
    let chunks = json!([{"retrievedContext": {"title": "Report"}}, {"maps": {"uri": "https://maps.example/1", "title": "Place"}}, {"web": {"uri": "https://a.example/x_(y)|z"}}, {"web": {"uri": "javascript:x"}}]);
    let (_, out, _) = export(&["--to", "inline"], &gemini("Yes.", &chunks, &[(0, 4, &[0, 1, 2, 3])]));
    assert_eq!(out, "Yes.[1], [2](https://maps.example/1), [3](https://a.example/x_%28y%29%7Cz), [4]\n");
    // A negative index is none; Python would take it from the end of the list.
    assert_eq!(export(&["--to", "inline"], &gemini("Yes.", &pages(), &[(0, 4, &[-1])])).1, "Yes.\n");
    // Offsets that do not fit their quote are cited where the quote stands.
    let shifted = gemini("\nOne. Two.", &pages(), &[(1, 5, one)]).replace("\\nOne. Two.", "One. Two.");
    assert_eq!(export(&["--to", "inline"], &shifted).1, "One.[1](https://a.example/x) Two.\n");
}

#[test]
fn what_is_pasted_stays_what_it_was() {
    let expect = |answer: &str, spans: &[(usize, usize, &[i64])], expected: &str| {
        assert_eq!(export(&["--to", "inline"], &gemini(answer, &pages(), spans)).1, expected, "{answer:?}");
    };
    // Line ends stay those of the answer, also of what is put in.
    expect("One.\r\nTwo.\r\n", &[(0, 4, &[0])], "One.[1](https://a.example/x)\r\nTwo.\r\n");
    expect("One.\r\nTwo.", &[(6, 10, &[0])], "One.\r\nTwo.[1](https://a.example/x)\r\n");
    let (_, out, _) = export(&["--to", "plain"], &gemini("One.\r\nTwo.", &pages(), &[(0, 4, &[0])]));
    assert_eq!(out, "One.[1]\r\nTwo.\r\n\r\n[1] a.example\r\n    https://a.example/x\r\n");
    // Behind a digit the number keeps its brackets.
    expect("In 2044 it opens.", &[(0, 7, &[0])], "In 2044[[1]](https://a.example/x) it opens.\n");
    // Also where the digit is only seen when it is rendered.
    // Where the answer defines what `[1]` links to, that would win inside of a link.
    let defined = "In 2044 it opens.\n\n[1]: https://c.example/\n";
    expect(defined, &[(0, 7, &[0])], &defined.replace("2044", "2044[\\[1\\]](https://a.example/x)"));
    expect("In **2044** it opens.", &[(0, 11, &[0])], "In **2044**[[1]](https://a.example/x) it opens.\n");
    expect("In `2044` it opens.", &[(0, 9, &[0])], "In `2044`[[1]](https://a.example/x) it opens.\n");
    expect(
        "In [2044](https://c.example) it opens.",
        &[(0, 28, &[0])],
        "In [2044](https://c.example)[[1]](https://a.example/x) it opens.\n",
    );
    // JSON stays JSON, alone and in a fence.
    expect(
        r#"{"a": "b"}"#,
        &[(1, 4, &[0]), (6, 9, &[1])],
        "{\"a\": \"b\"}[1](https://a.example/x), [2](https://b.example/y)\n",
    );
    expect(
        "```json\n{\"a\": 1}\n```",
        &[(9, 12, &[0])],
        "```json\n{\"a\": 1}\n```\n\n[1](https://a.example/x)\n",
    );
    let (_, out, notes) = export(&["--to", "inline"], &gemini("One.", &pages(), &[(0, 0, &[0])]));
    assert_eq!(out, "One.\n");
    assert!(notes.contains("1 of 1 support is an empty segment at the beginning"), "{notes}");
}

#[test]
fn footnotes_of_two_answers_keep_apart() {
    let answer = gemini("One.[^a1]", &pages(), &[(0, 4, &[0])]);
    let (_, out, _) = export(&["--to", "footnotes", "--prefix", "a"], &answer);
    assert_eq!(out, "One.[^ac1][^a1]\n\n[^ac1]: [a.example](https://a.example/x)\n");
    let (code, _, errors) = export(&["--to", "footnotes", "--prefix", "]"], &answer);
    assert!(code == 2 && errors.contains("letters, digits, - and _ only"), "{errors}");
}

#[test]
fn a_providers_own_marks_give_way_to_ours() {
    let chat = |args: &[&str]| {
        let all = [&["--response", "1.1"], args, &["samples/bigdata-chat.json"]].concat();
        run(&[&["export"], &all[..]].concat(), "").1
    };
    let ours = chat(&["--to", "plain"]);
    assert!(
        ours.starts_with("The Sound of Eday array was approved on 14 April 2026[1][3]. It will"),
        "{ours}"
    );
    let both = chat(&["--to", "inline", "--keep-marks"]);
    assert!(both.contains(":ref["), "{both}");
}

// ---- the page ----

/// Values of an attribute, in order.
fn attributes<'a>(page: &'a str, name: &str) -> Vec<&'a str> {
    let open = format!(" {name}=\"");
    let starts = page.match_indices(&open).map(|(at, open)| at + open.len());
    starts.map(|at| page[at..].split('"').next().unwrap()).collect()
}

#[test]
fn on_the_page_marks_lead_to_sources_and_every_address_within_it_leads_somewhere() {
    let spans: &[(usize, usize, &[i64])] = &[(0, 4, &[0, 1]), (5, 9, &[7])];
    let page = export(&["--to", "html"], &gemini("One. Two.", &pages(), spans)).1;
    assert!(page.contains("<a href=\"https://a.example/x\" rel=\"noopener noreferrer nofollow\" aria-label=\"Source 1 of span 1\">1</a>"), "{page}");
    let ids = attributes(&page, "id");
    for file in
        ["samples/gemini-nested.json", "samples/gemini-dangling.json", "samples/discovery-answer.json"]
    {
        let page = run(&["export", "--to", "html", file], "").1;
        let ids = attributes(&page, "id");
        let within = attributes(&page, "href").into_iter().filter_map(|href| href.strip_prefix('#'));
        let lost: Vec<&str> = within.filter(|id| !ids.contains(id)).collect();
        assert_eq!(lost, [""; 0], "{file}");
    }
    assert!(ids.contains(&"mark-1") && !ids.contains(&"mark-2") && !page.contains("#mark-2"), "{page}");
}

#[test]
fn a_page_runs_in_the_direction_of_its_answer_and_skips_no_heading() {
    let answer = "#### פתיחה\n\n* פתוח בשעה 9\n* סגור ב-1926\n\n| שעה |\n|---|\n| 9 |\n";
    let page = export(&["--to", "html"], &gemini(answer, &pages(), &[(0, 4, &[0])])).1;
    for expected in [
        "<article lang=\"\" dir=\"rtl\">",
        "<ul dir=\"rtl\">",
        "<table dir=\"rtl\">",
        "<h3 dir=\"auto\">",
        "<th dir=\"auto\" scope=\"col\">",
        // A cell of digits runs as its table does.
        "<td>9</td>",
    ] {
        assert!(page.contains(expected), "{expected}: {page}");
    }
}

// ---- numbers, mapping, parts ----

/// Sources 1 and 3 are one document; 2 is never cited.
fn merged() -> String {
    let chunks = json!([
        {"web": {"uri": "https://a.example/x", "title": "A"}}, {"web": {"uri": "https://b.example", "title": "B"}},
        {"web": {"uri": "https://a.example/x", "title": "A again"}}, {"web": {"uri": "https://d.example", "title": "D"}},
    ]);
    gemini("One. Two. Three.", &chunks, &[(0, 4, &[3]), (5, 9, &[2, 0]), (10, 16, &[0])])
}

#[test]
fn numbers_are_the_providers_or_compact_with_duplicates_merged() {
    let expect = |args: &[&str], expected: &str| assert_eq!(export(args, &merged()).1, expected, "{args:?}");
    expect(
        &["--to", "footnotes", "--number", "compact"],
        "One.[^1] Two.[^2] Three.[^2]\n\n[^1]: [D](https://d.example)\n[^2]: [A](https://a.example/x)\n"
            .replace("[A]", "[A again]")
            .as_str(),
    );
    expect(
        &["--to", "footnotes"],
        "One.[^4] Two.[^3][^1] Three.[^1]\n\n[^1]: [A](https://a.example/x)\n[^3]: [A \
         again](https://a.example/x)\n[^4]: [D](https://d.example)\n",
    );
    expect(
        &["--to", "footnotes", "--support", "1", "--prefix", "b-"],
        "One.[^b-4]\n\n[^b-4]: [D](https://d.example)\n",
    );
    expect(
        &["--to", "inline", "--number", "compact"],
        "One.[1](https://d.example) Two.[2](https://a.example/x), [2](https://a.example/x) \
         Three.[2](https://a.example/x)\n",
    );
    expect(
        &["--to", "sources", "--number", "compact"],
        "1. [D](https://d.example)\n2. [A again](https://a.example/x)\n",
    );
    expect(
        &["--to", "sources"],
        "- \\[1\\] [A](https://a.example/x)\n- \\[3\\] [A again](https://a.example/x)\n- \\[4\\] \
         [D](https://d.example)\n",
    );
    expect(&["--to", "links"], "[D](https://d.example)\n[A again](https://a.example/x)\n");
    expect(
        &["--to", "sources", "--mapping", "--number", "compact"],
        "1. [D](https://d.example) (source [4])\n2. [A again](https://a.example/x) (sources [1], [3])\n",
    );
    let (_, _, errors) = export(&["--to", "inline", "--number", "compact", "--mapping"], &merged());
    assert_eq!(errors, "citescope: [1] is source [4]\ncitescope: [2] is sources [1], [3]\n");
}

/// Two that differ in what is masked look alike, and are none the less two.
#[test]
fn sources_whose_addresses_differ_in_what_is_masked_are_not_merged() {
    let page = |key: &str, title: &str| json!({"web": {"uri": format!("https://d.example/?key={key}"), "title": title}});
    let sent = |other: &str| {
        let pages = json!([page("abc", "River"), page(other, "Lake")]);
        gemini("Rio. Lago.", &pages, &[(0, 4, &[0]), (5, 10, &[1])])
    };
    let both = "[River](https://d.example/?key=masked)\n[Lake](https://d.example/?key=masked)\n";
    let one = "[River](https://d.example/?key=masked)\n";
    for (other, links, merged) in [("def", both, false), ("abc", one, true)] {
        assert_eq!(export(&["--to", "links"], &sent(other)).1, links);
        let numbered = export(&["--to", "footnotes", "--number", "compact"], &sent(other)).1;
        assert_eq!(numbered.contains("Lago.[^1]"), merged, "{numbered}");
        assert_eq!(run(&["check"], &sent(other)).1.contains("source-duplicate"), merged);
    }
    let neutral = export(&["--to", "json"], &sent("def")).1;
    assert_eq!(export(&["--to", "links"], &neutral).1, both);
}

#[test]
fn one_support_or_one_source_can_be_taken_alone() {
    let expect = |args: &[&str], expected: &str| assert_eq!(export(args, &merged()).1, expected, "{args:?}");
    expect(&["--to", "inline", "--support", "2"], "Two.[3](https://a.example/x), [1](https://a.example/x)\n");
    expect(
        &["--to", "footnotes", "--support", "2"],
        "Two.[^3][^1]\n\n[^1]: [A](https://a.example/x)\n[^3]: [A again](https://a.example/x)\n",
    );
    expect(&["--to", "links", "--support", "1"], "[D](https://d.example)\n");
    expect(&["--to", "links", "--source", "2"], "[B](https://b.example)\n");
    for (args, why) in [
        (
            ["--to", "inline", "--support", "4"],
            "there is no such support; the response has 3, counted from 1",
        ),
        (["--to", "links", "--source", "0"], "there is no such source; the response has 4, counted from 1"),
        (
            ["--to", "html", "--support", "1"],
            "--support goes with --to inline, footnotes, sources, links or csv",
        ),
        (["--to", "inline", "--source", "1"], "--source goes with --to sources, links or csv"),
    ] {
        let (code, out, errors) = export(&args, &merged());
        assert_eq!((code, out.as_str(), errors), (2, "", format!("citescope: {why}\n")));
    }
    // What holds many says so, too.
    for (target, fails) in [("json", 0), ("jsonl", 0), ("csv", 0), ("plain", 2)] {
        let (code, _, errors) = export(&["--to", target, "--response", "7"], &merged());
        let why = "citescope: no response \"7\"; leave --response out to see what there is\n";
        assert_eq!((code, errors.as_str()), (fails, why), "{target}");
    }
    let (code, out, errors) = export(&["--to", "csv", "--support", "4"], &merged());
    let why = "citescope: there is no such support; the response has 3, counted from 1\n";
    assert_eq!((code, out.lines().count(), errors.as_str()), (2, 1, why));
    assert_eq!(export(&["--to", "csv", "--support", "3"], &merged()).0, 0);
}

#[test]
fn footnotes_of_the_answer_and_ours_keep_apart() {
    let (_, out, _) = export(
        &["--to", "footnotes"],
        &gemini("Old[^1] and [^C2].\n\n[^1]: note", &pages(), &[(0, 3, &[0])]),
    );
    assert_eq!(out, "Old[^cc1][^1] and [^C2].\n\n[^1]: note\n\n[^cc1]: [a.example](https://a.example/x)\n");
}

// ---- Bigdata ----

#[test]
fn bigdata_answers_get_its_brand_form() {
    let research = "samples/bigdata-research.sse";
    let (_, out, errors) = export(&["--to", "inline", research], "");
    assert!(
        out.contains(
            "from 27.9% a year earlier [Coastal Market Wire - Jul 23, \
            2026](https://wire.example.com/halden-q2). The Moss"
        ),
        "{out}"
    );
    assert!(out.contains("since June (Nordic Industry Daily - Jul 24, 2026), while"), "{out}");
    let (_, out_links, _) = export(&["--to", "links", research], "");
    let first = "[Coastal Market Wire - Jul 23, 2026](https://wire.example.com/halden-q2): Halden Batteries lifts \
                 second-quarter margin\n";
    assert!(out_links.starts_with(first), "{out_links}");
    // The blank that was reserved for a citation goes also where that is left out.
    assert!(out.contains("up 18% this year. The next"), "{out}");
    assert_eq!(errors, "citescope: 1 citation of a result of a tool was left out; --tools cites them\n");
    let (_, out, _) = export(&["--to", "inline", "--date", "iso", "--tools", research], "");
    assert!(out.contains("[Coastal Market Wire - 2026-07-23](https://wire.example.com/halden-q2)"), "{out}");
    assert!(out.contains("up 18% this year (Market Tearsheet (`get_market_tearsheet`)). The next"), "{out}");
    let (_, out, _) = export(&["--to", "inline", "--number", "provider", research], "");
    assert!(
        out.contains(
            "a year earlier[1](https://wire.example.com/halden-q2). The Moss plant has run at full \
            capacity since June[2], while"
        ),
        "{out}"
    );
    let (_, out, _) = export(&["--to", "sources", "--tools", research], "");
    assert!(out.ends_with("4. Market Tearsheet (`get_market_tearsheet`)\n"), "{out}");
}

// ---- CSV ----

#[test]
fn the_table_has_a_row_for_each_citation_and_no_formulas() {
    let chunks = json!([{"web": {"uri": "https://a.example/x", "title": "=cmd|' /C calc'!A0"}}, {"web": {"uri": "+1", "title": "say \"hi\",\nyou"}}]);
    let answer = "- One. Zwei – drei.";
    let (code, out, _) = export(
        &["--to", "csv"],
        &gemini(answer, &chunks, &[(0, 6, &[0, 1]), (7, 21, &[5])]).replace("\"FILE\"", ""),
    );
    assert_eq!(code, 0);
    let head = "file,record,item,support,origin,start,end,text,verdict,citation,target,number,source,kind,title,publisher,date,address,page,score,tool,outcome,cover,findings\r\n";
    let rows = [
        "stdin,0,0,0,groundingSupport,0,6,'- One.,exact,0,source,1,0,web,'=cmd|' /C \
         calc'!A0,,,https://a.example/x,,,,unchecked,,\r\n",
        "stdin,0,0,0,groundingSupport,0,6,'- One.,exact,1,source,2,1,web,\"say \"\"hi\"\", \
         you\",,,+1,,,,unchecked,,\r\n",
        "stdin,0,0,1,groundingSupport,7,21,Zwei – drei.,exact,0,dangling \
         5,,,,,,,,,,,unchecked,,source-index\r\n",
    ];
    assert_eq!(out, format!("{head}{}", rows.concat()));
    let mut reader = csv::Reader::from_reader(out.as_bytes());
    assert!(reader.records().all(|row| row.unwrap().len() == 24));
}

#[test]
fn the_table_holds_all_responses_and_supports_without_citations() {
    let two = format!(
        "{}\n{}\n",
        gemini("One.", &pages(), &[(0, 4, &[])]),
        gemini("Two.", &pages(), &[(0, 4, &[1])])
    );
    let (_, out, _) = export(&["--to", "csv"], &two);
    let rows: Vec<&str> = out.lines().skip(1).collect();
    assert!(
        rows[0].starts_with("stdin,0,0,0,groundingSupport,0,4,One.,exact,,,,,")
            && rows[1].starts_with("stdin,1,0,0,groundingSupport,0,4,Two.,exact,0,source,2,1,web,"),
        "{out}"
    );
}

// ---- text for terminals ----

#[test]
fn report_and_ansi_are_one_text_and_only_colours_are_escape_sequences() {
    let hostile = gemini(
        "red \u{1b}[31m \u{202e}evil\nnext",
        &json!([{"web": {"uri": "https://a.example/\u{1b}[0m", "title": "t\u{1b}]0;x\u{7}"}}]),
        &[(0, 3, &[0])],
    );
    let plain = export(&["--to", "report"], &hostile).1;
    let ansi = export(&["--to", "ansi"], &hostile).1;
    let mut bare = String::new();
    let mut rest = ansi.as_str();
    while let Some((before, after)) = rest.split_once('\u{1b}') {
        bare.push_str(before);
        let (codes, after) = after.strip_prefix('[').unwrap().split_once('m').unwrap();
        assert!(codes.chars().all(|c| c.is_ascii_digit() || c == ';'), "{codes}");
        rest = after;
    }
    bare.push_str(rest);
    assert_eq!(bare, plain);
    assert!(
        plain.contains("red[1] ␛[31m <U+202E>")
            && plain.contains("[1] t␛]0;x␇\n    https://a.example/␛[0m\n"),
        "{plain}"
    );
    assert!(ansi.lines().all(|line| !line.contains('\u{1b}')
        || line.rfind("\u{1b}[0m").is_some_and(|last| line.rfind('\u{1b}') == Some(last))));
    assert_eq!(export(&["--to", "ansi", "--color", "never"], &hostile).1, plain);
    let mail = "red[1] ␛[31m <U+202E>evil\nnext\n\n[1] t␛]0;x␇\n    https://a.example/␛[0m\n";
    assert_eq!(export(&["--to", "plain"], &hostile).1, mail);
}

#[test]
fn a_redirect_goes_by_its_domain_and_only_web_addresses_are_linked() {
    let redirect = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/AbC";
    let chunks = json!([{"web": {"uri": redirect, "title": "uefa.com"}}, {"web": {"uri": redirect}}, {"web": {"uri": "ftp://x", "title": "a|b*"}}]);
    let (_, out, _) = export(&["--to", "links"], &gemini("Yes.", &chunks, &[(0, 4, &[0, 1, 2])]));
    assert_eq!(out, format!("[uefa.com]({redirect})\na\\|b\\* (`ftp://x`)\n"));
    let (_, out, _) = export(&["--to", "links"], &gemini("Yes.", &chunks, &[(0, 4, &[1])]));
    assert_eq!(out, format!("[vertexaisearch.cloud.google.com (redirect)]({redirect})\n"));
}

// ---- HTML ----

#[test]
fn the_page_holds_no_markup_of_the_response_and_asks_nobody() {
    let chunks = json!([{"web": {"uri": "https://a.example/\"><script>", "title": "<img src=x onerror=y>"}}, {"web": {"uri": "javascript:x", "title": "j"}}]);
    let answer =
        "X <script>alert(1)</script> **A** [l](javascript:x) ![p](https://a.example/p.png) `<b>` & \u{202e}x";
    let (code, out, _) = export(&["--to", "html"], &gemini(answer, &chunks, &[(0, 30, &[0, 1])]));
    assert_eq!(code, 0);
    let lower = out.to_lowercase();
    for bad in
        ["<script", "<img", "javascript:x\"", "onerror=y>", "<link", "@import", "url(", "src=\"", "\u{202e}"]
    {
        assert!(!lower.contains(bad), "{bad}");
    }
    for good in [
        "default-src 'none'; style-src 'unsafe-inline'",
        "&lt;script&gt;alert(1)&lt;/script&gt;",
        "<strong>",
        "<code>&lt;b&gt;</code>",
        "href=\"https://a.example/p.png\"",
        "&lt;U+202E&gt;x",
        "<html lang=\"en\">",
    ] {
        assert!(out.contains(good), "{good}\n{out}");
    }
    let targets = out.match_indices("href=\"").map(|(at, _)| out[at + 6..].split('"').next().unwrap());
    for target in targets {
        assert!(target.starts_with('#') || target.starts_with("https://"), "{target}");
    }
}

#[test]
fn the_page_marks_nested_and_overlapping_spans_and_links_both_ways() {
    let (_, out, _) = export(
        &["--to", "html"],
        &gemini("One **two three** four.", &pages(), &[(0, 13, &[0]), (6, 15, &[1]), (4, 17, &[0])]),
    );
    let article = out.split("<article").nth(1).unwrap().split("</article>").next().unwrap();
    let piece =
        |classes: &str, words: &str| article.contains(&format!("<span class=\"s {classes}\">{words}</span>"));
    assert!(
        piece("s1", "One ") && piece("deep s1 s2 s3", "two thr") && piece("deep s2 s3", "ee"),
        "{article}"
    );
    let ids: Vec<&str> =
        out.match_indices(" id=\"").map(|(at, _)| out[at + 5..].split('"').next().unwrap()).collect();
    let mut unique = ids.clone();
    unique.sort_unstable();
    unique.dedup();
    assert_eq!(ids.len(), unique.len(), "{ids:?}");
    for target in out.match_indices("href=\"#").map(|(at, _)| out[at + 7..].split('"').next().unwrap()) {
        assert!(ids.contains(&target), "#{target} leads nowhere");
    }
}

#[test]
fn the_page_keeps_what_google_asks_for() {
    let (_, out, _) = export(&["--to", "html", "samples/gemini-maps.json"], "");
    for kept in [
        "Lantern Coffee House</bdi></a>",
        "Flag this place",
        "https://maps.example.com/reviews/Ci9rUmV2aWV3TGFudGVybjAx",
        "https://maps.example.com/flag?review=Ci9rUmV2aWV3TGFudGVybjAx",
    ] {
        assert!(out.contains(kept), "{kept}");
    }
    let (_, out, _) = export(&["--to", "html", "samples/gemini-search.json"], "");
    assert!(
        out.contains("<h3>Search suggestions</h3>")
            && out.contains("Veldhaven harbour ferry times</bdi></a>"),
        "{out}"
    );
}

/// Contrast of the colours of the page, in both schemes, as WCAG 2 counts it: 4.5 for text.
#[test]
fn text_of_the_page_stands_out_in_both_schemes() {
    let css = std::fs::read_to_string("assets/page.css").unwrap();
    let colour = |scheme: &str, name: &str| {
        let hex = scheme.split(&format!("--{name}:#")).nth(1).unwrap().get(..6).unwrap().to_owned();
        let channel = |at: usize| f64::from(u8::from_str_radix(&hex[at..at + 2], 16).unwrap()) / 255.0;
        let linear =
            |value: f64| if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) };
        0.2126 * linear(channel(0)) + 0.7152 * linear(channel(2)) + 0.0722 * linear(channel(4))
    };
    let (light, rest) = css.split_once("@media (prefers-color-scheme:dark)").unwrap();
    let dark = rest.split_once("}}").unwrap().0;
    for (name, scheme) in [("light", light), ("dark", dark)] {
        for (front, back) in [
            ("ink", "paper"),
            ("ink", "card"),
            ("ink", "span"),
            ("ink", "lit"),
            ("ink", "code"),
            ("soft", "paper"),
            ("soft", "card"),
            ("soft", "code"),
            ("link", "paper"),
            ("link", "card"),
            ("good", "card"),
            ("good", "paper"),
            ("warn", "card"),
            ("warn", "paper"),
            ("bad", "card"),
            ("bad", "paper"),
            ("chipink", "chip"),
        ] {
            let (a, b) = (colour(scheme, front), colour(scheme, back));
            let ratio = (a.max(b) + 0.05) / (a.min(b) + 0.05);
            assert!(ratio >= 4.5, "{name}: {front} on {back} is {ratio:.2}");
        }
    }
}

#[test]
fn every_sample_goes_into_every_form() {
    for (name, _) in citescope::cli::SAMPLES.iter() {
        let path = &*format!("samples/{name}");
        for target in ["inline", "footnotes", "sources", "links", "html", "ansi", "plain", "csv"] {
            let (code, out, errors) = export(&["--to", target, path], "");
            let several = errors.contains("choose with --response");
            assert!(
                several || code == 0 && (!out.is_empty() || errors.contains("no document is cited")),
                "{path} {target}: {errors}"
            );
        }
    }
}

#[test]
fn entities_and_pictures_in_links_do_not_get_round_the_page() {
    let answer = "a &#x202E;b &#27;c [![alt](https://p.example/i.png)](https://l.example/) d";
    let sent = serde_json::json!({"candidates": [{"content": {"parts": [{"text": answer}]}, "groundingMetadata": {}}]}).to_string();
    let (_, page, _) = export(&["--to", "html"], &sent);
    assert!(!page.contains(['\u{202e}', '\u{1b}']), "{page}");
    let article = page.split("<article").nth(1).unwrap().split("</article>").next().unwrap();
    assert_eq!((article.matches("<a ").count(), article.matches("</a>").count()), (1, 1), "{article}");
}
