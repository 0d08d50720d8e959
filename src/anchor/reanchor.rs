//! Finding quotes in the answer: exactly, composed (NFC) and with white space folded, or by the beginning of
//! a shortened one.

use std::collections::{BTreeMap, HashMap};
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
    /// Of more than are counted: stretches without any, by where each begins.
    gaps: BTreeMap<usize, Gap>,
}

/// A stretch in which no occurrence begins, but where it begins itself: those before and behind it.
#[derive(Clone, Copy)]
struct Gap {
    ahead: Option<usize>,
    behind: Option<usize>,
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
        let Known { ranges, elided, gaps } = self.known.get_mut(quote)?;
        let nearest = ranges.iter().min_by_key(|range| range.start.abs_diff(near))?.clone();
        // Of a quote that occurs more often than is counted, the nearest may not be among those known.
        let all = ranges.len() < OCCURRENCE_LIMIT as usize;
        let range = if all { nearest } else { around(self.answer, &nearest, near, gaps) };
        Some(Found { range, count: ranges.len() as u32, elided: *elided })
    }

    fn search(&mut self, quote: &str) -> Known {
        if let Some(known) = self.look_up(quote) {
            return known;
        }
        let known = |ranges, elided| Known { ranges, elided, gaps: BTreeMap::new() };
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
        // None of them is kept: what occurs often may do so everywhere.
        let places = || {
            let holds = |at: &usize| folded.text.get(*at..).is_some_and(|rest| rest.starts_with(&needle));
            Some(ends.places(&needle)?.filter(holds))
        };
        let lead = quote.len() - quote.trim_start().len();
        let exact = |words: &str| {
            let there = |start: &usize| self.answer.get(*start..).is_some_and(|rest| rest.starts_with(words));
            let range = |start: usize| start..start + words.len();
            let ranges = if let Some(ends) = &self.sent_ends {
                counted(ends.places(words)?.filter(there).map(range))
            } else {
                let starts = places()?.filter_map(|at| folded.original(at, self.answer).checked_sub(lead));
                counted(starts.filter(there).map(range))
            };
            Some(Known { ranges, ..Known::default() })
        };
        let spread = |words: &str| {
            let there = |at: &usize| folded.text.get(*at..).is_some_and(|rest| rest.starts_with(words));
            let ranges = counted(places()?.filter(there).map(|at| at..at + words.len()));
            Some(ranges.into_iter().map(|range| folded.range(range, self.answer)).collect::<Vec<_>>())
        };
        let whole = exact(quote)?;
        if !whole.ranges.is_empty() {
            return Some(whole);
        }
        let ranges = spread(&fold(quote.trim()).text)?;
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
        Some(Known { ranges: spread(&needle)?, elided: true, ..Known::default() })
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

/// The occurrence of the same words nearest to a place. What was gone through once is not gone through again.
fn around(answer: &str, known: &Range<usize>, near: usize, gaps: &mut BTreeMap<usize, Gap>) -> Range<usize> {
    let needle = answer.get(known.clone()).unwrap_or_default().as_bytes();
    let near = near.min(answer.len());
    let before = gaps.range(..=near).next_back().map(|(_, gap)| *gap);
    let gap = before.filter(|gap| gap.behind.is_none_or(|behind| near < behind)).unwrap_or_else(|| {
        let upto = near.saturating_add(needle.len()).min(answer.len());
        let ahead = answer.as_bytes().get(..upto).and_then(|text| memmem::rfind(text, needle));
        if ahead == Some(near) {
            return Gap { ahead, behind: ahead };
        }
        let behind = answer.as_bytes().get(near..).and_then(|rest| memmem::find(rest, needle));
        let gap = Gap { ahead, behind: behind.map(|at| near + at) };
        gaps.insert(ahead.unwrap_or_default(), gap);
        gap
    });
    let nearest = [gap.ahead, gap.behind, Some(known.start)].into_iter().flatten();
    nearest
        .min_by_key(|start| start.abs_diff(near))
        .map_or(known.clone(), |start| start..start + needle.len())
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
