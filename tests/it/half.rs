//! Inputs that break off, or of which half is there: each statement was once wrong.

use citescope::export::{ExportOptions, markdown};
use citescope::session::{Session, Supplied};
use citescope::store::Input;
use serde_json::{Value, json};

use crate::common::library::{open, read};
use crate::common::program::{command, output, run, text};
use crate::common::screen;

/// Rules that fire with their messages, of all responses.
fn told(input: &str) -> Vec<String> {
    let reviews: Vec<_> = open("f", input).reviews().map(Result::unwrap).collect();
    let findings = reviews.iter().flat_map(|review| review.findings());
    findings.map(|finding| format!("{} {}", finding.rule.id, finding.message)).collect()
}

const ANSWER: &str = "The tower is 112 metres tall. It is red.";

fn gemini(answer: &str, supports: &[Value]) -> String {
    json!({"candidates": [{"content": {"parts": [{"text": answer}]}, "finishReason": "STOP", "groundingMetadata": {
        "groundingChunks": [{"web": {"uri": "https://a.example/", "title": "A"}}, {"web": {"uri": "https://b.example/", "title": "B"}}],
        "groundingSupports": supports}}]})
    .to_string()
}

fn support(start: usize, end: usize, quote: &str, chunk: usize) -> Value {
    json!({"segment": {"startIndex": start, "endIndex": end, "text": quote}, "groundingChunkIndices": [chunk]})
}

