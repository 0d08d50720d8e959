//! Offsets as sent to byte ranges of the answer, each with a verdict on how. Offsets are claims to be tested:
//! the documented unit and base first, then the quote. Imports the model and the sentences of `text` only.

mod claims;
mod drift;
mod ends;
mod fit;
mod labels;
mod leads;
mod links;
mod proof;
mod reading;
mod reanchor;
mod repeated;
mod sentence;
mod subjects;
mod units;
mod verbs;
mod verdict;

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use crate::model::{AnchorKind, RemarkKind, Response, Segment, Support, Unit};
use crate::text::{ends_sentence, is_in_word, sentence_ends};

pub(crate) use claims::is_own_place;
use fit::Texts;
pub(crate) use labels::joins;
pub use labels::{Label, label};
pub use links::is_named_link;
pub(crate) use proof::may_claim;
use proof::{Proofs, Shown};
pub(crate) use reading::part_range;
pub use reading::{Base, Fit, FitProof, Reading, Resolved, is_slot};
use reading::{moved, resolve, text_parts};
use reanchor::{Occurrences, sentence_end};
pub(crate) use sentence::wrapped;
pub(crate) use subjects::{is_of_clause, is_parted, is_subject};
pub use units::{Mark, Units};
use verdict::placeless;
pub use verdict::{Anchor, Anchored, Fault, Verdict};

/// Places every support.
pub fn anchor(response: &Response) -> Anchored {
    let Some(answer) = response.answer.as_deref() else {
        let none = |support: &Support| match support.segment {
            _ if support.earlier => placeless(Verdict::Earlier, response.unit),
            Some(_) => placeless(Verdict::NoText, response.unit),
            None => placeless(Verdict::Whole, response.unit),
        };
        let of = response.supports.iter().filter(|support| support.segment.is_some()).count();
        return Anchored {
            anchors: response.supports.iter().map(none).collect(),
            fit: Fit { of, ..Fit::untested(response) },
        };
    };
    let joined = fit::joined(response, answer);
    let texts = Texts::of(response, answer, joined.as_ref());
    let mut fit = Fit::untested(response);
    let mut anchors: Vec<Anchor> = Vec::with_capacity(response.supports.len());
    for support in &response.supports {
        anchors.push(place(response, &texts, support, &mut fit));
    }
    fit.documented = fit.fitting;
    let texts = texts.without(&anchors);
    let unproven = fit.proof == FitProof::None && !texts.units().agree();
    let lost = anchors.iter().any(|anchor| anchor.verdict == Verdict::Gone);
    if fit.fitting < fit.of || unproven || lost {
        if let Some(better) = fit::search(&texts, &fit) {
            fit = reread_all(response, &texts, (fit, better), &mut anchors);
        }
        reanchor(response, &texts, &mut anchors);
        let halves = half_sent(response, &anchors);
        drift::mark(&mut anchors, &halves, fit.proof == FitProof::Quotes);
    }
    let parts: Vec<usize> = text_parts(response).map(|part| part.start).collect();
    claims::infer(answer, &parts, &response.supports, &mut anchors);
    Anchored { anchors, fit }
}

/// Where a segment lies in a reading of the whole answer.
pub fn read_in(
    response: &Response,
    units: &Units,
    segment: &Segment,
    reading: Reading,
) -> Option<Range<usize>> {
    resolve(response, response.text(), units, segment, reading).range
}

/// Places again by a better reading what it explains; the reading that holds then.
fn reread_all(
    response: &Response,
    texts: &Texts,
    (documented, mut better): (Fit, Fit),
    anchors: &mut [Anchor],
) -> Fit {
    reread(texts, response, &better, true, anchors);
    if better.fitting < better.of {
        let named = |segment: &Segment| {
            let rough = read_as(response, texts.units(), segment, response.unit).1.rough;
            rough.map(|(start, _)| start)
        };
        let disowned = repeated::disown(response, named, anchors);
        better.fitting -= disowned;
        if disowned > 0 && better.fitting <= documented.documented {
            repeated::give_up(response, anchors);
            return documented;
        }
    }
    let fit = drift::or_shift(&documented, better, anchors);
    if fit == better {
        reread(texts, response, &better, false, anchors);
    }
    fit
}

