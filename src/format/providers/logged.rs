//! A logged pair: an object with the request and the response of whichever format; and a line of what a batch
//! came to, which has the response below an id of one's own. The request supplies the question, and the
//! documents into which offsets of citations point.

use std::borrow::Cow;

use serde_json::Value;

use super::logged_stream::Stream;
use crate::format::building;
use crate::format::interface::{Fold, Format, FrameGroup, Held, read};
use crate::format::map::looks_like_one;
use crate::format::request::Requested;
use crate::format::service::service_error;
use crate::json::scan::{self, Members};
use crate::json::wire::Cx;
use crate::json::{Peek, is_json};
use crate::model::{AnswerState, Origin, Path, RemarkKind, Response, Step};

pub const FORMAT: Format = Format {
    id: "logged-pair",
    short: "logged pair",
    name: "a logged request with its response, a line of batch results, a response in an envelope",
    reads: "objects with `request` and `response` (or `body` below them); batch results of OpenAI, Azure, Mistral \
        (`custom_id`, `response`), Anthropic (`result`) and Bedrock (`modelOutput`); the response in any format here; \
        of formats that never come in pieces also alone below `response`, `result`, `output`, `data`, `body`, `completion` \
        or `payload`",
    offsets: "those of the response",
    recognise: |peek| recognise(peek, &[]),
    group: |_: &Peek| FrameGroup::Alone,
    fold: || Box::new(Pair::among(&[])),
    samples: &[
        sample!(
            "logged-pair.json",
            "a logged request with its response (Anthropic)",
            "the question and the document of the request; the second quote is not at its offsets there"
        ),
        sample!(
            "batch-results.jsonl",
            "what a batch came to (OpenAI)",
            "the offsets of the second answer count bytes instead of characters; the third request expired"
        ),
    ],
    ..Format::PLAIN
};

/// What an SDK returns may have both beside an answer of its own: it is a pair where the response can be
/// read.
pub fn recognise(peek: &Peek, formats: &[Format]) -> bool {
    let is_read = |response: &str| {
        frames(response).iter().any(|frame| reading(&Peek::of(frame, &[]), formats).is_some())
    };
    let pairs = || {
        !looks_like_one(peek.kinds())
            || half(peek, "response").is_some_and(|(response, _)| is_read(&response))
    };
    is_of_batch(peek) || is_pair(peek) && pairs()
}

/// Batches of Gemini have both, too; its own format reads them.
fn is_pair(peek: &Peek) -> bool {
    let both = ["request", "response"].iter().all(|key| peek.kind(key) == Some('{'));
    both && peek.below("response").is_some_and(|response| !response.has("candidates"))
}

/// A line that says what became of one request of a batch.
fn is_of_batch(peek: &Peek) -> bool {
    let below = |key, keys: &[&str]| peek.below(key).is_some_and(|inner| inner.has_any(keys));
    let failed = peek.kind("error") == Some('{');
    peek.has("customId") && (below("response", &["body"]) || below("result", &["type"]) || failed)
        || peek.has("modelInput") && (peek.kind("modelOutput") == Some('{') || failed)
}

pub struct Pair {
    /// The formats that its response may be of.
    formats: &'static [Format],
    frame: u32,
    inner: Option<(&'static Format, Box<dyn Fold>)>,
    requested: Requested,
    /// What the service said in place of a response.
    failure: Option<String>,
    /// The name of the request in its batch.
    name: Option<String>,
    /// Below `response` or `response.body`.
    steps: Vec<Step>,
    /// Where the body is the text of a stream.
    stream: Option<Stream>,
}

/// The text of what stands below `request` or `response`, and the keys that lead to it; a body may be JSON in
/// a string.
fn half<'t>(peek: &Peek<'t>, key: &str) -> Option<(Cow<'t, str>, Vec<Step>)> {
    let own = Step::Key(key.to_owned());
    let below = peek.below(key)?;
    let body = || vec![own.clone(), Step::Key("body".to_owned())];
    match below.kind("body") {
        Some('{' | '[') => Some((Cow::Borrowed(below.text_of("body")?), body())),
        Some('"') => Some((Cow::Owned(below.word("body")?), body())),
        _ => Some((Cow::Borrowed(peek.text_of(key)?), vec![own])),
    }
}

