//! A segment that begins or ends inside a word.

use std::ops::Range;

use crate::anchor::Verdict;
use crate::check::Finding;
use crate::check::finding::{on_supports, subject};
use crate::model::Part;
use crate::review::Review;
use crate::text::{Class, class, is_in_word};

rule!(OFFSET_MIDWORD {
    id: "offset-midword",
    group: Offsets,
    severity: Warning,
    summary: "a segment begins or ends inside a word",
    help: "compare it with the words it should hold; a mark set there parts the word",
    explain: r#"A segment begins or ends inside a word, and nothing else is wrong with it: it lies in the text,
and its quote, if it has one, agrees. A mark at its end would part the word. Without a quote
this is often the only sign that offsets count over another text, or in another unit.

It is known by the letters or digits on either side of the offset. Scripts that write no blanks
between words are left out, and so are segments that another finding tells of.

Before, the first segment ends in “ni|ne”:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 15}, "groundingChunkIndices": [0]}]}}
```

After:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 18}, "groundingChunkIndices": [0]}]}}
```

What to do: compare the segment with the sentence around it; if all of them are off, look for
what was changed in the text.
"#,
});

/// Only where the offsets stand as sent: a misfit is a cause of its own.
pub(super) fn check(review: &Review, found: &mut Vec<Finding>) {
    let text = review.response.text();
    // Two parts may stand behind one another without a blank.
    let begin = |part: &Part| if let Part::Text(range) = part { Some(range.start) } else { None };
    let starts: Vec<usize> = review.response.parts.iter().filter_map(begin).collect();
    let is_border = |at: usize| starts.binary_search(&at).is_ok();
    let is_cut = |at: &usize| is_in_word(text, *at) && !is_border(*at);
    let cut = |range: Range<usize>| [range.start, range.end].into_iter().find(is_cut);
    let mut hits = Vec::new();
    let mut first = None;
    for support in review.supports() {
        let as_sent = matches!(support.anchor().verdict, Verdict::Exact | Verdict::AsSent)
            && support.own.placed.is_none();
        let Some(at) = support.named().filter(|_| as_sent).and_then(cut) else { continue };
        first.get_or_insert(at);
        hits.push(support.index);
    }
    let Some(at) = first else { return };
    let word = word_around(text, at);
    let parts = text.get(word.clone()).and_then(|letters| letters.split_at_checked(at - word.start));
    let (before, after) = parts.unwrap_or_default();
    found.extend(on_supports(&OFFSET_MIDWORD, review, hits, |hits| {
        format!("{} inside a word: “{before}|{after}”", subject(hits, "begins or ends", "begin or end"))
    }));
}

/// The word around a place, at most forty characters to either side.
fn word_around(text: &str, at: usize) -> Range<usize> {
    let letter = |c: &char| !matches!(class(*c), Class::Break);
    let (before, after) = text.split_at_checked(at).unwrap_or_default();
    let start: usize = before.chars().rev().take(40).take_while(letter).map(char::len_utf8).sum();
    let end: usize = after.chars().take(40).take_while(letter).map(char::len_utf8).sum();
    at - start..at + end
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::check::testing::{candidate, cited, ids, pages, silent};

    #[test]
    fn words_end_at_signs_and_where_scripts_have_no_blanks() {
        let one = |start: usize, end: usize, answer: &str| {
            let support =
                json!({"segment": {"startIndex": start, "endIndex": end}, "groundingChunkIndices": [0]});
            candidate(answer, pages(&["https://a.example"]), json!([support]))
        };
        silent(&OFFSET_MIDWORD, &one(3, 10, "`a.length` is 9"));
        silent(&OFFSET_MIDWORD, &one(0, 9, "橋は長い"));
        silent(&OFFSET_MIDWORD, &one(0, 6, "ไทยนี้"));
    }

    #[test]
    fn a_misfit_is_reported_by_its_own_rule() {
        let drifted =
            cited("Rio opens at nine.", &[("Rio opens at nine.", &[0])], pages(&["https://a.example"]))
                .replace("\"endIndex\":18", "\"endIndex\":15");
        assert_eq!(ids(&drifted), ["quote-mismatch"]);
    }
}
