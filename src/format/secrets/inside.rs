//! Credentials in the text of JSON, whole, cut off or in the middle of a message: masked by their keys, all
//! else as it stands.

use std::borrow::Cow;
use std::ops::Range;

use serde_json::Value;

use super::addresses::mask_addresses;
use super::beside::{
    is_common_header, is_field, is_field_of_secret, is_path_of, is_refused, is_typed, is_value,
    may_hold_name, names_secret,
};
use super::names::{MASK, MASK_IN_ADDRESS, is_secret};
use super::near::mask_told;
use super::options::{announces_next, is_user_option, password_of};
use super::private_keys::{end_of_key, is_line_of_key, lines_of_key, may_have_key, opens_key};
use super::ranges::{again, mask_ranges};
use super::schemas::{is_name_itself, is_schema};
use super::values::{is_scheme, members_length};
use crate::json::scan;

/// How a text within JSON is masked.
pub(super) type Leaf = fn(&str) -> Cow<'_, str>;

/// A text with what is JSON in it masked by its shape.
pub(super) fn mask_fragments(text: &str, leaf: Leaf) -> Cow<'_, str> {
    let mut out = Masked::of(text, leaf);
    let mut from = 0;
    while let Some(at) = memchr::memchr2(b'{', b'[', text.as_bytes().get(from..).unwrap_or_default()) {
        let (begin, inner) = (from + at, scan::skip_space(text.as_bytes(), from + at + 1));
        let is_json = matches!(text.as_bytes().get(inner), Some(b'"' | b'{' | b'['));
        from = if is_json { out.value(begin, false, 0).max(begin + 1) } else { begin + 1 };
    }
    if out.written == 0 {
        return Cow::Borrowed(text);
    }
    out.keep_to(text.len());
    Cow::Owned(out.out)
}

/// JSON text with its credentials masked, all else as it stands (`all` masks every value), and whether
/// nothing in it was anything but JSON with names for keys.
pub(super) fn json_masked(raw: &str, all: bool, leaf: Leaf) -> (Cow<'_, str>, bool) {
    let mut out = Masked::of(raw, leaf);
    out.values(all);
    if out.written == 0 {
        return (Cow::Borrowed(raw), out.is_json);
    }
    out.keep_to(raw.len());
    (Cow::Owned(out.out), out.is_json)
}

/// Bytes of JSON text that are secret by the keys, names and words around them, ascending: values, and what
/// is nested out of reason.
pub fn secret_places(raw: &str) -> Vec<Range<usize>> {
    let mut out = Masked { places: Some(Vec::new()), ..Masked::of(raw, |text| Cow::Borrowed(text)) };
    out.values(false);
    out.places.unwrap_or_default()
}

/// Whether a literal that is no string is one of JSON.
fn is_literal(word: &str) -> bool {
    let number = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E');
    matches!(word, "true" | "false" | "null") || !word.is_empty() && word.bytes().all(number)
}

/// Whether a key can hold no more than a name.
fn is_name(key: &str) -> bool {
    key.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'))
}

/// Bytes of a word that announces a credential, at most.
const ANNOUNCING: usize = 40;

/// Bytes behind a quote in a value that belong to it.
const GLUED_MOST: usize = 256;

/// Nested values that are looked into; what is nested deeper is masked whole.
const DEPTH: usize = 64;

/// Members of a list or object that are masked one by one; of more one mask stands for all.
const MANY: usize = 256;

/// JSON as it is copied, with masks in the place of values.
struct Masked<'a> {
    raw: &'a str,
    leaf: Leaf,
    out: String,
    /// Bytes of `raw` that are copied or masked.
    written: usize,
    /// So far it is JSON with names for keys.
    is_json: bool,
    /// What is to be masked, where that is asked for in place of a copy.
    places: Option<Vec<Range<usize>>>,
    /// It may have private keys, and one is open of which each line is a text of its own.
    keys: Option<bool>,
}

impl<'a> Masked<'a> {
    fn of(raw: &'a str, leaf: Leaf) -> Self {
        let keys = may_have_key(raw).then_some(false);
        Self { raw, leaf, out: String::new(), written: 0, is_json: true, places: None, keys }
    }

