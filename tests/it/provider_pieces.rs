//! What is kept of responses rather than responses: conversations, messages and items alone, streams whose
//! pieces repeat the text so far, inputs that break off, what gateways leave of others' citations.

use serde_json::{Value, json};

use crate::common::library::{export, open, read};
use crate::common::program::run;

/// Format, state, question, answer and what each support cites, of each response.
fn told(input: &str) -> Vec<String> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let of = |response: &Value| {
        let supports = list(&response["supports"]);
        let cites = supports.iter().map(|support| {
            let cited = list(&support["citations"]);
            cited.iter().map(|one| one["source"].as_u64().map_or(-1, |n| n as i64)).collect::<Vec<_>>()
        });
        let word = |key: &str| response[key].as_str().unwrap_or("-").to_owned();
        let cites: Vec<Vec<i64>> = cites.collect();
        format!("{} {} {}: {} {cites:?}", word("format"), word("state"), word("question"), word("answer"))
    };
    read(input).iter().map(of).collect()
}

fn rules(input: &str) -> Vec<String> {
    let reviews: Vec<_> = open("f", input).reviews().map(Result::unwrap).collect();
    let findings = reviews.iter().flat_map(|review| review.findings());
    findings.map(|finding| format!("{} {}", finding.rule.id, finding.message)).collect()
}

fn lines(frames: &[Value]) -> String {
    frames.iter().map(|frame| format!("{frame}\n")).collect()
}

const LINKED: &str = "It opened in 1932 ([rio.example](https://rio.example/a)).";

fn cited() -> Value {
    json!({"type": "char_location", "cited_text": "The grass is green. ", "document_index": 0,
        "document_title": "Lawns", "start_char_index": 0, "end_char_index": 20})
}

#[test]
fn what_was_asked_before_a_response_is_its_question() {
    let anthropic = json!({"id": "m", "type": "message", "role": "assistant", "model": "c",
        "content": [{"type": "text", "text": "Green", "citations": [cited()]}], "stop_reason": "end_turn"});
    let asked = json!({"role": "user", "content": "Which colour?"});
    let system = json!({"role": "system", "content": "Be brief."});
    let expected = ["anthropic-messages complete Which colour?: Green [[0]]"];
    assert_eq!(told(&json!([system, asked, anthropic]).to_string()), expected);
    assert_eq!(told(&lines(&[system, asked.clone(), anthropic.clone()])), expected);
    // As conversations keep an answer, and with the document that was asked about.
    let document = json!({"role": "user", "content": [
        {"type": "document", "title": "Lawns", "source": {"type": "text", "media_type": "text/plain", "data": "The grass is blue today. Really."}},
        {"type": "text", "text": "Which colour?"}]});
    let kept =
        json!({"role": "assistant", "content": [{"type": "text", "text": "Green", "citations": [cited()]}]});
    let both = json!([document, kept, asked, kept]).to_string();
    assert_eq!(told(&both), [expected[0], expected[0]]);
    assert!(rules(&both)[0].starts_with("source-text-mismatch "), "{:?}", rules(&both));
    // Questions alone are no response.
    let session = open("f", json!([asked, asked]).to_string());
    assert!(session.decode(0).err().unwrap().to_string().contains("one message of a chat"));
}

