//! Finding quotes in the answer: exactly, with white space folded, or by the beginning of a shortened one.

use std::collections::HashMap;
use std::ops::Range;

use memchr::memmem;

use super::ends::Ends;

/// Occurrences of a quote that are counted.
const OCCURRENCE_LIMIT: u32 = 100;

/// Where a quote was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    /// The nearest occurrence.
    pub range: Range<usize>,
    /// How many there are, to 100.
    pub count: u32,
    /// Only the beginning of a shortened quote; the end of the range is that of the beginning.
    pub elided: bool,
}

/// Occurrences of quotes in one answer, remembered by quote.
pub(super) struct Occurrences<'a> {
    answer: &'a str,
    folded: Option<Folded>,
    known: HashMap<String, (Vec<Range<usize>>, bool)>,
    /// Which ends of quotes occur in the folded answer, where many quotes are looked for.
    ends: Option<Ends>,
}

/// The answer with each run of white space as one blank, and the byte each of its bytes came from.
struct Folded {
    text: String,
    from: Vec<u32>,
}

/// Whether a quote was shortened at its end.
fn is_elided(quote: &str) -> bool {
    let quote = quote.trim_end();
    quote.ends_with('…') || quote.ends_with("...")
}

impl<'a> Occurrences<'a> {
    pub fn of(answer: &'a str) -> Self {
        Self { answer, folded: None, known: HashMap::new(), ends: None }
    }

    /// Prepares for many quotes: a few passes over the answer find which of them cannot occur.
    pub fn expect<'q>(&mut self, quotes: impl Iterator<Item = &'q str>) {
        let folded = self.folded.get_or_insert_with(|| fold(self.answer));
        self.ends = Some(Ends::of(quotes.map(needle), &folded.text));
    }

    /// The occurrence nearest to `near`.
    pub fn find(&mut self, quote: &str, near: usize) -> Option<Found> {
        if !self.known.contains_key(quote) {
            let found = self.search(quote);
            self.known.insert(quote.to_owned(), found);
        }
        let (ranges, elided) = self.known.get(quote)?;
        let nearest = ranges.iter().min_by_key(|range| range.start.abs_diff(near))?.clone();
        // Of a quote that occurs more often than is counted, the nearest may not be among those known.
        let range =
            if ranges.len() < OCCURRENCE_LIMIT as usize { nearest } else { self.around(&nearest, near) };
        Some(Found { range, count: ranges.len() as u32, elided: *elided })
    }

    /// The occurrence of the same words nearest to a place.
    fn around(&self, known: &Range<usize>, near: usize) -> Range<usize> {
        let needle = self.answer.get(known.clone()).unwrap_or_default();
        let near = self.answer.floor_char_boundary(near);
        let upto = self.answer.ceil_char_boundary(near.saturating_add(needle.len()).min(self.answer.len()));
        let behind = self.answer.get(near..).and_then(|rest| rest.find(needle)).map(|at| near + at);
        let ahead = self.answer.get(..upto).and_then(|rest| rest.rfind(needle));
        let nearest =
            ahead.into_iter().chain(behind).chain([known.start]).min_by_key(|start| start.abs_diff(near));
        nearest.map_or(known.clone(), |start| start..start + needle.len())
    }

    fn search(&mut self, quote: &str) -> (Vec<Range<usize>>, bool) {
        if self.ends.as_ref().is_some_and(|ends| !ends.may_hold(&needle(quote))) {
            return (Vec::new(), false);
        }
        let exact = occurrences(self.answer, quote);
        if !exact.is_empty() {
            return (exact, false);
        }
        let folded = self.search_folded(quote);
        if !folded.is_empty() || !is_elided(quote) {
            return (folded, false);
        }
        let beginning = quote.trim_end().trim_end_matches(['…', '.']).trim_end();
        // A beginning of fewer than four characters says too little.
        if beginning.chars().count() < 4 {
            return (Vec::new(), true);
        }
        let exact = occurrences(self.answer, beginning);
        (if exact.is_empty() { self.search_folded(beginning) } else { exact }, true)
    }

    fn search_folded(&mut self, quote: &str) -> Vec<Range<usize>> {
        let needle = fold(quote.trim()).text;
        if needle.is_empty() {
            return Vec::new();
        }
        let folded = self.folded.get_or_insert_with(|| fold(self.answer));
        let original = |at: usize| folded.from.get(at).map_or(self.answer.len(), |&byte| byte as usize);
        let map = |range: Range<usize>| {
            let last = self.answer.ceil_char_boundary(original(range.end.saturating_sub(1)) + 1);
            original(range.start)..last
        };
        occurrences(&folded.text, &needle).into_iter().map(map).collect()
    }
}

/// What of a quote has to stand in the folded answer, wherever it is found.
fn needle(quote: &str) -> String {
    let mut folded = fold(quote.trim()).text;
    if is_elided(quote) {
        folded.truncate(folded.trim_end_matches(['…', '.']).trim_end().len());
    }
    folded
}

fn occurrences(text: &str, needle: &str) -> Vec<Range<usize>> {
    let hits = memmem::find_iter(text.as_bytes(), needle.as_bytes());
    hits.take(OCCURRENCE_LIMIT as usize).map(|at| at..at + needle.len()).collect()
}

fn fold(text: &str) -> Folded {
    let mut out = Folded { text: String::with_capacity(text.len()), from: Vec::with_capacity(text.len()) };
    for (at, c) in text.char_indices() {
        if c.is_whitespace() {
            if !out.text.ends_with(' ') {
                out.text.push(' ');
                out.from.push(at as u32);
            }
        } else {
            out.text.push(c);
            out.from.extend((at..at + c.len_utf8()).map(|byte| byte as u32));
        }
    }
    out
}

/// The last sentence end after `start` and not past `limit`, else the first one past it, else the end of the
/// text.
pub fn sentence_end(ends: &[usize], start: usize, limit: usize, length: usize) -> usize {
    let past = ends.partition_point(|&end| end <= limit);
    let last = past.checked_sub(1).and_then(|last| ends.get(last)).copied().filter(|&end| end > start);
    last.or_else(|| ends.get(past).copied()).unwrap_or(length)
}
