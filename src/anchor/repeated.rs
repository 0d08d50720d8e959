//! Quotes that occur several times, in a response of which not all offsets are off alike: two lines of a list
//! are apart by some number, too.

use super::reanchor::places_of;
use super::verdict::{Anchor, Verdict, placeless};
use crate::model::{Response, Segment};

/// Bytes that are gone through for quotes that occur again: what is left then counts as said once.
const LOOKED_THROUGH: usize = 1 << 30;

/// Places of a quote that are looked at.
const PLACES: usize = 64;

/// A support with a quote that the answer has.
struct Quoted {
    number: usize,
    /// Where it was sent to.
    sent: i64,
    once: bool,
    /// It occurs nearer to where it was sent to than where it was placed.
    nearer: bool,
}

/// Gives up places that another reading gave to quotes that occur several times, unless they lie in a run of
/// such places, in the order in which they were sent, with a quote that occurs once, and none is nearer to
/// the byte that was `named`. How many.
pub(super) fn disown(
    response: &Response,
    named: impl Fn(&Segment) -> Option<usize>,
    anchors: &mut [Anchor],
) -> usize {
    let mut quoted = quoted(response, named, anchors);
    quoted.sort_by_key(|quoted| quoted.sent);
    let verdict = |quoted: &Quoted| anchors.get(quoted.number).map(|anchor| anchor.verdict);
    let runs = quoted.chunk_by(|one, next| verdict(one) == verdict(next));
    let reread = runs.filter(|run| run.first().and_then(verdict).is_some_and(is_reread));
    let doubted = reread.flat_map(|run| {
        let shown = run.iter().any(|quoted| quoted.once);
        run.iter().filter(move |quoted| !shown || quoted.nearer).map(|quoted| quoted.number)
    });
    let doubted: Vec<usize> = doubted.collect();
    for number in &doubted {
        anchors.get_mut(*number).into_iter().for_each(|anchor| lose(response, anchor));
    }
    doubted.len()
}

/// Gives up all places that another reading gave.
pub(super) fn give_up(response: &Response, anchors: &mut [Anchor]) {
    anchors.iter_mut().filter(|anchor| is_reread(anchor.verdict)).for_each(|anchor| lose(response, anchor));
}

fn lose(response: &Response, anchor: &mut Anchor) {
    *anchor = Anchor { base: anchor.base, ..placeless(Verdict::Gone, response.unit) };
}

/// Whether an anchor has its place by another reading than the documented one.
fn is_reread(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::Unit | Verdict::Base | Verdict::Inclusive | Verdict::Shifted)
}

fn quoted(response: &Response, named: impl Fn(&Segment) -> Option<usize>, anchors: &[Anchor]) -> Vec<Quoted> {
    let answer = response.text();
    let mut looked = 0;
    let supports = response.supports.iter().zip(anchors).enumerate();
    let quoted = supports.filter_map(|(number, (support, anchor))| {
        let segment = support.segment.as_ref()?;
        let quote = segment.quote.as_deref().filter(|quote| !quote.is_empty())?;
        looked += answer.len();
        let sent = segment.start.unwrap_or_default();
        if looked > LOOKED_THROUGH {
            return Some(Quoted { number, sent, once: true, nearer: false });
        }
        let places: Vec<usize> = places_of(quote, answer).take(PLACES).collect();
        // What is not there is no sign of anything.
        let once = places.split_first()?.1.is_empty();
        let nearer = named(segment).zip(anchor.range.as_ref()).is_some_and(|(named, placed)| {
            places.iter().any(|place| place.abs_diff(named) < placed.start.abs_diff(named))
        });
        Some(Quoted { number, sent, once, nearer })
    });
    quoted.collect()
}
