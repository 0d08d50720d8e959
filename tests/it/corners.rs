//! Absent, odd and partial input of the five documents: what is said of it is true, and nothing of it is
//! lost.

use serde_json::{Value, json};

use crate::common::library::{open, read};
use crate::common::program;
use crate::common::screen::{of, press, screen};

/// An event of a session.
fn event(author: &str, invocation: &str, more: Value) -> Value {
    let role = if author == "user" { "user" } else { "model" };
    let mut event =
        json!({"author": author, "invocationId": invocation, "timestamp": "2025-05-01T10:00:00Z"});
    let fields = event.as_object_mut().unwrap();
    let Value::Object(more) = more else { panic!() };
    for (key, value) in more {
        if key == "text" {
            fields.insert("content".into(), json!({"role": role, "parts": [{"text": value}]}));
        } else {
            fields.insert(key, value);
        }
    }
    event
}

fn session(events: &[Value]) -> Vec<Value> {
    read(&json!({"sessionEvents": events}).to_string())
}

fn rules(text: &str) -> Vec<String> {
    let session = open("f", text);
    let reviews: Vec<_> = session.reviews().map(Result::unwrap).collect();
    let finding = |finding: &citescope::check::Finding| format!("{} {}", finding.rule.id, finding.message);
    reviews.iter().flat_map(|review| review.structural_findings().iter().map(finding)).collect()
}

fn gemini(text: &str, metadata: &Value) -> String {
    json!({"candidates": [{"content": {"parts": [{"text": text}]}, "finishReason": "STOP",
        "groundingMetadata": metadata}]})
    .to_string()
}

// ---- events ----

#[test]
fn an_event_that_failed_is_an_answer_that_failed() {
    let failed = event("a", "i1", json!({"errorCode": "429", "errorMessage": "slow down"}));
    let alone = rules(&failed.to_string());
    assert_eq!(alone, ["answer-failed 429: slow down"]);
    let all = session(&[event("user", "i1", json!({"text": "When?"})), failed]);
    assert_eq!((all.len(), &all[1]["state"], &all[1]["question"]), (2, &json!("error"), &json!("When?")));
    assert_eq!(all[0]["traces"], json!([]));
}

#[test]
fn metadata_without_text_is_kept_whatever_it_holds() {
    let with =
        |metadata: Value| session(&[event("a", "i", json!({"groundingMetadata": metadata}))]).remove(0);
    let entry = with(json!({"searchEntryPoint": {"renderedContent": "<b>x</b>"}}));
    assert_eq!(entry["search_suggestions"]["rendered_content"], "<b>x</b>");
    let score = with(json!({"retrievalMetadata": {"googleSearchDynamicRetrievalScore": 0.58}}));
    assert_eq!(score["retrieval_score"], 0.58);
    let flags =
        with(json!({"sourceFlaggingUris": [{"sourceId": "p", "flagContentUri": "https://f.example"}]}));
    assert_eq!(flags["unmatched_flags"][0]["flag_uri"], "https://f.example");
}

#[test]
fn a_session_that_stops_at_a_piece_is_unfinished() {
    let piece = |text: &str| event("a", "i", json!({"text": text, "partial": true, "turnComplete": false}));
    let whole = event("a", "i", json!({"text": "One. Two.", "groundingMetadata": {}}));
    let broken = json!({"events": [piece("One. "), piece("Tw")]}).to_string();
    assert_eq!(rules(&broken), ["answer-unfinished the session breaks off in the middle of this turn"]);
    assert_eq!(rules(&json!({"events": [piece("One. "), piece("Two."), whole]}).to_string()), [""; 0]);
}

#[test]
fn invocations_may_interleave() {
    let all = session(&[
        event("user", "i1", json!({"text": "First?"})),
        event("user", "i2", json!({"text": "Second?"})),
        event("a", "i1", json!({"text": "One."})),
        event("a", "i2", json!({"text": "Two."})),
    ]);
    let asked: Vec<_> = all.iter().map(|response| response["question"].clone()).collect();
    assert_eq!(asked, [json!(null), json!(null), json!("First?"), json!("Second?")]);
}

