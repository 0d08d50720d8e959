//! What the parts of the page share.

use crate::check::{Finding, Severity};
use crate::export::label::DateStyle;
use crate::export::numbering::{Numbering, layer};
use crate::export::options::ExportOptions;
use crate::model::Layer;
use crate::review::{Review, SupportRef};

/// Spans up to which each gets a rule that lights its pieces and its card together.
pub(super) const LIT: usize = 400;

/// What the parts of the page share.
pub(super) struct Page<'a> {
    pub review: &'a Review,
    numbers: Numbering,
    /// For each span the first of the findings that touch it.
    flags: Vec<Vec<usize>>,
    /// For each span whether it cites something that is there.
    resolving: Vec<bool>,
    /// The supports that exports cite.
    layer: Option<Layer>,
    /// Citations name sources by their ids.
    pub by_id: bool,
    options: &'a ExportOptions,
}

impl<'a> Page<'a> {
    /// Of a response.
    pub fn new(review: &'a Review, options: &'a ExportOptions) -> Self {
        let numbers = Numbering::new(review, options.scheme(), true);
        let resolves = |support: SupportRef| support.resolves();
        let resolving = (0..review.spans.len()).map(|span| review.of_span(span).any(resolves)).collect();
        let layer = layer(&review.response);
        let by_id = review.response.refers_by_id();
        Self { review, numbers, flags: flags(review), options, resolving, layer, by_id }
    }

    /// The first of the findings that touch a span, ascending.
    pub fn flags(&self, span: usize) -> &[usize] {
        self.flags.get(span).map_or(&[], Vec::as_slice)
    }

    /// How dates are written.
    pub fn dates(&self) -> DateStyle {
        self.options.dates.unwrap_or(DateStyle::Brand)
    }

    /// The number of a source.
    pub fn number(&self, source: usize) -> usize {
        self.numbers.number(source).unwrap_or(source + 1)
    }

    /// Whether a span has a mark in the answer: it has a place and cites something in the layer that exports
    /// cite.
    pub fn has_mark(&self, span: usize) -> bool {
        // A segment of nothing at the beginning backs no words.
        let range = self.review.spans.get(span).and_then(|span| span.range.as_ref());
        let placed = range.is_some_and(|range| range.end > 0);
        let cites = |support: SupportRef| Some(support.layer) == self.layer && support.resolves();
        let marked = placed && self.resolves(span);
        self.review.response.answer.is_some() && marked && self.review.of_span(span).any(cites)
    }

    /// Whether a span cites something that is there.
    pub fn resolves(&self, span: usize) -> bool {
        self.resolving.get(span).copied().unwrap_or_default()
    }
}

/// Findings that a card leads to.
const FLAGS: usize = 6;

fn flags(review: &Review) -> Vec<Vec<usize>> {
    let mut flags = vec![Vec::new(); review.spans.len()];
    let graver = |(_, finding): &(usize, &Finding)| finding.rule.severity < Severity::Note;
    for (place, finding) in review.findings().iter().enumerate().filter(graver) {
        let spans = finding.supports.iter().filter_map(|&support| review.span_of(support));
        for span in spans {
            if let Some(flags) =
                flags.get_mut(span).filter(|flags| flags.last() != Some(&place) && flags.len() < FLAGS)
            {
                flags.push(place);
            }
        }
    }
    flags
}
