//! Offsets inside a character.

use super::quote::is_quoted;
use crate::anchor::{Anchor, Verdict};
use crate::check::Finding;
use crate::check::finding::on_anchors;
use crate::review::Review;
use crate::text::Clusters;

rule!(OFFSET_SPLIT {
    id: "offset-split",
    group: Offsets,
    severity: Error,
    summary: "an offset falls inside a character",
    help: "count whole characters, in the unit that the format documents",
    explain: r#"An offset falls inside a character: between the two bytes of an “é”, or between the halves of an
emoji in UTF-16. A slice there is no text; some languages throw, others show a replacement
character.

It is known by looking at the bytes: no reading of the offsets in the documented unit makes
sense there. Most often they count another unit, and too few of them are there to tell which.

Before, byte 8 is the second half of the “é”:

```json
{"content": {"parts": [{"text": "The Café Río opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 8}, "groundingChunkIndices": [0]}]}}
```

After:

```json
{"content": {"parts": [{"text": "The Café Río opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 9}, "groundingChunkIndices": [0]}]}}
```

What to do: treat the offset as wrong: convert the unit, or ask the service again.
"#,
});

/// A quote proves that an offset is meant as it stands.
pub(super) fn check(review: &Review, found: &mut Vec<Finding>) {
    let answer = review.response.text();
    let mut clusters = Clusters::of(answer);
    found.extend(on_anchors(
        &OFFSET_SPLIT,
        review,
        "begins or ends inside a character",
        |support, anchor| !is_quoted(support) && (anchor.split || is_torn(answer, &mut clusters, anchor)),
    ));
}

/// Whether a span parts what people see as one character: a letter from its accent, an emoji from its skin
/// tone.
fn is_torn(answer: &str, clusters: &mut Clusters, anchor: &Anchor) -> bool {
    let mut inside = |at: usize| {
        let near = answer.as_bytes().get(at.saturating_sub(1)..=at);
        near.is_some_and(|near| !near.is_ascii()) && !clusters.is_boundary(at)
    };
    anchor.verdict == Verdict::AsSent
        && anchor.range.as_ref().is_some_and(|range| inside(range.start) || inside(range.end))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::check::testing::{candidate, fires, pages, silent, with_support};

    #[test]
    fn a_letter_and_its_accent_are_one_character() {
        let one = |end: usize, quote: Option<&str>| {
            let support = json!({"segment": {"endIndex": end, "text": quote}, "groundingChunkIndices": [0]});
            candidate("Cafe\u{301} Rio.", pages(&["https://a.example"]), json!([support]))
        };
        fires(&OFFSET_SPLIT, &one(4, None));
        silent(&OFFSET_SPLIT, &one(6, None));
        silent(&OFFSET_SPLIT, &one(4, Some("Cafe")));
    }

    #[test]
    fn an_offset_inside_a_character_is_split() {
        let to =
            |end: usize| with_support(json!({"segment": {"endIndex": end}, "groundingChunkIndices": [0]}));
        fires(&OFFSET_SPLIT, &to(9));
        silent(&OFFSET_SPLIT, &to(8));
    }
}
