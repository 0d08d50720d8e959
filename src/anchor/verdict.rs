//! Where a support lies, and how it came there.

use std::ops::Range;

use super::reading::{Base, Fit};
use crate::model::{Unit, words};

words! {
    /// How a support came to its place.
    #[derive(Default)]
    #[non_exhaustive]
    pub enum Verdict {
        /// Quote and range agree.
        Exact = "exact",
        /// Nothing to compare with.
        AsSent = "as-sent",
        /// Fits in another unit than the documented one.
        Unit = "unit",
        /// Fits over another base.
        Base = "base",
        /// Fits with its end as the last unit of the segment.
        Inclusive = "inclusive",
        /// Fits when all offsets are moved by one constant.
        Shifted = "shifted",
        /// Found behind a place where the text was changed after the offsets were counted.
        Drifted = "drifted",
        /// Found where its quote occurs, once.
        Reanchored = "reanchored",
        /// Its quote occurs several times; the nearest was taken.
        Ambiguous = "ambiguous",
        /// Cut to the text, or moved to the border of a character.
        Clamped = "clamped",
        /// Its quote is nowhere in the answer, or its range holds nothing.
        Gone = "gone",
        /// Where it was sent, in a piece of the turn that came before the answer.
        Earlier = "earlier",
        /// The response carries no answer text.
        NoText = "no-text",
        /// No segment: it speaks of the whole answer.
        #[default]
        Whole = "whole",
    }
}

impl Verdict {
    /// Whether the place is not the one that was sent.
    pub fn is_misfit(self) -> bool {
        !matches!(self, Self::Exact | Self::AsSent | Self::Earlier | Self::NoText | Self::Whole)
    }
}

/// Where a support lies.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Anchor {
    /// How it was found.
    pub verdict: Verdict,
    /// Bytes of the answer; `None` where there is no place. Where a mark was sent that is the inferred claim.
    pub range: Option<Range<usize>>,
    /// Bytes of the answer that are the provider's own mark.
    pub mark: Option<Range<usize>>,
    /// Unit in which the offsets were read.
    pub unit: Unit,
    /// What they count over.
    pub base: Base,
    /// Sent start less right start, in that unit, where both are known.
    pub delta: i64,
    /// Sent end less right end, likewise.
    pub end_delta: i64,
    /// How often the quote occurs, counted to 100; 0 where it was not looked for.
    pub occurrences: u32,
    /// The quote was shortened with `…`.
    pub elided: bool,
    /// A sent offset falls inside a character.
    pub split: bool,
    /// A sent offset lies outside the text.
    pub outside: bool,
    /// Why the offsets say nothing, whatever the quote says.
    pub fault: Option<Fault>,
}

/// Why the offsets of a segment cannot be tested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// They count in a part that the content does not have, or that is no text of the answer.
    NoPart,
    /// They fit in the part of that number when only parts with text of the answer are counted.
    PartsOfTheAnswer,
    /// One of them is no whole number.
    Unreadable,
}

/// All supports of a response, placed.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Anchored {
    /// Parallel to the supports.
    pub anchors: Vec<Anchor>,
    /// How they fit as a whole.
    pub fit: Fit,
}

/// An anchor without a place.
pub(super) fn placeless(verdict: Verdict, unit: Unit) -> Anchor {
    Anchor { verdict, unit, ..Anchor::default() }
}
