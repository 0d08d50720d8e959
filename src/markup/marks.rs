//! Putting marks into an answer. What was put in is remembered, so that taking it out gives the answer back
//! byte for byte; the result is parsed and compared with the answer, and a mark that changes how it renders
//! moves on.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use super::marked::{Insertion, Marked};
use super::outline::{Element, outline};
use super::places::{MarkPlace, place};
use super::safe::Safe;
use super::settle::address_before;
use super::structure::Structure;
use super::words::shown_before;
use crate::text::{Clusters, merge_ranges};

/// A mark to put in: the bytes of the answer it speaks of, and its items.
#[derive(Debug, Clone)]
pub struct Mark {
    /// Bytes of the answer.
    pub span: Range<usize>,
    /// What is written, each on its own; many marks may share one.
    pub items: Vec<Arc<str>>,
    /// What it takes the place of.
    pub replaces: Replaces,
}

/// What a mark takes the place of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Replaces {
    /// Nothing: it stands behind its span.
    #[default]
    Nothing,
    /// The blank that the span ends with, which was reserved for it.
    Blank,
    /// The span: a mark that holds its own place.
    Span,
}

/// How marks are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum MarkStyle {
    /// Links joined by commas, one group a support.
    Links,
    /// Links with names, set off by blanks.
    Named,
    /// Footnotes, each once at a place.
    Footnotes,
    /// Plain text: nothing renders it.
    Plain,
}

/// Attempts to find places at which the marks leave everything else rendered as it was.
const ATTEMPT_LIMIT: usize = 8;

/// Items of a mark that are rendered to see whether it may stand where it does: what the first ones do, the
/// others behind them do, too.
const TRIED: usize = 16;

/// Puts marks into an answer and a tail behind it.
pub fn insert(answer: &str, mut marks: Vec<Mark>, style: MarkStyle, tail: &str) -> Marked {
    let mut ends: Vec<usize> = marks.iter().flat_map(|mark| [mark.span.start, mark.span.end]).collect();
    let mut clusters = Clusters::of(answer);
    for end in &mut ends {
        *end = clusters.end(*end);
    }
    let safe = Safe::new(answer, ends.clone());
    for (mark, ends) in marks.iter_mut().zip(ends.chunks(2)) {
        let place = |end: Option<&usize>| end.map_or(0, |end| safe.place(*end));
        mark.span = place(ends.first())..place(ends.last());
    }
    let structure = Structure::new(&safe.text);
    let mut set = MarkSet::new(&structure, marks, style, tail);
    if style != MarkStyle::Plain {
        let (wanted, _) = outline(structure.text, &set.replaced());
        for _ in 0..ATTEMPT_LIMIT {
            let marked = set.render(TRIED);
            let (got, rendered) = outline(&marked.text, &marked.insertions);
            if set.retry_elsewhere(&wanted, &got, &rendered) {
                continue;
            }
            if set.is_whole(TRIED) {
                return marked;
            }
            break;
        }
    }
    set.render(usize::MAX)
}

/// Marks with their places.
struct MarkSet<'a> {
    structure: &'a Structure<'a>,
    style: MarkStyle,
    tail: &'a str,
    /// Ascending by place; of one place in the order in which they are written.
    marks: Vec<(Placed, Mark)>,
    /// For each insertion of the last rendering the marks in it.
    marks_of_insertion: Vec<Range<usize>>,
    /// For each insertion the links and footnotes written in it.
    links_of_insertion: Vec<usize>,
}

/// Where a mark stands, and how often it had to move.
#[derive(Debug, Clone, Copy)]
struct Placed {
    place: MarkPlace,
    moves: u8,
}

