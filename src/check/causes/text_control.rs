//! Characters that steer a terminal, reorder a line or hide text.

use std::collections::HashSet;

use crate::check::Finding;
use crate::check::finding::{listed, on_sources, sources_where};
use crate::model::Source;
use crate::review::Review;
use crate::text::{counted, stand_in, strays};

rule!(TEXT_CONTROL {
    id: "text-control",
    group: Safety,
    severity: Warning,
    summary: "characters that steer, reorder or hide text",
    help: "they are shown as stand-ins and taken out of copies; do not print the raw text",
    explain: r#"The text holds characters that steer a terminal, change the direction of text, or have no width:
escape sequences, bidi overrides, zero-width blanks. They come from web pages, or from someone
who wants a reader to see other words than a machine. On the screen and in copies citescope
shows visible stand-ins.

It is known by their code points. Joiners inside emoji and where a script writes with them are
no strays; direction marks and soft hyphens are left alone. In passages only what steers or
reorders counts.

Before, what is sent:

```json
{"content": {"parts": [{"text": "Rio opens at nine.\u001b[2J"}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."}, "groundingChunkIndices": [0]}]}}
```

After:

```json
{"content": {"parts": [{"text": "Rio opens at nine."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."}, "groundingChunkIndices": [0]}]}}
```

What to do: do not print the raw text to a terminal. Take the characters out before you compare
texts.
"#,
});

/// Places that are shown: a text may be of nothing else.
const SHOWN: usize = 1 << 16;

pub(super) fn check(review: &Review, found: &mut Vec<Finding>) {
    let response = &review.response;
    // A provider's mark may be a blank without width.
    let marks: HashSet<usize> =
        response.supports.iter().filter_map(|support| Some(support.own.mark.as_ref()?.start)).collect();
    let is_slot = |at: &usize| marks.contains(at) || marks.contains(&(at + '\u{200B}'.len_utf8()));
    let reserved = |(at, c): &(usize, char)| *c == '\u{200B}' && is_slot(at);
    let answer = || suspicious(response.text()).filter(|found| !reserved(found));
    if let Some((_, first)) = answer().next() {
        let message = format!(
            "{} in the answer that steer, reorder or hide text, the first {} ({})",
            counted(answer().count(), "character"),
            stand_in(first).unwrap_or_default(),
            kind(first)
        );
        let places = answer().map(|(at, c)| at..at + c.len_utf8()).take(SHOWN).collect();
        found.push(Finding::new(&TEXT_CONTROL, &response.origin, message).places(places));
    }
    let holds_some = |source: &Source| {
        source.title.iter().chain(&source.uri).any(|text| suspicious(text).next().is_some())
            || source.chunks.iter().any(|chunk| steers(&chunk.text))
    };
    found.extend(on_sources(&TEXT_CONTROL, response, sources_where(response, holds_some), |sources| {
        format!(
            "{}: title, address or text holds characters that steer, reorder or hide text",
            listed(sources)
        )
    }));
}

fn suspicious(text: &str) -> impl Iterator<Item = (usize, char)> + '_ {
    strays(text).filter(|(_, c)| !is_mark(*c))
}

/// Marks of direction belong to text from right to left, soft hyphens to typesetting.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{200E}' | '\u{200F}' | '\u{61C}' | '\u{AD}')
}

/// Whether a passage holds a control character or one that changes the direction of text. Passages are long,
/// so this looks at bytes: C0 and DEL, C1 (C2 80 to 9F), U+202A to 202E and U+2066 to 2069 (E2 80 AA to AE,
/// E2 81 A6 to A9).
fn steers(text: &str) -> bool {
    let bytes = text.as_bytes();
    let plain = |plain: bool, byte: &u8| plain & matches!(byte, b' '..=b'~' | b'\n' | b'\t' | b'\r' | 0x80..);
    let wide = |at: usize| match bytes.get(at..) {
        Some([0xC2, 0x80..=0x9F, ..] | [0xE2, 0x80, 0xAA..=0xAE, ..] | [0xE2, 0x81, 0xA6..=0xA9, ..]) => true,
        Some(_) | None => false,
    };
    !bytes.iter().fold(true, plain) || memchr::memchr2_iter(0xC2, 0xE2, bytes).any(wide)
}

fn kind(c: char) -> &'static str {
    match c {
        '\u{1B}' | '\u{9B}' => "begins a terminal sequence",
        _ if c.is_control() => "a control character",
        '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => "changes the direction of the text",
        '\u{E0000}'..='\u{E0FFF}' => "a tag that nobody sees",
        _ => "has no width",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::check::testing::{cited, fires, silent, whole};

    #[test]
    fn characters_that_scripts_and_emoji_need_are_left_alone() {
        let needed = "Line\r\nline\ttab, 👩\u{200D}🔬, می\u{200C}خواهم, soft\u{AD}hyphen, שלום\u{200F}!";
        silent(&TEXT_CONTROL, &whole(needed));
        fires(&TEXT_CONTROL, &whole("Nine\u{202E}."));
    }

    #[test]
    fn passages_may_hold_what_web_pages_hold() {
        let passage = |text: &str| {
            cited(
                "Nine.",
                &[("Nine.", &[0])],
                json!([{"retrievedContext": {"uri": "https://a.example", "text": text}}]),
            )
        };
        silent(&TEXT_CONTROL, &passage("zero\u{200B}width in a passage, “quotes” and\u{A0}blanks"));
        fires(&TEXT_CONTROL, &passage("over\u{202E}ride"));
        fires(&TEXT_CONTROL, &passage("next\u{85}line"));
    }
}
