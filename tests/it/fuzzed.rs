//! From bytes to a drawn screen, on what nobody sends: samples broken in random ways, opened, checked,
//! exported, read again, repaired, and walked through with random keys on screens of random sizes.
//!
//! `CITESCOPE_FUZZ` says how many inputs are tried (300 unless told) and `CITESCOPE_FUZZ_FROM` with which one
//! to begin; an input that fails is named by its number, and `CITESCOPE_FUZZ_KEEP` names a file to which each
//! is written before it is tried.

use std::fs;
use std::sync::Arc;

use citescope::cli::SAMPLES;
use citescope::export::{ExportOptions, Make, TARGETS, terminal};
use citescope::session::Session;
use citescope::tui::layout::{Cache, layout};
use citescope::tui::state::State;
use citescope::tui::{copy, update, view};
use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};

use crate::common::dice::Dice;
use crate::common::library::{export, open, recordings, without_colours};

/// What parsers, units, terminals and formulas stumble over.
const PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    "\"",
    ",",
    ":",
    "null",
    "true",
    "-1",
    "0",
    "1e999",
    "9223372036854775807",
    "18446744073709551616",
    "0.1",
    "\\u0000",
    "\\ud83d",
    "\\u202e",
    "\u{202e}",
    "\u{feff}",
    "\u{0}",
    "\u{1b}[2J",
    "\u{9b}",
    "é",
    "👩\u{200d}🔬",
    "🇦🇧🇨",
    "क\u{94d}\u{200d}ष",
    "\u{301}\u{301}\u{301}",
    "한",
    "ﷺ",
    "\r\n",
    "\n\n",
    "data: ",
    ":ref[LIST:[CQS:a-1]]",
    "[1]",
    "**",
    "`",
    "```\n",
    "$$",
    "|a|b|\n|-|-|\n",
    "# ",
    "- ",
    "<b>",
    "](",
    "https://u:p@x/?key=1",
    "\"groundingSupports\":",
    "\"startIndex\":",
    "\"endIndex\":",
    "\"text\":",
    "\"parts\":",
    "\"web\":",
    "\"events\":",
    "\"candidates\":[{},{}]",
    "\"responses\":",
    "{\"error\":{\"message\":\"x\"}}",
    "=1+1",
    "…",
    "...",
];

/// A sample or a recording broken in a few places.
fn broken(dice: &mut Dice, corpus: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = dice.pick(corpus).clone();
    for _ in 0..=dice.below(6) {
        let at = dice.below(bytes.len() + 1);
        let power = dice.below(10);
        let length = dice.below(1 << power);
        let end = (at + length).min(bytes.len());
        match dice.below(8) {
            0 => drop(bytes.drain(at..end)),
            1 => {
                let piece = bytes[at..end].to_vec();
                let to = dice.below(bytes.len() + 1);
                bytes.splice(to..to, piece);
            }
            2 => {
                let other = dice.pick(corpus);
                let from = dice.below(other.len());
                let upto = (from + length).min(other.len());
                bytes.splice(at..end, other[from..upto].iter().copied());
            }
            3 => bytes.truncate(at),
            4 if at < bytes.len() => {
                let bit = dice.below(8);
                bytes[at] ^= 1 << bit;
            }
            _ => {
                let piece = dice.pick(PIECES).as_bytes();
                bytes.splice(at..at, piece.iter().copied());
            }
        }
    }
    bytes
}

fn reads(bytes: &[u8]) -> Session {
    let session = open("f", bytes);
    for review in session.reviews().flatten() {
        let mute = review.findings().iter().find(|finding| finding.message.is_empty());
        assert_eq!(mute.map(|finding| finding.rule.id), None);
        let splices = review.splices(&review.repairs().edits);
        let places: Vec<_> = splices.filter_map(|(_, splice)| Some(splice?.range)).collect();
        assert!(places.iter().all(|place| place.start <= place.end && place.end <= bytes.len() * 3));
    }
    session
}

fn exports(session: &Session) {
    let steers = |c: char| {
        c.is_control() && c != '\n' && c != '\t' && c != '\r' || ('\u{202a}'..='\u{202e}').contains(&c)
    };
    for review in session.reviews().flatten().take(3) {
        for target in TARGETS {
            if matches!(target.make, Make::All(_)) {
                continue;
            }
            let text = target.text(&review, &ExportOptions::default()).text;
            let plain = if target.id == "ansi" { without_colours(&text) } else { text };
            assert!(!plain.contains(steers), "{}: {plain:?}", target.id);
            if target.id == "ansi" {
                assert_eq!(plain, terminal::report(&review, &ExportOptions::default()).text);
            }
        }
    }
}

