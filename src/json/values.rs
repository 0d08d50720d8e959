//! The kinds of value behind the tolerant layer: text, numbers, words, and JSON kept as it is.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use super::pass::{Cx, Wire};

/// Values below this depth of nesting are not kept.
const DEPTH: usize = 64;

/// Any value, taken as far as a scalar goes.
#[non_exhaustive]
pub enum Scalar {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// One past the range of those.
    Large(u64),
    /// Any other number.
    Float(f64),
    /// Text.
    Text(String),
    /// An object or a list, by its name; its value in a recording pass only.
    Other(&'static str, Value),
}

/// Reads any value as a [`Scalar`].
pub struct ScalarVisitor<'a>(pub &'a Cx);

impl<'de> Visitor<'de> for ScalarVisitor<'_> {
    type Value = Scalar;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }
    fn visit_unit<E>(self) -> Result<Scalar, E> {
        Ok(Scalar::Null)
    }
    fn visit_bool<E>(self, value: bool) -> Result<Scalar, E> {
        Ok(Scalar::Bool(value))
    }
    fn visit_i64<E>(self, value: i64) -> Result<Scalar, E> {
        Ok(Scalar::Int(value))
    }
    fn visit_u64<E>(self, value: u64) -> Result<Scalar, E> {
        Ok(i64::try_from(value).map_or(Scalar::Large(value), Scalar::Int))
    }
    fn visit_f64<E>(self, value: f64) -> Result<Scalar, E> {
        Ok(Scalar::Float(value))
    }
    fn visit_str<E>(self, value: &str) -> Result<Scalar, E> {
        Ok(Scalar::Text(value.to_owned()))
    }
    fn visit_string<E>(self, value: String) -> Result<Scalar, E> {
        Ok(Scalar::Text(value))
    }
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Scalar, A::Error> {
        if self.0.surveys() {
            return Ok(Scalar::Other("an object", ValueVisitor(0, self.0).visit_map(map)?));
        }
        IgnoredAny.visit_map(map)?;
        Ok(Scalar::Other("an object", Value::Null))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Scalar, A::Error> {
        if self.0.surveys() {
            return Ok(Scalar::Other("a list", ValueVisitor(0, self.0).visit_seq(seq)?));
        }
        IgnoredAny.visit_seq(seq)?;
        Ok(Scalar::Other("a list", Value::Null))
    }
}

impl Scalar {
    /// The whole number that it is, also in a string.
    fn whole(&self) -> Option<i64> {
        match self {
            Self::Int(number) => Some(*number),
            Self::Float(number) => whole_of(*number),
            Self::Text(text) => text.trim().parse().ok(),
            _ => None,
        }
    }

    /// Nothing, and a flaw that says what stands here instead of what is documented.
    pub fn misfit<T>(self, wanted: &str, cx: &Cx) -> Option<T> {
        let (kind, value) = match self {
            Self::Null => return None,
            Self::Bool(value) => ("true or false", Value::from(value)),
            Self::Int(value) => ("a number", Value::from(value)),
            Self::Large(value) => ("a number", Value::from(value)),
            Self::Float(value) => ("a number", Value::from(value)),
            Self::Text(value) => ("text", Value::from(value)),
            Self::Other(kind, value) => (kind, value),
        };
        cx.flaw(|| format!("{kind} where {wanted} is documented: not used"));
        cx.extra(value);
        None
    }
}

impl<'de> Wire<'de> for String {
    fn read<D: Deserializer<'de>>(deserializer: D, cx: &Cx) -> Result<Option<Self>, D::Error> {
        Ok(match deserializer.deserialize_any(ScalarVisitor(cx))? {
            Scalar::Text(text) => Some(text),
            Scalar::Int(number) => Some(noted(cx, number.to_string())),
            Scalar::Large(number) => Some(noted(cx, number.to_string())),
            Scalar::Float(number) => Some(noted(cx, number.to_string())),
            Scalar::Bool(value) => Some(noted(cx, value.to_string())),
            other => other.misfit("text", cx),
        })
    }
}

fn noted(cx: &Cx, text: String) -> String {
    cx.flaw(|| format!("{text} where text is documented: read as text"));
    text
}

impl<'de> Wire<'de> for i64 {
    fn read<D: Deserializer<'de>>(deserializer: D, cx: &Cx) -> Result<Option<Self>, D::Error> {
        let scalar = deserializer.deserialize_any(ScalarVisitor(cx))?;
        Ok(scalar.whole().or_else(|| scalar.misfit("a whole number", cx)))
    }
}

impl<'de> Wire<'de> for f64 {
    fn read<D: Deserializer<'de>>(deserializer: D, cx: &Cx) -> Result<Option<Self>, D::Error> {
        let scalar = deserializer.deserialize_any(ScalarVisitor(cx))?;
        let number = match &scalar {
            Scalar::Int(number) => Some(*number as Self),
            Scalar::Large(number) => Some(*number as Self),
            Scalar::Float(number) => Some(*number),
            Scalar::Text(text) => text.trim().parse().ok().filter(|number: &Self| number.is_finite()),
            _ => None,
        };
        Ok(number.or_else(|| scalar.misfit("a number", cx)))
    }
}

impl<'de> Wire<'de> for bool {
    fn read<D: Deserializer<'de>>(deserializer: D, cx: &Cx) -> Result<Option<Self>, D::Error> {
        let scalar = deserializer.deserialize_any(ScalarVisitor(cx))?;
        let value = match &scalar {
            Scalar::Bool(value) => Some(*value),
            Scalar::Text(text) => text.trim().parse().ok(),
            _ => None,
        };
        Ok(value.or_else(|| scalar.misfit("true or false", cx)))
    }
}

