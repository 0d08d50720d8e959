//! The real binary in a real pseudo-terminal: what a person at a keyboard gets.

use std::io::Write;
use std::time::{Duration, Instant};

use portable_pty::{CommandBuilder, PtySize};

use crate::common::program::program;
use crate::common::terminal::{PATIENCE, Terminal};

const RIGHT: &str = "\x1b[C";

#[test]
fn every_sample_opens_is_walked_is_copied_from_and_leaves_the_terminal_as_it_was() {
    for (name, _) in citescope::cli::SAMPLES.iter() {
        let path = format!("samples/{name}");
        let mut terminal = Terminal::open(&[&path]);
        terminal.until("citescope");
        terminal.until(name);
        let session = citescope::session::Session::open_file(path.as_ref());
        let counts: Vec<usize> = session.reviews().map(|review| review.unwrap().spans.len()).collect();
        // The list comes first where there are several responses, at the first one with citations; pieces of
        // a stream are one with their answer.
        let mut state = crate::common::screen::of(session);
        state.refresh();
        if state.table.shown() > 1 {
            terminal.until("Enter show");
            terminal.press("\r");
        }
        let mut passed = 0;
        let spans = counts.iter().copied().find(|&count| count > 0).unwrap_or(0);
        for number in 2..=spans {
            terminal.press(RIGHT);
            let wanted = format!("claim {number} of {spans}");
            // Sentences that cite nothing are walked, too, each by its number.
            while terminal.until_any(&[&wanted, &format!("sentence {} of", passed + 1)]) == 1 {
                passed += 1;
                terminal.press(RIGHT);
            }
        }
        terminal.press("yr");
        terminal.until("copied raw JSON of the selection sent to the terminal (OSC 52)");
        assert!(terminal.wrote(b"\x1b]52;"), "{name}");
        terminal.press("q");
        assert_eq!(terminal.ended(), 0, "{name}");
        terminal.assert_restored();
    }
}

#[test]
fn without_a_file_the_samples_open_as_a_list() {
    let mut terminal = Terminal::open(&[]);
    terminal.until("Responses");
    terminal.until("4 claims");
    terminal.press("\r");
    terminal.until("claim 1 of");
    terminal.press("q");
    assert_eq!(terminal.ended(), 0);
}

#[test]
fn a_pipe_is_read_and_keys_still_come_from_the_terminal() {
    let mut command = CommandBuilder::new("sh");
    command.args(["-c", &format!("cat samples/gemini-search.json | {}", program())]);
    let mut terminal = Terminal::run(&mut command, 100, 30);
    terminal.until("stdin");
    terminal.until("claim 1 of 4");
    terminal.press(RIGHT);
    terminal.until("claim 2 of 4");
    terminal.press("q");
    assert_eq!(terminal.ended(), 0);
    terminal.assert_restored();
}

#[test]
fn a_pipe_that_is_slow_does_not_leave_the_terminal_blank() {
    let mut command = CommandBuilder::new("sh");
    let program = program();
    command.args(["-c", &format!("(sleep 3; cat samples/gemini-search.json) | {program}")]);
    let mut terminal = Terminal::run(&mut command, 100, 30);
    terminal.until("citescope: reading the input … (Ctrl-C stops)");
    terminal.until("claim 1 of 4");
    assert!(!terminal.screen().contains("reading the input"), "{}", terminal.screen());
    terminal.press("q");
    assert_eq!(terminal.ended(), 0);
    terminal.assert_restored();
}

#[test]
fn a_change_of_size_is_followed() {
    let mut terminal = Terminal::open(&["samples/gemini-search.json"]);
    terminal.until("3 Queries 3 ─ 4 Trace 0");
    terminal.resize(130, 40);
    terminal.until("┬─ 2 Sources");
    terminal.press("q");
    assert_eq!(terminal.ended(), 0);
}

