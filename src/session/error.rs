//! A record that holds no readable response.

use crate::format::{DecodeError, Limits};
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

    /// A record that has more bytes than its reading may take, if it has.
    pub(super) fn too_long(
        name: &str,
        line: impl FnOnce() -> usize,
        bytes: u64,
        limits: Limits,
    ) -> Option<Self> {
        let longest = limits.longest();
        if bytes <= longest {
            return None;
        }
        let what = format!(
            "this record has {} MB; one of more than {} MB is read with `--no-limits` only",
            bytes >> 20,
            longest >> 20
        );
        Some(Self { name: name.to_owned(), line: line(), column: 1, what, unrecognised: false })
    }

    /// A record for which more memory is needed than it may take.
    pub(super) fn too_large(name: &str, line: usize) -> Self {
        let what = DecodeError::TooLarge { frame: 0 }.to_string();
        Self { name: name.to_owned(), line, column: 1, what, unrecognised: false }
    }

    /// A record whose sources are given more bytes of text than they may take.
    pub(super) fn of_texts(text: &RecordText, most: usize) -> Self {
        let what = format!(
            "the texts that are given for its sources take more than {} MB, since each source of an address \
             gets all of its texts; `--no-limits` gives them all the same",
            most >> 20
        );
        let (line, _) = text.line_column(0, 0);
        Self { name: text.name().to_owned(), line, column: 1, what, unrecognised: false }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_of_more_than_a_gigabyte_is_read_where_that_was_asked_for() {
        let said =
            |bytes, limits| RecordError::too_long("f", || 3, bytes, limits).map(|error| error.to_string());
        assert_eq!(said(1 << 30, Limits::Usual), None);
        assert_eq!(
            said(3_000_000_000, Limits::Usual).as_deref(),
            Some("f:3:1: this record has 2861 MB; one of more than 1024 MB is read with `--no-limits` only")
        );
        assert_eq!(said(3_000_000_000, Limits::None), None);
    }
}
