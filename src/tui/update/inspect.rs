//! Looking closer: opening, copying, raw JSON.

use super::super::copy_target::CopyTarget;
use super::super::doc::{Doc, Hit};
use super::super::layout::Layout;
use super::super::panes::{filters, more_addresses, summary_filter};
use super::super::state::{Cursor, Overlay, Pane, State, Want};
use super::cursor::{active, changed, note_place, push, report, set_cursor};
use super::responses::{open_list, set_list_filter, show};
use super::spans::{select, set_filter};
use crate::review::SourceRef;

pub(super) fn open(state: &mut State, layout: &Layout) {
    if let Some((Overlay::Browse(address), _)) = state.overlays.last() {
        let address = address.clone();
        state.overlays.pop();
        state.wants.push(Want::Browse(address));
        return changed(state);
    }
    if let Some((Overlay::Repair, _)) = state.overlays.last() {
        state.overlays.pop();
        // Where it only says why nothing can be done, there is nothing to write.
        if state.has_repairs() {
            state.wants.push(Want::Repair(false));
        }
        return changed(state);
    }
    if state.overlays.is_empty() && state.focus == Pane::Answer {
        return match state.source() {
            Some(source) => push(state, Overlay::Source(source)),
            None => report(state, "the claim cites no source to open", false),
        };
    }
    let Some((cursor, doc, _)) = active(state, layout) else { return };
    let raw = matches!(state.overlay(), Some(Overlay::Raw(_)));
    let entry = if raw { opener(doc, cursor.entry) } else { cursor.entry };
    let Some(hit) = doc.entry_at(entry) else { return };
    if entry != cursor.entry {
        set_cursor(state, Cursor { entry, ..cursor });
    }
    act(state, hit);
}

/// The line of JSON that opens what a line stands in or closes; itself where it opens something.
fn opener(doc: &Doc, entry: usize) -> usize {
    let text = |entry: usize| -> String {
        let line = doc.entries.get(entry).and_then(|(line, _)| doc.lines.get(*line));
        line.map(|line| line.pieces.iter().map(|(text, _)| text.as_str()).collect()).unwrap_or_default()
    };
    let indent = |text: &str| text.len() - text.trim_start().len();
    let opens = |text: &str| text.trim_end().ends_with(['{', '[']) || text.contains(" lines … ");
    let own = text(entry);
    if opens(&own) {
        return entry;
    }
    let least = indent(&own) + usize::from(own.trim_start().starts_with(['}', ']']));
    (0..entry).rev().find(|&above| opens(&text(above)) && indent(&text(above)) < least).unwrap_or(entry)
}

pub(super) fn act(state: &mut State, hit: Hit) {
    match (hit, state.overlay().cloned()) {
        (Hit::Source(source), _) => push(state, Overlay::Source(source)),
        (Hit::Trace(trace), _) => push(state, Overlay::Trace(trace)),
        (Hit::Query(query), _) => {
            let trace = state.review().and_then(|review| review.response.queries.get(query)?.trace);
            match trace {
                Some(trace) => push(state, Overlay::Trace(trace)),
                None => report(state, "this format does not say what the query found", false),
            }
        }
        (Hit::Finding(finding), _) => push(state, Overlay::Finding(finding)),
        (Hit::Support(support), _) => {
            note_place(state);
            state.overlays.clear();
            if let Some(span) = state.review().and_then(|review| review.span_of(support)) {
                select(state, span);
            }
            changed(state);
        }
        (Hit::Link(link), Some(Overlay::Source(source))) => {
            let source = state.review().and_then(|review| review.source(source).map(SourceRef::sent));
            let uri = source.and_then(|source| more_addresses(source).nth(link)).map(str::to_owned);
            offer(state, uri);
        }
        (Hit::Row(row), Some(Overlay::Copy)) => {
            if let Some(target) = CopyTarget::all().into_iter().nth(row) {
                copy(state, target);
            }
        }
        (Hit::Row(line), Some(Overlay::Raw(_))) => {
            match state.folded.iter().position(|folded| *folded == line) {
                Some(at) => _ = state.folded.swap_remove(at),
                None => state.folded.push(line),
            }
            changed(state);
        }
        (Hit::Row(row), Some(Overlay::Write)) => super::acting::choose(state, row),
        (Hit::Row(row), Some(Overlay::Filter)) => {
            if let Some((_, filter, _)) = filters(state).into_iter().nth(row) {
                set_filter(state, filter);
            }
        }
        (Hit::Row(place), Some(Overlay::Responses)) => {
            if let Some(row) = state.table.at(place) {
                note_place(state);
                state.overlays.clear();
                show(state, row);
            }
        }
        (Hit::Row(row), Some(Overlay::Summary)) => {
            if let Some(filter) = summary_filter(state, row) {
                state.overlays.clear();
                set_list_filter(state, filter);
                open_list(state);
            }
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
        Err(why) => report(state, &format!("nothing copied: {why}"), true),
    }
    changed(state);
}

/// The address at the cursor, else that of the selected source.
pub(super) fn browse(state: &mut State, layout: &Layout) {
    if let Some((cursor, doc, _)) = active(state, layout)
        && let Some(hit @ Hit::Link(_)) = doc.entry_at(cursor.entry)
    {
        return act(state, hit);
    }
    let uri =
        state.source().and_then(|source| state.review()?.source(source).map(SourceRef::sent)?.uri.clone());
    offer(state, uri);
}

fn offer(state: &mut State, uri: Option<String>) {
    let Some(uri) = uri else {
        let any =
            state.review().is_some_and(|review| review.response.sources.iter().any(|s| s.uri.is_some()));
        let words = if any { "the selected source has no address" } else { "no source has an address" };
        return report(state, words, true);
    };
    match crate::text::web_address(&uri) {
        Some(address) => push(state, Overlay::Browse(address)),
        None => report(state, "only http and https addresses are opened", true),
    }
}

/// The chunk that holds more of the selected span, beside the one that is cited.
pub(super) fn better(state: &mut State) {
    let better = |support: &usize| state.backing(*support).is_some_and(|backing| backing.better().is_some());
    let found = state.selected().iter().copied().find(better);
    match found {
        Some(support) => push(state, Overlay::Better(support)),
        None => report(state, "no other chunk of this response holds clearly more of the claim", false),
    }
}

/// The selected support as it was sent, in each unit; one that is not where it was sent before others.
pub(super) fn readings(state: &mut State) {
    let sent = || state.selected_supports().filter(|support| support.segment.is_some());
    let found =
        sent().find(|support| support.is_misfit()).or_else(|| sent().next()).map(|support| support.index);
    if let Some(support) = found {
        return push(state, Overlay::Readings(support));
    }
    let inferred = state.selected_supports().any(|support| support.is_inferred());
    let words = if inferred {
        "no offsets were sent: the claim is inferred, the text before its mark"
    } else {
        "the claim was sent without offsets"
    };
    report(state, words, false);
}

pub(super) fn raw(state: &mut State) {
    match state.selected_origin() {
        Some(origin) => {
            state.folded.clear();
            push(state, Overlay::Raw(origin));
        }
        None => report(state, "nothing is selected", false),
    }
}
