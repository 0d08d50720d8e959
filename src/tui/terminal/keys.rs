//! Events as they were meant: a key whose bytes came in two pieces is one key, and what the terminal answers
//! too late is none.

use std::collections::VecDeque;
use std::io;
use std::time::Duration;

use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// How long it takes to ask whether something has come: with no time at all crossterm does not look.
pub(super) const AT_ONCE: Duration = Duration::from_micros(100);

/// How far apart the bytes of one key may come over a slow line; nobody types so fast.
const APART: Duration = Duration::from_millis(25);

/// What waits to be handled.
#[derive(Default)]
pub(super) struct Keys {
    /// Came behind what looked like the beginning of something, and was none.
    held: VecDeque<Event>,
}

impl Keys {
    /// The next event that has come.
    pub fn next(&mut self) -> io::Result<Option<Event>> {
        self.next_of(&mut |most| if event::poll(most)? { event::read().map(Some) } else { Ok(None) })
    }

    fn next_of(&mut self, source: &mut Source) -> io::Result<Option<Event>> {
        loop {
            let Some(event) = self.take(AT_ONCE, source)? else { return Ok(None) };
            match key(&event) {
                Some((KeyCode::Esc, _)) => {
                    let joined = self.arrow(source)?;
                    return Ok(Some(joined.unwrap_or(event)));
                }
                Some((KeyCode::Char(']'), KeyModifiers::ALT)) => {
                    if !self.answer(source)? {
                        return Ok(Some(event));
                    }
                }
                _ => return Ok(Some(event)),
            }
        }
    }

    fn take(&mut self, most: Duration, source: &mut Source) -> io::Result<Option<Event>> {
        match self.held.pop_front() {
            Some(event) => Ok(Some(event)),
            None => source(most),
        }
    }

    /// Behind an escape: the key whose sequence goes on.
    fn arrow(&mut self, source: &mut Source) -> io::Result<Option<Event>> {
        let mut seen = Vec::new();
        while let Some(event) = self.take(APART, source)? {
            let sign = key(&event).and_then(|(code, _)| code.as_char());
            seen.push((event, sign));
            let signs: String = seen.iter().filter_map(|(_, sign)| *sign).collect();
            if signs.chars().count() < seen.len()
                || !SEQUENCES.iter().any(|(sent, _)| sent.starts_with(&signs))
            {
                break;
            }
            if let Some((_, code)) = SEQUENCES.iter().find(|(sent, _)| *sent == signs) {
                return Ok(Some(Event::Key(KeyEvent::new(*code, KeyModifiers::NONE))));
            }
        }
        seen.into_iter().rev().for_each(|(event, _)| self.held.push_front(event));
        Ok(None)
    }

    /// Behind what begins an answer of the terminal: passes over it. True where it was one.
    fn answer(&mut self, source: &mut Source) -> io::Result<bool> {
        let mut begun = false;
        while let Some(event) = self.take(APART, source)? {
            match key(&event) {
                Some((KeyCode::Char('0'..='9' | ';'), KeyModifiers::NONE)) => begun = true,
                Some(
                    (KeyCode::Char('g'), KeyModifiers::CONTROL) | (KeyCode::Char('\\'), KeyModifiers::ALT),
                ) if begun => {
                    return Ok(true);
                }
                Some((KeyCode::Char(c), _))
                    if begun && (c.is_ascii_hexdigit() || matches!(c, 'r' | 'g' | ':' | '/')) => {}
                _ => {
                    self.held.push_front(event);
                    return Ok(begun);
                }
            }
        }
        Ok(begun)
    }
}

/// Where events come from, waited for so long.
type Source<'s> = dyn FnMut(Duration) -> io::Result<Option<Event>> + 's;

fn key(event: &Event) -> Option<(KeyCode, KeyModifiers)> {
    match event {
        Event::Key(KeyEvent { code, modifiers, kind: KeyEventKind::Press, .. }) => Some((*code, *modifiers)),
        _ => None,
    }
}

/// What stands behind the escape of keys that have no character.
const SEQUENCES: [(&str, KeyCode); 14] = [
    ("[A", KeyCode::Up),
    ("[B", KeyCode::Down),
    ("[C", KeyCode::Right),
    ("[D", KeyCode::Left),
    ("[H", KeyCode::Home),
    ("[F", KeyCode::End),
    ("[Z", KeyCode::BackTab),
    ("[3~", KeyCode::Delete),
    ("[5~", KeyCode::PageUp),
    ("[6~", KeyCode::PageDown),
    ("OA", KeyCode::Up),
    ("OB", KeyCode::Down),
    ("OC", KeyCode::Right),
    ("OD", KeyCode::Left),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(code: KeyCode, modifiers: KeyModifiers) -> Event {
        Event::Key(KeyEvent::new(code, modifiers))
    }

    /// What is meant by events: `␛` is Esc, `⌥` before a character Alt, `␇` Ctrl-G.
    fn meant(sent: &str) -> String {
        let mut events = VecDeque::new();
        let mut alt = false;
        for c in sent.chars() {
            let modifiers = if std::mem::take(&mut alt) { KeyModifiers::ALT } else { KeyModifiers::NONE };
            match c {
                '⌥' => alt = true,
                '␛' => events.push_back(typed(KeyCode::Esc, modifiers)),
                '␇' => events.push_back(typed(KeyCode::Char('g'), KeyModifiers::CONTROL)),
                c => events.push_back(typed(KeyCode::Char(c), modifiers)),
            }
        }
        let mut keys = Keys::default();
        let mut out = String::new();
        while let Some(event) = keys.next_of(&mut |_| Ok(events.pop_front())).unwrap() {
            let (code, modifiers) = key(&event).unwrap();
            out += if modifiers.contains(KeyModifiers::ALT) { "⌥" } else { "" };
            out += &match code {
                KeyCode::Char(c) => c.to_string(),
                KeyCode::Esc => "␛".to_owned(),
                other => format!("<{other:?}>"),
            };
        }
        out
    }

    #[test]
    fn an_arrow_in_two_pieces_is_an_arrow() {
        assert_eq!(meant("j␛[Ak␛OD␛[6~"), "j<Up>k<Left><PageDown>");
    }

    #[test]
    fn an_escape_and_other_keys_are_themselves() {
        assert_eq!(meant("␛j"), "␛j");
        assert_eq!(meant("␛[x"), "␛[x");
        assert_eq!(meant("␛␛[B"), "␛<Down>");
        assert_eq!(meant("␛[6q"), "␛[6q");
        assert_eq!(meant("␛["), "␛[");
    }

    #[test]
    fn an_answer_that_comes_late_is_no_key() {
        assert_eq!(meant("a⌥]10;rgb:ffff/ffff/ffff␇b"), "ab");
        assert_eq!(meant("⌥]11;rgb:00a0/0b0c/0def⌥\\⌥]10;rgb:1/2/3␇q"), "q");
        // One that breaks off ends where something else begins.
        assert_eq!(meant("⌥]11;rgb:00q"), "q");
        assert_eq!(meant("⌥]x"), "⌥]x");
    }
}
