//! The kinds of value behind the tolerant layer: text, numbers, words, and JSON kept as it is.

use std::borrow::Cow;

use serde_json::Value;

use super::pass::{Cx, FEW, Wire};
use super::reader::{Kind, Number, Reader, Unreadable};
use crate::model::JsonText;

/// Values below this depth of nesting are not kept.
pub(super) const DEPTH: usize = 64;

/// What stands in their place.
pub(super) const TOO_DEEP: &str = "… (nested too deep to show)";

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
    Other(&'static str, Option<JsonText>),
}

impl Scalar {
    /// Reads any value.
    pub fn read(reader: &mut Reader<'_>, cx: &Cx) -> Result<Self, Unreadable> {
        let kind = reader.kind()?;
        Ok(match kind {
            Kind::Null => reader.read_null().map(|()| Self::Null)?,
            Kind::Bool => Self::Bool(reader.read_bool()?),
            Kind::Number => match reader.read_number()? {
                Number::Int(number) => Self::Int(number),
                Number::Large(number) => Self::Large(number),
                Number::Float(number) => Self::Float(number),
            },
            Kind::Text => Self::Text(reader.read_text()?.to_owned()),
            Kind::List | Kind::Object => {
                let name = if kind == Kind::List { "a list" } else { "an object" };
                let value = if cx.surveys() {
                    Some(JsonText::read_any(reader)?)
                } else {
                    reader.skip().map(|()| None)?
                };
                Self::Other(name, value)
            }
        })
    }

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
        self.note_misfit(wanted, cx);
        None
    }

    fn note_misfit(self, wanted: &str, cx: &Cx) {
        let kind = match self {
            Self::Null => return,
            Self::Bool(_) => "true or false",
            Self::Int(_) | Self::Large(_) | Self::Float(_) => "a number",
            Self::Text(_) => "text",
            Self::Other(kind, _) => kind,
        };
        cx.flaw(|| format!("{kind} where {wanted} is documented: not used"));
        if let Some(value) = cx.surveys().then(|| self.kept()).flatten() {
            cx.extra(value);
        }
    }

    /// Its value, where it was kept.
    fn kept(self) -> Option<JsonText> {
        let scalar = match self {
            Self::Null => return None,
            Self::Other(_, value) => return value,
            Self::Bool(value) => Value::from(value),
            Self::Int(value) => Value::from(value),
            Self::Large(value) => Value::from(value),
            Self::Float(value) => Value::from(value),
            Self::Text(value) => Value::from(value),
        };
        Some(scalar.into())
    }
}

impl Wire for String {
    /// An address becomes a source.
    const LEAST: usize = 384;
    const EMPTY: usize = 704;

