//! A part of an answer that broke off: what tells that it is a thought stands behind its text.

use std::ops::Range;

use crate::model::{Part, Response};

/// Parts of answers that are remembered: most often the last one broke off.
const MOST: usize = 8;

/// Notes of each response what of its answer came with a frame that broke off; says so where thoughts came
/// before.
pub fn note(torn: &mut Vec<(usize, Range<usize>)>, before: &[Response], after: &[Response]) -> &'static str {
    let mut words = "";
    for (number, response) in after.iter().enumerate() {
        let Some(Part::Text(last)) = response.parts.last() else { continue };
        let known = before.get(number).map_or(0, |before| before.text().len());
        let range = last.start.max(known)..last.end;
        if !range.is_empty() && torn.len() < MOST {
            torn.push((number, range));
        }
        if response.parts.iter().any(|part| matches!(part, Part::Thought(_))) {
            words = "; its last part may be a thought: what would tell stood behind its text";
        }
    }
    words
}

/// Gives the responses what was noted.
pub fn tell(responses: &mut [Response], torn: &[(usize, Range<usize>)]) {
    for (number, range) in torn {
        if let Some(response) = responses.get_mut(*number) {
            response.torn.push(range.clone());
        }
    }
}
