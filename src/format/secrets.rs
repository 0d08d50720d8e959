//! Credentials in a response. They are masked in the tree, by their keys and before anything becomes text, when
//! a record is read; only who asks for them (`--show-secrets`) ever sees them.

mod names;

use std::borrow::Cow;

use serde_json::Value;

use crate::json::scan;
use crate::model::{Path, Response, SearchResult, Source, SourceKind, Step, Trace};
use names::{is_secret, is_secret_parameter};

/// What stands for a masked value.
pub const MASK: &str = "•••• (masked, --show-secrets shows it)";

/// What stands for it within an address.
pub const MASK_IN_ADDRESS: &str = "masked";

/// Whether a place lies below a key whose values are masked.
pub fn below_secret(path: &Path) -> bool {
    path.steps().iter().any(|step| matches!(step, Step::Key(key) if is_secret(key)))
}

/// Masks what a response holds of credentials. True if it held any.
///
/// The answer and the passages of documents are left as they are: they are text for people, and offsets count
/// in them.
pub fn mask_response(response: &mut Response) -> bool {
    let mut found = false;
    for source in &mut response.sources {
        found |= mask_source(source);
    }
    for trace in &mut response.traces {
        found |= mask_trace(trace);
    }
    let about = &mut response.about;
    found |= in_value(&mut about.actions) | in_text(&mut about.structured);
    for (_, uri) in &mut about.flags_unmatched {
        found |= replace(uri, mask_addresses);
    }
    for page in &mut about.fetched {
        found |= replace(&mut page.uri, mask_addresses);
    }
    for recitation in &mut about.recitations {
        found |= in_text(&mut recitation.uri);
    }
    if let Some(error) = &mut about.error {
        found |= in_text(&mut error.message);
    }
    found
}

fn mask_source(source: &mut Source) -> bool {
    let mut found = in_text(&mut source.uri) | in_text(&mut source.id) | in_text(&mut source.document);
    found |= in_value(&mut source.struct_data);
    let reviews = source.reviews.iter_mut();
    let pages = reviews.flat_map(|review| review.uri.iter_mut().chain(&mut review.flag_uris));
    for uri in pages.chain(&mut source.flag_uris) {
        found |= replace(uri, mask_addresses);
    }
    if source.kind == SourceKind::Tool {
        for chunk in &mut source.chunks {
            found |= replace(&mut chunk.text, mask_text);
        }
    }
    found
}

fn mask_trace(trace: &mut Trace) -> bool {
    let mut found = in_value(&mut trace.arguments);
    for text in [&mut trace.description, &mut trace.thought, &mut trace.error] {
        found |= in_text(text);
    }
    for result in &mut trace.results {
        let SearchResult { uri, document, text, struct_data, .. } = result;
        found |= in_text(uri) | in_text(document) | in_text(text) | in_value(struct_data);
    }
    found
}

fn in_text(text: &mut Option<String>) -> bool {
    text.as_mut().is_some_and(|text| replace(text, mask_text))
}

fn replace(text: &mut String, mask: impl Fn(&str) -> Cow<'_, str>) -> bool {
    let Cow::Owned(masked) = mask(text) else { return false };
    *text = masked;
    true
}

fn in_value(value: &mut Option<Value>) -> bool {
    value.as_mut().is_some_and(mask_value)
}

/// Masks what a value holds of credentials. True if it held any.
pub fn mask_value(value: &mut Value) -> bool {
    match value {
        Value::Object(object) => {
            let members = object.iter_mut();
            members.fold(false, |found, (key, value)| {
                found | if is_secret(key) { cover(value) } else { mask_value(value) }
            })
        }
        Value::Array(list) => list.iter_mut().fold(false, |found, value| found | mask_value(value)),
        Value::String(text) => replace(text, mask_text),
        _ => false,
    }
}

