//! The near miss of each rule: what looks like its cause and is none. That the rules fire is told by their examples.

use serde_json::{Value, json};

use super::{CHUNK, gemini, ids, told};

/// A candidate with supports that are exact by their quotes.
fn cited(answer: &str, quotes: &[(&str, &[i64])], chunks: Value) -> String {
    let support = |(quote, indices): &(&str, &[i64])| {
        let start = answer.find(quote).unwrap();
        json!({"segment": {"startIndex": start, "endIndex": start + quote.len(), "text": quote}, "groundingChunkIndices": indices})
    };
    let supports: Vec<Value> = quotes.iter().map(support).collect();
    json!({"content": {"parts": [{"text": answer}]}, "finishReason": "STOP", "groundingMetadata": {"groundingChunks": chunks, "groundingSupports": supports}})
        .to_string()
}

fn pages(uris: &[&str]) -> Value {
    uris.iter().map(|uri| json!({"web": {"uri": uri, "title": "a page"}})).collect()
}

/// The answer is one support, its source has this address.
fn whole(answer: &str) -> String {
    cited(answer, &[(answer, &[0])], pages(&["https://rio.example/hours"]))
}

#[track_caller]
fn silent(rule: &str, text: &str) {
    assert!(super::super::rule(rule).is_some(), "{rule} is no rule");
    assert!(!ids(text).iter().any(|id| id == rule), "{rule} fires on {text}: {:?}", told(text));
}

#[test]
fn segments() {
    let one = |start: usize, end: usize, answer: &str| {
        let support = json!({"segment": {"startIndex": start, "endIndex": end}, "groundingChunkIndices": [0]});
        json!({"content": {"parts": [{"text": answer}]}, "finishReason": "STOP",
            "groundingMetadata": {"groundingChunks": pages(&["https://a.example"]), "groundingSupports": [support]}})
        .to_string()
    };
    silent("offset-midword", &one(3, 10, "`a.length` is 9"));
    silent("offset-midword", &one(0, 9, "橋は長い"));
    silent("offset-midword", &one(0, 6, "ไทยนี้"));
    // A misfit is told by its own rule, not as a cut word.
    let drifted = cited("Rio opens at nine.", &[("Rio opens at nine.", &[0])], pages(&["https://a.example"]))
        .replace("\"endIndex\":18", "\"endIndex\":15");
    assert_eq!(ids(&drifted), ["quote-mismatch"]);
    silent("segment-markup", &cited("**Nine** o’clock", &[("**Nine**", &[0])], pages(&["https://a.example"])));
    silent("segment-markup", &cited("Open 🎉 now", &[("🎉", &[0])], pages(&["https://a.example"])));
    silent("segment-empty", &whole("Nine."));
    let two = pages(&["https://a.example", "https://b.example"]);
    silent(
        "segment-nested",
        &cited("It opens at nine. It closes.", &[("It opens at nine.", &[0]), ("opens at nine. It closes.", &[1])], two.clone()),
    );
    silent("support-repeated", &cited("It opens at nine.", &[("It opens at nine.", &[0]), ("It opens at nine.", &[1])], two));
}

#[test]
fn metadata_stays_with_its_own_event() {
    let event = |text: &str, quote: &str| {
        json!({"author": "a", "invocationId": "i", "timestamp": 1, "content": {"parts": [{"text": text}]},
            "groundingMetadata": {"groundingChunks": pages(&["https://a.example"]),
                "groundingSupports": [{"segment": {"endIndex": quote.len(), "text": quote}, "groundingChunkIndices": [0]}]}})
    };
    let same =
        json!({"events": [event("It opens at nine.", "It opens at nine."), event("It opens at nine. Bring a coat.", "It opens at nine.")]});
    silent("text-other-event", &same.to_string());
    // Quotes that are nowhere are gone, not another's.
    let gone = json!({"events": [event("Let me see.", "It opens at eight."), event("It opens at nine.", "It opens at nine.")]});
    assert_eq!(ids(&gone.to_string()), ["quote-gone"]);
}

