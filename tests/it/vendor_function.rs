//! Google's sample function beside ours, on plain answers.

use citescope::export::{ExportOptions, markdown};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::common::library::open;

/// Google's sample function: from the last end backwards, `[i+1](uri)` joined by `, `.
fn as_the_vendor_does(answer: &str, supports: &[(usize, Vec<i64>)], pages: &[&str]) -> String {
    let mut order: Vec<&(usize, Vec<i64>)> = supports.iter().collect();
    order.sort_by_key(|(end, _)| std::cmp::Reverse(*end));
    let mut text = answer.to_owned();
    for (end, indices) in order {
        // Behind a digit the brackets are part of the link, as the README says.
        let digit = answer[..*end].ends_with(|c: char| c.is_ascii_digit());
        let link = |index: &i64| {
            let page = pages.get(usize::try_from(*index).ok()?)?;
            let number = if digit { format!("[{}]", index + 1) } else { (index + 1).to_string() };
            Some(format!("[{number}]({page})"))
        };
        let links: Vec<String> = indices.iter().filter_map(link).collect();
        text.insert_str(*end, &links.join(", "));
    }
    text + "\n"
}

/// Sentences of plain words, and supports that end behind a word or a full stop.
fn grounded() -> impl Strategy<Value = (String, Vec<(usize, Vec<i64>)>)> {
    let words = ["Rio", "opens", "at", "nine", "2044", "the", "museum", "of", "light", "K7", "closed"];
    let sentence = prop::collection::vec(prop::sample::select(words.to_vec()), 1..9);
    let answer = prop::collection::vec(sentence, 1..6).prop_map(|sentences| {
        let sentences = sentences.iter().map(|words| format!("Now {}.", words.join(" ")));
        sentences.collect::<Vec<_>>().join(" ")
    });
    answer.prop_flat_map(|answer| {
        let ends: Vec<usize> = (1..=answer.len())
            .filter(|&at| {
                answer.as_bytes()[at - 1] != b' '
                    && !answer[at..].starts_with(|c: char| c.is_ascii_alphanumeric())
            })
            .collect();
        let support = (prop::sample::select(ends), prop::collection::vec(-1..4_i64, 1..4));
        (Just(answer), prop::collection::vec(support, 1..6))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1200))]

    #[test]
    fn inline_is_what_the_vendors_function_gives_for_plain_answers((answer, supports) in grounded()) {
        let pages = ["https://a.example/x", "https://b.example/y", "https://c.example/z"];
        let chunks: Vec<Value> = pages.iter().map(|uri| json!({"web": {"uri": uri, "title": "t"}})).collect();
        let support = |(end, indices): &(usize, Vec<i64>)| {
            json!({"segment": {"endIndex": end, "text": answer[..*end]}, "groundingChunkIndices": indices})
        };
        let supports_sent: Vec<Value> = supports.iter().map(support).collect();
        let sent = json!({"candidates": [{"content": {"parts": [{"text": answer}]}, "finishReason": "STOP",
            "groundingMetadata": {"groundingChunks": chunks, "groundingSupports": supports_sent}}]});
        let session = open("f", sent.to_string());
        let review = session.reviews().next().unwrap().unwrap();
        let ours = markdown::inline(&review, &ExportOptions::default()).text;
        prop_assert_eq!(ours, as_the_vendor_does(&answer, &supports, &pages));
    }
}
