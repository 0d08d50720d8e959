//! A model that was asked again.

rule!(STREAM_RETRY {
    id: "stream-retry",
    group: Stream,
    severity: Note,
    summary: "the model was asked again",
    help: "informational",
    explain: r#"The service asked the model again in the middle of a run. The answer may begin anew behind it.
Offsets belong to one attempt only.

It is known by the service's own message.

Before, what is sent:

```sse
data: {"chat_id": "c1", "message": {"type": "LLM_RETRY", "message": "the model was busy"}}

data: {"chat_id": "c1", "message": {"type": "ANSWER", "content": "The margin rose to 31 percent ."}}

data: {"chat_id": "c1", "message": {"type": "GROUNDING", "references": [{"start": 0, "end": 30, "source": {"id": "A1", "hd": "Q2 report"}}]}}

data: {"chat_id": "c1", "message": {"type": "COMPLETE"}}
```

Nothing to repair: the service tells it for information.

What to do: nothing, unless the answer says things twice: see draft-repeated.
"#,
});

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::check::testing::{Stream, complete, fires, silent};

    #[test]
    fn a_model_that_was_asked_once_is_not_told() {
        let Stream { answer, end, .. } = Stream::new();
        let retry = json!({"type": "LLM_RETRY", "message": "again"});
        fires(&STREAM_RETRY, &Stream::of(&[&retry, &answer, &end]));
        silent(&STREAM_RETRY, &complete());
    }
}
