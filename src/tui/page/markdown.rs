//! Markdown laid out: headings, lists with hanging indents, tables, code, quotes. What is drawn is the bytes of
//! the answer, without the marks that make it Markdown.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Tag, TagEnd};

use super::Style;
use super::flow::Flow;
use super::table::Table;
use crate::markup::events;
use crate::text::host;

/// Lays a text out.
pub(super) fn lay<'t>(text: &'t str, flow: &mut Flow<'t>) {
    let mut walk = Walk { text, flow, lists: Vec::new(), tables: Vec::new(), links: Vec::new() };
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
}

impl Walk<'_, '_> {
    fn event(&mut self, event: Event, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, &range),
            Event::End(end) => self.end(end, &range),
            Event::Text(content) => self.words(&content, range),
            Event::Code(content) => self.code(&content, &range),
            Event::InlineMath(_) | Event::DisplayMath(_) => self.styled(Style::CODE, range),
            Event::InlineHtml(_) | Event::Html(_) | Event::FootnoteReference(_) => {
                self.styled(Style::QUIET, range);
            }
            // Chats break lines where the text does.
            Event::SoftBreak | Event::HardBreak if self.tables.is_empty() => self.flow.stand("\n", &range),
            Event::SoftBreak | Event::HardBreak => self.flow.stand(" ", &range),
            Event::Rule => self.rule(&range),
            Event::TaskListMarker(done) => self.flow.stand(if done { "☑ " } else { "☐ " }, &range),
        }
    }

    fn styled(&mut self, style: Style, range: Range<usize>) {
        let before = self.flow.style;
        self.flow.style = before.with(style);
        self.flow.source(range);
        self.flow.style = before;
    }

    fn rule(&mut self, range: &Range<usize>) {
        self.block(range.start);
        let wide = self.flow.room().min(24);
        let before = self.flow.style;
        self.flow.style = before.with(Style::QUIET);
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
        // One blank at each end may belong to the backticks.
        let trimmed = if words.len() == content.len() + 2 { inner.start + 1..inner.end - 1 } else { inner };
        let before = self.flow.style;
        self.flow.style = before.with(Style::CODE);
        self.words(content, trimmed);
        self.flow.style = before;
        self.flow.number_to(range.end);
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
            Tag::Heading { .. } => {
                self.block(range.start);
                self.flow.style = self.flow.style.with(Style::STRONG);
            }
            Tag::BlockQuote(_) => {
                self.block(range.start);
                self.flow.push("│ ", "│ ");
            }
            Tag::CodeBlock(kind) => {
                self.block(range.start);
                if let CodeBlockKind::Fenced(name) = &kind
                    && !name.is_empty()
                {
                    self.flow.push("  ", "  ");
                    self.flow.fill(name, Style::QUIET);
                    self.flow.end_block(range.start);
                    self.flow.pop();
                }
                self.flow.push("  ", "  ");
                self.flow.style = self.flow.style.with(Style::CODE);
            }
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
            Tag::TableHead | Tag::TableRow => self.with_table(|table, _| table.row()),
            Tag::TableCell => self.with_table(|table, flow| table.cell(flow.end())),
            Tag::Emphasis => self.flow.style = self.flow.style.with(Style::EMPHASIS),
            Tag::Strong => self.flow.style = self.flow.style.with(Style::STRONG),
            Tag::Strikethrough => self.flow.style = self.flow.style.with(Style::STRUCK),
            Tag::Link { dest_url, .. } => self.links.push((dest_url.into_string(), range.start)),
            Tag::Image { dest_url, .. } => {
                self.flow.fill("picture: ", Style::QUIET);
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

    fn with_table(&mut self, act: impl FnOnce(&mut Table, &mut Flow)) {
        if let Some(table) = self.tables.last_mut() {
            act(table, self.flow);
        }
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
        let close = |style: Style, flow: &mut Flow| flow.style = flow.style.without(style);
        match end {
            TagEnd::Heading(_) => {
                close(Style::STRONG, self.flow);
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
                close(Style::CODE, self.flow);
            }
            TagEnd::List(_) => {
                self.flow.end_block(range.end);
                self.lists.pop();
            }
            TagEnd::TableCell => {
                self.flow.number_to(range.end);
                self.with_table(Table::end_cell);
            }
            TagEnd::Table => {
                if let Some(table) = self.tables.pop() {
                    table.lay(range.end, self.flow);
                }
            }
            TagEnd::Emphasis => close(Style::EMPHASIS, self.flow),
            TagEnd::Strong => close(Style::STRONG, self.flow),
            TagEnd::Strikethrough => close(Style::STRUCK, self.flow),
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
            self.flow.fill(&format!(" ({host})"), Style::QUIET);
        }
        self.flow.number_to(range.end);
    }
}
