//! What is counted of the list.

use std::collections::HashMap;

use super::Table;
use super::parts::Count;
use crate::check::RULES;
use crate::session::RowKind;

impl Table {
    /// Responses by rule, worst rules first, most responses first.
    pub fn by_rule(&self) -> Vec<(u8, usize)> {
        let mut counts: HashMap<u8, usize> = HashMap::new();
        let mut by_set: HashMap<u16, usize> = HashMap::new();
        for row in self.rows.iter() {
            *by_set.entry(row.facts.rules).or_default() += 1;
        }
        for (set, responses) in by_set {
            for &rule in self.sets.get(set) {
                *counts.entry(rule).or_default() += responses;
            }
        }
        let mut counts: Vec<(u8, usize)> = counts.into_iter().collect();
        let severity = |rule: u8| RULES.get(usize::from(rule)).map(|rule| rule.severity);
        counts.sort_by_key(|&(rule, responses)| (severity(rule), std::cmp::Reverse(responses), rule));
        counts
    }

    /// Responses by format, most first: those that the list shows under it. Questions and pieces that are
    /// folded are left out.
    pub fn by_format(&self) -> Vec<(u8, Count)> {
        let mut counts: HashMap<u8, Count> = HashMap::new();
        let folded = self.folded();
        let shown = |number: usize| !folded.get(number).copied().unwrap_or_default();
        let rows = self.rows.iter().enumerate().filter(|(number, _)| shown(*number)).map(|(_, row)| row);
        let answers = rows.filter(|row| row.kind() != Some(RowKind::Question));
        for (row, format) in answers.filter_map(|row| Some((row, row.format()?))) {
            let count = counts.entry(format).or_default();
            count.responses += 1;
            count.doubtful += usize::from(self.is_faulty(&row));
        }
        let mut counts: Vec<_> = counts.into_iter().collect();
        counts.sort_by_key(|&(format, count)| (std::cmp::Reverse(count.responses), format));
        counts
    }

    /// Responses by site of their sources, most first.
    pub fn by_site(&self) -> Vec<(&str, Count)> {
        let mut counts: Vec<_> = self.sites.iter().map(|(site, count)| (site.as_str(), *count)).collect();
        counts.sort_by(|a, b| (b.1.responses, a.0).cmp(&(a.1.responses, b.0)));
        counts
    }
}
