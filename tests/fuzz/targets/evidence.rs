//! Claims against chunks: shares stay shares, and a better source is one that is not cited.

#![no_main]

use citescope_fuzz::{Grounded, open};

libfuzzer_sys::fuzz_target!(|grounded: Grounded| {
    for review in open(grounded.json().as_bytes()).reviews().flatten() {
        for support in review.supports() {
            let Some(verdict) = review.backing(support.index) else { continue };
            assert!(verdict.cover.is_none_or(|cover| (0.0..=1.0).contains(&cover)));
            for fit in &verdict.fits {
                assert!((0.0..=1.0).contains(&fit.cover));
            }
            support.marks();
        }
    }
});
