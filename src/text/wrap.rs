//! Rows of a text at a width, as byte ranges: one pass on load, then any row, or the row of any byte, at
//! once.
//!
//! Promises: the rows concatenate to the text and are cut between extended grapheme clusters; what is drawn
//! of a row fits the width, hanging blanks aside, unless a single cluster is wider. Lines break after
//! newlines and runs of blanks, beside East Asian characters as their punctuation allows, and after hyphens
//! between letters; a longer word is cut. Time is linear in the text.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use super::line_class::{BLANK, CLOSE, EAST_ASIAN, HYPHEN, MARK, OPEN, WIDTH, is_simple, line_class};
use super::width::cluster_width;

/// Rows of a text at a width: half-open byte ranges, which concatenate to the text. Four bytes a row.
///
/// A newline at the end of the text opens no further row. What lies beyond 4 GiB is part of the last row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rows {
    /// Where the rows start; the first at 0.
    starts: Vec<u32>,
    /// Bytes of the text.
    end: usize,
}

impl Rows {
    /// The rows of a text at a width in cells; a width of 0 counts as 1.
    pub fn wrap(text: &str, width: usize) -> Self {
        let limit = text.floor_char_boundary(text.len().min(u32::MAX as usize));
        let mut wrapper = Wrapper {
            text: text.get(..limit).unwrap_or_default(),
            width: width.max(1),
            starts: vec![0],
            row: 0,
            column: 0,
            break_at: 0,
            break_column: 0,
            previous: 0,
        };
        wrapper.run();
        let mut starts = wrapper.starts;
        starts.shrink_to_fit();
        Self { starts, end: text.len() }
    }

    /// How many rows; at least one, even for an empty text.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Never: even an empty text has a row.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// The bytes of a row, its newline or hanging blanks included; `None` past the last row.
    pub fn row(&self, index: usize) -> Option<Range<usize>> {
        let start = *self.starts.get(index)?;
        let end = self.starts.get(index + 1).map_or(self.end, |next| *next as usize);
        Some(start as usize..end)
    }

    /// The row that holds a byte; the last one for bytes past the end.
    pub fn row_of(&self, byte: usize) -> usize {
        self.starts.partition_point(|start| *start as usize <= byte).saturating_sub(1)
    }

    /// All rows in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Range<usize>> + ExactSizeIterator {
        let row = |index| self.row(index).unwrap_or(self.end..self.end);
        (0..self.len()).map(row)
    }
}

/// The state of the pass: always between two clusters.
struct Wrapper<'t> {
    text: &'t str,
    width: usize,
    starts: Vec<u32>,
    /// Where the row starts.
    row: usize,
    /// Cells of the row so far, hanging blanks included.
    column: usize,
    /// The last place where the row may break, or `row` if there is none yet.
    break_at: usize,
    /// `column` at `break_at`.
    break_column: usize,
    /// Class of the cluster before. At the start of a row it may be stale: a break there changes nothing.
    previous: u8,
}

