//! Rules on where segments lie in the answer: what they cut, what they hold, how they nest.

use std::collections::HashSet;
use std::ops::Range;

use super::{Finding, counted, excerpt};
use crate::anchor::Verdict;
use crate::evidence::{Class, class};
use crate::model::{Layer, Target};
use crate::review::Reviewed;

pub(super) fn check(reviewed: &Reviewed, found: &mut Vec<Finding>) {
    midword(reviewed, found);
    markup(reviewed, found);
    nested(reviewed, found);
    repeated(reviewed, found);
}

/// Only where the offsets stand as sent: a misfit is a cause of its own.
fn midword(reviewed: &Reviewed, found: &mut Vec<Finding>) {
    let text = reviewed.response.text();
    let cut = |range: &Range<usize>| [range.start, range.end].into_iter().find(|&at| in_word(text, at));
    let mut hits = Vec::new();
    let mut first = None;
    for (index, (support, anchor)) in reviewed.response.supports.iter().zip(&reviewed.anchors).enumerate() {
        let as_sent = matches!(anchor.verdict, Verdict::Exact | Verdict::AsSent) && support.placed.is_none();
        let Some(at) = anchor.range.as_ref().filter(|_| as_sent).and_then(cut) else { continue };
        first.get_or_insert((index, at));
        hits.push(index);
    }
    let Some((index, at)) = first else { return };
    let word = word_around(text, at);
    let (before, after) = text.get(word).and_then(|word_text| word_text.split_at_checked(at - word_start(text, at))).unwrap_or_default();
    let noun = if hits.len() == 1 {
        format!("support {} begins or ends", index + 1)
    } else {
        format!("{} begin or end", counted(hits.len(), "support"))
    };
    let message = format!("{noun} inside a word: “{before}|{after}”");
    found.push(Finding::new("offset-midword", &reviewed.origin_of(index), message).supports(hits));
}

/// Whether a place lies between two letters or digits of a script that writes blanks between words.
fn in_word(text: &str, at: usize) -> bool {
    let part = |c: char| matches!(class(c), Class::Letter | Class::Digit);
    let Some((before, after)) = text.split_at_checked(at) else { return false };
    before.chars().next_back().is_some_and(part) && after.chars().next().is_some_and(part)
}

fn word_start(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or_default();
    let letters = before.chars().rev().take(40).take_while(|&c| !matches!(class(c), Class::Break));
    at - letters.map(char::len_utf8).sum::<usize>()
}

fn word_around(text: &str, at: usize) -> Range<usize> {
    let after = text.get(at..).unwrap_or_default();
    let letters = after.chars().take(40).take_while(|&c| !matches!(class(c), Class::Break));
    word_start(text, at)..at + letters.map(char::len_utf8).sum::<usize>()
}

/// Segments of signs alone: `**`, a bullet.
fn markup(reviewed: &Reviewed, found: &mut Vec<Finding>) {
    let text = reviewed.response.text();
    let bare = |range: &Range<usize>| {
        let words = text.get(range.clone()).unwrap_or_default();
        !words.is_empty() && words.chars().all(|c| c.is_ascii_punctuation() || c.is_whitespace() || matches!(c, '•' | '·' | '–' | '—'))
    };
    let hit = |index: &usize| reviewed.anchors.get(*index).and_then(|anchor| anchor.range.as_ref()).is_some_and(bare);
    let hits: Vec<usize> = (0..reviewed.anchors.len()).filter(hit).collect();
    let Some((&first, range)) = hits.first().and_then(|first| Some((first, reviewed.anchors.get(*first)?.range.clone()?))) else { return };
    let signs = excerpt(text, &range);
    let noun = if hits.len() == 1 { format!("support {} holds", first + 1) } else { format!("{} hold", counted(hits.len(), "support")) };
    let message = format!("{noun} only markup: “{signs}”");
    found.push(Finding::new("segment-markup", &reviewed.origin_of(first), message).supports(hits));
}

/// A span that begins where a shorter one of its layer does: what its own sources back is the rest.
fn nested(reviewed: &Reviewed, found: &mut Vec<Finding>) {
    let mut hits = Vec::new();
    let mut first = None;
    for (outer, pair) in reviewed.spans.windows(2).enumerate() {
        let [long, short] = pair else { continue };
        let (Some(long), Some(short)) = (&long.range, &short.range) else { continue };
        if long.start != short.start || short.is_empty() {
            continue;
        }
        let layer = |span: usize| {
            reviewed.supports_of(span).first().and_then(|&support| reviewed.response.supports.get(support)).map(|support| support.layer)
        };
        if layer(outer) != layer(outer + 1) {
            continue;
        }
        let (Some(&long_one), Some(&short_one)) = (reviewed.supports_of(outer).first(), reviewed.supports_of(outer + 1).first()) else {
            continue;
        };
        first.get_or_insert((long_one, short_one, short.end..long.end));
        hits.extend_from_slice(reviewed.supports_of(outer));
    }
    let Some((long, short, tail)) = first else { return };
    let words = excerpt(reviewed.response.text(), &tail);
    let more = if hits.len() > 1 { format!(" (and so on: {})", counted(hits.len(), "support")) } else { String::new() };
    let message = format!("support {} begins where support {} does and goes on: what it adds is “{words}”{more}", long + 1, short + 1);
    found.push(Finding::new("segment-nested", &reviewed.origin_of(long), message).supports(hits));
}

/// One range with one list of sources, sent twice in one layer.
fn repeated(reviewed: &Reviewed, found: &mut Vec<Finding>) {
    let mut hits = Vec::new();
    for span in (0..reviewed.spans.len()).filter(|&span| reviewed.spans.get(span).is_some_and(|span| span.range.is_some())) {
        let supports = reviewed.supports_of(span);
        if supports.len() < 2 {
            continue;
        }
        let mut seen: HashSet<(Layer, Vec<&Target>)> = HashSet::new();
        for &index in supports {
            let Some(support) = reviewed.response.supports.get(index) else { continue };
            let targets: Vec<&Target> = support.citations.iter().map(|citation| &citation.target).collect();
            if !targets.is_empty() && !seen.insert((support.layer, targets)) {
                hits.push(index);
            }
        }
    }
    let Some(&first) = hits.first() else { return };
    let message = if hits.len() == 1 {
        format!("support {} says again what an earlier one of the same words says", first + 1)
    } else {
        format!("{} say again what an earlier one of the same words says", counted(hits.len(), "support"))
    };
    found.push(Finding::new("support-repeated", &reviewed.origin_of(first), message).supports(hits));
}
