//! There is no answer, or not the whole of it.

use crate::check::{Finding, Rule};
use crate::model::{AnswerState, Ending, RemarkKind};
use crate::review::Review;

rule!(ANSWER_SKIPPED {
    id: "answer-skipped",
    group: Answer,
    severity: Warning,
    summary: "the service chose not to answer",
    help: "the reasons are the service's",
    explain: r#"The service chose not to answer, and gives its reasons: the query is no question, out of domain,
adversarial, or nothing relevant was found. The text that is shown is a stock sentence. Classes
of the query that apply are named as the cause.

It is known by the reasons that the service sends.

Before, what is sent:

```json
{"answerText": "", "state": "SUCCEEDED", "answerSkippedReasons": ["NO_RELEVANT_CONTENT"]}
```

After:

```json
{"answerText": "Rio opens at nine.",
 "state": "SUCCEEDED",
 "citations": [{"endIndex": "18", "sources": [{"referenceId": "0"}]}],
 "references": [{"chunkInfo": {"content": "Rio opens at nine."}}]}
```

What to do: see the reason; some can be switched off in the request.
"#,
});

rule!(ANSWER_FAILED {
    id: "answer-failed",
    group: Answer,
    severity: Error,
    summary: "the answer could not be generated",
    help: "the service reports a failure",
    explain: r#"The answer could not be generated: the service reports a failure instead of a result. A batch
goes on with the next line.

It is known by the state or the error code that is sent.

Before, what is sent:

```json
{"answerText": "", "state": "FAILED"}
```

After:

```json
{"answerText": "Rio opens at nine.",
 "state": "SUCCEEDED",
 "citations": [{"endIndex": "18", "sources": [{"referenceId": "0"}]}],
 "references": [{"chunkInfo": {"content": "Rio opens at nine."}}]}
```

What to do: ask again; the service's message says more where there is one.
"#,
});

rule!(ANSWER_UNFINISHED {
    id: "answer-unfinished",
    group: Answer,
    severity: Warning,
    summary: "the answer was still being generated",
    help: "ask for the final state",
    explain: r#"The answer was still being written when this was saved: its state is streaming or in progress,
the turn is not complete, the model was interrupted, or the run was cancelled. Text and citations
may be missing.

It is known by the state at the end of the input.

Before, what is sent:

```json
{"answerText": "Rio opens", "state": "STREAMING"}
```

After:

```json
{"answerText": "Rio opens at nine.", "state": "SUCCEEDED"}
```

What to do: wait for the end, or fetch the answer again by its name.
"#,
});

rule!(ANSWER_BLOCKED {
    id: "answer-blocked",
    group: Answer,
    severity: Warning,
    summary: "the answer was blocked",
    help: "a safety filter or a policy stepped in",
    explain: r#"A filter stepped in: the prompt or the answer was held unsafe, or it recited a work. There is no
answer, or only its beginning, and no citations.

It is known by the reason to stop, the feedback on the prompt, and safety ratings that say so.

Before, what is sent:

```json
{"content": {"parts": [{"text": "Rio opens"}]}, "finishReason": "SAFETY", "groundingMetadata": {}}
```

After:

```json
{"content": {"parts": [{"text": "Rio opens at nine."}]},
 "finishReason": "STOP",
 "groundingMetadata": {}}
```

What to do: see the safety ratings in the Response pane.
"#,
});

rule!(ANSWER_CUT {
    id: "answer-cut",
    group: Answer,
    severity: Warning,
    summary: "the model ran out of tokens",
    help: "ask for more tokens: the text breaks off, and citations of the end may be missing",
    explain: r#"The model ran out of tokens. The text breaks off, and citations of its end are missing: services
attribute words after the whole text is there, so that often none come at all.

It is known by the reason to stop.

Before, what is sent:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It clo"}]},
 "finishReason": "MAX_TOKENS",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."}, "groundingChunkIndices": [0]}]}}
```

After:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 36, "text": "Rio opens at nine. It closes at ten."},
    "groundingChunkIndices": [0]}]}}
```

What to do: raise the limit, or ask for a shorter answer. Thoughts count towards the limit.
"#,
});

