//! A segment that begins where a shorter one of its layer does: what its own sources back is the rest.

use crate::check::Finding;
use crate::check::finding::{excerpt, on_supports};
use crate::model::Support;
use crate::review::Review;
use crate::text::counted;

rule!(SEGMENT_NESTED {
    id: "segment-nested",
    group: Offsets,
    severity: Note,
    summary: "a segment begins where another does and goes on",
    help: "its own sources back what it adds: the tail behind the shorter one",
    explain: r#"Two segments begin at the same place, and one goes on. Google's models grow a prefix: the longer
segment comes with other sources, and those back what it adds, not what both hold. Shown as it
is, the later sources seem to back the first sentence too.

It is known by the places: equal starts, growing ends, in one list. The message shows the tail
that the longer one adds. Read its sources for that.

Before, what is sent:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten on weekdays."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}},
   {"web": {"uri": "https://city.example/rio", "title": "city.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."}, "groundingChunkIndices": [0]},
   {"segment": {"endIndex": 48, "text": "Rio opens at nine. It closes at ten on weekdays."},
    "groundingChunkIndices": [1]}]}}
```

After, as it is meant:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten on weekdays."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}},
   {"web": {"uri": "https://city.example/rio", "title": "city.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."}, "groundingChunkIndices": [0]},
   {"segment": {"startIndex": 19, "endIndex": 48, "text": "It closes at ten on weekdays."},
    "groundingChunkIndices": [1]}]}}
```

What to do: mark both ends as sent, and read the sources of the longer one for its tail.
"#,
});

pub(super) fn check(review: &Review, found: &mut Vec<Finding>) {
    let mut hits = Vec::new();
    let mut first = None;
    for (outer, pair) in review.spans.windows(2).enumerate() {
        let [long, short] = pair else { continue };
        let (Some(long), Some(short)) = (&long.range, &short.range) else { continue };
        if long.start != short.start || short.is_empty() {
            continue;
        }
        let layer = |support: usize| review.response.supports.get(support).map(|support| support.layer);
        let one_of = |span: usize| review.supports_of(span).first().copied();
        let (Some(long_one), Some(short_one)) = (one_of(outer), one_of(outer + 1)) else { continue };
        let inferred =
            |support: usize| review.response.supports.get(support).is_some_and(Support::is_inferred);
        if layer(long_one) != layer(short_one) || inferred(long_one) || inferred(short_one) {
            continue;
        }
        first.get_or_insert((long_one, short_one, short.end..long.end));
        hits.extend_from_slice(review.supports_of(outer));
    }
    let Some((long, short, tail)) = first else { return };
    found.extend(on_supports(&SEGMENT_NESTED, review, hits, |hits| {
        let words = excerpt(review, &tail);
        let more = match hits {
            [_] => String::new(),
            _ => format!(" (and so on: {})", counted(hits.len(), "support")),
        };
        let (long, short) = (long + 1, short + 1);
        format!(
            "support {long} begins where support {short} does and goes on: what it adds is “{words}”{more}"
        )
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{cited, pages, silent};

    #[test]
    fn segments_that_overlap_are_not_nested() {
        let quotes: [(&str, &[i64]); 2] = [("It opens at nine.", &[0]), ("opens at nine. It closes.", &[1])];
        let two = pages(&["https://a.example", "https://b.example"]);
        silent(&SEGMENT_NESTED, &cited("It opens at nine. It closes.", &quotes, two));
    }
}
