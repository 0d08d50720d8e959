//! A support without a segment, or with one that holds no text.

use crate::anchor::Verdict;
use crate::check::Finding;
use crate::check::finding::on_anchors;
use crate::review::Review;

rule!(SEGMENT_MISSING {
    id: "segment-missing",
    group: Offsets,
    severity: Note,
    summary: "a support names no segment",
    help: "it speaks of the whole answer",
    explain: r#"A support names sources and no segment. It speaks of the answer as a whole: image grounding does
this, and some services where they cannot tell which words rest on the source. Readers that
expect a segment fail on it.

It is known by its absence: no start, no end and no words.

Before, what is sent:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"groundingChunkIndices": [0]}]}}
```

After:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 36, "text": "Rio opens at nine. It closes at ten."},
    "groundingChunkIndices": [0]}]}}
```

What to do: list its sources for the whole answer instead of dropping them.
"#,
});

rule!(SEGMENT_EMPTY {
    id: "segment-empty",
    group: Offsets,
    severity: Note,
    summary: "a segment holds no text",
    help: "start and end are the same place",
    explain: r#"Start and end of a segment are the same place. It holds no words, so there is nothing that the
source could back. A start without an end does it, since an absent number is 0 in these formats.

It is known by the offsets alone, whether or not a source is named. A point without a span is
all that remains to show.

Before, what is sent:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"startIndex": 18, "endIndex": 18}, "groundingChunkIndices": [0]}]}}
```

After:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 18}, "groundingChunkIndices": [0]}]}}
```

What to do: ignore it, or cite at that point without a span.
"#,
});

pub(super) fn check(review: &Review, found: &mut Vec<Finding>) {
    let is_whole = |verdict| verdict == Verdict::Whole;
    found.extend(on_anchors(&SEGMENT_MISSING, review, "names no segment", |_, anchor| {
        is_whole(anchor.verdict)
    }));
    found.extend(on_anchors(&SEGMENT_EMPTY, review, "is empty", |support, anchor| {
        !support.is_inferred() && anchor.range.as_ref().is_some_and(std::ops::Range::is_empty)
    }));
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::check::testing::{fires, reported, silent, whole, with_support};

    #[test]
    fn a_segment_of_the_whole_answer_is_neither() {
        silent(&SEGMENT_EMPTY, &whole("Nine."));
        silent(&SEGMENT_MISSING, &whole("Nine."));
    }

    #[test]
    fn an_empty_segment_is_not_a_missing_one() {
        let support = |segment| with_support(json!({"segment": segment, "groundingChunkIndices": [0]}));
        assert_eq!(reported(&support(json!(null))), ["segment-missing support 1 names no segment"]);
        fires(&SEGMENT_EMPTY, &support(json!({"startIndex": 4, "endIndex": 4})));
    }
}
