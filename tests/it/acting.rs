//! What a person does on the screen: finds, jumps, decides, repairs, writes.

use citescope::session::{Agreement, Decision, Marks};
use citescope::tui::keymap::Command;
use citescope::tui::layout::{GUTTER, Layout};
use citescope::tui::state::{Found, NoticeKind, Overlay, Pane, Want};

use crate::common::screen::{click, layout, looks, open, press, screen};

const MIDDLE: (u16, u16) = (80, 24);
const WIDE: (u16, u16) = (120, 36);
const WIDEST: (u16, u16) = (200, 60);

const WRONG: &str = "samples/gemini-retrieval-scores.json";

#[test]
fn what_is_typed_is_found_at_once_and_esc_goes_back() {
    let mut state = open("samples/gemini-long.json");
    press(&mut state, WIDE, "/ b a t t");
    assert_eq!(state.found.len(), 3);
    assert!(
        screen(&state, 120, 36).contains("/batt▏  match 1 of 3 for “batt” · 2 places in sources and traces")
    );
    press(&mut state, WIDE, "Esc");
    assert_eq!((state.span, state.needle.as_str(), state.found.len()), (0, "", 0));
    assert!(screen(&state, 120, 36).contains("claim 1 of 45"));
}

#[test]
fn sources_queries_traces_and_findings_are_searched_too() {
    let mut state = open("samples/bigdata-research.sse");
    press(&mut state, WIDE, "/ c a t h o d e Enter");
    let kinds: Vec<&str> = state
        .found
        .iter()
        .map(|found| match found {
            Found::Answer(_) => "answer",
            Found::Source(_) => "source",
            Found::Query(_) => "query",
            Found::Trace(_) => "trace",
            Found::Finding(_) => "finding",
            Found::Question => "question",
            Found::Line(_) => "line",
            Found::Response(_) => "response",
        })
        .collect();
    assert_eq!(kinds, ["answer", "source", "source", "query"]);
    press(&mut state, WIDE, "n");
    assert_eq!(state.overlays.last().unwrap().0, Overlay::Source(0));
    press(&mut state, WIDE, "Esc n n");
    assert_eq!((state.focus, state.cursor(Pane::Queries).entry), (Pane::Queries, 1));
    // What is found is marked wherever it is drawn.
    assert!(looks(&state, 120, 36).contains('R'));
}

#[test]
fn what_only_the_pane_of_the_response_says_is_found_there() {
    let mut state = open("samples/gemini-retrieval-scores.json");
    press(&mut state, WIDE, "/ S T O P Enter");
    assert!(matches!(state.found.as_slice(), [Found::Response(_), ..]), "{:?}", state.found);
    assert_eq!(state.focus, Pane::Response);
    assert_eq!(state.notice.as_ref().unwrap().text, "match 1 of 2 for “STOP” · in 6 Response");
    assert!(screen(&state, 120, 36).lines().any(|line| line.contains("finish") && line.contains("STOP")));
}

#[test]
fn help_and_json_are_searched_where_they_lie() {
    let mut state = open(WRONG);
    press(&mut state, MIDDLE, "? / m o u s e Enter");
    assert!(!state.found.is_empty() && state.found.iter().all(|found| matches!(found, Found::Line(_))));
    assert!(screen(&state, 80, 24).contains("mouse on or off"));
    press(&mut state, MIDDLE, "q");
    assert!(state.overlays.is_empty() && state.wants.is_empty());
}

#[test]
fn a_needle_that_is_nowhere_leads_to_the_responses_that_have_it() {
    let mut state = open("samples/gemini-batch.jsonl");
    press(&mut state, WIDE, "/ z z z q Enter");
    assert_eq!(state.overlays.last().unwrap().0, Overlay::Responses);
    assert_eq!(state.table.filter, "zzzq");
}

