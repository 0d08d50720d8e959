//! Citations as Markdown. Marks are inserted; no other byte of the answer changes, but that text which must
//! not reach a terminal or a file is shown by stand-ins, and that a mark in a reserved blank takes its place.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::sync::Arc;

use super::bare::{Bare, holds_place};
use super::label::{DateStyle, address, cited_link, escape, link};
use super::numbering::{Numbering, Scheme, is_nothing, is_of, layer, marked, marked_sources};
use super::options::{ExportOptions, ExportPart, Exported, OwnMarks};
use crate::check::is_web;
use crate::json::is_json;
use crate::markup::{Mark, MarkStyle, Replaces, insert};
use crate::model::{LinkForm, Proof, Support};
use crate::review::{Review, SourceRef, SupportRef};
use crate::text::{counted, one_line, plural, sanitize};

/// The answer with links at the end of each span: `[n](address)`, numbered as the provider counts, plus one.
/// Several links of a span are joined by a comma; spans with one end come in reverse of the order sent, as
/// Google's sample functions put them. Bigdata.com's answers get its brand form `[Source name -
/// date](address)`, unless a numbering is asked for.
pub fn inline(review: &Review, options: &ExportOptions) -> Exported {
    let named = options.number.is_none() && is_named(review);
    let numbers = options.numbering(review);
    let dates = options.dates.unwrap_or(DateStyle::Brand);
    let defined = defined(review.response.text());
    let mut written = Written::by(|source| {
        let number = numbers.number(source)?;
        let entry = review.source(source).map(SourceRef::sent)?;
        if named {
            let name = cited_link(review, source, dates)?;
            return Some(if name.starts_with('[') && name.ends_with(')') {
                name
            } else {
                format!("({name})")
            });
        }
        let uri = entry.uri.as_deref().filter(|uri| is_web(uri));
        Some(uri.map_or_else(|| plain(number, &defined), |uri| format!("[{number}]({})", address(uri))))
    });
    let items = |support: SupportRef| {
        written.all(support.citations.iter().filter_map(|citation| citation.target.source()))
    };
    let style = if named { MarkStyle::Named } else { MarkStyle::Links };
    let mut out = cited(review, options, items, style, "");
    if options.mapping && !named {
        out.notes.extend(mapping(&numbers));
    }
    out
}

fn is_named(review: &Review) -> bool {
    review.response.facts.links == LinkForm::Named
}

/// A number without an address; where the answer defines what `[1]` links to, its brackets are escaped.
fn plain(number: usize, defined: &HashSet<usize>) -> String {
    if defined.contains(&number) { format!("\\[{number}\\]") } else { format!("[{number}]") }
}

/// Numbers that the answer defines as links: `[1]: https://…`, also with blanks in the brackets.
fn defined(answer: &str) -> HashSet<usize> {
    // Lines of a quotation begin with signs of their own.
    let blank = |c: char| c.is_whitespace() || c == '>';
    let before = |at: usize| {
        let text = answer.get(..at)?.trim_end_matches(blank);
        let rest = text.trim_end_matches(|c: char| c.is_ascii_digit());
        rest.trim_end_matches(blank).strip_suffix('[').and_then(|_| text.get(rest.len()..)?.parse().ok())
    };
    answer.match_indices("]:").filter_map(|(at, _)| before(at)).collect()
}

/// The answer with footnote marks and the definitions of what is cited.
pub fn footnotes(review: &Review, options: &ExportOptions) -> Exported {
    let numbers = options.numbering(review);
    let dates = options.dates.unwrap_or(DateStyle::Iso);
    let prefix = prefix(review.response.text(), &options.prefix);
    let mut written =
        Written::by(|source| numbers.number(source).map(|number| format!("[^{prefix}{number}]")));
    let items = |support: SupportRef| written.all(support.cited());
    // A footnote that no mark names is shown by no renderer.
    let only = part_sources(review, options).map(HashSet::from_iter);
    let only: HashSet<usize> = only.unwrap_or_else(|| marked_sources(review));
    let mut tail = String::new();
    for (&(number, index), merged) in numbers.entries.iter().zip(numbers.merged()) {
        let Some(link) = entry(review, index, dates) else { continue };
        if !merged.iter().any(|source| only.contains(source)) {
            continue;
        }
        let blank = if tail.is_empty() { "\n" } else { "" };
        let _ = writeln!(tail, "{blank}[^{prefix}{number}]: {link}{}", provider(&merged, options));
    }
    cited(review, options, items, MarkStyle::Footnotes, &tail)
}

