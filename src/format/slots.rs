//! What a stream builds piece by piece, under numbers.

use std::collections::btree_map::IntoValues;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Pieces under construction, in the order of their numbers. A piece of a stream that comes without its
/// number goes on with the one before it.
#[derive(Debug, Clone)]
pub(super) struct Slots<T> {
    built: BTreeMap<i64, T>,
    last: i64,
    /// Where pieces stand whose numbers had been used before.
    moved: HashMap<i64, i64>,
    /// Where pieces stand that ended.
    closed: HashSet<i64>,
}

impl<T> Default for Slots<T> {
    fn default() -> Self {
        Self { built: BTreeMap::new(), last: 0, moved: HashMap::new(), closed: HashSet::new() }
    }
}

impl<T> Slots<T> {
    /// Begins a piece; without a number, or with one that was used, behind all others.
    pub fn begin(&mut self, number: Option<i64>, piece: T) {
        let free = number.filter(|number| !self.built.contains_key(number));
        self.last = free.unwrap_or_else(|| self.behind());
        if let Some(number) = number.filter(|&number| number != self.last) {
            self.moved.insert(number, self.last);
        }
        self.built.insert(self.last, piece);
    }

    /// Begins a piece, unless one of its number is open: then the beginning comes late, or again, and what
    /// came before it is the same piece, which `fill` completes.
    pub fn open(&mut self, number: Option<i64>, piece: T, fill: impl FnOnce(&mut T, T)) {
        let place = number.map(|number| self.place_of(number)).filter(|place| !self.closed.contains(place));
        match place.and_then(|place| Some((place, self.built.get_mut(&place)?))) {
            Some((place, built)) => {
                self.last = place;
                fill(built, piece);
            }
            None => self.begin(number, piece),
        }
    }

    /// Ends a piece: what begins under its number is another one.
    pub fn close(&mut self, number: Option<i64>) {
        let place = number.map_or(self.last, |number| self.place_of(number));
        if self.built.contains_key(&place) {
            self.closed.insert(place);
        }
    }

    /// Whether the piece of a number has ended.
    pub fn has_ended(&self, number: Option<i64>) -> bool {
        number.is_some_and(|number| self.closed.contains(&self.place_of(number)))
    }

    fn behind(&self) -> i64 {
        self.built.keys().next_back().map_or(0, |last| last.saturating_add(1))
    }

    fn place_of(&self, number: i64) -> i64 {
        self.moved.get(&number).copied().unwrap_or(number)
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
        self.last = match number {
            Some(number) => self.place_of(number),
            // What has ended does not go on.
            None if self.closed.contains(&self.last) => self.behind(),
            None => self.last,
        };
        self.built.entry(self.last).or_insert_with(new)
    }

    /// The piece of a number, if it has begun.
    pub fn begun(&mut self, number: Option<i64>) -> Option<&mut T> {
        let place = number.map_or(self.last, |number| self.place_of(number));
        self.built.get_mut(&place)
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

    #[test]
    fn a_beginning_that_comes_late_or_again_is_that_of_what_is_open() {
        let mut slots = Slots::default();
        let fill = |built: &mut String, late: String| built.insert_str(0, &late);
        slots.at(Some(0), String::new).push('b');
        slots.open(Some(0), "a".to_owned(), fill);
        slots.at(Some(0), String::new).push('c');
        slots.close(Some(0));
        slots.open(Some(0), "d".to_owned(), fill);
        slots.at(Some(0), String::new).push('e');
        slots.open(Some(0), "-".to_owned(), fill);
        slots.close(None);
        slots.open(None, "f".to_owned(), fill);
        slots.close(None);
        slots.at(None, String::new).push('g');
        slots.at(None, String::new).push('h');
        assert_eq!(slots.into_values().collect::<Vec<_>>(), ["abc", "-de", "f", "gh"]);
    }
}
