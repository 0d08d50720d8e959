//! The rows of the copy menu.

use crate::export::Target;

/// What can be copied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CopyTarget {
    /// The selected source as a Markdown link.
    Link,
    /// The selected source as a footnote with its definition.
    Footnote,
    /// The words of the selected span.
    Quote,
    /// The words of the selected span with inline links.
    Span,
    /// The answer with inline links.
    Inline,
    /// The answer with footnotes.
    Footnotes,
    /// The list of cited sources.
    Sources,
    /// A link to each cited source.
    Links,
    /// The answer with numbers and sources as text.
    Plain,
    /// A page.
    Html,
    /// A table of supports and citations.
    Csv,
    /// Raw JSON of the selection.
    Json,
}

impl CopyTarget {
    /// In the order of the menu.
    pub const ALL: [Self; 12] = [
        Self::Link,
        Self::Footnote,
        Self::Quote,
        Self::Span,
        Self::Inline,
        Self::Footnotes,
        Self::Sources,
        Self::Links,
        Self::Plain,
        Self::Html,
        Self::Csv,
        Self::Json,
    ];

    /// Key, title, and what it takes of the whole response.
    const fn row(self) -> (char, &'static str, Option<Target>) {
        match self {
            Self::Link => ('y', "citation as a link", None),
            Self::Footnote => ('f', "citation as a footnote", None),
            Self::Quote => ('q', "words of the span", None),
            Self::Span => ('i', "span with its links", None),
            Self::Inline => ('a', "answer with links", Some(Target::Inline)),
            Self::Footnotes => ('n', "answer with footnotes", Some(Target::Footnotes)),
            Self::Sources => ('s', "list of cited sources", Some(Target::Sources)),
            Self::Links => ('l', "links, one a line", Some(Target::Links)),
            Self::Plain => ('p', "answer as plain text", Some(Target::Plain)),
            Self::Html => ('w', "web page (HTML)", Some(Target::Html)),
            Self::Csv => ('c', "table (CSV)", Some(Target::Csv)),
            Self::Json => ('r', "raw JSON of selection", None),
        }
    }

    /// Its key in the menu.
    pub const fn key(self) -> char {
        self.row().0
    }

    /// What it is called.
    pub const fn title(self) -> &'static str {
        self.row().1
    }

    /// What it takes of the whole response; `None` for what it takes of the selection.
    pub const fn whole(self) -> Option<Target> {
        self.row().2
    }
}
