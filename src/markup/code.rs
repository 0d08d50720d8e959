//! Code in Markdown: nothing in it is a citation, an address of the answer or a sentence of it.

use std::ops::Range;

use memchr::{memchr2, memmem};
use pulldown_cmark::{Event, Tag};

use super::parse::events;
use super::weight::too_dense_beside;

/// Code in running text and blocks of code, in order, with their signs. A text that is too dense to be parsed
/// has none.
pub fn code_spans(text: &str) -> Vec<Range<usize>> {
    if text.contains('`') || may_hold_blocks(text) { code(text, true) } else { Vec::new() }
}

/// Blocks of code, fenced and indented, in order. A block that is left open goes on to the end.
pub fn code_blocks(text: &str) -> Vec<Range<usize>> {
    if may_hold_blocks(text) { code(text, false) } else { Vec::new() }
}

/// Whether a byte lies in one of several ranges, which are in order and apart from each other.
pub fn contains(ranges: &[Range<usize>], at: usize) -> bool {
    let next = ranges.partition_point(|range| range.start <= at);
    next.checked_sub(1).and_then(|last| ranges.get(last)).is_some_and(|range| at < range.end)
}

fn code(text: &str, inline: bool) -> Vec<Range<usize>> {
    if too_dense_beside(text) {
        return Vec::new();
    }
    let is_code = |event: &Event| match event {
        Event::Start(Tag::CodeBlock(_)) => true,
        Event::Code(_) => inline,
        _ => false,
    };
    events(text).filter(|(event, _)| is_code(event)).map(|(_, range)| range).collect()
}

/// Whether a text is worth parsing for blocks of code: most answers have none, and a glance at their lines
/// shows it.
///
/// Without a fence a block is indented by four columns and more. Such a line goes on with the paragraph of
/// the line before, if that certainly has one, as in the nested lists of many models.
fn may_hold_blocks(text: &str) -> bool {
    let holds = |piece: &str| memmem::find(text.as_bytes(), piece.as_bytes()).is_some();
    if holds("```") || holds("~~~") || memchr2(b'\t', b'\r', text.as_bytes()).is_some() {
        return true;
    }
    // What follows needs a line that is indented, or a gap.
    if !holds("    ") {
        return false;
    }
    let in_paragraph =
        |words: &str| words.contains(char::is_alphabetic) && !words.contains(['#', '|', '<', '>', '[']);
    let mut before = "";
    for line in text.split('\n') {
        let words = line.trim_start_matches(' ');
        let is_indented = line.len() - words.len() >= 4 && !words.is_empty();
        // Five blanks behind the sign of a list or quote begin code, too.
        if is_indented && !in_paragraph(before) || words.contains("     ") {
            return true;
        }
        before = words;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn spans(text: &str) -> Vec<&str> {
        code_spans(text).into_iter().map(|range| &text[range]).collect()
    }

    fn blocks(text: &str) -> Vec<&str> {
        code_blocks(text).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn code_is_what_commonmark_takes_for_it() {
        assert_eq!(spans("a `b` c ``d ` e`` f"), ["`b`", "``d ` e``"]);
        assert_eq!(spans("```\nx\n```\n`y`"), ["```\nx\n```", "`y`"]);
        assert_eq!(spans("~~~\nx\n~~~\ny"), ["~~~\nx\n~~~"]);
        assert_eq!(blocks("- ```\n  x\n  ```\n- y"), ["```\n  x\n  ```"]);
        assert_eq!(
            blocks("```js\nx\n```\n\n    indented code line\n"),
            ["```js\nx\n```", "indented code line\n"]
        );
        assert_eq!(blocks("```\nx"), ["```\nx"], "an open fence goes on to the end");
    }

    /// What counting backticks took for something else.
    #[test]
    fn code_goes_by_blocks_and_not_by_backticks_alone() {
        assert_eq!(spans("a ` b\n`c` `d`"), ["` b\n`", "` `"], "code goes on over a line end");
        assert_eq!(spans("a ` b\n\n`c`"), ["`c`"], "but not into the next paragraph");
        assert_eq!(
            spans("```\nx\n``` `y`"),
            ["```\nx\n``` `y`"],
            "what stands behind it unmakes a closing fence"
        );
        assert_eq!(spans("`a` ````\nx"), ["`a`"], "a fence begins its line");
        assert_eq!(spans("\\`a`"), [""; 0], "an escaped backtick opens nothing");
        assert_eq!(spans("```a``` b [1]"), ["```a```"]);
        assert_eq!(blocks("```a``` b [1]"), [""; 0]);
    }

    #[test]
    fn places_are_looked_up_in_order() {
        let ranges = [2..4, 6..7];
        assert_eq!((0..8).filter(|at| contains(&ranges, *at)).collect::<Vec<_>>(), [2, 3, 6]);
        assert!(!contains(&[], 0));
    }

    #[test]
    fn nested_lists_need_no_parsing() {
        assert!(!may_hold_blocks("Intro:\n\n*   **One**: a\n    *   two\n        *   three\n    more\n"));
        assert!(may_hold_blocks("a\n\n    b"));
    }

    proptest! {
        #[test]
        fn no_code_is_passed_over(pieces in prop::collection::vec(prop::sample::select(vec![
            "\n", "\n", "\n\n", " ", "    ", "     ", "\t", "- ", "*   ", "1. ", "# ", "> ", "***", "---", "===", "a", "b c", "**d**", "|",
            "--|--", "<div>", "<!--", "-->", "[a]: u", "[^1]: n", "- [ ] ", "é", "12", "\\", "\r\n", "```", "~~~",
        ]), 0..24)) {
            let text = pieces.concat();
            prop_assert_eq!(code_blocks(&text), code(&text, false), "{:?}", text);
            prop_assert_eq!(code_spans(&text), code(&text, true), "{:?}", text);
        }
    }
}
