//! Where a support lies, and how it came there.

use std::ops::Range;

use super::reading::{Base, Fit};
use crate::model::Unit;

/// How a support came to its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Quote and range agree.
    Exact,
    /// Nothing to compare with.
    AsSent,
    /// Fits in another unit than the documented one.
    Unit,
    /// Fits over another base.
    Base,
    /// Fits with its end as the last unit of the segment.
    Inclusive,
    /// Fits when all offsets are moved by one constant.
    Shifted,
    /// Found behind a place where the text was changed after the offsets were counted.
    Drifted,
    /// Found where its quote occurs, once.
    Reanchored,
    /// Its quote occurs several times; the nearest was taken.
    Ambiguous,
    /// Cut to the text, or moved to the border of a character.
    Clamped,
    /// Its quote is nowhere in the answer, or its range holds nothing.
    Gone,
    /// The response carries no answer text.
    NoText,
    /// No segment: it speaks of the whole answer.
    Whole,
}

impl Verdict {
    /// The word of the machine output.
    pub fn word(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::AsSent => "as-sent",
            Self::Unit => "unit",
            Self::Base => "base",
            Self::Inclusive => "inclusive",
            Self::Shifted => "shifted",
            Self::Drifted => "drifted",
            Self::Reanchored => "reanchored",
            Self::Ambiguous => "ambiguous",
            Self::Clamped => "clamped",
            Self::Gone => "gone",
            Self::NoText => "no-text",
            Self::Whole => "whole",
        }
    }

    /// Whether the place is not the one that was sent.
    pub fn is_misfit(self) -> bool {
        !matches!(self, Self::Exact | Self::AsSent | Self::NoText | Self::Whole)
    }
}

/// Where a support lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Anchor {
    /// How it was found.
    pub verdict: Verdict,
    /// Bytes of the answer; `None` where there is no place.
    pub range: Option<Range<usize>>,
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
}

/// All supports of a response, placed.
#[derive(Debug, Clone, Default)]
pub struct Anchored {
    /// Parallel to the supports.
    pub anchors: Vec<Anchor>,
    /// How they fit as a whole.
    pub fit: Fit,
}

/// An anchor without a place.
pub(super) fn placeless(verdict: Verdict, unit: Unit) -> Anchor {
    Anchor {
        verdict,
        range: None,
        unit,
        base: Base::Answer,
        delta: 0,
        end_delta: 0,
        occurrences: 0,
        elided: false,
        split: false,
        outside: false,
    }
}
