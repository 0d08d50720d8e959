//! Citations as Markdown. Marks are inserted; no other byte of the answer changes, but that text which must not reach
//! a terminal or a file is shown by stand-ins, and that a mark in a reserved blank takes its place.

use std::fmt::Write as _;

use unicode_segmentation::GraphemeCursor;

use super::numbering::{Numbering, Scheme, layer, marked};
use crate::check::is_web;
use crate::model::{Proof, Source, SourceKind, Support, last_segment};
use crate::pipeline::Reviewed;
use crate::text::{one_line, sanitize};

/// How dates of sources are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DateStyle {
    /// `2026-05-28`.
    Iso,
    /// `May 28, 2026`.
    Brand,
}

/// Text with what had to be left out of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exported {
    /// The text, ending in a newline.
    pub text: String,
    /// What could not be cited, for people.
    pub notes: Vec<String>,
}

/// The answer with a link `[n](address)` at the end of each span, numbered as the provider counts, plus one. Several
/// links of a span are joined by a comma; spans with one end come in reverse of the order sent, as Google's sample
/// functions put them.
pub fn inline(reviewed: &Reviewed) -> Exported {
    let numbers = Numbering::new(reviewed, Scheme::Provider, true);
    let link = |source: usize| {
        let number = numbers.number(source)?;
        let uri = reviewed.response.sources.get(source)?.uri.as_deref().filter(|uri| is_web(uri));
        Some(uri.map_or_else(|| format!("[{number}]"), |uri| format!("[{number}]({})", address(uri))))
    };
    let mark = |support: &Support| {
        let targets = support.citations.iter().filter_map(|citation| citation.target.source());
        targets.filter_map(link).collect::<Vec<_>>().join(", ")
    };
    let (text, notes) = insert(reviewed, mark);
    Exported { text: ended(text), notes }
}

/// The answer with footnote marks and their definitions, compact by first use; tool-level citations are left out.
pub fn footnotes(reviewed: &Reviewed, dates: DateStyle) -> Exported {
    footnotes_as(reviewed, dates, Scheme::Compact, false)
}

/// The answer with footnote marks in a numbering of choice; definitions of what is cited.
pub fn footnotes_as(reviewed: &Reviewed, dates: DateStyle, scheme: Scheme, tools: bool) -> Exported {
    let numbers = Numbering::new(reviewed, scheme, tools);
    let mark = |support: &Support| {
        let mut seen = Vec::new();
        for number in support.cited().into_iter().filter_map(|source| numbers.number(source)) {
            if !seen.contains(&number) {
                seen.push(number);
            }
        }
        seen.iter().map(|number| format!("[^{number}]")).collect::<String>()
    };
    let (text, notes) = insert(reviewed, mark);
    let mut text = ended(text);
    let cited = |index: usize| scheme == Scheme::Compact || reviewed.cited_by.get(index).is_some_and(|by| !by.is_empty());
    let defined = numbers.entries.iter().filter(|(_, index)| cited(*index));
    for (place, &(number, index)) in defined.enumerate() {
        let Some(source) = reviewed.response.sources.get(index) else { continue };
        let blank = if place == 0 { "\n" } else { "" };
        let _ = writeln!(text, "{blank}[^{number}]: {}", link(source, dates));
    }
    Exported { text, notes }
}

/// The cited sources as a numbered list, compact by first use.
pub fn sources(reviewed: &Reviewed, dates: DateStyle) -> Exported {
    sources_with(reviewed, dates, false)
}

/// The cited sources, with results of tools among them where `tools`.
pub fn sources_with(reviewed: &Reviewed, dates: DateStyle, tools: bool) -> Exported {
    let numbers = Numbering::new(reviewed, Scheme::Compact, tools);
    let mut text = String::new();
    for &(number, index) in &numbers.entries {
        if let Some(source) = reviewed.response.sources.get(index) {
            let _ = writeln!(text, "{number}. {}", link(source, dates));
        }
    }
    let notes = if text.is_empty() { vec!["no document is cited".to_owned()] } else { Vec::new() };
    Exported { text, notes }
}

/// A source as a Markdown link, or as plain text where it has no address that may be linked.
pub fn link(source: &Source, dates: DateStyle) -> String {
    let label = escape(&label(source, dates));
    if let (SourceKind::Tool, Some(id)) = (&source.kind, &source.id) {
        return format!("{label} (`{}`)", one_line(id).replace('`', "'"));
    }
    match source.uri.as_deref().map(str::trim).filter(|uri| !uri.is_empty()) {
        Some(uri) if is_web(uri) => format!("[{label}]({})", address(uri)),
        Some(uri) => format!("{label} (`{}`)", one_line(uri).replace('`', "'")),
        None => label,
    }
}