#[test]
fn the_palette_knows_other_words_for_what_commands_do() {
    let state = open("samples/gemini-search.json");
    let found = |typed: &str| -> Vec<Command> {
        citescope::tui::panes::choices(&state, typed).iter().map(|binding| binding.command).collect()
    };
    assert_eq!(found("uncited"), [Command::Filter]);
    assert_eq!(found("fix"), [Command::Repair]);
    assert_eq!(found("exit"), [Command::Quit]);
    assert!(found("nothing like it").is_empty());
}

#[test]
fn the_palette_runs_what_its_words_name_and_goes_to_numbers() {
    let mut state = open(WRONG);
    press(&mut state, WIDE, ": m a t r");
    assert!(!screen(&state, 120, 36).contains("first claim"));
    press(&mut state, WIDE, "i x Enter");
    assert_eq!(state.overlays.last().unwrap().0, Overlay::Matrix);
    press(&mut state, WIDE, "Esc : 4 Enter");
    assert_eq!(state.span, 3);
    press(&mut state, WIDE, ": x y z Enter");
    assert_eq!(state.notice.as_ref().unwrap().kind, NoticeKind::Failed);
    // A click on a row of it runs that row.
    press(&mut state, WIDE, ": z o o m");
    press(&mut state, WIDE, "Backspace Backspace Backspace Backspace w h o l e");
    let place = layout(&state, 120, 36).palette.unwrap().body;
    click(&mut state, WIDE, place.x + 2, place.y);
    assert!(state.zoomed && state.typing.is_none());
}

#[test]
fn one_comes_back_to_where_one_was() {
    let mut state = open("samples/gemini-long.json");
    press(&mut state, WIDE, ": 3 0 Enter : 2 Enter");
    let here = state.span;
    let control = |state: &mut _, code| {
        let geometry: Layout = layout(state, 120, 36);
        let event = crossterm::event::KeyEvent::new(code, crossterm::event::KeyModifiers::ALT);
        citescope::tui::update::update(state, &geometry, &crossterm::event::Event::Key(event));
    };
    control(&mut state, crossterm::event::KeyCode::Left);
    let thirtieth = state.review().unwrap().span_of(29).unwrap();
    assert_eq!(state.span, thirtieth);
    control(&mut state, crossterm::event::KeyCode::Right);
    assert_eq!(state.span, here);
}

#[test]
fn a_pane_takes_the_screen_and_the_divider_moves() {
    let mut state = open(WRONG);
    press(&mut state, WIDE, "z");
    assert!(layout(&state, 120, 36).panes.is_empty());
    press(&mut state, WIDE, "z 2 z");
    let geometry = layout(&state, 120, 36);
    assert_eq!((geometry.panes.len(), geometry.panes[0].body.width), (1, 92));
    press(&mut state, WIDE, "z");
    let before = layout(&state, 120, 36).rules[0];
    press(&mut state, WIDE, "> >");
    assert_eq!(layout(&state, 120, 36).rules[0], before + 8);
    press(&mut state, WIDE, "< < <");
    assert_eq!(layout(&state, 120, 36).rules[0], before - 4);
    // Focus never moves it.
    for key in ["1", "2", "3", "4", "5", "6"] {
        press(&mut state, WIDE, key);
        assert_eq!(layout(&state, 120, 36).rules[0], before - 4);
    }
}

#[test]
fn three_columns_two_or_one() {
    let state = open("samples/bigdata-research.sse");
    let panes = |(width, height)| -> Vec<Pane> {
        layout(&state, width, height).panes.iter().map(|place| place.pane).collect()
    };
    assert_eq!(panes(MIDDLE), [Pane::Sources]);
    assert_eq!(panes(WIDE), [Pane::Sources, Pane::Trace]);
    assert_eq!(panes(WIDEST), [Pane::Sources, Pane::Trace, Pane::Findings]);
    // Prose is no wider than it can be followed.
    let geometry = layout(&state, 400, 60);
    assert!(geometry.answer.width - GUTTER <= 91, "{:?}", geometry.answer);
}