/// The response, and the keys that lead to it.
fn answer<'t>(peek: &Peek<'t>, formats: &[Format]) -> Option<(Cow<'t, str>, Vec<Step>)> {
    let text = |inner: &Peek<'t>, key| Some(Cow::Borrowed(inner.text_of(key)?));
    let steps = |keys: &[&str]| keys.iter().map(|&key| Step::Key(key.to_owned())).collect();
    if peek.kind("modelOutput") == Some('{') {
        return Some((text(peek, "modelOutput")?, steps(&["modelOutput"])));
    }
    let of_batch = is_of_batch(peek);
    match peek.below("result").filter(|result| of_batch && result.kind("message") == Some('{')) {
        Some(result) => Some((text(&result, "message")?, steps(&["result", "message"]))),
        None if is_pair(peek) || of_batch => half(peek, "response"),
        None => envelope(peek, formats),
    }
}

/// Keys below which programs put the response that they had.
const ENVELOPES: [&str; 7] = ["response", "result", "output", "data", "body", "completion", "payload"];

/// The format that reads a response by itself.
fn reading<'f>(peek: &Peek, formats: &'f [Format]) -> Option<&'f Format> {
    formats.iter().find(|format| format.id != FORMAT.id && (format.recognise)(peek))
}

/// A response with something of one's own around it, where no format here reads the whole: the response, also
/// as JSON in a string, and the key that leads to it.
pub fn envelope<'t>(peek: &Peek<'t>, formats: &[Format]) -> Option<(Cow<'t, str>, Vec<Step>)> {
    // An event of a stream is a piece of something.
    if peek.has("type") || peek.has("event") || peek.has("error") {
        return None;
    }
    ENVELOPES.into_iter().find_map(|key| {
        let inner = match peek.kind(key)? {
            '{' => Cow::Borrowed(peek.text_of(key)?),
            '"' => Cow::Owned(peek.word(key).filter(|text| text.trim_start().starts_with('{'))?),
            _ => return None,
        };
        let below = Peek::of(&inner, &[]);
        // What goes on in the next one is no whole response.
        let known = reading(&below, formats)
            .is_some_and(|format| matches!((format.group)(&below), FrameGroup::Alone));
        known.then(|| (inner.clone(), vec![Step::Key(key.to_owned())]))
    })
}

/// Why there is no response.
fn failure(peek: &Peek) -> Option<String> {
    let Some(result) = peek.below("result") else {
        return peek.has("error").then(|| service_error(peek.text()));
    };
    let kind = result.word("type")?;
    match result.below("error") {
        Some(error) if error.has("error") => Some(service_error(error.text())),
        Some(_) => Some(service_error(result.text())),
        None => Some(format!("there is no response: this request of the batch is {kind}")),
    }
}

/// Lists what stands beside the response.
fn list_beside(peek: &Peek, lead: &str, cx: &Cx) {
    for key in peek.keys().filter(|key| !matches!(peek.kind(key), None | Some('{' | '[' | 'n'))) {
        let value = peek.text_of(key).and_then(|text| serde_json::from_str::<Value>(text).ok());
        cx.list(Path::new(lead).key(key), value.unwrap_or_default().into());
    }
}

/// The frames of a response: itself, or the events of the stream that a body holds, as text or as a list.
fn frames(body: &str) -> Vec<Cow<'_, str>> {
    let start = scan::skip_space(body.as_bytes(), 0);
    if is_json(body) {
        let events = Members::of(body, start).filter(|_| body.get(start..=start) == Some("["));
        let events: Vec<&str> =
            events.into_iter().flatten().map(|(_, at)| scan::value_text(body, at)).collect();
        let listed = events.len() > 1 && events.iter().all(|event| event.starts_with('{'));
        return if listed { events.into_iter().map(Cow::from).collect() } else { vec![body.into()] };
    }
    let body = body.replace("\r\n", "\n");
    let mut out = Vec::new();
    for event in body.split("\n\n") {
        let lines: Vec<&str> =
            event.lines().map(|line| line.strip_prefix("data:").unwrap_or(line).trim()).collect();
        // An event is a value, over as many lines as it likes; without blank lines between a line is one.
        let data: Vec<&str> = event.lines().filter_map(|line| line.strip_prefix("data:")).collect();
        let whole = data.join("\n");
        if data.len() > 1 && is_json(&whole) {
            out.push(whole.into());
        } else {
            let values = lines.into_iter().filter(|line| line.starts_with('{'));
            out.extend(values.map(|value| value.to_owned().into()));
        }
    }
    if out.is_empty() { vec![body.into()] } else { out }
}