#[test]
fn messages_and_items_alone_are_read_as_what_they_are_of() {
    let flat = json!({"type": "url_citation", "start_index": 18, "end_index": 56, "url": "https://rio.example/a", "title": "Rio"});
    let nested = json!({"type": "url_citation", "url_citation": {"start_index": 18, "end_index": 56, "url": "https://rio.example/a", "title": "Rio"}});
    let expected = |format: &str| vec![format!("{format} complete -: {LINKED} [[0]]")];
    let chat = json!({"role": "assistant", "content": LINKED, "annotations": [nested]});
    assert_eq!(told(&chat.to_string()), expected("chat-completions"));
    for annotation in [&flat, &nested] {
        let message = json!({"id": "m", "type": "message", "role": "assistant", "status": "completed",
            "content": [{"type": "output_text", "text": LINKED, "annotations": [annotation]}]});
        assert_eq!(told(&message.to_string()), expected("openai-responses"));
        let call = json!({"id": "ws", "type": "web_search_call", "status": "completed", "action": {"type": "search", "query": "rio"}});
        let output = json!([call, message]).to_string();
        assert_eq!(told(&output), expected("openai-responses"));
        assert_eq!(read(&output)[0]["queries"][0]["text"], "rio");
        assert!(rules(&output).is_empty(), "{:?}", rules(&output));
    }
    let converse = json!({"role": "assistant", "content": [{"text": "Sure: "}, {"citationsContent": {
        "content": [{"text": "it is blue"}], "citations": [{"title": "Facts", "source": "", "sourceContent": [{"text": "It is blue."}],
        "location": {"documentChar": {"documentIndex": 0, "start": 0, "end": 11}}}]}}]});
    assert_eq!(told(&converse.to_string()), ["bedrock-converse complete -: Sure: it is blue [[0]]"]);
    // A source without a name is the document of the request.
    assert_eq!(read(&converse.to_string())[0]["sources"][0]["kind"], "request");
    let talk = json!({"conversation_id": "c", "outputs": [
        {"type": "tool.execution", "name": "web_search", "id": "t", "arguments": "{\"query\": \"euro\"}"},
        {"type": "message.output", "content": [{"type": "text", "text": "Spain"}, {"type": "tool_reference", "title": "UEFA", "url": "https://uefa.example/"}]}]});
    assert_eq!(told(&talk.to_string()), ["mistral complete -: Spain [[0]]"]);
}

/// The pieces of a text, each repeating those before it.
const GROWING: [&str; 3] = ["It is", "It is old", "It is old."];

#[test]
fn of_pieces_that_repeat_the_text_so_far_the_last_is_the_answer() {
    let three = |of: &dyn Fn(&str) -> Value| GROWING.iter().map(|text| of(text)).collect::<Vec<_>>();
    let wrap = |first: Value, pieces: Vec<Value>, last: Value| {
        lines(&std::iter::once(first).chain(pieces).chain([last]).collect::<Vec<_>>())
    };
    let responses = wrap(
        json!({"type": "response.created", "response": {"id": "r", "object": "response", "status": "in_progress", "output": []}}),
        three(
            &|text| json!({"type": "response.output_text.delta", "output_index": 0, "content_index": 0, "delta": text}),
        ),
        json!({"type": "response.output_text.done", "output_index": 0, "content_index": 0, "text": "It is old."}),
    );
    let cohere = wrap(
        json!({"type": "message-start", "id": "m"}),
        three(
            &|text| json!({"type": "content-delta", "index": 0, "delta": {"message": {"content": {"type": "text", "text": text}}}}),
        ),
        json!({"type": "message-end", "delta": {"finish_reason": "COMPLETE"}}),
    );
    let vercel = wrap(
        json!({"type": "start", "messageId": "m"}),
        three(&|text| json!({"type": "text-delta", "id": "t", "delta": text})),
        json!({"type": "finish"}),
    );
    let converse = wrap(
        json!({"messageStart": {"role": "assistant"}}),
        three(&|text| json!({"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": text}}})),
        json!({"messageStop": {"stopReason": "end_turn"}}),
    );
    let interactions = wrap(
        json!({"event_type": "interaction.start", "interaction": {"id": "i"}}),
        three(
            &|text| json!({"event_type": "content.delta", "index": 0, "delta": {"type": "text", "text": text}}),
        ),
        json!({"event_type": "interaction.complete", "interaction": {"id": "i", "status": "completed"}}),
    );
    let mistral = wrap(
        json!({"type": "conversation.response.started", "conversation_id": "c"}),
        three(&|text| json!({"type": "message.output.delta", "content": text})),
        json!({"type": "conversation.response.done"}),
    );
    let retrieve = lines(&three(&|text| json!({"output": {"text": text}})));
    for stream in [responses, cohere, vercel, converse, interactions, mistral, retrieve] {
        assert_eq!(read(&stream)[0]["answer"], "It is old.", "{stream}");
        let resent = rules(&stream).into_iter().filter(|rule| rule.starts_with("stream-cumulative ")).count();
        assert_eq!(resent, 1, "{stream}: {:?}", rules(&stream));
        assert!(rules(&stream).iter().all(|rule| !rule.starts_with("text-edited")), "{stream}");
    }
}

