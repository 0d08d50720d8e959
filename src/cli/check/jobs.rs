//! What there is to check: the records of files, directories and standard input, as they are read.

use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::Arc;

use crate::cli::Failure;
use crate::session::{Batches, Collection, SourceTexts};
use crate::store::{self, InputError};

/// A piece of work.
pub(super) enum Job {
    /// A record.
    Record {
        /// Name of its input.
        file: Arc<str>,
        /// Where it is.
        collection: Arc<Collection>,
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
            Self::Record { file, .. } | Self::Unreadable { file, .. } | Self::Skipped { file } => Arc::clone(file),
        }
    }

    /// Bytes that it takes.
    pub fn size(&self) -> usize {
        let Self::Record { collection, index, .. } = self else { return 1 };
        let Some(record) = collection.records.get(*index) else { return 1 };
        let input = collection.inputs.get(record.input);
        let frame = |&frame: &usize| input.and_then(|input| input.frames.get(frame)).map_or(0, |frame| frame.range.len());
        record.frames.iter().map(frame).sum()
    }
}

/// Texts that the user has for all records.
#[derive(Clone)]
pub(super) struct Texts {
    /// For responses without an answer.
    pub answer: Option<String>,
    /// For sources without text.
    pub sources: Option<Arc<SourceTexts>>,
}

/// Where to read.
enum Place {
    Stdin,
    /// Named by the user: it must hold a response.
    Named(PathBuf),
    /// Found in a directory.
    Found(PathBuf),
}

/// The work that some files, directories or standard input hold.
pub(super) fn jobs(files: &[PathBuf], texts: Texts) -> Result<impl Iterator<Item = Job> + Send + use<>, Failure> {
    let mut places = Vec::new();
    if files.is_empty() {
        places.push(Place::Stdin);
    }
    for file in files {
        if file.as_os_str() == "-" {
            places.push(Place::Stdin);
        } else if file.is_dir() {
            let found = store::files_below(file).map_err(|error| Failure::Because(error.to_string()))?;
            if found.is_empty() {
                return Err(Failure::Because(format!(
                    "{}: no *.json, *.jsonl, *.ndjson or *.sse file below this directory",
                    file.display()
                )));
            }
            places.extend(found.into_iter().map(Place::Found));
        } else {
            places.push(Place::Named(file.clone()));
        }
    }
    Ok(places.into_iter().flat_map(move |place| open(place, texts.clone())))
}

type Jobs = Box<dyn Iterator<Item = Job> + Send>;

fn open(place: Place, texts: Texts) -> Jobs {
    let (path, found) = match &place {
        Place::Stdin => return records("stdin", Box::new(io::stdin()), false, texts),
        Place::Named(path) => (path, false),
        Place::Found(path) => (path, true),
    };
    let name = path.display().to_string();
    match File::open(path).and_then(|file| if file.metadata()?.is_dir() { Err(io::ErrorKind::IsADirectory.into()) } else { Ok(file) }) {
        Ok(file) => records(&name, Box::new(file), found, texts),
        Err(error) => {
            Box::new(std::iter::once(Job::Unreadable { file: Arc::from(name.as_str()), error: InputError::refused(path, &error) }))
        }
    }
}

fn records(name: &str, reader: Box<dyn Read + Send>, found: bool, texts: Texts) -> Jobs {
    let file: Arc<str> = Arc::from(name);
    let mut first = true;
    let mut skipped = false;
    Box::new(Batches::new(name, reader).flat_map(move |batch| -> Jobs {
        let tentative = found && std::mem::replace(&mut first, false);
        let one = |job: Job| -> Jobs { Box::new(std::iter::once(job)) };
        let foreign = match &batch {
            _ if skipped => return Box::new(std::iter::empty()),
            Ok(collection) => !collection.records.iter().any(|record| record.format.is_some()),
            Err(error) => !matches!(error, InputError::Io { .. }),
        };
        if tentative && foreign {
            skipped = true;
            return one(Job::Skipped { file: Arc::clone(&file) });
        }
        let mut collection = match batch {
            Ok(collection) => collection,
            Err(error) => return one(Job::Unreadable { file: Arc::clone(&file), error }),
        };
        collection.answer.clone_from(&texts.answer);
        collection.source_texts.clone_from(&texts.sources);
        let count = collection.records.len();
        let (file, collection) = (Arc::clone(&file), Arc::new(collection));
        Box::new((0..count).map(move |index| Job::Record { file: Arc::clone(&file), collection: Arc::clone(&collection), index }))
    }))
}
