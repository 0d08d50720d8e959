//! Containers: one document, an array, JSON Lines, values one after another, server-sent events.

use std::ops::Range;

use memchr::{memchr, memchr_iter};
use serde::de::IgnoredAny;

use super::known::{Patience, TRIES, cut_end, is_known, logged_value, next_alike, value_over_lines};
use crate::format::secrets::{MASK_IN_ADDRESS, is_scheme, is_secret, mask_quoted};
use crate::json::scan::{self, Members, skip_space, skip_value};
use crate::model::Notice;

/// How the values of an input are strung together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Container {
    /// One JSON value.
    #[default]
    Document,
    /// A JSON array whose elements are the frames.
    Array,
    /// A JSON value a line, or values one after another.
    Lines,
    /// Server-sent events.
    Events,
}

impl Container {
    /// What to call it on the screen.
    pub fn word(self) -> &'static str {
        match self {
            Self::Document => "JSON",
            Self::Array => "JSON array",
            Self::Lines => "JSON Lines",
            Self::Events => "event stream",
        }
    }
}

/// One JSON value of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Frame {
    /// Its bytes.
    pub range: Range<usize>,
    /// False where the text ends inside it.
    pub whole: bool,
}

/// How frames are found again in the stretch of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Framing {
    /// The stretch is one.
    #[default]
    Whole,
    /// A line each.
    Lines,
    /// One after another, with commas between them or not.
    Values,
}

/// A text cut into frames.
#[derive(Debug, Default)]
pub(super) struct Framed {
    /// The text. Line prefixes inside a JSON value (`data:` of a multi-line event) are blanked in place.
    pub text: String,
    pub container: Container,
    pub framing: Framing,
    /// The values in order of arrival.
    pub frames: Vec<Frame>,
    pub notices: Vec<Notice>,
    /// The text is not the input's, but for blanked prefixes.
    pub rewritten: bool,
}

impl Framed {
    /// Finds the container of a text and cuts it.
    pub fn of(text: String) -> Self {
        let start = start_of(&text);
        let mut framed = Self { text, ..Self::default() };
        let bytes = framed.text.as_bytes();
        match bytes.get(start) {
            Some(b'[') if !is_lines(bytes) => split_array(&mut framed, start),
            Some(b'{') if is_lines(bytes) => framed.split_lines(start),
            Some(b'{') => {
                let end = framed.text.trim_end().len();
                framed.frames = vec![Frame { range: start..end, whole: true }];
            }
            Some(_) if is_lines(bytes) => framed.split_lines(start),
            Some(_) if let Some(at) = values_behind(bytes, start) => framed.split_behind(start, at),
            _ => split_events(&mut framed, start),
        }
        framed
    }

    /// A text that is known to be lines.
    pub fn lines(text: String) -> Self {
        let start = start_of(&text);
        let mut framed = Self { text, ..Self::default() };
        framed.split_lines(start);
        framed
    }

    fn split_lines(&mut self, start: usize) {
        self.container = Container::Lines;
        self.framing = Framing::Lines;
        self.frames = line_frames(&self.text, start..self.text.len());
    }

    /// Values one after another, with something before them that is none.
    fn split_behind(&mut self, start: usize, values: usize) {
        self.container = Container::Lines;
        self.framing = Framing::Values;
        let before = self.text.get(..values).map_or(values, |before| before.trim_end().len());
        self.frames = vec![Frame { range: start..before, whole: false }];
        self.frames.extend(value_frames(&self.text, values..self.text.len()));
    }

    /// Whether more values follow the only one.
    pub fn is_several(&self) -> bool {
        let bytes = self.text.as_bytes();
        let [frame] = self.frames.as_slice() else { return false };
        skip_value(bytes, frame.range.start).is_some_and(|end| end < frame.range.end)
    }

    /// Whether one of the values behind the first is known.
    pub fn is_known_behind(&self) -> bool {
        let values = value_frames(&self.text, start_of(&self.text)..self.text.len());
        let text = |frame: &Frame| self.text.as_bytes().get(frame.range.clone()).unwrap_or_default();
        values.iter().skip(1).take(BAD).any(|frame| is_known(text(frame)))
    }

    /// Cuts a document again that holds several values one after another.
    pub fn split_values(&mut self) {
        self.container = Container::Lines;
        self.framing = Framing::Values;
        self.frames = value_frames(&self.text, start_of(&self.text)..self.text.len());
    }
}

