//! What a rule may look at besides its own response.

use std::cell::OnceCell;
use std::ops::Range;

use super::markers;
use crate::review::Reviewed;

/// The surroundings of a response.
pub(super) struct Context<'a> {
    /// All responses of its record.
    pub responses: &'a [Reviewed],
    /// Its number among them.
    pub index: usize,
    /// What was mended or passed over when the input was read.
    pub notices: &'a [String],
    code: OnceCell<Vec<Range<usize>>>,
}

impl<'a> Context<'a> {
    pub fn new(responses: &'a [Reviewed], index: usize, notices: &'a [String]) -> Self {
        Self { responses, index, notices, code: OnceCell::new() }
    }

    /// Stretches of Markdown code in the answer, in order; found on first use.
    pub fn code(&self) -> &[Range<usize>] {
        let answer = self.responses.get(self.index).map_or("", |reviewed| reviewed.response.text());
        self.code.get_or_init(|| markers::code(answer))
    }
}

/// Whether a notice says that the input ends too early, which is `stream-truncated`.
///
/// The one place in this room that depends on the wording of a notice: it becomes a match on the notice's
/// kind as soon as notices have one.
pub(super) fn is_truncation(notice: &str) -> bool {
    notice.starts_with("the input ends in the middle")
}
