//! `--each-line`: exactly one object for each line, in the order of the lines.

use std::io::Write;
use std::path::PathBuf;

use serde_json::{Value, json};

use super::failure::{Failure, Listened, Many};
use super::progress::Progress;
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
#[derive(Default)]
struct Made {
    bytes: Vec<u8>,
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
    /// Writes the JSON of a response; true where it fails the run.
    pub respond: F,
}

/// Writes an object for each line: its responses, or why there are none.
pub(super) fn run<F>(job: &Job<F>, out: &mut Listened<impl Write>) -> Result<Outcome, Failure>
where
    F: Fn(&Review, &mut Vec<u8>) -> bool + Sync,
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
            Err(error) => Made { faults: vec![error.to_string()], ..Made::default() },
        }
    };
    let worked = parallel::ordered(lines, size, workshop, |made: Vec<Made>| {
        for made in made {
            total.failing += made.failing;
            for fault in &made.faults {
                progress.beside(|| unread.tell(fault));
            }
            out.write_all(&made.bytes)?;
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

impl<F: Fn(&Review, &mut Vec<u8>) -> bool> Job<'_, F> {
    /// Whether an object has to say of which file it is.
    fn names_files(&self) -> bool {
        self.files.len() > 1 || self.files.iter().any(|file| file.is_dir())
    }

    fn object(&self, line: OneLine) -> Made {
        let (file, number) = (line.file.clone(), line.number);
        let mut made = Made { size: line.size(), ..Made::default() };
        let fault = |line: usize, column: usize, what: &str| {
            (
                json!({"line": line, "column": column, "path": Value::Null, "message": what}),
                format!("{file}:{line}:{column}: {what}"),
            )
        };
        let mut error = None;
        let mut responses = Vec::new();
        match line.open(&self.supplied) {
            Err(LineFault { column, what }) => error = Some(fault(number, column, &what)),
            Ok(session) => {
                for read in session.iter().flat_map(crate::session::Session::reviews) {
                    match read {
                        Err(fail) => {
                            error = error.or_else(|| Some(fault(fail.line, fail.column, &fail.what)));
                        }
                        Ok(review) => {
                            if !responses.is_empty() {
                                responses.push(b',');
                            }
                            made.failing += usize::from((self.respond)(&review, &mut responses));
                        }
                    }
                }
            }
        }
        let head = format!("{{\"schema\":{}", json!(self.schema));
        made.bytes.extend(head.into_bytes());
        if self.names_files() {
            made.bytes.extend_from_slice(b",\"file\":");
            let _ = write::compact(&mut made.bytes, &json!(&*file));
        }
        made.bytes.extend(format!(",\"line\":{number}").into_bytes());
        if !responses.is_empty() || error.is_none() {
            made.bytes.extend_from_slice(b",\"responses\":[");
            made.bytes.extend(responses);
            made.bytes.push(b']');
        }
        if let Some((value, words)) = error {
            made.bytes.extend_from_slice(b",\"error\":");
            // Writing to memory does not fail.
            let _ = write::compact(&mut made.bytes, &value);
            made.faults.push(words);
        }
        made.bytes.extend_from_slice(b"}\n");
        made
    }
}
