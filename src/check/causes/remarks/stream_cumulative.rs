//! Pieces that repeat the text so far.

rule!(STREAM_CUMULATIVE {
    id: "stream-cumulative",
    group: Stream,
    severity: Note,
    summary: "each chunk repeats the whole text so far",
    help: "a proxy joined the chunks; the last one is shown",
    explain: r#"Each piece of the stream repeats the whole text so far. Some proxies do this. Joined as
documented, the answer would hold its own beginning many times, and no offset would fit.

It is known by comparing neighbours: three pieces or more, each of which begins with the one
before. The last one is shown.

Before, what is sent:

```sse
data: {"candidates": [{"content": {"parts": [{"text": "Rio"}]}}], "responseId": "r1"}

data: {"candidates": [{"content": {"parts": [{"text": "Rio opens"}]}}], "responseId": "r1"}

data: {"candidates": [{"content": {"parts": [{"text": "Rio opens at nine."}]}, "finishReason": "STOP"}], "responseId": "r1"}
```

After:

```sse
data: {"candidates": [{"content": {"parts": [{"text": "Rio"}]}}], "responseId": "r1"}

data: {"candidates": [{"content": {"parts": [{"text": " opens"}]}}], "responseId": "r1"}

data: {"candidates": [{"content": {"parts": [{"text": " at nine."}]}, "finishReason": "STOP"}], "responseId": "r1"}
```

What to do: take the last piece, or leave the proxy out.
"#,
});

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Stream, silent};

    #[test]
    fn one_piece_of_text_is_not_cumulative() {
        let Stream { answer, end, .. } = Stream::new();
        silent(&STREAM_CUMULATIVE, &Stream::of(&[&answer, &end]));
    }
}