impl<'t> Wrapper<'t> {
    /// Each of the ways takes at least one cluster or leaves it to the next one; the last takes any.
    fn run(&mut self) {
        let mut at = 0;
        while let Some(&byte) = self.text.as_bytes().get(at) {
            let start = at;
            if byte == b'\n' {
                at += 1;
                self.newline(at);
                continue;
            }
            if is_plain(byte) && self.byte(at + 1).is_some_and(is_plain) {
                at = self.ascii(at);
            }
            if at == start {
                at = self.simple(at);
            }
            if at == start {
                at = self.clusters(at);
            }
        }
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    /// Ends the row, at a newline's end.
    fn newline(&mut self, at: usize) {
        if at < self.text.len() {
            self.start_row(at, 0);
        }
    }

    /// Starts a row in which `column` cells are taken already.
    fn start_row(&mut self, at: usize, column: usize) {
        self.starts.push(at as u32);
        self.row = at;
        self.column = column;
        self.break_at = at;
        self.break_column = 0;
    }

    /// Takes one cluster, not a newline.
    #[inline]
    fn take(&mut self, cluster: Range<usize>, width: usize, class: u8) {
        if class & BLANK != 0 {
            self.column = self.column.saturating_add(width);
            self.break_at = cluster.end;
            self.break_column = self.column;
            self.previous = class;
            return;
        }
        self.allow_break(cluster.start, class);
        while self.column.saturating_add(width) > self.width && cluster.start > self.row {
            self.overflow(cluster.start);
        }
        self.column = self.column.saturating_add(width);
        self.previous = class;
    }

    /// Ends the row at its last break, else by a cut at `at`. Nothing behind a break is a tab, so its width
    /// stays.
    fn overflow(&mut self, at: usize) {
        if self.break_at > self.row {
            self.start_row(self.break_at, self.column - self.break_column);
        } else {
            self.start_row(at, 0);
        }
    }

    /// Notes that the row may break before the cluster at `at`, if its class and the one before allow that.
    #[inline]
    fn allow_break(&mut self, at: usize, class: u8) {
        let beside = (self.previous | class) & EAST_ASIAN != 0;
        let hyphen = self.previous & HYPHEN != 0;
        if !beside && !hyphen {
            return;
        }
        let allowed = class & CLOSE == 0 && self.previous & OPEN == 0;
        if beside && allowed || hyphen && self.is_letter(at) && self.is_letter_before_hyphen(at) {
            self.break_at = at;
            self.break_column = self.column;
        }
    }

    fn is_letter(&self, at: usize) -> bool {
        self.text.get(at..).is_some_and(|rest| rest.starts_with(char::is_alphabetic))
    }

    /// Whether the character before the hyphen that ends at `at` is a letter.
    fn is_letter_before_hyphen(&self, at: usize) -> bool {
        let before = self.text.get(..at).map(|text| text.chars().rev().nth(1));
        before.flatten().is_some_and(char::is_alphabetic)
    }

    /// Fast way 1: a run of printable ASCII, row by row, by looking only at the end of each row.
    ///
    /// Sound because each byte is a cluster of one cell: nothing joins two ASCII characters but CR LF. The
    /// last byte may be the base of a longer cluster, so it is left to the other ways if a byte of another
    /// script follows; otherwise the byte that overflows the row needs at least its one cell, so the row ends
    /// before it all the same.
    fn ascii(&mut self, mut at: usize) -> usize {
        loop {
            let room = self.width.saturating_sub(self.column);
            let window = self.window(at, room);
            let (Some(&first), Some(&last)) = (window.first(), window.last()) else {
                return at;
            };
            if first != b' ' {
                self.allow_break(at, line_class(first.into()));
            }
            let last_break = self.last_break(at, window);
            let run = window.len();
            if run <= room || last == b' ' {
                if let Some(offset) = last_break {
                    self.break_at = at + offset;
                    self.break_column = self.column + offset;
                }
                self.column += run;
                self.previous = line_class(last.into());
                return at + run;
            }
            match last_break {
                None if self.break_at > self.row => self.overflow(at),
                _ => {
                    at += last_break.unwrap_or(room);
                    self.start_row(at, 0);
                }
            }
        }
    }

    /// The printable ASCII from `at` that is surely made of clusters of one byte, up to the first that
    /// overflows.
    fn window(&self, at: usize, room: usize) -> &'t [u8] {
        let rest = self.text.as_bytes().get(at..).unwrap_or_default();
        let reach = rest.len().min(room.saturating_add(1));
        let mut run = plain_run(rest.get(..reach).unwrap_or_default());
        if rest.get(run).is_some_and(|next| !next.is_ascii()) {
            run = run.saturating_sub(1);
        }
        rest.get(..run).unwrap_or_default()
    }

    /// The last place inside a window, or at its end after a blank, where the row may break.
    fn last_break(&self, at: usize, window: &[u8]) -> Option<usize> {
        let mut head = window;
        while let Some(index) = head.iter().rposition(|byte| matches!(byte, b' ' | b'-')) {
            let is_blank = head.get(index) == Some(&b' ');
            let before_letter = || window.get(index + 1).is_some_and(u8::is_ascii_alphabetic);
            if is_blank || before_letter() && self.is_letter_before_hyphen(at + index + 1) {
                return Some(index + 1);
            }
            head = head.get(..index).unwrap_or_default();
        }
        None
    }

    /// Fast way 2: simple characters with their marks, by the table of classes.
    ///
    /// Sound because no rule of UAX 29 joins two simple characters (they are of the classes Other,
    /// `Extended_Pictographic` and Hangul LV or LVT, which only join through marks, joiners, conjoining signs
    /// or letters that are not simple), nor anything to a newline; and marks join what is before them and add
    /// their own width. Where another character follows, the cluster is left to the slow way.
    fn simple(&mut self, mut at: usize) -> usize {
        let mut chars = self.text.get(at..).unwrap_or_default().chars();
        let Some(mut c) = chars.next() else {
            return at;
        };
        let mut kind = line_class(c);
        while is_simple(kind) {
            let mut width = usize::from(kind & WIDTH);
            let mut end = at + c.len_utf8();
            let mut next = chars.next();
            let mut next_kind = next.map_or(WIDTH, line_class);
            while next_kind & MARK != 0 {
                end += next.map_or(0, char::len_utf8);
                width += usize::from(next_kind & WIDTH);
                kind &= !(BLANK | HYPHEN);
                next = chars.next();
                next_kind = next.map_or(WIDTH, line_class);
            }
            if !is_simple(next_kind) && next != Some('\n') {
                return at;
            }
            self.take(at..end, width, kind);
            at = end;
            match next {
                Some(next) if !(c.is_ascii() && next.is_ascii()) => c = next,
                _ => return at,
            }
            kind = next_kind;
        }
        at
    }

    /// The slow way, for any text: cluster by cluster, until two characters are simple.
    ///
    /// Sound to start anew here because `start` is a boundary, and the rules never look behind the cluster at
    /// hand.
    fn clusters(&mut self, start: usize) -> usize {
        let rest = self.text.get(start..).unwrap_or_default();
        let mut at = start;
        for cluster in rest.graphemes(true) {
            let end = at + cluster.len();
            if matches!(cluster, "\n" | "\r\n") {
                self.newline(end);
            } else {
                let width = cluster_width(cluster, self.column);
                self.take(at..end, width, class_of(cluster));
            }
            at = end;
            if self.simple_begins(at) {
                break;
            }
        }
        at
    }

