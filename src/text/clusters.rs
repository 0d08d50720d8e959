//! Extended grapheme clusters, asked for at many places of one text.

use std::ops::Range;

use unicode_segmentation::GraphemeCursor;

/// Where the clusters of a text end. Whatever the text, all places of it together take linear time: what the
/// answer needs of the text before a place (in a run of flags all of it) is kept for the next one.
pub struct Clusters<'a> {
    text: &'a str,
    /// The last run of regional indicators that was met.
    flags: Range<usize>,
    /// The last place that lay inside of a cluster, and the end of that.
    inside: Range<usize>,
}

impl<'a> Clusters<'a> {
    /// Of a text.
    pub fn of(text: &'a str) -> Self {
        Self { text, flags: 0..0, inside: 0..0 }
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
        if !(self.flags.start < at && at < self.flags.end) {
            let regional = |c: &char| matches!(c, '\u{1F1E6}'..='\u{1F1FF}');
            let (before, after) = self.text.split_at_checked(at).unwrap_or_default();
            let before = before.chars().rev().take_while(regional).count() * BYTES;
            let after = after.chars().take_while(regional).count() * BYTES;
            self.flags = at - before..at + after;
        }
        (at - self.flags.start) / BYTES
    }

    /// The end of the cluster that a byte lies in; the byte itself where one ends there.
    pub fn end(&mut self, at: usize) -> usize {
        let at = self.text.floor_char_boundary(at);
        if self.inside.start <= at && at < self.inside.end {
            return self.inside.end;
        }
        let next = |at: usize| {
            at + self.text.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8)
        };
        let mut end = at;
        while end < self.text.len() && !self.is_boundary(end) {
            end = next(end);
        }
        if end > at {
            self.inside = at..end;
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
