//! The queries and trace panes, and one trace in full.

use std::collections::{BTreeSet, HashSet};

use super::super::doc::{Doc, Hit};
use super::super::state::State;
use super::super::steps::answers;
use super::fields::{MOST, left_out, other_fields, score_in_full, value};
use crate::look::{Role, Tone};
use crate::model::{Citation, QueryKind, Response, SearchResult, Trace};
use crate::review::Review;
use crate::text::{counted, plural};

/// How many searches ran, of each sort: those of the web are billed one by one.
pub(super) fn searches(response: &Response) -> String {
    let count = |of: fn(QueryKind) -> bool| response.queries.iter().filter(|query| of(query.kind)).count();
    let web = count(|kind| matches!(kind, QueryKind::Web | QueryKind::Image));
    let billed = match response.queries.iter().any(|query| query.web) {
        true if web == 1 => ", billable",
        true => ", each billable",
        false => "",
    };
    let sorts = [
        (web, format!("{}{billed}", plural(web, "web search", "web searches"))),
        sort(count(|kind| kind == QueryKind::Retrieval), "retrieval query", "retrieval queries"),
        sort(count(|kind| kind == QueryKind::ToolCall), "tool call", "tool calls"),
        sort(
            count(|kind| {
                use QueryKind::{Action, Audit, Search, SearchAction};
                matches!(kind, SearchAction | Action | Audit | Search)
            }),
            "search",
            "searches",
        ),
    ];
    let there: Vec<String> =
        sorts.into_iter().filter(|(count, _)| *count > 0).map(|(_, words)| words).collect();
    if there.is_empty() { "0".to_owned() } else { there.join(" · ") }
}

fn sort(count: usize, one: &str, many: &str) -> (usize, String) {
    (count, plural(count, one, many))
}

/// Traces that belong to the selected span: named by its citations, or having found its sources.
pub fn of_selection(state: &State, review: &Review) -> BTreeSet<usize> {
    let response = &review.response;
    let cited: HashSet<usize> = state.cited().into_iter().collect();
    let named =
        state.selected_supports().flat_map(|support| &support.sent().citations).filter_map(Citation::trace);
    let finds = |trace: &Trace| {
        trace.results.iter().any(|result| result.source.is_some_and(|source| cited.contains(&source)))
    };
    let found = response.traces.iter().enumerate().filter(|(_, trace)| finds(trace)).map(|(index, _)| index);
    named.chain(found).collect()
}

/// Queries that are shown.
const QUERIES: usize = 10_000;

pub(super) fn queries(state: &State, review: &Review, doc: &mut Doc) {
    let response = &review.response;
    if response.queries.is_empty() {
        doc.text(0, "no searches in this response", Role::Dim, 3);
    }
    let sorts = searches(response);
    if response.queries.iter().any(|query| query.web) || sorts.contains(" · ") {
        doc.text(0, &sorts, Role::Dim, 2);
    }
    let mine = of_selection(state, review);
    let joined = response.queries.iter().any(|query| query.trace.is_some());
    for (index, query) in response.queries.iter().enumerate().take(QUERIES) {
        doc.entry(Hit::Query(index));
        let found = query.trace.is_some_and(|trace| mine.contains(&trace));
        let mark = if found { "▸ " } else { "  " };
        let role = if found { Role::Strong } else { Role::Plain };
        let kind = query.kind.word();
        let left = doc.width().saturating_sub(crate::text::width(kind) + 4);
        if crate::text::width(&query.text) + 2 <= left {
            doc.line_right(&[(mark, Role::Key), (&query.text, role)], (kind, Role::Dim));
        } else {
            let first = doc.lines.len();
            doc.text(2, &query.text, role, usize::MAX);
            if let Some(piece) = doc.lines.get_mut(first).and_then(|line| line.pieces.first_mut()) {
                *piece = (mark.to_owned(), Role::Key);
            }
            doc.line(&[(&format!("    {kind}"), Role::Dim)]);
        }
    }
    doc.end();
    left_out(0, response.queries.len().saturating_sub(QUERIES), doc);
    if joined && !mine.is_empty() {
        doc.text(0, "▸ found sources of the selected claim", Role::Dim, 2);
    } else if !response.queries.is_empty() && !joined {
        doc.text(0, "this format does not say which query found which source", Role::Dim, 2);
    }
}

