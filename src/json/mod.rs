//! All that knows the syntax of JSON and no provider: a scan that skips values, a look at the keys of an
//! object, paths to bytes, and the tolerant layer through which formats read.

mod kept;
mod keys;
mod laid_out;
pub mod locate;
mod pass;
pub mod peek;
mod reader;
pub mod scalars;
pub mod scan;
pub mod values;
mod why;
pub mod wire;
pub mod write;

pub use keys::camel;
pub use laid_out::laid_out;
pub use locate::{Located, Locator};
pub use pass::{Cx, Noted, Survey};
pub use peek::Peek;
pub use reader::{Kind, Reader};
pub use values::plain;
pub use why::why;

/// Whether a text is an object of JSON, or a list of objects or strings, whole or cut off. A bracket in it is
/// a list; `[1]` alone is none of these, nor is a sentence that begins with a bracket.
pub fn is_document(text: &str) -> bool {
    let body = text.trim_start();
    let inner = body.strip_prefix('[').map_or(body, str::trim_start);
    let key = inner.strip_prefix('{').map(str::trim_start).filter(|rest| rest.starts_with(['"', '}']));
    let listed = inner.len() < body.len() && inner.starts_with('"');
    key.is_some_and(|rest| rest.contains("\":") || is_json(body)) || listed && is_json(body)
}

/// Whether a text is one value of JSON and nothing else.
pub fn is_json(text: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}
