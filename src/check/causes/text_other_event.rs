//! Metadata that belongs to another event's text: its quotes stand there and not here.

use std::sync::Arc;

use super::quote::QUOTE_GONE;
use crate::check::Finding;
use crate::check::context::Siblings;
use crate::review::{Review, SupportRef};
use crate::text::counted;

rule!(TEXT_OTHER_EVENT {
    id: "text-other-event",
    group: Offsets,
    severity: Error,
    supersedes: &[&QUOTE_GONE],
    summary: "the quotes stand in the text of another response of the record",
    help: "the metadata was attached to the wrong event: read it with the text it belongs to",
    explain: r#"The metadata of one event quotes words that stand in the text of another event of the same
session. Agents that stream do this: the metadata arrives with a later or earlier piece, and a
wrapper attaches it to the wrong one. Every offset is then counted over a text that is not
there.

It is known by the quotes: most of them are in the other response, in the eight before and
after, and not in this one. That they are missing here is not told again as quote-gone.

Before, what is sent:

```json
{"events": [{"author": "guide",
   "invocationId": "i1",
   "timestamp": 1,
   "content": {"role": "model", "parts": [{"text": "Let me look that up."}]},
   "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
    "groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."}, "groundingChunkIndices": [0]},
     {"segment": {"startIndex": 19, "endIndex": 36, "text": "It closes at ten."},
      "groundingChunkIndices": [0]}]}},
  {"author": "guide",
   "invocationId": "i1",
   "timestamp": 2,
   "content": {"role": "model", "parts": [{"text": "Rio opens at nine. It closes at ten."}]}}]}
```

After:

```json
{"events": [{"author": "guide",
   "invocationId": "i1",
   "timestamp": 1,
   "content": {"role": "model", "parts": [{"text": "Let me look that up."}]}},
  {"author": "guide",
   "invocationId": "i1",
   "timestamp": 2,
   "content": {"role": "model", "parts": [{"text": "Rio opens at nine. It closes at ten."}]},
   "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
    "groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."}, "groundingChunkIndices": [0]},
     {"segment": {"startIndex": 19, "endIndex": 36, "text": "It closes at ten."},
      "groundingChunkIndices": [0]}]}}]}
```

What to do: read the metadata with the text of the event that is named.
"#,
});

/// Quotes of one response that are looked for.
const QUOTES: usize = 16;
/// Responses on either side of it in which they are looked for.
const NEIGHBOURS: usize = 8;
/// Bytes that a quote needs to say anything about where it belongs.
const SHORTEST: usize = 12;

pub(super) fn check(siblings: &Siblings, index: usize, found: &mut Vec<Finding>) {
    let reviews = siblings.reviews;
    let Some(review) = reviews.get(index).filter(|_| reviews.len() > 1) else { return };
    found.extend(left_behind(reviews, index));
    let quotes: Vec<(usize, &str)> = review.supports().filter_map(long_quote).take(QUOTES).collect();
    let Some(&(first, _)) = quotes.first() else { return };
    let within = |text: &str| quotes.iter().filter(|(_, quote)| text.contains(quote)).count();
    let here = within(review.response.text());
    if here * 2 >= quotes.len() {
        return;
    }
    let near = index.saturating_sub(NEIGHBOURS)..reviews.len().min(index + NEIGHBOURS + 1);
    let others = near
        .filter(|&other| other != index)
        .filter_map(|other| Some((other, within(reviews.get(other)?.text()))));
    let nearest = |other: usize| usize::MAX - other.abs_diff(index);
    let Some((other, there)) = others.max_by_key(|&(other, there)| (there, nearest(other))) else { return };
    if there * 2 <= quotes.len() || there <= here {
        // The text of a response without one is that of its agent's others.
        if review.response.answer.is_none() && there == 0 && has_turn(reviews, index) {
            found.push(gone(review, first, quotes.len()));
        }
        return;
    }
    let here = if here == 0 { "none".to_owned() } else { here.to_string() };
    let message = format!(
        "{there} of {} stand in the text of response {} of this record, {here} in this one",
        counted(quotes.len(), "quote"),
        other + 1
    );
    let finding = Finding::new(&TEXT_OTHER_EVENT, &review.origin_of(first), message);
    found.push(finding.supports(supports_without_place(review)));
}

