//! The reading in which most segments fit: unit, base, inclusive ends, one constant shift. Another reading
//! than the documented one needs strictly more fits; ties go to the simpler one. Without quotes and marks
//! only the unit is inferred.

use std::cell::Cell;
use std::collections::HashMap;
use std::ops::Range;

use super::proof::{Claims, Proofs, Shown};
use super::reading::{Base, Fit, FitProof, Reading, moved, part_range, resolve, text_parts};
use super::sentence::is_closing;
use super::units::Units;
use super::verdict::{Anchor, Verdict};
use crate::model::{AnchorKind, Part, Proof, Response, Segment, Support, Unit};
use crate::text::ends_sentence;

/// Quotes whose occurrences vote for a shift.
const VOTERS: usize = 200;
/// Occurrences of a quote that count as a vote.
const OCCURRENCES: usize = 8;
/// Parts in which a segment that names none is looked for.
const PARTS: usize = 64;
/// Bytes in which quotes are looked for in the parts that they name.
const LOOKED_THROUGH: usize = 64 << 20;
/// How much better the boundaries of a unit must be, where nothing else decides.
const LEAD: f64 = 0.05;

/// A response ready to be read in several ways.
pub(super) struct Texts<'a> {
    response: &'a Response,
    answer: &'a str,
    proofs: Proofs<'a>,
    units: Units<'a>,
    /// The parts that are text of the answer.
    parts: Vec<Range<usize>>,
    /// The text parts with the thoughts between them, where there are thoughts.
    joined: Option<(&'a Joined, Units<'a>)>,
    /// Supports whose offsets say nothing, whatever the reading.
    silent: Vec<usize>,
    /// Bytes in which quotes that stand in another part may still be looked for in their own.
    left: Cell<usize>,
}

/// Answer and thoughts in their order, and where the pieces of the answer lie: joined byte, answer byte,
/// length.
pub(super) struct Joined {
    text: String,
    pieces: Vec<(usize, usize, usize)>,
}

impl<'a> Texts<'a> {
    pub fn of(response: &'a Response, answer: &'a str, joined: Option<&'a Joined>) -> Self {
        Self {
            response,
            answer,
            proofs: Proofs::of(response, answer),
            units: Units::of(answer),
            parts: text_parts(response).collect(),
            joined: joined.map(|joined| (joined, Units::of(&joined.text))),
            silent: Vec::new(),
            left: Cell::new(LOOKED_THROUGH),
        }
    }

    /// Without the supports whose offsets say nothing of this answer.
    pub fn without(mut self, anchors: &[Anchor]) -> Self {
        let says_nothing = |anchor: &Anchor| anchor.fault.is_some() || anchor.verdict == Verdict::Earlier;
        let silent = anchors.iter().enumerate().filter(|(_, anchor)| says_nothing(anchor));
        self.silent = silent.map(|(support, _)| support).collect();
        self
    }

