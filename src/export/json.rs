//! The neutral model as JSON, schema `citescope/1`: every value that was sent, named where the model has a
//! place for it, by its JSON path under `extra` where not. Counts from 0; offsets are UTF-8 bytes of
//! `answer`, ends exclusive.
//!
//! A response is written as it is walked: nothing larger than one support, source or finding is ever built
//! for it.

#[cfg(test)]
mod schema;

use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::Arc;

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::Value;

use crate::check::Finding;
use crate::evidence::Covered;
use crate::form::{self, Count, Derived, Extra, Json, List, Only, Ordinal, Pair};
use crate::review::{InputPlace, Review, SupportRef};

pub use crate::model::SCHEMA;

/// One response in the neutral form, to be serialised.
pub struct Form<'a> {
    review: &'a Review,
    schema: bool,
}

impl<'a> Form<'a> {
    /// Of a review.
    pub fn of(review: &'a Review) -> Self {
        Self { review, schema: false }
    }

    /// With the name of the schema in front, as a line of its own needs it.
    #[must_use]
    pub fn line(self) -> Self {
        Self { schema: true, ..self }
    }

    /// The response as it is written.
    fn written(&self) -> form::Response<'_> {
        let Self { review, schema } = *self;
        let response = &review.response;
        let sent = form::Response::of(response);
        form::Response {
            schema: Only(schema.then(|| SCHEMA.into())),
            file: review.file().into(),
            record: review.record().into(),
            fit: fit(review).into(),
            coverage: coverage(review).into(),
            supports: List::of(move || review.supports().map(move |sent| support(sent, review))),
            sources: List::of(move || {
                review.sources().map(move |source| {
                    form::Source::of(source.index, source.sent(), source.cited_by_numbers())
                })
            }),
            remarks: List::of(move || {
                let sent = response.remarks.iter().map(form::Remark::of);
                let mended = |notice: &crate::model::Notice| {
                    form::Remark::mended(Some(notice.kind()), notice.to_string().into())
                };
                sent.chain(review.notices().iter().map(mended))
            }),
            extra: Extra::of(move || extras(review)),
            findings: Derived(Some(List::of(move || {
                review.findings().iter().map(move |finding| self::finding(review, finding))
            }))),
            ..sent
        }
    }
}

impl Serialize for Form<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.written().serialize(serializer)
    }
}

/// One response as a value.
pub fn response(review: &Review) -> Value {
    serde_json::to_value(Form::of(review)).unwrap_or_default()
}

fn round(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}

/// Coverage to four digits; nothing for an empty answer.
pub fn coverage(review: &Review) -> Option<f64> {
    review.coverage().map(round)
}

/// How the supports fit as a whole.
pub fn fit(review: &Review) -> form::Fit<'static> {
    form::Fit::of(&review.fit)
}

fn support<'a>(support: SupportRef<'a>, review: &'a Review) -> form::Support<'a> {
    let anchor = support.anchor();
    form::Support {
        start: anchor.range.as_ref().map(|range| Count::of(range.start)).into(),
        end: anchor.range.as_ref().map(|range| Count::of(range.end)).into(),
        anchor: form::Anchor::of(anchor).into(),
        evidence: evidence(review, support.index).into(),
        ..form::Support::of(support.index, support.sent(), &review.response)
    }
}

/// What was compared; nothing where there was nothing to compare: a claim without words, or one that needs no
/// grounding.
fn evidence(review: &Review, support: usize) -> Option<form::Evidence<'static>> {
    let verdict = review.backing(support)?;
    let place = |chunk| review.comparison().place(chunk);
    let window = |fit: &Covered| {
        let (source, chunk) = place(fit.window.chunk)?;
        Some(form::Window {
            source: Count::of(source),
            chunk: Count::of(chunk),
            start: Count::of(fit.window.start),
            end: Count::of(fit.window.end),
            cover: round(fit.cover),
        })
    };
    let better = verdict.better().and_then(|other| {
        let (source, chunk) = place(other.chunk)?;
        Some(form::Better { source: Count::of(source), chunk: Count::of(chunk), cover: round(other.cover) })
    });
    Some(form::Evidence {
        outcome: form::Said::of(verdict.outcome),
        cover: verdict.cover.map(round),
        margin: verdict.margin.map(round),
        windows: verdict.fits.iter().filter_map(window).collect(),
        missing_numbers: verdict.missing_numbers.clone(),
        missing_names: verdict.missing_names.clone(),
        better,
        why: verdict.outcome.reason().map(|reason| reason.text().into()),
    })
}

/// Fields by JSON path; in a record of several frames the path begins with the number of the frame. A field
/// that was sent twice stands there twice, the second time as `path (2)`.
fn extras(review: &Review) -> impl Iterator<Item = (String, Json<'_>)> {
    // Hashes of the paths: a hundred thousand take no room twice.
    let (hashed, mut seen) = (RandomState::new(), HashMap::<u64, usize>::new());
    review.extras().iter().map(move |extra| {
        let (origin, value) = (&extra.origin, &extra.value);
        // As it is spelled: what a struct names and what was found beside it may be two values of one field.
        let path = review.sent.path_of(origin);
        let times = seen.entry(hashed.hash_one(&path)).or_default();
        *times += 1;
        let again = if *times > 1 { format!(" ({times})") } else { String::new() };
        (path + &again, Json::of(value))
    })
}

/// A finding, with its place in the input and the edits that repair it.
pub fn finding<'a>(review: &'a Review, finding: &'a Finding) -> form::Finding<'a> {
    let place = review.place(finding);
    let frame = |support: usize| review.response.supports.get(support).map(|support| support.origin.frame);
    let repairs = review.spliced(finding).filter_map(|(edit, splice)| {
        let path = review.sent.path(&splice?.path.to_string(), frame(edit.support)?);
        Some(form::Fix { path, old: edit.old.map(|old| old.to_string()), new: edit.new.to_string() })
    });
    form::Finding {
        rule: finding.rule.id.into(),
        severity: finding.rule.severity.word().into(),
        supports: List::of(|| finding.supports.iter().copied().map(Count::of)),
        sources: List::of(|| finding.sources.iter().copied().map(Count::of)),
        trace: finding.trace.map(Count::of),
        answer: answer_of(review, finding),
        path: path_of(review, finding, place.as_ref()),
        line: place.as_ref().map(|place| Ordinal(place.line)),
        column: place.map(|place| Ordinal(place.column)),
        message: finding.message.as_str().into(),
        help: finding.help().into(),
        fix: repairs.collect(),
    }
}

/// Bytes of the answer that a finding is of.
pub fn answer_of(review: &Review, finding: &Finding) -> Pair {
    let span = finding.supports.first().and_then(|&first| review.support(first)?.range());
    Pair::of(span.as_ref().or_else(|| finding.places.first()))
}

/// The path of a finding, as spelled in the input where it has a place there.
pub fn path_of(review: &Review, finding: &Finding, place: Option<&InputPlace>) -> String {
    let path = place.map_or(&finding.origin.path, |place| &place.path).to_string();
    review.sent.path(&path, finding.origin.frame)
}

/// The document of several responses, each decoded when its turn comes and dropped when it is written.
pub struct Document<I> {
    responses: RefCell<I>,
}

impl<I: Iterator<Item = Arc<Review>>> Document<I> {
    /// Of reviews. It can be serialised once.
    pub fn new(responses: I) -> Self {
        Self { responses: RefCell::new(responses) }
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
            list.serialize_element(&Form::of(&review))?;
        }
        list.end()
    }
}
