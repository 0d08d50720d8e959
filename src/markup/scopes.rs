//! What a place in a Markdown text stands under: its paragraph, the list items around it, its heading.

use std::ops::Range;

use pulldown_cmark::{Event, Tag, TagEnd};

use super::parse::events;

/// The blocks of a text, for asking what a place stands under.
pub struct Scopes {
    /// Own text of paragraphs, table rows and list items, with the item around it and its heading.
    blocks: Vec<Block>,
}

struct Block {
    range: Range<usize>,
    parent: Option<usize>,
    heading: Option<Range<usize>>,
}

impl Scopes {
    /// Of a text.
    pub fn of(text: &str) -> Self {
        let mut blocks: Vec<Block> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        let mut heading = None;
        for (event, range) in events(text) {
            match event {
                Event::Start(Tag::Heading { .. }) => heading = Some(range),
                Event::Start(Tag::Item | Tag::TableRow) => {
                    open.push(blocks.len());
                    let parent = open.iter().rev().nth(1).copied();
                    blocks.push(Block { range, parent, heading: heading.clone() });
                }
                Event::Start(Tag::Paragraph) if open.is_empty() => {
                    blocks.push(Block { range, parent: None, heading: heading.clone() });
                }
                // An item's own text ends where a list in it begins.
                Event::Start(Tag::List(_)) => {
                    if let Some(item) = open.last().and_then(|&item| blocks.get_mut(item)) {
                        item.range.end = item.range.end.min(range.start);
                    }
                }
                Event::End(TagEnd::Item | TagEnd::TableRow) => {
                    open.pop();
                }
                _ => {}
            }
        }
        blocks.sort_by_key(|block| block.range.start);
        Self { blocks }
    }

    /// What a place stands under, nearest first: its block, the items around it, its heading.
    pub fn above(&self, at: usize) -> Vec<Range<usize>> {
        let last = self.blocks.partition_point(|block| block.range.start <= at);
        let mut next = last.checked_sub(1);
        let mut out = Vec::new();
        let mut heading = None;
        while let Some(block) = next.and_then(|index| self.blocks.get(index)) {
            if !out.is_empty() || block.range.contains(&at) {
                out.push(block.range.clone());
                heading.clone_from(&block.heading);
            }
            next = block.parent;
        }
        out.extend(heading);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_its_list_and_its_heading() {
        let text = "# Rome\n\n* Trevi\n  * opens at nine\n* Navona\n\nA paragraph.\n";
        let scopes = Scopes::of(text);
        let above = |words: &str| -> Vec<&str> {
            let ranges = scopes.above(text.find(words).unwrap());
            ranges.into_iter().map(|range| text[range].trim()).collect()
        };
        assert_eq!(above("opens"), ["* opens at nine", "* Trevi", "# Rome"]);
        assert_eq!(above("Navona"), ["* Navona", "# Rome"]);
        assert_eq!(above("paragraph"), ["A paragraph.", "# Rome"]);
        assert_eq!(Scopes::of("").above(3), [0..0; 0]);
    }
}
