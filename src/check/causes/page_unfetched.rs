//! A page that was to be read and could not be.

use crate::check::Finding;
use crate::review::Review;
use crate::text::counted;

rule!(PAGE_UNFETCHED {
    id: "page-unfetched",
    group: Sources,
    severity: Note,
    summary: "a page that was to be read could not be fetched",
    help: "the answer may lack what stands there; indices may count it all the same",
    explain: r#"A page that the model was asked to read could not be fetched: an error, a paywall, or content
held unsafe. The answer was written without it, and does not always say so. Indices of supports
may count such pages although no chunk is sent for them: then source-index stands beside this
finding.

It is known by the status that the service reports for each page.

Before, what is sent:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "urlContextMetadata": {"urlMetadata": [{"retrievedUrl": "https://rio.example/hours",
    "urlRetrievalStatus": "URL_RETRIEVAL_STATUS_SUCCESS"},
   {"retrievedUrl": "https://rio.example/prices",
    "urlRetrievalStatus": "URL_RETRIEVAL_STATUS_ERROR"}]},
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."}, "groundingChunkIndices": [0]}]}}
```

After:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "urlContextMetadata": {"urlMetadata": [{"retrievedUrl": "https://rio.example/hours",
    "urlRetrievalStatus": "URL_RETRIEVAL_STATUS_SUCCESS"},
   {"retrievedUrl": "https://rio.example/prices",
    "urlRetrievalStatus": "URL_RETRIEVAL_STATUS_SUCCESS"}]},
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."}, "groundingChunkIndices": [0]}]}}
```

What to do: ask again, or give the text of the page yourself.
"#,
});

pub(super) fn check(review: &Review, found: &mut Vec<Finding>) {
    let pages = &review.response.about.fetched;
    let failed: Vec<_> = pages.iter().filter(|page| page.failed).collect();
    let Some(first) = failed.first() else { return };
    let name = if first.uri.is_empty() { "a page without an address" } else { first.uri.as_str() };
    let (failed, pages) = (failed.len(), counted(pages.len(), "page"));
    let message = format!("{failed} of {pages} could not be read: {name} ({})", first.status);
    found.push(Finding::new(&PAGE_UNFETCHED, &review.response.origin, message));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::silent;

    #[test]
    fn an_unspecified_status_is_no_failure() {
        silent(
            &PAGE_UNFETCHED,
            r#"{"content": {"parts": [{"text": "Hi"}]}, "finishReason": "STOP",
                "urlContextMetadata": {"urlMetadata": [{"retrievedUrl": "https://a.example",
                    "urlRetrievalStatus": "URL_RETRIEVAL_STATUS_UNSPECIFIED"}]}}"#,
        );
    }
}
