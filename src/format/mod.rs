//! Provider formats. Each is a fold over the frames of a record: a file on disk, a live pipe and a replay up to a
//! frame are the same code. To add one: a file in `providers` and a line in `registry`. Nothing outside knows JSON keys.

mod interface;
mod neutral;
mod providers;
mod recovery;
mod refusal;
mod registry;

use crate::json::Peek;
use crate::model::{Failure, Notice, Path, Remark, RemarkKind, Response, State, Step};
use crate::store::Input;

use crate::json::Cx;
pub use crate::json::Survey;

pub use interface::{Fold, Format, Group};
use providers::google::lowering;
use recovery::mend;
pub use recovery::{is_trailing, not_json};
pub use refusal::looks_like;
pub use registry::FORMATS;

/// What a frame is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// Index into [`FORMATS`], and how it belongs with its neighbours.
    Known(usize, Group),
    /// An error body of a service: joins the record before it, if any.
    ServiceError,
    /// Neither.
    Unknown,
}

/// Recognises a frame from its bytes alone. A quick look ends at the first key that mostly tells, and the group it
/// gives may be incomplete.
pub fn recognise(frame: &str, quick: bool) -> Kind {
    let find = |peek: &Peek| FORMATS.iter().position(|format| (format.recognise)(peek));
    let stop: Vec<&str> = FORMATS.iter().flat_map(|format| format.stop).copied().filter(|_| quick).collect();
    let mut peek = Peek::of(frame, &stop);
    let mut hit = find(&peek);
    if hit.is_none() && quick {
        peek = Peek::of(frame, &[]);
        hit = find(&peek);
    }
    match hit {
        Some(index) => {
            // A document has no neighbours.
            let group = FORMATS.get(index).filter(|_| !quick).map_or(Group::Alone, |format| (format.group)(&peek));
            Kind::Known(index, group)
        }
        None if peek.has("error") => Kind::ServiceError,
        None => Kind::Unknown,
    }
}

/// Why a record could not be decoded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// Not JSON: byte of the input, and what stands there.
    #[error("not JSON: {what}")]
    NotJson {
        /// Byte of the input.
        at: usize,
        /// The parser's words.
        what: String,
    },
    /// More values follow the first: byte of the input where they begin.
    #[error("more follows after the value")]
    Trailing {
        /// Byte of the input.
        at: usize,
    },
    /// JSON, but nothing that is read here.
    #[error("{0}")]
    Unknown(String),
    /// The service sent an error instead of a response.
    #[error("{0}")]
    Service(String),
}

/// A decoded record.
#[derive(Debug, Default)]
pub struct Decoded {
    /// Its responses.
    pub responses: Vec<Response>,
    /// What was mended or passed over.
    pub notices: Vec<Notice>,
    /// How many values did not have the documented type.
    pub flaws: usize,
}

/// Decodes the frames of a record.
pub fn decode(input: &Input, format: usize, frames: &[usize]) -> Result<Decoded, DecodeError> {
    let Some(format) = FORMATS.get(format) else { return Ok(Decoded::default()) };
    let mut fold = (format.fold)();
    let cx = Cx::default();
    let mut decoded = Decoded::default();
    let mut remarks = Vec::new();
    let mut failures = Vec::new();
    for (number, &index) in frames.iter().enumerate() {
        let Some(frame) = input.frames.get(index) else { continue };
        let text = input.frame(index);
        if frames.len() > 1 && matches!(recognise(text, false), Kind::ServiceError) {
            failures.push((number as u32, service_error(text)));
            continue;
        }
        let Err(error) = fold.push(number as u32, text, &cx) else { continue };
        match mend(text, &error) {
            Some((mended, notice)) if fold.push(number as u32, &mended, &cx).is_ok() => {
                if notice == Notice::CutInValue {
                    let origin = lowering::root(number as u32);
                    remarks.push(Remark::new(RemarkKind::Truncated, origin, notice.to_string()));
                }
                decoded.notices.push(notice);
            }
            _ => {
                let error = not_json(input, frame.range.start, text, &error);
                if frames.len() == 1 {
                    return Err(error);
                }
                decoded.notices.push(passed_over(input, &error));
            }
        }
    }
    decoded.flaws = cx.flaws();
    decoded.responses = fold.finish();
    if let Some(last) = decoded.responses.last_mut() {
        last.remarks.append(&mut remarks);
    }
    if let Some(last) = decoded.responses.last_mut() {
        for (frame, message) in failures {
            last.state = State::Error;
            lowering::remark(last, RemarkKind::Error, &lowering::root(frame), &message);
            last.about.error = Some(Failure { code: None, message: Some(message) });
        }
    }
    // The neutral form names the format itself.
    for response in &mut decoded.responses {
        response.format.get_or_insert(format.id);
    }
    Ok(decoded)
}

/// Of a field of citescope's own form: the path under which it was first read.
pub fn first_path(format: usize, path: &Path) -> Option<String> {
    FORMATS.get(format).filter(|format| format.id == neutral::FORMAT.id)?;
    match path.steps().as_slice() {
        [.., Step::Key(list), Step::Key(path)] if list == "extra" && path.starts_with('$') => Some(path.clone()),
        _ => None,
    }
}

/// The second pass: what does not fit, and what the model has no place for, each with the number of its frame.
pub fn survey(input: &Input, format: usize, frames: &[usize]) -> Vec<(u32, Survey)> {
    let Some(format) = FORMATS.get(format) else { return Vec::new() };
    let mut fold = (format.fold)();
    let mut surveys = Vec::new();
    for (number, &index) in frames.iter().enumerate() {
        let text = input.frame(index);
        let mut cx = Cx::surveying();
        if let Err(error) = fold.push(number as u32, text, &cx)
            && let Some((mended, _)) = mend(text, &error)
        {
            cx = Cx::surveying();
            if fold.push(number as u32, &mended, &cx).is_err() {
                continue;
            }
        }
        surveys.push((number as u32, cx.into_survey()));
    }
    surveys
}

fn passed_over(input: &Input, error: &DecodeError) -> Notice {
    let at = match error {
        DecodeError::NotJson { at, .. } | DecodeError::Trailing { at } => *at,
        _ => 0,
    };
    let (line, column) = input.line_column(at);
    Notice::FramePassedOver { line, column, what: error.to_string() }
}

/// Message of a service's error body.
pub fn service_error(frame: &str) -> String {
    let peek = Peek::of(frame, &[]);
    let inner = peek.below("error");
    let field = |key: &str| inner.as_ref().and_then(|error| error.word(key));
    let message = field("message").or_else(|| peek.word("error")).unwrap_or_else(|| "no message".to_owned());
    let code: Vec<String> = ["code", "status", "type"].iter().filter_map(|key| field(key)).collect();
    let code = if code.is_empty() { String::new() } else { format!(" ({})", code.join(", ")) };
    format!("the service answered with an error, not with a response: {message}{code}")
}

/// Where the notes of a survey belong: a flaw as a remark.
pub fn flaw_remark(frame: u32, path: &Path, what: &str) -> Remark {
    Remark::new(RemarkKind::Mistyped, lowering::root(frame).at(path.clone()), what)
}
