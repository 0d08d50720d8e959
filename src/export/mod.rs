//! A response in the forms that people paste and programs read. The clipboard uses the same functions.
//!
//! The table of targets is here: command line, `--help`, completions, man page, copy menu and the README's
//! list come from it. An export is its file, and its module and row here.

mod bare;
pub mod csv;
pub mod fit;
pub mod html;
pub mod json;
pub mod label;
pub mod markdown;
pub mod numbering;
mod options;
#[cfg(feature = "app")]
pub mod template;
pub mod terminal;

use std::fmt::Write as _;
use std::io::{self, Write};
use std::sync::Arc;

pub(crate) use self::bare::own_marks;
pub use self::options::{Colours, ExportOptions, ExportPart, Exported, OwnMarks, ReviewStream};
use crate::format::Limits;
use crate::json::write;
use crate::model::Source;
use crate::review::Review;
use crate::text::counted;

/// A form to export to.
#[derive(Debug)]
pub struct ExportTarget {
    /// Name on the command line.
    pub id: &'static str,
    /// What it gives, for `--help` and README.
    pub gives: &'static str,
    /// Its row in the copy menu, where it has one.
    pub menu: Option<MenuRow>,
    /// What a response must have for it to give anything.
    pub needs: Needs,
    /// What it can give beside the whole.
    pub parts: Parts,
    /// How it is made.
    pub make: Make,
}

/// A row of the copy menu.
#[derive(Debug, Clone, Copy)]
pub struct MenuRow {
    /// Place among the rows that take the whole response.
    pub place: u8,
    /// Key that takes it.
    pub key: char,
    /// What it is called.
    pub title: &'static str,
}

/// What a response must have for a target to give anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Needs {
    /// Nothing.
    Nothing,
    /// Text of the answer.
    Answer,
    /// A document that is cited.
    CitedDocument,
    /// A support.
    Support,
}

/// What a target can give beside the whole response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Parts {
    /// Nothing.
    None,
    /// One support.
    Support,
    /// One support, or one source.
    SupportOrSource,
}

