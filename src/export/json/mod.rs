//! The neutral model as JSON, schema `citescope/1`: every value that was sent, named where the model has a place for
//! it, by its JSON path under `extra` where not. Counts from 0; offsets are UTF-8 bytes of `answer`, ends exclusive.
//!
//! A response is written as it is walked: nothing larger than one support, source or finding is ever built for it.

mod about;
mod lists;

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::{Value, json};

use super::secrets;
use crate::check::Finding;
use crate::model::{self, NoticeKind, Part, Path, RemarkKind};
use crate::review::Review;

pub use crate::model::SCHEMA;

/// One response in the neutral form, to be serialised.
pub struct Form<'a> {
    review: &'a Review,
    show_secrets: bool,
    schema: bool,
}

impl<'a> Form<'a> {
    /// Of a review.
    pub fn of(review: &'a Review, show_secrets: bool) -> Self {
        Self { review, show_secrets, schema: false }
    }

    /// With the name of the schema in front, as a line of its own needs it.
    #[must_use]
    pub fn line(self) -> Self {
        Self { schema: true, ..self }
    }
}

/// One response as a value.
pub fn response(review: &Review, show_secrets: bool) -> Value {
    serde_json::to_value(Form::of(review, show_secrets)).unwrap_or_default()
}

impl Serialize for Form<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (review, response) = (self.review, &self.review.response);
        let mut map = serializer.serialize_map(None)?;
        if self.schema {
            map.serialize_entry("schema", SCHEMA)?;
        }
        head(&mut map, review, response)?;
        map.serialize_entry("parts", &list(|| response.parts.iter().map(part)))?;
        map.serialize_entry("documented", &json!({"unit": response.unit.word(), "proof": response.proof.word()}))?;
        map.serialize_entry("fit", &fit(review))?;
        map.serialize_entry("coverage", &coverage(review))?;
        let supports = response.supports.iter().zip(&review.anchors).enumerate();
        map.serialize_entry(
            "supports",
            &list(|| supports.clone().map(|(number, (support, anchor))| lists::support(number, support, anchor, review))),
        )?;
        let sources = response.sources.iter().enumerate();
        map.serialize_entry("sources", &list(|| sources.clone().map(|(number, sent)| lists::Source { number, sent, form: self })))?;
        map.serialize_entry("queries", &list(|| response.queries.iter().map(|query| lists::query(query, response))))?;
        map.serialize_entry("traces", &list(|| response.traces.iter().map(|trace| lists::Trace { trace, form: self })))?;
        about::write(&mut map, response, self.show_secrets)?;
        map.serialize_entry("remarks", &remarks(review, response))?;
        map.serialize_entry("extra", &Extras(self))?;
        let findings = review.findings();
        map.serialize_entry("findings", &list(|| findings.iter().map(|finding| self::finding(review, finding))))?;
        map.end()
    }
}

/// A list that is written element by element.
struct List<F>(F);

fn list<I: IntoIterator<Item: Serialize>, F: Fn() -> I>(elements: F) -> List<F> {
    List(elements)
}

impl<I: IntoIterator<Item: Serialize>, F: Fn() -> I> Serialize for List<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

fn head<M: SerializeMap>(map: &mut M, review: &Review, response: &model::Response) -> Result<(), M::Error> {
    map.serialize_entry("format", response.format_id())?;
    map.serialize_entry("file", &review.file())?;
    map.serialize_entry("record", &review.record())?;
    map.serialize_entry("first_read", &response.about.first_read.as_ref().map(|(file, record)| json!({"file": file, "record": record})))?;
    map.serialize_entry("item", &response.item)?;
    map.serialize_entry("id", &response.id)?;
    map.serialize_entry("model", &response.model)?;
    let role = response.role.as_deref().or((!response.is_question()).then_some("model")).unwrap_or("user");
    map.serialize_entry("role", role)?;
    map.serialize_entry("partial", &response.partial)?;
    map.serialize_entry("state", response.state.word())?;
    map.serialize_entry("answer", &response.answer)
}

/// Coverage to four digits; `null` for an empty answer.
pub fn coverage(review: &Review) -> Value {
    json!(review.coverage().map(|share| (share * 1e4).round() / 1e4))
}

