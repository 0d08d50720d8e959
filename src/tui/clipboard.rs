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
    /// The escape sequence OSC 52.
    Terminal,
}

/// What decides about the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Surroundings {
    /// `SSH_CONNECTION` is set.
    pub ssh: bool,
    /// `TMUX` is set.
    pub tmux: bool,
    /// There is a display to ask for a clipboard.
    pub display: bool,
}

impl Surroundings {
    /// Of this process.
    pub fn of_process() -> Self {
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let display = cfg!(any(windows, target_os = "macos")) || set("DISPLAY") || set("WAYLAND_DISPLAY");
        Self { ssh: set("SSH_CONNECTION"), tmux: set("TMUX"), display }
    }

    /// The ways to try, in order.
    pub fn ways(self) -> Vec<Way> {
        let mut ways = Vec::new();
        if !self.ssh && self.display {
            ways.push(Way::System);
        }
        if self.tmux {
            ways.push(Way::Tmux);
        }
        ways.push(Way::Terminal);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_depends_on_ssh_tmux_and_display() {
        let ways = |ssh, tmux, display| Surroundings { ssh, tmux, display }.ways();
        assert_eq!(ways(false, false, true), [Way::System, Way::Terminal]);
        assert_eq!(ways(false, true, true), [Way::System, Way::Tmux, Way::Terminal]);
        assert_eq!(ways(true, true, true), [Way::Tmux, Way::Terminal]);
        assert_eq!(ways(true, false, true), [Way::Terminal]);
        assert_eq!(ways(false, false, false), [Way::Terminal]);
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
                .copy("hi", Surroundings { ssh: true, tmux: false, display: false }, &mut out)
                .is_ok()
        );
        assert_eq!(String::from_utf8(out).unwrap(), "\u{1b}]52;c;aGk=\u{1b}\\");
        let long = "x".repeat(OSC_LIMIT + 1);
        assert!(terminal(&long, &mut Vec::new()).unwrap_err().contains("citescope export"));
    }
}
