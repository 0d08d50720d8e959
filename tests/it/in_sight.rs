//! What must stay in sight: the selection under what lies on top, the worst sign of a row, claims of answers
//! that cite nothing, a long question, files that break off.

use citescope::session::Session;
use citescope::tui::state::{Found, Overlay, Pane, State};
use serde_json::{Value, json};

use crate::common::library::line;
use crate::common::program::run;
use crate::common::screen::{layout, of, open, press, screen, text_of};

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
        assert!(row.starts_with("▌·✗"), "{shown}");
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
    assert!(shown.contains("▌300 · Tower 299") && shown.contains("[–]"), "{shown}");
    press(&mut state, (80, 24), "Home");
    let shown = screen(&state, 80, 24);
    assert!(
        shown.contains("… 100 claims before") && shown.contains("sources 87 to 100 of 100, ←→ the others"),
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

#[test]
fn the_heads_of_columns_stay_when_the_rest_is_scrolled() {
    let mut state = open("samples/gemini-long.json");
    press(&mut state, (60, 16), "X End");
    let shown = screen(&state, 60, 16);
    let heads = |shown: &str| shown.lines().any(|line| line.contains("1   2   3   4   5   6   7   8   9"));
    assert!(heads(&shown) && shown.contains("│▌ 45 "), "{shown}");
    let lines: String = (1..=40).map(|n| line(&format!("ferry {n}"), "a.example", true) + "\n").collect();
    let mut state = of(Session::from_bytes("f.jsonl", lines.into_bytes()));
    press(&mut state, (80, 16), "L End");
    let shown = screen(&state, 80, 16);
    assert!(
        shown.contains("cited worst finding") && shown.contains("The ferry 40 opens at nine."),
        "{shown}"
    );
}

#[test]
fn sources_that_have_no_room_in_the_matrix_are_gone_to() {
    let mut state = open("samples/gemini-long.json");
    press(&mut state, (60, 16), "X");
    assert!(screen(&state, 60, 16).contains("sources 1 to 9 of 12, ←→ the others"));
    press(&mut state, (60, 16), "Right");
    assert!(screen(&state, 60, 16).contains("sources 4 to 12 of 12"));
    press(&mut state, (60, 16), "Right Left");
    assert!(screen(&state, 60, 16).contains("sources 1 to 9 of 12"));
    press(&mut state, (120, 36), "Right");
    assert!(screen(&state, 120, 36).contains("all sources have a column"));
}

#[test]
fn responses_are_filtered_by_what_was_decided_of_them() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("log.jsonl");
    let lines: Vec<String> =
        ["Alpha is old.", "Beta is red."].map(|text| response(text, &[(text, 0)], 1).to_string()).into();
    std::fs::write(&file, lines.join("\n")).unwrap();
    let mark = "{\"id\":\"2.1:0-12\",\"label\":\"wrong\",\"claim\":\"Beta is red.\"}\n";
    std::fs::write(folder.path().join("log.jsonl.review.jsonl"), mark).unwrap();
    let mut state = of(Session::from_bytes(file.to_str().unwrap(), std::fs::read(&file).unwrap()));
    press(&mut state, (80, 24), "L / i s : w r o n g");
    let shown = screen(&state, 80, 24);
    assert!(
        shown.contains("1 of 2") && shown.contains("Beta is red.") && !shown.contains("Alpha"),
        "{shown}"
    );
    press(&mut state, (80, 24), "Esc / s i t e : a . b");
    let shown = screen(&state, 80, 24);
    assert!(shown.contains("“site” is no key of the filter, it is looked for as a word"), "{shown}");
}

#[test]
fn going_to_the_next_response_passes_over_questions() {
    let mut state = open("samples/agent-session.json");
    let mut seen = Vec::new();
    for keys in ["]", "]", "]", "]"] {
        press(&mut state, (80, 24), keys);
        seen.push(state.review().is_some_and(|review| review.response.is_question()));
    }
    assert_eq!(seen, [false; 4]);
    let shown = screen(&state, 80, 24);
    assert!(shown.contains("the last response"), "{shown}");
}

#[test]
fn the_sources_of_the_claim_are_counted_beside_all() {
    let value = response("Alpha is old. Beta is red.", &[("Alpha is old.", 0), ("Beta is red.", 1)], 3);
    let shown = screen(&opened(&value), 80, 24);
    assert!(shown.contains("2 Sources 1/3 ─"), "{shown}");
    let uncited = response("Alpha is old. Beta is very red today.", &[("Alpha is old.", 0)], 2);
    let mut state = opened(&uncited);
    press(&mut state, (120, 36), "Right");
    assert!(screen(&state, 120, 36).contains("this sentence: 0 of 2"), "{}", screen(&state, 120, 36));
}

