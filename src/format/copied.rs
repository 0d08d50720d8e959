//! Ranges of claims that a gateway copied into fields for marks.

use std::collections::HashMap;

use super::building;
use crate::model::{AnchorKind, RemarkKind, Response, Support};
use crate::text::ends_sentence;

/// Where no range of an answer in one part looks like a mark in any unit, and most end where sentences do,
/// they are claims.
pub fn claims_or_marks(response: &mut Response) {
    let text = response.text();
    let range = |support: &Support| {
        let segment = support.segment.as_ref()?;
        Some((segment.start.unwrap_or_default(), segment.end?))
    };
    let sent = response.supports.iter().filter_map(range).flat_map(|(start, end)| [start, end]);
    let at_character =
        places_of_characters(text, sent.filter_map(|sent| usize::try_from(sent).ok()).collect());
    let readings = |sent: i64| {
        let sent = usize::try_from(sent).ok();
        let byte = sent.filter(|&at| at <= text.len() && text.is_char_boundary(at));
        byte.into_iter().chain(sent.and_then(|number| at_character.get(&number)).copied())
    };
    let opens = |at: usize| {
        text.get(at..).is_some_and(|rest| rest.starts_with(['(', '[', '【', '<']) || rest.starts_with("http"))
    };
    let ends = |at: usize| {
        let (before, behind) = text.split_at_checked(at).unwrap_or_default();
        // Many send a sentence without the sign that ends it.
        behind.is_empty()
            || behind.starts_with('\n')
            || before.trim_end_matches(' ').ends_with(ends_sentence)
            || behind.starts_with(ends_sentence) && before.ends_with(char::is_alphanumeric)
    };
    let is_mark = |support: &Support| range(support).is_some_and(|(start, _)| readings(start).any(opens));
    let is_claim = |support: &&Support| {
        range(support).is_some_and(|(start, end)| start < end && readings(end).any(ends))
    };
    let claims = response.supports.iter().filter(is_claim).count();
    if response.supports.iter().any(is_mark) || claims == 0 || claims * 2 < response.supports.len() {
        return;
    }
    response.supports.iter_mut().for_each(|support| support.kind = AnchorKind::Span);
    let origin = response.supports.first().map(|support| support.origin.clone()).unwrap_or_default();
    let text = "no range of an annotation holds a mark";
    building::remark(response, RemarkKind::ClaimRanges, &origin, text);
}

/// Where some characters of a text begin, by their numbers; behind the last one is the end.
fn places_of_characters(text: &str, mut wanted: Vec<usize>) -> HashMap<usize, usize> {
    wanted.sort_unstable();
    let mut wanted = wanted.into_iter().peekable();
    let mut places = HashMap::new();
    for (number, at) in text.char_indices().map(|(at, _)| at).chain([text.len()]).enumerate() {
        while wanted.next_if(|next| *next <= number).is_some() {
            places.insert(number, at);
        }
        if wanted.peek().is_none() {
            break;
        }
    }
    places
}
