//! Offsets and words of one's own JSON: which are places and words of the answer, and which are those of
//! what is cited.

use crate::common::program::{output, run, texts};

/// Rules of a check without content, the links of an export, and what `fix` writes: `n<a>` for `[n]` to a.
fn read(input: &str) -> (Vec<String>, String) {
    let (_, out, _) = texts(output(["check", "--no-content"], input));
    let rule = |line: &str| Some(line.split_once('[')?.1.split_once("]:")?.0.to_owned());
    let told = out.lines().filter(|line| line.starts_with("error[") || line.starts_with("warning["));
    let links = texts(output(["export", "--to", "inline"], input)).1;
    let links =
        links.trim_end().replace("](https://", "<").replace(".example/)", ">").replace(['[', ']'], "");
    let (_, fixed, _) = texts(output(["fix"], input));
    assert_eq!(fixed.trim_end(), input, "nothing is repaired");
    (told.filter_map(rule).collect(), links)
}

const SOURCES: &str =
    r#""sources": [{"id": "a", "url": "https://a.example/"}, {"id": "b", "url": "https://b.example/"}]"#;

fn told(rules: &[&str], links: &str) -> (Vec<String>, String) {
    (rules.iter().map(|rule| (*rule).to_owned()).collect(), links.to_owned())
}

#[test]
fn words_of_sources_move_no_claim() {
    // The words of the sources stand in the claims, elsewhere in the answer, or nowhere.
    for quotes in [
        ["opened in 1889", "built for the fair"],
        ["It was built for the fair of the year", "The tower"],
        ["on 31 March", "in two years"],
    ] {
        for key in ["quote", "text", "snippet", "cited_text", "content"] {
            let [one, two] = quotes;
            let input = format!(
                r#"{{"answer": "The tower opened in 1889. It was built for the fair.", "citations": [{{"start": 0, "end": 25, "source_id": "a", "{key}": "{one}"}}, {{"start": 26, "end": 52, "source_id": "b", "{key}": "{two}"}}], {SOURCES}}}"#
            );
            assert_eq!(
                read(&input),
                told(&[], "The tower opened in 1889.1<a> It was built for the fair.2<b>"),
                "{key} {quotes:?}"
            );
        }
    }
}

/// No unit and no shift makes them places of the words: these say where, and it is told.
#[test]
fn offsets_that_are_none_of_the_words_are_told_and_left() {
    for places in [["1200, \"end\": 1300", "10, \"end\": 60"], ["12, \"end\": 60", "20, \"end\": 70"]] {
        let [one, two] = places;
        let input = format!(
            r#"{{"answer": "The tower opened in 1889. It was built for the fair.", "citations": [{{"claim": "The tower opened in 1889.", "source_id": "a", "start": {one}}}, {{"claim": "It was built for the fair.", "source_id": "b", "start": {two}}}], {SOURCES}}}"#
        );
        assert_eq!(
            read(&input),
            told(&["citations-unread"], "The tower opened in 1889.1<a> It was built for the fair.2<b>"),
            "{places:?}"
        );
    }
}

#[test]
fn numbered_elements_belong_to_their_marks_whatever_their_offsets_count() {
    let answer = r#""answer": "It opened in 1889 [1]. It was for the fair [2].""#;
    for list in [
        r#"[{"index": 1, "url": "https://a.example/", "start": 23, "end": 42}, {"index": 2, "url": "https://b.example/", "start": 3, "end": 9}]"#,
        r#"[{"id": 1, "url": "https://a.example/", "start": 2300, "end": 2400}, {"id": 2, "url": "https://b.example/", "start": 3000, "end": 3900}]"#,
        r#"[{"number": 1, "url": "https://a.example/", "text": "Opened 1889", "start": 4, "end": 15}, {"number": 2, "url": "https://b.example/", "text": "A fair", "start": 0, "end": 6}]"#,
    ] {
        let (rules, links) = read(&format!("{{{answer}, \"citations\": {list}}}"));
        assert_eq!(links, "It opened in 18891<a>. It was for the fair2<b>.", "{list}");
        assert!(rules.is_empty(), "{list}: {rules:?}");
    }
}

/// The address of a link says more than its words.
#[test]
fn links_lead_to_the_source_of_their_address() {
    for (answer, links) in [
        ("P ([Price](https://b.example/)). R ([Price](https://a.example/)).", "P2<b>. R1<a>."),
        ("P ([Beta](https://a.example/)). R ([Alpha](https://b.example/)).", "P1<a>. R2<b>."),
    ] {
        for titles in [["Price", "Price"], ["Alpha", "Beta"]] {
            let [one, two] = titles;
            let input = format!(
                r#"{{"answer": "{answer}", "sources": [{{"title": "{one}", "url": "https://a.example/"}}, {{"title": "{two}", "url": "https://b.example/"}}]}}"#
            );
            assert_eq!(read(&input), told(&[], links), "{answer} {titles:?}");
        }
    }
}

