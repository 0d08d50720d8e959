//! A segment of signs alone: `**`, a bullet.

use std::ops::Range;

use crate::check::Finding;
use crate::check::finding::{anchored, excerpt, on_supports, subject};
use crate::review::Review;

rule!(SEGMENT_MARKUP {
    id: "segment-markup",
    group: Offsets,
    severity: Note,
    summary: "a segment holds only markup",
    help: "it backs no words; searching the answer for it would mark every place it occurs",
    explain: r#"A segment holds signs only: `**`, a bullet, a row of dashes. Models that write Markdown produce
such segments where a heading or a list begins. No words rest on the source. A reader that looks
for the segment's text in the answer marks every place where the sign occurs.

It is known by the characters of the span: punctuation and blanks, no letter and no digit.

Before, what is sent:

```json
{"content": {"parts": [{"text": "**Opening hours**\n\nRio opens at nine."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 2, "text": "**"}, "groundingChunkIndices": [0]}]}}
```

After:

```json
{"content": {"parts": [{"text": "**Opening hours**\n\nRio opens at nine."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"startIndex": 19, "endIndex": 37, "text": "Rio opens at nine."},
    "groundingChunkIndices": [0]}]}}
```

What to do: leave it out of marks and footnotes; the sources can still be listed.
"#,
});

pub(super) fn check(review: &Review, found: &mut Vec<Finding>) {
    let text = review.response.text();
    let sign = |c: char| c.is_ascii_punctuation() || c.is_whitespace() || matches!(c, '•' | '·' | '–' | '—');
    let bare = |range: &Range<usize>| {
        let words = text.get(range.clone()).unwrap_or_default();
        !words.is_empty() && words.chars().all(sign)
    };
    let hits =
        anchored(review, |support, anchor| !support.is_inferred() && anchor.range.as_ref().is_some_and(bare));
    found.extend(on_supports(&SEGMENT_MARKUP, review, hits, |hits| {
        let first = hits.first().and_then(|&first| review.support(first)?.range());
        let signs = excerpt(review, &first.unwrap_or_default());
        format!("{} only markup: “{signs}”", subject(hits, "holds", "hold"))
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{cited, pages, silent};

    #[test]
    fn marked_words_and_emoji_are_text() {
        let one = |answer: &str, quote: &str| cited(answer, &[(quote, &[0])], pages(&["https://a.example"]));
        silent(&SEGMENT_MARKUP, &one("**Nine** o’clock", "**Nine**"));
        silent(&SEGMENT_MARKUP, &one("Open 🎉 now", "🎉"));
    }
}