    pub fn units(&self) -> &Units<'a> {
        &self.units
    }

    /// The text of a part, by its number among those that are text of the answer.
    pub fn text_part(&self, part: i64) -> Option<&Range<usize>> {
        self.parts.get(usize::try_from(part).ok()?)
    }

    pub fn proofs(&self) -> &Proofs<'a> {
        &self.proofs
    }

    /// The bytes of the answer that a segment names in a reading.
    pub fn read(&self, segment: &Segment, reading: Reading) -> Option<Range<usize>> {
        if reading.base == Base::Part && segment.part.is_none_or(|part| part <= 0) {
            return self.read_in_own_part(segment, reading);
        }
        if reading.base != Base::WithThoughts {
            return resolve(self.response, self.answer, &self.units, segment, reading).range;
        }
        let (joined, units) = self.joined.as_ref()?;
        let offset = |sent: Option<i64>, more: i64| {
            let offset =
                usize::try_from(sent.unwrap_or_default().saturating_sub(reading.shift).saturating_add(more))
                    .ok()?;
            units.byte(reading.unit, offset).ok()
        };
        let (start, end) = (offset(segment.start, 0)?, offset(segment.end, i64::from(reading.inclusive))?);
        let next = joined.pieces.partition_point(|(from, _, _)| *from <= start);
        let (from, answer_from, length) = joined.pieces.get(next.checked_sub(1)?).copied()?;
        (start < from + length && start <= end && end <= from + length)
            .then(|| answer_from + start - from..answer_from + end - from)
    }

    /// Whether a quote lies in another part than the one that it names, which has the same words, too.
    pub fn strays(&self, segment: &Segment, shown: &Shown, range: &Range<usize>) -> bool {
        let part = segment.part.filter(|_| shown.is_quote()).and_then(|part| part_range(self.response, part));
        let Some(part) = part.filter(|part| range.start < part.start || part.end < range.end) else {
            return false;
        };
        let (own, words) = (self.answer.get(part), self.answer.get(range.clone()));
        let (own, words) = (own.unwrap_or_default(), words.unwrap_or_default());
        let left = self.left.get().checked_sub(own.len());
        self.left.set(left.unwrap_or_default());
        left.is_some()
            && !words.is_empty()
            && memchr::memmem::find(own.as_bytes(), words.as_bytes()).is_some()
    }

    /// Whether a mark or a point lies in the part that it stands in: elsewhere it is of another text.
    fn is_at_home(&self, segment: &Segment, shown: &Shown, range: &Range<usize>) -> bool {
        let part = segment.part.filter(|_| matches!(shown, Shown::Mark(_) | Shown::Point));
        let part = part.and_then(|part| part_range(self.response, part));
        part.is_none_or(|part| part.start <= range.start && range.end <= part.end)
    }

    /// The same over the part that a segment names, if it can count there.
    pub fn read_in_part(&self, segment: &Segment, reading: Reading) -> Option<Range<usize>> {
        let names_one = segment.part.is_some_and(|part| part > 0) && reading.base == Base::Answer;
        names_one.then(|| self.read(segment, Reading { base: Base::Part, ..reading })).flatten()
    }

    fn read_at_home(&self, segment: &Segment, reading: Reading) -> Option<Range<usize>> {
        self.read_in_part(segment, reading).or_else(|| self.read(segment, reading))
    }

    /// Over a part that the segment does not name: the first one in which its quote stands there.
    fn read_in_own_part(&self, segment: &Segment, reading: Reading) -> Option<Range<usize>> {
        let quote = segment.quote.as_deref().filter(|quote| !quote.is_empty())?;
        self.parts.iter().take(PARTS).find_map(|range| {
            let moved = moved(segment, self.units.count(reading.unit, range.start) as i64);
            let whole = Reading { base: Base::Answer, ..reading };
            let found = resolve(self.response, self.answer, &self.units, &moved, whole).range?;
            (found.end <= range.end && self.answer.get(found.clone()) == Some(quote)).then_some(found)
        })
    }

    /// Where a place of the answer lies in a base, in a unit.
    fn count(&self, unit: Unit, base: Base, segment: &Segment, byte: usize) -> Option<i64> {
        match base {
            Base::Answer => Some(self.units.count(unit, byte) as i64),
            Base::Part => {
                let part = part_range(self.response, segment.part?)?;
                Some(self.units.count(unit, byte) as i64 - self.units.count(unit, part.start) as i64)
            }
            Base::WithThoughts => {
                let (joined, units) = self.joined.as_ref()?;
                let next = joined.pieces.partition_point(|(_, answer_from, _)| *answer_from <= byte);
                let (from, answer_from, _) = joined.pieces.get(next.checked_sub(1)?).copied()?;
                Some(units.count(unit, from + byte - answer_from) as i64)
            }
        }
    }
}

/// Answer and thoughts in their order, where there are thoughts.
pub(super) fn joined(response: &Response, answer: &str) -> Option<Joined> {
    let mut out = Joined { text: String::new(), pieces: Vec::new() };
    let mut thoughts = false;
    for part in &response.parts {
        match part {
            Part::Text(range) => {
                out.pieces.push((out.text.len(), range.start, range.len()));
                out.text.push_str(answer.get(range.clone())?);
            }
            Part::Thought(trace) => {
                thoughts = true;
                out.text.push_str(response.traces.get(*trace)?.thought.as_deref()?);
            }
            Part::Other => {}
        }
    }
    thoughts.then_some(out)
}

/// The best reading, where it fits strictly more than the documented one.
pub(super) fn search(texts: &Texts, documented: &Fit) -> Option<Fit> {
    match documented.proof {
        FitProof::Quotes | FitProof::Markers => by_words(texts, documented),
        FitProof::Slots => {
            let mark = |texts: &Texts, unit| {
                Some(slots(texts, Reading { unit, ..Reading::documented(texts.response) }) as f64)
            };
            by_unit(texts, documented, mark, 0.5).or_else(|| beside_slots(texts, documented))
        }
        FitProof::Boundaries | FitProof::None => by_unit(texts, documented, boundaries, LEAD),
        FitProof::Structure => None,
    }
}

