//! Collections on the screen: the list as a table, its filter, order, counts and marks, and what comes from
//! behind the screen.

use std::io::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use citescope::session::{Digest, Named, News, Opening, Session, Supplied};
use citescope::tui::state::{Overlay, State, Want};
use citescope::tui::update;
use serde_json::json;

use crate::common::library::line;
use crate::common::screen::{click, of, open, press, screen};

fn lines() -> String {
    let two = r#"{"candidates": [{"content": {"parts": [{"text": "One bridge."}]}}, {"content": {"parts": [{"text": "Two bridges."}]}, "index": 1}], "responseId": "two"}"#;
    [
        line("park", "parks.example", true),
        line("tower", "towers.example", false),
        two.to_owned(),
        line("castle", "towers.example", true),
        "{broken".to_owned(),
        line("garden", "parks.example", false),
    ]
    .join("\n")
}

/// The list on these lines, all of them known.
fn list() -> State {
    let mut state = State::new(Arc::new(Session::from_bytes("log.jsonl", lines().into_bytes())));
    for record in 0..state.session.len() {
        let result = state.session.decode(record);
        state.learn(record, &result);
    }
    update::open_list(&mut state);
    state
}

const SIZE: (u16, u16) = (100, 14);

fn shot(state: &State) -> String {
    screen(state, SIZE.0, SIZE.1)
}

#[test]
fn a_row_says_what_is_cited_and_the_worst_finding() {
    insta::assert_snapshot!("list", shot(&list()));
    insta::assert_snapshot!("list_60", screen(&list(), 60, 16));
}

#[test]
fn the_filter_applies_as_it_is_typed_and_goes_with_escape() {
    let mut state = list();
    // From wherever the cursor was, what passes begins at its first row.
    press(&mut state, SIZE, "End /");
    for key in "rule:shift".chars() {
        press(&mut state, SIZE, &key.to_string());
    }
    insta::assert_snapshot!("filtered", shot(&state));
    // Keys move in what is shown; the response is the one at the cursor.
    press(&mut state, SIZE, "Down Enter");
    assert!(!state.table.typing && state.overlay() == Some(&Overlay::Responses));
    press(&mut state, SIZE, "Enter");
    assert!(state.review().unwrap().text().contains("garden"));
    // The neighbours are those that pass.
    press(&mut state, SIZE, "[");
    assert!(state.review().unwrap().text().contains("tower"));
    assert_eq!(state.notice.as_ref().unwrap().text, "response 1 of 2, filtered");
    press(&mut state, SIZE, "L / Esc");
    assert_eq!((state.table.shown(), state.table.filter.as_str()), (7, ""));
}

#[test]
fn the_worst_come_first_and_faults_are_gone_to() {
    let mut state = list();
    press(&mut state, SIZE, "W");
    insta::assert_snapshot!("worst_first", shot(&state));
    press(&mut state, SIZE, "} Enter");
    assert!(state.record.is_err(), "the broken line");
    press(&mut state, SIZE, "}");
    assert!(state.review().unwrap().text().contains("garden"));
    press(&mut state, SIZE, "}");
    assert_eq!(state.notice.as_ref().unwrap().text, "no response with a fault behind this one");
    press(&mut state, SIZE, "{ {");
    assert!(state.review().unwrap().text().contains("tower"));
}

#[test]
fn marks_stay_with_their_response() {
    let mut state = list();
    press(&mut state, SIZE, "Down v Down Down v W /");
    for key in "is:marked".chars() {
        press(&mut state, SIZE, &key.to_string());
    }
    insta::assert_snapshot!("marked", shot(&state));
}

#[test]
fn counts_lead_to_their_responses() {
    let mut state = list();
    press(&mut state, (100, 30), "S");
    insta::assert_snapshot!("counts", screen(&state, 100, 30));
    // The last row is a site: it needs reading, which the shell is asked for.
    press(&mut state, (100, 30), "End Enter");
    assert_eq!(state.table.filter, "source:\"towers.example\"");
    let Some(Want::Find(search)) = state.wants.pop() else { panic!("nothing is looked for") };
    assert!(state.table.is_searching() && state.table.shown() == 0 && search.filter.is_some());
    // What an earlier search still says is not taken.
    state.take(News::Found { search: search.number - 1, rows: vec![(5, 0)], done: true });
    assert!(state.table.is_searching());
    state.take(News::Found { search: search.number, rows: vec![(1, 0), (3, 0)], done: true });
    state.refresh();
    assert_eq!(state.table.shown(), 2);
    // A click opens a row.
    click(&mut state, (100, 30), 10, 3);
    assert!(state.overlays.is_empty() && state.review().unwrap().text().contains("tower"));
}

