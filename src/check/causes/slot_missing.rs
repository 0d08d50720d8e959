//! A reference whose end is no blank that was kept for it, among others of which it is.

use crate::anchor::{FitProof, Verdict, is_slot};
use crate::check::Finding;
use crate::check::finding::{excerpt_before, on_supports, subject};
use crate::model::Proof;
use crate::review::Review;

rule!(SLOT_MISSING {
    id: "slot-missing",
    group: Offsets,
    severity: Warning,
    summary: "a reference ends where no blank was kept for it",
    help: "compare the words before it with its source: a piece of the answer may be missing",
    explain: r#"The service keeps a blank before the full stop or comma behind the words that a reference is
of. Of this answer some references end at such a blank, and this one does not: the text before it
is not the one that its offsets were counted in. Most often a piece of the stream is missing, came
twice or came out of order.

It is known by the text: a blank before closing punctuation at the end of one reference at least,
and none at the end of this one.

Before, a piece of the answer is missing:

```sse
data: {"chat_id": "c1", "message": {"type": "ANSWER", "content": "The margin rose to 31 percent . The next report"}}

data: {"chat_id": "c1", "message": {"type": "ANSWER", "content": " and the shares are up . It ends here, as all do."}}

data: {"chat_id": "c1", "message": {"type": "GROUNDING", "references": [{"start": 0, "end": 30, "source": {"id": "A1", "hd": "Q2 report"}}, {"start": 32, "end": 88, "source": {"id": "A1", "hd": "Q2 report"}}]}}

data: {"chat_id": "c1", "message": {"type": "COMPLETE"}}
```

After:

```sse
data: {"chat_id": "c1", "message": {"type": "ANSWER", "content": "The margin rose to 31 percent . The next report"}}

data: {"chat_id": "c1", "message": {"type": "ANSWER", "content": " comes in October,"}}

data: {"chat_id": "c1", "message": {"type": "ANSWER", "content": " and the shares are up . It ends here, as all do."}}

data: {"chat_id": "c1", "message": {"type": "GROUNDING", "references": [{"start": 0, "end": 30, "source": {"id": "A1", "hd": "Q2 report"}}, {"start": 32, "end": 88, "source": {"id": "A1", "hd": "Q2 report"}}]}}

data: {"chat_id": "c1", "message": {"type": "COMPLETE"}}
```

What to do: fetch the answer again; until then trust no reference behind the first that is told.
"#,
});

pub(super) fn check(review: &Review, found: &mut Vec<Finding>) {
    let fit = &review.fit;
    if review.response.proof != Proof::Slots || fit.proof != FitProof::Slots || fit.fitting == 0 {
        return;
    }
    let text = review.text();
    let mut first = None;
    let mut hits = Vec::new();
    for support in review.supports() {
        let as_sent = support.anchor().verdict == Verdict::AsSent && support.own.placed.is_none();
        let Some(range) = support.range().filter(|_| as_sent) else { continue };
        if !is_slot(text, range.end) {
            first.get_or_insert(range.end);
            hits.push(support.index);
        }
    }
    let Some(end) = first else { return };
    let words = excerpt_before(review, &(end..end));
    found.extend(on_supports(&SLOT_MISSING, review, hits, |hits| {
        format!("{} where no blank was kept for it: behind “{words}”", subject(hits, "ends", "end"))
    }));
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::check::testing::ids;

    fn stream(answer: &str, references: &Value) -> String {
        [
            json!({"type": "ANSWER", "content": answer}),
            json!({"type": "GROUNDING", "references": references}),
            json!({"type": "COMPLETE"}),
        ]
        .map(|message| format!("data: {}\n\n", json!({"chat_id": "c", "message": message})))
        .concat()
    }

    fn reference(start: usize, end: usize) -> Value {
        json!({"start": start, "end": end, "source": {"id": "A1", "hd": "Q2 report"}})
    }

    #[test]
    fn a_reference_without_its_blank_is_told_where_others_have_theirs() {
        let answer = "The margin rose . The report comes in May and the shares are up .";
        let told = |references: &Value| ids(&stream(answer, references)).contains(&"slot-missing");
        assert!(!told(&json!([reference(0, 16), reference(18, 64)])));
        assert!(told(&json!([reference(0, 16), reference(18, 42)])));
        // Nothing says that this answer has such blanks at all, or which text its offsets count in.
        assert!(!told(&json!([reference(18, 42)])));
        assert!(!told(&json!([reference(18, 42), reference(0, 10)])));
    }
}
