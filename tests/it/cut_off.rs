//! Event streams that break off behind one of their events: each says so, whoever sent it.

use serde_json::{Value, json};

use crate::common::library::{open, read, sample};
use crate::common::program::run;

/// Rules that fire on an input, of all its responses.
fn rules(input: &str) -> Vec<&'static str> {
    let reviews: Vec<_> = open("f", input).reviews().map(Result::unwrap).collect();
    reviews.iter().flat_map(|review| review.findings()).map(|finding| finding.rule.id).collect()
}

fn breaks_off(input: &str) -> bool {
    rules(input).contains(&"stream-truncated")
}

fn events(frames: &[Value]) -> String {
    frames.iter().map(|frame| format!("data: {frame}\n\n")).collect()
}

#[test]
fn a_sample_that_stops_behind_any_of_its_events_breaks_off() {
    for (name, ends) in [
        ("gemini-stream.sse", vec![]),
        ("agent-events.sse", vec![]),
        ("bigdata-research.sse", vec![]),
        ("bigdata-workflow.sse", vec![]),
        // Three runs: where the first two of them end.
        ("all-fields-bigdata.sse", vec![17, 21]),
    ] {
        let blocks: Vec<&str> = sample(name).split_inclusive("\n\n").collect();
        let silent: Vec<usize> =
            (1..blocks.len()).filter(|&behind| !breaks_off(&blocks[..behind].concat())).collect();
        assert_eq!(silent, ends, "{name}");
        assert!(!breaks_off(sample(name)), "{name}");
    }
}

fn agent(parts: Value, more: &Value) -> Value {
    let mut event = json!({"author": "a", "invocationId": "i", "id": "e", "timestamp": 1.5,
        "content": {"role": "model", "parts": parts}});
    event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    event
}

/// Which events are final says ADK's `is_final_response`.
#[test]
fn a_session_that_an_agent_streams_ends_with_a_final_event() {
    let call = json!([{"functionCall": {"id": "c", "name": "look_up", "args": {}}}]);
    let response = json!([{"functionResponse": {"id": "c", "name": "look_up", "response": {"found": 3}}}]);
    let both = json!([{"text": "I look."}, {"functionCall": {"id": "c", "name": "look_up", "args": {}}}]);
    let code = json!([{"executableCode": {"language": "PYTHON", "code": "1+1"}}, {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "2"}}]);
    let said = agent(json!([{"text": "Three."}]), &json!({}));
    let piece = agent(json!([{"text": "Thr"}]), &json!({"partial": true}));
    let plain = |parts: &Value| agent(parts.clone(), &json!({}));
    for (last, cut) in [
        (said.clone(), false),
        (piece.clone(), true),
        (plain(&call), true),
        (plain(&response), true),
        (plain(&both), true),
        (plain(&code), true),
        (agent(call.clone(), &json!({"longRunningToolIds": ["c"]})), false),
        (agent(response.clone(), &json!({"actions": {"skipSummarization": true}})), false),
        (agent(response.clone(), &json!({"actions": {"escalate": true}})), false),
        (agent(json!([{"text": "Thr"}]), &json!({"partial": true, "turnComplete": true})), false),
        // The user is asked for credentials, or for leave.
        (agent(response.clone(), &json!({"actions": {"requestedAuthConfigs": {"c": {"k": 1}}}})), false),
        (
            agent(response.clone(), &json!({"actions": {"requestedToolConfirmations": {"c": {"k": 1}}}})),
            false,
        ),
        (agent(response.clone(), &json!({"actions": {"requestedAuthConfigs": {}}})), true),
    ] {
        for before in [vec![], vec![said.clone()], vec![plain(&call), plain(&response)]] {
            let input = events(&[before, vec![last.clone()]].concat());
            assert_eq!(breaks_off(&input), cut, "{input}");
        }
        // A session that was stored goes on with its next turn.
        assert!(!breaks_off(&json!({"events": [last]}).to_string()), "{last}");
    }
    // It is said once.
    assert_eq!(rules(&events(&[piece.clone(), piece])), ["stream-truncated"]);
}

