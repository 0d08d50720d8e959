//! Where the bytes of an input are: in memory, in a file that is read again where it is wanted, or in a
//! spool.

use std::fs::{self, File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use super::error::Changed;
use super::text::{LineColumn, Text};

/// Where the bytes of an input are.
#[derive(Debug, Clone)]
pub(super) enum Backing {
    /// In memory, as text.
    Memory(Arc<Text>),
    /// In a file, opened for each read: a directory may hold more files than a process may hold open.
    File { path: Box<Path>, state: FileState },
    /// In a file of our own without a name, filled from pipes; where it begins there.
    Spool { file: Arc<Mutex<File>>, begun: u64 },
}

/// By what a file is known to be as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FileState {
    length: u64,
    modified: Option<SystemTime>,
    /// Device and number; zero where the system does not tell.
    id: (u64, u64),
}

impl FileState {
    fn of(metadata: &Metadata) -> Self {
        #[cfg(unix)]
        let id = {
            use std::os::unix::fs::MetadataExt;
            (metadata.dev(), metadata.ino())
        };
        #[cfg(not(unix))]
        let id = (0, 0);
        Self { length: metadata.len(), modified: metadata.modified().ok(), id }
    }

    /// Whether what was known is still there: nothing changed, or a log has grown.
    fn holds_in(&self, now: &Self) -> bool {
        self == now || self.id == now.id && self.length < now.length
    }
}

/// Whether a file is still what was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It is, or there is none.
    Same,
    /// It has grown, or is another.
    Changed,
    /// It is not there any more.
    Gone,
}

/// Bytes that are read at once to count lines.
const STEP: u64 = 1 << 20;

impl Backing {
    /// A regular file with its length; none where it is something else.
    pub fn file(path: &Path) -> io::Result<Option<(Self, u64)>> {
        let metadata = fs::metadata(path)?;
        if metadata.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        // Files of the system (/proc) say 0 and hold more.
        if !metadata.is_file() || metadata.len() == 0 {
            return Ok(None);
        }
        let state = FileState::of(&metadata);
        Ok(Some((Self::File { path: path.into(), state }, state.length)))
    }

    /// The file, where it is one.
    pub fn path(&self) -> Option<&Path> {
        if let Self::File { path, .. } = self { Some(path) } else { None }
    }

    /// The bytes of a stretch. An error where the file has changed since it was indexed.
    pub fn read(&self, bytes: Range<u64>) -> io::Result<Vec<u8>> {
        match self {
            Self::Memory(text) => Ok(text
                .string
                .as_bytes()
                .get(bytes.start as usize..bytes.end as usize)
                .unwrap_or_default()
                .to_vec()),
            Self::File { path, state } => {
                let mut file = File::open(path)?;
                if !state.holds_in(&FileState::of(&file.metadata()?)) {
                    return Err(io::Error::other(Changed));
                }
                read_at(&mut file, bytes)
            }
            Self::Spool { file, begun } => {
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                read_at(&mut file, begun + bytes.start..begun + bytes.end)
            }
        }
    }

    /// Whether the file is still what was opened.
    pub fn standing(&self) -> Standing {
        let Self::File { path, state } = self else { return Standing::Same };
        match fs::metadata(path) {
            Ok(metadata) if FileState::of(&metadata) == *state => Standing::Same,
            Ok(_) => Standing::Changed,
            Err(_) => Standing::Gone,
        }
    }

    /// Line and column of the end of a stretch, given the line ends before its beginning and its column.
    pub fn count_lines(&self, bytes: Range<u64>, (before, column): (u64, usize)) -> io::Result<LineColumn> {
        let (mut lines, mut column, mut at) = (before, column, bytes.start);
        while at < bytes.end {
            let block = self.read(at..bytes.end.min(at + STEP))?;
            at += block.len() as u64;
            let last = memchr::memrchr(b'\n', &block);
            lines += memchr::memchr_iter(b'\n', &block).count() as u64;
            let rest = block.get(last.map_or(0, |last| last + 1)..).unwrap_or_default();
            let characters = rest.iter().filter(|&&byte| byte & 0xC0 != 0x80).count();
            column = if last.is_some() { 1 + characters } else { column + characters };
        }
        Ok((lines as usize + 1, column))
    }
}

fn read_at(file: &mut File, bytes: Range<u64>) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(bytes.start))?;
    let length = bytes.end - bytes.start;
    let mut out = Vec::new();
    // There may be no room for it.
    out.try_reserve_exact(length as usize).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
    file.take(length).read_to_end(&mut out)?;
    if out.len() as u64 == length { Ok(out) } else { Err(io::Error::other(Changed)) }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn a_file_that_was_replaced_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jsonl");
        fs::write(&path, "one\ntwo\n").unwrap();
        let (file, length) = Backing::file(&path).unwrap().unwrap();
        assert_eq!((length, file.read(4..7).unwrap()), (8, b"two".to_vec()));
        // A log that grows is what it was.
        fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(b"three\n").unwrap();
        assert_eq!(file.read(4..7).unwrap(), b"two".to_vec());
        fs::write(&path, "one\n").unwrap();
        assert_eq!(file.read(0..3).unwrap_err().to_string(), Changed.to_string());
        assert!(Backing::file(folder.path()).is_err());
    }
}