fn heard<'t>(texts: &'t Texts<'_>) -> impl Iterator<Item = (&'t Support, &'t Segment)> {
    let supports = texts.response.supports.iter().enumerate();
    let heard = supports.filter(|(number, _)| texts.silent.binary_search(number).is_err());
    let heard = heard.filter(|(_, support)| support.kind != AnchorKind::Block);
    heard.filter_map(|(_, support)| Some((support, support.segment.as_ref()?)))
}

fn segments<'t>(texts: &'t Texts<'_>) -> impl Iterator<Item = &'t Segment> {
    heard(texts).map(|(_, segment)| segment)
}

/// A segment with what is looked for in the text.
struct Voter<'t> {
    segment: &'t Segment,
    shown: Shown<'t>,
    /// It is the claim before its mark: one that is as long as that is moved onto it by some number, too.
    claims: Claims,
}

impl<'t> Voter<'t> {
    /// All of a response; as what they are read is told by the documented reading.
    fn all(texts: &'t Texts, documented: Reading) -> Vec<Self> {
        let shown = heard(texts).map(|(support, segment)| (segment, texts.proofs.shown(support)));
        let voter = |(segment, shown): (&'t Segment, Shown<'t>)| {
            let range = texts.read(segment, documented);
            let claims = range.map_or(Claims::No, |range| texts.proofs.claims(&shown, &range));
            Self { segment, shown, claims }
        };
        shown.filter(|(_, shown)| shown.is_searched()).map(voter).collect()
    }

    fn fits(&self, texts: &Texts, reading: Reading) -> bool {
        let Self { segment, shown, claims } = self;
        let is_claim = *claims == Claims::Surely && reading.shift != 0;
        let read = if is_claim { None } else { texts.read(segment, reading) };
        read.is_some_and(|range| {
            texts.proofs.fits(shown, &range)
                && (reading == Reading::documented(texts.response) || texts.proofs.is_whole(shown, &range))
                && texts.is_at_home(segment, shown, &range)
                && !texts.strays(segment, shown, &range)
        })
    }
}

/// By quotes, and by marks that name their sources.
fn by_words(texts: &Texts, documented: &Fit) -> Option<Fit> {
    let voters = Voter::all(texts, documented.reading);
    let fits = |reading: Reading| voters.iter().filter(|voter| voter.fits(texts, reading)).count();
    let own = fits(documented.reading);
    if own == voters.len() {
        return None;
    }
    let misfits: Vec<&Voter> =
        voters.iter().filter(|voter| !voter.fits(texts, documented.reading)).take(VOTERS).collect();
    let lost: Vec<(&Segment, Vec<usize>)> =
        misfits.iter().map(|voter| (voter.segment, texts.proofs.places(&voter.shown, OCCURRENCES))).collect();
    // What occurs several times fits by chance: two lines of a list are apart by some number, too. All
    // of them do not, where several are explained.
    let is_told = |reading: Reading, count: usize| {
        let is_sure = || is_of_several(texts, reading, &misfits) || are_nearest(texts, reading, &lost);
        let mut lost = misfits.iter().zip(&lost).filter(|(_, (_, places))| places.len() == 1);
        let all = count == voters.len() && (reading.shift == 0 || count >= own + 2 && is_sure());
        all || lost.any(|(voter, _)| voter.fits(texts, reading))
    };
    // A few claims before their marks fit by chance, too.
    let is_proven = |reading: Reading, count: usize| {
        let is_sure = |voter: &&Voter| voter.claims == Claims::No;
        reading.shift == 0
            || count >= own + 2 && count * 2 > voters.len()
            || voters.iter().filter(is_sure).any(|voter| voter.fits(texts, reading))
    };
    let mut best = (own, documented.reading);
    let mut rivals = 0;
    for reading in readings(texts, documented.reading, &lost) {
        let count = fits(reading);
        if count > best.0 && is_told(reading, count) && is_proven(reading, count) {
            best = (count, reading);
            rivals = 0;
        } else if count == best.0
            && reading == (Reading { shift: reading.shift, ..best.1 })
            && best.1.shift != 0
        {
            rivals += 1;
        }
    }
    // Of two shifts that fit equally well, as with one word that occurs twice, neither is known.
    if rivals > 0 {
        return None;
    }
    // One quote alone does not move supports that nothing else speaks for: it may be the faulty one.
    let silent = voters.len() < heard(texts).count();
    if silent && best.1.shift != 0 && best.0 - own < 2 {
        return None;
    }
    // Supports without a quote do not vote; they go with the others.
    (best.0 > own).then_some(Fit { reading: best.1, fitting: best.0, documented: own, ..*documented })
}