#[test]
fn the_pieces_of_a_turn_that_breaks_off_can_be_exported() {
    let piece = |text: &str| agent(json!([{"text": text}]), &json!({"partial": true}));
    let one = events(&[piece("Opens at nine.")]);
    let (code, found, errors) = run(&["export", "--to", "plain"], &one);
    assert_eq!((code, found.trim_end()), (0, "Opens at nine."), "{errors}");
    let two = events(&[piece("Opens at"), piece(" nine.")]);
    let (code, _, errors) = run(&["export", "--to", "plain"], &two);
    assert_eq!(code, 2);
    assert!(errors.contains("--response 1.2  nine."), "{errors}");
    // Where the answer follows, it is the one.
    let whole = agent(json!([{"text": "Opens at nine."}]), &json!({}));
    let (code, found, errors) = run(&["export", "--to", "plain"], &events(&[piece("Opens at"), whole]));
    assert_eq!((code, found.trim_end()), (0, "Opens at nine."), "{errors}");
}

#[test]
fn a_copilot_session_without_its_message_breaks_off() {
    let event = |kind: &str, data: Value| json!({"type": kind, "id": "1", "data": data});
    let asked = event("user.message", json!({"content": "When?"}));
    let piece = event("assistant.message_delta", json!({"messageId": "m", "deltaContent": "At ni"}));
    let call = event("tool.execution_start", json!({"toolCallId": "t", "toolName": "bash"}));
    let said = event("assistant.message", json!({"messageId": "m", "content": "At nine."}));
    let turn = event("assistant.turn_start", json!({"turnId": "0"}));
    for (frames, cut) in [
        (vec![&asked, &turn], true),
        (vec![&turn, &turn], false),
        (vec![&asked, &piece], true),
        (vec![&piece, &piece], true),
        (vec![&asked, &call], true),
        (vec![&piece, &said], false),
        (vec![&asked, &call, &said], false),
        // A piece that was logged by itself.
        (vec![&piece], false),
    ] {
        let input: String = frames.iter().map(|frame| format!("{frame}\n")).collect();
        assert_eq!(breaks_off(&input), cut, "{input}");
    }
}

/// Pieces of a thought are no words of the answer, and are masked as thoughts are.
#[test]
fn thoughts_of_a_copilot_session_stay_thoughts_where_its_message_stays_away() {
    let event = |kind: &str, data: Value| format!("{}\n", json!({"type": kind, "id": "1", "data": data}));
    let think =
        |text: &str| event("assistant.reasoning_delta", json!({"reasoningId": "r", "deltaContent": text}));
    let says = event("assistant.message_delta", json!({"messageId": "m", "deltaContent": "At nine."}));
    let input = [think("I use password=QmZ4t"), think("KpW7xRb2LcVn9Hd"), says].concat();
    let (_, out, _) = run(&["export", "--to", "json"], &input);
    let out: Value = serde_json::from_str(&out).unwrap();
    let response = &out["responses"][0];
    assert_eq!((&response["answer"], response["traces"].as_array().unwrap().len()), (&json!("At nine."), 1));
    assert_eq!(response["traces"][0]["thought"], "I use password=masked");
    // The whole repeats its pieces.
    let whole = event("assistant.reasoning", json!({"reasoningId": "r", "content": "I look it up."}));
    let said = event("assistant.message", json!({"messageId": "m", "content": "At nine."}));
    let (_, out, _) =
        run(&["export", "--to", "json"], &[think("I look"), think(" it up."), whole, said].concat());
    let out: Value = serde_json::from_str(&out).unwrap();
    let traces = out["responses"][0]["traces"].as_array().unwrap();
    assert_eq!((traces.len(), &traces[0]["thought"]), (1, &json!("I look it up.")));
}

#[test]
fn a_copilot_session_that_the_user_stopped_says_so() {
    let said =
        json!({"type": "assistant.message", "id": "1", "data": {"messageId": "m", "content": "At nine."}});
    let stopped = json!({"type": "abort", "id": "2", "data": {"reason": "user initiated"}});
    for input in [format!("{said}\n{stopped}\n"), json!([said, stopped]).to_string()] {
        let reviews: Vec<_> = open("f", input.as_str()).reviews().map(Result::unwrap).collect();
        assert_eq!((reviews.len(), reviews[0].text()), (1, "At nine."), "{input}");
        assert_eq!(rules(&input), ["answer-unfinished"], "{input}");
    }
}

