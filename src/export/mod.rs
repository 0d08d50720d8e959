//! A response in the forms that people paste and programs read. The clipboard uses the same functions.

pub mod csv;
pub mod fit;
pub mod html;
mod insert;
pub mod json;
pub mod label;
pub mod markdown;
mod math;
pub mod numbering;
mod outline;
mod places;
pub mod secrets;
#[cfg(feature = "app")]
pub mod template;
pub mod terminal;
mod words;
pub mod write;

pub use insert::{Edit, Marked};

use crate::session::Analysed;
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
pub fn text(analysed: &Analysed, item: usize, target: Target, options: &Options) -> Exported {
    let Some(reviewed) = analysed.responses.get(item) else { return Exported::default() };
    match target {
        Target::Inline => markdown::inline(reviewed, options),
        Target::Footnotes => markdown::footnotes(reviewed, options),
        Target::Sources => markdown::sources(reviewed, options),
        Target::Links => markdown::links(reviewed, options),
        Target::Html => Exported { text: html::page(analysed, item, options), ..Exported::default() },
        Target::Plain => terminal::response(analysed, item, options, terminal::Paint::Plain),
        Target::Ansi => terminal::response(analysed, item, options, terminal::Paint::Sgr),
        Target::Csv => Exported { text: csv::response(analysed, item, options), ..Exported::default() },
    }
}
