//! The text was changed after the offsets were counted: what lies behind the change is off.

use std::ops::Range;

use crate::anchor::{Anchor, Verdict};
use crate::check::Finding;
use crate::check::finding::{anchored, on_supports};
use crate::model::Unit;
use crate::review::Review;

rule!(OFFSET_DRIFT {
    id: "offset-drift",
    group: Offsets,
    severity: Error,
    repairable: true,
    summary: "the text was changed after the offsets were counted",
    help: "normalised quotes, dashes or accents; offsets behind the change are off, more with each change",
    explain: r#"The text was changed after the offsets were counted, in several places: dashes or quotes made
plain, accents composed, blanks folded. Behind each change the offsets are off by more. The
first segments fit, the later ones do not.

It is known by the quotes: each is found where it stands now, and the difference to the offset
that was sent grows through the text. The message names the stretch in which the first change
lies: after the last byte known right, before the first known wrong.

Before, dashes of three bytes became hyphens of one:

```json
{"content": {"parts": [{"text": "The line - built in 1931 - was closed in 1968. It reopened in 1994 - as a path. Trains still run on Sundays."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 50, "text": "The line - built in 1931 - was closed in 1968."},
    "groundingChunkIndices": [0]},
   {"segment": {"startIndex": 51, "endIndex": 85, "text": "It reopened in 1994 - as a path."},
    "groundingChunkIndices": [0]},
   {"segment": {"startIndex": 86, "endIndex": 114, "text": "Trains still run on Sundays."},
    "groundingChunkIndices": [0]}]}}
```

After, counted over the text as it is:

```json
{"content": {"parts": [{"text": "The line - built in 1931 - was closed in 1968. It reopened in 1994 - as a path. Trains still run on Sundays."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 46, "text": "The line - built in 1931 - was closed in 1968."},
    "groundingChunkIndices": [0]},
   {"segment": {"startIndex": 47, "endIndex": 79, "text": "It reopened in 1994 - as a path."},
    "groundingChunkIndices": [0]},
   {"segment": {"startIndex": 80, "endIndex": 108, "text": "Trains still run on Sundays."},
    "groundingChunkIndices": [0]}]}}
```

What to do: keep the answer as it was sent and normalise copies only. Where that is too late,
use the places that are shown here.
"#,
});

pub(super) fn check(review: &Review, found: &mut Vec<Finding>) {
    let drifted = anchored(review, |_, anchor| anchor.verdict == Verdict::Drifted);
    found.extend(on_supports(&OFFSET_DRIFT, review, drifted, |drifted| message(review, drifted)));
}

/// Where a drifted support lies, and by how much its start and its end are off.
struct Off {
    range: Range<usize>,
    start: i64,
    end: i64,
}

impl Off {
    fn of(anchor: &Anchor) -> Option<Self> {
        Some(Self { range: anchor.range.clone()?, start: anchor.delta, end: anchor.end_delta })
    }

    /// A segment that begins right and ends wrong holds the change itself.
    fn holds_change(&self) -> bool {
        self.start == 0
    }
}

/// The interval between the last byte known to be right and the first known to be wrong, what was changed in
/// it where only one character can have been, and how the difference grows.
fn message(review: &Review, drifted: &[usize]) -> String {
    let all: Vec<Off> =
        drifted.iter().filter_map(|&index| Off::of(review.support(index)?.anchor())).collect();
    let first_wrong = |off: &Off| if off.holds_change() { off.range.end } else { off.range.start };
    let wrong = all.iter().map(first_wrong).min().unwrap_or_default();
    let exact = review.supports().filter(|support| support.anchor().verdict == Verdict::Exact);
    let right = exact
        .filter_map(|support| Some(support.range()?.end))
        .chain(all.iter().filter(|off| off.holds_change()).map(|off| off.range.start))
        .filter(|&end| end <= wrong)
        .max()
        .unwrap_or(0);
    let by = all.iter().map(|off| if off.holds_change() { off.end } else { off.start }).filter(|&by| by != 0);
    let by: Vec<i64> = by.collect();
    let (first, last) = (by.first().copied().unwrap_or_default(), by.last().copied().unwrap_or_default());
    let grown =
        if first == last { format!("{first:+}") } else { format!("{first:+}, at the end by {last:+}") };
    let unit = review.response.unit.word();
    let suspect = suspect(review, right..wrong, first)
        .map_or_else(String::new, |(at, now, was)| format!(" (perhaps {now:?} at {at}, once {was})"));
    format!(
        "the text was changed between bytes {right} and {wrong}{suspect} after the offsets were counted; \
         behind it they are off by {grown} {unit}"
    )
}

