//! The thought that opens a text, as models write it whose service does not keep it apart.

use crate::anchor::Units;
use crate::model::Unit;

/// The thought of a text, and the rest: it opens it with `<think>`, or the template of the model did and
/// `</think>` is a line. What is never closed is thought.
fn thought(text: &str) -> (Option<&str>, &str) {
    let Some(rest) = text.trim_start().strip_prefix("<think>") else {
        return match text.split_once("\n</think>\n") {
            Some((thought, answer)) if !thought.contains("<think>") && !is_in_fence(thought) => {
                (Some(thought), answer)
            }
            _ => (None, text),
        };
    };
    match rest.split_once("</think>") {
        Some((thought, answer)) => (Some(thought), answer),
        None => (Some(rest), ""),
    }
}

/// Whether a text ends within a block of code, in which an answer may show such a line.
fn is_in_fence(text: &str) -> bool {
    let is_fence = |line: &&str| line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~");
    text.lines().filter(is_fence).count() % 2 == 1
}

/// Takes the thought that opens an answer out of its texts, wherever they cut it. Where ranges, in
/// characters, count in all that was sent it is left where it is: they are right.
pub fn take_thought(texts: &mut [&mut String], ranges: &[(usize, usize)]) -> Option<String> {
    let begun = texts.iter().find(|text| !text.trim().is_empty())?.trim_start().starts_with('<');
    if !begun && !texts.iter().any(|text| text.contains("think>") || text.contains("</")) {
        return None;
    }
    let all: String = texts.iter().map(|text| text.as_str()).collect();
    let (found, rest) = thought(&all);
    let found = found.filter(|_| !count_in(&all, rest, ranges))?;
    let mut gone = all.len() - rest.len();
    for text in texts {
        let own = gone.min(text.len());
        text.drain(..own);
        gone -= own;
    }
    Some(found.to_owned())
}

/// Whether ranges count in all of a text rather than in the rest of it.
fn count_in(all: &str, rest: &str, ranges: &[(usize, usize)]) -> bool {
    if ranges.is_empty() {
        return false;
    }
    let fits = |text: &str| {
        let units = Units::of(text);
        ranges.iter().map(|range| fit(text, &units, *range)).sum::<usize>()
    };
    fits(all) > fits(rest)
}

/// How well a range fits a text: what stands there begins and ends with a word, or is a mark.
fn fit(text: &str, units: &Units, (start, end): (usize, usize)) -> usize {
    let byte = |place: usize| units.byte(Unit::Characters, place).ok();
    let Some((start, end)) = byte(start).zip(byte(end)) else { return 0 };
    let (before, behind) = (text.get(..start).unwrap_or_default(), text.get(end..).unwrap_or_default());
    let own = text.get(start..end).unwrap_or_default();
    let cuts = |one: Option<char>, next: Option<char>| {
        one.is_some_and(char::is_alphanumeric) && next.is_some_and(char::is_alphanumeric)
    };
    let cut = cuts(before.chars().next_back(), own.chars().next())
        || cuts(own.chars().next_back(), behind.chars().next());
    match own {
        _ if own.trim() != own || own.is_empty() || cut => 0,
        _ if own.starts_with(['[', '(']) && own.ends_with([']', ')']) => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_may_cut_the_thought_that_opens_them() {
        for (sent, found, rest) in [
            (["<think>a</think>b", "c"], Some("a"), ["b", "c"]),
            (["\n<thi", "nk>a</think>b"], Some("a"), ["", "b"]),
            (["<think>a", "b"], Some("ab"), ["", ""]),
            (["", "<think>a</think>b"], Some("a"), ["", "b"]),
            (["a\n</th", "ink>\n\nb"], Some("a"), ["", "\nb"]),
            (["b", "<think>a</think>"], None, ["b", "<think>a</think>"]),
            (["a </think> b", "c"], None, ["a </think> b", "c"]),
            (["<b>", "a"], None, ["<b>", "a"]),
            (["a\n```xml\n</think>\n```\n", "b"], None, ["a\n```xml\n</think>\n```\n", "b"]),
            (["a\n```\nx\n```\n</think>\nb", "c"], Some("a\n```\nx\n```"), ["b", "c"]),
        ] {
            let mut texts = sent.map(str::to_owned);
            let [first, second] = &mut texts;
            assert_eq!(take_thought(&mut [first, second], &[]).as_deref(), found, "{sent:?}");
            assert_eq!(texts, rest);
        }
    }

    #[test]
    fn where_ranges_count_in_it_the_thought_is_left() {
        let sent = "<think>Hm.</think>Rio opens ([a](b)). It is.";
        for (ranges, is_left) in
            [(&[(28, 36)][..], true), (&[(10, 18)], false), (&[(18, 27)], true), (&[(90, 99)], false)]
        {
            let mut text = sent.to_owned();
            assert_eq!(take_thought(&mut [&mut text], ranges).is_none(), is_left, "{ranges:?}");
        }
    }
}
