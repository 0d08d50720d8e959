//! Properties of the scorer on generated texts: it equals a plain one, the pruned search equals the full one,
//! and every range can be cut out.

use citescope::evidence::{
    ChunkId, ChunkText, Claim, ClaimMarks, Index, Indexer, SENTENCE_COST, Scorer, TokenKind, WHOLE_SHARE,
    tokens, weight,
};
use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::HashSet;

const PIECES: [&str; 44] = [
    "the ",
    "river ",
    "bridge ",
    "opened ",
    "in ",
    "1932 ",
    "1,932 ",
    "three ",
    "3 ",
    "engineers ",
    "Marlow ",
    "Pier ",
    "weather ",
    "salt ",
    "of ",
    "and ",
    "northern ",
    "was ",
    "not ",
    "rebuilt ",
    ". ",
    ". ",
    "! ",
    "\n",
    "• ",
    "- ",
    "[1]",
    "Dr. ",
    "2018–19 ",
    "橋は",
    "開通した",
    "。",
    "สะพาน",
    "เปิด",
    "الجسر ",
    "पुल ",
    "다리",
    "мост ",
    "Brücke ",
    "’s ",
    "\u{301}",
    "\u{200D}",
    "５０３",
    "e\u{301}t",
];

fn text(length: usize) -> impl Strategy<Value = String> {
    vec(prop::sample::select(&PIECES[..]), 0..length).prop_map(|pieces| pieces.concat())
}

/// Text without list marks and `[n]` marks, which a claim drops.
fn unmarked(length: usize) -> impl Strategy<Value = String> {
    let plain: Vec<&str> =
        PIECES.iter().copied().filter(|piece| !piece.starts_with(['[', '-', '•'])).collect();
    vec(prop::sample::select(plain), 0..length).prop_map(|pieces| pieces.concat())
}

fn index_of(texts: &[(String, String)]) -> Index {
    Index::new(texts.iter().map(|(title, text)| ChunkText { title, text, ..ChunkText::default() }))
}

/// The tokens of a claim by first occurrence, with the greatest weight of each.
fn weights(claim: &str) -> Vec<(String, f64)> {
    let mut out: Vec<(String, f64)> = Vec::new();
    for token in tokens(claim) {
        let weight = weight(&token.text, token.kind);
        match out.iter_mut().find(|(text, _)| *text == token.text) {
            Some(known) => known.1 = known.1.max(weight),
            None => out.push((token.text, weight)),
        }
    }
    out
}

fn words(text: &str) -> HashSet<String> {
    tokens(text).into_iter().map(|token| token.text).collect()
}