#[test]
fn the_question_stands_above_its_answer() {
    for (width, height) in [MIDDLE, WIDE, WIDEST] {
        let state = open("samples/logged-pair.json");
        let question = state.review().unwrap().response.about.question.clone().unwrap();
        let shown = screen(&state, width, height);
        let first: String = question.chars().take(20).collect();
        assert!(shown.contains(&format!(" Q   {first}")), "{shown}");
    }
    // Where it was not sent and there is room, that is said.
    let bare = open("samples/gemini-search.json");
    assert!(screen(&bare, 200, 60).contains(" Q   not in this file (--request FILE adds it)"));
    assert!(!screen(&bare, 80, 24).contains("not in this file"));
}

#[test]
fn decisions_are_kept_beside_the_input_and_shown() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("answer.json");
    std::fs::copy(WRONG, &file).unwrap();
    let name = file.to_str().unwrap();
    let mut state = open(name);
    press(&mut state, WIDE, "+ Right - a b a d Enter Left");
    let saved: Vec<String> = state
        .wants
        .drain(..)
        .filter_map(|want| if let Want::SaveMarks(file) = want { Some(file) } else { None })
        .collect();
    assert_eq!(saved, [name, name, name]);
    state.marks.get_mut(name).unwrap().as_mut().unwrap().save().unwrap();
    assert!(screen(&state, 120, 36).contains("+ marked right"));
    let kept = std::fs::read_to_string(Marks::path_of(name)).unwrap();
    let lines: Vec<serde_json::Value> =
        kept.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!((lines[0]["id"].as_str(), lines[0]["label"].as_str()), (Some("1.1:0-95"), Some("right")));
    assert_eq!((lines[1]["label"].as_str(), lines[1]["note"].as_str()), (Some("wrong"), Some("bad")));
    assert_eq!(lines[1]["evidence"].as_array().unwrap().len(), 2);
    // The input is as it was.
    assert_eq!(std::fs::read(WRONG).unwrap(), std::fs::read(&file).unwrap());
    // Opened again, they are there; the same key takes one away.
    let mut again = open(name);
    let rail: Vec<char> =
        screen(&again, 120, 36).lines().skip(5).take(5).filter_map(|line| line.chars().nth(3)).collect();
    assert_eq!(rail, [' ', '+', ' ', '-', ' ']);
    press(&mut again, WIDE, "+");
    assert_eq!(again.marks[name].as_ref().unwrap().iter().count(), 1);
    // What has no mark is marked unsure by a note.
    press(&mut again, WIDE, "Left a w h y Enter");
    let mark = again.marks[name].as_ref().unwrap().iter().find(|mark| mark.note == "why").unwrap();
    assert_eq!(mark.label, Decision::Unsure);
}

#[test]
fn a_file_of_marks_steers_neither_a_terminal_nor_a_runner() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("answer.json");
    let odd = "It \u{9b}2J is\u{202e} ##[error]old\u{7f}.";
    let sent = serde_json::json!({"candidates": [{"content": {"parts": [{"text": odd}]}, "finishReason": "STOP", "groundingMetadata": {
        "groundingChunks": [{"retrievedContext": {"text": odd, "title": "##vso[task]"}}],
        "groundingSupports": [{"segment": {"endIndex": odd.len(), "text": odd}, "groundingChunkIndices": [0]}]}}]});
    std::fs::write(&file, sent.to_string()).unwrap();
    let name = file.to_str().unwrap();
    let mut state = open(name);
    press(&mut state, WIDE, "+");
    state.marks.get_mut(name).unwrap().as_mut().unwrap().save().unwrap();
    let kept = std::fs::read_to_string(Marks::path_of(name)).unwrap();
    assert!(kept.is_ascii() && !kept.contains(['\u{7f}', '\u{1b}']) && !kept.contains("##"), "{kept}");
    let line: serde_json::Value = serde_json::from_str(&kept).unwrap();
    assert_eq!((&line["claim"], &line["evidence"][0]["text"]), (&odd.into(), &odd.into()));
}

