//! What a person sees: every sample at four sizes, and what keys and clicks do.

use crate::common::screen::{click, looks, open, press, screen};
use citescope::format::FORMATS;
use citescope::tui::state::{Overlay, Pane, State, Want};

const MIDDLE: (u16, u16) = (80, 24);
const WIDE: (u16, u16) = (120, 36);

/// Compares with `snapshots/FOLDER/NAME.snap`. `INSTA_UPDATE=always cargo test screens` renews them.
#[track_caller]
fn assert_screen(folder: &str, name: &str, shown: &str) {
    insta::with_settings!({omit_expression => true, prepend_module_to_snapshot => false, snapshot_path => format!("snapshots/{folder}")}, {
        insta::assert_snapshot!(name, shown);
    });
}

/// A sample as it opens; a session begins with a question, its first answer is shown.
fn sample(file: &str) -> State {
    let mut state = open(&format!("samples/{file}"));
    while state.review().is_some_and(|review| review.spans.is_empty()) && state.row + 1 < state.table.len() {
        press(&mut state, MIDDLE, "]");
    }
    state.notice = None;
    state
}

/// A sample at four sizes, and its looks at one.
#[track_caller]
fn assert_sizes(file: &str) {
    let state = sample(file);
    for (width, height) in [(60, 16), MIDDLE, WIDE, (200, 60)] {
        assert_screen(file, &format!("{width}x{height}"), &screen(&state, width, height));
    }
    assert_screen(file, "looks", &looks(&state, MIDDLE.0, MIDDLE.1));
}

/// A test a sample.
macro_rules! samples {
    ($($name:ident: $file:literal;)*) => {
        mod sizes {
            $(#[test]
            fn $name() {
                super::assert_sizes($file);
            })*
        }

        const SAMPLES: &[&str] = &[$($file),*];
    };
}

samples! {
    agent_events: "agent-events.sse";
    agent_session: "agent-session.json";
    all_fields_answer: "all-fields-answer.json";
    all_fields_bigdata: "all-fields-bigdata.sse";
    all_fields_events: "all-fields-events.json";
    all_fields_gemini: "all-fields-gemini.json";
    anthropic_messages: "anthropic-messages.json";
    azure_oyd: "azure-oyd.json";
    batch_results: "batch-results.jsonl";
    bedrock_converse: "bedrock-converse.json";
    bedrock_rag: "bedrock-rag.json";
    bigdata_chat: "bigdata-chat.json";
    bigdata_research: "bigdata-research.sse";
    bigdata_workflow: "bigdata-workflow.sse";
    chat_completions: "chat-completions.json";
    check_grounding: "check-grounding.json";
    cohere: "cohere.json";
    copilot: "copilot.json";
    discovery_answer: "discovery-answer.json";
    discovery_skipped: "discovery-skipped.json";
    discovery_stream: "discovery-stream.json";
    gemini_batch: "gemini-batch.jsonl";
    gemini_broken_offsets: "gemini-broken-offsets.json";
    gemini_characters: "gemini-characters.json";
    gemini_dangling: "gemini-dangling.json";
    gemini_hindi_emoji: "gemini-hindi-emoji.json";
    gemini_interactions: "gemini-interactions.json";
    gemini_japanese: "gemini-japanese.json";
    gemini_long: "gemini-long.json";
    gemini_maps: "gemini-maps.json";
    gemini_nested: "gemini-nested.json";
    gemini_other_language: "gemini-other-language.json";
    gemini_retrieval_scores: "gemini-retrieval-scores.json";
    gemini_search: "gemini-search.json";
    gemini_stream: "gemini-stream.sse";
    gemini_thai: "gemini-thai.json";
    generic: "generic.json";
    langchain: "langchain.json";
    logged_pair: "logged-pair.json";
    mistral: "mistral.json";
    neutral: "neutral.jsonl";
    openai_responses: "openai-responses.json";
    perplexity: "perplexity.json";
    text_markers: "text-markers.md";
    vercel_ui: "vercel-ui.json";
    xai: "xai.json";
}

