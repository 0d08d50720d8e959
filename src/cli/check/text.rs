//! The report for people: the rule, the place, the words of the answer with the span underlined, what to do.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use super::checked::{CheckOptions, Checked, Tally};
use crate::check::{Finding, Severity};
use crate::look::{Paint, Role, Tone};
use crate::review::Review;
use crate::review::Splice;
use crate::review::repair::{Edit, sent_words};
use crate::text::{and_more, counted, form, one_line, truncate, width, without_commands};

/// Cells of the answer that are shown of a finding.
const CELLS: usize = 96;
/// Bytes of it, whatever their width.
const BYTES: usize = 2000;
/// Cells before the span.
const LEAD: usize = 24;
/// Supports, sources and edits that are shown of a finding.
const SHOWN: usize = 2;

/// Colours, where wanted.
pub(super) fn paint(options: &CheckOptions) -> Paint {
    if options.colour { Paint::Sgr } else { Paint::Plain }
}

pub(super) fn heading(severity: Severity) -> Role {
    Tone::from(severity).heading()
}

/// All findings of a response.
pub(super) fn response(checked: &Checked, options: &CheckOptions, out: &mut impl Write) -> io::Result<()> {
    let mut text = String::new();
    checked.findings.iter().try_for_each(|finding| {
        text.clear();
        self::finding(&mut text, checked, finding, paint(options));
        out.write_all(without_commands(&text).as_bytes())
    })
}

fn finding(out: &mut String, checked: &Checked, finding: &Finding, paint: Paint) {
    let review = checked.review;
    let severity = finding.rule.severity;
    let head = paint.piece(heading(severity), &format!("{}[{}]", severity.word(), finding.rule.id));
    let _ =
        writeln!(out, "{head}{}", paint.piece(Role::Strong, &format!(": {}", one_line(&finding.message))));
    let _ = writeln!(out, "  {} {}", paint.piece(Role::Frame, "-->"), place(checked, finding));
    let bar = paint.piece(Role::Frame, "   |");
    let mut excerpts = Vec::new();
    let mut window = None;
    for &support in finding.supports.iter().take(SHOWN) {
        excerpt(&mut excerpts, &mut window, review, support, severity, paint);
    }
    for line in &excerpts {
        let _ = writeln!(out, "{bar} {line}");
    }
    if !excerpts.is_empty() {
        let _ = writeln!(out, "{bar}");
    }
    let mut note = |name: &str, text: &str| {
        let _ = writeln!(
            out,
            "   {} {}: {}",
            paint.piece(Role::Frame, "="),
            paint.piece(Role::Strong, name),
            one_line(text)
        );
    };
    if finding.supports.len() > SHOWN {
        note("also", &others(&finding.supports));
    }
    for &index in finding.sources.iter().take(SHOWN) {
        if let Some(source) = review.source(index) {
            let uri = source
                .uri
                .as_deref()
                .filter(|uri| *uri != source.name())
                .map(|uri| format!(" <{}>", truncate(uri, 80)));
            note(
                "source",
                &format!("[{}] {}{}", index + 1, truncate(source.name(), 80), uri.unwrap_or_default()),
            );
        }
    }
    note("help", finding.help());
    if let Some(&first) = finding.supports.first().filter(|_| finding.rule.is_content()) {
        let (record, item) = (review.record() + 1, review.item);
        let item = if checked.siblings > 1 { format!(".{}", item + 1) } else { String::new() };
        note(
            "more",
            &format!("`citescope check --explain {record}{item}:{}` lays the comparison open", first + 1),
        );
    }
    let edits = review.edits(finding).count();
    if edits > 0 {
        note("fix", &fix(review, finding, edits));
    }
    out.push('\n');
}

/// `file:line:column  response 2.1, supports 3 and 4  $.path`.
fn place(checked: &Checked, finding: &Finding) -> String {
    let review = checked.review;
    let place = review.place(finding);
    let mut out = one_line(review.file()).into_owned();
    if let Some(place) = &place {
        let _ = write!(out, ":{}:{}", place.line, place.column);
    }
    let number = review.record() + 1;
    if checked.siblings > 1 {
        let _ = write!(out, "  response {number}.{}", review.item + 1);
    } else if checked.records > 1 || number > 1 {
        let _ = write!(out, "  response {number}");
    }
    let path = place.map_or_else(|| finding.origin.path.to_string(), |place| place.path.to_string());
    let _ = write!(out, "  {}", one_line(&path));
    out
}

/// The words of a support, underlined; where they are not at the offsets sent, what stands there too.
fn excerpt(
    out: &mut Vec<String>,
    shown: &mut Option<Window>,
    review: &Review,
    support: usize,
    severity: Severity,
    paint: Paint,
) {
    let Some(placed) = review.support(support) else { return };
    let (answer, anchor) = (review.text(), placed.anchor());
    let quote = placed.quote().filter(|quote| !quote.is_empty());
    let misfit = anchor.verdict.is_misfit();
    let mut marks: Vec<(Range<usize>, String)> = Vec::new();
    if let Some(range) = anchor.range.clone().filter(|range| !range.is_empty()) {
        let what = match (misfit, quote) {
            (true, Some(_)) => ": its quote",
            (true, None) => ": as it is read",
            (false, _) => "",
        };
        marks.push((range, paint.piece(heading(severity), &format!("^ support {}{what}", support + 1))));
    }
    if let Some(range) =
        misfit.then(|| review.as_sent(support)).flatten().filter(|range| Some(range) != anchor.range.as_ref())
    {
        let segment = placed.segment.as_ref();
        let (start, end) =
            (sent_words(segment.and_then(|s| s.start)), sent_words(segment.and_then(|s| s.end)));
        let what = format!(
            "~ support {}: what stands at {start}..{end}, in {}",
            support + 1,
            review.response.unit.word()
        );
        marks.push((range, paint.piece(Role::Frame, &what)));
    }
    for (range, what) in marks {
        // Marks of one stretch of the answer stand below each other.
        let window = shown.take().filter(|window| window.bytes.contains(&range.start)).unwrap_or_else(|| {
            let window = Window::at(answer, range.start);
            out.push(window.text.clone());
            window
        });
        out.push(window.marked(answer, &range, &what));
        *shown = Some(window);
    }
    if let Some(quote) = quote.filter(|_| anchor.range.is_none() || answer.is_empty()) {
        out.push(format!("support {} quotes: {:?}", support + 1, truncate(&one_line(quote), CELLS)));
    }
}