#[test]
fn a_file_of_marks_that_is_none_is_told_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("answer.json");
    std::fs::copy(WRONG, &file).unwrap();
    let name = file.to_str().unwrap();
    std::fs::write(Marks::path_of(name), "{\"id\": 3}\n").unwrap();
    let state = open(name);
    let notice = state.notice.as_ref().unwrap();
    assert!(
        notice.kind == NoticeKind::Failed
            && notice.text.contains("answer.json.review.jsonl:1: this is no review mark")
    );
}

#[test]
fn marks_of_several_people_at_once_and_what_they_wrote_beside_them_stay() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("answer.json");
    std::fs::copy(WRONG, &file).unwrap();
    let name = file.to_str().unwrap();
    let session = citescope::session::Session::open_file(&file);
    let review = session.reviews().next().unwrap().unwrap();
    let mut mine = Marks::of(name).unwrap();
    let mut theirs = Marks::of(name).unwrap();
    mine.set(&review, &(0..95), &[0], Decision::Right);
    mine.save().unwrap();
    let with_more =
        std::fs::read_to_string(Marks::path_of(name)).unwrap().replacen('{', "{\"team\":\"x\",", 1);
    std::fs::write(Marks::path_of(name), with_more).unwrap();
    theirs.set(&review, &(96..195), &[1], Decision::Wrong);
    theirs.save().unwrap();
    mine.set(&review, &(0..95), &[0], Decision::Right);
    mine.save().unwrap();
    let left = Marks::of(name).unwrap();
    assert_eq!(left.counts(0, 0), [0, 1, 0]);
    mine.set(&review, &(96..195), &[1], Decision::Unsure);
    mine.set(&review, &(0..95), &[0], Decision::Wrong);
    theirs.save().unwrap();
    mine.save().unwrap();
    assert_eq!(Marks::of(name).unwrap().counts(0, 0), [0, 1, 1]);
}

#[test]
fn marks_that_two_write_at_the_same_moments_all_stay() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("answer.json");
    std::fs::copy(WRONG, &file).unwrap();
    let name = file.to_str().unwrap();
    let text_length = 40;
    std::thread::scope(|scope| {
        for (label, of) in [(Decision::Right, 0), (Decision::Wrong, 1)] {
            let file = &file;
            scope.spawn(move || {
                let session = citescope::session::Session::open_file(file);
                let review = session.reviews().next().unwrap().unwrap();
                let mut marks = Marks::of(name).unwrap();
                for start in (of..text_length).step_by(2) {
                    marks.set(&review, &(start..start + 1), &[0], label);
                    marks.save().unwrap();
                }
            });
        }
    });
    assert_eq!(Marks::of(name).unwrap().counts(0, 0), [20, 20, 0]);
}

/// As where root marks a user's file.
#[cfg(unix)]
#[test]
fn a_file_of_marks_keeps_its_owner() {
    use std::os::unix::fs::MetadataExt;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("answer.json");
    std::fs::copy(WRONG, &file).unwrap();
    let name = file.to_str().unwrap();
    let session = citescope::session::Session::open_file(&file);
    let review = session.reviews().next().unwrap().unwrap();
    let mut marks = Marks::of(name).unwrap();
    marks.set(&review, &(0..95), &[0], Decision::Right);
    marks.save().unwrap();
    if std::os::unix::fs::chown(Marks::path_of(name), Some(1000), Some(1000)).is_err() {
        eprintln!("skipped: only root gives files away");
        return;
    }
    marks.set(&review, &(96..195), &[1], Decision::Wrong);
    marks.save().unwrap();
    let owner = std::fs::metadata(Marks::path_of(name)).unwrap();
    assert_eq!((owner.uid(), owner.gid()), (1000, 1000));
}

