//! What all formats do with a response that is being built.

use super::growth::Growth;
use crate::json::values::Whole;
use crate::json::values::Word;
use crate::json::wire::Cx;
use crate::memory;
use crate::model::{
    AnchorKind, AnswerState, Failure, JsonText, Origin, Part, Path, Remark, RemarkKind, Response, Segment,
    SegmentKeys, Target,
};

/// Bytes that a response takes with all that is worked out of it, at least.
pub const RESPONSE: usize = 2304;
/// Bytes that an event takes which is no response.
pub const EVENT: usize = 512;

/// Takes room for what became of an event: a response, or none.
pub fn takes_event(cx: &Cx, responded: bool) -> bool {
    cx.take(if responded { RESPONSE } else { EVENT })
}

/// Takes room for so many copies of texts that several things share; false where there is none left.
pub fn takes_copies(cx: &Cx, copies: usize, shared: &[Option<&String>]) -> bool {
    let bytes: usize = shared.iter().copied().flatten().map(String::len).sum();
    cx.take(bytes.saturating_mul(copies))
}

/// What a response lists.
pub trait Bounded<T> {
    /// Adds a thing as long as the record has room: one that has none is refused in the end.
    fn add(&mut self, thing: T);
}

impl<T> Bounded<T> for Vec<T> {
    fn add(&mut self, thing: T) {
        if memory::has_room(0) {
            self.push(thing);
        }
    }
}

/// Bytes that what a response lists takes beside its text.
pub fn holds(response: &Response) -> usize {
    let Response { sources, supports, traces, remarks, queries, about, .. } = response;
    (sources.len() + supports.len() + remarks.len()) * THING
        + traces.len() * STEP
        + (queries.len() + about.charts.len()) * WORD
}

/// Bytes of a source, a support or a remark.
const THING: usize = 1024;
/// Bytes of a step.
const STEP: usize = 1536;
/// Bytes of what is a text and its place.
const WORD: usize = 256;

/// Appends text to the answer, byte for byte.
pub fn answer_text(response: &mut Response, text: &str, continues: bool) {
    let answer = response.answer.get_or_insert_default();
    let start = answer.len();
    answer.push_str(text);
    let end = answer.len();
    match response.parts.last_mut() {
        Some(Part::Text(range)) if continues => range.end = end,
        _ => response.parts.push(Part::Text(start..end)),
    }
}

/// The text of a value, empty where there is none; anything else is JSON, and told.
pub fn text_of(response: &mut Response, value: Option<&JsonText>, origin: &Origin) -> String {
    if value.is_some_and(|value| value.as_text().is_none()) {
        remark(response, RemarkKind::Mistyped, origin, "a value where text is documented: read as JSON");
    }
    value.map(JsonText::plain).unwrap_or_default()
}

/// Indices that pointed past the sources known when they came may point at later ones of the stream.
pub fn settle(response: &mut Response) {
    let sources = response.sources.len();
    for citation in response.supports.iter_mut().flat_map(|support| &mut support.citations) {
        if let Target::Dangling(sent) = &citation.target
            && let Some(index) = sent.parse().ok().filter(|&index: &usize| index < sources)
        {
            citation.target = Target::Source(index);
        }
    }
}

/// The offsets of a segment.
pub fn offsets(keys: &'static SegmentKeys, start: Option<Whole>, end: Option<Whole>) -> Segment {
    let mut out = Segment { keys: Some(keys), ..Segment::default() };
    let mut odd = Vec::new();
    for (key, sent, slot) in [(keys.start, start, &mut out.start), (keys.end, end, &mut out.end)] {
        match sent {
            Some(Whole::Number(number)) => *slot = Some(number),
            Some(Whole::Other(text)) => odd.push(format!("{key} {text}")),
            None => {}
        }
    }
    out.unreadable = (!odd.is_empty()).then(|| odd.join(", ").into());
    out
}

/// Remarks that so many citations name no place in the text, behind the search for marks that do.
pub fn unplaced(response: &mut Response, count: usize, of: usize, origin: &Origin) {
    let noun = if of == 1 { "citation names" } else { "citations name" };
    let read = response.supports.iter().any(|support| support.kind == AnchorKind::TextMarker);
    let instead = if read { "marks of the text are read instead" } else { "no words rest on them" };
    let text = format!("{count} of {of} {noun} no place in the text: the range is 0..0 or absent; {instead}");
    remark(response, RemarkKind::NoPlace, origin, &text);
}

/// The service reported an error, in the stream or in place of an answer.
pub fn failed(response: &mut Response, failure: Failure, origin: &Origin) {
    response.state = AnswerState::Error;
    let words = failure.message.clone().or_else(|| failure.code.clone());
    let words = words.unwrap_or_else(|| "no message".to_owned());
    remark(response, RemarkKind::Error, origin, &words);
    response.about.error = Some(failure);
}

