//! Files of a directory.

use std::fs;
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
    let mut files = Vec::new();
    let entries = fs::read_dir(directory).map_err(fail)?.filter_map(Result::ok);
    // What each is the listing says; of very many files none is looked at.
    let mut entries: Vec<_> = entries.map(|entry| (entry.file_name(), entry.file_type().ok())).collect();
    entries.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
    for (name, kind) in entries {
        if name.as_encoded_bytes().starts_with(b".") {
            continue;
        }
        let path = directory.join(&name);
        // Links to directories may lead back up; pipes and devices would wait for ever.
        if kind.is_some_and(|kind| kind.is_dir()) {
            match files_below(&path) {
                Ok(below) => files.extend(below),
                Err(_) => files.push(path),
            }
        } else if is_named_like_responses(Path::new(&name)) {
            // A link that leads nowhere cannot be read, which is told.
            let leads_nowhere = || kind.is_some_and(|kind| kind.is_symlink()) && !path.exists();
            if kind.is_some_and(|kind| kind.is_file()) || path.is_file() || leads_nowhere() {
                files.push(path);
            }
        }
    }
    Ok(files)
}

fn is_named_like_responses(path: &Path) -> bool {
    // What people decided of responses is none.
    if path.to_string_lossy().ends_with(".review.jsonl") {
        return false;
    }
    let extension = |path: &Path| path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase);
    let packed = extension(path).is_some_and(|last| is_packed_name(&last));
    let name = if packed { extension(&path.with_extension("")) } else { extension(path) };
    name.is_some_and(|name| ["json", "jsonl", "ndjson", "sse"].contains(&name.as_str()))
}
