//! Parts of content: text, thoughts, calls and their responses, code.

use crate::format::building::{self, Bounded};
use crate::format::steps;
use crate::json::values::Word;
use crate::json::wire::wire;
use crate::model::{JsonText, Origin, Part, Query, QueryKind, Response, SearchResult, Trace, TraceRole};

wire! {
    pub struct Content whole [] {
        parts: Vec<PartSent> = "parts";
        role: Option<String> = "role";
    }

    pub struct PartSent long 1152 whole ["fileData", "mediaResolution", "partMetadata", "thoughtSignature", "videoMetadata"] {
        text: Option<String> = "text";
        thought: Option<bool> = "thought";
        function_call: Option<Box<Call>> = "functionCall";
        function_response: Option<Box<CallResponse>> = "functionResponse";
        tool_call: Option<Box<Call>> = "toolCall";
        tool_response: Option<Box<CallResponse>> = "toolResponse";
        code: Option<Box<ExecutableCode>> = "executableCode";
        code_result: Option<Box<CodeResult>> = "codeExecutionResult";
        inline: Option<Box<InlineData>> = "inlineData";
    }

    pub struct Call {
        id: Option<String> = "id";
        name: Option<String> = "name" | "toolType";
        args: Option<JsonText> = "args";
    }

    pub struct CallResponse {
        id: Option<String> = "id";
        name: Option<String> = "name" | "toolType";
        response: Option<JsonText> = "response";
    }

    pub struct ExecutableCode {
        language: Option<Word> = "language";
        code: Option<String> = "code";
    }

    pub struct CodeResult {
        outcome: Option<Word> = "outcome";
        output: Option<String> = "output";
    }

    pub struct InlineData {
        mime: Option<String> = "mimeType", extra;
    }
}

/// Words for the numbers of `Outcome`.
const OUTCOME: &[&str] =
    &["OUTCOME_UNSPECIFIED", "OUTCOME_OK", "OUTCOME_FAILED", "OUTCOME_DEADLINE_EXCEEDED"];

/// Appends the parts of a piece of content. Neighbours of one kind are one part when they come in different
/// frames, as SDKs join streams; what is no text becomes a trace.
pub fn content(response: &mut Response, content: Content, origin: &Origin) {
    if content.role.is_some() {
        response.role = content.role;
    }
    // A list that grew would take three times its size for a moment.
    response.parts.reserve(content.parts.len());
    let is_step = |part: &&PartSent| part.text.is_none() || part.thought == Some(true);
    response.traces.reserve(content.parts.iter().filter(is_step).count());
    let parts = origin.key("parts");
    for (index, part) in content.parts.into_iter().enumerate() {
        self::part(response, part, &parts.item(index), index == 0 && origin.frame > response.origin.frame);
    }
}

fn part(response: &mut Response, part: PartSent, origin: &Origin, continues: bool) {
    if let Some(text) = part.text {
        if part.thought == Some(true) {
            thought(response, text, origin, continues);
        } else {
            building::answer_text(response, &text, continues);
        }
        return;
    }
    response.parts.push(Part::Other);
    let trace = if let Some(call) = part.function_call.or(part.tool_call) {
        called(response, *call, origin)
    } else if let Some(answer) = part.function_response.or(part.tool_response) {
        answered(*answer)
    } else if let Some(code) = part.code {
        let language = code.language.map_or_else(|| "code".to_owned(), |word| word.0);
        let text = SearchResult { text: code.code, title: Some(language), ..SearchResult::default() };
        Trace {
            title: Some(steps::CODE.to_owned()),
            tool: Some("code_execution".to_owned()),
            results: vec![text],
            ..Trace::default()
        }
    } else if let Some(result) = part.code_result {
        let output = SearchResult { text: result.output, ..SearchResult::default() };
        let state = result.outcome.map(|word| word.named(OUTCOME));
        let failed = matches!(state.as_deref(), Some("OUTCOME_FAILED" | "OUTCOME_DEADLINE_EXCEEDED"));
        Trace {
            title: Some("result of the code".to_owned()),
            tool: Some("code_execution".to_owned()),
            state,
            failed,
            results: vec![output],
            ..Trace::default()
        }
    } else if let Some(data) = part.inline {
        let kind = data.mime.unwrap_or_else(|| "unknown type".to_owned());
        Trace { title: Some(format!("inline data ({kind})")), ..Trace::default() }
    } else {
        return;
    };
    response.traces.add(Trace { origin: origin.clone(), ..trace });
}

fn called(response: &mut Response, call: Call, origin: &Origin) -> Trace {
    let number = response.traces.len();
    let first = response.queries.len();
    let list = queries_of(call.args.as_ref()).into_iter().map(|text| Query {
        origin: origin.clone(),
        text,
        kind: QueryKind::ToolCall,
        trace: Some(number),
        web: false,
    });
    response.queries.extend(list);
    Trace {
        id: call.id,
        tool: call.name,
        arguments: call.args,
        queries: (first..response.queries.len()).collect(),
        ..Trace::default()
    }
}

fn thought(response: &mut Response, text: String, origin: &Origin, continues: bool) {
    if continues
        && let Some(Part::Thought(number)) = response.parts.last()
        && let Some(trace) = response.traces.get_mut(*number)
    {
        trace.thought.get_or_insert_default().push_str(&text);
        return;
    }
    response.parts.push(Part::Thought(response.traces.len()));
    response.traces.add(Trace {
        origin: origin.clone(),
        title: Some("thought".to_owned()),
        thought: Some(text),
        ..Trace::default()
    });
}

/// The response of a call, until it joins that.
fn answered(answer: CallResponse) -> Trace {
    let response = answer.response.as_ref();
    let error = response.and_then(|value| value.get("error"));
    Trace {
        id: answer.id,
        tool: answer.name,
        title: Some("response of a call".to_owned()),
        results: vec![SearchResult { text: response.map(pretty), ..SearchResult::default() }],
        error: error.map(|error| error.plain()),
        role: TraceRole::CallResponse,
        ..Trace::default()
    }
}

/// Searches named in a call's arguments.
fn queries_of(arguments: Option<&JsonText>) -> Vec<String> {
    let list = arguments.and_then(|sent| ["queries", "query", "q"].iter().find_map(|key| sent.get(key)));
    let Some(list) = list else { return Vec::new() };
    let texts = list.elements().filter_map(|query| query.to_text()).collect();
    list.as_text().map_or(texts, |query| vec![query.into_owned()])
}

fn pretty(value: &JsonText) -> String {
    value.to_text().unwrap_or_else(|| serde_json::to_string_pretty(value).unwrap_or_default())
}

/// The last words of the user in a request.
pub fn question(contents: Vec<Content>) -> Option<String> {
    let asked =
        contents.into_iter().rev().find(|content| content.role.as_deref().unwrap_or("user") == "user")?;
    let text: Vec<String> = asked.parts.into_iter().filter_map(|part| part.text).collect();
    (!text.is_empty()).then(|| text.concat())
}
