//! A JSON value as text.

use std::fmt;

use serde_json::Value;

/// A JSON value as it was sent, of any kind, written without blanks between its parts: its tree would take up
/// to thirty times the room. [`crate::json`] reads and writes it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct JsonText(Box<str>);

impl JsonText {
    /// Of JSON that is written so already.
    pub(crate) fn new(text: impl Into<Box<str>>) -> Self {
        Self(text.into())
    }

    /// How it is written.
    pub fn as_json(&self) -> &str {
        &self.0
    }

    /// Its tree.
    pub fn value(&self) -> Value {
        serde_json::from_str(&self.0).unwrap_or_default()
    }

    /// Whether it is an object.
    pub fn is_object(&self) -> bool {
        self.0.starts_with('{')
    }
}

impl From<&Value> for JsonText {
    fn from(value: &Value) -> Self {
        Self(value.to_string().into())
    }
}

impl From<Value> for JsonText {
    fn from(value: Value) -> Self {
        Self::from(&value)
    }
}

/// A text, as JSON has it.
impl From<String> for JsonText {
    fn from(text: String) -> Self {
        Self::from(Value::from(text))
    }
}

impl fmt::Display for JsonText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
