//! Ids of one's own JSON: which are known, and what a number that is none names.

use crate::common::program::{output, texts};

/// Rules of which a check without content tells, by name, and the links of an export: `n<a>` for `[n]` to
/// source `a`.
fn read(input: &str) -> (Vec<String>, String) {
    let (_, out, _) = texts(output(["check", "--no-content"], input));
    let rule = |line: &str| Some(line.split_once('[')?.1.split_once("]:")?.0.to_owned());
    let told = out.lines().filter(|line| line.starts_with("error[") || line.starts_with("warning["));
    let links = texts(output(["export", "--to", "inline"], input)).1;
    let links = links.trim_end().replace("](https://", "<").replace(".example/)", ">").replace('[', "");
    (told.filter_map(rule).collect(), links)
}

#[test]
fn a_number_that_is_no_id_is_no_place_beside_ids() {
    for (rest, rules, links) in [
        (
            r#""answer": "P. R.", "citations": [{"start": 0, "end": 2, "source_id": 1}, {"start": 3, "end": 5, "source_id": 2}],
            "sources": [{"id": 1, "url": "https://a.example/"}, {"id": 3, "url": "https://b.example/"}]"#,
            vec!["source-index"],
            "P.1<a> R.",
        ),
        (
            r#""answer": "P [1]. R [2].", "sources": [{"id": 1, "url": "https://a.example/"}, {"id": 3, "url": "https://b.example/"}]"#,
            vec!["marker-orphan"],
            "P1<a>. R.",
        ),
        (
            r#""answer": "P [1]. R [2].", "references": {"1": {"url": "https://a.example/"}, "3": {"url": "https://b.example/"}}"#,
            vec!["marker-orphan"],
            "P1<a>. R.",
        ),
        // Ids that are places from 0 may be read as these.
        (
            r#""answer": "P [1]. R [2].", "sources": [{"id": 0, "url": "https://a.example/"}, {"id": 1, "url": "https://b.example/"}]"#,
            vec![],
            "P1<a>. R2<b>.",
        ),
        // Of others than the marks name none is one.
        (
            r#""answer": "P [1]. R [2].", "sources": [{"id": 70, "url": "https://a.example/"}, {"id": 9, "url": "https://b.example/"}]"#,
            vec![],
            "P1<a>. R2<b>.",
        ),
    ] {
        assert_eq!(
            read(&format!("{{{rest}}}")),
            (rules.into_iter().map(str::to_owned).collect(), links.to_owned()),
            "{rest}"
        );
    }
}

#[test]
fn one_number_too_high_moves_no_other() {
    let of = |numbers: [usize; 3]| {
        let [a, b, c] = numbers;
        read(&format!(
            r#"{{"answer": "P. R. S.", "citations": [{{"start": 0, "end": 2, "source": {a}}}, {{"start": 3, "end": 5, "source": {b}}}, {{"start": 6, "end": 8, "source": {c}}}],
            "sources": [{{"url": "https://a.example/"}}, {{"url": "https://b.example/"}}]}}"#
        ))
    };
    assert_eq!(of([1, 2, 3]), (vec!["source-index".to_owned()], "P.1<a> R.2<b> S.".to_owned()));
    assert_eq!(of([0, 1, 2]), (vec!["source-index".to_owned()], "P.1<a> R.2<b> S.".to_owned()));
    // Neither the first nor the last is named.
    assert_eq!(
        of([1, 1, 3]),
        (vec!["source-index".to_owned(), "source-count".to_owned()], "P.2<b> R.2<b> S.".to_owned())
    );
}

/// The keys of an object are the ids of the sources in it.
#[test]
fn a_map_of_an_object_has_no_places() {
    let folder = tempfile::tempdir().unwrap();
    let map = folder.path().join("by.toml");
    std::fs::write(&map, "answer = \"a\"\n[markers]\n[sources]\nlist = \"refs[*]\"\nurl = \"url\"\n")
        .unwrap();
    let input = r#"{"a": "P [1]. R [2].", "refs": {"1": {"url": "https://a.example/"}, "3": {"url": "https://b.example/"}}}"#;
    let (code, out, _) =
        texts(output(["check", "--fail-on", "warning", "--map", map.to_str().unwrap()], input));
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("warning[marker-orphan]: 1 marker in the answer names no source: [2]"), "{out}");
}

