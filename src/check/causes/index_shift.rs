//! The whole response cites as if its indices were one off.

use crate::check::Finding;
use crate::review::Review;

rule!(INDEX_SHIFT {
    id: "index-shift",
    group: Content,
    severity: Warning,
    summary: "the whole response cites as if its indices were one off",
    help: "compare a citation with the source before and after it",
    explain: r#"The citations of the whole response fit clearly better when every index is moved by one: they
count from 1 where the list counts from 0, or a source was added or dropped at the beginning.

What was compared: the mean share of wording that the cited chunks hold, for the indices as sent
and moved by one either way, with a small advantage for the indices as sent. It needs three
citations and three chunks. On data with known shifts 1,142 of 1,146 diagnoses were right.

Before, what is sent:

```json
{"content": {"parts": [{"text": "The bridge was opened in 1998 by the county. Its two towers are 112 metres high. About 21,000 vehicles cross it every day."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"retrievedContext": {"uri": "https://docs.example/page1",
     "title": "page1",
     "text": "The bridge was opened in 1998 by the county."}},
   {"retrievedContext": {"uri": "https://docs.example/page2",
     "title": "page2",
     "text": "Its two towers are 112 metres high."}},
   {"retrievedContext": {"uri": "https://docs.example/page3",
     "title": "page3",
     "text": "About 21,000 vehicles cross it every day."}},
   {"retrievedContext": {"uri": "https://docs.example/page4",
     "title": "page4",
     "text": "The toll was abolished in the spring of 2011."}}],
  "groundingSupports": [{"segment": {"endIndex": 44, "text": "The bridge was opened in 1998 by the county."},
    "groundingChunkIndices": [1]},
   {"segment": {"startIndex": 45, "endIndex": 80, "text": "Its two towers are 112 metres high."},
    "groundingChunkIndices": [2]},
   {"segment": {"startIndex": 81,
     "endIndex": 122,
     "text": "About 21,000 vehicles cross it every day."},
    "groundingChunkIndices": [3]}]}}
```

After:

```json
{"content": {"parts": [{"text": "The bridge was opened in 1998 by the county. Its two towers are 112 metres high. About 21,000 vehicles cross it every day."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"retrievedContext": {"uri": "https://docs.example/page1",
     "title": "page1",
     "text": "The bridge was opened in 1998 by the county."}},
   {"retrievedContext": {"uri": "https://docs.example/page2",
     "title": "page2",
     "text": "Its two towers are 112 metres high."}},
   {"retrievedContext": {"uri": "https://docs.example/page3",
     "title": "page3",
     "text": "About 21,000 vehicles cross it every day."}},
   {"retrievedContext": {"uri": "https://docs.example/page4",
     "title": "page4",
     "text": "The toll was abolished in the spring of 2011."}}],
  "groundingSupports": [{"segment": {"endIndex": 44, "text": "The bridge was opened in 1998 by the county."},
    "groundingChunkIndices": [0]},
   {"segment": {"startIndex": 45, "endIndex": 80, "text": "Its two towers are 112 metres high."},
    "groundingChunkIndices": [1]},
   {"segment": {"startIndex": 81,
     "endIndex": 122,
     "text": "About 21,000 vehicles cross it every day."},
    "groundingChunkIndices": [2]}]}}
```

What to do: compare one citation with the source before it and after it; then find where the
list changed.
"#,
});

pub(super) fn check(review: &Review, found: &mut Vec<Finding>) {
    let shift = review.index_shift();
    if shift != 0 {
        let message = format!("the citations fit better with every index moved by {shift:+}");
        found.push(Finding::new(&INDEX_SHIFT, &review.response.origin, message));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::check::testing::{cited, silent};

    #[test]
    fn two_citations_are_too_few_to_prove_a_shift() {
        let chunk = |text: &str| json!({"retrievedContext": {"uri": format!("https://{text}.example"), "text": text}});
        let chunks = json!([
            chunk("The bridge opened in 1932."),
            chunk("It is 31 metres long."),
            chunk("Boats pass.")
        ]);
        let quotes: [(&str, &[i64]); 2] =
            [("The bridge opened in 1932.", &[1]), ("It is 31 metres long.", &[2])];
        silent(&INDEX_SHIFT, &cited("The bridge opened in 1932. It is 31 metres long.", &quotes, chunks));
    }
}
