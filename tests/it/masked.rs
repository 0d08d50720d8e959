//! Credentials where names are expected: ids, models, states, dates, queries that are the name of a source.

use serde_json::{Value, json};

use crate::common::program::{output, texts};

/// What the program says of an input in several ways.
fn said(input: &Value) -> String {
    let ways = [
        &["check"][..],
        &["check", "--format", "jsonl"],
        &["export", "--to", "json"],
        &["export", "--to", "html"],
        &["export", "--to", "report"],
    ];
    ways.iter().map(|arguments| texts(output(arguments.iter().copied(), input.to_string())).1).collect()
}

#[test]
fn a_credential_in_a_name_is_masked() {
    let sql = |query: &str| {
        json!({"output": {"text": "Rio opens at nine."}, "citations": [{
            "generatedResponsePart": {"textResponsePart": {"text": "Rio opens at nine.", "span": {"start": 0, "end": 17}}},
            "retrievedReferences": [{"content": {"text": "Rio opens at nine."}, "location": {"type": "SQL", "sqlLocation": {"query": query}}}]}]})
    };
    let gemini = |key: &str, value: &str| {
        let mut response = json!({"candidates": [{"content": {"parts": [{"text": "Rio opens at nine."}]}, "finishReason": "STOP"}]});
        response[key] = json!(value);
        response
    };
    let azure = |reason: &str| {
        json!({"object": "chat.completion", "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant",
            "content": "Rio opens at nine [doc1].", "context": {"citations": [{"content": "Rio opens at nine.", "title": "Rio"}],
            "all_retrieved_documents": [{"content": "Lima.", "title": "Lima", "search_queries": ["rio"], "filter_reason": reason}]}}}]})
    };
    for input in [
        sql("SELECT 1; -- password=Zq8Wv3Nt6Ym1Lr5Kc9"),
        sql("ALTER USER u IDENTIFIED BY 'Zq8Wv3Nt6Ym1Lr5Kc9'"),
        gemini("modelVersion", "m access_token=Zq8Wv3Nt6Ym1Lr5Kc9"),
        gemini("responseId", "{\"apiKey\": \"Zq8Wv3Nt6Ym1Lr5Kc9\"}"),
        gemini("createTime", "Bearer Zq8Wv3Nt6Ym1Lr5Kc9"),
        azure("see {\"accessToken\": \"Zq8Wv3Nt6Ym1Lr5Kc9\"} "),
    ] {
        let said = said(&input);
        assert!(!said.contains("Zq8Wv3Nt6"), "{input}\n{said}");
    }
    let own = "SELECT name FROM tokens WHERE kind = 'resp_68c1f2a09b7d4e21'";
    assert!(said(&sql(own)).contains("resp_68c1f2a09b7d4e21"), "a query without a credential is left alone");
}

/// What names a source, a chunk, a place, a tool or a date may be a signed address without its host.
#[test]
fn a_credential_in_the_name_of_a_source_is_masked() {
    let signed = "/f/a.pdf?token=LOWd0GpmVKi8ND7fSXzt";
    let own = json!({"text": "The sky is blue.", "spans": [{"start": 0, "end": 16, "source_id": signed}],
        "sources": [{"id": signed, "url": "https://a.example/"}]});
    let candidate = |more: Value| {
        let mut candidate =
            json!({"content": {"parts": [{"text": "Rio opens at nine."}]}, "finishReason": "STOP"});
        candidate.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({"candidates": [candidate]})
    };
    let maps = candidate(
        json!({"groundingMetadata": {"groundingChunks": [{"maps": {"uri": "https://maps.example/", "title": "Rio",
        "placeId": signed, "placeAnswerSources": {"reviewSnippets": [{"reviewId": signed, "title": "Good"}]}}}],
        "groundingSupports": [{"segment": {"endIndex": 18}, "groundingChunkIndices": [0]}]}}),
    );
    let chunk = candidate(
        json!({"groundingMetadata": {"groundingChunks": [{"retrievedContext": {"uri": "gs://a/b", "title": "b",
        "ragChunk": {"text": "Rio", "pageSpan": {"firstPage": 1}, "chunkId": signed}}}],
        "groundingSupports": [{"segment": {"endIndex": 18}, "groundingChunkIndices": [0]}]}}),
    );
    let said_of = candidate(json!({"safetyRatings": [{"category": signed, "probability": "LOW"}],
        "urlContextMetadata": {"urlMetadata": [{"retrievedUrl": "https://a.example/", "urlRetrievalStatus": signed}]},
        "citationMetadata": {"citations": [{"startIndex": 0, "endIndex": 3, "uri": "https://a.example/", "license": signed}]}}));
    let aged = json!({"type": "message", "role": "assistant", "id": "msg_1", "stop_reason": "end_turn", "content": [
        {"type": "server_tool_use", "id": "t1", "name": "web_search", "input": {"query": "rio"}},
        {"type": "web_search_tool_result", "tool_use_id": "t1", "content": [{"type": "web_search_result", "url": "https://a.example/",
            "title": "Rio", "page_age": signed}]}, {"type": "text", "text": "Rio opens at nine."}]});
    for input in [own, maps, chunk, said_of, aged] {
        let said = said(&input);
        assert!(!said.contains("LOWd0Gpm"), "{input}\n{said}");
    }
}

