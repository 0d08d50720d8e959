//! The sources pane: what backs the selected claim, a card a source.

use std::collections::{HashMap, HashSet};

use super::super::answer::selected_range;
use super::super::doc::{Doc, Hit};
use super::super::standing::{of_span, of_support, sentences};
use super::super::state::State;
use super::card::{Backing, card, finders};
use super::compared;
use super::fields::{MOST, left_out, score, score_bar, verdict_words};
use crate::anchor::Verdict;
use crate::check::{Finding, Severity};
use crate::look::{Role, Tone};
use crate::model::{AnchorKind, Citation, Response, Source, SourceKind, Target};
use crate::review::{Places, Review, SourceRef, SupportRef};
use crate::text::{counted, one_line, plural, score_words, truncate};

/// Sources that are named for a sentence that cites none.
const NEAREST: usize = 3;

/// How many sources the selected span cites.
pub(super) fn subtitle(state: &State, review: &Review) -> String {
    let sources = review.response.sources.len();
    if review.spans.is_empty() {
        counted(sources, "source")
    } else {
        let what = if state.sentence.is_some() { "sentence" } else { "claim" };
        format!("this {what}: {} of {sources}", state.cited().len())
    }
}

/// `1/4`: of the selected claim, and of all; where all are cited, or none is selected, one number.
pub(super) fn count(state: &State) -> String {
    let (cited, all) =
        (state.cited().len(), state.review().map_or(0, |review| review.response.sources.len()));
    if cited == all { all.to_string() } else { format!("{cited}/{all}") }
}

pub(super) fn cited(state: &State, review: &Review, doc: &mut Doc) {
    let response = &review.response;
    if review.spans.is_empty() {
        return unused(state, response, doc);
    }
    decided(state, doc);
    if let Some(sentence) = state.sentence {
        return bare_sentence(state, review, sentence, doc);
    }
    let supports: Vec<SupportRef> = state.selected_supports().collect();
    let (shown, more) = state.shown_together();
    let together: Vec<SupportRef> = supports.iter().take(shown.len()).copied().collect();
    for &support in &together {
        faults(state, support, doc);
    }
    doubts(review, &together, doc);
    overview(state, review, &supports, doc);
    // Two layers over one text share a span; what would be said twice is said once.
    for (place, &support) in together.iter().enumerate() {
        if !together.iter().take(place).any(|other| other.cited() == support.cited()) {
            compared::sentence(state, review, support, doc);
        }
    }
    for &support in &together {
        support_line(review, support, supports.len() > 1, doc);
    }
    if more > 0 {
        let words = format!("… and {} of the same words", plural(more, "more support", "more supports"));
        doc.text(0, &words, Role::Dim, usize::MAX);
    }
    let mut first = true;
    let (by_source, covers, finders) = (by_source(&supports), compared::covers(state), finders(response));
    for source in state.cited() {
        let citations = by_source.get(&source).map_or(&[][..], Vec::as_slice);
        let Some(entry) = response.sources.get(source) else { continue };
        if !std::mem::take(&mut first) {
            doc.blank();
        }
        doc.entry(Hit::Source(source));
        let (cover, found) = (covers.get(&source).copied(), finders.get(&source).copied());
        card(state, source, entry, Backing { citations, cover, found }, doc);
    }
    doc.end();
    without_source(state, review, &supports, doc);
    searched(review, doc);
    notes(state, review, doc);
}

/// The citations of each source.
fn by_source<'a>(supports: &[SupportRef<'a>]) -> HashMap<usize, Vec<&'a Citation>> {
    let mut all: HashMap<usize, Vec<&Citation>> = HashMap::new();
    for citation in supports.iter().flat_map(|support| &support.sent().citations) {
        if let Some(source) = citation.target.source() {
            all.entry(source).or_default().push(citation);
        }
    }
    all
}

/// The sources of a response in which no words cite one.
fn unused(state: &State, response: &Response, doc: &mut Doc) {
    let (sources, finders) = (&response.sources, finders(response));
    let why = if sources.is_empty() {
        "no supports and no sources: nothing is cited"
    } else {
        "no supports: these sources came back, but no words rest on them"
    };
    doc.text(0, why, Role::Dim, usize::MAX);
    for (index, source) in sources.iter().enumerate() {
        doc.blank();
        doc.entry(Hit::Source(index));
        let backing = Backing { found: finders.get(&index).copied(), ..Backing::default() };
        card(state, index, source, backing, doc);
    }
    doc.end();
}

