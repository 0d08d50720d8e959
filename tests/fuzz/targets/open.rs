//! Bytes to frames, to the responses of any format, to findings and repairs.

#![no_main]

use citescope_fuzz::{open, splices};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    for review in open(bytes).reviews().flatten() {
        let text = review.text();
        for support in review.supports() {
            assert!(support.range().is_none_or(|range| text.get(range).is_some()));
        }
        for finding in review.findings() {
            assert!(!finding.message.is_empty(), "{}", finding.rule.id);
            let known = finding.supports.iter().all(|&support| support < review.response.supports.len());
            assert!(known, "{}", finding.rule.id);
            review.place(finding);
        }
        assert!(splices(&review).iter().all(|splice| splice.range.start <= splice.range.end));
    }
});
