//! What stands twice in a text, the second time right behind the first.

use std::hash::BuildHasher;
use std::ops::Range;

use hashbrown::{DefaultHashBuilder, HashTable, hash_table::Entry};
use memchr::memmem;

/// Bytes of what is said twice, at least: what is shorter are refrains, laughter and rows of tables.
const LEAST: usize = 64;

/// Letters and digits of it, at least.
const LETTERS: usize = 16;

/// Bytes by which a place is known again.
const SEED: usize = 16;

/// Bytes that are compared for each byte of the text, at most.
const EFFORT: usize = 8;

/// The second of two like stretches that stand side by side, of 64 bytes and more.
pub fn doubled(text: &str) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    // Places alone, since they are many: what stands there is looked up.
    let mut places: HashTable<u32> = HashTable::new();
    let hasher = DefaultHashBuilder::default();
    let seed_at = |place: u32| bytes.get(place as usize..place as usize + SEED).unwrap_or_default();
    let mut effort = bytes.len().saturating_mul(EFFORT);
    // How far apart the last two stretches were that were compared, and where the second one ended.
    let mut known = (0, 0);
    for (at, seed) in bytes.windows(SEED).enumerate() {
        // One place in eight or so, by what stands there: both stretches have the same ones.
        if seed.first().is_none_or(|byte| byte % 8 != 0) {
            continue;
        }
        let place = u32::try_from(at).ok()?;
        let before = match places.entry(
            hasher.hash_one(seed),
            |&known| seed_at(known) == seed,
            |&known| hasher.hash_one(seed_at(known)),
        ) {
            Entry::Occupied(mut known) => std::mem::replace(known.get_mut(), place) as usize,
            Entry::Vacant(none) => {
                none.insert(place);
                continue;
            }
        };
        let apart = at - before;
        if apart < LEAST || known.0 == apart && at < known.1 {
            continue;
        }
        let (back, on) = alike(bytes, before, at);
        known = (apart, at + on);
        effort = effort.checked_sub(back + on)?;
        let begin = before - back;
        if back + on >= apart && is_told(text, begin, apart) {
            return Some(text.ceil_char_boundary(begin + apart)..text.floor_char_boundary(begin + 2 * apart));
        }
    }
    None
}

/// Bytes that are alike before and behind two places, as many as lie between them at most.
fn alike(bytes: &[u8], one: usize, other: usize) -> (usize, usize) {
    let apart = other - one;
    let (before, behind) = bytes.split_at_checked(one).unwrap_or_default();
    let (between, next) = behind.split_at_checked(apart).unwrap_or_default();
    let count =
        |pairs: &mut dyn Iterator<Item = (&u8, &u8)>| pairs.take_while(|(one, other)| one == other).count();
    let back = count(&mut before.iter().rev().zip(between.iter().rev()));
    let on = count(&mut between.iter().zip(next));
    (back, on)
}

/// Whether a stretch that stands twice has words, and is itself no repetition of something shorter.
fn is_told(text: &str, begin: usize, length: usize) -> bool {
    let piece = text.as_bytes().get(begin..begin + length).unwrap_or_default();
    let both = text.as_bytes().get(begin + 1..begin + 2 * length).unwrap_or_default();
    let shortest = memmem::find(both, piece).map_or(length, |at| at + 1);
    let words = text.get(text.ceil_char_boundary(begin)..text.floor_char_boundary(begin + length));
    let letters = words.unwrap_or_default().chars().filter(|c| c.is_alphanumeric()).take(LETTERS);
    shortest >= LEAST && letters.count() == LETTERS
}

#[cfg(test)]
mod tests {
    use super::*;

    const PIECE: &str = " on the bank of the river, where boats have landed since the year 1200,";

    #[test]
    fn the_second_of_two_pieces_alike_is_found_wherever_they_stand() {
        let text = format!("The old town lies{PIECE}{PIECE} and grew.");
        let second = 17 + PIECE.len();
        assert_eq!(doubled(&text), Some(second..second + PIECE.len()));
        let river = "川のほとりにある古い町には一二〇〇年から船が着いていたという。";
        let text = format!("昔々、{river}{river}");
        assert_eq!(doubled(&text), Some(9 + river.len()..9 + 2 * river.len()));
    }

    #[test]
    fn what_stands_once_apart_or_is_short_is_not() {
        for text in [
            format!("The old town lies{PIECE} and grew."),
            format!("The old town lies{PIECE} and the new one{PIECE} and both grew."),
            "Ha ha ha ".repeat(40),
            "| 2020 | 5 | 7 |\n".repeat(40),
            "=".repeat(400),
            String::new(),
        ] {
            assert_eq!(doubled(&text), None, "{text}");
        }
    }

    #[test]
    fn a_long_text_of_one_word_and_another_takes_no_longer_for_each_byte() {
        let word = "x ".repeat(2000);
        let text: String = (0..60).map(|n| format!("{word}{n}")).collect();
        assert_eq!(doubled(&text), None);
    }
}
