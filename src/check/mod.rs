//! Findings: what does not hold together in a response. One finding is one cause, however many supports it touches.
//! Rules are pure; they import the model and the anchors, never a format or the screen.

mod addresses;
mod answer;
mod content;
mod coverage;
mod encoding;
mod markers;
mod offsets;
mod record;
mod rules;
mod safety;
mod scores;
mod segments;
mod sources;
mod stream;
mod traces;

use std::ops::Range;

use crate::model::{Notice, Origin};
use crate::review::Reviewed;

pub(crate) use answer::skipped_because;
pub use rules::{Group, RULES, Rule, rule};
pub use scores::SCORE_LOW;
pub(crate) use scores::is_low;
pub(crate) use sources::{is_redirect, is_web};

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// A citation cannot be relied upon as it was sent.
    Error,
    /// Probably not what was meant.
    Warning,
    /// Worth knowing.
    Note,
}

impl Severity {
    /// Of a word of the machine output.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Error, Self::Warning, Self::Note].into_iter().find(|severity| severity.word() == word)
    }

    /// The word of the machine output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// One cause.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The rule.
    pub rule: &'static Rule,
    /// Supports it touches.
    pub supports: Vec<usize>,
    /// Sources it touches.
    pub sources: Vec<usize>,
    /// Trace it touches.
    pub trace: Option<usize>,
    /// Where in the input.
    pub origin: Origin,
    /// What was found.
    pub message: String,
    /// Bytes of the answer that it is about, where no support stands for them.
    pub places: Vec<Range<usize>>,
    /// What to do, where the rule's own help is not enough.
    pub help: Option<String>,
}

impl Finding {
    /// Of a rule at a place.
    pub fn new(id: &str, origin: &Origin, message: impl Into<String>) -> Self {
        Self {
            rule: rule(id).unwrap_or(&rules::UNNAMED),
            supports: Vec::new(),
            sources: Vec::new(),
            trace: None,
            origin: origin.clone(),
            message: message.into(),
            places: Vec::new(),
            help: None,
        }
    }

    /// Names the supports; they are kept in ascending order.
    #[must_use]
    pub fn supports(mut self, mut supports: Vec<usize>) -> Self {
        if !supports.is_sorted() {
            supports.sort_unstable();
        }
        self.supports = supports;
        self
    }

    /// What to do: its own words, else those of its rule.
    pub fn help(&self) -> &str {
        self.help.as_deref().unwrap_or(self.rule.help)
    }

    /// Names the sources.
    #[must_use]
    pub fn sources(mut self, sources: Vec<usize>) -> Self {
        self.sources = sources;
        self
    }

    /// Names places of the answer.
    #[must_use]
    pub fn places(mut self, places: Vec<Range<usize>>) -> Self {
        self.places = places;
        self
    }
}

/// All findings of one response of a record, worst first.
pub fn findings(responses: &[Reviewed], index: usize, notices: &[Notice]) -> Vec<Finding> {
    let Some(reviewed) = responses.get(index) else { return Vec::new() };
    let mut found = Vec::new();
    offsets::check(reviewed, &mut found);
    segments::check(reviewed, &mut found);
    sources::check(reviewed, &mut found);
    scores::check(reviewed, &mut found);
    traces::check(reviewed, &mut found);
    stream::check(reviewed, notices, &mut found);
    answer::check(reviewed, &mut found);
    coverage::check(reviewed, &mut found);
    markers::check(reviewed, &mut found);
    encoding::check(reviewed, notices, &mut found);
    safety::check(reviewed, &mut found);
    record::check(responses, index, &mut found);
    found.sort_by_key(|finding| finding.rule.severity);
    found
}

/// Findings on content, which need every claim compared with its chunks.
pub fn content_findings(reviewed: &Reviewed) -> Vec<Finding> {
    let mut found = Vec::new();
    content::check(reviewed, &mut found);
    found.sort_by_key(|finding| finding.rule.severity);
    found
}

/// `1 support`, `3 supports`.
pub(crate) fn counted(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

/// Numbers as people count: `[1], [3] and [4]`, the first eight of them.
fn listed(indices: &[usize]) -> String {
    let shown: Vec<String> = indices.iter().take(8).map(|index| format!("[{}]", index + 1)).collect();
    let more = indices.len().saturating_sub(8);
    let list = shown.join(", ");
    if more > 0 { format!("{list} and {more} more") } else { list }
}

/// Words of a text on one line, the first sixty characters of them.
fn excerpt(text: &str, range: &Range<usize>) -> String {
    let words = text.get(range.clone()).unwrap_or_default().trim();
    let mut chars = words.chars();
    let short: String = chars.by_ref().take(60).map(|c| if c.is_whitespace() { ' ' } else { c }).collect();
    if chars.next().is_some() { format!("{}…", short.trim_end()) } else { short }
}

#[cfg(test)]
mod tests;
