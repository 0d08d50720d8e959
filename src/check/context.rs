//! What a rule may look at besides its own response.

use std::cell::OnceCell;
use std::ops::Range;

use super::markers;
use crate::model::Notice;
use crate::review::Reviewed;

/// The surroundings of a response.
pub(super) struct Context<'a> {
    /// All responses of its record.
    pub responses: &'a [Reviewed],
    /// Its number among them.
    pub index: usize,
    /// What was mended or passed over when the input was read.
    pub notices: &'a [Notice],
    code: OnceCell<Vec<Range<usize>>>,
}

impl<'a> Context<'a> {
    pub fn new(responses: &'a [Reviewed], index: usize, notices: &'a [Notice]) -> Self {
        Self { responses, index, notices, code: OnceCell::new() }
    }

    /// Stretches of Markdown code in the answer, in order; found on first use.
    pub fn code(&self) -> &[Range<usize>] {
        let answer = self.responses.get(self.index).map_or("", |reviewed| reviewed.response.text());
        self.code.get_or_init(|| markers::code(answer))
    }
}
