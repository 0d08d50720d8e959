//! What the screen shows, as plain data. Changed by [`super::update`] only; drawing reads it.

use std::sync::Arc;

use super::theme::Theme;
use crate::check::{Finding, Rule, Severity};
use crate::model::Origin;
use crate::review::Review;
use crate::review::comparison::Judged;
use crate::session::{RecordError, Reviews, Session};

/// Supports that are compared before a response is first drawn; more are compared between keys.
const AT_ONCE: usize = 200;

/// Panes that can have the keys, in the order of Tab.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pane {
    /// The answer.
    Answer,
    /// Sources of the selected span.
    Sources,
    /// Queries.
    Queries,
    /// Traces.
    Trace,
    /// Findings.
    Findings,
    /// The response as a whole.
    Response,
}

impl Pane {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::Answer, Self::Sources, Self::Queries, Self::Trace, Self::Findings, Self::Response];

    /// Its title.
    pub fn title(self) -> &'static str {
        match self {
            Self::Answer => "Answer",
            Self::Sources => "Sources",
            Self::Queries => "Queries",
            Self::Trace => "Trace",
            Self::Findings => "Findings",
            Self::Response => "Response",
        }
    }

    /// Its place in [`Self::ALL`].
    pub fn index(self) -> usize {
        Self::ALL.iter().position(|&pane| pane == self).unwrap_or_default()
    }
}

/// Where a pane or an overlay stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cursor {
    /// The stop that is selected.
    pub stop: usize,
    /// First line shown.
    pub top: usize,
}

/// What lies over the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Overlay {
    /// Keys.
    Help,
    /// What to copy.
    Copy,
    /// Which spans to walk.
    Filter,
    /// A source in full.
    Source(usize),
    /// A trace in full.
    Trace(usize),
    /// A finding with its rule.
    Finding(usize),
    /// For a support, the cited passage beside the one that holds more of it.
    Better(usize),
    /// A support read in each unit.
    Readings(usize),
    /// JSON as sent.
    Raw(Origin),
    /// All sources.
    Sources,
    /// All responses.
    Responses,
    /// Search: what is typed.
    Search(String),
    /// Go to: what is typed.
    GoTo(String),
    /// Open this address in the browser?
    Browse(String),
}

/// Which spans are walked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Filter {
    /// All.
    #[default]
    All,
    /// Those with a finding.
    Findings,
    /// Those with a finding of a rule.
    Rule(&'static Rule),
    /// Those that cite a source.
    Source(usize),
    /// Those with a score below one half.
    LowScore,
    /// Those that cite nothing.
    Uncited,
}

impl Filter {
    /// In words; empty for all.
    pub fn words(self) -> String {
        match self {
            Self::All => String::new(),
            Self::Findings => "only spans with findings".to_owned(),
            Self::Rule(rule) => format!("only spans with {}", rule.id),
            Self::Source(source) => format!("only spans that cite [{}]", source + 1),
            Self::LowScore => "only spans scored below 0.5".to_owned(),
            Self::Uncited => "only spans that cite nothing".to_owned(),
        }
    }
}

/// A row of the list of responses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Record.
    pub record: usize,
    /// Response within the record.
    pub item: usize,
    /// What is known of it; `None` until it was decoded.
    pub summary: Option<Summary>,
}

/// A response in a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// The beginning of its text, or of the error.
    pub text: String,
    /// Kind of entry: format and what is special about it.
    pub kind: String,
    /// The question of a user rather than an answer.
    pub is_question: bool,
    /// Supports.
    pub supports: usize,
    /// Sources.
    pub sources: usize,
    /// Worst finding.
    pub worst: Option<Severity>,
    /// The record could not be read.
    pub failed: bool,
}

/// A line in the footer about what just happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// What.
    pub text: String,
    /// It did not work.
    pub failed: bool,
}

/// The state of the screen.
pub struct State {
    /// What is open.
    pub session: Arc<Session>,
    /// The list of responses.
    pub rows: Vec<Row>,
    /// The row that is shown.
    pub row: usize,
    /// The responses of its record, or why there are none.
    pub record: Result<Reviews, RecordError>,
    /// Selected stop among the spans.
    pub span: usize,
    /// Which spans are walked.
    pub filter: Filter,
    /// The pane that has the keys.
    pub focus: Pane,
    /// The side pane that is shown where only one fits, and in the shared place of wide screens.
    pub tab: Pane,
    /// Cursors of the panes.
    pub cursors: [Cursor; 6],
    /// What lies over the screen, the topmost last.
    pub overlays: Vec<(Overlay, Cursor)>,
    /// What was searched for.
    pub needle: String,
    /// The current match, by its first byte.
    pub matched: Option<usize>,
    /// Footer.
    pub notice: Option<Notice>,
    /// Mouse reports are on.
    pub mouse: bool,
    /// Colours.
    pub theme: Theme,
    /// What was compared is shown.
    pub compare: bool,
    /// Credentials are shown.
    pub show_secrets: bool,
    /// Grows with every change of what panes show.
    pub revision: u64,
    /// What the shell should do.
    pub wants: Vec<Want>,
}

/// What the shell should do outside of the state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Want {
    /// Put this text on the clipboard; the second names it.
    Copy(String, String),
    /// Open this address.
    Browse(String),
    /// Switch mouse reports.
    Mouse(bool),
    /// Stop the program until it is continued.
    Suspend,
    /// End.
    Quit,
}

