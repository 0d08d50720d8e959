//! Rules on sources and scores.

use super::{Finding, counted, listed};
use crate::model::{Origin, RemarkKind, Source, SourceKind, Target};
use crate::reviewed::Reviewed;

pub(super) fn check(reviewed: &Reviewed, found: &mut Vec<Finding>) {
    dangling(reviewed, found);
    scores(reviewed, found);
    let sources = &reviewed.response.sources;
    let mut over = |rule: &str, test: &dyn Fn(&Source) -> bool, words: &str| {
        let hit: Vec<usize> = sources.iter().enumerate().filter(|(_, source)| test(source)).map(|(index, _)| index).collect();
        let Some(origin) = hit.first().and_then(|&first| sources.get(first)).map(|source| source.origin.clone()) else { return };
        found.push(Finding::new(rule, &origin, format!("{} {words}", listed(&hit))).sources(hit));
    };
    over("source-empty", &is_empty, "without title, address and text");
    over("source-kind", &|source| matches!(source.kind, SourceKind::Unknown(_)), "of a kind that is not documented");
    over(
        "source-address",
        &|source| source.uri.as_deref().is_some_and(|uri| !uri.is_empty() && !is_web(uri)),
        "not at an http or https address",
    );
    over("source-redirect", &|source| source.uri.as_deref().is_some_and(is_redirect), "behind opaque redirects");
    if !reviewed.response.supports.is_empty() || sources.iter().any(|source| source.kind != SourceKind::Tool) {
        let unused: Vec<usize> = reviewed.uncited().collect();
        if let Some(origin) = unused.first().and_then(|&first| sources.get(first)).map(|source| source.origin.clone()) {
            let message = format!("{} of {} never cited: {}", unused.len(), counted(sources.len(), "source"), listed(&unused));
            found.push(Finding::new("source-unused", &origin, message).sources(unused));
        }
    }
    for remark in &reviewed.response.remarks {
        if remark.kind == RemarkKind::TwoKinds {
            found.push(Finding::new("source-kind", &remark.origin, remark.text.clone()));
        }
    }
}

fn is_empty(source: &Source) -> bool {
    let named =
        source.title.is_some() || source.uri.is_some() || source.document.is_some() || source.place_id.is_some() || source.id.is_some();
    source.kind != SourceKind::Tool && !named && !source.has_text()
}

/// An address that may be opened and linked.
pub(crate) fn is_web(uri: &str) -> bool {
    url::Url::parse(uri.trim()).is_ok_and(|url| matches!(url.scheme(), "http" | "https"))
}

/// Google's redirects: opaque, and valid for a limited time.
pub(crate) fn is_redirect(uri: &str) -> bool {
    uri.contains("/grounding-api-redirect/")
}

fn dangling(reviewed: &Reviewed, found: &mut Vec<Finding>) {
    let mut supports = Vec::new();
    let mut sent = Vec::new();
    let mut place: Option<Origin> = None;
    for (index, support) in reviewed.response.supports.iter().enumerate() {
        for citation in &support.citations {
            let Target::Dangling(text) = &citation.target else { continue };
            place.get_or_insert_with(|| citation.place.below(&support.origin));
            if supports.last() != Some(&index) {
                supports.push(index);
            }
            if !sent.contains(text) && sent.len() < 8 {
                sent.push(text.clone());
            }
        }
    }
    let Some(origin) = place else { return };
    let sources = counted(reviewed.response.sources.len(), "source");
    let plural = if sent.len() == 1 { "index" } else { "indices" };
    let verb = if supports.len() == 1 { "cites" } else { "cite" };
    let message =
        format!("{} {verb} {plural} {} (counted from 0): the response has {sources}", counted(supports.len(), "support"), sent.join(", "));
    found.push(Finding::new("source-index", &origin, message).supports(supports));
}

fn scores(reviewed: &Reviewed, found: &mut Vec<Finding>) {
    let response = &reviewed.response;
    let count =
        |(_, support): &(usize, &crate::model::Support)| support.scores_sent.is_some_and(|scores| scores != support.citations.len());
    let uneven: Vec<usize> = response.supports.iter().enumerate().filter(count).map(|(index, _)| index).collect();
    let origin = |index: &usize| response.supports.get(*index).map(|support| support.origin.clone()).unwrap_or_default();
    if let Some(first) = uneven.first() {
        let message = format!("{} with another number of scores than of citations", counted(uneven.len(), "support"));
        found.push(Finding::new("score-count", &origin(first), message).supports(uneven));
    }
    let wild = |score: Option<f64>| score.is_some_and(|score| !(0.0..=1.0).contains(&score));
    let outside: Vec<usize> = response
        .supports
        .iter()
        .enumerate()
        .filter(|(_, support)| wild(support.score) || support.citations.iter().any(|citation| wild(citation.score)))
        .map(|(index, _)| index)
        .collect();
    if let Some(first) = outside.first() {
        let message = format!("{} with a score outside 0 to 1", counted(outside.len(), "support"));
        found.push(Finding::new("score-range", &origin(first), message).supports(outside));
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