/// Masks every leaf; keys and shape stay. True if there is a leaf.
pub fn cover(value: &mut Value) -> bool {
    match value {
        Value::Object(object) => object.values_mut().fold(false, |found, value| found | cover(value)),
        Value::Array(list) => list.iter_mut().fold(false, |found, value| found | cover(value)),
        Value::Null => false,
        other => {
            *other = Value::from(MASK);
            true
        }
    }
}

/// A text with what it holds of credentials masked: within JSON by their keys, within addresses.
pub fn mask_text(text: &str) -> Cow<'_, str> {
    if text.trim_start().starts_with(['{', '[']) {
        let masked = mask_json(text, false);
        if masked != text {
            return masked;
        }
    }
    mask_addresses(text)
}

/// JSON text with its credentials masked, all else as it stands; `all` masks every value.
pub fn mask_json(raw: &str, all: bool) -> Cow<'_, str> {
    let mut out = Masked { raw, out: String::new(), written: 0 };
    let start = scan::skip_space(raw.as_bytes(), 0);
    out.value(start, all, 0);
    if out.written == 0 {
        return Cow::Borrowed(raw);
    }
    out.keep_to(raw.len());
    Cow::Owned(out.out)
}

/// Nested values that are looked into; what is nested deeper is masked whole.
const DEPTH: usize = 64;

/// JSON as it is copied, with masks in the place of values.
struct Masked<'a> {
    raw: &'a str,
    out: String,
    /// Bytes of `raw` that are copied or masked.
    written: usize,
}

impl Masked<'_> {
    fn keep_to(&mut self, to: usize) {
        self.out.push_str(self.raw.get(self.written..to).unwrap_or_default());
        self.written = to;
    }

    /// Goes through the value at `pos` and gives its end.
    fn value(&mut self, pos: usize, all: bool, depth: usize) -> usize {
        let end = scan::skip_value(self.raw.as_bytes(), pos).unwrap_or(self.raw.len());
        if depth == DEPTH {
            self.put(pos, end, MASK);
        } else if let Some(members) = scan::Members::of(self.raw, pos) {
            for (key, at) in members {
                self.value(at, all || is_secret(&key), depth + 1);
            }
        } else {
            self.leaf(pos, end, all);
        }
        end
    }

    fn leaf(&mut self, pos: usize, end: usize, all: bool) {
        let literal = self.raw.get(pos..end).unwrap_or_default();
        if all {
            if literal != "null" {
                self.put(pos, end, MASK);
            }
        } else if literal.starts_with('"')
            && let Some(text) = scan::string(literal)
            && let Cow::Owned(masked) = mask_text(&text)
        {
            self.put(pos, end, &masked);
        }
    }

    fn put(&mut self, pos: usize, end: usize, text: &str) {
        self.keep_to(pos);
        self.out.push_str(&Value::from(text).to_string());
        self.written = end;
    }
}

/// A text in which no address carries a password, a key or a token.
pub fn mask_addresses(text: &str) -> Cow<'_, str> {
    // Most addresses have nowhere to carry one.
    if memchr::memchr3(b'?', b'#', b'@', text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    let mut out = String::new();
    let mut written = 0;
    let mut from = 0;
    while let Some(at) = text.get(from..).and_then(|rest| memchr::memmem::find(rest.as_bytes(), b"://")) {
        let begin = from + at + 3;
        let rest = text.get(begin..).unwrap_or_default();
        let ends = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '"' | '<' | '>' | '\\');
        let end = begin + rest.find(ends).unwrap_or(rest.len());
        for (start, stop) in secrets_of(text.get(begin..end).unwrap_or_default()) {
            out.push_str(text.get(written..begin + start).unwrap_or_default());
            out.push_str(MASK_IN_ADDRESS);
            written = begin + stop;
        }
        from = end;
    }
    if written == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(text.get(written..).unwrap_or_default());
    Cow::Owned(out)
}

