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
    let (mut characters, mut bytes) = (Looks::default(), Looks::default());
    for (part, ranges) in &of_text {
        let text = match response.parts.get(*part) {
            Some(Part::Text(range)) if texts > 1 => response.text().get(range.clone()).unwrap_or_default(),
            _ => response.text(),
        };
        let sent = ranges.iter().flat_map(|(start, end)| [start, end]);
        let wanted = sent.filter_map(|sent| usize::try_from(*sent).ok()).collect();
        let at_character = places_of_characters(text, wanted);
        characters.look((text, ends), ranges, |sent| at_character.get(&sent).copied());
        // Where the unit of marks fits none, a claim also ends before its link.
        let told = if text.is_ascii() { ends } else { ends_or_leads };
        bytes.look((text, told), ranges, |sent| text.is_char_boundary(sent).then_some(sent));
    }
    // By chance a claim begins in one unit where a mark does in the other; a whole mark does not lie there.
    let some_are_marks = characters.marks + bytes.marks > 0;
    let claims = [characters, bytes].iter().filter(|looks| !looks.may_mark).map(|looks| looks.claims).max();
    let claims = claims.unwrap_or_default();
    if some_are_marks || claims == 0 || claims * 2 < marks().count() {
        return false;
    }
    let marks = response.supports.iter_mut().filter(|support| support.kind == AnchorKind::Marker);
    marks.for_each(|support| support.kind = AnchorKind::Span);
    true
}

/// What ranges look like in a unit.
#[derive(Default)]
struct Looks {
    /// How many end where sentences of their text do.
    claims: usize,
    /// How many are marks from end to end.
    marks: usize,
    /// One may be a mark.
    may_mark: bool,
}

impl Looks {
    /// Looks at ranges of a text; `ends`: whether a claim does at a byte, `place`: the byte of an offset.
    fn look(
        &mut self,
        (text, ends): (&str, impl Fn(&str, usize) -> bool),
        ranges: &[(i64, i64)],
        place: impl Fn(usize) -> Option<usize>,
    ) {
        let place = |sent: i64| usize::try_from(sent).ok().and_then(&place);
        for (start, end) in ranges.iter().map(|(start, end)| (place(*start), place(*end))) {
            let words = start.zip(end).and_then(|(start, end)| text.get(start..end)).unwrap_or_default();
            // Of many long ranges of one text each is looked at near its ends.
            let head = words.get(..words.floor_char_boundary(LOOKED_MOST)).unwrap_or_default();
            // What begins within the label of a link is a mark that is off by some.
            let within = head.split_once("](").is_some_and(|(label, _)| !label.contains('['));
            let opens = start.is_some_and(|start| opens(text, start));
            // Nor does a claim begin or end within an address.
            let parts = [start, end].into_iter().flatten().any(|at| is_within_address(text, at));
            self.may_mark |= opens || within || parts;
            // A bare address is whole where a blank or a bracket follows.
            let behind = || end.and_then(|end| text.get(end..)?.chars().next());
            let is_bare = words.starts_with("http") && !words.contains(char::is_whitespace);
            let closes = words.ends_with([')', ']', '】', '>'])
                || is_bare && behind().is_none_or(|c| c.is_whitespace() || matches!(c, ')' | ']' | '>'));
            let is_off = || start.zip(end).is_some_and(|(start, end)| is_mark_that_is_off(text, start, end));
            self.marks += usize::from(opens && closes || head.contains("](") && is_off());
            let ends = end.is_some_and(|end| ends(text, end));
            let leads = || start.zip(end).is_some_and(|(start, end)| has_number(text, start, end));
            self.claims += usize::from(!words.is_empty() && (ends || leads()));
        }
    }
}

/// Bytes of a range that are looked at from either end.
const LOOKED_MOST: usize = 4 * 1024;

/// Whether a mark may begin at a byte.
fn opens(text: &str, at: usize) -> bool {
    text.get(at..).is_some_and(|rest| rest.starts_with(['(', '[', '【', '<']) || rest.starts_with("http"))
}

/// Whether a range is as long as a link that it misses by a few characters.
fn is_mark_that_is_off(text: &str, start: usize, end: usize) -> bool {
    let moved = |at: usize, by: usize, back: bool| {
        let (before, behind) = text.split_at_checked(at)?;
        if back {
            return before.char_indices().rev().map(|(at, _)| at).nth(by);
        }
        behind.char_indices().map(|(more, _)| at + more).chain([text.len()]).nth(by + 1)
    };
    let is_link = |words: &str| words.starts_with(['(', '[']) && words.ends_with(')') && words.contains("](");
    let link = |by: usize, back: bool| text.get(moved(start, by, back)?..moved(end, by, back)?).map(is_link);
    (0..OFF_MOST).any(|by| link(by, true) == Some(true) || link(by, false) == Some(true))
}

