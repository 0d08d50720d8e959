//! Frames that were put together to one response: where it is not certain that they are one, or that all of
//! it is there, offsets are left as they are.

use std::collections::{HashMap, HashSet};

use super::repair::{Edit, Refusal, Repairs};
use super::sent::Sent;
use crate::anchor::{self, Anchor, Fit, Units, Verdict};
use crate::format::{self, Boundary, Decoded, FrameGroup, FrameKind, Limits};
use crate::json::scan::skip_value;
use crate::model::{AnswerState, Notice, Response};
use crate::store::Container;

/// Leaves the supports as they are whose offsets may fit the text that was sent.
pub(super) fn leave_joined(
    mut found: Repairs,
    sent: &Sent,
    response: &Response,
    (anchors, fit): (&[Anchor], &Fit),
) -> Repairs {
    if found.edits.is_empty() {
        return found;
    }
    if response.partial {
        // They may count over what was said before.
        found.leave_where(Refusal::OfAPiece, |_| true);
    }
    if response.state == AnswerState::Truncated {
        // What is not there any more was quoted, too.
        found.leave_where(Refusal::Interrupted, |edits| edits.iter().any(is_back));
    }
    let first = found.edits.get(..2).and_then(shift).filter(|shift| *shift < 0);
    let mut of_supports = found.edits.chunk_by(|one, next| one.support == next.support);
    let alike = first.is_some() && of_supports.all(|edits| shift(edits) == first);
    let answer = response.text();
    // What is as long as all that is there is no slip in counting.
    let is_rest = |shift: i64| goes_on(answer) || shift.unsigned_abs() >= answer.len() as u64;
    let goes_on = first.is_some_and(|shift| shift <= -BEGINNING && is_rest(shift));
    if fit.documented == 0 && alike && (goes_on || lacks_beginning(sent)) {
        found.leave_where(Refusal::NoBeginning, |_| true);
    }
    // Where all fit in another unit, over another text or with other ends, nothing is missing.
    let explained = fit.reading.shift == 0 && fit.fitting == fit.of;
    // What a piece held that is not there was quoted, too.
    let lacks = found.refused.iter().any(|(_, why)| *why == Refusal::Gone);
    if lacks && !explained {
        found.leave_where(Refusal::Interrupted, |edits| shift(edits).is_some_and(|shift| shift < 0));
    }
    leave_pieces(found, sent, response, (!explained).then_some(anchors))
}

/// Units that a lost beginning has at least, and a piece behind what stands as it was sent: what is off by
/// less is counted otherwise.
const BEGINNING: i64 = 8;
const PIECE: i64 = 4;

/// Whether an answer begins as what goes on with something does.
fn goes_on(answer: &str) -> bool {
    answer.starts_with(|c: char| c.is_lowercase() || c.is_whitespace() || matches!(c, ',' | ';' | ')'))
}

/// Whether a stream does not begin with the event that begins such streams.
fn lacks_beginning(sent: &Sent) -> bool {
    let Some(first) = sent.text.frames().next().filter(|_| sent.text.len() > 1) else { return false };
    let goes_on =
        |group: &FrameGroup| matches!(group, FrameGroup::Stream { boundary: Boundary::Continues, .. });
    sent.format.announced && matches!(format::recognise(first), FrameKind::Known(_, group) if goes_on(&group))
}

fn is_back(edit: &Edit) -> bool {
    edit.new < edit.old.unwrap_or_default()
}

