//! From JSON paths to byte ranges, on demand.

use std::borrow::Cow;
use std::ops::Range;

use hashbrown::HashMap;

use super::keys::camel;
use super::scan::{self, Members, Walk};
use crate::model::{Path, StepRef};

/// Where a path leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// Bytes of the value.
    pub value: Range<usize>,
    /// The path with the keys as they are spelled in the input.
    pub path: Path,
}

/// Finds paths in one text, one after the other: no long object or list on the way is looked through twice.
#[derive(Debug, Default)]
pub struct Locator {
    /// By the byte at which a container begins.
    containers: HashMap<usize, Container>,
    /// No object on the way has a key twice: the first one found is the one.
    unique: bool,
}

/// The members of an object or a list, as far as they are known.
#[derive(Debug)]
struct Container {
    object: bool,
    /// Key (empty in a list) and first byte of the value.
    members: Vec<(Box<str>, usize)>,
    /// How to go on; nothing at the end.
    rest: Option<Walk>,
    /// The byte up to which it was gone through.
    passed: usize,
    /// Of an object with many: their numbers by key, as it is spelled and in camelCase.
    by_key: HashMap<Box<str>, Vec<usize>>,
}

/// Steps of a path at most, more than JSON is read deep: what lies on the way is gone through at each.
const DEPTH: usize = 256;

/// Bytes of an object or a list that are gone through anew each time.
const SHORT: usize = 512;

/// Members up to which a key is looked for one by one.
const FEW: usize = 32;

impl Locator {
    /// For a text in which no object has a key twice.
    pub fn unique() -> Self {
        Self { unique: true, ..Self::default() }
    }

    /// The first byte of the value at a path, and the path as it is spelled in the text, which has to be the
    /// same at each call. Keys match in either spelling; of repeated keys the last counts, as far as the path
    /// leads on there.
    pub fn find(&mut self, text: &str, path: &Path) -> Option<(usize, Path)> {
        let steps: Vec<StepRef> = path.walk().take(DEPTH + 1).collect();
        if steps.len() > DEPTH {
            return None;
        }
        let mut spelled = Vec::with_capacity(steps.len());
        let start = scan::skip_space(text.as_bytes(), 0);
        let at = self.descend(text, start, &steps, &mut spelled)?;
        Some((at, if spelled == steps { path.clone() } else { Path::from_walk(&spelled) }))
    }

    /// The value at a path.
    pub fn locate(&mut self, text: &str, path: &Path) -> Option<Located> {
        let (start, path) = self.find(text, path)?;
        Some(Located { value: start..scan::skip_value(text.as_bytes(), start).unwrap_or(text.len()), path })
    }

    /// Down the steps, and back to another key of the same name where they lead nowhere; at any depth.
    fn descend<'a>(
        &mut self,
        text: &'a str,
        start: usize,
        steps: &[StepRef<'a>],
        spelled: &mut Vec<StepRef<'a>>,
    ) -> Option<usize> {
        // Of each value on the way where it begins, and the last member of it that was tried.
        let mut way: Vec<(usize, Option<usize>)> = vec![(start, None)];
        while let Some((at, tried)) = way.last_mut() {
            let Some(step) = steps.get(spelled.len()) else { return Some(*at) };
            match self.find_in(text, *at, step, *tried) {
                Some((number, name, value)) => {
                    *tried = Some(number);
                    spelled.push(name);
                    way.push((value, None));
                }
                None if self.unique => return None,
                None => {
                    way.pop();
                    spelled.pop();
                }
            }
        }
        None
    }
}

impl Locator {
    /// [`Container::find`] in the container that begins at a byte. It is kept where going through it again
    /// would cost something.
    fn find_in<'a>(
        &mut self,
        text: &'a str,
        at: usize,
        step: &StepRef<'a>,
        before: Option<usize>,
    ) -> Option<(usize, StepRef<'a>, usize)> {
        if let Some(known) = self.containers.get_mut(&at) {
            return known.find(text, step, before, self.unique);
        }
        let mut container = Container::of(text, at);
        let found = container.find(text, step, before, self.unique);
        if container.passed > at + SHORT {
            self.containers.insert(at, container);
        }
        found
    }

    /// Whether nothing was worth keeping.
    pub fn is_empty(&self) -> bool {
        self.containers.is_empty()
    }
}

impl Container {
    fn of(text: &str, at: usize) -> Self {
        let object = text.as_bytes().get(at) == Some(&b'{');
        let rest = Members::of(text, at).map(|members| members.walk());
        Self { object, members: Vec::new(), rest, passed: at, by_key: HashMap::new() }
    }

