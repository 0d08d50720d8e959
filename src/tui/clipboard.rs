//! The clipboard, by the way that can work here: over ssh through the terminal (OSC 52, in tmux by tmux),
//! else the system's, else tmux, else the terminal. Always says which way was taken.

use std::io::{self, Write};
use std::process::{Command, Stdio};

/// Terminals and multiplexers drop longer sequences.
const OSC_LIMIT: usize = 74_000;

/// A way to a clipboard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// The system's clipboard.
    System,
    /// tmux, which passes it to the terminal.
    Tmux,
    /// The escape sequence OSC 52, passed through GNU screen.
    Screen,
    /// The escape sequence OSC 52.
    Terminal,
}

/// A program between this one and the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Multiplexer {
    /// None.
    None,
    /// tmux: `TMUX` is set.
    Tmux,
    /// GNU screen, which swallows what it does not know: `STY` is set.
    Screen,
}

/// What decides about the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Surroundings {
    /// `SSH_CONNECTION` is set.
    pub ssh: bool,
    /// What the terminal shows this in.
    pub within: Multiplexer,
    /// There is a display to ask for a clipboard.
    pub display: bool,
}

impl Surroundings {
    /// Of this process.
    pub fn of_process() -> Self {
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let display = cfg!(any(windows, target_os = "macos")) || set("DISPLAY") || set("WAYLAND_DISPLAY");
        let within = match () {
            () if set("TMUX") => Multiplexer::Tmux,
            () if set("STY") => Multiplexer::Screen,
            () => Multiplexer::None,
        };
        Self { ssh: set("SSH_CONNECTION"), within, display }
    }

    /// The ways to try, in order.
    pub fn ways(self) -> Vec<Way> {
        let mut ways = Vec::new();
        if !self.ssh && self.display {
            ways.push(Way::System);
        }
        match self.within {
            Multiplexer::Tmux => ways.extend([Way::Tmux, Way::Terminal]),
            Multiplexer::Screen => ways.push(Way::Screen),
            Multiplexer::None => ways.push(Way::Terminal),
        }
        ways
    }
}

/// The clipboard of a session. The system's handle is kept: on X11 the text is gone with it.
#[derive(Default)]
pub struct Clipboard {
    system: Option<arboard::Clipboard>,
    /// The text lives in this process only.
    pub held: bool,
}

impl Clipboard {
    /// Copies a text; the words say which way it went, or why none did.
    pub fn copy(
        &mut self,
        text: &str,
        surroundings: Surroundings,
        out: &mut impl Write,
    ) -> Result<&'static str, String> {
        try_ways(&surroundings.ways(), |way| match way {
            Way::System => self.system(text),
            Way::Tmux => tmux(text),
            Way::Screen => screen(text, out),
            Way::Terminal => terminal(text, out),
        })
    }

    fn system(&mut self, text: &str) -> Result<&'static str, String> {
        let handle = match &mut self.system {
            Some(handle) => handle,
            none => none.insert(
                arboard::Clipboard::new().map_err(|_| "no system clipboard could be reached".to_owned())?,
            ),
        };
        handle.set_text(text).map_err(|error| format!("the system clipboard refused: {error}"))?;
        self.held = cfg!(all(unix, not(target_os = "macos")));
        Ok("to the system clipboard")
    }
}

/// The first way that works; else all reasons.
fn try_ways(
    ways: &[Way],
    mut go: impl FnMut(Way) -> Result<&'static str, String>,
) -> Result<&'static str, String> {
    let mut reasons = Vec::new();
    for &way in ways {
        match go(way) {
            Ok(words) => return Ok(words),
            Err(reason) => reasons.push(reason),
        }
    }
    Err(reasons.join("; "))
}

fn tmux(text: &str) -> Result<&'static str, String> {
    let fail = |error: io::Error| format!("tmux: {error}");
    let mut child = Command::new("tmux")
        .args(["load-buffer", "-w", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(fail)?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(text.as_bytes()).map_err(fail)?;
    }
    let status = child.wait().map_err(fail)?;
    if status.success() {
        Ok("to tmux, which passes it to the terminal")
    } else {
        Err("tmux would not take it".to_owned())
    }
}

