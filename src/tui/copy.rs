//! What can be copied. The same functions as `export`, so that the clipboard and the command line agree.

use super::state::{Overlay, State};
use crate::export::label::{self, DateStyle};
use crate::export::numbering::{Numbering, Scheme};
use crate::export::{self, MenuRow, Options, Part, Target, markdown, secrets};
use crate::review::Review;

/// Bytes of answer and passages up to which a preview of all of it is made with each move of the cursor.
const PREVIEW: usize = 200_000;
/// Supports up to which it is.
const PREVIEW_SUPPORTS: usize = 1_000;

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
    Whole(&'static Target, MenuRow),
    /// Raw JSON of the selection.
    Json,
}

impl CopyTarget {
    /// In the order of the menu: what is selected, the whole response, the JSON behind it.
    pub fn all() -> Vec<Self> {
        let whole = export::menu().into_iter().map(|(target, row)| Self::Whole(target, row));
        [Self::Link, Self::Footnote, Self::Quote, Self::Span].into_iter().chain(whole).chain([Self::Json]).collect()
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
            Self::Quote => "words of the span",
            Self::Span => "span with its links",
            Self::Whole(_, row) => row.title,
            Self::Json => "raw JSON of selection",
        }
    }

    /// Whether there is something to copy, without making it; `Err` says why not.
    pub fn ready(self, state: &State) -> Result<(), String> {
        let review = state.review().ok_or("there is no response to copy from")?;
        let need = |there: bool, why: &str| if there { Ok(()) } else { Err(why.to_owned()) };
        match self {
            Self::Link | Self::Footnote => need(state.source().is_some(), "the span cites no source"),
            Self::Quote | Self::Span => need(words(state, review).is_some(), "the span has no place in the answer"),
            Self::Whole(target, _) => target.needs.met_by(review).map_err(str::to_owned),
            Self::Json => need(super::update::selected_origin(state).is_some(), "nothing is selected"),
        }
    }

    /// The beginning of the text, or why there is none.
    pub fn preview(self, state: &State) -> Result<String, String> {
        self.ready(state)?;
        let big = |review: &Review| {
            let response = &review.response;
            let passages = response.sources.iter().flat_map(|source| &source.chunks).map(|chunk| chunk.text.len()).sum::<usize>();
            response.text().len() + passages > PREVIEW || response.supports.len() > PREVIEW_SUPPORTS
        };
        if matches!(self, Self::Whole(..)) && state.review().is_some_and(|review| big(review)) {
            return Ok("(long: made when it is copied)".to_owned());
        }
        let text = self.text(state)?;
        Ok(text.get(..text.floor_char_boundary(4_000)).unwrap_or_default().to_owned())
    }

    /// The text; `Err` says why there is none.
    pub fn text(self, state: &State) -> Result<String, String> {
        self.ready(state)?;
        let review = state.review().ok_or("there is no response to copy from")?;
        let source = || {
            let index = state.source().ok_or("the span cites no source")?;
            review.response.sources.get(index).map(|source| (index, source)).ok_or("no such source")
        };
        match self {
            Self::Whole(target, _) => Ok(target.text(review, &Options::default()).text),
            Self::Link => source().map(|(_, source)| label::link(source, DateStyle::Brand)).map_err(str::to_owned),
            Self::Footnote => {
                let (index, source) = source()?;
                let number = Numbering::new(review, Scheme::Compact, true).number(index).unwrap_or(index + 1);
                Ok(markdown::footnote(number, source, DateStyle::Iso))
            }
            Self::Span => {
                let support = *state.selected().first().ok_or("nothing is selected")?;
                let options = Options { part: Part::Support(support), ..Options::default() };
                Ok(markdown::inline(review, &options).text)
            }
            Self::Json => {
                let origin = super::update::selected_origin(state).ok_or("nothing is selected")?;
                let raw = review.sent.raw(&origin).ok_or("this has no place of its own in the input")?;
                let masked = if state.show_secrets { raw.into() } else { secrets::mask_text(raw, secrets::below_secret(&origin.path)) };
                Ok(masked.into_owned())
            }
            Self::Quote => Ok(crate::text::sanitize(words(state, review).unwrap_or_default()).into_owned()),
        }
    }

    /// What the footer says was copied.
    pub fn copied(self, state: &State) -> String {
        match self {
            Self::Link | Self::Footnote => {
                let name = state.source().and_then(|index| Some((index, state.review()?.response.sources.get(index)?)));
                name.map_or_else(String::new, |(index, source)| format!("citation [{}] {}", index + 1, source.name()))
            }
            Self::Json if matches!(state.overlays.first(), Some((Overlay::Raw(_), _))) => "raw JSON".to_owned(),
            Self::Json => "raw JSON of the selection".to_owned(),
            other => other.title().to_owned(),
        }
    }
}

/// The words of the selected span, or what was sent for them.
fn words<'a>(state: &State, review: &'a Review) -> Option<&'a str> {
    let first = review.of_span(state.span).next()?;
    first.words().filter(|words| !words.trim().is_empty())
}
