//! What an answer lost, or holds twice, on the way here: things in the place of its parts, claims and sources
//! that are none, and pieces of a stream that came twice.

use serde_json::{Value, json};

use crate::common::library::{open, read};

/// Messages of the findings of a rule.
fn told(rule: &str, input: &str) -> Vec<String> {
    let reviews: Vec<_> = open("f", input).reviews().map(Result::unwrap).collect();
    let findings = reviews.iter().flat_map(|review| review.findings());
    findings.filter(|finding| finding.rule.id == rule).map(|finding| finding.message.clone()).collect()
}

/// A response with something beside a part, a claim or a source, and the place of that.
fn with(thing: &Value) -> Vec<(Value, &'static str)> {
    let text = "Rio opens at nine.";
    let gemini = |parts: Value, supports: Value| {
        json!({"candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "groundingMetadata": {
            "groundingChunks": [{"web": {"uri": "https://rio.example/", "title": "rio"}}], "groundingSupports": supports}}]})
    };
    let support = json!({"segment": {"endIndex": 18, "text": text}, "groundingChunkIndices": [0]});
    let claim = json!({"startPos": 0, "endPos": 18, "claimText": text, "citationIndices": [0]});
    let annotation = json!({"type": "url_citation", "start_index": 0, "end_index": 18, "url": "https://rio.example/", "title": "rio"});
    vec![
        (gemini(json!([{"text": text}, thing]), json!([support])), "$.candidates[0].content.parts[1]"),
        (
            gemini(json!([{"text": text}]), json!([support, thing])),
            "$.candidates[0].groundingMetadata.groundingSupports[1]",
        ),
        (
            json!({"type": "message", "role": "assistant", "content": [{"type": "text", "text": text}, thing], "stop_reason": "end_turn"}),
            "$.content[1]",
        ),
        (
            json!({"supportScore": 1, "citedChunks": [{"chunkText": text, "source": "0"}], "claims": [claim, thing]}),
            "$.claims[1]",
        ),
        (
            json!({"supportScore": 1, "citedChunks": [{"chunkText": text, "source": "0"}, thing], "claims": [claim]}),
            "$.citedChunks[1]",
        ),
        (
            json!({"output": {"message": {"role": "assistant", "content": [{"text": text}, thing]}}, "stopReason": "end_turn"}),
            "$.output.message.content[1]",
        ),
        (
            json!({"object": "response", "id": "r", "status": "completed", "output": [{"type": "message", "role": "assistant",
                "content": [{"type": "output_text", "text": text, "annotations": [annotation, thing]}]}]}),
            "$.output[0].content[0].annotations[1]",
        ),
        (
            json!({"answer": {"answerText": text, "state": "SUCCEEDED", "references": [{"chunkInfo": {"content": text}}, thing],
                "citations": [{"startIndex": "0", "endIndex": "18", "sources": [{"referenceId": "0"}]}]}}),
            "$.answer.references[1]",
        ),
    ]
}

#[test]
fn what_is_no_part_no_claim_and_no_source_is_told_with_its_place() {
    for (thing, words) in [
        (json!({"x": {"text": "It closes at ten."}}), "an object without any documented field: not used"),
        (json!(null), "null where an object is documented: not used"),
    ] {
        for (response, place) in with(&thing) {
            let told = told("value-type", &response.to_string());
            assert_eq!(told, [format!("{words} at {place}")], "{response}");
        }
    }
    let wrapped = json!({"candidates": [{"content": {"parts": [{"text": "Rio opens at nine."}]}, "finishReason": "STOP",
        "groundingMetadata": {"value": {"groundingSupports": []}}}]});
    let words = "an object without any documented field: not used at $.candidates[0].groundingMetadata";
    assert_eq!(told("value-type", &wrapped.to_string()), [words]);
}