impl<'a> MarkSet<'a> {
    fn new(structure: &'a Structure<'a>, marks: Vec<Mark>, style: MarkStyle, tail: &'a str) -> Self {
        let mut standing = Vec::with_capacity(marks.len());
        let marks = marks
            .into_iter()
            // A reserved blank is used up also where what it was reserved for is left out.
            .filter(|mark| !mark.items.is_empty() || mark.replaces == Replaces::Blank)
            .map(|mut mark| {
                let end = mark.span.end;
                let reserved = structure.is_legal(end) && structure.is_legal(end.saturating_sub(1));
                if mark.replaces == Replaces::Blank && !reserved {
                    mark.replaces = Replaces::Nothing;
                }
                let own = mark.replaces != Replaces::Nothing;
                let place = if own { MarkPlace::At(end) } else { place(structure, &mark.span) };
                (Placed { place, moves: 0 }, mark)
            })
            .filter(|(_, mark)| !mark.items.is_empty() || mark.replaces == Replaces::Blank);
        standing.extend(marks);
        // Of marks with one end the last one sent comes first; the sort is stable and keeps it so.
        standing.reverse();
        let mut set = Self {
            structure,
            style,
            tail,
            marks: standing,
            marks_of_insertion: Vec::new(),
            links_of_insertion: Vec::new(),
        };
        set.sort();
        set
    }

    /// The marks of the text whose places ours take.
    fn replaced(&self) -> Vec<Insertion> {
        let held = self.marks.iter().filter(|(_, mark)| mark.replaces == Replaces::Span);
        merge_ranges(held.map(|(_, mark)| mark.span.clone()).collect())
            .into_iter()
            .map(Insertion::of)
            .collect()
    }

    fn sort(&mut self) {
        let structure = self.structure;
        let byte = |place: MarkPlace| match place {
            MarkPlace::At(at) => (at, 1),
            MarkPlace::Behind(top) => {
                (structure.top_blocks.get(top).map_or(structure.text.len(), |top| top.end), 2)
            }
            MarkPlace::Before(top) => (structure.top_blocks.get(top).map_or(0, |top| top.start), 0),
        };
        let key = |(placed, mark): &(Placed, Mark)| (byte(placed.place), mark.span.end);
        // Sorting takes room for all of them once more.
        if !self.marks.is_sorted_by_key(key) {
            self.marks.sort_by_key(key);
        }
    }

    /// Whether no place of the last rendering has more items than so many.
    fn is_whole(&self, most: usize) -> bool {
        let items = |marks: &Range<usize>| {
            let group = self.marks.get(marks.clone()).unwrap_or_default();
            group.iter().map(|(_, mark)| mark.items.len()).sum::<usize>()
        };
        self.marks_of_insertion.iter().all(|marks| items(marks) <= most)
    }

    /// The text with the marks where they stand now, of each place the first items alone.
    fn render(&mut self, most: usize) -> Marked {
        let text = self.structure.text;
        let mut out = Marked {
            text: String::with_capacity(text.len() + self.marks.len() * 48 + self.tail.len()),
            insertions: Vec::new(),
        };
        self.marks_of_insertion.clear();
        let mut from = 0;
        let mut first = 0;
        while let Some((placed, _)) = self.marks.get(first) {
            let same = |(other, _): &&(Placed, Mark)| other.place == placed.place;
            let count = self.marks.get(first..).unwrap_or_default().iter().take_while(same).count();
            let group = self.marks.get(first..first + count).unwrap_or_default();
            let taken = taken(group);
            let words = self.words(group, most);
            let (at, words) = match words.as_str() {
                // Nothing to write, and no blank of it to use up.
                "" if taken == 0 => {
                    first += count;
                    continue;
                }
                "" => (self.set_off(placed.place, String::new(), taken).0, words),
                _ => self.set_off(placed.place, words, taken),
            };
            let upto = at.saturating_sub(taken).max(from);
            out.text.push_str(text.get(from..upto).unwrap_or_default());
            let replaced = text.get(upto..at).filter(|_| taken > 0).unwrap_or_default();
            let links = if self.style == MarkStyle::Footnotes {
                words.matches("[^").count()
            } else {
                words.matches("](").count()
            };
            out.put(&[&words], replaced, links);
            from = at.max(from);
            self.marks_of_insertion.push(first..first + count);
            first += count;
        }
        out.text.push_str(text.get(from..).unwrap_or_default());
        let named = if self.is_whole(most) { Cow::Borrowed(self.tail) } else { self.tail_of(&out.text) };
        let line_end = if text.ends_with('\n') { "" } else { "\n" };
        // A block that the answer leaves open is closed once.
        let closed = self.marks.last().is_some_and(|(placed, _)| {
            placed.place == MarkPlace::Behind(self.structure.top_blocks.len().saturating_sub(1))
        });
        let closing = if self.tail.is_empty() || closed { "" } else { &self.structure.closing_fence };
        // A tail of footnotes may be longer than all else.
        out.put(&[closing, line_end, &named], "", 0);
        self.marks_of_insertion.push(first..first);
        self.links_of_insertion = out.insertions.iter().map(|insertion| insertion.links).collect();
        out
    }

