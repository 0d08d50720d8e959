//! Supports that a repair would move to words that others name, or away from words that are nearly their own.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use icu_normalizer::{DecomposingNormalizer, DecomposingNormalizerBorrowed};

use crate::anchor::{Anchor, Verdict};
use crate::model::{Response, Support};

const NFD: DecomposingNormalizerBorrowed<'static> = DecomposingNormalizer::new_nfd();

/// Whether a support is shown elsewhere than its offsets say.
fn is_moved(anchor: &Anchor) -> bool {
    matches!(anchor.verdict, Verdict::Reanchored | Verdict::Ambiguous | Verdict::Drifted)
}

/// Of those that are moved to the same words from different offsets, and of those that are moved to where
/// another fits in the reading of all, all but the nearest.
pub(super) fn taken(response: &Response, anchors: &[Anchor]) -> HashSet<usize> {
    let by_reading = |anchor: &&Anchor| {
        use Verdict::{Base, Exact, Inclusive, Shifted, Unit};
        matches!(anchor.verdict, Exact | Unit | Base | Inclusive | Shifted)
    };
    let right = anchors.iter().filter(by_reading);
    let right: HashSet<&Range<usize>> = right.filter_map(|anchor| anchor.range.as_ref()).collect();
    let sent = |support: &Support| support.segment.as_ref().map(|sent| (sent.part, sent.start, sent.end));
    let mut nearest: HashMap<&Range<usize>, (u64, _, bool)> = HashMap::new();
    let moved =
        || response.supports.iter().zip(anchors).enumerate().filter(|(_, (_, anchor))| is_moved(anchor));
    for (_, (support, anchor)) in moved() {
        let Some(range) = &anchor.range else { continue };
        let own = (anchor.delta.unsigned_abs(), sent(support), false);
        let known = nearest.entry(range).or_insert_with(|| own);
        let differs = known.2 || known.1 != own.1;
        if own.0 < known.0 {
            *known = own;
        }
        known.2 = differs;
    }
    let is_taken = |anchor: &Anchor| {
        let range = anchor.range.as_ref()?;
        let (least, _, differ) = nearest.get(range)?;
        (right.contains(range) || *differ && anchor.delta.unsigned_abs() > *least).then_some(())
    };
    moved().filter(|(_, (_, anchor))| is_taken(anchor).is_some()).map(|(index, _)| index).collect()
}

/// How much longer the same words may be with accents and signs, in times and bytes.
const LONGER: (usize, usize) = (4, 64);

/// Whether two texts are the same words but for case, accents and signs.
pub(super) fn is_alike(one: &str, other: &str) -> bool {
    // Of wrong ranges many are long, and no more than their quotes is looked at.
    let may_be = |short: &str, long: &str| long.len() <= short.len() * LONGER.0 + LONGER.1;
    if !may_be(one, other) || !may_be(other, one) {
        return false;
    }
    let letters = |text: &str| -> String {
        NFD.normalize(text).chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let own = letters(one);
    !own.is_empty() && own == letters(other)
}

#[cfg(test)]
mod tests {
    use super::is_alike;

    #[test]
    fn words_are_alike_whatever_case_and_accents_they_have() {
        for (one, other) in
            [("the café is open.", "The cafe is open"), ("It’s old", "It's old"), ("Yes", "yes")]
        {
            assert!(is_alike(one, other), "{one} {other}");
        }
        for (one, other) in [("Yes", "No"), ("", ""), ("…", "..."), ("open", "opened")] {
            assert!(!is_alike(one, other), "{one} {other}");
        }
        assert!(!is_alike("yes", &format!("yes{}", ".".repeat(100))));
    }
}
