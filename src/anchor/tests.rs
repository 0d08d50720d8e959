use super::*;
use crate::model::Proof;
use crate::model::{Part, Segment};

fn response(answer: &str, segments: &[(i64, i64, Option<&str>)]) -> Response {
    let support = |&(start, end, quote): &(i64, i64, Option<&str>)| Support {
        segment: Some(Segment {
            part: None,
            start: Some(start),
            end: Some(end),
            quote: quote.map(str::to_owned),
            ..Segment::default()
        }),
        ..Support::default()
    };
    Response {
        answer: Some(answer.to_owned()),
        parts: vec![Part::Text(0..answer.len())],
        supports: segments.iter().map(support).collect(),
        ..Response::default()
    }
}

fn verdicts(response: &Response) -> Vec<String> {
    let show = |anchor: Anchor| match anchor.range {
        Some(range) => format!("{} {}..{}", anchor.verdict.word(), range.start, range.end),
        None => anchor.verdict.word().to_owned(),
    };
    anchor(response).anchors.into_iter().map(show).collect()
}

const EURO: &str = "Spain won Euro 2024, defeating England 2-1 in the final. This victory marks Spain's \
    record fourth European Championship title.";

#[test]
fn the_vendors_example_with_offsets_that_fit_nothing_opens_as_its_two_sentences() {
    let quotes =
        [(0, 85, Some("Spain won Euro 2024, defeatin...")), (86, 210, Some("This victory marks Spain's..."))];
    let response = response(EURO, &quotes);
    assert_eq!(verdicts(&response), ["reanchored 0..56", "reanchored 57..126"]);
    let anchored = anchor(&response);
    assert_eq!((anchored.fit.fitting, anchored.fit.of), (0, 2));
    assert!(anchored.anchors.iter().all(|anchor| anchor.elided));
    assert_eq!(anchored.anchors[1].delta, 29);
}

/// Where a quote stands by chance at what the documented unit names, too, the unit in which all fit holds.
#[test]
fn a_unit_in_which_all_fit_holds_for_words_that_occur_several_times() {
    let text = "ééééé Yes. Yes. Yes. São Paulo é grande. Fim de tudo.";
    let yes = [(6, 10, Some("Yes.")), (11, 15, Some("Yes.")), (16, 20, Some("Yes."))];
    let others = [(21, 40, Some("São Paulo é grande.")), (41, 53, Some("Fim de tudo."))];
    let all: Vec<_> = yes.into_iter().chain(others).collect();
    assert_eq!(
        verdicts(&response(text, &all)),
        ["unit 11..15", "unit 16..20", "unit 21..25", "unit 26..47", "unit 48..60"]
    );
    // One that fits otherwise proves nothing of those that fit as documented.
    assert_eq!(
        verdicts(&response(text, &[yes[1], yes[2], others[0]])),
        ["exact 11..15", "exact 16..20", "unit 26..47"]
    );
}

#[test]
fn quotes_decide_and_the_nearest_occurrence_counts() {
    let text = "Yes. Yes. The sky is  blue.\nYes.";
    let cases = [
        ((0, 4, Some("Yes.")), "exact 0..4"),
        ((6, 10, Some("Yes.")), "ambiguous 5..9"),
        ((20, 40, Some("The sky is blue.")), "reanchored 10..27"),
        ((0, 3, Some("Never.")), "gone"),
        ((0, 3, None), "as-sent 0..3"),
        ((10, 99, None), "clamped 10..32"),
        ((90, 99, None), "gone"),
        ((9, 3, None), "gone"),
        ((-2, 3, None), "clamped 0..3"),
    ];
    for (segment, expected) in cases {
        assert_eq!(verdicts(&response(text, &[segment])), [expected], "{segment:?}");
    }
}

#[test]
fn a_quote_that_no_shift_explains_goes_to_its_nearest_occurrence() {
    // The second segment is as long as its quote with the blank folded: no reading fits both.
    let quotes = [(0, 4, Some("Yes.")), (6, 20, Some("Yes."))];
    assert_eq!(
        verdicts(&response("Yes. Yes. The sky is  blue.\nYes.", &quotes)),
        ["exact 0..4", "ambiguous 5..9"]
    );
}