/// `Publisher - date` where both are known (Bigdata.com's brand form), else the name.
pub fn label(source: &Source, dates: DateStyle) -> String {
    let name = one_line(source.name()).into_owned();
    let date = source.date.as_deref().map(|date| dated(date, dates));
    match (&source.publisher, date) {
        (Some(publisher), Some(date)) => format!("{} - {date}", one_line(publisher)),
        (Some(publisher), None) => one_line(publisher).into_owned(),
        _ if source.kind == SourceKind::Document && source.title.is_none() => last_segment(&name).to_owned(),
        _ => name,
    }
}

fn dated(iso: &str, style: DateStyle) -> String {
    let date: Option<jiff::civil::Date> = iso.parse().ok();
    match (style, date) {
        (DateStyle::Brand, Some(date)) => date.strftime("%b %d, %Y").to_string(),
        _ => iso.to_owned(),
    }
}

/// One citation as a footnote with its definition.
pub fn footnote(number: usize, source: &Source, dates: DateStyle) -> String {
    format!("[^{number}]\n\n[^{number}]: {}\n", link(source, dates))
}

/// Text that Markdown shows as it is.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '~' | '#') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// An address that ends neither the link nor the line.
fn address(uri: &str) -> String {
    let mut out = String::with_capacity(uri.len());
    for c in uri.trim().chars() {
        match c {
            '(' => out.push_str("%28"),
            ')' => out.push_str("%29"),
            '<' => out.push_str("%3C"),
            '>' => out.push_str("%3E"),
            '\\' => out.push_str("%5C"),
            c if c.is_whitespace() || c.is_control() || crate::text::stand_in(c).is_some() => {
                for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                    let _ = write!(out, "%{byte:02X}");
                }
            }
            c => out.push(c),
        }
    }
    out
}

fn ended(mut text: String) -> String {
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// The end of the cluster that a place lies in: a mark never parts a letter from its accents.
fn cluster_end(text: &str, at: usize) -> usize {
    let mut cursor = GraphemeCursor::new(text.floor_char_boundary(at), text.len(), true);
    match cursor.is_boundary(text, 0) {
        Ok(true) => cursor.cur_cursor(),
        _ => cursor.next_boundary(text, 0).ok().flatten().unwrap_or(text.len()),
    }
}

/// Puts marks at the ends of the spans; text between them passes through [`sanitize`].
fn insert(reviewed: &Reviewed, mark: impl Fn(&Support) -> String) -> (String, Vec<String>) {
    let answer = reviewed.response.text();
    let slots = reviewed.response.proof == Proof::Slots;
    let mut marks: Vec<(usize, String)> = Vec::new();
    let (mut lost, mut dangling) = (0, 0);
    for (_, support, end) in marked(reviewed) {
        dangling += support.citations.iter().filter(|citation| citation.target.source().is_none()).count();
        match end {
            Some(end) => marks.push((cluster_end(answer, end), mark(support))),
            None => lost += usize::from(!support.citations.is_empty()),
        }
    }
    // Stable: of one end the last sent comes first, and stays so when all are read from the front.
    marks.reverse();
    marks.sort_by_key(|(end, _)| *end);
    let mut text = String::with_capacity(answer.len() + marks.len() * 64);
    let mut from = 0;
    for (end, mark) in marks.iter().filter(|(_, mark)| !mark.is_empty()) {
        let reserved = slots && *end > from && crate::anchor::is_slot(answer, *end);
        let upto = if reserved { end - 1 } else { *end };
        text.push_str(&sanitize(answer.get(from..upto.max(from)).unwrap_or_default()));
        text.push_str(mark);
        from = *end;
    }
    text.push_str(&sanitize(answer.get(from..).unwrap_or_default()));
    let mut notes = Vec::new();
    if lost > 0 {
        notes.push(format!("{lost} of {} supports have no place in the answer and were left out", reviewed.response.supports.len()));
    }
    if dangling > 0 {
        notes.push(format!("{dangling} citations point at no source and were left out"));
    }
    if layer(&reviewed.response).is_empty() {
        notes.push("this response has no supports".to_owned());
    }
    if reviewed.response.answer.is_none() {
        notes.push("this response carries no answer text; give it with --answer FILE".to_owned());
    }
    (text, notes)
}