#[test]
fn every_sample_has_its_test() {
    let mut shipped: Vec<&str> =
        FORMATS.iter().flat_map(|format| format.samples).map(|sample| sample.file).collect();
    shipped.sort_unstable();
    assert_eq!(shipped, SAMPLES);
}

macro_rules! overlays {
    ($($name:ident: $keys:literal;)*) => {
        mod overlays {
            $(#[test]
            fn $name() {
                let mut state = super::open("samples/discovery-answer.json");
                super::press(&mut state, super::MIDDLE, $keys);
                super::assert_screen("overlays", stringify!($name), &super::screen(&state, 80, 24));
            })*
        }
    };
}

overlays! {
    help: "?";
    copy: "y";
    filter: "f";
    sources: "s";
    source: "Enter";
    raw: "r";
    trace: "Tab Tab Tab Enter";
    search: "/";
    palette: ":";
    address: "o";
    responses: "L";
}

#[test]
fn a_span_that_is_not_where_it_was_sent_can_be_read_in_each_unit() {
    for (size, file) in [
        (MIDDLE, "gemini-characters.json"),
        (WIDE, "gemini-characters.json"),
        (WIDE, "gemini-broken-offsets.json"),
    ] {
        let mut state = open(&format!("samples/{file}"));
        press(&mut state, size, "Right u");
        assert_eq!(state.overlays.last().unwrap().0, Overlay::Readings(1));
        assert_screen(file, &format!("readings-{}x{}", size.0, size.1), &screen(&state, size.0, size.1));
    }
}

#[test]
fn only_the_spans_of_one_rule_are_walked_when_it_is_chosen() {
    let mut state = open("samples/gemini-broken-offsets.json");
    press(&mut state, MIDDLE, "f");
    let menu = screen(&state, MIDDLE.0, MIDDLE.1);
    assert!(
        menu.contains("1   claims with quote-gone") && menu.contains("4   claims with quote-elided"),
        "{menu}"
    );
    press(&mut state, MIDDLE, "4");
    let walked: Vec<usize> = (0..4).filter(|&span| state.walks(span)).collect();
    assert_eq!((walked, state.filter.words()), (vec![0, 1], "only claims with quote-elided".to_owned()));
}

fn selected_words(state: &State) -> &str {
    let review = state.review().unwrap();
    review.spans[state.span].range.clone().and_then(|range| review.response.text().get(range)).unwrap_or("")
}

#[test]
fn arrows_walk_every_span_also_nested_ones() {
    let mut state = open("samples/gemini-nested.json");
    let count = state.review().unwrap().spans.len();
    let supports: usize = (0..count).map(|span| state.review().unwrap().supports_of(span).len()).sum();
    assert_eq!((count, supports), (7, 8));
    let mut seen = vec![state.span];
    for _ in 1..count {
        press(&mut state, MIDDLE, "Right");
        seen.push(state.span);
    }
    assert_eq!(seen, (0..count).collect::<Vec<_>>());
    press(&mut state, MIDDLE, "Right");
    assert_eq!((state.span, state.notice.as_ref().unwrap().text.as_str()), (count - 1, "the last claim"));
    press(&mut state, MIDDLE, "Home");
    assert_eq!(state.span, 0);
}

#[test]
fn a_click_selects_the_span_under_it_and_clicks_again_reach_the_ones_around_it() {
    let mut state = open("samples/gemini-nested.json");
    press(&mut state, MIDDLE, "End");
    click(&mut state, MIDDLE, 5, 3);
    let first = (state.span, selected_words(&state).len());
    click(&mut state, MIDDLE, 5, 3);
    let second = (state.span, selected_words(&state).len());
    assert!(first.0 != second.0 && first.1 < second.1, "{first:?} {second:?}");
}

