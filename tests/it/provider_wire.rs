//! What providers' services and SDKs send beside the plain case, each a shape that was once read wrong.

use citescope::export::{ExportOptions, markdown};
use serde_json::{Value, json};

use crate::common::library::{open, read};
use crate::common::program::run;

fn lines(frames: &[Value]) -> String {
    frames.iter().map(|frame| format!("{frame}\n")).collect()
}

fn rules(text: &str) -> Vec<String> {
    let session = open("f", text);
    let reviews: Vec<_> = session.reviews().map(Result::unwrap).collect();
    reviews.iter().flat_map(|review| review.findings()).map(|finding| finding.rule.id.to_owned()).collect()
}

/// The answer with its footnotes' marks, without the footnotes.
fn marked(text: &str) -> String {
    let review = open("f", text).reviews().next().unwrap().unwrap();
    let text = markdown::footnotes(&review, &ExportOptions::default()).text;
    text.split("\n\n[^").next().unwrap().trim_end().to_owned()
}

#[test]
fn texts_and_references_of_a_mistral_stream_keep_their_order() {
    let chunk = |content: Value| json!({"id": "m", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"content": content}}]});
    let last = json!({"id": "m", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"content": " drei."}, "finish_reason": "stop"}]});
    let stream = lines(&[
        chunk(json!("Eins")),
        chunk(json!(" und")),
        chunk(json!([{"type": "reference", "reference_ids": [0]}])),
        chunk(json!(". Zwei")),
        chunk(json!([{"type": "text", "text": " oder"}])),
        last,
    ]);
    assert_eq!(marked(&stream), "Eins und[^1]. Zwei oder drei.");
}

#[test]
fn bytes_of_a_second_item_count_in_that_item() {
    let cite = |start: Value, end: u32, url: &str| json!({"type": "url_citation", "start_index": start, "end_index": end, "url": url, "title": url});
    let items = json!([{"type": "text", "text": "Intro. "},
        {"type": "text", "text": "Café Zürich öffnet um acht. Der Park liegt am Fluß.", "annotations": [
            cite(Value::Null, 30, "https://a.example/"), cite(json!(31), 55, "https://b.example/")]}]);
    let body = json!({"object": "interaction", "id": "i", "status": "completed", "steps": [{"type": "model_output", "content": items}]}).to_string();
    assert_eq!(marked(&body), "Intro. Café Zürich öffnet um acht.[^1] Der Park liegt am Fluß.[^2]");
    assert_eq!(rules(&body), [""; 0]);
}

#[test]
fn what_backs_a_thought_of_cohere_is_not_moved_into_the_answer() {
    let source = |id: &str, kind: &str| json!([{"type": kind, "id": id, "document": {"id": id, "title": id, "text": "Ruby 1993"}, "tool_output": {"city": "Rom"}}]);
    let body = json!({"id": "c", "finish_reason": "COMPLETE", "message": {"role": "assistant",
        "content": [{"type": "thinking", "thinking": "Think about Ruby."}, {"type": "text", "text": "Matz made Ruby in 1993."}],
        "citations": [
            {"start": 12, "end": 16, "text": "Ruby", "sources": source("d", "document"), "type": "THINKING_CONTENT", "content_index": 0},
            {"start": 10, "end": 14, "text": "Ruby", "sources": source("t:0", "tool"), "type": "TEXT_CONTENT", "content_index": 1}]}})
    .to_string();
    let session = open("f", &*body);
    let review = session.reviews().next().unwrap().unwrap();
    let ranges: Vec<_> = review.supports().map(citescope::review::SupportRef::range).collect();
    assert_eq!(ranges, [None, Some(10..14)]);
    assert!(review.repairs().edits.is_empty() && review.repairs().refused.is_empty());
    // The output of a tool that is cited as a document is one.
    assert_eq!(marked(&body), "Matz made Ruby[^2] in 1993.");
    assert!(!rules(&body).contains(&"offset-drift".to_owned()));
}