/// Cover and window by sets of strings; `claim` holds no marks to be dropped.
fn plain_cover(claim: &str, index: &Index, title: &str, text: &str) -> Option<(f64, usize, usize)> {
    let weights = weights(claim);
    let total = weights.iter().fold(0.0, |sum, (_, weight)| sum + weight);
    if total <= 0.0 {
        return None;
    }
    let share = |held: &HashSet<String>| {
        let held = weights.iter().filter(|(text, _)| held.contains(text));
        held.fold(0.0, |sum, (_, weight)| sum + weight) / total
    };
    let title = words(title);
    let sentences: Vec<HashSet<String>> =
        index.sentences(ChunkId(0)).map(|(a, b)| &words(text.get(a..b).unwrap()) | &title).collect();
    let union = |from: usize, count: usize| {
        sentences[from..from + count].iter().flatten().cloned().collect::<HashSet<String>>()
    };
    let mut best = (-1.0, 0, 1);
    for first in 0..sentences.len() {
        for (count, longer) in (1..=3.min(sentences.len() - first)).zip([0.0, 1.0, 2.0]) {
            let value = share(&union(first, count)) - SENTENCE_COST * longer;
            if value > best.0 {
                best = (value, first, count);
            }
        }
    }
    let window = share(&union(best.1, best.2));
    let whole = share(&union(0, sentences.len()));
    Some(((1.0 - WHOLE_SHARE) * window + WHOLE_SHARE * whole, best.1, best.2))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn cover_equals_a_plain_scorer(claim in unmarked(120), title in text(3), text in text(90)) {
        let index = index_of(&[(title.clone(), text.clone())]);
        let made = Scorer::new(&index).cover(&Claim::new(&index, &claim), ChunkId(0));
        let made = made.map(|fit| (fit.cover, fit.window.first, fit.window.sentences));
        let plain = plain_cover(&claim, &index, &title, &text);
        prop_assert_eq!(made.map(|m| (m.1, m.2)), plain.map(|p| (p.1, p.2)));
        prop_assert!(made.zip(plain).is_none_or(|(m, p)| (m.0 - p.0).abs() < 1e-12));
    }

    /// One scorer, several claims: of a long text little is weighed, and nothing of one claim is left for the
    /// next.
    #[test]
    fn in_a_long_text_cover_is_the_same(
        claims in vec(unmarked(6), 1..4), title in text(2), pieces in vec((0usize..60, text(4)), 1..6),
    ) {
        let long: String = pieces.iter().map(|(fill, piece)| "Zzz qqq. ".repeat(*fill) + piece + ". ").collect();
        let index = index_of(&[(title.clone(), long.clone())]);
        let mut scorer = Scorer::new(&index);
        for claim in claims {
            let made = scorer.cover(&Claim::new(&index, &claim), ChunkId(0));
            let made = made.map(|fit| (fit.cover, fit.window.first, fit.window.sentences));
            let plain = plain_cover(&claim, &index, &title, &long);
            prop_assert_eq!(made.map(|m| (m.1, m.2)), plain.map(|p| (p.1, p.2)));
            prop_assert!(made.zip(plain).is_none_or(|(m, p)| (m.0 - p.0).abs() < 1e-12));
        }
    }

    #[test]
    fn the_pruned_search_equals_the_full_one(
        claim in text(20),
        chunks in vec((text(2), text(25)), 0..40),
        cited in vec(0u32..40, 0..4),
    ) {
        let index = index_of(&chunks);
        let claim = Claim::new(&index, &claim);
        let cited: Vec<ChunkId> = cited.into_iter().map(ChunkId).collect();
        let mut scorer = Scorer::new(&index);
        let mut full: Option<(ChunkId, f64)> = None;
        for id in index.ids().filter(|id| index.has_text(*id) && !cited.contains(id)) {
            if let Some(fit) = scorer.cover(&claim, id)
                && full.is_none_or(|(_, best)| fit.cover > best)
            {
                full = Some((id, fit.cover));
            }
        }
        for _ in 0..2 {
            let pruned = scorer.best_other(&claim, &cited).map(|other| (other.chunk, other.cover));
            prop_assert_eq!(pruned, full);
        }
    }

    #[test]
    fn joint_cover_is_at_least_the_best_single_one(claim in text(20), chunks in vec((text(2), text(25)), 1..5)) {
        let index = index_of(&chunks);
        let claim = Claim::new(&index, &claim);
        let ids: Vec<ChunkId> = index.ids().collect();
        let mut scorer = Scorer::new(&index);
        if let Some(joint) = scorer.joint(&claim, &ids) {
            let best = ids.iter().filter_map(|id| scorer.cover(&claim, *id)).map(|fit| fit.cover).fold(0.0, f64::max);
            prop_assert!(joint >= best - 1e-12 && joint <= 1.0 + 1e-12);
        }
    }

    #[test]
    fn an_indexer_used_again_forgets_everything(first in vec((text(2), text(25)), 0..5), second in vec((text(2), text(25)), 1..5), claim in text(20)) {
        let mut indexer = Indexer::default();
        let chunk = |pair| { let (title, text): &(String, String) = pair; ChunkText { title, text, ..ChunkText::default() } };
        indexer.index(first.iter().map(chunk));
        let again = indexer.index(second.iter().map(chunk));
        let fresh = index_of(&second);
        let ids: Vec<ChunkId> = fresh.ids().collect();
        let made = Scorer::new(again).compare(&Claim::new(again, &claim), &ids);
        prop_assert_eq!(made, Scorer::new(&fresh).compare(&Claim::new(&fresh, &claim), &ids));
    }

    #[test]
    fn any_text_can_be_judged_and_every_range_cut_out(claim in "\\PC{0,60}", title in "\\PC{0,8}", chunk in "[\\PC\\n]{0,200}", other in text(20)) {
        let texts = [(title, chunk), (String::new(), other)];
        let index = index_of(&texts);
        let prepared = Claim::new(&index, &claim);
        let mut scorer = Scorer::new(&index);
        let made = scorer.explain(&prepared, &[ChunkId(0)], 3);
        prop_assert!(made.verdict.cover.is_none_or(|cover| (0.0..=1.0 + 1e-12).contains(&cover)));
        for window in made.windows.iter().flatten() {
            let text = &texts[0].1;
            prop_assert!(text.get(window.start..window.end).is_some());
            for range in prepared.present_in_window(&index, text, window) {
                prop_assert!(window.start <= range.start && range.end <= window.end);
                prop_assert!(text.get(range).is_some_and(|part| !part.is_empty()));
            }
        }
        let marks = ClaimMarks::new(&index, &claim, &[ChunkId(0)]);
        prop_assert_eq!(marks.numbers.is_empty(), made.verdict.missing_numbers.is_empty());
        for range in marks.absent.iter().chain(&marks.numbers).chain(&marks.names) {
            prop_assert!(claim.get(range.clone()).is_some_and(|part| !part.is_empty()));
        }
    }

    #[test]
    fn tokens_say_where_they_stand(text in "\\PC{0,80}") {
        let mut last = 0;
        for token in tokens(&text) {
            prop_assert!(text.get(token.range.clone()).is_some_and(|part| !part.is_empty()));
            prop_assert!(token.range.start >= last || token.kind == TokenKind::Gram || token.range.end > last);
            last = token.range.start;
        }
    }
}
