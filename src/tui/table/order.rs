//! Which rows are shown, and in what order.

use std::cell::{Cell, RefCell};

use super::rows::Row;
use super::{FileMarks, Table, decided};
use crate::check::{RULES, Severity};
use crate::session::{Known, RowKind, Session};

/// Kinds of faults that are told apart in the order of the list, and how many ranks that makes.
const FAULTS: usize = 7;
/// Rank of a response without a fault, behind error and warning.
const NO_FAULT: usize = 2;
const RANKS: usize = (NO_FAULT + 1) * (FAULTS + 1) * (TENTHS + 1);
/// Tenths of what is cited that are told apart in it.
const TENTHS: usize = 10;

impl Table {
    /// Puts in order what is shown, where something changed. `session` knows the files, `marks` what was
    /// decided of the claims of each.
    pub fn refresh(&mut self, session: &Session, marks: &FileMarks) {
        if !std::mem::take(&mut self.stale) {
            return;
        }
        self.view = None;
        let folded = self.folded();
        if self.parsed.is_empty() && !self.worst_first && folded.is_empty() {
            return;
        }
        let files: Vec<bool> = session.inputs().map(|input| self.parsed.passes_file(input.name())).collect();
        let all = files.iter().all(|&passes| passes);
        let named = self.named(session);
        let is_hit = self.hit();
        let asked = self.parsed.asks_decisions();
        let passes = |row: &Row| {
            let file = || session.input_of(row.record as usize).and_then(|input| files.get(input).copied());
            let decided = if asked { decided(session, marks, row) } else { None };
            self.parsed.passes(&Known { decided: decided.unwrap_or_default(), ..self.known(row) })
                && (is_hit(row) || named(row))
                && (all || file() == Some(true))
        };
        let shown = |number: usize| !folded.get(number).copied().unwrap_or_default();
        let rows = || {
            let rows = self.rows.iter().enumerate().filter(|(number, _)| shown(*number));
            rows.filter(|(_, row)| self.parsed.is_empty() || passes(row))
        };
        let narrowed = !self.parsed.is_empty() || !folded.is_empty();
        let passing: Option<Vec<u32>> = narrowed.then(|| rows().map(|(number, _)| number as u32).collect());
        drop((named, is_hit));
        self.view = if self.worst_first { Some(self.by_rank(passing.as_deref())) } else { passing };
    }

    /// Rows by their rank, of equal ones as they came; all where none are named. Their ranks are counted
    /// first: a long list takes no room beside its own.
    fn by_rank(&self, rows: Option<&[u32]>) -> Vec<u32> {
        let length = rows.map_or(self.len(), <[u32]>::len);
        let number = |at: usize| rows.map_or(Some(at as u32), |rows| rows.get(at).copied());
        let ranked = || {
            let rows = (0..length).filter_map(number);
            rows.filter_map(|number| Some((number, self.rank(&self.rows.get(number as usize)?))))
        };
        let mut next = [0; RANKS];
        for (_, rank) in ranked() {
            next.get_mut(rank + 1).into_iter().for_each(|behind| *behind += 1);
        }
        let mut before = 0;
        for place in &mut next {
            before += *place;
            *place = before;
        }
        let mut order = vec![0; length];
        for (number, rank) in ranked() {
            if let Some(next) = next.get_mut(rank)
                && let Some(place) = order.get_mut(*next)
            {
                (*place, *next) = (number, *next + 1);
            }
        }
        order
    }

    /// How far behind a row stands where the worst come first: of equally bad ones behind those with more
    /// kinds of faults, then those that rest on less, whatever notes they have; questions last.
    fn rank(&self, row: &Row) -> usize {
        let worst = self.worst(row).filter(|worst| *worst < Severity::Note);
        let worst = worst.map_or(NO_FAULT, |worst| worst as usize);
        let is_fault =
            |rule: &&u8| RULES.get(usize::from(**rule)).is_some_and(|rule| rule.severity < Severity::Note);
        let faults = self.rules(row).iter().filter(is_fault).count();
        let faults = faults.clamp(usize::from(worst < NO_FAULT), FAULTS);
        let cited = match row.cited().filter(|_| row.kind() != Some(RowKind::Question)) {
            Some(cited) => usize::from(cited) * (TENTHS - 1) / 100,
            None if row.kind() == Some(RowKind::Unread) => TENTHS - 1,
            None => TENTHS,
        };
        (worst * (FAULTS + 1) + FAULTS - faults) * (TENTHS + 1) + cited
    }

    /// Whether what the list says of a row beside its text holds the words that are looked for: the name of
    /// its file, and what was found.
    fn named<'t>(&'t self, session: &'t Session) -> impl Fn(&Row) -> bool + 't {
        // A long file is opened in pieces of one name.
        let mut names: Vec<String> = Vec::new();
        let mut files: Vec<usize> = Vec::new();
        for input in session.inputs() {
            if names.last().is_none_or(|last| *last != input.name()) {
                names.push(input.name().to_owned());
            }
            files.push(names.len() - 1);
        }
        let several = names.len() > 1;
        let names: Vec<String> = names.into_iter().map(|name| name.to_lowercase()).collect();
        let told: RefCell<hashbrown::HashMap<(u16, Option<usize>), bool>> = RefCell::default();
        move |row: &Row| {
            let file = if several { session.input_of(row.record as usize) } else { None };
            let file: Option<usize> = file.and_then(|piece| files.get(piece).copied());
            *told.borrow_mut().entry((row.facts.rules, file)).or_insert_with(|| {
                let rules = self.rules(row).iter().filter_map(|&rule| RULES.get(usize::from(rule)));
                let found: String = rules.map(|rule| format!("\n{} {}", rule.id, rule.summary)).collect();
                let file = file.and_then(|file| names.get(file)).map_or("", String::as_str);
                self.parsed.names(&format!("{file}{}", found.to_lowercase()))
            })
        }
    }

    /// Whether each row is a piece of an answer that stands below it, and says no more than that; empty where
    /// none is.
    pub(super) fn folded(&self) -> Vec<bool> {
        if self.unfolded || self.pieces == 0 {
            return Vec::new();
        }
        let mut folded = vec![false; self.rows.len()];
        let mut answered = None;
        for (row, folded) in self.rows.iter().rev().zip(folded.iter_mut().rev()) {
            match row.kind() {
                Some(RowKind::Answer) => answered = Some(row.record),
                Some(RowKind::Partial) => *folded = answered == Some(row.record) && !self.is_faulty(&row),
                _ => answered = None,
            }
        }
        folded
    }

    fn known(&self, row: &Row) -> Known<'_> {
        Known {
            worst: self.worst(row),
            format: row.format(),
            cited: row.cited().filter(|_| row.kind() == Some(RowKind::Answer)),
            rules: self.rules(row),
            marked: row.is_marked(),
            question: row.kind() == Some(RowKind::Question),
            unread: row.kind() == Some(RowKind::Unread),
            decided: [0; 3],
        }
    }

    /// Whether a search found a row, of rows that are asked about in order.
    fn hit(&self) -> impl Fn(&Row) -> bool + '_ {
        let rows = self.hits.as_ref().map(|hits| hits.rows.as_slice());
        let next = Cell::new(0);
        move |row: &Row| {
            let Some(rows) = rows else { return true };
            let place = (row.record, row.item);
            while rows.get(next.get()).is_some_and(|hit| *hit < place) {
                next.set(next.get() + 1);
            }
            rows.get(next.get()) == Some(&place)
        }
    }
}
