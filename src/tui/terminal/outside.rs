//! Programs and files outside of the screen: the user's editor, commands of the shell, new files.

use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Bytes of what a command says that are shown.
const SHOWN: usize = 1 << 20;
/// How long a command may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// How long what it left in the background may hold its output.
const GRACE: Duration = Duration::from_millis(500);

/// The user's editor and its arguments for a place of a file.
pub(super) fn editor(setting: &str, file: &str, line: usize, column: usize) -> Option<(String, Vec<String>)> {
    let mut words = setting.split_whitespace().map(str::to_owned);
    let program = words.next()?;
    let mut arguments: Vec<String> = words.collect();
    let name = Path::new(&program).file_stem()?.to_string_lossy().into_owned();
    match name.as_str() {
        "code" | "codium" | "code-insiders" | "cursor" => {
            arguments.extend(["-g".to_owned(), format!("{file}:{line}:{column}")]);
        }
        "hx" | "helix" | "subl" | "zed" => arguments.push(format!("{file}:{line}:{column}")),
        "nano" => arguments.extend([format!("+{line},{column}"), file.to_owned()]),
        "emacs" | "emacsclient" => arguments.extend([format!("+{line}:{column}"), file.to_owned()]),
        "vi" | "vim" | "nvim" | "view" | "kak" | "micro" | "ne" | "joe" | "less" => {
            arguments.extend([format!("+{line}"), file.to_owned()]);
        }
        _ => arguments.push(file.to_owned()),
    }
    Some((program, arguments))
}

/// A name that no file has yet: `answer.footnotes.md`, `answer.footnotes-2.md`.
pub(super) fn free_name(wanted: &str) -> String {
    let (stem, end) = wanted.rsplit_once('.').unwrap_or((wanted, ""));
    let others = (2..1000).map(|copy| format!("{stem}-{copy}.{end}"));
    let mut names = std::iter::once(wanted.to_owned()).chain(others);
    names.find(|name| !Path::new(name).exists()).unwrap_or_else(|| wanted.to_owned())
}

/// The name of a file that nobody takes for anything else: `+!command`, `-option`, `ssh:host:name`.
fn plain_name(file: &str) -> String {
    if Path::new(file).is_absolute() { file.to_owned() } else { format!("./{file}") }
}

/// Opens a place of a file in the user's editor and waits for its end.
pub(super) fn edit(file: &str, line: usize, column: usize) -> Result<String, String> {
    if !Path::new(file).is_file() {
        return Err(format!("{file} is no file that an editor could open"));
    }
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.trim().is_empty());
    let setting = set("VISUAL").or_else(|| set("EDITOR")).unwrap_or_else(|| "vi".to_owned());
    let (program, arguments) =
        editor(&setting, &plain_name(file), line, column).ok_or("$EDITOR names no program")?;
    match Command::new(&program).args(arguments).status() {
        Ok(status) if status.success() => Ok(format!("back from {program}")),
        Ok(status) => Err(format!("{program} ended with {status}")),
        Err(error) => Err(format!("{program} could not be started ({error}): set $VISUAL or $EDITOR")),
    }
}

/// Gives a text to a command of the shell; what it says. What it leaves running in the background is not
/// waited for.
pub(super) fn pipe(command: &str, text: String) -> Result<String, String> {
    let (shell, option) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
    let mut child = Command::new(shell)
        .args([option, command])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("{shell}: {error}"))?;
    if let Some(mut stdin) = child.stdin.take() {
        // A command that does not read all of it is within its rights.
        start(move || _ = stdin.write_all(text.as_bytes()))?;
    }
    let said = child.stdout.take().map(Heard::of).transpose()?;
    let failed = child.stderr.take().map(Heard::of).transpose()?;
    let begun = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if begun.elapsed() > PATIENCE => {
                // It may have ended this moment.
                let _ = child.kill();
                return Err(format!("ended after {} seconds: {command}", PATIENCE.as_secs()));
            }
            Ok(None) => thread::sleep(Duration::from_millis(5)),
            Err(error) => return Err(error.to_string()),
        }
    };
    let mut out: String = [said, failed].into_iter().flatten().map(Heard::text).collect();
    if !status.success() {
        out.push_str(&format!("\n({status})"));
    }
    Ok(if out.trim().is_empty() { "(it said nothing)".to_owned() } else { out })
}

fn start(work: impl FnOnce() + Send + 'static) -> Result<(), String> {
    thread::Builder::new().spawn(work).map(drop).map_err(|error| format!("cannot start a thread: {error}"))
}

/// What a stream says, as it comes.
struct Heard {
    bytes: Arc<Mutex<Vec<u8>>>,
    ended: Receiver<()>,
}

