//! The rows of the copy menu.

use crate::export::{self, ExportTarget, MenuRow};

/// A row of the copy menu.
#[derive(Debug, Clone, Copy)]
pub enum CopyTarget {
    /// The selected source as a Markdown link.
    Link,
    /// The selected source as a footnote with its definition.
    Footnote,
    /// The words of the selected span.
    Quote,
    /// The words of the selected span with inline links.
    Span,
    /// The whole response as a target of exports gives it.
    Whole(&'static ExportTarget, MenuRow),
    /// Raw JSON of the selection.
    Json,
}

impl CopyTarget {
    /// In the order of the menu: what is selected, the whole response, the JSON behind it.
    pub fn all() -> Vec<Self> {
        let whole = export::pasted().map(|(target, row)| Self::Whole(target, row));
        [Self::Link, Self::Footnote, Self::Quote, Self::Span]
            .into_iter()
            .chain(whole)
            .chain([Self::Json])
            .collect()
    }

    /// Its key in the menu.
    pub fn key(self) -> char {
        match self {
            Self::Link => 'y',
            Self::Footnote => 'f',
            Self::Quote => 'q',
            Self::Span => 'i',
            Self::Whole(_, row) => row.key,
            Self::Json => 'r',
        }
    }

    /// What it is called.
    pub fn title(self) -> &'static str {
        match self {
            Self::Link => "citation as a link",
            Self::Footnote => "citation as a footnote",
            Self::Quote => "words of the claim",
            Self::Span => "claim with its links",
            Self::Whole(_, row) => row.title,
            Self::Json => "raw JSON of selection",
        }
    }
}
