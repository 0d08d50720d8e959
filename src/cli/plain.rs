//! The plain view: what `citescope FILE` prints where there is no terminal to draw on.

use std::io::Write;

use super::failure::{Failure, Many};
use crate::export::{ExportOptions, PerCitation, affordable, terminal};
use crate::session::Session;

/// Prints every response with its citations; true if a record could not be read.
pub(super) fn run(session: &Session, bounded: bool, out: &mut impl Write) -> Result<bool, Failure> {
    let mut bad = Many::default();
    for review in session.reviews() {
        match review {
            Ok(review) => {
                if bounded && let Err(why) = affordable(&review, PerCitation::Nothing) {
                    bad.tell(&format!("{}: {why}", review.file()));
                    continue;
                }
                let options = ExportOptions { tools: true, ..ExportOptions::default() };
                writeln!(out, "{}", terminal::report(&review, &options).text)?;
            }
            Err(error) => {
                bad.tell(&error.to_string());
            }
        }
    }
    bad.end("record", "could not be read");
    Ok(bad.count() > 0)
}
