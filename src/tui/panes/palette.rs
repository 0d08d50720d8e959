//! The command palette: every command that does something now, with its keys.

use super::super::doc::{Doc, Hit};
use super::super::keymap::{Binding, Command, bindings};
use super::super::state::State;
use crate::look::Role;

/// Commands that can be chosen, those that have all words that are typed.
pub fn choices(state: &State, typed: &str) -> Vec<&'static Binding> {
    let words: Vec<String> = typed.to_lowercase().split_whitespace().map(str::to_owned).collect();
    let says = |binding: &Binding| {
        let text =
            format!("{} {} {}", binding.name().replace('-', " "), binding.doc, binding.group).to_lowercase();
        words.iter().all(|word| text.contains(word))
    };
    let shown = bindings().iter().filter(|binding| binding.command != Command::Palette);
    shown.filter(|binding| says(binding) && (binding.applies)(state)).collect()
}

/// The document of the palette.
pub fn palette(state: &State, typed: &str, width: usize) -> Doc {
    let mut doc = Doc::new(width);
    if !typed.is_empty() && typed.chars().all(|c| c.is_ascii_digit()) {
        let most = state.review().map_or(0, |review| review.response.supports.len());
        doc.entry(Hit::Row(0));
        doc.line(&[(&format!("go to support {typed} of {most}"), Role::Plain)]);
        doc.end();
        return doc;
    }
    let choices = choices(state, typed);
    for (row, binding) in choices.iter().enumerate() {
        doc.entry(Hit::Row(row));
        doc.line_right(&[(binding.doc, Role::Plain)], (&binding.written().join(" "), Role::Key));
    }
    doc.end();
    if choices.is_empty() {
        doc.line(&[("no command has these words", Role::Dim)]);
    }
    doc
}
