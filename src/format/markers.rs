//! Marks that only the text of an answer has: `[1]`, `[1, 3]`, `[doc2]`, `[web:1]`, `[[1]](address)`, links
//! to what is listed as a source.

use std::ops::{Range, RangeInclusive};

use super::building::Bounded;
use crate::anchor::is_parted;
use crate::json::{Cx, is_document};
use crate::markup::{contains, verbatim};
use crate::memory;
use crate::model::{AnchorKind, Citation, Layer, Origin, OwnPlace, Place, Response, Support, Target};
use crate::text::{continues, is_comma, listed_numbers};

/// Entries that a range such as `[1-30]` names at most.
const RANGE_MOST: u32 = 30;
/// Blanks and commas between two marks of one group.
const GAP_MOST: usize = 3;
/// Blanks before a definition.
const INDENT_MOST: usize = 8;
/// Bytes of a mark.
const MARK_MOST: usize = 64;
/// Bytes of a label and of an address.
const LINK_MOST: usize = 2048;

/// How an answer writes its marks.
#[derive(Debug, Clone, Copy)]
pub struct Notation {
    /// What stands before a number: nothing, or `doc`.
    pub prefix: &'static str,
    /// Whether numbers are marks; else only links are.
    pub numbers: bool,
}

impl Notation {
    /// `[1]`, and links.
    pub const NUMBERS: Self = Self { prefix: "", numbers: true };
    /// Links alone.
    pub const LINKS: Self = Self { prefix: "", numbers: false };
}

/// Bytes that a mark takes with all that is worked out of it.
pub const MARK: usize = 1536;
/// The same of one right behind another, and of each further number in it: they are one support.
const FURTHER: usize = 512;
/// Marks of a response that nobody asks about.
const FREE: usize = 8192;

/// What the marks in the text of a response take of its room, asked for as the text comes.
#[derive(Debug, Clone, Copy, Default)]
pub struct Charge {
    /// What the marks so far name.
    named: usize,
}

impl Charge {
    /// The same as [`Self::take`] of texts that repeat, one behind the other, what came of them before.
    /// `known`: marks of that.
    pub fn take_whole<'t>(
        &mut self,
        known: &mut usize,
        texts: impl IntoIterator<Item = &'t str>,
        cx: &Cx,
    ) -> bool {
        let mut before = 0;
        texts.into_iter().all(|text| {
            let more = openings(text).nth(known.saturating_sub(before));
            before += openings(text).count();
            *known = before.max(*known);
            more.is_none_or(|at| self.take(text.get(at..).unwrap_or_default(), cx))
        })
    }

    /// The same of a text that goes on.
    pub fn take_more(&mut self, known: &mut usize, text: &str, cx: &Cx) -> bool {
        *known += openings(text).count();
        self.take(text, cx)
    }

    /// Takes room for the marks that a text may hold; false where there is none left.
    pub fn take(&mut self, text: &str, cx: &Cx) -> bool {
        openings(text).all(|at| {
            let further = text.get(..at).is_some_and(|before| before.ends_with([']', '[', '】']));
            let names = names_at(text, at);
            self.named += names;
            let first = if further { FURTHER } else { MARK };
            self.named <= FREE || cx.take(first + (names - 1) * FURTHER)
        })
    }
}

/// How many numbers the mark that may open at a byte names: one, where it is none.
fn names_at(text: &str, at: usize) -> usize {
    let inner = text.get(at..).unwrap_or_default().trim_start_matches(['[', '【', '^']);
    let near = inner.get(..inner.floor_char_boundary(MARK_MOST)).unwrap_or_default();
    let listed = near.split([']', '】', '†']).next().unwrap_or_default();
    let prefix = if listed.starts_with("doc") { "doc" } else { "" };
    let one = || listed.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if one() {
        return ends_range(text, at, listed).map_or(1, Iterator::count);
    }
    numbers(listed, prefix).map_or(1, |names| names.len().max(1))
}

