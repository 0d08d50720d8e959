//! Lists of sources that the text itself brings along: `[1] Title https://…`, a line each.

use std::collections::HashMap;
use std::ops::Range;

use super::markers::{self, Name, Notation};
use crate::model::{Origin, Response, Source, SourceKind};

/// An entry of such a list.
struct Entry<'a> {
    number: u32,
    title: &'a str,
    uri: &'a str,
    line: Range<usize>,
}

/// Supports and sources of an answer whose own text numbers them; nothing where there is no list, or no mark
/// outside of it.
pub fn text_markers(response: &mut Response, origin: &Origin) {
    listed(response, origin, false);
}

/// The same of a list whose numbers stand in brackets: what a provider sent who numbers nothing has lists of
/// other things, too.
pub fn bracketed(response: &mut Response, origin: &Origin) {
    listed(response, origin, true);
}

fn listed(response: &mut Response, origin: &Origin, brackets: bool) {
    if entries(response.text(), brackets).is_empty() {
        return;
    }
    let text = response.text().to_owned();
    let entries = entries(&text, brackets);
    let lines: Vec<Range<usize>> = entries.iter().map(|entry| entry.line.clone()).collect();
    let mut by_number: HashMap<u32, usize> = HashMap::new();
    let mut by_address: HashMap<&str, usize> = HashMap::new();
    for (index, entry) in entries.iter().enumerate() {
        by_number.entry(entry.number).or_insert(index);
        by_address.entry(entry.uri).or_insert(index);
    }
    markers::add(response, origin, Notation::NUMBERS, &lines, |name| match name {
        Name::Number(number) => by_number.get(&number).copied(),
        Name::Address(address, number) => {
            by_address.get(address).or_else(|| by_number.get(&number?)).copied()
        }
    });
    if response.supports.is_empty() {
        return;
    }
    response.sources = entries
        .iter()
        .map(|entry| Source {
            origin: origin.clone(),
            kind: SourceKind::Web,
            title: Some(entry.title.to_owned()).filter(|title| !title.is_empty()),
            uri: Some(entry.uri.to_owned()),
            number: Some(entry.number.to_string()),
            ..Source::default()
        })
        .collect();
}

/// Lines `[n] …`, `[n]: …`, and without brackets `n. …`, `n) …`, with an address.
fn entries(text: &str, brackets: bool) -> Vec<Entry<'_>> {
    let mut at = 0;
    let mut out = Vec::new();
    for line in text.split_inclusive('\n') {
        let range = at..at + line.len();
        at = range.end;
        let found = entry(line).filter(|_| !brackets || line.trim_start_matches(LEAD).starts_with('['));
        out.extend(found.map(|(number, title, uri)| Entry { number, title, uri, line: range }));
    }
    out
}

/// What a line of a list may begin with.
const LEAD: [char; 6] = ['-', '*', '+', '•', ' ', '\t'];

fn entry(line: &str) -> Option<(u32, &str, &str)> {
    let line = line.trim().trim_start_matches(LEAD).trim_start_matches('_');
    let (digits, rest) = match line.strip_prefix('[') {
        Some(inner) => inner.split_once(']').map(|(digits, rest)| (digits, rest.trim_start_matches(':')))?,
        None => line.split_once(['.', ')'])?,
    };
    let digits = digits.trim_start_matches('^');
    let plain = (1..=3).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    let number = digits.parse().ok().filter(|_| plain)?;
    let start = rest.find("https://").or_else(|| rest.find("http://"))?;
    let tail = rest.get(start..)?;
    let mut depth = 0usize;
    let end = tail.find(|c: char| {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return true,
            ')' => depth -= 1,
            _ => {}
        }
        c.is_whitespace() || matches!(c, '>' | ']' | '"')
    });
    let end = end.unwrap_or(tail.len());
    let uri = tail.get(..end)?.trim_end_matches(['.', ',', ';']);
    let (before, behind) = (named(rest.get(..start)?), named(tail.get(end..)?));
    Some((number, if before.is_empty() { behind } else { before }, uri))
}

/// A title without what sets it off.
fn named(text: &str) -> &str {
    let bare = text.trim_matches(|c: char| c.is_whitespace() || "[](){}<>:;,–—-*_".contains(c));
    bare.strip_prefix('"').and_then(|inner| inner.strip_suffix('"')).unwrap_or(bare)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_lines_with_a_number_and_an_address() {
        let text = "It is old [1].\n\nSources:\n[1] A page: https://a.example/x.\n- [2]: https://b.example\n3. [C](https://c.example/y) of 2020\n4. no address\n";
        let found: Vec<_> = entries(text, false).iter().map(|e| (e.number, e.title, e.uri)).collect();
        assert_eq!(
            found,
            [
                (1, "A page", "https://a.example/x"),
                (2, "", "https://b.example"),
                (3, "C", "https://c.example/y")
            ]
        );
        let told = [
            "**[4]** [Ruby](https://d.example)",
            "5. Wikipedia, \"Ruby\" https://e.example",
            "[6]: https://f.example \"Six\"",
        ];
        let found = told.map(|line| entry(line).map(|(number, title, _)| (number, title)));
        assert_eq!(found, [Some((4, "Ruby")), Some((5, "Wikipedia, \"Ruby\"")), Some((6, "Six"))]);
    }
}