/// Places again, in a reading that fits more, what does not fit in the documented one: first the supports
/// with words to compare, which prove it, then those without, which go with them unless it turns out that
/// the text was changed.
fn reread(texts: &Texts, response: &Response, better: &Fit, proven: bool, anchors: &mut [Anchor]) {
    let reading = better.reading;
    let verdict = match () {
        () if reading.unit != response.unit => Verdict::Unit,
        () if reading.base != Base::Answer => Verdict::Base,
        () if reading.shift != 0 => Verdict::Shifted,
        // Services disagree on the ends of this format; what most quotes say is no fault.
        () if response.inclusive => Verdict::Exact,
        () => Verdict::Inclusive,
    };
    // A unit in which all fit holds for those, too, whose quote stands by chance where the documented one
    // names it: words that occur several times.
    let of_unit = Reading { unit: reading.unit, ..Reading::documented(response) };
    let all = better.fitting == better.of;
    let chance = reading == of_unit && all && better.fitting > better.documented + 1;
    // So it does where it names a part and stands in another, as a sentence that both have.
    let strays = |segment: &Segment, anchor: &Anchor| {
        let part = segment.part.filter(|&part| part > 0 && all && reading.base == Base::Part);
        let part = part.and_then(|part| part_range(response, part));
        let found = part.zip(anchor.range.as_ref());
        found.is_some_and(|(part, range)| range.start < part.start || part.end < range.end)
    };
    for (support, anchor) in response.supports.iter().zip(anchors) {
        let Some(segment) = support.segment.as_ref().filter(|segment| {
            (anchor.verdict != Verdict::Exact || chance || strays(segment, anchor))
                && anchor.fault.is_none()
                && support.own.placed.is_none()
                && !support.earlier
                && support.kind != AnchorKind::Block
        }) else {
            continue;
        };
        let shown = texts.proofs().shown(support);
        let searched = shown.is_searched();
        // Where no words say otherwise it counts in its part.
        let silent = better.proof == FitProof::Boundaries;
        let at_home = if silent { texts.read_in_part(segment, reading) } else { None };
        let base = if at_home.is_some() { Base::Part } else { reading.base };
        let Some(range) = at_home.or_else(|| texts.read(segment, reading)) else { continue };
        let fits = (!searched || texts.proofs().fits(&shown, &range)) && searched == proven;
        // What names a sentence as it was sent does not go with the others where it would cut some; what ends
        // past the text names none.
        let sent = anchor.range.as_ref().filter(|_| !searched && anchor.verdict != Verdict::Clamped);
        if sent.is_some_and(|sent| Extent::of(response.text(), sent) > Extent::of(response.text(), &range)) {
            continue;
        }
        // Where both readings name the same bytes there is nothing to say.
        if fits && anchor.range.as_ref() != Some(&range) {
            *anchor = Anchor {
                range: Some(range),
                base,
                delta: reading.shift,
                end_delta: reading.shift.saturating_sub(i64::from(reading.inclusive)),
                ..placeless(verdict, reading.unit)
            };
        }
    }
}

/// What a range of a text names, the likelier the more it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Extent {
    /// It begins or ends inside a word.
    CutWords,
    /// It begins and ends between words.
    Words,
    /// It begins with a word and ends with a sentence.
    Sentences,
}

impl Extent {
    /// Of a range.
    pub fn of(text: &str, range: &Range<usize>) -> Self {
        let words = text.get(range.clone()).unwrap_or_default();
        let before = text.get(..range.start).and_then(|before| before.chars().next_back());
        let begins = !words.starts_with(char::is_whitespace) && before.is_none_or(char::is_whitespace);
        match () {
            () if is_in_word(text, range.start) || is_in_word(text, range.end) => Self::CutWords,
            () if begins && words.ends_with(ends_sentence) => Self::Sentences,
            () => Self::Words,
        }
    }
}

/// Whether each support came with one of its offsets only: that says nothing of where the text was changed. A
/// start of 0 may be left out; where the end is right and the start is not, it was not that.
fn half_sent(response: &Response, anchors: &[Anchor]) -> Vec<bool> {
    let half = |segment: &Segment, anchor: &Anchor| {
        segment.end.is_none() || segment.start.is_none() && anchor.delta != 0 && anchor.end_delta == 0
    };
    let pairs = response.supports.iter().zip(anchors);
    pairs
        .map(|(support, anchor)| support.segment.as_ref().is_some_and(|segment| half(segment, anchor)))
        .collect()
}

