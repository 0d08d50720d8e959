//! A claim that needs no check, and yet has sources or a score.

use crate::check::Finding;
use crate::check::finding::{on_supports, supports_where};
use crate::review::Review;
use crate::text::counted;

rule!(CHECK_CONTRADICTION {
    id: "check-contradiction",
    group: Answer,
    severity: Warning,
    summary: "said to need no check, yet it has sources or a score",
    help: "the two fields contradict each other",
    explain: r#"A sentence is said to need no grounding check, and yet it has sources or a score. One of the two
is wrong. Coverage leaves such sentences out, so a wrong flag hides a claim.

It is known by the two fields.

Before, what is sent:

```json
{"answerText": "Rio opens at nine.",
 "groundingSupports": [{"endIndex": "18", "groundingCheckRequired": false, "groundingScore": 0.8}]}
```

After:

```json
{"answerText": "Rio opens at nine.",
 "groundingSupports": [{"endIndex": "18", "groundingCheckRequired": true, "groundingScore": 0.8}]}
```

What to do: trust neither; read the sentence.
"#,
});

pub(super) fn check(review: &Review, found: &mut Vec<Finding>) {
    if review.response.is_question() {
        return;
    }
    let supports = supports_where(&review.response, |support| {
        support.grade.check_required == Some(false)
            && (support.grade.score.is_some() || !support.citations.is_empty())
    });
    found.extend(on_supports(&CHECK_CONTRADICTION, review, supports, |supports| {
        let supports = counted(supports.len(), "support");
        format!("{supports} said to need no grounding check, yet with sources or a score")
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{fires, silent};

    #[test]
    fn a_score_contradicts_only_what_needs_no_check() {
        let claim = |rest: &str| {
            format!(r#"{{"answerText": "Hi", "groundingSupports": [{{"endIndex": "2", {rest}}}]}}"#)
        };
        fires(&CHECK_CONTRADICTION, &claim(r#""groundingScore": 0.5, "groundingCheckRequired": false"#));
        silent(&CHECK_CONTRADICTION, &claim(r#""groundingScore": 0.5, "groundingCheckRequired": true"#));
        silent(&CHECK_CONTRADICTION, &claim(r#""groundingCheckRequired": false"#));
    }
}
