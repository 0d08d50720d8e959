//! What to mark: words of the claim that no cited chunk has, and words of the claim where they stand in a
//! chunk.

use super::cited::Cited;
use super::claim::Claim;
use super::clean::{clean, expand_years};
use super::cover::Window;
use super::fold::fold_mapped;
use super::index::Index;
use super::tokens::{self, TokenKind};
use super::{names, words};
use crate::text::merge_ranges;
use std::ops::Range;

/// Byte ranges of a claim, ascending and apart from each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClaimMarks {
    /// Words that no cited chunk has. Function words are left out, but not a negation.
    pub absent: Vec<Range<usize>>,
    /// Numbers that no cited chunk has in any form.
    pub numbers: Vec<Range<usize>>,
    /// Names of which the cited chunks lack a word.
    pub names: Vec<Range<usize>>,
}

impl ClaimMarks {
    /// What to mark in a claim, as bytes of `text`; nothing where no cited chunk carries text.
    #[must_use]
    pub fn new(index: &Index, text: &str, cited: impl Into<Cited>) -> Self {
        let cited = &cited.into();
        if !cited.has_text(index) {
            return Self::default();
        }
        let claim = Claim::new(index, text);
        let cleaned = clean(text);
        let folded = fold_mapped(&cleaned.text);
        let origin = |range| cleaned.origin(folded.origin(range));
        let held = |token: &str| {
            let token = index.words.find(token);
            token.is_some_and(|token| cited.hold(index, token))
        };
        let mut absent = Ranges::default();
        tokens::each(&folded.text, &mut |piece| {
            let weak = words::is_stop_token(piece.text) && !words::is_negation(piece.text);
            match piece.kind {
                TokenKind::Gram => absent.note_gram(origin(piece.range), !held(piece.text)),
                TokenKind::Word if !weak && !held(piece.text) => absent.note(origin(piece.range)),
                TokenKind::Word | TokenKind::Number => {}
            }
        });
        let numbers = missing_numbers(index, &claim, &cleaned.text, cited);
        let numbers: Vec<_> = numbers.into_iter().map(|range| cleaned.origin(range)).collect();
        absent.found.extend_from_slice(&numbers);
        let missing = names::names(&cleaned.text).into_iter().zip(&claim.names);
        let names = missing
            .filter(|(_, name)| !name.is_held(index, cited))
            .map(|(range, _)| cleaned.origin(range))
            .collect();
        Self { absent: absent.finish(), numbers: merge_ranges(numbers), names }
    }
}

/// The missing numbers as bytes of the cleaned claim.
fn missing_numbers(index: &Index, claim: &Claim, cleaned: &str, cited: &Cited) -> Vec<Range<usize>> {
    let years = expand_years(cleaned);
    let folded = fold_mapped(years.as_ref().map_or(cleaned, |made| &made.text));
    let mut ranges = Vec::new();
    tokens::each(&folded.text, &mut |piece| {
        if piece.kind == TokenKind::Number {
            let range = folded.origin(piece.range);
            ranges.push(years.as_ref().map_or(range.clone(), |made| made.origin(range)));
        }
    });
    let missing = ranges.into_iter().zip(&claim.numbers);
    missing.filter(|(_, number)| !cited.hold_number(index, number)).map(|(range, _)| range).collect()
}

impl Claim {
    /// The words of the claim in a window, as bytes of the chunk's text.
    #[must_use]
    pub fn present_in_window(&self, index: &Index, text: &str, window: &Window) -> Vec<Range<usize>> {
        let mut present = Ranges::default();
        let spans = index.sentences_from(window.chunk, window.first);
        for (start, end) in spans.take(window.sentences) {
            self.note_present(text.get(start..end).unwrap_or(""), start, &mut present);
        }
        present.finish()
    }

    fn note_present(&self, text: &str, offset: usize, present: &mut Ranges) {
        let folded = fold_mapped(text);
        tokens::each(&folded.text, &mut |piece| {
            let weak = piece.kind == TokenKind::Word
                && words::is_stop_token(piece.text)
                && !words::is_negation(piece.text);
            if !weak && self.words.find(piece.text).is_some() {
                let range = folded.origin(piece.range);
                present.note(range.start + offset..range.end + offset);
            }
        });
    }
}

/// Ranges as they are found; a gram that is held frees its characters from absent grams that overlap it.
#[derive(Default)]
struct Ranges {
    found: Vec<Range<usize>>,
    freed: Vec<Range<usize>>,
}

impl Ranges {
    fn note(&mut self, range: Range<usize>) {
        self.found.push(range);
    }

    fn note_gram(&mut self, range: Range<usize>, absent: bool) {
        if absent { &mut self.found } else { &mut self.freed }.push(range);
    }

    fn finish(self) -> Vec<Range<usize>> {
        let freed = merge_ranges(self.freed);
        let mut kept = Vec::new();
        let mut from = 0;
        for mut range in merge_ranges(self.found) {
            while freed.get(from).is_some_and(|free| free.end <= range.start) {
                from += 1;
            }
            for free in freed.iter().skip(from).take_while(|free| free.start < range.end) {
                if range.start < free.start {
                    kept.push(range.start..free.start);
                }
                range.start = free.end.max(range.start);
            }
            if range.start < range.end {
                kept.push(range);
            }
        }
        kept
    }
}
