//! A forward scan over JSON text that skips values without reading them: iterative, any nesting depth,
//! about the speed of `memchr` inside strings. It trusts brackets; the parser judges them later.

use std::borrow::Cow;

use memchr::{memchr, memchr2};

/// First byte at or after `pos` that is not white space.
pub fn skip_space(bytes: &[u8], mut pos: usize) -> usize {
    while let Some(b' ' | b'\t' | b'\n' | b'\r') = bytes.get(pos) {
        pos += 1;
    }
    pos
}

/// Whether the value at `pos` says nothing: `null`, or a text, a list or an object with nothing in it.
pub fn says_nothing(bytes: &[u8], pos: usize) -> bool {
    let close = match bytes.get(pos) {
        Some(b'n') => return true,
        Some(b'"') => return bytes.get(pos + 1) == Some(&b'"'),
        Some(b'[') => b']',
        Some(b'{') => b'}',
        _ => return false,
    };
    bytes.get(skip_space(bytes, pos + 1)) == Some(&close)
}

/// End of the string whose opening quote stands before `pos`; `None` where the text ends inside it.
fn skip_string(bytes: &[u8], mut pos: usize) -> Option<usize> {
    loop {
        pos += quote_or_escape(bytes.get(pos..)?)?;
        if bytes.get(pos) == Some(&b'"') {
            return Some(pos + 1);
        }
        pos += 2;
    }
}

/// Words that are looked at before a search begins: keys and most values have ended by then.
const NEAR: usize = 6;

const ONES: u64 = u64::from_ne_bytes([1; 8]);

/// The high bit of each byte that is 0; the lowest one set is right, which is all that is asked for.
fn zeros(word: u64) -> u64 {
    word.wrapping_sub(ONES) & !word & (ONES << 7)
}

/// The same of each byte that is a quote or a backslash.
fn quotes_and_escapes(word: u64) -> u64 {
    zeros(word ^ (ONES * u64::from(b'"'))) | zeros(word ^ (ONES * u64::from(b'\\')))
}

/// The first byte in the words that stand near for which `hits` has a bit, or else how far was looked.
fn near(bytes: &[u8], hits: impl Fn(u64) -> u64) -> Result<usize, usize> {
    let (words, _) = bytes.as_chunks::<8>();
    for (number, word) in words.iter().take(NEAR).enumerate() {
        let hits = hits(u64::from_le_bytes(*word));
        if hits != 0 {
            return Ok(number * 8 + hits.trailing_zeros() as usize / 8);
        }
    }
    Err(words.len().min(NEAR) * 8)
}

/// The first quote or backslash.
fn quote_or_escape(bytes: &[u8]) -> Option<usize> {
    match near(bytes, quotes_and_escapes) {
        Ok(at) => Some(at),
        Err(seen) => memchr2(b'"', b'\\', bytes.get(seen..)?).map(|at| seen + at),
    }
}

/// The first quote, backslash or control character; `None` also where only control characters are.
pub fn special(bytes: &[u8]) -> Option<usize> {
    let below_blank = |word: u64| word.wrapping_sub(ONES * u64::from(b' ')) & !word & (ONES << 7);
    let seen = match near(bytes, |word| quotes_and_escapes(word) | below_blank(word)) {
        Ok(at) => return Some(at),
        Err(seen) => seen,
    };
    let rest = bytes.get(seen..)?;
    let at = memchr2(b'"', b'\\', rest)?;
    let before = rest.get(..at)?;
    // The smallest byte is found many at a time.
    let controls = before.iter().fold(u8::MAX, |least, byte| least.min(*byte)) < b' ';
    let at = if controls { before.iter().position(|byte| *byte < b' ')? } else { at };
    Some(seen + at)
}

/// End of the value that begins at `pos`; `None` where the text ends inside it.
pub fn skip_value(bytes: &[u8], pos: usize) -> Option<usize> {
    match bytes.get(pos)? {
        b'"' => skip_string(bytes, pos + 1),
        b'{' | b'[' => skip_container(bytes, pos),
        _ => {
            let rest = bytes.get(pos..)?;
            let end = rest
                .iter()
                .position(|byte| matches!(byte, b',' | b'}' | b']' | b' ' | b'\t' | b'\n' | b'\r'));
            Some(pos + end.unwrap_or(rest.len()))
        }
    }
}

