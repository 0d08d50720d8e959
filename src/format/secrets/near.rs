//! Credentials that stand near a word that announces one: behind it in a list as programs print it, and any
//! word that looks like a token.

use std::borrow::Cow;
use std::ops::Range;

use regex::Regex;

use super::addresses::mask_cut_address;
use super::gate::may_name;
use super::names::is_secret;
use super::options::{announces_next, is_user_option, password_of};
use super::pairs::mask_pairs;
use super::ranges::{Pattern, again, mask_ranges};
use super::schemas::is_name_itself;
use super::shapes::{is_mixed, mask_shapes};
use super::stated::texts_of_call;
use super::values::{BLANKS, is_scheme, quoted};

/// Running text with its pairs masked, what stands near a name, and what an address ends within.
pub(super) fn mask_told(text: &str) -> Cow<'_, str> {
    let named = if may_name(text) { again(mask_pairs(text), mask_near) } else { mask_shapes(text) };
    again(named, mask_cut_address)
}

/// What a list announces.
pub(super) fn mask_listed(text: &str) -> Cow<'_, str> {
    if !may_name(text) {
        return Cow::Borrowed(text);
    }
    mask_ranges(text, listed(text))
}

/// The same of what stands near a name, too.
pub(super) fn mask_near(text: &str) -> Cow<'_, str> {
    if !may_name(text) {
        return Cow::Borrowed(text);
    }
    let mut found = listed(text);
    found.extend(announced(text));
    found.sort_unstable_by_key(|range| range.start);
    mask_ranges(text, found)
}

/// Bytes of a name in a list, at most.
const NAME: usize = 40;

/// Elements that stand behind one that announces them, as Python prints lists, tuples and bytes:
/// `['--password', 'abc']`, `(b'x-api-key', b'abc')`.
fn listed(text: &str) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    for comma in memchr::memchr_iter(b',', text.as_bytes()) {
        let before = text.get(..comma).unwrap_or_default().trim_end_matches(BLANKS);
        let Some(quote) = before.chars().next_back().filter(|c| matches!(c, '\'' | '"')) else { continue };
        let inner = before.get(..before.len() - 1).unwrap_or_default();
        // Within a text that is quoted itself each has a backslash before it.
        let inner = inner.trim_end_matches('\\');
        let near =
            inner.get(inner.floor_char_boundary(inner.len().saturating_sub(NAME))..).unwrap_or_default();
        let (lead, name) = near.rsplit_once(quote).map_or(("", None), |(lead, name)| (lead, Some(name)));
        // The first of a pair is a name, and of a list within one.
        let lead = lead.trim_end_matches('\\').trim_end_matches(['b', 'r', 'u']);
        let within = lead.strip_suffix('[').is_some_and(|outer| outer.trim_end().ends_with(['[', ',']));
        let pair = lead.trim_end_matches(BLANKS).ends_with('(') || within;
        // The name of a scheme stands between its header and what it announces.
        let scheme = name.is_some_and(is_scheme);
        let quotes = |last: &Range<usize>| text.get(last.end..comma);
        let ends = |between: &str| between.trim_start_matches('\\').len() == 1;
        let goes_on = scheme && out.last().and_then(quotes).is_some_and(ends);
        if name.is_some_and(is_user_option) {
            let user = element(text, comma + 1);
            let password =
                |user: Range<usize>| Some(user.start + password_of(text.get(user.clone())?)?..user.end);
            out.extend(user.and_then(password));
            continue;
        }
        // In a label with places others stand behind it as well.
        let has_places = |name: &str| name.contains(['%', '{']);
        let announces = |name: &str| {
            announces_next(name)
                || pair
                    && is_secret(name)
                    && !is_file(name)
                    && !has_places(inner.rsplit(quote).next().unwrap_or(name))
        };
        if !goes_on && !name.is_some_and(announces) {
            continue;
        }
        if goes_on {
            out.pop();
        }
        let own = element(text, comma + 1);
        if let Some(texts) = listed_behind(text, comma + 1, name.filter(|_| pair), own.as_ref()) {
            out.extend(texts);
            continue;
        }
        let begun = own.is_none() && is_expression(text.get(comma + 1..).unwrap_or_default());
        let behind = own.as_ref().and_then(|own| text.get(own.end + 1..)).unwrap_or_default();
        // An expression in a call: all texts in it.
        if pair && (begun || behind.trim_start_matches(BLANKS).starts_with(['+', '.', '&'])) {
            out.extend(texts_of_call(text, comma + 1));
            continue;
        }
        out.extend(own.filter(|own| !own.is_empty() && !text.get(own.clone()).is_some_and(is_name_itself)));
    }
    out
}

