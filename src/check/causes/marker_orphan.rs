//! Citation markers that the model wrote into the answer itself and that name no source.

use std::collections::HashSet;
use std::ops::Range;

use crate::check::Finding;
use crate::check::context::Context;
use crate::check::finding::is_whole_answer;
use crate::json::is_document;
use crate::markup::contains;
use crate::model::{AnchorKind, Target};
use crate::review::{Review, SupportRef};
use crate::text::{is_clause_stop, listed_numbers, plural};

rule!(MARKER_ORPHAN {
    id: "marker-orphan",
    group: Answer,
    severity: Warning,
    summary: "a citation marker in the answer names no source",
    help: "the model wrote it, or the metadata was lost on the way",
    explain: r#"The answer holds citation markers that name no source of the response: `[9, 16]`, `[cite: 5]`,
`[cite_start]`. The model wrote them as text, from a pattern it learned, or the metadata that
they refer to was lost on the way. A reader takes them for citations.

It is known by the numbers: none of the sources has one. Links, footnotes, code, lists in prose
and numbers that the answer itself explains in a list are left alone.

Before, what is sent:

```json
{"content": {"parts": [{"text": "Rio opens at nine [4]. It closes at ten [cite: 7]."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 50, "text": "Rio opens at nine [4]. It closes at ten [cite: 7]."},
    "groundingChunkIndices": [0]}]}}
```

After:

```json
{"content": {"parts": [{"text": "Rio opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 36, "text": "Rio opens at nine. It closes at ten."},
    "groundingChunkIndices": [0]}]}}
```

What to do: take them out of what you show, and look whether the metadata reached you whole.
"#,
});

/// Markers that the message shows at most.
const SHOWN: usize = 6;

/// A marker as models write them.
struct Marker {
    range: Range<usize>,
    /// Numbers it names; none where it can name no source.
    numbers: Vec<usize>,
}

pub(super) fn check(review: &Review, context: &Context, found: &mut Vec<Finding>) {
    let response = &review.response;
    let text = response.text();
    // In JSON a bracket is a list.
    if is_document(text) || !is_whole_answer(response) {
        return;
    }
    let sources = response.sources.len();
    let is_text_marker = |support: &SupportRef| support.kind == AnchorKind::TextMarker;
    let places = if review.supports().any(|support| is_text_marker(&support)) {
        let orphan = |support: &SupportRef| {
            is_text_marker(support) && support.citations.iter().any(|one| one.target.source().is_none())
        };
        review.supports().filter(orphan).flat_map(|support| blamed(text, support)).collect()
    } else {
        let mut places = orphans(text, |at| contains(context.code(), at), sources);
        // What an annotation says is a mark names its source there.
        let mut marks: Vec<_> =
            review.supports().filter_map(|support| support.anchor().mark.clone()).collect();
        marks.sort_unstable_by_key(|mark| mark.start);
        places.retain(|place| {
            let before = marks.partition_point(|mark| mark.start <= place.start);
            before.checked_sub(1).and_then(|last| marks.get(last)).is_none_or(|mark| place.end > mark.end)
        });
        places
    };
    if places.is_empty() {
        return;
    }
    let mut shown: Vec<&str> = Vec::new();
    for words in places.iter().filter_map(|range| text.get(range.clone())) {
        if shown.len() < SHOWN && !shown.contains(&words) {
            shown.push(words);
        }
    }
    let markers = plural(places.len(), "marker in the answer names", "markers in the answer name");
    let there =
        if sources == 0 { "the response has none".to_owned() } else { format!("the response has {sources}") };
    let message = format!("{markers} no source: {} ({there})", review.sent.told(&shown.join(" ")));
    found.push(Finding::new(&MARKER_ORPHAN, &response.origin, message).places(places));
}

/// Of a group of markers those that name no source.
fn blamed(text: &str, support: SupportRef) -> Vec<Range<usize>> {
    let Some(group) = support.named() else { return Vec::new() };
    let lost: HashSet<usize> = support
        .citations
        .iter()
        .filter_map(|one| if let Target::Dangling(sent) = &one.target { sent.parse().ok() } else { None })
        .collect();
    let words = text.get(group.clone()).unwrap_or_default();
    let each = markers(words, |_| false);
    let own = each.filter(|marker| marker.numbers.iter().any(|number| lost.contains(number)));
    let own: Vec<_> =
        own.map(|marker| group.start + marker.range.start..group.start + marker.range.end).collect();
    if own.is_empty() { vec![group] } else { own }
}