/// What keeps our footnotes apart from those that the answer brings along, and those of other answers.
pub(super) fn prefix(answer: &str, wanted: &str) -> String {
    let lower = answer.to_lowercase();
    let taken = |prefix: &str| {
        let open = format!("[^{}", prefix.to_lowercase());
        lower.match_indices(&open).any(|(at, open)| {
            lower.get(at + open.len()..).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        })
    };
    let mut prefix = wanted.to_owned();
    while prefix.len() < wanted.len() + 8 && taken(&prefix) {
        prefix.push('c');
    }
    prefix
}

/// ` (sources [2], [5])`, where the mapping is asked for.
fn provider(merged: &[usize], options: &ExportOptions) -> String {
    if !options.mapping {
        return String::new();
    }
    format!(" ({})", sources_words(merged))
}

fn sources_words(merged: &[usize]) -> String {
    let list: Vec<String> = merged.iter().map(|index| format!("[{}]", index + 1)).collect();
    format!("{} {}", if list.len() == 1 { "source" } else { "sources" }, list.join(", "))
}

/// Which sources of the provider go by which number, a line each.
pub fn mapping(numbers: &Numbering) -> Vec<String> {
    numbers
        .entries
        .iter()
        .zip(numbers.merged())
        .map(|((number, _), merged)| format!("[{number}] is {}", sources_words(&merged)))
        .collect()
}

/// The sources of the part that is exported; nothing where it is all of them.
fn part_sources(review: &Review, options: &ExportOptions) -> Option<Vec<usize>> {
    match options.part {
        ExportPart::Whole => None,
        ExportPart::Support(support) => {
            Some(review.support(support).map(|support| support.cited()).unwrap_or_default())
        }
        ExportPart::Span(span) => {
            Some(review.of_span(span).flat_map(|support| support.sent().cited()).collect())
        }
        ExportPart::Source(source) => Some(vec![source]),
    }
}

/// The cited sources as a numbered list; where numbers are left out, as a list that spells them.
pub fn sources(review: &Review, options: &ExportOptions) -> Exported {
    listed(review, options, |number, next, entry| {
        if number == next { format!("{number}. {entry}") } else { format!("- \\[{number}\\] {entry}") }
    })
}

/// The cited sources, a link a line.
pub fn links(review: &Review, options: &ExportOptions) -> Exported {
    // Without numbers nothing is lost by merging duplicates.
    let options =
        ExportOptions { number: Some(options.number.unwrap_or(Scheme::Compact)), ..options.clone() };
    listed(review, &options, |_, _, entry| entry)
}

/// A source in a list: its link, its title where the link says something else, its pages.
fn entry(review: &Review, index: usize, dates: DateStyle) -> Option<String> {
    let mut entry = cited_link(review, index, dates)?;
    let source = review.source(index).map(SourceRef::sent)?;
    let title = source.title.as_deref().map(|title| escape(one_line(title).trim()));
    let title = title.filter(|title| !title.is_empty() && !entry.contains(title.as_str()));
    entry.extend(title.map(|title| format!(": {title}")));
    let mut pages: Vec<&str> = source.chunks.iter().filter_map(|chunk| chunk.page.as_deref()).collect();
    pages.retain(|page| !page.trim().is_empty());
    pages.dedup();
    if let [_, ..] = pages[..] {
        let more = if pages.len() > 3 { ", …" } else { "" };
        let shown: Vec<String> = pages.iter().take(3).map(|page| escape(&one_line(page))).collect();
        let _ = write!(entry, ", p. {}{more}", shown.join(", "));
    }
    Some(entry)
}

