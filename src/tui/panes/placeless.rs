//! Claims that have no place in the answer: below it, so that they are seen without being walked to.

use std::ops::Range;

use super::super::doc::{Doc, Hit};
use super::super::page::numbers_of;
use super::super::standing::of_span;
use super::super::state::State;
use crate::look::Role;
use crate::text::{counted, one_line};

/// Rows of the answer that are left to it.
const ANSWER: usize = 6;
/// Claims that are listed at most.
const CLAIMS_MOST: usize = 5;

/// The spans without a place: the last ones.
fn placeless(state: &State) -> Range<usize> {
    let Some(review) = state.review().filter(|review| review.response.answer.is_some()) else { return 0..0 };
    review.spans.partition_point(|span| span.range.is_some())..review.spans.len()
}

/// Rows that they take of so many: a title, and a row for each as far as there is room.
pub fn placeless_rows(state: &State, height: usize) -> usize {
    let spans = placeless(state);
    let room = height.saturating_sub(ANSWER) / 3;
    match () {
        () if spans.is_empty() => 0,
        () if room > 0 => 1 + spans.len().min(room).min(CLAIMS_MOST),
        () => usize::from(height > 1 && spans.contains(&state.span)),
    }
}

/// The rows: of many those around the selected one.
pub fn placeless_list(state: &State, rows: usize, width: usize) -> Doc {
    let mut doc = Doc::new(width);
    let Some(review) = state.review() else { return doc };
    let spans = placeless(state);
    let listed = if rows > 1 { rows - 1 } else { rows };
    if rows > 1 {
        let more = if spans.len() > listed { " (: and a number leads to each)" } else { "" };
        let mut supports = spans.clone().flat_map(|span| review.of_span(span));
        let why = if supports.all(|support| support.earlier) {
            "of an earlier piece of the turn"
        } else {
            "without a place in the answer"
        };
        let words = format!(" {} {why}{more}", counted(spans.len(), "claim"));
        doc.line(&[(&words, Role::Dim)]);
    }
    let last = spans.end.saturating_sub(listed);
    let first = if spans.contains(&state.span) { state.span.clamp(spans.start, last) } else { spans.start };
    for span in (first..spans.end).take(listed) {
        let Some(support) = review.of_span(span).next() else { continue };
        doc.entry(Hit::Support(support.index));
        let standing = of_span(review, span, state.compare);
        let words =
            support.words().map_or_else(|| "(no words sent)".to_owned(), |words| one_line(words).into());
        let numbers = numbers_of(review, span, state.compare).concat();
        let role = standing.role();
        doc.line_right(
            &[(standing.sign(), role), ("  ", Role::Plain), (&words, Role::Plain)],
            (&numbers, role),
        );
    }
    doc.end();
    doc
}
