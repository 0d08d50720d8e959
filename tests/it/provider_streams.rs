//! Streams of providers that are not as their documents draw them, each a shape that was once read wrong.

use serde_json::{Value, json};

use crate::common::library::{open, read};

fn lines(frames: &[Value]) -> String {
    frames.iter().map(|frame| format!("{frame}\n")).collect()
}

fn events(frames: &[Value]) -> String {
    frames.iter().map(|frame| format!("data: {frame}\n\n")).collect()
}

/// Id and answer of each response.
fn told(text: &str) -> Vec<(Value, Value)> {
    read(text).iter().map(|response| (response["id"].clone(), response["answer"].clone())).collect()
}

fn rules(text: &str) -> Vec<String> {
    let reviews: Vec<_> = open("f", text).reviews().map(Result::unwrap).collect();
    reviews.iter().flat_map(|review| review.findings()).map(|finding| finding.rule.id.to_owned()).collect()
}

fn anthropic(id: &str, text: &str) -> Vec<Value> {
    vec![
        json!({"type": "message_start", "message": {"id": id, "type": "message", "role": "assistant", "content": []}}),
        json!({"type": "ping"}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}}),
        json!({"type": "message_stop"}),
    ]
}

#[test]
fn what_begins_anew_in_one_stream_is_a_second_response() {
    let both = [anthropic("m1", "Nine."), anthropic("m2", "Ten.")].concat();
    let expected = [(json!("m1"), json!("Nine.")), (json!("m2"), json!("Ten."))];
    assert_eq!(told(&events(&both)), expected);
    assert_eq!(told(&lines(&both)), expected);
    // One that broke off before the next began.
    let broken = [anthropic("m1", "Nine.")[..4].to_vec(), anthropic("m2", "Ten.")].concat();
    assert_eq!(
        (told(&events(&broken)), rules(&events(&broken))),
        (expected.to_vec(), vec!["stream-truncated".to_owned()])
    );

    let converse = |text: &str| {
        [
            json!({"messageStart": {"role": "assistant"}}),
            json!({"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": text}}}),
            json!({"contentBlockStop": {"contentBlockIndex": 0}}),
            json!({"messageStop": {"stopReason": "end_turn"}}),
            json!({"metadata": {"usage": {"inputTokens": 1}, "metrics": {"latencyMs": 1}}}),
        ]
    };
    let answers: Vec<Value> = told(&events(&[converse("Nine."), converse("Ten.")].concat()))
        .into_iter()
        .map(|(_, answer)| answer)
        .collect();
    assert_eq!(answers, ["Nine.", "Ten."]);
}

#[test]
fn an_event_of_an_unknown_type_takes_nothing_from_its_stream() {
    let mut frames = anthropic("m1", "Nine.");
    frames.insert(4, json!({"type": "budget.update", "left": 7, "content": "no word of it"}));
    for text in [events(&frames), lines(&frames)] {
        assert_eq!(told(&text), [(json!("m1"), json!("Nine."))]);
        assert_eq!(rules(&text), [""; 0]);
    }
    let extra = read(&events(&frames))[0]["extra"].to_string();
    assert!(extra.contains("budget.update") && extra.contains("no word of it"), "{extra}");
    // Without its type an event is none that is known.
    frames[3].as_object_mut().unwrap().remove("type");
    let extra = read(&events(&frames))[0]["extra"].to_string();
    assert!(extra.contains("Nine."), "{extra}");
    for events in [
        vec![
            json!({"event_type": "interaction.created", "interaction": {"object": "interaction", "id": "i"}}),
            json!({"event_type": "step.start", "index": 0, "step": {"type": "model_output", "content": [{"type": "text", "text": "Nine."}]}}),
            json!({"event_type": "wonder", "x": 1}),
            json!({"event_type": "interaction.completed", "interaction": {"object": "interaction", "id": "i", "status": "completed"}}),
            json!({"event_type": "wonder", "x": 2}),
        ],
        vec![
            json!({"messageStart": {"role": "assistant"}}),
            json!({"wonderEvent": {"x": 1}}),
            json!({"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": "Nine."}}}),
            json!({"messageStop": {"stopReason": "end_turn"}}),
            json!({"metadata": {"usage": {"inputTokens": 1}}}),
            json!({"wonderEvent": {"x": 2}}),
        ],
    ] {
        let answers: Vec<Value> = told(&lines(&events)).into_iter().map(|(_, answer)| answer).collect();
        assert_eq!(answers, ["Nine."], "{events:?}");
    }
    // Between whole responses it is a line of its own.
    let whole = json!({"type": "message", "role": "assistant", "id": "w", "stop_reason": "end_turn", "content": [{"type": "text", "text": "Six."}]});
    let session = open("f", &*lines(&[whole.clone(), json!({"type": "note"}), whole]));
    assert_eq!(session.reviews().map(|review| review.is_ok()).collect::<Vec<_>>(), [true, false, true]);
}

