//! A source in full: what was sent of it, what it backs, and what the selected claim has of it.

use super::super::doc::{Doc, Hit};
use super::super::keymap::{Command, label};
use super::super::state::State;
use super::card::{Backing, bars, finders, heading, passage, passages, provenance, reviews};
use super::compared;
use super::fields::other_fields;
use crate::look::Role;
use crate::model::{Chunk, Citation, Source};
use crate::review::{Review, SourceRef, SupportRef};
use crate::text::counted;

/// A source in full.
pub(super) fn detail(state: &State, index: usize, doc: &mut Doc) {
    let Some(review) = state.review() else { return };
    let Some(source) = review.source(index).map(SourceRef::sent) else { return };
    heading(index, source, doc);
    for (number, flag) in source.place.flag_uris.iter().enumerate() {
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
        passage(None, &Chunk { name: None, score: None, ..chunk.clone() }, usize::MAX, window, doc);
        doc.blank();
    }
    let mut rest = Source { chunks: Vec::new(), ..source.clone() };
    if let Some(place) = rest.place.get_mut() {
        place.reviews.clear();
    }
    if rest.has_text() || !source.has_text() {
        passages(&rest, usize::MAX, &[], &[], doc);
    }
    reviews(source, usize::MAX, &shown, true, doc);
    known(source, doc);
    neighbours(review, index, doc);
    cited_by(review, index, doc);
    other_fields(review, Some(&source.origin), doc);
}

/// What was sent of it beside its words.
fn known(source: &Source, doc: &mut Doc) {
    doc.blank();
    let fields = [
        ("title", &source.title.clone().filter(|title| title != source.name())),
        ("address", &source.uri),
        ("domain", &source.domain),
        ("publisher", &source.published.publisher),
        ("date", &source.published.date_sent),
        ("id", &source.id),
        ("document", &source.document),
        ("called", &source.number),
        ("place", &source.place.id),
    ];
    for (label, value) in fields {
        if let Some(value) = value {
            doc.field(0, label, value, Role::Plain);
        }
    }
}

/// Other passages of the same document, in the order of its pages.
fn neighbours(review: &Review, index: usize, doc: &mut Doc) {
    let sources = &review.response.sources;
    let Some(own) = sources.get(index) else { return };
    let given = |text: &Option<String>| text.as_deref().filter(|text| !text.is_empty()).map(str::to_owned);
    let same = |source: &Source| match (given(&own.document), given(&own.uri)) {
        (Some(document), _) => source.document.as_deref() == Some(&document),
        (None, Some(uri)) => source.uri.as_deref() == Some(&uri),
        (None, None) => false,
    };
    let page = |source: &Source| source.chunks.first().and_then(|chunk| chunk.page.clone());
    let number = |source: &Source| -> Option<u64> {
        let digits: String = page(source)?.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().ok()
    };
    let mut others: Vec<(usize, &Source)> =
        sources.iter().enumerate().filter(|(_, source)| same(source)).collect();
    if others.len() < 2 {
        return;
    }
    others.sort_by_key(|(other, source)| (number(source), *other));
    doc.blank();
    doc.line(&[("of the same document", Role::Dim)]);
    for (other, source) in others {
        doc.entry(Hit::Source(other));
        let here = if other == index { "▸ " } else { "  " };
        let page = page(source).map_or_else(String::new, |page| format!("page {page}  "));
        let words = source.chunks.first().map_or("", |chunk| chunk.text.as_str());
        let words: String = words.chars().take(200).collect();
        doc.line(&[
            (here, Role::Key),
            (&format!("[{}] ", other + 1), Role::Key),
            (&page, Role::Dim),
            (&words, Role::Plain),
        ]);
    }
    doc.end();
}

/// What the pane says of the source and the selected span: confidence, trace, query, wording.
fn for_selection(state: &State, review: &Review, index: usize, doc: &mut Doc) {
    let selected = state.selected_supports().flat_map(|support| &support.sent().citations);
    let citations: Vec<&Citation> =
        selected.filter(|citation| citation.target.source() == Some(index)).collect();
    if !citations.is_empty() {
        doc.line(&[("for the selected claim", Role::Dim)]);
    }
    let cover = compared::covers(state).get(&index).copied();
    let found = finders(&review.response).get(&index).copied();
    bars(&citations, cover, doc);
    provenance(review, Backing { citations: &citations, cover, found }, doc);
    super::sources::searched(review, doc);
}

/// Addresses of a source beside its own, in the order in which `detail` lists them.
pub fn more_addresses(source: &Source) -> impl Iterator<Item = &str> {
    let reviews = source.place.reviews.iter().flat_map(|review| review.uri.iter().chain(&review.flag_uris));
    source.place.flag_uris.iter().chain(reviews).map(String::as_str)
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
            support.range().and_then(|range| review.text().get(range)).unwrap_or(if support.earlier {
                "(of an earlier piece of the turn)"
            } else {
                "(no place in the answer)"
            });
        let words: String = words.chars().take(200).collect();
        doc.line(&[(&format!("  {} ", support.index + 1), Role::Key), (&words, Role::Plain)]);
        let here = support.citations.iter().filter(|citation| citation.target.source() == Some(index));
        let own = support.grade.score.map(|score| format!("grounding score {score}"));
        let confidences = here.filter_map(|citation| Some(format!("confidence {}", citation.score?)));
        let scores: Vec<String> = own.into_iter().chain(confidences).collect();
        if !scores.is_empty() {
            doc.text(4, &scores.join(" · "), Role::Dim, 2);
        }
    }
    doc.end();
}