/// The standard allows a field without a colon.
#[test]
fn a_data_field_without_a_value_is_no_stray_line() {
    let plain = sample("gemini-stream.sse");
    assert_eq!(rules(&plain.replace("\n\n", "\ndata\n\n")), rules(plain));
}

#[test]
fn an_event_that_is_named_error_is_one_whatever_its_data_says() {
    let gemini = json!({"candidates": [{"content": {"parts": [{"text": "Hi."}]}, "finishReason": "STOP"}], "responseId": "r"});
    let call = agent(json!([{"functionCall": {"id": "c", "name": "look_up", "args": {}}}]), &json!({}));
    let told = |input: &str| {
        let reviews: Vec<_> = open("f", input).reviews().map(Result::unwrap).collect();
        let findings = reviews.iter().flat_map(|review| review.findings());
        let errors = findings.filter(|finding| finding.rule.id == "stream-error");
        errors.map(|finding| finding.message.clone()).collect::<Vec<_>>()
    };
    let said = |before: &Value, event: &str| told(&format!("data: {before}\n\n{event}\n\n"));
    let of_returns = format!("data: {gemini}\r\revent: error\rdata: {{\"message\": \"boom\"}}\r\r");
    assert_eq!(told(&of_returns), ["the service broke off: boom"]);
    for before in [gemini, call] {
        for (event, expected) in [
            ("event: error\ndata: {\"message\": \"boom\"}", Some("the service broke off: boom")),
            (
                "event: error\ndata: {\"code\": 500, \"message\": \"boom\"}",
                Some("the service broke off: boom"),
            ),
            ("data: {\"message\": \"boom\"}\nevent: error", Some("the service broke off: boom")),
            ("event:error\ndata: {}", Some("the service broke off: no message")),
            ("data: {\"detail\": \"boom\"}", Some("the service broke off: boom")),
            ("data: {\"code\": 498, \"message\": \"boom\"}", Some("the service broke off: boom")),
            ("event: error\ndata: {\"error\": {\"message\": \"boom\"}}", Some("the service broke off: boom")),
            (
                "id: 7\r\nevent: error\r\nid: 8\r\ndata: {\"message\": \"boom\"}\r\n\r\n",
                Some("the service broke off: boom"),
            ),
            // The name of another event is none of this one.
            ("event: error\n\ndata: {\"message\": \"searching\"}", None),
            ("data: {\"message\": \"searching\"}\n\nevent: error\n", None),
            ("data: {\"detail\": \"boom\"}\n\nevent: done\ndata: {}", Some("the service broke off: boom")),
            // What a product tells on the way.
            ("event: status\ndata: {\"message\": \"searching\"}", None),
            ("data: {\"message\": \"searching\"}", None),
            ("event: status\ndata: {\"status\": \"searching\", \"error\": \"\"}", None),
            ("data: {\"status\": \"searching\", \"error\": {\"code\": 0, \"message\": \"\"}}", None),
            ("data: {\"code\": 0, \"message\": \"success\"}", None),
            ("event: progress\ndata: {\"detail\": \"searching\"}", None),
        ] {
            assert_eq!(said(&before, event), expected.into_iter().collect::<Vec<_>>(), "{event}");
        }
    }
}

#[test]
fn a_call_that_goes_on_elsewhere_ends_a_turn_with_its_first_response() {
    let call = agent(
        json!([{"functionCall": {"id": "c", "name": "approve", "args": {}}}]),
        &json!({"longRunningToolIds": ["c"]}),
    );
    let response = agent(
        json!([{"functionResponse": {"id": "c", "name": "approve", "response": {"status": "pending"}}}]),
        &json!({}),
    );
    assert!(!breaks_off(&events(&[call, response])));
}

#[test]
fn a_piece_of_an_agent_that_another_outlives_breaks_off() {
    let said = |author: &str, text: &str, partial: bool| {
        agent(json!([{"text": text}]), &json!({"author": author, "branch": author, "partial": partial}))
    };
    let begun = [said("a", "A1 ", true), said("b", "B1 ", true), said("a", "A1 a2.", false)];
    assert!(breaks_off(&events(&begun)));
    assert!(!breaks_off(&events(&[&begun[..], &[said("b", "B1 b2.", false)]].concat())));
}