#[test]
fn items_without_numbers_are_told_apart_by_their_ids_or_their_order() {
    let item = |id: &Value, text: &str| json!({"type": "message", "role": "assistant", "id": id, "content": [{"type": "output_text", "text": text, "annotations": []}]});
    let delta =
        |id: &Value, text: &str| json!({"type": "response.output_text.delta", "item_id": id, "delta": text});
    for ids in [[json!("a"), json!("b")], [Value::Null, Value::Null]] {
        let mut frames = vec![
            json!({"type": "response.created", "response": {"object": "response", "id": "r", "status": "in_progress", "output": []}}),
        ];
        for (id, text) in ids.iter().zip(["One. ", "Two."]) {
            frames.push(json!({"type": "response.output_item.added", "item": item(id, "")}));
            frames.push(delta(id, text));
            frames.push(json!({"type": "response.output_item.done", "item": item(id, text)}));
        }
        frames.push(json!({"type": "response.completed", "response": {"object": "response", "id": "r", "status": "completed", "output": []}}));
        assert_eq!(told(&events(&frames)), [(json!("r"), json!("One. Two."))], "{ids:?}");
        assert_eq!(rules(&events(&frames)), [""; 0], "{ids:?}");
    }
}

#[test]
fn a_copilot_message_that_only_calls_tools_is_a_step() {
    let session = lines(&[
        json!({"type": "user.message", "data": {"content": "Why?"}}),
        json!({"type": "assistant.message", "data": {"messageId": "1", "content": "", "toolRequests": [
            {"toolCallId": "t", "name": "web_search", "arguments": {"query": "sky"}}]}}),
        json!({"type": "tool.execution_complete", "data": {"toolCallId": "t", "success": true, "result": {"content": "r"}}}),
        json!({"type": "assistant.message", "data": {"messageId": "2", "content": "Blue."}}),
    ]);
    let responses = read(&session);
    assert_eq!(
        (responses.len(), &responses[0]["answer"], &responses[0]["question"]),
        (1, &json!("Blue."), &json!("Why?"))
    );
    let trace = &responses[0]["traces"][0];
    assert_eq!(
        (&trace["tool"], &trace["arguments"]["query"], trace["results"].as_array().map(Vec::len)),
        (&json!("web_search"), &json!("sky"), Some(1))
    );
    assert_eq!(rules(&session), [""; 0]);
}

