//! Values that a word or a sign of their own joins to a name: `env["KEY"] || "abc"`, `password to "abc"`,
//! `Dim password As String = "abc"`, `variable "password" { default = "abc" }`, `setPassword("abc")`.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem;
use regex::Regex;

use super::behind::{Stands, is_called_by_name};
use super::names::is_secret;
use super::objects::{TEXT, secrets_of};
use super::options::is_secret_option;
use super::placed::{is_place, placed};
use super::ranges::{Pattern, mask_ranges};

/// A name with what closes the quotes and brackets around it.
const NAME: &str =
    r#"(?P<name>[A-Za-z][A-Za-z0-9_.-]{1,64}(?: (?:key|token|secret))?)\*{0,3}\\*["'`]?[)\]]{0,2}"#;
/// What languages write before a text in quotes.
const BEFORE: &str = "[NEbrufL$@]?";
/// A text as JavaScript and Go may have it.
const TICKS: &str = r"`(?P<quoted>(?u:[^`\\\r\n])+)";

fn built(pattern: &str) -> Option<Regex> {
    let pattern = pattern.replace("NAME", NAME).replace("TEXT", &format!("{BEFORE}(?:{TEXT}|{TICKS})"));
    Regex::new(&format!("(?i-u:{})", pattern.replace("QUOTED", &format!("{BEFORE}{TEXT}")))).ok()
}

// The patterns are right: a test matches each of their branches.
static JOINED: Pattern = Pattern::new(|| built(r"\bNAME\s*(?:\|\|=?|\?\?=?|<-|->)\s*TEXT"));
// In prose a word in backticks is one of code, unless it is said of the name.
static SAID: Pattern = Pattern::new(|| {
    built(
        r"\bNAME\s+(?:for\s+(?:[!-~]{1,64}\s+){1,4}?)?(?:is|was|to|(?:is|was)\s+set\s+to):?\s*`(?P<value>(?u:[^`\\\r\n:(])+)`",
    )
});
static WORDED: Pattern = Pattern::new(|| {
    built(
        r"\bNAME\s+(?:(?:for|of|in|provided\s+by)\s+(?:[!-~]{1,64}\s+){1,4}?)?(?:or|to|is|is\s+now|with\s+value|(?:was|is)(?:\s+(?:set|changed))?(?:\s+to)?|(?:should|will)\s+be|set\s+to|as\s+[a-z]{1,20}\s*=|[a-z]{1,20}(?:\([0-9]{1,6}\))?\s+default):?\s*\*{0,3}QUOTED",
    )
});
// A word alone may be said with stress: `The token is **not** there`.
static STRESSED: Pattern = Pattern::new(|| {
    built(
        r"\bNAME\s+(?:for\s+(?:[!-~]{1,64}\s+){1,4}?)?(?:is|was):?\s+(?:\*{1,3}|<(?:code|b|strong|em)>)(?P<value>(?u:[^\s*<]){0,64}[0-9](?u:[^\s*<])*)(?:\*|<)",
    )
});
// Of whom it is, in several words.
static WHOSE: Pattern = Pattern::new(|| {
    built(
        r"\bNAME\s+for\s+(?:[!-~]{1,64}\s+){1,4}?[!-9;-~]{1,64}:\s+(?:TEXT|(?P<plain>(?u:[^\s\x22'`*]){0,64}[0-9](?u:[^\s\x22'`*,;])*))",
    )
});
static CREDENTIALS: Pattern =
    Pattern::new(|| built(r"\b(?P<name>credentials|creds):\s+(?u:[^\s/:,])+\s/\s(?P<value>(?u:[^\s,;])+)"));
static INDEXED: Pattern = Pattern::new(|| built(r"\bNAME\[[!-Z^-~]{1,64}\]\s*[:=]\s*TEXT"));
static BLOCK: Pattern =
    Pattern::new(|| built(r"\bNAME\s*\{\s*(?:[ -z|~\s]{0,160}?\b(?:default|value)\s*=\s*)?TEXT"));
