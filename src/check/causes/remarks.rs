//! What the decoder remarked on the way a response was sent, and what was mended in its input.
//!
//! All in one pass: what was remarked together is reported in the order in which it was sent.

use std::collections::BTreeMap;

use super::outcome::ANSWER_FAILED;
use crate::check::context::Context;
use crate::check::{Finding, Rule};
use crate::model::{NoticeKind, Remark, RemarkKind};
use crate::review::Review;
use crate::text::and_more;

rule!(STREAM_TRUNCATED {
    id: "stream-truncated",
    group: Stream,
    severity: Error,
    summary: "the input ends before the answer does",
    help: "what came is shown; fetch the rest",
    explain: r#"The input ends before the answer does: the closing message or the reason to stop never came.
Metadata comes last in a stream, so what is missing is mostly the citations.

It is known by the end that each format documents: a finishReason, COMPLETE or ERROR. A value
that breaks off in the middle is the same cause.

Before, what is sent:

```sse
data: {"candidates": [{"content": {"parts": [{"text": "Rio opens "}]}}], "responseId": "r1"}

data: {"candidates": [{"content": {"parts": [{"text": "at nine."}]}}], "responseId": "r1"}
```

After:

```sse
data: {"candidates": [{"content": {"parts": [{"text": "Rio opens "}]}}], "responseId": "r1"}

data: {"candidates": [{"content": {"parts": [{"text": "at nine."}]}, "finishReason": "STOP"}], "responseId": "r1"}
```

What to do: ask again, and read until the connection closes.
"#,
});

rule!(STREAM_ERROR {
    id: "stream-error",
    group: Stream,
    severity: Error,
    supersedes: &[&ANSWER_FAILED],
    summary: "the stream ended with an error",
    help: "the service gave up; its message is shown",
    explain: r#"The service ended the stream with an error, or reported one instead of a response. What came
before is shown; it is not the whole answer.

It is known by the message that the service sent. It is quoted.

Before, what is sent:

```sse
data: {"chat_id": "c1", "message": {"type": "ANSWER", "content": "The margin "}}

data: {"chat_id": "c1", "message": {"type": "ERROR", "error": "upstream timed out"}}
```

After:

```sse
data: {"chat_id": "c1", "message": {"type": "ANSWER", "content": "The margin rose."}}

data: {"chat_id": "c1", "message": {"type": "COMPLETE"}}
```

What to do: ask again; offsets of one stream do not fit the text of another.
"#,
});

rule!(STREAM_RETRY {
    id: "stream-retry",
    group: Stream,
    severity: Note,
    summary: "the model was asked again",
    help: "informational",
    explain: r#"The service asked the model again in the middle of a run. The answer may begin anew behind it.
Offsets belong to one attempt only.

It is known by the service's own message.

Before, what is sent:

```sse
data: {"chat_id": "c1", "message": {"type": "LLM_RETRY", "message": "the model was busy"}}

data: {"chat_id": "c1", "message": {"type": "ANSWER", "content": "The margin rose to 31 percent ."}}

data: {"chat_id": "c1", "message": {"type": "GROUNDING", "references": [{"start": 0, "end": 30, "source": {"id": "A1", "hd": "Q2 report"}}]}}

data: {"chat_id": "c1", "message": {"type": "COMPLETE"}}
```

Nothing to repair: the service tells it for information.

What to do: nothing, unless the answer says things twice: see draft-repeated.
"#,
});

