//! What the screen shows, as plain data. Changed by [`super::update`] only; drawing reads it.

mod parts;
mod selection;

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use super::copy_target::CopyTarget;
pub use super::pane::Pane;
use super::strength::weakest_first;
use super::table::{FileMarks, Phase, Table};
use super::theme::Theme;
use crate::check::{Finding, Rule, Severity};
use crate::model::Origin;
use crate::review::Review;
use crate::session::{
    Digest, Marks, News, RecordError, RecordReviews, ReviewMark, Session, SourceTexts, Supplied, TextFor,
};
use crate::text::counted;
pub use parts::{
    Before, Cursor, Filter, Found, Notice, NoticeKind, Overlay, Placing, Preview, Prompt, Typing, Visited,
    Want,
};

/// Supports that are compared before a response is first drawn; more are compared between keys.
const AT_ONCE: usize = 200;

/// The state of the screen.
#[allow(clippy::struct_excessive_bools)] // what is switched on and off by a key
pub struct State {
    /// What is open.
    pub session: Arc<Session>,
    /// The list of responses.
    pub table: Table,
    /// The row that is shown.
    pub row: usize,
    /// The responses of its record, or why there are none.
    pub record: Result<RecordReviews, RecordError>,
    /// The selected span.
    pub span: usize,
    /// The sentence without a source that is selected instead of it.
    pub sentence: Option<usize>,
    /// Who marks claims.
    pub who: String,
    /// Which spans are walked.
    pub filter: Filter,
    /// The pane that has the keys.
    pub focus: Pane,
    /// Side panes that were asked for, the last one last.
    pub asked: Vec<Pane>,
    /// The pane that has the keys takes the whole screen.
    pub zoomed: bool,
    /// Columns and rows by which the user moved the dividers.
    pub divided: (i16, i16),
    /// The answer is shown as it was sent, not as Markdown.
    pub as_sent: bool,
    /// Cursors of the panes.
    pub cursors: [Cursor; Pane::COUNT],
    /// What lies over the screen, the topmost last.
    pub overlays: Vec<(Overlay, Cursor)>,
    /// What was searched for.
    pub needle: String,
    /// What is typed, where something is asked.
    pub typing: Option<Typing>,
    /// What the search found.
    pub found: Vec<Found>,
    /// The current one of it.
    pub at: Option<usize>,
    /// What the search began from, while it is typed.
    pub before: Option<Before>,
    /// Texts of sources that were attached on the screen.
    pub attached: Vec<(TextFor, String)>,
    /// Lines of the raw JSON that are folded.
    pub folded: Vec<usize>,
    /// What was decided of claims, by the name of the input.
    pub marks: FileMarks,
    /// Inputs of which it was told that theirs cannot be read.
    pub told: HashSet<String>,
    /// Where one has been before, and where one came back from.
    pub trail: (Vec<Visited>, Vec<Visited>),
    /// Footer.
    pub notice: Option<Notice>,
    /// Mouse reports are on.
    pub mouse: bool,
    /// Colours.
    pub theme: Theme,
    /// What was compared is shown.
    pub compare: bool,
    /// The list of sources begins with those that back their claims least.
    pub weakest_first: bool,
    /// The first source of the matrix, where one went to others than those near the selected claim.
    pub matrix_from: Option<usize>,
    /// Grows with every change of what panes show.
    pub revision: u64,
    /// The response at the cursor of the list, read between keys: its record, its number there.
    pub peeked: Option<((u32, u16), Arc<Review>)>,
    /// What the copy menu would copy, made between keys.
    pub preview: Option<Preview>,
    /// The check behind the screen waits until it is told to go on.
    pub paused: bool,
    /// What the shell should do.
    pub wants: Vec<Want>,
}

impl State {
    /// Of a collection with at least one record.
    pub fn new(session: Arc<Session>) -> Self {
        let record = session.decode(0);
        let mut state = Self {
            table: Table::new(session.len()),
            session,
            row: 0,
            record,
            span: 0,
            sentence: None,
            who: String::new(),
            filter: Filter::All,
            focus: Pane::Answer,
            asked: Vec::new(),
            zoomed: false,
            divided: (0, 0),
            as_sent: false,
            cursors: [Cursor::default(); Pane::COUNT],
            overlays: Vec::new(),
            needle: String::new(),
            typing: None,
            found: Vec::new(),
            at: None,
            before: None,
            attached: Vec::new(),
            folded: Vec::new(),
            marks: HashMap::new(),
            told: HashSet::new(),
            trail: (Vec::new(), Vec::new()),
            notice: None,
            mouse: true,
            theme: Theme::default(),
            compare: true,
            weakest_first: false,
            matrix_from: None,
            revision: 0,
            peeked: None,
            preview: None,
            paused: false,
            wants: Vec::new(),
        };
        let first = state.record.clone();
        state.learn(0, &first);
        state.read_marks();
        state.compare_small();
        state
    }