/// Where an address, without its scheme, carries a password and parameters that are secret.
fn secrets_of(address: &str) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    let authority = address.find(['/', '?', '#']).unwrap_or(address.len());
    let user = address.get(..authority).and_then(|authority| authority.rfind('@'));
    let password = user.and_then(|user| Some((address.get(..user)?.find(':')? + 1, user)));
    out.extend(password.filter(|(start, stop)| address.get(*start..*stop) != Some(MASK_IN_ADDRESS)));
    let mut at = address.find(['?', '#']).map_or(address.len(), |at| at + 1);
    while let Some(rest) = address.get(at..).filter(|rest| !rest.is_empty()) {
        let stop = at + rest.find(['&', ';', '#', '?']).unwrap_or(rest.len());
        if let Some((name, value)) = address.get(at..stop).and_then(|parameter| parameter.split_once('='))
            && !matches!(value, "" | MASK_IN_ADDRESS)
            && is_secret_parameter(name)
        {
            out.push((at + name.len() + 1, stop));
        }
        at = stop + 1;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_text_are_masked_alike() {
        let raw = r#"{"a": 1, "requested_auth_configs": {"c1": {"secret": "s3", "n": [1, null]}}, "b": "x"}"#;
        let masked = mask_json(raw, false);
        assert_eq!(
            masked,
            format!(
                r#"{{"a": 1, "requested_auth_configs": {{"c1": {{"secret": "{MASK}", "n": ["{MASK}", null]}}}}, "b": "x"}}"#
            )
        );
        let mut value: Value = serde_json::from_str(raw).unwrap();
        assert!(mask_value(&mut value));
        assert_eq!(value, serde_json::from_str::<Value>(&masked).unwrap());
        assert!(matches!(mask_json(r#"{"a": "requested"}"#, false), Cow::Borrowed(_)));
    }

    #[test]
    fn a_key_is_found_however_it_is_spelled_and_wherever_it_stands() {
        for raw in [
            r#"{"a\u0075thConfig": "S3"}"#,
            r#"{"auth-config": ["S3"]}"#,
            r#"{"x": "{\"AuthConfig\": {\"y\": \"S3\"}}"}"#,
            r#"{"url": "https:\/\/u:S3@e.example\/?key=S3"}"#,
            r#"{"headers": {"Authorization": "Bearer S3"}}"#,
            r#"{"state": {"temp:adk_oauth2_1": {"x": "S3"}, "app:token": "S3"}}"#,
        ] {
            let masked = mask_json(raw, false);
            assert!(!masked.contains("S3") && masked.contains("masked"), "{masked}");
            let mut value: Value = serde_json::from_str(raw).unwrap();
            assert!(mask_value(&mut value));
            assert_eq!(value, serde_json::from_str::<Value>(&masked).unwrap());
            assert!(!mask_value(&mut value.clone()) || value.to_string().contains(MASK), "masked once");
        }
        // A token of a language model, and keys that only sound like it.
        let harmless =
            r#"{"token": "Hello", "tokens": 3, "keyboard": "x", "author": "A", "nextPageToken": "n"}"#;
        assert_eq!(mask_json(harmless, false), harmless);
    }

    #[test]
    fn addresses_lose_passwords_and_keys_and_nothing_else() {
        let masked = |text| mask_addresses(text).into_owned();
        assert_eq!(
            masked(
                "see https://u:p@w@e.example/a?x=1&key=abc&api_key=d#access_token=e&y=2 or ftp://h/?token=f"
            ),
            "see https://u:masked@e.example/a?x=1&key=masked&api_key=masked#access_token=masked&y=2 or \
             ftp://h/?token=masked"
        );
        for text in ["https://e.example/a:b@c?monkey=1&key=", "no://", "a?key=b", "https://user@e.example"] {
            assert_eq!(masked(text), text);
        }
        let once = masked("https://u:p@e.example/?sig=1");
        assert_eq!(masked(&once), once);
    }
}
