//! What is done with text that the parser refuses: what can be mended is mended, and what cannot is refused
//! with its place and a remedy. Decided from the text where the parser stopped, never from the parser's
//! words.

use std::borrow::Cow;
use std::ops::Range;

use serde::de::{Deserialize, IgnoredAny};
use serde_json::error::Category;

use super::error::DecodeError;
use super::secrets::{MASK_IN_ADDRESS, differing, is_scheme, mask_quoted};
use crate::json::scan;
use crate::model::Notice;

/// A readable form of text that is not quite JSON, and what was done to it.
pub fn mend(text: &str, error: &serde_json::Error) -> Option<(String, Notice)> {
    if error.classify() == Category::Eof {
        return Some((scan::close(text), Notice::CutInValue));
    }
    let mended = scan::mend_surrogates(text);
    // The parser stops at most a second escape behind the one that stands alone.
    let (_, end) = consumed(text, error);
    let window = end.saturating_sub(12)..end;
    if text.as_bytes().get(window.clone()) == mended.as_bytes().get(window) {
        return None;
    }
    if scan::skip_value(mended.as_bytes(), scan::skip_space(mended.as_bytes(), 0)).is_none() {
        return Some((scan::close(&mended), Notice::CutInValue));
    }
    Some((mended, Notice::LoneSurrogates))
}

/// A parser's error with its place in the input and a remedy.
pub fn not_json(frame: usize, text: &str, error: &serde_json::Error) -> DecodeError {
    // The parser stops inside a word; its beginning is the better place.
    let (stop, _) = consumed(text, error);
    let word = text.get(..stop).map_or(0, |before| {
        before.len() - before.trim_end_matches(|c: char| c.is_ascii_alphanumeric()).len()
    });
    let at = stop - word;
    if is_trailing(text, error) {
        return DecodeError::Trailing { frame, at };
    }
    let what = error.to_string();
    let what = what.split(" at line ").next().unwrap_or_default();
    let help = match cause(text, error) {
        Cause::Number => "; a JSON number here must fit a 64-bit float",
        Cause::Depth => "; nesting this deep is not a response",
        Cause::Control => "; line breaks and tabs inside text must be written \\n and \\t",
        Cause::Other => "",
    };
    let word: String = text.get(at..).unwrap_or_default().chars().take(NEAR).collect();
    let has_letters = word.contains(char::is_alphanumeric);
    let hidden = is_secret(text, at..at + word.len())
        || at == 0 && is_mixed_word(text)
        || word.trim_start_matches('"').split_whitespace().next().is_some_and(is_scheme)
        || is_of_secret_key(text.get(..at).unwrap_or_default());
    let word = if has_letters && hidden { MASK_IN_ADDRESS.into() } else { crate::text::one_line(&word) };
    DecodeError::NotJson { frame, at, what: format!("{what} near `{word}`{help}") }
}

/// Characters that are quoted at a place.
const NEAR: usize = 12;

/// Whether a text that is no JSON begins with a word that has letters and digits: of a line that was cut at
/// its blanks it may be what stood behind the name of a credential.
fn is_mixed_word(text: &str) -> bool {
    let word = text.split_whitespace().next().unwrap_or_default();
    let has = |of: fn(char) -> bool| word.contains(of);
    word.len() > MIXED && has(|c| c.is_ascii_digit()) && has(char::is_alphabetic)
}

/// Bytes of a word that says nothing of what it may be a part of.
const MIXED: usize = 6;

/// Bytes before and behind a place in which a credential is looked for.
const AROUND: usize = 4096;

/// Whether a part of a text that is no JSON lies in a credential.
fn is_secret(text: &str, part: Range<usize>) -> bool {
    let from = text.floor_char_boundary(part.start.saturating_sub(AROUND));
    let to = text.ceil_char_boundary((part.end + AROUND).min(text.len()));
    let near = text.get(from..to).unwrap_or_default();
    let Cow::Owned(masked) = mask_quoted(near) else { return false };
    let secret = differing(near, &masked);
    part.start - from < secret.end && secret.start < part.end - from
}

/// Bytes before a place in which the key of its value is looked for.
const KEY_BEFORE: usize = 256;

/// Whether the object that breaks off behind some text has the name of a credential: what follows may be its
/// value, whatever is missing between.
fn is_of_secret_key(before: &str) -> bool {
    let near = before.get(before.ceil_char_boundary(before.len().saturating_sub(KEY_BEFORE))..);
    let object = near.unwrap_or_default().rsplit('{').next().unwrap_or_default();
    let names = |text: &str| text.split('"').any(crate::format::secrets::is_secret);
    let (earlier, own) = object.rsplit_once(',').unwrap_or(("", object));
    names(own) || own.contains("alue\"") && names(earlier)
}

/// Whether the parser found a whole value and stopped at what follows it.
pub fn is_trailing(text: &str, error: &serde_json::Error) -> bool {
    let (stop, _) = consumed(text, error);
    let Some(before) = text.get(..stop).filter(|_| error.classify() == Category::Syntax) else {
        return false;
    };
    // `01`: a number that is none, not one behind another.
    let digit = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_digit);
    let inside = digit(before.as_bytes().last()) && digit(text.as_bytes().get(stop));
    !inside && {
        let mut parser = serde_json::Deserializer::from_str(before);
        IgnoredAny::deserialize(&mut parser).is_ok() && parser.end().is_ok()
    }
}

