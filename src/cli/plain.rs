//! The plain view: what `citescope FILE` prints where there is no terminal to draw on.

use std::io::Write;

use super::{Failure, tell};
use crate::export::markdown::Options;
use crate::export::{self, Target};
use crate::session::Collection;

/// Prints every response with its citations; true if a record could not be read.
pub(super) fn run(collection: &Collection, out: &mut impl Write) -> Result<bool, Failure> {
    let mut bad = false;
    for index in 0..collection.records.len() {
        match collection.analyse(index) {
            Ok(analysed) => {
                for item in 0..analysed.responses.len() {
                    let options = Options { tools: true, ..Options::default() };
                    writeln!(out, "{}", export::text(&analysed, item, Target::Plain, &options).text)?;
                }
            }
            Err(error) => {
                bad = true;
                tell(&error.to_string());
            }
        }
    }
    Ok(bad)
}
