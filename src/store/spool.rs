//! Pipes and packed files: short ones are held, longer ones are kept in a file of our own without a name.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::{Arc, Mutex, PoisonError};

use super::backing::Backing;
use super::encoding::is_binary;

/// What came of reading a pipe.
pub(super) enum Spooled {
    /// All of it.
    Short(Vec<u8>),
    /// Where it is kept, and its length.
    Long(Backing, u64),
}

/// Where inputs that are opened together are kept, where they cannot be read again: one file for all, since
/// a directory may hold more than a process may hold open.
#[derive(Debug)]
pub struct Spool {
    /// Bytes that a record may have.
    pub(super) longest: u64,
    kept: Mutex<Kept>,
}

/// What is kept so far.
#[derive(Debug, Default)]
struct Kept {
    /// Bytes in memory.
    held: usize,
    file: Option<Arc<Mutex<File>>>,
    /// Bytes in the file.
    length: u64,
}

/// Bytes that are held in memory together, at most.
const HELD: usize = 64 << 20;

/// Bytes of a pipe that are kept at most: what goes on for longer has no end.
const ENDLESS: u64 = 16 << 30;

/// Bytes that are written at once: whoever reads waits for no more.
const STEP: u64 = 1 << 20;

impl Spool {
    /// For inputs of which a record may have so many bytes.
    pub fn new(longest: u64) -> Self {
        Self { longest, kept: Mutex::default() }
    }

    /// Reads a pipe to its end; what is longer than `most` bytes, or than what is left in memory, goes to the
    /// file. Of what is no text the rest is not read.
    ///
    /// # Errors
    ///
    /// Where it cannot be read or kept, or has no end.
    pub(super) fn keep(&self, reader: impl Read, most: usize) -> io::Result<Spooled> {
        self.keep_up_to(reader, most, ENDLESS)
    }

    fn keep_up_to(&self, mut reader: impl Read, most: usize, endless: u64) -> io::Result<Spooled> {
        let mut bytes = Vec::new();
        reader.by_ref().take(most as u64 + 1).read_to_end(&mut bytes)?;
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let is_short = bytes.len() <= most && kept.held + bytes.len() <= HELD;
        if is_short || is_binary(&bytes) {
            kept.held += bytes.len();
            return Ok(Spooled::Short(bytes));
        }
        let file = kept.file().map_err(|error| no_room(&error))?;
        let begun = kept.length;
        let mut length = 0;
        while !bytes.is_empty() {
            write_at(&file, begun + length, &bytes).map_err(|error| no_room(&error))?;
            length += bytes.len() as u64;
            if length > endless {
                let what = format!("more than {} GB come from a pipe: save them to a file", endless >> 30);
                return Err(io::Error::other(what));
            }
            bytes.clear();
            reader.by_ref().take(STEP).read_to_end(&mut bytes)?;
        }
        kept.length += length;
        Ok(Spooled::Long(Backing::Spool { file, begun }, length))
    }
}

impl Kept {
    fn file(&mut self) -> io::Result<Arc<Mutex<File>>> {
        if let Some(file) = &self.file {
            return Ok(Arc::clone(file));
        }
        let file = Arc::new(Mutex::new(tempfile::tempfile()?));
        self.file = Some(Arc::clone(&file));
        Ok(file)
    }
}

fn write_at(file: &Mutex<File>, at: u64, bytes: &[u8]) -> io::Result<()> {
    let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
    file.seek(SeekFrom::Start(at))?;
    file.write_all(bytes)
}

fn no_room(error: &io::Error) -> io::Error {
    let folder = std::env::temp_dir();
    let what = format!("no room to keep it in {} (TMPDIR names another): {error}", folder.display());
    io::Error::new(error.kind(), what)
}

#[cfg(test)]
mod tests {
    use super::super::error::Changed;
    use super::*;

    #[test]
    fn a_long_pipe_goes_to_a_file_and_a_short_one_is_held() {
        let spool = Spool::new(u64::MAX);
        let Spooled::Short(bytes) = spool.keep(&b"ab\ncd"[..], 5).unwrap() else { panic!("kept") };
        assert_eq!(bytes, b"ab\ncd");
        let kept = |text: &str| {
            let Spooled::Long(kept, length) = spool.keep(text.as_bytes(), 5).unwrap() else { panic!("held") };
            (kept, length)
        };
        // One behind the other.
        let ((one, length), (two, _)) = (kept("ab\nc\u{e9}d"), kept("second"));
        assert_eq!((length, one.read(3..7).unwrap()), (7, "c\u{e9}d".as_bytes().to_vec()));
        assert_eq!(one.count_lines(0..6, (10, 1)).unwrap(), (12, 3));
        assert_eq!(two.read(0..6).unwrap(), b"second");
        assert_eq!(two.read(5..9).unwrap_err().to_string(), Changed.to_string());
    }

    #[test]
    fn of_many_short_ones_the_last_are_not_held() {
        let spool = Spool::new(u64::MAX);
        let text = vec![b'x'; HELD / 2];
        for is_held in [true, true, false] {
            let kept = spool.keep(&text[..], HELD).unwrap();
            assert_eq!(matches!(kept, Spooled::Short(_)), is_held);
        }
        assert!(matches!(spool.keep(&b""[..], HELD).unwrap(), Spooled::Short(_)));
    }

    #[test]
    fn what_has_no_end_and_what_is_no_text_is_not_read_to_its_end() {
        let spool = Spool::new(u64::MAX);
        let Err(error) = spool.keep_up_to(io::repeat(b'x'), 10, 5 << 20) else { panic!("read") };
        assert_eq!(error.to_string(), "more than 0 GB come from a pipe: save them to a file");
        let Spooled::Short(bytes) = spool.keep(io::repeat(0), 10).unwrap() else { panic!("kept") };
        assert_eq!(bytes, [0; 11]);
    }
}
