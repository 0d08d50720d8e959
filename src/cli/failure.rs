//! Why a command ends early, and what is said on standard error.

use std::io::{self, Write};

/// A line on standard error. What comes from files and responses is made harmless first; nobody may be
/// listening.
pub(super) fn tell(line: &str) {
    let line = line.split('\n').map(crate::text::sanitize).collect::<Vec<_>>().join("\n");
    let _ = writeln!(io::stderr(), "citescope: {line}");
}

/// Why a command ends early.
pub(super) enum Failure {
    /// Whoever reads our output has gone.
    Pipe,
    /// Already told.
    Told,
    /// This.
    Because(String),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe { Self::Pipe } else { Self::Because(error.to_string()) }
    }
}
