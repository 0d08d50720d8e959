//! What takes memory out of proportion to its text ends in an error that says what to do.

use serde_json::{Value, json};

use crate::common::program::run;

#[test]
fn markdown_without_end_is_refused_by_what_parses_it_and_by_nothing_else() {
    let answer = |text: &str| json!({"candidates": [{"content": {"parts": [{"text": text}]}}]}).to_string();
    for dense in [answer(&"[".repeat(600_000)), answer(&"- a\n".repeat(150_000))] {
        for target in ["footnotes", "html", "plain", "report"] {
            let (code, out, errors) = run(&["export", "--to", target], &dense);
            assert_eq!((code, out.as_str()), (2, ""), "{target}: {errors}");
            assert!(errors.contains("signs of Markdown in an answer of 600000 bytes"), "{errors}");
            assert!(errors.contains("`--no-limits` does it all the same"), "{errors}");
        }
        assert_eq!(run(&["check"], &dense).0, 0);
        assert_eq!(run(&["export", "--to", "sources"], &dense).0, 0);
    }
    // Of a part not all is parsed.
    let cited = json!({"candidates": [{"content": {"parts": [{"text": format!("{} end", "[".repeat(600_000))}]},
        "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://a.example/", "title": "a"}}], "groundingSupports": [
            {"segment": {"startIndex": 600_001, "endIndex": 600_004, "text": "end"}, "groundingChunkIndices": [0]}]}}]});
    let (code, out, _) = run(&["export", "--to", "inline", "--support", "1"], &cited.to_string());
    assert_eq!((code, out.trim()), (0, "end[1](https://a.example/)"));
    let (code, out, _) = run(&["export", "--to", "plain", "--no-limits"], &answer(&"- a\n".repeat(150_000)));
    assert_eq!((code, out.len()), (0, 600_000));
}

#[test]
fn keys_without_end_are_refused_and_line_ends_take_no_room() {
    let keys: Vec<String> = (0..300_000).map(|n| format!("\"k{n}\": 1")).collect();
    let unknown = format!(
        "{{\"candidates\": [{{\"content\": {{\"parts\": [{{\"text\": \"Hi.\"}}]}}, {}}}]}}",
        keys.join(", ")
    );
    let texts = vec!["\"text\": \"Hi.\""; 300_000].join(",");
    let repeated = format!("{{\"candidates\": [{{\"content\": {{\"parts\": [{{{texts}}}]}}}}]}}");
    for input in [unknown, repeated] {
        let (code, _, errors) = run(&["export", "--to", "json"], &input);
        assert_eq!(code, 2);
        assert!(errors.contains("takes far more memory than its text"), "{errors}");
    }
    let few: Vec<String> = (0..5_000).map(|n| format!("\"k{n}\": 1")).collect();
    let (code, out, _) = run(
        &["export", "--to", "json"],
        &format!(
            "{{\"candidates\": [{{\"content\": {{\"parts\": [{{\"text\": \"Hi.\"}}]}}, {}}}]}}",
            few.join(", ")
        ),
    );
    assert!(code == 0 && out.contains("k4999"));
    let late = format!(
        "{}{{\"candidates\": [{{\"content\": {{\"parts\": [{{\"text\": \"Hi.\"}}]}}, \"finishReason\": \"MAX_TOKENS\"}}]}}",
        "\n".repeat(100_000)
    );
    let (_, out, _) = run(&["check"], &late);
    assert!(out.contains(":100001:"), "{out}");
}

#[test]
fn responses_without_end_are_refused_whatever_they_are_called() {
    let choices: Vec<_> =
        (0..64_000).map(|index| json!({"index": index, "message": {"content": "c"}})).collect();
    let turn = |n: usize| json!({"author": "agent", "invocationId": format!("i{n}"), "content": {"role": "model", "parts": [{"text": "c"}]}});
    let events: Vec<_> = (0..64_000).map(turn).collect();
    let few = json!({"object": "chat.completion", "choices": choices.get(..8_000)}).to_string();
    assert_eq!(run(&["check", "--summary"], &few).0, 0);
    for input in [json!({"object": "chat.completion", "choices": choices}), json!({"sessionEvents": events})]
    {
        let (code, _, errors) = run(&["check"], &input.to_string());
        assert!(code == 2 && errors.contains("takes far more memory than its text"), "{errors}");
    }
}

