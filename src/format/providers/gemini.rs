//! `generateContent` of the Gemini API and Vertex AI: whole responses, streams, batch lines, `{"response":
//! …}`, a candidate alone, grounding metadata beside its text, Live API messages. Offsets are UTF-8 bytes of
//! the candidate's joined text without thoughts.

use std::collections::{BTreeMap, HashSet};

use super::gemini_shape::{Shape, group, is_silent, recognise, shape};
use crate::format::building::{self, Pieces};
use crate::format::google::{
    self, CitationMetadata, Content, GroundingAttribution, GroundingMetadata, REDIRECTS, RatingSent,
    UrlContextMetadata,
};
use crate::format::growth::Growth;
use crate::format::interface::{self, ANSWERED, Format, begin, read};
use crate::json::Peek;
use crate::json::values::Word;
use crate::json::wire::{Cx, wire};
use crate::model::{AnswerState, Facts, Failure, JsonText, Origin, RemarkKind, Response};

/// The walk over a frame's keys ends here: what comes after does not change the shape.
const STOP: &[&str] = &["candidates"];

pub const FORMAT: Format = Format {
    id: "gemini",
    vendor: "Google",
    short: "Gemini",
    name: "Gemini API and Vertex AI generateContent",
    reads: "responses, streams (array, SSE, lines), batch lines, one candidate, groundingMetadata beside its \
        text",
    offsets: "UTF-8 bytes of a part; quotes prove them",
    facts: Facts { redirects: REDIRECTS, ..Facts::NONE },
    scores: google::score_notes,
    decisive: STOP,
    recognise,
    group,
    fold: begin::<Generate>,
    refuses,
    breaks_off_in_part: google::ends_in_part,
    note_cut,
    samples: &[
        sample!(
            "gemini-search.json",
            "Gemini API, `generateContent`",
            "Google Search grounding: bare domains as titles, redirect addresses, no confidence scores; \
             \"°\", \"–\" and \"é\" make byte offsets differ from character offsets"
        ),
        sample!(
            "gemini-stream.sse",
            "Vertex AI, `streamGenerateContent`",
            "a thought first, text in six chunks, the grounding metadata only in the last one"
        ),
        sample!(
            "gemini-retrieval-scores.json",
            "Vertex AI, `generateContent`",
            "retrieved passages and confidence scores (one is 0, one 0.0068); the first claim says 1937 \
             where its passage says 1932; the fog signal claim cites the wrong passage"
        ),
        sample!(
            "gemini-broken-offsets.json",
            "Gemini API, `generateContent`",
            "faulty on purpose: no offset fits; two quotes are cut short, one occurs nowhere, one range \
             runs past the end"
        ),
        sample!(
            "gemini-characters.json",
            "Gemini API, `generateContent`",
            "faulty on purpose: offsets that count characters where bytes are documented, as a Python \
             program writes them; every one can be repaired"
        ),
        sample!(
            "gemini-nested.json",
            "Gemini API, `generateContent`",
            "supports that grow from the same start, lie inside another, cover the same range twice, or \
             cross"
        ),
        sample!(
            "gemini-long.json",
            "Gemini API, `generateContent`",
            "a long Markdown answer (headings, lists, a table, code) with 45 supports over 12 chunks"
        ),
        sample!(
            "gemini-maps.json",
            "Vertex AI, `generateContent`",
            "Google Maps places with reviews, flag links that belong to places and to a review, one \
             place that is not cited"
        ),
        sample!(
            "gemini-japanese.json",
            "Gemini API, `generateContent`",
            "a Japanese answer with Japanese passages; every offset is in bytes"
        ),
        sample!(
            "gemini-thai.json",
            "Gemini API, `generateContent`",
            "a Thai answer with Thai passages, which write no blanks between words; a time in Thai \
             digits that the passage has in others"
        ),
        sample!(
            "gemini-other-language.json",
            "Gemini API, `generateContent`",
            "German claims over English passages: only numbers and names can be compared; one passage is \
             German"
        ),
        sample!(
            "gemini-hindi-emoji.json",
            "Gemini API, `generateContent`",
            "Hindi, joined emoji, flags, skin tones, combining accents and an Arabic sentence"
        ),
        sample!(
            "gemini-dangling.json",
            "Gemini API, `generateContent`",
            "an index without a chunk, an empty chunk, a chunk of an unknown kind, an uncited chunk, \
             failed pages of the URL context tool, a recitation"
        ),
        sample!(
            "gemini-batch.jsonl",
            "Vertex AI batch output",
            "four lines: grounded after dynamic retrieval, failed, answered without grounding, answered \
             with two candidates"
        ),
        sample!(
            "all-fields-gemini.json",
            "Gemini API, `generateContent`",
            "every documented field of the grounding metadata, each with a value of its own; the last \
             support counts in its own part"
        ),
    ],
    ..Format::PLAIN
};

