//! The pieces of a turn that an agent streams: offsets of metadata that comes with one may count over the
//! turn so far, as the model streamed it, and not over the text of that piece.

use std::collections::HashMap;
use std::ops::Range;

use crate::model::{Response, Segment};

/// Places the supports of pieces whose quotes stand where the turn so far has them.
pub(super) fn place_in_turns(responses: &mut [Response]) {
    // Bytes that the pieces of a turn have so far, by invocation and author.
    let mut said: HashMap<(Option<String>, Option<String>), usize> = HashMap::new();
    for response in responses.iter_mut().filter(|response| !response.is_question()) {
        let turn = (response.about.invocation.clone(), response.about.author.clone());
        if !response.partial {
            said.remove(&turn);
            continue;
        }
        let before = said.entry(turn).or_default();
        if *before > 0 {
            place_behind(response, *before);
        }
        *before += response.text().len();
    }
}

fn place_behind(response: &mut Response, before: usize) {
    let Some(answer) = response.answer.as_deref() else { return };
    for support in response.supports.iter_mut().filter(|support| support.placed.is_none()) {
        let Some(segment) = &support.segment else { continue };
        if stands(answer, segment, 0).is_none() {
            support.placed = stands(answer, segment, before);
        }
    }
}

/// Where a text has the quote of a segment, if it is there that its offsets say so, behind so many bytes.
fn stands(answer: &str, segment: &Segment, before: usize) -> Option<Range<usize>> {
    let quote = segment.quote.as_deref().filter(|quote| !quote.is_empty())?;
    let place = |offset: Option<i64>| usize::try_from(offset.unwrap_or_default()).ok()?.checked_sub(before);
    let range = place(segment.start)?..place(segment.end)?;
    (answer.get(range.clone()) == Some(quote)).then_some(range)
}
