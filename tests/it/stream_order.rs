//! Streams whose events come late or twice: nothing is lost or moved, whichever event it is.

use serde_json::{Value, json};

use crate::common::library::{open, read};

fn lines(frames: &[Value]) -> String {
    frames.iter().map(|frame| format!("{frame}\n")).collect()
}

/// The answer, and for each support its words with the addresses of what it cites.
fn told(frames: &[Value]) -> (String, Vec<(String, Vec<String>)>) {
    let responses = read(&lines(frames));
    let [response] = &responses[..] else { panic!("{responses:#?}") };
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let answer = response["answer"].as_str().unwrap_or_default().to_owned();
    let claim = |support: &Value| {
        // Offsets of the neutral form count characters, and these are all ASCII.
        let at = |end: &str| support[end].as_u64().unwrap_or_default() as usize;
        let cited = list(&support["citations"]);
        let uri = |citation: &Value| {
            let source = &response["sources"][citation["source"].as_u64().unwrap() as usize];
            source["uri"].as_str().unwrap().to_owned()
        };
        (answer[at("start")..at("end")].to_owned(), cited.iter().map(uri).collect())
    };
    let claims = list(&response["supports"]).iter().map(claim).collect();
    (answer, claims)
}

fn rules(frames: &[Value]) -> Vec<&'static str> {
    let reviews: Vec<_> = open("f", lines(frames)).reviews().map(Result::unwrap).collect();
    reviews.iter().flat_map(|review| review.findings()).map(|finding| finding.rule.id).collect()
}

fn anthropic() -> Vec<Value> {
    let citation = json!({"type": "web_search_result_location", "cited_text": "The tower is tall.", "url": "https://a.example/", "title": "A"});
    let delta = |delta: Value| json!({"type": "content_block_delta", "index": 1, "delta": delta});
    vec![
        json!({"type": "message_start", "message": {"id": "m", "type": "message", "role": "assistant", "content": []}}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Lit in 1932."}}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": "", "citations": []}}),
        delta(json!({"type": "citations_delta", "citation": citation})),
        delta(json!({"type": "text_delta", "text": " The tower"})),
        delta(json!({"type": "text_delta", "text": " is tall."})),
        json!({"type": "content_block_stop", "index": 1}),
        json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}}),
        json!({"type": "message_stop"}),
    ]
}

fn interactions() -> Vec<Value> {
    let cites = |start: u32, end: u32, url: &str| json!({"type": "url_citation", "start_index": start, "end_index": end, "url": url, "title": "t"});
    let noted = |list: Value| json!({"type": "text_annotation_delta", "annotations": list});
    let step = |event: &str, index: u32| json!({"event_type": event, "index": index});
    let begins =
        |index: u32| json!({"event_type": "step.start", "index": index, "step": {"type": "model_output"}});
    let delta =
        |index: u32, delta: Value| json!({"event_type": "step.delta", "index": index, "delta": delta});
    let text = |index: u32, text: &str| delta(index, json!({"type": "text", "text": text}));
    let mut events = vec![
        json!({"event_type": "interaction.created", "interaction": {"id": "i", "object": "interaction", "status": "in_progress"}}),
        begins(0),
        text(0, "Lit in 1932."),
        text(0, " Tower tall."),
        delta(0, noted(json!([cites(0, 12, "https://a.example/"), cites(13, 24, "https://b.example/")]))),
        step("step.stop", 0),
        begins(1),
        text(1, "\nBoats go."),
        delta(1, noted(json!([cites(1, 10, "https://c.example/")]))),
        step("step.stop", 1),
        json!({"event_type": "interaction.completed", "interaction": {"id": "i", "object": "interaction", "status": "completed"}}),
    ];
    for (number, event) in events.iter_mut().enumerate() {
        event["event_id"] = format!("e{number}").into();
    }
    events
}

/// Without its end, which has all once more.
fn responses() -> Vec<Value> {
    let link = json!({"type": "url_citation", "start_index": 13, "end_index": 31, "url": "https://a.example/", "title": "A"});
    let of = |kind: &str, more: Value| {
        let mut event = json!({"type": kind, "item_id": "m", "output_index": 0, "content_index": 0});
        event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        event
    };
    let text = |text: &str| of("response.output_text.delta", json!({"delta": text}));
    let item =
        json!({"id": "m", "type": "message", "role": "assistant", "status": "in_progress", "content": []});
    let part = json!({"type": "output_text", "text": "", "annotations": []});
    vec![
        json!({"type": "response.created", "response": {"id": "r", "object": "response", "status": "in_progress", "output": []}}),
        json!({"type": "response.output_item.added", "output_index": 0, "item": item}),
        of("response.content_part.added", json!({"part": part})),
        text("Lit in 1932. "),
        text("The tower is tall."),
        of("response.output_text.annotation.added", json!({"annotation_index": 0, "annotation": link})),
    ]
}