pub(super) fn check(review: &Review, found: &mut Vec<Finding>) {
    let response = &review.response;
    if response.is_question() {
        return;
    }
    let about = &response.about;
    let mut report =
        |rule: &'static Rule, message: String| found.push(Finding::new(rule, &response.origin, message));
    if !about.skipped.is_empty() {
        let applies = about.query_classes.iter().filter(|(_, positive)| *positive == Some(true));
        let classes: Vec<&str> = applies.map(|(class, _)| class.as_str()).collect();
        let cause = match classes[..] {
            [] => String::new(),
            _ => format!("; the query was classed as {}", classes.join(", ")),
        };
        let reasons: Vec<&str> =
            about.skipped.iter().map(|word| review.response.facts.reason(word)).collect();
        report(&ANSWER_SKIPPED, format!("no answer: {}{cause}", reasons.join("; ")));
    }
    if response.state == AnswerState::Error {
        let failure = about.error.clone().unwrap_or_default();
        let words: Vec<String> = [failure.code, failure.message].into_iter().flatten().collect();
        let nothing_said = words.is_empty();
        report(
            &ANSWER_FAILED,
            if nothing_said { "the service reports a failure".to_owned() } else { words.join(": ") },
        );
    }
    let told = response.remarks.iter().any(|remark| remark.kind == RemarkKind::Truncated);
    if about.interrupted == Some(true) {
        report(&ANSWER_UNFINISHED, "the model was interrupted".to_owned());
    } else if response.state == AnswerState::Partial
        && !response.partial
        && response.ending != Ending::Waiting
    {
        report(&ANSWER_UNFINISHED, "the answer was not complete when this was sent".to_owned());
    } else if response.state == AnswerState::Truncated && !told && response.partial {
        report(&ANSWER_UNFINISHED, "the session breaks off in the middle of this turn".to_owned());
    } else if response.state == AnswerState::Truncated && !told && response.ending == Ending::default() {
        let status = response.finish.as_deref().map(|status| format!(" ({status})")).unwrap_or_default();
        report(&ANSWER_UNFINISHED, format!("the service ended the answer before it was complete{status}"));
    }
    if response.ending == Ending::Cut {
        let finish = response.finish.as_deref().unwrap_or_default();
        let cut = format!("the model ran out of tokens ({finish})");
        report(&ANSWER_CUT, format!("{cut}: the answer breaks off, its last citations may be missing"));
    }
    let finish = response.finish.as_deref().filter(|_| response.ending == Ending::Blocked);
    let rated = about.safety.iter().any(|rating| rating.blocked == Some(true)).then_some("a safety rating");
    if let Some(reason) = about.blocked.as_deref().or(finish).or(rated) {
        report(&ANSWER_BLOCKED, format!("blocked: {reason}"));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::check::testing::{event, fires, silent, whole};

    #[test]
    fn no_answer_and_no_reason_is_not_skipped() {
        fires(&ANSWER_SKIPPED, r#"{"answerText": "", "answerSkippedReasons": ["NO_RELEVANT_CONTENT"]}"#);
        silent(&ANSWER_SKIPPED, r#"{"answerText": "Hi", "answerSkippedReasons": []}"#);
    }

    #[test]
    fn an_event_without_an_error_code_has_not_failed() {
        fires(&ANSWER_FAILED, &event(json!({"errorCode": "500", "errorMessage": "no"})));
        silent(&ANSWER_FAILED, &event(json!({"errorCode": null})));
    }

    #[test]
    fn a_piece_is_not_unfinished_and_a_turn_may_be_complete() {
        fires(&ANSWER_UNFINISHED, &event(json!({"turnComplete": false})));
        silent(&ANSWER_UNFINISHED, &event(json!({"turnComplete": true})));
        silent(&ANSWER_UNFINISHED, &event(json!({"partial": true})));
        for (status, finding) in [("cancelled", true), ("incomplete", true), ("completed", false)] {
            let sent = json!({"object": "response", "status": status, "output": [{"type": "message", "content": [{"type": "output_text", "text": "Nine."}]}]});
            (if finding { fires } else { silent })(&ANSWER_UNFINISHED, &sent.to_string());
        }
        let empty = r#"{"object": "interaction", "status": "cancelled", "steps": []}"#;
        fires(&ANSWER_UNFINISHED, empty);
    }

    #[test]
    fn an_answer_that_stopped_is_neither_cut_nor_blocked() {
        fires(&ANSWER_CUT, &whole("Nine.").replace("STOP", "MAX_TOKENS"));
        fires(&ANSWER_BLOCKED, r#"{"candidates": [], "promptFeedback": {"blockReason": "SAFETY"}}"#);
        silent(&ANSWER_CUT, &whole("Nine."));
        silent(&ANSWER_BLOCKED, &whole("Nine."));
    }
}
