//! Puts the stages together: inputs to records, records to reviewed responses. The screen and the command line call
//! this, not the stages.

mod batches;

pub mod parallel;
mod records;
mod source_texts;
mod splice;

use std::collections::HashMap;
use std::path::Path as FilePath;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde_json::Value;

use crate::check::{self, Finding, Severity};
use crate::format::{self, DecodeError, Kind};
use crate::model::{Notice, Origin, Path, Response, Step};
use crate::review::repair::Edit;
use crate::store::{self, Container, Input, InputError};

pub use crate::review::{Reviewed, Span};
pub use batches::Batches;
use records::records;
pub use source_texts::{SourceTexts, Target};
pub use splice::Splice;
use splice::splices;

/// The records of one or more inputs.
#[derive(Default)]
pub struct Collection {
    /// The inputs that could be read.
    pub inputs: Vec<Arc<Input>>,
    /// What is decoded as a whole: a document, a batch line, a stream, a session.
    pub records: Vec<Record>,
    /// Inputs that could not be read.
    pub failures: Vec<InputError>,
    /// Text for responses that carry none.
    pub answer: Option<String>,
    /// Texts for sources that carry none.
    pub source_texts: Option<Arc<SourceTexts>>,
    first: OnceLock<Result<Arc<Analysed>, RecordError>>,
}

/// What is decoded as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Index of the input.
    pub input: usize,
    /// Its frames.
    pub frames: Vec<usize>,
    /// Index of the format, or none.
    pub format: Option<usize>,
    /// Number within its input, from 0.
    pub number: usize,
}

/// A record that holds no readable response, with the place and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name}:{line}:{column}: {what}")]
pub struct RecordError {
    /// Name of the input.
    pub name: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong and what to do.
    pub what: String,
    /// The input is JSON and belongs to somebody else, or to nobody known.
    pub foreign: bool,
}

/// A decoded record.
pub struct Analysed {
    /// The input it came from.
    pub input: Arc<Input>,
    /// The record.
    pub record: Record,
    /// Its responses.
    pub responses: Vec<Reviewed>,
    /// What was mended or passed over while reading.
    pub notices: Vec<Notice>,
    extras: OnceLock<Vec<Extra>>,
    findings: Vec<OnceLock<Vec<Finding>>>,
    complete: Vec<OnceLock<Vec<Finding>>>,
    worst: Vec<[OnceLock<Vec<Option<Severity>>>; 2]>,
    places: Mutex<HashMap<(u32, Path), Option<Place>>>,
    splices: OnceLock<Vec<Vec<Option<Splice>>>>,
}

/// A place in the input: its path as spelled there, line and column from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Path within the frame.
    pub path: Path,
    /// Line.
    pub line: usize,
    /// Column, in characters.
    pub column: usize,
}

/// A field that was sent and has no named place in the model.
#[derive(Debug, Clone, PartialEq)]
pub struct Extra {
    /// Where.
    pub origin: Origin,
    /// Its value.
    pub value: Value,
    /// The response it belongs to.
    pub owner: usize,
}

impl Collection {
    /// Opens inputs; what cannot be read is kept in `failures`.
    pub fn open(inputs: Vec<Result<Input, InputError>>) -> Self {
        let mut collection = Self::default();
        for input in inputs {
            match input {
                Ok(input) => collection.add(input),
                Err(error) => collection.failures.push(error),
            }
        }
        collection
    }

    /// Opens a file.
    pub fn open_file(path: &FilePath) -> Self {
        Self::open(vec![store::read_file(path)])
    }

    fn add(&mut self, mut input: Input) {
        let number = self.inputs.len();
        let mut records = records(&input, number);
        // Whether a document is one value only the parser tells. Its result is kept: it is what is shown first.
        if input.container == Container::Document
            && let Some(record) = records.first().filter(|record| record.format.is_some())
        {
            let shared = Arc::new(input);
            let result = self.decode(&shared, record);
            if let Err(DecodeError::Trailing { .. }) = result {
                input = Arc::unwrap_or_clone(shared);
                input.split_again();
                records = records::records(&input, number);
            } else {
                if self.records.is_empty() {
                    let analysed = result.map(Arc::new).map_err(|error| Self::explain(&shared, record, &error));
                    self.first = OnceLock::from(analysed);
                }
                self.inputs.push(shared);
                self.records.append(&mut records);
                return;
            }
        }
        self.inputs.push(Arc::new(input));
        self.records.append(&mut records);
    }

