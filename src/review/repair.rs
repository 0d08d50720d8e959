//! Which offsets to write in place of those sent, so that a support lies where it was found: in the
//! documented unit and base, and only where the place is certain. Pure; the bytes of the input are found by
//! [`super::splice::Splice`].

use std::collections::HashSet;
use std::ops::Range;

pub use super::refusal::Refusal;
use super::rivals::{is_alike, taken};
use crate::anchor::{self, Anchor, Base, Fit, FitProof, Reading, Units, Verdict};
use crate::model::{AnchorKind, Origin, Response, Segment, SegmentKeys, Support, Unit};
use crate::text::is_in_word;

/// One of the two offsets of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// Where it starts.
    Start,
    /// Where it ends.
    End,
}

/// A number to write in place of another.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Edit {
    /// The support.
    pub support: usize,
    /// Which of its numbers.
    pub bound: Bound,
    /// What was sent; `None` where it was left out and counted as 0.
    pub old: Option<i64>,
    /// What belongs there.
    pub new: i64,
    /// Numbers of this format stand in strings.
    pub text: bool,
}

impl Edit {
    /// The key of the number, in the response that it is of.
    pub fn key(&self, response: &Response) -> Option<&'static str> {
        let keys = self.keys(response)?;
        Some(match self.bound {
            Bound::Start => keys.start,
            Bound::End => keys.end,
        })
    }

    /// Where the number stands, or would stand, in the response that it is of.
    pub fn place(&self, response: &Response) -> Option<Origin> {
        self.holder(response).zip(self.key(response)).map(|(holder, key)| holder.key(key))
    }

    /// The object that holds the number.
    pub(super) fn holder(&self, response: &Response) -> Option<Origin> {
        let origin = response.supports.get(self.support)?.origin.clone();
        let holders = self.keys(response)?.holder.split('.').filter(|key| !key.is_empty());
        Some(holders.fold(origin, |place, key| place.key(key)))
    }

    fn keys(&self, response: &Response) -> Option<&'static SegmentKeys> {
        response.supports.get(self.support)?.segment.as_ref()?.keys
    }

    /// What was sent, in words.
    pub fn old_words(&self) -> String {
        sent_words(self.old)
    }
}

/// An offset as sent, in words.
pub fn sent_words(offset: Option<i64>) -> String {
    offset.map_or_else(|| "(not sent)".to_owned(), |offset| offset.to_string())
}

/// What can be repaired in a response, and what not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Repairs {
    /// Numbers to write, by support.
    pub edits: Vec<Edit>,
    /// Supports that do not lie where they were sent and are left so, each with the reason.
    pub refused: Vec<(usize, Refusal)>,
}

impl Repairs {
    /// The numbers to write of one support.
    pub fn of(&self, support: usize) -> &[Edit] {
        let from = self.edits.partition_point(|edit| edit.support < support);
        let edits = self.edits.get(from..).unwrap_or_default();
        let upto = edits.iter().take_while(|edit| edit.support == support).count();
        edits.get(..upto).unwrap_or_default()
    }

    /// Leaves the supports as they are whose edits are of some kind.
    pub(super) fn leave_where(&mut self, why: Refusal, is_left: impl Fn(&[Edit]) -> bool) {
        let of_supports = self.edits.chunk_by(|one, next| one.support == next.support);
        let left = of_supports.filter(|edits| is_left(edits)).filter_map(|edits| edits.first());
        let left = left.map(|edit| (edit.support, why)).collect();
        self.leave(left);
    }

    /// Leaves supports as they are, ascending, each with the reason.
    pub(super) fn leave(&mut self, mut left: Vec<(usize, Refusal)>) {
        self.edits.retain(|edit| left.binary_search_by_key(&edit.support, |(support, _)| *support).is_err());
        self.refused.append(&mut left);
        self.refused.sort_by_key(|(support, _)| *support);
    }
}