/// Whether a name is that of a file: `open("/etc/passwd", "r")`.
fn is_file(name: &str) -> bool {
    name.contains('/')
        || [".json", ".txt", ".pem", ".key", ".yml", ".yaml", ".env"].iter().any(|end| name.ends_with(end))
}

/// What stands behind a name in a list that is no single text: all of a list; nothing behind a label before
/// another, `replace('password=', 'pw=')`. `pair`: the name, where it is the first of a pair.
fn listed_behind(
    text: &str,
    at: usize,
    pair: Option<&str>,
    own: Option<&Range<usize>>,
) -> Option<Vec<Range<usize>>> {
    let is_label = |word: Option<&str>| word.is_some_and(|word| word.ends_with('='));
    if is_label(pair) && is_label(own.and_then(|own| text.get(own.clone()))) {
        return Some(Vec::new());
    }
    let list = text.get(at..).unwrap_or_default().trim_start_matches(BLANKS);
    (pair.is_some() && list.starts_with('[')).then(|| texts_of_call(text, text.len() - list.len() + 1))
}

/// Whether a text begins with a template, or with something that is called.
fn is_expression(text: &str) -> bool {
    let own = text.trim_start();
    let of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | ':' | '&' | '!');
    let behind = own.trim_start_matches(of_name);
    own.starts_with('`') || behind.len() < own.len() && behind.starts_with('(')
}

/// What stands in the quotes of the element that begins at a byte.
fn element(text: &str, at: usize) -> Option<Range<usize>> {
    let rest = text.get(at..)?;
    let own = rest.trim_start().trim_start_matches(['b', 'r', 'u', '[']);
    let is_within = own.starts_with('\\');
    let own = own.trim_start_matches('\\');
    let quote = own.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    let start = text.len() - own.len() + 1;
    let own = text.get(start..)?;
    let end = if is_within { own.find(quote).unwrap_or(own.len()) } else { quoted(own, quote) };
    let length = own.get(..end).map_or(end, |own| own.trim_end_matches('\\').len());
    let end = start + if is_within { length } else { end };
    // In an object it is a key.
    let behind = text.get(end..).unwrap_or_default().trim_start_matches(['\\', '"', '\'']);
    let is_key = behind.trim_start().starts_with(':');
    (!is_key).then_some(start..end)
}

/// Words behind which a token is a credential.
static WORDS: Pattern = Pattern::new(|| {
    // The pattern is right: a test matches each of them.
    Regex::new(
        r"(?i-u)\b(?:keys?|pass|pin|auth)\b|(?:api|access|auth|private|secret)[ _-]?keys?|secret|passphrase|tokens?|passw(?:or)?d|credentials?|authorization|bearer",
    )
    .ok()
});

/// Bytes behind such a word within which one begins.
const BEHIND: usize = 40;
/// A key alone may be any key, whose name stands near it: farther than so many bytes only what looks random
/// is one.
const BEHIND_KEY: usize = 4;
/// How often letters and digits take turns in that, at least.
const TURNS: usize = 4;
/// Letters of the shortest one, and of the longest that is looked at.
const SHORTEST: usize = 16;
const LONGEST: usize = 512;

/// Words that look like a token, each behind one that announces it.
fn announced(text: &str) -> Vec<Range<usize>> {
    let words = if may_hold_token(text) { WORDS.as_ref() } else { None };
    let Some(words) = words else { return Vec::new() };
    let mut out: Vec<Range<usize>> = Vec::new();
    for word in words.find_iter(text) {
        let is_key =
            matches!(word.as_str().to_ascii_lowercase().as_str(), "key" | "keys" | "pass" | "pin" | "auth");
        let last = word.end() + BEHIND;
        let names_end = if is_key { word.end() + BEHIND_KEY } else { last };
        let from = word.end().max(out.last().map_or(0, |last| last.end));
        let to = text.floor_char_boundary(word.end() + BEHIND + LONGEST);
        let near = text.get(from..to).unwrap_or_default();
        let (mut at, mut looked) = (0, 0);
        for piece in near.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))) {
            let (start, end) = (from + at, from + at + piece.len());
            if start > last {
                break;
            }
            at += piece.len() + near.get(at + piece.len()..).map_or(0, first_length);
            if out.last().is_some_and(|known| start < known.end) {
                continue;
            }
            // With the signs of Base64 it may be more than a piece of it.
            let whole = if start < looked { start..end } else { word_around(text, start..end) };
            looked = whole.end.max(looked);
            if whole.start >= from
                && text.get(whole.clone()).is_some_and(|word| is_scrambled(word) && !is_told(word))
            {
                out.push(whole);
                continue;
            }
            let is_token = if start > names_end { is_random } else { is_mixed };
            let has_token = || piece.split(['-', '_']).any(is_token) || start <= names_end && is_uuid(piece);
            if piece.len() >= SHORTEST && has_token() && !is_told(piece) {
                out.push(start..end);
            }
        }
    }
    out
}

