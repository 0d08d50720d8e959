//! `citescope check`: all findings of any number of inputs, in the order of the inputs, on all cores.

mod checked;
mod jobs;
mod json;
mod lines;
mod overview;
mod report;
mod text;

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::process::ExitCode;

use super::args::{Check, CheckFormat, Common};
use super::each_line;
use super::explain::Which;
use super::failure::{Failure, Listened, Many, tell};
use super::inputs::Given;
use super::progress::Progress;
use super::written::Written;
use crate::json::write::write;
use crate::review::Review;
use crate::session::{RecordError, RecordReviews, Supplied, parallel};
use crate::text::{counted, without_commands};
use checked::{CheckOptions, Checked, Tally};
use jobs::Job;
use overview::{Facts, Overview};
use report::Report;

pub(super) fn run(check: &Check, common: &Common, out: &mut impl Write) -> Result<ExitCode, Failure> {
    if let Some(word) = &check.explain {
        return explain(word, check, common, out);
    }
    let options = CheckOptions::of(check, common)?;
    let out = &mut Listened::to(out);
    let supplied = Supplied { findings_only: true, ..super::inputs::supplied(common, &check.files)? };
    let given = Given::of(&supplied);
    if check.each_line {
        let outcome = each_line::run(&lines_job(check, &options, supplied), out)?;
        let is_unused = given.report_unused(common);
        return Ok(status(outcome.unread + usize::from(is_unused), outcome.failing));
    }
    let mut progress = Progress::over(&check.files);
    let work = work(check, supplied, &mut progress)?;
    let mut overview = Overview::default();
    let mut printer = json::Printer::new(options.format);
    let mut total = Tally::default();
    let mut unread = Many::default();
    if !options.summary {
        printer.begin(out)?;
    }
    let workshop = || |job: Job| report_on(&job, &options);
    let worked = parallel::ordered(work, Job::size, workshop, |reports: Vec<Report>| {
        for mut report in reports {
            total.add(report.tally);
            if let Some(line) = &report.message {
                progress.beside(|| unread.tell(line));
            }
            for facts in std::mem::take(&mut report.facts) {
                overview.add(facts);
            }
            let bytes = report.bytes;
            if !options.summary {
                printer.report(report, out)?;
            }
            if check.sample.is_none() {
                progress.add(1, bytes);
            }
        }
        // Findings of a pipe that goes on are shown as they come.
        out.flush()?;
        // Without a reader the status is what is left to find out, and that is known now.
        if out.is_gone() && total.unread + total.failing > 0 { Err(Failure::Pipe) } else { Ok(()) }
    });
    drop(progress);
    unread.end("input", "could not be read");
    if !matches!(worked, Err(Failure::Pipe)) {
        worked?;
    }
    end(&options, &overview, &total, &mut printer, out)?;
    // What was drawn need not be what the map is for.
    let is_unused = given.report_unused(common) && check.sample.is_none();
    let unread = total.unread + usize::from(tell_skipped(&options, &total)) + usize::from(is_unused);
    Ok(status(unread, total.failing))
}

/// Tells what was passed over in directories, where the output does not; true where that was all there is.
fn tell_skipped(options: &CheckOptions, total: &Tally) -> bool {
    let files = counted(total.skipped, "file");
    let nothing = total.skipped > 0 && total.responses + total.unread == 0;
    if nothing {
        tell(&format!("{files}, and no grounded response in any: name one alone to see what it is"));
    } else if total.skipped > 0 && options.format != CheckFormat::Text {
        tell(&format!("{files} without a response skipped"));
    }
    nothing
}

/// What stands behind the records: the overview, or the end of the list and its count.
fn end(
    options: &CheckOptions,
    overview: &Overview,
    total: &Tally,
    printer: &mut json::Printer,
    out: &mut impl Write,
) -> Result<(), Failure> {
    match options.format {
        CheckFormat::Json if options.summary => write(&mut *out, &overview.json(total), true)?,
        _ if options.summary => {
            out.write_all(without_commands(&overview.text(total, options)).as_bytes())?;
        }
        format => {
            printer.end(total, out)?;
            if format == CheckFormat::Text {
                out.write_all(text::summary(total, options).as_bytes())?;
            }
        }
    }
    Ok(())
}

/// What is to be checked: all records, or the ones that were drawn of them.
fn work(
    check: &Check,
    supplied: Supplied,
    progress: &mut Progress,
) -> Result<Box<dyn Iterator<Item = Job> + Send>, Failure> {
    let all = jobs::jobs(&check.files, supplied)?;
    let Some(count) = check.sample.map(NonZeroUsize::get) else { return Ok(Box::new(all)) };
    let sample = jobs::sample(all, count, check.seed, |job| progress.add(1, job.size()));
    Ok(Box::new(sample.into_iter()))
}

