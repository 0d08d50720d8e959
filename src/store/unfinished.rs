//! The temporary file that is being written beside another: whoever ends the program for a signal takes it away.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::NamedTempFile;

/// Where it is. One file is written at a time.
static PLACE: Mutex<Option<PathBuf>> = Mutex::new(None);

fn place() -> MutexGuard<'static, Option<PathBuf>> {
    PLACE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file that is not finished while this lives.
pub struct Unfinished(());

impl Unfinished {
    /// Makes a file in a folder. A signal that comes meanwhile waits until it is known where it is.
    ///
    /// # Errors
    ///
    /// Where the folder takes none.
    pub fn beside(folder: &Path) -> io::Result<(NamedTempFile, Self)> {
        let mut place = place();
        let file = tempfile::Builder::new().prefix(".citescope-").tempfile_in(folder)?;
        *place = Some(file.path().to_owned());
        Ok((file, Self(())))
    }

    /// Takes away what is not finished, for good: nothing is begun any more.
    pub fn remove() {
        let place = place();
        let _ = place.as_ref().map(std::fs::remove_file);
        // Held until the program ends.
        std::mem::forget(place);
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        *place() = None;
    }
}
