//! What a run of `citescope check` is asked for, and what it found.

use crate::check::{Finding, Rule, Severity, rule};
use crate::cli::args::{Check, CheckFormat, Common, When};
use crate::cli::failure::Failure;
use crate::cli::inputs::mono;
use crate::review::Review;

/// What to look for, and what decides the exit status.
#[derive(Debug, Clone)]
pub(super) struct CheckOptions {
    pub format: CheckFormat,
    /// Severity from which on a finding fails the run; content rules are not meant.
    pub fail_from: Option<Severity>,
    /// Rules that fail it by name.
    pub fail_rules: Vec<&'static Rule>,
    pub ignore: Vec<&'static Rule>,
    pub content: bool,
    pub colour: bool,
    /// Only counts are wanted.
    pub summary: bool,
}

impl CheckOptions {
    pub fn of(check: &Check, common: &Common) -> Result<Self, Failure> {
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
        let ignore: Vec<_> = check.ignore.iter().map(known).collect::<Result<_, _>>()?;
        if let Some(rule) = fail_rules.iter().find(|rule| ignore.contains(rule)) {
            let what = format!("--fail-on and --ignore both name {}: nothing could fail by it", rule.id);
            return Err(Failure::Because(what));
        }
        let colour = match common.color {
            When::Auto => std::io::IsTerminal::is_terminal(&std::io::stdout()) && !mono(common.color),
            when => !mono(when),
        };
        if check.summary && !matches!(check.format, CheckFormat::Text | CheckFormat::Json) {
            return Err(Failure::Because("--summary goes with --format text or json".to_owned()));
        }
        let content = !check.no_content || fail_rules.iter().any(|rule| rule.is_content());
        Ok(Self {
            format: check.format,
            fail_from,
            fail_rules,
            ignore,
            content,
            colour,
            summary: check.summary,
        })
    }

    /// Whether a finding fails the run. A severity never selects rules on content.
    pub fn fails(&self, finding: &Finding) -> bool {
        let by_severity =
            !finding.rule.is_content() && self.fail_from.is_some_and(|from| finding.rule.severity <= from);
        by_severity || self.fail_rules.contains(&finding.rule)
    }

    /// The findings of a response that are reported.
    pub fn findings<'a>(&self, review: &'a Review) -> Vec<&'a Finding> {
        let found = if self.content { review.findings() } else { review.structural_findings() };
        found.iter().filter(|finding| !self.ignore.contains(&finding.rule)).collect()
    }
}

/// Findings counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub responses: usize,
    pub with_findings: usize,
    pub errors: usize,
    pub warnings: usize,
    pub notes: usize,
    /// Findings that fail the run.
    pub failing: usize,
    /// Inputs and records that could not be read.
    pub unread: usize,
    /// Files of directories that hold no response.
    pub skipped: usize,
}

impl Tally {
    pub fn add(&mut self, other: Self) {
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

/// A response with the findings that are reported of it.
pub(super) struct Checked<'a> {
    pub review: &'a Review,
    /// How many responses its record has.
    pub siblings: usize,
    /// How many records are open with it.
    pub records: usize,
    pub findings: Vec<&'a Finding>,
}

impl Checked<'_> {
    /// What this response adds to the count.
    pub fn tally(&self, options: &CheckOptions) -> Tally {
        let of = |severity| self.findings.iter().filter(|finding| finding.rule.severity == severity).count();
        Tally {
            responses: 1,
            with_findings: usize::from(!self.findings.is_empty()),
            errors: of(Severity::Error),
            warnings: of(Severity::Warning),
            notes: of(Severity::Note),
            failing: self.findings.iter().filter(|finding| options.fails(finding)).count(),
            ..Tally::default()
        }
    }
}
