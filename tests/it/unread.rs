//! What no rule reads is let go of where nothing but findings is asked for: they are the same without it.

use citescope::cli::SAMPLES;
use citescope::session::{Session, Supplied};

use crate::common::library::recordings;

/// What is found in a text, response by response.
fn found(name: &str, bytes: Vec<u8>, findings_only: bool) -> Vec<String> {
    let session = Session::from_bytes(name, bytes).with(Supplied { findings_only, ..Supplied::default() });
    let reviews = (0..session.len()).filter_map(|record| session.decode(record).ok());
    let reviews: Vec<_> = reviews.flat_map(|reviews| reviews.iter().cloned().collect::<Vec<_>>()).collect();
    let mut results =
        reviews.iter().flat_map(|review| &review.response.traces).flat_map(|trace| &trace.results);
    assert!(!findings_only || results.all(|result| result.text.is_none() && result.title.is_none()));
    reviews.iter().map(|review| format!("{:?}", review.findings())).collect()
}

#[test]
fn findings_are_the_same_without_what_no_rule_reads() {
    let mut texts: Vec<(String, Vec<u8>)> =
        SAMPLES.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect();
    for path in recordings().into_iter().flatten() {
        texts.push((path.display().to_string(), std::fs::read(&path).unwrap()));
    }
    let mut findings = 0;
    for (name, bytes) in texts {
        let whole = found(&name, bytes.clone(), false);
        assert_eq!(found(&name, bytes, true), whole, "{name}");
        findings += whole.iter().filter(|found| found.as_str() != "[]").count();
    }
    assert!(findings > 10);
}