/// Whether a reading explains more than one quote, of those that do not fit as documented, or what has none.
fn is_of_several(texts: &Texts, reading: Reading, misfits: &[&Voter]) -> bool {
    let fitting = || misfits.iter().filter(|voter| voter.fits(texts, reading)).map(|voter| voter.segment);
    let first = fitting().next().and_then(|segment| segment.quote.as_deref());
    first.is_none() || fitting().any(|segment| segment.quote.as_deref() != first)
}

/// Whether a reading shifts each to the nearest of the places where its words stand: equal sentences are
/// apart by some number, too.
fn are_nearest(texts: &Texts, reading: Reading, lost: &[(&Segment, Vec<usize>)]) -> bool {
    let start = |segment: &Segment, reading| texts.read(segment, reading).map(|range| range.start);
    lost.iter().all(|(segment, places)| {
        // Over a part that it does not name, only what has its words is read.
        let unmoved = Reading { shift: 0, ..reading };
        let sent =
            start(segment, unmoved).or_else(|| start(segment, Reading { base: Base::Answer, ..unmoved }));
        let sent = sent.zip(start(segment, reading));
        sent.is_none_or(|(sent, read)| places.iter().all(|place| place.abs_diff(sent) >= read.abs_diff(sent)))
    })
}

/// Readings in the order of their simplicity.
fn readings(texts: &Texts, documented: Reading, lost: &[(&Segment, Vec<usize>)]) -> Vec<Reading> {
    let mut units = vec![documented.unit];
    if !texts.units.agree() {
        units.extend(Unit::ALL.into_iter().filter(|&unit| unit != documented.unit));
    }
    let mut bases = vec![Base::Answer];
    let several = texts.response.parts.iter().filter(|part| matches!(part, Part::Text(_))).nth(1).is_some();
    if several || segments(texts).any(|segment| segment.part.is_some()) {
        bases.push(Base::Part);
    }
    if texts.joined.is_some() {
        bases.push(Base::WithThoughts);
    }
    let mut plain = Vec::new();
    let mut shifted = Vec::new();
    for inclusive in [documented.inclusive, !documented.inclusive] {
        for &base in &bases {
            for &unit in &units {
                plain.push(Reading { unit, base, inclusive, shift: 0 });
                shifted.extend(shifts(texts, unit, base, lost).into_iter().map(|shift| Reading {
                    unit,
                    base,
                    inclusive,
                    shift,
                }));
            }
        }
    }
    // A text that begins like another is off by its length over all of them, and by less over its own.
    shifted.sort_by_key(|reading| reading.shift.unsigned_abs());
    plain.extend(shifted);
    plain
}

/// The three shifts that most lost quotes ask for.
fn shifts(texts: &Texts, unit: Unit, base: Base, lost: &[(&Segment, Vec<usize>)]) -> Vec<i64> {
    let mut votes: HashMap<i64, usize> = HashMap::new();
    for (segment, places) in lost {
        for &place in places {
            if let Some(right) = texts.count(unit, base, segment, place) {
                *votes.entry(segment.start.unwrap_or_default().saturating_sub(right)).or_default() += 1;
            }
        }
    }
    votes.remove(&0);
    let mut ranked: Vec<(i64, usize)> = votes.into_iter().collect();
    ranked.sort_by_key(|&(shift, count)| (usize::MAX - count, shift.unsigned_abs(), shift));
    ranked.into_iter().take(3).map(|(shift, _)| shift).collect()
}

/// The unit with the best mark, where it beats the documented one by more than `lead`.
fn by_unit(
    texts: &Texts,
    documented: &Fit,
    mark: impl Fn(&Texts, Unit) -> Option<f64>,
    lead: f64,
) -> Option<Fit> {
    if texts.units.agree()
        || documented.of == 0
        || texts.response.supports.iter().any(|support| support.own.placed.is_some())
    {
        return None;
    }
    let own = mark(texts, documented.reading.unit)?;
    let mut best = (own + lead, None);
    for unit in Unit::ALL.into_iter().filter(|&unit| unit != documented.reading.unit) {
        let marked = mark(texts, unit)?;
        if marked > best.0 {
            best = (marked, Some(unit));
        }
    }
    let unit = best.1?;
    let reading = Reading { unit, ..documented.reading };
    let fits = |reading: Reading| {
        let fit = |(support, segment): &(&Support, &Segment)| {
            let range = texts.read_at_home(segment, reading);
            range.is_some_and(|range| texts.proofs.fits(&texts.proofs.shown(support), &range))
        };
        heard(texts).filter(fit).count()
    };
    let proof = if documented.proof == FitProof::Slots { FitProof::Slots } else { FitProof::Boundaries };
    Some(Fit {
        reading,
        fitting: fits(reading),
        documented: fits(documented.reading),
        of: documented.of,
        proof,
    })
}

