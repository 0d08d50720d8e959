//! A stream that ends with an error.

use crate::check::causes::outcome::ANSWER_FAILED;

rule!(STREAM_ERROR {
    id: "stream-error",
    group: Stream,
    severity: Error,
    supersedes: &[&ANSWER_FAILED],
    summary: "the stream ended with an error",
    help: "the service gave up; its message is shown",
    explain: r#"The service ended the stream with an error, or reported one instead of a response. What came
before is shown; it is not the whole answer.

It is known by the message that the service sent. It is quoted.

Before, what is sent:

```sse
data: {"chat_id": "c1", "message": {"type": "ANSWER", "content": "The margin "}}

data: {"chat_id": "c1", "message": {"type": "ERROR", "error": "upstream timed out"}}
```

After:

```sse
data: {"chat_id": "c1", "message": {"type": "ANSWER", "content": "The margin rose."}}

data: {"chat_id": "c1", "message": {"type": "COMPLETE"}}
```

What to do: ask again; offsets of one stream do not fit the text of another.
"#,
});

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::check::testing::{Stream, complete, fires, silent};

    #[test]
    fn an_error_of_the_stream_is_not_reported_as_a_failed_answer_too() {
        let failed = Stream::of(&[&json!({"type": "ERROR", "error": "gone"})]);
        fires(&STREAM_ERROR, &failed);
        silent(&ANSWER_FAILED, &failed);
        silent(&STREAM_ERROR, &complete());
    }
}