    /// Shows what was opened anew where it was before, as far as that is still there.
    pub fn reopen(&mut self, session: Arc<Session>, phase: Phase) {
        // Texts that were attached here stay.
        let session = if self.attached.is_empty() { session } else { self.with_attached(&session) };
        let mut anew = Self::new(session);
        anew.attached = std::mem::take(&mut self.attached);
        anew.table.phase = phase;
        let (record, item) = self.table.get(self.row).map_or((0, 0), |row| (row.record as usize, row.item));
        if record > 0 && record < anew.session.len() {
            anew.record = anew.session.decode(record);
            let result = anew.record.clone();
            anew.learn(record, &result);
        }
        let record = record.min(anew.session.len().saturating_sub(1));
        anew.row = anew.table.find(record as u32, item).unwrap_or_default();
        let spans = anew.review().map_or(0, |review| review.spans.len());
        anew.span = self.span.min(spans.saturating_sub(1));
        anew.compare = self.compare;
        anew.compare_small();
        anew.revision = self.revision + 1;
        (anew.theme, anew.mouse) = (self.theme, self.mouse);
        (anew.focus, anew.asked) = (self.focus, std::mem::take(&mut self.asked));
        (anew.zoomed, anew.divided, anew.as_sent) = (self.zoomed, self.divided, self.as_sent);
        // What is being typed, and what lies over the screen, stays.
        anew.typing = self.typing.take();
        anew.overlays = std::mem::take(&mut self.overlays);
        anew.needle = std::mem::take(&mut self.needle);
        anew.trail = std::mem::take(&mut self.trail);
        anew.wants = std::mem::take(&mut self.wants);
        if let (Some(own), Some(cursor)) = (anew.cursors.first_mut(), self.cursors.first()) {
            *own = *cursor;
        }
        *self = anew;
    }

    /// Reads what was decided of the claims of the shown input, once.
    pub(super) fn read_marks(&mut self) {
        let Some(file) = self.review().map(|review| review.file().to_owned()) else { return };
        let marks = self.marks.entry(file.clone()).or_insert_with(|| Marks::of(&file));
        // That there is no place for marks is told when one is made.
        let Some(why) = marks.as_ref().err().filter(|_| std::path::Path::new(&file).is_file()) else {
            return;
        };
        if self.told.insert(file) {
            self.notice = Some(Notice { text: why.clone(), kind: NoticeKind::Failed });
        }
    }

    /// Reads what was decided of the claims of all inputs; says so where that of some cannot be read.
    pub(super) fn read_all_marks(&mut self) {
        if !self.table.asks_decisions() {
            return;
        }
        for input in self.session.inputs() {
            if !self.marks.contains_key(input.name()) {
                self.marks.insert(input.name().to_owned(), Marks::of(input.name()));
            }
        }
        let broken = |(name, marks): &(&String, &Result<Marks, String>)| {
            marks.is_err() && std::path::Path::new(name).is_file()
        };
        let mut broken = self.marks.iter().filter(broken);
        if let Some((_, Err(why))) = broken.next() {
            let more = broken.count();
            let more = if more > 0 { format!(", and {}", counted(more, "more file")) } else { String::new() };
            self.notice = Some(Notice { text: format!("{why}{more}"), kind: NoticeKind::Failed });
        }
        self.table.touch();
    }

    /// What was decided of a stretch of the shown answer.
    pub fn mark_of(&self, range: &Range<usize>) -> Option<&ReviewMark> {
        let review = self.review()?;
        self.marks.get(review.file())?.as_ref().ok()?.get(review, range)
    }

    /// Gives a source of the shown response a text to compare claims with, as `--source-text` does.
    pub(super) fn attach(&mut self, source: usize, text: String) {
        let Some(review) = self.review() else { return };
        let uri = review.source(source).and_then(|source| source.uri.clone());
        let target = uri.filter(|uri| !uri.is_empty()).map_or(
            TextFor::Record { record: review.record(), item: Some(review.item), index: source },
            TextFor::Address,
        );
        self.attached.push((target, text));
        self.session = self.with_attached(&self.session);
        let record = self.table.get(self.row).map_or(0, |row| row.record as usize);
        self.record = self.session.decode(record);
        let result = self.record.clone();
        self.learn(record, &result);
        self.compare_small();
        self.revision += 1;
    }