/// The citations of the selected claim that lead nowhere, or that it has none.
fn without_source(state: &State, review: &Review, supports: &[SupportRef], doc: &mut Doc) {
    let dangling = supports.iter().flat_map(|support| &support.sent().citations).filter_map(|citation| {
        let Target::Dangling(sent) = &citation.target else { return None };
        Some((sent, citation.score.map_or_else(String::new, |score| format!("; confidence {score}"))))
    });
    // What would be said twice is said once.
    let mut told = HashSet::new();
    let different: Vec<_> = dangling.filter(|dangling| told.insert(dangling.clone())).collect();
    if !different.is_empty() {
        let sign = of_span(review, state.span, state.compare).sign();
        let by_mark = supports.iter().any(|support| support.kind == AnchorKind::TextMarker);
        for (sent, score) in different.iter().take(MOST) {
            let words = unresolved(by_mark, sent, &review.response);
            doc.text(0, &format!("{sign} {words}{score}"), Role::Warning, 3);
        }
        left_out(0, different.len().saturating_sub(MOST), doc);
    }
    if supports.iter().all(|support| support.sent().citations.is_empty()) {
        let words = if supports.iter().any(|support| support.grade.check_required == Some(false)) {
            "no source: said to need no grounding"
        } else {
            "this claim cites no source"
        };
        doc.text(0, words, Role::Dim, usize::MAX);
    }
}

/// What was decided of the selection, and why.
fn decided(state: &State, doc: &mut Doc) {
    let mark = selected_range(state).and_then(|range| state.mark_of(&range));
    let Some(mark) = mark else { return };
    let by = if mark.by.is_empty() { String::new() } else { format!(" by {}", mark.by) };
    doc.text(0, &format!("{} marked {}{by}", mark.label.sign(), mark.label.word()), Role::Key, 1);
    if !mark.note.is_empty() {
        doc.text(2, &mark.note, Role::Plain, 4);
    }
}

/// What is cited by nothing: the sentence, and which passages hold most of it.
fn bare_sentence(state: &State, review: &Review, sentence: usize, doc: &mut Doc) {
    doc.text(0, "this sentence cites nothing", Role::Dim, 2);
    let Some(range) = sentences(state).get(sentence).cloned() else { return };
    if !review.is_indexed() {
        return;
    }
    let near = review.nearest(&range, NEAREST);
    if near.is_empty() {
        return;
    }
    doc.blank();
    doc.text(0, "sources that hold most of its words:", Role::Dim, 2);
    for (source, cover) in near {
        let Some(entry) = review.source(source).map(SourceRef::sent) else { continue };
        doc.entry(Hit::Source(source));
        let right = format!("{} {:.0} %", score_bar(cover), cover * 100.0);
        doc.line_right(
            &[(&format!("[{}] ", source + 1), Role::Key), (entry.name(), Role::Strong)],
            (&right, Role::Plain),
        );
        doc.end();
    }
}

