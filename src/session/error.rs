//! A record that holds no readable response.

use crate::format::DecodeError;
use crate::store::{InputError, RecordText};

/// A record that holds no readable response, with the place and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name}:{line}:{column}: {what}")]
#[non_exhaustive]
pub struct RecordError {
    /// Name of the input.
    pub name: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong and what to do.
    pub what: String,
    /// The input is valid JSON of no format that is read here.
    pub unrecognised: bool,
}

impl RecordError {
    pub(super) fn of(text: &RecordText, error: &DecodeError) -> Self {
        let (frame, byte) = error.place();
        let (line, column) = text.line_column(frame, byte);
        let unrecognised = matches!(error, DecodeError::Unrecognised(_));
        Self { name: text.name().to_owned(), line, column, what: error.to_string(), unrecognised }
    }

    pub(super) fn unreadable(error: &InputError, line: usize) -> Self {
        let (name, place, what) = error.parts();
        let (line, column) = place.unwrap_or((line, 1));
        Self { name: name.to_owned(), line, column, what, unrecognised: false }
    }

    pub(super) fn missing() -> Self {
        Self {
            name: String::new(),
            line: 1,
            column: 1,
            what: "no such record".to_owned(),
            unrecognised: false,
        }
    }
}
