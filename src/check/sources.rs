//! Rules on sources.

use std::collections::HashMap;

use super::{Finding, counted, listed};
use crate::model::{Origin, RemarkKind, Source, SourceKind, Target};
use crate::review::Reviewed;

pub(super) fn check(reviewed: &Reviewed, found: &mut Vec<Finding>) {
    dangling(reviewed, found);
    duplicates(reviewed, found);
    unfetched(reviewed, found);
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
    uri.contains("/grounding-api-redirect/") || uri.contains("//vertexaisearch.cloud.")
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

/// Sources that say nothing which an earlier one of the same id, address or headline does not say.
fn duplicates(reviewed: &Reviewed, found: &mut Vec<Finding>) {
    let sources = &reviewed.response.sources;
    let mut first_of: HashMap<(String, Vec<&str>), usize> = HashMap::new();
    let mut hits = Vec::new();
    for (index, source) in sources.iter().enumerate().filter(|(_, source)| source.kind != SourceKind::Tool) {
        let Some(key) = source.key() else { continue };
        let texts = source.chunks.iter().map(|chunk| chunk.text.as_str()).collect();
        let first = *first_of.entry((key, texts)).or_insert(index);
        if first != index {
            hits.push((index, first));
        }
    }
    let Some((origin, _)) = hits.first().and_then(|(index, first)| Some((sources.get(*index)?.origin.clone(), first))) else { return };
    let pairs: Vec<String> = hits.iter().take(4).map(|(index, first)| format!("[{}] is [{}]", index + 1, first + 1)).collect();
    let more = hits.len().saturating_sub(4);
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    let verb = if hits.len() == 1 { "repeats" } else { "repeat" };
    let message = format!("{} {verb} an earlier one: {}{more}", counted(hits.len(), "source"), pairs.join(", "));
    found.push(Finding::new("source-duplicate", &origin, message).sources(hits.into_iter().map(|(index, _)| index).collect()));
}

fn unfetched(reviewed: &Reviewed, found: &mut Vec<Finding>) {
    let pages = &reviewed.response.about.fetched;
    let failed: Vec<_> = pages.iter().filter(|page| page.failed).collect();
    let Some(first) = failed.first() else { return };
    let name = if first.uri.is_empty() { "a page without an address" } else { first.uri.as_str() };
    let message = format!("{} of {} could not be read: {name} ({})", failed.len(), counted(pages.len(), "page"), first.status);
    found.push(Finding::new("page-unfetched", &reviewed.response.origin, message));
}
