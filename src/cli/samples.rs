//! The samples of the repository, built in: what opens without a file.

use crate::session::Collection;
use crate::store::from_bytes;

macro_rules! samples {
    ($($test:ident: $file:literal, $format:literal, $shows:literal;)*) => {
        /// Name and content of each sample.
        pub const SAMPLES: &[(&str, &str)] = &[$(($file, include_str!($file))),*];
    };
}

include!("../../samples/list.rs");

/// All samples as one collection.
pub fn collection() -> Collection {
    Collection::open(SAMPLES.iter().map(|(name, text)| from_bytes(&format!("samples/{name}"), text.as_bytes().to_vec())).collect())
}
