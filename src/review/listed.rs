//! The list of sources that an answer ends with where its own text numbers them: its entries claim nothing.

use std::collections::HashSet;
use std::ops::Range;

use crate::anchor::Anchor;
use crate::format::listed_sources;
use crate::model::{AnchorKind, Response, Source};
use crate::text::merge_ranges;

/// The lines of the answer that are entries of that list: a number, and the address or title that has it.
pub(super) fn listed(response: &Response, anchors: &[Anchor]) -> Vec<Range<usize>> {
    if !response.supports.iter().any(|support| support.kind == AnchorKind::TextMarker) {
        return Vec::new();
    }
    let named = |source: &'_ Source| {
        let name = source.uri.as_deref().or(source.title.as_deref())?;
        Some((source.number.as_deref()?.parse::<u32>().ok()?, name.to_owned()))
    };
    let known: HashSet<(u32, String)> = response.sources.iter().filter_map(named).collect();
    // A line that holds a claim or its mark is no entry, whatever it begins with.
    let places = anchors.iter().flat_map(|anchor| anchor.range.iter().chain(&anchor.mark)).cloned();
    let claimed = merge_ranges(places.collect());
    let is_free = |line: &Range<usize>| {
        let next = claimed.get(claimed.partition_point(|place| place.end <= line.start));
        next.is_none_or(|place| place.start >= line.end)
    };
    let entries = listed_sources(response.text());
    let own = entries
        .filter(|(number, name, line)| known.contains(&(*number, (*name).to_owned())) && is_free(line));
    merge_ranges(own.map(|(.., line)| line).collect())
}
