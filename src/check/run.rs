//! The rules run over a response.

use std::collections::BTreeSet;

use super::causes::{CHECKS, Check};
use super::context::{Context, Siblings};
use crate::model::Finding;
use crate::review::Review;

/// Findings of one response without those on wording, worst first, worked out anew. A review keeps them:
/// [`Review::structural_findings`].
pub fn structural(review: &Review) -> Vec<Finding> {
    let context = Context::new(review);
    let mut found = Vec::new();
    for check in CHECKS {
        match check {
            Check::Response(check) => check(review, &mut found),
            Check::InContext(check) => check(review, &context, &mut found),
            Check::Record(_) | Check::Content(_) => {}
        }
    }
    found.extend(review.findings.siblings.iter().cloned());
    // What a support lacks in which the input ends follows from that.
    found.retain(|finding| review.response.unfinished.is_none_or(|last| finding.supports != [last]));
    settled(found)
}

/// Findings on wording, which need every claim compared with its passages.
pub(super) fn on_wording(review: &Review) -> Vec<Finding> {
    let mut found = Vec::new();
    for check in CHECKS {
        if let Check::Content(check) = check {
            check(review, &mut found);
        }
    }
    settled(found)
}

/// Gives each response of a record the findings that see the others.
pub(crate) fn compare_siblings(reviews: &mut [Review]) {
    let siblings = Siblings::new(reviews);
    let found: Vec<Vec<Finding>> = (0..reviews.len()).map(|index| among_siblings(&siblings, index)).collect();
    for (review, found) in reviews.iter_mut().zip(found) {
        review.findings.siblings = found;
    }
}

fn among_siblings(siblings: &Siblings, index: usize) -> Vec<Finding> {
    let mut found = Vec::new();
    for check in CHECKS {
        if let Check::Record(check) = check {
            check(siblings, index, &mut found);
        }
    }
    found
}

/// Findings without those that another one's cause explains, worst first.
pub(super) fn settled(mut found: Vec<Finding>) -> Vec<Finding> {
    let superseded = found.iter().flat_map(|finding| finding.rule.supersedes).map(|rule| rule.id);
    let superseded: BTreeSet<&str> = superseded.collect();
    if !superseded.is_empty() {
        found.retain(|finding| !superseded.contains(finding.rule.id));
    }
    found.sort_by_key(|finding| finding.rule.severity);
    found
}