/// What of the Gemini API is not read.
fn refuses(peek: &Peek) -> Option<&'static str> {
    let request = peek.has("contents") && !peek.has_any(ANSWERED);
    let event = peek.word("eventType").unwrap_or_default();
    match () {
        () if request => Some("a Gemini request, not a response"),
        () if peek.word("object").as_deref() == Some("interaction") => Some("a Gemini Interactions response"),
        () if event.starts_with("interaction.") || event.starts_with("step.") => {
            Some("a Gemini Interactions stream")
        }
        () => None,
    }
}

wire! {
    struct Frame {
        candidates: Vec<Candidate> = "candidates";
        model: Option<String> = "modelVersion";
        id: Option<String> = "responseId";
        created: Option<Word> = "createTime";
        feedback: Option<PromptFeedback> = "promptFeedback", extra;
        metadata: Option<GroundingMetadata> = "groundingMetadata";
        litellm: Vec<GroundingMetadata> = "vertexAiGroundingMetadata";
        // Beside the candidates, as proxies put it.
        error: Option<JsonText> = "error";
    }

    struct PromptFeedback {
        reason: Option<Word> = "blockReason";
    }

    struct Candidate lists 1024 whole ["avgLogprobs", "finishMessage", "logprobsResult", "tokenCount"] {
        content: Option<Content> = "content";
        finish: Option<Word> = "finishReason", extra;
        index: Option<i64> = "index";
        metadata: Option<Box<GroundingMetadata>> = "groundingMetadata";
        attributions: Vec<GroundingAttribution> = "groundingAttributions";
        citations: Option<CitationMetadata> = "citationMetadata";
        urls: Option<UrlContextMetadata> = "urlContextMetadata";
        safety: Vec<RatingSent> = "safetyRatings";
    }

    struct Batch {
        status: Option<Word> = "status", extra;
        request: Option<Request> = "request", extra;
        response: Option<Frame> = "response";
    }

    struct Request {
        contents: Vec<Content> = "contents";
        tools: Vec<Tool> = "tools";
    }

    struct Tool {
        retrieval: Option<SearchRetrieval> = "googleSearchRetrieval";
    }

    struct SearchRetrieval {
        config: Option<DynamicRetrieval> = "dynamicRetrievalConfig";
    }

    struct DynamicRetrieval {
        threshold: Option<f64> = "dynamicThreshold";
    }

    struct Beside {
        text: Option<String> = "text" | "answer" | "output" | "content";
        metadata: Option<GroundingMetadata> = "groundingMetadata";
        model: Option<String> = "modelVersion" | "model";
        id: Option<String> = "responseId";
    }

    struct Live {
        content: Option<ServerContent> = "serverContent";
    }

    struct ServerContent {
        turn: Option<Content> = "modelTurn";
        metadata: Option<GroundingMetadata> = "groundingMetadata";
        complete: Option<bool> = "turnComplete";
        interrupted: Option<bool> = "interrupted";
    }
}

