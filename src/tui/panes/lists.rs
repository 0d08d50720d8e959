//! Menus, prompts and long lists.

use std::collections::HashSet;

use super::super::copy_target::CopyTarget;
use super::super::doc::{Doc, Hit};
use super::super::keymap::{Command, label};
use super::super::state::{Filter, State};
use super::super::strength::strengths;
use crate::check::Rule;
use crate::check::causes::score_low::SCORE_LOW;
use crate::look::Role;
use crate::review::SourceRef;
use crate::text::{one_line, width};

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
        let ready = target.given_by(review, state.session.supplied().limits).is_ok();
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
        // A low score has a row of its own.
        if !rules.contains(&finding.rule) && finding.rule != &SCORE_LOW {
            rules.push(finding.rule);
        }
    }
    let digits = ('1'..='9').zip(rules);
    filters.extend(digits.map(|(digit, rule)| {
        (digit, Filter::Rule(rule), format!("claims with {}: {}", rule.id, rule.summary))
    }));
    if let Some(source) = state.source() {
        let name = state
            .review()
            .and_then(|review| review.source(source).map(SourceRef::sent))
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
    let cited: HashSet<usize> = state.cited().into_iter().collect();
    let graded = review.response.scores.ignored.is_none();
    let known = strengths(review, state.compare);
    for index in state.source_order() {
        let (Some(source), Some(best)) = (review.source(index), known.get(index)) else {
            continue;
        };
        doc.entry(Hit::Source(index));
        let uses = source.cited_by_numbers().len();
        let uses = if uses == 0 { "not cited".to_owned() } else { format!("cited {uses}×") };
        let mark = if cited.contains(&index) { "▸" } else { " " };
        let number = format!("[{}] ", index + 1);
        let figures = [best.words(), uses].join("  ");
        let role = if best.is_weak(graded) { Role::Warning } else { Role::Dim };
        let name = one_line(source.name());
        let lead = [(mark, Role::Key), (&number, Role::Key), (&name, Role::Plain)];
        let kind = [("  ", Role::Plain), (source.kind.word(), Role::Dim)];
        let of = |pieces: &[(&str, Role)]| pieces.iter().map(|(text, _)| width(text)).sum::<usize>();
        let room = doc.width().saturating_sub(width(figures.trim_start()) + 2);
        if of(&lead) + of(&kind) <= room {
            doc.line_right(&[&lead[..], &kind].concat(), (figures.trim_start(), role));
        } else if of(&lead) <= room {
            doc.line_right(&lead, (figures.trim_start(), role));
        } else {
            // What it is called counts for more than that all is in one row.
            doc.line(&lead);
            let indent = " ".repeat(1 + width(&number));
            let kind = if indent.len() + of(&kind) <= room { kind[1] } else { kind[0] };
            doc.line_right(&[(&indent, Role::Plain), kind], (figures.trim_start(), role));
        }
    }
    doc.end();
    if review.response.sources.is_empty() {
        doc.line(&[("no sources in this response", Role::Dim)]);
    }
}
