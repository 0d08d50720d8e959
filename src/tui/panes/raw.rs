//! JSON as it was sent, with its place in the input.

use super::super::doc::Doc;
use super::super::keymap::{Command, label};
use super::super::state::State;
use crate::look::Role;
use crate::model::Origin;

/// Bytes that are shown; copying takes the whole.
const SHOWN: usize = 400_000;

pub(super) fn raw(state: &State, origin: &Origin, doc: &mut Doc) {
    let Some(review) = state.review() else { return };
    let Some((place, text)) = review.sent.place(origin).zip(review.sent.raw(origin)) else {
        doc.text(0, "this has no place of its own in the input", Role::Dim, 2);
        return;
    };
    doc.line(&[(&format!("{}:{}:{}", review.file(), place.line, place.column), Role::Dim)]);
    doc.blank();
    let shown = text.get(..text.floor_char_boundary(SHOWN)).unwrap_or(text);
    // One long line reads better with its structure; a laid-out text stays as it is.
    let pretty =
        (!shown.contains('\n')).then(|| serde_json::from_str::<serde_json::Value>(shown).ok()).flatten();
    let pretty = pretty.and_then(|value| serde_json::to_string_pretty(&value).ok());
    let shown = pretty.unwrap_or_else(|| dedented(shown));
    doc.text(0, &review.sent.shown(&shown, origin), Role::Plain, usize::MAX);
    if text.len() > SHOWN {
        let words = format!("… {} more bytes; {} copies all of it", text.len() - SHOWN, label(Command::Copy));
        doc.line(&[(&words, Role::Dim)]);
    }
}

/// Without the indentation that all lines but the first share: the first begins at its brace.
fn dedented(text: &str) -> String {
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let shared = text.lines().skip(1).filter(|line| !line.trim().is_empty()).map(indent).min().unwrap_or(0);
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default().to_owned();
    lines.fold(first, |out, line| out + "\n" + line.get(shared..).unwrap_or_default())
}