#[test]
fn events_of_a_copilot_session_are_one_answer_with_its_question_and_steps() {
    let session = lines(&[
        json!({"type": "session.start", "data": {"sessionId": "s"}}),
        json!({"type": "user.message", "data": {"content": "Why?"}}),
        json!({"type": "assistant.message_delta", "data": {"messageId": "m", "deltaContent": "Blue"}}),
        json!({"type": "tool.execution_start", "data": {"toolCallId": "t", "toolName": "web_search", "arguments": {"query": "sky"}}}),
        json!({"type": "tool.execution_complete", "data": {"toolCallId": "t", "success": true, "result": {"content": "r"}}}),
        json!({"type": "assistant.message", "data": {"messageId": "m", "content": "Blue it is."}}),
        json!({"type": "assistant.turn_end", "data": {"turnId": "1"}}),
        json!({"type": "session.idle", "data": {}}),
    ]);
    let responses = read(&session);
    assert_eq!(responses.len(), 1);
    let response = &responses[0];
    assert_eq!((&response["format"], &response["answer"]), (&json!("copilot"), &json!("Blue it is.")));
    assert_eq!((&response["question"], &response["state"]), (&json!("Why?"), &json!("complete")));
    assert_eq!(response["traces"][0]["tool"], "web_search");
}

#[test]
fn a_question_in_a_list_of_ui_messages_is_no_answer() {
    let message =
        |role: &str, text: &str| json!({"id": role, "role": role, "parts": [{"type": "text", "text": text}]});
    let list = |all: &[Value]| read(&Value::from(all.to_vec()).to_string());
    let responses = list(&[message("user", "Why?"), message("assistant", "So."), message("user", "And?")]);
    let told: Vec<(&Value, &Value)> =
        responses.iter().map(|one| (&one["question"], &one["answer"])).collect();
    assert_eq!(told, [(&json!("Why?"), &json!("So.")), (&Value::Null, &json!("And?"))]);
    assert_eq!(responses[1]["role"], "user");
}

#[test]
fn a_range_that_begins_past_the_end_has_no_place() {
    let cite = json!({"type": "url_citation", "start_index": 90, "end_index": 99, "url": "https://a.example/", "title": "A"});
    let body = json!({"object": "response", "id": "r", "status": "completed", "output": [{"type": "message", "role": "assistant",
        "content": [{"type": "output_text", "text": "It is old.", "annotations": [cite]}]}]})
    .to_string();
    assert_eq!(marked(&body), "It is old.");
    let review = open("f", &*body).reviews().next().unwrap().unwrap();
    let exported = markdown::footnotes(&review, &ExportOptions::default());
    assert_eq!(exported.notes, ["1 of 1 support has no place in the answer and was left out"]);
}

#[test]
fn pieces_that_repeat_the_text_so_far_count_once() {
    let texts = ["The sky", "The sky is", "The sky is blue."];
    let chat = |text: &str| json!({"id": "m", "object": "chat.completion.chunk", "model": "x", "choices": [{"index": 0, "delta": {"content": text}}]});
    let mut chats: Vec<Value> = texts.iter().map(|text| chat(text)).collect();
    chats.push(json!({"id": "m", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}));
    let delta = |text: &&str| json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}});
    let mut messages = vec![
        json!({"type": "message_start", "message": {"type": "message", "role": "assistant", "content": []}}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
    ];
    messages.extend(texts.iter().map(delta));
    messages.push(json!({"type": "message_stop"}));
    for stream in [lines(&chats), lines(&messages)] {
        assert_eq!(read(&stream)[0]["answer"], "The sky is blue.");
        assert!(rules(&stream).contains(&"stream-cumulative".to_owned()), "{:?}", rules(&stream));
    }
}

