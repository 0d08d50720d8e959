//! A confidence so low that the claim is worth a look.

use crate::check::Finding;
use crate::check::finding::{on_supports, supports_where};
use crate::model::{Response, Support};
use crate::review::Review;
use crate::text::{counted, score_words};

rule!(SCORE_LOW {
    id: "score-low",
    group: Scores,
    severity: Warning,
    summary: "a score below 0.5",
    help: "the provider itself holds the citation for weak; look at the source",
    explain: r#"The provider itself has little confidence in the citation: its best score for these words is
below 0.5. That is the provider's estimate, not a comparison made here; the evidence beside the
source shows what the words have in common.

It is known by the confidence scores of Gemini 2.0 and earlier, the grounding scores of
Discovery Engine and the scores of a grounding check. From Gemini 2.5 on scores are documented
as to be ignored and count for nothing here; relevance to the query is another thing and never
counts. Of several sources for the same words the best one counts.

Before, what is sent:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."},
    "groundingChunkIndices": [0],
    "confidenceScores": [0.21]}]}}
```

After, a source that the provider is sure of:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."},
    "groundingChunkIndices": [0],
    "confidenceScores": [0.93]}]}}
```

What to do: read the source before you rely on the words.
"#,
});

/// Confidence below which a claim is worth a look.
const LOW: f64 = 0.5;

/// Whether the best score of a support is worth a look.
pub(crate) fn is_low(response: &Response, support: &Support) -> bool {
    support.grade.check_required != Some(false)
        && best(response, support).is_some_and(|(score, _)| is_low_score(score))
}

fn is_low_score(score: f64) -> bool {
    (0.0..LOW).contains(&score)
}

/// The best score that a support was given: a weak second source beside a strong one is no cause. Relevance
/// to the query does not count, nor do scores that their model documents as to be ignored.
///
/// With it comes what the provider calls it.
fn best(response: &Response, support: &Support) -> Option<(f64, &'static str)> {
    let of_citations = support.citations.iter().filter_map(|citation| citation.score);
    let confidence = of_citations.filter(|_| response.scores.ignored.is_none());
    let all = support.grade.score.map(|score| (score, "grounding score")).into_iter();
    all.chain(confidence.map(|score| (score, "confidence"))).max_by(|a, b| a.0.total_cmp(&b.0))
}

pub(super) fn check(review: &Review, found: &mut Vec<Finding>) {
    let response = &review.response;
    if response.is_question() || response.partial {
        return;
    }
    let weak = supports_where(response, |support| is_low(response, support));
    if weak.is_empty() {
        if let Some(score) = response.about.grounding_score.filter(|&score| is_low_score(score)) {
            let message = format!("the whole answer has a grounding score of {}", score_words(score));
            found.push(Finding::new(&SCORE_LOW, &response.origin, message));
        }
        return;
    }
    found.extend(on_supports(&SCORE_LOW, review, weak, |weak| {
        let scores = weak.iter().filter_map(|&index| best(response, response.supports.get(index)?));
        let Some((least, name)) = scores.min_by(|a, b| a.0.total_cmp(&b.0)) else { return String::new() };
        let least = score_words(least);
        if let [only] = weak {
            return format!("support {} has a {name} of {least}", only + 1);
        }
        let supports = counted(weak.len(), "support");
        format!("{supports} with a {name} below {LOW}, the least {least}")
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{fires, scored, silent};

    #[test]
    fn the_best_score_counts_where_the_model_documents_scores() {
        fires(&SCORE_LOW, &scored("gemini-2.0-flash", "[0.1, 0.2]"));
        silent(&SCORE_LOW, &scored("gemini-2.0-flash", "[0.1, 0.5]"));
        silent(&SCORE_LOW, &scored("gemini-2.5-pro", "[0.1, 0.2]"));
        silent(&SCORE_LOW, &scored("gemini-3-pro-preview", "[0.1, 0.2]"));
    }

    #[test]
    fn relevance_and_claims_that_need_no_check_have_no_confidence() {
        silent(
            &SCORE_LOW,
            r#"{"answerText": "Nine.", "citations": [{"endIndex": "5", "sources": [{"referenceId": "0"}]}],
                "references": [{"chunkInfo": {"content": "Nine.", "relevanceScore": 0.1}}]}"#,
        );
        silent(
            &SCORE_LOW,
            r#"{"answerText": "Hi.",
                "groundingSupports": [{"endIndex": "3", "groundingScore": 0.1, "groundingCheckRequired": false}]}"#,
        );
    }
}