/// What it says beside the call is said of the step; only the message behind it answers.
#[test]
fn a_copilot_message_that_calls_tools_is_a_step_whatever_it_says() {
    let asked = json!({"type": "user.message", "data": {"content": "When lit?"}});
    let calls = json!({"type": "assistant.message", "data": {"messageId": "1", "content": "Let me look.",
        "toolRequests": [{"toolCallId": "t", "name": "bash", "arguments": {"command": "ls"}}]}});
    let begun = json!({"type": "tool.execution_start", "data": {"toolCallId": "t", "toolName": "bash"}});
    let failed = json!({"type": "tool.execution_complete",
        "data": {"toolCallId": "t", "success": false, "error": {"message": "no such file"}}});
    let request =
        json!({"type": "user_input.requested", "data": {"requestId": "q", "question": "Which light?"}});
    let said = json!({"type": "assistant.message", "data": {"messageId": "2", "content": "In 1932."}});
    let whole = lines(&[asked.clone(), calls.clone(), begun.clone(), failed, request, said.clone()]);
    let responses = read(&whole);
    assert_eq!((responses.len(), &responses[0]["answer"]), (1, &json!("In 1932.")));
    let traces = &responses[0]["traces"];
    assert_eq!((&traces[0]["tool"], &traces[0]["error"]), (&json!("bash"), &json!("no such file")));
    assert_eq!(traces[1]["description"], "Let me look.");
    assert_eq!(rules(&whole), ["step-failed"]);
    assert_eq!(rules(&lines(&[asked.clone(), calls.clone(), begun])), ["stream-truncated"]);
    assert_eq!(rules(&lines(&[asked.clone(), calls.clone()])), ["stream-truncated"]);
    // Where none follows it is what there is of an answer.
    for input in [lines(&[asked.clone(), calls.clone()]), calls.to_string()] {
        assert_eq!(read(&input)[0]["answer"], "Let me look.", "{input}");
    }
    // Each message that answers is a response, whatever holds its events.
    let again = json!({"type": "assistant.message", "data": {"messageId": "3", "content": "In May."}});
    let idle = json!({"type": "session.idle", "data": {}});
    let two = [said.clone(), idle, asked.clone(), again];
    for input in [lines(&two), events(&two), Value::from(two.to_vec()).to_string()] {
        let answers: Vec<Value> = read(&input).iter().map(|one| one["answer"].clone()).collect();
        assert_eq!(answers, ["In 1932.", "In May."], "{input}");
        assert_eq!(rules(&input), [""; 0], "{input}");
    }
    // A session that ends with an error says so.
    let shutdown = json!({"type": "session.shutdown", "data": {"shutdownType": "error", "errorReason": "out of memory"}});
    assert_eq!(rules(&lines(&[asked.clone(), said.clone(), shutdown])), ["stream-error"]);
    let routine = json!({"type": "session.shutdown", "data": {"shutdownType": "routine"}});
    assert_eq!(rules(&lines(&[asked, said, routine])), [""; 0]);
}

#[test]
fn what_the_product_said_to_the_model_stands_between_question_and_answer() {
    let message =
        |role: &str, text: &str| json!({"id": role, "role": role, "parts": [{"type": "text", "text": text}]});
    let list = Value::from(vec![
        message("system", "Be brief."),
        message("user", "Why?"),
        message("system", "It is late."),
        message("assistant", "So."),
    ]);
    let responses = read(&list.to_string());
    assert_eq!(responses.len(), 1);
    assert_eq!((&responses[0]["question"], &responses[0]["answer"]), (&json!("Why?"), &json!("So.")));
}

#[test]
fn a_guardrail_that_stepped_in_ends_a_stream_of_bedrock() {
    let stream =
        events(&[json!({"output": {"text": "Sorry."}}), json!({"guardrail": {"action": "INTERVENED"}})]);
    let responses = read(&stream);
    assert_eq!(
        (responses.len(), &responses[0]["state"], &responses[0]["answer"]),
        (1, &json!("skipped"), &json!("Sorry."))
    );
}

#[test]
fn what_an_agent_of_perplexity_found_are_sources() {
    let body = json!({"object": "response", "id": "r", "status": "completed", "output": [
        {"type": "search_results", "queries": ["rio opens"], "results": [
            {"id": 1, "url": "https://rio.example/", "title": "Rio", "snippet": "Rio opens at nine.", "date": "2026-01-02"}]},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "At nine.", "annotations": []}]}]});
    let response = &read(&body.to_string())[0];
    let source = &response["sources"][0];
    assert_eq!(
        (&source["uri"], &source["title"], &source["chunks"][0]["text"]),
        (&json!("https://rio.example/"), &json!("Rio"), &json!("Rio opens at nine."))
    );
    assert_eq!(response["queries"][0]["text"], "rio opens");
}

#[test]
fn a_logged_response_may_be_a_stream_as_text_or_as_a_list() {
    let frames = anthropic("m1", "Nine.");
    let request = json!({"body": {"messages": [{"role": "user", "content": "When?"}]}});
    let bodies = [
        json!(events(&frames)),
        json!(events(&frames).replace('\n', "\r\n")),
        json!(events(&frames).replace("\n\n", "\n")),
        json!(lines(&frames)),
        json!(frames),
    ];
    for body in bodies {
        let pair = json!({"request": request, "response": {"status": 200, "body": body}}).to_string();
        let responses = read(&pair);
        assert_eq!(responses.len(), 1, "{pair}");
        assert_eq!(
            (&responses[0]["id"], &responses[0]["answer"], &responses[0]["question"]),
            (&json!("m1"), &json!("Nine."), &json!("When?")),
            "{pair}"
        );
        assert_eq!(rules(&pair), [""; 0], "{pair}");
    }
}

