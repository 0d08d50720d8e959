//! The frames of a record to its responses: the fold of its format, and what can be mended of text that is not quite JSON.

use super::error::{DecodeError, service_error};
use super::interface::Format;
use super::neutral;
use super::providers::google::lowering;
use super::recognise::{Kind, recognise};
use super::recovery::{mend, not_json};
use crate::json::{Cx, Survey};
use crate::model::{Failure, Notice, Path, Remark, RemarkKind, Response, State, Step};

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

/// Decodes the frames of a record; `place` gives line and column of a byte of a frame.
pub fn decode(format: &Format, frames: &[&str], place: impl Fn(usize, usize) -> (usize, usize)) -> Result<Decoded, DecodeError> {
    let mut fold = (format.fold)();
    let cx = Cx::default();
    let mut decoded = Decoded::default();
    let mut remarks = Vec::new();
    let mut failures = Vec::new();
    for (number, &text) in frames.iter().enumerate() {
        if frames.len() > 1 && matches!(recognise(text), Kind::ServiceError) {
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
                let error = not_json(number, text, &error);
                if frames.len() == 1 {
                    return Err(error);
                }
                let (frame, at) = error.place();
                let (line, column) = place(frame, at);
                decoded.notices.push(Notice::FramePassedOver { line, column, what: error.to_string() });
            }
        }
    }
    decoded.flaws = cx.flaws();
    decoded.responses = fold.finish();
    if let Some(last) = decoded.responses.last_mut() {
        last.remarks.append(&mut remarks);
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
pub fn first_path(format: &Format, path: &Path) -> Option<String> {
    if format.id != neutral::FORMAT.id {
        return None;
    }
    match path.steps().as_slice() {
        [.., Step::Key(list), Step::Key(path)] if list == "extra" && path.starts_with('$') => Some(path.clone()),
        _ => None,
    }
}

/// The second pass: what does not fit, and what the model has no place for, each with the number of its frame.
pub fn survey<'a>(format: &Format, frames: impl Iterator<Item = &'a str>) -> Vec<(u32, Survey)> {
    let mut fold = (format.fold)();
    let mut surveys = Vec::new();
    for (number, text) in frames.enumerate() {
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

/// Where the notes of a survey belong: a flaw as a remark.
pub fn flaw_remark(frame: u32, path: &Path, what: &str) -> Remark {
    Remark::new(RemarkKind::Mistyped, lowering::root(frame).at(path.clone()), what)
}
