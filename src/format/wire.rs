//! The tolerant layer through which every format reads JSON: any kind of value is accepted for any field, `null` is
//! absent, keys match in camelCase and snake_case, of repeated keys the last counts, numbers may stand in strings.
//!
//! The first pass only counts what does not fit. Where something did not, or where the fields that no format knows
//! are asked for, a second pass over the same wire structs records them with their paths ([`Survey`]).

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use crate::input::camel;
use crate::model::{Path, Step};

/// Values below this depth of nesting are not kept.
const DEPTH: usize = 64;

/// What the second pass finds.
#[derive(Debug, Default, Clone)]
pub struct Survey {
    /// Path and what does not fit there.
    pub flaws: Vec<(Path, String)>,
    /// Path and value of each field that the neutral model has no place for.
    pub extras: Vec<(Path, Value)>,
}

/// State of one pass.
#[derive(Default)]
pub struct Cx {
    flaws: Cell<usize>,
    survey: Option<RefCell<Survey>>,
    path: RefCell<Vec<Step>>,
}

impl Cx {
    /// A pass that records paths.
    pub fn surveying() -> Self {
        Self { survey: Some(RefCell::default()), ..Self::default() }
    }

    /// How many values did not fit.
    pub fn flaws(&self) -> usize {
        self.flaws.get()
    }

    /// What a recording pass found.
    pub fn into_survey(self) -> Survey {
        self.survey.map(RefCell::into_inner).unwrap_or_default()
    }

    /// Whether this pass records what the model has no place for.
    pub fn surveys(&self) -> bool {
        self.survey.is_some()
    }

    fn flaw(&self, what: impl FnOnce() -> String) {
        self.flaws.set(self.flaws.get() + 1);
        if let Some(survey) = &self.survey {
            survey.borrow_mut().flaws.push((self.here(), what()));
        }
    }

    /// Lists a value that a format reads but the model has no named place for.
    pub fn list(&self, path: Path, value: Value) {
        if let Some(survey) = &self.survey {
            survey.borrow_mut().extras.push((path, value));
        }
    }

    fn extra(&self, value: Value) {
        if let Some(survey) = &self.survey {
            survey.borrow_mut().extras.push((self.here(), value));
        }
    }

    fn here(&self) -> Path {
        Path::from_steps(&self.path.borrow())
    }

    fn within<T>(&self, step: impl FnOnce() -> Step, read: impl FnOnce() -> T) -> T {
        if !self.surveys() {
            return read();
        }
        self.path.borrow_mut().push(step());
        let out = read();
        self.path.borrow_mut().pop();
        out
    }
}

/// A kind of value.
pub trait Wire<'de>: Sized {
    /// Reads it; `None` for `null` and for what does not fit.
    fn read<D: Deserializer<'de>>(deserializer: D, cx: &Cx) -> Result<Option<Self>, D::Error>;
}

/// A field: optional or repeated.
pub trait Field<'de> {
    /// Replaces the field by the value at hand.
    fn fill<D: Deserializer<'de>>(&mut self, deserializer: D, cx: &Cx) -> Result<(), D::Error>;
}

impl<'de, T: Wire<'de>> Field<'de> for Option<T> {
    fn fill<D: Deserializer<'de>>(&mut self, deserializer: D, cx: &Cx) -> Result<(), D::Error> {
        *self = T::read(deserializer, cx)?;
        Ok(())
    }
}

impl<'de, T: Wire<'de> + Default> Field<'de> for Vec<T> {
    fn fill<D: Deserializer<'de>>(&mut self, deserializer: D, cx: &Cx) -> Result<(), D::Error> {
        self.clear();
        deserializer.deserialize_any(ListVisitor { list: self, cx })
    }
}

/// Reads a field through a seed, as `MapAccess` and `SeqAccess` want it.
struct Fill<'a, F>(&'a mut F, &'a Cx);

impl<'de, F: Field<'de>> DeserializeSeed<'de> for Fill<'_, F> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.0.fill(deserializer, self.1)
    }
}