#[test]
fn sigterm_and_sighup_leave_the_terminal_as_it_was() {
    for (signal, code) in [("TERM", 128 + 15), ("HUP", 128 + 1)] {
        let mut terminal = Terminal::open(&["samples/gemini-search.json"]);
        terminal.until("claim 1 of 4");
        let pid = terminal.process().to_string();
        std::process::Command::new("kill").args(["-s", signal, &pid]).status().unwrap();
        assert_eq!(terminal.ended(), code);
        terminal.assert_restored();
    }
}

/// A terminal that tells of dark and light would take the keyboard away with it.
#[cfg(unix)]
#[test]
fn reports_that_another_program_asked_for_are_turned_off() {
    let mut terminal = Terminal::open(&["samples/gemini-search.json"]);
    terminal.until("claim 1 of 4");
    assert!(terminal.wrote(b"\x1b[?2031l"));
    terminal.press("q");
    assert_eq!(terminal.ended(), 0);
    terminal.assert_restored();
}

#[test]
fn a_signal_while_the_screen_is_taken_leaves_the_terminal_as_it_was() {
    for moment in [&b"\x1b[?1049h"[..], b"\x1b[?2004h", b"\x1b[?25l"].repeat(3) {
        let mut terminal = Terminal::open(&["samples/gemini-search.json"]);
        terminal.until_raw(moment);
        let pid = terminal.process().to_string();
        std::process::Command::new("kill").args(["-s", "TERM", &pid]).status().unwrap();
        assert_eq!(terminal.ended(), 128 + 15);
        terminal.assert_restored();
    }
}

#[cfg(unix)]
#[test]
fn a_signal_while_the_terminal_is_asked_for_its_colours_leaves_its_modes_as_they_were() {
    for signal in ["TERM", "INT", "HUP"] {
        // On a busy machine the signal may come when the program has given up asking and drawn its screen.
        let heard = (0..20).any(|_| ends_while_it_asks(signal));
        assert!(heard, "SIG{signal} never came while the terminal was asked");
    }
}

/// Whether the signal came before the screen was taken; the modes are as they were in any case.
#[cfg(unix)]
fn ends_while_it_asks(signal: &str) -> bool {
    let mut command = CommandBuilder::new("sh");
    let program = format!("read _; unset COLORFGBG; exec {} samples/gemini-search.json", program());
    command.args(["-c", &program]);
    let mut terminal = Terminal::run(&mut command, 100, 30);
    // The program begins once its modes are known.
    let before = terminal.master.get_termios().unwrap();
    terminal.press("\n");
    terminal.until_raw(b"\x1b]11");
    // Nobody answers.
    let child = terminal.process().to_string();
    assert!(std::process::Command::new("kill").args(["-s", signal, &child]).status().unwrap().success());
    let code = terminal.ended();
    assert_eq!(terminal.master.get_termios().unwrap(), before, "{signal}");
    terminal.assert_restored();
    let taken = terminal.wrote(b"\x1b[?1049h");
    assert!(code != 0 || taken, "{signal}");
    !taken
}

#[test]
fn no_color_means_no_colour_and_the_selection_is_still_seen() {
    let mut command = CommandBuilder::new(program());
    command.args(["--color", "never", "samples/gemini-search.json"]);
    let mut terminal = Terminal::run(&mut command, 100, 30);
    // The footer is drawn last.
    terminal.until("q quit");
    let screen = terminal.parser.screen();
    let cells: Vec<_> =
        (0..30).flat_map(|row| (0..100).filter_map(move |column| screen.cell(row, column))).collect();
    assert!(
        cells
            .iter()
            .all(|cell| cell.fgcolor() == vt100::Color::Default && cell.bgcolor() == vt100::Color::Default)
    );
    assert!(cells.iter().filter(|cell| cell.inverse()).count() > 40);
    terminal.press("q");
    terminal.ended();
}

#[test]
fn a_file_that_is_no_response_never_takes_the_screen() {
    let mut terminal = Terminal::open(&["Cargo.toml"]);
    assert_eq!(terminal.ended(), 2);
    assert!(terminal.screen().contains("not JSON"), "{}", terminal.screen());
    assert!(!terminal.wrote(b"\x1b[?1049h"));
}

