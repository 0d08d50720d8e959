//! What stands in the panes and overlays, as documents of lines. Pure: state in, lines out.

mod about;
mod card;
mod columns;
mod compared;
mod fields;
mod findings;
mod help;
mod lists;
mod matrix;
mod overlays;
mod palette;
mod placeless;
mod preview;
mod raw;
mod readings;
mod repair;
mod source;
mod sources;
mod spans;
mod table;
mod traces;

pub use findings::headings_missing;
pub use lists::filters;
pub use matrix::columns as matrix_columns;
pub use overlays::overlay;
pub use palette::{choices, palette, places};
pub use placeless::{placeless_list, placeless_rows};
pub use preview::preview;
pub use source::more_addresses;
pub use table::{LIST_HEAD, list, row_number, summary_filter};
pub use traces::of_selection;

use super::doc::Doc;
use super::state::{Pane, State};
use crate::look::Role;
use crate::review::Review;

/// What a pane shows of a response.
struct Content {
    /// Its lines.
    document: fn(&State, &Review, &mut Doc),
    /// What its title says beside its name.
    subtitle: fn(&State, &Review) -> String,
    /// The count in its tab; the subtitle where this is `None`.
    count: Option<fn(&State) -> String>,
    /// Whether there is something to open at its cursor.
    opens: fn(&State, &Review, usize) -> bool,
}

/// The table: a pane is a row here, a row of [`Pane`], and a file.
fn content(pane: Pane) -> Content {
    match pane {
        Pane::Answer => Content {
            document: |_, _, _| {},
            subtitle: spans::subtitle,
            count: Some(|_| String::new()),
            opens: |state, _, _| state.source().is_some(),
        },
        Pane::Sources => Content {
            document: sources::cited,
            subtitle: sources::subtitle,
            count: Some(sources::count),
            opens: |state, _, _| state.source().is_some(),
        },
        Pane::Queries => Content {
            document: traces::queries,
            subtitle: |_, review| traces::searches(&review.response),
            count: Some(|state| state.review().map_or(0, |review| review.response.queries.len()).to_string()),
            opens: |_, review, entry| {
                review.response.queries.get(entry).is_some_and(|query| query.trace.is_some())
            },
        },
        Pane::Trace => Content {
            document: traces::traces,
            subtitle: |_, review| review.response.traces.len().to_string(),
            count: None,
            opens: |_, review, _| !review.response.traces.is_empty(),
        },
        Pane::Findings => Content {
            document: findings::findings,
            subtitle: |state, _| state.findings().len().to_string(),
            count: None,
            opens: |state, _, _| !state.findings().is_empty(),
        },
        Pane::Response => Content {
            document: about::response,
            subtitle: |_, _| String::new(),
            count: None,
            opens: |_, _, _| false,
        },
    }
}

/// The document of a side pane.
pub fn pane(state: &State, pane: Pane, width: usize) -> Doc {
    let mut doc = Doc::new(width);
    match (state.review(), &state.record) {
        (Some(review), _) => (content(pane).document)(state, review, &mut doc),
        (None, Err(error)) => {
            doc.text(0, &error.to_string(), Role::Plain, usize::MAX);
        }
        (None, Ok(_)) => {}
    }
    doc
}

/// Whether there is something to open where the keys go.
pub fn opens(state: &State, review: &Review) -> bool {
    (content(state.focus).opens)(state, review, state.cursor(state.focus).entry)
}

/// What the title of a pane says beside its name.
pub fn subtitle(state: &State, pane: Pane) -> String {
    state.review().map_or_else(String::new, |review| (content(pane).subtitle)(state, review))
}

/// How much a tab says: its key, title and count; its key and title; its title.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TabForm {
    /// Everything.
    Full,
    /// No counts but that of the findings.
    Keyed,
    /// The title alone.
    Bare,
}

/// A pane's tab.
pub fn tab(state: &State, pane: Pane, form: TabForm) -> String {
    let count = content(pane).count.map_or_else(|| subtitle(state, pane), |count| count(state));
    let told = form == TabForm::Full || pane == Pane::Findings;
    let count = if count.is_empty() || !told { String::new() } else { format!(" {count}") };
    let key = if form == TabForm::Bare { String::new() } else { format!("{} ", pane.key()) };
    format!("{key}{}{count}", pane.title())
}

/// The question that the shown response answers, on one line. `say`: also that it was not sent.
pub fn question(state: &State, say: bool) -> Option<String> {
    let response = &state.review()?.response;
    if response.is_question() {
        return None;
    }
    let question = response.about.question.as_deref().unwrap_or_default().trim();
    if !question.is_empty() {
        return Some(crate::text::one_line(question).into_owned());
    }
    // In a conversation the question has a row of its own.
    let alone = state.record.as_ref().is_ok_and(|reviews| reviews.len() == 1);
    (say && alone && !response.partial).then(|| "not in this file (--request FILE adds it)".to_owned())
}