fn listed(
    review: &Review,
    options: &ExportOptions,
    entry: impl Fn(usize, usize, String) -> String,
) -> Exported {
    let only = part_sources(review, options);
    // A source that was picked is listed also where nothing cites it.
    let picked = matches!(options.part, ExportPart::Source(_));
    let scheme = if picked { Scheme::Provider } else { options.scheme() };
    let mut numbers = Numbering::new(review, scheme, options.tools || picked);
    if let ExportPart::Source(source) = options.part {
        numbers.entries = vec![(source + 1, source)];
    }
    let dates = options.dates.unwrap_or(DateStyle::Brand);
    let whole =
        only.is_none() && numbers.entries.iter().enumerate().all(|(place, (number, _))| *number == place + 1);
    let mut text = String::new();
    for (&(number, index), merged) in numbers.entries.iter().zip(numbers.merged()) {
        let wanted = only.as_ref().is_none_or(|only| merged.iter().any(|source| only.contains(source)));
        let Some(linked) = self::entry(review, index, dates).filter(|_| wanted) else { continue };
        let next = if whole { number } else { 0 };
        let _ = writeln!(text, "{}", entry(number, next, format!("{linked}{}", provider(&merged, options))));
    }
    let notes = if text.is_empty() { vec!["no document is cited".to_owned()] } else { Vec::new() };
    Exported { text, notes, edits: Vec::new() }
}

/// The answer as text with the numbers `[n]` behind its spans; nothing else is added.
pub fn numbered(review: &Review, options: &ExportOptions) -> Exported {
    let numbers = options.numbering(review);
    let mut written = Written::by(|source| numbers.number(source).map(|number| format!("[{number}]")));
    let items = |support: SupportRef| written.all(support.cited());
    cited(review, options, items, MarkStyle::Plain, "")
}

/// The answer with one mark of the caller's own a support, where a mark breaks no Markdown, and what was left
/// out.
pub(crate) fn custom(
    review: &Review,
    options: &ExportOptions,
    mark: impl Fn(SupportRef) -> String,
) -> (String, Vec<String>) {
    let items = |support: SupportRef| {
        Some(mark(support)).filter(|mark| !mark.is_empty()).map(Arc::from).into_iter().collect()
    };
    let mut out = cited(review, options, items, MarkStyle::Plain, "");
    // The last edit is the line end that other exports have.
    out.text.truncate(out.edits.last().map_or(out.text.len(), |edit| edit.range.start));
    (out.text, out.notes)
}

/// The words of the marks of sources, each written once however many cite it.
struct Written<F> {
    write: F,
    /// By source, those that were asked for; of a source without any they are empty.
    words: Vec<Option<Arc<str>>>,
}

impl<F: Fn(usize) -> Option<String>> Written<F> {
    fn by(write: F) -> Self {
        Self { write, words: Vec::new() }
    }

    /// The words of some sources; some have none.
    fn all(&mut self, sources: impl IntoIterator<Item = usize>) -> Vec<Arc<str>> {
        let Self { write, words } = self;
        let word = |source: usize| {
            if source >= words.len() {
                words.resize(source + 1, None);
            }
            let written = || Arc::from(write(source).unwrap_or_default());
            let word = words.get_mut(source)?.get_or_insert_with(written);
            Some(Arc::clone(word)).filter(|word| !word.is_empty())
        };
        let mut all: Vec<Arc<str>> = sources.into_iter().filter_map(word).collect();
        all.shrink_to_fit();
        all
    }
}