    /// Goes through JSON Lines, one value after the other; what stands behind is a message.
    fn values(&mut self, all: bool) {
        let mut pos = scan::skip_space(self.raw.as_bytes(), 0);
        loop {
            let end = self.value(pos, all, 0);
            let next = scan::skip_space(self.raw.as_bytes(), end);
            let behind = self.raw.get(next..).unwrap_or_default();
            if behind.is_empty() || next <= pos {
                return;
            }
            if !behind.starts_with(['{', '[']) {
                return self.rest(next, self.raw.len());
            }
            pos = next;
        }
    }

    fn keep_to(&mut self, to: usize) {
        self.out.push_str(self.raw.get(self.written..to).unwrap_or_default());
        self.written = to;
    }

    /// Goes through the value at `pos` and gives its end.
    fn value(&mut self, pos: usize, all: bool, depth: usize) -> usize {
        let whole = scan::skip_value(self.raw.as_bytes(), pos);
        self.is_json &= whole.is_some();
        let end = whole.unwrap_or(self.raw.len());
        let has_many =
            || scan::Members::of(self.raw, pos).is_some_and(|members| members.take(MANY + 1).count() > MANY);
        let is_cut_list = || self.places.is_none() && self.raw.as_bytes().get(pos) == Some(&b'[');
        if depth == DEPTH || all && has_many() {
            self.put(pos, end, MASK);
        } else if all && whole.is_none() && is_cut_list() {
            // What looks like its elements, and not the words behind them.
            let rest = self.raw.get(pos..end).unwrap_or_default();
            let last = pos + members_length(rest, rest.find('\n').unwrap_or(rest.len()));
            self.keep_to(pos);
            self.out.push_str(MASK_IN_ADDRESS);
            self.written = last;
            self.rest(last, end);
        } else if !all && self.is_of_others(pos) {
            self.rest(pos, end);
        } else if let Some(mut members) = scan::Members::of(self.raw, pos) {
            let is_list = self.raw.as_bytes().get(pos) == Some(&b'[');
            // A header in a list has its name before it.
            let pair = is_list && self.is_pair_of_secret(pos);
            let (mut named, mut typed, mut of_headers) = (None, None, None);
            let (mut behind, mut before) = (false, None);
            for (number, (key, at)) in members.by_ref().enumerate() {
                self.is_json &= is_name(&key);
                let mut names_secret = || *named.get_or_insert_with(|| self.names_secret(pos));
                let itself = is_list && self.word_at(at).is_some_and(is_name_itself);
                let refused = is_refused(&key) && self.is_of_secret_field(pos, &key);
                let typed = is_typed(&key) && *typed.get_or_insert_with(|| self.is_of_field(pos));
                let header =
                    refused || typed || pair && number == 1 && !itself || is_value(&key) && names_secret();
                let announced = is_list
                    && (self.announces_next(at, behind)
                        || number % 2 == 0
                            && self.is_secret_name(at)
                            && *of_headers.get_or_insert_with(|| self.is_of_headers(pos)));
                let told = std::mem::replace(&mut behind, announced) && !announced && !itself;
                let user = is_list && before.is_some_and(|option| self.is_user_of(option, at));
                before = Some(at);
                let secret = header || told || user || is_secret(&key);
                // The first word of an expression is not all of it: `{"apiKey": new Key("abc")}`.
                if secret && !all && self.places.is_none() && self.is_expression(at) {
                    self.rest(pos, end);
                    return end;
                }
                if (all || secret) && self.places.is_none() && self.torn_text(at, end) {
                    return end;
                }
                self.value(at, all || secret && !is_schema(self.raw, at), depth + 1);
            }
            if !members.is_closed() {
                self.rest(members.position(), end);
            }
        } else {
            self.leaf(pos, end, all);
        }
        end
    }

    /// Whether brackets hold no list of JSON but what other languages write in them: `['a']`, `["a": "b"]`,
    /// `["a" => "b"]`.
    fn is_of_others(&self, pos: usize) -> bool {
        let bytes = self.raw.as_bytes();
        if bytes.get(pos) != Some(&b'[') {
            return false;
        }
        let first = scan::skip_space(bytes, pos + 1);
        match bytes.get(first) {
            Some(b'\'') => true,
            Some(b'"') => scan::skip_value(bytes, first)
                .is_some_and(|end| matches!(bytes.get(scan::skip_space(bytes, end)), Some(b':' | b'='))),
            _ => false,
        }
    }

