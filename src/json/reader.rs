//! JSON text value by value, as strict as `serde_json` and to the same values, without a place in its errors:
//! what is wrong, and where, [`why`](super::why) tells. Long strings are passed over many bytes at once.

use std::borrow::Cow;

use super::scan::{says_nothing, skip_space, special};

/// Nested values that are handed on, as many as `serde_json` does.
const DEPTH: u8 = 128;

/// That a text cannot be read: not where, nor why.
#[derive(Debug)]
pub struct Unreadable;

/// What a value is, by its first byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool,
    /// A number.
    Number,
    /// A string.
    Text,
    /// A list.
    List,
    /// An object.
    Object,
}

/// A number, as `serde_json` tells them apart.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Number {
    /// A whole one.
    Int(i64),
    /// A whole one past the range of those.
    Large(u64),
    /// Any other.
    Float(f64),
}

/// A place that a reader goes back to.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    pos: usize,
    values: u32,
    passed: usize,
}

/// An object or a list that is read: whether nothing of it was yet, and its end.
pub struct Container {
    first: bool,
    close: u8,
}

/// A text, and how far it is read.
pub struct Reader<'de> {
    text: &'de str,
    pos: usize,
    /// Containers that may be opened yet.
    depth: u8,
    /// The last string that has escapes, without them.
    unescaped: String,
    /// Values in containers that were begun, but for those in what was passed over.
    values: u32,
    /// Those of them that were passed over, where that is noted.
    passed: Option<Vec<u32>>,
}

impl<'de> Reader<'de> {
    /// From the beginning of a text.
    pub fn new(text: &'de str) -> Self {
        Self { text, pos: 0, depth: DEPTH, unescaped: String::new(), values: 0, passed: None }
    }

    /// One that notes which values are passed over.
    pub(super) fn noting(text: &'de str) -> Self {
        Self { passed: Some(Vec::new()), ..Self::new(text) }
    }

    /// The numbers of the values that were passed over: each value in a container has one, from 1.
    pub(super) fn into_passed(self) -> Vec<u32> {
        self.passed.unwrap_or_default()
    }

    /// An error where anything stands behind the value.
    pub fn end(&mut self) -> Result<(), Unreadable> {
        if self.next_byte().is_none() { Ok(()) } else { Err(Unreadable) }
    }

    fn at(&self, pos: usize) -> Option<u8> {
        self.text.as_bytes().get(pos).copied()
    }

    /// What the next value is.
    pub fn kind(&mut self) -> Result<Kind, Unreadable> {
        Ok(match self.next_byte().ok_or(Unreadable)? {
            b'"' => Kind::Text,
            b'{' => Kind::Object,
            b'[' => Kind::List,
            b'n' => Kind::Null,
            b't' | b'f' => Kind::Bool,
            b'-' | b'0'..=b'9' => Kind::Number,
            _ => return Err(Unreadable),
        })
    }

    /// Whether the next value says nothing.
    pub fn says_nothing(&mut self) -> bool {
        self.next_byte();
        says_nothing(self.text.as_bytes(), self.pos)
    }

    /// Where the next value stands, to go back to.
    pub fn place(&self) -> Place {
        Place { pos: self.pos, values: self.values, passed: self.passed.as_ref().map_or(0, Vec::len) }
    }

    /// Bytes read since a place in the same container.
    pub fn since(&self, place: Place) -> usize {
        self.pos.saturating_sub(place.pos)
    }

    /// Goes back to a place in the same container.
    pub fn go_back(&mut self, place: Place) {
        self.pos = place.pos;
        self.values = place.values;
        if let Some(passed) = &mut self.passed {
            passed.truncate(place.passed);
        }
    }

    /// The next byte that is not white space, which stays.
    fn next_byte(&mut self) -> Option<u8> {
        self.pos = skip_space(self.text.as_bytes(), self.pos);
        self.at(self.pos)
    }

    fn take(&mut self, byte: u8) -> Result<(), Unreadable> {
        if self.next_byte() != Some(byte) {
            return Err(Unreadable);
        }
        self.pos += 1;
        Ok(())
    }

