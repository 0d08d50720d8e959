//! Citation markers that the model wrote into the answer itself and that name no source.

use std::collections::HashSet;
use std::ops::Range;

use super::{Finding, counted};
use crate::markup::{code_spans, contains};
use crate::review::Reviewed;

pub(super) fn check(reviewed: &Reviewed, found: &mut Vec<Finding>) {
    let response = &reviewed.response;
    let text = response.text();
    if response.is_question() || response.partial || text.is_empty() {
        return;
    }
    // Most answers have neither, and need no parsing.
    let code = if text.contains(['[', '【']) || text.contains("http") { code_spans(text) } else { Vec::new() };
    // In JSON a bracket is a list.
    if !text.trim_start().starts_with(['{', '[']) || text.starts_with("[cite") {
        orphans(reviewed, &code, found);
    }
    super::addresses::check(reviewed, &code, found);
}

/// A marker as models write them.
struct Marker {
    range: Range<usize>,
    /// Numbers it names; none where it can name no source.
    numbers: Vec<usize>,
}

fn orphans(reviewed: &Reviewed, code: &[Range<usize>], found: &mut Vec<Finding>) {
    let text = reviewed.response.text();
    let sources = reviewed.response.sources.len();
    let markers = markers(text, code);
    // A list that the model wrote itself: `[3] Some title`, a line each.
    let at_line_start = |range: &Range<usize>| text.get(..range.start).is_some_and(|before| before.is_empty() || before.ends_with('\n'));
    let own: HashSet<usize> =
        markers.iter().filter(|marker| at_line_start(&marker.range)).flat_map(|marker| marker.numbers.iter().copied()).collect();
    let missing = |marker: &&Marker| {
        marker.numbers.is_empty()
            || marker.numbers.iter().any(|number| (*number == 0 && sources == 0 || *number > sources) && !own.contains(number))
    };
    let places: Vec<Range<usize>> = markers.iter().filter(missing).map(|marker| marker.range.clone()).collect();
    let mut shown: Vec<&str> = Vec::new();
    for words in places.iter().filter_map(|range| text.get(range.clone())) {
        if shown.len() < 6 && !shown.contains(&words) {
            shown.push(words);
        }
    }
    if places.is_empty() {
        return;
    }
    let verb = if places.len() == 1 { "names" } else { "name" };
    let there = if sources == 0 { "the response has none".to_owned() } else { format!("the response has {sources}") };
    let message = format!("{} in the answer {verb} no source: {} ({there})", counted(places.len(), "marker"), shown.join(" "));
    found.push(Finding::new("marker-orphan", &reviewed.response.origin, message).places(places));
}

fn markers(text: &str, code: &[Range<usize>]) -> Vec<Marker> {
    let mut out: Vec<Marker> = Vec::new();
    for at in memchr::memchr2_iter(b'[', 0xE3, text.as_bytes()) {
        let Some(rest) = text.get(at..) else { continue };
        if contains(code, at) {
            continue;
        }
        let previous = out.last().map_or(0, |marker| marker.range.end);
        let (length, numbers) = match marker(rest) {
            Some(found) if rest.starts_with('[') => {
                // A link, a footnote, the second half of `[text][1]`, an element of a list in prose.
                let after = rest.get(found.0..).unwrap_or_default();
                let linked = after.starts_with(['(', ':'])
                    || text.get(..at).is_some_and(|before| before.ends_with('[') || before.ends_with(']') && previous != at);
                let listed = found.1.len() > 1 && !rest.starts_with("[cite") && !ends_clause(after);
                if linked || listed {
                    continue;
                }
                found
            }
            Some(found) => found,
            None => continue,
        };
        out.push(Marker { range: at..at + length, numbers });
    }
    out
}

/// Whether a clause may end before `after`, as it does where a marker stands.
fn ends_clause(after: &str) -> bool {
    let next = after.trim_start_matches(' ').chars().next();
    next.is_none_or(|c| {
        matches!(c, '\n' | '\r' | '.' | ',' | ';' | ':' | '!' | '?' | ')' | '[' | '。' | '、') || after.starts_with(' ') && c.is_uppercase()
    })
}

/// Length and numbers of a marker at the beginning: `[9]`, `[9, 16]`, `[cite: 5, 7]`, `[cite_start]`, `【4†source】`.
fn marker(text: &str) -> Option<(usize, Vec<usize>)> {
    if let Some(rest) = text.strip_prefix('【') {
        let end = rest.char_indices().take(40).find(|&(_, c)| c == '】')?.0;
        let inner = rest.get(..end)?;
        let named = inner.contains('†') && inner.starts_with(|c: char| c.is_ascii_digit());
        return named.then(|| ('【'.len_utf8() + end + '】'.len_utf8(), Vec::new()));
    }
    let rest = text.strip_prefix('[')?;
    let end = rest.bytes().take(64).position(|byte| byte == b']')?;
    let inner = rest.get(..end)?;
    let length = end + 2;
    if matches!(inner, "cite_start" | "cite_end") {
        return Some((length, Vec::new()));
    }
    let list = inner.strip_prefix("cite:").unwrap_or(inner);
    let number = |word: &str| {
        let word = word.trim();
        let digits = (1..=3).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit());
        word.parse().ok().filter(|_| digits)
    };
    list.split(',').map(number).collect::<Option<Vec<usize>>>().map(|numbers| (length, numbers))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_are_told_from_links_lists_and_code() {
        let shown = |text: &str| -> Vec<String> {
            let code = code_spans(text);
            markers(text, &code).into_iter().map(|marker| text[marker.range].to_owned()).collect()
        };
        assert_eq!(shown("Ruby is a language.[1][3] It is old [9, 16]."), ["[1]", "[3]", "[9, 16]"]);
        assert_eq!(
            shown("[cite_start]It rose.[cite: 5] 【4†source】 [cite: 1, 2]x"),
            ["[cite_start]", "[cite: 5]", "【4†source】", "[cite: 1, 2]"]
        );
        assert_eq!(shown("see [1](https://a.example), [the list][2], [^3], [2024], [0.5], `a[0]`, [x], [[1]](u)"), [""; 0]);
        assert_eq!(shown("the list [1, 2, 3] is sorted"), [""; 0]);
        assert_eq!(shown("```\na[1]\n"), [""; 0]);
    }
}
