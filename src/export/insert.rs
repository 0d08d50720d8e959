//! Putting marks into an answer. What was put in is remembered, so that taking it out gives the answer back byte for
//! byte; the result is parsed and compared with the answer, and a mark that changes how it renders moves on.

use std::collections::BTreeMap;
use std::ops::Range;

use unicode_segmentation::GraphemeCursor;

use super::outline::{Element, outline};
use super::places::{Place, Places};
use super::words::address_before;
use crate::text::{merge_ranges, sanitize};

/// Something that was put into a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// Bytes of the text with marks.
    pub range: Range<usize>,
    /// It stands for a blank that the service reserved for it.
    pub replaced: bool,
    /// Bytes that the text has grown by, up to the end of this edit.
    pub(super) shift: usize,
    /// Links and footnotes in it.
    pub(super) links: usize,
}

/// A text with marks in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Marked {
    /// The text.
    pub text: String,
    /// What was put in, in order.
    pub edits: Vec<Edit>,
}

impl Marked {
    /// The text without what was put in.
    pub fn original(&self) -> String {
        let mut out = String::with_capacity(self.text.len());
        let mut from = 0;
        for edit in &self.edits {
            out.push_str(self.text.get(from..edit.range.start).unwrap_or_default());
            out.push_str(if edit.replaced { " " } else { "" });
            from = edit.range.end;
        }
        out.push_str(self.text.get(from..).unwrap_or_default());
        out
    }

    fn put(&mut self, text: &str, replaced: bool, links: usize) {
        let start = self.text.len();
        self.text.push_str(text);
        let before = self.edits.last().map_or(0, |edit| edit.shift);
        let shift = (before + text.len()).saturating_sub(usize::from(replaced));
        self.edits.push(Edit { range: start..self.text.len(), replaced, shift, links });
    }
}

/// A mark to put in: the bytes of the answer it speaks of, and its items.
#[derive(Debug, Clone)]
pub(super) struct Mark {
    /// Bytes of the answer.
    pub span: Range<usize>,
    /// What is written, each on its own.
    pub items: Vec<String>,
    /// Whether the span ends behind a blank that was reserved for the mark.
    pub slot: bool,
}

/// How marks are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// Links joined by commas, one group a support.
    Links,
    /// Links with names, set off by blanks.
    Named,
    /// Footnotes, each once at a place.
    Footnotes,
    /// Plain text: nothing renders it.
    Plain,
}

/// Puts marks into an answer and a tail behind it.
pub(super) fn insert(answer: &str, marks: Vec<Mark>, style: Style, tail: &str) -> Marked {
    let mut ends: Vec<usize> = marks.iter().flat_map(|mark| [mark.span.start, mark.span.end]).collect();
    for end in &mut ends {
        *end = cluster_end(answer, *end);
    }
    let safe = Safe::new(answer, ends.clone());
    let marks: Vec<Mark> = marks
        .into_iter()
        .zip(ends.chunks(2))
        .map(|(mark, ends)| {
            let place = |end: Option<&usize>| end.map_or(0, |end| safe.place(*end));
            Mark { span: place(ends.first())..place(ends.last()), ..mark }
        })
        .collect();
    let places = Places::new(&safe.text);
    let mut set = Set::new(&places, marks, style, tail);
    if style == Style::Plain {
        return set.render();
    }
    let (wanted, _) = outline(places.text, &[]);
    for _ in 0..8 {
        let marked = set.render();
        let (got, alive) = outline(&marked.text, &marked.edits);
        if !set.escalate(&wanted, &got, &alive) {
            return marked;
        }
    }
    set.render()
}

/// An answer made harmless, with the places that matter in it.
pub(super) struct Safe {
    pub text: String,
    places: Option<BTreeMap<usize, usize>>,
}

impl Safe {
    /// Ranges of an answer as ranges of what is shown of it, those that touch made one.
    pub fn of(answer: &str, ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
        let whole = |range: Range<usize>| cluster_end(answer, range.start)..cluster_end(answer, range.end);
        let ranges = merge_ranges(ranges.into_iter().map(whole).collect());
        let safe = Self::new(answer, ranges.iter().flat_map(|range| [range.start, range.end]).collect());
        ranges.iter().map(|range| safe.place(range.start)..safe.place(range.end)).collect()
    }

    /// Of an answer, with the places of some of its bytes.
    pub fn new(answer: &str, mut ends: Vec<usize>) -> Self {
        if let std::borrow::Cow::Borrowed(same) = sanitize(answer) {
            return Self { text: same.to_owned(), places: None };
        }
        ends.push(answer.len());
        ends.sort_unstable();
        ends.dedup();
        let mut out = Self { text: String::with_capacity(answer.len()), places: Some(BTreeMap::new()) };
        let mut from = 0;
        for end in ends {
            out.text.push_str(&sanitize(answer.get(from..end).unwrap_or_default()));
            if let Some(places) = &mut out.places {
                places.insert(end, out.text.len());
            }
            from = end;
        }
        out
    }

