//! A source as a card: who says it, the passage that was compared, two bars, and how it was found.

use std::collections::{HashMap, HashSet};

use super::super::doc::{Doc, Hit};
use super::super::state::State;
use super::compared;
use super::fields::score_bar;
use crate::look::Role;
use crate::model::{
    Chunk, Citation, Label, Location, LocationKind, PassageKind, PlaceReview, Response, Source, SourceKind,
    Target,
};
use crate::review::Review;
use crate::review::comparison::Shown;
use crate::text::{is_web, score_words, width};

/// Rows of a passage that the pane shows; Enter shows the rest.
const PASSAGE: usize = 8;

/// What is shown of a source for the selection.
#[derive(Clone, Copy, Default)]
pub(super) struct Backing<'a> {
    pub citations: &'a [&'a Citation],
    /// How much of the claim it holds.
    pub cover: Option<f64>,
    /// The first step that found it.
    pub found: Option<usize>,
}

/// The first step that found each source.
pub(super) fn finders(response: &Response) -> HashMap<usize, usize> {
    let mut first = HashMap::new();
    for (index, trace) in response.traces.iter().enumerate() {
        for source in trace.results.iter().filter_map(|result| result.source) {
            first.entry(source).or_insert(index);
        }
    }
    first
}

/// A source with the citations of the selection.
pub(super) fn card(state: &State, index: usize, source: &Source, backing: Backing, doc: &mut Doc) {
    let Some(review) = state.review() else { return };
    let Backing { citations, cover, .. } = backing;
    heading(index, source, doc);
    let is_document = citations.iter().any(|citation| matches!(citation.target, Target::Source(_)));
    if source.kind == SourceKind::Tool && !is_document {
        doc.text(4, "the result of a tool, cited as a whole: there is no document", Role::Dim, 2);
    }
    if citations.is_empty() && !review.spans.is_empty() {
        doc.line(&[("    not cited", Role::Dim)]);
    }
    bars(citations, cover, doc);
    named(source, citations, doc);
    // What it answers is told before what it says: a long passage would push it out of sight.
    searched(review, backing, doc);
    let named: Vec<usize> = citations.iter().flat_map(|citation| citation.chunks()).copied().collect();
    passages(source, PASSAGE, &named, &compared::windows(state, index), doc);
    steps(review, backing, doc);
    address(source, doc);
}

/// What was compared here, and what the provider says, side by side where there is room.
pub(super) fn bars(citations: &[&Citation], cover: Option<f64>, doc: &mut Doc) {
    let mut bars: Vec<(&str, String)> = Vec::new();
    if let Some(cover) = cover {
        bars.push(("wording", format!("{} {:.0} %", score_bar(cover), cover * 100.0)));
    }
    let mut scores: HashSet<u64> = HashSet::new();
    // Two layers over one text cite a source twice; what they say alike is said once.
    for score in citations.iter().filter_map(|citation| citation.score) {
        if scores.insert(score.to_bits()) {
            bars.push(("confidence", format!("{} {}", score_bar(score), score_words(score))));
        }
    }
    let cells: usize = bars.iter().map(|(label, value)| width(label) + 1 + width(value) + 3).sum();
    for row in bars.chunks(if bars.len() == 2 && cells < doc.width() { 2 } else { 1 }) {
        let mut pieces: Vec<(String, Role)> = vec![("    ".to_owned(), Role::Plain)];
        for (label, value) in row {
            if pieces.len() > 1 {
                pieces.push(("   ".to_owned(), Role::Plain));
            }
            pieces.push((format!("{label} "), Role::Dim));
            pieces.push((value.clone(), Role::Plain));
        }
        let pieces: Vec<(&str, Role)> = pieces.iter().map(|(text, role)| (text.as_str(), *role)).collect();
        doc.line(&pieces);
    }
}

/// How it was found: the query, the tool, the trace.
pub(super) fn provenance(review: &Review, backing: Backing, doc: &mut Doc) {
    searched(review, backing, doc);
    steps(review, backing, doc);
}

/// Queries of one step that are named on a card.
const QUERIES: usize = 100;

/// What was searched for when it was found.
fn searched(review: &Review, backing: Backing, doc: &mut Doc) {
    let queries = found_by(&review.response, backing);
    let quoted: Vec<String> = queries.iter().take(QUERIES).map(|query| format!("“{query}”")).collect();
    let lead = if quoted.len() > 1 { "found by one of" } else { "found by" };
    let more = match queries.len() - quoted.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    if !quoted.is_empty() {
        doc.text(4, &format!("{lead} {}{more}", quoted.join(", ")), Role::Dim, 2);
    }
}

