//! A text with marks in it, and the way back to the text without them.

use std::ops::Range;

/// What was put into a text at one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Insertion {
    /// Bytes of the text with marks.
    pub range: Range<usize>,
    /// What it took the place of: a blank that the service reserved for it, a mark; else empty.
    pub replaced: Box<str>,
    /// Bytes that the text has grown by, up to the end of this insertion.
    pub shift: isize,
    /// Links and footnotes in it.
    pub(super) links: usize,
}

impl Insertion {
    /// What stands in a text already.
    pub(super) fn of(range: Range<usize>) -> Self {
        Self { range, replaced: Box::default(), shift: 0, links: 0 }
    }
}

/// A text with marks in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Marked {
    /// The text.
    pub text: String,
    /// What was put in, in order.
    pub insertions: Vec<Insertion>,
}

impl Marked {
    /// The text without what was put in.
    pub fn original(&self) -> String {
        let mut out = String::with_capacity(self.text.len());
        let mut from = 0;
        for insertion in &self.insertions {
            out.push_str(self.text.get(from..insertion.range.start).unwrap_or_default());
            out.push_str(&insertion.replaced);
            from = insertion.range.end;
        }
        out.push_str(self.text.get(from..).unwrap_or_default());
        out
    }

    /// With the line ends of the text that the marks were put into, where those are CR LF.
    #[must_use]
    pub fn with_line_ends(self, answer: &str) -> Self {
        if !answer.contains("\r\n") {
            return self;
        }
        let mut ends = answer
            .match_indices('\n')
            .map(|(at, _)| answer.as_bytes().get(at.wrapping_sub(1)) == Some(&b'\r'));
        let mut out = Self { text: String::with_capacity(self.text.len() + 64), insertions: Vec::new() };
        let mut added = 0;
        let mut from = 0;
        let mut take = |out: &mut Self, piece: &str, own: bool| {
            for line in piece.split_inclusive('\n') {
                // What is put in has the line ends that the answer begins with.
                let carriage = line.ends_with('\n') && (own || ends.next().unwrap_or(true));
                let words = line.strip_suffix('\n').filter(|_| carriage);
                out.text.push_str(words.unwrap_or(line));
                out.text.push_str(if carriage { "\r\n" } else { "" });
            }
        };
        for insertion in self.insertions {
            take(&mut out, self.text.get(from..insertion.range.start).unwrap_or_default(), false);
            let start = out.text.len();
            take(&mut out, self.text.get(insertion.range.clone()).unwrap_or_default(), true);
            added += out.text.len() - start - insertion.range.len();
            let range = start..out.text.len();
            from = insertion.range.end;
            out.insertions.push(Insertion {
                range,
                shift: insertion.shift.saturating_add_unsigned(added),
                ..insertion
            });
        }
        take(&mut out, self.text.get(from..).unwrap_or_default(), false);
        out
    }

    /// Appends what is put in, piece by piece, in the place of what it replaces.
    pub(super) fn put(&mut self, pieces: &[&str], replaced: &str, links: usize) {
        let start = self.text.len();
        for piece in pieces {
            self.text.push_str(piece);
        }
        let range = start..self.text.len();
        let before = self.insertions.last().map_or(0, |last| last.shift);
        let shift = before.saturating_add_unsigned(range.len()).saturating_sub_unsigned(replaced.len());
        self.insertions.push(Insertion { range, replaced: replaced.into(), shift, links });
    }
}
