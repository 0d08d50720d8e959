//! What a stream builds piece by piece, under numbers.

use std::collections::btree_map::IntoValues;
use std::collections::{BTreeMap, HashMap};

/// Pieces under construction, in the order of their numbers. A piece of a stream that comes without its
/// number goes on with the one before it.
#[derive(Debug, Clone)]
pub(super) struct Slots<T> {
    built: BTreeMap<i64, T>,
    last: i64,
    /// Where pieces stand whose numbers had been used before.
    moved: HashMap<i64, i64>,
}

impl<T> Default for Slots<T> {
    fn default() -> Self {
        Self { built: BTreeMap::new(), last: 0, moved: HashMap::new() }
    }
}

impl<T> Slots<T> {
    /// Begins a piece; without a number, or with one that was used, behind all others.
    pub fn begin(&mut self, number: Option<i64>, piece: T) {
        let behind = || self.built.keys().next_back().map_or(0, |last| last.saturating_add(1));
        self.last = number.filter(|number| !self.built.contains_key(number)).unwrap_or_else(behind);
        if let Some(number) = number.filter(|&number| number != self.last) {
            self.moved.insert(number, self.last);
        }
        self.built.insert(self.last, piece);
    }

    /// Puts a piece under a number, in place of what is there.
    pub fn put(&mut self, number: i64, piece: T) {
        self.last = number;
        self.built.insert(number, piece);
    }

    /// Keeps some.
    pub fn retain(&mut self, keeps: impl Fn(&T) -> bool) {
        self.built.retain(|_, piece| keeps(piece));
    }

    /// The piece of a number, or the one that was at hand; a new one where it has not begun.
    pub fn at(&mut self, number: Option<i64>, new: impl FnOnce() -> T) -> &mut T {
        let number = number.map(|number| self.moved.get(&number).copied().unwrap_or(number));
        self.last = number.unwrap_or(self.last);
        self.built.entry(self.last).or_insert_with(new)
    }

    /// The piece of a number, if it has begun.
    pub fn begun(&mut self, number: Option<i64>) -> Option<&mut T> {
        let number = number.map_or(self.last, |number| self.moved.get(&number).copied().unwrap_or(number));
        self.built.get_mut(&number)
    }

    /// Where the piece at hand stands.
    pub fn place(&self) -> i64 {
        self.last
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.built.len()
    }

    /// All, in order.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.built.values()
    }

    /// All, in order.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.built.values_mut()
    }

    /// All, in order.
    pub fn into_values(self) -> IntoValues<i64, T> {
        self.built.into_values()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_number_the_last_goes_on_and_a_new_one_comes_last() {
        let mut slots = Slots::default();
        slots.begin(Some(4), "a".to_owned());
        slots.at(Some(2), String::new).push('b');
        slots.at(None, String::new).push('c');
        slots.begin(None, "d".to_owned());
        slots.at(None, String::new).push('e');
        slots.begin(Some(4), "f".to_owned());
        slots.at(Some(4), String::new).push('g');
        assert_eq!(slots.into_values().collect::<Vec<_>>(), ["bc", "a", "de", "fg"]);
    }
}
