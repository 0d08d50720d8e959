//! What the models and their tools did, in the pieces that all services share: queries in the arguments of
//! calls, times, thoughts at the beginning of a text.

use std::borrow::Cow;

use super::building::Bounded;
use crate::model::{JsonText, Origin, Query, QueryKind, Response, SearchResult, Trace};

/// The title of a step that is code which the model wrote.
pub const CODE: &str = "executable code";

/// Adds a step; its number.
pub fn trace(response: &mut Response, trace: Trace) -> usize {
    response.traces.add(trace);
    response.traces.len() - 1
}

/// Adds a search of a step, once for equal texts; an empty one is none.
pub fn query(response: &mut Response, trace: usize, text: &str, origin: &Origin) {
    let Some(step) = response.traces.get_mut(trace).filter(|_| !text.trim().is_empty()) else { return };
    let known = |&query: &usize| response.queries.get(query).is_some_and(|query| query.text == text);
    // A call has a handful of them.
    if step.queries.iter().rev().take(64).any(known) {
        return;
    }
    step.queries.push(response.queries.len());
    response.queries.push(Query {
        origin: origin.clone(),
        text: text.to_owned(),
        kind: QueryKind::Search,
        trace: Some(trace),
        web: false,
    });
}

/// Adds the searches that the arguments of a step name: `query`, `queries`, also in JSON in a string, twice
/// over.
pub fn queries_of(response: &mut Response, trace: usize, arguments: &JsonText, origin: &Origin) {
    let value = unfolded(arguments);
    for key in ["query", "queries", "search_request", "searchRequest"] {
        let Some(asked) = value.get(key).map(|asked| unfolded(&asked).into_owned()) else { continue };
        let inner = asked.get("query");
        for text in [Some(&asked), inner.as_ref()].into_iter().flatten().filter_map(JsonText::as_text) {
            query(response, trace, &text, origin);
        }
        asked.elements().filter_map(|text| text.to_text()).for_each(|text| {
            query(response, trace, &text, origin);
        });
    }
}

/// A value; of JSON in a string what that holds.
pub fn unfolded(value: &JsonText) -> Cow<'_, JsonText> {
    let text = value.as_text().filter(|text| text.trim_start().starts_with(['{', '[']));
    let inner = text.and_then(|text| JsonText::parsed(&text));
    inner.map_or(Cow::Borrowed(value), Cow::Owned)
}

/// A thought as a step.
pub fn think(response: &mut Response, thought: &str, origin: &Origin) {
    if !thought.trim().is_empty() {
        let thought = Some(thought.to_owned());
        trace(response, Trace { origin: origin.clone(), thought, ..Trace::default() });
    }
}

/// A result that is text.
pub fn text_result(text: impl Into<String>) -> SearchResult {
    SearchResult { text: Some(text.into()), ..SearchResult::default() }
}

/// A time as RFC 3339, where Unix seconds were sent.
pub fn time(sent: &str) -> String {
    let seconds = sent.parse::<f64>().ok().filter(|seconds| seconds.is_finite());
    let stamp =
        seconds.and_then(|seconds| jiff::Timestamp::from_microsecond((seconds * 1e6).round() as i64).ok());
    stamp.map_or_else(|| sent.to_owned(), |stamp| stamp.to_string())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn queries_stand_in_arguments_of_every_fold() {
        let mut response = Response::default();
        let step = trace(&mut response, Trace::default());
        let origin = Origin::default();
        for arguments in [
            json!({"query": "a", "queries": ["a", "b", " "]}),
            json!("{\"query\": \"c\"}"),
            json!({"search_request": "{\"query\": \"d\"}"}),
            json!({"search_request": {"query": "e"}}),
            json!([1]),
        ] {
            queries_of(&mut response, step, &arguments.into(), &origin);
        }
        let texts: Vec<&str> = response.queries.iter().map(|query| query.text.as_str()).collect();
        assert_eq!(texts, ["a", "b", "c", "d", "e"]);
    }

    #[test]
    fn seconds_are_a_time() {
        assert_eq!(time("1787150062"), "2026-08-19T14:34:22Z");
        assert_eq!(time("2026-01-01"), "2026-01-01");
    }
}
