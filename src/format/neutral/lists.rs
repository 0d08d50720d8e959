//! The lists of citescope's own form, read again: supports with their citations, sources, queries, traces. Indices that
//! lead nowhere are dropped with a remark, so that nothing behind this room meets one.

use std::fmt;
use std::ops::Range;

use serde_json::Value;

use super::{Skip, index};
use crate::json::values::Word;
use crate::json::wire::wire;
use crate::model::{
    Chunk, Citation, Link, List, Origin, Place, PlaceReview, Query, Remark, RemarkKind, SearchResult, Segment, SegmentKeys, Source,
    SourceKind, Support, Target, Trace, TraceRole, Words,
};

wire! {
    pub struct SentSupport {
        index: Skip = "index";
        start: Skip = "start";
        end: Skip = "end";
        anchor: Skip = "anchor";
        sent: Option<SentSegment> = "sent";
        placed: Vec<i64> = "placed";
        layer: Option<String> = "origin";
        score: Option<f64> = "score";
        check_required: Option<bool> = "check_required";
        scores_sent: Option<i64> = "scores_sent";
        citations: Vec<SentCitation> = "citations";
        evidence: Skip = "evidence";
    }

    pub struct SentSegment {
        given: Option<bool> = "given";
        start: Option<i64> = "start";
        end: Option<i64> = "end";
        part: Option<i64> = "part";
        quote: Option<String> = "quote";
    }

    pub struct SentCitation {
        kind: Option<String> = "kind";
        source: Option<i64> = "source";
        score: Option<f64> = "score";
        trace: Skip = "trace";
        tool: Option<String> = "tool";
        sent_index: Option<Word> = "sent_index";
        trace_index: Option<i64> = "trace_index";
        joined: Option<String> = "joined";
        audit: Option<String> = "audit";
    }

    pub struct SentSource {
        index: Skip = "index";
        kind: Option<String> = "kind";
        kind_sent: Option<String> = "kind_sent";
        id: Option<String> = "id";
        title: Option<String> = "title";
        uri: Option<String> = "uri";
        domain: Option<String> = "domain";
        publisher: Option<String> = "publisher";
        date: Option<String> = "date";
        date_sent: Option<String> = "date_sent";
        document: Option<String> = "document";
        place_id: Option<String> = "place_id";
        reviews: Vec<SentReview> = "reviews";
        flag_uri: Option<String> = "flag_uri";
        struct_data: Option<Value> = "struct_data";
        chunks: Vec<SentChunk> = "chunks";
        cited_by: Skip = "cited_by";
    }

    pub struct SentReview {
        id: Option<String> = "id";
        title: Option<String> = "title";
        uri: Option<String> = "uri";
        text: Option<String> = "text";
        flag_uri: Option<String> = "flag_uri";
    }

    pub struct SentChunk {
        text: Option<String> = "text";
        page: Option<String> = "page";
        score: Option<f64> = "score";
        name: Option<String> = "name";
        label: Option<String> = "label";
    }

    pub struct SentQuery {
        text: Option<String> = "text";
        kind: Option<String> = "origin";
        trace: Skip = "trace";
        trace_index: Option<i64> = "trace_index";
        web: Option<bool> = "web";
    }

    pub struct SentTrace {
        id: Option<String> = "id";
        tool: Option<String> = "tool";
        title: Option<String> = "title";
        state: Option<String> = "state";
        description: Option<String> = "description";
        thought: Option<String> = "thought";
        arguments: Option<Value> = "arguments";
        queries: Skip = "queries";
        query_indices: Vec<i64> = "query_indices";
        results: Vec<SentResult> = "results";
        failed: Option<bool> = "failed";
        error: Option<String> = "error";
    }

    pub struct SentResult {
        title: Option<String> = "title";
        uri: Option<String> = "uri";
        document: Option<String> = "document";
        chunk: Option<String> = "chunk";
        text: Option<String> = "text";
        score: Option<f64> = "score";
        status: Option<String> = "status";
        source: Option<i64> = "source";
        struct_data: Option<Value> = "struct_data";
    }
}

