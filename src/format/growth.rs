//! Streams whose pieces repeat the text so far, as some proxies send them.

use std::ops::Range;

/// How the pieces of one text stand to each other: where each repeats the one before and goes on, the last
/// one is the text.
#[derive(Debug, Default, Clone, Copy)]
pub struct Growth {
    pieces: u32,
    /// Where the last piece begins.
    last: usize,
    /// One of them was no longer version of the one before.
    plain: bool,
}

impl Growth {
    /// Fewer are chance: `"a"`, `"ab"`.
    const LEAST: u32 = 3;

    /// Appends a piece.
    pub fn push(&mut self, text: &mut String, piece: &str) {
        let start = text.len();
        text.push_str(piece);
        self.note(text, start);
    }

    /// A piece begins here and ends with the text; empty ones say nothing.
    pub fn note(&mut self, text: &str, start: usize) {
        let piece = |range: Range<usize>| text.get(range).unwrap_or_default();
        let after = piece(start..text.len());
        if after.is_empty() {
            return;
        }
        // What was there before the first piece is one itself.
        if self.pieces == 0 && start > 0 {
            self.pieces = 1;
        }
        if self.pieces > 0 && !self.plain {
            let before = piece(self.last..start);
            self.plain = after.len() <= before.len() || !after.starts_with(before);
        }
        (self.pieces, self.last) = (self.pieces.saturating_add(1), start);
    }

    /// Where the last piece begins, if it repeats all others.
    pub fn resent(self) -> Option<usize> {
        (!self.plain && self.pieces >= Self::LEAST).then_some(self.last)
    }

    /// Leaves the last piece of a text alone, if it repeats all others; whether it does.
    pub fn settle(self, text: &mut String) -> bool {
        self.resent().inspect(|&last| drop(text.drain(..last))).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settled(pieces: &[&str]) -> (bool, String) {
        let (mut growth, mut text) = (Growth::default(), String::new());
        for piece in pieces {
            growth.push(&mut text, piece);
        }
        (growth.settle(&mut text), text)
    }

    #[test]
    fn the_last_piece_is_the_text_where_three_or_more_each_repeat_the_one_before() {
        assert_eq!(
            settled(&["The", "The bridge", "", "The bridge opened."]),
            (true, "The bridge opened.".into())
        );
        assert_eq!(settled(&["a", "ab"]), (false, "aab".into()));
        assert_eq!(settled(&["ha", "ha", "ha"]), (false, "hahaha".into()));
        assert_eq!(settled(&["a", "ab", "abc", "d"]), (false, "aababcd".into()));
        assert_eq!(settled(&[]), (false, String::new()));
    }
}
