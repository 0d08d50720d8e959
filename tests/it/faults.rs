//! Reads and writes that fail, at each call in turn: what came before is kept, the error is told, nothing
//! panics. In the library by readers and writers that count; in the program by strace, which makes calls of
//! the system fail.

use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use citescope::export::{ExportOptions, Make, TARGETS};
use citescope::session::{Batches, Supplied};
use portable_pty::CommandBuilder;
use serde_json::json;

use crate::common::library::{open, sample};
use crate::common::program::{command, program, run, text};
use crate::common::terminal::{PATIENCE, Terminal};

/// A text that comes a few bytes at a time and breaks off at a call.
struct Breaking {
    text: Vec<u8>,
    at: usize,
    calls: usize,
}

impl Read for Breaking {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.calls == 0 {
            return Err(io::Error::other("the disk is gone"));
        }
        self.calls -= 1;
        let rest = &self.text[self.at..];
        let count = rest.len().min(buffer.len()).min(97);
        buffer[..count].copy_from_slice(&rest[..count]);
        self.at += count;
        Ok(count)
    }
}

#[test]
fn what_was_read_before_an_error_is_kept_and_the_error_is_told() {
    let text = sample("gemini-batch.jsonl").as_bytes().to_vec();
    let ids = |session: &citescope::Session| -> Vec<Option<String>> {
        session.reviews().flatten().map(|review| review.response.id.clone()).collect()
    };
    let all = ids(&open("f", text.clone()));
    let mut complete = 0;
    for calls in 0..text.len() / 97 + 4 {
        let reader = Breaking { text: text.clone(), at: 0, calls };
        let (mut found, mut errors) = (Vec::new(), Vec::new());
        for piece in Batches::new("f", Box::new(reader), Supplied::default()) {
            match piece {
                Ok(session) => found.extend(ids(&session)),
                Err(error) => errors.push(error.to_string()),
            }
        }
        assert!(all.starts_with(&found), "{calls}: {found:?}");
        match errors.as_slice() {
            [] => complete += 1,
            [only] => assert!(only.contains("the disk is gone"), "{calls}: {only}"),
            several => panic!("{calls}: {several:?}"),
        }
    }
    assert!(complete >= 1, "with calls enough all is read");
}

/// An output that takes so many calls.
struct Full {
    taken: Vec<u8>,
    calls: usize,
}

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.calls == 0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.calls -= 1;
        // Not all of it at once either.
        let count = bytes.len().min(4096);
        self.taken.extend_from_slice(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.calls == 0 { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
    }
}

#[test]
fn an_output_that_takes_no_more_is_an_error_and_what_it_took_is_a_beginning() {
    for target in TARGETS {
        let write = |out: &mut dyn Write| {
            let session = open("f", sample("gemini-batch.jsonl"));
            let mut reviews = session.reviews().flatten();
            match target.make {
                Make::All(make) => make(&mut reviews, &ExportOptions::default(), out),
                Make::Page(make) => make(&reviews.next().unwrap(), &ExportOptions::default(), out),
                Make::One(_) => Ok(()),
            }
        };
        let mut whole = Vec::new();
        write(&mut whole).unwrap();
        let mut ended = false;
        for calls in (0..40).chain((40..).step_by(977)) {
            let mut out = Full { taken: Vec::new(), calls };
            let result = write(&mut out);
            assert!(whole.starts_with(&out.taken), "{}", target.id);
            match result {
                Ok(()) => {
                    assert!(out.taken == whole, "{}", target.id);
                    ended = true;
                    break;
                }
                Err(error) => assert_eq!(error.kind(), io::ErrorKind::StorageFull, "{}", target.id),
            }
        }
        assert!(ended);
    }
}

/// Calls of the system that a run makes of its own accord, with the error that each is given.
const FAILING: [(&str, &str); 11] = [
    ("openat", "EMFILE"),
    ("read", "EIO"),
    ("write", "ENOSPC"),
    ("statx", "EACCES"),
    ("fchmod", "EPERM"),
    ("fchown", "EPERM"),
    ("flistxattr", "ENOTSUP"),
    ("fsync", "EIO"),
    ("rename", "EXDEV"),
    ("unlink", "EACCES"),
    ("clone3", "EAGAIN"),
];

/// Runs the program with one call failing, its `when`th, or all from the `when`th on; whether there was such
/// a call.
fn failing(folder: &Path, args: &[&str], call: &str, error: &str, when: &str) -> (Output, bool) {
    let trace = folder.with_extension("trace");
    let output = Command::new("strace")
        .args(["-f", "-qq", "-o"])
        .arg(&trace)
        .args(["-e", &format!("trace={call}"), "-e", &format!("inject={call}:error={error}:when={when}")])
        .arg(program())
        .args(args)
        .env_remove("LD_LIBRARY_PATH")
        .current_dir(folder)
        .output()
        .unwrap();
    let traced = std::fs::read_to_string(trace).unwrap();
    (output, traced.contains("INJECTED"))
}

/// Whether strace is here and may watch.
fn can_fail() -> bool {
    let probe = Command::new("strace").args(["-o", "/dev/null", "true"]).output();
    probe.is_ok_and(|output| output.status.success())
}

