//! A source that says nothing which an earlier one of the same id, address or headline does not say.

use std::hash::{Hash, Hasher};

use hashbrown::HashMap;

use crate::check::Finding;
use crate::check::finding::on_sources;
use crate::model::{Source, SourceKind};
use crate::review::Review;
use crate::text::{and_more, plural};

rule!(SOURCE_DUPLICATE {
    id: "source-duplicate",
    group: Sources,
    severity: Note,
    summary: "a source that was sent before",
    help: "numbers by provider count it again; footnotes and source lists merge it",
    explain: r#"A source was sent that says nothing new: it has the id, or else the address, or else the
headline of an earlier one, and the same passages. By the provider's numbers it counts again, so
[1] and [2] lead to one page.

It is known by the first of id, address and headline that is there. Titles of Google's web
chunks are domains and tell nothing; several passages of one document are normal, and not told
here.

Before, what is sent:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}},
   {"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."}, "groundingChunkIndices": [0]},
   {"segment": {"startIndex": 19, "endIndex": 36, "text": "It closes at ten."},
    "groundingChunkIndices": [1]}]}}
```

After:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."}, "groundingChunkIndices": [0]},
   {"segment": {"startIndex": 19, "endIndex": 36, "text": "It closes at ten."},
    "groundingChunkIndices": [0]}]}}
```

What to do: footnotes and the source list merge them; with the provider's own numbers both are
kept.
"#,
});

/// Pairs that the message shows at most.
const SHOWN: usize = 4;

pub(super) fn check(review: &Review, found: &mut Vec<Finding>) {
    let sources = &review.response.sources;
    let mut first_of: HashMap<Said, usize> = HashMap::new();
    let mut hits = Vec::new();
    let named = |(_, source): &(usize, &Source)| source.kind != SourceKind::Tool && source.key().is_some();
    for (index, source) in sources.iter().enumerate().filter(named) {
        let first = *first_of.entry(Said(source)).or_insert(index);
        if first != index {
            hits.push((index, first));
        }
    }
    let repeated: Vec<usize> = hits.iter().map(|(index, _)| *index).collect();
    found.extend(on_sources(&SOURCE_DUPLICATE, &review.response, repeated, |_| {
        let pairs =
            hits.iter().take(SHOWN).map(|(index, first)| format!("[{}] is [{}]", index + 1, first + 1));
        format!(
            "{} an earlier one: {}{}",
            plural(hits.len(), "source repeats", "sources repeat"),
            pairs.collect::<Vec<_>>().join(", "),
            and_more(hits.len().saturating_sub(SHOWN))
        )
    }));
}

/// A source by what it is known by and what its passages say: there may be very many.
struct Said<'s>(&'s Source);

impl Said<'_> {
    fn texts(&self) -> impl Iterator<Item = &str> {
        self.0.chunks.iter().map(|chunk| chunk.text.as_str())
    }
}

impl PartialEq for Said<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.0.key() == other.0.key() && self.texts().eq(other.texts())
    }
}

impl Eq for Said<'_> {}

impl Hash for Said<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.key().hash(state);
        self.texts().for_each(|text| text.hash(state));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::check::testing::{cited, silent};

    fn two(a: Value, b: Value) -> String {
        cited("It opens at nine.", &[("It opens at nine.", &[0, 1])], json!([a, b]))
    }

    #[test]
    fn passages_of_one_document_and_documents_of_one_title_are_no_duplicates() {
        let document =
            |uri: &str, text: &str| json!({"retrievedContext": {"uri": uri, "title": "Hours", "text": text}});
        silent(
            &SOURCE_DUPLICATE,
            &two(document("gs://b/x", "Opens at nine."), document("gs://b/x", "Closes at ten.")),
        );
        silent(
            &SOURCE_DUPLICATE,
            &two(document("gs://b/x", "Opens at nine."), document("gs://b/y", "Opens at nine.")),
        );
    }

    #[test]
    fn the_title_of_a_web_page_is_a_bare_domain_and_proves_nothing() {
        let opaque = |token: &str| {
            let uri = format!("https://vertexaisearch.cloud.google.com/grounding-api-redirect/{token}");
            json!({"web": {"uri": uri, "title": "a.example"}})
        };
        silent(&SOURCE_DUPLICATE, &two(opaque("x"), opaque("y")));
    }
}
