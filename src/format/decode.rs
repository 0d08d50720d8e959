//! The frames of a record to its responses: the fold of its format, and what can be mended of text that is
//! not quite JSON.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use serde_json::Value;

use super::blocks;
use super::building;
use super::elsewhere;
use super::error::DecodeError;
use super::interface::{Fold, Format, Held, read};
use super::lists;
use super::map::Map;
use super::markers;
use super::providers::{GENERIC, generic_by};
use super::recognise::{FrameKind, is_asked, recognise};
use super::recovery::{mend, not_json};
use super::registry::{by_id, is_redirect};
use super::request::Requested;
use super::service::{is_told_error, service_words};
use super::torn;
use crate::json::scan::skip_value;
use crate::json::{Cx, Locator, Noted, Peek, Survey, camel};
use crate::memory;
use crate::model::{
    AnswerState, Failure, JsonText, Notice, Path, Remark, RemarkKind, Response, SCHEMA, Step,
};
use crate::text::{counted, one_line};

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

/// A record as its frames come: what is known so far can be asked for behind any of them.
pub struct Replay {
    format: &'static Format,
    fold: Box<dyn Fold>,
    cx: Cx,
    frames: u32,
    remarks: Vec<Remark>,
    /// What the service said in place of a frame.
    failures: Vec<(u32, String)>,
    notices: Vec<Notice>,
    held: Held,
    /// The support in which the input ends.
    unfinished: Option<usize>,
    /// What of which answer may be a thought, since its part broke off.
    torn: Vec<(usize, Range<usize>)>,
    /// What was known before a frame that broke off, where that took something of it away.
    kept: Option<Vec<Response>>,
    /// Frames that broke off.
    cuts: u32,
    /// An event of no documented kind was told.
    strange: bool,
    /// Messages of the conversation before the response; by a map they are what it says.
    asked: VecDeque<JsonText>,
    /// How many there were.
    turns: u32,
    asks: bool,
}

/// Bytes of what a service said in place of a frame.
const FAILURE: usize = 1024;

/// Bytes of what a frame says beside what its responses hold: it is listed, each with its place.
const FRAME: usize = 512;

/// Bytes that a passage takes where claims are compared with it: its words are looked up.
const PASSAGE: usize = 448;

/// Messages before a response that are kept, the last ones.
const TURNS: usize = 64;

impl Format {
    /// A record of this format before its first frame.
    pub fn begin(&'static self) -> Replay {
        self.begin_by(None)
    }

    /// The same with a map, by which what is one's own is read.
    pub fn begin_by(&'static self, map: Option<&Arc<Map>>) -> Replay {
        let (remarks, failures, notices) = Default::default();
        let map = map.filter(|_| self.id == GENERIC.id);
        let fold = map.map_or_else(self.fold, |map| generic_by(Arc::clone(map)));
        let cx = Cx::default();
        Replay {
            format: self,
            fold,
            cx,
            frames: 0,
            remarks,
            failures,
            notices,
            held: Held::default(),
            unfinished: None,
            torn: Vec::new(),
            kept: None,
            cuts: 0,
            strange: false,
            asked: VecDeque::new(),
            turns: 0,
            asks: map.is_none(),
        }
    }
}

/// How much memory a record may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Limits {
    /// 32 MB and four times its text for what its lists hold, as it is reckoned, and 28 MB and three times
    /// its text for all that is made of it, where that is measured, so that the program takes 50 MB and four
    /// times its text: enough for every response that says something, not for a hundred thousand empty
    /// objects.
    #[default]
    Usual,
    /// As much as it asks for.
    None,
}

impl Limits {
    /// Bytes that what is worked out of so many bytes may take.
    pub fn room(self, bytes: usize) -> usize {
        match self {
            Self::Usual => bytes.saturating_mul(ROOM_PER_BYTE).saturating_add(ROOM),
            Self::None => usize::MAX,
        }
    }

    /// Bytes that the values in a text of so many bytes may take.
    pub fn values(self, bytes: usize) -> usize {
        match self {
            Self::Usual => bytes.saturating_mul(ROOM_PER_BYTE).saturating_add(LISTS),
            Self::None => usize::MAX,
        }
    }

