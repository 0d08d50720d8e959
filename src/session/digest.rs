//! What a list says of a response, in few bytes: a collection may have a million of them.

use crate::check::{RULES, Severity};
use crate::format::FORMATS;
use crate::model::{Finding, Source};
use crate::review::Review;

use super::cache::RecordReviews;

/// What sort of entry a response is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum RowKind {
    /// An answer.
    #[default]
    Answer,
    /// The question of a user.
    Question,
    /// A piece of an answer.
    Partial,
    /// A record that could not be read.
    Unread,
    /// A record without a response.
    Empty,
}

/// What a list says of a response.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Digest {
    /// What it is.
    pub kind: RowKind,
    /// Index of its format in [`FORMATS`].
    pub format: Option<u8>,
    /// Hundredths of the answer that rest on a source; nothing for an empty answer.
    pub cited: Option<u8>,
    /// How many claims, up to 65,535.
    pub claims: u16,
    /// Rules that found something: indices into [`RULES`], worst first, each once.
    pub rules: Box<[u8]>,
    /// Sites of its sources, each once.
    pub sites: Box<[String]>,
}

impl Digest {
    /// Of a response, with the findings that are to be counted.
    pub fn of(review: &Review, findings: &[Finding]) -> Self {
        let response = &review.response;
        let kind = match () {
            () if response.is_question() => RowKind::Question,
            () if response.partial => RowKind::Partial,
            () => RowKind::Answer,
        };
        let rule = |finding: &Finding| RULES.iter().position(|rule| *rule == finding.rule).map(|at| at as u8);
        let mut rules: Vec<u8> = findings.iter().filter_map(rule).collect();
        rules.sort_by_key(|&rule| (RULES.get(usize::from(rule)).map(|rule| rule.severity), rule));
        rules.dedup();
        let mut sites: Vec<String> = response.sources.iter().filter_map(Source::site).collect();
        sites.sort_unstable();
        sites.dedup();
        Self {
            kind,
            sites: sites.into(),
            format: FORMATS.iter().position(|format| format.id == response.format_id()).map(|at| at as u8),
            cited: review.coverage().map(|share| (share * 100.0).round() as u8),
            claims: review.spans.len().min(usize::from(u16::MAX)) as u16,
            rules: rules.into(),
        }
    }

    /// Of all responses of a record, one at least; `findings` gives those that are to be counted.
    pub fn of_record<E>(
        record: &Result<RecordReviews, E>,
        findings: impl Fn(&Review) -> &[Finding],
    ) -> Vec<Self> {
        let alone = |kind| vec![Self { kind, ..Self::default() }];
        match record {
            Err(_) => alone(RowKind::Unread),
            Ok(reviews) if reviews.is_empty() => alone(RowKind::Empty),
            Ok(reviews) => reviews.iter().map(|review| Self::of(review, findings(review))).collect(),
        }
    }

    /// How bad the worst finding is.
    pub fn worst(&self) -> Option<Severity> {
        let found =
            self.rules.first().and_then(|&rule| RULES.get(usize::from(rule))).map(|rule| rule.severity);
        found.or((self.kind == RowKind::Unread).then_some(Severity::Error))
    }
}
