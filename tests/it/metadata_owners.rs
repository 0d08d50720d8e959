//! Whose Google's metadata is where several answers stand in one record: never that of another.

use serde_json::{Value, json};

use crate::common::library::read;
use crate::common::program::run;

const OWN: &str = "It opens at nine.";

/// Metadata of the first 17 bytes of a text, with or without its words.
fn metadata(quote: Option<&str>) -> Value {
    let mut segment = json!({"endIndex": 17});
    if let Some(quote) = quote {
        segment["text"] = json!(quote);
    }
    json!({"groundingChunks": [{"web": {"uri": "https://a.example/", "title": "a"}}],
        "groundingSupports": [{"segment": segment, "groundingChunkIndices": [0]}]})
}

fn events(frames: &[Value]) -> String {
    frames.iter().map(|frame| format!("data: {frame}\n\n")).collect()
}

/// A frame of Gemini with one candidate.
fn candidate(index: usize, text: &str, more: Value) -> Value {
    let mut candidate =
        json!({"index": index, "content": {"parts": [{"text": text}]}, "finishReason": "STOP"});
    candidate.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    json!({"candidates": [candidate]})
}

fn choice(index: usize, text: &str, fields: Value) -> Value {
    let delta = json!({"content": text, "provider_specific_fields": fields});
    json!({"index": index, "delta": delta, "finish_reason": "stop"})
}

fn chunk(choices: Value) -> Value {
    json!({"id": "c", "object": "chat.completion.chunk", "model": "m", "choices": choices})
}

/// The places of the supports of each response.
fn places(input: &str) -> Vec<Vec<(Option<u64>, Option<u64>)>> {
    let of = |response: &Value| {
        let supports = response["supports"].as_array().unwrap().iter();
        supports.map(|support| (support["start"].as_u64(), support["end"].as_u64())).collect()
    };
    read(input).iter().map(of).collect()
}

/// What `check` says of an input, by rule.
fn told(input: &str) -> Vec<String> {
    let (_, out, _) = run(&["check", "--no-content", "-"], input);
    let rules = out.lines().filter_map(|line| Some(line.split_once(']')?.0.split_once('[')?.1.to_owned()));
    rules.collect()
}

/// Two candidates of a stream share sentences by nature: what was right of the second was moved to the first,
/// and `fix` wrote it there.
#[test]
fn metadata_of_an_answer_of_a_stream_is_never_that_of_another() {
    for other in ["Well. It opens at nine.", "It shuts at noon. Bye."] {
        for quote in [Some(OWN), None] {
            let own = || json!({"groundingMetadata": metadata(quote)});
            let google = json!({"providerMetadata": {"google": own()}});
            let behind = json!({"candidates": [{"index": 1, "groundingMetadata": metadata(quote)}]});
            let unnumbered =
                json!({"candidates": [{"content": {"parts": [{"text": other}]}, "finishReason": "STOP"}]});
            let first = || candidate(0, other, json!({}));
            for frames in [
                vec![first(), candidate(1, OWN, own())],
                vec![unnumbered, candidate(1, OWN, own())],
                vec![first(), candidate(1, OWN, json!({})), behind],
                vec![first(), candidate(1, OWN, google)],
                vec![chunk(json!([choice(0, other, json!({}))])), chunk(json!([choice(1, OWN, own())]))],
                vec![chunk(json!([choice(0, other, json!({})), choice(1, OWN, own())]))],
            ] {
                let input = events(&frames);
                assert_eq!(places(&input), [vec![], vec![(Some(0), Some(17))]], "{input}");
                assert_eq!(run(&["fix", "-"], &input).1, input);
            }
        }
    }
}