/// A failure as a field of a response names it: none where all of it has the value that a serialiser gives to
/// what was not set.
pub fn failure(code: Option<Word>, message: Option<String>) -> Option<Failure> {
    let code = code.map(|word| word.0).filter(|code| !matches!(code.as_str(), "" | "0"));
    let message = message.filter(|message| !message.is_empty());
    (code.is_some() || message.is_some()).then_some(Failure { code, message })
}

/// What closes a stream has another text than its pieces.
pub fn edited(response: &mut Response, origin: &Origin) {
    let words = "the last message has another text than the pieces before it: it replaces them";
    remark(response, RemarkKind::Edited, origin, words);
}

/// What closes a stream has its text, and not the citations of its pieces.
pub fn uncited(response: &mut Response, origin: &Origin) {
    let words = "the last message has fewer citations than the pieces before it: it replaces them";
    remark(response, RemarkKind::Edited, origin, words);
}

/// How a stream told its text more than once, or out of place.
#[derive(Debug, Default, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each is told for itself")]
pub struct Retold {
    /// What closes it has another text than its pieces.
    pub edited: bool,
    /// Each piece repeats those before it.
    pub resent: bool,
    /// Text comes behind the event that ends it.
    pub late: bool,
    /// Text comes for a block that has ended.
    pub behind: bool,
}

impl Retold {
    /// Remarks it.
    pub fn tell(self, response: &mut Response, origin: &Origin) {
        if self.resent {
            resent(response, origin);
        }
        if self.edited {
            edited(response, origin);
        }
        if self.late {
            late(response, origin);
        }
        if self.behind {
            let words = "text comes for a block that has ended: it came twice, or is of another one";
            remark(response, RemarkKind::Edited, origin, words);
        }
    }
}

/// Text came behind the end of its stream.
pub fn late(response: &mut Response, origin: &Origin) {
    let words = "text comes behind the event that ends the stream: it is shown as more of the answer";
    remark(response, RemarkKind::Edited, origin, words);
}

/// Pieces of a text, the last of which says that it is. Some services say so with each: that tells nothing.
#[derive(Debug, Default, Clone, Copy)]
pub struct Pieces {
    goes_on: bool,
    ended: bool,
    late: bool,
}

impl Pieces {
    /// Takes a piece: whether it has text, and whether it says that it ends the stream.
    pub fn take(&mut self, has_text: bool, ends: bool) {
        self.late |= self.ended && has_text;
        self.goes_on |= has_text && !ends;
        self.ended |= ends && self.goes_on;
    }

    /// Whether text came behind the end.
    pub fn is_late(self) -> bool {
        self.late
    }
}

/// Says of an answer that came in pieces where one came twice.
pub fn doubled(response: &mut Response) {
    let Some(second) = crate::text::doubled(response.text()) else { return };
    let origin = response.origin.clone();
    let words = format!("bytes {} to {} of the answer repeat those before", second.start, second.end);
    remark(response, RemarkKind::Doubled, &origin, &words);
}

/// A proxy repeated the text so far in each piece.
pub fn resent(response: &mut Response, origin: &Origin) {
    let words = "each chunk repeats the whole text so far: the last one is shown";
    remark(response, RemarkKind::Cumulative, origin, words);
}

/// Leaves the last piece of an answer of one text alone, if it repeats all others.
pub fn settle_growth(response: &mut Response, growth: Growth) {
    let texts = response.parts.iter().filter(|part| matches!(part, Part::Text(_))).count();
    let Some(answer) = response.answer.as_mut().filter(|_| texts == 1) else { return };
    if !growth.settle(answer) {
        return;
    }
    let whole = 0..answer.len();
    let texts = response.parts.iter_mut().filter(|part| matches!(part, Part::Text(_)));
    texts.for_each(|part| *part = Part::Text(whole.clone()));
    let origin = response.origin.clone();
    resent(response, &origin);
}

/// A stream of so many frames ended before the event that ends one.
pub fn cut_off(response: &mut Response, frames: u32, end: &str) {
    response.state = AnswerState::Truncated;
    let text = format!("the stream ends without {end}: the rest is missing");
    remark(response, RemarkKind::Truncated, &root(frames.saturating_sub(1)), &text);
}

/// Adds a remark.
pub fn remark(response: &mut Response, kind: RemarkKind, origin: &Origin, text: &str) {
    response.remarks.add(Remark::new(kind, origin.clone(), text));
}

/// The origin of a frame's root.
pub fn root(frame: u32) -> Origin {
    Origin { frame, path: Path::default() }
}
