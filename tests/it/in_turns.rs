//! Streams that come in turns, in lines and arrays as in events: each goes on by its id.

use serde_json::{Value, json};

use crate::common::library::read;
use crate::common::program::run;

/// A piece of a message of LangChain.
fn langchain(id: &str, index: Option<u8>, text: &str, url: Option<&str>, last: bool) -> Value {
    let mut block = json!({"type": "text", "text": text});
    if let Some(url) = url {
        block["annotations"] = json!([{"type": "citation", "url": url, "title": "t"}]);
    }
    if let Some(index) = index {
        block["index"] = json!(index);
    }
    let made = if last { json!({"finish_reason": "stop"}) } else { json!({}) };
    json!({"type": "AIMessageChunk", "id": id, "content": [block], "additional_kwargs": {}, "response_metadata": made})
}

fn gemini(id: &str, text: &str, end: bool) -> Value {
    let mut candidate = json!({"content": {"parts": [{"text": text}]}});
    if end {
        candidate["finishReason"] = json!("STOP");
    }
    json!({"responseId": id, "candidates": [candidate]})
}

fn chat(id: &str, text: &str, end: bool) -> Value {
    let finish = if end { json!("stop") } else { json!(null) };
    json!({"id": id, "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"content": text}, "finish_reason": finish}]})
}

/// The same frames as lines, as values one after another, as an array and as events.
fn containers(frames: &[Value]) -> [String; 4] {
    let with =
        |before: &str, behind: &str| frames.iter().map(|frame| format!("{before}{frame}{behind}")).collect();
    [with("", "\n"), with("", " "), json!(frames).to_string(), with("data: ", "\n\n")]
}

fn answers(input: &str) -> Vec<String> {
    read(input).iter().map(|response| response["answer"].as_str().unwrap_or_default().to_owned()).collect()
}

/// Each piece was a response of its own, of LangChain without a finding.
#[test]
fn two_streams_in_turns_are_two_responses() {
    let of = |piece: fn(&str, &str, bool) -> Value| {
        [("a", "Alpha "), ("b", "Beta "), ("a", "one. "), ("b", "one. "), ("a", "End."), ("b", "Bye.")]
            .map(|(id, text)| piece(id, text, text.ends_with('.') && text != "one. "))
    };
    let message = |id: &str, text: &str, end: bool| langchain(id, Some(0), text, None, end);
    for piece in [gemini, chat, message] {
        for input in containers(&of(piece)) {
            assert_eq!(answers(&input), ["Alpha one. End.", "Beta one. Bye."], "{input}");
            let (code, out, _) = run(&["check", "-"], &input);
            assert!(code == 0 && !out.contains("stream-truncated"), "{out}");
        }
    }
}

/// A message that came whole stands between the pieces of a stream; its usage comes behind its end.
#[test]
fn what_is_whole_or_nothing_parts_no_stream() {
    let usage =
        json!({"id": "a", "object": "chat.completion.chunk", "choices": [], "usage": {"total_tokens": 9}});
    let whole = json!({"id": "w", "object": "chat.completion", "choices": [{"index": 0, "message": {"role": "assistant", "content": "Whole."}, "finish_reason": "stop"}]});
    let frames = [chat("a", "One ", false), whole.clone(), chat("a", "two.", true), whole, usage];
    for input in containers(&frames) {
        assert_eq!(answers(&input), ["One two.", "Whole.", "Whole."], "{input}");
    }
}

/// A stream waits over 32 frames of others; one that begins again with its id is another.
#[test]
fn a_stream_waits_so_long_and_no_longer() {
    let between = |count: usize| {
        let mut frames = vec![chat("a", "One ", false)];
        frames.extend((0..count).map(|n| chat(&format!("o{n}"), "Other.", true)));
        frames.push(chat("a", "two.", true));
        let lines: String = frames.iter().map(|frame| format!("{frame}\n")).collect();
        answers(&lines)
    };
    let waited = between(32);
    assert_eq!((waited.len(), waited[0].as_str()), (33, "One two."));
    let given_up = between(33);
    assert_eq!((given_up.len(), given_up[0].as_str(), given_up[34].as_str()), (35, "One ", "two."));
    let frames = [chat("a", "One.", true), chat("b", "Other.", true), chat("a", "One.", true)];
    assert_eq!(answers(&containers(&frames)[0]), ["One.", "Other.", "One."]);
}

/// Without an index the library keeps blocks apart: all that was said so far became the claim.
#[test]
fn a_cited_block_without_an_index_is_a_claim_of_its_own() {
    let url = Some("https://a.example/");
    let claims = |frames: &[Value]| {
        let input: String = frames.iter().map(|frame| format!("{frame}\n")).collect();
        let of = |response: &Value| {
            let answer = response["answer"].as_str().unwrap().to_owned();
            let supports = response["supports"].as_array().unwrap().iter();
            let at = |support: &Value, key: &str| support[key].as_u64().unwrap() as usize;
            let words = supports.map(|support| answer[at(support, "start")..at(support, "end")].to_owned());
            (answer.clone(), words.collect::<Vec<_>>())
        };
        read(&input).iter().map(of).collect::<Vec<_>>()
    };
    let piece = |text: &str, url, last| langchain("m", None, text, url, last);
    let told = claims(&[
        piece("It is ", None, false),
        piece("old. ", None, false),
        piece("Lit in 1932.", url, false),
        piece(" Bye.", None, true),
    ]);
    assert_eq!(told, [("It is old. Lit in 1932. Bye.".to_owned(), vec!["Lit in 1932.".to_owned()])]);
    // What comes behind the words, alone, is of these.
    let told = claims(&[piece("Lit in 1932.", None, false), piece("", url, true)]);
    assert_eq!(told, [("Lit in 1932.".to_owned(), vec!["Lit in 1932.".to_owned()])]);
}

/// Candidates of Gemini without an id: the end of the second is none of the first.
#[test]
fn a_further_candidate_that_ends_first_parts_nothing() {
    let piece = |index: u8, text: &str, end: bool| {
        let mut frame = gemini("", text, end);
        frame["candidates"][0]["index"] = json!(index);
        frame.as_object_mut().unwrap().remove("responseId");
        frame
    };
    let frames = [piece(0, "Well. ", false), piece(1, "Noon.", true), piece(0, "At nine.", true)];
    for input in containers(&frames) {
        assert_eq!(answers(&input), ["Well. At nine.", "Noon."], "{input}");
    }
}

/// A stream of Mistral's Conversations: its events have no id of all of it, chunks of chat completions do.
#[test]
fn conversations_of_mistral_are_parted_by_nothing() {
    let delta = |id: &str, content: Value| json!({"type": "message.output.delta", "id": id, "content_index": 0, "role": "assistant", "content": content});
    let cites = |url: &str| json!({"type": "tool_reference", "tool": "web_search", "title": "t", "url": url});
    let started = json!({"type": "conversation.response.started", "conversation_id": "c"});
    let done = json!({"type": "conversation.response.done", "usage": {}});
    // What a chunk of a chat left of it was half the sentence, without a finding.
    let frames = [
        started.clone(),
        delta("m1", json!("Dogs ")),
        chat("x", "Cats stay.", true),
        delta("m1", json!("ride free.")),
        delta("m1", cites("https://a.example/")),
        done.clone(),
    ];
    for input in containers(&frames) {
        assert_eq!(answers(&input), ["Dogs ride free.", "Cats stay."], "{input}");
        assert_eq!(read(&input)[0]["supports"][0]["end"], 15);
    }
    // Each message is put together by its id.
    let frames = [
        started,
        delta("m1", json!("Dogs ")),
        delta("m2", json!("Cats ")),
        delta("m1", json!("ride free.")),
        delta("m2", json!("stay home.")),
        delta("m1", cites("https://a.example/")),
        delta("m2", cites("https://b.example/")),
        done,
    ];
    for input in containers(&frames) {
        let responses = read(&input);
        assert_eq!(responses[0]["answer"], "Dogs ride free.Cats stay home.", "{input}");
        let supports = responses[0]["supports"].as_array().unwrap().iter();
        let places: Vec<_> =
            supports.map(|support| (support["start"].clone(), support["end"].clone())).collect();
        assert_eq!(places, [(json!(0), json!(15)), (json!(15), json!(30))]);
    }
}

/// Without ids they were one in an event stream, and what the second cites was the source of the first.
#[test]
fn answers_of_gemini_that_came_whole_are_one_response_each() {
    let answer = |host: &str, text: &str, metadata: bool| {
        let mut candidate = gemini("r", text, true)["candidates"][0].clone();
        if metadata {
            candidate["groundingMetadata"] = json!({"groundingChunks": [{"web": {"uri": format!("https://{host}.example")}}],
                "groundingSupports": [{"segment": {"startIndex": 0, "endIndex": text.len()}, "groundingChunkIndices": [0]}]});
        }
        json!({"candidates": [candidate]})
    };
    for cited in [true, false] {
        let both = [answer("a", "It is lit.", true), answer("b", "We open at nine.", cited)];
        for input in containers(&both) {
            assert_eq!(answers(&input), ["It is lit.", "We open at nine."], "{input}");
        }
        let done = format!("data: {}\n\ndata: [DONE]\n\ndata: {}\n\n", both[0], both[1]);
        assert_eq!(answers(&done), ["It is lit.", "We open at nine."]);
    }
    // Older models said of each frame that it is the last; what grounds the answer came with that.
    let frames = [answer("a", "It is ", false), answer("a", "lit.", false)];
    assert_eq!(answers(&containers(&frames)[3]), ["It is lit."]);
}

/// A chunk in which OpenAI's `resp_…` stands by itself was an answer that breaks off, and annotations that
/// come behind their text were said to lack it.
#[test]
fn chunks_of_langchain_over_openai_are_one_message() {
    let chunk = |id: &str, content: Value, more: Value| {
        let mut chunk = json!({"type": "AIMessageChunk", "id": id, "content": content, "additional_kwargs": {}, "response_metadata": {}, "tool_call_chunks": []});
        chunk.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        chunk
    };
    let message = |number: u8, words: [&str; 2]| {
        let run = format!("lc_run--{number}");
        let of = |content: Value| chunk(&run, content, json!({}));
        let cited = json!([{"type": "url_citation", "url": "https://a.example", "title": "A", "start_index": 0, "end_index": 11}]);
        vec![
            chunk(
                &format!("resp_{number}"),
                json!([]),
                json!({"response_metadata": {"id": format!("resp_{number}")}}),
            ),
            of(
                json!([{"type": "web_search_call", "id": "ws", "status": "completed", "action": {"type": "search", "query": "q"}, "index": 0}]),
            ),
            chunk(&format!("msg_{number}"), json!([]), json!({})),
            of(json!([{"type": "text", "text": words[0], "index": 1}])),
            of(json!([{"type": "text", "text": words[1], "index": 1}])),
            of(json!([{"type": "text", "annotations": cited, "index": 1}])),
            of(json!([{"type": "text", "id": "msg", "index": 1}])),
            chunk(
                &run,
                json!([]),
                json!({"response_metadata": {"status": "completed"}, "chunk_position": "last"}),
            ),
        ]
    };
    for input in containers(&[message(1, ["It is ", "open."]), message(2, ["It is ", "shut."])].concat()) {
        let responses = read(&input);
        let told = |response: &Value| {
            let cites = &response["supports"][0]["citations"];
            (response["id"].clone(), response["answer"].clone(), cites.as_array().map_or(0, Vec::len))
        };
        let expected = [("resp_1", "It is open."), ("resp_2", "It is shut.")]
            .map(|(id, answer)| (json!(id), json!(answer), 1));
        assert_eq!(responses.iter().map(told).collect::<Vec<_>>(), expected, "{input}");
        let (code, out, _) = run(&["check", "-"], &input);
        assert!(code == 0 && !out.contains("value-type"), "{out}");
    }
}

/// What has no id goes on with nothing behind `[DONE]`, nor behind an end where somebody begins to speak: the
/// first answer was given the sources of the second.
#[test]
fn streams_without_ids_end_where_they_say_so() {
    let frame = |host: &str, delta: Value, finish: Value| {
        let frame = json!({"object": "chat.completion.chunk", "citations": [format!("https://{host}.example/")],
            "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]});
        format!("data: {frame}\n\n")
    };
    let (none, stop, done) = (Value::Null, json!("stop"), "data: [DONE]\n\n");
    let first = |host: &str| frame(host, json!({"role": "assistant", "content": ""}), none.clone());
    let said = |host: &str, text: &str| frame(host, json!({"content": text}), none.clone());
    let end = |host: &str| frame(host, json!({}), stop.clone());
    let whole = |host: &str, text: &str| frame(host, json!({"content": text}), stop.clone());
    let pieces = |host: &str, text: &str| [first(host), said(host, text), end(host)].concat();
    for input in [
        [pieces("a", "One.[1]"), pieces("b", "Two.[1]")].concat(),
        [pieces("a", "One.[1]"), done.into(), pieces("b", "Two.[1]"), done.into()].concat(),
        [whole("a", "One.[1]"), done.into(), whole("b", "Two.[1]")].concat(),
        [said("a", "One.[1]"), done.into(), said("b", "Two.[1]")].concat(),
    ] {
        let told = |response: &Value| (response["answer"].clone(), response["sources"][0]["uri"].clone());
        let expected = [("One.[1]", "https://a.example/"), ("Two.[1]", "https://b.example/")];
        let expected = expected.map(|(answer, uri)| (json!(answer), json!(uri)));
        assert_eq!(read(&input).iter().map(told).collect::<Vec<_>>(), expected, "{input}");
    }
}

/// Some services give a message the id that OpenAI gives a chunk without words.
#[test]
fn chunks_of_langchain_with_words_go_by_whatever_id_they_have() {
    let piece = |id: &str, text: &str, last: bool| {
        let position = if last { json!("last") } else { Value::Null };
        json!({"type": "AIMessageChunk", "id": id, "content": text, "additional_kwargs": {}, "chunk_position": position})
    };
    let stream = |id: &str, words: [&str; 2]| {
        [piece(id, "", false), piece(id, words[0], false), piece(id, words[1], false), piece(id, "", true)]
    };
    for name in ["resp", "msg", "run-"] {
        let of = |number: u8, words: [&str; 2]| stream(&format!("{name}_{number}"), words);
        for input in containers(&[of(1, ["It is ", "open."]), of(2, ["It is ", "shut."])].concat()) {
            assert_eq!(answers(&input), ["It is open.", "It is shut."], "{input}");
        }
    }
}

#[test]
fn chunks_of_langchain_without_ids_end_with_the_last_one() {
    let piece = |text: &str, host: &str, last: bool| {
        let mut piece = json!({"type": "AIMessageChunk", "content": text, "additional_kwargs": {"citations": [format!("https://{host}.example/")]},
            "response_metadata": {"model_provider": "perplexity"}});
        if last {
            piece["chunk_position"] = json!("last");
        }
        piece
    };
    let stream = |host: &str| {
        [piece("Ten words", host, false), piece(" here [1].", host, false), piece("", host, true)]
    };
    for input in containers(&[stream("a"), stream("b")].concat()) {
        let told = |response: &Value| (response["answer"].clone(), response["sources"][0]["uri"].clone());
        let expected = ["https://a.example/", "https://b.example/"]
            .map(|uri| (json!("Ten words here [1]."), json!(uri)));
        assert_eq!(read(&input).iter().map(told).collect::<Vec<_>>(), expected, "{input}");
    }
}
