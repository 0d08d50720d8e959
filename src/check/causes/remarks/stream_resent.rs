//! Grounding metadata that comes again.

rule!(STREAM_RESENT {
    id: "stream-resent",
    group: Stream,
    severity: Note,
    summary: "grounding metadata was sent more than once",
    help: "what was repeated counts once",
    explain: r#"Grounding metadata came more than once in a stream, and the later one begins with all that was
there before. It is the same sent again. Appended, it would double the sources and shift every
index behind them.

It is known by comparing the sources one by one. Metadata with other sources is a continuation:
it is appended, and not told.

Before, what is sent:

```sse
data: {"candidates": [{"content": {"parts": [{"text": "Rio opens "}]}, "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}]}}], "responseId": "r1"}

data: {"candidates": [{"content": {"parts": [{"text": "at nine."}]}, "finishReason": "STOP", "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}], "groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."}, "groundingChunkIndices": [0]}]}}], "responseId": "r1"}
```

After:

```sse
data: {"candidates": [{"content": {"parts": [{"text": "Rio opens "}]}}], "responseId": "r1"}

data: {"candidates": [{"content": {"parts": [{"text": "at nine."}]}, "finishReason": "STOP", "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}], "groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."}, "groundingChunkIndices": [0]}]}}], "responseId": "r1"}
```

What to do: append only what is new.
"#,
});

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{complete, silent};

    #[test]
    fn metadata_that_came_once_is_left_alone() {
        silent(&STREAM_RESENT, &complete());
    }
}
