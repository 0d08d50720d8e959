//! Where in Markdown a mark can stand without breaking it: the text of an answer parsed once, then asked for a place
//! for the end of each span.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// What the common renderers know beside `CommonMark`.
pub(super) fn options() -> Options {
    Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS | Options::ENABLE_GFM
}

/// Where a mark goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    /// Into a line, at a byte.
    At(usize),
    /// Into a paragraph of its own behind the top-level block with this number.
    Behind(usize),
    /// Into a paragraph of its own before it.
    Before(usize),
}

/// The places of a text.
pub(super) struct Places<'a> {
    pub text: &'a str,
    /// Closed intervals of bytes at which a mark may stand, ascending.
    stretches: Vec<(usize, usize)>,
    /// Inline things that are cited behind their end: links, code, formulas. Ascending, apart from each other.
    atoms: Vec<Range<usize>>,
    /// Blocks without inline text, and the top-level block that holds each.
    blocks: Vec<(Range<usize>, usize)>,
    /// Top-level blocks, without the line ends behind them.
    pub tops: Vec<Range<usize>>,
    /// Whether the text defines reference links, so that brackets side by side may be taken for one.
    pub defines: bool,
    /// What ends a block that the text leaves open.
    pub closing: String,
}

impl<'a> Places<'a> {
    /// Of a text of Markdown.
    pub fn new(text: &'a str) -> Self {
        let parser = Parser::new_ext(text, options());
        let defines = parser.reference_definitions().iter().next().is_some();
        let mut walk = Walk { text, ..Walk::default() };
        for (event, range) in parser.into_offset_iter() {
            walk.event(&event, range);
        }
        let closing = walk.open.as_ref().map_or_else(String::new, |open| closing(text, open, &walk.fence));
        let mut places =
            Self { text, stretches: walk.stretches, atoms: walk.atoms, blocks: walk.blocks, tops: walk.tops, defines, closing };
        places.join();
        let formulas = super::math::formulas(text, |at| places.in_text(at));
        places.protect(formulas);
        places
    }

    /// Makes atoms of further ranges.
    fn protect(&mut self, ranges: Vec<Range<usize>>) {
        if !ranges.is_empty() {
            self.stretches.extend(ranges.iter().map(|range| (range.end, range.end)));
            self.join();
            self.atoms.extend(ranges);
            self.atoms = crate::text::merge_ranges(std::mem::take(&mut self.atoms));
        }
    }

    /// Sorts the stretches and makes one of those that overlap.
    fn join(&mut self) {
        self.stretches.sort_unstable();
        self.stretches.dedup_by(|next, kept| {
            let joins = next.0 <= kept.1;
            if joins {
                kept.1 = kept.1.max(next.1);
            }
            joins
        });
    }

    fn in_text(&self, at: usize) -> bool {
        let next = self.stretches.partition_point(|(from, _)| *from <= at);
        next.checked_sub(1).and_then(|last| self.stretches.get(last)).is_some_and(|(_, to)| at < *to)
    }

    /// The atom that a place lies inside of.
    fn atom(&self, at: usize) -> Option<&Range<usize>> {
        let last = self.atoms.partition_point(|atom| atom.start < at).checked_sub(1)?;
        self.atoms.get(last).filter(|atom| at < atom.end)
    }

    /// The end of the last atom that ends at or before a place.
    pub fn atom_before(&self, at: usize) -> usize {
        let after = self.atoms.partition_point(|atom| atom.end <= at);
        after.checked_sub(1).and_then(|last| self.atoms.get(last)).map_or(0, |atom| atom.end)
    }

    /// Whether a mark may stand at a byte.
    pub fn legal(&self, at: usize) -> bool {
        self.atom(at).is_none() && self.last(at) == Some(at)
    }

    /// The last legal place at or before a byte.
    pub fn last(&self, at: usize) -> Option<usize> {
        let after = self.stretches.partition_point(|(from, _)| *from <= at);
        after.checked_sub(1).and_then(|last| self.stretches.get(last)).map(|(_, to)| (*to).min(at))
    }

    /// The first legal place at or after a byte.
    pub fn next(&self, at: usize) -> Option<usize> {
        if self.last(at) == Some(at) {
            return Some(at);
        }
        let place = self.stretches.partition_point(|(from, _)| *from < at);
        let (found, _) = self.stretches.get(place)?;
        Some(self.atom(*found).map_or(*found, |atom| atom.end))
    }