/// Programs write colours and line ends out, between a name and its value, too: `repr` of an error, `cat -v`.
#[test]
fn a_credential_behind_what_is_written_out_is_masked() {
    for message in [
        r"\nIDENTIFIED BY 'Zq7LbSBo9hKe'",
        r"IDENTIFIED\nBY 'Zq7LbSBo9hKe'",
        r"IDENTIFIED BY\n'Zq7LbSBo9hKe'",
        r"x\nIDENTIFIED WITH mysql_native_password BY 'Zq7LbSBo9hKe'",
        r"ALTER ROLE a\nPASSWORD 'Zq7LbSBo9hKe'",
        "%0AIDENTIFIED BY 'Zq7LbSBo9hKe'",
        r"b'\x1b[31mDB_PASSWORD\x1b[0m=Zq7LbSBo9hKe'",
        r"\x1b[36mapi_key\x1b[0m=\x1b[35mZq7LbSBo9hKe\x1b[0m",
        r"\033[1mx-api-key\033[0m: Zq7LbSBo9hKe",
        "password^[[0m: Zq7LbSBo9hKe",
        "DB_PASSWORD#033[0m=Zq7LbSBo9hKe",
        "DB_PASSWORD[0m=Zq7LbSBo9hKe",
        r"--password\u001b[0m Zq7LbSBo9hKe",
        "Error: \u{1b}(B\u{1b}[m--password Zq7LbSBo9hKe",
        "\u{1b}8--token=Zq7LbSBo9hKe",
        "\u{9b}31mIDENTIFIED BY 'Zq7LbSBo9hKe'",
        r"error: \x1b[33m--password Zq7LbSBo9hKe\x1b[0m",
        r"\xa0--password Zq7LbSBo9hKe",
        r"password=\x1b[1;32mZq7LbSBo9hKe",
        r"password: \033[0;32mZq7LbSBo9hKe",
        r"--password ^[[1;31mZq7LbSBo9hKe",
        r"Authorization: Bearer \x1b[1;32mZq7LbSBo9hKe",
        r"password=\x1b[38;2;1;2;3mZq7LbSBo9hKe",
        "password=[1;32mZq7LbSBo9hKe",
        r"password='\x1b[1;32mZq7LbSBo9hKe'",
        r"password:\x1b[0m Zq7LbSBo9hKe",
        r"api_key =\x1b[31m Zq7LbSBo9hKe",
        r"Authorization:\x1b[0m Bearer Zq7LbSBo9hKe",
        "password:%1B[0m Zq7LbSBo9hKe",
        "a#012--password Zq7LbSBo9hKe",
        "a#012IDENTIFIED BY#012'Zq7LbSBo9hKe'",
        "password#011=Zq7LbSBo9hKe",
        "a^J--password Zq7LbSBo9hKe",
        "IDENTIFIED BY ^[[0m'Zq7LbSBo9hKe'",
        "IDENTIFIED BY [0m'Zq7LbSBo9hKe'",
        r"PASSWORD\n'Zq7LbSBo9hKe'",
        r"\n\x1b[0mAuthorization: Bearer Zq7LbSBo9hKe",
        r"HTTP/1.1\r\n\x1b[36mAuthorization\x1b[39;49;00m: Bearer Zq7LbSBo9hKe",
        r"CREATE USER a\n\x1b[34mIDENTIFIED BY 'Zq7LbSBo9hKe'",
        r"CREATE USER a\nIDENTIFIED\x1b[0m BY 'Zq7LbSBo9hKe'",
        "mysql#012#033[36m--password Zq7LbSBo9hKe",
        "password\u{1b}]8;;\u{1b}\\=Zq7LbSBo9hKe",
    ] {
        let said = said(&json!({"error": {"message": message}}));
        assert!(said.contains("masked") && !said.contains("Zq7LbSBo"), "{message}\n{said}");
    }
    // What holds none is shown as it was sent.
    let own = r"no such file: C:\new\docs \x1b[31mred\x1b[0m";
    assert!(said(&json!({"error": {"message": own}})).contains(&own.replace('\\', r"\\")));
}