/// The numbers that a mark stands for which ends a range that the one before it begins: of `[3]` in
/// `[1]-[3]` two and three.
fn ends_range(text: &str, at: usize, listed: &str) -> Option<RangeInclusive<u32>> {
    let lead = text.get(..at)?.trim_end_matches('[').trim_end_matches(' ');
    let words = ["-", "–", "—", "~", "～", " to", " through", " bis", "至", "から"];
    let before = words.iter().find_map(|word| lead.strip_suffix(word))?;
    let before = before.trim_end_matches(' ').trim_end_matches(']');
    let digits = before.len() - before.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let (lead, first) = before.split_at_checked(before.len() - digits)?;
    let (first, last) = (first.parse::<u32>().ok()?, listed.parse::<u32>().ok()?);
    let begun = lead.ends_with('[') && (1..=3).contains(&digits) && before.len() < at;
    (begun && first < last && last - first < RANGE_MOST).then(|| first + 1..=last)
}

/// Whether a text has no more marks than nobody asks about.
pub fn is_readable(text: &str) -> bool {
    openings(text).nth(FREE).is_none()
}

/// Where marks of a text may open; of a link without a number, where its label ends.
fn openings(text: &str) -> impl Iterator<Item = usize> {
    let is_number = |rest: &[u8]| {
        matches!(rest, [b'0'..=b'9' | b'^', ..])
            || ["doc", WEB].iter().any(|word| rest.starts_with(word.as_bytes()))
    };
    let mut numbered = false;
    memchr::memchr3_iter(b'[', b']', 0xE3, text.as_bytes()).filter(move |&at| {
        let (before, rest) = text.as_bytes().split_at(at);
        if rest.starts_with(b"]") {
            let of_link = rest.starts_with(b"](") && !before.ends_with(b"]");
            return !std::mem::take(&mut numbered) && of_link;
        }
        let inner = rest.strip_prefix(b"[").or_else(|| rest.strip_prefix("【".as_bytes()));
        let opens = inner.is_some_and(is_number);
        numbered |= opens;
        opens
    })
}

/// What a mark names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Name<'a> {
    /// A number.
    Number(u32),
    /// An address, with the number that the link shows.
    Address(&'a str, Option<u32>),
}

/// A mark and what it names.
type Found<'a> = (Range<usize>, Vec<Name<'a>>);

/// Adds a support for each group of marks. `source` gives the source of a name that stands at a byte; a
/// number without one dangles, an address without one is a link like any other.
pub fn add(
    response: &mut Response,
    origin: &Origin,
    notation: Notation,
    skip: &[Range<usize>],
    source: impl Fn(Name, usize) -> Option<usize>,
) {
    let Some(answer) = response.answer.take() else { return };
    let is_known = |address: &str| source(Name::Address(address, None), 0).is_some();
    let mut last = None::<Range<usize>>;
    // Where sources count from one, 0 among others is the end of an interval: `in [0, 1]`.
    let from_one = source(Name::Number(0), 0).is_none() && !answer.contains("[0]");
    let is_interval = |names: &[Name]| from_one && names.len() > 1 && names.contains(&Name::Number(0));
    for (range, names) in find(&answer, notation, is_known) {
        if contains(skip, range.start) || is_interval(&names) {
            continue;
        }
        // A link may be words with which the next sentence begins.
        let is_word = names.iter().all(|name| matches!(name, Name::Address(_, None)));
        let is_apart = || is_word && answer.get(range.end..).is_some_and(continues);
        let ranged = match names.as_slice() {
            [Name::Number(number)] if last.is_some() => ends_range(&answer, range.start, &number.to_string()),
            _ => None,
        };
        let names = ranged.clone().map_or(names, |range| range.map(Name::Number).collect());
        let gap = last.as_ref().and_then(|last| answer.get(last.end..range.start));
        let follows = ranged.is_some() || gap.is_some_and(is_gap);
        let is_parted = || last.as_ref().is_some_and(|last| is_parted(&answer, last.end, &range));
        let goes_on = follows && !is_apart() && !is_parted();
        let begin = last.filter(|_| goes_on).map_or(range.start, |last| last.start);
        let mark = begin..range.end;
        let citations = names.into_iter().map(|name| citation(name, source(name, range.start)));
        match response.supports.last_mut().filter(|_| goes_on) {
            Some(support) => {
                support.own = OwnPlace::mark(mark.clone());
                citations.for_each(|citation| support.citations.add(citation));
            }
            None => response.supports.add(Support {
                origin: origin.clone(),
                layer: Layer::Marker,
                kind: AnchorKind::TextMarker,
                own: OwnPlace::mark(mark.clone()),
                citations: citations.collect(),
                ..Support::default()
            }),
        }
        if !memory::has_room(0) {
            break;
        }
        last = Some(mark);
    }
    response.answer = Some(answer);
}