    /// Number, name and value of the member that a step names: the last one `before` a number, or just any
    /// where names are unique.
    fn find<'a>(
        &mut self,
        text: &'a str,
        step: &StepRef<'a>,
        before: Option<usize>,
        unique: bool,
    ) -> Option<(usize, StepRef<'a>, usize)> {
        let key = match step {
            StepRef::Index(index) if !self.object && before.is_none() => {
                while self.members.len() <= *index && self.read(text) {}
                return self.members.get(*index).map(|(_, at)| (*index, step.clone(), *at));
            }
            StepRef::Key(key) if self.object => key,
            _ => return None,
        };
        let named = |(name, _): &(Box<str>, usize)| **name == **key || camel(name) == **key;
        let number = if unique {
            let mut known = self.numbers(key, named).next();
            while known.is_none() && self.read(text) {
                known = self.members.last().is_some_and(named).then(|| self.members.len() - 1);
            }
            known?
        } else {
            while self.read(text) {}
            self.numbers(key, named).rfind(|number| before.is_none_or(|before| *number < before))?
        };
        let (name, at) = self.members.get(number)?;
        let name = if **name == **key { key.clone() } else { Cow::Owned(name.to_string()) };
        Some((number, StepRef::Key(name), *at))
    }

    /// The members of a name as far as they are known, ascending.
    fn numbers(
        &self,
        key: &str,
        named: impl Fn(&(Box<str>, usize)) -> bool,
    ) -> impl DoubleEndedIterator<Item = usize> {
        let few = self.members.len() <= FEW;
        let one_by_one = self.members.iter().enumerate().filter(move |(_, member)| few && named(member));
        let listed = self.by_key.get(key).map_or(&[][..], Vec::as_slice);
        let listed = listed.iter().copied().filter(move |_| !few);
        one_by_one.map(|(number, _)| number).chain(listed)
    }

    /// Lists the keys of an object that has many members.
    fn list_keys(&mut self) {
        let from = if self.members.len() == FEW + 1 { 0 } else { self.members.len() - 1 };
        for number in from..self.members.len() {
            let Some((name, _)) = self.members.get(number) else { continue };
            let spelled = camel(name);
            if *spelled != **name {
                self.by_key.entry(Box::from(&*spelled)).or_default().push(number);
            }
            self.by_key.entry(name.clone()).or_default().push(number);
        }
    }

    /// Reads one more member; false at the end.
    fn read(&mut self, text: &str) -> bool {
        let Some(walk) = self.rest.take() else { return false };
        let mut members = Members::on(text, walk);
        let next = members.next();
        self.passed = members.walk().at();
        let Some((key, at)) = next else { return false };
        self.members.push((Box::from(&*key), at));
        if self.object && self.members.len() > FEW {
            self.list_keys();
        }
        self.rest = Some(members.walk());
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        r#" {"grounding_chunks": [{"web": {"uri": "u"}}, 7], "a": {"b": 1}, "a": 2, "c": [[1, 2]]}"#;

    /// Path as spelled, and value.
    fn found(locator: &mut Locator, path: &str) -> Option<(String, &'static str)> {
        let located = locator.locate(TEXT, &Path::new(path))?;
        Some((located.path.to_string(), &TEXT[located.value]))
    }

    #[test]
    fn paths_are_found_in_either_spelling_and_the_last_of_repeated_keys_counts() {
        let mut locator = Locator::default();
        let cases = [
            ("groundingChunks[0].web.uri", Some(("$.grounding_chunks[0].web.uri", "\"u\""))),
            ("groundingChunks[1]", Some(("$.grounding_chunks[1]", "7"))),
            ("groundingChunks[2]", None),
            ("a", Some(("$.a", "2"))),
            // The last one does not lead on.
            ("a.b", Some(("$.a.b", "1"))),
            ("a[0]", None),
            ("c[0][1]", Some(("$.c[0][1]", "2"))),
            ("none", None),
            ("", Some(("$", TEXT.trim()))),
        ];
        for (path, expected) in cases {
            let expected = expected.map(|(path, value)| (path.to_owned(), value));
            assert_eq!(found(&mut locator, path), expected, "{path}");
        }
    }

    #[test]
    fn where_keys_are_unique_the_first_one_ends_the_search() {
        let mut locator = Locator::unique();
        assert_eq!(found(&mut locator, "a").unwrap().1, r#"{"b": 1}"#);
        assert_eq!(found(&mut locator, "c[0][0]").unwrap().1, "1");
        assert_eq!(found(&mut locator, "groundingChunks[1]").unwrap().1, "7");
        assert_eq!(found(&mut locator, "none"), None);
    }

    #[test]
    fn keys_of_large_objects_are_found_in_either_spelling_and_the_last_of_repeated_ones() {
        let members: Vec<String> = (0..100).map(|number| format!("\"key_{number}\": {number}")).collect();
        let text = format!("{{{}, \"key_7\": {{\"x\": 1}}, \"key7\": 2}}", members.join(", "));
        let (mut any, mut unique) = (Locator::default(), Locator::unique());
        let mut value =
            |path: &str| any.locate(&text, &Path::new(path)).map(|found| text[found.value].to_owned());
        assert_eq!(value("key99").unwrap(), "99");
        assert_eq!(value("key_98").unwrap(), "98");
        assert_eq!(value("key7").unwrap(), "2");
        assert_eq!(value("key7.x").unwrap(), "1");
        assert_eq!(value("key_7.x").unwrap(), "1");
        assert_eq!(value("key100"), None);
        let mut first =
            |path: &str| unique.locate(&text, &Path::new(path)).map(|found| text[found.value].to_owned());
        assert_eq!(
            (first("key50"), first("key99"), first("key_50")),
            (Some("50".into()), Some("99".into()), Some("50".into()))
        );
    }
}
