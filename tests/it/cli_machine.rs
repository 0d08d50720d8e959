//! Machine output as scripts have it: the JSON document and its lines, opened again, checked against its
//! schema.

use std::fs;

use serde_json::Value;

use crate::common::program::{command, run, texts};

fn export(input: &str) -> Value {
    serde_json::from_str(&run(&["export", "--to", "json"], input).1).unwrap()
}

#[test]
fn credentials_in_fields_that_nothing_names_are_masked_too() {
    let input = r#"{"candidates": [{"content": {"parts": [{"text": "x"}]}, "auth_config": {"apiKey": "S3CRET", "n": null}}], "new": {"authConfig": "S3CRET"}}"#;
    let (code, out, _) = run(&["export", "--to", "json"], input);
    assert_eq!((code, out.contains("S3CRET")), (0, false), "{out}");
    let extra = &export(input)["responses"][0]["extra"];
    assert_eq!(extra["$.candidates[0].auth_config"]["apiKey"], "•••• (masked, --show-secrets shows it)");
    assert_eq!(extra["$.candidates[0].auth_config"]["n"], Value::Null);
    assert!(run(&["export", "--to", "jsonl", "--show-secrets"], input).1.contains("S3CRET"));
}

#[test]
fn numbers_are_written_as_sent_and_strings_whatever_they_hold() {
    let controls: String =
        (0..=0x9f).filter_map(char::from_u32).chain("\u{200b}\u{202e}\u{2028}\u{feff}".chars()).collect();
    let text = Value::from(controls.as_str());
    let input = format!(
        r#"{{"candidates": [{{"content": {{"parts": [{{"text": {text}}}]}}, "new": [9007199254740993, -9223372036854775808, 18446744073709551615, 0.1, 1e300, 1.0]}}], "half": "\ud83d!"}}"#
    );
    let (code, out, _) = run(&["export", "--to", "jsonl"], &input);
    assert_eq!(code, 0);
    assert!(
        out.contains("[9007199254740993,-9223372036854775808,18446744073709551615,0.1,1e+300,1.0]"),
        "{out}"
    );
    let steers = |c: char| c != '\n' && (c.is_control() || matches!(c, '\u{200b}' | '\u{202e}' | '\u{feff}'));
    assert!(!out.contains(steers), "{out:?}");
    let response: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(response["answer"], controls.as_str());
    assert_eq!(response["extra"]["$.half"], "\u{fffd}!");
    // Opened again and written again it is the same line but for where it was read.
    let (_, again, _) = run(&["export", "--to", "jsonl"], &out);
    let at = |line: &str| line.find(r#""item":"#).unwrap();
    let findings = |line: &str| line.find(r#""findings":"#).unwrap();
    assert_eq!(out[at(&out)..findings(&out)], again[at(&again)..findings(&again)]);
}

#[test]
fn an_export_can_be_piped_into_the_program_again() {
    let (_, document, _) = run(&["export", "--to", "json", "samples/gemini-batch.jsonl"], "");
    let text = |args: &[&str], input: &str| run(args, input).1;
    let before =
        text(&["export", "--to", "footnotes", "--response", "4.2", "samples/gemini-batch.jsonl"], "");
    // Five responses of four records are now those of one document.
    assert_eq!(text(&["export", "--to", "footnotes", "--response", "1.5"], &document), before);
    let (_, lines, _) = run(&["export", "--to", "jsonl", "samples/gemini-batch.jsonl"], "");
    assert_eq!(text(&["export", "--to", "footnotes", "--response", "5"], &lines), before);
    let again: Value = serde_json::from_str(&text(&["export", "--to", "json", "-"], &document)).unwrap();
    let first = &again["responses"][4];
    assert_eq!((&first["file"], &first["record"], &first["item"]), (&"stdin".into(), &0.into(), &1.into()));
    assert_eq!(first["first_read"], serde_json::json!({"file": "samples/gemini-batch.jsonl", "record": 3}));
    assert_eq!(first["format"], "gemini");
}

#[test]
fn no_response_is_an_empty_list() {
    let (code, out, _) =
        run(&["export", "--to", "json", "--response", "9", "samples/gemini-search.json"], "");
    assert_eq!((code, out.as_str()), (0, "{\n  \"schema\": \"citescope/1\",\n  \"responses\": []\n}\n"));
}

/// Three spans over two sources, one of them of a tool; hostile words in the answer and in a title.
const GROUNDED: &str = r#"{"candidates": [{"content": {"parts": [{"text": "Rail grew <b>9%</b>. Ports & quays grew too.\u001b[31m"}]}, "finishReason": "STOP", "groundingMetadata": {
    "groundingChunks": [
        {"retrievedContext": {"uri": "https://a.example/x?a=1|2", "title": "Rail <news>\nof May", "text": "Rail grew by 9%."}},
        {"retrievedContext": {"uri": "javascript:alert(1)", "title": "Ports, \"quays\""}}],
    "groundingSupports": [
        {"segment": {"endIndex": 20}, "groundingChunkIndices": [1, 1, 0], "confidenceScores": [0.5, 0.6, 0.7]},
        {"segment": {"startIndex": 21, "endIndex": 44}, "groundingChunkIndices": [0]}]}}]}"#;