#[test]
fn a_million_lines_are_opened_sorted_filtered_and_jumped_in() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("million.jsonl");
    let mut file = std::io::BufWriter::new(std::fs::File::create(&path).unwrap());
    for number in 0..1_000_000 {
        writeln!(
            file,
            r#"{{"candidates":[{{"content":{{"parts":[{{"text":"Park {number} opens at nine."}}]}}}}],"responseId":"r{number}"}}"#
        )
        .unwrap();
    }
    file.flush().unwrap();
    drop(file);
    let mut terminal = Terminal::open(&[path.to_str().unwrap()]);
    // The first rows are there long before the last line is found.
    terminal.until("Park 3 opens at nine.");
    terminal.until("1/1000000");
    terminal.press("W");
    terminal.until("the worst first");
    terminal.press("WG");
    terminal.until("Park 999999 opens at nine.");
    terminal.press("g/Park 17");
    terminal.until("Filter: Park 17");
    terminal.until("Park 17 opens at nine.");
    terminal.press("\r\r");
    terminal.until("18/1000000");
    terminal.press("q");
    assert_eq!(terminal.ended(), 0);
    terminal.assert_restored();
}

#[test]
fn every_key_of_a_burst_counts() {
    let mut terminal = Terminal::open(&["samples/gemini-search.json"]);
    terminal.until("quit");
    // More than a terminal hands over at once; the last one ends the program.
    terminal.press(&format!("{}q", "jk".repeat(3000)));
    assert_eq!(terminal.ended(), 0);
    terminal.assert_restored();
}

#[cfg(unix)]
#[test]
fn keys_that_are_typed_while_the_terminal_is_asked_for_its_colours_count() {
    let begin = || {
        let mut command = CommandBuilder::new("sh");
        let program = format!("unset COLORFGBG; exec {} samples/gemini-search.json", program());
        command.args(["-c", &program]);
        let mut terminal = Terminal::run(&mut command, 100, 30);
        terminal.until_raw(b"\x1b[c");
        terminal
    };
    // Nobody answers.
    let mut terminal = begin();
    terminal.press("llq");
    assert_eq!(terminal.ended(), 0);
    terminal.assert_restored();
    // Before, within and behind the answer.
    let mut terminal = begin();
    terminal.press("l\x1b]10;rgb:0000/0000/0000\x1b\\\x1b[C\x1b]11;rgb:ffff/ffff/ffff\x07\x1b[?62;22c");
    terminal.until("claim 3 of 4");
    terminal.press("q");
    assert_eq!(terminal.ended(), 0);
    terminal.assert_restored();
}

#[test]
fn ctrl_c_is_heard_while_the_program_is_at_work() {
    // A document of one long answer keeps the program at work for a while when it is opened.
    let folder = tempfile::tempdir().unwrap();
    let answer = "A word and *another* one, [cited](https://e.example/a). ".repeat(40_000);
    let chunks = r#"[{"retrievedContext": {"title": "t", "text": "A word and another one."}}]"#;
    let supports: Vec<String> = (0..20_000)
        .map(|n| {
            format!(
                r#"{{"segment": {{"startIndex": {}, "endIndex": {}}}, "groundingChunkIndices": [0]}}"#,
                n * 50,
                n * 50 + 40
            )
        })
        .collect();
    let text = format!(
        r#"{{"candidates": [{{"content": {{"parts": [{{"text": {}}}]}}, "groundingMetadata": {{"groundingChunks": {chunks}, "groundingSupports": [{}]}}}}]}}"#,
        serde_json::Value::from(answer),
        supports.join(",")
    );
    let file = folder.path().join("long.json");
    std::fs::write(&file, text).unwrap();
    let mut terminal = Terminal::open(&[file.to_str().unwrap()]);
    while !terminal.parser.screen().alternate_screen() {
        terminal.take(Duration::from_millis(5));
    }
    terminal.press("\x03");
    let code = terminal.ended();
    assert!(code == 0 || code == 130, "{code}");
    terminal.assert_restored();
}

