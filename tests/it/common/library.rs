//! The library on text, samples and recordings.

use std::path::PathBuf;

use citescope::cli::SAMPLES;
use citescope::export::json;
use citescope::json::write;
use citescope::model::Response;
use citescope::session::{Session, Supplied};
use citescope::store::files_below;
use serde_json::Value;

/// A session of one input.
pub fn open(name: &str, bytes: impl Into<Vec<u8>>) -> Session {
    Session::from_bytes(name, bytes.into())
}

/// The same with credentials shown.
pub fn open_bare(name: &str, bytes: impl Into<Vec<u8>>) -> Session {
    open(name, bytes).with(Supplied { show_secrets: true, ..Supplied::default() })
}

/// All responses of an input that can be read throughout, in the neutral form.
pub fn read(text: &str) -> Vec<Value> {
    let session = open("f", text);
    assert!(session.failures().is_empty(), "{:?}", session.failures());
    session.reviews().map(|review| json::response(&review.unwrap())).collect()
}

/// The document of all responses, and a line for each, as they are written.
pub fn export(session: Session, show_secrets: bool) -> (String, String) {
    let session = session.with(Supplied { show_secrets, ..Supplied::default() });
    let responses = || session.reviews().filter_map(Result::ok);
    let (mut document, mut lines) = (Vec::new(), Vec::new());
    write::write(&mut document, &json::Document::new(responses()), true).unwrap();
    for review in responses() {
        write::write(&mut lines, &json::Form::of(&review).line(), false).unwrap();
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
    let folders = ["recordings", "synthetic", "recordings-other"]
        .map(|folder| files_below(&corpus.join(folder)).unwrap());
    // What a request says is for the tests that give it.
    let is_response = |path: &PathBuf| !path.to_string_lossy().ends_with(".request.json");
    Some(folders.concat().into_iter().filter(is_response).collect())
}

/// A line with a response about a thing, from a site; its offsets fit or are off by three.
pub fn line(thing: &str, site: &str, fits: bool) -> String {
    let text = format!("The {thing} opens at nine.");
    let (start, end) = if fits { (0, text.len()) } else { (3, text.len() + 3) };
    let segment = serde_json::json!({"startIndex": start, "endIndex": end, "text": text});
    serde_json::json!({"candidates": [{"content": {"parts": [{"text": text}]}, "finishReason": "STOP", "groundingMetadata": {
        "groundingChunks": [{"web": {"uri": format!("https://{site}/x"), "title": site}}],
        "groundingSupports": [{"segment": segment, "groundingChunkIndices": [0]}]}}],
        "responseId": thing})
    .to_string()
}

/// The only response of an input.
pub fn response(input: &str) -> Response {
    let input = open("f", input);
    let mut reviews = input.reviews();
    let review = reviews.next().unwrap().unwrap();
    assert!(reviews.next().is_none());
    review.response.clone()
}

/// Text without the colours that are ours.
pub fn without_colours(text: &str) -> String {
    let mut pieces = text.split("\u{1b}[");
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |out, piece| out + piece.split_once('m').map_or("", |(_, rest)| rest))
}
