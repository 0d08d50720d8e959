//! What beside its numbers shows that a segment lies where it was said to: the quote sent with it, the look
//! of a mark and the address in it, the sign behind a point.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use memchr::memmem;

use super::reading::{is_slot, text_parts};
use super::reanchor::places_of;
use crate::model::{AnchorKind, Proof, Response, Source, SourceKind, Support};
use crate::text::{is_clause_stop, past_added, plain_address};

/// Signs of the sentence that an address stands in.
const CLOSING: [char; 6] = ['.', ',', ';', ':', '!', '?'];
/// Letters before `://`.
const SCHEME_MOST: usize = 12;
/// Bytes of a link before its address.
const LABEL_MOST: usize = 512;

/// What can be compared with the text.
pub(super) enum Shown<'a> {
    /// Words that the segment is said to hold.
    Quote(&'a str),
    /// A mark that names one of these: an address, or the name of a file.
    Mark(Vec<&'a str>),
    /// A point before closing punctuation.
    Point,
    /// A blank reserved before closing punctuation.
    Slot,
    /// Nothing.
    Nothing,
}

/// Whether a range is that of a claim, and not of the mark behind it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Claims {
    /// It ends right before the mark, or with it and begins before.
    Surely,
    /// It ends before the mark, or in the first half of it.
    Perhaps,
    No,
}

/// The text in which proofs are looked for.
pub(super) struct Proofs<'a> {
    response: &'a Response,
    answer: &'a str,
    /// Where text parts end, in order.
    ends: Vec<usize>,
    /// The links of the text by their addresses, in order.
    links: OnceCell<HashMap<String, Vec<Range<usize>>>>,
}

impl<'a> Proofs<'a> {
    pub fn of(response: &'a Response, answer: &'a str) -> Self {
        let points = response.supports.iter().any(|support| support.kind == AnchorKind::Point);
        let ends = if points { text_parts(response).map(|range| range.end).collect() } else { Vec::new() };
        Self { response, answer, ends, links: OnceCell::new() }
    }

