//! The rules run over a response.

use std::collections::BTreeSet;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::causes::{CHECKS, Check};
use super::context::{Context, Siblings};
use crate::model::Finding;
use crate::review::Review;

/// Findings of one response without those on wording, worst first, worked out anew. A review keeps them:
/// [`Review::structural_findings`].
pub fn structural(review: &Review) -> Vec<Finding> {
    let mut found = if is_large(review) { side_by_side(review) } else { one_by_one(review) };
    found.extend(review.findings.siblings.get().into_iter().flatten().cloned());
    // What a support lacks in which the input ends follows from that.
    found.retain(|finding| review.response.unfinished.is_none_or(|last| finding.supports != [last]));
    settled(found)
}

fn run(check: &Check, review: &Review, context: &Context, found: &mut Vec<Finding>) {
    match check {
        Check::Response(check) => check(review, found),
        Check::InContext(check) => check(review, context, found),
        Check::Record(_) | Check::Content(_) => {}
    }
}

fn one_by_one(review: &Review) -> Vec<Finding> {
    let context = Context::new(review);
    let mut found = Vec::new();
    for check in CHECKS {
        run(check, review, &context, &mut found);
    }
    found
}

/// Whether the rules take so long that somebody who waits for the screen would see it.
fn is_large(review: &Review) -> bool {
    const ENTRIES: usize = 20_000;
    const BYTES: usize = 4 << 20;
    let response = &review.response;
    response.supports.len() + response.sources.len() > ENTRIES || review.text().len() > BYTES
}

/// The same on a few threads: each takes the next rule, from the last on, since there are those that take
/// longest.
fn side_by_side(review: &Review) -> Vec<Finding> {
    const THREADS: usize = 4;
    let next = AtomicUsize::new(0);
    let work = || {
        let context = Context::new(review);
        let mut of_checks = Vec::new();
        loop {
            let number = CHECKS.len().wrapping_sub(1 + next.fetch_add(1, Ordering::Relaxed));
            let Some(check) = CHECKS.get(number) else { return of_checks };
            let mut found = Vec::new();
            run(check, review, &context, &mut found);
            of_checks.push((number, found));
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from).min(THREADS);
    let mut found = thread::scope(|scope| {
        // Where the system starts none, this one does all of it.
        let start = |_| thread::Builder::new().spawn_scoped(scope, work).ok();
        let others: Vec<_> = (1..threads).filter_map(start).collect();
        let mut found = work();
        for other in others {
            found.extend(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        found
    });
    found.sort_by_key(|(number, _)| *number);
    found.into_iter().flat_map(|(_, found)| found).collect()
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
pub(crate) fn compare_siblings(reviews: &[Arc<Review>]) {
    let siblings = Siblings::new(reviews);
    for (index, review) in reviews.iter().enumerate() {
        review.findings.siblings.get_or_init(|| among_siblings(&siblings, index));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::reviews;

    #[test]
    fn rules_side_by_side_find_what_they_find_one_by_one() {
        let support = |end: usize, chunk: usize| {
            format!(
                r#"{{"segment": {{"endIndex": {end}, "text": "Rio opens."}}, "groundingChunkIndices": [{chunk}]}}"#
            )
        };
        let input = format!(
            r#"{{"candidates": [{{"content": {{"parts": [{{"text": "Rio opens. It closes at ten, as it always did in the years before."}}]}}, "finishReason": "MAX_TOKENS", "groundingMetadata": {{"groundingChunks": [{{"web": {{"uri": "https://a.example/"}}}}, {{"web": {{"uri": "https://a.example/"}}}}], "groundingSupports": [{}, {}]}}}}]}}"#,
            support(10, 7),
            support(12, 0)
        );
        let reviews = reviews(&input);
        let found = one_by_one(&reviews[0]);
        assert!(found.len() >= 4, "{found:?}");
        assert_eq!(side_by_side(&reviews[0]), found);
    }
}
