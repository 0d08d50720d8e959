//! Searches that brought sources, of which nothing was cited.

use crate::check::Finding;
use crate::review::Review;
use crate::text::{counted, plural};

rule!(QUERY_IDLE {
    id: "query-idle",
    group: Traces,
    severity: Note,
    summary: "searches ran, and nothing was cited",
    help: "the model searched and used nothing of it",
    explain: r#"Searches ran and sources came back, but no words of the answer are attributed to any of them.
The model searched and used nothing, or the supports were lost on the way: some SDKs drop them.

It is known by what is there: queries and sources, and no support.

Before, what is sent:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"searchEntryPoint": {"renderedContent": "<p>Rio</p>"},
  "webSearchQueries": ["Rio opening hours"],
  "groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}]}}
```

After:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"searchEntryPoint": {"renderedContent": "<p>Rio</p>"},
  "webSearchQueries": ["Rio opening hours"],
  "groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."}, "groundingChunkIndices": [0]}]}}
```

What to do: compare with the raw response of the service before you blame the model.
"#,
});

pub(super) fn check(review: &Review, found: &mut Vec<Finding>) {
    let response = &review.response;
    let Some(query) = response.queries.first() else { return };
    if response.supports.is_empty() && !response.sources.is_empty() {
        let searches = plural(response.queries.len(), "search", "searches");
        let sources = counted(response.sources.len(), "source");
        let message = format!("{searches} ran and {sources} came back, but no words are attributed to any");
        found.push(Finding::new(&QUERY_IDLE, &query.origin, message));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{CHUNK, fires, gemini, silent, whole};

    #[test]
    fn searches_without_sources_are_another_cause() {
        fires(&QUERY_IDLE, &gemini("Hi", &format!(r#"{{{CHUNK}, "webSearchQueries": ["q"]}}"#)));
        silent(&QUERY_IDLE, &gemini("Hi", r#"{"webSearchQueries": ["q"]}"#));
        silent(&QUERY_IDLE, &whole("Nine."));
    }
}
