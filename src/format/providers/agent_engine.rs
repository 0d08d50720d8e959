//! Sessions of agents: Agent Engine session events and ADK events, as lists, sessions, streams or one event.
//! Each event with text or grounding is a response; the others are traces of the next response of their
//! invocation. Offsets are UTF-8 bytes of the event's joined text without thoughts.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use serde_json::{Value, json};

use super::agent_engine_pieces::place_in_turns;
use super::agent_engine_turns::{Questions, Queue, Speaker, Waiting};
use super::agent_engine_wire::{Event, Listing, Sent, is_apart, merge, missing, unfold};
use crate::format::building;
use crate::format::google::{self, GroundingMetadata, REDIRECTS};
use crate::format::interface::{self, Boundary, Format, FrameGroup, begin, read};
use crate::format::steps::time;
use crate::json::Peek;
use crate::json::wire::Cx;
use crate::model::{
    AnswerState, Facts, Failure, Grounding, JsonText, Origin, RemarkKind, Response, Trace, TraceRole,
};

pub const FORMAT: Format = Format {
    id: "agent-events",
    vendor: "Google",
    short: "Agent events",
    name: "Agent Engine session events and ADK events",
    reads: "sessionEvents lists, sessions with events, arrays, SSE, one event",
    offsets: "UTF-8 bytes of a part; quotes prove them",
    facts: Facts { redirects: REDIRECTS, ..Facts::NONE },
    scores: google::score_notes,
    decisive: &["sessionEvents"],
    recognise,
    group,
    fold: begin::<Session>,
    breaks_off_in_part: google::ends_in_part,
    note_cut,
    samples: &[
        sample!(
            "agent-session.json",
            "Agent Engine session events",
            "two turns: question, tool call and response, a partial event, the final answers with their \
             grounding"
        ),
        sample!(
            "agent-events.sse",
            "ADK event stream",
            "five partial events, then the whole answer with its grounding; two supports nest"
        ),
        sample!(
            "all-fields-events.json",
            "Agent Engine session events",
            "every documented field of events, actions and event metadata; the credentials are made up"
        ),
    ],
    ..Format::PLAIN
};

fn recognise(peek: &Peek) -> bool {
    let list = |key: &str| peek.kind(key) == Some('[');
    list("sessionEvents")
        || is_event(peek)
        || list("events") && peek.first("events").is_some_and(|event| is_event(&event))
        || peek.has("rawEvent")
}

fn is_event(peek: &Peek) -> bool {
    let known =
        ["content", "actions", "eventMetadata", "groundingMetadata", "errorCode", "errorMessage", "partial"];
    let content = !peek.has("content") || peek.kind("content") == Some('{');
    // Our own form of an event names its schema.
    !peek.has("schema")
        && (peek.has("invocationId")
            || peek.has("eventMetadata")
            || content && peek.has("author") && peek.has_any(&known))
}

fn group(peek: &Peek) -> FrameGroup {
    if is_event(peek) {
        // All events of an input are one session.
        FrameGroup::Stream { id: Some("session".to_owned()), boundary: Boundary::Continues }
    } else {
        FrameGroup::Alone
    }
}

/// Of a session that an agent streams the last event is a final one; a session that was stored may wait for
/// its next turn.
fn note_cut(responses: &mut [Response], frames: &[&str]) {
    let last = frames.last().and_then(|frame| read::<Event>(frame, &Cx::default()).ok());
    let Some(mut last) = last else { return };
    unfold(&mut last);
    merge(&mut last);
    let frames = frames.len() as u32;
    let breaks_off = |response: &&mut Response| response.partial && response.state == AnswerState::Truncated;
    for response in responses.iter_mut().filter(breaks_off) {
        building::cut_off(response, frames, END);
    }
    if is_final(&last) || waits(&last, responses) {
        return;
    }
    let of_turn = |response: &&mut Response| {
        !response.is_question() && (last.invocation.is_none() || response.about.invocation == last.invocation)
    };
    let told = |response: &&mut Response| {
        response.state == AnswerState::Error
            || response.remarks.iter().any(|remark| remark.kind == RemarkKind::Truncated)
    };
    if let Some(response) = responses.iter_mut().rfind(of_turn).filter(|response| !told(response)) {
        building::cut_off(response, frames, END);
    }
}

/// Bytes of a step that waits for its response.
const STEP: usize = 704;
/// Bytes of a response that is what the user said.
const QUESTION: usize = 1152;

/// What ends a turn.
const END: &str = "the final event of its turn";

