//! A response as Markdown, footnotes, source list or JSON. The clipboard uses the same functions.

pub mod json;
pub mod markdown;
pub mod numbering;
pub mod secrets;

/// A target of `export`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// The answer with a link at each span's end.
    Inline,
    /// The answer with footnotes.
    Footnotes,
    /// The source list alone.
    Sources,
    /// The neutral model.
    Json,
}
