//! The scalars of a text, each with its path, in one pass and at any depth.

use std::borrow::Cow;
use std::ops::Range;

use super::scan::{skip_space, skip_value, string};
use crate::model::{Path, Step};

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
}

/// Calls `visit` for each scalar that is no `null`, `true` or `false`: the walk's path, and its bytes. What
/// follows a place that is no JSON is passed over.
pub fn scalars(text: &str, mut visit: impl FnMut(&dyn Fn() -> Path, Range<usize>)) {
    let mut walk = Walk { text, pos: skip_space(text.as_bytes(), 0), path: Vec::new() };
    while let Some(scalar) = walk.next_scalar() {
        if !matches!(text.as_bytes().get(scalar.start), Some(b'n' | b't' | b'f')) {
            visit(&|| walk.here(), scalar);
        }
        if !walk.next_value() {
            return;
        }
    }
}

impl Walk<'_> {
    fn here(&self) -> Path {
        let step = |at: &At| match at {
            At::Key(key) => Step::Key(key.to_string()),
            At::Index(index) => Step::Index(*index),
        };
        Path::from_steps(&self.path.iter().map(step).collect::<Vec<_>>())
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
                    self.pos = skip_value(bytes, start).filter(|&end| end > start)?;
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

#[cfg(test)]
mod tests {
    use super::*;

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