/// The steps in their order: what was asked at the left, what came of it at the right; what belongs to the
/// selection is marked.
pub(super) fn traces(state: &State, review: &Review, doc: &mut Doc) {
    let response = &review.response;
    if response.traces.is_empty() {
        doc.text(0, "no traces in this response", Role::Dim, 3);
    }
    let mine = of_selection(state, review);
    let answers = answers(response);
    // What belongs to a call belongs to its row.
    let mine: BTreeSet<usize> =
        mine.into_iter().map(|trace| answers.get(&trace).copied().unwrap_or(trace)).collect();
    let rows = (0..response.traces.len()).filter(|trace| !answers.contains_key(trace));
    for (index, trace) in rows.filter_map(|index| Some((index, response.traces.get(index)?))) {
        doc.entry(Hit::Trace(index));
        step(response, index, trace, mine.contains(&index), doc);
    }
    doc.end();
    if !response.traces.is_empty() && response.traces.iter().all(|trace| trace.began.is_none()) {
        doc.line(&[("  no times in this format", Role::Dim)]);
    }
}

/// The number of a step, as wide as the last one.
fn numbered(response: &Response, index: usize) -> String {
    let digits = response.traces.len().max(1).ilog10() as usize + 1;
    format!("{:>digits$} ", index + 1)
}

/// The sign of a step: failed, with results, or neither.
fn sign(trace: &Trace) -> (&'static str, Role) {
    match () {
        () if trace.error.is_some() || trace.failed => (Tone::Error.sign(), Role::Fault),
        () if !trace.results.is_empty() => (Tone::Good.sign(), Role::Good),
        () => (Tone::Quiet.sign(), Role::Dim),
    }
}

fn step(response: &Response, index: usize, trace: &Trace, mine: bool, doc: &mut Doc) {
    let mark = if mine { "▸ " } else { "  " };
    let (sign, role) = sign(trace);
    let number = numbered(response, index);
    let came: Vec<String> =
        [came_of(trace), when(trace)].into_iter().filter(|words| !words.is_empty()).collect();
    let mut asked =
        trace.queries.iter().filter_map(|&query| Some(response.queries.get(query)?.text.as_str()));
    let first = asked.next().map(|query| format!(" “{query}”")).or_else(|| said(trace)).unwrap_or_default();
    let name_role = if mine { Role::Strong } else { Role::Plain };
    doc.line_right(
        &[
            (mark, Role::Key),
            (&number, Role::Key),
            (sign, role),
            (" ", Role::Plain),
            (trace.name(), name_role),
            (&first, Role::Dim),
        ],
        (&came.join(" · "), Role::Dim),
    );
    for query in asked.by_ref().take(MOST) {
        doc.line(&[("       ", Role::Plain), (&format!("“{query}”"), Role::Dim)]);
    }
    left_out(7, asked.count(), doc);
    if let Some(error) = &trace.error {
        doc.text(6, error, Role::Fault, 2);
    }
    checklist(trace, doc);
}

/// What a step without a query says of itself, on the line of its name.
fn said(trace: &Trace) -> Option<String> {
    if let Some(thought) = &trace.thought {
        return Some(format!("  {thought}"));
    }
    let arguments = trace.arguments.as_ref().filter(|arguments| trace.tool.is_some() && !arguments.is_null());
    arguments.map(|arguments| format!("  {arguments}")).or_else(|| {
        let words = trace.description.as_ref().filter(|words| words.contains(' '))?;
        Some(format!("  {words}"))
    })
}

/// What came of a step: the sources it found, how many results, else its state.
fn came_of(trace: &Trace) -> String {
    const NAMED: usize = 4;
    let mut found: Vec<usize> = trace.results.iter().filter_map(|result| result.source).collect();
    found.sort_unstable();
    found.dedup();
    let count = trace.result_count();
    match (found.len(), count) {
        (0, 0) if trace.error.is_some() || trace.failed => "failed".to_owned(),
        (0, 0) => trace.state.clone().unwrap_or_default(),
        (0, count) => counted(count, "result"),
        (many, _) => {
            let names: Vec<String> =
                found.iter().take(NAMED).map(|source| format!("[{}]", source + 1)).collect();
            let more = if many > NAMED { format!(" +{}", many - NAMED) } else { String::new() };
            format!("→ {}{more}", names.join(" "))
        }
    }
}

/// How long a step took, else when it began: `0.7 s`, `07:20:12`.
fn when(trace: &Trace) -> String {
    if let Some(seconds) = trace.seconds() {
        return took(seconds);
    }
    let began = trace.began.as_deref().unwrap_or_default();
    let clock = began.split_once('T').and_then(|(_, clock)| clock.get(..8));
    clock.unwrap_or(began).to_owned()
}

