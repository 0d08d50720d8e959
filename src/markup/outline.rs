//! What Markdown renders as, in short: a number for each block and each run of inline content, without the
//! marks that were put in. Two texts whose outlines agree render alike.

use std::hash::{Hash, Hasher};
use std::ops::Range;

use pulldown_cmark::{CowStr, Event, Tag, TagEnd};

use super::marked::Insertion;
use super::parse::events;

/// A block or a run of inline content: its number, and where it begins in the text without marks.
pub(super) type Element = (u64, usize);

/// The outline of a text, and how many links and footnotes each insertion renders as.
pub(super) fn outline(text: &str, insertions: &[Insertion]) -> (Vec<Element>, Vec<usize>) {
    let rendered = vec![0; insertions.len()];
    let passed = vec![false; insertions.len()];
    let mut walk = Walk {
        insertions,
        elements: Vec::new(),
        rendered,
        passed,
        content: Content::default(),
        depth_in_mark: 0,
        text,
    };
    for (event, range) in events(text) {
        walk.event(&event, range);
    }
    walk.close();
    (walk.elements, walk.rendered)
}

/// Inline content as it is gathered. Blanks count once something follows them.
#[derive(Default)]
struct Content {
    hash: Fnv,
    blanks: Fnv,
    at: Option<usize>,
}

/// FNV-1a: the same however the text comes in pieces.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }
}

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }
}

struct Walk<'a> {
    text: &'a str,
    insertions: &'a [Insertion],
    elements: Vec<Element>,
    /// For each insertion the links and footnotes that it renders as.
    rendered: Vec<usize>,
    /// For each insertion whether the walk is past it.
    passed: Vec<bool>,
    content: Content,
    /// Open elements of the mark that the walk is in.
    depth_in_mark: usize,
}