#[test]
fn a_stream_of_lines_that_breaks_off_in_a_line_is_one_stream_cut_off() {
    let whole = lines(&[
        json!({"messageStart": {"role": "assistant"}}),
        json!({"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": "It is old. It is red."}}}),
        json!({"messageStop": {"stopReason": "end_turn"}}),
    ]);
    let second = whole.find("{\"contentBlockDelta\"").unwrap();
    for cut in second + 2..whole.len() - 2 {
        let told = told(&whole[..cut]);
        assert_eq!(told.len(), 1, "{}", &whole[..cut]);
        assert!(told[0].starts_with("bedrock-converse truncated -: "), "{told:?}");
    }
    // Behind a stream that has ended a line that breaks off is something else.
    let more = format!("{whole}{{\"contentBl");
    let session = open("f", more);
    assert_eq!((session.len(), session.decode(1).is_err()), (2, true));
}

#[test]
fn gateways_leave_citations_beside_the_message() {
    let supported = |words: &str| {
        let mut cite = cited();
        cite["supported_text"] = words.into();
        cite
    };
    let message = json!({"role": "assistant", "content": "So the grass is green and the sky is blue.",
        "provider_specific_fields": {"citations": [[supported("the grass is green")], [supported("the sky is blue")]]}});
    let chat = |message: &Value| json!({"id": "c", "object": "chat.completion", "model": "m", "choices": [{"index": 0, "finish_reason": "stop", "message": message}]});
    let litellm = read(&chat(&message).to_string());
    let place =
        |n: usize| (litellm[0]["supports"][n]["start"].as_u64(), litellm[0]["supports"][n]["end"].as_u64());
    assert_eq!([place(0), place(1)], [(Some(3), Some(21)), (Some(26), Some(41))]);
    assert_eq!(litellm[0]["sources"][0]["title"], "Lawns");
    // Gemini's grounding counts bytes, whoever hands it on.
    let mut gemini = chat(&json!({"role": "assistant", "content": "Die Brücke öffnete 1932. Sie ist grün."}));
    gemini["vertex_ai_grounding_metadata"] = json!([{"webSearchQueries": ["brücke"],
        "groundingChunks": [{"web": {"uri": "https://a.example/1", "title": "a.example"}}],
        "groundingSupports": [{"segment": {"startIndex": 0, "endIndex": 26, "text": "Die Brücke öffnete 1932."}, "groundingChunkIndices": [0]}]}]);
    let gemini = read(&gemini.to_string());
    assert_eq!((&gemini[0]["supports"][0]["end"], &gemini[0]["fit"]["unit"]), (&26.into(), &"bytes".into()));
    // What the service itself searched.
    let mut zai = chat(&json!({"role": "assistant", "content": "Ruby is old[ref_1]. Fun[ref_2]."}));
    zai["web_search"] = json!([{"refer": "ref_1", "title": "A", "link": "https://a.example", "content": "Ruby is old."},
        {"refer": "ref_2", "title": "B", "link": "https://b.example", "content": "Fun"}]);
    assert_eq!(
        told(&zai.to_string()),
        ["chat-completions complete -: Ruby is old[ref_1]. Fun[ref_2]. [[0], [1]]"]
    );
    let groq = chat(&json!({"role": "assistant", "content": "Rust is out【1】.", "executed_tools": [
        {"index": 0, "type": "search", "arguments": "{\"query\": \"rust\"}", "search_results": {"results": [
            {"title": "A", "url": "https://a.example", "content": "Rust is out.", "score": 0.9}]}}]}));
    assert_eq!(told(&groq.to_string()), ["chat-completions complete -: Rust is out【1】. [[0]]"]);
    assert_eq!(read(&groq.to_string())[0]["queries"][0]["text"], "rust");
}

