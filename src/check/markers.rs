//! Markdown code in an answer: what stands there is neither a marker nor an address.

use std::ops::Range;

/// Stretches of Markdown code, in order.
pub(super) fn code(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut out = Vec::new();
    let mut from = 0;
    while let Some(open) = memchr::memchr(b'`', bytes.get(from..).unwrap_or_default()).map(|at| from + at) {
        let run = ticks(bytes, open);
        let inside = open + run;
        let rest = bytes.get(inside..).unwrap_or_default();
        // A block goes on to the next fence or the end, a piece of code ends on its line.
        let reach = if run >= 3 { rest.len() } else { memchr::memchr(b'\n', rest).unwrap_or(rest.len()) };
        let mut at = inside;
        let mut close = None;
        while let Some(next) = memchr::memchr(b'`', bytes.get(at..inside + reach).unwrap_or_default()).map(|next| at + next) {
            let length = ticks(bytes, next);
            at = next + length;
            if length == run || run >= 3 && length >= 3 {
                close = Some(at);
                break;
            }
        }
        let end = close.or((run >= 3).then_some(text.len()));
        out.extend(end.map(|end| open..end));
        from = end.unwrap_or(inside);
    }
    out
}

fn ticks(bytes: &[u8], at: usize) -> usize {
    bytes.get(at..).unwrap_or_default().iter().take_while(|&&byte| byte == b'`').count()
}

pub(super) fn is_inside(ranges: &[Range<usize>], at: usize) -> bool {
    let next = ranges.partition_point(|range| range.start <= at);
    next.checked_sub(1).and_then(|last| ranges.get(last)).is_some_and(|range| at < range.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_ends_with_its_own_ticks() {
        assert_eq!(code("a `b` c ``d ` e`` f"), [2..5, 8..17]);
        assert_eq!(code("a ` b\n`c` `d`"), [6..9, 10..13]);
        assert_eq!(code("```\nx\n``` `y`"), [0..9, 10..13]);
        assert_eq!(code("`a` ````\nx"), [0..3, 4..10]);
    }
}