/// The candidates so far, by their index.
#[derive(Default, Clone)]
struct Generate {
    candidates: BTreeMap<i64, Box<Growing>>,
    /// What holds for all of them.
    shared: Response,
    /// Metadata beside several candidates of a frame or none, a list a frame: whose it is shows in the end.
    beside: Vec<Vec<(GroundingMetadata, Origin)>>,
    frames: u32,
}

/// What ends a stream.
const END: &str = "a finishReason";

/// Of one frame the fold cannot know that more should have come. Of an answer whose metadata came all has
/// come.
fn note_cut(responses: &mut [Response], frames: &[&str]) {
    for response in responses.iter_mut().filter(|response| response.state == AnswerState::Complete) {
        let ends = google::has_ended(response.finish.as_deref())
            || response.about.turn_complete.is_some()
            || !response.supports.is_empty();
        let says = response.answer.is_some() || !response.traces.is_empty();
        if frames.len() == 1 && says && !ends {
            building::cut_off(response, 1, END);
        }
    }
}

/// Responses of which the steps are counted: all but the first are counted themselves.
const CHOICES: usize = 8;

/// A candidate as it grows over the frames of a stream.
#[derive(Default, Clone)]
struct Growing {
    response: Response,
    growth: Growth,
    pieces: Pieces,
    metadata_seen: bool,
    sent: google::Sent,
}

impl interface::FoldState for Generate {
    fn push(&mut self, frame: u32, text: &str, cx: &Cx) -> Result<(), serde_json::Error> {
        let root = building::root(frame);
        let peek = Peek::of(text, STOP);
        let shape = shape(&peek);
        if cx.surveys() {
            return note(shape, text, cx);
        }
        match shape {
            Some(Shape::Batch) => {
                let mut line: Batch = read(text, cx)?;
                line.response
                    .take_if(|_| peek.below("response").is_some_and(|response| is_silent(&response)));
                self.batch(line, &root, cx);
            }
            Some(Shape::Candidate) => {
                let wire: Candidate = read(text, cx)?;
                self.candidate(wire.index.unwrap_or_default(), wire, &root);
            }
            Some(Shape::Beside) => self.beside(read(text, cx)?, &root),
            Some(Shape::Live) => self.live(read(text, cx)?, &root),
            _ => self.frame(read(text, cx)?, &root, cx),
        }
        self.frames = frame + 1;
        let Response { id, model, about, .. } = &self.shared;
        let shared = [id, model, &about.created, &about.blocked].map(Option::as_ref);
        building::takes_copies(cx, self.candidates.len().saturating_sub(1), &shared);
        Ok(())
    }

    fn holds(&self) -> usize {
        self.candidates.values().take(CHOICES).map(|growing| building::holds(&growing.response)).sum()
    }

    fn finish(mut self) -> Vec<Response> {
        for sent in std::mem::take(&mut self.beside) {
            self.ground(sent);
        }
        let Self { candidates, mut shared, frames, .. } = self;
        shared.about.settle();
        if candidates.is_empty() {
            return vec![shared];
        }
        let finish = |(item, growing): (usize, Box<Growing>)| growing.finish(item, &shared, frames);
        candidates.into_values().enumerate().map(finish).collect()
    }
}

/// A survey asks what is read, not what is made of it.
fn note(shape: Option<Shape>, text: &str, cx: &Cx) -> Result<(), serde_json::Error> {
    match shape {
        Some(Shape::Batch) => read::<Batch>(text, cx).map(drop),
        Some(Shape::Candidate) => read::<Candidate>(text, cx).map(drop),
        Some(Shape::Beside) => read::<Beside>(text, cx).map(drop),
        Some(Shape::Live) => read::<Live>(text, cx).map(drop),
        _ => read::<Frame>(text, cx).map(drop),
    }
}

