//! Findings: what does not hold together in a response. One finding is one cause, however many supports it
//! touches. Rules are pure; they import the model and the anchors, never a format or the screen. [`causes`]
//! is their registry.

#[macro_use]
mod rule;
mod catalogue;
pub mod causes;
mod context;
mod finding;
mod markers;
#[cfg(test)]
mod testing;

use crate::model::Notice;
use crate::review::Reviewed;

pub(crate) use crate::text::{is_redirect, is_web};
pub use catalogue::{catalogue_markdown, rule_markdown};
pub(crate) use causes::outcome::skipped_because;
pub(crate) use causes::score_low::is_low;
pub use causes::{RULES, rule};
pub use finding::Finding;
pub use rule::{Group, Rule, Severity};

use causes::{CHECKS, Check};
use context::Context;

/// All findings of one response of a record, worst first.
pub fn findings(responses: &[Reviewed], index: usize, notices: &[Notice]) -> Vec<Finding> {
    let Some(reviewed) = responses.get(index) else { return Vec::new() };
    let context = Context::new(responses, index, notices);
    let mut found = Vec::new();
    for check in CHECKS {
        match check {
            Check::Response(check) => check(reviewed, &mut found),
            Check::InContext(check) => check(reviewed, &context, &mut found),
            Check::Content(_) => {}
        }
    }
    settled(found)
}

/// Findings on content, which need every claim compared with its chunks.
pub fn content_findings(reviewed: &Reviewed) -> Vec<Finding> {
    let mut found = Vec::new();
    for check in CHECKS {
        if let Check::Content(check) = check {
            check(reviewed, &mut found);
        }
    }
    settled(found)
}

/// Findings without those that another one's cause explains, worst first.
fn settled(mut found: Vec<Finding>) -> Vec<Finding> {
    let superseded: Vec<&Rule> = found.iter().flat_map(|finding| finding.rule.supersedes).copied().collect();
    if !superseded.is_empty() {
        found.retain(|finding| !superseded.contains(&finding.rule));
    }
    found.sort_by_key(|finding| finding.rule.severity);
    found
}

#[cfg(test)]
mod tests;
