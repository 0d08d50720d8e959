//! How much of the answer rests on sources: of all of it, of its sentences, and of the places kept for
//! references.

use std::ops::Range;

use super::ungrounded::is_bare;
use crate::check::finding::{excerpt, excerpt_before, is_whole_answer};
use crate::check::{Finding, Rule};
use crate::markup::{code_blocks, contains};
use crate::model::{AnchorKind, AnswerState, Citation, Grounding, Proof, Support, Target};
use crate::review::{Review, SupportRef};
use crate::text::{Class, class, goes_on_behind_stop, split_sentences};
use crate::text::{counted, form, merge_ranges};

rule!(COVERAGE_LOW {
    id: "coverage-low",
    group: Answer,
    severity: Note,
    summary: "less than half of the answer rests on a source",
    help: "read the sentences without a source with care",
    explain: r#"Less than half of the answer rests on a source. The rest may be right, but the response names
nothing for it. This finding stands for all its sentences; sentence-uncited is not told beside
it.

It is known by the bytes inside of supports whose citations resolve, blanks left out, over those
of the whole answer. Sentences that the service says need no grounding are taken out.

Before, what is sent:

```json
{"content": {"parts": [{"text": "Rio opens at nine. The kitchen closes at three in winter. Guests may bring their own wine on Mondays."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 18, "text": "Rio opens at nine."}, "groundingChunkIndices": [0]}]}}
```

After:

```json
{"content": {"parts": [{"text": "Rio opens at nine. The kitchen closes at three in winter. Guests may bring their own wine on Mondays."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 101,
     "text": "Rio opens at nine. The kitchen closes at three in winter. Guests may bring their own wine on Mondays."},
    "groundingChunkIndices": [0]}]}}
```

What to do: read the sentences without a source with care, the first is quoted.
"#,
});

rule!(SENTENCE_UNCITED {
    id: "sentence-uncited",
    group: Answer,
    severity: Note,
    summary: "sentences that rest on no source",
    help: "read them with care; headings, questions and lead-ins are not counted",
    explain: r#"Some sentences rest on no source while most of the answer does. Those are the ones that a reader
takes for cited because all around them are.

It is known by the places of supports whose citations resolve: the sentence is touched by none.
Headings, table rows, code, questions, lead-ins that end with a colon and scraps are not
counted, nor is what needs no grounding.

Before, what is sent:

```json
{"content": {"parts": [{"text": "Rio opens at nine, and the kitchen closes at three in winter. Guests may bring their own wine."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 61,
     "text": "Rio opens at nine, and the kitchen closes at three in winter."},
    "groundingChunkIndices": [0]}]}}
```

After:

```json
{"content": {"parts": [{"text": "Rio opens at nine, and the kitchen closes at three in winter. Guests may bring their own wine."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 94,
     "text": "Rio opens at nine, and the kitchen closes at three in winter. Guests may bring their own wine."},
    "groundingChunkIndices": [0]}]}}
```

What to do: show them as such, or ask the model to leave out what it has no source for.
"#,
});

rule!(SLOT_EMPTY {
    id: "slot-empty",
    group: Answer,
    severity: Note,
    summary: "a blank was kept for a reference, and none came",
    help: "the service held the sentence for citable; the blank before the full stop is left over",
    explain: r#"The service writes a blank before the full stop of a sentence that it holds for citable, and
sends a reference whose end is that blank. Here a blank is left over: no reference came for it.
The answer reads “October .”.

It is known by the text: a blank before a full stop or comma, and no reference that ends there.
The sentence is not told again as uncited.

Before, what is sent:

```sse
data: {"chat_id": "c1", "message": {"type": "ANSWER", "content": "The margin rose to 31 percent . The next report comes in October ."}}

data: {"chat_id": "c1", "message": {"type": "GROUNDING", "references": [{"start": 0, "end": 30, "source": {"id": "A1", "hd": "Q2 report"}}]}}

data: {"chat_id": "c1", "message": {"type": "COMPLETE"}}
```

After:

```sse
data: {"chat_id": "c1", "message": {"type": "ANSWER", "content": "The margin rose to 31 percent . The next report comes in October ."}}

data: {"chat_id": "c1", "message": {"type": "GROUNDING", "references": [{"start": 0, "end": 30, "source": {"id": "A1", "hd": "Q2 report"}}, {"start": 32, "end": 65, "source": {"id": "A1", "hd": "Q2 report"}}]}}

data: {"chat_id": "c1", "message": {"type": "COMPLETE"}}
```

What to do: take the blank out when you print the answer; read the sentence with care.
"#,
});