#[test]
fn what_a_product_tells_among_chunks_of_langchain_is_no_message() {
    let chunk = |text: &str, more: &Value| {
        let mut chunk =
            json!({"type": "AIMessageChunk", "id": "run-1", "content": text, "response_metadata": {}});
        chunk.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        format!("event: data\ndata: {chunk}\n\n")
    };
    let (begin, end) = (
        chunk("Rio opens", &json!({})),
        chunk(" at nine.", &json!({"response_metadata": {"finish_reason": "stop"}})),
    );
    for other in [
        "{\"status\": \"searching\"}",
        "{}",
        "null",
        "50",
        "\"thinking\"",
        "{\"type\": \"usage\", \"tokens\": 3}",
    ] {
        let other = format!("event: status\ndata: {other}\n\n");
        for input in [format!("{begin}{other}{end}"), format!("{begin}{end}{other}")] {
            let reviews: Vec<_> = open("f", input.as_str()).reviews().map(Result::unwrap).collect();
            let answers: Vec<&str> = reviews.iter().map(|review| review.text()).collect();
            assert_eq!(answers, ["Rio opens at nine."], "{input}");
            assert!(!breaks_off(&input), "{input}");
        }
    }
    assert!(breaks_off(&begin));
}

/// Lists of numbers over lines, and numbers before addresses, are none of the marks and lists of a text.
#[test]
fn json_that_lost_its_first_lines_is_no_text_with_marks() {
    for name in ["gemini-maps.json", "all-fields-gemini.json", "all-fields-events.json", "gemini-search.json"]
    {
        let whole: Value = serde_json::from_str(sample(name)).unwrap();
        let pretty = serde_json::to_string_pretty(&whole).unwrap();
        for lost in [1, 2, 5, 40] {
            let rest: Vec<&str> = pretty.lines().skip(lost).collect();
            let (code, _, errors) = run(&["check"], &rest.join("\n"));
            assert!(code == 2 && errors.contains("not JSON"), "{name} without {lost}: {errors}");
        }
        let (_, _, errors) = run(&["check"], pretty.split_once('\n').unwrap().1);
        assert!(errors.contains("JSON without its first lines"), "{name}: {errors}");
    }
    // JSON that a text shows as code is no more than code.
    let text = format!(
        "It is lit [1].\n\n```json\n{}\n```\n\n[1] https://a.example/\n",
        "\"a\": [\n1,\n],\n".repeat(9)
    );
    assert_eq!(run(&["export", "--to", "sources"], &text).0, 0);
    let text = "High [1].\n\n    {\n      \"a\": 1,\n      \"b\": 2,\n      \"c\": 3\n    }\n\n[1] https://a.example/\n";
    assert_eq!(run(&["export", "--to", "sources"], text).0, 0);
}

