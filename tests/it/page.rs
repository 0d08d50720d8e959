//! The answer as it is drawn: Markdown as Markdown, our numbers behind the claims, and every byte where it
//! can be found again.

use citescope::tui::page::{Numbers, Of, Page};
use proptest::prelude::*;

use crate::common::screen::{click, open, press, screen};

/// The rows of a Markdown text, without numbers.
fn rows(text: &str, width: usize) -> Vec<String> {
    let page = Page::laid(text, true, Numbers::default(), width);
    let row =
        |index| page.drawn(text, index).iter().map(|drawn| drawn.cell.text.as_ref()).collect::<String>();
    (0..page.len()).map(row).collect()
}

#[test]
fn markdown_is_drawn_without_its_marks() {
    assert_eq!(
        rows("# Title\n\nSome *slanted*, **heavy** and `coded` words.\n\n---\nEnd &amp; out", 40),
        ["Title", "", "Some slanted, heavy and coded words.", "", "────────────────────────", "End & out"]
    );
}

#[test]
fn lists_hang_and_quotes_and_code_stand_apart() {
    assert_eq!(
        rows(
            "1. one two three four\n   * nested words here\n2. two\n\n> quoted words go on\n\n```rust\nlet a = 1;\n  b\n```",
            16
        ),
        [
            "1. one two three",
            "   four",
            "   • nested",
            "     words here",
            "2. two",
            "",
            "│ quoted words",
            "│ go on",
            "",
            "  rust",
            "  let a = 1;",
            "    b"
        ]
    );
}

#[test]
fn tables_stand_in_columns_where_they_fit_and_in_lines_where_they_do_not() {
    let table = "| hall | seats |\n|---|--:|\n| Long Room | 40 |\n| Loft | 8 |";
    assert_eq!(
        rows(table, 40),
        ["hall      │ seats", "──────────┼──────", "Long Room │    40", "Loft      │     8"]
    );
    assert_eq!(rows(table, 12), ["hall · seats", "▪ Long Room", "  seats: 40", "▪ Loft", "  seats: 8"]);
}

#[test]
fn a_link_says_where_it_leads_unless_its_words_do() {
    assert_eq!(
        rows("See [the log](https://www.a.example/x) and <https://b.example/>.", 80),
        ["See the log (a.example) and https://b.example/."]
    );
}

/// A screen on an answer whose words rest on the first source, as many claims as there are words.
fn cited(answer: &str, claims: &[&str]) -> citescope::tui::state::State {
    let supports: Vec<serde_json::Value> = claims
        .iter()
        .enumerate()
        .map(|(number, words)| {
            let start = answer.find(words).unwrap();
            serde_json::json!({"segment": {"startIndex": start, "endIndex": start + words.len(), "text": words},
                "groundingChunkIndices": [number]})
        })
        .collect();
    let chunks: Vec<serde_json::Value> = (0..claims.len())
        .map(|number| serde_json::json!({"web": {"uri": format!("https://{number}.example/"), "title": "t"}}))
        .collect();
    let text = serde_json::json!({"candidates": [{"content": {"parts": [{"text": answer}]}, "finishReason": "STOP",
        "groundingMetadata": {"groundingChunks": chunks, "groundingSupports": supports}}]});
    let session = citescope::session::Session::from_bytes("f", text.to_string().into_bytes());
    citescope::tui::state::State::new(std::sync::Arc::new(session))
}

/// The rows of the answer on the screen.
fn drawn(state: &citescope::tui::state::State) -> Vec<String> {
    let shown = screen(state, 200, 60);
    let rows = shown.lines().skip(5).take(48).map(|line| line.split('│').next().unwrap_or_default());
    let rows = rows.map(|row| row.chars().skip(5).collect::<String>().trim_end().to_owned());
    rows.take_while(|row| !row.contains("claim  ")).filter(|row| !row.is_empty()).take(9).collect()
}

#[test]
fn numbers_stand_behind_their_words_whatever_markdown_makes_of_them() {
    let code = "Before `alpha beta\ngamma delta` after words here.";
    assert_eq!(drawn(&cited(code, &["gamma"])), ["Before alpha beta gamma[1] delta after words here."]);
    let fence = "```python title\nprint(1)\n```";
    assert_eq!(drawn(&cited(fence, &["python title", "print(1)"])), ["  python title[1]", "  print(1)[2]"]);
    let link = "[Gemini](https://e.example/a) is **bold** here.";
    assert_eq!(drawn(&cited(link, &["Gemini", "bold"])), ["Gemini[1] (e.example) is bold[2] here."]);
    let row = "| one | two |\n|---|---|\n| a | b | lost cell |\n| three | c |";
    let shown = screen(&cited(row, &["lost cell"]), 200, 60);
    assert!(shown.contains("a     │ b   │ lost cell[1]"), "{shown}");
}

