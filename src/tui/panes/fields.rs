//! What several panes say alike: scores, verdicts, JSON values, fields that the model has no place for.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use super::super::doc::Doc;
use super::super::keymap::{Command, label};
use crate::anchor::{Fault, Verdict};
use crate::json::scan::{Members, lenient_string, skip_value};
use crate::look::Role;
use crate::model::{AnchorKind, JsonText, Origin};
use crate::review::{Review, SupportRef};
use crate::text::{counted, score_words};

/// A score as number and bar.
pub(super) fn score(value: f64) -> String {
    format!("{} {}", score_words(value), bar(value))
}

/// The same with all its digits.
pub(super) fn score_in_full(value: f64) -> String {
    format!("{value} {}", bar(value))
}

fn bar(value: f64) -> String {
    low_bar(value, 10)
}

/// A share as a bar that stands low on the line.
pub(super) fn score_bar(value: f64) -> String {
    low_bar(value, 8)
}

/// The same of so many cells.
pub(super) fn low_bar(value: f64, cells: usize) -> String {
    let filled = (value.clamp(0.0, 1.0) * cells as f64).round() as usize;
    "▇".repeat(filled) + &"▁".repeat(cells - filled)
}

/// A verdict as people read it.
pub(super) fn verdict_words(support: SupportRef) -> &'static str {
    let anchor = support.anchor();
    match anchor.verdict {
        _ if anchor.fault == Some(Fault::NoPart) => "its part is no text of the answer",
        _ if anchor.fault == Some(Fault::Unreadable) => "an offset is no number",
        Verdict::Gone if support.quote().is_none_or(str::is_empty) => {
            "its offsets name no place in the answer"
        }
        Verdict::Exact | Verdict::AsSent if support.is_inferred() => match support.kind {
            AnchorKind::Point => "inferred from the point behind it",
            AnchorKind::TextMarker => "inferred from the marker behind it",
            _ => "inferred from the mark behind it",
        },
        Verdict::Reanchored | Verdict::Ambiguous | Verdict::Drifted if support.is_inferred() => {
            "inferred; its mark stands elsewhere than sent"
        }
        Verdict::AsSent if support.kind == AnchorKind::Block => "a cited block",
        Verdict::Exact => "quote fits",
        Verdict::AsSent => "as sent, no quote to compare",
        Verdict::Unit => "fits in another unit",
        Verdict::Base => "fits over another base",
        Verdict::Inclusive => "fits with an inclusive end",
        Verdict::Shifted => "fits when shifted",
        Verdict::Drifted => "the text was changed before it: moved to its quote",
        Verdict::Reanchored => "moved to its quote",
        Verdict::Ambiguous => "moved to the nearest of several quotes",
        Verdict::Clamped => "cut to the text",
        Verdict::Gone => "quote not in the answer",
        Verdict::Earlier => "in an earlier piece of the turn, as sent",
        Verdict::NoText => "no answer text to place it in",
        Verdict::Whole => "whole answer",
    }
}

/// A JSON value on one line: text without its quotes.
fn plain(json: &str) -> Cow<'_, str> {
    if json.starts_with('"') { lenient_string(json) } else { json.into() }
}

/// Rows of a value that are shown, and fields, and elements of a list: of more the raw JSON tells.
pub(super) const MOST: usize = 1000;

/// What stands for those that are left out.
pub(super) fn left_out(indent: usize, count: usize, doc: &mut Doc) {
    if count > 0 {
        let words = format!("… and {} more: {} shows all in the raw JSON", count, label(Command::Raw));
        doc.text(indent, &words, Role::Dim, 2);
    }
}

/// A JSON value as indented lines.
pub(super) fn value(indent: usize, value: &JsonText, doc: &mut Doc) {
    let mut rows = MOST;
    members(indent, value.as_json(), &mut rows, doc);
}

/// The same of JSON text, in as many rows as are left.
fn members(indent: usize, json: &str, rows: &mut usize, doc: &mut Doc) {
    let Some(mut all) = Members::of(json, 0).filter(|_| !matches!(json, "{}" | "[]")) else {
        doc.text(indent, &plain(json), Role::Plain, usize::MAX);
        return;
    };
    let of_object = all.of_object();
    for number in 0.. {
        if *rows == 0 {
            break;
        }
        let Some((key, at)) = all.next() else { return };
        *rows -= 1;
        let key = if of_object { key } else { format!("[{number}]").into() };
        let end = skip_value(json.as_bytes(), at).unwrap_or(json.len());
        entry(indent, &key, json.get(at..end).unwrap_or_default(), rows, doc);
    }
    left_out(indent, all.count(), doc);
}

fn entry(indent: usize, key: &str, inner: &str, rows: &mut usize, doc: &mut Doc) {
    let nested = inner.starts_with(['{', '[']) && !matches!(inner, "{}" | "[]");
    if nested {
        doc.line(&[(&" ".repeat(indent), Role::Plain), (key, Role::Dim)]);
        // Deep nesting runs out of width, not of sense.
        members((indent + 2).min(doc.width() / 2), inner, rows, doc);
    } else {
        doc.field(indent, key, &plain(inner), Role::Plain);
    }
}

/// Fields that the model has no place for: of a source or trace, or else those of the response that are in
/// neither.
pub(super) fn other_fields(review: &Review, within: Option<&Origin>, doc: &mut Doc) {
    let extras: Vec<_> = review.extras_within(within).collect();
    if extras.is_empty() {
        return;
    }
    doc.blank();
    doc.line(&[
        ("other fields", Role::Strong),
        (&format!("  {}", counted(extras.len(), "field")), Role::Dim),
    ]);
    let mut groups: Vec<(String, Vec<&JsonText>)> = Vec::new();
    let (mut by_path, mut known) = (HashMap::new(), HashSet::new());
    for extra in extras {
        let path = review.sent.spelled(&extra.origin).to_string();
        // What each frame of a stream repeats is one field; its values are listed once each.
        let group = *by_path.entry(path.clone()).or_insert(groups.len());
        if group == groups.len() {
            groups.push((path, Vec::new()));
        }
        let is_new = known.insert((group, &extra.value));
        if let Some((_, values)) = groups.get_mut(group).filter(|_| is_new) {
            values.push(&extra.value);
        }
    }
    for (path, values) in groups.iter().take(MOST) {
        field_values(path.trim_start_matches("$."), values, doc);
    }
    left_out(2, groups.len().saturating_sub(MOST), doc);
}

/// A field with its value, or its values in several frames.
fn field_values(path: &str, values: &[&JsonText], doc: &mut Doc) {
    let scalars = values.iter().all(|value| !value.as_json().starts_with(['{', '[']));
    if scalars {
        let words: Vec<Cow<str>> = values.iter().map(|value| plain(value.as_json())).collect();
        return doc.field_most(2, path, &words.join(" · "), Role::Plain, 40);
    }
    doc.line(&[("  ", Role::Plain), (path, Role::Dim)]);
    let mut rows = MOST;
    for shown in values {
        members(4, shown.as_json(), &mut rows, doc);
    }
}
