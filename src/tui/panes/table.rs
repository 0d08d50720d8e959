//! The list of responses as a table, and what is counted of them.

use std::ops::Range;

use super::super::doc::{Doc, Hit, Line};
use super::super::state::State;
use super::super::table::{Count, Row, decided};
use super::columns::{self, Column};
use crate::check::RULES;
use crate::format::FORMATS;
use crate::look::{Role, Tone};
use crate::session::{Decision, RowKind};
use crate::text::{counted, truncate_front, width};

/// Columns of who answered, and what was called for it; where the text has little room.
const BY: usize = 26;
const BY_LEAST: usize = 14;
/// Columns up to which that is so.
const TIGHT: usize = 90;
/// Columns of the name of a file that could not be read.
const UNREAD: usize = 24;
/// Columns up to which it is not said who answered.
const NARROW: usize = 70;
/// Sites that are counted on the screen.
const SITES: usize = 200;

/// What a filter may say.
const KEYS: &str = "rule: source: file: format: cited<50 cited>90 is:error is:warning is:fault is:marked \
                    is:question is:unread is:right is:wrong is:unsure";
/// Lines that its heads take.
pub const LIST_HEAD: usize = 1;

/// The rows of the list that are in view, and its title.
pub fn list(state: &State, wide: usize, view: Range<usize>) -> (String, Doc) {
    let table = &state.table;
    let failures = if table.shows_failures() { state.session.failures() } else { &[] };
    let rows = table.shown();
    // Without a row: that there is none, and why.
    let empty =
        if rows == 0 && failures.is_empty() { 1 + 3 * usize::from(table.unknown_key().is_some()) } else { 0 };
    let mut doc = Doc::window(wide, view.start, rows, failures.len() + empty);
    let columns = columns::of(state, wide);
    doc.head = head(state, &columns, wide);
    let at = state.overlays.last().map(|(_, cursor)| cursor.entry);
    for place in view.clone() {
        let Some((number, row)) = table.at(place).and_then(|row| Some((row, table.get(row)?))) else { break };
        doc.entry(Hit::Row(place));
        line(state, (number, &row), (&columns, at == Some(place)), &mut doc);
    }
    doc.end();
    if empty > 0 && view.contains(&0) {
        let grows = table.is_searching() || table.is_live() && !table.has_searched();
        let words = if grows { "nothing so far" } else { "no response passes the filter" };
        doc.line(&[(words, Role::Dim)]);
        if let Some(key) = table.unknown_key() {
            let words = format!("“{key}” is no key of the filter, it is looked for as a word; keys: {KEYS}");
            doc.text(0, &words, Role::Doubt, 3);
        }
    }
    let unread = view.start.saturating_sub(rows + empty)..view.end.saturating_sub(rows + empty);
    for failure in failures.iter().skip(unread.start).take(unread.len()) {
        let (name, _, what) = failure.parts();
        doc.line_right(
            &[
                (" ", Role::Plain),
                (Tone::Error.sign(), Tone::Error.role()),
                (" ", Role::Plain),
                (name, Role::Plain),
                (&format!(": {what}"), Role::Dim),
            ],
            ("not read", Role::Dim),
        );
    }
    (title(state, wide), doc)
}

/// `Filter: rule:drift▏ · 12 of 1,000 · the worst first`: what is typed stands first, its end in view.
pub(super) fn title(state: &State, wide: usize) -> String {
    let table = &state.table;
    let mut title = "Responses".to_owned();
    if table.typing || !table.filter.is_empty() {
        let cursor = if table.typing { "▏" } else { "" };
        let room = wide.saturating_sub("Filter: … ".len() + 4);
        let typed = truncate_front(&table.filter, room);
        title = format!("Filter: {typed}{cursor}");
        if typed.is_empty() {
            title.push_str("  words, rule:, file:, source:, is:fault, is:wrong, cited<50");
        }
    }
    if table.is_narrowed() {
        title.push_str(&format!(" · {} of {}", table.shown(), table.len()));
    } else if !table.typing {
        let doubtful = table.doubtful.saturating_sub(table.unread);
        if doubtful > 0 {
            // Pieces that are folded into their answer are no responses of their own; what is shown may lag
            // behind.
            title.push_str(&format!(
                " · {doubtful} of {} doubtful",
                table.shown().saturating_sub(table.unread)
            ));
        }
        let unread = table.unread + state.session.failures().len();
        if unread > 0 {
            title.push_str(&format!(" · {unread} not read"));
        }
    }
    if table.worst_first {
        title.push_str(" · the worst first");
    }
    if table.is_searching() {
        title.push_str(" · reading …");
    }
    if table.skipped > 0 && !table.is_narrowed() {
        title.push_str(&format!(
            " · {} hold{} none",
            counted(table.skipped, "file"),
            if table.skipped == 1 { "s" } else { "" }
        ));
    }
    title
}