    /// The top-level block that a byte lies in or behind.
    pub fn top(&self, at: usize) -> usize {
        self.tops.partition_point(|top| top.start <= at).saturating_sub(1)
    }

    /// The place for a span: its end, or the nearest place that breaks nothing.
    pub fn place(&self, span: &Range<usize>) -> Place {
        let Place::At(mut at) = self.rough(span) else { return self.rough(span) };
        for _ in 0..8 {
            let moved = super::words::settle(self, at);
            if moved == at {
                break;
            }
            at = match self.atom(moved) {
                Some(atom) => atom.end,
                None if self.legal(moved) => moved,
                None => match self.last(moved) {
                    Some(back) if back > at => back,
                    _ => break,
                },
            };
        }
        Place::At(at)
    }

    /// The place by the structure of the text alone.
    fn rough(&self, span: &Range<usize>) -> Place {
        let at = span.end;
        if let Some(atom) = self.atom(at) {
            return Place::At(atom.end);
        }
        if let Some((_, top)) = self.block(at) {
            return Place::Behind(top);
        }
        if self.legal(at) {
            return Place::At(at);
        }
        // Between blocks: what ended before them, if the span has any of it.
        let block = self.blocks.partition_point(|(block, _)| block.end <= at).checked_sub(1).and_then(|last| self.blocks.get(last));
        let text = self.last(at).filter(|&back| back > span.start);
        match (text, block.filter(|(block, _)| block.end > span.start)) {
            (Some(text), Some((block, top))) => {
                if text >= block.end {
                    Place::At(text)
                } else {
                    Place::Behind(*top)
                }
            }
            (Some(text), None) => Place::At(text),
            (None, Some((_, top))) => Place::Behind(*top),
            (None, None) => self.forward(at),
        }
    }

    fn forward(&self, at: usize) -> Place {
        let block = self.blocks.get(self.blocks.partition_point(|(block, _)| block.start < at));
        match (self.next(at), block) {
            (Some(text), Some((block, top))) if block.start < text => Place::Behind(*top),
            (Some(text), _) => Place::At(text),
            (None, Some((_, top))) => Place::Behind(*top),
            (None, None) => match (self.last(at), self.tops.len().checked_sub(1)) {
                (Some(back), _) => Place::At(back),
                (None, Some(top)) => Place::Behind(top),
                (None, None) => Place::At(self.text.len()),
            },
        }
    }

    /// The block without inline text that a byte lies in, with its top-level block.
    fn block(&self, at: usize) -> Option<(&Range<usize>, usize)> {
        let last = self.blocks.partition_point(|(block, _)| block.start < at).checked_sub(1)?;
        self.blocks.get(last).filter(|(block, _)| at <= block.end).map(|(block, top)| (block, *top))
    }
}

/// What ends an open fence at the end of a text.
fn closing(text: &str, block: &Range<usize>, fence: &str) -> String {
    let columns = |blank: &str| blank.chars().map(|c| if c == '\t' { 4 } else { 1 }).sum::<usize>();
    let rest = text.get(block.end..).unwrap_or_default();
    let lead = text.get(..block.start).map_or(0, |before| columns(before.rsplit('\n').next().unwrap_or_default()));
    let block = text.get(block.clone()).unwrap_or_default();
    let line = block.trim_end().lines().skip(1).last().unwrap_or_default();
    let last = line.trim();
    // Four columns further in, a fence is a line of the code.
    let inside = columns(line.get(..line.len() - line.trim_start().len()).unwrap_or_default()) >= lead + 4;
    let closed = !fence.is_empty() && !inside && last.len() >= fence.len() && last.chars().all(|c| fence.starts_with(c));
    match () {
        () if fence.is_empty() || closed || !rest.trim().is_empty() => String::new(),
        () => format!("\n{fence}"),
    }
}

/// The walk through the events of a parse.
#[derive(Default)]
struct Walk<'a> {
    text: &'a str,
    stretches: Vec<(usize, usize)>,
    atoms: Vec<Range<usize>>,
    blocks: Vec<(Range<usize>, usize)>,
    tops: Vec<Range<usize>>,
    /// Open blocks; links and images; code and HTML blocks.
    depth: usize,
    links: usize,
    silent: usize,
    /// Start and name of an open HTML element whose content is cited as a whole.
    element: Option<(usize, String)>,
    /// The text that comes begins a line of a paragraph.
    fresh: bool,
    /// Bytes and fence of the last top-level block, where it may be left open.
    open: Option<Range<usize>>,
    fence: String,
}