/// Anthropic's search is given JSON in a text; each element of it is a query, and was looked at alone.
#[test]
fn what_one_query_says_of_the_next_is_masked() {
    let searched = |list: &Value| {
        json!({"type": "message", "role": "assistant", "model": "claude-3", "stop_reason": "end_turn", "content": [
            {"type": "server_tool_use", "id": "a", "name": "web_search", "input": {"query": list.to_string()}},
            {"type": "text", "text": "Rio opens at nine."}]})
    };
    let queries = |list: Value| {
        let (_, out, _) = texts(output(["export", "--to", "json"], searched(&list).to_string()));
        let document: Value = serde_json::from_str(&out).unwrap();
        let queries = document["responses"][0]["queries"].as_array().unwrap().clone();
        queries.iter().map(|query| query["text"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    for (list, shown) in [
        (json!(["--password", "hunter"]), vec!["--password", "masked"]),
        (json!(["-u", "bob:hunter", "-v"]), vec!["-u", "bob:masked", "-v"]),
        (json!(["Authorization", "Bearer hunter"]), vec!["Authorization", "masked"]),
        (json!(["--password", "--token", "hunter"]), vec!["--password", "--token", "masked"]),
        (json!(["cookie", "oatmeal biscuits"]), vec!["cookie", "oatmeal biscuits"]),
        (json!(["-u", "the time is 9:30"]), vec!["-u", "the time is 9:30"]),
    ] {
        assert_eq!(queries(list), shown);
    }
    assert!(!said(&searched(&json!(["--password", "hunter"]))).contains("hunter"));
}

/// What the model wrote is told, and no document: also values of letters alone.
#[test]
fn a_credential_in_code_that_the_model_wrote_is_masked() {
    for code in [
        "password = \"hunterxy\"",
        "OpenAI(api_key=\"hunterxy\")",
        "export API_KEY=hunterxy",
        "curl -u bob:hunterxy x",
    ] {
        let parts = json!([{"executableCode": {"language": "PYTHON", "code": code}}, {"text": "Done."}]);
        let said = said(&json!({"candidates": [{"content": {"parts": parts}, "finishReason": "STOP"}]}));
        assert!(said.contains("masked") && !said.contains("hunterxy"), "{said}");
    }
}

/// A message about JSON that cannot be read quotes what stands there.
#[test]
fn a_message_about_broken_json_quotes_no_credential() {
    for input in [
        r#"{"password": "a"hunter2q"}"#,
        r#"{"api_key": "x" "hunter2q"}"#,
        r#"{"api_key" "hunter2q"}"#,
        r#"{"api_key"; "hunter2q"}"#,
        r#"{"api_key":, "hunter2q"}"#,
        r#"{"headers":[{"name":"X-Api-Key","value" "hunter2q"}]}"#,
    ] {
        let (code, out, said) = texts(output(["check"], input));
        assert_eq!(code, 2);
        assert!(said.contains("near `masked`") && !(out + &said).contains("hunter2q"), "{said}");
    }
}

/// A field without a place in the model is masked by what stands beside it, as all others are.
#[test]
fn a_text_typed_into_a_page_is_masked_wherever_it_is_kept() {
    let input = |field: &str| {
        json!({"id": "r", "object": "response", "status": "completed", "output": [
            {"type": "computer_call", "id": "w", "action": {"element": field, "text": "hunterxy"}},
            {"type": "message", "id": "x", "role": "assistant", "content": [{"type": "output_text", "text": "Boats.", "annotations": []}]}]})
    };
    assert!(said(&input("Name")).contains("hunterxy"));
    for field in ["Password field", "API key input"] {
        let said = said(&input(field));
        assert!(said.contains("masked") && !said.contains("hunterxy"), "{said}");
    }
}

/// The mask of a thought went over the name that the next one begins with, so that its credential was
/// shown, and words behind an object that never closes were lost. A stream of an agent repeats its pieces.
#[test]
fn thoughts_that_are_whole_are_masked_one_by_one() {
    let thinking = |text: &str| json!({"type": "thinking", "thinking": text, "signature": "s"});
    let message = json!({"id": "m", "type": "message", "role": "assistant", "model": "claude", "stop_reason": "end_turn",
        "content": [thinking("password: hunter2"), thinking("Password: secret9"), thinking("Not one says so."),
            thinking("credentials = {\"user\": \"bob\", "), thinking("It was lit in 1932."), {"type": "text", "text": "It is open."}]});
    let (code, out, _) = texts(output(["export", "--to", "json"], message.to_string()));
    assert_eq!(code, 0);
    let thoughts = |out: &str| -> Vec<String> {
        let out: Value = serde_json::from_str(out).unwrap();
        let traces = out["responses"][0]["traces"].as_array().unwrap().iter();
        traces.filter_map(|trace| Some(trace["thought"].as_str()?.to_owned())).collect()
    };
    let told = thoughts(&out);
    assert_eq!(told[..3], ["password: masked", "Password: masked", "Not one says so."]);
    assert_eq!(told[4], "It was lit in 1932.");

    let event = |text: &str, thought: bool, partial: bool| {
        json!({"author": "a", "invocationId": "e-1", "id": "1", "timestamp": 1, "partial": partial,
            "content": {"role": "model", "parts": [{"text": text, "thought": thought}]}})
    };
    let events = json!([
        event("password: hu", true, true),
        event("nter2", true, true),
        event("password: hunter2", true, false),
        event("It is open.", false, false)
    ]);
    let (code, out, _) = texts(output(["export", "--to", "json"], events.to_string()));
    assert_eq!(
        (code, thoughts(&out)),
        (0, vec!["password: masked".into(), "masked".into(), "password: masked".into()])
    );
}

/// Each piece was a step of its own, and a credential was seen in none of them.
#[test]
fn a_thought_of_a_stream_of_mistral_is_one() {
    let frame = |content: Value, finish: Option<&str>| {
        json!({"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "magistral-medium",
            "choices": [{"index": 0, "delta": {"content": content}, "finish_reason": finish}]})
    };
    let thinks = |text: &str| json!([{"type": "thinking", "thinking": [{"type": "text", "text": text}]}]);
    let referred = json!([{"type": "text", "text": "The date"}, {"type": "reference", "reference_ids": [1]}]);
    let event = |kind: &str, content: Value| json!({"type": kind, "id": "m", "content": content, "created_at": "2026-01-01T00:00:00Z"});
    let chat = |last: Value| {
        vec![
            frame(thinks("The pass"), None),
            frame(thinks("word is \"hunt"), None),
            frame(thinks("er2\"."), None),
            frame(last, Some("stop")),
        ]
    };
    let conversation = vec![
        json!({"type": "conversation.response.started", "conversation_id": "c"}),
        event("message.output.delta", thinks("The pass")[0].clone()),
        event("message.output.delta", thinks("word is \"hunt")[0].clone()),
        event("message.output.delta", thinks("er2\".")[0].clone()),
        event("message.output.delta", json!("The date is known.")),
        json!({"type": "conversation.response.done", "usage": {}}),
    ];
    for frames in [chat(json!("The date is known.")), chat(referred), conversation] {
        let stream: String = frames.iter().map(|frame| format!("data: {frame}\n\n")).collect();
        let (code, out, errors) = texts(output(["export", "--to", "json"], stream));
        let out: Value = serde_json::from_str(&out).unwrap();
        let traces = out["responses"][0]["traces"].as_array().unwrap();
        let thoughts: Vec<&str> = traces.iter().filter_map(|trace| trace["thought"].as_str()).collect();
        assert_eq!((code, thoughts), (0, vec!["The password is \"masked\"."]), "{errors}");
    }
}

/// The first sentence without a source was quoted with the password in it, in the log of a runner, too.
#[test]
fn an_address_in_the_words_that_a_finding_quotes_is_masked() {
    let text =
        "Use postgres://app:S3cretS3cret@localhost:5432/shop for the database. Rio opens at nine o'clock.";
    let input = json!({"candidates": [{"content": {"parts": [{"text": text}]}, "finishReason": "STOP",
        "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://a.example/", "title": "A"}}],
            "groundingSupports": [{"segment": {"startIndex": 70, "endIndex": 96, "text": "Rio opens at nine o'clock."},
                "groundingChunkIndices": [0]}]}}]});
    let said = texts(output(["check", "--format", "github"], input.to_string())).1;
    assert!(said.contains("the first “Use postgres://app:masked@localhost:5432/shop for"), "{said}");
    assert!(!said.contains("S3cret"), "{said}");
}
