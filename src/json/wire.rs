//! The tolerant layer through which every format reads JSON: any kind of value is accepted for any field,
//! `null` is absent, keys match in camelCase and `snake_case`, of repeated keys the last counts, numbers may
//! stand in strings.
//!
//! The first pass only counts what does not fit. Where something did not, or where the fields that no format
//! knows are asked for, a second pass over the same wire structs records them with their paths ([`Survey`]).

use super::keys::camel;
pub use super::pass::{Cx, Survey, Wire};
use super::pass::{FEW, beside_text};
use super::reader::{Kind, Place};
pub use super::reader::{Reader, Unreadable};
use super::values::Scalar;
use crate::memory;
use crate::model::{JsonText, Step};

/// A field: optional or repeated.
pub trait Field {
    /// Replaces the field by the value at hand.
    fn fill(&mut self, reader: &mut Reader<'_>, cx: &Cx) -> Result<(), Unreadable>;
}

impl<T: Wire> Field for Option<T> {
    fn fill(&mut self, reader: &mut Reader<'_>, cx: &Cx) -> Result<(), Unreadable> {
        *self = T::read(reader, cx)?;
        Ok(())
    }
}

impl<T: Wire + Default> Field for Vec<T> {
    fn fill(&mut self, reader: &mut Reader<'_>, cx: &Cx) -> Result<(), Unreadable> {
        self.clear();
        match list_of_one(reader, cx)? {
            Listing::Elements => read_elements(self, reader, cx)?,
            Listing::One => self.extend(T::read(reader, cx)?),
            Listing::Nothing => {}
        }
        Ok(())
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

impl<T> TextOr<T> {
    /// Whether there is neither.
    pub fn is_empty(&self) -> bool {
        self.text.is_none() && self.list.is_empty()
    }

    /// All words as one text; `words`: those of an element.
    pub fn joined(mut self, words: impl Fn(T) -> Option<String>) -> String {
        self.join(words);
        self.text.unwrap_or_default()
    }

    /// Adds what a later piece of a stream says to the text.
    pub fn push(&mut self, more: Self, words: impl Fn(T) -> Option<String> + Copy) {
        self.join(words);
        self.text.get_or_insert_default().push_str(&more.joined(words));
    }

    fn join(&mut self, words: impl Fn(T) -> Option<String>) {
        let list = std::mem::take(&mut self.list);
        self.text.get_or_insert_default().extend(list.into_iter().filter_map(words));
    }
}

impl<T> Default for TextOr<T> {
    fn default() -> Self {
        Self { text: None, list: Vec::new() }
    }
}

impl<T: Wire + Default> Field for TextOr<T> {
    fn fill(&mut self, reader: &mut Reader<'_>, cx: &Cx) -> Result<(), Unreadable> {
        *self = Self::default();
        match reader.kind()? {
            Kind::Null => reader.read_null()?,
            Kind::Text => self.text = Some(reader.read_text()?.to_owned()),
            Kind::List => read_elements(&mut self.list, reader, cx)?,
            Kind::Object => self.list.extend(T::read(reader, cx)?),
            Kind::Bool | Kind::Number => _ = Scalar::read(reader, cx)?.misfit::<()>("text or a list", cx),
        }
        Ok(())
    }
}

/// Bytes that an object in a list takes at least, with what is made of it: a source, a support, a step.
const OBJECT: usize = 384;

/// The same where it has no text, which counts four times, and is no larger thing.
const EMPTY: usize = 640;

/// Bytes that a key of an object takes at least where it is listed: its path, its value.
const KEY: usize = 256;

/// What an element of so many bytes at a place of its list takes of the room that lists have. Objects are
/// counted over all lists of a frame: a hundred thousand may hold one each. Of those the first count half:
/// what holds them was measured with some.
fn cost<T: Wire>(index: usize, bytes: usize, cx: &Cx) -> usize {
    let is_many = T::IS_OBJECT && cx.lists_many();
    let takes = match index {
        ..FIRST if is_many => T::EMPTY / 2,
        ..FEW if !is_many => 0,
        _ => T::EMPTY,
    };
    let least = if index < FEW { 0 } else { T::LEAST };
    size_of::<T>().max(beside_text(takes, bytes)).max(least)
}

/// Elements that lists in other lists mostly have.
const FIRST: usize = 8;

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
        } else if list.capacity() == 0 {
            // Most lists hold one thing, and a vector makes room for four.
            list.reserve_exact(1);
        }
        list.push(element);
    }

