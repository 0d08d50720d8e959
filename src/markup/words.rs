//! Small moves of a mark by the characters beside it: not inside a word, a number or a bare address, and not
//! where it would make or unmake emphasis.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::ops::{Bound, Range};

use super::structure::Structure;

/// What is known of the words and the addresses of a text. Places come by the ten thousand, and may all lie in
/// one word.
#[derive(Default)]
pub(super) struct Words {
    /// Places inside of words, each with the end of its word: what lies between is inside of it, too.
    ends: RefCell<BTreeMap<usize, usize>>,
    /// Where an address may begin, ascending.
    heads: OnceCell<Vec<usize>>,
}

impl Words {
    /// The end of the word that a place parts.
    fn end(&self, text: &str, from: usize) -> usize {
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
    fn has_head(&self, text: &str, range: Range<usize>) -> bool {
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

/// Bytes over which an address is followed.
const SCAN_LIMIT_BYTES: usize = 4096;

/// Where a mark at this byte should stand; the same byte where it may stay.
pub(super) fn settle(structure: &Structure, at: usize) -> usize {
    let text = structure.text;
    if let Some(address) = address_before(structure, at)
        && at < address.end
    {
        return address.end;
    }
    if in_word(text, at) {
        return structure.words.end(text, at);
    }
    emphasis(structure, at)
}

fn before(text: &str, at: usize) -> Option<char> {
    text.get(..at)?.chars().next_back()
}

fn after(text: &str, at: usize) -> Option<char> {
    text.get(at..)?.chars().next()
}

/// The letter before a place, without the marks over and under it.
fn base(text: &str, at: usize) -> Option<char> {
    text.get(..at)?.chars().rev().take(8).find(|c| unicode_width::UnicodeWidthChar::width(*c) != Some(0))
}

/// Whether a place parts a word or a number. Scripts that write without blanks have no such places.
fn in_word(text: &str, at: usize) -> bool {
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

/// A bare address (`https://…`, `www.…`) in the run of characters before a place, cut where renderers
/// disagree.
pub(super) fn address_before(structure: &Structure, at: usize) -> Option<Range<usize>> {
    let text = structure.text;
    let least = text.ceil_char_boundary(at.saturating_sub(SCAN_LIMIT_BYTES)).max(structure.atom_before(at));
    if !structure.words.has_head(text, least.saturating_sub(5)..at) {
        return None;
    }
    let run = text.get(least..at)?;
    let blank = |c: char| c.is_whitespace() || c == '<';
    let start = run.rfind(blank).map_or(least, |blank| {
        least + blank + run.get(blank..).and_then(|r| r.chars().next()).map_or(1, char::len_utf8)
    });
    // The scheme may begin before the place and end behind it.
    let near = text.get(start..text.floor_char_boundary((at + 8).min(text.len())).max(start))?;
    let lower = near.to_ascii_lowercase();
    let head = ["http://", "https://", "www."].iter().filter_map(|head| lower.find(head)).min()?;
    let first = start + head;
    if first >= at {
        return None;
    }
    let rest = text.get(first..text.floor_char_boundary(first + SCAN_LIMIT_BYTES))?;
    let ends = |c: char| {
        blank(c)
            || matches!(
                c,
                '。' | '，' | '、' | '；' | '：' | '！' | '？' | '」' | '』' | '）' | '】' | '》' | '|'
            )
    };
    let body = rest.find(ends).map_or(rest, |end| rest.get(..end).unwrap_or_default());
    let body = body.trim_end_matches(['?', '!', '.', ',', ':', ';', '*', '_', '~', '\'', '"', ')', ']', '`']);
    Some(first..first + body.len())
}

/// Whether a run of `*`, `_` or `~` between two characters can open emphasis, and whether it can close it
/// (`CommonMark`, section 6.2).
fn flanks(run: char, left: Option<char>, right: Option<char>) -> (bool, bool) {
    let blank = |c: Option<char>| c.is_none_or(char::is_whitespace);
    let sign = |c: Option<char>| c.is_some_and(|c| !c.is_alphanumeric() && !c.is_whitespace());
    let opens = !blank(right) && (!sign(right) || blank(left) || sign(left));
    let closes = !blank(left) && (!sign(left) || blank(right) || sign(right));
    if run == '_' {
        return (opens && (!closes || sign(left)), closes && (!opens || sign(right)));
    }
    (opens, closes)
}

fn delimiter(c: Option<char>) -> Option<char> {
    c.filter(|c| matches!(c, '*' | '_' | '~'))
}

/// Bytes of a run of delimiters that are counted; no longer run means anything.
const RUN_LIMIT_BYTES: usize = 256;

/// Where the run of a delimiter before a place begins.
fn run_before(text: &str, at: usize, run: char) -> usize {
    at - text.get(..at).map_or(0, |text| {
        text.bytes().rev().take(RUN_LIMIT_BYTES).take_while(|byte| char::from(*byte) == run).count()
    })
}

/// Where the run of a delimiter after a place ends.
fn run_after(text: &str, at: usize, run: char) -> usize {
    at + text.get(at..).map_or(0, |text| {
        text.bytes().take(RUN_LIMIT_BYTES).take_while(|byte| char::from(*byte) == run).count()
    })
}

/// Whether a mark, which begins and ends with a bracket, changes what the delimiters beside it do.
fn disturbs(text: &str, at: usize) -> bool {
    let (left, right) = (before(text, at), after(text, at));
    if let Some(run) = delimiter(left) {
        if right == Some(run) {
            return true;
        }
        let outer = before(text, run_before(text, at, run));
        let (was, is) = (flanks(run, outer, right), flanks(run, outer, Some('[')));
        // What closes emphasis here need not open any.
        if was.1 != is.1 || is.0 && !was.0 && !was.1 {
            return true;
        }
    }
    if let Some(run) = delimiter(right) {
        let outer = after(text, run_after(text, at, run));
        let (was, is) = (flanks(run, left, outer), flanks(run, Some(']'), outer));
        if was.1 && !is.1 || was.0 != is.0 {
            return true;
        }
    }
    false
}

/// A place beside the delimiters where the mark changes nothing, or the same place.
fn emphasis(structure: &Structure, at: usize) -> usize {
    let text = structure.text;
    if !disturbs(text, at) {
        return at;
    }
    let behind = delimiter(after(text, at)).map(|run| run_after(text, at, run));
    let ahead = delimiter(before(text, at)).map(|run| run_before(text, at, run));
    let fits = |at: &usize| structure.is_legal(*at) && !disturbs(text, *at) && !in_word(text, *at);
    [behind, ahead].into_iter().flatten().find(fits).unwrap_or(at)
}
