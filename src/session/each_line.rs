//! Lines one by one, each a record of its own: what a line says does not depend on its neighbours, so that
//! the lines of an input may be handed to any number of programs.

use std::path::PathBuf;
use std::sync::Arc;

use super::named::named;
use super::open::{Session, Supplied};
use crate::store::{Input, InputError, Line, lines_of};

/// A line of an input.
pub struct OneLine {
    /// Name of the input.
    pub file: Arc<str>,
    /// Number of the line there, from 1.
    pub number: usize,
    line: Line,
}

/// Why a line holds no response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineFault {
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong and what to do.
    pub what: String,
}

/// All lines of files and standard input, in order, blank ones too; an input that cannot be opened gives its
/// error in their place.
pub fn each_line(
    files: &[PathBuf],
) -> Result<impl Iterator<Item = Result<OneLine, InputError>> + Send + use<>, InputError> {
    let lines = |named: super::Named| -> Box<dyn Iterator<Item = Result<OneLine, InputError>> + Send> {
        let file: Arc<str> = Arc::from(named.name());
        match lines_of(named.path()) {
            Err(error) => Box::new(std::iter::once(Err(error))),
            Ok(lines) => Box::new(
                lines
                    .all()
                    .map(move |line| Ok(OneLine { file: Arc::clone(&file), number: line.number, line })),
            ),
        }
    };
    Ok(named(files)?.into_iter().flat_map(lines))
}

impl OneLine {
    /// Bytes of it.
    pub fn size(&self) -> usize {
        self.line.text.as_ref().map_or(1, |text| text.len().max(1))
    }

    /// What stands in it; nothing in a blank one.
    pub fn open(self, supplied: &Supplied) -> Result<Option<Session>, LineFault> {
        let text = self.line.text.map_err(|error| LineFault { column: error.column, what: error.what })?;
        if text.trim().is_empty() {
            return Ok(None);
        }
        let input = Input::from_line(&self.file, text, self.number).map_err(|error| {
            let (_, place, what) = error.parts();
            LineFault { column: place.map_or(1, |(_, column)| column), what }
        })?;
        Ok(Some(Session::new([Ok(input)], supplied.clone())))
    }
}
