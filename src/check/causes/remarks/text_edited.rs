//! A last text that differs from its pieces.

rule!(TEXT_EDITED {
    id: "text-edited",
    group: Stream,
    severity: Warning,
    summary: "the final text differs from the pieces sent before",
    help: "offsets of the pieces may not fit it",
    explain: r#"The last message of the stream carries the whole answer, and it is not what the pieces before it
make when joined. It replaces them. Offsets that came with the pieces count over the earlier
text.

It is known by comparing the two. The same is said where text comes behind the event that ends its
stream: a piece that came twice, or late, stands where nothing says that it belongs.

Before, what is sent:

```json
[{"answer": {"name": "a/1", "state": "STREAMING", "answerText": "Rio opens "}},
 {"answer": {"name": "a/1", "state": "STREAMING", "answerText": "at nine."}},
 {"answer": {"name": "a/1", "state": "SUCCEEDED", "answerText": "The Rio opens at nine."}}]
```

After:

```json
[{"answer": {"name": "a/1", "state": "STREAMING", "answerText": "Rio opens "}},
 {"answer": {"name": "a/1", "state": "STREAMING", "answerText": "at nine."}},
 {"answer": {"name": "a/1", "state": "SUCCEEDED", "answerText": "Rio opens at nine."}}]
```

What to do: use the last message and its citations, nothing of the earlier ones.
"#,
});

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{complete, silent};

    #[test]
    fn pieces_that_make_the_text_are_left_alone() {
        silent(&TEXT_EDITED, &complete());
    }
}
