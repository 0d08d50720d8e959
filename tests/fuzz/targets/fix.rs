//! A repair leaves JSON that opens, and what was repaired fits.

#![no_main]

use citescope_fuzz::{Grounded, open, splices};

libfuzzer_sys::fuzz_target!(|grounded: Grounded| {
    let sent = grounded.json();
    for review in open(sent.as_bytes()).reviews().flatten() {
        let mut edits = splices(&review);
        if edits.is_empty() {
            continue;
        }
        edits.sort_by_key(|splice| splice.range.start);
        let mut repaired = String::new();
        let mut from = 0;
        for splice in edits {
            repaired.push_str(&sent[from..splice.range.start]);
            repaired.push_str(&splice.text);
            from = splice.range.end;
        }
        repaired.push_str(&sent[from..]);
        let again = open(repaired.as_bytes());
        let after = again.reviews().next().unwrap().unwrap();
        assert_eq!(after.text(), review.text());
        assert!(splices(&after).is_empty(), "{repaired}");
    }
});
