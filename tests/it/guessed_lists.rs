//! Lists of one's own JSON that say what marks, claims or the whole answer rest on, read without a map and by
//! the map that is proposed.

use crate::common::program::{output, run, texts};

/// Codes and outputs of a check and of an export of links, without a map and by the one that is proposed.
fn read(input: &str) -> [(i32, String); 2] {
    let folder = tempfile::tempdir().unwrap();
    let map = folder.path().join("by.toml");
    std::fs::write(&map, proposed(input)).unwrap();
    [&[][..], &["--map", map.to_str().unwrap()]].map(|by| {
        let check = ["check", "--no-content", "--fail-on", "warning"];
        let (code, ..) = run(&[&check[..], by, &["-"]].concat(), input);
        let (_, out, _) = run(&[&["export", "--to", "inline"][..], by, &["-"]].concat(), input);
        let mut links = out.trim_end().to_owned();
        for letter in ["a", "b", "c", "z"] {
            for number in 1..4 {
                links =
                    links.replace(&format!("[{number}](https://{letter}.example/)"), &format!("<{letter}>"));
            }
        }
        (code, links)
    })
}

/// The map that is proposed.
fn proposed(input: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("in.json");
    std::fs::write(&file, input).unwrap();
    let (code, map, err) = run(&["map", "--init", file.to_str().unwrap()], "");
    assert_eq!((code, err.as_str()), (0, ""), "{input}");
    map
}

const DOCUMENTS: &str = r#""documents": [{"id": "d1", "url": "https://a.example/"}, {"id": "d2", "url": "https://b.example/"}, {"id": "d3", "url": "https://c.example/"}]"#;

