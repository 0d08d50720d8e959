//! What the caller of an export may choose, and what an export gives.

use std::sync::Arc;

use super::label::DateStyle;
use super::numbering::{Numbering, Scheme};
use crate::markup::{Insertion, Marked};
use crate::review::Review;

/// What the caller may choose.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ExportOptions {
    /// How sources are numbered; as the provider counts where this is `None`, so that all that is taken of a
    /// response names the same sources.
    pub number: Option<Scheme>,
    /// How dates are written; each target has its own usual way.
    pub dates: Option<DateStyle>,
    /// Results of tools as a whole are cited, too.
    pub tools: bool,
    /// The provider's numbers are listed beside each source.
    pub mapping: bool,
    /// What stands before the numbers of footnotes, so that those of several answers keep apart.
    pub prefix: String,
    /// What becomes of a provider's own marks.
    pub own_marks: OwnMarks,
    /// What of the response.
    pub part: ExportPart,
    /// Whether it is coloured.
    pub colours: Colours,
}

/// What becomes of the marks that a provider set in its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum OwnMarks {
    /// Ours take their place.
    #[default]
    Replaced,
    /// They stay beside ours.
    Kept,
}

/// Whether text is coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Colours {
    /// Where the target has colours.
    #[default]
    Usual,
    /// Never.
    None,
}

/// What of a response is exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum ExportPart {
    /// All of it.
    #[default]
    Whole,
    /// One support, by index.
    Support(usize),
    /// All supports of a span, by the span's number.
    Span(usize),
    /// One source, by index.
    Source(usize),
}

impl ExportOptions {
    /// How sources are numbered.
    pub fn scheme(&self) -> Scheme {
        self.number.unwrap_or(Scheme::Provider)
    }

    /// The numbering.
    pub fn numbering(&self, review: &Review) -> Numbering {
        Numbering::new(review, self.scheme(), self.tools)
    }
}

/// Responses that are decoded one by one.
pub type ReviewStream<'r> = dyn Iterator<Item = Arc<Review>> + 'r;

/// Text with what had to be left out of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Exported {
    /// The text, ending in a newline.
    pub text: String,
    /// What could not be cited, for people.
    pub notes: Vec<String>,
    /// What was put into the answer.
    pub edits: Vec<Insertion>,
}

impl From<String> for Exported {
    fn from(text: String) -> Self {
        Self { text, ..Self::default() }
    }
}

impl Exported {
    /// The answer as it was before the marks were put in.
    pub fn original(&self) -> String {
        Marked { text: self.text.clone(), insertions: self.edits.clone() }.original()
    }
}
