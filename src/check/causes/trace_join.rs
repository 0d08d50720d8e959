//! Citations whose trace was not found by its id.

use crate::check::Finding;
use crate::check::finding::{on_supports, supports_where};
use crate::model::{Citation, Join, Target, Trace, TraceRole};
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

rule!(TRACE_AMBIGUOUS {
    id: "trace-ambiguous",
    group: Traces,
    severity: Note,
    summary: "several audited steps have the id that a reference names",
    help: "the nearest before the reference is taken",
    explain: r#"A reference names the step that found its document by an id, and several steps before it have
that id, often because it is the name of a tool that was called again. The nearest step before the
reference is meant, and taken. Where it did not return the document, trace-mismatch says which did.

It is known by comparing the ids.

Before, what is sent:

```sse
data: {"chat_id": "c1", "message": {"type": "AUDIT", "audit_traces": [{"tool_id": "calendar", "title": "Calendar of May", "content": "5 May"}, {"tool_id": "calendar", "title": "Calendar of June", "content": "6 June"}]}}

data: {"chat_id": "c1", "message": {"type": "ANSWER", "content": "The call is on 6 June ."}}

data: {"chat_id": "c1", "message": {"type": "GROUNDING", "references": [{"start": 0, "end": 22, "tool_name": "calendar", "audit_id": "calendar", "source": null}]}}

data: {"chat_id": "c1", "message": {"type": "COMPLETE"}}
```

After:

```sse
data: {"chat_id": "c1", "message": {"type": "AUDIT", "audit_traces": [{"tool_id": "call-1", "title": "Calendar of May", "content": "5 May"}, {"tool_id": "call-2", "title": "Calendar of June", "content": "6 June"}]}}

data: {"chat_id": "c1", "message": {"type": "ANSWER", "content": "The call is on 6 June ."}}

data: {"chat_id": "c1", "message": {"type": "GROUNDING", "references": [{"start": 0, "end": 22, "tool_name": "calendar", "audit_id": "call-2", "source": null}]}}

data: {"chat_id": "c1", "message": {"type": "COMPLETE"}}
```

What to do: give each call an id of its own, or keep the order of the messages.
"#,
});

rule!(TRACE_MISMATCH {
    id: "trace-mismatch",
    group: Traces,
    severity: Warning,
    summary: "the audited step that a reference names did not return its document",
    help: "the reference names the wrong step, or the audit is not complete",
    explain: r#"A reference names the step that found its document, and that step returned other documents, not
this one. Where another step returned it, it is named. A reader who follows the reference to its
search sees one that did not find the source.

It is known by comparing the document with the results of the step.

Before, what is sent:

```sse
data: {"chat_id": "c1", "message": {"type": "AUDIT", "audit_traces": [{"tool_id": "t1", "title": "Search", "query": {"text": "margin"}, "results": [{"type": "CQS", "values": [{"id": "A1", "hd": "Q2 report"}]}]}, {"tool_id": "t2", "title": "Search", "query": {"text": "call"}, "results": [{"type": "CQS", "values": [{"id": "B2", "hd": "Q3 call"}]}]}]}}

data: {"chat_id": "c1", "message": {"type": "ANSWER", "content": "The margin rose to 31 percent ."}}

data: {"chat_id": "c1", "message": {"type": "GROUNDING", "references": [{"start": 0, "end": 30, "tool_name": "search", "audit_id": "t2", "source": {"id": "A1", "hd": "Q2 report"}}]}}

data: {"chat_id": "c1", "message": {"type": "COMPLETE"}}
```

After:

```sse
data: {"chat_id": "c1", "message": {"type": "AUDIT", "audit_traces": [{"tool_id": "t1", "title": "Search", "query": {"text": "margin"}, "results": [{"type": "CQS", "values": [{"id": "A1", "hd": "Q2 report"}]}]}, {"tool_id": "t2", "title": "Search", "query": {"text": "call"}, "results": [{"type": "CQS", "values": [{"id": "B2", "hd": "Q3 call"}]}]}]}}

data: {"chat_id": "c1", "message": {"type": "ANSWER", "content": "The margin rose to 31 percent ."}}

data: {"chat_id": "c1", "message": {"type": "GROUNDING", "references": [{"start": 0, "end": 30, "tool_name": "search", "audit_id": "t1", "source": {"id": "A1", "hd": "Q2 report"}}]}}

data: {"chat_id": "c1", "message": {"type": "COMPLETE"}}
```

What to do: find out which step is meant; the document itself is not in question.
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
    let inferred = |citation: &Citation| citation.joined().is_some_and(|joined| !joined.is_by_id());
    report(&TRACE_INFERRED, inferred, "joined to a trace by the tool's name or by the document it found");
    let ambiguous = |citation: &Citation| citation.joined() == Some(Join::Nearest);
    report(&TRACE_AMBIGUOUS, ambiguous, "with an id that several steps have: the nearest before is taken");
    let behind = |citation: &Citation| citation.joined() == Some(Join::First);
    let words = "with an id that several steps have, none of them before it: the first behind is taken";
    report(&TRACE_AMBIGUOUS, behind, words);
    mismatched(review, found);
}

/// Supports whose step, named by its id, returned documents, and not theirs.
fn mismatched(review: &Review, found: &mut Vec<Finding>) {
    let traces = &review.response.traces;
    let returned =
        |trace: &Trace, source: usize| trace.results.iter().any(|result| result.source == Some(source));
    let wrong = |citation: &Citation| {
        let named = citation.audit().is_some() && citation.joined().is_none_or(Join::is_by_id);
        let trace = traces.get(citation.trace().filter(|_| named)?)?;
        let Target::Source(source) = citation.target else { return None };
        let documents = trace.role == TraceRole::FoundNothing
            || trace.results.iter().any(|result| result.source.is_some());
        (documents && !returned(trace, source)).then_some(source)
    };
    let supports =
        supports_where(&review.response, |support| support.citations.iter().any(|c| wrong(c).is_some()));
    let first = supports.first().and_then(|&first| review.response.supports.get(first));
    let cited = first
        .and_then(|support| support.citations.iter().find_map(|citation| Some((citation, wrong(citation)?))));
    let Some((citation, source)) = cited else { return };
    let step = citation.trace().unwrap_or_default() + 1;
    let instead = traces.iter().position(|trace| returned(trace, source));
    let instead = instead.map_or_else(|| "no step did".to_owned(), |other| format!("step {} did", other + 1));
    found.extend(on_supports(&TRACE_MISMATCH, review, supports, |supports| {
        let lead = match supports {
            [only] => format!("support {}: its step {step}", only + 1),
            _ => format!("{}: of the first, step {step}", counted(supports.len(), "support")),
        };
        format!("{lead} did not return [{}]; {instead}", source + 1)
    }));
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
        silent(&TRACE_AMBIGUOUS, &named);
        silent(&TRACE_MISMATCH, &named);
        silent(&TRACE_INFERRED, &named);
    }
}
