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
    /// What the line before it says.
    head: Option<Rank>,
}

/// How sure it is that a list is one of sources.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// Numbers and addresses, which lists of other things have, too.
    Addresses,
    /// A sentence before it speaks of sources.
    Announced,
    /// Numbers in brackets, as the marks have them.
    Brackets,
    /// It is called so.
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

/// Whether a text has marks that count a list of its own.
pub fn is_listed(text: &str) -> bool {
    // Few texts have both signs.
    if !text.contains('[') && !text.contains('【') || !text.contains("http") {
        return false;
    }
    Numbered::of(text, false).is_some_and(|numbered| {
        let is_known = |address: &str| numbered.by_address.contains_key(address);
        markers::has_mark(text, Notation::NUMBERS, &numbered.lines, is_known)
    })
}

/// The lists of sources of a text: number, address or title, and lines of each entry.
pub fn entries(text: &str) -> impl Iterator<Item = (u32, &str, Range<usize>)> {
    sources(text, false)
        .into_iter()
        .flatten()
        .map(|entry| (entry.number, entry.uri.unwrap_or(entry.title), entry.line))
}

/// The same of those that are certain to be sources: they are called so, or have their numbers in brackets.
pub fn announced(text: &str) -> impl Iterator<Item = (u32, &str, Range<usize>)> {
    let lists = lists(text, false).into_iter().filter(|list| list.rank(text) > Some(Rank::Addresses));
    let entries = lists.flat_map(|list| list.entries);
    entries.filter_map(|entry| Some((entry.number, entry.uri?, entry.line)))
}

/// The entries of the lists of a text, by what marks say.
struct Numbered<'a> {
    entries: Vec<Entry<'a>>,
    /// Where each list begins.
    begins: Vec<usize>,
    /// By number the list and the entry, of one that stands there twice the first.
    by_number: HashMap<u32, Vec<(usize, usize)>>,
    by_address: HashMap<&'a str, usize>,
    /// The lists go on with one another.
    is_one: bool,
    /// The lines of the entries, in order.
    lines: Vec<Range<usize>>,
}

impl<'a> Numbered<'a> {
    fn of(text: &'a str, brackets: bool) -> Option<Self> {
        let lists = sources(text, brackets);
        let begin = |list: &Vec<Entry>| list.iter().map(|entry| entry.line.start).min().unwrap_or_default();
        let begins: Vec<usize> = lists.iter().map(begin).collect();
        let mut by_number: HashMap<u32, Vec<(usize, usize)>> = HashMap::new();
        let mut by_address: HashMap<&str, usize> = HashMap::new();
        let mut entries: Vec<Entry> = Vec::new();
        for (list, entry) in lists
            .into_iter()
            .enumerate()
            .flat_map(|(list, own)| own.into_iter().map(move |entry| (list, entry)))
        {
            let places = by_number.entry(entry.number).or_default();
            if places.last().is_none_or(|(last, _)| *last != list) {
                places.push((list, entries.len()));
            }
            entry.uri.into_iter().for_each(|uri| _ = by_address.entry(uri).or_insert(entries.len()));
            entries.push(entry);
        }
        let mut lines: Vec<Range<usize>> = entries.iter().map(|entry| entry.line.clone()).collect();
        lines.sort_unstable_by_key(|line| line.start);
        let is_one = by_number.values().all(|places| places.len() == 1);
        (!begins.is_empty()).then_some(Self { entries, begins, by_number, by_address, is_one, lines })
    }

    /// The entry that a number at a byte means: of lists that do not go on with one another that of the next
    /// one, or of the last before it.
    fn of_number(&self, number: u32, at: usize) -> Option<usize> {
        let (places, begins) = (self.by_number.get(&number)?, &self.begins);
        let next = begins.partition_point(|begin| *begin < at).min(begins.len().saturating_sub(1));
        let place = if self.is_one { 0 } else { places.partition_point(|(list, _)| *list < next) };
        places.get(place).filter(|(list, _)| self.is_one || *list == next).map(|(_, index)| *index)
    }

    fn source(&self, name: Name, at: usize) -> Option<usize> {
        match name {
            Name::Number(number) => self.of_number(number, at),
            Name::Address(address, number) => {
                self.by_address.get(address).copied().or_else(|| self.of_number(number?, at))
            }
        }
    }
}