impl Heard {
    fn of(mut from: impl Read + Send + 'static) -> Result<Self, String> {
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let (end, ended) = channel();
        let into = Arc::clone(&bytes);
        start(move || {
            let mut piece = [0; 8192];
            while let Ok(count @ 1..) = from.read(&mut piece) {
                let mut bytes = into.lock().unwrap_or_else(PoisonError::into_inner);
                if bytes.len() < SHOWN {
                    bytes.extend_from_slice(piece.get(..count).unwrap_or_default());
                }
            }
            // Nobody may be waiting any more.
            let _ = end.send(());
        })?;
        Ok(Self { bytes, ended })
    }

    /// What was said until the end, or until nobody who would say more is waited for.
    fn text(self) -> String {
        let _ = self.ended.recv_timeout(GRACE);
        let bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(bytes.get(..bytes.len().min(SHOWN)).unwrap_or_default()).into_owned()
    }
}

/// Bytes of a page that are read.
const PAGE: u64 = 8 << 20;

/// The text of a file, if what was typed names one; a page of HTML without its tags. Else what was typed.
pub(super) fn text_of(typed: &str) -> Result<String, String> {
    let typed = at_home(typed);
    let typed = typed.as_str();
    if !Path::new(typed).is_file() {
        let looks_like_a_name = !typed.contains(' ') && (typed.contains('/') || typed.contains('.'));
        return if looks_like_a_name { Err(format!("{typed}: no such file")) } else { Ok(lines(typed)) };
    }
    let mut bytes = Vec::new();
    let file = std::fs::File::open(typed).map_err(|error| format!("{typed}: {error}"))?;
    file.take(PAGE).read_to_end(&mut bytes).map_err(|error| format!("{typed}: {error}"))?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let is_page = text.trim_start().starts_with('<');
    Ok(if is_page { crate::text::html_text(&text, 100) } else { lines(&text) })
}

/// A text with line ends of one kind: terminals paste carriage returns.
fn lines(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// A name whose `~/` is the user's folder.
fn at_home(name: &str) -> String {
    let home = std::env::var("HOME").ok().filter(|home| !home.is_empty());
    match (name.strip_prefix("~/"), home) {
        (Some(rest), Some(home)) => format!("{home}/{rest}"),
        _ => name.to_owned(),
    }
}

/// Writes a text to a new file; one that is there stays.
pub(super) fn write(name: &str, text: &str) -> Result<String, String> {
    let name = &at_home(name);
    let mut file = std::fs::File::create_new(name).map_err(|error| {
        if error.kind() == io::ErrorKind::AlreadyExists {
            format!("{name} is there already: choose another name")
        } else {
            format!("{name}: {error}")
        }
    })?;
    if let Err(error) = file.write_all(text.as_bytes()) {
        // What was begun is of no use, and its name is wanted.
        let _ = std::fs::remove_file(name);
        return Err(format!("{name}: {error}"));
    }
    Ok(format!("written to {name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn editors_are_told_the_place_in_their_own_way() {
        let of = |setting| {
            let (program, arguments) = editor(setting, "a b.json", 7, 3).unwrap();
            format!("{program} {}", arguments.join("|"))
        };
        assert_eq!(of("vim"), "vim +7|a b.json");
        assert_eq!(of("/usr/bin/nvim -R"), "/usr/bin/nvim -R|+7|a b.json");
        assert_eq!(of("code --wait"), "code --wait|-g|a b.json:7:3");
        assert_eq!(of("hx"), "hx a b.json:7:3");
        assert_eq!(of("notepad"), "notepad a b.json");
        assert_eq!(editor("  ", "x", 1, 1), None);
        assert_eq!(plain_name("+!touch x;:.json"), "./+!touch x;:.json");
        assert_eq!(plain_name("/a/b.json"), "/a/b.json");
    }

    #[test]
    fn a_name_that_is_taken_gives_way_to_the_next_free_one() {
        let folder = tempfile::tempdir().unwrap();
        let name = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        assert_eq!(free_name(&name("a.md")), name("a.md"));
        for taken in ["a.md", "a-2.md"] {
            std::fs::write(name(taken), "").unwrap();
        }
        assert_eq!(free_name(&name("a.md")), name("a-3.md"));
    }

    #[test]
    #[cfg(unix)]
    fn a_command_gets_the_text_and_what_it_says_is_shown() {
        assert_eq!(pipe("wc -c", "abc".to_owned()).unwrap().trim(), "3");
        assert_eq!(pipe("true", "x".repeat(1 << 20)).unwrap(), "(it said nothing)");
        let begun = Instant::now();
        assert_eq!(pipe("echo yes; sleep 300 &", String::new()).unwrap(), "yes\n");
        assert!(begun.elapsed() < PATIENCE);
        let failed = pipe("echo no >&2; exit 3", String::new()).unwrap();
        assert!(failed.starts_with("no\n") && failed.contains("exit status: 3"), "{failed}");
    }
}
