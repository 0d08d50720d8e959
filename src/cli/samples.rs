//! The samples of the repository, built in: what opens without a file.

use std::sync::LazyLock;

use crate::format::FORMATS;
use crate::session::{Session, Supplied};
use crate::store::Input;

/// Name and content of each sample, format by format.
pub static SAMPLES: LazyLock<Vec<(&'static str, &'static str)>> = LazyLock::new(|| {
    let samples = FORMATS.iter().flat_map(|format| format.samples);
    samples.map(|sample| (sample.file, sample.text)).collect()
});

/// All samples as one session.
pub fn session(supplied: Supplied) -> Session {
    let input =
        |(name, text): &(&str, &str)| Input::from_bytes(&format!("samples/{name}"), text.as_bytes().to_vec());
    Session::new(SAMPLES.iter().map(input), supplied)
}
