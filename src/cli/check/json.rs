//! The machine formats of `check` that are one document: `citescope-check/1`, the same by lines, and SARIF's
//! frame.

use std::io::{self, Write};
use std::sync::Arc;

use serde::Serialize;
use serde_json::json;

use super::checked::{Checked, Tally};
use super::report::Report;
use crate::check::RULES;
use crate::cli::args::CheckFormat;
use crate::cli::failure::Failure;
use crate::cli::written::{self, Written};
use crate::export::json;
use crate::form::{self, List};
use crate::json::write;
use crate::session::RecordError;

/// Version of the layout; a change of meaning changes it.
pub(super) const SCHEMA: &str = "citescope-check/1";

/// Strings reports together to one document, as they come.
pub(super) struct Printer {
    format: CheckFormat,
    /// The file whose responses are being written.
    open: Option<Arc<str>>,
    /// Something was written that a comma must follow.
    some: bool,
    /// Of SARIF: what could not be read.
    notifications: Vec<Written>,
}

/// What could not be read and is told one by one in SARIF.
const NOTIFICATIONS: usize = 1000;

impl Printer {
    pub fn new(format: CheckFormat) -> Self {
        Self { format, open: None, some: false, notifications: Vec::new() }
    }

    pub fn begin(&mut self, out: &mut impl Write) -> Result<(), Failure> {
        match self.format {
            CheckFormat::Json => write!(out, "{{\"schema\":{},\"files\":[", json!(SCHEMA))?,
            CheckFormat::Sarif => write!(out, "{}", sarif_head())?,
            CheckFormat::Text | CheckFormat::Jsonl | CheckFormat::Github => {}
        }
        Ok(())
    }

    pub fn report(&mut self, report: Report, out: &mut impl Write) -> Result<(), Failure> {
        let body = report.body.map_err(|error| written::unkept(&error))?;
        if body.is_empty() && !(self.format == CheckFormat::Json && report.tally.responses > 0) {
            return Ok(());
        }
        match self.format {
            CheckFormat::Text | CheckFormat::Jsonl | CheckFormat::Github => body.copy_to(out)?,
            CheckFormat::Json => self.under_file(&report.file, report.failed_file, body, out)?,
            CheckFormat::Sarif if report.tally.unread > 0 && report.tally.responses == 0 => {
                if self.notifications.len() < NOTIFICATIONS {
                    self.notifications.push(body);
                }
            }
            CheckFormat::Sarif => {
                let comma = if std::mem::replace(&mut self.some, true) { ",\n" } else { "\n" };
                out.write_all(comma.as_bytes())?;
                body.copy_to(out)?;
            }
        }
        Ok(())
    }

    /// Responses stand under their file; so does what is wrong with the file as a whole, or from some place
    /// on.
    fn under_file(
        &mut self,
        file: &Arc<str>,
        failed: bool,
        body: Written,
        out: &mut impl Write,
    ) -> Result<(), Failure> {
        if failed && self.open.as_ref() == Some(file) {
            self.open = None;
            out.write_all(b"],\"error\":")?;
            body.copy_to(out)?;
            return Ok(out.write_all(b"}")?);
        }
        if self.open.as_ref() != Some(file) {
            self.close_file(out)?;
            let comma = if self.some { "," } else { "" };
            write!(out, "{comma}\n{{\"file\":")?;
            write::compact(&mut *out, &json!(&**file))?;
            self.open = Some(Arc::clone(file));
            if failed {
                out.write_all(b",\"responses\":[],\"error\":")?;
                body.copy_to(out)?;
                out.write_all(b"}")?;
                self.open = None;
                self.some = true;
                return Ok(());
            }
            out.write_all(b",\"responses\":[")?;
        } else if self.some {
            out.write_all(b",")?;
        }
        out.write_all(b"\n")?;
        body.copy_to(out)?;
        self.some = true;
        Ok(())
    }

    fn close_file(&mut self, out: &mut impl Write) -> Result<(), Failure> {
        if self.open.take().is_some() {
            out.write_all(b"],\"error\":null}")?;
        }
        Ok(())
    }

    pub fn end(&mut self, total: &Tally, out: &mut impl Write) -> Result<(), Failure> {
        match self.format {
            CheckFormat::Json => {
                self.close_file(out)?;
                let summary = json!({
                    "responses": total.responses,
                    "errors": total.errors,
                    "warnings": total.warnings,
                    "notes": total.notes,
                });
                writeln!(out, "\n],\"summary\":{summary}}}")?;
            }
            CheckFormat::Sarif => {
                write!(
                    out,
                    "\n],\"invocations\":[{{\"executionSuccessful\":{},\"toolExecutionNotifications\":[",
                    total.unread == 0
                )?;
                for (number, told) in self.notifications.drain(..).enumerate() {
                    out.write_all(if number == 0 { b"" } else { b"," })?;
                    told.copy_to(out)?;
                }
                writeln!(out, "]}}]}}]}}")?;
            }
            CheckFormat::Text | CheckFormat::Jsonl | CheckFormat::Github => {}
        }
        Ok(())
    }
}