fn claims(list: &[(&str, &str)]) -> Vec<(String, Vec<String>)> {
    list.iter().map(|(words, uri)| ((*words).to_owned(), vec![(*uri).to_owned()])).collect()
}

#[test]
fn a_beginning_may_come_late_or_again() {
    let tall = claims(&[(" The tower is tall.", "https://a.example/")]);
    let all = [
        ("Lit in 1932.", "https://a.example/"),
        ("Tower tall.", "https://b.example/"),
        ("Boats go.", "https://c.example/"),
    ];
    let (anthropic, interactions, responses) = (anthropic(), interactions(), responses());
    let link = claims(&[("The tower is tall.", "https://a.example/")]);
    for (events, starts, answer, claims) in [
        (&anthropic, [1, 4], "Lit in 1932. The tower is tall.", tall),
        (&responses, [1, 2], "Lit in 1932. The tower is tall.", link),
        (&interactions, [1, 6], "Lit in 1932. Tower tall.\nBoats go.", claims(&all)),
    ] {
        let expected = (answer.to_owned(), claims);
        assert_eq!(told(events), expected);
        for start in starts {
            for later in 1..=3 {
                let mut late = events.clone();
                let begin = late.remove(start);
                late.insert(start + later, begin.clone());
                assert_eq!(told(&late), expected, "{start} later by {later}");
                let mut again = events.clone();
                // Under another id, or it were the same event.
                let mut other = begin;
                if let Some(id) = other.get_mut("event_id") {
                    *id = "other".into();
                }
                again.insert(start + later, other);
                assert_eq!(told(&again), expected, "{start} again {later} behind it");
            }
        }
    }
}

/// Where the first event takes the place of one that ends a block, that end stands before all it ends: it
/// became a block of its own, and the claim that of another.
#[test]
fn an_end_may_come_before_its_beginning() {
    let events = anthropic();
    let expected = told(&events);
    for end in [3, 8] {
        let mut sent = events.clone();
        sent.swap(0, end);
        assert_eq!(told(&sent), expected, "{end}");
        let mut first = events.clone();
        let stop = first.remove(end);
        first.insert(1, stop);
        assert_eq!(told(&first), expected, "{end} behind the first");
    }
}

/// As whoever takes up a stream again gets the last events once more.
#[test]
fn an_event_that_comes_twice_under_its_id_counts_once() {
    let events = interactions();
    let expected = told(&events);
    for twice in 1..events.len() - 1 {
        let mut sent = events.clone();
        sent.insert(twice + 1, events[twice].clone());
        assert_eq!(told(&sent), expected, "{twice}");
    }
    // Equal words of two events are words of two events.
    let mut sent = events.clone();
    let mut other = events[3].clone();
    other["event_id"] = "e3b".into();
    sent.insert(4, other);
    assert_eq!(told(&sent).0, "Lit in 1932. Tower tall. Tower tall.\nBoats go.");
}

