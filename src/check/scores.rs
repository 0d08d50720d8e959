//! Rules on scores.

use super::{Finding, counted, listed};
use crate::model::{Response, Source, Support};
use crate::review::Reviewed;

/// Confidence below which a claim is worth a look.
pub const SCORE_LOW: f64 = 0.5;

pub(super) fn check(reviewed: &Reviewed, found: &mut Vec<Finding>) {
    count(reviewed, found);
    range(reviewed, found);
    low(reviewed, found);
}

fn over(reviewed: &Reviewed, test: impl Fn(&Support) -> bool) -> Vec<usize> {
    reviewed.response.supports.iter().enumerate().filter(|(_, support)| test(support)).map(|(index, _)| index).collect()
}

fn count(reviewed: &Reviewed, found: &mut Vec<Finding>) {
    let uneven = over(reviewed, |support| support.scores_sent.is_some_and(|scores| scores != support.citations.len()));
    if let Some(&first) = uneven.first() {
        let message = format!("{} with another number of scores than of citations", counted(uneven.len(), "support"));
        found.push(Finding::new("score-count", &reviewed.origin_of(first), message).supports(uneven));
    }
}

fn range(reviewed: &Reviewed, found: &mut Vec<Finding>) {
    let response = &reviewed.response;
    let wild = |score: Option<f64>| score.is_some_and(|score| !(0.0..=1.0).contains(&score));
    let outside = over(reviewed, |support| wild(support.score) || support.citations.iter().any(|citation| wild(citation.score)));
    if let Some(&first) = outside.first() {
        let message = format!("{} with a score outside 0 to 1", counted(outside.len(), "support"));
        found.push(Finding::new("score-range", &reviewed.origin_of(first), message).supports(outside));
    }
    let chunk = |source: &Source| source.chunks.iter().any(|chunk| wild(chunk.score));
    let sources: Vec<usize> = response.sources.iter().enumerate().filter(|(_, source)| chunk(source)).map(|(index, _)| index).collect();
    if let Some(origin) = sources.first().and_then(|&first| response.sources.get(first)).map(|source| source.origin.clone()) {
        let message = format!("{} with a relevance outside 0 to 1", listed(&sources));
        found.push(Finding::new("score-range", &origin, message).sources(sources));
    }
    let rated = response.about.safety.iter().any(|rating| wild(rating.probability_score) || wild(rating.severity_score));
    if rated || wild(response.about.grounding_score) || wild(response.about.retrieval_score) {
        found.push(Finding::new("score-range", &response.origin, "a score of the whole answer lies outside 0 to 1"));
    }
}

/// The best score of each support counts: a weak second source beside a strong one is no cause. Relevance to the
/// query is none of this, nor are scores that are documented as to be ignored.
/// The best score that a support was given, where its model documents scores.
fn best(response: &Response, support: &Support) -> Option<f64> {
    let confidence = support.citations.iter().filter_map(|citation| citation.score).filter(|_| response.scores.ignored.is_none());
    support.score.into_iter().chain(confidence).reduce(f64::max)
}

/// Whether the best score of a support is worth a look.
pub(crate) fn is_low(response: &Response, support: &Support) -> bool {
    support.check_required != Some(false) && best(response, support).is_some_and(low_score)
}

fn low_score(score: f64) -> bool {
    (0.0..SCORE_LOW).contains(&score)
}

fn low(reviewed: &Reviewed, found: &mut Vec<Finding>) {
    let response = &reviewed.response;
    if response.is_question() || response.partial {
        return;
    }
    let best = |support: &Support| best(response, support);
    let weak = over(reviewed, |support| is_low(response, support));
    if let Some(&first) = weak.first() {
        let scores = weak.iter().filter_map(|&index| best(response.supports.get(index)?));
        let least = scores.reduce(f64::min).unwrap_or_default();
        let message = if weak.len() == 1 {
            format!("support {} has a confidence of {least:.2}", first + 1)
        } else {
            format!("{} with a confidence below {SCORE_LOW}, the least {least:.2}", counted(weak.len(), "support"))
        };
        found.push(Finding::new("score-low", &reviewed.origin_of(first), message).supports(weak));
    } else if let Some(score) = response.about.grounding_score.filter(|&score| low_score(score)) {
        found.push(Finding::new("score-low", &response.origin, format!("the whole answer has a grounding score of {score:.2}")));
    }
}
