//! Required fields that are missing.

rule!(FIELD_MISSING {
    id: "field-missing",
    group: Stream,
    severity: Note,
    summary: "a required field is missing",
    help: "documented as required",
    explain: r#"A field that is documented as required is not there. Readers that rely on it fail; here the
response is shown without it.

It is known by the format's documentation: an event needs its author, its invocation and its
time.

Before, what is sent:

```json
{"author": "guide",
 "invocationId": "i1",
 "content": {"role": "model", "parts": [{"text": "Rio opens at nine."}]}}
```

After:

```json
{"author": "guide",
 "invocationId": "i1",
 "timestamp": 1,
 "content": {"role": "model", "parts": [{"text": "Rio opens at nine."}]}}
```

What to do: send events as they come from the service.
"#,
});

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::check::testing::{event, fires, silent};

    #[test]
    fn an_event_that_lacks_nothing_is_left_alone() {
        fires(&FIELD_MISSING, &event(json!({})).replace("\"timestamp\":1", "\"branch\":\"b\""));
        silent(&FIELD_MISSING, &event(json!({})));
    }
}
