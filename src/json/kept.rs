//! JSON that is kept as it is: read into text, asked for its parts, and written again.

use std::borrow::Cow;
use std::hash::{BuildHasher, RandomState};

use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};
use serde_json::{Number as AnyNumber, Value};

use super::pass::{Cx, Wire};
use super::reader::{Kind, Number, Reader, Unreadable};
use super::scan::{Members, lenient_string, string, value_text};
use super::values::{DEPTH, TOO_DEEP};
use crate::model::JsonText;

impl JsonText {
    /// Reads any value, also `null`, to a bounded depth: what is nested deeper is replaced by a sentence. Of
    /// keys that come twice the last one is kept.
    pub(crate) fn read_any(reader: &mut Reader<'_>) -> Result<Self, Unreadable> {
        let mut writer = Writer { out: Vec::new(), members: Vec::new(), hashed: RandomState::new() };
        writer.value(0, reader)?;
        let text = String::from_utf8(writer.out).map_err(|_| Unreadable)?;
        Ok(Self::new(text))
    }

    /// Of pieces that were put together: JSON, or what did not become any as a text.
    pub(crate) fn of_pieces(pieces: String) -> Self {
        Self::parsed(&pieces).unwrap_or_else(|| pieces.into())
    }

    /// Of a text that is JSON.
    pub(crate) fn parsed(text: &str) -> Option<Self> {
        let mut reader = Reader::new(text);
        let value = Self::read_any(&mut reader).ok()?;
        reader.end().ok().map(|()| value)
    }

    /// An object of those of some members that have a value.
    pub(crate) fn of_members<'k>(members: impl IntoIterator<Item = (&'k str, Option<Self>)>) -> Self {
        let members = members.into_iter().filter_map(|(key, value)| Some((key, value?)));
        let members = members.map(|(key, value)| format!("{}:{value}", Value::from(key)));
        Self::new(format!("{{{}}}", members.collect::<Vec<_>>().join(",")))
    }

    /// Whether it is `null`.
    pub(crate) fn is_null(&self) -> bool {
        self.as_json() == "null"
    }

    /// The text that it is.
    pub(crate) fn as_text(&self) -> Option<Cow<'_, str>> {
        string(self.as_json())
    }

    /// The same, to be kept.
    pub(crate) fn to_text(&self) -> Option<String> {
        self.as_text().map(Cow::into_owned)
    }

    /// Text as it is, anything else as JSON.
    pub fn plain(&self) -> String {
        self.to_text().unwrap_or_else(|| self.to_string())
    }

    /// The value of a key; where it is no object none.
    pub(crate) fn get(&self, key: &str) -> Option<Self> {
        let json = self.as_json();
        let mut members = Members::of(json, 0).filter(Members::of_object)?;
        let (_, at) = members.find(|(name, _)| name == key)?;
        Some(Self::new(value_text(json, at)))
    }

    /// The members of an object, or none.
    pub fn members(&self) -> impl Iterator<Item = (Cow<'_, str>, Self)> {
        self.parts(true)
    }

    /// The elements of a list, or none.
    pub fn elements(&self) -> impl Iterator<Item = Self> {
        self.parts(false).map(|(_, value)| value)
    }

    fn parts(&self, of_object: bool) -> impl Iterator<Item = (Cow<'_, str>, Self)> {
        let json = self.as_json();
        let parts = Members::of(json, 0).filter(|parts| parts.of_object() == of_object);
        parts.into_iter().flatten().map(|(key, at)| (key, Self::new(value_text(json, at))))
    }
}

impl Wire for JsonText {
    fn read(reader: &mut Reader<'_>, _: &Cx) -> Result<Option<Self>, Unreadable> {
        let value = Self::read_any(reader)?;
        Ok((!value.is_null()).then_some(value))
    }
}

/// As the value that it is.
impl Serialize for JsonText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        At(self.as_json(), 0).serialize(serializer)
    }
}

/// The value that begins at a byte of a text.
struct At<'t>(&'t str, usize);

impl Serialize for At<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(text, at) = *self;
        match Members::of(text, at) {
            Some(members) if members.of_object() => {
                let mut map = serializer.serialize_map(None)?;
                for (key, at) in members {
                    map.serialize_entry(&*key, &At(text, at))?;
                }
                map.end()
            }
            Some(elements) => {
                let mut list = serializer.serialize_seq(None)?;
                for (_, at) in elements {
                    list.serialize_element(&At(text, at))?;
                }
                list.end()
            }
            None => match value_text(text, at) {
                "true" => serializer.serialize_bool(true),
                "false" => serializer.serialize_bool(false),
                literal if literal.starts_with('"') => serializer.serialize_str(&lenient_string(literal)),
                literal => match serde_json::from_str::<AnyNumber>(literal) {
                    Ok(number) => number.serialize(serializer),
                    Err(_) => serializer.serialize_unit(),
                },
            },
        }
    }
}

/// Writes what a reader reads, without blanks between its parts.
struct Writer {
    out: Vec<u8>,
    /// Of the objects that are open: hashes of their keys, and where the comma before each stands.
    members: Vec<(u64, usize)>,
    hashed: RandomState,
}

