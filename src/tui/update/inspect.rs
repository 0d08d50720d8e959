//! Looking closer: opening, copying, raw JSON, other responses.

use super::super::copy::CopyTarget;
use super::super::doc::Hit;
use super::super::layout::Layout;
use super::super::panes::{filters, more_addresses};
use super::super::state::{Overlay, Pane, State, Want};
use super::{active, changed, push, select, set_filter, show, tell};
use crate::model::Origin;

pub(super) fn open(state: &mut State, layout: &Layout) {
    if let Some((Overlay::Browse(address), _)) = state.overlays.last() {
        let address = address.clone();
        state.overlays.pop();
        state.wants.push(Want::Browse(address));
        return changed(state);
    }
    if state.overlays.is_empty() && state.focus == Pane::Answer {
        return match state.source() {
            Some(source) => push(state, Overlay::Source(source)),
            None => tell(state, "the span cites no source to open", false),
        };
    }
    let Some((cursor, doc, _)) = active(state, layout) else { return };
    let Some(&(_, hit)) = doc.stops.get(cursor.stop) else { return };
    act(state, layout, hit);
}

pub(super) fn act(state: &mut State, layout: &Layout, hit: Hit) {
    match (hit, state.overlays.last().map(|(overlay, _)| overlay.clone())) {
        (Hit::Source(source), _) => push(state, Overlay::Source(source)),
        (Hit::Trace(trace), _) => push(state, Overlay::Trace(trace)),
        (Hit::Query(query), _) => {
            let trace = state.review().and_then(|review| review.response.queries.get(query)?.trace);
            match trace {
                Some(trace) => push(state, Overlay::Trace(trace)),
                None => tell(state, "this format does not say what the query found", false),
            }
        }
        (Hit::Finding(finding), _) => push(state, Overlay::Finding(finding)),
        (Hit::Support(support), _) => {
            state.overlays.clear();
            if let Some(span) = state.review().and_then(|review| review.span_of(support)) {
                select(state, layout, span);
            }
            changed(state);
        }
        (Hit::Link(link), Some(Overlay::Source(source))) => {
            let source = state.review().and_then(|review| review.response.sources.get(source));
            let uri = source.and_then(|source| more_addresses(source).nth(link)).map(str::to_owned);
            offer(state, uri);
        }
        (Hit::Row(row), Some(Overlay::Copy)) => {
            if let Some(target) = CopyTarget::all().into_iter().nth(row) {
                copy(state, target);
            }
        }
        (Hit::Row(row), Some(Overlay::Filter)) => {
            if let Some((_, filter, _)) = filters(state).into_iter().nth(row) {
                set_filter(state, filter);
            }
        }
        (Hit::Row(row), Some(Overlay::Responses)) => {
            state.overlays.clear();
            show(state, row);
        }
        (Hit::Row(_) | Hit::Link(_), _) => {}
    }
}

pub(super) fn copy(state: &mut State, target: CopyTarget) {
    // The menu is no part of the selection.
    if matches!(state.overlays.last(), Some((Overlay::Copy, _))) {
        state.overlays.pop();
    }
    match target.text(state) {
        Ok(text) => {
            let name = target.copied(state);
            state.wants.push(Want::Copy(text, name));
        }
        Err(why) => tell(state, &format!("nothing copied: {why}"), true),
    }
    changed(state);
}

/// The address at the cursor, else that of the selected source.
pub(super) fn browse(state: &mut State, layout: &Layout) {
    if let Some((cursor, doc, _)) = active(state, layout)
        && let Some(&(_, hit @ Hit::Link(_))) = doc.stops.get(cursor.stop)
    {
        return act(state, layout, hit);
    }
    let uri = state.source().and_then(|source| state.review()?.response.sources.get(source)?.uri.clone());
    offer(state, uri);
}

fn offer(state: &mut State, uri: Option<String>) {
    match uri {
        Some(uri) if crate::check::is_web(&uri) => push(state, Overlay::Browse(uri)),
        Some(_) => tell(state, "only http and https addresses are opened", true),
        None => tell(state, "the selected source has no address", true),
    }
}

/// The chunk that holds more of the selected span, beside the one that is cited.
pub(super) fn better(state: &mut State) {
    let better = |support: &usize| state.judged(*support).is_some_and(|judged| judged.verdict.better().is_some());
    let found = state.selected().iter().copied().find(better);
    match found {
        Some(support) => push(state, Overlay::Better(support)),
        None => tell(state, "no other chunk of this response holds clearly more of the span", false),
    }
}

/// The selected support as it was sent, in each unit; one that is not where it was sent before others.
pub(super) fn readings(state: &mut State) {
    let Some(review) = state.review() else { return };
    let sent = |support: &&usize| review.response.supports.get(**support).is_some_and(|support| support.segment.is_some());
    let moved = |support: &&usize| review.anchors.get(**support).is_some_and(|anchor| anchor.verdict.is_misfit());
    let sent: Vec<&usize> = state.selected().iter().filter(sent).collect();
    match sent.iter().copied().find(|support| moved(support)).or(sent.first().copied()).copied() {
        Some(support) => push(state, Overlay::Readings(support)),
        None => tell(state, "the span was sent without offsets", false),
    }
}

pub(super) fn raw(state: &mut State) {
    match selected_origin(state) {
        Some(origin) => push(state, Overlay::Raw(origin)),
        None => tell(state, "nothing is selected", false),
    }
}

/// Where the selection stands in the input: what the overlay or the focused pane is at.
pub(in crate::tui) fn selected_origin(state: &State) -> Option<Origin> {
    let response = &state.review()?.response;
    let of_source = |index: usize| response.sources.get(index).map(|source| source.origin.clone());
    match state.overlays.iter().rev().map(|(overlay, _)| overlay).find(|overlay| !matches!(overlay, Overlay::Copy)) {
        Some(Overlay::Source(index)) => return of_source(*index),
        Some(Overlay::Trace(index)) => return response.traces.get(*index).map(|trace| trace.origin.clone()),
        Some(Overlay::Finding(index)) => {
            return state.findings().get(*index).map(|finding| finding.origin.clone());
        }
        Some(Overlay::Raw(origin)) => return Some(origin.clone()),
        Some(Overlay::Sources) => return state.source().and_then(of_source),
        _ => {}
    }
    let stop = state.cursors.get(state.focus.index()).map_or(0, |cursor| cursor.stop);
    let support = || state.selected().first().and_then(|&index| response.supports.get(index)).map(|support| support.origin.clone());
    match state.focus {
        Pane::Answer => support().or_else(|| Some(response.origin.clone())),
        Pane::Sources => state.source().and_then(of_source),
        Pane::Queries => response.queries.get(stop).map(|query| query.origin.clone()),
        Pane::Trace => response.traces.get(stop).map(|trace| trace.origin.clone()),
        Pane::Findings | Pane::Response => Some(response.origin.clone()),
    }
}

pub(super) fn other_response(state: &mut State, next: bool) {
    let target = if next { state.row + 1 } else { state.row.wrapping_sub(1) };
    if target < state.rows.len() {
        show(state, target);
        let count = state.rows.len();
        tell(state, &format!("response {} of {count}", state.row + 1), false);
    } else {
        tell(state, if next { "the last response" } else { "the first response" }, false);
    }
}
