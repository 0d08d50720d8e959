//! The kinds of value in the form: each can be written, is read tolerantly, and says in the schema what it
//! is.

use std::borrow::Cow;
use std::marker::PhantomData;

use serde::ser::{Serialize, Serializer};

use crate::json::Kind;
use crate::json::values::{Scalar, Word};
use crate::json::wire::{Cx, Field, Reader, Unreadable, Wire};
use crate::model::{JsonText, Words};

/// A field of the form.
pub trait Entry {
    /// Whether each object has the key.
    #[cfg(test)]
    const REQUIRED: bool = true;

    /// Whether the key is written.
    fn is_written(&self) -> bool {
        true
    }
}

/// `null` where not sent.
impl<T> Entry for Option<T> {}

/// Always written with a value; read tolerantly all the same.
pub struct Must<T>(pub Option<T>);

/// A key that only some objects have.
pub struct Only<T>(pub Option<T>);

/// What is worked out: written, and skipped when read.
pub struct Derived<T>(pub Option<T>);

macro_rules! wrapper {
    ($($name:ident, $required:literal, $written:expr;)*) => {$(
        impl<T> Default for $name<T> {
            fn default() -> Self {
                Self(None)
            }
        }

        impl<T> From<T> for $name<T> {
            fn from(value: T) -> Self {
                Self(Some(value))
            }
        }

        impl<T> Entry for $name<T> {
            #[cfg(test)]
            const REQUIRED: bool = $required;

            fn is_written(&self) -> bool {
                let written: fn(bool) -> bool = $written;
                written(self.0.is_some())
            }
        }

        impl<T: Serialize> Serialize for $name<T> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.0.serialize(serializer)
            }
        }

        #[cfg(test)]
        impl<T: schemars::JsonSchema> schemars::JsonSchema for $name<T> {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                T::schema_name()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                generator.subschema_for::<T>()
            }
        }
    )*};
}

wrapper! {
    Must, true, |_| true;
    Only, false, |given| given;
    Derived, true, |_| true;
}

impl<T: Wire> Field for Must<T> {
    fn fill(&mut self, reader: &mut Reader<'_>, cx: &Cx) -> Result<(), Unreadable> {
        self.0.fill(reader, cx)
    }
}

impl<T: Wire> Field for Only<T> {
    fn fill(&mut self, reader: &mut Reader<'_>, cx: &Cx) -> Result<(), Unreadable> {
        self.0.fill(reader, cx)
    }
}

impl<T> Field for Derived<T> {
    fn fill(&mut self, reader: &mut Reader<'_>, _: &Cx) -> Result<(), Unreadable> {
        reader.skip()
    }
}

/// Makes the elements of a list, or the members of an object, anew each time they are written.
type Elements<'a, T> = Box<dyn Fn() -> Box<dyn Iterator<Item = T> + 'a> + 'a>;

/// Text, borrowed where it is written and owned where it was read.
pub type Text<'a> = Cow<'a, str>;

/// Text of the model as it is written.
#[allow(clippy::ref_option)] // a field of the model, as it is
pub fn text(text: &Option<String>) -> Option<Text<'_>> {
    text.as_deref().map(Cow::Borrowed)
}

impl<'a> From<&'a str> for Must<Text<'a>> {
    fn from(text: &'a str) -> Self {
        Self(Some(text.into()))
    }
}

impl Must<Text<'_>> {
    /// The text; empty where none was sent.
    pub fn or_empty(self) -> String {
        self.0.map(Cow::into_owned).unwrap_or_default()
    }
}

/// A list: as it was read, or written element by element without ever being built.
pub enum List<'a, T> {
    /// As read.
    Read(Vec<T>),
    /// To be written.
    Written(Elements<'a, T>),
}

impl<'a, T> List<'a, T> {
    /// A list that is made while it is written.
    pub fn of<I: Iterator<Item = T> + 'a>(elements: impl Fn() -> I + 'a) -> Self {
        Self::Written(Box::new(move || Box::new(elements())))
    }

    /// Its elements.
    pub fn into_vec(self) -> Vec<T> {
        match self {
            Self::Read(list) => list,
            Self::Written(elements) => elements().collect(),
        }
    }
}

impl<T> Default for List<'_, T> {
    fn default() -> Self {
        Self::Read(Vec::new())
    }
}

impl<T> Entry for List<'_, T> {}

impl<T: Serialize> Serialize for List<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Read(list) => serializer.collect_seq(list),
            Self::Written(elements) => serializer.collect_seq(elements()),
        }
    }
}

impl<T: Wire + Default> Field for List<'_, T> {
    fn fill(&mut self, reader: &mut Reader<'_>, cx: &Cx) -> Result<(), Unreadable> {
        let mut list = Vec::new();
        list.fill(reader, cx)?;
        *self = Self::Read(list);
        Ok(())
    }
}

impl<T: Wire + Default> Wire for List<'_, T> {
    fn read(reader: &mut Reader<'_>, cx: &Cx) -> Result<Option<Self>, Unreadable> {
        let mut list = Self::default();
        list.fill(reader, cx)?;
        Ok(Some(list))
    }
}

impl Wire for Cow<'_, str> {
    fn read(reader: &mut Reader<'_>, cx: &Cx) -> Result<Option<Self>, Unreadable> {
        Ok(String::read(reader, cx)?.map(Cow::Owned))
    }
}

/// Text that may have been sent as a number: a code.
pub struct Code<'a>(pub Cow<'a, str>);

/// An index as sent: a number where that says all that was sent, else text.
pub struct Sent<'a>(pub Cow<'a, str>);

