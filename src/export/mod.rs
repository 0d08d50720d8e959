//! A response in the forms that people paste and programs read. The clipboard uses the same functions.

pub mod csv;
pub mod fit;
pub mod html;
pub mod json;
pub mod label;
pub mod markdown;
pub mod numbering;
pub mod secrets;
#[cfg(feature = "app")]
pub mod template;
pub mod terminal;
pub mod write;

use crate::review::Review;
use markdown::{Exported, Options};

/// Text forms of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// The answer with a link at the end of each span.
    Inline,
    /// The answer with footnotes.
    Footnotes,
    /// The list of cited sources.
    Sources,
    /// A link to each cited source, a line each.
    Links,
    /// One page with everything that a reader wants.
    Html,
    /// The answer with numbers, sources, searches and findings, as text.
    Plain,
    /// The same in colours.
    Ansi,
    /// Supports × citations.
    Csv,
}

/// One response as text.
pub fn text(review: &Review, target: Target, options: &Options) -> Exported {
    match target {
        Target::Inline => markdown::inline(review, options),
        Target::Footnotes => markdown::footnotes(review, options),
        Target::Sources => markdown::sources(review, options),
        Target::Links => markdown::links(review, options),
        Target::Html => Exported { text: html::page(review, options), ..Exported::default() },
        Target::Plain => terminal::response(review, options, terminal::Paint::Plain),
        Target::Ansi => terminal::response(review, options, terminal::Paint::Sgr),
        Target::Csv => Exported { text: csv::response(review, options), ..Exported::default() },
    }
}