#[test]
fn annotations_of_another_part_are_told_and_not_repaired() {
    let piece = |text: &str, annotations: Value| json!({"type": "output_text", "text": text, "annotations": annotations});
    let annotation = json!({"type": "url_citation", "start_index": 18, "end_index": 56, "url": "https://rio.example/a", "title": "Rio"});
    let body = json!({"id": "r", "object": "response", "status": "completed", "output": [{"type": "message", "role": "assistant",
        "content": [piece("Intro.\n", json!([annotation])), piece(LINKED, json!([]))]}]});
    let session = open("f", body.to_string());
    let reviews = session.decode(0).unwrap();
    let repairs = reviews[0].repairs();
    assert!(repairs.edits.is_empty(), "{repairs:?}");
    assert_eq!(
        repairs.refused[0].1.words(),
        "its mark stands in another part of the content, which offsets cannot name"
    );
    assert_eq!(
        rules(&body.to_string()),
        [
            "marker-form support 1 names a range that holds no mark; its claim is that of the link to its source (sent 18..56, shown 25..63, answer 0..64, in characters)"
        ]
    );
}

#[test]
fn a_link_with_a_name_keeps_its_words() {
    let text = "Try [Ellary Inn](https://inn.example), which has 12 rooms, or [Gull House](https://gull.example/) by the sea. It is old. [Gull House](https://gull.example/)";
    let message = json!({"id": "u", "role": "assistant", "parts": [
        {"type": "source-url", "sourceId": "s1", "url": "https://inn.example", "title": "Ellary Inn"},
        {"type": "source-url", "sourceId": "s2", "url": "https://gull.example/", "title": "Gull House"},
        {"type": "text", "text": text}]})
    .to_string();
    let session = open("f", message.as_str());
    let review = &session.decode(0).unwrap()[0];
    let claims: Vec<&str> =
        review.supports().filter_map(|support| review.text().get(support.range()?)).collect();
    assert_eq!(
        claims,
        [
            "[Ellary Inn](https://inn.example), which has 12 rooms, or",
            "[Gull House](https://gull.example/) by the sea.",
            "It is old."
        ]
    );
    let (_, exported, _) = run(&["export", "--to", "footnotes"], &message);
    let expected = "Try [Ellary Inn](https://inn.example), which has 12 rooms, or[^1] [Gull House](https://gull.example/) by the sea.[^2] It is old.[^2]\n";
    assert!(exported.starts_with(expected), "{exported}");
}

#[test]
fn ends_in_two_ways_are_told_where_a_service_has_either() {
    let cite = |text: &str, start: u32, end: u32| {
        json!({"generatedResponsePart": {"textResponsePart": {"text": text, "span": {"start": start, "end": end}}},
        "retrievedReferences": [{"content": {"text": text}, "location": {"type": "S3", "s3Location": {"uri": "s3://b/1.pdf"}}}]})
    };
    let body = |first: u32, second: u32| {
        json!({"sessionId": "s", "output": {"text": "It opens at nine. It closes at ten."},
            "citations": [cite("It opens at nine.", 0, first), cite("It closes at ten.", 18, second)]})
        .to_string()
    };
    let told = "offset-inclusive ends are counted in two ways: 1 names the first unit after the segment, 1 names its last";
    assert_eq!((rules(&body(16, 34)), rules(&body(17, 35))), (vec![], vec![]));
    assert_eq!((rules(&body(16, 35)), rules(&body(17, 34))), (vec![told.to_owned()], vec![told.to_owned()]));
}

#[test]
fn documents_of_earlier_turns_are_not_those_of_this_one() {
    let document = |title: &str, text: &str| {
        json!({"role": "user", "content": [
            {"type": "document", "title": title, "source": {"type": "text", "media_type": "text/plain", "data": text}},
            {"type": "text", "text": "So?"}]})
    };
    let answer = |title: &str, quote: &str| {
        json!({"role": "assistant", "content": [{"type": "text", "text": "So.", "citations": [
            {"type": "char_location", "cited_text": quote, "document_index": 0, "document_title": title, "start_char_index": 0, "end_char_index": 24}]}]})
    };
    let lines = lines(&[
        document("First", "Pisa lies on the Arno it."),
        answer("First", "Pisa lies on the Arno it"),
        document("Second", "Milan lies north of Pisa."),
        answer("First", "Pisa lies on the Arno it"),
    ]);
    assert!(!rules(&lines).iter().any(|rule| rule.starts_with("source-text")), "{:?}", rules(&lines));
}

