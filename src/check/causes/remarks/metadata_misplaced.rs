//! Metadata in another place than documented.

rule!(METADATA_MISPLACED {
    id: "metadata-misplaced",
    group: Stream,
    severity: Note,
    summary: "grounding metadata stands beside the candidates, not in one",
    help: "readers that look in the candidate find none; here it counts",
    explain: r#"Grounding metadata stands beside the candidates instead of in one of them. Some gateways put it
there. Code that looks in the candidate, as documented, finds no citations and says nothing.

It is known by the path. Here it counts for the first candidate.

Before, what is sent:

```json
{"candidates": [{"content": {"parts": [{"text": "Rio opens at nine."}]}, "finishReason": "STOP"}],
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."}, "groundingChunkIndices": [0]}]}}
```

After:

```json
{"candidates": [{"content": {"parts": [{"text": "Rio opens at nine."}]},
   "finishReason": "STOP",
   "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
    "groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."}, "groundingChunkIndices": [0]}]}}]}
```

What to do: look in both places, or ask the gateway to keep the response as it is.
"#,
});

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{silent, whole};

    #[test]
    fn metadata_in_its_candidate_is_left_alone() {
        silent(&METADATA_MISPLACED, &whole("Fine"));
    }
}
