//! Frames that were put together to one response: where it is not certain that they are one, or that all of
//! it is there, offsets are left as they are.

use std::collections::{HashMap, HashSet};

use super::pieces::{PIECE, Pieces};
use super::repair::{Edit, Refusal, Repairs};
use super::sent::Sent;
use crate::anchor::{self, Anchor, Fit, Units, Verdict};
use crate::format::{self, Decoded, FrameGroup, FrameKind, Limits};
use crate::json::scan::skip_value;
use crate::model::{AnswerState, Notice, RemarkKind, Response};
use crate::store::Container;

/// Units that a beginning has at least that may be missing of any response: what is off by less is counted
/// otherwise.
const BEGINNING: i64 = 8;

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
    if loses_text(response) {
        found.leave_where(Refusal::Interrupted, |_| true);
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
    // Where all fit in another unit, over another text or with other ends, nothing is missing; but what is
    // off by as much everywhere may be so by chance.
    let by_chance = alike && is_streamed(sent) && first.is_some_and(|shift| shift <= -PIECE);
    let explained = fit.reading.shift == 0 && fit.fitting == fit.of && !by_chance;
    // What a piece held that is not there was quoted, too.
    let lacks = found.refused.iter().any(|(_, why)| *why == Refusal::Gone);
    if lacks && !explained {
        found.leave_where(Refusal::Interrupted, |edits| shift(edits).is_some_and(|shift| shift < 0));
    }
    leave_pieces(found, sent, response, (!explained).then_some(anchors))
}

/// Whether something stands where a text of the answer should, and was not read.
fn loses_text(response: &Response) -> bool {
    let mut remarks = response.remarks.iter();
    remarks.any(|remark| remark.kind == RemarkKind::Mistyped && format::is_place_of_text(&remark.origin.path))
}

/// Whether an answer begins as what goes on with something does.
fn goes_on(answer: &str) -> bool {
    answer.starts_with(|c: char| c.is_lowercase() || c.is_whitespace() || matches!(c, ',' | ';' | ')'))
}

/// Whether a stream does not begin with the event that begins such streams.
fn lacks_beginning(sent: &Sent) -> bool {
    let Some(first) = sent.text.frames().next().filter(|_| sent.text.len() > 1) else { return false };
    let goes_on =
        |group: &FrameGroup| matches!(group, FrameGroup::Stream { boundary, .. } if boundary.goes_on());
    sent.format.announced && matches!(format::recognise(first), FrameKind::Known(_, group) if goes_on(&group))
}

/// Whether a response came in pieces, or may have.
fn is_streamed(sent: &Sent) -> bool {
    sent.text.len() > 1 || sent.text.container() == Container::Events
}

fn is_back(edit: &Edit) -> bool {
    edit.new < edit.old.unwrap_or_default()
}

/// `anchors`: where the supports lie, unless another reading explains all offsets.
fn leave_pieces(mut found: Repairs, sent: &Sent, response: &Response, anchors: Option<&[Anchor]>) -> Repairs {
    if !is_streamed(sent) || found.edits.is_empty() {
        return found;
    }
    let lacks = found.refused.iter().any(|(_, why)| *why == Refusal::Gone);
    if *sent.interrupted.get_or_init(|| is_interrupted(sent)) {
        found.leave_where(Refusal::Interrupted, |_| true);
        return found;
    }
    let units = Units::of(response.text());
    let mut pieces = pieces_of(sent, (response, &units), anchors);
    let (explained, disordered) = (anchors.is_none(), is_disordered(&found.edits));
    let mut fits: HashMap<u32, bool> = HashMap::new();
    let unexplained = anchors.is_some().then(|| response.text());
    let mut fits_its_line = |support: usize| {
        let frame = response.supports.get(support).map_or(0, |support| support.origin.frame);
        sent.joined_lines().is_some()
            && *fits.entry(frame).or_insert_with(|| fits_alone(sent, frame, unexplained))
    };
    let may_part = |pieces: &Pieces, support: usize| {
        let segment = response.supports.get(support).filter(|_| !explained)?.segment.as_ref()?;
        // What ends behind the answer may begin with its quote all the same.
        let (place, sent) = anchor::read_as(response, &units, segment, response.unit);
        Some(pieces.may_part(segment.quote.as_deref()?, &place?, sent.range.is_some()))
    };
    let mut shifts = found.edits.chunk_by(|one, next| one.support == next.support).map(shift);
    // What is off alike was counted from elsewhere; one alone may be quoted from a piece that never came.
    let first = shifts.next().flatten();
    let alike = shifts.next() == Some(first) && shifts.all(|shift| shift == first);
    let mut left: Vec<(usize, Refusal)> = Vec::new();
    for edits in found.edits.chunk_by(|one, next| one.support == next.support) {
        let Some(support) = edits.first().map(|edit| edit.support) else { continue };
        let begin = edits.first().map_or(0, |edit| edit.new);
        let why = match moved(edits, anchors.and_then(|anchors| anchors.get(support))) {
            Some(_) if lacks => Refusal::Interrupted,
            _ if may_part(&pieces, support) == Some(true) => Refusal::Interrupted,
            _ if disordered => Refusal::Disordered,
            _ if fits_its_line(support) => Refusal::OfItsLine,
            Some(shift) if shift > 0 && pieces.begin_at(shift) => Refusal::OfALaterPiece,
            Some(shift) if !explained && pieces.may_be_more_before(begin, shift) => Refusal::OfAPieceMore,
            Some(shift) if !explained && shift < 0 && pieces.may_lack_one_before(begin, -shift) => {
                Refusal::OfAPieceLess
            }
            Some(shift) if !explained && !alike && shift >= PIECE && pieces.are_several() => {
                Refusal::Interrupted
            }
            _ => continue,
        };
        left.push((support, why));
    }
    // What is not of the pieces that were sent for one support is not for the others.
    let is_doubt =
        |why: &Refusal| matches!(why, Refusal::Interrupted | Refusal::OfAPieceMore | Refusal::OfAPieceLess);
    let doubt = left.iter().map(|(_, why)| *why).find(is_doubt).filter(|_| !explained);
    found.leave(left);
    if let Some(why) = doubt {
        found.leave_where(why, |_| true);
    }
    found
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
    (by(start) == by(end)).then(|| by(start))
}

