//! The lists of a response: supports with their citations, sources, queries, traces.

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Value, json};

use super::{Form, list};
use crate::anchor::Anchor;
use crate::export::secrets;
use crate::model::{self, Citation, Join, Label, Query, Response, Support, Target};
use crate::review::Review;

pub(super) fn support(number: usize, support: &Support, anchor: &Anchor, review: &Review) -> Value {
    let response = &review.response;
    let segment = support.segment.as_ref();
    json!({
        "index": number,
        "start": anchor.range.as_ref().map(|range| range.start),
        "end": anchor.range.as_ref().map(|range| range.end),
        "anchor": {
            "verdict": anchor.verdict.word(),
            "unit": anchor.unit.word(),
            "base": anchor.base.word(),
            "delta": anchor.delta,
            "occurrences": anchor.occurrences,
        },
        "sent": {
            "given": segment.is_some(),
            "start": segment.and_then(|segment| segment.start),
            "end": segment.and_then(|segment| segment.end),
            "part": segment.and_then(|segment| segment.part),
            "quote": segment.and_then(|segment| segment.quote.as_deref()),
        },
        "placed": support.placed.as_ref().map(|range| [range.start, range.end]),
        "origin": support.layer.word(),
        "score": support.score,
        "check_required": support.check_required,
        "scores_sent": support.scores_sent,
        "citations": support.citations.iter().map(|citation| self::citation(citation, response)).collect::<Vec<_>>(),
        "evidence": evidence(review, number),
    })
}

/// What was compared; `null` where there was nothing to compare: a claim without words, or one that needs no grounding.
fn evidence(review: &Review, support: usize) -> Value {
    let Some(judged) = review.judge(support) else { return Value::Null };
    let verdict = &judged.verdict;
    let better = verdict.better();
    let place = |chunk| review.comparison().place(chunk);
    let round = |value: f64| (value * 1e4).round() / 1e4;
    let cited = judged.windows.iter().take(verdict.fits.len());
    json!({
        "outcome": verdict.outcome.word(),
        "cover": verdict.cover.map(round),
        "margin": verdict.margin.map(round),
        "windows": cited.map(|shown| json!({
            "source": shown.source, "chunk": shown.chunk, "start": shown.range.start, "end": shown.range.end, "cover": round(shown.cover),
        })).collect::<Vec<_>>(),
        "missing_numbers": verdict.missing_numbers,
        "missing_names": verdict.missing_names,
        "better": better.and_then(|other| place(other.chunk).map(|(source, chunk)| json!({"source": source, "chunk": chunk, "cover": round(other.cover)}))),
        "why": verdict.outcome.reason().map(crate::evidence::Reason::text),
    })
}

fn citation(citation: &Citation, response: &Response) -> Value {
    let trace = citation.trace().and_then(|trace| response.traces.get(trace));
    let mut out = json!({
        "kind": match citation.target { Target::Source(_) => "source", Target::Tool(_) => "tool", Target::Dangling(_) => "dangling" },
        "source": citation.target.source(),
        "score": citation.score,
        "trace": citation.audit().or(trace.and_then(|trace| trace.id.as_deref())),
        "tool": citation.tool(),
    });
    let Some(object) = out.as_object_mut() else { return out };
    if let Target::Dangling(sent) = &citation.target {
        // As a number only where the number says all that was sent.
        let number = sent.parse::<i64>().ok().filter(|index| *index.to_string() == **sent);
        object.insert("sent_index".to_owned(), number.map_or_else(|| json!(sent), |index| json!(index)));
    }
    object.insert("trace_index".to_owned(), json!(citation.trace()));
    object.insert("joined".to_owned(), json!(citation.joined().map(Join::word)));
    object.insert("audit".to_owned(), json!(citation.audit()));
    out
}

/// A source: its passages are written one by one.
pub(super) struct Source<'a> {
    pub number: usize,
    pub sent: &'a model::Source,
    pub form: &'a Form<'a>,
}

