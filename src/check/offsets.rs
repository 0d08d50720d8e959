//! Rules on offsets and quotes.

use std::ops::Range;

use unicode_segmentation::GraphemeCursor;

use super::{Finding, counted};
use crate::anchor::{Anchor, Base, FitProof, Verdict};
use crate::model::{Origin, Support, Unit};
use crate::review::Reviewed;

pub(super) fn check(reviewed: &Reviewed, found: &mut Vec<Finding>) {
    type Test = fn(&str, &Support, &Anchor) -> bool;
    readings(reviewed, found);
    let causes: [(&str, Test, &str); 8] = [
        (
            "quote-mismatch",
            |_, _, anchor| anchor.verdict == Verdict::Reanchored && (!anchor.elided || anchor.delta != 0),
            "is not where the offsets say; shown where the quote occurs",
        ),
        (
            "quote-gone",
            |_, support, anchor| anchor.verdict == Verdict::Gone && quoted(support),
            "has a quote that is nowhere in the answer",
        ),
        (
            "quote-ambiguous",
            |_, _, anchor| anchor.verdict == Verdict::Ambiguous,
            "is not where the offsets say, and the quote occurs more than once",
        ),
        ("quote-elided", |_, _, anchor| anchor.elided, "has a quote shortened with an ellipsis; placed by its beginning"),
        ("offset-range", |_, support, anchor| anchor.outside && (anchor.elided || !quoted(support)), "lies outside the answer"),
        (
            "offset-split",
            |answer, support, anchor| !quoted(support) && (anchor.split || is_torn(answer, anchor)),
            "begins or ends inside a character",
        ),
        ("segment-missing", |_, _, anchor| anchor.verdict == Verdict::Whole, "names no segment"),
        ("segment-empty", |_, _, anchor| anchor.range.as_ref().is_some_and(std::ops::Range::is_empty), "is empty"),
    ];
    let answer = reviewed.response.text();
    for (rule, test, words) in causes {
        let supports: Vec<usize> =
            pairs(reviewed).filter(|(_, support, anchor)| test(answer, support, anchor)).map(|(index, _, _)| index).collect();
        let Some(&first) = supports.first() else { continue };
        let message = if supports.len() == 1 {
            format!("support {} {words}{}", first + 1, sent(reviewed, first))
        } else {
            format!("{}: each {words}", counted(supports.len(), "support"))
        };
        found.push(Finding::new(rule, &origin(reviewed, first), message).supports(supports));
    }
}

/// Whether a span parts what people see as one character: a letter from its accent, an emoji from its skin tone. A
/// quote proves that it is meant so.
fn is_torn(answer: &str, anchor: &Anchor) -> bool {
    let inside = |at: usize| {
        let near = answer.as_bytes().get(at.saturating_sub(1)..=at);
        near.is_some_and(|near| !near.is_ascii()) && !GraphemeCursor::new(at, answer.len(), true).is_boundary(answer, 0).unwrap_or(true)
    };
    anchor.verdict == Verdict::AsSent && anchor.range.as_ref().is_some_and(|range| inside(range.start) || inside(range.end))
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
    let by_unit = match reviewed.votes().filter(|_| fit.proof != FitProof::Boundaries) {
        Some(votes) => vote(votes, fit.of),
        None => proof.clone(),
    };
    let cases = [
        (Verdict::Unit, "offset-unit", format!("offsets count {}, not {documented} ({by_unit})", fit.reading.unit.word())),
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

/// `27 of 27 fit as characters, 4 as bytes, 4 as UTF-16 units`, best first.
fn vote(votes: [usize; 3], of: usize) -> String {
    let mut ranked: Vec<(usize, Unit)> = votes.into_iter().zip(Unit::ALL).collect();
    ranked.sort_by_key(|&(fitting, unit)| (usize::MAX - fitting, unit));
    let words = ranked.iter().enumerate().map(|(rank, (fitting, unit))| match rank {
        0 => format!("{fitting} of {of} fit as {}", unit.name()),
        _ => format!("{fitting} as {}", unit.name()),
    });
    words.collect::<Vec<_>>().join(", ")
}

fn base_words(base: Base) -> &'static str {
    match base {
        Base::Answer => "the whole answer",
        Base::Part => "their part of the content",
        Base::WithThoughts => "the answer with the thoughts in it",
    }
}

/// The interval between the last byte known right and the first known wrong, what was changed in it where only one
/// character can have been, and how the difference grows.
fn drift_words(reviewed: &Reviewed, drifted: &[usize]) -> String {
    let places: Vec<(Range<usize>, i64, i64)> = drifted.iter().filter_map(|&index| drifted_by(reviewed, index)).collect();
    // A segment that begins right and ends wrong holds the change itself.
    let wrong = places.iter().map(|(range, delta, _)| if *delta == 0 { range.end } else { range.start }).min().unwrap_or_default();
    let right = pairs(reviewed)
        .filter(|(_, _, anchor)| anchor.verdict == Verdict::Exact)
        .filter_map(|(_, _, anchor)| Some(anchor.range.as_ref()?.end))
        .chain(places.iter().filter(|(_, delta, _)| *delta == 0).map(|(range, ..)| range.start))
        .filter(|&end| end <= wrong)
        .max()
        .unwrap_or(0);
    let by: Vec<i64> = places.iter().map(|&(_, start, end)| if start == 0 { end } else { start }).filter(|&by| by != 0).collect();
    let (first, last) = (by.first().copied().unwrap_or_default(), by.last().copied().unwrap_or_default());
    let grown = if first == last { format!("{first:+}") } else { format!("{first:+}, at the end by {last:+}") };
    let unit = reviewed.response.unit.word();
    let suspect =
        suspect(reviewed, right..wrong, first).map_or_else(String::new, |(at, c, was)| format!(" (perhaps {c:?} at {at}, once {was})"));
    format!(
        "the text was changed between bytes {right} and {wrong}{suspect} after the offsets were counted; behind it they are off by {grown} {unit}"
    )
}

/// Where a drifted support lies, and by how much its start and its end are off.
fn drifted_by(reviewed: &Reviewed, index: usize) -> Option<(Range<usize>, i64, i64)> {
    let (support, anchor) = reviewed.response.supports.get(index).zip(reviewed.anchors.get(index))?;
    let edits = &reviewed.repairs().edits;
    let from = edits.partition_point(|edit| edit.support < index);
    let end_key = support.segment.as_ref()?.keys?.end;
    let end = edits.iter().skip(from).take_while(|edit| edit.support == index).find(|edit| edit.place.path.ends_with(end_key));
    Some((anchor.range.clone()?, anchor.delta, end.map_or(0, |edit| edit.old.unwrap_or_default().saturating_sub(edit.new))))
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
fn suspect(reviewed: &Reviewed, interval: Range<usize>, by: i64) -> Option<(usize, char, &'static str)> {
    const FAR: usize = 4096;
    let text = reviewed.response.text().get(interval.clone()).filter(|text| text.len() <= FAR)?;
    let was = |c: char| NORMALISED.iter().find(|(now, _, bytes)| *now == c && *bytes == by).map(|(_, was, _)| *was);
    let mut found = text.char_indices().filter_map(|(at, c)| Some((interval.start + at, c, was(c)?)));
    let first = found.next().filter(|_| reviewed.response.unit == Unit::Bytes)?;
    found.next().is_none().then_some(first)
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