    /// Whether a word that is no value of JSON goes on behind a blank, or calls something.
    fn is_expression(&self, pos: usize) -> bool {
        let bytes = self.raw.as_bytes();
        let Some(end) = scan::skip_value(bytes, pos) else { return false };
        let word = self.raw.get(pos..end).unwrap_or_default();
        let next = bytes.get(scan::skip_space(bytes, end));
        !word.starts_with(['"', '{', '['])
            && !is_literal(word)
            && (word.contains(['(', '[']) || next.is_some_and(|next| !matches!(next, b',' | b'}' | b']')))
    }

    /// The string that is a value.
    fn string_at(&self, pos: usize) -> Option<Cow<'_, str>> {
        let end = scan::skip_value(self.raw.as_bytes(), pos)?;
        self.raw.get(pos..end).filter(|literal| literal.starts_with('"')).map(scan::lenient_string)
    }

    /// Whether an element of a list says that the next one is secret: such words are short.
    fn announces_next(&self, pos: usize, behind: bool) -> bool {
        let announces = |word: &str| announces_next(word) || behind && is_scheme(word);
        self.word_at(pos).is_some_and(announces)
    }

    /// The short string that is a value.
    fn word_at(&self, pos: usize) -> Option<&str> {
        let near = self.raw.as_bytes().get(pos + 1..).unwrap_or_default();
        let near = near.get(..near.len().min(ANNOUNCING)).unwrap_or_default();
        let is_text = self.raw.as_bytes().get(pos) == Some(&b'"');
        let end = memchr::memchr(b'"', near).filter(|_| is_text)?;
        str::from_utf8(near.get(..end)?).ok()
    }

    /// Whether an element of a list names a credential.
    fn is_secret_name(&self, pos: usize) -> bool {
        self.word_at(pos).is_some_and(is_secret)
    }

    /// Whether a list has names of headers that many requests have, each before its value.
    fn is_of_headers(&self, pos: usize) -> bool {
        let members = scan::Members::of(self.raw, pos).into_iter().flatten().step_by(2).take(MANY);
        members.into_iter().any(|(_, at)| self.word_at(at).is_some_and(is_common_header))
    }

    /// Whether an object says into which field of a page its text is typed, and that is one of a credential.
    fn is_of_field(&self, pos: usize) -> bool {
        let members = || scan::Members::of(self.raw, pos).into_iter().flatten().take(MANY);
        let told = members().any(|(key, at)| {
            is_field(&key) && self.string_at(at).is_some_and(|name| is_field_of_secret(&key, &name))
        });
        // How it is found, beside what it is found by.
        let found = || members().any(|(key, _)| matches!(&*key, "by" | "using"));
        let by = |(key, at): (Cow<str>, usize)| {
            key == "value" && self.string_at(at).is_some_and(|name| is_field_of_secret("selector", &name))
        };
        told || members().any(by) && found()
    }

    /// Whether the value at a place is a text that breaks off, with other words on the lines behind it: no
    /// text of JSON has lines. It is masked to the end of its line, and what is behind it as a message.
    fn torn_text(&mut self, at: usize, end: usize) -> bool {
        let bytes = self.raw.as_bytes();
        if bytes.get(at) != Some(&b'"') {
            return false;
        }
        let whole = scan::skip_value(bytes, at);
        let text = self.raw.get(at..whole.unwrap_or(end)).unwrap_or_default();
        let Some(line) = memchr::memchr(b'\n', text.as_bytes()) else {
            return whole.is_some_and(|whole| self.glued_text(at, whole, end));
        };
        let goes_on =
            |end: usize| matches!(bytes.get(scan::skip_space(bytes, end)), None | Some(b',' | b'}' | b']'));
        // The lines of a key are single words.
        let behind = text.get(line..).unwrap_or_default();
        let next = behind.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
        if whole.is_some_and(goes_on) || !next.contains(' ') || text.starts_with("\"-----BEGIN") {
            return false;
        }
        self.put(at, at + line, MASK);
        self.rest(at + line, end);
        true
    }

    /// Whether the text at a place goes on behind a quote in it that is not escaped: masked with it.
    fn glued_text(&mut self, at: usize, quote: usize, end: usize) -> bool {
        let bytes = self.raw.as_bytes();
        if !bytes.get(quote).is_some_and(u8::is_ascii_alphanumeric) {
            return false;
        }
        let near = bytes.get(quote..end.min(quote + GLUED_MOST)).unwrap_or_default();
        let stop = quote + memchr::memchr2(b'"', b'\n', near).map_or(near.len(), |at| at + 1);
        let stop = self.raw.ceil_char_boundary(stop);
        self.put(at, stop, MASK);
        self.rest(stop, end);
        true
    }

    /// Whether an element of a list is a user with a password, as the one before it says.
    fn is_user_of(&self, option: usize, user: usize) -> bool {
        let begins = self.raw.get(option..).is_some_and(|rest| rest.starts_with("\"-"));
        begins
            && self.string_at(option).is_some_and(|option| is_user_option(&option))
            && self.string_at(user).is_some_and(|user| password_of(&user).is_some())
    }

    /// Whether a list is the name of a header and its value.
    fn is_pair_of_secret(&self, pos: usize) -> bool {
        let Some(members) = scan::Members::of(self.raw, pos) else { return false };
        let places: Vec<usize> = members.take(3).map(|(_, at)| at).collect();
        matches!(places[..], [name, _] if self.string_at(name).is_some_and(|name| is_secret(&name)))
    }

    /// Whether an object is a header by its name: `{"name": "Authorization", "value": …}`, also where that
    /// stands in an object: `{"attributes": {"type": "password"}, "value": …}`.
    fn names_secret(&self, pos: usize) -> bool {
        let Some(members) = scan::Members::of(self.raw, pos) else { return false };
        let is_object = |at: usize| self.raw.as_bytes().get(at) == Some(&b'{');
        members.into_iter().any(|(key, at)| {
            let named = self.string_at(at).is_some_and(|name| names_secret(&key, &name));
            named
                || key == "path" && self.is_path_of_secret(at)
                || may_hold_name(&key) && is_object(at) && self.holds_name(at)
        })
    }

    /// Whether an object has the name of a credential, and nothing deeper tells.
    fn holds_name(&self, pos: usize) -> bool {
        scan::Members::of(self.raw, pos).into_iter().flatten().take(MANY).any(|(key, at)| {
            let tells = |name: &str| {
                names_secret(&key, name)
                    || is_field_of_secret(&key, name)
                    || key == "value" && is_secret(name)
            };
            self.string_at(at).is_some_and(|name| tells(&name))
        })
    }

    /// Whether an object says what is wrong with a field, which it has the path of: `{"loc": ["body",
    /// "password"], "input": …}`.
    fn is_of_secret_field(&self, pos: usize, refused: &str) -> bool {
        scan::Members::of(self.raw, pos).into_iter().flatten().take(MANY).any(|(key, at)| {
            let is_list = self.raw.as_bytes().get(at) == Some(&b'[');
            is_path_of(&key, refused, is_list) && self.is_path_of_secret(at)
        })
    }

    /// Whether a path leads to a credential: as a text, or as a list in which tags and numbers may stand
    /// behind its name, which may be in an object (`[{"key": "password"}]`).
    fn is_path_of_secret(&self, pos: usize) -> bool {
        let Some(list) =
            scan::Members::of(self.raw, pos).filter(|_| self.raw.as_bytes().get(pos) == Some(&b'['))
        else {
            return self.string_at(pos).is_some_and(|name| names_secret("path", &name));
        };
        list.into_iter().take(MANY).any(|(_, at)| {
            let key = || scan::Members::of(self.raw, at)?.find(|(key, _)| key == "key").map(|(_, at)| at);
            let at = if self.raw.as_bytes().get(at) == Some(&b'{') { key().unwrap_or(at) } else { at };
            self.string_at(at).is_some_and(|name| names_secret("path", &name))
        })
    }

    /// What is no JSON any more is masked as a message.
    fn rest(&mut self, pos: usize, end: usize) {
        self.is_json = false;
        if self.places.is_some() {
            return;
        }
        let pos = pos.max(self.written);
        if let Some(Cow::Owned(masked)) =
            self.raw.get(pos..end).map(|rest| again(mask_addresses(rest), mask_told))
        {
            self.keep_to(pos);
            self.out.push_str(&masked);
            self.written = end;
        }
    }

    fn leaf(&mut self, pos: usize, end: usize, all: bool) {
        let literal = self.raw.get(pos..end).unwrap_or_default();
        self.is_json &= literal.starts_with('"') || is_literal(literal);
        if all {
            if !["null", MASK_IN_ADDRESS].contains(&literal) {
                self.put(pos, end, MASK);
            }
        } else if literal.starts_with('"') {
            let text = scan::lenient_string(literal);
            let is_open = self.keys == Some(true);
            self.see_key(&text);
            if is_open && is_line_of_key(&text) {
                return self.put(pos, end, MASK_IN_ADDRESS);
            }
            let known = if is_open { mask_ranges(&text, lines_of_key(&text)) } else { Cow::Borrowed(&*text) };
            if let Cow::Owned(masked) = again(known, self.leaf) {
                self.put(pos, end, &masked);
            }
        }
    }

    /// Remembers whether a text opens a private key of which more stands in the next ones, or ends it.
    fn see_key(&mut self, text: &str) {
        if self.keys.is_some() && opens_key(text) {
            self.keys = Some(true);
        } else if self.keys.is_some() && end_of_key(text).is_some() {
            self.keys = Some(false);
        }
    }

    fn put(&mut self, pos: usize, end: usize, text: &str) {
        if let Some(places) = &mut self.places {
            places.push(pos..end);
            return;
        }
        self.keep_to(pos);
        self.out.push_str(&Value::from(text).to_string());
        self.written = end;
    }
}