/// Whether a text between two marks leaves them one group.
pub fn is_gap(between: &str) -> bool {
    between.chars().count() <= GAP_MOST && between.chars().all(|c| c == ' ' || is_comma(c))
}

fn citation(name: Name, source: Option<usize>) -> Citation {
    let sent = match name {
        Name::Number(number) | Name::Address(_, Some(number)) => number.to_string(),
        Name::Address(address, None) => address.to_owned(),
    };
    let target = source.map_or_else(|| Target::Dangling(sent.into()), Target::Source);
    Citation::of(target, Place::default())
}

/// The marks of a text outside of code, formulas and, in JSON, of what is no string, in order.
pub fn find(
    text: &str,
    notation: Notation,
    is_known: impl Fn(&str) -> bool,
) -> impl Iterator<Item = Found<'_>> {
    let verbatim = verbatim(text);
    let strings = is_document(text).then(|| strings(text));
    let reader = Reader { text, labels: labels(text), notation, is_known };
    let mut end = 0;
    memchr::memchr3_iter(b'[', b'(', 0xE3, text.as_bytes()).filter_map(move |at| {
        let outside = strings.as_ref().is_some_and(|strings| !contains(strings, at));
        if at < end || outside || contains(&verbatim, at) {
            return None;
        }
        let before = text.as_bytes().get(..at).unwrap_or_default();
        if let Some((length, ..)) = reader.link(at).filter(|link| is_image(before, link)) {
            end = at + length;
            return None;
        }
        // `[1]: …` at the beginning of a line defines a link or a footnote.
        let blanks = before.iter().rev().take(INDENT_MOST).take_while(|byte| **byte == b' ').count();
        let begins = before.iter().rev().nth(blanks).is_none_or(|byte| *byte == b'\n');
        let (length, names) = reader.mark(at, begins)?;
        end = at + length;
        Some((at..end, names))
    })
}

/// Whether a text has a mark outside of some lines.
pub fn has_mark(
    text: &str,
    notation: Notation,
    skip: &[Range<usize>],
    is_known: impl Fn(&str) -> bool,
) -> bool {
    find(text, notation, is_known).any(|(mark, _)| !contains(skip, mark.start))
}

/// A text that is read for its marks.
struct Reader<'a, F> {
    text: &'a str,
    labels: Vec<(usize, usize)>,
    notation: Notation,
    is_known: F,
}

/// Where the labels of links begin, in order, and end: brackets within one line, with a round one right
/// behind them.
fn labels(text: &str) -> Vec<(usize, usize)> {
    let (mut out, mut open) = (Vec::new(), Vec::new());
    for at in memchr::memchr3_iter(b'[', b']', b'\n', text.as_bytes()) {
        match text.as_bytes().get(at..) {
            Some([b'[', ..]) => open.push(at),
            Some([b']', b'(', ..]) => {
                let begin = open.pop().filter(|begin| at - begin < LINK_MOST);
                out.extend(begin.map(|begin| (begin, at)));
            }
            Some([b']', ..]) => drop(open.pop()),
            _ => open.clear(),
        }
    }
    out.sort_unstable();
    out
}

