//! A look at the top level of a frame, enough to tell formats apart without parsing it.

use std::borrow::Cow;

use super::keys::camel;
use super::scan;
use crate::model::JsonText;

/// The top-level keys of an object in camelCase, with the places of their values.
pub struct Peek<'a> {
    text: &'a str,
    /// Its first byte.
    at: usize,
    keys: Vec<Member<'a>>,
    /// The first elements of lists that were passed over, by the place of the list.
    firsts: Vec<(usize, usize, Vec<Member<'a>>)>,
}

/// A key in camelCase, and the place of its value.
type Member<'a> = (Cow<'a, str>, usize);

impl<'a> Peek<'a> {
    /// Of a frame; the walk ends at the first of the keys in `stop`.
    pub fn of(text: &'a str, stop: &[&str]) -> Self {
        Self::at(text, scan::skip_space(text.as_bytes(), 0), stop)
    }

    /// Of a value that was kept.
    pub fn of_value(value: &'a JsonText) -> Self {
        Self::of(value.as_json(), &[])
    }

    /// Of a frame, as far as needed: the walk ends behind the first key at which `enough` says so.
    pub fn until(text: &'a str, enough: impl FnMut(&Self, &str) -> bool) -> Self {
        Self::walk(text, scan::skip_space(text.as_bytes(), 0), enough)
    }

    fn at(text: &'a str, pos: usize, stop: &[&str]) -> Self {
        Self::walk(text, pos, |_, key| stop.contains(&key))
    }

    fn walk(text: &'a str, pos: usize, mut enough: impl FnMut(&Self, &str) -> bool) -> Self {
        let mut peek = Self { text, at: pos, keys: Vec::new(), firsts: Vec::new() };
        if text.as_bytes().get(pos) == Some(&b'{')
            && let Some(mut members) = scan::Members::of(text, pos)
        {
            while let Some(member) = members.next() {
                let (key, at) = in_camel_case(member);
                peek.keys.push((key.clone(), at));
                if enough(&peek, &key) {
                    break;
                }
                if let Some(end) = peek.pass_list(at) {
                    members.pass_to(end);
                }
            }
        }
        peek
    }

    /// Passes over a list of objects: the keys of its first element are looked at on the way, since it is by
    /// them that formats are told apart.
    fn pass_list(&mut self, at: usize) -> Option<usize> {
        let mut elements = scan::Members::of(self.text, at).filter(|elements| !elements.of_object())?;
        let (_, first) = elements.next()?;
        if self.text.as_bytes().get(first) != Some(&b'{') {
            return None;
        }
        let mut members = scan::Members::of(self.text, first)?;
        let keys: Vec<Member> = members.by_ref().map(in_camel_case).collect();
        if !members.is_closed() {
            return None;
        }
        elements.pass_to(members.position());
        self.firsts.push((at, first, keys));
        while elements.next().is_some() {}
        elements.is_closed().then(|| elements.position())
    }

    /// Whether the key is there and its value not `null`.
    pub fn has(&self, key: &str) -> bool {
        self.value(key).is_some_and(|value| !value.starts_with("null"))
    }

    /// Whether one of the keys is there.
    pub fn has_any(&self, keys: &[&str]) -> bool {
        keys.iter().any(|key| self.has(key))
    }

