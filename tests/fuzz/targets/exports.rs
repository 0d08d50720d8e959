//! Every export: nothing steers a terminal, and taking the marks out gives the answer back.

#![no_main]

use citescope::export::{Make, ExportOptions, OwnMarks, TARGETS, markdown};
use citescope::text::sanitize;
use citescope_fuzz::{Grounded, open};

/// Text without the colours that are ours.
fn bare(text: &str) -> String {
    let mut pieces = text.split("\u{1b}[");
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |out, piece| out + piece.split_once('m').map_or("", |(_, rest)| rest))
}

libfuzzer_sys::fuzz_target!(|grounded: Grounded| {
    let steers = |c: char| {
        c.is_control() && !matches!(c, '\n' | '\t' | '\r') || ('\u{202a}'..='\u{202e}').contains(&c)
    };
    for review in open(grounded.json().as_bytes()).reviews().flatten() {
        for target in TARGETS {
            if let Make::One(make) = target.make {
                let text = make(&review, &ExportOptions::default()).text;
                assert!(!bare(&text).contains(steers), "{}", target.id);
            }
        }
        let options = ExportOptions { own_marks: OwnMarks::Kept, ..ExportOptions::default() };
        let given = sanitize(grounded.answer()).into_owned();
        for exported in [markdown::inline(&review, &options), markdown::footnotes(&review, &options)] {
            // Lines end in an export as they do in the answer.
            assert_eq!(exported.original().replace("\r\n", "\n"), given);
        }
    }
});
