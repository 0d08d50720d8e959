//! Inputs that had to be mended.

use crate::check::Finding;
use crate::check::context::Context;
use crate::model::{Notice, NoticeKind, Origin, Response};

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

/// What was mended before anything was decoded; a value that was cut is told by `stream-truncated`.
pub(super) fn check(response: &Response, context: &Context, found: &mut Vec<Finding>) {
    let mended = context.notices.iter().filter(|notice| notice.kind() != NoticeKind::CutInValue);
    let place = |notice: &Notice| match notice {
        Notice::FramePassedOver { frame, .. } => Origin { frame: *frame, ..Origin::default() },
        _ => response.origin.clone(),
    };
    found.extend(mended.map(|notice| Finding::new(&INPUT_MENDED, &place(notice), notice.to_string())));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{silent, whole};

    #[test]
    fn an_input_that_is_read_as_it_is_is_left_alone() {
        silent(&INPUT_MENDED, &whole("Fine"));
    }
}