/// All repairs of a response, in the order of its supports.
pub fn repairs(response: &Response, anchors: &[Anchor], fit: &Fit) -> Repairs {
    let mut out = Repairs::default();
    let Some(answer) = response.answer.as_deref() else { return out };
    if !anchors.iter().any(|anchor| anchor.verdict.is_misfit()) {
        return out;
    }
    let units = Units::of(answer);
    let damage = answer.find('\u{fffd}').unwrap_or(usize::MAX);
    let taken = taken(response, anchors);
    let (rivals, between, quotes) = doubts(response, &units, anchors, fit.reading);
    let known = Known {
        fit,
        over_answer: counts_over_answer(response, anchors),
        inclusive: response.inclusive && is_inclusive(response, &units, fit.reading),
        rivals,
        between,
        quotes,
        shifts: shifts(response, &units, anchors),
        contested: is_contested(response, &units, anchors, fit) || has_stray(response, anchors),
    };
    let moved = are_all_moved(response, anchors);
    // Lists of a hundred thousand that grow take three times their size for a moment.
    out.edits.reserve_exact(2 * anchors.iter().filter(|anchor| anchor.verdict.is_misfit()).count());
    for (index, (support, anchor)) in response.supports.iter().zip(anchors).enumerate() {
        // What backs a thought has no place in the answer to be repaired.
        if support.kind == AnchorKind::Block {
            continue;
        }
        if !anchor.verdict.is_misfit() {
            if is_doubted((response, &units), (support, anchor), fit, moved) {
                out.refused.push((index, Refusal::Unproven));
            }
            continue;
        }
        if anchor.range.as_ref().is_some_and(|range| range.end > damage) {
            out.refused.push((index, Refusal::Damaged));
            continue;
        }
        if taken.contains(&index) {
            out.refused.push((index, Refusal::Taken));
            continue;
        }
        match repair((response, &units), index, support, anchor, &known) {
            Ok(edits) => out.edits.extend(edits),
            Err(refusal) => out.refused.push((index, refusal)),
        }
    }
    out
}

/// What is known of all supports of a response.
struct Known<'a> {
    fit: &'a Fit,
    /// Offsets of parts count over the whole answer.
    over_answer: bool,
    /// Ends name the last unit of the words.
    inclusive: bool,
    /// By how many bytes some are off.
    shifts: HashSet<usize>,
    /// Some quote stands where the reading that most prove does not put it: as it was sent, or elsewhere.
    contested: bool,
    /// Readings in other units in which all these quotes stand, too: nothing says which of them it is.
    rivals: Vec<Reading>,
    /// From the first of the quotes to the last that stand by the reading that most prove. What was taken
    /// away or added may lie beyond.
    between: Range<usize>,
    /// How many do.
    quotes: usize,
}

/// The rivals of the reading that most quotes prove, from where to where it is proven, and by how many.
fn doubts(
    response: &Response,
    units: &Units,
    anchors: &[Anchor],
    reading: Reading,
) -> (Vec<Reading>, Range<usize>, usize) {
    let all = [Unit::Bytes, Unit::Characters, Unit::Utf16].into_iter().filter(|unit| *unit != reading.unit);
    let mut rivals: Vec<Reading> = all.map(|unit| Reading { unit, ..reading }).collect();
    let (mut between, mut quotes) = (response.text().len()..0, 0);
    for (support, anchor) in response.supports.iter().zip(anchors) {
        let Some(segment) = support.segment.as_ref() else { continue };
        let Some(quote) = segment.quote.as_deref().filter(|quote| !quote.is_empty()) else { continue };
        let Some(range) = anchor::read_in(response, units, segment, reading) else { continue };
        if anchor.range.as_ref() == Some(&range) && response.text().get(range.clone()) == Some(quote) {
            between = between.start.min(range.start)..between.end.max(range.end);
            quotes += 1;
            rivals.retain(|rival| anchor::read_in(response, units, segment, *rival).as_ref() == Some(&range));
        }
    }
    (rivals, between, quotes)
}

/// Whether a support ends as its format documents it, though others are read otherwise: all of it may be off
/// by one, or its start alone.
fn is_right_at_its_end(
    (response, units): (&Response, &Units),
    segment: &Segment,
    range: &Range<usize>,
    fit: &Fit,
) -> bool {
    let end = segment.end.and_then(|end| usize::try_from(end).ok()?.checked_add(1));
    response.inclusive
        && !fit.reading.inclusive
        && fit.documented == 0
        && end.and_then(|end| units.byte(response.unit, end).ok()) == Some(range.end)
}

fn is_contested(response: &Response, units: &Units, anchors: &[Anchor], fit: &Fit) -> bool {
    let answer = response.text();
    let is_against = |(support, anchor): (&Support, &Anchor)| {
        let segment = support.segment.as_ref().filter(|_| anchor.verdict == Verdict::Exact);
        let quote = segment.and_then(|segment| segment.quote.as_deref()).filter(|quote| !quote.is_empty());
        let range = anchor.range.as_ref().filter(|range| answer.get((*range).clone()) == quote);
        let Some((segment, range)) = segment.zip(range).filter(|_| quote.is_some()) else { return false };
        anchor::read_in(response, units, segment, fit.reading).as_ref() != Some(range)
    };
    fit.reading != Reading::documented(response)
        && fit.reading.base == Base::Answer
        && response.supports.iter().zip(anchors).any(is_against)
}