/// The frames of a stretch of a text that was cut this way.
pub(super) fn frames_of(framing: Framing, text: &str, stretch: Range<usize>) -> Vec<Frame> {
    match framing {
        Framing::Whole => vec![Frame { whole: is_whole(text, &stretch), range: stretch }],
        Framing::Lines => line_frames(text, stretch),
        Framing::Values => value_frames(text, stretch),
    }
}

/// Whether a value ends in a stretch.
pub(super) fn is_whole(text: &str, stretch: &Range<usize>) -> bool {
    let seen = text.as_bytes().get(..stretch.end).unwrap_or_default();
    skip_value(seen, stretch.start).is_some()
}

/// Whether a text begins like server-sent events.
pub(super) fn is_events(text: &str) -> bool {
    text.as_bytes().get(start_of(text)..).is_some_and(begins_with_field)
}

/// Whether bytes begin like a JSON object, a list or server-sent events.
pub(super) fn begins_like_json(bytes: &[u8]) -> bool {
    let begun = bytes.get(first_byte(bytes)..).unwrap_or_default();
    matches!(begun, [b'{' | b'[', ..]) || begins_with_field(begun)
}

fn begins_with_field(bytes: &[u8]) -> bool {
    ["data:", "event:", "id:", "retry:", ":"].iter().any(|field| bytes.starts_with(field.as_bytes()))
}

/// First byte that is neither byte-order mark nor white space.
pub(super) fn start_of(text: &str) -> usize {
    first_byte(text.as_bytes())
}

const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

fn first_byte(bytes: &[u8]) -> usize {
    skip_space(bytes, if bytes.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 })
}

/// JSON Lines: the first line is a value of its own and more follows.
pub fn is_lines(bytes: &[u8]) -> bool {
    let start = first_byte(bytes);
    if bytes.get(start) != Some(&b'{') {
        return begins_badly(bytes, start);
    }
    let Some(end) = bytes.get(start..).and_then(|rest| memchr(b'\n', rest)).map(|at| start + at) else {
        return false;
    };
    let more = skip_space(bytes, end) < bytes.len();
    let line = bytes.get(..end).unwrap_or_default();
    let whole = skip_value(line, start).is_some_and(|after| skip_space(line, after) == end);
    more && (whole || begins_badly(bytes, start))
}

/// Lines of which the first is none, as of a log that was cut at its beginning: a later one holds a response,
/// at its very beginning, and what begins at the first is no value. Of a text with JSON in a block of code,
/// and of events, most lines are others.
fn begins_badly(bytes: &[u8], start: usize) -> bool {
    let begun = |line: &Range<usize>| bytes.get(line.start) == Some(&b'{');
    let filled = || lines(bytes, start).skip(1).filter(|line| !line.is_empty());
    let later = || filled().take(BAD);
    // An array may have an element a line, and what begins like events may be some: one is not enough there.
    // The rest of a record that was cut behind a key begins like a comment.
    let rest = bytes.get(start..).unwrap_or_default();
    let first = lines(bytes, start).next().unwrap_or_default();
    let is_rest = rest.starts_with(b":")
        && bytes.get(first.clone()).is_some_and(|line| line.trim_ascii().ends_with(b"}"));
    let clear = !rest.starts_with(b"[") && (is_rest || !begins_with_field(rest));
    let known = |line: &Range<usize>| is_known(bytes.get(line.clone()).unwrap_or_default());
    let held = || later().filter(begun).filter(known).take(2).count() >= if clear { 1 } else { 2 };
    let mostly = || 2 * later().filter(begun).count() > later().count();
    // What ends on the first line is one of several there.
    let value = |end: usize| {
        let value = bytes.get(start..end).unwrap_or_default();
        serde_json::from_slice::<IgnoredAny>(value).is_ok() && (end > first.end || is_known(value))
    };
    // Of an array commas stand between the elements, at an end of a line or alone.
    let commas = || {
        let line = |line: Range<usize>| bytes.get(line).unwrap_or_default().trim_ascii();
        bytes.get(start) == Some(&b'[')
            && later().map(line).any(|line| line.starts_with(b",") || line.ends_with(b","))
    };
    let is_container = matches!(bytes.get(start), Some(b'{' | b'['));
    // What a program says before it logs may be long: then many lines must follow it, or nothing else.
    let behind_banner = || {
        let behind = || filled().take(BANNER).skip_while(|line| !begun(line)).take(BAD);
        let many = || 2 * behind().filter(begun).count() > behind().count().max(BAD / 2);
        behind().filter(known).nth(1).is_some() && (many() || behind().all(|line| begun(&line)))
    };
    if clear && !is_container && behind_banner() {
        return true;
    }
    mostly() && held() && !commas() && !(is_container && skip_value(bytes, start).is_some_and(value))
}

