//! The title of the answer: the selected span.

use super::super::answer::is_as_sent;
use super::super::standing::{Standing, of_span, sentences};
use super::super::state::State;
use super::fields::verdict_words;
use crate::review::Review;

/// Which span is selected, where it lies and how it fits.
pub(super) fn subtitle(state: &State, review: &Review) -> String {
    if let Some(sentence) = state.sentence {
        let sign = Standing::Uncited.sign();
        return format!("{sign} sentence {} of {} without a source", sentence + 1, sentences(state).len());
    }
    if review.spans.is_empty() {
        return format!("no claims{}", drawn(state));
    }
    let verdict =
        state.selected_supports().next().filter(|support| support.is_misfit()).map_or("", verdict_words);
    let verdict = if verdict.is_empty() { String::new() } else { format!(" · {verdict}") };
    let filter = state.filter.words();
    let filter = if filter.is_empty() { filter } else { format!(" · {filter}") };
    // Findings, exports and `--explain` count supports, the walk counts spans.
    let numbers = |supports: &[usize]| {
        supports.iter().map(|support| (support + 1).to_string()).collect::<Vec<_>>().join(", ")
    };
    let support = match review.supports_of(state.span) {
        [support] if *support == state.span => String::new(),
        [support] => format!(" (support {})", support + 1),
        [] => String::new(),
        few if few.len() <= 4 => format!(" (supports {})", numbers(few)),
        many => format!(" ({} supports)", many.len()),
    };
    // Where a provider names a mark or nothing, the claim is what stands before it.
    let inferred = verdict.is_empty() && state.selected_supports().any(|support| support.is_inferred());
    let inferred = if inferred { " · inferred" } else { "" };
    let of = review.spans.len();
    // Its row may have the sign of a worse one, and its last row may be out of sight.
    let sign = of_span(review, state.span, state.compare).sign();
    format!("{sign} claim {} of {of}{support}{inferred}{filter}{verdict}{}", state.span + 1, drawn(state))
}

/// Where the answer is not drawn as Markdown, why.
fn drawn(state: &State) -> &'static str {
    match () {
        () if state.as_sent => " · as sent",
        () if is_as_sent(state) => " · over 1 MB: as sent, without numbers",
        () => "",
    }
}
