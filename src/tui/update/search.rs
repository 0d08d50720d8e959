//! Searching as one types: the answer, what its sources, queries, traces and findings say; or what lies over
//! them.

use super::super::answer::{matches, shown_range, shown_text};
use super::super::doc::Doc;
use super::super::keymap::{Command, label};
use super::super::layout::Layout;
use super::super::panes;
use super::super::state::{Before, Cursor, Found, Overlay, Pane, Prompt, State};
use super::super::steps::trace_row;
use super::cursor::{ask, changed, focus, push, report, set_cursor, set_pane_cursor};
use super::responses::{open_list, set_list_filter};
use super::spans::{select, show_row};
use crate::text::{counted, one_line};

/// Places that are looked for at most: the search ends for one that is everywhere.
const PLACES_MOST: usize = 10_000;

/// Opens the prompt; what is typed is looked for at once.
pub(super) fn begin(state: &mut State) {
    let cursors = state.cursors;
    let needle = state.needle.clone();
    state.before = Some(Before { span: state.span, sentence: state.sentence, cursors, needle });
    ask(state, Prompt::Search);
}

/// Takes what is typed so far.
pub(super) fn typed(state: &mut State, layout: &Layout) {
    let Some(typing) = &state.typing else { return };
    state.needle.clone_from(&typing.text);
    state.found = find(state, layout);
    state.at = None;
    restore(state, false);
    // What is in view or behind it comes first.
    let top = layout.page.row(layout.top).map_or(0, |row| row.start);
    let in_answer = |found: &Found| matches!(found, Found::Answer(range) if range.start >= top);
    let first = state.found.iter().position(in_answer).or((!state.found.is_empty()).then_some(0));
    if let Some(first) = first {
        go(state, layout, first, false);
    }
    changed(state);
}

/// Puts everything back to where it was before the search.
pub(super) fn cancel(state: &mut State) {
    restore(state, true);
    state.found.clear();
    state.at = None;
    changed(state);
}

fn restore(state: &mut State, whole: bool) {
    let Some(before) = state.before.clone() else { return };
    (state.span, state.sentence, state.cursors) = (before.span, before.sentence, before.cursors);
    if whole {
        state.needle = before.needle;
        state.before = None;
    }
}

/// Ends the prompt; what was found stays marked.
pub(super) fn accept(state: &mut State, layout: &Layout) {
    state.before = None;
    find_in_pane(state, layout);
    let first = (!state.found.is_empty()).then_some(0);
    match state.at.or(first) {
        Some(at) => go(state, layout, at, true),
        None if state.needle.is_empty() => {}
        None if state.overlays.is_empty() && state.table.len() > 1 => {
            let needle = state.needle.clone();
            set_list_filter(state, needle);
            open_list(state);
            report(state, "not in this response: here are those that have it", false);
        }
        None => {
            report(state, &nowhere(state), true);
        }
    }
}

/// That what was looked for is not where it was looked for.
fn nowhere(state: &State) -> String {
    let place = match state.overlay() {
        None => "this response",
        Some(Overlay::Help) => "the help",
        Some(Overlay::Raw(_)) => "this JSON",
        Some(_) => "what is open",
    };
    format!("“{}” is nowhere in {place}", one_line(&state.needle))
}

/// The next place, or the one before.
pub(super) fn next_match(state: &mut State, layout: &Layout, forward: bool) {
    if state.needle.is_empty() {
        let words = format!("nothing was searched for yet: press {}", label(Command::Search));
        return report(state, &words, false);
    }
    let mine = match state.at.and_then(|at| state.found.get(at)) {
        Some(Found::Source(source)) => Some(Overlay::Source(*source)),
        Some(Found::Finding(finding)) => Some(Overlay::Finding(*finding)),
        _ => None,
    };
    // What the search itself laid over the screen makes way for the next place.
    if mine.is_some() && state.overlay() == mine.as_ref() {
        state.overlays.pop();
        changed(state);
    } else {
        state.found = find(state, layout);
        find_in_pane(state, layout);
    }
    let count = state.found.len();
    if count == 0 {
        return report(state, &nowhere(state), true);
    }
    let next = match (state.at, forward) {
        (Some(at), true) => (at + 1) % count,
        (Some(at), false) => (at + count - 1) % count,
        (None, true) => 0,
        (None, false) => count - 1,
    };
    go(state, layout, next, true);
}

/// Everything that matches, in the order of the screen.
fn find(state: &State, layout: &Layout) -> Vec<Found> {
    if let Some(place) = layout.overlay.as_ref() {
        return in_doc(&place.doc, &state.needle).into_iter().map(Found::Line).collect();
    }
    let text = shown_text(state);
    let mut found: Vec<Found> =
        matches(text, &state.needle, 0..text.len()).into_iter().map(Found::Answer).collect();
    let Some(review) = state.review().filter(|_| !state.needle.is_empty()) else { return found };
    let has = |text: &str| !matches(text, &state.needle, 0..text.len()).is_empty();
    let response = &review.response;
    found.extend(response.about.question.as_deref().is_some_and(has).then_some(Found::Question));
    let sources = response.sources.iter().enumerate().filter(|(_, source)| {
        has(source.name())
            || source.uri.as_deref().is_some_and(has)
            || source.passages().any(|passage| has(&passage.text))
    });
    found.extend(sources.map(|(index, _)| Found::Source(index)));
    let queries = response.queries.iter().enumerate().filter(|(_, query)| has(&query.text));
    found.extend(queries.map(|(index, _)| Found::Query(index)));
    let traces = response.traces.iter().enumerate().filter(|(_, trace)| {
        let texts = [&trace.tool, &trace.thought, &trace.error, &trace.description];
        has(trace.name()) || texts.into_iter().flatten().any(|text| has(text))
    });
    found.extend(traces.map(|(index, _)| Found::Trace(index)));
    let findings = state.findings().iter().enumerate().filter(|(_, finding)| has(&finding.message));
    found.extend(findings.map(|(index, _)| Found::Finding(index)));
    found.truncate(PLACES_MOST);
    found
}

