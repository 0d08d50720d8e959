//! How far a long run is: a line on the terminal where results go elsewhere.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::session;

/// Before this nothing is shown.
const PATIENCE: Duration = Duration::from_millis(400);

/// The line; hidden where nobody would see it, or where results are on the same terminal.
pub(super) struct Progress {
    bar: ProgressBar,
    begun: Instant,
    records: usize,
    wanted: bool,
}

impl Progress {
    /// Of a run over files, with results on standard output.
    pub fn over(files: &[PathBuf]) -> Self {
        Self::of(files, io::stderr().is_terminal() && !io::stdout().is_terminal())
    }

    /// The same of a run that writes nothing there meanwhile.
    pub fn silent(files: &[PathBuf]) -> Self {
        Self::of(files, io::stderr().is_terminal())
    }

    /// Of a run behind the screen, where nothing else may write.
    pub fn none() -> Self {
        Self::of(&[], false)
    }

    fn of(files: &[PathBuf], wanted: bool) -> Self {
        let bytes = if wanted { size(files) } else { None };
        let bar = ProgressBar::with_draw_target(bytes, ProgressDrawTarget::hidden());
        let template = match bytes {
            Some(_) => "{bar:30} {percent} %  {msg}  {eta} left",
            None => "{spinner}  {msg}  {elapsed}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("━━─"));
        }
        Self { bar, begun: Instant::now(), records: 0, wanted }
    }

    /// So many records and bytes more are done.
    pub fn add(&mut self, records: usize, bytes: usize) {
        self.records += records;
        let elapsed = self.begun.elapsed();
        if !self.wanted || elapsed < PATIENCE {
            self.bar.inc(bytes as u64);
            return;
        }
        if self.bar.is_hidden() {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        let rate = self.records as f64 / elapsed.as_secs_f64();
        self.bar.set_message(format!("{} records, {rate:.0} a second", self.records));
        self.bar.inc(bytes as u64);
    }

    /// Says something on standard error without the line in between.
    pub fn beside(&self, say: impl FnOnce()) {
        self.bar.suspend(say);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Bytes of all files; nothing where that is not known before they are read.
fn size(files: &[PathBuf]) -> Option<u64> {
    let named = session::named(files).ok()?;
    let plain = |named: &session::Named| {
        let path = named.path()?;
        let packed = path.extension().is_some_and(|extension| extension == "gz" || extension == "zst");
        let file = std::fs::metadata(path).ok().filter(|file| file.is_file() && !packed)?;
        Some(file.len())
    };
    named.iter().map(plain).sum()
}
