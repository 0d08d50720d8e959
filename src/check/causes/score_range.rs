//! A score that is no share.

use crate::check::Finding;
use crate::check::finding::{listed, on_sources, on_supports, sources_where, supports_where};
use crate::review::Review;
use crate::text::counted;

rule!(SCORE_RANGE {
    id: "score-range",
    group: Scores,
    severity: Warning,
    summary: "a score outside 0 to 1",
    help: "documented scores lie between 0 and 1",
    explain: r#"A score that is documented to lie between 0 and 1 does not. It is a percentage, a logit, or
another field read by mistake. Bars and thresholds made for 0 to 1 mislead.

It is known by comparing. Scores of citations, passages, safety and of the whole answer are
looked at.

Before, what is sent:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."},
    "groundingChunkIndices": [0],
    "confidenceScores": [92.0]}]}}
```

After:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."},
    "groundingChunkIndices": [0],
    "confidenceScores": [0.92]}]}}
```

What to do: find out what was sent before you scale it.
"#,
});

pub(super) fn check(review: &Review, found: &mut Vec<Finding>) {
    let response = &review.response;
    let wild = |score: Option<f64>| score.is_some_and(|score| !(0.0..=1.0).contains(&score));
    let supports = supports_where(response, |support| {
        wild(support.grade.score) || support.citations.iter().any(|citation| wild(citation.score))
    });
    found.extend(on_supports(&SCORE_RANGE, review, supports, |supports| {
        format!("{} with a score outside 0 to 1", counted(supports.len(), "support"))
    }));
    let sources = sources_where(response, |source| source.chunks.iter().any(|chunk| wild(chunk.score)));
    found.extend(on_sources(&SCORE_RANGE, response, sources, |sources| {
        format!("{} with a relevance outside 0 to 1", listed(sources))
    }));
    let about = &response.about;
    let rated =
        about.safety.iter().any(|rating| wild(rating.probability_score) || wild(rating.severity_score));
    if rated || wild(about.grounding_score) || wild(about.retrieval_score) {
        let message = "a score of the whole answer lies outside 0 to 1";
        found.push(Finding::new(&SCORE_RANGE, &response.origin, message));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{fires, scored, silent};

    #[test]
    fn zero_and_one_are_in_range() {
        fires(&SCORE_RANGE, &scored("gemini-2.0-flash", "[0.5, 1.5]"));
        silent(&SCORE_RANGE, &scored("gemini-2.0-flash", "[0.0, 1.0]"));
    }
}
