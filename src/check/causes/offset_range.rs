//! Offsets outside the answer.

use super::quote::is_quoted;
use crate::anchor::Base;
use crate::check::Finding;
use crate::check::finding::on_anchors;
use crate::review::Review;

rule!(OFFSET_RANGE {
    id: "offset-range",
    group: Offsets,
    severity: Error,
    summary: "offsets lie outside the answer",
    help: "they count over a longer text, or in another unit",
    explain: r#"A segment ends behind the end of the answer, or begins before its beginning. The offsets count
over a longer text: one that was shortened since, one with thoughts or markup in it, or the
answer of another language. A stream may send a reference before its text; that is judged at the
end only.

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
    for (base, words) in
        [(Base::Part, "lies outside the part that it names"), (Base::Answer, "lies outside the answer")]
    {
        found.extend(on_anchors(&OFFSET_RANGE, review, words, |support, anchor| {
            anchor.outside
                && (anchor.elided || !is_quoted(support))
                && (anchor.base == Base::Part) == (base == Base::Part)
        }));
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
    fn of_a_quote_that_stands_elsewhere_the_quote_is_reported() {
        let segment = json!({"startIndex": 2, "endIndex": 90, "text": "day"});
        silent(&OFFSET_RANGE, &with_support(json!({"segment": segment, "groundingChunkIndices": [0]})));
    }
}