#[test]
fn what_was_decided_before_is_seen_in_the_list_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("log.jsonl");
    let lines = ["Alpha is old.", "Beta is red."].map(|text| response(text, &[(text, 0)], 1).to_string());
    std::fs::write(&file, lines.join("\n")).unwrap();
    let mark = "{\"id\":\"1.1:0-13\",\"label\":\"wrong\",\"claim\":\"Alpha is old.\"}\n";
    std::fs::write(folder.path().join("log.jsonl.review.jsonl"), mark).unwrap();
    let mut state = of(Session::from_bytes(file.to_str().unwrap(), std::fs::read(&file).unwrap()));
    press(&mut state, (80, 24), "L");
    let shown = screen(&state, 80, 24);
    let row = shown.lines().find(|line| line.contains("Alpha is old.") && line.contains('%')).unwrap();
    assert!(row.contains("-1"), "{shown}");
}

#[test]
fn an_offset_that_cannot_be_repaired_says_why_for_each() {
    let mut state = open("samples/gemini-broken-offsets.json");
    press(&mut state, (80, 24), "F");
    let shown = screen(&state, 80, 24);
    assert!(shown.contains("nothing can be repaired with certainty"), "{shown}");
    for support in ["support 1", "support 3"] {
        assert!(shown.contains(support), "{shown}");
    }
    assert!(!shown.contains("write a copy"), "{shown}");
    press(&mut state, (80, 24), "Enter");
    assert_eq!((state.overlays.len(), state.wants.len()), (0, 0));
}

#[test]
fn a_shift_of_all_indices_is_the_headline_not_what_follows_from_it() {
    let sentences = [
        "The bridge opened in 1932 and is long.",
        "Ferries leave hourly from the pier.",
        "The museum holds 300 paintings.",
    ];
    let text = sentences.join(" ");
    let supports: Vec<(&str, usize)> =
        sentences.iter().enumerate().map(|(n, words)| (*words, n + 1)).collect();
    let mut value = response(&text, &supports, 3);
    let chunks: Vec<Value> =
        sentences.iter().map(|words| json!({"retrievedContext": {"title": "t", "text": words}})).collect();
    value["candidates"][0]["groundingMetadata"]["groundingChunks"] = json!(chunks);
    let shown = screen(&opened(&value), 100, 24);
    let headline = shown.lines().nth(1).unwrap();
    assert!(headline.starts_with(" ✗ the citations fit with every index moved by -1 ·"), "{shown}");
    assert!(!headline.contains("not there"), "{shown}");
}

#[test]
fn what_does_nothing_in_the_list_says_what_to_do_first() {
    let lines: String = (1..=3).map(|n| line(&format!("ferry {n}"), "a.example", true) + "\n").collect();
    let mut state = of(Session::from_bytes("f.jsonl", lines.into_bytes()));
    press(&mut state, (80, 24), "L +");
    assert!(screen(&state, 80, 24).contains("open a response first: Enter"));
    assert!(state.wants.is_empty(), "nothing is marked: {:?}", state.wants);
}

#[test]
fn a_number_leads_to_the_claim_and_to_the_support_where_they_differ() {
    // Two supports on one claim: claim 2 is support 3.
    let text = "Alpha is old. Beta is red.";
    let supports = [("Alpha is old.", 0), ("Alpha is old.", 1), ("Beta is red.", 0)];
    let mut state = opened(&response(text, &supports, 2));
    press(&mut state, (80, 24), ": 2");
    let shown = screen(&state, 80, 24);
    assert!(shown.contains("go to claim 2 of 2") && shown.contains("go to support 2 of 3"), "{shown}");
    press(&mut state, (80, 24), "Enter");
    assert_eq!(state.span, 1);
    press(&mut state, (80, 24), ": 2 Down Enter");
    assert_eq!(state.span, 0);
}

#[test]
fn a_row_of_two_states_shows_both_and_the_title_that_of_the_selection() {
    // An uncited sentence ends on the row of a claim at fault.
    let text = "Alpha is old. Beta is red. Then it rained all day.";
    let value = response(text, &[("Alpha is old.", 0), ("Beta is red.", 9)], 1);
    let shown = screen(&opened(&value), 80, 24);
    assert!(shown.contains("▌✗○  Alpha is old.[1] Beta is red.[10✗] Then it rained all day."), "{shown}");
    assert!(shown.contains("1 Answer  · claim 1 of 2"), "{shown}");
}

