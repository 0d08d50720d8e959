//! What the caller of an export may choose, and what an export gives.

use std::sync::Arc;

use super::label::DateStyle;
use super::numbering::{Numbering, Scheme};
use crate::markup::{Insertion, Marked};
use crate::review::Review;

/// What the caller may choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// How sources are numbered; each target has its own usual way.
    pub number: Option<Scheme>,
    /// How dates are written; each target has its own usual way.
    pub dates: Option<DateStyle>,
    /// Results of tools as a whole are cited, too.
    pub tools: bool,
    /// The provider's numbers are listed beside each source.
    pub mapping: bool,
    /// What of the response.
    pub part: Part,
    /// Whether it is coloured.
    pub colours: Colours,
    /// Credentials are shown, which are masked otherwise.
    pub show_secrets: bool,
}

/// Whether text is coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Colours {
    /// Where the target has colours.
    #[default]
    Usual,
    /// Never.
    None,
}

/// What of a response is exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Part {
    /// All of it.
    #[default]
    Whole,
    /// One support, by index.
    Support(usize),
    /// One source, by index.
    Source(usize),
}

impl Options {
    /// The numbering, where a target usually takes `usual`.
    pub fn numbering(&self, review: &Review, usual: Scheme) -> Numbering {
        Numbering::new(review, self.number.unwrap_or(usual), self.tools)
    }
}

/// Responses that are decoded one by one.
pub type Reviews<'r> = dyn Iterator<Item = Arc<Review>> + 'r;

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
