//! What was compared: a sentence for the span, a bar beside the provider's score, windows marked in the
//! chunks.

use std::collections::HashMap;
use std::ops::Range;

use super::super::doc::Doc;
use super::super::keymap::{Command, label};
use super::super::standing::Standing;
use super::super::state::State;
use super::fields::score_bar;
use crate::evidence::{Outcome, Reason};
use crate::export::fit::{better_words, wording};
use crate::look::Role;
use crate::model::{Label, PassageKind};
use crate::review::comparison::Shown;
use crate::review::{Review, SourceRef, SupportRef};

/// What came of comparing a support, as what was compared and not as truth.
pub(super) fn sentence(state: &State, review: &Review, support: SupportRef, doc: &mut Doc) {
    let Some(judged) = state.compared(support.index) else { return };
    if support.cited().is_empty() {
        return;
    }
    let verdict = &judged.backing;
    let (tone, words) = wording(review, judged);
    let words = match verdict.outcome {
        Outcome::OtherChunk => format!("{} {words} ({} shows both)", tone.sign(), label(Command::Better)),
        Outcome::NumberMissing => format!("{} {words}", tone.sign()),
        Outcome::Unchecked(Reason::NoChunkText) if has_snippets(review, support) => {
            "unchecked: snippets were sent, no text to compare with".to_owned()
        }
        _ => words,
    };
    doc.text(0, &words, tone.role(), 3);
    let titled = review.better_source(support.index).filter(|_| verdict.better().is_none());
    if let Some((number, source)) =
        titled.and_then(|at| Some((at + 1, review.source(at).map(SourceRef::sent)?)))
    {
        let sign = Standing::Doubt.sign();
        let words =
            format!("{sign} the words are about [{number}] {}, which they do not cite", source.name());
        doc.text(0, &words, Role::Doubt, 3);
    }
    if matches!(verdict.outcome, Outcome::Unchecked(_)) && !verdict.missing_numbers.is_empty() {
        doc.text(
            0,
            &format!("numbers not in the cited chunks: {}", verdict.missing_numbers.join(", ")),
            Role::Warning,
            2,
        );
    }
    if !verdict.missing_names.is_empty() && verdict.outcome.reason().is_none() {
        let names = missing_names(review.text(), &verdict.missing_names, &judged.absent);
        doc.text(0, &format!("names not in the cited chunks: {}", names.join(", ")), Role::Dim, 2);
    }
}

/// Whether what a support cites has short excerpts of pages.
fn has_snippets(review: &Review, support: SupportRef) -> bool {
    let sources = support.cited().into_iter().filter_map(|source| review.source(source).map(SourceRef::sent));
    sources.flat_map(|source| &source.chunks).any(|chunk| chunk.label == Some(Label::Snippet))
}

/// Missing names with the capitalised words beside them that are marked as missing, too: a name at the
/// beginning of a sentence does not show by its capital alone.
fn missing_names(text: &str, names: &[String], absent: &[Range<usize>]) -> Vec<String> {
    let words = |range: &Range<usize>| text.get(range.clone()).unwrap_or_default();
    let capital = |range: &Range<usize>| words(range).starts_with(char::is_uppercase);
    let beside = |left: &Range<usize>, right: &Range<usize>| text.get(left.end..right.start) == Some(" ");
    let mut out: Vec<String> = Vec::new();
    for name in names {
        let at = absent.iter().position(|range| words(range) == name);
        let whole = at.and_then(|at| {
            let joins =
                |pair: &[Range<usize>]| matches!(pair, [a, b] if beside(a, b) && capital(a) && capital(b));
            let first =
                (0..at).rev().take_while(|&place| absent.get(place..place + 2).is_some_and(joins)).last();
            let last = (at..absent.len())
                .take_while(|&place| absent.get(place..place + 2).is_some_and(joins))
                .last();
            let from = absent.get(first.unwrap_or(at))?.start;
            let to = absent.get(last.map_or(at, |last| last + 1))?.end;
            text.get(from..to)
        });
        let shown = whole.unwrap_or(name);
        if !out.iter().any(|known| known == shown) {
            out.push(shown.to_owned());
        }
    }
    out
}

/// Windows of a source for the selected span, best first.
pub(super) fn windows(state: &State, source: usize) -> Vec<Shown> {
    if !state.compare {
        return Vec::new();
    }
    let judged = state.shown_together().0.iter().filter_map(|&support| state.compared(support));
    judged.flat_map(|judged| &judged.windows).filter(|shown| shown.source == source).cloned().collect()
}

/// How much of the selected claim each source holds; nothing where the cover says nothing.
pub(super) fn covers(state: &State) -> HashMap<usize, f64> {
    let mut most: HashMap<usize, f64> = HashMap::new();
    // Of megabytes the index takes a while: it is not waited for.
    let Some(review) = state.review().filter(|review| state.compare && review.is_indexed()) else {
        return most;
    };
    let judged = state.selected().iter().filter_map(|&support| review.backing(support));
    let comparison = review.comparison();
    for backing in judged.filter(|backing| backing.outcome.reason().is_none()) {
        for fit in &backing.fits {
            if let Some((source, _)) = comparison.place(fit.window.chunk) {
                most.entry(source).and_modify(|most| *most = most.max(fit.cover)).or_insert(fit.cover);
            }
        }
        // Of a source that is cited those of its passages count that are.
        if let Some((other, (source, _))) = backing.better().zip(comparison.better(backing)) {
            most.entry(source).or_insert(other.cover);
        }
    }
    most
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
    let Some(judged) = review.compared(support) else { return };
    let claim = review.support(support).and_then(SupportRef::words);
    doc.text(0, claim.unwrap_or("(the claim has no place in the answer)"), Role::Strong, 6);
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
    let source = review.source(shown.source).map(SourceRef::sent);
    let name = source.map_or("", |source| source.name());
    doc.line(&[(&format!("[{}] ", shown.source + 1), Role::Key), (name, Role::Strong)]);
    let wording = format!("{} wording {:.0} %", score_bar(shown.cover), shown.cover * 100.0);
    doc.line(&[(title, Role::Dim), ("  ", Role::Plain), (&wording, Role::Plain)]);
    if let PassageKind::Chunk(index) = shown.kind
        && let Some(label) = source.and_then(|source| source.chunks.get(index)?.label)
    {
        doc.text(0, label.word(), Role::Dim, 1);
    }
    let text = source.and_then(|source| source.words(shown.kind));
    doc.marked(0, &text.unwrap_or_default(), &marks(shown), 0, usize::MAX);
    doc.blank();
    doc
}

#[cfg(test)]
mod tests {
    use super::missing_names;

    #[test]
    fn a_name_at_the_beginning_of_a_sentence_is_whole() {
        let text = "Tarn Hill is high. Near Rio Bay it rains.";
        let absent = [0..4, 5..9, 24..27, 28..31];
        assert_eq!(
            missing_names(text, &["Hill".into(), "Rio".into(), "Bay".into()], &absent),
            ["Tarn Hill", "Rio Bay"]
        );
        assert_eq!(missing_names(text, &["Else".into()], &absent), ["Else"]);
    }
}