#[test]
fn the_reading_that_fits_most_is_named() {
    let text = "Größe: 5 µm. Das ist – genau – so. Ende 😀 gut.";
    let quotes = ["Größe: 5 µm.", "Das ist – genau – so.", "Ende 😀 gut."];
    let count = |unit: Unit, byte: usize| Units::of(text).count(unit, byte) as i64;
    let spans = |unit: Unit, shift: i64, less: i64| -> Vec<(i64, i64, Option<&str>)> {
        let place = |quote: &&'static str| {
            let at = text.find(quote).unwrap();
            (count(unit, at) + shift, count(unit, at + quote.len()) + shift - less, Some(*quote))
        };
        quotes.iter().map(place).collect()
    };
    let cases = [
        (spans(Unit::Bytes, 0, 0), "exact", Unit::Bytes, false, 0),
        (spans(Unit::Characters, 0, 0), "unit", Unit::Characters, false, 0),
        (spans(Unit::Utf16, 0, 0), "unit", Unit::Utf16, false, 0),
        (spans(Unit::Bytes, 0, 1), "inclusive", Unit::Bytes, true, 0),
        (spans(Unit::Bytes, 1, 0), "shifted", Unit::Bytes, false, 1),
        (spans(Unit::Characters, -2, 0), "unit", Unit::Characters, false, -2),
    ];
    for (segments, verdict, unit, inclusive, shift) in cases {
        let response = response(text, &segments);
        let fit = anchor(&response).fit;
        assert_eq!(
            (fit.reading.unit, fit.reading.inclusive, fit.reading.shift, fit.fitting),
            (unit, inclusive, shift, 3),
            "{verdict} {segments:?}"
        );
        // Where both readings name the same bytes the first support is exact in either.
        assert!(verdicts(&response)[1].starts_with(verdict), "{:?}", verdicts(&response));
    }
}

#[test]
fn a_change_in_the_middle_is_drift_and_thoughts_are_another_base() {
    // The service sent “–”; somebody made it "-", two bytes shorter.
    let drifted = response(
        "One. Two - two. Three. Four - 4. Five.",
        &[(0, 4, Some("One.")), (18, 24, Some("Three.")), (37, 42, Some("Five."))],
    );
    let anchored = anchor(&drifted);
    let found: Vec<_> = anchored
        .anchors
        .iter()
        .map(|anchor| (anchor.verdict.word(), anchor.delta, anchor.end_delta))
        .collect();
    assert_eq!(found, [("exact", 0, 0), ("drifted", 2, 2), ("drifted", 4, 4)]);
    // What was changed inside a segment moves its end alone.
    let inside = response(
        "Zero. One - two. Three.",
        &[(0, 5, Some("Zero.")), (6, 18, Some("One - two.")), (19, 25, Some("Three."))],
    );
    let found: Vec<_> = anchor(&inside)
        .anchors
        .into_iter()
        .map(|anchor| (anchor.verdict.word(), anchor.delta, anchor.end_delta))
        .collect();
    assert_eq!(found, [("exact", 0, 0), ("drifted", 0, 2), ("drifted", 2, 2)]);
    let mut thought =
        response("Answer one. Answer two.", &[(6, 17, Some("Answer one.")), (18, 29, Some("Answer two."))]);
    thought.parts.insert(0, Part::Thought(0));
    thought.traces.push(crate::model::Trace { thought: Some("Hmm.. ".to_owned()), ..Default::default() });
    assert_eq!(verdicts(&thought), ["base 0..11", "base 12..23"]);
}

#[test]
fn without_quotes_the_unit_is_told_by_where_segments_end() {
    let text = "Größe ist süß. Überall – ja. Ende gut.";
    let ends = |unit: Unit| -> Vec<(i64, i64, Option<&str>)> {
        let count = |byte: usize| Units::of(text).count(unit, byte) as i64;
        ["Größe ist süß.", "Überall – ja.", "Ende gut."]
            .iter()
            .map(|s| (count(text.find(s).unwrap()), count(text.find(s).unwrap() + s.len()), None))
            .collect()
    };
    assert_eq!(anchor(&response(text, &ends(Unit::Characters))).fit.reading.unit, Unit::Characters);
    assert_eq!(anchor(&response(text, &ends(Unit::Bytes))).fit.reading.unit, Unit::Bytes);
}

#[test]
fn an_end_inside_a_character_is_moved_to_its_border() {
    let anchored = anchor(&response("Größe", &[(0, 3, None)]));
    assert_eq!((anchored.anchors[0].range.clone(), anchored.anchors[0].split), (Some(0..4), true));
}

#[test]
fn offsets_of_a_part_count_in_that_part_or_in_the_whole() {
    let mut two = response("First. Second.", &[(0, 7, Some("Second.")), (7, 14, Some("Second."))]);
    two.parts = vec![Part::Other, Part::Text(0..7), Part::Text(7..14)];
    for support in &mut two.supports {
        support.segment.as_mut().unwrap().part = Some(2);
    }
    assert_eq!(verdicts(&two), ["exact 7..14", "exact 7..14"]);
    let bases: Vec<_> = anchor(&two).anchors.iter().map(|anchor| anchor.base).collect();
    assert_eq!(bases, [Base::Part, Base::Answer]);
}

