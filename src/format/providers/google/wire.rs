//! The wire part that Google's formats share: grounding metadata, content parts, safety, recitations.
//! Source: Vertex AI and Gemini API references of `GroundingMetadata`; spellings and misspellings as seen in
//! recordings.

use serde::de::MapAccess;
use serde_json::Value;

use crate::json::values::{Whole, Word};
use crate::json::wire::{self, Cx, Object, wire};

wire! {
    pub struct GroundingMetadata {
        web_search_queries: Vec<Maybe<String>> = "webSearchQueries";
        retrieval_queries: Vec<Maybe<String>> = "retrievalQueries";
        image_search_queries: Vec<Maybe<String>> = "imageSearchQueries";
        chunks: Vec<GroundingChunk> = "groundingChunks";
        supports: Vec<GroundingSupport> = "groundingSupports" | "groundingSupport";
        attributions: Vec<GroundingAttribution> = "groundingAttributions";
        entry_point: Option<SearchEntryPoint> = "searchEntryPoint";
        retrieval: Option<RetrievalMetadata> = "retrievalMetadata";
        flags: Vec<SourceFlaggingUri> = "sourceFlaggingUris";
        maps_token: Option<String> = "googleMapsWidgetContextToken", extra;
    }

    pub struct SearchEntryPoint {
        html: Option<String> = "renderedContent";
        blob: Option<String> = "sdkBlob";
    }

    pub struct RetrievalMetadata {
        score: Option<f64> = "googleSearchDynamicRetrievalScore";
    }

    pub struct SourceFlaggingUri {
        id: Option<String> = "sourceId";
        uri: Option<String> = "flagContentUri";
    }

    pub struct Web {
        uri: Option<String> = "uri";
        title: Option<String> = "title";
        domain: Option<String> = "domain";
    }

    pub struct RetrievedContext {
        uri: Option<String> = "uri";
        title: Option<String> = "title";
        text: Option<String> = "text";
        document: Option<String> = "documentName";
        rag: Option<RagChunk> = "ragChunk";
        page: Option<Word> = "pageNumber";
    }

    pub struct RagChunk {
        text: Option<String> = "text";
        pages: Option<PageSpan> = "pageSpan";
        id: Option<Word> = "chunkId";
    }

    pub struct PageSpan {
        first: Option<i64> = "firstPage";
        last: Option<i64> = "lastPage";
    }

    pub struct Maps {
        uri: Option<String> = "uri";
        title: Option<String> = "title";
        text: Option<String> = "text";
        place_id: Option<String> = "placeId";
        sources: Option<PlaceAnswerSources> = "placeAnswerSources";
    }

    pub struct PlaceAnswerSources {
        reviews: Vec<ReviewSnippet> = "reviewSnippets" | "reviewSnippet";
        flag: Option<String> = "flagContentUri";
    }

    pub struct ReviewSnippet {
        id: Option<String> = "reviewId";
        uri: Option<String> = "googleMapsUri";
        title: Option<String> = "title";
        text: Option<String> = "review";
        flag: Option<String> = "flagContentUri";
    }

    pub struct Image {
        uri: Option<String> = "sourceUri";
        title: Option<String> = "title";
        domain: Option<String> = "domain";
    }

    pub struct GroundingSupport {
        segment: Option<Segment> = "segment";
        indices: Vec<Maybe<i64>> = "groundingChunkIndices" | "groundingChunckIndices";
        scores: Vec<Maybe<f64>> = "confidenceScores";
    }

    /// Before chunks and supports were told apart.
    pub struct GroundingAttribution {
        segment: Option<Segment> = "segment";
        score: Option<f64> = "confidenceScore";
        web: Option<Web> = "web";
        retrieved: Option<Box<RetrievedContext>> = "retrievedContext";
    }

    pub struct SegmentFields {
        part: Option<i64> = "partIndex";
        start: Option<Whole> = "startIndex";
        end: Option<Whole> = "endIndex";
        text: Option<String> = "text";
    }

    pub struct Content {
        parts: Vec<Part> = "parts";
        role: Option<String> = "role";
    }

    pub struct Part {
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
        args: Option<Value> = "args";
    }

    pub struct CallResponse {
        id: Option<String> = "id";
        name: Option<String> = "name" | "toolType";
        response: Option<Value> = "response";
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

    pub struct SafetyRating {
        category: Option<Word> = "category";
        probability: Option<Word> = "probability";
        probability_score: Option<f64> = "probabilityScore";
        severity: Option<Word> = "severity";
        severity_score: Option<f64> = "severityScore";
        blocked: Option<bool> = "blocked";
    }

    pub struct CitationMetadata {
        citations: Vec<Recitation> = "citationSources" | "citations";
    }

    pub struct Recitation {
        start: Option<i64> = "startIndex";
        end: Option<i64> = "endIndex";
        uri: Option<String> = "uri";
        title: Option<String> = "title";
        license: Option<String> = "license";
        date: Option<PublicationDate> = "publicationDate";
    }

    pub struct PublicationDate {
        year: Option<i64> = "year";
        month: Option<i64> = "month";
        day: Option<i64> = "day";
    }

    pub struct UrlContextMetadata {
        urls: Vec<UrlMetadata> = "urlMetadata";
    }

    pub struct UrlMetadata {
        uri: Option<String> = "retrievedUrl", extra;
        status: Option<Word> = "urlRetrievalStatus", extra;
    }
}

/// An element that keeps its place where it is `null` or does not fit.
#[derive(Debug, Default, Clone)]
pub struct Maybe<T>(pub Option<T>);

impl<'de, T: wire::Wire<'de>> wire::Wire<'de> for Maybe<T> {
    fn read<D: serde::Deserializer<'de>>(deserializer: D, cx: &Cx) -> Result<Option<Self>, D::Error> {
        T::read(deserializer, cx).map(|value| Some(Self(value)))
    }
}