    /// The tail without the definitions of footnotes that a text does not name.
    fn tail_of(&self, text: &str) -> Cow<'_, str> {
        if self.style != MarkStyle::Footnotes {
            return Cow::Borrowed(self.tail);
        }
        let label = |piece: &'_ str| piece.split_once(']').map(|(label, _)| label.to_owned());
        let named: HashSet<String> = text.split("[^").skip(1).filter_map(label).collect();
        let is_kept = |line: &&str| {
            let own = line.strip_prefix("[^").and_then(label);
            own.is_none_or(|own| named.contains(&own))
        };
        Cow::Owned(self.tail.split_inclusive('\n').filter(is_kept).collect())
    }

    /// The marks of one place, of their items the first ones alone.
    fn words(&self, group: &[(Placed, Mark)], most: usize) -> String {
        match self.style {
            MarkStyle::Links => {
                let mut left = most;
                let mut links = |mark: &Mark| {
                    let items = mark.items.get(..left.min(mark.items.len())).unwrap_or_default();
                    left -= items.len();
                    items.join(", ")
                };
                group.iter().map(|(_, mark)| links(mark)).collect()
            }
            MarkStyle::Named | MarkStyle::Footnotes | MarkStyle::Plain => {
                let mut seen = HashSet::new();
                let items = group.iter().rev().flat_map(|(_, mark)| &mark.items).map(|item| &**item);
                let once: Vec<&str> = items.filter(|item| seen.insert(*item)).take(most).collect();
                once.join(if self.style == MarkStyle::Named { ", " } else { "" })
            }
        }
    }

    /// The byte to write behind, of which so many before it are left out, and the words with what keeps them
    /// apart from their neighbours.
    fn set_off(&self, place: MarkPlace, words: String, taken: usize) -> (usize, String) {
        let text = self.structure.text;
        let named = if self.style == MarkStyle::Named { " " } else { "" };
        match place {
            MarkPlace::At(at) => {
                let begin = at.saturating_sub(taken);
                let left = text.get(..begin).and_then(|text| text.chars().next_back());
                let right = text.get(at..).and_then(|text| text.chars().next());
                // Set behind a digit, a number that renders without brackets would be read as one with it.
                let shown = shown_before(text, begin);
                let behind_digit = self.style == MarkStyle::Links && shown.is_some_and(char::is_numeric);
                let words =
                    if behind_digit { bracketed(&words, self.structure.defines_links) } else { words };
                let joins = match left {
                    _ if self.style == MarkStyle::Plain => false,
                    Some('!' | '\\') => true,
                    Some(']') => self.structure.defines_links,
                    _ => address_before(self.structure, begin).is_some(),
                };
                let blank = if joins && taken == 0 { " " } else { named };
                let blank = if left.is_none_or(char::is_whitespace) { "" } else { blank };
                let begins = right == Some(':') && left.is_none_or(char::is_whitespace);
                let open = !words.ends_with(')')
                    && self.style != MarkStyle::Plain
                    && (begins
                        || right == Some('(')
                        || right == Some('[') && !text.get(at..).is_some_and(|rest| rest.starts_with("[^")));
                let behind = self.style == MarkStyle::Named && right.is_some_and(char::is_alphanumeric);
                (at, format!("{blank}{words}{}", if open || behind { " " } else { "" }))
            }
            MarkPlace::Behind(top) => {
                let at = self.structure.top_blocks.get(top).map_or(text.len(), |top| top.end);
                let rest = text.get(at..).unwrap_or_default();
                let next = rest.trim_start_matches([' ', '\t']);
                let close = if top + 1 == self.structure.top_blocks.len() {
                    self.structure.closing_fence.as_str()
                } else {
                    ""
                };
                let end = if next.starts_with("\n\n") || next.trim_end_matches('\n').is_empty() {
                    ""
                } else {
                    "\n"
                };
                (at, format!("{close}\n\n{words}{end}"))
            }
            MarkPlace::Before(top) => {
                let at = self.structure.top_blocks.get(top).map_or(0, |top| top.start);
                let at = text.get(..at).map_or(0, |before| before.rfind('\n').map_or(0, |line| line + 1));
                let lead =
                    if text.get(..at).is_none_or(|before| before.is_empty() || before.ends_with("\n\n")) {
                        ""
                    } else {
                        "\n"
                    };
                (at, format!("{lead}{words}\n\n"))
            }
        }
    }

    /// Moves marks to their next place where the result renders otherwise than it should; false where none
    /// had to move.
    fn retry_elsewhere(&mut self, wanted: &[Element], got: &[Element], rendered: &[usize]) -> bool {
        let bad = differing(wanted, got, self.structure.text.len());
        let broken = |number: usize| {
            let links = rendered.get(number).zip(self.links_of_insertion.get(number));
            links.is_some_and(|(rendered, written)| rendered < written)
        };
        let insertions: Vec<(usize, usize, Range<usize>)> = self
            .marks_of_insertion
            .iter()
            .enumerate()
            .filter_map(|(number, marks)| {
                let (placed, _) = self.marks.get(marks.start).filter(|_| !marks.is_empty())?;
                Some((number, self.set_off(placed.place, String::new(), 0).0, marks.clone()))
            })
            .collect();
        let touched = |at: usize| {
            bad.get(bad.partition_point(|range| range.end < at)).is_some_and(|range| range.start <= at)
        };
        let mut wrong: Vec<_> =
            insertions.iter().filter(|(number, at, _)| touched(*at) || broken(*number)).collect();
        // A mark may change what stands behind it: then the last mark before the change is the cause.
        if let (true, Some(first)) = (wrong.is_empty(), bad.first()) {
            wrong.extend(insertions.iter().rfind(|(_, at, _)| *at <= first.start).or(insertions.first()));
        }
        let mut moved = false;
        for (_, at, marks) in wrong {
            let group = self.marks.get(marks.clone()).unwrap_or_default();
            let holds = group.iter().any(|(_, mark)| mark.replaces == Replaces::Span);
            let Some((placed, _)) = group.first().filter(|_| !holds) else { continue };
            let next = self.next_place(*placed, *at, wanted);
            for (placed, _) in self.marks.get_mut(marks.clone()).into_iter().flatten() {
                moved |= placed.moves < next.moves;
                *placed = next;
            }
        }
        self.sort();
        moved
    }

    /// The next place to try: the end of the run of text, behind the block, before it, before and behind
    /// everything.
    fn next_place(&self, placed: Placed, at: usize, wanted: &[Element]) -> Placed {
        let top = match placed.place {
            MarkPlace::At(at) => self.structure.top_block(at),
            MarkPlace::Behind(top) | MarkPlace::Before(top) => top,
        };
        let moves = placed.moves + 1;
        let place = match placed.moves {
            0 => {
                let next = wanted.partition_point(|(_, from)| *from <= at);
                let end =
                    wanted.get(next).map_or(self.structure.text.len(), |(_, from)| from.saturating_sub(1));
                match self.structure.last_legal(end).filter(|&end| end > at) {
                    Some(end) => MarkPlace::At(end),
                    None => MarkPlace::Behind(top),
                }
            }
            1 => MarkPlace::Behind(top),
            2 => MarkPlace::Before(top),
            3 => MarkPlace::Before(0),
            4 => MarkPlace::Behind(self.structure.top_blocks.len().saturating_sub(1)),
            _ => return placed,
        };
        Placed { place, moves }
    }
}