/// Each invocation without an answer becomes a response.
#[test]
fn what_says_nothing_and_what_does_not_fit_is_refused_where_there_is_very_much_of_it() {
    let metadata = |metadata| json!({"candidates": [{"content": {"parts": [{"text": "Hi."}]}, "finishReason": "STOP", "groundingMetadata": metadata}]});
    let misfits = |n: usize| {
        let chunk = json!({"web": {"uri": 7, "title": 8}});
        let support = json!({"segment": {"startIndex": "x", "endIndex": []}, "groundingChunkIndices": "y"});
        metadata(json!({"groundingChunks": vec![chunk; n], "groundingSupports": vec![support; n]}))
    };
    let unanswered = |n: usize| {
        let event = |n: usize| json!({"author": "agent", "invocationId": format!("i{n}")});
        json!({"sessionEvents": (0..n).map(event).collect::<Vec<_>>()})
    };
    let found = json!({"type": "ai", "content_blocks": [
        {"type": "server_tool_call", "id": "w", "name": "web_search", "args": {"query": "q"}},
        {"type": "server_tool_result", "tool_call_id": "w", "output": {"sources": vec![json!({}); 100_000]}},
        {"type": "text", "text": "Hi there."}]});
    let cited = json!({"object": "chat.completion", "citations": vec!["a"; 150_000],
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "Hi[1]."}}]});
    let empty = json!({});
    let own = json!({"answer": "a b. c", "sources": vec![json!({"text": "a"}); 60_000]});
    let texts: Vec<String> = (0..40_000).map(|n| format!("w{n} ")).collect();
    let pieces = json!({"type": "ai", "content": texts});
    // Each has some text, so that none is small by itself: it counts by what the response then holds.
    let passage = |n: usize| json!({"retrievedContext": {"uri": format!("https://a.example/{n}"), "text": "The light is old, it was lit in 1932."}});
    let passages: Vec<_> = (0..100_000).map(passage).collect();
    for input in [
        own,
        pieces,
        metadata(json!({"groundingChunks": passages})),
        found,
        cited,
        metadata(json!({"groundingChunks": vec![empty.clone(); 100_000]})),
        metadata(json!({"groundingSupports": vec![empty; 100_000]})),
        misfits(20_000),
        unanswered(20_000),
    ] {
        let (code, _, errors) = run(&["check", "--no-content"], &input.to_string());
        assert!(code == 2 && errors.contains("takes far more memory than its text"), "{errors}");
    }
    for input in [misfits(2_000), unanswered(2_000)] {
        let (code, _, errors) = run(&["check", "--no-content", "--fail-on", "never"], &input.to_string());
        assert_eq!((code, errors.as_str()), (0, ""));
    }
}

/// Five thousand turns of a session: what the user says, a call, its result, and an answer.
#[test]
fn a_long_session_is_read() {
    let event = |turn: usize, author: &str, role: &str, part: serde_json::Value| {
        json!({"id": format!("e{turn}"), "author": author, "invocationId": format!("i{turn}"), "actions": {"stateDelta": {}},
            "content": {"role": role, "parts": [part]}, "timestamp": 1_760_000_000})
    };
    let turn = |turn: usize| {
        let call = json!({"name": "search", "id": format!("c{turn}"), "args": {"query": "light"}});
        let result =
            json!({"name": "search", "id": format!("c{turn}"), "response": {"result": "The light is old."}});
        [
            event(turn, "user", "user", json!({"text": "How old is the light?"})),
            event(turn, "agent", "model", json!({"functionCall": call})),
            event(turn, "agent", "user", json!({"functionResponse": result})),
            event(
                turn,
                "agent",
                "model",
                json!({"text": "The light at Ellary Point was lit in 1932. ".repeat(9)}),
            ),
        ]
    };
    let events: Vec<_> = (0..5_000).flat_map(turn).collect();
    let input = json!({"id": "s", "appName": "a", "userId": "u", "events": events}).to_string();
    let (code, _, errors) = run(&["check", "--no-content", "--fail-on", "never"], &input);
    assert_eq!((code, errors.as_str()), (0, ""));
}

