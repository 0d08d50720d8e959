//! The selected span: its supports, what they cite and what was compared for them.

use std::collections::HashSet;

use super::State;
use crate::check::Finding;
use crate::evidence::Backing;
use crate::review::SupportRef;
use crate::review::comparison::Compared;

/// Supports of one span that are shown one by one, with their words compared: a provider may send thousands
/// of one range.
const TOGETHER: usize = 16;

impl State {
    /// Supports of the selected span.
    pub fn selected(&self) -> &[usize] {
        self.review().filter(|_| self.sentence.is_none()).map_or(&[], |review| review.supports_of(self.span))
    }

    /// The same as handles.
    pub fn selected_supports(&self) -> impl Iterator<Item = SupportRef<'_>> + Clone {
        let review = self.review().filter(|_| self.sentence.is_none());
        review.into_iter().flat_map(|review| review.of_span(self.span))
    }

    /// Of the supports of the selected span the first ones, which are shown one by one, and how many more
    /// there are.
    pub fn shown_together(&self) -> (&[usize], usize) {
        let all = self.selected();
        let (shown, more) = all.split_at(all.len().min(TOGETHER));
        (shown, more.len())
    }

    /// Whether a finding touches the selected span.
    pub fn is_touched(&self, finding: &Finding) -> bool {
        self.review().filter(|_| self.sentence.is_none()).is_some_and(|review| {
            finding.supports.iter().any(|support| review.span_of(*support) == Some(self.span))
        })
    }

    /// Sources that the selected span cites, each once.
    pub fn cited(&self) -> Vec<usize> {
        let mut seen = HashSet::new();
        let all = self.selected_supports().flat_map(|support| support.cited());
        all.filter(|source| seen.insert(*source)).collect()
    }

    /// What was compared for a support; nothing where the chunks are not indexed yet, which takes a while for
    /// megabytes.
    pub fn compared(&self, support: usize) -> Option<&Compared> {
        let review = self.review().filter(|review| self.compare && review.is_indexed())?;
        review.compared(support)
    }

    /// The same without the places of its words.
    pub fn backing(&self, support: usize) -> Option<&Backing> {
        let review = self.review().filter(|review| self.compare && review.is_indexed())?;
        review.backing(support)
    }
}
