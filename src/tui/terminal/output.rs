//! What is written to the terminal: whole frames, and nothing after it was given back.

use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use crossterm::terminal::{
    EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{cursor, execute};

/// Whether the terminal is ours. Who writes to it holds this: signals end the program from another thread,
/// and half a frame on the screen of the shell is nobody's wish.
static OURS: Mutex<bool> = Mutex::new(false);

/// How long a terminal that takes no more is waited for before it is left as it is.
const STALLED: Duration = Duration::from_millis(500);

fn ours() -> MutexGuard<'static, bool> {
    OURS.lock().unwrap_or_else(PoisonError::into_inner)
}

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
        super::input::keep_interrupt();
        *ours = true;
        execute!(io::stderr(), EnterAlternateScreen, EnableMouseCapture, EnableBracketedPaste, cursor::Hide)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        leave();
    }
}

/// Gives the terminal back as it was; once.
pub fn leave() {
    #[cfg(unix)]
    super::input::restore();
    let begun = std::time::Instant::now();
    let mut held = loop {
        match OURS.try_lock() {
            Ok(held) => break Some(held),
            Err(std::sync::TryLockError::Poisoned(held)) => break Some(held.into_inner()),
            Err(_) if begun.elapsed() > STALLED => break None,
            Err(_) => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    if !held.as_deref_mut().is_none_or(|ours| std::mem::replace(ours, false)) {
        return;
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
}