#[test]
fn a_call_and_its_response_are_one_step_where_no_text_follows() {
    let call = json!({"content": {"role": "model", "parts": [{"functionCall": {"id": "c1", "name": "f", "args": {"q": "x"}}}]}});
    let answer = json!({"content": {"role": "user", "parts": [{"functionResponse": {"id": "c1", "name": "f", "response": {"r": 1}}}]}});
    let all = session(&[event("a", "i", call), event("a", "i", answer)]);
    let steps = all[0]["traces"].as_array().unwrap();
    let of_call: Vec<_> = steps.iter().filter(|step| step["id"] == "c1").collect();
    assert_eq!(of_call.len(), 1, "{steps:#?}");
    assert_eq!(of_call[0]["results"].as_array().unwrap().len(), 1);
}

// ---- Gemini ----

#[test]
fn metadata_is_called_what_it_is() {
    let nothing = rules(&gemini(
        "Fine day.",
        &json!({"retrievalMetadata": {"googleSearchDynamicRetrievalScore": 0.1}}),
    ));
    assert_eq!(nothing, ["ungrounded the grounding metadata holds neither searches, chunks nor supports"]);
    let entry = rules(&gemini("Fine day.", &json!({"searchEntryPoint": {"renderedContent": "<b>x</b>"}})));
    assert_eq!(
        entry,
        ["searched-unattributed search suggestions came, but neither chunks nor supports came back"]
    );
    // null is no search.
    let sent = read(&gemini("Fine day.", &json!({"webSearchQueries": ["a", null]})));
    assert_eq!(sent[0]["queries"].as_array().unwrap().len(), 1);
}

/// A stream of Gemini with these metadata objects.
fn stream(metadata: &[Value]) -> String {
    let frames = metadata.iter().enumerate().map(|(number, metadata)| {
        let mut candidate = json!({"content": {"parts": [{"text": format!("Part {number}. ")}]}, "groundingMetadata": metadata});
        if number > 0 {
            candidate["finishReason"] = json!("STOP");
        }
        format!("data: {}\n\n", json!({"candidates": [candidate], "responseId": "r"}))
    });
    frames.collect()
}

#[test]
fn equal_chunks_are_appended_where_only_so_the_indices_fit() {
    let chunk = json!({"web": {"uri": "https://a.example", "title": "a"}});
    let support = |index: i64| json!({"segment": {"endIndex": 7}, "groundingChunkIndices": [index]});
    let sources = |second: i64| {
        let sent = stream(&[
            json!({"groundingChunks": [chunk], "groundingSupports": [support(0)]}),
            json!({"groundingChunks": [chunk], "groundingSupports": [support(second)]}),
        ]);
        let response = read(&sent).remove(0);
        (
            response["sources"].as_array().unwrap().len(),
            response["supports"][1]["citations"][0]["kind"].clone(),
        )
    };
    assert_eq!(sources(1), (2, json!("source")));
    // Also where it was a later message that showed it.
    let late = stream(&[
        json!({"groundingChunks": [chunk], "groundingSupports": [support(0)]}),
        json!({"groundingChunks": [chunk]}),
        json!({"groundingChunks": [chunk], "groundingSupports": [support(2)]}),
    ]);
    let response = read(&late).remove(0);
    assert_eq!(response["sources"].as_array().unwrap().len(), 3);
    assert_eq!(response["supports"][1]["citations"][0]["kind"], "source");
    let sent_again = stream(&[
        json!({"groundingChunks": [chunk]}),
        json!({"groundingChunks": [chunk], "groundingSupports": [support(0)]}),
    ]);
    assert_eq!(read(&sent_again)[0]["sources"].as_array().unwrap().len(), 1);
}

