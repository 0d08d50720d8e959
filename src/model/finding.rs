//! Findings: what does not hold together.

use std::ops::Range;

use super::{Origin, Rule};

/// One cause.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The rule.
    pub rule: &'static Rule,
    /// Supports it touches, ascending.
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
    /// A finding of a rule at a place of the input.
    pub fn new(rule: &'static Rule, origin: &Origin, message: impl Into<String>) -> Self {
        Self {
            rule,
            supports: Vec::new(),
            sources: Vec::new(),
            trace: None,
            origin: origin.clone(),
            message: message.into(),
            places: Vec::new(),
            help: None,
        }
    }

    /// What to do: its own words, else those of its rule.
    pub fn help(&self) -> &str {
        self.help.as_deref().unwrap_or(self.rule.help)
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

    /// Names the trace.
    #[must_use]
    pub fn trace(mut self, trace: usize) -> Self {
        self.trace = Some(trace);
        self
    }
}
