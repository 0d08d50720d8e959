//! The usual ways of making a finding.

use std::ops::Range;

use crate::anchor::Anchor;
use crate::model::{Finding, Response, Rule, Source, Support};
use crate::review::{Places, Review, SupportRef};
use crate::text::counted;

/// One finding for all these supports, at the first of them; none where there are none.
pub(super) fn on_supports(
    rule: &'static Rule,
    review: &Review,
    supports: Vec<usize>,
    message: impl FnOnce(&[usize]) -> String,
) -> Option<Finding> {
    let origin = review.origin_of(*supports.first()?);
    Some(Finding::new(rule, &origin, message(&supports)).supports(supports))
}

/// One finding for all these sources, at the first of them; none where there are none.
pub(super) fn on_sources(
    rule: &'static Rule,
    response: &Response,
    sources: Vec<usize>,
    message: impl FnOnce(&[usize]) -> String,
) -> Option<Finding> {
    let first = response.sources.get(*sources.first()?)?;
    Some(Finding::new(rule, &first.origin, message(&sources)).sources(sources))
}

/// One finding for all supports that lie so: `support 3 is empty (sent …)`, or `3 supports: each is empty`.
pub(super) fn on_anchors(
    rule: &'static Rule,
    review: &Review,
    words: &str,
    test: impl FnMut(&Support, &Anchor) -> bool,
) -> Option<Finding> {
    on_supports(rule, review, anchored(review, test), |supports| match supports {
        [only] => format!("support {} {words}{}", only + 1, sent(review, *only)),
        _ => format!("{}: each {words}", counted(supports.len(), "support")),
    })
}

/// Supports that lie so, ascending.
pub(super) fn anchored(review: &Review, mut test: impl FnMut(&Support, &Anchor) -> bool) -> Vec<usize> {
    let so = |support: &SupportRef| test(support.sent(), support.anchor());
    review.supports().filter(so).map(|support| support.index).collect()
}

/// Supports that are so, ascending.
pub(super) fn supports_where(response: &Response, test: impl Fn(&Support) -> bool) -> Vec<usize> {
    response
        .supports
        .iter()
        .enumerate()
        .filter(|(_, support)| test(support))
        .map(|(index, _)| index)
        .collect()
}

/// Sources that are so, ascending.
pub(super) fn sources_where(response: &Response, test: impl Fn(&Source) -> bool) -> Vec<usize> {
    response.sources.iter().enumerate().filter(|(_, source)| test(source)).map(|(index, _)| index).collect()
}

/// Whether a response has a whole answer with text. Of a question and of a piece of a stream, rules on the
/// words of the answer report nothing.
pub(super) fn is_whole_answer(response: &Response) -> bool {
    !response.is_question() && !response.partial && !response.text().is_empty()
}

/// ` (sent 0..85, shown 0..56, answer 0..126, in UTF-8 bytes)`: all of them in the documented unit.
fn sent(review: &Review, index: usize) -> String {
    let Some(support) = review.support(index) else { return String::new() };
    let sent = support.segment.as_ref();
    if sent.is_none_or(|sent| sent.start.is_none() && sent.end.is_none() && sent.unreadable.is_none()) {
        return String::new();
    }
    let Places { sent, shown, length, unit, .. } = support.places();
    let shown = shown.map_or(String::new(), |shown| format!(", shown {shown}"));
    format!(" (sent {sent}{shown}, answer 0..{length}, in {})", unit.name())
}

/// `support 3 holds` or `2 supports hold`.
pub(super) fn subject(supports: &[usize], one: &str, many: &str) -> String {
    match supports {
        [only] => format!("support {} {one}", only + 1),
        _ => format!("{} {many}", counted(supports.len(), "support")),
    }
}

/// Sources as people count them, the first eight: `[1], [3], [4] and 2 more`.
pub(super) fn listed(indices: &[usize]) -> String {
    let shown: Vec<String> = indices.iter().take(8).map(|index| format!("[{}]", index + 1)).collect();
    format!("{}{}", shown.join(", "), crate::text::and_more(indices.len().saturating_sub(8)))
}

/// The words before a place with those in it, from the beginning of one on.
pub(super) fn excerpt_before(review: &Review, place: &Range<usize>) -> String {
    let text = review.text();
    let near = text.floor_char_boundary(place.start.saturating_sub(24));
    let inside =
        text.get(..near).is_some_and(|before| !before.is_empty() && !before.ends_with(char::is_whitespace));
    let start = match text.get(near..place.start).and_then(|before| before.find(char::is_whitespace)) {
        Some(blank) if inside => near + blank,
        _ => near,
    };
    excerpt(review, &(start..place.end))
}

/// Bytes of the answer that an excerpt is made of: an address in it loses its credentials before it is cut.
const EXCERPT_MOST: usize = 1024;

/// Words of the answer on one line, the first sixty characters of them.
pub(super) fn excerpt(review: &Review, range: &Range<usize>) -> String {
    let words = review.text().get(range.clone()).unwrap_or_default().trim();
    let near = words.get(..words.floor_char_boundary(EXCERPT_MOST)).unwrap_or_default();
    let words = review.sent.told(near);
    let mut chars = words.chars();
    let short: String = chars.by_ref().take(60).map(|c| if c.is_whitespace() { ' ' } else { c }).collect();
    if chars.next().is_some() { format!("{}…", short.trim_end()) } else { short }
}