    /// Whether a simple cluster begins at `at`, as far as two characters show.
    fn simple_begins(&self, at: usize) -> bool {
        let mut classes = self.text.get(at..).unwrap_or_default().chars().map(line_class);
        classes.next().is_some_and(is_simple)
            && classes.next().is_some_and(|class| class & (WIDTH | MARK) != 0)
    }
}

/// The break class of a cluster: that of its first character, but a blank or hyphen with marks is neither.
fn class_of(cluster: &str) -> u8 {
    let mut chars = cluster.chars();
    let first = chars.next().map_or(0, line_class);
    if chars.as_str().is_empty() { first } else { first & !(BLANK | HYPHEN) }
}

fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~')
}

/// How many bytes at the start are printable ASCII. Whole blocks are checked without branches, as vectors.
fn plain_run(bytes: &[u8]) -> usize {
    let is_plain_block = |block: &&[u8]| block.iter().fold(true, |plain, byte| plain & is_plain(*byte));
    let run = bytes.chunks_exact(BLOCK_BYTES).take_while(is_plain_block).count() * BLOCK_BYTES;
    let rest = bytes.get(run..).unwrap_or_default();
    run + rest.iter().take_while(|byte| is_plain(**byte)).count()
}

/// Bytes that are checked at once.
const BLOCK_BYTES: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;

    /// The rows of `text` at `width`, to be read like a screen.
    #[track_caller]
    fn check(text: &str, width: usize, rows: &[&str]) {
        let found: Vec<&str> = Rows::wrap(text, width).iter().map(|row| text.get(row).unwrap()).collect();
        assert_eq!(found, rows);
    }

    #[test]
    fn words() {
        check("", 5, &[""]);
        check("one two three", 7, &["one two ", "three"]);
        check("one two   three", 7, &["one two   ", "three"]);
        check("a longerword b", 5, &["a ", "longe", "rword ", "b"]);
        check("  x", 2, &["  ", "x"]);
        check("ab\u{a0}cd e", 4, &["ab\u{a0}c", "d e"]);
        check("naïve café", 6, &["naïve ", "café"]);
        check("cafe \u{301}x y", 4, &["cafe", " \u{301}x y"]);
    }

    #[test]
    fn newlines() {
        check("a\nb", 5, &["a\n", "b"]);
        check("a\n", 5, &["a\n"]);
        check("\n\n", 5, &["\n", "\n"]);
        check("ab\r\ncd", 2, &["ab\r\n", "cd"]);
        check("é\r\n\r\né", 2, &["é\r\n", "\r\n", "é"]);
        check("ab\rcd", 3, &["ab\r", "cd"]);
        check("ab  \ncd", 2, &["ab  \n", "cd"]);
    }

    #[test]
    fn hyphens() {
        check("a well-known", 7, &["a well-", "known"]);
        check("in 2024-25", 8, &["in ", "2024-25"]);
        check("été–été", 5, &["été–", "été"]);
        check("option --flag", 8, &["option ", "--flag"]);
        check("word—word", 6, &["word—", "word"]);
    }

    #[test]
    fn east_asian() {
        check("中文字", 4, &["中文", "字"]);
        check("中文。字", 4, &["中", "文。", "字"]);
        check("文「字」", 4, &["文", "「字", "」"]);
        check("ab中cd", 3, &["ab", "中", "cd"]);
        check("中(ab)", 3, &["中", "(ab", ")"]);
        check("漢字word", 6, &["漢字", "word"]);
        check("한글 한", 3, &["한", "글 ", "한"]);
        check("か\u{3099}き", 2, &["か\u{3099}", "き"]);
    }

    #[test]
    fn widths() {
        check("中a", 1, &["中", "a"]);
        check("👩\u{200d}🔬👩\u{200d}🔬", 3, &["👩\u{200d}🔬", "👩\u{200d}🔬"]);
        check("a\tbc", 5, &["a\t", "bc"]);
        check("\ta\tb", 9, &["\ta\tb"]);
        check("a\u{200b}b", 8, &["a", "\u{200b}", "b"]);
        check("abc", 0, &["a", "b", "c"]);
        check("हिन्दी में", 3, &["हि", "न्दी ", "में"]);
    }

    #[test]
    fn lookups() {
        let rows = Rows::wrap("one two\nthree", 4);
        assert_eq!((rows.len(), rows.is_empty()), (4, false));
        assert_eq!([rows.row(0), rows.row(3), rows.row(4)], [Some(0..4), Some(12..13), None]);
        assert_eq!([0, 3, 4, 7, 8, 12, 13, 99].map(|byte| rows.row_of(byte)), [0, 0, 1, 1, 2, 3, 3, 3]);
        assert_eq!(rows.iter().rev().map(|row| row.start).collect::<Vec<_>>(), [12, 8, 4, 0]);
        assert_eq!(rows, Rows::wrap("one two\nthree", 4));
    }
}
