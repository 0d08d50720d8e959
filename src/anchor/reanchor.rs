//! Finding quotes in the answer: exactly, composed (NFC) and with white space folded, or by the beginning of
//! a shortened one.

use std::collections::HashMap;
use std::ops::Range;

use icu_normalizer::{ComposingNormalizer, ComposingNormalizerBorrowed};
use memchr::memmem;
use unicode_segmentation::UnicodeSegmentation;

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
    known: HashMap<String, Known>,
    /// Where the ends of quotes occur in the folded answer, where many quotes are looked for.
    ends: Option<Ends>,
    /// The same in the answer as it was sent, where it is not composed: a quote may begin and end within what
    /// is composed.
    sent_ends: Option<Ends>,
}

/// What is known of a quote.
#[derive(Default)]
struct Known {
    /// Its occurrences, as far as they are counted; two may overlap.
    ranges: Vec<Range<usize>>,
    /// Only its beginning was found.
    elided: bool,
    /// Where each of its occurrences begins, of more than are counted; empty where they have to be looked
    /// for.
    starts: Vec<usize>,
}

const NFC: ComposingNormalizerBorrowed<'static> = ComposingNormalizer::new_nfc();

/// The answer composed (NFC), with each run of white space as one blank, and the byte each of its bytes came
/// from.
struct Folded {
    text: String,
    from: Vec<u32>,
}

impl Folded {
    /// The byte of the answer that one came from.
    fn original(&self, at: usize, answer: &str) -> usize {
        self.from.get(at).map_or(answer.len(), |&byte| byte as usize)
    }

    /// Adds a character of the answer.
    fn push(&mut self, c: char, at: usize) {
        if !c.is_whitespace() {
            self.text.push(c);
            self.from.extend((at..at + c.len_utf8()).map(|byte| byte as u32));
        } else if !self.text.ends_with(' ') {
            self.text.push(' ');
            self.from.push(at as u32);
        }
    }

    fn range(&self, range: Range<usize>, answer: &str) -> Range<usize> {
        let last = answer.ceil_char_boundary(self.original(range.end.saturating_sub(1), answer) + 1);
        answer.floor_char_boundary(self.original(range.start, answer))..last
    }
}

/// Whether a quote was shortened at its end.
fn is_elided(quote: &str) -> bool {
    let quote = quote.trim_end();
    quote.ends_with('…') || quote.ends_with("...")
}

impl<'a> Occurrences<'a> {
    pub fn of(answer: &'a str) -> Self {
        Self { answer, folded: None, known: HashMap::new(), ends: None, sent_ends: None }
    }

    /// Prepares for many quotes: a few passes over the answer find which of them cannot occur.
    pub fn expect<'q>(&mut self, quotes: impl Iterator<Item = &'q str> + Clone) {
        if !NFC.is_normalized(self.answer) {
            let words = quotes.clone().flat_map(|quote| [Some(quote), beginning(quote)]).flatten();
            self.sent_ends = Some(Ends::of(words.map(str::to_owned), self.answer));
        }
        let folded = self.folded.get_or_insert_with(|| fold(self.answer));
        self.ends = Some(Ends::of(quotes.map(needle), &folded.text));
    }

    /// The occurrence nearest to `near`.
    pub fn find(&mut self, quote: &str, near: usize) -> Option<Found> {
        if !self.known.contains_key(quote) {
            let found = self.search(quote);
            self.known.insert(quote.to_owned(), found);
        }
        let Known { ranges, elided, starts } = self.known.get(quote)?;
        let nearest = ranges.iter().min_by_key(|range| range.start.abs_diff(near))?.clone();
        // Of a quote that occurs more often than is counted, the nearest may not be among those known.
        let range = match (ranges.len() < OCCURRENCE_LIMIT as usize, starts.is_empty()) {
            (true, _) => nearest,
            (false, true) => self.around(&nearest, near),
            (false, false) => {
                let next = starts.partition_point(|&start| start < near);
                let beside = starts.get(next.saturating_sub(1)..).unwrap_or_default().iter().take(2);
                let start = beside.copied().min_by_key(|start| start.abs_diff(near));
                start.map_or(nearest.clone(), |start| start..start + nearest.len())
            }
        };
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

    fn search(&mut self, quote: &str) -> Known {
        if let Some(known) = self.look_up(quote) {
            return known;
        }
        let known = |ranges, elided| Known { ranges, elided, starts: Vec::new() };
        let exact = occurrences(self.answer, quote);
        if !exact.is_empty() {
            return known(exact, false);
        }
        let folded = self.search_folded(quote);
        if !folded.is_empty() || !is_elided(quote) {
            return known(folded, false);
        }
        let Some(beginning) = beginning(quote) else { return known(Vec::new(), true) };
        let exact = occurrences(self.answer, beginning);
        known(if exact.is_empty() { self.search_folded(beginning) } else { exact }, true)
    }

    /// The same from the ends of quotes that were expected; `None` where they do not say.
    fn look_up(&self, quote: &str) -> Option<Known> {
        let (ends, folded) = self.ends.as_ref().zip(self.folded.as_ref())?;
        let needle = needle(quote);
        let holds = |at: &usize| folded.text.get(*at..).is_some_and(|rest| rest.starts_with(&needle));
        let places: Vec<usize> = ends.places(&needle)?.filter(holds).collect();
        let lead = quote.len() - quote.trim_start().len();
        let exact = |words: &str| {
            let there = |start: &usize| self.answer.get(*start..).is_some_and(|rest| rest.starts_with(words));
            let starts: Vec<usize> = if let Some(ends) = &self.sent_ends {
                ends.places(words)?.filter(there).collect()
            } else {
                let places = places.iter();
                let starts = places.filter_map(|&at| folded.original(at, self.answer).checked_sub(lead));
                starts.filter(there).collect()
            };
            let ranges = counted(starts.iter().map(|&start| start..start + words.len()));
            let starts = if ranges.len() < OCCURRENCE_LIMIT as usize { Vec::new() } else { starts };
            Some(Known { ranges, elided: false, starts })
        };
        let spread = |words: &str| {
            let there = |at: &usize| folded.text.get(*at..).is_some_and(|rest| rest.starts_with(words));
            let ranges = counted(places.iter().copied().filter(there).map(|at| at..at + words.len()));
            ranges.into_iter().map(|range| folded.range(range, self.answer)).collect::<Vec<_>>()
        };
        let whole = exact(quote)?;
        if !whole.ranges.is_empty() {
            return Some(whole);
        }
        let ranges = spread(&fold(quote.trim()).text);
        if !ranges.is_empty() || !is_elided(quote) {
            return Some(Known { ranges, ..Known::default() });
        }
        let Some(beginning) = beginning(quote) else {
            return Some(Known { elided: true, ..Known::default() });
        };
        let begun = exact(beginning)?;
        if !begun.ranges.is_empty() {
            return Some(Known { elided: true, ..begun });
        }
        Some(Known { ranges: spread(&needle), elided: true, starts: Vec::new() })
    }

    fn search_folded(&mut self, quote: &str) -> Vec<Range<usize>> {
        let needle = fold(quote.trim()).text;
        if needle.is_empty() {
            return Vec::new();
        }
        let folded = self.folded.get_or_insert_with(|| fold(self.answer));
        let found = occurrences(&folded.text, &needle);
        found.into_iter().map(|range| folded.range(range, self.answer)).collect()
    }
}

