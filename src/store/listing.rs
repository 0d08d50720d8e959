//! Files of a directory.

use std::ffi::OsStr;
use std::fs::{self, FileType};
use std::io;
use std::path::{Path, PathBuf};

use super::error::InputError;
use super::unpack::is_packed_name;

/// The response files below a directory (`*.json *.jsonl *.ndjson *.sse` in any case, also packed as `.gz` or
/// `.zst`), sorted; hidden ones are skipped. A directory in it that cannot be listed is named like a file,
/// since it cannot be read either.
pub fn files_below(directory: &Path) -> Result<Vec<PathBuf>, InputError> {
    let fail = |error: io::Error| InputError::Io {
        name: directory.display().to_string(),
        what: format!("cannot be listed: {error}"),
    };
    let entries = fs::read_dir(directory).map_err(fail)?.filter_map(Result::ok);
    // What each is the listing says; of very many files none is looked at.
    let entries = entries.map(|entry| (entry.file_name(), entry.file_type().ok()));
    let is_dir = |kind: Option<FileType>| kind.is_some_and(|kind| kind.is_dir());
    let mut entries: Vec<_> = entries
        .filter(|(name, kind)| {
            !name.as_encoded_bytes().starts_with(b".") && (is_dir(*kind) || is_named_like_responses(name))
        })
        .collect();
    entries.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
    let mut files = Vec::with_capacity(entries.len());
    for (name, kind) in entries {
        let path = directory.join(name);
        // Links to directories may lead back up; pipes and devices would wait for ever.
        if is_dir(kind) {
            match files_below(&path) {
                Ok(below) => files.extend(below),
                Err(_) => files.push(path),
            }
            continue;
        }
        // A link that leads nowhere cannot be read, which is told.
        let leads_nowhere = || kind.is_some_and(|kind| kind.is_symlink()) && !path.exists();
        if kind.is_some_and(|kind| kind.is_file()) || path.is_file() || leads_nowhere() {
            files.push(path);
        }
    }
    Ok(files)
}

fn is_named_like_responses(name: &OsStr) -> bool {
    // What people decided of responses is none.
    if name.as_encoded_bytes().ends_with(b".review.jsonl") {
        return false;
    }
    let name = Path::new(name);
    let extension = if name.extension().is_some_and(is_packed_name) {
        name.file_stem().and_then(|stem| Path::new(stem).extension())
    } else {
        name.extension()
    };
    let is_one = |known: &&str| extension.is_some_and(|own| own.eq_ignore_ascii_case(known));
    ["json", "jsonl", "ndjson", "sse"].iter().any(is_one)
}