#[test]
fn flags_may_come_before_their_places_and_more_than_once() {
    let flag = |uri: &str| json!({"sourceId": "places/p", "flagContentUri": uri});
    let sent = stream(&[
        json!({"sourceFlaggingUris": [flag("https://f.example/1"), flag("https://f.example/2")]}),
        json!({"groundingChunks": [{"maps": {"uri": "https://m.example", "title": "Rio", "placeId": "places/p"}}]}),
    ]);
    let response = read(&sent).remove(0);
    assert_eq!(response["sources"][0]["flag_uri"], "https://f.example/1");
    assert_eq!(response["sources"][0]["further_flag_uris"], json!(["https://f.example/2"]));
    assert_eq!(response["unmatched_flags"], json!([]));
}

#[test]
fn a_union_with_two_kinds_shows_the_first_and_lists_the_rest() {
    let chunk = json!({"maps": {"uri": "https://m.example/x", "title": "Two", "text": "Other"}, "web": {"uri": "https://a.example", "title": "One"}});
    let sent = read(&gemini("Fine day.", &json!({"groundingChunks": [chunk]})));
    assert_eq!(
        (&sent[0]["sources"][0]["title"], &sent[0]["sources"][0]["chunks"]),
        (&json!("One"), &json!([]))
    );
    let extra = sent[0]["extra"].to_string();
    assert!(extra.contains("https://m.example/x") && extra.contains("Other"), "{extra}");
    // A field that is no object is no kind.
    let beside = gemini(
        "Fine day.",
        &json!({"groundingChunks": [{"web": {"uri": "https://a.example", "title": "One"}, "new": "x"}]}),
    );
    assert!(!rules(&beside).iter().any(|rule| rule.contains("two kinds")));
}

#[test]
fn a_chunk_without_text_keeps_its_pages_and_a_blob_of_another_layout_is_shown() {
    let metadata = json!({
        "groundingChunks": [{"retrievedContext": {"title": "T", "ragChunk": {"pageSpan": {"firstPage": 71, "lastPage": 77}}}}],
        "searchEntryPoint": {"sdkBlob": "eyJ4IjogWzEsIDJdfQ=="},
    });
    let sent = read(&gemini("Fine day.", &metadata));
    assert_eq!(sent[0]["sources"][0]["chunks"][0]["page"], "71–77");
    assert_eq!(sent[0]["search_suggestions"]["decoded"], json!({"x": [1, 2]}));
}

// ---- Bigdata ----

fn run(messages: &[Value]) -> String {
    messages
        .iter()
        .map(|message| format!("data: {}\n\n", json!({"chat_id": "c", "message": message})))
        .collect()
}

#[test]
fn a_document_has_its_name_and_date_where_its_kind_has_them() {
    let reference = |source: Value| json!({"start": 0, "end": 4, "tool_name": "search", "audit_id": "t", "source": source});
    let fields = json!({"src_name": "Source", "ts": "2024-12-31T00:00:00", "action": {"name": "Action", "ts": "2025-06-05T04:03:02"}});
    let of = |kind: &str| {
        let mut source = fields.clone();
        (source["type"], source["id"]) = (json!(kind), json!(kind));
        reference(source)
    };
    let sent = read(&run(&[
        json!({"type": "ANSWER", "content": "Rain ."}),
        json!({"type": "GROUNDING", "references": [of("EXTERNAL"), of("BIGDATA")]}),
        json!({"type": "COMPLETE"}),
    ]));
    let named = |source: usize| {
        (sent[0]["sources"][source]["publisher"].clone(), sent[0]["sources"][source]["date"].clone())
    };
    assert_eq!(named(0), (json!("Action"), json!("2025-06-05")));
    assert_eq!(named(1), (json!("Source"), json!("2024-12-31")));
}

