//! Safe text: every character that could steer a terminal, reorder a line or hide itself becomes visible.
//!
//! Promises: the output holds nothing that [`stand_in`] names, but for joiners and selectors in the places
//! where a script or an emoji needs them; sanitising twice changes nothing; clean text is borrowed. A
//! character is judged by its neighbours inside its own extended grapheme cluster only, so the screen, which
//! works by clusters, shows exactly what a sanitised copy holds.

use std::borrow::Cow;

use unicode_width::UnicodeWidthChar;

const ZERO_WIDTH_NON_JOINER: char = '\u{200C}';
const ZERO_WIDTH_JOINER: char = '\u{200D}';
const BLACK_FLAG: char = '\u{1F3F4}';
const CANCEL_TAG: char = '\u{E007F}';

/// The visible stand-in of a character which must not reach a terminal, a clipboard or a text file as it is:
/// a control picture (`␛`) for C0 and DEL, else the code point in brackets (`<U+202E>`). `None` where the
/// character is fine.
///
/// The character is judged as if it stood alone, so joiners and variation selectors have a stand-in;
/// [`sanitize`] knows where they may stay.
pub fn stand_in(c: char) -> Option<Cow<'static, str>> {
    if !is_special(c) {
        return None;
    }
    let picture = match c {
        '\0'..='\u{1F}' => char::from_u32(0x2400 + u32::from(c)),
        '\u{7F}' => Some('␡'),
        _ => None,
    };
    Some(picture.map_or_else(|| format!("<U+{:04X}>", u32::from(c)), String::from).into())
}

/// Text that is safe for terminals, clipboards and text files: stand-ins for everything forbidden, `"\r\n"`
/// as `"\n"`.
///
/// What stays: ZWJ inside emoji sequences, ZWJ and ZWNJ behind letters of scripts which write with them, a
/// variation selector behind a base, the tags of a flag. Borrowed when nothing changes.
pub fn sanitize(text: &str) -> Cow<'_, str> {
    let mut safe = String::new();
    let mut copied = 0;
    let mut from = 0;
    while let Some((at, c)) = next_special(text, from) {
        from = at + c.len_utf8();
        let before = text.get(..at).unwrap_or_default();
        let after = text.get(from..).unwrap_or_default();
        if stays(before, c, after) {
            continue;
        }
        safe.push_str(text.get(copied..at).unwrap_or_default());
        if c != '\r' || !after.starts_with('\n') {
            safe.push_str(&stand_in(c).unwrap_or_default());
        }
        copied = from;
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    safe.push_str(text.get(copied..).unwrap_or_default());
    Cow::Owned(safe)
}

/// Characters that [`sanitize`] would replace, with the byte where each stands.
pub fn strays(text: &str) -> impl Iterator<Item = (usize, char)> + '_ {
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            let (at, c) = next_special(text, from)?;
            from = at + c.len_utf8();
            let after = text.get(from..).unwrap_or_default();
            let line_end = c == '\r' && after.starts_with('\n');
            if !line_end && !stays(text.get(..at).unwrap_or_default(), c, after) {
                return Some((at, c));
            }
        }
    })
}

/// JSON text without what [`sanitize`] would replace, and without beginnings of commands of runners of CI:
/// each such character as an escape (`\u202e`), which every reader takes for the same.
pub fn escaped_in_json(json: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut copied = 0;
    for (at, c) in strays(json) {
        out.push_str(json.get(copied..at).unwrap_or_default());
        for unit in c.encode_utf16(&mut [0; 2]) {
            out.push_str(&format!("\\u{unit:04x}"));
        }
        copied = at + c.len_utf8();
    }
    let escaped = if copied == 0 {
        Cow::Borrowed(json)
    } else {
        out.push_str(json.get(copied..).unwrap_or_default());
        Cow::Owned(out)
    };
    match led_in(&escaped, "#\\u0023") {
        Some(harmless) => harmless.into(),
        None => escaped,
    }
}

