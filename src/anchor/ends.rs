//! Which of many texts cannot occur in another: told from their ends in as many passes as there are lengths of
//! ends, whatever their number.

use std::collections::BTreeMap;

use hashbrown::HashSet;

/// Ends of texts that occur somewhere, by length. An end is as long as a power of two allows, so that the two of a
/// text cover it.
pub(super) struct Ends(BTreeMap<usize, HashSet<u64>>);

impl Ends {
    /// Those of some texts that occur in another.
    pub fn of(texts: impl Iterator<Item = String>, within: &str) -> Self {
        let mut wanted: BTreeMap<usize, HashSet<u64>> = BTreeMap::new();
        for text in texts {
            if let Some((length, ends)) = ends(&text) {
                wanted.entry(length).or_default().extend(ends);
            }
        }
        for (&length, wanted) in &mut wanted {
            let there: HashSet<u64> =
                hashes(within.as_bytes(), length).filter(|hash| wanted.contains(hash)).collect();
            *wanted = there;
        }
        Self(wanted)
    }

    /// Whether a text may occur: both of its ends do.
    pub fn may_hold(&self, text: &str) -> bool {
        let Some((length, ends)) = ends(text) else { return true };
        let there = self.0.get(&length);
        there.is_none_or(|there| ends.iter().all(|end| there.contains(end)))
    }
}

/// The length of the ends of a text, and their hashes.
fn ends(text: &str) -> Option<(usize, [u64; 2])> {
    let bytes = text.as_bytes();
    let length = 1 << bytes.len().checked_ilog2()?;
    let hash = |end: Option<&[u8]>| hashes(end?, length).next();
    Some((length, [hash(bytes.get(..length))?, hash(bytes.get(bytes.len() - length..))?]))
}

/// Base of the hashes: odd, and large enough that bytes far apart meet.
const BASE: u64 = 0x9E37_79B9_7F4A_7C15;

/// A hash of each stretch of a length: of each the one before, less its first byte and with the next one.
fn hashes(bytes: &[u8], length: usize) -> impl Iterator<Item = u64> {
    let step = |hash: u64, byte: u8| hash.wrapping_mul(BASE).wrapping_add(u64::from(byte) + 1);
    let first = bytes.get(..length).map(|first| first.iter().fold(0, |hash, &byte| step(hash, byte)));
    let gone = BASE.wrapping_pow(length as u32);
    let pairs = bytes.iter().zip(bytes.get(length..).unwrap_or_default());
    let rest = pairs.scan(first.unwrap_or_default(), move |hash, (&out, &into)| {
        *hash = step(*hash, into).wrapping_sub(gone.wrapping_mul(u64::from(out) + 1));
        Some(*hash)
    });
    first.into_iter().chain(rest)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn texts_whose_ends_do_not_occur_are_told() {
        let within = "The park opens at nine. It closes at ten.";
        let texts = ["The park", "The park opens at ten.", "nowhere 1", "nowhere 2", "at ten.", "x", ""];
        let ends = Ends::of(texts.iter().map(|&text| text.to_owned()), within);
        let may: Vec<bool> = texts.iter().map(|text| ends.may_hold(text)).collect();
        assert_eq!(may, [true, false, false, false, true, false, true]);
    }

    proptest! {
        #[test]
        fn what_occurs_is_never_left_out(text in "[ab c]{0,60}", from in 0usize..60, length in 0usize..60) {
            let piece = text.get(from..(from + length).min(text.len())).unwrap_or_default().to_owned();
            let others = ["abc", "cab", "zzzz"].map(str::to_owned);
            let ends = Ends::of(others.into_iter().chain([piece.clone()]), &text);
            prop_assert!(ends.may_hold(&piece));
        }
    }
}