/// The answer, or the words of one support, with marks.
fn cited(
    review: &Review,
    options: &ExportOptions,
    mut items: impl FnMut(SupportRef) -> Vec<Arc<str>>,
    style: MarkStyle,
    tail: &str,
) -> Exported {
    match options.part {
        ExportPart::Support(support) => return one(review, &[support], items, style, tail),
        ExportPart::Span(span) => return one(review, review.supports_of(span), items, style, tail),
        ExportPart::Whole | ExportPart::Source(_) => {}
    }
    let response = &review.response;
    let answer = Bare::of(review, options);
    let behind = json_end(&answer.text);
    let object = leading_json(&answer.text);
    let mut left = Left::default();
    let mut marks = Vec::with_capacity(response.supports.len());
    for (support, end) in marked(review) {
        let items = items(support);
        left.count(support.sent(), options, end.is_none());
        let Some(end) = end else { continue };
        let held = support.anchor().mark.clone().filter(|_| options.own_marks != OwnMarks::Kept);
        if let Some(mark) = held.filter(|_| holds_place(response.text(), support)) {
            let span = answer.moved(mark.start)..answer.moved(mark.end);
            put(&mut marks, Mark { span, items, replaces: Replaces::Span }, true);
            continue;
        }
        if is_nothing(support, end) {
            left.empty += usize::from(!items.is_empty());
            continue;
        }
        let end = match support.anchor().mark.as_ref().filter(|_| support.is_inferred()) {
            Some(mark) if options.own_marks == OwnMarks::Kept || support.is_named_link() => mark.end.max(end),
            _ => end,
        };
        // What has no words of its own stands behind those before it.
        let words = support.range().filter(|range| !range.is_empty() || !support.is_inferred());
        let start = words.map_or(0, |range| range.start.min(end));
        let slot = response.proof == Proof::Slots && crate::anchor::is_slot(response.text(), end);
        let span = answer.moved(start)..answer.moved(end).max(object.min(answer.text.len()));
        let slot = slot && span.end == answer.moved(end);
        let replaces = if slot { Replaces::Blank } else { Replaces::Nothing };
        put(&mut marks, Mark { span, items, replaces }, support.is_inferred());
    }
    if let Some(end) = behind {
        let items = marks.into_iter().flat_map(|mark| mark.items).collect();
        marks = vec![Mark { span: end..end, items, replaces: Replaces::Nothing }];
    } else if let Some(ends) = json_lines(&answer.text) {
        for mark in &mut marks {
            let end = ends.get(ends.partition_point(|&end| end < mark.span.end)).copied();
            mark.span = end.map_or(mark.span.clone(), |end| end..end);
            mark.replaces = Replaces::Nothing;
        }
    }
    let marked = insert(&answer.text, marks, style, tail).with_line_ends(&answer.text);
    Exported { text: marked.text, notes: left.notes(review), edits: marked.insertions }
}

/// Adds a mark; those of one claim keep the order in which the text has them, and those that hold their own
/// places right behind each other are one.
fn put(marks: &mut Vec<Mark>, mark: Mark, inferred: bool) {
    let goes_on = |last: &Mark| {
        let are_held = matches!((last.replaces, mark.replaces), (Replaces::Span, Replaces::Span));
        last.span == mark.span || are_held && last.span.end == mark.span.start
    };
    match marks.last_mut().filter(|last| inferred && goes_on(last)) {
        Some(last) => {
            last.span.end = mark.span.end;
            last.items.extend(mark.items);
        }
        None => marks.push(mark),
    }
}

/// The end of a JSON object that an answer begins with, where prose follows it.
fn leading_json(answer: &str) -> usize {
    let mut values = serde_json::Deserializer::from_str(answer).into_iter::<serde::de::IgnoredAny>();
    let is_object = answer.trim_start().starts_with('{') && values.next().is_some_and(|value| value.is_ok());
    if is_object { values.byte_offset() } else { 0 }
}

/// The end of an answer that is JSON, alone or in a fence: marks inside would break it.
fn json_end(answer: &str) -> Option<usize> {
    let trimmed = answer.trim();
    let fenced = trimmed.strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    let inner = fenced.map_or(trimmed, |rest| rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric()));
    let is_whole = inner.trim_start().starts_with(['{', '[']) && is_json(inner);
    is_whole.then(|| answer.trim_end().len())
}

/// The ends of the lines of an answer that is JSON Lines.
fn json_lines(answer: &str) -> Option<Vec<usize>> {
    let mut ends = Vec::new();
    let mut at = 0;
    for line in answer.split_inclusive('\n') {
        let words = line.trim();
        if !words.is_empty() {
            if !words.starts_with(['{', '[']) || !is_json(words) {
                return None;
            }
            ends.push(at + line.trim_end().len());
        }
        at += line.len();
    }
    (ends.len() > 1).then_some(ends)
}