struct ReadSeed<'a, T>(&'a Cx, PhantomData<T>);

impl<'de, T: Wire<'de>> DeserializeSeed<'de> for ReadSeed<'_, T> {
    type Value = Option<T>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<T>, D::Error> {
        T::read(deserializer, self.0)
    }
}

struct ListVisitor<'a, T> {
    list: &'a mut Vec<T>,
    cx: &'a Cx,
}

impl<'de, T: Wire<'de> + Default> Visitor<'de> for ListVisitor<'_, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        loop {
            let index = self.list.len();
            let next = self.cx.within(|| Step::Index(index), || seq.next_element_seed(ReadSeed(self.cx, PhantomData)))?;
            match next {
                Some(element) => self.list.push(element.unwrap_or_default()),
                None => return Ok(()),
            }
        }
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    // One element where a list is documented, as some SDKs print it.
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<(), A::Error> {
        self.cx.flaw(|| "one object where a list is documented: read as a list of one".to_owned());
        let value = serde::de::value::MapAccessDeserializer::new(map);
        self.list.extend(T::read(value, self.cx)?);
        Ok(())
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<(), E> {
        if !text.is_empty() {
            self.cx.flaw(|| "text where a list is documented: read as a list of one".to_owned());
            self.list.extend(T::read(text.into_deserializer(), self.cx)?);
        }
        Ok(())
    }

    fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<(), E> {
        self.cx.flaw(|| "a number where a list is documented: read as a list of one".to_owned());
        self.list.extend(T::read(number.into_deserializer(), self.cx)?);
        Ok(())
    }

    fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<(), E> {
        self.visit_i64(i64::try_from(number).unwrap_or(i64::MAX))
    }

    fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<(), E> {
        self.cx.flaw(|| "a number where a list is documented: read as a list of one".to_owned());
        self.list.extend(T::read(number.into_deserializer(), self.cx)?);
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        self.cx.flaw(|| "true or false where a list is documented".to_owned());
        Ok(())
    }
}

/// Any value, taken as far as a scalar goes.
enum Scalar {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    Other(&'static str, Value),
}

struct ScalarVisitor<'a>(&'a Cx);

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
        Ok(i64::try_from(value).map_or(Scalar::Float(value as f64), Scalar::Int))
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
            return Ok(Scalar::Other("an object", ValueVisitor(0).visit_map(map)?));
        }
        IgnoredAny.visit_map(map)?;
        Ok(Scalar::Other("an object", Value::Null))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Scalar, A::Error> {
        if self.0.surveys() {
            return Ok(Scalar::Other("a list", ValueVisitor(0).visit_seq(seq)?));
        }
        IgnoredAny.visit_seq(seq)?;
        Ok(Scalar::Other("a list", Value::Null))
    }
}

impl Scalar {
    fn misfit<T>(self, wanted: &str, cx: &Cx) -> Option<T> {
        let (kind, value) = match self {
            Self::Null => return None,
            Self::Bool(value) => ("true or false", Value::from(value)),
            Self::Int(value) => ("a number", Value::from(value)),
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
            Scalar::Int(number) => noted(cx, number.to_string()),
            Scalar::Float(number) => noted(cx, number.to_string()),
            Scalar::Bool(value) => noted(cx, value.to_string()),
            other => other.misfit("text", cx),
        })
    }
}

fn noted(cx: &Cx, text: String) -> Option<String> {
    cx.flaw(|| format!("{text} where text is documented: read as text"));
    Some(text)
}

impl<'de> Wire<'de> for i64 {
    fn read<D: Deserializer<'de>>(deserializer: D, cx: &Cx) -> Result<Option<Self>, D::Error> {
        let scalar = deserializer.deserialize_any(ScalarVisitor(cx))?;
        let number = match &scalar {
            Scalar::Int(number) => Some(*number),
            Scalar::Float(number) if number.fract() == 0.0 && number.abs() < 9e15 => Some(*number as Self),
            Scalar::Text(text) => text.trim().parse().ok(),
            _ => None,
        };
        Ok(number.or_else(|| scalar.misfit("a whole number", cx)))
    }
}