#[test]
fn a_closing_event_with_another_text_replaces_the_pieces_and_this_is_said() {
    let responses = |last: &str| {
        let item = json!({"type": "message", "id": "m", "role": "assistant", "content": [{"type": "output_text", "text": last, "annotations": []}]});
        lines(&[
            json!({"type": "response.output_text.delta", "output_index": 0, "content_index": 0, "delta": "It is old."}),
            json!({"type": "response.output_text.done", "output_index": 0, "content_index": 0, "text": "It is old."}),
            json!({"type": "response.content_part.done", "output_index": 0, "content_index": 0, "part": {"type": "output_text", "text": last}}),
            json!({"type": "response.output_item.done", "output_index": 0, "item": item}),
            json!({"type": "response.completed", "response": {"object": "response", "id": "r", "status": "completed", "output": [item]}}),
        ])
    };
    let cohere = |last: &str| {
        lines(&[
            json!({"is_finished": false, "event_type": "stream-start", "generation_id": "g"}),
            json!({"is_finished": false, "event_type": "text-generation", "text": "It is old."}),
            json!({"is_finished": true, "event_type": "stream-end", "finish_reason": "COMPLETE", "response": {"text": last, "generation_id": "g"}}),
        ])
    };
    for stream in [responses, cohere] {
        assert!(!rules(&stream("It is old.")).contains(&"text-edited".to_owned()));
        let edited = stream("It is new.");
        assert!(rules(&edited).contains(&"text-edited".to_owned()), "{:?}", rules(&edited));
        assert_eq!(read(&edited)[0]["answer"], "It is new.");
    }
}

#[test]
fn blocks_that_a_citation_names_are_looked_up_in_the_document_of_the_request() {
    let text = |text: &str| json!({"type": "text", "text": text});
    let content = json!([text("One."), text("Two is two."), text("Three.")]);
    let pair = |start: u32| {
        let cite = json!({"type": "content_block_location", "cited_text": "Two is two.", "document_index": 0, "document_title": null, "start_block_index": start, "end_block_index": start + 1});
        json!({"request": {"model": "c", "messages": [{"role": "user", "content": [{"type": "document", "source": {"type": "content", "content": content}}, text("Two?")]}]},
            "response": {"id": "m", "type": "message", "role": "assistant", "model": "c", "stop_reason": "end_turn",
                "content": [{"type": "text", "text": "It is two.", "citations": [cite]}]}})
        .to_string()
    };
    assert!(!rules(&pair(1)).contains(&"source-text-mismatch".to_owned()), "{:?}", rules(&pair(1)));
    assert!(rules(&pair(2)).contains(&"source-text-mismatch".to_owned()), "{:?}", rules(&pair(2)));
}

#[test]
fn waiting_for_the_caller_s_tool_is_no_empty_answer() {
    let body = json!({"object": "response", "id": "r", "status": "completed",
        "output": [{"type": "function_call", "name": "get", "arguments": "{}", "call_id": "c"}]})
    .to_string();
    assert!(!rules(&body).contains(&"answer-empty".to_owned()), "{:?}", rules(&body));
    assert_eq!(read(&body)[0]["state"], "partial");
}

#[test]
fn annotations_of_a_gateway_without_their_holder_are_read() {
    let annotation = json!({"type": "url_citation", "start_index": 11, "end_index": 36, "url": "https://a.example/", "title": "A"});
    let body = json!({"id": "c", "object": "chat.completion", "choices": [{"index": 0, "finish_reason": "stop", "message":
        {"role": "assistant", "content": "It is old. ([a](https://a.example/)) New.", "annotations": [annotation]}}]})
    .to_string();
    assert_eq!(marked(&body), "It is old.[^1] New.");
}

#[test]
fn arguments_that_come_in_pieces_are_those_of_their_step() {
    let stream = lines(&[
        json!({"type": "conversation.response.started", "conversation_id": "v"}),
        json!({"type": "tool.execution.started", "output_index": 0, "id": "t", "name": "web_search", "arguments": ""}),
        json!({"type": "tool.execution.delta", "output_index": 0, "id": "t", "name": "web_search", "arguments": "{\"query\": "}),
        json!({"type": "tool.execution.delta", "output_index": 0, "id": "t", "name": "web_search", "arguments": "\"nobel\"}"}),
        json!({"type": "message.output.delta", "output_index": 1, "id": "o", "content_index": 0, "content": "Ja."}),
        json!({"type": "conversation.response.done"}),
    ]);
    assert_eq!(read(&stream)[0]["queries"][0]["text"], "nobel");
}

