//! Every field of the vendors' five documents is shown and exported: the literal paths of the `all-fields-*`
//! samples, each value looked for on the screen (without the raw view) and in `export --to json`.

use std::sync::Arc;

use citescope::export::json;
use citescope::session::{Session, Supplied};
use citescope::tui::panes;
use citescope::tui::state::{Overlay, Pane, State};
use serde_json::Value;

use crate::common::screen;
use crate::fields_providers::PROVIDERS;

const FIELDS: &[(&str, &[&str])] = &[
    (
        "samples/all-fields-gemini.json",
        &[
            "candidates[].content.parts[].text",
            "candidates[].content.role",
            "candidates[].groundingMetadata.webSearchQueries[]",
            "candidates[].groundingMetadata.retrievalQueries[]",
            "candidates[].groundingMetadata.groundingChunks[].web.uri",
            "candidates[].groundingMetadata.groundingChunks[].web.title",
            "candidates[].groundingMetadata.groundingChunks[].web.domain",
            "candidates[].groundingMetadata.groundingChunks[].retrievedContext.uri",
            "candidates[].groundingMetadata.groundingChunks[].retrievedContext.title",
            "candidates[].groundingMetadata.groundingChunks[].retrievedContext.text",
            "candidates[].groundingMetadata.groundingChunks[].retrievedContext.documentName",
            "candidates[].groundingMetadata.groundingChunks[].retrievedContext.ragChunk.text",
            "candidates[].groundingMetadata.groundingChunks[].retrievedContext.ragChunk.pageSpan.firstPage",
            "candidates[].groundingMetadata.groundingChunks[].retrievedContext.ragChunk.pageSpan.lastPage",
            "candidates[].groundingMetadata.groundingChunks[].maps.placeAnswerSources.reviewSnippets[].reviewId",
            "candidates[].groundingMetadata.groundingChunks[].maps.placeAnswerSources.reviewSnippets[].googleMapsUri",
            "candidates[].groundingMetadata.groundingChunks[].maps.placeAnswerSources.reviewSnippets[].title",
            "candidates[].groundingMetadata.groundingChunks[].maps.uri",
            "candidates[].groundingMetadata.groundingChunks[].maps.title",
            "candidates[].groundingMetadata.groundingChunks[].maps.text",
            "candidates[].groundingMetadata.groundingChunks[].maps.placeId",
            "candidates[].groundingMetadata.groundingSupports[].groundingChunkIndices[]",
            "candidates[].groundingMetadata.groundingSupports[].confidenceScores[]",
            "candidates[].groundingMetadata.groundingSupports[].segment.partIndex",
            "candidates[].groundingMetadata.groundingSupports[].segment.startIndex",
            "candidates[].groundingMetadata.groundingSupports[].segment.endIndex",
            "candidates[].groundingMetadata.groundingSupports[].segment.text",
            "candidates[].groundingMetadata.sourceFlaggingUris[].sourceId",
            "candidates[].groundingMetadata.sourceFlaggingUris[].flagContentUri",
            "candidates[].groundingMetadata.searchEntryPoint.renderedContent",
            "candidates[].groundingMetadata.searchEntryPoint.sdkBlob",
            "candidates[].groundingMetadata.retrievalMetadata.googleSearchDynamicRetrievalScore",
            "candidates[].groundingMetadata.googleMapsWidgetContextToken",
        ],
    ),
    (
        "samples/all-fields-events.json",
        &[
            "sessionEvents[].name",
            "sessionEvents[].author",
            "sessionEvents[].content.parts[].text",
            "sessionEvents[].content.role",
            "sessionEvents[].invocationId",
            "sessionEvents[].timestamp",
            "sessionEvents[].content.parts[].functionCall.id",
            "sessionEvents[].content.parts[].functionCall.name",
            "sessionEvents[].content.parts[].functionCall.args.hall",
            "sessionEvents[].eventMetadata.partial",
            "sessionEvents[].eventMetadata.turnComplete",
            "sessionEvents[].eventMetadata.interrupted",
            "sessionEvents[].eventMetadata.longRunningToolIds[]",
            "sessionEvents[].eventMetadata.branch",
            "sessionEvents[].content.parts[].functionResponse.id",
            "sessionEvents[].content.parts[].functionResponse.name",
            "sessionEvents[].content.parts[].functionResponse.response.status",
            "sessionEvents[].actions.skipSummarization",
            "sessionEvents[].actions.stateDelta.chosen_hall",
            "sessionEvents[].actions.stateDelta.visit_count",
            "sessionEvents[].actions.stateDelta.preferences.row",
            "sessionEvents[].actions.artifactDelta.seat-plan-artifact",
            "sessionEvents[].actions.artifactDelta.price-list-artifact",
            "sessionEvents[].actions.escalate",
            "sessionEvents[].actions.requestedAuthConfigs.call-seats-71.auth_scheme.type",
            "sessionEvents[].actions.requestedAuthConfigs.call-seats-71.auth_scheme.flows.authorizationCode.authorizationUrl",
            "sessionEvents[].actions.requestedAuthConfigs.call-seats-71.auth_scheme.flows.authorizationCode.tokenUrl",
            "sessionEvents[].actions.requestedAuthConfigs.call-seats-71.auth_scheme.flows.authorizationCode.scopes.seats_read",
            "sessionEvents[].actions.requestedAuthConfigs.call-seats-71.raw_auth_credential.auth_type",
            "sessionEvents[].actions.requestedAuthConfigs.call-seats-71.raw_auth_credential.oauth2.client_id",
            "sessionEvents[].actions.requestedAuthConfigs.call-seats-71.raw_auth_credential.oauth2.client_secret",
            "sessionEvents[].actions.requestedAuthConfigs.call-seats-71.raw_auth_credential.oauth2.redirect_uri",
            "sessionEvents[].actions.requestedAuthConfigs.call-seats-71.exchanged_auth_credential.auth_type",
            "sessionEvents[].actions.requestedAuthConfigs.call-seats-71.exchanged_auth_credential.oauth2.access_token",
            "sessionEvents[].actions.requestedAuthConfigs.call-seats-71.exchanged_auth_credential.oauth2.refresh_token",
            "sessionEvents[].actions.requestedAuthConfigs.call-seats-71.exchanged_auth_credential.oauth2.expires_at",
            "sessionEvents[].actions.requestedAuthConfigs.call-seats-71.api_key",
            "sessionEvents[].actions.transferAgent",
            "sessionEvents[].eventMetadata.groundingMetadata.webSearchQueries[]",
            "sessionEvents[].eventMetadata.groundingMetadata.retrievalQueries[]",
            "sessionEvents[].eventMetadata.groundingMetadata.groundingChunks[].web.uri",
            "sessionEvents[].eventMetadata.groundingMetadata.groundingChunks[].web.title",
            "sessionEvents[].eventMetadata.groundingMetadata.groundingChunks[].web.domain",
            "sessionEvents[].eventMetadata.groundingMetadata.groundingChunks[].retrievedContext.uri",
            "sessionEvents[].eventMetadata.groundingMetadata.groundingChunks[].retrievedContext.title",
            "sessionEvents[].eventMetadata.groundingMetadata.groundingChunks[].retrievedContext.text",
            "sessionEvents[].eventMetadata.groundingMetadata.groundingChunks[].retrievedContext.documentName",
            "sessionEvents[].eventMetadata.groundingMetadata.groundingChunks[].retrievedContext.ragChunk.text",
            "sessionEvents[].eventMetadata.groundingMetadata.groundingChunks[].retrievedContext.ragChunk.pageSpan.firstPage",
            "sessionEvents[].eventMetadata.groundingMetadata.groundingChunks[].retrievedContext.ragChunk.pageSpan.lastPage",
            "sessionEvents[].eventMetadata.groundingMetadata.groundingChunks[].maps.placeAnswerSources.reviewSnippets[].reviewId",
            "sessionEvents[].eventMetadata.groundingMetadata.groundingChunks[].maps.placeAnswerSources.reviewSnippets[].googleMapsUri",
            "sessionEvents[].eventMetadata.groundingMetadata.groundingChunks[].maps.placeAnswerSources.reviewSnippets[].title",
            "sessionEvents[].eventMetadata.groundingMetadata.groundingChunks[].maps.uri",
            "sessionEvents[].eventMetadata.groundingMetadata.groundingChunks[].maps.title",
            "sessionEvents[].eventMetadata.groundingMetadata.groundingChunks[].maps.text",
            "sessionEvents[].eventMetadata.groundingMetadata.groundingChunks[].maps.placeId",
            "sessionEvents[].eventMetadata.groundingMetadata.groundingSupports[].groundingChunkIndices[]",
            "sessionEvents[].eventMetadata.groundingMetadata.groundingSupports[].confidenceScores[]",
            "sessionEvents[].eventMetadata.groundingMetadata.groundingSupports[].segment.partIndex",
            "sessionEvents[].eventMetadata.groundingMetadata.groundingSupports[].segment.startIndex",
            "sessionEvents[].eventMetadata.groundingMetadata.groundingSupports[].segment.endIndex",
            "sessionEvents[].eventMetadata.groundingMetadata.groundingSupports[].segment.text",
            "sessionEvents[].eventMetadata.groundingMetadata.sourceFlaggingUris[].sourceId",
            "sessionEvents[].eventMetadata.groundingMetadata.sourceFlaggingUris[].flagContentUri",
            "sessionEvents[].eventMetadata.groundingMetadata.searchEntryPoint.renderedContent",
            "sessionEvents[].eventMetadata.groundingMetadata.searchEntryPoint.sdkBlob",
            "sessionEvents[].eventMetadata.groundingMetadata.retrievalMetadata.googleSearchDynamicRetrievalScore",
            "sessionEvents[].eventMetadata.groundingMetadata.googleMapsWidgetContextToken",
            "sessionEvents[].eventMetadata.customMetadata.experiment",
            "sessionEvents[].eventMetadata.customMetadata.latency_ms",
            "sessionEvents[].eventMetadata.customMetadata.labels[]",
            "sessionEvents[].errorCode",
            "sessionEvents[].errorMessage",
        ],
    ),
    (
        "samples/all-fields-answer.json",
        &[
            "name",
            "state",
            "answerText",
            "citations[].startIndex",
            "citations[].endIndex",
            "citations[].sources[].referenceId",
            "groundingSupports[].startIndex",
            "groundingSupports[].endIndex",
            "groundingSupports[].sources[].referenceId",
            "groundingSupports[].groundingScore",
            "groundingSupports[].groundingCheckRequired",
            "references[].chunkInfo.chunk",
            "references[].chunkInfo.content",
            "references[].chunkInfo.documentMetadata.document",
            "references[].chunkInfo.documentMetadata.uri",
            "references[].chunkInfo.documentMetadata.title",
            "references[].chunkInfo.documentMetadata.pageIdentifier",
            "references[].chunkInfo.documentMetadata.structData.keeper",
            "references[].chunkInfo.documentMetadata.structData.shelf",
            "references[].chunkInfo.relevanceScore",
            "references[].unstructuredDocumentInfo.document",
            "references[].unstructuredDocumentInfo.uri",
            "references[].unstructuredDocumentInfo.title",
            "references[].unstructuredDocumentInfo.chunkContents[].content",
            "references[].unstructuredDocumentInfo.chunkContents[].pageIdentifier",
            "references[].unstructuredDocumentInfo.chunkContents[].relevanceScore",
            "references[].unstructuredDocumentInfo.structData.restorer",
            "references[].unstructuredDocumentInfo.structData.cost",
            "references[].structuredDocumentInfo.document",
            "references[].structuredDocumentInfo.structData.traders",
            "references[].structuredDocumentInfo.structData.daily_fee",
            "references[].structuredDocumentInfo.structData.ward.name",
            "references[].structuredDocumentInfo.title",
            "references[].structuredDocumentInfo.uri",
            "relatedQuestions[]",
            "steps[].state",
            "steps[].description",
            "steps[].thought",
            "steps[].actions[].observation.searchResults[].document",
            "steps[].actions[].observation.searchResults[].uri",
            "steps[].actions[].observation.searchResults[].title",
            "steps[].actions[].observation.searchResults[].snippetInfo[].snippet",
            "steps[].actions[].observation.searchResults[].snippetInfo[].snippetStatus",
            "steps[].actions[].observation.searchResults[].chunkInfo[].chunk",
            "steps[].actions[].observation.searchResults[].chunkInfo[].content",
            "steps[].actions[].observation.searchResults[].chunkInfo[].relevanceScore",
            "steps[].actions[].observation.searchResults[].structData.drawer",
            "steps[].actions[].observation.searchResults[].structData.copies",
            "steps[].actions[].searchAction.query",
            "queryUnderstandingInfo.queryClassificationInfo[].type",
            "queryUnderstandingInfo.queryClassificationInfo[].positive",
            "answerSkippedReasons[]",
            "createTime",
            "completeTime",
            "safetyRatings[].category",
            "safetyRatings[].probability",
            "safetyRatings[].probabilityScore",
            "safetyRatings[].severity",
            "safetyRatings[].severityScore",
            "safetyRatings[].blocked",
            "groundingScore",
        ],
    ),
    (
        "samples/all-fields-bigdata.sse",
        &[
            "chat_id",
            "message.type",
            "message.role",
            "message.message_id",
            "message.plan.title",
            "message.plan.steps[].description",
            "message.plan.steps[].status",
            "message.content",
            "message.tool_name",
            "message.tool_arguments.query",
            "message.tool_arguments.limit",
            "message.message",
            "message.audit_traces[].audit_type",
            "message.audit_traces[].tool_id",
            "message.audit_traces[].title",
            "message.audit_traces[].query.text",
            "message.audit_traces[].query.filters.entities[]",
            "message.audit_traces[].results[].type",
            "message.audit_traces[].results[].values[].id",
            "message.audit_traces[].results[].values[].hd",
            "message.audit_traces[].results[].values[].src_key",
            "message.audit_traces[].results[].values[].src_name",
            "message.audit_traces[].results[].values[].source_rank",
            "message.audit_traces[].results[].values[].ts",
            "message.audit_traces[].results[].values[].url",
            "message.audit_traces[].results[].values[].language",
            "message.audit_traces[].results[].values[].document_scope",
            "message.audit_traces[].results[].values[].content_type",
            "message.audit_traces[].results[].values[].document_type",
            "message.audit_traces[].results[].values[].rp_provider_id",
            "message.audit_traces[].results[].values[].chunks[].id",
            "message.audit_traces[].results[].values[].chunks[].cnum",
            "message.audit_traces[].results[].values[].chunks[].text",
            "message.audit_traces[].results[].values[].chunks[].relevance",
            "message.audit_traces[].results[].values[].chunks[].sentiment",
            "message.audit_traces[].results[].values[].chunks[].sentences[].pnum",
            "message.audit_traces[].results[].values[].chunks[].sentences[].snum",
            "message.audit_traces[].results[].values[].chunks[].bounding_boxes[].page",
            "message.audit_traces[].results[].values[].chunks[].bounding_boxes[].top",
            "message.audit_traces[].results[].values[].chunks[].bounding_boxes[].left",
            "message.audit_traces[].results[].values[].chunks[].bounding_boxes[].bottom",
            "message.audit_traces[].results[].values[].chunks[].bounding_boxes[].right",
            "message.audit_traces[].results[].values[].text",
            "message.audit_traces[].results[].values[].relevance",
            "message.audit_traces[].results[].values[].sentiment",
            "message.audit_traces[].results[].values[].action.name",
            "message.audit_traces[].results[].values[].action.url",
            "message.audit_traces[].results[].values[].action.hd",
            "message.audit_traces[].results[].values[].action.ts",
            "message.error",
            "message.audit_traces[].content",
            "message.references[].start",
            "message.references[].end",
            "message.references[].tool_name",
            "message.references[].audit_id",
            "message.references[].source.type",
            "message.references[].source.id",
            "message.references[].source.hd",
            "message.references[].source.src_key",
            "message.references[].source.src_name",
            "message.references[].source.source_rank",
            "message.references[].source.ts",
            "message.references[].source.url",
            "message.references[].source.language",
            "message.references[].source.document_scope",
            "message.references[].source.content_type",
            "message.references[].source.document_type",
            "message.references[].source.rp_provider_id",
            "message.references[].source.chunks[].id",
            "message.references[].source.chunks[].cnum",
            "message.references[].source.chunks[].text",
            "message.references[].source.chunks[].relevance",
            "message.references[].source.chunks[].sentiment",
            "message.references[].source.chunks[].sentences[].pnum",
            "message.references[].source.chunks[].sentences[].snum",
            "message.references[].source.chunks[].bounding_boxes[].page",
            "message.references[].source.chunks[].bounding_boxes[].top",
            "message.references[].source.chunks[].bounding_boxes[].left",
            "message.references[].source.chunks[].bounding_boxes[].bottom",
            "message.references[].source.chunks[].bounding_boxes[].right",
            "message.references[].source.text",
            "message.references[].source.relevance",
            "message.references[].source.sentiment",
            "message.references[].source.action.name",
            "message.references[].source.action.url",
            "message.references[].source.action.hd",
            "message.references[].source.action.ts",
            "message.chart_id",
            "message.title",
            "message.caption",
            "message.chart_type",
            "message.data_points",
            "message.vega_lite_spec.mark",
            "message.vega_lite_spec.description",
            "message.start",
            "message.end",
            "message.content.passengers",
            "message.content.note",
            "message.json_schema.title",
            "message.json_schema.type",
            "message.json_schema.properties.passengers.type",
            "message.json_schema.properties.note.type",
            "message.consumption[].tier",
            "message.consumption[].units",
            "message.checkpoint_id",
            "message.audit_traces[].query.filters.region",
            "message.audit_traces[].results[].values[].documentScope",
            "message.audit_traces[].results[].values[].srcKey",
            "message.audit_traces[].results[].values[].srcName",
            "message.audit_traces[].results[].values[].chunks[].boundingBoxes[].page",
            "message.audit_traces[].results[].values[].chunks[].boundingBoxes[].top",
            "message.audit_traces[].results[].values[].chunks[].boundingBoxes[].left",
            "message.audit_traces[].results[].values[].chunks[].boundingBoxes[].bottom",
            "message.audit_traces[].results[].values[].chunks[].boundingBoxes[].right",
            "message.audit_traces[].results[].values[].sourceRank",
            "message.audit_traces[].results[].values[].contentType",
            "message.audit_traces[].results[].values[].documentType",
            "message.audit_traces[].results[].values[].rpProviderId",
            "message.audit_traces[].auditType",
            "message.audit_traces[].toolId",
            "message.audit_traces[].queryId",
            "message.references[].tag.tool_call_id",
            "message.references[].tag.ref_id",
            "message.references[].action_audits_id",
            "request_id",
            "execution_id",
            "delta.type",
            "delta.role",
            "delta.message_id",
            "delta.content",
            "delta.error",
        ],
    ),
];