#[test]
fn of_several_steps_with_one_id_the_nearest_before_is_meant() {
    let audit = |title: &str| json!({"type": "AUDIT", "audit_traces": [{"tool_id": "cal", "title": title, "content": title}]});
    let reference = |start: i64, end: i64| json!({"type": "GROUNDING", "references": [{"start": start, "end": end, "tool_name": "cal", "audit_id": "cal", "source": null}]});
    let sent = run(&[
        audit("May"),
        json!({"type": "ANSWER", "content": "On 5 May . On 6 June ."}),
        reference(0, 9),
        audit("June"),
        reference(11, 21),
        json!({"type": "COMPLETE"}),
    ]);
    let response = read(&sent).remove(0);
    let step = |support: usize| response["supports"][support]["citations"][0]["trace_index"].clone();
    assert_eq!((step(0), step(1)), (json!(0), json!(1)));
    assert_eq!(response["sources"][1]["chunks"][0]["text"], "June");
    let said = rules(&sent);
    assert!(
        said.contains(
            &"trace-ambiguous 1 support with an id that several steps have: the nearest before is taken"
                .to_owned()
        ),
        "{said:?}"
    );
}

#[test]
fn a_step_that_an_id_names_and_that_did_not_return_the_document_is_a_mismatch() {
    let audit = |id: &str| json!({"type": "AUDIT", "audit_traces": [{"tool_id": "t", "results": [{"type": "CQS", "values": [{"id": id, "hd": id}]}]}]});
    let answer = json!({"type": "ANSWER", "content": "It grew ."});
    let reference = json!({"type": "GROUNDING", "references": [{"start": 0, "end": 8, "audit_id": "t", "source": {"id": "A1", "hd": "A1"}}]});
    let sent =
        run(&[audit("A1"), audit("B2"), answer.clone(), reference.clone(), json!({"type": "COMPLETE"})]);
    assert_eq!(read(&sent)[0]["supports"][0]["citations"][0]["trace_index"], 1);
    assert_eq!(
        rules(&sent).into_iter().filter(|rule| rule.starts_with("trace-")).collect::<Vec<_>>(),
        [
            "trace-mismatch support 1: its step 2 did not return [1]; step 1 did",
            "trace-ambiguous 1 support with an id that several steps have: the nearest before is taken"
        ]
    );
    let sent = run(&[audit("B2"), answer, reference, audit("A1"), json!({"type": "COMPLETE"})]);
    assert_eq!(read(&sent)[0]["supports"][0]["citations"][0]["trace_index"], 0);
    let mismatch = "trace-mismatch support 1: its step 1 did not return [2]; step 2 did".to_owned();
    assert!(rules(&sent).contains(&mismatch), "{:?}", rules(&sent));
}

// ---- Discovery Engine ----

#[test]
fn a_result_counts_once_and_what_needs_no_grounding_is_not_cited() {
    let answer = json!({"answer": {"state": "SUCCEEDED", "answerText": "Hello! Rio opens at nine.",
        "citations": [{"endIndex": "6", "sources": [{"referenceId": "0"}]}, {"startIndex": "7", "endIndex": "25", "sources": [{"referenceId": "0"}]}],
        "groundingSupports": [{"endIndex": "6", "groundingCheckRequired": false}],
        "references": [{"chunkInfo": {"relevanceScore": 0.4, "documentMetadata": {"title": "T", "pageIdentifier": "3"}}}],
        "steps": [{"actions": [{"observation": {"searchResults": [
            {"document": "d", "snippetInfo": [{"snippet": "a"}, {"snippet": "b"}]}, {"document": "e"}]}}]}]}});
    let session = open("f", answer.to_string());
    let review = session.reviews().next().unwrap().unwrap();
    assert_eq!(review.response.traces[0].result_count(), 2);
    assert_eq!(review.coverage(), Some(1.0));
    let chunk = &review.response.sources[0].chunks[0];
    assert_eq!((chunk.page.as_deref(), chunk.score), (Some("3"), Some(0.4)));
    let greeting = json!({"answer": {"state": "SUCCEEDED", "answerText": "Hello!",
        "groundingSupports": [{"endIndex": "6", "groundingCheckRequired": false}]}});
    let session = open("f", greeting.to_string());
    assert_eq!(session.reviews().next().unwrap().unwrap().coverage(), None);
}

