//! An answer that says itself twice: its beginning again, a sentence again right behind another without a
//! blank, or a piece of its stream right behind itself.

use memchr::memmem;

use super::coverage::weight_to;
use crate::check::Finding;
use crate::check::finding::{excerpt, is_whole_answer};
use crate::markup::{code_blocks, contains};
use crate::model::{RemarkKind, Response};
use crate::review::Review;
use crate::text::doubled;

rule!(DRAFT_REPEATED {
    id: "draft-repeated",
    group: Answer,
    severity: Warning,
    summary: "the answer says again what it said before",
    help: "two drafts were joined; quotes that occur in both may be placed in the wrong one",
    explain: r#"The answer says again what it said before: two drafts were joined, often without a blank between
them. A retry in the middle does this, and tools that answer twice. A quote that occurs in both
drafts may be placed in the wrong one.

It is known by the text: its beginning comes again, a sentence comes again right behind the full
stop of another, or 64 bytes or more of a stream come again right behind themselves.

Before, what is sent:

```json
{"content": {"parts": [{"text": "Rio opens at nine on weekdays and closes at ten.Rio opens at nine on weekdays and closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 48, "text": "Rio opens at nine on weekdays and closes at ten."},
    "groundingChunkIndices": [0]}]}}
```

After:

```json
{"content": {"parts": [{"text": "Rio opens at nine on weekdays and closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 48, "text": "Rio opens at nine on weekdays and closes at ten."},
    "groundingChunkIndices": [0]}]}}
```

What to do: keep the last draft, and place quotes by the offsets rather than by searching.
"#,
});

/// Bytes of the beginning that have to come again.
const HEAD: usize = 64;

/// Letters and digits of it, at least.
const LEAST: usize = 24;

pub(super) fn check(review: &Review, found: &mut Vec<Finding>) {
    let response = &review.response;
    let text = response.text();
    if !is_whole_answer(response) {
        return;
    }
    let doubled = || is_doubled(response).then(|| doubled_in_prose(text)).flatten();
    let Some(at) = beginning_again(text).or_else(|| glued_again(text)).or_else(doubled) else { return };
    let end = text.ceil_char_boundary((at + HEAD).min(text.len()));
    let words = excerpt(review, &(at..end));
    let message = format!("the answer says again from byte {at} on what it said before: “{words}”");
    let place = std::iter::once(at..end).collect();
    found.push(Finding::new(&DRAFT_REPEATED, &response.origin, message).places(place));
}

/// Whether it came in pieces of which one came twice.
fn is_doubled(response: &Response) -> bool {
    response.remarks.iter().any(|remark| remark.kind == RemarkKind::Doubled)
}

/// Where a piece begins that came twice; lines of code may well be alike.
fn doubled_in_prose(text: &str) -> Option<usize> {
    let second = doubled(text)?;
    (!contains(&code_blocks(text), second.start)).then_some(second.start)
}

fn beginning_again(text: &str) -> Option<usize> {
    let start = text.len() - text.trim_start().len();
    let length = (HEAD + link_length(text.get(start..)?)).min(text.trim().len() / 2);
    let end = text.floor_char_boundary(start + length);
    let head = text.get(start..end).filter(|head| weight_to(head, LEAST) >= LEAST)?;
    // A capital letter is rare enough: to prepare for the whole of it takes longer than most answers are
    // long.
    let (rest, first) = (text.get(end..)?.as_bytes(), *head.as_bytes().first()?);
    let mut begun = memchr::memchr_iter(first, rest);
    begun.find(|at| rest.get(*at..).is_some_and(|rest| rest.starts_with(head.as_bytes()))).map(|at| end + at)
}

/// Bytes up to the end of a link in the beginning: two items may link to one page.
fn link_length(text: &str) -> usize {
    let head = text.get(..text.floor_char_boundary(HEAD)).unwrap_or_default();
    let begun = head.find("](").or_else(|| head.find("://"));
    let ends = |c: char| c == ')' || c.is_whitespace();
    begun.map_or(0, |at| text.get(at..).and_then(|rest| rest.find(ends)).map_or(text.len(), |end| at + end))
}

/// Places that are looked at where a sentence ends and a capital letter follows at once.
const GLUED: usize = 8;

/// Looks at the first few places where a sentence ends and a capital letter follows at once.
fn glued_again(text: &str) -> Option<usize> {
    let ends_sentence = |c: char| matches!(c, '.' | '!' | '?' | '"' | '”' | ')');
    let is_glued = |at: &usize| {
        let (said, rest) = text.split_at_checked(*at).unwrap_or_default();
        said.ends_with(ends_sentence) && rest.starts_with(char::is_uppercase)
    };
    // Most bytes are none of these ends, of which the last is the last byte of its sign.
    let bytes = text.as_bytes();
    let [stops, closing] = [(b'.', b'!', b'?'), (b'"', b')', 0x9D)];
    let behind = |(one, two, three)| memchr::memchr3_iter(one, two, three, bytes).map(|at| at + 1);
    let few = |ends| behind(ends).filter(is_glued).take(GLUED);
    let mut glued: Vec<usize> = few(stops).chain(few(closing)).collect();
    glued.sort_unstable();
    glued.into_iter().take(GLUED).find(|&at| {
        let rest = text.get(at..).unwrap_or_default();
        let piece = rest.get(..rest.floor_char_boundary(HEAD.min(rest.len()))).unwrap_or_default();
        weight_to(piece, LEAST) >= LEAST
            && text.get(..at).is_some_and(|said| memmem::find(said.as_bytes(), piece.as_bytes()).is_some())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{silent, whole};

    #[test]
    fn refrains_laughter_and_abbreviations_are_no_second_draft() {
        silent(
            &DRAFT_REPEATED,
            &whole("It opens at nine. It closes at ten. It opens at nine on Sundays too."),
        );
        silent(&DRAFT_REPEATED, &whole("Ha ha ha ha ha ha ha ha ha ha ha ha ha ha ha ha ha ha ha ha ha ha."));
        let items = "- [Rio](https://en.example.org/wiki/Rio_de_Janeiro?utm_source=openai) is big.\\n- [Rio](https://en.example.org/wiki/Rio_de_Janeiro?utm_source=openai) is old and far away.";
        silent(&DRAFT_REPEATED, &whole(items));
        silent(&DRAFT_REPEATED, &whole("Ask the U.S.Office of Parks. Ask the U.K.Office of Parks."));
    }
}
