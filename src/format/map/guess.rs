//! A map proposed from the keys of a JSON: most products call the same things by a handful of names.

use std::collections::HashSet;

use serde_json::Value;

use super::claims::{self, Claims};
use super::fields::{
    BESIDE, BY_ID, LISTS, are_sources, called_by, described, elements, is_scalar, key, says_something,
};
use super::known::by_what_is_listed;
use super::{Map, MapPath, Markers, Pattern, Route, Sources, Spans, marks, numbers, placed, table};
use crate::format::markers::{self, Name, Notation};
use crate::json::camel;
use crate::model::Origin;

pub(super) const ANSWERS: &[&str] = &[
    "answer",
    "answerText",
    "text",
    "response",
    "output",
    "outputText",
    "generatedText",
    "generation",
    "completion",
    "reply",
    "result",
    "content",
    "message",
];
/// Names of an answer that are looked for where a map is asked for, since other things are called so, too.
const LOOSE_ANSWERS: &[&str] = &["summary"];
/// Lists of sources that are one, as those of claims, only beside what is called an answer.
const LOOSE_LISTS: &[&str] = &["hits", "refs", "snippets", "matches", "nodes", "resources"];
/// What was asked.
pub(super) const QUESTIONS: &[&str] = &["question", "query", "prompt", "input"];
/// Keys of an object that gives a list by pages.
const PAGED: &[&str] = &["items", "results", "data", "list", "entries", "hits"];
/// Objects in which some products keep the whole answer.
const OUTER: &[&str] = &["data", "result", "response", "output", "body", "payload", "answer"];
/// How deep they are looked into.
const DEPTH: usize = 3;

/// Whether keys look like those of a product's own answer.
pub fn looks_like_one<'k>(keys: impl Iterator<Item = (&'k str, Option<char>)>) -> bool {
    let (mut answer, mut list, mut called, mut loose) = (false, false, false, false);
    for (key, kind) in keys {
        let key = camel(key);
        answer |= kind == Some('"') && ANSWERS.contains(&key.as_ref());
        called |= kind == Some('"') && key == "answer";
        let loosely = LOOSE_LISTS.contains(&key.as_ref()) || claims::is_list_name(&key);
        loose |= kind == Some('[') && loosely;
        list |= kind == Some('[') && (LISTS.contains(&key.as_ref()) || claims::is_of_claims(&key))
            || kind == Some('{') && BY_ID.contains(&key.as_ref());
    }
    answer && list || called && loose
}

/// Whether keys hold lists of sources or claims as a product's own answer does, besides some.
pub fn lists_besides<'k>(mut keys: impl Iterator<Item = (&'k str, Option<char>)>, some: &[&str]) -> bool {
    keys.any(|(key, kind)| {
        let known = |key: &str| LISTS.contains(&key) || claims::is_of_claims(key);
        kind == Some('[') && known(&camel(key)) && !some.contains(&key)
    })
}

impl Map {
    /// A proposal for a value; nothing where it holds no answer.
    pub fn guess(value: &Value) -> Option<Self> {
        Self::within(value, &mut vec![(value, Route::default())])
    }

    /// A proposal for one that looks like an answer by its keys, whatever stands below them.
    pub fn guess_at_least(value: &Value) -> Option<Self> {
        Self::guess(value).or_else(|| {
            let (answer, _) = key(value, ANSWERS, Value::is_string)?;
            Some(Self { answer: Some(MapPath(Route::key(answer))), ..Self::default() })
        })
    }

    /// Of the last of some objects, each of which holds the next, or of what it holds.
    fn within<'v>(value: &'v Value, holders: &mut Vec<(&'v Value, Route)>) -> Option<Self> {
        if let Some(map) = Self::of(holders) {
            return Some(map);
        }
        if holders.len() > DEPTH {
            return None;
        }
        OUTER.iter().find_map(|outer| {
            let inner = value.get(outer).filter(|inner| inner.is_object())?;
            let at = holders.last()?.1.clone().then(outer);
            holders.push((inner, at));
            let found = Self::within(inner, holders);
            holders.pop();
            found
        })
    }