#[test]
fn an_event_that_says_all_again_and_breaks_off_takes_nothing_away() {
    let text = "Rio opens at nine. It closes at ten.";
    let part = json!({"type": "output_text", "text": text, "annotations": [{"type": "url_citation", "start_index": 0, "end_index": 18, "url": "https://a.example/", "title": "A"}]});
    let item = json!({"type": "message", "role": "assistant", "id": "a", "content": [part]});
    let frames = [
        json!({"type": "response.created", "response": {"object": "response", "id": "r", "status": "in_progress", "output": []}}),
        json!({"type": "response.output_text.delta", "output_index": 0, "content_index": 0, "delta": text}),
        json!({"type": "response.output_text.done", "output_index": 0, "content_index": 0, "text": text}),
        json!({"type": "response.output_item.done", "output_index": 0, "item": item}),
        json!({"type": "response.completed", "response": {"object": "response", "id": "r", "status": "completed", "output": [item]}}),
    ];
    let whole = events(&frames);
    let begun = events(&frames[..2]).len();
    for cut in begun..whole.trim_end().len() {
        let input = &whole[..cut];
        assert_eq!(told(input)[0].1, text, "{input}");
        let rules = rules(input);
        let judged = |rule: &String| ["offset-", "quote-", "text-"].iter().any(|kind| rule.starts_with(kind));
        assert!(!rules.iter().any(judged), "{rules:?}\n{input}");
        assert!(rules.contains(&"stream-truncated".to_owned()), "{input}");
    }
}

#[test]
fn what_breaks_off_in_the_middle_of_a_stream_does_not_end_it() {
    let mut frames = anthropic("m1", "Nine.");
    frames.insert(4, json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": " Closed at ten."}}));
    let stream = events(&frames);
    let broken = stream.replacen("Nine.\"}}", "Nine.", 1);
    assert_ne!(stream, broken);
    assert_eq!(told(&broken), [(json!("m1"), json!("Nine. Closed at ten."))]);
}

#[test]
fn a_line_of_batch_results_is_its_response_under_the_name_of_its_request() {
    let message = |text: &str| {
        json!({"id": "m", "type": "message", "role": "assistant", "model": "claude-sonnet-4-5", "stop_reason": "end_turn",
            "content": [{"type": "text", "text": text, "citations": [{"type": "char_location", "cited_text": "Rio opens at nine.",
                "document_index": 0, "document_title": "Hours", "start_char_index": 0, "end_char_index": 18}]}]})
    };
    let asked = json!({"anthropic_version": "bedrock-2023-05-31", "messages": [{"role": "user", "content": [
        {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "Rio opens at nine."}},
        {"type": "text", "text": "When?"}]}]});
    let chat = json!({"id": "c", "object": "chat.completion", "choices": [{"index": 0, "finish_reason": "stop", "message": {
        "role": "assistant", "content": "Nine.", "annotations": [{"type": "url_citation", "url_citation": {
            "start_index": 0, "end_index": 5, "url": "https://a.example/", "title": "A"}}]}}]});
    let lines = [
        (
            json!({"id": "b1", "custom_id": "q1", "response": {"status_code": 200, "request_id": "r", "body": chat}, "error": null}),
            ("chat-completions", "complete", "c", "Nine.", ""),
        ),
        (
            json!({"custom_id": "q2", "result": {"type": "succeeded", "message": message("Nine.")}}),
            ("anthropic-messages", "complete", "m", "Nine.", ""),
        ),
        (
            json!({"recordId": "q3", "modelInput": asked, "modelOutput": message("Nine.")}),
            ("anthropic-messages", "complete", "m", "Nine.", ""),
        ),
        (
            json!({"id": "b4", "custom_id": "q4", "response": null, "error": {"code": "batch_expired", "message": "Too late."}}),
            (
                "logged-pair",
                "error",
                "q4",
                "",
                "the service answered with an error, not with a response: Too late. (batch_expired)",
            ),
        ),
        (
            json!({"id": "b5", "custom_id": "q5", "response": {"status_code": 400, "body": {"error": {"message": "No such model.", "type": "invalid_request_error"}}}, "error": null}),
            (
                "logged-pair",
                "error",
                "q5",
                "",
                "the service answered with an error, not with a response: No such model. (invalid_request_error)",
            ),
        ),
        (
            json!({"custom_id": "q6", "result": {"type": "errored", "error": {"type": "error", "error": {"type": "invalid_request_error", "message": "max_tokens: required"}}}}),
            (
                "logged-pair",
                "error",
                "q6",
                "",
                "the service answered with an error, not with a response: max_tokens: required (invalid_request_error)",
            ),
        ),
        (
            json!({"custom_id": "q7", "result": {"type": "canceled"}}),
            ("logged-pair", "error", "q7", "", "there is no response: this request of the batch is canceled"),
        ),
        (
            json!({"recordId": "q8", "modelInput": {"messages": []}, "error": {"errorCode": 400, "errorMessage": "bad request"}}),
            (
                "logged-pair",
                "error",
                "q8",
                "",
                "the service answered with an error, not with a response: bad request (400)",
            ),
        ),
    ];
    let text: String = lines.iter().map(|(line, _)| format!("{line}\n")).collect();
    let responses = read(&text);
    assert_eq!(responses.len(), lines.len());
    for (response, (line, expected)) in responses.iter().zip(&lines) {
        let word = |key: &str| response[key].as_str().unwrap_or_default();
        let remarks = response["remarks"].as_array().filter(|_| response["state"] == "error");
        let failed = remarks.and_then(|remarks| remarks.first()?["text"].as_str());
        assert_eq!(
            (word("format"), word("state"), word("id"), word("answer"), failed.unwrap_or_default()),
            *expected,
            "{line}"
        );
    }
    // What names the request is not lost, and its input is what its citations point into.
    assert_eq!(responses[0]["extra"]["$.custom_id"], "q1");
    assert_eq!(responses[0]["extra"]["$.response.status_code"], 200);
    assert_eq!(
        (&responses[2]["question"], &responses[2]["sources"][0]["title"]),
        (&json!("When?"), &json!("Hours"))
    );
    assert_eq!(responses[1]["supports"][0]["sent"]["end"], Value::Null);
    // What is only asked for is no response.
    let asked = json!({"custom_id": "q", "method": "POST", "url": "/v1/responses", "body": {"model": "m"}});
    assert!(open("f", asked.to_string()).reviews().next().unwrap().is_err());
}