    /// What a support can be compared by.
    pub fn shown(&self, support: &'a Support) -> Shown<'a> {
        let segment = support.segment.as_ref();
        let quote = segment.and_then(|segment| segment.quote.as_deref()).filter(|quote| !quote.is_empty());
        match (quote, support.kind) {
            (Some(quote), _) => Shown::Quote(quote),
            (None, AnchorKind::Marker) => Shown::Mark(self.names(support)),
            (None, AnchorKind::Point) => Shown::Point,
            (None, _) if self.response.proof == Proof::Slots => Shown::Slot,
            (None, _) => Shown::Nothing,
        }
    }

    /// Addresses and names of files of what a support cites, each once: thousands may cite one.
    fn names(&self, support: &Support) -> Vec<&'a str> {
        let sources = support.citations.iter().filter_map(|citation| citation.target.source());
        let sources = sources.filter_map(|source| self.response.sources.get(source));
        let name = |source: &'a Source| {
            let address = source.uri.as_deref().filter(|uri| uri.contains("://")).map(plain_address);
            address.or_else(|| source.title.as_deref().filter(|_| source.kind == SourceKind::File))
        };
        let mut known = HashSet::new();
        sources.filter_map(name).filter(|name| !name.is_empty() && known.insert(*name)).collect()
    }

    /// Whether the text agrees with a range; where there is nothing to compare by, any range will do.
    pub fn fits(&self, shown: &Shown, range: &Range<usize>) -> bool {
        let Some(slice) = self.answer.get(range.clone()) else { return false };
        match shown {
            Shown::Quote(quote) => slice == *quote,
            Shown::Mark(names) => is_mark(slice, names) && !self.is_beside(names, range),
            Shown::Point => self.is_point(range.end),
            Shown::Slot => is_slot(self.answer, range.end),
            Shown::Nothing => true,
        }
    }

    /// Whether the link in a range is another by one bracket: `[a](b))` of `([a](b))` begins too late. Words
    /// around it may be of the mark, and brackets on both sides need not be.
    fn is_beside(&self, names: &[&str], range: &Range<usize>) -> bool {
        let words = self.answer.get(range.clone()).unwrap_or_default();
        let found = names.iter().find_map(|name| places(words, name).next());
        let Some(address) = found.filter(|address| address.len() < words.len()) else { return false };
        let link = link_around(self.answer, range.start + address.start..range.start + address.end);
        let apart = (link.start.abs_diff(range.start), link.end.abs_diff(range.end));
        let around = (link.start < range.start, link.end > range.end);
        matches!(apart, (0, 1) | (1, 0)) || apart == (1, 1) && around.0 != around.1
    }

    /// Whether a range is all of its link, or that without the brackets around it: by some other number a
    /// claim may be moved onto a part of one.
    pub fn is_whole(&self, shown: &Shown, range: &Range<usize>) -> bool {
        let Shown::Mark(names) = shown else { return true };
        if !self.answer.get(range.clone()).is_some_and(|words| words.contains("://")) {
            return true;
        }
        let marks = self.marks(names);
        let from = marks.partition_point(|mark| mark.end < range.end);
        let inner = |mark: &Range<usize>| {
            mark.start + 1 == range.start
                && range.end + 1 == mark.end
                && self.answer.get(mark.clone()).is_some_and(|words| words.starts_with("(["))
        };
        marks.iter().skip(from).take(2).any(|mark| mark == range || inner(mark))
    }

    /// Whether a range may be the claim of its own mark, and how sure that is.
    pub fn claims(&self, shown: &Shown, range: &Range<usize>) -> Claims {
        let Shown::Mark(names) = shown else { return Claims::No };
        let marks = self.marks(names);
        let next = marks.partition_point(|mark| mark.end < range.end);
        let is_open = |c: char| c.is_whitespace() || matches!(c, '(' | '<');
        let surely = marks.iter().skip(next).take(2).any(|mark| {
            let before = self.answer.get(range.end..mark.start);
            let ends_with = mark.end == range.end && range.start < mark.start;
            ends_with || before.is_some_and(|before| before.len() <= 2 && before.chars().all(is_open))
        });
        match marks.get(next) {
            _ if surely => Claims::Surely,
            Some(mark) if may_claim(range, mark) => Claims::Perhaps,
            _ => Claims::No,
        }
    }

    /// Closing punctuation, a line end or the end of a part follows.
    fn is_point(&self, at: usize) -> bool {
        let next = self.answer.get(at..).and_then(|rest| rest.chars().next());
        next.is_none_or(|c| matches!(c, '\n' | '\r') || ends_clause(c))
            || self.ends.binary_search(&at).is_ok()
    }

    /// The links of the text that name one of these, in order.
    pub fn marks(&self, names: &[&str]) -> Cow<'_, [Range<usize>]> {
        let links = self.links.get_or_init(|| links(self.answer));
        let mut linked = names.iter().filter_map(|name| links.get(name.trim_end_matches(CLOSING)));
        let Some(first) = linked.next() else { return Cow::default() };
        // Those of one address are in order.
        let mut marks = Cow::Borrowed(first.as_slice());
        linked.for_each(|more| marks.to_mut().extend_from_slice(more));
        if let Cow::Owned(marks) = &mut marks {
            marks.sort_unstable_by_key(|range| (range.start, range.end));
            marks.dedup();
        }
        marks
    }

    /// Where the text has what is looked for, as far as that is worth a vote.
    pub fn places(&self, shown: &Shown, most: usize) -> Vec<usize> {
        match shown {
            Shown::Quote(quote) => places_of(quote, self.answer).take(most).collect(),
            Shown::Mark(names) => self.marks(names).iter().map(|range| range.start).take(most).collect(),
            Shown::Point | Shown::Slot | Shown::Nothing => Vec::new(),
        }
    }
}

impl Shown<'_> {
    /// Whether agreement proves the place.
    pub fn is_proof(&self) -> bool {
        matches!(self, Self::Quote(_) | Self::Mark(_) | Self::Point)
    }

    /// Whether it is words.
    pub fn is_quote(&self) -> bool {
        matches!(self, Self::Quote(_))
    }

    /// Whether it can be looked for elsewhere in the text.
    pub fn is_searched(&self) -> bool {
        matches!(self, Self::Quote(_) | Self::Mark(_))
    }
}

/// Whether a range may be the claim before a mark: off by some it ends within that, but a mark that is off
/// has more of itself.
pub fn may_claim(range: &Range<usize>, mark: &Range<usize>) -> bool {
    range.start < mark.start && range.end <= mark.start + mark.len() / 2
}

