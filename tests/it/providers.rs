//! The providers beyond Google and Bigdata.com: recorded responses against an independent reader of the same
//! rulings, and what holds of every sample.

use std::fs;
use std::ops::Range;

use citescope::format::{claims, looks_like};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::common::library::{corpus, open, read, sample};
use crate::common::program::{output, texts};

/// Bytes in ranges that may overlap.
fn bytes(mut ranges: Vec<Range<u64>>) -> u64 {
    ranges.sort_by_key(|range| range.start);
    let mut end = 0;
    let fresh = |range: &Range<u64>| {
        let bytes = range.end.max(end) - range.start.max(end);
        end = end.max(range.end);
        bytes
    };
    ranges.iter().map(fresh).sum()
}

/// What the table says of a response.
fn figures(response: &Value) -> Vec<String> {
    let answer = response["answer"].as_str().unwrap_or_default();
    let digest: String = Sha256::digest(answer).iter().map(|byte| format!("{byte:02x}")).collect();
    let list = |key: &str| response[key].as_array().unwrap();
    let supports = list("supports");
    let citations: Vec<&Value> =
        supports.iter().flat_map(|one| one["citations"].as_array().unwrap()).collect();
    let verdict = |one: &Value| one["anchor"]["verdict"].as_str().unwrap().to_owned();
    let elsewhere = ["unit", "base", "inclusive", "shifted", "drifted", "reanchored", "ambiguous"];
    let proof = response["fit"]["proof"].as_str().unwrap();
    let counted = |count: usize| {
        if ["quotes", "markers", "slots"].contains(&proof) { count.to_string() } else { "-".to_owned() }
    };
    let mut kinds: Vec<String> =
        supports.iter().map(|one| one["kind"].as_str().unwrap().to_owned()).collect();
    kinds.sort();
    kinds.dedup();
    let of_kind = |kind: &String| supports.iter().filter(|one| one["kind"] == **kind).count();
    let kinds: Vec<String> = kinds.iter().map(|kind| format!("{kind}:{}", of_kind(kind))).collect();
    let claim = |one: &Value| Some(one["start"].as_u64()?..one["end"].as_u64()?);
    let mark = |one: &Value| Some(one["anchor"]["mark"][0].as_u64()?..one["anchor"]["mark"][1].as_u64()?);
    let or_dash = |text: String| if text.is_empty() { "-".to_owned() } else { text };
    vec![
        response["format"].as_str().unwrap().to_owned(),
        answer.len().to_string(),
        if answer.is_empty() { "-".to_owned() } else { digest[..12].to_owned() },
        list("sources").len().to_string(),
        supports.len().to_string(),
        citations.len().to_string(),
        citations.iter().filter(|one| one["kind"] == "dangling").count().to_string(),
        counted(supports.iter().filter(|one| verdict(one) == "exact").count()),
        list("queries").len().to_string(),
        proof.to_owned(),
        counted(supports.iter().filter(|one| elsewhere.contains(&verdict(one).as_str())).count()),
        or_dash(kinds.join(" ")),
        bytes(supports.iter().filter_map(claim).collect()).to_string(),
        bytes(supports.iter().filter_map(mark).collect()).to_string(),
        response["state"].as_str().unwrap().to_owned(),
    ]
}

#[test]
fn recordings_agree_with_an_independent_reader() {
    let Some(corpus) = corpus() else { return };
    let folder = corpus.join("recordings-other");
    let table = fs::read_to_string(folder.join("expected.tsv")).unwrap();
    let columns = [1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];
    let mut rows = 0;
    for row in table.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>()) {
        let file = folder.join(row[0]);
        let arguments = ["export".as_ref(), "--to".as_ref(), "json".as_ref(), file.as_os_str()];
        let (code, out, errors) = texts(output(arguments, ""));
        assert_eq!(code, 0, "{}: {errors}", row[0]);
        let document: Value = serde_json::from_str(&out).unwrap();
        assert_eq!(document["responses"].as_array().unwrap().len(), 1, "{}", row[0]);
        assert_eq!(figures(&document["responses"][0]), columns.map(|column| row[column]), "{}", row[0]);
        rows += 1;
    }
    assert_eq!(rows, 108);
}

