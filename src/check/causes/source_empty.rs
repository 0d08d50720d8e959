//! A source of which nothing can be shown.

use crate::check::Finding;
use crate::check::finding::{listed, on_sources, sources_where};
use crate::model::{Source, SourceKind};
use crate::review::Review;

rule!(SOURCE_EMPTY {
    id: "source-empty",
    group: Sources,
    severity: Warning,
    summary: "a source without title, address and text",
    help: "nothing can be shown or checked of it",
    explain: r#"A source without title, address and text: an empty object in the list. It keeps its place, since
the indices of the others depend on it. What cites it cites nothing that can be shown.

It is known by its fields: none that names it, none that holds a passage.

Before, what is sent:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{}],
  "groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."}, "groundingChunkIndices": [0]}]}}
```

After:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."}, "groundingChunkIndices": [0]}]}}
```

What to do: keep the place in the list, print no link for it.
"#,
});

pub(super) fn check(review: &Review, found: &mut Vec<Finding>) {
    let hits = sources_where(&review.response, is_empty);
    found.extend(on_sources(&SOURCE_EMPTY, &review.response, hits, |hits| {
        format!("{} without title, address and text", listed(hits))
    }));
}

fn is_empty(source: &Source) -> bool {
    let names = [&source.title, &source.uri, &source.document, &source.place.id, &source.id];
    !matches!(source.kind, SourceKind::Tool | SourceKind::Request)
        && names.into_iter().all(Option::is_none)
        && !source.has_text()
        // What is no evidence, as a snippet, is text all the same.
        && source.chunks.iter().all(|chunk| chunk.text.is_empty())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::check::testing::{fires, silent, with_chunk};

    #[test]
    fn a_title_is_enough() {
        fires(&SOURCE_EMPTY, &with_chunk(json!({})));
        silent(&SOURCE_EMPTY, &with_chunk(json!({"web": {"title": "rio.example"}})));
    }
}
