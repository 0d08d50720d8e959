//! Handles: a support, a citation or a source of a review, with all that is known of it.

use std::ops::{Deref, Range};

use super::comparison::Compared;
use super::complete::Review;
use crate::anchor::Anchor;
use crate::evidence::Backing;
use crate::model::{Citation, Segment, Source, Support, Target, Unit};

/// A support of a review.
#[derive(Clone, Copy)]
pub struct SupportRef<'r> {
    review: &'r Review,
    /// Its number, from 0.
    pub index: usize,
    support: &'r Support,
    anchor: &'r Anchor,
}

/// Where a support was sent and where it is shown, in one unit.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Places {
    /// The offsets sent, `0..85`; `?` for one that is no number.
    pub sent: String,
    /// The range that is shown; `None` where there is none.
    pub shown: Option<String>,
    /// Length of the answer.
    pub length: usize,
    /// What all of them count.
    pub unit: Unit,
}

/// A source of a review.
#[derive(Clone, Copy)]
pub struct SourceRef<'r> {
    review: &'r Review,
    /// Its number, from 0: the provider's index.
    pub index: usize,
    source: &'r Source,
}

impl Review {
    /// A support by its number.
    pub fn support(&self, index: usize) -> Option<SupportRef<'_>> {
        let support = self.response.supports.get(index)?;
        Some(SupportRef { review: self, index, support, anchor: self.anchors.get(index)? })
    }

    /// The supports, in the order sent.
    pub fn supports(&self) -> impl Iterator<Item = SupportRef<'_>> + Clone {
        let pairs = self.response.supports.iter().zip(&self.anchors).enumerate();
        pairs.map(|(index, (support, anchor))| SupportRef { review: self, index, support, anchor })
    }

    /// The supports of a span, in the order sent.
    pub fn of_span(&self, span: usize) -> impl Iterator<Item = SupportRef<'_>> + Clone {
        self.supports_of(span).iter().filter_map(|&index| self.support(index))
    }

    /// A source by its number.
    pub fn source(&self, index: usize) -> Option<SourceRef<'_>> {
        self.response.sources.get(index).map(|source| SourceRef { review: self, index, source })
    }

    /// The sources, under the provider's index.
    pub fn sources(&self) -> impl Iterator<Item = SourceRef<'_>> + Clone {
        self.response.sources.iter().enumerate().map(|(index, source)| SourceRef {
            review: self,
            index,
            source,
        })
    }
}

impl Deref for SupportRef<'_> {
    type Target = Support;

    fn deref(&self) -> &Support {
        self.support
    }
}

impl Deref for SourceRef<'_> {
    type Target = Source;

    fn deref(&self) -> &Source {
        self.source
    }
}

impl<'r> SupportRef<'r> {
    /// As sent.
    pub fn sent(self) -> &'r Support {
        self.support
    }

    /// Where it lies, and how that was found.
    pub fn anchor(self) -> &'r Anchor {
        self.anchor
    }

    /// Bytes of the answer; `None` where it has no place there.
    pub fn range(self) -> Option<Range<usize>> {
        self.anchor.range.clone()
    }

    /// Bytes of the answer that its segment names: its range, or the mark whose claim is inferred.
    pub fn named(self) -> Option<Range<usize>> {
        if self.support.is_inferred() { self.anchor.mark.clone() } else { self.range() }
    }

    /// Whether its mark is a link with a name: its label is words of the answer, and what names the source
    /// stands behind it.
    pub fn is_named_link(self) -> bool {
        let mark = self.anchor.mark.as_ref();
        mark.is_some_and(|mark| crate::anchor::is_named_link(self.review.text(), mark))
    }

    /// The quote that was sent with its segment.
    pub fn quote(self) -> Option<&'r str> {
        self.support.segment.as_ref()?.quote.as_deref()
    }

    /// Where it was sent, where it is shown and how long the answer is, all in the documented unit.
    pub fn places(self) -> Places {
        let unit = self.review.response.unit;
        let units = self.review.units();
        let count = |byte: usize| units.count(unit, byte);
        let segment = self.support.segment.as_ref();
        let words = |offset: Option<i64>| match offset {
            None if segment.is_some_and(|segment| segment.unreadable.is_some()) => "?".to_owned(),
            offset => offset.unwrap_or_default().to_string(),
        };
        let sent = |offset: fn(&Segment) -> Option<i64>| words(segment.and_then(offset));
        // A start of 0 may be left out; an end may not.
        let endless = segment.is_some_and(|segment| segment.end.is_none() && segment.unreadable.is_none());
        let end = if endless { "(not sent)".to_owned() } else { sent(|segment| segment.end) };
        Places {
            sent: format!("{}..{end}", sent(|segment| segment.start)),
            shown: self.named().map(|range| {
                // As it would have been sent.
                let end = count(range.end).saturating_sub(usize::from(self.review.response.inclusive));
                format!("{}..{end}", count(range.start))
            }),
            length: count(self.review.text().len()),
            unit,
        }
    }

    /// Its words: those of the answer in its range, else the quote sent; `None` where there is neither.
    pub fn words(self) -> Option<&'r str> {
        let range = self.range().and_then(|range| self.review.text().get(range));
        range.or_else(|| self.quote())
    }

    /// What came of comparing it with the passages of the sources it cites.
    pub fn evidence(self) -> Option<&'r Backing> {
        self.review.backing(self.index)
    }

    /// The same with the places of what was found and what was not.
    pub fn marks(self) -> Option<&'r Compared> {
        self.review.compared(self.index)
    }

    /// Its citations, each with the source it resolves to.
    pub fn citations(self) -> impl Iterator<Item = (&'r Citation, Option<SourceRef<'r>>)> {
        let source = move |citation: &'r Citation| {
            citation.target.source().and_then(|index| self.review.source(index))
        };
        self.support.citations.iter().map(move |citation| (citation, source(citation)))
    }

    /// The sources it cites, each once, in the order sent.
    pub fn sources(self) -> impl Iterator<Item = SourceRef<'r>> {
        self.support.cited().into_iter().filter_map(move |index| self.review.source(index))
    }

    /// Whether a citation of it names something that is not there.
    pub fn dangles(self) -> bool {
        self.citations.iter().any(|citation| matches!(citation.target, Target::Dangling(_)))
    }

    /// Whether it is shown elsewhere than it was sent.
    pub fn is_misfit(self) -> bool {
        self.anchor.verdict.is_misfit()
    }
}

impl<'r> SourceRef<'r> {
    /// As sent.
    pub fn sent(self) -> &'r Source {
        self.source
    }

    /// The supports that cite it, in the order sent.
    pub fn cited_by(self) -> impl Iterator<Item = SupportRef<'r>> {
        self.cited_by_numbers().iter().filter_map(move |&index| self.review.support(index))
    }

    /// The numbers of the supports that cite it, in the order sent.
    pub fn cited_by_numbers(self) -> &'r [usize] {
        self.review.cited_by.get(self.index).map_or(&[], Vec::as_slice)
    }

    /// Whether a support cites it.
    pub fn is_cited(self) -> bool {
        !self.cited_by_numbers().is_empty()
    }
}