fn listed(response: &mut Response, origin: &Origin, brackets: bool) {
    if sources(response.text(), brackets).is_empty() {
        return;
    }
    let text = response.text().to_owned();
    let Some(numbered) = Numbered::of(&text, brackets) else { return };
    let of = |name: Name, at| numbered.source(name, at);
    markers::add(response, origin, Notation::NUMBERS, &numbered.lines, of);
    if response.supports.is_empty() {
        return;
    }
    response.sources = numbered
        .entries
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

/// The entries of each list of sources in the order of its numbers: of several kinds of lists those that are
/// most surely ones.
fn sources(text: &str, brackets: bool) -> Vec<Vec<Entry<'_>>> {
    let ranked = lists(text, brackets).into_iter().filter_map(|list| Some((list.rank(text)?, list)));
    let ranked: Vec<(Rank, List)> = ranked.collect();
    let Some(best) = ranked.iter().map(|(rank, _)| *rank).max() else { return Vec::new() };
    let mut out = Vec::new();
    for (_, list) in ranked.into_iter().filter(|(rank, _)| *rank == best) {
        let is_lazy = list.numbers.len() == 1 && list.entries.iter().all(|entry| !entry.bracketed);
        let mut entries = list.entries;
        for (entry, more) in entries.iter_mut().zip(0..).filter(|_| is_lazy) {
            entry.number += more;
        }
        entries.retain(|entry| entry.uri.is_some() || best > Rank::Addresses);
        entries.sort_by_key(|entry| entry.number);
        out.push(entries);
    }
    out
}

impl List<'_> {
    /// Nothing of a list that is none of sources: no entry has an address, or entries have marks themselves.
    fn rank(&self, text: &str) -> Option<Rank> {
        let with_address = || self.entries.iter().filter(|entry| entry.uri.is_some());
        with_address().next()?;
        let brackets = with_address().any(|entry| entry.bracketed).then_some(Rank::Brackets);
        if let Some(rank) = self.head.max(brackets) {
            return Some(rank);
        }
        let marks = |entry: &Entry| {
            let line = text.get(entry.line.clone()).unwrap_or_default();
            markers::has_mark(line, Notation::NUMBERS, &[], |_| false)
        };
        (!self.entries.iter().any(marks)).then_some(Rank::Addresses)
    }

    /// Whether an entry is a further one; `apart`: other lines stand before it, the last of them a heading.
    fn goes_on_with(&self, entry: &Entry, apart: Option<bool>, blank: bool) -> bool {
        let follows = |last: &Entry| last.number < entry.number && last.bracketed == entry.bracketed;
        // Markdown numbers a list in which all numbers are one.
        let lazy = || self.numbers.len() == 1 && !entry.bracketed;
        match apart {
            None => !blank || !self.numbers.contains(&entry.number) || lazy(),
            Some(heads) => {
                !heads && !self.numbers.contains(&entry.number) && self.entries.last().is_some_and(follows)
            }
        }
    }
}

/// Lines `[n] …`, `[n]: …`, and without brackets `n. …`, `n) …`, `n: …`, as they belong together; also one
/// line that lists all. An address may stand in a line behind its entry.
fn lists(text: &str, brackets: bool) -> Vec<List<'_>> {
    let mut walk = Walk::default();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let range = at..at + line.len();
        at = range.end;
        if line.trim().is_empty() {
            walk.blank = true;
        } else if let Some(entry) = entry(line, range.clone()).filter(|entry| !brackets || entry.bracketed) {
            walk.push(entry);
        } else if !walk.goes_on(line, range.end) {
            walk.head = heading(line);
            walk.apart = Some(walk.head.is_some());
            for entry in in_line(line, &range) {
                walk.head = walk.apart.and(Some(Rank::Headed));
                walk.push(entry);
            }
        }
    }
    walk.lists
}

/// The lists so far.
#[derive(Default)]
struct Walk<'a> {
    lists: Vec<List<'a>>,
    /// What the last line says of what follows.
    head: Option<Rank>,
    /// Since the last entry: other lines, the last of them a heading or not; a blank line.
    apart: Option<bool>,
    blank: bool,
}

impl<'a> Walk<'a> {
    fn push(&mut self, entry: Entry<'a>) {
        let last = self.lists.last();
        if !last.is_some_and(|list| list.goes_on_with(&entry, self.apart, self.blank)) {
            let before = last.filter(|_| self.apart.is_none()).and_then(|list| list.head);
            self.lists.push(List { head: self.head.or(before), ..List::default() });
        }
        if let Some(list) = self.lists.last_mut() {
            list.numbers.insert(entry.number);
            list.entries.push(entry);
        }
        (self.head, self.apart, self.blank) = (None, None, false);
    }

    /// Whether a line goes on with the last entry: with its address, or drawn in.
    fn goes_on(&mut self, line: &'a str, end: usize) -> bool {
        let Some(list) = self.lists.last_mut().filter(|_| self.apart.is_none()) else { return false };
        let drawn_in = line.starts_with(['\t', ' ']);
        let wraps = drawn_in || list.head.is_some() && !self.blank;
        let lacking = list.entries.last_mut().filter(|entry| entry.uri.is_none());
        let uri = bare(line).or_else(|| address(line).filter(|_| wraps).map(|(_, uri, _)| uri));
        if let Some((entry, uri)) = lacking.zip(uri) {
            (entry.uri, entry.line.end) = (Some(uri), end);
            return true;
        }
        wraps && !line.trim_start().starts_with(['#', '*'])
    }
}

