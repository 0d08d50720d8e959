//! What stands in the panes and overlays, as documents of lines. Pure: state in, lines out.

mod about;
mod compared;
mod findings;
mod help;
mod lists;
mod raw;
mod readings;
mod sources;
mod traces;

pub use findings::sign;
pub use lists::filters;
pub use sources::more_addresses;
pub use traces::of_selection;

use super::doc::Doc;
use super::state::{Overlay, Pane, State};
use super::theme::Role;
use crate::review::Review;
pub use crate::text::counted as plural;

/// The document of a side pane.
pub fn pane(state: &State, pane: Pane, width: usize) -> Doc {
    let mut doc = Doc::new(width);
    match state.review() {
        None => {
            if let Err(error) = &state.record {
                doc.text(0, &error.to_string(), Role::Plain, usize::MAX);
            }
        }
        Some(review) => match pane {
            Pane::Answer => {}
            Pane::Sources => sources::cited(state, review, &mut doc),
            Pane::Queries => traces::queries(state, review, &mut doc),
            Pane::Trace => traces::traces(state, review, &mut doc),
            Pane::Findings => findings::findings(state, &mut doc),
            Pane::Response => about::response(state, review, &mut doc),
        },
    }
    doc
}

/// What the title of a pane says beside its name.
pub fn subtitle(state: &State, pane: Pane) -> String {
    let Some(review) = state.review() else { return String::new() };
    match pane {
        Pane::Answer => answer_subtitle(state, review),
        Pane::Sources => {
            let cited = state.cited().len();
            if review.spans.is_empty() {
                plural(review.response.sources.len(), "source")
            } else {
                format!("{cited} cited of {}", review.response.sources.len())
            }
        }
        Pane::Queries => review.response.queries.len().to_string(),
        Pane::Trace => review.response.traces.len().to_string(),
        Pane::Findings => state.findings().len().to_string(),
        Pane::Response => String::new(),
    }
}

/// A pane's title with its count.
pub fn tab(state: &State, pane: Pane) -> String {
    let count = match pane {
        Pane::Sources => state.cited().len().to_string(),
        Pane::Answer | Pane::Response => String::new(),
        _ => subtitle(state, pane),
    };
    if count.is_empty() { pane.title().to_owned() } else { format!("{} {count}", pane.title()) }
}

fn answer_subtitle(state: &State, review: &Review) -> String {
    let Some(span) = review.spans.get(state.span) else { return "no spans".to_owned() };
    let anchor = review.supports_of(state.span).first().and_then(|&support| review.anchors.get(support));
    let place = span.range.as_ref().map_or(String::new(), |range| format!(" · bytes {}–{}", range.start, range.end));
    let verdict = anchor.map_or("", |anchor| verdict_words(anchor.verdict));
    let filter = state.filter.words();
    let filter = if filter.is_empty() { filter } else { format!(" · {filter}") };
    // Findings, exports and `--explain` count supports, the walk counts spans.
    let numbers: Vec<String> = review.supports_of(state.span).iter().map(|support| (support + 1).to_string()).collect();
    let same = matches!(review.supports_of(state.span), [support] if *support == state.span);
    let support = match numbers.len() {
        _ if same => String::new(),
        1 => format!(" (support {})", numbers.concat()),
        2..=4 => format!(" (supports {})", numbers.join(", ")),
        many => format!(" ({many} supports)"),
    };
    format!("span {} of {}{support}{filter}{place} · {verdict}", state.span + 1, review.spans.len())
}

/// A verdict as people read it.
pub fn verdict_words(verdict: crate::anchor::Verdict) -> &'static str {
    use crate::anchor::Verdict;
    match verdict {
        Verdict::Exact => "quote fits",
        Verdict::AsSent => "as sent, no quote to compare",
        Verdict::Unit => "fits in another unit",
        Verdict::Base => "fits over another base",
        Verdict::Inclusive => "fits with an inclusive end",
        Verdict::Shifted => "fits when shifted",
        Verdict::Drifted => "the text was changed before it: moved to its quote",
        Verdict::Reanchored => "moved to its quote",
        Verdict::Ambiguous => "moved to the nearest of several quotes",
        Verdict::Clamped => "cut to the text",
        Verdict::Gone => "quote not in the answer",
        Verdict::NoText => "no answer text to place it in",
        Verdict::Whole => "whole answer",
    }
}

/// The document of an overlay, and its title.
pub fn overlay(state: &State, overlay: &Overlay, width: usize) -> (String, Doc) {
    let mut doc = Doc::new(width);
    let title = match overlay {
        Overlay::Help => {
            help::help(&mut doc);
            "Keys".to_owned()
        }
        Overlay::Copy => {
            lists::copy_menu(state, &mut doc);
            "Copy".to_owned()
        }
        Overlay::Filter => {
            lists::filter_menu(state, &mut doc);
            "Walk only …".to_owned()
        }
        Overlay::Source(index) => {
            sources::detail(state, *index, &mut doc);
            format!("Source [{}]", index + 1)
        }
        Overlay::Trace(index) => {
            traces::detail(state, *index, &mut doc);
            format!("Trace {}", index + 1)
        }
        Overlay::Finding(index) => {
            findings::detail(state, *index, &mut doc);
            format!("Finding {}", index + 1)
        }
        Overlay::Better(support) => {
            compared::better(state, *support, &mut doc);
            "Another chunk holds more of the span".to_owned()
        }
        Overlay::Readings(support) => {
            readings::readings(state, *support, &mut doc);
            format!("Support {} read in each unit", support + 1)
        }
        Overlay::Raw(origin) => {
            raw::raw(state, origin, &mut doc);
            format!("Raw JSON at {}", origin.path)
        }
        Overlay::Sources => {
            lists::sources(state, &mut doc);
            "All sources".to_owned()
        }
        Overlay::Responses => {
            lists::responses(state, &mut doc);
            "Responses".to_owned()
        }
        Overlay::Search(typed) => {
            lists::prompt("find in the answer:", typed, &mut doc);
            "Search".to_owned()
        }
        Overlay::GoTo(typed) => {
            let most = state.review().map_or(0, |review| review.spans.len());
            lists::prompt(&format!("span number, 1 to {most}:"), typed, &mut doc);
            "Go to".to_owned()
        }
        Overlay::Browse(address) => {
            lists::browse(address, &mut doc);
            "Open in the browser?".to_owned()
        }
    };
    (title, doc)
}

/// A score as number and bar.
pub fn score(value: f64) -> String {
    let filled = (value.clamp(0.0, 1.0) * 10.0).round() as usize;
    let number = if value != 0.0 && value.abs() < 0.01 { format!("{value:.4}") } else { format!("{value:.2}") };
    format!("{number} {}{}", "█".repeat(filled), "░".repeat(10 - filled))
}
