//! The memory that the program holds of records with very many of one thing, as the system counts it: every
//! list of every sample filled with its elements, with little text in them and with none; and every field
//! given a list of small objects. `cargo bench --bench room`, with a word behind `--` only the cases whose
//! name holds it; it fails where more is held than 50 MB and four times the input, and a tenth of that. Only
//! Linux tells.

mod shapes;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use citescope::cli::SAMPLES;
use serde_json::{Value, json};
use shapes::{Document, kind_of_place, walk};

/// Elements of a filled list.
const COUNTS: [usize; 2] = [15_000, 50_000];
/// Objects in the place of a field.
const OBJECTS: usize = 120_000;
/// Larger inputs are not tried.
const LARGE: usize = 14_000_000;
/// Kinds of elements of a list that are tried.
const KINDS: usize = 6;
/// Keys whose words say what an element is.
const TELLING: [&str; 12] =
    ["type", "kind", "role", "status", "object", "state", "event", "format", "unit", "name", "id", "schema"];
const COMMANDS: [&[&str]; 2] = [&["check"], &["export", "--to", "json"]];

/// Bytes that the program may hold of an input.
fn bound(input: usize) -> usize {
    (50_000_000 + 4 * input) / 10 * 11
}

/// Bytes that it held at most. They are looked at while it runs.
fn held(command: &[&str], file: &Path) -> usize {
    let mut run = Command::new(env!("CARGO_BIN_EXE_citescope"));
    run.args(command).arg(file).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let Ok(mut child) = run.spawn() else { return usize::MAX };
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    while let Ok(None) = child.try_wait() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let bytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<usize>().ok());
        most = most.max(bytes.unwrap_or_default() << 10);
        std::thread::sleep(Duration::from_millis(1));
    }
    most
}

/// An element with the first sign of each of its texts, and of each list the first element.
fn short(value: &Value, key: &str) -> Value {
    match value {
        Value::Object(object) => object.iter().map(|(key, value)| (key.clone(), short(value, key))).collect(),
        Value::Array(list) => list.iter().take(1).map(|value| short(value, key)).collect(),
        Value::String(text) if !is_telling(key, text) => text.chars().take(1).collect::<String>().into(),
        other => other.clone(),
    }
}

fn is_telling(key: &str, text: &str) -> bool {
    TELLING.contains(&key) || text.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
}

/// An object with what says what it is, and nothing else.
fn bare(value: &Value) -> Value {
    let Value::Object(object) = value else { return value.clone() };
    let telling = object.iter().filter(|(key, _)| TELLING.contains(&key.as_str()));
    telling.map(|(key, value)| (key.clone(), short(value, key))).collect()
}

/// A kind of element of a list.
fn kind(value: &Value) -> String {
    let keys = value.as_object().map(|object| object.keys().cloned().collect::<Vec<_>>().join(","));
    format!("{}{}", value["type"], keys.unwrap_or_default())
}

/// Inputs of a document, each with its name: a place of each kind once, in all documents.
fn inputs(document: &Document, seen: &mut BTreeSet<String>, each: &mut impl FnMut(&str, &str)) {
    for (frame, value) in document.frames.iter().enumerate() {
        let (mut lists, mut texts) = Default::default();
        walk(value, "", &mut lists, &mut texts);
        let mut put = |name: &str, pointer: &str, put: Value| {
            let mut frames = document.frames.clone();
            if let Some(place) = frames[frame].pointer_mut(pointer) {
                *place = put;
            }
            let text = Document { frames, ..*document }.text();
            if text.len() <= LARGE {
                each(&format!("{} {pointer} {name}", document.name), &text);
            }
        };
        for pointer in lists {
            let Some(Value::Array(list)) = value.pointer(&pointer) else { continue };
            let place = kind_of_place(&pointer);
            let mut is_new = |element: &&Value| seen.insert(format!("{place} {}", kind(element)));
            for element in list.iter().filter(&mut is_new).take(KINDS) {
                for (name, element) in [("short", short(element, "")), ("bare", bare(element))] {
                    for count in COUNTS {
                        let mut filled = vec![element.clone(); count];
                        filled.extend(list.last().cloned());
                        put(&format!("{name} {count}"), &pointer, filled.into());
                    }
                }
            }
        }
        texts.retain(|pointer| seen.insert(kind_of_place(pointer)));
        for pointer in texts {
            put("objects", &pointer, vec![json!({"text": "a"}); OBJECTS].into());
        }
    }
}

fn main() -> ExitCode {
    let word = std::env::args().skip(1).find(|word| !word.starts_with('-')).unwrap_or_default();
    let Ok(folder) = tempfile::tempdir() else { return ExitCode::FAILURE };
    let file = folder.path().join("input");
    let (mut run, mut failed, mut seen) = (0, 0, BTreeSet::new());
    for (name, text) in SAMPLES.iter() {
        let Some(document) = Document::of(name, text) else { continue };
        inputs(&document, &mut seen, &mut |name, text| {
            if !name.contains(&word) || std::fs::write(&file, text).is_err() {
                return;
            }
            for command in COMMANDS {
                run += 1;
                let held = held(command, &file);
                if held > bound(text.len()) {
                    failed += 1;
                    let (held, input) = (held as f64 / 1e6, text.len() as f64 / 1e6);
                    println!("{name}: {} {held:.0} MB of {input:.1} MB", command.join(" "));
                }
            }
        });
    }
    println!("{run} runs, {failed} above 50 MB and four times the input");
    ExitCode::from(u8::from(failed > 0))
}