/// Signs before which a mark may stand.
fn ends_clause(c: char) -> bool {
    is_clause_stop(c) || matches!(c, ')' | ']')
}

/// Whether words look like a mark that names one of these; of a mark without a name, and of one that is a
/// number, the look decides.
fn is_mark(words: &str, names: &[&str]) -> bool {
    let number = words.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    if number.is_some_and(|inner| !inner.is_empty() && inner.bytes().all(|byte| byte.is_ascii_digit())) {
        return true;
    }
    let closed = match words.chars().next() {
        Some('(') => words.ends_with(')') && is_balanced(words),
        Some('[') => words.ends_with([']', ')']) && !joins_links(words),
        Some('【') => return words.ends_with('】'),
        Some('<') => words.ends_with('>'),
        _ => false,
    };
    let bare = |name: &&str| plain_address(words) == *name;
    let file = |name: &&str| words.starts_with("sandbox:") && words.ends_with(name);
    closed && (names.is_empty() || names.iter().any(|name| places(words, name).next().is_some()))
        || names.iter().any(|name| bare(name) || file(name))
}

/// Whether words stand between two links: neither is the mark of all of it.
fn joins_links(words: &str) -> bool {
    let mut rest = words;
    while let Some((_, address)) = rest.split_once("](") {
        rest = address.get(address_end(address)..).unwrap_or_default();
        let between = rest.split_once("](").and_then(|(next, _)| next.split_once('['));
        if between.is_some_and(|(between, _)| between.contains(char::is_alphanumeric)) {
            return true;
        }
    }
    false
}

/// Whether the brackets behind the label are closed: an end that is one too early cuts the last one off. What
/// the label holds is words.
fn is_balanced(words: &str) -> bool {
    let Some((_, address)) = words.rsplit_once("](").filter(|_| words.starts_with("([")) else { return true };
    let mut depth = 2i32;
    for c in address.chars() {
        depth += i32::from(c == '(') - i32::from(c == ')');
    }
    depth <= 0
}

/// The links of a text by address, or by the name of the file: `([label](address))`, `[label](address)`, a
/// bare address. What stands inside of an address is none.
fn links(answer: &str) -> HashMap<String, Vec<Range<usize>>> {
    let mut links: HashMap<String, Vec<Range<usize>>> = HashMap::new();
    let mut done = 0;
    for at in memchr::memchr_iter(b':', answer.as_bytes()) {
        let before = answer.as_bytes().get(done..at).unwrap_or_default();
        let letters = before.iter().rev().take(SCHEME_MOST).take_while(|byte| byte.is_ascii_alphabetic());
        let start = at - letters.count();
        let Some(rest) = answer.get(start..).filter(|_| at >= done) else { continue };
        let behind = answer.get(at + 1..).unwrap_or_default();
        let file = rest.starts_with("sandbox:/");
        if !file && !behind.starts_with("//") {
            continue;
        }
        let whole = rest.get(..address_end(rest)).unwrap_or_default();
        let address = plain_address(whole.trim_end_matches(CLOSING));
        done = start + whole.len();
        let range = link_around(answer, start..start + address.len());
        let name = if file { address.rsplit('/').next().unwrap_or_default() } else { address };
        links.entry(name.to_owned()).or_default().push(if file {
            start..start + address.len()
        } else {
            range
        });
    }
    links
}

/// Where an address ends that begins a text.
fn address_end(text: &str) -> usize {
    let mut depth = 0usize;
    let end = text.find(|c: char| {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return true,
            ')' => depth -= 1,
            _ => {}
        }
        c.is_whitespace() || matches!(c, ']' | '>' | '"' | '<' | '|' | '*' | '`')
    });
    end.unwrap_or(text.len())
}

/// Where a text has an address, and not one that goes on.
fn places<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = Range<usize>> + 't {
    let found = memmem::find_iter(text.as_bytes(), name.as_bytes()).map(move |at| at..at + name.len());
    found.filter(move |range| {
        let rest = text.get(range.end..).unwrap_or_default();
        let rest = past_added(rest);
        let sentence = rest.trim_start_matches(CLOSING);
        let ends = |c: char| c.is_whitespace() || matches!(c, ')' | ']' | '>' | '"' | '<' | '|' | '*' | '`');
        rest.chars().next().is_none_or(ends) || sentence.chars().next().is_none_or(char::is_whitespace)
    })
}

