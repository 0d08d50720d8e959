//! Lists of sources that the text itself brings along: `[1] Title https://…`, a line each.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::markers::{self, Name, Notation};
use crate::model::{Origin, Response, Source, SourceKind};

/// An entry of such a list.
#[derive(Clone)]
struct Entry<'a> {
    number: u32,
    title: &'a str,
    uri: Option<&'a str>,
    /// Its number stands in brackets.
    bracketed: bool,
    line: Range<usize>,
}

/// Lines of entries that belong together.
#[derive(Default)]
struct List<'a> {
    entries: Vec<Entry<'a>>,
    numbers: HashSet<u32>,
    /// The line before it says that sources follow.
    headed: bool,
}

/// How sure it is that a list is one of sources.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// Numbers and addresses, which lists of other things have, too.
    Addresses,
    /// Numbers in brackets, as the marks have them.
    Brackets,
    /// It says so.
    Headed,
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
    if sources(response.text(), brackets).is_empty() {
        return;
    }
    let text = response.text().to_owned();
    let entries = sources(&text, brackets);
    let mut lines: Vec<Range<usize>> = entries.iter().map(|entry| entry.line.clone()).collect();
    lines.sort_unstable_by_key(|line| line.start);
    let mut by_number: HashMap<u32, Vec<(usize, usize)>> = HashMap::new();
    let mut by_address: HashMap<&str, usize> = HashMap::new();
    for (index, entry) in entries.iter().enumerate() {
        by_number.entry(entry.number).or_default().push((entry.line.start, index));
        entry.uri.into_iter().for_each(|uri| _ = by_address.entry(uri).or_insert(index));
    }
    // Of several lists a mark means the next one that has its number, else the last before it.
    let of_number = |number: u32, at: usize| {
        let places = by_number.get(&number)?;
        let next = places.partition_point(|(start, _)| *start < at);
        places.get(next).or(places.last()).map(|(_, index)| *index)
    };
    markers::add(response, origin, Notation::NUMBERS, &lines, |name, at| match name {
        Name::Number(number) => of_number(number, at),
        Name::Address(address, number) => by_address.get(address).copied().or_else(|| of_number(number?, at)),
    });
    if response.supports.is_empty() {
        return;
    }
    response.sources = entries
        .iter()
        .map(|entry| Source {
            origin: origin.clone(),
            kind: if entry.uri.is_some() { SourceKind::Web } else { SourceKind::Document },
            title: Some(entry.title.to_owned()).filter(|title| !title.is_empty()),
            uri: entry.uri.map(str::to_owned),
            number: Some(entry.number.to_string()),
            ..Source::default()
        })
        .collect();
}

/// The entries of the lists of sources, each list in the order of its numbers: of several kinds of lists
/// those that are most surely ones.
fn sources(text: &str, brackets: bool) -> Vec<Entry<'_>> {
    let ranked = lists(text, brackets).into_iter().filter_map(|list| Some((list.rank(text)?, list)));
    let ranked: Vec<(Rank, List)> = ranked.collect();
    let Some(best) = ranked.iter().map(|(rank, _)| *rank).max() else { return Vec::new() };
    let mut out = Vec::new();
    for (_, list) in ranked.into_iter().filter(|(rank, _)| *rank == best) {
        let mut entries = list.entries;
        entries.retain(|entry| entry.uri.is_some() || best > Rank::Addresses);
        entries.sort_by_key(|entry| entry.number);
        out.extend(entries);
    }
    out
}