/// Where values begin behind what a program says before it prints them, each over some lines: nothing but
/// values may follow, and the first one is known.
pub(super) fn values_behind(bytes: &[u8], start: usize) -> Option<usize> {
    bytes.get(start..).filter(|rest| !rest.starts_with(b"[") && !begins_with_field(rest))?;
    let at = lines(bytes, start).take(BANNER).find(|line| bytes.get(line.start) == Some(&b'{'))?.start;
    let first = skip_value(bytes, at).and_then(|end| bytes.get(at..end));
    if !first.is_some_and(is_known) {
        return None;
    }
    let mut pos = at;
    for _ in 0..BAD {
        match bytes.get(pos) {
            Some(b'{') => pos = skip_value(bytes, pos).map_or(bytes.len(), |end| skip_space(bytes, end)),
            Some(_) => return None,
            None => break,
        }
    }
    Some(at)
}

/// Lines that are looked at for a response.
const BAD: usize = 32;

/// Lines that may stand before many of JSON.
const BANNER: usize = 10_000;

fn lines(bytes: &[u8], start: usize) -> impl Iterator<Item = Range<usize>> + '_ {
    let rest = bytes.get(start..).unwrap_or_default();
    let ends = memchr_iter(b'\n', rest).map(move |at| start + at).chain(std::iter::once(bytes.len()));
    ends.scan(start, |from, end| {
        let line = *from..end;
        *from = end + 1;
        Some(line)
    })
}

/// A frame a line of a stretch; blank lines are none.
fn line_frames(text: &str, stretch: Range<usize>) -> Vec<Frame> {
    let bytes = text.as_bytes().get(..stretch.end).unwrap_or_default();
    // Not over the end of the line: a run of blank lines would be gone through once a line. A mark of the
    // byte order stands before each of several files that were put together.
    let begun = lines(bytes, stretch.start).map(|line| {
        let seen = bytes.get(..line.end).unwrap_or_default();
        let start = skip_space(seen, line.start);
        let marked = seen.get(start..).is_some_and(|rest| rest.starts_with(BYTE_ORDER_MARK));
        if marked { skip_space(seen, start + BYTE_ORDER_MARK.len())..line.end } else { start..line.end }
    });
    begun.filter(|line| line.start < line.end).map(|range| Frame { range, whole: true }).collect()
}

/// A frame a value of a stretch, over as many lines as it likes.
fn value_frames(text: &str, stretch: Range<usize>) -> Vec<Frame> {
    let bytes = text.as_bytes().get(..stretch.end).unwrap_or_default();
    let mut frames = Vec::new();
    let (mut pos, mut line) = (stretch.start, 0);
    let (mut tries, mut patience, mut scraps) = (TRIES, Patience::with(bytes), 0);
    while pos < bytes.len() {
        if line <= pos {
            line = memchr(b'\n', bytes.get(pos..).unwrap_or_default()).map_or(bytes.len(), |at| pos + at);
        }
        let own = skip_value(bytes.get(..line).unwrap_or_default(), pos);
        let (end, until) = match own {
            None if ends_with_its_line(bytes, pos, line, &mut patience) => (None, line),
            None => match value_over_lines(bytes, pos, &mut patience) {
                (None, until) => (None, cut_end(bytes, (stretch.start, pos), until, &mut tries)),
                whole => whole,
            },
            own => (own, line),
        };
        let range = pos..end.unwrap_or(until).max(pos + 1);
        pos = skip_space(bytes, range.end);
        if bytes.get(pos) == Some(&b',') {
            pos = skip_space(bytes, pos + 1);
        }
        push(&mut frames, &mut scraps, Frame { range, whole: end.is_some() });
    }
    frames
}

