//! Offsets that count in no part of the answer, or that are no numbers.

use crate::anchor::Fault;
use crate::check::Finding;
use crate::check::finding::{anchored, on_supports, subject};
use crate::review::Review;

rule!(PART_INDEX {
    id: "part-index",
    group: Offsets,
    severity: Warning,
    summary: "a part number that names no text of the answer",
    help: "parts of every kind count, thoughts and calls with them; 0 means the whole answer",
    explain: r#"A segment says that its offsets count in a part of the content, and that part does not exist, is
a thought or a call, or does not hold the quote, which the part of that number does hold when
thoughts and calls are not counted. Its offsets say nothing then, and no amount is given by which
they were off.

It is known by the parts of the content, all kinds counted, and by the quote. With a quote the span
is shown where that stands; without one it has no place.

Before, the content has one part:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"partIndex": 3, "endIndex": 17, "text": "It closes at ten."},
    "groundingChunkIndices": [0]}]}}
```

After:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"startIndex": 19, "endIndex": 36, "text": "It closes at ten."},
    "groundingChunkIndices": [0]}]}}
```

What to do: keep all parts of the content, in their order, or count over the joined answer.
"#,
});

rule!(OFFSET_UNREADABLE {
    id: "offset-unreadable",
    group: Offsets,
    severity: Warning,
    summary: "an offset that is no whole number",
    help: "it is not read as 0; with a quote the span is shown where that stands",
    explain: r#"An offset is no whole number: text that is none, a fraction, true or false, a list. It was sent,
so it is not 0 as an absent start is, and nothing can be said of where it points.

It is known by its type. Numbers in strings are numbers. With a quote the span is shown where that
stands; without one it has no place.

Before, what is sent:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"startIndex": 18.5, "endIndex": 36, "text": "It closes at ten."},
    "groundingChunkIndices": [0]}]}}
```

After:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"startIndex": 19, "endIndex": 36, "text": "It closes at ten."},
    "groundingChunkIndices": [0]}]}}
```

What to do: see the raw view for what was sent, and mend what writes it.
"#,
});

pub(super) fn check(review: &Review, found: &mut Vec<Finding>) {
    let with = |fault: Fault| anchored(review, move |_, anchor| anchor.fault == Some(fault));
    let part = |support: usize| {
        let segment = review.support(support).and_then(|support| support.segment.as_ref()?.part);
        segment.unwrap_or_default()
    };
    found.extend(on_supports(&PART_INDEX, review, with(Fault::NoPart), |supports| {
        let which = match supports {
            [only] => format!("support {} counts in part {}", only + 1, part(*only)),
            _ => format!("{} supports count in parts", supports.len()),
        };
        let parts = crate::text::counted(review.response.parts.len(), "part");
        format!("{which}, which is no text of the answer (the content has {parts}, counted from 0)")
    }));
    found.extend(on_supports(&PART_INDEX, review, with(Fault::PartsOfTheAnswer), |supports| {
        let which = subject(supports, "counts", "count");
        format!("{which} parts without the thoughts and calls among them; only so does the quote fit")
    }));
    found.extend(on_supports(&OFFSET_UNREADABLE, review, with(Fault::Unreadable), |supports| {
        let which = subject(supports, "has an offset that is", "have offsets that are");
        let first = supports.first().and_then(|&first| review.support(first));
        let sent = first.and_then(|support| support.sent().segment.as_ref()?.unreadable.clone());
        let example = if supports.len() > 1 { ", the first " } else { ": " };
        format!("{which} no whole number{example}{}", sent.unwrap_or_default())
    }));
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::check::testing::{CHUNK, reported, silent};

    fn content(parts: &serde_json::Value, segment: &serde_json::Value) -> String {
        let metadata = format!(
            r#"{{{CHUNK}, "groundingSupports": [{{"segment": {segment}, "groundingChunkIndices": [0]}}]}}"#
        );
        format!(
            r#"{{"candidates": [{{"content": {{"parts": {parts}}}, "finishReason": "STOP", "groundingMetadata": {metadata}}}]}}"#
        )
    }

    #[test]
    fn a_part_that_is_not_there_is_no_drift() {
        let parts = json!([{"text": "Fine day. "}, {"text": "No rain."}]);
        let quoted = content(&parts, &json!({"partIndex": 7, "endIndex": 8, "text": "No rain."}));
        let expected = "part-index support 1 counts in part 7, which is no text of the answer (the content has 2 parts, counted from 0)";
        assert_eq!(reported(&quoted), [expected]);
        let bare = content(&parts, &json!({"partIndex": 7, "endIndex": 8}));
        assert_eq!(reported(&bare), [expected]);
        let negative = content(&parts, &json!({"partIndex": -1, "endIndex": 8, "text": "No rain."}));
        assert_eq!(reported(&negative), [expected.replace("part 7", "part -1")]);
        silent(&PART_INDEX, &content(&parts, &json!({"partIndex": 1, "endIndex": 8, "text": "No rain."})));
    }

    #[test]
    fn parts_counted_without_the_thoughts() {
        let parts = json!([{"text": "Hm", "thought": true}, {"text": "Fine day. "}, {"text": "No rain."}]);
        let sent = content(&parts, &json!({"partIndex": 1, "endIndex": 8, "text": "No rain."}));
        let expected = "part-index support 1 counts parts without the thoughts and calls among them; only so does the quote fit";
        assert_eq!(reported(&sent), [expected]);
    }

    #[test]
    fn what_is_no_number_is_not_zero() {
        let parts = json!([{"text": "Fine day. No rain."}]);
        let sent = content(&parts, &json!({"startIndex": "x7", "endIndex": 18, "text": "No rain."}));
        let expected =
            r#"offset-unreadable support 1 has an offset that is no whole number: startIndex "x7""#;
        assert_eq!(reported(&sent).first().map(String::as_str), Some(expected));
        silent(
            &OFFSET_UNREADABLE,
            &content(&parts, &json!({"startIndex": "10", "endIndex": 18, "text": "No rain."})),
        );
    }
}
