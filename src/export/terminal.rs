//! A response as text for a terminal: the answer with numbers behind its spans, the sources they stand for,
//! the searches and the findings. With colours or without; everything that came in is made harmless.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::ops::Range;

use super::bare::Bare;
use super::fit::headline;
use super::label::{DateStyle, facts, name};
use super::markdown::numbered;
use super::numbering::marked_sources;
use super::options::{Colours, ExportOptions, Exported};
use crate::look::{Paint, Role, Tone};
use crate::markup::Insertion;
use crate::model::{Label, Source};
use crate::review::{Review, SourceRef, SupportRef};
use crate::text::{one_line, without_line_commands};

/// The response without colours.
pub fn report(review: &Review, options: &ExportOptions) -> Exported {
    response(review, options, Paint::Plain)
}

/// The answer with its numbers and what they stand for, and nothing else.
pub fn plain(review: &Review, options: &ExportOptions) -> Exported {
    let answer = numbered(review, options);
    let mut text = answer.text;
    let mut list = String::new();
    // Where no mark stands, as in an answer that was cut off, the list is all there is of them.
    let marked = marked_sources(review);
    sources(review, options, Paint::Plain, Some(&marked).filter(|marked| !marked.is_empty()), &mut list);
    let entries = list.trim_start().strip_prefix("Sources\n").map(str::trim_end);
    if let Some(entries) = entries.filter(|entries| !entries.is_empty()) {
        let entries = format!("\n{entries}\n");
        // One kind of line ends in one text.
        let wide = text.contains("\r\n");
        text.push_str(&if wide { entries.replace('\n', "\r\n") } else { entries });
    }
    Exported { text, notes: answer.notes, edits: answer.edits }
}

/// The response in colours, where they are wanted.
pub fn coloured(review: &Review, options: &ExportOptions) -> Exported {
    response(review, options, if options.colours == Colours::None { Paint::Plain } else { Paint::Sgr })
}

/// The response, ending in a newline.
fn response(review: &Review, options: &ExportOptions, paint: Paint) -> Exported {
    let mut out = header(review, paint);
    let mut notes = Vec::new();
    if review.response.answer.is_some() {
        let answer = numbered(review, options);
        notes.clone_from(&answer.notes);
        out.push_str(&painted(review, &answer, options, paint));
    } else {
        claims(review, options, paint, &mut out);
    }
    sources(review, options, paint, None, &mut out);
    let given = |source: &Source| source.chunks.iter().any(|chunk| chunk.label == Some(Label::TextGiven));
    let given: Vec<String> = (1..)
        .zip(&review.response.sources)
        .filter(|(_, source)| given(source))
        .map(|(n, _)| format!("[{n}]"))
        .collect();
    if !given.is_empty() {
        let _ = writeln!(
            out,
            "{} {}",
            paint.piece(Role::Dim, &format!("{}:", Label::TextGiven.word())),
            given.join(", ")
        );
    }
    for query in &review.response.queries {
        let _ = writeln!(out, "{} {}", paint.piece(Role::Dim, "searched:"), one_line(&query.text));
    }
    for finding in review.findings() {
        let severity = finding.rule.severity;
        let word = paint.piece(Tone::from(severity).role(), severity.word());
        let _ = writeln!(out, "{word} {}: {}", finding.rule.id, one_line(&finding.message));
    }
    let out = without_line_commands(&out);
    Exported { text: out, notes, edits: Vec::new() }
}

fn header(review: &Review, paint: Paint) -> String {
    let response = &review.response;
    let (sign, tone, fit) = headline(review);
    let model = response
        .model
        .as_deref()
        .or(response.about.author.as_deref())
        .map(|model| format!(" · {}", one_line(model)));
    format!(
        "{} · {}{} · {} {fit}\n\n",
        paint.piece(Role::Strong, &format!("== {}", one_line(review.file()))),
        response.format_id(),
        model.unwrap_or_default(),
        paint.piece(tone.role(), sign),
    )
}

/// Where there is no answer text: the claims, a line each.
fn claims(review: &Review, options: &ExportOptions, paint: Paint, out: &mut String) {
    let numbers = options.numbering(review);
    for support in review.supports() {
        let quote = support.quote().unwrap_or("(no quote)");
        let cited: String = support
            .cited()
            .into_iter()
            .filter_map(|source| numbers.number(source))
            .map(|number| format!("[{number}]"))
            .collect();
        let _ =
            writeln!(out, "{}. {} {}", support.index + 1, one_line(quote), paint.piece(Role::Key, &cited));
    }
}

