//! The one table of commands: dispatch, footer, hints inside sentences, help, the README section and the man
//! page come from it.

mod keys;

use std::sync::{LazyLock, OnceLock};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::pane::Pane;
use super::state::{Overlay, State};
use keys::{Key, named_key, written};

/// What a key asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    /// Select the next span, in the order of the answer; nested ones in turn.
    NextClaim,
    /// Select the span before.
    PreviousClaim,
    /// First span.
    FirstClaim,
    /// Last span.
    LastClaim,
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
    /// The passage that holds more of the claim than the cited one.
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
    /// Pieces of streams in the list.
    Pieces,
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
    /// Every command, by its words; and a support by its number.
    Palette,
    /// Back to where one was.
    WayBack,
    /// On to where one came back from.
    WayOn,
    /// Mouse on or off (off leaves selecting text to the terminal).
    Mouse,
    /// Help.
    Help,
    /// Close what is open.
    Back,
    /// Stop until continued.
    Suspend,
    /// The answer as it was sent, or as Markdown.
    Source,
    /// The pane that has the keys over the whole screen, or all of them.
    Zoom,
    /// Give the answer more room.
    Widen,
    /// Give the answer less room.
    Narrow,
    /// The claim rests on what it cites.
    Right,
    /// It does not.
    Wrong,
    /// It cannot be told.
    Unsure,
    /// Give a source without text one to compare with.
    Attach,
    /// Why a claim was decided so.
    Note,
    /// Claims against sources.
    Matrix,
    /// What a repair would change.
    Repair,
    /// Repair the file itself.
    RepairInPlace,
    /// The place of the selection in the user's editor.
    Edit,
    /// Give the JSON of the selection to a command.
    Pipe,
    /// Write an export.
    Write,
    /// Read everything again.
    Reload,
    /// The next of the built-in themes.
    Theme,
    /// Quit.
    Quit,
}

/// A row of the table.
pub struct Binding {
    /// Keys that do it.
    keys: Vec<Key>,
    /// What it does.
    pub command: Command,
    /// Heading in the help.
    pub group: &'static str,
    /// One line.
    pub doc: &'static str,
    /// Whether the key is listened to.
    pub applies: fn(&State) -> bool,
    /// What is said where it is not; empty where that needs no words.
    pub otherwise: &'static str,
}

/// The table.
pub static BINDINGS: LazyLock<Vec<Binding>> = LazyLock::new(defaults);

fn defaults() -> Vec<Binding> {
    [spans(), moving(), looking(), taking(), deciding(), responses(), program()]
        .into_iter()
        .flatten()
        .collect()
}

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
fn always(command: Command, keys: &[Key], doc: &'static str) -> Binding {
    Binding { keys: keys.to_vec(), command, group: "", doc, applies: |_| true, otherwise: "" }
}

/// A command on what an overlay covers.
fn uncovered(command: Command, keys: &[Key], doc: &'static str) -> Binding {
    Binding { applies: |state| state.overlays.is_empty(), ..always(command, keys, doc) }
}

/// A command that walks the claims: their JSON follows.
fn walked(command: Command, keys: &[Key], doc: &'static str) -> Binding {
    let applies = |state: &State| matches!(state.overlay(), None | Some(Overlay::Raw(_) | Overlay::Matrix));
    Binding { applies, ..always(command, keys, doc) }
}

/// Whether several responses are listed, or nothing lies over one of them.
fn is_list_of_several(state: &State) -> bool {
    state.table.len() > 1 && matches!(state.overlay(), None | Some(Overlay::Responses | Overlay::Summary))
}

/// A command on the list of responses, or where nothing lies over the screen, as far as there are several.
fn listed(command: Command, key: char, doc: &'static str) -> Binding {
    let applies = is_list_of_several;
    let otherwise = "one response is open: there is no list to put in order, to count or to mark";
    Binding { applies, otherwise, ..always(command, &[letter(key)], doc) }
}

