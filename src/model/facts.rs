//! What a format documents, for those who know no format: carried by each of its responses.

use super::Layer;

/// What the vendor of a format documents and others go by.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Facts {
    /// The layer of supports that exports cite where a response has several, so that nothing is cited twice.
    pub cited_layer: Option<Layer>,
    /// How links are written where no numbering is asked for.
    pub links: LinkForm,
    /// Pieces of an address that make it an opaque redirect, valid for a limited time.
    pub redirects: &'static [&'static str],
    /// The text of the answer stands in the request only.
    pub answer_apart: bool,
    /// Citations may count sources from 1, as a map says.
    pub counts_as_mapped: bool,
    /// Words of the provider with what they mean, as a sentence goes on behind "no answer: ".
    pub reasons: &'static [(&'static str, &'static str)],
}

/// How a vendor's own products write a citation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum LinkForm {
    /// `[1](address)`.
    Numbered,
    /// `[Source name - date](address)`.
    Named,
}

/// What a format documents of its scores, for people; nothing where it documents nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct ScoreNotes {
    /// Why a citation may come without a confidence.
    pub absent: Option<&'static str>,
    /// Why a confidence is to be ignored; then no rule reads it.
    pub ignored: Option<&'static str>,
    /// The layer of supports that have a grounding score of their own.
    pub graded: Option<Layer>,
}

impl ScoreNotes {
    /// Of a format that documents nothing.
    pub const NONE: Self = Self { absent: None, ignored: None, graded: None };
}

impl Facts {
    /// Of a format that documents none of it.
    pub const NONE: Self = Self {
        cited_layer: None,
        links: LinkForm::Numbered,
        redirects: &[],
        answer_apart: false,
        counts_as_mapped: false,
        reasons: &[],
    };

    /// What a reason in the provider's words means; the word itself where that is not known.
    pub fn reason<'a>(&self, word: &'a str) -> &'a str {
        self.reasons.iter().find(|(known, _)| *known == word).map_or(word, |(_, meaning)| meaning)
    }

    /// Whether an address is an opaque redirect.
    pub fn is_redirect(&self, uri: &str) -> bool {
        self.redirects.iter().any(|piece| uri.contains(piece))
    }
}

impl Default for &'static Facts {
    fn default() -> Self {
        &Facts::NONE
    }
}
