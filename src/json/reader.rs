//! JSON text to serde, as strict as `serde_json` and to the same values, without a place in its errors: who
//! wants to know where something is wrong asks `serde_json`. Long strings are passed over many bytes at once.

use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;

use super::scan::{skip_space, special};

/// Nested values that are handed on, as many as `serde_json` does.
const DEPTH: u8 = 128;

/// That a text cannot be read: not where, nor why.
#[derive(Debug)]
pub struct Unreadable;

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not to be read")
    }
}

impl std::error::Error for Unreadable {}

impl de::Error for Unreadable {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

/// A text, and how far it is read.
pub struct Reader<'de> {
    text: &'de str,
    pos: usize,
    /// Containers that may be opened yet.
    depth: u8,
    /// The last string that has escapes, without them.
    unescaped: String,
}

impl<'de> Reader<'de> {
    /// From the beginning of a text.
    pub fn new(text: &'de str) -> Self {
        Self { text, pos: 0, depth: DEPTH, unescaped: String::new() }
    }

    /// An error where anything stands behind the value.
    pub fn end(&mut self) -> Result<(), Unreadable> {
        if self.next_byte().is_none() { Ok(()) } else { Err(Unreadable) }
    }

    fn at(&self, pos: usize) -> Option<u8> {
        self.text.as_bytes().get(pos).copied()
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

    fn visit_number<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Unreadable> {
        let (literal, whole) = self.number()?;
        if whole && literal != "-0" {
            if let Some(number) = literal.parse::<u64>().ok().filter(|_| !literal.starts_with('-')) {
                return visitor.visit_u64(number);
            }
            if let Ok(number) = literal.parse::<i64>() {
                return visitor.visit_i64(number);
            }
        }
        let number: f64 = literal.parse().map_err(|_| Unreadable)?;
        if number.is_finite() { visitor.visit_f64(number) } else { Err(Unreadable) }
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
    fn skip(&mut self) -> Result<(), Unreadable> {
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

    /// Reads a container, whose opening bracket stands here.
    fn within<T>(
        &mut self,
        read: impl FnOnce(Values<'_, 'de>) -> Result<T, Unreadable>,
        close: u8,
    ) -> Result<T, Unreadable> {
        self.pos += 1;
        self.depth = self.depth.checked_sub(1).filter(|depth| *depth > 0).ok_or(Unreadable)?;
        let mut ended = false;
        let out = read(Values { reader: self, first: true, close, ended: &mut ended })?;
        self.depth += 1;
        // What is left unread is not wanted.
        if !ended {
            self.take(close)?;
        }
        Ok(out)
    }
}

impl<'de> Deserializer<'de> for &mut Reader<'de> {
    type Error = Unreadable;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        match self.next_byte().ok_or(Unreadable)? {
            b'"' => {
                self.pos += 1;
                match self.string()? {
                    Some(text) => visitor.visit_borrowed_str(text),
                    None => visitor.visit_str(&self.unescaped),
                }
            }
            b'{' => self.within(|values| visitor.visit_map(values), b'}'),
            b'[' => self.within(|values| visitor.visit_seq(values), b']'),
            b'n' => self.word("null").and_then(|()| visitor.visit_unit()),
            b't' => self.word("true").and_then(|()| visitor.visit_bool(true)),
            b'f' => self.word("false").and_then(|()| visitor.visit_bool(false)),
            _ => self.visit_number(visitor),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unreadable> {
        self.skip()?;
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier
    }
}

/// The values of a container.
struct Values<'a, 'de> {
    reader: &'a mut Reader<'de>,
    first: bool,
    close: u8,
    /// Its closing bracket was passed.
    ended: &'a mut bool,
}

impl Values<'_, '_> {
    fn goes_on(&mut self) -> Result<bool, Unreadable> {
        let first = std::mem::replace(&mut self.first, false);
        let goes_on = !*self.ended && self.reader.goes_on(first, self.close)?;
        *self.ended = !goes_on;
        Ok(goes_on)
    }
}

impl<'de> SeqAccess<'de> for Values<'_, 'de> {
    type Error = Unreadable;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Unreadable> {
        if self.goes_on()? { seed.deserialize(&mut *self.reader).map(Some) } else { Ok(None) }
    }
}

impl<'de> MapAccess<'de> for Values<'_, 'de> {
    type Error = Unreadable;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Unreadable> {
        if !self.goes_on()? {
            return Ok(None);
        }
        if self.reader.next_byte() != Some(b'"') {
            return Err(Unreadable);
        }
        seed.deserialize(&mut *self.reader).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Unreadable> {
        self.reader.take(b':')?;
        seed.deserialize(&mut *self.reader)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde::Deserialize;
    use serde_json::Value;

    use super::*;

    fn read<'de, T: Deserialize<'de>>(text: &'de str) -> Option<T> {
        let mut reader = Reader::new(text);
        let value = T::deserialize(&mut reader).ok()?;
        reader.end().ok().map(|()| value)
    }

    /// Both read the same or nothing, and pass over the same.
    fn agrees(text: &str) {
        assert_eq!(read::<Value>(text), serde_json::from_str(text).ok(), "{text:?}");
        let passed = |read: bool| if read { "passed over" } else { "refused" };
        let theirs = serde_json::from_str::<de::IgnoredAny>(text).is_ok();
        assert_eq!(passed(read::<de::IgnoredAny>(text).is_some()), passed(theirs), "{text:?}");
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