#[test]
fn a_click_on_a_source_selects_it_and_a_second_one_opens_it() {
    let mut state = open("samples/gemini-retrieval-scores.json");
    press(&mut state, WIDE, "Right");
    let second =
        screen(&state, WIDE.0, WIDE.1).lines().skip(4).position(|line| line.contains("│ [1] ")).unwrap()
            as u16
            + 4;
    click(&mut state, WIDE, 75, second);
    assert_eq!((state.focus, state.source()), (Pane::Sources, Some(0)));
    click(&mut state, WIDE, 75, second);
    assert_eq!(state.overlays.last().unwrap().0, Overlay::Source(0));
    click(&mut state, WIDE, 0, 0);
    assert!(state.overlays.is_empty());
}

#[test]
fn copying_takes_what_is_selected() {
    let mut state = open("samples/gemini-retrieval-scores.json");
    press(&mut state, MIDDLE, "Right y y");
    press(&mut state, MIDDLE, "y f y q y s");
    let copied: Vec<(&str, &str)> = state
        .wants
        .iter()
        .map(|want| if let Want::Copy(text, name) = want { (text.as_str(), name.as_str()) } else { panic!() })
        .collect();
    assert_eq!(
        copied[0],
        (
            "[Keepers' log 1955–1965](https://archive.example.org/ellary/keepers-log.pdf), [Tower survey of \
             Ellary Point](https://archive.example.org/ellary/tower-survey.pdf)",
            "citations [2], [1]"
        )
    );
    assert_eq!(
        copied[1].0,
        "[^2][^1]\n\n[^2]: [Keepers' log 1955–1965](https://archive.example.org/ellary/keepers-log.pdf)\n[^1]: \
         [Tower survey of Ellary Point](https://archive.example.org/ellary/tower-survey.pdf), p. 3–4\n"
    );
    assert_eq!(
        copied[2].0,
        "The lamp was converted to electric power in 1961, and the last two keepers left in the same autumn."
    );
    assert!(copied[3].0.starts_with("- \\[1\\] ["));
}

#[test]
fn the_copy_menu_shows_what_would_be_copied() {
    for (width, height) in [(60, 16), (120, 36)] {
        let mut state = open("samples/gemini-retrieval-scores.json");
        press(&mut state, (width, height), "Right y");
        let shown = |state: &State| screen(state, width, height);
        assert!(shown(&state).contains("▌ y citation as a link      │ [Keepers' log"), "{}", shown(&state));
        press(&mut state, (width, height), "Down Down Down Down Down Down");
        assert!(shown(&state).contains("│ - \\[1\\] [Tower"), "{}", shown(&state));
        assert!(shown(&state).contains("r raw JSON of selection"), "{}", shown(&state));
        press(&mut state, (width, height), "Enter");
        let Some(Want::Copy(text, name)) = state.wants.last() else { panic!() };
        assert!(
            text.starts_with(
                "- \\[1\\] [Tower survey of Ellary Point](https://archive.example.org/ellary/tower-survey.pdf), \
                 p. 3–4\n"
            ),
            "{text}"
        );
        assert_eq!(name, "list of cited sources");
    }
}

#[test]
fn a_preview_is_made_between_keys_and_never_while_laying_out() {
    let mut state = open("samples/gemini-retrieval-scores.json");
    press(&mut state, WIDE, "Right y");
    state.preview = None;
    assert!(!screen(&state, 120, 36).contains("[Keepers' log"));
    citescope::tui::copy::make_preview(&mut state);
    assert!(screen(&state, 120, 36).contains("│ [Keepers' log"));
}

#[test]
fn reviews_and_flagging_addresses_open_like_addresses() {
    let mut state = open("samples/gemini-maps.json");
    press(&mut state, WIDE, "Enter o");
    assert_eq!(
        state.overlays.last().unwrap().0,
        Overlay::Browse("https://maps.example.com/flag?place=ChIJh4Rb0uLantern0gRzQ1".into())
    );
    // The place was sent a second such address, apart.
    press(&mut state, WIDE, "Esc Down Enter");
    assert_eq!(
        state.overlays.last().unwrap().0,
        Overlay::Browse("https://maps.example.com/report/place/ChIJh4Rb0uLantern0gRzQ1".into())
    );
    press(&mut state, WIDE, "Esc Down Enter");
    assert_eq!(
        state.overlays.last().unwrap().0,
        Overlay::Browse("https://maps.example.com/reviews/Ci9rUmV2aWV3TGFudGVybjAx".into())
    );
    press(&mut state, WIDE, "Enter");
    assert!(
        matches!(state.wants.last(), Some(Want::Browse(address)) if address.ends_with("Ci9rUmV2aWV3TGFudGVybjAx"))
    );
}

