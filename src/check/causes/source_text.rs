//! Words of a source that do not stand where the citation says.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use memchr::memmem;

use crate::anchor::Units;
use crate::check::Finding;
use crate::model::{Citation, Label, Location, LocationKind, RemarkKind, Response, Source, Support, Unit};
use crate::review::Review;
use crate::text::{counted, plural};

rule!(SOURCE_TEXT_MISMATCH {
    id: "source-text-mismatch",
    group: Sources,
    severity: Warning,
    summary: "cited words are not at their offsets in the document of the request",
    help: "the document was changed, or another one was sent; do not highlight by these offsets",
    explain: r#"A citation brings words of a document along and says where they stand in it, in characters. In the
document that the request sent other words stand there. A product that highlights the passage in the
document highlights the wrong one.

It is known where the request is at hand: a logged pair, or `--request FILE`. The words at the
offsets are compared with those of the citation, white space and HTML escapes aside. A document
that is counted and that the request did not send is told, too; without a request a range that ends
before it begins.

Before, what is sent:

```json
{"request": {"messages": [{"role": "user", "content": [{"type": "document", "title": "hours",
   "source": {"type": "text", "media_type": "text/plain", "data": "Rio opens at nine. It closes at ten."}}]}]},
 "response": {"type": "message", "role": "assistant", "content": [{"type": "text", "text": "Rio closes at ten.",
   "citations": [{"type": "char_location", "cited_text": "It closes at ten.", "document_index": 0,
     "document_title": "hours", "start_char_index": 12, "end_char_index": 29}]}], "stop_reason": "end_turn"}}
```

After:

```json
{"request": {"messages": [{"role": "user", "content": [{"type": "document", "title": "hours",
   "source": {"type": "text", "media_type": "text/plain", "data": "Rio opens at nine. It closes at ten."}}]}]},
 "response": {"type": "message", "role": "assistant", "content": [{"type": "text", "text": "Rio closes at ten.",
   "citations": [{"type": "char_location", "cited_text": "It closes at ten.", "document_index": 0,
     "document_title": "hours", "start_char_index": 19, "end_char_index": 36}]}], "stop_reason": "end_turn"}}
```

What to do: look for the words in the document instead, and for who changes it on the way.
"#,
});

pub(super) fn check(review: &Review, found: &mut Vec<Finding>) {
    let response = &review.response;
    let not_sent = response.remarks.iter().filter(|remark| remark.kind == RemarkKind::NoDocument);
    found.extend(
        not_sent.map(|remark| Finding::new(&SOURCE_TEXT_MISMATCH, &remark.origin, remark.text.to_string())),
    );
    found.extend(no_ranges(response));
    let mut documents: HashMap<usize, Document> = HashMap::new();
    let mut hits: Vec<usize> = Vec::new();
    let (mut citations, mut skipped, mut sources) = (0, 0, BTreeSet::new());
    for (index, support) in response.supports.iter().enumerate() {
        for citation in &support.citations {
            let Some((number, source, quote, location)) = cited(response, citation) else { continue };
            let document = documents.entry(number).or_insert_with(|| Document::of(source));
            let Some(differs) = document.differs(quote, location) else {
                skipped += 1;
                continue;
            };
            if differs {
                citations += 1;
                sources.insert(number);
                if hits.last() != Some(&index) {
                    hits.push(index);
                }
            }
        }
    }
    let Some(first) = hits.first().and_then(|&first| response.supports.get(first)) else { return };
    let which = match hits.as_slice() {
        [only] => format!("support {}", only + 1),
        several => counted(several.len(), "support"),
    };
    let quotes = plural(citations, "quote is not", "quotes are not");
    let rest = if skipped > 0 { format!("; {skipped} more were not compared") } else { String::new() };
    let message = format!("{which}: {quotes} at the offsets named in the document of the request{rest}");
    let finding = Finding::new(&SOURCE_TEXT_MISMATCH, &first.origin, message);
    found.push(finding.supports(hits).sources(sources.into_iter().collect()));
}

/// Whether a range lies below 0, or ends before it begins.
fn is_no_range(location: &Location) -> bool {
    let (start, end) = (location.start, location.end);
    [start, end].into_iter().flatten().any(|place| place < 0)
        || start.zip(end).is_some_and(|(start, end)| end < start)
}