/// One safe line: as [`sanitize`], with newlines and tabs as a blank, and each run of blanks as one.
///
/// Blanks at the ends stay, as one. Borrowed when nothing changes.
pub fn one_line(text: &str) -> Cow<'_, str> {
    let safe = sanitize(text);
    let mut blanks = false;
    let odd = safe.chars().any(|c| {
        let second = std::mem::replace(&mut blanks, is_blank(c)) && blanks;
        second || c == '\n' || c == '\t'
    });
    if !odd {
        return safe;
    }
    let mut line = String::with_capacity(safe.len());
    let mut chars = safe.chars().peekable();
    while let Some(c) = chars.next() {
        let mut folded = c == '\n' || c == '\t';
        while is_blank(c) && chars.next_if(|next| is_blank(*next)).is_some() {
            folded = true;
        }
        line.push(if folded { ' ' } else { c });
    }
    Cow::Owned(line)
}

/// Whether a character needs a stand-in, at least where it stands alone.
#[inline]
fn is_special(c: char) -> bool {
    if c < '\u{7F}' {
        return c < ' ' && c != '\n' && c != '\t';
    }
    matches!(c,
        '\u{7F}'..='\u{9F}' | '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}'..='\u{1160}'
        | '\u{17B4}'..='\u{17B5}' | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}'
        | '\u{FFF0}'..='\u{FFFB}' | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
}

/// Whether [`sanitize`] would change nothing; for short texts.
pub(super) fn is_safe(text: &str) -> bool {
    text.char_indices().all(|(at, c)| {
        !is_special(c) || {
            let (before, rest) = text.split_at_checked(at).unwrap_or_default();
            stays(before, c, rest.get(c.len_utf8()..).unwrap_or_default())
        }
    })
}

/// Text in which no runner of CI finds a command: they take `##[…]` and `##vso[…]` for one wherever it
/// stands.
pub fn without_commands(text: &str) -> Cow<'_, str> {
    led_in(text, "##␛").map_or(Cow::Borrowed(text), Cow::Owned)
}

/// A text whose commands of runners begin with something else than `##`, where it has any.
fn led_in(text: &str, lead: &str) -> Option<String> {
    let has_any = text.contains("##") && (text.contains("##[") || text.contains("##vso["));
    has_any.then(|| text.replace("##[", &format!("{lead}[")).replace("##vso[", &format!("{lead}vso[")))
}

/// The same of text of several lines: `::name::` is a command where it begins one.
pub fn without_line_commands(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in without_commands(text).split_inclusive('\n') {
        let (blank, rest) = line.split_at(line.len() - line.trim_start().len());
        out.push_str(blank);
        match rest.strip_prefix("::") {
            Some(rest) => out.extend([":␛:", rest]),
            None => out.push_str(rest),
        }
    }
    out
}

/// The next special character at or after a character boundary, with its offset.
///
/// What surely is none is skipped by the block.
fn next_special(text: &str, from: usize) -> Option<(usize, char)> {
    let bytes = text.as_bytes();
    let mut at = from;
    loop {
        let rest = bytes.get(at..)?;
        let plain = plain_blocks(rest);
        at += plain + rest.get(plain..)?.iter().position(|byte| may_begin_special(*byte))?;
        while bytes.get(at).is_some_and(|byte| may_begin_special(*byte)) {
            let c = text.get(at..)?.chars().next()?;
            if is_special(c) {
                return Some((at, c));
            }
            at += c.len_utf8();
        }
    }
}

/// Whether a byte may be the first one of a special character.
#[inline]
fn may_begin_special(byte: u8) -> bool {
    matches!(byte, 0..=8 | 11..=31 | 0x7F | 0xC2 | 0xCD | 0xD8 | 0xE1..=0xE3 | 0xEF..)
}

/// How many bytes at the start surely begin no special character: a whole number of blocks, so that the check
/// is one of vectors. Of plain ASCII it is shorter.
fn plain_blocks(bytes: &[u8]) -> usize {
    let is_ascii = |block: &[u8]| {
        block.iter().fold(true, |plain, byte| plain & matches!(byte, b' '..=b'~' | b'\n' | b'\t'))
    };
    let is_plain = |block: &&[u8]| {
        is_ascii(block) || !block.iter().fold(false, |found, byte| found | may_begin_special(*byte))
    };
    bytes.chunks_exact(BLOCK).take_while(is_plain).count() * BLOCK
}