/// Whether a quote stands whole where no reading of its offsets leads.
fn has_stray(response: &Response, anchors: &[Anchor]) -> bool {
    let answer = response.text();
    let is_stray = |(support, anchor): (&Support, &Anchor)| {
        let quote = support.segment.as_ref().and_then(|segment| segment.quote.as_deref());
        let range =
            anchor.range.clone().filter(|_| matches!(anchor.verdict, Verdict::Reanchored | Verdict::Drifted));
        quote.is_some_and(|quote| {
            !quote.is_empty() && range.and_then(|range| answer.get(range)) == Some(quote)
        })
    };
    response.supports.iter().zip(anchors).any(is_stray)
}

/// By how many bytes supports are off whose quote is as long as what their offsets name.
fn shifts(response: &Response, units: &Units, anchors: &[Anchor]) -> HashSet<usize> {
    let misfits = response.supports.iter().zip(anchors).filter(|(_, anchor)| anchor.verdict.is_misfit());
    let shift = |(support, anchor): (&Support, &Anchor)| {
        let (segment, found) = (support.segment.as_ref()?, anchor.range.as_ref()?);
        let length = segment.end?.checked_sub(segment.start.unwrap_or_default())?;
        let own = units.count(response.unit, found.end) - units.count(response.unit, found.start);
        // The last one may end behind the answer.
        let sent = anchor::read_as(response, units, segment, response.unit).0?;
        (length == own as i64).then(|| sent.start.abs_diff(found.start))
    };
    misfits.filter_map(shift).collect()
}

fn repair(
    (response, units): (&Response, &Units),
    index: usize,
    support: &Support,
    anchor: &Anchor,
    known: &Known,
) -> Result<Vec<Edit>, Refusal> {
    let segment = support.segment.as_ref().ok_or(Refusal::Placeless)?;
    // What was asked may stand before it.
    let range = certain((response, units), (support, segment), anchor, known)?;
    let keys = segment.keys.ok_or(Refusal::Placeless)?;
    let sent = anchor::read_in(response, units, segment, Reading::documented(response));
    let is_elsewhere = |sent: &Range<usize>| sent.end <= range.start || range.end <= sent.start;
    let there = sent.filter(is_elsewhere).and_then(|sent| response.text().get(sent));
    // What several are off by leads to its own words.
    let is_of_all = known.fit.fitting > 1
        && matches!(anchor.verdict, Verdict::Unit | Verdict::Base | Verdict::Inclusive | Verdict::Shifted);
    if !is_of_all
        && there
            .zip(segment.quote.as_deref())
            .is_some_and(|(there, quote)| there != quote && is_alike(there, quote))
    {
        return Err(Refusal::Alike);
    }
    if is_right_at_its_end((response, units), segment, &range, known.fit) {
        return Err(Refusal::OfAnEnd);
    }
    // Offsets of one part cannot name a mark of another.
    let part =
        segment.part.filter(|_| support.is_inferred()).and_then(|part| anchor::part_range(response, part));
    if part.is_some_and(|part| range.start < part.start || part.end < range.end) {
        return Err(Refusal::Elsewhere);
    }
    let inclusive = i64::from(known.inclusive);
    let first = if known.over_answer { 0 } else { base(response, segment, &range) };
    let count =
        |byte: usize| units.count(response.unit, byte) as i64 - units.count(response.unit, first) as i64;
    let edit =
        |bound: Bound, old: Option<i64>, new: i64| Edit { support: index, bound, old, new, text: keys.text };
    let both = [
        edit(Bound::Start, segment.start, count(range.start)),
        edit(Bound::End, segment.end, count(range.end) - inclusive),
    ];
    Ok(both.into_iter().filter(|edit| edit.old.unwrap_or_default() != edit.new).collect())
}

/// Whether quotes stand in the answer, and none of them where it was sent.
fn are_all_moved(response: &Response, anchors: &[Anchor]) -> bool {
    let is_quoted = |support: &Support| {
        let quote = support.segment.as_ref().and_then(|segment| segment.quote.as_deref());
        quote.is_some_and(|quote| !quote.is_empty())
    };
    let quoted = response.supports.iter().zip(anchors).filter(|(support, _)| is_quoted(support));
    let mut placed = quoted.filter(|(_, anchor)| anchor.range.is_some()).peekable();
    placed.peek().is_some() && placed.all(|(_, anchor)| anchor.verdict.is_misfit())
}

