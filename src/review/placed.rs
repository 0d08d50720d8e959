//! A response with its supports placed, and what follows from where they lie: spans, coverage, votes of the
//! units.

use std::ops::Range;
use std::sync::OnceLock;

use super::listed::listed;
use crate::anchor::{self, Anchor, Anchored, Fit, Mark, Units};
use crate::format::announced_sources;
use crate::model::{Origin, Response};
use crate::text::merge_ranges;

/// A response with its supports placed.
pub struct Placed {
    /// The response as sent.
    pub response: Response,
    /// Parallel to its supports.
    pub(super) anchors: Vec<Anchor>,
    /// How they fit.
    pub fit: Fit,
    /// Selectable spans: ranges of the answer with the supports that share them, by start, longest first;
    /// supports without a place come last, one by one.
    pub spans: Vec<Span>,
    /// Supports in the order of the spans.
    order: Vec<usize>,
    /// For each support its span.
    span_of: Vec<usize>,
    /// Running maximum of the ends of the spans, to find what overlaps a place.
    furthest: Vec<usize>,
    /// For each source the supports that cite it.
    pub(super) cited_by: Vec<Vec<usize>>,
    coverage: OnceLock<Option<f64>>,
    listed: OnceLock<Vec<Range<usize>>>,
    claims: OnceLock<(String, Vec<Range<usize>>)>,
    votes: OnceLock<Option<[usize; 3]>>,
    marks: OnceLock<Vec<Mark>>,
}

/// Supports of one range, selected together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// Bytes of the answer.
    pub range: Option<Range<usize>>,
    /// Where its supports begin in the order of the spans.
    first: usize,
}

impl Placed {
    /// Places the supports; `answer` is used where the response carries no text.
    pub fn new(mut response: Response, answer: Option<&str>) -> Self {
        if response.answer.is_none()
            && let Some(text) = answer
        {
            response.answer = Some(text.to_owned());
            response.parts = vec![crate::model::Part::Text(0..text.len())];
        }
        let Anchored { anchors, fit } = anchor::anchor(&response);
        let mut cited_by = vec![Vec::new(); response.sources.len()];
        for (index, support) in response.supports.iter().enumerate() {
            for source in support.citations.iter().filter_map(|citation| citation.target.source()) {
                if let Some(list) =
                    cited_by.get_mut(source).filter(|list: &&mut Vec<usize>| list.last() != Some(&index))
                {
                    if list.is_empty() {
                        // Most are cited once, and a list makes room for four.
                        list.reserve_exact(1);
                    }
                    list.push(index);
                }
            }
        }
        let (spans, order) = spans(&anchors);
        let end = |most: &mut usize, span: &Span| {
            *most = span.range.as_ref().map_or(*most, |range| range.end.max(*most));
            Some(*most)
        };
        let furthest = spans.iter().scan(0, end).collect();
        let mut span_of = vec![0; order.len()];
        for (number, span) in spans.iter().enumerate() {
            let next = spans.get(number + 1).map_or(order.len(), |next| next.first);
            for &support in order.get(span.first..next).unwrap_or_default() {
                if let Some(slot) = span_of.get_mut(support) {
                    *slot = number;
                }
            }
        }
        Self {
            response,
            anchors,
            fit,
            spans,
            order,
            span_of,
            furthest,
            cited_by,
            coverage: OnceLock::new(),
            listed: OnceLock::new(),
            claims: OnceLock::new(),
            votes: OnceLock::new(),
            marks: OnceLock::new(),
        }
    }

    /// Where the response carries no answer text: the quotes of its spans, a line each, with the range of
    /// each.
    pub fn claims(&self) -> &(String, Vec<Range<usize>>) {
        self.claims.get_or_init(|| {
            let mut out = (String::new(), Vec::with_capacity(self.spans.len()));
            for span in 0..self.spans.len() {
                let support =
                    self.supports_of(span).first().and_then(|&support| self.response.supports.get(support));
                let quote = support
                    .and_then(|support| support.segment.as_ref()?.quote.as_deref())
                    .unwrap_or("(no quote)");
                if span > 0 {
                    out.0.push('\n');
                }
                let start = out.0.len();
                out.0.push_str(quote);
                out.1.push(start..out.0.len());
            }
            out
        })
    }

    /// Spans that overlap a stretch of the answer, in order.
    pub fn overlapping(&self, stretch: &Range<usize>) -> Vec<usize> {
        let before = self
            .spans
            .partition_point(|span| span.range.as_ref().is_some_and(|range| range.start < stretch.end));
        let near = (0..before)
            .rev()
            .take_while(|&index| self.furthest.get(index).is_some_and(|&end| end > stretch.start));
        let hits = |&index: &usize| {
            self.spans
                .get(index)
                .and_then(|span| span.range.as_ref())
                .is_some_and(|range| range.end > stretch.start)
        };
        let mut found: Vec<usize> = near.filter(hits).collect();
        found.reverse();
        found
    }

    /// Share of the answer's bytes that rest on a source, blanks left out; `None` for an empty answer.
    pub fn coverage(&self) -> Option<f64> {
        *self.coverage.get_or_init(|| coverage(&self.response, &self.anchors, self.listed()))
    }

    /// Lines of the answer that are its own list of sources, in order.
    pub fn listed(&self) -> &[Range<usize>] {
        self.listed.get_or_init(|| listed(&self.response, &self.anchors))
    }

    /// What the answer itself numbers as its sources: number, address and line.
    pub fn numbered(&self) -> impl Iterator<Item = (u32, &str, Range<usize>)> {
        announced_sources(self.response.text())
    }

