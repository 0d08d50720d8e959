//! From bytes to a drawn screen, at any size, with any keys.

#![no_main]

use std::sync::Arc;

use arbitrary::Arbitrary;
use citescope::cli::SAMPLES;
use citescope::tui::layout::{Cache, layout};
use citescope::tui::state::State;
use citescope::tui::{copy, update, view};
use citescope_fuzz::open;
use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::buffer::Buffer;
use ratatui::layout::{Rect, Size};

#[derive(Debug, Arbitrary)]
enum Act {
    Key(u8),
    Letter(char),
    Click(u8, u8),
    Size(u8, u8),
    Paste(String),
}

#[derive(Debug, Arbitrary)]
struct Walk {
    size: (u8, u8),
    acts: Vec<Act>,
    /// Which sample, and bytes of it that are others.
    sample: u8,
    edits: Vec<(u16, u8)>,
}

impl Walk {
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = SAMPLES[usize::from(self.sample) % SAMPLES.len()].1.as_bytes().to_vec();
        for (at, byte) in self.edits.iter().take(8) {
            let at = usize::from(*at) % bytes.len();
            bytes[at] = *byte;
        }
        bytes
    }
}

fn size((width, height): (u8, u8)) -> Size {
    Size { width: u16::from(width).max(1), height: u16::from(height % 80).max(1) }
}

fn event(act: &Act) -> Option<Event> {
    const NAMED: [KeyCode; 12] = [
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
    ];
    let key = |code| Some(Event::Key(KeyEvent::new(code, KeyModifiers::NONE)));
    match act {
        Act::Key(number) if usize::from(*number) < NAMED.len() => key(NAMED[usize::from(*number)]),
        Act::Key(number) => key(KeyCode::Char(char::from(b' ' + number % 95))),
        Act::Letter(letter) => key(KeyCode::Char(*letter)),
        Act::Click(column, row) => Some(Event::Mouse(MouseEvent {
            kind: MouseEventKind::Down(MouseButton::Left),
            column: u16::from(*column),
            row: u16::from(*row),
            modifiers: KeyModifiers::NONE,
        })),
        Act::Paste(text) => Some(Event::Paste(text.clone())),
        Act::Size(..) => None,
    }
}

libfuzzer_sys::fuzz_target!(|walk: Walk| {
    let session = open(&walk.bytes());
    if session.is_empty() {
        return;
    }
    let mut state = State::new(Arc::new(session));
    for record in 1..state.session.len() {
        let result = state.session.decode(record);
        state.learn(record, &result);
    }
    let mut cache = Cache::default();
    let mut now = size(walk.size);
    for act in walk.acts.iter().take(20) {
        if let Act::Size(width, height) = act {
            now = size((*width, *height));
        }
        let geometry = layout(&state, now, &mut cache);
        if let Some(event) = event(act) {
            update::update(&mut state, &geometry, &event);
        }
        copy::make_preview(&mut state);
        state.wants.clear();
        let geometry = layout(&state, now, &mut cache);
        let mut buffer = Buffer::empty(Rect::new(0, 0, now.width, now.height));
        view::draw(&state, &geometry, &mut buffer);
        assert!(buffer.content().iter().all(|cell| !cell.symbol().contains(char::is_control)));
    }
});