    /// A session with the texts that were attached on the screen.
    fn with_attached(&self, session: &Session) -> Arc<Session> {
        let supplied = session.supplied();
        let texts = self.attached.iter().fold(None::<SourceTexts>, |texts, (target, text)| {
            let add = |texts: &SourceTexts| texts.with(target.clone(), text.clone());
            let before = supplied.source_texts.as_deref();
            Some(texts.as_ref().or(before).map_or_else(|| add(&SourceTexts::default()), add))
        });
        let supplied = Supplied {
            source_texts: texts.map(Arc::new).or(supplied.source_texts.clone()),
            ..supplied.clone()
        };
        Arc::new(session.with_more(Vec::new()).with(supplied))
    }

    /// Compares the shown response at once where that is quick; else the shell does it between keys.
    pub(super) fn compare_small(&self) {
        if let Some(review) = self.review() {
            compare_small(review);
        }
    }

    /// The response that is shown.
    pub fn review(&self) -> Option<&Arc<Review>> {
        let item = self.table.get(self.row)?.item;
        self.record.as_ref().ok()?.get(usize::from(item))
    }

    /// Whether an offset of it can be repaired with certainty.
    pub fn has_repairs(&self) -> bool {
        self.review().is_some_and(|review| !review.repairs().edits.is_empty())
    }

    /// Its findings, as far as they are known.
    pub fn findings(&self) -> &[Finding] {
        self.review().map_or(&[], |review| review.findings_so_far())
    }

    /// Number of the response within its record.
    pub fn item(&self) -> usize {
        self.table.get(self.row).map_or(0, |row| usize::from(row.item))
    }

    /// The sources in the order of their list.
    pub fn source_order(&self) -> Vec<usize> {
        match self.review() {
            Some(review) if self.weakest_first => weakest_first(review, self.compare),
            review => (0..review.map_or(0, |review| review.response.sources.len())).collect(),
        }
    }

    /// The source at the cursor of the sources pane.
    pub fn source(&self) -> Option<usize> {
        // The copy menu is no part of the selection.
        match self.overlays.iter().rev().find(|(overlay, _)| *overlay != Overlay::Copy) {
            Some((Overlay::Source(source), _)) => return Some(*source),
            Some((Overlay::Sources, cursor)) => return self.source_order().get(cursor.entry).copied(),
            Some((Overlay::Finding(finding), _)) => {
                let finding = self.findings().get(*finding)?;
                let cited = || self.review()?.support(*finding.supports.first()?)?.cited().first().copied();
                return finding.sources.first().copied().or_else(cited);
            }
            Some((Overlay::Matrix, cursor)) => {
                return self
                    .review()?
                    .of_span(cursor.entry)
                    .find_map(|support| support.cited().first().copied());
            }
            _ => {}
        }
        // Where nothing is cited the pane lists all of them.
        if let Some(review) = self.review().filter(|review| review.spans.is_empty()) {
            let entry = self.cursor(Pane::Sources).entry;
            return Some(entry).filter(|entry| *entry < review.response.sources.len());
        }
        let cited = self.cited();
        cited.get(self.cursor(Pane::Sources).entry).or(cited.first()).copied()
    }

    /// Where the selection stands in the input: what the overlay or the focused pane is at.
    pub fn selected_origin(&self) -> Option<Origin> {
        let response = &self.review()?.response;
        let of_source = |index: usize| response.sources.get(index).map(|source| source.origin.clone());
        // The copy menu is no part of the selection.
        match self
            .overlays
            .iter()
            .rev()
            .map(|(overlay, _)| overlay)
            .find(|overlay| !matches!(overlay, Overlay::Copy))
        {
            Some(Overlay::Source(index)) => return of_source(*index),
            Some(Overlay::Trace(index)) => {
                return response.traces.get(*index).map(|trace| trace.origin.clone());
            }
            Some(Overlay::Finding(index)) => {
                return self.findings().get(*index).map(|finding| finding.origin.clone());
            }
            Some(Overlay::Raw(origin)) => return Some(origin.clone()),
            Some(Overlay::Sources) => return self.source().and_then(of_source),
            _ => {}
        }
        let entry = self.cursor(self.focus).entry;
        match self.focus {
            Pane::Answer => Some(
                self.selected_supports()
                    .next()
                    .map_or(&response.origin, |support| &support.sent().origin)
                    .clone(),
            ),
            Pane::Sources => self.source().and_then(of_source),
            Pane::Queries => response.queries.get(entry).map(|query| query.origin.clone()),
            Pane::Trace => {
                let trace = *super::steps::trace_rows(response).get(entry)?;
                response.traces.get(trace).map(|trace| trace.origin.clone())
            }
            _ => Some(response.origin.clone()),
        }
    }

