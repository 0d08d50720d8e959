//! All offsets count something else than documented: another unit, over another text, with inclusive ends, or
//! moved by one constant.

use crate::anchor::{Base, FitProof, Units, Verdict};
use crate::check::Finding;
use crate::check::finding::{anchored, on_supports};
use crate::model::Unit;
use crate::review::{Review, SupportRef};
use crate::text::plural;

rule!(OFFSET_UNIT {
    id: "offset-unit",
    group: Offsets,
    severity: Error,
    repairable: true,
    summary: "offsets count another unit than documented",
    help: "convert them, or tell the producer: the spans are shown where they fit",
    explain: r#"Offsets are documented to count in one unit: UTF-8 bytes for Google's formats, characters for
Bigdata.com. Here they count in another. In plain ASCII nobody notices; with the first “é”, “–”
or emoji every span behind it moves, and marks land inside words.

It is known by trying: all segments are read in bytes, characters and UTF-16 units. Another unit
is named only where strictly more quotes fit in it than as documented; without quotes, where the
ends of segments fall at ends of sentences instead of inside words. One finding stands for all
supports of the response.

Before, offsets that count characters:

```json
{"content": {"parts": [{"text": "The Café Río opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 27, "text": "The Café Río opens at nine."},
    "groundingChunkIndices": [0]},
   {"segment": {"startIndex": 28, "endIndex": 45, "text": "It closes at ten."},
    "groundingChunkIndices": [0]}]}}
```

After, in bytes, as documented:

```json
{"content": {"parts": [{"text": "The Café Río opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 29, "text": "The Café Río opens at nine."},
    "groundingChunkIndices": [0]},
   {"segment": {"startIndex": 30, "endIndex": 47, "text": "It closes at ten."},
    "groundingChunkIndices": [0]}]}}
```

What to do: slice the encoded bytes, not the string; or repair the file with the offsets that
are shown here. If an SDK gave you the offsets, look whether it converts them.
"#,
});

rule!(OFFSET_BASE {
    id: "offset-base",
    group: Offsets,
    severity: Error,
    repairable: true,
    summary: "offsets count over another text than documented",
    help: "over one part, over all parts, or with the thoughts in it; the spans are shown where they fit",
    explain: r#"Offsets count over a text: the joined parts of the answer that are no thoughts, or one part
where a partIndex is sent. Here they count over another one, for example with the model's
thoughts in it, or over one part where the whole is meant.

It is known by trying the bases one after another with the quotes. Which one fits is said in the
message; the spans are shown where they fit.

Before, the thought is counted too:

```json
{"content": {"parts": [{"text": "I look for the opening hours.", "thought": true},
   {"text": "The Café Río opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"startIndex": 29, "endIndex": 58, "text": "The Café Río opens at nine."},
    "groundingChunkIndices": [0]},
   {"segment": {"startIndex": 59, "endIndex": 76, "text": "It closes at ten."},
    "groundingChunkIndices": [0]}]}}
```

After:

```json
{"content": {"parts": [{"text": "I look for the opening hours.", "thought": true},
   {"text": "The Café Río opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 29, "text": "The Café Río opens at nine."},
    "groundingChunkIndices": [0]},
   {"segment": {"startIndex": 30, "endIndex": 47, "text": "It closes at ten."},
    "groundingChunkIndices": [0]}]}}
```

What to do: count over the text that your code shows. If you join the parts yourself, leave the
thoughts out before slicing.
"#,
});

rule!(OFFSET_INCLUSIVE {
    id: "offset-inclusive",
    group: Offsets,
    severity: Error,
    repairable: true,
    summary: "ends are inclusive where they are documented as exclusive",
    help: "add one to each end",
    explain: r#"The end of a segment is the first unit after it in every format that citescope reads. Here each
end names the last unit of the segment, so that slices lose their last character and marks come
before the full stop instead of behind it.

It is known by the quotes: with one added to each end strictly more of them fit. Of Bigdata.com's
answers the blanks reserved before punctuation tell, where all ends are one before theirs.

Before, ends that name the last byte:

```json
{"content": {"parts": [{"text": "The Café Río opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 28, "text": "The Café Río opens at nine."},
    "groundingChunkIndices": [0]},
   {"segment": {"startIndex": 30, "endIndex": 46, "text": "It closes at ten."},
    "groundingChunkIndices": [0]}]}}
```

After:

```json
{"content": {"parts": [{"text": "The Café Río opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 29, "text": "The Café Río opens at nine."},
    "groundingChunkIndices": [0]},
   {"segment": {"startIndex": 30, "endIndex": 47, "text": "It closes at ten."},
    "groundingChunkIndices": [0]}]}}
```

What to do: add one to each end, or tell the producer that ends are exclusive.
"#,
});

