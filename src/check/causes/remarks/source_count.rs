//! Numbers of sources that may count from 0 or from 1.

rule!(SOURCE_COUNT {
    id: "source-count",
    group: Sources,
    severity: Warning,
    summary: "whether sources are counted from 0 or from 1 does not show",
    help: "`count_from` in a map says it; ids in the sources leave no doubt",
    explain: r#"Spans of a JSON of one's own name their sources by number, and neither is one of them 0 nor is
one the number of the sources. Counted from 0 they name one source, counted from 1 the one before
it: each is there, and one of them is wrong.

It is known by the numbers. With a 0 among them they count from 0, with the number of the sources
from 1. Where nothing tells they are read as from 0.

Before, what is sent:

```json
{"text": "Rio opens at nine. It closes at ten.",
 "spans": [{"start": 0, "end": 18, "sources": [1]}, {"start": 19, "end": 36, "sources": [2]}],
 "sources": [{"url": "https://rio.example/hours"}, {"url": "https://rio.example/night"},
   {"url": "https://lima.example/"}]}
```

After:

```json
{"text": "Rio opens at nine. It closes at ten.",
 "spans": [{"start": 0, "end": 18, "sources": ["hours"]}, {"start": 19, "end": 36, "sources": ["night"]}],
 "sources": [{"id": "hours", "url": "https://rio.example/hours"}, {"id": "night", "url": "https://rio.example/night"},
   {"id": "lima", "url": "https://lima.example/"}]}
```

What to do: write a map with `count_from = 0` or `count_from = 1` below `[spans]`, or send ids.
"#,
});

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{fires, silent};

    #[test]
    fn a_number_that_tells_from_where_they_count_leaves_no_doubt() {
        let sent = |one: &str, other: &str| {
            format!(
                r#"{{"text": "Rio opens. It closes.", "spans": [{{"start": 0, "end": 10, "sources": [{one}]}}, {{"start": 11, "end": 21, "sources": [{other}]}}],
                "sources": [{{"url": "https://a.example/"}}, {{"url": "https://b.example/"}}, {{"url": "https://c.example/"}}]}}"#
            )
        };
        fires(&SOURCE_COUNT, &sent("1", "2"));
        fires(&SOURCE_COUNT, &sent("\"1\"", "\"2\""));
        silent(&SOURCE_COUNT, &sent("0", "2"));
        silent(&SOURCE_COUNT, &sent("1", "3"));
        silent(&SOURCE_COUNT, &sent("\"https://a.example/\"", "\"https://b.example/\""));
    }
}
