//! The answer's Markdown as HTML, its spans as elements, also where they nest and overlap, and its marks as
//! links to what backs them. HTML in the answer is shown as text; pictures become links, since the page loads
//! nothing.

use std::ops::Range;

use pulldown_cmark::{Event, Tag, TagEnd};

use super::page::{LIT, Page};
use super::paper::Paper;
use super::parts;
use super::write::{escaped, target, text};
use crate::export::bare::Bare;
use crate::export::options::ExportOptions;
use crate::markup::{MarkPlace, Safe, Structure, events, place, shown_before};
use crate::text::{Clusters, direction};

/// The answer as an article.
pub(super) fn answer(page: &Page, out: &mut Paper) {
    if page.review.response.answer.is_none() {
        out.push_str(
            "<p class=\"none\">This response carries no answer text; its claims are listed beside.</p>\n",
        );
        return;
    }
    // Ours take the place of the provider's own marks.
    let bare = Bare::of(page.review, &ExportOptions::default());
    let answer: &str = &bare.text;
    let ranges: Vec<(usize, Range<usize>)> = page
        .review
        .spans
        .iter()
        .enumerate()
        .filter_map(|(span, place)| {
            let range = place.range.as_ref()?;
            Some((span, bare.moved(range.start)..bare.moved(range.end)))
        })
        .collect();
    let mut clusters = Clusters::of(answer);
    let mut whole = |range: &Range<usize>| clusters.end(range.start)..clusters.end(range.end);
    let ranges: Vec<(usize, Range<usize>)> =
        ranges.iter().map(|(span, range)| (*span, whole(range))).collect();
    let safe = Safe::new(answer, ranges.iter().flat_map(|(_, range)| [range.start, range.end]).collect());
    let spans: Vec<(usize, Range<usize>)> = ranges
        .into_iter()
        .map(|(span, range)| (span, safe.place(range.start)..safe.place(range.end)))
        .collect();
    let structure = Structure::new(&safe.text);
    out.push_str(&format!("<article lang=\"\" dir=\"{}\">\n", direction(answer)));
    let mut writer = Writer {
        page,
        text: &safe.text,
        marks: marks(page, &structure, &spans),
        spans,
        ..Writer::new(page, out)
    };
    writer.cut();
    for (event, range) in events(&safe.text) {
        writer.event(event, range);
    }
    writer.flush(usize::MAX);
    out.push_str("</article>\n");
}

/// Where the marks of the spans go, ascending: byte, span.
fn marks(page: &Page, structure: &Structure, spans: &[(usize, Range<usize>)]) -> Vec<(usize, usize)> {
    let byte = |place: MarkPlace| match place {
        MarkPlace::At(at) => at,
        MarkPlace::Behind(top) | MarkPlace::Before(top) => {
            structure.top_blocks.get(top).map_or(structure.text.len(), |top| top.end)
        }
    };
    let mut marks: Vec<(usize, usize)> = spans
        .iter()
        .filter(|(span, _)| page.has_mark(*span))
        .map(|(span, range)| (byte(place(structure, range)), *span))
        .collect();
    marks.sort_unstable();
    marks
}

/// The HTML as it is written.
struct Writer<'a, 'w> {
    page: &'a Page<'a>,
    text: &'a str,
    /// Spans and their bytes, in the order of the walk: by start, longest first.
    spans: Vec<(usize, Range<usize>)>,
    /// Bytes at which a span begins or ends, ascending.
    cuts: Vec<usize>,
    /// The first span that has not begun.
    first: usize,
    /// Spans that have begun, and where each ends.
    active: Vec<(usize, usize)>,
    marks: Vec<(usize, usize)>,
    /// Marks that are written.
    done: usize,
    out: &'a mut Paper<'w>,
    /// Inside of links and pictures, where no mark may stand; inside of a table's head.
    links: usize,
    head: bool,
    /// Level of the last heading.
    heading: usize,
    /// Lists that are open.
    lists: usize,
    /// Whether each open link is one.
    linked: Vec<bool>,
}

impl<'a, 'w> Writer<'a, 'w> {
    fn new(page: &'a Page<'a>, out: &'a mut Paper<'w>) -> Self {
        Self {
            page,
            text: "",
            spans: Vec::new(),
            cuts: Vec::new(),
            first: 0,
            active: Vec::new(),
            marks: Vec::new(),
            done: 0,
            out,
            links: 0,
            head: false,
            heading: 2,
            lists: 0,
            linked: Vec::new(),
        }
    }

    fn cut(&mut self) {
        self.cuts = self.spans.iter().flat_map(|(_, range)| [range.start, range.end]).collect();
        self.cuts.sort_unstable();
        self.cuts.dedup();
    }