#[test]
fn a_text_without_its_words_is_told() {
    let cited = json!([{"type": "char_location", "cited_text": "Rio opens at nine.", "document_index": 0}]);
    let anthropic = json!({"type": "message", "role": "assistant", "stop_reason": "end_turn",
        "content": [{"type": "text", "text": null, "citations": cited}]});
    let openai = json!({"object": "response", "id": "r", "status": "completed", "output": [{"type": "message",
        "role": "assistant", "content": [{"type": "output_text", "annotations": []}]}]});
    for (response, place) in [(anthropic, "$.content[0]"), (openai, "$.output[0].content[0]")] {
        let words = format!("a text without its words: not used at {place}");
        assert_eq!(told("value-type", &response.to_string()), [words]);
    }
}

#[test]
fn sources_that_are_not_named_or_not_listed_are_told() {
    let text = "Rio opens at nine.";
    let anthropic = |content: Value| json!({"type": "message", "role": "assistant", "content": content, "stop_reason": "end_turn"});
    let langchain = |sources: Value| {
        json!({"content_blocks": [{"type": "server_tool_call", "id": "w", "name": "web_search", "args": {"query": "q"}},
            {"type": "server_tool_result", "tool_call_id": "w", "status": "success", "output": {"sources": sources}},
            {"type": "text", "text": text}]})
    };
    let cited = json!({"type": "char_location", "cited_text": text, "document_index": null, "document_title": "Rio",
        "start_char_index": 0, "end_char_index": 18});
    let searched = json!({"type": "web_search_tool_result", "tool_use_id": "t", "content": "[{\"url\": \"https://rio.example/\"}]"});
    let listed = "no source where one is documented: not used at $.contentBlocks[1].output.sources";
    for (response, words) in [
        (
            anthropic(json!([{"type": "text", "text": text, "citations": [cited]}])),
            "a citation that does not say of what at $.content[0].citations[0]".to_owned(),
        ),
        (
            anthropic(json!([searched, {"type": "text", "text": text}])),
            "text where results are documented: no sources are read from it at $.content[0].content"
                .to_owned(),
        ),
        (langchain(json!([null])), format!("{listed}[0]")),
        (
            langchain(json!([{"url": "https://a.example"}, {"source": {"url": "https://rio.example/"}}])),
            format!("{listed}[1]"),
        ),
        (langchain(json!("https://rio.example/")), listed.replace("source where one", "list where one")),
    ] {
        assert_eq!(told("value-type", &response.to_string()), [words], "{response}");
    }
    let addresses = langchain(json!(["https://rio.example/"])).to_string();
    let review = open("f", addresses).reviews().next().unwrap().unwrap();
    assert_eq!(review.response.sources[0].uri.as_deref(), Some("https://rio.example/"));
}

#[test]
fn what_is_documented_and_has_no_words_is_left_alone() {
    let gemini = |part: Value| json!({"candidates": [{"content": {"parts": [{"text": "Nine."}, part]}, "finishReason": "STOP"}]});
    let converse = |block: Value| json!({"output": {"message": {"role": "assistant", "content": [{"text": "Nine."}, block]}}, "stopReason": "end_turn"});
    for response in [
        gemini(json!({"thoughtSignature": "c2ln"})),
        gemini(json!({"file_data": {"fileUri": "gs://b/f"}})),
        gemini(json!({})),
        json!({"type": "message", "role": "assistant", "content": [{"type": "text", "text": ""}], "stop_reason": "end_turn"}),
        converse(json!({"cachePoint": {"type": "default"}})),
        converse(json!({"image": {"format": "png"}})),
    ] {
        assert_eq!(told("value-type", &response.to_string()), [""; 0], "{response}");
    }
}