/// The entries of a line that lists all: `Sources: [1] https://…, [2] https://…`.
fn in_line<'a>(line: &'a str, range: &Range<usize>) -> Vec<Entry<'a>> {
    let headed = line.split_once([':', '：']).filter(|(told, _)| heading(told) == Some(Rank::Headed));
    let Some((_, rest)) = headed else {
        return Vec::new();
    };
    let mut pieces: Vec<&str> = Vec::new();
    let mut begin = None;
    for (at, _) in rest.match_indices('[') {
        let digits = rest.get(at + 1..).unwrap_or_default();
        let behind = digits.trim_start_matches(|c: char| c.is_ascii_digit());
        if behind.len() < digits.len() && behind.starts_with(']') {
            pieces.extend(begin.and_then(|begin| rest.get(begin..at)));
            begin = Some(at);
        }
    }
    pieces.extend(begin.and_then(|begin| rest.get(begin..)));
    pieces.into_iter().filter_map(|piece| entry(piece, range.clone())).collect()
}

/// How words begin that lists of sources are called by, in small letters.
const CALLED: [&str; 28] = [
    "source",
    "reference",
    "citation",
    "bibliograph",
    "cited",
    "footnote",
    "quelle",
    "referenz",
    "literatur",
    "einzelnachweis",
    "référence",
    "fuente",
    "referencia",
    "bibliograf",
    "fonte",
    "fonti",
    "riferiment",
    "bronnen",
    "źródł",
    "källor",
    "kilder",
    "referência",
    "kaynak",
    "источник",
    "参考",
    "来源",
    "出典",
    "출처",
];

/// Letters of a line that announces a list, at most.
const HEADING: usize = 60;

/// What a line says of a list that follows: it is called sources (`## Sources`, `**References:**`), or spoken
/// of as such (`The sources I used:`).
fn heading(line: &str) -> Option<Rank> {
    let line = line.trim();
    let told = line.trim_matches(|c: char| c.is_whitespace() || "#*_=-:：.".contains(c)).to_lowercase();
    // What is open-source is none.
    let words = told.split(|c: char| !c.is_alphanumeric() && c != '-').filter(|word| !word.is_empty());
    let words: Vec<&str> = words.take(HEADING).collect();
    let is_called = |word: &&str| CALLED.iter().any(|called| word.starts_with(called));
    let set_off = line.starts_with(['#', '*', '_']);
    let announces = line.trim_end_matches(['*', '_']).ends_with([':', '：']);
    if told.chars().count() > HEADING || !words.iter().any(is_called) {
        return None;
    }
    match words.len() {
        1 | 2 => Some(Rank::Headed),
        _ if set_off && words.first().is_some_and(is_called) => Some(Rank::Headed),
        _ if set_off || announces => Some(Rank::Announced),
        _ => None,
    }
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
const LEAD: [char; 7] = ['-', '*', '+', '•', '>', ' ', '\t'];

fn entry(line: &str, range: Range<usize>) -> Option<Entry<'_>> {
    let line = line.trim().trim_start_matches(LEAD).trim_start_matches('_');
    let bracketed = line.starts_with('[');
    let (digits, rest) = match line.strip_prefix('[') {
        Some(inner) => inner.split_once(']').map(|(digits, rest)| (digits, rest.trim_start_matches(':')))?,
        None => line.split_once(['.', ')', ':'])?,
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
        let entries = sources(text, false).into_iter().flatten();
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
        let open = "Open-source options:\n1. [F](https://f.example)\n\n[1] A https://a.example\n";
        assert_eq!(found(open), [own]);
        let spoken = "Data sources to look at:\n1. [F](https://f.example)\n\n[1] A https://a.example\n";
        assert_eq!(found(spoken), [own]);
        // What has marks itself is no list of sources.
        assert_eq!(found("1. [F](https://f.example) grew [1].\n2. G\n"), []);
        // Of a number that stands there twice the first counts.
        let twice = "Sources:\n[1] A https://a.example\n[1] B https://b.example\n[2] C https://c.example\n";
        assert_eq!(found(twice).len(), 3);
        for blank in ["", "\n"] {
            let lazy = format!("Sources:\n1. https://a.example\n{blank}1. https://b.example\n{blank}1. C\n");
            let numbers: Vec<u32> = found(&lazy).iter().map(|entry| entry.0).collect();
            assert_eq!(numbers, [1, 2, 3]);
        }
    }

    #[test]
    fn one_line_may_list_all() {
        let (a, b) = ((1, "", "https://a.example"), (2, "", "https://b.example"));
        assert_eq!(found("Sources: [1] https://a.example, [2] https://b.example\n"), [a, b]);
        assert_eq!(found("**Sources:** [1](https://a.example) [2](https://b.example)\n"), [a, b]);
        assert_eq!(found("It costs: [1] https://a.example\n"), []);
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
