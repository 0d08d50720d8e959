//! Traces: what the model and its tools did on the way to the answer.

use super::words::words;
use super::{JsonText, Origin};

words! {
    /// The list that a query came from, under the provider's name.
    #[derive(Default)]
    #[non_exhaustive]
    pub enum QueryKind {
        /// Searches of the web.
        #[default]
        Web = "webSearchQueries",
        /// Searches of a data store.
        Retrieval = "retrievalQueries",
        /// Searches for images.
        Image = "imageSearchQueries",
        /// A search action of Discovery Engine.
        SearchAction = "searchAction",
        /// An action of Bigdata.com.
        Action = "action",
        /// An audited search of Bigdata.com.
        Audit = "audit",
        /// The argument of a tool call.
        ToolCall = "toolCall",
        /// A search of the provider's own tools.
        Search = "search",
    }
}

impl QueryKind {
    /// Whether it is a list of Google's grounding metadata.
    pub fn is_of_metadata(self) -> bool {
        matches!(self, Self::Web | Self::Retrieval | Self::Image)
    }
}

/// A search that the model or a tool ran.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Query {
    /// Where it stands in the input.
    pub origin: Origin,
    /// What was searched for.
    pub text: String,
    /// The list it came from.
    pub kind: QueryKind,
    /// The trace it belongs to.
    pub trace: Option<usize>,
    /// A search of the web, whose suggestions products must show.
    pub web: bool,
}

/// An audited step: a tool call, a search action, a step of a plan, a thought.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Trace {
    /// Where it stands in the input.
    pub origin: Origin,
    /// Id by which citations and answers to calls refer to it.
    pub id: Option<String>,
    /// Name of the tool.
    pub tool: Option<String>,
    /// Name for people.
    pub title: Option<String>,
    /// State in the provider's words.
    pub state: Option<String>,
    /// What the step is for.
    pub description: Option<String>,
    /// What the model thought.
    pub thought: Option<String>,
    /// Arguments of the call, as sent.
    pub arguments: Option<JsonText>,
    /// Indices into the response's queries.
    pub queries: Vec<usize>,
    /// What came back.
    pub results: Vec<SearchResult>,
    /// The provider says that it failed.
    pub failed: bool,
    /// What failed, in words.
    pub error: Option<String>,
    /// When it began, RFC 3339 where it could be read.
    pub began: Option<String>,
    /// When it ended.
    pub ended: Option<String>,
    /// What it is to the traces around it.
    pub role: TraceRole,
}

/// What a trace is to the traces around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum TraceRole {
    /// A step of its own.
    #[default]
    Step,
    /// What came back of a call that was not among the traces so far.
    CallResponse,
    /// A search of documents that found none.
    FoundNothing,
    /// Words of a thought that goes on in the next piece: its stream does not say which of them are one.
    Piece,
}

/// One result of a step.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct SearchResult {
    /// Title.
    pub title: Option<String>,
    /// Address.
    pub uri: Option<String>,
    /// Resource name or id of the document.
    pub document: Option<String>,
    /// Resource name of the chunk.
    pub chunk: Option<String>,
    /// Text of the result: chunk, snippet, or what the tool returned.
    pub text: Option<String>,
    /// Relevance to the query.
    pub score: Option<f64>,
    /// Status in the provider's words.
    pub status: Option<String>,
    /// The source it is, where it is one.
    pub source: Option<usize>,
    /// Structured data, as sent.
    pub struct_data: Option<JsonText>,
    /// A further passage of the result before it.
    pub further: bool,
}

impl Trace {
    /// How many results came back, each counted once however many passages of it did.
    pub fn result_count(&self) -> usize {
        self.results.iter().filter(|result| !result.further).count()
    }

    /// Seconds that it took, where both times can be read.
    pub fn seconds(&self) -> Option<f64> {
        let read = |time: &Option<String>| time.as_deref()?.parse::<jiff::Timestamp>().ok();
        let (began, ended) = read(&self.began).zip(read(&self.ended))?;
        Some(ended.duration_since(began).as_secs_f64()).filter(|seconds| *seconds >= 0.0)
    }

    /// The name to call it by.
    pub fn name(&self) -> &str {
        [&self.title, &self.tool, &self.description]
            .into_iter()
            .find_map(|field| field.as_deref().filter(|text| !text.is_empty()))
            .unwrap_or(match () {
                () if self.thought.is_some() => "thought",
                () if !self.queries.is_empty() => "search",
                () => "step",
            })
    }
}