#[test]
fn a_mark_whose_source_is_not_listed_cites_no_other() {
    for (answer, citations, expected) in [
        ("P [1].", r#"[{"number": 1, "document_id": "d9"}]"#, "P."),
        (
            "P [1]. R [2].",
            r#"[{"number": 1, "document_id": "d2"}, {"number": 2, "document_id": "d9"}]"#,
            "P<b>. R.",
        ),
        (
            "P [1]. R [2]. S [3].",
            r#"[{"number": 1, "document_id": "d3"}, {"number": 2, "document_id": "x"}, {"number": 3, "document_id": "y"}]"#,
            "P<c>. R. S.",
        ),
        ("P [1]. R [2].", r#"{"1": "x3", "2": "x4"}"#, "P. R."),
        ("P [1]. R [2]. S [3].", r#"["d3", "x", "y"]"#, "P<c>. R. S."),
    ] {
        let input = format!(r#"{{"answer": "{answer}", "citations": {citations}, {DOCUMENTS}}}"#);
        let expected = (1, expected.to_owned());
        assert_eq!(read(&input), [expected.clone(), expected], "{citations}");
    }
}

#[test]
fn a_passage_and_a_place_in_a_page_are_of_their_document() {
    for (citations, expected) in [
        (r#"[{"number": 1, "document_id": "d2#0"}, {"number": 2, "document_id": "d1#4"}]"#, "P<b>. R<a>."),
        (
            r#"[{"number": 1, "url": "https://b.example/#page=2"}, {"number": 2, "url": "https://a.example/#page=9"}]"#,
            "P<b>. R<a>.",
        ),
        // What is listed nowhere else is a source itself.
        (
            r#"[{"number": 2, "url": "https://z.example/"}, {"number": 1, "url": "https://c.example"}]"#,
            "P<c>. R.",
        ),
        (r#"["https://z.example/", "https://z.example/2"]"#, "P<z>. R[2](https://z.example/2)."),
    ] {
        let input = format!(r#"{{"answer": "P [1]. R [2].", "citations": {citations}, {DOCUMENTS}}}"#);
        let [guessed, mapped] = read(&input);
        assert_eq!((guessed.1.as_str(), mapped.1.as_str()), (expected, expected), "{citations}");
    }
    let places = r#"{"answer": "P [1]. R [2].", "citations": [{"number": 1, "document_id": 1}, {"number": 2, "document_id": 0}],
        "documents": [{"url": "https://a.example/"}, {"url": "https://b.example/"}]}"#;
    assert_eq!(read(places).map(|(_, links)| links), ["P<b>. R<a>."; 2]);
}

#[test]
fn a_list_of_ids_says_what_an_answer_without_marks_rests_on() {
    for (citations, expected) in [
        (r#""citations": ["d1", "d3"]"#, (0, "Big.<a>, <c>")),
        (r#""citations": ["d1", "d9"]"#, (1, "Big.<a>")),
        (r#""cited_source_ids": ["d2"]"#, (0, "Big.<b>")),
        (r#""citations": [{"document_id": "d2", "score": 0.4}]"#, (0, "Big.<b>")),
    ] {
        let input = format!(r#"{{"answer": "Big.", {citations}, {DOCUMENTS}}}"#);
        let expected = (expected.0, expected.1.to_owned());
        assert_eq!(read(&input), [expected.clone(), expected], "{citations}");
    }
    let map = proposed(&format!(r#"{{"answer": "Big.", "citations": ["d1"], {DOCUMENTS}}}"#));
    assert!(map.contains("list = \"$\" # no list: the answer as a whole is one\n"), "{map}");
    assert!(map.contains("source = \"citations[*]\" "), "{map}");
}

#[test]
fn words_beside_offsets_in_one_object_are_compared() {
    let input = r#"{"answer": "Paris is big. Rome is old.", "citations": [{"span": {"start": 14, "end": 26, "text": "Paris is big."}, "source_id": "d1"}],
        "sources": [{"id": "d1", "url": "https://a.example/"}]}"#;
    let (code, out, _) = texts(output(["check"], input));
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("error[offset-shift]: all offsets are off by +14 characters"), "{out}");
    assert_eq!(read(input).map(|(_, links)| links), ["Paris is big.<a> Rome is old."; 2]);
    let (_, fixed, _) = texts(output(["fix"], input));
    assert!(fixed.contains(r#"{"start": 0, "end": 13, "text": "Paris is big."}"#), "{fixed}");
}

/// Offsets that are right in what is cited are no wrong ones of the answer.
#[test]
fn offsets_of_the_cited_words_in_their_document_are_left() {
    let input = r#"{"answer": "It lasts long. It is free.", "citations": [
        {"document_id": "r", "quote": "It is free.", "start": 6, "end": 17},
        {"document_id": "w", "quote": "It lasts long.", "start": 5, "end": 19}],
        "documents": [{"id": "w", "url": "https://a.example/", "text": "Yes: It lasts long."},
        {"id": "r", "url": "https://b.example/", "text": "Hello It is free. Bye."}]}"#;
    assert_eq!(
        read(input).map(|(code, links)| (code, links)),
        [
            (0, "It lasts long.<a> It is free.<b>".to_owned()),
            (0, "It lasts long.<a> It is free.<b>".to_owned())
        ]
    );
    let (code, fixed, _) = texts(output(["fix"], input));
    assert_eq!((code, fixed.trim_end()), (0, input));
    // One that is right in the answer makes them offsets of the answer.
    let mixed = input.replace(r#""start": 5, "end": 19"#, r#""start": 0, "end": 14"#);
    let (_, fixed, _) = texts(output(["fix"], &mixed));
    assert!(fixed.contains(r#""start": 15, "end": 26"#), "{fixed}");
}

#[test]
fn marks_with_a_word_are_read_in_any_case() {
    let input = format!(r#"{{"answer": "P [Source: 1]. R [Source: 7].", {DOCUMENTS}}}"#);
    assert_eq!(read(&input), [(1, "P<a>. R.".to_owned()), (1, "P<a>. R.".to_owned())]);
}

/// Passages that share the id by which claims call them are those of one document.
#[test]
fn passages_of_one_document_are_one_source() {
    let input = r#"{"answer": "It is old.", "citations": [{"start": 0, "end": 10, "doc_id": "d"}], "chunks": [
        {"doc_id": "d", "chunk_id": "d-1", "url": "https://a.example/", "text": "Opened in May."},
        {"doc_id": "e", "chunk_id": "e-1", "url": "https://b.example/", "text": "Closed."},
        {"doc_id": "d", "chunk_id": "d-2", "url": "https://a.example/", "text": "It is old."}]}"#;
    let sources = |input: &str| {
        let sources = crate::common::library::read(input)[0]["sources"].clone();
        let texts = |source: &serde_json::Value| {
            let chunks = source["chunks"].as_array().unwrap().iter();
            chunks.map(|chunk| chunk["text"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        sources.as_array().unwrap().iter().map(texts).collect::<Vec<_>>()
    };
    assert_eq!(sources(input), [vec!["Opened in May.", "It is old."], vec!["Closed."]]);
    // Claims that name passages have them apart.
    let apart = input.replace(r#""doc_id": "d"}]"#, r#""chunk_id": "d-2"}]"#);
    assert_eq!(sources(&apart), [["Opened in May."], ["Closed."], ["It is old."]]);
}

/// The words of a claim may be those of its mark.
#[test]
fn claims_whose_words_are_marks_are_those_before_them() {
    let input = format!(
        r#"{{"answer": "It rose [1]. It fell [2].", "citations": [{{"text": "[1]", "document_id": "d2"}}, {{"text": "[2]", "document_id": "d9"}}], {DOCUMENTS}}}"#
    );
    assert_eq!(read(&input).map(|(_, links)| links), ["It rose<b>. It fell."; 2]);
    let response = &crate::common::library::read(&input)[0];
    let claims: Vec<_> =
        response["supports"].as_array().unwrap().iter().map(|support| support["start"].clone()).collect();
    assert_eq!(claims, [0, 13]);
}

#[test]
fn claims_of_a_fact_check_are_those_of_the_answer_beside_them() {
    let input = r#"{"answer": "Rents fell.", "claims": [{"claim_text": "Rents fell.", "source_ids": ["b"]}],
        "sources": [{"id": "a", "url": "https://a.example/"}, {"id": "b", "url": "https://b.example/"}]}"#;
    assert_eq!(read(input), [(0, "Rents fell.<b>".to_owned()), (0, "Rents fell.<b>".to_owned())]);
}

#[test]
fn sources_may_stand_under_their_ids_whatever_their_list_is_called() {
    for list in ["chunks", "contexts", "search_results", "hits", "retrieved"] {
        let input = format!(
            r#"{{"answer": "Rents fell.", "sentences": [{{"text": "Rents fell.", "citations": [{{"chunk_id": "k2"}}]}}],
            "{list}": {{"k1": {{"url": "https://a.example/"}}, "k2": {{"url": "https://b.example/"}}}}}}"#
        );
        assert_eq!(
            read(&input),
            [(0, "Rents fell.<b>".to_owned()), (0, "Rents fell.<b>".to_owned())],
            "{list}"
        );
    }
}

#[test]
fn what_claims_name_that_is_listed_nowhere_is_told() {
    let input = r#"{"answer": "Rents fell.", "sentences": [{"text": "Rents fell.", "citations": [{"chunk_id": "k2"}]}],
        "knowledge": [{"id": "k1", "text": "Prices."}, {"id": "k2", "text": "Rents fell."}]}"#;
    let (status, found, _) = run(&["check"], input);
    assert!(found.contains("no list of what the claims in `sentences` rest on was found"), "{found}");
    assert_eq!(status, 0);
}

#[test]
fn numbers_are_those_of_what_is_cited_and_not_of_what_was_found() {
    let found = r#"[{"id": "a", "url": "https://a.example/"}, {"id": "b", "url": "https://b.example/"}]"#;
    for cited in [
        r#""cited_documents": ["b"]"#,
        r#""used_sources": [{"id": "b", "url": "https://b.example/"}]"#,
        r#""citation_ids": ["b"]"#,
    ] {
        let input = format!(r#"{{"answer": "Rents fell [1].", {cited}, "retrieved_documents": {found}}}"#);
        assert_eq!(
            read(&input),
            [(0, "Rents fell<b>.".to_owned()), (0, "Rents fell<b>.".to_owned())],
            "{cited}"
        );
    }
    // The order of ids beside what is called sources need say nothing.
    let input = format!(r#"{{"answer": "Rents fell [1].", "used_sources": ["b"], "sources": {found}}}"#);
    assert_eq!(read(&input), [(0, "Rents fell<a>.".to_owned()), (0, "Rents fell<a>.".to_owned())]);
}

#[test]
fn a_text_that_discovery_engine_calls_so_may_be_ones_own() {
    let sources =
        r#""sources": [{"id": "a", "url": "https://a.example/"}, {"id": "b", "url": "https://b.example/"}]"#;
    for claims in [
        r#""citations": [{"start": 0, "end": 11, "source_id": "b"}]"#,
        r#""claims": [{"text": "Rents fell.", "source_id": "b"}]"#,
    ] {
        let input = format!(r#"{{"answerText": "Rents fell.", {claims}, {sources}}}"#);
        assert_eq!(read(&input)[0], (0, "Rents fell.<b>".to_owned()), "{claims}");
    }
}

#[test]
fn a_second_list_of_citations_is_told() {
    let claim = r#"{"claim": "Rents fell.", "source_id": "a"}"#;
    let other = r#"{"claim": "Rents fell.", "url": "https://w.example/"}"#;
    for name in ["footnotes", "web_citations", "documentCitations"] {
        let input = format!(
            r#"{{"answer": "Rents fell.", "citations": [{claim}], "{name}": [{other}], "sources": [{{"id": "a", "url": "https://a.example/"}}]}}"#
        );
        let (_, found, _) = run(&["check"], &input);
        assert!(found.contains(&format!("`{name}` is not read, since `citations[*]` is")), "{found}");
    }
}

#[test]
fn places_that_stand_within_the_sources_are_told() {
    let source = |id: &str, spans: &str| {
        format!(r#"{{"id": "{id}", "url": "https://{id}.example/", "spans": [{spans}]}}"#)
    };
    let spans = [source("a", r#"{"start": 0, "end": 11}"#), source("b", "")].join(", ");
    let (_, found, _) =
        run(&["check"], &format!(r#"{{"answer": "Rents fell. Wages rose.", "sources": [{spans}]}}"#));
    assert!(found.contains("`spans` stands in a source") && found.contains("$.sources[0].spans"), "{found}");
    // Of documents highlights are their own.
    let own = r#"{"id": "a", "url": "https://a.example/", "highlights": ["Rents fell"]}"#;
    let (_, found, _) = run(&["check"], &format!(r#"{{"answer": "Rents fell [1].", "sources": [{own}]}}"#));
    assert!(!found.contains("citations-unread"), "{found}");
}

/// An address in a list was lost without a word.
#[test]
fn an_address_in_a_list_is_that_of_its_source() {
    for key in ["url", "urls", "links"] {
        let input = format!(
            r#"{{"answer": "Lit in 1932.", "spans": [{{"start": 0, "end": 12, "source_id": "a"}}], "sources": [
                {{"id": "a", "title": "A", "{key}": ["https://a.example/p", "https://a.example/q"]}}]}}"#
        );
        let (code, out, _) = run(&["export", "--to", "sources"], &input);
        assert_eq!((code, out.trim_end()), (0, "1. [A](https://a.example/p)"), "{key}");
    }
}