rule!(OFFSET_SHIFT {
    id: "offset-shift",
    group: Offsets,
    severity: Error,
    repairable: true,
    summary: "all offsets are off by one constant",
    help: "characters were added or dropped before the first segment, often a leading line break",
    explain: r#"All offsets are off by one and the same number. Something was put before the answer or taken
away from it after they were counted: most often a line break at its beginning, which some
services count and do not send, or a trim() on the way.

It is known by the quotes: moved by that constant, strictly more of them fit than as documented.
Of Bigdata.com's answers the blanks reserved before punctuation tell, where all offsets are so far
from theirs.

Before, a line break at the beginning was dropped, and counted:

```json
{"content": {"parts": [{"text": "The Café Río opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"startIndex": 1, "endIndex": 30, "text": "The Café Río opens at nine."},
    "groundingChunkIndices": [0]},
   {"segment": {"startIndex": 31, "endIndex": 48, "text": "It closes at ten."},
    "groundingChunkIndices": [0]}]}}
```

After:

```json
{"content": {"parts": [{"text": "The Café Río opens at nine. It closes at ten."}]},
 "finishReason": "STOP",
 "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "rio.example"}}],
  "groundingSupports": [{"segment": {"endIndex": 29, "text": "The Café Río opens at nine."},
    "groundingChunkIndices": [0]},
   {"segment": {"startIndex": 30, "endIndex": 47, "text": "It closes at ten."},
    "groundingChunkIndices": [0]}]}}
```

What to do: keep the answer byte for byte as it was sent. If the service itself dropped the line
break, subtract the shift.
"#,
});

/// One finding for a reading that fits, however many supports it touches.
pub(super) fn check(review: &Review, found: &mut Vec<Finding>) {
    let reading = review.fit.reading;
    let unit = counted_in(reading.unit);
    let moved = match reading.shift {
        0 => String::new(),
        shift => format!(", and are off by {shift:+}"),
    };
    let mut report = |verdict, rule, message: &dyn Fn() -> String| {
        let supports = anchored(review, |_, anchor| anchor.verdict == verdict && anchor.fault.is_none());
        found.extend(on_supports(rule, review, supports, |_| message()));
    };
    report(Verdict::Unit, &OFFSET_UNIT, &|| {
        let documented = counted_in(review.response.unit);
        let proof = votes(review).unwrap_or_else(|| proof(review));
        format!("offsets count {unit}, not {documented}{moved} ({proof})")
    });
    report(Verdict::Base, &OFFSET_BASE, &|| {
        if reading.base == Base::Answer {
            return "offsets count over the whole answer, not over the part that they stand in".to_owned();
        }
        let base = base_words(reading.base);
        format!("offsets count over another text: {base}{moved} ({})", proof(review))
    });
    report(Verdict::Inclusive, &OFFSET_INCLUSIVE, &|| {
        format!("ends name the last unit of the segment, not the first after it ({})", proof(review))
    });
    report(Verdict::Shifted, &OFFSET_SHIFT, &|| {
        format!("all offsets are off by {:+} {unit} ({})", reading.shift, proof(review))
    });
    mixed_ends(review, found);
}

/// Where a service counts ends in either way, one response does it in one.
fn mixed_ends(review: &Review, found: &mut Vec<Finding>) {
    let response = &review.response;
    if !response.inclusive {
        return;
    }
    // Units from the start to the end as sent, less those of the words.
    let over = |support: SupportRef| {
        let segment = support.sent().segment.as_ref()?;
        let (start, end) = (segment.start.unwrap_or_default(), segment.end?);
        let words = segment.quote.as_ref().filter(|_| support.anchor().verdict == Verdict::Exact)?;
        end.checked_sub(start)?.checked_sub(Units::of(words).count(response.unit, words.len()) as i64)
    };
    let of = |wanted: i64| -> Vec<usize> {
        review
            .supports()
            .filter(|&support| over(support) == Some(wanted))
            .map(|support| support.index)
            .collect()
    };
    let (exclusive, inclusive) = (of(0), of(-1));
    if exclusive.is_empty() || inclusive.is_empty() {
        return;
    }
    let message = format!(
        "ends are counted in two ways: {} the first unit after the segment, {} its last",
        plural(exclusive.len(), "names", "name"),
        plural(inclusive.len(), "names", "name"),
    );
    let fewer = if exclusive.len() < inclusive.len() { exclusive } else { inclusive };
    found.extend(on_supports(&OFFSET_INCLUSIVE, review, fewer, |_| message.clone()));
}

fn proof(review: &Review) -> String {
    let fit = &review.fit;
    if fit.proof == FitProof::Boundaries {
        "by where their ends fall in the text".to_owned()
    } else {
        format!("{} of {} fit so, {} as documented", fit.fitting, fit.of, fit.documented)
    }
}

