//! Claims against sources: how much of each claim's wording each source holds, and which are cited. An index
//! that is off by one is seen at a glance: the brackets stand beside the full cells.

use std::ops::Range;

use super::super::doc::{Doc, Hit};
use super::super::keymap::{Command, label};
use super::super::standing::of_span;
use super::super::state::State;
use crate::evidence::{Outcome, Reason};
use crate::look::{Role, Tone};
use crate::review::SupportRef;
use crate::text::{one_line, truncate, width};

/// Claims that are compared with every source.
const CLAIMS: usize = 200;
/// Cells for the words of a claim at most.
const MOST_WORDS: usize = 90;
/// Cells before and behind the words: number, sign, blanks.
const LEAD: usize = 7;
/// Cells of a column.
const CELL: usize = 4;

/// Signs by how much is held.
const HELD: [(f64, &str); 5] = [(0.8, "█"), (0.6, "▓"), (0.4, "▒"), (0.2, "░"), (0.0, " ")];

pub(super) fn matrix(state: &State, doc: &mut Doc) {
    let Some(review) = state.review() else { return };
    let sources = review.response.sources.len();
    if review.spans.is_empty() || sources == 0 {
        doc.line(&[("there are no claims and sources to hold against each other", Role::Dim)]);
        return;
    }
    let cell = cell(sources);
    let columns = columns(state, doc.width());
    let more = if columns.len() < sources {
        let ways = [Command::PreviousClaim, Command::NextClaim].map(label).concat();
        format!("sources {} to {} of {sources}, {ways} the others · ", columns.start + 1, columns.end)
    } else {
        String::new()
    };
    let hidden = if state.compare {
        String::new()
    } else {
        format!("comparison hidden, {} shows it · ", label(Command::Compare))
    };
    let words = format!(
        "{more}{hidden}[ ] cited · █ 80 % of the wording or more, ▓ 60, ▒ 40, ░ 20, blank less · – not \
         compared · ✗ cites what is not there"
    );
    let mut top = Doc::new(doc.width());
    top.text(0, &words, Role::Dim, 3);
    let words = width_of_claims(doc.width(), sources);
    let head: Vec<String> = columns.clone().map(|source| format!("{:^cell$}", source + 1)).collect();
    let mut pieces = vec![(" ".repeat(words + LEAD), Role::Plain)];
    pieces.extend(head.into_iter().map(|number| (number, Role::Key)));
    wide_line(&pieces, &mut top);
    doc.head = top.lines;
    // Of very many claims those around the selected one.
    let all = review.spans.len();
    let first = (state.span.saturating_sub(CLAIMS / 2)).min(all.saturating_sub(CLAIMS));
    let last = (first + CLAIMS).min(all);
    if first > 0 {
        doc.line(&[(&format!("… {first} claims before"), Role::Dim)]);
    }
    for span in first..last {
        row(state, span, words, columns.clone(), doc);
        if span == state.span {
            doc.begin_here();
        }
    }
    doc.end();
    if last < all {
        doc.line(&[(&format!("… {} claims behind", all - last), Role::Dim)]);
    }
}

/// The sources that have a column where so many cells are: those that one went to, else some near those of
/// the selected claim.
pub fn columns(state: &State, width: usize) -> Range<usize> {
    let sources = state.review().map_or(0, |review| review.response.sources.len());
    let words = width_of_claims(width, sources);
    let most = (width.saturating_sub(words + LEAD) / cell(sources)).clamp(1, sources.max(1)).min(sources);
    match state.matrix_from {
        Some(first) => first.min(sources - most)..first.min(sources - most) + most,
        None => near_selection(state, most, sources),
    }
}

/// So many sources, among them the first that the selected claim cites.
fn near_selection(state: &State, columns: usize, sources: usize) -> Range<usize> {
    let cited = state
        .review()
        .and_then(|review| review.of_span(state.span).flat_map(|support| support.cited()).min());
    let first = cited.filter(|cited| *cited >= columns).map_or(0, |cited| cited.saturating_sub(columns / 2));
    let first = first.min(sources - columns);
    first..first + columns
}

/// Cells of a column: its number fits, with a blank behind it.
fn cell(sources: usize) -> usize {
    CELL.max(sources.max(1).ilog10() as usize + 2)
}

/// Cells for the words of a claim.
fn width_of_claims(width: usize, sources: usize) -> usize {
    // With few sources the words have room.
    let left = width.saturating_sub(sources * CELL + LEAD + 3);
    left.min(MOST_WORDS).max((width / 2).clamp(12, 44).min(left.max(12)))
}

fn row(state: &State, span: usize, words: usize, columns: Range<usize>, doc: &mut Doc) {
    let cell = cell(state.review().map_or(0, |review| review.response.sources.len()));
    let Some(review) = state.review() else { return };
    let Some(support) = review.of_span(span).next() else { return };
    let cited: Vec<usize> = review.of_span(span).flat_map(|support| support.cited()).collect();
    doc.entry(Hit::Support(support.index));
    let claim = one_line(support.words().unwrap_or("(no place in the answer)"));
    let claim = truncate(&claim, words).into_owned();
    let pad = " ".repeat(words.saturating_sub(width(&claim)));
    let number = format!("{:>3} ", span + 1);
    let covers = if state.compare { review.covers(support.index, columns.clone()) } else { Vec::new() };
    let standing = of_span(review, span, state.compare);
    let mut pieces = vec![
        (number, Role::Key),
        (format!("{} ", standing.sign()), standing.role()),
        (claim, Role::Plain),
        (format!("{pad} "), Role::Plain),
    ];
    // Of another language only numbers and names are compared: the share of its words says nothing.
    let foreign = review.known_backing(support.index).is_some_and(
        |backing| matches!(backing.outcome, Outcome::Unchecked(reason) if reason != Reason::NoChunkText),
    );
    let best = covers.iter().flatten().copied().fold(0.0, f64::max);
    for (place, source) in columns.enumerate() {
        let cover = covers.get(place).copied().flatten();
        let cover = cover.filter(|_| !(foreign && cited.contains(&source)));
        let sign = cover.map_or("–", |cover| {
            HELD.iter().find(|(least, _)| cover >= *least).map_or(" ", |(_, sign)| sign)
        });
        let is_cited = cited.contains(&source);
        let (open, close) = if is_cited { ("[", "]") } else { (" ", " ") };
        // What is cited and holds little while another holds much is what one looks for.
        let doubtful = is_cited && cover.is_some_and(|cover| cover < 0.4) && best >= 0.6;
        let role = match () {
            () if doubtful => Role::Doubt,
            () if is_cited && cover.is_some_and(|cover| cover >= 0.6) => Role::Good,
            () if cover.is_none() => Role::Dim,
            () => Role::Plain,
        };
        pieces.push((format!("{:<cell$}", format!("{open}{sign}{close}")), role));
    }
    if review.of_span(span).any(SupportRef::dangles) {
        pieces.push((Tone::Error.sign().to_owned(), Role::Fault));
    }
    wide_line(&pieces, doc);
}

/// A line of pieces whose blanks are columns.
fn wide_line(pieces: &[(String, Role)], doc: &mut Doc) {
    doc.line(&[]);
    if let Some(line) = doc.lines.last_mut() {
        line.pieces.extend_from_slice(pieces);
    }
}
