//! The stream that the body of a logged response holds as text: what in it is no frame of the response, and
//! what is missing of it.

use std::borrow::Cow;

use crate::format::building;
use crate::format::interface::{Fold, Format, Held};
use crate::format::recovery::mend;
use crate::format::service::{is_error_alone, is_told_error, service_words};
use crate::json::Peek;
use crate::json::wire::Cx;
use crate::model::{AnswerState, Failure, RemarkKind, Response};

/// What is to be told of such a stream.
#[derive(Default)]
pub(super) struct Stream {
    /// Its frames, up to the last one of the format.
    frames: Vec<String>,
    /// What the service said in place of a frame.
    failures: Vec<String>,
    /// Frames that broke off or are no JSON.
    broken: usize,
}

impl Stream {
    /// Takes the frames of a stream of a format, numbered as those of any other; `is_read` says whether
    /// a frame is one of some format.
    pub fn push(
        &mut self,
        frames: &[Cow<str>],
        fold: &mut dyn Fold,
        cx: &Cx,
        is_read: impl Fn(&Peek) -> bool,
    ) {
        let (mut last, mut held) = (0, Held::default());
        for (index, text) in frames.iter().enumerate() {
            let known = is_read(&Peek::of(text, &[]));
            if index > 0 && !known && (is_error_alone(text) || is_told_error(text)) {
                self.failures.push(format!("the service broke off: {}", service_words(text)));
                continue;
            }
            if known {
                last = index + 1;
            }
            let number = index as u32;
            if let Err(error) = fold.push(number, text, cx) {
                self.broken += 1;
                // What there is of it is read.
                let mended = mend(text, &error).map(|(mended, _)| mended);
                let _ = mended.map(|mended| fold.push(number, &mended, cx));
            }
            held.take(number, fold, cx);
        }
        self.frames = frames.iter().take(last).map(|text| text.clone().into_owned()).collect();
    }

    /// Tells it of the responses.
    pub fn tell(&self, format: &Format, responses: &mut [Response]) {
        let frames: Vec<&str> = self.frames.iter().map(String::as_str).collect();
        let Some(last) = responses.last_mut() else { return };
        let origin = last.origin.clone();
        if self.broken > 0 {
            last.state = AnswerState::Truncated;
            let text = "the stream breaks off in the middle of a value: the rest is missing";
            building::remark(last, RemarkKind::Truncated, &origin, text);
        }
        for message in &self.failures {
            building::failed(last, Failure { code: None, message: Some(message.clone()) }, &origin);
        }
        if self.failures.is_empty() && self.broken == 0 {
            (format.note_cut)(responses, &frames);
        }
    }
}
