//! Offsets outside the answer.

use super::quote::is_quoted;
use crate::anchor::{Anchor, Base};
use crate::check::Finding;
use crate::check::finding::on_anchors;
use crate::model::Support;
use crate::review::Review;

rule!(OFFSET_RANGE {
    id: "offset-range",
    group: Offsets,
    severity: Error,
    summary: "offsets lie outside the answer, or run backwards",
    help: "they count over a longer text, or in another unit",
    explain: r#"A segment ends behind the end of the answer, or begins before its beginning. The offsets count
over a longer text: one that was shortened since, one with thoughts or markup in it, or the
answer of another language. A stream may send a reference before its text; that is judged at the
end only. An end before the start, or none, names no words either; an end that is left out is 0.

It is known by the length of the answer alone, so it holds without a quote as well. Where a
quote is there, it is looked for instead, and its own finding tells what came of it.

Before, what is sent:

```json
{"content": {"parts": [{"text": "The Café Río opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 90}, "groundingChunkIndices": [0]}]}}
```

After:

```json
{"content": {"parts": [{"text": "The Café Río opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 47}, "groundingChunkIndices": [0]}]}}
```

What to do: find out which text was counted; do not clamp in silence, the segment may belong
elsewhere.
"#,
});

/// With a quote that stands elsewhere, the quote is the finding.
pub(super) fn check(review: &Review, found: &mut Vec<Finding>) {
    for (way, words) in [
        (Way::Part, "lies outside the part that it names"),
        (Way::Answer, "lies outside the answer"),
        (Way::Backwards, "ends before it begins"),
        (Way::Endless, "begins and does not end"),
    ] {
        found.extend(on_anchors(&OFFSET_RANGE, review, words, |support, anchor| {
            anchor.outside && (anchor.elided || !is_quoted(support)) && Way::of(support, anchor) == way
        }));
    }
}

/// In which way offsets name no words.
#[derive(PartialEq)]
enum Way {
    Part,
    Answer,
    Backwards,
    Endless,
}

impl Way {
    fn of(support: &Support, anchor: &Anchor) -> Self {
        let sent = support.segment.as_ref().map(|segment| (segment.start.unwrap_or_default(), segment.end));
        match sent {
            Some((0.., None)) => Self::Endless,
            Some((start, Some(end @ 0..))) if end < start => Self::Backwards,
            _ if anchor.base == Base::Part => Self::Part,
            _ => Self::Answer,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::check::testing::{reported, silent, with_support};

    #[test]
    fn the_end_of_the_answer_is_inside_it() {
        let to = |end: usize| {
            with_support(json!({"segment": {"startIndex": 2, "endIndex": end}, "groundingChunkIndices": [0]}))
        };
        let outside = "offset-range support 1 lies outside the answer (sent 2..90, shown 2..11, answer 0..11, in UTF-8 bytes)";
        assert!(reported(&to(90)).contains(&outside.to_owned()), "{:?}", reported(&to(90)));
        silent(&OFFSET_RANGE, &to(11));
    }

    #[test]
    fn an_end_before_the_start_or_none_is_said_as_such() {
        let of = |segment| reported(&with_support(json!({"segment": segment, "groundingChunkIndices": [0]})));
        let said = "offset-range support 1 ends before it begins (sent 6..2, answer 0..11, in UTF-8 bytes)";
        let reported = of(json!({"startIndex": 6, "endIndex": 2}));
        assert!(reported.contains(&said.to_owned()), "{reported:?}");
        let said = "offset-range support 1 begins and does not end (sent 6..(not sent), answer 0..11, in UTF-8 bytes)";
        let reported = of(json!({"startIndex": 6}));
        assert!(reported.contains(&said.to_owned()), "{reported:?}");
    }

    #[test]
    fn of_a_quote_that_stands_elsewhere_the_quote_is_reported() {
        let segment = json!({"startIndex": 2, "endIndex": 90, "text": "day"});
        silent(&OFFSET_RANGE, &with_support(json!({"segment": segment, "groundingChunkIndices": [0]})));
    }
}