static DEFAULT: Pattern = Pattern::new(|| {
    built(r"(?P<name>--[a-z][a-z0-9_-]{1,64})[\x22']\s*,[ -'*-~\s]{0,120}?\bdefault\s*=\s*TEXT")
});
// What stands in the place of a value that is not there: `config("API_KEY", default="abc")`,
// `env::var("API_KEY").unwrap_or("abc")`.
static FALLBACK: Pattern = Pattern::new(|| {
    let named = r"\s*,\s*(?:[a-z_]{1,20}\s*=\s*[a-z_.]{1,40}\s*,\s*){0,2}?(?:default|fallback)\s*=\s*";
    let called = r"\){1,2}\s*\.(?:unwrap_or|or_?else|get_?or_?else)[a-z_]{0,8}\(\s*(?:\|[a-z_]{0,8}\|\s*)?";
    let instead = r"(?:\s*,\s*None\s*)?\)\s*(?:or\s+|\?:\s*)";
    built(&format!(r"[\x22'](?P<name>[a-z][a-z0-9_-]{{1,64}})[\x22'](?:{named}|{called}|{instead})TEXT"))
});
static ATTRIBUTE: Pattern =
    Pattern::new(|| built(r"<(?P<name>[a-z][a-z0-9_.:-]{1,64})\s[\t-\r -;=?-~]{0,120}?\bvalue\s*=\s*TEXT"));
static TYPED: Pattern = Pattern::new(|| {
    built(
        r"\btype\\*[\x22']?\s*[=:]\s*\\*[\x22']?(?P<name>password)\b[\t-\r -;=?-~]{0,120}?\bvalue\\*[\x22']?\s*[=:]\s*(?:TEXT|(?P<plain>(?u:[^\s\x22'<>`&])+))",
    )
});
static PLACED: Pattern = Pattern::new(|| {
    built(
        r"\bNAME[ \t]+(?:(?:is|was|of)[ \t]+)?['\x60]?(?P<value>%[-+0-9.]{0,8}[sdvqr@]|%\([a-z_]{1,32}\)s|\{[a-z0-9_.:!?#]{0,32}\})",
    )
});
static TYPED_BEHIND: Pattern = Pattern::new(|| {
    built(r"\bvalue\s*=\s*TEXT[\x22'][\t-\r -;=?-~]{0,120}?\btype\s*=\s*[\x22']?(?P<name>password)\b")
});
static BY_ID: Pattern = Pattern::new(|| {
    built(
        r"\bid\s*=\s*\\*[\x22']?(?P<name>[a-z][a-z0-9_.-]{1,64})\b[\t-\r -;=?-~]{0,120}?\bvalue\s*=\s*(?:TEXT|(?P<plain>(?u:[^\s\x22'<>`&])+))",
    )
});
static REJECTED: Pattern = Pattern::new(|| {
    built(r"\bfield '(?P<name>[A-Za-z0-9_.\[\]-]{2,64})': rejected value \[(?P<value>(?u:[^\]\r\n])+)\]")
});
static SHORTER: Pattern = Pattern::new(|| {
    built(r"\bPath \x60(?P<name>[a-z0-9_.]{2,64})\x60 \(\x60(?P<value>(?u:[^\x60\r\n])+)\x60\)")
});
static TAKEN: Pattern =
    Pattern::new(|| built(r"\bKey \((?P<name>[a-z0-9_, ]{2,80})\)=\((?P<value>(?u:[^)\r\n])+)\)"));
