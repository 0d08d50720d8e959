//! What steers terminals: it may stand between a name and its value.

use std::borrow::Cow;

use regex::{Captures, Match, Regex};

use super::ranges::Pattern;

/// What begins a sequence of terminals (ECMA-48), as such and as programs write it, …
const ESCAPE: &str = r"\x1b|\\{1,4}(?:e(?:sc)?|0?33|0?27|c-\[|[xu](?:00)?1b|[xu]\{1b\}|U0000001b)|#033|#x0{0,6}1b;?|\^\[|\u{241b}|[%=](?:25)?1b|&(?:amp;)?#(?:0{0,4}27|x0{0,4}1b);|<u\+001b>|<(?:0x)?1b>|<esc>";
/// … its bracket, and both in one; …
const BRACKET: &str = r"\[|[%=](?:25)?5b|\\{1,4}(?:x|u00)5b|&#91;";
const BOTH: &str = r"\u{9b}|\\{1,4}(?:[xu](?:00)?9b|[xu]\{9b\}|233)|(?:%c2)?%9b|&#(?:155|x9b);|<9b>";
/// … its parameters, and what stands before its last sign; …
const PARAMETERS: &str = "(?:[0-?]|[%=](?:25)?3[0-9a-f])*";
const BETWEEN: &str = "(?:[ -/]|[%=](?:25)?2[0-9a-f])*";
/// … what ends a link or a title; …
const END: &str = r"\\{1,4}(?:a|x07|0{0,2}7|[xu]\{0?7\}|u0007|c-g|x9c)|\^g|#007|#x0{0,6}7;?|[%=](?:25)?07|&(?:amp;)?#7;|<u\+0007>|<0x07>|<c-g>|\u{2407}";
/// … and colours of which the first sign was taken away, or replaced.
const LEFT: &str = r"(?:\u{2190}|\u{fffd}|[?._]|esc)?\[(?:[0-9][0-9;]*m|(?-i:[mK]))";

/// A pattern of every sequence of terminals. It is right: a test matches each of its branches.
fn every_sequence() -> String {
    let raw = r"\x1b[\]PX^_](?u:[^\x07\x1b\u{9c}])*(?:\x07|\x1b\\|\u{9c})";
    let link = format!(r"(?:{ESCAPE})\][ -\[\]-~]{{0,200}}?(?:(?:{ESCAPE})\\{{1,2}}|{END})");
    let bracketed = format!("(?:(?:{ESCAPE})(?:{BRACKET})|{BOTH}){PARAMETERS}{BETWEEN}[@-~]");
    // Overstruck, as man pages are.
    let struck = r"(?u:.)\x08";
    format!("(?i-u:{struck}|{raw}|{link}|{bracketed}|(?:{ESCAPE}){BETWEEN}[0-~]|{LEFT})")
}

/// Whether a sequence of terminals, or a sign that is written out, may stand in a text: few have a sign that
/// one begins with and the next.
pub(super) fn may_steer(text: &str) -> bool {
    let bytes = text.as_bytes();
    let colours = |at: usize| {
        let rest = bytes.get(at + 1..).unwrap_or_default();
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b';').count();
        matches!((digits, rest.get(digits)), (_, Some(b'm')) | (0, Some(b'K')))
    };
    let begins = |at: usize| match bytes.get(at..at + 2) {
        Some([b'\\', next]) => b"eE0123xXuUcCntrfvNTRFV".contains(next),
        Some([b'%', b'2']) => bytes.get(at + 2).is_some_and(|digit| b"0257".contains(digit)),
        Some([b'&', _]) => {
            let names = ["&#", "&nbsp;", "&amp;", "&quot;", "&apos;", "&lt;", "&gt;"];
            let rest = bytes.get(at..).unwrap_or_default();
            names
                .iter()
                .any(|name| rest.get(..name.len()).is_some_and(|it| it.eq_ignore_ascii_case(name.as_bytes())))
        }
        Some([b'[', _]) => colours(at),
        Some(
            [b'^', b'\\' | b'"' | b'{' | b'[' | b'I' | b'J' | b'M' | b'i' | b'j' | b'm']
            | [b'%', b'0' | b'1' | b'3' | b'5' | b'9' | b'c' | b'C']
            | [b'=', b'1']
            | [b'#', b'0' | b'x' | b'X']
            | [b'<', b'u' | b'U' | b'e' | b'E' | b'9' | b'1' | b'0']
            | [0x1b, _]
            | [0xc2, 0x9b | 0xa0 | 0xad]
            | [0xe2, 0x90]
            | [0xef, 0xbc | 0xbb],
        ) => true,
        // Blanks and dashes of print.
        Some([0xe2, 0x80]) => matches!(bytes.get(at + 2), Some(0x80..=0x8d | 0x90 | 0x91 | 0xaf)),
        Some([0xe2, 0x81]) => matches!(bytes.get(at + 2), Some(0x9f | 0xa0)),
        Some([0xe3, 0x80]) => bytes.get(at + 2) == Some(&0x80),
        _ => false,
    };
    memchr::memchr3_iter(b'\\', b'^', b'%', bytes).any(begins)
        || memchr::memchr3_iter(b'[', b'#', b'=', bytes).any(begins)
        || memchr::memchr2_iter(b'&', b'<', bytes).any(begins)
        || memchr::memchr3_iter(0x1b, 0xc2, 0xe2, bytes).any(begins)
        || memchr::memchr2_iter(0xef, 0xe3, bytes).any(begins)
        || memchr::memchr(0x08, bytes).is_some()
}