/// Where a citation stands.
static CITATIONS: List = List { key: "citations", leaf: "" };

/// Where the offsets of a segment stand.
static OFFSETS: SegmentKeys = SegmentKeys { holder: "sent", start: "start", end: "end", text: false };

/// Reads the lists of one response and keeps what does not fit.
pub struct Reader<'a> {
    pub origin: &'a Origin,
    pub remarks: Vec<Remark>,
}

impl<'a> Reader<'a> {
    pub fn new(origin: &'a Origin) -> Self {
        Self { origin, remarks: Vec::new() }
    }

    /// Keeps that a word is none of the form's; its stand-in.
    pub fn unknown<T>(&mut self, what: &str, sent: &str, instead: T) -> T {
        self.tell(format!("{what} {sent:?} is no word of {}", crate::model::SCHEMA));
        instead
    }

    fn nowhere(&mut self, what: &str, sent: impl fmt::Display) {
        self.tell(format!("{what} {sent} leads nowhere"));
    }

    /// Once, not with each of 50,000 supports; an input that is wrong all over is told up to a point.
    fn tell(&mut self, text: String) {
        if self.remarks.len() < 100 && !self.remarks.iter().any(|remark| remark.text == text) {
            self.remarks.push(Remark::new(RemarkKind::Mistyped, self.origin.clone(), text));
        }
    }

    /// One of an enum's words; nothing where none was sent or it is unknown.
    pub fn word<T: Words>(&mut self, what: &str, sent: Option<String>) -> Option<T> {
        let sent = sent?;
        T::from_word(&sent).or_else(|| self.unknown(what, &sent, None))
    }

    fn within(&mut self, what: &str, sent: Option<i64>, count: usize) -> Option<usize> {
        let sent = sent?;
        let found = usize::try_from(sent).ok().filter(|&index| index < count);
        if found.is_none() {
            self.nowhere(what, sent);
        }
        found
    }

    pub fn sources(&mut self, list: Vec<SentSource>) -> Vec<Source> {
        let base = self.origin.key("sources");
        list.into_iter().enumerate().map(|(number, sent)| self.source(sent, base.item(number))).collect()
    }

    fn source(&mut self, sent: SentSource, origin: Origin) -> Source {
        let review =
            |sent: SentReview| PlaceReview { id: sent.id, title: sent.title, uri: sent.uri, text: sent.text, flag_uri: sent.flag_uri };
        let kind = match sent.kind.as_deref() {
            Some("web") => SourceKind::Web,
            Some("document") => SourceKind::Document,
            Some("place") => SourceKind::Place,
            Some("image") => SourceKind::Image,
            Some("tool") => SourceKind::Tool,
            Some("empty") | None => SourceKind::Empty,
            Some("unknown") => SourceKind::Unknown(sent.kind_sent.unwrap_or_default()),
            Some(other) => SourceKind::Unknown(other.to_owned()),
        };
        let chunks = sent.chunks.into_iter().map(|chunk| Chunk {
            text: chunk.text.unwrap_or_default(),
            page: chunk.page,
            score: chunk.score,
            name: chunk.name,
            label: self.word("label", chunk.label),
        });
        Source {
            kind,
            chunks: chunks.collect(),
            id: sent.id,
            title: sent.title,
            uri: sent.uri,
            domain: sent.domain,
            publisher: sent.publisher,
            date: sent.date,
            date_sent: sent.date_sent,
            document: sent.document,
            place_id: sent.place_id,
            reviews: sent.reviews.into_iter().map(review).collect(),
            flag_uri: sent.flag_uri,
            struct_data: sent.struct_data,
            origin,
        }
    }

    pub fn queries(&mut self, list: Vec<SentQuery>, traces: usize) -> Vec<Query> {
        let base = self.origin.key("queries");
        let query = |(number, sent): (usize, SentQuery)| Query {
            origin: base.item(number),
            text: sent.text.unwrap_or_default(),
            kind: self.word("origin of a query", sent.kind).unwrap_or_default(),
            trace: self.within("trace_index", sent.trace_index, traces),
            web: sent.web.unwrap_or_default(),
        };
        list.into_iter().enumerate().map(query).collect()
    }