impl<'a, F: Fn(&str) -> bool> Reader<'a, F> {
    /// Length of the mark at a byte, and what it names.
    fn mark(&self, at: usize, begins: bool) -> Option<(usize, Vec<Name<'a>>)> {
        let (text, is_known) = (self.text.get(at..)?, &self.is_known);
        if let Some(inner) = text.strip_prefix("([") {
            let (length, _, address) = self.link(at + 1)?;
            let closed = text.get(1 + length..)?.starts_with(')') && !inner.starts_with('[');
            return (closed && is_known(address)).then(|| (length + 2, vec![Name::Address(address, None)]));
        }
        if text.starts_with('【') {
            let open = '【'.len_utf8();
            let close = text.char_indices().take(MARK_MOST).find(|&(_, c)| c == '】')?.0;
            let inner = text.get(open..close)?;
            let numbers = numbers(inner.split('†').next()?, self.notation.prefix)?;
            return self.notation.numbers.then(|| (close + '】'.len_utf8(), numbers));
        }
        if !text.starts_with('[') {
            return None;
        }
        let link = self.link(at).filter(|(.., address)| is_address(address) || is_known(address));
        if let Some((length, label, address)) = link {
            let inner = label.strip_prefix('[').and_then(|label| label.strip_suffix(']')).unwrap_or(label);
            let number = match numbers(inner, self.notation.prefix).as_deref() {
                Some(&[Name::Number(number)]) => Some(number),
                _ => None,
            };
            let is_mark = is_known(address) || number.is_some() && self.notation.numbers;
            return is_mark.then(|| (length, vec![Name::Address(address, number)]));
        }
        // `[[1]]`, no deeper.
        if text.starts_with("[[") && !text.starts_with("[[[") {
            let (length, names) = self.mark(at + 1, false)?;
            return text.get(1 + length..)?.starts_with(']').then_some((length + 2, names));
        }
        let close = text.bytes().take(MARK_MOST).position(|byte| byte == b']')?;
        let after = text.get(close + 1..)?;
        let inner = text.get(1..close)?;
        let defines = begins && after.starts_with(':');
        let linked = after.strip_prefix('(').is_some_and(is_address);
        if !self.notation.numbers || defines || linked && !inner.starts_with('^') {
            return None;
        }
        let listed = inner.strip_prefix('^').unwrap_or(inner);
        numbers(listed, self.notation.prefix).map(|numbers| (close + 1, numbers))
    }

    /// Length, label and address of the link at a byte.
    fn link(&self, at: usize) -> Option<(usize, &'a str, &'a str)> {
        let known = self.labels.binary_search_by_key(&at, |(begin, _)| *begin).ok()?;
        let close = self.labels.get(known)?.1;
        let address = self.text.get(close + 2..)?;
        let mut depth = 1usize;
        let end = address.bytes().take(LINK_MOST).position(|byte| {
            match byte {
                b'(' => depth += 1,
                b')' => depth -= 1,
                b' ' | b'\n' => return true,
                _ => {}
            }
            depth == 0
        })?;
        let titled = if depth == 0 { 0 } else { titled(address.get(end..)?)? };
        let length = close + 2 + end + titled + 1 - at;
        Some((length, self.text.get(at + 1..close)?, address.get(..end)?))
    }
}

/// What Perplexity's agents write before the number of a page.
const WEB: &str = "web:";

/// `1`, `1, 3`, `1-3`, each with the prefix; without one also `web:1`.
fn numbers(listed: &str, prefix: &str) -> Option<Vec<Name<'static>>> {
    let number = |word: &str| {
        let digits = word.trim().strip_prefix(prefix)?;
        let digits = digits.strip_prefix(WEB).filter(|_| prefix.is_empty()).unwrap_or(digits);
        let plain = (1..=3).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
        digits.parse::<u32>().ok().filter(|_| plain)
    };
    let mut out = Vec::new();
    for word in listed_numbers(listed) {
        let (first, last) = match word.split_once(['-', '–']) {
            Some((first, last)) => (number(first)?, number(last)?),
            None => (number(word)?, number(word)?),
        };
        if last < first || last - first >= RANGE_MOST {
            return None;
        }
        out.extend((first..=last).map(Name::Number));
    }
    Some(out)
}

/// Whether what stands in the round brackets of a link is an address: `[1](WHO)` is a mark and words.
fn is_address(words: &str) -> bool {
    let near = words.get(..words.floor_char_boundary(LINK_MOST)).unwrap_or_default();
    let end = memchr::memchr3(b' ', b')', b'\n', near.as_bytes()).unwrap_or(near.len());
    let first = near.get(..end).unwrap_or_default();
    memchr::memchr(b'/', first.as_bytes()).is_some()
        || ["#", "<", "www.", "mailto:"].iter().any(|head| first.starts_with(head))
}

