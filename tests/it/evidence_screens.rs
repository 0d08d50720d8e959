//! What a person sees of the comparison of claims with chunks.

use std::sync::Arc;

use crate::common::screen::{looks, open, press, screen};
use citescope::session::{Session, SourceTexts, Supplied, TextFor};
use citescope::tui::state::State;
use serde_json::json;

const MIDDLE: (u16, u16) = (80, 24);

/// The lines of a screen that hold `words`, without the frame.
fn lines_with(state: &State, (width, height): (u16, u16), words: &str) -> Vec<String> {
    let screen = screen(state, width, height);
    screen
        .lines()
        .filter(|line| line.contains(words))
        .map(|line| line.trim_matches(['│', ' ', '┃']).to_owned())
        .collect()
}

#[test]
fn text_that_was_given_is_compared_and_says_where_it_came_from() {
    let mut texts = SourceTexts::default();
    texts.add(
        TextFor::Record { record: 0, item: None, index: 0 },
        "Veldhaven: cloudy, 14 °C (57 °F). Showers are expected after 17:00.".to_owned(),
    );
    let supplied = Supplied { source_texts: Some(Arc::new(texts)), ..Supplied::default() };
    let mut state =
        State::new(Arc::new(Session::open_file("samples/gemini-search.json".as_ref()).with(supplied)));
    state.notice = None;
    let shown = screen(&state, 80, 24);
    assert!(shown.contains("! the number 16 is in none of the cited chunks"), "{shown}");
    assert!(shown.contains("text that you gave"), "{shown}");
    assert!(shown.contains("Showers are expected after 17:00."), "{shown}");
    // The others have no text still.
    press(&mut state, MIDDLE, "Right Right");
    assert_eq!(lines_with(&state, MIDDLE, "unchecked"), ["unchecked: no chunk text"]);
}

const WIDE: (u16, u16) = (120, 36);

/// A state on a response with one span over one retrieved passage.
fn one_span(answer: &str, passage: &str) -> State {
    let response = json!({"candidates": [{"content": {"parts": [{"text": answer}]}, "groundingMetadata": {
        "groundingChunks": [{"retrievedContext": {"uri": "https://a.example/", "title": "Notes", "text": passage}}],
        "groundingSupports": [{"segment": {"endIndex": answer.len(), "text": answer}, "groundingChunkIndices": [0]}],
    }}]});
    State::new(Arc::new(Session::from_bytes("f", response.to_string().into_bytes())))
}

/// The looks of the cells in which `words` stand on the screen.
fn looks_of(state: &State, (width, height): (u16, u16), words: &str) -> String {
    let (screen, looks) = (screen(state, width, height), looks(state, width, height));
    let (line, looks) =
        screen.lines().zip(looks.lines()).filter(|(line, _)| line.contains(words)).last().unwrap();
    let start = line.split_once(words).unwrap().0.chars().count();
    let padded = looks.chars().chain(std::iter::repeat('.'));
    padded.skip(start).take(words.chars().count()).collect()
}

#[test]
fn the_best_window_stands_out_and_further_ones_are_lighter() {
    let passage = "Marlow opened its pier in 1932. It rained. The sea was calm. Nobody came. A band of three \
        engineers rebuilt it.";
    let mut state =
        one_span("The pier of Marlow opened in 1932 and three engineers rebuilt the pier.", passage);
    press(&mut state, WIDE, "2 z");
    assert_eq!(
        looks_of(&state, (200, 60), "Marlow opened its pier in 1932. It rained."),
        "uuuuuuBuuuuuuBBBBBuuuuBBBBuuuuB..........."
    );
    // The words of the claim are underlined in both.
    assert_eq!(looks_of(&state, (200, 60), "three engineers rebuilt"), "mmmmm.mmmmmmmmm.mmmmmmm");
    assert_eq!(looks_of(&state, (200, 60), "Nobody came."), "............");
}

#[test]
fn a_window_without_any_word_of_the_claim_is_not_marked() {
    let state = one_span("The pier of Marlow opened in 1932.", "It rained. Nobody came.");
    assert_eq!(looks_of(&state, WIDE, "It rained. Nobody came."), ".......................");
}

#[test]
fn of_a_claim_in_another_language_only_the_numbers_are_told() {
    let mut state = open("samples/gemini-other-language.json");
    let words = |state: &State| {
        lines_with(state, MIDDLE, "unchecked")[0].rsplit('│').next().unwrap().trim().to_owned()
    };
    assert_eq!(words(&state), "unchecked: different language: only numbers and names compared");
    assert_eq!(lines_with(&state, WIDE, "in this source").len(), 0);
    press(&mut state, WIDE, "Right Right");
    assert_eq!(words(&state), "unchecked: different language: only numbers and names compared");
    assert!(lines_with(&state, WIDE, "numbers not in the cited chunks: 1962").len() == 1);
    assert_eq!(looks_of(&state, (90, 24), "Seit 1962"), "RRRRRNNNN");
    // The passage that is German is compared as ever.
    press(&mut state, WIDE, "Left");
    assert_eq!(lines_with(&state, WIDE, "wording found: 83 %").len(), 1);
}

#[test]
fn a_thai_claim_is_found_in_its_passage_also_a_time_in_thai_digits() {
    let mut state = open("samples/gemini-thai.json");
    assert_eq!(lines_with(&state, MIDDLE, "wording found: 93 %").len(), 1);
    press(&mut state, MIDDLE, "Right Right");
    assert_eq!(lines_with(&state, MIDDLE, "wording partly found: 76 %").len(), 1);
    assert_eq!(lines_with(&state, MIDDLE, "in none of the cited chunks").len(), 0);
}

