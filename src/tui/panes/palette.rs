//! The command palette: every command that does something now, with its keys.

use super::super::doc::{Doc, Hit};
use super::super::keymap::{Binding, Command, bindings};
use super::super::pane::Pane;
use super::super::state::State;
use crate::look::Role;

/// Commands that have all words that are typed, the best first: what is called so before what begins so, and
/// that before what has the letters anywhere.
fn having(typed: &str) -> Vec<&'static Binding> {
    let words: Vec<String> = typed.to_lowercase().split_whitespace().map(str::to_owned).collect();
    let rank = |binding: &Binding| -> Option<usize> {
        let name = binding.name().replace('-', " ");
        let called = format!("{name} {}", also(binding.command));
        let text = format!("{called} {} {}", binding.doc, binding.group).to_lowercase();
        let of_word = |word: &String| match () {
            () if name == *word => Some(0),
            () if called.split(' ').any(|own| own == word) => Some(1),
            () if called.split(' ').any(|own| own.starts_with(word.as_str())) => Some(2),
            () if text.split(' ').any(|own| own.starts_with(word.as_str())) => Some(3),
            () => text.contains(word).then_some(4),
        };
        words.iter().map(of_word).sum()
    };
    let shown = bindings().iter().filter(|binding| binding.command != Command::Palette);
    let mut ranked: Vec<_> = shown.filter_map(|binding| Some((rank(binding)?, binding))).collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().map(|(_, binding)| binding).collect()
}

/// Those of them that can be chosen.
pub fn choices(state: &State, typed: &str) -> Vec<&'static Binding> {
    having(typed).into_iter().filter(|binding| (binding.applies)(state)).collect()
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
        Command::Copy => "yank clipboard markdown footnote bibliography",
        Command::Write => "export save file download html csv report",
        Command::Source => "raw markdown text",
        Command::Sources => "documents references citations weak",
        Command::Responses => "records table files",
        Command::WorstFirst => "sort order weakest",
        Command::Summary => "statistics totals",
        Command::Right => "review label judge accept correct",
        Command::Wrong => "review label judge reject",
        Command::Unsure => "review label judge",
        Command::Note => "comment annotate",
        Command::Attach => "page text supply source",
        Command::Browse => "url link web",
        Command::Reload => "refresh",
        Command::Quit => "exit close",
        Command::Zoom => "full fullscreen screen maximize",
        Command::Widen | Command::Narrow => "resize divider",
        Command::Search => "find grep",
        Command::WayBack => "history undo",
        Command::Help => "keys shortcuts manual",
        Command::Theme => "colours colors dark light contrast settings config",
        Command::Pane(Pane::Sources) => "passage passages context confidence score chunks",
        Command::Pane(Pane::Trace) => "timeline tools calls steps",
        Command::Pane(Pane::Findings) => "problems errors warnings",
        _ => "",
    }
}

/// Where a number leads: the claim, as the screen counts them, and the support, as findings and exports do,
/// where that is another one; what it is, of how many, the span.
pub fn places(state: &State, typed: &str) -> Vec<(&'static str, usize, usize)> {
    let (Some(review), Ok(number)) = (state.review(), typed.parse::<usize>()) else { return Vec::new() };
    let Some(index) = number.checked_sub(1) else { return Vec::new() };
    let claim = Some(index).filter(|index| *index < review.spans.len());
    let support = review.span_of(index);
    let claim = claim.map(|span| ("claim", review.spans.len(), span));
    let same =
        claim.map(|(.., span)| span) == support && review.spans.len() == review.response.supports.len();
    let support = support.filter(|_| !same).map(|span| ("support", review.response.supports.len(), span));
    claim.into_iter().chain(support).collect()
}

/// The document of the palette.
pub fn palette(state: &State, typed: &str, width: usize) -> Doc {
    let mut doc = Doc::new(width);
    if !typed.is_empty() && typed.chars().all(|c| c.is_ascii_digit()) {
        let most = state.review().map_or(0, |review| review.response.supports.len());
        let places = places(state, typed);
        if places.is_empty() {
            let words = if most == 0 {
                "this response has no supports".to_owned()
            } else {
                format!("there are supports 1 to {most}")
            };
            doc.line(&[(&words, Role::Dim)]);
        }
        for (row, (what, of, _)) in places.into_iter().enumerate() {
            doc.entry(Hit::Row(row));
            doc.line(&[(&format!("go to {what} {typed} of {of}"), Role::Plain)]);
        }
        doc.end();
        return doc;
    }
    let choices = choices(state, typed);
    for (row, binding) in choices.iter().enumerate() {
        doc.entry(Hit::Row(row));
        doc.line_right(&[(binding.doc, Role::Plain)], (&binding.written().join(" "), Role::Key));
    }
    doc.end();
    // What does nothing now is named, with the reason.
    let idle = having(typed).into_iter().filter(|binding| !typed.is_empty() && !(binding.applies)(state));
    let idle: Vec<_> = idle.collect();
    for binding in &idle {
        let why = if binding.otherwise.is_empty() { "not here" } else { binding.otherwise };
        doc.line(&[(binding.doc, Role::Dim), (" · ", Role::Dim), (why, Role::Dim)]);
    }
    if choices.is_empty() && idle.is_empty() {
        doc.line(&[("no command has these words", Role::Dim)]);
    }
    doc
}
