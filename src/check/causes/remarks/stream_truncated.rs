//! A stream that breaks off.

rule!(STREAM_TRUNCATED {
    id: "stream-truncated",
    group: Stream,
    severity: Error,
    summary: "the input ends before the answer does",
    help: "what came is shown; fetch the rest",
    explain: r#"The input ends before the answer does: the closing message or the reason to stop never came.
Metadata comes last in a stream, so what is missing is mostly the citations.

It is known by the end that each format documents: a finishReason, COMPLETE or ERROR. A value
that breaks off in the middle is the same cause.

Before, what is sent:

```sse
data: {"candidates": [{"content": {"parts": [{"text": "Rio opens "}]}}], "responseId": "r1"}

data: {"candidates": [{"content": {"parts": [{"text": "at nine."}]}}], "responseId": "r1"}
```

After:

```sse
data: {"candidates": [{"content": {"parts": [{"text": "Rio opens "}]}}], "responseId": "r1"}

data: {"candidates": [{"content": {"parts": [{"text": "at nine."}]}, "finishReason": "STOP"}], "responseId": "r1"}
```

What to do: ask again, and read until the connection closes.
"#,
});

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Stream, complete, fires, silent};

    #[test]
    fn a_stream_with_its_end_is_left_alone() {
        let Stream { audit, answer, .. } = Stream::new();
        fires(&STREAM_TRUNCATED, &Stream::of(&[&audit, &answer]));
        silent(&STREAM_TRUNCATED, &complete());
    }
}
