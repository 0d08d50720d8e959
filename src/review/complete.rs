//! A review: what was sent, what follows from it, and what was found.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::{Deref, Range};
use std::sync::{Arc, OnceLock};

use super::comparison::{Compared, Comparison};
use super::joined::leave_joined;
use super::owned::Owned;
use super::placed::Placed;
use super::repair::{Edit, Repairs, repairs};
use super::sent::{InputPlace, Sent};
use super::splice::{Splice, Splicer};
use super::unsaid::Extra;
use crate::evidence::Backing;
use crate::model::{Finding, Notice, Origin, Path, Response, Severity};

/// A response, complete in itself: what was sent and what follows from it. What takes time is worked out on
/// first use.
pub struct Review {
    placed: Placed,
    /// The record that it was read from.
    pub sent: Arc<Sent>,
    /// Number of the response within its record, from 0.
    pub item: usize,
    comparison: OnceLock<Box<Comparison>>,
    repairs: OnceLock<Repairs>,
    extras: OnceLock<Vec<Extra>>,
    owned: OnceLock<Owned>,
    is_dense: OnceLock<bool>,
    /// What was found: filled in by `check`.
    pub(crate) findings: Findings,
}

/// Findings as far as they are known.
#[derive(Default)]
pub(crate) struct Findings {
    /// Those that see the other responses of the record.
    pub siblings: OnceLock<Vec<Finding>>,
    /// Those of the response alone, without its wording.
    pub structural: OnceLock<Vec<Finding>>,
    /// The same, and those on wording; nothing where there are none.
    pub complete: OnceLock<Option<Vec<Finding>>>,
    /// For each support the worst of the one, and of the other.
    pub worst_structural: OnceLock<Vec<Option<Severity>>>,
    pub worst_complete: OnceLock<Vec<Option<Severity>>>,
    /// The source whose title a claim names, by its support.
    pub titled: OnceLock<HashMap<usize, usize>>,
    /// Sentences that cite nothing.
    pub bare: OnceLock<Vec<Range<usize>>>,
}

impl Deref for Review {
    type Target = Placed;

    fn deref(&self) -> &Placed {
        &self.placed
    }
}

impl Review {
    /// Of a response and its record. `answer` is used where the response carries no text.
    pub fn new(response: Response, answer: Option<&str>, sent: Arc<Sent>, item: usize) -> Self {
        Self {
            placed: Placed::new(response, answer),
            sent,
            item,
            comparison: OnceLock::new(),
            repairs: OnceLock::new(),
            extras: OnceLock::new(),
            owned: OnceLock::new(),
            is_dense: OnceLock::new(),
            findings: Findings::default(),
        }
    }

    /// Name of the input.
    pub fn file(&self) -> &str {
        self.sent.text.name()
    }

    /// Number of the record within its input, from 0.
    pub fn record(&self) -> usize {
        self.sent.text.number()
    }

    /// Text of the answer; empty where there is none.
    pub fn text(&self) -> &str {
        self.placed.response.text()
    }

    /// Whether the answer has so many signs that its Markdown would take memory out of proportion to it.
    pub fn is_dense(&self) -> bool {
        *self.is_dense.get_or_init(|| crate::markup::too_dense_beside(self.text()))
    }

    /// What was mended or passed over while the record was read.
    pub fn notices(&self) -> &[Notice] {
        &self.sent.notices
    }

    /// The first piece of a stream that was passed over, and why: words of the answer and citations may have
    /// stood there, or in a stream of lines any response.
    pub fn frame_passed_over(&self) -> Option<String> {
        let mut notices = self.notices().iter();
        let notice = notices.find(|notice| matches!(notice, Notice::FramePassedOver { .. }))?;
        Some(format!("{}:{notice}", self.file()))
    }

    /// Every field that was sent and has no named place in the model, in the order sent.
    pub fn extras(&self) -> &[Extra] {
        self.extras.get_or_init(|| self.sent.extras_of(&self.placed.response, self.item))
    }

    /// Those in or below a source or trace, or else those of the response that are in none.
    pub fn extras_within(&self, within: Option<&Origin>) -> impl Iterator<Item = &Extra> {
        let owned = self.owned.get_or_init(|| Owned::of(&self.placed.response, self.extras()));
        owned.numbers(within).iter().filter_map(|number| self.extras().get(*number))
    }

    /// Where a finding stands.
    pub fn place(&self, finding: &Finding) -> Option<InputPlace> {
        self.sent.place(&finding.origin)
    }