#[test]
fn another_chunk_that_holds_more_is_shown_beside_the_cited_one() {
    let mut state = open("samples/gemini-retrieval-scores.json");
    press(&mut state, WIDE, "Right Right");
    assert_eq!(
        lines_with(&state, MIDDLE, "(b shows both)"),
        ["! source [3] holds more of its words: 100 % against 2 % (b shows both)"]
    );
    press(&mut state, WIDE, "b");
    let lines = lines_with(&state, WIDE, "[3] The fog signal");
    assert!(lines[0].starts_with("[4] Visiting the museum "), "{lines:?}");
    press(&mut state, WIDE, "Esc");
    // All of it can be hidden.
    press(&mut state, WIDE, "x");
    assert_eq!(
        lines_with(&state, WIDE, "holds more of this claim").len()
            + lines_with(&state, WIDE, "in this source").len(),
        0
    );
}

#[test]
fn a_review_is_evidence_and_its_window_is_marked_too() {
    let state = open("samples/gemini-maps.json");
    assert_eq!(looks_of(&state, WIDE, "The cardamom buns are the best"), "BBBBuuuuuuuuBuuuuBBBBBBBBBBBBB");
}

/// The rows of the list of sources.
fn listed(state: &State, size: (u16, u16)) -> Vec<String> {
    let screen = screen(state, size.0, size.1);
    let rows = screen.lines().skip_while(|line| !line.contains("All sources")).skip(1);
    let inside = rows.take_while(|line| !line.contains('╰')).filter_map(|line| line.split_once('│'));
    inside.map(|(_, row)| row.trim_end_matches(['│', ' ']).to_owned()).collect()
}

#[test]
fn sources_are_listed_with_the_weakest_first_and_their_names_before_their_figures() {
    let mut state = open("samples/discovery-answer.json");
    press(&mut state, MIDDLE, "s");
    assert_eq!(
        listed(&state, MIDDLE),
        [
            "▌ [1] Leave policy 2026  document                     wording 100 %  cited 6×",
            "  [2] Leave policy 2026  document                     wording  99 %  cited 2×",
            "  [3] Who approves what  document                     wording  88 %  cited 2×",
        ]
    );
    press(&mut state, MIDDLE, "W");
    assert_eq!(
        listed(&state, (54, 24)),
        [
            "▌ [3] Who approves what     wording  88 %  cited 2×",
            "  [2] Leave policy 2026     wording  99 %  cited 2×",
            "  [1] Leave policy 2026     wording 100 %  cited 6×",
        ]
    );
    assert_eq!(
        listed(&state, (40, 24))[..2],
        ["▌ [3] Who approves what", "▌             wording  88 %  cited 2×"]
    );
    // What the cursor stands on is what is opened.
    press(&mut state, MIDDLE, "Enter");
    assert!(screen(&state, 80, 24).contains("─ Source [3]"), "{}", screen(&state, 80, 24));
    let mut unknown = open("samples/gemini-search.json");
    press(&mut unknown, MIDDLE, "s W");
    assert!(screen(&unknown, 80, 24).contains("no source has a score, and no text to compare with"));
}

/// Sixty thousand of one range took 209 MB and two seconds.
#[test]
fn of_very_many_supports_of_one_span_the_first_ones_are_shown() {
    let answer = "Marlow opened its pier in 1932.";
    let support = json!({"segment": {"endIndex": answer.len(), "text": answer},
        "groundingChunkIndices": [0], "confidenceScores": [0.9]});
    let response = json!({"candidates": [{"content": {"parts": [{"text": answer}]}, "groundingMetadata": {
        "groundingChunks": [{"retrievedContext": {"uri": "https://a.example/", "title": "Notes", "text": answer}}],
        "groundingSupports": vec![support; 100],
    }}]});
    let session = Session::from_bytes("f", response.to_string().into_bytes());
    let mut state = State::new(Arc::new(session));
    press(&mut state, (120, 100), "2 z");
    assert_eq!(
        lines_with(&state, (120, 100), "upport")[1..]
            .iter()
            .map(String::as_str)
            .rev()
            .take(3)
            .collect::<Vec<_>>(),
        [
            "… and 84 more supports of the same words",
            "support 16 (groundingSupport)",
            "support 15 (groundingSupport)"
        ]
    );
    assert!(screen(&state, 120, 100).contains("wording ▇▇▇▇▇▇▇▇ 100 %   confidence ▇▇▇▇▇▇▇▁ 0.90"));
}

/// A document of which a claim names one passage and another one holds its words.
#[test]
fn which_passage_a_claim_names_is_shown_with_what_that_holds() {
    let (keepers, lamp) =
        ("Two keepers lived on the rock.", "The lamp was converted to electric power in 1961.");
    let block = |text: &str, quote: &str| {
        json!({"type": "text", "text": text, "citations": [{"type": "char_location", "document_index": 0,
            "document_title": "Rock", "start_char_index": 0, "end_char_index": 9, "cited_text": quote}]})
    };
    let message = json!({"type": "message", "id": "m", "role": "assistant", "stop_reason": "end_turn",
        "content": [block(keepers, lamp), block(lamp, keepers)]});
    let state = State::new(Arc::new(Session::from_bytes("f", message.to_string().into_bytes())));
    let shown = screen(&state, 80, 24);
    for words in [
        "all 2 claims fit another passage",
        "another passage of source [1] holds more of its words: 100 % against 24 %",
        "wording ▇▇▁▁▁▁▁▁ 24 %",
        "chunk 1 of 2 · cited here · cited text",
        "chunk 2 of 2 · cited text",
    ] {
        assert!(shown.contains(words), "{words}\n{shown}");
    }
}