/// Whether a range is words up to a number in brackets, or with it. A mark that is off is not as long.
fn has_number(text: &str, start: usize, end: usize) -> bool {
    let words = text.get(start..end).unwrap_or_default().trim_end_matches(' ');
    let behind = text.get(end..).unwrap_or_default().trim_start_matches(' ');
    let is_number = |(inner, rest): (&str, &str)| {
        !inner.is_empty() && inner.bytes().all(|b| b.is_ascii_digit()) && !rest.starts_with('(')
    };
    let tail = words.ceil_char_boundary(words.len().saturating_sub(LOOKED_MOST));
    let last = words.get(tail..).unwrap_or_default().rsplit_once('[');
    let last = last.map(|(claim, mark)| (words.get(..tail + claim.len()).unwrap_or_default(), mark));
    let within = last.filter(|(_, mark)| mark.split_once(']').is_some_and(is_number));
    let is_before = behind.strip_prefix('[').and_then(|rest| rest.split_once(']')).is_some_and(is_number);
    let claim = within.map(|(claim, _)| claim).or_else(|| is_before.then_some(words)).unwrap_or_default();
    let begins = |c: char| c.is_alphanumeric();
    claim.starts_with(begins)
        && !text.get(..start).unwrap_or_default().ends_with(begins)
        && claim.chars().nth(NUMBER_MOST).is_some()
}

/// Characters of the longest number in brackets that is looked for.
const NUMBER_MOST: usize = 8;

/// Characters by which a mark may be off to be told from a claim.
const OFF_MOST: usize = 5;

/// Whether a byte lies within an address.
fn is_within_address(text: &str, at: usize) -> bool {
    let (before, behind) = text.split_at_checked(at).unwrap_or_default();
    let of_address = |c: char| c.is_ascii_graphic() && !matches!(c, '(' | ')' | '[' | ']' | '<' | '>' | '"');
    let from = before.ceil_char_boundary(before.len().saturating_sub(ADDRESS_MOST));
    let begun = before.get(from..).unwrap_or_default().rsplit(|c: char| !of_address(c)).next();
    // Signs of the sentence may stand behind it.
    let goes_on = behind.trim_start_matches(['.', ',', ';', ':', '!', '?', '*']).starts_with(of_address);
    goes_on && begun.is_some_and(|begun| begun.contains("://"))
}

/// Bytes of an address that are looked at.
const ADDRESS_MOST: usize = 512;

/// Whether a sentence ends at a byte, or the words before a link do.
fn ends_or_leads(text: &str, at: usize) -> bool {
    let (before, behind) = text.split_at_checked(at).unwrap_or_default();
    let link = behind.trim_start_matches(' ').trim_start_matches('(');
    let leads =
        link.starts_with('[') && link.split_once("](").is_some_and(|(label, _)| !label.contains('\n'));
    ends(text, at) || leads && before.ends_with(char::is_alphanumeric)
}

/// Whether a sentence ends at a byte; many send one without the sign that ends it.
fn ends(text: &str, at: usize) -> bool {
    let (before, behind) = text.split_at_checked(at).unwrap_or_default();
    behind.is_empty()
        || behind.starts_with('\n')
        || before.trim_end_matches(' ').ends_with(ends_sentence)
        || behind.starts_with(ends_sentence) && before.ends_with(char::is_alphanumeric)
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

#[cfg(test)]
mod tests {
    use super::has_number;

    #[test]
    fn a_claim_ends_before_a_number_or_with_it() {
        for (text, words, is_claim) in [
            ("It is very old [1]. Red [2].", "It is very old", true),
            ("It is very old [1]. Red [2].", "It is very old [1]", true),
            ("It is very old [1], and red there [2].", "and red there [2]", true),
            ("東京は日本の首都です[1]大阪は[2]。", "東京は日本の首都です", true),
            // As long as a mark, or within a word.
            ("It is very old [1].", "old", false),
            ("It is very old [1].", "t is very old", false),
            ("It is very old [1].", "[1]", false),
            // A link is a mark of its own.
            ("It is very old [1](https://a.example/).", "It is very old", false),
            ("It is very old [see below].", "It is very old", false),
            ("It is very old indeed [1].", "It is very old", false),
        ] {
            let start = text.find(words).unwrap_or_default();
            assert_eq!(has_number(text, start, start + words.len()), is_claim, "{words} in {text}");
        }
    }
}
