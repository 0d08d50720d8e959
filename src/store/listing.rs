//! Files of a directory.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::error::InputError;

/// The response files below a directory (`*.json *.jsonl *.ndjson *.sse`), sorted; hidden ones are skipped.
pub fn files_below(directory: &Path) -> Result<Vec<PathBuf>, InputError> {
    let fail = |error: io::Error| InputError::Io {
        name: directory.display().to_string(),
        what: format!("cannot be listed: {error}"),
    };
    let mut files = Vec::new();
    let mut entries: Vec<PathBuf> =
        fs::read_dir(directory).map_err(fail)?.filter_map(Result::ok).map(|entry| entry.path()).collect();
    entries.sort();
    for entry in entries {
        let hidden = entry.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if hidden {
            continue;
        }
        // Links to directories may lead back up; pipes and devices would wait for ever.
        if entry.is_dir() && !entry.is_symlink() {
            files.extend(files_below(&entry)?);
        } else if entry.is_file()
            && entry
                .extension()
                .and_then(|e| e.to_str())
                .is_some_and(|e| ["json", "jsonl", "ndjson", "sse"].contains(&e))
        {
            files.push(entry);
        }
    }
    Ok(files)
}