#[test]
fn a_piece_that_came_twice_in_the_middle_of_a_sentence_is_told() {
    let piece = " on the bank of the river, where boats have landed since the year 1200,";
    let stream = |pieces: &[&str]| -> String {
        let frame = |(at, text): (usize, &&str)| {
            let mut candidate = json!({"content": {"role": "model", "parts": [{"text": text}]}});
            if at + 1 == pieces.len() {
                candidate["finishReason"] = json!("STOP");
            }
            format!("data: {}\n\n", json!({"responseId": "r", "candidates": [candidate]}))
        };
        pieces.iter().enumerate().map(frame).collect()
    };
    let twice = stream(&["The old town lies", piece, piece, " and grew."]);
    let words = "the answer says again from byte 88 on what it said before: “on the bank of the river, where boats have landed since the…”";
    assert_eq!(told("draft-repeated", &twice), [words]);
    // It is told of what was exported, too.
    let exported = format!("{}\n", json!({"schema": "citescope/1", "responses": read(&twice)}));
    assert_eq!(told("draft-repeated", &exported), [words]);
    assert_eq!(told("draft-repeated", &stream(&["The old town lies", piece, " and grew."])), [""; 0]);
    // Lines of code may be alike.
    let line = "    { name = \"x\", title = \"a name of more than sixty-four bytes of its own\" },\n";
    assert_eq!(told("draft-repeated", &stream(&["So it is:\n\n```\n", line, line, "```\n"])), [""; 0]);
    assert_eq!(told("draft-repeated", &stream(&["Ha", " ha", " ha", " ha", "."])), [""; 0]);
}

/// Metadata one object deeper, or with its lists right in the candidate: "the model answered without search",
/// was said of it.
#[test]
fn metadata_of_google_is_read_where_it_was_moved_to() {
    let lists = json!({"groundingChunks": [{"web": {"uri": "https://a.example/"}}],
        "groundingSupports": [{"segment": {"endIndex": 12, "text": "Lit in 1932."}, "groundingChunkIndices": [0]}]});
    let sent = |candidate: Value, beside: Value| {
        let mut own = json!({"content": {"parts": [{"text": "Lit in 1932. Ok."}]}, "finishReason": "STOP"});
        own.as_object_mut().unwrap().extend(candidate.as_object().unwrap().clone());
        let mut all = json!({"candidates": [own]});
        all.as_object_mut().unwrap().extend(beside.as_object().unwrap().clone());
        all.to_string()
    };
    for input in [
        sent(json!({"metadata": {"groundingMetadata": lists}}), json!({})),
        sent(lists.clone(), json!({})),
        sent(json!({"grounding": lists}), json!({})),
        sent(json!({}), json!({"metadata": {"groundingMetadata": lists}})),
    ] {
        let response = &read(&input)[0];
        assert_eq!(
            (&response["supports"][0]["end"], &response["sources"][0]["uri"]),
            (&json!(12), &json!("https://a.example/")),
            "{input}"
        );
        assert!(told("ungrounded", &input).is_empty());
    }
    assert_eq!(told("ungrounded", &sent(json!({}), json!({}))).len(), 1);
}