fn skip_container(bytes: &[u8], mut pos: usize) -> Option<usize> {
    let mut depth = 0usize;
    loop {
        match bytes.get(pos)? {
            b'"' => {
                pos = skip_string(bytes, pos + 1)?;
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(pos + 1);
                }
            }
            _ => {}
        }
        pos += 1;
    }
}

/// The members of an object, or the elements of an array, in order: key (empty in an array) and the byte
/// where the value begins. Values are skipped only when the next one is asked for.
pub struct Members<'a> {
    text: &'a str,
    walk: Walk,
    /// Whether the closing bracket was seen.
    pub closed: bool,
}

/// Where a scan over the members of a container stands: what it takes to go on later.
#[derive(Debug, Clone, Copy)]
pub struct Walk {
    pos: usize,
    object: bool,
    value: Option<usize>,
}

impl Walk {
    /// The byte that it came to.
    pub fn at(self) -> usize {
        self.value.unwrap_or(self.pos)
    }
}

impl<'a> Members<'a> {
    /// Of the container that begins at `pos`; `None` where none does.
    pub fn of(text: &'a str, pos: usize) -> Option<Self> {
        let object = match text.as_bytes().get(pos)? {
            b'{' => true,
            b'[' => false,
            _ => return None,
        };
        Some(Self::on(text, Walk { pos: pos + 1, object, value: None }))
    }

    /// Goes on where a scan over the same text stood.
    pub fn on(text: &'a str, walk: Walk) -> Self {
        Self { text, walk, closed: false }
    }

    /// Whether it is an object.
    pub fn of_object(&self) -> bool {
        self.walk.object
    }

    /// Tells where the value that came last ends, to whom that is known.
    pub fn pass_to(&mut self, end: usize) {
        self.walk.value = None;
        self.walk.pos = end;
    }

    /// To go on from here.
    pub fn walk(&self) -> Walk {
        self.walk
    }

    /// Whether the container was gone through to its end.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Where the scan stands: after the container once it is closed.
    pub fn position(&self) -> usize {
        self.walk.pos
    }
}

impl<'a> Iterator for Members<'a> {
    type Item = (Cow<'a, str>, usize);

    fn next(&mut self) -> Option<Self::Item> {
        let bytes = self.text.as_bytes();
        let walk = &mut self.walk;
        if let Some(value) = walk.value.take() {
            walk.pos = skip_value(bytes, value)?;
        }
        walk.pos = skip_space(bytes, walk.pos);
        if bytes.get(walk.pos) == Some(&b',') {
            walk.pos = skip_space(bytes, walk.pos + 1);
        }
        if matches!(bytes.get(walk.pos)?, b'}' | b']') {
            self.closed = true;
            walk.pos += 1;
            return None;
        }
        let mut key = Cow::Borrowed("");
        if walk.object {
            let end = skip_value(bytes, walk.pos)?;
            key = lenient_string(self.text.get(walk.pos..end)?);
            walk.pos = skip_space(bytes, end);
            if bytes.get(walk.pos) != Some(&b':') {
                return None;
            }
            walk.pos = skip_space(bytes, walk.pos + 1);
        }
        bytes.get(walk.pos)?;
        walk.value = Some(walk.pos);
        Some((key, walk.pos))
    }
}

/// The value of a JSON string literal, quotes included in `literal`; `None` where it is none.
pub fn string(literal: &str) -> Option<Cow<'_, str>> {
    let inner = literal.strip_prefix('"')?.strip_suffix('"')?;
    if memchr(b'\\', inner.as_bytes()).is_none() {
        return Some(Cow::Borrowed(inner));
    }
    serde_json::from_str(literal).ok().map(Cow::Owned)
}

/// What a string literal says, whatever is wrong with it: lone surrogates, unknown escapes, no end.
pub fn lenient_string(literal: &str) -> Cow<'_, str> {
    if let Some(text) = string(literal) {
        return text;
    }
    let inner = literal.strip_prefix('"').unwrap_or(literal);
    let inner = if skip_string(literal.as_bytes(), 1).is_some() {
        inner.strip_suffix('"').unwrap_or(inner)
    } else {
        inner
    };
    let mut out = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some((before, escaped)) = rest.split_once('\\') {
        out.push_str(before);
        let mut chars = escaped.chars();
        let sign = match chars.next() {
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('u') => {
                let code = escaped.get(1..5).and_then(|digits| u32::from_str_radix(digits, 16).ok());
                if code.is_some() {
                    chars = escaped.get(5..).unwrap_or_default().chars();
                }
                code.and_then(char::from_u32).unwrap_or('\u{fffd}')
            }
            Some(other) => other,
            None => break,
        };
        out.push(sign);
        rest = chars.as_str();
    }
    if !rest.contains('\\') {
        out.push_str(rest);
    }
    Cow::Owned(out)
}