    /// Puts all of it in the list; false where there is no room for it.
    fn join(self, list: &mut Vec<T>) -> bool {
        if self.full.is_empty() {
            return true;
        }
        let count = self.before + list.len();
        if !memory::has_room(count * size_of::<T>()) {
            return false;
        }
        let mut whole = Vec::with_capacity(count);
        self.full.into_iter().for_each(|block| whole.extend(block));
        whole.append(list);
        *list = whole;
        true
    }
}

/// What stands where a list is documented.
enum Listing {
    /// A list.
    Elements,
    /// One element of it, as some SDKs print it.
    One,
    /// Nothing that counts; it was passed over.
    Nothing,
}

fn list_of_one(reader: &mut Reader<'_>, cx: &Cx) -> Result<Listing, Unreadable> {
    let kind = reader.kind()?;
    let place = reader.place();
    // What is no value is none that does not fit.
    let one = match kind {
        Kind::List => return Ok(Listing::Elements),
        Kind::Null => return reader.read_null().map(|()| Listing::Nothing),
        Kind::Bool => {
            reader.read_bool()?;
            cx.flaw(|| "true or false where a list is documented".to_owned());
            return Ok(Listing::Nothing);
        }
        Kind::Object => "one object",
        Kind::Number => reader.read_number().map(|_| "a number")?,
        Kind::Text if reader.read_text()?.is_empty() => return Ok(Listing::Nothing),
        Kind::Text => "text",
    };
    reader.go_back(place);
    cx.flaw(|| format!("{one} where a list is documented: read as a list of one"));
    Ok(Listing::One)
}

fn read_elements<T: Wire + Default>(
    list: &mut Vec<T>,
    reader: &mut Reader<'_>,
    cx: &Cx,
) -> Result<(), Unreadable> {
    let mut blocks = Blocks { full: Vec::new(), before: 0 };
    let mut elements = reader.open()?;
    let mut index = 0;
    while reader.next_element(&mut elements)? {
        let below = cx.enter(|| Step::Index(index));
        let place = reader.place();
        if T::IS_OBJECT && reader.kind()? == Kind::Null {
            cx.flaw(|| "null where an object is documented: not used".to_owned());
        }
        let read = T::read(reader, cx);
        cx.leave(below);
        let element = read?.unwrap_or_default();
        if !cx.take(cost::<T>(index, reader.since(place), cx)) {
            return Err(Unreadable);
        }
        if cx.keeps_lists() {
            blocks.push(list, element);
        }
        index += 1;
    }
    if blocks.join(list) { Ok(()) } else { Err(Unreadable) }
}

/// A wire struct, written by `wire!`.
pub trait Object: Default {
    /// Bytes that one takes in a long list, with what is made of it, where it has no text: that counts four
    /// times.
    const TAKES: usize = EMPTY;

    /// It is kept when its frame is read, so that all of a record count, wherever they stand.
    const STAYS: bool = false;

    /// Bytes that one takes at least in a long list, whatever its text.
    const LONG: usize = OBJECT;

    /// Where one without any field of the struct is told: the fields that are documented besides.
    const BESIDES: Option<&'static [&'static str]> = None;

    /// What it lacks to be of use, where it says by its kind what it should be.
    fn lacks(&self) -> Option<&'static str> {
        None
    }

    /// Reads the value of `key` into its field; false where the key is not one of the struct's. `seen` has a
    /// bit a field.
    fn set(
        &mut self,
        key: &str,
        reader: &mut Reader<'_>,
        cx: &Cx,
        seen: &mut u64,
    ) -> Result<bool, Unreadable>;

    /// From plain text, where some writers send that instead of an object.
    fn from_text(_text: &str) -> Option<Self> {
        None
    }
}

