//! A line on the terminal while an input takes its time, so that nobody looks at a blank screen.

use std::io::{self, Write};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

/// Before this nothing is said.
const PATIENCE: Duration = Duration::from_millis(400);

/// Says that the input is being read, until it is dropped.
pub(super) struct Waiting {
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Waiting {
    /// From now on.
    pub fn begin() -> Self {
        let (end, ended) = mpsc::channel::<()>();
        // Without it, nothing is said.
        let thread = Builder::new().spawn(move || {
            if ended.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                // The terminal may be gone; then nobody waits.
                let _ = write!(io::stderr(), "citescope: reading the input … (Ctrl-C stops)");
                let _ = ended.recv();
                let _ = write!(io::stderr(), "\r\x1b[K");
            }
        });
        Self { end: Some(end), thread: thread.ok() }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            // It only writes a line.
            let _ = thread.join();
        }
    }
}
