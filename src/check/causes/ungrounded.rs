//! An answer without grounding, or with searches alone.

use crate::check::Finding;
use crate::model::{AnswerState, Grounding, Remark, RemarkKind, Response};
use crate::review::Review;
use crate::text::plural;

rule!(UNGROUNDED {
    id: "ungrounded",
    group: Answer,
    severity: Note,
    summary: "no grounding metadata: the model answered without search",
    help: "there is nothing to cite",
    explain: r#"The response carries no grounding metadata at all. The model answered from what it knows; there
is nothing to cite. That is another thing than empty metadata, and than searches that brought
nothing.

It is known by the absence of the object.

Before, what is sent:

```json
{"content": {"parts": [{"text": "Rio opens at nine."}]}, "finishReason": "STOP"}
```

After:

```json
{"content": {"parts": [{"text": "Rio opens at nine."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."}, "groundingChunkIndices": [0]}]}}
```

What to do: if a search tool was switched on, look whether an SDK dropped the metadata: in
streams it comes last.
"#,
});

rule!(SEARCHED_UNATTRIBUTED {
    id: "searched-unattributed",
    group: Answer,
    severity: Note,
    summary: "searched, but nothing was attributed",
    help: "queries ran, and no chunk or support came back",
    explain: r#"Searches ran, and neither sources nor supports came back. The answer may rest on what was found,
but the response does not say on what. Running out of tokens does this, and so do some
combinations of tools.

It is known by what is there: queries, and nothing else.

Before, what is sent:

```json
{"content": {"parts": [{"text": "Rio opens at nine."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"webSearchQueries": ["Rio opening hours"]}}
```

After:

```json
{"content": {"parts": [{"text": "Rio opens at nine."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"searchEntryPoint": {"renderedContent": "<p>Rio</p>"},
  "webSearchQueries": ["Rio opening hours"],
  "groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."}, "groundingChunkIndices": [0]}]}}
```

What to do: ask again without other tools, or with more tokens.
"#,
});

pub(super) fn check(review: &Review, found: &mut Vec<Finding>) {
    let response = &review.response;
    // What its own text cites is not without sources.
    let blocked = response.state == AnswerState::Skipped;
    if response.is_question() || blocked || !response.supports.is_empty() {
        return;
    }
    match response.grounding {
        // Metadata that is none by its type was sent all the same, which value-type reports.
        Grounding::Absent if !response.partial && !is_mistyped(response) && !is_unread(response) => {
            let message = "no grounding metadata: the model answered without search";
            found.push(Finding::new(&UNGROUNDED, &response.origin, message));
        }
        Grounding::Unattributed => {
            let searches = response.queries.iter().filter(|query| query.kind.is_of_metadata()).count();
            let ran = if searches == 0 {
                "search suggestions came".to_owned()
            } else {
                format!("{} ran", plural(searches, "search", "searches"))
            };
            let message = format!("{ran}, but neither chunks nor supports came back");
            found.push(Finding::new(&SEARCHED_UNATTRIBUTED, &response.origin, message));
        }
        // What the metadata holds says nothing of a source.
        Grounding::Given if is_bare(response) => {
            let message = "the grounding metadata holds neither searches, chunks nor supports";
            found.push(Finding::new(&UNGROUNDED, &response.origin, message));
        }
        _ => {}
    }
}

/// Whether something stands where metadata belongs that is no object.
fn is_mistyped(response: &Response) -> bool {
    let metadata = |remark: &Remark| {
        let path = &remark.origin.path;
        remark.kind == RemarkKind::Mistyped
            && (path.ends_with("groundingMetadata") || path.ends_with("grounding_metadata"))
    };
    response.remarks.iter().any(metadata)
}

/// Whether metadata stands where none is documented, which `citations-unread` reports.
fn is_unread(response: &Response) -> bool {
    response.remarks.iter().any(|remark| remark.kind == RemarkKind::Unread)
}

/// Whether there is metadata with nothing in it that could be cited.
pub(super) fn is_bare(response: &Response) -> bool {
    let about = &response.about;
    let something =
        about.retrieval_score.is_some() || about.maps_token.is_some() || !about.flags_unmatched.is_empty();
    something && response.sources.is_empty() && response.supports.is_empty()
}

#[cfg(test)]
mod tests {
    use crate::check::testing::{gemini, reported};

    #[test]
    fn no_metadata_empty_metadata_and_unattributed_searches_differ() {
        assert_eq!(
            reported(r#"{"candidates": [{"content": {"parts": [{"text": "Hi"}]}}]}"#),
            ["ungrounded no grounding metadata: the model answered without search"]
        );
        assert_eq!(reported(&gemini("Hi", "{}")), [""; 0]);
        assert_eq!(
            reported(&gemini("Hi", r#"{"webSearchQueries": ["a", "b"]}"#)),
            ["searched-unattributed 2 searches ran, but neither chunks nor supports came back"]
        );
    }
}
