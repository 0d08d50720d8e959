//! Credentials in a response are masked wherever it is shown or written, unless asked for by
//! `--show-secrets`: every value below the keys that a format names as secret.

use std::borrow::Cow;

use serde_json::Value;

use crate::format::secret_keys;
use crate::json::{camel, scan};
use crate::model::{Path, Step};

/// What stands for a masked value.
pub const MASK: &str = "•••• (masked, --show-secrets shows it)";

/// Also of a key that is a path, as citescope's own form has them.
fn is_secret(key: &str) -> bool {
    secret_keys().any(|secret| camel(key) == secret)
        || key.strip_prefix('$').is_some_and(|path| below_secret(&Path::new(path)))
}

/// Whether a place lies below a masked key.
pub fn below_secret(path: &Path) -> bool {
    path.steps().iter().any(|step| matches!(step, Step::Key(key) if is_secret(key)))
}

/// The value with its secrets masked.
pub fn mask(value: &Value) -> Value {
    match value {
        Value::Object(object) => object
            .iter()
            .map(|(key, value)| (key.clone(), if is_secret(key) { cover(value) } else { mask(value) }))
            .collect(),
        Value::Array(list) => list.iter().map(mask).collect(),
        other => other.clone(),
    }
}

/// A value as it is written: copied only where it holds secrets.
pub fn masked(value: &Value) -> Cow<'_, Value> {
    if holds_secret(value) { Cow::Owned(mask(value)) } else { Cow::Borrowed(value) }
}

fn holds_secret(value: &Value) -> bool {
    match value {
        Value::Object(object) => object.iter().any(|(key, value)| is_secret(key) || holds_secret(value)),
        Value::Array(list) => list.iter().any(holds_secret),
        _ => false,
    }
}

/// The value with every leaf masked; keys and shape stay.
pub fn cover(value: &Value) -> Value {
    match value {
        Value::Object(object) => object.iter().map(|(key, value)| (key.clone(), cover(value))).collect(),
        Value::Array(list) => list.iter().map(cover).collect(),
        Value::Null => Value::Null,
        _ => Value::from(MASK),
    }
}

/// JSON text with its secrets masked; `all` masks every value.
pub fn mask_text(raw: &str, all: bool) -> Cow<'_, str> {
    let some = raw.contains("uth");
    if !all && !some {
        return Cow::Borrowed(raw);
    }
    let mut out = String::with_capacity(raw.len());
    let start = scan::skip_space(raw.as_bytes(), 0);
    out.push_str(raw.get(..start).unwrap_or_default());
    let end = write_masked(raw, start, all, 0, &mut out);
    out.push_str(raw.get(end..).unwrap_or_default());
    Cow::Owned(out)
}

/// Writes the value at `pos`, masked where need be, and returns its end. Deeper than 64 it is masked whole.
fn write_masked(raw: &str, pos: usize, all: bool, depth: usize, out: &mut String) -> usize {
    let end = scan::skip_value(raw.as_bytes(), pos).unwrap_or(raw.len());
    let members = scan::Members::of(raw, pos).filter(|_| depth < 64);
    let Some(members) = members else {
        if all && raw.get(pos..end) != Some("null") {
            out.push_str(&Value::from(MASK).to_string());
        } else {
            out.push_str(raw.get(pos..end).unwrap_or_default());
        }
        return end;
    };
    let mut written = pos;
    for (key, at) in members {
        out.push_str(raw.get(written..at).unwrap_or_default());
        written = write_masked(raw, at, all || is_secret(&key), depth + 1, out);
    }
    out.push_str(raw.get(written..end).unwrap_or_default());
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_masked_in_values_and_in_text() {
        let raw = r#"{"a": 1, "requested_auth_configs": {"c1": {"secret": "s3", "n": [1, null]}}, "b": "x"}"#;
        let masked = mask_text(raw, false);
        assert_eq!(
            masked,
            format!(
                r#"{{"a": 1, "requested_auth_configs": {{"c1": {{"secret": "{MASK}", "n": ["{MASK}", null]}}}}, "b": "x"}}"#
            )
        );
        let value: Value = serde_json::from_str(raw).unwrap();
        assert_eq!(mask(&value), serde_json::from_str::<Value>(&masked).unwrap());
        assert_eq!(mask_text(r#"{"a": "requested"}"#, false), r#"{"a": "requested"}"#);
    }
}