#[test]
fn what_has_no_file_or_an_unreadable_one_is_not_marked() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("answer.json");
    std::fs::copy(WRONG, &file).unwrap();
    let name = file.to_str().unwrap();
    std::fs::create_dir(Marks::path_of(name)).unwrap();
    let mut state = open(name);
    press(&mut state, WIDE, "+");
    assert!(
        state.notice.as_ref().unwrap().text.ends_with("answer.json.review.jsonl: this is no regular file")
    );
    assert!(state.wants.is_empty());
    let piped = citescope::session::Session::from_bytes("stdin", std::fs::read(WRONG).unwrap());
    let mut state = citescope::tui::state::State::new(std::sync::Arc::new(piped));
    press(&mut state, WIDE, "+");
    assert_eq!(
        state.notice.as_ref().unwrap().text,
        "not marked: stdin is no file, so there is no place beside it for marks"
    );
}

#[test]
fn a_list_of_files_shows_what_was_decided_and_not_the_files_of_marks() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("answer.json");
    std::fs::copy(WRONG, &file).unwrap();
    let mut marks = Marks::of(file.to_str().unwrap()).unwrap();
    let session = citescope::session::Session::open_file(&file);
    let review = session.reviews().next().unwrap().unwrap();
    assert_eq!(marks.set(&review, &(0..95), &[0], Decision::Wrong), Some(Decision::Wrong));
    marks.save().unwrap();
    assert_eq!(marks.counts(0, 0), [0, 1, 0]);
    let found = citescope::store::files_below(folder.path()).unwrap();
    assert_eq!(found, std::slice::from_ref(&file));
    let mut state = open(file.to_str().unwrap());
    press(&mut state, WIDE, "L");
    assert!(screen(&state, 120, 36).contains("-1 "), "{}", screen(&state, 120, 36));
    let marks = Marks::of(file.to_str().unwrap()).unwrap();
    let agreement = Agreement::of(&marks, &marks);
    assert_eq!((agreement.both(), agreement.observed(), agreement.kappa()), (1, Some(1.0), None));
}

#[test]
fn a_repair_is_shown_before_it_is_written() {
    let mut state = open("samples/gemini-characters.json");
    press(&mut state, WIDE, "F");
    let shown = screen(&state, 120, 36);
    let first: Vec<&str> =
        shown.lines().skip(6).take(6).map(|line| line.trim_matches(['│', ' ', '┃'])).collect();
    assert_eq!(
        first,
        [
            "support 1",
            "named “O pão de queijo 🧀 nasceu em Minas Gerais no século X”",
            "will name “O pão de queijo 🧀 nasceu em Minas Gerais no século XVIII.”",
            "$.candidates[0].groundingMetadata.groundingSupports[0].segment",
            "- endIndex: 57",
            "+ endIndex: 62",
        ]
    );
    assert!(state.wants.is_empty());
    press(&mut state, WIDE, "Enter");
    assert_eq!(state.wants, [Want::Repair(false)]);
    press(&mut state, WIDE, "F I");
    assert_eq!(state.wants, [Want::Repair(false), Want::Repair(true)]);
    let mut fits = open("samples/gemini-search.json");
    press(&mut fits, WIDE, "F");
    assert_eq!(fits.notice.as_ref().unwrap().text, "nothing to repair: every offset fits");
}

#[test]
fn exports_are_written_under_a_name_that_is_asked_for() {
    let mut state = open(WRONG);
    press(&mut state, WIDE, "w n");
    assert!(screen(&state, 120, 36).contains("write to: gemini-retrieval-scores.footnotes.md▏"));
    press(&mut state, WIDE, "Enter");
    // The shell looks whether the name is free, then writes.
    let [Want::FreeName, Want::Write(name, text)] = &state.wants[..] else { panic!("{:?}", state.wants) };
    assert!(name == "gemini-retrieval-scores.footnotes.md" && text.contains("[^1]: [Tower survey"), "{text}");
}

#[test]
fn the_place_of_the_selection_is_edited_and_its_json_is_piped() {
    let mut state = open(WRONG);
    press(&mut state, WIDE, "Right E ! w c Enter");
    let [Want::Edit(file, line, _), Want::Pipe(command, json)] = &state.wants[..] else {
        panic!("{:?}", state.wants)
    };
    assert_eq!((file.as_str(), command.as_str()), (WRONG, "wc"));
    let sent = std::fs::read_to_string(WRONG).unwrap();
    assert!(sent.lines().nth(line - 1).unwrap().contains('{'));
    assert!(json.contains("\"groundingChunkIndices\""), "{json}");
}