/// What normalising puts in the place of what, and how many bytes that takes away.
const NORMALISED: [(char, &str, i64); 10] = [
    ('-', "a longer dash", 2),
    ('\'', "a curly apostrophe", 2),
    ('"', "a curly quote", 2),
    ('–', "a hyphen", -2),
    ('—', "a hyphen", -2),
    ('’', "a straight apostrophe", -2),
    ('‘', "a straight quote", -2),
    ('“', "a straight quote", -2),
    ('”', "a straight quote", -2),
    ('\u{a0}', "a blank", -1),
];

/// The one character of an interval that accounts for a difference in bytes.
fn suspect(review: &Review, interval: Range<usize>, by: i64) -> Option<(usize, char, &'static str)> {
    /// Bytes of an interval past which a guess is worth nothing.
    const FAR: usize = 4096;
    let text = review.response.text().get(interval.clone()).filter(|text| text.len() <= FAR)?;
    let was =
        |c: char| NORMALISED.iter().find(|(now, _, bytes)| *now == c && *bytes == by).map(|(_, was, _)| *was);
    let mut found = text.char_indices().filter_map(|(at, c)| Some((interval.start + at, c, was(c)?)));
    let first = found.next().filter(|_| review.response.unit == Unit::Bytes)?;
    found.next().is_none().then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{cited, ids, pages, silent};

    #[test]
    fn a_segment_that_lacks_an_offset_is_no_sign_of_a_changed_text() {
        let segments = |last: serde_json::Value| {
            let first = serde_json::json!({"endIndex": 9, "text": "Fine day."});
            let supports = serde_json::json!([
                {"segment": first, "groundingChunkIndices": [0]}, {"segment": last, "groundingChunkIndices": [0]}]);
            crate::check::testing::gemini(
                "Fine day. Rain at nine.",
                &format!("{{{}, \"groundingSupports\": {supports}}}", crate::check::testing::CHUNK),
            )
        };
        let endless = segments(serde_json::json!({"startIndex": 10, "text": "Rain at nine."}));
        silent(&OFFSET_DRIFT, &endless);
        let words = "quote-mismatch support 2 is not where the offsets say; shown where the quote occurs (sent 10..(not sent), shown 10..23, answer 0..23, in UTF-8 bytes)";
        assert!(crate::check::testing::reported(&endless).contains(&words.to_owned()));
        silent(&OFFSET_DRIFT, &segments(serde_json::json!({"endIndex": 23, "text": "Rain at nine."})));
    }

    #[test]
    fn one_quote_elsewhere_between_others_that_fit_is_no_drift() {
        let quotes: [(&str, &[i64]); 3] = [("One.", &[0]), ("Two.", &[0]), ("Three.", &[0])];
        let right = cited("One. Two. Three.", &quotes, pages(&["https://a.example"]));
        let one_off = right
            .replace("\"startIndex\":5", "\"startIndex\":7")
            .replace("\"endIndex\":9", "\"endIndex\":11");
        silent(&OFFSET_DRIFT, &one_off);
        assert_eq!(ids(&one_off), ["quote-mismatch"]);
    }
}
