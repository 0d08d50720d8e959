//! A step or a tool that failed.

use crate::check::Finding;
use crate::review::Review;

rule!(STEP_FAILED {
    id: "step-failed",
    group: Traces,
    severity: Note,
    summary: "a step or a tool failed",
    help: "the answer may lack what it would have found",
    explain: r#"A step on the way to the answer failed: a tool returned an error, a search did not come back,
code did not run. The answer may rest on less than it seems. Services often try again, so a
failure alone is no fault of the answer.

It is known by the state or the error that the service reports for the step.

Before, what is sent:

```json
{"answerText": "Rio opens at nine.",
 "steps": [{"state": "FAILED", "description": "Search the city pages"}]}
```

After:

```json
{"answerText": "Rio opens at nine.",
 "steps": [{"state": "SUCCEEDED", "description": "Search the city pages"}]}
```

What to do: look at the step: what was asked, and whether another one found it.
"#,
});

pub(super) fn check(review: &Review, found: &mut Vec<Finding>) {
    for (index, trace) in review.response.traces.iter().enumerate() {
        if trace.failed || trace.error.is_some() {
            let state = trace.state.as_deref().map(|state| format!("state {state}"));
            let what = trace.error.as_deref().or(state.as_deref()).unwrap_or("failed");
            let message = format!("{}: {what}", trace.name());
            found.push(Finding::new(&STEP_FAILED, &trace.origin, message).trace(index));
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::check::testing::{fires, silent};

    #[test]
    fn a_step_that_succeeded_or_goes_on_has_not_failed() {
        let step = |state: &str| json!({"answerText": "Hi", "steps": [{"state": state}]}).to_string();
        fires(&STEP_FAILED, &step("FAILED"));
        silent(&STEP_FAILED, &step("SUCCEEDED"));
        silent(&STEP_FAILED, &step("IN_PROGRESS"));
    }
}