impl Generate {
    fn frame(&mut self, wire: Frame, root: &Origin, cx: &Cx) {
        let shared = &mut self.shared;
        shared.model = wire.model.or(shared.model.take());
        shared.id = wire.id.or(shared.id.take());
        shared.about.created = wire.created.map(|word| word.0).or(shared.about.created.take());
        let blocked = google::blocked(wire.feedback.and_then(|feedback| feedback.reason));
        shared.about.blocked = blocked.or(shared.about.blocked.take());
        if let Some(error) = wire.error {
            let said = |key: &str| error.get(key).map(|value| value.plain());
            let alone = || error.to_text();
            let failure = building::failure(said("code").map(Word), said("message").or_else(alone));
            if let Some(failure) = failure {
                building::failed(shared, failure, &root.key("error"));
            }
        }
        // What stands at the root is of the only candidate of its frame, or a list has one for each.
        let count = wire.litellm.len() + usize::from(wire.metadata.is_some());
        let only = match wire.candidates.as_slice() {
            [only] if count == 1 => Some(only.index.unwrap_or_default()),
            _ => None,
        };
        let list = root.key("candidates");
        let mut spoke = HashSet::new();
        for (number, candidate) in wire.candidates.into_iter().enumerate() {
            let index = candidate.index.unwrap_or(number as i64);
            // Two that speak in one frame are two, also under one number.
            let is_other = candidate.content.is_some() && !spoke.insert(index);
            let free = self.candidates.keys().next_back().map_or(0, |last| last.saturating_add(1));
            let index = if is_other { free } else { index };
            let known = self.candidates.contains_key(&index);
            if !building::takes_event(cx, !known) {
                return;
            }
            self.candidate(index, candidate, &list.item(number));
        }
        if wire.metadata.is_some() && !self.candidates.is_empty() {
            let what =
                "grounding metadata beside the candidates, not in one: what looks for it there finds none";
            building::remark(&mut self.shared, RemarkKind::Misplaced, &root.key("groundingMetadata"), what);
        }
        let beside = wire.metadata.map(|meta| (meta, root.key("groundingMetadata")));
        let litellm = root.key("vertexAiGroundingMetadata");
        let litellm = wire.litellm.into_iter().enumerate().map(|(number, meta)| (meta, litellm.item(number)));
        let sent: Vec<_> = litellm.chain(beside).collect();
        match only {
            Some(index) => {
                for (meta, origin) in sent {
                    self.growing(index, root).metadata(meta, &origin);
                }
            }
            None if sent.is_empty() => {}
            None => self.beside.push(sent),
        }
    }

    /// Metadata of one frame that stands in no candidate: one for each, or that of the only one. Of several
    /// its quotes say whose it is, if anything does.
    fn ground(&mut self, sent: Vec<(GroundingMetadata, Origin)>) {
        let indices: Vec<i64> = self.candidates.keys().copied().collect();
        let is_known = indices.len() < 2 || indices.len() == sent.len();
        for (number, (meta, origin)) in sent.into_iter().enumerate() {
            if is_known || meta.supports.is_empty() {
                let index = indices.get(number).or(indices.first()).copied().unwrap_or(number as i64);
                self.growing(index, &building::root(origin.frame)).metadata(meta, &origin);
            }
        }
    }

    fn growing(&mut self, index: i64, origin: &Origin) -> &mut Growing {
        self.candidates.entry(index).or_insert_with(|| {
            let response = Response { origin: origin.clone(), ..Response::default() };
            Box::new(Growing { response, ..Growing::default() })
        })
    }

