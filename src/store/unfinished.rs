//! Temporary files that are being written beside others: whoever ends the program for a signal takes them
//! away.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::NamedTempFile;

/// Where they are.
static PLACES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn places() -> MutexGuard<'static, Vec<PathBuf>> {
    PLACES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file that is not finished while this lives.
pub struct Unfinished(PathBuf);

impl Unfinished {
    /// Makes a file in a folder. A signal that comes meanwhile waits until it is known where it is.
    ///
    /// # Errors
    ///
    /// Where the folder takes none.
    pub fn beside(folder: &Path) -> io::Result<(NamedTempFile, Self)> {
        let mut places = places();
        let file = tempfile::Builder::new().prefix(".citescope-").tempfile_in(folder)?;
        places.push(file.path().to_owned());
        let own = Self(file.path().to_owned());
        Ok((file, own))
    }

    /// Takes away what is not finished, for good: nothing is begun any more.
    pub fn remove() {
        let places = places();
        for place in places.iter() {
            // It may have been finished this moment.
            let _ = std::fs::remove_file(place);
        }
        // Held until the program ends.
        std::mem::forget(places);
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        places().retain(|place| *place != self.0);
    }
}