/// Responses among which one is looked for that an event behind it speaks of.
const NEAR: usize = 16;

/// Whether the user is asked for credentials or for leave, or a call goes on elsewhere: a turn ends there
/// with what the tool has said so far.
fn waits(last: &Event, responses: &[Response]) -> bool {
    let asks = |key: &str| {
        let asked = last.actions.as_ref().and_then(|actions| actions.get(key));
        asked.is_some_and(|asked| asked.members().next().is_some())
    };
    let asked = [
        "requestedAuthConfigs",
        "requested_auth_configs",
        "requestedToolConfirmations",
        "requested_tool_confirmations",
    ];
    let parts = last.content.iter().flat_map(|content| &content.parts);
    let mut answered = parts.filter_map(|part| part.function_response.as_ref()?.id.as_deref());
    let traces = || responses.iter().flat_map(|response| &response.traces);
    let goes_on = |id: &str| {
        traces()
            .any(|trace| trace.id.as_deref() == Some(id) && trace.state.as_deref() == Some("long-running"))
    };
    asked.into_iter().any(asks) || answered.any(goes_on)
}

/// Whether nothing of its turn has to follow an event: what ADK's `is_final_response` says, and what ends a
/// loop of agents.
fn is_final(event: &Event) -> bool {
    let parts = event.content.as_ref().map(|content| content.parts.as_slice()).unwrap_or_default();
    let works = parts.iter().any(|part| part.function_call.is_some() || part.function_response.is_some())
        || parts.last().is_some_and(|part| part.code_result.is_some());
    let acts = |names: [&str; 2]| {
        let mut told = names.iter().filter_map(|name| event.actions.as_ref()?.get(name));
        told.any(|acts| acts.as_json() == "true")
    };
    let ends = [["skipSummarization", "skip_summarization"], ["escalate", "escalate"]].into_iter().any(acts);
    let goes_on = event.partial == Some(true) && event.turn_complete != Some(true);
    ends || !event.long_running.is_empty() || !(goes_on || works)
}

/// The session so far.
#[derive(Default, Clone)]
struct Session {
    responses: Vec<Response>,
    waiting: Queue,
    questions: Questions,
    /// Of each agent of an invocation how many responses there were before its last event without text.
    went_on: HashMap<Speaker, usize>,
    /// The last response of each agent of an invocation, where it has text and no metadata.
    bare: HashMap<Speaker, usize>,
    root: Origin,
}

impl interface::FoldState for Session {
    fn push(&mut self, frame: u32, text: &str, cx: &Cx) -> Result<(), serde_json::Error> {
        let root = building::root(frame);
        let peek = Peek::of(text, &[]);
        // A survey asks what is read and listed, not what is made of it.
        if is_event(&peek) {
            let before = self.promised();
            let event = read(text, cx)?;
            if !cx.surveys() {
                self.event(event, root);
            }
            cx.take(self.promised().saturating_sub(before));
            return Ok(());
        }
        let listing: Listing = read(text, cx)?;
        if cx.surveys() {
            return Ok(());
        }
        let key = if peek.has("sessionEvents") { "sessionEvents" } else { "events" };
        let list = root.key(key);
        let mut counted = self.promised();
        for (index, event) in listing.events.into_iter().enumerate() {
            self.event(event, list.item(index));
            let promised = self.promised();
            if !cx.take(promised.saturating_sub(counted)) {
                break;
            }
            counted = promised.max(counted);
        }
        if let Some(event) = listing.raw {
            self.event(event, root.key("rawEvent"));
        }
        Ok(())
    }

    fn finish(mut self) -> Vec<Response> {
        self.place_waiting();
        self.responses.iter_mut().for_each(google::join_calls);
        self.settle_states();
        self.settle_grounding();
        place_in_turns(&mut self.responses);
        for (item, response) in self.responses.iter_mut().enumerate() {
            response.item = item;
            mark_calls(response);
            building::settle(response);
            google::join_flags(response);
        }
        self.responses
    }
}

