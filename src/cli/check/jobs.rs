//! What there is to check: the records of files, directories and standard input, as they are read.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;

use crate::cli::failure::Failure;
use crate::session::{self, Batches, Named, Session, Supplied};
use crate::store::{self, InputError};

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
    let name = named.name();
    match store::reader_of(named.path()) {
        Ok(reader) => records(&name, reader, matches!(named, Named::Found { .. }), supplied),
        Err(error) => Box::new(std::iter::once(Job::Unreadable { file: Arc::from(name.as_str()), error })),
    }
}

/// Pieces of a file of a directory in which the first response is waited for.
const FOREIGN: usize = 64;

/// The records of an input; one that was found in a directory may hold none.
fn records(name: &str, reader: Box<dyn Read + Send>, found: bool, supplied: Supplied) -> Jobs {
    let file: Arc<str> = Arc::from(name);
    let mut pieces = Batches::new(name, reader, supplied);
    let mut first = Vec::new();
    if found {
        let held = |piece: &Result<Session, InputError>| Named::holds_response(piece, Session::is_told);
        first.extend(pieces.next());
        while first.len() < FOREIGN && !first.last().is_some_and(held) {
            let Some(piece) = pieces.next() else { break };
            first.push(piece);
        }
        if !first.last().is_some_and(held) {
            return Box::new(std::iter::once(Job::Skipped { file }));
        }
    }
    Box::new(first.into_iter().chain(pieces).flat_map(move |piece| -> Jobs {
        let file = Arc::clone(&file);
        match piece {
            Err(error) => Box::new(std::iter::once(Job::Unreadable { file, error })),
            Ok(session) => {
                let (records, session) = (0..session.len(), Arc::new(session));
                let job = move |index| Job::Record {
                    file: Arc::clone(&file),
                    session: Arc::clone(&session),
                    index,
                };
                Box::new(records.map(job))
            }
        }
    }))
}

/// So many of the records, chosen by a number, in their order; what is no record stays. All are looked at and
/// only those chosen are kept, so that it takes no more memory than they do.
pub(super) fn sample(
    jobs: impl Iterator<Item = Job>,
    count: usize,
    seed: u64,
    mut looked_at: impl FnMut(&Job),
) -> Vec<Job> {
    // Each record has a number as good as drawn; those with the smallest are taken.
    let mut chosen: BTreeMap<(u64, usize), Job> = BTreeMap::new();
    let mut others: Vec<(usize, Job)> = Vec::new();
    for (number, job) in jobs.enumerate() {
        looked_at(&job);
        let Job::Record { file, session, index } = job else {
            others.push((number, job));
            continue;
        };
        let key = (drawn(seed ^ drawn(number as u64)), number);
        if chosen.len() < count || chosen.last_key_value().is_some_and(|(last, _)| key < *last) {
            let alone = session.alone(index).map(|session| (Arc::new(session), 0));
            let (session, index) = alone.unwrap_or((session, index));
            chosen.insert(key, Job::Record { file, session, index });
            if chosen.len() > count {
                chosen.pop_last();
            }
        }
    }
    others.extend(chosen.into_iter().map(|((_, number), job)| (number, job)));
    others.sort_by_key(|(number, _)| *number);
    others.into_iter().map(|(_, job)| job).collect()
}

/// A number from a number, as if drawn (splitmix64, public domain).
fn drawn(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