/// Metadata of what was asked, said before or given back by tools: it was taken for the answer's where a
/// quote of it stands in that, and `fix` moved its offsets there.
#[test]
fn metadata_of_another_text_is_left_to_that() {
    let said = "Built by Ana in 1932.";
    let of_it = json!({"groundingChunks": [{"web": {"uri": "https://a.example/"}}],
        "groundingSupports": [{"segment": {"endIndex": 21, "text": said}, "groundingChunkIndices": [0]}]});
    let turn = json!({"role": "model", "parts": [{"text": said}], "groundingMetadata": of_it});
    let answer = format!("I am sure. {said}");
    let parts = json!([{"text": answer}]);
    let gemini = |parts: &Value| json!({"candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP"}]});
    let message = json!({"role": "assistant", "content": answer});
    let chat = json!({"object": "chat.completion", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]});
    let kept = json!({"role": "assistant", "content": said, "extra_content": {"google": {"groundingMetadata": of_it}}});
    let called =
        json!({"functionResponse": {"name": "f", "response": {"answer": said, "groundingMetadata": of_it}}});
    let mut before = gemini(&json!([{"text": said}]));
    before["candidates"][0]["groundingMetadata"] = of_it.clone();
    let thought = json!({"thought": true, "text": said, "groundingMetadata": of_it});
    let tool = json!({"type": "tool-result", "toolCallId": "t", "toolName": "s", "output": {"text": said, "providerMetadata": {"google": {"groundingMetadata": of_it}}}});
    let block = json!({"type": "tool_result", "tool_use_id": "t", "content": [{"type": "text", "text": said}], "groundingMetadata": of_it});
    let text = json!({"type": "text", "text": answer});
    let mut beside = gemini(&parts);
    beside["automaticFunctionCallingHistory"] = json!([turn]);
    for input in [
        json!({"request": {"contents": [turn]}, "response": gemini(&parts)}),
        json!({"request": {"messages": [kept]}, "response": chat}),
        json!({"reference": before, "response": gemini(&parts)}),
        gemini(&json!([called, {"text": answer}])),
        gemini(&json!([thought, {"text": answer}])),
        json!({"content": [tool, text], "finishReason": "stop"}),
        json!({"type": "message", "role": "assistant", "content": [block, text], "stop_reason": "end_turn"}),
        beside,
    ] {
        let input = input.to_string();
        let response = &read(&input)[0];
        assert_eq!((&response["answer"], &response["supports"]), (&json!(answer), &json!([])), "{input}");
        assert!(told("citations-unread", &input).is_empty(), "{input}");
    }
    // Without quotes it is of the words that it stands with alone; of what else nothing says so: it is told,
    // and not said that there is none.
    let bare = json!({"groundingChunks": [{"web": {"uri": "https://a.example/"}}],
        "groundingSupports": [{"segment": {"endIndex": 4}, "groundingChunkIndices": [0]}]});
    let mut part = parts[0].clone();
    part["groundingMetadata"] = bare.clone();
    let cited = &read(&gemini(&json!([part])).to_string())[0];
    assert_eq!(cited["supports"][0]["end"], 4, "{cited}");
    let input = json!({"reference": [{"groundingMetadata": bare}], "response": gemini(&parts)}).to_string();
    let words = "grounding metadata where none is documented: nothing says that it is of this answer";
    assert_eq!(
        (told("citations-unread", &input), told("ungrounded", &input).len()),
        (vec![words.to_owned()], 0)
    );
}

