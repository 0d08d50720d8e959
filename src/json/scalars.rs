//! The scalars of a text, each with its path, in one pass and at any depth; and those of a value as they
//! would be written.

use std::borrow::Cow;
use std::cell::RefCell;
use std::io::{self, Write};
use std::ops::Range;

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

use super::scan::{skip_space, skip_value, string};
use crate::model::{Path, Step};

/// Steps of a path at most, as many as JSON is read deep: what lies deeper is named by what holds it there.
const DEPTH: usize = 128;

/// A step of the path to a scalar.
#[derive(Debug, Clone)]
enum At<'t> {
    Key(Cow<'t, str>),
    Index(usize),
}

/// Where the walk stands.
struct Walk<'t> {
    text: &'t str,
    pos: usize,
    path: Vec<At<'t>>,
    /// It stands at a text that does not end.
    torn: bool,
}

/// Calls `visit` for each scalar that is no `null`, `true` or `false`: the walk's path, and its bytes. What
/// follows a place that is no JSON is passed over.
pub fn scalars(text: &str, visit: impl FnMut(&dyn Fn() -> Path, Range<usize>)) {
    walk(text, visit);
}

/// The same with a text in which all breaks off, up to there.
pub fn scalars_and_torn(text: &str, mut visit: impl FnMut(&dyn Fn() -> Path, Range<usize>)) {
    let end = walk(text, &mut visit);
    if end.torn {
        visit(&|| end.here(), end.pos..text.len());
    }
}

fn walk(text: &str, mut visit: impl FnMut(&dyn Fn() -> Path, Range<usize>)) -> Walk<'_> {
    let mut walk = Walk { text, pos: skip_space(text.as_bytes(), 0), path: Vec::new(), torn: false };
    while let Some(scalar) = walk.next_scalar() {
        if !matches!(text.as_bytes().get(scalar.start), Some(b'n' | b't' | b'f')) {
            visit(&|| walk.here(), scalar);
        }
        if !walk.next_value() {
            break;
        }
    }
    walk
}

impl Walk<'_> {
    fn here(&self) -> Path {
        let step = |at: &At| match at {
            At::Key(key) => Step::Key(key.to_string()),
            At::Index(index) => Step::Index(*index),
        };
        Path::from_steps(&self.path.iter().take(DEPTH).map(step).collect::<Vec<_>>())
    }

    /// Goes down to the next scalar at or behind this place.
    fn next_scalar(&mut self) -> Option<Range<usize>> {
        loop {
            let bytes = self.text.as_bytes();
            match bytes.get(self.pos)? {
                b'{' => {
                    self.pos = skip_space(bytes, self.pos + 1);
                    if bytes.get(self.pos) == Some(&b'}') {
                        self.pos += 1;
                        if !self.next_value() {
                            return None;
                        }
                    } else {
                        self.path.push(At::Key(Cow::Borrowed("")));
                        self.key()?;
                    }
                }
                b'[' => {
                    self.pos = skip_space(bytes, self.pos + 1);
                    if bytes.get(self.pos) == Some(&b']') {
                        self.pos += 1;
                        if !self.next_value() {
                            return None;
                        }
                    } else {
                        self.path.push(At::Index(0));
                    }
                }
                _ => {
                    let start = self.pos;
                    let end = skip_value(bytes, start);
                    self.torn = end.is_none() && bytes.get(start) == Some(&b'"');
                    self.pos = end.filter(|&end| end > start)?;
                    return Some(start..self.pos);
                }
            }
        }
    }

    /// Reads a key and stops at its value.
    fn key(&mut self) -> Option<()> {
        let bytes = self.text.as_bytes();
        let end = skip_value(bytes, self.pos)?;
        let key = string(self.text.get(self.pos..end)?)?;
        *self.path.last_mut()? = At::Key(key);
        let colon = skip_space(bytes, end);
        self.pos = skip_space(bytes, colon + 1);
        (bytes.get(colon) == Some(&b':')).then_some(())
    }

    /// Behind a value: stops at the next one, also of an outer object or list; false at the end.
    fn next_value(&mut self) -> bool {
        while let Some(top) = self.path.last_mut() {
            let bytes = self.text.as_bytes();
            self.pos = skip_space(bytes, self.pos);
            match bytes.get(self.pos) {
                Some(b',') => {
                    self.pos = skip_space(bytes, self.pos + 1);
                    return match top {
                        At::Index(index) => {
                            *index += 1;
                            true
                        }
                        At::Key(_) => self.key().is_some(),
                    };
                }
                Some(b'}' | b']') => {
                    self.pos += 1;
                    self.path.pop();
                }
                _ => return false,
            }
        }
        false
    }
}