#[test]
fn of_a_document_cited_passage_by_passage_a_claim_is_held_against_its_own() {
    let block = |number: usize| {
        json!({"type": "text", "text": format!("Well {number} lifts {number} litres."), "citations": [{"type": "char_location",
            "cited_text": format!("Pump {number} of the well lifts {number} litres a second."), "document_index": 0, "document_title": "Wells",
            "start_char_index": number * 60, "end_char_index": number * 60 + 40}]})
    };
    let content: Vec<Value> = (0..300).map(block).collect();
    let message = json!({"id": "m", "type": "message", "role": "assistant", "stop_reason": "end_turn", "content": content});
    let responses = read(&message.to_string());
    let evidence = &responses[0]["supports"][123]["evidence"];
    let windows = evidence["windows"].as_array().unwrap();
    assert_eq!(windows.len(), 1);
    assert_eq!((&windows[0]["chunk"], &evidence["missing_numbers"]), (&json!(123), &json!([])));
}

#[test]
fn a_citation_whose_text_never_came_backs_nothing() {
    let citation = json!({"title": "A", "sourceContent": [{"text": "x"}], "location": {"documentChar": {"documentIndex": 0, "start": 0, "end": 1}}});
    let mut frames = vec![
        json!({"messageStart": {"role": "assistant"}}),
        json!({"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": "It is old. "}}}),
        json!({"contentBlockStop": {"contentBlockIndex": 0}}),
        json!({"contentBlockDelta": {"contentBlockIndex": 1, "delta": {"citation": citation}}}),
    ];
    let support = |frames: &[Value]| read(&lines(frames))[0]["supports"][0].clone();
    assert_eq!(
        (support(&frames)["kind"].clone(), support(&frames)["start"].clone()),
        (json!("block"), Value::Null)
    );
    // Where the block ended it is a point behind the text before it, as Nova sends them.
    frames.push(json!({"contentBlockStop": {"contentBlockIndex": 1}}));
    assert_eq!(
        (support(&frames)["kind"].clone(), support(&frames)["end"].clone()),
        (json!("point"), json!(10))
    );
}

