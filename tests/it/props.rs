//! Properties over texts of every script, whole files cut anywhere, and any bytes.

use citescope::export::{ExportOptions, markdown};
use citescope::session::{Session, Supplied};
use citescope::store::Input;
use citescope::text::sanitize;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::common::library::open;

/// Pieces of many scripts, with what is hard in each.
fn text() -> impl Strategy<Value = String> {
    let pieces = [
        "The end. ",
        "Größe – “ja”. ",
        "日本語の文。",
        "한국어. ",
        "हिन्दी क्षेत्र। ",
        "العربية ",
        "👩‍👩‍👧‍👦",
        "🇯🇵🇩🇪",
        "e\u{301}",
        "❤️",
        "\t",
        "\n\n",
        "* a\n",
        "| x | y |\n",
        "[l](u)",
        "**b**",
        "ไทย ",
        "\u{200b}",
        "\u{202e}x\u{202c}",
    ];
    prop::collection::vec(prop::sample::select(pieces.to_vec()), 1..25).prop_map(|pieces| pieces.concat())
}

/// A response over a text, with spans at any character borders, each citing a source of its own.
fn response(text: &str, spans: &[(prop::sample::Index, prop::sample::Index)]) -> String {
    let borders: Vec<usize> = (0..=text.len()).filter(|&at| text.is_char_boundary(at)).collect();
    let place = |index: &prop::sample::Index| borders[index.index(borders.len())];
    let support = |(number, (a, b)): (usize, &(prop::sample::Index, prop::sample::Index))| {
        let (start, end) = (place(a).min(place(b)), place(a).max(place(b)));
        json!({"segment": {"startIndex": start, "endIndex": end, "text": text[start..end]}, "groundingChunkIndices": [number]})
    };
    let supports: Vec<Value> = spans.iter().enumerate().map(support).collect();
    let chunks: Vec<Value> = (0..spans.len())
        .map(|number| json!({"web": {"uri": format!("https://m.example/{number}"), "title": "t"}}))
        .collect();
    json!({"candidates": [{"content": {"parts": [{"text": text}]}, "finishReason": "STOP", "groundingMetadata": {"groundingChunks": chunks, "groundingSupports": supports}}]}).to_string()
}

proptest! {
    #[test]
    fn correct_spans_fit_and_taking_the_marks_out_gives_the_answer_back(text in text(), spans in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..8)) {
        let collection = open("f", &*response(&text, &spans));
        let reviews = collection.decode(0).unwrap();
        let review = &reviews[0];
        prop_assert_eq!((review.fit.fitting, review.fit.of), (spans.len(), spans.len()));
        for exported in [markdown::inline(review, &ExportOptions::default()), markdown::footnotes(review, &ExportOptions::default()), markdown::numbered(review, &ExportOptions::default())] {
            prop_assert_eq!(exported.original(), sanitize(&text).into_owned(), "{}", exported.text);
        }
    }

    #[test]
    fn any_bytes_give_an_answer_or_a_clear_error(bytes in prop::collection::vec(any::<u8>(), 0..300), prefix in prop::sample::select(vec!["", "{", "[", "data: {", "{\"candidates\":[", "{\"sessionEvents\":[{"])) {
        let mut input = prefix.as_bytes().to_vec();
        input.extend(bytes);
        match Input::from_bytes("f", input) {
            Err(error) => prop_assert!(error.to_string().starts_with('f')),
            Ok(input) => {
                let collection = Session::new([Ok(input)], Supplied::default());
                for record in 0..collection.len() {
                    if let Err(error) = collection.decode(record) {
                        prop_assert!(error.to_string().starts_with("f:"));
                    }
                }
            }
        }
    }

    #[test]
    fn samples_cut_anywhere_open_or_say_why_not(sample in prop::sample::select(citescope::cli::SAMPLES.to_vec()), at in any::<prop::sample::Index>()) {
        let cut = sample.1.floor_char_boundary(at.index(sample.1.len()));
        let collection = open("f", &sample.1[..cut]);
        for record in 0..collection.len() {
            match collection.decode(record) {
                Ok(reviews) => {
                    for review in reviews.iter() {
                        citescope::export::json::response(review);
                    }
                }
                Err(error) => prop_assert!(error.to_string().starts_with("f:"), "{error}"),
            }
        }
    }

    #[test]
    fn every_leaf_of_a_sample_may_have_another_type(sample in prop::sample::select(citescope::cli::SAMPLES.to_vec()), at in any::<prop::sample::Index>(), wrong in prop::sample::select(vec!["null", "true", "-1", "1e300", "\"x\"", "[]", "{}", "[[1]]", "99999999999999999999"])) {
        prop_assume!([".sse", ".jsonl", ".md"].iter().all(|other| !sample.0.contains(other)));
        let value: Value = serde_json::from_str(sample.1).unwrap();
        let mut places = Vec::new();
        collect(&value, String::new(), &mut places);
        let mut changed = value.clone();
        *changed.pointer_mut(&places[at.index(places.len())]).unwrap() = serde_json::from_str(wrong).unwrap();
        let collection = open("f", &*changed.to_string());
        for record in 0..collection.len() {
            if let Ok(reviews) = collection.decode(record) {
                for review in reviews.iter() {
                    citescope::export::json::response(review);
                    markdown::inline(review, &ExportOptions::default());
                }
            }
        }
    }
}

/// JSON pointers of every value below the root.
fn collect(value: &Value, path: String, places: &mut Vec<String>) {
    match value {
        Value::Object(object) => {
            for (key, inner) in object {
                collect(inner, format!("{path}/{}", key.replace('~', "~0").replace('/', "~1")), places);
            }
        }
        Value::Array(list) => {
            for (index, inner) in list.iter().enumerate() {
                collect(inner, format!("{path}/{index}"), places);
            }
        }
        _ => {}
    }
    if !path.is_empty() {
        places.push(path);
    }
}