/// Both lists, of responses and of sources, are put in order by one key.
fn sorted() -> Binding {
    let list = listed(
        Command::WorstFirst,
        'W',
        "the list, also that of sources, with the worst first, or as they came",
    );
    let applies = |state: &State| state.overlay() == Some(&Overlay::Sources) || is_list_of_several(state);
    Binding { applies, ..list }
}

fn group(group: &'static str, rows: Vec<Binding>) -> Vec<Binding> {
    rows.into_iter().map(|row| Binding { group, ..row }).collect()
}

fn spans() -> Vec<Binding> {
    let rows = vec![
        walked(
            Command::NextClaim,
            &[key(KeyCode::Right), letter('l')],
            "next claim, from any pane and in raw JSON; more sources in the matrix",
        ),
        walked(Command::PreviousClaim, &[key(KeyCode::Left), letter('h')], "claim before, likewise"),
        always(Command::FirstClaim, &[key(KeyCode::Home), letter('g')], "first claim"),
        always(Command::LastClaim, &[key(KeyCode::End), letter('G')], "last claim"),
        uncovered(Command::NextFinding, &[letter('e')], "next claim with a fault"),
        uncovered(Command::Filter, &[letter('f')], "walk only some of the claims"),
    ];
    group("Claims", rows)
}

fn moving() -> Vec<Binding> {
    let down = "down: next claim in the answer, next entry in a pane";
    let mut rows = vec![
        always(Command::Down, &[key(KeyCode::Down), letter('j')], down),
        always(Command::Up, &[key(KeyCode::Up), letter('k')], "up"),
        always(Command::PageDown, &[key(KeyCode::PageDown), letter(' '), control('d')], "a screen down"),
        always(Command::PageUp, &[key(KeyCode::PageUp), control('u')], "a screen up"),
        uncovered(Command::NextPane, &[key(KeyCode::Tab)], "next pane"),
        uncovered(Command::PreviousPane, &[key(KeyCode::BackTab)], "pane before"),
    ];
    rows.extend([
        uncovered(Command::Zoom, &[letter('z')], "the pane with the keys over the whole screen, and back"),
        uncovered(Command::Widen, &[letter('>')], "more room for the answer"),
        uncovered(Command::Narrow, &[letter('<')], "less room for the answer"),
    ]);
    rows.extend(Pane::ALL.map(|pane| {
        let keys: Vec<Key> = pane.key().chars().map(letter).collect();
        uncovered(Command::Pane(pane), &keys, pane.doc())
    }));
    group("Moving", rows)
}

fn looking() -> Vec<Binding> {
    let better = "where another chunk holds more of the claim: both side by side";
    let readings = "the claim as sent: read as bytes, as characters and as UTF-16 units, side by side";
    let rows = vec![
        always(Command::Open, &[key(KeyCode::Enter)], "open the source, trace or finding at the cursor"),
        always(Command::Raw, &[letter('r')], "raw JSON of the selection"),
        always(Command::Better, &[letter('b')], better),
        always(Command::Readings, &[letter('u')], readings),
        always(Command::Compare, &[letter('x')], "show or hide the comparison of wording"),
        uncovered(
            Command::Matrix,
            &[letter('X')],
            "matrix of claims and sources: an index that is off by one is seen at a glance",
        ),
        uncovered(Command::Source, &[letter('M')], "the answer as it was sent, or drawn as Markdown"),
        uncovered(Command::Sources, &[letter('s')], "all sources of the response"),
        always(
            Command::Search,
            &[letter('/')],
            "find in all of the response, or in what lies over it; in the list: filter",
        ),
        always(Command::NextMatch, &[letter('n')], "next match"),
        always(Command::PreviousMatch, &[letter('N')], "match before"),
        always(
            Command::WayBack,
            &[control('o'), (KeyCode::Left, KeyModifiers::ALT)],
            "back to where one was",
        ),
        always(Command::WayOn, &[(KeyCode::Right, KeyModifiers::ALT)], "on to where one came back from"),
    ];
    group("Looking closer", rows)
}

