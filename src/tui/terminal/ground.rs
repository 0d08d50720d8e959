//! What the background of the terminal is: said by `COLORFGBG`, or asked of the terminal before the screen is
//! taken.

use std::time::Duration;

#[cfg(unix)]
use xterm_color::Color;

use super::super::config::Settings;
use super::super::theme::Ground;

/// How long a terminal may take to answer; every one answers something, so that this is for those far away.
const PATIENCE: Duration = Duration::from_millis(400);

/// The ground, where the settings go by it and it can be known, and what was typed while the terminal was
/// asked for it.
pub(super) fn of_terminal(settings: &Settings) -> (Option<Ground>, Vec<u8>) {
    if !settings.asks_for_ground() {
        return (None, Vec::new());
    }
    let said = std::env::var("COLORFGBG").ok();
    match said.as_deref().and_then(of_environment) {
        Some(said) => (Some(said), Vec::new()),
        // A terminal that knows no colours need not be asked.
        None if std::env::var("TERM").is_ok_and(|name| name == "dumb" || name == "linux") => {
            (None, Vec::new())
        }
        None => asked(),
    }
}

/// `15;0`: the numbers of the text's colour and of the background's among the sixteen.
fn of_environment(said: &str) -> Option<Ground> {
    match said.rsplit(';').next()?.parse().ok()? {
        7 | 9..=15 => Some(Ground::Light),
        0..=8 => Some(Ground::Dark),
        _ => None::<Ground>,
    }
}

/// What the colours of text and ground are, and behind that what every terminal answers: once that has come,
/// more will not.
#[cfg(unix)]
const QUESTION: &str = "\x1b]10;?\x1b\\\x1b]11;?\x1b\\\x1b[c";

#[cfg(unix)]
fn asked() -> (Option<Ground>, Vec<u8>) {
    let sent = super::input::ask(QUESTION, PATIENCE, |sent| {
        let answer = Answer::of(sent);
        answer.done && !breaks_off(&answer.typed)
    });
    let Answer { text, ground, typed, .. } = Answer::of(&sent);
    let lightness = |color: Option<Color>| color.map(|color| color.perceived_lightness());
    let ground = lightness(ground).map(|ground| {
        let is_light = lightness(text).map_or(ground > 0.5, |text| ground > text);
        if is_light { Ground::Light } else { Ground::Dark }
    });
    (ground, typed)
}

#[cfg(not(unix))]
fn asked() -> (Option<Ground>, Vec<u8>) {
    use terminal_colorsaurus::{QueryOptions, ThemeMode, theme_mode};
    let mut options = QueryOptions::default();
    options.timeout = PATIENCE;
    let ground = theme_mode(options).ok().map(|mode| match mode {
        ThemeMode::Dark => Ground::Dark,
        ThemeMode::Light => Ground::Light,
    });
    (ground, Vec::new())
}

/// Whether a text ends inside a character.
#[cfg(unix)]
fn breaks_off(typed: &[u8]) -> bool {
    std::str::from_utf8(typed).is_err_and(|error| error.error_len().is_none())
}

/// What a terminal sent after it was asked.
#[cfg(unix)]
#[derive(Debug, Default, PartialEq, Eq)]
struct Answer {
    text: Option<Color>,
    ground: Option<Color>,
    /// All was answered.
    done: bool,
    /// What is none of it was typed meanwhile.
    typed: Vec<u8>,
}

#[cfg(unix)]
impl Answer {
    fn of(mut sent: &[u8]) -> Self {
        let mut answer = Self::default();
        while let Some((&first, rest)) = sent.split_first() {
            if let Some((number, color, after)) = colour(sent) {
                let slot = if number == b'0' { &mut answer.text } else { &mut answer.ground };
                *slot = Color::parse(color).ok();
                sent = after;
            } else if let Some(after) = attributes(sent) {
                (answer.done, sent) = (true, after);
            } else {
                answer.typed.push(first);
                sent = rest;
            }
        }
        answer
    }
}

/// `ESC ] 11 ; rgb:1e1e/1e1e/2e2e ESC \`, or with BEL at its end: the second digit, the colour, what follows.
#[cfg(unix)]
fn colour(sent: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let [number @ (b'0' | b'1'), b';', rest @ ..] = sent.strip_prefix(b"\x1b]1")? else { return None };
    let end = rest.iter().position(|byte| matches!(byte, 0x07 | 0x1B))?;
    let (color, end) = rest.split_at_checked(end)?;
    Some((*number, color, end.strip_prefix(b"\x07").or_else(|| end.strip_prefix(b"\x1b\\"))?))
}

/// `ESC [ ? 62 ; 22 c`: what follows.
#[cfg(unix)]
fn attributes(sent: &[u8]) -> Option<&[u8]> {
    let rest = sent.strip_prefix(b"\x1b[?")?;
    let end = rest.iter().position(|byte| !matches!(byte, b'0'..=b'9' | b';'))?;
    rest.get(end..)?.strip_prefix(b"c")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_says_what_the_ground_is() {
        assert_eq!(of_environment("15;0"), Some(Ground::Dark));
        assert_eq!(of_environment("0;15"), Some(Ground::Light));
        assert_eq!(of_environment("0;default;15"), Some(Ground::Light));
        assert_eq!(of_environment("default;default"), None);
    }

    #[cfg(unix)]
    #[test]
    fn what_is_typed_while_the_terminal_answers_is_told_from_the_answer() {
        let answer =
            Answer::of(b"q\x1b]10;rgb:ffff/ffff/ffff\x1b\\l\x1b[A\x1b]11;rgb:00/00/00\x07\x1b[?62;22cj");
        assert_eq!(answer.typed, b"ql\x1b[Aj");
        assert_eq!(
            (answer.text, answer.ground, answer.done),
            (Some(Color::rgb(0xFFFF, 0xFFFF, 0xFFFF)), Some(Color::rgb(0, 0, 0)), true)
        );
        let whole = Answer::of("\x1b[?62;22c漢".as_bytes());
        assert_eq!((whole.done, breaks_off(&whole.typed)), (true, false));
        assert!(breaks_off(&Answer::of(b"\x1b[?62;22c\xE6\xBC").typed));
        let part = Answer::of(b"\x1b]11;rgb:00/0");
        assert_eq!((part.ground, part.done, part.typed), (None, false, b"\x1b]11;rgb:00/0".to_vec()));
    }
}
