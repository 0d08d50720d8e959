//! `citescope check`: all findings of any number of inputs, in the order of the inputs, on all cores.

mod jobs;
mod json;
mod lines;
mod report;
mod text;

use std::io::Write;
use std::process::ExitCode;

use super::args::{Check, CheckFormat, Common};
use super::explain::Which;
use super::failure::{Failure, tell};
use super::source_texts;
use crate::session::{RecordError, parallel};
use jobs::Job;
use report::{Checked, Options, Report, Tally};

pub(super) fn run(check: &Check, common: &Common, out: &mut impl Write) -> Result<ExitCode, Failure> {
    if let Some(word) = &check.explain {
        let session = super::inputs::open(&check.files, common)?;
        let failed = super::inputs::report_failures(&session);
        let which: Which = word.parse().map_err(Failure::Because)?;
        out.write_all(which.explain(&session).map_err(Failure::Because)?.as_bytes())?;
        return Ok(ExitCode::from(if failed { 2 } else { 0 }));
    }
    let options = Options::of(check, common)?;
    let supplied = super::inputs::supplied(common)?;
    let sources = supplied.source_texts.clone();
    let work = jobs::jobs(&check.files, supplied)?;
    let mut printer = json::Printer::new(options.format);
    let mut total = Tally::default();
    printer.begin(out)?;
    let workshop = || |job: Job| report_on(&job, &options);
    parallel::ordered(work, Job::size, workshop, |reports: Vec<Report>| {
        for report in reports {
            total.add(report.tally);
            if let Some(line) = &report.message {
                tell(line);
            }
            printer.report(&report, out)?;
        }
        // Findings of a pipe that goes on are shown as they come.
        out.flush().map_err(Failure::from)
    })?;
    printer.end(&total, out)?;
    source_texts::report_unused(sources.as_deref(), common);
    if options.format == CheckFormat::Text {
        out.write_all(text::summary(&total, &options).as_bytes())?;
    }
    Ok(ExitCode::from(match total {
        Tally { unread: 1.., .. } => 2,
        Tally { failing: 1.., .. } => 1,
        _ => 0,
    }))
}

fn report_on(job: &Job, options: &Options) -> Report {
    let file = job.file();
    let mut tally = Tally::default();
    let mut body = Vec::new();
    let mut message = None;
    let mut failed_file = false;
    match job {
        Job::Record { session, index, .. } => match session.decode(*index) {
            Ok(reviews) => {
                for review in reviews.iter() {
                    let findings = options.findings(review);
                    let checked =
                        Checked { review, siblings: reviews.len(), records: session.len(), findings };
                    tally.add(checked.tally(options));
                    let part = body_of(&checked, options);
                    if !body.is_empty()
                        && !part.is_empty()
                        && matches!(options.format, CheckFormat::Json | CheckFormat::Sarif)
                    {
                        body.extend_from_slice(b",\n");
                    }
                    body.extend(part);
                }
            }
            Err(error) => {
                tally.unread = 1;
                body = broken(&error, session.number(*index), options);
                message = Some(error.to_string());
            }
        },
        Job::Unreadable { error, .. } => {
            tally.unread = 1;
            failed_file = true;
            body = lines::unreadable(error, options.format);
            message = Some(error.to_string());
        }
        Job::Skipped { .. } => tally.skipped = 1,
    }
    Report { file, body, message, tally, failed_file }
}

fn body_of(checked: &Checked, options: &Options) -> Vec<u8> {
    match options.format {
        CheckFormat::Text => text::response(checked, options),
        CheckFormat::Json | CheckFormat::Jsonl => json::response(checked, options.format),
        CheckFormat::Sarif => lines::sarif(checked),
        CheckFormat::Github => lines::github(checked),
    }
}

/// A record that could not be read, in its place.
fn broken(error: &RecordError, number: usize, options: &Options) -> Vec<u8> {
    match options.format {
        CheckFormat::Text => Vec::new(),
        CheckFormat::Json | CheckFormat::Jsonl => json::broken(error, number, options.format),
        CheckFormat::Sarif => lines::sarif_error(&error.name, Some((error.line, error.column)), &error.what),
        CheckFormat::Github => {
            lines::github_error(&error.name, Some((error.line, error.column)), &error.what)
        }
    }
}