/// How the supports fit as a whole.
pub fn fit(review: &Review) -> Value {
    let fit = &review.fit;
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

fn part(part: &Part) -> Value {
    match part {
        Part::Text(range) => json!({"kind": "text", "start": range.start, "end": range.end}),
        Part::Thought(trace) => json!({"kind": "thought", "trace": trace}),
        Part::Other => json!({"kind": "other"}),
    }
}

/// What is worth knowing of the way a response was sent, and what was mended of its input.
fn remarks(review: &Review, response: &model::Response) -> Value {
    let sent = response.remarks.iter().map(|remark| match remark.kind {
        RemarkKind::Mended => mended(remark.notice, &remark.text),
        kind => json!({"kind": kind.word(), "frame": remark.origin.frame, "path": remark.origin.path.to_string(), "text": remark.text}),
    });
    sent.chain(review.notices().iter().map(|notice| mended(Some(notice.kind()), &notice.to_string()))).collect()
}

fn mended(notice: Option<NoticeKind>, text: &str) -> Value {
    let notice = notice.map(NoticeKind::word);
    json!({"kind": RemarkKind::Mended.word(), "frame": null, "path": null, "text": text, "notice": notice})
}

/// Fields by JSON path; in a record of several frames the path begins with the number of the frame. Of a field that
/// was sent twice the last value counts.
struct Extras<'a>(&'a Form<'a>);

impl Serialize for Extras<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Form { review, show_secrets, .. } = *self.0;
        let mine = review.extras();
        let mut last: HashMap<(u32, &Path), &Value> =
            mine.iter().map(|extra| ((extra.origin.frame, &extra.origin.path), &extra.value)).collect();
        let mut map = serializer.serialize_map(None)?;
        for origin in mine.iter().map(|extra| &extra.origin) {
            if let Some(value) = last.remove(&(origin.frame, &origin.path)) {
                map.serialize_entry(&review.sent.path_of(origin), &secrets::shown_at(&origin.path, value, show_secrets))?;
            }
        }
        map.end()
    }
}

/// A finding, with its place in the input and the edits that repair it.
pub fn finding(review: &Review, finding: &Finding) -> Value {
    let place = review.place(finding);
    let span = finding.supports.first().and_then(|&first| review.support(first)?.range());
    let path = place.as_ref().map_or(&finding.origin.path, |place| &place.path).to_string();
    let repairs = review.spliced(finding).into_iter().filter_map(|(edit, splice)| {
        let path = review.sent.path(&splice?.path.to_string(), edit.place.frame);
        Some(json!({"path": path, "old": edit.old.map(|old| old.to_string()), "new": edit.new.to_string()}))
    });
    json!({
        "rule": finding.rule.id,
        "severity": finding.rule.severity.word(),
        "supports": finding.supports,
        "sources": finding.sources,
        "trace": finding.trace,
        "answer": span.or_else(|| finding.places.first().cloned()).map(|range| [range.start, range.end]),
        "path": review.sent.path(&path, finding.origin.frame),
        "line": place.as_ref().map(|place| place.line),
        "column": place.map(|place| place.column),
        "message": finding.message,
        "help": finding.help(),
        "fix": repairs.collect::<Vec<_>>(),
    })
}

/// The document of several responses, each decoded when its turn comes and dropped when it is written.
pub struct Document<I> {
    responses: RefCell<I>,
    show_secrets: bool,
}

impl<I: Iterator<Item = Arc<Review>>> Document<I> {
    /// Of reviews. It can be serialised once.
    pub fn new(responses: I, show_secrets: bool) -> Self {
        Self { responses: RefCell::new(responses), show_secrets }
    }
}

impl<I: Iterator<Item = Arc<Review>>> Serialize for Document<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("schema", SCHEMA)?;
        map.serialize_entry("responses", &Responses(self))?;
        map.end()
    }
}

struct Responses<'a, I>(&'a Document<I>);

impl<I: Iterator<Item = Arc<Review>>> Serialize for Responses<'_, I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        while let Some(review) = self.0.responses.borrow_mut().next() {
            list.serialize_element(&Form::of(&review, self.0.show_secrets))?;
        }
        list.end()
    }
}