    fn candidate(&mut self, index: i64, wire: Candidate, origin: &Origin) {
        let growing = self.growing(index, origin);
        let said = growing.response.text().len();
        if let Some(content) = wire.content {
            growing.content(content, &origin.key("content"));
        }
        let response = &mut growing.response;
        let before = response.finish.take();
        let finish = google::finish(wire.finish);
        growing.pieces.take(response.text().len() > said, google::has_ended(finish.as_deref()));
        let finish = finish.filter(|word| before.is_none() || google::has_ended(Some(word)));
        response.finish = finish.or(before);
        if !wire.safety.is_empty() {
            response.about.safety = google::safety(wire.safety);
        }
        google::recitations(&mut response.about, wire.citations, wire.urls);
        google::attributions(response, wire.attributions, origin);
        if let Some(meta) = wire.metadata {
            growing.metadata(*meta, &origin.key("groundingMetadata"));
        }
        growing.response.about.settle();
    }

    fn batch(&mut self, wire: Batch, root: &Origin, cx: &Cx) {
        let request = wire.request.unwrap_or_default();
        self.shared.about.question = google::question(request.contents).map(Into::into);
        let mut thresholds = request.tools.into_iter().filter_map(|tool| tool.retrieval?.config?.threshold);
        self.shared.about.retrieval_threshold = thresholds.next_back();
        let status = wire.status.map(|word| word.0).filter(|status| !status.is_empty());
        if let Some(response) = wire.response {
            self.frame(response, &root.key("response"), cx);
        } else {
            let message = status.unwrap_or_else(|| "the batch line has no response".to_owned());
            building::failed(&mut self.shared, Failure { code: None, message: Some(message) }, root);
        }
    }

    fn beside(&mut self, wire: Beside, root: &Origin) {
        self.shared.model = wire.model;
        self.shared.id = wire.id;
        let growing = self.growing(0, root);
        building::answer_text(&mut growing.response, &wire.text.unwrap_or_default(), false);
        if let Some(meta) = wire.metadata {
            growing.metadata(meta, &root.key("groundingMetadata"));
        }
    }

    fn live(&mut self, wire: Live, root: &Origin) {
        let Some(wire) = wire.content else { return };
        let origin = root.key("serverContent");
        let growing = self.growing(0, root);
        if let Some(turn) = wire.turn {
            growing.content(turn, &origin.key("modelTurn"));
        }
        if let Some(meta) = wire.metadata {
            growing.metadata(meta, &origin.key("groundingMetadata"));
        }
        growing.response.about.turn_complete = wire.complete.or(growing.response.about.turn_complete);
        growing.response.about.interrupted = wire.interrupted.or(growing.response.about.interrupted);
    }
}

impl Growing {
    fn content(&mut self, content: Content, origin: &Origin) {
        let before = self.response.text().len();
        google::content(&mut self.response, content, origin);
        self.growth.note(self.response.text(), before);
    }

    fn metadata(&mut self, meta: GroundingMetadata, origin: &Origin) {
        self.metadata_seen = true;
        google::metadata(&mut self.response, &mut self.sent, meta, origin);
    }

    fn finish(mut self, item: usize, shared: &Response, frames: u32) -> Response {
        building::settle_growth(&mut self.response, self.growth);
        let mut response = self.response;
        if self.pieces.is_late() {
            let origin = response.origin.clone();
            building::late(&mut response, &origin);
        }
        response.item = item;
        response.id.clone_from(&shared.id);
        response.model.clone_from(&shared.model);
        response.state = shared.state;
        response.remarks.splice(0..0, shared.remarks.iter().cloned());
        if let Some(of_all) = shared.about.get() {
            let about = &mut response.about;
            about.created.clone_from(&of_all.created);
            about.question.clone_from(&of_all.question);
            about.retrieval_threshold = of_all.retrieval_threshold;
            about.blocked.clone_from(&of_all.blocked);
            about.error.clone_from(&of_all.error);
        }
        let ended = google::has_ended(response.finish.as_deref()) || response.about.turn_complete.is_some();
        if frames > 1 && !ended {
            building::cut_off(&mut response, frames, END);
        }
        google::end(&mut response);
        google::join_calls(&mut response);
        building::settle(&mut response);
        response.grounding = google::grounding(&response, self.metadata_seen);
        google::join_flags(&mut response);
        response
    }
}