/// Where SDKs and proxies put Google's metadata, it is of the words beside it or of the stream before it,
/// though it has no quotes; that of a tool, of a former answer and of a draft is not.
#[test]
fn metadata_without_quotes_is_of_the_words_that_it_stands_with() {
    let text = "Zürich liegt am See. Käse.";
    let bare = || {
        json!({"groundingChunks": [{"web": {"uri": "https://a.example/", "title": "a"}}],
            "groundingSupports": [{"segment": {"startIndex": 0, "endIndex": 21}, "groundingChunkIndices": [0]}]})
    };
    let google = || json!({"google": {"groundingMetadata": bare()}});
    let choice = |fields: Value| {
        json!({"object": "chat.completion", "choices": [{"index": 0, "finish_reason": "stop",
            "message": {"role": "assistant", "content": text, "provider_specific_fields": fields}}]})
        .to_string()
    };
    let piece = |delta: Value, finish: Value| json!({"object": "chat.completion.chunk", "id": "c", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]});
    let frame = |text: &str, finish: Value| json!({"candidates": [{"content": {"role": "model", "parts": [{"text": text}]}, "finishReason": finish}]});
    let sse = |frames: &[&[Value]]| -> String {
        frames.concat().iter().map(|frame| format!("data: {frame}\n\n")).collect()
    };
    let ui = [
        json!({"type": "start"}),
        json!({"type": "text-start", "id": "0"}),
        json!({"type": "text-delta", "id": "0", "delta": "Zürich liegt"}),
        json!({"type": "text-delta", "id": "0", "delta": " am See. Käse."}),
    ];
    let (end, finish) = (json!({"type": "text-end", "id": "0"}), json!({"type": "finish"}));
    let mut ended = end.clone();
    ended["providerMetadata"] = google();
    let mut finished = finish.clone();
    finished["messageMetadata"] = google();
    let tool =
        json!({"type": "tool-output-available", "toolCallId": "t", "output": {"providerMetadata": google()}});
    let chat = [
        piece(json!({"role": "assistant", "content": "Zürich liegt"}), json!(null)),
        piece(json!({"content": " am See. Käse."}), json!(null)),
    ];
    let gemini = [frame("Zürich liegt", json!(null)), frame(" am See. Käse.", json!("STOP"))];
    let alone = [json!({"groundingMetadata": bare()})];
    let fields = |metadata: Value| json!({"provider_specific_fields": {"grounding_metadata": metadata}});
    let inline = |input: &str| {
        crate::common::program::run(&["export", "--to", "inline", "-"], input).1.trim_end().to_owned()
    };
    let cited = "Zürich liegt am See.[1](https://a.example/) Käse.";
    for input in [
        choice(json!({"grounding_metadata": bare()})),
        choice(json!({"grounding_metadata": [bare()]})),
        json!({"content": [{"type": "text", "text": text, "providerMetadata": google()}], "finishReason": "stop"}).to_string(),
        json!({"id": "m", "role": "assistant", "parts": [{"type": "text", "text": text, "providerMetadata": google()}]}).to_string(),
        sse(&[&ui, &[ended, finish.clone()]]),
        sse(&[&ui, &[end.clone(), finished]]),
        sse(&[&chat, &[piece(fields(bare()), json!("stop"))]]),
        sse(&[&chat, &[piece(fields(json!([bare()])), json!("stop"))]]),
        sse(&[&gemini, &alone]),
        sse(&[&gemini, &[bare()]]),
        sse(&[&chat, &alone]),
        json!([gemini[0], gemini[1], alone[0]]).to_string(),
    ] {
        assert_eq!(inline(&input), cited, "{input}");
        assert!(told("ungrounded", &input).is_empty() && told("fragment", &input).is_empty(), "{input}");
    }
    for input in [
        choice(json!({"previous_grounding_metadata": bare()})),
        choice(json!({"draft": {"grounding_metadata": bare()}})),
        sse(&[&ui, &[end, tool, finish]]),
    ] {
        assert_eq!(inline(&input), text, "{input}");
        assert!(told("citations-unread", &input).is_empty(), "{input}");
    }
    // Of two nothing says which is this answer's.
    let several = choice(json!({"grounding_metadata": [bare(), bare()]}));
    assert_eq!((inline(&several).as_str(), told("citations-unread", &several).len()), (text, 2));
}

/// Of a document of Cohere that is JSON in a text, or a list, neither title nor address is read.
#[test]
fn a_document_of_cohere_that_is_no_object_is_told() {
    let words = "a document that is no object: its title and its address are not read at $.message.citations[0].sources[0]";
    let document = json!({"title": "H", "url": "https://h.example/"});
    for (sent, told_words) in [
        (json!(document.to_string()), vec![words.to_owned()]),
        (json!([document]), vec![words.to_owned()]),
        (document, vec![]),
        (json!("It opens at nine."), vec![]),
    ] {
        let cite = json!({"start": 0, "end": 9, "text": "It opens.", "sources": [{"type": "document", "id": "d0", "document": sent}], "content_index": 0});
        let message = json!({"role": "assistant", "content": [{"type": "text", "text": "It opens."}], "citations": [cite]});
        let input = json!({"id": "x", "message": message, "finish_reason": "COMPLETE"}).to_string();
        assert_eq!(told("value-type", &input), told_words, "{input}");
    }
}

