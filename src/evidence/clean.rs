//! The claim without list marks, `[n]` marks and addresses: they are not content.

use std::ops::Range;

use super::numbers::year_ranges;
use super::rewrite::Rewrite;
use crate::text::chars::{char_at, is_decimal, is_space, skip};

/// The claim with every list mark at a line start, every `[n]` mark and every address replaced by a space; of
/// a link its words stay.
pub(crate) fn clean(text: &str) -> Rewrite {
    let mut made = Rewrite::default();
    let (mut at, mut kept, mut run_end) = (0, 0, 0);
    let mut addresses = addresses(text).peekable();
    loop {
        let next = next_place(text, at);
        while addresses.next_if(|address| address.end <= at).is_some() {}
        // The words of a link may be a mark.
        let comes = |address: &Range<usize>| next.is_none_or(|next| address.start.max(at) < next);
        if let Some(address) = addresses.next_if(comes) {
            let address = address.start.max(at)..address.end;
            made.keep(text, kept..address.start);
            made.replace(address.clone(), " ");
            (at, kept) = (address.end, address.end);
            continue;
        }
        let Some(place) = next else { break };
        let mark = if text.as_bytes().get(place) == Some(&b'[') && !is_line_start(text, place) {
            reference(text, place)
        } else {
            if run_end <= place {
                run_end = skip(text, place, is_space);
            }
            list_mark(text, run_end).or_else(|| reference(text, place))
        };
        at = place + 1;
        if let Some(end) = mark {
            made.keep(text, kept..place);
            made.replace(place..end, " ");
            (at, kept) = (end, end);
        } else if let Some(c) = char_at(text, place) {
            at = place + c.len_utf8();
        }
    }
    made.keep(text, kept..text.len());
    made
}

/// The addresses of a text, in order: of a link with the bracket that ends its words, up to its own end.
fn addresses(text: &str) -> impl Iterator<Item = Range<usize>> {
    let ends = |c: char| is_space(c) || matches!(c, '<' | '>' | '"' | ')');
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            let at = from + memchr::memmem::find(text.as_bytes().get(from..)?, b"://")?;
            let rest = text.get(at..)?;
            let end = at + rest.find(ends).unwrap_or(rest.len());
            let scheme = text.get(from..at)?.trim_end_matches(|c: char| c.is_ascii_alphabetic());
            let (begun, start) = (from, from + scheme.len());
            from = end.max(at + 3);
            if start == at {
                continue;
            }
            let link = text.get(begun..start)?.ends_with("](") && text.get(end..)?.starts_with(')');
            return Some(if link { start - 2..end + 1 } else { start..end });
        }
    })
}

/// The claim with year ranges such as 2018–19 written out as two years.
pub(crate) fn expand_years(text: &str) -> Option<Rewrite> {
    let mut ranges = year_ranges(text).peekable();
    ranges.peek()?;
    let mut made = Rewrite::default();
    let mut kept = 0;
    for years in ranges {
        made.keep(text, kept..years.first.end);
        made.replace(years.first.end..years.last.start, " ");
        made.replace(years.last.clone(), text.get(years.century).unwrap_or(""));
        made.keep(text, years.last.clone());
        kept = years.last.end;
    }
    made.keep(text, kept..text.len());
    Some(made)
}

fn is_line_start(text: &str, at: usize) -> bool {
    at.checked_sub(1).is_none_or(|before| text.as_bytes().get(before) == Some(&b'\n'))
}

/// The next line start or `[`, not before `at`.
fn next_place(text: &str, at: usize) -> Option<usize> {
    if at < text.len() && is_line_start(text, at) {
        return Some(at);
    }
    let found = at + memchr::memchr2(b'\n', b'[', text.as_bytes().get(at..)?)?;
    if text.as_bytes().get(found) == Some(&b'[') {
        return Some(found);
    }
    (found + 1 < text.len()).then_some(found + 1)
}

/// The end of a list mark whose sign stands at `at`: `1.`, `2)`, `-`, `*`, `•`, and the white space after it.
fn list_mark(text: &str, at: usize) -> Option<usize> {
    let first = char_at(text, at)?;
    let mut after = at + first.len_utf8();
    if is_decimal(first) {
        if let Some(second) = char_at(text, after).filter(|c| is_decimal(*c)) {
            after += second.len_utf8();
        }
        char_at(text, after).filter(|c| matches!(c, '.' | ')'))?;
        after += 1;
    } else if !matches!(first, '-' | '*' | '\u{2022}') {
        return None;
    }
    let end = skip(text, after, is_space);
    (end > after).then_some(end)
}

/// The end of `[1]` or `[1, 2]` at `at`.
fn reference(text: &str, at: usize) -> Option<usize> {
    let mut sign = char_at(text, at).filter(|c| *c == '[')?;
    let mut end = at;
    while sign != ']' {
        let mut from = end + sign.len_utf8();
        if sign == ',' {
            from = skip(text, from, is_space);
        }
        end = skip(text, from, is_decimal);
        if end == from {
            return None;
        }
        sign = char_at(text, end).filter(|c| matches!(c, ',' | ']'))?;
    }
    // A quantity that is linked is words.
    let inner = text.get(at + 1..end)?;
    let is_quantity = inner.len() > 3 && !inner.contains(", ") && text.get(end + 1..)?.starts_with('(');
    (!is_quantity).then_some(end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_become_a_space() {
        for (text, expected) in [
            ("1. Boil water.", " Boil water."),
            ("Steps:\n  2) Stir\n- cool\n\n * serve", "Steps:\n Stir\n cool\n serve"),
            ("Tea is hot [1][2, 3].", "Tea is hot   ."),
            ("[4] Tea", "  Tea"),
            ("[x] [1,] [1 2] 5. stays", "[x] [1,] [1 2] 5. stays"),
            ("123. stays", "123. stays"),
            ("- ", " "),
            ("-", "-"),
            ("• 1. twice", " 1. twice"),
            ("\n\n1.\n2. both", "  both"),
            ("", ""),
            (
                "The [fair](https://a.example/2024/07/x-8) is [1](https://a.example/1) old",
                "The [fair  is    old",
            ),
            ("See https://a.example/19?x=2, and (http://b.example/7) 3://4 5", "See   and ( ) 3://4 5"),
            ("It is [42,000](https://a.example/1), [1999](https://b.example/)", "It is [42,000 , [1999 "),
            ("![map](https://a.example/2019.png)\n1. x", "![map \n x"),
        ] {
            assert_eq!(clean(text).text, expected, "{text:?}");
        }
    }

    #[test]
    fn years_lead_back_to_their_digits() {
        let made = expand_years("the 2018–19 season").unwrap();
        assert_eq!(made.text, "the 2018 2019 season");
        assert_eq!(made.origin(9..13), 11..13);
        assert_eq!(made.origin(4..8), 4..8);
    }

    #[test]
    fn what_is_no_year_range_stays() {
        for text in [
            "2018-2019",
            "1418-19",
            "12018-19",
            "2018-19a",
            "2018-190",
            "pages 20-18",
            "2018-1",
            "2024-05-06",
        ] {
            assert!(expand_years(text).is_none(), "{text}");
        }
        assert!(expand_years("1999 — 00").is_some());
    }
}