/// Citations whose ranges in their sources are none.
fn no_ranges(response: &Response) -> Option<Finding> {
    let of = |citation: &Citation| citation.cited.as_ref()?.location.filter(is_no_range);
    let odd = |(index, support): (usize, &Support)| Some((index, support.citations.iter().find_map(of)?));
    let odd: Vec<(usize, Location)> = response.supports.iter().enumerate().filter_map(odd).collect();
    let &(first, location) = odd.first()?;
    let origin = &response.supports.get(first)?.origin;
    let cite = plural(odd.len(), "support cites", "supports cite");
    let place = |sent: Option<i64>| sent.map_or_else(|| "–".to_owned(), |sent| sent.to_string());
    let message = format!(
        "{cite} a range of a source that is none ({}..{})",
        place(location.start),
        place(location.end)
    );
    let supports = odd.into_iter().map(|(index, _)| index).collect();
    Some(Finding::new(&SOURCE_TEXT_MISMATCH, origin, message).supports(supports))
}

/// The source of a citation, the words that it quotes, and where they should stand.
fn cited<'r>(
    response: &'r Response,
    citation: &'r Citation,
) -> Option<(usize, &'r Source, &'r str, Location)> {
    let cited = citation.cited.as_deref()?;
    let location = cited.location?;
    let number = citation.target.source()?;
    let source = response.sources.get(number)?;
    let mut chunks = cited.chunks.iter().filter_map(|&chunk| source.chunks.get(chunk));
    let quote = chunks.find(|chunk| chunk.label == Some(Label::CitedText))?;
    let counts = matches!(location.kind, LocationKind::Char | LocationKind::Block) && !is_no_range(&location);
    counts.then_some((number, source, quote.text.as_str(), location))
}

/// The text of a source as the request sent it.
struct Document<'r> {
    /// Its first block, in which characters count.
    first: Option<Units<'r>>,
    text: &'r str,
    /// All blocks without blanks, and where each begins.
    run: String,
    starts: Vec<usize>,
    /// Bytes that may still be searched: ranges of all blocks for thousands of quotes would be quadratic.
    budget: usize,
}

impl<'r> Document<'r> {
    fn of(source: &'r Source) -> Self {
        let blocks = source.chunks.iter().filter(|chunk| chunk.label == Some(Label::RequestText));
        let blocks: Vec<&str> = blocks.map(|chunk| chunk.text.as_str()).collect();
        let text = blocks.first().copied().unwrap_or_default();
        let (mut run, mut starts) = (String::new(), Vec::new());
        for block in &blocks {
            starts.push(run.len());
            run.extend(words(block));
        }
        let budget = (64 << 20) + 16 * run.len();
        Self { first: (!blocks.is_empty()).then(|| Units::of(text)), text, run, starts, budget }
    }

    /// Whether other words stand at a place; nothing where too much was searched already.
    fn differs(&mut self, quote: &str, location: Location) -> Option<bool> {
        let Some(units) = &self.first else { return Some(false) };
        let number = |sent: Option<i64>| sent.and_then(|sent| usize::try_from(sent).ok());
        let place = number(location.start).zip(number(location.end));
        let Some((start, end)) = place.filter(|(start, end)| start <= end) else { return Some(true) };
        if location.kind == LocationKind::Block {
            if end > self.starts.len() {
                return Some(true);
            }
            let at = |block: usize| self.starts.get(block).copied().unwrap_or(self.run.len());
            let blocks = self.run.get(at(start)..at(end)).unwrap_or_default();
            let quote: String = words(quote).collect();
            if blocks == quote {
                return Some(false);
            }
            self.budget = self.budget.checked_sub(blocks.len())?;
            return Some(memmem::find(blocks.as_bytes(), quote.as_bytes()).is_none());
        }
        let byte = |offset: usize| units.byte(Unit::Characters, offset).unwrap_or(self.text.len());
        Some(!words(self.text.get(byte(start)..byte(end)).unwrap_or_default()).eq(words(quote)))
    }
}

