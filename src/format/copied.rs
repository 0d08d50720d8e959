//! Ranges of claims that a gateway copied into fields for marks.

use std::collections::{BTreeMap, HashMap};

use super::building;
use crate::model::{AnchorKind, Part, RemarkKind, Response};
use crate::text::ends_sentence;

/// Where no range looks like a mark in any unit, and most end where sentences do, they are claims.
pub fn claims_or_marks(response: &mut Response) {
    if claims(response) {
        let origin = response.supports.first().map(|support| support.origin.clone()).unwrap_or_default();
        let text = "no range of an annotation holds a mark";
        building::remark(response, RemarkKind::ClaimRanges, &origin, text);
    }
}

/// The same where claims may be sent as well as marks. True if they are claims.
pub fn claims(response: &mut Response) -> bool {
    // Offsets count in the text that the annotations stand at.
    let mut of_text: BTreeMap<usize, Vec<(i64, i64)>> = BTreeMap::new();
    let marks = || response.supports.iter().filter(|support| support.kind == AnchorKind::Marker);
    for segment in marks().filter_map(|support| support.segment.as_ref()) {
        let part = segment.part.and_then(|part| usize::try_from(part).ok()).unwrap_or_default();
        let range = segment.end.map(|end| (segment.start.unwrap_or_default(), end));
        of_text.entry(part).or_default().extend(range);
    }
    let texts = response.parts.iter().filter(|part| matches!(part, Part::Text(_))).count();
    let ranges = of_text.iter().map(|(part, ranges)| {
        let text = match response.parts.get(*part) {
            Some(Part::Text(range)) if texts > 1 => response.text().get(range.clone()).unwrap_or_default(),
            _ => response.text(),
        };
        claims_of(text, ranges)
    });
    let claims = ranges.reduce(|one, other| Some(one? + other?)).flatten().unwrap_or_default();
    if claims == 0 || claims * 2 < marks().count() {
        return false;
    }
    let marks = response.supports.iter_mut().filter(|support| support.kind == AnchorKind::Marker);
    marks.for_each(|support| support.kind = AnchorKind::Span);
    true
}

/// How many ranges end where sentences of their text do; none where one may be a mark.
fn claims_of(text: &str, ranges: &[(i64, i64)]) -> Option<usize> {
    let sent = ranges.iter().flat_map(|(start, end)| [start, end]);
    let at_character =
        places_of_characters(text, sent.filter_map(|sent| usize::try_from(*sent).ok()).collect());
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
    // What begins within the label of a link is a mark that is off by some.
    let within = |start: usize, end: usize| {
        let words = text.get(start..end).unwrap_or_default();
        words.split_once("](").is_some_and(|(label, _)| !label.contains('['))
    };
    let may_mark = |(start, end): &(i64, i64)| {
        readings(*start).any(|start| opens(start) || readings(*end).any(|end| within(start, end)))
    };
    if ranges.iter().any(may_mark) {
        return None;
    }
    Some(ranges.iter().filter(|(start, end)| start < end && readings(*end).any(ends)).count())
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
