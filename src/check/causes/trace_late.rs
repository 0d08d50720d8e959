//! A reference that came before the step that it names, which is documented to precede it.

use crate::check::Finding;
use crate::check::finding::{on_supports, supports_where};
use crate::model::{Citation, Support};
use crate::review::Review;
use crate::text::counted;

rule!(TRACE_LATE {
    id: "trace-late",
    group: Traces,
    severity: Note,
    summary: "a reference came before the step that found its source",
    help: "documented the other way round; whoever reads the stream in order finds no step",
    explain: r#"A reference came before the step that it names. The service documents that the step precedes it.
Code that reads the stream in order and looks the step up at once finds nothing.

It is known by the order of arrival of the two messages.

Before, what is sent:

```sse
data: {"chat_id": "c1", "message": {"type": "ANSWER", "content": "The margin rose to 31 percent ."}}

data: {"chat_id": "c1", "message": {"type": "GROUNDING", "references": [{"start": 0, "end": 30, "tool_name": "search", "audit_id": "t1", "source": {"id": "A1", "hd": "Q2 report"}}]}}

data: {"chat_id": "c1", "message": {"type": "AUDIT", "audit_traces": [{"tool_id": "t1", "title": "Search", "query": {"text": "margin"}, "results": [{"type": "CQS", "values": [{"id": "A1", "hd": "Q2 report"}]}]}]}}

data: {"chat_id": "c1", "message": {"type": "COMPLETE"}}
```

After:

```sse
data: {"chat_id": "c1", "message": {"type": "AUDIT", "audit_traces": [{"tool_id": "t1", "title": "Search", "query": {"text": "margin"}, "results": [{"type": "CQS", "values": [{"id": "A1", "hd": "Q2 report"}]}]}]}}

data: {"chat_id": "c1", "message": {"type": "ANSWER", "content": "The margin rose to 31 percent ."}}

data: {"chat_id": "c1", "message": {"type": "GROUNDING", "references": [{"start": 0, "end": 30, "tool_name": "search", "audit_id": "t1", "source": {"id": "A1", "hd": "Q2 report"}}]}}

data: {"chat_id": "c1", "message": {"type": "COMPLETE"}}
```

What to do: join references to steps at the end of the stream.
"#,
});

pub(super) fn check(review: &Review, found: &mut Vec<Finding>) {
    let response = &review.response;
    let is_early = |support: &Support| {
        let named = |citation: &Citation| response.traces.get(citation.audit().and(citation.trace())?);
        support.citations.iter().filter_map(named).any(|trace| trace.origin.frame > support.origin.frame)
    };
    found.extend(on_supports(&TRACE_LATE, review, supports_where(response, is_early), |supports| {
        format!("{} sent before the step that found the source", counted(supports.len(), "support"))
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{Stream, ids, silent};

    #[test]
    fn a_reference_may_come_before_its_text() {
        let Stream { audit, answer, reference, end, .. } = Stream::new();
        assert_eq!(ids(&Stream::of(&[&audit, &answer, &reference, &end])), [""; 0]);
        assert_eq!(ids(&Stream::of(&[&audit, &reference, &answer, &end])), [""; 0]);
    }

    #[test]
    fn a_step_joined_by_the_document_is_not_the_one_named() {
        let Stream { audit, answer, unnamed, end, .. } = Stream::new();
        silent(&TRACE_LATE, &Stream::of(&[&answer, &unnamed, &audit, &end]));
    }
}
