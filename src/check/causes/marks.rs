//! Annotations whose range should be a mark of the text and is none.

use super::reading::OFFSET_UNIT;
use crate::anchor::Verdict;
use crate::check::Finding;
use crate::check::finding::on_anchors;
use crate::model::{AnchorKind, RemarkKind};
use crate::review::Review;

rule!(MARKER_FORM {
    id: "marker-form",
    group: Offsets,
    severity: Warning,
    repairable: true,
    summary: "the range of a mark is no mark",
    help: "the claim shown is that of the link to its source; do not cut the text by these offsets",
    explain: r#"The provider marks its citations in the text, as `([site](address))` or `[[1]](address)`, and sends
the range of each mark. Here a range holds something else. Code that replaces the range by a mark
of its own, or links it, cuts words of the answer.

It is known by the words in the range: a mark begins with a bracket, ends with its like and holds
the address that came with it. Where the text links that address elsewhere, the mark is shown
there.

Before, what is sent:

```json
{"object": "chat.completion", "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant",
 "content": "Rio opens at nine ([rio.example](https://rio.example/hours)). It closes at ten ([rio.example](https://rio.example/kitchen)).",
  "annotations": [{"type": "url_citation", "url_citation": {"start_index": 13, "end_index": 55,
      "url": "https://rio.example/hours", "title": "Rio hours"}},
    {"type": "url_citation", "url_citation": {"start_index": 79, "end_index": 123,
      "url": "https://rio.example/kitchen", "title": "Rio kitchen"}}]}}]}
```

After:

```json
{"object": "chat.completion", "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant",
 "content": "Rio opens at nine ([rio.example](https://rio.example/hours)). It closes at ten ([rio.example](https://rio.example/kitchen)).",
  "annotations": [{"type": "url_citation", "url_citation": {"start_index": 18, "end_index": 60,
      "url": "https://rio.example/hours", "title": "Rio hours"}},
    {"type": "url_citation", "url_citation": {"start_index": 79, "end_index": 123,
      "url": "https://rio.example/kitchen", "title": "Rio kitchen"}}]}}]}
```

What to do: repair the offsets where the link occurs once; else find out who changed the text.
"#,
});

rule!(CITATION_ZERO {
    id: "citation-zero",
    group: Offsets,
    severity: Note,
    summary: "citations come without a place in the text",
    help: "show the sources as a list; no sentence is known to rest on them",
    explain: r#"Citations have the range 0..0 or none at all. Gateways send them so for models whose search tells no
places, and xAI where no inline citations were asked for. Code that takes 0..0 for a range links
the beginning of the answer to every source.

It is known by the offsets. The sources are listed; marks that the text itself has, `[1]` or links
to one of the sources, are read instead.

Before, what is sent:

```json
{"object": "chat.completion", "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant",
 "content": "Rio opens at nine ([rio.example](https://rio.example/hours)). It closes at ten ([rio.example](https://rio.example/kitchen)).",
  "annotations": [{"type": "url_citation", "url_citation": {"start_index": 0, "end_index": 0,
      "url": "https://rio.example/hours", "title": "Rio hours"}},
    {"type": "url_citation", "url_citation": {"start_index": 0, "end_index": 0,
      "url": "https://rio.example/kitchen", "title": "Rio kitchen"}}]}}]}
```

After:

```json
{"object": "chat.completion", "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant",
 "content": "Rio opens at nine ([rio.example](https://rio.example/hours)). It closes at ten ([rio.example](https://rio.example/kitchen)).",
  "annotations": [{"type": "url_citation", "url_citation": {"start_index": 18, "end_index": 60,
      "url": "https://rio.example/hours", "title": "Rio hours"}},
    {"type": "url_citation", "url_citation": {"start_index": 79, "end_index": 123,
      "url": "https://rio.example/kitchen", "title": "Rio kitchen"}}]}}]}
```

What to do: list the sources under the answer, or ask the API for inline citations.
"#,
});

