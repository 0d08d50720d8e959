//! The real binary in a real pseudo-terminal for a long time: random keys, clicks and sizes while the file
//! grows and is replaced. `CITESCOPE_SOAK` says for how many seconds (3 unless told). It ends by a click on
//! `quit` only, its memory stays flat, and in the end the screen is the one that is drawn from nothing.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use portable_pty::CommandBuilder;

use crate::common::dice::Dice;
use crate::common::library::line;
use crate::common::program::program;
use crate::common::terminal::Terminal;

/// Keys that neither end the program nor start another one.
const LETTERS: &str = "jklhnpNPgGeyrdicumxbz123456/?SsWwvVMRtT{}[]<>:+- AaB";
const NAMED: &[&str] = &[
    "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\x1b[5~", "\x1b[6~", "\x1b[H", "\x1b[F", "\t", "\x1b[Z", "\r",
    "\x1b", "\x7f",
];

fn keys(dice: &mut Dice, (columns, rows): (u16, u16)) -> String {
    let letters: Vec<char> = LETTERS.chars().collect();
    let mut out = String::new();
    for _ in 0..=dice.below(6) {
        match dice.below(8) {
            0..4 => out.push(*dice.pick(&letters)),
            4..7 => out.push_str(dice.pick::<&str>(NAMED)),
            _ => {
                let place = |dice: &mut Dice, most: u16| 1 + dice.below(usize::from(most));
                let (column, row) = (place(dice, columns), place(dice, rows));
                let _ = write!(out, "\x1b[<{};{column};{row}M", dice.pick(&[0, 64, 65]));
            }
        }
    }
    out
}

/// The file with so many responses.
fn lives(path: &Path, responses: usize) {
    let thing =
        |number: usize| ["tower", "Brücke", "山の湯", "ferry"][number % 4].to_owned() + &number.to_string();
    let lines = (0..responses)
        .map(|number| line(&thing(number), &format!("e{}.example", number % 7), number % 3 > 0));
    let text: String = lines.map(|line| line + "\n").collect();
    fs::write(path, text).unwrap();
}

/// What is seen of a screen: each row with the looks of its cells.
fn seen(screen: &vt100::Screen) -> Vec<String> {
    let (rows, columns) = screen.size();
    let look = |cell: &vt100::Cell| {
        let blank = cell.contents().trim().is_empty() && !cell.underline();
        let ink = (cell.fgcolor(), cell.bold(), cell.dim(), cell.italic(), cell.underline());
        let ink = if blank && !cell.inverse() { String::new() } else { format!("{ink:?}") };
        format!("{}{ink}{:?}{}", cell.contents().trim(), cell.bgcolor(), cell.inverse())
    };
    let row = |row: u16| (0..columns.get()).filter_map(|column| screen.cell(row, column)).map(look).collect();
    (0..rows.get()).map(row).collect()
}

fn watching(path: &Path, (columns, rows): (u16, u16)) -> Terminal {
    let mut command = CommandBuilder::new(program());
    command.args(["--watch", path.to_str().unwrap()]);
    // What is exported is written there.
    command.cwd(path.parent().unwrap());
    for (name, value) in [("VISUAL", "true"), ("BROWSER", "true")] {
        command.env(name, value);
    }
    let mut terminal = Terminal::run(&mut command, columns, rows);
    while !terminal.parser.screen().alternate_screen() {
        terminal.take(Duration::from_millis(20));
    }
    terminal
}

/// Bytes of memory that a process holds; none where it has ended.
fn held(process: u32) -> Option<usize> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() << 10)
}

/// Lets a process go on that was told to wait in the background: the palette has a command for that.
fn continued(process: u32) {
    let stopped = fs::read_to_string(format!("/proc/{process}/stat")).is_ok_and(|stat| stat.contains(") T "));
    if stopped {
        let status = Command::new("kill").args(["-CONT", &process.to_string()]).status().unwrap();
        assert!(status.success());
    }
}

/// Bytes by which the second half of the time may take more than the first.
const FLAT: usize = 24 << 20;

#[test]
fn random_keys_and_a_file_that_lives_leave_memory_flat_and_the_screen_whole() {
    let seconds = std::env::var("CITESCOPE_SOAK").ok().and_then(|told| told.parse().ok()).unwrap_or(3);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("live.jsonl");
    lives(&path, 20);
    let mut size = (100, 30);
    let mut terminal = watching(&path, size);
    let (begun, mut dice) = (Instant::now(), Dice(20_261_125));
    let mut most = [0; 2];
    let mut responses = 20;
    while begun.elapsed() < Duration::from_secs(seconds) {
        let keys = keys(&mut dice, size);
        terminal.press(&keys);
        terminal.take(Duration::from_millis(10));
        if dice.below(20) == 0 {
            size = (20 + dice.below(160) as u16, 6 + dice.below(50) as u16);
            terminal.resize(size.0, size.1);
        }
        if dice.below(10) == 0 {
            responses = if responses < 400 { responses + dice.below(20) } else { 20 };
            lives(&path, responses);
        }
        let half = usize::from(begun.elapsed() > Duration::from_secs(seconds) / 2);
        continued(terminal.process());
        let Some(held) = held(terminal.process()) else {
            assert_eq!(terminal.ended(), 0, "behind {keys:?}: {}", terminal.said());
            terminal.assert_restored();
            terminal = watching(&path, size);
            continue;
        };
        most[half] = most[half].max(held);
        terminal.forget();
    }
    assert!(most[1] <= most[0] + FLAT, "{most:?} bytes");
    // What waits for an answer is left, and the last change of the file is read.
    terminal.press(&"\x1b".repeat(8));
    let left = Instant::now();
    while left.elapsed() < Duration::from_secs(3) {
        continued(terminal.process());
        terminal.take(Duration::from_millis(100));
    }
    terminal.still();
    let (shown, words) = (seen(terminal.parser.screen()), terminal.screen());
    terminal.resize(size.0 + 1, size.1);
    terminal.still();
    terminal.resize(size.0, size.1);
    terminal.still();
    assert!(shown == seen(terminal.parser.screen()), "{words}\nis not\n{}", terminal.screen());
    eprintln!("{most:?} bytes at most in either half of {seconds} s");
    terminal.press("\x03");
    assert_eq!(terminal.ended(), 0);
    terminal.assert_restored();
}