#[test]
fn documents_that_only_the_request_has_are_the_text_of_their_sources() {
    let cohere = json!({"request": {"model": "c", "messages": [{"role": "user", "content": "Who?"}],
            "documents": [{"id": "doc:0", "data": {"title": "Ruby", "text": "Matz invented Ruby."}}]},
        "response": {"id": "x", "finish_reason": "COMPLETE", "message": {"role": "assistant", "content": [{"type": "text", "text": "Matz."}],
            "citations": [{"start": 0, "end": 4, "text": "Matz", "sources": [{"type": "document", "id": "doc:0"}]}]}}});
    let returned =
        json!({"0": {"url": "https://a.example/", "title": "Ruby", "snippets": [["Matz invented Ruby."]]}})
            .to_string();
    let content = json!([{"type": "text", "text": "Matz"}, {"type": "reference", "reference_ids": [0]}, {"type": "text", "text": "."}]);
    let mistral = json!({"request": {"model": "m", "messages": [{"role": "user", "content": "Who?"}, {"role": "tool", "tool_call_id": "t", "content": returned}]},
        "response": {"id": "m", "object": "chat.completion", "model": "m", "choices": [{"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "stop"}]}});
    for pair in [cohere, mistral] {
        let source = &read(&pair.to_string())[0]["sources"][0];
        assert_eq!(
            (&source["title"], &source["chunks"][0]["text"]),
            (&json!("Ruby"), &json!("Matz invented Ruby."))
        );
    }
}

#[test]
fn a_text_that_lost_characters_is_not_what_its_offsets_are_repaired_for() {
    let body = |text: &str| {
        json!({"candidates": [{"content": {"parts": [{"text": text}]}, "finishReason": "STOP", "groundingMetadata": {
        "groundingChunks": [{"web": {"uri": "https://a.example/", "title": "A"}}],
        "groundingSupports": [{"segment": {"startIndex": 6, "endIndex": 15, "text": "It opens."}, "groundingChunkIndices": [0]}]}}]})
    .to_string()
    };
    let refused = |text: &str| {
        let review = open("f", body(text)).reviews().next().unwrap().unwrap();
        review.repairs().refused.iter().map(|(_, refusal)| refusal.words()).collect::<Vec<_>>()
    };
    assert_eq!(refused("Rio is red. It opens."), [""; 0]);
    let lost = "characters before it were lost (U+FFFD): its offsets may fit the text that was sent";
    assert_eq!(refused("Caf\u{fffd}\u{fffd} é. It opens."), [lost]);
}

#[test]
fn a_number_that_is_used_again_begins_a_further_piece() {
    let stream = lines(&[
        json!({"type": "message_start", "message": {"type": "message", "role": "assistant", "content": []}}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": "I"}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "n"}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "n i"}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "n it. "}}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Second."}}),
        json!({"type": "message_stop"}),
    ]);
    assert_eq!(read(&stream)[0]["answer"], "Inn in it. Second.");
}

#[test]
fn events_in_the_middle_of_a_copilot_turn_do_not_split_it() {
    let session = lines(&[
        json!({"type": "session.start", "data": {}}),
        json!({"type": "user.message", "data": {"content": "Why?"}}),
        json!({"type": "session.usage_info", "data": {}}),
        json!({"type": "assistant.message_delta", "data": {"deltaContent": "Beca"}}),
        json!({"type": "assistant.usage", "data": {}}),
        json!({"type": "assistant.message", "data": {"content": "Because."}}),
        json!({"type": "session.idle", "data": {}}),
        json!({"type": "user.message", "data": {"content": "And?"}}),
        json!({"type": "assistant.message", "data": {"content": "So."}}),
    ]);
    let responses = read(&session);
    let told: Vec<(&Value, &Value)> =
        responses.iter().map(|one| (&one["question"], &one["answer"])).collect();
    assert_eq!(told, [(&json!("Why?"), &json!("Because.")), (&json!("And?"), &json!("So."))]);
}

#[test]
fn a_closing_list_without_the_thoughts_repeats_the_answer_and_does_not_double_it() {
    let output = |text: &str| json!({"type": "model_output", "content": [{"type": "text", "text": text}]});
    let stream = lines(&[
        json!({"event_type": "step.start", "index": 0, "step": {"type": "thought", "summary": [{"type": "text", "text": "Hm."}]}}),
        json!({"event_type": "step.start", "index": 1, "step": output("Hello world.")}),
        json!({"event_type": "interaction.completed", "interaction": {"object": "interaction", "id": "i", "status": "completed", "steps": [output("Hello world.")]}}),
    ]);
    assert_eq!(read(&stream)[0]["answer"], "Hello world.");
    assert!(!rules(&stream).contains(&"text-edited".to_owned()), "{:?}", rules(&stream));
}

/// What was searched without success has an empty list; the answer is there all the same.
#[test]
fn an_answer_beside_an_empty_list_of_sources_is_read() {
    for input in [
        json!({"answer": "I do not know.", "sources": []}),
        json!({"question": "q", "answer": "I do not know.", "contexts": []}),
        json!({"result": {"answer": "I do not know.", "documents": []}}),
        json!({"answer": "I do not know.", "sources": {}}),
    ] {
        let input = input.to_string();
        assert_eq!(marked(&input), "I do not know.", "{input}");
        assert!(!rules(&input).contains(&"answer-empty".to_owned()), "{input}");
    }
    let orphan = json!({"answer": "It opens at nine [1].", "sources": []}).to_string();
    assert_eq!(rules(&orphan), ["marker-orphan"]);
}

#[test]
fn what_an_sdk_returns_with_its_request_beside_is_no_logged_pair() {
    let returned = json!({"text": "Rio opens at nine [1].", "finishReason": "stop",
        "sources": [{"sourceType": "url", "id": "1", "url": "https://a.example/", "title": "a"}],
        "request": {"body": "{}"}, "response": {"id": "r", "modelId": "m", "messages": []}});
    assert_eq!(marked(&returned.to_string()), "Rio opens at nine[^1].");
    assert_eq!(rules(&returned.to_string()), [""; 0]);
    // Where the response is one that can be read, it is.
    let mut pair = returned;
    pair["response"] =
        json!({"candidates": [{"content": {"parts": [{"text": "Nine."}]}, "finishReason": "STOP"}]});
    pair["response"] = json!({"body": pair["response"]});
    assert_eq!(marked(&pair.to_string()), "Nine.");
}

#[test]
fn a_message_of_a_chat_alone_is_read_where_its_text_has_marks_and_their_list() {
    let text =
        "It opens at nine [1]. It is old [3].\n\nSources:\n1. https://a.example/1\n2. https://a.example/2\n";
    let message = json!({"role": "assistant", "content": text, "refusal": null});
    let asked = json!({"role": "user", "content": "When?"});
    for input in [message.to_string(), json!([asked, message]).to_string(), lines(&[asked, message.clone()])]
    {
        assert!(marked(&input).starts_with("It opens at nine[^1]."), "{input}");
        assert!(rules(&input).contains(&"marker-orphan".to_owned()), "{input}");
    }
    let other = json!({"role": "assistant", "content": "It opens at nine [1]."});
    assert!(open("f", other.to_string()).decode(0).is_err());
}

#[test]
fn a_stored_chat_of_vercels_is_its_answers_each_with_its_question() {
    let says = |role: &str, id: &str, text: &str| json!({"id": id, "role": role, "parts": [{"type": "text", "text": text}]});
    let answer = |id: &str, text: &str| {
        json!({"id": id, "role": "assistant", "parts": [{"type": "source-url", "sourceId": "s1", "url": "https://rio.example/hours"},
            {"type": "text", "text": text}]})
    };
    let chat = |messages: &[Value]| json!({"id": "chat-1", "messages": messages}).to_string();
    let told = |input: &str| -> Vec<Value> {
        let of = |response: &Value| {
            let cited: Vec<&Value> = response["supports"]
                .as_array()
                .unwrap()
                .iter()
                .map(|support| &support["citations"][0]["source"])
                .collect();
            json!([response["item"], response["id"], response["question"], response["answer"], cited])
        };
        read(input).iter().map(of).collect()
    };
    let first = "Rio opens at nine ([Rio](https://rio.example/hours)).";
    let whole = chat(&[
        says("user", "m1", "When does it open?"),
        answer("m2", first),
        says("user", "m3", "And close?"),
        answer("m4", "At ten."),
    ]);
    assert_eq!(
        told(&whole),
        [json!([0, "m2", "When does it open?", first, [0]]), json!([1, "m4", "And close?", "At ten.", []])]
    );
    // What the chat asks next has no answer yet.
    let open = chat(&[
        says("user", "m1", "When does it open?"),
        answer("m2", first),
        says("user", "m3", "And close?"),
    ]);
    let open = read(&open);
    assert_eq!((open.len(), &open[1]["role"], &open[1]["answer"]), (2, &json!("user"), &json!("And close?")));
    assert_eq!(run(&["check"], &chat(&[says("user", "m1", "When?")])).0, 0);
    // A request of another API says that it is one.
    let request = json!({"messages": [{"role": "user", "content": "When?"}]}).to_string();
    assert!(
        run(&["check"], &request).2.contains("a chat request (OpenAI, Anthropic or alike), not a response")
    );
}

#[test]
fn what_generate_text_of_vercels_gives_is_read_with_its_sources_and_steps() {
    let source = json!({"type": "source", "sourceType": "url", "id": "s0", "url": "https://rio.example/hours", "title": "Rio"});
    let text = json!({"type": "text", "text": "Rio öffnet um neun ([Rio](https://rio.example/hours))."});
    let step = |content: Value, finish: &str| {
        json!({"content": content, "finishReason": finish, "usage": {}, "warnings": [], "request": {},
            "response": {"id": "r", "modelId": "m", "messages": []}})
    };
    let call =
        json!({"type": "tool-call", "toolCallId": "t1", "toolName": "web_search", "input": {"query": "rio"}});
    let failed = json!({"type": "tool-error", "toolCallId": "t1", "toolName": "web_search", "input": {"query": "rio"}, "error": "no net"});
    let result =
        json!({"steps": [step(json!([call, failed]), "tool-calls"), step(json!([source, text]), "stop")]})
            .to_string();
    let response = &read(&result)[0];
    assert_eq!(
        json!([
            response["format"],
            response["id"],
            response["model"],
            response["answer"],
            response["supports"][0]["citations"][0]["source"]
        ]),
        json!(["vercel-ui", "r", "m", text["text"], 0])
    );
    assert_eq!(
        json!([
            response["traces"][0]["tool"],
            response["traces"][0]["error"],
            response["queries"][0]["text"]
        ]),
        json!(["web_search", "no net", "rio"])
    );
    // Google's metadata beside it counts bytes.
    let mut one = step(json!([source, {"type": "text", "text": "Rio öffnet um neun."}]), "stop");
    one["providerMetadata"] = json!({"google": {"groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://rio.example/hours", "title": "Rio"}}],
        "groundingSupports": [{"segment": {"startIndex": 0, "endIndex": 18, "text": "Rio öffnet um neun"}, "groundingChunkIndices": [0]}]}}});
    assert_eq!(rules(&one.to_string()), ["offset-unit"]);
    assert_eq!(rules(&step(json!([source, text]), "length").to_string()), ["answer-cut"]);
}

