//! The house as ARCHITECTURE.md draws it.

use std::fs;
use std::path::Path;

/// The rooms of the table, each with its row.
fn rooms() -> Vec<(String, usize)> {
    let text = fs::read_to_string("ARCHITECTURE.md").unwrap();
    let rows = text.lines().filter_map(|line| line.strip_prefix("| `"));
    let named = rows.enumerate().flat_map(|(row, line)| {
        let names = line.split(" | ").next().unwrap().split("`, `");
        names.map(|name| (name.trim_end_matches('`').to_owned(), row)).collect::<Vec<_>>()
    });
    named.collect()
}

/// Rust files below a folder.
pub fn files(folder: &Path, into: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && path.file_name().is_none_or(|name| name != "target") {
            files(&path, into);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            into.push(path.to_str().unwrap().replace('\\', "/"));
        }
    }
}

/// The room of what the crate's root passes on from it.
fn room_of(name: &str) -> &str {
    match name {
        "open" | "open_file" | "Session" | "RecordError" => "session",
        "Review" | "SourceRef" | "SupportRef" => "review",
        "InputError" => "store",
        "Finding" | "Response" | "Rule" | "Severity" => "model",
        room => room,
    }
}

/// Names behind `crate::` in the code of a file, its tests among it.
fn named(code: &str) -> Vec<&str> {
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    let behind = lines.flat_map(|line| line.split("crate::").skip(1));
    let names: Vec<&str> =
        behind.filter_map(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()).collect();
    assert!(!names.contains(&""), "an import of several rooms at once is not understood here");
    names
}

#[test]
fn a_room_imports_only_rooms_that_stand_below_it() {
    let rooms = rooms();
    let row = |name: &str| rooms.iter().find(|(room, _)| room == name).map(|(_, row)| *row);
    let mut all = Vec::new();
    files(Path::new("src"), &mut all);
    assert!(rooms.len() == 17 && all.len() > 200, "{} rooms, {} files", rooms.len(), all.len());
    let mut wrong = Vec::new();
    for file in all {
        let room = file.trim_start_matches("src/").split('/').next().unwrap().trim_end_matches(".rs");
        if ["lib", "main"].contains(&room) {
            continue;
        }
        let own = row(room).unwrap_or_else(|| panic!("{file}: no room of ARCHITECTURE.md"));
        let code = fs::read_to_string(&file).unwrap();
        for name in named(&code).into_iter().map(room_of).filter(|&name| name != room) {
            // One face starts the other.
            if row(name).is_some_and(|other| other < own || other == own && room != "cli") {
                wrong.push(format!("{file} imports {name}"));
            }
        }
    }
    assert_eq!(wrong, [""; 0]);
}

/// What is known of a format comes with the response, in its facts.
#[test]
fn anchors_evidence_and_rules_know_no_format_and_no_screen() {
    let mut all = Vec::new();
    for room in ["src/anchor", "src/check", "src/evidence"] {
        files(Path::new(room), &mut all);
    }
    all.retain(|file| file != "src/check/testing.rs" && !file.contains("tests"));
    assert!(all.len() > 80, "{}", all.len());
    let knows = |file: &String| {
        let code = fs::read_to_string(file).unwrap();
        named(&code).into_iter().map(room_of).any(|room| ["format", "tui"].contains(&room))
    };
    all.retain(knows);
    assert_eq!(all, [""; 0]);
}

/// Code is for rustfmt; a comment with a drawing, a table or JSON in it is as wide as that.
#[test]
fn comments_are_no_wider_than_code() {
    let mut all = Vec::new();
    for folder in ["src", "tests", "examples"] {
        files(Path::new(folder), &mut all);
    }
    let mut wide = Vec::new();
    for file in all {
        let code = fs::read_to_string(&file).unwrap();
        let comments = code.lines().filter(|line| line.trim_start().starts_with("//"));
        let words = comments.filter(|line| !line.contains(['"', '|', '─']));
        wide.extend(words.filter(|line| line.chars().count() > 110).map(|line| format!("{file}: {line}")));
    }
    assert_eq!(wide, [""; 0]);
}

/// What fits a screen can be read at once: files of fewer than 600 lines, functions of 60 at most. Tests may
/// hold more literal text.
#[test]
fn files_and_functions_are_short() {
    let mut all = Vec::new();
    for folder in ["src", "tests", "examples"] {
        files(Path::new(folder), &mut all);
    }
    let mut long = Vec::new();
    for file in all {
        let code = fs::read_to_string(&file).unwrap();
        let lines: Vec<&str> = code.lines().collect();
        if lines.len() >= 600 {
            long.push(format!("{file}: {} lines", lines.len()));
        }
        if !file.starts_with("src/") {
            continue;
        }
        for (at, line) in lines.iter().enumerate() {
            let Some(length) = function(&lines[at..]).filter(|&length| length > 60) else { continue };
            long.push(format!("{file}:{}: {length} lines: {line}", at + 1));
        }
    }
    assert_eq!(long, [""; 0]);
}

/// How many lines the function has that begins with the first line: to the brace as far in as its head.
fn function(lines: &[&str]) -> Option<usize> {
    let head = lines[0].trim_start();
    let indent = &lines[0][..lines[0].len() - head.len()];
    let words = ["pub ", "pub(super) ", "pub(crate) ", "const "];
    let bare = words.iter().fold(head, |rest, word| rest.strip_prefix(word).unwrap_or(rest));
    let end = format!("{indent}}}");
    bare.strip_prefix("fn ")?;
    lines.iter().position(|line| *line == end).map(|last| last + 1)
}

#[test]
fn the_length_of_a_function_is_seen() {
    let code = ["    pub(super) fn a(", "        b: u8,", "    ) {", "        {}", "    }", "}"];
    assert_eq!((function(&code), function(&code[1..]), function(&code[3..])), (Some(5), None, None));
}