/// The words of a text, the escapes of HTML undone that web texts have.
fn words(text: &str) -> impl Iterator<Item = Cow<'_, str>> {
    text.split_whitespace().map(|word| {
        if !word.contains('&') {
            return Cow::Borrowed(word);
        }
        let plain = word.replace("&#x27;", "'").replace("&#39;", "'");
        Cow::Owned(plain.replace("&quot;", "\"").replace("&amp;", "&"))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::check::testing::{fires, reported, silent};

    /// A citation of the one document of its request.
    fn pair(document: &str, cited: &str, start: u32, end: u32) -> String {
        let source = json!({"type": "text", "media_type": "text/plain", "data": document});
        let content = json!([{"type": "document", "title": "hours", "source": source}]);
        let citation = json!({"type": "char_location", "cited_text": cited, "document_index": 0,
            "document_title": "hours", "start_char_index": start, "end_char_index": end});
        let answer = json!([{"type": "text", "text": "Rio closes at ten.", "citations": [citation]}]);
        json!({"request": {"messages": [{"role": "user", "content": content}]},
            "response": {"type": "message", "role": "assistant", "content": answer, "stop_reason": "end_turn"}})
        .to_string()
    }

    #[test]
    fn white_space_and_escapes_of_html_make_no_other_words() {
        let document = "Río opens at nine.\nIt's shut\n  at ten.";
        silent(&SOURCE_TEXT_MISMATCH, &pair(document, "It's shut at ten.", 19, 38));
        silent(&SOURCE_TEXT_MISMATCH, &pair(document, "It&#x27;s shut at ten. ", 18, 38));
        fires(&SOURCE_TEXT_MISMATCH, &pair(document, "It's shut at ten.", 12, 31));
    }

    #[test]
    fn a_range_that_is_none_is_told_without_a_request_too() {
        let pair = |start: i64, end: i64| {
            let citation = json!({"type": "char_location", "cited_text": "It closes.", "document_index": 0,
                "start_char_index": start, "end_char_index": end});
            json!({"type": "message", "role": "assistant", "stop_reason": "end_turn",
                "content": [{"type": "text", "text": "Rio closes.", "citations": [citation]}]})
            .to_string()
        };
        for (start, end) in [(40, 12), (-3, 12)] {
            let told = format!(
                "source-text-mismatch 1 support cites a range of a source that is none ({start}..{end})"
            );
            assert_eq!(reported(&pair(start, end)), [told]);
        }
        silent(&SOURCE_TEXT_MISMATCH, &pair(12, 22));
        silent(&SOURCE_TEXT_MISMATCH, &pair(12, 12));
    }

    #[test]
    fn a_document_that_the_request_did_not_send_is_told() {
        let pair = |number: i32| {
            pair("It's shut at ten.", "It's shut at ten.", 0, 17)
                .replace("\"document_index\":0", &format!("\"document_index\":{number}"))
        };
        for number in [1, 7, -1] {
            let told = format!(
                "source-text-mismatch citations name document {number} (counted from 0): the request sent 1 document"
            );
            assert!(reported(&pair(number)).contains(&told), "{:?}", reported(&pair(number)));
        }
        silent(&SOURCE_TEXT_MISMATCH, &pair(0));
    }

    #[test]
    fn a_search_result_that_was_sent_otherwise_is_told() {
        let sent = |name: &str, text: &str| {
            let texts = [text, "So it is."].map(|text| json!({"type": "text", "text": text}));
            json!({"type": "search_result", "source": name, "title": "T", "content": texts})
        };
        let content = json!([
            sent("https://a.example", "Rio opens at nine."),
            sent("https://b.example", "It closes at ten.")
        ]);
        let blocks = |number: i32, source: &str, end: u32| {
            let citation = json!({"type": "search_result_location", "cited_text": "It closes at ten.", "search_result_index": number,
                "source": source, "title": "T", "start_block_index": 0, "end_block_index": end});
            let answer = json!([{"type": "text", "text": "Rio closes at ten.", "citations": [citation]}]);
            json!({"request": {"messages": [{"role": "user", "content": content}]},
                "response": {"type": "message", "role": "assistant", "content": answer, "stop_reason": "end_turn"}})
            .to_string()
        };
        fires(&SOURCE_TEXT_MISMATCH, &blocks(1, "https://b.example", 3));
        let told = |number: i32, source: &str| {
            let words = reported(&blocks(number, source, 1)).into_iter();
            words
                .filter_map(|one| Some(one.strip_prefix("source-text-mismatch ")?.to_owned()))
                .collect::<Vec<_>>()
        };
        assert_eq!(told(1, "https://b.example"), [""; 0]);
        assert_eq!(
            told(9, "https://b.example"),
            ["citations name search result 9 (counted from 0): the request sent 2 search results"]
        );
        assert_eq!(
            told(0, "https://b.example"),
            ["citations name search result 0 (counted from 0) by other names than the request sent them"]
        );
    }
}
