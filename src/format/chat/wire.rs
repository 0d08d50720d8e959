//! What a chat completion and its dialects send.

use serde_json::Value;

use crate::format::cites::{Block, Cite};
use crate::format::google::GroundingMetadata;
use crate::json::values::{KindWord, Whole, Word};
use crate::json::wire::{TextOr, wire};
use crate::model::JsonText;

wire! {
    pub struct Frame {
        object: Option<KindWord> = "object";
        id: Option<String> = "id";
        model: Option<String> = "model";
        created: Option<Word> = "created", kept;
        choices: Vec<Choice> = "choices";
        citations: Vec<String> = "citations";
        results: Vec<Found> = "searchResults";
        // Of Z.ai, and of Groq's compound models below their tools.
        searched: Vec<Found> = "webSearch";
        related: Vec<String> = "relatedQuestions";
        error: Option<Problem> = "error";
        // What LiteLLM leaves of Gemini's grounding, a candidate each.
        grounding: Vec<GroundingMetadata> = "vertexAiGroundingMetadata";
    }

    pub struct Problem {
        code: Option<Word> = "code";
        message: Option<String> = "message";
    }

    pub struct Choice lists 1024 whole ["logprobs"] {
        index: Option<i64> = "index";
        message: Option<Box<Message>> = "message";
        delta: Option<Box<Message>> = "delta";
        finish: Option<String> = "finishReason";
        error: Option<Problem> = "error";
    }

    /// Besides: what services and gateways send alone in a delta.
    pub struct Message whole ["functionCall", "audio", "images", "reasoningDetails", "thinkingBlocks", "toolPlan", "name", "channel", "encryptedContent"] {
        role: Option<KindWord> = "role";
        content: TextOr<Piece> = "content";
        reasoning: Option<String> = "reasoning" | "reasoningContent";
        refusal: Option<String> = "refusal";
        annotations: Vec<Annotation> = "annotations";
        // Of one's own: no service that is known has them here.
        citations: Vec<Value> = "citations", extra;
        calls: Vec<Call> = "toolCalls";
        context: Option<Box<Context>> = "context";
        steps: Vec<ReasoningStep> = "reasoningSteps";
        fields: Option<Box<Fields>> = "providerSpecificFields";
        tools: Vec<Executed> = "executedTools";
    }

    /// A tool that the service ran itself.
    pub struct Executed {
        kind: Option<KindWord> = "type";
        arguments: Option<JsonText> = "arguments";
        output: Option<String> = "output";
        found: Option<Executions> = "searchResults";
    }

    pub struct Executions {
        results: Vec<Found> = "results";
    }

    /// What `LiteLLM` keeps of Anthropic's: a list for each cited block.
    pub struct Fields {
        citations: Vec<Block> = "citations";
        // In a stream one after the other.
        citation: Option<Cite> = "citation";
    }

    /// A step of Perplexity's Pro Search.
    pub struct ReasoningStep {
        kind: Option<KindWord> = "type";
        thought: Option<String> = "thought";
        search: Option<Search> = "webSearch";
        fetch: Option<Fetch> = "fetchUrlContent";
        python: Option<Python> = "executePython";
    }

    pub struct Search {
        queries: Vec<String> = "searchKeywords";
        results: Vec<Found> = "searchResults";
    }

    pub struct Fetch {
        contents: Vec<Found> = "contents";
    }

    pub struct Python {
        code: Option<String> = "code";
        result: Option<JsonText> = "result";
    }

    pub struct Piece whole [] {
        kind: Option<KindWord> = "type";
        text: Option<String> = "text";
        references: Vec<Word> = "referenceIds";
        thinking: TextOr<Thought> = "thinking";
        // Of one's own, as in a message.
        citations: Vec<Value> = "citations" | "annotations", extra;
    }

    pub struct Thought {
        kind: Option<KindWord> = "type";
        text: Option<String> = "text";
    }

    pub struct Annotation takes 1408 whole [] {
        kind: Option<KindWord> = "type";
        cited: Option<UrlCitation> = "urlCitation";
        // Some gateways leave the holder out.
        start: Option<Whole> = "startIndex";
        end: Option<Whole> = "endIndex";
        url: Option<String> = "url";
        title: Option<String> = "title";
    }

    pub struct UrlCitation {
        start: Option<Whole> = "startIndex";
        end: Option<Whole> = "endIndex";
        url: Option<String> = "url";
        title: Option<String> = "title";
        content: Option<String> = "content";
    }

    pub struct Call {
        index: Option<i64> = "index";
        kind: Option<KindWord> = "type";
        id: Option<String> = "id";
        function: Option<Function> = "function";
    }

    pub struct Function {
        name: Option<String> = "name";
        arguments: Option<JsonText> = "arguments";
    }

    /// A page of Perplexity's search.
    pub struct Found lists 1624 whole [] {
        title: Option<String> = "title";
        url: Option<String> = "url" | "link";
        date: Option<String> = "date" | "publishDate";
        snippet: Option<String> = "snippet" | "content";
        score: Option<f64> = "score";
        refer: Option<String> = "refer";
    }

    /// What Azure OpenAI found in one's own data.
    pub struct Context {
        citations: Vec<Document> = "citations";
        intent: Option<String> = "intent";
        retrieved: Vec<Document> = "allRetrievedDocuments";
        messages: Vec<Told> = "messages";
    }

    /// The same as older versions send it.
    pub struct Told {
        role: Option<KindWord> = "role";
        content: Option<String> = "content";
    }

    pub struct Document takes 1472 whole [] {
        content: Option<String> = "content";
        title: Option<String> = "title";
        url: Option<String> = "url";
        filepath: Option<String> = "filepath";
        chunk: Option<Word> = "chunkId";
        score: Option<f64> = "rerankScore";
        first_score: Option<f64> = "originalSearchScore";
        filtered: Option<String> = "filterReason";
        queries: Vec<String> = "searchQueries";
    }
}

impl Message {
    /// Its text, where that is no list.
    pub fn text(&self) -> &str {
        self.content.text.as_deref().unwrap_or_default()
    }
}
