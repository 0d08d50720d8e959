//! What a stream builds piece by piece, under numbers.

use std::collections::BTreeMap;
use std::collections::btree_map::IntoValues;

/// Pieces under construction, in the order of their numbers. A piece of a stream that comes without its number
/// goes on with the one before it.
#[derive(Debug, Clone)]
pub(super) struct Slots<T> {
    built: BTreeMap<i64, T>,
    last: i64,
}

impl<T> Default for Slots<T> {
    fn default() -> Self {
        Self { built: BTreeMap::new(), last: 0 }
    }
}

impl<T> Slots<T> {
    /// Begins a piece; without a number, behind all others.
    pub fn begin(&mut self, number: Option<i64>, piece: T) {
        let behind = || self.built.keys().next_back().map_or(0, |last| last.saturating_add(1));
        self.last = number.unwrap_or_else(behind);
        self.built.insert(self.last, piece);
    }

    /// The piece of a number, or the one that was at hand; a new one where it has not begun.
    pub fn at(&mut self, number: Option<i64>, new: impl FnOnce() -> T) -> &mut T {
        self.last = number.unwrap_or(self.last);
        self.built.entry(self.last).or_insert_with(new)
    }

    /// All, in order.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.built.values()
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
        assert_eq!(slots.into_values().collect::<Vec<_>>(), ["bc", "a", "de"]);
    }
}