#[test]
fn what_stands_behind_a_question_is_repaired_like_any_other() {
    let annotation = json!({"type": "url_citation", "url_citation": {"start_index": 17, "end_index": 55, "url": "https://rio.example/a", "title": "Rio"}});
    let answer = json!({"role": "assistant", "content": LINKED, "annotations": [annotation]});
    for input in [json!([answer]), json!([{"role": "user", "content": "When?"}, answer])] {
        let (_, fixed, errors) = run(&["fix"], &input.to_string());
        assert!(fixed.contains("\"start_index\":18,\"end_index\":56"), "{fixed}{errors}");
    }
}

#[test]
fn calls_and_what_came_of_them_are_one_output_and_calls_of_others_none() {
    let output = json!([
        {"role": "user", "content": "Rio?"},
        {"id": "rs", "type": "reasoning", "summary": []},
        {"id": "fc", "type": "function_call", "call_id": "c", "name": "look", "arguments": "{}", "status": "completed"},
        {"type": "function_call_output", "call_id": "c", "output": "found"},
        {"id": "m", "type": "message", "role": "assistant", "status": "completed", "content": [{"type": "output_text", "text": "It is.", "annotations": []}]}]);
    assert_eq!(told(&output.to_string()), ["openai-responses complete Rio?: It is. []"]);
    let sales = json!({"type": "sales_call", "id": 7, "status": "done"}).to_string();
    assert!(open("f", sales).decode(0).is_err());
}

#[test]
fn references_of_ones_own_are_ids_or_places_and_never_both() {
    let body = |ids: [u32; 3], marks: &str| {
        let sources: Vec<Value> =
            ids.iter().map(|id| json!({"id": id, "title": format!("T{id}"), "text": "It is old."})).collect();
        json!({"answer": marks, "sources": sources}).to_string()
    };
    // Two of three are ids, and all are places: places explain more.
    assert_eq!(
        told(&body([1, 7, 9], "One [1]. Two [2]. Three [3]."))[0].rsplit(": ").next().unwrap(),
        "One [1]. Two [2]. Three [3]. [[0], [1], [2]]"
    );
    assert_eq!(
        told(&body([4, 5, 6], "One [4]. Two [6]. Three [1]."))[0].rsplit(": ").next().unwrap(),
        "One [4]. Two [6]. Three [1]. [[0], [2], [-1]]"
    );
    // Spans count from 0 and marks from 1, in one answer, too; where 1 to the last fits only, from 1.
    let spans = |refs: [u32; 2]| {
        let spans: Vec<Value> = refs.iter().map(|at| json!({"start": 0, "end": 7, "source": at})).collect();
        json!({"text": "It is old.", "spans": spans, "sources": [{"title": "A", "text": "x"}, {"title": "B", "text": "y"}]}).to_string()
    };
    assert!(told(&spans([0, 1]))[0].ends_with("[[0], [1]]"), "{:?}", told(&spans([0, 1])));
    assert!(told(&spans([1, 2]))[0].ends_with("[[0], [1]]"), "{:?}", told(&spans([1, 2])));
    // What is called a summary, with references, is no answer by itself.
    let advisory =
        json!({"summary": "A flaw in x", "references": [{"type": "WEB", "url": "https://x.example"}]});
    assert!(open("f", advisory.to_string()).decode(0).is_err());
}

