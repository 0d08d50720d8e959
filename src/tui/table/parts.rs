//! What the list is made of beside its rows: lists of rules, what a search found, what goes on behind the
//! screen.

use std::collections::HashMap;

use crate::session::ListFilter;

/// Lists of rules, each kept once: most responses have one of a few.
#[derive(Debug, Default)]
pub(super) struct Sets {
    sets: Vec<Box<[u8]>>,
    numbers: HashMap<Box<[u8]>, u16>,
}

impl Sets {
    pub(super) fn number(&mut self, rules: &[u8]) -> u16 {
        if let Some(&number) = self.numbers.get(rules) {
            return number;
        }
        let number = self.sets.len().min(usize::from(u16::MAX)) as u16;
        // Past that many, lists are shown as the last one: 65,536 are not met.
        if usize::from(number) == self.sets.len() {
            self.sets.push(rules.into());
            self.numbers.insert(rules.into(), number);
        }
        number
    }

    pub(super) fn get(&self, number: u16) -> &[u8] {
        self.sets.get(usize::from(number)).map_or(&[], |rules| rules)
    }
}

/// Responses of a kind, and those among them with a finding worse than a note.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Count {
    /// All.
    pub responses: usize,
    /// The doubtful ones.
    pub doubtful: usize,
}

/// What was found by reading, as far as it went.
#[derive(Debug, Default)]
pub(super) struct Hits {
    pub(super) filter: ListFilter,
    /// Rows in order: record and response.
    pub(super) rows: Vec<(u32, u16)>,
    pub(super) done: bool,
}

/// What goes on behind the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Phase {
    /// Nothing.
    #[default]
    Still,
    /// Inputs are opened, and checked behind that.
    Opening,
    /// All is open; it is being checked.
    Checking,
    /// All is checked.
    Done,
}

/// What is to be looked for by reading; nothing where no search is wanted any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Search {
    /// Its number.
    pub number: usize,
    /// What passes.
    pub filter: Option<ListFilter>,
}