#[test]
fn a_number_stands_once_at_a_place_and_behind_a_whole_emoji() {
    let family = "fam 👨\u{200d}👩\u{200d}👧 ok it is";
    let mut state = cited(family, &["fam 👨"]);
    let shown = drawn(&state);
    assert!(shown[0].contains("👧[1] ok"), "{shown:?}");
    press(&mut state, (200, 60), "M");
    assert!(drawn(&state)[0].contains("👧 ok"));
}

#[test]
fn the_kind_of_a_note_is_drawn() {
    assert_eq!(rows("> [!NOTE]\n> Alert words here.", 40), ["│ NOTE", "│ Alert words here."]);
}

#[test]
fn the_name_of_a_column_is_repeated_without_its_numbers_and_not_for_ever() {
    let long = "N".repeat(100);
    let table = format!("| a | {long} |\n|---|---|\n| b | c |");
    let rows = rows(&table, 40);
    assert_eq!(rows.last().unwrap(), &format!("  {}…: c", "N".repeat(23)));
}

#[test]
fn deep_quotes_and_lists_leave_room_for_their_words() {
    let deep = format!("{}words", "> ".repeat(2000));
    let rows = rows(&deep, 40);
    assert!(rows.last().unwrap().ends_with("words") && rows.len() < 4, "{rows:?}");
}

#[test]
fn the_provider_s_marks_give_way_to_our_numbers() {
    let shown = screen(&open("samples/bigdata-research.sse"), 120, 36);
    assert!(shown.contains("earlier[1]. The Moss plant has run at"), "{shown}");
    let shown = screen(&open("samples/openai-responses.json"), 120, 36);
    assert!(
        shown.contains("• Its tower is 41 metres high.[1]\n") || shown.contains("41 metres high.[1] "),
        "{shown}"
    );
    // As sent, they are there, and ours are not.
    let mut state = open("samples/bigdata-chat.json");
    press(&mut state, (120, 36), "M");
    let shown = screen(&state, 120, 36);
    assert!(shown.contains(":ref["), "{shown}");
}

#[test]
fn a_claim_says_which_source_fits_it_better_and_which_number_is_none() {
    let shown = screen(&open("samples/gemini-retrieval-scores.json"), 120, 36);
    assert!(shown.contains("9 kilometres away.[4→3?]"), "{shown}");
    let shown = screen(&open("samples/gemini-dangling.json"), 120, 36);
    assert!(shown.contains("✗]"), "{shown}");
}

#[test]
fn the_rail_has_a_sign_a_claim_and_sentences_without_a_source_are_stops() {
    let mut state = open("samples/gemini-search.json");
    let rail = |shown: &str| -> String {
        shown.lines().skip(5).take(6).filter_map(|line| line.chars().nth(1)).collect()
    };
    assert_eq!(rail(&screen(&state, 120, 36)), " ···○·");
    press(&mut state, (120, 36), "Right Right Right");
    let shown = screen(&state, 120, 36);
    assert!(
        shown.contains("sentence 1 of 1 without a source") && shown.contains("this sentence cites nothing"),
        "{shown}"
    );
    assert!(state.selected().is_empty());
    press(&mut state, (120, 36), "Right");
    assert!(screen(&state, 120, 36).contains("claim 4 of 4"));
    press(&mut state, (120, 36), "Left Left");
    assert!(screen(&state, 120, 36).contains("claim 3 of 4"));
    press(&mut state, (120, 36), "f u");
    assert_eq!(state.sentence, Some(0));
}

#[test]
fn a_click_on_a_number_leads_to_its_source() {
    let mut state = open("samples/gemini-retrieval-scores.json");
    let shown = screen(&state, 120, 36);
    let (line, column) = shown
        .lines()
        .enumerate()
        .find_map(|(line, text)| Some((line, text.find("[2][1]").map(|at| text[..at].chars().count())?)))
        .unwrap();
    click(&mut state, (120, 36), column as u16 + 4, line as u16);
    assert_eq!((state.span, state.source()), (1, Some(0)));
}