    pub fn traces(&mut self, list: Vec<SentTrace>, queries: usize, sources: usize) -> Vec<Trace> {
        let base = self.origin.key("traces");
        list.into_iter().enumerate().map(|(number, sent)| self.trace(sent, base.item(number), queries, sources)).collect()
    }

    fn trace(&mut self, sent: SentTrace, origin: Origin, queries: usize, sources: usize) -> Trace {
        let result = |sent: SentResult| SearchResult {
            title: sent.title,
            uri: sent.uri,
            document: sent.document,
            chunk: sent.chunk,
            text: sent.text,
            score: sent.score,
            status: sent.status,
            source: self.within("source of a result", sent.source, sources),
            struct_data: sent.struct_data,
        };
        let results = sent.results.into_iter().map(result).collect();
        Trace {
            id: sent.id,
            tool: sent.tool,
            title: sent.title,
            state: sent.state,
            description: sent.description,
            thought: sent.thought,
            arguments: sent.arguments,
            queries: sent.query_indices.into_iter().filter_map(|query| self.within("query_indices", Some(query), queries)).collect(),
            results,
            failed: sent.failed.unwrap_or_default(),
            error: sent.error,
            role: TraceRole::Step,
            origin,
        }
    }

    pub fn supports(&mut self, list: Vec<SentSupport>, answer: &str, sources: usize) -> Vec<Support> {
        let base = self.origin.key("supports");
        list.into_iter().enumerate().map(|(number, sent)| self.support(sent, base.item(number), answer, sources)).collect()
    }

    fn support(&mut self, sent: SentSupport, origin: Origin, answer: &str, sources: usize) -> Support {
        let segment = sent.sent.filter(|segment| {
            let any = segment.start.is_some() || segment.end.is_some() || segment.part.is_some() || segment.quote.is_some();
            segment.given.unwrap_or(any)
        });
        let citations = sent.citations.into_iter().enumerate();
        Support {
            origin,
            layer: self.word("origin of a support", sent.layer).unwrap_or_default(),
            segment: segment.map(|sent| Segment {
                part: sent.part,
                start: sent.start,
                end: sent.end,
                quote: sent.quote,
                keys: Some(&OFFSETS),
            }),
            placed: self.placed(&sent.placed, answer),
            score: sent.score,
            check_required: sent.check_required,
            citations: citations.map(|(number, citation)| self.citation(citation, number, sources)).collect(),
            scores_sent: sent.scores_sent.map(|count| index(Some(count))),
        }
    }

    fn placed(&mut self, sent: &[i64], answer: &str) -> Option<Range<usize>> {
        let [start, end] = sent else { return None };
        let range = index(Some(*start))..index(Some(*end));
        if answer.get(range.clone()).is_some() {
            return Some(range);
        }
        self.nowhere("placed", format_args!("{start}..{end}"));
        None
    }

    fn citation(&mut self, sent: SentCitation, number: usize, sources: usize) -> Citation {
        let source = sent.source.and_then(|source| usize::try_from(source).ok()).filter(|&source| source < sources);
        let target = match (source, sent.kind.as_deref()) {
            (Some(source), Some("tool")) => Target::Tool(source),
            (Some(source), _) => Target::Source(source),
            (None, _) => {
                let index = sent.sent_index.map(|word| word.0).or(sent.source.map(|source| source.to_string()));
                Target::Dangling(index.unwrap_or_else(|| "null".to_owned()).into())
            }
        };
        let link = Link {
            trace: sent.trace_index.and_then(|trace| usize::try_from(trace).ok()),
            joined: self.word("joined", sent.joined),
            tool: sent.tool,
            audit: sent.audit,
        };
        let place = Place { list: Some(&CITATIONS), index: number as u32 };
        let link = (link != Link::default()).then(|| Box::new(link));
        Citation { score: sent.score, link, ..Citation::of(target, place) }
    }
}
