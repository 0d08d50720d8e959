//! Rules on offsets and quotes.

use super::{Finding, counted};
use crate::anchor::{Anchor, Verdict};
use crate::model::{Origin, Support};
use crate::pipeline::Reviewed;

pub(super) fn check(reviewed: &Reviewed, found: &mut Vec<Finding>) {
    type Test = fn(&Support, &Anchor) -> bool;
    let causes: [(&str, Test, &str); 8] = [
        (
            "quote-mismatch",
            |_, anchor| anchor.verdict == Verdict::Reanchored && !anchor.elided,
            "is not where the offsets say; shown where the quote occurs",
        ),
        ("quote-gone", |support, anchor| anchor.verdict == Verdict::Gone && quoted(support), "has a quote that is nowhere in the answer"),
        (
            "quote-ambiguous",
            |_, anchor| anchor.verdict == Verdict::Ambiguous,
            "is not where the offsets say, and the quote occurs more than once",
        ),
        ("quote-elided", |_, anchor| anchor.elided, "has a quote shortened with an ellipsis; placed by its beginning"),
        ("offset-range", |support, anchor| anchor.outside && !quoted(support), "lies outside the answer"),
        ("offset-split", |support, anchor| anchor.split && !quoted(support), "begins or ends inside a character"),
        ("segment-missing", |_, anchor| anchor.verdict == Verdict::Whole, "names no segment"),
        ("segment-empty", |_, anchor| anchor.range.as_ref().is_some_and(std::ops::Range::is_empty), "is empty"),
    ];
    for (rule, test, words) in causes {
        let supports: Vec<usize> =
            pairs(reviewed).filter(|(_, support, anchor)| test(support, anchor)).map(|(index, _, _)| index).collect();
        let Some(&first) = supports.first() else { continue };
        let message = if supports.len() == 1 {
            format!("support {} {words}{}", first + 1, sent(reviewed, first))
        } else {
            format!("{}: each {words}", counted(supports.len(), "support"))
        };
        found.push(Finding::new(rule, &origin(reviewed, first), message).supports(supports));
    }
}

fn pairs(reviewed: &Reviewed) -> impl Iterator<Item = (usize, &Support, &Anchor)> {
    reviewed.response.supports.iter().zip(&reviewed.anchors).enumerate().map(|(index, (support, anchor))| (index, support, anchor))
}

fn quoted(support: &Support) -> bool {
    support.segment.as_ref().is_some_and(|segment| segment.quote.as_deref().is_some_and(|quote| !quote.is_empty()))
}

fn origin(reviewed: &Reviewed, support: usize) -> Origin {
    reviewed.response.supports.get(support).map(|support| support.origin.clone()).unwrap_or_default()
}

/// ` (sent 0..85, right 0..56, of 126)`.
fn sent(reviewed: &Reviewed, index: usize) -> String {
    let Some((support, anchor)) = reviewed.response.supports.get(index).zip(reviewed.anchors.get(index)) else { return String::new() };
    let Some(segment) = &support.segment else { return String::new() };
    let sent = format!("{}..{}", segment.start.unwrap_or_default(), segment.end.unwrap_or_default());
    let right = anchor.range.as_ref().map_or(String::new(), |range| format!(", shown {}..{}", range.start, range.end));
    format!(" (sent {sent}{right}, answer 0..{})", reviewed.response.text().len())
}
