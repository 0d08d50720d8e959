//! A JSON of one's own: what is guessed, what a map says, and what is wrong with one.

use std::fs;

use crate::common::library::{read, sample};
use crate::common::program::{output, texts};

const OWN: &str = r#"{"data": {"reply": "Lit in 1932 [source:a]. It is 41 metres high [source:b, a]. Old [source:q]."},
 "docs": [{"id": "a", "metadata": {"source": "https://a.example/h", "title": "H"}, "page_content": "first lit 1932"},
          {"id": "b", "page_content": "tower 41"}], "asked": ["height", "light"], "took": 71}"#;

const MAP: &str = r#"answer = "$.data.reply"
queries = "asked[*]"
[markers]
pattern = '\[source:([^\]]+)\]'
[sources]
list = "$.docs[*]"
id = "id"
title = "metadata.title"
url = "metadata.source"
text = "page_content"
"#;

/// A folder with an input and, under a name, a map.
fn folder(input: &str, map: Option<(&str, &str)>) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("in.json"), input).unwrap();
    if let Some((name, text)) = map {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn run(folder: &tempfile::TempDir, arguments: &[&str]) -> (i32, String, String) {
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let is_file = |word: &str| word.contains(".json") || word.contains(".toml");
    let arguments: Vec<String> =
        arguments.iter().map(|word| if is_file(word) { path(word) } else { (*word).to_owned() }).collect();
    let (code, out, errors) = texts(output(&arguments, ""));
    let bare = |text: String| text.replace(&format!("{}/", folder.path().display()), "");
    (code, bare(out), bare(errors))
}

#[test]
fn a_map_makes_one_s_own_json_a_response() {
    let folder = folder(OWN, Some(("own.toml", MAP)));
    let (code, out, errors) = run(&folder, &["export", "--to", "footnotes", "--map", "own.toml", "in.json"]);
    assert_eq!(
        (code, out.as_str(), errors.as_str()),
        (
            0,
            "Lit in 1932[^1]. It is 41 metres high[^2][^1]. Old.\n\n[^1]: [H](https://a.example/h)\n[^2]: tower 41\n",
            "citescope: 1 citation points at no source and was left out\n"
        )
    );
    let (code, out, _) = run(&folder, &["map", "--check", "--map", "own.toml", "in.json"]);
    assert_eq!(
        (code, out.as_str()),
        (
            0,
            "in.json record 1 · generic: answer 75 characters, 3 supports, 2 sources (2 passages), 2 queries, \
             1 reference names no source\n  not read: $.took\n"
        )
    );
}

#[test]
fn tags_around_claims_are_taken_out_and_sources_may_be_kept_by_their_ids() {
    let own = r#"{"reply": {"html": "Yes. <cite id=\"a\">Lit in 1932</cite>, and <cite id=\"b, a\">41 metres high</cite>. <cite id=\"q\">Old</cite>."},
        "docs": {"a": {"title": "H", "page": "first lit 1932"}, "b": {"title": "T", "page": "41 metres high"}}}"#;
    let map = r#"answer = "reply.html"
[markers]
pattern = '<cite id="([^"]+)">(?<claim>[^<]*)</cite>'
[sources]
list = "docs[*]"
title = "title"
text = "page"
"#;
    let folder = folder(own, Some(("citescope.toml", map)));
    let (code, out, errors) = run(&folder, &["export", "--to", "footnotes", "in.json"]);
    assert_eq!(
        (code, out.as_str(), errors.as_str()),
        (
            0,
            "Yes. Lit in 1932[^1], and 41 metres high[^2][^1]. Old.\n\n[^1]: H\n[^2]: T\n",
            "citescope: 1 citation points at no source and was left out\n"
        )
    );
    let (_, out, _) = run(&folder, &["map", "--check", "in.json"]);
    assert!(
        out.starts_with(
            "in.json record 1 · generic: answer 42 characters, 3 supports, 2 sources (2 passages)"
        ),
        "{out}"
    );
    // The claim may come first; a pattern that names nothing else is refused.
    let first = own.replace("<cite id=\\\"a\\\">Lit in 1932</cite>", "[[Lit in 1932|a]]");
    let turned =
        map.replace("<cite id=\"([^\"]+)\">(?<claim>[^<]*)</cite>", r"\[\[(?<claim>[^|]*)\|([^\]]+)\]\]");
    let folder = self::folder(&first, Some(("citescope.toml", &turned)));
    let (_, out, _) = run(&folder, &["export", "--to", "footnotes", "in.json"]);
    assert!(out.starts_with("Yes. Lit in 1932[^1], and"), "{out}");
    let alone = map.replace("<cite id=\"([^\"]+)\">(?<claim>[^<]*)</cite>", "(?<claim>Lit)");
    let (code, _, errors) = run(&self::folder(own, Some(("citescope.toml", &alone))), &["check", "in.json"]);
    assert!(code == 2 && errors.contains("has no group that names a source"), "{errors}");
    // Without a map the same is guessed where the keys tell.
    let guessed = own
        .replace("\"reply\": {\"html\": ", "\"answer\": ")
        .replace("</cite>.\"}", "</cite>.\"")
        .replace("\"page\"", "\"text\"");
    let guessed = &read(&guessed)[0];
    assert_eq!(guessed["answer"], "Yes. Lit in 1932, and 41 metres high. Old.");
    assert_eq!(guessed["supports"][1]["citations"][0]["source"], 1);
    assert_eq!(
        (&guessed["sources"][1]["number"], &guessed["sources"][1]["chunks"][0]["text"]),
        (&"b".into(), &"41 metres high".into())
    );
}

