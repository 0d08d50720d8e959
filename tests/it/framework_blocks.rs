//! What frameworks hand on in blocks: thoughts that open a text, what a search found, documents that share a
//! number.

use citescope::model::{Citation, Response, Source, Target};
use serde_json::{Value, json};

use crate::common::library::{open, response};

fn thoughts(response: &Response) -> Vec<&str> {
    response.traces.iter().filter_map(|trace| trace.thought.as_deref()).collect()
}

fn finds(input: &Value, rule: &str) -> Vec<String> {
    let review = open("f", input.to_string()).reviews().next().unwrap().unwrap();
    let findings = review.findings().iter().filter(|finding| finding.rule.id == rule);
    findings.map(|finding| finding.message.clone()).collect()
}

/// A mark in the thought is no claim; the one in the answer is.
#[test]
fn a_thought_that_opens_a_text_is_none_of_the_answer() {
    let thought = "<think>Rio [1] or Oslo [2]?</think>";
    let pages = json!(["https://rio.example/", "https://oslo.example/"]);
    let listed = |content: Value| {
        json!({"object": "chat.completion", "id": "c", "citations": pages,
            "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content}}]})
    };
    let text = |text: &str| json!({"type": "text", "text": text});
    let beside = json!({"citations": pages});
    let langchain = |content: Value| {
        json!({"type": "ai", "content": content, "additional_kwargs": beside,
            "response_metadata": {"model_name": "r1", "finish_reason": "stop"}})
    };
    let answer = "Rio opens at nine [1].";
    let whole = format!("{thought}{answer}");
    let (first, second) = whole.split_at(12);
    for input in [
        listed(json!(whole)),
        listed(json!([text(&whole)])),
        listed(json!([text(thought), text(answer)])),
        listed(json!([text(first), text(second)])),
        langchain(json!(whole)),
        langchain(json!([text(&whole)])),
        langchain(json!([text(thought), text(answer)])),
    ] {
        let response = response(&input.to_string());
        assert_eq!(response.text(), answer, "{input}");
        assert_eq!(thoughts(&response), ["Rio [1] or Oslo [2]?"], "{input}");
        assert_eq!(response.supports.len(), 1, "{input}");
    }
}

/// Offsets that count in all that was sent are right: they were moved into the thought.
#[test]
fn a_thought_in_which_offsets_count_stays() {
    let content = "<think>Hm.</think>Rio opens at nine ([a.example](https://a.example/)).";
    let cited = json!({"start_index": 36, "end_index": 69, "url": "https://a.example/", "title": "A"});
    let annotation = json!({"type": "url_citation", "url_citation": cited});
    for content in [json!(content), json!([{"type": "text", "text": content}])] {
        let input = json!({"object": "chat.completion", "choices": [{"index": 0, "finish_reason": "stop",
            "message": {"role": "assistant", "content": content, "annotations": [annotation]}}]});
        let review = open("f", input.to_string()).reviews().next().unwrap().unwrap();
        assert!(review.findings().iter().all(|finding| finding.rule.id != "offset-shift"), "{input}");
        let range = review.support(0).unwrap().range().unwrap();
        assert!(review.response.text().get(range).unwrap().contains("Rio opens at nine"), "{input}");
    }
}

/// As templates of models write it that put the beginning into what they ask.
#[test]
fn a_thought_may_be_known_by_its_end() {
    let content = "I doubt page two [2].\n</think>\n\nRio opens at nine [1].";
    let input = json!({"object": "chat.completion", "citations": ["https://a.example/", "https://b.example/"],
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": content}}]});
    let response = response(&input.to_string());
    assert_eq!(thoughts(&response), ["I doubt page two [2]."]);
    assert_eq!((response.text(), response.supports.len()), ("\nRio opens at nine [1].", 1));
}

#[test]
fn a_thought_may_come_in_lists_of_deltas() {
    let pieces = ["<think>Ri", "o?</th", "ink>Rio opens", " at nine."];
    let frame = |content: Value, finish: Value| {
        let choice =
            json!({"index": 0, "delta": {"role": "assistant", "content": content}, "finish_reason": finish});
        format!("data: {}\n\n", json!({"object": "chat.completion.chunk", "id": "c", "choices": [choice]}))
    };
    let mut stream: String =
        pieces.iter().map(|piece| frame(json!([{"type": "text", "text": piece}]), Value::Null)).collect();
    stream.push_str(&frame(json!([]), json!("stop")));
    stream.push_str("data: [DONE]\n\n");
    let response = response(&stream);
    assert_eq!(response.text(), "Rio opens at nine.");
    assert_eq!(thoughts(&response), ["Rio?"]);
}

/// Each step of an agent may begin with one.
#[test]
fn each_text_of_an_agent_may_open_with_a_thought() {
    let page = json!({"type": "source-url", "sourceId": "1", "url": "https://rio.example/", "title": "Rio"});
    let message = json!({"id": "m", "role": "assistant", "parts": [
        {"type": "text", "text": "<think>Search [first](https://rio.example/).</think>I look."},
        {"type": "tool-search", "toolCallId": "t", "state": "output-available", "input": {"query": "q"}, "output": "r"},
        page,
        {"type": "text", "text": "<think>Found.</think>"},
        {"type": "text", "text": "It opens at nine ([Rio](https://rio.example/))."}]});
    let response = response(&message.to_string());
    assert_eq!(response.text(), "I look.It opens at nine ([Rio](https://rio.example/)).");
    assert_eq!(thoughts(&response), ["Search [first](https://rio.example/).", "Found."]);
    assert_eq!(response.supports.len(), 1);
}

/// What a search found and nothing cites is a source that nothing cites.
#[test]
fn what_a_search_found_is_read_however_it_is_listed() {
    let page = |host: &str| {
        json!({"type": "web_search_result", "url": format!("https://{host}.example/"), "title": host,
        "page_age": "July 14, 2026", "encrypted_content": "abc"})
    };
    let pages = json!([page("rio"), page("oslo")]);
    let call =
        json!({"type": "server_tool_call", "id": "w", "name": "web_search", "args": {"query": "hours"}});
    let result = |output: Value| json!({"type": "server_tool_result", "tool_call_id": "w", "status": "success", "output": output});
    let raw_call =
        json!({"type": "server_tool_use", "id": "w", "name": "web_search", "input": {"query": "hours"}});
    let raw = json!({"type": "web_search_tool_result", "tool_use_id": "w", "content": pages});
    let action = json!({"type": "search", "query": "hours", "sources": [{"type": "url", "url": "https://rio.example/"},
        {"type": "url", "url": "https://oslo.example/"}]});
    let openai = json!({"type": "web_search_call", "id": "w", "status": "completed", "action": action});
    let text = json!({"type": "text", "text": "It opens at nine."});
    for (blocks, place) in [
        (json!([call, result(pages.clone()), text]), "$.content[1].output[0]"),
        (json!([call, result(json!({"sources": pages})), text]), "$.content[1].output.sources[0]"),
        (json!([call, result(json!([{"sources": pages}])), text]), "$.content[1].output[0].sources[0]"),
        (json!([call, result(json!({"results": pages})), text]), "$.content[1].output.results[0]"),
        (json!([call, result(json!(pages.to_string())), text]), "$.content[1].output[0]"),
        (json!([raw_call, raw, text]), "$.content[1].content[0]"),
        (json!([openai, text]), "$.content[0].action.sources[0]"),
    ] {
        for key in ["content", "content_blocks"] {
            let input = json!({"type": "ai", key: blocks, "response_metadata": {"model_name": "m"}});
            let response = response(&input.to_string());
            let addresses: Vec<_> =
                response.sources.iter().filter_map(|source| source.uri.as_deref()).collect();
            assert_eq!(addresses, ["https://rio.example/", "https://oslo.example/"], "{input}");
            let place =
                place.replace("$.content", if key == "content" { "$.content" } else { "$.contentBlocks" });
            assert_eq!(response.sources[0].origin.path.to_string(), place, "{input}");
            assert_eq!(response.text(), "It opens at nine.");
            assert_eq!(response.queries[0].text, "hours");
            assert_eq!(response.traces.len(), 1, "{input}");
            assert_eq!(response.traces[0].results.len(), 2, "{input}");
            let idle = "1 search ran and 2 sources came back, but no words are attributed to any";
            assert_eq!(finds(&input, "query-idle"), [idle], "{input}");
        }
    }
}

#[test]
fn what_other_tools_say_is_their_result() {
    let file =
        json!({"file_id": "file-1", "filename": "rio.pdf", "score": 0.5, "text": "Rio opens at nine."});
    let blocks = json!([
        {"type": "file_search_call", "id": "f", "status": "completed", "queries": ["hours"], "results": [file]},
        {"type": "server_tool_call", "id": "c", "name": "code_interpreter", "args": {"code": "1"}},
        {"type": "server_tool_result", "tool_call_id": "c", "output": [{"type": "logs", "logs": "one"}]},
        {"type": "server_tool_call", "id": "m", "name": "mcp", "args": {}},
        {"type": "server_tool_result", "tool_call_id": "m", "output": "plain words"},
        {"type": "server_tool_call", "id": "r", "name": "count", "args": {}},
        {"type": "server_tool_result", "tool_call_id": "r", "output": {"results": 3}},
        {"type": "server_tool_call", "id": "e", "name": "web_search", "args": {}},
        {"type": "server_tool_result", "tool_call_id": "e", "output": {"type": "web_search_tool_result_error", "error_code": "max_uses_exceeded"}},
        {"type": "server_tool_call", "id": "p", "name": "web_fetch", "args": {}},
        {"type": "server_tool_result", "tool_call_id": "p", "output": {"type": "web_fetch_result", "url": "https://rio.example/",
            "content": {"type": "document", "title": "Rio", "source": {"type": "text", "data": "Open from nine."}}}},
        {"type": "text", "text": "It opens at nine."}]);
    let response = response(&json!({"type": "ai", "content": blocks, "response_metadata": {}}).to_string());
    let texts = response.traces.iter().flat_map(|trace| &trace.results);
    let texts: Vec<_> = texts.filter_map(|result| result.text.as_deref()).collect();
    assert_eq!(texts, ["Rio opens at nine.", "one", "plain words", r#"{"results":3}"#, "Open from nine."]);
    let named = |source: &Source| (source.id.clone(), source.uri.clone(), source.title.clone().unwrap());
    let named: Vec<_> = response.sources.iter().map(named).collect();
    assert_eq!(
        named,
        [
            (Some("file-1".to_owned()), None, "rio.pdf".to_owned()),
            (None, Some("https://rio.example/".to_owned()), "Rio".to_owned())
        ]
    );
    assert_eq!(response.traces[0].tool.as_deref(), Some("file_search"));
    assert_eq!(response.queries[0].text, "hours");
    assert!(response.traces[4].failed);
    assert_eq!(response.traces[4].error.as_deref(), Some("max_uses_exceeded"));
}

/// Two documents of one number are two sources, and each claim has its own.
#[test]
fn a_number_does_not_make_two_documents_one() {
    let cite = |title: Value, words: &str| {
        json!({"type": "char_location", "cited_text": words, "document_index": 0,
        "document_title": title, "start_char_index": 0, "end_char_index": 9})
    };
    let claim =
        |text: &str, title: Value| json!({"type": "text", "text": text, "citations": [cite(title, text)]});
    let texts = [
        claim("Rio is open. ", json!("Rio")),
        claim("Oslo is not. ", json!("Oslo")),
        claim("It is.", Value::Null),
    ];
    let anthropic =
        json!({"type": "message", "role": "assistant", "stop_reason": "end_turn", "content": texts});
    let noted = |text: &str, title: &str| {
        json!({"type": "text", "text": text, "annotations": [{"type": "citation", "title": title,
        "cited_text": text, "extras": {"document_index": 0, "start_char_index": 0, "end_char_index": 9}}]})
    };
    let langchain = json!({"content_blocks": [noted("Rio is open. ", "Rio"), noted("Oslo is not. ", "Oslo"), noted("It is.", "Rio")]});
    let located = |text: &str, title: &str| {
        json!({"citationsContent": {"content": [{"text": text}], "citations": [{"title": title,
        "sourceContent": [{"text": text}], "location": {"documentChar": {"documentIndex": 0, "start": 0, "end": 9}}}]}})
    };
    let converse = json!({"stopReason": "end_turn", "output": {"message": {"role": "assistant",
        "content": [located("Rio is open. ", "Rio"), located("Oslo is not. ", "Oslo"), located("It is.", "Rio")]}}});
    let source = |title: &str| json!([{"type": "document", "id": "0", "document": {"id": "0", "title": title, "text": title}}]);
    let cited = |start: usize, end: usize, text: &str, title: &str| json!({"start": start, "end": end, "text": text, "sources": source(title)});
    let cohere = json!({"id": "c", "finish_reason": "COMPLETE", "message": {"role": "assistant",
        "content": [{"type": "text", "text": "Rio is open. Oslo is not. It is."}],
        "citations": [cited(0, 12, "Rio is open.", "Rio"), cited(13, 25, "Oslo is not.", "Oslo"), cited(26, 32, "It is.", "Rio")]}});
    for input in [anthropic, langchain, converse, cohere] {
        let response = response(&input.to_string());
        let titles: Vec<_> = response.sources.iter().filter_map(|source| source.title.as_deref()).collect();
        assert_eq!(titles, ["Rio", "Oslo"], "{input}");
        let cited = response.supports.iter().flat_map(|support| &support.citations);
        let cited: Vec<_> = cited.map(|citation| citation.target.source().unwrap()).collect();
        assert_eq!(cited, [0, 1, 0], "{input}");
    }
}

/// Some that build on chat completions annotate a part of a message, which no service does that is known.
#[test]
fn citations_in_a_part_of_a_chat_completion_are_told() {
    let of = |part: Value| {
        json!({"id": "c", "object": "chat.completion", "choices": [{"index": 0, "finish_reason": "stop",
            "message": {"role": "assistant", "content": [{"type": "text", "text": "Hm."}, part]}}]})
    };
    let told = ["no service that is known here sends citations in this place: they are not read"];
    let cited = json!([{"type": "url_citation", "url_citation": {"start_index": 0, "end_index": 11, "url": "https://a.example/"}}]);
    for key in ["annotations", "citations"] {
        let part = |list: &Value| json!({"type": "text", "text": "Rio is big.", key: list});
        assert_eq!(finds(&of(part(&cited)), "citations-unread"), told);
        assert!(finds(&of(part(&json!([]))), "citations-unread").is_empty());
    }
}

/// What each claim rests on: title and address of its source, and the words that are cited.
fn cited(response: &Response) -> Vec<(Option<&str>, Option<&str>, Vec<&str>)> {
    let of = |citation: &Citation| {
        let Target::Source(index) = citation.target else { panic!("{citation:?}") };
        let source = &response.sources[index];
        let chunks = citation.cited.as_ref().map(|cited| cited.chunks.clone()).unwrap_or_default();
        let texts = chunks.into_iter().map(|chunk| source.chunks[chunk].text.as_str()).collect();
        (source.title.as_deref(), source.uri.as_deref(), texts)
    };
    response.supports.iter().flat_map(|support| &support.citations).map(of).collect()
}

/// LangChain over Converse leaves its citations in a text, in blocks of version 1 among the extras, and in
/// JavaScript in a block of their own: places and words were lost, and two pages became one.
#[test]
fn citations_of_converse_are_read_as_langchain_hands_them_on() {
    let page = |name: &str| json!({"web": {"url": format!("https://{name}.example/")}});
    let pages = [
        (Some("R"), Some("https://a.example/"), vec!["first"]),
        (Some("R"), Some("https://b.example/"), vec!["second"]),
    ];
    let message = |blocks: [Value; 2]| json!({"type": "ai", "content": blocks}).to_string();
    let texts = |key: &str, cite: &dyn Fn(&str, &str) -> Value| {
        message(
            [("One.", "first", "a"), (" Two.", "second", "b")]
                .map(|(text, words, name)| json!({"type": "text", "text": text, key: [cite(words, name)]})),
        )
    };
    let left = |words: &str, name: &str| json!({"title": "R", "source_content": [{"text": words}], "location": page(name)});
    let of_js = |words: &str, name: &str| json!({"title": "R", "sourceContent": [{"text": words}], "location": page(name)});
    let extras = |words: &str, name: &str| json!({"type": "citation", "title": "R", "cited_text": words, "extras": {"location": page(name)}});
    let own_blocks =
        message([("One.", "first", "a"), (" Two.", "second", "b")].map(|(text, words, name)| {
            let cited = json!({"content": [{"text": text}], "citations": [of_js(words, name)]});
            json!({"type": "citations_content", "citationsContent": cited})
        }));
    for input in
        [texts("citations", &left), texts("citations", &of_js), texts("annotations", &extras), own_blocks]
    {
        let response = response(&input);
        assert_eq!((response.text(), cited(&response)), ("One. Two.", pages.to_vec()), "{input}");
        let ranges: Vec<_> = response.supports.iter().map(|support| support.own.placed.clone()).collect();
        assert_eq!(ranges, [Some(0..4), Some(4..9)]);
    }
    let numbered = |_: &str, name: &str| {
        let index = usize::from(name == "b");
        json!({"title": "R", "location": {"document_char": {"document_index": index, "start": 3, "end": 8}}})
    };
    let input = texts("citations", &numbered);
    let ids: Vec<_> = response(&input).sources.iter().map(|source| source.id.clone().unwrap()).collect();
    assert_eq!(ids, ["document 0", "document 1"]);
    // As Nova sends them: behind the words.
    let point =
        json!({"type": "citations_content", "citationsContent": {"citations": [{"location": page("a")}]}});
    let in_python = json!({"type": "text", "text": "", "citations": [{"location": page("a")}]});
    for point in [point, in_python] {
        let nova = response(&message([json!({"type": "text", "text": "One."}), point]));
        assert_eq!(nova.supports[0].own.mark, Some(4..4));
        assert_eq!(cited(&nova), [(None, Some("https://a.example/"), vec![])]);
    }
    // What was searched has its address beside its place.
    let extras = json!({"source": "https://a.example/", "search_result_index": 0});
    let annotation = json!({"type": "citation", "title": "R", "cited_text": "first", "extras": extras});
    let input =
        json!({"type": "ai", "content": [{"type": "text", "text": "One.", "annotations": [annotation]}]});
    assert_eq!(cited(&response(&input.to_string())), pages[..1]);
}

/// What one calls one's own search results tells them apart, whatever their titles are.
#[test]
fn search_results_under_names_of_ones_own_stay_apart() {
    let cite = |name: &str, index: u32| {
        json!({"type": "search_result_location", "source": name, "title": "S",
        "search_result_index": index, "cited_text": name, "start_block_index": 0, "end_block_index": 1})
    };
    let block = |text: &str, cite: Value| json!({"type": "text", "text": text, "citations": [cite]});
    let message = |second: &str| {
        let content = [block("One.", cite("kb-1", 0)), block(" Two.", cite(second, 1))];
        json!({"type": "message", "role": "assistant", "content": content, "stop_reason": "end_turn"})
    };
    assert_eq!(response(&message("kb-2").to_string()).sources.len(), 2);
    assert_eq!(response(&message("kb-1").to_string()).sources.len(), 1);
    // One name of a whole base, with the title of each page.
    let mut titled = message("kb-1");
    titled["content"][1]["citations"][0]["title"] = "T".into();
    assert_eq!(response(&titled.to_string()).sources.len(), 2);
    let converse = |name: &str| {
        let location = json!({"searchResultLocation": {"searchResultIndex": 0, "start": 0, "end": 1}});
        let cite =
            json!({"title": "S", "source": name, "sourceContent": [{"text": name}], "location": location});
        json!({"citationsContent": {"content": [{"text": "Fact."}], "citations": [cite]}})
    };
    let both = json!({"output": {"message": {"role": "assistant", "content": [converse("kb-1"), converse("kb-2")]}}, "stopReason": "end_turn"});
    assert_eq!(response(&both.to_string()).sources.len(), 2);
}

/// As LangChain leaves what OpenAI's own tools did in its first version of blocks.
#[test]
fn tools_of_openai_beside_the_content_are_steps() {
    let search = json!({"type": "file_search_call", "id": "w", "queries": ["tower"],
        "results": [{"file_id": "f1", "filename": "a.txt", "text": "It is 41 m high."}]});
    let web = json!({"type": "web_search_call", "id": "x",
        "action": {"type": "search", "query": "lit", "sources": [{"type": "url", "url": "https://z.example/"}]}});
    let annotation = json!({"type": "file_citation", "file_id": "f1", "filename": "a.txt", "index": 14});
    let text = json!({"type": "text", "text": "Tower is 41 m.", "annotations": [annotation]});
    for outputs in [json!([search, web]), json!([search])] {
        let input = json!({"type": "ai", "content": [text], "additional_kwargs": {"tool_outputs": outputs}});
        let response = response(&input.to_string());
        let count = outputs.as_array().unwrap().len();
        let queries: Vec<&str> = response.queries.iter().map(|query| query.text.as_str()).collect();
        assert_eq!((queries, response.traces.len()), (["tower", "lit"][..count].to_vec(), count));
        let source = &response.sources[0];
        assert_eq!((source.title.as_deref(), source.id.as_deref()), (Some("a.txt"), Some("f1")));
        assert_eq!(source.chunks[0].text, "It is 41 m high.");
        assert_eq!(response.sources.len(), count);
    }
    let failed = json!({"type": "mcp_call", "id": "mc", "name": "f", "output": null, "error": "boom"});
    let idle = json!({"type": "web_search_call", "id": "x", "status": "failed"});
    let input =
        json!({"type": "ai", "content": "Hello.", "additional_kwargs": {"tool_outputs": [failed, idle]}});
    assert_eq!(finds(&input, "step-failed").len(), 2);
}

/// One with the same number came in the place of the other.
#[test]
fn two_messages_under_one_number_are_two() {
    let choice = |text: &str| json!({"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"});
    let both =
        json!({"object": "chat.completion", "choices": [choice("One."), choice("Two."), choice("Six.")]});
    let input = open("f", both.to_string());
    let answers: Vec<String> =
        input.reviews().map(|review| review.unwrap().response.text().to_owned()).collect();
    assert_eq!(answers, ["One.", "Two.", "Six."]);
}

/// `LangChain` wraps what it has no kind for; another kind than a citation names nothing.
#[test]
fn an_annotation_that_langchain_wraps_is_the_one_in_it() {
    let held = |value: Value| json!({"type": "non_standard_annotation", "value": value});
    let file = json!({"type": "container_file_citation", "container_id": "c", "file_id": "f1",
        "filename": "x.csv", "start_index": 9, "end_index": 35});
    let input = json!({"type": "ai", "response_metadata": {"model_provider": "openai"}, "content": [
        {"type": "text", "text": "See file [here](sandbox:/mnt/x.csv).", "annotations": [held(file), held(json!({"bar": "baz"})),
            {"type": "citation", "url": "https://rio.example/", "value": {"bar": "baz"}}]}]});
    let response = response(&input.to_string());
    let sources: Vec<_> =
        response.sources.iter().map(|source| (source.title.as_deref(), source.id.as_deref())).collect();
    assert_eq!(sources, [(Some("x.csv"), Some("f1")), (None, None)]);
    let ranges: Vec<_> = response.supports.iter().filter_map(|support| support.segment.as_ref()).collect();
    assert_eq!(
        ranges.iter().map(|range| (range.start, range.end)).collect::<Vec<_>>(),
        [(Some(9), Some(35))]
    );
    // What names its source itself is a citation of the block, whatever it holds.
    assert_eq!(
        response.sources.last().and_then(|source| source.uri.as_deref()),
        Some("https://rio.example/")
    );
    assert_eq!(response.supports.len(), 2);
}

/// Perplexity through `OpenRouter`: both name the pages, the annotations alone have titles and passages.
#[test]
fn annotations_beside_a_list_of_sources_describe_them() {
    let input = |start: u64, end: u64, text: &str| {
        let annotation = |name: &str, start: u64, end: u64| {
            json!({"type": "url_citation", "url_citation": {"start_index": start, "end_index": end, "title": name,
                "url": format!("https://{name}.example/"), "content": format!("{name}: nine to ten")}})
        };
        json!({"object": "chat.completion", "model": "perplexity/sonar", "citations": ["https://rio.example/"],
            "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text,
                "annotations": [annotation("rio", start, end), annotation("oslo", 0, 0)]}}]})
    };
    let marked = input(0, 0, "Rio opens at nine [1].");
    let read = response(&marked.to_string());
    let told = |source: &Source| {
        (
            source.title.clone().unwrap_or_default(),
            source.chunks.iter().map(|chunk| chunk.text.clone()).collect(),
        )
    };
    let told: Vec<(String, Vec<String>)> = read.sources.iter().map(told).collect();
    assert_eq!(
        told,
        [
            ("rio".to_owned(), vec!["rio: nine to ten".to_owned()]),
            ("oslo".to_owned(), vec!["oslo: nine to ten".to_owned()])
        ]
    );
    assert_eq!(read.supports.len(), 1);
    assert_eq!(finds(&marked, "citations-unread"), [""; 0]);
    assert_eq!(
        finds(&input(0, 18, "Rio opens at nine."), "citations-unread"),
        ["1 annotation has a range of the answer beside a list of sources: what is cited there is not read"]
    );
    // The same where other words have a mark; at a mark the page has to be that of its number.
    let text = "Rio opens at nine [1]. It rains.";
    assert_eq!(finds(&input(23, 32, text), "citations-unread").len(), 1);
    for (start, end) in [(0, 17), (18, 21), (0, 21)] {
        let said = [input(start, end, text), input(start, end, text.replace("[1]", "[2]").as_str())]
            .map(|input| (finds(&input, "citations-unread").len(), finds(&input, "source-order")));
        let other = "1 annotation names another page than the list does by the number of the mark there";
        assert_eq!(said, [(0, vec![]), (0, vec![other.to_owned()])], "{start}..{end}");
    }
}

/// A page that one list lacks moves those behind it: the mark named one page, and was read as another.
#[test]
fn a_page_that_one_list_lacks_moves_the_numbers_of_others() {
    let url = |page: &&str| format!("https://{page}.example/");
    let input = |citations: &[&str], results: &[&str]| {
        let results: Vec<Value> =
            results.iter().map(|page| json!({"title": page, "url": url(page)})).collect();
        json!({"object": "chat.completion", "choices": [{"index": 0, "finish_reason": "stop",
            "message": {"role": "assistant", "content": "Rio is one [1]. Oslo is two [2]."}}],
            "citations": citations.iter().map(url).collect::<Vec<_>>(), "search_results": results})
    };
    let other = |number: u32| {
        vec![format!("[{number}] is another page in search_results than in citations, by which it is read")]
    };
    for (citations, results, told) in [
        (&["oslo", "bonn"][..], &["rio", "oslo", "bonn"][..], other(1)),
        (&["rio", "bonn"], &["rio", "oslo", "bonn"], other(2)),
        (&["rio", "oslo", "bonn"], &["oslo", "bonn"], other(1)),
        (&["rio", "oslo"], &["rio", "oslo", "bonn"], vec![]),
        (&["rio", "oslo"], &["kiel", "bonn"], vec![]),
    ] {
        assert_eq!(finds(&input(citations, results), "source-order"), told, "{citations:?} {results:?}");
    }
}

/// The example in Vertex AI's own documentation spells it so.
#[test]
fn supports_of_vertex_in_its_other_spelling_are_read() {
    let chunk =
        |name: &str| json!({"retrievedContext": {"uri": format!("https://{name}.example/"), "title": name}});
    let input = json!({"candidates": [{"content": {"role": "model", "parts": [{"text": "Rio is one. Oslo is two."}]},
        "finishReason": "STOP", "groundingMetadata": {"groundingChunks": [chunk("rio"), chunk("oslo")],
        "groundingSupports": [{"segment": {"startIndex": 0, "endIndex": 11}, "segment_text": "Rio is one.",
            "supportChunkIndices": [1], "confidenceScore": [0.3]}]}}]});
    let response = response(&input.to_string());
    let support = response.supports.first().unwrap();
    assert_eq!(support.citations.iter().map(Citation::index).collect::<Vec<_>>(), [Some(1)]);
    assert_eq!(support.citations.first().and_then(|citation| citation.score), Some(0.3));
    assert_eq!(support.segment.as_ref().and_then(|segment| segment.quote.as_deref()), Some("Rio is one."));
}

/// Blocks that a framework made of the content may lack what it cites.
#[test]
fn content_that_cites_is_read_beside_blocks_that_do_not() {
    let cites = json!([{"type": "citation", "url": "https://rio.example/", "title": "Rio"}]);
    let block =
        |annotations: &Value| json!([{"type": "text", "text": "Rio is big.", "annotations": annotations}]);
    let bare = json!([{"type": "text", "text": "Rio is big."}]);
    for (content, blocks) in
        [(block(&cites), bare.clone()), (bare.clone(), block(&cites)), (block(&cites), json!([]))]
    {
        let read = response(
            &json!({"type": "ai", "id": "r", "content": content, "content_blocks": blocks}).to_string(),
        );
        assert_eq!((read.text(), read.supports.len(), read.sources.len()), ("Rio is big.", 1, 1));
    }
}