#[test]
fn what_cannot_be_copied_says_why_and_copies_nothing() {
    let mut state = open("samples/discovery-skipped.json");
    press(&mut state, MIDDLE, "y y");
    assert!(state.wants.is_empty());
    assert_eq!(state.notice.unwrap().text, "nothing copied: the claim cites no source");
}

#[test]
fn filters_search_and_jumps() {
    let mut state = open("samples/gemini-retrieval-scores.json");
    press(&mut state, MIDDLE, "Right f s");
    let walked: Vec<usize> = (0..4).filter(|&span| state.walks(span)).collect();
    assert_eq!((walked, state.filter), (vec![1, 3], citescope::tui::state::Filter::Source(1)));
    press(&mut state, MIDDLE, "f e");
    let walked: Vec<usize> = (0..4).filter(|&span| state.walks(span)).collect();
    assert_eq!(walked, [0, 2]);
    press(&mut state, MIDDLE, "Esc : 3 Enter");
    assert_eq!(state.span, 2);
    press(&mut state, MIDDLE, "/ f o g Enter");
    assert_eq!(state.notice.as_ref().unwrap().text, "match 1 of 2 for “fog” · 1 place in sources and traces");
    press(&mut state, MIDDLE, "/ x y z Enter");
    assert_eq!(state.notice.as_ref().unwrap().kind, citescope::tui::state::NoticeKind::Failed);
}

#[test]
fn only_addresses_of_the_web_are_offered_to_the_browser_and_only_after_they_were_shown() {
    let mut state = open("samples/gemini-retrieval-scores.json");
    press(&mut state, MIDDLE, "o");
    assert!(state.wants.is_empty());
    press(&mut state, MIDDLE, "Enter");
    assert!(matches!(&state.wants[..], [Want::Browse(address)] if address.starts_with("https://")));
}

#[test]
fn tabs_show_one_pane_where_only_one_fits() {
    let mut state = open("samples/bigdata-research.sse");
    for pane in ["Sources", "Queries", "Trace", "Findings", "Response"] {
        press(&mut state, MIDDLE, "Tab");
        assert_eq!(state.focus.title(), pane);
        assert!(screen(&state, 80, 24).contains(pane));
    }
    press(&mut state, MIDDLE, "Tab");
    assert_eq!(state.focus, Pane::Answer);
}

#[test]
fn a_screen_too_small_says_so_and_every_size_can_be_drawn() {
    let state = open("samples/gemini-hindi-emoji.json");
    assert!(screen(&state, 30, 5).starts_with("needs 40×10 or more"));
    for width in (1..60).chain([109, 110, 111]) {
        for height in [1, 2, 9, 10, 11, 29, 30, 31] {
            screen(&state, width, height);
        }
    }
}

#[test]
fn a_session_lists_its_events_and_steps_through_them() {
    let mut state = open("samples/agent-session.json");
    assert_eq!(state.table.len(), 5);
    press(&mut state, MIDDLE, "L Down Down Enter");
    assert_eq!((state.row, state.review().unwrap().spans.len()), (2, 2));
    assert_eq!(state.review().unwrap().response.traces.len(), 3);
    press(&mut state, MIDDLE, "[");
    assert_eq!(state.row, 1);
}

#[test]
fn no_claim_is_lost_where_there_is_no_answer_text() {
    let mut state = open("samples/check-grounding.json");
    let shown = screen(&state, 120, 36);
    for claim in state
        .review()
        .unwrap()
        .response
        .supports
        .iter()
        .map(|support| support.segment.clone().unwrap().quote.unwrap())
    {
        assert!(shown.contains(&claim.chars().take(20).collect::<String>()), "{claim}\n{shown}");
    }
    press(&mut state, WIDE, "Right Right");
    assert_eq!(state.span, 2);
}