#[test]
fn ten_thousand_candidates_with_a_source_each_are_read() {
    let candidate = json!({"content": {"role": "model", "parts": [{"text": "Claim one here."}]}, "finishReason": "STOP",
        "groundingMetadata": {
            "groundingChunks": [{"retrievedContext": {"uri": "https://a.example/p", "title": "T", "text": "Claim one."}}],
            "groundingSupports": [{"segment": {"startIndex": 0, "endIndex": 15, "text": "Claim one here."}, "groundingChunkIndices": [0]}]}});
    let input = json!({"candidates": vec![candidate; 10_000]}).to_string();
    let (code, out, errors) = run(&["check", "--no-content"], &input);
    assert_eq!((code, out.trim_end(), errors.as_str()), (0, "no findings in 10000 responses", ""));
}

#[test]
fn a_text_that_very_many_things_share_is_counted_with_each_of_them() {
    let long = "R".repeat(500_000);
    let candidates = vec![json!({"content": {"parts": [{"text": "Hi."}]}, "finishReason": "STOP"}); 2_000];
    let snippets = vec![json!({"snippet": "s"}); 2_000];
    let result =
        json!({"document": "d", "uri": format!("https://a.example/{long}"), "snippetInfo": snippets});
    let found = vec![json!({"id": "D1", "hd": "h"}); 2_000];
    let audit = json!({"tool_id": "t", "query": {"text": "q"}, "results": [{"type": long, "values": found}]});
    let message = json!({"chat_id": "x", "message": {"type": "AUDIT", "audit_traces": [audit]}});
    let choices: Vec<_> = (0..2_000)
        .map(|n| json!({"index": n, "message": {"content": "Hi."}, "finish_reason": "stop"}))
        .collect();
    let citations: Vec<String> = (0..2_000).map(|n| format!("https://e{n}.example/")).collect();
    for input in [
        json!({"candidates": candidates, "responseId": long}).to_string(),
        json!({"object": "chat.completion", "choices": choices, "model": long}).to_string(),
        json!({"object": "chat.completion", "choices": choices, "citations": citations}).to_string(),
        json!({"answer": {"state": "SUCCEEDED", "answerText": "Hi.", "steps": [{"actions": [
            {"searchAction": {"query": "q"}, "observation": {"searchResults": [result]}}]}]}})
        .to_string(),
        format!("data: {message}\n\n"),
    ] {
        let (code, _, errors) = run(&["check"], &input);
        assert_eq!(code, 2);
        assert!(errors.contains("takes far more memory than its text"), "{errors}");
    }
}