    fn read(reader: &mut Reader<'_>, cx: &Cx) -> Result<Option<Self>, Unreadable> {
        Ok(match Scalar::read(reader, cx)? {
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
    // Each in words of its own takes more than a kilobyte with what is said of it.
    let told = if cx.flaws() < FEW { text.as_str() } else { "a value" };
    cx.flaw(|| format!("{told} where text is documented: read as text"));
    text
}

impl Wire for i64 {
    fn read(reader: &mut Reader<'_>, cx: &Cx) -> Result<Option<Self>, Unreadable> {
        let scalar = Scalar::read(reader, cx)?;
        Ok(scalar.whole().or_else(|| scalar.misfit("a whole number", cx)))
    }
}

impl Wire for f64 {
    fn read(reader: &mut Reader<'_>, cx: &Cx) -> Result<Option<Self>, Unreadable> {
        let scalar = Scalar::read(reader, cx)?;
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

impl Wire for bool {
    fn read(reader: &mut Reader<'_>, cx: &Cx) -> Result<Option<Self>, Unreadable> {
        let scalar = Scalar::read(reader, cx)?;
        let value = match &scalar {
            Scalar::Bool(value) => Some(*value),
            Scalar::Text(text) => text.trim().parse().ok(),
            _ => None,
        };
        Ok(value.or_else(|| scalar.misfit("true or false", cx)))
    }
}

/// A text that stands where a number should, in quotes and on one line: what a blank of any kind parts is two
/// words.
pub fn quoted(text: &str) -> String {
    format!("{:?}", text.replace(|c: char| c.is_whitespace() || c.is_control(), " "))
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

impl Whole {
    /// A place in a text, where it is one.
    fn place(&self) -> Option<usize> {
        match self {
            Self::Number(number) => usize::try_from(*number).ok(),
            Self::Other(_) => None,
        }
    }

    /// A range of a text, where two are one that is not empty.
    pub fn range(start: Option<&Self>, end: Option<&Self>) -> Option<(usize, usize)> {
        let range = start?.place().zip(end?.place());
        range.filter(|(start, end)| start < end)
    }
}

impl Wire for Whole {
    fn read(reader: &mut Reader<'_>, cx: &Cx) -> Result<Option<Self>, Unreadable> {
        let scalar = Scalar::read(reader, cx)?;
        let sent = match &scalar {
            Scalar::Null => return Ok(None),
            Scalar::Bool(value) => value.to_string(),
            Scalar::Int(number) => number.to_string(),
            Scalar::Large(number) => number.to_string(),
            Scalar::Float(number) => number.to_string(),
            Scalar::Text(text) => quoted(text),
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

impl Wire for Word {
    /// An id becomes a citation.
    const LEAST: usize = 640;

    fn read(reader: &mut Reader<'_>, cx: &Cx) -> Result<Option<Self>, Unreadable> {
        Ok(match Scalar::read(reader, cx)? {
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

impl Wire for KindWord {
    fn read(reader: &mut Reader<'_>, cx: &Cx) -> Result<Option<Self>, Unreadable> {
        let word = Word::read(reader, cx)?;
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

impl Wire for Value {
    fn read(reader: &mut Reader<'_>, cx: &Cx) -> Result<Option<Self>, Unreadable> {
        let value = read_value(reader, cx)?;
        Ok((!value.is_null()).then_some(value))
    }
}

/// Bytes that an object takes beside its members, with room for the first three.
const OBJECT: usize = 384;

/// Bytes that a further key takes beside its value: its text, and the entry.
const MEMBER: usize = 64;

/// Reads any value to a bounded depth: what is nested deeper is replaced by a sentence.
pub fn read_value(reader: &mut Reader<'_>, cx: &Cx) -> Result<Value, Unreadable> {
    value_at(0, reader, cx)
}

fn value_at(depth: usize, reader: &mut Reader<'_>, cx: &Cx) -> Result<Value, Unreadable> {
    if depth > DEPTH {
        reader.skip()?;
        return Ok(Value::from(TOO_DEEP));
    }
    let take = |bytes: usize| if cx.take(bytes) { Ok(()) } else { Err(Unreadable) };
    Ok(match reader.kind()? {
        Kind::Null => reader.read_null().map(|()| Value::Null)?,
        Kind::Bool => Value::from(reader.read_bool()?),
        Kind::Number => match reader.read_number()? {
            Number::Int(number) => Value::from(number),
            Number::Large(number) => Value::from(number),
            Number::Float(number) => Value::from(number),
        },
        Kind::Text => Value::from(reader.read_text()?),
        Kind::List => {
            let (mut elements, mut list) = (reader.open()?, Vec::new());
            while reader.next_element(&mut elements)? {
                let element = value_at(depth + 1, reader, cx)?;
                // A list that grows stands there twice for a while.
                take(2 * size_of::<Value>())?;
                list.push(element);
            }
            Value::Array(list)
        }
        Kind::Object => {
            let (mut members, mut object) = (reader.open()?, serde_json::Map::new());
            while let Some(key) = reader.next_key(&mut members)? {
                let value = value_at(depth + 1, reader, cx)?;
                take(if object.is_empty() { OBJECT } else { size_of::<Value>() + MEMBER })?;
                // Most have one member: a map that grows begins with room for four.
                if object.is_empty() {
                    object = serde_json::Map::with_capacity(1);
                }
                object.insert(key.into_owned(), value);
            }
            Value::Object(object)
        }
    })
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
