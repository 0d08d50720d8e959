//! Characters that were lost on the way and replaced.

use std::ops::Range;

use crate::check::Finding;
use crate::check::context::Context;
use crate::check::finding::excerpt;
use crate::review::Review;
use crate::text::counted;

rule!(ENCODING_REPLACED {
    id: "encoding-replaced",
    group: Answer,
    severity: Warning,
    summary: "characters were lost and replaced",
    help: "a stream was cut inside a character and each piece decoded alone",
    explain: r#"Characters of the answer were lost: in their place stands U+FFFD, the sign for bytes that could
not be decoded. Streams that are cut into pieces of bytes and decoded piece by piece do this.
Each lost character moves all offsets behind it.

It is known by the sign itself. Where citescope had to mend the input, that is told instead.

Before, what is sent:

```json
{"content": {"parts": [{"text": "The Caf� Río opens at nine."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 30, "text": "The Caf� Río opens at nine."},
    "groundingChunkIndices": [0]}]}}
```

After:

```json
{"content": {"parts": [{"text": "The Café Río opens at nine."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 29, "text": "The Café Río opens at nine."},
    "groundingChunkIndices": [0]}]}}
```

What to do: decode the whole stream, or with a decoder that keeps unfinished characters.
"#,
});

/// Where the input itself was mended, that is the cause.
pub(super) fn check(review: &Review, context: &Context, found: &mut Vec<Finding>) {
    if !context.notices.is_empty() {
        return;
    }
    let text = review.response.text();
    let hits = memchr::memmem::find_iter(text.as_bytes(), "\u{FFFD}");
    let places: Vec<Range<usize>> = hits.map(|at| at..at + '\u{FFFD}'.len_utf8()).collect();
    let Some(first) = places.first() else { return };
    let start = text.floor_char_boundary(first.start.saturating_sub(12));
    let end = text.ceil_char_boundary((first.end + 12).min(text.len()));
    let words = excerpt(review, &(start..end));
    let message = format!("{} lost and replaced, the first in “{words}”", counted(places.len(), "character"));
    found.push(Finding::new(&ENCODING_REPLACED, &review.response.origin, message).places(places));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{silent, whole};

    #[test]
    fn a_question_mark_may_be_meant() {
        silent(&ENCODING_REPLACED, &whole("It opens at nine?"));
    }
}
