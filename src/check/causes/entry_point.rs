//! The search suggestions that products must show are missing, or cannot be decoded.

use crate::check::Finding;
use crate::model::{RemarkKind, SourceKind};
use crate::review::Review;

rule!(ENTRY_POINT_BROKEN {
    id: "entry-point-broken",
    group: Answer,
    severity: Note,
    summary: "the search entry point cannot be decoded, or is missing",
    help: "products must show search suggestions with Google Search grounding",
    explain: r#"Products that show answers with Google Search grounding must show the search suggestions that
come with them. Here they are missing, or the encoded form of them cannot be read.

It is known by web searches and web sources without a searchEntryPoint, or by an sdkBlob that is
no Base64 of JSON.

Before, what is sent:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"webSearchQueries": ["Rio"],
  "groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 36, "text": "Rio opens at nine. It closes at ten."},
    "groundingChunkIndices": [0]}]}}
```

After:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"webSearchQueries": ["Rio"],
  "searchEntryPoint": {"renderedContent": "<p>Rio</p>"},
  "groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 36, "text": "Rio opens at nine. It closes at ten."},
    "groundingChunkIndices": [0]}]}}
```

What to do: keep the entry point when you store responses.
"#,
});

pub(super) fn check(review: &Review, found: &mut Vec<Finding>) {
    let response = &review.response;
    if response.is_question() {
        return;
    }
    let suggestions = response.about.suggestions.as_ref();
    if let Some(Err(error)) = suggestions.and_then(|suggestions| suggestions.links.as_ref()) {
        let message = format!("sdkBlob cannot be read: {error}; it is shown as sent");
        found.push(Finding::new(&ENTRY_POINT_BROKEN, &response.origin, message));
    }
    let searched = response.queries.iter().any(|query| query.web);
    let web = response.sources.iter().any(|source| source.kind == SourceKind::Web);
    // Where the input breaks off, it may have come behind that.
    let cut = response.remarks.iter().any(|remark| remark.kind == RemarkKind::Truncated);
    if searched && web && suggestions.is_none() && !cut {
        let message = "Google Search chunks without a searchEntryPoint, which products must show";
        found.push(Finding::new(&ENTRY_POINT_BROKEN, &response.origin, message));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::check::testing::{fires, gemini, silent};

    #[test]
    fn only_google_search_must_show_suggestions() {
        fires(&ENTRY_POINT_BROKEN, &gemini("Hi", r#"{"searchEntryPoint": {"sdkBlob": "%%"}}"#));
        let searched = |chunk: &str| {
            let chunk = json!({chunk: {"uri": "https://a.example", "title": "a.example"}});
            gemini("Hi", &json!({"groundingChunks": [chunk], "webSearchQueries": ["q"]}).to_string())
        };
        fires(&ENTRY_POINT_BROKEN, &searched("web"));
        silent(&ENTRY_POINT_BROKEN, &searched("retrievedContext"));
        silent(&ENTRY_POINT_BROKEN, &gemini("Hi", "{}"));
    }
}
