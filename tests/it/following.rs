//! The screen keeps what matters in view, and says what it acts on.

use std::sync::Arc;

use citescope::session::{Session, Supplied};
use citescope::store::Input;
use citescope::tui::state::{Overlay, State, Want};
use serde_json::json;

use crate::common::library::open;
use crate::common::screen::{self, press, screen};

const MIDDLE: (u16, u16) = (80, 24);
const WIDE: (u16, u16) = (120, 36);

fn state(text: &str) -> State {
    State::new(Arc::new(open("f", text)))
}

/// A Bigdata run of forty searches, of which the last one found what is cited.
fn searches() -> String {
    let audit = |n: usize| {
        json!({"tool_id": format!("t{n}"), "title": format!("Step number {n}"), "query": {"text": format!("query number {n}")},
        "results": [{"type": "CQS", "values": [{"id": format!("D{n}"), "hd": format!("Headline {n}")}]}]})
    };
    let messages = [
        json!({"type": "AUDIT", "audit_traces": (1..=40).map(audit).collect::<Vec<_>>()}),
        json!({"type": "ANSWER", "content": "It grew by nine ."}),
        json!({"type": "GROUNDING", "references": [{"start": 0, "end": 16, "audit_id": "t37", "source": {"id": "D37", "hd": "Headline 37"}}]}),
        json!({"type": "COMPLETE"}),
    ];
    messages
        .iter()
        .map(|message| format!("data: {}\n\n", json!({"chat_id": "c", "message": message})))
        .collect()
}

#[test]
fn the_search_and_the_step_that_matter_are_in_view_as_it_opens() {
    let mut state = state(&searches());
    let wide = screen(&state, 120, 36);
    assert!(wide.contains("▸ 37 ✓ Step number 37"), "{wide}");
    press(&mut state, WIDE, "3");
    let wide = screen(&state, 120, 36);
    assert!(wide.contains("▸ query number 37"), "{wide}");
    // Also where the pane appears later, and at another size.
    press(&mut state, MIDDLE, "4");
    let narrow = screen(&state, 80, 24);
    assert!(narrow.contains("▸ 37 ✓ Step number 37"), "{narrow}");
}

#[test]
fn a_colon_counts_supports_as_findings_do() {
    let segment = |start: usize, end: usize| json!({"segment": {"startIndex": start, "endIndex": end}, "groundingChunkIndices": [0]});
    let text = json!({"candidates": [{"content": {"parts": [{"text": "One. Two."}]}, "finishReason": "STOP", "groundingMetadata": {
        "groundingChunks": [{"web": {"uri": "https://a.example", "title": "a"}}],
        "groundingSupports": [segment(0, 4), segment(0, 4), segment(5, 9)]}}]});
    let mut state = state(&text.to_string());
    press(&mut state, WIDE, ": 3 Enter");
    assert_eq!((state.span, state.selected()), (1, &[2][..]));
    press(&mut state, WIDE, ": 9 Enter");
    assert_eq!(state.notice.unwrap().text, "there are supports 1 to 3");
}

#[test]
fn what_is_scrolled_out_of_view_is_not_what_is_copied() {
    let mut state = crate::common::screen::open("samples/gemini-long.json");
    let first = state.span;
    press(&mut state, MIDDLE, "PageDown PageDown");
    assert!(state.span > first);
    let shown = screen(&state, 80, 24);
    let words: String = state.selected_supports().next().unwrap().words().unwrap().chars().take(12).collect();
    assert!(shown.contains(words.trim()), "{words}: {shown}");
}

#[test]
fn the_list_acts_on_the_row_at_its_cursor() {
    let mut state = crate::common::screen::open("samples/gemini-batch.jsonl");
    press(&mut state, WIDE, "L Down Down y");
    assert_eq!(state.row, 2);
    assert_eq!(state.overlay(), Some(&Overlay::Copy));
    press(&mut state, WIDE, "a");
    let Some(Want::Copy(text, _)) = state.wants.last() else { panic!("{:?}", state.notice) };
    let answer = state.review().unwrap().text();
    assert!(text.starts_with(answer.split_whitespace().next().unwrap()), "{text}");
}

