//! Inputs that hold credentials.

/// An event of a session with these parts and members.
pub fn event(parts: &str, more: &str) -> String {
    format!(
        r#"{{"id": "e1", "author": "agent", "invocationId": "i1", "timestamp": 1.0, "content": {{"role": "model", "parts": [{{"text": "Hello world is a claim."}}{parts}]}}{more}, "actions": {{}}}}"#
    )
}

pub fn called(arguments: &str) -> String {
    event(&format!(r#", {{"functionCall": {{"name": "x", "args": {arguments}}}}}"#), "")
}

fn answered(response: &str) -> String {
    event(
        &format!(r#", {{"functionResponse": {{"name": "adk_request_credential", "response": {response}}}}}"#),
        "",
    )
}

fn cohere(source: &str) -> String {
    format!(
        r#"{{"id": "x", "finish_reason": "COMPLETE", "message": {{"role": "assistant", "content": [{{"type": "text", "text": "Sky is blue."}}], "citations": [{{"start": 0, "end": 3, "text": "Sky", "sources": [{source}]}}]}}}}"#
    )
}

/// What patterns know: how it looks, where a path ends, what stands near it, colours in it, databases.
fn known_by_patterns() -> [String; 5] {
    [
        called(r#"{"said": "CREATE USER b IDENTIFIED BY 'S3CR3T'; alter user b identified by S3CR3T;"}"#),
        called(r#"{"dsn": "jdbc:oracle:thin:scott/S3CR3T@h:1521:x", "told": "sqlplus scott/S3CR3T@//h/x"}"#),
        called(r#"{"said": "ghp_S3CR3TS3CR3TS3CR3TS3CR3T0123 and sk-proj-S3CR3TS3CR3TS3CR3TS3CR3T0123"}"#),
        called(r#"{"link": "https://hooks.slack.com/services/T01AB/B02CD/S3CR3TS3CR3TS3CR3TS3CR3T"}"#),
        called(r#"{"said": "Passphrase S3CR3TS3CR3TS3CR3T12 was wrong, \u001b[35mAPI_KEY\u001b[m=S3CR3T"}"#),
    ]
}

/// Inputs that hold the word `S3CR3T` where a credential stands.
pub fn secrets() -> Vec<String> {
    known_by_patterns().into_iter().chain(known_by_names()).collect()
}

fn known_by_names() -> Vec<String> {
    vec![
        answered(
            r#"{"authScheme": {}, "exchangedAuthCredential": {"oauth2": {"authResponseUri": "https://x/?code=S3CR3T"}}}"#,
        ),
        answered(r#"{"authResponseUri": "https://x/?code=S3CR3T", "oauth2": {"clientSecret": "S3CR3T"}}"#),
        answered(r#"{"access_token": "S3CR3T", "refresh_token": "S3CR3T"}"#),
        answered(r#"{"result": "{\"authConfig\": {\"oauth2\": {\"x\": \"S3CR3T\"}}}"}"#),
        called(r#"{"AuthConfig": {"x": "S3CR3T"}, "auth-config": "S3CR3T", "authConfigs": ["S3CR3T"]}"#),
        called(
            r#"{"authCredential": {"apiKey": "S3CR3T"}, "credential": {"x": "S3CR3T"}, "api_key": "S3CR3T"}"#,
        ),
        called(r#"{"headers": {"Authorization": "Bearer S3CR3T"}, "password": "S3CR3T"}"#),
        called(r#"{"url": "https://u:S3CR3T@e.example/?key=S3CR3T&q=1"}"#),
        called(r#"{"a\u0075thConfig": {"x": "S3CR3T"}}"#),
        event("", r#", "state": {"app:token": "S3CR3T", "temp:adk_x": {"y": "S3CR3T"}}"#),
        format!(
            r#"{{"id": "s", "appName": "a", "userId": "u", "state": {{"temp:adk_oauth2_1": {{"oauth2": {{"x": "S3CR3T"}}}}}}, "events": [{}]}}"#,
            event("", "")
        ),
        cohere(r#"{"type": "document", "id": "d", "document": {"id": "d", "snippet": "Sky is blue", "link": "https://u:S3CR3T@h.example/?token=S3CR3T", "api_key": "S3CR3T"}}"#),
        r#"{"output": {"text": "Sky is blue."}, "sessionId": "s", "citations": [{"generatedResponsePart": {"textResponsePart": {"text": "Sky is blue.", "span": {"start": 0, "end": 11}}}, "retrievedReferences": [{"content": {"type": "ROW", "row": [{"columnName": "password", "type": "STRING", "columnValue": "S3CR3T"}, {"columnName": "link", "type": "STRING", "columnValue": "https://h.example/?token=S3CR3T"}, {"columnName": "sky", "columnValue": "blue"}]}, "location": {"type": "SQL", "sqlLocation": {"query": "select"}}}]}]}"#
            .to_owned(),
        [
            r#"{"type": "ANSWER", "content": "Claim one ."}"#,
            r#"{"type": "LLM_RETRY", "text": "POST https://u:S3CR3T@h/?key=S3CR3T Authorization: Bearer S3CR3T12345"}"#,
            r#"{"type": "TOOL_ERROR", "toolName": "t", "error": "api_key=S3CR3T {\"apiKey\": \"S3CR3T\"}"}"#,
            r#"{"type": "TOOL_ERROR", "toolName": "t", "error": "Cookie: sid=S3CR3T; track=S3CR3T; S3CR3T=1 {\"a\": 1}"}"#,
            r#"{"type": "TOOL_ERROR", "toolName": "t", "error": "{\"a\": 1}\n{\"access_token\": \"S3CR3T\"}\n{\"b\": {\"password\": \"S3CR3T\"}} api_key=S3CR3T"}"#,
            r#"{"type": "ERROR", "errorMessage": "no access with Bearer S3CR3T12345", "message": "key: password=S3CR3T"}"#,
        ]
        .map(|message| format!("data: {{\"chatId\": \"c\", \"message\": {message}}}\n\n"))
        .concat(),
        r#"{"candidates": [{"content": {"parts": [{"text": "Claim one."}]}, "finishReason": "STOP", "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://e.example", "title": "https://u:S3CR3T@e.example/?key=S3CR3T"}}], "groundingSupports": [{"segment": {"endIndex": 10, "text": "Claim one."}, "groundingChunkIndices": [0]}]}}]}"#
            .to_owned(),
        r#"{"candidates": [{"content": {"parts": [{"text": "Claim one."}]}, "finishReason": "STOP", "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://u:S3CR3T@e.example/p?token=S3CR3T", "title": "e"}}], "groundingSupports": [{"segment": {"endIndex": 10, "text": "Claim one."}, "groundingChunkIndices": [0]}]}}]}"#
            .to_owned(),
        r#"{"candidates": [{"content": {"parts": [{"text": "Claim one."}]}, "finishReason": "STOP", "groundingMetadata": {"groundingChunks": [{"web": {"uri": "https://e.example/?k%65y=S3CR3T"}}], "groundingSupports": [{"segment": {"endIndex": "https://u:S3CR3T@h.example/?api_key=S3CR3T"}, "groundingChunkIndices": [0]}]}}]}"#
            .to_owned(),
        r#"{"text": "Claim one.", "spans": [{"start": 0, "end": 10, "source_id": "https://u:S3CR3T@h.example/?api_key=S3CR3T"}], "sources": [{"id": "https://u:S3CR3T@g.example/", "title": "A", "excerpt": "one"}]}"#
            .to_owned(),
        called(r#"{"hf_token": "S3CR3T", "webhook_secret": "S3CR3T", "sshKey": "S3CR3T", "said": "authorization: bearer S3CR3T-1234, BEARER S3CR3T.1234"}"#),
        format!(r#"{ANSWERED}, "headers": [{{"name": "X-Api-Key", "value": "S3CR3T"}}]}}"#),
        format!(r#"{ANSWERED}, "headers": [["Authorization", "S3CR3T"]]}}"#),
        format!(r#"{ANSWERED}, "headers": [{{"Name": "X-Api-Key", "Value": "S3CR3T"}}]}}"#),
        format!(r#"{ANSWERED}, "headers": [{{"key": "1", "name": "X-Api-Key", "value": "S3CR3T"}}]}}"#),
        called(
            r#"{"cookies": "S3CR3T", "passwords": ["S3CR3T"], "passcode": "S3CR3T", "idTokens": ["S3CR3T"], "csrf_token": "S3CR3T", "x-authorization": "S3CR3T", "google_credentials": "S3CR3T", "master_key": "S3CR3T", "apikey_1": "S3CR3T", "openai_key": "S3CR3T", "private_key_pem": "S3CR3T"}"#,
        ),
        cohere(r#"{"type": "tool", "id": "t:0", "tool_output": {"client_secret": "S3CR3T\nS3CR3T", "words": "the sky"}}"#),
        cohere(r#"{"type": "tool", "id": "t:0", "tool_output": {"client_secret": "S3CR3T"}}"#),
        cohere(r#"{"type": "document", "id": "d:0", "document": {"snippet": "the sky", "x": {"apiKey": "S3CR3T"}, "y": "{\"password\": \"S3CR3T\"}"}}"#),
        format!(
            r#"{ANSWERED}, "argv": ["Authorization", "Bearer", "S3CR3T"], "more": ["tool", "--token", "S3CR3T"]}}"#
        ),
        called(
            r#"{"connection_token": "S3CR3T", "access_jwt": "S3CR3T", "AZURE_SEARCH_KEY": "S3CR3T", "aeg-sas-key": "S3CR3T", "SharedAccessSignature": "S3CR3T", "session_key": "S3CR3T"}"#,
        ),
        // A thought in three pieces.
        ["I use Authoriz", "ation: Bear", "er S3CR3T7Ab19xk now."]
            .map(|piece| event(&format!(r#", {{"text": "{piece}", "thought": true}}"#), r#", "partial": true"#) + "\n")
            .concat(),
        // A name that is cut by the end of a piece.
        [
            r#"{"type": "message_start", "message": {"id": "m", "type": "message", "role": "assistant", "content": [], "model": "c"}}"#,
            r#"{"type": "content_block_start", "index": 0, "content_block": {"type": "tool_use", "id": "t", "name": "f", "input": {}}}"#,
            r#"{"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": "{\"q\":\"x\",\"api_ke"}}"#,
            r#"{"type": "content_block_start", "index": 1, "content_block": {"type": "tool_use", "id": "u", "name": "g", "input": {}}}"#,
            r#"{"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": "{\"z\":1}"}}"#,
            r#"{"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": "y\":\"S3CR3T\"}"}}"#,
            r#"{"type": "content_block_stop", "index": 0}"#,
            r#"{"type": "message_stop"}"#,
        ]
        .map(|event| format!("data: {event}\n\n"))
        .concat(),
        // What an event of a run says beside its fields, under either name of its message.
        [
            r#"{"type": "PARAM", "name": "api_key", "value": "S3CR3T", "audit_traces": [{"results": [{"name": "X-Api-Key", "value": "S3CR3T"}]}]}"#,
            r#"{"type": "ANSWER", "content": "Claim one ."}"#,
        ]
        .map(|delta| format!("data: {{\"request_id\": \"r\", \"execution_id\": \"e\", \"delta\": {delta}}}\n\n"))
        .concat(),
        // Pieces under names of their own: of a call of old, of arguments by their paths, of reasoning.
        [
            r#"{"id": "c", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"role": "assistant", "function_call": {"name": "f", "arguments": "{\"api_k"}}}]}"#,
            r#"{"id": "c", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"function_call": {"arguments": "ey\": \"S3CR3T\"}"}}}]}"#,
            r#"{"id": "c", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"reasoning_details": [{"type": "reasoning.summary", "summary": "{\"pass"}]}}]}"#,
            r#"{"id": "c", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"reasoning_details": [{"type": "reasoning.summary", "summary": "word\": \"S3CR3T\"}"}]}}]}"#,
            r#"{"id": "c", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"content": "Claim one."}, "finish_reason": "stop"}]}"#,
        ]
        .map(|event| format!("data: {event}\n\n"))
        .concat(),
        event(
            r#", {"functionCall": {"name": "x", "partialArgs": [{"jsonPath": "$.api_key", "stringValue": "S3CR3T"}]}}"#,
            "",
        ),
        // Addresses of sources with blanks in them, or without scheme and host.
        r#"{"candidates": [{"content": {"parts": [{"text": "Claim one."}]}, "groundingMetadata": {"groundingChunks": [
            {"web": {"uri": "https://h.example/Annual Report.pdf?sv=1&sig=S3CR3T", "title": "a"}},
            {"retrievedContext": {"uri": "/d e.pdf?token=S3CR3T", "title": "b"}}],
            "groundingSupports": [{"segment": {"endIndex": 10}, "groundingChunkIndices": [0, 1]}]}}]}"#
            .replace('\n', " "),
        format!(r#"{ANSWERED}, "a\ud83d": 1, "my_access_token": "S3CR3T"}}"#),
        format!(r#"{ANSWERED}, "link": "https://h.example/?api_key=S3CR3T&x=\ud83d"}}"#),
    ]
}

/// A response whose object is still open.
pub const ANSWERED: &str =
    r#"{"candidates": [{"content": {"parts": [{"text": "Claim one."}]}, "finishReason": "STOP"}]"#;