#[test]
fn sources_and_scores() {
    let doc = |uri: &str, text: &str| json!({"retrievedContext": {"uri": uri, "title": "Hours", "text": text}});
    let two = |a: Value, b: Value| cited("It opens at nine.", &[("It opens at nine.", &[0, 1])], json!([a, b]));
    silent("source-duplicate", &two(doc("gs://b/x", "Opens at nine."), doc("gs://b/x", "Closes at ten.")));
    silent("source-duplicate", &two(doc("gs://b/x", "Opens at nine."), doc("gs://b/y", "Opens at nine.")));
    // The title of a web page is a bare domain: it tells nothing.
    let veiled = |token: &str| json!({"web": {"uri": format!("https://vertexaisearch.cloud.google.com/grounding-api-redirect/{token}"), "title": "a.example"}});
    silent("source-duplicate", &two(veiled("x"), veiled("y")));
    let scored = |model: &str, scores: &str| {
        format!(
            r#"{{"modelVersion": "{model}", "candidates": [{{"content": {{"parts": [{{"text": "Fine."}}]}}, "groundingMetadata": {{{CHUNK}, "groundingSupports": [{{"segment": {{"endIndex": 5}}, "groundingChunkIndices": [0, 0], "confidenceScores": {scores}}}]}}}}]}}"#
        )
    };
    assert!(ids(&scored("gemini-2.0-flash", "[0.1, 0.2]")).contains(&"score-low".to_owned()));
    silent("score-low", &scored("gemini-2.0-flash", "[0.1, 0.5]"));
    silent("score-low", &scored("gemini-2.5-pro", "[0.1, 0.2]"));
    silent("score-low", &scored("gemini-3-pro-preview", "[0.1, 0.2]"));
    silent(
        "score-low",
        r#"{"answerText": "Nine.", "citations": [{"endIndex": "5", "sources": [{"referenceId": "0"}]}], "references": [{"chunkInfo": {"content": "Nine.", "relevanceScore": 0.1}}]}"#,
    );
    silent(
        "score-low",
        r#"{"answerText": "Hi.", "groundingSupports": [{"endIndex": "3", "groundingScore": 0.1, "groundingCheckRequired": false}]}"#,
    );
    silent("score-count", &scored("gemini-2.0-flash", "[]"));
    let page = r#"{"content": {"parts": [{"text": "Hi"}]}, "finishReason": "STOP", "urlContextMetadata": {"urlMetadata": [{"retrievedUrl": "https://a.example", "urlRetrievalStatus": "URL_RETRIEVAL_STATUS_UNSPECIFIED"}]}}"#;
    silent("page-unfetched", page);
}

#[test]
fn steps_and_streams() {
    let bigdata = |messages: &[Value]| -> String {
        messages.iter().map(|message| format!("data: {}\n\n", json!({"chat_id": "c", "message": message}))).collect()
    };
    let audit =
        json!({"type": "AUDIT", "audit_traces": [{"tool_id": "t", "results": [{"type": "CQS", "values": [{"id": "A", "hd": "Report"}]}]}]});
    let reference = |audit: &str, end: i64| json!({"type": "GROUNDING", "references": [{"start": 0, "end": end, "audit_id": audit, "source": {"id": "A", "hd": "Report"}}]});
    let answer = json!({"type": "ANSWER", "content": "The margin rose to 31 percent ."});
    let end = json!({"type": "COMPLETE"});
    assert_eq!(ids(&bigdata(&[audit.clone(), answer.clone(), reference("t", 30), end.clone()])), [""; 0]);
    // A reference may come before its text.
    assert_eq!(ids(&bigdata(&[audit.clone(), reference("t", 30), answer.clone(), end.clone()])), [""; 0]);
    // Joined by the document: not the step that it names, so nothing is late.
    silent(
        "trace-late",
        &bigdata(&[
            answer.clone(),
            json!({"type": "GROUNDING", "references": [{"start": 0, "end": 30, "source": {"id": "A", "hd": "Report"}}]}),
            audit.clone(),
            end.clone(),
        ]),
    );
    // French and decimals have blanks and points of their own.
    let french = json!({"type": "ANSWER", "content": "La marge est de 31 % ; elle monte . Et .5 reste."});
    silent("slot-empty", &bigdata(&[audit.clone(), french, reference("t", 34), end.clone()]));
    silent("slot-empty", &whole("It opens at nine . It closes."));
    silent("stream-cumulative", &bigdata(&[answer, end]));
}