impl Wire for Code<'_> {
    fn read(reader: &mut Reader<'_>, cx: &Cx) -> Result<Option<Self>, Unreadable> {
        Ok(Word::read(reader, cx)?.map(|word| Self(word.0.into())))
    }
}

impl Wire for Sent<'_> {
    fn read(reader: &mut Reader<'_>, cx: &Cx) -> Result<Option<Self>, Unreadable> {
        Ok(Word::read(reader, cx)?.map(|word| Self(word.0.into())))
    }
}

impl Serialize for Code<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl Serialize for Sent<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.parse::<i64>() {
            Ok(number) if number.to_string() == self.0 => serializer.serialize_i64(number),
            _ => serializer.serialize_str(&self.0),
        }
    }
}

/// A number that counts something, from 0.
#[derive(Clone, Copy, Default)]
pub struct Count(i64);

impl Count {
    /// An index or a number of things.
    pub fn of(count: usize) -> Self {
        Self(count as i64)
    }

    /// As it was sent.
    pub fn sent(self) -> i64 {
        self.0
    }

    /// The number; 0 where less than that was sent.
    pub fn index(self) -> usize {
        usize::try_from(self.0).unwrap_or_default()
    }
}

impl From<usize> for Must<Count> {
    fn from(count: usize) -> Self {
        Self(Some(Count::of(count)))
    }
}

impl Must<Count> {
    /// The number; 0 where none was sent.
    pub fn index(&self) -> usize {
        self.0.unwrap_or_default().index()
    }
}

impl Wire for Count {
    fn read(reader: &mut Reader<'_>, cx: &Cx) -> Result<Option<Self>, Unreadable> {
        Ok(i64::read(reader, cx)?.map(Self))
    }
}

impl Serialize for Count {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i64(self.0)
    }
}

/// A number that counts from 1: a line, a column.
pub struct Ordinal(pub usize);

impl Serialize for Ordinal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// Start and end; `null` where there are none.
#[derive(Default)]
pub struct Pair(pub Vec<i64>);

impl Pair {
    /// Of a range.
    pub fn of(range: Option<&std::ops::Range<usize>>) -> Self {
        Self(range.map(|range| vec![range.start as i64, range.end as i64]).unwrap_or_default())
    }
}

impl Entry for Pair {}

impl Field for Pair {
    fn fill(&mut self, reader: &mut Reader<'_>, cx: &Cx) -> Result<(), Unreadable> {
        self.0.fill(reader, cx)
    }
}

impl Serialize for Pair {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_empty() { serializer.serialize_unit() } else { self.0.serialize(serializer) }
    }
}

/// A word of an enum, as it was written or read.
pub struct Said<'a, T> {
    text: Cow<'a, str>,
    of: PhantomData<T>,
}

impl<'a, T: Words> Said<'a, T> {
    /// The word of a member.
    pub fn of(member: T) -> Self {
        Self { text: member.as_word().into(), of: PhantomData }
    }

    /// The text of a word, whatever it says.
    pub fn text_of(text: Cow<'a, str>) -> Self {
        Self { text, of: PhantomData }
    }

    /// The text, of whatever was read.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The member.
    pub fn member(&self) -> Option<T> {
        T::from_word(&self.text)
    }
}

impl<T: Words> From<T> for Must<Said<'_, T>> {
    fn from(member: T) -> Self {
        Self(Some(Said::of(member)))
    }
}

impl<T> Wire for Said<'_, T> {
    fn read(reader: &mut Reader<'_>, cx: &Cx) -> Result<Option<Self>, Unreadable> {
        Ok(String::read(reader, cx)?.map(|text| Self { text: text.into(), of: PhantomData }))
    }
}

impl<T> Serialize for Said<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

/// A value as it was sent, of any kind.
pub struct Json<'a>(Cow<'a, JsonText>);

impl<'a> Json<'a> {
    pub fn of(value: &'a JsonText) -> Self {
        Self(Cow::Borrowed(value))
    }

    /// The value, to be kept.
    pub fn into_text(self) -> JsonText {
        self.0.into_owned()
    }
}

impl Wire for Json<'_> {
    fn read(reader: &mut Reader<'_>, cx: &Cx) -> Result<Option<Self>, Unreadable> {
        Ok(JsonText::read(reader, cx)?.map(|value| Self(Cow::Owned(value))))
    }
}

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// Fields by the path under which they were first read. None is kept on reading: a recording pass lists them
/// again.
#[derive(Default)]
pub struct Extra<'a>(Option<Elements<'a, (String, Json<'a>)>>);

impl<'a> Extra<'a> {
    /// Fields that are made while they are written.
    pub fn of<I: Iterator<Item = (String, Json<'a>)> + 'a>(fields: impl Fn() -> I + 'a) -> Self {
        Self(Some(Box::new(move || Box::new(fields()))))
    }
}

impl Entry for Extra<'_> {}

impl Serialize for Extra<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().flat_map(|fields| fields()))
    }
}

impl Field for Extra<'_> {
    fn fill(&mut self, reader: &mut Reader<'_>, cx: &Cx) -> Result<(), Unreadable> {
        if reader.kind()? != Kind::Object {
            let _ = Scalar::read(reader, cx)?.misfit::<()>("an object", cx);
            return Ok(());
        }
        if !cx.surveys() {
            return reader.skip();
        }
        let mut members = reader.open()?;
        while let Some(key) = reader.next_key(&mut members)? {
            let value = JsonText::read_any(reader)?;
            cx.extra_below(key.into_owned(), value);
        }
        Ok(())
    }
}