/// Runs a template over an input; code, output, errors with the template's folder left out.
fn template(template: &str, args: &[&str], input: &str) -> (i32, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("t.jinja");
    fs::write(&file, template).unwrap();
    let file = file.to_str().unwrap();
    let (code, out, errors) = run(&[&["export", "--template", file], args].concat(), input);
    (code, out, errors.replace(&file[..file.len() - "t.jinja".len()], ""))
}

#[test]
fn a_house_style_in_a_few_lines() {
    let style = "{% macro mark(span) %}{% for cite in span.cites %}[{{ cite.number }}]{% endfor %}{% \
        endmacro %}\n{{ marked(mark) }}\n{% for cite in cited %}\n{{ cite.number }}. {{ cite.source | label \
        | md }}, {{ cite.source.uri | domain }}\n{% endfor %}\n";
    let expected = "Rail grew <b>9%</b>.[2][1] Ports & quays grew too.[1]␛[31m\n1. Rail \\<news\\> of \
        May, a.example\n2. Ports, \"quays\", \n";
    assert_eq!(template(style, &[], GROUNDED), (0, expected.to_owned(), String::new()));
}

#[test]
fn the_templates_of_the_repository() {
    let (code, out, errors) = run(&["export", "--template", "assets/templates/slack.jinja"], GROUNDED);
    let expected = "Rail grew &lt;b&gt;9%&lt;/b&gt;. [2] <https://a.example/x?a=1%7C2|[1]> Ports &amp; quays \
        grew too. <https://a.example/x?a=1%7C2|[1]>␛[31m\n\n1. Rail &lt;news&gt; of May \
        <https://a.example/x?a=1%7C2|a.example>\n2. Ports, \"quays\"\n";
    assert_eq!((code, out.as_str(), errors.as_str()), (0, expected, ""));
    let report = |file: &str| run(&["export", "--template", "assets/templates/report.jinja", file], "").1;
    assert_eq!(
        report("samples/bigdata-workflow.sse"),
        "# Answer\n\n📦 **Freight in May**\n\nRail freight through Łódź grew by 9% to 1.8 million tonnes – \
         most of it moved by Północ Cargo[^1].\n🚢 The new quay in Gdynia can take ships of 400 metres and \
         cost €230 million[^2].\n\n\n## Sources\n\n[^1]: [Kurier Logistyczny - \
         2026-06-09](https://kurier.example.net/lodz): Rail freight through Łódź grows again: \"Rail freight \
         through Łódź grew by 9% to 1.8 million tonnes b…\"\n[^2]: [Baltic Port Review - \
         2026-05-30](https://ports.example.org/gdynia): Gdynia opens its deepest quay: \"The new quay in \
         Gdynia can take ships of 400 metres. It cost…\"\n"
    );
    assert!(report("samples/gemini-retrieval-scores.json").ends_with(
        "\n## To look at\n\n- support 3 has a confidence of 0.41\n- the number 1937 of support 1 is in none \
         of the cited chunks\n- source \\[3\\] holds more of support 3 (100 % of the wording against 2 %)\n"
    ));
}

#[test]
fn filters_of_templates_and_what_was_not_sent() {
    let line = "{{ sources[1].title | csv }};{{ sources[0].title | one_line | html }};{{ sources[1].uri | \
        web }};{{ sources[0].uri | web }};{{ sources[0].date | date }};{{ question }};{{ \
        supports[0].citations[2].score }};{{ \"2026-05-28\" | date }};{{ \"2026-05-28\" | date(\"brand\") \
        }};{{ \"spring\" | date }};{{ sources[1] | link }}\n";
    let expected = "\"Ports, \"\"quays\"\"\";Rail &lt;news&gt; of May;;https://a.example/x?a=1%7C2;;;0.7;May \
        28, 2026;May 28, 2026;spring;Ports, \"quays\" (`javascript:alert(1)`)\n";
    assert_eq!(template(line, &["--date", "brand"], GROUNDED), (0, expected.to_owned(), String::new()));
    assert_eq!(template("{{ \"2026-05-28\" | date }}", &[], GROUNDED).1, "2026-05-28");
    let plain =
        "{% macro mark(span) %}<sup>{{ span.support.index }}</sup>{% endmacro %}{{ marked(mark, \"html\") }}";
    let expected =
        "Rail grew &lt;b&gt;9%&lt;/b&gt;.<sup>0</sup> Ports &amp; quays grew too.<sup>1</sup>␛[31m";
    assert_eq!(template(plain, &[], GROUNDED).1, expected);
}

#[test]
fn templates_keep_how_the_lines_of_an_answer_end() {
    let answer = r#"{"candidates": [{"content": {"parts": [{"text": "A b.\r\nC d.\rE"}]}}]}"#;
    assert_eq!(template("{{ answer }}\n", &[], answer), (0, "A b.\r\nC d.␍E\n".to_owned(), String::new()));
}

