//! Offsets as sent to byte ranges of the answer, each with a verdict on how. Offsets are claims to be tested: the
//! documented unit and base first, then the quote. Imports the model only.

mod drift;
mod fit;
mod reading;
mod reanchor;
mod units;

use std::ops::Range;

use crate::model::{Part, Proof, Response, Segment, Support, Unit, words};

use fit::Texts;
use reading::resolve;
pub use reading::{Base, Fit, FitProof, Reading, Resolved};
use reanchor::Occurrences;
use reanchor::{sentence_end, sentence_ends};
pub use units::Units;

words! {
    /// How a support came to its place.
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
        /// The response carries no answer text.
        NoText = "no-text",
        /// No segment: it speaks of the whole answer.
        Whole = "whole",
    }
}

impl Verdict {
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

/// Places every support.
pub fn anchor(response: &Response) -> Anchored {
    let Some(answer) = response.answer.as_deref() else {
        let none = |support: &Support| placeless(if support.segment.is_some() { Verdict::NoText } else { Verdict::Whole }, response.unit);
        let of = response.supports.iter().filter(|support| support.segment.is_some()).count();
        return Anchored { anchors: response.supports.iter().map(none).collect(), fit: Fit { of, ..Fit::untested(response) } };
    };
    let texts = Texts::of(response, answer);
    let mut fit = Fit::untested(response);
    let mut anchors: Vec<Anchor> = Vec::with_capacity(response.supports.len());
    for support in &response.supports {
        anchors.push(place(response, answer, texts.units(), support, &mut fit));
    }
    fit.documented = fit.fitting;
    let unproven = fit.proof == FitProof::None && !texts.units().agree();
    if fit.fitting < fit.of || unproven {
        if let Some(better) = fit::search(&texts, &fit) {
            reread(&texts, response, answer, &better, true, &mut anchors);
            fit = drift::or_shift(&fit, better, &mut anchors);
            if fit == better {
                reread(&texts, response, answer, &better, false, &mut anchors);
            }
        }
        reanchor(response, answer, texts.units(), &mut anchors);
        drift::mark(&mut anchors);
    }
    Anchored { anchors, fit }
}

/// Places again, in a reading that fits more, what does not fit in the documented one: first the supports with a
/// quote, which prove it, then those without, which go with them unless it turns out that the text was changed.
fn reread(texts: &Texts, response: &Response, answer: &str, better: &Fit, quoted: bool, anchors: &mut [Anchor]) {
    let reading = better.reading;
    let verdict = match () {
        () if reading.unit != response.unit => Verdict::Unit,
        () if reading.base != Base::Answer => Verdict::Base,
        () if reading.shift != 0 => Verdict::Shifted,
        () => Verdict::Inclusive,
    };
    for (support, anchor) in response.supports.iter().zip(anchors) {
        let Some(segment) = support.segment.as_ref().filter(|_| anchor.verdict != Verdict::Exact && support.placed.is_none()) else {
            continue;
        };
        let Some(range) = texts.read(segment, reading) else { continue };
        let quote = segment.quote.as_deref().filter(|quote| !quote.is_empty());
        let fits = quote.is_none_or(|quote| answer.get(range.clone()) == Some(quote)) && quote.is_some() == quoted;
        // Where both readings name the same bytes there is nothing to say.
        if fits && anchor.range.as_ref() != Some(&range) {
            *anchor = Anchor { range: Some(range), base: reading.base, delta: reading.shift, ..placeless(verdict, reading.unit) };
        }
    }
}

fn placeless(verdict: Verdict, unit: Unit) -> Anchor {
    Anchor { verdict, range: None, unit, base: Base::Answer, delta: 0, occurrences: 0, elided: false, split: false, outside: false }
}

/// In the documented unit and base. What has a quote that does not agree is `Gone` until it is looked for.
fn place(response: &Response, answer: &str, units: &Units, support: &Support, fit: &mut Fit) -> Anchor {
    if let Some(range) = &support.placed {
        return Anchor { range: Some(range.clone()), ..placeless(Verdict::AsSent, Unit::Bytes) };
    }
    let Some(segment) = &support.segment else { return placeless(Verdict::Whole, response.unit) };
    if segment.start.is_none() && segment.end.is_none() && segment.quote.is_none() {
        return placeless(Verdict::Whole, response.unit);
    }
    fit.of += 1;
    let quote = segment.quote.as_deref().filter(|quote| !quote.is_empty());
    let bases: &[Base] = if segment.part.is_some_and(|part| part > 0) { &[Base::Part, Base::Answer] } else { &[Base::Answer] };
    let mut first = None;
    for &base in bases {
        let reading = Reading { unit: response.unit, base, ..Reading::default() };
        let resolved = resolve(response, answer, units, segment, reading);
        let fits = match (quote, &resolved.range) {
            (Some(quote), Some(range)) => answer.get(range.clone()) == Some(quote),
            (None, Some(range)) => response.proof != Proof::Slots || is_slot(answer, range.end),
            (_, None) => false,
        };
        if fits {
            fit.fitting += 1;
            let verdict = if quote.is_some() { Verdict::Exact } else { Verdict::AsSent };
            return Anchor { range: resolved.range, base, ..placeless(verdict, response.unit) };
        }
        first.get_or_insert((resolved, base));
    }
    let (resolved, base) = first.unwrap_or_default();
    let mut anchor = Anchor { split: resolved.split, outside: resolved.outside, base, ..placeless(Verdict::Gone, response.unit) };
    if quote.is_none() {
        anchor.range =
            resolved.range.clone().or_else(|| clamped(answer, &resolved)).filter(|range| !range.is_empty() || resolved.range.is_some());
        anchor.verdict = match (&anchor.range, resolved.range.is_some()) {
            (Some(_), true) => Verdict::AsSent,
            (Some(_), false) => Verdict::Clamped,
            (None, _) => Verdict::Gone,
        };
    }
    anchor
}

/// What a segment names over the documented base in some unit, cut to the answer and to whole characters.
pub fn read_as(response: &Response, units: &Units, segment: &Segment, unit: Unit) -> (Option<Range<usize>>, Resolved) {
    let answer = response.text();
    let base = if segment.part.is_some_and(|part| part > 0) { Base::Part } else { Base::Answer };
    let resolved = resolve(response, answer, units, segment, Reading { unit, base, ..Reading::default() });
    (clamped(answer, &resolved), resolved)
}

/// How many segments fit in each unit, of those that have something to compare with: bytes, characters, UTF-16 units.
pub fn votes(response: &Response) -> [usize; 3] {
    let units = Units::of(response.text());
    let segments = || response.supports.iter().filter_map(|support| support.segment.as_ref());
    Unit::ALL.map(|unit| {
        let fits = |segment: &&Segment| {
            let Some(range) = read_as(response, &units, segment, unit).1.range else { return false };
            match segment.quote.as_deref().filter(|quote| !quote.is_empty()) {
                Some(quote) => response.text().get(range) == Some(quote),
                None => response.proof == Proof::Slots && is_slot(response.text(), range.end),
            }
        };
        segments().filter(fits).count()
    })
}

/// A blank reserved before closing punctuation ends at `end`.
pub fn is_slot(answer: &str, end: usize) -> bool {
    let bytes = answer.as_bytes();
    let blank = end > 0 && bytes.get(end - 1) == Some(&b' ');
    let closing = answer.get(end..).and_then(|rest| rest.chars().next());
    blank && closing.is_some_and(|c| matches!(c, '.' | ',' | ';' | ':' | '!' | '?' | '。' | '、' | '！' | '？'))
}

/// The range cut to the text, with its ends moved outwards to character borders.
fn clamped(answer: &str, resolved: &Resolved) -> Option<Range<usize>> {
    let (start, end) = resolved.rough?;
    let start = answer.floor_char_boundary(start.min(answer.len()));
    let end = answer.ceil_char_boundary(end.min(answer.len()));
    (start < end).then_some(start..end)
}

/// From here on one pass over the answer pays before quotes are looked for one by one.
const MANY_LOST: usize = 64;

/// Looks for the quotes that are not where they were said to be.
fn reanchor(response: &Response, answer: &str, units: &Units, anchors: &mut [Anchor]) {
    let mut index = Occurrences::of(answer);
    let lost: Vec<(usize, &Segment, &str)> = response
        .supports
        .iter()
        .enumerate()
        .filter(|&(number, _)| anchors.get(number).is_some_and(|anchor| anchor.verdict == Verdict::Gone))
        .filter_map(|(number, support)| {
            let segment = support.segment.as_ref()?;
            let quote = segment.quote.as_deref().filter(|quote| !quote.is_empty())?;
            Some((number, segment, quote))
        })
        .collect();
    if lost.len() > MANY_LOST {
        index.expect(lost.iter().map(|(_, _, quote)| *quote));
    }
    for &(number, segment, quote) in &lost {
        let near = resolve(response, answer, units, segment, Reading { unit: response.unit, ..Reading::default() })
            .rough
            .map_or(0, |(start, _)| start);
        let Some((found, anchor)) = index.find(quote, near).zip(anchors.get_mut(number)) else { continue };
        anchor.verdict = if found.count > 1 { Verdict::Ambiguous } else { Verdict::Reanchored };
        anchor.occurrences = found.count;
        anchor.elided = found.elided;
        let sent = segment.start.unwrap_or_default();
        let base = if anchor.base == Base::Part {
            segment.part.and_then(|part| part_range(response, part)).map_or(0, |part| part.start)
        } else {
            0
        };
        let right = units.count(response.unit, found.range.start) as i64 - units.count(response.unit, base) as i64;
        anchor.delta = sent.saturating_sub(right);
        anchor.range = Some(found.range);
    }
    end_elided(answer, &lost, anchors);
}

/// An elided quote ends at the last sentence end that lies before the end of its sent length, the start of the next
/// support and the end of the text; else at the end of its sentence.
fn end_elided(answer: &str, lost: &[(usize, &Segment, &str)], anchors: &mut [Anchor]) {
    let mut starts: Vec<usize> = anchors.iter().filter_map(|anchor| anchor.range.as_ref().map(|range| range.start)).collect();
    starts.sort_unstable();
    if !anchors.iter().any(|anchor| anchor.elided) {
        return;
    }
    let ends = sentence_ends(answer);
    for &(number, segment, _) in lost {
        let Some(anchor) = anchors.get_mut(number).filter(|anchor| anchor.elided) else { continue };
        let Some(range) = anchor.range.clone() else { continue };
        let length = segment.end.unwrap_or_default().saturating_sub(segment.start.unwrap_or_default()).max(0) as usize;
        let next = starts.get(starts.partition_point(|&start| start <= range.start)).copied().unwrap_or(answer.len());
        let limit = range.start.saturating_add(length).min(next).min(answer.len());
        anchor.range = Some(range.start..sentence_end(&ends, range.start, limit, answer.len()));
    }
}

/// The text of a part, as a byte range of the answer, by its number among parts of every kind.
pub(crate) fn part_range(response: &Response, part: i64) -> Option<Range<usize>> {
    match response.parts.get(usize::try_from(part).ok()?)? {
        Part::Text(range) => Some(range.clone()),
        Part::Thought(_) | Part::Other => None,
    }
}

#[cfg(test)]
mod tests;
