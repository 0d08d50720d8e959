//! Words and addresses of a text: where they end.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::ops::{Bound, Range};

/// What is known of the words and the addresses of a text. Places come by the ten thousand, and may all lie
/// in one word.
#[derive(Default)]
pub(super) struct Words {
    /// Places inside of words, each with the end of its word: what lies between is inside of it, too.
    ends: RefCell<BTreeMap<usize, usize>>,
    /// Where an address may begin, ascending.
    heads: OnceCell<Vec<usize>>,
}

impl Words {
    /// The end of the word that a place parts.
    pub fn end(&self, text: &str, from: usize) -> usize {
        let mut ends = self.ends.borrow_mut();
        let before = ends.range(..=from).next_back().map(|(_, end)| *end);
        if let Some(end) = before.filter(|end| from < *end) {
            return end;
        }
        // The same word may be known from a later place on.
        let known = ends.range((Bound::Excluded(from), Bound::Unbounded)).next();
        let known = known.map(|(start, end)| (*start, *end));
        let (limit, _) = known.unwrap_or((text.len(), 0));
        let at = word_end(text, from, limit);
        let end = known.filter(|(start, _)| *start == at).map_or(at, |(_, end)| end);
        ends.insert(from, end);
        end
    }

    /// Whether an address may begin at one of these bytes.
    pub fn has_head(&self, text: &str, range: Range<usize>) -> bool {
        let heads = self.heads.get_or_init(|| {
            let schemes = memchr::memmem::find_iter(text.as_bytes(), "://").map(|at| at.saturating_sub(5));
            let dots = memchr::memchr_iter(b'.', text.as_bytes()).filter(|&at| {
                let before = text.as_bytes().get(at.saturating_sub(3)..at);
                before.is_some_and(|before| before.eq_ignore_ascii_case(b"www"))
            });
            let mut heads: Vec<usize> = schemes.chain(dots.map(|at| at - 3)).collect();
            heads.sort_unstable();
            heads
        });
        heads.get(heads.partition_point(|&head| head < range.start)).is_some_and(|&head| head < range.end)
    }
}

pub(super) fn after(text: &str, at: usize) -> Option<char> {
    text.get(at..)?.chars().next()
}

/// Whether a place parts a word or a number. Scripts that write without blanks have no such places.
pub(super) fn in_word(text: &str, at: usize) -> bool {
    let (Some(left), Some(right)) = (before(text, at), after(text, at)) else { return false };
    let (letter_left, letter_right) = (is_spaced(base(text, at).unwrap_or(left)), is_spaced(right));
    let second = || after(text, at + right.len_utf8());
    let other = || before(text, at - left.len_utf8());
    let inside = |c: char| matches!(c, '\'' | '’' | '_');
    let point = |c: char| matches!(c, '.' | ',');
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    match () {
        () if letter_left && letter_right => true,
        () if letter_left && inside(right) => second().is_some_and(is_spaced),
        () if letter_right && inside(left) => other().is_some_and(is_spaced),
        () if point(right) => digit(Some(left)) && digit(second()),
        () if point(left) => digit(other()) && digit(Some(right)),
        () => false,
    }
}

/// A letter or digit of a script that parts its words by blanks.
fn is_spaced(c: char) -> bool {
    let dense = matches!(c, '\u{E00}'..='\u{EFF}' | '\u{F00}'..='\u{FFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}'
        | '\u{1950}'..='\u{19DF}' | '\u{1A20}'..='\u{1AAF}' | '\u{2E80}'..='\u{312F}' | '\u{3190}'..='\u{A4CF}'
        | '\u{A9E0}'..='\u{A9FF}' | '\u{AA60}'..='\u{AADF}' | '\u{F900}'..='\u{FAFF}' | '\u{FF00}'..='\u{FFEF}' | '\u{1B000}'..='\u{1B16F}'
        | '\u{20000}'..='\u{3FFFF}');
    c.is_alphanumeric() && !dense
}

/// The end of the word that a place parts, or the limit where the word goes through it.
fn word_end(text: &str, from: usize, limit: usize) -> usize {
    let mut at = from;
    while at != limit && in_word(text, at) {
        at += after(text, at).map_or(1, char::len_utf8);
        // Marks over and under letters belong to them.
        while after(text, at)
            .is_some_and(|c| !c.is_alphanumeric() && unicode_width::UnicodeWidthChar::width(c) == Some(0))
        {
            at += after(text, at).map_or(1, char::len_utf8);
        }
    }
    at
}

pub(super) fn before(text: &str, at: usize) -> Option<char> {
    text.get(..at)?.chars().next_back()
}

/// The letter before a place, without the marks over and under it.
fn base(text: &str, at: usize) -> Option<char> {
    text.get(..at)?.chars().rev().take(8).find(|c| unicode_width::UnicodeWidthChar::width(*c) != Some(0))
}
/// Bytes before a place that are looked at: the address of a link may be long.
const LOOKED_AT: usize = 2048;

/// The character that is read before a place: behind delimiters, backticks and the address of a link.
pub fn shown_before(text: &str, at: usize) -> Option<char> {
    let whole = text.get(..at)?;
    let mut before = whole.get(whole.floor_char_boundary(at.saturating_sub(LOOKED_AT))..)?;
    loop {
        let bare = before.trim_end_matches(['*', '_', '~', '`']);
        let linked = bare.strip_suffix(')').and_then(|link| {
            let (words, address) = link.rsplit_once("](")?;
            let plain = !address.contains(|c: char| c.is_whitespace() || matches!(c, '(' | ')'));
            plain.then_some(words)
        });
        match linked {
            Some(words) => before = words,
            None => return bare.chars().next_back(),
        }
    }
}
