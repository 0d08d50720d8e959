//! citescope's own neutral form, schema `citescope/1`, opened again: a document of responses, or one a line. What was
//! sent is taken as it stands; what was worked out from it (places, fit, evidence, findings) is worked out anew.

mod lists;

use std::fmt;

use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;

use self::lists::Reader;
use super::interface::{self, Format, Group, begin, read};
use super::providers::google::{lowering, wire as grounding};
use super::registry::FORMATS;
use crate::json::Peek;
use crate::json::values::{Scalar, ScalarVisitor, ValueSeed, Word};
use crate::json::wire::{Cx, Field, wire};
use crate::model::{About, Failure, NoticeKind, Origin, Page, Part, Path, Recitation, Remark, RemarkKind, Response, SafetyRating};

pub const FORMAT: Format = Format {
    id: "citescope",
    short: "citescope",
    name: "citescope's own neutral form (schema citescope/1)",
    reads: "what `citescope export --to json` and `--to jsonl` wrote; each response keeps the format it came from",
    decisive: &["schema"],
    recognise: |peek| peek.word("schema").as_deref() == Some(crate::model::SCHEMA),
    group: |_: &Peek| Group::Alone,
    fold: begin::<Opened>,
};

wire! {
    struct Document {
        schema: Skip = "schema";
        responses: Vec<Sent> = "responses";
    }

    struct Sent {
        schema: Skip = "schema";
        format: Option<String> = "format";
        file: Option<String> = "file";
        record: Option<i64> = "record";
        first_read: Option<FirstRead> = "first_read";
        item: Option<i64> = "item";
        id: Option<String> = "id";
        model: Option<String> = "model";
        role: Option<String> = "role";
        partial: Option<bool> = "partial";
        state: Option<String> = "state";
        answer: Option<String> = "answer";
        parts: Vec<SentPart> = "parts";
        documented: Option<Documented> = "documented";
        fit: Skip = "fit";
        coverage: Skip = "coverage";
        supports: Vec<lists::SentSupport> = "supports";
        sources: Vec<lists::SentSource> = "sources";
        queries: Vec<lists::SentQuery> = "queries";
        traces: Vec<lists::SentTrace> = "traces";
        question: Option<String> = "question";
        author: Option<String> = "author";
        invocation: Option<String> = "invocation";
        branch: Option<String> = "branch";
        flags: Option<Flags> = "flags";
        created: Option<String> = "created";
        completed: Option<String> = "completed";
        grounding_score: Option<f64> = "grounding_score";
        retrieval_score: Option<f64> = "retrieval_score";
        retrieval_threshold: Option<f64> = "retrieval_threshold";
        grounding: Option<String> = "grounding";
        finish: Option<String> = "finish";
        ending: Option<String> = "ending";
        blocked: Option<String> = "blocked";
        skipped: Vec<String> = "skipped";
        query_classes: Vec<QueryClass> = "query_classes";
        safety: Vec<Rating> = "safety";
        related: Vec<String> = "related";
        suggestions: Option<Suggestions> = "search_suggestions";
        maps_token: Option<String> = "maps_token";
        fetched: Vec<Fetched> = "fetched";
        charts: Vec<Chart> = "charts";
        structured: Option<String> = "structured";
        recitations: Vec<Recited> = "recitations";
        unmatched_flags: Vec<Flag> = "unmatched_flags";
        actions: Option<Value> = "actions";
        error: Option<SentError> = "error";
        remarks: Vec<SentRemark> = "remarks";
        extra: Unnamed = "extra";
        findings: Skip = "findings";
    }

    struct FirstRead { file: Option<String> = "file"; record: Option<i64> = "record"; }
    struct SentPart {
        kind: Option<String> = "kind";
        start: Option<i64> = "start";
        end: Option<i64> = "end";
        trace: Option<i64> = "trace";
    }
    struct Documented { unit: Option<String> = "unit"; proof: Option<String> = "proof"; }
    struct Flags {
        complete: Option<bool> = "turn_complete";
        interrupted: Option<bool> = "interrupted";
        long_running: Vec<String> = "long_running_tool_ids";
    }
    struct QueryClass { kind: Option<String> = "type"; positive: Option<bool> = "positive"; }
    struct Rating {
        category: Option<String> = "category";
        probability: Option<String> = "probability";
        probability_score: Option<f64> = "probability_score";
        severity: Option<String> = "severity";
        severity_score: Option<f64> = "severity_score";
        blocked: Option<bool> = "blocked";
    }
    struct Suggestions { html: Option<String> = "rendered_content"; blob: Option<String> = "sdk_blob"; links: Skip = "links"; }
    struct Fetched { uri: Option<String> = "uri"; status: Option<String> = "status"; failed: Option<bool> = "failed"; }
    struct Chart { id: Option<String> = "id"; title: Option<String> = "title"; }
    struct Recited {
        start: Option<i64> = "start";
        end: Option<i64> = "end";
        uri: Option<String> = "uri";
        title: Option<String> = "title";
        license: Option<String> = "license";
        date: Option<String> = "date";
    }
    struct Flag { id: Option<String> = "id"; uri: Option<String> = "flag_uri"; }
    struct SentError { code: Option<Word> = "code"; message: Option<String> = "message"; }
    struct SentRemark {
        kind: Option<String> = "kind";
        frame: Option<i64> = "frame";
        path: Option<String> = "path";
        text: Option<String> = "text";
        notice: Option<String> = "notice";
    }
}