#[test]
fn citations_of_ones_own_in_a_message_of_a_service_are_told() {
    let chat = json!({"id": "x", "object": "chat.completion", "choices": [{"finish_reason": "stop", "message": {
        "role": "assistant", "content": "Rents fell.", "citations": [{"start": 0, "end": 11, "url": "https://a.example/"}]}}]});
    let chain = json!({"type": "ai", "content": "Rents fell.", "additional_kwargs": {"citations": [{"start": 0, "end": 11, "source_id": "a"}]}});
    for message in [chat, chain] {
        let (_, out, _) = run(&["check"], &message.to_string());
        assert!(out.contains("warning[citations-unread]"), "{out}");
    }
}

#[test]
fn an_answer_that_was_kept_beside_its_check_is_the_one_that_was_checked() {
    let input = json!({"answer": "Rents fell.", "supportScore": 0.9, "citedChunks": [{"chunkText": "Rents fell."}],
        "claims": [{"claimText": "Rents fell.", "startPos": 0, "endPos": 11, "citationIndices": [0]}]});
    let (_, out, _) = run(&["export", "--to", "json"], &input.to_string());
    let response = serde_json::from_str::<Value>(&out).unwrap()["responses"][0].clone();
    assert_eq!((&response["answer"], &response["supports"][0]["end"]), (&json!("Rents fell."), &json!(11)));
}

