//! The sources pane: what backs the selected span. And one source in full.

use super::super::doc::{Doc, Hit};
use super::super::keymap::{Command, label};
use super::super::state::State;
use super::compared;
use super::fields::{other_fields, plain, score, verdict_words};
use crate::look::{Role, Tone};
use crate::model::{
    AnchorKind, Chunk, Citation, Label, Location, LocationKind, PassageKind, PlaceReview, Source, SourceKind,
    Target,
};
use crate::review::comparison::Shown;
use crate::review::{Places, Review, SourceRef, SupportRef};
use crate::text::{counted, is_web, one_line, score_words, truncate};

/// Rows of a passage that the pane shows; Enter shows the rest.
const PASSAGE: usize = 8;

/// How many sources the selected span cites.
pub(super) fn subtitle(state: &State, review: &Review) -> String {
    let sources = review.response.sources.len();
    if review.spans.is_empty() {
        counted(sources, "source")
    } else {
        format!("{} cited of {sources}", state.cited().len())
    }
}

pub(super) fn cited(state: &State, review: &Review, doc: &mut Doc) {
    let response = &review.response;
    if review.spans.is_empty() {
        let why = if response.sources.is_empty() {
            "no supports and no sources: nothing is cited"
        } else {
            "no supports: these sources came back, but no words rest on them"
        };
        doc.text(0, why, Role::Dim, usize::MAX);
        for (index, source) in response.sources.iter().enumerate() {
            doc.blank();
            doc.entry(Hit::Source(index));
            block(state, review, index, source, &[], doc);
        }
        doc.end();
        return;
    }
    let supports: Vec<SupportRef> = state.selected_supports().collect();
    for &support in &supports {
        faults(state, support, doc);
    }
    overview(state, review, &supports, doc);
    // Two layers over one text share a span; what would be said twice is said once.
    for (place, &support) in supports.iter().enumerate() {
        if !supports.iter().take(place).any(|other| other.cited() == support.cited()) {
            compared::sentence(state, review, support, doc);
        }
    }
    for &support in &supports {
        support_line(review, support, supports.len() > 1, doc);
    }
    searched(review, doc);
    let mut first = true;
    for source in state.cited() {
        let citations: Vec<&Citation> = supports
            .iter()
            .flat_map(|support| &support.sent().citations)
            .filter(|citation| citation.target.source() == Some(source))
            .collect();
        let Some(entry) = response.sources.get(source) else { continue };
        if !std::mem::take(&mut first) {
            doc.blank();
        }
        doc.entry(Hit::Source(source));
        block(state, review, source, entry, &citations, doc);
    }
    doc.end();
    for citation in supports.iter().flat_map(|support| &support.sent().citations) {
        if let Target::Dangling(sent) = &citation.target {
            let sign = Tone::Error.sign();
            doc.text(
                0,
                &format!("{sign} {}", unresolved(&supports, sent, response.sources.len())),
                Role::Warning,
                3,
            );
        }
    }
    if supports.iter().all(|support| support.sent().citations.is_empty()) {
        let words = if supports.iter().any(|support| support.check_required == Some(false)) {
            "no source: said to need no grounding"
        } else {
            "this span cites no source"
        };
        doc.text(0, words, Role::Dim, usize::MAX);
    }
    for (place, &support) in supports.iter().enumerate() {
        if !supports.iter().take(place).any(|other| other.segment == support.segment) {
            sent_line(support, doc);
        }
    }
}

/// What a reference that resolves to nothing names: a mark of the text, an id, an index.
fn unresolved(supports: &[SupportRef], sent: &str, sources: usize) -> String {
    let there = if sources == 0 {
        "there are no sources".to_owned()
    } else {
        format!("there are [1] to [{sources}]")
    };
    if supports.iter().any(|support| support.kind == AnchorKind::TextMarker) {
        return format!("the mark {sent} names no source; {there}");
    }
    if sent.parse::<i64>().is_err() {
        return format!("cites the id {sent}, which no source has; {there}");
    }
    format!("cites {}", dangling(sent, sources))
}