    /// Bytes that what is made of so many bytes may take beside them, as they are measured
    /// ([`crate::memory`]): what is left of its room by the program, the text and what is written.
    pub fn made_of(self, bytes: usize) -> usize {
        match self {
            Self::Usual => bytes.saturating_mul(ROOM_PER_BYTE - 1).saturating_add(MADE),
            Self::None => usize::MAX,
        }
    }

    /// Bytes that a record may have: all of it is held in memory.
    pub fn longest(self) -> u64 {
        match self {
            Self::Usual => 1 << 30,
            Self::None => u64::MAX,
        }
    }
}

/// See [`Limits::Usual`].
const ROOM: usize = 50 << 20;
const ROOM_PER_BYTE: usize = 4;
/// What lists may take of it.
const LISTS: usize = 32 << 20;
/// What is made of a record may take so much of it.
const MADE: usize = 28 << 20;

impl Replay {
    /// The same within limits.
    #[must_use]
    pub fn within(self, limits: Limits) -> Self {
        match limits {
            Limits::None => self,
            Limits::Usual => {
                let cx = Cx::bounded();
                cx.grant(LISTS);
                Self { cx, ..self }
            }
        }
    }

    /// Takes the next frame. After an error nothing of it was taken, and the next one may be.
    pub fn push(&mut self, text: &str) -> Result<(), DecodeError> {
        let number = self.frames;
        self.frames += 1;
        if self.asks
            && number == self.turns
            && is_asked(text)
            && let Some(turn) = self.turn(text)?
        {
            self.turns += 1;
            if self.asked.len() == TURNS {
                self.asked.pop_front();
            }
            self.asked.push_back(turn);
            return Ok(());
        }
        match if number > 0 { recognise(text) } else { FrameKind::Unrecognised } {
            FrameKind::ServiceError => {
                self.failures.push((number, broke_off(text)));
                return if self.cx.take(FAILURE) { Ok(()) } else { Err(self.too_large()) };
            }
            FrameKind::Stray => return Ok(()),
            FrameKind::Unrecognised | FrameKind::Asked if number > 0 && !self.strange && says(text) => {
                self.strange = true;
                let words = "an event of no documented kind that has words of its own: not used";
                let remark = Remark::new(RemarkKind::Mistyped, building::root(number), words.to_owned());
                self.remarks.push(remark);
            }
            _ => {}
        }
        // What broke off in a frame before did so in the middle of the stream.
        (self.kept, self.unfinished) = (None, None);
        self.cx.grant(text.len().saturating_mul(ROOM_PER_BYTE));
        let pushed = self.fold.push(number, text, &self.cx);
        if !self.held.take(number, &*self.fold, &self.cx) {
            return Err(self.too_large());
        }
        let Err(error) = pushed else { return Ok(()) };
        match mend(text, &error) {
            Some((mended, notice)) => self.push_mended(text, &mended, notice),
            None => Err(error),
        }
        .map_err(|error| not_json(number as usize, text, &error))
    }

    fn too_large(&self) -> DecodeError {
        DecodeError::TooLarge { frame: self.frames.saturating_sub(1) as usize }
    }

    /// A message of the conversation before the response; its tree is looked into in the end.
    fn turn(&self, text: &str) -> Result<Option<JsonText>, DecodeError> {
        self.cx.grant(text.len().saturating_mul(ROOM_PER_BYTE));
        let turn = read::<Value>(text, &self.cx).ok().map(JsonText::from);
        if self.cx.is_overdrawn() { Err(self.too_large()) } else { Ok(turn) }
    }

