//! What a rule may look at besides its own response.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use memchr::memmem;

use crate::markup::code_spans;
use crate::model::Notice;
use crate::review::Review;

/// The responses of a record, and what several rules ask of all of them; found on first use, since a record
/// may have very many.
pub(super) struct Siblings<'a> {
    pub reviews: &'a [Arc<Review>],
    answered: OnceCell<HashSet<&'a str>>,
    calls: OnceCell<HashSet<&'a str>>,
}

impl<'a> Siblings<'a> {
    pub fn new(reviews: &'a [Arc<Review>]) -> Self {
        Self { reviews, answered: OnceCell::new(), calls: OnceCell::new() }
    }

    /// Whether an answer with words came of an invocation.
    pub fn is_answered(&self, invocation: &str) -> bool {
        let answers = || self.reviews.iter().map(|review| &review.response);
        let answers = || answers().filter(|other| !other.is_question() && !other.text().trim().is_empty());
        let of_answers = || answers().filter_map(|other| other.about.invocation.as_deref()).collect();
        self.answered.get_or_init(of_answers).contains(invocation)
    }

    /// Whether a call of this id is among the steps of any.
    pub fn is_called(&self, id: &str) -> bool {
        let steps = || self.reviews.iter().flat_map(|review| &review.response.traces);
        self.calls.get_or_init(|| steps().filter_map(|trace| trace.id.as_deref()).collect()).contains(id)
    }
}

/// The surroundings of a response.
pub(super) struct Context<'a> {
    review: &'a Review,
    /// What was mended or passed over when the input was read.
    pub notices: &'a [Notice],
    code: OnceCell<Vec<Range<usize>>>,
}

impl<'a> Context<'a> {
    pub fn new(review: &'a Review) -> Self {
        Self { review, notices: review.notices(), code: OnceCell::new() }
    }

    /// Stretches of Markdown code in the answer, in order; found on first use.
    pub fn code(&self) -> &[Range<usize>] {
        self.code.get_or_init(|| {
            let text = self.review.text();
            // Most answers have neither, and need no parsing.
            let holds = |piece: &str| memmem::find(text.as_bytes(), piece.as_bytes()).is_some();
            if ["[", "【", "http"].into_iter().any(holds) { code_spans(text) } else { Vec::new() }
        })
    }
}