/// However deep a record is nested, it costs itself only.
#[test]
fn nesting_without_end_ends_in_an_error_of_its_record() {
    let good = |id: &str| {
        json!({"responseId": id, "candidates": [{"content": {"parts": [{"text": "Hi."}]}, "finishReason": "STOP"}]}).to_string()
    };
    for key in ["response", "candidates", "content", "metadata", "output"] {
        let open = format!("{{\"{key}\":").repeat(100_000);
        for deep in [open.clone(), format!("{open}1{}", "}".repeat(100_000))] {
            for command in [&["check"][..], &["check", "--each-line"], &["fix"], &["export", "--to", "json"]]
            {
                let (code, _, _) = run(command, &deep);
                assert!(code <= 2, "{key} {command:?}: {code}");
            }
        }
        let lines = format!("{}\n{open}1{}\n{}\n", good("a"), "}".repeat(100_000), good("b"));
        let (code, out, errors) = run(&["export", "--to", "jsonl"], &lines);
        let read = ["\"id\":\"a\"", "\"id\":\"b\""].iter().all(|id| out.contains(id));
        assert!(code <= 2 && read, "{key} {code}: {out} {errors}");
    }
    // What is cut off in there costs no more than its length.
    let cut = format!("{}{}", good("a").replace("}]}", "}],\"x\":"), "[".repeat(1_000_000));
    assert!(run(&["check"], &cut).0 <= 2);
    // Fields beside what is nested have a path each, and a frame that is no JSON many pieces.
    for lead in ["", "x"] {
        let nested = format!("{lead}{}1{}", r#"{"a":1,"b":"#.repeat(100_000), "}".repeat(100_000));
        let stream = format!("data: {}\n\ndata: {nested}\n\n", good("a"));
        for command in [&["check"][..], &["export", "--to", "json"]] {
            let code = run(command, &stream).0;
            assert!(code <= 2, "{lead} {command:?}: {code}");
        }
    }
    let kept = format!("{{\"searchEntryPoint\":[{}1{}]}}", "[".repeat(300_000), "]".repeat(300_000));
    assert_eq!(run(&["export", "--to", "json"], &kept).0, 0);
}

/// Blocks of other providers become steps, parts and sources, many times their text.
#[test]
fn blocks_without_end_are_refused_and_thousands_are_read() {
    let openai = |count: usize| {
        let mut items = vec![json!({"type": "mcp_call", "name": "a", "output": "b"}); count];
        items.push(json!({"type": "message", "content": [{"type": "output_text", "text": "The tower."}]}));
        json!({"object": "response", "id": "r", "output": items})
    };
    let converse = |count: usize| {
        let mut blocks = vec![json!({"toolUse": {"toolUseId": "t", "name": "a", "input": {}}}); count];
        blocks.push(json!({"text": "The tower."}));
        json!({"output": {"message": {"role": "assistant", "content": blocks}}, "stopReason": "end_turn"})
    };
    let logged = |count: usize| {
        let content = vec![json!({"text": "a"}); count];
        json!({"request": {"messages": [{"role": "user", "content": content}]}, "response": openai(0)})
    };
    for (refused, read) in [
        (openai(80_000), openai(8_000)),
        (converse(60_000), converse(5_000)),
        (logged(120_000), logged(10_000)),
    ] {
        let (code, out, errors) = run(&["export", "--to", "json"], &refused.to_string());
        assert!(code == 2 && out.contains("\"responses\": []"), "{out}");
        assert!(errors.contains("takes far more memory than its text"), "{errors}");
        let (code, out, errors) = run(&["export", "--to", "plain"], &read.to_string());
        assert_eq!((code, out.trim()), (0, "The tower."), "{errors}");
    }
}

/// A frame of a stream by its number.
type Frame = fn(usize) -> Value;

fn stream(first: &Value, then: Frame, count: usize) -> String {
    let events = std::iter::once(first.clone()).chain((0..count).map(then));
    events.map(|event| format!("data: {event}\n\n")).collect()
}

/// What a stream begins in frames of its own, a thing each, counts as what lists hold.
#[test]
fn streams_without_end_are_refused_and_thousands_of_their_events_are_read() {
    let openai: Frame = |n| json!({"type": "response.output_text.delta", "output_index": n, "delta": "a"});
    let anthropic: Frame =
        |n| json!({"type": "content_block_delta", "index": n, "delta": {"type": "text_delta", "text": "a"}});
    let bigdata: Frame = |_| json!({"chat_id": "c", "message": {"type": "LLM_RETRY"}});
    let mistral: Frame = |n| json!({"type": "tool.execution.started", "output_index": n, "name": "w"});
    let agent: Frame = |n| {
        json!({"author": "a", "invocationId": format!("i{n}"), "partial": true,
            "content": {"role": "model", "parts": [{"text": "T"}]}})
    };
    let chat: Frame = |n| json!({"object": "chat.completion.chunk", "choices": [{"delta": {"tool_calls": [{"index": n}]}}]});
    let vercel: Frame = |n| json!({"type": "source-url", "sourceId": format!("s{n}")});
    let fragment: Frame = |_| json!({"retrievedContext": {"text": "a"}});
    let langchain: Frame =
        |n| json!({"type": "AIMessageChunk", "content": "", "tool_call_chunks": [{"index": n}]});
    let failed: Frame = |_| json!({"error": {"message": "a"}});
    let rows = [
        (json!({"type": "response.created", "response": {"id": "r", "output": []}}), openai, 4_000),
        (
            json!({"type": "message_start", "message": {"id": "m", "role": "assistant", "content": []}}),
            anthropic,
            8_000,
        ),
        (bigdata(0), bigdata, 8_000),
        (json!({"type": "conversation.response.started", "conversation_id": "c"}), mistral, 8_000),
        (agent(0), agent, 4_000),
        (chat(0), chat, 8_000),
        (json!({"type": "start", "messageId": "m"}), vercel, 8_000),
        (chat(0), failed, 8_000),
        (fragment(0), fragment, 8_000),
        (langchain(0), langchain, 8_000),
    ];
    for (first, then, read) in rows {
        let (code, _, errors) = run(&["check"], &stream(&first, then, 150_000));
        assert!(code == 2 && errors.contains("takes far more memory than its text"), "{first}: {errors}");
        let (code, _, errors) = run(&["check"], &stream(&first, then, read));
        assert!(code < 2, "{first}: {errors}");
    }
    // A token each is text, and no thing.
    let token: Frame =
        |_| json!({"responseId": "r", "candidates": [{"content": {"parts": [{"text": "a "}]}}]});
    let (code, _, errors) = run(&["check"], &stream(&token(0), token, 50_000));
    assert!(code < 2, "{errors}");
    // Of errors that are events of a format thousands are told, and how many more there were.
    let error: Frame = |_| json!({"type": "error", "message": "a"});
    let (_, out, _) = run(&["check"], &stream(&openai(0), error, 20_000));
    assert!(out.contains("15904 further errors, at last: the service broke off: a"), "{}", &out[..800]);
}

/// A frame may hold a piece as large as a block, and is none.
#[test]
fn streams_of_thousands_of_tokens_are_read() {
    let converse: Frame = |_| json!({"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": "a "}}});
    let interactions: Frame =
        |_| json!({"event_type": "step.delta", "index": 0, "delta": {"type": "text", "text": "a "}});
    let perplexity: Frame = |_| {
        let found: Vec<Value> =
            (0..8).map(|n| json!({"title": "A", "url": format!("https://e{n}.example/")})).collect();
        json!({"object": "chat.completion.chunk", "search_results": found, "choices": [{"index": 0, "delta": {"content": "a "}}]})
    };
    for (first, then) in [
        (json!({"messageStart": {"role": "assistant"}}), converse),
        (json!({"event_type": "interaction.created", "interaction": {"id": "i"}}), interactions),
        (perplexity(0), perplexity),
    ] {
        let (code, _, errors) = run(&["check"], &stream(&first, then, 20_000));
        assert!(code < 2, "{first}: {errors}");
    }
}