impl Session {
    /// Gives the steps behind which no response came to the last response of their invocation; where that has
    /// but a question, to an answer of its own that stayed away.
    fn place_waiting(&mut self) {
        let mut unanswered: Vec<Response> = Vec::new();
        let mut owners: HashMap<Option<String>, Result<usize, usize>> = HashMap::new();
        for (place, response) in self.responses.iter().enumerate() {
            if !response.is_question() {
                owners.insert(response.about.invocation.clone(), Ok(place));
                owners.insert(None, Ok(place));
            }
        }
        let mut placed: Vec<(Result<usize, usize>, Waiting)> = Vec::new();
        for waiting in self.waiting.take(None) {
            let invocation = waiting.invocation.clone();
            let asked = self.questions.of(invocation.as_deref());
            let known = owners.get(&invocation).or_else(|| owners.get(&None).filter(|_| asked.is_none()));
            let owner = known.copied().unwrap_or_else(|| {
                let origin = waiting.traces.first().map(|trace| trace.origin.clone()).unwrap_or_default();
                let mut response = Response { origin, ..Response::default() };
                response.about.invocation.clone_from(&invocation);
                response.about.question = asked;
                unanswered.push(response);
                Err(unanswered.len() - 1)
            });
            owners.insert(invocation, owner);
            placed.push((owner, waiting));
        }
        let mut traces: HashMap<Result<usize, usize>, usize> = HashMap::new();
        for (owner, waiting) in &placed {
            *traces.entry(*owner).or_default() += waiting.traces.len();
        }
        for (owner, waiting) in placed {
            let response = match owner {
                Ok(place) => self.responses.get_mut(place),
                Err(place) => unanswered.get_mut(place),
            };
            if let Some(response) = response {
                // A list that grew would take three times its size for a moment.
                response.traces.reserve_exact(traces.remove(&owner).unwrap_or_default());
                waiting.join(response);
            }
        }
        self.responses.append(&mut unanswered);
    }

    /// Metadata that came before the text, in an event of its own or with a piece, is of that text, too.
    fn settle_grounding(&mut self) {
        let mut grounded: HashSet<Option<String>> = HashSet::new();
        for response in &mut self.responses {
            let invocation = &response.about.invocation;
            let apart = response.answer.is_none() || response.partial;
            if apart && response.grounding != Grounding::Absent {
                grounded.insert(invocation.clone());
            } else if response.grounding == Grounding::Absent && grounded.contains(invocation) {
                response.grounding = Grounding::Given;
            }
        }
    }

    /// An event that another one of its invocation follows was not the end of the turn; a piece that none
    /// follows is where the session breaks off.
    fn settle_states(&mut self) {
        let last = self.responses.iter().rposition(|response| !response.is_question());
        let mut followed: HashSet<Speaker> = HashSet::new();
        // A piece that was logged by itself is no end of a session.
        let alone = self.responses.len() == 1;
        for (item, response) in self.responses.iter_mut().enumerate().rev() {
            if response.is_question() {
                continue;
            }
            let speaker = (response.about.invocation.clone(), response.about.author.clone());
            let ends = followed.insert(speaker.clone());
            if response.state != AnswerState::Partial {
                continue;
            }
            let turn_complete = response.about.turn_complete;
            let went_on = self.went_on.get(&speaker).is_some_and(|&before| before > item);
            let open = if alone { turn_complete == Some(false) } else { turn_complete != Some(true) };
            if response.partial && ends && !went_on && open {
                response.state = AnswerState::Truncated;
            } else if !response.partial && Some(item) != last {
                response.state = AnswerState::Complete;
            }
        }
    }

    fn event(&mut self, mut event: Event, origin: Origin) {
        let sent = unfold(&mut event);
        let raw = origin.key("rawEvent");
        let of = |part: Sent| if sent == part || sent == Sent::All { &raw } else { &origin };
        let words_at = of(Sent::Words).key("content");
        let apart = is_apart(&event).then(|| of(Sent::Metadata).key("eventMetadata"));
        let meta_origin = apart.as_ref().unwrap_or(of(Sent::Metadata)).key("groundingMetadata");
        let origin = of(Sent::All).clone();
        merge(&mut event);
        let grounding = event.grounding.take();
        let seen = grounding.is_some();
        let mut response = Response { origin: origin.clone(), ..Response::default() };
        if let Some(content) = event.content.take() {
            google::content(&mut response, content, &words_at);
        }
        describe_steps(&mut response.traces, &event);
        let speaker = (event.invocation.clone(), event.author.clone());
        if event.interrupted == Some(true) && response.answer.is_none() && response.traces.is_empty() {
            self.interrupt(&speaker);
        }
        if let Some(home) = seen.then(|| self.home(&speaker, &event, &response)).flatten() {
            self.bare.remove(&speaker);
            self.ground(home, grounding, (&mut event, &meta_origin));
            self.wait(&event, response, origin);
            return;
        }
        if let Some(meta) = grounding {
            google::metadata(&mut response, &mut google::Sent::default(), *meta, &meta_origin);
        }
        google::recitations(&mut response.about, event.citations.take(), event.urls.take());
        let grounding = google::grounding(&response, seen);
        let about = &response.about;
        let grounded = !matches!(grounding, Grounding::Absent | Grounding::Empty)
            || !about.recitations.is_empty()
            || !about.fetched.is_empty();
        let failure = building::failure(event.error_code.take(), event.error_message.take());
        let failed = failure.is_some();
        let missing = missing(&event);
        if response.answer.is_none() && !grounded && !failed {
            self.wait(&event, response, origin);
            return;
        }
        self.describe(&mut response, event, failure);
        if let Some(missing) = missing {
            building::remark(&mut response, RemarkKind::Missing, &origin, &missing);
        }
        // What failed before it answered did not answer without search.
        let nothing = failed && response.answer.is_none() && grounding == Grounding::Absent;
        response.grounding = if nothing { Grounding::Given } else { grounding };
        self.adopt(&mut response);
        let is_bare = response.grounding == Grounding::Absent && response.state != AnswerState::Error;
        let has_text = !response.text().trim().is_empty();
        if is_bare && has_text && !response.is_question() && !response.partial {
            self.bare.insert(speaker, self.responses.len());
        } else {
            self.bare.remove(&speaker);
        }
        self.responses.push(response);
    }