// What stands in such a call is looked at by itself.
static SETTER: Pattern = Pattern::new(|| {
    built(
        r"(?:\b(?:set|with|change|update|reset)_?|\.|\b(?:q?w?string(?:_view)?|auto)[ \t]+)(?P<name>[a-z][a-z0-9_]{1,64})(?P<value>\()",
    )
});
static NAMED_CALL: Pattern = Pattern::new(|| {
    built(
        r"\b(?P<name>(?:store|key|trust_?store|db|user|admin)?_?(?:password|passphrase|passwd|api_?key))(?P<value>\()",
    )
});
static CALLED: Pattern = Pattern::new(|| {
    built(
        r"(?P<name>\b[A-Za-z0-9_]{0,40}(?:(?:api|private|secret|access)[ _-]?key|password|passphrase|passcode|pwd|(?:access|refresh|auth|bearer|id)[ _-]?token|(?:client|webhook|shared)[ _-]?secret))\*{0,3}\s+\\*[\x22'`](?P<value>(?u:[^\s\x22'`\\]|\\[^\s\x22'`])+)\\*[\x22'`]",
    )
});
static REFUSED: Pattern = Pattern::new(|| {
    built(r"(?:^|\n)[ \t]*(?P<name>[a-z][a-z0-9_.-]{1,64})\r?\n[ \t]+[ -~]{0,240}?\binput_value=TEXT")
});
static LOCATED: Pattern = Pattern::new(|| {
    built(
        r"\b(?:loc|path)\\*[\x22']?\s*:\s*[(\[][ -'*-Z\\^-~]{0,80}[\x22'](?P<name>[A-Za-z0-9_]{2,64})\\*[\x22'],?\s*[)\]][ -z|~]{0,240}?\b(?:input|received|data)\\*[\x22']?\s*:\s*TEXT",
    )
});
static LINES: Pattern = Pattern::new(|| {
    built(
        r"\bvalue:[ \t]*[\x22']?(?P<value>(?u:[^\s\x22',])+)[\x22']?(?:[ \t]*,[ \t]*|[ \t]*\r?\n(?:[ \t]*[!-~][ -~]{0,120}\r?\n){0,2}?[ \t]*)(?:name|key):[ \t]*[\x22']?(?P<name>[!-&(-~]{1,64})",
    )
});

// What a scheme is joined to: `"Basic " + btoa("bob:abc")`, or has in it: `Basic ${btoa("bob:abc")}`.
static SCHEME: Pattern = Pattern::new(|| {
    let joined = r"[\x22'`][ \t]*(?:\r?\n[ \t]*)?(?:\+|&|<>|\.(?:[ \t]|concat\())";
    Regex::new(&format!(r"(?i-u:\b(?:basic|bearer|token)[ \t]+(?:{joined}|(?P<inner>[$#]\{{)))")).ok()
});

/// How names of what is done with a credential begin that is not told to it.
const ASKING: [&str; 12] = [
    "get", "fetch", "read", "load", "check", "validate", "verify", "hash", "find", "has_", "parse", "delete",
];

