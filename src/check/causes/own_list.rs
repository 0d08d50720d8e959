//! Marks whose number is, in a list that the answer itself has, a page that came with the response and is not
//! cited there.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::remarks::source_order::SOURCE_ORDER;
use crate::anchor::Anchor;
use crate::check::Finding;
use crate::check::finding::on_anchors;
use crate::model::Support;
use crate::review::Review;
use crate::text::{listed_numbers, merge_ranges, plain_address};

pub(super) fn check(review: &Review, found: &mut Vec<Finding>) {
    let response = &review.response;
    let text = response.text();
    if response.supports.is_empty() || !text.contains('[') || !text.contains("://") {
        return;
    }
    let sent: HashSet<&str> =
        response.sources.iter().filter_map(|source| source.uri.as_deref().map(page)).collect();
    let mut own: HashMap<u32, HashSet<&str>> = HashMap::new();
    let mut lines = Vec::new();
    for (number, name, line) in review.numbered().filter(|(_, name, _)| sent.contains(page(name))) {
        own.entry(number).or_default().insert(page(name));
        lines.push(line);
    }
    let lines = merge_ranges(lines);
    let is_entry = |mark: &Range<usize>| {
        lines
            .get(lines.partition_point(|line| line.end <= mark.start))
            .is_some_and(|line| line.start <= mark.start)
    };
    let is_cited = |support: &Support, own: &HashSet<&str>| {
        let targets = support.citations.iter().filter_map(|citation| citation.target.source());
        let mut sources = targets.filter_map(|index| response.sources.get(index)?.uri.as_deref());
        sources.any(|uri| own.contains(page(uri)))
    };
    let is_other = |support: &Support, anchor: &Anchor| {
        let mark = anchor.mark.as_ref().or(anchor.range.as_ref()).filter(|mark| !is_entry(mark));
        let mark = mark.and_then(|mark| text.get(mark.clone()));
        let mut named = numbers(mark.unwrap_or_default()).filter_map(|number| own.get(&number));
        !support.citations.is_empty() && named.any(|own| !is_cited(support, own))
    };
    if !own.is_empty() {
        let words = "cites another page than the list in the answer has by that number";
        found.extend(on_anchors(&SOURCE_ORDER, review, words, is_other));
    }
}

/// The numbers of marks such as `[1][2]` or `[1, 2]`.
fn numbers(marks: &str) -> impl Iterator<Item = u32> {
    let lists = marks.split(['[', ']']).flat_map(listed_numbers);
    lists.filter_map(|number| number.trim().parse().ok())
}

/// An address as two lists may both write it.
fn page(address: &str) -> &str {
    plain_address(address).trim_end_matches('/')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{fires, silent};

    #[test]
    fn a_list_of_the_answer_is_told_where_its_numbers_are_other_pages() {
        let sent = |own: &str, citations: [&str; 2]| {
            let [one, other] = citations;
            format!(
                r#"{{"object": "chat.completion", "choices": [{{"index": 0, "message": {{"role": "assistant",
                "content": "Old [1]. Red [2].\n\nSources:\n{own}"}}}}], "citations": ["{one}", "{other}"]}}"#
            )
        };
        let [a, b, c] = ["https://a.example/", "https://b.example/x", "https://c.example"];
        let own = r"[1] https://a.example\n[2] https://b.example/x";
        fires(&SOURCE_ORDER, &sent(own, [b, a]));
        silent(&SOURCE_ORDER, &sent(own, [a, b]));
        silent(&SOURCE_ORDER, &sent(own, [a, c]));
        silent(&SOURCE_ORDER, &sent("", [b, a]));
        let titled = r"1. [B](https://b.example/x)\n2. [A](https://a.example)";
        fires(&SOURCE_ORDER, &sent(titled, [a, b]));
        silent(&SOURCE_ORDER, &sent(titled, [b, a]));
        // A list of other things; one that differs where no mark is.
        let steps = sent(titled, [a, b]).replace("Sources:", "To book:").replace("1. [B]", "1. Visit [B]");
        silent(&SOURCE_ORDER, &steps);
        let twice = r"[1] https://a.example\n[2] https://a.example";
        fires(&SOURCE_ORDER, &sent(twice, [a, b]));
        silent(&SOURCE_ORDER, &sent(twice, [a, b]).replace("Red [2]", "Red"));
    }
}