    /// The answer stands in the last of the objects; spans and sources there, or in one that holds it.
    fn of(holders: &[(&Value, Route)]) -> Option<Self> {
        let (value, at) = holders.last()?;
        let (answer, text) =
            key(value, ANSWERS, Value::is_string).or_else(|| key(value, LOOSE_ANSWERS, Value::is_string))?;
        let path = |key: &str| Some(MapPath(at.clone().then(key)));
        let near = || holders.iter().rev().map(|(value, at)| (*value, at.clone()));
        let beside = || {
            let object = |name: &&str| key(value, &[*name], Value::is_object);
            BESIDE.iter().filter_map(object).map(|(key, inner)| (inner, at.clone().then(key)))
        };
        let said = text.as_str().unwrap_or_default();
        let in_near = |taken: Option<&str>| near().find_map(|(value, at)| sources(value, &at, taken));
        let in_beside = |taken: Option<&str>| beside().find_map(|(value, at)| sources(value, &at, taken));
        let others = |name: &str| in_near(Some(name)).or_else(|| in_beside(Some(name))).is_some();
        let claims = near().chain(beside()).find_map(|(value, at)| Claims::of(value, &at, said, &others));
        let taken = claims.as_ref().map(|claims| claims.name);
        let own = || claims.as_ref()?.sources();
        let sources = in_near(taken).or_else(own).or_else(|| in_beside(taken));
        let spans = claims.map(|claims| claims.spans(said));
        // Where nothing was found the list is there, and empty.
        let no_list = |inner: &Value| inner.as_array().is_some_and(Vec::is_empty);
        let none_by_id = |inner: &Value| inner.as_object().is_some_and(serde_json::Map::is_empty);
        let is_empty = |value| key(value, LISTS, no_list).or_else(|| key(value, BY_ID, none_by_id)).is_some();
        if spans.is_none() && sources.is_none() && !near().any(|(value, _)| is_empty(value)) {
            return None;
        }
        let told = |names: &[&str]| key(value, names, is_scalar).and_then(|(key, _)| path(key));
        let strings = |inner: &Value| inner.as_array().is_some_and(|list| list.iter().all(Value::is_string));
        let queries = key(value, &["queries", "searchQueries"], strings);
        let question = key(value, QUESTIONS, Value::is_string);
        let root = holders.first()?.0;
        let had_claims = spans.is_some();
        let claimed = spans.and_then(|spans| claimed(spans, sources.as_ref(), (said, root)));
        let (spans, markers, sources) = if let Some((spans, sources)) = claimed {
            (Some(spans), None, sources)
        } else {
            let others = |name: &str| in_near(Some(name)).or_else(|| in_beside(Some(name)));
            let table = |(value, at): (&Value, Route)| table::of((value, &at), (said, root), &others);
            let (markers, sources) = marked((said, root), sources, || near().chain(beside()).find_map(table));
            let whole =
                |(value, at): (&Value, Route)| table::of_answer((value, &at), root, had_claims, &others);
            let has_marks = markers.pattern.is_some() || numbers::has_marks(said);
            match near().chain(beside()).find_map(whole).filter(|_| !has_marks) {
                Some((spans, sources)) => (Some(spans), None, Some(sources)),
                None => (None, Some(markers), sources),
            }
        };
        Some(Self {
            answer: path(answer),
            question: question.filter(|(key, _)| *key != answer).and_then(|(key, _)| path(key)),
            id: told(&["id", "responseId", "messageId", "requestId"]),
            model: told(&["model", "modelId"]),
            queries: queries.map(|(key, _)| MapPath(at.clone().then(key).each())),
            spans,
            markers,
            sources,
            ..Self::default()
        })
    }
}

/// Claims with what they call their sources; nothing where they are places in these alone.
fn claimed(
    spans: Spans,
    sources: Option<&Sources>,
    (text, root): (&str, &Value),
) -> Option<(Spans, Option<Sources>)> {
    let Some(sources) = sources else { return Some((placed::of_words(spans), None)) };
    let spans = by_what_is_listed(spans, root, sources);
    let id = called_by(root, &spans, sources).or_else(|| sources.id.clone());
    let sources = Sources { id, ..sources.clone() };
    Some((placed::in_answer(spans, root, text, &sources)?, Some(sources)))
}