#[test]
fn pieces_that_reference_pages_show_alone_are_read() {
    for piece in [
        json!({"renderedContent": "<b>x</b>"}),
        json!({"googleSearchDynamicRetrievalScore": 0.5}),
        json!({"sourceId": "p", "flagContentUri": "https://f.example"}),
        json!({"uri": "https://m.example", "title": "Rio", "placeId": "places/p"}),
        json!({"uri": "gs://b/x", "title": "T", "text": "t", "documentName": "projects/p/d"}),
        json!({"startIndex": 1, "endIndex": 5, "text": "Fine"}),
        json!({"endIndex": 5}),
        json!({"uri": "gs://bucket/rio.pdf", "title": "Rio"}),
        json!({"uri": "https://maps.google.com/?cid=1", "title": "Rio"}),
        json!({"type": "AUDIT", "audit_traces": [{"tool_id": "t", "title": "Search"}]}),
    ] {
        assert!(rules(&piece.to_string()).iter().any(|rule| rule.starts_with("fragment ")), "{piece}");
    }
}

// ---- what a review of these found ----

#[test]
fn a_turn_that_a_later_event_closes_is_finished_and_its_metadata_is_no_empty_answer() {
    let piece = event("a", "i", json!({"text": "Hi there.", "partial": true, "turnComplete": false}));
    let close = event("a", "i", json!({"turnComplete": true}));
    assert_eq!(rules(&json!({"events": [piece, close]}).to_string()), [""; 0]);
    let answer = event("a", "i", json!({"text": "Hi there.", "groundingMetadata": {}}));
    let metadata = event("a", "i", json!({"groundingMetadata": {"webSearchQueries": ["x"]}}));
    let said = rules(&json!({"events": [answer, metadata]}).to_string());
    assert!(!said.iter().any(|rule| rule.starts_with("answer-empty")), "{said:?}");
}

#[test]
fn a_step_that_comes_late_is_meant_where_only_it_found_the_document() {
    let audit = |id: &str| json!({"type": "AUDIT", "audit_traces": [{"tool_id": "search", "results": [{"type": "CQS", "values": [{"id": id, "hd": id}]}]}]});
    let said = rules(&run(&[
        audit("B1"),
        json!({"type": "ANSWER", "content": "It grew ."}),
        json!({"type": "GROUNDING", "references": [{"start": 0, "end": 8, "tool_name": "search", "audit_id": "toolu_1", "source": {"id": "A1", "hd": "A1"}}]}),
        audit("A1"),
        json!({"type": "COMPLETE"}),
    ]));
    assert!(said.iter().any(|rule| rule.starts_with("trace-late")), "{said:?}");
    assert!(!said.iter().any(|rule| rule.starts_with("trace-mismatch")), "{said:?}");
}

#[test]
fn a_broken_marker_hides_no_other() {
    let chat = json!({"interactions": [{"inputMessage": "?", "responseBlock": {"type": "TEXT",
        "value": "It grew `:ref[ `. It fell `:ref[CQS:AB-1]`. It stayed `:ref[CQS:XY]`."},
        "originSources": [{"type": "DOCUMENT", "id": "AB"}]}]});
    let response = read(&chat.to_string()).remove(0);
    let kinds: Vec<&Value> = response["supports"]
        .as_array()
        .unwrap()
        .iter()
        .map(|support| &support["citations"][0]["kind"])
        .collect();
    assert_eq!(kinds, ["source", "dangling"]);
    let said = rules(&chat.to_string());
    assert!(
        said.contains(&"source-index 1 support cites document XY, not among the sources".to_owned()),
        "{said:?}"
    );
    assert!(said.iter().any(|rule| rule.starts_with("value-type a :ref[…] marker")), "{said:?}");
}

