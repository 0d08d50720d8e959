//! `citescope check`: all findings of any number of inputs, in the order of the inputs, on all cores.

mod jobs;
mod json;
mod lines;
mod text;

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

use super::args::{Check, CheckFormat, Common};
use super::explain::Which;
use super::failure::{Failure, tell};
use super::inputs::mono;
use super::source_texts;
use crate::check::{Finding, Rule, Severity, rule};
use crate::review::Review;
use crate::session::{RecordError, parallel};
use jobs::Job;

/// What to look for, and what decides the exit status.
#[derive(Debug, Clone)]
struct Options {
    format: CheckFormat,
    /// Severity from which on a finding fails the run; content rules are not meant.
    fail_from: Option<Severity>,
    /// Rules that fail it by name.
    fail_rules: Vec<&'static Rule>,
    ignore: Vec<&'static Rule>,
    content: bool,
    colour: bool,
}

/// Findings counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Tally {
    responses: usize,
    with_findings: usize,
    errors: usize,
    warnings: usize,
    notes: usize,
    /// Findings that fail the run.
    failing: usize,
    /// Inputs and records that could not be read.
    unread: usize,
    /// Files of directories that hold no response.
    skipped: usize,
}

impl Tally {
    fn add(&mut self, other: Self) {
        self.responses += other.responses;
        self.with_findings += other.with_findings;
        self.errors += other.errors;
        self.warnings += other.warnings;
        self.notes += other.notes;
        self.failing += other.failing;
        self.unread += other.unread;
        self.skipped += other.skipped;
    }
}

/// What a worker makes of a record: lines of the report, and what else there is to say.
struct Report {
    file: Arc<str>,
    /// The report in its format; empty where there is nothing to report.
    body: Vec<u8>,
    /// For standard error.
    told: Option<String>,
    tally: Tally,
    /// The input as a whole could not be read.
    failed_file: bool,
}

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
    let workshop = || |job: Job| report(&job, &options);
    parallel::ordered(work, Job::size, workshop, |reports: Vec<Report>| {
        for report in reports {
            total.add(report.tally);
            if let Some(line) = &report.told {
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

impl Options {
    fn of(check: &Check, common: &Common) -> Result<Self, Failure> {
        let known = |id: &String| {
            rule(id).ok_or_else(|| {
                Failure::Because(format!("there is no rule {id:?}; `citescope rules` lists them"))
            })
        };
        let mut fail_from = None;
        let mut fail_rules = Vec::new();
        for word in &check.fail_on {
            match Severity::from_word(word) {
                Some(severity) => fail_from = fail_from.max(Some(severity)),
                None if word == "never" => {}
                None => fail_rules.push(known(word)?),
            }
        }
        let ignore = check.ignore.iter().map(known).collect::<Result<_, _>>()?;
        let colour = match common.color {
            super::args::When::Auto => {
                std::io::IsTerminal::is_terminal(&std::io::stdout()) && !mono(common.color)
            }
            when => !mono(when),
        };
        let content = !check.no_content || fail_rules.iter().any(|rule| rule.is_content());
        Ok(Self { format: check.format, fail_from, fail_rules, ignore, content, colour })
    }

    /// Whether a finding fails the run. A severity never selects rules on content.
    fn fails(&self, finding: &Finding) -> bool {
        let by_severity =
            !finding.rule.is_content() && self.fail_from.is_some_and(|from| finding.rule.severity <= from);
        by_severity || self.fail_rules.contains(&finding.rule)
    }

    /// The findings of a response that are reported.
    fn findings<'a>(&self, review: &'a Review) -> Vec<&'a Finding> {
        let found = if self.content { review.findings() } else { review.structural_findings() };
        found.iter().filter(|finding| !self.ignore.contains(&finding.rule)).collect()
    }
}

/// A response with the findings that are reported of it.
struct Checked<'a> {
    review: &'a Review,
    /// How many responses its record has.
    siblings: usize,
    /// How many records are open with it.
    records: usize,
    findings: Vec<&'a Finding>,
}

fn report(job: &Job, options: &Options) -> Report {
    let file = job.file();
    let mut tally = Tally::default();
    let mut body = Vec::new();
    let mut told = None;
    let mut failed_file = false;
    match job {
        Job::Record { session, index, .. } => match session.decode(*index) {
            Ok(reviews) => {
                for review in reviews.iter() {
                    let findings = options.findings(review);
                    let checked =
                        Checked { review, siblings: reviews.len(), records: session.len(), findings };
                    tally.add(count(&checked, options));
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
                told = Some(error.to_string());
            }
        },
        Job::Unreadable { error, .. } => {
            tally.unread = 1;
            failed_file = true;
            body = lines::unreadable(error, options.format);
            told = Some(error.to_string());
        }
        Job::Skipped { .. } => tally.skipped = 1,
    }
    Report { file, body, told, tally, failed_file }
}

fn count(checked: &Checked, options: &Options) -> Tally {
    let of = |severity| checked.findings.iter().filter(|finding| finding.rule.severity == severity).count();
    Tally {
        responses: 1,
        with_findings: usize::from(!checked.findings.is_empty()),
        errors: of(Severity::Error),
        warnings: of(Severity::Warning),
        notes: of(Severity::Note),
        failing: checked.findings.iter().filter(|finding| options.fails(finding)).count(),
        ..Tally::default()
    }
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