#[cfg(test)]
mod tests {
    use super::super::mask_message;

    /// Its first word was masked as the value, and the credential shown.
    #[test]
    fn an_expression_in_an_object_is_masked_whole() {
        for (text, masked) in [
            ("{\"apiKey\": new Key(\"abc\")}", "{\"apiKey\": masked Key(\"masked\")}"),
            (
                "{\"a\": \"b\", \"apiKey\": new Key(\"abc\"), \"pw\": \"c\"}",
                "{\"a\": \"b\", \"apiKey\": masked Key(\"masked\"), \"pw\": \"masked\"}",
            ),
            ("{\"password\": f(1, \"abc\")}", "{\"password\": masked}"),
            (
                "{\"A\": {\"PASSWORD\": os.getenv(\"PW\", \"abc\")}, \"b\": 1}",
                "{\"A\": {\"PASSWORD\": masked}, \"b\": 1}",
            ),
            (
                "{\"pw\": \"c\", \"apiKey\": x || \"abc\"}",
                "{\"pw\": \"masked\", \"apiKey\": masked || \"masked\"}",
            ),
        ] {
            assert_eq!(mask_message(text), masked);
            assert_eq!(mask_message(masked), masked);
        }
    }

    /// Every word behind it was an element.
    #[test]
    fn a_list_that_is_not_closed_ends_with_its_elements() {
        for (list, prose) in [
            ("{\"cookies\": [...\n", "The user wants the region, so I answer."),
            ("{\"passwords\": [\"a1\",\n  \"b2\",\n", "The user wants the region."),
        ] {
            let text = format!("{list}{prose}");
            let masked = mask_message(&text);
            assert!(masked.ends_with(prose) && !masked.contains("b2") && !masked.contains("a1"), "{masked}");
        }
    }