    /// Decodes and reviews a record.
    pub fn analyse(&self, index: usize) -> Result<Arc<Analysed>, RecordError> {
        if index == 0
            && self.answer.is_none()
            && self.source_texts.is_none()
            && let Some(first) = self.first.get()
        {
            return first.clone();
        }
        let Some((record, input)) = self.records.get(index).and_then(|record| Some((record, self.inputs.get(record.input)?))) else {
            return Err(RecordError { name: String::new(), line: 1, column: 1, what: "no such record".to_owned(), foreign: false });
        };
        self.decode(input, record).map(Arc::new).map_err(|error| Self::explain(input, record, &error))
    }

    fn decode(&self, input: &Arc<Input>, record: &Record) -> Result<Analysed, DecodeError> {
        let Some(format) = record.format else { return Err(refuse(input, record)) };
        let mut decoded = format::decode(input, format, &record.frames)?;
        if decoded.flaws > 0 {
            let owners = Owners::of(decoded.responses.iter());
            for (frame, survey) in format::survey(input, format, &record.frames) {
                for (path, what) in survey.flaws {
                    let remark = format::flaw_remark(frame, &path, &what);
                    if let Some(response) = decoded.responses.get_mut(owners.find(&remark.origin)) {
                        response.remarks.push(remark);
                    }
                }
            }
        }
        if let Some(texts) = &self.source_texts {
            texts.fill(record.number, &mut decoded.responses);
        }
        let answer = self.answer.as_deref();
        let responses = decoded.responses.into_iter().map(|response| Reviewed::new(response, answer));
        let responses: Vec<Reviewed> = responses.collect();
        let mut notices = input.notices.clone();
        notices.append(&mut decoded.notices);
        Ok(Analysed {
            input: Arc::clone(input),
            record: record.clone(),
            findings: responses.iter().map(|_| OnceLock::new()).collect(),
            complete: responses.iter().map(|_| OnceLock::new()).collect(),
            worst: responses.iter().map(|_| [OnceLock::new(), OnceLock::new()]).collect(),
            places: Mutex::default(),
            splices: OnceLock::new(),
            responses,
            notices,
            extras: OnceLock::new(),
        })
    }

    fn explain(input: &Input, record: &Record, error: &DecodeError) -> RecordError {
        let start = record.frames.first().and_then(|&frame| input.frames.get(frame)).map_or(0, |frame| frame.range.start);
        let at = match error {
            DecodeError::NotJson { at, .. } | DecodeError::Trailing { at } => *at,
            DecodeError::Unknown(_) | DecodeError::Service(_) => start,
        };
        let foreign = matches!(error, DecodeError::Unknown(_));
        let (line, column) = input.line_column(at);
        RecordError { name: input.name.clone(), line, column, what: error.to_string(), foreign }
    }
}

/// What an unknown record is, in words.
fn refuse(input: &Input, record: &Record) -> DecodeError {
    let frame = record.frames.first().map_or("", |&frame| input.frame(frame));
    // JSON that breaks off or is none says so first.
    if let Err(error) = serde_json::from_str::<serde::de::IgnoredAny>(frame)
        && !format::is_trailing(frame, &error)
    {
        let at = record.frames.first().and_then(|&frame| input.frames.get(frame)).map_or(0, |frame| frame.range.start);
        return format::not_json(input, at, frame, &error);
    }
    if let Kind::ServiceError = format::recognise(frame, false)
        && format::looks_like(frame).is_none()
    {
        return DecodeError::Service(format::service_error(frame));
    }
    let looks = format::looks_like(frame).map_or_else(
        || {
            let keys: Vec<String> = crate::json::Peek::of(frame, &[]).keys().take(6).map(|key| format!("{key:?}")).collect();
            if keys.is_empty() {
                "this is JSON, but no grounded response".to_owned()
            } else {
                format!("this is JSON with the keys {}, but no grounded response known here", keys.join(", "))
            }
        },
        |name| format!("this looks like {name}, which citescope does not read"),
    );
    DecodeError::Unknown(format!(
        "{looks}; it reads Gemini and Vertex AI responses, Agent Engine and ADK events, Discovery Engine answers, Bigdata.com streams (see `citescope formats`)"
    ))
}

