//! The pieces of a turn that an agent streams: offsets of metadata that comes with one may count over the
//! turn so far, as the model streamed it, and not over the text of that piece.

use std::collections::HashMap;
use std::ops::Range;

use crate::model::{Response, Segment};

/// Places the supports of pieces whose quotes stand where the turn so far has them.
pub(super) fn place_in_turns(responses: &mut [Response]) {
    // What the pieces of a turn have so far, by invocation and author.
    let mut said: HashMap<(Option<String>, Option<String>), String> = HashMap::new();
    for response in responses.iter_mut().filter(|response| !response.is_question()) {
        let turn = (response.about.invocation.clone(), response.about.author.clone());
        if !response.partial {
            said.remove(&turn);
            continue;
        }
        let so_far = said.entry(turn).or_default();
        let before = so_far.len();
        so_far.push_str(response.text());
        if before > 0 {
            place_behind(response, so_far, before);
        }
    }
}

/// Places the supports of a piece behind so many bytes of its turn.
fn place_behind(response: &mut Response, turn: &str, before: usize) {
    let answer = response.answer.as_deref().unwrap_or_default();
    for support in response.supports.iter_mut().filter(|support| support.own.placed.is_none()) {
        let Some(segment) = support.segment.as_ref().filter(|segment| stands(answer, segment).is_none())
        else {
            continue;
        };
        let Some(range) = stands(turn, segment) else { continue };
        match range.start.checked_sub(before) {
            Some(start) => support.own.placed = Some(start..range.end - before),
            None => support.earlier = true,
        }
    }
}

/// Where a text has the quote of a segment, if it is there that its offsets say so.
fn stands(text: &str, segment: &Segment) -> Option<Range<usize>> {
    let quote = segment.quote.as_deref().filter(|quote| !quote.is_empty())?;
    let place = |offset: Option<i64>| usize::try_from(offset.unwrap_or_default()).ok();
    let range = place(segment.start)?..place(segment.end)?;
    (text.get(range.clone()) == Some(quote)).then_some(range)
}