/// Values at a path; `[]` stands for every element.
fn values<'a>(root: &'a Value, path: &str) -> Vec<&'a Value> {
    let mut found = vec![root];
    for step in path.split('.') {
        let (key, lists) = (step.trim_end_matches("[]"), step.matches("[]").count());
        found = found.into_iter().filter_map(|value| value.get(key)).collect();
        for _ in 0..lists {
            found = found.into_iter().flat_map(|value| value.as_array().into_iter().flatten()).collect();
        }
    }
    found
}

/// The leaves of a value.
fn scalars(value: &Value) -> Vec<&Value> {
    match value {
        Value::Object(object) => object.values().flat_map(scalars).collect(),
        Value::Array(list) => list.iter().flat_map(scalars).collect(),
        leaf => vec![leaf],
    }
}

fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Only what a reader compares: no white space, no wrapping.
fn squeezed(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// With credentials shown.
fn open_file(file: &str) -> Session {
    Session::open_file(file.as_ref()).with(Supplied { show_secrets: true, ..Supplied::default() })
}

/// Everything that the panes and the overlays of a file show, raw JSON left out.
fn everything_shown(file: &str) -> String {
    let mut state = State::new(Arc::new(open_file(file)));
    let mut shown = String::new();
    for record in 0..state.session.len() {
        let reviews = state.session.decode(record).unwrap();
        state.learn(record, &Ok(reviews));
    }
    for row in 0..state.table.len() {
        citescope::tui::update::show(&mut state, row);
        let Some(review) = state.review() else { continue };
        shown.push_str(review.response.text());
        let (sources, traces, spans) =
            (review.response.sources.len(), review.response.traces.len(), review.spans.len());
        let readings = (0..review.response.supports.len()).map(Overlay::Readings);
        let overlays =
            (0..sources).map(Overlay::Source).chain((0..traces).map(Overlay::Trace)).chain(readings);
        for overlay in overlays {
            shown.push_str(&screen::text_of(&panes::overlay(&state, &overlay, 150).1));
        }
        for span in 0..spans.max(1) {
            if span < spans {
                citescope::tui::update::select(&mut state, span);
            }
            shown.push_str(&panes::subtitle(&state, Pane::Answer));
            for pane in Pane::ALL {
                shown.push_str(&screen::text_of(&panes::pane(&state, pane, 150)));
            }
        }
    }
    squeezed(&shown)
}

fn everything_exported(file: &str) -> String {
    let collection = open_file(file);
    let mut out = String::new();
    for record in 0..collection.len() {
        let reviews = collection.decode(record).unwrap();
        for review in reviews.iter() {
            leaves(&json::response(review), &mut out);
        }
    }
    squeezed(&out)
}

fn leaves(value: &Value, out: &mut String) {
    match value {
        Value::Object(object) => object.iter().for_each(|(key, value)| {
            out.push_str(key);
            leaves(value, out);
        }),
        Value::Array(list) => list.iter().for_each(|value| leaves(value, out)),
        other => {
            out.push_str(&plain(other));
            out.push('\u{1}');
        }
    }
}

/// Forms in which a value may be shown: as sent, as people read it, by its word.
fn forms(path: &str, value: &Value) -> Vec<String> {
    let text = plain(value);
    let mut forms = vec![squeezed(&text)];
    if let Some(number) = value.as_f64() {
        forms.push(format!("{number:.2}"));
        forms.push(format!("{number}"));
        if path.ends_with("Index") || path.ends_with("Indices[]") || path.ends_with("referenceId") {
            forms.push(format!("[{}]", number as i64 + 1));
        }
        // Seconds since 1970 are shown as a time.
        if let Some(stamp) =
            jiff::Timestamp::from_microsecond((number * 1e6) as i64).ok().filter(|_| number > 1e9)
        {
            forms.push(stamp.to_string());
        }
    }
    if path.ends_with("referenceId") {
        forms.extend(text.parse::<usize>().ok().map(|index| format!("[{}]", index + 1)));
    }
    forms
}

#[test]
fn every_field_of_the_vendors_documents_is_exported_and_shown() {
    let mut missing = Vec::new();
    for (file, paths) in FIELDS.iter().chain(PROVIDERS) {
        let text = std::fs::read_to_string(file).unwrap();
        let frames: Vec<Value> = if file.contains(".sse") {
            text.lines()
                .filter_map(|line| line.strip_prefix("data:"))
                .map(|data| serde_json::from_str(data).unwrap())
                .collect()
        } else {
            vec![serde_json::from_str(&text).unwrap()]
        };
        let (shown, exported) = (everything_shown(file), everything_exported(file));
        for path in *paths {
            let found: Vec<&Value> = frames.iter().flat_map(|frame| values(frame, path)).collect();
            assert!(!found.is_empty(), "{file}: no value at {path}");
            for value in found.into_iter().flat_map(scalars) {
                let forms = forms(path, value);
                for (place, text) in [("shown", &shown), ("exported", &exported)] {
                    if !forms.iter().any(|form| text.contains(form)) {
                        missing.push(format!("{file}: {path} = {value} is not {place}"));
                    }
                }
            }
        }
    }
    assert!(missing.is_empty(), "{} missing:\n{}", missing.len(), missing.join("\n"));
}

#[test]
fn a_field_without_a_place_is_that_of_the_source_in_which_it_stands() {
    let text = r#"{"new": 1, "candidates": [{"content": {"parts": [{"text": "a."}]}, "groundingMetadata": {
        "odd": 2, "groundingChunks": [{"web": {"uri": "https://a.example/", "more": 3}},
        {"web": {"uri": "https://b.example/"}}]}}]}"#;
    let reviews = Session::from_bytes("f", text.as_bytes().to_vec()).decode(0).unwrap();
    let review = &reviews[0];
    let words = |within| -> Vec<String> {
        review.extras_within(within).map(|extra| format!("{}={}", extra.origin.path, extra.value)).collect()
    };
    assert_eq!(words(None), ["$.new=1", "$.candidates[0].groundingMetadata.odd=2"]);
    let below = |source: usize| words(Some(&review.response.sources[source].origin));
    assert_eq!(below(0), ["$.candidates[0].groundingMetadata.groundingChunks[0].web.more=3"]);
    assert_eq!(below(1), [""; 0]);
}
