//! The one table of commands: dispatch, footer, hints inside sentences, help, the README section and the man
//! page come from it.

use std::sync::LazyLock;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::pane::Pane;
use super::state::{Overlay, State};

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
    /// Give the keys to a pane.
    Pane(Pane),
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
    /// Next response with a fault.
    NextFault,
    /// Response with a fault before.
    PreviousFault,
    /// What is counted of the responses.
    Summary,
    /// The list with the worst first.
    WorstFirst,
    /// Mark a response.
    Mark,
    /// Stop the check, or let it go on.
    Pause,
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

/// A key with what is held down.
type Key = (KeyCode, KeyModifiers);

/// A row of the table.
pub struct Binding {
    /// Keys that do it.
    keys: Vec<Key>,
    /// What it does.
    pub command: Command,
    /// How the keys are written, the first one the one that hints name.
    pub label: &'static str,
    /// Heading in the help.
    pub group: &'static str,
    /// One line.
    pub doc: &'static str,
    /// Whether the key is listened to.
    pub applies: fn(&State) -> bool,
}

/// The table.
pub static BINDINGS: LazyLock<Vec<Binding>> = LazyLock::new(|| {
    [spans(), moving(), looking(), taking(), responses(), program()].into_iter().flatten().collect()
});

const fn key(code: KeyCode) -> Key {
    (code, KeyModifiers::NONE)
}

const fn letter(letter: char) -> Key {
    key(KeyCode::Char(letter))
}

const fn control(letter: char) -> Key {
    (KeyCode::Char(letter), KeyModifiers::CONTROL)
}

/// A command that is listened to at any time.
fn always(command: Command, keys: &[Key], label: &'static str, doc: &'static str) -> Binding {
    Binding { keys: keys.to_vec(), command, label, group: "", doc, applies: |_| true }
}

/// A command on what an overlay covers.
fn uncovered(command: Command, keys: &[Key], label: &'static str, doc: &'static str) -> Binding {
    Binding { applies: |state| state.overlays.is_empty(), ..always(command, keys, label, doc) }
}

/// A command on the list of responses, or where nothing lies over the screen, as far as there are several.
fn listed(command: Command, key: char, label: &'static str, doc: &'static str) -> Binding {
    let applies = |state: &State| {
        state.table.len() > 1 && matches!(state.overlay(), None | Some(Overlay::Responses | Overlay::Summary))
    };
    Binding { applies, ..always(command, &[letter(key)], label, doc) }
}

fn group(group: &'static str, rows: Vec<Binding>) -> Vec<Binding> {
    rows.into_iter().map(|row| Binding { group, ..row }).collect()
}

fn spans() -> Vec<Binding> {
    let rows = vec![
        uncovered(Command::NextSpan, &[key(KeyCode::Right), letter('l')], "→ l", "next span, from any pane"),
        uncovered(
            Command::PreviousSpan,
            &[key(KeyCode::Left), letter('h')],
            "← h",
            "span before, from any pane",
        ),
        always(Command::FirstSpan, &[key(KeyCode::Home), letter('g')], "Home g", "first span"),
        always(Command::LastSpan, &[key(KeyCode::End), letter('G')], "End G", "last span"),
        uncovered(Command::GoTo, &[letter(':')], ":", "go to a support by its number"),
        uncovered(Command::NextFinding, &[letter('e')], "e", "next span with a finding"),
        uncovered(Command::Filter, &[letter('f')], "f", "walk only some of the spans"),
    ];
    group("Spans", rows)
}

fn moving() -> Vec<Binding> {
    let down = "down: next span in the answer, next entry in a pane";
    let back_tab = [key(KeyCode::BackTab), (KeyCode::BackTab, KeyModifiers::SHIFT)];
    let mut rows = vec![
        always(Command::Down, &[key(KeyCode::Down), letter('j')], "↓ j", down),
        always(Command::Up, &[key(KeyCode::Up), letter('k')], "↑ k", "up"),
        always(
            Command::PageDown,
            &[key(KeyCode::PageDown), letter(' '), control('d')],
            "PgDn Space",
            "a screen down",
        ),
        always(Command::PageUp, &[key(KeyCode::PageUp), control('u')], "PgUp", "a screen up"),
        uncovered(Command::NextPane, &[key(KeyCode::Tab)], "Tab", "next pane"),
        uncovered(Command::PreviousPane, &back_tab, "Shift-Tab", "pane before"),
    ];
    rows.extend(Pane::ALL.map(|pane| {
        let keys: Vec<Key> = pane.key().chars().map(letter).collect();
        uncovered(Command::Pane(pane), &keys, pane.key(), pane.doc())
    }));
    group("Moving", rows)
}