fn taking() -> Vec<Binding> {
    let copy = "copy: citation, footnote, answer with citations, sources, quote, JSON";
    let browse = "open the source's address in the browser, after showing it";
    let rows = vec![
        always(Command::Copy, &[letter('y')], copy),
        always(Command::Browse, &[letter('o')], browse),
        uncovered(Command::Write, &[letter('w')], "write an export to a file"),
        uncovered(
            Command::Repair,
            &[letter('F')],
            "what a repair of the offsets would change; Enter writes a copy",
        ),
        Binding {
            applies: |state| state.overlay() == Some(&Overlay::Repair) && state.has_repairs(),
            otherwise: "see first what a repair would change",
            ..always(
                Command::RepairInPlace,
                &[letter('I')],
                "in what a repair would change: repair the file itself",
            )
        },
        always(
            Command::Attach,
            &[letter('A')],
            "give a source that was sent without text one to compare with: paste it, or name a file",
        ),
        always(Command::Edit, &[letter('E')], "the place of the selection in $VISUAL or $EDITOR"),
        always(Command::Pipe, &[letter('!')], "give the JSON of the selection to a command"),
        Binding {
            applies: |state| matches!(state.overlay(), None | Some(Overlay::Responses)),
            ..always(Command::Reload, &[letter('R')], "read the files again (--watch does so by itself)")
        },
    ];
    group("Acting", rows)
}

fn deciding() -> Vec<Binding> {
    let rows = vec![
        uncovered(
            Command::Right,
            &[letter('+'), letter('=')],
            "mark the claim right; again takes the mark away",
        ),
        uncovered(Command::Wrong, &[letter('-')], "mark it wrong"),
        uncovered(Command::Unsure, &[letter('_')], "mark it unsure"),
        uncovered(Command::Note, &[letter('a')], "add a note to the mark; without one it is marked unsure"),
    ];
    group("Deciding", rows)
}

fn responses() -> Vec<Binding> {
    let rows = vec![
        uncovered(Command::Responses, &[letter('L')], "list of responses"),
        uncovered(Command::NextResponse, &[letter(']')], "next response"),
        uncovered(Command::PreviousResponse, &[letter('[')], "response before"),
        listed(Command::NextFault, '}', "next response with a fault"),
        listed(Command::PreviousFault, '{', "response with a fault before"),
        sorted(),
        listed(Command::Pieces, 'P', "pieces of streams in the list: shown, or folded into their answers"),
        listed(Command::Mark, 'v', "mark the response (filter is:marked)"),
        listed(Command::Summary, 'S', "counts by rule, format and site; each leads to its responses"),
        listed(Command::Pause, 'p', "stop the check of all responses, or let it go on"),
    ];
    group("Responses", rows)
}

fn program() -> Vec<Binding> {
    let mouse = "mouse on or off; off leaves selecting text to the terminal";
    let theme =
        "another theme: terminal, dark, light, colour-blind, mono; `citescope config --init` keeps one";
    let rows = vec![
        always(
            Command::Palette,
            &[letter(':'), control('p')],
            "every command by its words; a number goes to that support",
        ),
        always(Command::Mouse, &[letter('m')], mouse),
        always(Command::Theme, &[letter('T')], theme),
        always(Command::Help, &[letter('?'), key(KeyCode::F(1))], "this help"),
        always(Command::Back, &[key(KeyCode::Esc), key(KeyCode::Backspace)], "close what is open"),
        always(Command::Suspend, &[control('z')], "stop, until the shell continues it (fg)"),
        always(Command::Quit, &[letter('q'), control('c')], "quit (q closes what is open first)"),
    ];
    group("Program", rows)
}

