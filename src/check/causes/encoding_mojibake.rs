//! UTF-8 that was read as Latin-1 on its way.

use std::ops::Range;

use crate::check::Finding;
use crate::check::finding::{listed, on_sources, sources_where};
use crate::model::Source;
use crate::review::Review;
use crate::text::counted;

rule!(ENCODING_MOJIBAKE {
    id: "encoding-mojibake",
    group: Answer,
    severity: Warning,
    summary: "UTF-8 was read as Latin-1 on the way",
    help: "decode it as UTF-8 where it is fetched; offsets count the right text",
    explain: r#"UTF-8 was decoded as Latin-1 or Windows-1252 on the way: “Ã©” stands for “é”, “â€™” for “’”. The
offsets count the bytes of the right text, so they fit the wrong one as characters, if at all.

It is known by decoding again: a run of characters whose codes are the UTF-8 bytes of one. Pairs
that occur in real Portuguese, French or German are left alone. The message says what the first
place reads.

Before, what is sent:

```json
{"content": {"parts": [{"text": "The CafÃ© opens at nine."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 26, "text": "The CafÃ© opens at nine."}, "groundingChunkIndices": [0]}]}}
```

After:

```json
{"content": {"parts": [{"text": "The Café opens at nine."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 24, "text": "The Café opens at nine."}, "groundingChunkIndices": [0]}]}}
```

What to do: find the place that reads the response without naming UTF-8, often a client that
trusts a missing charset.
"#,
});

/// Sources are looked at only where the answer is right.
pub(super) fn check(review: &Review, found: &mut Vec<Finding>) {
    let response = &review.response;
    let garbled = garbled(response.text());
    if let Some((range, right)) = garbled.first() {
        let message = message(response.text(), garbled.len(), range, right);
        let places = garbled.into_iter().map(|(range, _)| range).collect();
        found.push(Finding::new(&ENCODING_MOJIBAKE, &response.origin, message).places(places));
        return;
    }
    let texts = |source: &Source| {
        source.title.iter().any(|title| is_garbled(title))
            || source.chunks.iter().any(|chunk| is_garbled(&chunk.text))
    };
    found.extend(on_sources(&ENCODING_MOJIBAKE, response, sources_where(response, texts), |sources| {
        format!("text of {} is UTF-8 read as Latin-1", listed(sources))
    }));
}

/// The first place with the rest of its word, as it stands and as it was meant.
fn message(text: &str, places: usize, range: &Range<usize>, right: &str) -> String {
    let (before, wrong) = text.split_at_checked(range.start).unwrap_or_default();
    let (wrong, after) = wrong.split_at_checked(range.len()).unwrap_or_default();
    let in_word = |c: &char| !c.is_whitespace();
    let head: usize = before.chars().rev().take(12).take_while(in_word).map(char::len_utf8).sum();
    let tail: usize = after.chars().take(12).take_while(in_word).map(char::len_utf8).sum();
    let before = before.get(before.len() - head..).unwrap_or_default();
    let after = after.get(..tail).unwrap_or_default();
    let places = counted(places, "place");
    format!(
        "{places} of UTF-8 read as Latin-1: “{before}{wrong}{after}” reads “{before}{right}{after}” when \
         decoded again"
    )
}

fn is_garbled(text: &str) -> bool {
    !garbled(text).is_empty()
}

/// Places that are the UTF-8 bytes of one or more characters, each byte shown as a character of its own, with
/// what they read when decoded again.
///
/// Real text holds such pairs too (`CAFÉ…`, `IRMÃ»`, `Spaß“`), so a pair counts only where what it decodes to
/// is common and what it is made of is not.
fn garbled(text: &str) -> Vec<(Range<usize>, String)> {
    let bytes = text.as_bytes();
    let mut out: Vec<(Range<usize>, String)> = Vec::new();
    let mut from = 0;
    // All lead bytes, U+00C2 to U+00F4, begin with C3 in UTF-8.
    while let Some(at) = memchr::memchr(0xC3, bytes.get(from..).unwrap_or_default()).map(|at| from + at) {
        // What follows a lead is never ASCII: this passes over most letters with accents.
        if bytes.get(at + 2).is_none_or(u8::is_ascii) {
            from = at + 2;
            continue;
        }
        let mut end = at;
        let mut decoded = String::new();
        while let Some((length, c)) = text.get(end..).and_then(decode) {
            decoded.push(c);
            end += length;
        }
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        if is_likely(text.get(at..end).unwrap_or_default(), &decoded, before) {
            out.push((at..end, decoded));
        }
        from = end.max(at + 1);
    }
    out
}