#[test]
fn a_source_is_as_weak_as_its_weakest_claim() {
    let mut state = open("samples/gemini-retrieval-scores.json");
    press(&mut state, (80, 24), "s");
    let shown = screen(&state, 80, 24);
    let row = shown.lines().find(|line| line.contains("[4] Visiting the museum")).unwrap();
    assert!(row.contains("confidence 0.41–0.94  wording 2–100 %  cited 2×"), "{shown}");
    press(&mut state, (80, 24), "W");
    let shown = screen(&state, 80, 24);
    let order: Vec<usize> = ["[2]", "[5]", "[4]", "[1]", "[3]"]
        .iter()
        .map(|number| shown.rfind(&format!("{number} ")).unwrap())
        .collect();
    assert!(order.is_sorted(), "{shown}");
}

#[test]
fn a_filter_that_nothing_passes_shows_no_response() {
    let lines: String = (1..=3).map(|n| line(&format!("ferry {n}"), "a.example", true) + "\n").collect();
    let mut state = of(Session::from_bytes("f.jsonl", lines.into_bytes()));
    for size in [(80, 24), (200, 60)] {
        press(&mut state, size, "L / r u l e : d r i f t");
        state.peek();
        let shown = screen(&state, size.0, size.1);
        assert!(shown.contains("no response passes the filter"), "{shown}");
        assert!(!shown.contains("ferry") && !shown.contains("cited ·"), "{shown}");
        press(&mut state, size, "Esc Esc");
    }
}

#[test]
fn a_file_of_marks_that_cannot_be_read_is_told_also_where_decisions_are_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("log.jsonl");
    let lines = ["Alpha is old.", "Beta is red."].map(|text| response(text, &[(text, 0)], 1).to_string());
    std::fs::write(&file, lines.join("\n")).unwrap();
    std::fs::write(folder.path().join("log.jsonl.review.jsonl"), "broken\n").unwrap();
    let mut state = of(Session::from_bytes(file.to_str().unwrap(), std::fs::read(&file).unwrap()));
    assert!(screen(&state, 120, 24).contains("this is no review mark"), "{}", screen(&state, 120, 24));
    state.notice = None;
    press(&mut state, (120, 24), "L / i s : w r o n g");
    assert!(screen(&state, 120, 24).contains("this is no review mark"), "{}", screen(&state, 120, 24));
}

#[test]
fn a_mark_of_other_words_is_none_of_these_and_a_note_takes_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.json");
    std::fs::write(&file, response("Beta is red.", &[("Beta is red.", 0)], 1).to_string()).unwrap();
    let mark = "{\"id\":\"1.1:0-12\",\"label\":\"unsure\",\"note\":\"old\",\"claim\":\"Other words.\"}\n";
    std::fs::write(folder.path().join("a.json.review.jsonl"), mark).unwrap();
    let name = file.to_str().unwrap();
    let mut state = of(Session::from_bytes(name, std::fs::read(&file).unwrap()));
    press(&mut state, (80, 24), "a n e w Enter");
    let marks: Vec<_> = state.marks[name].as_ref().unwrap().iter().cloned().collect();
    assert_eq!((marks.len(), marks[0].claim.as_str(), marks[0].note.as_str()), (1, "Beta is red.", "new"));
}

#[test]
fn an_answer_that_cites_nothing_is_not_said_to_be_compared() {
    let mut value = response("Beta is red and old.", &[("Beta is red and old.", 0)], 1);
    value["candidates"][0]["groundingMetadata"]["groundingSupports"][0]["groundingChunkIndices"] = json!([]);
    let shown = screen(&opened(&value), 80, 24);
    let headline = shown.lines().nth(1).unwrap();
    assert!(!headline.contains("compare"), "{shown}");
}

#[test]
fn questions_that_are_asked_for_are_gone_to() {
    let mut state = open("samples/agent-session.json");
    press(&mut state, (80, 24), "L / i s : q u e s t i o n Enter Enter");
    press(&mut state, (80, 24), "]");
    assert!(state.review().unwrap().response.is_question());
    assert!(screen(&state, 80, 24).contains("response 2 of 2, filtered"), "{}", screen(&state, 80, 24));
}

#[test]
fn a_response_put_together_of_several_lines_says_so_in_the_list() {
    let piece =
        |text: &str| json!({"responseId": "a", "candidates": [{"content": {"parts": [{"text": text}]}}]});
    let other = json!({"responseId": "b", "candidates": [{"content": {"parts": [{"text": "Alone."}]}}]});
    let lines = [piece("It is "), piece("old."), other].map(|line| line.to_string()).join("\n");
    let mut state = of(Session::from_bytes("f.jsonl", lines.into_bytes()));
    press(&mut state, (100, 24), "L");
    for record in 0..2 {
        let reviews = state.session.decode(record);
        state.learn(record, &reviews);
    }
    let shown = screen(&state, 100, 24);
    let row = |words: &str| {
        shown.lines().find(|line| line.contains(words) && line.contains('%')).unwrap().to_owned()
    };
    assert!(row("It is old.").contains("of 2 lines"), "{shown}");
    assert!(!row("Alone.").contains("lines"), "{shown}");
}

