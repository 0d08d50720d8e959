//! The command palette: every command that does something now, with its keys.

use super::super::doc::{Doc, Hit};
use super::super::keymap::{Binding, Command, bindings};
use super::super::state::State;
use crate::look::Role;

/// Commands that can be chosen, those that have all words that are typed.
pub fn choices(state: &State, typed: &str) -> Vec<&'static Binding> {
    let words: Vec<String> = typed.to_lowercase().split_whitespace().map(str::to_owned).collect();
    let says = |binding: &Binding| {
        let name = binding.name().replace('-', " ");
        let text =
            format!("{name} {} {} {}", binding.doc, binding.group, also(binding.command)).to_lowercase();
        words.iter().all(|word| text.contains(word))
    };
    let shown = bindings().iter().filter(|binding| binding.command != Command::Palette);
    shown.filter(|binding| says(binding) && (binding.applies)(state)).collect()
}

/// Other words for what a command does.
fn also(command: Command) -> &'static str {
    match command {
        Command::NextFinding => "error warning problem doubt wrong",
        Command::Filter => "uncited unsupported bare doubtful faults misfits",
        Command::Compare => "evidence overlap similarity",
        Command::Matrix => "grid heatmap shift",
        Command::Readings => "bytes characters utf-16 offsets unit",
        Command::Repair => "fix correct offsets",
        Command::Copy => "yank clipboard markdown footnote",
        Command::Write => "export save file",
        Command::Source => "raw markdown text",
        Command::Sources => "documents references citations weak",
        Command::Responses => "records table files",
        Command::WorstFirst => "sort order weakest",
        Command::Summary => "statistics totals",
        Command::Right | Command::Wrong | Command::Unsure => "review label judge",
        Command::Attach => "page text supply source",
        Command::Browse => "url link web",
        Command::Reload => "refresh",
        Command::Quit => "exit close",
        Command::Zoom => "full screen maximize",
        _ => "",
    }
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
