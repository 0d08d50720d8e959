//! What looks like citations of one's own JSON and is not read.

rule!(CITATIONS_UNREAD {
    id: "citations-unread",
    group: Sources,
    severity: Warning,
    summary: "what looks like citations is not read",
    help: "a map says where things stand: `citescope map --init` proposes one",
    explain: r#"A JSON of one's own is read by the names of its keys. One of them is called as citations are, and
in its elements nothing is called as a place in the answer is (a beginning and an end, or its words
with the sources behind them), nothing as what a claim rests on, or the words stand nowhere in the
answer. Of two such lists one is read. The answer is shown as if it cited nothing, or less. So it is
where citations of one's own stand in a message of a service, at a place where that sends none.

It is known by the names of the keys.

Before, what is sent:

```json
{"text": "Rio opens at nine.",
 "citations": [{"where": "0..18", "hit": "hours"}],
 "sources": [{"id": "hours", "url": "https://rio.example/hours"}]}
```

After:

```json
{"text": "Rio opens at nine.",
 "citations": [{"start": 0, "end": 18, "source": "hours"}],
 "sources": [{"id": "hours", "url": "https://rio.example/hours"}]}
```

What to do: write a map, or send a beginning and an end under these names.
"#,
});

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{fires, silent};

    #[test]
    fn citations_that_are_read_or_are_none_are_left_alone() {
        let sent = |citations: &str| {
            format!(
                r#"{{"text": "Rio opens.", "citations": {citations}, "sources": [{{"id": "a", "text": "Rio"}}]}}"#
            )
        };
        fires(&CITATIONS_UNREAD, &sent(r#"[{"at": "0..10", "hit": "a"}]"#));
        silent(&CITATIONS_UNREAD, &sent(r#"[{"start": 0, "end": 10, "source": "a"}]"#));
        fires(&CITATIONS_UNREAD, &sent(r#"[{"start": 0, "end": 10, "hit": "a"}]"#));
        silent(&CITATIONS_UNREAD, &sent("[]"));
        silent(&CITATIONS_UNREAD, &sent(r#"["a"]"#));
        fires(&CITATIONS_UNREAD, &sent(r#""[{\"start\": 0, \"end\": 10, \"source\": \"a\"}]""#));
        fires(&CITATIONS_UNREAD, &sent(r#"["{\"start\": 0, \"end\": 10, \"source\": \"a\"}"]"#));
        silent(&CITATIONS_UNREAD, &sent(r#""[1] and [2]""#));
    }
}
