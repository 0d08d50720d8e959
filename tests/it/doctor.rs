//! The offset doctor: correct spans broken by a known transformation are diagnosed as that, and repaired to
//! the numbers they had.

use std::ops::Range;

use citescope::model::Unit;
use citescope::review::Review;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use crate::common::library::open;

/// Ways to break offsets.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Break {
    Unit(Unit),
    Part,
    Thoughts,
    Inclusive,
    Shift(i64),
    /// Characters were dropped from the text at a sentence's beginning after the offsets were counted.
    Drift(usize, i64),
}

/// Sentences in ten scripts, so that units differ and quotes rarely repeat.
const WORDS: [&str; 24] = [
    "River",
    "Öl",
    "über",
    "ação",
    "Żółć",
    "naïve",
    "Москва",
    "Ελλάδα",
    "日本語",
    "東京",
    "한국",
    "भाषा",
    "עברית",
    "العربية",
    "ไทย",
    "😀",
    "👩‍🔬",
    "é",
    "2026",
    "3.5%",
    "e\u{301}",
    "bridge",
    "lantern",
    "“quote”",
];

fn sentence() -> impl Strategy<Value = String> {
    (prop::collection::vec(select(WORDS.to_vec()), 1..6), 0u16..10_000)
        .prop_map(|(words, number)| format!("{} {number}.", words.join(" ")))
}

/// An answer, its sentences as spans, and how they are broken.
fn case() -> impl Strategy<Value = (Vec<String>, Break)> {
    let way = prop_oneof![
        Just(Break::Unit(Unit::Characters)),
        Just(Break::Unit(Unit::Utf16)),
        Just(Break::Part),
        Just(Break::Thoughts),
        Just(Break::Inclusive),
        (1i64..6).prop_map(Break::Shift),
        (-6i64..0).prop_map(Break::Shift),
        (1usize..8, 1i64..4).prop_map(|(at, by)| Break::Drift(at, by)),
    ];
    (prop::collection::vec(sentence(), 2..10), way)
}

struct Broken {
    sent: Value,
    right: Vec<Range<usize>>,
    sent_offsets: Vec<(i64, i64)>,
    answer: String,
}

/// A response whose right offsets are those of `right` and whose sent ones are broken.
fn broken(sentences: &[String], way: Break) -> Broken {
    let answer = sentences.join(" ");
    let mut right: Vec<Range<usize>> = Vec::new();
    for sentence in sentences {
        let start = right.last().map_or(0, |range| range.end + 1);
        right.push(start..start + sentence.len());
    }
    let split = right[right.len() / 2].start;
    let thought = "Ich denke nach. ";
    let count = |unit: Unit, byte: usize| match unit {
        Unit::Bytes => byte,
        Unit::Characters => answer[..byte].chars().count(),
        Unit::Utf16 => answer[..byte].encode_utf16().count(),
    } as i64;
    let offsets = |range: &Range<usize>| -> (i64, i64) {
        let (start, end) = (range.start as i64, range.end as i64);
        match way {
            Break::Unit(unit) => (count(unit, range.start), count(unit, range.end)),
            Break::Inclusive => (start, end - 1),
            Break::Shift(by) => (start + by, end + by),
            Break::Drift(at, by) if range.start >= right[at.min(right.len() - 1)].start => {
                (start + by, end + by)
            }
            Break::Thoughts if range.start >= split => {
                (start + thought.len() as i64, end + thought.len() as i64)
            }
            Break::Part if range.start >= split => (start - split as i64, end - split as i64),
            Break::Drift(..) | Break::Thoughts | Break::Part => (start, end),
        }
    };
    let sent_offsets: Vec<(i64, i64)> = right.iter().map(offsets).collect();
    let supports: Vec<Value> = right
        .iter()
        .zip(&sent_offsets)
        .map(|(range, (start, end))| {
            let segment = json!({"startIndex": start, "endIndex": end, "text": &answer[range.clone()]});
            json!({"segment": segment, "groundingChunkIndices": [0]})
        })
        .collect();
    let parts = match way {
        Break::Thoughts => {
            json!([{"text": &answer[..split]}, {"text": thought, "thought": true}, {"text": &answer[split..]}])
        }
        Break::Part => json!([{"text": &answer[..split]}, {"text": &answer[split..]}]),
        _ => json!([{"text": answer}]),
    };
    let chunk = json!([{"web": {"uri": "https://a.example", "title": "a"}}]);
    let metadata = json!({"groundingChunks": chunk, "groundingSupports": supports});
    let sent = json!({"candidates": [{"content": {"parts": parts}, "groundingMetadata": metadata}]});
    Broken { sent, right, sent_offsets, answer }
}

fn review(sent: &Value) -> std::sync::Arc<Review> {
    std::sync::Arc::clone(&open("f", sent.to_string()).decode(0).unwrap()[0])
}

/// Rules on offsets that fire.
fn diagnosis(sent: &Value) -> Vec<&'static str> {
    let review = review(sent);
    let ids = review.structural_findings().iter().map(|finding| finding.rule.id);
    ids.filter(|id| id.starts_with("offset-") || id.starts_with("quote-")).collect()
}

/// The offsets after `citescope fix`: those sent with the edits applied.
fn repaired(broken: &Broken) -> Vec<(i64, i64)> {
    let review = review(&broken.sent);
    let mut offsets = broken.sent_offsets.clone();
    for edit in &review.repairs().edits {
        let slot = &mut offsets[edit.support];
        if edit.place(&review.response).unwrap().path.to_string().ends_with("startIndex") {
            slot.0 = edit.new;
        } else {
            slot.1 = edit.new;
        }
    }
    offsets
}

fn once(answer: &str, range: &Range<usize>) -> bool {
    answer.matches(&answer[range.clone()]).count() == 1
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn what_was_done_to_the_offsets_is_named_and_undone((sentences, way) in case()) {
        let broken = broken(&sentences, way);
        let right: Vec<(i64, i64)> = broken.right.iter().map(|range| (range.start as i64, range.end as i64)).collect();
        let moved: Vec<usize> = (0..right.len()).filter(|&k| broken.sent_offsets[k] != right[k] && once(&broken.answer, &broken.right[k])).collect();
        let told = diagnosis(&broken.sent);
        if broken.sent_offsets == right {
            prop_assert_eq!(told, [""; 0]);
            return Ok(());
        }
        prop_assume!(!moved.is_empty());
        let named = match way {
            Break::Unit(_) => "offset-unit",
            Break::Part | Break::Thoughts => "offset-base",
            Break::Inclusive => "offset-inclusive",
            Break::Shift(_) => "offset-shift",
            Break::Drift(..) => "offset-drift",
        };
        // Of equal sentences behind a change none tells which of them is meant, unless others do.
        let copied = (0..right.len()).any(|k| broken.sent_offsets[k] != right[k] && !once(&broken.answer, &broken.right[k]));
        let is_unsure = told.contains(&"quote-ambiguous") && copied && matches!(way, Break::Drift(..));
        let sure: Vec<&str> = told.into_iter().filter(|id| !is_unsure || *id != "quote-ambiguous").collect();
        prop_assert_eq!(&sure, &[named], "{:?} {:?}", way, broken.sent_offsets);
        let repaired = repaired(&broken);
        if is_unsure {
            prop_assert!(moved.iter().all(|&k| repaired[k] == right[k]));
        } else {
            prop_assert_eq!(repaired, right);
        }
    }
}