const BLOCK: usize = 32;

/// Whether a special character may stay between its neighbours.
///
/// Each rule rests on neighbours that are never replaced themselves, so that its verdict is the same in the
/// output.
fn stays(before: &str, c: char, after: &str) -> bool {
    let previous = before.chars().next_back();
    let next = after.chars().next();
    match c {
        ZERO_WIDTH_NON_JOINER | ZERO_WIDTH_JOINER => {
            let doubled = matches!(next, Some(ZERO_WIDTH_NON_JOINER | ZERO_WIDTH_JOINER));
            previous.is_some_and(writes_with_joiners) && !doubled
                || c == ZERO_WIDTH_JOINER && joins_emoji(before, next)
        }
        // A grapheme joiner keeps marks apart.
        '\u{34F}' => previous.is_some_and(is_base) && next.is_some_and(is_mark),
        '\u{180B}'..='\u{180D}' | '\u{180F}' => {
            previous.is_some_and(|c| matches!(c, '\u{1800}'..='\u{180A}' | '\u{1810}'..='\u{18AF}'))
        }
        '\u{FE0E}' | '\u{FE0F}' => previous.is_some_and(is_base),
        '\u{FE00}'..='\u{FE0D}' => previous.is_some_and(|c| is_base(c) && (c == '0' || !c.is_ascii())),
        '\u{E0100}'..='\u{E01EF}' => previous.is_some_and(is_ideograph),
        '\u{E0020}'..='\u{E007F}' => in_flag(before, c, after),
        _ => false,
    }
}

/// Whether a joiner stands between two pictographs, the first perhaps with a skin tone or an emoji selector.
fn joins_emoji(before: &str, next: Option<char>) -> bool {
    let mut left = before.chars().rev();
    let mut base = left.next();
    if matches!(base, Some('\u{FE0F}' | '\u{1F3FB}'..='\u{1F3FF}')) {
        base = left.next();
    }
    base.is_some_and(is_pictograph) && next.is_some_and(is_pictograph)
}

/// Whether a tag belongs to a flag such as Scotland's: a black flag, three to six tag letters or digits, a
/// cancel tag.
fn in_flag(before: &str, tag: char, after: &str) -> bool {
    let is_letter = |c: &char| matches!(c, '\u{E0030}'..='\u{E0039}' | '\u{E0061}'..='\u{E007A}');
    let left = before.chars().rev().take(7).take_while(is_letter).count();
    let opened = before.chars().rev().nth(left) == Some(BLACK_FLAG);
    if tag == CANCEL_TAG {
        return opened && (3..=6).contains(&left);
    }
    let right = after.chars().take(7).take_while(is_letter).count();
    let closed = after.chars().nth(right) == Some(CANCEL_TAG);
    opened && closed && is_letter(&tag) && (3..=6).contains(&(left + 1 + right))
}

/// Something a variation selector can act on: a visible character that is not a mark, nor a hieroglyph's
/// control.
fn is_base(c: char) -> bool {
    !is_special(c)
        && !matches!(c, '\u{13430}'..='\u{1343F}')
        && !c.is_whitespace()
        && c.width().is_some_and(|width| width > 0)
}

fn is_blank(c: char) -> bool {
    matches!(
        c,
        ' ' | '\t' | '\n' | '\u{A0}' | '\u{1680}' | '\u{2000}'
            ..='\u{200A}' | '\u{202F}' | '\u{205F}' | '\u{3000}'
    )
}

fn is_mark(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{34E}' | '\u{350}'..='\u{36F}' | '\u{591}'..='\u{5BD}' | '\u{5BF}' | '\u{5C1}'..='\u{5C2}'
        | '\u{5C4}'..='\u{5C5}' | '\u{5C7}' | '\u{64B}'..='\u{65F}' | '\u{1AB0}'..='\u{1ACE}' | '\u{1DC0}'..='\u{1DFF}')
}