#[test]
fn what_claims_name_is_found_below_any_key_of_the_sources() {
    for (refer, list) in [
        ("passage_id", "passages"),
        ("node_id", "sources"),
        ("reference", "sources"),
        ("chunk_id", "retrieved_chunks"),
        ("doc_id", "relevant_documents"),
        ("file_id", "documents"),
        ("document", "snippets"),
    ] {
        let input = format!(
            r#"{{"answer": "P. R.", "citations": [{{"start": 0, "end": 2, "{refer}": "p-7"}}], "{list}": [{{"{refer}": "q-1", "url": "https://a.example/"}}, {{"{refer}": "p-7", "url": "https://b.example/"}}]}}"#
        );
        assert_eq!(read(&input), (Vec::new(), "P.2<b> R.".to_owned()), "{refer} {list}");
    }
}

#[test]
fn an_unknown_id_in_brackets_is_a_mark_where_it_looks_like_the_others() {
    for (ids, other) in [
        (
            ["7f3e61c2-11aa-4c0b-9d57-2b8f0c6a1e01", "9a8b7c6d-33cc-4e2d-9f79-4daf2e8c3a03"],
            "c0ffee00-22bb-4d1c-8e68-3c9f1d7b2f02",
        ),
        (["7f3e61c2", "9a8b7c6d"], "c0ffee00"),
        (["doc-a1", "doc-b2"], "doc-c9"),
    ] {
        let [one, two] = ids;
        let input = format!(
            r#"{{"answer": "P [{one}]. R [{other}] [sic].", "sources": [{{"id": "{one}", "url": "https://a.example/"}}, {{"id": "{two}", "url": "https://b.example/"}}]}}"#
        );
        assert_eq!(read(&input), (vec!["marker-orphan".to_owned()], "P1<a>. R sic].".to_owned()), "{other}");
    }
}

/// Words of sources beside the numbers of marks are no claims, though the answer repeats them.
#[test]
fn quotes_beside_the_numbers_of_marks_are_those_of_sources() {
    let input = r#"{"answer": "It opens at nine [1]. It closes at ten [2].", "citations": [
        {"number": 1, "source_id": "h", "quote": "doors open daily at 9 am"}, {"number": 2, "source_id": "n", "quote": "closes at ten"}],
        "sources": [{"id": "n", "url": "https://a.example/"}, {"id": "h", "url": "https://b.example/"}]}"#;
    assert_eq!(read(input), (Vec::new(), "It opens at nine2<b>. It closes at ten1<a>.".to_owned()));
    let more = input.replace("doors open daily at 9 am", "opens at nine");
    assert_eq!(read(&more), (Vec::new(), "It opens at nine2<b>. It closes at ten1<a>.".to_owned()));
}

/// Offsets that are right in a source are left, whatever words the claim has.
#[test]
fn offsets_of_quotes_in_their_source_are_left() {
    let claims = |first: &str, second: &str| {
        format!(
            r#"{{"answer": "It was built in 1889. It is tall.", "citations": [{{{first}"source_id": "h", "quote": "completed in 1889", "start": 4, "end": 21}},
        {{{second}"source_id": "t", "quote": "tall as a tree", "start": 0, "end": 14}}],
        "sources": [{{"id": "h", "url": "https://a.example/", "text": "Was completed in 1889."}}, {{"id": "t", "url": "https://b.example/", "text": "tall as a tree"}}]}}"#
        )
    };
    let own = claims(r#""claim": "It was built in 1889.", "#, r#""claim": "It is tall.", "#);
    assert_eq!(read(&own), (Vec::new(), "It was built in 1889.1<a> It is tall.2<b>".to_owned()));
    let none = claims("", "");
    assert_eq!(read(&none), (Vec::new(), "It was built in 1889. It is tall.1<a>, 2<b>".to_owned()));
    for input in [own, none] {
        let (code, fixed, _) = texts(output(["fix"], &input));
        assert_eq!((code, fixed.trim_end()), (0, input.as_str()));
    }
}

