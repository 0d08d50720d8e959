//! What the screen asks for: a file repaired, everything opened anew.

use std::fs::File;
use std::io::{BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::args::Common;
use super::failure::Failure;
use super::fix;
use super::inputs::supplied;
use super::samples;
use crate::session::{self, Opening, Session};
use crate::tui::acts::{Acts, Opened};

/// How long what is opened anew is waited for, so that its first frame is complete.
const MOMENT: Duration = Duration::from_millis(60);

/// The acts on what a command line names.
pub(super) struct OfCommandLine {
    pub common: Common,
    pub files: Vec<PathBuf>,
    /// The samples are shown.
    pub samples: bool,
}

fn no_thread(error: std::io::Error) -> Failure {
    Failure::Because(format!("cannot start a thread: {error}"))
}

fn words(failure: Failure) -> String {
    match failure {
        Failure::Because(why) => why,
        Failure::Pipe | Failure::Told => "it cannot be read".to_owned(),
    }
}

impl OfCommandLine {
    /// Opens what is named.
    pub fn open(&self) -> Result<Opening, Failure> {
        let supplied = supplied(&self.common, &self.files)?;
        if self.samples {
            return Ok(Opening::done(Arc::new(samples::session(supplied))));
        }
        let named = session::named(&self.files).map_err(|error| Failure::Because(error.to_string()))?;
        Opening::begin(named, supplied).map_err(no_thread)
    }
}

impl Acts for OfCommandLine {
    fn repair(&self, file: &Path, in_place: bool) -> Result<String, String> {
        if in_place {
            return fix::repair_file(file, &self.common).map_err(words);
        }
        let (copy, mut out) = copy_beside(file)?;
        let done = fix::repair_into(file, &self.common, &mut out);
        let done = done.and_then(|report| out.flush().map(|()| report).map_err(Failure::from));
        let name = copy.file_name().unwrap_or_default().to_string_lossy().into_owned();
        done.map(|report| format!("written to {name}: {report}")).map_err(|failure| {
            // What was begun is of no use.
            let _ = std::fs::remove_file(&copy);
            words(failure)
        })
    }

    fn reopen(&self) -> Result<Opened, String> {
        if self.files.is_empty() && !self.samples || self.files.iter().any(|file| file.as_os_str() == "-") {
            return Err("what came through a pipe cannot be read again".to_owned());
        }
        // Nobody may write into a pipe any more: opening it would wait for that.
        let again = |file: &&PathBuf| std::fs::metadata(file).is_ok_and(|of| !of.is_file() && !of.is_dir());
        if let Some(pipe) = self.files.iter().find(again) {
            return Err(format!("{} is a pipe: it cannot be read again", pipe.display()));
        }
        let begun = Instant::now();
        let opening = self.open().map_err(words)?;
        let (session, _): (Arc<Session>, bool) = opening.first(MOMENT.saturating_sub(begun.elapsed()));
        if session.is_empty() {
            let why = session.failures().first().map(ToString::to_string);
            return Err(why.unwrap_or_else(|| "no response in the input any more".to_owned()));
        }
        Ok((opening, session))
    }
}

/// A new file beside another: `answer.repaired.json`, or with a number where that is there already.
fn copy_beside(file: &Path) -> Result<(PathBuf, BufWriter<File>), String> {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let end = file.extension().map(|end| format!(".{}", end.to_string_lossy())).unwrap_or_default();
    for number in 1..1000 {
        let number = if number == 1 { String::new() } else { format!("-{number}") };
        let copy = file.with_file_name(format!("{stem}.repaired{number}{end}"));
        match File::create_new(&copy) {
            Ok(out) => return Ok((copy, BufWriter::new(out))),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(format!("{}: {error}", copy.display())),
        }
    }
    Err(format!("{}: there are a thousand repaired copies already", file.display()))
}
