//! What Vercel's AI SDK hands on of the services behind it.

use citescope::model::Target;
use serde_json::json;

use crate::common::library::response;
use crate::common::program::run;

/// Vercel's SDK hands OpenAI's annotations on beside a text: in a message and a step with it, in a stream
/// when it is whole. Of Anthropic it hands on the words of a source that are cited.
#[test]
fn what_vercels_sdk_hands_on_beside_a_part() {
    let words = "Ré is an isle. ([re.example](https://re.example/)) It is flat.";
    let cites = |end: usize| {
        let annotation = json!({"type": "url_citation", "start_index": 15, "end_index": end,
            "url": "https://re.example/", "title": "Ré"});
        json!({"openai": {"itemId": "msg_1", "annotations": [annotation]}})
    };
    let page = json!({"type": "source-url", "sourceId": "s1", "url": "https://re.example/", "title": "Ré"});
    let message = |end: usize| {
        let text = json!({"type": "text", "text": words, "state": "done", "providerMetadata": cites(end)});
        json!({"id": "m", "role": "assistant", "parts": [text, page]}).to_string()
    };
    let step = json!({"finishReason": "stop", "content": [
        {"type": "text", "text": words, "providerMetadata": cites(50)},
        {"type": "source", "sourceType": "url", "id": "s1", "url": "https://re.example/", "title": "Ré"}]});
    let stream = |said_with: usize| {
        let mut events = [
            json!({"type": "start", "messageId": "m"}),
            json!({"type": "text-start", "id": "msg_1", "providerMetadata": {"openai": {"itemId": "msg_1"}}}),
            json!({"type": "text-delta", "id": "msg_1", "delta": &words[..20]}),
            json!({"type": "text-delta", "id": "msg_1", "delta": &words[20..]}),
            page.clone(),
            json!({"type": "text-end", "id": "msg_1", "providerMetadata": {"openai": {"itemId": "msg_1"}}}),
            json!({"type": "finish", "finishReason": "stop"}),
        ];
        events[said_with]["providerMetadata"] = cites(50);
        events.iter().map(|event| format!("data: {event}\n\n")).collect::<String>()
    };
    for input in [message(50), step.to_string(), stream(1), stream(3), stream(5)] {
        let (_, out, _) = run(&["export", "--to", "inline"], &input);
        assert_eq!(out, "Ré is an isle.[1](https://re.example/) It is flat.\n", "{input}");
        assert_eq!(run(&["check"], &input), (0, "no findings in 1 response\n".to_owned(), String::new()));
    }
    // They are repaired where they stand.
    let (code, fixed, _) = run(&["fix"], &message(49));
    assert_eq!((code, fixed), (0, message(50)));
    let source = json!({"type": "source-document", "sourceId": "d1", "title": "Isles", "mediaType": "text/plain",
        "providerMetadata": {"anthropic": {"citedText": "Ré has no hills.", "startCharIndex": 0, "endCharIndex": 16}}});
    let parts = json!([{"type": "text", "text": "Ré is flat. [1]"}, source]);
    let quoted = response(&json!({"id": "m", "role": "assistant", "parts": parts}).to_string());
    assert_eq!(quoted.sources[0].chunks[0].text, "Ré has no hills.");
}

/// Of several steps of Vercel's each has its sources, as version 4 of the SDK tells them, too.
#[test]
fn sources_of_earlier_steps_are_sources() {
    let source = |id: &str| json!({"sourceType": "url", "id": id, "url": format!("https://{id}.example/"), "title": id});
    let made = json!({"text": "Rio is big [1].", "sources": [], "finishReason": "stop", "steps": [
        {"stepType": "initial", "text": "", "sources": [source("rio")], "finishReason": "tool-calls"},
        {"stepType": "tool-result", "text": "Rio is big [1].", "sources": [source("oslo")], "finishReason": "stop"}]});
    let read = response(&made.to_string());
    let titles: Vec<_> = read.sources.iter().map(|source| source.title.clone().unwrap_or_default()).collect();
    assert_eq!((read.text(), titles), ("Rio is big [1].", vec!["rio".to_owned(), "oslo".to_owned()]));
    assert_eq!(read.supports[0].citations[0].target, Target::Source(0));
}

/// A file of Vercel's has the id that the annotation names it by: it was a source twice, once uncited.
#[test]
fn a_file_that_an_annotation_names_is_one_source() {
    let file = |id: &str, name: &str, place: u32| {
        (
            json!({"type": "file_citation", "file_id": id, "filename": name, "index": place}),
            json!({"type": "source-document", "sourceId": place.to_string(), "title": name, "mediaType": "text/plain",
                "filename": name, "providerMetadata": {"openai": {"type": "file_citation", "fileId": id}}}),
        )
    };
    for (names, titles) in
        [(["a.pdf", "b.pdf"], ["a.pdf", "b.pdf"]), (["a.pdf", "a.pdf"], ["a.pdf", "a.pdf"])]
    {
        let (first, one) = file("f1", names[0], 11);
        let (second, other) = file("f2", names[1], 24);
        let text = json!({"type": "text", "text": "Rio is one. Oslo is two.",
            "providerMetadata": {"openai": {"annotations": [first, second]}}});
        let read =
            response(&json!({"id": "m", "role": "assistant", "parts": [text, one, other]}).to_string());
        let named: Vec<_> = read.sources.iter().filter_map(|source| source.title.as_deref()).collect();
        assert_eq!((named, read.supports.len()), (titles.to_vec(), 2));
    }
}
