//! Strings numbered from 0 in order of first appearance, kept end to end in one buffer.

use hashbrown::{DefaultHashBuilder, HashTable};
use std::hash::BuildHasher;

#[derive(Clone, Debug, Default)]
pub(crate) struct Interner {
    hasher: DefaultHashBuilder,
    slots: HashTable<u32>,
    text: String,
    /// Where each string ends.
    ends: Vec<u32>,
}

impl Interner {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn clear(&mut self) {
        self.slots.clear();
        self.text.clear();
        self.ends.clear();
    }

    /// Makes room for `more` strings.
    pub(crate) fn reserve(&mut self, more: usize) {
        let Self { hasher, slots, text, ends } = self;
        slots.reserve(more, |id| hasher.hash_one(get(text, ends, *id)));
    }

    pub(crate) fn find(&self, wanted: &str) -> Option<u32> {
        let hash = self.hasher.hash_one(wanted);
        self.slots.find(hash, |id| get(&self.text, &self.ends, *id) == wanted).copied()
    }

    pub(crate) fn intern(&mut self, wanted: &str) -> u32 {
        let Self { hasher, slots, text, ends } = self;
        let hash = hasher.hash_one(wanted);
        if let Some(id) = slots.find(hash, |id| get(text, ends, *id) == wanted) {
            return *id;
        }
        let id = u32::try_from(ends.len()).unwrap_or(u32::MAX);
        text.push_str(wanted);
        ends.push(u32::try_from(text.len()).unwrap_or(u32::MAX));
        slots.insert_unique(hash, id, |id| hasher.hash_one(get(text, ends, *id)));
        id
    }

    pub(crate) fn get(&self, id: u32) -> &str {
        get(&self.text, &self.ends, id)
    }
}

fn get<'t>(text: &'t str, ends: &[u32], id: u32) -> &'t str {
    let at = id as usize;
    let start = at.checked_sub(1).and_then(|before| ends.get(before)).copied().unwrap_or(0);
    ends.get(at).and_then(|end| text.get(start as usize..*end as usize)).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_follow_first_appearance() {
        let mut made = Interner::default();
        let ids: Vec<_> = ["b", "", "a", "b", "橋", ""].map(|s| made.intern(s)).into();
        assert_eq!(ids, [0, 1, 2, 0, 3, 1]);
        assert_eq!(made.find("橋"), Some(3));
        assert_eq!(made.find("c"), None);
        assert_eq!((made.get(0), made.get(1), made.get(3)), ("b", "", "橋"));
    }
}
