//! Why a command ends early, and what is said on standard error.

use std::error::Error;
use std::io::{self, Write};

use crate::store::InputError;
use crate::text::{counted, sanitize, without_commands};

/// A line on standard error: one message is one line, whatever a file, a service or a response put into it.
/// Runners of CI take some lines for commands (`::add-mask::` at the beginning, `##[…]` anywhere). Nobody may
/// be listening.
pub(super) fn tell(line: &str) {
    let told = line.get(..line.floor_char_boundary(LINE_MOST)).unwrap_or(line);
    let more = line.len() - told.len();
    let rest = if more > 0 { format!("… ({more} more bytes)") } else { String::new() };
    let _ = writeln!(io::stderr(), "citescope: {}{rest}", on_one_line(told));
}

/// Bytes of a message that are told: a service may send any number.
const LINE_MOST: usize = 4096;

/// Text as one harmless line, its own lines still to be told apart.
pub(super) fn on_one_line(text: &str) -> String {
    without_commands(&sanitize(text).replace('\n', "␊").replace('\t', " ")).into_owned()
}

/// Messages of one kind that are told one by one; of more only their number.
const TOLD: usize = 20;

/// Messages of one kind, of which there may be any number.
#[derive(Default)]
pub(super) struct Many {
    count: usize,
    /// They are only counted: standard error is a screen.
    untold: bool,
}

impl Many {
    /// Those that are only counted.
    pub fn untold() -> Self {
        Self { count: 0, untold: true }
    }

    /// Tells one, unless so many were told.
    pub fn tell(&mut self, line: &str) {
        self.count += 1;
        if self.count <= TOLD && !self.untold {
            tell(line);
        }
    }

    /// How many there were.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Tells how many more there were; `what` they are and what became of them, as in `record` and
    /// `could not be read`.
    pub fn end(&self, what: &str, became: &str) {
        if self.count > TOLD && !self.untold {
            tell(&format!("… and {} {became}", counted(self.count - TOLD, &format!("more {what}"))));
        }
    }
}

/// Why a command ends early.
pub(super) enum Failure {
    /// Whoever reads our output has gone.
    Pipe,
    /// Already told.
    Told,
    /// This.
    Because(String),
}

impl From<io::Error> for Failure {
    /// Of copying to the output: what cannot be read says so itself.
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::Pipe,
            _ if is_of_reading(&error) => Self::Because(error.to_string()),
            _ => Self::Because(format!("the output cannot be written: {error}")),
        }
    }
}

/// Whether what failed was reading the input.
pub(super) fn is_of_reading(error: &io::Error) -> bool {
    error.get_ref().is_some_and(<dyn Error + Send + Sync>::is::<InputError>)
}

/// An output whose reader may go: what is written then goes nowhere.
pub(super) struct Listened<W> {
    out: W,
    gone: bool,
}

impl<W> Listened<W> {
    /// Of an output.
    pub fn to(out: W) -> Self {
        Self { out, gone: false }
    }

    /// Whether the reader has gone.
    pub fn is_gone(&self) -> bool {
        self.gone
    }

    fn or_gone<T: Default>(&mut self, result: io::Result<T>) -> io::Result<Option<T>> {
        match result {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.gone = true;
                Ok(None)
            }
            other => other.map(Some),
        }
    }
}

impl<W: Write> Write for Listened<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.gone {
            return Ok(bytes.len());
        }
        let written = self.out.write(bytes);
        Ok(self.or_gone(written)?.unwrap_or(bytes.len()))
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.gone {
            return Ok(());
        }
        let flushed = self.out.flush();
        self.or_gone(flushed).map(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_one_line_and_no_command() {
        assert_eq!(on_one_line("a\n::error::b\r\n\tc\u{1b}[0m"), "a␊::error::b␊ c␛[0m");
        assert_eq!(on_one_line("x ##[add-mask]y"), "x ##␛[add-mask]y");
    }
}