/// The heads of the columns, above what they are of.
fn head(state: &State, columns: &[Column], wide: usize) -> Vec<Line> {
    let number = state.table.get(0).map_or(0, |row| width(&number_of(state, 0, &row)));
    let mut doc = Doc::new(wide);
    let heads: Vec<String> = columns.iter().map(Column::head).collect();
    doc.line_right(
        &[(&" ".repeat(3 + number), Role::Plain), ("response", Role::Dim)],
        (&heads.join(" "), Role::Dim),
    );
    doc.lines
}

fn line(state: &State, (number, row): (usize, &Row), (columns, at_cursor): (&[Column], bool), doc: &mut Doc) {
    let table = &state.table;
    let current = if number == state.row { "▸" } else { " " };
    let mark = if row.is_marked() { "●" } else { " " };
    let place = number_of(state, number, row);
    let tone = table.worst(row).filter(|_| table.is_faulty(row)).map(Tone::from);
    let (sign, worst) = tone.map_or((" ", Role::Plain), |tone| (tone.sign(), tone.role()));
    let words = table.words(row);
    let text = words.map_or("…", |words| &words.text);
    let special = words.map_or("", |words| &words.special);
    // In little room the words are worth more.
    let special = if doc.width() < NARROW && !special.is_empty() && row.kind() == Some(RowKind::Answer) {
        ""
    } else {
        special
    };
    let pieces = if table.unfolded || doc.width() < NARROW { 0 } else { table.pieces_of(number) };
    let special = match pieces {
        0 => special.to_owned(),
        // Who answered is worth less than a word of the answer.
        _ if doc.width() < TIGHT => format!("+{}", counted(pieces, "piece")),
        _ => format!("{special} +{}", counted(pieces, "piece")),
    };
    let right =
        format!("{}{}", decisions(state, row), right(state, row, (special.trim(), doc.width()), columns));
    let question = row.kind() == Some(RowKind::Question);
    // The answers of a conversation stand below its questions.
    let indent = if row.item > 0 && !question && !table.worst_first { "  " } else { "" };
    let role = match () {
        () if words.is_none() || row.kind() == Some(RowKind::Partial) => Role::Dim,
        () if question || at_cursor => Role::Strong,
        () => Role::Plain,
    };
    doc.line_right(
        &[
            (current, Role::Key),
            (sign, worst),
            (mark, Role::Key),
            (&place, Role::Key),
            (indent, Role::Plain),
            (text, role),
        ],
        (&right, Role::Dim),
    );
}

/// The number of the response that is shown.
pub fn row_number(state: &State, row: usize) -> String {
    state.table.get(row).map_or_else(String::new, |row| number(state, &row))
}

/// The number of a row by itself.
pub(super) fn number(state: &State, row: &Row) -> String {
    let row_number = state.table.find(row.record, row.item).unwrap_or_default();
    number_of(state, row_number, row).trim().to_owned()
}

/// `12`, or `12.1` in a record of several responses, `1` where there is one record only.
fn number_of(state: &State, number: usize, row: &Row) -> String {
    let (record, item) = (row.record + 1, row.item + 1);
    let digits = |most: usize| most.max(1).ilog10() as usize + 1;
    if state.session.len() == 1 {
        return format!("{item:>0$} ", digits(state.table.len()));
    }
    let same = |other: Option<Row>| other.is_some_and(|other| other.record == row.record);
    let several = row.item > 0 || same(state.table.get(number + 1));
    let item = if several { format!(".{item}") } else { String::new() };
    format!("{record:>0$}{item} ", digits(state.session.len()))
}

/// What is said of a response at the right: who answered, and its columns.
fn right(state: &State, row: &Row, (special, wide): (&str, usize), columns: &[Column]) -> String {
    match row.kind() {
        None | Some(RowKind::Empty) => return String::new(),
        Some(RowKind::Unread) if state.session.has_several_names() => {
            return format!("{}  {special}", truncate_front(columns::file(state, row), UNREAD));
        }
        Some(RowKind::Question | RowKind::Unread | RowKind::Partial) => return special.to_owned(),
        Some(RowKind::Answer) => {}
    }
    let by = if wide < TIGHT { BY_LEAST } else { BY };
    let special = Some(truncate_front(special, by).into_owned()).filter(|special| !special.is_empty());
    let cells = columns.iter().map(|column| column.cell(state, row));
    special.into_iter().chain(cells).collect::<Vec<_>>().join(" ")
}

