//! What a list says of a response, in few bytes: a collection may have a million of them.

use crate::check::{RULES, Severity};
use crate::format::FORMATS;
use crate::model::{Finding, Source};
use crate::review::Review;

/// What sort of entry a response is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Kind {
    /// An answer.
    #[default]
    Answer,
    /// The question of a user.
    Question,
    /// A piece of an answer.
    Partial,
    /// A record that could not be read.
    Unread,
}

/// What a list says of a response.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Facts {
    /// What it is.
    pub kind: Kind,
    /// Index of its format in [`FORMATS`].
    pub format: Option<u8>,
    /// Hundredths of the answer that rest on a source; nothing for an empty answer.
    pub cited: Option<u8>,
    /// How many supports, up to 65,535.
    pub supports: u16,
    /// Rules that found something: indices into [`RULES`], worst first, each once.
    pub rules: Box<[u8]>,
    /// Sites of its sources, each once.
    pub sites: Box<[String]>,
}

impl Facts {
    /// Of a response, with the findings that are to be counted.
    pub fn of(review: &Review, findings: &[Finding]) -> Self {
        let response = &review.response;
        let kind = match () {
            () if response.is_question() => Kind::Question,
            () if response.partial => Kind::Partial,
            () => Kind::Answer,
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
            cited: review.coverage().map(|share| (share * 100.0) as u8),
            supports: response.supports.len().min(usize::from(u16::MAX)) as u16,
            rules: rules.into(),
        }
    }

    /// Of a record that could not be read.
    pub fn unread() -> Self {
        Self { kind: Kind::Unread, ..Self::default() }
    }

    /// How bad the worst finding is.
    pub fn worst(&self) -> Option<Severity> {
        let found =
            self.rules.first().and_then(|&rule| RULES.get(usize::from(rule))).map(|rule| rule.severity);
        found.or((self.kind == Kind::Unread).then_some(Severity::Error))
    }
}