/// Causes that have a remedy.
#[derive(Debug, PartialEq, Eq)]
enum Cause {
    /// A number beyond a 64-bit float.
    Number,
    /// Nested deeper than the parser goes.
    Depth,
    /// A control character inside a string.
    Control,
    /// Anything else.
    Other,
}

/// Containers that the parser opens one in another, less one.
const DEPTH: usize = 127;

fn cause(text: &str, error: &serde_json::Error) -> Cause {
    let (_, end) = consumed(text, error);
    let last = end.saturating_sub(1);
    let place = scan::nesting(text, last);
    match text.as_bytes().get(last) {
        _ if error.classify() != Category::Syntax => Cause::Other,
        Some(0..0x20) if place.in_string => Cause::Control,
        Some(b'{' | b'[') if !place.in_string && place.depth >= DEPTH => Cause::Depth,
        Some(byte) if !place.in_string && is_numeric(*byte) && is_too_large(text, last) => Cause::Number,
        _ => Cause::Other,
    }
}

fn is_numeric(byte: u8) -> bool {
    byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E')
}

/// Whether the number around a byte is beyond a 64-bit float.
fn is_too_large(text: &str, at: usize) -> bool {
    let (before, after) = text.as_bytes().split_at_checked(at).unwrap_or_default();
    let start = at - before.iter().rev().take_while(|byte| is_numeric(**byte)).count();
    let end = at + after.iter().take_while(|byte| is_numeric(**byte)).count();
    text.get(start..end).and_then(|number| number.parse::<f64>().ok()).is_some_and(f64::is_infinite)
}

/// Where the parser stopped: the byte it speaks of, and the end of what it had read. It counts lines from 1
/// and columns in bytes; behind a line break the column is 0.
fn consumed(text: &str, error: &serde_json::Error) -> (usize, usize) {
    let line = error.line().wrapping_sub(2);
    let start = memchr::memchr_iter(b'\n', text.as_bytes()).nth(line).map_or(0, |at| at + 1);
    let end = (start + error.column()).min(text.len());
    ((start + error.column().saturating_sub(1)).min(text.len()), end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    /// The error of a text.
    fn error(text: &str) -> serde_json::Error {
        serde_json::from_str::<Value>(text).unwrap_err()
    }

    #[test]
    fn what_stops_the_parser_is_known_by_the_text_and_not_by_its_words() {
        let deep = "[".repeat(200);
        for (text, words, cause, trailing) in [
            ("{\"a\": \"x\ny\"}", "control character", Cause::Control, false),
            ("{\"a\": \"x\ty\"}", "control character", Cause::Control, false),
            ("{\"a\":\n 1e999}", "number out of range", Cause::Number, false),
            ("[-1e99999999999999999999, 1]", "number out of range", Cause::Number, false),
            (&deep, "recursion limit exceeded", Cause::Depth, false),
            ("{\"a\": 1} {\"b\": 2}", "trailing characters", Cause::Other, true),
            ("{\"a\": 1}\n\n]", "trailing characters", Cause::Other, true),
            ("1.5.2", "trailing characters", Cause::Other, true),
            ("01", "invalid number", Cause::Other, false),
            ("{\"a\": tru\n}", "expected ident", Cause::Other, false),
            ("{\"a\": 1]", "expected `,` or `}`", Cause::Other, false),
            ("{\"a\": \"\\x\"}", "invalid escape", Cause::Other, false),
        ] {
            let error = error(text);
            assert!(error.to_string().starts_with(words), "{text}: {error}");
            assert_eq!((super::cause(text, &error), is_trailing(text, &error)), (cause, trailing), "{text}");
        }
    }

    #[test]
    fn half_a_pair_and_a_missing_end_are_mended_and_nothing_else_is() {
        let mended = |text: &str| mend(text, &error(text));
        let lone = |out: &str| Some((out.to_owned(), Notice::LoneSurrogates));
        assert_eq!(mended(r#"{"a": "\udc00"}"#), lone(r#"{"a": "\ufffd"}"#));
        assert_eq!(mended(r#"{"a": "\ud83d b"}"#), lone(r#"{"a": "\ufffd b"}"#));
        assert_eq!(mended(r#"{"a": "\ud83d\n"}"#), lone(r#"{"a": "\ufffd\n"}"#));
        assert_eq!(mended(r#"{"a": "\ud83d\u0041"}"#), lone(r#"{"a": "\ufffd\u0041"}"#));
        assert_eq!(
            mended(r#"{"a": "\ud83d b"#),
            Some((r#"{"a": "\ufffd b"}"#.to_owned(), Notice::CutInValue))
        );
        assert_eq!(mended(r#"{"a": "x"#), Some((r#"{"a": "x"}"#.to_owned(), Notice::CutInValue)));
        for whole in [
            r#"{"a": "\ud83d\ude00", x}"#,
            r#"{"a": "\x"}"#,
            r#"{"a": x, "long enough": "\ud83d"}"#,
            r#"{"\\ud83d"; 1}"#,
        ] {
            assert_eq!(mended(whole), None, "{whole}");
        }
    }
}
