//! Help, from the key table.

use super::super::doc::Doc;
use super::super::keymap::{Command, bindings, label};
use crate::look::{Role, Tone};

pub(super) fn help(doc: &mut Doc) {
    let mut group = "";
    for binding in bindings() {
        if binding.group != group {
            if !group.is_empty() {
                doc.blank();
            }
            group = binding.group;
            doc.line(&[(group, Role::Strong)]);
        }
        doc.field(2, &format!("{:<11}", binding.written().join(" ")), binding.doc, Role::Plain);
    }
    doc.blank();
    doc.line(&[("What the answer shows", Role::Strong)]);
    for (sign, words) in [
        ("▌", "rows of the selected span"),
        (Tone::Warning.sign(), "here begins a span with a warning"),
        (Tone::Error.sign(), "here begins a span with an error"),
        ("underlined", "words that rest on a source; neighbours differ in colour"),
        (
            "italic",
            "a span that is not where it was sent; in the selected one, words that no cited chunk has",
        ),
        (
            "wording",
            "how much of the span's words the chunk holds, compared here; confidence is the provider's",
        ),
        ("[n]", "sources count from 1: the provider's index + 1"),
    ] {
        doc.field(2, &format!("{sign:<11}"), words, Role::Plain);
    }
    doc.blank();
    doc.text(
        0,
        &format!(
            "With the mouse: click a span, a source or a title, turn the wheel. Hold Shift (Option on a Mac) \
             to select text, or press {}.",
            label(Command::Mouse)
        ),
        Role::Dim,
        usize::MAX,
    );
}