#[test]
fn a_signal_in_the_middle_of_a_frame_leaves_nothing_of_it() {
    for pause in 0..12 {
        let mut terminal = Terminal::open(&["samples/gemini-search.json"]);
        terminal.until("quit");
        // Each key draws another frame.
        terminal.press(&"jlkh".repeat(200));
        std::thread::sleep(Duration::from_millis(pause));
        let pid = terminal.process().to_string();
        assert!(std::process::Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
        assert_eq!(terminal.ended(), 143);
        terminal.assert_restored();
        let left = terminal.screen();
        assert!(left.trim().is_empty(), "after {pause} ms: {left:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_terminal_that_vanishes_without_a_signal_ends_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let told = folder.path().join("pid");
    let mut command = CommandBuilder::new("sh");
    let script =
        format!("setsid {} samples/gemini-search.json & echo $! > {}; wait", program(), told.display());
    // A program in the background of a shell has no standard input but what it is given.
    command.args(["-c", &script.replacen(" &", " < /proc/self/fd/2 &", 1)]);
    let mut terminal = Terminal::run(&mut command, 100, 30);
    terminal.until("quit");
    // The shell may write the number after the program has drawn.
    let begun = Instant::now();
    let pid = loop {
        let pid = std::fs::read_to_string(&told).unwrap_or_default();
        if pid.ends_with('\n') {
            break pid.trim().to_owned();
        }
        assert!(begun.elapsed() < PATIENCE, "the shell tells no process");
        std::thread::sleep(Duration::from_millis(10));
    };
    let Terminal { master, mut writer, output, .. } = terminal;
    // The thread that reads holds the terminal, too, until it has something to say and nobody listens.
    drop(output);
    writer.write_all(RIGHT.as_bytes()).unwrap();
    std::thread::sleep(Duration::from_millis(500));
    drop((master, writer));
    let begun = Instant::now();
    // Gone, or waiting to be seen off by its parent.
    let state = || std::fs::read_to_string(format!("/proc/{pid}/stat")).ok();
    while state().is_some_and(|stat| !stat.contains(") Z ")) {
        assert!(begun.elapsed() < PATIENCE, "{:?}", state());
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_terminal_of_any_size_is_drawn_on() {
    let mut command = CommandBuilder::new(program());
    command.args(["samples/gemini-search.json"]);
    let mut terminal = Terminal::run(&mut command, 100, 30);
    terminal.until("quit");
    for (columns, rows) in [(60_000, 60_000), (1, 1), (120, 0), (1, 0), (0, 30), (0, 0), (100, 30)] {
        let size = PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 };
        terminal.master.resize(size).unwrap();
        terminal.take(Duration::from_millis(300));
    }
    terminal.press("q");
    assert_eq!(terminal.ended(), 0);
}

#[test]
fn sizes_that_change_while_clusters_are_drawn_break_nothing() {
    let mut command = CommandBuilder::new(program());
    command.args(["samples/gemini-hindi-emoji.json"]);
    let mut terminal = Terminal::run(&mut command, 200, 50);
    terminal.until("quit");
    for number in 0..120_u64 {
        let (cols, rows) = if number % 2 == 0 { (80, 12) } else { (200, 50) };
        terminal.master.resize(PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }).unwrap();
        terminal.press(RIGHT);
        std::thread::sleep(Duration::from_millis(2 + number % 7));
        terminal.take(Duration::from_millis(1));
    }
    terminal.press("\x1b\x1bqq");
    assert_eq!(terminal.ended(), 0);
    terminal.assert_restored();
}

/// Found by random keys: crossterm counts columns and rows of the mouse from 1, and terminals need not.
#[test]
fn a_mouse_outside_of_the_screen_ends_nothing() {
    let mut terminal = Terminal::open(&["samples/gemini-search.json"]);
    terminal.until("quit");
    for press in
        ["\x1b[M\t\t\t", "\x1b[M   ", "\x1b[<0;0;0M\x1b[<0;0;0m", "\x1b[<64;0;0M", "\x1b[<0;65535;65535M"]
    {
        terminal.press(press);
        terminal.take(Duration::from_millis(100));
    }
    terminal.press(RIGHT);
    terminal.until("claim 2 of 4");
    terminal.press("q");
    assert_eq!(terminal.ended(), 0);
    terminal.assert_restored();
}

#[test]
fn a_person_clicks_finds_decides_and_zooms() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("answer.json");
    std::fs::copy("samples/gemini-retrieval-scores.json", &file).unwrap();
    let mut terminal = Terminal::open(&[file.to_str().unwrap()]);
    terminal.until("claim 1 of 4");
    // The second row of the answer, where the second claim stands at the end.
    let row = terminal.screen().lines().position(|line| line.contains("The lamp was")).unwrap() + 1;
    let line = terminal.screen().lines().nth(row - 1).unwrap().to_owned();
    let column = line.split("The lamp").next().unwrap().chars().count() + 2;
    terminal.press(&format!("\x1b[<0;{column};{row}M\x1b[<0;{column};{row}m"));
    terminal.until("claim 2 of 4");
    terminal.press("+");
    terminal.until("marked right · a adds a note");
    terminal.press("asure of it\r");
    terminal.until("noted");
    terminal.press(":matrix\r");
    terminal.until("Claims × sources");
    terminal.press("q");
    terminal.until("+ marked right");
    terminal.press("/fog");
    terminal.until("match 1 of 2 for “fog”");
    terminal.press("\r2z");
    terminal.until("2 Sources  this claim: 1 of 5 ─");
    terminal.press("zq");
    assert_eq!(terminal.ended(), 0);
    terminal.assert_restored();
    let kept = std::fs::read_to_string(folder.path().join("answer.json.review.jsonl")).unwrap();
    assert!(kept.contains("\"id\":\"1.1:96-195\",\"label\":\"right\",\"note\":\"sure of it\""), "{kept}");
}

#[test]
fn a_file_that_changes_is_read_again_and_a_broken_one_leaves_the_last_good_answer() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("answer.json");
    std::fs::copy("samples/gemini-search.json", &file).unwrap();
    let mut terminal = Terminal::open(&["--watch", file.to_str().unwrap()]);
    terminal.until("Veldhaven is cloudy");
    std::fs::copy("samples/gemini-retrieval-scores.json", &file).unwrap();
    terminal.until("read again");
    terminal.until("The Ellary Point lighthouse");
    std::fs::write(&file, "{\"candidates\": [{\"content\"").unwrap();
    terminal.until("not read again");
    assert!(terminal.screen().contains("The Ellary Point lighthouse"), "{}", terminal.screen());
    std::fs::remove_file(&file).unwrap();
    terminal.until("is gone: what was read of it");
    std::fs::copy("samples/gemini-search.json", &file).unwrap();
    terminal.until("Veldhaven is cloudy");
    terminal.press("q");
    assert_eq!(terminal.ended(), 0);
    terminal.assert_restored();
}

#[test]
fn a_file_that_changes_is_noticed_without_being_asked_and_read_again_by_a_key() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("answer.json");
    std::fs::copy("samples/gemini-search.json", &file).unwrap();
    let mut terminal = Terminal::open(&[file.to_str().unwrap()]);
    terminal.until("Veldhaven is cloudy");
    std::fs::copy("samples/gemini-retrieval-scores.json", &file).unwrap();
    terminal.until("has changed since it was opened: R reads it again");
    assert!(terminal.screen().contains("Veldhaven is cloudy"), "{}", terminal.screen());
    terminal.press("R");
    terminal.until("The Ellary Point lighthouse");
    std::fs::remove_file(&file).unwrap();
    terminal.until("is gone: what was read of it is shown");
    terminal.press("q");
    assert_eq!(terminal.ended(), 0);
    terminal.assert_restored();
}

