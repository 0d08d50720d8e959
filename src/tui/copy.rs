//! What can be copied. The same functions as `export`, so that the clipboard and the command line agree.

use super::state::{Overlay, State};
use crate::export::label::{self, DateStyle};
use crate::export::markdown::{self, Options};
use crate::export::numbering::{Numbering, Scheme};
use crate::export::secrets;

/// A row of the copy menu.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CopyTarget {
    /// The selected source as a Markdown link.
    Link,
    /// The selected source as a footnote with its definition.
    Footnote,
    /// The words of the selected span.
    Quote,
    /// The answer with inline links.
    Inline,
    /// The answer with footnotes.
    Footnotes,
    /// The list of cited sources.
    Sources,
    /// Raw JSON of the selection.
    Json,
}

impl CopyTarget {
    /// In the order of the menu.
    pub const ALL: [Self; 7] = [Self::Link, Self::Footnote, Self::Quote, Self::Inline, Self::Footnotes, Self::Sources, Self::Json];

    /// Its key in the menu.
    pub fn key(self) -> char {
        match self {
            Self::Link => 'y',
            Self::Footnote => 'f',
            Self::Quote => 'q',
            Self::Inline => 'a',
            Self::Footnotes => 'n',
            Self::Sources => 's',
            Self::Json => 'r',
        }
    }

    /// What it is called.
    pub fn title(self) -> &'static str {
        match self {
            Self::Link => "citation as a Markdown link",
            Self::Footnote => "citation as a footnote",
            Self::Quote => "the words of the span",
            Self::Inline => "the whole answer with inline links",
            Self::Footnotes => "the whole answer with footnotes",
            Self::Sources => "the list of cited sources",
            Self::Json => "raw JSON of the selection",
        }
    }

    /// The text; `Err` says why there is none.
    pub fn text(self, state: &State) -> Result<String, String> {
        let reviewed = state.reviewed().ok_or("there is no response to copy from")?;
        let source = || {
            let index = state.source().ok_or("the span cites no source")?;
            reviewed.response.sources.get(index).map(|source| (index, source)).ok_or("no such source")
        };
        let full = |text: String, why: &str| if text.trim().is_empty() { Err(why.to_owned()) } else { Ok(text) };
        match self {
            Self::Link => source().map(|(_, source)| label::link(source, DateStyle::Brand)).map_err(str::to_owned),
            Self::Footnote => {
                let (index, source) = source()?;
                let number = Numbering::new(reviewed, Scheme::Compact, true).number(index).unwrap_or(index + 1);
                Ok(markdown::footnote(number, source, DateStyle::Iso))
            }
            Self::Quote => {
                let range = reviewed.spans.get(state.span).and_then(|span| span.range.clone());
                let sent = || {
                    let support = reviewed.response.supports.get(*state.selected().first()?)?;
                    support.segment.as_ref()?.quote.as_deref()
                };
                let words = range.and_then(|range| reviewed.response.text().get(range)).or_else(sent);
                full(crate::text::sanitize(words.unwrap_or_default()).into_owned(), "the span has no place in the answer")
            }
            Self::Inline => full(markdown::inline(reviewed, &Options::default()).text, "the response carries no answer text"),
            Self::Footnotes => full(markdown::footnotes(reviewed, &Options::default()).text, "the response carries no answer text"),
            Self::Sources => full(markdown::sources(reviewed, &Options::default()).text, "no document is cited"),
            Self::Json => {
                let record = state.record.as_ref().map_err(ToString::to_string)?;
                let origin = super::update::selected_origin(state).ok_or("nothing is selected")?;
                let (_, raw) = record.raw(&origin).ok_or("this has no place of its own in the input")?;
                let masked = if state.show_secrets { raw.into() } else { secrets::mask_text(raw, secrets::below_secret(&origin.path)) };
                Ok(masked.into_owned())
            }
        }
    }

    /// What the footer says was copied.
    pub fn copied(self, state: &State) -> String {
        match self {
            Self::Link | Self::Footnote => {
                let name = state.source().and_then(|index| Some((index, state.reviewed()?.response.sources.get(index)?)));
                name.map_or_else(String::new, |(index, source)| format!("citation [{}] {}", index + 1, source.name()))
            }
            Self::Json if matches!(state.overlays.first(), Some((Overlay::Raw(_), _))) => "raw JSON".to_owned(),
            Self::Quote => "the words of the span".to_owned(),
            Self::Inline => "the answer with inline links".to_owned(),
            Self::Footnotes => "the answer with footnotes".to_owned(),
            Self::Sources => "the source list".to_owned(),
            Self::Json => "raw JSON of the selection".to_owned(),
        }
    }
}
