//! A claim stands under the name of a source that is not cited there.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;

use memchr::memmem;

use crate::check::Finding;
use crate::markup::Scopes;
use crate::model::Source;
use crate::review::{Review, SupportRef};

rule!(OTHER_TITLE {
    id: "other-title",
    group: Content,
    severity: Warning,
    summary: "a claim names, or stands under, the title of a source that nobody cites there",
    help: "compare the two; names were compared, not meaning",
    explain: r#"The chunks carry no text to compare with, as those of Google Search and Maps do, but the claim, or
the list item or heading it stands under, names the title of a source that nobody cites there, and
not that of the one cited. Often the indices are off by some.

It is known by the titles, whole and apart from case and punctuation. It is silent where titles are
bare domains, where several are named, and where any word of its own of the cited title stands
there, too.

Before, what is sent:

```json
{"content": {"parts": [{"text": "* Stage Door: it is open late.\n* Corner Bakery: it is open late."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"maps": {"uri": "https://maps.example/1", "title": "Corner Bakery"}},
    {"maps": {"uri": "https://maps.example/2", "title": "Stage Door"}}],
  "groundingSupports": [{"segment": {"startIndex": 14, "endIndex": 29, "text": "it is open late"}, "groundingChunkIndices": [0]}]}}
```

After:

```json
{"content": {"parts": [{"text": "* Stage Door: it is open late.\n* Corner Bakery: it is open late."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"maps": {"uri": "https://maps.example/1", "title": "Corner Bakery"}},
    {"maps": {"uri": "https://maps.example/2", "title": "Stage Door"}}],
  "groundingSupports": [{"segment": {"startIndex": 14, "endIndex": 29, "text": "it is open late"}, "groundingChunkIndices": [1]}]}}
```

What to do: open both sources; see whether other citations are off by the same number.
"#,
});

/// Beyond so many sources or bytes of answer titles are not looked for.
const SOURCES_AND_BYTES_MOST: (usize, usize) = (200, 1_000_000);

pub(super) fn check(review: &Review, found: &mut Vec<Finding>) {
    let sources = &review.response.sources;
    let text = review.text();
    // Most answers cite bare domains, or passages that are compared.
    let bare = |source: &Source| !source.has_text() && source.title.as_deref().is_some_and(is_name);
    if sources.len() < 2
        || sources.len() > SOURCES_AND_BYTES_MOST.0
        || text.len() > SOURCES_AND_BYTES_MOST.1
        || !sources.iter().any(bare)
        || review.is_dense()
    {
        return;
    }
    let titles = Titles::of(review);
    if titles.named.is_empty() {
        return;
    }
    let scopes = Scopes::of(text);
    for support in review.supports() {
        found.extend(titles.misnamed(review, support, &scopes));
    }
}

/// Where the titles of sources stand in the answer.
struct Titles {
    /// For each source its title, folded; empty where it is no name.
    folded: Vec<String>,
    /// How often a word stands in titles, once that is asked for.
    words: OnceCell<HashMap<String, usize>>,
    /// Place in the answer and source, by place; of titles within titles the longest.
    named: Vec<(Range<usize>, usize)>,
    answer: Folded,
}

impl Titles {
    fn of(review: &Review) -> Self {
        let sources = &review.response.sources;
        let title = |source: &Source| {
            let title = source.title.as_deref().filter(|title| is_name(title))?;
            Some(folded(title, |_, _| {}))
        };
        let folded: Vec<String> = sources.iter().map(|source| title(source).unwrap_or_default()).collect();
        let answer = Folded::of(review.text());
        let mut named: Vec<(Range<usize>, usize)> = Vec::new();
        for (source, title) in folded.iter().enumerate().filter(|(_, title)| !title.is_empty()) {
            // One word alone is a name only where it is written as one.
            let text = review.text();
            let capital = |range: &Range<usize>| {
                text.get(range.clone()).is_some_and(|words| words.starts_with(char::is_uppercase))
            };
            let single = !title.contains(' ');
            let occurrences = answer.occurrences(title).filter(|range| !single || capital(range));
            named.extend(occurrences.map(|range| (range, source)));
        }
        // The longest of those that begin together comes first; what ends before it lies within it.
        named.sort_by_key(|(range, _)| (range.start, std::cmp::Reverse(range.end)));
        let mut longest = 0..0;
        named.retain(|(range, _)| {
            let within = range.end <= longest.end && *range != longest;
            if range.end > longest.end {
                longest = range.clone();
            }
            !within
        });
        Self { folded, words: OnceCell::new(), named, answer }
    }