/// What a reference that resolves to nothing names: a mark of the text, an id, an index.
fn unresolved(by_mark: bool, sent: &str, response: &Response) -> String {
    let sources = response.sources.len();
    let there = if sources == 0 {
        "there are no sources".to_owned()
    } else {
        format!("there are [1] to [{sources}]")
    };
    if by_mark {
        return format!("the mark {sent} names no source; {there}");
    }
    if response.refers_by_id() || sent.parse::<i64>().is_err() {
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
    let Some(review) = state.review() else { return };
    let standing = of_support(review, support, state.compare);
    let sign = standing.sign();
    let Places { sent, shown, length, unit, .. } = support.places();
    let at = shown.map_or(String::new(), |shown| format!(" at {shown}"));
    let verdict = verdict_words(support);
    let moved = support.anchor().verdict == Verdict::Reanchored && !support.is_inferred();
    let words = if moved && !at.is_empty() {
        format!("sent {sent}, its quote stands{at}; the answer has {length} {}", unit.name())
    } else {
        format!("sent {sent}, the answer has {length} {}: {verdict}{at}", unit.name())
    };
    doc.line(&[(sign, standing.role()), (" ", Role::Plain), (&words, Role::Strong)]);
    if crate::text::width(&words) + 2 > doc.width() {
        doc.lines.pop();
        doc.text(0, &format!("{sign} {words}"), Role::Strong, 4);
    }
    if let Some(quote) = &segment.quote {
        doc.field_most(0, "quote", &format!("“{quote}”"), Role::Dim, 3);
    }
}

/// What is wrong with the claim beside its place and its words: it gave the sign.
fn doubts(review: &Review, supports: &[SupportRef], doc: &mut Doc) {
    let mine = |finding: &&Finding| {
        let touches = |support: &SupportRef| {
            !support.is_misfit()
                && !support.dangles()
                && finding.supports.binary_search(&support.index).is_ok()
        };
        finding.rule.severity < Severity::Note && !finding.rule.is_content() && supports.iter().any(touches)
    };
    for finding in review.findings_so_far().iter().filter(mine).take(2) {
        let tone = Tone::from(finding.rule.severity);
        doc.line(&[(tone.sign(), tone.role()), (" ", Role::Plain), (finding.rule.summary, Role::Strong)]);
    }
}

/// All cited sources with their scores in a line, where there are several.
fn overview(state: &State, review: &Review, supports: &[SupportRef], doc: &mut Doc) {
    let cited = state.cited();
    if cited.len() < 3 {
        return;
    }
    let by_source = by_source(supports);
    let entry = |&source: &usize| {
        let own = by_source.get(&source).map_or(&[][..], Vec::as_slice);
        let score = own.iter().find_map(|citation| citation.score);
        let name = one_line(review.source(source).map(SourceRef::sent).map_or("", Source::name));
        let name = truncate(&name, 24);
        score.map_or_else(
            || format!("[{}] {name}", source + 1),
            |score| format!("[{}] {name} {}", source + 1, score_words(score)),
        )
    };
    let words: Vec<String> = cited.iter().map(entry).collect();
    let mut all = supports.iter().flat_map(|support| &support.sent().citations);
    let lead = if all.any(|citation| citation.score.is_some()) { "confidence " } else { "" };
    doc.text(0, &format!("{lead}{}", words.join(" · ")), Role::Key, 3);
}

/// Where the format does not say which search found which source: that, with the first search.
pub(super) fn searched(review: &Review, doc: &mut Doc) {
    let queries = &review.response.queries;
    if queries.iter().any(|query| query.trace.is_some()) {
        return;
    }
    if let Some(first) = queries.first() {
        let more = if queries.len() > 1 { format!(" and {} more", queries.len() - 1) } else { String::new() };
        let words = format!("searched “{}”{more} (not said which found this)", one_line(&first.text));
        doc.text(0, &words, Role::Dim, 3);
    }
}

/// What holds for the whole response and is said once: no confidences, no text of web pages.
fn notes(state: &State, review: &Review, doc: &mut Doc) {
    let response = &review.response;
    let cited = state.cited();
    let sources = || cited.iter().filter_map(|&source| response.sources.get(source));
    let citations = || state.selected_supports().flat_map(|support| &support.sent().citations);
    let mut notes = Vec::new();
    let told = state.compare && sources().all(|source| !source.has_text());
    if !told && sources().any(|source| source.kind == SourceKind::Web && !source.has_text()) {
        notes.push("no text of web pages was sent: nothing to compare with".to_owned());
    }
    if let Some(why) =
        response.scores.ignored.filter(|_| citations().any(|citation| citation.score.is_some()))
    {
        notes.push(why.to_owned());
    }
    let unscored = citations().next().is_some() && citations().all(|citation| citation.score.is_none());
    if unscored && let Some(why) = response.scores.absent {
        notes.push(format!("confidence not given: {why}"));
    }
    for note in notes {
        doc.text(0, &note, Role::Dim, 2);
    }
}

/// What the support says of itself, where it says anything.
fn support_line(review: &Review, support: SupportRef, several: bool, doc: &mut Doc) {
    let mut facts = Vec::new();
    if several {
        facts.push(format!("support {} ({})", support.index + 1, support.layer.word()));
    }
    if let Some(value) = support.grade.score {
        facts.push(format!("grounding score {}", score(value)));
    } else if review.response.scores.graded == Some(support.layer)
        && support.grade.check_required != Some(false)
    {
        facts.push("grounding score not given".to_owned());
    }
    match support.grade.check_required {
        Some(false) => facts.push("needs no grounding".to_owned()),
        Some(true) => facts.push("grounding check required".to_owned()),
        None => {}
    }
    if !facts.is_empty() {
        doc.text(0, &facts.join(" · "), Role::Dim, 3);
    }
}