/// Why claims came out as they did, in place of the findings.
fn explain(word: &str, check: &Check, common: &Common, out: &mut impl Write) -> Result<ExitCode, Failure> {
    let session = super::inputs::open(&check.files, common)?;
    let mut failed = super::inputs::report_failures(&session);
    let which: Which = word.parse().map_err(Failure::Because)?;
    out.write_all(which.explain(&session).map_err(Failure::Because)?.as_bytes())?;
    failed |= Given::of(session.supplied()).report_unused(common);
    Ok(ExitCode::from(if failed { 2 } else { 0 }))
}

fn status(unread: usize, failing: usize) -> ExitCode {
    ExitCode::from(match (unread, failing) {
        (1.., _) => 2,
        (0, 1..) => 1,
        (0, 0) => 0,
    })
}

/// The findings of each response of a line.
fn lines_job<'a>(
    check: &'a Check,
    options: &'a CheckOptions,
    supplied: Supplied,
) -> each_line::Job<'a, impl Fn(&Review, &mut Written) -> io::Result<bool> + Sync> {
    let respond = |review: &Review, line: &mut Written| {
        let checked = Checked { review, siblings: 1, records: 1, findings: options.findings(review) };
        json::one_of_line(&checked, line)?;
        Ok(checked.tally(options).failing > 0)
    };
    each_line::Job { files: &check.files, schema: json::SCHEMA, supplied, respond }
}

fn report_on(job: &Job, options: &CheckOptions) -> Report {
    let mut report = Report {
        file: job.file(),
        body: Ok(Written::default()),
        message: None,
        tally: Tally::default(),
        failed_file: false,
        facts: Vec::new(),
        bytes: job.size(),
    };
    let mut body = Written::default();
    let done = match job {
        Job::Record { session, index, .. } => match session.decode_anew(*index) {
            Ok(reviews) => responses(reviews, session.len(), options, &mut body, &mut report),
            Err(error) => {
                report.tally.unread = 1;
                report.message = Some(error.to_string());
                body.write_all(&broken(&error, session.number(*index), options))
            }
        },
        Job::Unreadable { error, .. } => {
            report.tally.unread = 1;
            report.failed_file = true;
            report.message = Some(error.to_string());
            body.write_all(&lines::unreadable(error, options.format))
        }
        Job::Skipped { .. } => {
            report.tally.skipped = 1;
            Ok(())
        }
    };
    report.body = done.map(|()| body);
    report
}

/// The responses of a record.
fn responses(
    reviews: RecordReviews,
    records: usize,
    options: &CheckOptions,
    body: &mut Written,
    report: &mut Report,
) -> io::Result<()> {
    report.message = reviews.first().and_then(|review| review.frame_passed_over());
    report.tally.unread = usize::from(report.message.is_some());
    let siblings = reviews.len();
    // Each is dropped when it is reported on, and the index of its passages with it.
    let each = reviews.to_vec();
    drop(reviews);
    for review in each {
        let findings = options.findings(&review);
        let checked = Checked { review: &review, siblings, records, findings };
        report.tally.add(checked.tally(options));
        if options.summary {
            report.facts.push(Facts::of(&checked));
            continue;
        }
        let is_list = match options.format {
            CheckFormat::Json => true,
            CheckFormat::Sarif => !checked.findings.is_empty(),
            CheckFormat::Text | CheckFormat::Jsonl | CheckFormat::Github => false,
        };
        if is_list && !body.is_empty() {
            body.write_all(b",\n")?;
        }
        match options.format {
            CheckFormat::Text => text::response(&checked, options, body)?,
            CheckFormat::Json | CheckFormat::Jsonl => json::response(&checked, options.format, &mut *body)?,
            CheckFormat::Sarif => lines::sarif(&checked, body)?,
            CheckFormat::Github => lines::github(&checked, body)?,
        }
    }
    Ok(())
}

/// A record that could not be read, in its place.
fn broken(error: &RecordError, number: usize, options: &CheckOptions) -> Vec<u8> {
    match options.format {
        CheckFormat::Text => Vec::new(),
        CheckFormat::Json | CheckFormat::Jsonl => json::broken(error, number, options.format),
        CheckFormat::Sarif => lines::sarif_error(&error.name, Some((error.line, error.column)), &error.what),
        CheckFormat::Github => {
            lines::github_error(&error.name, Some((error.line, error.column)), &error.what)
        }
    }
}
