//! Citations as Markdown. Marks are inserted; no other byte of the answer changes, but that text which must
//! not reach a terminal or a file is shown by stand-ins, and that a mark in a reserved blank takes its place.

use std::collections::HashSet;
use std::fmt::Write as _;

use super::label::{DateStyle, address, cited_link, link};
use super::numbering::{Numbering, Scheme, layer, marked};
use super::options::{Exported, Options, Part};
use crate::check::is_web;
use crate::markup::{Mark, Style, insert};
use crate::model::{LinkForm, Proof, Support};
use crate::review::{Review, SupportRef};
use crate::text::sanitize;

/// The answer with links at the end of each span: `[n](address)`, numbered as the provider counts, plus one.
/// Several links of a span are joined by a comma; spans with one end come in reverse of the order sent, as
/// Google's sample functions put them. Bigdata.com's answers get its brand form `[Source name -
/// date](address)`, unless a numbering is asked for.
pub fn inline(review: &Review, options: &Options) -> Exported {
    let named = options.number.is_none() && is_named(review);
    let numbers = options.numbering(review, Scheme::Provider);
    let dates = options.dates.unwrap_or(DateStyle::Brand);
    let defined = defined(review.response.text());
    let item = |source: usize| {
        let number = numbers.number(source)?;
        let entry = review.response.sources.get(source)?;
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
    };
    let items = |support: SupportRef| {
        support.citations.iter().filter_map(|citation| item(citation.target.source()?)).collect()
    };
    let style = if named { Style::Named } else { Style::Links };
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

/// Numbers that the answer defines as links: `[1]: https://…`.
fn defined(answer: &str) -> HashSet<usize> {
    let before = |at: usize| {
        answer.get(..at).and_then(|text| text.rsplit_once('[')).and_then(|(_, number)| number.parse().ok())
    };
    answer.match_indices("]:").filter_map(|(at, _)| before(at)).collect()
}

/// The answer with footnote marks and the definitions of what is cited, compact by first use.
pub fn footnotes(review: &Review, options: &Options) -> Exported {
    let numbers = options.numbering(review, Scheme::Compact);
    let dates = options.dates.unwrap_or(DateStyle::Iso);
    let prefix = prefix(review.response.text());
    let items = |support: SupportRef| {
        let numbered = support.cited().into_iter().filter_map(|source| numbers.number(source));
        numbered.map(|number| format!("[^{prefix}{number}]")).collect()
    };
    let only = part_sources(review, options);
    let mut tail = String::new();
    for (&(number, index), merged) in numbers.entries.iter().zip(numbers.merged()) {
        let Some(link) = cited_link(review, index, dates) else { continue };
        if only.as_ref().is_some_and(|only| !merged.iter().any(|source| only.contains(source))) {
            continue;
        }
        let blank = if tail.is_empty() { "\n" } else { "" };
        let _ = writeln!(tail, "{blank}[^{prefix}{number}]: {link}{}", provider(&merged, options));
    }
    cited(review, options, items, Style::Footnotes, &tail)
}

/// What keeps our footnotes apart from those that the answer brings along.
fn prefix(answer: &str) -> String {
    let lower = answer.to_lowercase();
    let taken = |prefix: &str| {
        let open = format!("[^{prefix}");
        lower.match_indices(&open).any(|(at, open)| {
            lower.get(at + open.len()..).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        })
    };
    let mut prefix = String::new();
    while prefix.len() < 8 && taken(&prefix) {
        prefix.push('c');
    }
    prefix
}

/// ` (sources [2], [5])`, where the mapping is asked for.
fn provider(merged: &[usize], options: &Options) -> String {
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
fn part_sources(review: &Review, options: &Options) -> Option<Vec<usize>> {
    match options.part {
        Part::Whole => None,
        Part::Support(support) => {
            Some(review.response.supports.get(support).map(Support::cited).unwrap_or_default())
        }
        Part::Source(source) => Some(vec![source]),
    }
}

/// The cited sources as a numbered list, compact by first use. In the provider's numbering, where numbers may
/// be left out, as a list that spells them.
pub fn sources(review: &Review, options: &Options) -> Exported {
    listed(review, options, |number, next, link| {
        if number == next { format!("{number}. {link}") } else { format!("- \\[{number}\\] {link}") }
    })
}

/// The cited sources, a link a line.
pub fn links(review: &Review, options: &Options) -> Exported {
    listed(review, options, |_, _, link| link)
}

fn listed(review: &Review, options: &Options, entry: impl Fn(usize, usize, String) -> String) -> Exported {
    let only = part_sources(review, options);
    // A source that was picked is listed also where nothing cites it.
    let picked = matches!(options.part, Part::Source(_));
    let scheme = if picked { Scheme::Provider } else { options.number.unwrap_or(Scheme::Compact) };
    let mut numbers = Numbering::new(review, scheme, options.tools || picked);
    if let Part::Source(source) = options.part {
        numbers.entries = vec![(source + 1, source)];
    }
    let dates = options.dates.unwrap_or(DateStyle::Brand);
    let whole =
        only.is_none() && numbers.entries.iter().enumerate().all(|(place, (number, _))| *number == place + 1);
    let mut text = String::new();
    for (&(number, index), merged) in numbers.entries.iter().zip(numbers.merged()) {
        let wanted = only.as_ref().is_none_or(|only| merged.iter().any(|source| only.contains(source)));
        let Some(linked) = cited_link(review, index, dates).filter(|_| wanted) else { continue };
        let next = if whole { number } else { 0 };
        let _ = writeln!(text, "{}", entry(number, next, format!("{linked}{}", provider(&merged, options))));
    }
    let notes = if text.is_empty() { vec!["no document is cited".to_owned()] } else { Vec::new() };
    Exported { text, notes, edits: Vec::new() }
}

/// The answer as text with the numbers `[n]` behind its spans; nothing else is added.
pub fn numbered(review: &Review, options: &Options) -> Exported {
    let numbers = options.numbering(review, Scheme::Provider);
    let items = |support: SupportRef| {
        let numbered = support.cited().into_iter().filter_map(|source| numbers.number(source));
        numbered.map(|number| format!("[{number}]")).collect()
    };
    cited(review, options, items, Style::Plain, "")
}

/// The answer with one mark of the caller's own a support, where a mark breaks no Markdown, and what was left
/// out.
pub(crate) fn custom(
    review: &Review,
    options: &Options,
    mark: impl Fn(SupportRef) -> String,
) -> (String, Vec<String>) {
    let items =
        |support: SupportRef| Some(mark(support)).filter(|mark| !mark.is_empty()).into_iter().collect();
    let mut out = cited(review, options, items, Style::Plain, "");
    // The last edit is the line end that other exports have.
    out.text.truncate(out.edits.last().map_or(out.text.len(), |edit| edit.range.start));
    (out.text, out.notes)
}

/// The answer, or the words of one support, with marks.
fn cited(
    review: &Review,
    options: &Options,
    items: impl Fn(SupportRef) -> Vec<String>,
    style: Style,
    tail: &str,
) -> Exported {
    if let Part::Support(support) = options.part {
        return one(review, support, items, style, tail);
    }
    let response = &review.response;
    let answer = response.text();
    let mut left = Left::default();
    let mut marks = Vec::new();
    for (support, end) in marked(review) {
        let items = items(support);
        left.count(support.sent(), options, end.is_none());
        let Some(end) = end else { continue };
        let start = support.range().map_or(0, |range| range.start.min(end));
        let slot = response.proof == Proof::Slots && crate::anchor::is_slot(answer, end);
        marks.push(Mark { span: start..end, items, slot });
    }
    let marked = insert(answer, marks, style, tail);
    Exported { text: marked.text, notes: left.notes(review), edits: marked.insertions }
}

/// The words of one support with its marks behind them.
fn one(
    review: &Review,
    index: usize,
    items: impl Fn(SupportRef) -> Vec<String>,
    style: Style,
    tail: &str,
) -> Exported {
    let Some(support) = review.support(index) else {
        let count = review.response.supports.len();
        return Exported {
            notes: vec![format!("there is no support {}; there are {count}", index + 1)],
            ..Exported::default()
        };
    };
    let words = sanitize(support.words().unwrap_or_default());
    let words = words.trim();
    let marked =
        insert(words, vec![Mark { span: 0..words.len(), items: items(support), slot: false }], style, tail);
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
}

impl Left {
    fn count(&mut self, support: &Support, options: &Options, placeless: bool) {
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
            notes.push(format!(
                "{} of {all} supports have no place in the answer and were left out",
                self.lost
            ));
        }
        if self.dangling > 0 {
            notes.push(format!("{} citations point at no source and were left out", self.dangling));
        }
        if self.tools > 0 {
            notes.push(format!(
                "{} citations of results of tools were left out; --tools cites them",
                self.tools
            ));
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

/// One citation as a footnote with its definition.
pub fn footnote(number: usize, source: &crate::model::Source, dates: DateStyle) -> String {
    format!("[^{number}]\n\n[^{number}]: {}\n", link(source, dates))
}
