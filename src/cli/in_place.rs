//! A file replaced by its repaired text: whole or not at all, as who owns it left it, and not if it has
//! changed meanwhile.

use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::failure::{Failure, is_of_reading};
use crate::store::Unfinished;

/// A file that is to be replaced, as it was when it was read.
pub(super) struct Original {
    /// Where it is; a link keeps pointing there.
    path: PathBuf,
    before: Metadata,
    force: bool,
}

fn because(path: &Path, what: &str) -> Failure {
    Failure::Because(format!("{}: {what}", path.display()))
}

/// Whether a name leads to a stream of this process: it is one, or a link on its way is.
fn leads_to_stream(file: &Path) -> bool {
    /// Links that lead from one to the next at most.
    const LINKS: usize = 40;
    let mut at = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    for _ in 0..LINKS {
        // The folders on the way may be links themselves.
        let folder = at.parent().and_then(|folder| fs::canonicalize(folder).ok());
        let name = at.file_name().unwrap_or_default().to_owned();
        let here = folder.map_or_else(|| at.clone(), |folder| folder.join(&name));
        let standard =
            ["stdin", "stdout", "stderr"].iter().any(|stream| here == Path::new("/dev").join(stream));
        if standard || ["/dev/fd", "/proc"].iter().any(|folder| here.starts_with(folder)) {
            return true;
        }
        let Ok(next) = fs::read_link(&here) else { return false };
        at = here.parent().unwrap_or(Path::new("/")).join(next);
    }
    true
}

impl Original {
    /// Of a name, if what it names can be replaced. `force`: also where something of it gets lost.
    pub fn of(file: &Path, force: bool) -> Result<Self, Failure> {
        let refused = |error: io::Error| because(file, &format!("cannot be read: {error}"));
        let path = fs::canonicalize(file).map_err(refused)?;
        let before = fs::metadata(&path).map_err(refused)?;
        // Links there lead to whatever a shell put behind a stream.
        if leads_to_stream(file) || !before.is_file() {
            let what =
                "this is no regular file; without --in-place the repaired text goes to standard output";
            return Err(because(file, what));
        }
        if !force {
            if before.permissions().readonly() {
                return Err(because(file, "the file is read-only; --force replaces it all the same"));
            }
            let names = names(&before);
            if names > 1 {
                let what = format!(
                    "the file has {names} names (hard links), and the others would keep what is wrong; --force \
                     replaces it under this one"
                );
                return Err(because(file, &what));
            }
        }
        Ok(Self { path, before, force })
    }

