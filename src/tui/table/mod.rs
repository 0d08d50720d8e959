//! The list of responses: a row each, what is typed to filter it, its order, and what of it is
//! counted.

mod counts;
mod order;
mod parts;
mod rows;

use std::collections::HashMap;
use std::ops::Range;

pub use parts::{Count, Phase, Search};
use parts::{Hits, Sets};
pub use rows::Row;
use rows::{Facts, NONE, Rows};

use super::excerpt::Excerpt;
use crate::check::{RULES, Severity};
use crate::review::Review;
use crate::session::{Digest, ListFilter, Marks, RecordError, RowKind, Session};

/// What was decided of the claims of each file, by its name, or why there is no place for that.
pub type FileMarks = HashMap<String, Result<Marks, String>>;

/// How many claims of a response were decided to be right, wrong, unsure; nothing where its file has none.
pub fn decided(session: &Session, marks: &FileMarks, row: &Row) -> Option<[usize; 3]> {
    let (input, _) = session.record(row.record as usize)?;
    let marks = marks.get(input.name())?.as_ref().ok()?;
    Some(marks.counts(session.number(row.record as usize), usize::from(row.item)))
}

/// Words that are kept.
const WORDS: usize = 2000;

/// The list.
#[derive(Debug, Default)]
#[allow(clippy::struct_excessive_bools)] // what is switched on and off by a key
pub struct Table {
    rows: Rows,
    sets: Sets,
    words: HashMap<(u32, u16), Excerpt>,
    sites: HashMap<String, Count>,
    /// Records that were checked one after the other.
    pub checked: usize,
    /// What goes on behind the screen.
    pub phase: Phase,
    /// What is typed.
    pub filter: String,
    /// Keys go to the filter.
    pub typing: bool,
    /// Files of a directory that hold no response.
    pub skipped: usize,
    /// The worst come first.
    pub worst_first: bool,
    /// Pieces of streams are shown, not folded into the answers that they became.
    pub unfolded: bool,
    /// How many were met.
    pieces: usize,
    /// Rows with a finding worse than a note, those that could not be read among them.
    pub doubtful: usize,
    /// Records that could not be read.
    pub unread: usize,
    parsed: ListFilter,
    hits: Option<Hits>,
    /// Searches that were begun.
    searches: usize,
    /// Rows that are shown, in their order; nothing where all are, as they came.
    view: Option<Vec<u32>>,
    stale: bool,
}

impl Table {
    /// Of so many records of which nothing is known.
    pub fn new(records: usize) -> Self {
        let mut table = Self::default();
        table.sets.number(&[]);
        table.grow(records);
        table
    }

    /// There are so many records now.
    pub fn grow(&mut self, records: usize) {
        self.rows.grow(records);
        self.stale = true;
    }