/// An index that points nowhere, in the numbers that the screen shows.
fn dangling(sent: &str, sources: usize) -> String {
    let would = sent
        .parse::<i64>()
        .ok()
        .filter(|index| *index >= 0)
        .map(|index| format!(", which would be source [{}]", index + 1));
    let there = match sources {
        0 => "there are no sources".to_owned(),
        1 => "there is [1] only".to_owned(),
        count => format!("there are [1] to [{count}]"),
    };
    format!("index {sent}{}; {there}", would.unwrap_or_default())
}

/// Errors and warnings that touch the support, as sentences.
fn faults(state: &State, support: SupportRef, doc: &mut Doc) {
    let Some(segment) = support.segment.as_ref().filter(|_| support.is_misfit()) else { return };
    let tone = state.worst_of(support.index).map_or(Tone::Warning, Tone::from);
    let sign = tone.sign();
    let Places { sent, shown, length, unit, .. } = support.places();
    let at = shown.map_or(String::new(), |shown| format!(" at {shown}"));
    let verdict = verdict_words(support);
    let words = format!("sent {sent}, the answer has {length} {}: {verdict}{at}", unit.name());
    doc.line(&[(sign, tone.role()), (" ", Role::Plain), (&words, Role::Strong)]);
    if crate::text::width(&words) + 2 > doc.width() {
        doc.lines.pop();
        doc.text(0, &format!("{sign} {words}"), Role::Warning, 4);
    }
    if let Some(quote) = &segment.quote {
        doc.field_most(0, "quote", &format!("“{quote}”"), Role::Dim, 3);
    }
}

/// All cited sources with their scores in a line, where there are several.
fn overview(state: &State, review: &Review, supports: &[SupportRef], doc: &mut Doc) {
    let cited = state.cited();
    if cited.len() < 2 {
        return;
    }
    let citations = || supports.iter().flat_map(|support| &support.sent().citations);
    let entry = |&source: &usize| {
        let score = citations()
            .find(|citation| citation.target.source() == Some(source) && citation.score.is_some())
            .and_then(|citation| citation.score);
        let name = one_line(review.response.sources.get(source).map_or("", Source::name));
        let name = truncate(&name, 24);
        score.map_or_else(
            || format!("[{}] {name}", source + 1),
            |score| format!("[{}] {name} {}", source + 1, score_words(score)),
        )
    };
    let words: Vec<String> = cited.iter().map(entry).collect();
    let lead = if citations().any(|citation| citation.score.is_some()) { "confidence " } else { "" };
    doc.text(0, &format!("{lead}{}", words.join(" · ")), Role::Key, 3);
}

/// Where the format does not say which search found which source: that, with the first search.
fn searched(review: &Review, doc: &mut Doc) {
    let queries = &review.response.queries;
    if queries.iter().any(|query| query.trace.is_some()) {
        return;
    }
    if let Some(first) = queries.first() {
        let more = if queries.len() > 1 { format!(" and {} more", queries.len() - 1) } else { String::new() };
        doc.line(&[
            ("searched ", Role::Dim),
            (&format!("“{}”{more}", first.text), Role::Plain),
            (" (not said which found this)", Role::Dim),
        ]);
    }
}

/// The offsets as they were sent, where they fit.
fn sent_line(support: SupportRef, doc: &mut Doc) {
    let Some(segment) = &support.segment else { return };
    let part = segment.part.map(|part| format!(" of part {part}")).unwrap_or_default();
    let number = |offset: Option<i64>, absent: &str| {
        offset.map_or_else(|| absent.to_owned(), |offset| offset.to_string())
    };
    if support.kind == AnchorKind::Point {
        let sent =
            format!("point sent: {}{part} ({})", number(segment.start, "0"), support.anchor().unit.word());
        doc.text(0, &sent, Role::Dim, 2);
        return;
    }
    let sent = format!(
        "offsets sent: {}–{}{part} ({})",
        number(segment.start, "0 (not given)"),
        number(segment.end, "not given"),
        support.anchor().unit.word()
    );
    doc.text(0, &sent, Role::Dim, 2);
}