/// How a target is made.
#[derive(Debug, Clone, Copy)]
pub enum Make {
    /// Of one response.
    One(fn(&Review, &ExportOptions) -> Exported),
    /// The same, written as it is made: it may be many times the response.
    Page(fn(&Review, &ExportOptions, &mut dyn Write) -> io::Result<()>),
    /// Of all responses, each written as it comes.
    All(fn(&mut ReviewStream<'_>, &ExportOptions, &mut dyn Write) -> io::Result<()>),
}

/// The targets, in the order in which they are listed.
pub static TARGETS: &[ExportTarget] = &[
    ExportTarget {
        id: "inline",
        gives: "The answer with a link [n](address) at the end of each span",
        menu: Some(MenuRow { place: 1, key: 'a', title: "answer with links" }),
        needs: Needs::Answer,
        parts: Parts::Support,
        make: Make::One(markdown::inline),
    },
    ExportTarget {
        id: "footnotes",
        gives: "The answer with footnotes",
        menu: Some(MenuRow { place: 2, key: 'n', title: "answer with footnotes" }),
        needs: Needs::Answer,
        parts: Parts::Support,
        make: Make::One(markdown::footnotes),
    },
    ExportTarget {
        id: "sources",
        gives: "The list of cited sources",
        menu: Some(MenuRow { place: 3, key: 's', title: "list of cited sources" }),
        needs: Needs::CitedDocument,
        parts: Parts::SupportOrSource,
        make: Make::One(markdown::sources),
    },
    ExportTarget {
        id: "links",
        gives: "A Markdown link to each cited source, a line each",
        menu: Some(MenuRow { place: 4, key: 'l', title: "links, one a line" }),
        needs: Needs::CitedDocument,
        parts: Parts::SupportOrSource,
        make: Make::One(markdown::links),
    },
    ExportTarget {
        id: "html",
        gives: "One HTML page: the answer, its sources beside, findings; no script, no outside request",
        menu: Some(MenuRow { place: 6, key: 'w', title: "web page (HTML)" }),
        needs: Needs::Nothing,
        parts: Parts::None,
        make: Make::Page(html::page),
    },
    ExportTarget {
        id: "ansi",
        gives: "The answer with numbers, sources, searches and findings, as coloured text",
        menu: None,
        needs: Needs::Nothing,
        parts: Parts::None,
        make: Make::One(terminal::coloured),
    },
    ExportTarget {
        id: "report",
        gives: "The same without colours: what `citescope FILE` prints into a pipe",
        menu: None,
        needs: Needs::Nothing,
        parts: Parts::None,
        make: Make::One(terminal::report),
    },
    ExportTarget {
        id: "plain",
        gives: "The answer with its numbers and the list of sources, nothing else: for a mail",
        menu: Some(MenuRow { place: 5, key: 'p', title: "answer as plain text" }),
        needs: Needs::Answer,
        parts: Parts::None,
        make: Make::One(terminal::plain),
    },
    ExportTarget {
        id: "csv",
        gives: "A table of supports and citations (RFC 4180), of all responses",
        menu: Some(MenuRow { place: 7, key: 'c', title: "table (CSV)" }),
        needs: Needs::Support,
        parts: Parts::SupportOrSource,
        make: Make::All(csv::table),
    },
    ExportTarget {
        id: "json",
        gives: "Everything, as one JSON document (schema citescope/1)",
        menu: Some(MenuRow { place: 8, key: 'e', title: "everything (JSON)" }),
        needs: Needs::Nothing,
        parts: Parts::None,
        make: Make::All(document),
    },
    ExportTarget {
        id: "jsonl",
        gives: "Everything, a response a line",
        menu: None,
        needs: Needs::Nothing,
        parts: Parts::None,
        make: Make::All(lines),
    },
];

fn document(reviews: &mut ReviewStream<'_>, _: &ExportOptions, out: &mut dyn Write) -> io::Result<()> {
    write::write(out, &json::Document::new(reviews), true)
}

fn lines(reviews: &mut ReviewStream<'_>, _: &ExportOptions, out: &mut dyn Write) -> io::Result<()> {
    for review in reviews {
        write::write(&mut *out, &json::Form::of(&review).line(), false)?;
    }
    Ok(())
}

/// Bytes of addresses and titles that a page may repeat, each citation those of its source. A text is held
/// while it is made.
const REPEATED: usize = 32 << 20;
const HELD: usize = REPEATED / 2;

/// What each citation of an answer adds to a text of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PerCitation {
    /// What is put in is not parsed with the text.
    Nothing,
    /// A mark.
    Mark,
    /// A link, with the address of its source.
    Link,
    /// The same, in what is not parsed with the text.
    Page,
}

impl PerCitation {
    /// How many signs of Markdown that takes as much as.
    fn signs(self) -> usize {
        match self {
            Self::Nothing | Self::Page => 0,
            Self::Mark => 2,
            Self::Link => 3,
        }
    }
}

/// Whether a text of an answer can be made in memory that is in proportion to it.
///
/// # Errors
///
/// How many signs of Markdown it has, or how much its citations repeat, and what to do.
pub fn affordable(review: &Review, added: PerCitation) -> Result<(), String> {
    let (mut signs, mut bytes, mut repeated) = (crate::markup::signs(review.text()), review.text().len(), 0);
    let links = if added == PerCitation::Link { citations_of_sources(review) } else { Vec::new() };
    for source in review.sources().filter(|source| source.is_cited()) {
        // One support may cite a source many times.
        let cited = links.get(source.index).copied().unwrap_or_default();
        let times = source.cited_by_numbers().len().max(cited).max(1);
        let written = Written::of(source.sent());
        let linked = matches!(added, PerCitation::Link | PerCitation::Page);
        let repeats = if added == PerCitation::Link { times } else { 1 };
        repeated += if linked { written.bytes * (times - 1) } else { 0 };
        signs += written.once + written.each * repeats + added.signs() * times;
        bytes += written.bytes;
    }
    if repeated > if added == PerCitation::Link { HELD } else { REPEATED } {
        return Err(format!(
            "its citations repeat {} MB of addresses and titles; `--no-limits` does it all the same",
            repeated / 1_000_000
        ));
    }
    // A text is held while it is parsed: both together have to fit.
    let held = if added == PerCitation::Link { repeated / crate::markup::NODE } else { 0 };
    if !crate::markup::is_too_dense(signs + held, bytes) {
        return Ok(());
    }
    Err(format!(
        "{} of Markdown in an answer of {} bytes with its citations: parsing them takes some {} MB; \
         `--no-limits` does it all the same",
        counted(signs, "sign"),
        review.text().len(),
        signs * crate::markup::NODE / 1_000_000
    ))
}

/// How often each source is cited, by its number.
fn citations_of_sources(review: &Review) -> Vec<usize> {
    let mut times = vec![0; review.response.sources.len()];
    let citations = review.response.supports.iter().flat_map(|support| &support.citations);
    for source in citations.filter_map(|citation| citation.target.source()) {
        times.get_mut(source).into_iter().for_each(|times| *times += 1);
    }
    times
}

/// What is written of a source that is cited.
struct Written {
    /// Bytes of its address, as it is written, and of its names.
    bytes: usize,
    /// Signs in what is written once as text of the Markdown: how it is called.
    once: usize,
    /// Those in its address, which each citation may repeat.
    each: usize,
}

impl Written {
    fn of(source: &Source) -> Self {
        let address = source.uri.as_deref().map(label::address).unwrap_or_default();
        let pages = source.chunks.iter().filter_map(|chunk| chunk.page.as_deref()).take(3);
        let names = [Some(source.name()), source.published.publisher.as_deref()];
        let texts = names.into_iter().flatten().chain(pages);
        // What is escaped is a node of its own, too.
        let once =
            texts.map(|name| crate::markup::signs(name).max(label::escape(name).len() - name.len())).sum();
        let titles = [&source.title, &source.domain].into_iter().flatten().map(String::len);
        Self { bytes: address.len() + titles.sum::<usize>(), once, each: steering(&address) }
    }
}

/// Signs of an address that may be Markdown in an answer: an underscore in a word is none.
fn steering(address: &str) -> usize {
    let bytes = address.as_bytes();
    let is_word = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_alphanumeric);
    let steers = |(at, byte): (usize, &u8)| match byte {
        b'*' | b'[' | b']' | b'~' | b'!' => true,
        b'_' => !is_word(at.checked_sub(1)) || !is_word(Some(at + 1)),
        _ => false,
    };
    bytes.iter().enumerate().filter(|sign| steers(*sign)).count()
}