/// Without ids the name of the tool joins them, in the order in which they were made.
#[test]
fn calls_of_one_tool_that_are_made_together_are_answered_in_their_order() {
    let call = |query: &str| json!({"functionCall": {"name": "lookup", "args": {"query": query}}});
    let said = |text: &str| json!({"functionResponse": {"name": "lookup", "response": {"result": text}}});
    let event = |role: &str, parts: Value| json!({"author": "agent", "invocationId": "i", "content": {"role": role, "parts": parts}});
    let events = [
        event("model", json!([call("never answered")])),
        event("model", json!([call("height"), call("age")])),
        event("user", json!([said("41 metres"), said("since 1932")])),
        event("model", json!([{"text": "High and old."}])),
    ];
    let traces = read(&json!({"sessionEvents": events}).to_string())[0]["traces"].clone();
    let joined: Vec<(Value, Value)> = traces
        .as_array()
        .unwrap()
        .iter()
        .filter(|trace| trace["tool"] == "lookup")
        .map(|trace| (trace["arguments"]["query"].clone(), trace["results"][0]["text"].clone()))
        .collect();
    let expected = [
        (json!("never answered"), Value::Null),
        (json!("height"), json!("{\n  \"result\": \"41 metres\"\n}")),
        (json!("age"), json!("{\n  \"result\": \"since 1932\"\n}")),
    ];
    assert_eq!(joined, expected);
}