/// The row of a key.
pub fn binding(event: KeyEvent) -> Option<&'static Binding> {
    // Shift is part of the character where there is one, and of Shift-Tab.
    let modifiers = if matches!(event.code, KeyCode::Char(_) | KeyCode::BackTab) {
        event.modifiers - KeyModifiers::SHIFT
    } else {
        event.modifiers
    };
    bindings().iter().find(|binding| binding.keys.contains(&(event.code, modifiers)))
}

/// How the first key of a command is written, for hints.
pub fn label(command: Command) -> String {
    let row = bindings().iter().find(|binding| binding.command == command);
    row.and_then(|row| row.keys.first()).map(|key| written(*key)).unwrap_or_default()
}

impl Binding {
    /// Its keys as they are written, the one that hints name first.
    pub fn written(&self) -> Vec<String> {
        self.keys.iter().map(|key| written(*key)).collect()
    }

    /// The name of its command, for settings.
    pub fn name(&self) -> String {
        let debug = format!("{:?}", self.command);
        let mut name = String::new();
        for c in debug.chars().filter(char::is_ascii_alphabetic) {
            if c.is_uppercase() && !name.is_empty() {
                name.push('-');
            }
            name.push(c.to_ascii_lowercase());
        }
        name
    }
}

/// The table with other keys for some commands: each a name of a command and of its keys. The error names the
/// first thing that is wrong.
pub fn with_keys(changes: &[(&str, Vec<&str>)]) -> Result<Vec<Binding>, String> {
    let mut table = defaults();
    for (name, keys) in changes {
        let keys: Result<Vec<Key>, String> = keys
            .iter()
            .map(|key| {
                named_key(key).ok_or_else(|| format!("there is no key {key:?}: write l, Right, Ctrl-D, F5"))
            })
            .collect();
        let keys = keys?;
        let row = table.iter_mut().find(|binding| binding.name() == *name);
        row.ok_or_else(|| format!("there is no command {name:?}: `citescope config` lists them"))?.keys =
            keys;
    }
    let mut seen: Vec<(Key, String)> = Vec::new();
    for binding in &table {
        for key in &binding.keys {
            if let Some((_, other)) = seen.iter().find(|(known, _)| known == key) {
                return Err(format!("{} is bound twice: {other} and {}", written(*key), binding.name()));
            }
            seen.push((*key, binding.name()));
        }
    }
    Ok(table)
}

/// The user's own table, set once before the screen begins.
static OWN: OnceLock<Vec<Binding>> = OnceLock::new();

/// Takes the user's own table; what was taken first stays.
pub fn take(table: Vec<Binding>) {
    let _ = OWN.set(table);
}

/// The table that is in force.
pub fn bindings() -> &'static [Binding] {
    OWN.get().unwrap_or(&BINDINGS)
}

/// The table as Markdown, for the README.
pub fn markdown() -> String {
    let mut out = String::from("| key | does |\n|---|---|\n");
    for binding in BINDINGS.iter() {
        let keys: Vec<String> = binding.written().iter().map(|key| format!("`{key}`")).collect();
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
        assert_eq!(command(KeyCode::Char('G'), KeyModifiers::SHIFT), Some(Command::LastClaim));
        assert_eq!(command(KeyCode::Char('c'), KeyModifiers::CONTROL), Some(Command::Quit));
        assert_eq!(command(KeyCode::Char('c'), KeyModifiers::NONE), None);
    }

    #[test]
    fn every_command_of_the_table_is_found_by_its_key() {
        for command in [Command::Repair, Command::Write, Command::Palette, Command::Zoom, Command::Source] {
            assert!(!label(command).is_empty(), "{command:?}");
        }
    }

    #[test]
    fn each_pane_has_its_key() {
        for pane in Pane::ALL {
            let key = pane.key().chars().next().unwrap();
            assert_eq!(command(KeyCode::Char(key), KeyModifiers::NONE), Some(Command::Pane(pane)));
        }
    }
}
