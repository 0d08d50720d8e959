//! The neutral model as JSON, schema `citescope/1`: every value that was sent, named where the model has a place for
//! it, by its JSON path under `extra` where not. Counts from 0; offsets are UTF-8 bytes of `answer`, ends exclusive.

use serde_json::{Map, Value, json};

use super::secrets;
use crate::anchor::Anchor;
use crate::check::Finding;
use crate::model::{Citation, Origin, Query, Response, Source, Support, Target, Trace};
use crate::pipeline::{Analysed, Reviewed};

/// Version of the layout; a change of meaning changes it.
pub const SCHEMA: &str = "citescope/1";

/// One response.
pub fn response(analysed: &Analysed, index: usize, show_secrets: bool) -> Value {
    let Some(reviewed) = analysed.responses.get(index) else { return Value::Null };
    analysed.compare(index, || false);
    let mut out = Map::new();
    head(&mut out, analysed, &reviewed.response);
    out.insert("fit".to_owned(), fit(reviewed));
    out.insert("coverage".to_owned(), coverage(reviewed));
    let response = &reviewed.response;
    let pairs = response.supports.iter().zip(&reviewed.anchors).enumerate();
    out.insert("supports".to_owned(), pairs.map(|(number, (support, anchor))| self::support(number, support, anchor, reviewed)).collect());
    let sources = response.sources.iter().enumerate();
    out.insert("sources".to_owned(), sources.map(|(number, source)| self::source(number, source, reviewed)).collect());
    out.insert("queries".to_owned(), response.queries.iter().map(|query| self::query(query, response)).collect());
    out.insert("traces".to_owned(), response.traces.iter().map(|trace| self::trace(trace, response)).collect());
    about(&mut out, response);
    out.insert("extra".to_owned(), extras(analysed, index));
    let findings = analysed.findings(index);
    out.insert("findings".to_owned(), findings.iter().map(|finding| self::finding(analysed, index, finding)).collect());
    let mut value = Value::Object(out);
    if !show_secrets {
        secrets::mask_in_place(&mut value);
    }
    value
}

fn head(out: &mut Map<String, Value>, analysed: &Analysed, response: &Response) {
    let mut put = |key: &str, value: Value| {
        out.insert(key.to_owned(), value);
    };
    put("format", json!(response.format));
    put("file", json!(analysed.input.name));
    put("record", json!(analysed.record.number));
    put("item", json!(response.item));
    put("id", json!(response.id));
    put("model", json!(response.model));
    let role = response.role.as_deref().or((!response.is_question()).then_some("model")).unwrap_or("user");
    put("role", json!(role));
    put("partial", json!(response.partial));
    put("state", json!(response.state.word()));
    put("answer", json!(response.answer));
}

/// Coverage to four digits; `null` for an empty answer.
pub fn coverage(reviewed: &Reviewed) -> Value {
    json!(reviewed.coverage().map(|share| (share * 1e4).round() / 1e4))
}

/// How the supports fit as a whole.
pub fn fit(reviewed: &Reviewed) -> Value {
    let fit = &reviewed.fit;
    json!({
        "unit": fit.reading.unit.word(),
        "base": fit.reading.base.word(),
        "end": if fit.reading.inclusive { "inclusive" } else { "exclusive" },
        "shift": fit.reading.shift,
        "fitting": fit.fitting,
        "of": fit.of,
        "proof": fit.proof.word(),
    })
}

fn support(number: usize, support: &Support, anchor: &Anchor, reviewed: &Reviewed) -> Value {
    let response = &reviewed.response;
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
            "start": segment.and_then(|segment| segment.start),
            "end": segment.and_then(|segment| segment.end),
            "part": segment.and_then(|segment| segment.part),
            "quote": segment.and_then(|segment| segment.quote.as_deref()),
        },
        "origin": support.layer,
        "score": support.score,
        "check_required": support.check_required,
        "citations": support.citations.iter().map(|citation| self::citation(citation, response)).collect::<Vec<_>>(),
        "evidence": evidence(reviewed, number),
    })
}

/// What was compared; `null` where there was nothing to compare: a claim without words, or one that needs no grounding.
fn evidence(reviewed: &Reviewed, support: usize) -> Value {
    let Some(judged) = reviewed.judge(support) else { return Value::Null };
    let verdict = &judged.verdict;
    let better = verdict.better();
    let place = |chunk| reviewed.comparison().place(chunk);
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
        object.insert("sent_index".to_owned(), sent.parse::<i64>().map_or_else(|_| json!(sent), |index| json!(index)));
    }
    object.insert("trace_index".to_owned(), json!(citation.trace()));
    object.insert("joined".to_owned(), json!(citation.joined()));
    out
}

fn source(number: usize, source: &Source, reviewed: &Reviewed) -> Value {
    json!({
        "index": number,
        "kind": source.kind.word(),
        "id": source.id,
        "title": source.title,
        "uri": source.uri,
        "domain": source.domain,
        "publisher": source.publisher,
        "date": source.date,
        "date_sent": source.date_sent,
        "document": source.document,
        "place_id": source.place_id,
        "reviews": source.reviews.iter().map(|review| json!({
            "id": review.id, "title": review.title, "uri": review.uri, "text": review.text, "flag_uri": review.flag_uri,
        })).collect::<Vec<_>>(),
        "flag_uri": source.flag_uri,
        "struct_data": source.struct_data,
        "chunks": source.chunks.iter().map(|chunk| json!({
            "text": chunk.text, "page": chunk.page, "score": chunk.score, "name": chunk.name,
        })).collect::<Vec<_>>(),
        "cited_by": reviewed.cited_by.get(number),
    })
}

