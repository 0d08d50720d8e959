//! Bigdata.com's older chat: WebSocket messages and saved chats. No offsets: the answer holds markers such as
//! `` `:ref[LIST:[CQS:<id>-<n>][EXTERNAL:<id>]]` ``, each backing the words of its sentence before it.

use std::collections::HashMap;

use super::bigdata::{Audit, Library};
use crate::format::building::{self, Bounded};
use crate::format::interface::{self, Boundary, Format, FrameGroup, begin, read};
use crate::json::Peek;
use crate::json::values::Word;
use crate::json::wire::{Cx, wire};
use crate::model::{
    AnswerState, Citation, Facts, Failure, Layer, Link, LinkForm, Origin, OwnPlace, Place, RemarkKind,
    Response, Source, SourceKind, Support, Target,
};
use crate::text::sentence_start;

pub const FORMAT: Format = Format {
    id: "bigdata-chat",
    vendor: "Bigdata.com",
    short: "Bigdata chat",
    name: "Bigdata.com chat (WebSocket messages, saved chats)",
    reads: "message lines, saved chats with interactions; :ref[…] markers",
    offsets: "none: marks in the text",
    recognise,
    group,
    fold: begin::<Chat>,
    facts: Facts { links: LinkForm::Named, ..Facts::NONE },
    samples: &[sample!(
        "bigdata-chat.json",
        "Bigdata saved chat",
        "no offsets: markers in the text name the documents"
    )],
    ..Format::PLAIN
};

wire! {
    struct Frame {
        kind: Option<String> = "type";
        trace: Option<Audit> = "trace";
        content: Option<String> = "content";
        request: Option<Word> = "requestId";
        number: Option<i64> = "sequenceNumber";
        origins: Vec<OriginSource> = "originSources";
        time: Option<String> = "interactionTimestamp";
        message: Option<String> = "message";
        code: Option<Word> = "errorCode";
        id: Option<Word> = "id" | "chatId";
        interactions: Vec<Interaction> = "interactions";
    }

    struct Interaction takes 3072 whole [] {
        id: Option<Word> = "id" | "interactionId";
        question: Option<String> = "inputMessage";
        block: Option<ResponseBlock> = "responseBlock";
        traces: Vec<Audit> = "auditTraces";
        origins: Vec<OriginSource> = "originSources";
        time: Option<String> = "interactionTimestamp" | "dateCreated";
    }

    struct ResponseBlock {
        kind: Option<String> = "type", extra;
        text: Option<String> = "value" | "answer";
    }

    struct OriginSource {
        kind: Option<String> = "type";
        id: Option<Word> = "id";
    }
}

const TYPES: &[&str] = &["NEXT", "AUDIT_TRACE", "SOURCES", "FAILED"];

/// What a message that ends a chat may hold.
const ENDING: &[&str] =
    &["type", "interactionTimestamp", "usage", "requestId", "sequenceNumber", "interactionId", "chatId"];

fn recognise(peek: &Peek) -> bool {
    let kind = peek.word("type").unwrap_or_default();
    let known = ["trace", "content", "originSources", "requestId", "errorCode"];
    TYPES.contains(&kind.as_str()) && peek.has_any(&known)
        || kind == "COMPLETE" && peek.keys().all(|key| ENDING.contains(&key))
        || peek.first("interactions").is_some_and(|first| first.has_any(&["inputMessage", "responseBlock"]))
}

fn group(peek: &Peek) -> FrameGroup {
    let kind = peek.word("type").unwrap_or_default();
    if kind.is_empty() || peek.has("interactions") {
        return FrameGroup::Alone;
    }
    let ends = matches!(kind.as_str(), "COMPLETE" | "FAILED");
    let boundary = if ends { Boundary::EndsRun } else { Boundary::Continues };
    FrameGroup::Stream { id: peek.word("requestId"), boundary }
}

#[derive(Default, Clone)]
struct Chat {
    /// The exchange that the messages of a WebSocket build.
    open: Response,
    open_library: Library,
    /// Pieces of its answer, each with its number.
    pieces: Vec<(Option<i64>, String)>,
    messages: u32,
    ended: bool,
    done: Vec<Response>,
}