#[test]
fn claims_name_sources_by_their_files_and_pages() {
    for (refer, list) in [
        (
            r#""citations": [{"file": "b.pdf", "page": 3}]"#,
            r#"{"file": "a.pdf", "url": "https://a.example/"}, {"file": "b.pdf", "url": "https://b.example/"}"#,
        ),
        (
            r#""citations": [{"title": "B"}]"#,
            r#"{"title": "A", "url": "https://a.example/"}, {"title": "B", "url": "https://b.example/"}"#,
        ),
        (
            r#""file": "b.pdf""#,
            r#"{"file": "a.pdf", "url": "https://a.example/"}, {"file": "b.pdf", "url": "https://b.example/"}"#,
        ),
        (
            r#""url": "http://www.B.example?utm_source=x""#,
            r#"{"url": "https://a.example/"}, {"url": "https://b.example/"}"#,
        ),
    ] {
        let input = format!(
            r#"{{"answer": "It is old.", "claims": [{{"text": "It is old.", {refer}}}], "sources": [{list}]}}"#
        );
        assert_eq!(read(&input), told(&[], "It is old.2<b>"), "{refer}");
    }
}

#[test]
fn numbers_of_marks_and_of_sources_that_are_alike_count_from_one() {
    let of = |list: &str| {
        read(&format!(
            r#"{{"answer": "P [1]. R [2].", "citations": {list}, "sources": [{{"url": "https://a.example/"}}, {{"url": "https://b.example/"}}, {{"url": "https://c.example/"}}]}}"#
        ))
    };
    for list in [
        r#"[{"number": 1, "source_id": 1}, {"number": 2, "source_id": 2}]"#,
        r#"{"1": 1, "2": 2}"#,
        r#"[{"marker": "[1]", "document": 1}, {"marker": "[2]", "document": 2}]"#,
    ] {
        assert_eq!(of(list), told(&[], "P1<a>. R2<b>."), "{list}");
    }
    assert_eq!(
        of(r#"[{"number": 1, "doc": 2}, {"number": 2, "doc": 1}]"#),
        told(&["source-count"], "P3<c>. R2<b>.")
    );
    assert_eq!(of(r#"[{"number": 1, "doc": 3}, {"number": 2, "doc": 1}]"#), told(&[], "P3<c>. R1<a>."));
}

/// Of the keys of a claim those count that name something listed; its own number and prose do not.
#[test]
fn claims_rest_on_what_is_listed() {
    let sources = r#""sources": [{"id": "d1", "title": "A", "url": "https://a.example/"}, {"id": "d2", "title": "B", "url": "https://b.example/"}]"#;
    for (one, two, links) in [
        (
            r#""index": 0, "url": "https://b.example/""#,
            r#""index": 1, "url": "https://a.example/""#,
            "P.2<b> R.1<a>",
        ),
        (r#""ref": 1, "title": "B""#, r#""ref": 2, "title": "A""#, "P.2<b> R.1<a>"),
        (
            r#""chunk_index": 0, "url": "https://b.example/""#,
            r#""chunk_index": 7, "url": "https://a.example/""#,
            "P.2<b> R.1<a>",
        ),
        (
            r#""source": "Wiki", "url": "https://b.example/""#,
            r#""source": "Web", "url": "https://a.example/""#,
            "P.2<b> R.1<a>",
        ),
        (r#""source": "web", "source_id": "d2""#, r#""source": "web", "source_id": "d1""#, "P.2<b> R.1<a>"),
        (r#""index": 0, "source": {"id": "d2"}"#, r#""index": 1, "source": {"id": "d1"}"#, "P.2<b> R.1<a>"),
        (
            r#""index": 0, "supporting_docs": ["d2"]"#,
            r#""index": 1, "supporting_docs": ["d1", "d2"]"#,
            "P.2<b> R.1<a>, 2<b>",
        ),
        (r#""index": 0, "source_ids": []"#, r#""index": 1, "source_ids": []"#, "P. R."),
        (r#""index": 0"#, r#""index": 1"#, "P. R."),
        (r#""evidence": "Some words of it.""#, r#""evidence": "And some more.""#, "P. R."),
    ] {
        let input = format!(
            r#"{{"answer": "P. R.", "sentences": [{{"start": 0, "end": 2, "text": "P.", {one}}}, {{"start": 3, "end": 5, "text": "R.", {two}}}], {sources}}}"#
        );
        assert_eq!(read(&input), told(&[], links), "{one}");
    }
}

#[test]
fn offsets_are_read_and_repaired_under_many_names() {
    for (start, end) in [("char_start", "char_end"), ("answerStart", "answerEnd"), ("begin_pos", "end_pos")] {
        let of = |from: usize| {
            format!(
                r#"{{"answer": "It opened. It is long.", "citations": [{{"quote": "It is long.", "{start}": {from}, "{end}": {}, "source_id": "a"}}], "sources": [{{"id": "a", "url": "https://a.example/"}}]}}"#,
                from + 11
            )
        };
        let (status, out, told) = run(&["fix"], &of(0));
        assert_eq!((status, out), (0, of(11)), "{told}");
    }
}

#[test]
fn offsets_that_say_that_they_are_the_answers_come_first() {
    let input = r#"{"answer": "It opened. It is long.", "citations": [{"start": 0, "end": 4, "answer_start": 11, "answer_end": 22, "source_id": "a"}],
        "sources": [{"id": "a", "url": "https://a.example/", "text": "Long it is."}]}"#;
    let (_, out, _) = texts(output(["export", "--to", "inline"], input));
    assert_eq!(out, "It opened. It is long.[1](https://a.example/)\n");
}
