//! What was exported opens again as it was.

#![no_main]

use citescope_fuzz::document;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let first = document(bytes);
    if !first.contains("\"format\"") {
        return;
    }
    let second = document(document(first.as_bytes()).as_bytes());
    assert_eq!(document(second.as_bytes()), second);
});