#[test]
fn inputs_that_could_not_be_read_are_listed() {
    let text = json!({"candidates": [{"content": {"parts": [{"text": "One."}]}, "finishReason": "STOP"}]});
    let inputs = ["good.json", "bad.json"].map(|name| {
        let bytes = if name == "good.json" { text.to_string() } else { String::new() };
        Input::from_bytes(name, bytes.into_bytes())
    });
    let mut state = State::new(Arc::new(Session::new(inputs, Supplied::default())));
    press(&mut state, WIDE, "L");
    let list = screen(&state, 120, 36);
    assert!(list.contains("✗ bad.json: ") && list.contains("not read"), "{list}");
}

#[test]
fn a_stream_that_was_cut_off_says_so_in_the_headline() {
    let frame = json!({"candidates": [{"content": {"parts": [{"text": "Rio opens "}]}, "groundingMetadata": {"webSearchQueries": ["x"]}}], "responseId": "r"});
    let more = json!({"candidates": [{"content": {"parts": [{"text": "at nine."}]}}], "responseId": "r"});
    let shown = screen(&state(&format!("data: {frame}\n\ndata: {more}\n\n")), 120, 36);
    assert!(shown.contains("✗ the stream ends without a finishReason: the rest is missing"), "{shown}");
}

#[test]
fn a_long_name_in_the_overview_of_sources_says_that_it_goes_on() {
    let web = |title: &str| json!({"web": {"uri": format!("https://{title}/"), "title": title}});
    let answer = json!({"candidates": [{"content": {"parts": [{"text": "Rio opens at nine."}]}, "finishReason": "STOP",
        "groundingMetadata": {"groundingChunks": [web("marram-line.example.org"), web("accounts.bank.example.attacker.example"), web("c.example")],
            "groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."}, "groundingChunkIndices": [0, 1, 2]}]}}]});
    let mut state = state(&answer.to_string());
    press(&mut state, WIDE, "2 z");
    let shown = screen(&state, 200, 60);
    assert!(shown.contains("[1] marram-line.example.org · [2] accounts.bank.example.a…"), "{shown}");
}

#[test]
fn raw_json_is_the_whole_frame_with_the_cursor_at_the_selection() {
    for file in ["samples/gemini-batch.jsonl", "samples/gemini-retrieval-scores.json"] {
        let mut state = screen::open(file);
        press(&mut state, (120, 36), "Right r");
        let shown = screen(&state, 120, 36);
        assert!(shown.contains("groundingSupports[1] ─╮"), "{shown}");
        let at: Vec<&str> = shown.lines().filter(|line| line.contains("│▌")).collect();
        assert!(
            matches!(at[..], [line] if line.contains("│▌") && line.trim_end_matches([' ', '│']).ends_with('{')),
            "{shown}"
        );
        // It is in the frame: what stands before it is there, too, and is gone to.
        press(&mut state, (120, 36), "Home");
        let top = screen(&state, 120, 36);
        assert!(top.contains("\"candidates\": [") || top.contains("\"request\""), "{top}");
    }
}

#[test]
fn steps_say_how_long_they_took_and_a_call_stands_with_what_came_of_it() {
    let mut state = screen::open("samples/agent-session.json");
    press(&mut state, (120, 36), "Esc ] ] 4");
    let shown = screen(&state, 120, 36);
    assert!(
        shown.contains("1 result · 0.7 s")
            && shown.contains("event by travel_agent                 07:20:12"),
        "{shown}"
    );
    press(&mut state, (120, 36), "Down Enter");
    let shown = screen(&state, 120, 36);
    assert!(shown.contains("began 2026-04-18T07:20:12.018530Z") && shown.contains("took 0.7 s"), "{shown}");
    let mut state = screen::open("samples/bigdata-research.sse");
    press(&mut state, (200, 60), "4");
    let shown = screen(&state, 200, 60);
    // A call stands in the row of what came of it.
    for line in ["▸  4 ✓ Search", " 9 ✓ Market Tearsheet", "no times in this format"] {
        assert!(shown.contains(line), "{line}: {shown}");
    }
    assert!(!shown.contains("call of "), "{shown}");
    press(&mut state, (200, 60), "Enter");
    let shown = screen(&state, 200, 60);
    assert!(shown.contains("called in step 2, search"), "{shown}");
}
