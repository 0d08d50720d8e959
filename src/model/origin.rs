//! Where a thing stands in the input: the frame it came in and its JSON path there.

use std::borrow::Cow;
use std::fmt::{self, Write as _};
use std::hash::{Hash, Hasher};
use std::num::NonZeroU32;
use std::sync::Arc;

/// Frame and path. Byte positions are found on demand by [`crate::json::Locator`].
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Origin {
    /// Number of the frame within its record.
    pub frame: u32,
    /// Path within the frame.
    pub path: Path,
}

/// A JSON path, keys in camelCase whatever case was sent. What lies in one list shares the list's path.
#[derive(Debug, Clone, Default)]
pub struct Path {
    base: Option<Arc<Base>>,
    /// The last step, where that is an element: its number, from 1.
    element: Option<NonZeroU32>,
}

/// What comes before the last element of a path.
#[derive(Debug)]
struct Base {
    /// An element, or the root.
    above: Path,
    /// The steps below it, as they stand in the text of a path.
    below: Box<str>,
}

/// One step of a path.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Step {
    /// Key of an object.
    Key(String),
    /// Element of an array, from 0.
    Index(usize),
}

/// A step as it stands in the text of a path.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum StepRef<'a> {
    Key(Cow<'a, str>),
    Index(usize),
}

impl StepRef<'_> {
    fn into_owned(self) -> Step {
        match self {
            Self::Key(key) => Step::Key(key.into_owned()),
            Self::Index(index) => Step::Index(index),
        }
    }
}

impl Origin {
    /// The same frame, another path.
    pub fn at(&self, path: Path) -> Self {
        Self { frame: self.frame, path }
    }

    /// A key below this place.
    pub fn key(&self, key: &str) -> Self {
        self.at(self.path.key(key))
    }

    /// An element of the list at this place.
    pub fn item(&self, index: usize) -> Self {
        self.at(self.path.item(index))
    }
}

impl Path {
    /// A path from its text form, without `$.`.
    pub fn new(text: &str) -> Self {
        Self::default().ending_in(text.into())
    }

    /// Steps below this path, which is an element or the root.
    fn ending_in(self, below: Box<str>) -> Self {
        if below.is_empty() {
            return self;
        }
        Self { base: Some(Arc::new(Base { above: self, below })), element: None }
    }

    fn is_root(&self) -> bool {
        self.base.is_none() && self.element.is_none()
    }

    /// The path of a key below this one.
    pub fn key(&self, key: &str) -> Self {
        let (above, lead) = match &self.base {
            Some(base) if self.element.is_none() => (&base.above, &*base.below),
            _ => (self, ""),
        };
        let mut below = String::with_capacity(lead.len() + key.len() + STEP);
        below.push_str(lead);
        push_key(&mut below, key, above.is_root());
        above.clone().ending_in(below.into_boxed_str())
    }

    /// The path of an element; of a list of elements each shares the list's path.
    pub fn item(&self, index: usize) -> Self {
        let element = NonZeroU32::new((index as u32).saturating_add(1));
        match self.element {
            None => Self { base: self.base.clone(), element },
            Some(_) => {
                Self { base: Some(Arc::new(Base { above: self.clone(), below: Box::default() })), element }
            }
        }
    }

    /// The path of steps below this one.
    pub(crate) fn below(&self, steps: &[Step]) -> Self {
        steps.iter().fold(self.clone(), |path, step| match step {
            Step::Key(key) => path.key(key),
            Step::Index(index) => path.item(*index),
        })
    }

    /// The steps from the frame's root.
    pub fn steps(&self) -> Vec<Step> {
        self.walk().map(StepRef::into_owned).collect()
    }

    /// The same, borrowed from the text of the path.
    pub(crate) fn walk(&self) -> impl Iterator<Item = StepRef<'_>> {
        let mut parts = Vec::new();
        let mut part = self;
        while let Some(base) = &part.base {
            parts.push((&*base.below, part.index()));
            part = &base.above;
        }
        parts.push(("", part.index()));
        let steps = |(below, index): (_, Option<usize>)| Steps(below).chain(index.map(StepRef::Index));
        parts.into_iter().rev().flat_map(steps)
    }

    fn index(&self) -> Option<usize> {
        self.element.map(|element| element.get() as usize - 1)
    }

    /// Whether the last step is this key.
    pub fn ends_with(&self, key: &str) -> bool {
        let base = self.base.as_deref().filter(|_| self.element.is_none());
        let rest = base.and_then(|base| base.below.strip_suffix(key));
        rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    }

    /// From steps.
    pub fn from_steps(steps: &[Step]) -> Self {
        let mut text = String::new();
        for step in steps {
            match step {
                Step::Key(key) => push_key(&mut text, key, true),
                Step::Index(index) => push_index(&mut text, *index),
            }
        }
        Self::new(&text)
    }

    /// The same from borrowed ones.
    pub(crate) fn from_walk(steps: &[StepRef]) -> Self {
        let mut text = String::new();
        for step in steps {
            match step {
                StepRef::Key(key) => push_key(&mut text, key, true),
                StepRef::Index(index) => push_index(&mut text, *index),
            }
        }
        Self::new(&text)
    }

    fn to_text(&self) -> String {
        let mut text = String::new();
        self.push_to(&mut text);
        text
    }

    fn push_to(&self, text: &mut String) {
        if let Some(base) = &self.base {
            base.above.push_to(text);
            text.push_str(&base.below);
        }
        if let Some(index) = self.index() {
            push_index(text, index);
        }
    }
}