impl Writer {
    fn value(&mut self, depth: usize, reader: &mut Reader<'_>) -> Result<(), Unreadable> {
        if depth > DEPTH {
            reader.skip()?;
            return self.put(TOO_DEEP);
        }
        match reader.kind()? {
            Kind::Null => reader.read_null().map(|()| self.out.extend(b"null")),
            Kind::Bool => self.put(&reader.read_bool()?),
            Kind::Number => match reader.read_number()? {
                Number::Int(number) => self.put(&number),
                Number::Large(number) => self.put(&number),
                Number::Float(number) => self.put(&number),
            },
            Kind::Text => self.put(reader.read_text()?),
            Kind::List => self.list(depth, reader),
            Kind::Object => self.object(depth, reader),
        }
    }

    fn list(&mut self, depth: usize, reader: &mut Reader<'_>) -> Result<(), Unreadable> {
        let mut elements = reader.open()?;
        self.out.push(b'[');
        let begin = self.out.len();
        while reader.next_element(&mut elements)? {
            if self.out.len() > begin {
                self.out.push(b',');
            }
            self.value(depth + 1, reader)?;
        }
        self.out.push(b']');
        Ok(())
    }

    fn object(&mut self, depth: usize, reader: &mut Reader<'_>) -> Result<(), Unreadable> {
        let mut members = reader.open()?;
        let (begin, first) = (self.out.len(), self.members.len());
        while let Some(key) = reader.next_key(&mut members)? {
            self.members.push((self.hashed.hash_one(&*key), self.out.len()));
            self.out.push(b',');
            self.put(&*key)?;
            self.out.push(b':');
            self.value(depth + 1, reader)?;
        }
        self.drop_repeated(first);
        self.members.truncate(first);
        match self.out.get_mut(begin) {
            Some(comma) => *comma = b'{',
            None => self.out.push(b'{'),
        }
        self.out.push(b'}');
        Ok(())
    }

    /// Of keys of the last object that come twice the last one stays.
    fn drop_repeated(&mut self, first: usize) {
        let members = self.members.get(first..).unwrap_or_default();
        let mut hashes: Vec<u64> = members.iter().map(|(hash, _)| *hash).collect();
        hashes.sort_unstable();
        if !hashes.windows(2).any(|pair| matches!(pair, [one, next] if one == next)) {
            return;
        }
        let mut known = std::collections::HashSet::new();
        let (mut end, mut kept) = (self.out.len(), Vec::new());
        for &(hash, start) in members.iter().rev() {
            if known.insert(hash) {
                kept.push(start..end);
            }
            end = start;
        }
        let mut to = members.first().map_or(0, |(_, start)| *start);
        for member in kept.into_iter().rev() {
            let end = to + member.len();
            self.out.copy_within(member, to);
            to = end;
        }
        self.out.truncate(to);
    }

    fn put(&mut self, value: &(impl Serialize + ?Sized)) -> Result<(), Unreadable> {
        serde_json::to_writer(&mut self.out, value).map_err(|_| Unreadable)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_value_is_the_same_as_text_and_written_as_what_it_is() {
        let sent = r#" {"z": [1, -2.50, 1e300, null, true, []], "a": {"\ud83d\ude00\n\"": "", "o": {}}, "n": 18446744073709551615} "#;
        let text = JsonText::parsed(sent).unwrap();
        assert_eq!(
            text.as_json(),
            r#"{"z":[1,-2.5,1e+300,null,true,[]],"a":{"😀\n\"":"","o":{}},"n":18446744073709551615}"#
        );
        let value: Value = serde_json::from_str(sent).unwrap();
        assert_eq!((text.value(), text.as_json()), (value.clone(), value.to_string().as_str()));
        let pretty = serde_json::to_string_pretty(&text).unwrap();
        assert_eq!(pretty, serde_json::to_string_pretty(&value).unwrap());
        assert!(text.is_object() && !JsonText::from(json!("{")).is_object());
        assert!(JsonText::parsed("{} x").is_none());
    }

    #[test]
    fn its_parts_are_found_by_key_and_in_order() {
        let text = JsonText::from(json!({"k": "two\nlines", "l": ["a", {"n": 1}]}));
        let members: Vec<_> = text.members().map(|(key, value)| format!("{key}={}", value.plain())).collect();
        assert_eq!(members, ["k=two\nlines", r#"l=["a",{"n":1}]"#]);
        let list = text.get("l").unwrap();
        assert_eq!(list.elements().map(|value| value.plain()).collect::<Vec<_>>(), ["a", r#"{"n":1}"#]);
        assert_eq!((text.elements().count(), list.members().count(), text.get("x")), (0, 0, None));
        assert_eq!(text.get("k").unwrap().as_text().unwrap(), "two\nlines");
    }

    #[test]
    fn of_a_key_that_comes_twice_the_last_value_is_kept() {
        let read = |text| JsonText::parsed(text).unwrap().to_string();
        assert_eq!(read(r#"{"a": {"x": 1, "x": 2}, "b": 3, "a": 4}"#), r#"{"b":3,"a":4}"#);
        assert_eq!(
            read(r#"[{"a": 1, "\u0061": {"c": [2], "c": 3}, "b": {}}, {}]"#),
            r#"[{"a":{"c":3},"b":{}},{}]"#
        );
    }
}