fn query(query: &Query, response: &Response) -> Value {
    let trace = query.trace.and_then(|trace| response.traces.get(trace)).and_then(|trace| trace.id.as_deref());
    json!({"text": query.text, "origin": query.kind, "trace": trace})
}

fn trace(trace: &Trace, response: &Response) -> Value {
    let text = |&index: &usize| response.queries.get(index).map(|query| query.text.as_str());
    json!({
        "id": trace.id,
        "tool": trace.tool,
        "title": trace.title,
        "state": trace.state,
        "description": trace.description,
        "thought": trace.thought,
        "arguments": trace.arguments,
        "queries": trace.queries.iter().filter_map(text).collect::<Vec<_>>(),
        "results": trace.results.iter().map(|result| json!({
            "title": result.title, "uri": result.uri, "document": result.document, "chunk": result.chunk, "text": result.text,
            "score": result.score, "status": result.status, "source": result.source, "struct_data": result.struct_data,
        })).collect::<Vec<_>>(),
        "error": trace.error,
    })
}

fn about(out: &mut Map<String, Value>, response: &Response) {
    let about = &response.about;
    let mut put = |key: &str, value: Value| {
        out.insert(key.to_owned(), value);
    };
    put("question", json!(about.question));
    put("author", json!(about.author));
    put("invocation", json!(about.invocation));
    put("branch", json!(about.branch));
    put(
        "flags",
        json!({"turn_complete": about.turn_complete, "interrupted": about.interrupted, "long_running_tool_ids": about.long_running}),
    );
    put("created", json!(about.created));
    put("completed", json!(about.completed));
    put("grounding_score", json!(about.grounding_score));
    put("retrieval_score", json!(about.retrieval_score));
    put("skipped", json!(about.skipped));
    put("query_classes", about.query_classes.iter().map(|(class, positive)| json!({"type": class, "positive": positive})).collect());
    put(
        "safety",
        about
            .safety
            .iter()
            .map(|rating| {
                json!({
                    "category": rating.category, "probability": rating.probability, "probability_score": rating.probability_score,
                    "severity": rating.severity, "severity_score": rating.severity_score, "blocked": rating.blocked,
                })
            })
            .collect(),
    );
    put("related", json!(about.related));
    put(
        "search_suggestions",
        about.suggestions.as_ref().map_or(Value::Null, |suggestions| {
            let links = suggestions.links.as_ref().and_then(|links| links.as_ref().ok());
            let links = links.map(|links| links.iter().map(|(query, uri)| json!({"query": query, "uri": uri})).collect::<Vec<_>>());
            json!({"rendered_content": suggestions.html, "sdk_blob": suggestions.blob, "links": links})
        }),
    );
    put(
        "recitations",
        about
            .recitations
            .iter()
            .map(|recitation| {
                json!({
                    "start": recitation.start, "end": recitation.end, "uri": recitation.uri, "title": recitation.title,
                    "license": recitation.license, "date": recitation.date,
                })
            })
            .collect(),
    );
    put("unmatched_flags", about.flags_unmatched.iter().map(|(id, uri)| json!({"id": id, "flag_uri": uri})).collect());
    put("actions", json!(about.actions));
    put("error", about.error.as_ref().map_or(Value::Null, |error| json!({"code": error.code, "message": error.message})));
}

/// Fields by JSON path; in a record of several frames the path begins with the number of the frame.
fn extras(analysed: &Analysed, index: usize) -> Value {
    let mine = analysed.extras_of(index).iter();
    mine.map(|extra| (extra_path(analysed, &extra.origin), extra.value.clone())).collect::<Map<_, _>>().into()
}

/// The path of a field for people and machines.
pub fn extra_path(analysed: &Analysed, origin: &Origin) -> String {
    in_frame(analysed, &origin.path.to_string(), origin.frame)
}

/// A finding, with its place in the input and the edits that repair it.
pub fn finding(analysed: &Analysed, item: usize, finding: &Finding) -> Value {
    let place = analysed.place(finding);
    let span = finding.supports.first().and_then(|&first| analysed.responses.get(item)?.anchors.get(first)?.range.clone());
    let path = place.as_ref().map_or(&finding.origin.path, |place| &place.path).to_string();
    let repairs = analysed.repairs(item, finding).into_iter().filter_map(|(edit, splice)| {
        let path = in_frame(analysed, &splice?.path.to_string(), edit.place.frame);
        Some(json!({"path": path, "old": edit.old.map(|old| old.to_string()), "new": edit.new.to_string()}))
    });
    json!({
        "rule": finding.rule.id,
        "severity": finding.rule.severity.word(),
        "supports": finding.supports,
        "sources": finding.sources,
        "trace": finding.trace,
        "answer": span.or_else(|| finding.places.first().cloned()).map(|range| [range.start, range.end]),
        "path": in_frame(analysed, &path, finding.origin.frame),
        "line": place.as_ref().map(|place| place.line),
        "column": place.map(|place| place.column),
        "message": finding.message,
        "help": finding.help.as_deref().unwrap_or(finding.rule.help),
        "fix": repairs.collect::<Vec<_>>(),
    })
}

/// A path in a record of several frames begins with the number of the frame.
fn in_frame(analysed: &Analysed, path: &str, frame: u32) -> String {
    match path.strip_prefix('$') {
        Some(rest) if analysed.record.frames.len() > 1 => format!("$[{frame}]{rest}"),
        _ => path.to_owned(),
    }
}

/// The document of several responses.
pub fn document(responses: Vec<Value>) -> Value {
    json!({"schema": SCHEMA, "responses": responses})
}
