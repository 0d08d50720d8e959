//! Two lists that number the same sources differently.

rule!(SOURCE_ORDER {
    id: "source-order",
    group: Sources,
    severity: Warning,
    summary: "two lists number the sources differently",
    help: "see which list the numbers in the text were written for",
    explain: r#"Marks such as `[1]` in the text count the list of sources beside it, and two such lists came:
`citations` with the addresses, `search_results` with the titles. Both hold the same pages, in
different orders, so that a number names one page in one list and another page in the other. Who
sorts one of them on the way, or joins those of two searches, breaks the citations without a trace.

It is known by the addresses, apart from what one list has alone where no mark is moved by it;
numbers are read by `citations`.
A list that comes later in a stream, in the place of one with other pages, is told, too: numbers
are read by the later one. So it looks where a second answer stands behind one that broke off. An
annotation beside the list that names another page than the mark at its place is told as well,
and so is a list that the answer itself ends with, where it numbers the same pages otherwise.

Before, what is sent:

```json
{"object": "chat.completion", "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant",
   "content": "Rio opens at nine [1]. It closes at ten [2]."}}],
 "citations": ["https://rio.example/hours", "https://rio.example/night"],
 "search_results": [{"title": "Night", "url": "https://rio.example/night"},
   {"title": "Hours", "url": "https://rio.example/hours"}]}
```

After:

```json
{"object": "chat.completion", "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant",
   "content": "Rio opens at nine [1]. It closes at ten [2]."}}],
 "citations": ["https://rio.example/hours", "https://rio.example/night"],
 "search_results": [{"title": "Hours", "url": "https://rio.example/hours"},
   {"title": "Night", "url": "https://rio.example/night"}]}
```

What to do: compare the marked words with both pages; keep the lists in the order in which
they came.
"#,
});

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{fires, silent};

    #[test]
    fn a_later_list_of_a_stream_is_told_where_it_has_other_pages() {
        let sent = |first: &str, next: &str| {
            let frame = |words: &str, lists: &str| {
                format!(
                    r#"{{"choices": [{{"index": 0, "delta": {{"role": "assistant", "content": "{words}"}}}}], {lists}}}"#
                )
            };
            format!("data: {}\n\ndata: {}\n\n", frame("Old [1].", first), frame(" Red [1].", next))
        };
        let (a, b) = (r#""citations": ["https://a.example/"]"#, r#""citations": ["https://b.example/"]"#);
        let both = r#""citations": ["https://a.example/", "https://b.example/"]"#;
        let found = |uri: &str| format!(r#""search_results": [{{"title": "T", "url": "{uri}"}}]"#);
        fires(&SOURCE_ORDER, &sent(a, b));
        fires(&SOURCE_ORDER, &sent(b, both));
        fires(&SOURCE_ORDER, &sent(&found("https://a.example/"), &found("https://b.example/")));
        for (first, next) in [(a, a), (a, both), (both, a), (a, r#""citations": []"#)] {
            silent(&SOURCE_ORDER, &sent(first, next));
        }
    }

    #[test]
    fn a_later_list_of_documents_is_told_where_it_has_others() {
        let sent = |next: &str| {
            let frame = |words: &str, context: &str| {
                format!(
                    r#"{{"choices": [{{"index": 0, "delta": {{"role": "assistant", "content": "{words}", "context": {context}}}}}]}}"#
                )
            };
            let first = r#"{"citations": [{"title": "A", "url": "https://a.example/"}], "intent": "[]"}"#;
            format!("data: {}\n\ndata: {}\n\n", frame("Old [doc1].", first), frame(" Red [doc1].", next))
        };
        fires(&SOURCE_ORDER, &sent(r#"{"citations": [{"title": "B", "url": "https://b.example/"}]}"#));
        silent(&SOURCE_ORDER, &sent(r#"{"citations": [{"title": "A", "url": "https://a.example/"}]}"#));
        silent(&SOURCE_ORDER, &sent("{}"));
    }

    #[test]
    fn what_one_list_has_alone_changes_no_order() {
        let sent = |results: &[&str]| {
            let entry = |uri: &&str| format!(r#"{{"title": "T", "url": "{uri}"}}"#);
            let results = results.iter().map(entry).collect::<Vec<_>>().join(",");
            format!(
                r#"{{"object": "chat.completion", "choices": [{{"index": 0, "message": {{"role": "assistant", "content": "Old [1]. Red [2]."}}}}],
                "citations": ["https://a.example/", "https://b.example/", "https://c.example/"], "search_results": [{results}]}}"#
            )
        };
        let [a, b, c] = ["https://a.example/", "https://b.example/", "https://c.example/"];
        silent(&SOURCE_ORDER, &sent(&[a, b, c]));
        silent(&SOURCE_ORDER, &sent(&["", a, "https://d.example/", c]));
        silent(&SOURCE_ORDER, &sent(&[a, a, b]));
        fires(&SOURCE_ORDER, &sent(&[a, c, b]));
        fires(&SOURCE_ORDER, &sent(&[b, "", a]));
        let one =
            |results: &[&str]| sent(results).replace(r#", "https://b.example/", "https://c.example/""#, "");
        fires(&SOURCE_ORDER, &one(&[b, a]));
        silent(&SOURCE_ORDER, &one(&[a, b]));
    }
}
