//! Schemes that announce a credential: `Bearer abc`, `Basic dTpw`.

use std::ops::Range;

use super::values::{AROUND_SIGN, BLANKS, CREDENTIAL_MOST, SCHEMES, is_scheme, value_after};

/// Whether a text holds a word that announces a credential.
pub(super) fn may_announce(text: &str) -> bool {
    let begins = |at: usize, word: &str| {
        text.as_bytes().get(at..at + word.len()).is_some_and(|it| it.eq_ignore_ascii_case(word.as_bytes()))
    };
    let mut places = memchr::memchr2_iter(b'b', b'B', text.as_bytes());
    places.any(|at| SCHEMES.iter().any(|word| begins(at, word)))
}

/// Whether a word announces a credential. `Basic` and what is written small are words like others: what
/// follows has to look like a token.
pub(super) fn announces(word: &str, rest: &str) -> bool {
    if !is_scheme(word) {
        return false;
    }
    let value = value_of(rest);
    let signs = |c: char| c.is_ascii_digit() || matches!(c, '.' | '_' | '-' | '~' | '+');
    match word {
        "Bearer" => !SUBJECTS.contains(&value) && !is_compound(value),
        "Basic" => is_encoded(value) && !is_compound(value),
        _ => word.eq_ignore_ascii_case("bearer") && value.contains(signs),
    }
}

/// Letters that no word has.
const LONG: usize = 20;

/// Whether capitals stand behind small letters more often than in names.
fn takes_turns(word: &str) -> bool {
    let pairs = word.as_bytes().windows(2);
    pairs
        .filter(|pair| matches!(pair, [one, two] if one.is_ascii_lowercase() && two.is_ascii_uppercase()))
        .count()
        > 1
}

/// Whether a word is one of a sentence though it has digits: joined to a word (`COVID-19`, `2024-series`), or
/// a name with a number behind it (`iPhone15`).
fn is_compound(word: &str) -> bool {
    let of_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let of_letters = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphabetic());
    let parts = || word.split('-');
    let is_joined = parts().count() > 1 && parts().all(|part| of_digits(part) || of_letters(part));
    let name = word.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_numbered = of_letters(name) && (1..=2).contains(&(word.len() - name.len()));
    word.len() < LONG && (is_joined || is_numbered)
}

/// Whether a word looks like Base64, in which a user and a password stand.
fn is_encoded(word: &str) -> bool {
    let own = word.trim_end_matches('=');
    let has_digit = own.contains(|c: char| c.is_ascii_digit());
    let is_plain =
        own.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'_' | b'-'));
    has_digit
        || own.len() < word.len()
        || is_plain && takes_turns(own)
        || own.len() >= LONG && !own.contains('-')
}

/// What is said of `Bearer` in sentences.
const SUBJECTS: [&str; 12] = [
    "authentication",
    "authorization",
    "Authentication",
    "Authorization",
    "Securities",
    "securities",
    "Certificate",
    "Certificates",
    "certificates",
    "Debentures",
    "debentures",
    "instruments",
];

fn value_of(rest: &str) -> &str {
    rest.get(value_after(rest)).unwrap_or_default()
}

/// Length of the credential behind the name of a scheme: `Token abc`, `Digest username="a", response="b"`.
pub(super) fn behind_scheme(text: &str, scheme: &Range<usize>) -> usize {
    let word = text.get(scheme.clone()).unwrap_or_default();
    let is_name = word.len() <= SCHEME_MOST && !word.bytes().all(|byte| byte.is_ascii_digit());
    let rest = text.get(scheme.end..).unwrap_or_default();
    let rest = rest.get(..rest.floor_char_boundary(CREDENTIAL_MOST)).unwrap_or_default();
    let line = rest.split(['\n', '\r', '<']).next().unwrap_or_default();
    if !is_name || !line.starts_with(BLANKS) {
        return 0;
    }
    let token = line.trim_start_matches(AROUND_SIGN);
    let length =
        token.find(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`')).unwrap_or(token.len());
    // Parameters go on to the end of the line.
    let (first, behind) = token.split_at_checked(length).unwrap_or_default();
    if first.contains('=') && (!first.ends_with('=') || behind.starts_with('"')) {
        return line.trim_end().len();
    }
    line.len() - token.len() + length
}

/// Letters of the name of a scheme, at most.
const SCHEME_MOST: usize = 24;

#[cfg(test)]
mod tests {
    use super::super::mask_message;

    #[test]
    fn what_is_basic_or_a_bearer_in_prose_is_no_credential() {
        for text in [
            "Basic JavaScript knowledge and TypeScript",
            "Basic client-server model, Basic read/write access",
            "Basic PostgreSQL skills, Basic PowerPoint",
            "Bearer Securities and Bearer Certificates are issued",
        ] {
            assert_eq!(mask_message(text), text);
        }
        for (text, masked) in [
            ("Basic dXNlcjpwdw==", "Basic masked"),
            ("Basic Ym9iOnB3aHVudGVy", "Basic masked"),
            ("Bearer abcdefgh", "Bearer masked"),
            ("token: Bearer = \"abc\"", "token: Bearer = \"masked\""),
            ("api_key: ApiKey = \"abc\"", "api_key: masked = \"masked\""),
            ("X-Auth-Token: Token abc", "X-Auth-Token: masked"),
        ] {
            assert_eq!(mask_message(text), masked);
        }
    }
}