/// Metadata of a piece whose quotes the text of the whole turn has, which came with none of its own.
fn left_behind(reviews: &[Arc<Review>], index: usize) -> Option<Finding> {
    let own = reviews.get(index)?;
    let is_left = |support: &SupportRef<'_>| support.earlier && support.quote().is_some();
    let first = own.supports().find(is_left).filter(|_| own.response.partial)?;
    let about = &own.response.about;
    let of_turn = |review: &Review| {
        let other = &review.response.about;
        other.invocation == about.invocation && other.author == about.author && !review.response.is_question()
    };
    let later = reviews.iter().enumerate().skip(index + 1).take(NEIGHBOURS);
    let (number, whole) =
        later.into_iter().find(|(_, review)| of_turn(review) && !review.response.partial)?;
    let left: Vec<usize> = own.supports().filter(is_left).map(|support| support.index).collect();
    let says = |quote: &str| whole.text().contains(quote);
    if !whole.response.supports.is_empty() || !first.quote().is_some_and(says) {
        return None;
    }
    let message = format!(
        "{} of this piece stand{} in the text of response {} of this record, which came without metadata",
        counted(left.len(), "quote"),
        if left.len() == 1 { "s" } else { "" },
        number + 1
    );
    Some(Finding::new(&TEXT_OTHER_EVENT, &own.origin_of(first.index), message).supports(left))
}

/// Whether the agent of a response said something in its invocation that did not come in pieces.
fn has_turn(reviews: &[Arc<Review>], index: usize) -> bool {
    let Some(own) = reviews.get(index).map(|review| &review.response) else { return false };
    let near = reviews.iter().skip(index.saturating_sub(NEIGHBOURS)).take(2 * NEIGHBOURS + 1);
    let of_turn = |review: &&Review| {
        let about = &review.response.about;
        about.invocation.is_some()
            && about.invocation == own.about.invocation
            && about.author == own.about.author
            && !review.response.is_question()
    };
    let turn: Vec<&Review> = near.map(Arc::as_ref).filter(of_turn).collect();
    turn.iter().any(|review| !review.text().trim().is_empty())
        && !turn.iter().any(|review| review.response.partial)
}

/// The quotes of a response without text stand in none of its turn.
fn gone(review: &Review, first: usize, quotes: usize) -> Finding {
    let message = format!(
        "the response has no text of its own, and {} stand{} in none of its turn",
        if quotes == 1 { "its quote".to_owned() } else { format!("its {quotes} quotes") },
        if quotes == 1 { "s" } else { "" }
    );
    Finding::new(&QUOTE_GONE, &review.origin_of(first), message).supports(supports_without_place(review))
}

fn long_quote(support: SupportRef<'_>) -> Option<(usize, &str)> {
    let quote = support.quote().filter(|quote| quote.len() >= SHORTEST && !support.earlier)?;
    Some((support.index, quote))
}

fn supports_without_place(review: &Review) -> Vec<usize> {
    let empty = review.response.text().is_empty();
    review
        .supports()
        .filter(|support| (empty || support.range().is_none()) && !support.earlier)
        .map(|support| support.index)
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::check::testing::{fires, ids, pages, reviews, silent};

    fn event(text: &str, quote: &str) -> Value {
        json!({"author": "a", "invocationId": "i", "timestamp": 1, "content": {"parts": [{"text": text}]},
            "groundingMetadata": {"groundingChunks": pages(&["https://a.example"]),
                "groundingSupports": [{"segment": {"endIndex": quote.len(), "text": quote}, "groundingChunkIndices": [0]}]}})
    }

    #[test]
    fn metadata_stays_with_its_own_event() {
        let same = [
            event("It opens at nine.", "It opens at nine."),
            event("It opens at nine. Bring a coat.", "It opens at nine."),
        ];
        silent(&TEXT_OTHER_EVENT, &json!({"events": same}).to_string());
        // Quotes that are nowhere are gone, not another's.
        let gone =
            [event("Let me see.", "It opens at eight."), event("It opens at nine.", "It opens at nine.")];
        assert_eq!(ids(&json!({"events": gone}).to_string()), ["quote-gone"]);
    }

    #[test]
    fn metadata_of_a_piece_that_the_whole_turn_lacks_is_told() {
        let piece = |text: &str| {
            let mut piece = json!({"author": "a", "invocationId": "i", "timestamp": 1, "content": {"role": "model", "parts": [{"text": text}]}});
            piece["partial"] = true.into();
            piece
        };
        let mut cited = event("fact.", "One fact.");
        (cited["partial"], cited["timestamp"]) = (true.into(), 2.into());
        let whole = json!({"author": "a", "invocationId": "i", "timestamp": 3, "content": {"role": "model", "parts": [{"text": "One fact."}]}});
        let told = |events: [Value; 3]| {
            let reviews = reviews(&json!({"events": events}).to_string());
            reviews[1].structural_findings().iter().any(|finding| finding.rule == &TEXT_OTHER_EVENT)
        };
        assert!(told([piece("One "), cited.clone(), whole]));
        assert!(!told([piece("One "), cited, event("One fact.", "One fact.")]));
    }

    #[test]
    fn a_quote_of_another_event_is_not_reported_as_gone_too() {
        let other =
            [event("Let me see.", "It opens at nine."), event("It opens at nine.", "It opens at nine.")];
        let text = json!({"events": other}).to_string();
        fires(&TEXT_OTHER_EVENT, &text);
        silent(&QUOTE_GONE, &text);
    }
}