/// What was decided of its claims: `+3 -1 `.
fn decisions(state: &State, row: &Row) -> String {
    let counts = if state.marks.is_empty() { None } else { decided(&state.session, &state.marks, row) };
    let Some(counts) = counts else { return String::new() };
    let words = Decision::ALL.iter().zip(counts).filter(|(_, count)| *count > 0);
    words.map(|(label, count)| format!("{}{count} ", label.sign())).collect()
}

/// A row of the counts: what it filters by, and what it says.
struct Counted {
    filter: String,
    count: Count,
    words: String,
    /// How bad it is, of a rule.
    tone: Option<Tone>,
}

fn counts(state: &State) -> [(&'static str, Vec<Counted>); 3] {
    let table = &state.table;
    let rules = table.by_rule().into_iter().filter_map(|(rule, responses)| {
        let rule = RULES.get(usize::from(rule))?;
        Some(Counted {
            filter: format!("rule:{}", rule.id),
            count: Count { responses, doubtful: 0 },
            words: format!("{}: {}", rule.id, rule.summary),
            tone: Some(Tone::from(rule.severity)),
        })
    });
    let formats = table.by_format().into_iter().filter_map(|(format, count)| {
        let format = FORMATS.get(usize::from(format))?;
        Some(Counted {
            filter: format!("format:{}", format.id),
            count,
            words: format.name.to_owned(),
            tone: None,
        })
    });
    let sites = table.by_site().into_iter().take(SITES).map(|(site, count)| Counted {
        filter: format!("source:\"{site}\""),
        count,
        words: site.to_owned(),
        tone: None,
    });
    [("rule", rules.collect()), ("format", formats.collect()), ("site", sites.collect())]
}

/// What a row of the counts filters by.
pub fn summary_filter(state: &State, row: usize) -> Option<String> {
    let all = counts(state).into_iter().flat_map(|(_, counts)| counts);
    all.map(|counted| counted.filter).nth(row)
}

/// Counts by rule, format and site; each row leads to its responses.
pub(super) fn summary(state: &State, doc: &mut Doc) {
    let table = &state.table;
    if table.is_live() {
        let words = format!("checked {} of {} records so far", table.checked, state.session.len());
        doc.line(&[(&words, Role::Dim)]);
    }
    let unread = [(table.unread, "record"), (state.session.failures().len(), "input")];
    let unread = unread.into_iter().filter(|(count, _)| *count > 0).map(|(count, what)| counted(count, what));
    let unread: Vec<String> = unread.collect();
    if !unread.is_empty() {
        let words = format!("{} could not be read: is:unread", unread.join(" and "));
        doc.line(&[(&words, Tone::Error.role())]);
    }
    let mut row = 0;
    for (name, counts) in counts(state) {
        if counts.is_empty() {
            continue;
        }
        if row > 0 {
            doc.blank();
        }
        // Of a rule all responses are doubtful, or none.
        let of_rules = name == "rule";
        let columns = |all: &str, doubtful: &str| {
            (format!("{all:>9}"), if of_rules { "  ".to_owned() } else { format!("{doubtful:>11}  ") })
        };
        let (all, doubtful) = columns("responses", "doubtful");
        let indent = if of_rules { "  " } else { "" };
        doc.line(&[(&all, Role::Dim), (&doubtful, Role::Dim), (indent, Role::Plain), (name, Role::Strong)]);
        for counted in counts {
            doc.entry(Hit::Row(row));
            row += 1;
            let Count { responses, doubtful } = counted.count;
            let (all, doubtful) = columns(&responses.to_string(), &doubtful.to_string());
            let sign = counted.tone.map_or(String::new(), |tone| format!("{} ", tone.sign()));
            let role = counted.tone.map_or(Role::Plain, Tone::role);
            let (id, rest) = counted.words.split_once(": ").unwrap_or((&counted.words, ""));
            let rest = if rest.is_empty() { String::new() } else { format!(": {rest}") };
            doc.line(&[
                (&all, Role::Key),
                (&doubtful, Role::Plain),
                (&sign, role),
                (id, role),
                (&rest, Role::Dim),
            ]);
        }
        doc.end();
    }
}