#[test]
fn a_response_in_an_envelope_is_read_where_nothing_else_reads_the_whole() {
    let own = json!({"answer": "It is old. It is red.", "spans": [{"start": 0, "end": 10, "source_id": "s"}],
        "sources": [{"id": "s", "title": "A", "url": "https://a.example", "excerpt": "It is old"}]});
    for sent in [
        json!({"trace": 7, "result": own}),
        json!({"trace": 7, "data": own.to_string()}),
        json!({"trace": 7, "response": own}),
    ] {
        let response = &read(&sent.to_string())[0];
        assert_eq!(
            (response["format"].as_str(), response["supports"].as_array().unwrap().len()),
            (Some("generic"), 1)
        );
        assert_eq!(response["extra"]["$.trace"], 7);
    }
}

#[test]
fn what_a_program_puts_below_output_is_no_response_of_bedrock() {
    let sample = |name: &str| -> Value {
        serde_json::from_str(&std::fs::read_to_string(format!("samples/{name}")).unwrap()).unwrap()
    };
    for (name, format) in [("cohere.json", "cohere"), ("openai-responses.json", "openai-responses")] {
        let plain = read(&sample(name).to_string());
        for sent in [json!({"output": sample(name)}), json!({"input": "Why?", "output": sample(name)})] {
            let wrapped = read(&sent.to_string());
            assert_eq!(wrapped[0]["format"], format);
            assert_eq!(
                wrapped[0]["supports"].as_array().map(Vec::len),
                plain[0]["supports"].as_array().map(Vec::len)
            );
        }
    }
    let own = json!({"answer": "It is old.", "text": "It is old.", "spans": [{"start": 0, "end": 10, "source_id": "s"}],
        "sources": [{"id": "s", "title": "A", "url": "https://a.example"}]});
    assert_eq!(read(&json!({"output": own}).to_string())[0]["format"], "generic");
    // Bedrock's own have nothing beside it there.
    for (sent, format) in [
        (json!({"output": {"text": "It is old."}}), "bedrock-rag"),
        (
            json!({"output": {"message": {"role": "assistant", "content": [{"text": "It is old."}]}}}),
            "bedrock-converse",
        ),
    ] {
        assert_eq!(read(&sent.to_string())[0]["format"], format);
    }
}

#[test]
fn a_thought_whose_beginning_was_lost_is_a_thought() {
    let thought = json!({"type": "thought_summary", "content": {"type": "text", "text": "I look, password=S3CR3T here. "}});
    let text = json!({"type": "text", "text": "The tower is red."});
    for kind in ["step", "content"] {
        let events = [
            json!({"event_type": "interaction.created", "interaction": {"id": "i", "status": "in_progress"}}),
            json!({"event_type": format!("{kind}.delta"), "index": 0, "delta": thought}),
            json!({"event_type": format!("{kind}.stop"), "index": 0}),
            json!({"event_type": format!("{kind}.delta"), "index": 1, "delta": text}),
            json!({"event_type": "interaction.completed", "interaction": {"id": "i", "status": "completed"}}),
        ];
        let stream: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
        let responses = read(&stream);
        assert_eq!(responses[0]["answer"], "The tower is red.", "{kind}");
        assert_eq!(responses[0]["traces"][0]["thought"], "I look, password=masked here. ", "{kind}");
    }
}

