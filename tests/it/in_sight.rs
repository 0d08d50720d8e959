//! What must stay in sight: the selection under what lies on top, the worst sign of a row, claims of answers
//! that cite nothing, a long question, files that break off.

use citescope::session::Session;
use citescope::tui::state::{Found, Overlay, State};
use serde_json::{Value, json};

use crate::common::library::line;
use crate::common::program::run;
use crate::common::screen::{of, open, press, screen};

fn opened(value: &Value) -> State {
    of(Session::from_bytes("f.json", value.to_string().into_bytes()))
}

fn response(text: &str, supports: &[(&str, usize)], sources: usize) -> Value {
    let sources: Vec<Value> = (0..sources)
        .map(|n| json!({"web": {"uri": format!("https://s{n}.example/"), "title": format!("Source {n}")}}))
        .collect();
    let supports: Vec<Value> = supports
        .iter()
        .map(|(words, source)| {
            let start = text.find(words).unwrap();
            let segment = json!({"startIndex": start, "endIndex": start + words.len(), "text": words});
            json!({"segment": segment, "groundingChunkIndices": [source]})
        })
        .collect();
    json!({"candidates": [{"content": {"parts": [{"text": text}]}, "finishReason": "STOP",
        "groundingMetadata": {"groundingChunks": sources, "groundingSupports": supports}}]})
}

#[test]
fn what_lies_on_top_leaves_the_selection_in_view() {
    let mut state = open("samples/gemini-long.json");
    for keys in ["G s", "Esc G y", "Esc G f"] {
        press(&mut state, (80, 24), keys);
        let shown = screen(&state, 80, 24);
        assert!(shown.contains("label inside the lid."), "{keys}: {shown}");
    }
}

#[test]
fn a_row_has_its_worst_sign_whatever_is_selected() {
    // The second claim cites what is not there.
    let value =
        response("Alpha is old. Beta is red. Gamma is big.", &[("Alpha is old.", 0), ("Beta is red.", 9)], 1);
    let mut state = opened(&value);
    for _ in 0..3 {
        let shown = screen(&state, 80, 24);
        let row = shown.lines().find(|line| line.contains("Alpha is old.")).unwrap();
        assert!(row.starts_with("▌✗"), "{shown}");
        press(&mut state, (80, 24), "Right");
    }
}

#[test]
fn an_answer_without_citations_has_its_sentences_to_step_through() {
    let value = json!({"candidates": [{"content": {"parts": [{"text": "The tower was built in 1932. It is forty metres high today."}]}, "finishReason": "STOP"}]});
    let mut state = opened(&value);
    press(&mut state, (80, 24), "Right");
    let shown = screen(&state, 80, 24);
    assert!(shown.contains("sentence 1 of 2 without a source") && shown.contains('○'), "{shown}");
    press(&mut state, (80, 24), "Right");
    assert!(screen(&state, 80, 24).contains("sentence 2 of 2"));
    // What a service would not say is no claim of its own.
    assert!(!screen(&open("samples/discovery-skipped.json"), 80, 24).contains('○'));
}

#[test]
fn a_long_question_takes_what_a_short_answer_leaves() {
    let mut value = response("It is old.", &[("It is old.", 0)], 1);
    let asked = "How old is the tower on the hill, who built it, and when was it last painted? ".repeat(4);
    value = json!({"request": {"contents": [{"role": "user", "parts": [{"text": format!("{asked}And why red?")}]}]}, "response": value});
    let shown = screen(&opened(&value), 80, 24);
    assert!(shown.contains("And why red?") && shown.contains("It is old.[1]"), "{shown}");
    let mut state = opened(&value);
    press(&mut state, (80, 24), "/ p a i n t e d Enter");
    assert!(matches!(state.found.as_slice(), [Found::Question]), "{:?}", state.found);
}

#[test]
fn the_matrix_opens_at_the_selected_claim_and_the_sources_that_it_cites() {
    let claims: Vec<String> = (0..300).map(|n| format!("Tower {n} is red.")).collect();
    let text = claims.join(" ");
    let supports: Vec<(&str, usize)> =
        claims.iter().enumerate().map(|(n, words)| (words.as_str(), n % 100)).collect();
    let mut state = opened(&response(&text, &supports, 100));
    press(&mut state, (80, 24), "G X");
    assert_eq!(state.overlay(), Some(&Overlay::Matrix));
    let shown = screen(&state, 80, 24);
    assert!(shown.contains("▌300 Tower 299") && shown.contains("[–]"), "{shown}");
    press(&mut state, (80, 24), "Home");
    let shown = screen(&state, 80, 24);
    assert!(
        shown.contains("… 100 claims before") && shown.contains("near those of the selection"),
        "{shown}"
    );
}

#[test]
fn a_line_of_json_folds_what_it_stands_in() {
    let mut state = open("samples/gemini-retrieval-scores.json");
    press(&mut state, (80, 24), "r Down Down Enter");
    let shown = screen(&state, 80, 24);
    assert!(shown.contains(" lines … "), "{shown}");
    press(&mut state, (80, 24), "Enter");
    assert!(!screen(&state, 80, 24).contains(" lines … "), "{shown}");
}

#[test]
fn the_filter_looks_at_what_a_row_says_besides_and_is_left_before_the_list() {
    let text = [line("park", "parks.example", true), line("tower", "towers.example", false)].join("\n");
    let mut state = of(Session::from_bytes("log.jsonl", text.into_bytes()));
    press(&mut state, (100, 14), "L / c o n s t a n t Enter");
    let shown = screen(&state, 100, 14);
    assert!(shown.contains("Filter: constant · 1 of 2") && shown.contains("The tower"), "{shown}");
    press(&mut state, (100, 14), "Esc");
    assert_eq!((state.overlay(), state.table.filter.as_str()), (Some(&Overlay::Responses), ""));
    let shown = screen(&state, 100, 14);
    assert!(shown.contains("Responses · 1 of 2 doubtful"), "{shown}");
    press(&mut state, (100, 14), "Esc");
    assert_eq!(state.overlay(), None);
}

#[test]
fn a_file_of_a_directory_that_breaks_off_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    put("a.json", &response("It is old.", &[("It is old.", 0)], 1).to_string());
    put("cut.json", "{\"a\": [1, ");
    put("other.json", "{\"name\": \"something else\"}");
    put("commented.json", "{ // a setting\n \"a\": 1}");
    let (code, out, errors) = run(&["check", folder.path().to_str().unwrap()], "");
    assert_eq!(code, 2, "{out}{errors}");
    assert!(errors.contains("cut.json") && !errors.contains("commented.json"), "{errors}");
    assert!(out.contains("2 files without a response skipped"), "{out}");
}