    /// Takes a frame that was mended.
    fn push_mended(&mut self, text: &str, mended: &str, notice: Notice) -> Result<(), serde_json::Error> {
        let number = self.frames - 1;
        if notice != Notice::CutInValue {
            self.fold.push(number, mended, &self.cx)?;
            self.notices.push(notice);
            return Ok(());
        }
        self.cuts += 1;
        let looks = self.cuts <= CUTS;
        let before = (looks && number > 0).then(|| self.fold.snapshot());
        self.fold.push(number, mended, &self.cx)?;
        let after = if looks { self.fold.snapshot() } else { Vec::new() };
        let told = if (self.format.breaks_off_in_part)(text) {
            torn::note(&mut self.torn, before.as_deref().unwrap_or_default(), &after)
        } else {
            ""
        };
        self.kept = before.filter(|before| takes_away(before, &after));
        let broken = broken(&after, number, text).filter(|_| self.kept.is_none());
        let words = format!("{notice}{}{told}", broken.as_ref().map_or("", |(_, words)| words));
        self.remarks.push(Remark::new(RemarkKind::Truncated, building::root(number), words));
        self.unfinished = broken.map(|(support, _)| support);
        self.notices.push(notice);
        Ok(())
    }

    /// The responses as they would be if no more frames came.
    pub fn snapshot(&self) -> Vec<Response> {
        let mut responses = self.kept.clone().unwrap_or_else(|| self.fold.snapshot());
        unfinish(&mut responses, self.unfinished);
        torn::tell(&mut responses, &self.torn);
        repeat(&mut responses, self.frames);
        complete(&mut responses, self.format, self.remarks.clone(), self.failures.clone());
        answer(&mut responses, &self.asked);
        responses
    }

    /// The responses at the end.
    pub fn finish(self) -> Vec<Response> {
        let mut responses = self.kept.unwrap_or_else(|| self.fold.finish());
        unfinish(&mut responses, self.unfinished);
        torn::tell(&mut responses, &self.torn);
        repeat(&mut responses, self.frames);
        complete(&mut responses, self.format, self.remarks, self.failures);
        answer(&mut responses, &self.asked);
        responses
    }
}

/// Whether a frame that is of no kind has words, a piece of some, or a frame of some format one deeper.
fn says(text: &str) -> bool {
    let has = |peek: &Peek, key: &str| match peek.kind(key) {
        Some('"') => peek.word(key).is_some_and(|words| !words.trim().is_empty()),
        Some('{') => peek.below(key).is_some_and(|inner| inner.keys().next().is_some()),
        Some('[') => peek.first(key).is_some(),
        _ => false,
    };
    // An event of another name may have words that are none of the answer.
    let is_piece =
        |peek: &Peek| peek.word("type").is_none_or(|kind| kind.to_ascii_lowercase().contains("delta"));
    let words = |peek: &Peek| {
        ["delta", "contentBlockDelta"].iter().any(|key| has(peek, key))
            || is_piece(peek) && ["content", "text"].iter().any(|key| has(peek, key))
    };
    let is_known = |text: &str| matches!(recognise(text), FrameKind::Known(..));
    let peek = Peek::of(text, &[]);
    let deeper = |key: &str| match peek.kind(key) {
        Some('{') => {
            peek.below(key).is_some_and(|inner| words(&inner)) || peek.text_of(key).is_some_and(is_known)
        }
        Some('"') => peek.word(key).is_some_and(|text| text.trim_start().starts_with('{') && is_known(&text)),
        _ => false,
    };
    words(&peek) || peek.keys().take(KEYS).any(deeper)
}

/// Keys of a frame of no kind that are looked below.
const KEYS: usize = 16;

/// Frames of a record that broke off and are looked at closely: most often it is the last one.
const CUTS: u32 = 8;

/// The last support, where a frame ends inside of it, and what came of its segment, in words.
fn broken(responses: &[Response], frame: u32, text: &str) -> Option<(usize, String)> {
    let (number, support) = responses.last()?.supports.iter().enumerate().next_back()?;
    let (start, _) = Locator::default().find(text, &support.origin.path)?;
    if support.origin.frame != frame || skip_value(text.as_bytes(), start).is_some() {
        return None;
    }
    let segment = support.segment.as_ref();
    let quote = segment.and_then(|segment| segment.quote.as_deref());
    let quote = quote.map(|quote| format!(" (“{}”)", one_line(quote))).unwrap_or_default();
    Some((number, format!("; support {}{quote} broke off", number + 1)))
}

