//! One range with one list of sources, sent twice in one layer.

use std::collections::HashSet;

use crate::check::Finding;
use crate::check::finding::{on_supports, subject};
use crate::model::{Layer, Target};
use crate::review::Review;

rule!(SUPPORT_REPEATED {
    id: "support-repeated",
    group: Offsets,
    severity: Note,
    summary: "the same words with the same sources, sent twice",
    help: "a mark for each would cite twice",
    explain: r#"The same words with the same sources were sent twice in one list. A stream that sends its
metadata again, or code that joins two lists, does this. Marks inserted from it cite twice:
“nine.[1][1]”.

It is known by the place and the indices. Equal words with other sources are no repetition, and
neither are the two layers of a Discovery Engine answer.

Before, what is sent:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."}, "groundingChunkIndices": [0]},
   {"segment": {"endIndex": 18, "text": "Rio opens at nine."}, "groundingChunkIndices": [0]}]}}
```

After:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."}, "groundingChunkIndices": [0]}]}}
```

What to do: keep the first one.
"#,
});

pub(super) fn check(review: &Review, found: &mut Vec<Finding>) {
    let mut hits = Vec::new();
    for (span, _) in review.spans.iter().enumerate().filter(|(_, span)| span.range.is_some()) {
        let supports = review.supports_of(span);
        if supports.len() < 2 {
            continue;
        }
        let mut seen: HashSet<(Layer, Vec<&Target>)> = HashSet::new();
        for &index in supports {
            let Some(support) = review.response.supports.get(index) else { continue };
            let targets: Vec<&Target> = support.citations.iter().map(|citation| &citation.target).collect();
            if !targets.is_empty() && !seen.insert((support.layer, targets)) {
                hits.push(index);
            }
        }
    }
    found.extend(on_supports(&SUPPORT_REPEATED, review, hits, |hits| {
        format!("{} again what an earlier one of the same words says", subject(hits, "says", "say"))
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{cited, pages, silent};

    #[test]
    fn the_same_words_may_rest_on_two_sources() {
        let quotes: [(&str, &[i64]); 2] = [("It opens at nine.", &[0]), ("It opens at nine.", &[1])];
        let two = pages(&["https://a.example", "https://b.example"]);
        silent(&SUPPORT_REPEATED, &cited("It opens at nine.", &quotes, two));
    }
}