    /// Whether a word stands in one title, once.
    fn is_of_one(&self, word: &str) -> bool {
        let words = self.words.get_or_init(|| {
            let mut words: HashMap<String, usize> = HashMap::new();
            for word in self.folded.iter().flat_map(|title| title.split(' ')) {
                *words.entry(word.to_owned()).or_default() += 1;
            }
            words
        });
        words.get(word) == Some(&1)
    }

    /// What a support should rather cite, as a finding.
    fn misnamed(&self, review: &Review, support: SupportRef, scopes: &Scopes) -> Option<Finding> {
        let sources = &review.response.sources;
        let cited = support.cited();
        let silent = |&source: &usize| {
            sources.get(source).is_none_or(Source::has_text)
                || self.folded.get(source).is_none_or(String::is_empty)
        };
        let range = support.range()?;
        if cited.is_empty() || cited.iter().any(silent) {
            return None;
        }
        let claim = std::iter::once((range.clone(), "the claim"));
        let above = scopes.above(range.start).into_iter().map(|scope| (scope, "the passage it stands in"));
        let all: Vec<(Range<usize>, &str)> = claim.chain(above).collect();
        let at = all.iter().position(|(scope, _)| !self.titles_in(scope).is_empty())?;
        let (scope, what) = all.get(at)?;
        let mut there = self.titles_in(scope);
        there.dedup_by_key(|source| self.folded.get(*source));
        let [named] = there[..] else { return None };
        // A word of the cited title may stand in any passage on the way.
        let doubtful = || all.iter().take(at + 1).any(|(scope, _)| self.is_doubtful(&cited, named, scope));
        if cited.contains(&named) || doubtful() {
            return None;
        }
        let key = |source: usize| sources.get(source).and_then(Source::key);
        let cited_there = review.supports().filter(|other| {
            other.range().is_some_and(|other| other.start < scope.end && scope.start < other.end)
        });
        let mut all_cited = cited_there.flat_map(|other| other.cited());
        if all_cited.any(|source| source == named || key(source) == key(named)) {
            return None;
        }
        let title = |source: usize| sources.get(source).map_or("", Source::name);
        let first = *cited.first()?;
        let message = format!(
            "support {}: {what} names “{}”, cited is [{}] {}; [{}] has that title",
            support.index + 1,
            title(named),
            first + 1,
            title(first),
            named + 1
        );
        let finding = Finding::new(&OTHER_TITLE, &support.origin, message);
        Some(finding.supports(vec![support.index]).sources(vec![named]))
    }

    fn titles_in(&self, scope: &Range<usize>) -> Vec<usize> {
        let from = self.named.partition_point(|(range, _)| range.start < scope.start);
        let inside = self.named.iter().skip(from).take_while(|(range, _)| range.start < scope.end);
        inside.filter(|(range, _)| range.end <= scope.end).map(|(_, source)| *source).collect()
    }

    /// Whether a word that only the cited title has stands there too, or one title is part of the other.
    fn is_doubtful(&self, cited: &[usize], named: usize, scope: &Range<usize>) -> bool {
        let folded = |source: usize| self.folded.get(source).map_or("", String::as_str);
        let other = folded(named);
        let scope = self.answer.within(scope);
        let there = |word: &str| scope.split(' ').any(|known| known == word);
        cited.iter().map(|&source| folded(source)).any(|title| {
            let of_its_own = |word: &&str| word.chars().count() > 3 && self.is_of_one(word);
            title.contains(other) || other.contains(title) || title.split(' ').filter(of_its_own).any(there)
        })
    }
}

/// Bytes of a title that a claim may name.
const LONGEST: usize = 1024;

/// Whether a title is a name, and no bare domain.
fn is_name(title: &str) -> bool {
    let title = title.trim();
    title.len() <= LONGEST
        && title.chars().filter(|c| c.is_alphanumeric()).count() >= 4
        && (title.contains(char::is_whitespace) || !title.contains('.'))
}

