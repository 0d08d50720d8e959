//! The tolerant layer through which every format reads JSON: any kind of value is accepted for any field,
//! `null` is absent, keys match in camelCase and `snake_case`, of repeated keys the last counts, numbers may
//! stand in strings.
//!
//! The first pass only counts what does not fit. Where something did not, or where the fields that no format
//! knows are asked for, a second pass over the same wire structs records them with their paths ([`Survey`]).

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, IntoDeserializer, MapAccess, SeqAccess, Visitor};

use super::keys::camel;
pub use super::pass::{Cx, Survey, Wire};
use super::values::{Scalar, ScalarVisitor, ValueSeed};
use crate::model::Step;

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

/// Text, or a list of what it is made of: several services send either.
#[derive(Debug, Clone)]
pub struct TextOr<T> {
    /// The text.
    pub text: Option<String>,
    /// The list; an object alone is a list of one.
    pub list: Vec<T>,
}

impl<T> Default for TextOr<T> {
    fn default() -> Self {
        Self { text: None, list: Vec::new() }
    }
}

impl<'de, T: Wire<'de> + Default> Field<'de> for TextOr<T> {
    fn fill<D: Deserializer<'de>>(&mut self, deserializer: D, cx: &Cx) -> Result<(), D::Error> {
        *self = Self::default();
        deserializer.deserialize_any(TextOrVisitor(self, cx))
    }
}

struct TextOrVisitor<'a, T>(&'a mut TextOr<T>, &'a Cx);

impl<'de, T: Wire<'de> + Default> Visitor<'de> for TextOrVisitor<'_, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("text or a list")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        self.0.text = Some(text.to_owned());
        Ok(())
    }
    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<(), A::Error> {
        ListVisitor { list: &mut self.0.list, cx: self.1 }.visit_seq(seq)
    }
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<(), A::Error> {
        let value = serde::de::value::MapAccessDeserializer::new(map);
        self.0.list.extend(T::read(value, self.1)?);
        Ok(())
    }
    fn visit_bool<E>(self, value: bool) -> Result<(), E> {
        let _: Option<T> = Scalar::Bool(value).misfit("text or a list", self.1);
        Ok(())
    }
    fn visit_i64<E>(self, value: i64) -> Result<(), E> {
        let _: Option<T> = Scalar::Int(value).misfit("text or a list", self.1);
        Ok(())
    }
    fn visit_u64<E>(self, value: u64) -> Result<(), E> {
        let _: Option<T> = Scalar::Large(value).misfit("text or a list", self.1);
        Ok(())
    }
    fn visit_f64<E>(self, value: f64) -> Result<(), E> {
        let _: Option<T> = Scalar::Float(value).misfit("text or a list", self.1);
        Ok(())
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

/// Bytes that an object in a list takes at least, with what is made of it: a source, a support, a step.
const OBJECT: usize = 384;

/// Bytes that a key of an object takes at least where it is listed: its path, its value.
const KEY: usize = 256;

/// Elements of a list, or keys of an object, behind which that counts.
const FEW: usize = 1024;

/// What an element at a place of its list takes of the room that lists have.
fn cost<'de, T: Wire<'de>>(index: usize) -> usize {
    if index < FEW { size_of::<T>() } else { size_of::<T>().max(T::LEAST) }
}

/// Bytes of a list that are kept in one piece until its length is known: a long one that grew as vectors do
/// would take three times its size for a moment.
const BLOCK: usize = 1 << 18;

/// What a long list has held so far.
struct Blocks<T> {
    full: Vec<Vec<T>>,
    before: usize,
}

impl<T> Blocks<T> {
    fn push(&mut self, list: &mut Vec<T>, element: T) {
        if list.len() * size_of::<T>() >= BLOCK {
            self.before += list.len();
            let next = Vec::with_capacity(list.len());
            self.full.push(std::mem::replace(list, next));
        }
        list.push(element);
    }

    /// Puts all of it in the list.
    fn join(self, list: &mut Vec<T>) {
        if self.full.is_empty() {
            return;
        }
        let mut whole = Vec::with_capacity(self.before + list.len());
        self.full.into_iter().for_each(|block| whole.extend(block));
        whole.append(list);
        *list = whole;
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
        let mut blocks = Blocks { full: Vec::new(), before: 0 };
        loop {
            let index = blocks.before + self.list.len();
            let next = self
                .cx
                .within(|| Step::Index(index), || seq.next_element_seed(ReadSeed(self.cx, PhantomData)))?;
            match next {
                Some(_) if !self.cx.take(cost::<T>(index)) => {
                    return Err(serde::de::Error::custom("lists without end"));
                }
                Some(element) => blocks.push(self.list, element.unwrap_or_default()),
                None => break,
            }
        }
        blocks.join(self.list);
        Ok(())
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
        self.cx.flaw(|| "a number where a list is documented: read as a list of one".to_owned());
        self.list.extend(T::read(number.into_deserializer(), self.cx)?);
        Ok(())
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

/// A wire struct, written by `wire!`.
pub trait Object<'de>: Default {
    /// Bytes that one takes in a long list, with what is made of it.
    const TAKES: usize = OBJECT;

    /// Reads the value of `key` into its field; false where the key is not one of the struct's. `seen` has a
    /// bit a field.
    fn set<A: MapAccess<'de>>(
        &mut self,
        key: &str,
        map: &mut A,
        cx: &Cx,
        seen: &mut u64,
    ) -> Result<bool, A::Error>;

    /// From plain text, where some writers send that instead of an object.
    fn from_text(_text: &str) -> Option<Self> {
        None
    }
}

/// What is large and rare takes no room where it is absent.
impl<'de, T: Object<'de>> Object<'de> for Box<T> {
    const TAKES: usize = T::TAKES;

    fn set<A: MapAccess<'de>>(
        &mut self,
        key: &str,
        map: &mut A,
        cx: &Cx,
        seen: &mut u64,
    ) -> Result<bool, A::Error> {
        (**self).set(key, map, cx, seen)
    }

    fn from_text(text: &str) -> Option<Self> {
        T::from_text(text).map(Self::new)
    }
}

