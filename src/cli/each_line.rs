//! `--each-line`: exactly one object for each line, in the order of the lines.

use std::io::{self, Write};
use std::path::PathBuf;

use serde_json::{Value, json};

use super::failure::{Failure, Listened, Many};
use super::progress::Progress;
use super::written::{Written, unkept};
use crate::json::write;
use crate::review::Review;
use crate::session::{LineFault, OneLine, Supplied, each_line, parallel};
use crate::store::InputError;

/// What came of a run.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    /// Lines and inputs that could not be read.
    pub unread: usize,
    /// Responses that fail the run.
    pub failing: usize,
}

/// What a worker makes of a line.
struct Made {
    /// Its object, or why there is nowhere to keep it.
    object: io::Result<Written>,
    faults: Vec<String>,
    failing: usize,
    /// Bytes of the line.
    size: usize,
}

/// What is done with the lines.
pub(super) struct Job<'a, F> {
    /// Files, directories or standard input.
    pub files: &'a [PathBuf],
    /// What each object says it is.
    pub schema: &'static str,
    /// What the user has beside the lines.
    pub supplied: Supplied,
    /// Writes the JSON of a response; whether it fails the run.
    pub respond: F,
}

/// Writes an object for each line: its responses, or why there are none.
pub(super) fn run<F>(job: &Job<F>, out: &mut Listened<impl Write>) -> Result<Outcome, Failure>
where
    F: Fn(&Review, &mut Written) -> io::Result<bool> + Sync,
{
    let lines = each_line(job.files).map_err(|error| Failure::Because(error.to_string()))?;
    let mut total = Outcome::default();
    let mut unread = Many::default();
    let mut progress = Progress::over(job.files);
    let size = |line: &Result<OneLine, InputError>| line.as_ref().map_or(1, OneLine::size);
    let workshop = || {
        |line: Result<OneLine, InputError>| match line {
            Ok(line) => job.object(line),
            // An input that cannot be opened has no lines.
            Err(error) => {
                Made { object: Ok(Written::default()), faults: vec![error.to_string()], failing: 0, size: 0 }
            }
        }
    };
    let worked = parallel::ordered(lines, size, workshop, |made: Vec<Made>| {
        for made in made {
            total.failing += made.failing;
            for fault in &made.faults {
                progress.beside(|| unread.tell(fault));
            }
            made.object.map_err(|error| unkept(&error))?.copy_to(out)?;
            progress.add(1, made.size);
        }
        total.unread = unread.count();
        out.flush()?;
        if out.is_gone() && total.unread + total.failing > 0 { Err(Failure::Pipe) } else { Ok(()) }
    });
    drop(progress);
    unread.end("line", "could not be read");
    match worked {
        Ok(()) | Err(Failure::Pipe) => Ok(total),
        Err(failure) => Err(failure),
    }
}

impl<F: Fn(&Review, &mut Written) -> io::Result<bool>> Job<'_, F> {
    /// Whether an object has to say of which file it is.
    fn names_files(&self) -> bool {
        self.files.len() > 1 || self.files.iter().any(|file| file.is_dir())
    }

    fn object(&self, line: OneLine) -> Made {
        let (mut faults, mut failing, size) = (Vec::new(), 0, line.size());
        let mut object = Written::default();
        let written = self.write(line, &mut object, &mut faults, &mut failing);
        Made { object: written.map(|()| object), faults, failing, size }
    }

    /// Writes the object of a line, what is wrong with it, and how many of its responses fail the run.
    fn write(
        &self,
        line: OneLine,
        out: &mut Written,
        faults: &mut Vec<String>,
        failing: &mut usize,
    ) -> io::Result<()> {
        let (file, number) = (line.file.clone(), line.number);
        write!(out, "{{\"schema\":{}", json!(self.schema))?;
        if self.names_files() {
            out.write_all(b",\"file\":")?;
            write::compact(&mut *out, &json!(&*file))?;
        }
        write!(out, ",\"line\":{number}")?;
        let mut fault = None;
        let mut responses = 0;
        match line.open(&self.supplied) {
            Err(LineFault { column, what }) => fault = Some((number, column, what)),
            Ok(session) => {
                for read in session.iter().flat_map(crate::session::Session::reviews) {
                    match read {
                        Err(fail) => fault = fault.or(Some((fail.line, fail.column, fail.what))),
                        Ok(review) => {
                            let before: &[u8] = if responses == 0 { b",\"responses\":[" } else { b"," };
                            out.write_all(before)?;
                            responses += 1;
                            *failing += usize::from((self.respond)(&review, out)?);
                        }
                    }
                }
            }
        }
        match (responses, &fault) {
            (0, None) => out.write_all(b",\"responses\":[]")?,
            (0, Some(_)) => {}
            _ => out.write_all(b"]")?,
        }
        if let Some((line, column, what)) = fault {
            let value = json!({"line": line, "column": column, "path": Value::Null, "message": what});
            out.write_all(b",\"error\":")?;
            write::compact(&mut *out, &value)?;
            faults.push(format!("{file}:{line}:{column}: {what}"));
        }
        out.write_all(b"}\n")
    }
}