impl Fold for Pair {
    fn push(&mut self, frame: u32, text: &str, cx: &Cx) -> Result<(), serde_json::Error> {
        serde_json::from_str::<serde::de::IgnoredAny>(text)?;
        self.frame = frame;
        let peek = Peek::of(text, &[]);
        let request = || half(&peek, "request").or_else(|| half(&peek, "modelInput"));
        if let Some((request, _)) = request().filter(|_| !cx.surveys()) {
            match read::<Value>(&request, cx) {
                Err(error) if cx.is_overdrawn() => return Err(error),
                sent => self.requested = Requested::of(&sent.unwrap_or_default()),
            }
        }
        self.name = peek.word("customId").or_else(|| peek.word("recordId"));
        if cx.surveys() {
            list_beside(&peek, "", cx);
            if let Some(envelope) = peek.below("response").filter(|response| response.has("body")) {
                list_beside(&envelope, "response", cx);
            }
        }
        let Some((response, steps)) = answer(&peek, self.formats) else {
            self.failure = failure(&peek);
            return Ok(());
        };
        let frames = frames(&response);
        let formats = self.formats;
        let Some(format) = frames.iter().find_map(|frame| reading(&Peek::of(frame, &[]), formats)) else {
            self.failure = Peek::of(&response, &[]).has("error").then(|| service_error(&response));
            return Ok(());
        };
        let mut fold = (format.fold)();
        if is_json(&response) {
            let mut held = Held::default();
            for (number, text) in (0..).zip(&frames) {
                let pushed = cx.below(&steps, || fold.push(frame, text, cx));
                held.take(number, &*fold, cx);
                // Of a stream what cannot be read is passed over.
                if frames.len() == 1 {
                    pushed?;
                }
            }
        } else {
            let mut stream = Stream::default();
            let is_read = |peek: &Peek| reading(peek, formats).is_some();
            cx.below(&steps, || stream.push(&frames, &mut *fold, cx, is_read));
            self.stream = Some(stream);
        }
        (self.inner, self.steps) = (Some((format, fold)), steps);
        Ok(())
    }

    fn holds(&self) -> usize {
        // It is one frame, of which each part was asked about.
        0
    }

    fn snapshot(&self) -> Vec<Response> {
        let responses = self.inner.as_ref().map(|(_, fold)| fold.snapshot());
        self.placed(responses.unwrap_or_default())
    }

    fn finish(mut self: Box<Self>) -> Vec<Response> {
        let inner = self.inner.take();
        let format = inner.as_ref().map(|(format, _)| *format);
        let responses = inner.map(|(_, fold)| fold.finish()).unwrap_or_default();
        self.named(responses, format)
    }
}

impl Pair {
    /// With a response of one of these formats.
    pub fn among(formats: &'static [Format]) -> Self {
        Self {
            formats,
            frame: 0,
            inner: None,
            requested: Requested::default(),
            failure: None,
            name: None,
            steps: Vec::new(),
            stream: None,
        }
    }

    fn placed(&self, responses: Vec<Response>) -> Vec<Response> {
        self.named(responses, self.inner.as_ref().map(|(format, _)| *format))
    }

    /// The responses with their places in the pair, and with what the request has.
    fn named(&self, mut responses: Vec<Response>, format: Option<&'static Format>) -> Vec<Response> {
        if responses.is_empty() {
            let origin = building::root(self.frame);
            let mut response = Response { origin: origin.clone(), ..Response::default() };
            let words = self.failure.as_deref().unwrap_or("no format here reads the response of this pair");
            response.state = AnswerState::Error;
            building::remark(&mut response, RemarkKind::Error, &origin, words);
            responses.push(response);
        }
        if let Some((stream, format)) = self.stream.as_ref().zip(format) {
            stream.tell(format, &mut responses);
        }
        for response in &mut responses {
            let id = format.map_or(FORMAT.id, |format| format.id);
            response.format.get_or_insert(id.into());
            response.id = response.id.take().or_else(|| self.name.clone());
            self.requested.fill(response);
            self.place(response);
        }
        responses
    }

    fn place(&self, response: &mut Response) {
        let moved = |origin: &mut Origin| {
            origin.frame = self.frame;
            let steps: Vec<Step> = self.steps.iter().cloned().chain(origin.path.steps()).collect();
            origin.path = Path::from_steps(&steps);
        };
        moved(&mut response.origin);
        response.supports.iter_mut().for_each(|support| moved(&mut support.origin));
        response.sources.iter_mut().for_each(|source| moved(&mut source.origin));
        response.queries.iter_mut().for_each(|query| moved(&mut query.origin));
        response.traces.iter_mut().for_each(|trace| moved(&mut trace.origin));
        response.remarks.iter_mut().for_each(|remark| moved(&mut remark.origin));
    }
}
