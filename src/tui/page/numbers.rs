//! The numbers behind the claims, and what of the answer they take the place of.

use std::collections::HashSet;
use std::ops::Range;

use super::super::standing::{Standing, of_support};
use crate::check::Severity;
use crate::model::{AnchorKind, Proof, Response, Target};
use crate::review::Review;
use crate::text::{Clusters, merge_ranges};

/// Numbers that stand behind a claim at most; how many more there are is said.
const NUMBERS_MOST: usize = 6;

/// A number behind a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Number {
    /// The byte of the answer before which it stands.
    pub at: usize,
    /// The span it belongs to.
    pub span: usize,
    /// The source it stands for, where it stands for one.
    pub source: Option<usize>,
    /// What it says beside the number.
    pub says: Says,
    /// What is drawn: `[2]`, `[2!]` where the claim is in doubt, `[4→3?]` where another source fits better,
    /// `[9✗]` where there is none.
    pub text: String,
}

/// What a number says beside what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Says {
    /// Nothing.
    Nothing,
    /// The claim is in doubt.
    Doubt,
    /// Another source fits better, or there is none.
    Amiss,
}

/// Numbers in the order of their places, and the bytes of the answer that are not drawn.
#[derive(Debug, Default)]
pub struct Numbers {
    pub(super) list: Vec<Number>,
    hidden: Vec<Range<usize>>,
}

impl Numbers {
    /// The place of a number.
    pub(super) fn at(&self, index: usize) -> Option<usize> {
        self.list.get(index).map(|number| number.at)
    }

    /// What is hidden at or behind a byte, next.
    pub(super) fn hidden_from(&self, byte: usize) -> Option<Range<usize>> {
        self.hidden.get(self.hidden.partition_point(|range| range.end <= byte)).cloned()
    }
}

/// The numbers of a response whose spans lie in `text` at `ranges`; those of its own answer take the place of
/// the provider's marks.
pub fn numbers(
    review: &Review,
    text: &str,
    compare: bool,
    range: impl Fn(usize) -> Option<Range<usize>>,
) -> Numbers {
    let own = review.response.answer.is_some();
    let mut clusters = Clusters::of(text);
    let blamed = blamed(review);
    let mut list: Vec<Number> = Vec::new();
    let mut hidden = if own { crate::export::own_marks(review) } else { Vec::new() };
    for span in 0..review.spans.len() {
        let Some(range) = range(span) else { continue };
        if own && review.response.proof == Proof::Slots && crate::anchor::is_slot(text, range.end) {
            hidden.push(range.end.saturating_sub(1)..range.end);
        }
        let words = text.get(range.clone()).unwrap_or_default();
        let at = clusters.end(range.start + words.trim_end().len());
        of_span(review, span, at, compare, &blamed, &mut list);
    }
    list.sort_by_key(|number| number.at);
    // Claims that end at one place name a source once, in doubt where one of them is.
    let doubted = list.iter().filter(|number| number.says == Says::Doubt);
    let doubted: HashSet<(usize, usize)> =
        doubted.filter_map(|number| Some((number.at, number.source?))).collect();
    let mut here: (usize, HashSet<String>) = (0, HashSet::new());
    list.retain(|number| {
        if here.0 != number.at {
            here = (number.at, HashSet::new());
        }
        let doubted = number.source.is_some_and(|source| doubted.contains(&(number.at, source)));
        !(doubted && number.says == Says::Nothing) && here.1.insert(number.text.clone())
    });
    Numbers { list, hidden: merge_ranges(hidden) }
}

/// The numbers of a span by themselves.
pub fn numbers_of(review: &Review, span: usize, compare: bool) -> Vec<String> {
    let mut list = Vec::new();
    of_span(review, span, 0, compare, &blamed(review), &mut list);
    list.into_iter().map(|number| number.text).collect()
}

/// What warnings and errors say of a source that a support cites.
type Blamed = HashSet<(usize, usize)>;

fn blamed(review: &Review) -> Blamed {
    let told = review.structural_findings().iter().filter(|finding| finding.rule.severity < Severity::Note);
    // Of several claims and several sources it is not known which belong together.
    let told = told.filter(|finding| finding.supports.len() == 1 || finding.sources.len() == 1);
    let pairs = told.flat_map(|finding| {
        let of_support = |support: usize| finding.sources.iter().map(move |source| (support, *source));
        finding.supports.iter().take(BLAMED).flat_map(move |support| of_support(*support)).take(BLAMED)
    });
    pairs.collect()
}

/// Pairs of a finding that are kept.
const BLAMED: usize = 10_000;

fn of_span(review: &Review, span: usize, at: usize, compare: bool, blamed: &Blamed, list: &mut Vec<Number>) {
    let first = list.len();
    let mut left_out = 0;
    for support in review.of_span(span) {
        let own = list.len();
        let better = review.better_source(support.index).filter(|_| compare);
        for citation in &support.citations {
            let other = |source: usize| better.filter(|better| *better != source);
            let (source, says, text) = match &citation.target {
                Target::Source(source) => match other(*source) {
                    Some(other) => (Some(*source), Says::Amiss, format!("[{}→{}?]", source + 1, other + 1)),
                    None => (Some(*source), Says::Nothing, format!("[{}]", source + 1)),
                },
                Target::Tool(source) => (Some(*source), Says::Nothing, format!("[{}]", source + 1)),
                Target::Dangling(sent) => (None, Says::Amiss, dangling(sent, support.kind, &review.response)),
            };
            let known = list.get(first..).unwrap_or_default();
            if known.iter().any(|number| number.text == text) {
                continue;
            }
            if known.len() >= NUMBERS_MOST {
                left_out += 1;
                continue;
            }
            list.push(Number { at, span, source, says, text });
        }
        // One whose sources are all named already has its doubt behind the last of them.
        let own = if own < list.len() { own } else { first };
        let own = list.get_mut(own..).unwrap_or_default();
        let is_told = own.iter().any(|number| number.says != Says::Nothing);
        if is_told || of_support(review, support, compare) > Standing::Doubt {
            continue;
        }
        // What a finding says of some sources stands at theirs, else it is of all of them.
        let is_blamed =
            |number: &Number| number.source.is_some_and(|source| blamed.contains(&(support.index, source)));
        let any = own.iter().any(is_blamed);
        for number in own.iter_mut() {
            if !any || is_blamed(number) {
                number.says = Says::Doubt;
                number.text = number.text.replace(']', "!]");
            }
        }
    }
    if left_out > 0 {
        list.push(Number { at, span, source: None, says: Says::Nothing, text: format!("+{left_out}") });
    }
}

/// An index that names no source, as the number it would have; a number of the text, or one that is an id, as
/// it stands there; of another id only that there is none.
fn dangling(sent: &str, kind: AnchorKind, response: &Response) -> String {
    let first = i64::from(kind != AnchorKind::TextMarker && !response.refers_by_id());
    let number = sent.parse::<i64>().ok().and_then(|index| index.checked_add(first));
    number.filter(|number| *number > 0).map_or_else(|| "[✗]".to_owned(), |number| format!("[{number}✗]"))
}
