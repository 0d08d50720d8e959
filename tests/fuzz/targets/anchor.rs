//! Any spans over any answer: every place lies between characters, and what is said to fit its quote does.

#![no_main]

use citescope::anchor::Verdict;
use citescope_fuzz::{Grounded, open};

libfuzzer_sys::fuzz_target!(|grounded: Grounded| {
    for review in open(grounded.json().as_bytes()).reviews().flatten() {
        let text = review.text();
        for support in review.supports() {
            let words = support.range().map(|range| text.get(range).unwrap());
            if support.anchor().verdict == Verdict::AsSent
                && let (Some(words), Some(quote)) = (words, support.quote())
                && !quote.is_empty()
                && !support.anchor().elided
                && !support.anchor().outside
            {
                assert_eq!(words, quote);
            }
        }
    }
});