/// The character whose UTF-8 bytes stand at the beginning as characters, and the length of those.
fn decode(text: &str) -> Option<(usize, char)> {
    let mut chars = text.chars();
    let lead = byte_of(chars.next()?)?;
    let more = match lead {
        0xC2..=0xDF => 1,
        0xE0..=0xEF => 2,
        0xF0..=0xF4 => 3,
        _ => return None,
    };
    let mut sequence = vec![lead];
    let mut length = text.chars().next()?.len_utf8();
    for c in chars.take(more) {
        sequence.push(byte_of(c).filter(|byte| (0x80..=0xBF).contains(byte))?);
        length += c.len_utf8();
    }
    let decoded = std::str::from_utf8(&sequence).ok().filter(|_| sequence.len() == more + 1)?;
    Some((length, decoded.chars().next()?))
}

/// Windows-1252, which browsers read for Latin-1, or Latin-1 itself.
fn byte_of(c: char) -> Option<u8> {
    const HIGH: [char; 27] = [
        '€', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 'Ž', '‘', '’', '“', '”', '•', '–', '—',
        '˜', '™', 'š', '›', 'œ', 'ž', 'Ÿ',
    ];
    const BYTES: [u8; 27] = [
        0x80, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8A, 0x8B, 0x8C, 0x8E, 0x91, 0x92, 0x93, 0x94,
        0x95, 0x96, 0x97, 0x98, 0x99, 0x9A, 0x9B, 0x9C, 0x9E, 0x9F,
    ];
    u8::try_from(u32::from(c))
        .ok()
        .or_else(|| HIGH.iter().zip(BYTES).find(|(high, _)| **high == c).map(|(_, byte)| byte))
}

/// Signs that follow a capital in real text: closing quotes, dashes, the ellipsis, a blank, ordinals.
const CLOSING: [char; 15] = ['»', '›', '”', '’', '“', '‘', '…', '–', '—', '\u{A0}', 'ª', 'º', '°', '™', '•'];

fn is_likely(sent: &str, decoded: &str, before: Option<char>) -> bool {
    let mut chars = decoded.chars();
    let (Some(first), second) = (chars.next(), chars.next()) else { return false };
    if second.is_some() {
        // Two in a row do not happen by chance, but for quotes and dashes behind capitals.
        return !decoded.chars().any(char::is_control);
    }
    let tail = sent.chars().nth(1);
    // C1 controls are no text: only a wrong decoding makes them.
    if sent.chars().any(|c| matches!(c, '\u{80}'..='\u{9F}')) {
        return !first.is_control();
    }
    let capital = before.is_some_and(char::is_uppercase);
    match first {
        '\u{A0}'..='\u{FF}' => !(capital && tail.is_some_and(|c| CLOSING.contains(&c))),
        '\u{100}'..='\u{17F}' => {
            before.is_some_and(char::is_lowercase) || !tail.is_some_and(|c| CLOSING.contains(&c))
        }
        '\u{2010}'..='\u{2122}' | '\u{FEFF}' | '\u{1F000}'..='\u{1FAFF}' => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{silent, whole};

    fn read(text: &str) -> Vec<String> {
        garbled(text).into_iter().map(|(_, right)| right).collect()
    }

    #[test]
    fn wrong_decodings_are_read_again() {
        assert_eq!(read("58Â°F and cafÃ© and donâ€™t â€” noâ€¦"), ["°", "é", "’", "—", "…"]);
        assert_eq!(read("naÃ¯ve GÃ¶ttingen Å‚Ã³dÅº"), ["ï", "ö", "łó", "ź"]);
        assert_eq!(read("ðŸ˜€ and ÐŸÑ€Ð¸Ð²ÐµÑ‚ and æ—¥æœ¬"), ["😀", "Привет", "日本"]);
        assert_eq!(read("it\u{E2}\u{80}\u{99}s \u{C3}\u{A0}"), ["’", "à"]);
    }

    #[test]
    fn portuguese_french_german_and_others_are_left_alone() {
        let real = [
            "A IRMÃ» disse: «não», às três da manhã; avó, avô, coração, MAÇÃ” e MAÇÃ…",
            "CAFÉ… Où est l’hôtel ? Ça va, déjà vu, «\u{A0}à la carte\u{A0}», ÎLE—ÉTÉ’, naïve, œuvre, Élysée",
            "„Spaß“ und „Straße“, GRÖẞE, Äpfel, Öl, Übung – daß’s",
            "SEÑOR’S AÑO… ¿QUÉ? ÁÉÍÓÚ”, ångström, Åse’s, smörgåsbord",
            "Türkçe İstanbul, ÇİĞ… Română: ȘI ÎN… Polski: Łódź, ŻÓŁĆ”",
            "Tiếng Việt: ĐÂY LÀ… Â… Ê” và Ô’",
        ];
        for text in real {
            assert_eq!(read(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn quotes_behind_capitals_are_no_wrong_decoding() {
        let real = "«Não, São Paulo não é à beira-mar», disse a IRMÃ… CAFÉ… „Spaß“, naïve façade.";
        silent(&ENCODING_MOJIBAKE, &whole(real));
    }
}