fn is_ideograph(c: char) -> bool {
    matches!(c,
        '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFD}')
}

/// Letters and marks of the scripts in whose spelling ZWJ and ZWNJ have a part (Unicode 17, chapters 9,
/// 12–17, 19).
fn writes_with_joiners(c: char) -> bool {
    !is_special(c)
        && matches!(c,
            // Hebrew, Arabic, Syriac, N'Ko, Mandaic
            '\u{591}'..='\u{5F4}' | '\u{610}'..='\u{6FF}' | '\u{700}'..='\u{77F}' | '\u{7C0}'..='\u{7FF}'
            | '\u{840}'..='\u{88F}' | '\u{8A0}'..='\u{8FF}' | '\u{FB1D}'..='\u{FDFF}' | '\u{FE70}'..='\u{FEFC}'
            // Devanagari to Sinhala, Myanmar, Khmer, Mongolian, Tai and island scripts
            | '\u{900}'..='\u{DFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' | '\u{1807}'..='\u{18AF}'
            | '\u{1A00}'..='\u{1AAD}' | '\u{1B00}'..='\u{1BFF}' | '\u{2D30}'..='\u{2D7F}' | '\u{A800}'..='\u{A8FF}'
            | '\u{A980}'..='\u{A9DF}' | '\u{AA60}'..='\u{AA7F}'
            // Manichaean to Old Uyghur, Brahmi and its kin, Adlam
            | '\u{10AC0}'..='\u{10AFF}' | '\u{10B80}'..='\u{10BAF}' | '\u{10D00}'..='\u{10D3F}'
            | '\u{10F30}'..='\u{10FDF}' | '\u{11000}'..='\u{11DFF}' | '\u{1E900}'..='\u{1E95F}')
}

/// Characters which join into emoji sequences: `Extended_Pictographic` as far as emoji need it.
fn is_pictograph(c: char) -> bool {
    matches!(c,
        '\u{A9}' | '\u{AE}' | '\u{203C}' | '\u{2049}' | '\u{2122}' | '\u{2139}' | '\u{2194}'..='\u{2199}'
        | '\u{21A9}'..='\u{21AA}' | '\u{231A}'..='\u{231B}' | '\u{23E9}'..='\u{23F3}' | '\u{25B6}' | '\u{25C0}'
        | '\u{2600}'..='\u{2604}' | '\u{260E}' | '\u{2611}' | '\u{2614}'..='\u{2615}' | '\u{2618}' | '\u{261D}'
        | '\u{2620}' | '\u{2622}'..='\u{2623}' | '\u{2626}' | '\u{262A}' | '\u{262E}'..='\u{262F}'
        | '\u{2638}'..='\u{263A}' | '\u{2640}' | '\u{2642}' | '\u{2648}'..='\u{2653}' | '\u{265F}'..='\u{2660}'
        | '\u{2663}' | '\u{2665}'..='\u{2666}' | '\u{2668}' | '\u{267B}' | '\u{267E}'..='\u{267F}'
        | '\u{2692}'..='\u{2697}' | '\u{2699}' | '\u{269B}'..='\u{269C}' | '\u{26A0}'..='\u{26A1}' | '\u{26A7}'
        | '\u{26AA}'..='\u{26AB}' | '\u{26B0}'..='\u{26B1}' | '\u{26BD}'..='\u{26BE}' | '\u{26C4}'..='\u{26C5}'
        | '\u{26D3}' | '\u{26F9}' | '\u{2702}' | '\u{2705}' | '\u{2708}'..='\u{270D}' | '\u{270F}' | '\u{2712}'
        | '\u{2714}' | '\u{2716}' | '\u{271D}' | '\u{2721}' | '\u{2728}' | '\u{2733}'..='\u{2734}' | '\u{2744}'
        | '\u{2747}' | '\u{274C}' | '\u{274E}' | '\u{2753}'..='\u{2755}' | '\u{2757}' | '\u{2763}'..='\u{2764}'
        | '\u{2795}'..='\u{2797}' | '\u{27A1}' | '\u{27B0}' | '\u{2934}'..='\u{2935}' | '\u{2B05}'..='\u{2B07}'
        | '\u{2B1B}'..='\u{2B1C}' | '\u{2B50}' | '\u{2B55}' | '\u{3030}' | '\u{303D}' | '\u{1F004}' | '\u{1F0CF}'
        | '\u{1F300}'..='\u{1F321}' | '\u{1F324}'..='\u{1F393}' | '\u{1F396}'..='\u{1F397}'
        | '\u{1F399}'..='\u{1F39B}' | '\u{1F39E}'..='\u{1F3F0}' | '\u{1F3F3}'..='\u{1F3F5}'
        | '\u{1F3F7}'..='\u{1F3FA}' | '\u{1F400}'..='\u{1F4FD}' | '\u{1F4FF}'..='\u{1F53D}'
        | '\u{1F549}'..='\u{1F54E}' | '\u{1F550}'..='\u{1F567}' | '\u{1F56F}'..='\u{1F570}'
        | '\u{1F573}'..='\u{1F57A}' | '\u{1F58A}'..='\u{1F58D}' | '\u{1F590}' | '\u{1F595}'..='\u{1F596}'
        | '\u{1F5A4}' | '\u{1F5E8}' | '\u{1F5FA}'..='\u{1F64F}' | '\u{1F680}'..='\u{1F6C5}'
        | '\u{1F6CB}'..='\u{1F6D2}' | '\u{1F6D5}'..='\u{1F6E5}' | '\u{1F6EB}'..='\u{1F6F0}'
        | '\u{1F6F3}'..='\u{1F6FF}' | '\u{1F7E0}'..='\u{1F7EB}' | '\u{1F90C}'..='\u{1F93A}'
        | '\u{1F93C}'..='\u{1F945}' | '\u{1F947}'..='\u{1F9FF}' | '\u{1FA70}'..='\u{1FAFF}')
}

