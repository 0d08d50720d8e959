//! What services do beside their references, as their users meet it: each was once read wrong or not at all.

use serde_json::{Value, json};

use crate::common::library::{open, read};
use crate::common::program::{command, output, run, text};

/// Of each response its format, its answer, and the addresses that each support leads to (`-` where to none).
fn told(input: &str) -> Vec<String> {
    let of = |response: &Value| {
        let uri = |citation: &Value| {
            let source = citation["source"].as_u64().map(|index| &response["sources"][index as usize]);
            source.map_or("-".to_owned(), |source| {
                let of = |key: &str| source[key].as_str().map(str::to_owned);
                of("uri").or(of("title")).unwrap_or_default()
            })
        };
        let list = |key: &str, of: &Value| of[key].as_array().cloned().unwrap_or_default();
        let supports = list("supports", response);
        let cited = supports
            .iter()
            .map(|support| list("citations", support).iter().map(uri).collect::<Vec<_>>().join("+"));
        let cited: Vec<String> = cited.collect();
        format!("{}: {} {cited:?}", response["format"].as_str().unwrap(), response["answer"])
            .replace('"', "'")
    };
    read(input).iter().map(of).collect()
}

fn rules(input: &str) -> Vec<String> {
    let reviews: Vec<_> = open("f", input).reviews().map(Result::unwrap).collect();
    let findings = reviews.iter().flat_map(|review| review.findings());
    findings.map(|finding| format!("{} {}", finding.rule.id, finding.message)).collect()
}

fn events(frames: &[Value]) -> String {
    frames.iter().map(|frame| format!("data: {frame}\n\n")).collect()
}

const FOUND: [&str; 2] = ["https://a.example/1", "https://b.example/2"];

#[test]
fn numbers_of_perplexitys_agents_are_the_ids_of_what_was_found() {
    let results = json!([{"id": 1, "title": "A", "url": FOUND[0]}, {"id": 2, "title": "B", "url": FOUND[1]}]);
    let message = json!({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "One.[2] Two.[1][3]", "annotations": []}]});
    let body = json!({"id": "r", "object": "response", "status": "completed", "output": [
        {"type": "search_results", "queries": ["q"], "results": results}, message]});
    let cited = "openai-responses: 'One.[2] Two.[1][3]' ['https://b.example/2', 'https://a.example/1+-']";
    assert_eq!(told(&body.to_string()), [cited]);
    // A stream that breaks off has them in its events only.
    let half = events(&[
        json!({"type": "response.created", "response": {"id": "r", "object": "response", "status": "in_progress", "output": []}}),
        json!({"type": "response.reasoning.search_queries", "queries": ["q"]}),
        json!({"type": "response.reasoning.search_results", "results": results}),
        json!({"type": "response.output_text.delta", "output_index": 0, "content_index": 0, "delta": "One.[2] Two.[1][3]"}),
    ]);
    assert_eq!(told(&half), [cited]);
    assert_eq!(read(&half)[0]["queries"][0]["text"], "q");
    // An id that two of them have names neither.
    let twice = json!([{"id": 1, "title": "A", "url": FOUND[0]}, {"id": 1, "title": "B", "url": FOUND[1]}]);
    let body = body.to_string().replace(&results.to_string(), &twice.to_string());
    assert_eq!(told(&body), ["openai-responses: 'One.[2] Two.[1][3]' ['-', '-+-']"]);
}

#[test]
fn a_list_of_sources_in_the_text_counts_whoever_sent_it() {
    let text = "Ruby is old [1]. Python too [2].\n\n[1]: https://r.example/\n[2]: https://p.example/";
    let bodies = [
        (
            "openai-responses",
            json!({"object": "response", "id": "r", "status": "completed", "output": [{"type": "message", "content": [{"type": "output_text", "text": text}]}]}),
        ),
        (
            "anthropic-messages",
            json!({"id": "m", "type": "message", "role": "assistant", "model": "claude", "content": [{"type": "text", "text": text}], "stop_reason": "end_turn"}),
        ),
        (
            "bedrock-converse",
            json!({"output": {"message": {"role": "assistant", "content": [{"text": text}]}}, "stopReason": "end_turn"}),
        ),
        ("gemini", json!({"candidates": [{"content": {"parts": [{"text": text}]}, "finishReason": "STOP"}]})),
    ];
    for (format, body) in bodies {
        let told = told(&body.to_string());
        assert!(told[0].starts_with(&format!("{format}: ")), "{told:?}");
        assert!(told[0].ends_with("['https://r.example/', 'https://p.example/']"), "{told:?}");
    }
    // What the provider lists counts before it, cited or not.
    let sources = json!({"candidates": [{"content": {"parts": [{"text": text}]}, "finishReason": "STOP",
        "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://g.example/", "title": "g"}}]}}]});
    assert!(told(&sources.to_string())[0].ends_with(" []"));
}