/// The words of some supports of one place with their marks behind them.
fn one(
    review: &Review,
    indices: &[usize],
    mut items: impl FnMut(SupportRef) -> Vec<Arc<str>>,
    style: MarkStyle,
    tail: &str,
) -> Exported {
    let supports: Vec<SupportRef> = indices.iter().filter_map(|&index| review.support(index)).collect();
    let Some(first) = supports.first() else {
        let count = review.response.supports.len();
        let index = indices.first().map_or(0, |index| index + 1);
        return Exported {
            notes: vec![format!("there is no support {index}; there are {count}")],
            ..Exported::default()
        };
    };
    let words = sanitize(first.words().unwrap_or_default());
    let words = words.trim();
    let mut all: Vec<Arc<str>> = Vec::new();
    for item in supports.iter().flat_map(|support| items(*support)) {
        if supports.len() == 1 || !all.contains(&item) {
            all.push(item);
        }
    }
    let marked = insert(
        words,
        vec![Mark { span: 0..words.len(), items: all, replaces: Replaces::Nothing }],
        style,
        tail,
    );
    let notes =
        if words.is_empty() { vec!["the support has no place in the answer".to_owned()] } else { Vec::new() };
    Exported { text: marked.text, notes, edits: marked.insertions }
}

/// What was left out.
#[derive(Default)]
struct Left {
    lost: usize,
    dangling: usize,
    tools: usize,
    empty: usize,
}

impl Left {
    fn count(&mut self, support: &Support, options: &ExportOptions, placeless: bool) {
        let tool =
            |citation: &&crate::model::Citation| matches!(citation.target, crate::model::Target::Tool(_));
        self.dangling +=
            support.citations.iter().filter(|citation| citation.target.source().is_none()).count();
        self.tools += if options.tools { 0 } else { support.citations.iter().filter(tool).count() };
        self.lost += usize::from(placeless && !support.citations.is_empty());
    }

    fn notes(&self, review: &Review) -> Vec<String> {
        let mut notes = Vec::new();
        let all = review.response.supports.len();
        if self.lost > 0 {
            let lost = format!("{} of {}", self.lost, counted(all, "support"));
            let have = if self.lost == 1 {
                "has no place in the answer and was"
            } else {
                "have no place in the answer and were"
            };
            notes.push(format!("{lost} {have} left out"));
        }
        if self.empty > 0 {
            let empty = format!("{} of {}", self.empty, counted(all, "support"));
            let are = if self.empty == 1 {
                "is an empty segment at the beginning and was"
            } else {
                "are empty segments at the beginning and were"
            };
            notes.push(format!("{empty} {are} left out"));
        }
        if self.dangling > 0 {
            let point = plural(
                self.dangling,
                "citation points at no source and was",
                "citations point at no source and were",
            );
            notes.push(format!("{point} left out"));
        }
        if self.tools > 0 {
            let results = plural(
                self.tools,
                "citation of a result of a tool was",
                "citations of results of tools were",
            );
            notes.push(format!("{results} left out; --tools cites them"));
        }
        let apart = only_elsewhere(review);
        if !apart.is_empty() {
            let listed: Vec<String> = apart.iter().map(|source| format!("[{}]", source + 1)).collect();
            notes.push(format!("{} cited in another layer of this response only and left out", are(&listed)));
        }
        if layer(&review.response).is_none() {
            notes.push("this response has no supports".to_owned());
        }
        if review.response.answer.is_none() {
            notes.push("this response carries no answer text; give it with --answer FILE".to_owned());
        }
        notes
    }
}

/// Sources that only supports of the layers cite which exports leave out, so that nothing is cited twice.
fn only_elsewhere(review: &Review) -> Vec<usize> {
    let layer = layer(&review.response);
    let cites = |source: SourceRef, own: bool| {
        source.cited_by().any(|support| is_of(support.sent(), layer) == own && support.backs_claim())
    };
    let apart = review.sources().filter(|source| cites(*source, false) && !cites(*source, true));
    apart.map(|source| source.index).collect()
}

/// `[1] is`, `[1], [2] are`.
fn are(listed: &[String]) -> String {
    format!("{} {}", listed.join(", "), if listed.len() == 1 { "is" } else { "are" })
}

/// Citations as footnotes with their definitions, each with its number.
pub fn footnote(review: &Review, sources: &[usize], dates: DateStyle) -> String {
    let marks: String = sources.iter().map(|source| format!("[^{}]", source + 1)).collect();
    let definition = |&index: &usize| {
        let source = review.source(index).map(SourceRef::sent)?;
        let entry = entry(review, index, dates).unwrap_or_else(|| link(source, dates));
        Some(format!("[^{}]: {entry}\n", index + 1))
    };
    format!("{marks}\n\n{}", sources.iter().filter_map(definition).collect::<String>())
}