/// The steps that found it.
fn steps(review: &Review, Backing { citations, found, .. }: Backing, doc: &mut Doc) {
    let response = &review.response;
    let mut words: Vec<(String, Role)> = Vec::new();
    for citation in citations {
        if let (Some(tool), Target::Tool(_)) = (citation.tool(), &citation.target) {
            words.push((format!("tool {tool}"), Role::Plain));
        }
        if let Some((trace, step)) = citation.trace().and_then(|at| Some((at, response.traces.get(at)?))) {
            let rule = citation.joined().map(|rule| format!(" ({})", rule.word())).unwrap_or_default();
            words.push((format!("trace {} {}{rule}", trace + 1, step.name()), Role::Dim));
        } else if let Some(audit) = citation.audit() {
            words.push((format!("trace {audit} matches nothing"), Role::Warning));
        }
    }
    if citations.iter().all(|citation| citation.trace().is_none())
        && let Some((trace, step)) = found.and_then(|at| Some((at, response.traces.get(at)?)))
    {
        words.push((format!("trace {} {}", trace + 1, step.name()), Role::Dim));
    }
    let mut said: HashSet<&str> = HashSet::new();
    for (text, role) in &words {
        if said.insert(text) {
            doc.text(4, text, *role, 2);
        }
    }
}

/// The queries that found it.
fn found_by<'r>(response: &'r Response, Backing { citations, found, .. }: Backing) -> Vec<&'r str> {
    let trace = citations.iter().find_map(|citation| citation.trace()).or(found);
    let queries = trace.and_then(|trace| response.traces.get(trace)).map_or(&[][..], |trace| &trace.queries);
    queries.iter().filter_map(|&query| Some(response.queries.get(query)?.text.as_str())).collect()
}

/// What of the source the citations name: a place, and the title under which it was cited.
fn named(source: &Source, citations: &[&Citation], doc: &mut Doc) {
    let named = citations.iter().filter_map(|citation| citation.cited.as_deref());
    for cited in named {
        let title = cited.title.as_deref().filter(|title| source.title.as_deref() != Some(title));
        if let Some(title) = title {
            doc.line(&[("    cited as ", Role::Dim), (&format!("“{title}”"), Role::Plain)]);
        }
        if let Some(location) = cited.location {
            doc.line(&[("    in the source ", Role::Dim), (&place(location), Role::Plain)]);
        }
    }
}

/// `characters 120–179 of document 0`, `pages 3–4`: in a source ends are not counted in, pages count from 1.
fn place(location: Location) -> String {
    let number = |sent: Option<i64>| sent.map_or_else(|| "?".to_owned(), |sent| sent.to_string());
    let document = location.document.map(|document| format!(" of document {document}")).unwrap_or_default();
    let last = location.end.map(|end| end.saturating_sub(1)).filter(|last| Some(*last) != location.start);
    let (one, many) = match location.kind {
        LocationKind::Char => {
            return format!("characters {}–{}{document}", number(location.start), number(location.end));
        }
        LocationKind::Page => ("page", "pages"),
        LocationKind::Chunk => ("chunk", "chunks"),
        _ => ("block", "blocks"),
    };
    match last {
        Some(last) => format!("{many} {} to {last}{document}", number(location.start)),
        None => format!("{one} {}{document}", number(location.start)),
    }
}

/// Its number, its name, what it is; who published it, and when.
pub(super) fn heading(index: usize, source: &Source, doc: &mut Doc) {
    let number = format!("[{}] ", index + 1);
    doc.line_right(&[(&number, Role::Key), (source.name(), Role::Strong)], (source.kind.word(), Role::Dim));
    let date = source.published.date.as_deref().or(source.published.date_sent.as_deref());
    let facts: Vec<&str> = [source.published.publisher.as_deref(), date].into_iter().flatten().collect();
    if !facts.is_empty() {
        doc.line(&[("    ", Role::Plain), (&facts.join(" · "), Role::Dim)]);
    }
}

/// Where it is.
fn address(source: &Source, doc: &mut Doc) {
    let Some(uri) = source.uri.as_deref().filter(|uri| !uri.is_empty()) else { return };
    if source.redirect {
        let domain = source.domain.as_deref().or(source.title.as_deref()).unwrap_or("its domain");
        doc.line(&[
            ("    redirect to ", Role::Dim),
            (domain, Role::Address),
            (" (opaque address)", Role::Dim),
        ]);
    } else if is_web(uri) {
        doc.line(&[("    ", Role::Plain), (uri, Role::Address)]);
    } else {
        doc.line(&[("    ", Role::Plain), (uri, Role::Warning), (" (no http address)", Role::Dim)]);
    }
}

