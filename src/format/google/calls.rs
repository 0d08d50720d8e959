//! Calls and their responses, which come apart from each other.

use std::collections::{HashMap, VecDeque};

use crate::model::{Origin, Part, Path, Response, Step, Trace, TraceRole};

/// Each response of a call joins its call: by id, or by the name of the tool where it has none; of several
/// calls those that were made together in their order, the last ones that have no response yet. What joins
/// none stays a trace of its own.
pub fn join_calls(response: &mut Response) {
    if !response.traces.iter().any(|trace| trace.role == TraceRole::CallResponse) {
        return;
    }
    let went = join(&mut response.traces);
    let moved = |place: &mut usize| *place = went.get(*place).copied().unwrap_or_default();
    response.queries.iter_mut().filter_map(|query| query.trace.as_mut()).for_each(moved);
    for part in &mut response.parts {
        if let Part::Thought(number) = part {
            moved(number);
        }
    }
}

/// Calls that wait for a response, the last one at the end. One that came by another key is still there. Only
/// ids and tools that a response names are kept.
#[derive(Default)]
struct Open {
    by_id: HashMap<String, Vec<usize>>,
    by_tool: HashMap<String, Vec<Batch>>,
}

/// Calls of one tool that were made together: they are answered in their order.
struct Batch {
    /// The list of parts in which they stand.
    list: Origin,
    places: VecDeque<usize>,
}

/// The list in which the part of a call stands.
fn list_of(call: &Trace) -> Origin {
    let steps = call.origin.path.steps();
    let element = steps.iter().rposition(|step| matches!(step, Step::Index(_))).unwrap_or(steps.len());
    let list = steps.get(..element).unwrap_or_default();
    Origin { frame: call.origin.frame, path: Path::from_steps(list) }
}

impl Open {
    fn for_responses_in(traces: &[Trace]) -> Self {
        let mut out = Self::default();
        for answer in traces.iter().filter(|trace| trace.role == TraceRole::CallResponse) {
            match (&answer.id, &answer.tool) {
                (Some(id), _) => _ = out.by_id.entry(id.clone()).or_default(),
                (None, Some(tool)) => _ = out.by_tool.entry(tool.clone()).or_default(),
                (None, None) => {}
            }
        }
        out
    }

    fn push(&mut self, call: &Trace, place: usize) {
        if let Some(places) = call.id.as_ref().and_then(|id| self.by_id.get_mut(id)) {
            places.push(place);
        }
        let Some(batches) = call.tool.as_ref().and_then(|tool| self.by_tool.get_mut(tool)) else { return };
        let list = list_of(call);
        match batches.last_mut().filter(|batch| batch.list == list) {
            Some(batch) => batch.places.push_back(place),
            None => batches.push(Batch { list, places: VecDeque::from([place]) }),
        }
    }

    /// The place of the call that a response answers, as far as it is still open.
    fn pop(&mut self, answer: &Trace, is_open: impl Fn(usize) -> bool) -> Option<usize> {
        if let Some(id) = &answer.id {
            let places = self.by_id.get_mut(id)?;
            return std::iter::from_fn(|| places.pop()).find(|place| is_open(*place));
        }
        let batches = self.by_tool.get_mut(answer.tool.as_ref()?)?;
        while let Some(batch) = batches.last_mut() {
            if let Some(place) = std::iter::from_fn(|| batch.places.pop_front()).find(|place| is_open(*place))
            {
                return Some(place);
            }
            batches.pop();
        }
        None
    }
}

/// Joins where they stand; returns where each trace went.
fn join(traces: &mut Vec<Trace>) -> Vec<usize> {
    let mut open = Open::for_responses_in(traces);
    let mut went = Vec::with_capacity(traces.len());
    let mut kept = 0;
    for at in 0..traces.len() {
        let Some(trace) = traces.get_mut(at).map(std::mem::take) else { break };
        if trace.role == TraceRole::CallResponse {
            let is_open = |place: usize| traces.get(place).is_some_and(|call| call.results.is_empty());
            if let Some(place) = open.pop(&trace, is_open)
                && let Some(call) = traces.get_mut(place)
            {
                call.results = trace.results;
                call.error = call.error.take().or(trace.error);
                call.ended = trace.began;
                went.push(place);
                continue;
            }
        } else if trace.tool.is_some() && trace.results.is_empty() && trace.thought.is_none() {
            open.push(&trace, kept);
        }
        went.push(kept);
        if let Some(slot) = traces.get_mut(kept) {
            *slot = trace;
        }
        kept += 1;
    }
    traces.truncate(kept);
    went
}