/// Whether a support without a quote is read as it was sent, where quotes prove that all count otherwise: it
/// may be right where it names a sentence. `moved`: no quote stands where it was sent.
fn is_doubted(
    (response, units): (&Response, &Units),
    (support, anchor): (&Support, &Anchor),
    fit: &Fit,
    moved: bool,
) -> bool {
    let Some(segment) = support.segment.as_ref().filter(|segment| segment.end.is_some()) else {
        return false;
    };
    let Some(range) = anchor.range.as_ref().filter(|_| anchor.verdict == Verdict::AsSent) else {
        return false;
    };
    let otherwise = fit.proof == FitProof::Quotes
        && fit.reading != Reading::documented(response)
        && anchor::read_in(response, units, segment, fit.reading).as_ref() != Some(range);
    segment.quote.as_deref().is_none_or(str::is_empty)
        && anchor::Extent::of(response.text(), range) != anchor::Extent::Sentences
        && (otherwise || moved)
}

/// Whether a support without a quote of its own goes with the reading of the others: where it cuts words as
/// it was sent, else it may have been right, and where no other reading that they allow puts it elsewhere.
fn goes_with_others(
    (response, units): (&Response, &Units),
    segment: &Segment,
    (anchor, range): (&Anchor, &Range<usize>),
    known: &Known,
) -> bool {
    let by_others =
        matches!(anchor.verdict, Verdict::Unit | Verdict::Base | Verdict::Inclusive | Verdict::Shifted);
    let is_rival = |rival: &Reading| {
        anchor::read_in(response, units, segment, *rival).is_some_and(|other| other != *range)
    };
    if !by_others || known.contested || known.rivals.iter().any(is_rival) {
        return false;
    }
    let extent = |range: &Range<usize>| anchor::Extent::of(response.text(), range);
    let inside = known.between.start <= range.start && range.end <= known.between.end;
    // Beyond the quotes that prove a unit or a shift, a line break may be missing: it must become a sentence.
    let reading = known.fit.reading;
    let moves = reading.shift != 0 || reading.unit != response.unit;
    if moves && !inside && extent(range) != anchor::Extent::Sentences {
        return false;
    }
    // One quote that lacks its end proves no end for others that may count in another unit.
    let in_unit =
        |unit| anchor::read_in(response, units, segment, Reading { unit, ..Reading::documented(response) });
    let all = [Unit::Bytes, Unit::Characters, Unit::Utf16].map(in_unit);
    let ends = reading.inclusive != response.inclusive;
    if ends && known.quotes < 2 && all.iter().any(|other| *other != all[0]) {
        return false;
    }
    let sent = anchor::read_as(response, units, segment, response.unit).1.range;
    // What begins with the end of a sentence, or with a blank, is no claim, either.
    let is_odd = |range: &Range<usize>| {
        let words = response.text().get(range.clone()).unwrap_or_default();
        words.starts_with(|c: char| c.is_whitespace() || ".,;:!?)".contains(c))
    };
    let is_sentence = extent(range) == anchor::Extent::Sentences;
    let cuts = |range: &Range<usize>| extent(range) == anchor::Extent::CutWords;
    !cuts(range) && sent.is_none_or(|sent| cuts(&sent) || is_sentence && is_odd(&sent))
}

/// The range of a support where something proves it: its quote stands there once, or in the reading that
/// quotes or reserved blanks prove for the whole response.
fn certain(
    (response, units): (&Response, &Units),
    (support, segment): (&Support, &Segment),
    anchor: &Anchor,
    known: &Known,
) -> Result<Range<usize>, Refusal> {
    let (answer, first, fit) = (response.text(), response.origin.frame, known.fit);
    match anchor.verdict {
        _ if anchor.fault.is_some() => return Err(Refusal::Unnumbered),
        _ if support.kind == AnchorKind::Point => return Err(Refusal::Unproven),
        _ if support.is_inferred() && support.origin.frame > first => return Err(Refusal::Streamed),
        _ if anchor.elided => return Err(Refusal::Elided),
        Verdict::Ambiguous => return Err(Refusal::Ambiguous),
        Verdict::Clamped => return Err(Refusal::Clamped),
        Verdict::Gone if segment.quote.as_deref().is_none_or(str::is_empty) => return Err(Refusal::Clamped),
        _ => {}
    }
    let range = if support.is_inferred() { &anchor.mark } else { &anchor.range };
    let range = range.clone().ok_or(Refusal::Gone)?;
    // A mark was looked for by the address in it.
    if support.kind == AnchorKind::Marker && anchor.verdict != Verdict::AsSent {
        if !is_as_long(segment, answer.get(range.clone()).unwrap_or_default()) {
            return Err(Refusal::OtherLength);
        }
        let sent = anchor::read_as(response, units, segment, response.unit).1.range;
        let is_before = sent.is_some_and(|sent| anchor::may_claim(&sent, &range));
        let was_searched = matches!(anchor.verdict, Verdict::Reanchored | Verdict::Drifted);
        return if is_before && was_searched { Err(Refusal::BeforeItsMark) } else { Ok(range) };
    }
    let proven = match segment.quote.as_deref().filter(|quote| !quote.is_empty()) {
        Some(quote) => {
            let sent = || anchor::read_as(response, units, segment, response.unit).1.range;
            return match anchor.verdict {
                _ if answer.get(range.clone()) != Some(quote) => Err(Refusal::Folded),
                Verdict::Reanchored | Verdict::Drifted
                    if sent().is_some_and(|sent| may_be_cut(answer, &range, &sent, &known.shifts)) =>
                {
                    Err(Refusal::Cut)
                }
                _ => Ok(range),
            };
        }
        None if fit.proof == FitProof::Quotes => {
            goes_with_others((response, units), segment, (anchor, &range), known)
        }
        // A blank before punctuation may be hit by chance: most of the supports must hit one.
        None => {
            fit.proof == FitProof::Slots
                && fit.fitting * 3 >= fit.of * 2
                && anchor::is_slot(answer, range.end)
        }
    };
    if proven { Ok(range) } else { Err(Refusal::Unproven) }
}