/// A list of blocks as somebody's database keeps it: what it cites was lost without a word.
#[test]
fn blocks_that_were_written_as_a_text_are_told() {
    let blocks = json!([{"type": "text", "text": "The tower is tall.", "citations": [{"type": "char_location", "cited_text": "The tower is tall.", "document_index": 0}]}]);
    let message = |content: Value| json!({"type": "message", "role": "assistant", "content": content, "stop_reason": "end_turn"});
    let thought = json!({"type": "thinking", "thinking": "Hm."});
    for text in [
        blocks.to_string(),
        json!([thought, blocks[0]]).to_string(),
        blocks[0].to_string(),
        "[{'type': 'text', 'text': 'The tower is tall.', 'citations': None}]".to_owned(),
        "[{'citations': None, 'text': 'The tower is tall.', 'type': 'text'}]".to_owned(),
        "[TextBlock(citations=None, text='The tower is tall.', type='text')]".to_owned(),
    ] {
        assert!(rules(&[message(text.clone().into())]).contains(&"value-type"), "{text}");
    }
    for fine in
        [json!("[1]"), json!("[note] The tower."), json!(r#"[{"type": "tower", "text": "tall"}]"#), blocks]
    {
        assert!(!rules(&[message(fine)]).contains(&"value-type"));
    }
}

/// Claims as somebody's database keeps them, and a stream whose blocks have no numbers.
#[test]
fn claims_that_are_text_are_told_and_blocks_without_numbers_end_where_they_say() {
    let cohere = json!({"id": "c", "message": {"role": "assistant", "content": [{"type": "text", "text": "Lit in 1932. Ok."}],
        "citations": "[{\"start\":0,\"end\":12,\"text\":\"Lit in 1932.\"}]"}, "finish_reason": "COMPLETE"});
    assert!(rules(&[cohere]).contains(&"value-type"));
    let location = json!({"web": {"url": "https://a.example/"}});
    let converse = [
        json!({"messageStart": {"role": "assistant"}}),
        json!({"contentBlockDelta": {"delta": {"text": "Lit in May."}}}),
        json!({"contentBlockStop": {}}),
        json!({"contentBlockDelta": {"delta": {"text": " Tower is tall."}}}),
        json!({"contentBlockDelta": {"delta": {"citation": {"title": "h", "sourceContent": [{"text": "Tower is tall."}], "location": location}}}}),
        json!({"contentBlockStop": {}}),
        json!({"messageStop": {"stopReason": "end_turn"}}),
    ];
    let tall = claims(&[(" Tower is tall.", "https://a.example/")]);
    assert_eq!(told(&converse), ("Lit in May. Tower is tall.".to_owned(), tall));
}

/// As from a proxy that writes one number for all: the claim may be another one's.
#[test]
fn text_for_a_block_that_has_ended_is_told() {
    let start = |index: u32| json!({"type": "content_block_start", "index": index, "content_block": {"type": "text", "text": ""}});
    let text = |index: u32, text: &str| json!({"type": "content_block_delta", "index": index, "delta": {"type": "text_delta", "text": text}});
    let stop = |index: u32| json!({"type": "content_block_stop", "index": index});
    let message = |index: u32| {
        let begin = json!({"type": "message_start", "message": {"id": "m", "type": "message", "role": "assistant", "content": []}});
        let end = [
            json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}}),
            json!({"type": "message_stop"}),
        ];
        let body = vec![
            begin,
            start(0),
            text(0, "It opens."),
            stop(0),
            start(1),
            text(index, " It shuts."),
            stop(1),
        ];
        [body, end.to_vec()].concat()
    };
    assert!(!rules(&message(1)).contains(&"text-edited"));
    assert!(rules(&message(0)).contains(&"text-edited"));
    let delta = |index: u32, text: &str| json!({"contentBlockDelta": {"contentBlockIndex": index, "delta": {"text": text}}});
    let stop = |index: u32| json!({"contentBlockStop": {"contentBlockIndex": index}});
    let converse = |index: u32| {
        vec![
            json!({"messageStart": {"role": "assistant"}}),
            delta(0, "It opens."),
            stop(0),
            delta(index, " It shuts."),
            stop(1),
            json!({"messageStop": {"stopReason": "end_turn"}}),
        ]
    };
    assert!(!rules(&converse(1)).contains(&"text-edited"));
    assert!(rules(&converse(0)).contains(&"text-edited"));
}

/// Messages of Bigdata.com's chat say whose answer they are of, and which piece of it.
#[test]
fn pieces_of_a_chat_have_numbers() {
    let next = |request: &str, number: u32, text: &str| json!({"type": "NEXT", "content": text, "requestId": request, "sequenceNumber": number});
    let trace = json!({"type": "AUDIT_TRACE", "trace": {"auditType": "SearchAuditV1", "toolId": "search",
        "results": [{"type": "CQS", "values": [{"id": "AA", "hd": "Q2", "url": "https://a.example/"}]}]}});
    let cited = "rose `:ref[CQS:AA]`.";
    let sources = json!({"type": "SOURCES", "originSources": [{"type": "CQS", "id": "AA"}]});
    let end = json!({"type": "COMPLETE", "interactionTimestamp": "2026-01-01T00:00:00"});
    let (first, second, third) = (next("r", 0, "The "), next("r", 1, "margin "), next("r", 2, cited));
    let claim = ("The margin rose ".to_owned(), vec!["https://a.example/".to_owned()]);
    let whole = ("The margin rose `:ref[CQS:AA]`.".to_owned(), vec![claim]);
    for pieces in [[&first, &second, &third], [&second, &third, &first], [&third, &second, &first]] {
        let frames: Vec<Value> =
            [&trace].into_iter().chain(pieces).chain([&first, &sources, &end]).cloned().collect();
        assert_eq!(told(&frames), whole, "{pieces:?}");
    }
    // Two answers in turns.
    let turns = [next("r", 0, "The "), next("s", 0, "Snow "), next("r", 1, "margin."), next("s", 1, "fell.")];
    let answers: Vec<Value> = read(&lines(&turns)).iter().map(|one| one["answer"].clone()).collect();
    assert_eq!(answers, ["The margin.", "Snow fell."]);
}