/// What the support says of itself, where it says anything.
fn support_line(review: &Review, support: SupportRef, several: bool, doc: &mut Doc) {
    let mut facts = Vec::new();
    if several {
        facts.push(format!("support {} ({})", support.index + 1, support.layer.word()));
    }
    if let Some(value) = support.score {
        facts.push(format!("grounding score {}", score(value)));
    } else if review.response.scores.graded == Some(support.layer) && support.check_required != Some(false) {
        facts.push("grounding score not given".to_owned());
    }
    match support.check_required {
        Some(false) => facts.push("needs no grounding".to_owned()),
        Some(true) => facts.push("grounding check required".to_owned()),
        None => {}
    }
    if !facts.is_empty() {
        doc.text(0, &facts.join(" · "), Role::Dim, 3);
    }
}

/// A source with the citations of the selection.
fn block(
    state: &State,
    review: &Review,
    index: usize,
    source: &Source,
    citations: &[&Citation],
    doc: &mut Doc,
) {
    heading(index, source, doc);
    address(source, doc);
    if source.kind == SourceKind::Tool {
        doc.text(4, "the result of a tool, cited as a whole: there is no document", Role::Dim, 2);
    }
    if citations.is_empty() && !review.spans.is_empty() {
        doc.line(&[("    not cited", Role::Dim)]);
    }
    // Two layers over one text cite a source twice; what they say alike is said once.
    for (number, citation) in citations.iter().enumerate() {
        let alike = |other: &&Citation| other.score == citation.score && other.link == citation.link;
        if !citations.iter().take(number).any(alike) {
            confidence(review, citation, doc);
        }
    }
    named(source, citations, doc);
    found_by(review, index, citations, doc);
    let shown = compared::windows(state, index);
    compared::bar(state, index, doc);
    passages(source, PASSAGE, &shown, doc);
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

fn heading(index: usize, source: &Source, doc: &mut Doc) {
    let number = format!("[{}] ", index + 1);
    doc.line_right(&[(&number, Role::Key), (source.name(), Role::Strong)], (source.kind.word(), Role::Dim));
    let date = source.date.as_deref().or(source.date_sent.as_deref());
    let facts: Vec<&str> = [source.publisher.as_deref(), date].into_iter().flatten().collect();
    if !facts.is_empty() {
        doc.line(&[("    ", Role::Plain), (&facts.join(" · "), Role::Dim)]);
    }
}

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

/// The provider's confidence and the trace.
fn confidence(review: &Review, citation: &Citation, doc: &mut Doc) {
    let response = &review.response;
    if let Some(value) = citation.score {
        let note = response.scores.ignored.map(|why| format!("  ({why})")).unwrap_or_default();
        doc.line(&[("    confidence ", Role::Dim), (&score(value), Role::Plain), (&note, Role::Dim)]);
    } else {
        let note = response.scores.absent.map(|why| format!(" ({why})")).unwrap_or_default();
        doc.line(&[("    confidence ", Role::Dim), ("not given", Role::Dim), (&note, Role::Dim)]);
    }
    if let (Some(tool), Target::Tool(_)) = (citation.tool(), &citation.target) {
        doc.line(&[("    tool ", Role::Dim), (tool, Role::Plain)]);
    }
    if let Some(trace) = citation.trace().and_then(|trace| Some((trace, response.traces.get(trace)?))) {
        let rule = citation.joined().map(|rule| format!(" ({})", rule.word())).unwrap_or_default();
        doc.line(&[
            ("    trace ", Role::Dim),
            (&format!("{} {}", trace.0 + 1, trace.1.name()), Role::Plain),
            (&rule, Role::Dim),
        ]);
    } else if let Some(audit) = citation.audit() {
        doc.line(&[("    trace ", Role::Dim), (&format!("{audit} matches nothing"), Role::Warning)]);
    }
}

/// The query that found it.
fn found_by(review: &Review, index: usize, citations: &[&Citation], doc: &mut Doc) {
    let response = &review.response;
    let by_result = response
        .traces
        .iter()
        .position(|trace| trace.results.iter().any(|result| result.source == Some(index)));
    let trace = citations
        .iter()
        .find_map(|citation| citation.trace())
        .or(by_result)
        .and_then(|trace| response.traces.get(trace));
    for query in
        trace.into_iter().flat_map(|trace| &trace.queries).filter_map(|&query| response.queries.get(query))
    {
        doc.line(&[("    found by ", Role::Dim), (&format!("“{}”", query.text), Role::Plain)]);
    }
}

/// Passages and reviews, or a sentence that there are none.
fn passages(source: &Source, most: usize, shown: &[Shown], doc: &mut Doc) {
    for (number, chunk) in source.chunks.iter().enumerate() {
        let window = shown.iter().find(|shown| shown.chunk == number);
        passage(number, chunk, source.chunks.len(), most, window, doc);
    }
    if let Some(data) = &source.struct_data {
        for (key, value) in data.as_object().into_iter().flatten() {
            doc.field_most(4, &format!("{key}:"), &plain(value), Role::Plain, most);
        }
    }
    reviews(source, most, shown, false, doc);
    if !source.has_text() {
        let snippet = source.chunks.iter().any(|chunk| chunk.label == Some(Label::Snippet));
        let words = match source.kind {
            _ if snippet => "a snippet only, which is not compared",
            SourceKind::Web => "this response carries no chunk text of web pages: nothing to compare with",
            SourceKind::Empty => "an empty source",
            _ => "this response carries no chunk text",
        };
        doc.text(4, words, Role::Dim, 3);
    }
}

fn passage(number: usize, chunk: &Chunk, of: usize, most: usize, window: Option<&Shown>, doc: &mut Doc) {
    let mut facts = Vec::new();
    if of > 1 {
        facts.push(format!("chunk {} of {of}", number + 1));
    }
    facts.extend(chunk.label.map(|label| label.word().to_owned()));
    facts.extend(chunk.page.as_ref().map(|page| format!("page {page}")));
    facts.extend(chunk.score.map(|value| format!("relevance to the query {}", score_words(value))));
    facts.extend(chunk.name.as_ref().map(|name| format!("chunk {}", crate::model::last_segment(name))));
    if !facts.is_empty() {
        doc.text(4, &facts.join(" · "), Role::Dim, 3);
    }
    let marks = window.map(compared::marks).unwrap_or_default();
    let show = window.map_or(0, |shown| shown.range.start);
    doc.marked(4, &chunk.text, &marks, show, most);
}

/// Reviews, whose texts are compared after the passages; `whole`: with ids, and links that can be opened.
fn reviews(source: &Source, most: usize, shown: &[Shown], whole: bool, doc: &mut Doc) {
    let is_of = |shown: &Shown, index: usize| {
        source.passage(shown.chunk).is_some_and(|passage| passage.kind == PassageKind::Review(index))
    };
    // The first links of a source are those which flag it.
    let mut links = source.flag_uris.len()..;
    let mut link = |there: bool, doc: &mut Doc| {
        if let Some(number) = (whole && there).then(|| links.next()).flatten() {
            doc.entry(Hit::Link(number));
        }
    };
    for (index, review) in source.reviews.iter().enumerate() {
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

/// A source in full.
pub(super) fn detail(state: &State, index: usize, doc: &mut Doc) {
    let Some(review) = state.review() else { return };
    let Some(source) = review.response.sources.get(index) else { return };
    heading(index, source, doc);
    doc.blank();
    let fields = [
        ("title", &source.title),
        ("address", &source.uri),
        ("domain", &source.domain),
        ("publisher", &source.publisher),
        ("date", &source.date_sent),
        ("id", &source.id),
        ("document", &source.document),
        ("called", &source.number),
        ("place", &source.place_id),
    ];
    for (label, value) in fields {
        if let Some(value) = value {
            doc.field(0, label, value, Role::Plain);
        }
    }
    for (number, flag) in source.flag_uris.iter().enumerate() {
        doc.entry(Hit::Link(number));
        doc.field(0, "flag it at", flag, Role::Address);
        doc.end();
    }
    for_selection(state, review, index, doc);
    doc.blank();
    let shown = compared::windows(state, index);
    for (number, chunk) in source.chunks.iter().enumerate() {
        let name = chunk.name.as_deref().map(|name| format!(" · {name}")).unwrap_or_default();
        doc.line(&[(&format!("chunk {} of {}{name}", number + 1, source.chunks.len()), Role::Strong)]);
        if let Some(name) = chunk.name.as_ref().filter(|name| name.contains('/')) {
            doc.field(2, "name", name, Role::Dim);
        }
        let window = shown.iter().find(|shown| shown.chunk == number);
        if let Some(score) = chunk.score {
            doc.field(4, "relevance to the query", &score.to_string(), Role::Dim);
        }
        passage(0, &Chunk { name: None, score: None, ..chunk.clone() }, 1, usize::MAX, window, doc);
        doc.blank();
    }
    let rest = Source { chunks: Vec::new(), reviews: Vec::new(), ..source.clone() };
    if rest.has_text() || !source.has_text() {
        passages(&rest, usize::MAX, &[], doc);
    }
    reviews(source, usize::MAX, &shown, true, doc);
    cited_by(review, index, doc);
    other_fields(review, Some(&source.origin), doc);
}

/// What the pane says of the source and the selected span: confidence, trace, query, wording.
fn for_selection(state: &State, review: &Review, index: usize, doc: &mut Doc) {
    let selected = state.selected_supports().flat_map(|support| &support.sent().citations);
    let citations: Vec<&Citation> =
        selected.filter(|citation| citation.target.source() == Some(index)).collect();
    if !citations.is_empty() {
        doc.line(&[("for the selected span", Role::Dim)]);
    }
    for citation in &citations {
        confidence(review, citation, doc);
    }
    found_by(review, index, &citations, doc);
    compared::bar(state, index, doc);
}

/// Addresses of a source beside its own, in the order in which `detail` lists them.
pub fn more_addresses(source: &Source) -> impl Iterator<Item = &str> {
    let reviews = source.reviews.iter().flat_map(|review| review.uri.iter().chain(&review.flag_uris));
    source.flag_uris.iter().chain(reviews).map(String::as_str)
}

/// Supports that cite it, each with the words it backs.
fn cited_by(review: &Review, index: usize, doc: &mut Doc) {
    let supports: Vec<SupportRef> = review.source(index).into_iter().flat_map(SourceRef::cited_by).collect();
    doc.blank();
    if supports.is_empty() {
        doc.line(&[("cited by nothing", Role::Dim)]);
        return;
    }
    doc.line(&[(
        &format!("cited by {} ({} goes there)", counted(supports.len(), "support"), label(Command::Open)),
        Role::Dim,
    )]);
    for support in supports {
        doc.entry(Hit::Support(support.index));
        let words =
            support.range().and_then(|range| review.text().get(range)).unwrap_or("(no place in the answer)");
        let words: String = words.chars().take(200).collect();
        doc.line(&[(&format!("  {} ", support.index + 1), Role::Key), (&words, Role::Plain)]);
        let here = support.citations.iter().filter(|citation| citation.target.source() == Some(index));
        let own = support.score.map(|score| format!("grounding score {score}"));
        let confidences = here.filter_map(|citation| Some(format!("confidence {}", citation.score?)));
        let scores: Vec<String> = own.into_iter().chain(confidences).collect();
        if !scores.is_empty() {
            doc.text(4, &scores.join(" · "), Role::Dim, 2);
        }
    }
    doc.end();
}
