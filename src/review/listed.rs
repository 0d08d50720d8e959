//! The list of sources that an answer ends with where its own text numbers them: its entries claim nothing.

use std::collections::HashMap;
use std::ops::Range;

use crate::anchor::Anchor;
use crate::model::{AnchorKind, Response};
use crate::text::merge_ranges;

/// Lists of one answer that are looked at for an entry.
const LISTS: usize = 64;

/// The lines of the answer that are entries of that list: a number, and the address that has it.
pub(super) fn listed(response: &Response, anchors: &[Anchor]) -> Vec<Range<usize>> {
    if !response.supports.iter().any(|support| support.kind == AnchorKind::TextMarker) {
        return Vec::new();
    }
    // Several lists may have a number, and an entry a title alone.
    let mut names: HashMap<&str, Vec<&str>> = HashMap::new();
    for source in &response.sources {
        let name = source.uri.as_deref().or(source.title.as_deref());
        if let Some((number, name)) = source.number.as_deref().zip(name) {
            names.entry(number).or_default().push(name);
        }
    }
    let mut at = 0;
    let lines = response.text().split_inclusive('\n').map(|line| {
        at += line.len();
        (at - line.len()..at, line)
    });
    let is_entry = |line: &str| {
        let names = number(line).and_then(|number| names.get(number));
        names.is_some_and(|names| names.iter().take(LISTS).any(|name| line.contains(name)))
    };
    // A line that holds a claim or its mark is no entry, whatever it begins with.
    let places = anchors.iter().flat_map(|anchor| anchor.range.iter().chain(&anchor.mark)).cloned();
    let claimed = merge_ranges(places.collect());
    let is_free = |line: &Range<usize>| {
        let next = claimed.get(claimed.partition_point(|place| place.end <= line.start));
        next.is_none_or(|place| place.start >= line.end)
    };
    lines.filter(|(range, line)| is_entry(line) && is_free(range)).map(|(range, _)| range).collect()
}

/// The number that a line of a list begins with: `[1]`, `[^1]:`, `1.`, `1)`, also behind a bullet.
fn number(line: &str) -> Option<&str> {
    let line = line.trim_start_matches(|c: char| c.is_whitespace() || "-*+•[^".contains(c));
    let end = line.bytes().take_while(u8::is_ascii_digit).count();
    let behind = line.get(end..)?.starts_with([']', '.', ')']);
    line.get(..end).filter(|number| behind && !number.is_empty())
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn a_line_of_a_list_begins_with_its_number() {
        let found = |line| number(line).unwrap_or("none");
        let lines = ["[1] Rio", "- [^12]: Rio", "3. Rio", " 4) Rio", "1999 was", "Rio [1]", "[x]"];
        assert_eq!(lines.map(found), ["1", "12", "3", "4", "none", "none", "none"]);
    }
}