static SEQUENCE: Pattern = Pattern::new(|| Regex::new(&every_sequence()).ok());
// Of the last one the sign before the bracket may have been left out.
static LAST: Pattern = Pattern::new(|| {
    let left = format!("(?i-u:(?:{BRACKET}|x5b|u005b|#91;){PARAMETERS}[a-z])");
    Regex::new(&format!("(?:{}|{left})$", every_sequence())).ok()
});

/// A text without what steers terminals, as such and written out; as it is where there is nothing.
pub(super) fn without_sequences(text: &str) -> Cow<'_, str> {
    let Some(sequence) = SEQUENCE.as_ref() else { return Cow::Borrowed(text) };
    // Some programs move the cursor where others write blanks.
    let moves = |found: &str| !found.contains(']') && found.ends_with(['C', 'G', 'H', 'd', 'f']);
    sequence.replace_all(text, |found: &Captures| match found.get(0) {
        Some(found) if opens_list(text, &found) => found.as_str().to_owned(),
        Some(found) if moves(found.as_str()) => " ".to_owned(),
        _ => String::new(),
    })
}

/// Whether what looks like a colour without its first sign begins a list: `passwords: [monkey, …]`.
fn opens_list(text: &str, found: &Match) -> bool {
    let before = text.get(..found.start()).unwrap_or_default();
    let behind = text.get(found.end()..).unwrap_or_default();
    matches!(found.as_str(), "[m" | "[K")
        && (before.is_empty() || before.ends_with([' ', '\t', ':', '=', '(', '[', ',']))
        && behind.starts_with(|c: char| c.is_alphanumeric() || c == '=')
        && behind.get(..behind.floor_char_boundary(LIST_MOST)).is_some_and(|near| {
            near.split(['\n', '\r']).next().is_some_and(|line| line.contains(']') && !line.contains('['))
        })
}

/// Bytes in which the end of a list is looked for.
const LIST_MOST: usize = 1024;

/// Those of a text.
pub(super) fn sequences(text: &str) -> impl Iterator<Item = &str> {
    let found = SEQUENCE.as_ref().into_iter().flat_map(|sequence| sequence.find_iter(text));
    found.filter(|found| !opens_list(text, found)).map(|found| found.as_str())
}

/// Whether a text ends with one.
pub(super) fn ends_with_sequence(text: &str) -> bool {
    let from = text.char_indices().rev().nth(LONGEST).map_or(0, |(at, _)| at);
    LAST.as_ref().is_some_and(|last| last.is_match(text.get(from..).unwrap_or_default()))
}

/// Signs of the last one that are looked at.
const LONGEST: usize = 64;

#[cfg(test)]
mod tests {
    use super::super::mask_message;
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_left_out_however_it_is_written() {
        for sign in [
            r"\ESC",
            r"\027",
            r"\C-[",
            "%251B",
            "&amp;#27;",
            "<1b>",
            "<0x1b>",
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
            "#x1B",
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
            "\u{2190}[0m",
            "\u{fffd}[1;31m",
            "?[m",
            "ESC[31m",
            "[K",
            "_[1m",
            "x\u{8}",
        ] {
            assert_eq!(without_sequences(&format!("a{whole}=b")), "a=b", "{whole}");
            assert_eq!(sequences(&format!("a{whole}=b{whole}")).collect::<Vec<_>>(), [whole, whole]);
        }
        for raw in ["\u{1b}[31m", "\u{1b}(B\u{1b}[m", "\u{9b}31m", "\u{1b}8", "\u{1b}[2 q"] {
            assert_eq!(without_sequences(&format!("a{raw}=b")), "a=b");
        }
        assert!(matches!(without_sequences(r"a=b \n [1] [0] C:\docs"), Cow::Borrowed(_)));
    }

