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
        // Behind a quotation its sentence may go on.
        let quoted = before.ends_with(['"', '\'']) || before.ends_with(is_closing);
        let goes_on = small && (before.ends_with('.') || quoted)
            || quoted && rest.starts_with(is_hiragana)
            || closes(rest)
            || is_date(before, rest);
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
            // As German books have them.
            '\u{ab}' => before.ends_with(ends_sentence) && parts.contains('\u{bb}'),
            '\u{2039}' => before.ends_with(ends_sentence) && parts.contains('\u{203a}'),
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

/// Whether a text begins with what closes a quotation: before a letter it opens one, as in German books.
fn closes(text: &str) -> bool {
    let text = text.trim_start_matches(is_blank);
    let rest = text.trim_start_matches(is_closing);
    rest.len() < text.len() && !rest.starts_with(char::is_alphanumeric)
}

/// Letters with which Japanese goes on behind a quotation.
fn is_hiragana(c: char) -> bool {
    ('\u{3041}'..='\u{309f}').contains(&c)
}

/// Words behind the number of a day or a century.
const COUNTED: [&str; 17] = [
    "Januar",
    "J\u{e4}nner",
    "Februar",
    "M\u{e4}rz",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
    "Jahrhundert",
    "Jahrhunderts",
    "Jahrhunderte",
    "Jh",
];
/// Words before a number.
const COUNTING: [&str; 18] = [
    "Jan", "Feb", "Mar", "Apr", "Jun", "Jul", "Aug", "Sep", "Sept", "Oct", "Nov", "Dec", "art", "Art", "Abs",
    "Nr", "ca", "approx",
];

/// Whether a full stop is of a number or before one: `am 3. Mai`, `im 19. Jahrhundert`, `on Jan. 5`.
fn is_date(before: &str, rest: &str) -> bool {
    let Some(before) = before.strip_suffix('.') else { return false };
    let last = before.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let next =
        rest.trim_start_matches(is_blank).split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let is_ordinal = (1..=2).contains(&last.len()) && last.bytes().all(|byte| byte.is_ascii_digit());
    is_ordinal && COUNTED.contains(&next)
        || COUNTING.contains(&last) && next.starts_with(|c: char| c.is_ascii_digit())
}

/// How often a sign stands in a text, in a row once.
fn runs(text: &str, sign: char) -> usize {
    text.split(|c| c != sign).filter(|run| !run.is_empty()).count()
}

/// Signs that close a quotation or a bracket.
pub(super) fn is_closing(c: char) -> bool {
    "\u{bb}\u{203a}\u{201d}\u{2019})]\u{300d}\u{300f}\u{300b}\u{3009}\u{3011}\u{ff09}".contains(c)
}
