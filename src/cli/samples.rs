//! The samples of the repository, built in: what opens without a file.

use crate::session::{Session, Supplied};
use crate::store::Input;

macro_rules! samples {
    ($($test:ident: $file:literal, $format:literal, $shows:literal;)*) => {
        /// Name and content of each sample.
        pub const SAMPLES: &[(&str, &str)] = &[$(($file, include_str!($file))),*];
    };
}

include!("../../samples/list.rs");

/// All samples as one session.
pub fn session(supplied: Supplied) -> Session {
    let input =
        |(name, text): &(&str, &str)| Input::from_bytes(&format!("samples/{name}"), text.as_bytes().to_vec());
    Session::new(SAMPLES.iter().map(input), supplied)
}
