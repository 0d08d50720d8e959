//! Text in memory: a whole input, or the part of one that was read for a record, with lines and columns.

use std::ops::Range;
use std::sync::OnceLock;

/// A line and a column, both from 1; the column counts characters.
pub type LineColumn = (usize, usize);

/// A stretch of an input's text.
#[derive(Debug)]
pub(super) struct Text {
    pub string: String,
    /// Byte of the input at which it begins.
    pub first_byte: u64,
    /// Line and column at which it begins, once it is known.
    first: OnceLock<LineColumn>,
    lines: OnceLock<Lines>,
}

impl Text {
    /// A stretch that begins at a byte; where in lines is found when it is asked for.
    pub fn at(string: String, first_byte: u64) -> Self {
        Self { string, first_byte, first: OnceLock::new(), lines: OnceLock::new() }
    }

    /// Whether a stretch of the input lies in it.
    pub fn holds(&self, bytes: &Range<u64>) -> bool {
        self.first_byte <= bytes.start && bytes.end <= self.first_byte + self.string.len() as u64
    }

    /// A text that begins with a line.
    pub fn beginning(string: String, lines_before: usize) -> Self {
        let text = Self::at(string, 0);
        Self { first: OnceLock::from((lines_before + 1, 1)), ..text }
    }

    /// Line and column of a byte of the stretch; `first` finds those of its beginning where they are not
    /// known.
    pub fn line_column(&self, byte: usize, first: impl FnOnce() -> LineColumn) -> LineColumn {
        let (line, column) = *self.first.get_or_init(first);
        let lines = self.lines.get_or_init(|| Lines::of(&self.string));
        let (below, characters) = lines.place(&self.string, byte);
        (line + below, if below == 0 { column + characters } else { characters + 1 })
    }
}

/// Bytes between two places of which it is kept what lies before them: neither lines nor the columns of a
/// long one are counted from the start, and a text of nothing but line ends takes no room.
const EVERY: usize = 1 << 12;

/// Where the lines of a text begin.
#[derive(Debug)]
struct Lines {
    /// Of every [`EVERY`]th byte: line ends before it, and where its line begins.
    marks: Vec<(usize, usize)>,
    /// Characters before about every [`EVERY`]th byte, and that byte; counted once a line is that long.
    characters: OnceLock<Vec<(usize, usize)>>,
}

impl Lines {
    fn of(text: &str) -> Self {
        let (mut lines, mut start, mut marks) = (0, 0, Vec::with_capacity(text.len() / EVERY + 1));
        for (number, block) in text.as_bytes().chunks(EVERY).enumerate() {
            marks.push((lines, start));
            lines += memchr::memchr_iter(b'\n', block).count();
            start = memchr::memrchr(b'\n', block).map_or(start, |at| number * EVERY + at + 1);
        }
        Self { marks, characters: OnceLock::new() }
    }

    /// Line ends before a byte, and characters between it and the beginning of its line.
    fn place(&self, text: &str, byte: usize) -> (usize, usize) {
        let byte = text.floor_char_boundary(byte);
        let mark = (byte / EVERY).min(self.marks.len().saturating_sub(1));
        let (before, begun) = self.marks.get(mark).copied().unwrap_or_default();
        let near = text.as_bytes().get(mark * EVERY..byte).unwrap_or_default();
        let line = before + memchr::memchr_iter(b'\n', near).count();
        let start = memchr::memrchr(b'\n', near).map_or(begun, |at| mark * EVERY + at + 1);
        let characters = if byte - start < EVERY {
            count(text, start..byte)
        } else {
            self.before(text, byte) - self.before(text, start)
        };
        (line, characters)
    }

    /// Characters before a byte.
    fn before(&self, text: &str, byte: usize) -> usize {
        let kept = self.characters.get_or_init(|| {
            let (mut kept, mut before) = (vec![(0, 0)], (0, 0));
            while before.0 + EVERY < text.len() {
                let next = text.floor_char_boundary(before.0 + EVERY);
                before = (next, before.1 + count(text, before.0..next));
                kept.push(before);
            }
            kept
        });
        let after = kept.partition_point(|&(at, _)| at <= byte);
        let (at, before) = after.checked_sub(1).and_then(|last| kept.get(last)).copied().unwrap_or_default();
        before + count(text, at..byte)
    }
}

fn count(text: &str, range: Range<usize>) -> usize {
    text.get(range).map_or(0, |text| if text.is_ascii() { text.len() } else { text.chars().count() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_however_long_the_line() {
        let long = format!("{}\n{}é{}", "ä".repeat(3000), "€".repeat(50_000), "x".repeat(90_000));
        let text = Text::beginning(long.clone(), 4);
        let place = |byte| text.line_column(byte, || unreachable!("a beginning is known"));
        assert_eq!((place(0), place(2), place(6000)), ((5, 1), (5, 2), (5, 3001)));
        assert_eq!(
            (place(6001), place(6001 + 15_000), place(6001 + 150_000)),
            ((6, 1), (6, 5001), (6, 50_001))
        );
        assert_eq!(place(long.len()), (6, 140_002));
    }

    #[test]
    fn lines_are_counted_from_the_last_mark_before() {
        let blank = "\n".repeat(3 * EVERY);
        let text = Text::beginning(format!("{blank}ab\ncd"), 0);
        let place = |byte| text.line_column(byte, || unreachable!("a beginning is known"));
        assert_eq!((place(0), place(EVERY - 1), place(EVERY)), ((1, 1), (EVERY, 1), (EVERY + 1, 1)));
        assert_eq!(place(blank.len() + 1), (3 * EVERY + 1, 2));
        assert_eq!(place(blank.len() + 4), (3 * EVERY + 2, 2));
        assert_eq!(Text::beginning(String::new(), 0).line_column(0, || unreachable!("known")), (1, 1));
    }

    #[test]
    fn a_stretch_goes_on_from_where_it_begins() {
        let text = Text::at("bc\nd".to_owned(), 100);
        assert_eq!(text.line_column(1, || (7, 40)), (7, 41));
        assert_eq!(text.line_column(3, || unreachable!("asked once")), (8, 1));
    }
}
