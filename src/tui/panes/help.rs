//! Help, from the key table: in two columns where there is room.

use super::super::doc::Doc;
use super::super::keymap::{Command, bindings, label};
use super::super::standing::Standing;
use crate::look::Role;

/// Columns from which on help stands in two.
const TWO: usize = 96;

pub(super) fn help(doc: &mut Doc) {
    let width = if doc.width() >= TWO { doc.width() / 2 - 2 } else { doc.width() };
    let mut parts = vec![signs(width)];
    parts.extend(groups(width));
    if doc.width() < TWO {
        for part in parts {
            doc.lines.extend(part.lines);
            doc.blank();
        }
    } else {
        let mut columns = [Doc::new(width), Doc::new(width)];
        let whole: usize = parts.iter().map(|part| part.lines.len() + 1).sum();
        for part in parts {
            let right =
                columns.first().is_some_and(|left| (left.lines.len() + part.lines.len()) * 2 > whole + 6);
            let full = columns.last().is_some_and(|right| !right.lines.is_empty());
            if let Some(column) = columns.get_mut(usize::from(right || full)) {
                column.lines.extend(part.lines);
                column.blank();
            }
        }
        doc.beside(&columns, &[width + 4]);
    }
    let words = format!(
        "{} looks for words in this help, {} for a command. Click claims, numbers, sources, titles and the hints \
         below; the wheel scrolls. Hold Shift (Option on a Mac) to select text, or press {}.",
        label(Command::Search),
        label(Command::Palette),
        label(Command::Mouse)
    );
    doc.text(0, &words, Role::Dim, usize::MAX);
}

fn groups(width: usize) -> Vec<Doc> {
    let mut parts: Vec<(&str, Doc)> = Vec::new();
    for binding in bindings() {
        if parts.last().is_none_or(|(group, _)| *group != binding.group) {
            let mut part = Doc::new(width);
            part.line(&[(binding.group, Role::Strong)]);
            parts.push((binding.group, part));
        }
        if let Some((_, part)) = parts.last_mut() {
            part.field(2, &format!("{:<14}", binding.written().join(" ")), binding.doc, Role::Plain);
        }
    }
    parts.into_iter().map(|(_, part)| part).collect()
}

/// What the answer shows.
fn signs(width: usize) -> Doc {
    let mut doc = Doc::new(width);
    doc.line(&[("What the answer shows", Role::Strong)]);
    for standing in Standing::ALL {
        let first = doc.lines.len();
        doc.field(2, &format!("{:<6}", standing.sign()), standing.words(), Role::Plain);
        if let Some(piece) = doc.lines.get_mut(first).and_then(|line| line.pieces.first_mut()) {
            piece.1 = standing.role();
        }
    }
    for (sign, words) in [
        ("▌", "rows of what is selected; at the left the worst two signs of each row"),
        ("│ ┃", "at the right the whole answer, the worst sign of each part; ┃ is what is in view"),
        ("[2]", "sources count from 1: the provider's index + 1; coloured by where the claim stands"),
        ("[2!]", "the claim is in doubt, as the sign at its left says"),
        ("[4→3?]", "source 3 holds clearly more of the claim than the cited source 4"),
        ("[9✗]", "cites a source that is not there"),
        (
            "wording",
            "how much of the claim's words the source holds, compared here; confidence is the provider's",
        ),
        ("% cited", "how much of the answer's text lies in claims that cite a source that is there"),
    ] {
        doc.field(2, &format!("{sign:<6}"), words, Role::Plain);
    }
    doc.line(&[("How words are drawn", Role::Strong)]);
    for (role, words) in [
        (Role::Span, "of a claim that cites a source"),
        (Role::Absent, "of the claim that no cited source holds"),
        (Role::AbsentNumber, "a number of the claim that no cited source holds"),
        (Role::Shared, "of a passage that the claim shares"),
        (Role::Window, "the stretch of a passage that holds most of the claim"),
    ] {
        doc.line(&[("  ", Role::Plain), ("words", role), ("  ", Role::Plain), (words, Role::Plain)]);
    }
    doc
}