/// Every call of a run in turn; what came of each run is handed over with its files.
fn with_each_call_failing(args: &[&str], text: &str, mut see: impl FnMut(&str, &Output, &str)) -> usize {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("work");
    let mut runs = 0;
    for (call, error) in FAILING {
        for when in 1.. {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join("f.json"), text).unwrap();
            let (output, failed) = failing(&folder, args, call, error, &when.to_string());
            if !failed {
                break;
            }
            // Before it has begun, the program has no say.
            if output.status.code() == Some(127) {
                continue;
            }
            let at = format!("{args:?}: {call} {when}: {:?}", String::from_utf8_lossy(&output.stderr));
            assert!(!at.contains("panicked"), "{at}");
            assert!(output.status.code().is_some(), "{at}");
            let left: Vec<_> =
                std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().file_name()).collect();
            assert!(left == ["f.json"], "{at}: {left:?}");
            see(&at, &output, &std::fs::read_to_string(folder.join("f.json")).unwrap());
            runs += 1;
        }
    }
    runs
}

#[test]
fn a_run_in_which_a_call_of_the_system_fails_says_so_or_does_all_the_same() {
    if !can_fail() {
        eprintln!("skipped: no strace that may watch a program");
        return;
    }
    let broken = sample("gemini-characters.json");
    let (_, repaired, _) = run(&["fix"], broken);
    for args in [["check", "f.json"].as_slice(), &["export", "--to", "json", "f.json"], &["fix", "f.json"]] {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("f.json"), broken).unwrap();
        let well = command().args(args).current_dir(folder.path()).output().unwrap();
        let runs = with_each_call_failing(args, broken, |at, output, file| {
            assert!(file == broken, "{at}");
            if output.status.code() == well.status.code() {
                assert!(output.stdout == well.stdout, "{at}");
            } else {
                assert_eq!(output.status.code(), Some(2), "{at}");
                let said =
                    if at.contains(": write ") { "the output cannot be written: " } else { "f.json: " };
                assert!(text(&output.stderr).starts_with(&format!("citescope: {said}")), "{at}");
            }
        });
        assert!(runs > 5, "{args:?}: {runs}");
    }
    let (mut done, mut refused) = (0, 0);
    with_each_call_failing(&["fix", "--in-place", "f.json"], broken, |at, output, file| {
        if output.status.success() {
            assert!(file == repaired, "{at}");
            done += 1;
        } else {
            assert!(file == broken, "{at}");
            refused += 1;
        }
    });
    assert!(done > 5 && refused > 5, "{done} {refused}");
}

/// Rules of a large response run side by side where the system starts threads.
#[test]
fn a_large_response_is_checked_where_no_thread_or_only_some_can_be_started() {
    if !can_fail() {
        eprintln!("skipped: no strace that may watch a program");
        return;
    }
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("work");
    std::fs::create_dir(&folder).unwrap();
    let supports = vec![json!({"segment": {"endIndex": 9}, "groundingChunkIndices": [3]}); 20_001];
    let parts = json!({"role": "model", "parts": [{"text": "It rains."}]});
    let grounding =
        json!({"groundingSupports": supports, "groundingChunks": [{"web": {"uri": "https://a.example/"}}]});
    let response =
        json!({"candidates": [{"content": parts, "finishReason": "STOP", "groundingMetadata": grounding}]});
    std::fs::write(folder.join("f.json"), response.to_string()).unwrap();
    let args = ["check", "--no-content", "f.json"];
    let well = command().args(args).current_dir(&folder).output().unwrap();
    assert!(text(&well.stdout).contains("error[source-index]: 20001 supports cite index 3"), "{well:?}");
    for when in ["1+", "2+", "3+", "4"] {
        let (output, _) = failing(&folder, &args, "clone3", "EAGAIN", when);
        assert_eq!(output.status.code(), Some(1), "{when}: {:?}", text(&output.stderr));
        assert!(output.stdout == well.stdout, "{when}");
    }
}

#[test]
fn a_screen_that_can_be_written_no_more_ends_the_program_with_an_error() {
    if !can_fail() {
        eprintln!("skipped: no strace that may watch a program");
        return;
    }
    for when in [1, 2, 3, 5, 6, 7, 8, 12, 19, 30] {
        let mut command = CommandBuilder::new("strace");
        command.args(["-f", "-qq", "-o", "/dev/null", "-e", "trace=write"]);
        command.args(["-e", &format!("inject=write:error=EIO:when={when}+")]);
        command.args([program(), "samples/gemini-search.json"]);
        command.env_remove("LD_LIBRARY_PATH");
        let mut terminal = Terminal::run(&mut command, 100, 30);
        // Each key is a frame, and some more writes. A terminal that nobody has open may take none for ever.
        let mut writer = std::mem::replace(&mut terminal.writer, Box::new(io::sink()));
        let ended = Arc::new(AtomicBool::new(false));
        let typist = Arc::clone(&ended);
        thread::spawn(move || {
            while !typist.load(Ordering::Relaxed) && writer.write_all(b"l").is_ok() {
                thread::sleep(Duration::from_millis(50));
            }
        });
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = terminal.child.try_wait().unwrap() {
                break status;
            }
            assert!(begun.elapsed() < PATIENCE, "{when}: it goes on");
            terminal.take(Duration::from_millis(50));
        };
        ended.store(true, Ordering::Relaxed);
        assert_eq!(status.exit_code(), 2, "{when}: {}", terminal.said());
    }
}
