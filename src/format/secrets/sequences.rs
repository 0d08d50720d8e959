//! What steers terminals, and blanks that are written out: both may stand between a name and its value.

use std::borrow::Cow;

use regex::{Captures, Regex};

use super::shapes::Pattern;

/// What programs write for the sign that begins a sequence of terminals (ECMA-48), …
const ESCAPE: &str = r"\\{1,4}(?:e|0?33|[xu](?:00)?1b|[xu]\{1b\}|U0000001b)|#033|\^\[|\u{241b}|[%=]1b|&#(?:27|x1b);|<u\+001b>|<esc>";
/// … for its bracket, and for both in one.
const BRACKET: &str = r"\[|[%=]5b|\\{1,4}(?:x|u00)5b|&#91;";
const BOTH: &str = r"\\{1,4}(?:[xu](?:00)?9b|u\{9b\}|233)|(?:%c2)?%9b|&#(?:155|x9b);|<9b>";

/// Blanks, and signs that nobody sees.
const BLANKS: &str = r"\\{1,4}(?:[ntrfv]|0?1[1-5]|x(?:[01][0-9a-f]|7f|a0)|u(?:00[01][0-9a-f]|00a0|feff|20[026][0-9a-f]))|#01[1-5]|\^[ijm]|%0[9ad]";

// The patterns are right: a test matches each of their branches.
static RAW: Pattern = Pattern::new(|| {
    let link = "\u{1b}\\][^\u{7}\u{1b}]*(?:\u{7}|\u{1b}\\\\)";
    let sequences = "(?:\u{1b}\\[|\u{9b})[0-?]*[ -/]*[@-~]|\u{1b}[ -/]*[0-~]";
    Regex::new(&[link, "|", sequences].concat()).ok()
});
static SPELLED: Pattern = Pattern::new(|| {
    let rest = "(?:[0-?]|[%=]3[0-9a-f])*[ -/]*[@-~]";
    let link =
        format!(r"(?:{ESCAPE})\][!-\[\]-~]{{0,200}}(?:(?:{ESCAPE})\\{{1,2}}|\\{{1,4}}(?:a|x07|007|u0007))");
    let sequences = format!(r"(?:(?:{ESCAPE})(?:{BRACKET})|{BOTH}){rest}|(?:{ESCAPE})[ -/]*[0-~]");
    Regex::new(&format!(r"(?i-u){link}|{sequences}|\[[0-9][0-9;]*m")).ok()
});
static BLANK: Pattern = Pattern::new(|| Regex::new(&["(?i-u)", BLANKS].concat()).ok());

/// A text without what steers terminals, as such and written out; as it is where there is nothing.
pub(super) fn without_sequences(text: &str) -> Cow<'_, str> {
    let is_raw = text.contains('\u{1b}') || text.contains('\u{9b}');
    let plain = if is_raw { left_out(text.into(), RAW.as_ref()) } else { text.into() };
    if may_be_spelled(&plain) { left_out(plain, SPELLED.as_ref()) } else { plain }
}

fn left_out<'t>(text: Cow<'t, str>, pattern: Option<&Regex>) -> Cow<'t, str> {
    match pattern.map(|pattern| pattern.replace_all(&text, "")) {
        Some(Cow::Owned(plain)) => Cow::Owned(plain),
        _ => text,
    }
}

/// A text with blanks in the place of those that are written out; as it is where there are none.
pub(super) fn with_blanks(text: &str) -> Cow<'_, str> {
    let blanks = if may_be_spelled(text) { BLANK.as_ref() } else { None };
    let Some(blanks) = blanks else { return Cow::Borrowed(text) };
    let ends_line = |found: &Captures| {
        let sign = found.get(0).map_or("", |sign| sign.as_str());
        sign.ends_with(['n', 'r', 'a', 'A', 'd', 'D', 'J', 'j', 'M', 'm', '2', '5'])
    };
    blanks.replace_all(text, |found: &Captures| if ends_line(found) { "\n" } else { " " })
}