/// `anchors`: where the supports lie, unless another reading explains all offsets.
fn leave_pieces(mut found: Repairs, sent: &Sent, response: &Response, anchors: Option<&[Anchor]>) -> Repairs {
    let streamed = sent.text.len() > 1 || sent.text.container() == Container::Events;
    if !streamed || found.edits.is_empty() {
        return found;
    }
    let lacks = found.refused.iter().any(|(_, why)| *why == Refusal::Gone);
    let interrupted = is_interrupted(sent);
    let pieces = if interrupted { Pieces::default() } else { Pieces::of(sent, response, anchors) };
    let mut lengths = Lengths { pieces: &pieces.begins, known: HashMap::new() };
    let (explained, disordered) = (anchors.is_none(), is_disordered(&found.edits));
    let mut fits: HashMap<u32, bool> = HashMap::new();
    let mut fits_its_line = |support: usize| {
        let frame = response.supports.get(support).map_or(0, |support| support.origin.frame);
        sent.joined_lines().is_some() && *fits.entry(frame).or_insert_with(|| fits_alone(sent, frame))
    };
    let mut left: Vec<(usize, Refusal)> = Vec::new();
    for edits in found.edits.chunk_by(|one, next| one.support == next.support) {
        let Some(support) = edits.first().map(|edit| edit.support) else { continue };
        let begin = edits.first().map_or(0, |edit| edit.new);
        let why = match (interrupted, shift(edits)) {
            (true, _) => Refusal::Interrupted,
            (_, Some(_)) if lacks => Refusal::Interrupted,
            _ if disordered => Refusal::Disordered,
            _ if fits_its_line(support) => Refusal::OfItsLine,
            (_, Some(shift)) if shift > 0 && pieces.begins.binary_search(&shift).is_ok() => {
                Refusal::OfALaterPiece
            }
            (_, Some(shift))
                if !explained && shift > 0 && lengths.first_end(shift).is_some_and(|end| end <= begin) =>
            {
                Refusal::OfAPieceMore
            }
            (_, Some(shift))
                if !explained && (pieces.came_again_before(begin) || pieces.are_moved(begin, shift)) =>
            {
                Refusal::OfAPieceMore
            }
            (_, Some(shift)) if !explained && shift < 0 && pieces.may_lack_one_before(begin, -shift) => {
                Refusal::OfAPieceLess
            }
            _ => continue,
        };
        left.push((support, why));
    }
    found.leave(left);
    found
}

/// The pieces of a stream in the unit of its answer, as far as their texts make it.
#[derive(Default)]
struct Pieces {
    /// Where each begins, ascending.
    begins: Vec<i64>,
    /// How long each is.
    lengths: Vec<i64>,
    /// How long the shortest is.
    shortest: i64,
    /// Where the first one begins that says what one before it said.
    again: Option<i64>,
    /// They make all of the answer: no event tells it as a whole.
    are_all: bool,
    /// Where the supports end that stand as they were sent, ascending.
    rights: Vec<i64>,
}

impl Pieces {
    fn of(sent: &Sent, response: &Response, anchors: Option<&[Anchor]>) -> Self {
        let answer = response.text();
        let units = Units::of(answer);
        let count = |byte: usize| units.count(response.unit, byte) as i64;
        let (mut at, mut texts) = (0, Vec::new());
        for frame in sent.text.frames() {
            let Some(own) = alone(sent, frame) else { continue };
            let own = own.responses.iter().find(|own| own.item == response.item).map_or("", Response::text);
            let Some(text) = answer.get(at..at + own.len()).filter(|text| *text == own) else { break };
            if !own.is_empty() {
                texts.push((at, text));
            }
            at += own.len();
        }
        let right = anchors.unwrap_or_default().iter().filter(|anchor| anchor.verdict == Verdict::Exact);
        let mut rights: Vec<i64> =
            right.filter_map(|anchor| Some(count(anchor.range.as_ref()?.end))).collect();
        rights.sort_unstable();
        let begins: Vec<i64> = texts.iter().map(|&(at, _)| count(at)).collect();
        let ends = begins.iter().copied().skip(1).chain([count(at)]);
        let lengths: Vec<i64> = begins.iter().zip(ends).map(|(begin, end)| end - begin).collect();
        let shortest = lengths.iter().copied().min().unwrap_or(i64::MAX);
        let again = said_again(&texts).map(count);
        Self { begins, lengths, shortest, again, are_all: at == answer.len(), rights }
    }

    /// Whether a piece that may have come twice, or in the place of another, begins no later than a place.
    fn came_again_before(&self, place: i64) -> bool {
        self.again.is_some_and(|again| again <= place)
    }

    /// Whether what stands at a place is off as it is where two pieces around it stand in each other's place,
    /// or one that stands behind it belongs before it. Of very many pieces some always are.
    fn are_moved(&self, place: i64, shift: i64) -> bool {
        let before = self.begins.partition_point(|&begin| begin <= place).saturating_sub(1);
        let (before, behind) = self.lengths.split_at_checked(before).unwrap_or_default();
        let behind = behind.get(1..).unwrap_or_default();
        self.lengths.len() <= PIECES
            && behind.iter().any(|later| {
                *later == -shift || before.iter().any(|earlier| earlier - later == shift && shift != 0)
            })
    }