#[test]
fn arguments_in_pieces_are_one_and_masked_as_one() {
    let call = |pieces: [&str; 3]| {
        let start = json!({"event_type": "step.start", "index": 0, "step": {"type": "function_call", "id": "c", "name": "login", "arguments": {}}});
        let piece = |piece: &str| json!({"event_type": "step.delta", "index": 0, "delta": {"type": "arguments_delta", "arguments": piece}});
        let said =
            json!({"event_type": "step.delta", "index": 1, "delta": {"type": "text", "text": "Hi there."}});
        let created =
            json!({"event_type": "interaction.created", "interaction": {"id": "v", "object": "interaction"}});
        let ended =
            json!({"event_type": "interaction.completed", "interaction": {"id": "v", "status": "completed"}});
        let frames = [vec![created, start], pieces.map(piece).to_vec(), vec![said, ended]].concat();
        let stream: String = frames.iter().map(|frame| format!("data: {frame}\n\n")).collect();
        read(&stream)[0].clone()
    };
    let arguments = |pieces| call(pieces)["traces"][0]["arguments"].clone();
    assert_eq!(
        arguments(["{\"city\": \"Lis", "bon\", \"days\"", ": 3}"]),
        json!({"city": "Lisbon", "days": 3})
    );
    let secret = call(["{\"user\":\"bob\",\"pass", "word\":\"correct-", "horse\"}"]).to_string();
    assert!(secret.contains("bob") && !secret.contains("correct-") && !secret.contains("horse"), "{secret}");
}

/// A stream of AWS's may have no event that ends it: where it breaks off is told by its framing.
#[test]
fn a_binary_stream_that_breaks_off_in_a_message_says_so() {
    let message = |name: &str, payload: &Value| {
        let (payload, mut headers) = (payload.to_string(), Vec::new());
        headers.extend([11u8]);
        headers.extend(b":event-type");
        headers.extend([7, 0, name.len() as u8]);
        headers.extend(name.as_bytes());
        let mut out = ((16 + headers.len() + payload.len()) as u32).to_be_bytes().to_vec();
        out.extend((headers.len() as u32).to_be_bytes());
        for more in [&[][..], &headers, payload.as_bytes()] {
            out.extend(more);
            if out.len() == 8 || more.len() == payload.len() {
                let mut crc = flate2::Crc::new();
                crc.update(&out);
                out.extend(crc.sum().to_be_bytes());
            }
        }
        out
    };
    let output = |text: &str| message("output", &json!({"text": text}));
    let stream = [output("The tower is tall. "), output("It was built in 1937.")].concat();
    for (less, answer) in [
        (0, "The tower is tall. It was built in 1937."),
        (12, "The tower is tall. It was built in"),
        (60, "The tower is tall. "),
    ] {
        let input = &stream[..stream.len() - less];
        let out = crate::common::program::output(["check", "--format", "json", "--fail-on", "never"], input);
        let told = String::from_utf8(out.stdout).unwrap();
        assert_eq!(told.contains("stream-truncated"), less > 0, "{less}: {told}");
        let out = crate::common::program::output(["export", "--to", "json"], input);
        let read: Value = serde_json::from_slice(&out.stdout).unwrap_or_else(|_| panic!("{out:?}"));
        assert_eq!(read["responses"][0]["answer"], answer, "{less}");
    }
}

/// In fields that no model has a place for, whatever the spelling of the keys above them.
#[test]
fn a_credential_that_the_pieces_of_any_field_hold_together_is_masked() {
    let pieces = ["The user gave the pass", "word: ", "zQ7bdkzX", "XGB3L85", " and wants", " more."];
    let langchain = |field: &str, piece: &str| json!({"type": "AIMessageChunk", "id": "run-1", "content": "", "response_metadata": {}, "additional_kwargs": {field: piece}});
    let chat = |field: &str, piece: &str| json!({"object": "chat.completion.chunk", "id": "c", "choices": [{"index": 0, "delta": {"provider_specific_fields": {field: piece}, field: piece}}]});
    for field in ["reasoning_content", "reasoning_text", "thinking", "anything"] {
        for frame in [langchain, chat] {
            let stream: String =
                pieces.iter().map(|piece| format!("data: {}\n\n", frame(field, piece))).collect();
            let told = export(open("f", stream.as_str()), false).0;
            assert!(!told.contains("zQ7bdkzX") && !told.contains("XGB3L85"), "{field}: {told}");
            // Without a name before it, it is none.
            let plain = stream.replace("pass\"", "key\"").replace("word: ", "note ");
            assert!(export(open("f", plain.as_str()), false).0.contains("zQ7bdkzX"), "{field}");
        }
    }
    let arguments = ["{\"ap", "i_key\": \"", "zQ7bdkzX", "XGB3L85\"}"];
    let call = |piece: &str| {
        let call = json!({"index": 0, "function": {"name": "f", "arguments": piece}});
        json!({"type": "AIMessageChunk", "id": "run-1", "content": "", "response_metadata": {}, "additional_kwargs": {"tool_calls": [call]}})
    };
    let lines: String = arguments.iter().map(|piece| format!("{}\n", call(piece))).collect();
    let told = export(open("f", lines.as_str()), false).0;
    assert!(!told.contains("zQ7bdkzX") && !told.contains("XGB3L85"), "{told}");
}