/// The text of the value that begins at `pos`, to the end of the text where it is cut off.
pub fn value_text(text: &str, pos: usize) -> &str {
    let end = skip_value(text.as_bytes(), pos).unwrap_or(text.len());
    text.get(pos..end).unwrap_or_default()
}

/// Makes a value that was cut off readable: drops what is incomplete at its end and closes what is open.
pub fn close(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut open = Vec::new();
    let mut good = (0, 0);
    let mut pos = 0;
    let mut kept_string = None;
    while let Some(byte) = bytes.get(pos) {
        match byte {
            b'"' => {
                let Some(end) = skip_string(bytes, pos + 1) else {
                    kept_string = is_value_place(bytes, pos).then_some(pos);
                    break;
                };
                // A key counts only with its value; at the end of the text it may still be one.
                let key = match bytes.get(skip_space(bytes, end)) {
                    Some(next) => *next == b':',
                    None => !is_value_place(bytes, pos),
                };
                if !key {
                    good = (end, open.len());
                }
                pos = end;
                continue;
            }
            b'{' | b'[' => {
                open.push(if *byte == b'{' { b'}' } else { b']' });
                good = (pos + 1, open.len());
            }
            b'}' | b']' => {
                open.pop();
                good = (pos + 1, open.len());
            }
            b',' => good = (pos, open.len()),
            _ => {}
        }
        pos += 1;
    }
    let mut out;
    if let Some(start) = kept_string {
        out = text.get(..whole_escapes(bytes, start)).unwrap_or_default().to_owned();
        out.push('"');
    } else {
        out = text.get(..good.0).unwrap_or_default().to_owned();
        open.truncate(good.1);
    }
    out.extend(open.iter().rev().map(|&bracket| char::from(bracket)));
    out
}

/// Whether a string that begins here is a value, not a key: what comes before it is `:` or `[` or, in an
/// array, `,`.
fn is_value_place(bytes: &[u8], pos: usize) -> bool {
    let before = bytes.get(..pos).unwrap_or_default();
    before
        .iter()
        .rev()
        .find(|byte| !byte.is_ascii_whitespace())
        .is_some_and(|byte| matches!(byte, b':' | b'['))
}

/// End of the last whole character or escape of a string that is cut off; `quote` is its opening quote.
fn whole_escapes(bytes: &[u8], quote: usize) -> usize {
    let mut pos = quote + 1;
    loop {
        let Some(at) = bytes.get(pos..).and_then(|rest| memchr(b'\\', rest)) else { return bytes.len() };
        let length = if bytes.get(pos + at + 1) == Some(&b'u') { 6 } else { 2 };
        if pos + at + length > bytes.len() {
            return pos + at;
        }
        // A leading surrogate needs its trailing one.
        let surrogate = length == 6 && bytes.get(pos + at + 2).is_some_and(|b| matches!(b, b'd' | b'D'));
        if surrogate && pos + at + 12 > bytes.len() && !matches!(bytes.get(pos + at + 3), Some(b'0'..=b'7')) {
            return pos + at;
        }
        pos += at + length;
    }
}

/// What a byte stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Nesting {
    /// Containers that are open before it.
    pub depth: usize,
    /// It stands inside a string.
    pub in_string: bool,
}