#[test]
fn a_wrong_year_and_a_swapped_citation_are_seen_on_their_spans() {
    let mut state = open("samples/gemini-retrieval-scores.json");
    assert!(screen(&state, 120, 36).contains("! the number 1937 is in none of the cited chunks"));
    press(&mut state, WIDE, "Right");
    assert!(screen(&state, 120, 36).contains("wording found: "));
    press(&mut state, WIDE, "Right");
    assert!(screen(&state, 120, 36).contains("! source [3] holds more of its words: 100 % against"));
    press(&mut state, WIDE, "b");
    let both = screen(&state, 120, 36);
    assert!(both.contains("[4] Visiting the museum") && both.contains("[3] The fog signal"), "{both}");
    press(&mut state, WIDE, "Esc x");
    assert!(!screen(&state, 120, 36).contains("holds more of this claim"));
}

#[test]
fn html_that_breaks_its_renderer_is_shown_all_the_same() {
    let html = "<table><tr><td colspan=4294967295>first</td><td \
        COLSPAN=18446744073709551615>second</td></tr></table>";
    let deep = "<div>".repeat(100_000);
    for html in [html, &deep] {
        let text = serde_json::json!({"candidates": [{"content": {"parts": [{"text": "Yes."}]}, "groundingMetadata": {"searchEntryPoint": {"renderedContent": html}}}]});
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.json");
        std::fs::write(&path, text.to_string()).unwrap();
        let mut state = open(path.to_str().unwrap());
        press(&mut state, WIDE, "6");
        assert!(screen(&state, 120, 36).contains("search suggestions"));
    }
}

/// The headline of a response: its sign, and what it says.
fn headline(state: &State) -> String {
    screen(state, 200, 30).lines().nth(1).unwrap_or_default().trim().to_owned()
}

#[test]
fn a_headline_with_a_sign_begins_with_what_is_wrong() {
    let samples = SAMPLES
        .iter()
        .map(|name| (format!("samples/{name}"), std::fs::read(format!("samples/{name}")).unwrap()));
    let recorded = crate::common::library::recordings().into_iter().flatten();
    let recorded = recorded.map(|path| (path.display().to_string(), std::fs::read(path).unwrap()));
    let (mut signs, mut wrong) = (0, Vec::new());
    for (name, bytes) in samples.chain(recorded) {
        let session = crate::common::library::open(&name, bytes);
        if !session.failures().is_empty() || session.is_empty() {
            continue;
        }
        let line = headline(&crate::common::screen::of(session));
        let Some(words) = line.strip_prefix('!').or_else(|| line.strip_prefix('✗')).map(str::trim) else {
            continue;
        };
        signs += 1;
        let good = ["all offsets fit", "wording found", "wording of", "no source text"];
        if words.is_empty() || good.iter().any(|good| words.starts_with(good)) || words.starts_with("e ") {
            wrong.push(format!("{name}: {line}"));
        }
    }
    assert!(signs > 10, "{signs}");
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn the_lower_panes_are_as_high_whichever_claim_is_selected() {
    for file in ["gemini-broken-offsets.json", "cohere.json", "openai-responses.json", "bigdata-research.sse"]
    {
        let mut state = sample(file);
        press(&mut state, WIDE, "5 1");
        let mut cache = citescope::tui::layout::Cache::default();
        let size = ratatui::layout::Size { width: WIDE.0, height: WIDE.1 };
        let mut tops: Vec<u16> = Vec::new();
        for _ in 0..6 {
            let layout = citescope::tui::layout::layout(&state, size, &mut cache);
            tops.extend(
                layout.panes.iter().find(|place| place.pane == Pane::Findings).map(|place| place.title.y),
            );
            press(&mut state, WIDE, "Right");
        }
        tops.dedup();
        assert_eq!(tops.len(), 1, "{file}: {tops:?}");
    }
}
