//! Events as they were meant: a key whose bytes came in two pieces is one key, and what the terminal answers
//! too late is none.

use std::collections::VecDeque;
use std::io;
use std::time::Duration;

use crossterm::event::{
    self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};

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
    /// With what was typed before events were read.
    pub fn typed(bytes: &[u8]) -> Self {
        Self { held: String::from_utf8_lossy(bytes).chars().map(of_sign).map(Event::Key).collect() }
    }

    /// Whether something has come that was not taken.
    pub fn is_waiting(&self) -> bool {
        !self.held.is_empty()
    }

    /// The next event that has come.
    pub fn next(&mut self) -> io::Result<Option<Event>> {
        self.next_of(&mut |most| if event::poll(most)? { event::read().map(Some) } else { Ok(None) })
    }

    fn next_of(&mut self, source: &mut Source) -> io::Result<Option<Event>> {
        loop {
            let Some(event) = self.take(AT_ONCE, source)? else { return Ok(None) };
            match key(&event) {
                Some((KeyCode::Esc, _)) => match self.sequence(source)? {
                    Meant::Itself => return Ok(Some(event)),
                    Meant::Event(meant) => return Ok(Some(meant)),
                    Meant::Nothing => {}
                },
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

    /// Behind an escape: what its sequence means, where it goes on as one.
    fn sequence(&mut self, source: &mut Source) -> io::Result<Meant> {
        let mut seen: Vec<Event> = Vec::new();
        let mut signs = String::new();
        while let Some(event) = self.take(APART, source)? {
            let sign = key(&event).and_then(|(code, _)| code.as_char());
            seen.push(event);
            let Some(sign) = sign else { break };
            signs.push(sign);
            if signs == "]" && self.answer(source)? {
                return Ok(Meant::Nothing);
            }
            match of_sequence(&signs) {
                Sequence::Whole(meant) => return Ok(meant),
                Sequence::Part => {}
                Sequence::None => break,
            }
        }
        seen.into_iter().rev().for_each(|event| self.held.push_front(event));
        Ok(Meant::Itself)
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

/// The key of a character that a terminal sends; the signs of a sequence are put together later.
fn of_sign(sign: char) -> KeyEvent {
    let control = |from: char| {
        let code = char::from_u32(sign as u32 + from as u32).unwrap_or(sign);
        KeyEvent::new(KeyCode::Char(code), KeyModifiers::CONTROL)
    };
    match sign {
        '\r' => KeyCode::Enter.into(),
        '\t' => KeyCode::Tab.into(),
        '\x1b' => KeyCode::Esc.into(),
        '\x7f' => KeyCode::Backspace.into(),
        '\0' => KeyEvent::new(KeyCode::Char(' '), KeyModifiers::CONTROL),
        '\x01'..='\x1a' => control('`'),
        '\x1c'..='\x1f' => control('\u{18}'),
        _ if sign.is_uppercase() => KeyEvent::new(KeyCode::Char(sign), KeyModifiers::SHIFT),
        _ => KeyCode::Char(sign).into(),
    }
}

/// What an escape was meant as.
enum Meant {
    /// A key of its own.
    Itself,
    /// The beginning of this.
    Event(Event),
    /// The beginning of what means nothing here.
    Nothing,
}

/// How far a sequence came.
enum Sequence {
    Whole(Meant),
    Part,
    None,
}

/// What the characters behind an escape are: `[A`, `[1;5C`, `[5~`, `OP`, `[<64;10;6M`.
fn of_sequence(signs: &str) -> Sequence {
    let Some(rest) = signs.strip_prefix('[') else {
        return match signs.strip_prefix('O').map(|rest| rest.chars().next()) {
            Some(None) => Sequence::Part,
            Some(Some('P')) => Sequence::Whole(pressed(KeyCode::F(1), 1)),
            Some(Some(last)) => named(last).map_or(Sequence::None, |code| Sequence::Whole(pressed(code, 1))),
            None => Sequence::None,
        };
    };
    let parameters = rest.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '~');
    if !parameters.chars().all(|c| c.is_ascii_digit() || matches!(c, ';' | '<' | '?')) {
        return Sequence::None;
    }
    let Some(last) = rest.get(parameters.len()..).and_then(|last| last.chars().next()) else {
        return if rest.len() > LONGEST { Sequence::None } else { Sequence::Part };
    };
    let numbers: Vec<u16> = parameters
        .trim_start_matches(['<', '?'])
        .split(';')
        .filter_map(|number| number.parse().ok())
        .collect();
    if parameters.starts_with('<') {
        return Sequence::Whole(wheel(&numbers, last));
    }
    let modifiers = numbers.get(1).copied().unwrap_or(1);
    let code = if last == '~' { numbers.first().and_then(|number| numbered(*number)) } else { named(last) };
    Sequence::Whole(code.map_or(Meant::Nothing, |code| pressed(code, modifiers)))
}

/// Characters of a sequence at most.
const LONGEST: usize = 24;

/// A key with modifiers as sequences count them: 1, and more for Shift, Alt and Control.
fn pressed(code: KeyCode, modifiers: u16) -> Meant {
    let bits = modifiers.saturating_sub(1);
    let all = [(1, KeyModifiers::SHIFT), (2, KeyModifiers::ALT), (4, KeyModifiers::CONTROL)];
    let held = all.into_iter().filter(|(bit, _)| bits & bit != 0).map(|(_, held)| held);
    Meant::Event(Event::Key(KeyEvent::new(code, held.fold(KeyModifiers::NONE, |all, held| all | held))))
}

fn named(last: char) -> Option<KeyCode> {
    Some(match last {
        'A' => KeyCode::Up,
        'B' => KeyCode::Down,
        'C' => KeyCode::Right,
        'D' => KeyCode::Left,
        'H' => KeyCode::Home,
        'F' => KeyCode::End,
        'Z' => KeyCode::BackTab,
        _ => return None,
    })
}

fn numbered(number: u16) -> Option<KeyCode> {
    Some(match number {
        1 | 7 => KeyCode::Home,
        4 | 8 => KeyCode::End,
        3 => KeyCode::Delete,
        5 => KeyCode::PageUp,
        6 => KeyCode::PageDown,
        11 => KeyCode::F(1),
        _ => return None,
    })
}

/// A turn of the wheel, or a press of the left button.
fn wheel(numbers: &[u16], last: char) -> Meant {
    let [button, column, row] = *numbers else { return Meant::Nothing };
    let kind = match (button, last) {
        (0, 'M') => MouseEventKind::Down(MouseButton::Left),
        (64, 'M') => MouseEventKind::ScrollUp,
        (65, 'M') => MouseEventKind::ScrollDown,
        _ => return Meant::Nothing,
    };
    let (column, row) = (column.saturating_sub(1), row.saturating_sub(1));
    Meant::Event(Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }))
}

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
            let Some((code, modifiers)) = key(&event) else {
                let Event::Mouse(mouse) = event else { panic!("{event:?}") };
                out += &format!("<{:?} {},{}>", mouse.kind, mouse.column, mouse.row);
                continue;
            };
            out += if modifiers.contains(KeyModifiers::CONTROL) { "^" } else { "" };
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
        assert_eq!(meant("␛OP␛[1~␛[4~␛[1;5C␛[1;3D"), "<F(1)><Home><End>^<Right>⌥<Left>");
        assert_eq!(meant("␛[<65;10;6M␛[<0;3;2M␛[<0;3;2mq"), "<ScrollDown 9,5><Down(Left) 2,1>q");
        // What means nothing here does nothing.
        assert_eq!(meant("␛[24~␛[?1;2cq"), "q");
    }

    #[test]
    fn an_escape_and_other_keys_are_themselves() {
        assert_eq!(meant("␛j"), "␛j");
        assert_eq!(meant("␛[ x"), "␛[ x");
        assert_eq!(meant("␛␛[B"), "␛<Down>");
        assert_eq!(meant("␛Ox"), "␛Ox");
        assert_eq!(meant("␛[6"), "␛[6");
        assert_eq!(meant("␛["), "␛[");
    }

    #[test]
    fn an_answer_that_comes_late_is_no_key() {
        assert_eq!(meant("a⌥]10;rgb:ffff/ffff/ffff␇b"), "ab");
        assert_eq!(meant("⌥]11;rgb:00a0/0b0c/0def⌥\\⌥]10;rgb:1/2/3␇q"), "q");
        // One that breaks off ends where something else begins.
        assert_eq!(meant("⌥]11;rgb:00q"), "q");
        assert_eq!(meant("⌥]x"), "⌥]x");
        // Its first byte came alone.
        assert_eq!(meant("␛]11;rgb:00a0/0b0c/0def␇q"), "q");
        assert_eq!(meant("␛]x"), "␛]x");
    }
}
