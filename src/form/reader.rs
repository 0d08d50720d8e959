//! Reading the form: what is taken from it, and remarks on what cannot be. Indices that lead nowhere are
//! dropped with a remark, so that nothing behind this room meets one.

use std::fmt;

use super::{Count, Said};
use crate::model::{Origin, Remark, RemarkKind, SCHEMA, Words};

/// Reads the parts of one response and keeps what does not fit.
pub struct Reader<'a> {
    /// Where the response stands.
    pub origin: &'a Origin,
    /// What does not fit.
    pub remarks: Vec<Remark>,
}

impl<'a> Reader<'a> {
    /// Of a response.
    pub fn new(origin: &'a Origin) -> Self {
        Self { origin, remarks: Vec::new() }
    }

    /// Keeps that a word is none of the form's; its stand-in.
    pub fn unknown<T>(&mut self, what: &str, sent: &str, instead: T) -> T {
        self.report(format!("{what} {sent:?} is no word of {SCHEMA}"));
        instead
    }

    /// Keeps that an index or a range leads nowhere.
    pub fn nowhere(&mut self, what: &str, sent: impl fmt::Display) {
        self.report(format!("{what} {sent} leads nowhere"));
    }

    /// Once, not with each of 50,000 supports; an input that is wrong all over is reported up to a point.
    fn report(&mut self, text: String) {
        if self.remarks.len() < 100 && !self.remarks.iter().any(|remark| *remark.text == *text) {
            self.remarks.push(Remark::new(RemarkKind::Mistyped, self.origin.clone(), text));
        }
    }

    /// The member of a word; nothing where none was sent or it is unknown.
    pub fn word<T: Words>(&mut self, what: &str, sent: Option<Said<'_, T>>) -> Option<T> {
        let sent = sent?;
        sent.member().or_else(|| self.unknown(what, sent.text(), None))
    }

    /// An index of a list of so many elements.
    pub fn within(&mut self, what: &str, sent: Option<Count>, count: usize) -> Option<usize> {
        let sent = sent?.sent();
        let found = usize::try_from(sent).ok().filter(|&index| index < count);
        if found.is_none() {
            self.nowhere(what, sent);
        }
        found
    }
}

/// Text as it is kept.
pub fn owned(sent: Option<super::values::Text<'_>>) -> Option<String> {
    sent.map(std::borrow::Cow::into_owned)
}
