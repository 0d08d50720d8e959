//! A citation of a source that is not there.

use crate::check::Finding;
use crate::model::{AnchorKind, Layer, Origin, RemarkKind, Target};
use crate::review::Review;
use crate::text::{counted, form, plural};

rule!(SOURCE_INDEX {
    id: "source-index",
    group: Sources,
    severity: Error,
    summary: "a citation points at a source that is not there",
    help: "indices count from 0; URL context counts pages that could not be fetched too",
    explain: r#"A citation points at an index where no source is. The mark that your reader follows leads
nowhere, or, if code counts from the end or wraps round, to the wrong page. URL context counts
pages that could not be fetched, and sends no chunk for them.

It is known by the length of the list. Indices count from 0. A reference that names a tool and
no document is not dangling: it cites the tool's result as a whole.

Before, what is sent:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."}, "groundingChunkIndices": [0, 3]}]}}
```

After:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."}, "groundingChunkIndices": [0]}]}}
```

What to do: do not guess which source is meant. Print no mark for it, and log it.
"#,
});

/// Indices that the message shows at most.
const SHOWN: usize = 8;

/// What to do about an id that names nothing.
const OF_IDS: &str = "the id of a source that was not sent, or one that was changed on the way";

pub(super) fn check(review: &Review, found: &mut Vec<Finding>) {
    // Of supports that were cut out of their response the sources are elsewhere.
    let cut_out = review.response.remarks.iter().any(|remark| remark.kind == RemarkKind::Fragment);
    if cut_out && review.response.sources.is_empty() {
        return;
    }
    let mut supports = Vec::new();
    let mut sent = Vec::new();
    let mut place: Option<Origin> = None;
    for (index, support) in review.response.supports.iter().enumerate() {
        // A marker in the text without a source is reported as such.
        if support.kind == AnchorKind::TextMarker {
            continue;
        }
        for citation in &support.citations {
            let Target::Dangling(text) = &citation.target else { continue };
            place.get_or_insert_with(|| citation.place.below(&support.origin));
            if supports.last() != Some(&index) {
                supports.push(index);
            }
            if !sent.contains(text) && sent.len() < SHOWN {
                sent.push(text.clone());
            }
        }
    }
    let Some(origin) = place else { return };
    let cites = plural(supports.len(), "support cites", "supports cite");
    let marked = |support: &usize| {
        review.response.supports.get(*support).is_some_and(|support| support.layer == Layer::Marker)
    };
    let by_id = review.response.refers_by_id() || sent.iter().all(|sent| sent.parse::<i64>().is_err());
    let message = if supports.iter().all(marked) {
        // Markers in the text name documents by their ids.
        format!(
            "{cites} {} {}, not among the sources",
            form(sent.len(), "document", "documents"),
            sent.join(", ")
        )
    } else if by_id {
        let ids = form(sent.len(), "the id", "the ids");
        format!("{cites} {ids} {}, which no source has", sent.join(", "))
    } else {
        let from = if review.response.facts.counts_as_mapped { "" } else { " (counted from 0)" };
        format!(
            "{cites} {} {}{from}: the response has {}",
            form(sent.len(), "index", "indices"),
            sent.join(", "),
            counted(review.response.sources.len(), "source")
        )
    };
    let mut finding = Finding::new(&SOURCE_INDEX, &origin, message).supports(supports);
    finding.help = by_id.then(|| OF_IDS.to_owned());
    found.push(finding);
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::check::testing::{reported, silent, with_support};

    #[test]
    fn indices_count_from_zero() {
        let cites = |indices: &[i64]| {
            with_support(
                json!({"segment": {"endIndex": 4, "text": "Fine"}, "groundingChunkIndices": indices}),
            )
        };
        let expected =
            "source-index 1 support cites indices 3, -1 (counted from 0): the response has 1 source";
        assert_eq!(reported(&cites(&[0, 3, -1])), [expected]);
        silent(&SOURCE_INDEX, &cites(&[0]));
    }
}