/// `27 of 27 fit as characters, 4 as bytes, 4 as UTF-16 units`, best first.
fn votes(review: &Review) -> Option<String> {
    let votes = review.votes().filter(|_| review.fit.proof != FitProof::Boundaries)?;
    let mut ranked: Vec<(usize, Unit)> = votes.into_iter().zip(Unit::ALL).collect();
    ranked.sort_by_key(|&(fitting, unit)| (usize::MAX - fitting, unit));
    let words = ranked.iter().enumerate().map(|(rank, (fitting, unit))| match rank {
        0 => format!("{fitting} of {} fit as {}", review.fit.of, unit.name()),
        _ => format!("{fitting} as {}", unit.name()),
    });
    Some(words.collect::<Vec<_>>().join(", "))
}

/// What is counted, in words.
fn counted_in(unit: Unit) -> &'static str {
    if unit == Unit::Utf16 { unit.name() } else { unit.word() }
}

fn base_words(base: Base) -> &'static str {
    match base {
        Base::Answer => "the whole answer",
        Base::Part => "their part of the content",
        Base::WithThoughts => "the answer with the thoughts in it",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{CHUNK, cited, gemini, pages, reported, silent, whole};
    use serde_json::json;

    #[test]
    fn marks_counted_over_all_parts_are_of_another_text() {
        let part = |text: &str, start: usize, end: usize, url: &str| {
            json!({"type": "output_text", "text": text, "annotations": [
                {"type": "url_citation", "start_index": start, "end_index": end, "url": url, "title": "t"}]})
        };
        let body = |start: usize, end: usize| {
            let first = part("It is old. ([a](https://a.example/x)) ", 11, 37, "https://a.example/x");
            let second = part("It is tall. ([b](https://b.example/y))", start, end, "https://b.example/y");
            let message = json!({"type": "message", "status": "completed", "content": [first, second]});
            json!({"object": "response", "status": "completed", "output": [message]}).to_string()
        };
        assert_eq!(reported(&body(12, 38)), Vec::<String>::new());
        let whole = "offset-base offsets count over the whole answer, not over the part that they stand in";
        assert_eq!(reported(&body(50, 76)), [whole]);
        let outside = "offset-range support 2 lies outside the part that it names (sent 60..90, shown 50..76, answer 0..76, in characters)";
        assert_eq!(reported(&body(60, 90))[0], outside);
    }

    #[test]
    fn one_constant_is_one_finding() {
        let support =
            r#"{"segment": {"startIndex": 1, "endIndex": 5, "text": "Fine"}, "groundingChunkIndices": [0]}"#;
        let moved = gemini("Fine day..", &format!(r#"{{{CHUNK}, "groundingSupports": [{support}]}}"#));
        let expected = "offset-shift all offsets are off by +1 bytes (1 of 1 fit so, 0 as documented)";
        assert_eq!(reported(&moved), [expected]);
    }

    #[test]
    fn a_shift_within_another_base_is_told() {
        let block = |text: &str, ranges: &[(usize, usize)]| {
            let annotation = |&(start, end): &(usize, usize)| {
                json!({"type": "citation", "start_index": start + 2, "end_index": end + 2, "url": "https://a.example/",
                    "cited_text": &text[start..end]})
            };
            let annotations: Vec<_> = ranges.iter().map(annotation).collect();
            json!({"type": "text", "text": text, "annotations": annotations})
        };
        let first = block("The harbour opens at nine. Boats leave at ten.", &[(0, 26), (27, 46)]);
        let second = block("The tower is 41 metres high. It was built in 1901.", &[(29, 50)]);
        let message = json!({"type": "ai", "id": "x", "content": [first, second]}).to_string();
        let told = "offset-base offsets count over another text: their part of the content, and are off by +2 (3 of 3 \
            fit so, 0 as documented)";
        assert_eq!(reported(&message), [told]);
    }

    #[test]
    fn what_fits_as_documented_fits_no_other_reading() {
        for answer in ["Nine.", "Größe ist süß."] {
            silent(&OFFSET_UNIT, &whole(answer));
            silent(&OFFSET_BASE, &whole(answer));
            silent(&OFFSET_INCLUSIVE, &whole(answer));
            silent(&OFFSET_SHIFT, &whole(answer));
        }
    }

    #[test]
    fn two_constants_and_ends_that_are_three_short_are_no_reading() {
        let quotes: [(&str, &[i64]); 2] = [("One.", &[0]), ("Two.", &[0])];
        let right = cited("One. Two. Three.", &quotes, pages(&["https://a.example"]));
        let apart = right
            .replace("\"startIndex\":0", "\"startIndex\":2")
            .replace("\"endIndex\":9", "\"endIndex\":13");
        silent(&OFFSET_SHIFT, &apart);
        silent(&OFFSET_INCLUSIVE, &right.replace("\"endIndex\":9", "\"endIndex\":6"));
    }
}
