//! Lines that were put together to one response and fit alone: whether they are one stream is not certain.

use std::collections::HashMap;

use super::repair::{Refusal, Repairs};
use super::sent::Sent;
use crate::anchor;
use crate::format::{self, Limits};
use crate::model::Response;

/// Leaves the supports as they are whose offsets fit the text of their own line.
pub(super) fn leave_lines(mut found: Repairs, sent: &Sent, response: &Response) -> Repairs {
    if sent.joined_lines().is_none() || found.edits.is_empty() {
        return found;
    }
    let mut fits: HashMap<u32, bool> = HashMap::new();
    let mut fits = |support: usize| {
        let frame = response.supports.get(support).map_or(0, |support| support.origin.frame);
        *fits.entry(frame).or_insert_with(|| fits_alone(sent, frame))
    };
    let mut left: Vec<usize> = found.edits.iter().map(|edit| edit.support).collect();
    left.dedup();
    left.retain(|support| fits(*support));
    found.edits.retain(|edit| left.binary_search(&edit.support).is_err());
    found.refused.extend(left.into_iter().map(|support| (support, Refusal::OfItsLine)));
    found.refused.sort_by_key(|(support, _)| *support);
    found
}

/// Whether all quotes of a frame stand where its offsets say, in the text of that frame: the last one of a
/// stream often has none.
fn fits_alone(sent: &Sent, frame: u32) -> bool {
    let text = [sent.text.frame(frame as usize)];
    let Ok(alone) = format::decode((sent.format, None), &text, Limits::Usual, |_, _| (0, 0)) else {
        return false;
    };
    let fits = |response: &Response| {
        let anchors = anchor::anchor(response).anchors;
        response.answer.is_some()
            && !response.supports.is_empty()
            && !anchors.iter().any(|anchor| anchor.verdict.is_misfit())
    };
    !alone.responses.is_empty() && alone.responses.iter().all(fits)
}