rule!(GATEWAY_UNIT {
    id: "gateway-unit",
    group: Offsets,
    severity: Warning,
    supersedes: &[&OFFSET_UNIT],
    summary: "a gateway copied ranges of claims into fields for marks",
    help: "the ranges are shown as claims in the unit that fits; tell the gateway",
    explain: r#"In the form of OpenAI's chat completions an annotation names a mark in the text, in characters.
Here no range is a mark: they are sentences. A gateway copied what another API sent, such as
Gemini, whose ranges are the claims themselves and count UTF-8 bytes. Code that replaces marks
would cut the sentences out.

It is known by the words in the ranges: none begins like a mark. Bytes or characters, they are
read as fits the ends of the sentences.

Before, what is sent:

```json
{"object": "chat.completion", "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant",
 "content": "The Café Río opens at nine. It closes at ten.",
  "annotations": [{"type": "url_citation", "url_citation": {"start_index": 0, "end_index": 29,
      "url": "https://rio.example/hours", "title": "Rio hours"}},
    {"type": "url_citation", "url_citation": {"start_index": 30, "end_index": 47,
      "url": "https://rio.example/kitchen", "title": "Rio kitchen"}}]}}]}
```

After:

```json
{"object": "chat.completion", "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant",
 "content": "The Café Río opens at nine ([rio.example](https://rio.example/hours)). It closes at ten ([rio.example](https://rio.example/kitchen)).",
  "annotations": [{"type": "url_citation", "url_citation": {"start_index": 27, "end_index": 69,
      "url": "https://rio.example/hours", "title": "Rio hours"}},
    {"type": "url_citation", "url_citation": {"start_index": 88, "end_index": 132,
      "url": "https://rio.example/kitchen", "title": "Rio kitchen"}}]}}]}
```

What to do: put marks behind the ranges, do not replace them; slice the encoded bytes.
"#,
});