/// In the documented unit and base. What has a quote or an address that does not agree is `Gone` until it is
/// looked for.
fn place(response: &Response, texts: &Texts, support: &Support, fit: &mut Fit) -> Anchor {
    let by_structure =
        support.own.mark.as_ref().filter(|_| support.is_inferred() && support.segment.is_none());
    if let Some(range) = support.own.placed.as_ref().or(by_structure) {
        return Anchor { range: Some(range.clone()), ..placeless(Verdict::AsSent, Unit::Bytes) };
    }
    if support.earlier {
        return placeless(Verdict::Earlier, response.unit);
    }
    let (answer, units) = (response.text(), texts.units());
    // A block that never came has no place.
    if support.kind == AnchorKind::Block {
        return placeless(Verdict::Gone, response.unit);
    }
    let Some(segment) = &support.segment else { return placeless(Verdict::Whole, response.unit) };
    if segment.start.is_none() && segment.end.is_none() && segment.quote.is_none() {
        return placeless(Verdict::Whole, response.unit);
    }
    if segment.unreadable.is_some() {
        return Anchor { fault: Some(Fault::Unreadable), ..placeless(Verdict::Gone, response.unit) };
    }
    fit.of += 1;
    let shown = texts.proofs().shown(support);
    let unnamed = names_no_part(response, segment).then_some(Fault::NoPart);
    let bases: &[Base] = match (segment.part.is_some_and(|part| part > 0), unnamed.is_some()) {
        (true, true) if !shown.is_searched() => &[],
        (true, true) | (false, _) => &[Base::Answer],
        // Marks and points count in their part and nowhere else.
        (true, false) if matches!(shown, Shown::Point | Shown::Mark(_)) => &[Base::Part],
        (true, false) => &[Base::Part, Base::Answer],
    };
    let mut first = None;
    for &base in bases {
        let reading = Reading { base, ..Reading::documented(response) };
        let resolved = resolve(response, answer, units, segment, reading);
        let other = base == Base::Answer && bases.len() > 1;
        let strays = |range: &Range<usize>| other && texts.strays(segment, &shown, range);
        let fits = |range: &Range<usize>| texts.proofs().fits(&shown, range) && !strays(range);
        if resolved.range.as_ref().is_some_and(fits) {
            fit.fitting += 1;
            let verdict = if shown.is_proof() { Verdict::Exact } else { Verdict::AsSent };
            return Anchor {
                range: resolved.range,
                base,
                fault: unnamed,
                ..placeless(verdict, response.unit)
            };
        }
        first.get_or_insert((resolved, base));
    }
    if let Some(anchor) = of_no_part(response, texts, segment) {
        fit.of -= 1;
        return anchor;
    }
    let (resolved, base) = first.unwrap_or_default();
    let gone = Anchor { base, ..placeless(Verdict::Gone, response.unit) };
    misfit(answer, shown.is_searched(), &resolved, gone)
}

/// What does not fit as documented: with words to compare it is looked for, without it is cut to the text.
fn misfit(answer: &str, searched: bool, resolved: &Resolved, gone: Anchor) -> Anchor {
    let mut anchor = Anchor { split: resolved.split, outside: resolved.outside, ..gone };
    if !searched {
        anchor.range = resolved
            .range
            .clone()
            .or_else(|| clamped(answer, resolved))
            .filter(|range| !range.is_empty() || resolved.range.is_some());
        anchor.verdict = match (&anchor.range, resolved.range.is_some()) {
            (Some(_), true) => Verdict::AsSent,
            (Some(_), false) => Verdict::Clamped,
            (None, _) => Verdict::Gone,
        };
    }
    anchor
}