/// By how much what is quoted stands elsewhere: the end of a quote that was shortened, too, moves by less.
fn moved(edits: &[Edit], anchor: Option<&Anchor>) -> Option<i64> {
    let is_elsewhere = |anchor: &Anchor| matches!(anchor.verdict, Verdict::Reanchored | Verdict::Drifted);
    match edits {
        [start, _] if anchor.is_some_and(is_elsewhere) => Some(by(start)),
        _ => shift(edits),
    }
}

fn by(edit: &Edit) -> i64 {
    edit.new.saturating_sub(edit.old.unwrap_or_default())
}

/// The pieces that make the answer, as far as their texts do.
fn pieces_of<'a>(
    sent: &Sent,
    (response, units): (&'a Response, &'a Units),
    anchors: Option<&[Anchor]>,
) -> Pieces<'a> {
    let answer = response.text();
    let (mut at, mut begins) = (0, Vec::new());
    let texts = sent.texts.get_or_init(|| texts_of(sent));
    for own in texts.get(&response.item).into_iter().flatten() {
        if !answer.get(at..).is_some_and(|rest| rest.starts_with(&**own)) {
            break;
        }
        begins.push(at);
        at += own.len();
    }
    let right = anchors.unwrap_or_default().iter().filter(|anchor| anchor.verdict == Verdict::Exact);
    let rights = right.filter_map(|anchor| Some(anchor.range.as_ref()?.end)).collect();
    Pieces::of(response, units, (begins, at), rights)
}

/// What each frame says alone, but for nothing: of each response of a frame by its number in it.
fn texts_of(sent: &Sent) -> HashMap<usize, Vec<Box<str>>> {
    let mut out: HashMap<usize, Vec<Box<str>>> = HashMap::new();
    for own in sent.text.frames().filter_map(|frame| alone(sent, frame)) {
        let mut said = HashSet::new();
        for response in own.responses.iter().filter(|response| said.insert(response.item)) {
            let text = Some(response.text()).filter(|text| !text.is_empty());
            out.entry(response.item).or_default().extend(text.map(Box::from));
        }
    }
    out
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
/// stream often has none. Or elsewhere in it, where it does not tell the whole answer and nothing explains
/// the offsets.
fn fits_alone(sent: &Sent, frame: u32, unexplained: Option<&str>) -> bool {
    let fits = |response: &Response| {
        let lenient = unexplained.is_some_and(|answer| answer != response.text());
        let is_there = |anchor: &Anchor| {
            !anchor.verdict.is_misfit()
                || lenient && !matches!(anchor.verdict, Verdict::Gone | Verdict::Clamped)
        };
        response.answer.is_some()
            && !response.supports.is_empty()
            && anchor::anchor(response).anchors.iter().all(is_there)
    };
    let alone = alone(sent, sent.text.frame(frame as usize));
    alone.is_some_and(|alone| !alone.responses.is_empty() && alone.responses.iter().all(fits))
}