const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");

/// SARIF up to its list of results. Columns count characters, as everywhere.
fn sarif_head() -> String {
    let rule = |rule: &&crate::check::Rule| {
        let level = rule.severity.word();
        let first = rule.explain.split("\n\n").next().unwrap_or(rule.summary).replace('\n', " ");
        let mut descriptor = json!({
            "id": rule.id,
            "name": rule.id,
            "shortDescription": {"text": rule.summary},
            "fullDescription": {"text": first},
            "help": {"text": rule.help, "markdown": rule.explain},
            "defaultConfiguration": {"level": level},
            "properties": {"tags": [rule.group.word()]},
        });
        // Where the program is published, once that is known.
        if let (Some(fields), false) = (descriptor.as_object_mut(), REPOSITORY.is_empty()) {
            let address =
                format!("{REPOSITORY}/blob/v{}/docs/rules.md#{}", env!("CARGO_PKG_VERSION"), rule.id);
            fields.insert("helpUri".to_owned(), address.into());
        }
        descriptor
    };
    let driver = json!({
        "name": "citescope",
        "version": env!("CARGO_PKG_VERSION"),
        "rules": RULES.iter().map(rule).collect::<Vec<_>>(),
    });
    format!(
        "{{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{{\"tool\":{{\"driver\":{driver}}},\"automationDetails\":{{\"id\":\"citescope/check/\"}},\"columnKind\":\"unicodeCodePoints\",\"results\":["
    )
}

/// A response with its findings.
#[derive(Serialize)]
struct Response<'a> {
    record: usize,
    item: usize,
    id: Option<&'a str>,
    format: &'a str,
    fit: form::Fit<'static>,
    coverage: Option<f64>,
    findings: List<'a, form::Finding<'a>>,
}

/// A record that could not be read.
#[derive(Serialize)]
struct Unread<'a> {
    record: Option<usize>,
    error: What<'a>,
}

/// What could not be read, and why.
#[derive(Serialize)]
struct What<'a> {
    line: Option<usize>,
    column: Option<usize>,
    path: Option<&'a str>,
    message: &'a str,
}

/// An object with what stands before its fields where it is a line of its own.
#[derive(Serialize)]
struct Line<'a, T> {
    #[serde(skip_serializing_if = "Option::is_none")]
    schema: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    #[serde(flatten)]
    fields: T,
}

/// A response, in a document or as a line.
pub(super) fn response(checked: &Checked, format: CheckFormat, out: impl Write) -> io::Result<()> {
    write_line(fields(checked), checked.review.file(), format, out)
}

/// A response among those of a line.
pub(super) fn one_of_line(checked: &Checked, out: impl Write) -> io::Result<()> {
    write::compact(out, &fields(checked))
}

fn fields<'a>(checked: &'a Checked) -> Response<'a> {
    let review = checked.review;
    Response {
        record: review.record(),
        item: review.response.item,
        id: review.response.id.as_deref(),
        format: review.response.format_id(),
        fit: json::fit(review),
        coverage: json::coverage(review),
        findings: List::of(move || {
            checked.findings.iter().map(move |finding| json::finding(review, finding))
        }),
    }
}

/// A record that could not be read, in the place of its responses.
pub(super) fn broken(error: &RecordError, record: usize, format: CheckFormat) -> Vec<u8> {
    let what = What { line: Some(error.line), column: Some(error.column), path: None, message: &error.what };
    line(Unread { record: Some(record), error: what }, &error.name, format)
}

fn line(fields: impl Serialize, file: &str, format: CheckFormat) -> Vec<u8> {
    let mut out = Vec::new();
    // Writing to memory does not fail.
    let _ = write_line(fields, file, format, &mut out);
    out
}

fn write_line(
    fields: impl Serialize,
    file: &str,
    format: CheckFormat,
    mut out: impl Write,
) -> io::Result<()> {
    let alone = format == CheckFormat::Jsonl;
    let line = Line { schema: alone.then_some(SCHEMA), file: alone.then_some(file), fields };
    write::compact(&mut out, &line)?;
    if alone { out.write_all(b"\n") } else { Ok(()) }
}

/// An input that could not be read at all.
pub(super) fn unreadable(
    name: &str,
    place: Option<(usize, usize)>,
    what: &str,
    format: CheckFormat,
) -> Vec<u8> {
    let (row, column) = place.unzip();
    let error = What { line: row, column, path: None, message: what };
    match format {
        CheckFormat::Jsonl => line(Unread { record: None, error }, name, format),
        _ => line(error, name, format),
    }
}