    #[test]
    fn links_and_titles_are_left_out_however_they_end() {
        for link in [
            "\u{1b}]8;;https://a.example/\u{1b}\\",
            "\u{1b}]0;t\u{7}",
            r"\x1b]8;;\x1b\\",
            r"\033]0;t\007",
            r"\e]0;t\a",
            "^[]8;;https://a.example/^G",
            "#033]0;a title#007",
            "#x1B]0;t#x07",
            "%1B]0;t%07",
            "&#27;]0;t&#7;",
            "\u{1b}P1$r0m\u{1b}\\",
            r"\33]0;t\7",
            r"\u{1b}]0;t\u{7}",
            "<0x1b>]0;t<0x07>",
            "\u{241b}]0;t\u{2407}",
        ] {
            assert_eq!(without_sequences(&format!("a{link}=b")), "a=b", "{link}");
        }
    }

    /// Wherever it stands in a pair, and however it is written.
    #[test]
    fn no_sequence_hides_a_credential() {
        let escapes =
            ["\u{1b}", r"\x1b", r"\\x1b", r"\u001b", r"\033", r"\e", "^[", "#033", "#x1B", "%1B", "\u{241b}"];
        let rests = [
            "[0m",
            "[1;32m",
            "[38;5;196m",
            "[m",
            "[K",
            "(B",
            "[?25h",
            r"]8;;https://a.example/\a",
            "]0;a title^G",
        ];
        let all = escapes.iter().flat_map(|escape| rests.map(|rest| [escape, rest].concat()));
        let left = ["[0m", "[1;32m", "[K", "\u{2190}[0m", "\u{fffd}[m", "ESC[31m", "\u{9b}31m", r"\x9b1;31m"];
        for sequence in all.chain(left.map(str::to_owned)) {
            for form in FORMS {
                for begun in ["", "a ", r"a\n", "a#012", "a%0A"] {
                    let text = form.replace('~', "");
                    for place in places(form) {
                        hides_nothing(&[begun, &text[..place], &sequence, &text[place..]].concat());
                    }
                }
                hides_nothing(&form.replace('~', &sequence));
            }
        }
        // Of two, one of them whole where the other ends what is masked.
        hides_nothing("mysql --password\u{1b}[1CZq7LbSBo9hKe");
        hides_nothing("IDENTIFIED\u{1b}[1CBY\u{1b}[1C'Zq7LbSBo9hKe'");
        hides_nothing("password = \"a\" \u{1b}[33m->\u{1b}[0m \"Zq7LbSBo9hKe\"");
        hides_nothing("x%0A\u{1b}]8;;https://a.example/\u{1b}\\--password \\033[1;32mZq7LbSBo9hKe");
        hides_nothing("Cookie: \u{1b}]8;;https://a.example/\u{1b}\\a=Zq7LbSBo9hKe");
        hides_nothing(r"/x\n[0mAuthorization:\033[1;32m Bearer Zq7LbSBo9hKe");
    }

    /// The rest of the list was shown.
    #[test]
    fn the_bracket_of_a_list_before_an_m_or_a_k_is_no_colour() {
        for text in ["passwords: [monkey, Zq7LbSBo9hKe]", "{Authorization=[Kyscheme, Zq7LbSBo9hKe]}"] {
            hides_nothing(text);
        }
    }

    const FORMS: [&str; 8] = [
        "~password~=~Zq7LbSBo9hKe",
        "~password~:~ Zq7LbSBo9hKe~",
        "~password~: ~Zq7LbSBo9hKe",
        "~--password~ ~Zq7LbSBo9hKe",
        "~Authorization:~ Bearer ~Zq7LbSBo9hKe",
        "~x-api-key~:~ ~Zq7LbSBo9hKe~",
        "~IDENTIFIED BY~ ~'Zq7LbSBo9hKe'",
        "b'~DB_PASSWORD~=~\"Zq7LbSBo9hKe\"'",
    ];

    fn places(form: &str) -> impl Iterator<Item = usize> {
        form.match_indices('~').enumerate().map(|(before, (at, _))| at - before)
    }

    fn hides_nothing(text: &str) {
        let masked = mask_message(text);
        assert!(!masked.contains("Zq7LbSBo9hKe"), "{text}\n{masked}");
    }
}
