//! Where many texts occur in another: told from their ends in as many passes as there are lengths of ends,
//! whatever their number.

use std::collections::BTreeMap;

use hashbrown::HashMap;

/// Ends of texts and where they occur, by length. An end is as long as a power of two allows, so that the two
/// of a text cover it.
pub(super) struct Ends(BTreeMap<usize, HashMap<u64, Places>>);

/// Where an end occurs.
enum Places {
    /// At these bytes, ascending.
    At(Vec<u32>),
    /// At more than are kept.
    Many,
}

/// Bytes of the text for each place that is kept.
const KEPT: usize = 2;

/// Places of one end that are kept: what occurs more often is soon found by looking for it.
const MOST: usize = 4096;

impl Ends {
    /// Those of some texts, as they occur in another.
    pub fn of(texts: impl Iterator<Item = String>, within: &str) -> Self {
        let mut wanted: BTreeMap<usize, HashMap<u64, Places>> = BTreeMap::new();
        for text in texts {
            if let Some((length, ends)) = ends(&text) {
                wanted.entry(length).or_default().extend(ends.map(|end| (end, Places::At(Vec::new()))));
            }
        }
        let mut room = within.len() / KEPT;
        for (&length, wanted) in &mut wanted {
            for (at, hash) in hashes(within.as_bytes(), length).enumerate() {
                let Some(places) = wanted.get_mut(&hash) else { continue };
                let Places::At(list) = places else { continue };
                if room > 0 && list.len() < MOST {
                    list.push(at as u32);
                    room -= 1;
                } else {
                    room += list.len();
                    *places = Places::Many;
                }
            }
        }
        Self(wanted)
    }

    /// Where a text may occur, ascending; `None` where it has to be looked for. Its bytes are not compared.
    pub fn places(&self, text: &str) -> Option<impl Iterator<Item = usize>> {
        let (length, hashes) = ends(text)?;
        let there = self.0.get(&length)?;
        let first = there.get(hashes.first()?)?;
        let end = there.get(hashes.last()?)?;
        // By the end that occurs less often.
        let (list, back) = match (first, end) {
            (Places::At(first), Places::At(end)) if end.len() < first.len() => (end, text.len() - length),
            (Places::At(first), _) => (first, 0),
            (Places::Many, Places::At(end)) => (end, text.len() - length),
            (Places::Many, Places::Many) => return None,
        };
        Some(list.iter().filter_map(move |&at| (at as usize).checked_sub(back)))
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

    fn found(ends: &Ends, text: &str, within: &str) -> Option<Vec<usize>> {
        let places = ends.places(text)?;
        Some(places.filter(|&at| within.get(at..).is_some_and(|rest| rest.starts_with(text))).collect())
    }

    #[test]
    fn texts_are_found_where_their_ends_are() {
        let within = "The park opens at nine. It closes at ten.";
        let texts = ["The park", "The park opens at ten.", "nowhere 1", " at ", "at ten.", "x"];
        let ends = Ends::of(texts.iter().map(|&text| text.to_owned()), within);
        let found = texts.map(|text| found(&ends, text, within).unwrap());
        assert_eq!(found, [vec![0], vec![], vec![], vec![14, 33], vec![34], vec![]]);
        assert!(ends.places("").is_none());
    }

    #[test]
    fn of_what_occurs_everywhere_the_places_are_not_kept() {
        let within = "a".repeat(100);
        let texts: Vec<String> = (0..6).map(|power| "a".repeat(1 << power)).chain([within.clone()]).collect();
        let ends = Ends::of((0..12).flat_map(|_| texts.clone()), &within);
        let kept: usize = ends
            .0
            .values()
            .flat_map(HashMap::values)
            .map(|places| match places {
                Places::At(list) => list.len(),
                Places::Many => 0,
            })
            .sum();
        assert!(kept <= within.len() / KEPT);
    }

    proptest! {
        #[test]
        fn what_occurs_is_never_left_out(text in "[ab c]{0,60}", from in 0usize..60, length in 1usize..60) {
            let piece = text.get(from..(from + length).min(text.len())).unwrap_or_default().to_owned();
            let others = ["abc", "cab", "zzzz"].map(str::to_owned);
            let ends = Ends::of(others.into_iter().chain([piece.clone()]), &text);
            if let Some(found) = found(&ends, &piece, &text) {
                let all: Vec<usize> = (0..text.len()).filter(|&at| text[at..].starts_with(&piece)).collect();
                prop_assert_eq!(found, all);
            }
        }
    }
}