/// What is called a number or a mark says so, where an id may be any number.
#[test]
fn a_number_that_a_source_says_beats_its_id() {
    for key in [r#""marker": "[1]""#, r#""number": 1"#, r#""citation_number": 1"#, r#""label": "[1]""#] {
        let source = |id: usize, number: usize, host: &str| {
            format!(
                r#"{{"id": {id}, {}, "url": "https://{host}.example/"}}"#,
                key.replace('1', &number.to_string())
            )
        };
        for ids in [[0, 1, 2], [3, 1, 2]] {
            let [a, b, c] = ids;
            let input = format!(
                r#"{{"answer": "P [1]. R [2].", "sources": [{}, {}, {}]}}"#,
                source(a, 1, "a"),
                source(b, 2, "b"),
                source(c, 3, "c")
            );
            assert_eq!(read(&input), (Vec::new(), "P1<a>. R2<b>.".to_owned()), "{key} {ids:?}");
        }
    }
}

/// What claims and sources call alike is meant, whatever else would fit.
#[test]
fn ids_of_one_name_are_compared() {
    for (refer, key) in
        [("document_ids\": [1]", "document_id"), ("doc_id\": 1", "doc_id"), ("source_id\": 1", "source_id")]
    {
        let input = format!(
            r#"{{"answer": "P. R.", "claims": [{{"text": "P.", "{refer}}}], "documents": [{{"id": 1, "{key}": 2, "url": "https://a.example/"}}, {{"id": 2, "{key}": 1, "url": "https://b.example/"}}]}}"#
        );
        assert_eq!(read(&input), (Vec::new(), "P.2<b> R.".to_owned()), "{refer}");
    }
}

