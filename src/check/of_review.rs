//! What a review answers when it is asked for its findings.

use std::collections::HashMap;
use std::ops::Range;

use super::causes::coverage::bare_sentences;
use super::causes::other_title::OTHER_TITLE;
use super::run::{on_wording, structural};
use crate::evidence::Backing;
use crate::model::{Finding, Severity};
use crate::review::Review;

impl Review {
    /// All findings, worst first; those on wording, which are never more than warnings, come last. Compares
    /// every claim with its passages on first use.
    pub fn findings(&self) -> &[Finding] {
        self.compare(|| false);
        self.findings_so_far()
    }

    /// The findings without those on wording, worst first. Nothing is compared.
    pub fn structural_findings(&self) -> &[Finding] {
        self.findings.structural.get_or_init(|| structural(self))
    }

    /// All findings where every claim is compared already, else the structural ones: for a screen that does
    /// not wait.
    pub fn findings_so_far(&self) -> &[Finding] {
        let complete = self.findings.complete.get().and_then(Option::as_deref);
        complete.unwrap_or_else(|| self.structural_findings())
    }

    /// Whether every claim was compared.
    pub fn is_compared(&self) -> bool {
        self.findings.complete.get().is_some()
    }

    /// Compares claims with passages until `enough` says so; true when all are compared.
    pub fn compare(&self, mut enough: impl FnMut() -> bool) -> bool {
        if self.findings.complete.get().is_some() {
            return true;
        }
        if !self.compare_supports(&mut enough) {
            return false;
        }
        self.findings.complete.get_or_init(|| {
            let on_wording = Some(on_wording(self)).filter(|found| !found.is_empty())?;
            Some(self.structural_findings().iter().cloned().chain(on_wording).collect())
        });
        true
    }

    /// The worst finding so far that touches each support, parallel to the supports.
    pub fn worst_by_support(&self) -> &[Option<Severity>] {
        if self.findings.complete.get().is_none() {
            return self.structural_worst();
        }
        self.findings.worst_complete.get_or_init(|| self.worst_among(self.findings_so_far()))
    }

    /// The same without findings on wording.
    pub fn structural_worst(&self) -> &[Option<Severity>] {
        self.findings.worst_structural.get_or_init(|| self.worst_among(self.structural_findings()))
    }

    fn worst_among(&self, findings: &[Finding]) -> Vec<Option<Severity>> {
        let mut worst: Vec<Option<Severity>> = vec![None; self.response.supports.len()];
        for finding in findings {
            for &support in &finding.supports {
                if let Some(slot) = worst.get_mut(support) {
                    let known = slot.unwrap_or(finding.rule.severity);
                    *slot = Some(known.min(finding.rule.severity));
                }
            }
        }
        worst
    }

    /// The source that fits a support better than those it cites, as far as it was compared: by its words, or
    /// by its title where no words were sent.
    pub fn better_source(&self, support: usize) -> Option<usize> {
        let better = self.known_backing(support).and_then(Backing::better);
        let by_words = better.and_then(|better| self.comparison().place(better.chunk));
        by_words.map(|(source, _)| source).or_else(|| self.titled()?.get(&support).copied())
    }

    /// The sources that findings on titles name, once all is compared.
    fn titled(&self) -> Option<&HashMap<usize, usize>> {
        self.findings.complete.get()?;
        let of = |finding: &Finding| Some((*finding.supports.first()?, *finding.sources.first()?));
        let titled = || {
            self.findings_so_far()
                .iter()
                .filter(|finding| finding.rule == &OTHER_TITLE)
                .filter_map(of)
                .collect()
        };
        Some(self.findings.titled.get_or_init(titled))
    }

    /// Bytes of the sentences that cite nothing, in order: those of the rules, and those in which a blank was
    /// kept for a reference that did not come.
    pub fn bare_sentences(&self) -> &[Range<usize>] {
        self.findings.bare.get_or_init(|| bare_sentences(self, self.structural_findings()))
    }

    /// The worst finding so far that touches a support.
    pub fn worst(&self, support: usize) -> Option<Severity> {
        self.worst_by_support().get(support).copied().flatten()
    }
}
