//! What a user names on the command line: files, directories, standard input.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::store::{self, Input, InputError, Pieces, Spool};

/// Something to read.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Named {
    /// Standard input.
    Stdin,
    /// A file named by the user: it has to hold a response.
    File(PathBuf),
    /// A file found in a directory: it may be something else.
    Found {
        /// The directory that was named.
        directory: Arc<Path>,
        /// The file.
        file: PathBuf,
    },
}

/// What stands behind names; `-` or none is standard input. A directory is read with all below it.
pub fn named(files: &[PathBuf]) -> Result<Vec<Named>, InputError> {
    let mut out = Vec::new();
    if files.is_empty() {
        out.push(Named::Stdin);
    }
    for file in files {
        if file.as_os_str() == "-" {
            out.push(Named::Stdin);
        } else if file.is_dir() {
            let directory: Arc<Path> = file.as_path().into();
            let found = |file| Named::Found { directory: Arc::clone(&directory), file };
            out.extend(below(file)?.into_iter().map(found));
        } else {
            out.push(Named::File(file.clone()));
        }
    }
    Ok(out)
}

fn below(directory: &Path) -> Result<Vec<PathBuf>, InputError> {
    let found = store::files_below(directory)?;
    if found.is_empty() {
        let what =
            "no *.json, *.jsonl, *.ndjson or *.sse file below this directory, packed (.gz, .zst) or not"
                .to_owned();
        return Err(InputError::Io { name: directory.display().to_string(), what });
    }
    Ok(found)
}

impl Named {
    /// Opens it, a piece after the other; none where it was found in a directory and holds no response, nor
    /// the beginning of anything. With a map anything may hold one.
    pub fn open(
        &self,
        mapped: bool,
        spool: &Spool,
    ) -> impl Iterator<Item = Result<Input, InputError>> + use<> {
        let mut pieces = Pieces::of(self.path(), spool);
        let mut first = Vec::new();
        if matches!(self, Self::Found { .. }) {
            // Until one holds a response.
            let held = |piece: &Result<Input, InputError>| {
                Self::holds_response(piece, |input| mapped || input.is_told())
            };
            for piece in pieces.by_ref() {
                first.push(piece);
                if first.last().is_some_and(held) {
                    break;
                }
            }
            if !first.last().is_some_and(held) {
                first.clear();
            }
        }
        first.into_iter().chain(pieces)
    }

    /// Its name: that of the file, or `stdin`.
    pub fn name(&self) -> String {
        self.path().map_or_else(|| "stdin".to_owned(), |path| path.display().to_string())
    }

    /// The file; none for standard input.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Stdin => None,
            Self::File(file) | Self::Found { file, .. } => Some(file),
        }
    }

    /// The directory that it was found in.
    pub fn directory(&self) -> Option<&Path> {
        match self {
            Self::Found { directory, .. } => Some(directory),
            Self::Stdin | Self::File(_) => None,
        }
    }

    /// Whether what was found in a directory is worth a word: it is read, or it is no JSON, as its name says.
    pub fn holds_response<T>(opened: &Result<T, InputError>, is_read: impl Fn(&T) -> bool) -> bool {
        opened.as_ref().map_or(true, is_read)
    }
}
