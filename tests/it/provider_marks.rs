//! What becomes of the marks that providers write into their answers: whose words they are, and what exports
//! put in their place.

use serde_json::{Value, json};

use crate::common::library::read;
use crate::common::program::{output, run, texts};

/// A Perplexity answer over three sources.
pub fn listed(text: &str) -> String {
    let citations: Vec<String> = (1..=3).map(|number| format!("https://s{number}.example/")).collect();
    let message = json!({"role": "assistant", "content": text});
    json!({"object": "chat.completion", "citations": citations,
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]})
    .to_string()
}

/// An answer of OpenAI's with its annotations.
pub fn annotated(text: &str, annotations: &[Value]) -> String {
    let content = json!([{"type": "output_text", "text": text, "annotations": annotations}]);
    json!({"object": "response", "status": "completed", "output": [{"type": "message", "content": content}]})
        .to_string()
}

pub fn cites(start: usize, end: usize, url: &str) -> Value {
    json!({"type": "url_citation", "start_index": start, "end_index": end, "url": url, "title": "A"})
}

/// The answer with numbers, without the list below it.
pub fn plain(input: &str) -> String {
    let (code, out, errors) = texts(output(["export", "--to", "plain", "-"], input));
    assert_eq!(code, 0, "{errors}");
    let list = (1..=3).filter_map(|number| out.find(&format!("\n\n[{number}] "))).min();
    out[..list.unwrap_or(out.len())].trim_end().to_owned()
}