pub(super) fn check(review: &Review, found: &mut Vec<Finding>) {
    let moved = |verdict| matches!(verdict, Verdict::Reanchored | Verdict::Ambiguous);
    found.extend(on_anchors(
        &MARKER_FORM,
        review,
        "names a range that holds no mark; its claim is that of the link to its source",
        |support, anchor| support.kind == AnchorKind::Marker && moved(anchor.verdict),
    ));
    found.extend(on_anchors(&MARKER_FORM, review, "names a range that holds no mark", |support, anchor| {
        support.kind == AnchorKind::Marker && matches!(anchor.verdict, Verdict::AsSent | Verdict::Clamped)
    }));
    let response = &review.response;
    for remark in response.remarks.iter().filter(|remark| remark.kind == RemarkKind::NoPlace) {
        found.push(Finding::new(&CITATION_ZERO, &remark.origin, remark.text.to_string()));
    }
    let copied = response.remarks.iter().any(|remark| remark.kind == RemarkKind::ClaimRanges);
    if let Some(first) = response.supports.first().filter(|_| copied) {
        let unit = review.fit.reading.unit.name();
        // In the unit of marks somebody may have meant it so.
        let message = if review.fit.reading.unit == response.unit {
            "the ranges are claims, where this format documents marks".to_owned()
        } else {
            format!("the ranges are claims, not marks, and fit as {unit}: a gateway copied them")
        };
        let all = (0..response.supports.len()).collect();
        found.push(Finding::new(&GATEWAY_UNIT, &first.origin, message).supports(all));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::check::testing::{fires, silent};

    /// A chat completion with annotations of two pages at these places.
    fn annotated(content: &str, places: [(u32, u32); 2]) -> String {
        let pages = ["https://rio.example/hours", "https://rio.example/kitchen"];
        let annotation = |((start, end), url): ((u32, u32), &str)| {
            json!({"type": "url_citation", "url_citation":
                {"start_index": start, "end_index": end, "url": url, "title": "Rio"}})
        };
        let annotations: Vec<Value> = places.into_iter().zip(pages).map(annotation).collect();
        json!({"object": "chat.completion", "choices": [{"index": 0, "finish_reason": "stop",
            "message": {"role": "assistant", "content": content, "annotations": annotations}}]})
        .to_string()
    }

    /// An answer of OpenAI Responses in two messages, of which each has a page for a range.
    fn in_messages(texts: [&str; 2], places: [(usize, usize); 2]) -> String {
        let message = |(text, (start, end)): (&str, (usize, usize))| {
            let url = "https://rio.example/";
            let page = json!({"type": "url_citation", "start_index": start, "end_index": end, "url": url});
            let content = json!({"type": "output_text", "text": text, "annotations": [page]});
            json!({"type": "message", "role": "assistant", "content": [content]})
        };
        let output: Vec<Value> = texts.into_iter().zip(places).map(message).collect();
        json!({"object": "response", "id": "r", "status": "completed", "output": output}).to_string()
    }

    #[test]
    fn ranges_of_claims_are_told_by_the_text_that_they_stand_at() {
        let texts = ["Rio opens at nine. ", "It closes at ten."];
        fires(&GATEWAY_UNIT, &in_messages(texts, [(0, 18), (0, 17)]));
        // In bytes.
        fires(&GATEWAY_UNIT, &in_messages(["O café abre. ", "Às dez fecha."], [(0, 13), (0, 14)]));
        let marked = ["Rio opens ([rio](https://rio.example/)). ", "It closes at ten."];
        silent(&GATEWAY_UNIT, &in_messages(marked, [(10, 39), (0, 17)]));
    }

    /// As bytes two of the ranges begin within a link: the claims were shown with the link before them, and a
    /// text was said to be changed that was not.
    #[test]
    fn claims_before_their_links_are_told_in_any_script() {
        let (hours, kitchen) = ("([rio](https://rio.example/hours))", "([rio](https://rio.example/kitchen))");
        for (first, second) in [
            (
                "\u{41c}\u{43e}\u{441}\u{442} \u{43e}\u{442}\u{43a}\u{440}\u{44b}\u{442}.",
                "\u{41e}\u{43d} \u{43e}\u{447}\u{435}\u{43d}\u{44c} \u{434}\u{43b}\u{438}\u{43d}\u{43d}\u{44b}\u{439}.",
            ),
            (
                "\u{6a4b}\u{306f}\u{958b}\u{901a}\u{3057}\u{307e}\u{3057}\u{305f}\u{3002}",
                "\u{9577}\u{3044}\u{3002}",
            ),
            ("The bridge is open.", "It is very long."),
        ] {
            let text = format!("{first} {hours} {second} {kitchen}");
            let count = |words: &str| words.chars().count() as u32;
            let begin = count(first) + count(hours) + 2;
            let places = [(0, count(first)), (begin, begin + count(second))];
            fires(&GATEWAY_UNIT, &annotated(&text, places));
        }
        // A whole mark in one unit is a mark, whatever the other one says.
        let text = format!("Caf\u{e9} R\u{ed}o. {hours} It closes.");
        silent(&GATEWAY_UNIT, &annotated(&text, [(10, 44), (45, 55)]));
    }

    #[test]
    fn a_mark_of_another_form_is_a_mark() {
        let text = "Rio opens at nine [1]. It closes at ten \u{3010}2\u{2020}rio\u{3011}.";
        for rule in [&MARKER_FORM, &CITATION_ZERO, &GATEWAY_UNIT] {
            silent(rule, &annotated(text, [(18, 21), (40, 47)]));
        }
    }

    #[test]
    fn a_mark_at_the_very_beginning_has_a_place() {
        silent(&CITATION_ZERO, &annotated("[1] Rio opens at nine. [2] It closes.", [(0, 3), (23, 26)]));
        fires(&CITATION_ZERO, &annotated("Rio opens at nine. It closes.", [(0, 0), (0, 0)]));
    }

    #[test]
    fn one_range_that_is_a_mark_speaks_against_a_gateway() {
        let text = "The Café Río opens at nine [1]. It closes at ten.";
        silent(&GATEWAY_UNIT, &annotated(text, [(27, 30), (32, 49)]));
        fires(
            &GATEWAY_UNIT,
            &annotated("The Café Río opens at nine. It closes at ten.", [(0, 29), (30, 47)]),
        );
    }
}
