//! The explanation of one support, as a person reads it.

use citescope::cli::explain::{Which, explain};
use citescope::session::Session;

use crate::common::library::open;

fn explained(file: &str, which: &str) -> Result<String, String> {
    which.parse::<Which>()?.explain(&Session::open_file(file.as_ref()))
}

/// Up to the list of thresholds, which is the same for all.
fn head(file: &str, which: &str) -> String {
    let text = explained(file, which).unwrap();
    text.split_once("\nthresholds\n").unwrap().0.to_owned()
}

#[test]
fn a_wrong_year_is_laid_open() {
    let expected = "\
support 1 of 4, bytes 0–95
“The Ellary Point lighthouse was first lit in 1937, and its granite tower stands 41 metres high.”
outcome: number-missing, in none of the cited chunks: 1937

cited [1] Tower survey of Ellary Point, chunk 1: cover 0.9027
  best window: sentences 1–2, bytes 0–143, share 0.9027: “The lighthouse at Ellary Point was first lit on 3 \
  May 1932. The granite tower stands 41 metres high and its lantern is 47 metres above the sea.”
cited [5] Harbour dues, chunk 1: cover 0.0803
  best window: sentence 1, bytes 0–48, share 0.0781: “Vessels of up to 12 metres pay 18 euros a night.”
best other [4] Visiting the museum, chunk 1: cover 0.0994, margin -0.8033

cover 0.9027 = 0.7 × 9.83 / 10.89 in the best windows + 0.3 × 9.83 / 10.89 in the chunks, the cited chunks \
taken together
numbers missing: 1937
names missing: none
words of titles, which count in every sentence: tower, survey, of, ellary, point, harbou, due

tokens of the claim, weight 10.89; found in the best windows, elsewhere in the cited chunks, or not (5 \
chunks in all)
  0.0825  word    window          the
  1.0000  word    window (title)  ellary
  0.8500  word    window (title)  point
  1.0000  word    window          lighth
  0.0825  word    window          was
  0.8500  word    window          first
  0.5500  word    window          lit
  0.0600  word    not found       in
  1.0000  number  not found       1937
  0.0825  word    window          and
  0.0825  word    window          its
  1.0000  word    window          granit
  0.8500  word    window (title)  tower
  0.8500  word    window          stand
  1.0000  number  window          41
  0.8500  word    window          metre
  0.7000  word    window          high
";
    assert_eq!(head("samples/gemini-retrieval-scores.json", "1:1"), expected);
}

#[test]
fn the_reason_of_each_outcome_names_its_figures() {
    let reason = |file: &str, which: &str| explained(file, which).unwrap().lines().nth(2).unwrap().to_owned();
    let scores = "samples/gemini-retrieval-scores.json";
    assert_eq!(reason(scores, "1:2"), "outcome: found, cover 0.9936 is at least 0.80");
    assert_eq!(
        reason(scores, "1.1:3"),
        "outcome: other-chunk, a chunk that is not cited has 1.0000, at least 0.50, and leads by 0.9794, \
         more than 0.15"
    );
    assert_eq!(
        reason("samples/bigdata-chat.json", "1:3"),
        "outcome: partly, cover 0.7971 is at least 0.50 and less than 0.80"
    );
    assert_eq!(reason("samples/gemini-search.json", "1:2"), "outcome: unchecked, no chunk text");
}

#[test]
fn without_text_nothing_is_said_to_be_found_or_missing() {
    let text = head("samples/gemini-search.json", "1:2");
    let (chunks, tokens) = text.split_once("\n\ntokens").unwrap();
    assert!(
        chunks.ends_with(
            "cited [2] has no text\ncited [3] has no text\nno chunk with text that is not cited, so no margin"
        ),
        "{chunks}"
    );
    assert!(tokens.lines().skip(1).all(|line| line.contains("  not compared")), "{tokens}");
}

#[test]
fn every_threshold_is_printed() {
    let text = explained("samples/gemini-retrieval-scores.json", "1:1").unwrap();
    let thresholds: Vec<&str> = text.split_once("\nthresholds\n").unwrap().1.lines().collect();
    assert_eq!(thresholds.len(), citescope::evidence::THRESHOLDS.len());
    assert!(thresholds.contains(&"  margin                    0.15"), "{thresholds:?}");
}

#[test]
fn what_is_not_compared_says_why() {
    assert_eq!(
        explained("samples/discovery-answer.json", "1:5").unwrap(),
        "support 5 of 9, bytes 0–18\nnot compared: the response says that it needs no grounding\n"
    );
    assert_eq!(
        explained("samples/gemini-broken-offsets.json", "1:3").unwrap(),
        "support 3 of 4, no place in the answer\nnot compared: it has no place in the answer, so no words\n"
    );
}

#[test]
fn a_support_is_named_by_record_item_and_number_from_1() {
    assert_eq!("2.3:4".parse(), Ok(Which { record: 1, item: Some(2), support: 3 }));
    assert_eq!("3".parse(), Ok(Which { record: 0, item: None, support: 2 }));
    assert_eq!("1:1".parse(), Ok(Which { record: 0, item: None, support: 0 }));
    for word in
        ["", "1:", ":1", "0:1", "1:0", "1.0:1", "1.2.3:1", "a:1", "1:-1", "+1:1", "1:99999999999999999999"]
    {
        let error = word.parse::<Which>().unwrap_err();
        assert_eq!(
            error,
            format!(
                "{word:?} names no support; write SUPPORT, RECORD:SUPPORT or RECORD.ITEM:SUPPORT, each from \
                 1, as in 1:3"
            )
        );
    }
}

#[test]
fn what_is_not_there_is_said() {
    let error = |file: &str, which: &str| explained(file, which).unwrap_err();
    let session = "samples/agent-session.json";
    assert_eq!(error("samples/gemini-search.json", "2:1"), "there is no record 2; the input has 1");
    assert_eq!(error("samples/gemini-search.json", "1:9"), "there is no support 9; the response has 4");
    assert_eq!(error("samples/gemini-search.json", "1.2:1"), "record 1 has no response 2");
    assert_eq!(error("samples/discovery-skipped.json", "1:1"), "record 1 has no supports");
    assert_eq!(error(session, "1.1:1"), "response 1.1 has no supports");
    assert_eq!(error(session, "1:1"), "record 1 has several responses with supports; name one: 1.3, 1.5");
    assert!(explained(session, "1.3:1").unwrap().contains("outcome: found"));
}

#[test]
fn text_of_the_response_cannot_steer_the_terminal() {
    let text = "The \\u001b[31mpier\\u202e opened here.";
    let file = format!(
        r#"{{"candidates": [{{"content": {{"parts": [{{"text": "{text}"}}]}}, "groundingMetadata": {{
            "groundingChunks": [{{"retrievedContext": {{"uri": "gs://x", "title": "\u001b]0;t\u0007", "text": "{text}\nThe end."}}}}],
            "groundingSupports": [{{"segment": {{"endIndex": 4}}, "groundingChunkIndices": [0]}},
                                  {{"segment": {{"endIndex": 33}}, "groundingChunkIndices": [0]}}]}}}}]}}"#
    );
    let collection = open("f", file);
    let reviews = collection.decode(0).unwrap();
    for support in [0, 1, 7] {
        let shown = explain(&reviews[0], support);
        assert!(!shown.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{shown:?}");
    }
    let short = explain(&reviews[0], 0);
    assert!(
        short.contains("outcome: unchecked, claim too short: its words weigh 0.08, less than 1.5"),
        "{short}"
    );
}
