//! An address for flagging a place or a review that the response does not hold.

use crate::check::Finding;
use crate::review::Review;
use crate::text::and_more;

rule!(FLAG_ORPHAN {
    id: "flag-orphan",
    group: Answer,
    severity: Note,
    summary: "a flagging address for no place and no review of the response",
    help: "it joins to nothing",
    explain: r#"An address for flagging a review or a place came, and the response has neither under that id. It
cannot be shown beside what it flags, as the terms of the service ask.

It is known by joining the id to places, with and without `places/`, and to reviews.

Before, what is sent:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"sourceFlaggingUris": [{"sourceId": "places/p2", "flagContentUri": "https://maps.example/flag"}],
  "groundingChunks": [{"maps": {"uri": "https://maps.example/rio", "title": "Rio", "placeId": "places/p1"}}],
  "groundingSupports": [{"segment": {"endIndex": 36, "text": "Rio opens at nine. It closes at ten."},
    "groundingChunkIndices": [0]}]}}
```

After:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"sourceFlaggingUris": [{"sourceId": "places/p1", "flagContentUri": "https://maps.example/flag"}],
  "groundingChunks": [{"maps": {"uri": "https://maps.example/rio", "title": "Rio", "placeId": "places/p1"}}],
  "groundingSupports": [{"segment": {"endIndex": 36, "text": "Rio opens at nine. It closes at ten."},
    "groundingChunkIndices": [0]}]}}
```

What to do: show it apart.
"#,
});

pub(super) fn check(review: &Review, found: &mut Vec<Finding>) {
    let response = &review.response;
    let flags = &response.about.flags_unmatched;
    let Some((id, _)) = flags.first().filter(|_| !response.is_question()) else { return };
    let more = and_more(flags.len() - 1);
    let message = format!("the flagging address for {id:?}{more} joins to no place and no review");
    found.push(Finding::new(&FLAG_ORPHAN, &response.origin, message));
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::check::testing::{fires, gemini, silent};

    #[test]
    fn a_place_of_the_response_may_be_flagged() {
        let flag = |place: &str| {
            let flags = json!([{"sourceId": place, "flagContentUri": "https://f.example"}]);
            let place = json!({"maps": {"uri": "https://m.example", "title": "Rio", "placeId": "places/p"}});
            gemini("Hi", &json!({"groundingChunks": [place], "sourceFlaggingUris": flags}).to_string())
        };
        fires(&FLAG_ORPHAN, &flag("places/q"));
        silent(&FLAG_ORPHAN, &flag("places/p"));
    }
}