#[test]
fn requests_are_refused_by_name() {
    let Some(corpus) = corpus() else { return };
    let mut seen = 0;
    for file in citescope::store::files_below(&corpus.join("recordings-other")).unwrap() {
        if !file.to_string_lossy().ends_with(".request.json") {
            continue;
        }
        let (code, out, errors) = texts(output(["check".as_ref(), file.as_os_str()], ""));
        assert_eq!(
            (code, out.as_str()),
            (2, "no findings in 0 responses; 1 input could not be read\n"),
            "{}",
            file.display()
        );
        assert!(errors.contains("this looks like "), "{errors}");
        seen += 1;
    }
    assert!(seen > 40, "{seen}");
}

#[test]
fn a_stream_says_what_its_body_says() {
    let body = r#"{"object": "response", "id": "r", "model": "m", "status": "completed", "output": [
        {"type": "message", "id": "m1", "role": "assistant", "content": [{"type": "output_text",
         "text": "It is old. ([a](https://a.example))", "annotations": [{"type": "url_citation",
           "start_index": 11, "end_index": 35, "url": "https://a.example", "title": "A"}]}]}]}"#;
    let events = r#"
data: {"type": "response.created", "response": {"object": "response", "id": "r", "model": "m", "status": "in_progress", "output": []}}

data: {"type": "response.output_text.delta", "output_index": 0, "content_index": 0, "delta": "It is old. "}

data: {"type": "response.output_text.delta", "output_index": 0, "content_index": 0, "delta": "([a](https://a.example))"}

data: {"type": "response.output_text.annotation.added", "output_index": 0, "content_index": 0, "annotation_index": 0, "annotation": {"type": "url_citation", "start_index": 11, "end_index": 35, "url": "https://a.example", "title": "A"}}
"#;
    let whole = figures(&read(body)[0]);
    let mut cut = figures(&read(events.trim_start())[0]);
    assert_eq!(cut.pop().as_deref(), Some("truncated"));
    assert_eq!(cut, whole[..14]);
    let closed = format!(
        "{}\ndata: {{\"type\": \"response.completed\", \"response\": {}}}\n\n",
        events.trim_start(),
        body.replace('\n', " ")
    );
    assert_eq!(figures(&read(&closed)[0]), whole);
}

