//! The program is stopped and continued by the shell that began it, and runs commands that have its terminal.

use std::time::Duration;

use portable_pty::CommandBuilder;

use crate::common::program::program;
use crate::common::terminal::Terminal;

#[test]
fn ctrl_z_gives_the_terminal_back_and_fg_takes_it_again() {
    let mut command = CommandBuilder::new("bash");
    command.args(["--norc", "--noprofile", "-i"]);
    let mut terminal = Terminal::run(&mut command, 100, 30);
    terminal.press(&format!("PS1='ready> '; {} samples/gemini-search.json\r", program()));
    terminal.until("claim 1 of 4");
    terminal.press("\x1a");
    terminal.until("Stopped");
    assert!(!terminal.parser.screen().alternate_screen());
    terminal.press("fg\r");
    terminal.until("claim 1 of 4");
    terminal.press("\x1b[C");
    terminal.until("claim 2 of 4");
    terminal.press("q");
    terminal.until("ready>");
    terminal.press("exit\r");
    terminal.ended();
    terminal.assert_restored();
}

/// A script around it stops with it: else the shell would wait for both, and nobody could type `fg`.
#[test]
fn ctrl_z_stops_the_script_around_it_too() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("look.sh");
    let binary = program();
    std::fs::write(&script, format!("{binary} samples/gemini-search.json\necho looked\n")).unwrap();
    let mut command = CommandBuilder::new("bash");
    command.args(["--norc", "--noprofile", "-i"]);
    let mut terminal = Terminal::run(&mut command, 100, 30);
    terminal.press(&format!("PS1='ready> '; sh {}\r", script.display()));
    // The shell takes the terminal as soon as the script has stopped: it has to be given back before that.
    for round in 0..6 {
        terminal.until("claim 1 of 4");
        terminal.press("\x1a");
        terminal.until("Stopped");
        assert!(!terminal.parser.screen().alternate_screen(), "round {round}");
        terminal.press("clear; fg\r");
    }
    terminal.until("claim 1 of 4");
    terminal.press("q");
    terminal.until("looked");
    terminal.press("exit\r");
    terminal.ended();
    terminal.assert_restored();
}

#[test]
fn ctrl_z_is_refused_where_no_shell_would_continue_it() {
    let mut terminal = Terminal::open(&["samples/gemini-search.json"]);
    terminal.until("claim 1 of 4");
    terminal.press("\x1a");
    terminal.until("not stopped: no shell is there to continue it");
    terminal.press("\x1b[C");
    terminal.until("claim 2 of 4");
    terminal.press("q");
    assert_eq!(terminal.ended(), 0);
    terminal.assert_restored();
}

/// Ctrl-C is a signal again, whatever a command made of it.
#[test]
fn what_a_command_does_to_the_terminal_ends_with_it() {
    for modes in ["-isig", "sane", "raw -echo"] {
        let mut terminal = Terminal::open(&["samples/gemini-search.json"]);
        terminal.until("claim 1 of 4");
        terminal.press("!");
        terminal.take(Duration::from_millis(300));
        terminal.press(&format!("stty {modes} </dev/tty\r"));
        terminal.until("What the command said");
        terminal.press("\x03");
        terminal.ended();
        terminal.assert_restored();
    }
}

/// The rest of a paste would be typed into the shell, which runs it.
#[test]
fn nothing_of_a_paste_with_ctrl_c_in_it_reaches_the_shell() {
    let folder = tempfile::tempdir().unwrap();
    let made = folder.path().join("made");
    for (keys, before, behind, piece) in [("A", 1000, 3000, 1400), ("A", 10, 400, 16), ("", 1000, 200, 1100)]
    {
        let mut command = CommandBuilder::new("bash");
        command.args(["--norc", "--noprofile", "-i"]);
        let mut terminal = Terminal::run(&mut command, 100, 30);
        terminal.press(&format!("PS1='ready> '; {} samples/gemini-search.json\r", program()));
        terminal.until("claim 1 of 4");
        terminal.press(keys);
        let words = format!("{}\x03{}", "a".repeat(before), "b".repeat(behind));
        let paste = format!("\x1b[200~{words}\ntouch {}\n\x1b[201~", made.display());
        for piece in paste.as_bytes().chunks(piece) {
            terminal.press(std::str::from_utf8(piece).unwrap());
            std::thread::sleep(Duration::from_millis(10));
        }
        terminal.until("ready>");
        terminal.press("echo all; exit\r");
        terminal.ended();
        assert!(!made.exists(), "{keys:?}");
    }
}
