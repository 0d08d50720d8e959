//! The frame of the selection as it was sent, with its place in the input: what is selected stands out,
//! objects and lists can be folded.

use std::ops::Range;

use super::super::doc::{Doc, Hit, Line};
use super::super::keymap::{Command, label};
use super::super::state::State;
use crate::json::laid_out;
use crate::look::Role;
use crate::model::{Origin, Path};
use crate::text::{sanitize, truncate_front, width};

/// Bytes up to which the whole frame is shown, else the value of the selection, and of it no more; copying
/// takes all of that.
const SHOWN: usize = 400_000;

pub(super) fn raw(state: &State, origin: &Origin, doc: &mut Doc) {
    let Some(review) = state.review() else { return };
    let Some((place, located)) = review.sent.place(origin).zip(review.sent.locate(origin)) else {
        doc.text(0, "this has no place of its own in the input", Role::Dim, 2);
        return;
    };
    doc.line(&[(&format!("{}:{}:{}", review.file(), place.line, place.column), Role::Dim)]);
    doc.blank();
    let frame = review.sent.frame(origin);
    if frame.len() <= SHOWN {
        let (text, selected) = readable(frame, &located.value);
        // Deep JSON grows when it is laid out.
        if text.len() <= 2 * SHOWN {
            let shown = review.sent.shown(&text, &origin.at(Path::default()));
            return lines(&shown, &selected, &state.folded, doc);
        }
    }
    let value = frame.get(located.value).unwrap_or_default();
    // What is cut could hide from being masked.
    let masked = review.sent.shown(value, origin);
    let cut = masked.get(..masked.floor_char_boundary(SHOWN)).unwrap_or_default();
    let (text, all) = readable(cut, &(0..cut.len()));
    let shown = text.get(..text.floor_char_boundary(2 * SHOWN)).unwrap_or_default();
    lines(shown, &all, &state.folded, doc);
    if value.len() > SHOWN || shown.len() < text.len() {
        let words =
            format!("… and more, of {} bytes; {} copies all of it", value.len(), label(Command::Copy));
        doc.line(&[(&words, Role::Dim)]);
    }
}

/// `Raw JSON · line 57 · …groundingSupports[0]`: the end of the path tells most.
pub(super) fn title(state: &State, origin: &Origin, wide: usize) -> String {
    let place = state.review().and_then(|review| review.sent.place(origin));
    let line = place.as_ref().map_or_else(String::new, |place| format!(" · line {}", place.line));
    let begin = format!("Raw JSON{line} · ");
    let path = place.map_or_else(String::new, |place| place.path.to_string());
    format!("{begin}{}", truncate_front(&path, wide.saturating_sub(width(&begin) + 2)))
}

/// A text to be read, and the lines of it on which a stretch stands. One long line of JSON reads better with
/// its structure; a text of lines stays as it is.
fn readable(text: &str, stretch: &Range<usize>) -> (String, Range<usize>) {
    if !text.contains('\n') && text.starts_with(['{', '[']) {
        return laid_out(text, stretch);
    }
    let before = |at: usize| text.bytes().take(at).filter(|byte| *byte == b'\n').count();
    (dedented(text), before(stretch.start)..before(stretch.end) + 1)
}

/// The lines, an entry each; of a folded one only its beginning and its end. What is selected stands out.
fn lines(text: &str, selected: &Range<usize>, folded: &[usize], doc: &mut Doc) {
    let all: Vec<&str> = text.lines().collect();
    let ends = ends(&all);
    let mut at = 0;
    while let Some(line) = all.get(at) {
        doc.entry(Hit::Row(at));
        if at == selected.start {
            doc.begin_here();
        }
        let from = doc.lines.len();
        let end = ends.get(at).copied().filter(|end| folded.contains(&at) && *end > at);
        match end.and_then(|end| all.get(end).map(|close| (end, close.trim()))) {
            Some((end, close)) => {
                let mut pieces = pieces(line);
                pieces.push((format!(" … {} lines … ", end - at - 1), Role::Dim));
                pieces.push((close.to_owned(), Role::Dim));
                push(pieces, line, doc);
            }
            None => push(pieces(line), line, doc),
        }
        if !selected.contains(&at) {
            let around = doc.lines.iter_mut().skip(from).flat_map(|line| &mut line.pieces);
            around.for_each(|(_, role)| *role = Role::Dim);
        }
        at = end.unwrap_or(at) + 1;
    }
    doc.end();
}

