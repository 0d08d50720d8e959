//! Markdown laid out: headings, lists with hanging indents, tables, code, quotes. What is drawn is the bytes
//! of the answer, without the marks that make it Markdown.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Tag, TagEnd};

use super::bit::TextStyle;
use super::flow::Flow;
use super::table::Table;
use crate::markup::events;
use crate::text::host;

/// Lays a text out.
pub(super) fn lay<'t>(text: &'t str, flow: &mut Flow<'t>) {
    let mut walk = Walk { text, flow, lists: Vec::new(), tables: Vec::new(), links: Vec::new(), cell_end: 0 };
    for (event, range) in events(text) {
        walk.event(event, range);
    }
}

struct Walk<'w, 't> {
    text: &'t str,
    flow: &'w mut Flow<'t>,
    /// Numbers of the open lists; nothing for bullets.
    lists: Vec<Option<u64>>,
    tables: Vec<Table>,
    /// Addresses of the open links, and where their text begins.
    links: Vec<(String, usize)>,
    /// Where the last cell of the open row ends.
    cell_end: usize,
}

impl Walk<'_, '_> {
    fn event(&mut self, event: Event, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, &range),
            Event::End(end) => self.end(end, &range),
            Event::Text(content) => self.words(&content, range),
            Event::Code(content) => self.code(&content, &range),
            Event::InlineMath(_) | Event::DisplayMath(_) => self.styled(TextStyle::CODE, range),
            Event::InlineHtml(_) | Event::Html(_) | Event::FootnoteReference(_) => {
                self.styled(TextStyle::QUIET, range);
            }
            // Chats break lines where the text does.
            Event::SoftBreak | Event::HardBreak if self.tables.is_empty() => self.flow.stand("\n", &range),
            Event::SoftBreak | Event::HardBreak => self.flow.stand(" ", &range),
            Event::Rule => self.rule(&range),
            Event::TaskListMarker(done) => self.flow.stand(if done { "☑ " } else { "☐ " }, &range),
        }
    }

    fn styled(&mut self, style: TextStyle, range: Range<usize>) {
        let before = self.flow.style;
        self.flow.style = before.with(style);
        self.flow.source(range);
        self.flow.style = before;
    }

    fn rule(&mut self, range: &Range<usize>) {
        self.block(range.start);
        let wide = self.flow.room().min(24);
        let before = self.flow.style;
        self.flow.style = before.with(TextStyle::QUIET);
        self.flow.stand(&"─".repeat(wide), range);
        self.flow.style = before;
        self.flow.end_block(range.end);
    }

    /// Text, which may be written otherwise than it reads.
    fn words(&mut self, content: &str, range: Range<usize>) {
        if self.text.get(range.clone()) == Some(content) {
            self.flow.source(range);
        } else {
            self.flow.stand(content, &range);
        }
    }

    /// Code between backticks.
    fn code(&mut self, content: &str, range: &Range<usize>) {
        let slice = self.text.get(range.clone()).unwrap_or_default();
        let ticks = slice.bytes().take_while(|byte| *byte == b'`').count();
        let inner = range.start + ticks..range.end.saturating_sub(ticks).max(range.start + ticks);
        let words = self.text.get(inner.clone()).unwrap_or_default();
        let lines = words.replace("\r\n", "\n").replace('\n', " ");
        // One blank at each end may belong to the backticks.
        let padded = lines.len() == content.len() + 2 && lines.get(1..lines.len() - 1) == Some(content);
        let before = self.flow.style;
        self.flow.style = before.with(TextStyle::CODE);
        if padded || lines == content {
            let whole = words.trim_matches(|c| padded && matches!(c, ' ' | '\n' | '\r'));
            let from = inner.start + words.find(whole).unwrap_or_default();
            self.lines(from, whole);
        } else {
            self.flow.stand(content, &inner);
        }
        self.flow.style = before;
        self.flow.number_to(range.end);
    }

    /// Lines of the answer as one: a blank stands for each break.
    fn lines(&mut self, from: usize, text: &str) {
        let mut at = from;
        for line in text.split_inclusive('\n') {
            let words = line.trim_end_matches(['\n', '\r']);
            self.flow.source(at..at + words.len());
            if words.len() < line.len() {
                self.flow.stand(" ", &(at + words.len()..at + line.len()));
            }
            at += line.len();
        }
    }

    /// Something begins on a line of its own.
    fn block(&mut self, start: usize) {
        if self.tables.is_empty() {
            self.flow.end_block(start);
            self.flow.gap(start);
        }
    }

    fn start(&mut self, tag: Tag, range: &Range<usize>) {
        match tag {
            Tag::Heading { level, .. } => {
                self.block(range.start);
                if level > HeadingLevel::H1 {
                    self.flow.fill(&format!("{} ", "#".repeat(level as usize)), TextStyle::QUIET);
                }
                self.flow.style = self.flow.style.with(TextStyle::STRONG);
            }
            Tag::BlockQuote(kind) => {
                self.block(range.start);
                self.flow.push("│ ", "│ ");
                if kind.is_some() {
                    self.kind_of_quote(range);
                }
            }
            Tag::CodeBlock(kind) => self.code_block(&kind, range),
            Tag::List(first) => {
                self.flow.end_block(range.start);
                self.lists.push(first);
            }
            Tag::Item => self.item(range),
            Tag::FootnoteDefinition(name) => {
                self.block(range.start);
                let lead = format!("[^{name}] ");
                self.flow.push(&lead, &" ".repeat(crate::text::width(&lead)));
            }
            Tag::Table(alignments) => {
                self.block(range.start);
                self.tables.push(Table::new(alignments));
            }
            Tag::TableHead | Tag::TableRow => {
                self.cell_end = range.start;
                self.with_table(|table, flow| table.row(range.start, flow));
            }
            Tag::TableCell => self.with_table(|table, flow| table.cell(flow.end())),
            Tag::Emphasis => self.flow.style = self.flow.style.with(TextStyle::EMPHASIS),
            Tag::Strong => self.flow.style = self.flow.style.with(TextStyle::STRONG),
            Tag::Strikethrough => self.flow.style = self.flow.style.with(TextStyle::STRUCK),
            Tag::Link { dest_url, .. } => self.links.push((dest_url.into_string(), range.start)),
            Tag::Image { dest_url, .. } => {
                self.flow.fill("picture: ", TextStyle::QUIET);
                self.links.push((dest_url.into_string(), range.start));
            }
            Tag::Paragraph | Tag::HtmlBlock | Tag::MetadataBlock(_) => self.block(range.start),
            Tag::Superscript
            | Tag::Subscript
            | Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition => {}
        }
    }

    fn code_block(&mut self, kind: &CodeBlockKind, range: &Range<usize>) {
        self.block(range.start);
        if let CodeBlockKind::Fenced(name) = kind
            && !name.is_empty()
        {
            self.flow.push("  ", "  ");
            self.name_of_fence(name, range);
            self.flow.pop();
        }
        self.flow.push("  ", "  ");
        self.flow.style = self.flow.style.with(TextStyle::CODE);
    }

    fn with_table(&mut self, act: impl FnOnce(&mut Table, &mut Flow)) {
        if let Some(table) = self.tables.last_mut() {
            act(table, self.flow);
        }
    }

    /// The name of a block of code stands on a line before it.
    fn name_of_fence(&mut self, name: &str, range: &Range<usize>) {
        let line = self.text.get(range.clone()).and_then(|text| text.lines().next()).unwrap_or_default();
        let before = self.flow.style;
        self.flow.style = before.with(TextStyle::QUIET);
        match line.find(name) {
            Some(at) => self.flow.source(range.start + at..range.start + at + name.len()),
            None => self.flow.fill(name, TextStyle::QUIET),
        }
        self.flow.style = before;
        self.flow.end_block(range.start + line.len());
    }

    /// `[!NOTE]`: its word, as a line of its own.
    fn kind_of_quote(&mut self, range: &Range<usize>) {
        let line = self.text.get(range.clone()).and_then(|text| text.lines().next()).unwrap_or_default();
        let word = line.find("[!").and_then(|at| Some((at + 2, line.get(at + 2..)?.find(']')?)));
        let Some((at, length)) = word else { return };
        let from = range.start + at;
        let before = self.flow.style;
        self.flow.style = before.with(TextStyle::STRONG);
        self.flow.source(from..from + length);
        self.flow.style = before;
        self.flow.end_block(range.start + line.len());
    }

    /// Cells beyond the columns of the head are no part of the table, but words of the answer.
    fn rest_of_row(&mut self, range: &Range<usize>) {
        let rest = self.text.get(self.cell_end.min(range.end)..range.end).unwrap_or_default();
        let words = rest.trim_matches(|c: char| c.is_whitespace() || c == '|');
        if let Some(at) = rest.find(words).filter(|_| !words.is_empty()) {
            let from = self.cell_end + at;
            self.with_table(|table, flow| {
                table.cell(flow.end());
                flow.source(from..from + words.len());
                flow.number_to(range.end);
                table.end_cell(flow);
            });
        }
        self.with_table(|table, flow| table.behind(range.end, flow));
    }

    fn item(&mut self, range: &Range<usize>) {
        self.block(range.start);
        let lead = match self.lists.last_mut() {
            Some(Some(number)) => {
                let lead = format!("{number}. ");
                *number += 1;
                lead
            }
            _ => "• ".to_owned(),
        };
        let rest = " ".repeat(crate::text::width(&lead));
        self.flow.push(&lead, &rest);
    }

    fn end(&mut self, end: TagEnd, range: &Range<usize>) {
        let close = |style: TextStyle, flow: &mut Flow| flow.style = flow.style.without(style);
        match end {
            TagEnd::Heading(_) => {
                close(TextStyle::STRONG, self.flow);
                self.flow.end_block(range.end);
            }
            TagEnd::Paragraph | TagEnd::HtmlBlock | TagEnd::MetadataBlock(_) if self.tables.is_empty() => {
                self.flow.end_block(range.end);
            }
            TagEnd::BlockQuote(_) | TagEnd::Item | TagEnd::FootnoteDefinition => {
                self.flow.end_block(range.end);
                self.flow.pop();
            }
            TagEnd::CodeBlock => {
                self.flow.end_block(range.end);
                self.flow.pop();
                close(TextStyle::CODE, self.flow);
            }
            TagEnd::List(_) => {
                self.flow.end_block(range.end);
                self.lists.pop();
            }
            TagEnd::TableCell => {
                self.flow.number_to(range.end);
                self.with_table(Table::end_cell);
                self.cell_end = self.cell_end.max(range.end);
            }
            TagEnd::TableHead | TagEnd::TableRow => self.rest_of_row(range),
            TagEnd::Table => {
                if let Some(table) = self.tables.pop() {
                    table.lay(range.end, self.flow);
                }
            }
            TagEnd::Emphasis => close(TextStyle::EMPHASIS, self.flow),
            TagEnd::Strong => close(TextStyle::STRONG, self.flow),
            TagEnd::Strikethrough => close(TextStyle::STRUCK, self.flow),
            TagEnd::Link | TagEnd::Image => self.end_link(range),
            _ => {}
        }
    }

    /// Where a link leads stands behind it, unless it says so itself.
    fn end_link(&mut self, range: &Range<usize>) {
        let Some((address, start)) = self.links.pop() else { return };
        let words = self.text.get(start..range.end).unwrap_or_default();
        let bare =
            words.starts_with('<') || words == address || words.trim_start_matches('[').starts_with("http");
        if !bare
            && !self.flow.is_hidden(start)
            && let Some(host) = host(&address)
        {
            self.flow.fill(&format!(" ({host})"), TextStyle::QUIET);
        }
        self.flow.number_to(range.end);
    }
}
