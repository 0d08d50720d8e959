//! `citescope config` and `citescope review`: settings and decisions on the command line.

use std::fs;
use std::process::Command;

use citescope::session::{Decision, Marks, Session};

use crate::common::program::program;

/// Runs the program with settings at a place: code, output, errors.
fn run(settings: &std::path::Path, arguments: &[&str]) -> (i32, String, String) {
    let out = Command::new(program()).args(arguments).env("CITESCOPE_CONFIG", settings).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (out.status.code().unwrap(), text(out.stdout), text(out.stderr))
}

#[test]
fn settings_are_written_once_and_checked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep/config.toml");
    let shown = path.display();
    let (code, _, errors) = run(&path, &["config", "--check"]);
    assert_eq!(
        (code, errors),
        (2, format!("citescope: {shown}: there are no settings; `citescope config --init` writes them\n"))
    );
    assert_eq!(run(&path, &["config", "--init"]), (0, format!("{shown}\n"), String::new()));
    let written = fs::read_to_string(&path).unwrap();
    assert!(written.contains("# theme = \"auto\"") && written.contains("# next-claim = [\"→\", \"l\"]"));
    let (code, _, errors) = run(&path, &["config", "--init"]);
    assert_eq!(
        (code, errors),
        (
            2,
            format!(
                "citescope: {shown}: is there already; `citescope config` prints what --init would write\n"
            )
        )
    );
    assert_eq!(run(&path, &["config", "--check"]), (0, format!("{shown}: nothing wrong\n"), String::new()));
    assert!(run(&path, &["config"]).1.starts_with(&format!("# {shown}\n")));
}

#[test]
fn what_is_wrong_with_settings_has_its_place_and_says_what_there_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.toml");
    for (text, wrong) in [
        (
            "theme = \"drak\"\n",
            "1:9: there is no theme \"drak\"; there are auto, colour-blind, terminal, dark, light, ",
        ),
        (
            "[colours]\ngood = \"gruen\"\n",
            "2:8: \"gruen\" is no colour: write #7fc8f8, or a name such as green",
        ),
        (
            "[keys]\nnext-clam = [\"l\"]\n",
            "2:1: there is no command \"next-clam\": `citescope config` lists them",
        ),
        ("[keys]\nquit = [\"Rihgt\"]\n", "2:1: there is no key \"Rihgt\": write l, Right, Ctrl-D, F5"),
        ("[keys]\nquit = [\"l\"]\n", "2:1: l is bound twice: next-claim and quit"),
        ("x", "1:2: "),
    ] {
        fs::write(&path, text).unwrap();
        let (code, out, errors) = run(&path, &["config", "--check"]);
        assert_eq!((code, out.as_str()), (2, ""));
        assert!(errors.starts_with(&format!("citescope: {}:{wrong}", path.display())), "{errors}");
    }
}

#[test]
fn all_that_is_wrong_with_settings_is_told_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.toml");
    fs::write(&path, "theme = \"drak\"\n[colours]\ngod = \"gruen\"\n[keys]\nquit = \"Rihgt\"\n").unwrap();
    let (code, out, errors) = run(&path, &["config", "--check"]);
    let places: Vec<&str> = errors.lines().map(|line| line.split(": ").nth(1).unwrap()).collect();
    let at = |place: &str| format!("{}:{place}", path.display());
    assert_eq!((code, out.as_str()), (2, ""));
    assert_eq!(places, [at("1:9"), at("3:1"), at("3:7"), at("5:1")]);
}

#[test]
fn two_people_s_decisions_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let session = Session::open_file("samples/gemini-retrieval-scores.json".as_ref());
    let review = session.reviews().next().unwrap().unwrap();
    for (name, labels) in [
        ("a", [Decision::Right, Decision::Wrong, Decision::Wrong]),
        ("b", [Decision::Right, Decision::Wrong, Decision::Unsure]),
    ] {
        fs::write(path(name), "").unwrap();
        let mut marks = Marks::of(&path(name)).unwrap();
        for (span, label) in labels.into_iter().enumerate() {
            let range = review.spans[span].range.clone().unwrap();
            marks.set(&review, &range, review.supports_of(span), label);
        }
        marks.save().unwrap();
    }
    let none = folder.path().join("none.toml");
    let (code, out, errors) = run(&none, &["review", "--agreement", &path("a"), &path("b.review.jsonl")]);
    assert_eq!(
        (code, out.as_str(), errors.as_str()),
        (
            0,
            "claims both marked: 3 (only the first 0, only the second 0)\n\
             first \\ second    right    wrong   unsure\n\
             right                 1        0        0\n\
             wrong                 0        1        1\n\
             unsure                0        0        0\n\
             agreement:      0.667\n\
             Cohen's kappa:  0.500\n",
            ""
        )
    );
    let (code, out, _) = run(&none, &["review", &path("a")]);
    assert_eq!((code, out), (0, format!("{}: 1 right, 2 wrong, 0 unsure\n", path("a"))));
    // What is kept is what `score` reads.
    let (code, out, _) = run(&none, &["score", &path("a.review.jsonl")]);
    assert_eq!((code, out.lines().count()), (0, 3));
    let (code, _, errors) = run(&none, &["review", &path("c")]);
    assert!(code == 2 && errors.contains("no such file; check the path"), "{errors}");
    fs::write(path("c"), "").unwrap();
    let (_, _, errors) = run(&none, &["review", &path("c")]);
    assert_eq!(errors, format!("citescope: {}: there are no marks beside it\n", path("c")));
}