/// Markers that name no source, nor an entry of a list that the model wrote itself: `[3] Some title`, a line
/// each.
fn orphans(text: &str, in_code: impl Fn(usize) -> bool, sources: usize) -> Vec<Range<usize>> {
    let begins_line = |range: &Range<usize>| {
        text.get(..range.start).is_some_and(|before| before.is_empty() || before.ends_with('\n'))
    };
    // Models count from 1, and some from 0.
    let is_beyond = |number: &usize| *number == 0 && sources == 0 || *number > sources;
    let (mut own, mut some) = (HashSet::new(), false);
    for marker in markers(text, &in_code) {
        some |= marker.numbers.is_empty() || marker.numbers.iter().any(is_beyond);
        if begins_line(&marker.range) {
            own.extend(marker.numbers);
        }
    }
    // Once more, rather than to keep all of them: a text may be full of them.
    let is_missing = |number: &usize| is_beyond(number) && !own.contains(number);
    let orphan = |marker: &Marker| marker.numbers.is_empty() || marker.numbers.iter().any(is_missing);
    let again = some.then(|| markers(text, &in_code)).into_iter().flatten();
    again.filter(orphan).map(|marker| marker.range).collect()
}

/// The markers of a text outside its code, in order. Where its code is takes time: it is asked last.
fn markers(text: &str, in_code: impl Fn(usize) -> bool) -> impl Iterator<Item = Marker> {
    let mut previous = 0;
    memchr::memchr3_iter(b'[', 0xE3, 0xEE, text.as_bytes()).filter_map(move |at| {
        let rest = text.get(at..)?;
        let word = text.get(..at).and_then(|before| before.chars().next_back());
        let in_word = word.is_some_and(|c| c.is_alphanumeric() || c == '_');
        // Behind a word these are an index or a link of a wiki.
        let other = rest.starts_with("[[") || rest.starts_with("[doc");
        if at < previous || other && in_word {
            return None;
        }
        let (length, numbers) = match marker(rest) {
            Some(found) if rest.starts_with('[') => {
                // A link, a footnote, the second half of `[text][1]`, an element of a list in prose.
                let after = rest.get(found.0..).unwrap_or_default();
                let linked = after.starts_with(['(', ':'])
                    || text.get(..at).is_some_and(|before| {
                        before.ends_with('[') || before.ends_with(']') && previous != at
                    });
                let several = found.1.len() > 1 && !rest.starts_with("[cite");
                let index = rest.as_bytes().get(1).is_some_and(u8::is_ascii_digit)
                    && text.get(..at).is_some_and(ends_with_variable);
                let listed = (several || index) && !ends_clause(after);
                if linked || listed {
                    return None;
                }
                found
            }
            found => found?,
        };
        if in_code(at) {
            return None;
        }
        previous = at + length;
        Some(Marker { range: at..previous, numbers })
    })
}

/// Whether a text ends with what only code calls something: a single letter, `my_list`, `rowCount`.
fn ends_with_variable(text: &str) -> bool {
    let of_word = |c: char| c.is_alphanumeric() || c == '_';
    let word = text.get(text.trim_end_matches(of_word).len()..).unwrap_or_default();
    let camel = word.starts_with(char::is_lowercase) && word.contains(char::is_uppercase);
    camel || word.contains('_') || word.len() == 1 && word.starts_with(|c: char| c.is_ascii_lowercase())
}

/// Whether a clause may end before `after`, as it does where a marker stands.
fn ends_clause(after: &str) -> bool {
    let next = after.trim_start_matches(' ').chars().next();
    next.is_none_or(|c| {
        is_clause_stop(c)
            || matches!(c, '\n' | '\r' | ')' | '[')
            || after.starts_with(' ') && c.is_uppercase()
    })
}