impl<'de> Wire<'de> for f64 {
    fn read<D: Deserializer<'de>>(deserializer: D, cx: &Cx) -> Result<Option<Self>, D::Error> {
        let scalar = deserializer.deserialize_any(ScalarVisitor(cx))?;
        let number = match &scalar {
            Scalar::Int(number) => Some(*number as Self),
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

/// A scalar of any kind, as the text it is shown as: enum words and numbers, ids, times.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Word(pub String);

impl<'de> Wire<'de> for Word {
    fn read<D: Deserializer<'de>>(deserializer: D, cx: &Cx) -> Result<Option<Self>, D::Error> {
        Ok(match deserializer.deserialize_any(ScalarVisitor(cx))? {
            Scalar::Text(text) => Some(Self(text)),
            Scalar::Int(number) => Some(Self(number.to_string())),
            Scalar::Float(number) => Some(Self(number.to_string())),
            Scalar::Bool(value) => Some(Self(value.to_string())),
            other => other.misfit("a word or a number", cx),
        })
    }
}

impl Word {
    /// The enum's word where a number was sent; `words` in the order of their numbers from 0.
    pub fn named(&self, words: &[&str]) -> String {
        let by_number = self.0.parse::<usize>().ok().and_then(|number| words.get(number));
        by_number.map_or_else(|| self.0.clone(), |word| (*word).to_owned())
    }
}

impl<'de> Wire<'de> for Value {
    fn read<D: Deserializer<'de>>(deserializer: D, _: &Cx) -> Result<Option<Self>, D::Error> {
        let value = ValueSeed(0).deserialize(deserializer)?;
        Ok((!value.is_null()).then_some(value))
    }
}

/// Reads any value to a bounded depth: what is nested deeper is replaced by a sentence.
struct ValueSeed(usize);

impl<'de> DeserializeSeed<'de> for ValueSeed {
    type Value = Value;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        if self.0 > DEPTH {
            deserializer.deserialize_ignored_any(IgnoredAny)?;
            return Ok(Value::from("… (nested too deep to show)"));
        }
        deserializer.deserialize_any(ValueVisitor(self.0))
    }
}

struct ValueVisitor(usize);

impl<'de> Visitor<'de> for ValueVisitor {
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
        while let Some(element) = seq.next_element_seed(ValueSeed(self.0 + 1))? {
            list.push(element);
        }
        Ok(Value::Array(list))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut object = serde_json::Map::new();
        while let Some(key) = map.next_key::<String>()? {
            let value = map.next_value_seed(ValueSeed(self.0 + 1))?;
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }
}

/// A wire struct, written by [`wire!`].
pub trait Object<'de>: Default {
    /// Reads the value of `key` into its field; false where the key is not one of the struct's. `seen` has a bit a field.
    fn set<A: MapAccess<'de>>(&mut self, key: &str, map: &mut A, cx: &Cx, seen: &mut u64) -> Result<bool, A::Error>;

    /// From plain text, where some writers send that instead of an object.
    fn from_text(_text: &str) -> Option<Self> {
        None
    }
}

impl<'de, T: Object<'de>> Wire<'de> for T {
    fn read<D: Deserializer<'de>>(deserializer: D, cx: &Cx) -> Result<Option<Self>, D::Error> {
        deserializer.deserialize_any(ObjectVisitor(cx, PhantomData))
    }
}

struct ObjectVisitor<'a, T>(&'a Cx, PhantomData<T>);

impl<T> ObjectVisitor<'_, T> {
    fn misfit(self, scalar: Scalar) -> Option<T> {
        scalar.misfit("an object", self.0)
    }
}