    fn event(&mut self, event: Event, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(&tag, &range),
            Event::End(end) => self.end(end, &range),
            Event::Text(content) => self.words(&content, range),
            Event::Code(code) => self.atom(&range, "code", &code),
            Event::InlineMath(math) | Event::DisplayMath(math) => self.atom(&range, "code", &math),
            Event::Html(html) | Event::InlineHtml(html) => self.words(&html, range),
            Event::FootnoteReference(name) => self.atom(&range, "sup", &format!("[{name}]")),
            Event::SoftBreak => self.out.push('\n'),
            Event::HardBreak => self.out.push_str("<br>\n"),
            Event::Rule => {
                self.out.push_str("<hr>\n");
                self.flush(range.end);
            }
            Event::TaskListMarker(done) => self.out.push_str(if done { "☑ " } else { "☐ " }),
        }
    }

    fn start(&mut self, tag: &Tag, range: &Range<usize>) {
        let open = match tag {
            Tag::Paragraph => "<p dir=\"auto\">".to_owned(),
            Tag::Heading { level, .. } => {
                // Below the page's own headings, and none skipped.
                self.heading = (*level as usize + 2).min(self.heading + 1).min(6);
                format!("<h{} dir=\"auto\">", self.heading)
            }
            Tag::BlockQuote(_) => "<blockquote dir=\"auto\">\n".to_owned(),
            Tag::CodeBlock(_) => "<pre dir=\"ltr\" tabindex=\"0\"><code>".to_owned(),
            Tag::HtmlBlock | Tag::MetadataBlock(_) => "<pre dir=\"auto\" class=\"raw\">".to_owned(),
            // `auto` would look at no text of the items, which have a direction of their own.
            Tag::List(first) => self.list(*first, range),
            Tag::Item => "<li dir=\"auto\">".to_owned(),
            Tag::FootnoteDefinition(name) => format!("<div class=\"note\"><sup>[{}]</sup> ", text(name)),
            Tag::Table(_) => format!(
                "<div class=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"Table\"><table dir=\"{}\">\n",
                self.runs(range)
            ),
            Tag::TableHead => {
                self.head = true;
                "<thead><tr>".to_owned()
            }
            Tag::TableRow => "<tr>".to_owned(),
            Tag::TableCell => {
                // `auto` is left to right without letters; such a cell runs as its table does.
                let letters =
                    self.text.get(range.clone()).is_some_and(|cell| cell.contains(char::is_alphabetic));
                let runs = if letters { " dir=\"auto\"" } else { "" };
                if self.head { format!("<th{runs} scope=\"col\">") } else { format!("<td{runs}>") }
            }
            Tag::Emphasis => "<em>".to_owned(),
            Tag::Strong => "<strong>".to_owned(),
            Tag::Strikethrough => "<del>".to_owned(),
            Tag::Superscript => "<sup>".to_owned(),
            Tag::Subscript => "<sub>".to_owned(),
            Tag::Link { dest_url, .. } => self.link(dest_url, ""),
            Tag::Image { dest_url, .. } => self.link(dest_url, "<span aria-hidden=\"true\">🖼</span> "),
            Tag::DefinitionList | Tag::DefinitionListTitle | Tag::DefinitionListDefinition => String::new(),
        };
        // Marks of what ended before this block belong before it.
        if !matches!(
            tag,
            Tag::Emphasis
                | Tag::Strong
                | Tag::Strikethrough
                | Tag::Link { .. }
                | Tag::Image { .. }
                | Tag::Item
                | Tag::TableHead
                | Tag::TableRow
                | Tag::TableCell
        ) {
            self.flush(range.start);
        }
        self.out.push_str(&open);
    }

    /// A list; one in another runs as that does.
    fn list(&mut self, first: Option<u64>, range: &Range<usize>) -> String {
        self.lists += 1;
        let runs = if self.lists == 1 { format!(" dir=\"{}\"", self.runs(range)) } else { String::new() };
        match first {
            None => format!("<ul{runs}>\n"),
            Some(1) => format!("<ol{runs}>\n"),
            Some(first) => format!("<ol{runs} start=\"{first}\">\n"),
        }
    }

    /// In which direction a stretch of the answer runs.
    fn runs(&self, range: &Range<usize>) -> &'static str {
        direction(self.text.get(range.clone()).unwrap_or_default())
    }

    fn link(&mut self, uri: &str, lead: &str) -> String {
        self.links += 1;
        // A picture in a link is no second link.
        let target = target(uri).filter(|_| !self.linked.contains(&true));
        self.linked.push(target.is_some());
        match target {
            Some(uri) => format!("<a href=\"{uri}\" rel=\"noopener noreferrer nofollow\">{lead}"),
            None => lead.to_owned(),
        }
    }

    fn end(&mut self, end: TagEnd, range: &Range<usize>) {
        let inline = is_inline(end);
        // Inside of a block all of its marks are written before it is closed.
        if !inline && !holds_blocks(end) && self.links == 0 {
            self.flush(range.end);
        }
        let close = self.close(end);
        self.out.push_str(&close);
        if self.links == 0 && (inline || matches!(end, TagEnd::Link | TagEnd::Image)) {
            self.flush(range.end);
        }
    }

    fn close(&mut self, end: TagEnd) -> String {
        match end {
            TagEnd::Paragraph => "</p>\n".to_owned(),
            TagEnd::Heading(_) => format!("</h{}>\n", self.heading),
            TagEnd::BlockQuote(_) => "</blockquote>\n".to_owned(),
            TagEnd::CodeBlock => "</code></pre>\n".to_owned(),
            TagEnd::HtmlBlock | TagEnd::MetadataBlock(_) => "</pre>\n".to_owned(),
            TagEnd::List(ordered) => {
                self.lists = self.lists.saturating_sub(1);
                (if ordered { "</ol>\n" } else { "</ul>\n" }).to_owned()
            }
            TagEnd::Item => "</li>\n".to_owned(),
            TagEnd::FootnoteDefinition => "</div>\n".to_owned(),
            TagEnd::Table => "</tbody></table></div>\n".to_owned(),
            TagEnd::TableHead => {
                self.head = false;
                "</tr></thead>\n<tbody>\n".to_owned()
            }
            TagEnd::TableRow => "</tr>\n".to_owned(),
            TagEnd::TableCell => (if self.head { "</th>" } else { "</td>" }).to_owned(),
            TagEnd::Emphasis => "</em>".to_owned(),
            TagEnd::Strong => "</strong>".to_owned(),
            TagEnd::Strikethrough => "</del>".to_owned(),
            TagEnd::Superscript => "</sup>".to_owned(),
            TagEnd::Subscript => "</sub>".to_owned(),
            TagEnd::Link | TagEnd::Image => {
                self.links = self.links.saturating_sub(1);
                (if self.linked.pop() == Some(true) { "</a>" } else { "" }).to_owned()
            }
            TagEnd::DefinitionList | TagEnd::DefinitionListTitle | TagEnd::DefinitionListDefinition => {
                String::new()
            }
        }
    }

    /// Text, cut where spans begin and end and where marks stand.
    fn words(&mut self, content: &str, range: Range<usize>) {
        if self.text.get(range.clone()) != Some(content) {
            let open = self.open(range.start.min(range.end));
            // An entity may stand for anything.
            let words = text(content);
            self.wrapped(&open, &words);
            return self.flush_inline(range.end);
        }
        let mut from = range.start;
        while from < range.end {
            let cut =
                self.cuts.get(self.cuts.partition_point(|&cut| cut <= from)).copied().unwrap_or(usize::MAX);
            let mark = self.marks.get(self.done).map_or(usize::MAX, |(at, _)| (*at).max(from + 1));
            let to = self.text.ceil_char_boundary(cut.min(mark).min(range.end));
            let open = self.open(from);
            let words = escaped(self.text.get(from..to).unwrap_or_default());
            self.wrapped(&open, &words);
            self.flush_inline(to);
            from = to;
        }
    }

    fn atom(&mut self, range: &Range<usize>, element: &str, content: &str) {
        let open = self.open(range.start);
        let words = format!("<{element}>{}</{element}>", text(content));
        self.wrapped(&open, &words);
        self.flush_inline(range.end);
    }

    /// Spans that a byte lies in. Bytes come in ascending order.
    fn open(&mut self, at: usize) -> Vec<usize> {
        while let Some((span, range)) = self.spans.get(self.first).filter(|(_, range)| range.start <= at) {
            if self.active.len() >= 4 * LIT {
                self.active.remove(0);
            }
            self.active.push((*span, range.end));
            self.first += 1;
        }
        self.active.retain(|(_, end)| *end > at);
        self.active.iter().map(|(span, _)| *span).collect()
    }

    fn wrapped(&mut self, open: &[usize], words: &str) {
        if open.is_empty() || words.trim().is_empty() {
            return self.out.push_str(words);
        }
        let classes: Vec<String> = open.iter().take(12).map(|span| format!("s{}", span + 1)).collect();
        let looks = if open.len() > 1 { " deep" } else { "" };
        let bare = if open.iter().all(|&span| !self.page.resolves(span)) { " bare" } else { "" };
        self.out.push_str(&format!("<span class=\"s{looks}{bare} {}\">{words}</span>", classes.join(" ")));
    }

    fn flush_inline(&mut self, upto: usize) {
        if self.links == 0 {
            self.flush(upto);
        }
    }

    /// Writes the marks up to a byte.
    fn flush(&mut self, upto: usize) {
        while let Some((at, span)) = self.marks.get(self.done).filter(|(at, _)| *at <= upto) {
            // Copied as text, a number would run into the one before it.
            if shown_before(self.text, (*at).min(self.text.len())).is_some_and(char::is_numeric) {
                self.out.push_str("<span class=\"gap\"> </span>");
            }
            parts::mark(self.page, *span, self.out);
            self.done += 1;
        }
    }
}

fn is_inline(end: TagEnd) -> bool {
    matches!(
        end,
        TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Superscript | TagEnd::Subscript
    )
}

/// Whether the marks of what stands in it were written with the blocks within.
fn holds_blocks(end: TagEnd) -> bool {
    matches!(
        end,
        TagEnd::CodeBlock
            | TagEnd::HtmlBlock
            | TagEnd::List(_)
            | TagEnd::Table
            | TagEnd::BlockQuote(_)
            | TagEnd::TableRow
            | TagEnd::TableHead
            | TagEnd::MetadataBlock(_)
    )
}