impl interface::FoldState for Chat {
    fn push(&mut self, frame: u32, text: &str, cx: &Cx) -> Result<(), serde_json::Error> {
        // A survey asks what is read, not what is made of it.
        if cx.surveys() {
            return read::<Frame>(text, cx).map(drop);
        }
        let wire: Frame = read(text, cx)?;
        let root = building::root(frame);
        if wire.kind.is_some() && wire.interactions.is_empty() {
            self.message(wire, &root, cx);
            return Ok(());
        }
        let list = root.key("interactions");
        for (index, interaction) in wire.interactions.into_iter().enumerate() {
            let id = wire.id.as_ref().map(|word| &word.0);
            if !cx.take(building::RESPONSE) || !building::takes_copies(cx, 1, &[id]) {
                break;
            }
            let mut response = saved(interaction, &list.item(index), cx);
            response.id = response.id.or_else(|| id.cloned());
            self.done.push(response);
        }
        Ok(())
    }

    fn finish(self) -> Vec<Response> {
        let Self { mut open, pieces, messages, ended, mut done, .. } = self;
        if messages > 0 {
            for piece in in_order(pieces) {
                building::answer_text(&mut open, &piece, true);
            }
            if !ended {
                open.state = AnswerState::Truncated;
                let origin = building::root(messages - 1);
                building::remark(
                    &mut open,
                    RemarkKind::Truncated,
                    &origin,
                    "the chat ends without COMPLETE: the rest is missing",
                );
            }
            done.push(open);
        }
        for (item, response) in done.iter_mut().enumerate() {
            response.item = item;
            place_markers(response);
        }
        done
    }
}

impl Chat {
    fn message(&mut self, wire: Frame, root: &Origin, cx: &Cx) {
        let response = &mut self.open;
        if self.messages == 0 {
            response.origin = root.clone();
        }
        self.messages += 1;
        response.id = wire.request.map(|word| word.0).or(response.id.take());
        if let Some(audit) = wire.trace {
            self.open_library.audit(response, audit, &root.key("trace"), cx);
        }
        add_origins(response, &mut self.open_library, wire.origins, &root.key("originSources"));
        match wire.kind.as_deref() {
            Some("NEXT") => self.pieces.push((wire.number, wire.content.unwrap_or_default())),
            Some("COMPLETE") => {
                self.ended = true;
                response.about.completed = wire.time;
            }
            Some("FAILED") => {
                self.ended = true;
                response.state = AnswerState::Error;
                building::remark(
                    response,
                    RemarkKind::Error,
                    root,
                    wire.message.as_deref().unwrap_or("no message"),
                );
                response.about.error =
                    Some(Failure { code: wire.code.map(|word| word.0), message: wire.message });
            }
            _ => {}
        }
    }
}

/// Pieces in the order of their numbers, each once; as they came, where one has none.
fn in_order(mut pieces: Vec<(Option<i64>, String)>) -> impl Iterator<Item = String> {
    if pieces.iter().all(|(number, _)| number.is_some()) {
        pieces.sort_by_key(|(number, _)| *number);
        pieces.dedup();
    }
    pieces.into_iter().map(|(_, text)| text)
}

fn saved(wire: Interaction, origin: &Origin, cx: &Cx) -> Response {
    let mut response =
        Response { origin: origin.clone(), id: wire.id.map(|word| word.0), ..Response::default() };
    response.about.question = wire.question.map(Into::into);
    response.about.completed = wire.time;
    let text = wire.block.and_then(|block| block.text);
    building::answer_text(&mut response, &text.unwrap_or_default(), false);
    let mut library = Library::default();
    let traces = origin.key("auditTraces");
    for (index, audit) in wire.traces.into_iter().enumerate() {
        library.audit(&mut response, audit, &traces.item(index), cx);
    }
    add_origins(&mut response, &mut library, wire.origins, &origin.key("originSources"));
    response
}

/// Sources that no trace told of.
fn add_origins(response: &mut Response, library: &mut Library, origins: Vec<OriginSource>, base: &Origin) {
    for (index, source) in origins.into_iter().enumerate() {
        let Some(id) = source.id.map(|word| word.0) else { continue };
        library.by_key.entry(format!("id {id}")).or_insert_with(|| {
            let external = source.kind.as_deref() == Some("EXTERNAL");
            let kind = if external { SourceKind::Web } else { SourceKind::Document };
            let source = Source { origin: base.item(index), kind, id: Some(id), ..Source::default() };
            response.sources.add(source);
            response.sources.len() - 1
        });
    }
}

