//! What the footer offers: commands that do something now, by the keys of the one table, the most wanted
//! first.

use super::keymap::{Command, label};
use super::panes;
use super::standing::sentences;
use super::state::{Filter, Overlay, Pane, State};
use crate::check::Severity;
use crate::review::{SourceRef, SupportRef};
use crate::text::{one_line, width};

/// A hint of the footer.
struct Hint {
    keys: Keys,
    /// What they do here.
    word: &'static str,
    /// Whether it is worth saying now.
    applies: fn(&State) -> bool,
}

/// What is named before the word.
#[derive(Clone, Copy)]
enum Keys {
    /// The first key of each command.
    Of(&'static [Command]),
    /// The letters before the rows of a menu.
    Letters,
}

const fn hint(commands: &'static [Command], word: &'static str, applies: fn(&State) -> bool) -> Hint {
    Hint { keys: Keys::Of(commands), word, applies }
}

const fn letters(word: &'static str, applies: fn(&State) -> bool) -> Hint {
    Hint { keys: Keys::Letters, word, applies }
}

static HINTS: &[Hint] = &[
    // With nothing over the screen: what was looked for comes first, it stands beside what was said of it.
    hint(&[Command::NextMatch], "next match", |state| bare(state) && state.found.len() > 1),
    hint(&[Command::PreviousClaim, Command::NextClaim], "claim", |state| bare(state) && has_spans(state)),
    hint(&[Command::PreviousClaim, Command::NextClaim], "sentence", |state| {
        bare(state) && !has_spans(state) && !sentences(state).is_empty()
    }),
    hint(&[Command::Back], "all claims", |state| bare(state) && state.filter != Filter::All),
    hint(&[Command::Zoom], "all panes", |state| bare(state) && state.zoomed),
    hint(&[Command::NextFinding], "fault", |state| bare(state) && has_faults(state)),
    hint(&[Command::Repair], "repair", |state| bare(state) && has_repairs(state)),
    hint(&[Command::Copy], "copy", bare),
    hint(&[Command::Raw], "raw", bare),
    hint(&[Command::Help], "help", bare),
    hint(&[Command::Readings], "units", |state| bare(state) && has_misfit(state)),
    hint(&[Command::Better], "better source", |state| bare(state) && has_better(state)),
    hint(&[Command::NextPane], "pane", bare),
    hint(&[Command::Quit], "quit", bare),
    hint(&[Command::PreviousResponse, Command::NextResponse], "response", |state| {
        bare(state) && state.table.len() > 1
    }),
    hint(&[Command::Responses], "list", |state| bare(state) && state.table.len() > 1),
    hint(&[Command::Up, Command::Down], "move", |state| bare(state) && state.focus != Pane::Answer),
    hint(&[Command::Open], "open", |state| bare(state) && opens(state)),
    hint(&[Command::Search], "find", bare),
    hint(&[Command::Palette], "commands", bare),
    hint(&[Command::Sources], "sources", bare),
    hint(&[Command::Filter], "filter", bare),
    hint(&[Command::Right, Command::Wrong], "right, wrong", |state| {
        bare(state) && !state.selected().is_empty()
    }),
    hint(&[Command::Write], "write", bare),
    hint(&[Command::Matrix], "matrix", |state| bare(state) && has_spans(state)),
    hint(&[Command::Source], "as sent", |state| bare(state) && state.focus == Pane::Answer),
    hint(&[Command::Zoom], "zoom", |state| bare(state) && !state.zoomed),
    // Over it: how to close it always fits.
    hint(&[Command::Back], "close", |state| !bare(state) && !is_filtering(state)),
    hint(&[Command::Back], "no filter", is_filtering),
    letters("copies at once", |state| matches!(state.overlay(), Some(Overlay::Copy))),
    letters("filters at once", |state| matches!(state.overlay(), Some(Overlay::Filter))),
    hint(&[Command::Up, Command::Down], "scroll", is_text),
    hint(&[Command::Up, Command::Down], "move", |state| is_list(state) || has_responses(state)),
    hint(&[Command::Up, Command::Down, Command::Open], "choose", |state| {
        matches!(state.overlay(), Some(Overlay::Copy))
    }),
    hint(&[Command::Open], "open", |state| {
        is_list(state) || matches!(state.overlay(), Some(Overlay::Browse(_)))
    }),
    hint(&[Command::Open], "show", |state| has_responses(state) && !state.table.typing),
    hint(&[Command::Open], "keep", is_filtering),
    hint(&[Command::Up, Command::Down], "move", |state| state.overlay() == Some(&Overlay::Summary)),
    hint(&[Command::Open], "its responses", |state| state.overlay() == Some(&Overlay::Summary)),
    hint(&[Command::Search], "filter", has_several),
    hint(&[Command::WorstFirst], "worst first", |state| has_several(state) && !state.table.worst_first),
    hint(&[Command::WorstFirst], "as they came", |state| has_several(state) && state.table.worst_first),
    hint(&[Command::NextFault], "fault", has_several),
    hint(&[Command::Summary], "counts", has_several),
    hint(&[Command::WorstFirst], "weakest first", |state| has_sources(state) && !state.weakest_first),
    hint(&[Command::WorstFirst], "as sent", |state| has_sources(state) && state.weakest_first),
    hint(&[Command::Open], "fold", |state| matches!(state.overlay(), Some(Overlay::Raw(_)))),
    hint(&[Command::Search], "find", |state| is_text(state) || is_list(state)),
    hint(&[Command::Copy], "copy", |state| is_text(state) || is_list(state)),
    hint(&[Command::Raw], "raw", is_list),
    hint(&[Command::Browse], "browse", |state| is_list(state) && has_address(state)),
    hint(&[Command::Open], "write a copy", is_repair),
    hint(&[Command::RepairInPlace], "repair the file", is_repair),
    letters("chooses", |state| state.overlay() == Some(&Overlay::Write)),
];

/// A hint where it stands in the footer.
pub struct Offer {
    /// The keys.
    pub keys: String,
    /// What they do.
    pub word: &'static str,
    /// Its first column.
    pub from: u16,
    /// The column behind it.
    pub to: u16,
    /// What a click on it does: its first command.
    pub command: Option<Command>,
}

/// Columns between what was said and the hints.
const GAP: u16 = 3;

/// Keys that do something now, as far as they fit so many columns: behind what was just said.
/// `faulty`: a claim is in doubt.
pub fn hints(state: &State, faulty: bool, wide: u16) -> Vec<Offer> {
    let said = state.notice.as_ref().map_or(0, |notice| width(&one_line(&notice.text)) as u16 + 2 + GAP);
    let mut from = 1_u16.saturating_add(said);
    let mut offers = Vec::new();
    let applies = |hint: &&Hint| {
        let to_fault = matches!(hint.keys, Keys::Of([Command::NextFinding]));
        (hint.applies)(state) || to_fault && faulty && bare(state)
    };
    for hint in HINTS.iter().filter(applies) {
        let keys = hint.keys.label();
        let to = from.saturating_add((width(&keys) + width(hint.word) + 1) as u16);
        if to >= wide {
            break;
        }
        let command = if let Keys::Of(commands) = hint.keys { commands.last().copied() } else { None };
        offers.push(Offer { keys, word: hint.word, from, to, command });
        from = to + 2;
    }
    offers
}

impl Keys {
    /// As they are written; arrows stand close together.
    fn label(self) -> String {
        let Self::Of(commands) = self else { return "letter".to_owned() };
        let is_arrow = |text: &str| text.ends_with(['←', '→', '↑', '↓']);
        commands.iter().map(|&command| label(command)).fold(String::new(), |out, label| {
            let close = out.is_empty() || is_arrow(&out) && is_arrow(&label);
            out + if close { "" } else { " " } + &label
        })
    }
}

fn bare(state: &State) -> bool {
    state.overlays.is_empty()
}

fn has_spans(state: &State) -> bool {
    state.review().is_some_and(|review| review.spans.len() > 1)
}

fn has_faults(state: &State) -> bool {
    state
        .review()
        .is_some_and(|review| review.worst_by_support().iter().flatten().any(|worst| *worst < Severity::Note))
}

/// Whether an offset of the selection can be repaired.
fn has_repairs(state: &State) -> bool {
    has_misfit(state) && state.has_repairs()
}

/// The repair, where there is one to be written.
fn is_repair(state: &State) -> bool {
    state.overlay() == Some(&Overlay::Repair) && state.has_repairs()
}

fn has_misfit(state: &State) -> bool {
    state.selected_supports().any(SupportRef::is_misfit)
}

fn has_better(state: &State) -> bool {
    let mut backings = state.selected().iter().filter_map(|&support| state.backing(support));
    backings.any(|backing| backing.better().is_some())
}

/// Whether there is something to open where the keys go.
fn opens(state: &State) -> bool {
    state.review().is_some_and(|review| panes::opens(state, review))
}

/// Whether the source at the cursor has an address that a browser opens.
fn has_address(state: &State) -> bool {
    let source = state.source().and_then(|source| state.review()?.source(source).map(SourceRef::sent));
    source.and_then(|source| source.uri.as_deref()).is_some_and(crate::check::is_web)
}

fn has_responses(state: &State) -> bool {
    matches!(state.overlay(), Some(Overlay::Responses))
}

/// The list, while its filter is typed.
fn is_filtering(state: &State) -> bool {
    has_responses(state) && state.table.typing
}

/// The list, with several responses in it, while letters are keys.
fn has_several(state: &State) -> bool {
    has_responses(state) && state.table.len() > 1 && !state.table.typing
}

/// The list of several sources.
fn has_sources(state: &State) -> bool {
    let several = |state: &State| state.review().is_some_and(|review| review.response.sources.len() > 1);
    state.overlay() == Some(&Overlay::Sources) && several(state)
}

/// What is only read.
fn is_text(state: &State) -> bool {
    matches!(
        state.overlay(),
        Some(
            Overlay::Help
                | Overlay::Raw(_)
                | Overlay::Better(_)
                | Overlay::Readings(_)
                | Overlay::Repair
                | Overlay::Output(_)
        )
    )
}

/// What lists entries that can be opened.
fn is_list(state: &State) -> bool {
    matches!(
        state.overlay(),
        Some(
            Overlay::Source(_) | Overlay::Trace(_) | Overlay::Finding(_) | Overlay::Sources | Overlay::Matrix
        )
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_take_their_keys_from_the_table() {
        let label = |commands| Keys::Of(commands).label();
        assert_eq!(label(&[Command::PreviousClaim, Command::NextClaim]), "←→");
        assert_eq!(label(&[Command::Up, Command::Down, Command::Open]), "↑↓ Enter");
        assert_eq!(label(&[Command::PreviousResponse, Command::NextResponse]), "[ ]");
        for hint in HINTS {
            let Keys::Of(commands) = hint.keys else { continue };
            assert!(commands.iter().all(|&command| !super::label(command).is_empty()), "{}", hint.word);
        }
    }
}
