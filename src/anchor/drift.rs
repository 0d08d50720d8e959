//! Drift: the text was changed after the offsets were counted, so that those behind the change are off.

use super::reading::{Fit, Reading};
use super::verdict::{Anchor, Verdict};

/// A shift that begins in the middle of the answer is a change of the text there: what stands before fits as
/// documented.
pub(super) fn or_shift(documented: &Fit, better: Fit, anchors: &mut [Anchor]) -> Fit {
    let only_shift = better.reading.shift != 0
        && better.reading == Reading { shift: better.reading.shift, ..documented.reading };
    let start = |anchor: &Anchor| anchor.range.as_ref().map_or(0, |range| range.start);
    let last_right = anchors.iter().filter(|anchor| anchor.verdict == Verdict::Exact).map(start).max();
    let first_wrong = anchors.iter().filter(|anchor| anchor.verdict == Verdict::Shifted).map(start).min();
    match (last_right, first_wrong) {
        (Some(right), Some(wrong)) if only_shift && right < wrong => {
            for anchor in anchors.iter_mut().filter(|anchor| anchor.verdict == Verdict::Shifted) {
                anchor.verdict = Verdict::Drifted;
            }
            *documented
        }
        _ => better,
    }
}

/// Quotes found elsewhere drifted where, from some place on, all of them are off to one side and further and
/// further. `halves`: of which only one offset was sent.
pub(super) fn mark(anchors: &mut [Anchor], halves: &[bool], quoted: bool) {
    let mut found: Vec<(usize, i64, usize)> = anchors
        .iter()
        .enumerate()
        .filter(|(_, anchor)| {
            matches!(anchor.verdict, Verdict::Reanchored | Verdict::Drifted)
                && !anchor.elided
                && anchor.fault.is_none()
        })
        .filter(|(index, _)| !halves.get(*index).copied().unwrap_or_default())
        .filter_map(|(index, anchor)| Some((anchor.range.as_ref()?.start, anchor.delta, index)))
        .collect();
    found.sort_unstable();
    let exact_before = |start: usize| {
        anchors.iter().any(|anchor| {
            anchor.verdict == Verdict::Exact && anchor.range.as_ref().is_some_and(|range| range.start < start)
        })
    };
    let Some(&(first, _, _)) = found.first() else { return };
    let exact_after = anchors.iter().any(|anchor| {
        anchor.verdict == Verdict::Exact && anchor.range.as_ref().is_some_and(|range| range.start > first)
    });
    let grows = |pair: &[(usize, i64, usize)]| {
        let [(_, one, _), (_, next, _)] = pair else { return false };
        one.unsigned_abs() <= next.unsigned_abs() && (*one == 0 || one.signum() == next.signum())
    };
    let several = found.iter().any(|&(_, delta, _)| Some(delta) != found.first().map(|&(_, delta, _)| delta));
    // One mark that stands elsewhere is no sign of a changed text, nor are claims before their marks, which
    // are as far from them as they are long.
    let alone = found.len() < 2 && !quoted;
    let is_as_long = |&(_, delta, index): &(usize, i64, usize)| {
        anchors.get(index).is_some_and(|anchor| anchor.end_delta == delta)
    };
    let claims = !quoted
        && !exact_before(first)
        && found.first().is_some_and(|(_, delta, _)| *delta != 0)
        && !found.iter().all(is_as_long);
    if alone || claims || exact_after || !found.windows(2).all(grows) || !(several || exact_before(first)) {
        return;
    }
    for (_, _, index) in found {
        if let Some(anchor) = anchors.get_mut(index) {
            anchor.verdict = Verdict::Drifted;
        }
    }
}
