//! What the events of a turn wait for or answer to: steps that the next response takes, questions.

use std::collections::HashMap;
use std::sync::Arc;

use crate::model::{Query, Response, Trace};

/// An invocation and the agent that speaks in it.
pub(super) type Speaker = (Option<String>, Option<String>);

/// The questions so far; invocations may interleave.
#[derive(Default, Clone)]
pub(super) struct Questions {
    by_invocation: HashMap<String, Option<Arc<str>>>,
    last: Option<Arc<str>>,
    /// The last question names no invocation: it is that of every response behind it.
    last_is_anyones: bool,
    asked: usize,
}

impl Questions {
    /// How many there were.
    pub fn asked(&self) -> usize {
        self.asked
    }

    pub fn ask(&mut self, invocation: Option<&str>, text: Option<Arc<str>>) {
        self.asked += 1;
        self.last_is_anyones = invocation.is_none();
        if let Some(invocation) = invocation {
            self.by_invocation.insert(invocation.to_owned(), text.clone());
        }
        self.last = text;
    }

    pub fn of(&self, invocation: Option<&str>) -> Option<Arc<str>> {
        let Some(invocation) = invocation.filter(|_| !self.last_is_anyones) else { return self.last.clone() };
        self.by_invocation.get(invocation).cloned().flatten()
    }
}

/// Events whose traces wait for the next response of their invocation, numbered in the order in which they
/// came.
#[derive(Default, Clone)]
pub(super) struct Queue {
    by_invocation: HashMap<Option<String>, Vec<(usize, Waiting)>>,
    came: usize,
    traces: usize,
}

impl Queue {
    pub fn is_empty(&self) -> bool {
        self.by_invocation.is_empty()
    }

    /// Invocations of which something waits.
    pub fn invocations(&self) -> usize {
        self.by_invocation.len()
    }

    /// How many traces have ever waited.
    pub fn traces(&self) -> usize {
        self.traces
    }

    pub fn push(&mut self, waiting: Waiting) {
        self.traces += waiting.traces.len();
        let list = self.by_invocation.entry(waiting.invocation.clone()).or_default();
        list.push((self.came, waiting));
        self.came += 1;
    }

    /// Those that a response of an invocation takes: its own and those of none; one of none takes all.
    pub fn take(&mut self, invocation: Option<&str>) -> Vec<Waiting> {
        let mut taken: Vec<(usize, Waiting)> = match invocation {
            None => std::mem::take(&mut self.by_invocation).into_values().flatten().collect(),
            Some(_) => [invocation.map(str::to_owned), None]
                .iter()
                .filter_map(|key| self.by_invocation.remove(key))
                .flatten()
                .collect(),
        };
        taken.sort_by_key(|(number, _)| *number);
        taken.into_iter().map(|(_, waiting)| waiting).collect()
    }
}

/// The traces of an event without text, with the searches they name.
#[derive(Clone)]
pub(super) struct Waiting {
    pub invocation: Option<String>,
    /// That of the event first.
    pub traces: Vec<Trace>,
    pub queries: Vec<Query>,
}

impl Waiting {
    /// Gives the traces to a response, behind its own.
    pub fn join(self, response: &mut Response) {
        let (traces, queries) = (response.traces.len(), response.queries.len());
        response.traces.extend(self.traces.into_iter().map(|mut trace| {
            trace.queries.iter_mut().for_each(|query| *query += queries);
            trace
        }));
        let numbered = |query: Query| Query { trace: query.trace.map(|trace| trace + traces), ..query };
        response.queries.extend(self.queries.into_iter().map(numbered));
    }
}
