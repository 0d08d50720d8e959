//! Completed before it was created.

use jiff::Timestamp;

use crate::check::Finding;
use crate::review::Review;

rule!(TIME_ORDER {
    id: "time-order",
    group: Stream,
    severity: Note,
    summary: "completed before it was created",
    help: "one of the two times is wrong",
    explain: r#"The answer was completed before it was created. One of the two times is wrong, or their zones
are.

It is known by comparing the two times with their zones.

Before, what is sent:

```json
{"answerText": "Rio opens at nine.",
 "createTime": "2026-03-01T10:00:00Z",
 "completeTime": "2026-03-01T09:59:58Z"}
```

After:

```json
{"answerText": "Rio opens at nine.",
 "createTime": "2026-03-01T10:00:00Z",
 "completeTime": "2026-03-01T10:00:02Z"}
```

What to do: measure durations with another clock.
"#,
});

pub(super) fn check(review: &Review, found: &mut Vec<Finding>) {
    let response = &review.response;
    let time = |text: &Option<String>| text.as_deref()?.parse::<Timestamp>().ok();
    let times = time(&response.about.created).zip(time(&response.about.completed));
    if let Some((created, completed)) = times
        && completed < created
        && !response.is_question()
    {
        let message = format!("completed at {completed}, before it was created at {created}");
        found.push(Finding::new(&TIME_ORDER, &response.origin, message));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::check::testing::{fires, silent};

    #[test]
    fn one_moment_is_in_order() {
        let completed = |at: &str| {
            json!({"answerText": "Hi", "createTime": "2026-01-02T00:00:00Z", "completeTime": at}).to_string()
        };
        fires(&TIME_ORDER, &completed("2026-01-01T00:00:00Z"));
        silent(&TIME_ORDER, &completed("2026-01-02T01:00:00+01:00"));
        silent(&TIME_ORDER, &completed("later"));
    }
}
