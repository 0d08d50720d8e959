//! Documents agree with the program. `CITESCOPE_UPDATE=1 cargo test docs` renews what is written from it.

use std::fmt::Write;
use std::fs;

use citescope::check::{RULES, catalogue_markdown, rule_markdown};
use citescope::export::targets_markdown;
use citescope::format::{FORMATS, Sample};
use citescope::tui::keymap;

/// Compares what stands between `<!-- name -->` and `<!-- /name -->` in a document, or renews it.
fn assert_current(path: &str, sections: &[(&str, String)]) {
    let sent = fs::read_to_string(path).unwrap();
    let mut current = sent.clone();
    for (name, text) in sections {
        let (begin, end) = (format!("<!-- {name} -->"), format!("<!-- /{name} -->"));
        let (before, rest) = current.split_once(&begin).unwrap_or_else(|| panic!("{path} has no {begin}"));
        let (_, after) = rest.split_once(&end).unwrap_or_else(|| panic!("{path} has no {end}"));
        current = format!("{before}{begin}{text}{end}{after}");
    }
    if std::env::var_os("CITESCOPE_UPDATE").is_some() {
        fs::write(path, current).unwrap();
    } else {
        assert!(sent == current, "{path} is not current; `CITESCOPE_UPDATE=1 cargo test docs` renews it");
    }
}

fn formats() -> String {
    FORMATS
        .iter()
        .fold("\n".to_owned(), |list, format| list + &format!("* **{}**: {}\n", format.name, format.reads))
}

fn rules() -> String {
    let mut table = "\n| on | rules |\n|---|---|\n".to_owned();
    let mut groups: Vec<_> = RULES.iter().map(|rule| rule.group).collect();
    groups.dedup();
    for group in groups {
        let ids: Vec<String> =
            RULES.iter().filter(|rule| rule.group == group).map(|rule| format!("`{}`", rule.id)).collect();
        writeln!(table, "| {} | {} |", group.word(), ids.join(", ")).unwrap();
    }
    table
}

#[test]
fn the_readme_lists_what_there_is() {
    assert_current(
        "README.md",
        &[
            ("formats", formats()),
            ("rule-count", RULES.len().to_string()),
            ("rules", rules()),
            ("targets", format!("\n{}", targets_markdown())),
            ("keys", format!("\n{}", keymap::markdown())),
        ],
    );
}

#[test]
fn every_rule_has_its_page() {
    let pages: String = RULES.iter().map(|rule| format!("\n#{}", rule_markdown(rule))).collect();
    assert_current("docs/rules.md", &[("rules", format!("\n{}{pages}", catalogue_markdown()))]);
}

#[test]
fn every_sample_is_listed_and_built_in() {
    let mut files: Vec<String> = fs::read_dir("samples")
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.retain(|name| name != "README.md");
    files.sort();
    let samples = || FORMATS.iter().flat_map(|format| format.samples);
    let mut listed: Vec<&str> = samples().map(|sample| sample.file).collect();
    listed.sort_unstable();
    assert_eq!(files, listed);
    let mut table = "\n| file | sent by | what to see in it |\n|---|---|---|\n".to_owned();
    for Sample { file, sent_by, shows, .. } in samples() {
        writeln!(table, "| `{file}` | {sent_by} | {shows} |").unwrap();
    }
    assert_current("samples/README.md", &[("samples", table)]);
}