    /// Replaces it by what is written.
    pub fn replace(&self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Failure> {
        let failed = |error: io::Error| {
            if is_of_reading(&error) {
                return Failure::Because(format!("{error}; the file is as it was"));
            }
            because(&self.path, &format!("cannot be written: {error}; it is as it was"))
        };
        let folder = self.path.parent().unwrap_or(Path::new("."));
        let _watch = Watch::begin().map_err(failed)?;
        let (mut beside, unfinished) = Unfinished::beside(folder).map_err(failed)?;
        let mut out = io::BufWriter::new(beside.as_file_mut());
        write(&mut out).and_then(|()| out.flush()).map_err(failed)?;
        drop(out);
        self.dress(&beside)?;
        beside.as_file().sync_all().map_err(failed)?;
        if !self.is_unchanged() {
            let what = "the file has changed since it was read; it is left as it is, repair it again";
            return Err(because(&self.path, what));
        }
        beside.persist(&self.path).map_err(|error| failed(error.error))?;
        drop(unfinished);
        // Some systems have no way to sync a folder.
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
        Ok(())
    }

    fn is_unchanged(&self) -> bool {
        let same = |now: &Metadata| {
            now.len() == self.before.len()
                && now.modified().ok() == self.before.modified().ok()
                && identity(now) == identity(&self.before)
        };
        fs::metadata(&self.path).is_ok_and(|now| same(&now))
    }

    /// Gives the new file what the old one had: owner, attributes, mode; never the right to run as somebody.
    fn dress(&self, beside: &NamedTempFile) -> Result<(), Failure> {
        let keep = |what: &str, result: io::Result<()>| match result {
            Err(error) if !self.force => Err(because(
                &self.path,
                &format!(
                    "its {what} cannot be kept: {error}; it is as it was, and --force replaces it all the same"
                ),
            )),
            _ => Ok(()),
        };
        #[cfg(unix)]
        {
            use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
            let before = &self.before;
            let now = beside.as_file().metadata().map_err(|error| because(&self.path, &error.to_string()))?;
            if (now.uid(), now.gid()) != (before.uid(), before.gid()) {
                keep("owner", fchown(beside.as_file(), Some(before.uid()), Some(before.gid())))?;
            }
            keep("extended attributes", copy_attributes(&self.path, beside.as_file()))?;
            let mode = fs::Permissions::from_mode(before.mode() & 0o1777);
            keep("permissions", fs::set_permissions(beside.path(), mode))
        }
        #[cfg(not(unix))]
        keep("permissions", fs::set_permissions(beside.path(), self.before.permissions()))
    }
}

#[cfg(unix)]
fn names(file: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::nlink(file)
}

#[cfg(not(unix))]
fn names(_: &Metadata) -> u64 {
    1
}

/// What tells a file from one put in its place.
#[cfg(unix)]
fn identity(file: &Metadata) -> (u64, u64, i64, i64) {
    use std::os::unix::fs::MetadataExt;
    (file.dev(), file.ino(), file.ctime(), file.ctime_nsec())
}

#[cfg(not(unix))]
fn identity(_: &Metadata) {}

/// Bytes of an attribute, and of the names of all, at most (`XATTR_SIZE_MAX`, `XATTR_LIST_MAX`).
#[cfg(any(target_os = "linux", target_os = "macos"))]
const LARGEST_ATTRIBUTE: usize = 1 << 16;

/// What a program that starts the file may do: as set-id modes, nothing that a repaired copy inherits.
#[cfg(any(target_os = "linux", target_os = "macos"))]
const CAPABILITIES: &[u8] = b"security.capability";

/// Copies extended attributes, access lists among them.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn copy_attributes(from: &Path, to: &File) -> io::Result<()> {
    use rustix::fs::{XattrFlags, fsetxattr, getxattr, listxattr};
    let mut names = vec![0u8; LARGEST_ATTRIBUTE];
    let size = listxattr(from, &mut names[..])?;
    names.truncate(size);
    let mut value = vec![0u8; LARGEST_ATTRIBUTE];
    for name in names.split(|&byte| byte == 0).filter(|name| !name.is_empty() && *name != CAPABILITIES) {
        let size = getxattr(from, name, &mut value[..])?;
        fsetxattr(to, name, value.get(..size).unwrap_or_default(), XattrFlags::empty())?;
    }
    Ok(())
}

#[cfg(all(unix, not(any(target_os = "linux", target_os = "macos"))))]
fn copy_attributes(_: &Path, _: &File) -> io::Result<()> {
    Ok(())
}

/// Takes an unfinished file away when a signal ends the program.
#[cfg(unix)]
struct Watch(signal_hook::iterator::Handle);

#[cfg(unix)]
impl Watch {
    fn begin() -> io::Result<Self> {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXFSZ};
        let mut signals = signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXFSZ])?;
        let handle = signals.handle();
        std::thread::Builder::new().spawn(move || {
            // A file that grows too large is an error of writing it.
            if let Some(signal) = signals.forever().find(|signal| *signal != SIGXFSZ) {
                Unfinished::remove();
                crate::tui::leave();
                std::process::exit(128 + signal);
            }
        })?;
        Ok(Self(handle))
    }
}

#[cfg(unix)]
impl Drop for Watch {
    fn drop(&mut self) {
        self.0.close();
    }
}

#[cfg(not(unix))]
struct Watch;

#[cfg(not(unix))]
impl Watch {
    #[allow(clippy::unnecessary_wraps)] // as where there are signals
    fn begin() -> io::Result<Self> {
        Ok(Self)
    }
}