/// A repair that takes a while says nothing beside the screen.
#[test]
fn a_long_file_is_repaired_and_the_screen_stays_whole() {
    let sent = std::fs::read_to_string("samples/gemini-search.json").unwrap();
    let sent: serde_json::Value = serde_json::from_str(&sent).unwrap();
    let mut lines = String::new();
    for number in 0..6000 {
        let mut line = sent.clone();
        line["responseId"] = format!("r{number}").into();
        if number == 0 {
            let segment = "/candidates/0/groundingMetadata/groundingSupports/0/segment";
            let segment = line.pointer_mut(segment).unwrap();
            (segment["startIndex"], segment["endIndex"]) = (3.into(), 90.into());
        }
        lines.push_str(&format!("{line}\n"));
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("answers.jsonl");
    std::fs::write(&file, lines).unwrap();
    let mut terminal = Terminal::open(&[file.to_str().unwrap()]);
    terminal.until("1 of 6000 doubtful");
    terminal.press("\r");
    terminal.until("─ 1 Answer");
    terminal.press("F");
    terminal.until("─ Repair ─");
    terminal.press("I");
    terminal.until("1 support repaired (2 numbers), 0 left");
    terminal.until("all offsets fit");
    let screen = terminal.screen();
    assert!(screen.starts_with(" citescope  answers.jsonl 1/"), "{screen}");
    assert!(!screen.contains("Repair") && !screen.contains("a second"), "{screen}");
    terminal.press("q");
    assert_eq!(terminal.ended(), 0);
    terminal.assert_restored();
}

/// What is repaired is what was shown. What a command says of the input on standard error is no matter of the
/// screen.
#[test]
fn a_file_that_changed_meanwhile_is_repaired_when_it_is_read_again_and_nothing_is_written_over_the_screen() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("answer.json");
    std::fs::copy("samples/gemini-characters.json", &file).unwrap();
    let mut terminal = Terminal::open(&[file.to_str().unwrap()]);
    terminal.until("quit");
    let whole = std::fs::read_to_string(&file).unwrap();
    let changed = format!("{whole}\n{{\"note\": \"new\"}}\n");
    std::fs::write(&file, &changed).unwrap();
    terminal.press("F");
    terminal.until("─ Repair ─");
    terminal.press("I");
    terminal.until("answer.json has changed since it was opened: R reads it again");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), changed);
    terminal.press("R");
    terminal.until("read again");
    terminal.press("F");
    terminal.until("─ Repair ─");
    terminal.press("I");
    terminal.until("not all of it could be read");
    assert!(!terminal.wrote(b"citescope: "), "{}", terminal.screen());
    assert!(std::fs::read_to_string(&file).unwrap().ends_with("\n{\"note\": \"new\"}\n"));
    terminal.press("q");
    terminal.ended();
    terminal.assert_restored();
}

/// crossterm reads on until a sequence is whole: what waits for it must not wait for the next key.
#[test]
fn the_beginning_of_a_sequence_holds_nothing_up() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("answer.json");
    std::fs::copy("samples/gemini-search.json", &file).unwrap();
    let mut terminal = Terminal::open(&["--watch", file.to_str().unwrap()]);
    terminal.until("Veldhaven is cloudy");
    // What is asked of the terminal at the beginning is over.
    terminal.take(Duration::from_secs(1));
    // Alt-[, and a paste that the line cut off.
    for (begun, end, sample, words) in [
        ("\x1b[", "B", "gemini-retrieval-scores.json", "The Ellary Point lighthouse"),
        ("\x1b[200~text", "\x1b[201~", "gemini-search.json", "Veldhaven is cloudy"),
    ] {
        terminal.press(begun);
        terminal.take(Duration::from_millis(200));
        std::fs::copy(format!("samples/{sample}"), &file).unwrap();
        terminal.until(words);
        terminal.press(end);
        terminal.take(Duration::from_millis(200));
    }
    terminal.press("q");
    assert_eq!(terminal.ended(), 0);
    terminal.assert_restored();
}