/// Whether responses have less than before: an event that closes a stream says all again, and what came of
/// one that broke off is the beginning of that.
fn takes_away(before: &[Response], after: &[Response]) -> bool {
    let less = |(before, after): (&Response, &Response)| {
        !after.text().starts_with(before.text()) || after.supports.len() < before.supports.len()
    };
    after.len() < before.len() || before.iter().zip(after).any(less)
}

/// What came of a segment that broke off says nothing of its place.
fn unfinish(responses: &mut [Response], support: Option<usize>) {
    let Some((number, response)) = support.zip(responses.last_mut()) else { return };
    if let Some(support) = response.supports.get_mut(number) {
        support.segment = None;
        response.unfinished = Some(number);
    }
}

/// Says of answers that came in pieces where one came twice.
fn repeat(responses: &mut [Response], frames: u32) {
    if frames > 1 {
        responses.iter_mut().for_each(building::doubled);
    }
}

/// What no format has to do itself.
fn complete(
    responses: &mut [Response],
    format: &'static Format,
    remarks: Vec<Remark>,
    failures: Vec<(u32, String)>,
) {
    if let Some(last) = responses.last_mut() {
        let cut = remarks.iter().any(|remark| remark.kind == RemarkKind::Truncated);
        if cut && last.state == AnswerState::Complete {
            last.state = AnswerState::Truncated;
        }
        last.remarks.extend(remarks);
    }
    fail(responses, failures);
    for response in responses {
        // What numbers its sources in its own text does so whoever sent it.
        let mute = response.supports.is_empty() && response.sources.is_empty();
        if mute && response.format.is_none() && markers::is_readable(response.text()) {
            let origin = response.origin.clone();
            lists::bracketed(response, &origin);
        }
        let row = named(response).unwrap_or(format);
        response.format = Some(Cow::Borrowed(row.id));
        response.facts = &row.facts;
        response.about.settle();
        response.scores = (row.scores)(response.model.as_deref());
        for source in &mut response.sources {
            source.redirect = source.uri.as_deref().is_some_and(is_redirect);
        }
    }
}

/// What the service said in place of frames is of the last response.
fn fail(responses: &mut [Response], failures: impl IntoIterator<Item = (u32, String)>) {
    let Some(last) = responses.last_mut() else { return };
    for (frame, message) in failures {
        last.state = AnswerState::Error;
        building::remark(last, RemarkKind::Error, &building::root(frame), &message);
        last.about.error = Some(Failure { code: None, message: Some(message) });
    }
}

/// Says of the responses of a stream what its frames of errors hold that no format knows as one; `event`
/// gives the name of the event of a frame.
pub fn note_failed_events<'t>(
    responses: &mut [Response],
    frames: &[&str],
    event: impl Fn(usize) -> Option<&'t str>,
) {
    let numbered = frames.iter().enumerate().skip(1);
    let failed = numbered.filter(|&(number, frame)| match event(number) {
        Some(name) => name == "error" && is_unread(frame),
        None => is_told_error(frame) && is_unread(frame),
    });
    let said = |(number, frame): (usize, &&str)| (number as u32, broke_off(frame));
    let mut failures: Vec<(u32, String)> = failed.map(said).collect();
    if let Some((frame, _)) = failures.get(FAILURES).cloned() {
        let more = counted(failures.len() - FAILURES, "further error");
        let last = failures.pop().map(|(_, words)| words).unwrap_or_default();
        failures.truncate(FAILURES);
        failures.push((frame, format!("{more}, at last: {last}")));
    }
    fail(responses, failures);
}

/// Frames of errors that are told one by one.
const FAILURES: usize = 4096;

fn is_unread(frame: &str) -> bool {
    matches!(recognise(frame), FrameKind::Unrecognised | FrameKind::Event)
}

fn broke_off(frame: &str) -> String {
    format!("the service broke off: {}", service_words(frame))
}

/// Gives responses what the conversation before them holds.
fn answer(responses: &mut [Response], asked: &VecDeque<JsonText>) {
    if !asked.is_empty() {
        let requested = Requested::of(&asked.iter().map(JsonText::value).collect()).since_the_last_answer();
        for response in responses {
            requested.fill(response);
        }
    }
}

