//! How much memory Markdown takes when it is parsed: a tree with a node for every sign that may mean
//! something.

use crate::text::strays;

/// Bytes of the tree for each sign.
pub const NODE: usize = 140;
/// A line may begin an item of a list with a paragraph in it: a tree of its own.
const LINE: usize = 3;
/// A link in angles is a node with its text and its address.
const TAG: usize = 3;
/// Dollars that take as much as a sign: what stands between two may be a formula, of which the range is kept.
const DOLLARS: usize = 4;
/// What steers, reorders or hides text takes as much as so many signs.
const STRAY: usize = 2;
/// The same of where a link begins to have an address, and of a sign of HTML by its name.
const LINK: usize = 3;
const ENTITY: usize = 2;
/// What the tree may take whatever the length of the text, and for each byte of it.
const FREE: usize = 41 << 20;
const BYTES: usize = 4;

/// Whether so many signs that may be Markdown, in so many bytes, are so many that parsing them would take
/// memory out of proportion to it.
pub fn is_too_dense(signs: usize, bytes: usize) -> bool {
    signs * NODE > FREE + BYTES * bytes
}

/// The same beside all else that is known of a response while it is checked.
pub fn too_dense_beside(text: &str) -> bool {
    signs(text) * NODE > FREE / 2 + BYTES * text.len()
}

/// The signs of a text that may be Markdown.
pub fn signs(text: &str) -> usize {
    // Each is shown by a stand-in, and its place is remembered.
    let mut signs = STRAY * strays(text).count();
    let text = text.as_bytes();
    signs += memchr::memchr_iter(b'$', text).count() / DOLLARS;
    for (at, &byte) in text.iter().enumerate() {
        let next = || text.get(at + 1).copied();
        signs += match byte {
            // A link in angles, or a tag.
            b'<' if next().is_some_and(|next| next.is_ascii_alphabetic()) => TAG,
            b']' if next() == Some(b'(') => LINK,
            b'&' if next().is_some_and(|next| next == b'#' || next.is_ascii_alphabetic()) => ENTITY,
            // An address, which becomes a link by itself.
            b':' if text.get(at + 1..at + 3) == Some(b"//") => 1,
            b'*' | b'_' | b'~' | b'|' | b'&' | b'\\' | b'[' | b']' | b'<' | b'!' | b'`' => 1,
            b'\n' => LINE,
            b'\r' if next() != Some(b'\n') => LINE,
            // Items of lists, also of one in the other: `- - - a`.
            b'>' if may_begin_item(text, at) => LINE,
            b'-' | b'+' if next() == Some(b' ') && may_begin_item(text, at) => LINE,
            b'.' | b')'
                if next() == Some(b' ') && at > 0 && text.get(at - 1).is_some_and(u8::is_ascii_digit) =>
            {
                LINE
            }
            _ => 0,
        };
    }
    signs
}

/// Whether a line, or what is in an item, may begin at a byte.
fn may_begin_item(text: &[u8], at: usize) -> bool {
    let before = |back: usize| at.checked_sub(back).and_then(|at| text.get(at)).copied();
    match before(1) {
        None | Some(b'\n' | b'\r' | b'>') => true,
        Some(b' ') => {
            matches!(before(2), None | Some(b'\n' | b'\r' | b' ' | b'-' | b'+' | b'*' | b'.' | b')' | b'>'))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn too_dense(text: &str) -> Option<usize> {
        Some(signs(text)).filter(|signs| is_too_dense(*signs, text.len()))
    }

    #[test]
    fn what_is_written_for_people_is_never_too_dense() {
        let table = "| year | height |\n|---|---|\n| 1932 | 41 m |\n".repeat(10_000);
        for text in ["# A\n\n* one [1](https://a.example)\n* two\n", &table, &"[".repeat(300_000)] {
            assert_eq!(too_dense(text), None, "{} bytes", text.len());
        }
        assert_eq!(too_dense(&"long prose - with few signs. ".repeat(1_000_000)), None);
    }

    #[test]
    fn what_makes_a_tree_of_nothing_else_is() {
        for (piece, signs) in [
            ("[", 1),
            ("$a$ $a$ ", 1),
            ("\u{202e}", 2),
            ("\u{2067}", 2),
            ("- ", 3),
            ("1) ", 3),
            ("a\r", 5),
            ("- a\n", 6),
            ("> ", 3),
            (">", 3),
            ("a\u{200b}", 2),
            ("\u{7}", 2),
            ("[a](b) ", 4),
            ("[](", 4),
            ("&amp; ", 2),
            ("& ", 1),
            ("a://b ", 1),
        ] {
            assert_eq!(too_dense(&piece.repeat(600_000)), Some(signs * 600_000), "{piece:?}");
        }
    }
}
