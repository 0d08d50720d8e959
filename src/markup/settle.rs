//! Small moves of a mark by the characters beside it: not inside a word, a number or a bare address, and not
//! where it would make or unmake emphasis.

use std::ops::Range;

use super::structure::Structure;
use super::words::{after, before, in_word};

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
    // Such an address is one behind a blank only.
    let begins = text.get(at..at + 4).is_some_and(|head| head.eq_ignore_ascii_case("www."));
    let before_blanks = text.get(..at).map_or(at, |lead| lead.trim_end_matches(' ').len());
    if begins && structure.is_legal(before_blanks) {
        return before_blanks;
    }
    emphasis(structure, at)
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
    Some(first..first + without_tail(body).len())
}

/// An address without the signs behind it, as GFM cuts it: a bracket that opens in it closes there.
fn without_tail(body: &str) -> &str {
    let count = |bracket| body.bytes().filter(|byte| *byte == bracket).count();
    let mut unopened = count(b')').saturating_sub(count(b'('));
    let mut body = body;
    loop {
        let bare = body.trim_end_matches(['?', '!', '.', ',', ':', ';', '*', '_', '~', '\'', '"', ']', '`']);
        match bare.strip_suffix(')') {
            Some(rest) if unopened > 0 => (body, unopened) = (rest, unopened - 1),
            _ => return bare,
        }
    }
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