/// A whole number; what is none keeps its text, since an offset that cannot be read is not 0.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Whole {
    /// The number.
    Number(i64),
    /// What was sent instead.
    Other(String),
}

impl<'de> Wire<'de> for Whole {
    fn read<D: Deserializer<'de>>(deserializer: D, cx: &Cx) -> Result<Option<Self>, D::Error> {
        let scalar = deserializer.deserialize_any(ScalarVisitor(cx))?;
        let sent = match &scalar {
            Scalar::Null => return Ok(None),
            Scalar::Bool(value) => value.to_string(),
            Scalar::Int(number) => number.to_string(),
            Scalar::Large(number) => number.to_string(),
            Scalar::Float(number) => number.to_string(),
            Scalar::Text(text) => format!("{text:?}"),
            Scalar::Other(kind, _) => (*kind).to_owned(),
        };
        Ok(Some(scalar.whole().map_or_else(
            || {
                let _: Option<i64> = scalar.misfit("a whole number", cx);
                Self::Other(sent)
            },
            Self::Number,
        )))
    }
}

/// A scalar of any kind, as the text it is shown as: enum words and numbers, ids, times.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Word(pub String);

impl<'de> Wire<'de> for Word {
    fn read<D: Deserializer<'de>>(deserializer: D, cx: &Cx) -> Result<Option<Self>, D::Error> {
        Ok(match deserializer.deserialize_any(ScalarVisitor(cx))? {
            Scalar::Text(text) => Some(Self(text)),
            Scalar::Int(number) => Some(Self(number.to_string())),
            Scalar::Large(number) => Some(Self(number.to_string())),
            Scalar::Float(number) => Some(Self(number.to_string())),
            Scalar::Bool(value) => Some(Self(value.to_string())),
            other => other.misfit("a word or a number", cx),
        })
    }
}

/// A word that says which of several things its object is, or how it went. The reader goes by it; a survey
/// lists each such word once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KindWord(pub String);

impl<'de> Wire<'de> for KindWord {
    fn read<D: Deserializer<'de>>(deserializer: D, cx: &Cx) -> Result<Option<Self>, D::Error> {
        let word = Word::read(deserializer, cx)?;
        Ok(word.map(|word| {
            cx.extra_once(&word.0);
            Self(word.0)
        }))
    }
}

/// The word of a kind; nothing where it was not sent.
pub fn kind(sent: &Option<KindWord>) -> &str {
    sent.as_ref().map_or("", |kind| kind.0.as_str())
}

impl Word {
    /// The enum's word where a number was sent; `words` in the order of their numbers from 0.
    pub fn named(&self, words: &[&str]) -> String {
        let by_number = self.0.parse::<usize>().ok().and_then(|number| words.get(number));
        by_number.map_or_else(|| self.0.clone(), |word| (*word).to_owned())
    }
}

impl<'de> Wire<'de> for Value {
    fn read<D: Deserializer<'de>>(deserializer: D, cx: &Cx) -> Result<Option<Self>, D::Error> {
        let value = ValueSeed(0, cx).deserialize(deserializer)?;
        Ok((!value.is_null()).then_some(value))
    }
}

/// Bytes that a key takes beside its value: its text, and the entry.
const MEMBER: usize = 64;

/// Reads any value to a bounded depth, below which it stands: what is nested deeper is replaced by a
/// sentence.
pub struct ValueSeed<'a>(pub usize, pub &'a Cx);

impl<'de> DeserializeSeed<'de> for ValueSeed<'_> {
    type Value = Value;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        if self.0 > DEPTH {
            deserializer.deserialize_ignored_any(IgnoredAny)?;
            return Ok(Value::from("… (nested too deep to show)"));
        }
        deserializer.deserialize_any(ValueVisitor(self.0, self.1))
    }
}

struct ValueVisitor<'a>(usize, &'a Cx);

impl ValueVisitor<'_> {
    fn take<E: serde::de::Error>(&self, bytes: usize) -> Result<(), E> {
        if self.1.take(bytes) { Ok(()) } else { Err(E::custom("values without end")) }
    }
}

impl<'de> Visitor<'de> for ValueVisitor<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }
    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }
    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::from(value))
    }
    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }
    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }
    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::from(value))
    }
    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::from(value))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(element) = seq.next_element_seed(ValueSeed(self.0 + 1, self.1))? {
            self.take(size_of::<Value>())?;
            list.push(element);
        }
        Ok(Value::Array(list))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut object = serde_json::Map::new();
        while let Some(key) = map.next_key::<String>()? {
            let value = map.next_value_seed(ValueSeed(self.0 + 1, self.1))?;
            self.take(size_of::<Value>() + MEMBER)?;
            // Most have one member: a map begins with room for four.
            if object.is_empty() {
                object = serde_json::Map::with_capacity(1);
            }
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }
}

/// The whole number that a fraction is: `14.0`, as tables write their numbers.
fn whole_of(number: f64) -> Option<i64> {
    (number.fract() == 0.0 && number.abs() < 9e15).then_some(number as i64)
}

/// The whole number that a value is, also in a string or as `14.0`.
pub fn whole(value: &Value) -> Option<i64> {
    let sent = || value.as_f64().and_then(whole_of);
    value.as_i64().or_else(sent).or_else(|| value.as_str()?.trim().parse().ok())
}

/// What a value names: a number as whole as it is.
pub fn named(value: &Value) -> Cow<'_, str> {
    match value.as_f64().filter(|_| value.is_f64()).and_then(whole_of) {
        Some(number) => number.to_string().into(),
        None => plain(value),
    }
}

/// A value as people read it: text without quotes, anything else as JSON.
pub fn plain(value: &Value) -> Cow<'_, str> {
    value.as_str().map_or_else(|| value.to_string().into(), Into::into)
}
