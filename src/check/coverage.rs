//! Rules on how much of the answer rests on sources, and on an answer that says itself twice.

use std::ops::Range;

use super::{Finding, counted, excerpt};
use crate::markup::{code_blocks, contains};
use crate::model::{Grounding, Proof, State};
use crate::review::Reviewed;
use crate::text::{Class, class, split_sentences};

/// Coverage below which the whole answer is told of instead of its sentences.
const COVERAGE_LOW: f64 = 0.5;

pub(super) fn check(reviewed: &Reviewed, found: &mut Vec<Finding>) {
    let response = &reviewed.response;
    if response.is_question() || response.partial || response.text().is_empty() {
        return;
    }
    let slots = slots(reviewed, found);
    if !matches!(response.state, State::Error | State::Skipped) {
        uncovered(reviewed, &slots, found);
    }
    drafts(reviewed, found);
}

/// One cause: either much of the answer rests on nothing, or some sentences do.
fn uncovered(reviewed: &Reviewed, slots: &[Range<usize>], found: &mut Vec<Finding>) {
    let response = &reviewed.response;
    let text = response.text();
    let resolves = response.supports.iter().any(crate::model::Support::resolves);
    let silent = response.supports.is_empty() && response.sources.is_empty() && response.about.grounding == Grounding::Given;
    // Anything else that keeps the answer from resting on sources is a cause with a rule of its own.
    if !resolves && !silent || text.trim_start().starts_with(['{', '[']) {
        return;
    }
    let placed = || response.supports.iter().zip(&reviewed.anchors).filter_map(|(support, anchor)| Some((support, anchor.range.clone()?)));
    let whole = response.supports.iter().zip(&reviewed.anchors).any(|(support, anchor)| support.resolves() && anchor.range.is_none());
    if whole {
        return;
    }
    let mut backed: Vec<Range<usize>> =
        placed().filter(|(support, _)| support.resolves() || support.check_required == Some(false)).map(|(_, range)| range).collect();
    backed.sort_unstable_by_key(|range| range.start);
    let claims = claims(text);
    let mut bare = without(&claims, &backed);
    // A sentence with a slot of its own is told of there.
    bare.retain(|claim| slots.get(slots.partition_point(|slot| slot.start < claim.start)).is_none_or(|slot| slot.start >= claim.end));
    let Some(first) = bare.first() else { return };
    let coverage = reviewed.coverage().unwrap_or_default();
    let words = excerpt(text, first);
    let verb = if bare.len() == 1 { "rests" } else { "rest" };
    let count = format!("{} of {} {verb} on no source, the first “{words}”", bare.len(), counted(claims.len(), "sentence"));
    let (rule, message) = if coverage < COVERAGE_LOW {
        ("coverage-low", format!("{:.0} % of the answer rests on a source: {count}", coverage * 100.0))
    } else {
        ("sentence-uncited", count)
    };
    found.push(Finding::new(rule, &response.origin, message).places(bare));
}

/// Bytes of a line within which a sentence knows how its line begins.
const LINE: usize = 400;

/// Sentences that claim something: no headings, table rows, code, questions, lead-ins or scraps.
fn claims(text: &str) -> Vec<Range<usize>> {
    let mut sentences = Vec::new();
    split_sentences(text, &mut sentences);
    let code = code_blocks(text);
    let claim = |&(start, end): &(usize, usize)| {
        let sentence = text.get(start..end).unwrap_or_default();
        let item = sentence.trim();
        let words = item.strip_prefix("- ").or_else(|| item.strip_prefix("* ")).unwrap_or(item).trim_start();
        let is_code = contains(&code, start + sentence.trim_end().len() - words.len());
        let near = text.get(text.floor_char_boundary(start.saturating_sub(LINE))..start).unwrap_or_default();
        let line = near.rsplit_once('\n').map_or(near, |(_, line)| line).trim_start();
        let heading = words.starts_with(['#', '|']) || line.starts_with(['#', '|']);
        let titled = words.starts_with("**") && words.ends_with("**") || words.ends_with("**:");
        let open = words.trim_end_matches(['*', '_', '"', '”']).ends_with([':', '?', '？', '：']);
        (!is_code && !heading && !titled && !open && weight(words) >= 16).then_some(start..end)
    };
    sentences.iter().filter_map(claim).collect()
}

/// Letters and digits; a character of a script without blanks says as much as two.
fn weight(words: &str) -> usize {
    let letter = |c: char| match class(c) {
        Class::Break => 0,
        Class::Letter | Class::Digit => 1,
        Class::Han | Class::Hangul | Class::Thai => 2,
    };
    words.chars().map(letter).sum()
}

