//! Another number of scores than of citations.

use crate::check::Finding;
use crate::check::finding::{on_supports, supports_where};
use crate::review::Review;
use crate::text::counted;

rule!(SCORE_COUNT {
    id: "score-count",
    group: Scores,
    severity: Error,
    summary: "the number of scores is not that of the citations",
    help: "scores are matched to citations in order; the rest has none",
    explain: r#"Scores stand in a list of their own, one for each citation in order. Here the lists differ in
length. The scores that have a partner are taken; for the rest nothing is known. A list that is
not there at all is no fault: newer models send none.

It is known by counting.

Before, what is sent:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."},
    "groundingChunkIndices": [0],
    "confidenceScores": [0.9, 0.4]}]}}
```

After:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."},
    "groundingChunkIndices": [0],
    "confidenceScores": [0.9]}]}}
```

What to do: match by position and treat missing scores as not given, never as 0.
"#,
});

pub(super) fn check(review: &Review, found: &mut Vec<Finding>) {
    let uneven = supports_where(&review.response, |support| {
        support.scores_sent.is_some_and(|scores| scores as usize != support.citations.len())
    });
    found.extend(on_supports(&SCORE_COUNT, review, uneven, |uneven| {
        format!("{} with another number of scores than of citations", counted(uneven.len(), "support"))
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{fires, scored, silent};

    #[test]
    fn no_scores_at_all_are_no_wrong_number() {
        fires(&SCORE_COUNT, &scored("gemini-2.0-flash", "[0.5]"));
        silent(&SCORE_COUNT, &scored("gemini-2.0-flash", "[]"));
    }
}