    /// Notes at the last words of a speaker that they were interrupted, which an event behind them says.
    fn interrupt(&mut self, speaker: &Speaker) {
        let mut last = self.responses.iter_mut().rev().take(NEAR);
        let is_own = |response: &&mut Response| {
            (&response.about.invocation, &response.about.author) == (&speaker.0, &speaker.1)
        };
        if let Some(response) = last.find(is_own).filter(|response| !response.is_question()) {
            response.about.interrupted = Some(true);
        }
    }

    /// The text that metadata is of which comes in an event of its own behind it, and ends a turn or at least
    /// calls nothing.
    fn home(&self, speaker: &Speaker, event: &Event, response: &Response) -> Option<usize> {
        let alone = response.answer.is_none() && response.traces.is_empty();
        let failed = event.error_code.is_some() || event.error_message.is_some();
        self.bare.get(speaker).copied().filter(|_| alone && !failed && event.partial != Some(true))
    }

    /// Gives a response the metadata of an event behind it, and what that says of its end.
    fn ground(
        &mut self,
        home: usize,
        meta: Option<Box<GroundingMetadata>>,
        (event, origin): (&mut Event, &Origin),
    ) {
        let Some((response, meta)) = self.responses.get_mut(home).zip(meta) else { return };
        google::metadata(response, &mut google::Sent::default(), *meta, origin);
        google::recitations(&mut response.about, event.citations.take(), event.urls.take());
        let came = google::grounding(response, true);
        // An empty one says nothing of a text that had none.
        if came != Grounding::Empty {
            response.grounding = came;
        }
        if event.turn_complete == Some(true) {
            response.about.turn_complete = Some(true);
            if response.state == AnswerState::Partial {
                response.state = AnswerState::Complete;
            }
        }
        if event.finish.is_some() {
            response.finish = google::finish(event.finish.take());
            google::end(response);
        }
    }

    /// The fields of the event that speak of the response.
    fn describe(&mut self, response: &mut Response, event: Event, failure: Option<Failure>) {
        response.id = event.name.or(event.id);
        response.model = event.model;
        response.partial = event.partial == Some(true);
        response.state = match () {
            () if failure.is_some() => AnswerState::Error,
            () if response.partial
                || event.turn_complete == Some(false) && event.author.as_deref() != Some("user") =>
            {
                AnswerState::Partial
            }
            () => AnswerState::Complete,
        };
        let about = &mut response.about;
        about.author = event.author;
        about.invocation = event.invocation;
        about.branch = event.branch;
        about.turn_complete = event.turn_complete;
        about.interrupted = event.interrupted;
        about.long_running = event.long_running;
        about.created = event.timestamp.map(|word| time(&word.0));
        response.finish = google::finish(event.finish);
        about.actions = event.actions;
        about.error = failure;
        google::end(response);
        let invocation = response.about.invocation.as_deref();
        if response.is_question() {
            self.questions.ask(invocation, response.answer.as_deref().map(Arc::from));
        } else {
            response.about.question = self.questions.of(invocation);
        }
    }

