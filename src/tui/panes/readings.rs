//! One support read in each unit, side by side: what a program sees that counts bytes, characters or UTF-16
//! units.

use std::ops::Range;

use super::super::doc::Doc;
use super::super::state::State;
use super::fields::verdict_words;
use crate::anchor::{self, FitProof, Resolved, Units};
use crate::look::{Role, Tone};
use crate::model::{Segment, Unit};
use crate::review::repair::sent_words;
use crate::review::{Review, SupportRef};

/// Bytes of the answer shown on either side of a segment.
const AROUND: usize = 40;
/// Rows of each reading.
const ROWS: usize = 8;

pub(super) fn readings(state: &State, support: usize, doc: &mut Doc) {
    let Some(review) = state.review() else { return };
    let Some(support) = review.support(support) else { return };
    let Some(segment) = &support.sent().segment else { return };
    sent(review, segment, doc);
    conclusion(review, support, doc);
    doc.blank();
    if let Some(odd) = &segment.unreadable {
        doc.text(0, &format!("{odd} is no whole number: no unit can be tried"), Role::Warning, 3);
        return;
    }
    let units = review.units();
    let wide = doc.width() >= 90;
    let width = if wide { doc.width() / 3 - 1 } else { doc.width() };
    let columns: Vec<Doc> =
        Unit::ALL.into_iter().map(|unit| column(review, &units, segment, unit, width)).collect();
    if wide {
        doc.beside(&columns, &[width + 1; 2]);
    } else {
        doc.lines.extend(columns.into_iter().flat_map(|column| column.lines));
    }
}

/// What was sent, and what it counts in.
fn sent(review: &Review, segment: &Segment, doc: &mut Doc) {
    let part = segment.part.map_or_else(String::new, |part| format!(" of part {part}"));
    let words = |offset: Option<i64>| match &segment.unreadable {
        Some(_) if offset.is_none() => "?".to_owned(),
        _ => sent_words(offset),
    };
    let read = if segment.unreadable.is_none() { ", read below in each unit" } else { "" };
    let offsets = format!("{}..{}{part}{read}", words(segment.start), words(segment.end));
    doc.field(0, "sent", &offsets, Role::Strong);
    match segment.quote.as_deref().filter(|quote| !quote.is_empty()) {
        Some(quote) => doc.field_most(0, "quote", quote, Role::Plain, 4),
        None => doc.field(0, "quote", "(none sent: nothing to compare with)", Role::Dim),
    }
    let text = review.response.text();
    let units = review.units();
    let lengths: Vec<String> =
        Unit::ALL.map(|unit| format!("{} {}", units.count(unit, text.len()), unit.name())).to_vec();
    doc.field(0, "answer", &lengths.join(", "), Role::Dim);
}

fn column(review: &Review, units: &Units, segment: &Segment, unit: Unit, width: usize) -> Doc {
    let mut doc = Doc::new(width);
    let (range, resolved) = anchor::read_as(&review.response, units, segment, unit);
    let documented = if unit == review.response.unit { "documented · " } else { "" };
    let counts = match unit {
        Unit::Bytes => "Go, Rust, C",
        Unit::Characters => "Python",
        Unit::Utf16 => "JavaScript, Java",
    };
    doc.line(&[
        ("as ", Role::Dim),
        (unit.name(), Role::Strong),
        (&format!("  ({documented}{counts})"), Role::Dim),
    ]);
    let (tone, words) = verdict(review.response.text(), segment, &resolved);
    doc.line(&[(tone.sign(), tone.role()), (" ", Role::Plain), (words, tone.role())]);
    match range {
        Some(range) => excerpt(review.response.text(), &range, &mut doc),
        None => doc.line(&[("nothing stands there", Role::Dim)]),
    }
    doc.blank();
    doc
}

fn verdict(answer: &str, segment: &Segment, resolved: &Resolved) -> (Tone, &'static str) {
    let quote = segment.quote.as_deref().filter(|quote| !quote.is_empty());
    match (&resolved.range, quote) {
        _ if resolved.split => (Tone::Error, "inside a character"),
        (None, _) => (Tone::Error, "outside the answer"),
        (Some(range), Some(quote)) if answer.get(range.clone()) == Some(quote) => {
            (Tone::Good, "holds the quote")
        }
        (Some(_), Some(_)) => (Tone::Error, "other words than the quote"),
        (Some(_), None) => (Tone::Quiet, "lies in the answer"),
    }
}

/// The words, with some of what stands around them.
fn excerpt(answer: &str, range: &Range<usize>, doc: &mut Doc) {
    let from = answer.floor_char_boundary(range.start.saturating_sub(AROUND));
    let to = answer.ceil_char_boundary((range.end + AROUND).min(answer.len()));
    let [before, behind] = [from > 0, to < answer.len()].map(|cut| if cut { "…" } else { "" });
    let text = format!("{before}{}{behind}", answer.get(from..to).unwrap_or_default());
    let mark = range.start + before.len() - from..range.end + before.len() - from;
    doc.marked(0, &text, &[(0..text.len(), Role::Dim), (mark.clone(), Role::Selected)], mark.start, ROWS);
}

/// How the segments of the response fit in each unit.
fn votes(review: &Review, doc: &mut Doc) {
    let fit = &review.fit;
    let unit = fit.reading.unit.name();
    let (words, role) = match (review.votes(), fit.proof) {
        (None, _) => ("the answer is ASCII: the units are the same".to_owned(), Role::Dim),
        (_, FitProof::None) => {
            (format!("{unit}, as documented; there are no quotes to test it by"), Role::Dim)
        }
        (_, FitProof::Boundaries) => (format!("{unit}, by where they end; there are no quotes"), Role::Plain),
        (Some(votes), _) => {
            let fitting = votes.into_iter().zip(Unit::ALL);
            let words: Vec<String> =
                fitting.map(|(fits, unit)| format!("{fits} as {}", unit.name())).collect();
            (format!("of {} fit {}", fit.of, words.join(", ")), Role::Plain)
        }
    };
    doc.field(0, "all segments:", &words, role);
}

/// Where the support is shown, how the others fit, and what a repair writes.
fn conclusion(review: &Review, support: SupportRef, doc: &mut Doc) {
    let unit = review.response.unit;
    let units = review.units();
    let count = |byte: usize| units.count(unit, byte);
    let range = support.range();
    let label = if range.is_some() { "shown at" } else { "shown" };
    let place = range.map_or_else(String::new, |range| {
        format!("{}..{} in {} · ", count(range.start), count(range.end), unit.name())
    });
    doc.field(0, label, &format!("{place}{}", verdict_words(support)), Role::Plain);
    votes(review, doc);
    let repairs = review.repairs();
    for edit in repairs.of(support.index) {
        let old = edit.old_words();
        let key = edit.key(&review.response).unwrap_or_default();
        doc.field(
            0,
            "repair",
            &format!("{key} {old} → {} (`citescope fix` writes it)", edit.new),
            Role::Good,
        );
    }
    if let Some((_, refusal)) = repairs.refused.iter().find(|(refused, _)| *refused == support.index) {
        doc.field(0, "no repair:", refusal.words(), Role::Dim);
    }
}