/// What is large and rare takes no room where it is absent.
impl<T: Object> Object for Box<T> {
    const TAKES: usize = T::TAKES;
    const STAYS: bool = T::STAYS;
    const LONG: usize = T::LONG;
    const BESIDES: Option<&'static [&'static str]> = T::BESIDES;

    fn set(
        &mut self,
        key: &str,
        reader: &mut Reader<'_>,
        cx: &Cx,
        seen: &mut u64,
    ) -> Result<bool, Unreadable> {
        (**self).set(key, reader, cx, seen)
    }

    fn lacks(&self) -> Option<&'static str> {
        T::lacks(self)
    }

    fn from_text(text: &str) -> Option<Self> {
        T::from_text(text).map(Self::new)
    }
}

impl<T: Object> Wire for T {
    const LEAST: usize = T::LONG;
    const EMPTY: usize = if T::STAYS { 0 } else { T::TAKES };
    const IS_OBJECT: bool = true;

    fn read(reader: &mut Reader<'_>, cx: &Cx) -> Result<Option<Self>, Unreadable> {
        let kind = reader.kind()?;
        if kind == Kind::Object {
            let (mut out, place) = (T::default(), reader.place());
            let mut seen = 0;
            read_members(reader, cx, T::BESIDES, &mut |key, reader| out.set(key, reader, cx, &mut seen))?;
            if let Some(lacks) = out.lacks() {
                cx.flaw(|| lacks.to_owned());
            }
            if T::STAYS && !cx.take_staying(T::TAKES, reader.since(place)) {
                return Err(Unreadable);
            }
            return Ok(Some(out));
        }
        let scalar = Scalar::read(reader, cx)?;
        let from_text = if let Scalar::Text(text) = &scalar { T::from_text(text) } else { None };
        Ok(from_text.or_else(|| scalar.misfit("an object", cx)))
    }
}

/// Reads a member whose key it knows; whether it did.
type Set<'a> = dyn FnMut(&str, &mut Reader<'_>) -> Result<bool, Unreadable> + 'a;