#[test]
fn what_a_claim_rejects_or_only_found_is_not_what_it_cites() {
    let sources = r#""sources": [{"id": "s0", "url": "https://a.example/"}, {"id": "s1", "url": "https://b.example/"}]"#;
    let of = |first: &str, second: &str| {
        let claims = format!(r#"[{{"start": 0, "end": 2, {first}}}, {{"start": 3, "end": 5, {second}}}]"#);
        read(&format!(r#"{{"answer": "P. R.", "claims": {claims}, {sources}}}"#)).1
    };
    for (first, second, links) in [
        (r#""sources": ["s0"]"#, r#""sources": [], "rejected_sources": ["s1"]"#, "P.1<a> R."),
        (r#""source_ids": ["s0"]"#, r#""source_ids": [], "not_supported_by": ["s1"]"#, "P.1<a> R."),
        (r#""source_id": "s0""#, r#""source_id": null, "closest_source": "s1""#, "P.1<a> R."),
        (
            r#""source_ids": [], "retrieved_ids": ["s1"]"#,
            r#""source_ids": [], "retrieved_ids": ["s1"]"#,
            "P. R.",
        ),
        (
            r#""candidate_sources": ["s1", "s0"], "sources": ["s0"]"#,
            r#""candidate_sources": ["s1", "s0"], "sources": ["s1"]"#,
            "P.1<a> R.2<b>",
        ),
        (
            r#""source_ids": ["s1", "s0"], "cited_ids": ["s0"]"#,
            r#""source_ids": ["s1", "s0"], "cited_ids": ["s1"]"#,
            "P.1<a> R.2<b>",
        ),
        (
            r#""supporting": ["s0"], "contradicting": ["s1"]"#,
            r#""supporting": [], "contradicting": ["s1"]"#,
            "P.1<a> R.",
        ),
        // Where nothing else says what it rests on.
        (r#""retrieved_ids": ["s0"]"#, r#""retrieved_ids": ["s1"]"#, "P.1<a> R.2<b>"),
    ] {
        assert_eq!(of(first, second), links, "{first}, {second}");
    }
}

#[test]
fn the_id_that_one_source_alone_has_beats_that_of_its_document() {
    let claim = |start: usize, chunk: &str| {
        format!(r#"{{"start": {start}, "end": {}, "document_id": "d", "chunk_id": "{chunk}"}}"#, start + 2)
    };
    let claims = [claim(0, "c2"), claim(3, "c1")].join(", ");
    for (document, chunk) in [("document_id", "chunk_id"), ("doc_id", "id")] {
        let source = |id: &str, host: &str| {
            format!(r#"{{"{document}": "d", "{chunk}": "{id}", "url": "https://{host}.example/"}}"#)
        };
        let sources = [source("c1", "a"), source("c2", "b")].join(", ");
        let read = read(&format!(r#"{{"answer": "P. R.", "citations": [{claims}], "chunks": [{sources}]}}"#));
        assert_eq!(read, (vec![], "P.2<b> R.1<a>".to_owned()), "{document}, {chunk}");
    }
}

#[test]
fn numbers_of_marks_are_known_by_many_names() {
    for name in ["ref_id", "refNum", "citation_num", "footnote_number", "doc_number", "citeId"] {
        let source = |number: usize, host: &str| {
            format!(r#"{{"{name}": {number}, "url": "https://{host}.example/"}}"#)
        };
        let sources = [source(2, "b"), source(1, "a")].join(", ");
        let links = read(&format!(r#"{{"answer": "P [1]. R [2].", "sources": [{sources}]}}"#)).1;
        assert_eq!(links, "P2<a>. R1<b>.", "{name}");
    }
}

#[test]
fn what_both_sides_call_alike_is_the_id_whatever_it_is_called() {
    for name in ["chunk_index", "docIndex"] {
        for first in [0, 1] {
            let second = first + 1;
            let input = format!(
                r#"{{"answer": "P. R.", "citations": [{{"start": 0, "end": 2, "{name}": {first}}}, {{"start": 3, "end": 5, "{name}": {second}}}],
                "chunks": [{{"{name}": {second}, "url": "https://a.example/"}}, {{"{name}": {first}, "url": "https://b.example/"}}]}}"#
            );
            assert_eq!(read(&input), (vec![], "P.2<b> R.1<a>".to_owned()), "{input}");
        }
    }
    // Two passages of two documents may both be the first.
    let input = r#"{"answer": "P. R.", "citations": [{"start": 0, "end": 2, "chunk_index": 0}, {"start": 3, "end": 5, "chunk_index": 1}],
        "chunks": [{"chunk_index": 0, "url": "https://a.example/"}, {"chunk_index": 0, "url": "https://b.example/"}]}"#;
    assert_eq!(read(input).1, "P.1<a> R.2<b>");
}

#[test]
fn ids_of_documents_beat_the_running_number_of_a_claim() {
    for (name, own) in [("document", "index"), ("article_id", "chunk_index"), ("record_id", "index")] {
        for [first, second] in [["4711", "4712"], [r#""4711""#, r#""4712""#]] {
            let input = format!(
                r#"{{"answer": "P. R.", "citations": [{{"start": 0, "end": 2, "{name}": {first}, "{own}": 0}}, {{"start": 3, "end": 5, "{name}": {second}, "{own}": 1}}],
                "documents": [{{"id": {second}, "url": "https://a.example/"}}, {{"id": {first}, "url": "https://b.example/"}}]}}"#
            );
            assert_eq!(read(&input), (vec![], "P.2<b> R.1<a>".to_owned()), "{input}");
        }
    }
}

#[test]
fn the_place_of_a_document_beats_that_of_a_passage_in_it() {
    for (place, own) in
        [("document_index", "chunk_id"), ("source_index", "chunk"), ("docNumber", "passage_id")]
    {
        let input = format!(
            r#"{{"answer": "P. R.", "citations": [{{"start": 0, "end": 2, "{place}": 1, "{own}": 0}}, {{"start": 3, "end": 5, "{place}": 0, "{own}": 1}}],
            "documents": [{{"url": "https://a.example/"}}, {{"url": "https://b.example/"}}]}}"#
        );
        assert_eq!(read(&input), (vec![], "P.2<b> R.1<a>".to_owned()), "{input}");
    }
}