/// Which response a place belongs to: the one it lies in, also in another frame of the same candidate; else the first.
struct Owners {
    by_place: HashMap<u32, HashMap<Vec<Step>, usize>>,
    by_path: Vec<(Vec<Step>, usize)>,
}

impl Owners {
    fn of<'a>(responses: impl Iterator<Item = &'a Response>) -> Self {
        let mut out = Self { by_place: HashMap::new(), by_path: Vec::new() };
        for (number, response) in responses.enumerate() {
            let steps = response.origin.path.steps();
            if !steps.is_empty() && out.by_path.len() < 64 {
                out.by_path.push((steps, number));
            }
            let places = std::iter::once(&response.origin).chain(response.traces.iter().map(|trace| &trace.origin));
            for place in places {
                out.by_place.entry(place.frame).or_default().insert(place.path.steps(), number);
            }
        }
        out
    }

    fn find(&self, origin: &Origin) -> usize {
        let steps = origin.path.steps();
        let here = self.by_place.get(&origin.frame);
        let inside = (0..=steps.len()).rev().find_map(|depth| here?.get(steps.get(..depth)?));
        let elsewhere = || self.by_path.iter().find(|(outer, _)| steps.starts_with(outer)).map(|(_, owner)| owner);
        inside.or_else(elsewhere).copied().unwrap_or_default()
    }
}

impl Analysed {
    /// Every field that was sent and has no named place in the model; found on first use.
    pub fn extras(&self) -> &[Extra] {
        self.extras.get_or_init(|| {
            let format = self.record.format.unwrap_or_default();
            let surveys = format::survey(&self.input, format, &self.record.frames);
            let fields = surveys
                .into_iter()
                .flat_map(|(frame, survey)| survey.extras.into_iter().map(move |(path, value)| (Origin { frame, path }, value)));
            let owners = Owners::of(self.responses.iter().map(|reviewed| &reviewed.response));
            let owned = |(origin, value): (Origin, Value)| Extra { owner: owners.find(&origin), origin, value };
            let mut extras: Vec<Extra> = fields.map(owned).collect();
            extras.sort_by_key(|extra| extra.owner);
            extras
        })
    }

    /// Those of one response, in the order sent.
    pub fn extras_of(&self, response: usize) -> &[Extra] {
        let extras = self.extras();
        let from = extras.partition_point(|extra| extra.owner < response);
        let to = extras.partition_point(|extra| extra.owner <= response);
        extras.get(from..to).unwrap_or_default()
    }

    /// Findings of a response, worst first; found on first use. Those on content come last, once [`Self::compare`] is
    /// through.
    pub fn findings(&self, response: usize) -> &[Finding] {
        if let Some(complete) = self.complete.get(response).and_then(OnceLock::get) {
            return complete;
        }
        let Some(slot) = self.findings.get(response) else { return &[] };
        slot.get_or_init(|| check::findings(&self.responses, response, &self.notices))
    }

    /// The worst finding that touches a support.
    pub fn worst(&self, response: usize, support: usize) -> Option<Severity> {
        let done = self.complete.get(response).is_some_and(|complete| complete.get().is_some());
        let slot = self.worst.get(response)?.get(usize::from(done))?;
        let all = slot.get_or_init(|| {
            let count = self.responses.get(response).map_or(0, |reviewed| reviewed.response.supports.len());
            let mut worst: Vec<Option<Severity>> = vec![None; count];
            for finding in self.findings(response) {
                for &support in &finding.supports {
                    if let Some(slot) = worst.get_mut(support) {
                        *slot = Some(slot.map_or(finding.rule.severity, |known| known.min(finding.rule.severity)));
                    }
                }
            }
            worst
        });
        all.get(support).copied().flatten()
    }

