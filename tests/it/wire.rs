//! What services, SDKs and proxies really send: each test a shape that once went wrong, or easily could.

use citescope::format::{FrameKind, recognise, recognise_document};
use serde_json::{Value, json};

use crate::common::library::{open, read};
use crate::common::program;

fn answers(text: &str) -> Vec<String> {
    read(text).iter().map(|response| response["answer"].as_str().unwrap_or("–").to_owned()).collect()
}

fn rules(response: &Value) -> Vec<&str> {
    response["findings"].as_array().unwrap().iter().map(|finding| finding["rule"].as_str().unwrap()).collect()
}

fn chunk(text: &str, rest: &str) -> String {
    format!(r#"{{"candidates": [{{"content": {{"parts": [{{"text": "{text}"}}]}}{rest}}}]}}"#)
}

fn events(frames: &[String]) -> String {
    frames.iter().map(|frame| format!("data: {frame}\n\n")).collect()
}

const STOP: &str = r#", "finishReason": "STOP""#;

#[test]
fn streams_are_joined_whatever_their_line_ends_marks_and_ids() {
    let (one, two) = (chunk("Hel", ""), chunk("lo", STOP));
    let with_id = |frame: &str| frame.replacen('{', r#"{"responseId": "r", "#, 1);
    let cases = [
        events(&[one.clone(), two.clone()]),
        format!("\u{feff}{}", events(&[one.clone(), two.clone()])),
        events(&[one.clone(), two.clone()]).replace('\n', "\r"),
        events(&[one.clone(), two.clone()]).replace('\n', "\r\n"),
        events(&[one.clone(), two.clone()]).replace("\n\n", "\n"),
        events(&[with_id(&one), two.clone()]),
        events(&[one.clone(), with_id(&two)]),
        events(&[one.clone(), two.clone(), r#"{"usageMetadata": {"totalTokenCount": 3}}"#.to_owned()]),
        events(&[format!(r#"{{"response": {one}}}"#), format!(r#"{{"response": {two}}}"#)]),
        format!("[{one}, {two}]"),
        format!("{one}\n{two}\n"),
        format!("data: {one} {two}\n"),
    ];
    for case in cases {
        assert_eq!(answers(&case), ["Hello"], "{case:?}");
    }
}

#[test]
fn runs_of_one_input_are_kept_apart() {
    let whole =
        |text: &str, id: &str| chunk(text, STOP).replacen('{', &format!(r#"{{"responseId": "{id}", "#), 1);
    assert_eq!(answers(&format!("{}\n{}\n", chunk("A", STOP), chunk("B", STOP))), ["A", "B"]);
    assert_eq!(
        answers(&events(&[whole("A", "1"), whole("x", "2"), whole("B", "1"), whole("y", "2")])),
        ["AB", "xy"]
    );
    let live = |text: &str| {
        [
            format!(r#"{{"serverContent": {{"modelTurn": {{"parts": [{{"text": "{text}"}}]}}}}}}"#),
            r#"{"serverContent": {"turnComplete": true}}"#.to_owned(),
        ]
    };
    assert_eq!(answers(&events(&[live("One"), live("Two")].concat())), ["One", "Two"]);
    let message = |body: &str| format!(r#"{{"chat_id": "c", "message": {body}}}"#);
    let run = |text: &str| {
        [
            message(&format!(r#"{{"type": "ANSWER", "content": "{text}"}}"#)),
            message(r#"{"type": "COMPLETE"}"#),
        ]
    };
    assert_eq!(answers(&events(&[run("One"), run("Two")].concat())), ["One", "Two"]);
}

#[test]
fn an_error_inside_a_stream_ends_it_as_an_error() {
    let response = &read(&events(&[
        chunk("Hel", ""),
        r#"{"error": {"code": 503, "message": "overloaded", "status": "UNAVAILABLE"}}"#.to_owned(),
    ]))[0];
    assert_eq!((&response["answer"], &response["state"]), (&json!("Hel"), &json!("error")));
    assert!(rules(response).contains(&"stream-error"));
    assert!(response["error"]["message"].as_str().unwrap().contains("overloaded"));
}

#[test]
fn metadata_sent_again_counts_once_and_further_metadata_is_appended() {
    let meta = |chunks: &[&str], supports: &[(usize, usize)]| {
        let chunks: Vec<Value> = chunks.iter().map(|uri| json!({"web": {"uri": uri}})).collect();
        let supports: Vec<Value> = supports
            .iter()
            .map(|(end, index)| json!({"segment": {"endIndex": end}, "groundingChunkIndices": [index]}))
            .collect();
        format!(
            r#", "groundingMetadata": {}"#,
            json!({"groundingChunks": chunks, "groundingSupports": supports})
        )
    };
    let counts = |frames: &[String]| {
        let response = &read(&events(frames))[0];
        (response["sources"].as_array().unwrap().len(), response["supports"].as_array().unwrap().len())
    };
    let first = chunk("Yes", &meta(&["https://a.example"], &[(3, 0)]));
    assert_eq!(counts(&[first.clone(), chunk(".", &(meta(&["https://a.example"], &[]) + STOP))]), (1, 1));
    assert_eq!(
        counts(&[first.clone(), chunk(".", &(meta(&["https://a.example"], &[(3, 0)]) + STOP))]),
        (1, 1)
    );
    assert_eq!(
        counts(&[
            first.clone(),
            chunk(".", &(meta(&["https://a.example", "https://b.example"], &[(4, 1)]) + STOP))
        ]),
        (2, 2)
    );
    assert_eq!(counts(&[first, chunk(".", &(meta(&["https://b.example"], &[(4, 1)]) + STOP))]), (2, 2));
}

#[test]
fn the_last_message_of_an_answer_stream_replaces_the_pieces() {
    let message =
        |text: &str, state: &str| format!(r#"{{"answer": {{"state": "{state}", "answerText": "{text}"}}}}"#);
    let same = events(&[
        message("Hello ", "STREAMING"),
        message("world.", "STREAMING"),
        message("Hello world.", "SUCCEEDED"),
    ]);
    assert_eq!(answers(&same), ["Hello world."]);
    let edited = events(&[
        message("Hello ", "STREAMING"),
        message("world.  ", "STREAMING"),
        message("Hello world.", "SUCCEEDED"),
    ]);
    assert_eq!(answers(&edited), ["Hello world."]);
    assert_eq!(rules(&read(&edited)[0]), ["text-edited"]);
}

#[test]
fn a_tool_call_keeps_its_own_query_and_grounding_without_text_is_kept() {
    let session = json!({"events": [
        {"author": "a", "invocationId": "i", "timestamp": 1.0, "content": {"parts": [{"functionCall": {"id": "c", "name": "lookup", "args": {"query": "my own query"}}}]}},
        {"author": "a", "invocationId": "i", "timestamp": 2.0, "content": {"parts": [{"functionResponse": {"id": "c", "name": "lookup", "response": {"ok": true}}}]}},
        {"author": "a", "invocationId": "i", "timestamp": 3.0, "content": {"parts": [{"text": "Yes."}]}, "groundingMetadata": {"webSearchQueries": ["other query"]}},
    ]});
    let response = &read(&session.to_string())[0];
    let call = response["traces"].as_array().unwrap().iter().find(|trace| trace["tool"] == "lookup").unwrap();
    assert_eq!((&call["queries"], call["results"].as_array().unwrap().len()), (&json!(["my own query"]), 1));
    let queries: Vec<&str> =
        response["queries"].as_array().unwrap().iter().map(|query| query["text"].as_str().unwrap()).collect();
    assert_eq!(queries, ["other query", "my own query"]);
    let silent = json!({"events": [{"author": "a", "invocationId": "i", "timestamp": 1.0, "content": {"parts": [{"functionCall": {"name": "f"}}]}, "groundingMetadata": {"webSearchQueries": ["kept"]}}]});
    assert_eq!(read(&silent.to_string())[0]["queries"][0]["text"], "kept");
}

#[test]
fn a_reference_joins_the_step_that_found_its_document() {
    let message = |body: Value| format!("data: {}\n", json!({"chat_id": "c", "message": body}));
    let audit = |query: &str, id: &str| json!({"type": "AUDIT", "audit_traces": [{"tool_id": "search", "query": {"text": query}, "results": [{"type": "CQS", "values": [{"id": id, "hd": id}]}]}]});
    let reference = json!({"type": "GROUNDING", "references": [{"start": 0, "end": 4, "tool_name": "search", "audit_id": "opaque", "source": {"type": "BIGDATA", "id": "B"}}]});
    let text = [
        audit("first", "A"),
        audit("second", "B"),
        json!({"type": "ANSWER", "content": "Yes ."}),
        reference,
        json!({"type": "COMPLETE"}),
    ]
    .map(message)
    .concat();
    let response = &read(&text)[0];
    assert_eq!(response["supports"][0]["citations"][0]["trace_index"], 1);
    assert_eq!(response["supports"][0]["citations"][0]["joined"], "joined by the tool's name");
}

#[test]
fn json_of_others_is_not_taken_for_a_grounded_response() {
    for other in [
        r#"{"name": "projects/p/x", "state": "ACTIVE"}"#,
        r#"{"name": "Bob", "state": "CA"}"#,
        r#"{"candidates": [{"formatted_address": "Main Street 1"}]}"#,
        r#"{"author": "Ann", "content": "Hello"}"#,
        r#"{"web": {"client_id": "x", "client_secret": "y"}}"#,
        r#"{"segment": "enterprise"}"#,
        r#"{"maps": {"a": 1}}"#,
        r#"{"type": "FAILED", "reason": "x"}"#,
        r#"[{"a": 1}, [2]]"#,
    ] {
        assert_eq!(recognise(other), FrameKind::Unrecognised, "{other}");
        assert_eq!(recognise_document(other), FrameKind::Unrecognised, "{other}");
    }
}

#[test]
fn every_place_of_every_sample_leads_somewhere() {
    for (name, text) in citescope::cli::SAMPLES.iter() {
        let collection = open("f", *text);
        for record in 0..collection.len() {
            let reviews = collection.decode(record).unwrap();
            for review in reviews.iter() {
                let response = &review.response;
                let citations = response.supports.iter().flat_map(|support| {
                    support.citations.iter().map(|citation| citation.place.below(&support.origin))
                });
                let supports = response.supports.iter().map(|support| support.origin.clone());
                let sources = response.sources.iter().map(|source| source.origin.clone());
                let queries = response.queries.iter().map(|query| query.origin.clone());
                let traces = response.traces.iter().map(|trace| trace.origin.clone());
                let findings = review.structural_findings().iter().map(|finding| finding.origin.clone());
                for origin in
                    citations.chain(supports).chain(sources).chain(queries).chain(traces).chain(findings)
                {
                    assert!(review.sent.locate(&origin).is_some(), "{name}: {} leads nowhere", origin.path);
                }
            }
        }
    }
}

#[test]
fn lists_nested_a_million_deep_end_in_an_error() {
    let deep = "[".repeat(1_000_000) + &"]".repeat(1_000_000);
    let collection = open("f", &*deep);
    assert!(collection.decode(0).is_err());
}

#[test]
fn extreme_offsets_are_clamped_without_a_crash() {
    let metadata = format!(
        r#", "finishReason": "STOP", "groundingMetadata": {{"groundingSupports": [{{"segment": {{"startIndex": {}, "endIndex": {}, "text": "Yes"}}}}, {{"segment": {{"partIndex": 1, "startIndex": {}, "endIndex": {}}}}}]}}"#,
        i64::MIN,
        i64::MAX,
        i64::MAX,
        i64::MAX
    );
    let response = &read(&chunk("Yes.", &metadata))[0];
    assert_eq!(response["supports"][0]["start"], 0);
}

#[test]
fn far_repeats_are_found_where_they_are_nearest() {
    let text = "Repeat me. ".repeat(1000);
    let metadata = r#", "finishReason": "STOP", "groundingMetadata": {"groundingSupports": [{"segment": {"startIndex": 0, "endIndex": 10, "text": "Repeat me."}}, {"segment": {"startIndex": 11, "endIndex": 21, "text": "Repeat me."}}, {"segment": {"startIndex": 9902, "endIndex": 9912, "text": "Repeat me."}}]}"#;
    let response = &read(&chunk(&text, metadata))[0];
    assert_eq!(
        (&response["supports"][2]["start"], &response["supports"][2]["anchor"]["verdict"]),
        (&json!(9900), &json!("ambiguous"))
    );
}

#[test]
fn a_piece_without_its_number_goes_on_with_the_one_before_it() {
    let anthropic = events(&[
        r#"{"type": "message_start", "message": {"type": "message", "role": "assistant", "content": []}}"#.into(),
        r#"{"type": "content_block_start", "index": 0, "content_block": {"type": "server_tool_use", "name": "web_search"}}"#.into(),
        r#"{"type": "content_block_start", "content_block": {"type": "text", "text": ""}}"#.into(),
        r#"{"type": "content_block_delta", "delta": {"type": "text_delta", "text": "Open "}}"#.into(),
        r#"{"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "at "}}"#.into(),
        r#"{"type": "content_block_delta", "delta": {"type": "text_delta", "text": "nine."}}"#.into(),
        r#"{"type": "message_stop"}"#.into(),
    ]);
    let converse = events(&[
        r#"{"contentBlockDelta": {"contentBlockIndex": 2, "delta": {"text": "Open at "}}}"#.into(),
        r#"{"contentBlockDelta": {"delta": {"text": "nine."}}}"#.into(),
        r#"{"messageStop": {"stopReason": "end_turn"}}"#.into(),
    ]);
    let cohere = events(&[
        r#"{"type": "message-start", "id": "m", "delta": {"message": {"role": "assistant", "content": []}}}"#.into(),
        r#"{"type": "content-start", "index": 3, "delta": {"message": {"content": {"type": "text", "text": ""}}}}"#.into(),
        r#"{"type": "content-delta", "delta": {"message": {"content": {"text": "Open at nine."}}}}"#.into(),
        r#"{"type": "message-end", "delta": {"finish_reason": "COMPLETE"}}"#.into(),
    ]);
    for stream in [anthropic, converse, cohere] {
        assert_eq!(answers(&stream), ["Open at nine."], "{stream}");
    }
}

#[test]
fn text_sent_into_a_block_of_another_kind_is_text() {
    let stream = events(&[
        r#"{"type": "message_start", "message": {"type": "message", "role": "assistant", "content": []}}"#.into(),
        r#"{"type": "content_block_start", "index": 0, "content_block": {"type": "server_tool_use", "name": "web_search"}}"#.into(),
        r#"{"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Open."}}"#.into(),
        r#"{"type": "message_stop"}"#.into(),
    ]);
    assert_eq!(answers(&stream), ["Open."]);
}

#[test]
fn a_value_that_is_nested_out_of_reason_ends_nothing() {
    let deep = format!("{}1{}", "[".repeat(50_000), "]".repeat(50_000));
    let call = |args: &str| {
        format!(
            r#"{{"candidates":[{{"content":{{"parts":[{{"functionCall":{{"name":"f","args":{{"a":{args}}}}}}},{{"text":"A."}}]}},"finishReason":"STOP","x":{args}}}]}}"#
        )
    };
    let lines = [call("1"), call(&deep), call("2")].join("\n");
    for args in
        [&["export", "--to", "json"][..], &["export", "--to", "jsonl", "--each-line"], &["check"], &["fix"]]
    {
        let (code, out, errors) = crate::common::program::run(args, &lines);
        assert!(code < 3 && !errors.contains("overflow"), "{args:?}: {code} {errors}");
        assert!(
            args[0] != "export" || out.contains(r#""record":2"#) || out.contains(r#""record": 2"#),
            "{out}"
        );
    }
}

#[test]
fn a_first_line_of_other_values_costs_that_line_and_no_other() {
    let good = |number: usize| json!({"candidates": [{"content": {"parts": [{"text": "It is so."}]}, "finishReason": "STOP"}], "responseId": format!("r{number}")});
    let rest: String = (0..5).map(|number| format!("{}\n", good(number))).collect();
    for first in [r#"{"level":"info"} {"msg":"x"}"#, r#"{"a":1}{"b":2}"#, "{}}", "\""] {
        let (code, out, errors) =
            program::run(&["check", "--format", "jsonl", "--fail-on", "never"], &format!("{first}\n{rest}"));
        assert_eq!((code, out.lines().count()), (2, 6), "{first}: {out}{errors}");
        assert_eq!(errors.lines().count(), 1, "{first}: {errors}");
    }
    // Two on the first line are two.
    let both = format!("{}{}\n{rest}", good(8), good(9));
    let (code, out, _) = program::run(&["check", "--format", "jsonl", "--fail-on", "never"], &both);
    assert_eq!((code, out.lines().count()), (0, 7));
    // Behind one with a comma a stray quote costs its line.
    let stray = format!("{},\n{rest}\"\n{rest}", good(8));
    let (code, out, errors) = program::run(&["check", "--format", "jsonl", "--fail-on", "never"], &stray);
    assert_eq!((code, out.lines().count()), (2, 12), "{out}{errors}");
}

#[test]
fn arrays_a_line_or_one_behind_another_are_read_each_for_itself() {
    let with_id = |frame: &str, id: usize| frame.replacen('{', &format!(r#"{{"responseId": "r{id}", "#), 1);
    let stream = |id: usize, end: &str| {
        let pieces = [with_id(&chunk(&format!("Fact {id} "), ""), id), with_id(&chunk("more.", end), id)];
        pieces.join(", ")
    };
    // A stream a line, as logs have them; pretty ones as `curl >> file` leaves them, also without their ends.
    let line = |id: usize| format!("[{}]\n", stream(id, STOP));
    let told = ["Fact 0 more.", "Fact 1 more.", "Fact 2 more."];
    assert_eq!(answers(&(0..3).map(line).collect::<String>()), told);
    let pretty = |end: &'static str| move |id| format!("[{}\n]\n", stream(id, end).replace(", ", "\n,\n"));
    assert_eq!(answers(&(0..3).map(pretty(STOP)).collect::<String>()), told);
    assert_eq!(answers(&(0..3).map(pretty("")).collect::<String>()), told);
    // Among lines of one object each.
    let whole = |id: usize| with_id(&chunk(&format!("Fact {id} more."), STOP), id) + "\n";
    assert_eq!(answers(&[whole(0), line(1), whole(2)].concat()), told);
    assert_eq!(answers(&[line(0), whole(1), line(2)].concat()), told);
    // Of several responses each is one behind another array; in a line among others they are refused.
    let several = |id: usize| format!("[{}, {}]\n", whole(id).trim(), whole(id + 1).trim());
    assert_eq!(answers(&[several(0), several(2)].concat()).len(), 4);
    let (code, _, errors) = program::run(&["check"], &[whole(0), several(1), whole(3)].concat());
    assert!(
        code == 2 && errors.contains("stdin:2:1: this is a list of several things in one line"),
        "{errors}"
    );
    assert_eq!(errors.lines().count(), 1, "{errors}");
    // What a finding names lies in its element.
    let found = program::output(["check", "--format", "json"], line(0) + &line(1));
    let responses = program::json(&found.stdout)["files"][0]["responses"].clone();
    let place = |response: &Value| {
        (response["findings"][0]["line"].clone(), response["findings"][0]["column"].clone())
    };
    let places: Vec<_> = responses.as_array().unwrap().iter().map(place).collect();
    assert_eq!(places, [(json!(1), json!(38)), (json!(2), json!(38))]);
}

#[test]
fn an_array_that_is_cut_off_costs_itself_only() {
    let with_id = |frame: &str, id: usize| frame.replacen('{', &format!(r#"{{"responseId": "r{id}", "#), 1);
    let pieces =
        |id: usize| [with_id(&chunk(&format!("Fact {id} "), ""), id), with_id(&chunk("more.", STOP), id)];
    let lines: Vec<String> = (0..10).map(|id| format!("[{}]", pieces(id).join(", "))).collect();
    let google: Vec<String> = (0..10).map(|id| format!("[{}\n]", pieces(id).join("\n,\n"))).collect();
    let pretty: Vec<String> = google.iter().map(|array| array.replace(", ", ",\n  ")).collect();
    for arrays in [lines, google, pretty] {
        for at in [0, 4, 9] {
            for cut in [3, 20, 60, 90] {
                let mut arrays = arrays.clone();
                let length = arrays[at].len() - cut;
                arrays[at].truncate(length);
                let (_, out, _) = program::run(&["export", "--to", "jsonl"], &(arrays.join("\n") + "\n"));
                let whole = out.lines().filter(|line| line.contains(" more.\"")).count();
                assert!(whole >= 9, "{at} {cut}: {whole}\n{}", arrays.join("\n"));
            }
        }
    }
    // Lists of lists are what they are.
    let nested = format!("[\n[{}],\n[{}]\n]", pieces(0).join(","), pieces(1).join(","));
    assert_eq!(answers(&nested), ["Fact 0 more.", "Fact 1 more."]);
}

#[test]
fn what_is_none_before_values_over_several_lines_costs_itself_only() {
    let pretty = |id: usize| chunk(&format!("Fact {id}."), STOP).replace(", ", ",\n  ") + "\n";
    let compact = |id: usize| chunk(&format!("Fact {id}."), STOP) + "\n";
    let (lines, values): (String, String) = ((0..40).map(compact).collect(), (0..40).map(pretty).collect());
    let foreign = "{\n \"level\": \"info\",\n \"list\": [\n 1\n ]\n}\n";
    for (first, rest) in [(foreign, &lines), (foreign, &values), ("=== run started ===\n", &values)] {
        let (code, out, errors) = program::run(&["export", "--to", "jsonl"], &[first, rest].concat());
        assert_eq!((code, out.lines().count(), errors.lines().count()), (2, 40, 1), "{first}: {errors}");
        assert!(errors.starts_with("citescope: stdin:1:1: "), "{errors}");
    }
    // A text that shows such a value goes on behind it.
    let text = format!("The service said\n{}and that was all.\n", pretty(0));
    let (_, _, errors) = program::run(&["check"], &text);
    assert!(errors.contains("a response begins with '{', '[' or 'data:'"), "{errors}");
}

#[test]
fn responses_that_were_not_streamed_are_read_among_events() {
    let whole = |id: usize| {
        chunk(&format!("Fact {id}."), STOP).replacen('{', &format!(r#"{{"responseId": "w{id}", "#), 1)
    };
    let event = |id: usize| format!("data: {}\n\n", whole(id));
    let told = ["Fact 0.", "Fact 1.", "Fact 2."];
    assert_eq!(answers(&format!("{}{}\n{}", event(0), whole(1), event(2))), told);
    // Also over several lines, and where nothing parts it from the event before it.
    let pretty = whole(1).replace(", ", ",\n  ");
    assert_eq!(answers(&format!("{}{pretty}\n{}", event(0), event(2))), told);
    assert_eq!(answers(&format!("data: {}\n{}\n{}", whole(0), whole(1), event(2))), told);
    // What is no response is passed over as before.
    let passed = format!("{}{{\"level\": \"info\"}}\nback\n{}", event(0), event(1));
    assert_eq!(answers(&passed), told[..2]);
    let (code, out, _) = program::run(&["check"], &passed);
    assert!(code == 0 && out.contains("2 lines are neither an event field nor a comment"), "{out}");
}

#[test]
fn a_stream_that_comes_again_behind_another_is_another_response() {
    let piece = |id: &str, text: &str, end: &str| {
        chunk(text, end).replacen('{', &format!(r#"{{"responseId": "{id}", "#), 1)
    };
    let run = |id: &str| [piece(id, &format!("Of {id} "), ""), piece(id, "more.", STOP)];
    let runs = [run("a"), run("b"), run("a"), run("b")].concat();
    assert_eq!(answers(&events(&runs)), ["Of a more.", "Of b more.", "Of a more.", "Of b more."]);
    let whole = ["a", "b", "a"].map(|id| piece(id, &format!("Of {id}."), STOP));
    assert_eq!(answers(&events(&whole)), ["Of a.", "Of b.", "Of a."]);
    // Pieces of two that take turns are two.
    let [[one, two], [three, four]] = [run("a"), run("b")];
    assert_eq!(answers(&events(&[one, three, two, four])), ["Of a more.", "Of b more."]);
}

#[test]
fn what_speaks_behind_the_end_of_a_stream_without_ids_is_another_response() {
    let [one, two] = [chunk("One ", ""), chunk("is one.", STOP)];
    let [three, four] = [chunk("Two ", ""), chunk("is two.", STOP)];
    let told = |frames: &[&String]| answers(&events(&frames.iter().copied().cloned().collect::<Vec<_>>()));
    assert_eq!(told(&[&one, &two, &three, &four]), ["One is one.", "Two is two."]);
    // Also where only the first has an id, where something parts them, and where it is a response alone.
    let with_id = |frame: &str| frame.replacen('{', r#"{"responseId": "r", "#, 1);
    assert_eq!(told(&[&with_id(&one), &with_id(&two), &three, &four]), ["One is one.", "Two is two."]);
    let parted = format!(
        "{}data: [DONE]\n\n: next\n\n{}",
        events(&[one.clone(), two.clone()]),
        events(std::slice::from_ref(&four))
    );
    assert_eq!(answers(&parted), ["One is one.", "is two."]);
    assert_eq!(told(&[&two, &three, &four]), ["is one.", "Two is two."]);
    // What says nothing, or comes twice, is of the one before; and each frame may say that it is the last.
    let usage =
        r#"{"candidates": [{"content": {"parts": [{"text": ""}]}, "finishReason": "STOP"}]}"#.to_owned();
    assert_eq!(told(&[&one, &two, &usage]), ["One is one."]);
    assert_eq!(told(&[&one, &two, &two]).len(), 1);
    assert_eq!(told(&[&two, &four]), ["is one.is two."]);
    // Those that do have no ids.
    assert_eq!(told(&[&with_id(&two), &four]), ["is one.", "is two."]);
    assert_eq!(told(&[&two, &with_id(&four)]), ["is one.", "is two."]);
    // Of several candidates one ends before the other.
    let second = |frame: &str| frame.replace("{\"content", "{\"index\": 1, \"content");
    assert_eq!(told(&[&one, &second(&three), &two, &second(&four)]), ["One is one.", "Two is two."]);
    let piece = |text: &str, end: &str| {
        format!(
            r#"{{"object": "chat.completion.chunk", "choices": [{{"index": 0, "delta": {{"content": "{text}"}}, "finish_reason": {end}}}]}}"#
        )
    };
    let chat =
        [piece("One ", "null"), piece("is.", "\"stop\""), piece("Two ", "null"), piece("", "\"stop\"")];
    assert_eq!(answers(&events(&chat)), ["One is.", "Two "]);
}

#[test]
fn an_empty_id_is_none() {
    let with_id = |frame: &str, id: &str| frame.replacen('{', &format!(r#"{{"responseId": "{id}", "#), 1);
    let [one, two] = ["One.", "Two."].map(|text| with_id(&chunk(text, STOP), ""));
    for text in [
        format!("{one}\n{two}\n"),
        format!("[{one}, {two}]"),
        events(&[chunk("O", ""), one.clone(), two.clone()]),
    ] {
        assert_eq!(answers(&text).len(), 2, "{text}");
    }
}

#[test]
fn behind_an_answer_of_discovery_engine_that_is_done_another_begins() {
    let frame = |name: &str, state: &str, text: &str| {
        format!(
            r#"{{"answer": {{"name": "projects/p/answers/{name}", "state": "{state}", "answerText": "{text}", "steps": []}}}}"#
        )
    };
    let token = r#"{"answerQueryToken": "t", "session": {"name": "projects/p/sessions/s"}}"#.to_owned();
    let stream =
        |name: &str| [frame(name, "STREAMING", "One "), frame(name, "SUCCEEDED", "One is."), token.clone()];
    let frames = [stream("a"), stream("b")].concat();
    assert_eq!(answers(&events(&frames)), ["One is.", "One is."]);
    let whole = ["a", "b", "c"].map(|name| frame(name, "SUCCEEDED", "One is."));
    assert_eq!(answers(&events(&whole)).len(), 3);
}

#[test]
fn a_line_that_is_passed_over_in_a_stream_could_not_be_read() {
    let with_id = |frame: &str, id: &str| frame.replacen('{', &format!(r#"{{"responseId": "{id}", "#), 1);
    let first = with_id(&chunk("Fact ", ""), "a");
    let last = with_id(&chunk("one.", STOP), "a");
    let other = with_id(&chunk("Another.", STOP), "b");
    for line in [format!("{last}{other}"), format!("{last} trailing"), last.replace("one.", "o\u{1}ne.")] {
        for command in [&["check"][..], &["export", "--to", "json"], &["export", "--to", "plain"], &["fix"]] {
            let (code, _, errors) = program::run(command, &format!("{first}\n{line}\n"));
            assert_eq!(code, 2, "{command:?} {line}: {errors}");
            assert!(errors.contains("stdin:2:") && errors.contains("this frame was passed over"), "{errors}");
        }
    }
    // Of an event stream and of an array, too.
    let broken = last.replace("one.", "o\u{1}ne.");
    for (input, place) in [
        (format!("data: {first}\n\ndata: {broken}\n\ndata: {last}\n\n"), "stdin:3:7"),
        (format!("[{first},\n{broken},\n{last}]"), "stdin:2:1"),
    ] {
        let (code, out, errors) = program::run(&["check"], &input);
        assert_eq!(code, 2, "{out}");
        assert!(out.contains(&format!("\n  --> {place}  $\n")), "{out}");
        assert!(errors.contains("this frame was passed over"), "{errors}");
    }
}