/// A segment that fits neither the answer nor the part that it names, where that part is none of the answer's
/// or fits when thoughts and calls are not counted.
fn of_no_part(response: &Response, texts: &Texts, segment: &Segment) -> Option<Anchor> {
    let part = segment.part.filter(|&part| part != 0 && knows_parts(response))?;
    let quote = segment.quote.as_deref().filter(|quote| !quote.is_empty());
    let (answer, units) = (response.text(), texts.units());
    let own = texts.text_part(part).and_then(|range| {
        let moved = moved(segment, units.count(response.unit, range.start) as i64);
        let found = resolve(response, answer, units, &moved, Reading::documented(response)).range?;
        (found.end <= range.end && answer.get(found.clone()) == quote).then_some(found)
    });
    let blank = placeless(Verdict::Gone, response.unit);
    if own.is_some() {
        let fault = Some(Fault::PartsOfTheAnswer);
        return Some(Anchor { range: own, verdict: Verdict::Base, base: Base::Part, fault, ..blank });
    }
    names_no_part(response, segment).then_some(Anchor { fault: Some(Fault::NoPart), ..blank })
}

/// Whether a segment counts in a part that is not there, or that holds no text of the answer.
fn names_no_part(response: &Response, segment: &Segment) -> bool {
    let part = segment.part.filter(|&part| part != 0);
    part.is_some_and(|part| knows_parts(response) && part_range(response, part).is_none())
}

/// Whether all parts of the content are there to be counted.
fn knows_parts(response: &Response) -> bool {
    !response.parts.is_empty() && !response.remarks.iter().any(|remark| remark.kind == RemarkKind::Fragment)
}

/// What a segment names over the documented base in some unit, cut to the answer and to whole characters.
pub fn read_as(
    response: &Response,
    units: &Units,
    segment: &Segment,
    unit: Unit,
) -> (Option<Range<usize>>, Resolved) {
    if segment.unreadable.is_some() || names_no_part(response, segment) {
        return (None, Resolved::default());
    }
    let answer = response.text();
    let base = if segment.part.is_some_and(|part| part > 0) { Base::Part } else { Base::Answer };
    let reading = Reading { unit, base, ..Reading::documented(response) };
    let resolved = resolve(response, answer, units, segment, reading);
    (clamped(answer, &resolved), resolved)
}

/// How many segments fit in each unit, of those that have something to compare with: bytes, characters,
/// UTF-16 units.
pub fn votes(response: &Response) -> [usize; 3] {
    let (units, proofs) = (Units::of(response.text()), Proofs::of(response, response.text()));
    Unit::ALL.map(|unit| {
        let fits = |support: &&Support| {
            let Some(segment) = support.segment.as_ref() else { return false };
            let shown = proofs.shown(support);
            let over_answer =
                || read_in(response, &units, segment, Reading { unit, ..Reading::documented(response) });
            let own = read_as(response, &units, segment, unit).1.range;
            let fits = |range: &Range<usize>| proofs.fits(&shown, range);
            !matches!(shown, Shown::Nothing)
                && (own.as_ref().is_some_and(fits)
                    || shown.is_quote() && over_answer().as_ref().is_some_and(fits))
        };
        response.supports.iter().filter(fits).count()
    })
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

/// Looks for the quotes and the marks that are not where they were said to be.
fn reanchor(response: &Response, texts: &Texts, anchors: &mut [Anchor]) {
    remark(response, texts, anchors);
    let (answer, units) = (response.text(), texts.units());
    let mut index = Occurrences::of(answer);
    let lost: Vec<(usize, &Segment, &str)> = response
        .supports
        .iter()
        .enumerate()
        .filter(|&(number, _)| anchors.get(number).is_some_and(|anchor| anchor.verdict == Verdict::Gone))
        .filter(|(_, support)| support.kind != AnchorKind::Block)
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
        let near = resolve(response, answer, units, segment, Reading::documented(response))
            .rough
            .map_or(0, |(start, _)| start);
        let Some((found, anchor)) = index.find(quote, near).zip(anchors.get_mut(number)) else { continue };
        anchor.verdict = if found.count > 1 { Verdict::Ambiguous } else { Verdict::Reanchored };
        anchor.occurrences = found.count;
        anchor.elided = found.elided;
        anchor.range = Some(found.range);
    }
    end_elided(answer, &lost, anchors);
    for &(number, segment, _) in &lost {
        if let Some(anchor) = anchors.get_mut(number) {
            measure(response, units, segment, anchor);
            // It stands where it was said to, written otherwise: other blanks, composed letters.
            let found = matches!(anchor.verdict, Verdict::Reanchored | Verdict::Ambiguous) && !anchor.elided;
            let stands = (anchor.delta, anchor.end_delta) == (0, 0)
                || response.inclusive && (anchor.delta, anchor.end_delta) == (0, 1);
            if found && stands && anchor.fault.is_none() {
                anchor.verdict = Verdict::Exact;
            }
        }
    }
}

