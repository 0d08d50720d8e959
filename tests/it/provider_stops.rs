//! Why a model stopped, in the words of each provider: none of them passes unsaid.

use std::sync::Arc;

use citescope::review::Review;
use citescope::session::RecordError;
use serde_json::{Value, json};

use crate::common::library::{open, read};
use crate::common::program::run;

/// Rules on the state of an answer that fire on an input.
fn told(input: &str) -> Vec<&'static str> {
    let reviews: Vec<_> = open("f", input).reviews().map(Result::unwrap).collect();
    let rules = reviews.iter().flat_map(|review| review.findings()).map(|finding| finding.rule.id);
    rules.filter(|rule| rule.starts_with("answer-")).collect()
}

fn langchain(metadata: &Value) -> String {
    json!({"type": "ai", "id": "m", "content": "Rio opens at nine.", "response_metadata": metadata})
        .to_string()
}

#[test]
fn what_a_message_of_langchain_stopped_for_is_judged() {
    for (metadata, expected) in [
        (json!({"finish_reason": "stop"}), vec![]),
        (json!({"stop_reason": "end_turn"}), vec![]),
        (json!({"status": "completed"}), vec![]),
        (json!({"finish_reason": "STOP", "prompt_feedback": {"block_reason": 0}}), vec![]),
        (json!({"finish_reason": "length"}), vec!["answer-cut"]),
        (json!({"finish_reason": "MAX_TOKENS"}), vec!["answer-cut"]),
        (json!({"stop_reason": "max_tokens"}), vec!["answer-cut"]),
        (json!({"stop_reason": "model_context_window_exceeded"}), vec!["answer-cut"]),
        (json!({"stopReason": "max_tokens"}), vec!["answer-cut"]),
        (
            json!({"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}),
            vec!["answer-cut"],
        ),
        (json!({"finish_reason": "content_filter"}), vec!["answer-blocked"]),
        (json!({"finish_reason": "SAFETY"}), vec!["answer-blocked"]),
        (json!({"finish_reason": "RECITATION"}), vec!["answer-blocked"]),
        (json!({"stop_reason": "refusal"}), vec!["answer-blocked"]),
        (json!({"stopReason": "guardrail_intervened"}), vec!["answer-blocked"]),
        (
            json!({"finish_reason": "STOP", "prompt_feedback": {"block_reason": "SAFETY"}}),
            vec!["answer-blocked"],
        ),
        (json!({"stop_reason": "pause_turn"}), vec!["answer-unfinished"]),
        (json!({"status": "incomplete"}), vec!["answer-unfinished"]),
        (json!({"finish_reason": 2}), vec!["answer-cut"]),
        (json!({"finish_reason": "MODEL_ARMOR"}), vec!["answer-blocked"]),
        (json!({"finish_reason": "error"}), vec!["answer-failed"]),
        (json!({"status": "failed"}), vec!["answer-failed"]),
    ] {
        assert_eq!(told(&langchain(&metadata)), expected, "{metadata}");
        let inner: Value = serde_json::from_str(&langchain(&metadata)).unwrap();
        let made = json!({"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "AIMessage"], "kwargs": inner});
        assert_eq!(told(&made.to_string()), expected, "{metadata}");
    }
}

#[test]
fn a_refusal_that_langchain_hands_on_is_told() {
    let beside = json!({"type": "ai", "id": "m", "content": "", "additional_kwargs": {"refusal": "I cannot."}, "response_metadata": {}});
    let block = json!({"type": "ai", "id": "m", "content": [{"type": "refusal", "refusal": "I cannot."}], "response_metadata": {}});
    for input in [beside, block] {
        assert_eq!(told(&input.to_string()), ["answer-blocked"], "{input}");
    }
}

#[test]
fn a_stream_of_vercel_that_ends_with_an_error_failed() {
    let stream = |finish: &str| {
        [
            json!({"type": "start", "messageId": "m"}),
            json!({"type": "text-start", "id": "0"}),
            json!({"type": "text-delta", "id": "0", "delta": "Rio opens."}),
            json!({"type": "text-end", "id": "0"}),
            json!({"type": "finish", "finishReason": finish}),
        ]
        .iter()
        .map(|event| format!("data: {event}\n\n"))
        .collect::<String>()
    };
    for (finish, expected) in [
        ("stop", vec![]),
        ("other", vec![]),
        ("error", vec!["answer-failed"]),
        ("length", vec!["answer-cut"]),
        ("content-filter", vec!["answer-blocked"]),
    ] {
        assert_eq!(told(&stream(finish)), expected, "{finish}");
    }
    let message = |state: &str| json!({"id": "m", "role": "assistant", "parts": [{"type": "text", "text": "Rio opens.", "state": state}]});
    assert_eq!(told(&message("done").to_string()), [""; 0]);
    assert_eq!(told(&message("streaming").to_string()), ["answer-unfinished"]);
}

#[test]
fn an_item_of_openai_that_is_not_complete_says_so() {
    for (status, expected) in [
        ("completed", vec![]),
        ("incomplete", vec!["answer-unfinished"]),
        ("in_progress", vec!["answer-unfinished"]),
        ("failed", vec!["answer-failed"]),
    ] {
        let item = json!({"id": "m", "type": "message", "status": status, "role": "assistant",
            "content": [{"type": "output_text", "text": "Rio opens.", "annotations": []}]});
        assert_eq!(told(&item.to_string()), expected, "{status}");
        let whole = json!({"object": "response", "id": "r", "status": "completed", "output": [item]});
        assert_eq!(told(&whole.to_string()), expected, "{status}");
    }
}

#[test]
fn what_gemini_stopped_for_is_judged_in_words_and_numbers_in_events_of_agents_too() {
    for (finish, expected) in [
        (json!("STOP"), vec![]),
        (json!("OTHER"), vec![]),
        (json!(1), vec![]),
        (json!("MAX_TOKENS"), vec!["answer-cut"]),
        (json!(2), vec!["answer-cut"]),
        (json!("SAFETY"), vec!["answer-blocked"]),
        (json!(3), vec!["answer-blocked"]),
        (json!("MODEL_ARMOR"), vec!["answer-blocked"]),
        (json!(8), vec!["answer-blocked"]),
        (json!("MALFORMED_FUNCTION_CALL"), vec!["answer-unfinished"]),
        (json!("UNEXPECTED_TOOL_CALL"), vec!["answer-unfinished"]),
        (json!("MISSING_THOUGHT_SIGNATURE"), vec!["answer-unfinished"]),
    ] {
        let content = json!({"role": "model", "parts": [{"text": "Rio opens."}]});
        let whole = json!({"candidates": [{"content": content, "finishReason": finish}]});
        assert_eq!(told(&whole.to_string()), expected, "{finish}");
        let snake = json!({"candidates": [{"content": content, "finish_reason": finish}], "prompt_feedback": {"block_reason": 0}});
        assert_eq!(told(&snake.to_string()), expected, "{finish}");
        let event = json!({"author": "a", "invocationId": "i", "timestamp": 1, "content": content, "finishReason": finish});
        assert_eq!(told(&event.to_string()), expected, "{finish}");
    }
}

/// `proto-plus` writes enums as numbers, unless it is asked not to.
#[test]
fn a_stream_of_gemini_goes_on_where_its_frames_say_that_no_reason_is_there() {
    let frame = |text: &str, finish: &Value| {
        let candidate = json!({"content": {"parts": [{"text": text}]}, "finish_reason": finish});
        format!("{}\n", json!({"candidates": [candidate]}))
    };
    for unsaid in [json!(0), json!(""), json!("FINISH_REASON_UNSPECIFIED"), Value::Null] {
        let begun = frame("Rio ", &unsaid) + &frame("opens.", &unsaid);
        let rules = |input: &str| {
            let reviews: Vec<_> = open("f", input).reviews().map(Result::unwrap).collect();
            assert_eq!(reviews.len(), 1, "{input}");
            assert_eq!(reviews[0].text(), "Rio opens.", "{input}");
            reviews[0].findings().iter().any(|finding| finding.rule.id == "stream-truncated")
        };
        assert!(rules(&begun), "{begun}");
        let whole = frame("Rio ", &unsaid) + &frame("opens.", &json!(1));
        assert!(!rules(&whole), "{whole}");
    }
}

#[test]
fn an_error_beside_an_answer_is_told() {
    let failed = |input: &Value| {
        let reviews: Vec<_> = open("f", input.to_string()).reviews().map(Result::unwrap).collect();
        let findings = reviews[0].findings().iter();
        findings
            .filter(|finding| finding.rule.id == "stream-error")
            .map(|finding| finding.message.clone())
            .collect::<Vec<_>>()
    };
    let error = json!({"code": 502, "message": "Provider disconnected"});
    for finish in [json!(null), json!("stop")] {
        let choice = json!({"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": "Rio op"}, "error": error});
        let completion = json!({"object": "chat.completion", "id": "g", "choices": [choice]});
        assert_eq!(failed(&completion), ["Provider disconnected"]);
    }
    let gemini = json!({"candidates": [{"content": {"parts": [{"text": "Rio op"}]}}], "error": error});
    assert_eq!(failed(&gemini), ["Provider disconnected"]);
}

#[test]
fn tools_that_failed_say_so() {
    let noted = |input: &Value| {
        let reviews: Vec<_> = open("f", input.to_string()).reviews().map(Result::unwrap).collect();
        let findings = reviews[0].findings().iter();
        let of = ["step-failed", "page-unfetched"];
        findings
            .filter(|finding| of.contains(&finding.rule.id))
            .map(|finding| format!("{} {}", finding.rule.id, finding.message))
            .collect::<Vec<_>>()
    };
    let interaction = |kind: &str, more: Value| {
        let mut result = json!({"type": format!("{kind}_result"), "call_id": "c"});
        result.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({"object": "interaction", "id": "i", "status": "completed", "steps": [
            {"type": format!("{kind}_call"), "id": "c", "arguments": {}}, result,
            {"type": "model_output", "content": [{"type": "text", "text": "Rio opens."}]}]})
    };
    for kind in ["google_search", "code_execution", "function", "mcp_server_tool"] {
        let input = interaction(kind, json!({"is_error": true, "result": "x"}));
        assert_eq!(noted(&input).len(), 1, "{kind}: {:?}", noted(&input));
        assert_eq!(noted(&interaction(kind, json!({"is_error": false, "result": "x"}))), [""; 0], "{kind}");
    }
    for (status, count) in [("success", 0), ("error", 1), ("paywall", 1), ("unsafe", 1)] {
        let result = json!({"result": [{"url": "https://a.example/", "status": status}]});
        assert_eq!(noted(&interaction("url_context", result)).len(), count, "{status}");
    }
    let call = json!({"object": "response", "id": "r", "status": "completed", "output": [
        {"type": "mcp_call", "id": "m", "name": "roll", "arguments": "{}", "error": "Connection refused"},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Rio opens.", "annotations": []}]}]});
    assert_eq!(noted(&call), ["step-failed roll: Connection refused"]);
    let gemini = |parts: Value, urls: Value| json!({"candidates": [{"content": {"parts": parts}, "finishReason": "STOP", "urlContextMetadata": urls}]});
    let code = json!([{"codeExecutionResult": {"outcome": 2, "output": "x"}}, {"text": "Rio."}]);
    assert_eq!(noted(&gemini(code, json!(null))).len(), 1);
    let urls = json!({"urlMetadata": [{"retrievedUrl": "https://a.example/", "urlRetrievalStatus": 2}]});
    assert_eq!(noted(&gemini(json!([{"text": "Rio."}]), urls)).len(), 1);
}

fn chunk(content: Value, more: &Value) -> Value {
    let mut chunk =
        json!({"type": "AIMessageChunk", "id": "run-1", "content": content, "response_metadata": {}});
    chunk.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    chunk
}

/// One a line, one an event, and as serialised constructors.
fn forms(chunks: &[Value]) -> [String; 3] {
    let made = |chunk: &Value| json!({"lc": 1, "type": "constructor", "id": ["langchain", "schema", "messages", "AIMessageChunk"], "kwargs": chunk});
    [
        chunks.iter().map(|chunk| format!("{chunk}\n")).collect(),
        chunks.iter().map(|chunk| format!("event: data\ndata: {chunk}\n\n")).collect::<String>()
            + "event: end\n\n",
        chunks.iter().map(|chunk| format!("{}\n", made(chunk))).collect(),
    ]
}

#[test]
fn the_chunks_of_a_message_of_langchain_are_one_response() {
    let annotation = json!({"type": "citation", "url": "https://a.example/", "title": "A", "start_index": 0, "end_index": 18, "cited_text": "Opening hours: nine."});
    let plain = [
        chunk(json!(""), &json!({})),
        chunk(json!("Rio opens"), &json!({})),
        chunk(json!(" at nine."), &json!({})),
        chunk(json!(""), &json!({"response_metadata": {"finish_reason": "length", "model_name": "m-1"}})),
    ];
    let blocks = [
        chunk(json!([{"type": "reasoning", "reasoning": "Look", "index": 0}]), &json!({})),
        chunk(json!([{"type": "reasoning", "reasoning": " it up.", "index": 0}]), &json!({})),
        chunk(json!([{"type": "text", "text": "Rio opens", "index": 1}]), &json!({})),
        chunk(json!([{"type": "text", "text": " at nine.", "index": 1}]), &json!({})),
        chunk(json!([{"type": "text", "text": "", "annotations": [annotation], "index": 1}]), &json!({})),
        chunk(json!([]), &json!({"response_metadata": {"finish_reason": "length", "model_name": "m-1"}})),
    ];
    for input in forms(&plain).into_iter().chain(forms(&blocks)) {
        let responses = read(&input);
        assert_eq!(responses.len(), 1, "{input}");
        let response = &responses[0];
        assert_eq!(
            (&response["id"], &response["answer"]),
            (&json!("run-1"), &json!("Rio opens at nine.")),
            "{input}"
        );
        assert_eq!((&response["model"], &response["ending"]), (&json!("m-1"), &json!("cut")), "{input}");
        assert_eq!(told(&input), ["answer-cut"], "{input}");
    }
    let response = &read(&forms(&blocks)[0])[0];
    let support = &response["supports"][0];
    assert_eq!((&support["start"], &support["end"]), (&json!(0), &json!(18)), "{support}");
    let beyond = forms(&blocks)[0].replace("\"end_index\":18", "\"end_index\":31");
    let (_, found, _) = run(&["check"], &beyond);
    assert!(found.contains("--> stdin:5:"), "{found}");
    assert!(found.contains("$.content[0].annotations[0]"), "{found}");
    assert_eq!(response["traces"][0]["thought"], "Look it up.");
    // The next message is another response.
    let two = [chunk(json!("One."), &json!({})), chunk(json!("Two."), &json!({"id": "run-2"}))];
    for input in forms(&two) {
        let answers: Vec<Value> = read(&input).iter().map(|response| response["answer"].clone()).collect();
        assert_eq!(answers, [json!("One."), json!("Two.")], "{input}");
    }
}

#[test]
fn a_call_that_comes_in_chunks_is_whole_and_masked() {
    let piece = |args: &str, id: Value, name: Value| {
        let piece = json!({"name": name, "args": args, "id": id, "index": 0, "type": "tool_call_chunk"});
        chunk(json!(""), &json!({"tool_call_chunks": [piece]}))
    };
    let chunks = [
        piece("", json!("c1"), json!("look_up")),
        piece("{\"place\": \"Rio\", \"api_", Value::Null, Value::Null),
        piece("key\": \"q7Rk2\"}", Value::Null, Value::Null),
        chunk(json!(""), &json!({"response_metadata": {"finish_reason": "tool_calls"}})),
    ];
    for input in forms(&chunks) {
        let responses = read(&input);
        assert_eq!(responses.len(), 1, "{input}");
        assert_eq!((&responses[0]["answer"], &responses[0]["ending"]), (&Value::Null, &json!("waiting")));
        let call = &responses[0]["traces"][0];
        assert_eq!(
            (&call["tool"], &call["arguments"]["place"]),
            (&json!("look_up"), &json!("Rio")),
            "{call}"
        );
        assert!(!responses[0].to_string().contains("q7Rk2"), "{}", responses[0]);
    }
}

/// What serialisers write for what was not set.
#[test]
fn failures_without_a_word_are_none() {
    let event = |code: Value, message: Value| {
        json!({"author": "a", "invocationId": "i", "timestamp": 1, "errorCode": code, "errorMessage": message,
            "content": {"role": "model", "parts": [{"text": "Rio opens."}]}})
    };
    for (code, message) in [(json!(""), json!("")), (json!(0), json!("")), (json!(null), json!(""))] {
        assert_eq!(told(&event(code, message).to_string()), [""; 0]);
    }
    assert_eq!(told(&event(json!("429"), json!("")).to_string()), ["answer-failed"]);
    let chat = |error: Value, refusal: &str| {
        let message = json!({"role": "assistant", "content": "Rio opens.", "refusal": refusal});
        json!({"object": "chat.completion", "id": "g", "choices": [{"index": 0, "finish_reason": "stop", "message": message}], "error": error})
    };
    for error in [json!({}), json!({"code": null, "message": null}), json!({"code": 0, "message": ""})] {
        let input = chat(error, "").to_string();
        let reviews: Vec<_> = open("f", input.as_str()).reviews().map(Result::unwrap).collect();
        let rules: Vec<&str> = reviews[0].findings().iter().map(|finding| finding.rule.id).collect();
        assert!(!rules.contains(&"stream-error") && !rules.contains(&"answer-blocked"), "{input}: {rules:?}");
    }
    assert_eq!(told(&chat(json!(null), "I cannot.").to_string()), ["answer-blocked"]);
}

#[test]
fn chunks_of_langchain_none_of_which_is_the_last_break_off() {
    let piece = |text: &str, more: &Value| chunk(json!(text), more);
    let begun = [piece("Rio opens", &json!({})), piece(" at", &json!({}))];
    let ends = [
        json!({"response_metadata": {"finish_reason": "stop"}}),
        json!({"response_metadata": {"stop_reason": "end_turn"}}),
        json!({"response_metadata": {"done_reason": "stop"}}),
        json!({"chunk_position": "last"}),
    ];
    let cut = |input: &str| {
        let reviews: Vec<_> = open("f", input).reviews().map(Result::unwrap).collect();
        reviews[0].findings().iter().any(|finding| finding.rule.id == "stream-truncated")
    };
    for input in forms(&begun) {
        assert!(cut(&input), "{input}");
    }
    for end in ends {
        for input in forms(&[&begun[..], &[piece(" nine.", &end)]].concat()) {
            assert!(!cut(&input), "{input}");
        }
    }
    // Of dumps that leave out what is empty the type tells.
    let short =
        |text: &str| format!("{}\n", json!({"type": "AIMessageChunk", "id": "run-1", "content": text}));
    assert_eq!(read(&(short("Rio opens") + &short(" at nine.")))[0]["answer"], "Rio opens at nine.");
    // One alone may be what the chunks were added up to.
    assert!(!cut(&forms(&[piece("Rio opens at nine.", &json!({}))])[0]));
}

#[test]
fn a_reference_of_mistral_that_the_request_does_not_offer_is_told() {
    let offered = json!({"0": {"title": "A", "url": "https://a.example/0"}, "1": {"title": "B", "url": "https://a.example/1"}});
    let listed = json!([{"id": "0", "title": "A", "url": "https://a.example/0"}, {"id": 1, "title": "B", "url": "https://a.example/1"}]);
    for tool in [offered, listed] {
        let pair = |id: u32| {
            let content =
                json!([{"type": "text", "text": "Rio opens."}, {"type": "reference", "reference_ids": [id]}]);
            json!({"request": {"messages": [{"role": "user", "content": "q"}, {"role": "tool", "tool_call_id": "1", "content": tool.to_string()}]},
                "response": {"id": "m", "object": "chat.completion", "model": "mistral-large", "choices": [{"index": 0, "finish_reason": "stop",
                    "message": {"role": "assistant", "content": content}}]}})
            .to_string()
        };
        let mismatch = |input: &str| {
            let reviews: Vec<_> = open("f", input).reviews().map(Result::unwrap).collect();
            let findings =
                reviews[0].findings().iter().filter(|finding| finding.rule.id == "source-text-mismatch");
            findings.map(|finding| finding.message.clone()).collect::<Vec<_>>()
        };
        assert_eq!(mismatch(&pair(1)), [""; 0]);
        assert_eq!(mismatch(&pair(5)), ["citations name the id 5, which the request did not send"]);
    }
}

/// Gateways answer with their own errors where an event of a stream was awaited.
#[test]
fn an_error_among_the_lines_of_a_stream_is_told() {
    let stream = [
        json!({"type": "message_start", "message": {"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-x", "content": [], "stop_reason": null}}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Lit in 1932."}}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}}),
        json!({"type": "message_stop"}),
    ];
    let broke_off = |behind: &Value| {
        let all = [&stream[..], std::slice::from_ref(behind)].concat();
        let lines: String = all.iter().map(|event| format!("{event}\n")).collect();
        let events: String = all.iter().map(|event| format!("data: {event}\n\n")).collect();
        let said = |input: &str| {
            let failed = |id| matches!(id, "stream-error" | "answer-failed");
            let found = |review: &Review| {
                let found = review.findings().iter().filter(|finding| failed(finding.rule.id));
                found.map(|finding| finding.message.clone()).collect::<Vec<_>>()
            };
            let of = |review: Result<Arc<Review>, RecordError>| {
                review.map_or_else(|error| vec![error.what.clone()], |review| found(&review))
            };
            open("f", input).reviews().flat_map(of).collect::<Vec<_>>()
        };
        [said(&lines), said(&json!(all).to_string()), said(&events)]
    };
    for (error, words) in [
        (
            json!({"type": "https://httpstatuses.io/429", "title": "Too Many Requests", "status": 429, "detail": "slow down"}),
            "slow down",
        ),
        (json!({"type": "about:blank", "title": "Bad Gateway", "status": 502}), "Bad Gateway"),
        (json!({"fault": {"faultstring": "Rate limit", "detail": {"errorcode": "x"}}}), "Rate limit"),
        (json!({"type": "rate_limit_error", "message": "boom"}), "boom"),
        (json!({"status": 500, "message": "boom"}), "boom"),
        (json!({"status": "error", "message": "boom"}), "boom"),
        (json!({"success": false, "msg": "boom"}), "boom"),
        (json!({"error_code": 110, "error_msg": "boom"}), "boom"),
    ] {
        let broke_off = broke_off(&error);
        for told in &broke_off {
            assert!(
                matches!(&told[..], [told] if told.ends_with(&format!(": {words}"))),
                "{error}: {broke_off:?}"
            );
        }
    }
    let fine = json!({"type": "status", "status": 200, "message": "bye"});
    assert_eq!(broke_off(&fine), [[""; 0], [""; 0], [""; 0]]);
    for fine in [
        json!({"status": "ok", "message": "bye"}),
        json!({"status": 200, "message": "bye"}),
        json!({"success": true, "msg": "bye"}),
        json!({"message": "bye"}),
        json!({"title": "a step", "status": "done"}),
    ] {
        // A line that is no event is refused by itself.
        assert_eq!(broke_off(&fine)[2], [""; 0], "{fine}");
    }
}

/// Proxies and loggers keep the body of a stream as text.
#[test]
fn a_stream_in_a_logged_pair_is_judged_as_any_other() {
    let gemini = |text: &str| {
        format!(
            "data: {}\n\n",
            json!({"candidates": [{"content": {"role": "model", "parts": [{"text": text}]}}]})
        )
    };
    let ended = format!(
        "data: {}\n\n",
        json!({"candidates": [{"content": {"role": "model", "parts": [{"text": "nine."}]}, "finishReason": "STOP"}]})
    );
    let bigdata = |text: &str| {
        format!(
            "data: {}\n\n",
            json!({"request_id": "r", "execution_id": "e", "delta": {"type": "ANSWER", "content": text}})
        )
    };
    let error = format!("data: {}\n\n", json!({"error": {"message": "boom", "code": 500}}));
    let said = |body: &str| {
        let pair =
            json!({"request": {"contents": []}, "response": {"status": 200, "body": body}}).to_string();
        let reviews: Vec<_> = open("f", pair).reviews().map(Result::unwrap).collect();
        let findings = reviews.iter().flat_map(|review| review.findings());
        let streams = findings.filter(|finding| finding.rule.id.starts_with("stream-"));
        streams.map(|finding| format!("{}: {}", finding.rule.id, finding.message)).collect::<Vec<_>>()
    };
    assert_eq!(said(&(gemini("Rio opens at ") + &ended)), [""; 0]);
    let missing = "stream-truncated: the stream ends without a finishReason: the rest is missing";
    assert_eq!(said(&(gemini("Rio opens ") + &gemini("at "))), [missing]);
    assert_eq!(said(&gemini("Rio opens ")), [missing]);
    let cut = gemini("Rio opens ") + &gemini("at ");
    let broken = "stream-truncated: the stream breaks off in the middle of a value: the rest is missing";
    assert_eq!(said(&cut[..cut.len() - 20]), [missing, broken]);
    let told = said(&(bigdata("Rio") + &bigdata(" opens") + &error));
    assert_eq!(told.last().map(String::as_str), Some("stream-error: the service broke off: boom (500)"));
}

/// To keep a line open, or to say farewell.
#[test]
fn what_others_send_behind_a_cut_stream_is_no_end() {
    let adk = json!({"id": "e1", "author": "a", "invocationId": "i", "partial": true, "content": {"role": "model", "parts": [{"text": "Lit in 19"}]}, "timestamp": 2.0});
    let gemini = json!({"candidates": [{"content": {"role": "model", "parts": [{"text": "Lit in 19"}]}}]});
    let bigdata =
        json!({"request_id": "r", "execution_id": "e", "delta": {"type": "ANSWER", "content": "Lit in 19"}});
    let langchain = json!({"type": "AIMessageChunk", "id": "run-1", "content": "Lit in 19"});
    for frame in [adk, gemini, bigdata, langchain] {
        for other in [
            "",
            "data: {\"message\":\"bye\"}\n\n",
            "data: {\"type\":\"heartbeat\"}\n\n",
            "event: ping\ndata: {}\n\n",
        ] {
            let input = format!("data: {frame}\n\n{other}");
            let review = open("f", input.clone()).reviews().next().unwrap().unwrap();
            assert!(review.findings().iter().any(|finding| finding.rule.id == "stream-truncated"), "{input}");
        }
    }
}

/// Each response with what it says and why it was blocked.
fn blocked(input: &str) -> Vec<(Option<String>, Option<String>)> {
    let reviews: Vec<_> = open("f", input).reviews().map(Result::unwrap).collect();
    reviews
        .iter()
        .map(|review| (review.response.answer.clone(), review.response.about.blocked.clone()))
        .collect()
}

#[test]
fn a_prompt_that_was_blocked_has_no_part_in_the_response_behind_it() {
    let prompt = |reason: Value| json!({"promptFeedback": {"blockReason": reason}, "usageMetadata": {"totalTokenCount": 4}});
    let answer = json!({"candidates": [{"content": {"role": "model", "parts": [{"text": "Hello there."}]}, "finishReason": "STOP"}]});
    let with = |mut frame: Value, key: &str, value: Value| {
        frame[key] = value;
        frame
    };
    let said = || (Some("Hello there.".to_owned()), None);
    let refused = |reason: &str| (None, Some(reason.to_owned()));
    let lines = |frames: &[Value]| frames.iter().map(|frame| format!("{frame}\n")).collect::<String>();
    let events =
        |frames: &[Value]| frames.iter().map(|frame| format!("data: {frame}\n\n")).collect::<String>();
    let list = |frames: &[Value]| json!(frames).to_string();
    let (safety, other) = (prompt(json!("SAFETY")), prompt(json!(2)));
    for (frames, expected) in [
        (vec![safety.clone(), answer.clone()], vec![refused("SAFETY"), said()]),
        (vec![answer.clone(), safety.clone(), answer.clone()], vec![said(), refused("SAFETY"), said()]),
        (vec![safety.clone(), other.clone()], vec![refused("SAFETY"), refused("OTHER")]),
        (
            vec![with(safety.clone(), "responseId", json!("r")), answer.clone()],
            vec![refused("SAFETY"), said()],
        ),
        (
            vec![safety.clone(), with(answer.clone(), "responseId", json!("r"))],
            vec![refused("SAFETY"), said()],
        ),
        (
            vec![with(safety.clone(), "candidates", json!([])), answer.clone()],
            vec![refused("SAFETY"), said()],
        ),
        (vec![json!({"response": safety}), json!({"response": answer})], vec![refused("SAFETY"), said()]),
    ] {
        for input in [lines(&frames), events(&frames), list(&frames)] {
            assert_eq!(blocked(&input), expected, "{input}");
        }
    }
    // Of a stream it stops the words before it, and what counts them goes with it.
    let begun = json!({"candidates": [{"content": {"role": "model", "parts": [{"text": "Hello"}]}}]});
    let usage = json!({"usageMetadata": {"totalTokenCount": 4}});
    let stopped = [begun.clone(), safety.clone(), usage.clone()];
    assert_eq!(blocked(&events(&stopped)), [(Some("Hello".to_owned()), Some("SAFETY".to_owned()))]);
    // Ratings alone block nothing.
    let rated = json!({"promptFeedback": {"safetyRatings": [], "blockReason": "BLOCK_REASON_UNSPECIFIED"}});
    assert_eq!(blocked(&events(&[rated, begun, answer])), [(Some("HelloHello there.".to_owned()), None)]);
}

#[test]
fn an_event_without_content_interrupts_the_words_before_it() {
    let event = |id: &str, more: Value| {
        let mut event =
            json!({"id": id, "invocationId": "i", "author": "agent", "timestamp": 1_700_000_001.0});
        event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        event
    };
    let text = |words: &str| json!({"role": "model", "parts": [{"text": words}]});
    let said = event("e1", json!({"content": text("Hello world.")}));
    for more in [
        json!({"interrupted": true}),
        json!({"interrupted": true, "turnComplete": true, "content": null}),
        json!({"interrupted": true, "content": {"role": "model", "parts": []}}),
    ] {
        assert_eq!(
            told(&json!([said, event("e2", more.clone())]).to_string()),
            ["answer-unfinished"],
            "{more}"
        );
    }
    for more in [
        json!({"interrupted": false}),
        json!({"turnComplete": true}),
        json!({"interrupted": true, "author": "other"}),
    ] {
        assert_eq!(told(&json!([said, event("e2", more.clone())]).to_string()), [""; 0], "{more}");
    }
    let question = json!({"id": "q", "invocationId": "i", "author": "user", "content": {"role": "user", "parts": [{"text": "Why?"}]}});
    let late = event("e2", json!({"interrupted": true}));
    assert_eq!(told(&json!([question, said, late]).to_string()), ["answer-unfinished"]);
}
