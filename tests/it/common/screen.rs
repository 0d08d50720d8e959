//! The screen without a terminal: opened on a file, drawn, pressed and clicked.

use citescope::tui::doc::Doc;
use citescope::tui::layout::{Cache, Layout, layout as lay_out};
use citescope::tui::state::State;
use ratatui::layout::Size;

/// The geometry at a size.
pub fn layout(state: &State, width: u16, height: u16) -> Layout {
    lay_out(state, Size { width, height }, &mut Cache::default())
}

/// The text of a document, a line each.
pub fn text_of(doc: &Doc) -> String {
    let line = |line: &citescope::tui::doc::Line| {
        line.pieces.iter().map(|(text, _)| text.as_str()).collect::<String>() + "\n"
    };
    doc.lines.iter().map(line).collect()
}

/// A state on a file, as the program opens it.
pub fn open(file: &str) -> State {
    of(citescope::session::Session::open_file(file.as_ref()))
}

/// A state on what is open.
pub fn of(session: citescope::session::Session) -> State {
    let mut state = State::new(std::sync::Arc::new(session));
    for record in 1..state.session.len() {
        let result = state.session.decode(record);
        state.learn(record, &result);
    }
    state
}

/// The screen as lines of text.
pub fn screen(state: &State, width: u16, height: u16) -> String {
    lines(&drawn(state, width, height), |cell| cell.symbol().to_owned())
}

/// The looks of the screen: a letter a cell. `N` reversed and italic (a missing number), `R` reversed, `B`
/// bold, `u` underlined, `m` underlined and italic (moved), `d` dim, `.` plain.
pub fn looks(state: &State, width: u16, height: u16) -> String {
    use ratatui::style::Modifier;
    let letter = |cell: &ratatui::buffer::Cell| {
        let has = |modifier| cell.modifier.contains(modifier);
        let letter = match () {
            () if has(Modifier::REVERSED | Modifier::ITALIC) => "N",
            () if has(Modifier::REVERSED) => "R",
            () if has(Modifier::UNDERLINED | Modifier::ITALIC) => "m",
            () if has(Modifier::UNDERLINED) => "u",
            () if has(Modifier::BOLD) => "B",
            () if has(Modifier::DIM) => "d",
            () => ".",
        };
        letter.to_owned()
    };
    lines(&drawn(state, width, height), letter)
}

fn drawn(state: &State, width: u16, height: u16) -> ratatui::buffer::Buffer {
    let mut terminal = ratatui::Terminal::new(ratatui::backend::TestBackend::new(width, height)).unwrap();
    let geometry = layout(state, width, height);
    terminal.draw(|frame| citescope::tui::view::draw(state, &geometry, frame.buffer_mut())).unwrap();
    terminal.backend().buffer().clone()
}

fn lines(buffer: &ratatui::buffer::Buffer, show: impl Fn(&ratatui::buffer::Cell) -> String) -> String {
    let width = buffer.area.width as usize;
    let mut out = String::new();
    for row in buffer.content().chunks(width) {
        let mut skip = 0;
        let mut line = String::new();
        for cell in row {
            // The cell after a wide character holds nothing of its own.
            if skip > 0 {
                skip -= 1;
                continue;
            }
            skip = citescope::text::width(cell.symbol()).saturating_sub(1);
            line.push_str(&show(cell));
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// Types keys, as tmux names them: `Right`, `Tab`, `y`, …
pub fn press(state: &mut State, (width, height): (u16, u16), keys: &str) {
    use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
    for name in keys.split_whitespace() {
        let code = match name {
            "Right" => KeyCode::Right,
            "Left" => KeyCode::Left,
            "Up" => KeyCode::Up,
            "Down" => KeyCode::Down,
            "Tab" => KeyCode::Tab,
            "Enter" => KeyCode::Enter,
            "Esc" => KeyCode::Esc,
            "PageDown" => KeyCode::PageDown,
            "PageUp" => KeyCode::PageUp,
            "End" => KeyCode::End,
            "Home" => KeyCode::Home,
            "Backspace" => KeyCode::Backspace,
            one => KeyCode::Char(one.chars().next().unwrap()),
        };
        let geometry = layout(state, width, height);
        citescope::tui::update::update(
            state,
            &geometry,
            &Event::Key(KeyEvent::new(code, KeyModifiers::NONE)),
        );
        citescope::tui::copy::make_preview(state);
    }
}

/// What was put on the clipboard last.
pub fn copied(state: &mut State) -> String {
    use citescope::tui::state::Want;
    let mut texts = state.wants.drain(..).filter_map(|want| match want {
        Want::Copy(text, _) => Some(text),
        _ => None,
    });
    texts.next_back().unwrap_or_default()
}

/// Clicks a cell, from 0.
pub fn click(state: &mut State, (width, height): (u16, u16), column: u16, row: u16) {
    use crossterm::event::{Event, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
    let geometry = layout(state, width, height);
    let event = MouseEvent {
        kind: MouseEventKind::Down(MouseButton::Left),
        column,
        row,
        modifiers: KeyModifiers::NONE,
    };
    citescope::tui::update::update(state, &geometry, &Event::Mouse(event));
    citescope::tui::copy::make_preview(state);
}