#[test]
fn a_credential_in_the_thoughts_of_one_agent_is_masked_though_another_speaks_between() {
    let thought = |author: &str, text: &str| {
        json!({"author": author, "invocationId": "i", "timestamp": 1, "partial": true, "branch": format!("par.{author}"),
            "content": {"role": "model", "parts": [{"text": text, "thought": true}]}})
    };
    let (one, other) =
        (["run --p", "assword ", "zQ7bdkzX", "XGB3L85 now"], ["harm", "less ", "note ", "harm"]);
    let turns = one.iter().zip(other).flat_map(|(one, other)| [thought("a", one), thought("b", other)]);
    let stream: String = turns.map(|event| format!("data: {event}\n\n")).collect();
    let told = export(open("f", stream.as_str()), false).0;
    assert!(!told.contains("zQ7bdkzX") && !told.contains("XGB3L85"), "{told}");
}

#[test]
fn a_credential_in_a_step_of_a_plan_is_masked() {
    let frame = |message: Value| format!("data: {}\n\n", json!({"chat_id": "c", "message": message}));
    let steps = json!([{"description": "run --password zQ7bdkzXXGB3L85 now", "status": "COMPLETED"}]);
    let stream = frame(json!({"type": "PLANNING", "plan": {"title": "x", "steps": steps}}))
        + &frame(json!({"type": "ANSWER", "content": "Rio opens."}))
        + &frame(json!({"type": "COMPLETE"}));
    let told = export(open("f", stream.as_str()), false).0;
    assert!(!told.contains("zQ7bdkzX") && told.contains("run --password masked now"), "{told}");
}

#[test]
fn a_credential_in_one_of_two_texts_that_come_by_turns_is_masked() {
    let (one, other) =
        (["run --p", "assword ", "zQ7bdkzX", "XGB3L85 now"], ["harm", "less ", "note ", "harm"]);
    let stream = |frame: &dyn Fn(usize, &str) -> Value| -> String {
        let turns = one.iter().zip(other).flat_map(|(one, other)| [frame(0, one), frame(1, other)]);
        turns.map(|event| format!("data: {event}\n\n")).collect()
    };
    let thoughts = stream(
        &|which, text| json!({"chat_id": "c", "message": {"type": "THINKING", "message_id": format!("m{which}"), "content": text}}),
    );
    let summaries = stream(&|which, text| {
        json!({"type": "response.reasoning_summary_text.delta", "item_id": "rs", "output_index": 0,
            "summary_index": which, "sequence_number": 1, "delta": text})
    });
    // Nor does a name of its own for each piece hide one.
    let mut number = 0;
    let named: String = one
        .iter()
        .map(|text| {
            number += 1;
            let event = json!({"type": "response.reasoning_summary_text.delta", "item_id": format!("rs{number}"),
                "output_index": 0, "summary_index": 0, "sequence_number": number, "delta": text});
            format!("data: {event}\n\n")
        })
        .collect();
    for stream in [&thoughts, &summaries, &named] {
        let told = export(open("f", stream.as_str()), false).0;
        assert!(!told.contains("zQ7bdkzX") && !told.contains("XGB3L85"), "{told}");
    }
    let read = &read(&thoughts)[0];
    let told: Vec<&str> =
        read["traces"].as_array().unwrap().iter().map(|one| one["thought"].as_str().unwrap()).collect();
    assert_eq!(told, ["run --password masked now", "harmless note harm"]);
}

