//! Text that is safe to show, and where the bytes of the original stand in it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use crate::text::{Clusters, merge_ranges, sanitize};

/// An answer as it may be shown, and where the bytes that were asked for stand in it.
pub struct Safe {
    /// The text, with stand-ins for what must not reach a terminal or a file.
    pub text: String,
    places: Option<BTreeMap<usize, usize>>,
}

impl Safe {
    /// Ranges of an answer as ranges of its safe text; those that touch become one.
    pub fn ranges(answer: &str, ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
        let mut clusters = Clusters::of(answer);
        let whole = |range: Range<usize>| clusters.end(range.start)..clusters.end(range.end);
        let ranges = merge_ranges(ranges.into_iter().map(whole).collect());
        let safe = Self::new(answer, ranges.iter().flat_map(|range| [range.start, range.end]).collect());
        ranges.iter().map(|range| safe.place(range.start)..safe.place(range.end)).collect()
    }

    /// Makes an answer safe; `ends` are the bytes that [`Safe::place`] is asked for later.
    pub fn new(answer: &str, mut ends: Vec<usize>) -> Self {
        if let Cow::Borrowed(same) = sanitize(answer) {
            return Self { text: same.to_owned(), places: None };
        }
        ends.push(answer.len());
        ends.sort_unstable();
        ends.dedup();
        let mut out = Self { text: String::with_capacity(answer.len()), places: Some(BTreeMap::new()) };
        let mut from = 0;
        for end in ends {
            out.text.push_str(&sanitize(answer.get(from..end).unwrap_or_default()));
            if let Some(places) = &mut out.places {
                places.insert(end, out.text.len());
            }
            from = end;
        }
        out
    }

    /// Where a byte of the answer stands in the text: one of those given to [`Safe::new`].
    pub fn place(&self, at: usize) -> usize {
        self.places.as_ref().map_or(at, |places| places.get(&at).copied().unwrap_or(at))
    }
}