/// A target by its name.
pub fn target(id: &str) -> Option<&'static ExportTarget> {
    TARGETS.iter().find(|target| target.id == id)
}

/// The targets of the write menu with their rows, in its order.
pub fn menu() -> Vec<(&'static ExportTarget, MenuRow)> {
    let mut rows: Vec<_> = TARGETS.iter().filter_map(|target| Some((target, target.menu?))).collect();
    rows.sort_by_key(|(_, row)| row.place);
    rows
}

/// Those of them that make a text to paste: a whole document is only written.
pub fn pasted() -> impl Iterator<Item = (&'static ExportTarget, MenuRow)> {
    menu().into_iter().filter(|(target, _)| !target.is_document())
}

/// The targets as a Markdown table.
pub fn targets_markdown() -> String {
    let mut table = "| `citescope export --to` | gives |\n|---|---|\n".to_owned();
    for target in TARGETS {
        let _ = writeln!(table, "| `{}` | {} |", target.id, target.gives.replace('[', "\\["));
    }
    table
}

impl ExportTarget {
    /// One response as text.
    pub fn text(&self, review: &Arc<Review>, options: &ExportOptions) -> Exported {
        let mut bytes = Vec::new();
        // Memory takes whatever is written.
        let _ = match self.make {
            Make::One(text) => return text(review, options),
            Make::Page(write) => write(review, options, &mut bytes),
            Make::All(write) => write(&mut std::iter::once(Arc::clone(review)), options, &mut bytes),
        };
        String::from_utf8(bytes).unwrap_or_default().into()
    }

    /// Why it gives nothing of a response: what that lacks, or that it would take memory out of proportion.
    ///
    /// # Errors
    ///
    /// The reason, in words.
    pub fn given_by(&self, review: &Review, limits: Limits) -> Result<(), String> {
        self.needs.met_by(review)?;
        let is_bounded = self.parses_answer() && limits == Limits::Usual;
        if is_bounded { affordable(review, self.per_citation()) } else { Ok(()) }
    }

    /// What each citation adds to its text.
    pub fn per_citation(&self) -> PerCitation {
        match self.id {
            "inline" => PerCitation::Link,
            "footnotes" => PerCitation::Mark,
            "html" => PerCitation::Page,
            _ => PerCitation::Nothing,
        }
    }

    /// Whether it holds all that is known of responses.
    pub fn is_document(&self) -> bool {
        matches!(self.make, Make::All(_)) && self.parts == Parts::None
    }

    /// Whether the Markdown of the answer is parsed for it.
    pub fn parses_answer(&self) -> bool {
        !matches!(self.make, Make::All(_)) && matches!(self.needs, Needs::Answer | Needs::Nothing)
    }

    /// Whether it can give this of a response.
    pub fn gives_part(&self, part: ExportPart) -> bool {
        match part {
            ExportPart::Whole => true,
            ExportPart::Support(_) | ExportPart::Span(_) => self.parts != Parts::None,
            ExportPart::Source(_) => self.parts == Parts::SupportOrSource,
        }
    }
}

impl Needs {
    /// Whether a response has it; the error says what it lacks.
    pub fn met_by(self, review: &Review) -> Result<(), &'static str> {
        let results = || numbering::results(&review.response);
        let document =
            || review.sources().zip(results()).any(|(source, is_result)| source.is_cited() && !is_result);
        let (there, why) = match self {
            Self::Nothing => (true, ""),
            Self::Answer => (!review.text().trim().is_empty(), "the response carries no answer text"),
            Self::CitedDocument => (document(), "no document is cited"),
            Self::Support => (!review.response.supports.is_empty(), "the response has no supports"),
        };
        if there { Ok(()) } else { Err(why) }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn names_keys_and_places_are_unique() {
        let ids: HashSet<_> = TARGETS.iter().map(|target| target.id).collect();
        assert_eq!(ids.len(), TARGETS.len());
        let rows = menu();
        let keys: HashSet<_> = rows.iter().map(|(_, row)| row.key).collect();
        assert_eq!(keys.len(), rows.len());
        let places: Vec<u8> = rows.iter().map(|(_, row)| row.place).collect();
        assert_eq!(places, (1..).take(rows.len()).collect::<Vec<u8>>());
    }
}
