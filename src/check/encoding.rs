//! Rules on text that was decoded wrongly on its way: UTF-8 read as Latin-1, and characters that were lost.

use std::ops::Range;

use super::{Finding, counted, excerpt, listed};
use crate::model::Notice;
use crate::review::Reviewed;

pub(super) fn check(reviewed: &Reviewed, notices: &[Notice], found: &mut Vec<Finding>) {
    mojibake(reviewed, found);
    replaced(reviewed, notices, found);
}

fn mojibake(reviewed: &Reviewed, found: &mut Vec<Finding>) {
    let response = &reviewed.response;
    let places = garbled(response.text());
    if let Some((range, right)) = places.first() {
        let text = response.text();
        let start = text
            .get(..range.start)
            .and_then(|before| before.char_indices().rev().take(12).take_while(|(_, c)| !c.is_whitespace()).last())
            .map_or(range.start, |(at, _)| at);
        let end = text.get(range.end..).map_or(range.end, |after| {
            range.end + after.chars().take(12).take_while(|c| !c.is_whitespace()).map(char::len_utf8).sum::<usize>()
        });
        let part = |range: Range<usize>| text.get(range).unwrap_or_default();
        let (before, after) = (part(start..range.start), part(range.end..end));
        let message = format!(
            "{} of UTF-8 read as Latin-1: “{}” reads “{before}{right}{after}” when decoded again",
            counted(places.len(), "place"),
            part(start..end)
        );
        let places = places.into_iter().map(|(range, _)| range).collect();
        found.push(Finding::new("encoding-mojibake", &response.origin, message).places(places));
        return;
    }
    let texts = |source: &crate::model::Source| {
        source.title.iter().any(|title| is_garbled(title)) || source.chunks.iter().any(|chunk| is_garbled(&chunk.text))
    };
    let sources: Vec<usize> = response.sources.iter().enumerate().filter(|(_, source)| texts(source)).map(|(index, _)| index).collect();
    if let Some(origin) = sources.first().and_then(|&first| response.sources.get(first)).map(|source| source.origin.clone()) {
        let message = format!("text of {} is UTF-8 read as Latin-1", listed(&sources));
        found.push(Finding::new("encoding-mojibake", &origin, message).sources(sources));
    }
}

/// A mended input is a cause of its own.
fn replaced(reviewed: &Reviewed, notices: &[Notice], found: &mut Vec<Finding>) {
    let text = reviewed.response.text();
    let places: Vec<Range<usize>> = memchr::memmem::find_iter(text.as_bytes(), "\u{FFFD}").map(|at| at..at + 3).collect();
    let Some(first) = places.first().filter(|_| notices.is_empty()) else { return };
    let start = text.floor_char_boundary(first.start.saturating_sub(12));
    let words = excerpt(text, &(start..text.ceil_char_boundary((first.end + 12).min(text.len()))));
    let message = format!("{} lost and replaced, the first in “{words}”", counted(places.len(), "character"));
    found.push(Finding::new("encoding-replaced", &reviewed.response.origin, message).places(places));
}

fn is_garbled(text: &str) -> bool {
    !garbled(text).is_empty()
}

/// Places that are the UTF-8 bytes of one or more characters, each byte shown as a character of its own, with what they
/// read when decoded again.
///
/// Real text holds such pairs too (`CAFÉ…`, `IRMÃ»`, `Spaß“`), so a pair counts only where what it decodes to is
/// common and what it is made of is not.
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
        '€', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 'Ž', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 'ž',
        'Ÿ',
    ];
    const BYTES: [u8; 27] = [
        0x80, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8A, 0x8B, 0x8C, 0x8E, 0x91, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99,
        0x9A, 0x9B, 0x9C, 0x9E, 0x9F,
    ];
    u8::try_from(u32::from(c)).ok().or_else(|| HIGH.iter().zip(BYTES).find(|(high, _)| **high == c).map(|(_, byte)| byte))
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
        '\u{100}'..='\u{17F}' => before.is_some_and(char::is_lowercase) || !tail.is_some_and(|c| CLOSING.contains(&c)),
        '\u{2010}'..='\u{2122}' | '\u{FEFF}' | '\u{1F000}'..='\u{1FAFF}' => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