/// A field that is worked out anew: known, and not read.
#[derive(Debug, Default, Clone)]
pub(super) struct Skip;

impl<'de> Field<'de> for Skip {
    fn fill<D: Deserializer<'de>>(&mut self, deserializer: D, _: &Cx) -> Result<(), D::Error> {
        deserializer.deserialize_ignored_any(IgnoredAny)?;
        Ok(())
    }
}

/// Fields by the path under which they were first read: each is listed again, none is kept.
#[derive(Debug, Default, Clone)]
struct Unnamed;

impl<'de> Field<'de> for Unnamed {
    fn fill<D: Deserializer<'de>>(&mut self, deserializer: D, cx: &Cx) -> Result<(), D::Error> {
        deserializer.deserialize_any(UnnamedVisitor(cx))
    }
}

struct UnnamedVisitor<'a>(&'a Cx);

impl<'de> Visitor<'de> for UnnamedVisitor<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        if !self.0.surveys() {
            return IgnoredAny.visit_map(map).map(|_| ());
        }
        while let Some(key) = map.next_key::<String>()? {
            let value = map.next_value_seed(ValueSeed(0))?;
            self.0.extra_below(key, value);
        }
        Ok(())
    }
    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
    fn visit_bool<E: serde::de::Error>(self, value: bool) -> Result<(), E> {
        ScalarVisitor(self.0).visit_bool(value).map(|scalar| self.misfit(scalar))
    }
    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<(), E> {
        ScalarVisitor(self.0).visit_i64(value).map(|scalar| self.misfit(scalar))
    }
    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<(), E> {
        ScalarVisitor(self.0).visit_u64(value).map(|scalar| self.misfit(scalar))
    }
    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<(), E> {
        ScalarVisitor(self.0).visit_f64(value).map(|scalar| self.misfit(scalar))
    }
    fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<(), E> {
        ScalarVisitor(self.0).visit_str(value).map(|scalar| self.misfit(scalar))
    }
    fn visit_seq<A: serde::de::SeqAccess<'de>>(self, seq: A) -> Result<(), A::Error> {
        ScalarVisitor(self.0).visit_seq(seq).map(|scalar| self.misfit(scalar))
    }
}

impl UnnamedVisitor<'_> {
    fn misfit(&self, scalar: Scalar) {
        let _ = scalar.misfit::<()>("an object", self.0);
    }
}

#[derive(Default, Clone)]
struct Opened(Vec<Response>);

impl interface::State for Opened {
    fn push(&mut self, frame: u32, text: &str, cx: &Cx) -> Result<(), serde_json::Error> {
        let root = lowering::root(frame);
        if Peek::of(text, &["responses"]).has("responses") {
            let document: Document = read(text, cx)?;
            let list = root.key("responses");
            self.0.extend(document.responses.into_iter().enumerate().map(|(index, sent)| response(sent, list.item(index))));
        } else {
            self.0.push(response(read(text, cx)?, root));
        }
        Ok(())
    }

    fn finish(self) -> Vec<Response> {
        self.0
    }
}

fn response(mut sent: Sent, origin: Origin) -> Response {
    let mut reader = Reader::new(&origin);
    let format = sent.format.take().unwrap_or_default();
    let documented = sent.documented.take().unwrap_or_default();
    let known = FORMATS.iter().map(|format| format.id).find(|id| *id == format);
    let mut out = Response {
        format: known.or_else(|| reader.unknown("format", &format, None)),
        item: index(sent.item),
        id: sent.id.take(),
        scores: lowering::score_notes_of(&format, sent.model.as_deref()),
        model: sent.model.take(),
        role: sent.role.take(),
        partial: sent.partial.unwrap_or_default(),
        state: reader.word("state", sent.state.take()).unwrap_or_default(),
        unit: reader.word("unit", documented.unit).unwrap_or_default(),
        proof: reader.word("proof", documented.proof).unwrap_or_default(),
        answer: sent.answer.take(),
        sources: reader.sources(std::mem::take(&mut sent.sources)),
        ..Response::default()
    };
    out.traces = reader.traces(std::mem::take(&mut sent.traces), sent.queries.len(), out.sources.len());
    out.queries = reader.queries(std::mem::take(&mut sent.queries), out.traces.len());
    out.parts = std::mem::take(&mut sent.parts).into_iter().map(|part| self::part(&part, out.text(), out.traces.len())).collect();
    out.supports = reader.supports(std::mem::take(&mut sent.supports), out.text(), out.sources.len());
    let remarks = std::mem::take(&mut sent.remarks);
    out.remarks = remarks.into_iter().filter_map(|remark| reader.remark(remark)).collect();
    out.about = Box::new(about(sent, &mut reader));
    out.remarks.append(&mut reader.remarks);
    out.origin = origin;
    out
}