/// A logger may write the lists of each event as texts.
#[test]
fn lists_of_a_stream_that_are_written_as_texts_are_told() {
    let events =
        |events: &[Value]| events.iter().map(|event| format!("data: {event}\n\n")).collect::<String>();
    let delta = |block: Value| json!({"type": "message.output.delta", "id": "m", "output_index": 0, "content_index": 0, "role": "assistant", "content": block.to_string()});
    let reference =
        json!({"type": "tool_reference", "tool": "web_search", "title": "a", "url": "https://a.example/"});
    let mistral = events(&[
        delta(json!({"type": "text", "text": "It opens at nine."})),
        delta(reference),
        json!({"type": "conversation.response.done", "usage": {}}),
    ]);
    let words = "the answer is a list of blocks written as a text, and what they cite is not read";
    assert!(told("value-type", &mistral).iter().any(|told| told.starts_with(words)), "{mistral}");
    let cite =
        json!({"start": 0, "end": 9, "text": "It opens.", "sources": [{"type": "document", "id": "d"}]});
    let cohere = events(&[
        json!({"type": "message-start", "id": "i", "delta": {"message": {"role": "assistant"}}}),
        json!({"type": "content-delta", "index": 0, "delta": {"message": {"content": {"text": "It opens."}}}}),
        json!({"type": "citation-start", "index": 0, "delta": {"message": {"citations": cite.to_string()}}}),
        json!({"type": "message-end", "delta": {"finish_reason": "COMPLETE"}}),
    ]);
    let words = "text where a list is documented: no claims are read from it";
    assert!(told("value-type", &cohere).iter().any(|told| told.starts_with(words)), "{cohere}");
}

/// Events whose piece is one deeper, or that are of no documented kind: their words were passed over.
#[test]
fn events_whose_words_are_not_used_are_told() {
    let events =
        |frames: &[Value]| frames.iter().map(|frame| format!("data: {frame}\n\n")).collect::<String>();
    let delta = json!({"type": "text_delta", "text": "It was lit in 1932."});
    let unknown = "an event of no documented kind that has words of its own: not used at $";
    let fieldless = |place: &str| format!("an object without any documented field: not used at {place}");
    for (event, message) in [
        (json!({"type": "content_block_delta", "index": 0, "delta": {"value": delta}}), fieldless("$.delta")),
        (json!({"index": 0, "delta": delta}), unknown.to_owned()),
        (json!({"type": "content_block_delta_v2", "index": 0, "delta": delta}), unknown.to_owned()),
        (
            json!({"type": "content_block_delta", "data": {"index": 0, "delta": delta}}),
            "an event that brings a piece, without one: not used at $".to_owned(),
        ),
    ] {
        let input = events(&[
            json!({"type": "message_start", "message": {"id": "m", "type": "message", "role": "assistant", "content": []}}),
            json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
            event,
            json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": " It is white."}}),
            json!({"type": "content_block_stop", "index": 0}),
            json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}}),
            json!({"type": "message_stop"}),
        ]);
        assert_eq!(told("value-type", &input), [message], "{input}");
    }
    let cohere = events(&[
        json!({"type": "message-start", "id": "x", "delta": {"message": {"role": "assistant"}}}),
        json!({"type": "content-delta", "index": 0, "delta": {"value": {"message": {"content": {"text": "Lit."}}}}}),
        json!({"type": "message-end", "delta": {"finish_reason": "COMPLETE"}}),
    ]);
    assert_eq!(told("value-type", &cohere), [fieldless("$.delta")]);
    let piece = |event: Value| {
        events(&[
            json!({"messageStart": {"role": "assistant"}}),
            event,
            json!({"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": "And."}}}),
            json!({"contentBlockStop": {"contentBlockIndex": 0}}),
            json!({"messageStop": {"stopReason": "end_turn"}}),
        ])
    };
    let deeper =
        piece(json!({"contentBlockDelta": {"value": {"contentBlockIndex": 0, "delta": {"text": "Lit."}}}}));
    assert_eq!(told("value-type", &deeper), [fieldless("$.contentBlockDelta")]);
    let wrapped =
        piece(json!({"value": {"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": "Lit."}}}}));
    assert_eq!(told("value-type", &wrapped), [unknown]);
    let vercel = events(&[
        json!({"type": "start", "messageId": "m"}),
        json!({"type": "text-start", "id": "0"}),
        json!({"id": "0", "delta": "Lit."}),
        json!({"type": "text-delta", "id": "0", "delta": "And."}),
        json!({"type": "text-end", "id": "0"}),
        json!({"type": "finish"}),
    ]);
    assert_eq!(told("value-type", &vercel), [unknown]);
}

