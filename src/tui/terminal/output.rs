//! What is written to the terminal: whole frames, and nothing after it was given back.

use std::io::{self, IsTerminal, Write};
use std::sync::MutexGuard;
use std::time::Duration;

use crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use crossterm::style::Print;
use crossterm::terminal::{
    EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{cursor, execute};

use super::hold::{OURS, ours};

/// No word when the desktop goes dark or light, which another program may have asked for: crossterm reads on
/// behind `ESC[?997;1n` until a `c` or `u` comes, and every key is lost in it.
const NO_SCHEME_REPORTS: &str = "\x1b[?2031l";

/// How long a terminal that takes no more is waited for before it is left as it is.
const STALLED: Duration = Duration::from_millis(500);

/// Standard error, written to a flush at a time.
#[derive(Default)]
pub(super) struct Output(Vec<u8>);

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let ours = ours();
        let bytes = std::mem::take(&mut self.0);
        if *ours && !bytes.is_empty() {
            let mut out = io::stderr().lock();
            out.write_all(&bytes)?;
            out.flush()?;
        }
        Ok(())
    }
}

/// The terminal as ours while this lives.
pub(super) struct Guard;

impl Guard {
    pub fn enter() -> io::Result<Self> {
        if !io::stderr().is_terminal() {
            return Err(io::Error::other("standard error is no terminal to draw on"));
        }
        let guard = Self;
        Self::again()?;
        Ok(guard)
    }

    pub fn again() -> io::Result<()> {
        let mut ours = ours();
        enable_raw_mode()?;
        #[cfg(unix)]
        super::input::set_modes();
        *ours = true;
        let quiet = if cfg!(unix) { NO_SCHEME_REPORTS } else { "" };
        execute!(
            io::stderr(),
            EnterAlternateScreen,
            Print(quiet),
            EnableMouseCapture,
            EnableBracketedPaste,
            cursor::Hide
        )
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        leave();
    }
}

/// Gives the terminal back as it was; once.
pub fn leave() {
    drop(left());
}

/// The same before the program ends: who would take the terminal again, or is about to for the first time,
/// waits for that end.
pub(super) fn leave_for_good() {
    std::mem::forget(left());
}

/// Gives the terminal back; what nobody else can take it with meanwhile, unless one that is stalled has it.
fn left() -> Option<MutexGuard<'static, bool>> {
    let begun = std::time::Instant::now();
    let mut held = loop {
        match OURS.try_lock() {
            Ok(held) => break Some(held),
            Err(std::sync::TryLockError::Poisoned(held)) => break Some(held.into_inner()),
            Err(_) if begun.elapsed() > STALLED => break None,
            Err(_) => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    #[cfg(unix)]
    super::input::restore();
    if !held.as_deref_mut().is_none_or(|ours| std::mem::replace(ours, false)) {
        return held;
    }
    let _ = disable_raw_mode();
    if held.is_some() {
        let _ = execute!(
            io::stderr(),
            EndSynchronizedUpdate,
            DisableBracketedPaste,
            DisableMouseCapture,
            LeaveAlternateScreen,
            cursor::Show
        );
    }
    held
}