#[cfg(test)]
mod tests {
    use unicode_segmentation::UnicodeSegmentation;

    use super::*;

    #[test]
    fn controls_become_visible() {
        assert_eq!(sanitize("\u{1b}[31mred\u{7}\u{7f}"), "␛[31mred␇␡");
        assert_eq!(sanitize("a\u{9b}b\u{85}c"), "a<U+009B>b<U+0085>c");
        assert_eq!(sanitize("one\r\ntwo\rthree\r\r\n"), "one\ntwo␍three␍\n");
        assert_eq!(sanitize("a\tb\nc"), "a\tb\nc");
        assert_eq!(stand_in('\0').as_deref(), Some("␀"));
        assert_eq!(stand_in('\n'), None);
        assert_eq!(stand_in('é'), None);
    }

    #[test]
    fn reordering_and_hiding_become_visible() {
        assert_eq!(sanitize("user\u{202e}gpj.exe"), "user<U+202E>gpj.exe");
        assert_eq!(sanitize("\u{2066}a\u{2069}\u{61c}\u{200f}"), "<U+2066>a<U+2069><U+061C><U+200F>");
        assert_eq!(
            sanitize("pay\u{200b}pal\u{ad}\u{feff}\u{2060}"),
            "pay<U+200B>pal<U+00AD><U+FEFF><U+2060>"
        );
        assert_eq!(sanitize("a\u{2028}b\u{fff9}c\u{180e}\u{3164}"), "a<U+2028>b<U+FFF9>c<U+180E><U+3164>");
        assert_eq!(sanitize("hi\u{e0068}\u{e0069}"), "hi<U+E0068><U+E0069>");
        assert_eq!(sanitize("a\u{200d}b\u{200c}c"), "a<U+200D>b<U+200C>c");
        assert_eq!(sanitize(" \u{fe0f}😀\u{fe0f}\u{fe0f}"), " <U+FE0F>😀\u{fe0f}<U+FE0F>");
        assert_eq!(sanitize("x\u{e0100}x\u{fe01}"), "x<U+E0100>x<U+FE01>");
        assert_eq!(sanitize("ب\u{200c}\u{200d}ت"), "ب<U+200C><U+200D>ت");
        assert_eq!(sanitize("👩\u{200d}x👩\u{200d}\u{200d}👩"), "👩<U+200D>x👩<U+200D><U+200D>👩");
        assert_eq!(sanitize("🏴\u{e0061}\u{e007f}"), "🏴<U+E0061><U+E007F>");
    }