/// The format that a response names itself, as those of the neutral form do.
fn named(response: &mut Response) -> Option<&'static Format> {
    let id = response.format.take()?;
    let known = by_id(&id);
    if known.is_none() {
        let text = format!("format {id:?} is no word of {SCHEMA}");
        building::remark(response, RemarkKind::Mistyped, &response.origin.clone(), &text);
    }
    known
}

/// Says of the responses of an event stream of these frames that the rest is missing, where it is.
pub fn note_cut_stream(format: &Format, responses: &mut [Response], frames: &[&str]) {
    // What others send behind it, to keep a line open or to say farewell, is no end.
    let own = frames.iter().rposition(|frame| !is_unread(frame)).map_or(frames.len(), |last| last + 1);
    (format.note_cut)(responses, frames.get(..own).unwrap_or_default());
}

/// Decodes the frames of a record; `place` gives line and column of a byte of a frame. Of several frames
/// those that cannot be read are passed over.
pub fn decode(
    (format, map): (&'static Format, Option<&Arc<Map>>),
    frames: &[&str],
    limits: Limits,
    place: impl Fn(usize, usize) -> (usize, usize),
) -> Result<Decoded, DecodeError> {
    let mut replay = format.begin_by(map).within(limits);
    for &text in frames {
        let Err(error) = replay.push(text) else { continue };
        if frames.len() == 1 || matches!(error, DecodeError::TooLarge { .. }) {
            return Err(error);
        }
        let (frame, at) = error.place();
        let (line, column) = place(frame, at);
        let notice = Notice::FramePassedOver { frame: frame as u32, line, column, what: error.to_string() };
        replay.notices.push(notice);
    }
    let notices = std::mem::take(&mut replay.notices);
    let flaws = replay.cx.flaws();
    let cx = std::mem::take(&mut replay.cx);
    let mut responses = replay.finish();
    blocks::note(&mut responses);
    if map.is_none() {
        elsewhere::adopt(format, &mut responses, frames, &cx);
    }
    let passages: usize =
        responses.iter().flat_map(|response| &response.sources).map(|source| source.chunks.len()).sum();
    if !memory::has_room(frames.len() * FRAME + passages * PASSAGE) {
        return Err(DecodeError::TooLarge { frame: frames.len().saturating_sub(1) });
    }
    Ok(Decoded { responses, notices, flaws })
}

/// The second pass: what does not fit, and what the model has no place for, each with the number of its
/// frame.
pub fn survey<'a>(
    format: &Format,
    noted: Noted,
    frames: impl Iterator<Item = &'a str>,
) -> impl Iterator<Item = (u32, Survey)> {
    let mut fold = (format.fold)();
    let mut turns = 0;
    frames.enumerate().filter_map(move |(number, text)| {
        // What was asked is known by the question.
        if number == turns && is_asked(text) {
            turns += 1;
            return None;
        }
        let number = number as u32;
        let mut cx = Cx::noting(noted);
        if let Err(error) = fold.push(number, text, &cx)
            && let Some((mended, _)) = mend(text, &error)
        {
            cx = Cx::noting(noted);
            fold.push(number, &mended, &cx).ok()?;
        }
        Some((number, cx.into_survey()))
    })
}

/// Whether an answer, or a list of its parts, stands at a place.
pub fn is_place_of_text(path: &Path) -> bool {
    let mut steps = path.steps().into_iter().rev();
    let key = steps.find_map(|step| if let Step::Key(key) = step { Some(key) } else { None });
    key.is_some_and(|key| TEXTS.contains(&camel(&key).as_ref()))
}

/// Keys of texts, and of the lists of their parts.
const TEXTS: [&str; 6] = ["content", "contentBlocks", "parts", "text", "answer", "answerText"];

/// Where the notes of a survey belong: a flaw as a remark.
pub fn flaw_remark(frame: u32, path: Path, what: Arc<str>) -> Remark {
    Remark::new(RemarkKind::Mistyped, building::root(frame).at(path), what)
}
