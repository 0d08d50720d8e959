//! Rows of a text: they concatenate to it, none is wider than it may be, and each byte is in its row.

#![no_main]

use citescope::text::{Rows, width};
use unicode_segmentation::UnicodeSegmentation;

libfuzzer_sys::fuzz_target!(|input: (u8, &str)| {
    let (wide, text) = input;
    let rows = Rows::wrap(text, usize::from(wide));
    let mut at = 0;
    for (number, range) in rows.iter().enumerate() {
        assert_eq!(range.start, at);
        at = range.end;
        let row = text.get(range.clone()).unwrap();
        assert!(range.is_empty() || rows.row_of(range.start) == number);
        let shown = row.trim_end();
        let one = shown.graphemes(true).count() <= 1;
        assert!(one || width(shown) <= usize::from(wide.max(1)), "{shown:?}");
    }
    assert_eq!(at, text.len());
});
