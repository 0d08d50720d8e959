//! All that knows the syntax of JSON and no provider: a scan that skips values, a look at the keys of an
//! object, paths to bytes, and the tolerant layer through which formats read.

mod keys;
mod laid_out;
pub mod locate;
mod pass;
pub mod peek;
mod reader;
pub mod scalars;
pub mod scan;
pub mod values;
pub mod wire;
pub mod write;

pub use keys::camel;
pub use laid_out::laid_out;
pub use locate::{Located, Locator};
pub use pass::{Cx, Survey};
pub use peek::Peek;
pub use reader::Reader;
pub use values::plain;

/// Whether a text is one value of JSON and nothing else.
pub fn is_json(text: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}