/// A frame of a stream in another object, or of no kind, among those of formats whose frames have no deltas.
#[test]
fn frames_one_deeper_are_told() {
    let unknown = "an event of no documented kind that has words of its own: not used at $";
    let gemini = |text: &str, more: Value| {
        let mut candidate = json!({"content": {"role": "model", "parts": [{"text": text}]}});
        candidate.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({"responseId": "g", "candidates": [candidate]})
    };
    let chat = |text: &str, end: Value| {
        json!({"id": "c", "object": "chat.completion.chunk",
        "choices": [{"index": 0, "delta": {"content": text}, "finish_reason": end}]})
    };
    let talk = |content: Value| json!({"type": "message.output.delta", "id": "m", "content": content});
    let started = json!({"type": "conversation.response.started", "conversation_id": "c"});
    let done = json!({"type": "conversation.response.done"});
    let streams = [
        [
            gemini("Lit ", json!({})),
            gemini("not ", json!({})),
            gemini("in 1932.", json!({"finishReason": "STOP"})),
        ]
        .to_vec(),
        [chat("Lit ", json!(null)), chat("not ", json!(null)), chat("in 1932.", json!("stop"))].to_vec(),
        [started, talk(json!("not ")), talk(json!("in 1932.")), done].to_vec(),
    ];
    for frames in streams {
        let event = |frame: &Value| format!("data: {frame}\n\n");
        let right: String = frames.iter().map(event).collect();
        assert_eq!(told("value-type", &right), Vec::<String>::new());
        for key in ["data", "chunk", "weird"] {
            let mut frames = frames.clone();
            frames[1] = json!({key: frames[1]});
            let input: String = frames.iter().map(event).collect();
            assert_eq!(told("value-type", &input), [unknown], "{input}");
        }
        let mut frames = frames.clone();
        frames[1] = json!({"event": "message", "data": frames[1].to_string()});
        let input: String = frames.iter().map(event).collect();
        assert_eq!(told("value-type", &input), [unknown], "{input}");
    }
    // Blocks of LangChain are told by their place.
    let piece = |content: Value| json!({"type": "AIMessageChunk", "id": "r", "content": content});
    let block = |text: &str| json!({"type": "text", "index": 0, "text": text});
    let frames = [
        piece(json!([block("Lit ")])),
        piece(json!([{"value": block("not ")}])),
        piece(json!([block("in 1932.")])),
    ];
    let input: String = frames.iter().map(|frame| format!("{frame}\n")).collect();
    assert_eq!(
        told("value-type", &input),
        ["an object without any documented field: not used at $.content[0]"]
    );
    for renamed in [
        json!({"type": "message_output_delta", "id": "m", "content": "not "}),
        json!({"id": "m", "role": "assistant", "content": "not "}),
    ] {
        let frames = [
            json!({"type": "conversation.response.started", "conversation_id": "c"}),
            talk(json!("Lit.")),
            renamed,
            json!({"type": "conversation.response.done"}),
        ];
        let input: String = frames.iter().map(|frame| format!("data: {frame}\n\n")).collect();
        assert_eq!(told("value-type", &input), [unknown], "{input}");
    }
}

