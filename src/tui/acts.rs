//! What the screen asks of the program around it.

use std::path::Path;
use std::sync::Arc;

use crate::session::{Opening, Session};

/// What is open, and what opens it.
pub type Opened = (Opening, Arc<Session>);

/// Acts on files that the screen leaves to the program that shows it. Errors are sentences.
pub trait Acts: Send + Sync {
    /// Repairs the offsets of a file: in it, or in a copy beside it. What was done, in words.
    ///
    /// # Errors
    ///
    /// Where nothing can be repaired, or the file cannot be written.
    fn repair(&self, file: &Path, in_place: bool) -> Result<String, String>;

    /// Opens anew what was opened.
    ///
    /// # Errors
    ///
    /// Where it cannot be read any more.
    fn reopen(&self) -> Result<Opened, String>;
}