impl<'de, T: Object<'de>> Visitor<'de> for ObjectVisitor<'_, T> {
    type Value = Option<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Option<T>, A::Error> {
        let cx = self.0;
        let mut out = T::default();
        let mut seen = 0;
        while let Some(key) = map.next_key_seed(KeySeed)? {
            if out.set(&key, &mut map, cx, &mut seen)? {
                continue;
            }
            let spelled = camel(&key);
            if spelled != key && out.set(&spelled, &mut map, cx, &mut seen)? {
                continue;
            }
            if cx.surveys() {
                let value = map.next_value_seed(ValueSeed(0))?;
                if !value.is_null() {
                    cx.within(|| Step::Key(key.into_owned()), || cx.extra(value));
                }
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(Some(out))
    }

    fn visit_unit<E>(self) -> Result<Option<T>, E> {
        Ok(None)
    }
    fn visit_bool<E>(self, value: bool) -> Result<Option<T>, E> {
        Ok(self.misfit(Scalar::Bool(value)))
    }
    fn visit_i64<E>(self, value: i64) -> Result<Option<T>, E> {
        Ok(self.misfit(Scalar::Int(value)))
    }
    fn visit_u64<E>(self, value: u64) -> Result<Option<T>, E> {
        Ok(self.misfit(Scalar::Float(value as f64)))
    }
    fn visit_f64<E>(self, value: f64) -> Result<Option<T>, E> {
        Ok(self.misfit(Scalar::Float(value)))
    }
    fn visit_str<E>(self, value: &str) -> Result<Option<T>, E> {
        Ok(T::from_text(value).or_else(|| self.misfit(Scalar::Text(value.to_owned()))))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Option<T>, A::Error> {
        let scalar = ScalarVisitor(self.0).visit_seq(seq)?;
        Ok(self.misfit(scalar))
    }
}

struct KeySeed;

impl<'de> DeserializeSeed<'de> for KeySeed {
    type Value = Cow<'de, str>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for KeySeed {
    type Value = Cow<'de, str>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }
    fn visit_borrowed_str<E>(self, key: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(key))
    }
    fn visit_str<E>(self, key: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(key.to_owned()))
    }
}

/// Whether a survey lists a field that a format reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Listed {
    /// The model has a named place for it.
    No,
    /// It has none; what lies below is listed with it.
    Extra,
    /// It has none, and the survey's own reading needs it: a scalar that decides how the rest is read.
    Kept,
}

/// Reads one field of a wire struct. `bit` marks the field, to notice keys that come twice.
pub fn field<'de, A: MapAccess<'de>, F: Field<'de>>(
    (name, bit, listed): (&'static str, u32, Listed),
    field: &mut F,
    map: &mut A,
    cx: &Cx,
    seen: &mut u64,
) -> Result<(), A::Error> {
    cx.within(
        || Step::Key(name.to_owned()),
        || {
            if *seen & (1 << bit) != 0 {
                cx.flaw(|| "this key comes more than once: the last value counts".to_owned());
            }
            *seen |= 1 << bit;
            if listed != Listed::No && cx.surveys() {
                let value = map.next_value_seed(ValueSeed(0))?;
                if listed == Listed::Kept {
                    field.fill(value.clone(), cx).map_err(serde::de::Error::custom)?;
                }
                if !value.is_null() {
                    cx.extra(value);
                }
                return Ok(());
            }
            map.next_value_seed(Fill(field, cx))
        },
    )
}

