//! The one table of keys: dispatch, footer, help, the README section and the man page come from it.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// What a key asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    /// Select the next span, in the order of the answer; nested ones in turn.
    NextSpan,
    /// Select the span before.
    PreviousSpan,
    /// First span.
    FirstSpan,
    /// Last span.
    LastSpan,
    /// Move down: in the answer to the next span, in a pane to the next entry.
    Down,
    /// Move up.
    Up,
    /// A screen down.
    PageDown,
    /// A screen up.
    PageUp,
    /// Give the keys to the next pane.
    NextPane,
    /// Give the keys to the pane before.
    PreviousPane,
    /// Give the keys to a pane by its number, from 0.
    Pane(usize),
    /// Open what the cursor stands on.
    Open,
    /// The copy menu.
    Copy,
    /// Open the source's address in the browser, after showing it.
    Browse,
    /// Raw JSON of the selection.
    Raw,
    /// The passage that holds more of the span than the cited one.
    Better,
    /// The selected support read in each unit.
    Readings,
    /// Show or hide what was compared.
    Compare,
    /// The list of responses.
    Responses,
    /// All sources of the response.
    Sources,
    /// The next response.
    NextResponse,
    /// The response before.
    PreviousResponse,
    /// The span of the next finding.
    NextFinding,
    /// Filter the spans.
    Filter,
    /// Search the answer.
    Search,
    /// Next match of the search.
    NextMatch,
    /// Match before.
    PreviousMatch,
    /// Go to a span by its number.
    GoTo,
    /// Mouse on or off (off leaves selecting text to the terminal).
    Mouse,
    /// Help.
    Help,
    /// Close what is open.
    Back,
    /// Stop until continued.
    Suspend,
    /// Quit.
    Quit,
}

/// A row of the table.
pub struct Binding {
    /// Keys that do it.
    keys: &'static [(KeyCode, KeyModifiers)],
    /// What it does.
    pub command: Command,
    /// How the keys are written.
    pub label: &'static str,
    /// Heading in the help.
    pub group: &'static str,
    /// One line.
    pub doc: &'static str,
    /// One word for the footer; empty where it is not shown there.
    pub word: &'static str,
}

const NONE: KeyModifiers = KeyModifiers::NONE;
const CONTROL: KeyModifiers = KeyModifiers::CONTROL;

const fn key(
    keys: &'static [(KeyCode, KeyModifiers)],
    command: Command,
    label: &'static str,
    group: &'static str,
    doc: &'static str,
    word: &'static str,
) -> Binding {
    Binding { keys, command, label, group, doc, word }
}