    #[test]
    fn a_special_character_is_found_wherever_it_stands() {
        for special in (char::MIN..=char::MAX).filter(|c| is_special(*c)) {
            let mut letters = [0; 4];
            assert!(may_begin_special(special.encode_utf8(&mut letters).as_bytes()[0]), "{special:?}");
        }
        for before in [
            "",
            "a",
            "ä–。ア한",
            "plain words, and a few more of them\n\t",
            "über 30 Straßen, größer als alle",
        ] {
            for (special, times) in
                [('\u{1b}', 1), ('\u{9b}', 3), ('\u{202e}', 40), ('\u{3164}', 7), ('\u{e0041}', 33)]
            {
                let lead = before.repeat(times);
                let text = format!("{lead}{special}{before}");
                assert_eq!(next_special(&text, 0), Some((lead.len(), special)));
                assert_eq!(next_special(&text, lead.len() + special.len_utf8()), None);
            }
        }
    }

    #[test]
    fn json_keeps_its_meaning() {
        let raw = "{\"a\": \"x\u{202e}y\u{9b}\u{7f}\u{e0041}é👩\u{200d}🔬\"}";
        let escaped = escaped_in_json(raw);
        assert_eq!(escaped, "{\"a\": \"x\\u202ey\\u009b\\u007f\\udb40\\udc41é👩\u{200d}🔬\"}");
        let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        assert_eq!(value(&escaped), value(raw));
        let raw = "{\"a\": \"##[error]x ##vso[task] ## [\"}";
        let escaped = escaped_in_json(raw);
        assert_eq!(escaped, r##"{"a": "#\u0023[error]x #\u0023vso[task] ## ["}"##);
        assert_eq!(value(&escaped), value(raw));
    }

    #[test]
    fn writing_stays() {
        let texts = [
            "می\u{200c}خواهم",
            "ه\u{200d}",
            "क\u{94d}\u{200d}ष क\u{94d}\u{200c}ष",
            "ශ\u{dca}\u{200d}රී",
            "ᠮ\u{180b}",
            "👩\u{200d}🔬",
            "👩🏽\u{200d}❤\u{fe0f}\u{200d}💋\u{200d}👨🏿",
            "🏳\u{fe0f}\u{200d}🌈",
            "❤\u{fe0f} ☎\u{fe0e}",
            "1\u{fe0f}\u{20e3}",
            "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
            "葛\u{e0100}",
            "0\u{fe00}",
            "a\u{34f}\u{308}",
            "Straße 中文 한글 हिन्दी ไทย",
            "",
        ];
        for text in texts {
            assert!(matches!(sanitize(text), Cow::Borrowed(same) if same == text), "{text:?}");
        }
    }

    #[test]
    fn a_line_has_no_newline() {
        assert_eq!(one_line("a\n\n b\t\tc  d\r\ne"), "a b c d e");
        assert_eq!(one_line(" \n x \u{1b}\u{a0}\u{2003}y\n"), " x ␛ y ");
        assert_eq!(one_line("a\u{3000}b"), "a\u{3000}b");
        assert!(matches!(one_line("plain text\u{a0}here"), Cow::Borrowed(_)));
        assert!(matches!(sanitize("plain\ttext\n"), Cow::Borrowed(_)));
    }

    /// What a rule looks at is in the cluster of the character it judges.
    #[test]
    fn context_stays_in_the_cluster() {
        for c in '\0'..=char::MAX {
            assert!(!is_pictograph(c) || format!("👩\u{200d}{c}").graphemes(true).count() == 1, "{c:?}");
            assert!(!is_mark(c) || format!("a{c}").graphemes(true).count() == 1, "{c:?}");
            let holds = is_base(c) || writes_with_joiners(c);
            assert!(!holds || format!("{c}\u{200d}").graphemes(true).count() == 1, "{c:?}");
        }
    }
}