    fn word(&mut self, word: &str) -> Result<(), Unreadable> {
        let rest = self.text.as_bytes().get(self.pos..).ok_or(Unreadable)?;
        if !rest.starts_with(word.as_bytes()) {
            return Err(Unreadable);
        }
        self.pos += word.len();
        Ok(())
    }

    /// What stands between here and the next quote or escape, which is passed over; true for a quote.
    fn piece(&mut self) -> Result<(&'de str, bool), Unreadable> {
        let from = self.pos;
        let at = from + self.text.as_bytes().get(from..).and_then(special).ok_or(Unreadable)?;
        let ends = match self.at(at) {
            Some(b'"') => true,
            Some(b'\\') => false,
            // Control characters are escaped in JSON.
            _ => return Err(Unreadable),
        };
        self.pos = at + 1;
        Ok((self.text.get(from..at).ok_or(Unreadable)?, ends))
    }

    /// The string whose opening quote was passed, as it stands there; `None` where it has escapes: then it is
    /// the one that is kept.
    fn string(&mut self) -> Result<Option<&'de str>, Unreadable> {
        let (piece, ends) = self.piece()?;
        if ends {
            return Ok(Some(piece));
        }
        self.unescaped.clear();
        self.unescaped.push_str(piece);
        loop {
            let escape = self.at(self.pos).ok_or(Unreadable)?;
            self.pos += 1;
            let character = match escape {
                b'"' => '"',
                b'\\' => '\\',
                b'/' => '/',
                b'b' => '\u{8}',
                b'f' => '\u{c}',
                b'n' => '\n',
                b'r' => '\r',
                b't' => '\t',
                b'u' => self.escaped()?,
                _ => return Err(Unreadable),
            };
            self.unescaped.push(character);
            let (piece, ends) = self.piece()?;
            self.unescaped.push_str(piece);
            if ends {
                return Ok(None);
            }
        }
    }

    /// Four hexadecimal digits.
    fn code(&mut self) -> Result<u32, Unreadable> {
        let digits = self.text.get(self.pos..self.pos + 4).ok_or(Unreadable)?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(Unreadable);
        }
        self.pos += 4;
        u32::from_str_radix(digits, 16).map_err(|_| Unreadable)
    }

    /// The character behind `\u`: of a surrogate both halves.
    fn escaped(&mut self) -> Result<char, Unreadable> {
        let mut code = self.code()?;
        if (0xD800..0xDC00).contains(&code) {
            self.word("\\u")?;
            let low = self.code()?.checked_sub(0xDC00).filter(|low| *low < 0x400).ok_or(Unreadable)?;
            code = 0x1_0000 + ((code - 0xD800) << 10 | low);
        }
        char::from_u32(code).ok_or(Unreadable)
    }

    /// Passes over a string whose opening quote was passed.
    fn skip_string(&mut self) -> Result<(), Unreadable> {
        loop {
            let (_, ends) = self.piece()?;
            if ends {
                return Ok(());
            }
            let escape = self.at(self.pos).ok_or(Unreadable)?;
            self.pos += 1;
            match escape {
                b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => {}
                b'u' => _ = self.code()?,
                _ => return Err(Unreadable),
            }
        }
    }

    fn skip_digits(&mut self) -> usize {
        let from = self.pos;
        while self.at(self.pos).is_some_and(|byte| byte.is_ascii_digit()) {
            self.pos += 1;
        }
        self.pos - from
    }

    /// Passes over a number; whether it is written as a whole one.
    fn number(&mut self) -> Result<(&'de str, bool), Unreadable> {
        let from = self.pos;
        if self.at(from) == Some(b'-') {
            self.pos += 1;
        }
        let leads = self.at(self.pos);
        let digits = self.skip_digits();
        if digits == 0 || digits > 1 && leads == Some(b'0') {
            return Err(Unreadable);
        }
        let mut whole = true;
        if self.at(self.pos) == Some(b'.') {
            self.pos += 1;
            whole = false;
            if self.skip_digits() == 0 {
                return Err(Unreadable);
            }
        }
        if matches!(self.at(self.pos), Some(b'e' | b'E')) {
            self.pos += 1;
            whole = false;
            if matches!(self.at(self.pos), Some(b'+' | b'-')) {
                self.pos += 1;
            }
            if self.skip_digits() == 0 {
                return Err(Unreadable);
            }
        }
        Ok((self.text.get(from..self.pos).ok_or(Unreadable)?, whole))
    }

    /// The number that stands here.
    pub fn read_number(&mut self) -> Result<Number, Unreadable> {
        let (literal, whole) = self.number()?;
        if whole && literal != "-0" {
            if let Ok(number) = literal.parse() {
                return Ok(Number::Int(number));
            }
            if let Some(number) = literal.parse().ok().filter(|_| !literal.starts_with('-')) {
                return Ok(Number::Large(number));
            }
        }
        let number: f64 = literal.parse().map_err(|_| Unreadable)?;
        if number.is_finite() { Ok(Number::Float(number)) } else { Err(Unreadable) }
    }

    /// The text that stands here.
    pub fn read_text(&mut self) -> Result<&str, Unreadable> {
        self.take(b'"')?;
        Ok(match self.string()? {
            Some(text) => text,
            None => &self.unescaped,
        })
    }

    /// The `true` or `false` that stands here.
    pub fn read_bool(&mut self) -> Result<bool, Unreadable> {
        let is_true = self.next_byte() == Some(b't');
        self.word(if is_true { "true" } else { "false" }).map(|()| is_true)
    }

    /// The `null` that stands here.
    pub fn read_null(&mut self) -> Result<(), Unreadable> {
        self.word("null")
    }

    /// Passes over what stands between the values of a container; `false` behind the last one.
    fn goes_on(&mut self, first: bool, close: u8) -> Result<bool, Unreadable> {
        match self.next_byte() {
            Some(byte) if byte == close => {
                self.pos += 1;
                Ok(false)
            }
            Some(b',') if !first => {
                self.pos += 1;
                // Behind a comma stands a value.
                if self.next_byte() == Some(close) { Err(Unreadable) } else { Ok(true) }
            }
            Some(_) if first => Ok(true),
            _ => Err(Unreadable),
        }
    }

    fn skip_key(&mut self) -> Result<(), Unreadable> {
        self.take(b'"')?;
        self.skip_string()?;
        self.take(b':')
    }

    /// Passes over a value, however deeply it is nested.
    pub fn skip(&mut self) -> Result<(), Unreadable> {
        if let Some(passed) = &mut self.passed {
            passed.push(self.values);
        }
        let mut open: Vec<u8> = Vec::new();
        loop {
            let mut opened = false;
            match self.next_byte().ok_or(Unreadable)? {
                b'"' => {
                    self.pos += 1;
                    self.skip_string()?;
                }
                byte @ (b'{' | b'[') => {
                    self.pos += 1;
                    open.push(if byte == b'{' { b'}' } else { b']' });
                    opened = true;
                }
                b'n' => self.word("null")?,
                b't' => self.word("true")?,
                b'f' => self.word("false")?,
                _ => _ = self.number()?,
            }
            loop {
                let Some(&close) = open.last() else { return Ok(()) };
                if self.goes_on(opened, close)? {
                    if close == b'}' {
                        self.skip_key()?;
                    }
                    break;
                }
                open.pop();
                opened = false;
            }
        }
    }

    /// Opens the object or the list that stands here.
    pub fn open(&mut self) -> Result<Container, Unreadable> {
        let close = match self.next_byte() {
            Some(b'{') => b'}',
            Some(b'[') => b']',
            _ => return Err(Unreadable),
        };
        self.pos += 1;
        self.depth = self.depth.checked_sub(1).filter(|depth| *depth > 0).ok_or(Unreadable)?;
        Ok(Container { first: true, close })
    }

    /// Whether a list goes on; then its next element has to be read. Not called again behind the last one.
    pub fn next_element(&mut self, list: &mut Container) -> Result<bool, Unreadable> {
        let first = std::mem::replace(&mut list.first, false);
        let goes_on = self.goes_on(first, list.close)?;
        self.depth += u8::from(!goes_on);
        self.values = self.values.wrapping_add(u32::from(goes_on));
        Ok(goes_on)
    }

    /// The next key of an object, whose value has to be read. Not called again behind the last one.
    pub fn next_key(&mut self, object: &mut Container) -> Result<Option<Cow<'de, str>>, Unreadable> {
        if !self.next_element(object)? {
            return Ok(None);
        }
        self.take(b'"')?;
        let key = match self.string()? {
            Some(key) => Cow::Borrowed(key),
            None => Cow::Owned(self.unescaped.clone()),
        };
        self.take(b':')?;
        Ok(Some(key))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde::de::IgnoredAny;
    use serde_json::Value;

    use super::*;

    fn value(reader: &mut Reader<'_>) -> Result<Value, Unreadable> {
        Ok(match reader.kind()? {
            Kind::Null => reader.read_null().map(|()| Value::Null)?,
            Kind::Bool => reader.read_bool()?.into(),
            Kind::Number => match reader.read_number()? {
                Number::Int(number) => number.into(),
                Number::Large(number) => number.into(),
                Number::Float(number) => number.into(),
            },
            Kind::Text => reader.read_text()?.into(),
            Kind::List => {
                let (mut list, mut out) = (reader.open()?, Vec::new());
                while reader.next_element(&mut list)? {
                    out.push(value(reader)?);
                }
                out.into()
            }
            Kind::Object => {
                let (mut object, mut out) = (reader.open()?, serde_json::Map::new());
                while let Some(key) = reader.next_key(&mut object)? {
                    out.insert(key.into_owned(), value(reader)?);
                }
                out.into()
            }
        })
    }

    fn read<'t, T>(text: &'t str, read: impl FnOnce(&mut Reader<'t>) -> Result<T, Unreadable>) -> Option<T> {
        let mut reader = Reader::new(text);
        let value = read(&mut reader).ok()?;
        reader.end().ok().map(|()| value)
    }

    /// Both read the same or nothing, and pass over the same.
    fn agrees(text: &str) {
        assert_eq!(read(text, value), serde_json::from_str(text).ok(), "{text:?}");
        let passed = |read: bool| if read { "passed over" } else { "refused" };
        let theirs = serde_json::from_str::<IgnoredAny>(text).is_ok();
        assert_eq!(passed(read(text, Reader::skip).is_some()), passed(theirs), "{text:?}");
    }

    #[test]
    fn what_serde_json_reads_is_read_to_the_same_value_and_nothing_else_is() {
        // A text a line; and what holds line ends and control characters.
        let texts = r#"
null
nul
nulll
true 
 false
falsey
0 -0 00 01 - -1 1. .5 1.5 1e5 1E+5 1e 1e- 1.5e-3 18446744073709551615 18446744073709551616
-9223372036854775808 -9223372036854775809 1e400 123456789012345678901234567890 0.1 -0.0
"a" "a "\"\\\/\b\f\n\r\t" "\q" "\u00e9\u4e2d" "\ud83d\ude00" "\ud83d" "\ud83d\u0041" "\ude00" "\u+123" "\u12"
[] [1] [1,] [,1] [1 [1} ] {} {"a":1} {"a":1,} {,"a":1} {"a"} {"a":} {a:1} {"a":1 {"a":1] {1:2} {"a":1}{} {"a\u0062":1}
[ ]
{ }
[1 2]
[1, 2]
{"a" : 1 , "b":[{}, {"c":null}]}
{"a":1 "b":2}
{"a":1,"a":2}
"#;
        let words = texts.lines().chain(texts.split_whitespace());
        for text in
            words.chain(["\"a\nb\"", "\"\u{1}\"", "\"\u{7f}é\"", "\u{feff}1", "[1]\u{a0}", "[\n1\t]\r\n"])
        {
            agrees(text);
        }
        for depth in [126, 127, 128, 129, 5000] {
            agrees(&("[".repeat(depth) + &"]".repeat(depth)));
            agrees(&(r#"{"a":"#.repeat(depth) + "1" + &"}".repeat(depth)));
        }
        // A sign at every distance, within the words that are looked at first and beyond.
        for length in 0..120 {
            for sign in ["", "\\n", "\\", "\n", "\u{1f}", "\u{0}", "é", "\u{20}"] {
                agrees(&format!("[\"{}{sign}{}\", 1]", "a".repeat(length), "b".repeat(length / 3)));
            }
        }
    }

    proptest! {
        #[test]
        fn of_broken_json_the_same_is_refused(text in r#"[\[\]{}:,"\\ 0-9eE.+\-a-fnrtu\n]{0,24}"#) {
            agrees(&text);
        }
    }
}
