//! What is seen of the response at the cursor of the list before it is opened.

use super::super::doc::{Doc, Line};
use super::super::page::{Bit, Of, Page, numbers};
use super::super::state::State;
use crate::check::{RULES, Severity};
use crate::look::{Role, Tone};
use crate::review::Review;
use crate::text::truncate_front;

/// Bytes of an answer that are laid out.
const SHOWN: usize = 8_000;
/// Supports up to which the answer is shown with its numbers.
const NUMBERED: usize = 200;
/// Findings that are told.
const FINDINGS: usize = 5;
/// Lines of a question.
const ASKED: usize = 3;

/// The document and its title; `None` until the response was read.
pub fn preview(state: &State, width: usize, rows: usize) -> Option<(String, Doc)> {
    // Where nothing passes the filter there is nothing to see of it.
    let (at, review) = state.peeked.as_ref().filter(|_| state.table.shown() > 0)?;
    let row = state.table.get(state.table.find(at.0, at.1)?)?;
    let mut doc = Doc::new(width);
    let response = &review.response;
    if let Some(question) = &response.about.question {
        doc.text(0, question, Role::Strong, ASKED);
    }
    let from = [Some(review.sent.format.name), response.model.as_deref()];
    doc.text(0, &from.into_iter().flatten().collect::<Vec<_>>().join(" · "), Role::Dim, 2);
    doc.line(&[(&truncate_front(review.file(), width), Role::Dim)]);
    let rules = state.table.rules(&row).iter().filter_map(|&rule| RULES.get(usize::from(rule)));
    for rule in rules.filter(|rule| rule.severity < Severity::Note).take(FINDINGS) {
        let tone = Tone::from(rule.severity);
        doc.line(&[(tone.sign(), tone.role()), (" ", Role::Plain), (rule.summary, Role::Plain)]);
    }
    doc.blank();
    answer(state, review, rows.saturating_sub(doc.height()), &mut doc);
    Some((format!("Response {}", super::table::number(state, &row)), doc))
}

/// The first rows of the answer, drawn as in its pane.
fn answer(state: &State, review: &Review, rows: usize, doc: &mut Doc) {
    let text = review.response.answer.as_deref().unwrap_or_else(|| &review.claims().0);
    let whole = text.len() <= SHOWN && review.response.supports.len() <= NUMBERED;
    let shown = text.get(..text.floor_char_boundary(SHOWN)).unwrap_or_default();
    let page = if whole && review.response.answer.is_some() {
        let range = |span: usize| review.spans.get(span)?.range.clone();
        Page::laid(text, true, numbers(review, text, state.compare, range), doc.width())
    } else {
        Page::source(shown, doc.width())
    };
    if text.is_empty() {
        doc.line(&[("no answer text", Role::Dim)]);
    }
    for row in 0..page.len().min(rows) {
        let mut pieces: Vec<(String, Role)> = page.bits(shown, row).into_iter().map(piece).collect();
        // Blanks at the end of a row hang over it.
        if let Some((last, _)) = pieces.last_mut() {
            last.truncate(last.trim_end().len());
        }
        doc.lines.push(Line { pieces, hit: None });
    }
}

fn piece(bit: Bit) -> (String, Role) {
    let set = bit.style.roles().next().unwrap_or(Role::Plain);
    let role = if matches!(bit.of, Of::Number(_)) { Role::Dim } else { set };
    (crate::text::sanitize(bit.text).into_owned(), role)
}