impl List<'_> {
    /// Nothing of a list that is none of sources: no entry has an address, or entries have marks themselves.
    fn rank(&self, text: &str) -> Option<Rank> {
        let with_address = || self.entries.iter().filter(|entry| entry.uri.is_some());
        with_address().next()?;
        if self.headed {
            return Some(Rank::Headed);
        }
        if with_address().any(|entry| entry.bracketed) {
            return Some(Rank::Brackets);
        }
        let marks = |entry: &Entry| {
            let line = text.get(entry.line.clone()).unwrap_or_default();
            !markers::find(line, Notation::NUMBERS, |_| false).is_empty()
        };
        (!self.entries.iter().any(marks)).then_some(Rank::Addresses)
    }

    /// Whether an entry is a further one; `apart`: other lines stand before it, the last of them a heading.
    fn goes_on_with(&self, entry: &Entry, apart: Option<bool>) -> bool {
        let follows = |last: &Entry| last.number < entry.number && last.bracketed == entry.bracketed;
        !self.numbers.contains(&entry.number)
            && apart.is_none_or(|heads| !heads && self.entries.last().is_some_and(follows))
    }
}

/// Lines `[n] …`, `[n]: …`, and without brackets `n. …`, `n) …`, as they belong together. An address may
/// stand in the line behind its entry.
fn lists(text: &str, brackets: bool) -> Vec<List<'_>> {
    let mut at = 0;
    let mut out: Vec<List> = Vec::new();
    let mut heads = false;
    let mut apart = None;
    for line in text.split_inclusive('\n') {
        let range = at..at + line.len();
        at = range.end;
        if line.trim().is_empty() {
            continue;
        }
        if let Some(entry) = entry(line, range.clone()).filter(|entry| !brackets || entry.bracketed) {
            if !out.last().is_some_and(|list| list.goes_on_with(&entry, apart)) {
                out.push(List { headed: heads, ..List::default() });
            }
            if let Some(list) = out.last_mut() {
                list.numbers.insert(entry.number);
                list.entries.push(entry);
            }
            (heads, apart) = (false, None);
            continue;
        }
        let lacking = out.last_mut().filter(|_| apart.is_none()).and_then(|list| list.entries.last_mut());
        if let Some((entry, uri)) = lacking.filter(|entry| entry.uri.is_none()).zip(bare(line)) {
            (entry.uri, entry.line.end) = (Some(uri), range.end);
            continue;
        }
        // What is drawn in goes on with its entry.
        if apart.is_none() && !out.is_empty() && line.starts_with(['\t', ' ']) {
            continue;
        }
        heads = is_heading(line);
        apart = Some(heads);
    }
    out
}

/// What lists of sources are called.
const HEADINGS: [&str; 30] = [
    "sources",
    "source",
    "references",
    "reference",
    "citations",
    "bibliography",
    "works cited",
    "footnotes",
    "quellen",
    "referenzen",
    "literatur",
    "références",
    "bibliographie",
    "fuentes",
    "referencias",
    "bibliografía",
    "fonti",
    "riferimenti",
    "bronnen",
    "źródła",
    "källor",
    "kilder",
    "referências",
    "fontes",
    "kaynaklar",
    "источники",
    "参考文献",
    "来源",
    "出典",
    "출처",
];

/// Letters of a line that announces a list, at most.
const HEADING: usize = 60;

/// Whether a line says that sources follow: `## Sources`, `**References:**`, `The sources I used:`.
fn is_heading(line: &str) -> bool {
    let told = line.trim().trim_matches(|c: char| c.is_whitespace() || "#*_=-".contains(c));
    let bare = told.trim_end_matches([':', '：', '.']).trim_end_matches(['*', '_']).to_lowercase();
    let announces = told.ends_with([':', '：']) && told.chars().count() <= HEADING;
    HEADINGS.contains(&bare.as_str())
        || announces && bare.split(|c: char| !c.is_alphanumeric()).any(|word| HEADINGS.contains(&word))
}

/// The address that a line consists of.
fn bare(line: &str) -> Option<&str> {
    let line = line.trim().trim_start_matches(LEAD);
    let (start, uri, end) = address(line)?;
    let around = |c: char| c.is_whitespace() || "<>()[].,;:".contains(c) || c.is_alphabetic();
    let labelled = line.get(..start)?.chars().all(around) && start <= 8;
    (labelled && line.get(end..)?.trim_matches(|c: char| "<>()[].,;".contains(c)).is_empty()).then_some(uri)
}

/// What a line of a list may begin with.
const LEAD: [char; 6] = ['-', '*', '+', '•', ' ', '\t'];