/// Those that no range touches; both in order of their beginnings.
fn without(claims: &[Range<usize>], backed: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut next = backed.iter().peekable();
    let mut reach = 0;
    let mut bare = Vec::new();
    for claim in claims {
        while let Some(range) = next.next_if(|range| range.start < claim.end) {
            reach = reach.max(range.end);
        }
        if reach <= claim.start {
            bare.push(claim.clone());
        }
    }
    bare
}

/// Blanks kept free for a reference, to which none came.
fn slots(reviewed: &Reviewed, found: &mut Vec<Finding>) -> Vec<Range<usize>> {
    let response = &reviewed.response;
    if response.proof != Proof::Slots || response.supports.is_empty() {
        return Vec::new();
    }
    let text = response.text();
    let mut ends: Vec<usize> = reviewed.anchors.iter().filter_map(|anchor| Some(anchor.range.as_ref()?.end)).collect();
    ends.sort_unstable();
    let free = |at: &usize| {
        let mut after = text.get(at + 1..).unwrap_or_default().chars();
        let sign = matches!(after.next(), Some('.' | ',')) && after.next().is_none_or(char::is_whitespace);
        let before = text.get(..*at).and_then(|before| before.chars().next_back()).is_some_and(|c| !c.is_whitespace());
        sign && before && ends.binary_search(&(at + 1)).is_err()
    };
    let free: Vec<Range<usize>> = memchr::memchr_iter(b' ', text.as_bytes()).filter(free).map(|at| at..at + 2).collect();
    let Some(first) = free.first() else { return free };
    let start = text.floor_char_boundary(first.start.saturating_sub(24));
    let words = excerpt(text, &(start..first.end));
    let message = format!("{} before a full stop or comma without a reference, the first after “{words}”", counted(free.len(), "blank"));
    found.push(Finding::new("slot-empty", &response.origin, message).places(free.clone()));
    free
}

/// Bytes of the beginning that have to come again.
const HEAD: usize = 64;

/// The answer's beginning again, or a sentence again right behind another without a blank.
fn drafts(reviewed: &Reviewed, found: &mut Vec<Finding>) {
    let text = reviewed.response.text();
    let Some(at) = beginning_again(text).or_else(|| glued_again(text)) else { return };
    let end = text.ceil_char_boundary((at + HEAD).min(text.len()));
    let words = excerpt(text, &(at..end));
    let message = format!("the answer says again from byte {at} on what it said before: “{words}”");
    found.push(Finding::new("draft-repeated", &reviewed.response.origin, message).places(std::iter::once(at..end).collect()));
}

fn beginning_again(text: &str) -> Option<usize> {
    let start = text.len() - text.trim_start().len();
    let length = HEAD.min(text.trim().len() / 2);
    let end = text.floor_char_boundary(start + length);
    let head = text.get(start..end).filter(|head| weight(head) >= 24)?;
    text.get(end..)?.find(head).map(|at| end + at)
}

/// Looks at the first few places where a sentence ends and a capital follows at once.
fn glued_again(text: &str) -> Option<usize> {
    let ends = |c: char| matches!(c, '.' | '!' | '?' | '"' | '”' | ')');
    let mut before = ' ';
    let mut glued =
        text.char_indices().filter(|&(_, c)| ends(std::mem::replace(&mut before, c)) && c.is_uppercase()).map(|(at, _)| at).take(8);
    glued.find(|&at| {
        let rest = text.get(at..).unwrap_or_default();
        let piece = rest.get(..rest.floor_char_boundary(HEAD.min(rest.len()))).unwrap_or_default();
        weight(piece) >= 24 && text.get(..at).is_some_and(|said| said.contains(piece))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_are_sentences_that_say_something() {
        let text = "# Heading of the text\n\nThe bridge opened in 1932. Is it still the longest one?\n\nHere is what we know about it:\n- It has six lanes of traffic.\n- **Length of the bridge**\n| a table | with some cells |\n```\nlet code = is_no_claim();\n```\nYes.";
        let words: Vec<&str> = claims(text).into_iter().map(|range| text[range].trim()).collect();
        assert_eq!(words, ["The bridge opened in 1932.", "- It has six lanes of traffic."]);
    }

    #[test]
    fn what_a_range_touches_is_left_out() {
        assert_eq!(without(&[0..10, 11..20, 21..30, 31..40, 41..50], &[0..3, 5..12, 35..38]), [21..30, 41..50]);
        assert_eq!(without(&[0..10, 11..20], &[]), [0..10, 11..20]);
    }
}
