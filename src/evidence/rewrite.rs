//! Text rewritten piece by piece, with the way back from every byte of the result to the bytes it came from.

use std::ops::Range;

/// One piece of a rewritten text. A verbatim piece keeps its bytes in place; any other maps as a whole.
#[derive(Clone, Copy, Debug)]
struct Piece {
    at: usize,
    from: usize,
    to: usize,
    verbatim: bool,
}

/// A rewritten text; `origin` leads back.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rewrite {
    pub(crate) text: String,
    pieces: Vec<Piece>,
}

impl Rewrite {
    /// Appends `range` of `source` unchanged.
    pub(crate) fn keep(&mut self, source: &str, range: Range<usize>) {
        let piece = source.get(range.clone()).unwrap_or("");
        if !piece.is_empty() {
            self.note(range, true);
            self.text.push_str(piece);
        }
    }

    /// Appends `with` in place of `range` of the source.
    pub(crate) fn replace(&mut self, range: Range<usize>, with: &str) {
        self.note(range, false);
        self.text.push_str(with);
    }

    /// Says that what is appended to `text` next stands for `range`.
    pub(crate) fn note(&mut self, range: Range<usize>, verbatim: bool) {
        let at = self.text.len();
        let (from, to) = (range.start, range.end);
        self.pieces.push(Piece { at, from, to, verbatim });
    }

    /// Where the bytes of a range of the result stood in the source.
    pub(crate) fn origin(&self, range: Range<usize>) -> Range<usize> {
        let last = range.end.saturating_sub(1).max(range.start);
        let start = self
            .piece(range.start)
            .map_or(0, |p| if p.verbatim { p.from + (range.start - p.at) } else { p.from });
        let end =
            self.piece(last).map_or(start, |p| if p.verbatim { p.from + (last - p.at) + 1 } else { p.to });
        start..end.max(start)
    }

    fn piece(&self, at: usize) -> Option<&Piece> {
        let after = self.pieces.partition_point(|p| p.at <= at);
        self.pieces.get(after.checked_sub(1)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_lead_back_through_kept_and_replaced_pieces() {
        let source = "ab[1]cd";
        let mut made = Rewrite::default();
        made.keep(source, 0..2);
        made.replace(2..5, " ");
        made.keep(source, 5..7);
        assert_eq!(made.text, "ab cd");
        assert_eq!(made.origin(0..2), 0..2);
        assert_eq!(made.origin(2..3), 2..5);
        assert_eq!(made.origin(3..5), 5..7);
        assert_eq!(made.origin(1..4), 1..6);
    }
}