#[test]
fn a_map_is_found_beside_and_above_the_input() {
    let folder = folder(OWN, Some(("citescope.toml", MAP)));
    assert_eq!(run(&folder, &["check", "in.json"]).0, 0);
    let below = folder.path().join("deep/er");
    fs::create_dir_all(&below).unwrap();
    fs::write(below.join("in.json"), OWN).unwrap();
    assert_eq!(run(&folder, &["check", "deep/er/in.json"]).0, 0);
    // Of a directory every file is read by it, also where the program counts them before it shows them.
    let (code, out, errors) = run(&folder, &["export", "--to", "jsonl", folder.path().to_str().unwrap()]);
    assert_eq!(
        (code, out.matches(r#""uri":"https://a.example/h""#).count(), errors.as_str()),
        (0, 2, ""),
        "{out}"
    );
    let lines = format!("{0}\n{0}\n", OWN.replace('\n', " "));
    fs::write(folder.path().join("two.json"), lines).unwrap();
    let (code, out, _) = run(&folder, &["check", "--each-line", "two.json"]);
    assert_eq!((code, out.lines().count()), (0, 2), "{out}");
    assert!(out.lines().all(|line| line.contains("\"format\":\"generic\"")), "{out}");
}

#[test]
fn without_a_map_it_is_refused_or_guessed() {
    let folder = folder(OWN, None);
    let (code, _, errors) = run(&folder, &["check", "in.json"]);
    assert_eq!(code, 2);
    assert!(errors.contains("for a JSON of your own see `citescope map --help`"), "{errors}");
    let guessed = &read(sample("generic.json"))[0];
    assert_eq!(guessed["format"], "generic");
    assert_eq!(
        guessed["remarks"][0]["text"],
        "guessed without a map: answer from text, spans from spans[*], sources from sources[*]"
    );
    // A span brings its own source along.
    let own = r#"{"answer": "One is. Two is.", "citations": [{"start": 0, "end": 7, "url": "https://a.example/"}]}"#;
    let own = &read(own)[0];
    assert_eq!(
        (&own["sources"][0]["uri"], &own["supports"][0]["citations"][0]["source"]),
        (&"https://a.example/".into(), &0.into())
    );
    let rag = r#"{"question": "q", "answer": "It is old [1].", "source_documents": [{"page_content": "old", "metadata": {"source": "https://a.example"}}]}"#;
    let rag = &read(rag)[0];
    assert_eq!(rag["supports"][0]["citations"][0]["source"], 0);
    assert_eq!(rag["sources"][0]["uri"], "https://a.example");
    assert_eq!(rag["sources"][0]["chunks"][0]["text"], "old");
    assert_eq!(rag["question"], "q");
}

#[test]
fn what_the_first_of_a_list_lacks_is_guessed_from_the_others() {
    let sample = sample("generic.json");
    let whole = &read(sample)[0];
    let told = |from: &str, to: &str| {
        assert!(sample.contains(from), "{from}");
        read(&sample.replacen(from, to, 1))[0].clone()
    };
    for (from, to, list, field) in [
        (r#""source_id": "history""#, r#""source_id": []"#, "supports", "citations"),
        (r#""source_id": "history", "#, "", "supports", "citations"),
        (r#"{"start": 0, "#, "{", "supports", "anchor"),
        (r#"{"start": 0, "#, r#"{"start": null, "#, "supports", "anchor"),
        (r#""url": "https://files.example/history", "#, "", "sources", "uri"),
        (r#""title": "History of the light""#, r#""title": null"#, "sources", "title"),
        (r#""excerpt": "The light was first lit on 3 May 1932.""#, r#""excerpt": null"#, "sources", "chunks"),
        (r#", "score": 0.91"#, "", "supports", "score"),
    ] {
        let changed = told(from, to);
        assert_eq!(changed[list][1][field], whole[list][1][field], "{to}");
        assert_ne!(changed[list][1][field], serde_json::Value::Null, "{to}");
    }
    // A beginning that is left out is 0, and what is null is not there.
    for to in ["{", r#"{"start": null, "#] {
        let changed = told(r#"{"start": 0, "#, to);
        assert_eq!(changed["supports"][0]["anchor"], whole["supports"][0]["anchor"]);
    }
    let unnamed = told(r#"{"id": "history", "#, r#"{"id": null, "#);
    assert_eq!(unnamed["supports"][1]["citations"], whole["supports"][1]["citations"]);
    assert_eq!(unnamed["sources"][0]["number"], serde_json::Value::Null);
    // Whole numbers as tables write them.
    assert_eq!(
        told(r#""start": 49, "end": 77"#, r#""start": 49.0, "end": 77.0"#)["supports"],
        whole["supports"]
    );
    let numbered = |source: &str, id: &str| {
        let text = format!(
            r#"{{"answer": "One is.", "spans": [{{"start": 0, "end": 7, "source_id": {source}}}], "sources": [{{"id": 8, "text": "x"}}, {{"id": {id}, "text": "one is"}}]}}"#
        );
        read(&text)[0]["supports"][0]["citations"][0]["source"].clone()
    };
    assert_eq!([numbered("7.0", "7"), numbered("7", "7.0"), numbered("\"7\"", "7.0")], [1, 1, 1]);
}

#[test]
fn a_map_that_leads_nowhere_is_told() {
    let input = r#"{"answer": "It is tall.", "citations": [{"q": "It is tall.", "src": "a"}], "documents": [{"id": "a"}]}"#;
    let map = "answer = \"answer\"\n[spans]\nlist = \"claims[*]\"\nquote = \"q\"\nsource = \"src\"\n";
    let folder = folder(input, Some(("own.toml", map)));
    let (code, out, _) = run(&folder, &["check", "--fail-on", "warning", "--map", "own.toml", "in.json"]);
    assert_eq!(code, 1);
    let words = "warning[citations-unread]: `citations` is read for nothing, and the map's `claims[*]` leads nowhere\n";
    assert!(out.contains(words), "{out}");
    fs::write(folder.path().join("own.toml"), map.replace("claims", "citations")).unwrap();
    assert_eq!(run(&folder, &["export", "--to", "plain", "--map", "own.toml", "in.json"]).0, 0);
    // As `map --init` leaves it behind where it finds nothing.
    fs::write(folder.path().join("own.toml"), "").unwrap();
    let (code, _, errors) = run(&folder, &["check", "--map", "own.toml", "in.json"]);
    assert_eq!(code, 2);
    let words = "own.toml: this map says not where the answer is (`answer = \"…\"`); `citescope map --init FILE` proposes one";
    assert!(errors.contains(words), "{errors}");
}

/// What was asked for cannot be done: an old map would go unnoticed.
#[test]
fn a_map_that_fits_nothing_ends_with_2() {
    let map = "answer = \"result.text\"\n[sources]\nlist = \"result.hits[*]\"\n";
    let told = "own.toml: the map finds neither an answer nor sources in what was opened";
    for sent in ["generic.json", "gemini-search.json"] {
        let folder = folder(sample(sent), Some(("own.toml", map)));
        for args in [
            &["check", "--summary"][..],
            &["check", "--explain", "1"],
            &["map", "--check"],
            &["fix"],
            &["export", "--to", "plain"],
            &["export", "--to", "jsonl"],
        ] {
            let (code, out, errors) = run(&folder, &[args, &["--map", "own.toml", "in.json"]].concat());
            assert!(errors.contains(told) && !out.is_empty(), "{args:?}: {errors}");
            assert_eq!(code, 2, "{args:?}");
        }
    }
    // One record that it reads is enough.
    let own = r#"{"result": {"text": "It is tall."}}"#;
    let lines = format!("{own}\n{}\n", sample("generic.json").replace('\n', " "));
    let folder = folder(&lines, Some(("own.toml", map)));
    for args in [&["check", "--fail-on", "never"][..], &["check", "--each-line", "--fail-on", "never"]] {
        let (code, _, errors) = run(&folder, &[args, &["--map", "own.toml", "in.json"]].concat());
        assert_eq!((code, errors.as_str()), (0, ""));
    }
    // What a service says in place of a response is told as without a map.
    let failed = format!("{own}\n{}\n", r#"{"error": {"code": 429, "message": "quota exceeded"}}"#);
    let folder = self::folder(&failed, Some(("own.toml", map)));
    let (code, out, errors) = run(&folder, &["check", "--map", "own.toml", "in.json"]);
    let words =
        "error[stream-error]: the service answered with an error, not with a response: quota exceeded (429)";
    assert!(out.contains(words) && errors.is_empty() && code == 1, "{out}{errors}");
}

/// As the program is shipped, too: the tests are built with more of the library of expressions.
#[test]
fn a_pattern_may_leave_case_open_and_name_classes_of_letters() {
    let map = "answer = \"answer\"\n[markers]\npattern = '(?i)<(s\\p{Nd}+)\\p{Lu}>'\n[sources]\nlist = \"sources[*]\"\nid = \"id\"\n";
    let input = r#"{"answer": "Tall <S1x>.", "sources": [{"id": "S1", "title": "A"}]}"#;
    let folder = folder(input, Some(("own.toml", map)));
    let (code, out, errors) = run(&folder, &["export", "--to", "inline", "--map", "own.toml", "in.json"]);
    assert_eq!((code, out.as_str()), (0, "Tall[1].\n"), "{errors}");
}

#[test]
fn a_proposed_map_reads_what_was_guessed() {
    let folder = folder(sample("generic.json"), None);
    let (code, proposed, errors) = run(&folder, &["map", "--init", "in.json"]);
    assert_eq!((code, errors.as_str()), (0, ""));
    assert!(proposed.contains("\n[spans]\nlist = \"spans[*]\"\nstart = \"start\""), "{proposed}");
    fs::write(folder.path().join("own.toml"), proposed).unwrap();
    let guessed = run(&folder, &["export", "--to", "inline", "in.json"]);
    let mapped = run(&folder, &["export", "--to", "inline", "--map", "own.toml", "in.json"]);
    assert_eq!(guessed, mapped);
    let (code, _, errors) = {
        fs::write(folder.path().join("none.json"), "{\"a\": 1}").unwrap();
        run(&folder, &["map", "--init", "none.json"])
    };
    assert_eq!(code, 2);
    assert!(errors.contains("no key looks like an answer"), "{errors}");
}

#[test]
fn offsets_of_one_s_own_are_repaired() {
    let input = r#"{"answer": "Né. Old.", "marks": [{"at": {"a": 0, "z": 4}, "words": "Né."}, {"at": {"a": 5, "z": 9}, "words": "Old."}], "refs": []}"#;
    let map = "answer = \"answer\"\n[spans]\nlist = \"marks[*]\"\nstart = \"at.a\"\nend = \"at.z\"\nquote = \"words\"\n";
    let folder = folder(input, Some(("own.toml", map)));
    let (code, out, errors) = run(&folder, &["fix", "--map", "own.toml", "in.json"]);
    assert_eq!(code, 0, "{errors}");
    assert_eq!(
        out,
        input.replace("\"z\": 4", "\"z\": 3").replace("\"a\": 5, \"z\": 9", "\"a\": 4, \"z\": 8")
    );
}

#[test]
fn what_is_wrong_with_a_map_is_said_with_its_place() {
    for (map, said) in [
        ("answer = \"a..b\"\n", "own.toml:1:10: \"a..b\" is no path: a key is empty"),
        (
            "[spans]\nlist=\"x\"\nstrat=\"s\"\n",
            "own.toml:3:1: unknown field `strat`, expected one of `list`, `start`",
        ),
        (
            "[markers]\npattern='[source'\n",
            "own.toml:2:9: \"[source\" is no regular expression: unclosed character class",
        ),
        ("[markers]\npattern='x'\n", "own.toml:2:9: \"x\" has no group that names a source"),
        ("answer = ", "own.toml:1:10: "),
        ("[spans]\nunit = \"words\"\n", "own.toml:2:8: unknown variant `words`"),
    ] {
        let folder = folder(OWN, Some(("own.toml", map)));
        let (code, out, errors) = run(&folder, &["check", "--map", "own.toml", "in.json"]);
        assert_eq!((code, out.as_str()), (2, ""), "{map}");
        assert!(errors.starts_with(&format!("citescope: {said}")), "{errors} {said}");
        assert_eq!(errors.lines().count(), 1, "{errors}");
    }
    let folder = folder(OWN, None);
    let (code, _, errors) = run(&folder, &["check", "--map", "none.toml", "in.json"]);
    assert_eq!(code, 2);
    assert!(errors.contains("none.toml: the map cannot be read"), "{errors}");
}

#[test]
fn a_proposal_finds_what_lies_apart_and_quotes_its_pattern() {
    let cite = r#"{"text": "Vor <cite id=\"a1\">Rot</cite>.", "sources": [{"id": "a1", "title": "A", "excerpt": "rot"}]}"#;
    let apart = r#"{"data": {"result": {"text": "Rot ist rot.", "spans": [{"start": 0, "end": 12, "source_id": "a1"}]}},
        "sources": [{"id": "a1", "title": "A", "excerpt": "rot"}]}"#;
    for (input, answer) in [(cite, 8), (apart, 12)] {
        let folder = folder(input, None);
        let (code, map, _) = run(&folder, &["map", "--init", "in.json"]);
        assert_eq!(code, 0);
        fs::write(folder.path().join("map.toml"), &map).unwrap();
        let told = run(&folder, &["map", "--check", "in.json", "--map", "map.toml"]).1;
        let expected = format!(
            "in.json record 1 · generic: answer {answer} characters, 1 support, 1 source (1 passage), 0 queries, \
             every reference resolves\n"
        );
        assert_eq!(told, expected, "{map}");
    }
}

#[test]
fn what_no_path_leads_to_is_not_read_though_it_stands_elsewhere_too() {
    let input =
        r#"{"text": "Rot ist rot.", "sources": [{"id": "a1", "title": "Rot", "excerpt": "Rot ist rot."}]}"#;
    let map = "answer = \"text\"\n[sources]\nlist = \"sources[*]\"\nid = \"id\"\n";
    let folder = folder(input, Some(("own.toml", map)));
    let told = run(&folder, &["map", "--check", "in.json", "--map", "own.toml"]).1;
    let unread: Vec<&str> = told.lines().skip(1).collect();
    assert_eq!(unread, ["  not read: $.sources[0].title", "  not read: $.sources[0].excerpt"]);
}

#[test]
fn the_name_of_a_file_steers_nothing() {
    let folder = folder(OWN, Some(("own.toml", MAP)));
    let name = "in\n::error::x\u{1b}[31m.json";
    fs::rename(folder.path().join("in.json"), folder.path().join(name)).unwrap();
    let told = run(&folder, &["map", "--check", name, "--map", "own.toml"]).1;
    assert!(told.starts_with("in ::error::x␛[31m.json record 1"), "{told}");
}

/// What a map that was proposed says, without its comments, and what is read by it.
fn proposed(input: &str) -> (String, String) {
    let folder = folder(input, None);
    let (code, map, errors) = run(&folder, &["map", "--init", "in.json"]);
    assert_eq!((code, errors.as_str()), (0, ""));
    fs::write(folder.path().join("m.toml"), &map).unwrap();
    let (_, read, _) = run(&folder, &["map", "--check", "--map", "m.toml", "in.json"]);
    let said = map.lines().filter_map(|line| line.split('#').next()).map(str::trim_end);
    let read = read.split("generic: ").nth(1).unwrap().lines().next().unwrap().to_owned();
    (said.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n"), read)
}

#[test]
fn a_map_is_proposed_from_what_values_look_like_whatever_their_keys_are_called() {
    let nested = r#"{"data": {"reply": {"body": "Der Turm ist 41 m hoch. Er wurde 1932 gebaut.", "cites": [
        {"from": 0, "to": 23, "refs": [{"doc": "d1"}]}, {"from": 24, "to": 45, "refs": [{"doc": "d2"}, {"doc": "d9"}]}]},
        "docs": [{"key": "d1", "name": "Turm", "link": "https://t.example/", "passages": ["Der Turm ist 41 Meter hoch."]},
                 {"key": "d2", "name": "Bau", "link": "https://b.example/", "passages": ["1932 gebaut"]}]}}"#;
    assert_eq!(
        proposed(nested),
        (
            "answer = \"data.reply.body\"\n[spans]\nlist = \"data.reply.cites[*]\"\nstart = \"from\"\nend = \"to\"\n\
             unit = \"characters\"\ninclusive = false\nsource = \"refs[*].doc\"\n[sources]\nlist = \"data.docs[*]\"\n\
             id = \"key\"\ntitle = \"name\"\nurl = \"link\"\ntext = \"passages[*]\""
                .to_owned(),
            "answer 45 characters, 2 supports, 2 sources (2 passages), 0 queries, 1 reference names no source".to_owned()
        )
    );
    let pieces = r#"{"segments": [{"text": "One fact. ", "sources": ["s1"]}, {"text": "Two facts.", "sources": ["s2"]}],
        "sources": [{"id": "s1", "title": "A"}, {"id": "s2", "title": "B"}]}"#;
    let (map, read) = proposed(pieces);
    assert!(map.starts_with("answer = \"segments[*].text\"\n[spans]\nlist = \"segments[*]\""), "{map}");
    assert_eq!(
        read,
        "answer 20 characters, 2 supports, 2 sources (0 passages), 0 queries, every reference resolves"
    );
    let marks = r#"{"question": "Q?", "answer": "One [doc_1]. Two [doc_2].", "docs": [{"id": "doc_1", "title": "A"}, {"id": "doc_2", "title": "B"}]}"#;
    let (map, read) = proposed(marks);
    assert!(map.contains("question = \"question\"") && map.contains(r"pattern = '\[(doc_\d+)\]'"), "{map}");
    assert_eq!(
        read,
        "answer 25 characters, 2 supports, 2 sources (0 passages), 0 queries, every reference resolves"
    );
}

#[test]
fn what_has_no_answer_with_a_list_that_belongs_to_it_gets_no_map() {
    for input in [
        r#"{"log": "all is well today", "rows": [{"a": 1, "b": 2}, {"a": 3, "b": 4}]}"#,
        r#"{"note": "one [x] two", "list": [{"id": "y"}, {"id": "z"}]}"#,
        r#"{"a": {"b": {"c": {"d": {"e": {"f": {"g": {"h": {"i": "so deep it is"}}}}}}}}}"#,
    ] {
        let (code, _, errors) = run(&folder(input, None), &["map", "--init", "in.json"]);
        assert!(code == 2 && errors.contains("no key looks like an answer"), "{input}: {errors}");
    }
}

#[test]
fn a_record_without_an_answer_is_told() {
    let input = serde_json::json!({"candidates": [{"content": {"role": "model"}, "finishReason": "STOP"}]});
    let folder = folder(&input.to_string(), None);
    let (code, out, errors) = run(&folder, &["map", "--check", "in.json"]);
    assert!(code == 2 && out.starts_with("in.json record 1 · gemini: answer missing"), "{out}");
    assert_eq!(
        errors,
        "citescope: in.json record 1: no answer is read; see `not read` for where it may stand\n"
    );
}

/// What a product shows as [1] may be the first of its list.
#[test]
fn a_map_says_from_where_numbers_of_sources_count() {
    let input = r#"{"text": "It is old. It is red.", "spans": [{"start": 0, "end": 10, "sources": [1]}, {"start": 11, "end": 21, "sources": [2]}],
        "sources": [{"url": "https://a.example/1"}, {"url": "https://a.example/2"}, {"url": "https://a.example/3"}]}"#;
    let map = |line: &str| {
        format!(
            "answer = \"text\"\n[spans]\nlist = \"spans[*]\"\nstart = \"start\"\nend = \"end\"\nsource = \"sources[*]\"\n{line}[sources]\nlist = \"sources[*]\"\nurl = \"url\"\n"
        )
    };
    let cited = |line: &str| {
        let folder = folder(input, Some(("own.toml", &map(line))));
        let (code, out, errors) = run(&folder, &["export", "--to", "inline", "--map", "own.toml", "in.json"]);
        let told =
            run(&folder, &["check", "--map", "own.toml", "in.json"]).1.contains("warning[source-count]");
        (code, out + &errors, told)
    };
    let from_one = "It is old.[1](https://a.example/1) It is red.[2](https://a.example/2)\n";
    let from_zero = "It is old.[2](https://a.example/2) It is red.[3](https://a.example/3)\n";
    assert_eq!(cited("count_from = 1\n"), (0, from_one.to_owned(), false));
    assert_eq!(cited("count_from = 0\n"), (0, from_zero.to_owned(), false));
    assert_eq!(cited(""), (0, from_zero.to_owned(), true));
    let beyond = folder(&input.replace("[2]", "[4]"), Some(("own.toml", &map("count_from = 1\n"))));
    let (_, out, _) = run(&beyond, &["check", "--map", "own.toml", "in.json"]);
    assert!(out.contains("1 support cites index 4: the response has 3 sources\n"), "{out}");
    let (code, out, _) = cited("count_from = 2\n");
    assert_eq!(
        (code, out.as_str()),
        (2, "citescope: own.toml:7:14: sources are counted from 0 or from 1, not from 2\n")
    );
    let (_, proposed, _) = run(&folder(input, None), &["map", "--init", "in.json"]);
    assert!(proposed.contains("# count_from = 1 "), "{proposed}");
}

/// Of alternatives, each with a group of its own, the one that is there names the source.
#[test]
fn a_pattern_may_have_alternatives() {
    let input = r#"{"answer": "It is old (source: 1). It is red {ref:9}.", "sources": {"1": {"u": "https://a.example"}, "2": {"u": "https://b.example"}}}"#;
    let map = "answer = \"answer\"\n[markers]\npattern = '\\(source: (\\d+)\\)|\\{ref:(\\d+)\\}'\n[sources]\nlist = \"sources[*]\"\nurl = \"u\"\n";
    let folder = folder(input, Some(("own.toml", map)));
    let (_, out, _) = run(&folder, &["map", "--check", "--map", "own.toml", "in.json"]);
    assert!(out.contains("2 supports, 2 sources") && out.contains("1 reference names no source"), "{out}");
    let (code, out, _) = run(&folder, &["check", "--map", "own.toml", "--fail-on", "warning", "in.json"]);
    assert!(code == 1 && out.contains("names no source: {ref:9}"), "{out}");
    let spans = r#"{"answer": "It is old.", "spans": [{"start": 0, "end": 10, "doc": "1"}], "sources": [{"id": "1"}]}"#;
    let map = "answer = \"answer\"\n[spans]\nlist = \"spans[*]\"\nstart = \"start\"\nend = \"end\"\nsource = \"docc\"\n[sources]\nlist = \"sources[*]\"\nid = \"id\"\n";
    let folder = self::folder(spans, Some(("own.toml", map)));
    let (_, out, _) = run(&folder, &["map", "--check", "--map", "own.toml", "in.json"]);
    assert!(out.contains("1 support cites nothing"), "{out}");
}

/// A list is no answer: its JSON was read as one, and offsets were moved into it.
#[test]
fn what_the_map_calls_the_answer_must_be_a_text() {
    let map = "answer = \"r.text\"\n[spans]\nlist = \"r.spans[*]\"\nstart = \"s\"\nend = \"e\"\nquote = \"w\"\n\
        source = \"ids[*]\"\nunit = \"characters\"\n[sources]\nlist = \"docs[*]\"\nid = \"id\"\nurl = \"url\"\n";
    let input = |text: &str, second: &str| {
        format!(
            r#"{{"r": {{"text": {text}, "spans": [{{"s": 0, "e": 9, "w": "It opens.", "ids": ["a"]}}, {{"s": 10, "e": 19, "w": "It shuts.", "ids": {second}}}]}},
 "docs": [{{"id": "a", "url": "https://a.example/"}}, {{"id": "b", "url": "https://b.example/"}}]}}"#
        )
    };
    for text in [r#"["It opens. It shuts."]"#, r#"{"value": "It opens. It shuts."}"#] {
        let input = input(text, r#"["b"]"#);
        let folder = folder(&input, Some(("own.toml", map)));
        let (code, out, _) = run(&folder, &["check", "--map", "own.toml", "in.json"]);
        assert!(code == 1 && out.contains("the map's answer is no text here"), "{out}");
        assert_eq!(run(&folder, &["fix", "--map", "own.toml", "in.json"]).1, input);
    }
    // One id without its list is that of one source.
    let folder = folder(&input(r#""It opens. It shuts.""#, r#""b""#), Some(("own.toml", map)));
    let (_, out, _) = run(&folder, &["export", "--to", "inline", "--map", "own.toml", "in.json"]);
    assert_eq!(out, "It opens.[1](https://a.example/) It shuts.[2](https://b.example/)\n");
}

/// The escapes were those of Rust, which no reader of TOML takes; some letters that hide themselves had none.
#[test]
fn a_proposed_map_names_odd_keys_as_every_reader_of_toml_takes_them() {
    let input = "{\"a\u{200b}\": \"Der Turm ist 41 m hoch.\", \"docs\": [{\"key\": \"d1\", \"na\u{3164}me\\\"\": \"Turm\", \"link\": \"https://t.example/\"}], \
        \"cites\": [{\"from\": 0, \"to\": 23, \"doc\": \"d1\"}]}";
    let (map, read) = proposed(input);
    assert!(map.starts_with("answer = \"a\\U0000200B\"\n"), "{map}");
    assert!(map.is_ascii(), "{map}");
    assert!(read.contains("1 source"), "{read}");
}
