//! The structure of Markdown that decides where a mark can stand without breaking it: a text is parsed once,
//! then asked for its blocks, for the things that are cited as a whole and for the bytes at which a mark is
//! legal.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Tag, TagEnd};

use super::math::{formulas, is_fenced};
use super::parse::events;
use super::words::Words;
use crate::text::merge_ranges;

/// The structure of a text of Markdown, as far as it says where a mark may stand.
pub struct Structure<'a> {
    /// The text.
    pub text: &'a str,
    /// Closed intervals of bytes at which a mark may stand, ascending.
    legal: Vec<(usize, usize)>,
    /// Inline things that are cited behind their end: links, code, formulas. Ascending, apart from each
    /// other.
    atoms: Vec<Range<usize>>,
    /// Formulas of which signs alone in their lines begin and end them, ascending: no mark may stand behind
    /// the last of these.
    fenced: Vec<Range<usize>>,
    /// Blocks without inline text, and the top-level block that holds each.
    blocks: Vec<(Range<usize>, usize)>,
    /// Top-level blocks, without the line ends behind them.
    pub top_blocks: Vec<Range<usize>>,
    /// Whether the text defines reference links, so that brackets side by side may be taken for one.
    pub(super) defines_links: bool,
    /// What ends the block that the text leaves open; empty where it leaves none open.
    pub(super) closing_fence: String,
    /// Its words and addresses, as far as they were asked for.
    pub(super) words: Words,
}

impl<'a> Structure<'a> {
    /// Parses a text.
    pub fn new(text: &'a str) -> Self {
        let events = events(text);
        let defines_links = events.reference_definitions().iter().next().is_some();
        let mut walk = Walk { text, ..Walk::default() };
        for (event, range) in events {
            walk.event(&event, range);
        }
        let closing_fence = walk
            .last_raw_block
            .as_ref()
            .map_or_else(String::new, |block| closing_fence(text, block, &walk.fence));
        let Walk { legal, atoms, blocks, top_blocks, .. } = walk;
        let mut structure = Self {
            text,
            legal,
            atoms,
            fenced: Vec::new(),
            blocks,
            top_blocks,
            defines_links,
            closing_fence,
            words: Words::default(),
        };
        structure.join();
        let formulas = formulas(text, |at| structure.in_text(at));
        structure.fenced = formulas.iter().filter(|range| is_fenced(text, range)).cloned().collect();
        structure.protect(formulas);
        structure
    }

    /// Makes atoms of further ranges.
    fn protect(&mut self, ranges: Vec<Range<usize>>) {
        if !ranges.is_empty() {
            self.legal.extend(ranges.iter().map(|range| (range.end, range.end)));
            self.join();
            self.atoms.extend(ranges);
            self.atoms = merge_ranges(std::mem::take(&mut self.atoms));
        }
    }

    /// Sorts the intervals and makes one of those that overlap.
    fn join(&mut self) {
        self.legal.sort_unstable();
        self.legal.dedup_by(|next, kept| {
            let joins = next.0 <= kept.1;
            if joins {
                kept.1 = kept.1.max(next.1);
            }
            joins
        });
    }

    /// Whether a byte lies in running text: a mark may stand behind it. Before the first one of a block none
    /// may.
    fn in_text(&self, at: usize) -> bool {
        self.last_legal(at + 1) == Some(at + 1)
    }

    /// The atom that a place lies inside of.
    pub(super) fn atom(&self, at: usize) -> Option<&Range<usize>> {
        let last = self.atoms.partition_point(|atom| atom.start < at).checked_sub(1)?;
        self.atoms.get(last).filter(|atom| at < atom.end)
    }

    /// The fenced formula that ends at a place.
    pub(super) fn formula_at_end(&self, at: usize) -> Option<&Range<usize>> {
        let found = self.fenced.binary_search_by_key(&at, |range| range.end).ok()?;
        self.fenced.get(found)
    }

    /// The end of the last atom that ends at or before a place.
    pub(super) fn atom_before(&self, at: usize) -> usize {
        let after = self.atoms.partition_point(|atom| atom.end <= at);
        after.checked_sub(1).and_then(|last| self.atoms.get(last)).map_or(0, |atom| atom.end)
    }

    /// Whether a mark may stand at a byte.
    pub(super) fn is_legal(&self, at: usize) -> bool {
        self.atom(at).is_none() && self.last_legal(at) == Some(at)
    }