/// A text in lower case with one blank for all that is no letter or digit. Behind each character that was
/// read `from` is told how long it is, and where the character stands.
fn folded(text: &str, mut from: impl FnMut(usize, usize)) -> String {
    let mut out = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        if c.is_ascii_alphanumeric() {
            out.push(c.to_ascii_lowercase());
        } else if matches!(c, '\'' | '’') {
            continue;
        } else if c.is_alphanumeric() {
            out.extend(c.to_lowercase());
        } else if !out.is_empty() && !out.ends_with(' ') {
            out.push(' ');
        }
        from(out.len(), at);
    }
    out.truncate(out.trim_end().len());
    out
}

/// The same, and where its bytes came from.
struct Folded {
    text: String,
    from: Vec<usize>,
}

impl Folded {
    fn of(text: &str) -> Self {
        let mut from = Vec::with_capacity(text.len());
        let text = folded(text, |length, at| from.resize(length, at));
        from.truncate(text.len());
        Self { text, from }
    }

    /// Whole words only, as bytes of the original text.
    fn occurrences<'a>(&'a self, words: &'a str) -> impl Iterator<Item = Range<usize>> + 'a {
        let bytes = self.text.as_bytes();
        memmem::find_iter(bytes, words).filter_map(move |at| {
            let end = at + words.len();
            let open = at.checked_sub(1).is_none_or(|before| bytes.get(before) == Some(&b' '));
            let closed = bytes.get(end).is_none_or(|next| *next == b' ');
            let last = self.from.get(end - 1).map_or(0, |last| last + 1);
            (open && closed).then_some(*self.from.get(at)?..last)
        })
    }

    /// The words of a stretch of the original text.
    fn within(&self, range: &Range<usize>) -> &str {
        let from = self.from.partition_point(|&at| at < range.start);
        let to = self.from.partition_point(|&at| at < range.end);
        self.text.get(from..to).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::check::testing::{cited, fires, silent};

    const ANSWER: &str = "* **Stage Door Pizzeria** is cheap. It is open late.\n* **Joe’s Pizza** is good.\n";

    fn places(titles: &[&str]) -> serde_json::Value {
        titles
            .iter()
            .map(|title| json!({"maps": {"uri": format!("https://m.example/{title}"), "title": title}}))
            .collect()
    }

    #[test]
    fn the_bullet_names_another_place() {
        let chunks = || places(&["Joe's Pizza", "Stage Door Pizzeria"]);
        fires(&OTHER_TITLE, &cited(ANSWER, &[("It is open late.", &[0])], chunks()));
        silent(&OTHER_TITLE, &cited(ANSWER, &[("It is open late.", &[1])], chunks()));
        // Somebody cites it there.
        let both = cited(ANSWER, &[("is cheap.", &[1]), ("It is open late.", &[0])], chunks());
        silent(&OTHER_TITLE, &both);
    }

    #[test]
    fn in_doubt_it_is_silent() {
        let sent = |titles: &[&str]| cited(ANSWER, &[("It is open late.", &[0])], places(titles));
        silent(&OTHER_TITLE, &sent(&["Stage Door", "Stage Door Pizzeria"]));
        silent(&OTHER_TITLE, &sent(&["Late Pizza", "Stage Door Pizzeria"]));
        silent(&OTHER_TITLE, &sent(&["joes.example", "stage.example"]));
        let long = "* Stage Door Pizzeria and Corner Bakery. It is open late.";
        let three = places(&["Joe's Pizza", "Stage Door Pizzeria", "Corner Bakery"]);
        silent(&OTHER_TITLE, &cited(long, &[("It is open late.", &[0])], three));
        // A word of the cited title stands in the paragraph, the other title in the heading.
        let under = "# Rome\n\nThe Trevi is open daily.\n";
        let trevi = places(&["Fontana di Trevi piazza", "Rome"]);
        silent(&OTHER_TITLE, &cited(under, &[("open daily.", &[0])], trevi));
        // One common word is no name.
        let hotel = "The hotel has a museum nearby.";
        silent(&OTHER_TITLE, &cited(hotel, &[(hotel, &[0])], places(&["Grand Plaza", "Museum"])));
    }
}