/// The answer with its spans underlined and its marks set off.
fn painted(review: &Review, answer: &Exported, options: &ExportOptions, paint: Paint) -> String {
    if paint == Paint::Plain {
        return answer.text.clone();
    }
    let text = &answer.text;
    let spans = spans(review, answer, options);
    let marks: Vec<&Range<usize>> = answer.edits.iter().map(|edit| &edit.range).collect();
    let mut cuts: Vec<usize> =
        spans.iter().chain(marks.iter().copied()).flat_map(|range| [range.start, range.end]).collect();
    for cut in &mut cuts {
        *cut = text.floor_char_boundary(*cut);
    }
    cuts.extend([0, text.len()]);
    cuts.sort_unstable();
    cuts.dedup();
    let within = |ranges: &dyn Fn(usize) -> Option<Range<usize>>, last: usize, at: usize| {
        last.checked_sub(1).and_then(ranges).is_some_and(|range| range.contains(&at))
    };
    let mut out = String::with_capacity(text.len() * 2);
    for pair in cuts.windows(2) {
        let [from, to] = *pair else { continue };
        let piece = text.get(from..to).unwrap_or_default();
        let mark = within(
            &|index| marks.get(index).map(|range| (*range).clone()),
            marks.partition_point(|range| range.start <= from),
            from,
        );
        let span = within(
            &|index| spans.get(index).cloned(),
            spans.partition_point(|range| range.start <= from),
            from,
        );
        let role = if mark { Some(Role::Key) } else { span.then_some(Role::Span) };
        for line in piece.split_inclusive('\n') {
            let (words, end) = line.strip_suffix('\n').map_or((line, ""), |words| (words, "\n"));
            out.push_str(&role.map_or_else(|| words.to_owned(), |role| paint.piece(role, words)));
            out.push_str(end);
        }
    }
    out
}

/// Bytes of the text with marks that rest on a source.
fn spans(review: &Review, answer: &Exported, options: &ExportOptions) -> Vec<Range<usize>> {
    let bare = Bare::of(review, options);
    let placed = review.supports().filter(|support| support.resolves()).filter_map(SupportRef::range);
    let ranges = placed.map(|range| bare.moved(range.start)..bare.moved(range.end)).collect();
    let safe = crate::markup::Safe::ranges(&bare.text, ranges);
    // Where each edit stood before it and those before it were made.
    let mut shift = 0;
    let origin =
        |edit: &Insertion| edit.range.start.saturating_add_signed(-std::mem::replace(&mut shift, edit.shift));
    let origins: Vec<usize> = answer.edits.iter().map(origin).collect();
    let moved = |at: usize, end: bool| {
        let made = origins.partition_point(|origin| *origin < at || !end && *origin == at);
        let last = made.checked_sub(1).and_then(|last| origins.get(last).zip(answer.edits.get(last)));
        let Some((origin, edit)) = last else { return at };
        match at < origin + edit.replaced.len() {
            // In what ours took the place of.
            true if end => edit.range.end,
            true => edit.range.start,
            false => at.saturating_add_signed(edit.shift),
        }
    };
    safe.iter().map(|range| moved(range.start, false)..moved(range.end, true)).collect()
}

/// The cited sources, all or `only` these.
fn sources(
    review: &Review,
    options: &ExportOptions,
    paint: Paint,
    only: Option<&HashSet<usize>>,
    out: &mut String,
) {
    let numbers = options.numbering(review);
    if numbers.entries.is_empty() {
        out.push('\n');
        return;
    }
    let _ = writeln!(out, "\n{}", paint.piece(Role::Strong, "Sources"));
    let wide = numbers.entries.iter().map(|(number, _)| number.to_string().len()).max().unwrap_or(1);
    for (&(number, index), merged) in numbers.entries.iter().zip(numbers.merged()) {
        let Some(source) = review.source(index).map(SourceRef::sent) else { continue };
        if only.is_some_and(|only| !merged.iter().any(|source| only.contains(source))) {
            continue;
        }
        let facts = facts(source, options.dates.unwrap_or(DateStyle::Iso));
        let facts =
            if facts.is_empty() { String::new() } else { format!("  {}", paint.piece(Role::Dim, &facts)) };
        let also: Vec<String> = merged
            .iter()
            .filter(|_| options.mapping || merged.len() > 1)
            .map(|index| format!("[{}]", index + 1))
            .collect();
        let also = if also.is_empty() { String::new() } else { format!("  ({})", also.join(" ")) };
        let lead = format!("{:>width$}", format!("[{number}]"), width = wide + 2);
        let _ = writeln!(out, "{} {}{facts}{also}", paint.piece(Role::Key, &lead), name(source));
        if let Some(uri) =
            source.uri.as_deref().map(str::trim).filter(|uri| !uri.is_empty() && *uri != source.name())
        {
            let _ = writeln!(out, "{:wide$}   {}", "", paint.piece(Role::Address, &one_line(uri)));
        }
    }
    out.push('\n');
}
