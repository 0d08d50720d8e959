//! Recorded responses, where `CITESCOPE_CORPUS` names their folder: they open, and agree with independent
//! figures.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::common::library::corpus;
use crate::common::program::{output, texts};

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            found.extend(files(&entry));
        } else if !entry.ends_with("PROVENANCE.md") && !entry.ends_with("expected.tsv") {
            found.push(entry);
        }
    }
    found.sort();
    found
}

/// Exit code, responses, standard error.
fn export(file: &Path) -> (i32, Vec<Value>, String) {
    let (code, out, errors) =
        texts(output(["export".as_ref(), "--to".as_ref(), "json".as_ref(), file.as_os_str()], ""));
    let document: Value = serde_json::from_str(&out).unwrap_or_default();
    let responses = document["responses"].as_array().cloned().unwrap_or_default();
    (code, responses, errors)
}

fn count(list: &Value, test: impl Fn(&Value) -> bool) -> usize {
    list.as_array().unwrap().iter().filter(|value| test(value)).count()
}

#[test]
fn recordings_agree_with_independent_figures() {
    let Some(corpus) = corpus() else { return };
    let table = fs::read_to_string(corpus.join("recordings/expected.tsv")).unwrap();
    let rows: Vec<Vec<&str>> = table.lines().skip(1).map(|line| line.split('\t').collect()).collect();
    let mut names: Vec<&str> = rows.iter().map(|row| row[0]).collect();
    names.dedup();
    for name in names {
        let (code, responses, errors) = export(&corpus.join("recordings").join(name));
        assert_eq!(code, 0, "{name}: {errors}");
        let expected: Vec<&Vec<&str>> = rows.iter().filter(|row| row[0] == name).collect();
        assert_eq!(responses.len(), expected.len(), "{name}");
        for (response, row) in responses.iter().zip(expected) {
            let answer = response["answer"].as_str().unwrap_or_default();
            let digest: String = Sha256::digest(answer).iter().map(|byte| format!("{byte:02x}")).collect();
            let exact = count(&response["supports"], |support| support["anchor"]["verdict"] == "exact");
            let dangling: usize = response["supports"]
                .as_array()
                .unwrap()
                .iter()
                .map(|support| count(&support["citations"], |citation| citation["kind"] == "dangling"))
                .sum();
            let uncited =
                count(&response["sources"], |source| source["cited_by"].as_array().unwrap().is_empty());
            let got = [
                answer.len().to_string(),
                answer.chars().count().to_string(),
                digest[..12].to_owned(),
                count(&response["sources"], |_| true).to_string(),
                count(&response["supports"], |_| true).to_string(),
                exact.to_string(),
                dangling.to_string(),
                uncited.to_string(),
            ];
            let wanted = [row[2], row[3], row[4], row[5], row[6], row[7], row[13], row[14]];
            assert_eq!(got, wanted, "{name} {}", row[1]);
        }
    }
}

#[test]
fn every_recording_opens_or_says_why_not() {
    let Some(corpus) = corpus() else { return };
    for file in files(&corpus.join("recordings")).into_iter().chain(files(&corpus.join("synthetic"))) {
        let (code, responses, errors) = export(&file);
        let name = file.to_string_lossy();
        if name.ends_with("bt-error-async-deprecated.json") {
            assert!(
                code == 2
                    && errors
                        .contains("Request contains an invalid argument: asynchronous mode is deprecated."),
                "{errors}"
            );
        } else if name.ends_with(".textproto") {
            assert!(code == 2 && errors.contains("protobuf text"), "{errors}");
        } else {
            assert!(code == 0 && !responses.is_empty(), "{name}: {errors}");
        }
    }
}
