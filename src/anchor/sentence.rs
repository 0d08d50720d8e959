//! The sentence before a mark, with what closes behind its last words.

use crate::text::{ends_sentence, is_blank, sentence_start};

/// Full stops before small letters that one sentence may have.
const STOPS_MOST: usize = 16;
/// Signs in a row that close something.
const CLOSING_MOST: usize = 8;

/// Where the last sentence of a text begins. A full stop before a small letter ends none, and emphasis may
/// be closed behind one.
pub(super) fn sentence(text: &str) -> usize {
    let mut start = sentence_start(text);
    for _ in 0..STOPS_MOST {
        let rest = text.get(start..).unwrap_or_default();
        let small = rest.trim_start_matches(is_blank).starts_with(char::is_lowercase);
        let before = text.get(..start).unwrap_or_default().trim_end_matches(is_blank);
        // What closes a quotation begins no sentence, and behind one its sentence may go on.
        let closes = rest.trim_start_matches(is_blank).starts_with(is_closing);
        let goes_on = small && (before.ends_with('.') || before.ends_with(is_closing)) || closes;
        if start == 0 || !goes_on {
            break;
        }
        start = sentence_start(before);
    }
    let rest = text.get(start..).unwrap_or_default();
    let closed = rest.char_indices().filter_map(|(at, c)| {
        let emphasis = rest.get(..at)?.trim_end_matches(['*', '_']);
        let small = rest.get(at..)?.trim_start_matches(is_blank).starts_with(char::is_lowercase);
        let ends = emphasis.ends_with(['!', '?', '…']) || emphasis.ends_with('.') && !small;
        (is_blank(c) && emphasis.len() < at && ends).then_some(at)
    });
    start + closed.max().unwrap_or_default()
}

/// A text without what closes behind its last words: emphasis, quotations and brackets, also behind a blank:
/// `« Oui. »*`. `line`: what stands in its line up to there.
pub(super) fn unclosed<'t>(mut text: &'t str, line: &str) -> &'t str {
    let begin = line.len().saturating_sub(text.len());
    for _ in 0..CLOSING_MOST {
        let words = text.trim_end_matches(is_blank);
        let Some(last) = words.chars().next_back() else { break };
        let before = words.trim_end_matches(last);
        let parts = line.get(..begin + words.len()).unwrap_or_default();
        let closes = match last {
            // What was opened before.
            '*' | '_' | '~' => runs(parts, last).is_multiple_of(2),
            '"' | '\'' if before.ends_with(ends_sentence) => true,
            '"' => parts.matches(last).count().is_multiple_of(2),
            '\u{201c}' => parts.contains('\u{201e}'),
            '^' => true,
            _ => is_closing(last),
        };
        let tag = words.strip_suffix("<sup>");
        if !closes && tag.is_none() {
            break;
        }
        text = tag.unwrap_or(before);
    }
    text.trim_end_matches(is_blank)
}

/// How often a sign stands in a text, in a row once.
fn runs(text: &str, sign: char) -> usize {
    text.split(|c| c != sign).filter(|run| !run.is_empty()).count()
}

/// Signs that close a quotation or a bracket.
fn is_closing(c: char) -> bool {
    "\u{bb}\u{203a}\u{201d}\u{2019})]\u{300d}\u{300f}\u{300b}\u{3009}\u{3011}\u{ff09}".contains(c)
}
