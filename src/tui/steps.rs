//! Which steps of a response have a row of their own.

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};

use crate::json::Peek;
use crate::model::Response;

/// For each call that was sent apart from what came of it the step that tells that: the first behind it that
/// names its tool, or ran the search that its arguments ask for.
pub fn answers(response: &Response) -> HashMap<usize, usize> {
    let mut calls: HashMap<Cow<str>, VecDeque<usize>> = HashMap::new();
    let mut found: HashMap<usize, usize> = HashMap::new();
    for (index, trace) in response.traces.iter().enumerate() {
        let came = !trace.results.is_empty() || trace.error.is_some();
        let names = [trace.tool.as_deref(), trace.id.as_deref()];
        let searched =
            trace.queries.iter().filter_map(|&query| Some(response.queries.get(query)?.text.as_str()));
        let asked =
            || Peek::of(trace.arguments.as_ref()?.as_json(), &["query"]).word("query").map(Cow::Owned);
        let call = trace.tool.as_deref().filter(|_| !came);
        if let Some(tool) = call {
            calls.entry(asked().unwrap_or(Cow::Borrowed(tool))).or_default().push_back(index);
        } else if came {
            let mut keys = searched.chain(names.into_iter().flatten());
            let call = keys.find_map(|key| calls.get_mut(key)?.pop_front());
            found.extend(call.map(|call| (call, index)));
        }
    }
    found
}

/// The steps that have a row of their own, in order: a call stands in the row of what came of it.
pub fn trace_rows(response: &Response) -> Vec<usize> {
    let answers = answers(response);
    (0..response.traces.len()).filter(|trace| !answers.contains_key(trace)).collect()
}

/// The row in which a step stands.
pub fn trace_row(response: &Response, trace: usize) -> Option<usize> {
    let trace = answers(response).get(&trace).copied().unwrap_or(trace);
    trace_rows(response).iter().position(|row| *row == trace)
}