/// Bytes before the place of some marks that they take.
fn taken(group: &[(Placed, Mark)]) -> usize {
    let held = group.iter().filter(|(_, mark)| mark.replaces == Replaces::Span);
    let is_slot = |(placed, mark): &(Placed, Mark)| mark.replaces == Replaces::Blank && placed.moves == 0;
    let slot = usize::from(group.iter().all(is_slot));
    held.map(|(_, mark)| mark.span.len()).max().unwrap_or(slot)
}

/// Links whose text is a bare number, `[1](…)`, with the brackets in it: `[[1]](…)`; escaped where the text
/// may define a link of that name, which would win.
fn bracketed(words: &str, defines_links: bool) -> String {
    let escape = if defines_links { "\\" } else { "" };
    let mut from = 0;
    let mut bracketed = String::with_capacity(words.len() + 8);
    while let Some(open) = words.get(from..).and_then(|rest| rest.find('[')).map(|at| from + at) {
        let digits = words.get(open + 1..).unwrap_or_default().bytes().take_while(u8::is_ascii_digit).count();
        let close = open + 1 + digits;
        bracketed.push_str(words.get(from..open).unwrap_or_default());
        if digits > 0 && words.get(close..).is_some_and(|rest| rest.starts_with("](")) {
            let number = words.get(open + 1..close).unwrap_or_default();
            bracketed.push_str(&format!("[{escape}[{number}{escape}]]"));
            from = close + 1;
        } else {
            bracketed.push('[');
            from = open + 1;
        }
    }
    bracketed + words.get(from..).unwrap_or_default()
}

