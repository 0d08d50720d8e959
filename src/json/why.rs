//! Why a text cannot be read, and where, in the words of `serde_json`: it reads and passes over the same
//! values as the [`Reader`] that refused the text.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::pass::{Cx, Wire};
use super::reader::Reader;

/// Why a text cannot be read as such a value.
pub fn why<T: Wire>(text: &str, cx: &Cx) -> serde_json::Error {
    let mut reader = Reader::noting(text);
    let _ = T::read(&mut reader, &cx.again());
    refused(text, &reader.into_passed()).unwrap_or_else(|| Error::custom("it cannot be read"))
}

fn refused(text: &str, passed: &[u32]) -> Option<serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let mut walk = Walk { values: 0, passed };
    let read = walk.deserialize(&mut deserializer);
    read.and_then(|()| deserializer.end()).err()
}

/// Reads values and lets them go, but for those that are passed over.
struct Walk<'p> {
    /// Values in containers that were begun.
    values: u32,
    /// The numbers of those to pass over, as far as they are still to come.
    passed: &'p [u32],
}

impl<'de> DeserializeSeed<'de> for &mut Walk<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        match self.passed.split_first() {
            Some((next, rest)) if *next == self.values => {
                self.passed = rest;
                deserializer.deserialize_ignored_any(IgnoredAny).map(drop)
            }
            _ => deserializer.deserialize_any(self),
        }
    }
}

/// A value within a container.
struct Inner<'a, 'p>(&'a mut Walk<'p>);

impl<'de> DeserializeSeed<'de> for Inner<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.0.values = self.0.values.wrapping_add(1);
        self.0.deserialize(deserializer)
    }
}

impl<'de> Visitor<'de> for &mut Walk<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }
    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }
    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }
    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }
    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }
    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while let Some(()) = seq.next_element_seed(Inner(self))? {}
        Ok(())
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(Key) = map.next_key()? {
            map.next_value_seed(Inner(self))?;
        }
        Ok(())
    }
}

/// A key, let go.
struct Key;

impl<'de> serde::Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Self)
    }
}

impl Visitor<'_> for Key {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }
    fn visit_str<E>(self, _: &str) -> Result<Self, E> {
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::wire::wire;

    wire! {
        struct Inner { text: Option<String> = "text"; }
        struct Outer {
            list: Vec<Inner> = "list";
            score: Option<f64> = "score";
            error: Option<serde_json::Value> = "error", kept;
        }
    }

    #[test]
    fn a_pass_that_records_reads_what_others_pass_over() {
        let text = r#"{"new":{"a":"\ud800"},"error":{"b":[1,2]},"list":[{"text":"a"}],"score":1,"#;
        let told = |cx: &Cx| why::<Outer>(text, cx).to_string();
        assert_eq!(told(&Cx::default()), "EOF while parsing a value at line 1 column 74");
        assert_eq!(told(&Cx::surveying()), "unexpected end of hex escape at line 1 column 20");
        let told = |text: &str| why::<Outer>(text, &Cx::surveying()).to_string();
        assert_eq!(
            told(r#"{"error":{"b":[1,2]},"score":1.,"list":[]}"#),
            "invalid number at line 1 column 32"
        );
    }

    #[test]
    fn what_is_wrong_is_told_of_what_is_read_and_passed_over_in_what_is_not() {
        let told = |text: &str| why::<Outer>(text, &Cx::default()).to_string();
        // Of numbers without end those count that are read.
        assert_eq!(
            told(r#"{"new":[1e999,{"a":1}],"score":1e999}"#),
            "number out of range at line 1 column 36"
        );
        assert_eq!(
            told(r#"{"new":1e999,"list":[{"text":"a","new":"\ud800"}],"score":1,"#),
            "EOF while parsing a value at line 1 column 60"
        );
        assert_eq!(
            told(r#"{"list":[{"new":"\ud800","text":"\ud800"}]}"#),
            "unexpected end of hex escape at line 1 column 40"
        );
        assert_eq!(
            told(r#"{"list":[{"text":"a"}],"score":0."#),
            "EOF while parsing a value at line 1 column 33"
        );
        assert_eq!(told("{\n\"score\":1}x"), "trailing characters at line 2 column 11");
        assert_eq!(told(r#"{"score":1 "list":[]}"#), "expected `,` or `}` at line 1 column 12");
    }
}