    /// The last legal place at or before a byte.
    pub(super) fn last_legal(&self, at: usize) -> Option<usize> {
        let after = self.legal.partition_point(|(from, _)| *from <= at);
        after.checked_sub(1).and_then(|last| self.legal.get(last)).map(|(_, to)| (*to).min(at))
    }

    /// The first legal place at or after a byte.
    pub(super) fn first_legal(&self, at: usize) -> Option<usize> {
        if self.last_legal(at) == Some(at) {
            return Some(at);
        }
        let place = self.legal.partition_point(|(from, _)| *from < at);
        let (found, _) = self.legal.get(place)?;
        Some(self.atom(*found).map_or(*found, |atom| atom.end))
    }

    /// The top-level block that a byte lies in or behind.
    pub(super) fn top_block(&self, at: usize) -> usize {
        self.top_blocks.partition_point(|top| top.start <= at).saturating_sub(1)
    }

    /// The block without inline text that a byte lies in, with its top-level block.
    pub(super) fn block(&self, at: usize) -> Option<(&Range<usize>, usize)> {
        let last = self.blocks.partition_point(|(block, _)| block.start < at).checked_sub(1)?;
        self.blocks.get(last).filter(|(block, _)| at <= block.end).map(|(block, top)| (block, *top))
    }

    /// The last block without inline text that ends at or before a byte.
    pub(super) fn block_before(&self, at: usize) -> Option<&(Range<usize>, usize)> {
        let after = self.blocks.partition_point(|(block, _)| block.end <= at);
        after.checked_sub(1).and_then(|last| self.blocks.get(last))
    }

    /// The first block without inline text that begins at or after a byte.
    pub(super) fn block_after(&self, at: usize) -> Option<&(Range<usize>, usize)> {
        self.blocks.get(self.blocks.partition_point(|(block, _)| block.start < at))
    }
}

/// What ends the last block of a text, where its fence is left open; else empty.
fn closing_fence(text: &str, block: &Range<usize>, fence: &str) -> String {
    let columns = |blank: &str| blank.chars().map(|c| if c == '\t' { 4 } else { 1 }).sum::<usize>();
    let rest = text.get(block.end..).unwrap_or_default();
    let lead =
        text.get(..block.start).map_or(0, |before| columns(before.rsplit('\n').next().unwrap_or_default()));
    let block = text.get(block.clone()).unwrap_or_default();
    let line = block.trim_end().lines().skip(1).last().unwrap_or_default();
    let last = line.trim();
    // Four columns further in, a fence is a line of the code.
    let inside = columns(line.get(..line.len() - line.trim_start().len()).unwrap_or_default()) >= lead + 4;
    let closed = !fence.is_empty()
        && !inside
        && last.len() >= fence.len()
        && last.chars().all(|c| fence.starts_with(c));
    match () {
        () if fence.is_empty() || closed || !rest.trim().is_empty() => String::new(),
        () => format!("\n{fence}"),
    }
}

/// The walk through the events of a parse.
#[derive(Default)]
struct Walk<'a> {
    text: &'a str,
    legal: Vec<(usize, usize)>,
    atoms: Vec<Range<usize>>,
    blocks: Vec<(Range<usize>, usize)>,
    top_blocks: Vec<Range<usize>>,
    /// Blocks that are open, of every kind.
    open_blocks: usize,
    /// Links and images that are open.
    open_links: usize,
    /// Blocks of code and HTML that are open.
    open_raw_blocks: usize,
    /// Start and name of an open HTML element whose content is cited as a whole.
    element: Option<(usize, String)>,
    /// Whether the text that comes begins a line of a paragraph.
    at_line_start: bool,
    /// The last top-level block, where it may be left open.
    last_raw_block: Option<Range<usize>>,
    /// The fence that it begins with; empty for HTML and indented code.
    fence: String,
}