/// A piece that came twice, or late, stands where nothing says that it belongs.
#[test]
fn text_behind_the_event_that_ends_its_stream_is_told() {
    let text = |text: &str| json!({"type": "text_delta", "text": text});
    let anthropic = [
        json!({"type": "message_start", "message": {"id": "m", "role": "assistant", "content": []}}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
        json!({"type": "content_block_delta", "index": 0, "delta": text("Rio opens at nine.")}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_stop"}),
    ];
    let mistral = [
        json!({"type": "conversation.response.started", "conversation_id": "c"}),
        json!({"type": "message.output.delta", "id": "m", "content_index": 0, "content": "Rio opens at nine."}),
        json!({"type": "conversation.response.done"}),
    ];
    let cohere = [
        json!({"type": "message-start", "id": "c", "delta": {"message": {"role": "assistant"}}}),
        json!({"type": "content-start", "index": 0, "delta": {"message": {"content": {"type": "text", "text": ""}}}}),
        json!({"type": "content-delta", "index": 0, "delta": {"message": {"content": {"text": "Rio opens at nine."}}}}),
        json!({"type": "content-end", "index": 0}),
        json!({"type": "message-end", "delta": {"finish_reason": "COMPLETE"}}),
    ];
    let vercel = [
        json!({"type": "start", "messageId": "m"}),
        json!({"type": "text-start", "id": "1"}),
        json!({"type": "text-delta", "id": "1", "delta": "Rio opens at nine."}),
        json!({"type": "text-end", "id": "1"}),
        json!({"type": "finish"}),
    ];
    let interactions = [
        json!({"event_type": "interaction.created", "interaction": {"id": "i", "status": "in_progress"}}),
        json!({"event_type": "step.start", "index": 0, "step": {"type": "model_output"}}),
        json!({"event_type": "step.delta", "index": 0, "delta": {"type": "text", "text": "Rio opens at nine."}}),
        json!({"event_type": "step.stop", "index": 0}),
        json!({"event_type": "interaction.completed", "interaction": {"id": "i", "status": "completed"}}),
    ];
    for (frames, piece) in
        [(&anthropic[..], 2), (&mistral, 1), (&cohere, 2), (&vercel, 2), (&interactions, 2)]
    {
        let told = |frames: &[Value]| rules(&events(frames)).contains(&"text-edited");
        assert!(!told(frames), "{}", frames[0]);
        assert!(told(&[frames, &[frames[piece].clone()]].concat()), "{}", frames[0]);
    }
}

/// A piece of a stream: its text, and why it is the last.
type Chunk = fn(&str, Option<&str>) -> Value;

/// What says that it is the last is; where each piece says so, that tells nothing.
#[test]
fn text_behind_the_piece_that_is_the_last_is_told() {
    let chat = |text: &str, finish: Option<&str>| json!({"id": "c", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"content": text}, "finish_reason": finish}]});
    let gemini = |text: &str, finish: Option<&str>| json!({"responseId": "r", "candidates": [{"content": {"role": "model", "parts": [{"text": text}]}, "finishReason": finish}]});
    let langchain = |text: &str, finish: Option<&str>| {
        let mut chunk = json!({"type": "AIMessageChunk", "id": "run-1", "content": text});
        if let Some(finish) = finish {
            chunk["response_metadata"] = json!({"finish_reason": finish});
        }
        chunk
    };
    for (chunk, end) in [(chat as Chunk, "stop"), (gemini, "STOP"), (langchain, "stop")] {
        let told = |pieces: &[(&str, Option<&str>)]| {
            let frames: Vec<Value> = pieces.iter().map(|(text, finish)| chunk(text, *finish)).collect();
            rules(&events(&frames)).contains(&"text-edited")
        };
        let [rio, opens] = ["Rio opens ", "at nine."];
        assert!(!told(&[(rio, None), (opens, Some(end))]), "{end}");
        assert!(!told(&[(rio, None), (opens, None), ("", Some(end)), ("", None)]), "{end}");
        assert!(!told(&[(rio, Some(end)), (opens, Some(end))]), "{end}");
        assert!(told(&[(rio, None), (opens, Some(end)), (opens, None)]), "{end}");
        assert!(told(&[(rio, None), (opens, None), ("", Some(end)), (opens, None)]), "{end}");
    }
}

#[test]
fn pieces_of_a_copilot_message_that_never_came_are_told_and_kept_as_a_step() {
    let event = |kind: &str, data: Value| json!({"type": kind, "id": "1", "data": data});
    let asked = event("user.message", json!({"content": "When?"}));
    let piece = |id: &str, text: &str| {
        event("assistant.message_delta", json!({"messageId": id, "deltaContent": text}))
    };
    let said = event("assistant.message", json!({"messageId": "m2", "content": "Open at nine."}));
    let frames =
        [&asked, &piece("m1", "Lit in "), &piece("m1", "1932."), &asked, &piece("m2", "Open"), &said];
    let stopped = [&asked, &piece("m1", "Lit in "), &piece("m1", "1932."), &said];
    for frames in [&frames[..], &stopped] {
        let input: String = frames.iter().map(|frame| format!("{frame}\n")).collect();
        assert_eq!(rules(&input), ["stream-truncated"], "{input}");
        let response = &read(&input)[0];
        assert_eq!(
            (&response["answer"], &response["traces"][0]["description"]),
            (&json!("Open at nine."), &json!("Lit in 1932."))
        );
    }
}
