//! Queries, and traces with their results.

use super::reader::{Reader, owned};
use super::values::{Text, text};
use super::{Count, Derived, Json, List, Must, Only, Said, form};
use crate::model::{self, Origin, QueryKind, Response, TraceRole};

form! {
    /// A search that was run
    pub struct Query<'a> {
        /// What was searched for
        text: Must<Text<'a>> = "text";
        /// The list or step it came from
        origin: Must<Said<'a, QueryKind>> = "origin";
        /// Id of its trace; null where there is none or it has no id
        trace: Derived<Option<Text<'a>>> = "trace";
        /// Index into `traces`; null where there is none
        trace_index: Option<Count> = "trace_index";
        /// A search of the web, whose suggestions products must show
        web: Must<bool> = "web";
    }

    /// An audited step: a tool call, a search action, a step of a plan, a thought; each field null where not
    /// sent
    pub struct Trace<'a> {
        /// Id by which citations and answers to calls refer to it
        id: Option<Text<'a>> = "id";
        /// Name of the tool
        tool: Option<Text<'a>> = "tool";
        /// Name for people
        title: Option<Text<'a>> = "title";
        /// State in the provider's words
        state: Option<Text<'a>> = "state";
        /// What the step is for
        description: Option<Text<'a>> = "description";
        /// What the model thought
        thought: Option<Text<'a>> = "thought";
        /// Arguments of the call, as sent
        arguments: Option<Json<'a>> = "arguments";
        /// Texts of its searches
        queries: Derived<List<'a, Text<'a>>> = "queries";
        /// Indices of its searches in `queries`
        query_indices: List<'a, Count> = "query_indices";
        /// What came back
        results: List<'a, Found<'a>> = "results";
        /// The provider says that it failed
        failed: Must<bool> = "failed";
        /// What failed
        error: Option<Text<'a>> = "error";
        /// Only where sent: when it began, RFC 3339 where it could be read
        began: Only<Text<'a>> = "began";
        /// Only where sent: when it ended
        ended: Only<Text<'a>> = "ended";
    }

    /// One result of a step; each field null where not sent
    pub struct Found<'a> {
        /// Title
        title: Option<Text<'a>> = "title";
        /// Address
        uri: Option<Text<'a>> = "uri";
        /// Resource name or id of the document
        document: Option<Text<'a>> = "document";
        /// Resource name of the chunk
        chunk: Option<Text<'a>> = "chunk";
        /// Chunk, snippet, or what the tool returned
        text: Option<Text<'a>> = "text";
        /// Relevance to the query
        score: Option<f64> = "score";
        /// Status in the provider's words
        status: Option<Text<'a>> = "status";
        /// Index into `sources`, where it is one of them
        source: Option<Count> = "source";
        /// Structured data, as sent
        struct_data: Option<Json<'a>> = "struct_data";
        /// Only on a further passage of the result before it: true
        further: Only<bool> = "further";
    }
}

impl<'a> Query<'a> {
    /// A query as it is written.
    pub fn of(query: &'a model::Query, response: &'a Response) -> Self {
        let trace =
            query.trace.and_then(|trace| response.traces.get(trace)).and_then(|trace| text(&trace.id));
        Self {
            text: Text::from(&query.text).into(),
            origin: query.kind.into(),
            trace: trace.into(),
            trace_index: query.trace.map(Count::of),
            web: query.web.into(),
        }
    }

    fn read(self, origin: Origin, traces: usize, reader: &mut Reader) -> model::Query {
        model::Query {
            origin,
            text: self.text.or_empty(),
            kind: reader.word("origin of a query", self.origin.0).unwrap_or_default(),
            trace: reader.within("trace_index", self.trace_index, traces),
            web: self.web.0.unwrap_or_default(),
        }
    }
}

impl<'a> Trace<'a> {
    /// A trace as it is written.
    pub fn of(trace: &'a model::Trace, response: &'a Response) -> Self {
        let query = |&index: &usize| response.queries.get(index).map(|query| Text::from(&query.text));
        Self {
            id: text(&trace.id),
            tool: text(&trace.tool),
            title: text(&trace.title),
            state: text(&trace.state),
            description: text(&trace.description),
            thought: text(&trace.thought),
            arguments: trace.arguments.as_ref().map(Json::of),
            queries: List::of(move || trace.queries.iter().filter_map(query)).into(),
            query_indices: List::of(|| trace.queries.iter().copied().map(Count::of)),
            results: List::of(move || trace.results.iter().map(Found::of)),
            failed: trace.failed.into(),
            error: text(&trace.error),
            began: Only(text(&trace.began)),
            ended: Only(text(&trace.ended)),
        }
    }

    fn read(self, origin: Origin, queries: usize, sources: usize, reader: &mut Reader) -> model::Trace {
        let results =
            self.results.into_vec().into_iter().map(|result| result.read(sources, reader)).collect();
        let indices = self.query_indices.into_vec().into_iter();
        model::Trace {
            origin,
            id: owned(self.id),
            tool: owned(self.tool),
            title: owned(self.title),
            state: owned(self.state),
            description: owned(self.description),
            thought: owned(self.thought),
            arguments: self.arguments.map(Json::into_text),
            queries: indices
                .filter_map(|query| reader.within("query_indices", Some(query), queries))
                .collect(),
            results,
            failed: self.failed.0.unwrap_or_default(),
            error: owned(self.error),
            began: owned(self.began.0),
            ended: owned(self.ended.0),
            role: TraceRole::Step,
        }
    }
}

impl<'a> Found<'a> {
    fn of(result: &'a model::SearchResult) -> Self {
        Self {
            title: text(&result.title),
            uri: text(&result.uri),
            document: text(&result.document),
            chunk: text(&result.chunk),
            text: text(&result.text),
            score: result.score,
            status: text(&result.status),
            source: result.source.map(Count::of),
            struct_data: result.struct_data.as_ref().map(Json::of),
            further: Only(result.further.then_some(true)),
        }
    }

    fn read(self, sources: usize, reader: &mut Reader) -> model::SearchResult {
        model::SearchResult {
            title: owned(self.title),
            uri: owned(self.uri),
            document: owned(self.document),
            chunk: owned(self.chunk),
            text: owned(self.text),
            score: self.score,
            status: owned(self.status),
            source: reader.within("source of a result", self.source, sources),
            struct_data: self.struct_data.map(Json::into_text),
            further: self.further.0.unwrap_or_default(),
        }
    }
}

impl Reader<'_> {
    /// The queries of a response with so many traces.
    pub fn queries(&mut self, list: Vec<Query<'_>>, traces: usize) -> Vec<model::Query> {
        let base = self.origin.key("queries");
        list.into_iter()
            .enumerate()
            .map(|(number, query)| query.read(base.item(number), traces, self))
            .collect()
    }

    /// The traces of a response with so many queries and sources.
    pub fn traces(&mut self, list: List<'_, Trace<'_>>, queries: usize, sources: usize) -> Vec<model::Trace> {
        let base = self.origin.key("traces");
        let list = list.into_vec().into_iter().enumerate();
        list.map(|(number, trace)| trace.read(base.item(number), queries, sources, self)).collect()
    }
}