/// Looks for marks by what they name; where no link does, what stands at the offsets is taken for the mark.
fn remark(response: &Response, texts: &Texts, anchors: &mut [Anchor]) {
    let mut known: HashMap<Vec<&str>, Cow<[Range<usize>]>> = HashMap::new();
    for (support, anchor) in response.supports.iter().zip(anchors) {
        let Some(segment) =
            support.segment.as_ref().filter(|_| anchor.verdict == Verdict::Gone && anchor.fault.is_none())
        else {
            continue;
        };
        let Shown::Mark(names) = texts.proofs().shown(support) else { continue };
        let reading = Reading { base: anchor.base, ..Reading::documented(response) };
        let resolved = resolve(response, response.text(), texts.units(), segment, reading);
        let near = resolved.rough.map_or(0, |(start, _)| start);
        let found = known.entry(names).or_insert_with_key(|names| texts.proofs().marks(names));
        let next = found.partition_point(|mark| mark.start < near);
        let beside = found.iter().skip(next.saturating_sub(1)).take(2);
        if let Some(mark) = beside.min_by_key(|mark| mark.start.abs_diff(near)) {
            anchor.verdict = if found.len() > 1 { Verdict::Ambiguous } else { Verdict::Reanchored };
            anchor.occurrences = found.len() as u32;
            anchor.range = Some(mark.clone());
            measure(response, texts.units(), segment, anchor);
            // Counted over the whole answer, where it names a part.
            let whole = Reading { base: Base::Answer, ..reading };
            let joined = resolve(response, response.text(), texts.units(), segment, whole).range;
            if anchor.base == Base::Part && joined.as_ref() == Some(mark) {
                (anchor.verdict, anchor.base, anchor.outside) = (Verdict::Base, Base::Answer, false);
            }
        } else {
            *anchor = misfit(response.text(), false, &resolved, anchor.clone());
        }
    }
}

/// By how much the offsets of a segment are off from where its quote was found, in the documented unit and
/// base.
fn measure(response: &Response, units: &Units, segment: &Segment, anchor: &mut Anchor) {
    let Some(range) = anchor.range.clone().filter(|_| anchor.fault.is_none()) else { return };
    let part = segment.part.filter(|_| anchor.base == Base::Part).and_then(|part| part_range(response, part));
    let base = units.count(response.unit, part.map_or(0, |part| part.start)) as i64;
    let off = |sent: Option<i64>, right: usize| {
        sent.unwrap_or_default().saturating_sub(units.count(response.unit, right) as i64 - base)
    };
    anchor.delta = off(segment.start, range.start);
    anchor.end_delta = off(segment.end, range.end).saturating_add(i64::from(response.inclusive));
}

/// An elided quote ends at the last sentence end that lies before the end of its sent length, the start of
/// the next support and the end of the text; else at the end of its sentence.
fn end_elided(answer: &str, lost: &[(usize, &Segment, &str)], anchors: &mut [Anchor]) {
    let mut starts: Vec<usize> =
        anchors.iter().filter_map(|anchor| anchor.range.as_ref().map(|range| range.start)).collect();
    starts.sort_unstable();
    if !anchors.iter().any(|anchor| anchor.elided) {
        return;
    }
    let ends: Vec<usize> = sentence_ends(answer).collect();
    for &(number, segment, _) in lost {
        let Some(anchor) = anchors.get_mut(number).filter(|anchor| anchor.elided) else { continue };
        let Some(range) = anchor.range.clone() else { continue };
        let length =
            segment.end.unwrap_or_default().saturating_sub(segment.start.unwrap_or_default()).max(0) as usize;
        let next = starts
            .get(starts.partition_point(|&start| start <= range.start))
            .copied()
            .unwrap_or(answer.len());
        let limit = range.start.saturating_add(length).min(next).min(answer.len());
        anchor.range = Some(range.start..sentence_end(&ends, range.start, limit, answer.len()));
    }
}

#[cfg(test)]
mod tests;