/// Whether what does not end on its line is no value of a record: a text, or what is no JSON and stands
/// before a line that is known.
fn ends_with_its_line(bytes: &[u8], start: usize, line: usize, patience: &mut Patience) -> bool {
    let rest = bytes.get(start..).unwrap_or_default();
    let behind = || lines(bytes, line + 1).map(|line| bytes.get(line).unwrap_or_default());
    let is_followed = || behind().find(|line| !line.is_empty()).is_some_and(is_known);
    line < bytes.len() && (rest.starts_with(b"\"") || is_followed() && !patience.is_value(bytes, start))
}

/// Bytes of a thing that can be no response, and how many of them in a row are things of their own: what
/// follows counts as one with the last.
const SCRAP: usize = 8;
const SCRAPS: usize = 10_000;

/// Adds a frame behind so many scraps in a row.
fn push(frames: &mut Vec<Frame>, scraps: &mut usize, frame: Frame) {
    *scraps = if frame.whole && frame.range.len() <= SCRAP { *scraps + 1 } else { 0 };
    match frames.last_mut().filter(|_| *scraps > SCRAPS) {
        Some(last) => last.range.end = frame.range.end,
        None => frames.push(frame),
    }
}

fn split_array(input: &mut Framed, start: usize) {
    input.container = Container::Array;
    input.framing = Framing::Values;
    let bytes = input.text.as_bytes();
    // Several, of which the first is cut off.
    if next_alike(bytes, start).is_some() && !Patience::with(bytes).is_value(bytes, start) {
        input.frames = value_frames(&input.text, start..input.text.len());
        return;
    }
    let Some(mut members) = Members::of(&input.text, start) else { return };
    let (mut cut, mut scraps) = (false, 0);
    for (_, at) in members.by_ref() {
        let end = skip_value(bytes, at);
        cut = end.is_none();
        let range = at..end.unwrap_or(bytes.len());
        push(&mut input.frames, &mut scraps, Frame { range, whole: end.is_some() });
    }
    let rest = skip_space(bytes, members.position());
    if !members.closed && !cut {
        input.notices.push(Notice::ArrayOpen);
    } else if members.closed && rest < bytes.len() {
        // Several arrays or values one after another: each value is a frame.
        let more = value_frames(&input.text, start..input.text.len());
        input.frames.extend(more.into_iter().filter(|frame| frame.range.start >= rest));
    }
}

/// `data:` lines. A value may be spread over several of them: their prefixes are blanked in place, so that
/// the value is contiguous text; JSON allows line ends only between tokens. Blank lines between events are
/// not relied upon.
fn split_events(input: &mut Framed, start: usize) {
    input.container = Container::Events;
    let mut text = std::mem::take(&mut input.text);
    if !text.contains('\n') {
        // A lone CR ends a line too; both are one byte.
        text = text.replace('\r', "\n");
        input.rewritten = true;
    }
    let bytes = text.as_bytes();
    let mut blank: Vec<usize> = Vec::new();
    let mut open: Option<usize> = None;
    let mut stray = Stray::default();
    let (mut passed, mut tries) = (0, TRIES);
    for line in lines(bytes, start) {
        if line.start < passed {
            continue;
        }
        let content = text.get(line.clone()).unwrap_or_default();
        // A response that was not streamed, in a log with others that were.
        if let Some(range) = logged_value(bytes, line.start, &mut tries) {
            close_event(&mut input.frames, open.take(), line.start, bytes);
            passed = range.end;
            input.frames.push(Frame { range, whole: true });
            continue;
        }
        let indent = content.len() - content.trim_start_matches(' ').len();
        let (content, line) = (content.trim_start_matches(' '), line.start + indent..line.end);
        let Some(payload) = content.strip_prefix("data:") else {
            stray.add(&text, &line, open);
            if content.trim().is_empty() {
                close_event(&mut input.frames, open.take(), line.start, bytes);
            }
            continue;
        };
        let begin = line.start + 5;
        if open.is_none() && matches!(payload.trim(), "" | "[DONE]") {
            continue;
        }
        let seen = bytes.get(..line.end).unwrap_or_default();
        let first = skip_space(seen, begin);
        let starts_one = seen.get(first) == Some(&b'{') && skip_value(seen, first).is_some();
        if let Some(from) = open.filter(|_| starts_one) {
            // A value of its own: what was open before it had broken off.
            close_event(&mut input.frames, Some(from), line.start, bytes);
            open = None;
        }
        if open.is_some() {
            blank.push(line.start);
            continue;
        }
        open = take_values(seen, first, &mut input.frames);
    }
    close_event(&mut input.frames, open.take(), bytes.len(), bytes);
    input.notices.extend(stray.notice());
    input.text = blanked(text, &blank);
    mend_wholeness(input);
}