/// What a check says of the responses of a record.
fn digests(state: &State, record: usize) -> Vec<Digest> {
    Digest::of_record(&state.session.decode(record), |review| review.findings())
}

/// Record and response of the row at the cursor of the list.
fn at(state: &State) -> Option<(u32, u16)> {
    let Some((Overlay::Responses, cursor)) = state.overlays.last() else { return None };
    state.table.get(state.table.at(cursor.entry)?).map(|row| (row.record, row.item))
}

#[test]
fn rows_that_become_several_leave_the_cursor_of_a_sorted_list_where_it_is() {
    let whole = list();
    let digests = |record| digests(&whole, record);
    let mut state = State::new(Arc::clone(&whole.session));
    update::open_list(&mut state);
    press(&mut state, SIZE, "W End");
    assert_eq!(at(&state), Some((5, 0)));
    // Before the list is put in order again, twice.
    state.take(News::Checked { from: 0, facts: (0..3).map(digests).collect() });
    assert_eq!(at(&state), Some((5, 0)));
    state.take(News::Checked { from: 3, facts: (3..5).map(digests).collect() });
    state.refresh();
    assert_eq!(at(&state), Some((5, 0)));
}

/// The file is replaced between what the screen read and what the check did.
#[test]
fn a_doubtful_response_that_names_another_site_than_before_is_counted() {
    let known = list();
    let mut state = State::new(Arc::clone(&known.session));
    let result = state.session.decode(1);
    state.learn(1, &result);
    let other =
        State::new(Arc::new(Session::from_bytes("f", line("inn", "inns.example", true).into_bytes())));
    let facts = [0, 1].map(|record| digests(if record == 1 { &other } else { &known }, 0)).to_vec();
    state.take(News::Checked { from: 0, facts });
    state.refresh();
    update::open_list(&mut state);
    press(&mut state, (100, 30), "S");
    let counts = screen(&state, 100, 30);
    assert!(counts.contains("inns.example") && counts.contains("towers.example"), "{counts}");
}

#[test]
fn a_record_without_a_response_is_a_row_that_says_so() {
    let text = format!("{}\n{{\"sessionEvents\": []}}\n", line("park", "a.example", true));
    let mut state = State::new(Arc::new(Session::from_bytes("f", text.into_bytes())));
    let result = state.session.decode(1);
    state.learn(1, &result);
    update::open_list(&mut state);
    assert!(shot(&state).contains("2 (no response in this record)"), "{}", shot(&state));
}

#[test]
fn words_that_are_split_over_frames_and_parts_are_found() {
    let frames = ["The Bar", "bican is open."].map(|text| {
        json!({"responseId": "x", "candidates": [{"content": {"parts": [{"text": text}]}}]}).to_string()
    });
    let parts = json!({"responseId": "y", "candidates": [{"content": {"parts": [{"text": "The Barb"}, {"text": "ican too."}]}}]});
    let text = format!("{}\n{}\n{parts}\n{}\n", frames[0], frames[1], line("park", "a.example", true));
    let opening = Opening::done(Arc::new(Session::from_bytes("f", text.into_bytes())));
    opening.search(7, Some(citescope::session::ListFilter::parse("barbican")));
    let begun = Instant::now();
    let mut found = Vec::new();
    loop {
        assert!(begun.elapsed() < Duration::from_mins(1), "the search does not end");
        let done = opening.news().any(|news| match news {
            News::Found { search: 7, rows, done } => {
                found.extend(rows);
                done
            }
            _ => false,
        });
        if done {
            break;
        }
    }
    assert_eq!(found, [(0, 0), (1, 0)]);
}

