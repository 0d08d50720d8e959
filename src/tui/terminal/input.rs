//! The terminal that keys come from, as far as the events of crossterm do not tell of it.

use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::termios::{
    InputModes, LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr,
};

/// Does something with it: standard input, or the terminal of the session where that is taken.
fn with_terminal<T>(act: impl FnOnce(BorrowedFd) -> T) -> Option<T> {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        return Some(act(stdin.as_fd()));
    }
    File::open("/dev/tty").ok().map(|file| act(file.as_fd()))
}

/// The modes of the terminal while it is asked for something.
static BEFORE: Mutex<Option<Termios>> = Mutex::new(None);

fn before() -> MutexGuard<'static, Option<Termios>> {
    BEFORE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The terminal is asked for something while this lives, which changes its modes.
struct Asked(());

impl Asked {
    fn with(modes: Termios) -> Self {
        *before() = Some(modes);
        Self(())
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        *before() = None;
    }
}

/// Asks the terminal, and gives what it sends until `is_whole`, or for so long: what is typed meanwhile is
/// among it.
pub(super) fn ask(question: &str, most: Duration, is_whole: impl Fn(&[u8]) -> bool) -> Vec<u8> {
    let sent = with_terminal(|terminal| {
        let modes = tcgetattr(terminal).ok().filter(|_| io::stderr().is_terminal())?;
        // A signal that ends the program comes before, or gives the modes back.
        let ours = super::hold::ours();
        let _asked = Asked::with(modes.clone());
        let mut raw = modes.clone();
        raw.local_modes -= LocalModes::ICANON | LocalModes::ECHO | LocalModes::IEXTEN;
        raw.local_modes |= LocalModes::NOFLSH;
        raw.input_modes -= InputModes::ICRNL | InputModes::INLCR | InputModes::IGNCR | InputModes::IXON;
        (raw.special_codes[SpecialCodeIndex::VMIN], raw.special_codes[SpecialCodeIndex::VTIME]) = (1, 0);
        tcsetattr(terminal, OptionalActions::Now, &raw).ok()?;
        drop(ours);
        let asked = io::stderr().write_all(question.as_bytes());
        let until = Instant::now() + most;
        let mut sent = Vec::new();
        while asked.is_ok() && !is_whole(&sent) && more(terminal, until, &mut sent) {}
        tcsetattr(terminal, OptionalActions::Now, &modes).ok()?;
        Some(sent)
    });
    sent.flatten().unwrap_or_default()
}

/// Takes what comes next; false where nothing does in time.
fn more(terminal: BorrowedFd, until: Instant, sent: &mut Vec<u8>) -> bool {
    let left = until.saturating_duration_since(Instant::now());
    let Ok(left) = Timespec::try_from(left) else { return false };
    let mut asked = [PollFd::new(&terminal, PollFlags::IN)];
    match poll(&mut asked, Some(&left)) {
        Err(rustix::io::Errno::INTR) => return true,
        Ok(1..) => {}
        _ => return false,
    }
    let mut bytes = [0; 1024];
    match rustix::io::read(terminal, &mut bytes) {
        Ok(count @ 1..) => {
            sent.extend_from_slice(bytes.get(..count).unwrap_or_default());
            true
        }
        Err(rustix::io::Errno::INTR | rustix::io::Errno::AGAIN) => true,
        _ => false,
    }
}

/// What ends a paste.
const PASTE_END: &[u8] = b"\x1b[201~";

/// How soon the rest of a paste comes behind a Ctrl-C in it, how long one stretch of it is waited for, and
/// all of it; and the bytes of a stretch, at least: who types sends fewer.
const REST: Duration = Duration::from_millis(50);
const STRETCH: Duration = Duration::from_millis(300);
const REST_MOST: Duration = Duration::from_secs(10);
const STRETCH_LEAST: usize = 100;

/// Takes what comes right behind a Ctrl-C, as the rest of a paste does in which one stands: the shell, which
/// has the terminal next, would run it.
pub(super) fn forget_rest() {
    with_terminal(|terminal| {
        let begun = Instant::now();
        let (mut rest, mut most, mut least) = (Vec::new(), REST, 1);
        while begun.elapsed() < REST_MOST {
            let (until, before) = (Instant::now() + most, rest.len());
            while !ends_paste(&rest) && more(terminal, until, &mut rest) {}
            if ends_paste(&rest) || rest.len() - before < least {
                break;
            }
            rest.drain(..rest.len().saturating_sub(PASTE_END.len()));
            (most, least) = (STRETCH, STRETCH_LEAST);
        }
    });
}

fn ends_paste(rest: &[u8]) -> bool {
    memchr::memmem::rfind(rest, PASTE_END).is_some()
}

/// Gives the terminal back the modes it had before it was asked for something.
pub(super) fn restore() {
    if let Some(modes) = before().take() {
        with_terminal(|terminal| tcsetattr(terminal, OptionalActions::Now, &modes));
    }
}

/// Raw modes, in which Ctrl-C is a signal none the less: it is heard whatever the program does. The other
/// keys that are signals stay keys, and what was typed before it is kept. Reading waits for nothing:
/// crossterm reads on behind the beginning of a sequence (Alt-[), and nothing would be shown until the next
/// key.
pub(super) fn set_modes() {
    with_terminal(|terminal| {
        let Ok(mut modes) = tcgetattr(terminal) else { return };
        modes.make_raw();
        modes.local_modes |= LocalModes::ISIG | LocalModes::NOFLSH;
        for other in [SpecialCodeIndex::VQUIT, SpecialCodeIndex::VSUSP] {
            modes.special_codes[other] = 0;
        }
        (modes.special_codes[SpecialCodeIndex::VMIN], modes.special_codes[SpecialCodeIndex::VTIME]) = (0, 0);
        let _ = tcsetattr(terminal, OptionalActions::Now, &modes);
    });
}

/// Ends the program when its terminal has gone, after one last act. Who shares none of its session is told by
/// no signal, and reading from it says "nothing" without end.
pub(super) fn watch_hangup(last: fn()) -> io::Result<()> {
    let watching = thread::Builder::new().spawn(move || {
        with_terminal(|terminal| {
            loop {
                // With no event asked for, only what cannot be left out is told.
                let mut asked = [PollFd::new(&terminal, PollFlags::empty())];
                match poll(&mut asked, None) {
                    Ok(0) | Err(rustix::io::Errno::INTR) => {}
                    Ok(_) if hung_up(&asked) => {
                        last();
                        std::process::exit(128 + signal_hook::consts::SIGHUP);
                    }
                    _ => thread::sleep(Duration::from_secs(1)),
                }
            }
        })
    });
    watching.map(drop)
}

fn hung_up(asked: &[PollFd]) -> bool {
    asked.iter().any(|fd| fd.revents().intersects(PollFlags::HUP | PollFlags::ERR))
}
