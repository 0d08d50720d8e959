//! The findings pane: those of the selected span first, then the rest; and one finding in full.

use super::super::doc::{Doc, Hit};
use super::super::keymap::{Command, label};
use super::super::state::State;
use crate::check::Finding;
use crate::check::causes::index_shift::INDEX_SHIFT;
use crate::look::{Role, Tone};
use crate::review::{InputPlace, Review, SupportRef};

/// Of the two headings those that the selected claim gives no reason for.
pub fn headings_missing(state: &State) -> usize {
    let findings = state.findings();
    let mine = findings.iter().any(|finding| state.is_touched(finding));
    let rest = findings.iter().any(|finding| !state.is_touched(finding));
    usize::from(!mine) + usize::from(!rest)
}

pub(super) fn findings(state: &State, _: &Review, doc: &mut Doc) {
    let findings = state.findings();
    if findings.is_empty() {
        doc.line(&[(Tone::Good.sign(), Role::Good), (" ", Role::Good), ("nothing found", Role::Dim)]);
        return;
    }
    let numbered: Vec<(usize, &Finding)> = findings.iter().enumerate().collect();
    let (mut mine, mut rest): (Vec<_>, Vec<_>) =
        numbered.into_iter().partition(|(_, finding)| state.is_touched(finding));
    // A cause stands before what follows from it.
    let rank = |(_, finding): &(usize, &Finding)| (finding.rule.severity, finding.rule != &INDEX_SHIFT);
    mine.sort_by_key(rank);
    rest.sort_by_key(rank);
    for (title, list) in [("of the selected claim", &mine), ("of the whole response", &rest)] {
        if list.is_empty() {
            continue;
        }
        doc.line(&[(title, Role::Dim)]);
        for &(index, finding) in list.iter().take(LISTED) {
            doc.entry(Hit::Finding(index));
            let tone = Tone::from(finding.rule.severity);
            doc.line(&[(tone.sign(), tone.role()), (" ", Role::Plain), (finding.rule.id, Role::Strong)]);
            doc.text(2, &finding.message, Role::Plain, 3);
        }
        doc.end();
        if list.len() > LISTED {
            let words = format!(
                "… and {} more; {} steps through their claims",
                list.len() - LISTED,
                label(Command::NextFinding)
            );
            doc.line(&[(&words, Role::Dim)]);
        }
    }
}

/// Findings that the pane lists.
const LISTED: usize = 200;

/// A finding in full.
pub(super) fn detail(state: &State, index: usize, doc: &mut Doc) {
    let Some((review, finding)) = state.review().zip(state.findings().get(index)) else { return };
    let tone = Tone::from(finding.rule.severity);
    doc.line(&[
        (tone.sign(), tone.role()),
        (" ", Role::Plain),
        (finding.rule.id, Role::Strong),
        ("  ", Role::Plain),
        (finding.rule.severity.word(), tone.role()),
    ]);
    doc.blank();
    doc.text(0, &finding.message, Role::Plain, usize::MAX);
    doc.blank();
    doc.field(0, "rule", finding.rule.summary, Role::Plain);
    doc.field(0, "help", finding.help(), Role::Plain);
    if let Some(InputPlace { line, column, path }) = review.place(finding) {
        doc.field(0, "place", &format!("{}:{line}:{column}  {}", review.file(), path), Role::Dim);
    }
    let edits = review.edits(finding).count();
    if let Some((edit, splice)) = review.spliced(finding).next() {
        let path = review.edited(edit, splice.as_ref());
        let old = edit.old_words();
        let more = if edits > 1 { format!(" and {} more", edits - 1) } else { String::new() };
        let words = format!("`citescope fix` repairs it: {path} {old} → {}{more}", edit.new);
        doc.field(0, "fix", &words, Role::Good);
    }
    doc.field(0, "more", &format!("citescope rules {}", finding.rule.id), Role::Dim);
    places(state, finding, doc);
    if !finding.supports.is_empty() {
        doc.blank();
        doc.line(&[(&format!("supports it touches ({} goes there)", label(Command::Open)), Role::Dim)]);
    }
    for &support in finding.supports.iter().take(500) {
        doc.entry(Hit::Support(support));
        let words = review.support(support).and_then(SupportRef::words);
        let words: String = words.unwrap_or("(no place in the answer)").chars().take(200).collect();
        doc.line(&[(&format!("  {} ", support + 1), Role::Key), (&words, Role::Plain)]);
    }
    doc.end();
}

/// Words of the answer that it is about, where no support stands for them.
fn places(state: &State, finding: &Finding, doc: &mut Doc) {
    let Some(review) = state.review().filter(|_| !finding.places.is_empty()) else { return };
    doc.blank();
    doc.line(&[("words of the answer", Role::Dim)]);
    for range in finding.places.iter().take(500) {
        let words: String =
            review.response.text().get(range.clone()).unwrap_or_default().trim().chars().take(200).collect();
        doc.text(2, &words, Role::Plain, 2);
    }
}