/// Bridges build the last message anew.
#[test]
fn a_last_message_without_the_citations_of_its_pieces_is_told() {
    let edited = |input: &str| {
        let reviews: Vec<_> = open("f", input).reviews().map(Result::unwrap).collect();
        let findings = reviews.iter().flat_map(|review| review.findings());
        let edited = findings.filter(|finding| finding.rule.id == "text-edited");
        edited.map(|finding| finding.message.clone()).collect::<Vec<_>>()
    };
    let fewer = ["the last message has fewer citations than the pieces before it: it replaces them"];
    let text = "Lit in 1932.";
    let cited = json!({"type": "url_citation", "start_index": 0, "end_index": 12, "url": "https://a.example/x", "title": "a"});
    let part = |annotations: Value| json!({"type": "output_text", "text": text, "annotations": annotations});
    let item = |annotations: Value| json!({"type": "message", "id": "m", "status": "completed", "role": "assistant", "content": [part(annotations)]});
    let stream = |[by_part, by_item, last]: [Value; 3]| -> String {
        let at = |kind: &str, more: Value| {
            let mut event = json!({"type": kind, "item_id": "m", "output_index": 0, "content_index": 0});
            event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            format!("data: {event}\n\n")
        };
        [
            at("response.created", json!({"response": {"id": "r", "object": "response", "status": "in_progress", "output": []}})),
            at("response.content_part.added", json!({"part": {"type": "output_text", "text": "", "annotations": []}})),
            at("response.output_text.delta", json!({"delta": text})),
            at("response.output_text.annotation.added", json!({"annotation_index": 0, "annotation": cited})),
            at("response.content_part.done", json!({"part": part(by_part)})),
            at("response.output_item.done", json!({"item": item(by_item)})),
            at("response.completed", json!({"response": {"id": "r", "object": "response", "status": "completed", "output": [item(last)]}})),
        ]
        .concat()
    };
    let (all, none) = (json!([cited]), json!([]));
    assert_eq!(edited(&stream([all.clone(), all.clone(), all.clone()])), [""; 0]);
    assert_eq!(edited(&stream([none.clone(), all.clone(), all.clone()])), [""; 0]);
    assert_eq!(edited(&stream([none.clone(), none.clone(), none.clone()])), fewer);
    assert_eq!(edited(&stream([all.clone(), all, none])), fewer);
    let frame = |state: &str, citations: Value| json!({"answer": {"name": "a/1", "state": state, "answerText": text, "citations": citations}});
    let citations = json!([{"startIndex": "0", "endIndex": "12", "sources": [{"referenceId": "0"}]}]);
    let discovery =
        |last: Value| json!([frame("STREAMING", citations.clone()), frame("SUCCEEDED", last)]).to_string();
    assert_eq!(edited(&discovery(citations.clone())), [""; 0]);
    assert_eq!(edited(&discovery(json!([]))), fewer);
}

/// A proxy left out `object`: each frame, with all that came so far, was a response.
#[test]
fn a_stream_of_perplexity_goes_on_by_its_id_without_its_object() {
    let frame = |id: &str, so_far: &str, piece: &str, finish: Value| {
        json!({"id": id, "citations": ["https://a.example"], "choices": [{"index": 0, "finish_reason": finish,
            "message": {"role": "assistant", "content": so_far}, "delta": {"role": "assistant", "content": piece}}]})
    };
    let none = Value::Null;
    let frames = [
        frame("p", "First ", "First ", none.clone()),
        frame("p", "First and second", "and second", none.clone()),
        frame("p", "First and second[1].", "[1].", none),
        frame("p", "First and second[1].", "", json!("stop")),
    ];
    for stream in [events(&frames), lines(&frames), json!(frames).to_string()] {
        assert_eq!(told(&stream), [(json!("p"), json!("First and second[1]."))]);
        assert_eq!(rules(&stream), Vec::<String>::new());
    }
    // What came whole is one of its own.
    let whole = |id: &str| frame(id, "Whole.", "", json!("stop"));
    let two = [("p", "q"), ("p", "p")].map(|(one, other)| told(&lines(&[whole(one), whole(other)])).len());
    assert_eq!(two, [2, 2]);
}

/// As logs keep them from a list of outputs: their words were lost, as those of a stream that breaks off.
#[test]
fn outputs_of_mistrals_conversations_are_read_by_themselves() {
    let message = |text: &str, host: &str| {
        json!({"object": "entry", "type": "message.output", "id": "m", "role": "assistant", "content": [
            {"type": "text", "text": text}, {"type": "tool_reference", "tool": "web_search", "title": "t", "url": format!("https://{host}.example/")}]})
    };
    let ran = json!({"object": "entry", "type": "tool.execution", "id": "t", "name": "web_search", "arguments": "{\"query\": \"q\"}"});
    let outputs = [ran, message("Ten.", "a"), message("Two.", "b")];
    for input in [lines(&outputs), json!(outputs).to_string()] {
        let responses = read(&input);
        let told = |response: &Value| (response["answer"].clone(), response["sources"][0]["uri"].clone());
        let expected = [("Ten.", "https://a.example/"), ("Two.", "https://b.example/")];
        assert_eq!(
            responses.iter().map(told).collect::<Vec<_>>(),
            expected.map(|(answer, uri)| (json!(answer), json!(uri))),
            "{input}"
        );
        assert_eq!(responses[0]["traces"][0]["tool"], "web_search");
        assert!(!rules(&input).contains(&"stream-truncated".to_owned()), "{input}");
    }
}
