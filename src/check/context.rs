//! What a rule may look at besides its own response.

use std::cell::OnceCell;
use std::ops::Range;

use memchr::memmem;

use crate::markup::code_spans;
use crate::model::Notice;
use crate::review::Review;

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