#[test]
fn what_comes_from_behind_leaves_the_cursor_on_its_row() {
    let whole = list();
    let digests = |record| digests(&whole, record);
    let mut state = State::new(Arc::clone(&whole.session));
    update::open_list(&mut state);
    press(&mut state, SIZE, "Down Down Down");
    assert_eq!((at(&state), state.table.len()), (Some((3, 0)), 6));
    state.take(News::Checked { from: 0, facts: (0..3).map(digests).collect() });
    state.refresh();
    assert_eq!((at(&state), state.table.len(), state.table.checked), (Some((3, 0)), 7, 3));
    state.take(News::Checked { from: 3, facts: (3..6).map(digests).collect() });
    state.take(News::Done);
    // What was open at an earlier moment takes nothing away.
    state.take(News::More(Arc::new(Session::from_bytes("f", line("park", "a.example", true).into_bytes()))));
    assert_eq!(state.session.len(), 6);
    state.refresh();
    assert_eq!((at(&state), state.table.checked), (Some((3, 0)), 6));
}

/// All that comes from an opening.
fn all(opening: &Opening) -> Vec<News> {
    let begun = Instant::now();
    let mut all = Vec::new();
    while !all.iter().any(|news| matches!(news, News::Done)) {
        assert!(begun.elapsed() < Duration::from_mins(1), "the check does not end");
        all.extend(opening.news());
        std::thread::sleep(Duration::from_millis(5));
    }
    all
}

#[test]
fn a_directory_is_opened_and_checked_behind_the_screen() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.jsonl"), lines()).unwrap();
    std::fs::write(folder.path().join("b.json"), "{\"x\": 1}").unwrap();
    std::fs::write(folder.path().join("c.json"), line("bridge", "c.example", false)).unwrap();
    let named = citescope::session::named(&[folder.path().to_owned()]).unwrap();
    let opening = Opening::begin(named, Supplied::default()).unwrap();
    let (session, opened) = opening.first(Duration::from_secs(20));
    assert_eq!((session.len(), opened), (7, true));
    opening.check();
    let mut state = State::new(session);
    for news in all(&opening) {
        state.take(news);
    }
    state.refresh();
    assert_eq!(
        (state.table.len(), state.table.checked, state.notice.unwrap().text.as_str()),
        (8, 7, "1 file without a response skipped")
    );
    let faulty = (0..8).filter(|&row| state.table.is_faulty(&state.table.get(row).unwrap())).count();
    assert_eq!(faulty, 4);
}

#[test]
fn a_file_that_shrinks_while_it_is_open_is_reported_and_costs_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.jsonl");
    let text: String = (0..30_000).map(|n| line(&format!("park {n}"), "a.example", true) + "\n").collect();
    std::fs::write(&path, &text).unwrap();
    let opening = Opening::begin(vec![Named::File(path.clone())], Supplied::default()).unwrap();
    let (session, _) = opening.first(Duration::from_mins(1));
    assert_eq!(session.len(), 30_000);
    std::fs::write(&path, &text[..1000]).unwrap();
    let Err(error) = session.decode(20_000) else { panic!("read") };
    assert!(error.what.contains("the file has changed since it was opened"), "{error}");
    opening.check();
    let mut state = State::new(session);
    for news in all(&opening) {
        state.take(news);
    }
    assert_eq!((state.table.len(), state.table.checked), (30_000, 30_000));
}

#[test]
fn pieces_of_a_stream_are_folded_into_their_answer_until_they_are_wanted() {
    let mut state = open("samples/agent-events.sse");
    state.refresh();
    press(&mut state, (120, 20), "L");
    let rows = |state: &State| -> Vec<String> {
        let shown = screen(state, 120, 20);
        let rows = shown.lines().skip(2).take_while(|line| line.starts_with('│'));
        rows.filter_map(|line| line.split_whitespace().find(|word| word.parse::<u32>().is_ok()))
            .map(str::to_owned)
            .collect()
    };
    assert_eq!(rows(&state), ["6"]);
    assert!(screen(&state, 120, 20).contains("market_guide +5 pieces"));
    press(&mut state, (120, 20), "P");
    assert_eq!(rows(&state), ["1", "2", "3", "4", "5", "6"]);
    press(&mut state, (120, 20), "P");
    assert_eq!(rows(&state), ["6"]);
}

