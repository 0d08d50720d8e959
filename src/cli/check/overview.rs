//! `check --summary`: what is wrong how often, with which sources and in which formats, and how much of the
//! answers rests on sources.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::hash::Hash;

use serde_json::{Map, Value, json};

use super::checked::{CheckOptions, Checked, Tally};
use super::text::{self, heading};
use crate::check::{Finding, Rule, Severity};
use crate::model::Source;
use crate::text::{counted, one_line, truncate};

/// Steps in which coverage is counted: ten-thousandths, as it is printed elsewhere.
const STEPS: usize = 10_000;
/// Sites that text names.
const SITES: usize = 20;
/// Columns of a name in text.
const NAME: usize = 40;

/// What a response adds.
pub(super) struct Facts {
    rules: HashMap<&'static str, (&'static Rule, u64)>,
    format: String,
    sites: Vec<String>,
    doubtful: bool,
    /// Coverage in [`STEPS`].
    covered: Option<usize>,
}

/// Responses counted.
#[derive(Default)]
pub(super) struct Overview {
    rules: HashMap<&'static str, (Option<&'static Rule>, u64, u64)>,
    formats: HashMap<String, Count>,
    sites: HashMap<String, Count>,
    /// Responses by their coverage in [`STEPS`]; empty until there is one.
    coverage: Vec<u64>,
}

/// Responses of a kind, and those among them with a finding worse than a note.
#[derive(Default, Clone, Copy)]
struct Count {
    responses: u64,
    doubtful: u64,
}

impl Facts {
    pub fn of(checked: &Checked) -> Self {
        let response = &checked.review.response;
        let mut rules = HashMap::new();
        for finding in &checked.findings {
            rules.entry(finding.rule.id).or_insert((finding.rule, 0)).1 += 1;
        }
        let mut sites: Vec<String> = response.sources.iter().filter_map(Source::site).collect();
        sites.sort_unstable();
        sites.dedup();
        Self {
            rules,
            format: response.format_id().to_owned(),
            sites,
            doubtful: checked
                .findings
                .iter()
                .any(|finding: &&Finding| finding.rule.severity < Severity::Note),
            covered: checked.review.coverage().map(|share| (share * STEPS as f64).round() as usize),
        }
    }
}

impl Overview {
    pub fn add(&mut self, facts: Facts) {
        for (id, (rule, findings)) in facts.rules {
            let count = self.rules.entry(id).or_default();
            *count = (Some(rule), count.1 + findings, count.2 + 1);
        }
        count(&mut self.formats, facts.format, facts.doubtful);
        for site in facts.sites {
            count(&mut self.sites, site, facts.doubtful);
        }
        if let Some(step) = facts.covered {
            self.coverage.resize(STEPS + 1, 0);
            self.coverage.get_mut(step.min(STEPS)).into_iter().for_each(|responses| *responses += 1);
        }
    }

    /// Coverage that a share of the responses, lowest first, does not exceed.
    fn quantile(&self, share: f64) -> Option<f64> {
        let total: u64 = self.coverage.iter().sum();
        let wanted = ((total as f64 * share).ceil() as u64).max(1);
        let mut seen = 0;
        let step = self.coverage.iter().position(|responses| {
            seen += responses;
            seen >= wanted
        })?;
        Some(step as f64 / STEPS as f64)
    }

    fn quantiles(&self) -> [(&'static str, Option<f64>); 5] {
        [("min", 0.0), ("p25", 0.25), ("median", 0.5), ("p75", 0.75), ("max", 1.0)]
            .map(|(name, share)| (name, self.quantile(share)))
    }

    /// Rules by severity, those with most responses first.
    fn by_rule(&self) -> Vec<(&'static Rule, u64, u64)> {
        let known =
            self.rules.values().filter_map(|&(rule, findings, responses)| Some((rule?, findings, responses)));
        let mut rules: Vec<_> = known.collect();
        rules.sort_by(|a, b| (a.0.severity, b.2, b.1, a.0.id).cmp(&(b.0.severity, a.2, a.1, b.0.id)));
        rules
    }

    pub fn json(&self, total: &Tally) -> Value {
        let count = |of: &Count| json!({"responses": of.responses, "doubtful": of.doubtful});
        let counts = |of: &HashMap<String, Count>| -> Map<String, Value> {
            most(of).into_iter().map(|(name, of)| (name.clone(), count(of))).collect()
        };
        let rules: Map<String, Value> = self
            .by_rule()
            .into_iter()
            .map(|(rule, findings, responses)| {
                let value =
                    json!({"severity": rule.severity.word(), "findings": findings, "responses": responses});
                (rule.id.to_owned(), value)
            })
            .collect();
        let quantiles: Map<String, Value> =
            self.quantiles().into_iter().map(|(name, share)| (name.to_owned(), share.into())).collect();
        json!({
            "schema": "citescope-summary/1",
            "responses": total.responses, "with_findings": total.with_findings,
            "errors": total.errors, "warnings": total.warnings, "notes": total.notes, "unread": total.unread,
            "rules": rules, "formats": counts(&self.formats), "sites": counts(&self.sites), "coverage": quantiles,
        })
    }

    pub fn text(&self, total: &Tally, options: &CheckOptions) -> String {
        let paint = text::paint(options);
        let mut out = String::new();
        let rules = self.by_rule();
        if !rules.is_empty() {
            let _ = writeln!(out, "{:>10} {:>10}  rule", "responses", "findings");
            for (rule, findings, responses) in rules {
                let id = paint.piece(heading(rule.severity), rule.id);
                let _ = writeln!(out, "{responses:>10} {findings:>10}  {id}: {}", rule.summary);
            }
            out.push('\n');
        }
        table(&mut out, "format", &self.formats, usize::MAX);
        table(&mut out, "site", &self.sites, SITES);
        if !self.coverage.is_empty() {
            let shown = self
                .quantiles()
                .map(|(name, share)| format!("{name} {:.0} %", share.unwrap_or_default() * 100.0));
            let _ = writeln!(out, "of each answer rests on sources: {}\n", shown.join(", "));
        }
        out + &text::summary(total, options)
    }
}

fn count<K: Eq + Hash>(counts: &mut HashMap<K, Count>, of: K, doubtful: bool) {
    let count = counts.entry(of).or_default();
    count.responses += 1;
    count.doubtful += u64::from(doubtful);
}

/// Those with most responses first.
fn most(counts: &HashMap<String, Count>) -> Vec<(&String, &Count)> {
    let mut all: Vec<_> = counts.iter().collect();
    all.sort_by(|a, b| (b.1.responses, a.0).cmp(&(a.1.responses, b.0)));
    all
}

fn table(out: &mut String, title: &str, counts: &HashMap<String, Count>, shown: usize) {
    if counts.is_empty() {
        return;
    }
    let _ = writeln!(out, "{:>10} {:>10}  {title}", "responses", "doubtful");
    for (name, count) in most(counts).into_iter().take(shown) {
        let name = truncate(&one_line(name), NAME).into_owned();
        let _ = writeln!(out, "{:>10} {:>10}  {name}", count.responses, count.doubtful);
    }
    if let more @ 1.. = counts.len().saturating_sub(shown) {
        let _ = writeln!(out, "{:>10} {:>10}  and {}", "", "", counted(more, &format!("more {title}")));
    }
    out.push('\n');
}