/// The table.
pub static BINDINGS: &[Binding] = &[
    key(&[(KeyCode::Right, NONE), (KeyCode::Char('l'), NONE)], Command::NextSpan, "→ l", "Spans", "next span, from any pane", ""),
    key(&[(KeyCode::Left, NONE), (KeyCode::Char('h'), NONE)], Command::PreviousSpan, "← h", "Spans", "span before, from any pane", ""),
    key(&[(KeyCode::Home, NONE), (KeyCode::Char('g'), NONE)], Command::FirstSpan, "Home g", "Spans", "first span", ""),
    key(&[(KeyCode::End, NONE), (KeyCode::Char('G'), NONE)], Command::LastSpan, "End G", "Spans", "last span", ""),
    key(&[(KeyCode::Char(':'), NONE)], Command::GoTo, ":", "Spans", "go to a span by its number", ""),
    key(&[(KeyCode::Char('e'), NONE)], Command::NextFinding, "e", "Spans", "next span with a finding", ""),
    key(&[(KeyCode::Char('f'), NONE)], Command::Filter, "f", "Spans", "walk only some of the spans", ""),
    key(
        &[(KeyCode::Down, NONE), (KeyCode::Char('j'), NONE)],
        Command::Down,
        "↓ j",
        "Moving",
        "down: next span in the answer, next entry in a pane",
        "",
    ),
    key(&[(KeyCode::Up, NONE), (KeyCode::Char('k'), NONE)], Command::Up, "↑ k", "Moving", "up", ""),
    key(
        &[(KeyCode::PageDown, NONE), (KeyCode::Char(' '), NONE), (KeyCode::Char('d'), CONTROL)],
        Command::PageDown,
        "PgDn Space",
        "Moving",
        "a screen down",
        "",
    ),
    key(&[(KeyCode::PageUp, NONE), (KeyCode::Char('u'), CONTROL)], Command::PageUp, "PgUp", "Moving", "a screen up", ""),
    key(&[(KeyCode::Tab, NONE)], Command::NextPane, "Tab", "Moving", "next pane", "pane"),
    key(
        &[(KeyCode::BackTab, NONE), (KeyCode::BackTab, KeyModifiers::SHIFT)],
        Command::PreviousPane,
        "Shift-Tab",
        "Moving",
        "pane before",
        "",
    ),
    key(&[(KeyCode::Char('1'), NONE)], Command::Pane(0), "1", "Moving", "answer", ""),
    key(&[(KeyCode::Char('2'), NONE)], Command::Pane(1), "2", "Moving", "sources of the selected span", ""),
    key(&[(KeyCode::Char('3'), NONE)], Command::Pane(2), "3", "Moving", "queries", ""),
    key(&[(KeyCode::Char('4'), NONE)], Command::Pane(3), "4", "Moving", "trace", ""),
    key(&[(KeyCode::Char('5'), NONE)], Command::Pane(4), "5", "Moving", "findings", ""),
    key(&[(KeyCode::Char('6'), NONE)], Command::Pane(5), "6", "Moving", "the response as a whole", ""),
    key(&[(KeyCode::Enter, NONE)], Command::Open, "Enter", "Looking closer", "open the source, trace or finding at the cursor", "open"),
    key(&[(KeyCode::Char('r'), NONE)], Command::Raw, "r", "Looking closer", "raw JSON of the selection", "raw"),
    key(
        &[(KeyCode::Char('b'), NONE)],
        Command::Better,
        "b",
        "Looking closer",
        "where another chunk holds more of the span: both side by side",
        "",
    ),
    key(
        &[(KeyCode::Char('u'), NONE)],
        Command::Readings,
        "u",
        "Looking closer",
        "the span as sent: read as bytes, as characters and as UTF-16 units, side by side",
        "",
    ),
    key(&[(KeyCode::Char('x'), NONE)], Command::Compare, "x", "Looking closer", "show or hide the comparison of wording", ""),
    key(&[(KeyCode::Char('s'), NONE)], Command::Sources, "s", "Looking closer", "all sources of the response", "sources"),
    key(&[(KeyCode::Char('/'), NONE)], Command::Search, "/", "Looking closer", "search the answer", "search"),
    key(&[(KeyCode::Char('n'), NONE)], Command::NextMatch, "n", "Looking closer", "next match", ""),
    key(&[(KeyCode::Char('N'), NONE)], Command::PreviousMatch, "N", "Looking closer", "match before", ""),
    key(
        &[(KeyCode::Char('y'), NONE)],
        Command::Copy,
        "y",
        "Taking along",
        "copy: citation, footnote, answer with citations, sources, quote, JSON",
        "copy",
    ),
    key(
        &[(KeyCode::Char('o'), NONE)],
        Command::Browse,
        "o",
        "Taking along",
        "open the source's address in the browser, after showing it",
        "",
    ),
    key(&[(KeyCode::Char('L'), NONE)], Command::Responses, "L", "Responses", "list of responses", "list"),
    key(&[(KeyCode::Char(']'), NONE)], Command::NextResponse, "]", "Responses", "next response", ""),
    key(&[(KeyCode::Char('['), NONE)], Command::PreviousResponse, "[", "Responses", "response before", ""),
    key(&[(KeyCode::Char('m'), NONE)], Command::Mouse, "m", "Program", "mouse on or off; off leaves selecting text to the terminal", ""),
    key(&[(KeyCode::Char('?'), NONE), (KeyCode::F(1), NONE)], Command::Help, "?", "Program", "this help", "help"),
    key(&[(KeyCode::Esc, NONE), (KeyCode::Backspace, NONE)], Command::Back, "Esc", "Program", "close what is open", ""),
    key(&[(KeyCode::Char('z'), CONTROL)], Command::Suspend, "Ctrl-Z", "Program", "stop, until the shell continues it (fg)", ""),
    key(&[(KeyCode::Char('q'), NONE), (KeyCode::Char('c'), CONTROL)], Command::Quit, "q", "Program", "quit", "quit"),
];

/// The command of a key.
pub fn command(event: KeyEvent) -> Option<Command> {
    // Shift is part of the character where there is one.
    let modifiers = if matches!(event.code, KeyCode::Char(_)) { event.modifiers - KeyModifiers::SHIFT } else { event.modifiers };
    BINDINGS.iter().find(|binding| binding.keys.contains(&(event.code, modifiers))).map(|binding| binding.command)
}

/// The table as Markdown, for the README.
pub fn markdown() -> String {
    let mut out = String::from("| key | does |\n|---|---|\n");
    for binding in BINDINGS {
        let keys: Vec<String> = binding.label.split(' ').map(|key| format!("`{key}`")).collect();
        out.push_str(&format!("| {} | {} |\n", keys.join(" "), binding.doc));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_is_bound_twice() {
        let mut keys: Vec<_> = BINDINGS.iter().flat_map(|binding| binding.keys).collect();
        let count = keys.len();
        keys.sort_by_key(|key| format!("{key:?}"));
        keys.dedup();
        assert_eq!(keys.len(), count);
    }

    #[test]
    fn shifted_letters_are_their_own_keys() {
        assert_eq!(command(KeyEvent::new(KeyCode::Char('G'), KeyModifiers::SHIFT)), Some(Command::LastSpan));
        assert_eq!(command(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL)), Some(Command::Quit));
        assert_eq!(command(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::NONE)), None);
    }
}