#[test]
fn what_azures_filters_send_belongs_to_the_answer_that_they_filter() {
    let piece = |delta: Value, finish: Value| {
        json!({"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "gpt",
            "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})
    };
    let prompt = json!({"id": "", "object": "", "created": 0, "model": "", "choices": [], "prompt_filter_results": [{"prompt_index": 0}]});
    let filter = json!({"id": "", "object": "", "created": 0, "model": "",
        "choices": [{"index": 0, "finish_reason": null, "content_filter_offsets": {"check_offset": 4, "start_offset": 4, "end_offset": 8}}]});
    let stream = [
        prompt,
        piece(json!({"role": "assistant", "content": "It is "}), Value::Null),
        filter.clone(),
        piece(json!({"content": "red."}), Value::Null),
        piece(json!({}), json!("stop")),
        filter,
    ];
    let twice: Vec<Value> = stream
        .iter()
        .cloned()
        .chain(stream.iter().cloned().map(|mut frame| {
            if frame["id"] == "c" {
                frame["id"] = json!("d");
            }
            frame
        }))
        .collect();
    assert_eq!(told(&events(&stream)), ["chat-completions: 'It is red.' []"]);
    assert_eq!(rules(&events(&stream)), [""; 0]);
    assert_eq!(told(&events(&twice)), ["chat-completions: 'It is red.' []"; 2]);
    let first = &read(&events(&stream))[0];
    assert_eq!(
        (&first["id"], &first["model"], &first["created"]),
        (&json!("c"), &json!("gpt"), &json!("1970-01-01T00:00:01Z"))
    );
}

#[test]
fn a_concise_stream_of_sonar_is_one_response_with_its_searches() {
    let step = |keyword: &str| json!({"thought": "look", "type": "web_search", "web_search": {"search_keywords": [keyword], "search_results": [{"title": "A", "url": FOUND[0]}]}});
    let frame = |object: &str, more: Value| {
        let mut frame = json!({"id": "c", "model": "sonar-pro", "object": object, "created": 1});
        frame.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        frame
    };
    let stream = events(&[
        frame(
            "chat.reasoning",
            json!({"choices": [{"index": 0, "message": {"content": "", "reasoning_steps": [step("one")]}, "delta": {"content": "", "reasoning_steps": [step("one")]}}]}),
        ),
        frame(
            "chat.reasoning.done",
            json!({"choices": [{"index": 0, "message": {"content": "", "reasoning_steps": [step("one"), step("two")]}, "delta": {"content": ""}}]}),
        ),
        frame("chat.completion.chunk", json!({"choices": [{"index": 0, "delta": {"content": "First[1]."}}]})),
        frame(
            "chat.completion.done",
            json!({"citations": FOUND, "choices": [{"index": 0, "finish_reason": "stop", "message": {"content": "First[1]."}, "delta": {"content": ""}}]}),
        ),
    ]);
    assert_eq!(told(&stream), ["perplexity: 'First[1].' ['https://a.example/1']"]);
    let response = &read(&stream)[0];
    let queries: Vec<_> =
        response["queries"].as_array().unwrap().iter().map(|query| &query["text"]).collect();
    assert_eq!(queries, ["one", "two"]);
    assert_eq!(
        (&response["traces"][0]["thought"], &response["traces"][0]["tool"]),
        (&json!("look"), &json!("web_search"))
    );
}

fn human(text: &str) -> Value {
    json!({"type": "human", "content": text, "additional_kwargs": {}, "response_metadata": {}})
}

fn ai(content: Value, calls: Value) -> Value {
    json!({"type": "ai", "id": "run", "content": content, "additional_kwargs": {},
        "response_metadata": {"model_name": "claude", "finish_reason": "stop"}, "tool_calls": calls})
}

#[test]
fn a_conversation_of_langchain_is_questions_calls_and_answers() {
    let answer = json!([{"type": "text", "text": "Grass is green", "annotations": [{"type": "citation", "url": "https://a.example/", "cited_text": "grass"}]}]);
    let call = json!([{"name": "search", "args": {"query": "grass"}, "id": "t1", "type": "tool_call"}]);
    let tool = json!({"type": "tool", "content": "green", "tool_call_id": "t1", "additional_kwargs": {}, "response_metadata": {}});
    let messages = vec![
        human("What?"),
        ai(json!(""), call),
        tool,
        ai(answer, json!([])),
        human("And?"),
        ai(json!("Nothing."), json!([])),
    ];
    let dicts: Vec<Value> = messages.iter().map(|one| json!({"type": one["type"], "data": one})).collect();
    let state = json!({"messages": messages});
    let lines: String = messages.iter().map(|one| format!("{one}\n")).collect();
    for input in [json!(messages).to_string(), lines, json!(dicts).to_string(), state.to_string()] {
        assert_eq!(
            told(&input),
            ["langchain: 'Grass is green' ['https://a.example/']", "langchain: 'Nothing.' []"]
        );
        let responses = read(&input);
        let first = &responses[0];
        assert_eq!((&first["question"], &first["model"]), (&json!("What?"), &json!("claude")));
        assert_eq!(responses[1]["question"], "And?");
        assert_eq!(first["traces"].as_array().unwrap().len(), 1);
        assert_eq!(
            (&first["traces"][0]["tool"], &first["traces"][0]["results"][0]["text"]),
            (&json!("search"), &json!("green"))
        );
    }
    // Answers alone are responses of their own.
    let alone = ai(json!("One."), json!([]));
    assert_eq!(told(&format!("{alone}\n{alone}\n")), ["langchain: 'One.' []"; 2]);
    assert_eq!(read(&human("What?").to_string())[0]["question"], "What?");
}

#[test]
fn citations_of_anthropic_in_an_older_message_of_langchain_keep_their_documents() {
    let text = |text: &str, cite: Value| json!({"type": "text", "text": text, "citations": [cite]});
    let message = ai(
        json!([
            text("Green", json!({"type": "char_location", "cited_text": "green", "document_index": 0, "document_title": "Grass", "start_char_index": 3, "end_char_index": 8})),
            text("Keys", json!({"type": "search_result_location", "source": "https://k.example/", "title": "Keys", "cited_text": "keys", "search_result_index": 0, "start_block_index": 0, "end_block_index": 1})),
        ]),
        json!([]),
    )
    .to_string();
    assert_eq!(told(&message), ["langchain: 'GreenKeys' ['Grass', 'https://k.example/']"]);
    let location = &read(&message)[0]["supports"][0]["citations"][0]["location"];
    assert_eq!(
        (&location["start"], &location["end"], &location["document"]),
        (&json!(3), &json!(8), &json!(0))
    );
}

/// Of the words that LangChain passes on as cited, those that stand at the offsets are the claim's own, and
/// those of Google always are; all others are the source's, wherever else they stand.
#[test]
fn words_that_langchain_calls_cited_are_those_of_the_source() {
    let text = "Öl since the thirties. Its keeper wrote: \"lit on 3 May 1932\".";
    let message = |start: u32, end: u32, words: &str, extras: Value| {
        let citation = json!({"type": "citation", "url": "https://a.example/", "title": "A", "start_index": start,
            "end_index": end, "cited_text": words, "extras": extras});
        json!({"type": "ai", "content_blocks": [{"type": "text", "text": text, "annotations": [citation]}]})
            .to_string()
    };
    let read = |message: &str| {
        let response = &read(message)[0];
        let support = &response["supports"][0];
        let passages: Vec<String> = response["sources"][0]["chunks"]
            .as_array()
            .map(|chunks| chunks.iter().map(|chunk| chunk["text"].as_str().unwrap().to_owned()).collect())
            .unwrap_or_default();
        (support["start"].as_u64(), support["end"].as_u64(), passages)
    };
    let elsewhere = "lit on 3 May 1932";
    assert_eq!(read(&message(0, 22, elsewhere, json!({}))), (Some(0), Some(23), vec![elsewhere.to_owned()]));
    let own = "Öl since the thirties.";
    for end in [22, 23] {
        // Characters, and bytes.
        assert_eq!(read(&message(0, end, own, json!({}))), (Some(0), Some(23), vec![]));
    }
    // Its own words, the offsets one too low.
    let ruby = "since the thirties.";
    assert_eq!(read(&message(2, 21, ruby, json!({}))), (Some(4), Some(23), vec![]));
    let google = json!({"google_ai_metadata": {"grounding_chunk_index": 0}});
    assert_eq!(read(&message(0, 17, elsewhere, google)), (Some(43), Some(60), vec![]));
}

#[test]
fn ranges_are_claims_only_where_they_end_as_sentences_do() {
    let text = "Käse ist gut. Öl ist auch gut. Brot über alles.";
    let cite = |(start, end): (u32, u32)| json!({"type": "url_citation", "start_index": start, "end_index": end, "url": "https://a.example/", "title": "A"});
    let responses = |places: &[(u32, u32)]| {
        let annotations: Vec<Value> = places.iter().copied().map(cite).collect();
        json!({"object": "response", "id": "r", "status": "completed", "output": [{"type": "message", "content": [{"type": "output_text", "text": text, "annotations": annotations}]}]}).to_string()
    };
    let copied =
        "gateway-unit the ranges are claims, not marks, and fit as UTF-8 bytes: a gateway copied them";
    assert_eq!(rules(&responses(&[(0, 14), (15, 32), (33, 50)])), [copied]);
    // Words in the middle of a sentence are neither claims nor marks.
    let odd = rules(&responses(&[(0, 4), (18, 22)]));
    assert!(!odd.contains(&copied.to_owned()) && odd[0].starts_with("marker-form 2 supports"), "{odd:?}");
}

#[test]
fn the_blank_that_nova_reserves_is_its_mark() {
    let cite = json!({"citationsContent": {"citations": [{"location": {"web": {"url": "https://w.example/a", "domain": "w.example"}}}]}});
    let body = json!({"output": {"message": {"role": "assistant", "content": [{"text": "Sky is blue."}, cite, {"text": "\u{200B} Grass is green."}]}}, "stopReason": "end_turn"}).to_string();
    assert!(rules(&body).iter().all(|rule| !rule.starts_with("text-control")), "{:?}", rules(&body));
    let inline = output(["export", "--to", "inline", "-"], &body);
    assert_eq!(text(&inline.stdout), "Sky is blue.[1](https://w.example/a) Grass is green.\n");
    let elsewhere = body.replace("Grass is", "Grass\u{200B} is");
    assert!(
        rules(&elsewhere).iter().any(|rule| rule.starts_with("text-control 1 character")),
        "{:?}",
        rules(&elsewhere)
    );
}

#[test]
fn events_of_models_in_the_chunks_of_bedrock_are_refused_by_name() {
    // {"type": "message_start"}, {"messageStart":{"role":"assistant"}}
    for bytes in
        ["eyJ0eXBlIjogIm1lc3NhZ2Vfc3RhcnQifQ==", "eyJtZXNzYWdlU3RhcnQiOnsicm9sZSI6ImFzc2lzdGFudCJ9fQ=="]
    {
        let refused = output(["check", "-"], json!({"chunk": {"bytes": bytes}}).to_string());
        assert_eq!(refused.status.code(), Some(2));
        let said = text(&refused.stderr);
        let words = "this looks like a stream of Bedrock's InvokeModel with its events in Base64";
        assert!(said.contains(words), "{said}");
    }
    // {"type": "answer"}
    let agent = json!({"chunk": {"bytes": "eyJ0eXBlIjogImFuc3dlciJ9"}}).to_string();
    assert!(told(&agent)[0].starts_with("bedrock-rag: "), "{:?}", told(&agent));
}

#[test]
fn marks_side_by_side_are_one_support_and_may_repeat_their_word() {
    let body = json!({"answer": "Built [source:a][source:b]. Both [source:a, source:b]. None [source:zz].",
        "sources": [{"id": "a", "title": "A"}, {"id": "b", "title": "B"}]});
    let told = told(&body.to_string());
    assert!(told[0].ends_with(" ['A+B', 'A+B', '-']"), "{told:?}");
}

#[test]
fn a_map_that_was_asked_for_reads_what_a_format_would_claim() {
    let folder = tempfile::tempdir().unwrap();
    let map = folder.path().join("m.toml");
    std::fs::write(&map, "answer = \"choices[0].message.content\"\n[markers]\n[sources]\nlist = \"sources[*]\"\ntitle = \"title\"\n").unwrap();
    let file = folder.path().join("in.json");
    let body = json!({"choices": [{"message": {"content": "One [1]. Two [2]."}}], "sources": [{"title": "A"}, {"title": "B"}]});
    std::fs::write(&file, body.to_string()).unwrap();
    let plain = |map: Option<&std::path::Path>| {
        let mut command = command();
        command
            .args(["export", "--to", "plain"])
            .args(map.map(|map| format!("--map={}", map.display())))
            .arg(&file);
        text(&command.output().unwrap().stdout).to_owned()
    };
    assert_eq!(plain(None), "One [1]. Two [2].\n");
    assert_eq!(plain(Some(&map)), "One[1]. Two[2].\n\n[1] A\n[2] B\n");
    // Found beside the file it reads what nobody else does.
    std::fs::rename(&map, folder.path().join("citescope.toml")).unwrap();
    assert_eq!(plain(None), "One [1]. Two [2].\n");
    // Where it finds no answer, the format is right.
    let other = folder.path().join("other.toml");
    std::fs::write(&other, "answer = \"reply\"\n[sources]\nlist = \"sources[*]\"\n").unwrap();
    assert_eq!(plain(Some(&other)), "One [1]. Two [2].\n");
}

#[test]
fn what_calls_goes_on_whatever_it_says_and_the_last_question_is_a_response() {
    let call = json!([{"name": "search", "args": {"query": "grass"}, "id": "t1", "type": "tool_call"}]);
    let tool = json!({"type": "tool", "content": "green", "tool_call_id": "t1", "additional_kwargs": {}});
    let looks = ai(json!("Let me look. "), call);
    let whole =
        [human("What?"), human("Quick!"), looks.clone(), tool, ai(json!("Green."), json!([])), human("And?")];
    let turn = ["langchain: 'Let me look. Green.' []", "langchain: null []"];
    assert_eq!(told(&json!(whole[1..]).to_string()), turn);
    let state = json!({"messages": whole}).to_string();
    assert_eq!(told(&state), turn);
    let responses = read(&state);
    assert_eq!(
        (&responses[0]["question"], &responses[0]["state"]),
        (&json!("What?\nQuick!"), &json!("complete"))
    );
    assert_eq!((&responses[1]["question"], &responses[1]["state"]), (&json!("And?"), &json!("partial")));
    // A call that nothing answered waits.
    let waits = &read(&json!([human("What?"), looks]).to_string())[0];
    assert_eq!((&waits["state"], &waits["ending"]), (&json!("partial"), &json!("waiting")));
    // A state without what every message has beside its content.
    let bare =
        json!({"messages": [{"type": "human", "content": "What?"}, {"type": "ai", "content": "Green."}]});
    assert_eq!(told(&bare.to_string()), ["langchain: 'Green.' []"]);
}

#[test]
fn a_stream_that_repeats_its_text_takes_room_for_its_marks_once() {
    let piece = "It is so[1]. ";
    let frame = |n: usize| {
        json!({"id": "c", "object": "chat.completion.chunk", "citations": [FOUND[0]], "choices": [{"index": 0,
            "message": {"role": "assistant", "content": piece.repeat(n)}, "delta": {"content": piece}, "finish_reason": null}]})
    };
    let stream: Vec<Value> = (1..=400).map(frame).collect();
    assert_eq!(read(&events(&stream))[0]["supports"].as_array().unwrap().len(), 400);
}

#[test]
fn a_list_of_steps_is_no_list_of_sources_and_what_a_text_cites_is_not_ungrounded() {
    let gemini = |text: &str| {
        json!({"candidates": [{"content": {"parts": [{"text": text}]}, "finishReason": "STOP"}]}).to_string()
    };
    let steps =
        gemini("Steps:\n1. Go to https://a.example and click.\n2. Open https://b.example.\nUse it[1] then.");
    assert!(told(&steps)[0].ends_with(" []"), "{:?}", told(&steps));
    let list = gemini("Ruby is old [1].\n\n[1]: https://r.example/");
    assert_eq!(rules(&list), [""; 0]);
}

/// Requests and responses of Gemini as a proxy logs them, and failed lines of its batches.
#[test]
fn what_a_service_answered_a_request_of_gemini_is_told_where_it_is_an_error() {
    let pair = |more: &str| {
        let line = format!(r#"{{"request": {{"contents": [{{"parts": [{{"text": "q"}}]}}]}}, {more}}}"#);
        let (code, out, _) = run(&["check"], &line);
        (code, out.lines().next().unwrap_or_default().to_owned())
    };
    let failed = |words: &str| (1, format!("error[stream-error]: {words}"));
    let refused = "the service answered with an error, not with a response: Too many (429)";
    let error = r#"{"error": {"code": 429, "message": "Too many"}}"#;
    assert_eq!(pair(&format!(r#""response": {error}"#)), failed(refused));
    assert_eq!(pair(&format!(r#""response": {{"status": 429, "body": {error}}}"#)), failed(refused));
    assert_eq!(
        pair(r#""response": {"status": 503, "body": "upstream connect error"}"#),
        failed("no format here reads the response of this pair")
    );
    assert_eq!(pair(r#""status": "Bad Request: x", "response": {}"#), failed("Bad Request: x"));
    assert_eq!(pair(r#""status": "Bad Request: x""#), failed("Bad Request: x"));
    let (code, first) = pair(
        r#""response": {"candidates": [{"content": {"parts": [{"text": "a"}]}, "finishReason": "STOP"}]}"#,
    );
    assert!(code == 0 && first.starts_with("note[ungrounded]"), "{first}");
}

/// Most integrations of LangChain hand on what their service sends beside the text, under its own names.
#[test]
fn what_langchain_hands_on_beside_the_content_is_read_as_the_service_sends_it() {
    let message = |content: &str, made: Value, beside: Value| json!({"type": "ai", "id": "run", "content": content, "response_metadata": made, "additional_kwargs": beside});
    let chunks = json!([{"web": {"uri": "https://a.example/", "title": "a"}}, {"web": {"uri": "https://b.example/", "title": "b"}}]);
    let google = |keys: [&str; 2], index: usize| {
        let segment = json!({"end_index": 21, "text": "Zürich liegt am See."});
        let support = json!({"segment": segment, "grounding_chunk_indices": [index]});
        json!({keys[0]: {"grounding_chunks": chunks, "grounding_supports": [support]}, "finish_reason": "STOP", keys[1]: []})
    };
    let text = "Zürich liegt am See. Käse.";
    let snake = google(["grounding_metadata", "safety_ratings"], 1);
    let camel = google(["groundingMetadata", "safetyRatings"], 1);
    for message in [message(text, snake.clone(), json!({})), message(text, json!({}), camel)] {
        let message = message.to_string();
        assert_eq!(told(&message), ["langchain: 'Zürich liegt am See. Käse.' ['https://b.example/']"]);
        let support = &read(&message)[0]["supports"][0];
        assert_eq!((&support["start"], &support["end"]), (&json!(0), &json!(21)));
        assert!(
            rules(&message).iter().all(|rule| rule.starts_with("source-unused")),
            "{:?}",
            rules(&message)
        );
    }
    let dangling = message(text, google(["grounding_metadata", "x"], 2), json!({})).to_string();
    assert!(rules(&dangling).iter().any(|rule| rule.starts_with("source-index 1 support cites index 2")));
    // The last chunk of a stream has it; of Perplexity's the first.
    let chunk = |content: &str, made: &Value, beside: &Value| json!({"type": "AIMessageChunk", "id": "run", "content": content, "response_metadata": made, "additional_kwargs": beside});
    let (none, list) = (json!({}), json!({"citations": ["https://a.example/", "https://b.example/"]}));
    let stream =
        |frames: [Value; 2]| frames.iter().map(|frame| format!("data: {frame}\n\n")).collect::<String>();
    let of_google = stream([
        chunk("Zürich liegt ", &json!({"grounding_metadata": {}}), &none),
        chunk("am See.", &snake, &none),
    ]);
    assert_eq!(read(&of_google)[0]["supports"][0]["end"], 21);
    let stop = json!({"finish_reason": "stop"});
    let of_perplexity = stream([chunk("It is [2]. ", &none, &list), chunk("So [1].", &stop, &none)]);
    for input in [of_perplexity, message("It is [2]. So [1].", stop, list).to_string()] {
        let inline = output(["export", "--to", "inline", "-"], &input);
        let expected = "It is[2](https://b.example/). So[1](https://a.example/).\n";
        assert_eq!(crate::common::program::text(&inline.stdout), expected);
        assert_eq!(rules(&input), [""; 0]);
    }
    // Cohere's, and OpenAI's.
    let document = json!({"type": "document", "id": "doc-0", "document": {"id": "doc-0", "title": "T", "text": "A tower."}});
    let cite = json!({"start": 4, "end": 9, "text": "tower", "sources": [document], "type": "TEXT_CONTENT"});
    let cohere = message("The tower is tall.", json!({}), json!({"citations": [cite]})).to_string();
    let support = &read(&cohere)[0]["supports"][0];
    assert_eq!((&support["start"], &support["end"]), (&json!(4), &json!(9)));
    let mark = "It is ([a](https://a.example/)).";
    let cite = json!({"type": "url_citation", "url_citation": {"start_index": 7, "end_index": 30, "url": "https://a.example/", "title": "a"}});
    let openai = message(mark, json!({}), json!({"annotations": [cite]})).to_string();
    assert_eq!(read(&openai)[0]["supports"][0]["citations"].as_array().unwrap().len(), 1);
}

/// Each text of a message may bring its own grounding metadata, which counts over that text.
#[test]
fn metadata_of_one_text_of_several_counts_over_that_text() {
    let grounded = |text: &str, index: u32| {
        let uri = format!("https://vertexaisearch.cloud.google.com/grounding-api-redirect/{}", text.len());
        let metadata = json!({"groundingChunks": [{"web": {"uri": uri, "title": "uefa.com"}}],
            "groundingSupports": [{"segment": {"endIndex": text.len(), "text": text}, "groundingChunkIndices": [index]}]});
        json!({"type": "text", "text": text, "providerMetadata": {"google": {"groundingMetadata": metadata}}})
    };
    let message = |parts: Value| json!({"id": "m", "role": "assistant", "parts": parts}).to_string();
    let lead = json!({"type": "text", "text": "Let me search."});
    let one = message(json!([lead, {"type": "step-start"}, grounded("France lost.", 0)]));
    // Redirects are no deception, either.
    assert_eq!(run(&["check", "--fail-on", "warning", "--ignore", "coverage-low"], &one).0, 0);
    assert_eq!(run(&["fix"], &one).1.trim(), one);
    let both = |index| message(json!([grounded("Spain won.", 0), grounded("France lost.", index)]));
    let (_, out, _) = run(&["export", "--to", "inline"], &both(0));
    assert!(out.starts_with("Spain won.[1](") && out.contains(")France lost.[2]("), "{out}");
    let (code, out, _) = run(&["check"], &both(5));
    assert_eq!(code, 1);
    assert!(out.contains("error[source-index]"), "{out}");
}

/// Agents send metadata in a last event without text.
#[test]
fn metadata_of_an_agent_behind_its_text_is_of_that_text() {
    let event = |name: &str, author: &str, more: Value| {
        let mut event = json!({"name": name, "author": author, "invocationId": "e-1", "timestamp": "2026-05-04T09:12:01Z", "actions": {}});
        event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        event
    };
    let text = |author| {
        event("e1", author, json!({"content": {"role": "model", "parts": [{"text": "Lit in 1932."}]}}))
    };
    let metadata = |quote: &str| {
        json!({"groundingChunks": [{"web": {"uri": FOUND[0], "title": "a"}}],
            "groundingSupports": [{"segment": {"endIndex": 12, "text": quote}, "groundingChunkIndices": [0]}]})
    };
    let last = |author, quote| {
        event(
            "e2",
            author,
            json!({"eventMetadata": {"turnComplete": true, "groundingMetadata": metadata(quote)}}),
        )
    };
    let session = |events: &[Value]| json!({"sessionEvents": events}).to_string();
    let right = session(&[text("guide"), last("guide", "Lit in 1932.")]);
    assert_eq!(told(&right), ["agent-events: 'Lit in 1932.' ['https://a.example/1']"]);
    assert_eq!(rules(&right), [""; 0]);
    assert_eq!(read(&right)[0]["traces"][0]["title"], "event by guide");
    let wrong = session(&[text("guide"), last("guide", "Lit in 1899.")]);
    assert_eq!(
        rules(&wrong),
        [
            "quote-gone support 1 has a quote that is nowhere in the answer (sent 0..12, answer 0..12, in UTF-8 bytes)"
        ]
    );
    // Before the text it is another response, and checked against that of its turn.
    let before = session(&[last("guide", "Lit in 1899."), text("guide")]);
    assert_eq!(
        rules(&before),
        ["quote-gone the response has no text of its own, and its quote stands in none of its turn"]
    );
    assert_eq!(
        rules(&session(&[last("guide", "Lit in 1932."), text("guide")])),
        ["text-other-event 1 of 1 quote stand in the text of response 2 of this record, none in this one"]
    );
    // Another's metadata says nothing of it.
    let ungrounded = "ungrounded no grounding metadata: the model answered without search";
    let other =
        "text-other-event 1 of 1 quote stand in the text of response 1 of this record, none in this one";
    assert_eq!(rules(&session(&[text("guide"), last("scribe", "Lit in 1932.")])), [ungrounded, other]);
    assert_eq!(rules(&session(&[text("guide"), last("scribe", "Lit in 1899.")])), [ungrounded]);
    // Metadata of the last piece speaks for the whole.
    let piece = event(
        "e0",
        "guide",
        json!({"partial": true, "content": {"role": "model", "parts": [{"text": "Lit in 1932."}]}, "groundingMetadata": metadata("Lit in 1932.")}),
    );
    assert!(!rules(&session(&[piece, text("guide")])).iter().any(|rule| rule.starts_with("ungrounded")));
}

#[test]
fn the_event_that_an_agent_sent_is_read_where_what_was_stored_of_it_says_less() {
    let raw = json!({"id": "x", "author": "guide", "invocationId": "e", "timestamp": 1_778_230_801.1,
        "content": {"role": "model", "parts": [{"text": "Lit in 1932."}]},
        "groundingMetadata": {"groundingChunks": [{"web": {"uri": FOUND[0], "title": "a"}}],
            "groundingSupports": [{"segment": {"endIndex": 12, "text": "Lit in 1899."}, "groundingChunkIndices": [0]}]}});
    let stored = |more: Value| {
        let mut event = json!({"name": "events/1", "author": "guide", "invocationId": "e", "timestamp": "2026-05-04T09:12:04Z", "rawEvent": raw});
        event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({"sessionEvents": [event]}).to_string()
    };
    let gone = "quote-gone support 1 has a quote that is nowhere in the answer (sent 0..12, answer 0..12, in UTF-8 bytes)";
    for input in [
        stored(json!({})),
        stored(json!({"content": {"role": "model", "parts": [{"text": "Lit in 1932."}]}})),
    ] {
        assert_eq!(rules(&input), [gone]);
        assert_eq!(read(&input)[0]["id"], "events/1");
    }
    // How it ended stands in what was sent alone.
    let mut ended = raw.clone();
    ended["finish_reason"] = json!("MAX_TOKENS");
    let whole = json!({"sessionEvents": [{"name": "events/1", "author": "guide", "invocationId": "e", "timestamp": "2026-05-04T09:12:04Z",
        "content": raw["content"], "eventMetadata": {"groundingMetadata": {}}, "rawEvent": ended}]});
    assert!(rules(&whole.to_string()).iter().any(|rule| rule.starts_with("answer-cut")));
    // What was stored with its metadata is the event.
    let right = json!({"content": raw["content"], "eventMetadata": {"groundingMetadata": {
        "groundingChunks": [{"web": {"uri": FOUND[0], "title": "a"}}],
        "groundingSupports": [{"segment": {"endIndex": 12, "text": "Lit in 1932."}, "groundingChunkIndices": [0]}]}}});
    assert_eq!(rules(&stored(right)), [""; 0]);
}
