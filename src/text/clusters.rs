//! Extended grapheme clusters, asked for at many places of one text.

use std::collections::BTreeMap;
use std::ops::Range;

use unicode_segmentation::GraphemeCursor;

/// Where the clusters of a text end. Whatever the text and the order of the places, all of them together take
/// linear time: what the answer needs of the text around a place (in a run of flags all of it) is kept.
pub struct Clusters<'a> {
    text: &'a str,
    /// The runs of regional indicators that were met.
    flags: Ranges,
    /// Places that lay inside of clusters, up to the ends of these.
    inside: Ranges,
}

/// Ranges that do not overlap: the end of each by its start.
#[derive(Default)]
struct Ranges(BTreeMap<usize, usize>);

impl Ranges {
    /// The one that holds a byte.
    fn around(&self, at: usize) -> Option<Range<usize>> {
        let (start, end) = self.0.range(..=at).next_back()?;
        (at < *end).then_some(*start..*end)
    }
}

impl<'a> Clusters<'a> {
    /// Of a text.
    pub fn of(text: &'a str) -> Self {
        Self { text, flags: Ranges::default(), inside: Ranges::default() }
    }

    /// Whether a cluster ends at a byte, or none does because the byte lies inside of a character.
    pub fn is_boundary(&mut self, at: usize) -> bool {
        let (before, after) = self.text.split_at_checked(at).unwrap_or_default();
        let regional = |c: Option<char>| c.is_some_and(|c| matches!(c, '\u{1F1E6}'..='\u{1F1FF}'));
        if regional(before.chars().next_back()) && regional(after.chars().next()) {
            return self.flags_before(at).is_multiple_of(2);
        }
        GraphemeCursor::new(at, self.text.len(), true).is_boundary(self.text, 0).unwrap_or(true)
    }

    /// How many regional indicators stand before one.
    fn flags_before(&mut self, at: usize) -> usize {
        const BYTES: usize = '\u{1F1E6}'.len_utf8();
        let run = self.flags.around(at).unwrap_or_else(|| {
            let regional = |c: &char| matches!(c, '\u{1F1E6}'..='\u{1F1FF}');
            let (before, after) = self.text.split_at_checked(at).unwrap_or_default();
            let before = before.chars().rev().take_while(regional).count() * BYTES;
            let after = after.chars().take_while(regional).count() * BYTES;
            self.flags.0.insert(at - before, at + after);
            at - before..at + after
        });
        (at - run.start) / BYTES
    }

    /// The end of the cluster that a byte lies in; the byte itself where one ends there.
    pub fn end(&mut self, at: usize) -> usize {
        let at = self.text.floor_char_boundary(at);
        if let Some(known) = self.inside.around(at) {
            return known.end;
        }
        let next = |at: usize| {
            at + self.text.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8)
        };
        let mut end = at;
        while end < self.text.len() && !self.is_boundary(end) {
            // What lies inside of the same cluster, and was met before, leads to its end.
            end = self.inside.0.remove(&end).unwrap_or_else(|| next(end));
        }
        if end > at {
            self.inside.0.insert(at, end);
        }
        end
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use unicode_segmentation::UnicodeSegmentation;

    use super::*;

    proptest! {
        #[test]
        fn places_are_those_of_the_text_read_from_its_beginning(
            pieces in prop::collection::vec(prop::sample::select(vec![
                "a", "e\u{301}", "\u{1F1E6}", "\u{1F1E7}", "\u{200D}", "👩", "क", "\u{94d}", "\r\n", "\u{301}", "한", "\u{600}", "🏽",
            ]), 0..24),
            asked in prop::collection::vec(0usize..80, 0..40),
        ) {
            let text = pieces.concat();
            let ends: Vec<usize> = text.grapheme_indices(true).map(|(at, _)| at).chain([text.len()]).collect();
            let mut clusters = Clusters::of(&text);
            for at in asked.into_iter().map(|at| at.min(text.len())) {
                let at = text.floor_char_boundary(at);
                let end = *ends.iter().find(|end| **end >= at).unwrap();
                prop_assert_eq!(clusters.end(at), end);
                prop_assert_eq!(clusters.is_boundary(at), end == at);
            }
        }
    }
}