#[test]
fn the_selection_stays_in_view_whatever_the_size() {
    let mut state = open("samples/gemini-long.json");
    press(&mut state, (120, 36), "End Left");
    let words = "claim 45 of 45";
    for (width, height) in [(120, 36), (60, 16), (200, 60), (80, 24), (40, 10)] {
        let shown = screen(&state, width, height);
        assert!(shown.contains(&words[..8]) && shown.lines().any(|line| line.starts_with('▌')), "{shown}");
    }
}

proptest! {
    /// Each bit of text is the answer's own at the bytes that it names; rows come in its order and fit.
    #[test]
    fn bits_are_the_bytes_they_name(text in "([a-c *_#>`|\\[\\](){}é漢\n-]|\n\n|[0-9]\\. |- |\\| a \\| b \\||&amp;){0,60}", width in 8_usize..60) {
        let page = Page::laid(&text, true, Numbers::default(), width);
        let mut last = 0;
        for index in 0..page.len() {
            let row = page.row(index).unwrap();
            prop_assert!(row.start >= last && row.start <= row.end && row.end <= text.len(), "{row:?}");
            last = row.start;
            let mut cells = 0;
            for bit in page.bits(&text, index) {
                if let Of::Text(byte) = bit.of {
                    prop_assert_eq!(text.get(byte..byte + bit.text.len()), Some(bit.text));
                }
            }
            for drawn in page.drawn(&text, index) {
                cells = drawn.column + drawn.cell.width;
            }
            prop_assert!(cells <= width, "{cells} of {width}");
        }
        for (byte, _) in text.char_indices() {
            prop_assert!(page.row_of(byte) < page.len());
        }
    }
}

#[test]
fn claims_without_a_place_stand_below_the_answer_and_are_clicked() {
    let mut state = open("samples/gemini-broken-offsets.json");
    let shown = screen(&state, 120, 36);
    let lines: Vec<&str> = shown.lines().collect();
    let title = lines.iter().position(|line| line.contains("1 claim without a place in the answer")).unwrap();
    assert!(lines[title - 2].contains("winning goal in the 118th minute.[2!][3!]"), "{shown}");
    assert!(
        lines[title + 1].starts_with(" ✗  The final was played before 9,400 spectators.          [2!]"),
        "{shown}"
    );
    click(&mut state, (120, 36), 10, title as u16 + 1);
    assert_eq!(state.span, 3);
    let shown = screen(&state, 120, 36);
    assert!(shown.lines().nth(title + 1).unwrap().starts_with("▌✗  The final"), "{shown}");
    // Where there is little room the selected one alone.
    assert!(!screen(&open("samples/gemini-broken-offsets.json"), 60, 16).contains("The final"));
    assert!(screen(&state, 60, 16).contains("▌✗  The final was played before 9,400 spectators.      [2!]"));
}

#[test]
fn a_mark_of_the_text_keeps_its_number_and_is_gone_to() {
    for (file, mark, claim) in [
        ("samples/text-markers.md", "[5✗]", "claim 4 of 4"),
        ("samples/perplexity.json", "[7✗]", "claim 4 of 4"),
        ("samples/azure-oyd.json", "[4✗]", "claim 3 of 3"),
    ] {
        let mut state = open(file);
        let shown = screen(&state, 120, 36);
        assert!(shown.contains(mark) && shown.contains("1 claim cites what is not there"), "{shown}");
        assert!(shown.contains("e next fault") && shown.contains("e fault"), "{shown}");
        press(&mut state, (120, 36), "e");
        let shown = screen(&state, 120, 36);
        assert!(shown.contains(claim), "{claim}: {shown}");
        // It is told once: not as a sentence without a source, too.
        assert!(
            !shown.contains("names no source ·") && !shown.contains("1 sentence cites nothing"),
            "{shown}"
        );
    }
}

#[test]
fn a_number_that_no_cited_chunk_has_is_told_of_a_claim_too_short_to_compare() {
    let mut state = open("samples/cohere.json");
    press(&mut state, (120, 36), "e");
    let shown = screen(&state, 120, 36);
    assert!(
        shown.contains("claim 2 of 3") && shown.contains("numbers not in the cited chunks: 1937"),
        "{shown}"
    );
}