impl<'de, T: Object<'de>> Wire<'de> for T {
    const LEAST: usize = T::TAKES;

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
        let mut keys = 0_usize;
        while let Some(key) = map.next_key_seed(KeySeed)? {
            keys += 1;
            if keys > FEW && !cx.take(KEY) {
                return Err(serde::de::Error::custom("keys without end"));
            }
            if out.set(&key, &mut map, cx, &mut seen)? {
                continue;
            }
            let spelled = camel(&key);
            if spelled != key && out.set(&spelled, &mut map, cx, &mut seen)? {
                continue;
            }
            if cx.surveys() {
                let value = map.next_value_seed(ValueSeed(0, cx))?;
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
        Ok(self.misfit(Scalar::Large(value)))
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
#[non_exhaustive]
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
                let value = map.next_value_seed(ValueSeed(0, cx))?;
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
    ($($(#[$meta:meta])* $vis:vis struct $name:ident $(takes $takes:literal)? { $($field:ident: $type:ty = $key:literal $(| $other:literal)* $(, $extra:ident)?;)* })*) => {$(
        $(#[$meta])*
        #[derive(Debug, Default, Clone)]
        #[allow(missing_docs)] // the vendors' references tell the fields
        $vis struct $name { $(pub $field: $type),* }

        const _: () = {
            #[allow(non_camel_case_types, clippy::upper_case_acronyms)] // names of fields serve as names of bits
            enum Bit { $($field),* }

            // A field is a bit of `seen`.
            const _: () = assert!([$($key),*].len() <= 64);

            impl<'de> $crate::json::wire::Object<'de> for $name {
                $(const TAKES: usize = $takes;)?

                fn set<A: serde::de::MapAccess<'de>>(
                    &mut self,
                    key: &str,
                    map: &mut A,
                    cx: &$crate::json::wire::Cx,
                    seen: &mut u64,
                ) -> Result<bool, A::Error> {
                    match key {
                        $($key $(| $other)* => $crate::json::wire::field(
                            (
                                $crate::json::wire::wire!(@sent key, $key $(, $other)*),
                                Bit::$field as u32,
                                $crate::json::wire::wire!(@extra $($extra)?),
                            ),
                            &mut self.$field, map, cx, seen,
                        )?,)*
                        _ => return Ok(false),
                    }
                    Ok(true)
                }
            }
        };
    )*};
    // The key that was sent, of several that are one.
    (@sent $sent:ident, $key:literal) => { $key };
    (@sent $sent:ident, $key:literal, $($other:literal),+) => {
        match $sent { $($other => $other,)+ _ => $key }
    };
    (@extra extra) => { $crate::json::wire::Listed::Extra };
    (@extra kept) => { $crate::json::wire::Listed::Kept };
    (@extra) => { $crate::json::wire::Listed::No };
}
pub(crate) use wire;

#[cfg(test)]
mod tests {
    use serde_json::Value;

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
        let outer = read(
            r#"{"inner_thing": {"text": "a", "n": "12"}, "lists": [null, {"n": 3.0}], "score": null, "flag": true}"#,
            &cx,
        );
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
        assert_eq!(
            (outer.list.len(), outer.score, outer.data.unwrap().to_string()),
            (1, None, r#"{"k":[1]}"#.to_owned())
        );
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
        assert_eq!(
            extras,
            ["$.innerThing=\"x\"", "$.list.n=[1]", "$.score=0.5", "$.new={\"a\":1}", "$.flag=7"]
        );
    }

    #[test]
    fn nesting_of_any_depth_is_survived() {
        let deep = format!(
            r#"{{"new": {}{}, "data": {}1{}, "flag": true}}"#,
            "[".repeat(10_000),
            "]".repeat(10_000),
            "[".repeat(100),
            "]".repeat(100)
        );
        assert_eq!(read(&deep, &Cx::default()).flag, Some(true));
    }
}
