//! Pieces of a response.

rule!(FRAGMENT {
    id: "fragment",
    group: Stream,
    severity: Note,
    summary: "a piece of a response",
    help: "give the whole response, or the answer text with --answer",
    explain: r#"This is a piece of a response: metadata, supports or chunks alone, as reference pages show them.
It is read, but without the answer no offset can be tested.

It is known by the keys: those of a part, without those of the whole.

Before, what is sent:

```json
{"groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."}, "groundingChunkIndices": [0]}]}
```

After:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."}, "groundingChunkIndices": [0]}]}}
```

What to do: give the whole response, or the answer's text with --answer FILE.
"#,
});

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{fires, silent, whole};

    #[test]
    fn metadata_alone_is_a_fragment() {
        fires(&FRAGMENT, r#"{"groundingSupports": [{"segment": {"endIndex": 4, "text": "Fine"}}]}"#);
        silent(&FRAGMENT, &whole("Fine"));
    }
}