/// Patterns, each with signs in small letters of which one of each list is in every text that it finds
/// something in, and what else is; those without any sign look for what stands in quotes. Most texts have few
/// of them.
static PATTERNS: [(&Pattern, [&[&str]; 2], Stands); 21] = [
    (&WORDED, [QUOTES, &[]], Stands::Quoted(*b"\"'\"", SAYING)),
    (&CALLED, [QUOTES, &[]], Stands::Quoted(*b"\"'`", CALLING)),
    (&JOINED, [QUOTES, &["||", "??", "<-", "->"]], Stands::Anything),
    (&SAID, [&["`"], &[]], Stands::Quoted([b'`'; 3], &["is", "was", "to"])),
    (&INDEXED, [QUOTES, &["["]], Stands::Anything),
    (&BLOCK, [QUOTES, &["{"]], Stands::Anything),
    (&DEFAULT, [QUOTES, &["default"]], Stands::Anything),
    (&FALLBACK, [QUOTES, INSTEAD], Stands::Anything),
    (&ATTRIBUTE, [&["<"], &["value"]], Stands::Joined(&["value"])),
    (&REJECTED, [&["rejected value ["], &[]], Stands::Anything),
    (&SHORTER, [&["path `"], &[]], Stands::Anything),
    (&REFUSED, [&["input_value"], &[]], Stands::Anything),
    (&LOCATED, [&["loc", "path"], &["input", "received", "data"]], Stands::Joined(&["loc", "path"])),
    (&LINES, [&["value:"], &["name:", "key:"]], Stands::Anything),
    (&TAKEN, [&["key ("], &[]], Stands::Anything),
    (&TYPED, [&["type"], &["value"]], Stands::Joined(&["value"])),
    (&TYPED_BEHIND, [&["type"], &["value"]], Stands::Joined(&["value"])),
    (&BY_ID, [&["id"], &["value"]], Stands::Joined(&["value"])),
    (&STRESSED, [&["*", "<"], &[]], Stands::Quoted(*b"*<*", &["is", "was"])),
    (&WHOSE, [&["for"], &[]], Stands::ForName),
    (&CREDENTIALS, [&[" / "], &["cred"]], Stands::Anything),
];
const QUOTES: &[&str] = &["\"", "'", "`"];
/// What is said of a name before its value …
const SAYING: &[&str] = &["or", "to", "is", "was", "now", "set", "changed", "value", "be", "=", "default"];
/// … and names that it stands behind without a word.
const CALLING: &[&str] = &["key", "password", "passphrase", "passcode", "pwd", "token", "secret"];
/// What stands before what is taken instead of a value.
const INSTEAD: &[&str] = &["default", "fallback", "unwrap_or", "orelse", "or_else", ") or", "?:"];

/// A text without values that are joined so.
pub(super) fn mask_stated<'t>(text: &'t str, is_masked: &impl Fn(&str) -> bool) -> Cow<'t, str> {
    let small = text.to_ascii_lowercase();
    let has = |signs: &[&str]| {
        signs.is_empty() || signs.iter().any(|sign| memmem::find(small.as_bytes(), sign.as_bytes()).is_some())
    };
    let may_find = |signs: &[&[&str]; 2]| signs.iter().all(|signs| has(signs));
    let patterns = PATTERNS.iter().filter(|(_, signs, stands)| may_find(signs) && stands.is_in(&small));
    let patterns = patterns.map(|(pattern, ..)| *pattern);
    let is_named = |name: &str| {
        let asks = ASKING
            .iter()
            .any(|word| name.get(..word.len()).is_some_and(|begun| begun.eq_ignore_ascii_case(word)));
        !asks && (is_secret(name) || is_secret_option(name))
    };
    // `password or "passphrase"`.
    let is_value = |value: &str| is_masked(value) && !is_secret(value) && !is_place(value);
    let mut secrets: Vec<Range<usize>> =
        patterns.flat_map(|pattern| secrets_of(text, pattern, &is_named, &is_value)).collect();
    if has(QUOTES) && is_called_by_name(text) {
        let calls = [&SETTER, &NAMED_CALL].into_iter();
        let told = calls.flat_map(|call| secrets_of(text, call, &is_named, &|_| true));
        let texts = told.flat_map(|bracket| texts_of_call(text, bracket.end));
        secrets.extend(texts.filter(|range| text.get(range.clone()).is_some_and(is_value)));
    }
    let schemes = SCHEME.as_ref().filter(|_| has(&["basic", "bearer", "token"]) && has(QUOTES));
    for found in schemes.into_iter().flat_map(|scheme| scheme.captures_iter(text)) {
        let texts = texts_of(text, found.get_match().end(), found.name("inner").is_none()).into_iter();
        secrets.extend(texts.filter(|range| {
            text.get(range.clone()).is_some_and(|value| is_value(value) && may_be_credential(value))
        }));
    }
    if has(&["%", "{"]) && has(QUOTES) {
        // What is put into a label behind a blank.
        let places = secrets_of(text, &PLACED, &is_named, &|_| true).into_iter();
        let given = places.filter_map(|place| {
            let (before, behind) = text.split_at_checked(place.start)?;
            let value = placed(before, behind)?.value()?;
            Some(place.start + value.start..place.start + value.end)
        });
        secrets.extend(given.filter(|range| text.get(range.clone()).is_some_and(is_value)));
    }
    secrets.sort_unstable_by_key(|secret| secret.start);
    mask_ranges(text, secrets)
}