fn looking() -> Vec<Binding> {
    let better = "where another chunk holds more of the span: both side by side";
    let readings = "the span as sent: read as bytes, as characters and as UTF-16 units, side by side";
    let rows = vec![
        always(
            Command::Open,
            &[key(KeyCode::Enter)],
            "Enter",
            "open the source, trace or finding at the cursor",
        ),
        always(Command::Raw, &[letter('r')], "r", "raw JSON of the selection"),
        always(Command::Better, &[letter('b')], "b", better),
        always(Command::Readings, &[letter('u')], "u", readings),
        always(Command::Compare, &[letter('x')], "x", "show or hide the comparison of wording"),
        uncovered(Command::Sources, &[letter('s')], "s", "all sources of the response"),
        Binding {
            applies: |state| matches!(state.overlay(), None | Some(Overlay::Responses)),
            ..always(Command::Search, &[letter('/')], "/", "search the answer; in the list: filter it")
        },
        uncovered(Command::NextMatch, &[letter('n')], "n", "next match"),
        uncovered(Command::PreviousMatch, &[letter('N')], "N", "match before"),
    ];
    group("Looking closer", rows)
}

fn taking() -> Vec<Binding> {
    let copy = "copy: citation, footnote, answer with citations, sources, quote, JSON";
    let browse = "open the source's address in the browser, after showing it";
    let rows = vec![
        always(Command::Copy, &[letter('y')], "y", copy),
        always(Command::Browse, &[letter('o')], "o", browse),
    ];
    group("Taking along", rows)
}

fn responses() -> Vec<Binding> {
    let rows = vec![
        uncovered(Command::Responses, &[letter('L')], "L", "list of responses"),
        uncovered(Command::NextResponse, &[letter(']')], "]", "next response"),
        uncovered(Command::PreviousResponse, &[letter('[')], "[", "response before"),
        listed(Command::NextFault, '}', "}", "next response with a fault"),
        listed(Command::PreviousFault, '{', "{", "response with a fault before"),
        listed(Command::WorstFirst, 'w', "w", "the list with the worst first, or as they came"),
        listed(Command::Mark, 'v', "v", "mark the response (filter is:marked)"),
        listed(Command::Summary, 'S', "S", "counts by rule, format and site; each leads to its responses"),
        listed(Command::Pause, 'p', "p", "stop the check of all responses, or let it go on"),
    ];
    group("Responses", rows)
}

fn program() -> Vec<Binding> {
    let mouse = "mouse on or off; off leaves selecting text to the terminal";
    let rows = vec![
        always(Command::Mouse, &[letter('m')], "m", mouse),
        always(Command::Help, &[letter('?'), key(KeyCode::F(1))], "?", "this help"),
        always(Command::Back, &[key(KeyCode::Esc), key(KeyCode::Backspace)], "Esc", "close what is open"),
        always(Command::Suspend, &[control('z')], "Ctrl-Z", "stop, until the shell continues it (fg)"),
        always(Command::Quit, &[letter('q'), control('c')], "q", "quit"),
    ];
    group("Program", rows)
}

/// The row of a key.
pub fn binding(event: KeyEvent) -> Option<&'static Binding> {
    // Shift is part of the character where there is one.
    let modifiers = if matches!(event.code, KeyCode::Char(_)) {
        event.modifiers - KeyModifiers::SHIFT
    } else {
        event.modifiers
    };
    BINDINGS.iter().find(|binding| binding.keys.contains(&(event.code, modifiers)))
}

/// How the first key of a command is written, for hints.
pub fn label(command: Command) -> &'static str {
    let row = BINDINGS.iter().find(|binding| binding.command == command);
    row.and_then(|row| row.label.split(' ').next()).unwrap_or_default()
}

/// The table as Markdown, for the README.
pub fn markdown() -> String {
    let mut out = String::from("| key | does |\n|---|---|\n");
    for binding in BINDINGS.iter() {
        let keys: Vec<String> = binding.label.split(' ').map(|key| format!("`{key}`")).collect();
        out.push_str(&format!("| {} | {} |\n", keys.join(" "), binding.doc));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(code: KeyCode, modifiers: KeyModifiers) -> Option<Command> {
        binding(KeyEvent::new(code, modifiers)).map(|binding| binding.command)
    }

    #[test]
    fn no_key_is_bound_twice() {
        let mut keys: Vec<_> = BINDINGS.iter().flat_map(|binding| &binding.keys).collect();
        let count = keys.len();
        keys.sort_by_key(|key| format!("{key:?}"));
        keys.dedup();
        assert_eq!(keys.len(), count);
    }

    #[test]
    fn shifted_letters_are_their_own_keys() {
        assert_eq!(command(KeyCode::Char('G'), KeyModifiers::SHIFT), Some(Command::LastSpan));
        assert_eq!(command(KeyCode::Char('c'), KeyModifiers::CONTROL), Some(Command::Quit));
        assert_eq!(command(KeyCode::Char('c'), KeyModifiers::NONE), None);
    }

    #[test]
    fn each_pane_has_its_key() {
        for pane in Pane::ALL {
            let key = pane.key().chars().next().unwrap();
            assert_eq!(command(KeyCode::Char(key), KeyModifiers::NONE), Some(Command::Pane(pane)));
        }
    }
}