/// A stretch of one line of the answer, as it is shown.
struct Window {
    bytes: Range<usize>,
    text: String,
    /// Cells before the first byte.
    lead: usize,
}

impl Window {
    /// Some cells before a place, and what follows on its line.
    fn at(answer: &str, place: usize) -> Self {
        // Of a line without an end no more is gone through than could be shown.
        let from = answer.floor_char_boundary(place.saturating_sub(BYTES));
        let end = memchr::memrchr(b'\n', answer.as_bytes().get(from..place).unwrap_or_default());
        let line = end.map_or(from, |at| from + at + 1);
        let before = answer.get(line..place).unwrap_or_default();
        let near = before.grapheme_indices(true).rev().scan(0, |cells, (at, cluster)| {
            *cells += width(cluster);
            (*cells <= LEAD).then_some(at)
        });
        let start = line + near.last().unwrap_or(before.len());
        let lead = usize::from(start > line || end.is_none() && from > 0);
        let mut window = Self { bytes: start..start, text: "…".repeat(lead), lead };
        let mut cells = lead;
        for cluster in answer.get(start..).unwrap_or_default().graphemes(true) {
            if cluster.starts_with(['\n', '\r']) {
                break;
            }
            cells += width(cluster);
            // Marks without a width could go on for ever.
            if cells > CELLS || window.text.len() + cluster.len() > BYTES {
                window.text.push('…');
                break;
            }
            window.text.push_str(&crate::text::sanitize(cluster));
            window.bytes.end += cluster.len();
        }
        window
    }

    /// The line below: the first character of `what` under every cell of the range, then the rest of it.
    fn marked(&self, answer: &str, range: &Range<usize>, what: &str) -> String {
        let shown = answer.get(self.bytes.clone()).unwrap_or_default();
        let (mut before, mut under) = (self.lead, 0);
        for (at, cluster) in shown.grapheme_indices(true) {
            let at = self.bytes.start + at;
            match () {
                () if at + cluster.len() <= range.start => before += width(cluster),
                () if at < range.end => under += width(cluster),
                () => break,
            }
        }
        let mark = if what.contains('^') { '^' } else { '~' };
        let underline = mark.to_string().repeat(under.max(1));
        format!("{}{}", " ".repeat(before), what.replacen(mark, &underline, 1))
    }
}

fn others(supports: &[usize]) -> String {
    const NAMED: usize = 8;
    let rest = supports.get(SHOWN..).unwrap_or_default();
    let named: Vec<String> = rest.iter().take(NAMED).map(|support| (support + 1).to_string()).collect();
    let more = rest.len().saturating_sub(NAMED);
    format!("{} {}{}", form(rest.len(), "support", "supports"), named.join(", "), and_more(more))
}

/// `startIndex 85 -> 56, endIndex 210 -> 126 and 12 more; `citescope fix` writes them`.
fn fix(review: &Review, finding: &Finding, edits: usize) -> String {
    let one = |(edit, splice): (&Edit, Option<Splice>)| {
        let path = review.edited(edit, splice.as_ref()).to_string();
        let key = path.rsplit('.').next().unwrap_or_default();
        let old = edit.old_words();
        format!("support {} {key} {old} -> {}", edit.support + 1, edit.new)
    };
    let shown: Vec<String> = review.spliced(finding).take(SHOWN).map(one).collect();
    let more = edits.saturating_sub(SHOWN);
    format!("{}{}; `citescope fix` writes them", shown.join(", "), and_more(more))
}

/// The last line: how many of what.
pub(super) fn summary(total: &Tally, options: &CheckOptions) -> String {
    let paint = paint(options);
    let kinds = [
        (Severity::Error, total.errors, "error"),
        (Severity::Warning, total.warnings, "warning"),
        (Severity::Note, total.notes, "note"),
    ];
    let found: Vec<String> = kinds
        .into_iter()
        .filter(|(_, number, _)| *number > 0)
        .map(|(severity, number, noun)| paint.piece(heading(severity), &counted(number, noun)))
        .collect();
    let mut out = if found.is_empty() {
        format!("no findings in {}", counted(total.responses, "response"))
    } else {
        format!("{} in {} of {}", found.join(", "), total.with_findings, counted(total.responses, "response"))
    };
    if total.unread > 0 {
        let _ = write!(out, "; {} could not be read", counted(total.unread, "input"));
    }
    if total.skipped > 0 {
        let _ = write!(out, "; {} without a response skipped", counted(total.skipped, "file"));
    }
    out.push('\n');
    out
}
