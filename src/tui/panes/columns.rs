//! The columns at the right of the list of responses: what each is of, and how wide it is.

use super::super::state::State;
use super::super::table::Row;
use super::fields::low_bar;
use crate::check::RULES;
use crate::model::Group;
use crate::text::{one_line, truncate, truncate_front, width};

/// Cells of the bar of what is cited.
const BAR: usize = 5;
/// Cells of `100 %`.
const PERCENT: usize = 5;
/// Cells of a count of claims, as wide as its head.
const CLAIMS: usize = 6;

/// What a column says of a response, and in how many cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Column {
    /// How much of the answer rests on a source, behind a bar where there is room.
    Cited { bar: bool },
    /// How many claims it has.
    Claims,
    /// The worst finding, in words.
    Worst(usize),
    /// The name of its file.
    File(usize),
}

/// Those that a list of so many cells has. The file is told where there are several, the words of the worst
/// finding always.
pub(super) fn of(state: &State, wide: usize) -> Vec<Column> {
    let files = state.session.has_several_names();
    let file = |cells: usize| files.then_some(Column::File(cells));
    let claims = |shown: bool| shown.then_some(Column::Claims);
    let (bar, claims, worst, file) = match wide {
        130.. => (true, claims(true), 44, file(24)),
        112.. => (true, claims(!files), 34, file(18)),
        90.. => (true, None, 26, file(18)),
        70.. => (false, None, if files { 20 } else { 26 }, file(14)),
        _ => (false, None, 20, None),
    };
    let last = [Some(Column::Worst(worst)), file];
    [Some(Column::Cited { bar }), claims].into_iter().chain(last).flatten().collect()
}

impl Column {
    /// What stands above it.
    pub(super) fn head(&self) -> String {
        let words = match self {
            Self::Cited { .. } => "cited",
            Self::Claims => "claims",
            Self::Worst(_) => "worst finding",
            Self::File(_) => "file",
        };
        filled(words, self.cells())
    }

    fn cells(self) -> usize {
        match self {
            Self::Cited { bar } => PERCENT + if bar { BAR + 1 } else { 0 },
            Self::Claims => CLAIMS,
            Self::Worst(cells) | Self::File(cells) => cells,
        }
    }

    /// What it says of an answer.
    pub(super) fn cell(&self, state: &State, row: &Row) -> String {
        match (*self, row.cited()) {
            (Self::Cited { bar: true }, Some(cited)) => {
                format!("{} {cited:>3} %", low_bar(f64::from(cited) / 100.0, BAR))
            }
            (Self::Cited { bar: false }, Some(cited)) => format!("{cited:>3} %"),
            (Self::Cited { .. }, None) => " ".repeat(self.cells()),
            (Self::Claims, _) => format!("{:>CLAIMS$}", row.claims()),
            (Self::Worst(cells), _) => filled(worst(state, row), cells),
            (Self::File(cells), _) => filled(&truncate_front(file(state, row), cells), cells),
        }
    }
}

/// The worst finding of a response that is doubtful, in words.
fn worst(state: &State, row: &Row) -> &'static str {
    let rules = state.table.rules(row).iter().filter_map(|&rule| RULES.get(usize::from(rule)));
    // What is told of claims comes before what is told of scores, as in the headline.
    let worst = rules.min_by_key(|rule| (rule.severity, matches!(rule.group, Group::Scores | Group::Traces)));
    worst.filter(|_| state.table.is_faulty(row)).map_or("", |rule| rule.summary)
}

/// The name of the file of a response, its end.
pub(super) fn file<'s>(state: &'s State, row: &Row) -> &'s str {
    let input = state.session.record(row.record as usize).map_or("", |(input, _)| input.name());
    input.rsplit('/').next().unwrap_or(input)
}

/// Text cut or filled to so many cells.
fn filled(text: &str, cells: usize) -> String {
    let text = one_line(text);
    let cut = truncate(&text, cells);
    format!("{cut}{}", " ".repeat(cells.saturating_sub(width(&cut))))
}
