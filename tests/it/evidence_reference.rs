//! `citescope score` equals the plain reference scorer on a fixed sample of labelled claims. Runs where
//! `CITESCOPE_CORPUS` names a folder with `attribution`, python3 is there, and `../tools` beside it has the
//! reference.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::common::library::corpus;
use crate::common::program::command;

/// Claims a set, at most: spread evenly over it.
const SAMPLE: usize = 150;

/// The sample of every set, as lines; none where something is missing.
fn sample(corpus: &Path) -> Option<Vec<(String, Vec<String>)>> {
    let mut sets = Vec::new();
    for folder in fs::read_dir(corpus.join("attribution")).ok()?.flatten() {
        let name = folder.file_name().to_string_lossy().into_owned();
        let text = fs::read_to_string(folder.path().join(format!("{name}.jsonl"))).ok()?;
        let lines: Vec<&str> = text.lines().collect();
        let step = lines.len().div_ceil(SAMPLE).max(1);
        sets.push((name, lines.into_iter().step_by(step).map(str::to_owned).collect()));
    }
    sets.sort();
    Some(sets)
}

/// What a program answers to lines.
fn answers(program: &mut Command, lines: &Path) -> Option<Vec<Value>> {
    let output =
        program.arg(lines).stderr(Stdio::inherit()).output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).unwrap();
    Some(text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

/// The windows by the order of the texts.
fn windows(answer: &Value) -> Vec<(u64, u64, u64, f64)> {
    let number = |window: &Value, key: &str| window[key].as_u64().unwrap();
    let all = answer["windows"].as_array().unwrap().iter();
    let mut windows: Vec<_> = all
        .map(|window| {
            (
                number(window, "text"),
                number(window, "start"),
                number(window, "end"),
                window["cover"].as_f64().unwrap(),
            )
        })
        .collect();
    windows.sort_by_key(|window| window.0);
    windows
}

fn check(id: &str, ours: &Value, theirs: &Value) {
    let near = |a: f64, b: f64| (a - b).abs() < 2e-6;
    let covers = (ours["cover"].as_f64(), theirs["cover"].as_f64());
    assert!(covers.0.zip(covers.1).map_or(covers.0 == covers.1, |(a, b)| near(a, b)), "{id}: {covers:?}");
    assert_eq!(ours["missing_numbers"], theirs["missing_numbers"], "{id}");
    assert_eq!(ours["missing_names"], theirs["missing_names"], "{id}");
    let (ours, theirs) = (windows(ours), windows(theirs));
    let equal = ours.len() == theirs.len()
        && ours.iter().zip(&theirs).all(|(a, b)| (a.0, a.1, a.2) == (b.0, b.1, b.2) && near(a.3, b.3));
    assert!(equal, "{id}: {ours:?} and {theirs:?}");
}

#[test]
fn score_equals_the_reference_on_a_sample_of_every_set() {
    let Some(corpus) = corpus() else { return };
    let reference = corpus.join("../tools/evidence_reference.py");
    let Some(sets) = sample(&corpus).filter(|_| reference.exists()) else {
        println!("skipped: no labelled sets or no reference beside the corpus");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    for (name, lines) in sets {
        let path = folder.path().join(&name);
        fs::write(&path, lines.join("\n")).unwrap();
        let Some(theirs) = answers(Command::new("python3").arg(&reference), &path) else {
            println!("skipped: python3 does not run the reference");
            return;
        };
        let ours = answers(command().arg("score"), &path).unwrap();
        assert_eq!((ours.len(), theirs.len()), (lines.len(), lines.len()), "{name}");
        for (ours, theirs) in ours.iter().zip(&theirs) {
            assert_eq!(ours["id"], theirs["id"]);
            check(&format!("{name} {}", ours["id"]), ours, theirs);
        }
    }
}