/// Coverage below which the whole answer is reported instead of its sentences.
const LOW: f64 = 0.5;

pub(super) fn check(review: &Review, found: &mut Vec<Finding>) {
    let response = &review.response;
    if !is_whole_answer(response) {
        return;
    }
    let slots = empty_slots(review);
    found.extend(slot_finding(review, &slots));
    if !matches!(response.state, AnswerState::Error | AnswerState::Skipped) {
        found.extend(uncovered(review, &slots));
    }
}

/// One cause: either much of the answer rests on nothing, or some sentences do.
fn uncovered(review: &Review, slots: &[Range<usize>]) -> Option<Finding> {
    let response = &review.response;
    let text = response.text();
    // Anything else that keeps the answer from resting on sources is a cause with a rule of its own.
    if !(is_cited(review) || has_empty_grounding(review)) || text.trim_start().starts_with(['{', '[']) {
        return None;
    }
    // A support without a place may speak of the whole answer.
    let whole = |support: &SupportRef| {
        let placeless = support.kind == AnchorKind::Block || !support.backs_claim();
        support.resolves() && !placeless && support.range().is_none()
    };
    if review.supports().any(|support| whole(&support)) {
        return None;
    }
    // One that cites what is not there is told by its own cause.
    let dangles = |citation: &Citation| matches!(citation.target, Target::Dangling(_));
    let backs = |support: &SupportRef| {
        support.resolves()
            || support.grade.check_required == Some(false)
            || support.citations.iter().any(dangles)
    };
    let mut backed: Vec<Range<usize>> =
        review.supports().filter(backs).filter_map(SupportRef::range).collect();
    backed.sort_unstable_by_key(|range| range.start);
    let (claims, short) = claims(text);
    let claims = without(&without_marks(claims, review), review.listed());
    let mut bare = without(&claims, &backed);
    // A sentence with an empty slot is reported there.
    bare.retain(|claim| {
        let next = slots.get(slots.partition_point(|slot| slot.start < claim.start));
        next.is_none_or(|slot| slot.start >= claim.end)
    });
    let words = excerpt(review, bare.first()?);
    let verb = form(bare.len(), "rests", "rest");
    let sentences = counted(claims.len(), if short { "longer sentence" } else { "sentence" });
    let count = format!("{} of {sentences} {verb} on no source, the first “{words}”", bare.len());
    let coverage = review.coverage().unwrap_or_default();
    let (rule, message) = if coverage < LOW {
        (&COVERAGE_LOW, format!("{:.0} % of the answer rests on a source: {count}", coverage * 100.0))
    } else {
        (&SENTENCE_UNCITED, count)
    };
    Some(Finding::new(rule, &response.origin, message).places(bare))
}

fn is_cited(review: &Review) -> bool {
    review.response.supports.iter().any(Support::resolves)
}

/// Whether grounding metadata came that holds nothing.
fn has_empty_grounding(review: &Review) -> bool {
    let response = &review.response;
    response.supports.is_empty()
        && response.sources.is_empty()
        && response.grounding == Grounding::Given
        && !is_bare(response)
}

