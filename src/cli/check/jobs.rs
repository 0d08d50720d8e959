//! What there is to check: the records of files, directories and standard input, as they are read.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::cli::failure::Failure;
use crate::session::{self, Batches, Named, Session, Supplied};
use crate::store::InputError;

/// A piece of work.
pub(super) enum Job {
    /// A record.
    Record {
        /// Name of its input.
        file: Arc<str>,
        /// Where it is.
        session: Arc<Session>,
        /// Its index there.
        index: usize,
    },
    /// An input that holds nothing to check.
    Unreadable {
        /// Its name.
        file: Arc<str>,
        /// Why.
        error: InputError,
    },
    /// A file of a directory that holds no response.
    Skipped {
        /// Its name.
        file: Arc<str>,
    },
}

impl Job {
    /// Name of the input.
    pub fn file(&self) -> Arc<str> {
        match self {
            Self::Record { file, .. } | Self::Unreadable { file, .. } | Self::Skipped { file } => {
                Arc::clone(file)
            }
        }
    }

    /// Bytes that it takes.
    pub fn size(&self) -> usize {
        match self {
            Self::Record { session, index, .. } => session.size(*index) as usize,
            Self::Unreadable { .. } | Self::Skipped { .. } => 1,
        }
    }
}

/// The work that some files, directories or standard input hold.
pub(super) fn jobs(
    files: &[PathBuf],
    supplied: Supplied,
) -> Result<impl Iterator<Item = Job> + Send + use<>, Failure> {
    let named = session::named(files).map_err(|error| Failure::Because(error.to_string()))?;
    Ok(named.into_iter().flat_map(move |named| open(&named, supplied.clone())))
}

type Jobs = Box<dyn Iterator<Item = Job> + Send>;

fn open(named: &Named, supplied: Supplied) -> Jobs {
    let path = match named {
        Named::Stdin => return records("stdin", Box::new(io::stdin()), false, supplied),
        Named::File(path) | Named::Found { file: path, .. } => path,
    };
    let name = path.display().to_string();
    match file(path) {
        Ok(file) => records(&name, Box::new(file), matches!(named, Named::Found { .. }), supplied),
        Err(error) => Box::new(std::iter::once(Job::Unreadable {
            file: Arc::from(name.as_str()),
            error: InputError::refused(path, &error),
        })),
    }
}

fn file(path: &Path) -> io::Result<File> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() { Err(io::ErrorKind::IsADirectory.into()) } else { Ok(file) }
}

/// The records of an input; one that was found in a directory may hold none.
fn records(name: &str, reader: Box<dyn Read + Send>, found: bool, supplied: Supplied) -> Jobs {
    let file: Arc<str> = Arc::from(name);
    let mut tentative = found;
    let mut skipped = false;
    Box::new(Batches::new(name, reader, supplied).flat_map(move |batch| -> Jobs {
        let one = |job: Job| -> Jobs { Box::new(std::iter::once(job)) };
        if skipped {
            return Box::new(std::iter::empty());
        }
        if std::mem::take(&mut tentative) && !Named::holds_response(&batch, Session::is_read) {
            skipped = true;
            return one(Job::Skipped { file: Arc::clone(&file) });
        }
        match batch {
            Ok(session) => {
                let (file, session) = (Arc::clone(&file), Arc::new(session));
                let records = 0..session.len();
                Box::new(records.map(move |index| Job::Record {
                    file: Arc::clone(&file),
                    session: Arc::clone(&session),
                    index,
                }))
            }
            Err(error) => one(Job::Unreadable { file: Arc::clone(&file), error }),
        }
    }))
}