#[test]
fn a_mark_that_lies_nowhere_is_dropped_with_a_remark() {
    for mark in [json!([6, 3]), json!([2, 9_000]), json!([0])] {
        let document = json!({"schema": "citescope/1", "responses": [{"format": "bigdata-chat", "answer": "Añc def.",
            "supports": [{"placed": [0, 4], "mark": mark, "origin": "marker", "citations": [{"kind": "source", "source": 0}]}],
            "sources": [{"kind": "document", "title": "T"}]}]});
        let session = open("f", document.to_string());
        let review = session.reviews().next().unwrap().unwrap();
        let out =
            citescope::export::markdown::numbered(&review, &citescope::export::ExportOptions::default());
        assert_eq!(out.text, "Añc[1] def.\n", "{mark}");
    }
}

// ---- frames of an odd type ----

#[test]
fn a_message_whose_type_is_no_word_stays_in_its_run() {
    let frames = [
        json!({"chat_id": "c", "message": {"type": "ANSWER", "content": "Hello there."}}),
        json!({"chat_id": "c", "message": {"type": 7, "content": "odd words"}}),
        json!({"chat_id": "c", "message": {"type": "COMPLETE"}}),
    ];
    let lines: Vec<String> = frames.iter().map(Value::to_string).collect();
    let all = read(&lines.join("\n"));
    assert_eq!((all.len(), &all[0]["answer"]), (1, &json!("Hello there.")));
    assert!(all[0].to_string().contains("odd words"), "{}", all[0]);
}

#[test]
fn an_event_whose_content_is_plain_text_keeps_it() {
    let events =
        [event("user", "i", json!({"text": "Q?"})), event("a", "i", json!({"content": "Just words here"}))];
    let all = session(&events);
    assert!(Value::from(all).to_string().contains("Just words here"));
}

#[test]
fn an_offset_of_twenty_digits_is_told_as_sent() {
    let segment = json!({"startIndex": 0, "endIndex": 18_446_744_073_709_551_615_u64, "text": "Hi."});
    let text = gemini(
        "Hi.",
        &json!({"groundingChunks": [{"web": {"uri": "https://a.test/"}}],
        "groundingSupports": [{"segment": segment, "groundingChunkIndices": [0]}]}),
    );
    assert!(rules(&text).iter().any(|line| line.contains("18446744073709551615")), "{:?}", rules(&text));
}

#[test]
fn steps_behind_which_no_answer_came_are_an_empty_answer() {
    let question = event("user", "i", json!({"content": {"role": "user", "parts": [{"text": "When?"}]}}));
    let call = event(
        "a",
        "i",
        json!({"content": {"parts": [{"functionCall": {"id": "c", "name": "f", "args": {}}}]}}),
    );
    let result = event(
        "a",
        "i",
        json!({"content": {"parts": [{"functionResponse": {"id": "c", "name": "f", "response": {"a": 1}}}]}}),
    );
    let session = json!({"events": [question, call, result]}).to_string();
    let said = rules(&session);
    assert!(said.contains(&"answer-empty 3 steps and no text of an answer".to_owned()), "{said:?}");
    assert_eq!(read(&session)[1]["question"], "When?");
}

#[test]
fn messages_of_a_run_say_what_they_lack_and_keep_their_words() {
    let answer = json!({"type": "ANSWER", "content": "Rain ."});
    let said = |last: Value| rules(&run(&[answer.clone(), last])).into_iter().next().unwrap();
    assert_eq!(said(json!({"type": "ERROR", "message": "boom", "code": 500})), "stream-error boom");
    assert_eq!(said(json!({"type": "ERROR", "error": {"message": "boom"}})), "stream-error boom");
    assert_eq!(said(json!({"type": "ERROR"})), "stream-error no message");
    let untyped = rules(&run(&[answer.clone(), json!({"content": "x"}), json!({"type": "COMPLETE"})]));
    assert!(
        untyped.iter().any(|rule| rule.starts_with("value-type a message without a type (")),
        "{untyped:?}"
    );
}

