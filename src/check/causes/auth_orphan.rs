//! Credentials that are asked for, for a call that is not there.

use crate::check::Finding;
use crate::check::context::Siblings;
use crate::json::Peek;
use crate::model::Response;

rule!(AUTH_ORPHAN {
    id: "auth-orphan",
    group: Traces,
    severity: Note,
    summary: "credentials are asked for, for a call that is nowhere in the session",
    help: "the call may be in an event that is missing here",
    explain: r#"An event asks for credentials for a function call by its id, and no event of the session has a call
of that id. A client that waits for the call never resumes it.

It is known by comparing the keys of requestedAuthConfigs with the ids of all calls.

Before, what is sent:

```json
{"events": [{"author": "guide", "invocationId": "i1", "timestamp": 1,
   "content": {"role": "model", "parts": [{"functionCall": {"id": "c1", "name": "calendar", "args": {}}}]}},
  {"author": "guide", "invocationId": "i1", "timestamp": 2,
   "content": {"role": "model", "parts": [{"text": "Please sign in."}]},
   "actions": {"requestedAuthConfigs": {"c2": {"authScheme": {"type": "oauth2"}}}}}]}
```

After:

```json
{"events": [{"author": "guide", "invocationId": "i1", "timestamp": 1,
   "content": {"role": "model", "parts": [{"functionCall": {"id": "c1", "name": "calendar", "args": {}}}]}},
  {"author": "guide", "invocationId": "i1", "timestamp": 2,
   "content": {"role": "model", "parts": [{"text": "Please sign in."}]},
   "actions": {"requestedAuthConfigs": {"c1": {"authScheme": {"type": "oauth2"}}}}}]}
```

What to do: look for the event of the call; sessions cut short at their beginning lack it.
"#,
});

pub(super) fn check(siblings: &Siblings, item: usize, found: &mut Vec<Finding>) {
    let Some(review) = siblings.reviews.get(item) else { return };
    for id in asked(&review.response) {
        if !siblings.is_called(&id) {
            let message =
                format!("credentials are asked for the call {id:?}, which is nowhere in the session");
            found.push(Finding::new(&AUTH_ORPHAN, &review.response.origin, message));
        }
    }
}

/// Ids of the calls that a response and its steps ask credentials for.
fn asked(response: &Response) -> Vec<String> {
    let facts = response.traces.iter().filter_map(|trace| trace.arguments.as_ref());
    let steps = facts.filter_map(|facts| Peek::of_value(facts).below("actions"));
    let own = response.about.actions.as_ref().map(Peek::of_value);
    own.into_iter().chain(steps).flat_map(|actions| actions.names_below("requestedAuthConfigs")).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::check::testing::{event, fires, silent};

    #[test]
    fn no_credentials_and_no_call_are_no_fault() {
        fires(&AUTH_ORPHAN, &event(json!({"actions": {"requestedAuthConfigs": {"c": {}}}})));
        silent(&AUTH_ORPHAN, &event(json!({"actions": {"requestedAuthConfigs": {}}})));
    }
}