rule!(STREAM_CUMULATIVE {
    id: "stream-cumulative",
    group: Stream,
    severity: Note,
    summary: "each chunk repeats the whole text so far",
    help: "a proxy joined the chunks; the last one is shown",
    explain: r#"Each piece of the stream repeats the whole text so far. Some proxies do this. Joined as
documented, the answer would hold its own beginning many times, and no offset would fit.

It is known by comparing neighbours: three pieces or more, each of which begins with the one
before. The last one is shown.

Before, what is sent:

```sse
data: {"candidates": [{"content": {"parts": [{"text": "Rio"}]}}], "responseId": "r1"}

data: {"candidates": [{"content": {"parts": [{"text": "Rio opens"}]}}], "responseId": "r1"}

data: {"candidates": [{"content": {"parts": [{"text": "Rio opens at nine."}]}, "finishReason": "STOP"}], "responseId": "r1"}
```

After:

```sse
data: {"candidates": [{"content": {"parts": [{"text": "Rio"}]}}], "responseId": "r1"}

data: {"candidates": [{"content": {"parts": [{"text": " opens"}]}}], "responseId": "r1"}

data: {"candidates": [{"content": {"parts": [{"text": " at nine."}]}, "finishReason": "STOP"}], "responseId": "r1"}
```

What to do: take the last piece, or leave the proxy out.
"#,
});

rule!(STREAM_RESENT {
    id: "stream-resent",
    group: Stream,
    severity: Note,
    summary: "grounding metadata was sent more than once",
    help: "what was repeated counts once",
    explain: r#"Grounding metadata came more than once in a stream, and the later one begins with all that was
there before. It is the same sent again. Appended, it would double the sources and shift every
index behind them.

It is known by comparing the sources one by one. Metadata with other sources is a continuation:
it is appended, and not told.

Before, what is sent:

```sse
data: {"candidates": [{"content": {"parts": [{"text": "Rio opens "}]}, "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}]}}], "responseId": "r1"}

data: {"candidates": [{"content": {"parts": [{"text": "at nine."}]}, "finishReason": "STOP", "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}], "groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."}, "groundingChunkIndices": [0]}]}}], "responseId": "r1"}
```

After:

```sse
data: {"candidates": [{"content": {"parts": [{"text": "Rio opens "}]}}], "responseId": "r1"}

data: {"candidates": [{"content": {"parts": [{"text": "at nine."}]}, "finishReason": "STOP", "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}], "groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."}, "groundingChunkIndices": [0]}]}}], "responseId": "r1"}
```

What to do: append only what is new.
"#,
});

rule!(TEXT_EDITED {
    id: "text-edited",
    group: Stream,
    severity: Warning,
    summary: "the final text differs from the pieces sent before",
    help: "offsets of the pieces may not fit it",
    explain: r#"The last message of the stream carries the whole answer, and it is not what the pieces before it
make when joined. It replaces them. Offsets that came with the pieces count over the earlier
text.

It is known by comparing the two.

Before, what is sent:

```json
[{"answer": {"name": "a/1", "state": "STREAMING", "answerText": "Rio opens "}},
 {"answer": {"name": "a/1", "state": "STREAMING", "answerText": "at nine."}},
 {"answer": {"name": "a/1", "state": "SUCCEEDED", "answerText": "The Rio opens at nine."}}]
```

After:

```json
[{"answer": {"name": "a/1", "state": "STREAMING", "answerText": "Rio opens "}},
 {"answer": {"name": "a/1", "state": "STREAMING", "answerText": "at nine."}},
 {"answer": {"name": "a/1", "state": "SUCCEEDED", "answerText": "Rio opens at nine."}}]
```

What to do: use the last message and its citations, nothing of the earlier ones.
"#,
});

rule!(VALUE_TYPE {
    id: "value-type",
    group: Stream,
    severity: Note,
    summary: "a value of another type than documented, or a key that comes twice",
    help: "read as far as it makes sense; see the raw view",
    explain: r#"A value has another type than documented, a key comes twice in one object, or a message is of a
kind that is not documented. It is read as far as it makes sense: a number in a string as that
number, the last of two keys. Stricter readers fail here or drop the field.

It is known by comparing with the documented type in a second pass over the input. One finding
stands for all places alike.

Before, what is sent:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": ["18"]}, "groundingChunkIndices": [0]}]}}
```

After:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."}, "groundingChunkIndices": [0]}]}}
```

What to do: see the raw view at the path that is named.
"#,
});

