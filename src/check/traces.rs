//! Rules on traces and queries.

use super::{Finding, counted};
use crate::model::{Citation, Support};
use crate::review::Reviewed;

pub(super) fn check(reviewed: &Reviewed, found: &mut Vec<Finding>) {
    let response = &reviewed.response;
    let mut over = |rule: &str, test: &dyn Fn(&Citation) -> bool, words: &str| {
        let hit = |(_, support): &(usize, &Support)| support.citations.iter().any(test);
        let supports: Vec<usize> = response.supports.iter().enumerate().filter(hit).map(|(index, _)| index).collect();
        let Some(origin) = supports.first().and_then(|&first| response.supports.get(first)).map(|support| support.origin.clone()) else {
            return;
        };
        found.push(Finding::new(rule, &origin, format!("{} {words}", counted(supports.len(), "support"))).supports(supports));
    };
    over("trace-missing", &|citation| citation.audit().is_some() && citation.trace().is_none(), "with an audit id that matches no trace");
    over("trace-inferred", &|citation| citation.joined().is_some(), "joined to a trace by the tool's name or by the document it found");
    late(reviewed, found);
    for (index, trace) in response.traces.iter().enumerate() {
        if trace.failed || trace.error.is_some() {
            let state = trace.state.as_deref().map(|state| format!("state {state}"));
            let what = trace.error.as_deref().or(state.as_deref()).unwrap_or("failed");
            let mut finding = Finding::new("step-failed", &trace.origin, format!("{}: {what}", trace.name()));
            finding.trace = Some(index);
            found.push(finding);
        }
    }
    if response.supports.is_empty()
        && !response.sources.is_empty()
        && let Some(query) = response.queries.first()
    {
        let message = format!(
            "{} ran and {} came back, but no words are attributed to any",
            plural(response.queries.len(), "search", "searches"),
            counted(response.sources.len(), "source")
        );
        found.push(Finding::new("query-idle", &query.origin, message));
    }
}

/// References that came before the step that they name, which is documented to precede them.
fn late(reviewed: &Reviewed, found: &mut Vec<Finding>) {
    let response = &reviewed.response;
    let later = |support: &Support| {
        let trace = |citation: &Citation| citation.audit().and(citation.trace()).and_then(|trace| response.traces.get(trace));
        support.citations.iter().filter_map(trace).any(|trace| trace.origin.frame > support.origin.frame)
    };
    let supports: Vec<usize> = response.supports.iter().enumerate().filter(|(_, support)| later(support)).map(|(index, _)| index).collect();
    if let Some(&first) = supports.first() {
        let message = format!("{} sent before the step that found the source", counted(supports.len(), "support"));
        found.push(Finding::new("trace-late", &reviewed.origin_of(first), message).supports(supports));
    }
}

fn plural(number: usize, one: &str, more: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { more })
}
