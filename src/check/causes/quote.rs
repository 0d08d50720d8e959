//! The quote does not stand where the offsets say, or was shortened.

use crate::anchor::Verdict;
use crate::check::Finding;
use crate::check::finding::on_anchors;
use crate::model::AnchorKind;
use crate::model::Support;
use crate::review::Review;

rule!(QUOTE_MISMATCH {
    id: "quote-mismatch",
    group: Offsets,
    severity: Warning,
    repairable: true,
    summary: "the quote stands elsewhere than its offsets say",
    help: "the span is shown where its quote occurs; offsets were counted in another unit, or over another \
        text",
    explain: r#"The segment was sent with its words, and they stand elsewhere than the offsets say, in one place
only. There they are shown. The offsets of this one segment are off, while others fit: it was
edited by hand, or counted over another draft.

It is known by comparing the slice with the quote, byte by byte, and then looking for the quote
in the answer.

Before, what is sent:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten. Dogs are welcome."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."}, "groundingChunkIndices": [0]},
   {"segment": {"startIndex": 2, "endIndex": 19, "text": "It closes at ten."},
    "groundingChunkIndices": [0]},
   {"segment": {"startIndex": 37, "endIndex": 54, "text": "Dogs are welcome."},
    "groundingChunkIndices": [0]}]}}
```

After:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten. Dogs are welcome."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."}, "groundingChunkIndices": [0]},
   {"segment": {"startIndex": 19, "endIndex": 36, "text": "It closes at ten."},
    "groundingChunkIndices": [0]},
   {"segment": {"startIndex": 37, "endIndex": 54, "text": "Dogs are welcome."},
    "groundingChunkIndices": [0]}]}}
```

What to do: take the place where the quote stands. It is certain, since it occurs once.
"#,
});

rule!(QUOTE_GONE {
    id: "quote-gone",
    group: Offsets,
    severity: Error,
    summary: "the quote occurs nowhere in the answer",
    help: "the answer was edited or translated after the call, or the metadata belongs to another text",
    explain: r#"The words that were sent with the segment occur nowhere in the answer: not at the offsets, not
elsewhere, not with other blanks. The answer was edited, translated or rewritten after the call,
or the metadata belongs to another text. Whatever is shown at the offsets is not what the source
was cited for.

It is known by looking for the quote in the whole answer, exactly, and then with white space
folded and letters composed (NFC).

Before, what is sent:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 19, "text": "Rio opens at eight."}, "groundingChunkIndices": [0]}]}}
```

After:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."}, "groundingChunkIndices": [0]}]}}
```

What to do: show citations over the text that they were made for. Do not carry them over to a
translation.
"#,
});

rule!(QUOTE_AMBIGUOUS {
    id: "quote-ambiguous",
    group: Offsets,
    severity: Warning,
    summary: "the quote is not at its offsets and occurs several times",
    help: "the nearest occurrence is shown; compare the others",
    explain: r#"The quote is not at its offsets, and it occurs several times in the answer. The nearest
occurrence is shown, but which one is meant cannot be told. Short quotes do this, and answers
that say a sentence twice.

It is known by counting the occurrences of the quote, up to a hundred.

Before, what is sent:

```json
{"content": {"parts": [{"text": "It is open. It is warm. It is open."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"startIndex": 7, "endIndex": 18, "text": "It is open."},
    "groundingChunkIndices": [0]},
   {"segment": {"startIndex": 12, "endIndex": 23, "text": "It is warm."},
    "groundingChunkIndices": [0]}]}}
```

After:

```json
{"content": {"parts": [{"text": "It is open. It is warm. It is open."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 11, "text": "It is open."}, "groundingChunkIndices": [0]},
   {"segment": {"startIndex": 12, "endIndex": 23, "text": "It is warm."},
    "groundingChunkIndices": [0]}]}}
```

What to do: look at both places. A tool that inserts marks by searching for the quote marks the
wrong one half of the time.
"#,
});

rule!(QUOTE_ELIDED {
    id: "quote-elided",
    group: Offsets,
    severity: Note,
    summary: "the quote was shortened with an ellipsis",
    help: "the span is placed by the beginning of its quote and ends at a sentence end",
    explain: r#"The quote ends with “…” or “...”: whoever made it shortened it for showing. It can prove where
the segment begins, not where it ends. The span is placed by its beginning and ends at a
sentence end.

It is known by the ellipsis, when the quote does not occur as it stands and its beginning does.

Before, what is sent:

```json
{"content": {"parts": [{"text": "The museum opened in 1926 in a former mill. Tickets are sold at the gate."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 60, "text": "The museum opened in 1926..."},
    "groundingChunkIndices": [0]}]}}
```

After:

```json
{"content": {"parts": [{"text": "The museum opened in 1926 in a former mill. Tickets are sold at the gate."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 43, "text": "The museum opened in 1926 in a former mill."},
    "groundingChunkIndices": [0]}]}}
```

What to do: send the whole words of the segment. A repair is not offered, since the end is
uncertain.
"#,
});