#[test]
fn claims_of_an_earlier_piece_of_a_turn_say_so() {
    let event = |text: &str, supports: Value| {
        json!({"content": {"role": "model", "parts": [{"text": text}]}, "partial": true, "author": "a",
            "invocationId": "i", "id": text, "timestamp": 1, "groundingMetadata": {
                "groundingChunks": [{"web": {"uri": "https://e.example/", "title": "e"}}], "groundingSupports": supports}})
        .to_string()
    };
    let segment = json!({"startIndex": 0, "endIndex": 9, "text": "One here."});
    let support = json!([{"segment": segment, "groundingChunkIndices": [0]}]);
    let lines = [event("One here. ", json!([])), event("Two there.", support)].join("\n");
    let mut state = of(Session::from_bytes("f", lines.into_bytes()));
    press(&mut state, (100, 24), "]");
    let shown = screen(&state, 100, 24);
    assert!(
        shown.contains("1 claim of an earlier piece of the turn") && shown.contains("One here."),
        "{shown}"
    );
}

/// Each row was made whenever a key was pressed: a list of a million numbers took 0.4 s a key and 380 MB.
#[test]
fn of_a_long_list_in_a_pane_the_first_rows_are_laid_out() {
    let pages: Vec<Value> = (0..3000)
        .map(|n| json!({"retrievedUrl": format!("https://a.example/{n}"), "urlRetrievalStatus": "URL_RETRIEVAL_STATUS_SUCCESS"}))
        .collect();
    let long = |what: &str, list: Value| {
        let mut candidate = json!({"content": {"parts": [{"text": "Hi."}]}, "finishReason": "STOP"});
        candidate[what] = list;
        opened(&json!({"candidates": [candidate]}))
    };
    let of_pane = |mut state: State, key: &str, pane: Pane| {
        press(&mut state, (120, 36), key);
        text_of(&layout(&state, 120, 36).pane(pane).unwrap().doc)
    };
    let numbers = of_pane(long("embedding", json!(vec![1; 5000])), "6", Pane::Response);
    assert!(numbers.contains("[999] 1\n") && !numbers.contains("[1000]"), "{numbers}");
    assert!(numbers.contains("… and 4000 more: r shows all in the raw JSON"), "{numbers}");
    let nested =
        of_pane(long("logprobsResult", json!({"chosen": vec![json!([[1, 2]]); 5000]})), "6", Pane::Response);
    assert!(
        nested.lines().count() < 1100 && nested.contains(" more: r shows all in the raw JSON"),
        "{nested}"
    );
    let fetched = of_pane(long("urlContextMetadata", json!({"urlMetadata": pages})), "6", Pane::Response);
    assert!(fetched.contains("https://a.example/999") && fetched.contains("… and 2000 more"), "{fetched}");
    let searched = of_pane(
        long("groundingMetadata", json!({"webSearchQueries": vec!["a"; 10_003]})),
        "3",
        Pane::Queries,
    );
    assert!(searched.contains("… and 3 more: r shows all in the raw JSON"), "{searched}");
}

/// Each of very many citations that lead nowhere was told by itself, and each asked all others for its sign.
#[test]
fn what_many_claims_cite_in_vain_is_told_once() {
    let mut value = response("The light was lit.", &[("The light", 5); 200], 1);
    value["candidates"][0]["groundingMetadata"]["groundingSupports"][7]["groundingChunkIndices"] = json!([6]);
    let doc = layout(&opened(&value), 120, 36).pane(Pane::Sources).unwrap().doc.clone();
    let shown = text_of(&doc);
    let told = |index: usize| shown.matches(&format!("cites index {index}, which would be source")).count();
    assert_eq!([told(5), told(6)], [1, 1], "{shown}");
}

/// The tree of Markdown of 0.9 MB of lines took 100 MB.
#[test]
fn an_answer_of_very_many_signs_is_drawn_as_it_was_sent() {
    let drawn = |text: String| screen(&opened(&response(&text, &[], 0)), 80, 24);
    assert!(drawn("**a**\n".repeat(40_000)).contains("**a**"));
    let short = drawn("**a**\n".repeat(400));
    assert!(!short.contains("**a**") && short.contains(" a "), "{short}");
}