/// Stretches of the text whose rendering differs.
fn differing(wanted: &[Element], got: &[Element], length: usize) -> Vec<Range<usize>> {
    let stretch = |first: usize, last: usize| {
        let start = wanted.get(first).map_or(length, |(_, at)| *at);
        start..wanted.get(last + 1).map_or(length, |(_, at)| *at)
    };
    let same = |(a, b): (&Element, &Element)| a.0 == b.0;
    if wanted.len() == got.len() {
        return (0..wanted.len())
            .zip(wanted.iter().zip(got))
            .filter(|(_, pair)| !same(*pair))
            .map(|(index, _)| stretch(index, index))
            .collect();
    }
    let head = wanted.iter().zip(got).take_while(|pair| same(*pair)).count();
    let rest = wanted.len().min(got.len()) - head;
    let tail = wanted.iter().rev().zip(got.iter().rev()).take(rest).take_while(|pair| same(*pair)).count();
    vec![stretch(head, (wanted.len() - tail).max(head + 1) - 1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inserted(style: MarkStyle, items: &[String], tail: &str) -> String {
        let items = items.iter().map(|item| item.as_str().into()).collect();
        let marks = vec![Mark { span: 0..15, items, replaces: Replaces::Nothing }];
        insert("One claim here.", marks, style, tail).text
    }

    #[test]
    fn a_place_with_very_many_items_gets_all_of_them() {
        let all = |item: fn(usize) -> String| (1..=200).map(item).collect::<Vec<_>>();
        let notes = all(|n| format!("[^{n}]"));
        let tail = all(|n| format!("[^{n}]: https://e.example/{n}\n")).concat();
        let footnotes = inserted(MarkStyle::Footnotes, &notes, &tail);
        assert_eq!(footnotes, format!("One claim here.{}\n{tail}", notes.concat()));
        let links = all(|n| format!("[{n}](https://e.example/{n})"));
        assert_eq!(inserted(MarkStyle::Links, &links, ""), format!("One claim here.{}\n", links.join(", ")));
    }
}