/// A word with the signs of Base64 around it.
fn word_around(text: &str, piece: Range<usize>) -> Range<usize> {
    let of_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-+/=".contains(byte);
    let bytes = text.as_bytes();
    let before = bytes.get(piece.start.saturating_sub(LONGEST)..piece.start).unwrap_or_default();
    let behind = bytes.get(piece.end..bytes.len().min(piece.end + LONGEST)).unwrap_or_default();
    let begin = piece.start - before.iter().rev().take_while(|byte| of_word(byte)).count();
    begin..piece.end + behind.iter().take_while(|byte| of_word(byte)).count()
}

/// Whether a word is one of Base64 as nobody writes one: large letters, small ones and digits take turns.
fn is_scrambled(word: &str) -> bool {
    let kind = |byte: &u8| match byte {
        b'A'..=b'Z' => 0,
        b'a'..=b'z' => 1,
        b'0'..=b'9' => 2,
        _ => 3,
    };
    let bytes = word.trim_end_matches('=').as_bytes();
    let takes_turn = |pair: &&[u8]| {
        let [one, next] = pair else { return false };
        kind(one) != kind(next) && kind(one).max(kind(next)) < 3
    };
    let turns = bytes.windows(2).filter(takes_turn);
    let has = |wanted: u8| bytes.iter().any(|byte| kind(byte) == wanted);
    bytes.len() >= SCRAMBLED && (0..3).all(has) && turns.count() * 4 >= bytes.len()
}

/// Letters and signs of the shortest one.
const SCRAMBLED: usize = 20;

/// Whether a word is an id of 36 signs.
fn is_uuid(word: &str) -> bool {
    let mut parts = word.split('-');
    let is_part = |length: usize| {
        move |part: &str| part.len() == length && part.bytes().all(|byte| byte.is_ascii_hexdigit())
    };
    [8, 4, 4, 4, 12].iter().all(|length| parts.next().is_some_and(is_part(*length))) && parts.next().is_none()
}

/// Whether letters and digits in a row are as long as a token, and as mixed as no name is.
fn is_random(run: &str) -> bool {
    let kinds = run.as_bytes().windows(2);
    let turns = kinds.filter(|pair| matches!(pair, [a, b] if a.is_ascii_digit() != b.is_ascii_digit()));
    run.len() >= SHORTEST && turns.count() >= TURNS
}

/// Whether a word is none that is secret: a year behind letters, or the public address of an account or a
/// contract on a chain, of which `token` is said, too.
fn is_told(word: &str) -> bool {
    let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
    if word.len() - letters.len() <= 4 && letters.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return true;
    }
    let digits = word.strip_prefix("0x").unwrap_or_default();
    digits.len() == 40 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Whether some word is long enough, with digits in it: few are. Of a long one every sixteenth byte tells.
fn may_hold_token(text: &str) -> bool {
    let bytes = text.as_bytes();
    let of_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b'/');
    let mut at = SHORTEST - 1;
    while let Some(byte) = bytes.get(at) {
        if of_word(byte) {
            let (before, behind) = bytes.split_at(at);
            let begin = at - before.iter().rev().take_while(|byte| of_word(byte)).count();
            let end = at + behind.iter().take_while(|byte| of_word(byte)).count();
            let word = bytes.get(begin..end).unwrap_or_default();
            if word.len() >= SHORTEST && word.iter().any(u8::is_ascii_digit) {
                return true;
            }
            at = end;
        }
        at += SHORTEST;
    }
    false
}