/// Sentences that cite nothing, in order: of those that the rules name all, and those with an empty slot as
/// far as they cite nothing besides.
pub(in crate::check) fn bare_sentences(review: &Review, found: &[Finding]) -> Vec<Range<usize>> {
    let of = |rules: &[&Rule]| found.iter().find(|finding| rules.contains(&finding.rule));
    let places =
        |finding: Option<&Finding>| finding.map(|finding| finding.places.clone()).unwrap_or_default();
    let mut bare = places(of(&[&SENTENCE_UNCITED, &COVERAGE_LOW]));
    // An answer that no grounding came with cites nothing either, whatever the rules make of that.
    let text = review.text();
    let response = &review.response;
    let answers =
        !matches!(response.state, AnswerState::Skipped | AnswerState::Error) && !response.is_question();
    let says = answers && !text.trim_start().starts_with(['{', '[']);
    if bare.is_empty() && response.supports.is_empty() && says {
        bare = claims(text).0;
    }
    let slots = places(of(&[&SLOT_EMPTY]));
    if slots.is_empty() {
        return bare;
    }
    let mut backed: Vec<Range<usize>> =
        review.supports().filter(|support| support.resolves()).filter_map(SupportRef::range).collect();
    backed.sort_unstable_by_key(|range| range.start);
    let mut open: Vec<Range<usize>> = Vec::new();
    split_sentences(review.text(), |start, end| {
        let next = slots.get(slots.partition_point(|slot| slot.start < start));
        open.extend(next.filter(|slot| slot.start < end).map(|_| start..end));
    });
    bare.extend(without(&open, &backed));
    bare.sort_unstable_by_key(|range| range.start);
    bare
}

/// Bytes of a line within which a sentence knows how its line begins.
const LINE: usize = 400;

/// Signs that end what stands before them.
const CLOSING: [char; 6] = ['.', ',', ';', ':', '!', ')'];

/// Letters and digits below which a sentence is a scrap.
const SCRAP: usize = 16;

/// Sentences that claim something: no headings, table rows, code, questions, lead-ins or scraps; and whether
/// some were left out as scraps.
fn claims(text: &str) -> (Vec<Range<usize>>, bool) {
    let (mut claims, mut scraps) = (Vec::new(), false);
    let code = code_blocks(text);
    // Where a sentence begins that goes on behind a full stop.
    let mut open = None;
    // Where the line of the sentence at hand begins.
    let (mut line, mut looked) = (0, 0);
    split_sentences(text, |start, end| {
        let start = open.take().unwrap_or(start);
        if goes_on_behind_stop(text.get(start..end).unwrap_or_default(), text.get(end..).unwrap_or_default())
        {
            open = Some(start);
            return;
        }
        let passed = text.as_bytes().get(looked..start).and_then(|passed| memchr::memrchr(b'\n', passed));
        line = passed.map_or(line, |at| looked + at + 1);
        looked = start;
        let near = line.max(text.floor_char_boundary(start.saturating_sub(LINE)));
        let sentence = text.get(start..end).unwrap_or_default();
        let item = sentence.trim();
        let words = item.strip_prefix("- ").or_else(|| item.strip_prefix("* ")).unwrap_or(item).trim_start();
        let is_code = contains(&code, start + sentence.trim_end().len() - words.len());
        let before = text.get(near..start).unwrap_or_default().trim_start();
        let heading = words.starts_with(['#', '|']) || before.starts_with(['#', '|']);
        let titled = words.starts_with("**") && words.ends_with("**") || words.ends_with("**:");
        // A line of a list of sources claims nothing.
        let entry = words.starts_with('[') && words.contains("://") && words.contains(']');
        let asks = words.trim_end_matches(['*', '_', '"', '”']).ends_with([':', '?', '？', '：']);
        if is_code || entry || heading || titled || asks {
            return;
        }
        // A full stop behind a mark belongs to what is before it.
        let rest = sentence.trim_start_matches(|c: char| c.is_whitespace() || CLOSING.contains(&c));
        let begin = if item.starts_with(CLOSING) { start + sentence.len() - rest.len() } else { start };
        match weight_to(words, SCRAP) {
            SCRAP => claims.push(begin..end),
            weight => scraps |= weight > 0,
        }
    });
    (claims, scraps)
}