impl Serialize for Source<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let source = self.sent;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("index", &self.number)?;
        map.serialize_entry("kind", source.kind.word())?;
        let sent = if let model::SourceKind::Unknown(kind) = &source.kind { Some(kind) } else { None };
        map.serialize_entry("kind_sent", &sent)?;
        map.serialize_entry("id", &source.id)?;
        map.serialize_entry("title", &source.title)?;
        map.serialize_entry("uri", &source.uri)?;
        map.serialize_entry("domain", &source.domain)?;
        map.serialize_entry("publisher", &source.publisher)?;
        map.serialize_entry("date", &source.date)?;
        map.serialize_entry("date_sent", &source.date_sent)?;
        map.serialize_entry("document", &source.document)?;
        map.serialize_entry("place_id", &source.place_id)?;
        map.serialize_entry("reviews", &list(|| source.reviews.iter().map(review)))?;
        map.serialize_entry("flag_uri", &source.flag_uri)?;
        map.serialize_entry("struct_data", &secrets::optional(source.struct_data.as_ref(), self.form.show_secrets))?;
        map.serialize_entry("chunks", &list(|| source.chunks.iter().map(chunk)))?;
        map.serialize_entry("cited_by", &self.form.review.cited_by.get(self.number))?;
        map.end()
    }
}

fn review(review: &model::PlaceReview) -> Value {
    json!({"id": review.id, "title": review.title, "uri": review.uri, "text": review.text, "flag_uri": review.flag_uri})
}

fn chunk(chunk: &model::Chunk) -> Value {
    json!({"text": chunk.text, "page": chunk.page, "score": chunk.score, "name": chunk.name, "label": chunk.label.map(Label::word)})
}

pub(super) fn query(query: &Query, response: &Response) -> Value {
    let trace = query.trace.and_then(|trace| response.traces.get(trace)).and_then(|trace| trace.id.as_deref());
    json!({"text": query.text, "origin": query.kind.word(), "trace": trace, "trace_index": query.trace, "web": query.web})
}

/// A trace: its results are written one by one.
pub(super) struct Trace<'a> {
    pub trace: &'a model::Trace,
    pub form: &'a Form<'a>,
}

impl Serialize for Trace<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let trace = self.trace;
        let show = self.form.show_secrets;
        let queries = &self.form.review.response.queries;
        let text = |&index: &usize| queries.get(index).map(|query| query.text.as_str());
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("id", &trace.id)?;
        map.serialize_entry("tool", &trace.tool)?;
        map.serialize_entry("title", &trace.title)?;
        map.serialize_entry("state", &trace.state)?;
        map.serialize_entry("description", &trace.description)?;
        map.serialize_entry("thought", &trace.thought)?;
        map.serialize_entry("arguments", &secrets::optional(trace.arguments.as_ref(), show))?;
        map.serialize_entry("queries", &list(|| trace.queries.iter().filter_map(text)))?;
        map.serialize_entry("query_indices", &trace.queries)?;
        map.serialize_entry("results", &list(|| trace.results.iter().map(|result| Found(result, show))))?;
        map.serialize_entry("failed", &trace.failed)?;
        map.serialize_entry("error", &trace.error)?;
        map.end()
    }
}

/// One result of a step.
struct Found<'a>(&'a model::SearchResult, bool);

impl Serialize for Found<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let result = self.0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("title", &result.title)?;
        map.serialize_entry("uri", &result.uri)?;
        map.serialize_entry("document", &result.document)?;
        map.serialize_entry("chunk", &result.chunk)?;
        map.serialize_entry("text", &result.text)?;
        map.serialize_entry("score", &result.score)?;
        map.serialize_entry("status", &result.status)?;
        map.serialize_entry("source", &result.source)?;
        map.serialize_entry("struct_data", &secrets::optional(result.struct_data.as_ref(), self.1))?;
        map.end()
    }
}