#[test]
fn a_session_that_breaks_off_at_a_piece_shows_it() {
    let event = |text: &str, partial: bool| {
        let text = format!(r#"{{"content": {{"role": "model", "parts": [{{"text": "{text}"}}]}}, "#);
        format!(
            "{text}\"partial\": {partial}, \"author\": \"a\", \"invocationId\": \"i\", \"timestamp\": 1.5}}"
        )
    };
    let events = [event("One", true), event("One two.", false), event("Three", true)].join(", ");
    let mut state = of(Session::from_bytes("e.json", format!(r#"{{"events": [{events}]}}"#).into_bytes()));
    state.refresh();
    assert_eq!(
        (0..state.table.shown()).filter_map(|place| state.table.at(place)).collect::<Vec<_>>(),
        [1, 2]
    );
}

#[test]
fn the_response_at_the_cursor_is_seen_beside_a_wide_list() {
    let mut state = open("samples/gemini-batch.jsonl");
    press(&mut state, (160, 36), "L Down Down Down");
    assert!(state.peek() && !state.peek(), "read once");
    let shown = screen(&state, 160, 36);
    for words in [
        "╭─ Response 4.1 ─",
        "│ How old is the town hall of Grimsvik?",
        "│ gemini-2.5-flash",
        "│ samples/gemini-batch.jsonl",
    ] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    press(&mut state, (160, 36), "Up Up");
    assert!(state.peek());
    assert!(
        screen(&state, 160, 36).contains("✗ the stream ended with an error"),
        "{}",
        screen(&state, 160, 36)
    );
    // Where the list is narrow it stands below, if there is room.
    let below = screen(&state, 140, 36);
    assert!(below.lines().any(|line| line.starts_with("╭─ Response 2 ─")), "{below}");
    assert!(!screen(&state, 140, 12).contains("╭─ Response 2"), "no room");
}

#[test]
fn inputs_that_could_not_be_read_are_found_at_the_end_and_by_the_filter() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.jsonl.gz");
    let text: String = (0..600).map(|n| line(&format!("park {n}"), "a.example", true) + "\n").collect();
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
    gzip.write_all(text.as_bytes()).unwrap();
    let gzip = gzip.finish().unwrap();
    std::fs::write(&path, &gzip[..gzip.len() / 2]).unwrap();
    let opening = Opening::begin(vec![Named::File(path)], Supplied::default()).unwrap();
    let (session, _) = opening.first(Duration::from_mins(1));
    assert!(session.len() > 100 && session.failures().len() == 1);
    let mut state = State::new(session);
    update::open_list(&mut state);
    press(&mut state, (120, 16), "End");
    assert!(screen(&state, 120, 16).contains("cannot be read: incomplete deflate stream"));
    for key in "/ i s : u n r e a d Enter".split(' ') {
        press(&mut state, (120, 16), key);
    }
    let shown = screen(&state, 120, 16);
    assert!(shown.contains("incomplete deflate stream") && !shown.contains("no response passes"), "{shown}");
    press(&mut state, (120, 16), "Esc S");
    assert!(screen(&state, 120, 16).contains("1 input could not be read: is:unread"));
}

#[test]
fn a_long_file_is_one_file_however_it_is_opened() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.jsonl");
    let text: String = (0..20_000).map(|n| line(&format!("park {n}"), "a.example", true) + "\n").collect();
    std::fs::write(&path, text).unwrap();
    let opening = Opening::begin(vec![Named::File(path)], Supplied::default()).unwrap();
    let (session, _) = opening.first(Duration::from_mins(1));
    assert!(session.inputs().count() > 1 && !session.has_several_names());
    let mut state = State::new(session);
    update::open_list(&mut state);
    let head = screen(&state, 120, 16).lines().nth(2).unwrap().to_owned();
    assert!(head.contains("worst finding") && !head.contains("file"), "{head}");
}

#[test]
fn a_filter_that_is_none_is_told() {
    for (typed, told) in [("is:bogus", "“is:bogus” is no key"), ("cited<abc", "“cited<abc” is no key")]
    {
        let mut state = list();
        press(&mut state, SIZE, "/");
        for key in typed.chars() {
            press(&mut state, SIZE, &key.to_string());
        }
        assert!(shot(&state).contains(told), "{}", shot(&state));
    }
}