    /// What stands at the offsets of a support in the documented unit and base, cut to the answer; `None`
    /// where that is nothing.
    pub fn as_sent(&self, support: usize) -> Option<Range<usize>> {
        let segment = self.response.supports.get(support)?.segment.as_ref()?;
        anchor::read_as(&self.response, &self.units(), segment, self.response.unit).0
    }

    /// The units of the answer, which is gone through for them once.
    pub fn units(&self) -> Units<'_> {
        let text = self.response.text();
        Units::marked(text, self.marks.get_or_init(|| Units::marks(text)))
    }

    /// How many segments fit as bytes, as characters and as UTF-16 units; `None` where these are the same.
    pub fn votes(&self) -> Option<[usize; 3]> {
        *self.votes.get_or_init(|| (!self.response.text().is_ascii()).then(|| anchor::votes(&self.response)))
    }

    /// Supports of a span, in the order sent.
    pub fn supports_of(&self, span: usize) -> &[usize] {
        let first = |span: usize| self.spans.get(span).map_or(self.order.len(), |span| span.first);
        self.order.get(first(span)..first(span + 1)).unwrap_or_default()
    }

    /// The span that holds a support.
    pub fn span_of(&self, support: usize) -> Option<usize> {
        self.span_of.get(support).copied()
    }

    /// Where a support stands in the input.
    pub fn origin_of(&self, support: usize) -> Origin {
        self.response.supports.get(support).map(|support| support.origin.clone()).unwrap_or_default()
    }

    /// Sources that nothing cites.
    pub fn uncited(&self) -> impl Iterator<Item = usize> + '_ {
        self.cited_by.iter().enumerate().filter(|(_, supports)| supports.is_empty()).map(|(index, _)| index)
    }
}

/// Spans, and the supports in their order.
fn spans(anchors: &[Anchor]) -> (Vec<Span>, Vec<usize>) {
    let range = |index: usize| anchors.get(index).and_then(|anchor| anchor.range.clone());
    let mut order: Vec<usize> = (0..anchors.len()).collect();
    order.sort_by_key(|&index| {
        range(index).map_or((usize::MAX, 0, index), |range| (range.start, usize::MAX - range.end, index))
    });
    let mut spans: Vec<Span> = Vec::with_capacity(anchors.len());
    for (place, &index) in order.iter().enumerate() {
        let range = range(index);
        if range.is_none() || spans.last().is_none_or(|span| span.range != range) {
            spans.push(Span { range, first: place });
        }
    }
    (spans, order)
}

/// Bytes inside supports with a citation that resolves, over the bytes that are not blank and not declared as
/// needing no grounding.
fn coverage(response: &Response, anchors: &[Anchor], listed: &[Range<usize>]) -> Option<f64> {
    let text = response.answer.as_deref()?;
    let placed = || {
        response
            .supports
            .iter()
            .zip(anchors)
            .filter_map(|(support, anchor)| Some((support, anchor.range.clone()?)))
    };
    let solid = |range: &Range<usize>| text.get(range.clone()).map_or(0, solid_bytes);
    let covered =
        merge_ranges(placed().filter(|(support, _)| support.resolves()).map(|(_, range)| range).collect());
    let needless = placed().filter(|(support, _)| support.grade.check_required == Some(false));
    let marks = response.supports.iter().zip(anchors).filter(|(support, _)| support.is_inferred());
    let marks = marks.filter_map(|(_, anchor)| anchor.mark.clone());
    let needless = needless.map(|(_, range)| range);
    let exempt = merge_ranges(needless.chain(marks).chain(listed.iter().cloned()).collect());
    // What needs no grounding and what is no word of the answer is neither cited nor uncited.
    let bytes = |ranges: &[Range<usize>]| ranges.iter().map(solid).sum::<usize>();
    let whole = solid(&(0..text.len())).saturating_sub(bytes(&exempt));
    let cited = bytes(&covered) - bytes(&overlap(&exempt, &covered));
    (whole > 0).then(|| cited as f64 / whole as f64)
}

/// What two lists of ranges share; both ascending and without overlaps.
fn overlap(a: &[Range<usize>], b: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut shared = Vec::new();
    let (mut x, mut y) = (a.iter().peekable(), b.iter().peekable());
    while let (Some(left), Some(right)) = (x.peek(), y.peek()) {
        let both = left.start.max(right.start)..left.end.min(right.end);
        if left.end < right.end {
            x.next()
        } else {
            y.next()
        };
        if both.start < both.end {
            shared.push(both);
        }
    }
    shared
}

/// Bytes of a text that belong to no white space.
fn solid_bytes(text: &str) -> usize {
    let bytes = text.as_bytes();
    // A byte holds what is counted in so few, so that many are looked at at once.
    let count =
        |few: &[u8]| few.iter().map(|byte| u8::from(matches!(byte, b'\t'..=b'\r' | b' '))).sum::<u8>();
    let blanks: usize = bytes.chunks(usize::from(u8::MAX)).map(|few| usize::from(count(few))).sum();
    if text.is_ascii() {
        return bytes.len() - blanks;
    }
    // All other white space begins with one of these bytes.
    let may_be_wide = |(_, byte): &(usize, &u8)| matches!(byte, 0xC2 | 0xE1..=0xE3);
    let next = |(at, _): (usize, &u8)| text.get(at..)?.chars().next().filter(|c| c.is_whitespace());
    let wide = bytes.iter().enumerate().filter(may_be_wide).filter_map(next).map(char::len_utf8);
    bytes.len() - blanks - wide.sum::<usize>()
}
