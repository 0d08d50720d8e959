use super::*;
use crate::model::Segment;

fn response(answer: &str, segments: &[(i64, i64, Option<&str>)]) -> Response {
    let support = |&(start, end, quote): &(i64, i64, Option<&str>)| Support {
        segment: Some(Segment { part: None, start: Some(start), end: Some(end), quote: quote.map(str::to_owned) }),
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

const EURO: &str =
    "Spain won Euro 2024, defeating England 2-1 in the final. This victory marks Spain's record fourth European Championship title.";

#[test]
fn the_vendors_example_with_offsets_that_fit_nothing_opens_as_its_two_sentences() {
    let quotes = [(0, 85, Some("Spain won Euro 2024, defeatin...")), (86, 210, Some("This victory marks Spain's..."))];
    let response = response(EURO, &quotes);
    assert_eq!(verdicts(&response), ["reanchored 0..56", "reanchored 57..126"]);
    let anchored = anchor(&response);
    assert_eq!((anchored.fit.fitting, anchored.fit.of), (0, 2));
    assert!(anchored.anchors.iter().all(|anchor| anchor.elided));
    assert_eq!(anchored.anchors[1].delta, 29);
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
fn without_answer_text_nothing_is_placed() {
    let mut claims = response("", &[(0, 5, Some("Claim"))]);
    claims.answer = None;
    assert_eq!(verdicts(&claims), ["no-text"]);
}