rule!(FIELD_MISSING {
    id: "field-missing",
    group: Stream,
    severity: Note,
    summary: "a required field is missing",
    help: "documented as required",
    explain: r#"A field that is documented as required is not there. Readers that rely on it fail; here the
response is shown without it.

It is known by the format's documentation: an event needs its author, its invocation and its
time.

Before, what is sent:

```json
{"author": "guide",
 "invocationId": "i1",
 "content": {"role": "model", "parts": [{"text": "Rio opens at nine."}]}}
```

After:

```json
{"author": "guide",
 "invocationId": "i1",
 "timestamp": 1,
 "content": {"role": "model", "parts": [{"text": "Rio opens at nine."}]}}
```

What to do: send events as they come from the service.
"#,
});

rule!(INPUT_MENDED {
    id: "input-mended",
    group: Stream,
    severity: Warning,
    summary: "the input had to be mended to be read",
    help: "offsets behind the place may not fit",
    explain: r#"The input could not be read as it is: bytes that are no UTF-8, another encoding, lines that
belong to no event, an array that is not closed. It was mended, and each mend is told. Places
behind it may not be where the offsets say.

It is known while reading, before anything else.

Before, an array that is not closed:

```json
[{"candidates": [{"content": {"parts": [{"text": "Rio opens "}]}}], "responseId": "r1"},
 {"candidates": [{"content": {"parts": [{"text": "at nine."}]}, "finishReason": "STOP"}], "responseId": "r1"},
```

After:

```json
[{"candidates": [{"content": {"parts": [{"text": "Rio opens "}]}}], "responseId": "r1"},
 {"candidates": [{"content": {"parts": [{"text": "at nine."}]}, "finishReason": "STOP"}],
  "responseId": "r1"}]
```

What to do: save what the service sends byte for byte, and logs elsewhere.
"#,
});

rule!(METADATA_MISPLACED {
    id: "metadata-misplaced",
    group: Stream,
    severity: Note,
    summary: "grounding metadata stands beside the candidates, not in one",
    help: "readers that look in the candidate find none; here it counts",
    explain: r#"Grounding metadata stands beside the candidates instead of in one of them. Some gateways put it
there. Code that looks in the candidate, as documented, finds no citations and says nothing.

It is known by the path. Here it counts for the first candidate.

Before, what is sent:

```json
{"candidates": [{"content": {"parts": [{"text": "Rio opens at nine."}]}, "finishReason": "STOP"}],
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."}, "groundingChunkIndices": [0]}]}}
```

After:

```json
{"candidates": [{"content": {"parts": [{"text": "Rio opens at nine."}]},
   "finishReason": "STOP",
   "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
    "groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."}, "groundingChunkIndices": [0]}]}}]}
```

What to do: look in both places, or ask the gateway to keep the response as it is.
"#,
});