#[test]
fn the_support_in_which_an_input_ends_is_judged_by_nothing() {
    // Fields in the order in which the service writes them.
    let whole = r#"{"candidates":[{"content":{"parts":[{"text":"The tower is 112 metres tall. It is red."}]},"finishReason":"STOP","groundingMetadata":{"groundingChunks":[{"web":{"uri":"https://a.example","title":"A"}}],"groundingSupports":[{"groundingChunkIndices":[0],"segment":{"startIndex":0,"endIndex":29,"text":"The tower is 112 metres tall."}},{"groundingChunkIndices":[0],"confidenceScores":[0.91],"segment":{"startIndex":30,"endIndex":40,"text":"It is red."}}]}}]}"#;
    let second = whole.find(r#"{"groundingChunkIndices":[0],"confidence"#).unwrap();
    let end = whole.find("\"}}]}}]}").unwrap();
    for cut in second + 1..end {
        let input = &whole[..cut];
        let told = told(input);
        let others = told.iter().filter(|one| !one.starts_with("stream-truncated ")).collect::<Vec<_>>();
        assert!(others.is_empty() && told.len() == 1, "{input}\n{told:?}");
        let fixed = output(["fix"], input);
        assert!(text(&fixed.stdout) == input, "{input}\n{}", text(&fixed.stderr));
    }
    let last = &told(&whole[..whole.len() - "red.\"}}]}}]}".len()])[0];
    assert_eq!(
        last,
        "stream-truncated the input ends in the middle of a value: what came before is shown; support 2 (“It is”) broke off"
    );
}

fn event(id: &str, more: Value) -> Value {
    let mut event = json!({"id": id, "author": "agent", "invocationId": "i", "timestamp": 1});
    event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    event
}

#[test]
fn metadata_that_came_before_its_text_is_of_that_text() {
    let events = [
        event(
            "a",
            json!({"content": {"role": "model", "parts": []}, "groundingMetadata": {"webSearchQueries": ["tower"]}}),
        ),
        event("b", json!({"content": {"role": "model", "parts": [{"text": ANSWER}]}})),
    ];
    let told = told(&json!({"events": events}).to_string());
    assert!(!told.iter().any(|one| one.starts_with("ungrounded")), "{told:?}");
}

#[test]
fn a_session_that_stops_at_a_piece_breaks_off_there() {
    let piece = |id: &str, text: &str| {
        event(id, json!({"partial": true, "content": {"role": "model", "parts": [{"text": text}]}}))
    };
    let session = json!({"events": [piece("a", "The tower"), piece("b", " is 112")]}).to_string();
    assert_eq!(told(&session), ["answer-unfinished the session breaks off in the middle of this turn"]);
    let mut state = screen::of(open("f", &*session));
    screen::press(&mut state, (100, 30), "]");
    let shown = screen::screen(&state, 100, 30);
    assert!(shown.contains("the session breaks off in the middle of this turn"), "{shown}");
    // The whole answer behind the pieces ends the turn.
    let whole = event("c", json!({"content": {"role": "model", "parts": [{"text": "The tower is 112."}]}}));
    let told = told(&json!({"events": [piece("a", "The tower"), whole]}).to_string());
    assert!(!told.iter().any(|one| one.starts_with("answer-unfinished")), "{told:?}");
}

fn research(messages: &[Value]) -> String {
    let message = |message: &Value| format!("data: {}\n\n", json!({"chat_id": "c", "message": message}));
    messages.iter().map(message).collect()
}

fn audit(values: Value) -> Value {
    json!({"type": "AUDIT", "audit_traces": [{"tool_id": "s", "title": "Search", "results": [{"type": "CQS", "values": values}]}]})
}

#[test]
fn steps_of_a_reference_are_said_as_they_stand() {
    let answer = json!({"type": "ANSWER", "content": "Sales rose by a fifth in May ."});
    let reference = json!({"type": "GROUNDING", "references": [{"start": 0, "end": 29, "audit_id": "s", "source": {"id": "D", "hd": "Report"}}]});
    let found = json!([{"id": "D", "hd": "Report"}]);
    let end = json!({"type": "COMPLETE"});
    let behind =
        research(&[answer.clone(), reference.clone(), audit(found.clone()), audit(found), end.clone()]);
    let ambiguous = "trace-ambiguous 1 support with an id that several steps have, none of them before it: the first behind is taken";
    assert!(told(&behind).contains(&ambiguous.to_owned()), "{:?}", told(&behind));
    let joined = &read(&behind)[0]["supports"][0]["citations"][0]["joined"];
    assert_eq!(joined, "the first of several with that id, none of which comes before it");
    let nothing = research(&[audit(json!([])), answer, reference, end]);
    let mismatch = "trace-mismatch support 1: its step 1 did not return [1]; no step did";
    assert!(told(&nothing).contains(&mismatch.to_owned()), "{:?}", told(&nothing));
}

#[test]
fn sentences_too_short_to_count_are_not_counted_as_none() {
    let told = told(&gemini(
        "The tower is 112 metres tall. It is red. Entry is free.",
        &[support(30, 40, "It is red.", 0)],
    ));
    let coverage = told.iter().find(|one| one.starts_with("coverage-low")).unwrap();
    assert!(coverage.contains("1 of 1 longer sentence rests on no source"), "{coverage}");
}

#[test]
fn a_piece_of_a_response_only_says_what_is_missing() {
    let rules = told(r#"{"retrievedContext": {"uri": "gs://b/f", "title": "F", "text": "T"}}"#);
    assert_eq!(rules.len(), 1, "{rules:?}");
    assert!(rules[0].starts_with("fragment "), "{rules:?}");
}

#[test]
fn a_segment_of_nothing_is_cited_nowhere() {
    let input = gemini(ANSWER, &[support(0, 0, "", 0), support(0, 29, "The tower is 112 metres tall.", 1)]);
    let page = output(["export", "--to", "html"], &input);
    let page = text(&page.stdout);
    assert_eq!(page.matches("<sup").count(), 1, "{page}");
    for id in page.split("href=\"#").skip(1).map(|rest| rest.split('"').next().unwrap()) {
        assert!(page.contains(&format!("id=\"{id}\"")), "#{id} leads nowhere");
    }
}

#[test]
fn an_answer_of_json_lines_stays_json_in_each_line() {
    let answer = "{\"city\": \"Paris\"}\n{\"city\": \"Rome\"}";
    let input = gemini(answer, &[support(9, 16, "\"Paris\"", 0), support(27, 33, "\"Rome\"", 1)]);
    let review = open("f", &*input).reviews().next().unwrap().unwrap();
    let inline = markdown::inline(&review, &ExportOptions::default()).text;
    assert_eq!(
        inline,
        "{\"city\": \"Paris\"}[1](https://a.example/)\n{\"city\": \"Rome\"}[2](https://b.example/)\n"
    );
}

#[test]
fn an_input_that_is_not_read_has_its_name_in_the_list() {
    let good = gemini(ANSWER, &[support(0, 29, "The tower is 112 metres tall.", 1)]);
    let inputs = [("good.json", good.as_str()), ("odd.json", r#"{"hello": 1}"#)];
    let inputs = inputs.map(|(name, text)| Input::from_bytes(name, text.into()));
    let session = Session::new(inputs, Supplied::default());
    let mut state = screen::of(session);
    screen::press(&mut state, (110, 30), "L");
    let shown = screen::screen(&state, 110, 30);
    let row = shown.lines().find(|line| line.contains("  not read")).unwrap();
    assert!(row.contains("odd.json"), "{shown}");
}

/// Elements behind one that is cut off are read, however they are parted.
#[test]
fn an_element_of_an_array_that_breaks_off_costs_itself_alone() {
    let element = |text: &str, more: Value| {
        let mut element =
            json!({"candidates": [{"content": {"parts": [{"text": text}]}}], "responseId": "r"});
        for (key, value) in more.as_object().unwrap() {
            element["candidates"][0][key] = value.clone();
        }
        element.to_string()
    };
    let support = json!({"segment": {"startIndex": 0, "endIndex": 12, "text": "Hello world."}, "groundingChunkIndices": [7]});
    let metadata = json!({"groundingChunks": [{"web": {"uri": "https://e.example", "title": "e"}}], "groundingSupports": [support]});
    let (first, last) = (
        element("Hello ", json!({})),
        element("world.", json!({"finishReason": "STOP", "groundingMetadata": metadata})),
    );
    for cut in
        ["{\"candidates\":[{\"content\":{\"parts\":[{\"te", "{\"candidates\":[{\"content\":{", "{\"cand"]
    {
        for comma in [",", "\n,", ",\n", "\n, "] {
            let input = format!("[{first}{comma}{cut}{comma}{last}\n]\n");
            let (code, found, errors) = run(&["check"], &input);
            assert!(code != 0 && found.contains("error[source-index]"), "{input}: {found}{errors}");
            assert_eq!(run(&["export", "--to", "plain"], &input).1.trim_end(), "Hello world.", "{input}");
        }
    }
}

/// The frame that came first says nothing of the rest; that it is an event does.
#[test]
fn an_event_stream_of_which_one_frame_came_breaks_off() {
    let frame = |more: &str| {
        format!(
            r#"{{"candidates": [{{"content": {{"parts": [{{"text": "Hi"}}]}}{more}}}], "responseId": "r"}}"#
        )
    };
    let rules = |input: &str| told(input).iter().any(|line| line.starts_with("stream-truncated"));
    for (more, cut) in [("", true), (r#", "finishReason": "STOP""#, false)] {
        assert_eq!(rules(&format!("data: {}\n\n", frame(more))), cut);
        assert!(!rules(&frame(more)));
    }
}

#[test]
fn a_session_that_ends_with_an_error_says_so() {
    let asked = r#"{"type": "user.message", "id": "1", "data": {"content": "Q"}}"#;
    let said = r#"{"type": "assistant.message", "id": "2", "data": {"messageId": "m", "content": "One."}}"#;
    let failed = r#"{"type": "session.error", "id": "3", "data": {"errorType": "quota", "message": "quota exceeded"}}"#;
    for input in [[asked, failed].join("\n"), [asked, said, failed].join("\n")] {
        assert!(told(&input).iter().any(|line| line == "stream-error quota exceeded"), "{:?}", told(&input));
    }
}

/// What stands in place of a number may be anything.
#[test]
fn an_offset_that_is_no_number_shows_no_credential() {
    let segment = |end: &str| json!({"segment": {"startIndex": 0, "endIndex": end, "text": "One."}, "groundingChunkIndices": [0]});
    for (end, told) in
        [("u:zQ7bdkzXXGB3L85QPNOL", "u:masked"), ("api_key=abc", "api_key=masked"), ("four", "four")]
    {
        let found = run(&["check"], &gemini("One.", &[segment(end)])).1;
        assert!(found.contains(&format!("endIndex \"{told}\"")), "{found}");
    }
}

#[test]
fn a_score_is_told_in_full_where_its_source_is_missing() {
    let mut lacking = support(0, 29, "The tower is 112 metres tall.", 7);
    lacking["confidenceScores"] = json!([0.4321]);
    let state = screen::of(open("f", &*gemini(ANSWER, &[lacking])));
    let shown = screen::screen(&state, 120, 36);
    assert!(shown.contains("confidence 0.4321"), "{shown}");
}

#[test]
fn sarif_says_of_each_rule_and_result_what_other_tools_go_by() {
    let folder = tempfile::tempdir().unwrap();
    let wrong = gemini(ANSWER, &[support(4, 33, "The tower is 112 metres tall.", 1)]);
    std::fs::write(folder.path().join("a b.json"), wrong).unwrap();
    let out = command().current_dir(folder.path()).args(["check", "--format", "sarif", "a b.json"]).output();
    let out = out.unwrap();
    let run = &serde_json::from_slice::<Value>(&out.stdout).unwrap()["runs"][0];
    assert_eq!(run["automationDetails"]["id"], "citescope/check/");
    let result = &run["results"][0];
    let rule = &run["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().unwrap() as usize];
    assert_eq!((&rule["id"], &result["ruleId"]), (&result["ruleId"], &json!("offset-shift")));
    assert!(!rule["fullDescription"]["text"].as_str().unwrap().is_empty());
    assert!(rule["help"]["markdown"].as_str().unwrap().contains("```json"));
    assert_eq!(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "a%20b.json");
    let print = result["partialFingerprints"].as_object().unwrap();
    assert!(
        print.len() == 1 && print.values().all(|value| value.as_str().is_some_and(|value| value.len() >= 16)),
        "{print:?}"
    );
}

#[test]
fn metadata_that_each_event_sends_again_takes_its_room_once_and_a_million_of_nothing_is_refused() {
    let support = json!({"segment": {"endIndex": 5, "text": "Fine."}, "groundingChunkIndices": [0, 0, 0, 0, 0],
        "confidenceScores": [0.5, 0.5, 0.5, 0.5, 0.5]});
    let metadata = json!({"groundingChunks": [{"web": {"uri": "https://rio.example", "title": "rio.example"}}],
        "groundingSupports": vec![support; 500]});
    let event = |text: &str| {
        let candidate = json!({"content": {"parts": [{"text": text}]}, "groundingMetadata": metadata});
        format!("data: {}\n\n", json!({"candidates": [candidate]}))
    };
    let stream = event("Fine.") + &event("").repeat(59);
    assert_eq!(read(&stream)[0]["supports"].as_array().unwrap().len(), 500);
    let indices = vec![7; 1_000_000];
    let metadata =
        json!({"groundingSupports": [{"segment": {"endIndex": 5}, "groundingChunkIndices": indices}]});
    let candidate = json!({"content": {"parts": [{"text": "Fine."}]}, "groundingMetadata": metadata});
    let session = open("f", json!({"candidates": [candidate]}).to_string());
    let refused = session.reviews().next().unwrap().err().unwrap().to_string();
    assert!(refused.contains("this record takes far more memory than its text"), "{refused}");
}

/// Gemini tells behind the text of a part whether it is a thought.
#[test]
fn a_part_that_breaks_off_may_be_a_thought_and_keeps_what_a_thought_must_not_tell() {
    const KEY: &str = "q7Zk3VbN9xT2mLpR8cWd5Yh4";
    let part = |text: &str, more: &str| {
        format!(r#"{{"candidates":[{{"content":{{"role":"model","parts":[{{"text":"{text}"{more}"#)
    };
    let thought = format!("data: {}\n\n", part("I plan.", r#","thought":true}]}}]}"#));
    let torn = part(&format!("The header is Authorization: Bearer {KEY} and then"), "");
    let last = r#"data: {"candidates":[{"content":{"parts":[{"text":" it is red."}]},"finishReason":"STOP","groundingMetadata":{"groundingChunks":[{"web":{"uri":"https://a.example/"}}],"groundingSupports":[{"segment":{"startIndex":70,"endIndex":80,"text":"it is red."},"groundingChunkIndices":[0]}]}}]}"#;
    let masked = "The header is Authorization: Bearer masked****************** and then";
    for input in [
        torn.clone(),
        format!("{thought}data: {torn}"),
        // What comes behind it is found at its offsets.
        format!("{thought}data: {torn}\n\n{last}\n\n"),
    ] {
        let (_, out, _) = run(&["export", "--to", "inline"], &input);
        assert!(out.contains(masked), "{out}");
        for args in [
            &["check"][..],
            &["export", "--to", "json"],
            &["export", "--to", "html"],
            &["export", "--to", "report"],
        ] {
            let (_, out, errors) = run(args, &input);
            assert!(!out.contains("q7Zk") && !errors.contains("q7Zk"), "{args:?}: {out}{errors}");
            assert!(!out.contains("offset-"), "{args:?}: {out}");
        }
        let (_, out, _) = run(&["export", "--to", "inline", "--show-secrets"], &input);
        assert!(out.contains(&format!("Bearer {KEY} and then")), "{out}");
    }
    assert_eq!(
        told(&format!("{thought}data: {torn}"))[1],
        "stream-truncated the input ends in the middle of a value: what came before is shown; its last part may be a thought: what would tell stood behind its text"
    );
}

/// The name of a credential may be cut between earlier pieces of the thought.
#[test]
fn a_thought_in_many_pieces_that_breaks_off_shows_no_credential() {
    let event = |number: usize, text: &str| {
        json!({"id": format!("e{number}"), "invocationId": "v", "author": "a", "partial": true,
            "content": {"role": "model", "parts": [{"text": text, "thought": true}]}})
        .to_string()
    };
    for pieces in [
        &[r#"{"api_k"#, r#"ey": "Zq7"#, r#"Xv9Kp3Lm5Rt8Wn2Yb4", "q""#][..],
        &["I will use api", "_ke", "y=Z", "q7", "Xv9Kp3Lm5Rt8Wn2Yb4 for it"],
    ] {
        let mut events: Vec<String> = pieces
            .iter()
            .enumerate()
            .map(|(number, text)| format!("data: {}", event(number, text)))
            .collect();
        let last = events.last_mut().unwrap();
        last.truncate(last.rfind(r#","thought""#).unwrap());
        let (_, out, _) = run(&["export", "--to", "json"], &events.join("\n\n"));
        assert!(out.contains(r#""answer": "masked"#) && !out.contains("Xv9K"), "{out}");
    }
}
