//! An answer without words, and nothing that says why.

use super::ungrounded::UNGROUNDED;
use crate::check::Finding;
use crate::check::context::Siblings;
use crate::model::{AnswerState, Ending, NoticeKind, Part, RemarkKind, Response};

rule!(ANSWER_EMPTY {
    id: "answer-empty",
    group: Answer,
    severity: Warning,
    supersedes: &[&UNGROUNDED],
    summary: "the answer has no text, and no filter, limit or failure is named",
    help: "ask again; a limit on tokens that thoughts used up is a common cause",
    explain: r#"The response is complete, reports no failure, no filter and no limit, and its answer has no text.
There is nothing to show, and what metadata it has belongs to nothing.

It is known by the text. A response that calls a tool is not finished and not meant, nor one that
answers in a schema, nor a service whose answer stands in the request.

Before, what is sent:

```json
{"candidates": [{"content": {"role": "model"}, "finishReason": "STOP", "groundingMetadata": {}}]}
```

After:

```json
{"candidates": [{"content": {"parts": [{"text": "Rio opens at nine."}], "role": "model"},
   "finishReason": "STOP", "groundingMetadata": {}}]}
```

What to do: ask again, with more tokens if the model thinks.
"#,
});

/// An event that brings the metadata of another one of its invocation is no answer of its own.
pub(super) fn check(siblings: &Siblings, item: usize, found: &mut Vec<Finding>) {
    let Some(review) = siblings.reviews.get(item) else { return };
    let response = &review.response;
    let answered = || {
        let invocation = response.about.invocation.as_deref();
        invocation.is_some_and(|invocation| siblings.is_answered(invocation))
    };
    if response.text().trim().is_empty() && is_unexplained(response) && !answered() {
        let steps = response.traces.len();
        let finish = response
            .finish
            .as_deref()
            .filter(|finish| !matches!(*finish, "STOP" | "FINISH_REASON_UNSPECIFIED"));
        let message = match (finish, steps) {
            (Some(finish), _) => format!("the answer has no text; the model stopped with {finish}"),
            (None, 0) => "the answer has no text".to_owned(),
            (None, _) => format!("{} and no text of an answer", crate::text::counted(steps, "step")),
        };
        found.push(Finding::new(&ANSWER_EMPTY, &response.origin, message));
    }
}

/// Whether nothing else says why there is no text.
fn is_unexplained(response: &Response) -> bool {
    let about = &response.about;
    let long = response.traces.iter().any(|trace| trace.state.as_deref() == Some("long-running"));
    // Supports back words of an answer, also beside a call.
    let calls = response.parts.contains(&Part::Other) && response.supports.is_empty()
        || !about.long_running.is_empty()
        || long;
    let piece = response.remarks.iter().any(|remark| {
        matches!(remark.kind, RemarkKind::Fragment | RemarkKind::Truncated | RemarkKind::Error)
            || remark.notice == Some(NoticeKind::StrayLines)
    });
    let blocked = about.blocked.is_some() || about.safety.iter().any(|rating| rating.blocked == Some(true));
    let other = about.structured.is_some() || !about.charts.is_empty();
    response.state == AnswerState::Complete
        && response.ending == Ending::Own
        && about.skipped.is_empty()
        && about.interrupted != Some(true)
        && !(response.is_question() || response.partial || response.facts.answer_apart)
        && !(calls || piece || blocked || other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{fires, silent, whole};

    #[test]
    fn a_call_of_a_tool_and_a_reason_are_no_empty_answer() {
        let empty = r#"{"candidates": [{"content": {"role": "model"}, "finishReason": "STOP"}]}"#;
        fires(&ANSWER_EMPTY, empty);
        silent(&UNGROUNDED, empty);
        silent(&ANSWER_EMPTY, &whole("Nine."));
        silent(&ANSWER_EMPTY, &empty.replace("STOP", "IMAGE_SAFETY"));
        let named = crate::check::testing::reported(&empty.replace("STOP", "MALFORMED_FUNCTION_CALL"));
        assert_eq!(
            named,
            ["answer-empty the answer has no text; the model stopped with MALFORMED_FUNCTION_CALL"]
        );
        let call = r#"{"candidates": [{"content": {"parts": [{"functionCall": {"name": "f", "args": {}}}]},
            "finishReason": "STOP"}]}"#;
        let lost = r#"{"candidates": [{"content": {"parts": [{}]}, "finishReason": "STOP", "groundingMetadata": {
            "groundingSupports": [{"segment": {"endIndex": 5, "text": "Nine."}, "groundingChunkIndices": [0]}],
            "groundingChunks": [{"web": {"uri": "https://a.example/", "title": "A"}}]}}]}"#;
        silent(&ANSWER_EMPTY, call);
        fires(&ANSWER_EMPTY, lost);
        silent(&ANSWER_EMPTY, r#"{"supportScore": 0.5, "citedChunks": []}"#);
    }
}