/// Whether one may stand in a text: few have a sign that one begins with and the next.
fn may_be_spelled(text: &str) -> bool {
    let bytes = text.as_bytes();
    let colours = |at: usize| {
        let rest = bytes.get(at + 1..).unwrap_or_default();
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b';').count();
        digits > 0 && rest.get(digits) == Some(&b'm')
    };
    let begins = |at: usize| match bytes.get(at..at + 2) {
        Some([b'\\', next]) => b"eE0123xXuUntrfvNTRFV".contains(next),
        Some([b'[', _]) => colours(at),
        Some(
            [b'^', b'[' | b'I' | b'J' | b'M' | b'i' | b'j' | b'm']
            | [b'%', b'0' | b'1' | b'9' | b'c' | b'C']
            | [b'=', b'1']
            | [b'#', b'0']
            | [b'&', b'#']
            | [b'<', b'u' | b'U' | b'e' | b'E' | b'9'],
        ) => true,
        _ => false,
    };
    memchr::memchr3_iter(b'\\', b'^', b'%', bytes).any(begins)
        || memchr::memchr3_iter(b'[', b'#', b'=', bytes).any(begins)
        || memchr::memchr2_iter(b'&', b'<', bytes).any(begins)
        || text.contains('\u{241b}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_left_out_however_it_is_written() {
        for sign in [
            r"\x1b",
            r"\\x1b",
            r"\u001b",
            r"\033",
            r"\33",
            r"\e",
            r"\u{1b}",
            r"\x{1b}",
            r"\U0000001b",
            "#033",
            "^[",
            "\u{241b}",
            "%1B",
            "=1B",
            "&#27;",
            "&#x1b;",
            "<U+001B>",
            "<ESC>",
        ] {
            for rest in ["[31m", "[>4;2m", "[2 q", "(B", "8", "c", "[m"] {
                assert_eq!(without_sequences(&format!("a{sign}{rest}=b")), "a=b", "{sign}{rest}");
            }
        }
        for whole in [
            r"\x9b31m",
            r"\233m",
            "%C2%9B31m",
            "&#155;0m",
            "<9b>K",
            "[0m",
            "[01;31m",
            "%1B%5B0%3B31m",
            r"\x1b\x5b1m",
        ] {
            assert_eq!(without_sequences(&format!("a{whole}=b")), "a=b", "{whole}");
        }
        for raw in ["\u{1b}[31m", "\u{1b}(B\u{1b}[m", "\u{9b}31m", "\u{1b}8", "\u{1b}[2 q"] {
            assert_eq!(without_sequences(&format!("a{raw}=b")), "a=b");
        }
        for link in [
            "\u{1b}]8;;https://a.example/\u{1b}\\",
            "\u{1b}]0;t\u{7}",
            r"\x1b]8;;\x1b\\",
            r"\033]0;t\007",
            r"\e]0;t\a",
        ] {
            assert_eq!(without_sequences(&format!("a{link}=b")), "a=b", "{link}");
        }
        assert!(matches!(without_sequences(r"a=b \n [1] [0] C:\docs"), Cow::Borrowed(_)));
    }

    #[test]
    fn blanks_that_are_written_out_are_blanks() {
        for (text, plain) in [
            (r"a\nb\tc\\r\\nd", "a\nb c\n\nd"),
            (r"\x07a\xa0b\ufeffc", " a b c"),
            ("a#012b#011c^Jd", "a\nb c\nd"),
            (r"a\012b\11c", "a\nb c"),
            ("a%0Ab%09c%20d", "a\nb c%20d"),
            (r"C:\docs [1] 5% a=b &amp; <b>", r"C:\docs [1] 5% a=b &amp; <b>"),
        ] {
            assert_eq!(with_blanks(text), plain, "{text}");
        }
    }
}