fn verdicts(input: &str) -> Vec<String> {
    let supports = read(input)[0]["supports"].clone();
    supports
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["anchor"]["verdict"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn our_numbers_take_the_place_of_marks_and_break_no_markdown() {
    for (text, shown) in [
        ("It is old [1]. It is red. [2]", "It is old[1]. It is red.[2]"),
        ("(see [1]) **b [2]** *it [3]*", "(see [1]) **b[2]** *it[3]*"),
        ("Old **[1]**. Red.", "Old[1]. Red."),
        // Signs of the words beside it stay theirs.
        ("*it*[1]**Bold**[2] x", "*it*[1]**Bold**[2] x"),
        ("**要点：**[1]*斜* x", "**要点：[1]***斜* x"),
        // What stands in brackets behind a mark is a link only where it is an address.
        ("世卫组织[1](WHO)表示[2]。", "世卫组织[1](WHO)表示[2]。"),
        ("Old [1](Old Town) x", "Old[1] (Old Town) x"),
        ("Old [1](#s1) x ![2](a.png) y![3](https://c.example/)", "Old[1] x ![2](a.png) y![3]"),
        // A bracket is an interval in a formula, and a list in JSON.
        ("On $[1,3]$ it holds[2].", "On $[1,3]$ it holds[2]."),
        ("For \\(x \\in [1,3]\\) it holds[2].", "For \\(x \\in [1,3]\\) it holds[2]."),
        ("It cost $5 [1] and then 7$ [2].", "It cost $5[1] and then 7$[2]."),
        ("{\"a\": [1, 2], \"b\": \"old\"}", "{\"a\": [1, 2], \"b\": \"old\"}"),
        ("[{\"a\": [1, 2]}]", "[{\"a\": [1, 2]}]"),
        ("The light is old [1] & [2].", "The light is old[1][2]."),
        ("Key points[1]: a. He said [2]: yes.", "Key points[1]: a. He said[2]: yes."),
        ("Old [^1] foot.[^2]\n\n[^1]: https://s1.example/", "Old[1] foot.[2]\n\n[^1]: https://s1.example/"),
        ("Old `a[1]` is [2].", "Old `a[1]` is[2]."),
        // What is opened for the mark alone goes with it.
        ("Old ([1]). Red [[2]].", "Old[1]. Red[2]."),
        ("Old ([1]) ([2]). Red.", "Old[1][2]. Red."),
        ("Old {[1]}. Rot「[2]」。", "Old[1]. Rot[2]。"),
        ("Rot [1]。Blau [2]」 grün", "Rot[1]。Blau[2]」 grün"),
    ] {
        assert_eq!(plain(&listed(text)), shown, "{text}");
    }
}

#[test]
fn a_mark_without_words_stays_where_it_is() {
    for text in [
        "Fact one is here.\n\n[2]\n\nFact two is here.",
        "| A | B |\n|---|---|\n| [3] | |",
        "| A | B |\n|---|---|\n| [3] | z |",
    ] {
        assert_eq!(plain(&listed(text)), text);
        let support = &read(&listed(text))[0]["supports"][0];
        assert_eq!(support["anchor"]["mark"], json!([support["start"], support["end"]]), "{text}");
    }
}

#[test]
fn an_address_is_that_address_and_not_the_beginning_of_another() {
    let other = annotated(
        "One. See https://a.example/other/page for it. Two words.",
        &[cites(41, 50, "https://a.example/other")],
    );
    assert_eq!(verdicts(&other), ["as-sent"]);
    assert_eq!(plain(&other), "One. See https://a.example/other/page for[1] it. Two words.");
    let longer =
        annotated("Page one ([a.example](https://a.example/x)). End.", &[cites(9, 43, "https://a.example")]);
    assert_eq!(verdicts(&longer), ["as-sent"]);
    let tail = annotated(
        "Page one ([a.example](https://a.example/x?utm_source=openai)). End.",
        &[cites(9, 61, "https://a.example/x")],
    );
    assert_eq!(verdicts(&tail), ["exact"]);
}

#[test]
fn a_mark_begins_and_ends_with_the_brackets_of_its_link() {
    let text = "Rio is open ([a](https://a.example/x/)). It closes [[1]](https://a.example/y).";
    let sent = |first: (usize, usize), second: (usize, usize)| {
        let first = cites(first.0, first.1, "https://a.example/x/");
        annotated(text, &[first, cites(second.0, second.1, "https://a.example/y")])
    };
    let right = sent((12, 39), (51, 77));
    assert_eq!(verdicts(&right), ["exact", "exact"]);
    for (first, second) in [
        ((13, 39), (51, 77)),
        ((12, 39), (52, 77)),
        ((12, 38), (50, 76)),
        ((13, 40), (52, 78)),
        ((12, 38), (51, 77)),
    ] {
        let (code, fixed, errors) = texts(output(["fix", "-"], sent(first, second)));
        assert_eq!((code, fixed), (0, right.clone()), "{first:?} {second:?}: {errors}");
        let (code, found, _) = texts(output(["check", "--fail-on", "warning", "-"], sent(first, second)));
        assert_eq!(code, 1, "{found}");
    }
}

#[test]
fn marks_count_in_their_part() {
    let parts = |start: usize| {
        let text = "Two. ([a.example](https://a.example/x)) End.";
        let second = json!({"type": "output_text", "text": text,
            "annotations": [cites(start, start + 34, "https://a.example/x")]});
        json!({"object": "response", "output": [{"type": "message", "content": [
            {"type": "output_text", "text": "Part é one. "}, second]}]})
        .to_string()
    };
    assert_eq!(verdicts(&parts(5)), ["exact"]);
    let (code, fixed, errors) = texts(output(["fix", "-"], parts(17)));
    assert_eq!((code, fixed), (0, parts(5)), "{errors}");
}

#[test]
fn numbers_of_a_stream_are_repaired_in_all_its_messages_or_in_none() {
    let annotation = cites(6, 40, "https://a.example/x");
    let text = "Old. ([a.example](https://a.example/x)) End.";
    let content = json!([{"type": "output_text", "text": text, "annotations": [annotation]}]);
    let output_list = json!([{"type": "message", "content": content}]);
    let events = [
        json!({"type": "response.output_text.delta", "output_index": 0, "content_index": 0, "delta": text}),
        json!({"type": "response.output_text.annotation.added", "output_index": 0, "content_index": 0, "annotation": annotation}),
        json!({"type": "response.completed", "response": {"object": "response", "status": "completed", "output": output_list}}),
    ];
    let stream: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
    let (code, fixed, errors) = texts(output(["fix", "-"], &stream));
    assert_eq!((code, fixed.as_str()), (1, stream.as_str()));
    assert!(errors.contains("its numbers stand in several messages of a stream"), "{errors}");
}

#[test]
fn services_that_disagree_on_the_end_of_a_span_are_both_right() {
    let rag = |end: usize| {
        let part = json!({"textResponsePart": {"span": {"start": 0, "end": end}, "text": "One."}});
        json!({"output": {"text": "One. Two."}, "citations": [{"generatedResponsePart": part, "retrievedReferences": []}]})
            .to_string()
    };
    assert_eq!(verdicts(&rag(3)), ["exact"]);
    assert_eq!(verdicts(&rag(4)), ["exact"]);
}

#[test]
fn what_is_repaired_beside_others_ends_as_they_do() {
    let rag = |spans: [(usize, usize); 3]| {
        let cited = |text: &str, (start, end): (usize, usize)| {
            let part = json!({"textResponsePart": {"span": {"start": start, "end": end}, "text": text}});
            json!({"generatedResponsePart": part, "retrievedReferences": []})
        };
        let cited =
            [cited("Rain fell.", spans[0]), cited("It rose.", spans[1]), cited("They stopped.", spans[2])];
        json!({"output": {"text": "Rain fell. It rose. They stopped."}, "citations": cited}).to_string()
    };
    for more in [0, 1] {
        let right = rag([(0, 9 + more), (11, 18 + more), (20, 32 + more)]);
        let sent = rag([(0, 9 + more), (12, 19 + more), (20, 32 + more)]);
        let (code, fixed, errors) = texts(output(["fix", "-"], sent));
        assert_eq!((code, fixed), (0, right), "{errors}");
    }
}

#[test]
fn pairs_with_text_bodies_and_errors_say_what_they_hold() {
    let inner =
        r#"{"type": "message", "role": "assistant", "content": [{"type": "text", "text": "Claim."}]}"#;
    let pair = json!({"request": {"messages": []}, "response": {"status": 200, "body": inner}}).to_string();
    assert_eq!(read(&pair)[0]["answer"], "Claim.");
    let failed =
        json!({"request": {}, "response": {"body": {"error": {"message": "Overloaded"}}}}).to_string();
    let failed = &read(&failed)[0];
    assert_eq!((&failed["state"], &failed["findings"][0]["rule"]), (&json!("error"), &json!("stream-error")));
    assert!(failed["findings"][0]["message"].as_str().unwrap().contains("Overloaded"));
}

/// The rules of what was found in the first response.
pub fn rules(input: &str) -> Vec<String> {
    let findings = read(input)[0]["findings"].clone();
    findings.as_array().unwrap().iter().map(|one| one["rule"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_mark_inside_of_a_bracket_backs_the_words_before_the_bracket() {
    let text = "It is old. ([a.example](https://a.example/)) It is red.";
    let sent = annotated(text, &[cites(12, 43, "https://a.example/")]);
    let support = &read(&sent)[0]["supports"][0];
    assert_eq!((&support["start"], &support["end"]), (&json!(0), &json!(10)));
    assert_eq!(plain(&sent), "It is old.[1] It is red.");
}

#[test]
fn an_end_that_cuts_off_the_last_bracket_is_inclusive() {
    let text = "It is old ([a](https://a.example/)). It is red ([b](https://b.example/)).";
    let sent = annotated(text, &[cites(10, 34, "https://a.example/"), cites(47, 71, "https://b.example/")]);
    assert_eq!(verdicts(&sent), ["inclusive", "inclusive"]);
    assert!(rules(&sent).contains(&"offset-inclusive".to_owned()), "{:?}", rules(&sent));
    assert_eq!(plain(&sent), "It is old[1]. It is red[2].");
}

#[test]
fn a_marker_is_an_orphan_in_any_notation_unless_an_annotation_holds_it() {
    let text = "It is old【3:0†source】. It is red【3:1†source】.";
    let held = [cites(9, 21, "https://a.example/"), cites(32, 44, "https://b.example/")];
    assert!(!rules(&annotated(text, &held)).contains(&"marker-orphan".to_owned()));
    let told = |sent: &str| {
        let findings = read(sent)[0]["findings"].clone();
        let orphan = findings.as_array().unwrap().iter().find(|one| one["rule"] == "marker-orphan");
        orphan.map(|one| one["message"].as_str().unwrap().to_owned()).unwrap_or_default()
    };
    assert_eq!(
        told(&annotated(text, &held[..1])),
        "1 marker in the answer names no source: 【3:1†source】 (the response has 1)"
    );
    assert_eq!(
        told(&annotated("It is old [doc1]. It is red [[7]].", &[])),
        "2 markers in the answer name no source: [doc1] [[7]] (the response has none)"
    );
    // Of a group the one that names nothing.
    assert_eq!(
        told(&listed("It is old [1] [9].")),
        "1 marker in the answer names no source: [9] (the response has 3)"
    );
}

#[test]
fn the_list_of_a_text_is_neither_cited_nor_uncited() {
    let text = "The light is old and stands at the sea [1]. It is red and can be seen from afar [2].\n\n\
        1. A page of the harbour https://a.example/x\n2. A page of the town https://b.example/y\n";
    let response = &read(text)[0];
    assert_eq!(response["format"], "text-markers");
    // All but the two full stops.
    assert_eq!(response["coverage"], 0.9661);
    assert_eq!(response["findings"], json!([]));
    // Numbered claims with links of their own are no list.
    let claims = "1. The first tower is old and stands at the sea [1](https://s1.example/).\n\
        2. The second tower is red and tall [2](https://s2.example/).\n";
    let coverage = read(&listed(claims))[0]["coverage"].as_f64().unwrap();
    assert!(coverage > 0.8, "{coverage}");
}

/// SDKs and gateways carry Google's metadata along in objects of their own.
#[test]
fn metadata_of_google_is_found_wherever_it_stands_beside_an_answer() {
    let text = "Zürich liegt am See. Käse.";
    let metadata = |index: usize, quote: &str| {
        let support = json!({"segment": {"endIndex": 21, "text": quote}, "groundingChunkIndices": [index]});
        json!({"groundingChunks": [{"web": {"uri": "https://a.example/", "title": "a"}}], "groundingSupports": [support]})
    };
    let snake = |index: usize| {
        let segment = json!({"end_index": 21, "text": "Zürich liegt am See."});
        json!({"grounding_chunks": [{"web": {"uri": "https://a.example/", "title": "a"}}],
            "grounding_supports": [{"segment": segment, "grounding_chunk_indices": [index]}]})
    };
    let source = json!({"type": "source-url", "sourceId": "s1", "url": "https://a.example/", "title": "a"});
    let own = |index| metadata(index, "Zürich liegt am See.");
    let choice = |more: Value| {
        let mut message = json!({"role": "assistant", "content": text});
        message.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({"object": "chat.completion", "id": "c", "choices": [{"index": 0, "finish_reason": "stop", "message": message}]})
    };
    let cases: [&dyn Fn(usize) -> Value; 5] = [
        &|index| json!({"text": text, "finishReason": "stop", "sources": [{"type": "source", "sourceType": "url", "id": "s1", "url": "https://a.example/", "title": "a"}], "providerMetadata": {"google": {"groundingMetadata": own(index)}}}),
        &|index| json!({"id": "m", "role": "assistant", "parts": [{"type": "text", "text": text, "providerMetadata": {"google": {"groundingMetadata": own(index)}}}, source]}),
        &|index| choice(json!({"extra_content": {"google": {"grounding_metadata": snake(index)}}})),
        &|index| choice(json!({"provider_specific_fields": {"grounding_metadata": snake(index)}})),
        &|index| json!({"message": {"role": "model", "content": [{"text": text}]}, "finishReason": "stop", "raw": {"candidates": [{"groundingMetadata": own(index)}]}}),
    ];
    for case in cases {
        let input = case(0).to_string();
        let inline = output(["export", "--to", "inline", "-"], &input);
        let expected = "Zürich liegt am See.[1](https://a.example/) Käse.\n";
        assert_eq!(crate::common::program::text(&inline.stdout), expected, "{input}");
        assert_eq!(output(["check", "-"], &input).status.code(), Some(0), "{input}");
        let wrong = output(["check", "-"], case(5).to_string());
        assert_eq!(wrong.status.code(), Some(1), "{input}");
        assert!(crate::common::program::text(&wrong.stdout).starts_with("error[source-index]"), "{input}");
    }
    // Annotations that were made of it leave out what leads nowhere.
    let annotation = |range: [u32; 2]| json!([{"type": "url_citation", "url_citation": {"start_index": range[0], "end_index": range[1], "url": "https://a.example/", "title": "a"}}]);
    let made = |metadata: Value| {
        let mut completion = choice(json!({"annotations": annotation([0, 20])}));
        completion["vertex_ai_grounding_metadata"] = json!([metadata]);
        completion.to_string()
    };
    for (metadata, wrong) in [
        (own(0), None),
        (
            own(5),
            Some(
                "error[source-index]: 1 support cites index 5 (counted from 0): the response has 1 source\n",
            ),
        ),
        (
            metadata(0, "Bern liegt an der Aare."),
            Some("error[quote-gone]: support 2 has a quote that is nowhere in the answer\n"),
        ),
    ] {
        let out = output(["check", "-"], made(metadata));
        let told = crate::common::program::text(&out.stdout);
        assert_eq!(out.status.code(), Some(i32::from(wrong.is_some())), "{told}");
        assert!(told.starts_with(wrong.unwrap_or_default()), "{told}");
        assert!(!told.contains("quote-mismatch"), "{told}");
    }
    // What stands there twice, as for the last step and for all, counts once; its passages are its sources'.
    let google = |metadata: Value| json!({"google": {"groundingMetadata": metadata}});
    let mut with_text = own(5);
    with_text["groundingChunks"] =
        json!([{"retrievedContext": {"uri": "https://a.example/a.pdf", "text": "Am See."}}]);
    let step = json!({"text": text, "providerMetadata": google(with_text.clone())});
    let twice = json!({"text": text, "finishReason": "stop", "sources": [{"id": "1", "url": "https://a.example/a.pdf"}],
        "steps": [step], "providerMetadata": google(with_text)});
    let read = read(&twice.to_string()).remove(0);
    assert_eq!(read["supports"].as_array().unwrap().len(), 1);
    assert_eq!(read["sources"][0]["chunks"][0]["text"], "Am See.");
    // That of another answer is not taken for its own, unless it stands beside it alone.
    let other = |metadata: Value| output(["check", "-"], metadata.to_string()).status.code();
    let gone = || metadata(0, "Bern liegt an der Aare.");
    assert_eq!(other(choice(json!({"provider_specific_fields": {"grounding_metadata": gone()}}))), Some(1));
    let steps = json!([{"text": "x", "providerMetadata": {"google": {"groundingMetadata": gone()}}}]);
    assert_eq!(other(json!({"text": text, "finishReason": "stop", "sources": [], "steps": steps})), Some(0));
    let request = json!({"messages": [{"role": "model", "groundingMetadata": gone()}]});
    assert_eq!(other(json!({"request": request, "response": choice(json!({}))})), Some(0));
}

/// A mark means the list of its own section; lists that go on with one another are one.
#[test]
fn each_section_of_a_text_may_have_a_list_of_its_own() {
    let inline = |text: &str| {
        let out = output(["export", "--to", "inline", "-"], text);
        crate::common::program::text(&out.stdout).lines().next().unwrap_or_default().to_owned()
    };
    let told = |text: &str| {
        let out = output(["check", "--no-content", "--fail-on", "warning", "-"], text);
        (out.status.code(), crate::common::program::text(&out.stdout).contains("marker-orphan"))
    };
    let lyon = "\n## Lyon\n\nLyon [1]. Old [3].\n\nSources:\n1. https://b.example/1\n2. https://b.example/2\n3. https://b.example/3\n";
    let paris = |mark: u32| {
        format!("Paris is big [{mark}].\n\nSources:\n1. https://a.example/1\n2. https://a.example/2\n{lyon}")
    };
    assert_eq!(inline(&paris(1)), "Paris is big[1](https://a.example/1).");
    assert_eq!(told(&paris(1)), (Some(0), false));
    assert_eq!(told(&paris(3)), (Some(1), true));
    let further = "Big [4].\n\nSources\n1. https://a.example\n2. https://b.example\n\nFurther sources\n3. https://c.example\n4. https://d.example\n";
    assert_eq!(inline(further), "Big[4](https://d.example).");
    let before = "# One\nParis [1].\n\n1. https://a.example/1\n2. https://a.example/2\n\n# Two\nLyon [2].\n\n1. https://b.example/1\n";
    assert_eq!(told(before), (Some(1), true));
}

/// Gemini's text without a signature becomes a string beside the blocks.
#[test]
fn strings_among_the_blocks_of_langchain_are_text_and_text_that_is_lost_moves_no_offset() {
    let message = |content: Value| {
        json!({"type": "ai", "id": "run-1", "content": content, "response_metadata": {"finish_reason": "STOP", "grounding_metadata": {
            "grounding_chunks": [{"web": {"uri": "https://a.example/x", "title": "a"}}],
            "grounding_supports": [
                {"segment": {"start_index": 17, "end_index": 32, "text": "They eat honey."}, "grounding_chunk_indices": [0]},
                {"segment": {"start_index": 33, "end_index": 44, "text": "They sleep."}, "grounding_chunk_indices": [0]}]}}})
        .to_string()
    };
    let block = json!({"type": "text", "text": "They eat honey. They sleep."});
    let mixed = message(json!(["Bears live here. ", block]));
    assert_eq!(read(&mixed)[0]["answer"], "Bears live here. They eat honey. They sleep.");
    assert_eq!(run(&["check"], &mixed).0, 0);
    assert_eq!(run(&["fix"], &mixed).1, mixed);
    // What cannot be read is a part of the text all the same.
    let odd = message(json!([{"type": "text", "text": 7}, block]));
    let (_, fixed, said) = run(&["fix"], &odd);
    assert_eq!(fixed, odd);
    assert!(said.contains("a piece of the text is missing or could not be read"), "{said}");
}

/// Perplexity's agents call a page by what it is and the number that they gave it.
#[test]
fn marks_of_perplexity_that_name_the_web() {
    let text = "Rio is big [web:2][web:1]. Oslo is not [web:1, web:2]. It rains [web:7]. See [web:x].";
    let found = json!([{"id": 1, "url": "https://a.example/1"}, {"id": 2, "url": "https://b.example/2"}]);
    let agent = json!({"object": "response", "id": "r", "status": "completed", "output": [
        {"type": "search_results", "queries": ["q"], "results": found},
        {"type": "message", "role": "assistant", "status": "completed",
            "content": [{"type": "output_text", "text": text, "annotations": []}]}]});
    let chat = json!({"object": "chat.completion", "id": "c", "model": "sonar", "search_results": found,
        "citations": ["https://a.example/1", "https://b.example/2"],
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}]});
    for input in [agent.to_string(), chat.to_string()] {
        assert_eq!(
            run(&["export", "--to", "inline"], &input).1,
            "Rio is big[2](https://b.example/2), [1](https://a.example/1). Oslo is not[1](https://a.example/1), \
             [2](https://b.example/2). It rains. See [web:x].\n"
        );
        let (_, out, _) = run(&["check"], &input);
        assert!(out.contains("1 marker in the answer names no source: [web:7]"), "{out}");
    }
}

/// Sources of Vercel's chats are called by links and by the numbers of their parts.
#[test]
fn numbers_in_vercel_s_text_are_those_of_its_sources() {
    let message = |text: &str| {
        format!(
            r#"{{"id": "m", "role": "assistant", "parts": [{{"type": "source-url", "sourceId": "8f2k", "url": "https://a.example/1"}}, {{"type": "text", "text": "{text}", "state": "done"}}, {{"type": "source-url", "sourceId": "9dkk", "url": "https://b.example/2"}}]}}"#
        )
    };
    let run =
        |args: &[&str], text: &str| crate::common::program::run(&[args, &["-"]].concat(), &message(text));
    let (_, out, _) =
        run(&["export", "--to", "inline"], "It is big.[1] It grew.[2] See [a](https://a.example/1).");
    assert_eq!(
        out,
        "It is big.[1](https://a.example/1) It grew.[2](https://b.example/2) See [a](https://a.example/1)[1](https://a.example/1).\n"
    );
    let (code, out, _) = run(&["check", "--fail-on", "marker-orphan"], "It is big.[1] It grew.[7]");
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("1 marker in the answer names no source: [7]"), "{out}");
}

/// Words of an answer stay in it, whatever an annotation calls them.
#[test]
fn a_range_of_words_is_a_claim_and_never_taken_out() {
    let text = "The tower is tall. It is old. It stands in Paris.";
    // Sentences without the sign that ends them.
    let sentences = [
        cites(0, 17, "https://s1.example/"),
        cites(19, 28, "https://s2.example/"),
        cites(30, 48, "https://s3.example/"),
    ];
    let input = annotated(text, &sentences);
    assert_eq!(plain(&input), "The tower is tall[1]. It is old[2]. It stands in Paris[3].");
    let (_, out, _) = run(&["check"], &input);
    assert!(out.contains("gateway-unit") && !out.contains("marker-form"), "{out}");
    // With the blank behind it, and an address that is a word of it.
    let addressed = "It is old. See https://s1.example/ for more. It stands in Paris.";
    let input = annotated(addressed, &[cites(11, 45, "https://s1.example/")]);
    assert!(plain(&input).contains("See https://s1.example/ for more."), "{}", plain(&input));
    // Words that end nowhere: the claim is inferred as that of a mark.
    let words = [cites(0, 9, "https://s1.example/"), cites(22, 24, "https://s2.example/")];
    let input = annotated(text, &words);
    assert_eq!(plain(&input), "The tower is tall.[1] It[2] is old. It stands in Paris.");
    let (_, out, _) = run(&["check"], &input);
    assert!(out.contains("marker-form"), "{out}");
}

#[test]
fn two_documents_under_one_id_stay_two() {
    let cite = |(start, end, url): (usize, usize, &str)| {
        json!({"start": start, "end": end, "sources": [
            {"type": "document", "id": "d", "document": {"id": "d", "title": "D", "url": url}}]})
    };
    let cites: Vec<Value> = [(0, 10, "https://a.example/"), (11, 21, "https://b.example/")].map(cite).into();
    let content = json!([{"type": "text", "text": "It is old. It is red."}]);
    let message = json!({"role": "assistant", "content": content, "citations": cites});
    let input = json!({"id": "c", "message": message, "finish_reason": "COMPLETE"}).to_string();
    assert_eq!(plain(&input), "It is old.[1] It is red.[2]");
    assert!(run(&["check"], &input).1.contains("source-duplicate"));
    let (_, compact, _) = run(&["export", "--to", "footnotes", "--number", "compact"], &input);
    let notes = "[^1]: [D](https://a.example/)\n[^2]: [D](https://b.example/)\n";
    assert_eq!(compact, format!("It is old.[^1] It is red.[^2]\n\n{notes}"));
}

/// LangChain's annotations name the words that they are for, those of OpenAI's over it the marks.
#[test]
fn ranges_in_annotations_of_langchain_are_claims_unless_they_are_marks() {
    let message = |blocks: &[(&str, Vec<Value>)]| {
        let block = |(text, annotations): &(&str, Vec<Value>)| json!({"type": "text", "text": text, "annotations": annotations});
        json!({"type": "ai", "content": blocks.iter().map(block).collect::<Vec<_>>()}).to_string()
    };
    let cites = |start: usize, end: usize, url: &str| json!({"type": "citation", "start_index": start, "end_index": end, "url": url});
    let inline = |input: &str| {
        assert_eq!(run(&["check", "--fail-on", "warning"], input).0, 0, "{input}");
        let out = output(["export", "--to", "inline", "-"], input);
        texts(out).1.trim_end().to_owned()
    };
    let (a, b) = ("https://a.example/", "https://b.example/");
    let one = message(&[("Rio opens at nine. It closes at ten.", vec![cites(0, 18, a), cites(19, 36, b)])]);
    assert_eq!(inline(&one), format!("Rio opens at nine.[1]({a}) It closes at ten.[2]({b})"));
    let two = message(&[
        ("O Café Río abre às nove. ", vec![cites(0, 24, a)]),
        ("Fecha às dez.", vec![cites(0, 13, b)]),
    ]);
    assert_eq!(inline(&two), format!("O Café Río abre às nove.[1]({a}) Fecha às dez.[2]({b})"));
    let marked = message(&[("Rio opens ([a](https://a.example/)). It closes.", vec![cites(10, 34, a)])]);
    assert_eq!(read(&marked)[0]["supports"][0]["kind"], "marker");
}

/// What `fullStream` of `streamText` gives, whose pieces are called otherwise than those of UI messages.
#[test]
fn pieces_of_vercel_s_streams_may_be_called_text() {
    let metadata = json!({"groundingChunks": [{"web": {"uri": "https://a.example/", "title": "A"}}],
        "groundingSupports": [{"segment": {"startIndex": 0, "endIndex": 18, "text": "Rio opens at nine."}, "groundingChunkIndices": [0]}]});
    let stream = |piece: &str| -> String {
        let events = [
            json!({"type": "start"}),
            json!({"type": "start-step", "request": {}, "warnings": []}),
            json!({"type": "text-start", "id": "0"}),
            json!({"type": "text-delta", "id": "0", piece: "Rio opens "}),
            json!({"type": "text-delta", "id": "0", piece: "at nine."}),
            json!({"type": "text-end", "id": "0", "providerMetadata": {"google": {"groundingMetadata": metadata}}}),
            json!({"type": "finish-step", "finishReason": "stop", "usage": {}}),
            json!({"type": "finish", "finishReason": "stop"}),
        ];
        events.iter().map(|event| format!("{event}\n")).collect()
    };
    for piece in ["delta", "text", "textDelta"] {
        let input = stream(piece);
        assert_eq!(run(&["check", "--fail-on", "note"], &input).0, 0, "{piece}");
        let out = output(["export", "--to", "inline", "-"], &input);
        assert_eq!(texts(out).1.trim_end(), "Rio opens at nine.[1](https://a.example/)");
    }
}