/// At the root of several answers its quotes say whose it is, if they are of one alone.
#[test]
fn metadata_beside_several_answers_is_told_unless_its_quotes_are_of_one() {
    let message = |index: usize, text: &str| json!({"index": index, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"});
    let whole = |other: &str, quote: Option<&str>| {
        let choices = [message(0, other), message(1, OWN)];
        json!({"object": "chat.completion", "choices": choices, "groundingMetadata": metadata(quote)})
            .to_string()
    };
    let gemini = |other: &str, quote: Option<&str>| {
        let of = |frame: Value| frame["candidates"][0].clone();
        let both = [of(candidate(0, other, json!({}))), of(candidate(1, OWN, json!({})))];
        json!({"candidates": both, "providerMetadata": {"google": {"groundingMetadata": metadata(quote)}}})
            .to_string()
    };
    let streamed = |other: &str, quote: Option<&str>| {
        let mut last = chunk(json!([choice(1, OWN, json!({}))]));
        last["groundingMetadata"] = metadata(quote);
        events(&[chunk(json!([choice(0, other, json!({}))])), last])
    };
    let (alike, apart) = ("Well. It opens at nine.", "It shuts at noon. Bye.");
    for of in [&whole as &dyn Fn(&str, Option<&str>) -> String, &gemini, &streamed] {
        let known = of(apart, Some(OWN));
        assert_eq!(places(&known), [vec![], vec![(Some(0), Some(17))]], "{known}");
        for unknown in [of(alike, Some(OWN)), of(alike, None), of(apart, None)] {
            assert_eq!(places(&unknown), [vec![], vec![]], "{unknown}");
            let told: Vec<String> =
                told(&unknown).into_iter().filter(|rule| rule != "coverage-low").collect();
            assert_eq!(told, ["citations-unread", "citations-unread"], "{unknown}");
        }
    }
}

/// A line that is metadata alone is of the answer before it, which has ended, and begins none.
#[test]
fn metadata_alone_behind_an_answer_without_an_id_is_not_that_of_the_next() {
    let frames = [
        candidate(0, OWN, json!({})),
        json!({"candidates": [{"groundingMetadata": metadata(Some(OWN))}]}),
        candidate(0, "Well. It opens at nine.", json!({})),
    ];
    let lines: String = frames.iter().map(|frame| format!("{frame}\n")).collect();
    for input in [lines, json!(frames).to_string()] {
        assert_eq!(places(&input), [vec![(Some(0), Some(17))], vec![]], "{input}");
        assert_eq!(run(&["fix", "-"], &input).1, input);
    }
}

#[test]
fn metadata_that_is_written_as_a_text_is_told() {
    let written = metadata(Some(OWN)).to_string();
    let chat = json!({"object": "chat.completion", "choices": [{"index": 0, "finish_reason": "stop", "message":
        {"role": "assistant", "content": OWN, "provider_specific_fields": {"groundingMetadata": written}}}]});
    let part =
        json!({"type": "text", "text": OWN, "providerMetadata": {"google": {"groundingMetadata": written}}});
    let mut gemini = candidate(0, OWN, json!({}));
    gemini["candidates"][0]["groundingMetadata"] = json!(written);
    for input in [chat, json!({"id": "m", "role": "assistant", "parts": [part]}), gemini] {
        let rules = told(&input.to_string());
        assert!(rules.contains(&"citations-unread".to_owned()), "{rules:?}");
        assert!(!rules.contains(&"ungrounded".to_owned()), "{rules:?}");
    }
    // A tool's is none of the answer.
    let tool = json!({"role": "tool", "tool_call_id": "t", "content": written, "groundingMetadata": written});
    let asked = json!({"request": {"messages": [tool]}, "response": {"object": "chat.completion", "choices": [
        {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": OWN}}]}});
    assert!(!told(&asked.to_string()).contains(&"citations-unread".to_owned()));
}

/// At the root of a frame it is of the only answer there; a list has one for each, or is nobody's.
#[test]
fn metadata_at_the_root_of_a_frame_is_of_its_only_answer() {
    let other = "Well. It opens at nine.";
    for quote in [Some(OWN), None] {
        let list = |all: Value| json!({"vertex_ai_grounding_metadata": all});
        let with = |mut frame: Value, more: Value| {
            frame.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            frame
        };
        let first = chunk(json!([choice(0, other, json!({}))]));
        let second = || chunk(json!([choice(1, OWN, json!({}))]));
        let own = || list(json!([metadata(quote)]));
        let gemini = with(candidate(1, OWN, json!({})), json!({"groundingMetadata": metadata(quote)}));
        for frames in [
            vec![first.clone(), with(second(), own())],
            vec![first.clone(), second(), with(chunk(json!([])), list(json!([{}, metadata(quote)])))],
            vec![candidate(0, other, json!({})), gemini],
        ] {
            for input in [events(&frames), json!(frames).to_string()] {
                assert_eq!(places(&input), [vec![], vec![(Some(0), Some(17))]], "{input}");
                assert!(!told(&input).contains(&"citations-unread".to_owned()), "{input}");
                assert_eq!(run(&["fix", "-"], &input).1, input);
            }
        }
        let undecided = events(&[first.clone(), second(), with(chunk(json!([])), own())]);
        assert_eq!(places(&undecided), [vec![], vec![]], "{undecided}");
        assert!(told(&undecided).contains(&"citations-unread".to_owned()));
    }
}

/// A frame of metadata alone is of the response whose id it has.
#[test]
fn metadata_alone_is_of_the_response_of_its_id() {
    let of = |mut frame: Value, id: &str| {
        frame["responseId"] = json!(id);
        frame
    };
    for quote in [Some(OWN), None] {
        let frames = |last: Value| {
            let (own, other) =
                (candidate(0, OWN, json!({})), candidate(0, "Well. It opens at nine.", json!({})));
            events(&[of(own, "r2"), of(other, "r1"), last])
        };
        let input = frames(json!({"responseId": "r2", "groundingMetadata": metadata(quote)}));
        assert_eq!(places(&input), [vec![(Some(0), Some(17))], vec![]], "{input}");
        assert_eq!(run(&["fix", "-"], &input).1, input);
        let unknown = frames(json!({"responseId": "r3", "groundingMetadata": metadata(quote)}));
        assert!(told(&unknown).contains(&"fragment".to_owned()));
    }
}

/// Between two candidates of a stream nothing says whose it is, whichever has begun.
#[test]
fn metadata_in_a_frame_of_its_own_waits_for_all_candidates() {
    let other = || candidate(0, "Well. It opens at nine.", json!({}));
    let own = || candidate(1, OWN, json!({}));
    for quote in [Some(OWN), None] {
        for alone in [
            json!({"groundingMetadata": metadata(quote)}),
            json!({"candidates": [], "groundingMetadata": metadata(quote)}),
        ] {
            for frames in [[own(), alone.clone(), other()], [other(), alone.clone(), own()]] {
                let input = events(&frames);
                assert_eq!(places(&input), [vec![], vec![]], "{input}");
                assert!(told(&input).contains(&"citations-unread".to_owned()), "{input}");
                assert_eq!(run(&["fix", "-"], &input).1, input);
            }
            let only = events(&[own(), alone]);
            assert_eq!(places(&only), [vec![(Some(0), Some(17))]], "{only}");
        }
    }
}

/// Metadata behind several answers, without an id, is none of the last one because it came last.
#[test]
fn metadata_alone_behind_several_answers_is_of_none() {
    let of = |mut frame: Value, id: &str| {
        frame["responseId"] = json!(id);
        frame
    };
    for quote in [Some(OWN), None] {
        for alone in [
            json!({"groundingMetadata": metadata(quote)}),
            json!({"response_metadata": {"groundingMetadata": metadata(quote)}}),
        ] {
            let other = candidate(0, "Well. It opens at nine.", json!({}));
            let input = events(&[of(candidate(0, OWN, json!({})), "r1"), of(other, "r0"), alone]);
            let read = run(&["export", "--to", "jsonl", "-"], &input).1;
            let supports = |line: &str| serde_json::from_str::<Value>(line).unwrap()["supports"].to_string();
            let supports: Vec<String> = read.lines().take(2).map(supports).collect();
            assert_eq!(supports, ["[]", "[]"], "{input}");
            assert_eq!(run(&["fix", "-"], &input).1, input);
        }
    }
    // Each behind its own is of it.
    let own = || json!({"groundingMetadata": metadata(Some(OWN))});
    let all = [of(candidate(0, OWN, json!({})), "r1"), own(), of(candidate(0, OWN, json!({})), "r0"), own()];
    assert_eq!(places(&events(&all)), [vec![(Some(0), Some(17))], vec![(Some(0), Some(17))]]);
}

/// What no format reads stands in one's own form as it was sent: it was taken for the first answer's there.
#[test]
fn one_s_own_form_has_the_supports_that_it_lists() {
    let own = json!({"groundingMetadata": metadata(Some(OWN))});
    let other = "Well. It opens at nine.";
    let streamed =
        events(&[chunk(json!([choice(0, other, json!({}))])), chunk(json!([choice(1, OWN, own.clone())]))]);
    let message = |index: usize, text: &str| json!({"index": index, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"});
    let beside = json!({"object": "chat.completion", "choices": [message(0, other), message(1, OWN)], "metadata": own});
    for (input, supports) in [(streamed, [0, 1]), (beside.to_string(), [0, 0])] {
        let neutral = run(&["export", "--to", "json", "-"], &input).1;
        let counts: Vec<usize> = places(&neutral).iter().map(Vec::len).collect();
        assert_eq!(counts, supports, "{neutral}");
        assert_eq!(run(&["fix", "-"], &neutral).1, neutral);
    }
}

/// A second metadata object that says more than the one which is read was passed over; one that is sent again
/// says nothing more.
#[test]
fn metadata_beside_what_is_read_is_told_where_it_says_more() {
    let text = "It opens at nine.";
    let more = || {
        let mut more = metadata(Some(OWN));
        more["groundingChunks"][0]["web"]["uri"] = json!("https://b.example/");
        more
    };
    let streamed = |second: Value| {
        let behind = |own: Value| json!({"response_metadata": {"groundingMetadata": own}});
        events(&[candidate(0, text, json!({})), behind(metadata(Some(OWN))), behind(second)])
    };
    let litellm = |second: Value| {
        let list = |own: Value| json!({"object": "chat.completion.chunk", "id": "c", "choices": [choice(0, "", json!({}))], "vertex_ai_grounding_metadata": [own]});
        events(&[chunk(json!([choice(0, text, json!({}))])), list(metadata(Some(OWN))), list(second)])
    };
    let listed = |second: Value| {
        let message =
            json!({"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"});
        json!({"object": "chat.completion", "choices": [message], "vertex_ai_grounding_metadata": [metadata(Some(OWN)), second]}).to_string()
    };
    let unread = |input: &str| told(input).contains(&"citations-unread".to_owned());
    for of in [&streamed as &dyn Fn(Value) -> String, &litellm] {
        assert!(unread(&of(more())) && !unread(&of(metadata(Some(OWN)))), "{}", of(more()));
    }
    assert!(unread(&listed(more())));
}

/// Fields that begin with capitals, as some languages name them, are read by nobody.
#[test]
fn metadata_with_capitals_is_told() {
    let own = json!({"GroundingChunks": [{"Web": {"Uri": "https://a.example/"}}],
        "GroundingSupports": [{"Segment": {"EndIndex": 17, "Text": OWN}, "GroundingChunkIndices": [0]}]});
    let message = json!({"role": "assistant", "content": OWN, "GroundingMetadata": own});
    let input = json!({"object": "chat.completion", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]});
    assert_eq!(told(&input.to_string())[0], "citations-unread");
}

/// Beside the answer of formats that have none of their own, and one deeper than a candidate has it.
#[test]
fn metadata_is_read_beside_answers_of_all_formats() {
    let own = || metadata(Some(OWN));
    let interaction = json!({"object": "interaction", "id": "i", "status": "completed",
        "outputs": [{"type": "text", "text": OWN}], "groundingMetadata": own()});
    let answer = json!({"answer": {"answerText": OWN, "state": "SUCCEEDED"}, "groundingMetadata": own()});
    let behind = json!({"candidates": [{"index": 0, "metadata": {"groundingMetadata": own()}}]});
    let lines = format!("{}\n{behind}\n", candidate(0, OWN, json!({})));
    for input in [interaction.to_string(), answer.to_string(), lines] {
        assert_eq!(places(&input), [vec![(Some(0), Some(17))]], "{input}");
    }
}

/// What says nothing takes the place of nothing: an empty copy, another name of a field.
#[test]
fn empty_copies_hide_nothing() {
    let event = |more: Value| {
        let mut event = json!({"id": "e", "author": "ag", "invocationId": "e-1", "timestamp": 1.0,
            "content": {"role": "model", "parts": [{"text": OWN}]}});
        event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        event
    };
    let full = json!({"groundingMetadata": metadata(Some(OWN))});
    let chunks = json!({"groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://a.example/"}}]}});
    let candidate = |support: Value| {
        let metadata = json!({"groundingChunks": [{"web": {"uri": "https://a.example/", "title": "a"}}],
            "groundingSupports": [support]});
        candidate(0, OWN, json!({"groundingMetadata": metadata}))
    };
    let mut inputs = vec![];
    for poor in [json!({"groundingMetadata": {}}), json!({}), chunks] {
        inputs.push(event(json!({"groundingMetadata": full["groundingMetadata"], "eventMetadata": poor})));
        inputs.push(event(json!({"eventMetadata": full, "rawEvent": event(json!({}))})));
        let stored = event(json!({"eventMetadata": poor, "rawEvent": event(full.clone())}));
        inputs.push(json!({"sessionEvents": [stored]}));
    }
    // Metadata, or words, that only the agent's own event has.
    for poor in [json!({"groundingMetadata": {}}), json!({"groundingMetadata": {"webSearchQueries": ["q"]}})]
    {
        let stored = event(json!({"eventMetadata": poor, "rawEvent": full}));
        inputs.push(json!({"sessionEvents": [stored]}));
    }
    for content in [json!(null), json!({"parts": []})] {
        let mut stored = event(json!({"content": content, "eventMetadata": full}));
        stored["rawEvent"] = event(json!({}));
        inputs.push(json!({"sessionEvents": [stored]}));
    }
    for nothing in [json!(null), json!([]), json!("")] {
        inputs
            .push(candidate(json!({"segment": {"endIndex": 17, "text": OWN}, "groundingChunkIndices": [0],
            "supportChunkIndices": nothing})));
    }
    for input in inputs {
        let (_, out, _) = run(&["export", "--to", "inline"], &input.to_string());
        assert_eq!(out, "It opens at nine.[1](https://a.example/)\n", "{input}");
    }
}

/// A grounding check counts in its chunks; before there were any it counted in its facts.
#[test]
fn indices_of_a_grounding_check_count_in_its_chunks() {
    let fact = |name: &str| format!(r#"{{"chunk_text": "{name}", "source": "0"}}"#);
    let input = |lists: &str| {
        format!(
            r#"{{"support_score": 0.9, {lists} "claims": [{{"start_pos": 0, "end_pos": 10, "claim_text": "Alpha one.", "citation_indices": [0]}}]}}"#
        )
    };
    let (chunks, facts) =
        (format!(r#""cited_chunks": [{}], "#, fact("c")), format!(r#""cited_facts": [{}], "#, fact("f")));
    let nothing = r#""cited_facts": [], "#;
    for (lists, cited) in [
        (format!("{chunks}{nothing}"), "c"),
        (format!("{nothing}{chunks}"), "c"),
        (format!("{chunks}{facts}"), "c"),
        (format!("{facts}{chunks}"), "c"),
        (facts.clone(), "f"),
    ] {
        let response = &read(&input(&lists))[0];
        let source = response["supports"][0]["citations"][0]["source"].as_u64().unwrap() as usize;
        assert_eq!(response["sources"][source]["chunks"][0]["text"], *cited, "{lists}");
        assert_eq!(run(&["check"], &input(&lists)).0, 0, "{lists}");
    }
}