#[test]
fn a_source_without_text_is_given_one_to_compare_with() {
    let mut state = open("samples/gemini-search.json");
    press(&mut state, WIDE, "A");
    let geometry = layout(&state, 120, 36);
    let text = "Veldhaven: cloudy, 14 °C (57 °F). Showers are expected after 17:00.";
    citescope::tui::update::update(&mut state, &geometry, &crossterm::event::Event::Paste(text.to_owned()));
    press(&mut state, WIDE, "Enter");
    let shown = screen(&state, 120, 36);
    assert!(shown.contains("! the number 16 is in none of the cited chunks"), "{shown}");
    assert!(shown.contains("! 1 number missing"), "{shown}");
    press(&mut state, WIDE, "A");
    assert_eq!(state.notice.as_ref().unwrap().text, "this source carries its own text");
    let mut named = open("samples/gemini-search.json");
    press(&mut named, WIDE, "A p a g e Enter");
    assert_eq!(named.wants, [Want::Attach(0, "page".to_owned())]);
}

#[test]
fn claims_are_held_against_all_sources() {
    let mut state = open(WRONG);
    press(&mut state, WIDE, "X");
    let shown = screen(&state, 120, 36);
    let row = shown.lines().find(|line| line.contains("  3 ! In still air")).unwrap();
    // The third source holds it, the fourth is cited.
    assert!(row.contains(" █  [ ]"), "{row}");
    press(&mut state, WIDE, "Down Down Enter");
    assert_eq!((state.span, state.overlays.len()), (2, 0));
}

#[test]
fn json_folds_at_the_cursor() {
    let mut state = open(WRONG);
    press(&mut state, WIDEST, "r Down");
    let before = screen(&state, 200, 60);
    assert!(before.contains("\"groundingChunkIndices\": [") && !before.contains("lines …"), "{before}");
    press(&mut state, WIDEST, "Enter");
    assert!(screen(&state, 200, 60).contains("\"groundingChunkIndices\": [ … 2 lines … ],"));
    press(&mut state, WIDEST, "Enter");
    assert_eq!(screen(&state, 200, 60), before);
}

#[test]
fn what_lies_over_the_screen_stands_beside_the_selection() {
    for (width, height) in [MIDDLE, WIDE, WIDEST] {
        let mut state = open(WRONG);
        press(&mut state, (width, height), "Enter");
        let shown = screen(&state, width, height);
        assert!(shown.lines().any(|line| line.starts_with("▌!")), "{shown}");
    }
}

#[test]
fn every_command_of_the_table_does_something() {
    for binding in citescope::tui::keymap::BINDINGS.iter() {
        let mut state = open(WRONG);
        let geometry = layout(&state, 120, 36);
        // A command that no branch takes breaks an assertion.
        citescope::tui::update::run(&mut state, &geometry, binding.command);
    }
}

#[test]
fn hints_of_the_footer_are_clicked() {
    let mut state = open(WRONG);
    let line = screen(&state, 120, 36);
    let footer = line.lines().last().unwrap();
    let at = footer.split("? help").next().unwrap().chars().count();
    click(&mut state, WIDE, at as u16, 35);
    assert_eq!(state.overlays.last().unwrap().0, Overlay::Help);
}

#[test]
fn what_is_read_again_shows_the_same_place() {
    let mut state = open("samples/gemini-long.json");
    press(&mut state, WIDE, ": 3 0 Enter 4");
    let (span, focus) = (state.span, state.focus);
    let session =
        std::sync::Arc::new(citescope::session::Session::open_file("samples/gemini-long.json".as_ref()));
    state.reopen(session, citescope::tui::table::Phase::Done);
    assert_eq!((state.span, state.focus), (span, focus));
    assert!(screen(&state, 120, 36).contains("claim 30 of 45"));
}