/// Whether a text that is joined to the name of a scheme is no word of a sentence.
fn may_be_credential(value: &str) -> bool {
    let pair = value.split_once(':').is_some_and(|(_, rest)| !rest.trim().is_empty());
    pair || value.contains(|c: char| c.is_ascii_digit())
}

/// The texts in quotes in a call, also in calls within it: of several any may be the credential. Comments are
/// passed over; one that is not closed ends it.
pub(super) fn texts_of_call(text: &str, begin: usize) -> Vec<Range<usize>> {
    texts_of(text, begin, false)
}

/// The same; `is_operand`: of what a statement goes on with.
fn texts_of(text: &str, begin: usize, is_operand: bool) -> Vec<Range<usize>> {
    let last = text.floor_char_boundary(begin.saturating_add(CALL_MOST));
    let bytes = text.as_bytes().get(..last).unwrap_or_default();
    let (mut out, mut depth, mut at) = (Vec::new(), 1usize, begin);
    while let Some(byte) = bytes.get(at).filter(|_| depth > 0 && out.len() < ARGUMENTS) {
        let rest = text.get(at..last).unwrap_or_default();
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            b';' | b',' if is_operand && depth == 1 => break,
            b'\n' if is_operand && depth == 1 && !goes_on(text, at) => break,
            b'#' | b'/' if is_comment(text, at) => at += rest.find('\n').unwrap_or(rest.len()),
            b'"' | b'\'' | b'`' => {
                let Some(length) = quoted_length(bytes, begin, at) else {
                    // The text may break off in it.
                    let word = rest.get(1..).filter(|word| last == text.len() && is_cut_word(word));
                    out.extend(word.map(|word| at + 1..at + 1 + word.trim_end_matches(['`', '\\']).len()));
                    break;
                };
                out.push(at + 1..at + 1 + length);
                at += length + 1;
                at +=
                    bytes.get(at..).map_or(0, |rest| rest.iter().take_while(|byte| **byte == b'\\').count());
            }
            _ => {}
        }
        at += 1;
    }
    out.retain(|range| !range.is_empty());
    out
}

/// Whether a statement goes on behind the end of a line.
fn goes_on(text: &str, at: usize) -> bool {
    let (before, behind) = text.split_at_checked(at).unwrap_or_default();
    before.trim_end().ends_with(['+', '.', '&', '\\', '('])
        || behind.trim_start().starts_with(['+', '.', '&'])
}

/// Whether what a text breaks off with is one word.
fn is_cut_word(text: &str) -> bool {
    !text.is_empty() && !text.contains(char::is_whitespace)
}

/// Whether a comment begins at a byte.
fn is_comment(text: &str, at: usize) -> bool {
    let (before, behind) = text.split_at_checked(at).unwrap_or_default();
    behind.starts_with("//") && !before.ends_with(':')
        || behind.starts_with('#') && before.ends_with([' ', '\t'])
}

/// Bytes of the text that a quote begins, without what closes it: the same sign behind as many backslashes,
/// in its line.
fn quoted_length(bytes: &[u8], begin: usize, at: usize) -> Option<usize> {
    let backslashes = |from: usize, at: usize| {
        let before = bytes.get(from..at).unwrap_or_default();
        before.iter().rev().take_while(|byte| **byte == b'\\').count()
    };
    let (quote, own) = (bytes.get(at)?, backslashes(begin, at));
    let line = bytes.get(at + 1..)?.iter().take_while(|byte| **byte != b'\n');
    let closes = |(_, byte): &(usize, &u8)| *byte == quote;
    let ends =
        line.enumerate().filter(closes).map(|(length, _)| (length, backslashes(at + 1, at + 1 + length)));
    let is_end = |(_, signs): &(usize, usize)| if own == 0 { signs % 2 == 0 } else { *signs == own };
    ends.into_iter().find(is_end).map(|(length, signs)| length - if own == 0 { 0 } else { signs })
}