/// Where the supports before come again, too, all of it was sent again: an index beyond it dangles.
#[test]
fn a_dangling_index_in_metadata_that_is_sent_again_is_no_reason_to_double_its_sources() {
    let chunk = |name: &str| json!({"web": {"uri": format!("https://{name}.example/"), "title": name}});
    let first = json!({"segment": {"endIndex": 8, "text": "Ab is x."}, "groundingChunkIndices": [0]});
    let further = |index: i32| json!({"segment": {"startIndex": 9, "endIndex": 17, "text": "Cd is y."}, "groundingChunkIndices": [index]});
    let stream = |before: &[&str], supports: Vec<Value>| {
        let chunks = |names: &[&str]| names.iter().map(|name| chunk(name)).collect::<Vec<_>>();
        let frame = |text: &str, chunks: Vec<Value>, supports: Vec<Value>, end: Option<&str>| {
            json!({"candidates": [{"content": {"role": "model", "parts": [{"text": text}]}, "finishReason": end,
                "groundingMetadata": {"groundingChunks": chunks, "groundingSupports": supports}}], "responseId": "r"})
        };
        let one = frame("Ab is x. ", chunks(before), vec![first.clone()], None);
        let two = frame("Cd is y.", chunks(&["a", "b"]), supports, Some("STOP"));
        let read = read(&format!("data: {one}\n\ndata: {two}\n\n")).remove(0);
        let all = |list: &str, key: &str| {
            read[list]
                .as_array()
                .unwrap()
                .iter()
                .map(|one| one[key].as_str().unwrap().to_owned())
                .collect::<Vec<_>>()
        };
        (all("sources", "title"), all("findings", "rule"))
    };
    for before in [["a"].as_slice(), &["a", "b"]] {
        let (titles, told) = stream(before, vec![first.clone(), further(2)]);
        assert_eq!(titles, ["a", "b"], "{before:?}");
        assert!(told.contains(&"source-index".to_owned()), "{told:?}");
    }
    // A draft of its own numbers its sources on.
    let (titles, told) = stream(&["a", "b"], vec![further(2)]);
    assert_eq!(titles, ["a", "b", "a", "b"]);
    assert!(!told.contains(&"source-index".to_owned()), "{told:?}");
}

#[test]
fn copies_of_the_pieces_of_a_credential_and_what_is_cut_behind_them_are_masked() {
    let begun = r#"{"type": "AIMessageChunk", "id": "r", "content": "", "tool_call_chunks": [{"name": "n", "args": "{\"api_key\": \"", "id": "t", "index": 0}]}"#;
    let piece = json!({"name": null, "args": "zQ7bdkzXXGB3L85", "id": null, "index": 0});
    let copy = json!({"name": null, "args": "zQ7bdkzXXGB3L85", "id": null, "error": null});
    let twice = json!({"type": "AIMessageChunk", "id": "r", "content": "", "invalid_tool_calls": [copy], "tool_call_chunks": [piece]});
    let last = json!({"type": "AIMessageChunk", "id": "r", "content": "Hi.", "response_metadata": {"finish_reason": "stop"}});
    let cut = r#"{"type": "AIMessageChunk", "id": "r", "content": "", "tool_call_chunks": [{"name": null, "args": "zQ7bdkzXXGB3L85", "id": nu"#;
    for input in [format!("{begun}\n{twice}\n{last}\n"), format!("{begun}\n{cut}")] {
        let shown = Value::from(read(&input)).to_string();
        assert!(shown.contains("masked") && !shown.contains("zQ7"), "{shown}");
    }
}

#[test]
fn the_calls_of_a_message_may_come_by_turns() {
    let piece = |index: usize, id: Option<&str>, args: &str| {
        json!({"type": "AIMessageChunk", "id": "r", "content": "",
            "tool_call_chunks": [{"name": id.map(|_| "n"), "args": args, "id": id, "index": index}]})
    };
    let pieces = [
        piece(0, Some("a"), "{\"q\": "),
        piece(1, Some("b"), "{\"q\": "),
        piece(0, None, "1}"),
        piece(1, None, "2}"),
    ];
    let traces = &read(&lines(&pieces))[0]["traces"];
    assert_eq!((&traces[0]["arguments"], &traces[1]["arguments"]), (&json!({"q": 1}), &json!({"q": 2})));
}