/// Calls `visit` for each scalar within an object or a list, spelled as JSON, without writing the JSON.
pub fn written(value: &impl Serialize, visit: impl FnMut(&str)) {
    let literal = RefCell::new(Vec::new());
    let mut serializer = Serializer::with_formatter(Literal(&literal), Literals { literal: &literal, visit });
    let _ = value.serialize(&mut serializer);
}

/// Keeps what is written of the scalar at hand.
struct Literal<'l>(&'l RefCell<Vec<u8>>);

impl Write for Literal<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes scalars and nothing around them.
struct Literals<'l, F> {
    literal: &'l RefCell<Vec<u8>>,
    visit: F,
}

impl<F: FnMut(&str)> Literals<'_, F> {
    /// Called after a value: a scalar, or an object or a list whose scalars were visited.
    fn after(&mut self) {
        let mut literal = self.literal.borrow_mut();
        if let Ok(scalar) = std::str::from_utf8(&literal)
            && !scalar.is_empty()
        {
            (self.visit)(scalar);
        }
        literal.clear();
    }
}

/// Methods that write nothing.
macro_rules! silent {
    ($($name:ident($($argument:ty)?);)*) => {$(
        fn $name<W: ?Sized + Write>(&mut self, _: &mut W $(, _: $argument)?) -> io::Result<()> {
            Ok(())
        }
    )*};
}

impl<F: FnMut(&str)> Formatter for Literals<'_, F> {
    silent! {
        begin_array();
        end_array();
        begin_array_value(bool);
        begin_object();
        end_object();
        begin_object_key(bool);
        begin_object_value();
    }

    fn end_object_key<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.literal.borrow_mut().clear();
        Ok(())
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.after();
        Ok(())
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.after();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_tells_its_scalars_as_json_spells_them() {
        let value =
            serde_json::json!({"a": 1, "b": [{}, {"c": "x\"\n"}, [], null, [2.5, true]], "d": {"e": -0.0}});
        let mut told = Vec::new();
        written(&value, |literal| told.push(literal.to_owned()));
        assert_eq!(told, ["1", r#""x\"\n""#, "null", "2.5", "true", "-0.0"]);
    }

    #[test]
    fn every_scalar_has_its_path() {
        let text = r#" {"a": 1, "b": [{}, {"c": "x"}, [], null, [2.5, true]], "a": "y\"z"} rest"#;
        let mut found = Vec::new();
        scalars(text, |path, range| found.push(format!("{}={}", path(), &text[range])));
        assert_eq!(found, ["$.a=1", r#"$.b[1].c="x""#, "$.b[4][0]=2.5", r#"$.a="y\"z""#]);
    }

    #[test]
    fn any_depth_and_any_end_are_survived() {
        let mut count = 0;
        scalars(&format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000)), |_, _| count += 1);
        let text = r#"{"a": [1, "b", {"c": 2}]}"#;
        (0..text.len()).for_each(|end| scalars(&text[..end], |_, _| count += 1));
        scalars("{{]},:", |_, _| count += 1);
        assert!(count > 1);
    }
}
