//! Rules that see the other responses of a record.

use super::{Finding, counted};
use crate::model::Support;
use crate::review::Reviewed;

/// Quotes of one response that are looked for, and neighbours on either side in which.
const QUOTES: usize = 16;
const NEIGHBOURS: usize = 8;

/// Metadata that belongs to another event's text: its quotes stand there and not here.
pub(super) fn check(responses: &[Reviewed], index: usize, found: &mut Vec<Finding>) {
    let Some(reviewed) = responses.get(index).filter(|_| responses.len() > 1) else { return };
    let text = reviewed.response.text();
    let quote = |support: &Support| support.segment.as_ref()?.quote.clone().filter(|quote| quote.len() >= 12);
    let quotes: Vec<(usize, String)> =
        reviewed.response.supports.iter().enumerate().filter_map(|(index, support)| Some((index, quote(support)?))).take(QUOTES).collect();
    let within = |text: &str| quotes.iter().filter(|(_, quote)| text.contains(quote.as_str())).count();
    if quotes.is_empty() || within(text) * 2 >= quotes.len() {
        return;
    }
    let near = index.saturating_sub(NEIGHBOURS)..responses.len().min(index + NEIGHBOURS + 1);
    let others = near.filter(|&other| other != index).filter_map(|other| Some((other, within(responses.get(other)?.response.text()))));
    let Some((other, fits)) = others.max_by_key(|&(other, fits)| (fits, usize::MAX - other.abs_diff(index))) else { return };
    if fits * 2 <= quotes.len() || fits <= within(text) {
        return;
    }
    let here = match within(text) {
        0 => "none".to_owned(),
        some => some.to_string(),
    };
    let message = format!(
        "{fits} of {} stand in the text of response {} of this record, {here} in this one",
        counted(quotes.len(), "quote"),
        other + 1
    );
    let stray: Vec<usize> = quotes.iter().map(|(index, _)| *index).collect();
    let origin = stray.first().map(|&first| reviewed.origin_of(first)).unwrap_or_default();
    // That they are nowhere in this text is the same cause.
    found.retain(|finding| finding.rule.id != "quote-gone");
    found.push(Finding::new("text-other-event", &origin, message).supports(reviewed_supports(reviewed, text)));
}

/// Supports whose quote is not in the text.
fn reviewed_supports(reviewed: &Reviewed, text: &str) -> Vec<usize> {
    let gone = |index: &usize| reviewed.anchors.get(*index).is_some_and(|anchor| text.is_empty() || anchor.range.is_none());
    (0..reviewed.response.supports.len()).filter(gone).collect()
}