/// For each line that opens more than it closes, the line that closes it; else itself.
fn ends(lines: &[&str]) -> Vec<usize> {
    let mut ends: Vec<usize> = (0..lines.len()).collect();
    let mut open: Vec<usize> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let (mut inside, mut escaped) = (false, false);
        for byte in line.bytes() {
            match byte {
                _ if escaped => escaped = false,
                b'\\' if inside => escaped = true,
                b'"' => inside = !inside,
                b'{' | b'[' if !inside => open.push(at),
                b'}' | b']' if !inside => {
                    if let Some(end) = open.pop().and_then(|begun| ends.get_mut(begun)) {
                        *end = (*end).max(at);
                    }
                }
                _ => {}
            }
        }
    }
    ends
}

/// A line: its key, its value, its signs.
fn pieces(line: &str) -> Vec<(String, Role)> {
    let safe = sanitize(line).replace('\t', "    ");
    let rest = safe.trim_start();
    let mut out = vec![(" ".repeat(safe.len() - rest.len()), Role::Plain)];
    let key = rest.strip_prefix('"').and_then(|inner| {
        let end = inner.find("\":")?;
        (!inner.get(..end)?.contains('"')).then_some(end + 2)
    });
    let (key, value) = key.and_then(|end| rest.split_at_checked(end)).unwrap_or(("", rest));
    if !key.is_empty() {
        out.push((key.to_owned(), Role::Key));
    }
    let sign = |c: char| matches!(c, '{' | '}' | '[' | ']' | ':' | ',' | ' ');
    let body = value.trim_start_matches(sign);
    let (lead, body) = value.split_at(value.len() - body.len());
    let tail =
        if body.is_empty() { "" } else { body.get(body.trim_end_matches(sign).len()..).unwrap_or_default() };
    let body = body.get(..body.len() - tail.len()).unwrap_or(body);
    for (text, role) in [(lead, Role::Dim), (body, Role::Plain), (tail, Role::Dim)] {
        if !text.is_empty() {
            out.push((text.to_owned(), role));
        }
    }
    out
}

/// A line of pieces, wrapped where it is too long.
fn push(pieces: Vec<(String, Role)>, line: &str, doc: &mut Doc) {
    let whole: usize = pieces.iter().map(|(text, _)| width(text)).sum();
    if whole <= doc.width() {
        let hit = doc.entries.last().map(|(_, hit)| *hit);
        doc.lines.push(Line { pieces, hit });
        return;
    }
    let indent = (line.len() - line.trim_start().len()).min(doc.width() / 2);
    let key: String =
        pieces.iter().filter(|(_, role)| *role == Role::Key).map(|(text, _)| text.as_str()).collect();
    let first = doc.lines.len();
    let value: String =
        pieces.iter().skip(1).filter(|(_, role)| *role != Role::Key).map(|(text, _)| text.as_str()).collect();
    if key.is_empty() {
        doc.text(indent, value.trim(), Role::Plain, usize::MAX);
    } else {
        doc.field(indent, &format!("{key}:"), value.trim_start_matches([':', ' ']), Role::Plain);
        if let Some(piece) = doc.lines.get_mut(first).and_then(|line| line.pieces.first_mut()) {
            *piece = (format!("{}{key}: ", " ".repeat(indent)), Role::Key);
        }
    }
}

/// Without the indentation that all lines but the first share: the first begins at its brace.
fn dedented(text: &str) -> String {
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let shared = text.lines().skip(1).filter(|line| !line.trim().is_empty()).map(indent).min().unwrap_or(0);
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default().to_owned();
    lines.fold(first, |out, line| out + "\n" + line.get(shared..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, folded: &[usize]) -> Vec<String> {
        let mut doc = Doc::new(40);
        lines(text, &(0..9), folded, &mut doc);
        doc.lines.iter().map(|line| line.pieces.iter().map(|(text, _)| text.as_str()).collect()).collect()
    }

    #[test]
    fn what_is_folded_shows_its_beginning_and_its_end() {
        let text = "{\n  \"a\": [\n    \"x]\",\n    2\n  ],\n  \"b\": {\"c\": 1}\n}";
        assert_eq!(shown(text, &[]).join("\n"), text);
        assert_eq!(shown(text, &[1]), ["{", "  \"a\": [ … 2 lines … ],", "  \"b\": {\"c\": 1}", "}"]);
        assert_eq!(shown(text, &[0]), ["{ … 5 lines … }"]);
    }
}