/// Whether a link is a picture: `![1](chart.png)`, not a mark behind an exclamation.
fn is_image(before: &[u8], (_, _, address): &(usize, &str, &str)) -> bool {
    const ENDINGS: [&str; 6] = [".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp"];
    let Some((b'!', lead)) = before.split_last() else { return false };
    let path = address.split(['?', '#']).next().unwrap_or_default().to_ascii_lowercase();
    let behind_word = lead.last().is_some_and(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii());
    !behind_word || ENDINGS.iter().any(|ending| path.ends_with(ending))
}

/// The strings of a JSON text, in order, without their quotes.
fn strings(text: &str) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut open = None;
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        match (byte, open) {
            _ if escaped => escaped = false,
            (b'\\', Some(_)) => escaped = true,
            (b'"', None) => open = Some(at + 1),
            (b'"', Some(start)) => {
                out.push(start..at);
                open = None;
            }
            _ => {}
        }
    }
    out.extend(open.map(|start| start..text.len()));
    out
}

/// Bytes of the title of a link up to its bracket: ` "Opening hours")`.
fn titled(rest: &str) -> Option<usize> {
    let rest = rest.get(..rest.floor_char_boundary(LINK_MOST))?;
    let title = rest.trim_start_matches(' ');
    let quote = title.chars().next().filter(|first| matches!(first, '"' | '\''))?;
    let inner = title.get(1..)?;
    let mut ends = inner.match_indices(quote).map(|(at, _)| at);
    let end = ends.find(|at| !inner.get(..*at).is_some_and(|before| before.ends_with('\\')))?;
    let behind = inner.get(end + 1..)?.trim_start_matches(' ');
    (behind.starts_with(')') && !inner.get(..end)?.contains('\n')).then(|| rest.len() - behind.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<(&str, Vec<Name<'_>>)> {
        let known = |address: &str| address == "https://a.example/b_(c)";
        find(text, Notation::NUMBERS, known).map(|(range, names)| (&text[range], names)).collect()
    }

    #[test]
    fn marks_are_numbers_in_brackets_and_links_to_sources() {
        let number = Name::Number;
        let by_title = r#"[1](https://a.example/b_(c) "A \"b\" c")"#;
        assert_eq!(
            shown(&format!("Red {by_title} big")),
            [(by_title, vec![Name::Address("https://a.example/b_(c)", Some(1))])]
        );
        assert_eq!(shown("Red [1](https://a.example/b_(c) \"A) big"), []);
        assert_eq!(
            shown("Red [2; 4] big [1，3] old [1 and 3]"),
            [
                ("[2; 4]", vec![number(2), number(4)]),
                ("[1，3]", vec![number(1), number(3)]),
                ("[1 and 3]", vec![number(1), number(3)]),
            ]
        );
        assert_eq!(
            shown("Old.[1][3] Red [2, 4] big [5-7] foot[^8] 【9】 【4†source】 [[6]] [[1] x]"),
            [
                ("[1]", vec![number(1)]),
                ("[3]", vec![number(3)]),
                ("[2, 4]", vec![number(2), number(4)]),
                ("[5-7]", vec![number(5), number(6), number(7)]),
                ("[^8]", vec![number(8)]),
                ("【9】", vec![number(9)]),
                ("【4†source】", vec![number(4)]),
                ("[[6]]", vec![number(6)]),
                ("[1]", vec![number(1)]),
            ]
        );
        let url = "https://a.example/b_(c)";
        assert_eq!(
            shown(
                "x [[1]](https://x.example) y [a [z]](https://a.example/b_(c)) ([a](https://a.example/b_(c)))"
            ),
            [
                ("[[1]](https://x.example)", vec![Name::Address("https://x.example", Some(1))]),
                ("[a [z]](https://a.example/b_(c))", vec![Name::Address(url, None)]),
                ("([a](https://a.example/b_(c)))", vec![Name::Address(url, None)]),
            ]
        );
    }

    #[test]
    fn other_brackets_are_none() {
        for text in [
            "[2024]",
            "[x]",
            "`a[1]`",
            "[a](https://other.example)",
            "[1]: https://x.example",
            "[3-1]",
            "[1-90]",
            "[",
            "[1",
            "【",
        ] {
            assert!(shown(text).is_empty(), "{text}");
        }
    }
}
