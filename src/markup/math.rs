//! Formulas in the text of an answer: `$x$`, `$$x$$`, `\(x\)`, `\[x\]`, `\begin{align}x\end{align}`.
//! `CommonMark` knows none of them, many renderers do.

use std::ops::Range;

use memchr::memmem;

use super::code::{code_spans, contains};

/// Bytes in which a formula must end.
const FORMULA_LIMIT_BYTES: usize = 2000;

/// The formulas of a text; `in_text` says of a dollar whether it stands in running text. Prices are no
/// formulas: what stands between the dollars of one neither begins nor ends with a blank, has no dollar
/// itself nor several words of prose, and no digit follows.
pub(super) fn formulas(text: &str, in_text: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while let Some(step) = memchr::memchr2(b'$', b'\\', bytes.get(at..).unwrap_or_default()) {
        let start = at + step;
        at = start + 1;
        let ending = environment(text, start).map(|name| ["\\end{", name, "}"].concat());
        let (open, close): (&str, &str) = match (bytes.get(start), bytes.get(start + 1)) {
            (Some(b'\\'), Some(b'(')) => ("\\(", "\\)"),
            (Some(b'\\'), Some(b'[')) => ("\\[", "\\]"),
            (Some(b'\\'), Some(_)) => {
                let Some(ending) = &ending else {
                    at = start + 2;
                    continue;
                };
                (BEGIN, ending)
            }
            (Some(b'$'), Some(b'$')) => ("$$", "$$"),
            (Some(b'$'), Some(_)) => ("$", "$"),
            _ => continue,
        };
        if open.starts_with('$') && !in_text(start) {
            continue;
        }
        match end(text, start, (open, close), &in_text) {
            Some(end) => {
                found.push(start..end);
                at = end;
            }
            None => at = start + open.len(),
        }
    }
    found
}

/// What begins an environment of LaTeX.
const BEGIN: &str = "\\begin{";

/// The name of the environment that begins at a byte.
fn environment(text: &str, start: usize) -> Option<&str> {
    let rest = text.get(start..)?.strip_prefix(BEGIN)?;
    let length = rest.bytes().take_while(|byte| byte.is_ascii_alphabetic() || *byte == b'*').count();
    let (name, behind) = rest.split_at_checked(length)?;
    (length > 0 && behind.starts_with('}')).then_some(name)
}

/// Whether a formula is fenced as code is, by signs that stand alone in their lines: what stands behind the
/// last of them ends none to renderers.
pub(super) fn is_fenced(text: &str, formula: &Range<usize>) -> bool {
    let inner = text.get(formula.clone()).and_then(|words| words.strip_prefix("$$")?.strip_suffix("$$"));
    let alone = inner.is_some_and(|inner| {
        let opens = inner.split('\n').next().is_some_and(|first| first.trim().is_empty());
        opens && inner.contains('\n') && inner.rsplit('\n').next().is_some_and(|last| last.trim().is_empty())
    });
    // The line behind it may be long: it is asked last.
    let behind = || text.get(formula.end..).and_then(|rest| rest.split('\n').next());
    alone && behind().is_some_and(|rest| rest.trim().is_empty())
}

/// Code and formulas of a text, in order, with their signs: nothing in them is a mark.
pub fn verbatim(text: &str) -> Vec<Range<usize>> {
    let mut out = code_spans(text);
    if memchr::memchr2(b'$', b'\\', text.as_bytes()).is_none() {
        return out;
    }
    let found = formulas(text, |at| !contains(&out, at));
    let apart: Vec<_> = found.into_iter().filter(|range| !contains(&out, range.start)).collect();
    out.extend(apart);
    out.sort_unstable_by_key(|range| range.start);
    out
}

/// The library's own search steps through a text byte by byte, and each sign may look at two kilobytes.
fn find(text: &str, sought: &str) -> Option<usize> {
    memmem::find(text.as_bytes(), sought.as_bytes())
}

/// Where a formula that begins here ends.
fn end(
    text: &str,
    start: usize,
    (open, close): (&str, &str),
    in_text: &impl Fn(usize) -> bool,
) -> Option<usize> {
    let inner = start + open.len();
    let limit = text.floor_char_boundary(inner + FORMULA_LIMIT_BYTES);
    let rest = text.get(inner..limit)?;
    let rest = find(rest, "\n\n").map_or(rest, |end| rest.get(..end).unwrap_or_default());
    if open != "$" {
        return find(rest, close).filter(|&length| length > 0).map(|length| inner + length + close.len());
    }
    let word_before =
        text.get(..start).and_then(|before| before.chars().next_back()).is_some_and(char::is_alphanumeric);
    if word_before || rest.starts_with(char::is_whitespace) {
        return None;
    }
    let before = |length: usize| rest.get(..length).and_then(|inner| inner.chars().next_back());
    let mut dollars = rest.match_indices('$').map(|(length, _)| length);
    let length = dollars.find(|&length| before(length) != Some('\\'))?;
    let doubled = rest.get(length + 1..).is_some_and(|behind| behind.starts_with('$'));
    if doubled || before(length).is_none_or(char::is_whitespace) || !in_text(inner + length) {
        return None;
    }
    let is_word = |word: &&str| word.chars().count() > 1 && word.chars().all(char::is_alphabetic);
    let words = rest.get(..length).unwrap_or_default();
    if !words.contains('\\') && words.split_whitespace().filter(is_word).count() > 1 {
        return None;
    }
    let after = text.get(inner + length + 1..).and_then(|after| after.chars().next());
    (!after.is_some_and(|c| c.is_ascii_digit())).then_some(inner + length + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_found_and_prices_are_not() {
        let found = |text: &str| {
            formulas(text, |_| true).into_iter().map(|range| text[range].to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(
            found("so $a^2$ and $$\nb\n$$, \\(c\\) or \\[d\\]."),
            ["$a^2$", "$$\nb\n$$", "\\(c\\)", "\\[d\\]"]
        );
        assert_eq!(
            found("so\n\\begin{align*}\na &= b \\\\\nc &= d\n\\end{align*}\nand \\begin{x} \\begin{} \\beta"),
            ["\\begin{align*}\na &= b \\\\\nc &= d\n\\end{align*}"]
        );
        assert_eq!(found("costs $100. It is:\n$$PV = 100$$\nDone."), ["$$PV = 100$$"]);
        assert_eq!(found("$5 in May, $7 in June: $r = 7$ or $\\$5$ here"), ["$r = 7$", "$\\$5$"]);
        for text in [
            "from $5 to $10 a day",
            "US$5–US$6",
            "It earned $5 in May. It lost $7 in June.",
            "$100 today.\n$$",
            "$5, $6 and $7",
            "a $ b $ c",
            "$x\n\ny$",
            "cost $3",
            "\\$a$b",
            "$",
            "\\",
        ] {
            assert_eq!(found(text), Vec::<String>::new(), "{text}");
        }
    }
}