impl Walk<'_> {
    /// The number of the insertion that a byte lies in or before.
    fn insertion(&self, at: usize) -> usize {
        self.insertions.partition_point(|insertion| insertion.range.end <= at)
    }

    /// A place of the text without marks.
    fn origin(&self, at: usize) -> usize {
        let next = self.insertion(at);
        let shift =
            next.checked_sub(1).and_then(|last| self.insertions.get(last)).map_or(0, |last| last.shift);
        at.saturating_add_signed(-shift)
    }

    /// The number of the insertion that a range lies in.
    fn insertion_around(&self, range: &Range<usize>) -> Option<usize> {
        let number = self.insertion(range.start);
        let own = &self.insertions.get(number)?.range;
        (range.start >= own.start && range.end <= own.end && !range.is_empty()).then_some(number)
    }

    fn event(&mut self, event: &Event, range: Range<usize>) {
        if self.depth_in_mark > 0 {
            match event {
                Event::Start(_) => self.depth_in_mark += 1,
                Event::End(_) => self.depth_in_mark -= 1,
                _ => {}
            }
            return;
        }
        if let Some(number) = self.insertion_around(&range) {
            return self.mark(event, number);
        }
        match event {
            Event::Start(Tag::Paragraph) | Event::End(TagEnd::Paragraph) => self.close(),
            Event::Start(tag) => self.start(tag, &range),
            Event::End(end) if is_inline(*end) => self.token(b'/', end, &range),
            Event::End(end) => self.block(b'/', end, &(range.end..range.end)),
            Event::Text(content) => self.words(content, &range),
            Event::Code(code) | Event::InlineMath(code) | Event::DisplayMath(code) => {
                self.token(b'c', code, &range);
            }
            Event::Html(html) | Event::InlineHtml(html) => self.token(b'h', &html.trim_end(), &range),
            Event::FootnoteReference(name) => self.token(b'f', name, &range),
            Event::SoftBreak => self.blank(b'\n'),
            Event::HardBreak => self.blank(b'\r'),
            Event::Rule => self.block(b'r', &TagEnd::Paragraph, &range),
            Event::TaskListMarker(done) => self.token(b't', done, &range),
        }
    }

    /// Something that was put in: links and footnotes are counted.
    fn mark(&mut self, event: &Event, number: usize) {
        self.pass(number);
        if matches!(event, Event::Start(Tag::Paragraph)) {
            return self.close();
        }
        self.depth_in_mark = usize::from(matches!(event, Event::Start(_)));
        if matches!(event, Event::Start(Tag::Link { .. }) | Event::FootnoteReference(_))
            && let Some(rendered) = self.rendered.get_mut(number)
        {
            *rendered += 1;
        }
    }

    /// The walk passes an insertion: the blank whose place it took counts once.
    fn pass(&mut self, number: usize) {
        let first = self.passed.get_mut(number).is_some_and(|passed| !std::mem::replace(passed, true));
        if first && self.insertions.get(number).is_some_and(|insertion| &*insertion.replaced == " ") {
            self.blank(b' ');
        }
    }

    fn start(&mut self, tag: &Tag, range: &Range<usize>) {
        let none = CowStr::Borrowed("");
        let (code, detail) = match tag {
            Tag::Link { dest_url, .. } => (b'l', dest_url),
            Tag::Image { dest_url, .. } => (b'i', dest_url),
            _ => (b'(', &none),
        };
        let end = tag.to_end();
        if is_inline(end) { self.token(code, &(end, detail), range) } else { self.block(b'(', &end, range) }
    }

    fn block(&mut self, code: u8, what: &impl Hash, range: &Range<usize>) {
        self.close();
        let mut hash = Fnv::default();
        hash.write(&[code]);
        what.hash(&mut hash);
        self.elements.push((hash.finish(), self.origin(range.start)));
    }

    fn token(&mut self, code: u8, what: &impl Hash, range: &Range<usize>) {
        self.begin(range.start);
        self.content.hash.write(&[0xFF, code]);
        what.hash(&mut self.content.hash);
    }

    /// Notes that something comes which is not a blank.
    fn begin(&mut self, at: usize) {
        if self.content.at.is_none() {
            self.content.at = Some(self.origin(at));
        } else {
            let blanks = std::mem::take(&mut self.content.blanks);
            self.content.hash.write(&blanks.finish().to_le_bytes());
        }
        self.content.blanks = Fnv::default();
    }

    fn blank(&mut self, blank: u8) {
        self.content.blanks.write(&[blank]);
    }

    fn words(&mut self, content: &str, range: &Range<usize>) {
        if self.text.get(range.clone()) != Some(content) {
            return self.pieces(content, range.start);
        }
        let mut from = range.start;
        for number in self.insertion(from).. {
            let Some(insertion) =
                self.insertions.get(number).filter(|insertion| insertion.range.start < range.end)
            else {
                break;
            };
            let to = insertion.range.start.max(from);
            self.pieces(self.text.get(from..to).unwrap_or_default(), from);
            from = insertion.range.end.min(range.end).max(to);
            self.pass(number);
        }
        self.pieces(self.text.get(from..range.end).unwrap_or_default(), from);
    }

    /// Text: words and the blanks between them.
    fn pieces(&mut self, text: &str, start: usize) {
        let bytes = text.as_bytes();
        let mut at = 0;
        while let Some(byte) = bytes.get(at) {
            if matches!(byte, b' ' | b'\t' | b'\n') {
                self.blank(*byte);
                at += 1;
                continue;
            }
            let rest = bytes.get(at..).unwrap_or_default();
            let length =
                rest.iter().position(|byte| matches!(byte, b' ' | b'\t' | b'\n')).unwrap_or(rest.len());
            self.word(rest.get(..length).unwrap_or_default(), start + at);
            at += length;
        }
    }

    fn word(&mut self, word: &[u8], at: usize) {
        if self.content.at.is_none() || self.content.blanks.0 != Fnv::default().0 {
            self.begin(at);
        }
        self.content.hash.write(word);
    }

    fn close(&mut self) {
        let content = std::mem::take(&mut self.content);
        if let Some(at) = content.at {
            self.elements.push((content.hash.finish(), at));
        }
    }
}

fn is_inline(end: TagEnd) -> bool {
    use TagEnd::{Emphasis, Image, Link, Strikethrough, Strong, Subscript, Superscript};
    matches!(end, Emphasis | Image | Link | Strikethrough | Strong | Subscript | Superscript)
}