rule!(FRAGMENT {
    id: "fragment",
    group: Stream,
    severity: Note,
    summary: "a piece of a response",
    help: "give the whole response, or the answer text with --answer",
    explain: r#"This is a piece of a response: metadata, supports or chunks alone, as reference pages show them.
It is read, but without the answer no offset can be tested.

It is known by the keys: those of a part, without those of the whole.

Before, what is sent:

```json
{"groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."}, "groundingChunkIndices": [0]}]}
```

After:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."}, "groundingChunkIndices": [0]}]}}
```

What to do: give the whole response, or the answer's text with --answer FILE.
"#,
});

pub(super) fn check(review: &Review, context: &Context, found: &mut Vec<Finding>) {
    let response = &review.response;
    let (mistyped, others): (Vec<&Remark>, _) =
        response.remarks.iter().partition(|remark| remark.kind == RemarkKind::Mistyped);
    let finding = |remark: &Remark| Some(Finding::new(rule_of(remark)?, &remark.origin, remark.text.clone()));
    found.extend(others.into_iter().filter_map(finding));
    // One cause is one finding, wherever it occurs.
    let mut causes: BTreeMap<&str, Vec<&Remark>> = BTreeMap::new();
    for remark in mistyped {
        causes.entry(&remark.text).or_default().push(remark);
    }
    for (text, remarks) in causes {
        let Some(Remark { origin, .. }) = remarks.first() else { continue };
        let message = format!("{text} at {}{}", origin.path, and_more(remarks.len() - 1));
        found.push(Finding::new(&VALUE_TYPE, origin, message));
    }
    let mended = context.notices.iter().filter(|notice| notice.kind() != NoticeKind::CutInValue);
    found.extend(mended.map(|notice| Finding::new(&INPUT_MENDED, &response.origin, notice.to_string())));
}

/// The rule of a remark; none where another cause reports it, or where it is no fault.
fn rule_of(remark: &Remark) -> Option<&'static Rule> {
    Some(match remark.kind {
        RemarkKind::Truncated => &STREAM_TRUNCATED,
        RemarkKind::Error => &STREAM_ERROR,
        RemarkKind::Retry => &STREAM_RETRY,
        RemarkKind::Edited => &TEXT_EDITED,
        RemarkKind::Resent => &STREAM_RESENT,
        RemarkKind::Cumulative => &STREAM_CUMULATIVE,
        RemarkKind::Mistyped | RemarkKind::UnknownKind => &VALUE_TYPE,
        RemarkKind::Missing => &FIELD_MISSING,
        RemarkKind::Fragment => &FRAGMENT,
        RemarkKind::Misplaced => &METADATA_MISPLACED,
        // Our own form carries notices as remarks; a truncated one has a remark of its own.
        RemarkKind::Mended if remark.notice == Some(NoticeKind::CutInValue) => return None,
        RemarkKind::Mended => &INPUT_MENDED,
        // `source-kind`, `step-failed`, no fault, `citation-zero`.
        RemarkKind::TwoKinds
        | RemarkKind::ToolError
        | RemarkKind::Joined
        | RemarkKind::NoPlace
        | RemarkKind::ClaimRanges
        | RemarkKind::Guessed => {
            return None;
        }
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::check::testing::{Stream, event, fires, silent, whole};

    #[test]
    fn one_piece_of_text_is_not_cumulative() {
        let Stream { answer, end, .. } = Stream::new();
        silent(&STREAM_CUMULATIVE, &Stream::of(&[&answer, &end]));
    }

    #[test]
    fn a_stream_and_an_event_that_lack_nothing_are_left_alone() {
        let Stream { audit, answer, reference, end, .. } = Stream::new();
        let retry = json!({"type": "LLM_RETRY", "message": "again"});
        fires(&STREAM_RETRY, &Stream::of(&[&retry, &answer, &end]));
        fires(&STREAM_TRUNCATED, &Stream::of(&[&audit, &answer]));
        let complete = Stream::of(&[&audit, &answer, &reference, &end]);
        for rule in [&STREAM_RETRY, &STREAM_TRUNCATED, &STREAM_ERROR, &STREAM_RESENT, &TEXT_EDITED] {
            silent(rule, &complete);
        }
        fires(&FIELD_MISSING, &event(json!({})).replace("\"timestamp\":1", "\"branch\":\"b\""));
        silent(&FIELD_MISSING, &event(json!({})));
    }

    #[test]
    fn metadata_alone_is_a_fragment() {
        fires(&FRAGMENT, r#"{"groundingSupports": [{"segment": {"endIndex": 4, "text": "Fine"}}]}"#);
        silent(&FRAGMENT, &whole("Fine"));
        silent(&METADATA_MISPLACED, &whole("Fine"));
        silent(&VALUE_TYPE, &whole("Fine"));
        silent(&INPUT_MENDED, &whole("Fine"));
    }

    #[test]
    fn an_error_of_the_stream_is_not_reported_as_a_failed_answer_too() {
        let failed = Stream::of(&[&json!({"type": "ERROR", "error": "gone"})]);
        fires(&STREAM_ERROR, &failed);
        silent(&ANSWER_FAILED, &failed);
    }
}
