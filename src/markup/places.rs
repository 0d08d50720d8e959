//! The place of a mark for a span of Markdown: its end, or the nearest place where the mark breaks nothing.

use std::ops::Range;

use super::settle::settle;
use super::structure::Structure;

/// Moves after which a mark stays where it is.
const MOVE_LIMIT: usize = 8;

/// Where a mark goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum MarkPlace {
    /// Into a line, at a byte.
    At(usize),
    /// Into a paragraph of its own behind the top-level block with this number.
    Behind(usize),
    /// Into a paragraph of its own before it.
    Before(usize),
}

/// The place for a span: its end, or the nearest place that breaks nothing.
pub fn place(structure: &Structure, span: &Range<usize>) -> MarkPlace {
    let rough = by_structure(structure, span);
    let MarkPlace::At(mut at) = rough else { return rough };
    for _ in 0..MOVE_LIMIT {
        let moved = settle(structure, at);
        if moved == at {
            break;
        }
        at = match structure.atom(moved) {
            Some(atom) => atom.end,
            None if structure.is_legal(moved) => moved,
            None => match structure.last_legal(moved) {
                Some(back) if back > at => back,
                _ => break,
            },
        };
    }
    beside_formula(structure, at)
}

/// A place that is not behind the signs which end a fenced formula: behind the block that ends there; where
/// text goes on behind it, at the end of the words before it, else where that text begins.
fn beside_formula(structure: &Structure, at: usize) -> MarkPlace {
    let Some(formula) = structure.formula_at_end(at) else { return MarkPlace::At(at) };
    let number = structure.top_block(formula.start);
    let top = structure.top_blocks.get(number).cloned().unwrap_or_default();
    if top.end <= at {
        return MarkPlace::Behind(number);
    }
    let before = structure.last_legal(formula.start.saturating_sub(1)).filter(|&before| before > top.start);
    MarkPlace::At(before.or_else(|| structure.first_legal(at + 1)).unwrap_or(at))
}

/// The place by the structure of the text alone.
fn by_structure(structure: &Structure, span: &Range<usize>) -> MarkPlace {
    let at = span.end;
    if let Some(atom) = structure.atom(at) {
        return MarkPlace::At(atom.end);
    }
    if let Some((_, top)) = structure.block(at) {
        return MarkPlace::Behind(top);
    }
    if structure.is_legal(at) {
        return MarkPlace::At(at);
    }
    // Between blocks: what ended before them, if the span has any of it.
    let text = structure.last_legal(at).filter(|&back| back > span.start);
    match (text, structure.block_before(at).filter(|(block, _)| block.end > span.start)) {
        (Some(text), Some((block, top))) => {
            if text >= block.end {
                MarkPlace::At(text)
            } else {
                MarkPlace::Behind(*top)
            }
        }
        (Some(text), None) => MarkPlace::At(text),
        (None, Some((_, top))) => MarkPlace::Behind(*top),
        (None, None) => in_line(structure, span).unwrap_or_else(|| forward(structure, at)),
    }
}

/// The last place before a span in its line, where none follows there: cells beyond those that a table has
/// are no text.
fn in_line(structure: &Structure, span: &Range<usize>) -> Option<MarkPlace> {
    let is_line = |range: Range<usize>| structure.text.get(range).is_some_and(|text| !text.contains('\n'));
    let next = structure.first_legal(span.end).filter(|&next| is_line(span.end..next));
    let back = structure.last_legal(span.start).filter(|&back| next.is_none() && is_line(back..span.start));
    back.map(MarkPlace::At)
}

/// The first place at or after a byte, else the last one before it.
fn forward(structure: &Structure, at: usize) -> MarkPlace {
    match (structure.first_legal(at), structure.block_after(at)) {
        (Some(text), Some((block, top))) if block.start < text => MarkPlace::Behind(*top),
        (Some(text), _) => MarkPlace::At(text),
        (None, Some((_, top))) => MarkPlace::Behind(*top),
        (None, None) => match (structure.last_legal(at), structure.top_blocks.len().checked_sub(1)) {
            (Some(back), _) => MarkPlace::At(back),
            (None, Some(top)) => MarkPlace::Behind(top),
            (None, None) => MarkPlace::At(structure.text.len()),
        },
    }
}
