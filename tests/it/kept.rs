//! Fields that have no place in the model are kept as they were sent, and the credentials in them are masked
//! by all that stands around them in their frame.

use serde_json::{Value, json};

use crate::common::library::sample;
use crate::common::program::run;

const SECRET: &str = "Zq7Xv9Kp2Lm4Rt8Wn1Bc";

/// The export of an input, in which no credential may be shown.
#[track_caller]
fn masked(input: &str) -> Value {
    let (_, out, errors) = run(&["export", "--to", "json"], input);
    assert!(!out.contains(SECRET), "{out}");
    assert!(out.contains("masked"), "{out} {errors}");
    let (_, shown, _) = run(&["export", "--to", "json", "--show-secrets"], input);
    assert!(shown.contains(SECRET), "{shown}");
    serde_json::from_str(&out).unwrap()
}

#[test]
fn values_of_a_header_are_masked_whatever_they_stand_in() {
    let own = |headers: Value| {
        json!({"answer": "Hi there.", "sources": [{"id": "a", "url": "https://a.example/"}],
            "claims": [{"text": "Hi there.", "source_ids": ["a"]}], "request": {"headers": headers}})
    };
    let out = masked(&own(json!([{"name": "X-Api-Key", "value": [SECRET]}])).to_string());
    assert_eq!(
        out["responses"][0]["extra"]["$.request.headers[0].value[0]"],
        "•••• (masked, --show-secrets shows it)"
    );
    for headers in [
        json!([{"name": "X-Api-Key", "value": {"raw": SECRET}}]),
        json!([{"name": "X-Api-Key", "values": [SECRET]}]),
        json!([["Authorization", {"v": SECRET}]]),
        json!(["--header", ["X-Api-Key", [SECRET]]]),
    ] {
        masked(&own(headers).to_string());
    }
    let found = json!([{"name": "X-Api-Key", "value": [SECRET]}]);
    let cohere = json!({"id": "c", "finish_reason": "COMPLETE", "message": {"role": "assistant",
        "content": [{"type": "text", "text": "Hi there."}], "citations": [{"start": 0, "end": 2, "text": "Hi",
            "sources": [{"type": "tool", "id": "d", "tool_output": found}]}]}});
    masked(&cohere.to_string());
    let mut hits = vec![json!(r#"{"a":1}"#); 64];
    hits.push(found[0].clone());
    let gemini = json!({"candidates": [{"content": {"parts": [
        {"functionResponse": {"name": "f", "response": {"hits": hits}}}, {"text": "Hi."}]}, "finishReason": "STOP"}]});
    masked(&gemini.to_string());
}

#[test]
fn what_is_nested_out_of_reason_is_masked_where_it_is_a_credential() {
    let nested = |depth: usize, inner: Value| {
        let inner = (0..depth).fold(inner, |inner, _| json!([inner]));
        json!({"candidates": [{"content": {"parts": [{"text": "Hi."}]}, "finishReason": "STOP", "zz": inner}]})
    };
    // Deeper than `serde_json` writes and reads it.
    let deepest = nested(100, json!("@")).to_string();
    let more =
        |inner: &str| deepest.replace("\"@\"", &format!("{}{inner}{}", "[".repeat(26), "]".repeat(26)));
    masked(&more(&format!(r#"{{"apiKey": "{SECRET}"}}"#)));
    masked(&nested(63, json!({"name": "X-Api-Key", "value": [SECRET]})).to_string());
}

#[test]
fn a_literal_of_json_in_a_text_is_looked_into_whatever_its_keys_are_escaped_as() {
    let literal =
        json!(json!(format!(r#"{{"apiKey":"{SECRET}"}}"#)).to_string().replace("apiKey", "a\\u0070iKey"));
    assert!(literal.as_str().unwrap().starts_with(r#""{\"a\u0070iKey\""#), "{literal}");
    let input = json!({"candidates": [{"content": {"parts": [{"text": "Hi."}]}, "finishReason": "STOP", "zz": {"b": literal}}]});
    masked(&input.to_string());
}

#[test]
fn a_line_that_breaks_off_in_a_credential_does_not_show_that_of_another() {
    let call = |arguments: &str| {
        format!(
            r#"{{"type":"tool.execution_start","id":"1","data":{{"toolCallId":"c","toolName":"n","arguments":{arguments}}}}}"#
        )
    };
    let cut = r#"{"type":"assistant.message","id":"2","data":{"messageId":"m","content":"Hi.","toolRequests":[{"toolCallId":"c","name":"n","arguments":{"a":[["--password",["Zq7Xv9Kp2Lm4"#;
    let first = call(&format!(r#"{{"a":[["--password",["{SECRET}"]]]}}"#));
    masked(&format!("{first}\n{cut}"));
}

/// The end of a credential in a last line that breaks off, its beginning in the one before; and addresses in
/// pieces.
#[test]
fn pieces_hold_a_credential_together_also_where_the_last_one_breaks_off() {
    let thought = |text: &str| {
        json!({"content": {"parts": [{"text": text, "thought": true}], "role": "model"}, "partial": true,
            "invocationId": "e", "author": "a", "id": "x", "timestamp": 1.5})
    };
    let begun = thought("password=Qm4");
    let cut = format!(r#"{{"content": {{"parts": [{{"text": "{SECRET}"#);
    let (_, out, _) = run(&["export", "--to", "json"], &format!("data: {begun}\n\ndata: {cut}"));
    assert!(!out.contains(SECRET) && out.contains("masked"), "{out}");
    let link = |data: &str| format!("data: {}\n\n", json!({"type": "data-link", "data": data}));
    let frame = |frame: Value| format!("data: {frame}\n\n");
    for (before, behind) in [
        ("https://h.example/p?access_token=Qm4", SECRET),
        ("https://h.example/p?access_to", &format!("ken={SECRET}")),
    ] {
        let stream = [
            frame(json!({"type": "start", "messageId": "m"})),
            link(before),
            link(behind),
            frame(json!({"type": "text-delta", "id": "x", "delta": "Hello."})),
            frame(json!({"type": "finish"})),
        ];
        masked(&stream.concat());
    }
}

#[test]
fn of_a_key_that_comes_twice_both_values_are_told() {
    let input = r#"{"candidates": [{"content": {"parts": [{"text": "Hi."}]}, "finishReason": "STOP",
        "zz": {"k": "the first", "k": "the second"}}]}"#;
    let (_, out, _) = run(&["export", "--to", "json"], input);
    let out: Value = serde_json::from_str(&out).unwrap();
    let extra = &out["responses"][0]["extra"];
    assert_eq!(extra["$.candidates[0].zz"], json!({"k": "the second"}));
    assert_eq!(extra["$.candidates[0].zz.k"], "the first");
}

/// Whatever kind of blank stands in it, and where a line that is no JSON was cut at its blanks.
#[test]
fn credentials_in_offsets_and_in_broken_frames_are_masked() {
    for sent in ["password\t=\tZq7hunter", "api_key\u{a0}=Zq7hunter", "--password\tZq7hunter"] {
        let support = json!({"segment": {"startIndex": sent, "endIndex": 4}, "groundingChunkIndices": [0]});
        let input = json!({"candidates": [{"content": {"parts": [{"text": "Rio."}]}, "finishReason": "STOP", "groundingMetadata": {
            "groundingChunks": [{"web": {"uri": "https://a.example/", "title": "a"}}], "groundingSupports": [support]}}]});
        for command in [&["check"][..], &["check", "--format", "json"], &["export", "--to", "json"]] {
            let (_, out, errors) = run(command, &input.to_string());
            assert!(!format!("{out}{errors}").contains("Zq7"), "{command:?} {sent:?}: {out}");
        }
    }
    let frame = json!({"candidates": [{"content": {"parts": [{"text": "Rio."}]}, "finishReason": "STOP"}]});
    for broken in [
        "X-Api-Key: Zq7!hunter-7Kx9.aBc4!dEf9",
        "Authorization: Basic Zq7-hunter:7Kx9-4",
        "password Zq7hunter-",
    ] {
        let (_, out, errors) = run(&["check"], &format!("data: {frame}\n\ndata: {broken}\n\n"));
        assert!(!format!("{out}{errors}").contains("Zq7"), "{broken}: {errors}");
    }
}

#[test]
fn an_id_that_leads_nowhere_is_masked_as_a_message() {
    let mut maps: Value = serde_json::from_str(sample("gemini-maps.json")).unwrap();
    let flags = &mut maps["candidates"][0]["groundingMetadata"]["sourceFlaggingUris"];
    flags[0]["sourceId"] = json!("token=Zq9xT3vB7nM1kL5pW8rY");
    for command in [&["check"][..], &["export", "--to", "json"], &["export", "--to", "report"]] {
        let (_, out, errors) = run(command, &maps.to_string());
        assert!(!format!("{out}{errors}").contains("Zq9xT3"), "{command:?}: {out}");
    }
}

#[test]
fn a_long_list_below_a_secret_key_is_masked_as_one() {
    let part = |key: &str, count: usize| {
        let response = json!({"name": "f", "response": {key: vec![7; count]}});
        json!({"candidates": [{"content": {"parts": [{"functionResponse": response}, {"text": "Rio."}]}, "finishReason": "STOP"}]})
            .to_string()
    };
    let out = |key: &str, count: usize| run(&["export", "--to", "json"], &part(key, count)).1;
    assert_eq!(out("apiKey", 5).matches("masked").count(), 5);
    let long = out("apiKey", 5_000);
    assert!(
        long.matches("masked").count() == 1 && long.len() < out("count", 5_000).len(),
        "{}",
        &long[..900]
    );
}

#[test]
fn of_a_list_without_end_that_has_no_place_the_list_is_kept() {
    let frame = |count: usize| {
        let list: Vec<f64> = (0..count).map(|n| f64::from(n as u32) + 0.5).collect();
        let response = json!({"name": "f", "response": {"v": list}});
        let event = |part: &Value| json!({"author": "a", "invocationId": "i", "content": {"role": "model", "parts": [part]}});
        json!({"sessionEvents": [event(&json!({"functionCall": {"name": "f", "args": {}}})),
            event(&json!({"functionResponse": response})), event(&json!({"text": "Rio."}))]})
    };
    for count in [3, 5_000] {
        let input = frame(count).to_string();
        let (_, out, _) = run(&["export", "--to", "jsonl"], &input);
        assert!(out.contains(&format!("{}.5", count - 1)), "{count}");
        assert!(out.len() < 6_000 + 4 * input.len(), "{count}: {} bytes", out.len());
        // One within it, or several, make it no other one.
        let parted = input.replace("000.5,", "000.5,[0.25],").replacen("[0.25],", "", 1);
        let (_, out, _) = run(&["export", "--to", "jsonl"], &parted);
        assert!(out.len() < 9_000 + 4 * parted.len(), "{count} parted: {} bytes", out.len());
        // What breaks off in it is no list: each is listed, and the list is looked for once.
        let last = format!("{}.5", count - 1);
        let torn = &input[..input.find(&last).unwrap() + last.len()];
        let (_, out, _) = run(&["export", "--to", "jsonl"], torn);
        assert!(out.contains(&format!("{}.5", count - 1)), "{count} torn");
    }
}
