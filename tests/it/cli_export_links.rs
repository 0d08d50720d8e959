//! Links and marks of exports lead where their sources are, whatever stands in answers, titles, addresses.

use serde_json::json;

use crate::common::program::run;

/// An export of an answer whose first so many bytes rest on one source.
fn export(to: &str, answer: &str, end: usize, (uri, title): (&str, &str)) -> String {
    let input = json!({"candidates": [{"content": {"role": "model", "parts": [{"text": answer}]}, "finishReason": "STOP",
        "groundingMetadata": {"groundingChunks": [{"web": {"uri": uri, "title": title}}],
            "groundingSupports": [{"segment": {"endIndex": end, "text": answer[..end]}, "groundingChunkIndices": [0]}]}}]});
    run(&["export", "--to", to], &input.to_string()).1
}

#[test]
fn links_lead_to_the_host_that_a_browser_reads() {
    let bank = (r"https://bank.example\@evil.example/login", "Bank");
    let led = "https://bank.example/@evil.example/login";
    assert_eq!(export("inline", "Open.", 5, bank), format!("Open.[1]({led})\n"));
    assert_eq!(export("links", "Open.", 5, bank), format!("[Bank]({led})\n"));
    assert!(export("html", "Open.", 5, bank).contains(&format!("href=\"{led}\"")));
    let references = ("https://evil.example/&sol;?a=1&amp;b=2&lang=3", "Bank");
    assert_eq!(
        export("inline", "Open.", 5, references),
        "Open.[1](https://evil.example/&amp;sol;?a=1&amp;amp;b=2&lang=3)\n"
    );
}

#[test]
fn a_number_without_a_link_is_not_one_that_the_answer_defines() {
    for label in ["[1]", "[ 1 ]", "[1 ]", "[\n1]", "[\t1]", "> [\n> 1]"] {
        let answer = format!("Alpha claim.\n\n{label}: https://evil.example");
        let out = export("inline", &answer, 12, ("gs://b/x", "Doc A"));
        assert!(out.starts_with("Alpha claim.\\[1\\]\n"), "{out}");
    }
    let out = export("inline", "Alpha claim.\n\n[1 of 2]: https://b.example", 12, ("gs://b/x", "Doc A"));
    assert!(out.starts_with("Alpha claim.[1]\n"), "{out}");
}

#[test]
fn marks_stand_behind_environments_of_formulas() {
    let answer = "We get\n\n\\begin{align}\na &= b + c \\\\\nd &= e\n\\end{align}\n\nso it holds.";
    let out = export("inline", answer, answer.find(" \\\\").unwrap(), ("https://a.example/", "A"));
    assert_eq!(out, answer.replace("{align}\n\nso", "{align}[1](https://a.example/)\n\nso") + "\n");
}

#[test]
fn names_of_sources_without_an_address_begin_no_list() {
    for (title, line) in [("7. Results", "7\\. Results (`gs://b/x`)"), ("- l", "\\- l (`gs://b/x`)")] {
        assert!(export("links", "Open.", 5, ("gs://b/x", title)).starts_with(line));
        assert!(export("sources", "Open.", 5, ("gs://b/x", title)).starts_with(&format!("1. {line}")));
    }
}

#[test]
fn a_source_without_a_name_has_one_in_footnotes() {
    let out = export("footnotes", "Open.", 5, ("", ""));
    assert_eq!(out, "Open.[^1]\n\n[^1]: unnamed source\n");
}