#[test]
fn coverage_is_told_once_and_only_of_sentences() {
    let answer =
        "# Opening hours of the Rio\n\nIt opens at nine on weekdays. Do you want to know more?\n\nThe days on which it is closed:\n\nOK.";
    silent("sentence-uncited", &cited(answer, &[("It opens at nine on weekdays.", &[0])], pages(&["https://a.example"])));
    let half =
        cited("It opens at nine on weekdays. It closes at ten on Sundays.", &[("It opens at nine", &[0])], pages(&["https://a.example"]));
    assert_eq!(ids(&half), ["coverage-low"]);
    // Nothing is said of what another rule tells of, of questions, of pieces and of JSON.
    let claim = "It opens at nine on weekdays and closes at ten.";
    assert_eq!(ids(&gemini(claim, "{}")), [""; 0]);
    assert_eq!(
        ids(&format!(r#"{{"candidates": [{{"content": {{"parts": [{{"text": {claim:?}}}]}}, "finishReason": "STOP"}}]}}"#)),
        ["ungrounded"]
    );
    let event = |rest: &str| {
        format!(
            r#"{{"author": "a", "invocationId": "i", "timestamp": 1, "content": {{"parts": [{{"text": "{claim} See [9]."}}]}}, "groundingMetadata": {{}}{rest}}}"#
        )
    };
    assert_eq!(ids(&event("")), ["marker-orphan"]);
    assert_eq!(ids(&event(r#", "partial": true"#)), [""; 0]);
    assert_eq!(ids(&event("").replace("\"author\": \"a\"", "\"author\": \"user\"")), [""; 0]);
    let list = "{\"hours\": \"nine\", \"days\": [1, 2, 3]}";
    assert_eq!(ids(&cited(list, &[("\"nine\"", &[0])], pages(&["https://a.example"]))), [""; 0]);
    let exempt = r#"{"answerText": "Glad to help you with that. It opens at nine on weekdays.", "groundingSupports": [{"endIndex": "27", "groundingCheckRequired": false}, {"startIndex": "28", "endIndex": "57", "sources": [{"referenceId": "0"}]}], "references": [{"chunkInfo": {"content": "It opens at nine."}}]}"#;
    silent("sentence-uncited", exempt);
}

#[test]
fn drafts_markers_and_addresses() {
    silent("draft-repeated", &whole("It opens at nine. It closes at ten. It opens at nine on Sundays too."));
    silent("draft-repeated", &whole("Ha ha ha ha ha ha ha ha ha ha ha ha ha ha ha ha ha ha ha ha ha ha."));
    silent("draft-repeated", &whole("Ask the U.S.Office of Parks. Ask the U.K.Office of Parks."));
    silent(
        "marker-orphan",
        &whole("It opens at nine [1]. The year [2024], the range [0.5], `list[3]`, [a link](https://rio.example/hours)."),
    );
    silent("marker-orphan", &whole("It opens at nine [3].\n\n[3] The hours of the Rio"));
    silent("marker-orphan", &whole("The list [4, 5, 6] is sorted."));
    silent("address-foreign", &whole("See https://www.rio.example/hours/?utm_source=x#top and http://rio.example."));
    silent("address-foreign", &whole("Call `https://api.example/v1` first."));
    let quoting = json!([{"retrievedContext": {"uri": "https://rio.example/a", "text": "Prices: https://rio-cafe.example/prices"}}]);
    silent("address-foreign", &cited("See https://rio-cafe.example/prices.", &[("See", &[0])], quoting));
    let unaddressed = json!([{"retrievedContext": {"title": "Hours", "text": "Nine."}}]);
    silent("address-foreign", &cited("See https://rio-cafe.example/prices.", &[("See", &[0])], unaddressed));
}

#[test]
fn characters() {
    silent("encoding-mojibake", &whole("«Não, São Paulo não é à beira-mar», disse a IRMÃ… CAFÉ… „Spaß“, naïve façade."));
    silent("encoding-replaced", &whole("It opens at nine?"));
    silent("text-control", &whole("Line\r\nline\ttab, 👩\u{200D}🔬, می\u{200C}خواهم, soft\u{AD}hyphen, שלום\u{200F}!"));
    assert!(ids(&whole("Nine\u{202E}.")).contains(&"text-control".to_owned()));
    let passage =
        |text: &str| cited("Nine.", &[("Nine.", &[0])], json!([{"retrievedContext": {"uri": "https://a.example", "text": text}}]));
    silent("text-control", &passage("zero\u{200B}width in a passage, “quotes” and\u{A0}blanks"));
    assert!(ids(&passage("over\u{202E}ride")).contains(&"text-control".to_owned()));
    assert!(ids(&passage("next\u{85}line")).contains(&"text-control".to_owned()));
}

/// A rule that is not linear in the length of the text would not come back from these.
#[test]
fn hostile_texts_come_back() {
    let pieces = [
        "` `` ",
        "``` a ```` b ",
        "[",
        "[cite: 1, 2",
        "【1",
        "http://",
        "http://a.b/(((((",
        "http://a.b/)))))",
        "Ã©",
        "\u{1b}",
        " .",
        "a.B",
        "橋。",
        "\n#",
    ];
    for piece in pieces {
        let told = ids(&whole(&piece.repeat(100_000 / piece.len())));
        assert!(told.len() < 5, "one finding a cause, however often it occurs: {told:?}");
    }
}

#[test]
fn a_letter_and_its_accent_are_one_character() {
    let one = |end: usize, quote: Option<&str>| {
        let support = json!({"segment": {"endIndex": end, "text": quote}, "groundingChunkIndices": [0]});
        json!({"content": {"parts": [{"text": "Cafe\u{301} Rio."}]}, "finishReason": "STOP",
            "groundingMetadata": {"groundingChunks": pages(&["https://a.example"]), "groundingSupports": [support]}})
        .to_string()
    };
    assert!(ids(&one(4, None)).contains(&"offset-split".to_owned()), "{:?}", told(&one(4, None)));
    silent("offset-split", &one(6, None));
    silent("offset-split", &one(4, Some("Cafe")));
}