impl PartialEq for Path {
    fn eq(&self, other: &Self) -> bool {
        let same = match (&self.base, &other.base) {
            (Some(own), Some(other)) => Arc::ptr_eq(own, other),
            (own, other) => own.is_none() && other.is_none(),
        };
        same && self.element == other.element || self.walk().eq(other.walk())
    }
}

impl Eq for Path {}

impl Hash for Path {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.walk().for_each(|step| step.hash(state));
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.to_text();
        match text.chars().next() {
            None => f.write_str("$"),
            Some('[') => write!(f, "${text}"),
            Some(_) => write!(f, "$.{text}"),
        }
    }
}

/// Bytes that an index and what stands between steps take, most often.
const STEP: usize = 8;

fn plain(key: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let lettered = || key.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-');
    !key.is_empty() && (key.bytes().all(plain) || lettered())
}

/// Adds a key; `first`: no step comes before an empty text.
fn push_key(text: &mut String, key: &str, first: bool) {
    if plain(key) {
        if !(first && text.is_empty()) {
            text.push('.');
        }
        text.push_str(key);
    } else {
        text.push('[');
        text.push_str(&serde_json::Value::from(key).to_string());
        text.push(']');
    }
}

fn push_index(text: &mut String, index: usize) {
    // Writing to a string does not fail.
    let _ = write!(text, "[{index}]");
}

/// The steps of the text of a path; it ends where the text is none.
struct Steps<'a>(&'a str);

impl<'a> Iterator for Steps<'a> {
    type Item = StepRef<'a>;

    fn next(&mut self) -> Option<StepRef<'a>> {
        let rest = std::mem::take(&mut self.0);
        if let Some(after) = rest.strip_prefix('[') {
            let digits = after.bytes().take_while(u8::is_ascii_digit).count();
            if let Some((Ok(index), below)) = after.split_at_checked(digits).map(|(d, b)| (d.parse(), b)) {
                self.0 = below.strip_prefix(']').unwrap_or_default();
                return Some(StepRef::Index(index));
            }
            let mut quoted = serde_json::Deserializer::from_str(after).into_iter::<String>();
            let key = quoted.next()?.ok()?;
            self.0 = after.get(quoted.byte_offset()..).and_then(|r| r.strip_prefix(']')).unwrap_or_default();
            return Some(StepRef::Key(key.into()));
        }
        let rest = rest.strip_prefix('.').unwrap_or(rest);
        let (key, below) = rest.split_at(rest.find(['.', '[']).unwrap_or(rest.len()));
        self.0 = below;
        (!key.is_empty()).then(|| StepRef::Key(key.into()))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn paths_read_as_json_path_and_take_apart_again() {
        let list = Path::new("candidates[0].groundingMetadata.groundingSupports");
        assert_eq!(list.item(3).to_string(), "$.candidates[0].groundingMetadata.groundingSupports[3]");
        assert_eq!(
            list.item(3).key("segment").to_string(),
            "$.candidates[0].groundingMetadata.groundingSupports[3].segment"
        );
        assert_eq!(Path::default().to_string(), "$");
        assert_eq!(Path::default().item(1).item(2).to_string(), "$[1][2]");
        let odd = Path::new("state").key("a b.c");
        assert_eq!(odd.to_string(), r#"$.state["a b.c"]"#);
        assert_eq!(Path::from_steps(&odd.steps()), odd);
    }

    #[test]
    fn a_path_is_the_same_however_it_was_put_together() {
        let text = "candidates[0].groundingMetadata.groundingSupports[3].segment.endIndex";
        let built = Path::new("candidates").item(0).key("groundingMetadata").key("groundingSupports").item(3);
        let built = built.key("segment").key("endIndex");
        assert_eq!(built, Path::new(text));
        assert_eq!(built.to_string(), format!("$.{text}"));
        assert_eq!(HashSet::from([built.clone(), Path::new(text)]).len(), 1);
        assert_eq!(Path::default().below(&built.steps()), built);
        assert!(
            built.ends_with("endIndex") && built.ends_with("segment.endIndex") && !built.ends_with("Index")
        );
        assert!(Path::new("a").ends_with("a") && Path::default().item(0).key("a").ends_with("a"));
        for other in [
            "candidates[0].groundingMetadata.groundingSupports[4].segment.endIndex",
            "candidates[0].groundingMetadata.groundingSupports[3].segment",
        ] {
            assert_ne!(built, Path::new(other));
        }
        assert_ne!(Path::default(), Path::default().item(0));
        assert_eq!(Path::new("a[1]"), Path::new("a").item(1));
    }
}