/// Arguments of a call that are looked at, and bytes of it.
const ARGUMENTS: usize = 8;
const CALL_MOST: usize = 512;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn where_a_pattern_finds_something_its_signs_stand(
            text in "(password|api[ _]key|Token|SECRET|id|value|type|name|loc|path|data|field|[ \n]|[ \n]| |is|IS|was|to|set to|or|now|be|for bob|[ \n]for[ \n]x|FOR b c d|as x|default|[:=]|=>|['\"`]|['\"`]|[*]{1,3}|\\\\|abc1|x9|[(){}<>%,]|\\[|\\]|<code>|[Nbf@]){1,14}"
        ) {
            let small = text.to_ascii_lowercase();
            for (pattern, signs, stands) in &PATTERNS {
                let pattern = pattern.as_ref().unwrap();
                let has = |signs: &&[&str]| signs.is_empty() || signs.iter().any(|sign| small.contains(sign));
                let may_find = signs.iter().all(has) && stands.is_in(&small);
                prop_assert!(may_find || !pattern.is_match(&text), "{}", pattern);
            }
        }
    }

    #[test]
    fn a_sign_behind_a_backslash_ends_no_value() {
        for (text, masked) in [
            (r#"setPassword("abc\def")"#, r#"setPassword("masked")"#),
            (r#"password is "abc\"def""#, r#"password is "masked""#),
            (r#"<password value="CORP\abc"/>"#, r#"<password value="masked"/>"#),
            (r#"password "ab\c" x"#, r#"password "masked" x"#),
            (r#"f(\"setPassword(\\\"abc\\\")\")"#, r#"f(\"setPassword(\\\"masked\\\")\")"#),
            ("storePassword(\"abc\")", "storePassword(\"masked\")"),
            (
                "The **password** is \"abc\", **API key** 'd'",
                "The **password** is \"masked\", **API key** 'masked'",
            ),
            (
                "<input id=\"password\" class=x value=\"abc\">",
                "<input id=\"password\" class=x value=\"masked\">",
            ),
            (
                "on field 'password': rejected value [abc]; codes",
                "on field 'password': rejected value [masked]; codes",
            ),
            ("The password is **abc1**.", "The password is **masked**."),
            ("The API key is <code>abc1</code>", "The API key is <code>masked</code>"),
            ("Credentials: bob / abc", "Credentials: bob / masked"),
            ("the password for the old database is 'abc'", "the password for the old database is 'masked'"),
            ("{ path: [ 'password' ], received: 'abc' }", "{ path: [ 'password' ], received: 'masked' }"),
            (
                "the password is: \"abc\", **API key** is \"d\"",
                "the password is: \"masked\", **API key** is \"masked\"",
            ),
            ("Key (api_key)=(abc) already exists.", "Key (api_key)=(masked) already exists."),
            ("[5]<input type=password value=abc />", "[5]<input type=password value=masked />"),
            ("\"password\" with value \"abc\" fails", "\"password\" with value \"masked\" fails"),
            ("Path `password` (`abc`) is shorter", "Path `password` (`masked`) is shorter"),
            ("changePassword(\"abc\")", "changePassword(\"masked\")"),
            (
                "{'path': ['body', 'password'], 'input': 'abc'}",
                "{'path': ['body', 'password'], 'input': 'masked'}",
            ),
            (
                "{'attributes': {'type': 'password'}, 'value': 'abc'}",
                "{'attributes': {'type': 'password'}, 'value': 'masked'}",
            ),
            ("access token 'abc' has expired", "access token 'masked' has expired"),
            ("password was set to 'abc'", "password was set to 'masked'"),
            ("password should be \"abc\"", "password should be \"masked\""),
        ] {
            assert_eq!(mask_stated(text, &|_| true), masked);
            assert_eq!(mask_stated(masked, &|_| true), masked);
        }
        for text in [
            "checkPassword('abc')",
            "a token \"abc\" of it",
            "the passwords are \"weak\"",
            "The token is **not** there, the secret is *old*",
            "set_password(the user's own",
            "I need an API key for the old service: without it 5 fail",
        ] {
            assert_eq!(mask_stated(text, &|_| true), text);
        }
    }

    #[test]
    fn whose_it_is_may_be_said_in_words() {
        for (text, masked) in [
            ("the password for bob is \"abc\"", "the password for bob is \"masked\""),
            ("Password for user bob: abc1", "Password for user bob: masked"),
            (
                "Notes for you. The API key\nfor Bob Smith: abc1",
                "Notes for you. The API key\nfor Bob Smith: masked",
            ),
            ("the password for\nthe staging box: hunter2", "the password for\nthe staging box: masked"),
            ("the API key for the old service: 'abc'", "the API key for the old service: 'masked'"),
        ] {
            assert_eq!(mask_stated(text, &|_| true), masked);
        }
    }

    #[test]
    fn all_texts_of_a_call_are_masked() {
        for (text, masked) in [
            (
                "keyring.set_password(\"svc\", \"bob\", \"abc\")",
                "keyring.set_password(\"masked\", \"masked\", \"masked\")",
            ),
            ("c.setPassword(user, \"abc\")", "c.setPassword(user, \"masked\")"),
            ("set_password(\"bob\", \"abc", "set_password(\"masked\", \"masked"),
            ("`set_password('abc`", "`set_password('masked`"),
            ("user.setPassword(encoder.encode(\"abc\"));", "user.setPassword(encoder.encode(\"masked\"));"),
            ("set_password(user[\"name\"], \"abc\")", "set_password(user[\"masked\"], \"masked\")"),
            (
                "set_password(\n    user,  # the user's\n    // own \"x\n    \"abc\",\n)",
                "set_password(\n    user,  # the user's\n    // own \"x\n    \"masked\",\n)",
            ),
            ("3\u{2192}set_password(\n4\u{2192}    'abc')", "3\u{2192}set_password(\n4\u{2192}    'masked')"),
            (
                "set_password(\n    \"svc\",\n    \"bob\",\n    \"abc\",\n)",
                "set_password(\n    \"masked\",\n    \"masked\",\n    \"masked\",\n)",
            ),
            ("set_password('svc', user, \"abc\", 'd')", "set_password('masked', user, \"masked\", 'masked')"),
        ] {
            assert_eq!(mask_stated(text, &|_| true), masked);
            assert_eq!(mask_stated(masked, &|_| true), masked);
        }
        // Each is looked at by itself, as in results of tools.
        let digits = |value: &str| value.contains(|c: char| c.is_ascii_digit());
        let call = "set_password(\"svc\", \"bob\", \"abc1\")";
        assert_eq!(mask_stated(call, &digits), "set_password(\"svc\", \"bob\", \"masked\")");
    }

    #[test]
    fn what_a_word_joins_to_a_name_is_masked() {
        for (text, masked) in [
            (
                "const k = process.env.OPENAI_API_KEY || 'abc'",
                "const k = process.env.OPENAI_API_KEY || 'masked'",
            ),
            ("env[\"API_KEY\"] || \"abc\"", "env[\"API_KEY\"] || \"masked\""),
            ("os.environ.get('OPENAI_API_KEY') or 'abc'", "os.environ.get('OPENAI_API_KEY') or 'masked'"),
            ("password ||= 'abc'; apiKey ??= \"d\"", "password ||= 'masked'; apiKey ??= \"masked\""),
            (
                "password <- \"abc\", \"password\" -> \"d\"",
                "password <- \"masked\", \"password\" -> \"masked\"",
            ),
            ("\"X-Api-Key\" to \"abc\"", "\"X-Api-Key\" to \"masked\""),
            ("the password is 'abc'.", "the password is 'masked'."),
            ("Dim password As String = \"abc\"", "Dim password As String = \"masked\""),
            ("password varchar(20) DEFAULT 'abc'", "password varchar(20) DEFAULT 'masked'"),
            ("passwords[\"bob\"] = \"abc\"", "passwords[\"bob\"] = \"masked\""),
            ("ENV.fetch(\"PASSWORD\") { \"abc\" }", "ENV.fetch(\"PASSWORD\") { \"masked\" }"),
            (
                "variable \"db_password\" {\n  type = string\n  default = \"abc\"\n}",
                "variable \"db_password\" {\n  type = string\n  default = \"masked\"\n}",
            ),
            (
                "add_argument('--password', type=str, default='abc')",
                "add_argument('--password', type=str, default='masked')",
            ),
            (
                "const std::string password(\"abc\"); auto api_key(\"d\");",
                "const std::string password(\"masked\"); auto api_key(\"masked\");",
            ),
            ("<password value=\"abc\"/>", "<password value=\"masked\"/>"),
            (
                "<input type=\"password\" id=\"x\" value=\"abc\">",
                "<input type=\"password\" id=\"x\" value=\"masked\">",
            ),
        ] {
            assert_eq!(mask_stated(text, &|_| true), masked);
            assert_eq!(mask_stated(masked, &|_| true), masked);
        }
    }

    #[test]
    fn what_is_called_or_said_with_a_name_is_masked() {
        for (text, masked) in [
            ("c.setPassword(\"abc\").apiKey('d')", "c.setPassword(\"masked\").apiKey('masked')"),
            ("Invalid API key 'abc'", "Invalid API key 'masked'"),
            (
                "The API key is \"abc\", set the access token to 'd'",
                "The API key is \"masked\", set the access token to 'masked'",
            ),
            (
                "The password is `abc`, set `OPENAI_API_KEY` to `d`",
                "The password is `masked`, set `OPENAI_API_KEY` to `masked`",
            ),
            ("#define DB_PASSWORD \"abc\"", "#define DB_PASSWORD \"masked\""),
            (
                "{'loc': ('body', 'password'), 'input': 'abc'}",
                "{'loc': ('body', 'password'), 'input': 'masked'}",
            ),
            (
                r#"{\"loc\":[\"body\",\"password\"],\"input\":\"abc\"}"#,
                r#"{\"loc\":[\"body\",\"password\"],\"input\":\"masked\"}"#,
            ),
            (
                "1 error for S\napi_key\n  Extra [type=x, input_value='abc', input_type=str]",
                "1 error for S\napi_key\n  Extra [type=x, input_value='masked', input_type=str]",
            ),
            ("- value: abc\n  name: PASSWORD", "- value: masked\n  name: PASSWORD"),
            ("{value: abc, name: PASSWORD}", "{value: masked, name: PASSWORD}"),
        ] {
            assert_eq!(mask_stated(text, &|_| true), masked);
            assert_eq!(mask_stated(masked, &|_| true), masked);
        }
        for text in [
            "client.get_secret(\"name\")",
            "`SO_COOKIE` to `nix::sys`, password or \"passphrase\"",
            "the token 'else' is not expected",
            "secret \"regcred\" not found",
            "[\"password\", \"user\"]",
            "if \"password\" in form: f(\"x\")",
            "add_argument('--city', default='Rio')",
        ] {
            assert_eq!(mask_stated(text, &|_| true), text);
        }
    }
}