    /// Whether a piece begins between a place and what stands as it was sent before that: one of some length
    /// may be missing there, if another is no longer or it is long enough to be one, or nothing stands as it
    /// was sent.
    fn may_lack_one_before(&self, place: i64, length: i64) -> bool {
        let nearest = |of: &[i64]| of.get(of.partition_point(|&at| at <= place).checked_sub(1)?).copied();
        let (begin, right) = (nearest(&self.begins), nearest(&self.rights));
        let least = if right.is_some() { PIECE } else { BEGINNING };
        // What one piece tells whole lacks none that is shorter.
        let least = if self.begins.len() > 1 { self.shortest.min(least) } else { self.shortest };
        least <= length && begin.is_some_and(|begin| right.is_none_or(|right| right <= begin))
            || self.are_all && self.rights.is_empty() && length >= BEGINNING
    }
}

/// Pieces whose lengths are compared with each other.
const PIECES: usize = 32;

/// Bytes of a piece that says by chance what another one says, at most, unless that stands before it.
const CHANCE: usize = 15;

/// Where the first piece begins, of texts each with its beginning, that says what one before it said.
fn said_again(texts: &[(usize, &str)]) -> Option<usize> {
    let mut said = HashSet::new();
    let mut before = "";
    texts.iter().find_map(|&(at, text)| {
        let next = std::mem::replace(&mut before, text) == text && !text.trim().is_empty();
        (next || !said.insert(text) && text.len() > CHANCE).then_some(at)
    })
}

/// Different shifts of one stream that are compared with the lengths of its pieces; what has more is left.
const SHIFTS: usize = 64;

/// How long pieces that follow each other are together.
struct Lengths<'a> {
    pieces: &'a [i64],
    /// Where the first of each length end, as far as it was asked for.
    known: HashMap<i64, Option<i64>>,
}

impl Lengths<'_> {
    /// Where the first pieces end that are so long together.
    fn first_end(&mut self, length: i64) -> Option<i64> {
        if self.known.len() >= SHIFTS && !self.known.contains_key(&length) {
            return Some(0);
        }
        let ends = |begin: &i64| self.pieces.binary_search(&begin.saturating_add(length)).is_ok();
        let pieces = self.pieces;
        *self
            .known
            .entry(length)
            .or_insert_with(|| pieces.iter().find(|begin| ends(begin)).map(|begin| begin + length))
    }
}

/// Whether quotes are found in another order than that of their offsets: what was quoted first is missing,
/// and was said again.
fn is_disordered(edits: &[Edit]) -> bool {
    let of_supports = edits.chunk_by(|one, next| one.support == next.support);
    let ends = |edits: &[Edit]| edits.last().map(|edit| (edit.old.unwrap_or_default(), edit.new));
    let mut ends: Vec<(i64, i64)> = of_supports.filter_map(ends).collect();
    ends.sort_unstable();
    !ends.is_sorted_by_key(|(_, new)| *new)
}

/// By how much the offsets of a support would move, where both move alike.
fn shift(edits: &[Edit]) -> Option<i64> {
    let [start, end] = edits else { return None };
    let by = |edit: &Edit| edit.new.saturating_sub(edit.old.unwrap_or_default());
    (by(start) == by(end)).then(|| by(start))
}

fn alone(sent: &Sent, frame: &str) -> Option<Decoded> {
    format::decode((sent.format, None), &[frame], Limits::Usual, |_, _| (0, 0)).ok()
}

/// Whether something in the middle of the record could not be read: text may be missing there.
fn is_interrupted(sent: &Sent) -> bool {
    let lost = |notice: &Notice| matches!(notice, Notice::FramePassedOver { .. } | Notice::StrayLines { .. });
    let is_piece = |frame: &str| {
        frame.trim_start().starts_with(['{', '['])
            && skip_value(frame.as_bytes(), frame.len() - frame.trim_start().len()).is_some()
            && format::recognise(frame) != FrameKind::ServiceError
    };
    let before_the_last = sent.text.len().saturating_sub(1);
    sent.notices.iter().any(lost)
        || sent.text.is_parted()
        || !sent.text.frames().take(before_the_last).all(is_piece)
}

/// Whether all quotes of a frame stand where its offsets say, in the text of that frame: the last one of a
/// stream often has none.
fn fits_alone(sent: &Sent, frame: u32) -> bool {
    let fits = |response: &Response| {
        let anchors = anchor::anchor(response).anchors;
        response.answer.is_some()
            && !response.supports.is_empty()
            && !anchors.iter().any(|anchor| anchor.verdict.is_misfit())
    };
    let alone = alone(sent, sent.text.frame(frame as usize));
    alone.is_some_and(|alone| !alone.responses.is_empty() && alone.responses.iter().all(fits))
}