    #[track_caller]
    fn masked(text: &str) -> String {
        let shown = |text: &str| mask_message(text).replace(super::MASK, "…").replace("masked", "…");
        let masked = mask_message(text);
        assert_eq!(shown(&masked), shown(text));
        shown(text)
    }

    #[test]
    fn a_value_is_masked_by_the_name_beside_it() {
        for (text, known) in [
            (
                r#"{"field": "password", "rejectedValue": "abc"}"#,
                r#"{"field": "password", "rejectedValue": "…"}"#,
            ),
            (
                r#"{"PropertyName": "Password", "AttemptedValue": "abc"}"#,
                r#"{"PropertyName": "Password", "AttemptedValue": "…"}"#,
            ),
            (
                r#"{"value": "abc", "path": ["body", "password"]}"#,
                r#"{"value": "…", "path": ["body", "password"]}"#,
            ),
            (
                r#"{"op": "add", "path": "/user/password", "value": "abc"}"#,
                r#"{"op": "add", "path": "/user/password", "value": "…"}"#,
            ),
            (
                r#"{"element": "Password field", "text": "abc"}"#,
                r#"{"element": "Password field", "text": "…"}"#,
            ),
            (
                r##"{"selector": "#password", "value": "abc"}"##,
                r##"{"selector": "#password", "value": "…"}"##,
            ),
            (
                r#"{"element": "API key input", "text": "abc"}"#,
                r#"{"element": "API key input", "text": "…"}"#,
            ),
            (r##"{"selector": "#pw", "text": "abc"}"##, r##"{"selector": "#pw", "text": "…"}"##),
            (r#"[\"Authorization\",\"Bearer\",\"abc\"]"#, r#"[\"Authorization\",\"Bearer\",\"…\"]"#),
            (r#"{"type": "password", "value": "abc"}"#, r#"{"type": "password", "value": "…"}"#),
            (
                r#"{"instancePath": "/password", "data": "abc"}"#,
                r#"{"instancePath": "/password", "data": "…"}"#,
            ),
            (r#"{"path": ["password"], "received": "abc"}"#, r#"{"path": ["password"], "received": "…"}"#),
            (r#"{"adminPass": "abc"}"#, r#"{"adminPass": "…"}"#),
        ] {
            assert_eq!(masked(text), known);
        }
        for text in [
            r#"{"path": "/user/name", "value": "abc"}"#,
            r#"{"path": "/v1/password", "data": {"a": 1}}"#,
            r#"{"element": "Name", "text": "abc"}"#,
            r#"{"type": "text", "value": "abc"}"#,
            r#"{"label": "Name", "text": "abc"}"#,
            r#"{"loc": ["body", "name"], "input": "abc"}"#,
            r#"{"attributes": {"type": "text"}, "value": "abc"}"#,
            r#"{"required": ["user", "password", "age"]}"#,
        ] {
            assert_eq!(masked(text), text);
        }
    }

    #[test]
    fn a_value_is_masked_by_a_path_or_a_field_of_a_page() {
        for (text, known) in [
            (
                r#"{"loc": ["body", "password", "str"], "input": "abc"}"#,
                r#"{"loc": ["body", "password", "str"], "input": "…"}"#,
            ),
            (
                r#"{"path": [{"key": "password"}], "input": "abc"}"#,
                r#"{"path": [{"key": "password"}], "input": "…"}"#,
            ),
            (r#"{"path": ["password"], "data": "abc"}"#, r#"{"path": ["password"], "data": "…"}"#),
            (
                r#"{"field": "password", "old": "abc", "new": "d"}"#,
                r#"{"field": "password", "old": "…", "new": "…"}"#,
            ),
            (r#"{"label": "Password", "text": "abc"}"#, r#"{"label": "Password", "text": "…"}"#),
            (
                r#"{"aria-label": "Enter", "css": "input[name=pw]", "value": "abc"}"#,
                r#"{"aria-label": "Enter", "css": "input[name=pw]", "value": "…"}"#,
            ),
            (
                r#"{"xpath": "//input[@id='password']", "text": "abc"}"#,
                r#"{"xpath": "//input[@id='password']", "text": "…"}"#,
            ),
            (
                r#"{"command": "type", "target": "id=password", "value": "abc"}"#,
                r#"{"command": "type", "target": "id=password", "value": "…"}"#,
            ),
            (
                r#"{"tag": "input", "attributes": {"type": "password"}, "value": "abc"}"#,
                r#"{"tag": "input", "attributes": {"type": "password"}, "value": "…"}"#,
            ),
            (
                r#"{"name": {"value": "Password"}, "value": {"value": "abc"}}"#,
                r#"{"name": {"value": "Password"}, "value": {"value": "…"}}"#,
            ),
            (
                r#"{"OutputKey": "DBPassword", "OutputValue": "abc"}"#,
                r#"{"OutputKey": "DBPassword", "OutputValue": "…"}"#,
            ),
            (r#"["Host", "h", "apikey", "abc"]"#, r#"["Host", "h", "apikey", "…"]"#),
        ] {
            assert_eq!(masked(text), known);
        }
    }

    /// The words behind were lost with it.
    #[test]
    fn a_text_that_breaks_off_is_masked_to_the_end_of_its_line() {
        for (text, known) in [
            ("I see {\"pw\": \"abc (cut)\nIt says 1932.\n", "I see {\"pw\": \"…\"\nIt says 1932.\n"),
            ("{\"pw\": [\"a\", \"b\nIt says 1932.", "{\"pw\": …\nIt says 1932."),
            ("{\"pw\": \"abc\n\nI take \"1932\".", "{\"pw\": \"…\"\n\nI take \"1932\"."),
            ("{\"pw\": \"x\"abc\"}", "{\"pw\": \"…\"}"),
            // A key has lines without blanks, and a text that is closed may have any.
            ("{\"pw\": \"-----BEGIN PRIVATE KEY-----\nabc\nabc", "{\"pw\": \"…\""),
            ("{\"pw\": \"abc\nabc", "{\"pw\": \"…\""),
            ("{\"pw\": \"a b\nc d\", \"a\": 1}", "{\"pw\": \"…\", \"a\": 1}"),
        ] {
            assert_eq!(masked(text), known);
        }
    }
}