/// What a map or a request is looked for in is read as any record.
#[test]
fn values_without_end_are_refused_where_a_map_or_a_request_is_looked_for() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let unknown = vec![json!({"y": {}}); 300_000];
    let mut gemini =
        json!({"candidates": [{"content": {"parts": [{"text": "Hi."}]}, "finishReason": "STOP"}]});
    gemini["x"] = unknown.clone().into();
    let map = file("m.toml", "answer = \"result.text\"\n");
    // A record of a provider is read as without a map, beside one that is read by it.
    let lines = format!("{gemini}\n{}\n", json!({"result": {"text": "Hi."}}));
    let (code, out, errors) = run(&["check", "--map", &map], &lines);
    assert!(code == 0 && out.starts_with("note[ungrounded]") && errors.is_empty(), "{out}{errors}");
    let own = file("own.json", &json!({"result": {"text": "ab cd"}, "x": unknown}).to_string());
    for args in [&["check", "--map", &map, &own][..], &["map", "--init", &own]] {
        let (code, _, errors) = run(args, "");
        assert!(code == 2 && errors.contains("far more memory than its text"), "{args:?}: {errors}");
    }
    let (code, _, errors) = run(&["check", "--request", &own], &gemini.to_string());
    assert!(code == 2 && errors.contains("the request cannot be read: it takes far more memory"), "{errors}");
}

/// One mark may cite one source very often: half a megabyte took a gigabyte.
#[test]
fn a_link_that_one_mark_repeats_without_end_is_refused() {
    let answer = |times: usize| {
        let address = format!("https://a.example/{}", "p".repeat(2000));
        json!({"candidates": [{"content": {"parts": [{"text": "It was lit in 1932."}]}, "finishReason": "STOP",
            "groundingMetadata": {"groundingChunks": [{"web": {"uri": address, "title": "a"}}],
            "groundingSupports": [{"segment": {"endIndex": 19, "text": "It was lit in 1932."},
                "groundingChunkIndices": vec![0; times]}]}}]})
        .to_string()
    };
    let (code, out, errors) = run(&["export", "--to", "inline"], &answer(20_000));
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(errors.contains("its citations repeat 40 MB of addresses and titles"), "{errors}");
    assert_eq!(run(&["export", "--to", "inline"], &answer(2_000)).0, 0);
    assert_eq!(run(&["export", "--to", "footnotes"], &answer(20_000)).0, 0);
}
