//! Supports without a quote beside others whose quotes prove how offsets count: moved where that is proven,
//! else left, and told to be left.

use serde_json::{Value, json};

use crate::common::program::run;

/// What each support names behind `fix`, and what that said of those it left, with its exit code.
fn fixed(text: &str, supports: &[(usize, usize, Option<&str>)]) -> (i32, Vec<String>, Vec<String>) {
    let support = |(start, end, quote): &(usize, usize, Option<&str>)| {
        let mut segment = json!({"startIndex": start, "endIndex": end});
        if let Some(quote) = quote {
            segment["text"] = (*quote).into();
        }
        json!({"segment": segment, "groundingChunkIndices": [0]})
    };
    let supports: Vec<Value> = supports.iter().map(support).collect();
    let input = json!({"candidates": [{"content": {"parts": [{"text": text}]}, "finishReason": "STOP", "groundingMetadata": {
        "groundingChunks": [{"web": {"uri": "https://a.example/", "title": "a"}}], "groundingSupports": supports}}]});
    let (code, out, errors) = run(&["fix"], &input.to_string());
    let out: Value = serde_json::from_str(&out).unwrap();
    let supports = &out["candidates"][0]["groundingMetadata"]["groundingSupports"];
    let at = |segment: &Value, key: &str| segment[key].as_u64().unwrap_or_default() as usize;
    let words = |support: &Value| {
        let segment = &support["segment"];
        let bytes = &text.as_bytes()[at(segment, "startIndex")..at(segment, "endIndex")];
        String::from_utf8_lossy(bytes).into_owned()
    };
    let left = errors.lines().filter(|line| line.contains(" is left as it is"));
    let left = left.map(|line| line.trim_start_matches("citescope: ").to_owned()).collect();
    (code, supports.as_array().unwrap().iter().map(words).collect(), left)
}

const UNPROVEN: &str = "is left as it is: it has no quote that proves where it belongs";

/// Characters of a text whose line ends were two: one quote before the first of them proves the unit, and
/// says nothing of what is behind it.
#[test]
fn behind_the_quotes_that_prove_a_unit_it_must_become_a_sentence() {
    let left = vec![format!("support 2 {UNPROVEN}")];
    let moved =
        fixed("café été open.\n🧀 1932 in. Ok then.", &[(0, 14, Some("café été open.")), (16, 26, None)]);
    assert_eq!(moved, (1, vec!["café été open.".to_owned(), ".\n🧀 193".to_owned()], left.clone()));
    // Its end as it was sent lies in the middle of a letter.
    let moved = fixed("Łódź of.\nin May café naïve. the 灯台.", &[(0, 8, Some("Łódź of.")), (10, 28, None)]);
    assert_eq!((moved.0, moved.2), (1, left));
    let whole = [(0, 14, Some("café été open.")), (15, 26, None)];
    let moved = fixed("café été open. Été in May.", &whole);
    assert_eq!(moved, (0, vec!["café été open.".to_owned(), "Été in May.".to_owned()], Vec::new()));
}

/// Where a unit and a shift are proven together, what goes with neither was left without a word.
#[test]
fn what_is_left_in_another_unit_is_told() {
    let all = [(0, 15, None), (17, 32, Some("Lit été in May.")), (33, 41, Some("Ok café."))];
    let moved = fixed("Łódź Łódź open.\nLit été in May. Ok café.", &all);
    let words = ["Łódź Łódź", "Lit été in May.", "Ok café."].map(str::to_owned).to_vec();
    assert_eq!(moved, (1, words, vec![format!("support 1 {UNPROVEN}")]));
    let all = [(0, 13, Some("café the the.")), (15, 20, Some("🧀 in.")), (22, 36, None)];
    let moved = fixed("café the the.\n🧀 in.\nMay of 🧀 1932.", &all);
    assert_eq!((moved.0, moved.2), (1, vec![format!("support 3 {UNPROVEN}")]));
}