/// The link that an address stands in, with the brackets around it.
fn link_around(answer: &str, address: Range<usize>) -> Range<usize> {
    let before = answer.get(..address.start).unwrap_or_default();
    let from = before.ceil_char_boundary(before.len().saturating_sub(LABEL_MOST));
    let label = before.strip_suffix("](").and_then(|before| {
        let mut depth = 1usize;
        let open = before.get(from..)?.char_indices().rev().find(|&(_, c)| {
            match c {
                ']' => depth += 1,
                '[' => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        Some(from + open?.0)
    });
    let (Some(start), Some(rest)) = (label, answer.get(address.end..)) else { return address };
    let Some(behind) = past_added(rest).strip_prefix(')') else { return address };
    let end = answer.len() - behind.len();
    let wrapped = answer.get(..start).is_some_and(|before| before.ends_with('('))
        && answer.get(end..).is_some_and(|after| after.starts_with(')'));
    start - usize::from(wrapped)..end + usize::from(wrapped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_looks_like_one_and_names_its_source() {
        let url = "https://a.example/b";
        for mark in [
            "([a.example](https://a.example/b?utm_source=openai))",
            "[[1]](https://a.example/b)",
            "https://a.example/b?utm_source=openai",
            "<https://a.example/b>",
        ] {
            assert!(is_mark(mark, &[url]), "{mark}");
        }
        assert!(is_mark("sandbox:/mnt/data/plot.png", &["plot.png"]));
        assert!(is_mark("【4:0†source】", &["f"]));
        for other in
            ["([a.example](https://a.example/b", "[x](https://c.example)", "see https://a.example/b", ""]
        {
            assert!(!is_mark(other, &[url]), "{other}");
        }
    }

    #[test]
    fn a_mark_is_beside_its_link_where_one_bracket_of_it_is_missed() {
        let answer =
            "Old ([a](https://a.example/b/)). New [[1]](https://a.example/c) (and [b](https://a.example/d)).";
        let (response, at) = (Response::default(), |words: &str| answer.find(words).unwrap());
        let proofs = Proofs::of(&response, answer);
        let is_beside = |name: &str, range: Range<usize>| {
            proofs.is_beside(&[&format!("https://a.example/{name}")], &range)
        };
        let (round, square, words) = (at("([a]"), at("[[1]"), at("(and"));
        let (round_end, square_end, words_end) = (at(". New"), at(" (and"), answer.len() - 1);
        for (name, start, end) in
            [("b/", round, round_end), ("c", square, square_end), ("d", words + 5, words_end - 1)]
        {
            assert!(!is_beside(name, start..end), "{name}");
            for (start, end) in [(start + 1, end), (start, end - 1), (start - 1, end), (start + 1, end + 1)] {
                assert!(is_beside(name, start..end), "{}", &answer[start..end]);
            }
        }
        // Without the brackets around it, and with words that stand in them.
        assert!(!is_beside("b/", round + 1..round_end - 1));
        assert!(!is_beside("d", words..words_end));
    }

    #[test]
    fn a_link_is_found_by_its_address() {
        let text = "Old. ([a [x]](https://a.example/b?utm_source=openai)) New [1](https://a.example/b) https://a.example/b.";
        let found: Vec<&str> =
            links(text)["https://a.example/b"].clone().into_iter().map(|range| &text[range]).collect();
        assert_eq!(
            found,
            [
                "([a [x]](https://a.example/b?utm_source=openai))",
                "[1](https://a.example/b)",
                "https://a.example/b"
            ]
        );
    }

    #[test]
    fn files_are_found_by_name_and_what_stands_inside_of_an_address_is_none() {
        let text =
            "See [x](sandbox:/mnt/data/plot.png), https://a.example/?to=https://b.example/c and x://x://x://";
        let found = links(text);
        let mut names: Vec<&str> = found.keys().map(String::as_str).collect();
        names.sort_unstable();
        assert_eq!(names, ["https://a.example/?to=https://b.example/c", "plot.png", "x://x://x://"]);
        assert_eq!(&text[found["plot.png"][0].clone()], "sandbox:/mnt/data/plot.png");
    }
}