/// A piece without the id of its text went behind all others, and the marks in it with it.
#[test]
fn a_piece_without_an_id_is_of_the_only_open_text() {
    let frames = [
        json!({"type": "start", "messageId": "m"}),
        json!({"type": "text-start", "id": "0"}),
        json!({"type": "text-delta", "id": "0", "delta": "It was lit"}),
        json!({"type": "text-delta", "delta": " in 1932."}),
        json!({"type": "text-delta", "id": "0", "delta": " It is white."}),
        json!({"type": "text-end", "id": "0"}),
        json!({"type": "finish"}),
    ];
    let input: String = frames.iter().map(|frame| format!("data: {frame}\n\n")).collect();
    assert_eq!(read(&input)[0]["answer"], "It was lit in 1932. It is white.");
}

/// Words, claims and sources one deeper than they are documented.
#[test]
fn what_stands_one_deeper_is_told() {
    let cited = json!({"citationsContent": {"content": [{"value": {"text": "Lit."}}],
        "citations": [{"title": "h", "location": {"web": {"url": "https://h.example/"}}}]}});
    let converse = json!({"output": {"message": {"role": "assistant", "content": [{"text": "White. "}, cited]}}, "stopReason": "end_turn"});
    let place = "$.output.message.content[1].citationsContent.content[0]";
    assert_eq!(
        told("value-type", &converse.to_string()),
        [format!("an object without any documented field: not used at {place}")]
    );
    let delta = |delta: Value| json!({"id": "c", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta, "finish_reason": null}]});
    for (piece, place) in [
        (json!({"content": {"value": " lit"}}), "$.choices[0].delta.content"),
        (json!({"delta": {"content": " lit"}}), "$.choices[0].delta"),
    ] {
        let stream = format!("data: {}\n\ndata: {}\n\n", delta(json!({"content": "It is"})), delta(piece));
        let words = format!("an object without any documented field: not used at {place}");
        assert_eq!(told("value-type", &stream), [words]);
    }
    let span = json!({"startIndex": 0, "endIndex": 4, "references": [{"sourceId": "s"}]});
    let copilot = json!({"id": "e", "type": "assistant.message", "data": {"messageId": "m", "content": "Lit.",
        "citations": {"value": {"sources": [{"id": "s", "title": "t", "url": "https://h.example/"}], "spans": [span]}}}});
    assert_eq!(
        told("value-type", &copilot.to_string()),
        ["an object without any documented field: not used at $.data.citations"]
    );
    let source = json!({"id": "a", "title": "H", "url": "https://h.example/", "text": "It was lit in 1932."});
    for sources in [json!([[source]]), json!({"value": [source]}), json!([{"value": source}])] {
        let own = json!({"answer": "It was lit in 1932.", "spans": [{"start": 0, "end": 19, "source": "a"}], "sources": sources});
        assert_eq!(
            told("citations-unread", &own.to_string()),
            ["`sources` holds sources one deeper than they are looked for"]
        );
    }
}

/// The answer showed JSON without a word about it.
#[test]
fn words_of_bigdata_that_are_no_text_are_told() {
    let said =
        |kind: &str, content: Value| json!({"chat_id": "1", "message": {"type": kind, "content": content}});
    let stream = |frames: [Value; 3]| frames.map(|frame| format!("data: {frame}\n\n")).concat();
    let end = json!({"chat_id": "1", "message": {"type": "COMPLETE"}});
    let input = stream([
        said("ANSWER", json!("It is old. ")),
        said("ANSWER", json!([{"text": "Red."}])),
        end.clone(),
    ]);
    let words = "a value where text is documented: read as JSON at $.message.content";
    assert_eq!(told("value-type", &input), [words]);
    assert_eq!(read(&input)[0]["answer"], r#"It is old. [{"text":"Red."}]"#);
    let input =
        stream([said("THINKING", json!({"text": "Old?"})), said("ANSWER", json!("It is old.")), end.clone()]);
    assert_eq!(told("value-type", &input), [words]);
    let input = stream([said("THINKING", Value::Null), said("ANSWER", json!("It is old.")), end]);
    assert!(told("value-type", &input).is_empty());
}
