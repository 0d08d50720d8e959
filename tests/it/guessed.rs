//! Answers of one's own JSON, read without a map by what their keys are called.

use crate::common::library::{open, read};
use crate::common::program::{output, texts};
use crate::common::screen::{of, screen};

/// Offsets in an object of their own or as a pair, words beside sources that are listed elsewhere.
#[test]
fn claims_are_guessed_wherever_they_keep_their_place() {
    for citations in [
        r#"[{"start": 0, "end": 11, "source": 2}, {"start": 12, "end": 22, "source": 1}]"#,
        r#"[{"span": {"start": 0, "end": 11}, "source": 2}, {"span": {"start": 12, "end": 22}, "source": 1}]"#,
        r#"[{"text_range": {"begin": 0, "length": 11}, "refs": [2]}, {"text_range": {"begin": 12, "length": 10}, "refs": [1]}]"#,
        r#"[{"range": [0, 11], "source_ids": [2]}, {"range": [12, 22], "source_ids": [1]}]"#,
        r#"[{"text": "It is tall.", "source_ids": [2]}, {"text": "It is old.", "source_ids": [1]}]"#,
        r#"[{"quote": "It is tall.", "evidence": [{"id": 2}]}, {"quote": "It is old.", "evidence": [{"id": 1}]}]"#,
        r#"[{"start": 0, "end": 11, "source_id": 2}, {"start": 12, "end": 22, "source_ids": [1]}]"#,
        r#"{"a": {"start": 0, "end": 11, "source": 2}, "b": {"start": 12, "end": 22, "source": 1}}"#,
        r#"[{"range": ["0", 11.0], "source": "Height"}, {"range": [12, 22], "source": "Age"}]"#,
        r#"[{"start": 0, "end": 11, "source": 2, "snippet": "Some 300 metres"}, {"start": 12, "end": 22, "source": 1, "snippet": "Built in 1889"}]"#,
        r#"[{"claim": "It is tall.", "source": 2, "quote": "Some 300 metres"}, {"claim": "It is old.", "source": 1, "quote": "Built in 1889"}]"#,
    ] {
        let text = format!(
            r#"{{"answer": "It is tall. It is old.", "citations": {citations}, "sources": [{{"id": 1, "title": "Age"}}, {{"id": 2, "title": "Height"}}]}}"#
        );
        let (code, out, _) = texts(output(["export", "--to", "inline"], &text));
        assert_eq!((code, out.as_str()), (0, "It is tall.[2] It is old.[1]\n"), "{citations}");
    }
    for beside in [
        r#""metadata": {"citations": [{"start": 0, "end": 11, "doc_id": "h"}], "sources": [{"id": 1, "doc_id": "h", "title": "Height"}]}"#,
        r#""grounding": {"citations": [{"start": 0, "end": 11, "source": 1}]}, "sources": {"items": [{"id": 1, "title": "Height"}], "total": 1}"#,
        r#""citations": [{"text": "It is tall.", "source": {"title": "Height"}}]"#,
        r#""citations": [{"start": 0, "end": 11, "sources": ["https://h.example"]}], "references": [{"title": "Height", "url": "https://h.example"}]"#,
        r#""citations": [{"start": 0, "end": 11, "sources": ["h.pdf"]}], "references": [{"title": "Height", "filename": "h.pdf"}]"#,
        r#""citations": [{"start": 0, "end": 11, "source_id": 9, "source_ids": [1]}], "sources": [{"id": 1, "title": "Height"}]"#,
        r#""citations": [{"start": 0, "end": 11, "source": "h"}], "sources": ["h"], "documents": [{"id": "h", "title": "Height"}]"#,
    ] {
        let text = format!(r#"{{"answer": "It is tall.", {beside}}}"#);
        let response = &read(&text)[0];
        assert_eq!(response["sources"][0]["title"], "Height", "{beside}");
        assert_eq!(response["supports"][0]["citations"][0]["source"], 0, "{beside}");
    }
    // Where the passages of sources stand in their documents says nothing of the answer.
    let text =
        r#"{"answer": "It is tall [1].", "citations": [{"title": "Height", "start": 120, "end": 240}]}"#;
    assert_eq!(texts(output(["check"], text)), (0, "no findings in 1 response\n".into(), String::new()));
    // The offsets of an object of their own are repaired where they stand.
    let text = r#"{"answer": "Né. Old.", "citations": [{"text_range": {"start": 1, "end": 4}, "text": "Né.", "refs": ["a"]}, {"text_range": {"start": 5, "end": 9}, "text": "Old.", "refs": ["a"]}], "sources": [{"id": "a", "title": "A"}]}"#;
    let (code, out, errors) = texts(output(["fix"], text));
    let repaired = text.replace("1, \"end\": 4", "0, \"end\": 3").replace("5, \"end\": 9", "4, \"end\": 8");
    assert_eq!((code, out), (0, repaired), "{errors}");
    // Unless all of them prove another unit.
    let text = r#"{"answer": "Né. Old.", "citations": [{"text_range": {"start": 0, "end": 4}, "text": "Né.", "refs": ["a"]}], "sources": [{"id": "a", "title": "A"}]}"#;
    assert_eq!(texts(output(["fix"], text)).1, text);
}

/// One that several claims bring along is one source, and each claim is compared with its own passage.
#[test]
fn sources_that_claims_bring_along_are_guessed() {
    let cited = |citations: &str| {
        let text = format!(r#"{{"answer": "It is tall. It is old.", "citations": {citations}}}"#);
        let response = read(&text)[0].clone();
        let titles = response["sources"].as_array().unwrap().iter();
        let titles: Vec<String> = titles
            .map(|source| source["title"].as_str().or(source["document"].as_str()).unwrap().into())
            .collect();
        let supports = response["supports"].as_array().unwrap().iter();
        let cited = |support: &serde_json::Value| -> Vec<u64> {
            let citations = support["citations"].as_array().unwrap().iter();
            citations.map(|citation| citation["source"].as_u64().unwrap()).collect()
        };
        (titles.join(" "), supports.map(cited).collect::<Vec<_>>())
    };
    let one = r#"{"title": "A", "url": "https://a.example"}"#;
    let other = r#"{"title": "B", "url": "https://b.example"}"#;
    let of = |first: &str, second: &str| {
        cited(&format!(r#"[{{"start": 0, "end": 11, {first}}}, {{"start": 12, "end": 22, {second}}}]"#))
    };
    let both = ("A B".to_owned(), vec![vec![0], vec![1]]);
    assert_eq!(of(&format!("\"source\": {one}"), &format!("\"source\": {other}")), both);
    assert_eq!(
        of(&format!("\"sources\": [{one}]"), &format!("\"sources\": [{other}, {one}]")),
        ("A B".to_owned(), vec![vec![0], vec![1, 0]])
    );
    assert_eq!(
        of(r#""document": "a.pdf""#, r#""document": "b.pdf""#),
        ("a.pdf b.pdf".to_owned(), vec![vec![0], vec![1]])
    );
    // Words in place of offsets, and other lists than citations.
    let told = |list: &str, beside: &str| {
        let input = format!(
            r#"{{"answer": "It is tall. It is old.", "{list}": [{{"text": "It is tall.", {beside}}}]}}"#
        );
        let response = read(&input)[0].clone();
        (
            response["supports"][0]["start"].clone(),
            response["supports"][0]["end"].clone(),
            response["sources"][0]["title"].clone(),
        )
    };
    let (from, to) = (serde_json::json!(0), serde_json::json!(11));
    for (list, beside) in [
        ("citations", format!("\"source\": {one}")),
        ("citations", r#""title": "A", "url": "https://a.example""#.to_owned()),
        ("claims", format!("\"label\": \"fine\", \"citations\": [{one}]")),
        ("supports", format!("\"document\": {one}")),
    ] {
        assert_eq!(told(list, &beside), (from.clone(), to.clone(), "A".into()), "{list} {beside}");
    }
    assert_eq!(
        of(r#""sources": ["a.pdf", "b.pdf"]"#, r#""sources": []"#),
        ("a.pdf b.pdf".to_owned(), vec![vec![0, 1], vec![]])
    );
    // A sentence without blanks is a passage, and no name of a file.
    let dense = r#"{"answer": "东京是首都。", "contexts": ["东京是日本的首都，人口很多。", "報告.pdf"]}"#;
    let sources = &read(dense)[0]["sources"];
    assert_eq!(sources[0]["chunks"][0]["text"], "东京是日本的首都，人口很多。");
    assert_eq!(sources[1]["document"], "報告.pdf");
    // Ids alone name nothing that is there.
    let ids = r#"{"answer": "It is tall.", "citations": [{"start": 0, "end": 11, "sources": ["s1"]}]}"#;
    assert!(texts(output(["check"], ids)).1.contains("error[source-index]"));
    let passages = r#"[{"start": 0, "end": 11, "source": {"title": "A", "text": "tall"}}, {"start": 12, "end": 22, "source": {"title": "A", "text": "old"}}]"#;
    let response = &read(&format!(r#"{{"answer": "It is tall. It is old.", "citations": {passages}}}"#))[0];
    assert_eq!(response["sources"].as_array().unwrap().len(), 1);
    let chunks = |support: usize| response["supports"][support]["citations"][0]["chunks"].clone();
    assert_eq!([chunks(0), chunks(1)], [serde_json::json!([0]), serde_json::json!([1])]);
}

/// Ids, names of files, words with numbers; a number 0 says that they count from there.
#[test]
fn claims_are_guessed_by_their_name_whatever_the_answer_is_called() {
    for (input, expected) in [
        (
            r#"{"text": "It is tall. It is red.", "claims": [{"text": "It is tall.", "source": "https://a.example/1"}]}"#,
            "It is tall.[1](https://a.example/1) It is red.\n",
        ),
        (
            r#"{"output": "It is tall. It is red.", "citations": [{"quote": "It is red.", "url": "https://a.example/1"}]}"#,
            "It is tall. It is red.[1](https://a.example/1)\n",
        ),
        // What is quoted may be of the page where some of it is not of the answer.
        (
            r#"{"answer": "It is tall.", "citations": [{"quote": "It is tall.", "url": "https://a.example/1"}, {"quote": "Height: 9 m", "url": "https://a.example/2"}]}"#,
            "It is tall.\n",
        ),
    ] {
        assert_eq!(texts(output(["export", "--to", "inline"], input)).1, expected);
    }
    // Text with notes of any kind is no answer.
    let notes = r#"{"text": "It is tall.", "annotations": [{"text": "tall", "source": "lexicon"}]}"#;
    assert_eq!(texts(output(["check"], notes)).0, 2);
}

#[test]
fn marks_are_guessed_by_what_sources_are_called() {
    let shown = |text: &str, sources: &str| {
        let input = serde_json::json!({"answer": text, "sources": serde_json::from_str::<serde_json::Value>(sources).unwrap()});
        let (code, out, _) = texts(output(["export", "--to", "inline"], input.to_string()));
        assert_eq!(code, 0);
        out
    };
    let ids = r#"[{"id": "c1", "title": "A"}, {"id": "c2", "title": "B"}]"#;
    let plain = r#"[{"title": "A"}, {"title": "B"}]"#;
    for (text, sources, expected) in [
        ("Tall [c1]. Old [c2, c1] [sic].", ids, "Tall[1]. Old[2], [1] [sic].\n"),
        (
            "Tall [b.pdf, p. 3]. Old [a.pdf].",
            r#"[{"filename": "a.pdf"}, {"filename": "b.pdf"}]"#,
            "Tall[2]. Old[1].\n",
        ),
        ("Tall [b.pdf]. Old [a.pdf].", r#"["a.pdf", "b.pdf"]"#, "Tall[2]. Old[1].\n"),
        ("Tall [Source 2]. Old [doc1, doc2].", plain, "Tall[2]. Old[1], [2].\n"),
        (
            "Tall [1]. Old [2].",
            r#"{"1": "https://a.example", "2": "https://b.example"}"#,
            "Tall[1](https://a.example). Old[2](https://b.example).\n",
        ),
        ("Tall [1]. Old [0].", plain, "Tall[2]. Old[1].\n"),
        // Numbers of their own, of which some are left out.
        (
            "Tall [1]. Old [4].",
            r#"[{"n": 1, "url": "https://a.example"}, {"n": 4, "url": "https://b.example"}, {"n": 5, "url": "https://c.example"}]"#,
            "Tall[1](https://a.example). Old[2](https://b.example).\n",
        ),
        // The marks themselves.
        (
            "Tall [1]. Old [2].",
            r#"[{"number": "[2]", "url": "https://b.example"}, {"number": "[1]", "url": "https://a.example"}]"#,
            "Tall[2](https://a.example). Old[1](https://b.example).\n",
        ),
        (
            "Tall [1]. Old [2].",
            r#"["[2] https://b.example", "[1] https://a.example"]"#,
            "Tall[2](https://a.example). Old[1](https://b.example).\n",
        ),
        (
            "Tall [2].",
            r##"[{"citation": "#2", "url": "https://b.example"}, {"citation": "#5", "url": "https://e.example"}]"##,
            "Tall[1](https://b.example).\n",
        ),
        (
            "Tall [2].",
            r#"[{"citation_number": "2", "url": "https://b.example"}, {"citation_number": "1", "url": "https://a.example"}]"#,
            "Tall[1](https://b.example).\n",
        ),
        // An index, a set and a box are no marks, and who counts sources calls them by nothing else.
        ("Of list[0]: tall [1].", plain, "Of list: tall[1].\n"),
        (
            "- [x] done\n\nTall [1].",
            r#"[{"id": "x", "title": "A"}, {"id": "y", "title": "B"}]"#,
            "- [x] done\n\nTall[1].\n",
        ),
        ("Of [A]: tall [2].", plain, "Of [A]: tall[2].\n"),
    ] {
        assert_eq!(shown(text, sources), expected, "{text}");
    }
    // Of many without a likeness, too.
    let many: Vec<serde_json::Value> =
        (0..120).map(|n| serde_json::json!({"id": format!("{:x}-z", n * 7919)})).collect();
    let text: String = many.iter().map(|one| format!("Fact [{}]. ", one["id"].as_str().unwrap())).collect();
    let response = &read(&serde_json::json!({"answer": text, "sources": many}).to_string())[0];
    assert_eq!(response["supports"].as_array().unwrap().len(), 120);
    let cited = r#"{"answer": "Tall [2].", "citations": {"1": {"title": "A"}, "2": {"title": "B"}}}"#;
    assert_eq!(texts(output(["export", "--to", "inline"], cited)).1, "Tall[2].\n");
}

/// The answer is shown, and what beside it could not be read is told.
#[test]
fn lists_that_cannot_be_read_are_told_beside_their_answer() {
    for (list, words) in [
        (r#""references": [["A", "https://a.example"]]"#, "no key in `references` is called as a source is"),
        (
            r#""citations": [[0, 11, "a"]], "sources": ["a"]"#,
            "no key in `citations` is called as the place or the words of a claim is",
        ),
        (
            r#""citations": {"a": [[0, 11]]}, "sources": ["a"]"#,
            "no key in `citations` is called as the place or the words of a claim is",
        ),
        (
            r#""citations": [{"start": 0, "end": 11, "hit": "a"}], "sources": ["a"]"#,
            "no key in `citations` is called as what a claim rests on is",
        ),
    ] {
        let input = format!(r#"{{"answer": "It is tall.", {list}}}"#);
        let (code, out, _) = texts(output(["check", "--fail-on", "warning"], &input));
        assert_eq!(code, 1, "{out}");
        assert!(out.contains(&format!("warning[citations-unread]: {words}\n")), "{out}");
        assert!(texts(output(["export", "--to", "plain"], &input)).1.contains("It is tall."));
        // The screen says it before that there are no supports, which follows from it.
        let shown = screen(&of(open("in.json", input.into_bytes())), 80, 24);
        assert!(
            shown.lines().nth(1).is_some_and(|line| line.contains("! what looks like citations is not read")),
            "{shown}"
        );
    }
}

/// Claims may call by its address what is listed elsewhere.
#[test]
fn claims_name_listed_sources_by_their_addresses() {
    let sources = r#""sources": [{"title": "One", "url": "https://a.example/1"}, {"title": "Two", "url": "https://b.example/2"}]"#;
    for (claims, expected) in [
        (
            r#""annotations": [{"start": 12, "end": 22, "url": "https://b.example/2"}]"#,
            "It is tall. It is red.[2](https://b.example/2)\n",
        ),
        (
            r#""spans": [{"start": 0, "end": 11, "source": 0}, {"start": 12, "end": 22, "link": "https://b.example/2"}]"#,
            "It is tall.[1](https://a.example/1) It is red.[2](https://b.example/2)\n",
        ),
        (
            r#""claims": [{"text": "It is red.", "sources": [{"title": "Two", "url": "https://b.example/2"}]}]"#,
            "It is tall. It is red.[2](https://b.example/2)\n",
        ),
    ] {
        let input = format!(r#"{{"answer": "It is tall. It is red.", {claims}, {sources}}}"#);
        assert_eq!(texts(output(["export", "--to", "inline"], &input)).1, expected, "{claims}");
    }
    let gone = format!(
        r#"{{"answer": "It is tall.", "annotations": [{{"start": 0, "end": 11, "url": "https://c.example/3"}}], {sources}}}"#
    );
    let (code, out, _) = texts(output(["check"], &gone));
    assert_eq!(code, 1);
    assert!(out.contains("error[source-index]"), "{out}");
}

/// Models number their citations while the sources keep the order in which they were found.
#[test]
fn a_list_may_say_which_source_each_number_names() {
    let answer = "Beta is second [1]. Alpha is first [2].";
    let sources = r#""sources": [{"id": "s1", "url": "https://a.example/1"}, {"id": "s2", "url": "https://b.example/2"}]"#;
    let right = "Beta is second[2](https://b.example/2). Alpha is first[1](https://a.example/1).\n";
    for table in [
        r#""citations": [{"number": 1, "source_id": "s2"}, {"number": 2, "source_id": "s1"}]"#,
        r#""citations": [{"marker": "[1]", "document_id": "s2"}, {"marker": "[2]", "document_id": "s1"}]"#,
        r#""references": [{"n": 2, "ref": "s1"}, {"n": 1, "ref": "s2"}]"#,
        r#""citations": [{"id": 1, "source_index": 1}, {"id": 2, "source_index": 0}]"#,
        r#""citations": [{"number": 1, "url": "https://b.example/2"}, {"number": 2, "url": "https://a.example/1"}]"#,
        r#""citations": {"1": "s2", "2": "s1"}"#,
        r#""citations": ["s2", "s1"]"#,
    ] {
        let input = format!(r#"{{"answer": "{answer}", {table}, {sources}}}"#);
        assert_eq!(texts(output(["export", "--to", "inline"], &input)).1, right, "{table}");
        assert_eq!(texts(output(["check", "--fail-on", "warning"], &input)).0, 0, "{table}");
        // What is proposed as a map reads the same.
        let folder = tempfile::tempdir().unwrap();
        let (file, answered) = (folder.path().join("map.toml"), folder.path().join("answer.json"));
        std::fs::write(&answered, &input).unwrap();
        let map = texts(output(["map", "--init", answered.to_str().unwrap()], "")).1;
        std::fs::write(&file, map).unwrap();
        let by_map = ["export", "--to", "inline", "--map", file.to_str().unwrap()];
        assert_eq!(texts(output(by_map, &input)).1, right, "{table}");
    }
    // A number that the list does not have names nothing; a list of numbers is of those of the marks.
    let short =
        format!(r#"{{"answer": "{answer}", "citations": [{{"number": 1, "source_id": "s2"}}], {sources}}}"#);
    assert!(
        texts(output(["check"], &short))
            .1
            .contains("warning[marker-orphan]: 1 marker in the answer names no source: [2]")
    );
    let plain = format!(
        r#"{{"answer": "{answer}", "citations": [2, 1], "sources": [{{"id": 1, "url": "https://a.example/1"}}, {{"id": 2, "url": "https://b.example/2"}}]}}"#
    );
    let out = texts(output(["export", "--to", "inline"], &plain)).1;
    assert_eq!(out, "Beta is second[1](https://a.example/1). Alpha is first[2](https://b.example/2).\n");
}

#[test]
fn claims_are_read_by_further_names_of_places_and_passages() {
    let chunks = r#"{"answer": "Alpha is first. Beta is second.", "citations": [{"text": "Beta is second.", "chunk_id": "c2"}],
        "chunks": [{"chunk_id": "c1", "content": "Alpha."}, {"chunk_id": "c2", "content": "Beta."}]}"#;
    assert_eq!(texts(output(["export", "--to", "inline"], chunks)).1, "Alpha is first. Beta is second.[2]\n");
    for (start, end) in [
        ("char_start", "char_end"),
        ("start_idx", "end_idx"),
        ("startPos", "endPos"),
        ("span_start", "span_end"),
    ] {
        let input = format!(
            r#"{{"answer": "Is Monday open? Yes. Is Sunday open? Yes.", "citations": [{{"{start}": 37, "{end}": 41, "quote": "Yes.", "source_id": "a"}}], "sources": [{{"id": "a", "url": "https://a.example"}}]}}"#
        );
        let out = texts(output(["export", "--to", "inline"], &input)).1;
        assert_eq!(out, "Is Monday open? Yes. Is Sunday open? Yes.[1](https://a.example)\n", "{start}");
    }
}

/// Of each mark the letters of the hosts that it leads to.
fn led(beside: &str) -> String {
    let input = format!(r#"{{"answer": "Cats [1]. Dogs [2].", {beside}}}"#);
    let csv = texts(output(["export", "--to", "inline"], &input)).1;
    let host = |rest: &str| rest.split_once(".example").map(|(host, _)| host.to_owned());
    let of = |words: &str| words.split("](https://").skip(1).filter_map(host).collect::<Vec<_>>().join("+");
    let (cats, dogs) = csv.split_once(" Dogs").unwrap();
    format!("{} {}", of(cats), of(dogs))
}

#[test]
fn lists_of_numbers_are_read_in_every_usual_shape() {
    let sources = r#""sources": [{"id": "a", "title": "A", "url": "https://a.example/"}, {"id": "b", "title": "B", "url": "https://b.example/"}, {"id": "c", "title": "C", "url": "https://c.example/"}]"#;
    for (list, expected) in [
        (r#"[{"number": 1, "source_ids": ["c"]}, {"number": 2, "source_ids": ["a"]}]"#, "c a"),
        (r#"[{"number": 1, "source": {"id": "c"}}, {"number": 2, "source": {"id": "a"}}]"#, "c a"),
        (r#"[{"number": 1, "document": "c"}, {"number": 2, "document": "a"}]"#, "c a"),
        (r#"[{"number": 1, "title": "C"}, {"number": 2, "title": "A"}]"#, "c a"),
        (r#"[{"number": 1, "url": "https://c.example"}, {"number": 2, "url": "https://a.example"}]"#, "c a"),
        (r#"[{"number": 1, "source_indices": [2]}, {"number": 2, "source_indices": [0]}]"#, "c a"),
        (r#"[{"number": 1, "source_number": 3}, {"number": 2, "source_number": 1}]"#, "c a"),
        (r#"[{"source_index": 2, "quote": "x"}, {"source_index": 0, "quote": "y"}]"#, "c a"),
        (r#"[{"mark": 1, "hit": "c"}, {"mark": 2, "hit": "a"}]"#, "c a"),
        // A number may name several, and one that names nothing takes nothing from the others.
        (
            r#"[{"number": 1, "source_id": "c"}, {"number": 1, "source_id": "b"}, {"number": 2, "source_id": "a"}]"#,
            "c+b a",
        ),
        (r#"[{"number": 1, "source_id": "c"}, {"number": 2, "source_id": "gone"}]"#, "c "),
        (r#"[{"number": 1, "source_id": "c"}, {"number": 2, "source_id": null}]"#, "c "),
        (r#"{"1": "c", "2": "gone"}"#, "c "),
        (r#"{"1": ["c", "b"], "2": ["a"]}"#, "c+b a"),
    ] {
        assert_eq!(led(&format!(r#""citations": {list}, {sources}"#)), expected, "{list}");
    }
}

/// A store's id beside the number that is shown.
#[test]
fn sources_are_called_by_the_numbers_that_marks_name() {
    for name in ["number", "index", "n", "citation_number", "label", "marker"] {
        let source = |id: &str, number: u32| {
            format!(r#"{{"id": "{id}", "{name}": {number}, "url": "https://{id}.example/"}}"#)
        };
        let list = |numbers: [u32; 2]| {
            format!(r#""sources": [{}, {}]"#, source("a", numbers[0]), source("b", numbers[1]))
        };
        assert_eq!(led(&list([2, 1])), "b a", "{name}");
        // Places from 0 are none.
        assert_eq!(led(&list([0, 1])), "a b", "{name}");
    }
}

#[test]
fn a_list_of_ids_and_a_table_of_places_say_what_the_numbers_name() {
    let documents = r#""documents": [{"id": "a", "url": "https://a.example/"}, {"id": "b", "url": "https://b.example/"}]"#;
    assert_eq!(led(&format!(r#""sources": ["b", "a"], {documents}"#)), "b a");
    let bare = r#""sources": [{"url": "https://a.example/"}, {"url": "https://b.example/"}]"#;
    assert_eq!(led(&format!(r#""citations": {{"1": 1, "2": 0}}, {bare}"#)), "b a");
    // Of two addresses that a slash alone tells apart each is its own.
    let twins = r#""sources": [{"title": "One", "url": "https://a.example/"}, {"title": "Two", "url": "https://a.example"}]"#;
    let input = format!(
        r#"{{"answer": "Cats.", "claims": [{{"text": "Cats.", "url": "https://a.example"}}], {twins}}}"#
    );
    assert_eq!(read(&input)[0]["supports"][0]["citations"][0]["source"], 1);
}

/// Programs count in the units of their language; what all words prove is right.
#[test]
fn offsets_without_a_map_count_what_their_words_prove() {
    let answer = "👍 Fact one. 👍 Fact two.";
    for (places, unit) in
        [([[2, 11], [14, 23]], "characters"), ([[3, 12], [16, 25]], "utf16"), ([[5, 14], [20, 29]], "bytes")]
    {
        let claim = |[start, end]: [i32; 2], words: &str| {
            format!(r#"{{"start": {start}, "end": {end}, "text": "{words}", "source_id": "a"}}"#)
        };
        let input = format!(
            r#"{{"answer": "{answer}", "citations": [{}, {}], "sources": [{{"id": "a", "url": "https://a.example"}}]}}"#,
            claim(places[0], "Fact one."),
            claim(places[1], "Fact two.")
        );
        assert_eq!(texts(output(["check"], &input)).1, "no findings in 1 response\n", "{unit}");
        let (_, fixed, said) = texts(output(["fix"], &input));
        assert_eq!((fixed, said.contains("nothing to repair")), (input.clone(), true), "{unit}");
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("answer.json");
        std::fs::write(&file, &input).unwrap();
        let map = texts(output(["map", "--init", file.to_str().unwrap()], "")).1;
        assert!(map.contains(&format!("unit = \"{unit}\"")), "{map}");
    }
    // Where one of them stands elsewhere nothing is proven.
    let odd = format!(
        r#"{{"answer": "{answer}", "citations": [{{"start": 3, "end": 12, "text": "Fact one.", "source_id": "a"}}, {{"start": 9, "end": 18, "text": "Fact two.", "source_id": "a"}}], "sources": [{{"id": "a", "url": "https://a.example"}}]}}"#
    );
    assert_eq!(texts(output(["check"], &odd)).0, 1);
}

/// OpenAI's annotations lie over its own marks, and many do as it does.
#[test]
fn offsets_that_lie_over_marks_are_those_of_marks() {
    for [first, second] in [["", ""], [r#""text": "[1]", "#, r#""text": "[2]", "#]] {
        let input = format!(
            r#"{{"answer": "Cats [1]. Dogs [2].", "citations": [{{{first}"start": 5, "end": 8, "source_id": "b"}}, {{{second}"start": 15, "end": 18, "source_id": "a"}}],
            "sources": [{{"id": "a", "url": "https://a.example/"}}, {{"id": "b", "url": "https://b.example/"}}]}}"#
        );
        let out = texts(output(["export", "--to", "inline"], &input)).1;
        assert_eq!(out, "Cats[2](https://b.example/). Dogs[1](https://a.example/).\n");
        assert_eq!(texts(output(["check"], &input)).1, "no findings in 1 response\n");
    }
}

#[test]
fn sources_within_claims_are_apart_by_their_addresses_and_files_join_by_their_names() {
    let claims = r#"{"answer": "Cats. Dogs.", "claims": [{"text": "Cats.", "sources": [{"id": 1, "url": "https://a.example/"}]}, {"text": "Dogs.", "sources": [{"id": 1, "url": "https://b.example/"}]}]}"#;
    let out = texts(output(["export", "--to", "inline"], claims)).1;
    assert_eq!(out, "Cats.[1](https://a.example/) Dogs.[2](https://b.example/)\n");
    let files = r#"{"answer": "Cats. Dogs.", "sources": [{"source": "a.pdf", "text": "Cats"}, {"source": "b.pdf", "text": "Dogs"}],
        "citations": [{"text": "Cats.", "source": "b.pdf"}, {"text": "Dogs.", "source": "a.pdf"}]}"#;
    let response = &read(files)[0];
    let cited = |support: usize| response["supports"][support]["citations"][0]["source"].clone();
    assert_eq!([cited(0), cited(1)], [1, 0]);
}

#[test]
fn a_length_without_end_is_no_place() {
    let input = r#"{"answer": "Cats.", "citations": [{"start": 9223372036854775807, "length": 9223372036854775807, "text": "Cats.", "source_id": "a"}], "sources": [{"id": "a", "url": "https://a.example/"}]}"#;
    let (code, out, _) = texts(output(["check"], input));
    assert_eq!(code, 0, "{out}");
    assert!(out.starts_with("warning[quote-mismatch]: support 1 is not where the offsets say"), "{out}");
}

#[test]
fn what_two_sources_say_alike_is_listed_of_both() {
    let input = r#"{"text":"Alpha is big.","spans":[{"start":0,"end":13,"source_ids":["a"]}],"sources":[
        {"id":"a","url":"https://a.example/1","title":"A","status":"withdrawn"},
        {"id":"b","url":"https://b.example/1","title":"B","status":"withdrawn"}]}"#;
    let reviews: Vec<_> = open("f", input).reviews().map(Result::unwrap).collect();
    let extras: Vec<String> =
        reviews[0].extras().iter().map(|extra| format!("{} {}", extra.origin.path, extra.value)).collect();
    assert_eq!(extras, [r#"$.sources[0].status "withdrawn""#, r#"$.sources[1].status "withdrawn""#]);
}