/// Where nothing else has it, the lines of the pane of the response as a whole, which repeats much of the
/// rest and has what no other pane has. Not while one types: that pane may be long. Panes that share a place
/// are of one width.
fn find_in_pane(state: &mut State, layout: &Layout) {
    if !state.found.is_empty() || state.needle.is_empty() || layout.overlay.is_some() {
        return;
    }
    let width = layout.panes.last().map_or(layout.size.width, |place| place.body.width);
    let doc = panes::pane(state, Pane::Response, usize::from(width));
    state.found = in_doc(&doc, &state.needle).into_iter().map(Found::Response).collect();
}

/// Lines of a document that have what is looked for.
fn in_doc(doc: &Doc, needle: &str) -> Vec<usize> {
    let words = |line: &super::super::doc::Line| {
        line.pieces.iter().map(|(text, _)| text.as_str()).collect::<String>()
    };
    let lines = doc.lines.iter().enumerate().filter(|(_, line)| {
        let words = words(line);
        !matches(&words, needle, 0..words.len()).is_empty()
    });
    lines.map(|(line, _)| line).take(PLACES_MOST).collect()
}

/// Goes to a place. `open`: also to one that lies in a pane or needs to be opened.
fn go(state: &mut State, layout: &Layout, at: usize, open: bool) {
    state.at = Some(at);
    let Some(found) = state.found.get(at).cloned() else { return };
    match found {
        Found::Answer(range) => show_range(state, layout, &range),
        Found::Line(line) => show_line(state, layout, line),
        _ if !open => {}
        Found::Source(source) => {
            if !matches!(state.overlay(), Some(Overlay::Source(_))) {
                push(state, Overlay::Source(source));
            }
        }
        Found::Query(entry) => show_entry(state, Pane::Queries, entry),
        Found::Trace(trace) => {
            let row = state.review().and_then(|review| trace_row(&review.response, trace));
            show_entry(state, Pane::Trace, row.unwrap_or_default());
        }
        Found::Finding(finding) => push(state, Overlay::Finding(finding)),
        Found::Question => focus(state, Pane::Response),
        Found::Response(line) => {
            focus(state, Pane::Response);
            let cursor = Cursor { entry: 0, top: line.saturating_sub(2), moved: true };
            set_pane_cursor(state, Pane::Response, cursor);
        }
    }
    if open {
        let place = found_words(state);
        report(state, &place, false);
    }
    changed(state);
}

fn show_entry(state: &mut State, pane: Pane, entry: usize) {
    focus(state, pane);
    let cursor = Cursor { entry, top: 0, moved: true };
    set_pane_cursor(state, pane, cursor);
}

fn show_line(state: &mut State, layout: &Layout, line: usize) {
    let Some(place) = &layout.overlay else { return };
    let height = usize::from(place.body.height.max(1));
    let mut cursor = place.cursor;
    if !(cursor.top..cursor.top + height).contains(&line) {
        cursor.top = line.saturating_sub(height / 4).min(place.doc.height().saturating_sub(height));
    }
    set_cursor(state, cursor);
}

fn show_range(state: &mut State, layout: &Layout, range: &std::ops::Range<usize>) {
    let under = state.review().map(|review| review.overlapping(range)).unwrap_or_default();
    let shortest = under
        .into_iter()
        .min_by_key(|&span| shown_range(state, span).map_or(usize::MAX, |range| range.len()));
    let own = state.review().is_some_and(|review| review.response.answer.is_some());
    if let Some(span) = shortest.filter(|_| own) {
        select(state, span);
    }
    let row = layout.page.row_of(range.start);
    let height = usize::from(layout.answer.height.max(1));
    let inside = (layout.top..layout.top + height).contains(&row);
    show_row(state, layout, if inside { layout.top } else { row.saturating_sub(height / 4) });
}

/// `match 3 of 12 for “words”`, and where the rest is.
pub fn found_words(state: &State) -> String {
    let count = state.found.len();
    let elsewhere =
        state.found.iter().filter(|found| !matches!(found, Found::Answer(_) | Found::Line(_))).count();
    let place = match state.at.and_then(|at| state.found.get(at)) {
        Some(Found::Source(source)) => format!(" · in source [{}]", source + 1),
        Some(Found::Query(_)) => " · in the queries".to_owned(),
        Some(Found::Trace(trace)) => format!(" · in trace {}", trace + 1),
        Some(Found::Finding(_)) => " · in the findings".to_owned(),
        Some(Found::Question) => " · in the question".to_owned(),
        Some(Found::Response(_)) => format!(" · in {} {}", Pane::Response.key(), Pane::Response.title()),
        _ if elsewhere > 0 => format!(" · {} in sources and traces", counted(elsewhere, "place")),
        _ => String::new(),
    };
    // While one types, what lies in a pane is not gone to.
    let waits = state.typing.is_some()
        && !matches!(
            state.at.and_then(|at| state.found.get(at)),
            None | Some(Found::Answer(_) | Found::Line(_))
        );
    let open = if waits { format!("; {} shows it", label(Command::Open)) } else { String::new() };
    match state.at {
        Some(at) => format!("match {} of {count} for “{}”{place}{open}", at + 1, one_line(&state.needle)),
        None if count == 0 && state.overlays.is_empty() && state.table.len() > 1 => {
            format!("not here; {} looks in all responses", label(Command::Open))
        }
        None => format!("{count} found"),
    }
}