impl Walk<'_> {
    fn event(&mut self, event: &Event, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, &range),
            Event::End(end) => self.end(*end, &range),
            _ if self.open_raw_blocks > 0 || self.open_links > 0 => {}
            Event::Text(content) => self.words(content, range),
            Event::Code(_) | Event::InlineMath(_) | Event::DisplayMath(_) | Event::FootnoteReference(_) => {
                self.atom(range);
            }
            Event::InlineHtml(html) => self.html(html, range),
            Event::SoftBreak | Event::HardBreak => {
                self.at_line_start = true;
                return;
            }
            Event::Rule => self.block(range),
            Event::Html(_) | Event::TaskListMarker(_) => {}
        }
        self.at_line_start = false;
    }

    /// A block without its line end.
    fn trimmed(&self, range: &Range<usize>) -> Range<usize> {
        let length =
            self.text.get(range.clone()).map_or(0, |text| text.trim_end_matches(['\n', ' ', '\t']).len());
        range.start..range.start + length
    }

    fn block(&mut self, range: Range<usize>) {
        if self.open_blocks == 0 {
            self.top_blocks.push(self.trimmed(&range));
        }
        self.blocks.push((self.trimmed(&range), self.top_blocks.len().saturating_sub(1)));
    }

    fn start(&mut self, tag: &Tag, range: &Range<usize>) {
        match tag {
            Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Superscript | Tag::Subscript => {}
            Tag::Link { .. } | Tag::Image { .. } => {
                if self.open_links == 0 && self.open_raw_blocks == 0 {
                    self.atom(range.clone());
                }
                self.open_links += 1;
            }
            Tag::CodeBlock(_) | Tag::HtmlBlock | Tag::MetadataBlock(_) => {
                self.block(range.clone());
                self.open_raw_blocks += 1;
                if self.open_blocks == 0 {
                    self.last_raw_block = Some(range.clone());
                    self.fence = match tag {
                        Tag::CodeBlock(CodeBlockKind::Fenced(_)) => {
                            fence(self.text.get(range.start..).unwrap_or_default())
                        }
                        _ => String::new(),
                    };
                }
                self.open_blocks += 1;
            }
            _ => {
                if self.open_blocks == 0 {
                    self.top_blocks.push(self.trimmed(range));
                    self.last_raw_block = None;
                }
                self.element = None;
                self.open_blocks += 1;
            }
        }
    }

    fn end(&mut self, end: TagEnd, range: &Range<usize>) {
        match end {
            TagEnd::Emphasis
            | TagEnd::Strong
            | TagEnd::Strikethrough
            | TagEnd::Superscript
            | TagEnd::Subscript => {
                if self.open_links == 0 && self.open_raw_blocks == 0 {
                    self.legal.push((range.end, range.end));
                }
            }
            TagEnd::Link | TagEnd::Image => self.open_links = self.open_links.saturating_sub(1),
            TagEnd::CodeBlock | TagEnd::HtmlBlock | TagEnd::MetadataBlock(_) => {
                self.open_raw_blocks = self.open_raw_blocks.saturating_sub(1);
                self.open_blocks = self.open_blocks.saturating_sub(1);
            }
            _ => self.open_blocks = self.open_blocks.saturating_sub(1),
        }
    }

    /// Text: a mark may stand behind each of its characters; one that is written as several (`&amp;`) is not
    /// parted.
    fn words(&mut self, content: &str, range: Range<usize>) {
        let Some(slice) = self.text.get(range.clone()) else { return };
        let first = slice.chars().next().map_or(0, char::len_utf8);
        let from = match () {
            () if slice != content => range.end,
            () if self.at_line_start => range.start,
            () => range.start + first,
        };
        self.legal.push((from.min(range.end), range.end));
    }

    fn atom(&mut self, range: Range<usize>) {
        self.legal.push((range.end, range.end));
        self.atoms.push(range);
    }

    /// A tag is cited behind it; a link or code written in HTML is cited behind its end tag.
    fn html(&mut self, html: &str, range: Range<usize>) {
        let name: String =
            html.trim_start_matches(['<', '/']).chars().take_while(char::is_ascii_alphanumeric).collect();
        let name = name.to_ascii_lowercase();
        let whole = matches!(
            name.as_str(),
            "a" | "code" | "pre" | "kbd" | "samp" | "svg" | "math" | "button" | "script" | "style"
        );
        if !html.starts_with("</") {
            if whole && !html.ends_with("/>") && self.element.is_none() {
                self.element = Some((range.start, name));
            }
        } else if let Some((start, _)) = self.element.take_if(|(_, open)| *open == name) {
            while self.atoms.last().is_some_and(|last| last.start >= start) {
                self.atoms.pop();
            }
            return self.atom(start..range.end);
        }
        self.atom(range);
    }
}

/// The run of fence characters that a fenced block begins with.
fn fence(block: &str) -> String {
    let block = block.trim_start();
    let first = block.chars().next().filter(|c| matches!(c, '`' | '~'));
    first.map_or_else(String::new, |first| block.chars().take_while(|c| *c == first).collect())
}