pub(super) fn check(review: &Review, found: &mut Vec<Finding>) {
    found.extend(on_anchors(
        &QUOTE_MISMATCH,
        review,
        "is not where the offsets say; shown where the quote occurs",
        |support, anchor| {
            anchor.fault.is_none()
                && support.kind != AnchorKind::Marker
                && anchor.verdict == Verdict::Reanchored
                && (!anchor.elided || anchor.delta != 0)
        },
    ));
    found.extend(on_anchors(
        &QUOTE_GONE,
        review,
        "has a quote that is nowhere in the answer",
        |support, anchor| {
            anchor.verdict == Verdict::Gone && is_quoted(support) && support.kind != AnchorKind::Block
        },
    ));
    found.extend(on_anchors(
        &QUOTE_AMBIGUOUS,
        review,
        "is not where the offsets say, and the quote occurs more than once",
        |support, anchor| {
            anchor.verdict == Verdict::Ambiguous
                && anchor.fault.is_none()
                && support.kind != AnchorKind::Marker
        },
    ));
    found.extend(on_anchors(
        &QUOTE_ELIDED,
        review,
        "has a quote shortened with an ellipsis; placed by its beginning",
        |_, anchor| anchor.elided,
    ));
}

/// Whether a quote was sent that has words.
pub(super) fn is_quoted(support: &Support) -> bool {
    let quote = support.segment.as_ref().and_then(|segment| segment.quote.as_deref());
    quote.is_some_and(|quote| !quote.is_empty())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::check::testing::{reported, silent, with_support};

    fn quoted(start: usize, end: usize, quote: &str) -> String {
        let segment = json!({"startIndex": start, "endIndex": end, "text": quote});
        with_support(json!({"segment": segment, "groundingChunkIndices": [0]}))
    }

    #[test]
    fn a_quote_that_is_nowhere_is_gone() {
        let gone = "quote-gone support 1 has a quote that is nowhere in the answer (sent 0..4, answer 0..11, in UTF-8 bytes)";
        assert_eq!(reported(&quoted(0, 4, "Nope")), [gone]);
    }

    #[test]
    fn a_quote_is_found_with_other_white_space_and_where_it_was_shortened() {
        silent(&QUOTE_GONE, &quoted(0, 8, "Fine  day"));
        silent(&QUOTE_GONE, &quoted(0, 8, "Fine d..."));
        silent(&QUOTE_MISMATCH, &quoted(0, 8, "Fine d..."));
        silent(&QUOTE_MISMATCH, &quoted(0, 8, "Fine  day"));
        silent(&QUOTE_MISMATCH, &quoted(0, 8, "Fine\nday"));
        let off = "quote-mismatch support 1 is not where the offsets say; shown where the quote occurs (sent 1..9, shown 0..8, answer 0..11, in UTF-8 bytes)";
        assert_eq!(reported(&quoted(1, 9, "Fine  day")), [off]);
        // The answer itself ends so.
        silent(&QUOTE_ELIDED, &quoted(5, 11, "day…"));
    }

    #[test]
    fn a_quote_with_letters_composed_otherwise_stands_where_it_is() {
        let body = |answer: &str, quote: &str, from: usize, to: usize| {
            json!({"candidates": [{"content": {"parts": [{"text": answer}]}, "finishReason": "STOP",
                "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://a.example/x", "title": "a.example"}}],
                "groundingSupports": [{"segment": {"startIndex": from, "endIndex": to, "text": quote}, "groundingChunkIndices": [0]}]}}]})
            .to_string()
        };
        let (composed, apart) = ("Un caf\u{e9} br\u{fb}lant.", "Un cafe\u{301} bru\u{302}lant.");
        for (answer, quote) in [(composed, apart), (apart, composed)] {
            assert_eq!(reported(&body(answer, quote, 0, answer.len())), Vec::<String>::new());
            let found = reported(&body(answer, quote, 1, answer.len()));
            let shown = format!("shown 0..{0}, answer 0..{0}", answer.len());
            assert!(found[0].starts_with("quote-mismatch") && found[0].contains(&shown), "{found:?}");
        }
    }

    #[test]
    fn a_quote_at_its_offsets_may_occur_again() {
        silent(&QUOTE_AMBIGUOUS, &quoted(3, 4, "e"));
        silent(&QUOTE_AMBIGUOUS, &quoted(5, 6, "d"));
    }
}