#[test]
fn a_reserved_blank_before_punctuation_proves_an_end() {
    let mut run = response("— Up 5 % . Down.", &[(0, 9, None), (0, 8, None)]);
    run.unit = Unit::Characters;
    run.proof = Proof::Slots;
    let anchored = anchor(&run);
    assert_eq!((anchored.fit.fitting, anchored.fit.of), (1, 2));
    assert_eq!(anchored.anchors[0].range, Some(0..11));
}

#[test]
fn ends_that_are_all_as_far_from_their_reserved_blanks_are_off_alike() {
    let text = "Up 5 percent . Down again . Flat now . All well .";
    let run = |offsets: &[(i64, i64)]| {
        let offsets: Vec<_> = offsets.iter().map(|&(start, end)| (start, end, None)).collect();
        let mut run = response(text, &offsets);
        run.unit = Unit::Characters;
        run.proof = Proof::Slots;
        run
    };
    let right = [(0, 13), (15, 26), (28, 37)];
    assert_eq!(verdicts(&run(&right)), ["as-sent 0..13", "as-sent 15..26", "as-sent 28..37"]);
    let fit = |offsets: &[(i64, i64)]| {
        let fit = anchor(&run(offsets)).fit;
        (fit.reading.shift, fit.reading.inclusive, fit.fitting, fit.documented)
    };
    assert_eq!(fit(&right), (0, false, 3, 3));
    assert_eq!(fit(&right.map(|(start, end)| (start + 1, end + 1))), (1, false, 3, 0));
    assert_eq!(fit(&right.map(|(start, end)| ((start - 1).max(0), end - 1))), (-1, false, 3, 0));
    assert_eq!(fit(&right.map(|(start, end)| (start, end - 1))), (0, true, 3, 0));
    // Two may be so by chance, and one that fits speaks for all.
    assert_eq!(fit(&[(0, 12), (15, 25)]), (0, false, 0, 0));
    assert_eq!(fit(&[(0, 12), (15, 25), (28, 37)]), (0, false, 1, 1));
}

#[test]
fn without_answer_text_nothing_is_placed() {
    let mut claims = response("", &[(0, 5, Some("Claim"))]);
    claims.answer = None;
    assert_eq!(verdicts(&claims), ["no-text"]);
}

#[test]
fn one_quote_alone_moves_no_support_that_nothing_else_speaks_for() {
    let text = "One is here. Two is there. Three is gone.";
    // The quote stands at 13..26; the others were sent without words.
    let alone = [(0, 12, None), (16, 29, Some("Two is there.")), (27, 41, None)];
    assert_eq!(verdicts(&response(text, &alone)), ["as-sent 0..12", "reanchored 13..26", "as-sent 27..41"]);
    let two = [(3, 15, Some("One is here.")), (16, 29, Some("Two is there.")), (30, 44, None)];
    assert_eq!(verdicts(&response(text, &two)), ["shifted 0..12", "shifted 13..26", "shifted 27..41"]);
}

#[test]
fn quotes_are_found_in_other_letters_of_the_same_text_and_on_whole_characters() {
    let cases = [
        ("At 5 \u{212a}elvin is here.", "Kelvin is here.", "exact 5..22"),
        ("x \u{600}\u{212a}elvin is here.", "Kelvin is here.", "exact 4..21"),
        ("It is\u{2000}far away.", "is far away.", "exact 3..17"),
        ("The o\u{308}l rose.", "\u{f6}l rose.", "exact 4..14"),
    ];
    for (answer, quote, expected) in cases {
        let (start, end) = expected.strip_prefix("exact ").unwrap().split_once("..").unwrap();
        let sent = (start.parse().unwrap(), end.parse().unwrap(), Some(quote));
        assert_eq!(verdicts(&response(answer, &[sent])), [expected], "{answer}");
    }
}

/// Bytes, as documented, name the first sentence; counted as characters the end is that of the second.
#[test]
fn a_sentence_ends_with_what_closes_behind_its_sign() {
    for closing in ["\u{bb}", "\u{201d}", "\"", ")", "**", "[1]", "[^1]"] {
        let first = format!(
            "\u{41c}\u{43e}\u{441}\u{442} \u{431}\u{44b}\u{43b} \u{43e}\u{442}\u{43a}\u{440}\u{44b}\u{442}.{closing}"
        );
        // So long that characters reach to its end.
        let rest = first.len() - first.chars().count() - 2;
        let answer = format!("{first} {}. \u{414}\u{430}.", "o".repeat(rest));
        let response = response(&answer, &[(0, first.len() as i64, None)]);
        assert_eq!(verdicts(&response), [format!("as-sent 0..{}", first.len())], "{answer}");
    }
}