fn terminal(text: &str, out: &mut impl Write) -> Result<&'static str, String> {
    if text.len() > OSC_LIMIT {
        return Err(format!(
            "{} bytes are too long for the terminal's clipboard sequence; use `citescope export` instead",
            text.len()
        ));
    }
    let sequence = crossterm::clipboard::CopyToClipboard::to_clipboard_from(text);
    crossterm::execute!(out, sequence)
        .map_err(|error| format!("the terminal could not be written to: {error}"))?;
    Ok("sent to the terminal (OSC 52); not all terminals take it")
}

/// GNU screen passes on what stands in a DCS string, of which it takes 768 bytes.
fn screen(text: &str, out: &mut impl Write) -> Result<&'static str, String> {
    const PIECE: usize = 700;
    let mut sequence = Vec::new();
    terminal(text, &mut sequence)?;
    // The string terminator would end the DCS string.
    let sequence = String::from_utf8_lossy(&sequence).replace("\u{1b}\\", "\u{7}");
    let mut wrapped = Vec::with_capacity(sequence.len() + sequence.len() / PIECE * 4 + 8);
    for piece in sequence.as_bytes().chunks(PIECE) {
        wrapped.extend_from_slice(b"\x1bP");
        wrapped.extend_from_slice(piece);
        wrapped.extend_from_slice(b"\x1b\\");
    }
    out.write_all(&wrapped)
        .and_then(|()| out.flush())
        .map_err(|error| format!("the terminal could not be written to: {error}"))?;
    Ok("sent to the terminal through screen (OSC 52); not all terminals take it")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_depends_on_ssh_tmux_and_display() {
        let ways = |ssh, tmux, display| {
            let within = if tmux { Multiplexer::Tmux } else { Multiplexer::None };
            Surroundings { ssh, within, display }.ways()
        };
        assert_eq!(ways(false, false, true), [Way::System, Way::Terminal]);
        assert_eq!(ways(false, true, true), [Way::System, Way::Tmux, Way::Terminal]);
        assert_eq!(ways(true, true, true), [Way::Tmux, Way::Terminal]);
        assert_eq!(ways(true, false, true), [Way::Terminal]);
        assert_eq!(ways(false, false, false), [Way::Terminal]);
    }

    #[test]
    fn screen_gets_it_in_pieces_that_it_passes_on() {
        let inside = Surroundings { ssh: true, within: Multiplexer::Screen, display: false };
        assert_eq!(inside.ways(), [Way::Screen]);
        let mut out = Vec::new();
        screen("hi", &mut out).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "\u{1b}P\u{1b}]52;c;aGk=\u{7}\u{1b}\\");
        let mut out = Vec::new();
        screen(&"x".repeat(3_000), &mut out).unwrap();
        let out = String::from_utf8(out).unwrap();
        let pieces: Vec<&str> = out.split_terminator("\u{1b}\\").collect();
        assert!(
            pieces.len() == 6
                && pieces.iter().all(|piece| piece.starts_with("\u{1b}P") && piece.len() <= 702)
        );
    }

    #[test]
    fn the_first_way_that_works_is_reported_and_else_every_reason() {
        let way = |way| if way == Way::Tmux { Ok("by tmux") } else { Err(format!("{way:?} failed")) };
        assert_eq!(try_ways(&[Way::System, Way::Tmux, Way::Terminal], way), Ok("by tmux"));
        assert_eq!(
            try_ways(&[Way::System, Way::Terminal], way),
            Err("System failed; Terminal failed".to_owned())
        );
    }

    #[test]
    fn the_terminal_gets_the_text_in_base64_and_nothing_too_long() {
        let mut out = Vec::new();
        assert!(
            Clipboard::default()
                .copy("hi", Surroundings { ssh: true, within: Multiplexer::None, display: false }, &mut out)
                .is_ok()
        );
        assert_eq!(String::from_utf8(out).unwrap(), "\u{1b}]52;c;aGk=\u{1b}\\");
        let long = "x".repeat(OSC_LIMIT + 1);
        assert!(terminal(&long, &mut Vec::new()).unwrap_err().contains("citescope export"));
    }
}