/// Letters and digits, or as many as are asked for; a character of a script without blanks says as much as
/// two.
pub(super) fn weight_to(words: &str, most: usize) -> usize {
    let letter = |c: char| match class(c) {
        _ if c.is_ascii() => usize::from(c.is_ascii_alphanumeric()),
        Class::Break => 0,
        Class::Letter | Class::Digit => 1,
        Class::Han | Class::Hangul | Class::Thai => 2,
    };
    let mut weight = 0;
    for c in words.chars() {
        weight += letter(c);
        if weight >= most {
            return most;
        }
    }
    weight
}

/// Claims that say something besides the marks in them.
fn without_marks(mut claims: Vec<Range<usize>>, review: &Review) -> Vec<Range<usize>> {
    let marks: Vec<Range<usize>> =
        review.supports().filter(|support| support.is_inferred()).filter_map(SupportRef::named).collect();
    let marks = merge_ranges(marks);
    let text = review.text();
    let weigh = |words: &str| weight_to(words, SCRAP);
    claims.retain(|claim| {
        let first = marks.partition_point(|mark| mark.end <= claim.start);
        let inside = marks.iter().skip(first).take_while(|mark| mark.start < claim.end);
        let (mut from, mut said) = (claim.start, 0);
        for mark in inside {
            said += text.get(from..mark.start.max(from)).map_or(0, weigh);
            from = mark.end.max(from);
        }
        first == marks.len() || said + text.get(from..claim.end).map_or(0, weigh) >= SCRAP
    });
    claims
}

/// Claims that no range touches; both in the order of their beginnings.
fn without(claims: &[Range<usize>], backed: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut next = backed.iter().peekable();
    let mut furthest = 0;
    let mut bare = Vec::new();
    for claim in claims {
        while let Some(range) = next.next_if(|range| range.start < claim.end) {
            furthest = furthest.max(range.end);
        }
        if furthest <= claim.start {
            bare.push(claim.clone());
        }
    }
    bare
}

/// Blanks kept free for a reference, to which none came.
fn empty_slots(review: &Review) -> Vec<Range<usize>> {
    let response = &review.response;
    if response.proof != Proof::Slots || response.supports.is_empty() {
        return Vec::new();
    }
    let text = response.text();
    let mut ends: Vec<usize> = review.supports().filter_map(|support| Some(support.range()?.end)).collect();
    ends.sort_unstable();
    let is_free = |at: &usize| {
        let mut after = text.get(at + 1..).unwrap_or_default().chars();
        let sign = matches!(after.next(), Some('.' | ',')) && after.next().is_none_or(char::is_whitespace);
        let before = text.get(..*at).and_then(|before| before.chars().next_back());
        sign && before.is_some_and(|c| !c.is_whitespace()) && ends.binary_search(&(at + 1)).is_err()
    };
    memchr::memchr_iter(b' ', text.as_bytes()).filter(is_free).map(|at| at..at + 2).collect()
}

