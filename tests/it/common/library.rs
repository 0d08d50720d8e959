//! The library on text, samples and recordings.

use std::path::PathBuf;

use citescope::cli::SAMPLES;
use citescope::export::{json, write};
use citescope::session::Collection;
use citescope::store::{files_below, from_bytes};
use serde_json::Value;

/// A collection of one input.
pub fn open(name: &str, bytes: impl Into<Vec<u8>>) -> Collection {
    Collection::open(vec![from_bytes(name, bytes.into())])
}

/// All responses of an input that can be read throughout, in the neutral form.
pub fn read(text: &str) -> Vec<Value> {
    let collection = open("f", text);
    assert!(collection.failures.is_empty(), "{:?}", collection.failures);
    let records = (0..collection.records.len()).map(|record| collection.analyse(record).unwrap());
    records.flat_map(|record| (0..record.responses.len()).map(|item| json::response(&record, item, false)).collect::<Vec<_>>()).collect()
}

/// The document of all responses, and a line for each, as they are written.
pub fn export(collection: &Collection, show_secrets: bool) -> (String, String) {
    let responses = || {
        let records = (0..collection.records.len()).filter_map(|record| collection.analyse(record).ok());
        records.flat_map(|record| (0..record.responses.len()).map(move |item| (record.clone(), item)).collect::<Vec<_>>())
    };
    let (mut document, mut lines) = (Vec::new(), Vec::new());
    write::write(&mut document, &json::Document::new(responses(), show_secrets), true).unwrap();
    for (record, item) in responses() {
        write::write(&mut lines, &json::Form::of(&record, item, show_secrets).unwrap().line(), false).unwrap();
    }
    (String::from_utf8(document).unwrap(), String::from_utf8(lines).unwrap())
}

/// The text of a sample.
pub fn sample(name: &str) -> &'static str {
    SAMPLES.iter().find(|(sample, _)| *sample == name).unwrap_or_else(|| panic!("no sample {name}")).1
}

/// The folder of recorded responses; without one, says that the test is skipped.
pub fn corpus() -> Option<PathBuf> {
    let folder = std::env::var_os("CITESCOPE_CORPUS").map(PathBuf::from);
    if folder.is_none() {
        eprintln!("skipped: CITESCOPE_CORPUS is not set");
    }
    folder
}

/// The recordings and the made responses of the formats that are read.
pub fn recordings() -> Option<Vec<PathBuf>> {
    let corpus = corpus()?;
    let folders = ["recordings", "synthetic", "recordings-other/gemini"].map(|folder| files_below(&corpus.join(folder)).unwrap());
    Some(folders.concat())
}