#[test]
fn a_chunk_that_tells_late_which_dialect_it_is_joins_its_stream() {
    let chunk = |inner: &str| {
        format!(
            "data: {{\"id\": \"c\", \"object\": \"chat.completion.chunk\", \"choices\": [{{\"index\": 0, {inner}}}]}}\n\n"
        )
    };
    let mistral = [
        chunk(r#""delta": {"role": "assistant", "content": "It is old."}"#),
        chunk(r#""delta": {"content": [{"type": "reference", "reference_ids": [3]}]}"#),
        chunk(r#""delta": {"content": " It is red."}, "finish_reason": "stop""#),
    ];
    let responses = read(&mistral.concat());
    assert_eq!(responses.len(), 1);
    assert_eq!(responses[0]["format"], "mistral");
    assert_eq!(responses[0]["answer"], "It is old. It is red.");
    let azure = [
        chunk(
            r#""delta": {"role": "assistant", "context": {"citations": [{"title": "A", "content": "old"}], "intent": "[\"age\"]"}}"#,
        ),
        chunk(r#""delta": {"content": "It is old [doc1]."}"#),
        chunk(r#""delta": {}, "finish_reason": "stop""#),
    ];
    let responses = read(&azure.concat());
    let told: Vec<&Value> = responses.iter().map(|response| &response["format"]).collect();
    assert_eq!(told, ["azure-oyd"]);
    assert_eq!(responses[0]["supports"][0]["citations"][0]["source"], 0);
}

#[test]
fn a_thing_is_what_it_is_and_nothing_else() {
    for (frame, format) in [
        (r#"{"type": "message", "role": "assistant", "content": []}"#, "anthropic-messages"),
        (r#"{"type": "message-start", "delta": {}}"#, "cohere"),
        (r#"{"object": "interaction", "steps": []}"#, "gemini-interactions"),
        (r#"{"output": {"text": "a"}, "sessionId": "s"}"#, "bedrock-rag"),
        (r#"{"output": {"message": {"content": []}}}"#, "bedrock-converse"),
        (r#"{"outputs": [{"message": {"role": "ROLE_ASSISTANT"}}]}"#, "xai"),
        (r#"{"object": "conversation.response", "outputs": []}"#, "mistral"),
        (r#"{"choices": [{"message": {"content": "a"}}], "citations": ["https://a.example"]}"#, "perplexity"),
        (r#"{"choices": [{"message": {"content": "a"}}]}"#, "chat-completions"),
        (r#"{"choices": [{"message": {"content": "a", "context": {}}}]}"#, "azure-oyd"),
        (r#"{"type": "text-delta", "id": "1", "delta": "a"}"#, "vercel-ui"),
        (r#"{"type": "assistant.message", "data": {"content": "a"}}"#, "copilot"),
        (r#"{"content_blocks": [{"type": "text", "text": "a"}]}"#, "langchain"),
    ] {
        assert_eq!(claims(frame), [format], "{frame}");
    }
    assert_eq!(
        looks_like(r#"{"messages": [{"role": "user"}], "model": "m"}"#),
        Some("a chat request (OpenAI, Anthropic or alike), not a response")
    );
}

#[test]
fn each_sample_is_read_by_the_format_that_it_is_named_for() {
    for name in [
        "gemini-interactions",
        "openai-responses",
        "chat-completions",
        "anthropic-messages",
        "perplexity",
        "azure-oyd",
        "cohere",
        "bedrock-rag",
        "bedrock-converse",
        "mistral",
        "xai",
        "langchain",
        "vercel-ui",
        "copilot",
    ] {
        let responses = read(sample(&format!("{name}.json")));
        assert!(responses.iter().all(|response| response["format"] == name), "{name}");
        let extra = responses.iter().flat_map(|response| response["supports"].as_array().unwrap());
        assert!(extra.count() > 0, "{name}");
    }
    assert_eq!(read(sample("text-markers.md"))[0]["format"], "text-markers");
}

#[test]
fn what_is_sent_badly_is_read_as_far_as_it_goes() {
    let part = |annotation: &str| {
        format!(
            r#"{{"object": "response", "output": [{{"type": "message", "content": [{{"type": "output_text", "text": "It is old.", "annotations": [{annotation}]}}]}}]}}"#
        )
    };
    for (annotation, verdict) in [
        (
            r#"{"type": "url_citation", "start_index": 90, "end_index": 99, "url": "https://a.example"}"#,
            "gone",
        ),
        (
            r#"{"type": "url_citation", "start_index": 6, "end_index": 99, "url": "https://a.example"}"#,
            "clamped",
        ),
        (
            r#"{"type": "url_citation", "start_index": "x", "end_index": 3, "url": "https://a.example"}"#,
            "gone",
        ),
        (r#"{"type": "file_citation", "index": 9, "file_id": "f"}"#, "exact"),
        (r#"{"type": "file_citation", "index": 4, "file_id": "f"}"#, "as-sent"),
    ] {
        let responses = read(&part(annotation));
        assert_eq!(responses[0]["supports"][0]["anchor"]["verdict"], verdict, "{annotation}");
        assert_eq!(responses[0]["sources"].as_array().unwrap().len(), 1, "{annotation}");
    }
    let none = read(&part(r#"{"type": "url_citation", "url": "https://a.example"}"#));
    assert_eq!(none[0]["supports"].as_array().unwrap().len(), 0);
    assert_eq!(none[0]["findings"][0]["rule"], "citation-zero");
    let two = "{\"type\": \"message\", \"role\": \"assistant\", \"content\": [{\"type\": \"text\", \"text\": \"a\"}]}\n{\"choices\": [{\"message\": {\"content\": \"b\"}}]}\n";
    let session = open("f", two);
    let formats: Vec<String> =
        session.reviews().map(|review| review.unwrap().response.format_id().to_owned()).collect();
    assert_eq!(formats, ["anthropic-messages", "chat-completions"]);
}

/// The ids of what was found, but for notes.
fn found(response: &Value) -> Vec<&str> {
    let findings = response["findings"].as_array().unwrap().iter();
    findings.filter(|one| one["severity"] != "note").map(|one| one["rule"].as_str().unwrap()).collect()
}

#[test]
fn a_request_supplies_the_question_and_its_documents() {
    let pair = &read(sample("logged-pair.json"))[0];
    assert_eq!(pair["format"], "anthropic-messages");
    assert_eq!(pair["question"], "When was the light first lit, and how high is its tower?");
    assert_eq!(pair["sources"][0]["chunks"][2]["label"], "document of the request");
    assert_eq!(found(pair), ["source-text-mismatch"]);
    assert_eq!(pair["findings"][0]["supports"], serde_json::json!([1]));
    assert_eq!(pair["findings"][0]["path"], "$.response.body.content[2]");
}

#[test]
fn recorded_citations_stand_in_the_documents_of_their_requests() {
    let Some(corpus) = corpus() else { return };
    let folder = corpus.join("recordings-other");
    let mut located = 0;
    for file in citescope::store::files_below(&folder).unwrap() {
        let name = file.to_string_lossy().into_owned();
        let endings = [".sse", ".eventstream.jsonl", ".eventstream.bin", ".chunks.jsonl", ".json"];
        let bare = endings.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(&name);
        let request = format!("{bare}.request.json");
        let is_response = !name.ends_with(".request.json") && std::path::Path::new(&request).exists();
        if !is_response {
            continue;
        }
        let arguments = ["export", "--to", "json", "--request", &request, &name];
        let (code, out, errors) = texts(output(arguments, ""));
        assert_eq!(code, 0, "{name}: {errors}");
        let document: Value = serde_json::from_str(&out).unwrap();
        let response = &document["responses"][0];
        assert!(!found(response).contains(&"source-text-mismatch"), "{name}");
        let supports = response["supports"].as_array().unwrap().iter();
        let citations = supports.flat_map(|one| one["citations"].as_array().unwrap());
        let in_request = |one: &&Value| {
            let source = one["source"].as_u64().map(|source| &response["sources"][source as usize]);
            let texts = source.and_then(|source| source["chunks"].as_array()).into_iter().flatten();
            one["location"]["kind"] == "char"
                && texts.into_iter().any(|text| text["label"] == "document of the request")
        };
        located += citations.filter(in_request).count();
    }
    assert_eq!(located, 9);
}

#[test]
fn an_event_that_nobody_knows_does_not_split_its_stream() {
    let events = [
        r#"{"messageStart": {"role": "assistant"}}"#,
        r#"{"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": "Lit in "}}}"#,
        r#"{"futureEvent": {"of": "next year"}}"#,
        r#"{"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": "1932."}}}"#,
        r#"{"messageStop": {"stopReason": "end_turn"}}"#,
    ];
    let stream: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
    let documents = read(&stream);
    assert_eq!((documents.len(), &documents[0]["answer"]), (1, &"Lit in 1932.".into()));
    assert_eq!(documents[0]["extra"]["$[2].futureEvent"]["of"], "next year");
    // What is no JSON costs itself alone.
    let broken = stream.replace(r#"{"futureEvent": {"of": "next year"}}"#, "{\"future");
    let (code, found, errors) = texts(output(["check", "--format", "jsonl", "-"], &broken));
    assert_eq!(code, 2, "{errors}");
    let lines: Vec<Value> = found.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(lines.iter().all(|line| line["rule"] != "stream-truncated"), "{found}");
    assert_eq!(errors, "citescope: stdin:5:9: not JSON: EOF while parsing a string near `future`\n");
    let (code, answer, _) = texts(output(["export", "--to", "plain", "-"], &broken));
    assert_eq!((code, answer.trim()), (2, "Lit in 1932."));
}

#[test]
fn a_ping_belongs_to_whatever_stream_it_stands_in() {
    let stream = sample("gemini-stream.sse");
    let (first, rest) = stream.split_once("\n\n").unwrap();
    let pinged = format!("{first}\n\nevent: ping\ndata: {{\"type\": \"ping\"}}\n\n{rest}");
    let (plain, kept) = (read(stream), read(&pinged));
    assert_eq!((plain.len(), kept.len()), (1, 1));
    assert_eq!(plain[0]["answer"], kept[0]["answer"]);
    assert_eq!(texts(output(["check", "-"], &pinged)).0, texts(output(["check", "-"], stream)).0);
}

#[test]
fn an_error_of_a_service_is_told_with_its_message() {
    for (sent, told) in [
        (
            r#"{"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}"#,
            "Overloaded (overloaded_error)",
        ),
        (r#"{"message": "Too many requests", "__type": "ThrottlingException"}"#, "Too many requests"),
        (r#"{"object": "error", "message": "Bad", "type": "invalid_request_error", "code": 1500}"#, "Bad"),
        (r#"{"message": "invalid api token"}"#, "invalid api token"),
    ] {
        let (code, _, errors) = texts(output(["check"], sent));
        let words = format!(
            "citescope: stdin:1:1: the service answered with an error, not with a response: {told}\n"
        );
        assert_eq!((code, errors), (2, words));
    }
    // The keys of anything else are told as they were sent.
    let (_, _, errors) = texts(output(["check"], r#"{"trace_id": 1, "__kind": "x"}"#));
    assert!(errors.contains(r#"JSON with the keys "trace_id", "__kind""#), "{errors}");
}

#[test]
fn annotations_of_a_gateway_that_cannot_be_read_are_said_so() {
    let sent = |annotation: &str| {
        format!(
            r#"{{"object": "chat.completion", "choices": [{{"message": {{"role": "assistant", "content": "It is old and stands there.", "annotations": [{annotation}]}}, "finish_reason": "stop"}}]}}"#
        )
    };
    let first = |text: &str| read(text)[0]["findings"][0].clone();
    let renamed = first(&sent(
        r#"{"type": "url_citation", "citation": {"start_index": 0, "end_index": 3, "url": "https://a.example"}}"#,
    ));
    assert_eq!(
        (renamed["rule"].as_str(), renamed["message"].as_str()),
        (
            Some("value-type"),
            Some("1 annotation has no url_citation that can be read: what is cited there is not known")
        )
    );
    // Behind the text they are no claims either.
    let beyond = first(&sent(
        r#"{"type": "url_citation", "url_citation": {"start_index": 300, "end_index": 350, "url": "https://a.example"}}"#,
    ));
    assert_eq!(beyond["rule"], "offset-range");
}

#[test]
fn a_plain_shape_may_give_lengths_or_words_in_place_of_ends() {
    let sources = r#"[{"id": "a", "title": "A", "url": "https://a.example"}, {"id": "b", "title": "B", "url": "https://b.example"}]"#;
    for spans in [
        r#""highlights": [{"offset": 0, "length": 12, "source": "a"}, {"offset": 13, "length": 10, "source": "b"}]"#,
        r#""claims": [{"claim": "It is höher.", "evidence": "a"}, {"claim": "It is red.", "evidence": "b"}]"#,
    ] {
        let sent = format!(r#"{{"answer": "It is höher. It is red.", {spans}, "sources": {sources}}}"#);
        let response = &read(&sent)[0];
        let places: Vec<_> = (0..2)
            .map(|at| {
                let support = &response["supports"][at];
                (
                    support["start"].as_u64(),
                    support["end"].as_u64(),
                    support["citations"][0]["source"].as_u64(),
                )
            })
            .collect();
        assert_eq!(places, [(Some(0), Some(13), Some(0)), (Some(14), Some(24), Some(1))], "{spans}");
        assert_eq!(response["format"], "generic");
    }
    // The same words twice are two places; words of a source are no claim.
    let twice = r#"{"answer": "A is old. Yes. B is red. Yes.", "claims": [{"claim": "A is old.", "evidence": "a"}, {"claim": "Yes.", "evidence": "a"}, {"claim": "B is red.", "evidence": "b"}, {"claim": "Yes.", "evidence": "b"}], "sources": [{"id": "a", "title": "A", "url": "https://a.example"}, {"id": "b", "title": "B", "url": "https://b.example"}]}"#;
    let supports = read(twice)[0]["supports"].clone();
    let starts: Vec<_> = (0..4).map(|at| supports[at]["start"].as_u64().unwrap()).collect();
    assert_eq!(starts, [0, 10, 15, 25]);
    let passages = r#"{"answer": "It is old [1].", "highlights": [{"text": "The tower was built long ago.", "source": "a"}], "sources": [{"id": "a", "title": "A", "url": "https://a.example"}]}"#;
    assert_eq!(read(passages)[0]["supports"][0]["kind"], "text-marker");
}

/// The first version of Gemini Interactions: `outputs`, and one `source` that is an address or a title.
#[test]
fn outputs_of_interactions_cite_by_source_and_stand_where_they_were_sent() {
    let sent = |source: &str| {
        json!({"object": "interaction", "id": "i", "status": "completed", "outputs": [{"type": "text", "text": "Rio opens at nine.",
            "annotations": [{"start_index": 0, "end_index": 99, "source": source}]}]})
        .to_string()
    };
    let response = &read(&sent("https://a.example/"))[0];
    assert_eq!(response["sources"][0]["uri"], "https://a.example/");
    assert_eq!(read(&sent("Hours of the Rio"))[0]["sources"][0]["title"], "Hours of the Rio");
    let (code, out, _) = texts(output(["check"], sent("https://a.example/")));
    assert_eq!(code, 1);
    assert!(out.contains("  $.outputs[0].annotations[0]\n") && out.contains("--> stdin:1:"), "{out}");
}

/// What is checked stands in the request: beside the response, or in a file of its own.
#[test]
fn the_answer_of_a_checked_grounding_comes_from_its_request() {
    let request = json!({"answerCandidate": "Rio öffnet um neun. It closes at ten.", "facts": []});
    let response = |from: u32| {
        json!({"supportScore": 0.8, "citedChunks": [{"chunkText": "Rio opens at nine.", "source": "0"}], "claims": [
            {"startPos": from, "endPos": from + 20, "claimText": "Rio öffnet um neun.", "citationIndices": [0]},
            {"startPos": from + 21, "endPos": from + 38, "claimText": "It closes at ten."}]})
    };
    let pair = |from: u32| json!({"request": request, "response": response(from)}).to_string();
    assert_eq!(read(&pair(0))[0]["answer"], "Rio öffnet um neun. It closes at ten.");
    assert_eq!(texts(output(["check", "--ignore", "coverage-low"], pair(0))).0, 0);
    let (code, out, _) = texts(output(["check"], pair(2)));
    assert_eq!(code, 1);
    assert!(out.contains("error[offset-shift]: all offsets are off by +2 bytes"), "{out}");
    // Marks of an encoding are none of the text, whatever file has them.
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, format!("\u{FEFF}{text}")).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (asked, answer) = (
        path("request.json", &request.to_string()),
        path("a.txt", request["answerCandidate"].as_str().unwrap()),
    );
    for option in [["--request", &asked], ["--answer", &answer]] {
        for (from, expected) in [(0, 0), (2, 1)] {
            let arguments = ["check", option[0], option[1]];
            assert_eq!(texts(output(arguments, response(from).to_string())).0, expected, "{option:?} {from}");
        }
    }
}