    /// Where a byte that was named stands now.
    pub fn place(&self, at: usize) -> usize {
        self.places.as_ref().map_or(at, |places| places.get(&at).copied().unwrap_or(at))
    }
}

/// The end of the cluster that a place lies in: a mark never parts a letter from its accents.
pub(super) fn cluster_end(text: &str, at: usize) -> usize {
    let mut cursor = GraphemeCursor::new(text.floor_char_boundary(at), text.len(), true);
    match cursor.is_boundary(text, 0) {
        Ok(true) => cursor.cur_cursor(),
        _ => cursor.next_boundary(text, 0).ok().flatten().unwrap_or(text.len()),
    }
}

/// Marks with their places.
struct Set<'a> {
    places: &'a Places<'a>,
    style: Style,
    tail: &'a str,
    /// Ascending by place; of one place in the order in which they are written.
    marks: Vec<(Placed, Mark)>,
    /// For each edit of the last rendering the marks in it.
    written: Vec<Range<usize>>,
    /// For each edit the links and footnotes in it.
    expected: Vec<usize>,
}

/// Where a mark stands, and how often it had to move.
#[derive(Debug, Clone, Copy)]
struct Placed {
    place: Place,
    moves: u8,
}

impl<'a> Set<'a> {
    fn new(places: &'a Places<'a>, marks: Vec<Mark>, style: Style, tail: &'a str) -> Self {
        let mut marks: Vec<(Placed, Mark)> = marks
            .into_iter()
            .filter(|mark| !mark.items.is_empty())
            .map(|mark| {
                let reserved = mark.slot && places.legal(mark.span.end) && places.legal(mark.span.end.saturating_sub(1));
                let place = if reserved { Place::At(mark.span.end) } else { places.place(&mark.span) };
                (Placed { place, moves: 0 }, Mark { slot: reserved, ..mark })
            })
            .collect();
        // Stable: of one end the last sent comes first, and stays so when all are read from the front.
        marks.reverse();
        let mut set = Self { places, style, tail, marks, written: Vec::new(), expected: Vec::new() };
        set.sort();
        set
    }

    fn sort(&mut self) {
        let places = self.places;
        let byte = |place: Place| match place {
            Place::At(at) => (at, 1),
            Place::Behind(top) => (places.tops.get(top).map_or(places.text.len(), |top| top.end), 2),
            Place::Before(top) => (places.tops.get(top).map_or(0, |top| top.start), 0),
        };
        self.marks.sort_by_key(|(placed, mark)| (byte(placed.place), mark.span.end));
    }

    fn render(&mut self) -> Marked {
        let text = self.places.text;
        let mut out = Marked { text: String::with_capacity(text.len() + self.marks.len() * 48 + self.tail.len()), edits: Vec::new() };
        self.written.clear();
        let mut from = 0;
        let mut first = 0;
        while let Some((placed, mark)) = self.marks.get(first) {
            let same = |(other, _): &&(Placed, Mark)| other.place == placed.place;
            let count = self.marks.get(first..).unwrap_or_default().iter().take_while(same).count();
            let group = self.marks.get(first..first + count).unwrap_or_default();
            let slot = mark.slot && placed.moves == 0 && group.iter().all(|(_, mark)| mark.slot);
            let words = self.words(group);
            let (at, words) = self.set_off(placed.place, words, slot);
            let upto = if slot { at - 1 } else { at }.max(from);
            out.text.push_str(text.get(from..upto).unwrap_or_default());
            let slot = slot && upto + 1 == at;
            let links = if self.style == Style::Footnotes { words.matches("[^").count() } else { words.matches("](").count() };
            out.put(&words, slot, links);
            from = at.max(from);
            self.written.push(first..first + count);
            first += count;
        }
        out.text.push_str(text.get(from..).unwrap_or_default());
        let tail = format!("{}{}", if text.ends_with('\n') { "" } else { "\n" }, self.tail);
        // A block that the answer leaves open is closed once.
        let closed = self.marks.last().is_some_and(|(placed, _)| placed.place == Place::Behind(self.places.tops.len().saturating_sub(1)));
        let closing = if self.tail.is_empty() || closed { "" } else { &self.places.closing };
        out.put(&format!("{closing}{tail}"), false, 0);
        self.written.push(first..first);
        self.expected = out.edits.iter().map(|edit| edit.links).collect();
        out
    }

    /// The marks of one place.
    fn words(&self, group: &[(Placed, Mark)]) -> String {
        let links = |mark: &Mark| mark.items.join(", ");
        match self.style {
            Style::Links => group.iter().map(|(_, mark)| links(mark)).collect(),
            Style::Named | Style::Footnotes | Style::Plain => {
                let mut seen: Vec<&str> = Vec::new();
                for item in group.iter().rev().flat_map(|(_, mark)| &mark.items) {
                    if !seen.contains(&item.as_str()) {
                        seen.push(item);
                    }
                }
                seen.join(if self.style == Style::Named { ", " } else { "" })
            }
        }
    }