    /// Gives the response the traces that waited for it, before its own.
    fn adopt(&mut self, response: &mut Response) {
        // A partial piece is followed by the response it is a piece of.
        if response.is_question() || response.partial {
            return;
        }
        let invocation = response.about.invocation.clone();
        let mine = self.waiting.take(invocation.as_deref());
        let shift: usize = mine.iter().map(|waiting| waiting.traces.len()).sum();
        for part in &mut response.parts {
            if let crate::model::Part::Thought(number) = part {
                *number += shift;
            }
        }
        for query in &mut response.queries {
            query.trace = query.trace.map(|number| number + shift);
        }
        let own = std::mem::take(&mut response.traces);
        // A list that grew would take three times its size for a moment.
        response.traces.reserve_exact(shift + own.len());
        for waiting in mine {
            waiting.join(response);
        }
        response.traces.extend(own);
        google::join_calls(response);
    }

    /// Bytes of the responses so far, and of those that there will be where nothing answers, one an
    /// invocation, and of what waits for them. Events have taken themselves what they take.
    fn promised(&self) -> usize {
        let (questions, all) = (self.questions.asked(), self.responses.len() + self.waiting.invocations());
        all.saturating_sub(questions) * building::RESPONSE
            + questions * QUESTION
            + self.waiting.traces() * STEP
    }

    /// An event without text and grounding: a trace for the event itself, then those of its parts.
    fn wait(&mut self, event: &Event, response: Response, origin: Origin) {
        self.went_on.insert((event.invocation.clone(), event.author.clone()), self.responses.len());
        if self.responses.is_empty() && self.waiting.is_empty() {
            self.root = origin.clone();
        }
        let title = format!("event by {}", event.author.as_deref().unwrap_or("an unnamed author"));
        let id = event.name.clone().or_else(|| event.id.clone());
        let trace = Trace {
            origin,
            id,
            title: Some(title),
            arguments: Some(facts(event)),
            began: event.timestamp.as_ref().map(|word| time(&word.0)),
            ..Trace::default()
        };
        let Response { mut traces, mut queries, .. } = response;
        traces.reserve_exact(1);
        traces.insert(0, trace);
        queries.iter_mut().filter_map(|query| query.trace.as_mut()).for_each(|number| *number += 1);
        self.waiting.push(Waiting { invocation: event.invocation.clone(), traces, queries });
    }
}

/// What an event says of its steps: when they began, and whether its thoughts go on in the next one.
fn describe_steps(steps: &mut [Trace], event: &Event) {
    let at = event.timestamp.as_ref().map(|word| time(&word.0));
    for step in steps {
        step.began.clone_from(&at);
        if step.thought.is_some() && event.partial == Some(true) {
            step.role = TraceRole::Piece;
        }
    }
}

/// What an event without text and grounding says.
fn facts(event: &Event) -> JsonText {
    let text = |text: &Option<String>| text.clone().map(JsonText::from);
    let flag = |flag: Option<bool>| flag.map(|flag| Value::from(flag).into());
    let long = Some(&event.long_running).filter(|ids| !ids.is_empty()).map(|ids| json!(ids).into());
    JsonText::of_members([
        ("author", text(&event.author)),
        ("invocationId", text(&event.invocation)),
        ("modelVersion", text(&event.model)),
        ("timestamp", event.timestamp.as_ref().map(|word| json!(time(&word.0)).into())),
        ("branch", text(&event.branch)),
        ("partial", flag(event.partial)),
        ("turnComplete", flag(event.turn_complete)),
        ("interrupted", flag(event.interrupted)),
        ("longRunningToolIds", long),
        ("actions", event.actions.clone()),
    ])
}

/// Calls that go on after their event, and calls that ask for credentials, say so.
fn mark_calls(response: &mut Response) {
    let facts = || response.traces.iter().filter_map(|trace| trace.arguments.as_ref()).map(Peek::of_value);
    let listed = facts().filter_map(|facts| facts.text_of("longRunningToolIds"));
    let listed = listed.filter_map(|ids| serde_json::from_str::<Vec<String>>(ids).ok()).flatten();
    let long: HashSet<String> = response.about.long_running.iter().cloned().chain(listed).collect();
    let own = response.about.actions.as_ref().map(Peek::of_value);
    let actions = own.into_iter().chain(facts().filter_map(|facts| facts.below("actions")));
    let asking: HashSet<String> =
        actions.flat_map(|actions| actions.names_below("requestedAuthConfigs")).collect();
    for trace in &mut response.traces {
        let Some(id) = &trace.id else { continue };
        if long.contains(id) {
            trace.state.get_or_insert_with(|| "long-running".to_owned());
        }
        if asking.contains(id) {
            trace.description.get_or_insert_with(|| "asks for credentials".to_owned());
        }
    }
}
