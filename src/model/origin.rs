//! Where a thing stands in the input: the frame it came in and its JSON path there.

use std::borrow::Cow;
use std::fmt::{self, Write as _};
use std::sync::Arc;

/// Frame and path. Byte positions are found on demand by [`crate::json::Locator`].
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Origin {
    /// Number of the frame within its record.
    pub frame: u32,
    /// Path within the frame.
    pub path: Path,
}

/// A JSON path, keys in camelCase whatever case was sent. Elements of one list share its base.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Path {
    base: Option<Arc<str>>,
    index: Option<u32>,
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
#[derive(Debug, Clone, PartialEq, Eq)]
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
    pub fn new(base: &str) -> Self {
        Self { base: (!base.is_empty()).then(|| Arc::from(base)), index: None }
    }

    /// The path of a key below this one.
    pub fn key(&self, key: &str) -> Self {
        let mut text =
            String::with_capacity(self.base.as_ref().map_or(0, |base| base.len()) + key.len() + STEP);
        self.push_to(&mut text);
        push_key(&mut text, key);
        Self::new(&text)
    }

    /// The path of an element; of a list of elements each shares the list's path.
    pub fn item(&self, index: usize) -> Self {
        match self.index {
            None => Self { base: self.base.clone(), index: Some(index as u32) },
            Some(_) => Self { base: Some(Arc::from(self.to_text())), index: Some(index as u32) },
        }
    }

    /// The steps from the frame's root.
    pub fn steps(&self) -> Vec<Step> {
        self.walk().map(StepRef::into_owned).collect()
    }

    /// The same, borrowed from the text of the path.
    pub(crate) fn walk(&self) -> impl Iterator<Item = StepRef<'_>> {
        let last = self.index.map(|index| StepRef::Index(index as usize));
        Steps(self.base.as_deref().unwrap_or_default()).chain(last)
    }

    /// Whether the last step is this key.
    pub fn ends_with(&self, key: &str) -> bool {
        self.index.is_none()
            && self
                .base
                .as_deref()
                .and_then(|base| base.strip_suffix(key))
                .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    }

    /// From steps.
    pub fn from_steps(steps: &[Step]) -> Self {
        let mut text = String::new();
        for step in steps {
            match step {
                Step::Key(key) => push_key(&mut text, key),
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
                StepRef::Key(key) => push_key(&mut text, key),
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
        text.push_str(self.base.as_deref().unwrap_or_default());
        if let Some(index) = self.index {
            push_index(text, index as usize);
        }
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

fn push_key(text: &mut String, key: &str) {
    if plain(key) {
        if !text.is_empty() {
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
}