fn slot_finding(review: &Review, slots: &[Range<usize>]) -> Option<Finding> {
    let words = excerpt_before(review, slots.first()?);
    let blanks = counted(slots.len(), "blank");
    let message =
        format!("{blanks} before a full stop or comma without a reference, the first after “{words}”");
    Some(Finding::new(&SLOT_EMPTY, &review.response.origin, message).places(slots.to_vec()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::check::testing::{Stream, cited, gemini, ids, pages, silent, whole};

    #[test]
    fn claims_are_sentences_that_say_something() {
        let text = "# Heading of the text\n\nThe bridge opened in 1932. Is it still the longest one?\n\nHere \
            is what we know about it:\n- It has six lanes of traffic.\n- **Length of the bridge**\n| a table \
            | with some cells |\n```\nlet code = is_no_claim();\n```\nYes.";
        let words: Vec<&str> = claims(text).0.into_iter().map(|range| text[range].trim()).collect();
        assert_eq!(words, ["The bridge opened in 1932.", "- It has six lanes of traffic."]);
    }

    /// A number that counts made two sentences of one, of which the first had no source.
    #[test]
    fn a_number_and_a_shortened_word_end_no_claim() {
        for text in [
            "Die Firma meldete 2023 im 4. Quartal einen Gewinn.",
            "Der Umsatz stieg auf 5 Mio. Euro im Jahr.",
        ] {
            let words: Vec<&str> = claims(text).0.into_iter().map(|range| &text[range]).collect();
            assert_eq!(words, [text]);
        }
    }

    #[test]
    fn claims_that_a_range_touches_are_left_out() {
        assert_eq!(
            without(&[0..10, 11..20, 21..30, 31..40, 41..50], &[0..3, 5..12, 35..38]),
            [21..30, 41..50]
        );
        assert_eq!(without(&[0..10, 11..20], &[]), [0..10, 11..20]);
    }

    fn half(answer: &str, quote: &str) -> String {
        cited(answer, &[(quote, &[0])], pages(&["https://a.example"]))
    }

    #[test]
    fn coverage_is_reported_once_and_only_of_sentences() {
        let answer = "# Opening hours of the Rio\n\nIt opens at nine on weekdays. Do you want to know \
            more?\n\n\
                      The days on which it is closed:\n\nOK.";
        silent(&SENTENCE_UNCITED, &half(answer, "It opens at nine on weekdays."));
        let low = half("It opens at nine on weekdays. It closes at ten on Sundays.", "It opens at nine");
        assert_eq!(ids(&low), ["coverage-low"]);
    }

    #[test]
    fn nothing_is_said_of_what_another_rule_reports_of_pieces_and_of_json() {
        let claim = "It opens at nine on weekdays and closes at ten.";
        assert_eq!(ids(&gemini(claim, "{}")), [""; 0]);
        let bare = json!({"candidates": [{"content": {"parts": [{"text": claim}]}, "finishReason": "STOP"}]});
        assert_eq!(ids(&bare.to_string()), ["ungrounded"]);
        let event = |author: &str, partial: bool| {
            json!({"author": author, "invocationId": "i", "timestamp": 1, "partial": partial,
                "content": {"parts": [{"text": format!("{claim} See [9].")}]}, "groundingMetadata": {}})
            .to_string()
        };
        assert_eq!(ids(&event("a", false)), ["marker-orphan"]);
        assert_eq!(ids(&event("a", true)), [""; 0]);
        assert_eq!(ids(&event("user", false)), [""; 0]);
        let list = "{\"hours\": \"nine\", \"days\": [1, 2, 3]}";
        assert_eq!(ids(&half(list, "\"nine\"")), [""; 0]);
        let exempt = r#"{"answerText": "Glad to help you with that. It opens at nine on weekdays.",
            "groundingSupports": [{"endIndex": "27", "groundingCheckRequired": false},
                {"startIndex": "28", "endIndex": "57", "sources": [{"referenceId": "0"}]}],
            "references": [{"chunkInfo": {"content": "It opens at nine."}}]}"#;
        silent(&SENTENCE_UNCITED, exempt);
    }

    #[test]
    fn french_and_decimals_have_blanks_and_points_of_their_own() {
        let Stream { audit, end, .. } = Stream::new();
        let french = json!({"type": "ANSWER", "content": "La marge est de 31 % ; elle monte . Et .5 reste."});
        silent(&SLOT_EMPTY, &Stream::of(&[&audit, &french, &Stream::reference("t", 34), &end]));
        silent(&SLOT_EMPTY, &whole("It opens at nine . It closes."));
    }
}