    /// Of panes that share a place the one that is shown: asked for last, else the first with something in
    /// it.
    pub fn shown_of(&self, place: &[Pane]) -> Pane {
        let asked = self.asked.iter().rev().find(|pane| place.contains(pane)).copied();
        let has = |pane: Pane| {
            self.review().is_some_and(|review| match pane {
                Pane::Queries => review.response.traces.is_empty() && !review.response.queries.is_empty(),
                Pane::Trace => !review.response.traces.is_empty(),
                _ => true,
            })
        };
        let first = || place.iter().copied().find(|&pane| has(pane));
        asked.or_else(first).or(place.first().copied()).unwrap_or(Pane::Response)
    }

    /// Where a pane stands.
    pub fn cursor(&self, pane: Pane) -> Cursor {
        self.cursors.get(pane.index()).copied().unwrap_or_default()
    }

    /// What lies on top of the screen.
    pub fn overlay(&self) -> Option<&Overlay> {
        self.overlays.last().map(|(overlay, _)| overlay)
    }

    /// The row of the copy menu at its cursor.
    pub fn copy_target(&self) -> Option<CopyTarget> {
        let (Overlay::Copy, cursor) = self.overlays.last()? else { return None };
        CopyTarget::all().into_iter().nth(cursor.entry)
    }

    /// What that row would copy, as far as it was made.
    pub fn made_preview(&self) -> Option<&Result<String, String>> {
        let target = self.copy_target()?;
        let made = self
            .preview
            .as_ref()
            .filter(|made| made.target.key() == target.key() && made.revision == self.revision);
        made.map(|made| &made.text)
    }

    /// Whether a span is walked.
    pub fn walks(&self, span: usize) -> bool {
        let Some(review) = self.review() else { return false };
        let mut each = review.of_span(span);
        match self.filter {
            Filter::All => true,
            Filter::Findings => each.any(|support| self.worst_of(support.index).is_some()),
            Filter::Rule(rule) => each.any(|support| self.touches(rule, support.index)),
            Filter::Source(source) => each.any(|support| support.cited().contains(&source)),
            Filter::LowScore => each.any(|support| crate::check::is_low(&review.response, support.sent())),
            Filter::Uncited => each.any(|support| !support.resolves()),
        }
    }

    /// Whether a finding of a rule touches a support. Findings name their supports in order.
    fn touches(&self, rule: &Rule, support: usize) -> bool {
        let mut of_rule = self.findings().iter().filter(|finding| finding.rule == rule);
        of_rule.any(|finding| finding.supports.binary_search(&support).is_ok())
    }

    /// The worst finding that touches a support.
    pub fn worst_of(&self, support: usize) -> Option<Severity> {
        self.review()?.worst(support)
    }

    /// Fills in what decoding a record says of its rows; a record of several responses gets a row each.
    pub fn learn(&mut self, record: usize, result: &Result<RecordReviews, RecordError>) {
        let digests = Digest::of_record(result, Review::findings_so_far);
        self.table.read(record, result.as_deref());
        if let Some((input, _)) = self.session.record(record) {
            let name = input.name();
            if !self.marks.contains_key(name) {
                self.marks.insert(name.to_owned(), Marks::of(name));
            }
        }
        self.keeping_rows(|state| state.table.learn(record, &digests));
    }

