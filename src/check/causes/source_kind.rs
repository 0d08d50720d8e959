//! A source of no documented kind, or of two kinds at once.

use crate::check::Finding;
use crate::check::finding::{listed, on_sources, sources_where};
use crate::model::{RemarkKind, SourceKind};
use crate::review::Review;

rule!(SOURCE_KIND {
    id: "source-kind",
    group: Sources,
    severity: Warning,
    summary: "a source of no documented kind, or of two",
    help: "it is kept in its place and shown raw",
    explain: r#"A source is of a kind that the format's documentation does not name, or has two kinds set where
one is allowed. It is kept in its place and read by the fields that most kinds have. New kinds
appear without notice; readers that know a fixed list drop them, and all later indices shift.

It is known by the key of the chunk.

Before, what is sent:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"video": {"uri": "https://rio.example/tour", "title": "A tour"}}],
  "groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."}, "groundingChunkIndices": [0]}]}}
```

After:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."}, "groundingChunkIndices": [0]}]}}
```

What to do: see it in the raw view; tell us when the kind is documented now.
"#,
});

/// Kinds that are not documented.
pub(super) fn unknown(review: &Review, found: &mut Vec<Finding>) {
    let hits = sources_where(&review.response, |source| matches!(source.kind, SourceKind::Unknown(_)));
    found.extend(on_sources(&SOURCE_KIND, &review.response, hits, |hits| {
        format!("{} of a kind that is not documented", listed(hits))
    }));
}

/// Two kinds at once, as the decoder remarked.
pub(super) fn two_kinds(review: &Review, found: &mut Vec<Finding>) {
    let remarks = review.response.remarks.iter().filter(|remark| remark.kind == RemarkKind::TwoKinds);
    found.extend(remarks.map(|remark| Finding::new(&SOURCE_KIND, &remark.origin, remark.text.to_string())));
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::check::testing::{fires, silent, with_chunk};

    #[test]
    fn one_documented_kind_is_right() {
        fires(&SOURCE_KIND, &with_chunk(json!({"video": {"uri": "https://x.example"}})));
        fires(
            &SOURCE_KIND,
            &with_chunk(json!({"web": {"uri": "https://x.example"}, "maps": {"title": "t"}})),
        );
        silent(&SOURCE_KIND, &with_chunk(json!({"web": {"uri": "https://x.example"}, "maps": null})));
    }
}
