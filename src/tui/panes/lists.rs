//! Menus, prompts and long lists.

use super::super::copy_target::CopyTarget;
use super::super::doc::{Doc, Hit};
use super::super::keymap::{Command, label};
use super::super::state::{Filter, State};
use crate::check::Rule;
use crate::evidence::PARTLY;
use crate::look::Role;
use crate::review::Review;
use crate::text::score_words;

/// Columns of the copy menu; the preview has the rest.
const MENU: usize = 27;

/// What can be copied at the left, the beginning of what the cursor stands on at the right.
pub(super) fn copy_menu(state: &State, doc: &mut Doc) {
    let at = state.overlays.last().map_or(0, |(_, cursor)| cursor.entry);
    let mut preview = Doc::new(doc.width().saturating_sub(MENU + 2));
    let targets = CopyTarget::all();
    match state.made_preview() {
        Some(Ok(text)) => {
            preview.text(0, text, Role::Plain, targets.len());
        }
        Some(Err(why)) => {
            preview.text(0, why, Role::Dim, 3);
        }
        None => {}
    }
    for (row, target) in targets.iter().enumerate() {
        let role = match target.ready(state) {
            Ok(()) if row == at => Role::Strong,
            Ok(()) => Role::Plain,
            Err(_) => Role::Faded,
        };
        let mut entry = Doc::new(MENU);
        entry.line(&[(&format!(" {} ", target.key()), Role::Key), (target.title(), role)]);
        let mut bar = Doc::new(8);
        bar.line(&[("│ ", Role::Dim)]);
        let mut beside = Doc::new(preview.width());
        beside.lines.extend(preview.lines.get(row).cloned());
        doc.entry(Hit::Row(row));
        doc.beside(&[entry, bar, beside], &[MENU, 2]);
    }
    doc.end();
}

/// To what an export can be written.
pub(super) fn write_menu(state: &State, doc: &mut Doc) {
    let Some(review) = state.review() else { return };
    for (row, (target, menu)) in crate::export::menu().into_iter().enumerate() {
        let ready = target.needs.met_by(review).is_ok();
        doc.entry(Hit::Row(row));
        let role = if ready { Role::Plain } else { Role::Faded };
        doc.line_right(
            &[(&format!(" {} ", menu.key), Role::Key), (menu.title, role)],
            (target.id, Role::Dim),
        );
    }
    doc.end();
}

/// Filters in the order of the menu, with their keys.
pub fn filters(state: &State) -> Vec<(char, Filter, String)> {
    let mut filters = vec![
        ('a', Filter::All, "all claims".to_owned()),
        ('e', Filter::Findings, "claims with findings".to_owned()),
        ('l', Filter::LowScore, "claims with a score below 0.5".to_owned()),
        ('u', Filter::Uncited, "what cites nothing: sentences, and claims without a source".to_owned()),
    ];
    let mut rules: Vec<&'static Rule> = Vec::new();
    for finding in state.findings().iter().filter(|finding| !finding.supports.is_empty()) {
        if !rules.contains(&finding.rule) {
            rules.push(finding.rule);
        }
    }
    let digits = ('1'..='9').zip(rules);
    filters
        .extend(digits.map(|(digit, rule)| (digit, Filter::Rule(rule), format!("claims with {}", rule.id))));
    if let Some(source) = state.source() {
        let name = state
            .review()
            .and_then(|review| review.response.sources.get(source))
            .map_or("", |source| source.name());
        filters.push(('s', Filter::Source(source), format!("claims that cite [{}] {name}", source + 1)));
    }
    filters
}

pub(super) fn filter_menu(state: &State, doc: &mut Doc) {
    for (row, (key, filter, words)) in filters(state).iter().enumerate() {
        doc.entry(Hit::Row(row));
        let on = if *filter == state.filter { "●" } else { " " };
        doc.line(&[
            (&format!(" {key} "), Role::Key),
            (on, Role::Good),
            (" ", Role::Plain),
            (words, Role::Plain),
        ]);
    }
    doc.end();
}

pub(super) fn browse(address: &str, doc: &mut Doc) {
    doc.text(0, address, Role::Address, usize::MAX);
    doc.blank();
    let [open, back] = [Command::Open, Command::Back].map(label);
    doc.line(&[
        (&open, Role::Key),
        (" opens it, ", Role::Plain),
        (&back, Role::Key),
        (" does not", Role::Plain),
    ]);
}

pub(super) fn sources(state: &State, doc: &mut Doc) {
    let Some(review) = state.review() else { return };
    let cited = state.cited();
    let graded = review.response.scores.ignored.is_none();
    for (source, best) in review.sources().zip(strongest(state, review)) {
        let index = source.index;
        doc.entry(Hit::Source(index));
        let uses = source.cited_by_numbers().len();
        let uses = if uses == 0 { "not cited".to_owned() } else { format!("cited {uses}×") };
        let mark = if cited.contains(&index) { "▸" } else { " " };
        doc.line_right(
            &[
                (mark, Role::Key),
                (&format!("[{}] ", index + 1), Role::Key),
                (source.name(), Role::Plain),
                ("  ", Role::Plain),
                (source.kind.word(), Role::Dim),
            ],
            (
                [best.words(), uses].join("  ").trim_start(),
                if best.is_weak(graded) { Role::Warning } else { Role::Dim },
            ),
        );
    }
    doc.end();
    if review.response.sources.is_empty() {
        doc.line(&[("no sources in this response", Role::Dim)]);
    }
}

/// The best that is known of a source over all claims that cite it.
#[derive(Clone, Default)]
struct Best {
    confidence: Option<f64>,
    cover: Option<f64>,
}

/// Of each source, in one walk over the claims: all of them may cite all sources.
fn strongest(state: &State, review: &Review) -> Vec<Best> {
    let mut best = vec![Best::default(); review.response.sources.len()];
    let raise = |known: &mut Option<f64>, now: f64| *known = Some(known.map_or(now, |known| known.max(now)));
    for support in review.supports() {
        for citation in &support.sent().citations {
            let own = citation.target.source().and_then(|source| best.get_mut(source));
            if let Some((own, score)) = own.zip(citation.score) {
                raise(&mut own.confidence, score);
            }
        }
        let verdict = review.known_verdict(support.index).filter(|_| state.compare);
        for fit in verdict.iter().flat_map(|verdict| &verdict.fits) {
            let place = review.comparison().place(fit.window.chunk);
            if let Some(own) = place.and_then(|(source, _)| best.get_mut(source)) {
                raise(&mut own.cover, fit.cover);
            }
        }
    }
    best
}

impl Best {
    fn words(&self) -> String {
        let confidence = self.confidence.map(|score| format!("confidence {}", score_words(score)));
        let cover = self.cover.map(|cover| format!("wording {:>3.0} %", cover * 100.0));
        [confidence, cover].into_iter().flatten().collect::<Vec<_>>().join("  ")
    }

    /// Whether that is little. `graded`: the provider's scores say something.
    fn is_weak(&self, graded: bool) -> bool {
        let doubted = graded && self.confidence.is_some_and(|score| score < LOW);
        doubted || self.cover.is_some_and(|cover| cover < PARTLY)
    }
}

/// What is little of a confidence.
const LOW: f64 = 0.5;