/// A segment; plain text in an old JavaScript typing.
#[derive(Debug, Default, Clone)]
pub struct Segment(pub SegmentFields);

impl<'de> Object<'de> for Segment {
    fn set<A: MapAccess<'de>>(
        &mut self,
        key: &str,
        map: &mut A,
        cx: &Cx,
        seen: &mut u64,
    ) -> Result<bool, A::Error> {
        self.0.set(key, map, cx, seen)
    }

    fn from_text(text: &str) -> Option<Self> {
        Some(Self(SegmentFields { text: Some(text.to_owned()), ..SegmentFields::default() }))
    }
}

/// A chunk: a union by key. A kind that is not documented keeps its place, its key and its value.
#[derive(Debug, Default, Clone)]
pub struct GroundingChunk {
    /// The documented kinds.
    pub known: KnownChunk,
    /// Any other: key and value.
    pub other: Option<Box<(String, Value)>>,
}

wire! {
    pub struct KnownChunk {
        web: Option<Web> = "web";
        retrieved: Option<Box<RetrievedContext>> = "retrievedContext";
        maps: Option<Box<Maps>> = "maps";
        image: Option<Box<Image>> = "image";
    }
}

impl<'de> Object<'de> for GroundingChunk {
    fn set<A: MapAccess<'de>>(
        &mut self,
        key: &str,
        map: &mut A,
        cx: &Cx,
        seen: &mut u64,
    ) -> Result<bool, A::Error> {
        if self.known.set(key, map, cx, seen)? {
            return Ok(true);
        }
        if cx.surveys() || key.contains('_') && crate::json::camel(key) == "retrievedContext" {
            return Ok(false);
        }
        let mut value: Option<Value> = None;
        wire::field(("", 63, wire::Listed::No), &mut value, map, cx, &mut 0)?;
        if let Some(value) = value {
            self.other.get_or_insert_with(|| Box::new((key.to_owned(), value)));
        }
        Ok(true)
    }
}