/// Declares wire structs: `field: Type = "key" | "other spelling", extra;`. Snake case needs no mention.
macro_rules! wire {
    ($($(#[$meta:meta])* $vis:vis struct $name:ident { $($field:ident: $type:ty = $key:literal $(| $other:literal)* $(, $extra:ident)?;)* })*) => {$(
        $(#[$meta])*
        #[derive(Debug, Default)]
        #[allow(missing_docs)] // the vendors' references tell the fields
        $vis struct $name { $(pub $field: $type),* }

        const _: () = {
            #[allow(non_camel_case_types, clippy::upper_case_acronyms)] // names of fields serve as names of bits
            enum Bit { $($field),* }

            impl<'de> $crate::format::wire::Object<'de> for $name {
                fn set<A: serde::de::MapAccess<'de>>(
                    &mut self,
                    key: &str,
                    map: &mut A,
                    cx: &$crate::format::wire::Cx,
                    seen: &mut u64,
                ) -> Result<bool, A::Error> {
                    match key {
                        $($key $(| $other)* => $crate::format::wire::field(
                            ($key, Bit::$field as u32, $crate::format::wire::wire!(@extra $($extra)?)),
                            &mut self.$field, map, cx, seen,
                        )?,)*
                        _ => return Ok(false),
                    }
                    Ok(true)
                }
            }
        };
    )*};
    (@extra extra) => { $crate::format::wire::Listed::Extra };
    (@extra kept) => { $crate::format::wire::Listed::Kept };
    (@extra) => { $crate::format::wire::Listed::No };
}
pub(crate) use wire;

#[cfg(test)]
mod tests {
    use super::*;

    wire! {
        struct Inner { text: Option<String> = "text"; n: Option<i64> = "n"; }
        struct Outer {
            inner: Option<Inner> = "innerThing";
            list: Vec<Inner> = "list" | "lists";
            score: Option<f64> = "score", extra;
            flag: Option<bool> = "flag";
            data: Option<Value> = "data";
        }
    }

    fn read(text: &str, cx: &Cx) -> Outer {
        Outer::read(&mut serde_json::Deserializer::from_str(text), cx).unwrap().unwrap()
    }

    #[test]
    fn both_spellings_null_numbers_in_strings_and_the_last_of_two() {
        let cx = Cx::default();
        let outer = read(r#"{"inner_thing": {"text": "a", "n": "12"}, "lists": [null, {"n": 3.0}], "score": null, "flag": true}"#, &cx);
        assert_eq!(outer.inner.as_ref().unwrap().n, Some(12));
        assert_eq!(outer.list.len(), 2);
        assert_eq!((outer.list[0].n, outer.list[1].n), (None, Some(3)));
        assert_eq!((outer.score, outer.flag, cx.flaws()), (None, Some(true), 0));
        let cx = Cx::default();
        assert_eq!(read(r#"{"flag": true, "flag": false}"#, &cx).flag, Some(false));
        assert_eq!(cx.flaws(), 1);
    }

    #[test]
    fn what_does_not_fit_and_what_is_not_known_is_listed_with_its_path() {
        let cx = Cx::surveying();
        let text = r#"{"innerThing": "x", "list": {"n": [1]}, "score": 0.5, "new": {"a": 1}, "flag": 7, "data": {"k": [1]}}"#;
        let outer = read(text, &cx);
        assert_eq!((outer.list.len(), outer.score, outer.data.unwrap().to_string()), (1, None, r#"{"k":[1]}"#.to_owned()));
        let survey = cx.into_survey();
        let flaws: Vec<_> = survey.flaws.iter().map(|(path, what)| format!("{path} {what}")).collect();
        assert_eq!(
            flaws,
            [
                "$.innerThing text where an object is documented: not used",
                "$.list one object where a list is documented: read as a list of one",
                "$.list.n a list where a whole number is documented: not used",
                "$.flag a number where true or false is documented: not used",
            ]
        );
        let extras: Vec<_> = survey.extras.iter().map(|(path, value)| format!("{path}={value}")).collect();
        assert_eq!(extras, ["$.innerThing=\"x\"", "$.list.n=[1]", "$.score=0.5", "$.new={\"a\":1}", "$.flag=7"]);
    }

    #[test]
    fn nesting_of_any_depth_is_survived() {
        let deep = format!(r#"{{"new": {}{}, "data": {}1{}, "flag": true}}"#, "[".repeat(10_000), "]".repeat(10_000), "[".repeat(100), "]".repeat(100));
        assert_eq!(read(&deep, &Cx::default()).flag, Some(true));
    }
}
