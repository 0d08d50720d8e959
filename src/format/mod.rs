//! Provider formats. Each is a fold over the frames of a record: a file on disk, a live pipe and a replay up to a
//! frame are the same code. To add one: a file in `providers` and a line in `registry`. Nothing outside knows JSON keys.

mod interface;
mod neutral;
mod providers;
mod refusal;
mod registry;

use serde_json::error::Category;

use crate::json::{Peek, scan};
use crate::model::{Failure, Path, Remark, RemarkKind, Response, State, Step};
use crate::store::Input;

use crate::json::Cx;
pub use crate::json::Survey;

pub use interface::{Fold, Format, Group};
pub use neutral::{LAYERS, QUERIES};
use providers::google::lowering;
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
    pub notices: Vec<String>,
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
            Some((mended, what, cut)) if fold.push(number as u32, &mended, &cx).is_ok() => {
                decoded.notices.push(what.to_owned());
                if cut {
                    remarks.push((number as u32, what));
                }
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
        last.remarks.extend(remarks.into_iter().map(|(frame, what)| Remark {
            kind: RemarkKind::Truncated,
            origin: lowering::root(frame),
            text: what.to_owned(),
        }));
    }
    if let Some(last) = decoded.responses.last_mut() {
        for (frame, message) in failures {
            last.state = State::Error;
            lowering::remark(last, RemarkKind::Error, &lowering::root(frame), &message);
            last.about.error = Some(Failure { code: None, message: Some(message) });
        }
    }
    // The neutral form names the format itself.
    for response in decoded.responses.iter_mut().filter(|response| response.format.is_empty()) {
        response.format = format.id;
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
            && let Some((mended, _, _)) = mend(text, &error)
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

/// A readable form of text that is not quite JSON: what was done, and whether something is missing at its end.
fn mend(text: &str, error: &serde_json::Error) -> Option<(String, &'static str, bool)> {
    if error.classify() == Category::Eof {
        return Some((scan::close(text), "the input ends in the middle of a value: what came before is shown", true));
    }
    if error.to_string().contains("surrogate") || error.to_string().contains("hex escape") {
        let mended = scan::mend_surrogates(text);
        if scan::skip_value(mended.as_bytes(), scan::skip_space(mended.as_bytes(), 0)).is_none() {
            return Some((scan::close(&mended), "the input ends in the middle of a value: what came before is shown", true));
        }
        return Some((mended, "half a surrogate pair (\\ud83d without its other half) read as U+FFFD", false));
    }
    None
}

/// A parser's error with its place in the input and a remedy.
pub fn not_json(input: &Input, start: usize, text: &str, error: &serde_json::Error) -> DecodeError {
    // The parser stops inside a word; its beginning is the better place.
    let stop = byte_of(text, error.line(), error.column());
    let word = text.get(..stop).map_or(0, |before| before.len() - before.trim_end_matches(|c: char| c.is_ascii_alphanumeric()).len());
    let at = start + stop - word;
    let what = error.to_string();
    if what.starts_with("trailing characters") {
        return DecodeError::Trailing { at };
    }
    let what = what.split(" at line ").next().unwrap_or_default();
    let help = match what {
        "number out of range" => "; a JSON number here must fit a 64-bit float",
        "recursion limit exceeded" => "; nesting this deep is not a response",
        _ if what.contains("control character") => "; line breaks and tabs inside text must be written \\n and \\t",
        _ => "",
    };
    let word: String = input.text.get(at..).unwrap_or_default().chars().take(12).collect();
    DecodeError::NotJson { at, what: format!("{what} near `{}`{help}", crate::text::one_line(&word)) }
}

fn passed_over(input: &Input, error: &DecodeError) -> String {
    let at = match error {
        DecodeError::NotJson { at, .. } | DecodeError::Trailing { at } => *at,
        _ => 0,
    };
    let (line, column) = input.line_column(at);
    format!("{line}:{column}: {error}; this frame was passed over")
}

/// Byte of a line and column, both from 1, as `serde_json` counts them (the column in bytes).
fn byte_of(text: &str, line: usize, column: usize) -> usize {
    let start = memchr::memchr_iter(b'\n', text.as_bytes()).nth(line.wrapping_sub(2)).map_or(0, |at| at + 1);
    (start + column.saturating_sub(1)).min(text.len())
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
    Remark { kind: RemarkKind::Mistyped, origin: lowering::root(frame).at(path.clone()), text: what.to_owned() }
}