    /// Compares claims with chunks until `enough` says so; true when all of the response are compared.
    pub fn compare(&self, response: usize, mut enough: impl FnMut() -> bool) -> bool {
        let Some((slot, reviewed)) = self.complete.get(response).zip(self.responses.get(response)) else { return true };
        if slot.get().is_some() {
            return true;
        }
        if !reviewed.judge_all(&mut enough) {
            return false;
        }
        slot.get_or_init(|| self.findings(response).iter().cloned().chain(check::content_findings(reviewed)).collect());
        true
    }

    /// Where a finding stands. The places of all findings known so far are found together, each frame searched once.
    pub fn place(&self, finding: &Finding) -> Option<Place> {
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (finding.origin.frame, finding.origin.path.clone());
        if let Some(place) = places.get(&key) {
            return place.clone();
        }
        let mut by_frame: HashMap<u32, Vec<Path>> = HashMap::new();
        let known = (0..self.responses.len()).flat_map(|response| self.findings(response));
        for origin in known.chain([finding]).map(|finding| &finding.origin) {
            if !places.contains_key(&(origin.frame, origin.path.clone())) {
                by_frame.entry(origin.frame).or_default().push(origin.path.clone());
            }
        }
        for (frame, paths) in by_frame {
            let found = self.located(frame, &paths);
            places.extend(paths.into_iter().zip(found).map(|(path, place)| ((frame, path), place)));
        }
        places.get(&key).cloned().flatten()
    }

    /// The edits that repair what a finding names, with their bytes where the input has a place for them.
    pub fn repairs(&self, response: usize, finding: &Finding) -> Vec<(&Edit, Option<&Splice>)> {
        let edits = self.edits(response, finding);
        let all = self.splices(response);
        edits.into_iter().map(|(index, edit)| (edit, all.get(index).and_then(Option::as_ref))).collect()
    }

    /// The same edits without their bytes, each with its number among those of the response.
    pub fn edits(&self, response: usize, finding: &Finding) -> Vec<(usize, &Edit)> {
        let Some(reviewed) = self.responses.get(response).filter(|_| finding.rule.repairable) else { return Vec::new() };
        let edits = reviewed.repairs().edits.iter().enumerate();
        edits.filter(|(_, edit)| finding.supports.binary_search(&edit.support).is_ok()).collect()
    }

    /// The splices of all edits of a response, parallel to them; those of a record are found together, on first use.
    pub fn splices(&self, response: usize) -> &[Option<Splice>] {
        let all = self.splices.get_or_init(|| {
            let edits: Vec<&Edit> = self.responses.iter().flat_map(|reviewed| &reviewed.repairs().edits).collect();
            let mut found = splices(self, &edits).into_iter();
            self.responses.iter().map(|reviewed| found.by_ref().take(reviewed.repairs().edits.len()).collect()).collect()
        });
        all.get(response).map_or(&[], Vec::as_slice)
    }

    fn located(&self, frame: u32, paths: &[Path]) -> Vec<Option<Place>> {
        let Some((start, text)) = self.frame(&Origin { frame, path: Path::default() }) else { return vec![None; paths.len()] };
        let place = |located: crate::json::Located| {
            let (line, column) = self.input.line_column(start + located.value.start);
            Place { path: located.path, line, column }
        };
        crate::json::locate(text, 0, paths).into_iter().map(|located| located.map(place)).collect()
    }

    /// Text of the frame that a place lies in, and the byte where it begins.
    pub fn frame(&self, origin: &Origin) -> Option<(usize, &str)> {
        let frame = *self.record.frames.get(origin.frame as usize)?;
        Some((self.input.frames.get(frame)?.range.start, self.input.frame(frame)))
    }

    /// The JSON at a place, as it stands in the input, and its first byte there.
    pub fn raw(&self, origin: &Origin) -> Option<(usize, &str)> {
        let (start, frame) = self.frame(origin)?;
        let place = crate::json::locate(frame, 0, std::slice::from_ref(&origin.path)).into_iter().next()??;
        Some((start + place.value.start, frame.get(place.value)?))
    }
}
