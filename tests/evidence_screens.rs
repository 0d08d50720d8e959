//! What a person sees of the comparison of claims with chunks.

mod common;

use std::sync::Arc;

use citescope::pipeline::{Collection, SourceTexts, Target};
use citescope::tui::state::State;
use common::{press, screen};

const MIDDLE: (u16, u16) = (80, 24);

/// The lines of a screen that hold `words`, without the frame.
fn lines_with(state: &State, (width, height): (u16, u16), words: &str) -> Vec<String> {
    let screen = screen(state, width, height);
    screen.lines().filter(|line| line.contains(words)).map(|line| line.trim_matches(['│', ' ', '┃']).to_owned()).collect()
}

#[test]
fn text_that_was_given_is_compared_and_says_where_it_came_from() {
    let mut texts = SourceTexts::default();
    texts.add(
        Target::Place { record: 0, item: None, index: 0 },
        "Veldhaven: cloudy, 14 °C (57 °F). Showers are expected after 17:00.".to_owned(),
    );
    let mut collection = Collection::open_file("samples/gemini-search.json".as_ref());
    collection.source_texts = Some(Arc::new(texts));
    let mut state = State::new(Arc::new(collection));
    state.notice = None;
    let shown = screen(&state, 80, 24);
    assert!(shown.contains("! the number 16 is in none of the cited chunks"), "{shown}");
    assert!(shown.contains("text given with --source-text"), "{shown}");
    assert!(shown.contains("Showers are expected after 17:00."), "{shown}");
    // The others have no text still.
    press(&mut state, MIDDLE, "Right Right");
    assert_eq!(lines_with(&state, MIDDLE, "not compared"), ["not compared: no chunk text"]);
}