    /// Which offsets to write in place of those sent, and what cannot be repaired.
    pub fn repairs(&self) -> &Repairs {
        self.repairs.get_or_init(|| {
            let found = repairs(&self.placed.response, &self.placed.anchors, &self.placed.fit);
            let placed = &self.placed;
            leave_joined(found, &self.sent, &placed.response, (&placed.anchors, &placed.fit))
        })
    }

    /// Some edits of [`Self::repairs`] in their order, those of a support together, each with its bytes where
    /// the input has a place for the number. They are found while one asks: a hundred thousand take room.
    pub fn splices<'a>(
        &'a self,
        edits: impl IntoIterator<Item = &'a Edit>,
    ) -> impl Iterator<Item = (&'a Edit, Option<Splice>)> {
        let mut splicer = Splicer::new(&self.sent, &self.placed.response);
        edits.into_iter().map(move |edit| (edit, splicer.splice(edit)))
    }

    /// The edits that repair what a finding names.
    pub fn edits<'a>(&'a self, finding: &'a Finding) -> impl Iterator<Item = &'a Edit> {
        let repairs = finding.rule.repairable.then(|| self.repairs());
        let of = |repairs: &'a Repairs| finding.supports.iter().flat_map(|support| repairs.of(*support));
        repairs.into_iter().flat_map(of)
    }

    /// The same edits with their bytes.
    pub fn spliced<'a>(&'a self, finding: &'a Finding) -> impl Iterator<Item = (&'a Edit, Option<Splice>)> {
        self.splices(self.edits(finding))
    }

    /// The path of a number to write: as the input spells it where it has a place for it.
    pub fn edited(&self, edit: &Edit, splice: Option<&Splice>) -> Path {
        let path = splice.map(|splice| splice.path.clone());
        path.or_else(|| Some(edit.place(&self.placed.response)?.path)).unwrap_or_default()
    }

    /// The passages of the response, ready to be compared with claims.
    pub fn comparison(&self) -> &Comparison {
        self.comparison.get_or_init(|| Box::new(Comparison::new(&self.placed.response)))
    }

    /// The sources that hold most of some words of the answer, best first, each with its cover from 0 to 1.
    pub fn nearest(&self, range: &Range<usize>, most: usize) -> Vec<(usize, f64)> {
        self.comparison().nearest(self.text().get(range.clone()).unwrap_or_default(), most)
    }

    /// For each of some sources how much of the words of a support it holds, 0 to 1; nothing where it has no
    /// text. Empty where the support has no words to compare.
    pub fn covers(&self, support: usize, sources: Range<usize>) -> Vec<Option<f64>> {
        self.comparison().covers(&self.placed, support, sources)
    }

    /// Whether the passages are indexed, or so few that it takes no time.
    pub fn is_indexed(&self) -> bool {
        const QUICK_BYTES: usize = 500_000;
        let chunks = || self.placed.response.sources.iter().flat_map(|source| &source.chunks);
        self.comparison.get().is_some() || chunks().map(|chunk| chunk.text.len()).sum::<usize>() < QUICK_BYTES
    }

    /// What came of comparing a support with the passages; compared on first use.
    pub fn backing(&self, support: usize) -> Option<&Backing> {
        self.comparison().backing(&self.placed, support)
    }

    /// The same, where it was compared already: for a screen that does not wait.
    pub fn known_backing(&self, support: usize) -> Option<&Backing> {
        self.comparison.get()?.known(&self.placed, support)
    }

    /// The same with the places of what the passages hold of its words.
    pub fn compared(&self, support: usize) -> Option<&Compared> {
        self.comparison().compared(&self.placed, support)
    }

    /// The same for whoever asks for each support once: it is not kept.
    pub fn compared_once(&self, support: usize) -> Option<Cow<'_, Compared>> {
        self.comparison().compared_once(&self.placed, support)
    }

    /// Compares supports until `enough` says so; true when all are compared.
    pub(crate) fn compare_supports(&self, enough: &mut impl FnMut() -> bool) -> bool {
        self.comparison().compare_all(&self.placed, enough)
    }

    /// What to add to every index for the best fit of the whole response: −1, 0 or +1.
    pub fn index_shift(&self) -> i8 {
        self.comparison().shifted_by(&self.placed)
    }

    /// Where a support stands in the input.
    pub fn origin_of(&self, support: usize) -> Origin {
        self.placed.response.supports.get(support).map(|support| support.origin.clone()).unwrap_or_default()
    }
}