    /// Takes what came from behind the screen. Rows are put in order by [`Self::refresh`].
    pub fn take(&mut self, news: News) {
        self.keeping_rows(|state| match news {
            // What was told before the first frame may be less than is open by now.
            News::More(session) if session.len() < state.session.len() => {}
            News::More(session) => {
                state.session =
                    if state.attached.is_empty() { session } else { state.with_attached(&session) };
                state.table.grow(state.session.len());
                state.read_all_marks();
            }
            News::Skipped(0) => {}
            News::Skipped(count) => {
                state.table.skipped = count;
                let text = format!("{} without a response skipped", counted(count, "file"));
                state.notice = Some(Notice { text, kind: NoticeKind::Said });
            }
            News::Opened => state.table.phase = state.table.phase.max(Phase::Checking),
            News::Checked { from, facts } => state.table.take(from, &facts),
            News::Done => state.table.phase = Phase::Done,
            News::Refused(why) => {
                state.table.phase = Phase::Still;
                state.notice = Some(Notice { text: why, kind: NoticeKind::Failed });
            }
            News::Found { search, rows, done } => state.table.found(search, rows, done),
        });
        self.counts_changed();
    }

    /// Puts the list in order; the cursor stays on its row.
    pub fn refresh(&mut self) {
        self.keeping_rows(|state| state.table.refresh(&state.session, &state.marks));
        self.counts_changed();
    }

    /// The list is made of each frame anew; of all else only the counts say something of it.
    fn counts_changed(&mut self) {
        self.revision += u64::from(self.overlay() == Some(&Overlay::Summary));
    }

    /// Changes the list; the row that is shown and the one at the cursor are found again.
    fn keeping_rows(&mut self, change: impl FnOnce(&mut Self)) {
        let place = |table: &Table, row: usize| table.get(row).map(|row| (row.record, row.item));
        let shown = place(&self.table, self.row);
        let cursor = self.list_cursor().and_then(|cursor| place(&self.table, self.table.at(cursor.entry)?));
        change(self);
        let find = |table: &Table, (record, item)| table.find(record, item);
        self.row = shown.and_then(|place| find(&self.table, place)).unwrap_or(self.row);
        let entry = cursor.and_then(|place| self.table.place_of(find(&self.table, place)?));
        let last = self.table.shown().saturating_sub(1);
        if let Some((_, cursor)) =
            self.overlays.iter_mut().find(|(overlay, _)| *overlay == Overlay::Responses)
        {
            let entry = entry.unwrap_or(cursor.entry).min(last);
            // The row stays where it was on the screen.
            cursor.top = (cursor.top + entry).saturating_sub(cursor.entry).min(last);
            cursor.entry = entry;
        }
    }

    /// The row at the cursor of the list, if it is open.
    pub fn listed(&self) -> Option<usize> {
        let (Overlay::Responses, cursor) = self.overlays.last()? else { return None };
        self.table.at(cursor.entry)
    }

    /// Its file.
    pub fn listed_file(&self) -> Option<String> {
        let row = self.table.get(self.listed()?)?;
        self.session.record(row.record as usize).map(|(input, _)| input.name().to_owned())
    }

    /// The response that the header speaks of: over the list that of the row at the cursor, once it is read.
    pub fn headed(&self) -> Option<&Arc<Review>> {
        if self.overlay() == Some(&Overlay::Responses) && self.table.shown() == 0 {
            return None;
        }
        let Some(listed) = self.listed().filter(|&listed| listed != self.row) else { return self.review() };
        let row = self.table.get(listed)?;
        self.peeked.as_ref().filter(|(at, _)| *at == (row.record, row.item)).map(|(_, review)| review)
    }

    /// Reads the response at the cursor of the list for its preview; true where that is another one.
    pub fn peek(&mut self) -> bool {
        let Some((Overlay::Responses, cursor)) = self.overlays.last() else { return false };
        let row = self.table.at(cursor.entry).and_then(|row| self.table.get(row));
        let Some(at) = row.map(|row| (row.record, row.item)) else { return false };
        if self.peeked.as_ref().is_some_and(|(peeked, _)| *peeked == at) {
            return false;
        }
        let reviews = self.session.decode(at.0 as usize);
        let review = reviews.ok().and_then(|reviews| reviews.get(usize::from(at.1)).cloned());
        if let Some(review) = &review {
            compare_small(review);
        }
        let before = self.peeked.take().is_some();
        self.peeked = review.map(|review| (at, review));
        before || self.peeked.is_some()
    }

    /// Where the list stands, if it is open.
    fn list_cursor(&self) -> Option<Cursor> {
        let open = self.overlays.iter().find(|(overlay, _)| *overlay == Overlay::Responses);
        open.map(|(_, cursor)| *cursor)
    }
}

/// Compares the claims of a response with its passages, where that takes no time to speak of.
fn compare_small(review: &Review) {
    if review.response.supports.len() <= AT_ONCE && review.is_indexed() {
        review.compare(|| false);
    }
}