/// Whether a quote may be the beginning only of what offsets name, as where a field has a limit or the last
/// stop was taken away. Not where their end parts a word and its own does not, nor where others are off by as
/// much: the text was changed there.
fn may_be_cut(answer: &str, quote: &Range<usize>, sent: &Range<usize>, shifts: &HashSet<usize>) -> bool {
    sent.start == quote.start
        && sent.end > quote.end
        && !shifts.contains(&(sent.end - quote.end))
        && (is_in_word(answer, quote.end) || !is_in_word(answer, sent.end))
}

/// Whether a text is as long as what offsets name, in whatever unit they count and whether or not their
/// end is part of it. Others name the words of a claim, as some writers do, and not the mark behind it.
fn is_as_long(segment: &Segment, text: &str) -> bool {
    let Some(length) = segment.end.and_then(|end| end.checked_sub(segment.start.unwrap_or_default())) else {
        return false;
    };
    let units = [text.len(), text.chars().count(), text.chars().map(char::len_utf16).sum()];
    units.iter().any(|&own| length == own as i64 || length + 1 == own as i64)
}

/// Whether ends are counted as the format documents them, by their last unit: services disagree, and what
/// fits as it was sent says how this one counts, in the unit in which most fits and in the documented one of
/// two that say as much. A shift says nothing of ends.
fn is_inclusive(response: &Response, units: &Units, reading: Reading) -> bool {
    let fitting = |unit: Unit, inclusive: bool| {
        let own = Reading { unit, inclusive, shift: 0, ..reading };
        let fits = |segment: &&Segment| {
            let quote = segment.quote.as_deref().filter(|quote| !quote.is_empty());
            let range = anchor::read_in(response, units, segment, own);
            quote.is_some() && range.and_then(|range| response.text().get(range)) == quote
        };
        response.supports.iter().filter_map(|support| support.segment.as_ref()).filter(fits).count()
    };
    let counted = [response.unit, reading.unit].map(|unit| (fitting(unit, true), fitting(unit, false)));
    let [documented, read] = counted;
    let most = |(as_documented, behind): (usize, usize)| as_documented.max(behind);
    let (as_documented, behind) = if most(read) > most(documented) { read } else { documented };
    as_documented >= behind
}

/// Whether all that fits of supports that name a part counts over the whole answer: so do the others, and a
/// repair leaves readers one way to count.
fn counts_over_answer(response: &Response, anchors: &[Anchor]) -> bool {
    let of_parts = response.supports.iter().zip(anchors).filter(|(support, anchor)| {
        anchor.verdict == Verdict::Exact
            && !support.is_inferred()
            && support.segment.as_ref().and_then(|segment| segment.part).is_some_and(|part| part > 0)
    });
    let mut bases = of_parts.map(|(_, anchor)| anchor.base).peekable();
    bases.peek().is_some() && bases.all(|base| base == Base::Answer)
}

/// The byte from which documented offsets count: the beginning of the part that the segment names, if it lies
/// there.
fn base(response: &Response, segment: &Segment, range: &Range<usize>) -> usize {
    let named = segment.part.filter(|&part| part > 0).and_then(|part| anchor::part_range(response, part));
    named.filter(|part| part.start <= range.start && range.end <= part.end).map_or(0, |part| part.start)
}