impl State {
    /// Of a collection with at least one record.
    pub fn new(session: Arc<Session>) -> Self {
        let record = session.decode(0);
        let mut state = Self {
            rows: (0..session.len()).map(|record| Row { record, item: 0, summary: None }).collect(),
            session,
            row: 0,
            record,
            span: 0,
            filter: Filter::All,
            focus: Pane::Answer,
            tab: Pane::Sources,
            cursors: [Cursor::default(); 6],
            overlays: Vec::new(),
            needle: String::new(),
            matched: None,
            notice: None,
            mouse: true,
            theme: Theme::default(),
            compare: true,
            show_secrets: false,
            revision: 0,
            wants: Vec::new(),
        };
        let first = state.record.clone();
        state.learn(0, &first);
        state.compare_small();
        state
    }

    /// Compares the shown response at once where that is quick; else the shell does it between keys.
    pub(super) fn compare_small(&self) {
        if let Some(review) = self.review()
            && review.response.supports.len() <= AT_ONCE
            && review.is_indexed()
        {
            review.compare(|| false);
        }
    }

    /// The response that is shown.
    pub fn review(&self) -> Option<&Arc<Review>> {
        let item = self.rows.get(self.row)?.item;
        self.record.as_ref().ok()?.get(item)
    }

    /// Its findings, as far as they are known.
    pub fn findings(&self) -> &[Finding] {
        self.review().map_or(&[], |review| review.findings_so_far())
    }

    /// Number of the response within its record.
    pub fn item(&self) -> usize {
        self.rows.get(self.row).map_or(0, |row| row.item)
    }

    /// Supports of the selected span.
    pub fn selected(&self) -> &[usize] {
        self.review().map_or(&[], |review| review.supports_of(self.span))
    }

    /// Sources that the selected span cites, each once.
    pub fn cited(&self) -> Vec<usize> {
        let Some(review) = self.review() else { return Vec::new() };
        let mut cited = Vec::new();
        for support in self.selected().iter().filter_map(|&index| review.response.supports.get(index)) {
            for source in support.cited() {
                if !cited.contains(&source) {
                    cited.push(source);
                }
            }
        }
        cited
    }

    /// The source at the cursor of the sources pane.
    pub fn source(&self) -> Option<usize> {
        // The copy menu is no part of the selection.
        match self.overlays.iter().rev().find(|(overlay, _)| *overlay != Overlay::Copy) {
            Some((Overlay::Source(source), _)) => return Some(*source),
            Some((Overlay::Sources, cursor)) => return Some(cursor.stop),
            _ => {}
        }
        let cited = self.cited();
        let stop = self.cursors.get(Pane::Sources.index()).map_or(0, |cursor| cursor.stop);
        cited.get(stop).or(cited.first()).copied()
    }

    /// Whether a span is walked.
    pub fn walks(&self, span: usize) -> bool {
        let Some(review) = self.review() else { return false };
        let mut each = review.supports_of(span).iter().filter_map(|&index| Some((index, review.response.supports.get(index)?)));
        match self.filter {
            Filter::All => true,
            Filter::Findings => each.any(|(index, _)| self.worst_of(index).is_some()),
            Filter::Rule(rule) => each.any(|(index, _)| self.touches(rule, index)),
            Filter::Source(source) => each.any(|(_, support)| support.cited().contains(&source)),
            Filter::LowScore => each.any(|(_, support)| crate::check::is_low(&review.response, support)),
            Filter::Uncited => each.any(|(_, support)| !support.resolves()),
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

    /// What was compared for a support; nothing where the chunks are not indexed yet, which takes a while for megabytes.
    pub fn judged(&self, support: usize) -> Option<&Judged> {
        let review = self.review().filter(|review| self.compare && review.is_indexed())?;
        review.judge(support)
    }

    /// Fills in what decoding a record taught about its rows; a record of several responses gets a row each.
    pub fn learn(&mut self, record: usize, result: &Result<Reviews, RecordError>) {
        let Some(first) = self.rows.iter().position(|row| row.record == record) else { return };
        if self.rows.get(first).is_some_and(|row| row.summary.is_some()) {
            return;
        }
        let rows: Vec<Row> = match result {
            Ok(reviews) => reviews.iter().map(|review| Row { record, item: review.item, summary: Some(summary(review)) }).collect(),
            Err(error) => vec![Row { record, item: 0, summary: Some(failed(error)) }],
        };
        let more = rows.len().saturating_sub(1);
        self.rows.splice(first..=first, rows);
        if self.row > first {
            self.row += more;
        }
    }
}

fn summary(review: &Review) -> Summary {
    let response = &review.response;
    let special = match () {
        () if response.is_question() => "question",
        () if response.partial => "partial",
        () => response.about.author.as_deref().unwrap_or(response.format_id()),
    };
    let claims = || response.supports.iter().find_map(|support| support.segment.as_ref()?.quote.as_deref());
    let error = || response.about.error.as_ref().and_then(|error| error.message.as_deref());
    let text = response.answer.as_deref().or_else(claims).or_else(error).unwrap_or("(no answer text)");
    Summary {
        text: text.trim_start().chars().take(200).collect(),
        kind: special.to_owned(),
        is_question: response.is_question(),
        supports: response.supports.len(),
        sources: response.sources.len(),
        worst: review.findings_so_far().iter().map(|finding| finding.rule.severity).min().filter(|&worst| worst < Severity::Note),
        failed: false,
    }
}

fn failed(error: &RecordError) -> Summary {
    let kind = "not read".to_owned();
    Summary { text: error.what.clone(), kind, is_question: false, supports: 0, sources: 0, worst: Some(Severity::Error), failed: true }
}