    /// The keys.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.keys.iter().map(|(key, _)| key.as_ref())
    }

    /// The keys, each with the first byte of its value.
    pub fn kinds(&self) -> impl Iterator<Item = (&str, Option<char>)> {
        let kind = |at: usize| self.text.get(at..).and_then(|value| value.chars().next());
        self.keys.iter().map(move |(key, at)| (key.as_ref(), kind(*at)))
    }

    /// Where the value of a key stands: of one that was sent in two spellings the last that says something.
    fn place(&self, key: &str) -> Option<usize> {
        let mut silent = None;
        for (_, at) in self.keys.iter().rev().filter(|(name, _)| name == key) {
            if !scan::says_nothing(self.text.as_bytes(), *at) {
                return Some(*at);
            }
            silent = silent.or(Some(*at));
        }
        silent
    }

    /// The text from the value of a key on.
    fn value(&self, key: &str) -> Option<&'a str> {
        self.text.get(self.place(key)?..)
    }

    /// First byte of a value: `{`, `[`, `"`, …
    pub fn kind(&self, key: &str) -> Option<char> {
        self.value(key)?.chars().next()
    }

    /// A string or a number, as text.
    pub fn word(&self, key: &str) -> Option<String> {
        let value = self.value(key)?;
        let literal = scan::value_text(value, 0);
        match value.as_bytes().first()? {
            b'"' => scan::string(literal).map(Cow::into_owned),
            b'{' | b'[' | b'n' => None,
            _ => Some(literal.to_owned()),
        }
    }

    /// The JSON of a value.
    pub fn text_of(&self, key: &str) -> Option<&'a str> {
        self.value(key).map(|value| scan::value_text(value, 0))
    }

    /// The JSON of the object itself.
    pub fn text(&self) -> &'a str {
        scan::value_text(self.text, self.at)
    }

    /// The object below a key.
    pub fn below(&self, key: &str) -> Option<Peek<'a>> {
        let at = self.place(key)?;
        (self.text.as_bytes().get(at)? == &b'{').then(|| Peek::at(self.text, at, &[]))
    }

    /// The keys of the object below a key, as sent.
    pub fn names_below(&self, key: &str) -> Vec<String> {
        let object = self.text_of(key).filter(|object| object.starts_with('{'));
        let members = object.and_then(|object| scan::Members::of(object, 0));
        members.into_iter().flatten().map(|(key, _)| key.into_owned()).collect()
    }

    /// The first element of the list below a key, where it is an object.
    pub fn first(&self, key: &str) -> Option<Peek<'a>> {
        self.first_until(key, &[])
    }

    /// Like [`Self::first`]; the walk over its keys ends at the first of those in `stop`.
    pub fn first_until(&self, key: &str, stop: &[&str]) -> Option<Peek<'a>> {
        let at = self.place(key)?;
        if let Some((_, first, keys)) = self.firsts.iter().find(|(list, ..)| *list == at) {
            return Some(Peek { text: self.text, at: *first, keys: keys.clone(), firsts: Vec::new() });
        }
        let (_, first) = scan::Members::of(self.text, at).filter(|_| self.kind(key) == Some('['))?.next()?;
        (self.text.as_bytes().get(first)? == &b'{').then(|| Peek::at(self.text, first, stop))
    }
}

fn in_camel_case((key, at): (Cow<'_, str>, usize)) -> Member<'_> {
    let key = match key {
        Cow::Borrowed(key) => camel(key),
        Cow::Owned(key) => Cow::Owned(camel(&key).into_owned()),
    };
    (key, at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_words_and_what_lies_below() {
        let peek = Peek::of(
            r#" {"response_id": "r", "candidates": [{"finishReason": "STOP"}], "n": 3, "none": null}"#,
            &[],
        );
        assert_eq!(peek.keys().collect::<Vec<_>>(), ["responseId", "candidates", "n", "none"]);
        assert_eq!(
            (peek.word("responseId"), peek.word("n"), peek.word("none")),
            (Some("r".to_owned()), Some("3".to_owned()), None)
        );
        assert_eq!(peek.first("candidates").unwrap().word("finishReason").unwrap(), "STOP");
        assert!(peek.has("candidates") && !peek.has("none") && peek.below("candidates").is_none());
        let twice = Peek::of(r#"{"max_tokens": 3, "maxTokens": null, "a_b": [], "aB": {}}"#, &[]);
        assert_eq!((twice.word("maxTokens"), twice.kind("aB")), (Some("3".to_owned()), Some('{')));
        assert_eq!(Peek::of(r#"{"a": 1, "b": 2, "c": 3}"#, &["b"]).keys().count(), 2);
    }
}