/// Lines that are neither event fields nor comments.
#[derive(Default)]
struct Stray {
    count: usize,
    /// The first, with its credentials masked.
    first: String,
}

impl Stray {
    /// Adds a line, if it is one; what a value says of it that broke off before it begins at `open`.
    fn add(&mut self, text: &str, line: &Range<usize>, open: Option<usize>) {
        let content = text.get(line.clone()).unwrap_or_default();
        if is_field(content) {
            return;
        }
        self.count += 1;
        if self.count > 1 {
            return;
        }
        let from = open.map_or(line.start, |from| from.max(line.start.saturating_sub(STRAY_MOST)));
        let lead = text.get(text.ceil_char_boundary(from)..line.start).unwrap_or_default();
        let names = |word: &str| is_secret(word.trim_start_matches('-')) || is_scheme(word);
        let secret = lead.split(|c: char| c.is_whitespace() || c == '"').any(names);
        // A cut does not part what is masked.
        let first = content.get(..content.floor_char_boundary(STRAY_MOST)).unwrap_or(content).trim_end();
        let shown = if secret { MASK_IN_ADDRESS.into() } else { mask_quoted(first) };
        self.first = shown.chars().take(STRAY).collect();
    }

    fn notice(self) -> Option<Notice> {
        let Self { count, first } = self;
        (count > 0).then_some(Notice::StrayLines { count, first })
    }
}

/// Takes the whole values of a line; the beginning of one that goes on is handed back.
fn take_values(seen: &[u8], mut from: usize, frames: &mut Vec<Frame>) -> Option<usize> {
    while from < seen.len() {
        let Some(end) = skip_value(seen, from) else { return Some(from) };
        frames.push(Frame { range: from..end.max(from + 1), whole: true });
        from = skip_space(seen, end.max(from + 1));
    }
    None
}

/// Whether a line is blank, a comment, or a field of an event beside its data.
fn is_field(line: &str) -> bool {
    let named = ["event", "id", "retry"].iter().any(|field| line.starts_with(field));
    // A field without a colon has no value.
    named || line.trim().is_empty() || line.starts_with(':') || line.trim_end() == "data"
}

/// Characters that are shown of a line that is of no event.
const STRAY: usize = 100;

/// Bytes of it in which a credential is looked for.
const STRAY_MOST: usize = 4096;

fn close_event(frames: &mut Vec<Frame>, open: Option<usize>, end: usize, bytes: &[u8]) {
    if let Some(from) = open {
        let end = bytes.get(from..end).map_or(end, |value| from + value.trim_ascii_end().len());
        frames.push(Frame { range: from..end, whole: false });
    }
}

/// The text of a value over several lines of an event stream, their prefixes blanked.
pub(super) fn without_prefixes(text: String) -> String {
    let bytes = text.as_bytes();
    let indented = |line: Range<usize>| {
        let content = text.get(line.clone()).unwrap_or_default();
        line.start + (content.len() - content.trim_start_matches(' ').len())
    };
    let begun = lines(bytes, 0)
        .skip(1)
        .map(indented)
        .filter(|&at| text.get(at..).is_some_and(|rest| rest.starts_with("data:")));
    let prefixes: Vec<usize> = begun.collect();
    blanked(text, &prefixes)
}

fn blanked(text: String, prefixes: &[usize]) -> String {
    if prefixes.is_empty() {
        return text;
    }
    let mut bytes = text.into_bytes();
    for &at in prefixes {
        if let Some(prefix) = bytes.get_mut(at..at + 5) {
            prefix.fill(b' ');
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Frames joined from several lines are whole after all where a value ends in them.
fn mend_wholeness(input: &mut Framed) {
    let bytes = input.text.as_bytes();
    for frame in input.frames.iter_mut().filter(|frame| !frame.whole) {
        let seen = bytes.get(..frame.range.end).unwrap_or_default();
        frame.whole = scan::skip_value(seen, frame.range.start).is_some();
    }
}

#[cfg(test)]
mod tests;