/// A list of what is cited: objects, addresses or texts.
fn sources(value: &Value, at: &Route, taken: Option<&str>) -> Option<Sources> {
    let objects = |inner: &Value| inner.is_array() && elements(inner).iter().any(|one| one.is_object());
    let texts = |inner: &Value| inner.is_array() && elements(inner).iter().any(|one| one.is_string());
    let named = |inner: &Value| objects(inner) || texts(inner) && are_sources(inner);
    let by_id = |inner: &Value| {
        let says = |one: &Value| one.is_object() || one.is_string();
        inner.as_object().is_some_and(|members| !members.is_empty() && members.values().all(says))
    };
    // What is called so may be an object of anything.
    let described_by_id = |inner: &Value| {
        let members = inner.as_object().filter(|members| members.values().all(Value::is_object));
        members.is_some() && says_something(&described(Route::default(), &elements(inner)))
    };
    let paged = |inner: &Value| inner.is_object() && key(inner, PAGED, named).is_some();
    let free = |name: &&str| taken.is_none_or(|taken| camel(taken) != *name);
    let lists: Vec<&str> = LISTS.iter().chain(LOOSE_LISTS).copied().filter(free).collect();
    let ids: Vec<&str> = BY_ID.iter().copied().filter(free).collect();
    // A list of ids may stand beside that of what has them.
    let found = key(value, &lists, named)
        .or_else(|| key(value, &ids, by_id))
        .or_else(|| key(value, &lists, described_by_id));
    if let Some((name, inner)) = found.or_else(|| key(value, &lists, texts)) {
        let sources = described(at.clone().then(name).each(), &elements(inner));
        let known = says_something(&sources) || sources.id.is_some();
        return (known || !elements(inner).iter().all(|one| one.is_object())).then_some(sources);
    }
    let (name, inner) = key(value, &ids, paged)?;
    let (page, inner) = key(inner, PAGED, named)?;
    Some(described(at.clone().then(name).then(page).each(), &elements(inner)))
}

/// The marks of a text, and the sources by what they call them; `table` looks for a list that says which
/// source each number names.
fn marked(
    (text, root): (&str, &Value),
    sources: Option<Sources>,
    table: impl Fn() -> Option<(Markers, Sources)>,
) -> (Markers, Option<Sources>) {
    let (pattern, called) = marks_of(text, root, sources.as_ref());
    let counted = pattern.is_none();
    if let Some((markers, sources)) = if counted { table() } else { None } {
        return (markers, Some(sources));
    }
    let sources = sources.map(|sources| {
        let own = || if counted { table::own_number(text, root, &sources) } else { None };
        let id = called.or_else(own).or_else(|| sources.id.clone());
        Sources { id, ..sources }
    });
    (Markers { pattern, ..Markers::default() }, sources)
}

/// Whether a link of a text leads to one of the sources.
fn links_to_them(text: &str, value: &Value, sources: Option<&Sources>) -> bool {
    let Some(sources) = sources.filter(|_| text.contains("](")) else { return false };
    let list = sources.list.0.find(value, &Origin::default());
    let url = |one| sources.url.as_ref()?.0.first(one)?.as_str();
    let urls: HashSet<&str> =
        list.iter().filter_map(|(one, _)| url(one)).map(|url| url.trim_end_matches('/')).collect();
    let is_known = |address: &str| urls.contains(address.trim_end_matches('/'));
    let mut found = markers::find(numbers::head(text), Notation::NUMBERS, is_known);
    found.any(|(_, names)| names.iter().any(|name| matches!(name, Name::Address(..))))
}

/// The pattern of the marks of a text, and what names sources in them, where that is not their id.
fn marks_of(text: &str, value: &Value, sources: Option<&Sources>) -> (Option<Pattern>, Option<MapPath>) {
    if let Some(pattern) = marks::known(text) {
        return (Some(pattern), None);
    }
    // Who counts sources, or links to them, calls them by nothing else.
    if links_to_them(text, value, sources) {
        return (None, None);
    }
    let mut found = markers::find(numbers::head(text), Notation::NUMBERS, |_| false);
    if found.any(|(_, names)| names.iter().any(|name| matches!(name, Name::Number(_)))) {
        return (None, None);
    }
    let named = sources.and_then(|sources| {
        let list = sources.list.0.find(value, &Origin::default());
        let alone = MapPath::default();
        let paths = [&sources.id, &sources.title, &sources.url].into_iter().flatten().chain([&alone]);
        paths.into_iter().find_map(|path| {
            let ids = list.iter().filter_map(|(one, _)| path.0.first(one)?.as_str());
            Some((marks::of_ids(text, &ids.collect::<Vec<_>>(), &marks::SQUARE)?, path.clone()))
        })
    });
    match named {
        Some((pattern, path)) => (Some(pattern), Some(path)),
        None => (marks::counted(text), None),
    }
}