/// Each marker is a support for the words of its sentence before it.
fn place_markers(response: &mut Response) {
    let Some(text) = response.answer.clone() else { return };
    let known = Documents::of(response);
    let (mut from, mut next) = (0, 0);
    while let Some(at) = text.get(next..).and_then(|rest| rest.find(":ref[")).map(|at| next + at) {
        next = at + 5;
        let Some(length) = text.get(at + 4..).and_then(bracketed) else {
            let origin = response.origin.clone();
            let broken = "a :ref[…] marker in the answer is not closed: it is read as text";
            building::remark(response, RemarkKind::Mistyped, &origin, broken);
            continue;
        };
        let inner = text.get(at + 5..at + 3 + length).unwrap_or_default();
        let open = text.get(..at).unwrap_or_default();
        let start = open.strip_suffix('`').unwrap_or(open).len();
        let end = at + 4 + length;
        let claim = text.get(from..start).unwrap_or_default();
        let begin = from + claim_start(claim);
        let citations = ids(inner).into_iter().map(|(id, _)| known.citation(id)).collect();
        let origin = response.origin.clone();
        from = end + usize::from(text.get(end..).is_some_and(|rest| rest.starts_with('`')));
        next = from;
        response.supports.add(Support {
            origin,
            layer: Layer::Marker,
            own: OwnPlace { placed: Some(begin..start), mark: Some(start..from) }.into(),
            citations,
            ..Support::default()
        });
    }
}

/// The first source of each id, and the first trace that found each source.
struct Documents {
    sources: HashMap<String, usize>,
    finders: HashMap<usize, usize>,
}

impl Documents {
    fn of(response: &Response) -> Self {
        let (mut sources, mut finders) = (HashMap::new(), HashMap::new());
        for (number, source) in response.sources.iter().enumerate() {
            source.id.iter().for_each(|id| _ = sources.entry(id.clone()).or_insert(number));
        }
        for (number, trace) in response.traces.iter().enumerate() {
            let found = trace.results.iter().filter_map(|result| result.source);
            found.for_each(|source| _ = finders.entry(source).or_insert(number));
        }
        Self { sources, finders }
    }

    fn citation(&self, id: &str) -> Citation {
        let source = self.sources.get(id).copied();
        let target = source.map_or_else(|| Target::Dangling(id.into()), Target::Source);
        let trace = source.and_then(|source| self.finders.get(&source).copied());
        let link = trace.map(|trace| Box::new(Link { trace: Some(trace), ..Link::default() }));
        Citation { link, ..Citation::of(target, Place::default()) }
    }
}

/// Length of the bracketed text at the beginning, brackets included.
fn bracketed(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    // A marker ends before another one begins.
    let upto = text.get(1..).and_then(|rest| rest.find(":ref[")).map_or(text.len(), |at| at + 1);
    for (at, byte) in text.bytes().take(upto).enumerate() {
        match byte {
            b'[' => depth += 1,
            b']' if depth == 1 => return Some(at + 1),
            b']' => depth = depth.checked_sub(1)?,
            b'\n' => return None,
            _ => {}
        }
    }
    None
}

/// Ids in a marker, with the number of the passage where given: `LIST:[CQS:AB-1][EXTERNAL:cd]`, `CQS:AB`.
fn ids(inner: &str) -> Vec<(&str, Option<&str>)> {
    let pieces = inner.split(['[', ']']).filter_map(|piece| piece.split_once(':'));
    let named = pieces.filter(|(kind, id)| *kind != "LIST" && !id.is_empty());
    named.map(|(_, id)| id.rsplit_once('-').map_or((id, None), |(id, number)| (id, Some(number)))).collect()
}

/// Where the claim of a marker begins that stands at the end of `text`: with its sentence, without the signs
/// that end the sentence before the marker of another claim.
fn claim_start(text: &str) -> usize {
    let sentence = sentence_start(text);
    let rest = text.get(sentence..).unwrap_or_default();
    sentence
        + (rest.len()
            - rest.trim_start_matches(|c: char| c.is_whitespace() || ".,;:!?。、".contains(c)).len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_name_their_documents() {
        assert_eq!(ids("LIST:[CQS:AB-1][EXTERNAL:cd]"), [("AB", Some("1")), ("cd", None)]);
        assert_eq!(ids("CQS:AB"), [("AB", None)]);
    }

    #[test]
    fn a_claim_begins_after_the_sentence_before() {
        assert_eq!(&"One. Two is"[claim_start("One. Two is")..], "Two is");
        assert_eq!(&". Two is"[claim_start(". Two is")..], "Two is");
        assert_eq!(&"Rose 1.5 %"[claim_start("Rose 1.5 %")..], "Rose 1.5 %");
        assert_eq!(&"One. Ask Dr. Quill"[claim_start("One. Ask Dr. Quill")..], "Ask Dr. Quill");
    }
}