    /// The byte to write at, and the words with what keeps them apart from their neighbours.
    fn set_off(&self, place: Place, words: String, slot: bool) -> (usize, String) {
        let text = self.places.text;
        let named = if self.style == Style::Named { " " } else { "" };
        match place {
            Place::At(at) => {
                let left = text.get(..if slot { at.saturating_sub(1) } else { at }).and_then(|text| text.chars().next_back());
                let right = text.get(at..).and_then(|text| text.chars().next());
                let joins = match left {
                    _ if self.style == Style::Plain => false,
                    Some('!' | '\\') => true,
                    Some(']') => self.places.defines,
                    _ => address_before(self.places, at).is_some(),
                };
                let blank = if joins && !slot { " " } else { named };
                let blank = if left.is_none_or(char::is_whitespace) { "" } else { blank };
                let begins = right == Some(':') && left.is_none_or(char::is_whitespace);
                let open = !words.ends_with(')')
                    && self.style != Style::Plain
                    && (begins || right == Some('(') || right == Some('[') && !text.get(at..).is_some_and(|rest| rest.starts_with("[^")));
                let behind = self.style == Style::Named && right.is_some_and(char::is_alphanumeric);
                (at, format!("{blank}{words}{}", if open || behind { " " } else { "" }))
            }
            Place::Behind(top) => {
                let at = self.places.tops.get(top).map_or(text.len(), |top| top.end);
                let rest = text.get(at..).unwrap_or_default();
                let next = rest.trim_start_matches([' ', '\t']);
                let close = if top + 1 == self.places.tops.len() { self.places.closing.as_str() } else { "" };
                let end = if next.starts_with("\n\n") || next.trim_end_matches('\n').is_empty() { "" } else { "\n" };
                (at, format!("{close}\n\n{words}{end}"))
            }
            Place::Before(top) => {
                let at = self.places.tops.get(top).map_or(0, |top| top.start);
                let at = text.get(..at).map_or(0, |before| before.rfind('\n').map_or(0, |line| line + 1));
                let lead = if text.get(..at).is_none_or(|before| before.is_empty() || before.ends_with("\n\n")) { "" } else { "\n" };
                (at, format!("{lead}{words}\n\n"))
            }
        }
    }

    /// Moves on the marks where the result renders otherwise than it should; false where all is well.
    fn escalate(&mut self, wanted: &[Element], got: &[Element], alive: &[usize]) -> bool {
        let bad = differing(wanted, got, self.places.text.len());
        let dead = |edit: usize| alive.get(edit).zip(self.expected.get(edit)).is_some_and(|(alive, links)| alive < links);
        let written: Vec<(usize, usize, Range<usize>)> = self
            .written
            .iter()
            .enumerate()
            .filter_map(|(edit, marks)| {
                let (placed, _) = self.marks.get(marks.start).filter(|_| !marks.is_empty())?;
                Some((edit, self.set_off(placed.place, String::new(), false).0, marks.clone()))
            })
            .collect();
        let touched = |at: usize| bad.get(bad.partition_point(|range| range.end < at)).is_some_and(|range| range.start <= at);
        let mut wrong: Vec<_> = written.iter().filter(|(edit, at, _)| touched(*at) || dead(*edit)).collect();
        // A mark may change what stands behind it: then the last one before is it.
        if let (true, Some(first)) = (wrong.is_empty(), bad.first()) {
            wrong.extend(written.iter().rfind(|(_, at, _)| *at <= first.start).or(written.first()));
        }
        let mut moved = false;
        for (_, at, marks) in wrong {
            let Some((placed, _)) = self.marks.get(marks.start) else { continue };
            let next = self.further(*placed, *at, wanted);
            for (placed, _) in self.marks.get_mut(marks.clone()).into_iter().flatten() {
                moved |= placed.moves < next.moves;
                *placed = next;
            }
        }
        self.sort();
        moved
    }

    /// The next place to try: the end of the run of text, behind the block, before it, before and behind everything.
    fn further(&self, placed: Placed, at: usize, wanted: &[Element]) -> Placed {
        let top = match placed.place {
            Place::At(at) => self.places.top(at),
            Place::Behind(top) | Place::Before(top) => top,
        };
        let moves = placed.moves + 1;
        let place = match placed.moves {
            0 => {
                let next = wanted.partition_point(|(_, from)| *from <= at);
                let end = wanted.get(next).map_or(self.places.text.len(), |(_, from)| from.saturating_sub(1));
                match self.places.last(end).filter(|&end| end > at) {
                    Some(end) => Place::At(end),
                    None => Place::Behind(top),
                }
            }
            1 => Place::Behind(top),
            2 => Place::Before(top),
            3 => Place::Before(0),
            4 => Place::Behind(self.places.tops.len().saturating_sub(1)),
            _ => return placed,
        };
        Placed { place, moves }
    }
}

/// Stretches of the text that render otherwise.
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
    let most = wanted.len().min(got.len()) - head;
    let tail = wanted.iter().rev().zip(got.iter().rev()).take(most).take_while(|pair| same(*pair)).count();
    vec![stretch(head, (wanted.len() - tail).max(head + 1) - 1)]
}
