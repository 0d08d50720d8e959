//! What a repair would change, number by number, with the words that each names before and after.

use super::super::doc::Doc;
use super::super::keymap::{Command, label};
use super::super::state::State;
use crate::look::Role;
use crate::text::{counted, plural};

/// Supports that are shown one by one.
const LISTED: usize = 200;

pub(super) fn repair(state: &State, doc: &mut Doc) {
    let Some(review) = state.review() else { return };
    let repairs = review.repairs();
    if repairs.edits.is_empty() {
        doc.line(&[("nothing can be repaired with certainty", Role::Strong)]);
        return refused(state, doc);
    }
    let mut supports: Vec<usize> = repairs.edits.iter().map(|edit| edit.support).collect();
    supports.dedup();
    let words = format!(
        "{} of {} would change, in {} of {}",
        plural(repairs.edits.len(), "number", "numbers"),
        crate::text::one_line(review.file()),
        counted(supports.len(), "support"),
        review.response.supports.len()
    );
    doc.text(0, &words, Role::Strong, 2);
    let [open, place, back] = [Command::Open, Command::RepairInPlace, Command::Back].map(label);
    let words =
        format!("{open} writes a copy beside the file, {place} repairs the file itself, {back} does nothing");
    doc.text(0, &words, Role::Dim, 2);
    for &support in supports.iter().take(LISTED) {
        doc.blank();
        change(state, support, doc);
    }
    if supports.len() > LISTED {
        doc.line(&[(&format!("… and {} more", counted(supports.len() - LISTED, "support")), Role::Dim)]);
    }
    if !repairs.refused.is_empty() {
        doc.blank();
        doc.line(&[("left as they are", Role::Strong)]);
    }
    refused(state, doc);
}

/// What is left as it is, and why.
fn refused(state: &State, doc: &mut Doc) {
    let Some(repairs) = state.review().map(|review| review.repairs()) else { return };
    for (support, refusal) in repairs.refused.iter().take(LISTED) {
        doc.field(2, &format!("support {}", support + 1), refusal.words(), Role::Plain);
    }
    let more = repairs.refused.len().saturating_sub(LISTED);
    if more > 0 {
        doc.line(&[(&format!("  … and {} more", counted(more, "support")), Role::Dim)]);
    }
}

fn change(state: &State, index: usize, doc: &mut Doc) {
    let Some((review, support)) = state.review().and_then(|review| Some((review, review.support(index)?)))
    else {
        return;
    };
    doc.line(&[(&format!("support {}", index + 1), Role::Strong)]);
    let before = review.as_sent(index).and_then(|range| review.text().get(range));
    doc.field_most(
        2,
        "named",
        &before.map_or_else(|| "nothing".to_owned(), |words| format!("“{words}”")),
        Role::Dim,
        2,
    );
    let after = support.range().and_then(|range| review.text().get(range));
    doc.field_most(
        2,
        "will name",
        &after.map_or_else(|| "nothing".to_owned(), |words| format!("“{words}”")),
        Role::Plain,
        2,
    );
    let mut shown = String::new();
    for (edit, splice) in review.splices(review.repairs().of(index)) {
        let path = review.edited(edit, splice.as_ref()).to_string();
        let (object, key) = path.rsplit_once('.').unwrap_or(("", &path));
        if object != shown {
            doc.text(2, object, Role::Dim, usize::MAX);
            object.clone_into(&mut shown);
        }
        doc.text(2, &format!("- {key}: {}", edit.old_words()), Role::Fault, usize::MAX);
        doc.text(2, &format!("+ {key}: {}", edit.new), Role::Good, usize::MAX);
    }
}
