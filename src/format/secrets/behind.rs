//! What stands before a sign, for a look that tells where a pattern can find nothing: it takes far less time
//! than the pattern does. All of these look for a little more than the patterns that they are asked for.

use super::gate::may_name;

/// What stands in every text that a pattern finds something in.
pub(super) enum Stands {
    /// What is told by nothing else.
    Anything,
    /// See [`is_joined`].
    Joined(&'static [&'static str]),
    /// See [`is_quoted_behind`].
    Quoted([u8; 3], &'static [&'static str]),
    /// See [`is_for_name`].
    ForName,
}

impl Stands {
    /// Whether it stands in a text.
    pub fn is_in(&self, text: &str) -> bool {
        match self {
            Self::Anything => true,
            Self::Joined(words) => is_joined(text, words),
            Self::Quoted(quotes, words) => is_quoted_behind(text, *quotes, words),
            Self::ForName => is_for_name(text),
        }
    }
}

/// Whether one of some words stands before a sign that joins it to a value, or that closes its tag: in prose
/// it most often stands before another word.
pub(super) fn is_joined(text: &str, words: &[&str]) -> bool {
    let bytes = text.as_bytes();
    let joins = |sign: usize| {
        let before = without(bytes.get(..sign).unwrap_or_default(), is_blank);
        let before = before.strip_suffix(b"\"").or_else(|| before.strip_suffix(b"'")).unwrap_or(before);
        ends_with(without(before, |byte| byte == b'\\'), words)
    };
    memchr::memchr3_iter(b'=', b':', b'>', bytes).any(joins) || memchr::memchr_iter(b'{', bytes).any(joins)
}

/// Whether a quote, or what stresses a word, stands behind one of some words.
fn is_quoted_behind(text: &str, quotes: [u8; 3], words: &[&str]) -> bool {
    let bytes = text.as_bytes();
    let [one, two, three] = quotes;
    memchr::memchr3_iter(one, two, three, bytes).any(|quote| {
        let before = without(bytes.get(..quote).unwrap_or_default(), |byte| byte == b'\\');
        let of_language = before.split_last().filter(|(last, _)| BEFORE.contains(&last.to_ascii_lowercase()));
        [Some(before), of_language.map(|(_, before)| before)].into_iter().flatten().any(|before| {
            let before = without(without_stars(before), is_blank);
            ends_with(without_stars(before.strip_suffix(b":").unwrap_or(before)), words)
        })
    })
}

/// A text without what stresses words, at its end.
fn without_stars(text: &[u8]) -> &[u8] {
    let stars = text.iter().rev().take(STARS).take_while(|byte| **byte == b'*').count();
    text.get(..text.len() - stars).unwrap_or_default()
}

/// What languages write before a text in quotes, in small letters.
const BEFORE: &[u8] = b"nebrufl$@";
/// Signs that stress a word, at most.
const STARS: usize = 3;

/// Whether something is called by what may be the name of a credential: before few brackets in prose a word
/// ends.
pub(super) fn is_called_by_name(text: &str) -> bool {
    memchr::memchr_iter(b'(', text.as_bytes())
        .any(|bracket| ends_with_name(text.as_bytes().get(..bracket).unwrap_or_default()))
}

/// Whether `for` stands as a word behind what may be the name of a credential.
fn is_for_name(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_blank_at = |at: usize| bytes.get(at).is_some_and(|byte| is_blank(*byte));
    memchr::memmem::find_iter(bytes, b"for").any(|at| {
        let before = bytes.get(..at).unwrap_or_default();
        let closed = without(before, is_blank);
        closed.len() < at
            && is_blank_at(at + b"for".len())
            && ends_with_name(without(closed, |byte| b"*\\\"'`)]".contains(&byte)))
    })
}

/// Whether a text ends with what may be the name of a credential, also with signs in its words:
/// `git_hub_pat`.
fn ends_with_name(text: &[u8]) -> bool {
    let near = text.get(text.len().saturating_sub(NAME_MOST)..).unwrap_or_default();
    let of_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
    let name = near.get(without(near, of_name).len()..).unwrap_or_default();
    let name = std::str::from_utf8(name).unwrap_or_default();
    !name.is_empty() && (may_name(name) || may_name(&name.replace(['_', '.', '-'], "")))
}

/// Bytes of a name, and of what is written before it in one word, at most.
const NAME_MOST: usize = 96;

fn is_blank(byte: u8) -> bool {
    matches!(byte, b'\t'..=b'\r' | b' ')
}

/// A text without the bytes of a kind that it ends with.
fn without(text: &[u8], is_one: impl Fn(u8) -> bool) -> &[u8] {
    let length = text.iter().rev().take_while(|byte| is_one(**byte)).count();
    text.get(..text.len() - length).unwrap_or_default()
}

fn ends_with(text: &[u8], words: &[&str]) -> bool {
    words.iter().any(|word| {
        let begin = text.len().checked_sub(word.len());
        let last = begin.and_then(|begin| text.get(begin..));
        last.is_some_and(|last| last.eq_ignore_ascii_case(word.as_bytes()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_joined_by_a_sign_behind_it() {
        for text in
            ["value=", "VALUE : 1", "\\\"value\\\": 1", "'value' =>", "<value>", "value { a", "xvalue\t\n="]
        {
            assert!(is_joined(text, &["value"]), "{text}");
        }
        for text in ["", "value", "the value of it: 1", "valued: 1", "value, =", "value\u{a0}: 1"] {
            assert!(!is_joined(text, &["value"]), "{text}");
        }
    }

    #[test]
    fn a_quote_stands_behind_a_word() {
        let behind = |text: &str| is_quoted_behind(text, *b"\"'`", &["is", "to", "be"]);
        for text in ["is 'a'", "IS: \"a\"", "to **\\\"a", "is b'a'", "is N\"a\"", "be\"a\"", "is\n`a`"] {
            assert!(behind(text), "{text}");
        }
        for text in ["", "it's", "is a 'b'", "is; 'a'", "is ****'a'", "\"is"] {
            assert!(!behind(text), "{text}");
        }
    }

    #[test]
    fn a_name_is_called_or_is_for_something() {
        for text in ["setPassword(", "x.api_key(", "(a) token(1)", "x.setGit_Hub_Pat(\"a\")"] {
            assert!(is_called_by_name(text), "{text}");
        }
        for text in ["password (", "(password)", "f(password", "size("] {
            assert!(!is_called_by_name(text), "{text}");
        }
        for text in [
            "the password for me",
            "API key for me",
            "`token`  for it",
            "my key-x` for it",
            "password\nfor me",
            "key for\tme",
            "git_hub_pat for b",
        ] {
            assert!(is_for_name(text), "{text}");
        }
        for text in [
            "password is for me",
            "the tower for me",
            "for tokens",
            "für tokens é for",
            "key format it",
            "keyfor me",
        ] {
            assert!(!is_for_name(text), "{text}");
        }
    }
}