/// A file of which a search found very many passages is cited as a whole: a claim keeps the nearest ones.
#[test]
fn of_a_file_cited_as_a_whole_a_claim_keeps_the_nearest_passages() {
    let claim = |number: usize| format!("Well {number} lifts {number} litres.");
    let found = |number: usize| {
        let text = format!("Pump {number} of the well lifts {number} litres a second.");
        json!({"file_id": "f1", "filename": "wells.txt", "text": text})
    };
    let (mut text, mut annotations) = (String::new(), Vec::new());
    for number in 0..300 {
        text.push_str(&claim(number));
        annotations.push(json!({"type": "file_citation", "index": text.len() - 1, "file_id": "f1", "filename": "wells.txt"}));
        text.push(' ');
    }
    let search = json!({"type": "file_search_call", "id": "s", "status": "completed", "queries": ["wells"],
        "results": (0..300).map(found).collect::<Vec<_>>()});
    let message = json!({"type": "message", "role": "assistant", "status": "completed",
        "content": [{"type": "output_text", "text": text, "annotations": annotations}]});
    let body = json!({"object": "response", "id": "r", "status": "completed", "output": [search, message]});
    let evidence = &read(&body.to_string())[0]["supports"][123]["evidence"];
    let windows = evidence["windows"].as_array().unwrap();
    assert_eq!(windows.len(), 64);
    assert_eq!((&windows[0]["chunk"], &evidence["missing_numbers"]), (&json!(123), &json!([])));
}
