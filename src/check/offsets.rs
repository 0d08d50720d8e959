//! Rules on offsets and quotes.

use super::{Finding, counted};
use crate::anchor::{Anchor, Base, FitProof, Verdict};
use crate::model::{Origin, Support};
use crate::pipeline::Reviewed;

pub(super) fn check(reviewed: &Reviewed, found: &mut Vec<Finding>) {
    type Test = fn(&Support, &Anchor) -> bool;
    readings(reviewed, found);
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

/// One finding for a reading that fits, and one for a drift, however many supports they touch.
fn readings(reviewed: &Reviewed, found: &mut Vec<Finding>) {
    let fit = &reviewed.fit;
    let of = |verdict: Verdict| -> Vec<usize> {
        pairs(reviewed).filter(|(_, _, anchor)| anchor.verdict == verdict).map(|(index, _, _)| index).collect()
    };
    let documented = reviewed.response.unit.word();
    let proof = if fit.proof == FitProof::Boundaries {
        "by where their ends fall in the text".to_owned()
    } else {
        format!("{} of {} fit so, {} as documented", fit.fitting, fit.of, fit.documented)
    };
    let cases = [
        (Verdict::Unit, "offset-unit", format!("offsets count {}, not {documented} ({proof})", fit.reading.unit.word())),
        (Verdict::Base, "offset-base", format!("offsets count over another text: {} ({proof})", base_words(fit.reading.base))),
        (Verdict::Inclusive, "offset-inclusive", format!("ends name the last unit of the segment, not the first after it ({proof})")),
        (Verdict::Shifted, "offset-shift", format!("all offsets are off by {:+} {} ({proof})", fit.reading.shift, fit.reading.unit.word())),
    ];
    for (verdict, rule, message) in cases {
        let supports = of(verdict);
        if let Some(&first) = supports.first() {
            found.push(Finding::new(rule, &origin(reviewed, first), message).supports(supports));
        }
    }
    let drifted = of(Verdict::Drifted);
    if let Some(&first) = drifted.first() {
        found.push(Finding::new("offset-drift", &origin(reviewed, first), drift_words(reviewed, &drifted)).supports(drifted));
    }
}

fn base_words(base: Base) -> &'static str {
    match base {
        Base::Answer => "the whole answer",
        Base::Part => "their part of the content",
        Base::WithThoughts => "the answer with the thoughts in it",
    }
}

/// The interval between the last byte known right and the first known wrong, and how the difference grows.
fn drift_words(reviewed: &Reviewed, drifted: &[usize]) -> String {
    let anchor = |index: &usize| reviewed.anchors.get(*index);
    let places = || drifted.iter().filter_map(anchor).filter_map(|anchor| Some((anchor.range.clone()?, anchor.delta)));
    let wrong = places().map(|(range, delta)| if delta == 0 { range.end } else { range.start }).min().unwrap_or_default();
    let right = pairs(reviewed)
        .filter(|(_, _, anchor)| anchor.verdict == Verdict::Exact)
        .filter_map(|(_, _, anchor)| Some(anchor.range.as_ref()?.end))
        .filter(|&end| end <= wrong)
        .max();
    // A segment that begins right and ends wrong holds the change itself.
    let right = places()
        .filter(|(_, delta)| *delta == 0)
        .map(|(range, _)| range.start)
        .filter(|&start| start <= wrong)
        .max()
        .max(right)
        .unwrap_or(0);
    let mut deltas: Vec<String> = places().map(|(_, delta)| format!("{delta:+}")).collect();
    deltas.dedup();
    format!(
        "the text was changed between bytes {right} and {wrong} after the offsets were counted; behind it they are off by {}",
        deltas.join(", ")
    )
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
