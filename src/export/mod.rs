//! A response as Markdown, footnotes, source list or JSON. The clipboard uses the same functions.

pub mod json;
pub mod markdown;
pub mod numbering;
pub mod secrets;
pub mod write;
