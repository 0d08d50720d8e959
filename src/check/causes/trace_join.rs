//! Citations whose trace was not found by its id.

use crate::check::Finding;
use crate::check::finding::{on_supports, supports_where};
use crate::model::Citation;
use crate::review::Review;
use crate::text::counted;

rule!(TRACE_MISSING {
    id: "trace-missing",
    group: Traces,
    severity: Warning,
    summary: "an audit id matches no trace",
    help: "the step that found the source is not in the response",
    explain: r#"A reference names the step that found its source, and no such step is in the response. What was
asked for and what came back cannot be shown for it.

It is known by joining: by id, else by the tool's name, else by the document that a step found.
None of them led anywhere.

Before, what is sent:

```sse
data: {"chat_id": "c1", "message": {"type": "ANSWER", "content": "The margin rose to 31 percent ."}}

data: {"chat_id": "c1", "message": {"type": "GROUNDING", "references": [{"start": 0, "end": 30, "tool_name": "search", "audit_id": "t1", "source": {"id": "A1", "hd": "Q2 report"}}]}}

data: {"chat_id": "c1", "message": {"type": "COMPLETE"}}
```

After:

```sse
data: {"chat_id": "c1", "message": {"type": "AUDIT", "audit_traces": [{"tool_id": "t1", "title": "Search", "query": {"text": "margin"}, "results": [{"type": "CQS", "values": [{"id": "A1", "hd": "Q2 report"}]}]}]}}

data: {"chat_id": "c1", "message": {"type": "ANSWER", "content": "The margin rose to 31 percent ."}}

data: {"chat_id": "c1", "message": {"type": "GROUNDING", "references": [{"start": 0, "end": 30, "tool_name": "search", "audit_id": "t1", "source": {"id": "A1", "hd": "Q2 report"}}]}}

data: {"chat_id": "c1", "message": {"type": "COMPLETE"}}
```

What to do: keep the audit messages of the stream together with the answer.
"#,
});

rule!(TRACE_INFERRED {
    id: "trace-inferred",
    group: Traces,
    severity: Note,
    summary: "traces were joined by something other than their id",
    help: "audit ids are often opaque; the rule that joined is shown beside the citation",
    explain: r#"A reference was joined to its step by something other than the id it names, since that id
matches no step. The service documents them to be equal; in practice the id is often opaque
while the step carries the tool's name. The citation itself is not in doubt.

It is known by the rule that made the join, which is shown beside the citation.

Before, what is sent:

```sse
data: {"chat_id": "c1", "message": {"type": "AUDIT", "audit_traces": [{"tool_id": "search", "title": "Search", "query": {"text": "margin"}, "results": [{"type": "CQS", "values": [{"id": "A1", "hd": "Q2 report"}]}]}]}}

data: {"chat_id": "c1", "message": {"type": "ANSWER", "content": "The margin rose to 31 percent ."}}

data: {"chat_id": "c1", "message": {"type": "GROUNDING", "references": [{"start": 0, "end": 30, "tool_name": "search", "audit_id": "toolu_9f3", "source": {"id": "A1", "hd": "Q2 report"}}]}}

data: {"chat_id": "c1", "message": {"type": "COMPLETE"}}
```

After:

```sse
data: {"chat_id": "c1", "message": {"type": "AUDIT", "audit_traces": [{"tool_id": "toolu_9f3", "title": "Search", "query": {"text": "margin"}, "results": [{"type": "CQS", "values": [{"id": "A1", "hd": "Q2 report"}]}]}]}}

data: {"chat_id": "c1", "message": {"type": "ANSWER", "content": "The margin rose to 31 percent ."}}

data: {"chat_id": "c1", "message": {"type": "GROUNDING", "references": [{"start": 0, "end": 30, "tool_name": "search", "audit_id": "toolu_9f3", "source": {"id": "A1", "hd": "Q2 report"}}]}}

data: {"chat_id": "c1", "message": {"type": "COMPLETE"}}
```

What to do: join by id first, then by the tool's name, then by the document.
"#,
});

pub(super) fn check(review: &Review, found: &mut Vec<Finding>) {
    let mut report = |rule, test: fn(&Citation) -> bool, words: &str| {
        let supports = supports_where(&review.response, |support| support.citations.iter().any(test));
        found.extend(on_supports(rule, review, supports, |supports| {
            format!("{} {words}", counted(supports.len(), "support"))
        }));
    };
    let missing = |citation: &Citation| citation.audit().is_some() && citation.trace().is_none();
    report(&TRACE_MISSING, missing, "with an audit id that matches no trace");
    let inferred = |citation: &Citation| citation.joined().is_some();
    report(&TRACE_INFERRED, inferred, "joined to a trace by the tool's name or by the document it found");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Stream, fires, silent};

    #[test]
    fn a_trace_of_the_id_is_neither_missing_nor_inferred() {
        let Stream { audit, answer, reference, unnamed, end } = Stream::new();
        let other = Stream::reference("x", 30);
        fires(&TRACE_MISSING, &Stream::of(&[&answer, &other, &end]));
        fires(&TRACE_INFERRED, &Stream::of(&[&audit, &answer, &unnamed, &end]));
        let named = Stream::of(&[&audit, &answer, &reference, &end]);
        silent(&TRACE_MISSING, &named);
        silent(&TRACE_INFERRED, &named);
    }
}