/// What was exported is read again as it was.
fn comes_back(bytes: &[u8]) {
    let (first, _) = export(open("f", bytes), true);
    if !first.contains("\"format\"") {
        return;
    }
    let (second, _) = export(open("f", first.into_bytes()), true);
    // The lines of findings are those of the form itself from then on.
    let (third, _) = export(open("f", second.into_bytes()), true);
    let (fourth, _) = export(open("f", third.clone().into_bytes()), true);
    let line = third.lines().zip(fourth.lines()).find(|(a, b)| a != b);
    assert!(third == fourth, "{line:?}");
}

fn key(dice: &mut Dice) -> Event {
    const NAMED: &[KeyCode] = &[
        KeyCode::Right,
        KeyCode::Left,
        KeyCode::Up,
        KeyCode::Down,
        KeyCode::Tab,
        KeyCode::BackTab,
        KeyCode::Enter,
        KeyCode::Esc,
        KeyCode::PageDown,
        KeyCode::PageUp,
        KeyCode::End,
        KeyCode::Home,
        KeyCode::Backspace,
    ];
    let code = match dice.below(3) {
        0 => *dice.pick(NAMED),
        1 => KeyCode::Char(char::from(b' ' + dice.below(95) as u8)),
        _ => KeyCode::Char(*dice.pick(&[
            'j', 'k', 'l', 'n', 'e', 'y', 'r', '4', '2', '/', 'u', 'M', '?', 'S', 'w', 'v', '}', 'é',
        ])),
    };
    Event::Key(KeyEvent::new(code, KeyModifiers::NONE))
}

fn event(dice: &mut Dice, size: Size) -> Event {
    let (column, row) =
        (dice.below(usize::from(size.width)) as u16, dice.below(usize::from(size.height)) as u16);
    match dice.below(12) {
        0 => Event::Paste("pasted\n\u{202e}text".to_owned()),
        1 => {
            let kind = *dice.pick(&[
                MouseEventKind::Down(MouseButton::Left),
                MouseEventKind::ScrollDown,
                MouseEventKind::ScrollUp,
                MouseEventKind::Moved,
            ]);
            Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE })
        }
        _ => key(dice),
    }
}

fn draw(state: &State, size: Size, cache: &mut Cache) -> Buffer {
    let geometry = layout(state, size, cache);
    let mut buffer = Buffer::empty(Rect::new(0, 0, size.width, size.height));
    view::draw(state, &geometry, &mut buffer);
    buffer
}

/// Keys, clicks and changes of size; after each the screen is the one that is drawn from nothing, and no cell
/// of it steers a terminal.
fn walks(session: Session, dice: &mut Dice) {
    if session.is_empty() {
        return;
    }
    let mut state = State::new(Arc::new(session));
    for record in 1..state.session.len() {
        let result = state.session.decode(record);
        state.learn(record, &result);
    }
    let mut cache = Cache::default();
    let mut size = Size { width: 1 + dice.below(180) as u16, height: 1 + dice.below(60) as u16 };
    for _ in 0..12 {
        let event = event(dice, size);
        if dice.below(6) == 0 {
            size = Size { width: 1 + dice.below(180) as u16, height: 1 + dice.below(60) as u16 };
        }
        let geometry = layout(&state, size, &mut cache);
        update::update(&mut state, &geometry, &event);
        copy::make_preview(&mut state);
        state.wants.clear();
        let shown = draw(&state, size, &mut cache);
        assert!(shown == draw(&state, size, &mut Cache::default()), "{event:?} at {size:?}");
        assert!(shown.content().iter().all(|cell| !cell.symbol().contains(char::is_control)));
    }
}

/// Says which input failed.
struct Case(u64);

impl Drop for Case {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("CITESCOPE_FUZZ_FROM={} CITESCOPE_FUZZ=1 repeats it", self.0);
        }
    }
}

#[test]
fn whatever_is_broken_is_opened_or_refused_and_drawn() {
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<u64>().ok());
    let (from, count) = (number("CITESCOPE_FUZZ_FROM").unwrap_or(0), number("CITESCOPE_FUZZ").unwrap_or(300));
    let mut corpus: Vec<Vec<u8>> = SAMPLES.iter().map(|(_, text)| text.as_bytes().to_vec()).collect();
    if std::env::var_os("CITESCOPE_CORPUS").is_some() {
        let small =
            recordings().into_iter().flatten().filter(|file| fs::metadata(file).unwrap().len() < 60_000);
        corpus.extend(small.map(|file| fs::read(file).unwrap()));
    }
    for number in from..from + count {
        let _case = Case(number);
        let mut dice = Dice(number);
        let bytes = broken(&mut dice, &corpus);
        if let Some(file) = std::env::var_os("CITESCOPE_FUZZ_KEEP") {
            fs::write(file, &bytes).unwrap();
        }
        let session = reads(&bytes);
        match number % 3 {
            0 => exports(&session),
            1 => comes_back(&bytes),
            _ => walks(session, &mut dice),
        }
    }
}