/// Reads an object member by member; what is not known is listed in a recording pass. One without any that
/// is known is told, where the fields are given that are documented besides.
fn read_members(
    reader: &mut Reader<'_>,
    cx: &Cx,
    besides: Option<&[&str]>,
    set: &mut Set<'_>,
) -> Result<(), Unreadable> {
    let mut object = reader.open()?;
    let (mut keys, mut known) = (0_usize, besides.is_none());
    while let Some(key) = reader.next_key(&mut object)? {
        keys += 1;
        if keys > FEW && !cx.take(KEY) {
            return Err(Unreadable);
        }
        if set(&key, reader)? || (key.contains('_') && set(&camel(&key), reader)?) {
            known = true;
            continue;
        }
        known = known || besides.is_some_and(|besides| besides.contains(&&*camel(&key)));
        if cx.surveys() {
            let value = JsonText::read_any(reader)?;
            if !value.is_null() {
                cx.extra_below(key.into_owned(), value);
            }
        } else {
            reader.skip()?;
        }
    }
    if !known && keys > 0 {
        cx.flaw(|| "an object without any documented field: not used".to_owned());
    }
    Ok(())
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
pub fn field<F: Field>(
    (name, bit, listed): (&'static str, u32, Listed),
    field: &mut F,
    reader: &mut Reader<'_>,
    cx: &Cx,
    seen: &mut u64,
) -> Result<(), Unreadable> {
    // A field that was sent under one of its names is not taken back by another that says nothing.
    let (bit, nothing) = (1 << bit, reader.says_nothing());
    if nothing && *seen & bit != 0 {
        return reader.skip();
    }
    let below = cx.enter(|| Step::Key(name.to_owned()));
    if *seen & bit != 0 {
        cx.flaw(|| "this key comes more than once: the last value counts".to_owned());
    }
    if !nothing {
        *seen |= bit;
    }
    let lists = below && listed != Listed::No;
    let place = reader.place();
    let mut read = Ok(());
    if !lists || listed == Listed::Kept {
        read = field.fill(reader, cx);
    }
    if lists {
        read = read.and_then(|()| list_field(place, reader, cx));
    }
    cx.leave(below);
    read
}

/// Lists the value that stands at a place.
fn list_field(place: Place, reader: &mut Reader<'_>, cx: &Cx) -> Result<(), Unreadable> {
    reader.go_back(place);
    let value = JsonText::read_any(reader)?;
    if !value.is_null() {
        cx.extra(value);
    }
    Ok(())
}

/// Declares wire structs: `field: Type = "key" | "other spelling", extra;`. Snake case needs no mention.
/// `takes` says what one takes that stays, `lists` what one takes in a long list of a frame, `long` what it
/// takes there at least; `whole` that one without any of the fields, nor of those in brackets, is told,
/// `says` of which kinds one without `text` is, and `names` that one without all of these is.
macro_rules! wire {
    ($($(#[$meta:meta])* $vis:vis struct $name:ident $(takes $takes:literal)? $(lists $lists:literal)? $(long $long:literal)? $(whole [$($besides:literal),*])? $(says [$($says:literal),*])? $(names [$($by:ident),*])? { $($field:ident: $type:ty = $key:literal $(| $other:literal)* $(, $extra:ident)?;)* })*) => {$(
        $(#[$meta])*
        #[derive(Debug, Default, Clone)]
        #[allow(missing_docs)] // the vendors' references tell the fields
        $vis struct $name { $(pub $field: $type),* }

        const _: () = {
            #[allow(non_camel_case_types, clippy::upper_case_acronyms)] // names of fields serve as names of bits
            enum Bit { $($field),* }

            // A field is a bit of `seen`.
            const _: () = assert!([$($key),*].len() <= 64);

            impl $crate::json::wire::Object for $name {
                $(const TAKES: usize = $takes; const STAYS: bool = true;)?
                $(const TAKES: usize = $lists;)?
                $(const LONG: usize = $long;)?
                $(const BESIDES: Option<&'static [&'static str]> = Some(&[$($besides),*]);)?
                $(fn lacks(&self) -> Option<&'static str> {
                    let says = [$($says),*].contains(&$crate::json::values::kind(&self.kind));
                    (says && self.text.is_none()).then_some("a text without its words: not used")
                })?
                $(fn lacks(&self) -> Option<&'static str> {
                    let named = $(self.$by.is_some())||*;
                    (!named).then_some("a citation that does not say of what")
                })?

                fn set(
                    &mut self,
                    key: &str,
                    reader: &mut $crate::json::wire::Reader<'_>,
                    cx: &$crate::json::wire::Cx,
                    seen: &mut u64,
                ) -> Result<bool, $crate::json::wire::Unreadable> {
                    match key {
                        $($key $(| $other)* => $crate::json::wire::field(
                            (
                                $crate::json::wire::wire!(@sent key, $key $(, $other)*),
                                Bit::$field as u32,
                                $crate::json::wire::wire!(@extra $($extra)?),
                            ),
                            &mut self.$field, reader, cx, seen,
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
        Outer::read(&mut Reader::new(text), cx).unwrap().unwrap()
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
        assert_eq!((outer.score, outer.flag, cx.flaws()), (None, Some(true), 1));
        let cx = Cx::default();
        assert_eq!(read(r#"{"flag": true, "flag": false}"#, &cx).flag, Some(false));
        assert_eq!(cx.flaws(), 1);
    }

    #[test]
    fn another_name_that_says_nothing_takes_nothing_back() {
        let list = r#""list": [{"n": 1}, {"n": 2}]"#;
        for nothing in ["null", "[]", "[ ]", "{}", "\"\""] {
            for text in
                [format!(r#"{{{list}, "lists": {nothing}}}"#), format!(r#"{{"lists": {nothing}, {list}}}"#)]
            {
                let cx = Cx::default();
                let numbers: Vec<_> = read(&text, &cx).list.iter().map(|inner| inner.n).collect();
                assert_eq!(
                    (numbers, cx.flaws()),
                    (vec![Some(1), Some(2)], usize::from(text.contains(r#""lists": {}, "#))),
                    "{text}"
                );
            }
        }
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