impl Walk<'_> {
    fn event(&mut self, event: &Event, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, &range),
            Event::End(end) => self.end(*end, &range),
            _ if self.silent > 0 || self.links > 0 => {}
            Event::Text(content) => self.words(content, range),
            Event::Code(_) | Event::InlineMath(_) | Event::DisplayMath(_) | Event::FootnoteReference(_) => self.atom(range),
            Event::InlineHtml(html) => self.html(html, range),
            Event::SoftBreak | Event::HardBreak => {
                self.fresh = true;
                return;
            }
            Event::Rule => self.block(range),
            Event::Html(_) | Event::TaskListMarker(_) => {}
        }
        self.fresh = false;
    }

    /// A block without its line end.
    fn trimmed(&self, range: &Range<usize>) -> Range<usize> {
        let length = self.text.get(range.clone()).map_or(0, |text| text.trim_end_matches(['\n', ' ', '\t']).len());
        range.start..range.start + length
    }

    fn block(&mut self, range: Range<usize>) {
        if self.depth == 0 {
            self.tops.push(self.trimmed(&range));
        }
        self.blocks.push((self.trimmed(&range), self.tops.len().saturating_sub(1)));
    }

    fn start(&mut self, tag: &Tag, range: &Range<usize>) {
        match tag {
            Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Superscript | Tag::Subscript => {}
            Tag::Link { .. } | Tag::Image { .. } => {
                if self.links == 0 && self.silent == 0 {
                    self.atom(range.clone());
                }
                self.links += 1;
            }
            Tag::CodeBlock(_) | Tag::HtmlBlock | Tag::MetadataBlock(_) => {
                self.block(range.clone());
                self.silent += 1;
                if self.depth == 0 {
                    self.open = Some(range.clone());
                    self.fence = match tag {
                        Tag::CodeBlock(CodeBlockKind::Fenced(_)) => fence(self.text.get(range.start..).unwrap_or_default()),
                        _ => String::new(),
                    };
                }
                self.depth += 1;
            }
            _ => {
                if self.depth == 0 {
                    self.tops.push(self.trimmed(range));
                    self.open = None;
                }
                self.element = None;
                self.depth += 1;
            }
        }
    }

    fn end(&mut self, end: TagEnd, range: &Range<usize>) {
        match end {
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Superscript | TagEnd::Subscript => {
                if self.links == 0 && self.silent == 0 {
                    self.stretches.push((range.end, range.end));
                }
            }
            TagEnd::Link | TagEnd::Image => self.links = self.links.saturating_sub(1),
            TagEnd::CodeBlock | TagEnd::HtmlBlock | TagEnd::MetadataBlock(_) => {
                self.silent = self.silent.saturating_sub(1);
                self.depth = self.depth.saturating_sub(1);
            }
            _ => self.depth = self.depth.saturating_sub(1),
        }
    }

    /// Text: a mark may stand behind each of its characters; what was written otherwise (`&amp;`) is one.
    fn words(&mut self, content: &str, range: Range<usize>) {
        let Some(slice) = self.text.get(range.clone()) else { return };
        let first = slice.chars().next().map_or(0, char::len_utf8);
        let from = match () {
            () if slice != content => range.end,
            () if self.fresh => range.start,
            () => range.start + first,
        };
        self.stretches.push((from.min(range.end), range.end));
    }

    fn atom(&mut self, range: Range<usize>) {
        self.stretches.push((range.end, range.end));
        self.atoms.push(range);
    }

    /// A tag is cited behind it; a link or code written in HTML is cited behind its end tag.
    fn html(&mut self, html: &str, range: Range<usize>) {
        let name: String = html.trim_start_matches(['<', '/']).chars().take_while(char::is_ascii_alphanumeric).collect();
        let name = name.to_ascii_lowercase();
        let whole = matches!(name.as_str(), "a" | "code" | "pre" | "kbd" | "samp" | "svg" | "math" | "button" | "script" | "style");
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
