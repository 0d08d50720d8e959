//! Words of a source that do not stand where the citation says.

use crate::check::Finding;
use crate::model::{Citation, Label, LocationKind, Source};
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
offsets are compared with those of the citation, white space and HTML escapes aside.

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
    let mut hits: Vec<usize> = Vec::new();
    let mut citations = 0;
    for (index, support) in response.supports.iter().enumerate() {
        for citation in &support.citations {
            let source = citation.target.source().and_then(|source| response.sources.get(source));
            if source.is_some_and(|source| differs(source, citation)) {
                citations += 1;
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
    let message = format!("{which}: {quotes} at the offsets named in the document of the request");
    found.push(Finding::new(&SOURCE_TEXT_MISMATCH, &first.origin, message).supports(hits));
}

/// Whether other words stand where a citation says.
fn differs(source: &Source, citation: &Citation) -> bool {
    let Some(cited) = citation.cited.as_deref() else { return false };
    let counts = |kind| matches!(kind, LocationKind::Char | LocationKind::Block);
    let Some(location) = cited.location.filter(|location| counts(location.kind)) else {
        return false;
    };
    let mut documents =
        source.chunks.iter().filter(|chunk| chunk.label == Some(Label::RequestText)).peekable();
    let quotes = cited.chunks.iter().filter_map(|&chunk| source.chunks.get(chunk));
    let mut quotes = quotes.filter(|chunk| chunk.label == Some(Label::CitedText)).map(|chunk| &chunk.text);
    let (Some(_), Some(quote)) = (documents.peek(), quotes.next()) else { return false };
    let place = location.start.zip(location.end);
    let place =
        place.and_then(|(start, end)| Some((usize::try_from(start).ok()?, usize::try_from(end).ok()?)));
    let Some((start, end)) = place.filter(|(start, end)| start <= end) else { return true };
    if location.kind == LocationKind::Block {
        let blocks: Vec<&str> =
            documents.skip(start).take(end - start).map(|block| block.text.as_str()).collect();
        return !folded(&blocks.join(" ")).replace(' ', "").contains(&folded(quote).replace(' ', ""));
    }
    let document = documents.next().map_or("", |document| document.text.as_str());
    folded(&document.chars().skip(start).take(end - start).collect::<String>()) != folded(quote)
}

/// Words with single blanks between them, and the escapes of HTML undone that web texts have.
fn folded(text: &str) -> String {
    let plain =
        text.replace("&#x27;", "'").replace("&#39;", "'").replace("&quot;", "\"").replace("&amp;", "&");
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}