#[test]
fn templates_follow_the_response_the_tools_and_the_masking() {
    let number = "{% macro mark(span) %}[{{ span.cites | length }}]{% endmacro %}{{ marked(mark) }}{{ cited \
        | length }}";
    let batch = template(number, &["--response", "4.2", "samples/gemini-batch.jsonl"], "");
    assert_eq!((batch.0, batch.1.is_empty()), (0, false));
    let (code, _, errors) = template(number, &["samples/gemini-batch.jsonl"], "");
    assert!(code == 2 && errors.contains("this target needs one response"), "{errors}");
    let cited = |args: &[&str]| {
        template("{{ cited | length }}", &[args, &["samples/bigdata-research.sse"]].concat(), "").1
    };
    assert_eq!((cited(&[]), cited(&["--tools"])), ("3".to_owned(), "4".to_owned()));
    let secret =
        r#"{"candidates": [{"content": {"parts": [{"text": "x"}]}, "authConfig": {"key": "S3CRET"}}]}"#;
    assert_eq!(template("{{ extra }}", &[], secret).1.matches("S3CRET").count(), 0);
    assert_eq!(template("{{ extra }}", &["--show-secrets"], secret).1.matches("S3CRET").count(), 1);
}

#[test]
fn errors_of_templates_name_the_line_and_what_to_do() {
    let told = |text: &str| {
        let (code, out, errors) = template(text, &[], GROUNDED);
        assert_eq!((code, out.as_str()), (2, ""), "{text}");
        errors
    };
    let cases = [
        (
            "a\n{{ anser }}",
            "citescope: t.jinja:2: `anser` is undefined; the names are those of `export --to json` \
             (assets/citescope-1.schema.json)\n",
        ),
        (
            "{{ sources[0].titel }}",
            "citescope: t.jinja:1: `sources[0].titel` is undefined; the names are those of `export --to \
             json` (assets/citescope-1.schema.json)\n",
        ),
        (
            "\n\n{% for x in sources %}",
            "citescope: t.jinja:3: unexpected end of input, expected end of block in `%}`; blocks are {% … \
             %}, values {{ … }}, comments {# … #}\n",
        ),
        (
            "{{ answer | shout }}",
            "citescope: t.jinja:1: filter shout is unknown; `citescope export --help` lists what there is\n",
        ),
        (
            "{{ answer | link }}",
            "citescope: t.jinja:1: `label` and `link` want a source: `cite.source`, or one of `sources`\n",
        ),
        (
            "{{ answer | date(\"us\") }}",
            "citescope: t.jinja:1: the styles of `date` are \"iso\" (2026-05-28) and \"brand\" (May 28, \
             2026) in `date(\"us\")`\n",
        ),
        (
            "{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}",
            "citescope: t.jinja:1: engine ran out of fuel in `range(100000)`; does a loop repeat too often?\n",
        ),
        ("{% macro m(x) %}{{ m(x) }}{% endmacro %}{{ m(1) }}", "recursion"),
        (
            "{% macro m(span) %}\n{{ span.site }}{% endmacro %}{{ marked(m) }}",
            "t.jinja:2: `span.site` is undefined",
        ),
        (
            "{% macro m() %}{% endmacro %}{{ marked(m) }}",
            "the macro given to `marked` takes one argument, the span",
        ),
        ("{% include \"/etc/passwd\" %}", "t.jinja:1: tried to include non-existing template"),
    ];
    for (text, expected) in cases {
        let errors = told(text);
        assert!(errors.contains(expected), "{text}\n{errors}{expected}");
    }
    let (code, _, errors) = run(&["export", "--template", "no-such-file"], GROUNDED);
    assert!(
        code == 2 && errors.starts_with("citescope: no-such-file: the template cannot be read: "),
        "{errors}"
    );
    let (code, _, errors) = run(&["export", "--template", "x", "--to", "json"], GROUNDED);
    assert!(code == 2 && errors.contains("cannot be used with"), "{errors}");
    let (code, _, errors) = run(&["export"], GROUNDED);
    assert!(code == 2 && errors.contains("--to <TARGET>"), "{errors}");
}

/// From a megabyte on what is written waits in a temporary file, where one can be made.
#[test]
fn long_reports_need_no_temporary_folder() {
    let supports = vec![
        serde_json::json!({"segment": {"endIndex": 15, "text": "Opened in 1937."}, "groundingChunkIndices": [0]});
        6_000
    ];
    let input = serde_json::json!({"candidates": [{"content": {"parts": [{"text": "Opened in 1937."}]}, "groundingMetadata": {
        "groundingChunks": [{"retrievedContext": {"text": "It opened in 1932."}}], "groundingSupports": supports}}]});
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("input");
    fs::write(&file, input.to_string()).unwrap();
    for format in ["text", "json", "jsonl", "sarif", "github"] {
        let outputs = ["/no/such/folder", env!("CARGO_TARGET_TMPDIR")].map(|folder| {
            let mut check = command();
            check.args(["check", "--format", format]).arg(&file).env("TMPDIR", folder);
            texts(check.output().unwrap())
        });
        assert!(outputs[0].0 == 0 && outputs[0].1.len() > 1 << 20, "{format}: {:?}", outputs[0].2);
        assert!(outputs[0] == outputs[1], "{format}");
    }
}
