//! What was compared: a sentence for the span, a bar beside the provider's score, windows marked in the
//! chunks.

use std::ops::Range;

use super::super::doc::Doc;
use super::super::keymap::{Command, label};
use super::super::state::State;
use super::fields::score;
use crate::evidence::{Outcome, Reason};
use crate::export::fit::{better_words, wording};
use crate::look::Role;
use crate::review::comparison::Shown;
use crate::review::{Review, SupportRef};

/// What came of comparing a support, as what was compared and not as truth.
pub(super) fn sentence(state: &State, review: &Review, support: SupportRef, doc: &mut Doc) {
    let Some(judged) = state.judged(support.index) else { return };
    if support.cited().is_empty() {
        return;
    }
    let verdict = &judged.verdict;
    let (tone, words) = wording(review, judged);
    let words = match verdict.outcome {
        Outcome::OtherChunk => format!("{} {words} ({} shows both)", tone.sign(), label(Command::Better)),
        Outcome::NumberMissing => format!("{} {words}", tone.sign()),
        _ => words,
    };
    doc.text(0, &words, tone.role(), 3);
    if verdict.outcome == Outcome::Unchecked(Reason::OtherLanguage) && !verdict.missing_numbers.is_empty() {
        doc.text(
            0,
            &format!("numbers not in the cited chunks: {}", verdict.missing_numbers.join(", ")),
            Role::Warning,
            2,
        );
    }
    if !verdict.missing_names.is_empty() && verdict.outcome.reason().is_none() {
        doc.text(
            0,
            &format!("names not in the cited chunks: {}", verdict.missing_names.join(", ")),
            Role::Dim,
            2,
        );
    }
}

/// Windows of a source for the selected span, best first.
pub(super) fn windows(state: &State, source: usize) -> Vec<Shown> {
    if !state.compare {
        return Vec::new();
    }
    let judged = state.selected().iter().filter_map(|&support| state.judged(support));
    judged.flat_map(|judged| &judged.windows).filter(|shown| shown.source == source).cloned().collect()
}

/// Our bar, apart from the provider's; none where the cover says nothing.
pub(super) fn bar(state: &State, source: usize, doc: &mut Doc) {
    if !state.compare {
        return;
    }
    let judged = state.selected().iter().filter_map(|&support| state.judged(support));
    let checked = judged.filter(|judged| judged.verdict.outcome.reason().is_none());
    let covers = checked
        .flat_map(|judged| &judged.windows)
        .filter(|shown| shown.source == source)
        .map(|shown| shown.cover);
    if let Some(best) = covers.max_by(f64::total_cmp) {
        doc.line(&[
            ("    wording    ", Role::Dim),
            (&score(best), Role::Plain),
            (" in this source, compared here", Role::Dim),
        ]);
    }
}

/// The windows that hold any word of the claim, and the words in them.
pub(super) fn marks(shown: &Shown) -> Vec<(Range<usize>, Role)> {
    let mark = |window: &Range<usize>, words: &[Range<usize>], [whole, word]: [Role; 2]| {
        let window = (!words.is_empty()).then(|| (window.clone(), whole));
        window.into_iter().chain(words.iter().map(|range| (range.clone(), word)).collect::<Vec<_>>())
    };
    let further = shown
        .further
        .iter()
        .flat_map(|(window, words)| mark(window, words, [Role::Further, Role::SharedFurther]));
    mark(&shown.range, &shown.words, [Role::Window, Role::Shared]).chain(further).collect()
}

/// The cited passage and the one that holds more, side by side where there is room.
pub(super) fn better(state: &State, support: usize, doc: &mut Doc) {
    let Some(review) = state.review() else { return };
    let Some(judged) = review.judge(support) else { return };
    let claim = review.support(support).and_then(SupportRef::words);
    doc.text(0, claim.unwrap_or("(the span has no place in the answer)"), Role::Strong, 6);
    doc.text(0, &better_words(review, judged), Role::Warning, 2);
    doc.blank();
    let better = judged.windows.last();
    let cited = judged.windows.first();
    let sides = [("cited", cited), ("holds more", better)];
    let wide = doc.width() >= 90;
    let width = if wide { doc.width() / 2 - 1 } else { doc.width() };
    let columns: Vec<Doc> =
        sides.into_iter().filter_map(|(title, shown)| Some(column(review, title, shown?, width))).collect();
    if wide {
        doc.beside(&columns, &[width + 2]);
    } else {
        doc.lines.extend(columns.into_iter().flat_map(|column| column.lines));
    }
}

fn column(review: &Review, title: &str, shown: &Shown, width: usize) -> Doc {
    let mut doc = Doc::new(width);
    let source = review.response.sources.get(shown.source);
    let name = source.map_or("", |source| source.name());
    doc.line(&[(&format!("[{}] ", shown.source + 1), Role::Key), (name, Role::Strong)]);
    doc.line(&[(title, Role::Dim), ("  ", Role::Plain), (&score(shown.cover), Role::Plain)]);
    if let Some(label) =
        source.and_then(|source| source.chunks.get(shown.chunk)).and_then(|chunk| chunk.label)
    {
        doc.text(0, label.word(), Role::Dim, 1);
    }
    let text = source.and_then(|source| source.passage(shown.chunk)).map(|passage| passage.text);
    doc.marked(0, &text.unwrap_or_default(), &marks(shown), 0, usize::MAX);
    doc.blank();
    doc
}