fn entry(line: &str, range: Range<usize>) -> Option<Entry<'_>> {
    let line = line.trim().trim_start_matches(LEAD).trim_start_matches('_');
    let bracketed = line.starts_with('[');
    let (digits, rest) = match line.strip_prefix('[') {
        Some(inner) => inner.split_once(']').map(|(digits, rest)| (digits, rest.trim_start_matches(':')))?,
        None => line.split_once(['.', ')'])?,
    };
    let digits = digits.trim_start_matches('^');
    let plain = (1..=3).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    let number = digits.parse().ok().filter(|_| plain)?;
    let Some((start, uri, end)) = address(rest) else {
        return Some(Entry { number, title: named(rest), uri: None, bracketed, line: range });
    };
    let (before, behind) = (named(rest.get(..start)?), named(rest.get(end..)?));
    let title = if before.is_empty() { behind } else { before };
    Some(Entry { number, title, uri: Some(uri), bracketed, line: range })
}

/// The first address of a text, where it begins, and where what follows it does.
fn address(text: &str) -> Option<(usize, &str, usize)> {
    let start = text.find("https://").or_else(|| text.find("http://"))?;
    let tail = text.get(start..)?;
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
    Some((start, uri, start + end))
}

/// A title without what sets it off.
fn named(text: &str) -> &str {
    let bare = text.trim_matches(|c: char| c.is_whitespace() || "[](){}<>:;,–—-*_".contains(c));
    bare.strip_prefix('"').and_then(|inner| inner.strip_suffix('"')).unwrap_or(bare)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(u32, &str, &str)> {
        let entries = sources(text, false).into_iter();
        entries.map(|entry| (entry.number, entry.title, entry.uri.unwrap_or("–"))).collect()
    }

    #[test]
    fn entries_are_lines_with_a_number() {
        let text = "It is old [1].\n\nSources:\n[1] A page: https://a.example/x.\n- [2]: https://b.example\n3. [C](https://c.example/y) of 2020\n4. no address\n";
        assert_eq!(
            found(text),
            [
                (1, "A page", "https://a.example/x"),
                (2, "", "https://b.example"),
                (3, "C", "https://c.example/y"),
                (4, "no address", "–")
            ]
        );
        let told = [
            "**[4]** [Ruby](https://d.example)",
            "5. Wikipedia, \"Ruby\" https://e.example",
            "[6]: https://f.example \"Six\"",
        ];
        let found = told.map(|line| entry(line, 0..0).map(|entry| (entry.number, entry.title)));
        assert_eq!(found, [Some((4, "Ruby")), Some((5, "Wikipedia, \"Ruby\"")), Some((6, "Six"))]);
    }

    #[test]
    fn of_several_lists_that_of_sources_counts() {
        let (own, other) = ((1, "A", "https://a.example"), (1, "F", "https://f.example"));
        let things = "1. [F](https://f.example)\n2. G\n";
        assert_eq!(found(things), [other]);
        for heading in
            ["Sources:\n", "## References\n\n", "**Quellen**\n", "These are the sources I used:\n", "\n"]
        {
            let text = format!("{things}\n{heading}[1] A https://a.example\n");
            assert_eq!(found(&text), [own], "{heading}");
            let before = format!("{heading}[1] A https://a.example\n\nSteps:\n{things}");
            assert_eq!(found(&before), [own], "{heading}");
        }
        assert_eq!(found(&format!("{things}\nSources\n1. A https://a.example\n")), [own]);
        // What has marks itself is no list of sources.
        assert_eq!(found("1. [F](https://f.example) grew [1].\n2. G\n"), []);
    }

    #[test]
    fn an_address_may_stand_below_and_a_number_out_of_turn() {
        assert_eq!(
            found(
                "Sources:\n[2] B\n   https://b.example/x\n[1] A\nURL: <https://a.example>\n\nmore\n[3] C https://c.example"
            ),
            [(1, "A", "https://a.example"), (2, "B", "https://b.example/x"), (3, "C", "https://c.example")]
        );
    }
}