fn first_length(text: &str) -> usize {
    text.chars().next().map_or(0, char::len_utf8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_of_base64_near_its_name_is_masked_whole() {
        for (text, masked) in [
            // Of Base64 the longest piece was masked, or none.
            (
                "set aws_secret_access_key wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
                "set aws_secret_access_key masked",
            ),
            (
                "The secret access key is UNM8LYLXdSpSsFx+b/BTLKZt+HQoKu1ft0FJ1TH1",
                "The secret access key is masked",
            ),
            (
                "secret access key is bAirsPcE29dVE3jzrRJb+Yq58z5+FDSN3JscF0kZ.",
                "secret access key is masked.",
            ),
            ("the API key is fU4P087cZTa_BNyHoPXI7Q", "the API key is masked"),
            ("the API key is 0ae14369-666e-49eb-a82c-908643154991", "the API key is masked"),
        ] {
            assert_eq!(mask_near(text), masked, "{text}");
            assert_eq!(mask_near(masked), masked);
        }
    }

    #[test]
    fn what_a_list_announces_and_what_looks_like_a_token_near_its_name() {
        for (text, masked) in [
            ("['mysql', '--password', 'abc'] failed", "['mysql', '--password', 'masked'] failed"),
            (r#"["--api-key", "a\"b", "x"]"#, r#"["--api-key", "masked", "x"]"#),
            ("[('X-Api-Key', 'abc'), ('Accept', 'b')]", "[('X-Api-Key', 'masked'), ('Accept', 'b')]"),
            ("Headers([(b'x-api-key', b'abc')])", "Headers([(b'x-api-key', b'masked')])"),
            ("f('Set-Cookie', ['a=abc', 'b=d'])", "f('Set-Cookie', ['masked', 'masked'])"),
            ("['Authorization', 'Bearer', 'abc']", "['Authorization', 'Bearer', 'masked']"),
            ("['curl', '-u', 'bob:abc', 'https://a']", "['curl', '-u', 'bob:masked', 'https://a']"),
            ("['curl', '-sSu', 'bob:abc', 'https://a']", "['curl', '-sSu', 'bob:masked', 'https://a']"),
            (
                "x.setRequestHeader(\"Authorization\", \"Basic \" + btoa(\"bob:abc\"));",
                "x.setRequestHeader(\"Authorization\", \"masked\" + btoa(\"masked\"));",
            ),
            (
                "h.Set(\"Authorization\", fmt.Sprintf(\"Basic %s\", enc([]byte(\"bob:abc\"))))",
                "h.Set(\"Authorization\", fmt.Sprintf(\"masked\", enc([]byte(\"masked\"))))",
            ),
            ("Set(\"password\", hash(\"abc\"))", "Set(\"password\", hash(\"masked\"))"),
            ("h.set('Authorization', `Basic ${btoa('bob:abc')}`)", "h.set('Authorization', `masked`)"),
            ("define( 'DB_PASSWORD', 'abc' );", "define( 'DB_PASSWORD', 'masked' );"),
            ("f(\"X-Api-Key\" , \"abc\")", "f(\"X-Api-Key\" , \"masked\")"),
            ("[['password', 'abc'], ['city', 'b']]", "[['password', 'masked'], ['city', 'b']]"),
            ("API key not valid: Zq7Yx9Kp3Lm5Rt8Vw2", "API key not valid: masked"),
            ("Wrong api keys given:\nZq7Yx9Kp3Lm5Rt8Vw2", "Wrong api keys given:\nmasked"),
            ("token Zq7Yx9Kp3Lm5Rt8Vw2 was not found", "token masked was not found"),
            ("Invalid key Zq7Yx9Kp3Lm5Rt8Vw2", "Invalid key masked"),
            ("The key 'Zq7Yx9Kp3Lm5Rt8Vw2' was rejected", "The key 'masked' was rejected"),
            ("The key you gave, Zq7Yx9Kp3Lm5Rt8Vw2, is old", "The key you gave, masked, is old"),
            ("No such key exists: 0a1b2c3d4e5f6a7b", "No such key exists: masked"),
            ("this key has been revoked (Zq7Yx9Kp3Lm5Rt8Vw2)", "this key has been revoked (masked)"),
            ("passphrase Zq7Yx9Kp3Lm5Rt8Vw2", "passphrase masked"),
            ("password：Zq7Yx9Kp3Lm5Rt8Vw2", "password：masked"),
        ] {
            assert_eq!(mask_near(text), masked, "{text}");
            assert_eq!(mask_near(masked), masked);
        }
        for text in [
            "Two tokens, 'a', 'b', and keys: 1234567890123456",
            "the token count of gpt-4o-2024-08-06 and gemini-2.5-flash-preview-09-2025",
            "['password', 'user']",
            "with open(\"/etc/passwd\", \"r\") as f: json.load(open('credentials.json', 'r'))",
            "data.get(\"password\", \"\").strip()",
            "the secret of internationalization2024",
            "No such key: reports/2024q3summaryfinal.pdf, a key of the book ISBN9780306406157X",
            "key findings of report 0199f3a2-6c1e-7d3a-9b5e-0a1b2c3d4e5f",
            "the token is in src/components/LoginForm2/useAuthToken.ts and docs/v2/API-Keys/README2024",
            "monkey Zq7Yx9Kp3Lm5Rt8Vw2, keyboard Zq7Yx9Kp3Lm5Rt8Vw2",
            "the ERC-20 token 0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48 is traded",
            "Authorization is explained at length in the chapter of the handbook",
        ] {
            assert_eq!(mask_near(text), text);
        }
    }
}