/// The beginning of a shortened quote; one of fewer than four characters says too little.
fn beginning(quote: &str) -> Option<&str> {
    let beginning = quote.trim_end().trim_end_matches(['…', '.']).trim_end();
    (beginning.chars().count() >= 4).then_some(beginning)
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
    counted(places_of(needle, text).map(|at| at..at + needle.len()))
}

/// As many as are counted.
fn counted(ranges: impl Iterator<Item = Range<usize>>) -> Vec<Range<usize>> {
    ranges.filter(|range| !range.is_empty()).take(OCCURRENCE_LIMIT as usize).collect()
}

/// Where words begin in a text, ascending; two occurrences may overlap (`go go` in `go go go`).
pub fn places_of(words: &str, text: &str) -> impl Iterator<Item = usize> {
    let (words, mut from) = (memmem::Finder::new(words), 0);
    std::iter::from_fn(move || {
        let at = from + words.find(text.as_bytes().get(from..)?)?;
        from = at + 1;
        Some(at)
    })
}

fn fold(text: &str) -> Folded {
    let mut out = Folded { text: String::with_capacity(text.len()), from: Vec::with_capacity(text.len()) };
    if NFC.is_normalized(text) {
        for (at, c) in text.char_indices() {
            out.push(c, at);
        }
        return out;
    }
    for (at, cluster) in text.grapheme_indices(true) {
        let composed = NFC.normalize(cluster);
        if composed == cluster {
            cluster.char_indices().for_each(|(inner, c)| out.push(c, at + inner));
            continue;
        }
        let single = cluster.chars().nth(1).is_none();
        if let Some(c) = composed.chars().next().filter(|c| single && c.is_whitespace()) {
            out.push(c, at);
            continue;
        }
        out.text.push_str(&composed);
        // The last byte stands for the end of the cluster, unless it is the first as well.
        let last = if composed.len() == 1 { at } else { at + cluster.len() - 1 };
        out.from.extend((1..composed.len()).map(|_| at as u32));
        out.from.push(last as u32);
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Found by fuzzing: among many quotes such a one was the whole cluster, so that a repaired response was
    /// repaired once more.
    #[test]
    fn a_quote_within_a_cluster_is_found_however_many_are_looked_for() {
        let (answer, quote) = ("%\u{36a}\u{32a}\u{34f}", "\u{36a}\u{32a}\u{34f}");
        let found = Some(Found { range: 1..7, count: 1, elided: false });
        assert_eq!(Occurrences::of(answer).find(quote, 0), found);
        let mut expecting = Occurrences::of(answer);
        expecting.expect([quote].into_iter());
        assert_eq!(expecting.find(quote, 0), found);
    }

    proptest! {
        #[test]
        fn what_is_expected_is_found_as_what_is_not(
            answer in "[ae \u{301}\u{32a}\u{36a}\u{e9}\n.]{0,40}",
            pieces in prop::collection::vec((0usize..60, 1usize..20, "(|x|…| …|\u{301}| )"), 1..6),
        ) {
            let piece = |(from, length, end): &(usize, usize, String)| {
                let from = answer.floor_char_boundary(*from);
                let to = answer.floor_char_boundary((from + length).min(answer.len()));
                format!("{}{end}", answer.get(from..to).unwrap_or_default())
            };
            let quotes: Vec<String> = pieces.iter().map(piece).filter(|quote| !quote.is_empty()).collect();
            let mut expecting = Occurrences::of(&answer);
            expecting.expect(quotes.iter().map(String::as_str));
            for quote in &quotes {
                prop_assert_eq!(expecting.find(quote, 7), Occurrences::of(&answer).find(quote, 7));
            }
        }
    }
}