/// Passages and reviews, or a sentence that there are none. Those of several are told that the selection
/// names.
pub(super) fn passages(source: &Source, most: usize, named: &[usize], shown: &[Shown], doc: &mut Doc) {
    let window = |number: usize| shown.iter().find(|shown| shown.chunk == number);
    // What holds the wording comes first.
    let mut chunks: Vec<_> = source.chunks.iter().enumerate().collect();
    chunks.sort_by_key(|(number, _)| window(*number).is_none());
    for (number, chunk) in chunks {
        let place = Some((number, source.chunks.len(), named.contains(&number)));
        passage(place, chunk, most, window(number), doc);
    }
    if let Some(data) = &source.struct_data {
        for (key, value) in data.members() {
            doc.field_most(4, &format!("{key}:"), &value.plain(), Role::Plain, most);
        }
    }
    reviews(source, most, shown, false, doc);
    if !source.has_text() {
        let snippet = source.chunks.iter().any(|chunk| chunk.label == Some(Label::Snippet));
        let words = match source.kind {
            _ if snippet => "a snippet only, which is not compared",
            SourceKind::Web => return,
            SourceKind::Empty => "an empty source",
            _ => "this response carries no chunk text",
        };
        doc.text(4, words, Role::Dim, 3);
    }
}

/// A chunk: `place` is its number, of how many, and whether the selection names it.
pub(super) fn passage(
    place: Option<(usize, usize, bool)>,
    chunk: &Chunk,
    most: usize,
    window: Option<&Shown>,
    doc: &mut Doc,
) {
    let mut facts = Vec::new();
    if let Some((number, of, is_named)) = place.filter(|(_, of, _)| *of > 1) {
        let cited = if is_named { " · cited here" } else { "" };
        facts.push(format!("chunk {} of {of}{cited}", number + 1));
    }
    // On the screen it may have been pasted.
    facts.extend(chunk.label.map(|label| {
        match label {
            Label::TextGiven => "text that you gave",
            label => label.word(),
        }
        .to_owned()
    }));
    facts.extend(chunk.page.as_ref().map(|page| format!("page {page}")));
    facts.extend(chunk.score.map(|value| format!("relevance to the query {}", score_words(value))));
    facts.extend(chunk.name.as_ref().map(|name| format!("named {}", crate::model::last_segment(name))));
    if !facts.is_empty() {
        doc.text(4, &facts.join(" · "), Role::Dim, 3);
    }
    let marks = window.map(compared::marks).unwrap_or_default();
    let show = window.map_or(0, |shown| shown.range.start);
    doc.marked(4, &chunk.text, &marks, show, most);
}

/// Reviews, whose texts are compared after the passages; `whole`: with ids, and links that can be opened.
pub(super) fn reviews(source: &Source, most: usize, shown: &[Shown], whole: bool, doc: &mut Doc) {
    let is_of = |shown: &Shown, index: usize| shown.kind == PassageKind::Review(index);
    // The first links of a source are those which flag it.
    let mut links = source.place.flag_uris.len()..;
    let mut link = |there: bool, doc: &mut Doc| {
        if let Some(number) = (whole && there).then(|| links.next()).flatten() {
            doc.entry(Hit::Link(number));
        }
    };
    for (index, review) in source.place.reviews.iter().enumerate() {
        let window = shown.iter().find(|shown| is_of(shown, index));
        link(review.uri.is_some(), doc);
        self::review(review, most, window, doc);
        if !whole {
            continue;
        }
        doc.end();
        if let Some(id) = &review.id {
            doc.field(6, "id", id, Role::Dim);
        }
        for flag in &review.flag_uris {
            link(true, doc);
            doc.field(6, "flag it at", flag, Role::Address);
            doc.end();
        }
    }
}

fn review(review: &PlaceReview, most: usize, window: Option<&Shown>, doc: &mut Doc) {
    let title = review.title.as_deref().unwrap_or("untitled");
    doc.line(&[("    review ", Role::Dim), (title, Role::Plain)]);
    if let Some(text) = &review.text {
        let marks = window.map(compared::marks).unwrap_or_default();
        doc.marked(6, text, &marks, window.map_or(0, |shown| shown.range.start), most);
    }
    if let Some(uri) = &review.uri {
        doc.line(&[("      ", Role::Plain), (uri, Role::Address)]);
    }
}