/// A number that counts something.
pub(super) fn index(sent: Option<i64>) -> usize {
    sent.and_then(|number| usize::try_from(number).ok()).unwrap_or_default()
}

/// A part; one that lies outside of the answer counts as one without text.
fn part(sent: &SentPart, answer: &str, traces: usize) -> Part {
    match sent.kind.as_deref() {
        Some("text") if answer.get(index(sent.start)..index(sent.end)).is_some() => Part::Text(index(sent.start)..index(sent.end)),
        Some("thought") if index(sent.trace) < traces => Part::Thought(index(sent.trace)),
        _ => Part::Other,
    }
}

fn about(sent: Sent, reader: &mut Reader) -> About {
    let flags = sent.flags.unwrap_or_default();
    let first = sent.first_read.and_then(|first| Some((first.file?, index(first.record))));
    About {
        question: sent.question,
        author: sent.author,
        invocation: sent.invocation,
        branch: sent.branch,
        turn_complete: flags.complete,
        interrupted: flags.interrupted,
        long_running: flags.long_running,
        created: sent.created,
        completed: sent.completed,
        grounding_score: sent.grounding_score,
        retrieval_score: sent.retrieval_score,
        retrieval_threshold: sent.retrieval_threshold,
        skipped: sent.skipped,
        query_classes: sent.query_classes.into_iter().map(|class| (class.kind.unwrap_or_default(), class.positive)).collect(),
        safety: sent.safety.into_iter().map(rating).collect(),
        related: sent.related,
        suggestions: sent.suggestions.map(|entry| {
            let entry = grounding::SearchEntryPoint { html: entry.html, blob: entry.blob };
            lowering::suggestions(entry)
        }),
        maps_token: sent.maps_token,
        flags_unmatched: pairs(sent.unmatched_flags.into_iter().map(|flag| (flag.id, flag.uri))),
        fetched: sent.fetched.into_iter().map(page).collect(),
        recitations: sent.recitations.into_iter().map(recitation).collect(),
        actions: sent.actions,
        error: sent.error.map(|error| Failure { code: error.code.map(|word| word.0), message: error.message }),
        finish: sent.finish,
        ending: reader.word("ending", sent.ending).unwrap_or_default(),
        blocked: sent.blocked,
        charts: pairs(sent.charts.into_iter().map(|chart| (chart.id, chart.title))),
        structured: sent.structured,
        grounding: reader.word("grounding", sent.grounding).unwrap_or_default(),
        first_read: first.or_else(|| Some((sent.file?, index(sent.record)))),
    }
}

fn pairs(list: impl Iterator<Item = (Option<String>, Option<String>)>) -> Vec<(String, String)> {
    list.map(|(first, second)| (first.unwrap_or_default(), second.unwrap_or_default())).collect()
}

fn page(sent: Fetched) -> Page {
    Page { uri: sent.uri.unwrap_or_default(), status: sent.status.unwrap_or_default(), failed: sent.failed.unwrap_or_default() }
}

fn rating(sent: Rating) -> SafetyRating {
    SafetyRating {
        category: sent.category,
        probability: sent.probability,
        probability_score: sent.probability_score,
        severity: sent.severity,
        severity_score: sent.severity_score,
        blocked: sent.blocked,
    }
}

fn recitation(sent: Recited) -> Recitation {
    Recitation { start: sent.start, end: sent.end, uri: sent.uri, title: sent.title, license: sent.license, date: sent.date }
}

impl Reader<'_> {
    /// A remark with the place at which it was first made.
    fn remark(&mut self, sent: SentRemark) -> Option<Remark> {
        let text = sent.text.unwrap_or_default();
        let kind: RemarkKind = self.word("kind of remark", Some(sent.kind.unwrap_or_default()))?;
        let first = sent.path.map(|path| {
            let path = path.strip_prefix('$').unwrap_or(&path);
            Origin { frame: index(sent.frame) as u32, path: Path::new(path.strip_prefix('.').unwrap_or(path)) }
        });
        let named = self.word("notice", sent.notice);
        let notice = named.or_else(|| notice_of(&text)).filter(|_| kind == RemarkKind::Mended);
        Some(Remark { kind, origin: first.unwrap_or_else(|| self.origin.clone()), text, notice })
    }
}

/// The kind of a notice by its text: citescope 0.1.0 wrote no word for it beside the text.
fn notice_of(text: &str) -> Option<NoticeKind> {
    let begins = [
        ("the input is UTF-16", NoticeKind::Utf16),
        ("not UTF-8 at", NoticeKind::NotUtf8),
        ("the input ends inside its array", NoticeKind::ArrayOpen),
        ("the input ends in the middle", NoticeKind::CutInValue),
        ("half a surrogate pair", NoticeKind::LoneSurrogates),
    ];
    let ends = [(": passed over", NoticeKind::StrayLines), ("; this frame was passed over", NoticeKind::FramePassedOver)];
    let begun = begins.into_iter().find(|(words, _)| text.starts_with(words));
    begun.or_else(|| ends.into_iter().find(|(words, _)| text.ends_with(words))).map(|(_, kind)| kind)
}