    /// How many responses are known of.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.rows.len() == 0
    }

    /// A row.
    pub fn get(&self, row: usize) -> Option<Row> {
        self.rows.get(row)
    }

    /// The row of a response.
    pub fn find(&self, record: u32, item: u16) -> Option<usize> {
        self.rows.find(record, item)
    }

    /// Rules that found something in a row, worst first.
    pub fn rules(&self, row: &Row) -> &[u8] {
        self.sets.get(row.facts.rules)
    }

    /// How bad the worst finding of a row is.
    pub fn worst(&self, row: &Row) -> Option<Severity> {
        let found = self.rules(row).first().and_then(|&rule| RULES.get(usize::from(rule)));
        found.map(|rule| rule.severity).or((row.kind() == Some(RowKind::Unread)).then_some(Severity::Error))
    }

    /// Whether a row has a finding worse than a note.
    pub fn is_faulty(&self, row: &Row) -> bool {
        self.worst(row).is_some_and(|worst| worst < Severity::Note)
    }

    /// Fills in what is said of a record, wherever it stands.
    pub fn learn(&mut self, record: usize, digests: &[Digest]) {
        let record = record as u32;
        let Some(old) = self.find(record, 0).and_then(|row| self.rows.get(row)) else { return };
        if old.kind().is_some() {
            return;
        }
        let rows = self.rows_of(record, digests, &[old]);
        self.replace(record..record + 1, &rows);
    }

    /// Fills in what a check says of records one after the other.
    pub fn take(&mut self, from: usize, digests: &[Vec<Digest>]) {
        self.checked = from + digests.len();
        let records = from as u32..self.checked as u32;
        let numbers = self.rows.first_of(records.start)..self.rows.first_of(records.end);
        let before: Vec<Row> = numbers.filter_map(|row| self.rows.get(row)).collect();
        let olds = before.chunk_by(|a, b| a.record == b.record);
        let rows = records.clone().zip(digests).zip(olds);
        let rows =
            rows.flat_map(|((record, digests), old)| self.rows_of(record, digests, old)).collect::<Vec<_>>();
        self.replace(records, &rows);
    }

    /// The rows of a record in place of those it had.
    fn rows_of(&mut self, record: u32, digests: &[Digest], old: &[Row]) -> Vec<Row> {
        let mut rows = Vec::with_capacity(digests.len());
        for (item, digest) in digests.iter().enumerate() {
            let old = old.get(item).copied();
            self.pieces += usize::from(digest.kind == RowKind::Partial);
            self.count_sites(digest, old.filter(|row| row.kind().is_some()));
            let facts = Facts {
                rules: self.sets.number(&digest.rules),
                claims: digest.claims,
                kind: Some(digest.kind),
                format: digest.format.unwrap_or(NONE),
                cited: digest.cited.unwrap_or(NONE),
                marked: old.is_some_and(|old| old.is_marked()),
            };
            rows.push(Row { record, item: item as u16, facts });
        }
        rows
    }

    /// Counts a response under its sites; one that was counted before only where it has become doubtful, or
    /// no longer is.
    fn count_sites(&mut self, digest: &Digest, before: Option<Row>) {
        let doubtful = digest.worst().is_some_and(|worst| worst < Severity::Note);
        let was = before.is_some_and(|row| self.is_faulty(&row));
        for site in &digest.sites {
            let count = self.sites.entry(site.clone()).or_default();
            count.responses += usize::from(before.is_none());
            // In a file that is replaced meanwhile it may have had other sites before.
            count.doubtful = (count.doubtful + usize::from(doubtful)).saturating_sub(usize::from(was));
        }
    }

    /// Puts other rows in place of those of some records; what is shown goes on to point at the same
    /// responses.
    fn replace(&mut self, records: Range<u32>, rows: &[Row]) {
        self.stale = true;
        let range = self.rows.first_of(records.start)..self.rows.first_of(records.end);
        let old: Vec<Row> = range.clone().filter_map(|row| self.rows.get(row)).collect();
        let doubtful = |rows: &[Row]| rows.iter().filter(|row| self.is_faulty(row)).count();
        let unread = |rows: &[Row]| rows.iter().filter(|row| row.kind() == Some(RowKind::Unread)).count();
        self.doubtful = (self.doubtful + doubtful(rows)).saturating_sub(doubtful(&old));
        self.unread = (self.unread + unread(rows)).saturating_sub(unread(&old));
        if rows.len() != range.len()
            && let Some(view) = &mut self.view
        {
            for place in view {
                let row = *place as usize;
                if row >= range.end {
                    *place = (row + rows.len() - range.len()) as u32;
                } else if let Some(same) = row.checked_sub(range.start).and_then(|at| old.get(at)) {
                    let key = |row: &Row| (row.record, row.item);
                    let at = rows.partition_point(|new| key(new) < key(same));
                    *place = (range.start + at) as u32;
                }
            }
        }
        self.rows.replace(records, rows);
    }

    /// The words of a row, where they were read.
    pub fn words(&self, row: &Row) -> Option<&Excerpt> {
        self.words.get(&(row.record, row.item))
    }

    /// Keeps the words of the responses of a record.
    pub fn read(&mut self, record: usize, result: Result<&[std::sync::Arc<Review>], &RecordError>) {
        if self.words.len() > WORDS {
            self.words.clear();
        }
        match result {
            Ok([]) => {
                let text = "(no response in this record)".to_owned();
                self.words.insert((record as u32, 0), Excerpt { text, special: String::new() });
            }
            Ok(reviews) => {
                for review in reviews {
                    self.words.insert((record as u32, review.item as u16), Excerpt::of(review));
                }
            }
            Err(error) => {
                let words = Excerpt { text: error.what.clone(), special: "not read".to_owned() };
                self.words.insert((record as u32, 0), words);
                // It may have been read before: what was known then is known no longer.
                let Some(number) = self.find(record as u32, 0) else { return };
                let Some(row) = self.rows.get(number) else { return };
                if row.kind().is_some_and(|kind| kind != RowKind::Unread) {
                    self.doubtful += usize::from(!self.is_faulty(&row));
                    self.unread += 1;
                    let (kind, marked) = (Some(RowKind::Unread), row.is_marked());
                    self.rows.set(number, Facts { kind, marked, ..Facts::UNKNOWN });
                    self.stale = true;
                }
            }
        }
    }

    /// Marks a row, or takes the mark away.
    pub fn mark(&mut self, row: usize) {
        if let Some(Row { facts, .. }) = self.rows.get(row) {
            self.rows.set(row, Facts { marked: !facts.marked, ..facts });
            self.stale = true;
        }
    }

    /// Whether what is shown has to be put in order anew.
    pub fn is_stale(&self) -> bool {
        self.stale
    }

    /// What is shown has to be put in order anew.
    pub fn touch(&mut self) {
        self.stale = true;
    }

    // ---- what is shown ----

    /// How many rows are shown.
    pub fn shown(&self) -> usize {
        self.view.as_ref().map_or(self.rows.len(), Vec::len)
    }

    /// The row at a place of what is shown.
    pub fn at(&self, place: usize) -> Option<usize> {
        match &self.view {
            Some(view) => view.get(place).map(|&row| row as usize),
            None => Some(place).filter(|&row| row < self.rows.len()),
        }
    }

    /// The place of a row among what is shown.
    pub fn place_of(&self, row: usize) -> Option<usize> {
        match &self.view {
            Some(view) => view.iter().position(|&shown| shown as usize == row),
            None => Some(row).filter(|&row| row < self.rows.len()),
        }
    }

    /// Takes what was typed. Where responses have to be read for it, or no longer, the search for the shell
    /// to begin.
    pub fn set_filter(&mut self, typed: String) -> Option<Search> {
        self.parsed = ListFilter::parse(&typed);
        self.filter = typed;
        self.stale = true;
        let wanted = Some(self.parsed.reading_terms()).filter(|filter| !filter.is_empty());
        if self.hits.as_ref().map(|hits| &hits.filter) == wanted.as_ref() {
            return None;
        }
        self.searches += 1;
        self.hits = wanted.clone().map(|filter| Hits { filter, ..Hits::default() });
        Some(Search { number: self.searches, filter: wanted })
    }

    /// What a search found, so far; of one that was given up nothing is taken.
    pub fn found(&mut self, search: usize, rows: Vec<(u32, u16)>, done: bool) {
        if let Some(hits) = self.hits.as_mut().filter(|_| search == self.searches) {
            hits.rows.extend(rows);
            hits.done = done;
            self.stale = true;
        }
    }

    /// Whether more is still found out.
    pub fn is_live(&self) -> bool {
        matches!(self.phase, Phase::Opening | Phase::Checking)
    }

    /// Whether a search has read all there is.
    pub fn has_searched(&self) -> bool {
        self.hits.as_ref().is_some_and(|hits| hits.done)
    }

    /// Whether what is shown may still grow.
    pub fn is_searching(&self) -> bool {
        self.hits.as_ref().is_some_and(|hits| !hits.done)
    }

    /// Whether a filter leaves some out.
    pub fn is_narrowed(&self) -> bool {
        !self.parsed.is_empty()
    }

    /// Whether inputs that could not be read are among what is shown.
    pub fn shows_failures(&self) -> bool {
        !self.is_narrowed() || self.parsed.is_of_unread()
    }

    /// What looks like a key of the filter and is none.
    pub fn unknown_key(&self) -> Option<&str> {
        self.parsed.unknown_key()
    }

    /// Whether the filter asks for questions.
    pub fn asks_questions(&self) -> bool {
        self.parsed.asks_questions()
    }

    /// Whether the filter asks what was decided of claims.
    pub fn asks_decisions(&self) -> bool {
        self.parsed.asks_decisions()
    }

    /// How many pieces became the answer of a row.
    pub fn pieces_of(&self, number: usize) -> usize {
        let Some(row) = self.rows.get(number).filter(|row| row.kind() == Some(RowKind::Answer)) else {
            return 0;
        };
        let before = (0..number).rev().map_while(|number| self.rows.get(number));
        let piece = |piece: &Row| piece.record == row.record && piece.kind() == Some(RowKind::Partial);
        before.take_while(piece).count()
    }

    /// The next row with a fault behind another one, or before it, in the order that is shown.
    pub fn next_fault(&self, row: usize, forward: bool) -> Option<usize> {
        let here = self.place_of(row);
        let faulty = |place: &usize| {
            self.at(*place).and_then(|row| self.get(row)).is_some_and(|row| self.is_faulty(&row))
        };
        // Of a row that is not shown all others are behind.
        let place = if forward {
            (here.map_or(0, |here| here + 1)..self.shown()).find(faulty)
        } else {
            (0..here.unwrap_or_default()).rev().find(faulty)
        };
        self.at(place?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(rules: &[&str], cited: u8) -> Digest {
        let number = |id: &&str| RULES.iter().position(|rule| rule.id == *id).unwrap() as u8;
        let rules = rules.iter().map(number).collect();
        Digest {
            rules,
            cited: Some(cited),
            format: Some(0),
            sites: ["a.example".to_owned()].into(),
            ..Digest::default()
        }
    }

    /// Records and responses in the order shown.
    fn shown(table: &Table) -> Vec<(u32, u16)> {
        let row = |place| table.get(table.at(place)?).map(|row| (row.record, row.item));
        (0..table.shown()).filter_map(row).collect()
    }

    #[test]
    fn records_of_several_responses_become_rows_wherever_they_stand() {
        let mut table = Table::new(4);
        table.learn(2, &[facts(&[], 10), facts(&["offset-drift"], 20)]);
        assert_eq!(shown(&table), [(0, 0), (1, 0), (2, 0), (2, 1), (3, 0)]);
        table.mark(3);
        let all =
            [vec![facts(&[], 90)], vec![facts(&[], 90); 2], vec![facts(&[], 10), facts(&["quote-gone"], 20)]];
        table.take(0, &all);
        table.grow(6);
        assert_eq!(shown(&table), [(0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (3, 0), (4, 0), (5, 0)]);
        let row = table.get(table.find(2, 1).unwrap()).unwrap();
        assert!(
            row.is_marked() && table.is_faulty(&row),
            "the mark stays, the findings are those of the check"
        );
        assert_eq!(table.by_site(), [("a.example", Count { responses: 5, doubtful: 1 })]);
    }

    #[test]
    fn filters_and_order_are_of_what_is_known_so_far() {
        let session = Session::from_bytes("f", b"{\"candidates\": []}".to_vec());
        let mut table = Table::new(5);
        table.take(
            0,
            &[
                vec![facts(&["source-unused"], 100)],
                vec![facts(&["other-chunk"], 30)],
                vec![facts(&["offset-drift", "source-unused"], 40)],
            ],
        );
        table.worst_first = true;
        table.refresh(&session, &FileMarks::new());
        assert_eq!(shown(&table), [(2, 0), (1, 0), (0, 0), (3, 0), (4, 0)]);
        assert_eq!(table.set_filter("cited<50 rule:unused".to_owned()), None);
        table.refresh(&session, &FileMarks::new());
        assert_eq!(shown(&table), [(2, 0)]);
        let search = table.set_filter("park".to_owned()).unwrap();
        assert!(table.is_searching() && table.set_filter("park ".to_owned()).is_none());
        table.refresh(&session, &FileMarks::new());
        assert_eq!(shown(&table), []);
        table.found(search.number, vec![(0, 0), (3, 0)], true);
        table.refresh(&session, &FileMarks::new());
        assert_eq!((shown(&table), table.is_searching()), (vec![(0, 0), (3, 0)], false));
        assert_eq!(table.set_filter("is:fault".to_owned()), Some(Search { number: 2, filter: None }));
        table.set_filter(String::new());
        table.worst_first = false;
        table.refresh(&session, &FileMarks::new());
        assert_eq!(
            (table.shown(), table.next_fault(0, true), table.next_fault(2, true), table.next_fault(2, false)),
            (5, Some(1), None, Some(1))
        );
    }
}
