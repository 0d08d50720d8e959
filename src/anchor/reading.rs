//! A reading: the unit, base, end and shift in which offsets are understood.

use std::ops::Range;

use super::units::{Miss, Units};
use crate::model::{AnchorKind, Part, Proof, Response, Segment, Unit, words};
use crate::text::is_clause_stop;

words! {
    /// What offsets count over.
    #[derive(Default)]
    #[non_exhaustive]
    pub enum Base {
        /// The answer: all text parts without thoughts, joined.
        #[default]
        Answer = "answer",
        /// The part that the segment names.
        Part = "part",
        /// The text parts with the thoughts between them.
        WithThoughts = "with-thoughts",
    }
}

/// How offsets are understood. Ends are exclusive and nothing is shifted in a documented reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reading {
    /// Unit.
    pub unit: Unit,
    /// Base.
    pub base: Base,
    /// Whether the end is the last unit of the segment instead of the first after it.
    pub inclusive: bool,
    /// Sent less right, in the unit.
    pub shift: i64,
}

impl Reading {
    /// As the format of a response documents it.
    pub fn documented(response: &Response) -> Self {
        Self { unit: response.unit, inclusive: response.inclusive, ..Self::default() }
    }
}

/// How the supports of a response fit as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Fit {
    /// The reading.
    pub reading: Reading,
    /// Supports that fit in it.
    pub fitting: usize,
    /// Supports that fit in the documented reading.
    pub documented: usize,
    /// Supports with a segment.
    pub of: usize,
    /// What proves it.
    pub proof: FitProof,
}

words! {
    /// What a fit rests on.
    #[derive(Default)]
    #[non_exhaustive]
    pub enum FitProof {
        /// Quotes sent with the segments.
        Quotes = "quotes",
        /// The segments are marks that name their sources.
        Markers = "markers",
        /// Blanks reserved before punctuation, or points before it.
        Slots = "slots",
        /// No offsets were sent: blocks, the order of the content, or marks in the text are the places.
        Structure = "structure",
        /// Where the ends of the segments fall: at ends of sentences, between words, inside of them.
        Boundaries = "boundaries",
        /// Nothing: no answer text, no quotes.
        #[default]
        None = "none",
    }
}

impl Fit {
    /// The documented reading, with nothing counted yet.
    pub(super) fn untested(response: &Response) -> Self {
        let supports = || response.supports.iter();
        let with_offsets = || supports().filter(|support| support.segment.is_some());
        let of_kind = |kind| with_offsets().any(|support| support.kind == kind);
        let quoted =
            with_offsets().any(|support| support.segment.as_ref().is_some_and(|s| s.quote.is_some()));
        let proof = match () {
            () if response.answer.is_none() => FitProof::None,
            () if response.proof == Proof::Slots => FitProof::Slots,
            () if quoted => FitProof::Quotes,
            () if of_kind(AnchorKind::Marker) => FitProof::Markers,
            () if of_kind(AnchorKind::Point) => FitProof::Slots,
            () if with_offsets().next().is_none()
                && supports().any(|support| support.kind != AnchorKind::Span) =>
            {
                FitProof::Structure
            }
            () => FitProof::None,
        };
        Self { reading: Reading::documented(response), fitting: 0, documented: 0, of: 0, proof }
    }
}

/// Offsets turned to bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Resolved {
    /// The range, where both ends are borders of characters in the text.
    pub range: Option<Range<usize>>,
    /// Start and end as well as they are known, uncut.
    pub rough: Option<(usize, usize)>,
    /// An offset falls inside a character.
    pub split: bool,
    /// An offset lies outside the text, or the end before the start.
    pub outside: bool,
}

/// Reads a segment's offsets.
pub fn resolve(
    response: &Response,
    answer: &str,
    units: &Units,
    segment: &Segment,
    reading: Reading,
) -> Resolved {
    let (from, limit) = match reading.base {
        // A base of its own text is read in `fit`.
        Base::Answer | Base::WithThoughts => (0, answer.len()),
        Base::Part => match part_range(response, segment.part.unwrap_or_default()) {
            Some(range) => (range.start, range.end),
            None => return Resolved::default(),
        },
    };
    let first = units.count(reading.unit, from) as i64;
    let start = segment.start.unwrap_or_default().saturating_sub(reading.shift).saturating_add(first);
    let end = segment
        .end
        .unwrap_or_default()
        .saturating_sub(reading.shift)
        .saturating_add(first + i64::from(reading.inclusive));
    let mut out = Resolved::default();
    let mut border = |offset: i64| -> (Option<usize>, usize) {
        let Ok(offset) = usize::try_from(offset) else {
            out.outside = true;
            return (None, 0);
        };
        match units.byte(reading.unit, offset) {
            Ok(byte) if byte <= limit => (Some(byte), byte),
            Ok(_) | Err(Miss::Past) => {
                out.outside = true;
                (None, limit.max(offset.min(usize::MAX / 2)))
            }
            Err(Miss::Inside(byte)) => {
                out.split = true;
                (None, byte)
            }
        }
    };
    let ((start, rough_start), (end, rough_end)) = (border(start), border(end));
    out.rough = Some((rough_start, rough_end));
    out.range = start.zip(end).filter(|(start, end)| start <= end).map(|(start, end)| start..end);
    out.outside |= rough_end < rough_start;
    out
}

/// A blank reserved before closing punctuation ends at `end`.
pub fn is_slot(answer: &str, end: usize) -> bool {
    let bytes = answer.as_bytes();
    let blank = end > 0 && bytes.get(end - 1) == Some(&b' ');
    let closing = answer.get(end..).and_then(|rest| rest.chars().next());
    blank && closing.is_some_and(is_clause_stop)
}

/// The text of a part, as a byte range of the answer, by its number among parts of every kind.
pub(crate) fn part_range(response: &Response, part: i64) -> Option<Range<usize>> {
    match response.parts.get(usize::try_from(part).ok()?)? {
        Part::Text(range) => Some(range.clone()),
        Part::Thought(_) | Part::Other => None,
    }
}

/// The parts of the content that are text of the answer, as byte ranges of it.
pub(super) fn text_parts(response: &Response) -> impl Iterator<Item = Range<usize>> {
    response.parts.iter().filter_map(|part| match part {
        Part::Text(range) => Some(range.clone()),
        Part::Thought(_) | Part::Other => None,
    })
}

/// A segment whose offsets count from a later place: that many units more.
pub(super) fn moved(segment: &Segment, by: i64) -> Segment {
    let later = |offset: Option<i64>| Some(offset.unwrap_or_default().saturating_add(by));
    Segment { start: later(segment.start), end: later(segment.end), ..Segment::default() }
}
