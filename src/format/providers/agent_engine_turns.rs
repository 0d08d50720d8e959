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
}

impl Questions {
    pub fn ask(&mut self, invocation: Option<&str>, text: Option<Arc<str>>) {
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

/// Traces that wait for the next response of their invocation, numbered in the order in which they came.
#[derive(Default, Clone)]
pub(super) struct Queue {
    by_invocation: HashMap<Option<String>, Vec<(usize, Waiting)>>,
    came: usize,
}

impl Queue {
    pub fn is_empty(&self) -> bool {
        self.by_invocation.is_empty()
    }

    /// Invocations of which something waits.
    pub fn invocations(&self) -> usize {
        self.by_invocation.len()
    }

    pub fn push(&mut self, waiting: Waiting) {
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

/// A trace of an event without text, with the searches it names.
#[derive(Clone)]
pub(super) struct Waiting {
    pub invocation: Option<String>,
    /// Apart: a hundred thousand may wait, in lists that grow and are put in order.
    pub trace: Box<Trace>,
    pub queries: Vec<Query>,
}

impl Waiting {
    /// Gives the trace to a response, at a place among its traces.
    pub fn join(self, response: &mut Response, place: usize) {
        let Self { mut trace, queries, .. } = self;
        trace.queries = (response.queries.len()..response.queries.len() + queries.len()).collect();
        response.queries.extend(queries.into_iter().map(|query| Query { trace: Some(place), ..query }));
        response.traces.insert(place.min(response.traces.len()), *trace);
    }
}