/// Length and numbers of a marker at the beginning: `[9]`, `[9, 16]`, `[cite: 5, 7]`, `[cite_start]`,
/// `【4†source】`.
fn marker(text: &str) -> Option<(usize, Vec<usize>)> {
    if let Some(rest) = text.strip_prefix('【') {
        let end = rest.char_indices().take(40).find(|&(_, c)| c == '】')?.0;
        let inner = rest.get(..end)?;
        let length = '【'.len_utf8() + end + '】'.len_utf8();
        if inner.contains('†') && inner.starts_with(|c: char| c.is_ascii_digit()) {
            return Some((length, Vec::new()));
        }
        return numbers(inner).map(|numbers| (length, numbers));
    }
    // As a model writes them for programs of its maker, in signs of private use.
    if let Some(rest) = text.strip_prefix('\u{E200}') {
        let end = rest.char_indices().take(MOST).find(|&(_, c)| c == '\u{E201}')?.0;
        return Some((end + 2 * '\u{E200}'.len_utf8(), Vec::new()));
    }
    let rest = text.strip_prefix('[')?;
    if rest.starts_with('[') && !rest.starts_with("[[") {
        let (length, numbers) = marker(rest)?;
        let after = rest.get(length..)?.strip_prefix(']')?;
        return (!after.starts_with('(')).then_some((length + 2, numbers));
    }
    let end = rest.bytes().take(64).position(|byte| byte == b']')?;
    let inner = rest.get(..end)?;
    let length = end + 2;
    if matches!(inner, "cite_start" | "cite_end") {
        return Some((length, Vec::new()));
    }
    // `[^4]` is a footnote of Markdown, `[^4^]` none.
    let raised = inner.strip_prefix('^').and_then(|inner| inner.strip_suffix('^'));
    let list = raised.or_else(|| PREFIXES.iter().find_map(|prefix| inner.strip_prefix(prefix)));
    numbers(list.unwrap_or(inner)).map(|numbers| (length, numbers))
}

/// Characters of such a marker.
const MOST: usize = 256;

/// What models write before a number.
const PREFIXES: [&str; 6] = ["cite:", "citation:", "source:", "ref:", "web:", "doc"];

/// `4`, `4, 5`, `4; 5`.
fn numbers(list: &str) -> Option<Vec<usize>> {
    let number = |word: &str| {
        let word = word.trim();
        let digits = (1..=3).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit());
        word.parse().ok().filter(|_| digits)
    };
    listed_numbers(list).map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{fires, silent, whole};
    use crate::markup::code_spans;

    #[test]
    fn links_lists_and_code_are_no_markers() {
        let shown = |text: &str| -> Vec<String> {
            let code = code_spans(text);
            markers(text, |at| contains(&code, at)).map(|marker| text[marker.range].to_owned()).collect()
        };
        assert_eq!(shown("Ruby is a language.[1][3] It is old [9, 16]."), ["[1]", "[3]", "[9, 16]"]);
        assert_eq!(
            shown("[cite_start]It rose.[cite: 5] 【4†source】 [cite: 1, 2]x"),
            ["[cite_start]", "[cite: 5]", "【4†source】", "[cite: 1, 2]"]
        );
        assert_eq!(
            shown("see [1](https://a.example), [the list][2], [^3], [2024], [0.5], `a[0]`, [x], [[1]](u)"),
            [""; 0]
        );
        assert_eq!(shown("It rose [doc2]. It fell [[3]]."), ["[doc2]", "[[3]]"]);
        assert_eq!(
            shown("a 【5】 b [citation:1] c [^4^] d [source:3] e [web:3] f [ref:x] g [^4] h 【x】"),
            ["【5】", "[citation:1]", "[^4^]", "[source:3]", "[web:3]"]
        );
        assert_eq!(shown("where my_list[3] and rowCount[2] and a[0] hold"), [""; 0]);
        assert_eq!(
            shown("Paris[1] is one, Lyon[citation:2] and Nice[cite:3] are others, old[4] is none"),
            ["[1]", "[citation:2]", "[cite:3]", "[4]"]
        );
        assert_eq!(shown("the list [1, 2, 3] is sorted"), [""; 0]);
        assert_eq!(shown("```\na[1]\n"), [""; 0]);
        assert_eq!(shown("It is old [1; 9]. Öl [1、9]。"), ["[1; 9]", "[1、9]"]);
        let cited = "It is big \u{E200}cite\u{E202}turn0search1\u{E201}.";
        assert_eq!(shown(cited), ["\u{E200}cite\u{E202}turn0search1\u{E201}"]);
    }

    #[test]
    fn numbers_in_brackets_that_cite_nothing_are_no_markers() {
        let prose = "It opens at nine [1]. The year [2024], the range [0.5], `list[3]`, [a \
            link](https://rio.example/hours).";
        silent(&MARKER_ORPHAN, &whole(prose));
        silent(&MARKER_ORPHAN, &whole("It opens at nine [3].\n\n[3] The hours of the Rio"));
        silent(&MARKER_ORPHAN, &whole("The list [4, 5, 6] is sorted."));
        silent(&MARKER_ORPHAN, &whole(r#"{"a": [7], "b": "It is [9]."}"#));
        silent(&MARKER_ORPHAN, &whole(r#"[{"a": [7]"#));
        for begins in ["[Rio](https://rio.example/hours)", "[Note] Rio", "{x} Rio", "[1] says Rio"] {
            fires(&MARKER_ORPHAN, &whole(&format!("{begins} opens at nine [9].")));
        }
    }
}