/// Segments that end at a reserved blank, or before closing punctuation.
fn slots(texts: &Texts, reading: Reading) -> usize {
    let is_slot = |(support, segment): &(&Support, &Segment)| {
        let range = texts.read_at_home(segment, reading);
        range.is_some_and(|range| texts.proofs.fits(&texts.proofs.shown(support), &range))
    };
    heard(texts).filter(is_slot).count()
}

/// Ends of which each is as far from its reserved blank: they name the last unit, or all offsets are off.
/// That this is so by chance is out of the question for a few of them only.
fn beside_slots(texts: &Texts, documented: &Fit) -> Option<Fit> {
    const FEWEST: usize = 3;
    let response = texts.response;
    let slots_prove = response.proof == Proof::Slots && response.supports.len() == documented.of;
    if !slots_prove || documented.fitting > 0 || documented.of < FEWEST {
        return None;
    }
    let own = documented.reading;
    let shifted = [-1, 1, -2, 2].map(|shift| Reading { shift, ..own });
    let readings = std::iter::once(Reading { inclusive: !own.inclusive, ..own }).chain(shifted);
    // Where its segments begin tells a shift from ends that are inclusive.
    let begins = |reading: Reading| -> f64 {
        let start = |segment| texts.read_at_home(segment, reading).map(|range| range.start);
        segments(texts).filter_map(start).map(|start| start_quality(texts.answer, start)).sum()
    };
    let all = readings.filter(|&reading| slots(texts, reading) == documented.of);
    let marked: Vec<(f64, Reading)> = all.map(|reading| (begins(reading), reading)).collect();
    let best = marked.iter().map(|(begins, _)| *begins).max_by(f64::total_cmp)?;
    let mut those = marked.into_iter().filter(|(begins, _)| *begins >= best);
    let (_, reading) = those.next()?;
    // Of two that explain as much neither is known.
    those.next().is_none().then_some(Fit { reading, fitting: documented.of, documented: 0, ..*documented })
}

/// Mean quality of the boundaries: starts at the text's start or after a sentence, ends at a sentence's end;
/// a break between words is worth half, an offset inside a character or past the end is impossible.
fn boundaries(texts: &Texts, unit: Unit) -> Option<f64> {
    let reading = Reading { unit, ..Reading::documented(texts.response) };
    let qualities: Vec<f64> = segments(texts)
        .map(|segment| {
            texts.read_at_home(segment, reading).map_or(-1.0, |range| {
                f64::midpoint(start_quality(texts.answer, range.start), end_quality(texts.answer, range.end))
            })
        })
        .collect();
    (!qualities.is_empty()).then(|| qualities.iter().sum::<f64>() / qualities.len() as f64)
}

fn start_quality(text: &str, at: usize) -> f64 {
    let (before, after) = text.split_at_checked(at).unwrap_or_default();
    let blank = after.chars().next().is_some_and(char::is_whitespace);
    match before.trim_end().chars().next_back() {
        None => 1.0,
        Some(last) if ends_sentence(last) && !blank => 1.0,
        _ if before.ends_with(char::is_whitespace) && !blank => 0.5,
        _ => 0.0,
    }
}

fn end_quality(text: &str, at: usize) -> f64 {
    let (before, after) = text.split_at_checked(at).unwrap_or_default();
    let next = after.chars().next();
    let cell_ends = || after.trim_start_matches(' ').starts_with(['|', '\n']);
    match before.chars().next_back() {
        _ if after.is_empty() => 1.0,
        Some(last) if ends_sentence(last) => 1.0,
        Some(last) if last.is_whitespace() => 0.0,
        // Quotes, emphasis, brackets and marks may close behind the sign.
        Some(_) if without_closing(before).ends_with(ends_sentence) => 1.0,
        Some(',' | ';' | ':') => 0.9,
        _ if next.is_some_and(ends_sentence) || cell_ends() => 0.9,
        _ if next.is_some_and(|c| !c.is_alphanumeric()) => 0.5,
        _ => 0.0,
    }
}

/// Bytes of a mark that is a number.
const MARK_MOST: usize = 8;

/// The words before what closes behind them.
fn without_closing(words: &str) -> &str {
    let near = words.ceil_char_boundary(words.len().saturating_sub(MARK_MOST));
    let mark = words.strip_suffix(']').and_then(|inner| inner.get(near..)?.rfind('['));
    let words = mark.map_or(words, |open| words.get(..near + open).unwrap_or_default());
    words.trim_end_matches(|c| is_closing(c) || matches!(c, '"' | '\'' | '*' | '_' | '`'))
}