/// `0.7 s`, `12 s`, `3 min 5 s`.
fn took(seconds: f64) -> String {
    match seconds {
        0.0..10.0 => format!("{seconds:.1} s"),
        10.0..60.0 => format!("{seconds:.0} s"),
        _ => format!("{:.0} min {:.0} s", (seconds / 60.0).floor(), seconds % 60.0),
    }
}

/// The points of a plan, each with whether it is done.
fn checklist(trace: &Trace, doc: &mut Doc) {
    let is_done = |status: &str| {
        matches!(status.to_ascii_lowercase().as_str(), "done" | "completed" | "complete" | "finished")
    };
    for result in &trace.results {
        let Some((title, status)) = result.title.as_deref().zip(result.status.as_deref()) else { continue };
        if result.uri.is_some() || result.document.is_some() || result.source.is_some() {
            continue;
        }
        let sign = if is_done(status) { "☑ " } else { "☐ " };
        doc.line_right(
            &[("      ", Role::Plain), (sign, Role::Plain), (title, Role::Plain)],
            (status, Role::Dim),
        );
    }
}

/// A trace in full.
pub(super) fn detail(state: &State, index: usize, doc: &mut Doc) {
    let Some(review) = state.review() else { return };
    let Some(trace) = review.response.traces.get(index) else { return };
    doc.line(&[(trace.name(), Role::Strong)]);
    doc.blank();
    let fields = [
        ("tool", &trace.tool),
        ("id", &trace.id),
        ("state", &trace.state),
        ("description", &trace.description),
        ("thought", &trace.thought),
        ("error", &trace.error),
        ("began", &trace.began),
        ("ended", &trace.ended),
        ("took", &trace.seconds().map(took)),
    ];
    for (label, value) in fields {
        if let Some(value) = value {
            doc.field(0, label, value, Role::Plain);
        }
    }
    for query in trace.queries.iter().take(MOST).filter_map(|&query| review.response.queries.get(query)) {
        doc.field(0, "searched", &query.text, Role::Plain);
    }
    left_out(0, trace.queries.len().saturating_sub(MOST), doc);
    let call = answers(&review.response).into_iter().find(|(_, answer)| *answer == index);
    let call = call.and_then(|(call, _)| Some((call, review.response.traces.get(call)?)));
    if let Some(arguments) = &trace.arguments {
        doc.line(&[("arguments", Role::Dim)]);
        value(2, arguments, doc);
    }
    if let Some((number, call)) = call {
        doc.field(0, "called", &format!("in step {}, {}", number + 1, call.name()), Role::Plain);
        for (label, value) in
            [("id", &call.id), ("began", &call.began), ("thought", &call.thought), ("error", &call.error)]
        {
            if let Some(value) = value {
                doc.field(2, label, value, Role::Plain);
            }
        }
        if let Some(arguments) = call.arguments.as_ref().filter(|sent| trace.arguments.as_ref() != Some(sent))
        {
            doc.line(&[("  arguments", Role::Dim)]);
            value(4, arguments, doc);
        }
        other_fields(review, Some(&call.origin), doc);
    }
    let of = trace.result_count();
    let mut number = 0;
    for result in &trace.results {
        number += usize::from(!result.further);
        doc.blank();
        self::result(number, result, of, doc);
    }
    other_fields(review, Some(&trace.origin), doc);
}

fn result(number: usize, result: &SearchResult, of: usize, doc: &mut Doc) {
    let source = result.source.map(|source| format!("source [{}]", source + 1)).unwrap_or_default();
    let passage = if result.further { ", a further passage " } else { " " };
    doc.line_right(
        &[(&format!("result {} of {of}{passage}", number.max(1)), Role::Strong)],
        (&source, Role::Key),
    );
    let fields = [
        ("title", &result.title),
        ("address", &result.uri),
        ("document", &result.document),
        ("chunk", &result.chunk),
        ("status", &result.status),
    ];
    for (label, text) in fields {
        if let Some(text) = text {
            doc.field(2, label, text, Role::Plain);
        }
    }
    if let Some(value) = result.score {
        doc.field(2, "relevance to the query", &score_in_full(value), Role::Plain);
    }
    if let Some(text) = &result.text {
        doc.text(2, text, Role::Plain, usize::MAX);
    }
    if let Some(data) = &result.struct_data {
        value(2, data, doc);
    }
}