#[test]
fn a_chat_may_end_without_a_time() {
    let next = r#"{"type": "NEXT", "content": "All is well.", "requestId": "r", "sequenceNumber": 0}"#;
    for end in [r#"{"type": "COMPLETE"}"#, r#"{"type": "COMPLETE", "usage": {"inputTokens": 1}}"#] {
        assert_eq!(rules(&format!("{next}\n{end}\n")), [""; 0]);
    }
}

#[test]
fn supports_alone_are_not_blamed_for_sources_that_are_elsewhere() {
    let said = rules(r#"[{"segment": {"endIndex": 5}, "groundingChunkIndices": [0]}]"#);
    assert!(said.iter().all(|rule| rule.starts_with("fragment ")), "{said:?}");
}

#[test]
fn marks_stand_behind_an_object_that_an_answer_begins_with() {
    let metadata = json!({"groundingChunks": [{"web": {"uri": "https://a.example/x", "title": "A"}}],
        "groundingSupports": [{"segment": {"startIndex": 1, "endIndex": 16}, "groundingChunkIndices": [0]}]});
    let session = open("f", gemini("{\"city\": \"Paris\"}\n\nA nice city.", &metadata));
    let review = session.reviews().next().unwrap().unwrap();
    let text =
        citescope::export::markdown::inline(&review, &citescope::export::ExportOptions::default()).text;
    assert_eq!(text, "{\"city\": \"Paris\"}[1](https://a.example/x)\n\nA nice city.\n");
}

#[test]
fn a_mark_with_blanks_on_both_sides_leaves_none_before_a_full_stop() {
    let chat = json!({"interactions": [{"inputMessage": "?", "responseBlock": {"type": "TEXT",
        "value": "It grew `:ref[CQS:AB-1]` . It fell `:ref[CQS:AB-1]` too."},
        "originSources": [{"type": "DOCUMENT", "id": "AB"}]}]});
    let session = open("f", chat.to_string());
    let review = session.reviews().next().unwrap().unwrap();
    let text =
        citescope::export::markdown::footnotes(&review, &citescope::export::ExportOptions::default()).text;
    assert!(text.starts_with("It grew[^1]. It fell[^1] too.\n"), "{text}");
}

#[test]
fn scores_without_a_citation_are_kept_and_shown() {
    let metadata = json!({"groundingChunks": [{"web": {"uri": "https://rio.example", "title": "rio.example"}}],
        "groundingSupports": [{"segment": {"endIndex": 5, "text": "Fine."}, "groundingChunkIndices": [0],
            "confidenceScores": [0.9, 0.4321]}]});
    let text = gemini("Fine.", &metadata);
    let response = &read(&text)[0];
    assert_eq!(response["supports"][0]["scores_sent"], json!(2));
    let path = "$.candidates[0].groundingMetadata.groundingSupports[0].confidenceScores[1]";
    assert_eq!(response["extra"][path], json!(0.4321));
    let mut state = of(open("f", text));
    press(&mut state, (120, 36), "6");
    assert!(screen(&state, 120, 36).contains("0.4321"));
}

#[test]
fn what_a_merged_document_says_otherwise_is_kept_and_shown() {
    let reference = |start: u32, end: u32, headline: &str, url: &str| {
        json!({"start": start, "end": end, "tool_name": "search", "source": {"type": "BIGDATA", "id": "D1",
            "hd": headline, "url": url, "chunks": [{"cnum": 1, "text": "It rained."}]}})
    };
    let references =
        [reference(0, 10, "Rain", "https://a.example"), reference(11, 20, "Other rain", "https://b.example")];
    let frames = [
        json!({"chat_id": "c", "message": {"type": "ANSWER", "content": "It rained. It poured."}}),
        json!({"chat_id": "c", "message": {"type": "GROUNDING", "references": references}}),
    ];
    let text: String = frames.iter().map(|frame| format!("data: {frame}\n\n")).collect();
    let response = &read(&text)[0];
    assert_eq!(response["sources"].as_array().unwrap().len(), 1);
    assert_eq!(response["sources"][0]["uri"], json!("https://a.example"));
    assert_eq!(response["extra"]["$[1].message.references[1].source.hd"], json!("Other rain"));
    assert_eq!(response["extra"]["$[1].message.references[1].source.url"], json!("https://b.example"));
    let mut state = of(open("f", text));
    press(&mut state, (120, 60), "6");
    let shown = screen(&state, 120, 60);
    assert!(shown.contains("Other rain") && shown.contains("https://b.example"), "{shown}");
}

#[test]
fn searches_of_the_web_are_counted_apart_from_queries_and_calls() {
    let metadata = json!({"webSearchQueries": ["rain", "sun", null], "retrievalQueries": ["fog"]});
    let mut state = of(open("f", gemini("Fine.", &metadata)));
    press(&mut state, (120, 36), "3");
    let shown = screen(&state, 120, 36);
    assert!(shown.contains("2 web searches, each billable · 1 retrieval query"), "{shown}");
}

#[test]
fn a_refusal_has_no_tick_and_nothing_is_offered_that_does_nothing() {
    let size = (80, 24);
    let footer =
        |state: &citescope::tui::state::State| screen(state, 80, 24).lines().last().unwrap().to_owned();
    let mut state = of(open("f", gemini("Fine.", &json!({"webSearchQueries": ["rain"]}))));
    for words in [" o ", "Enter"] {
        assert!(!footer(&state).contains(words), "{}", footer(&state));
    }
    press(&mut state, size, "o");
    assert!(footer(&state).starts_with(" ! no source has an address"), "{}", footer(&state));
    press(&mut state, size, "] Right");
    assert!(!screen(&state, 80, 24).contains('✓'), "{}", screen(&state, 80, 24));
}

#[test]
fn finding_and_card_say_one_share_of_the_wording() {
    let mut state = of(citescope::open_file("samples/gemini-retrieval-scores.json".as_ref()).unwrap());
    press(&mut state, (120, 36), "Right Right");
    let shown = screen(&state, 120, 36);
    assert!(shown.contains("100 % against") && shown.contains("wording ▁▁▁▁▁▁▁▁ 2 %"), "{shown}");
    let said: Vec<&str> = state.findings().iter().map(|finding| finding.message.as_str()).collect();
    assert!(
        said.contains(&"source [3] holds more of support 3 (100 % of the wording against 2 %)"),
        "{said:?}"
    );
}

#[test]
fn plain_text_and_footnotes_list_only_what_a_mark_leads_to() {
    let metadata = json!({"groundingChunks": [{"web": {"uri": "https://a.example", "title": "a.example"}},
            {"web": {"uri": "https://b.example", "title": "b.example"}}],
        "groundingSupports": [
            {"segment": {"startIndex": 0, "endIndex": 0}, "groundingChunkIndices": [0]},
            {"segment": {"startIndex": 0, "endIndex": 5, "text": "Fine."}, "groundingChunkIndices": [1]}]});
    let text = gemini("Fine.", &metadata);
    let export = |target| program::run(&["export", "--to", target], &text).1;
    assert_eq!(export("plain"), "Fine.[2]\n\n[2] b.example\n    https://b.example\n");
    assert_eq!(export("footnotes"), "Fine.[^2]\n\n[^2]: [b.example](https://b.example)\n");
    let metadata = json!({"groundingChunks": [{"web": {"uri": "https://a.example", "title": "a.example"}}],
        "groundingSupports": [{"segment": {"startIndex": 90, "endIndex": 99}, "groundingChunkIndices": [0]}]});
    let cut = program::run(&["export", "--to", "plain"], &gemini("Fine.", &metadata)).1;
    assert_eq!(cut, "Fine.\n\n[1] a.example\n    https://a.example\n");
}