/// What a byte of a text stands in.
pub fn nesting(text: &str, at: usize) -> Nesting {
    let before = text.as_bytes().get(..at).unwrap_or(text.as_bytes());
    let (mut pos, mut depth) = (0, 0usize);
    while let Some(byte) = before.get(pos) {
        match byte {
            b'"' => match skip_string(before, pos + 1) {
                Some(end) => {
                    pos = end;
                    continue;
                }
                None => return Nesting { depth, in_string: true },
            },
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        pos += 1;
    }
    Nesting { depth, in_string: false }
}

/// Replaces surrogates that stand alone (`\ud83d` without its other half) by `\ufffd`, byte for byte the same
/// length.
pub fn mend_surrogates(text: &str) -> String {
    let code = |at: usize| -> Option<u16> {
        let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
        u16::from_str_radix(digits, 16).ok()
    };
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    while let Some(at) = text.get(from..).and_then(|rest| memchr(b'\\', rest.as_bytes())).map(|at| from + at)
    {
        out.push_str(text.get(from..at).unwrap_or_default());
        let length = match code(at) {
            Some(0xD800..=0xDBFF) if matches!(code(at + 6), Some(0xDC00..=0xDFFF)) => 12,
            Some(0xD800..=0xDFFF) => {
                out.push_str("\\ufffd");
                from = at + 6;
                continue;
            }
            _ => 1 + text.get(at + 1..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8),
        };
        out.push_str(text.get(at..at + length).unwrap_or_default());
        from = at + length;
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_is_read_whatever_is_wrong_with_it() {
        assert_eq!(lenient_string(r#""a\ud83db\q\n""#), "a\u{fffd}bq\n");
        assert_eq!(lenient_string(r#""cut \"of"#), "cut \"of");
        assert_eq!(lenient_string(r#""cut \u00"#), "cut \u{fffd}00");
        assert_eq!(lenient_string(r#""cut \"#), "cut ");
        assert_eq!(lenient_string(r#""whole""#), "whole");
    }

    #[test]
    fn values_are_skipped_whole() {
        for (text, end) in [
            ("{\"a\":[1,{\"b\":\"}\\\"\"}]} x", Some(21)),
            ("\"a\\\\\" ", Some(5)),
            ("12, 3", Some(2)),
            ("[1, 2", None),
            ("\"ab", None),
        ] {
            assert_eq!(skip_value(text.as_bytes(), 0), end, "{text}");
        }
        // Ends and escapes at every distance, within the words and beyond.
        for length in 0..100 {
            let text = format!("\"{}\\\"{}\" x", "é".repeat(length / 2), "a".repeat(length));
            assert_eq!(skip_value(text.as_bytes(), 0), Some(text.len() - 2), "{text}");
            assert_eq!(skip_value(&text.as_bytes()[..text.len() - 3], 0), None, "{text}");
        }
        let deep = "[".repeat(10_000) + &"]".repeat(10_000);
        assert_eq!(skip_value(deep.as_bytes(), 0), Some(20_000));
    }

    #[test]
    fn members_come_in_order_with_unescaped_keys() {
        let text = r#"{"a": 1, "b\u0041": [2], "c": {"d": 3}}"#;
        let keys: Vec<_> = Members::of(text, 0)
            .unwrap()
            .map(|(key, at)| format!("{key}={}", value_text(text, at)))
            .collect();
        assert_eq!(keys, ["a=1", "bA=[2]", "c={\"d\": 3}"]);
        let list = "[1, \"x\", []]";
        let values: Vec<_> = Members::of(list, 0).unwrap().map(|(_, at)| value_text(list, at)).collect();
        assert_eq!(values, ["1", "\"x\"", "[]"]);
    }

    #[test]
    fn a_cut_value_is_closed_at_its_last_whole_piece() {
        for (cut, closed) in [
            (r#"{"a": [1, {"b": "te"#, r#"{"a": [1, {"b": "te"}]}"#),
            (r#"{"a": "x\"#, r#"{"a": "x"}"#),
            (r#"{"a": "x\u00"#, r#"{"a": "x"}"#),
            (r#"{"a": "x\ud83d\ude"#, r#"{"a": "x"}"#),
            (r#"{"a": 1, "bc"#, r#"{"a": 1}"#),
            (r#"{"a": 1, "bc": "#, r#"{"a": 1}"#),
            (r#"{"a": 1, "bc": tr"#, r#"{"a": 1}"#),
            (r#"{"a": 1, "bc""#, r#"{"a": 1}"#),
            (r#"{"a": "b""#, r#"{"a": "b"}"#),
            (r#"{"a": [1, 2"#, r#"{"a": [1]}"#),
            ("{", "{}"),
        ] {
            assert_eq!(close(cut), closed, "{cut}");
        }
    }

    #[test]
    fn lone_surrogates_become_replacement_characters_of_the_same_length() {
        assert_eq!(
            mend_surrogates(r#""\ud83d\ude00 \ud83d \\ud83d \udc00""#),
            r#""\ud83d\ude00 \ufffd \\ud83d \ufffd""#
        );
    }
}
